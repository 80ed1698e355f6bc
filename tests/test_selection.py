"""Markers select, and what this machine cannot prove is said and never counted as done."""

from __future__ import annotations

import pytest
import torch

SPEC = """
import pytest
import torch

def right(kata, check):
    check(kata.double, x=torch.ones(1)).gives(torch.tensor([2.0]))

def test_double_anywhere(kata, check): right(kata, check)

@pytest.mark.multigpu(1000)
def test_total_on_many(kata, check): right(kata, check)

@pytest.mark.ddp
def test_double_on_ranks(kata, check): right(kata, check)
"""


@pytest.mark.parametrize(
    ("marker", "names"),
    [
        ("cpu", ["test_double_anywhere"]),
        ("multigpu", ["test_total_on_many"]),
        ("ddp or multigpu", ["test_double_on_ranks", "test_total_on_many"]),
    ],
)
def test_a_marker_selects(project, marker, names):
    """Catches a test without a marker that -m cpu leaves out."""
    project.write("katas/01_demo/test_sums.py", SPEC)

    result = project.run("katas", "-m", marker, "--collect-only", "-q")

    assert [line.partition("::")[2] for line in result.outlines if "::" in line] == names


def test_what_cannot_be_proven_here_is_not_done(project):
    """Catches a skip that looks like a pass."""
    project.write("katas/01_demo/test_sums.py", SPEC)

    result = project.run("katas", "--answers=solutions")

    assert result.ret == 0
    result.stdout.fnmatch_lines(["*[?]*total: *CUDA devices where 1000 is needed*"])
    result.stdout.fnmatch_lines(
        ["01_demo   #[?]   1 of 2 done, 1 not proven here", "*2 passed, 1 not proven here in *"]
    )


def test_a_function_is_done_where_all_that_can_run_passes(project):
    """Catches a function that no machine without a GPU ever calls done."""
    project.write("katas/01_demo/test_sums.py", SPEC.replace("test_double_on_ranks", "test_total_on_ranks"))

    result = project.run("katas", "--answers=solutions", "-k", "total")

    result.stdout.fnmatch_lines(["  right   total*", "01_demo   #   1 of 1 done, 1 of their checks not proven here"])


@pytest.mark.parametrize(
    ("gpus", "mps", "counts"),
    [
        (0, False, "4 not proven here"),
        (1, False, "2 passed, 2 not"),
        (2, False, "3 passed, 1 not"),
        (2, True, "4 passed"),
    ],
)
def test_what_a_machine_has_is_used(project, monkeypatch, gpus, mps, counts):
    """Catches a device that is there and not judged on, and one GPU taken for two."""
    monkeypatch.setattr(torch.cuda, "is_available", lambda: gpus > 0)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: gpus)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: mps)
    tests = [
        f"@pytest.mark.{mark}\ndef test_double_{n}(check):\n    check.saw(len, 1, call='').gives(1)\n"
        for n, mark in enumerate(("cuda", "mps", "multigpu", "multigpu(count=2)"))
    ]
    project.write(
        "katas/01_demo/test_sums.py", "\n\n".join(["import pytest", *tests]).replace("(check)", "(kata, check)")
    )

    project.run("katas", "--answers=solutions").stdout.fnmatch_lines([f"*= {counts}*"])


def test_an_empty_selection_is_said(project):
    """Catches status 5 without a word."""
    result = project.run("katas", "-m", "mps")

    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED
    result.stdout.fnmatch_lines(["No kata here carries `mps`: nothing was judged, and nothing failed."])


def test_a_misspelt_marker_is_an_error(project):
    """Catches a test that no selection ever finds."""
    project.write("katas/01_demo/test_sums.py", SPEC.replace("mark.ddp", "mark.dpp"))

    result = project.run("katas", "--answers=solutions")

    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(["*'dpp' not found in `markers`*"])
