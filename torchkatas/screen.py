"""What a learner sees: one line or one block a function, a bar for each directory, and what is next."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest

from torchkatas import bank, curriculum
from torchkatas.answers import Door
from torchkatas.curriculum import Concept
from torchkatas.judge import plain
from torchkatas.verdict import DOOR, Record, Verdict

RANK = ("failed", "todo", "unproven", "passed")  # a function is as far as its worst test
SIGN = {"failed": "x", "todo": ".", "unproven": "?", "passed": "#"}
COLOUR: dict[str, dict[str, bool]] = {
    "failed": {"red": True},
    "todo": {"yellow": True},
    "unproven": {"cyan": True},
    "passed": {"green": True},
}


class Screen:
    """Prints the summary of the verdicts that a run recorded."""

    def __init__(self, config: pytest.Config, record: Record) -> None:
        self._record, self._door = record, config.stash[DOOR]

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: Any) -> tuple[str, str, tuple[str, dict[str, bool]]] | None:
        verdict = getattr(report, "verdict", {}).get("verdict")
        if verdict == "todo":
            return "to do", ".", ("TO DO", COLOUR["todo"])
        if verdict == "unproven":
            return "not proven here", "?", ("NOT PROVEN HERE", COLOUR["unproven"])
        return None

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter, exitstatus: int) -> Iterator[None]:
        config, stats = terminalreporter.config, terminalreporter.stats
        if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and (marker := config.getoption("markexpr")):
            terminalreporter.write_line(f"No kata here carries `{marker}`: nothing was judged, and nothing failed.")
        if not self._record.verdicts or config.get_verbosity() <= -2:
            return (yield)
        failed = stats.pop("failed", [])
        shown = [report for report in failed if not (plain(config) and hasattr(report, "verdict"))]
        if shown:
            stats["failed"] = shown
        yield  # pytest's own pages, with the reports that are not told here
        if failed:
            stats["failed"] = failed
        self._print(terminalreporter)
        return None

    def _print(self, out: pytest.TerminalReporter) -> None:
        functions: dict[tuple[Concept, str], list[Verdict]] = defaultdict(list)
        for verdict in self._record.verdicts:
            functions[Concept(*verdict.concept.split("/")), verdict.function].append(verdict)
        states = {key: min((v.verdict for v in found), key=RANK.index) for key, found in functions.items()}
        order = curriculum.reading_order(self._door.root)
        keys = sorted(functions, key=lambda key: order.get(key, len(order)))
        directories = list(dict.fromkeys(concept.directory for concept, _ in keys))
        out.write_line("")
        for key in keys:
            _tell(out, self._door, key, states[key], functions[key], green=len(directories) == 1)
        width = max(map(len, directories))
        for directory in directories:
            mine = [states[key] for key in keys if key[0].directory == directory]
            out.write(f"{directory:<{width}}   ")
            for state in mine:
                out.write(SIGN[state], **COLOUR[state])
            counts = [f"{mine.count('passed')} of {len(mine)} done"]
            counts += [
                f"{mine.count(s)} {word}"
                for s, word in (("failed", "not right"), ("unproven", "not proven here"))
                if s in mine
            ]
            out.write_line(f"   {', '.join(counts)}")
        self._next(out, keys, states, functions, width)

    def _next(
        self, out: Any, keys: list[Any], states: dict[Any, str], functions: dict[Any, list[Verdict]], width: int
    ) -> None:
        for state in ("failed", "todo"):
            if key := next((key for key in keys if states[key] == state), None):
                where = next(v for v in functions[key] if v.verdict == state)
                lesson = curriculum.lesson(*key)
                out.write_line(f"{'next':<{width}}   {where.path}:{where.line}   {key[1]}   lesson  {lesson}")
                return
        last = keys[-1][0].directory
        order = list(curriculum.reading_order(self._door.root))
        rest = order[order.index(keys[-1]) + 1 :] if keys[-1] in order else []
        if rest and rest[0][0].directory == last:  # only a part of the directory was judged
            concept, name = rest[0]
            out.write_line(f"{'next':<{width}}   katas/{concept.file}   {name}   lesson  {curriculum.lesson(*rest[0])}")
            return
        names = [directory.name for directory in curriculum.directories(self._door.root)]
        after = names.index(last) + 1 if last in names else len(names)
        if after < len(names):
            out.write_line(f"{'next':<{width}}   pytest katas/{names[after]}   lesson  katas/{names[after]}/README.md")


def _tell(out: Any, door: Door, key: tuple[Concept, str], state: str, found: list[Verdict], green: bool) -> None:
    concept, function = key
    mine = [verdict for verdict in found if verdict.verdict == state]
    first = mine[0]
    if state == "failed":
        narrowed = _narrowed(door, concept, mine)
        first = next((verdict for verdict in mine if bool(verdict.mistake) == bool(narrowed)), first)
        sentence, _, evidence = first.message.partition("\n\n")
        out.write_line(f"{function}   not right", red=True, bold=True)
        for line in (narrowed or sentence).splitlines():
            out.write_line(f"  {line}", bold=True)
        for line in evidence.splitlines():
            out.write_line(f"  {line}")
        out.write_line(f"  yours     {first.path}:{first.line}")
        out.write_line(f"  lesson    {curriculum.lesson(concept, function)}")
        if len(mine) > 1:
            out.write_line(
                f"  ({len(mine) - 1} more of its {len(found)} checks {'fail' if len(mine) > 2 else 'fails'})"
            )
    elif state == "todo":
        out.write_line(f"  to do   {first.path}:{first.line}   {function}", **COLOUR["todo"])
    elif state == "unproven":
        out.write_line(f"  ?       {first.path}:{first.line}   {function}: {first.message}", **COLOUR["unproven"])
    elif green:
        out.write_line(
            f"  right   {function}   {curriculum.why(door.root / 'solutions' / concept.file, function)}",
            **COLOUR["passed"],
        )
    for note in dict.fromkeys(note for verdict in found for note in verdict.notes):
        out.write_line(f"  note    {function}: {note}", **COLOUR["unproven"])
    if state == "failed":
        out.write_line("")


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
