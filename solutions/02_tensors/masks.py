"""Masks."""

from __future__ import annotations

import torch
from torch import Tensor


def above(x: Tensor, threshold: float = 0.5) -> Tensor:
    # Why: a comparison gives one bool for each element; .bool() instead asks only whether it differs from 0.
    return x > threshold


def kept(x: Tensor, keep: Tensor) -> Tensor:
    # Why: a bool index filters, an integer index picks by position: 0 and 1 would be rows 0 and 1.
    return x[keep.bool()]


def padding_mask(lengths: Tensor) -> Tensor:
    # Why: positions (longest,) against lengths (batch, 1) broadcast to (batch, longest): each row has its own length.
    return torch.arange(lengths.max().item()) < lengths.unsqueeze(1)


def causal_mask(n: int) -> Tensor:
    # Why: tril keeps the diagonal and what lies below it: the columns j <= i, the present and the past.
    return torch.ones(n, n, dtype=torch.bool).tril()


def attention_weights(scores: Tensor, visible: Tensor) -> Tensor:
    # Why: exp(-inf) is exactly 0, whatever the other scores are, and softmax then divides by the visible ones alone.
    return scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)


def masked_mean(x: Tensor, mask: Tensor) -> Tensor:
    # Why: filling in 0 removes NaN, as NaN * 0 would not; the sum is divided by the tokens that went into it.
    total = x.masked_fill(~mask.unsqueeze(-1), 0.0).sum(dim=1)
    return total / mask.sum(dim=1, keepdim=True).clamp(min=1)
