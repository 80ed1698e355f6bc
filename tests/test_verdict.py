"""The verdict as one record, which every report reads."""

from __future__ import annotations

import hashlib
import json

import pytest

from tests.demo import SOLUTION, STUB

FIELDS = [
    "schema",
    "test",
    "answers",
    "concept",
    "function",
    "path",
    "line",
    "verdict",
    "message",
    "mistake",
    "notes",
    "facts",
    "device",
    "world_size",
    "source_hash",
    "spec_hash",
    "seconds",
]


def judge(project, *args):
    project.run("katas", "--verdicts=out.jsonl", *args)
    return [json.loads(line) for line in (project.path / "out.jsonl").read_text().splitlines()]


def test_a_record_says_all(project):
    """Catches a report that needs the screen to be understood."""
    project.answer(SOLUTION.replace("x + x", "x * x"))

    double, _, total = judge(project)

    assert sorted(double) == sorted(FIELDS)
    assert double["test"] == "katas/01_demo/test_sums.py::test_double_doubles"
    assert (double["schema"], double["answers"], double["concept"], double["function"]) == (
        1,
        "katas",
        "01_demo/sums",
        "double",
    )
    assert (double["path"], double["line"], double["verdict"], double["mistake"]) == (
        "katas/01_demo/sums.py",
        2,
        "failed",
        "squared",
    )
    assert double["message"].startswith("That is x squared.\n\ndouble(x=tensor([ 3., -1.]))\nexpected  tensor")
    assert (double["facts"], double["notes"], double["device"], double["world_size"]) == (["01.1"], [], "cpu", 1)
    for name, path in (("source_hash", "sums.py"), ("spec_hash", "test_sums.py")):
        assert double[name] == hashlib.sha256((project.path / "katas/01_demo" / path).read_bytes()).hexdigest()
    assert 0 <= double["seconds"] < 10
    assert (total["verdict"], total["message"], total["mistake"], total["facts"]) == ("passed", "", "", [])


def test_the_file_lies_where_it_was_asked_for(project, monkeypatch):
    """Catches a report that lands in another folder, and a traceback where there is no such folder."""
    (project.path / "results").mkdir()
    monkeypatch.chdir(project.path / "results")
    project.run("../katas", "--verdicts=out.jsonl")

    assert len((project.path / "results" / "out.jsonl").read_text().splitlines()) == 3

    result = project.run("../katas", "--verdicts=no/out.jsonl")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--verdicts=no/out.jsonl: No such file or directory*"])


def test_a_stub_is_todo_at_its_line(project):
    """Catches a place where nothing is to be written."""
    project.answer(STUB)

    assert [(v["verdict"], v["path"], v["line"]) for v in judge(project)] == [
        ("todo", "katas/01_demo/sums.py", line) for line in (4, 4, 9)
    ]


def test_several_mistakes_are_joined(project):
    """Catches the first of two that fit, given for the only one."""
    mistakes = (project.path / "mistakes/01_demo/sums.py").read_text()
    more = '@wrong("halved", replaces="total", says="Half.")\ndef halved(x):\n    return x.sum() / 2\n'
    project.write("mistakes/01_demo/sums.py", f"{mistakes}\n\n{more}")
    project.answer(SOLUTION.replace("x.sum()", "x.mean()"))

    assert [v["mistake"] for v in judge(project)] == ["", "", "averaged, halved"]


def test_each_parameter_is_diagnosed_by_itself(project):
    """Catches the bank's answer to the first parameters, kept for all."""
    spec = "import pytest\n\n\n@pytest.mark.parametrize('x', [3, 5])\ndef test_double_doubles(kata, check, x):\n"
    project.write("katas/01_demo/test_sums.py", f"{spec}    check(kata.double, x=x).gives(2 * x)\n")
    project.answer(SOLUTION.replace("x + x", "x ** 2"))

    assert [v["mistake"] for v in judge(project)] == ["squared", "squared"]


def test_a_test_whose_worker_ended_has_a_record(project):
    """Catches a grader that sees passes alone because the culprit took its record with it."""
    project.answer("import os\n" + SOLUTION.replace("return x + x", "os._exit(0)"), tree="theirs")
    project.run_apart("katas", "-n", "1", "--verdicts=out.jsonl", "--answers=theirs")

    found = [json.loads(line) for line in (project.path / "out.jsonl").read_text().splitlines()]

    assert sorted((v["function"], v["verdict"]) for v in found) == [("double", "failed")] * 2 + [("total", "passed")]
    assert {(v["answers"], v["path"]) for v in found} == {("theirs", "theirs/01_demo/sums.py")}


def test_a_lost_test_is_recorded_under_the_name_of_its_tree(project):
    """Catches a tree that is called otherwise where its worker ended than where it lived."""
    project.answer("import os\n" + SOLUTION.replace("return x + x", "os._exit(0)"), tree="theirs")
    project.run_apart("katas", "-n", "1", "--answers=./theirs/", "--verdicts=out.jsonl")

    found = [json.loads(line) for line in (project.path / "out.jsonl").read_text().splitlines()]

    assert {(v["answers"], v["path"]) for v in found} == {("theirs", "theirs/01_demo/sums.py")}


@pytest.mark.parametrize("workers", [(), ("-n", "2")])
def test_a_bank_is_a_tree_of_answers(project, workers):
    """Catches a bank that is judged by other code than a learner's file, and records lost on their way."""
    found = judge(project, "--answers=mistakes", *workers)

    assert sorted((v["answers"], v["test"].partition("::")[2], v["verdict"], v["mistake"]) for v in found) == [
        ("mistakes@averaged", "test_total_adds_up[averaged]", "failed", "averaged"),
        ("mistakes@constant", "test_double_doubles[constant]", "failed", "constant"),
        ("mistakes@constant", "test_double_of_nothing[constant]", "failed", "constant"),
        ("mistakes@squared", "test_double_doubles[squared]", "failed", "squared"),
        ("mistakes@squared", "test_double_of_nothing[squared]", "passed", ""),
    ]
    assert {v["path"] for v in found} == {"mistakes/01_demo/sums.py"}
    assert {v["line"] for v in found} == {6, 11, 16}
