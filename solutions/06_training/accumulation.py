"""A large batch made of small ones, and clipping."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice

from torch import Tensor, nn
from torch.optim import Optimizer

Loss = Callable[[Tensor, Tensor], Tensor]
Batch = tuple[Tensor, Tensor]


def accumulate(model: nn.Module, loss_fn: Loss, batches: Sequence[Batch]) -> None:
    # Why: backward() adds to .grad; the k-th part of each mean adds up to the mean over all, one graph at a time.
    model.zero_grad()
    for X, y in batches:
        (loss_fn(model(X), y) / len(batches)).backward()


def accumulated_step(model: nn.Module, loss_fn: Loss, optimizer: Optimizer, batches: Sequence[Batch]) -> float:
    # Why: a micro-batch's mean weighs as much as its share of the examples, so that every example counts the same.
    total = sum(len(y) for _, y in batches)
    mean = 0.0
    optimizer.zero_grad()
    for X, y in batches:
        loss = loss_fn(model(X), y) * (len(y) / total)
        loss.backward()
        mean += loss.item()
    optimizer.step()
    return mean


def accumulated_epoch(
    model: nn.Module, loss_fn: Loss, optimizer: Optimizer, loader: Iterable[Batch], k: int
) -> list[float]:
    # Why: the next k batches, or as many as there are, make a group; its step weighs it by the examples it really has.
    batches, losses = iter(loader), []
    while group := list(islice(batches, k)):
        losses.append(accumulated_step(model, loss_fn, optimizer, group))
    return losses


def clip(params: Iterable[Tensor], max_norm: float) -> float:
    # Why: one factor for all gradients makes the step shorter and keeps its direction.
    return nn.utils.clip_grad_norm_(params, max_norm).item()


def clipped_step(
    model: nn.Module, loss_fn: Loss, optimizer: Optimizer, batches: Sequence[Batch], max_norm: float
) -> float:
    # Why: only after the last backward() does .grad hold the big batch's gradient, and step() must find it clipped.
    total = sum(len(y) for _, y in batches)
    optimizer.zero_grad()
    for X, y in batches:
        (loss_fn(model(X), y) * (len(y) / total)).backward()
    norm = clip(model.parameters(), max_norm)
    optimizer.step()
    return norm
