"""Stub, solution, spec, lesson and bank say the same: what drifts apart is found here."""

from __future__ import annotations

import ast
import doctest
import sys

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn

from tests.promises.conftest import CONCEPTS, ROOT
from torchkatas import curriculum
from torchkatas.answers import Door, Tree

STUBS = {c: curriculum.definitions(ROOT / "katas" / c.file) for c in CONCEPTS}
FUNCTIONS = [(concept, name) for concept in CONCEPTS for name in curriculum.functions(ROOT, concept)]


def ids(value):
    return str(value)


@pytest.mark.parametrize("concept", CONCEPTS, ids=ids)
def test_stub_and_solution_have_the_same_names_and_signatures(concept):
    """Catches a solution to another exercise than the one that is set."""

    def shape(node):
        if isinstance(node, ast.FunctionDef):
            return ast.unparse(node.args), node.returns and ast.unparse(node.returns)
        methods = [sub for sub in node.body if isinstance(sub, ast.FunctionDef)]
        return [ast.unparse(base) for base in node.bases], {method.name: shape(method) for method in methods}

    solution = curriculum.functions(ROOT, concept)

    assert {name: shape(node) for name, node in STUBS[concept].items()} == {
        n: shape(node) for n, node in solution.items()
    }
    assert list(STUBS[concept]) == list(solution)


@pytest.mark.parametrize("concept", CONCEPTS, ids=ids)
def test_every_test_is_named_after_a_function_and_says_what_it_catches(concept):
    """Catches a test that no learner finds by the name of what they write, and a function without one."""
    spec = ast.parse((ROOT / "katas" / concept.directory / f"test_{concept.name}.py").read_text(encoding="utf-8"))
    tests = {
        n.name: ast.get_docstring(n) for n in spec.body if isinstance(n, ast.FunctionDef) and n.name.startswith("test_")
    }
    names = list(curriculum.functions(ROOT, concept))

    assert [test for test in tests if not curriculum.judged(test, names)] == []
    assert [test for test, text in tests.items() if not text or "Catches" not in text] == []
    assert set(names) - {curriculum.judged(test, names) for test in tests} == set()


@pytest.mark.parametrize(("concept", "name"), FUNCTIONS, ids=ids)
def test_a_function_has_contract_example_hints_and_reason(concept, name):
    """Catches a stub that leaves a learner alone."""
    contract = ast.get_docstring(curriculum.definitions(ROOT / "katas" / concept.file)[name]) or ""
    lesson = (ROOT / "katas" / concept.directory / "README.md").read_text(encoding="utf-8")

    assert contract
    assert ">>>" in contract
    assert len(curriculum.hints(lesson, name)) == 3
    assert curriculum.why(ROOT / "solutions" / concept.file, name)


@pytest.mark.parametrize("concept", CONCEPTS, ids=ids)
def test_the_examples_of_the_contracts_are_true(concept):
    """Catches an example that the solution does not give."""
    door = Door(ROOT, ROOT / "solutions")
    solution = vars(door.load(Tree(ROOT / "solutions"), concept))
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    told: list[str] = []
    for name, node in STUBS[concept].items():
        given = {"torch": torch, "nn": nn, "F": F, "np": np, **solution}
        example = doctest.DocTestParser().get_doctest(ast.get_docstring(node), given, name, concept.file, 0)
        runner.run(example, out=told.append)
    door.forget()

    assert "".join(told) == ""


def test_no_file_in_katas_is_unknown():
    """Catches a file that no one lists, and a listed one that is not there."""
    expected = {"map.toml"}
    for directory in curriculum.directories(ROOT):
        expected |= {f"{directory.name}/{name}" for name in ("README.md", *directory.files)}
        expected |= {f"{directory.name}/{part}{name}.py" for name in directory.concepts for part in ("", "test_")}
    found = {p.relative_to(ROOT / "katas").as_posix() for p in (ROOT / "katas").rglob("*") if p.is_file()}
    found = {name for name in found if "__pycache__" not in name}

    assert found == expected


@pytest.mark.parametrize("folder", ["solutions", "solutions/alternates", "mistakes"])
def test_answers_stand_at_the_paths_of_the_stubs(folder):
    """Catches a bank file under a name that no concept has."""
    found = {p.relative_to(ROOT / folder).as_posix() for p in (ROOT / folder).rglob("*.py")}

    assert {name for name in found if not name.startswith("alternates/")} == {concept.file for concept in CONCEPTS}


def test_no_concept_hides_a_module_of_python():
    """Catches numbers.py: run as a script, what stands beside it would import it in the standard library's place."""
    assert {concept.name for concept in CONCEPTS} & sys.stdlib_module_names == set()


def test_prerequisites_come_before():
    """Catches a directory that is to be read after a later one."""
    seen: set[str] = set()
    for directory in curriculum.directories(ROOT):
        assert set(directory.after) <= seen
        seen.add(directory.name)
