"""One judge: runs a spec on an answer, asks the bank what went wrong, and words the verdict.

Diagnosis: when a test fails, it is run again on each wrong answer that the bank holds for its function; an entry on
which it observes what it observed on the learner's gives its sentence. No spec knows of any mistake.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import linecache
import os
import re
import sys
import warnings
from collections.abc import Generator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

from torchkatas import bank, curriculum, deadline
from torchkatas.answers import Door, Frame, Tree, Unusable, frames, inside, place
from torchkatas.curriculum import Concept
from torchkatas.verdict import DOOR, Verdict, sha256

if TYPE_CHECKING:  # all of these import torch, which no run pays before its first test
    from torchkatas.check import Check, Seen
    from torchkatas.compare import Raised
    from torchkatas.guard import State

T = TypeVar("T")
Wrapper = Generator[None, T, T]
CASE = pytest.StashKey["Case"]()
KNOWN = pytest.StashKey[dict[Any, Any]]()


class Kata:
    """The functions of one concept, as one tree of answers defines them; loaded when the first is asked for."""

    def __init__(self, door: Door, tree: Tree, concept: Concept, notes: list[str]) -> None:
        self._door, self._tree, self._concept, self._notes = door, tree, concept, notes

    def __reduce__(self) -> Any:
        return Kata, (self._door, self._tree, self._concept, [])  # a rank has notes of its own

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if self._tree.module(self._concept) in sys.modules:
            return self._door.get(self._tree, self._concept, name)
        from torchkatas.guard import State

        before = State()
        try:
            return self._door.get(self._tree, self._concept, name)
        finally:
            self._notes += [f"loading the file left {leak}" for leak in before.restore()]


class Case:
    """One test of a kata: which function it judges, in which tree, and what was found."""

    kata: Kata
    check: Check
    start: State
    notes: list[str]
    named: list[bank.Entry]
    failure: BaseException | None

    def __init__(self, item: pytest.Function, concept: Concept) -> None:
        self.item, self.concept, self.door = item, concept, item.config.stash[DOOR]
        self.notes, self.named, self.failure = [], [], None
        self.params: dict[str, Any] = dict(item.callspec.params) if hasattr(item, "callspec") else {}
        self.tree = Tree(self.door.folder, self.params.pop("kata", ""))
        self.function = curriculum.judged(item.originalname, curriculum.functions(self.door.root, concept))

    def begin(self) -> None:
        self.notes, self.named, self.failure = [], [], None
        self.kata, self.check = self._pair(self.tree, self.notes)

    def _pair(self, tree: Tree, notes: list[str]) -> tuple[Kata, Check]:
        from torchkatas.check import Check

        by_hand = getattr(self.item.module, "BY_HAND", {}).get(self.function, ())
        check = Check(tree.folder, by_hand, lambda error: unwritten(error, tree.folder), notes)
        return Kata(self.door, tree, self.concept, notes), check

    def diagnose(self, error: BaseException) -> list[bank.Entry]:
        """The wrong answers of the bank on which this test observes just what it observed here."""
        if not self._theirs(error):
            return []
        here = _observed(error, self.check)
        folder = bank.folders(self.door.root)[0]
        mine = [e for e in bank.entries(folder / self.concept.file) if e.replaces == self.function]
        try:
            return [entry for entry in mine if self._known(Tree(folder, entry.id)) == here]
        except pytest.fail.Exception:
            self.notes.append("no time was left to ask the bank which mistake this is")
            return []

    def _known(self, tree: Tree) -> tuple[Seen | Raised, int] | None:
        """What an entry makes this test see: asked once a run, since a bank asks for each of its entries about all."""
        known = self.item.config.stash.setdefault(KNOWN, {})
        key = (self.item.function, tree, tuple(map(id, self.params.values())))
        if key not in known:
            known[key] = self._again(tree)
        return known[key]

    def _theirs(self, error: BaseException) -> bool:
        """Whether a failure tells something about the answer: a check that failed, or an error from its own lines."""
        from torchkatas.check import Mismatch

        if unwritten(error, self.tree.folder) or not isinstance(error, (Exception, SystemExit)):
            return False
        return isinstance(error, Mismatch) or place(error, self.tree.folder) is not None

    def _again(self, tree: Tree) -> tuple[Seen | Raised, int] | None:
        """What makes this test fail on an entry of the bank; None where it passes."""
        from torchkatas.guard import State

        kata, check = self._pair(tree, [])
        fixtures: dict[str, Any] = {**self.item.funcargs, "kata": kata, "check": check}
        given = {name: fixtures[name] for name in inspect.signature(self.item.obj).parameters}
        if "tmp_path" in given:
            given["tmp_path"] /= f"again-{tree.entry}"
            given["tmp_path"].mkdir()
        before = State()
        try:
            with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings(record=True):
                self.item.obj(**given)  # what the bank prints or warns of is not for the learner
        except (Exception, SystemExit) as error:
            return _observed(error, check)
        except (pytest.fail.Exception, pytest.skip.Exception) as error:
            if str(error).startswith("Timeout (>"):
                raise  # the clock of the diagnosis
        finally:
            before.restore()
        return None


def _observed(error: BaseException, check: Check) -> tuple[Seen | Raised, int]:
    """What a failing test saw, and at which of its checks: two failures are one where these are equal."""
    from torchkatas.check import Mismatch
    from torchkatas.compare import Raised

    return (error.seen, error.index) if isinstance(error, Mismatch) else (Raised(error), check.judged)


def unwritten(error: BaseException, folder: Path) -> Frame | None:
    """File, line and function of the stub that is still to be written, if that is what the error says.

    A DataLoader worker hands its error over as text; the last file named there is then the one that counts. A
    NotImplementedError of torch's own comes out of C++, at a line of the learner's that raises nothing.
    """
    if not isinstance(error, NotImplementedError):
        return None
    told = re.findall(r'File "(.+?)", line (\d+), in (\S+)', str(error))
    path, line, name = [*frames(error), *((Path(file), int(line), name) for file, line, name in told)][-1]
    linecache.checkcache(str(path))
    raised = re.search(r"\braise\b", linecache.getline(str(path), line))
    return (path, line, name) if raised and inside(path, folder) else None


@pytest.fixture
def kata(request: pytest.FixtureRequest) -> Kata:
    """The functions of the concept that this spec belongs to, from the tree that --answers names."""
    return request.node.stash[CASE].kata


@pytest.fixture
def check(request: pytest.FixtureRequest) -> Check:
    """Takes in what was observed and what is right (torchkatas.check)."""
    return request.node.stash[CASE].check


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Where the answers are a bank, each test runs once on every entry for its function."""
    door = metafunc.config.stash[DOOR]
    concept = Concept.of(metafunc.definition.path, door.root)
    if concept and door.folder in bank.folders(door.root) and "kata" in metafunc.fixturenames:
        function = curriculum.judged(metafunc.function.__name__, curriculum.functions(door.root, concept))
        entries = [e.id for e in bank.entries(door.folder / concept.file) if e.replaces == function]
        metafunc.parametrize("kata", entries, indirect=True, ids=entries)


def pytest_itemcollected(item: pytest.Item) -> None:
    concept = Concept.of(item.path, item.config.stash[DOOR].root)
    if concept and isinstance(item, pytest.Function) and "kata" in item.fixturenames:
        item.stash[CASE] = Case(item, concept)


@pytest.hookimpl(tryfirst=True)  # whoever wants another order, comes later
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Katas run in reading order, so that --stepwise stops where the learner is."""
    order = curriculum.reading_order(config.stash[DOOR].root)

    def place(item: pytest.Item) -> int:
        case = item.stash.get(CASE, None)
        return order.get((case.concept, case.function), len(order)) if case else -1

    items.sort(key=place)


def pytest_runtest_setup(item: pytest.Item) -> None:
    if case := item.stash.get(CASE, None):
        case.begin()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Wrapper[None]:
    """Run the spec inside the state guard; on a failure ask the bank, with the state put back first."""
    case = item.stash.get(CASE, None)
    if case is None:
        return (yield)
    from torchkatas.guard import State

    case.start, pid, clock = State(), os.getpid(), deadline.left()
    try:
        yield
        if case.check.open is not None or not case.check.judged:
            raise RuntimeError(f"{item.nodeid} observes but judges nothing: it lacks `.gives` or `.raises`")
    except BaseException as error:
        case.failure = error
    if os.getpid() != pid:
        os._exit(1)  # a child that an answer forked and let return: the rest of the run is not its own
    case.notes += [f"left {leak}" for leak in case.start.restore()]
    if case.failure is None:
        return None
    deadline.wind_up(clock, item.config)
    case.named = case.diagnose(case.failure)
    kinds = (Exception, SystemExit, pytest.fail.Exception)
    # an answer that skips its own test, or ends the run, has failed it
    theirs = place(case.failure, case.tree.folder) and not _unproven(case.failure)
    if theirs or (isinstance(case.failure, kinds) and plain(item.config)):
        raise pytest.fail.Exception(str(case.failure), pytrace=False)  # a traceback would cost 0.1 s, and go unread
    raise case.failure


def _unproven(error: BaseException) -> bool:
    from torchkatas.pretend import NotProven

    return isinstance(error, (KeyboardInterrupt, NotProven))


def plain(config: pytest.Config) -> bool:
    """Whether a failure is told in our words alone, without pytest's traceback and the spec's source."""
    option = config.getoption
    return config.get_verbosity() < 2 and option("tbstyle") in ("auto", "no") and not option("usepdb")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Wrapper[pytest.TestReport]:
    report = yield
    case = item.stash.get(CASE, None)
    if case is None or (report.when != "call" and report.passed):
        return report
    verdict = _verdict(case, report)
    if call.excinfo and report.skipped:
        verdict.verdict, verdict.message = "unproven", str(call.excinfo.value)
    elif call.excinfo:
        _explain(verdict, case, case.failure or call.excinfo.value, report.capstdout)
        if plain(item.config):
            report.longrepr = verdict.message
    verdict.message = verdict.message.encode("utf-8", "replace").decode()  # a lone surrogate would stop a report
    report.verdict = asdict(verdict)  # type: ignore[attr-defined]
    return report


def _verdict(case: Case, report: pytest.TestReport) -> Verdict:
    item, tree, source = case.item, case.tree, case.tree.source(case.concept)
    lines = {name: node.lineno for name, node in curriculum.definitions(source).items()}
    if tree.entry:
        lines = {entry.id: entry.line for entry in bank.entries(source)}
    world = case.params.get("world")
    return Verdict(
        test=report.nodeid,
        answers=f"{case.door.show(tree.folder)}@{tree.entry}".removesuffix("@"),
        concept=str(case.concept),
        function=case.function,
        path=case.door.show(source),
        line=lines.get(tree.entry or case.function, 1),
        notes=list(dict.fromkeys(case.notes)),
        facts=[str(fact) for mark in item.iter_markers("fact") for fact in mark.args],
        device=str(case.params.get("device", getattr(world, "device", "cpu"))),
        world_size=getattr(world, "size", 1),
        source_hash=sha256(source),
        spec_hash=sha256(item.path),
        seconds=round(report.duration, 4),
    )


def _explain(verdict: Verdict, case: Case, error: BaseException, printed: str) -> None:
    """Word a failure: the sentence first, then the call, expected and got, or the crash; then what was printed."""
    from torchkatas.check import cut

    where: Any = unwritten(error, case.tree.folder)
    if where:
        verdict.verdict, verdict.message = "todo", f"to do: {where[2]}"
    else:
        sentence, lines, where = _wording(case, error)
        if case.named:
            sentence = bank.told(case.named)
            verdict.mistake = ", ".join(entry.id for entry in case.named)
        if printed.strip():
            lines += ["printed", *(f"  {line}" for line in cut(printed.rstrip(), 20))]
        verdict.verdict, verdict.message = "failed", f"{sentence}\n\n" + "\n".join(lines)
    if where:
        verdict.path, verdict.line = case.door.show(where[0]), where[1]


def _wording(case: Case, error: BaseException) -> tuple[str, list[str], Any]:
    """The sentence of a failure, its evidence, and the place in the answer where one is known."""
    from torchkatas.check import Mismatch

    sentence, lines = "", []
    crash: BaseException | None = error
    if isinstance(error, Unusable):
        return str(error), [], (error.path, error.line)
    if isinstance(error, Mismatch):
        sentence, lines, crash = error.reason(), error.lines(), error.__cause__
    elif late := re.fullmatch(r"Timeout \(>([\d.]+?)(\.0)?s\) from pytest-timeout.*", str(error)):
        sentence = f"It had not ended after {late[1]} seconds: a loop whose condition never turns false?"
    if crash is None:
        return sentence, lines, None
    told = _crash(crash, case)
    if len(lines) > 1:  # where a refusal was expected, this is what came
        told[0] = f"{'got':<10}{told[0]}"
    return sentence, lines + told, place(crash, case.tree.folder)


def _crash(error: BaseException, case: Case) -> list[str]:
    """Python's or torch's own words, and the frames in the learner's files."""
    from torchkatas.by_hand import ByHand
    from torchkatas.check import cut
    from torchkatas.compare import Raised

    found = frames(error)
    theirs = [frame for frame in found if inside(frame[0], case.tree.folder)]
    words = [] if isinstance(error, (pytest.fail.Exception, ByHand)) else [repr(Raised(error))]
    if not theirs and isinstance(error, TypeError) and f"{case.function}(" in str(error):
        words[0] += "; the stub's signature is to stay as it is"
    elif not theirs and (spec := [line for path, line, _ in found if path == case.item.path]):
        words.append(f"(the spec could not use what came back, at its line {spec[-1]})")
    for path, line, name in theirs:
        words.append(f"  {case.door.show(path)}:{line} in {name}: {linecache.getline(str(path), line).strip()}")
    return cut("\n".join(words), 20)
