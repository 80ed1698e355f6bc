"""The judge: to do, right and wrong answers, and the diagnosis from the bank."""

from __future__ import annotations

import os

import pytest

from tests.demo import SOLUTION, STUB


def test_stubs_are_to_do(project):
    """Catches an unwritten stub counted as failed or passed."""
    result = project.run("katas")

    assert result.ret == 1
    result.stdout.fnmatch_lines(
        ["*to do   katas/01_demo/sums.py:4   double", "*to do   katas/01_demo/sums.py:9   total"]
    )
    result.stdout.fnmatch_lines(["01_demo   ..   0 of 2 done", "*= 3 to do in *"])


def test_solutions_are_right(project):
    """Catches a judge that is never satisfied."""
    result = project.run("katas", "--answers=solutions")

    assert result.ret == 0
    result.stdout.fnmatch_lines(["*right   double   doubling is adding once.", "01_demo   [#][#]   2 of 2 done"])


def test_a_wrong_answer_is_named_by_what_it_does(project):
    """Catches a diagnosis by the text of the code: this one is not spelt as the bank's entry."""
    project.answer(SOLUTION.replace("x + x", "x.pow(2)"))

    result = project.run("katas")

    assert result.ret == 1
    result.stdout.fnmatch_lines(
        [
            "double   not right",
            "  That is x squared.",
            "  double(x=tensor([[] 3., -1.[]]))",
            "  expected  tensor([[] 6., -2.[]])",
            "  got       tensor([[]9., 1.[]])",
            "  yours     katas/01_demo/sums.py:2",
            "  lesson    katas/01_demo/README.md#double",
            "next      katas/01_demo/sums.py:2   double*",
        ]
    )


def test_a_mistake_that_the_bank_does_not_hold_gets_no_name(project):
    """Catches a guess: a wrong sentence is worse than none."""
    project.answer(SOLUTION.replace("x + x", "x + x + 1"))

    result = project.run("katas")

    result.stdout.fnmatch_lines(["double   not right", "  double(x=*", "  expected*", "  got*"])
    result.stdout.no_fnmatch_line("*That is*")


def test_a_value_is_a_mistakes_only_at_the_same_check(project):
    """Catches 9 at the second check, named after an entry that gives 9 at the first."""
    spec = "import torch\n\n\ndef test_double_twice(kata, check):\n"
    spec += "".join(f"    check(kata.double, x=torch.tensor({x})).gives(torch.tensor({2 * x}))\n" for x in (3.0, 4.0))
    project.write("katas/01_demo/test_sums.py", spec)
    project.answer(SOLUTION.replace("return x + x", "return x + x + (x == 4)"))

    result = project.run("katas")

    result.stdout.fnmatch_lines(["double   not right", "  double(x=tensor(4.))", "  got       tensor(9.)"])
    result.stdout.no_fnmatch_line("*That is*")


def test_several_mistakes_that_fit_are_all_told(project):
    """Catches a coin toss between two entries that look alike here."""
    mistakes = (project.path / "mistakes/01_demo/sums.py").read_text()
    more = '@wrong("halved", replaces="total", says="That is half of it.")\ndef halved(x):\n    return x.sum() / 2\n'
    project.write("mistakes/01_demo/sums.py", f"{mistakes}\n\n{more}")
    project.answer(SOLUTION.replace("x.sum()", "x.mean()"))

    result = project.run("katas")

    result.stdout.fnmatch_lines(["total   not right", "  One of:", "  - That is the mean.", "  - That is half of it."])


def test_an_exception_is_told_with_the_learners_frames_alone(project):
    """Catches a traceback of the harness between a learner and their line."""
    project.answer(SOLUTION.replace("x + x", "helper(x)") + "\n\ndef helper(x):\n    return x[7]\n")

    result = project.run("katas")

    result.stdout.fnmatch_lines(
        [
            "  double(x=*",
            "  IndexError: index 7 is out of bounds*",
            "*katas/01_demo/sums.py:4 in double: return helper(x)",
            "*katas/01_demo/sums.py:13 in helper: return x[[]7[]]",
            "  yours     katas/01_demo/sums.py:13",
        ]
    )
    result.stdout.no_fnmatch_line("*torchkatas/*")


def test_an_exception_that_the_bank_foresaw_is_named(project):
    """Catches a diagnosis of values alone."""
    mistakes = (project.path / "mistakes/01_demo/sums.py").read_text()
    more = '@wrong("past", replaces="double", says="Past the end.")\ndef past(x):\n    return x[7]\n'
    project.write("mistakes/01_demo/sums.py", f"{mistakes}\n\n{more}")
    project.answer(SOLUTION.replace("x + x", "helper(x)") + "\n\ndef helper(x):\n    return x[7]\n")

    result = project.run("katas")

    result.stdout.fnmatch_lines(["double   not right", "  Past the end."])


def test_a_refusal_of_the_wrong_kind_is_told_once(project):
    """Catches an exception that is written out as what came back, and again as a crash."""
    spec = "    check(kata.double, x=torch.ones(1)).raises(ValueError, 'label')\n"
    project.write("katas/01_demo/test_sums.py", f"import torch\n\ndef test_double_refuses(kata, check):\n{spec}")
    project.answer(SOLUTION.replace("return x + x", "raise TypeError('no')"))

    result = project.run("katas")

    assert result.stdout.str().count("TypeError: no") == 1
    result.stdout.fnmatch_lines(
        [
            "  TypeError was raised where ValueError is asked.",
            "  double(x=tensor([[]1.[]]))",
            "  expected  ValueError naming 'label'",
            "  got       TypeError: no",
            "    katas/01_demo/sums.py:4 in double: raise TypeError('no')",
        ]
    )


def test_not_implemented_from_torch_is_a_failure(project):
    """Catches every NotImplementedError taken for an unwritten stub."""
    project.answer(SOLUTION.replace("x + x", 'x.to("meta").cpu()'))

    result = project.run("katas")

    result.stdout.fnmatch_lines(["double   not right", "*Cannot copy out of meta tensor*"])


def test_a_stub_in_a_dataloader_worker_is_to_do(project):
    """Catches an error that comes back from a worker as text."""
    spec = """
        import torch

        def test_double_in_a_worker(kata, check):
            class Data(torch.utils.data.Dataset):
                def __len__(self): return 2
                def __getitem__(self, i): return kata.double(torch.tensor(i))
            loader = torch.utils.data.DataLoader(Data(), num_workers=1, multiprocessing_context="fork")
            check.saw(kata.double, list(loader), call="in a worker").gives([torch.tensor([0]), torch.tensor([2])])
    """
    project.pytester.makepyfile(**{"katas/01_demo/test_sums": spec})

    project.run("katas").stdout.fnmatch_lines(["*to do   katas/01_demo/sums.py:4   double"])
    assert project.run("katas", "--answers=solutions").ret == 0


def test_a_spec_that_judges_nothing_fails(project):
    """Catches `check(f, x=x)` without `.gives`: it would pass whatever comes back."""
    for line in ("pass", "check(kata.double, x=torch.ones(1))", "check(kata.double, x=torch.ones(1)).value"):
        spec = f"import torch\ndef test_double_is_not_judged(kata, check):\n    {line}\n"
        project.write("katas/01_demo/test_sums.py", spec)

        result = project.run("katas", "--answers=solutions")

        assert result.ret == 1
        result.stdout.fnmatch_lines(["*judges nothing*"])


def test_what_the_learner_printed_stands_under_the_block(project):
    """Catches output that is lost, or that drowns the sentence."""
    project.answer(
        SOLUTION.replace(
            "return x + x", "print('\\n'.join(f'line {i}' for i in range(5000)) + 'x' * 5000)\n    return x * x"
        )
    )

    result = project.run("katas")

    result.stdout.fnmatch_lines(
        ["  That is x squared.", "  printed", "    line 0", "    ... 4980 lines ...", "    line 4999xxx*"]
    )
    assert len(result.outlines) < 80
    assert max(map(len, result.outlines)) < 250


def test_a_changed_signature_is_told(project):
    """Catches a TypeError that names no line of the learner's."""
    project.answer(SOLUTION.replace("double(x)", "double(y)").replace("x + x", "y + y"))

    project.run("katas").stdout.fnmatch_lines(
        ["*unexpected keyword argument 'x'; the stub's signature is to stay as it is"]
    )


@pytest.mark.parametrize("count", [("-n", "2"), ()])
def test_the_same_counts_with_and_without_workers(project, count):
    """Catches an outcome that is lost on its way from a worker."""
    project.answer(STUB[: STUB.index("def total")] + "def total(x):\n    return x.mean()\n")

    result = project.run_apart("katas", *count) if count else project.run("katas")

    assert result.ret == 1
    result.stdout.fnmatch_lines(
        ["*to do   katas/01_demo/sums.py:4   double", "total   not right", "  That is the mean."]
    )
    result.stdout.fnmatch_lines(["01_demo   .x   0 of 2 done, 1 not right", "*= 1 failed, 2 to do in *"])


def test_katas_run_in_reading_order(project):
    """Catches --stepwise that sends a learner to what comes first in the alphabet."""
    project.write("katas/01_demo/zero.py", 'def nought(x):\n    raise NotImplementedError("nought")\n')
    project.write("solutions/01_demo/zero.py", "def nought(x):\n    return 0\n")
    spec = "def test_nought_is_zero(kata, check):\n    check(kata.nought, x=1).gives(0)\n"
    project.write("katas/01_demo/test_zero.py", spec)
    map = (project.path / "katas/map.toml").read_text()
    project.write("katas/map.toml", map.replace('["sums"]', '["zero", "sums"]'))

    result = project.run("katas", "--stepwise")

    result.stdout.fnmatch_lines(["*to do   katas/01_demo/zero.py:2   nought", "*= 1 to do in *"])


def test_x_stops_at_a_stub(project):
    """Catches an outcome that pytest does not count as a failure."""
    project.run("katas", "-x").stdout.fnmatch_lines(["*= 1 to do in *"])


def test_junit_counts_a_stub_as_a_failure(project):
    """Catches a report for machines that says less than the screen."""
    project.run("katas", "--junitxml=out.xml")

    assert 'failures="3"' in (project.path / "out.xml").read_text()


def test_tracebacks_come_on_demand(project):
    """Catches a maintainer without the spec's source."""
    project.answer(SOLUTION.replace("x + x", "x * x"))

    for flag in ("-vv", "--tb=long"):
        project.run("katas", flag).stdout.fnmatch_lines(["*check(kata.double, *"])
    project.run("katas").stdout.no_fnmatch_line("*check(kata.double, *")


def test_a_type_slip_gets_a_sentence(project):
    """Catches `expected tensor, got float` without a reason."""
    slips = {
        "None": "*None came back*",
        "[6.0, -2.0]": "*A list came back where a tensor is asked.",
        "(x + x)[None]": "*The values are right, the shape is not: (1, 2) where (2,) is asked.",
        "(x + x).double()": "*The dtype is float64 where float32 is asked.",
        "x / 0 * 0": "*There is NaN in the result*",
        "x.add_(x)": "*The input x was changed in place*",
    }
    for code, sentence in slips.items():
        project.answer(SOLUTION.replace("x + x", code))
        project.run("katas", "-k", "doubles").stdout.fnmatch_lines([sentence.replace("[", "[[]")], consecutive=False)


def test_a_random_answer_is_judged_alike_on_the_bank(project):
    """Catches random streams that run on from the learner's run to the bank's."""
    project.answer(SOLUTION.replace("return x + x", "import torch\n    return x * torch.rand(1)"))
    entry = '@wrong("random", replaces="double", says="Random.")\ndef random(x):\n    return x * torch.rand(1)\n'
    project.write("mistakes/01_demo/sums.py", f"import torch\nfrom torchkatas.bank import wrong\n\n\n{entry}")

    project.run("katas", "-k", "doubles").stdout.fnmatch_lines(["  Random."])


def test_the_bank_is_judged_out_of_the_learners_sight(project):
    """Catches what an entry prints, leaves in the process or finds in the test's folder, taken for the learner's."""
    entry = '@wrong("squared", replaces="double", says="That is x squared.")\ndef squared(x):\n'
    entry += "    print('noise')\n    os.environ['KATA'] = 'left'\n    return x * x\n"
    project.write("mistakes/01_demo/sums.py", f"import os\n\nfrom torchkatas.bank import wrong\n\n\n{entry}")
    project.write(
        "katas/01_demo/test_sums.py",
        "import torch\n\n\ndef test_double_in_a_folder(kata, check, tmp_path):\n"
        "    (tmp_path / 'file').touch(exist_ok=False)\n"
        "    check(kata.double, x=torch.tensor([3.0])).gives(torch.tensor([6.0]))\n",
    )
    project.answer(SOLUTION.replace("x + x", "x * x"))

    result = project.run("katas")

    result.stdout.fnmatch_lines(["double   not right", "  That is x squared."])
    result.stdout.no_fnmatch_line("*noise*")
    assert "KATA" not in os.environ


def test_what_the_spec_cannot_use_is_told_with_its_line(project):
    """Catches an error on a line of the spec's, told as if it came from nowhere."""
    spec = "import torch\n\n\ndef test_double_has_an_end(kata, check):\n"
    spec += "    end = check(kata.double, x=torch.ones(1)).value[-1]\n"
    spec += "    check.saw(kata.double, end, call='its end').gives(torch.tensor(2.0))\n"
    project.write("katas/01_demo/test_sums.py", spec)
    project.answer(SOLUTION.replace("x + x", "None"))

    project.run("katas").stdout.fnmatch_lines(
        ["double   not right", "  TypeError: *", "  (the spec could not use what came back, at its line 5)"]
    )


def test_text_that_no_file_can_hold_is_told(project):
    """Catches a lone surrogate that ends the run while its message is written."""
    project.answer(SOLUTION.replace("return x + x", "raise ValueError('half a \\ud800 character')"))

    result = project.run_apart("katas")

    assert result.ret == 1
    result.stdout.fnmatch_lines(["double   not right", "  ValueError: half a [?] character"])


def test_by_hand_is_asked_of_whatever_goes_by_the_name(project):
    """Catches a lambda, an alias or a decorator by which the ban would be lost."""
    spec = (project.path / "katas/01_demo/test_sums.py").read_text()
    project.write("katas/01_demo/test_sums.py", spec + '\nBY_HAND = {"total": ("sum",)}\n')
    for answer in ("total = lambda x: x.sum()", "def _other(x):\n    return x.sum()\n\n\ntotal = _other"):
        project.answer(SOLUTION[: SOLUTION.index("def total")] + answer + "\n")

        project.run("katas").stdout.fnmatch_lines(["total   not right", "  sum does the work here*"])


@pytest.mark.parametrize("way", ["pytest.skip('no')", "unittest.SkipTest('no')"])
def test_an_answer_that_skips_its_test_has_failed(project, way):
    """Catches `not proven here` for something other than a missing device."""
    raising = way if "pytest" in way else f"raise {way}"
    project.answer("import unittest\n\nimport pytest\n" + SOLUTION.replace("return x + x", raising))

    result = project.run("katas")

    assert result.ret == 1
    result.stdout.fnmatch_lines(["double   not right", "01_demo   x#*"])


@pytest.mark.parametrize(
    ("thing", "kind"),
    [("Net()", "A Net"), ("10**5000", "An int"), ("Loud()", "A Loud"), ("functools.partial(x.add, 1)", "A partial")],
    ids=["module", "int", "repr", "partial"],
)
def test_whatever_comes_back_is_told(project, thing, kind):
    """Catches a repr that raises and takes the whole run with it."""
    classes = """
import functools

import torch


class Net(torch.nn.Module):
    def __init__(self):
        pass


class Loud:
    def __repr__(self):
        raise ValueError("loud")
"""
    project.answer(classes + SOLUTION.replace("return x + x", f"return {thing}"))

    result = project.run("katas")

    assert result.ret == 1
    result.stdout.fnmatch_lines(["double   not right", f"  {kind} came back where a tensor is asked.", "  got *"])
    result.stdout.fnmatch_lines(["*= 2 failed, 1 passed in *"])


def test_nothing_that_came_back_goes_before_what_fits_by_chance(project):
    """Catches the sentence of an entry that fits one check, where another shows that nothing was returned."""
    mistakes = (project.path / "mistakes/01_demo/sums.py").read_text()
    more = '@wrong("odd", replaces="double", says="Odd.")\ndef odd(x):\n    return None if len(x) else x + 1\n'
    project.write("mistakes/01_demo/sums.py", f"{mistakes}\n\n{more}")
    project.answer(SOLUTION.replace("return x + x", "return None"))

    project.run("katas").stdout.fnmatch_lines(["double   not right", "  None came back*"])


def test_a_learners_own_test_is_their_own(project):
    """Catches a test beside the specs that is judged as one of them."""
    project.answer(SOLUTION)
    project.write("katas/01_demo/test_mine.py", "def test_mine():\n    assert 1 + 1 == 2\n")

    result = project.run("katas")

    assert result.ret == 0
    result.stdout.fnmatch_lines(["01_demo   ##   2 of 2 done", "*= 4 passed in *"])


def test_the_projects_own_katas_are_judged_from_anywhere(project, monkeypatch):
    """Catches a folder of that name in the working directory, judged in their place."""
    project.answer(SOLUTION, tree="elsewhere/katas")
    monkeypatch.chdir(project.path / "elsewhere")

    result = project.run(
        str(project.path / "katas"), f"--rootdir={project.path}", "-c", str(project.path / "pyproject.toml")
    )

    result.stdout.fnmatch_lines(["*= 3 to do in *"])


def test_a_child_that_an_answer_forks_ends(project):
    """Catches a forked copy of pytest that goes on with the run."""
    if not hasattr(os, "fork"):
        pytest.skip("no fork on this system")
    fork = "child = os.fork()\n    if child:\n        os.waitpid(child, 0)"
    project.answer("import os\n" + SOLUTION.replace("return x + x", f"{fork}\n    return x + x"))

    result = project.run_apart("katas")

    assert result.ret == 0
    assert "\n".join(result.outlines).count("01_demo   ##") == 1


def test_bad_style_is_no_syntax_error(project):
    """Catches Python's own warnings about `x is 1` or a stray backslash, turned into errors."""
    project.answer(SOLUTION.replace("return x + x", 'assert x is not 1, "\\d"\n    return x + x'))

    assert project.run_apart("katas", "-W", "error::SyntaxWarning").ret == 0
