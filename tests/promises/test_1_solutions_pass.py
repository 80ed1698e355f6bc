"""Promise 1: every test passes on the solutions. And promise 9 over all of them: none leaves anything behind."""

from __future__ import annotations


def test_every_test_passes_on_the_solutions(judged):
    """Catches a spec that nobody could satisfy."""
    found = judged("solutions")

    assert found
    assert [v.test for v in found if v.verdict not in ("passed", "unproven")] == []


def test_no_solution_leaves_a_note(judged):
    """Catches a spec or solution that leaks state or warns: the learner's note would be ours."""
    assert [(v.test, v.notes) for v in judged("solutions") if v.notes] == []


def test_no_other_right_answer_leaks(judged):
    """Catches a leak of the specs' that shows beside another answer; a warning of torch's is the answer's own."""
    leaks = [(v.test, note) for v in judged("solutions/alternates") for note in v.notes if "warned: " not in note]

    assert leaks == []
