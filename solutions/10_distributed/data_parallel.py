"""Data parallel training."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel
from torch.optim import Optimizer

Loss = Callable[[Tensor, Tensor], Tensor]
Batch = tuple[Tensor, Tensor]


def wrap(model: nn.Module) -> nn.Module:
    # Why: the wrapper broadcasts rank 0's model and averages gradients in backward(); without any it has no work.
    if not any(parameter.requires_grad for parameter in model.parameters()):
        return model
    return DistributedDataParallel(model)


def labels(model: nn.Module, X: Tensor) -> Tensor:
    # Why: the wrapper has a forward, but none of the model's own methods: the model itself is its `module`.
    return (model.module if isinstance(model, DistributedDataParallel) else model).labels(X)


def new_head(model: nn.Module, classes: int) -> DistributedDataParallel:
    # Why: the wrapper notes at its start which parameters need averaging: change first, wrap last.
    model.requires_grad_(False)
    model.head = nn.Linear(model.head.in_features, classes, device=model.head.weight.device)
    return DistributedDataParallel(model)


def fit(model: nn.Module, loss_fn: Loss, batches: Iterable[Batch], lr: float) -> None:
    # Why: equal copies take equal steps on the averaged gradient; calling the wrapper is what makes backward() average.
    ddp = DistributedDataParallel(model)
    optimizer = torch.optim.SGD(ddp.parameters(), lr=lr)
    for X, y in batches:
        optimizer.zero_grad()
        loss_fn(ddp(X), y).backward()
        optimizer.step()


def broadcast_model(model: nn.Module) -> None:
    # Why: broadcast writes rank 0's numbers into the tensors of all others; buffers are part of a model too.
    for tensor in [*model.parameters(), *model.buffers()]:
        dist.broadcast(tensor.detach(), src=0)


def average_gradients(model: nn.Module) -> None:
    # Why: all_reduce adds up over the ranks; divided by their number the sum is a mean, on every rank the same.
    for parameter in model.parameters():
        if parameter.grad is not None:
            dist.all_reduce(parameter.grad)
            parameter.grad /= dist.get_world_size()


def fit_by_hand(model: nn.Module, loss_fn: Loss, batches: Iterable[Batch], lr: float) -> None:
    # Why: that is all that data parallel training is: equal at the start, and equal gradients at every step.
    broadcast_model(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    for X, y in batches:
        optimizer.zero_grad()
        loss_fn(model(X), y).backward()
        average_gradients(model)
        optimizer.step()


def accumulated_step(
    model: DistributedDataParallel, loss_fn: Loss, optimizer: Optimizer, batches: Sequence[Batch]
) -> None:
    # Why: under no_sync gradients add up on each rank alone; the last backward() averages the whole sum.
    optimizer.zero_grad()
    for i, (X, y) in enumerate(batches, start=1):
        with nullcontext() if i == len(batches) else model.no_sync():
            (loss_fn(model(X), y) / len(batches)).backward()
    optimizer.step()


def uneven_step(model: DistributedDataParallel, losses: Loss, optimizer: Optimizer, X: Tensor, y: Tensor) -> None:
    # Why: DDP divides by the number of ranks; multiplied by it, and divided by all examples, each counts the same.
    total = torch.tensor(len(y), device=y.device)
    dist.all_reduce(total)
    optimizer.zero_grad()
    (losses(model(X), y).sum() * dist.get_world_size() / total).backward()
    optimizer.step()


def uneven_epoch(model: DistributedDataParallel, loss_fn: Loss, optimizer: Optimizer, batches: Iterable[Batch]) -> None:
    # Why: a rank that has left the loop answers the others' collectives until all are through, and is not counted.
    with model.join(divide_by_initial_world_size=False):
        for X, y in batches:
            optimizer.zero_grad()
            loss_fn(model(X), y).backward()
            optimizer.step()
