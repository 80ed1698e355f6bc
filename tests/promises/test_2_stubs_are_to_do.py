"""Promise 2: on untouched stubs every test that this machine can run is to do; none passes, none errors."""

from __future__ import annotations

import ast
import os
import subprocess
import sys

import pytest

from tests.promises.conftest import CONCEPTS, ROOT
from torchkatas import curriculum


def is_untouched(node: ast.stmt, name: str) -> bool:
    """A contract and `raise NotImplementedError("its own name")`, of a class in each of its methods."""
    if isinstance(node, ast.ClassDef):
        methods = [sub for sub in node.body if isinstance(sub, ast.FunctionDef)]
        return bool(methods) and all(is_untouched(method, f"{name}.{method.name}") for method in methods)
    assert isinstance(node, ast.FunctionDef)
    return ast.unparse(node.body[-1]) == f"raise NotImplementedError({name!r})" and len(node.body) <= 2


def edited() -> set[tuple[str, str]]:
    """Functions that a learner has written in this clone."""
    return {
        (str(concept), name)
        for concept in CONCEPTS
        for name, node in curriculum.definitions(ROOT / "katas" / concept.file).items()
        if not is_untouched(node, name)
    }


def test_stubs_are_untouched():
    """Catches a stub that says `pass`, or an answer that is committed in its place."""
    written = sorted(edited())
    if written and not os.environ.get("CI"):
        pytest.skip(f"edited here, and left out: {written}")

    assert written == []


def test_every_test_is_to_do_on_the_stubs(judged):
    """Catches a free pass: a test that an unwritten stub satisfies."""
    written = edited()
    found = [v for v in judged("katas") if (v.concept, v.function) not in written]

    assert [(v.test, v.verdict) for v in found if v.verdict not in ("todo", "unproven")] == []


def test_the_status_is_1_and_nothing_errors():
    """Catches a red run that a script takes for a green one, or for a broken one."""
    if written := sorted(edited()):
        pytest.skip(f"edited here: {written}")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "katas/03_autograd"], cwd=ROOT, capture_output=True, text=True
    )

    assert done.returncode == 1
    last = done.stdout.splitlines()[-1]
    assert "to do" in last
    assert not any(word in last for word in ("passed", "failed", "error"))
