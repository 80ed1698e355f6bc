"""Promise 4: every other right answer passes, and is never named."""

from __future__ import annotations

from tests.promises.conftest import CONCEPTS, ROOT
from torchkatas import bank


def test_every_alternate_passes(judged):
    """Catches a spec that asks for the words of the solution: a false red costs a learner an evening."""
    found = judged("solutions/alternates")

    assert [(v.test, v.message) for v in found if v.verdict not in ("passed", "unproven")] == []


def test_every_alternate_was_judged(judged):
    """Catches an alternate for a function that no test is named after."""
    asked = {(v.concept, v.answers.partition("@")[2]) for v in judged("solutions/alternates")}
    folder = ROOT / "solutions" / "alternates"

    assert {(str(c), entry.id) for c in CONCEPTS for entry in bank.entries(folder / c.file)} - asked == set()
