"""Proves the bank: which test rejects which wrong answer, with which sentence, and what the bank or the specs lack.

python -m tests.proof [katas/03_autograd ...]
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from torchkatas import bank, curriculum
from torchkatas.verdict import Verdict


def verdicts(root: Path, answers: str, *paths: str) -> list[Verdict]:
    """Judge a tree of answers in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "verdicts.jsonl")
        command = [sys.executable, "-m", "pytest", "-q", "-q", "-p", "no:cacheprovider", f"--answers={answers}"]
        done = subprocess.run(
            [*command, f"--verdicts={file}", *(paths or ["katas"])], cwd=root, capture_output=True, text=True
        )
        if done.returncode not in (0, 1):
            raise RuntimeError(done.stdout + done.stderr)
        return [Verdict(**json.loads(line)) for line in file.read_text(encoding="utf-8").splitlines()]


class Proof:
    """The wrong answers of a bank against the specs: what was rejected, by which test, and named how."""

    def __init__(self, root: Path, found: list[Verdict]) -> None:
        self.root, self.found = root, found
        self.killed: dict[tuple[str, str], list[Verdict]] = defaultdict(list)  # by concept and entry
        for verdict in found:
            killed = self.killed[verdict.concept, verdict.answers.partition("@")[2]]
            if verdict.verdict == "failed":
                killed.append(verdict)

    def faults(self) -> list[str]:
        """One line for each thing that does not hold; none where the bank is proven."""
        return [*self._entries(), *self._twins(), *self._tests()]

    def _entries(self) -> list[str]:
        out = []
        for (concept, id), killed in self.killed.items():
            entry = self._entry(concept, id)
            if not killed:
                out.append(f"{concept}: {id} passes every test")
            for verdict in killed:
                if id not in verdict.mistake.split(", "):
                    out.append(f"{concept}: {id} is told as {verdict.mistake or 'nothing'} in {verdict.test}")
            if entry.fact and not any(entry.fact in verdict.facts for verdict in killed):
                out.append(f"{concept}: {id} contradicts fact {entry.fact}, and no test of that fact rejects it")
        return out

    def _twins(self) -> list[str]:
        """Entries of one function that no test tells apart."""
        out = []
        for (concept, id), killed in self.killed.items():
            if killed:
                always = set.intersection(*(set(verdict.mistake.split(", ")) for verdict in killed)) - {id, ""}
                out += [f"{concept}: no test tells {id} from {twin}" for twin in sorted(always)]
        return out

    def _tests(self) -> list[str]:
        names = {(v.concept, v.test.partition("[")[0]) for v in self.found}
        killing = {(v.concept, v.test.partition("[")[0]) for killed in self.killed.values() for v in killed}
        return [f"{concept}: {test} rejects no wrong answer" for concept, test in sorted(names - killing)]

    def _entry(self, concept: str, id: str) -> bank.wrong:
        entries = bank.entries(bank.folders(self.root)[0] / f"{concept}.py")
        return next(entry for entry in entries if isinstance(entry, bank.wrong) and entry.id == id)

    def table(self) -> list[str]:
        """For each wrong answer the tests that reject it, and its sentence."""
        out = []
        for (concept, id), killed in self.killed.items():
            entry = self._entry(concept, id)
            out.append(f"{concept}  {entry.replaces}  {id}\n    {entry.says}")
            out += [
                f"    {'named' if v.mistake == id else 'one of ' + v.mistake}  {v.test.partition('::')[2]}"
                for v in killed
            ]
        return out


def main() -> int:
    root = Path.cwd()
    proof = Proof(root, verdicts(root, "mistakes", *sys.argv[1:]))
    print("\n".join(proof.table()))
    faults = proof.faults()
    bare = [
        f"{concept}: {function} has no wrong answer"
        for concept in curriculum.concepts(root)
        for function in curriculum.definitions(root / "katas" / concept.file)
        if function not in {entry.replaces for entry in bank.entries(root / "mistakes" / concept.file)}
    ]
    print("\n".join(["", *faults, *bare, f"{len(proof.killed)} wrong answers, {len(faults) + len(bare)} faults"]))
    return 1 if faults or bare else 0


if __name__ == "__main__":
    sys.exit(main())
