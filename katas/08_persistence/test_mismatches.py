"""The specification of mismatches.py."""

import pickle
from contextlib import contextmanager
from pathlib import Path

import pytest
import torch
from torch import nn

from torchkatas.observe import ALIKE, compared

WEIGHTS = Path("weights.pt")


@contextmanager
def working_in(folder):
    """Files are named as learners name them, and errors that quote them read the same in each folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        yield


def numbers(*shape, seed):
    return torch.rand(shape, generator=torch.Generator().manual_seed(seed)) + 0.25


class Net(nn.Module):
    """A body, and a head of as many outputs as are asked for; numbers of its own everywhere."""

    def __init__(self, outputs=3, seed=0):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, 4), nn.BatchNorm1d(4))
        self.head = nn.Linear(4, outputs)
        with torch.no_grad():
            for i, tensor in enumerate([*self.parameters(), self.body[1].running_mean, self.body[1].running_var]):
                tensor.copy_(numbers(*tensor.shape, seed=100 * seed + i))


def state_of(model):
    """A copy of the state dict, put together by hand."""
    named = [*model.named_parameters(), *model.named_buffers()]
    return {name: tensor.detach().clone() for name, tensor in named}


# ---- without_prefix


@pytest.mark.parametrize(
    ("names", "right"),
    [
        (["module.fc.weight", "module.fc.bias"], ["fc.weight", "fc.bias"]),
        (["fc.weight", "fc.bias"], ["fc.weight", "fc.bias"]),
        (["module.module.lumen.module.bias", "module.scale"], ["module.lumen.module.bias", "scale"]),
        (["module.head.module.weight", "submodule.bias"], ["head.module.weight", "submodule.bias"]),
        (["module.model.lumen", "modules.weight", "0.weight"], ["model.lumen", "modules.weight", "0.weight"]),
    ],
    ids=["wrapped", "bare", "twice", "within", "letters"],
)
def test_without_prefix_at_the_start_once(kata, check, names, right):
    """Catches replace, which looks everywhere, lstrip, which takes off letters, and a cut that does not look at all."""
    values = [numbers(2, seed=i) for i in range(len(names))]
    state = dict(zip(names, values, strict=True))
    check(kata.without_prefix, state=state).gives(dict(zip(right, values, strict=True)), exact=True)


# ---- mismatch


def changed(state, change):
    """The state with entries added or put in place of others; None takes one away."""
    return {name: tensor for name, tensor in {**state, **change}.items() if tensor is not None}


STATISTICS = "body.1.running_mean"
CHANGES = [
    ({}, {}),
    ({"head.bias": None, "body.0.weight": None}, {"missing": ["body.0.weight", "head.bias"]}),
    ({STATISTICS: None}, {"missing": [STATISTICS]}),
    ({"scale": torch.ones(1), "aux.bias": torch.ones(3)}, {"unexpected": ["aux.bias", "scale"]}),
    ({"head.bias": None, "fc.bias": torch.ones(3)}, {"missing": ["head.bias"], "unexpected": ["fc.bias"]}),
    ({"head.weight": torch.ones(5, 4), "head.bias": torch.ones(5)}, {"shape": ["head.bias", "head.weight"]}),
    ({"body.0.weight": torch.ones(2, 4)}, {"shape": ["body.0.weight"]}),
    ({"head.bias": torch.ones(1, 3)}, {"shape": ["head.bias"]}),
    ({"head.bias": torch.ones(1)}, {"shape": ["head.bias"]}),
    ({"body.0.weight": torch.ones(4, 3)}, {"shape": ["body.0.weight"]}),
    ({"head.bias": torch.ones(3, dtype=torch.float64)}, {}),
]


@pytest.mark.fact("05.18")
@pytest.mark.fact("05.19")
def test_mismatch_tells_all_three(kata, check):
    """Catches missing and unexpected swapped, shapes compared by count, and a wrong shape called missing."""
    rows = [{"model": Net(), "state": changed(state_of(Net()), change)} for change, _ in CHANGES]
    none = {"missing": [], "unexpected": [], "shape": []}
    masked = Net()
    masked.register_buffer("mask", torch.ones(3), persistent=False)
    rows.append({"model": masked, "state": state_of(Net())})
    check.each(kata.mismatch, rows).gives([*({**none, **right} for _, right in CHANGES), none])


# ---- load_onto


def saved_on(device, state, path):
    """A file as a machine with that device would have written it: only the note of where each tensor lay differs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(torch.serialization, "location_tag", lambda storage: device)
        torch.save(state, path)
    if not torch.cuda.is_available():
        with pytest.raises((RuntimeError, pickle.UnpicklingError), match="CUDA"):  # torch 2.4 wraps it
            torch.load(path, weights_only=True)


@pytest.mark.parametrize("device", ["cpu", "meta"])
def test_load_onto_another_device(kata, check, tmp_path, device):
    """Catches a file that only opens on the machine which wrote it, and a device that is written into the code."""
    state = {"weight": numbers(2, 3, seed=5), "bias": numbers(2, seed=6)}
    right = {name: tensor.clone().to(device) for name, tensor in state.items()}
    rows = [{"path": Path(f"from-{n}.pt"), "device": torch.device(device)} for n in ("cpu", "cuda-0", "cuda-63")]
    with working_in(tmp_path):
        torch.save(state, rows[0]["path"])
        saved_on("cuda:0", state, rows[1]["path"])
        saved_on("cuda:63", state, rows[2]["path"])
        check.each(kata.load_onto, rows).gives([right] * 3, exact=True)


# ---- load_whole


def parts(model):
    return [id(parameter) for parameter in model.parameters()]


@pytest.mark.fact("05.19")
def test_load_whole_where_all_fits(kata, check):
    """Catches new parameters in place of the old ones, which an optimizer would not know."""
    model, state = Net(seed=1), state_of(Net(seed=2))
    before = parts(model)
    check(kata.load_whole, model=model, state=state).value  # noqa: B018
    seen = {"beside the state": compared(state_of(model), state), "the same parameters": parts(model) == before}
    check.saw(kata.load_whole, seen, call="the model").gives({"beside the state": ALIKE, "the same parameters": True})


MISFITS = {
    "missing keys": {"head.bias": None, "body.0.bias": None},
    "an unexpected key": {"aux.bias": torch.ones(3)},
    "another shape": {"head.weight": torch.ones(5, 4)},
    "all of it": {"body.0.bias": None, "aux.bias": torch.ones(3), "head.weight": torch.ones(5, 4)},
}


@pytest.mark.fact("05.19")
def test_load_whole_or_nothing(kata, check):
    """Catches strict=False, and a model that has been loaded by half when the error is raised."""
    seen = {"raised instead of RuntimeError": {}, "not named": {}, "the model is changed by": []}
    for misfit, change in MISFITS.items():
        model = Net(seed=3)
        before = state_of(model)
        try:
            kata.load_whole(model, changed(state_of(Net(seed=4)), change))
            seen["raised instead of RuntimeError"][misfit] = "nothing"
        except NotImplementedError:
            raise
        except Exception as error:
            if not isinstance(error, RuntimeError):
                seen["raised instead of RuntimeError"][misfit] = type(error).__name__
            if unnamed := [name for name in change if name not in str(error)]:
                seen["not named"][misfit] = unnamed
        if compared(state_of(model), before) != ALIKE:
            seen["the model is changed by"].append(misfit)
    right = {"raised instead of RuntimeError": {}, "not named": {}, "the model is changed by": []}
    check.saw(kata.load_whole, seen, call=f"states with {', '.join(MISFITS)}").gives(right)


# ---- load_partly


@pytest.mark.fact("05.19")
@pytest.mark.parametrize(
    ("change", "left"),
    [
        ({}, []),
        ({"head.weight": numbers(7, 4, seed=7), "head.bias": numbers(7, seed=8)}, ["head.bias", "head.weight"]),
        ({"head.weight": None, "head.bias": None, "aux.bias": numbers(3, seed=9)}, ["head.bias", "head.weight"]),
        ({"head.bias": numbers(1, seed=10)}, ["head.bias"]),
        ({"body.0.weight": numbers(2, 4, seed=11), STATISTICS: None}, ["body.0.weight", STATISTICS]),
    ],
    ids=["all fits", "another head", "no head", "would broadcast", "same count"],
)
def test_load_partly_takes_what_fits(kata, check, change, left):
    """Catches shapes not looked at, buffers passed over, and a list of what was loaded instead of what was not."""
    model = Net(seed=5)
    state, before, same = changed(state_of(Net(seed=6)), change), state_of(model), parts(model)
    right = {name: before[name] if name in left else state[name] for name in before}
    given = {name: tensor.clone() for name, tensor in state.items()}
    named = check(kata.load_partly, model=model, state=state).value
    seen = {
        "returned": named,
        "not as they should be": compared(state_of(model), right)["different"],
        "the same parameters": parts(model) == same,
        "the state is unchanged": compared(state, given) == ALIKE,
    }
    right = {"returned": left, "not as they should be": [], "the same parameters": True, "the state is unchanged": True}
    check.saw(kata.load_partly, seen, call="then the model, entry by entry").gives(right)


def test_load_partly_keeps_the_dtype(kata, check):
    """Catches a float64 file that makes the model float64, or takes its parameters' places."""
    model = Net(seed=7)
    same = parts(model)
    given = {
        name: tensor.double() if tensor.is_floating_point() else tensor for name, tensor in state_of(Net()).items()
    }
    named = check(kata.load_partly, model=model, state=given).value
    seen = {
        "returned": named,
        "not as they should be": compared(state_of(model), state_of(Net()))["different"],
        "the same parameters": parts(model) == same,
        "dtypes of the parameters": sorted({str(parameter.dtype) for parameter in model.parameters()}),
    }
    right = {"returned": [], "not as they should be": [], "the same parameters": True}
    right["dtypes of the parameters"] = ["torch.float32"]
    check.saw(kata.load_partly, seen, call="a state in float64, all of it fits").gives(right)
