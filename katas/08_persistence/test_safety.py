"""The specification of safety.py."""

import argparse
import dataclasses
import os
import pickle
import re
import subprocess
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from torchkatas.compare import Raised
from torchkatas.observe import ALIKE, compared

FILE = Path("stranger.pt")


@contextmanager
def working_in(folder):
    """Files are named as learners name them, and errors that quote them read the same in each folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        yield


class Code:
    """Unpickling this makes a folder."""

    def __init__(self, function=os.mkdir):
        self.function = function

    def __reduce__(self):
        return self.function, ("the-code-ran",)


def ended(outcome):
    """How a call ended, in short."""
    raised = isinstance(outcome, Raised)
    return f"{type(outcome.error).__name__} was raised" if raised else f"a {type(outcome).__name__} came back"


def ran_no_code(check, function, called, call):
    """Judge that the call on a file with code has run none of it; what it gave is left to judge."""
    if Path("the-code-ran").exists():
        seen, right = {"the code": "ran", "then": ended(called.outcome)}, {"the code": "did not run"}
        check.saw(function, seen, call=call).gives(right)


def numbers(*shape, seed):
    return torch.rand(shape, generator=torch.Generator().manual_seed(seed))


def weights(seed):
    return {"fc.weight": numbers(2, 3, seed=seed), "fc.bias": numbers(2, seed=seed + 1)}


# ---- read_weights


@pytest.mark.fact("05.19")
@pytest.mark.parametrize("bias", [True, False])
def test_read_weights_of_an_honest_file(kata, check, tmp_path, bias):
    """Catches an empty dict, or an error, where nothing is wrong with the file."""
    model = nn.Linear(3, 2, bias=bias)
    right = {name: parameter.detach().clone() for name, parameter in model.named_parameters()}
    with working_in(tmp_path):
        torch.save(model.state_dict(), FILE)
        check(kata.read_weights, path=FILE).gives(right, exact=True)


HOSTILE = {
    "beside the weights": lambda: torch.save({**weights(seed=1), "note": Code()}, FILE),
    "alone": lambda: torch.save(Code(), FILE),
    "in a pickle without an archive": lambda: FILE.write_bytes(pickle.dumps(Code(), protocol=2)),
}


@pytest.mark.fact("05.19")
@pytest.mark.parametrize("where", HOSTILE)
def test_read_weights_runs_no_code(kata, check, tmp_path, where):
    """Catches weights_only=False, also as the second try after a refusal."""
    with working_in(tmp_path):
        HOSTILE[where]()
        called = check(kata.read_weights, path=FILE)
        ran_no_code(check, kata.read_weights, called, call=f"a file with code {where}")
    called.raises(pickle.UnpicklingError)


@pytest.mark.fact("05.19")
def test_read_weights_refuses_a_whole_model(kata, check, tmp_path):
    """Catches a model built by the file: its class is code too, and need not be the one that it is named after."""
    with working_in(tmp_path):
        torch.save(nn.Linear(3, 2), FILE)
        called = check(kata.read_weights, path=FILE)
    if not isinstance(called.outcome, Raised):  # two models are never equal
        seen, right = {"the end": ended(called.outcome)}, {"the end": "UnpicklingError was raised"}
        check.saw(kata.read_weights, seen, call="a file of torch.save(model)").gives(right)
    called.raises(pickle.UnpicklingError)


# ---- save_run


def in_file(path):
    """What torch.load(path, weights_only=True) gives; where it gives nothing, why, in words."""
    if not path.is_file():
        return "there is no file"
    try:
        return torch.load(path, weights_only=True)
    except pickle.UnpicklingError as error:
        asks = re.search(r"GLOBAL ([\w.]+)", str(error))
        return f"refused: it asks for {asks[1] if asks else 'code'}"


CONFIGS = {
    "numbers": {"lr": 0.125, "epochs": 12, "amp": True, "seed": None},
    "paths": {"data": Path("iris.csv"), "name": "run 7", "out": Path("runs") / "7", "wd": 0.0},
    "empty": {},
}
METRICS = {
    "numbers": {"loss": np.float32(0.12345679), "accuracy": np.float64(0.7), "seen": np.int64(2**40 + 1)},
    "paths": {"loss": np.float16(0.25), "epoch": np.int32(7)},
    "empty": {"best": np.mean(np.array([0.5, 0.75]))},
}


@pytest.mark.fact("05.19")
@pytest.mark.parametrize("case", CONFIGS)
def test_save_run_needs_no_code(kata, check, tmp_path, case):
    """Catches a Namespace, a Path or a NumPy number in the file, and numbers that become text or lose their digits."""
    config, metrics, kept = argparse.Namespace(**CONFIGS[case]), dict(METRICS[case]), weights(seed=3)
    call, before = f"{config}, {metrics}", {name: tensor.clone() for name, tensor in kept.items()}
    with working_in(tmp_path):
        check(kata.save_run, path=FILE, weights=kept, config=config, metrics=metrics).value  # noqa: B018
        file = in_file(FILE)
    right = {
        "config": {name: str(value) if isinstance(value, Path) else value for name, value in CONFIGS[case].items()},
        "metrics": {n: int(v) if isinstance(v, np.integer) else float(v) for n, v in METRICS[case].items()},
        "weights": "as they were",
    }
    if isinstance(file, dict) and file.keys() == right.keys():
        differences = compared(file["weights"], before)
        file = {**right, **file, "weights": right["weights"] if differences == ALIKE else differences}
    seen = {"the Namespace is unchanged": vars(config) == CONFIGS[case], "the file": file}
    right = {"the Namespace is unchanged": True, "the file": right}
    check.saw(kata.save_run, seen, call=call).gives(right, exact=True)


# ---- load_with


@dataclasses.dataclass
class Settings:
    """What a checkpoint of ours may hold."""

    lr: float
    layers: list


@dataclasses.dataclass
class Schedule:
    """Another one."""

    warmup: int


@dataclasses.dataclass
class Other:
    """One that somebody else has allowed before."""

    n: int


@contextmanager
def allowed(*classes):
    """These classes alone are allowed, and afterwards those that were before."""
    before = list(torch.serialization.get_safe_globals())
    torch.serialization.clear_safe_globals()
    torch.serialization.add_safe_globals(list(classes))
    try:
        yield
    finally:
        torch.serialization.clear_safe_globals()
        torch.serialization.add_safe_globals(before)


def names():
    return sorted(thing.__name__ for thing in torch.serialization.get_safe_globals())


@pytest.mark.fact("05.19")
def test_load_with_our_classes(kata, check, tmp_path):
    """Catches a file of ours that is refused, and one class allowed where two are handed in."""
    ours = [
        {"weights": weights(seed=4), "settings": Settings(0.5, [3, 2])},
        {"settings": Settings(0.25, []), "schedule": Schedule(warmup=5)},
        Schedule(warmup=3),
    ]
    rows = [{"path": Path(f"ours-{n}.pt"), "classes": [Settings, Schedule]} for n in (1, 2, 3)]
    with working_in(tmp_path), allowed():
        for row, content in zip(rows, ours, strict=True):
            torch.save(content, row["path"])
        check.each(kata.load_with, rows).gives(ours, exact=True)


@pytest.mark.fact("05.19")
def test_load_with_leaves_nothing_allowed(kata, check, tmp_path):
    """Catches a class that stays allowed for every later file, also after a refusal, and another's class lost."""
    seen, files = {}, {"ours": Settings(0.25, [1]), "with code": [Settings(0.25, [1]), Code()]}
    with working_in(tmp_path), allowed(Other):
        for file, content in files.items():
            torch.save(content, FILE)
            check(kata.load_with, path=FILE, classes=[Settings])
            seen[f"after a file {file}"] = names()
    right = {f"after a file {file}": ["Other"] for file in files}
    check.saw(kata.load_with, seen, call="what is allowed, where Other was allowed before").gives(right)


@pytest.mark.fact("05.19")
def test_load_with_no_other_code(kata, check, tmp_path):
    """Catches weights_only=False: our class is read, and so is everything else."""
    with working_in(tmp_path), allowed():
        torch.save({"settings": Settings(0.5, [4]), "note": Code()}, FILE)
        called = check(kata.load_with, path=FILE, classes=[Settings])
        ran_no_code(check, kata.load_with, called, call="a file with our class and with code")
    called.raises(pickle.UnpicklingError)


class Plain:
    """A class that is no dataclass."""


def make_folder(name):
    """A function of ours that does something."""
    os.mkdir(name)


def test_load_with_dataclasses_alone(kata, check, tmp_path):
    """Catches a function or a class that does something when called: a file may call what is allowed, as it likes."""
    refused = {"make_folder": make_folder, "eval": eval, "Popen": subprocess.Popen, "Plain": Plain}
    seen = {}
    with working_in(tmp_path), allowed():
        torch.save(Code(make_folder), FILE)
        for name, thing in refused.items():
            outcome = check(kata.load_with, path=FILE, classes=[Settings, thing]).outcome
            named = isinstance(outcome, Raised) and isinstance(outcome.error, ValueError) and name in str(outcome.error)
            if not named:
                ran = Path("the-code-ran").exists()
                seen[name] = ended(outcome) + (", and the code ran" if ran else "")
                if ran:
                    Path("the-code-ran").rmdir()
    call = f"for which of {', '.join(refused)} something else came than a ValueError that names it"
    check.saw(kata.load_with, seen, call=call).gives({})


# ---- asks_for

TENSORS = ["collections.OrderedDict", "torch.FloatStorage", "torch._utils._rebuild_tensor_v2"]
MKDIR = f"{os.mkdir.__module__}.mkdir"
FILES = {
    "numbers": ({"epoch": 3, "name": "torch.mkdir posix"}, []),
    "tensors": (weights(seed=5), TENSORS),
    "a whole number": (torch.arange(3), [TENSORS[0], "torch.LongStorage", TENSORS[2]]),
    "code": ({**weights(seed=6), "note": Code()}, [*TENSORS, MKDIR]),
    "a dataclass": ({"settings": Settings(0.5, [2])}, [f"{__name__}.Settings"]),
}


@pytest.mark.fact("05.19")
def test_asks_for_names(kata, check, tmp_path):
    """Catches names that are left out, told twice, or taken from texts that only look like names."""
    rows = [Path(f"{name}.pt") for name in FILES]
    with working_in(tmp_path):
        for path, (content, _) in zip(rows, FILES.values(), strict=True):
            torch.save(content, "as-it-was-written.pt")
            Path("as-it-was-written.pt").rename(path)  # the folder in the archive keeps its name
        check.each(kata.asks_for, rows).gives([sorted(right) for _, right in FILES.values()])


@pytest.mark.fact("05.19")
def test_asks_for_runs_nothing(kata, check, tmp_path):
    """Catches a file that is loaded in order to look at it."""
    with working_in(tmp_path):
        torch.save([Code()], FILE)
        called = check(kata.asks_for, path=FILE)
        ran_no_code(check, kata.asks_for, called, call="a file with code")
    called.gives([MKDIR])
