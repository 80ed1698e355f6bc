"""Promise 1: every test passes on the solutions. And promise 9 over all of them: none leaves anything behind."""

from __future__ import annotations

import pytest


def test_every_test_passes_on_the_solutions(judged):
    """Catches a spec that nobody could satisfy."""
    found = judged("solutions")

    assert found
    assert [v.test for v in found if v.verdict not in ("passed", "unproven")] == []


@pytest.mark.parametrize("answers", ["solutions", "solutions/alternates"])
def test_no_right_answer_leaves_a_note(judged, answers):
    """Catches a spec or solution that leaks state or warns: the learner's note would be ours."""
    assert [(v.test, v.notes) for v in judged(answers) if v.notes] == []
