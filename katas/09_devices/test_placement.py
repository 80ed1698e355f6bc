"""The specification of placement.py."""

from collections import namedtuple

import pytest
import torch
from torch import nn

from torchkatas.pretend import SECOND, Pretend, devices, on

DEVICES = pytest.mark.parametrize("device", [*devices(), SECOND])


def drawn(*shape, seed):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


# ---- best_device


@pytest.mark.fact("09.3")
def test_best_device_of_each_machine(kata, check):
    """Catches another order, the kind of which there are most, one that has no device, and this machine's answer."""
    table = [
        ({"cuda": 1, "mps": 0}, "cuda"),
        ({"cuda": 0, "mps": 1}, "mps"),
        ({"mps": 1, "cuda": 2}, "cuda"),
        ({"mps": 0, "cuda": 0, "cpu": 1}, "cpu"),
        ({"mps": 1}, "mps"),
        ({"cuda": 8}, "cuda"),
        ({"cpu": 4, "mps": 2, "cuda": 1}, "cuda"),
        ({"cpu": 2, "mps": 1}, "mps"),
        ({}, "cpu"),
    ]
    rows, right = zip(*table, strict=True)
    check.each(kata.best_device, [{"available": row} for row in rows]).gives([torch.device(kind) for kind in right])


# ---- requested_device

THERE = [
    (None, {"cuda": 0, "mps": 1}, "mps"),
    (None, {"cuda": 2}, "cuda"),
    ("cuda", {"cuda": 1, "mps": 0}, "cuda"),
    ("cuda:1", {"cuda": 2}, "cuda:1"),
    ("cuda:0", {"cuda": 1}, "cuda:0"),
    ("mps", {"cuda": 1, "mps": 1}, "mps"),
    ("cpu", {"cuda": 2}, "cpu"),
    ("cpu", {}, "cpu"),
]
NOT_THERE = [
    ("cuda", {"mps": 1}),
    ("cuda", {"cuda": 0, "mps": 1}),
    ("mps", {"cuda": 8}),
    ("cuda:2", {"cuda": 2}),
    ("cuda:1", {"cuda": 1}),
    ("cuda:7", {"cuda": 2}),
    ("gpu", {"cuda": 1}),
]


@pytest.mark.fact("09.3")
def test_requested_device_that_is_there(kata, check):
    """Catches a wish that is not granted, a number that is lost, and the CPU asked for among what is counted."""
    rows = [{"name": name, "available": available} for name, available, _ in THERE]
    check.each(kata.requested_device, rows).gives([torch.device(name) for *_, name in THERE])


def refused(kata):
    """The function, with a ValueError told as a value: its text is the learner's own."""

    def requested_device(name, available):
        try:
            return kata.requested_device(name=name, available=available)
        except ValueError as error:
            return f"ValueError that says {name}" if name in str(error) else "ValueError that does not say the name"

    return requested_device


def test_requested_device_that_is_not_there(kata, check):
    """Catches another device in its place, a number that is one too high, and an error that does not say what."""
    check.each(refused(kata), NOT_THERE).gives([f"ValueError that says {name}" for name, _ in NOT_THERE])


# ---- bring


class Net(nn.Module):
    """A parameter at some depth, and a buffer."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2))


@pytest.mark.fact("02.14")
@pytest.mark.fact("09.4")
@pytest.mark.fact("09.1")
@DEVICES
def test_bring_moves_model_and_batch(kata, check, device):
    """Catches a tensor's .to that is not assigned, a copy in the model's place, and a model that is left behind."""
    X, y = drawn(4, 3, seed=1), torch.tensor([1, 0, 1, 1])
    with on(device) as place:
        model, right, before = Net(), (X.to(place), y.to(place)), (X.clone(), y.clone())
        parameters = list(model.parameters())
        out = kata.bring(model=model, X=X, y=y, device=place)
        named = [*model.named_parameters(), *model.named_buffers()]
        seen = {
            "returned": out,
            "of the model elsewhere": [name for name, tensor in named if tensor.device != place],
            "same parameters": all(p is q for p, q in zip(model.parameters(), parameters, strict=True)),
            "the caller's": (X, y),
        }
        wanted = {"returned": right, "of the model elsewhere": [], "same parameters": True, "the caller's": before}
        call = f"a model, X and y, made on the CPU as everything is, brought to {place}"
        check.saw(kata.bring, seen, call=call).gives(wanted, exact=True)


# ---- trainable


@pytest.mark.fact("09.4")
@DEVICES
def test_trainable_is_a_leaf_there(kata, check, device):
    """Catches a tensor that was moved after it required a gradient: its own .grad stays empty."""
    values = [1.5, -2.0, 0.25]
    with on(device) as place:
        w = kata.trainable(values=values, device=place)
        seen = {"value": w}
        if isinstance(w, torch.Tensor) and w.requires_grad:
            (w * w).sum().backward()
            seen = {"value": w.detach(), "a leaf": w.is_leaf, "its .grad": w.grad if w.is_leaf else None}
        right = torch.tensor(values, device=place)
        wanted = {"value": right, "a leaf": True, "its .grad": 2 * right}
        call = f"trainable({values}) on {place}, and its .grad after the backward pass of (w * w).sum()"
        check.saw(kata.trainable, seen, call=call).gives(wanted)


# ---- batch_to

Pair = namedtuple("Pair", "image label")


def nested(place):
    """A batch of every make, its tensors on a device."""

    def there(*values):
        return torch.tensor(values, device=place)

    return {
        "x": there(1.0, -2.0),
        "pairs": [Pair(there(3), there(4, 5)), Pair(image=there(6.5), label=None)],
        "tuple": (there(7), "eight", 9, ()),
        "names": ["cat", "dog"],
        "list": [there(10, 11)],
        "deep": {"er": [{"est": (there(True, False),)}]},
        3: None,
        "none": [],
    }


def make(value):
    """The types of what is nested, in order, tensors by their device."""
    if isinstance(value, torch.Tensor):
        return f"tensor on {value.device}"
    if isinstance(value, dict):
        return ["dict", *((key, make(part)) for key, part in value.items())]
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, *(make(part) for part in value)]
    return repr(value)


BATCHES = {
    "tensor": lambda place: torch.tensor([2.0, -5.0], device=place),
    "list": lambda place: [torch.tensor([1], device=place), torch.tensor([2, 3], device=place)],
    "tuple": lambda place: (torch.tensor([1.5], device=place), torch.tensor([2], device=place)),
    "dict": lambda place: {"b": torch.tensor([1], device=place), "a": torch.tensor([2.5], device=place)},
    "namedtuple": lambda place: Pair(torch.tensor([1], device=place), torch.tensor([0.5], device=place)),
    "strings": lambda place: ["cat", {"name": "dog", "size": 3}, None, (torch.tensor([1], device=place), "x", True)],
    "nested": nested,
    "nothing": lambda place: None,
}


@pytest.mark.parametrize("name", BATCHES)
@DEVICES
def test_batch_to_of_each_make(kata, check, name, device):
    """Catches a make that is passed over, a type that is lost on the way, and strings taken for nests."""
    with on(device) as place:
        given, right = BATCHES[name]("cpu"), BATCHES[name](place)
        out = check(kata.batch_to, batch=given, device=place).value
        seen, wanted = {"value": out, "make": make(out)}, {"value": right, "make": make(right)}
        check.saw(kata.batch_to, seen, call=f"{make(given)} to {place}").gives(wanted, exact=True)


@pytest.mark.parametrize("device", [*devices()[1:], SECOND])  # on the CPU one that is passed over looks the same
def test_batch_to_leaves_the_callers(kata, check, device):
    """Catches a batch that is changed in place: whoever handed it in finds it on the device."""
    with on(device) as place:
        given = nested("cpu")
        lists = [given, given["pairs"], given["names"], given["deep"], given["deep"]["er"]]
        out = kata.batch_to(batch=given, device=place)
        new = [out, out["pairs"], out["deep"], out["deep"]["er"]] if isinstance(out, dict) else []
        seen = {"make": make(given), "the same object": any(a is b for a in new for b in lists)}
        wanted = {"make": make(nested("cpu")), "the same object": False}
        check.saw(kata.batch_to, seen, call=f"the caller's batch, after a nested one went to {place}").gives(wanted)


# ---- mask_future


def masked(scores):
    """Element by element."""
    out = scores.clone()
    n = out.shape[-1]
    for row in range(n):
        for column in range(row + 1, n):
            out[..., row, column] = float("-inf")
    return out


@pytest.mark.fact("09.1")
@pytest.mark.parametrize("shape", [(3, 3), (2, 4, 4), (1, 2, 1, 1)], ids=str)
@DEVICES
def test_mask_future_on_each_device(kata, check, shape, device):
    """Catches a mask that is made on the CPU, or on a device of its own choice, and the wrong half of it."""
    scores = drawn(*shape, seed=3)
    right = masked(scores)
    with on(device) as place:
        check(kata.mask_future, scores=scores.to(place)).gives(right.to(place), exact=True)


@pytest.mark.fact("09.1")
@pytest.mark.parametrize("dtype", [torch.float16, torch.float64], ids=str)
def test_mask_future_on_meta(kata, check, dtype):
    """Catches the same without any device: `meta` has shapes and no values. Also a mask that changes the dtype."""
    scores = torch.empty(2, 3, 3, dtype=dtype, device="meta")
    check(kata.mask_future, scores=scores).gives(torch.empty_like(scores))


# ---- Standardize


@pytest.mark.fact("09.4")
@DEVICES
def test_Standardize_moves(kata, check, device):
    """Catches numbers that stay on the CPU when the module goes, and an x that is changed in place."""
    mean, std, x = torch.tensor([1.0, -2.0, 0.5]), torch.tensor([2.0, 0.5, 4.0]), drawn(4, 3, seed=4)
    right = (x - mean) / std
    with on(device) as place:
        module = kata.Standardize(mean.clone(), std.clone()).to(place)
        given = x.to(place, copy=True)
        seen = {"out": module(given), "the caller's x": given}
        wanted = {"out": right.to(place), "the caller's x": x.to(place)}
        check.saw(kata.Standardize, seen, call=f"Standardize(mean, std).to({place}), called with x").gives(wanted)


@DEVICES
def test_Standardize_keeps_them_as_state(kata, check, device):
    """Catches numbers that are trained, that a checkpoint forgets, or that are brought along at each call."""
    mean, std = torch.tensor([3.0, -1.0]), torch.tensor([0.25, 8.0])
    with on(device) as place:
        module = kata.Standardize(mean.clone(), std.clone()).to(place)
        state = {name: tensor.detach() for name, tensor in module.state_dict().items()}
        trained, buffers = (
            sorted(name for name, _ in named) for named in (module.named_parameters(), module.named_buffers())
        )
        seen = {"parameters": trained, "buffers": buffers, "state_dict": state}
        wanted = {
            "parameters": [],
            "buffers": ["mean", "std"],
            "state_dict": {"mean": mean.to(place), "std": std.to(place)},
        }
        call = f"the parameters, the buffers and the state_dict of Standardize(mean, std).to({place})"
        check.saw(kata.Standardize, seen, call=call).gives(wanted, exact=True)


# ---- as_array


@DEVICES
@pytest.mark.parametrize("graph", [True, False], ids=["graph", "no graph"])
def test_as_array_of_all_batches(kata, check, graph, device):
    """Catches NumPy asked for what lies elsewhere or hangs on a graph, and a batch that is lost."""
    sizes = (2, 3, 1)
    given = [drawn(n, 4, seed=n).requires_grad_(graph) for n in sizes]
    right = torch.cat(given).detach().numpy()
    with on(device) as place:
        outputs = [x.to(place) for x in given]
        check(kata.as_array, outputs=outputs).gives(right, exact=True)


def test_as_array_waits_for_its_copies(kata, check):
    """Catches non_blocking on the way to the CPU: the array is read too early. Also float64 that becomes float32."""
    given = [drawn(n, 2, seed=n).double() for n in (2, 1)]
    right = torch.cat(given).numpy()
    with Pretend() as machine:
        outputs = [x.to("cuda") for x in given]
        array = kata.as_array(outputs)
        hurried = any(move.non_blocking for move in machine.moves if move.target.type == "cpu")
    seen = {"array": array, "a copy not waited for": hurried}
    wanted = {"array": right, "a copy not waited for": False}
    check.saw(kata.as_array, seen, call="the outputs of two batches, on cuda:0").gives(wanted, exact=True)
