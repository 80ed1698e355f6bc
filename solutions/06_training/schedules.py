"""Warm-up then cosine, when a scheduler steps, and early stopping."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from torch import Tensor, nn
from torch.optim import Optimizer
from torch.optim.lr_scheduler import LambdaLR, LRScheduler

Loss = Callable[[Tensor, Tensor], Tensor]
Batches = Iterable[tuple[Tensor, Tensor]]


def warmup_cosine(step: int, warmup: int, total: int) -> float:
    # Why: small first steps while the gradients are wild, full ones in the middle, and small ones again to settle.
    if step < warmup:
        return (step + 1) / warmup
    if step >= total:
        return 0.0
    return (1 + math.cos(math.pi * (step - warmup) / (total - warmup))) / 2


def warmup_cosine_scheduler(optimizer: Optimizer, warmup: int, total: int) -> LambdaLR:
    # Why: LambdaLR asks for a function of its own count of steps, and multiplies each group's initial rate by it.
    return LambdaLR(optimizer, lambda step: warmup_cosine(step, warmup, total))


def train_by_batch(
    model: nn.Module, loss_fn: Loss, optimizer: Optimizer, scheduler: LRScheduler, loader: Batches, epochs: int
) -> list[float]:
    # Why: making the scheduler has set the first rate already, so the optimizer uses it before the scheduler moves on.
    rates = []
    for _ in range(epochs):
        for X, y in loader:
            optimizer.zero_grad()
            loss_fn(model(X), y).backward()
            rates.append(optimizer.param_groups[0]["lr"])
            optimizer.step()
            scheduler.step()
    return rates


def train_by_epoch(
    model: nn.Module, loss_fn: Loss, optimizer: Optimizer, scheduler: LRScheduler, loader: Batches, epochs: int
) -> list[float]:
    # Why: a scheduler knows neither batches nor epochs, it counts its own steps; where step() stands gives the unit.
    rates = []
    for _ in range(epochs):
        rates.append(optimizer.param_groups[0]["lr"])
        for X, y in loader:
            optimizer.zero_grad()
            loss_fn(model(X), y).backward()
            optimizer.step()
        scheduler.step()
    return rates


def snapshot(model: nn.Module) -> dict[str, Tensor]:
    # Why: the tensors of state_dict() are the model's own memory, which the next step changes; a clone has its own.
    return {name: tensor.detach().clone() for name, tensor in model.state_dict().items()}


def early_stopping(
    model: nn.Module, train_epoch: Callable[[], object], validate: Callable[[], float], patience: int, max_epochs: int
) -> list[float]:
    # Why: load_state_dict copies into the same parameters and buffers, so that everyone who holds them sees the best.
    modes = [(module, module.training) for module in model.modules()]
    best, kept, waited, losses = math.inf, snapshot(model), 0, []
    while len(losses) < max_epochs and waited < patience:
        train_epoch()
        losses.append(validate())
        if losses[-1] < best:
            best, kept, waited = losses[-1], snapshot(model), 0
        else:
            waited += 1
    model.load_state_dict(kept)
    for module, training in modes:
        module.training = training
    return losses
