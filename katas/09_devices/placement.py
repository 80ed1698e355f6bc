"""Placement: a device is chosen once; modules, tensors, batches, and what is made on the way are brought to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy
import torch
from torch import Tensor, nn


def best_device(available: Mapping[str, int]) -> torch.device:
    """The device to work on: cuda if there is one, else mps, else the CPU, which is always there.

    available: how many devices of a kind there are, by its name; a kind that is not named has none.
    Returns a torch.device without a number.

    >>> best_device({"mps": 1, "cpu": 1, "cuda": 0})
    device(type='mps')
    """
    raise NotImplementedError("best_device")


def requested_device(name: str | None, available: Mapping[str, int]) -> torch.device:
    """The device that somebody asks for by name, if it is there.

    name: a kind, "cuda", or a kind and a number, "cuda:1"; None: whichever is best, as in best_device.
    available: as in best_device. Of three devices of a kind the numbers are 0, 1 and 2; a kind without a number needs
    one device at least. "cpu" is always there.
    Returns the torch.device of that name. One that is not there (also a kind that nobody knows) is never replaced by
    another: ValueError that says the name.

    >>> requested_device("cuda:2", {"cuda": 4})
    device(type='cuda', index=2)
    """
    raise NotImplementedError("requested_device")


def bring(model: nn.Module, X: Tensor, y: Tensor, device: torch.device) -> tuple[Tensor, Tensor]:
    """Bring a model and a batch to a device.

    model: is moved itself, all parameters and buffers; the parameters remain the same objects.
    X, y: tensors, which may lie anywhere; those of the caller stay there.
    Returns X and y on the device, values and dtypes as before.

    >>> X, y = bring(nn.Linear(2, 1), torch.tensor([[3.0, 4.0]]), torch.tensor([1]), torch.device("cpu"))
    >>> X, y
    (tensor([[3., 4.]]), tensor([1]))
    """
    raise NotImplementedError("bring")


def trainable(values: Sequence[float], device: torch.device) -> Tensor:
    """A tensor of numbers on a device, to be trained by hand.

    values: the numbers it starts with.
    Returns a float32 tensor (len(values),) on the device. It requires a gradient and is a leaf, so that backward()
    fills its .grad.

    >>> trainable([0.5, -3.0], torch.device("cpu"))
    tensor([ 0.5000, -3.0000], requires_grad=True)
    """
    raise NotImplementedError("trainable")


def batch_to(batch: Any, device: torch.device) -> Any:
    """A batch, however it is nested, with each tensor in it on a device.

    batch: a tensor; a dict (a plain one), list, tuple or namedtuple of batches; or anything else (strings, numbers,
    None), which is left as it is.
    Returns a batch of the same make: each dict, list, tuple or namedtuple again of its type, keys and order as before.
    The caller's batch, and what is nested in it, stay as they were.

    >>> batch_to({"x": torch.tensor([7]), "names": ["a", "b"], "y": None}, torch.device("cpu"))
    {'x': tensor([7]), 'names': ['a', 'b'], 'y': None}
    """
    raise NotImplementedError("batch_to")


def mask_future(scores: Tensor) -> Tensor:
    """Attention scores in which no position sees a later one.

    scores: (..., length, length), floating, on any device; row i holds the scores of position i for all positions.
    Returns the same shape and dtype, on the same device: -inf where the column is greater than the row, else the score.

    >>> mask_future(torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
    tensor([[1., -inf],
            [3., 4.]])
    """
    raise NotImplementedError("mask_future")


class Standardize(nn.Module):
    """A module that shifts and scales features by fixed numbers: (x - mean) / std.

    mean, std: (features,), floating. They are part of the module's state under these names: they move with it, are
    saved with it, and are not trained: it has no parameters.
    A call of the module takes x (batch, features), which lies where the module lies, and gives the same shape.

    >>> Standardize(torch.tensor([1.0, 10.0]), torch.tensor([2.0, 5.0]))(torch.tensor([[7.0, 0.0]]))
    tensor([[ 3., -2.]])
    """

    def __init__(self, mean: Tensor, std: Tensor) -> None:
        raise NotImplementedError("Standardize.__init__")

    def forward(self, x: Tensor) -> Tensor:
        raise NotImplementedError("Standardize.forward")


def as_array(outputs: Sequence[Tensor]) -> numpy.ndarray:
    """The outputs of several batches as one NumPy array, ready to be read.

    outputs: one or more tensors (batch, classes) on one device, any; they may be part of a graph, and the batches may
    be of unequal size.
    Returns an array (examples, classes) of their dtype, in order. It is read at once: a copy to the CPU has arrived
    when its call returns.

    >>> as_array([torch.tensor([[1.0, 2.0]]), torch.tensor([[3.0, 4.0], [5.0, 6.0]])]).tolist()
    [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
    """
    raise NotImplementedError("as_array")
