"""Losses from raw logits, by hand and by torch."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import Tensor


def cross_entropy(logits: Tensor, targets: Tensor) -> Tensor:
    # Why: less its own maximum no row overflows, its sum is at least exp(0) = 1, and the shift cancels in the loss.
    shifted = logits - logits.amax(dim=1, keepdim=True)
    log_sum = shifted.exp().sum(dim=1).log()
    return (log_sum - shifted.gather(1, targets.unsqueeze(1)).squeeze(1)).mean()


def class_loss(logits: Tensor, labels: Tensor) -> Tensor:
    # Why: cross_entropy takes raw logits and int64 of shape (N,); what the cast would hide is refused before it.
    n, classes = logits.shape
    if labels.shape not in ((n,), (n, 1)):
        raise ValueError(f"labels of shape {tuple(labels.shape)} where ({n},) or ({n}, 1) is asked")
    targets = labels.reshape(n).long()
    if (targets != labels.reshape(n)).any():
        raise ValueError("a label is not a whole number")
    if targets.min() < 0 or targets.max() >= classes:
        raise ValueError(f"a label names no class from 0 to {classes - 1}")
    return F.cross_entropy(logits, targets)


def bce_with_logits(logits: Tensor, targets: Tensor) -> Tensor:
    # Why: log(1 + exp(x)) is max(x, 0) + log(1 + exp(-|x|)); maximum has the slope 1/2 at 0, which is sigmoid(0).
    return (torch.maximum(logits, torch.zeros_like(logits)) - logits * targets + (-logits.abs()).exp().log1p()).mean()


def binary_loss(logits: Tensor, labels: Tensor) -> Tensor:
    # Why: one logit for each example takes the loss with a sigmoid inside, and floats of its own shape for targets.
    return F.binary_cross_entropy_with_logits(logits, labels.to(logits.dtype).unsqueeze(1))


def both_gradients(logits: Tensor, targets: Tensor) -> tuple[Tensor, Tensor]:
    # Why: the slope of a softmax is p * (1 - p): where the model is sure, and be it wrong, nothing comes through it.
    raw, softmaxed = logits.clone().requires_grad_(), logits.clone().requires_grad_()
    F.cross_entropy(raw, targets).backward()
    F.cross_entropy(torch.softmax(softmaxed, dim=1), targets).backward()
    return raw.grad, softmaxed.grad


def lowest_loss(classes: int) -> float:
    # Why: taken for logits, a 1 and zeros are not sure of anything: log(e + (C - 1) * exp(0)) - 1 is left.
    return math.log(math.e + classes - 1) - 1
