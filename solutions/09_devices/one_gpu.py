"""One GPU."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import torch
from torch import Tensor, nn
from torch.optim import Optimizer

Loss = Callable[[Tensor, Tensor], Tensor]
Batches = Iterable[tuple[Tensor, Tensor]]


def train_step(
    model: nn.Module, loss_fn: Loss, optimizer: Optimizer, X: Tensor, y: Tensor, device: torch.device
) -> float:
    # Why: the batch is moved, all of it, before anything is computed; after that the step knows of no device.
    X, y = X.to(device), y.to(device)
    loss = loss_fn(model(X), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def train(
    model: nn.Module, loss_fn: Loss, loader: Batches, epochs: int, lr: float, device: torch.device
) -> list[float]:
    # Why: three lines know of the device: where it is chosen, model.to once, and the batch's .to in the loop.
    model.to(device).train()
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    history = []
    for _ in range(epochs):
        total, seen = 0.0, 0
        for X, y in loader:
            total += train_step(model, loss_fn, optimizer, X, y, device) * len(X)
            seen += len(X)
        history.append(total / seen)
    return history


def accuracy(model: nn.Module, loader: Batches, device: torch.device) -> float:
    # Why: the count grows on the device, where answers and labels meet; the CPU asks for one number, at the end.
    right, seen = torch.zeros((), device=device), 0
    with torch.no_grad():
        for X, y in loader:
            right += (model(X.to(device)).argmax(dim=1) == y.to(device)).sum()
            seen += len(X)
    return right.item() / seen
