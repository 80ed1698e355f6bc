"""The verdict of one test: defined once, read by every report.

`--verdicts FILE` writes one JSON object a line:

schema        of this record, now 1
test          node id
answers       the tree, and the entry where it is a bank: "mistakes@stops-at-z"
concept       "03_autograd/gradients"
function      the one that the test judges
path, line    where to look in the answer
verdict       passed, failed, todo, unproven
message       the sentence, or nothing; an empty line; the call, expected and got
mistake       id of the wrong answer that behaves just so; several are joined by ", "
notes         leaks and warnings
facts         ids of map.toml that the test proves
device        cpu, pretend, cuda or mps
world_size    number of ranks
source_hash   sha256 of the answer's file; spec_hash of the spec's
seconds       of the test's call
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import pytest

from torchkatas.answers import Door
from torchkatas.curriculum import Concept, functions, judged

SCHEMA = 1
DOOR = pytest.StashKey[Door]()  # of the run


@dataclass
class Verdict:
    test: str
    answers: str
    concept: str
    function: str
    path: str
    line: int
    verdict: str = "passed"
    message: str = ""
    mistake: str = ""
    notes: list[str] = field(default_factory=list)
    facts: list[str] = field(default_factory=list)
    device: str = "cpu"
    world_size: int = 1
    source_hash: str = ""
    spec_hash: str = ""
    seconds: float = 0.0
    schema: int = SCHEMA


def sha256(path: Path) -> str:
    """The hash of a file; empty where there is none."""
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


class Record:
    """The verdicts of a run, as they come in; with xdist on the controller alone."""

    def __init__(self, config: pytest.Config) -> None:
        self.verdicts: list[Verdict] = []
        self.reported: set[str] = set()
        self.last = ""
        self._door = config.stash[DOOR]
        name = config.getoption("--verdicts")
        try:
            self._file = open(config.invocation_params.dir / name, "w", encoding="utf-8") if name else None  # noqa: SIM115
        except OSError as error:
            raise pytest.UsageError(f"--verdicts={name}: {error.strerror}") from error

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.last = nodeid

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.when == "call" or report.outcome != "passed":
            self.reported.add(report.nodeid)
        verdict = Verdict(**report.verdict) if hasattr(report, "verdict") else self._lost(report)
        if verdict:
            self.verdicts.append(verdict)
            if self._file:
                print(json.dumps(asdict(verdict)), file=self._file, flush=True)

    def _lost(self, report: Any) -> Verdict | None:
        """The verdict of a test whose process ended in it, which xdist reports in its place."""
        file, _, test = report.nodeid.partition("::")
        door = self._door
        concept = Concept.of(door.root / file, door.root)
        if not concept or report.outcome != "failed" or report.when in ("setup", "call", "teardown"):
            return None
        function = judged(test.partition("[")[0], functions(door.root, concept))
        answers, path = door.show(door.folder), door.show(door.folder / concept.file)
        message = "The process ended in this test.\n\n"
        return Verdict(report.nodeid, answers, str(concept), function, path, 1, "failed", message)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """A run with status 0 in which a test did not report is red: `pytest.exit(returncode=0)` in an answer."""
        if self._file:
            self._file.close()
        cut = not session.config.getoption("collectonly") and len(self.reported) < session.testscollected
        if cut and session.exitstatus == 0:
            session.exitstatus = 1
            reporter = session.config.pluginmanager.get_plugin("terminalreporter")
            if reporter:
                reporter.write_line(f"\nThe run ended early, in {self.last}: no test after it was judged.", red=True)
