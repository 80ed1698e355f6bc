"""The door: where answers come from, and what one reads when they cannot be loaded."""

from __future__ import annotations

import multiprocessing
import os
import sys
from concurrent.futures import ProcessPoolExecutor

import pytest
import torch

from tests.demo import ROOT, SOLUTION
from torchkatas.answers import Door, Tree, Unusable
from torchkatas.curriculum import Concept

SUMS = Concept("01_demo", "sums")
PLAIN = "def double(x):\n    return x + x\n\n\nNUMBER = 3\n"


@pytest.fixture(params=["katas", "v1.2", "two words", "50%25@home"])
def tree(request, tmp_path):
    """A tree of answers under a name that an import statement could not spell."""
    folder = tmp_path / request.param
    (folder / "01_demo").mkdir(parents=True)
    (folder / "01_demo" / "sums.py").write_text(PLAIN)
    return Tree(folder)


@pytest.fixture
def door(tmp_path):
    door = Door(tmp_path, tmp_path)
    yield door
    door.forget()


@pytest.fixture
def bytecode(monkeypatch):
    """Bytecode is written wherever nothing forbids it: not by whoever runs these tests, nor by the run around them."""
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)


def in_a_child(method, function, *args):
    """A call in a process of that start method; an executor tells of its death, where a Pool waits for ever."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context(method)) as pool:
        return pool.submit(function, *args).result()


def test_a_function_has_its_full_dotted_name(door, tree):
    """Catches a name by which no child process could import it."""
    double = door.get(tree, SUMS, "double")

    assert double(3) == 6
    assert double.__module__ == tree.module(SUMS)
    assert double.__module__.endswith(".01_demo.sums")


def test_trees_of_the_project_have_short_names():
    """Catches the path of somebody's home in what a learner reads in a pickle or a traceback."""
    assert Tree(ROOT / "solutions").module(SUMS) == "torchkatas.answers.solutions.01_demo.sums"
    assert Tree(ROOT / "mistakes", "doubled").module(SUMS) == "torchkatas.answers.mistakes@doubled.01_demo.sums"


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_child_processes_import_it(door, tree, method):
    """Catches a function that does not pickle: a worker of any start method must find it."""
    double = door.get(tree, SUMS, "double")

    assert in_a_child(method, double, 3) == 6


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_child_processes_import_an_entry_of_the_bank(project, door, method):
    """Catches a wrong answer that lives in the memory of one process alone."""
    squared = door.get(Tree(project.path / "mistakes", "squared"), SUMS, "double")

    assert in_a_child(method, squared, 3) == 9


def test_an_entry_stands_on_the_solution(project, door):
    """Catches a wrong answer whose other functions are missing, or wrong as well."""
    tree = Tree(project.path / "mistakes", "squared")

    assert door.get(tree, SUMS, "double")(3) == 9
    assert door.get(tree, SUMS, "total")(torch.ones(3)) == 3


def test_two_saves_within_a_second_are_two_answers(bytecode, door, tree):
    """Catches stale bytecode: same size, same second, other code."""
    file = tree.source(SUMS)
    for sign in "+-+-":
        file.write_text(PLAIN.replace("x + x", f"x {sign} x"))
        os.utime(file, (1e9, 1e9))
        door.forget()

        assert door.get(tree, SUMS, "double")(3) == (6 if sign == "+" else 0)


def test_nothing_is_written_beside_an_answer(bytecode, door, tree):
    """Catches __pycache__ in a learner's folder."""
    door.get(tree, SUMS, "double")

    assert [path.name for path in tree.folder.rglob("*")] == ["01_demo", "sums.py"]


def test_a_helper_beside_it_is_imported_with_a_dot(door, tree):
    """Catches a helper of the same name in another directory that is taken in its place."""
    (tree.folder / "01_demo" / "helpers.py").write_text("def twice(x):\n    return 2 * x\n")
    tree.source(SUMS).write_text("from .helpers import twice\n\n\ndef double(x):\n    return twice(x)\n")

    assert door.get(tree, SUMS, "double")(4) == 8

    door.forget()
    tree.source(SUMS).write_text("from helpers import twice\n")
    with pytest.raises(Unusable, match=r"from \.helpers import"):
        door.get(tree, SUMS, "double")

    door.forget()
    (tree.folder / "01_demo" / "helpers.py").write_text("\ndef twice(x:\n")
    tree.source(SUMS).write_text("from .helpers import twice\n")
    with pytest.raises(Unusable) as caught:
        door.get(tree, SUMS, "double")
    assert (caught.value.path.name, caught.value.line) == ("helpers.py", 2)


@pytest.mark.parametrize("answers", ["katas", "solutions"])
def test_no_run_writes_into_katas(bytecode, project, answers):
    """Catches bytecode, a cache or a result that is left between a learner's files."""
    before = {path: path.stat().st_mtime_ns for path in (project.path / "katas").rglob("*")}

    project.run_apart("katas", f"--answers={answers}")

    assert {path: path.stat().st_mtime_ns for path in (project.path / "katas").rglob("*")} == before


BROKEN = {
    "missing": (None, "is not there; `git checkout katas/01_demo/sums.py` brings the stub back"),
    "empty": (b"", "is empty"),
    "not UTF-8": ("def double(x): return 'é'".encode("latin-1"), "not UTF-8"),
    "UTF-16": ("def double(x): return x".encode("utf-16"), "not UTF-8"),
    "no colon": (b"x = 1\ndef double(x)\n    return x\n", "line 2"),
    "tabs and spaces": (b"def double(x):\n    if x:\n\treturn x\n        return 3\n", "tabs"),
    "no such name": (b"def dubble(x):\n    return x\n", "no `def double`"),
    "no function": (b"double = 3\n", "no function here, but of type int"),
    "raises": (b"import math\nmath.sqroot(2)\n", "AttributeError"),
    "exits": (b"raise SystemExit(0)\n", "exit"),
    "no helper": (b"from .helper import twice\n", "There is no helper.py beside this file"),
    "imports nothing": (b"import no_such_thing\n", "no_such_thing"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_file_is_told_in_a_sentence(project, case):
    """Catches a collection error that stops all other katas, and a traceback of the harness."""
    source, word = BROKEN[case]
    path = project.answer(source or b"")
    if source is None:
        path.unlink()
    project.write("katas/01_demo/fine.py", "def same(x):\n    return x\n")
    fine = 'def test_same_is_the_same(kata, check):\n    """Catches all."""\n    check(kata.same, x=1).gives(1)\n'
    project.write("katas/01_demo/test_fine.py", fine)

    result = project.run("katas")

    assert result.ret == 1
    blocks = "\n".join(result.outlines).split("double   not right\n")
    assert len(blocks) == 2
    assert word in blocks[1].splitlines()[0]
    result.stdout.fnmatch_lines(["*= 3 failed, 1 passed in *"])
    result.stdout.no_fnmatch_line("*torchkatas/*")
    assert path.is_file() == (source is not None)
    assert source is None or path.read_bytes() == source


@pytest.mark.parametrize("source", [SOLUTION.encode("utf-8-sig"), SOLUTION.replace("\n", "\r\n").encode()])
def test_bom_and_crlf_are_fine(project, source):
    """Catches an answer saved on Windows that is refused."""
    project.answer(source)

    assert project.run("katas").ret == 0


COUNTS = "from pathlib import Path\n\nwith Path('loads').open('a') as f:\n    f.write('x')\n\n"


def test_a_file_is_loaded_once_a_run_even_if_it_fails(project):
    """Catches a load that is tried, and waited for, by every test."""
    project.answer(f"{COUNTS}1 / 0\n")

    project.run("katas")

    assert (project.path / "loads").read_text() == "x"


def test_a_loop_at_the_top_level_ends_by_the_deadline(project):
    """Catches a run that hangs while it loads, and a deadline that is waited for again."""
    project.answer(f"{COUNTS}while True:\n    pass\n")

    result = project.run("katas", "--timeout=1")

    result.stdout.fnmatch_lines(
        ["*had not ended by its deadline*", "*yours     katas/01_demo/sums.py:[67]", "*= 3 failed in *"]
    )
    assert (project.path / "loads").read_text() == "x"  # two of the three tests did not wait


def test_a_tree_that_does_not_exist_is_a_usage_error(project):
    """Catches a misspelt --answers that judges something else."""
    result = project.run("katas", "--answers=solution")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--answers=solution: there is no such folder*"])


def test_a_tree_that_lacks_a_concept_says_so(project):
    """Catches a submission with a file left out that passes or stops the run."""
    (project.path / "theirs").mkdir()

    result = project.run("katas", "--answers=theirs")

    assert result.ret == 1
    result.stdout.fnmatch_lines(["  theirs/01_demo/sums.py is not there."])


def test_a_tree_outside_the_project_is_judged(project, tmp_path_factory):
    """Catches a grader who must copy a submission into the project."""
    folder = tmp_path_factory.mktemp("sub mission") / "v1.2"
    (folder / "01_demo").mkdir(parents=True)
    (folder / "01_demo" / "sums.py").write_text(SOLUTION)

    assert project.run("katas", f"--answers={folder}").ret == 0


def test_a_misspelt_directory_is_told(project):
    """Catches a run that is green because it found nothing."""
    result = project.run("katas/01_dmo")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*not found: katas/01_dmo"])


def test_an_escape_that_python_warns_of_is_no_warning_of_the_run(project):
    """Catches a page of warnings for a learner's "\\d", from reading the file as text."""
    project.answer(SOLUTION.replace("return x + x", 'assert "\\d"\n    return x + x'))

    result = project.run("katas")

    assert result.ret == 0
    result.stdout.no_fnmatch_line("*Warning*")
