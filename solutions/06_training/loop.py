"""The training loop."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from torch import Tensor, nn
from torch.optim import Optimizer

Loss = Callable[[Tensor, Tensor], Tensor]
Batches = Iterable[tuple[Tensor, Tensor]]


def train_step(model: nn.Module, loss_fn: Loss, optimizer: Optimizer, X: Tensor, y: Tensor) -> float:
    # Why: backward() adds to .grad and step() reads it: clear before the one, and let nothing come between the two.
    loss = loss_fn(model(X), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def train_epoch(model: nn.Module, loss_fn: Loss, optimizer: Optimizer, loader: Batches) -> float:
    # Why: a batch's mean loss times its size is a sum over examples; sums over batches add up, means of means do not.
    model.train()
    total, seen = 0.0, 0
    for X, y in loader:
        total += train_step(model, loss_fn, optimizer, X, y) * len(X)
        seen += len(X)
    if not seen:
        raise ValueError("the loader is empty: no batch to train on")
    return total / seen


def fit(
    model: nn.Module,
    loss_fn: Loss,
    optimizer: Optimizer,
    loader: Batches,
    epochs: int,
    after_epoch: Callable[[int, float], object] | None = None,
) -> list[float]:
    # Why: each epoch sets train mode for itself, so nothing that happens in between can spoil it; floats hold no graph.
    history = []
    for epoch in range(epochs):
        history.append(train_epoch(model, loss_fn, optimizer, loader))
        if after_epoch is not None:
            after_epoch(epoch, history[-1])
    return history
