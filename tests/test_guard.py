"""The state guard: everything is put back, and named on the test that left it."""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path

import pytest
import torch

from tests.demo import SOLUTION
from torchkatas import answers
from torchkatas.guard import State

LEAKS = {
    "the default dtype": "torch.set_default_dtype(torch.float64)",
    "the default device": "torch.set_default_device('meta')",
    "the gradient mode": "torch.set_grad_enabled(False)",
    "autocast on cpu": "torch.autocast('cpu').__enter__()",
    "anomaly detection": "torch.autograd.set_detect_anomaly(True, check_nan=False)",
    "torch's number of threads": "torch.set_num_threads(2)",
    "the deterministic flag": "torch.use_deterministic_algorithms(True)",
    "cuDNN's deterministic flag": "torch.backends.cudnn.deterministic = True",
    "cuDNN's benchmark flag": "torch.backends.cudnn.benchmark = True",
    "the recursion limit": "sys.setrecursionlimit(4321)",
    "the environment": "os.environ['KATA'] = '1'; os.environ['HOME'] = '/'",
    "the working directory": "os.chdir('/')",
    "sys.path": "sys.path.insert(0, 'x')",
    "the warnings filters": "warnings.simplefilter('ignore')",
    "Tensor.backward": "torch.Tensor.backward = None",
    "Tensor.sum": "torch.Tensor.sum = torch.Tensor.mean",  # which Tensor has from a base
    "torch.relu": "torch.relu = torch.tanh",
    "torch.nn.functional.relu": "torch.nn.functional.relu = torch.relu",
    "torch.autograd.grad": "torch.autograd.grad = None",
    "Module.train": "torch.nn.Module.train = torch.nn.Module.eval",
    "Optimizer.zero_grad": "torch.optim.Optimizer.zero_grad = None",
    "torch.nn.Linear": "torch.nn.Linear = torch.nn.Identity",
    "torch.testing.assert_close": "torch.testing.assert_close = print",
}
PROBE = """
import os, random, sys, warnings
import numpy, torch

def state():
    return [
        torch.get_default_dtype(), str(torch.empty(0).device), torch.is_grad_enabled(), torch.is_anomaly_enabled(),
        torch.get_num_threads(), torch.are_deterministic_algorithms_enabled(), sys.getrecursionlimit(),
        "KATA" in os.environ, os.getcwd(), "x" in sys.path, list(warnings.filters), torch.Tensor.backward, torch.relu,
        torch.nn.functional.relu, torch.autograd.grad, torch.nn.Module.train, torch.optim.Optimizer.zero_grad,
        torch.nn.Linear, torch.testing.assert_close, torch.backends.cudnn.deterministic, torch.backends.cudnn.benchmark,
        torch.Tensor.sum,
        os.environ.get("HOME"), random.getstate(), str(numpy.random.get_state()), torch.get_rng_state().tolist(),
    ]

BEFORE = []

def test_double_a_before(kata, check):
    BEFORE.append(state())
    check(kata.total, x=torch.ones(1)).gives(torch.tensor(1.0))
    assert state() == BEFORE[0]

def test_double_b_leaks(kata, check):
    check(kata.double, x=torch.ones(1)).gives(torch.tensor([2.0]))

def test_double_c_after(kata, check):
    assert state() == BEFORE[0]
    check(kata.total, x=torch.ones(1)).gives(torch.tensor(1.0))
"""
IMPORTS = "import os, random, sys, threading, warnings\nimport numpy, torch\n"


@pytest.mark.parametrize("name", LEAKS)
def test_a_leak_is_put_back_and_named(project, name):
    """Catches a learner's setting that makes the next test fail with a misleading error."""
    project.write("katas/01_demo/test_sums.py", PROBE)
    project.answer(IMPORTS + SOLUTION.replace("return x + x", f"y = x + x\n    {LEAKS[name]}\n    return y"))

    result = project.run("katas")

    assert result.ret == 0
    result.stdout.fnmatch_lines([f"*note    double: left {name} changed (put back)"])


@pytest.mark.parametrize("name", ["the default dtype", "the warnings filters", "torch.relu"])
def test_a_leak_while_loading_is_put_back_too(project, name):
    """Catches a setting at the top of a file that holds for the first test alone."""
    project.write("katas/01_demo/test_sums.py", PROBE)
    project.answer(IMPORTS + LEAKS[name] + "\n" + SOLUTION)

    result = project.run("katas")

    assert result.ret == 0
    result.stdout.fnmatch_lines([f"*note    double: loading the file left {name} changed (put back)"])


@pytest.mark.parametrize(
    ("name", "line"),
    [("the default device", "torch.set_default_device('cuda')"), ("the working directory", "gone()")],
)
def test_a_setting_that_cannot_be_read_any_more_is_put_back(project, name, line):
    """Catches a default device that is not there, or a working directory that is gone: all others would go red."""
    if name == "the default device" and torch.cuda.is_available():
        pytest.skip("not proven here: the device is there")
    gone = "import tempfile\n\n\ndef gone():\n    with tempfile.TemporaryDirectory() as d:\n        os.chdir(d)\n"
    project.write("katas/01_demo/test_sums.py", PROBE)
    project.answer(IMPORTS + gone + SOLUTION.replace("return x + x", f"y = x + x\n    {line}\n    return y"))

    result = project.run("katas")

    assert result.ret == 0
    result.stdout.fnmatch_lines([f"*note    double: left {name} changed (put back)"])


def test_what_cannot_be_put_back_any_more_stops_nothing_else(tmp_path, monkeypatch):
    """Catches a working directory that an answer deleted: sys.path and the random streams would stay as they are."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.chdir(home)
    before, path, stream = State(), list(sys.path), random.getstate()
    os.chdir(tmp_path)
    home.rmdir()
    sys.path.insert(0, "x")
    random.random()

    found = before.restore()

    assert found == ["the working directory changed (not to be put back)", "sys.path changed (put back)"]
    assert (sys.path, random.getstate()) == (path, stream)


def test_random_streams_are_put_back_in_silence(project):
    """Catches a draw that shifts the next test's numbers, and a note at every draw."""
    draws = "random.random()\n    numpy.random.rand()\n    torch.rand(1)"
    project.write("katas/01_demo/test_sums.py", PROBE)
    project.answer(IMPORTS + SOLUTION.replace("return x + x", f"{draws}\n    return x + x"))

    result = project.run("katas")

    assert result.ret == 0
    result.stdout.no_fnmatch_line("*note*")


def test_what_torch_sets_by_itself_is_no_leak(project, monkeypatch):
    """Catches a note on a learner's first optimizer, which imports torch's compiler and with it sympy."""
    monkeypatch.delenv("TORCHINDUCTOR_CACHE_DIR", raising=False)  # these tests imported it, and set this
    line = "torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.0)"
    project.answer(IMPORTS + SOLUTION.replace("return x + x", f"{line}\n    return x + x"))

    result = project.run_apart("katas")

    assert result.ret == 0
    result.stdout.no_fnmatch_line("*note*")


def test_a_seed_is_named(project):
    """Catches a function that reseeds the program of whoever calls it."""
    project.answer(IMPORTS + SOLUTION.replace("return x + x", "torch.manual_seed(4321)\n    return x + x"))

    project.run("katas").stdout.fnmatch_lines(["*note    double: seeded torch's global random stream (put back)"])


LEFT = {
    "a running thread": "threading.Thread(target=lambda: GO.wait(1)).start()",
    "inference mode": "MODE.__enter__()",
    "an open process group": "dist.init_process_group('gloo', store=dist.HashStore(), rank=0, world_size=1)",
}


@pytest.mark.parametrize("name", LEFT)
def test_what_cannot_be_put_back_is_named(project, name):
    """Catches a note that claims what did not happen."""
    project.answer(
        f"{IMPORTS}dist = torch.distributed\nGO, MODE = threading.Event(), torch.inference_mode()\n"
        + SOLUTION.replace("return x + x", f"y = x + x\n    {LEFT[name]}\n    return y")
    )

    result = project.run_apart("katas", "-k", "doubles")

    result.stdout.fnmatch_lines([f"*note    double: left {name} (not to be put back)"])


def test_a_warning_from_the_learners_line_is_a_note(project):
    """Catches a right answer that is red for a deprecation."""
    project.answer(IMPORTS + SOLUTION.replace("return x + x", "warnings.warn('old')\n    return x + x"))

    result = project.run("katas")

    assert result.ret == 0
    assert "\n".join(result.outlines).count("note    double: warned: old") == 1  # of two tests


def test_a_warning_from_an_environment_inside_the_project_is_a_note(project):
    """Catches a warning of torch's that is taken for ours because .venv lies in the project, as the README has it."""
    file = Path(answers.__file__).parents[1] / ".venv" / "lib" / "torch" / "loss.py"
    warn = f"warnings.warn_explicit('old', UserWarning, {str(file)!r}, 1, module='torch.loss')"
    project.answer(IMPORTS + SOLUTION.replace("return x + x", f"{warn}\n    return x + x"))

    result = project.run("katas")

    assert result.ret == 0
    result.stdout.fnmatch_lines(["*note    double: warned: old"])


def test_a_warning_from_a_spec_is_an_error(project):
    """Catches a deprecation in our own code that nobody reads."""
    spec = (project.path / "katas/01_demo/test_sums.py").read_text()
    project.write(
        "katas/01_demo/test_sums.py",
        "import warnings\n" + spec.replace("    check(", "    warnings.warn('old')\n    check("),
    )

    result = project.run("katas", "--answers=solutions")

    assert result.ret == 1
    result.stdout.fnmatch_lines(["*UserWarning: old*"])


@pytest.mark.parametrize("leak", ["torch.set_default_dtype(torch.float64)", "torch.relu = torch.tanh"])
def test_the_bank_is_judged_in_the_state_that_the_learner_found(project, leak):
    """Catches a leak that makes an entry of the bank observe something else, so that no mistake is named."""
    code = "torch.relu(x) + x.new_tensor(1.0).to(torch.get_default_dtype())"
    entry = f'@wrong("rectified", replaces="double", says="Rectified.")\ndef rectified(x):\n    return {code}\n'
    project.write("mistakes/01_demo/sums.py", f"import torch\nfrom torchkatas.bank import wrong\n\n\n{entry}")
    project.answer(IMPORTS + SOLUTION.replace("return x + x", f"y = {code}\n    {leak}\n    return y"))

    project.run("katas").stdout.fnmatch_lines(["  Rectified."])
