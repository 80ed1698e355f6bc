"""Sums in .grad, clearing, and several losses on one graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import torch
from torch import Tensor


def gradient_history(loss: Callable[[Tensor], Tensor], w: Tensor, rounds: int) -> list[Tensor]:
    # Why: backward() adds to .grad in place, so that the same tensor grows round by round; only a clone keeps a moment.
    leaf = w.clone().requires_grad_()
    history = []
    for _ in range(rounds):
        loss(leaf).backward()
        history.append(leaf.grad.clone())
    return history


def clear(params: Iterable[Tensor]) -> None:
    # Why: None is what zero_grad() sets; the next backward() then stores its gradient instead of adding to an old one.
    for p in params:
        p.grad = None


def fresh_gradients(loss: Callable[[], Tensor], params: Sequence[Tensor]) -> None:
    # Why: backward() only ever adds, so every .grad must be empty before it runs, that of unused parameters too.
    for p in params:
        p.grad = None
    loss().backward()


def backward_all(losses: Sequence[Tensor]) -> None:
    # Why: the gradient of a sum is the sum of the gradients, and one walk passes the shared part just once.
    sum(losses).backward()


def separate_gradients(losses: Sequence[Tensor], w: Tensor) -> list[Tensor]:
    # Why: retain_graph keeps the saved values of the shared part for the next walk; autograd.grad leaves .grad alone.
    return [torch.autograd.grad(loss, w, retain_graph=True)[0] for loss in losses]
