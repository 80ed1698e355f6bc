"""Optimizers by hand, and what they are given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.optim import Optimizer


def sgd_step(params: Sequence[Tensor], lr: float, weight_decay: float = 0.0) -> None:
    # Why: the penalty weight_decay/2 * p**2 has the slope weight_decay * p; -= reaches the leaf itself, off the record.
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                p -= lr * (p.grad + weight_decay * p)


def momentum_step(
    params: Sequence[Tensor], state: dict[Any, Any], lr: float, momentum: float, weight_decay: float = 0.0
) -> None:
    # Why: the velocity is a fading sum of all slopes so far, one for each leaf; lr scales the move, not what is kept.
    with torch.no_grad():
        for p in params:
            if p.grad is None:
                continue
            velocity = state.setdefault(p, torch.zeros_like(p))
            velocity.mul_(momentum).add_(p.grad + weight_decay * p)
            p -= lr * velocity


def adam_step(
    params: Sequence[Tensor],
    state: dict[Any, Any],
    lr: float = 1e-3,
    betas: tuple[float, float] = (0.9, 0.999),
    eps: float = 1e-8,
) -> None:
    # Why: in an average that starts at 0 the weights add up to 1 - beta**t; divided by it, it is a true mean.
    with torch.no_grad():
        for p in params:
            if p.grad is None:
                continue
            mean, square, t = state.get(p, (torch.zeros_like(p), torch.zeros_like(p), 0))
            t += 1
            mean = betas[0] * mean + (1 - betas[0]) * p.grad
            square = betas[1] * square + (1 - betas[1]) * p.grad**2
            state[p] = mean, square, t
            p -= lr * (mean / (1 - betas[0] ** t)) / ((square / (1 - betas[1] ** t)).sqrt() + eps)


def fine_tune_head(model: nn.Module, classes: int, lr: float) -> Optimizer:
    # Why: an optimizer holds the tensors it was given; so freeze first, then the new head, and the optimizer last.
    model.requires_grad_(False)
    model.head = nn.Linear(model.head.in_features, classes)
    return torch.optim.SGD(model.head.parameters(), lr=lr)
