"""Dtypes and casts."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor


def bytes_of(shape: Sequence[int], dtype: torch.dtype) -> int:
    # Why: all elements have one size, dtype.itemsize bytes, and there are as many as the product of the sizes.
    return math.prod(shape) * dtype.itemsize


def inferred(data: bool | int | float | list | np.ndarray) -> torch.dtype:
    # Why: an array has a dtype, and keeps it; of Python numbers the widest kind wins, bool below int below float.
    if isinstance(data, np.ndarray):
        return getattr(torch, data.dtype.name)
    kinds = {type(number) for number in (data if isinstance(data, list) else [data])}
    if float in kinds:
        return torch.float32
    return torch.int64 if int in kinds else torch.bool


def float32_copy(x: Tensor) -> Tensor:
    # Why: .to gives back the same tensor where there is nothing to change, unless a copy is asked for.
    return x.to(torch.float32, copy=True)


def to_integers(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    # Why: the cast itself only cuts the fraction off; any other rounding has to come before it, still in floats.
    return x.long(), x.floor().long(), x.round().long()


def in_16_bits(x: Tensor) -> Tensor:
    # Why: bfloat16 has float32's 8 bits of exponent, so its range; float16 has 5, and more bits left for precision.
    half = x.to(torch.float16)
    return x.to(torch.bfloat16) if half.isinf().any() else half


def centred(pixels: Tensor) -> Tensor:
    # Why: integers divide into a new float tensor; from there on mean and minus neither fail nor wrap around.
    scaled = pixels / 255
    return scaled - scaled.mean()


def first_loss(x: np.ndarray, y: np.ndarray, weight: list[float]) -> tuple[Tensor, Tensor]:
    # Why: one cast at the border, of everything that comes in, keeps float64 and int64 out of the training.
    inputs, targets = torch.from_numpy(x).float(), torch.from_numpy(y).float()
    w = torch.tensor(weight, dtype=torch.float32, requires_grad=True)
    return w, (inputs @ w - targets).square().mean()
