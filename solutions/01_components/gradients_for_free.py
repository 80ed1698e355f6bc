"""The slope of any function."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor


def slope(f: Callable[[Tensor], Tensor], x: float) -> float:
    # Why: f runs on a leaf that requires a gradient, so each operation is recorded; backward() walks the record to it.
    leaf = torch.tensor(x, requires_grad=True)
    f(leaf).backward()
    return leaf.grad.item()


def tent(x: Tensor, n: int) -> Tensor:
    # Why: Python's if and for choose at run time, and the graph holds only the operations that this call really ran.
    for _ in range(n):
        x = 2 * x if x < 0.5 else 2 - 2 * x
    return x


def gradient(f: Callable[[Tensor], Tensor], point: Tensor) -> Tensor:
    # Why: one walk from the result back to the leaf collects the slope along every axis, however many there are.
    leaf = point.clone().requires_grad_()
    f(leaf).backward()
    return leaf.grad


def descend(f: Callable[[Tensor], Tensor], x: float, lr: float, steps: int) -> float:
    # Why: each step asks for the slope at the new x: f is run again and builds a new graph there.
    for _ in range(steps):
        x -= lr * slope(f, x)
    return x
