"""By hand: the built-in is seen through whatever spelling, and what is legal passes."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from tests.spellings import CAUGHT, LEGAL, X, answer
from torchkatas.by_hand import ByHand, Watch

HERE = Path(__file__).parent
NAMES = ("softmax", "backward", "cross_entropy", "optim", "Linear", "data")


@pytest.mark.parametrize("case", CAUGHT)
def test_the_built_in_is_seen(case):
    """Catches a built-in that hides behind an alias."""
    with Watch(NAMES, HERE), pytest.raises(ByHand):
        CAUGHT[case]()


@pytest.mark.parametrize("case", LEGAL)
def test_what_is_legal_passes(case):
    """Catches a right answer that is refused."""
    with Watch(NAMES, HERE):
        LEGAL[case]()


def test_the_oracle_of_a_spec_may_call_it():
    """Catches a watch that does not ask who calls, or takes for a learner whoever a learner called."""
    with Watch(NAMES, HERE / "another folder"):
        torch.softmax(X, 1)
    with Watch(NAMES, HERE):
        answer(lambda: torch.softmax(X, 1))


def test_nothing_is_watched_afterwards():
    """Catches hooks that stay."""
    with Watch(NAMES, HERE):
        pass

    for case in ("function", "nn.Linear", "optimizer"):
        CAUGHT[case]()


def test_a_warning_under_watch_is_the_learners(project):
    """Catches a deprecation of torch's, told as an error of the spec because the watch stood on top."""
    spec = (project.path / "katas/01_demo/test_sums.py").read_text()
    project.write("katas/01_demo/test_sums.py", spec + '\nBY_HAND = {"double": ("sum",)}\n')
    answer = (project.path / "solutions/01_demo/sums.py").read_text()
    project.answer(answer.replace("return x + x", "x.reshape(-1, 1, 1).T\n    return x + x"))

    result = project.run("katas")

    assert result.ret == 0
    result.stdout.fnmatch_lines(["*note    double: warned: *"])


def test_a_spec_names_what_is_to_be_written(project):
    """Catches BY_HAND that nobody reads."""
    spec = (project.path / "katas/01_demo/test_sums.py").read_text()
    project.write("katas/01_demo/test_sums.py", spec + '\nBY_HAND = {"total": ("sum",)}\n')

    result = project.run("katas", "--answers=solutions")

    result.stdout.fnmatch_lines(
        ["total   not right", "  sum does the work here; this kata asks you to write it by hand."]
    )
    result.stdout.fnmatch_lines(["*solutions/01_demo/sums.py:9 in total: return x.sum()"])
