"""What a learner sees, beyond the blocks that test_judge.py reads."""

from __future__ import annotations

import subprocess
import sys

from tests.demo import SOLUTION

GREEK = '@wrong("greek", replaces="total", says="That is ∂L/∂z.")\ndef greek(x):\n    return x.max()\n'


def test_silent_under_q_q(project):
    """Catches a summary in the output of a program that asked for none."""
    for answers in ("katas", "solutions"):
        result = project.run("katas", "-q", "-q", f"--answers={answers}")

        result.stdout.no_fnmatch_line("*01_demo  *")


def test_no_colour_codes_in_a_pipe_and_ascii_survives(project):
    """Catches escape sequences in a file, and a crash where the terminal has no ∂."""
    mistakes = (project.path / "mistakes/01_demo/sums.py").read_text()
    project.write("mistakes/01_demo/sums.py", f"{mistakes}\n\n{GREEK}")
    project.answer(SOLUTION.replace("x.sum()", "x.max()"))
    command = [sys.executable, "-m", "pytest", "katas"]

    done = subprocess.run(
        command, cwd=project.path, capture_output=True, env={**__import__("os").environ, "PYTHONIOENCODING": "ascii"}
    )

    assert done.returncode == 1
    assert b"\x1b" not in done.stdout
    assert b"total   not right\n  That is " in done.stdout.replace(b"\r\n", b"\n")


def test_red_comes_before_unwritten(project):
    """Catches `next` that sends a learner on while something is wrong."""
    project.answer('def double(x):\n    raise NotImplementedError("double")\n\n\ndef total(x):\n    return x.mean()\n')

    project.run("katas").stdout.fnmatch_lines(
        ["next      katas/01_demo/sums.py:5   total   lesson  katas/01_demo/README.md#total"]
    )


def test_what_stands_on_a_wrong_function_says_so(project):
    """Catches a function that is blamed for one that it calls, and the reverse."""
    project.answer("def double(x):\n    return x * x\n\n\ndef total(x):\n    return double(x).sum() / 2\n")

    result = project.run("katas")

    result.stdout.fnmatch_lines(["double   not right", "total   not right"])
    result.stdout.fnmatch_lines(["  uses      double, which is not right: begin there", "  yours *:5"])
    assert result.stdout.str().count("begin there") == 1


def test_after_the_last_comes_the_next_directory(project):
    """Catches a learner who is done and does not know what comes."""
    map = (project.path / "katas/map.toml").read_text()
    project.write("katas/map.toml", map + '\n[02_more]\nconcepts = ["more"]\n')
    project.write("solutions/02_more/more.py", SOLUTION)

    result = project.run("katas", "--answers=solutions")

    result.stdout.fnmatch_lines(["next      pytest katas/02_more   lesson  katas/02_more/README.md"])


def test_a_part_of_a_directory_leads_to_its_next_function(project):
    """Catches a learner who is sent past what they left out with -k."""
    result = project.run("katas", "-k", "double", "--answers=solutions")

    result.stdout.fnmatch_lines(["next      katas/01_demo/sums.py   total   lesson  katas/01_demo/README.md#total"])


def test_the_name_that_fits_all_checks_leads(project):
    """Catches `one of` where another check of the same function tells the two apart."""
    mistakes = (project.path / "mistakes/01_demo/sums.py").read_text()
    more = '@wrong("largest", replaces="total", says="That is the largest.")\ndef largest(x):\n    return x.max()\n'
    more += '\n\n@wrong("first", replaces="total", says="That is the first.")\ndef first(x):\n    return x[0]\n'
    project.write("mistakes/01_demo/sums.py", f"{mistakes}\n\n{more}")
    spec = (project.path / "katas/01_demo/test_sums.py").read_text()
    more = "    check(kata.total, x=torch.tensor([1.0, 4, 2])).gives(torch.tensor(7.0))\n"
    project.write("katas/01_demo/test_sums.py", f"{spec}\n\ndef test_total_of_three(kata, check):\n{more}")
    project.answer(SOLUTION.replace("x.sum()", "x.max()"))

    project.run("katas").stdout.fnmatch_lines(
        ["total   not right", "  That is the largest.", "*(1 more of its 2 checks fails)"]
    )


def test_own_failures_of_the_suite_keep_pytests_pages(project):
    """Catches a maintainer whose failing test shows nothing."""
    project.write("tests/test_own.py", "def test_own():\n    assert 1 == 2\n")

    project.run("katas", "tests").stdout.fnmatch_lines(
        ["*= FAILURES =*", "*assert 1 == 2*", "FAILED tests/test_own.py*"]
    )


def test_a_suite_without_solutions_names_functions_too(project):
    """Catches a screen without names where an instructor keeps the answers."""
    (project.path / "solutions/01_demo/sums.py").unlink()
    project.answer("def double(x):\n    return x * x\n\n\ndef total(x):\n    return x.sum()\n")

    result = project.run()

    assert result.ret == 1
    result.stdout.fnmatch_lines(["double   not right", "*README.md#double", "  right   total*"])
