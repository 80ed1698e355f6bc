"""The pretend device: it gives what the CPU gives, refuses what a real device refuses, and says what it does not know.

`python -m pytest tests/test_pretend.py -m cuda` judges the programs on a real device: the same must hold there.
"""

from __future__ import annotations

import pytest
import torch
from torch import nn

from tests.device_programs import CPU, OPEN, REFUSED, WORKS, at, linear, m, v
from torchkatas.check import _short
from torchkatas.compare import difference, same
from torchkatas.pretend import COUNT, Move, NotProven, Pretend, devices, home, on

DEVICES = devices()[:3]  # Apple's has rules of its own


@pytest.mark.parametrize("device", DEVICES[1:])
@pytest.mark.parametrize("name", WORKS)
def test_gives_what_the_cpu_gives(name, device):
    """Catches a claim that is lost or refused where there is one device alone, and a value that is not the CPU's."""
    torch.manual_seed(0)
    right = WORKS[name](CPU)
    with on(device) as place:
        assert WORKS[name](place) == right


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", REFUSED)
def test_refuses_what_a_device_refuses(name, device):
    """Catches a mix that goes through, and one that is refused with another class."""
    kind, program = REFUSED[name] if isinstance(REFUSED[name], tuple) else (RuntimeError, REFUSED[name])
    with on(device) as place:
        if place == CPU:
            program(place)  # so that it is refused for where things lie, and for nothing else
        else:
            with pytest.raises(kind):
                program(place)


@pytest.mark.parametrize("name", OPEN)
def test_leaves_open_what_it_does_not_know(name):
    """Catches a guess."""
    with pytest.raises(NotProven, match="not proven here"), on("pretend") as place:
        OPEN[name](place)


def test_not_proven_is_a_skip():
    """Catches an answer whose `except Exception` swallows it."""
    assert issubclass(NotProven, pytest.skip.Exception)
    assert not issubclass(NotProven, Exception)


def test_what_was_not_proven_stays_so():
    """Catches an answer that falls back on other lines, by a bare `except` or a `return` in `finally`."""

    def fall_back(place, error=None):
        try:
            return torch.fft.fft(v(place))
        except BaseException:
            if error:
                raise error from None
            return v(place)

    for error in (None, ValueError("which is no failure either")):
        with pytest.raises(NotProven, match="fft"), on("pretend") as place:
            fall_back(place, error)


def test_has_two_devices():
    """Catches cuda:0 and cuda:1 taken for one, and a third."""
    with on("pretend"):
        first, second = torch.zeros(2, device="cuda"), v().to(1)[:2]
        assert (first.device, second.device) == (torch.device("cuda", 0), torch.device("cuda", COUNT - 1))
        assert linear().cuda(1)(m().to("cuda:1")).get_device() == 1
        with pytest.raises(RuntimeError, match="at least two devices, cuda:0 and cuda:1"):
            first + second
        with pytest.raises(RuntimeError, match="at least two devices"):
            first[0] + second[0]
        with pytest.raises(RuntimeError, match="ordinal"):
            v().to(f"cuda:{COUNT}")


def test_names_the_function_and_the_devices():
    """Catches a refusal that does not say what met."""
    text = r"Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu! \(in mul\)"
    with on("pretend") as place, pytest.raises(RuntimeError, match=text):
        v(place) * v()


def test_shows_the_device():
    """Catches a repr in which a claimed tensor looks like one on the CPU."""
    with on("pretend") as place:
        x = v(place).requires_grad_()
        assert repr(v(place)) == f"{v(place)}" == "tensor([ 1., -2.,  4.], device='cuda:0')"
        assert repr(x) == "tensor([ 1., -2.,  4.], device='cuda:0', requires_grad=True)"
        assert repr(x * 2) == "tensor([ 2., -4.,  8.], device='cuda:0', grad_fn=<MulBackward0>)"
        assert repr(nn.Parameter(v(place))).endswith("4.], device='cuda:0', requires_grad=True)")
        assert repr(v(place).short()) == "tensor([ 1, -2,  4], device='cuda:0', dtype=torch.int16)"
        assert repr(v()) == "tensor([ 1., -2.,  4.])"


def test_lists_what_was_copied_across():
    """Catches a copy that is not seen, a view or a dtype taken for one, and non_blocking lost."""
    with Pretend() as machine:
        there = torch.device("cuda", 0)
        linear().to("cuda")
        x = m().to(there, non_blocking=True)
        x.to(there).double().T.sum().item()
        x.cpu()
        x[0] = v()
        torch.zeros(3).copy_(x[1])
    shape = torch.Size
    assert machine.moves == [
        Move(CPU, there, shape([2, 3]), False),
        Move(CPU, there, shape([2]), False),
        Move(CPU, there, shape([2, 3]), True),
        Move(there, CPU, shape([2, 3]), False),
        Move(CPU, there, shape([3]), False),
        Move(there, CPU, shape([3]), False),
    ]


def test_the_claim_outlives_the_device():
    """Catches a claim that is forgotten once nobody pretends any more: a failure is told after that."""
    with on("pretend") as place:
        x = m(place)
    assert home(x) == home(x.T[0]) == place
    assert x.device == CPU
    assert difference(m(), x).slip == "The result lies on cpu where cuda:0 is asked."
    assert not same([x], [m()])
    assert _short([x[0]]) == "[tensor([ 1., 2., -3.], device='cuda:0')]"


def test_leaves_no_trace():
    """Catches torch changed for whoever comes next."""
    before = torch.cuda.is_available(), torch.Tensor.to, torch.zeros
    with on("pretend") as place:
        at(place, v(place))
    assert (torch.cuda.is_available(), torch.Tensor.to, torch.zeros) == before
    assert v().device == torch.zeros(1).device == CPU
