"""Mismatch."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

Operand = tuple[str, tuple[int, ...]]


def sum_device(one: Operand, other: Operand) -> str | None:
    # Why: a number on the CPU goes to the GPU as an argument; all else would be a copy, which torch never hides.
    number = ("cpu", ())
    if one[0] == other[0] or other == number:
        return one[0]
    return other[0] if one == number else None


def index_device(x: Operand, index: Operand) -> str | None:
    # Why: the numbers are read where they lie; indices are small, and torch brings them along from the CPU.
    return x[0] if index[0] in (x[0], "cpu") else None


def first_elsewhere(model: nn.Module, device: torch.device) -> str | None:
    # Why: a tensor's device has its number, and torch.device("cuda") is not equal to torch.device("cuda:0").
    where = (device.type, device.index or 0)
    for name, tensor in [*model.named_parameters(), *model.named_buffers()]:
        if (tensor.device.type, tensor.device.index or 0) != where:
            return name
    return None


def diagnose(operands: Mapping[str, Tensor]) -> str | None:
    # Why: torch's own message names two devices and no operand; who prints the places of all has found the mistake.
    names: dict[str, list[str]] = {}
    for name, tensor in operands.items():
        if tensor.dim() or tensor.device.type != "cpu":
            names.setdefault(str(tensor.device), []).append(name)
    if len(names) < 2:
        return None
    return "; ".join(f"{', '.join(found)} on {device}" for device, found in names.items())
