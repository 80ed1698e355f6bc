"""Tensors and NumPy arrays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor


def from_rows(rows: Sequence[Sequence[float]]) -> Tensor:
    # Why: torch.tensor reads nested lists row by row, and Python floats become float32, torch's default.
    return torch.tensor(rows)


def shared(array: np.ndarray) -> Tensor:
    # Why: from_numpy copies nothing: it takes over the array's address, shape, strides and dtype.
    return torch.from_numpy(array)


def copied(array: np.ndarray) -> Tensor:
    # Why: array.copy() has memory of its own, laid out forwards, since a tensor cannot walk through memory backwards.
    return torch.from_numpy(array.copy())


def standardise(x: Tensor) -> Tensor:
    # Why: the expressions are NumPy's but for one default: torch's std divides by C - 1, NumPy's by C (correction=0).
    return (x - x.mean(dim=1, keepdim=True)) / x.std(dim=1, correction=0, keepdim=True)


def with_ones(x: Tensor) -> Tensor:
    # Why: new_ones makes a tensor of x's dtype on x's device, so the line runs wherever x lies.
    return torch.cat([x, x.new_ones(x.shape[0], 1)], dim=1)
