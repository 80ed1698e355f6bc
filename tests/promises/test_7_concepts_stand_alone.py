"""Promise 7: each concept's tests pass with its own solution while every other concept is missing."""

from __future__ import annotations

import shutil

import pytest

from tests.promises.conftest import CONCEPTS, ROOT


@pytest.mark.parametrize("concept", CONCEPTS, ids=str)
def test_a_concept_needs_no_other(pytester, concept):
    """Catches a kata that can only be solved after a later one."""
    (pytester.path / concept.directory).mkdir()
    shutil.copy(ROOT / "solutions" / concept.file, pytester.path / concept.directory)
    spec = ROOT / "katas" / concept.directory / f"test_{concept.name}.py"

    result = pytester.runpytest_inprocess("-c", ROOT / "pyproject.toml", spec, f"--answers={pytester.path}", "-q", "-q")

    assert result.ret == 0
