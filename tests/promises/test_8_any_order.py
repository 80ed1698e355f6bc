"""Promise 8: random order, two processes, one test alone: the same verdicts, with the same words."""

from __future__ import annotations

import ast
import re
from dataclasses import asdict

import pytest

from tests.promises.conftest import CONCEPTS, ROOT
from tests.proof import verdicts
from torchkatas import bank, curriculum

QUICK = ("katas", "-m", "not slow")  # five runs: what takes seconds says the same at its first one
ORDER = """
import random

def pytest_collection_modifyitems(items):
    random.Random({seed}).shuffle(items)
"""


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    """A learner in the middle: of three functions one is right, one wrong, one unwritten."""
    tree, count = tmp_path_factory.mktemp("mixed"), 0
    for concept in CONCEPTS:
        parts = [(ROOT / "solutions" / concept.file).read_text(encoding="utf-8")]
        wrong = {entry.replaces: entry for entry in bank.entries(ROOT / "mistakes" / concept.file)}
        for name, node in curriculum.functions(ROOT, concept).items():
            count += 1
            if count % 3 == 1 and name in wrong:
                body = bank.overlay(ROOT / "mistakes" / concept.file, wrong[name].id).body
                parts += [ast.unparse(part) for part in body if not ast.unparse(part).startswith("from __future__")]
            elif count % 3 == 2 and isinstance(node, ast.FunctionDef):
                parts.append(f"def {name}({ast.unparse(node.args)}):\n    raise NotImplementedError('{name}')")
        (tree / concept.directory).mkdir(exist_ok=True)
        (tree / concept.file).write_text("\n\n\n".join(parts), encoding="utf-8")
    return tree


def words(found):
    """All that a verdict says but how long it took, and in which temporary folder."""
    return {
        v.test: {**asdict(v), "seconds": 0, "message": re.sub(r"/\S*/pytest-\d+/\S*/", "", v.message)} for v in found
    }


@pytest.fixture(scope="module")
def usual(mixed):
    found = words(verdicts(ROOT, str(mixed), *QUICK))
    assert {"passed", "failed", "todo"} <= {v["verdict"] for v in found.values()}
    return found


@pytest.mark.parametrize("seed", [1, 2])
def test_a_random_order_says_the_same(mixed, usual, seed, tmp_path, monkeypatch):
    """Catches a test that leans on the one before it."""
    (tmp_path / "shuffled.py").write_text(ORDER.format(seed=seed))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    assert words(verdicts(ROOT, str(mixed), *QUICK, "-p", "shuffled")) == usual


def test_two_processes_say_the_same(mixed, usual):
    """Catches a verdict that loses its words on the way."""
    assert words(verdicts(ROOT, str(mixed), *QUICK, "-n", "2")) == usual


def test_a_test_alone_says_the_same(mixed, usual):
    """Catches a test that needs what another one imported or left."""
    for verdict in ("passed", "failed", "todo"):
        test = [name for name, v in usual.items() if v["verdict"] == verdict][-1]

        assert words(verdicts(ROOT, str(mixed), test)) == {test: usual[test]}
