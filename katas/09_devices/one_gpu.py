"""One GPU: the training loop of 06 on whatever device it is handed."""

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
    """Train a model on one batch, as in 06, on a device.

    model: lies on the device already, in train mode. loss_fn: loss_fn(outputs, y) gives the mean loss of the batch.
    optimizer: holds the model's parameters.
    X, y: lie on the CPU, as a DataLoader gives them, or on the device already; the caller's own tensors stay there.
    Forward pass, loss and backward pass all run on the device. Each tensor of the batch is copied there at most once,
    and nothing but a number comes back. The step follows the gradients of this batch alone.
    Returns the loss before the step, a Python float.

    >>> model = nn.Linear(1, 1, bias=False)
    >>> _ = nn.init.constant_(model.weight, 3.0)
    >>> sgd = torch.optim.SGD(model.parameters(), lr=0.125)
    >>> train_step(model, nn.MSELoss(), sgd, torch.tensor([[2.0]]), torch.tensor([[4.0]]), torch.device("cpu"))
    4.0
    """
    raise NotImplementedError("train_step")


def train(
    model: nn.Module, loss_fn: Loss, loader: Batches, epochs: int, lr: float, device: torch.device
) -> list[float]:
    """Train a model on a device, by plain gradient descent with the learning rate lr.

    model: may lie anywhere. It is trained itself, no copy of it, in train mode; its parameters remain the same objects,
    and all of it lies on the device afterwards.
    loader: gives pairs (X, y) on the CPU, at least one; it is gone through anew in each epoch, and may shuffle.
    Each batch is trained on as in train_step: copied to the device once, and nothing but numbers comes back. What the
    model holds is copied there once for the whole training.
    Returns the mean loss over the examples of each epoch, Python floats in a list.

    >>> model = nn.Linear(1, 1, bias=False)
    >>> _ = nn.init.constant_(model.weight, 3.0)
    >>> batches = [(torch.tensor([[2.0]]), torch.tensor([[4.0]]))]
    >>> train(model, nn.MSELoss(), batches, epochs=3, lr=0.0625, device=torch.device("cpu"))
    [4.0, 1.0, 0.25]
    """
    raise NotImplementedError("train")


def accuracy(model: nn.Module, loader: Batches, device: torch.device) -> float:
    """The share of examples that a model on a device gets right.

    model: lies on the device, in eval mode, and stays so; model(X) gives logits (batch, classes), and the greatest one
    is the answer.
    loader: gives pairs (X, y) on the CPU, at least one; y holds classes (batch,). The last batch may be smaller. Each
    tensor of a batch is copied to the device at most once.
    Returns a Python float from 0 to 1: right answers over all examples.

    >>> X, y = torch.tensor([[1.0, 3.0], [2.0, 0.0], [5.0, 4.0]]), torch.tensor([1, 0, 1])
    >>> accuracy(nn.Identity(), [(X[:2], y[:2]), (X[2:], y[2:])], torch.device("cpu"))
    0.6666666666666666
    """
    raise NotImplementedError("accuracy")
