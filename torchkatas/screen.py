"""What a learner sees: one line or one block a function, a bar for each directory, and what is next."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from torchkatas import bank, curriculum
from torchkatas.answers import Door
from torchkatas.curriculum import Concept
from torchkatas.judge import plain
from torchkatas.selection import NEEDS
from torchkatas.verdict import DOOR, Record, Verdict


class Look(NamedTuple):
    sign: str
    word: str
    colour: dict[str, bool]


LOOKS = {  # the worst first: a function is as far as its worst test of those that ran here
    "failed": Look("x", "not right", {"red": True}),
    "todo": Look(".", "to do", {"yellow": True}),
    "passed": Look("#", "done", {"green": True}),
    "unproven": Look("?", "not proven here", {"cyan": True}),
}
Key = tuple[Concept, str]


class Screen:
    """Prints the summary of the verdicts that a run recorded."""

    def __init__(self, config: pytest.Config, record: Record) -> None:
        self._record, self._door = record, config.stash[DOOR]

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: Any) -> tuple[str, str, tuple[str, dict[str, bool]]] | None:
        verdict = getattr(report, "verdict", {}).get("verdict")
        if verdict not in ("todo", "unproven"):
            return None
        sign, word, colour = LOOKS[verdict]
        return word, sign, (word.upper(), colour)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter, exitstatus: int) -> Iterator[None]:
        config, stats = terminalreporter.config, terminalreporter.stats
        if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and (marker := config.getoption("markexpr")):
            terminalreporter.write_line(f"No kata here carries `{marker}`: nothing was judged, and nothing failed.")
        if not self._record.verdicts or config.get_verbosity() <= -2:
            return (yield)
        failed = stats.get("failed", [])
        if failed and plain(config):
            stats["failed"] = [report for report in failed if not hasattr(report, "verdict")]
        yield  # pytest's own pages, with the reports that are not told here
        if failed:
            stats["failed"] = failed
        self._print(terminalreporter)
        return None

    def _print(self, out: pytest.TerminalReporter) -> None:
        functions: dict[Key, list[Verdict]] = defaultdict(list)
        for verdict in self._record.verdicts:
            functions[Concept(*verdict.concept.split("/")), verdict.function].append(verdict)
        order = curriculum.reading_order(self._door.root)
        keys = sorted(functions, key=lambda key: order.get(key, len(order)))
        states = {key: next(state for state in LOOKS if _of(functions[key], state)) for key in keys}
        directories = list(dict.fromkeys(concept.directory for concept, _ in keys))
        out.write_line("")
        for key in keys:
            _tell(out, self._door, key, states, functions[key], green=len(directories) == 1)
        width = max(map(len, directories))
        for directory in directories:
            mine = [states[key] for key in keys if key[0].directory == directory]
            out.write(f"{directory:<{width}}   ")
            for state in mine:
                out.write(LOOKS[state].sign, **LOOKS[state].colour)
            counts = [f"{mine.count('passed')} of {len(mine)} done"]
            counts += [f"{mine.count(state)} {LOOKS[state].word}" for state in ("failed", "unproven") if state in mine]
            done = [key for key in keys if key[0].directory == directory and states[key] == "passed"]
            if elsewhere := sum(len(_of(functions[key], "unproven")) for key in done):
                counts.append(f"{elsewhere} of their checks not proven here")
            out.write_line(f"   {', '.join(counts)}")
        following = _first_open(functions, states) or _after(order, keys)
        if following:
            out.write_line(f"{'next':<{width}}   {following}")
        if any(marker in out.config.getoption("markexpr") for marker in NEEDS):
            for state, word in (("passed", "proven"), ("unproven", "not proven here")):
                places = Counter(_place(verdict) for verdict in _of(self._record.verdicts, state))
                told = ", ".join(f"{place} ({count} tests)" for place, count in places.items())
                out.write_line(f"{word}: {told or 'nothing'}")


def _place(verdict: Verdict) -> str:
    """Where a test ran, or would have run."""
    if verdict.device == "cuda" and verdict.world_size != 1:
        return f"NCCL, {verdict.world_size or 'one rank a GPU'}{' ranks' if verdict.world_size else ''}"
    return verdict.device if verdict.world_size == 1 else f"gloo, {verdict.world_size} ranks"


def _of(found: list[Verdict], state: str) -> list[Verdict]:
    return [verdict for verdict in found if verdict.verdict == state]


def _first_open(functions: dict[Key, list[Verdict]], states: dict[Key, str]) -> str:
    """The first function that is not right, else the first that is to do."""
    for state in ("failed", "todo"):
        for key in states:
            if states[key] == state:
                first = _of(functions[key], state)[0]
                return f"{first.path}:{first.line}   {key[1]}   lesson  {curriculum.lesson(*key)}"
    return ""


def _after(order: dict[Key, int], done: list[Key]) -> str:
    """What follows on functions that are done: the rest of their directory, or the next one."""
    last = max(order.get(key, -1) for key in done)
    for (concept, name), place in order.items():
        if place > last and concept.directory == done[-1][0].directory:
            return f"katas/{concept.file}   {name}   lesson  {curriculum.lesson(concept, name)}"
        if place > last:
            return f"pytest katas/{concept.directory}   lesson  katas/{concept.directory}/README.md"
    return ""


def _tell(out: Any, door: Door, key: Key, states: dict[Key, str], found: list[Verdict], green: bool) -> None:
    (concept, function), state = key, states[key]
    mine = _of(found, state)
    place, colour = f"{mine[0].path}:{mine[0].line}", LOOKS[state].colour
    if state == "failed":
        _tell_failed(out, door, key, mine, len(found), _stands_on(door, key, states))
    elif state == "todo":
        out.write_line(f"  to do   {place}   {function}", **colour)
    elif state == "unproven":
        out.write_line(f"  ?       {place}   {function}: {mine[0].message}", **colour)
    elif green:
        why = curriculum.why(door.root / "solutions" / concept.file, function)
        out.write_line(f"  right   {function}   {why}", **colour)
    for note in dict.fromkeys(note for verdict in found for note in verdict.notes):
        out.write_line(f"  note    {function}: {note}", **LOOKS["unproven"].colour)
    if state == "failed":
        out.write_line("")


def _stands_on(door: Door, key: Key, states: dict[Key, str]) -> list[str]:
    """The functions of its file that the learner's function calls, and that are not right either."""
    concept, function = key
    node = curriculum.definitions(door.folder / concept.file).get(function)
    called = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)} if node else set()
    wrong = [name for (other, name), state in states.items() if other == concept and state == "failed"]
    return [name for name in wrong if name in called and name != function]


def _tell_failed(out: Any, door: Door, key: Key, failed: list[Verdict], checks: int, below: list[str]) -> None:
    concept, function = key
    narrowed = _narrowed(door, concept, failed)
    first = next((verdict for verdict in failed if bool(verdict.mistake) == bool(narrowed)), failed[0])
    sentence, _, evidence = first.message.partition("\n\n")
    out.write_line(f"{function}   not right", red=True, bold=True)
    for line in (narrowed or sentence).splitlines():
        out.write_line(f"  {line}", bold=True)
    more = [f"uses      {name}, which is not right: begin there" for name in below]
    more += [f"yours     {first.path}:{first.line}", f"lesson    {curriculum.lesson(concept, function)}"]
    if len(failed) > 1:
        more.append(f"({len(failed) - 1} more of its {checks} checks {'fail' if len(failed) > 2 else 'fails'})")
    for line in [*evidence.splitlines(), *more]:
        out.write_line(f"  {line}")


def _narrowed(door: Door, concept: Concept, failed: list[Verdict]) -> str:
    """The sentence that fits all failing tests that have one: several may fit one test, one fits all.

    Where nothing came back in some test, that is what is told: an entry that fits the others then fits by chance.
    """
    if any(not verdict.mistake and verdict.message.startswith("None came back") for verdict in failed):
        return ""
    fits = [set(verdict.mistake.split(", ")) for verdict in failed if verdict.mistake]
    ids = set.intersection(*fits) or fits[0] if fits else set()
    mine = [entry for entry in bank.entries(bank.folders(door.root)[0] / concept.file) if entry.id in ids]
    return bank.told(mine) if mine else ""
