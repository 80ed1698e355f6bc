"""Mismatch: which operands may lie on different devices, and which tensor is the one that does not belong."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

Operand = tuple[str, tuple[int, ...]]  # a tensor: its device, its shape


def sum_device(one: Operand, other: Operand) -> str | None:
    """Where the sum of two tensors lies, as for any operation that goes element by element.

    one, other: the device, with its number or "cpu", and the shape. The shapes fit by broadcasting.
    Returns the device of the result; None where torch would raise RuntimeError, for the two may not meet.
    Nothing is raised here.

    >>> sum_device(("cuda:3", (2,)), ("cuda:3", (5, 2)))
    'cuda:3'
    """
    raise NotImplementedError("sum_device")


def index_device(x: Operand, index: Operand) -> str | None:
    """Where x[index] lies, for a tensor of indices or of bools with one dimension or more.

    x, index: as in sum_device. The values of the index are in range.
    Returns the device of the result; None where torch would raise RuntimeError. Nothing is raised here.

    >>> index_device(("cuda:3", (5, 2)), ("cuda:3", (4,)))
    'cuda:3'
    """
    raise NotImplementedError("index_device")


def first_elsewhere(model: nn.Module, device: torch.device) -> str | None:
    """The name of the first parameter or buffer of a model that does not lie on a device.

    model: may have submodules of any depth. All parameters come before all buffers, each in the model's own order.
    device: one without a number, as torch.device("cuda"), means number 0 of its kind.
    Returns the name as the model gives it, "body.0.weight"; None where all lie on the device.

    >>> first_elsewhere(nn.Sequential(nn.Flatten(), nn.Linear(2, 1, device="meta")), torch.device("cpu"))
    '1.weight'
    """
    raise NotImplementedError("first_elsewhere")


def diagnose(operands: Mapping[str, Tensor]) -> str | None:
    """One line on operands that may not meet in an operation that goes element by element.

    operands: tensors by name, one or more, on any devices.
    Returns None where they may meet. Else each device with the names of what lies on it, both in the order in which
    they appear: "x, weight on cuda:0; bias on cpu". A number on the CPU that has no dimensions may meet anything, and
    is not named.

    >>> diagnose({"x": torch.ones(2), "w": torch.ones(2, device="meta"), "b": torch.ones(1)})
    'x, b on cpu; w on meta'
    """
    raise NotImplementedError("diagnose")
