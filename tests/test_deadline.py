"""Nothing hangs, and no early exit is green."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys

import pytest

from tests.demo import MISTAKES, SOLUTION

needs_alarm = pytest.mark.skipif(sys.platform == "win32", reason="no SIGALRM: the deadline ends the run there")


@needs_alarm
@pytest.mark.parametrize("loop", ["while True:\n        pass", "import time\n    time.sleep(60)"])
def test_an_endless_loop_ends_and_names_its_line(project, loop):
    """Catches a run that waits for ever, and a deadline that names the harness."""
    project.answer(SOLUTION.replace("return x + x", loop))

    result = project.run("katas", "--timeout=1", "-k", "doubles or total")

    assert result.ret == 1
    result.stdout.fnmatch_lines(
        ["double   not right", "  It had not ended after 1 seconds*", "*sums.py:[45] in double: *"]
    )
    result.stdout.fnmatch_lines(["*= 1 failed, 1 passed*"])


@needs_alarm
def test_the_clock_stands_still_while_torch_imports_its_compiler(project):
    """Catches the first optimizer of a run, cut off on a loaded machine, and torch left half imported for the rest."""
    project.write(
        "slow.py",
        "import sys, time\n\nclass Slow:\n    def find_spec(name, path=None, target=None):\n"
        "        if name == 'torch._dynamo.decorators':\n            time.sleep(1.2)\n\n"
        "sys.meta_path.insert(0, Slow)\n",
    )
    project.answer(
        "import torch\n\n\ndef double(x):\n    p = torch.nn.Parameter(x)\n    torch.optim.SGD([p], lr=1.0)\n"
        "    return x + x\n\n\ndef total(x):\n    while True:\n        pass\n"
    )

    result = project.run_apart("katas", "-p", "slow", "--timeout=1")

    assert result.ret == 1
    result.stdout.fnmatch_lines(["total   not right", "  It had not ended after 1 seconds*"])
    result.stdout.fnmatch_lines(["*= 1 failed, 2 passed*"])


SLOW = "import time\n\n\ndef double(x):\n    time.sleep({})\n    return x * x\n\n\ndef total(x):\n    return x.sum()\n"
SLOW_BANK = MISTAKES.replace("def squared(x):", "def squared(x):\n    import time\n\n    time.sleep({})")


@needs_alarm
def test_the_diagnosis_has_a_clock_of_its_own(project):
    """Catches a mistake that has a name on an idle machine, and none on a loaded one."""
    project.answer(SLOW.format(0.7))
    project.write("mistakes/01_demo/sums.py", SLOW_BANK.format(0.7))

    result = project.run("katas", "--timeout=1", "-k", "doubles")

    assert result.ret == 1
    result.stdout.fnmatch_lines(["double   not right", "  That is x squared."])


@needs_alarm
def test_a_diagnosis_without_end_is_told(project):
    """Catches a verdict that is lost behind the bank, and a mistake that goes unnamed without a word."""
    project.answer(SLOW.format(0))
    project.write("mistakes/01_demo/sums.py", SLOW_BANK.format(60))

    result = project.run("katas", "--timeout=1", "-k", "doubles")

    assert result.ret == 1
    result.stdout.fnmatch_lines(["double   not right", "  expected*", "  note    *no time was left to ask the bank*"])


def test_torch_is_imported_before_any_clock_starts(project):
    """Catches a deadline that a loaded machine's import of torch uses up."""
    project.write(
        "katas/01_demo/test_sums.py", "def test_double_is_todo(kata, check):\n    check(kata.double, x=1).gives(2)\n"
    )
    project.write(
        "late.py",
        "import sys, pytest\n\n@pytest.hookimpl(wrapper=True, tryfirst=True)\ndef pytest_runtest_protocol(item):\n"
        "    assert 'torch' in sys.modules\n    return (yield)\n",
    )

    assert project.run_apart("katas", "--answers=solutions", "-p", "late").ret == 0


@pytest.mark.parametrize("source", ["import os\n\n\ndef double(x):\n    os._exit(0)\n", "import os\n\nos._exit(0)\n"])
def test_os_exit_is_red_and_named(project, source):
    """Catches pytest that ends green, with no output, because the process is gone."""
    project.answer(source)

    result = project.run_apart("katas")

    assert result.ret == 1
    result.stderr.fnmatch_lines(
        ["*ended by os._exit(0) at *sums.py:*, in katas/01_demo/test_sums.py::test_double_doubles*"]
    )


def test_os_exit_in_a_worker_of_xdist_is_red(project):
    """Catches a worker that is gone with its tests."""
    project.answer("import os\n\n\ndef double(x):\n    os._exit(0)\n" + SOLUTION[SOLUTION.index("\n\ndef total") :])

    result = project.run_apart("katas", "-n", "2")

    assert result.ret == 1
    result.stdout.fnmatch_lines(["*crashed while running*test_double*"])


def test_a_forked_child_exits_as_it_likes(project):
    """Catches a guard that stops every DataLoader worker or rank from leaving."""
    child = "pid = os.fork()\n    if not pid:\n        os._exit(0)\n    assert os.waitpid(pid, 0)[1] == 0"
    project.answer("import os\n" + SOLUTION.replace("return x + x", f"{child}\n    return x + x"))

    if not hasattr(os, "fork"):
        pytest.skip("no fork on this system")
    assert project.run_apart("katas").ret == 0


def test_pytest_exit_in_an_answer_fails_its_test_alone(project):
    """Catches the other door out."""
    project.answer("import pytest\n" + SOLUTION.replace("return x + x", "pytest.exit('done', returncode=0)"))

    result = project.run_apart("katas")

    assert result.ret == 1
    result.stdout.fnmatch_lines(["double   not right", "*= 2 failed, 1 passed in *"])


def test_a_run_that_ends_early_with_status_0_is_red(project):
    """Catches a run that was cut short and counts as green."""
    leave = "import pytest\n\n\ndef pytest_runtest_teardown(item):\n    pytest.exit('done', returncode=0)\n"
    project.write("early.py", leave)

    result = project.run_apart("katas", "--answers=solutions", "-p", "early")

    assert result.ret == 1
    result.stdout.fnmatch_lines(["The run ended early, in *test_double_doubles*"])


def test_sys_exit_fails_the_test_alone(project):
    """Catches SystemExit taken for the end of the run."""
    project.answer("import sys\n" + SOLUTION.replace("return x + x", "sys.exit(0)"))

    result = project.run("katas")

    assert result.ret == 1
    result.stdout.fnmatch_lines(["double   not right", "*SystemExit: 0", "*= 2 failed, 1 passed in *"])


@needs_alarm
def test_the_clock_stands_still_in_the_debugger(project):
    """Catches a breakpoint() that is cut off while the learner thinks."""
    project.answer(SOLUTION.replace("return x + x", "breakpoint()\n    return x + x"))
    thinking = "import time; time.sleep(1.5)\nc\n"

    done = subprocess.run(
        [sys.executable, "-m", "pytest", "katas", "-k", "doubles", "--timeout=1"],
        cwd=project.path,
        input=thinking,
        capture_output=True,
        text=True,
    )

    assert done.returncode == 0, done.stdout


@needs_alarm
def test_what_outlasts_the_deadline_ends_too(project):
    """Catches a bare `except` in a loop, which swallows the one alarm that rings."""
    loop = "while True:\n        try:\n            while True:\n                pass\n        except:\n            pass"
    project.answer(SOLUTION.replace("return x + x", loop))

    result = project.run_apart("katas", "--timeout=1", "-o", "faulthandler_timeout=3")

    assert result.ret != 0
    result.stderr.fnmatch_lines(["*sums.py*in double*"])


def test_ctrl_c_ends_the_run(project):
    """Catches Ctrl-C that ends one test of many."""
    project.answer(SOLUTION.replace("return x + x", "raise KeyboardInterrupt"))

    assert project.run_apart("katas").ret == pytest.ExitCode.INTERRUPTED


def test_a_run_leaves_the_process_as_it_was(project):
    """Catches a resident process whose exit, or whose collector, is the harness's for good."""
    leave = os._exit

    project.run("katas")

    assert os._exit is leave
    assert gc.isenabled()


def test_each_test_has_one_thread_and_hears_its_own_warnings(project):
    """Catches a run at twice the cost, and a warning of torch's that comes with the first test alone."""
    spec = (project.path / "katas/01_demo/test_sums.py").read_text()
    project.write(
        "katas/01_demo/test_sums.py", spec.replace("    check(", "    assert torch.get_num_threads() == 1\n    check(")
    )
    project.answer(SOLUTION.replace("return x + x", "x.reshape(1, 1, -1).T\n    return x + x"))

    assert project.run_apart("katas", "--verdicts=out.jsonl").ret == 0

    found = [json.loads(line) for line in (project.path / "out.jsonl").read_text().splitlines()]
    assert [len(v["notes"]) for v in found] == [1, 1, 0]
