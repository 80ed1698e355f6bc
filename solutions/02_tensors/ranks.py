"""Ranks and axes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor


def scalar(value: float) -> Tensor:
    # Why: each level of brackets is one axis; a bare number has none, so its shape is () and its rank 0.
    return torch.tensor(value)


def describe(x: Tensor) -> tuple[int, torch.Size, int]:
    # Why: the shape lists one size for each axis: its length is the rank, its product the number of elements.
    return x.ndim, x.shape, x.numel()


def row_and_column(v: Tensor) -> tuple[Tensor, Tensor]:
    # Why: unsqueeze puts an axis of size 1 at the place it names; the numbers stay in their order.
    return v.unsqueeze(0), v.unsqueeze(1)


def batch_of(examples: Sequence[Tensor]) -> Tensor:
    # Why: stack makes a new axis and lays the examples along it; cat would only lengthen one that is there.
    return torch.stack(list(examples))


def for_one(f: Callable[[Tensor], Tensor], example: Tensor) -> Tensor:
    # Why: squeeze(0) drops the axis that unsqueeze(0) added, and no other one that happens to have size 1.
    return f(example.unsqueeze(0)).squeeze(0)


def embeddings(batch: int, seq: int, dim: int, generator: torch.Generator) -> Tensor:
    # Why: a generator is a random stream of its own, so that no draw made elsewhere can shift these numbers.
    return torch.randn(batch, seq, dim, generator=generator)


def with_own_first(text: Tensor, firsts: Tensor) -> Tensor:
    # Why: expand shows one memory batch times; only after clone() has every row a place of its own to write to.
    rows = text.expand(len(firsts), -1, -1).clone()
    rows[:, 0] = firsts
    return rows
