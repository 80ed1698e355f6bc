"""One judge: runs a spec on an answer, finds out what went wrong, and words the verdict.

Diagnosis: when a test fails, the same test is run again on each wrong answer that the bank holds for its function; where
it observes what it observed on the learner's, that entry's sentence leads. No spec knows of any mistake.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import linecache
import re
import traceback
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from torchkatas import bank, curriculum
from torchkatas.answers import Door, Tree, Unusable, place
from torchkatas.curriculum import Concept
from torchkatas.verdict import Verdict, sha256

if TYPE_CHECKING:
    from torchkatas.check import Check, Raised, Seen
    from torchkatas.guard import State

DOOR = pytest.StashKey[Door]()
CASE = pytest.StashKey["Case"]()
DEVICES = ("cuda", "mps")


class Kata:
    """The functions of one concept, as one tree of answers defines them; loaded when the first is asked for."""

    def __init__(self, door: Door, tree: Tree, concept: Concept) -> None:
        self._door, self._tree, self._concept = door, tree, concept
        self._notes: list[str] = []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        from torchkatas.guard import State

        before = State()
        try:
            return self._door.get(self._tree, self._concept, name)
        finally:
            self._notes += [f"loading the file changed {leak} (put back)" for leak in before.restore()]


class Case:
    """One test of a kata: which function it judges, in which tree, and what was found."""

    def __init__(self, item: pytest.Function, concept: Concept) -> None:
        self.item, self.concept = item, concept
        self.door = item.config.stash[DOOR]
        entry = getattr(item, "callspec", None) and item.callspec.params.get("kata", "")
        self.tree = Tree(self.door.folder, entry or "")
        stubs = curriculum.definitions(self.door.root / "katas" / concept.file)
        self.function = curriculum.judged(item.originalname, stubs)
        self.facts = [str(fact) for mark in item.iter_markers("fact") for fact in mark.args]
        self.notes: list[str] = []
        self.named: list[bank.Entry] = []
        self.start: State | None = None

    def kata(self, tree: Tree) -> Kata:
        return Kata(self.door, tree, self.concept)

    def check(self, tree: Tree) -> Check:
        from torchkatas.check import Check

        by_hand = getattr(self.item.module, "BY_HAND", {})
        return Check(tree.folder, by_hand, lambda error: todo(error, tree.folder))

    def run_on(self, tree: Tree) -> object:
        """What makes this test fail on another answer; None where it passes."""
        from torchkatas.guard import State

        check = self.check(tree)
        given = {name: self.item.funcargs[name] for name in inspect.signature(self.item.obj).parameters}
        given |= {"kata": self.kata(tree), "check": check}
        if "tmp_path" in given:
            given["tmp_path"] = self.item.funcargs["tmp_path"] / f"again-{tree.entry}"
            given["tmp_path"].mkdir()
        assert self.start is not None
        self.start.rewind()
        before = State()
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                self.item.obj(**{name: value for name, value in given.items() if name in self.item.funcargs})
        except (Exception, SystemExit) as error:
            return _observed(error, check)
        finally:
            before.restore()
        return None

    def diagnose(self, error: BaseException) -> list[bank.Entry]:
        """The wrong answers of the bank on which this test observes just what it observed here."""
        if isinstance(error, Unusable) or not isinstance(error, (Exception, SystemExit)) or todo(error, self.tree.folder):
            return []
        here = _observed(error, self.item.funcargs["check"])
        folder = bank.folders(self.door.root)[0]
        mine = [e for e in bank.entries(folder / self.concept.file) if e.replaces == self.function]
        return [entry for entry in mine if self.run_on(Tree(folder, entry.id)) == here]


def _observed(error: BaseException, check: Check) -> tuple[Seen | Raised, int]:
    """What a failing test saw, and at which of its checks: two failures are one where these are equal."""
    from torchkatas.check import Mismatch, Raised

    return (error.seen, error.index) if isinstance(error, Mismatch) else (Raised(error), check.judged)


def todo(error: BaseException, folder: Path) -> tuple[Path, int, str] | None:
    """Where a stub is still to be written, if that is what the error says: file, line and function.

    A DataLoader worker hands its error over as text; the last file named there is then the one that counts.
    """
    if not isinstance(error, NotImplementedError):
        return None
    told = re.findall(r'File "(.+?)", line (\d+), in (\S+)', str(error))
    places = [frame for frame, _ in _frames(error)] + [(Path(file), int(line), name) for file, line, name in told]
    path, line, name = places[-1] if places else (Path(), 0, "")
    linecache.checkcache(str(path))
    # torch's own NotImplementedError comes out of C++, at a line of the learner's that raises nothing
    raised = linecache.getline(str(path), line).lstrip().startswith("raise")
    return (path, line, name) if raised and path.is_relative_to(folder) else None


def _frames(error: BaseException) -> Iterator[tuple[tuple[Path, int, str], Any]]:
    for frame, line in traceback.walk_tb(error.__traceback__):
        yield (Path(frame.f_code.co_filename), line, frame.f_code.co_name), frame


# ---- fixtures


@pytest.fixture
def kata(request: pytest.FixtureRequest) -> Kata:
    """The functions of the concept that this spec belongs to, from the tree that --answers names."""
    case = request.node.stash[CASE]
    return case.kata(case.tree)  # type: ignore[no-any-return]


@pytest.fixture
def check(request: pytest.FixtureRequest) -> Check:
    """Takes in what was observed and what is right (torchkatas.check)."""
    case = request.node.stash[CASE]
    return case.check(case.tree)  # type: ignore[no-any-return]


# ---- hooks


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Where the answers are a bank, each test runs once on every entry for its function."""
    door = metafunc.config.stash[DOOR]
    concept = Concept.of(Path(metafunc.module.__file__), door.root)
    if concept and door.folder in bank.folders(door.root) and "kata" in metafunc.fixturenames:
        stubs = curriculum.definitions(door.root / "katas" / concept.file)
        function = curriculum.judged(metafunc.function.__name__, stubs)
        entries = [e.id for e in bank.entries(door.folder / concept.file) if e.replaces == function]
        metafunc.parametrize("kata", entries, indirect=True, ids=entries)


def pytest_itemcollected(item: pytest.Item) -> None:
    concept = Concept.of(item.path, item.config.stash[DOOR].root)
    if concept and isinstance(item, pytest.Function):
        item.stash[CASE] = Case(item, concept)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Run the spec inside the state guard; on a failure ask the bank, with the state put back first."""
    case = item.stash.get(CASE, None)
    if case is None:
        yield
        return
    from torchkatas.guard import State

    case.start = State()
    failure: BaseException | None = None
    try:
        yield
        _complete(case)
    except BaseException as error:
        failure = error
        raise
    finally:
        case.notes += [f"left {leak} changed (put back)" for leak in case.start.restore()]
        kata, check = case.item.funcargs.get("kata"), case.item.funcargs.get("check")
        case.notes += [*(kata._notes if kata else ()), *(check.notes if check else ())]
        if failure is not None and check is not None:
            case.named = case.diagnose(failure)


def _complete(case: Case) -> None:
    """A spec that judged nothing proves nothing."""
    check = case.item.funcargs.get("check")
    if check is None or check.open is not None or not check.judged:
        raise RuntimeError(f"{case.item.nodeid} observes but judges nothing: it lacks `.gives` or `.raises`")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[pytest.TestReport]:
    report: pytest.TestReport = yield
    case = item.stash.get(CASE, None)
    if case is None or (report.when != "call" and report.passed):
        return report
    tree, root, door = case.tree, case.door.root, case.door
    source = tree.source(case.concept)
    answers = "@".join(part for part in (door.show(tree.folder), tree.entry) if part)
    verdict = Verdict(report.nodeid, answers, str(case.concept), case.function, door.show(source), _line(case, source))
    verdict.facts, verdict.notes, verdict.seconds = case.facts, list(dict.fromkeys(case.notes)), round(report.duration, 4)
    verdict.source_hash, verdict.spec_hash = sha256(source), sha256(item.path)
    verdict.device = next((device for device in DEVICES if item.get_closest_marker(device)), "cpu")
    if report.skipped:
        verdict.verdict, verdict.message = "unproven", str(call.excinfo.value) if call.excinfo else ""
    elif report.failed and call.excinfo is not None:
        _explain(verdict, case, call.excinfo.value, report.capstdout)
        if item.config.get_verbosity() < 2 and item.config.getoption("tbstyle") in ("auto", "no"):
            report.longrepr = verdict.message
    report.verdict = asdict(verdict)  # type: ignore[attr-defined]
    return report


def _line(case: Case, source: Path) -> int:
    """Where the function stands: of a bank, the entry's own line."""
    if case.tree.entry:
        return next((e.line for e in bank.entries(source) if e.id == case.tree.entry), 1)
    node = curriculum.definitions(source).get(case.function)
    return node.lineno if node else 1


def _explain(verdict: Verdict, case: Case, error: BaseException, printed: str) -> None:
    """Word a failure: the sentence first, then what leads to the line."""
    from torchkatas.check import Mismatch, Raised, reason

    verdict.verdict = "failed"
    if unwritten := todo(error, case.tree.folder):
        verdict.verdict, verdict.path, verdict.line = "todo", case.door.show(unwritten[0]), unwritten[1]
        verdict.message = f"to do: {unwritten[2]}"
        return
    sentence, lines, raised = "", [], error
    if isinstance(error, Unusable):
        verdict.path, verdict.line, raised = case.door.show(error.path), error.line, None  # type: ignore[assignment]
        sentence = str(error)
    elif isinstance(error, Mismatch):
        sentence, lines = reason(error), error.lines()
        raised = error.seen.outcome.error if isinstance(error.seen.outcome, Raised) else None  # type: ignore[assignment]
    elif isinstance(error, pytest.fail.Exception) and "pytest-timeout" in str(error):
        sentence = f"It had not ended after {_deadline(case.item)} seconds: a loop whose condition never turns false?"
    if raised is not None:
        where = place(raised, case.tree.folder)
        if where:
            verdict.path, verdict.line = case.door.show(where[0]), where[1]
        lines += _crash(raised, case, bool(where))
    if case.named:
        sentence = told(case.named)
        verdict.mistake = ", ".join(entry.id for entry in case.named)
    if printed.strip():
        lines += ["printed", *(f"  {line}" for line in _cut(printed.rstrip()))]
    verdict.message = f"{sentence}\n\n" + "\n".join(lines)


def told(entries: list[bank.Entry]) -> str:
    """The sentence of an entry; of several, all."""
    says = [entry.says for entry in entries if isinstance(entry, bank.wrong)]
    return says[0] if len(says) == 1 else "\n".join(["One of:", *(f"- {sentence}" for sentence in says)])


def _crash(error: BaseException, case: Case, theirs: bool) -> list[str]:
    """The frames in the learner's files, and Python's or torch's own words."""
    words = f"{type(error).__name__}: {error}".split("\n", 1)[0].rstrip(": ")
    if isinstance(error, pytest.fail.Exception):
        words = ""
    elif not theirs and isinstance(error, TypeError) and f"{case.function}(" in str(error):
        words += "; the stub's signature is to stay as it is"
    elif not theirs and not isinstance(error, pytest.fail.Exception):
        frames = [frame for frame, _ in _frames(error) if frame[0] == case.item.path]
        words += f"\n(the spec's line {frames[-1][1]} could not use what came back)" if frames else ""
    lines = words.splitlines()
    for (path, line, name), _ in _frames(error):
        if path.is_relative_to(case.tree.folder):
            text = linecache.getline(str(path), line).strip()
            lines.append(f"  {case.door.show(path)}:{line} in {name}: {text}")
    return lines


def _deadline(item: pytest.Item) -> str:
    mark = item.get_closest_marker("timeout")
    return f"{float(mark.args[0] if mark and mark.args else item.config.getoption('timeout', None) or item.config.getini('timeout')):g}"


def _cut(text: str, most: int = 20) -> list[str]:
    """The head and the tail of what was printed: a runaway print must not drown the sentence."""
    lines = [line if len(line) <= 200 else f"{line[:200]} ..." for line in text[:100_000].splitlines()]
    return lines if len(lines) <= most else [*lines[: most // 2], f"... {len(lines) - most} lines ...", *lines[-most // 2 :]]
