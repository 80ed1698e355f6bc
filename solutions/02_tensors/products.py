"""Products and broadcasting."""

from __future__ import annotations

from itertools import zip_longest

import torch
from torch import Tensor


def matrix_product(a: Tensor, b: Tensor) -> Tensor:
    # Why: @ multiplies rows by columns and sums; * would multiply entry by entry and sum nothing.
    return a @ b


def affine(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    # Why: weight keeps one row for each output, so its transpose (in, out) meets x's last axis; bias joins every row.
    return x @ weight.T + bias


def dot_products(queries: Tensor, keys: Tensor) -> Tensor:
    # Why: @ multiplies the last two axes and pairs the batch axes; keys.mT turns (k, dim) into (dim, k) in each entry.
    return queries @ keys.mT


def outer(u: Tensor, v: Tensor) -> Tensor:
    # Why: a column (n, 1) times a row (m,) broadcasts to (n, m); .T cannot make the column: a vector has one axis.
    return u.unsqueeze(1) * v


def broadcast_shape(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    # Why: shapes are aligned at their last axes; what is missing in front counts as 1, and a 1 stretches to any size.
    sizes = []
    for a, b in zip_longest(reversed(one), reversed(other), fillvalue=1):
        if a != b and 1 not in (a, b):
            raise ValueError(f"cannot broadcast {one} with {other}: {a} meets {b}")
        sizes.append(b if a == 1 else a)
    return tuple(reversed(sizes))


def standardize_rows(x: Tensor) -> Tensor:
    # Why: keepdim leaves (n, 1), which meets row by row; correction=0 divides by m, where torch's default is m - 1.
    std, mean = torch.std_mean(x, dim=1, correction=0, keepdim=True)
    return (x - mean) / std


def softmax_rows(logits: Tensor) -> Tensor:
    # Why: each row's own maximum taken off changes no ratio and makes the largest exponent 0: no exp overflows.
    powers = (logits - logits.amax(dim=1, keepdim=True)).exp()
    return powers / powers.sum(dim=1, keepdim=True)


def mean_squared_error(predictions: Tensor, targets: Tensor) -> Tensor:
    # Why: with equal shapes nothing broadcasts: (N, 1) - (N,) would be all N * N pairs.
    return (predictions.flatten() - targets).square().mean()
