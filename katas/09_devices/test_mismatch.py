"""The specification of mismatch.py."""

import functools

import pytest
import torch
from torch import nn

from torchkatas.pretend import devices, on

GPUS = pytest.mark.parametrize("device", devices()[1:3])  # pretended, and real: other kinds have rules of their own
DEVICES = pytest.mark.parametrize("device", devices())


def there(rows):
    """The rows whose devices exist: a real machine may have but one."""
    return [row for row in rows if "cuda:1" not in str(row) or torch.cuda.device_count() != 1]


def really(operation, pairs):
    """Where the result lies on this device; None where it is refused."""
    out = []
    for one, other in pairs:
        try:
            out.append(str(operation(torch.ones(one[1], device=one[0]), torch.zeros(other[1], device=other[0])).device))
        except RuntimeError:
            out.append(None)
    return out


def told(function):
    """The function, with a RuntimeError told as a value: its words are the learner's own."""

    @functools.wraps(function)
    def asked(*args, **inputs):
        try:
            return function(*args, **inputs)
        except NotImplementedError:  # a RuntimeError too
            raise
        except RuntimeError:
            return "RuntimeError"

    return asked


# ---- sum_device

SUMS = [
    (("cpu", (3,)), ("cpu", (2, 3))),
    (("cuda:0", (3,)), ("cuda:0", ())),
    (("cuda:0", (3,)), ("cpu", (3,))),
    (("cpu", (3,)), ("cuda:0", (3,))),
    (("cuda:0", (3,)), ("cpu", ())),
    (("cpu", ()), ("cuda:0", (2, 3))),
    (("cpu", (3,)), ("cuda:0", ())),
    (("cuda:0", ()), ("cpu", (3,))),
    (("cuda:0", (3,)), ("cpu", (1,))),
    (("cpu", (1, 1)), ("cuda:0", (3,))),
    (("cuda:0", ()), ("cpu", ())),
    (("cpu", ()), ("cuda:0", ())),
    (("cpu", ()), ("cpu", ())),
    (("cuda:0", (3,)), ("cuda:1", (3,))),
    (("cuda:1", ()), ("cuda:0", ())),
    (("cuda:1", (3,)), ("cuda:1", (3,))),
    (("cpu", ()), ("cuda:1", (3,))),
]


@pytest.mark.fact("09.2")
@GPUS
def test_sum_device_of_each_pair(kata, check, device):
    """Catches a copy that torch does not make, and a number that is refused or let through on the wrong side."""
    with on(device):
        rows = there(SUMS)
        right = really(torch.add, rows)
    check.each(told(kata.sum_device), rows).gives(right)


# ---- index_device

INDICES = [
    (("cpu", (3,)), ("cpu", (2,))),
    (("cuda:0", (3,)), ("cuda:0", (2,))),
    (("cuda:0", (3,)), ("cpu", (2,))),
    (("cuda:0", (4, 3)), ("cpu", (1,))),
    (("cpu", (3,)), ("cuda:0", (2,))),
    (("cpu", (4, 3)), ("cuda:0", (2, 2))),
    (("cuda:1", (3,)), ("cpu", (2,))),
    (("cuda:1", (3,)), ("cuda:0", (2,))),
    (("cuda:0", (3,)), ("cuda:1", (1,))),
    (("cuda:1", (3,)), ("cuda:1", (2,))),
]


@pytest.mark.fact("09.2")
@GPUS
def test_index_device_of_each_pair(kata, check, device):
    """Catches the rule of sums, one that lets indices through from everywhere, and a result that lies with them."""
    with on(device):
        rows = there(INDICES)
        right = really(lambda x, index: x[index.long()], rows)
    check.each(told(kata.index_device), rows).gives(right)


# ---- first_elsewhere


class Net(nn.Module):
    """Parameters and buffers at two depths, one of them not persistent, and buffers of its own."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))
        self.head = nn.Linear(3, 1)
        self.register_buffer("mask", torch.ones(3), persistent=False)
        self.register_buffer("mean", torch.ones(3))

    def __repr__(self):
        return f"Net with {', '.join(self.far) or 'nothing'} elsewhere"


def net(place, elsewhere, *far):
    """A model on a place but for what is named, which lies elsewhere."""
    model = Net().to(place)
    model.far = far
    for name in far:
        owner, _, last = name.rpartition(".")
        module = model.get_submodule(owner)
        tensor = getattr(module, last).detach().to(elsewhere)
        setattr(module, last, nn.Parameter(tensor) if last in ("weight", "bias") else tensor)
    return model


FAR = {
    (): None,
    ("body.0.weight",): "body.0.weight",
    ("head.bias",): "head.bias",
    ("body.1.bias", "head.weight"): "body.1.bias",
    ("body.1.running_var",): "body.1.running_var",
    ("mask",): "mask",
    ("mean",): "mean",
    ("body.1.num_batches_tracked", "head.bias"): "head.bias",
    ("mask", "body.1.running_mean"): "mask",
}


@pytest.mark.fact("09.2")
@DEVICES
def test_first_elsewhere_in_a_model(kata, check, device):
    """Catches buffers that are forgotten, the last one named, and one that is looked for at the first level alone."""
    with on(device) as place:
        far = "meta" if place.type == "cpu" else "cpu"
        rows = [{"model": net(place, far, *names), "device": place} for names in FAR]
        check.each(kata.first_elsewhere, rows).gives(list(FAR.values()))


@pytest.mark.fact("09.2")
@pytest.mark.parametrize("device", devices()[1:])
def test_first_elsewhere_without_a_number(kata, check, device):
    """Catches torch.device("cuda") compared with cuda:0, which is not equal."""
    with on(device) as place:
        kind = torch.device(place.type)
        rows = [{"model": net(place, "cpu", *names), "device": kind} for names in FAR]
        check.each(kata.first_elsewhere, rows).gives(list(FAR.values()))


@pytest.mark.fact("09.2")
def test_first_elsewhere_on_another_gpu(kata, check):
    """Catches two devices of a kind taken for one, and a device without a number taken for any of its kind."""
    with on("pretend"):
        rows = [
            {"model": net("cuda:1", "cuda:0", *names), "device": torch.device(device)}
            for device in ("cuda:1", "cuda:0", "cuda")
            for names in [(), ("head.bias",), ("body.0.weight", "mask", "mean")]
        ]
        right = [None, "head.bias", "body.0.weight", *["body.0.weight", "body.0.weight", "body.0.bias"] * 2]
        check.each(kata.first_elsewhere, rows).gives(right)


# ---- diagnose


@pytest.mark.fact("09.2")
@DEVICES
def test_diagnose_of_operands(kata, check, device):
    """Catches a number on the CPU that is blamed, one elsewhere that is not, and names without their places."""
    with on(device) as place:
        gpu = torch.device("meta") if place.type == "cpu" else place

        def tensors(**shapes):
            """A shape on the CPU, or one on the device in a list."""
            return {
                name: torch.ones(shape[0], device=gpu) if isinstance(shape, list) else torch.ones(shape)
                for name, shape in shapes.items()
            }

        table = [
            (tensors(x=(3,), y=(2, 3)), None),
            (tensors(x=[(3,)], y=[()], z=[(1,)]), None),
            (tensors(x=[(3,)], y=(3,)), f"x on {gpu}; y on cpu"),
            (tensors(labels=(3,), outputs=[(3,)]), f"labels on cpu; outputs on {gpu}"),
            (tensors(x=[(3,)], scale=()), None),
            (tensors(scale=(), x=[(3,)], eps=()), None),
            (tensors(x=[()], y=(3,)), f"x on {gpu}; y on cpu"),
            (tensors(x=[(3,)], bias=(1,)), f"x on {gpu}; bias on cpu"),
            (tensors(x=[(3,)], scale=(), mean=(3,), w=[(2, 3)], std=(3,)), f"x, w on {gpu}; mean, std on cpu"),
            (tensors(a=(), b=()), None),
            (tensors(a=(2,)), None),
        ]
        rows, right = zip(*table, strict=True)
        check.each(kata.diagnose, [{"operands": row} for row in rows]).gives(list(right))


def test_diagnose_of_three_devices(kata, check):
    """Catches a line that knows two devices alone."""
    with on("pretend"):
        operands = {
            "x": torch.ones(2, device="cuda:1"),
            "y": torch.ones(2),
            "z": torch.ones(2, device="cuda:0"),
            "w": torch.ones(1, 2, device="cuda:1"),
        }
        check(kata.diagnose, operands=operands).gives("x, w on cuda:1; y on cpu; z on cuda:0")
