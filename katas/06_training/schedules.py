"""A learning rate that changes while training goes on, and training that stops by itself at its best."""

from __future__ import annotations

import copy  # noqa: F401
import math  # noqa: F401
from collections.abc import Callable, Iterable

import torch  # noqa: F401
from torch import Tensor, nn
from torch.optim import Optimizer
from torch.optim.lr_scheduler import LambdaLR, LRScheduler

Loss = Callable[[Tensor, Tensor], Tensor]
Batches = Iterable[tuple[Tensor, Tensor]]


def warmup_cosine(step: int, warmup: int, total: int) -> float:
    """The factor by which the learning rate is multiplied at a step: a straight way up, then half a cosine down.

    step: counted from 0. warmup: the number of steps on the way up, 0 or more. total: the number of all steps, 1 or
    more and not less than warmup.
    On the way up the factor is 1/warmup at step 0, 2/warmup at step 1, and so on, up to 1 at step warmup - 1. From step
    warmup on it follows the cosine's fall from its crest to its trough, moved and scaled: 1 at step warmup, 0.5 halfway
    between warmup and total, 0 at step total. At every step after that it stays 0.
    Returns a Python float.

    >>> [warmup_cosine(step, warmup=2, total=6) for step in (0, 1, 2, 4, 6, 7)]
    [0.5, 1.0, 1.0, 0.5, 0.0, 0.0]
    """
    raise NotImplementedError("warmup_cosine")


def warmup_cosine_scheduler(optimizer: Optimizer, warmup: int, total: int) -> LambdaLR:
    """A scheduler that multiplies every group's own learning rate by warmup_cosine.

    optimizer: has one or more parameter groups, each with a learning rate of its own, which is the one to multiply.
    warmup, total: as in warmup_cosine, in steps of the optimizer.
    Returns the scheduler. Its step() will be called once after each step of the optimizer: the first step is taken with
    the factor of step 0, the next with that of step 1, and so on.

    >>> sgd = torch.optim.SGD([torch.zeros(2, requires_grad=True)], lr=8.0)
    >>> scheduler = warmup_cosine_scheduler(sgd, warmup=2, total=6)
    >>> for _ in range(3):
    ...     print(sgd.param_groups[0]["lr"])
    ...     sgd.step()
    ...     scheduler.step()
    4.0
    8.0
    8.0
    """
    raise NotImplementedError("warmup_cosine_scheduler")


def train_by_batch(
    model: nn.Module, loss_fn: Loss, optimizer: Optimizer, scheduler: LRScheduler, loader: Batches, epochs: int
) -> list[float]:
    """Train with a scheduler that counts batches, as warm-up does: its step() comes after each step of the optimizer.

    model, loss_fn, optimizer, loader: one step of the optimizer for each batch (X, y) of the loader, in each of the
    epochs, with the gradient of loss_fn(model(X), y) alone. The model is in train mode already and stays in it. The
    optimizer has one parameter group.
    scheduler: was made for this optimizer, which has made no step yet; of any kind whose step() takes no argument. The
    first batch is trained with the learning rate that the optimizer has now. The scheduler steps after the last batch
    too.
    Returns for each step of the optimizer, in order, the learning rate that it was taken with, as a Python float.

    >>> model = nn.Linear(1, 1)
    >>> sgd = torch.optim.SGD(model.parameters(), lr=0.5)
    >>> halving = torch.optim.lr_scheduler.StepLR(sgd, step_size=1, gamma=0.5)
    >>> batches = [(torch.zeros(1, 1), torch.zeros(1, 1))] * 2
    >>> train_by_batch(model, nn.MSELoss(), sgd, halving, batches, epochs=2)
    [0.5, 0.25, 0.125, 0.0625]
    """
    raise NotImplementedError("train_by_batch")


def train_by_epoch(
    model: nn.Module, loss_fn: Loss, optimizer: Optimizer, scheduler: LRScheduler, loader: Batches, epochs: int
) -> list[float]:
    """Train with a scheduler that counts epochs: its step() comes once after each epoch.

    All as in train_by_batch, but that every batch of an epoch is trained with the same learning rate: those of the
    first epoch with the one that the optimizer has now. The scheduler steps after the last epoch too.
    Returns for each epoch, in order, the learning rate that its steps were taken with, as a Python float.

    >>> model = nn.Linear(1, 1)
    >>> sgd = torch.optim.SGD(model.parameters(), lr=0.5)
    >>> halving = torch.optim.lr_scheduler.StepLR(sgd, step_size=1, gamma=0.5)
    >>> batches = [(torch.zeros(1, 1), torch.zeros(1, 1))] * 2
    >>> train_by_epoch(model, nn.MSELoss(), sgd, halving, batches, epochs=2)
    [0.5, 0.25]
    """
    raise NotImplementedError("train_by_epoch")


def snapshot(model: nn.Module) -> dict[str, Tensor]:
    """A copy of what the model's state dict holds, which stays as it is while the model is trained further.

    model: is not changed.
    Returns a dict with the names of the state dict, those of parameters and of buffers. Each tensor has the value and
    the dtype that the model's has now, memory of its own, and requires no gradient.

    >>> model = nn.Linear(1, 1, bias=False)
    >>> _ = nn.init.constant_(model.weight, 2.0)
    >>> kept = snapshot(model)
    >>> _ = nn.init.zeros_(model.weight)
    >>> kept["weight"]
    tensor([[2.]])
    """
    raise NotImplementedError("snapshot")


def early_stopping(
    model: nn.Module, train_epoch: Callable[[], object], validate: Callable[[], float], patience: int, max_epochs: int
) -> list[float]:
    """Train until the validation loss no longer improves, and leave the model as it was after its best epoch.

    train_epoch: trains the model for one epoch, in place. validate: gives the validation loss, a Python float. An epoch
    is one call of train_epoch() and then one of validate(). Both may switch the modes of the model and its submodules.
    An epoch improves if its loss is lower than in every epoch before: an equal one does not, so that the first of
    equals is the best; how much lower does not matter. A loss of NaN is no improvement, and the epochs after it are
    compared with those before it. Losses may be negative, and at least one is a number.
    patience: 1 or more. Training ends as soon as that many epochs in a row have not improved; at the latest after
    max_epochs epochs, 1 or more.
    Afterwards the parameters and the buffers of the state dict have the values they had after the best epoch, to the
    bit, in whatever way training ended. The parameters are the same objects as before, since an optimizer may hold
    them. Each module is in train or eval mode as it was before the call.
    Returns the validation losses of all epochs that ran, in order.

    >>> model = nn.Linear(1, 1, bias=False)
    >>> _ = nn.init.zeros_(model.weight)
    >>> losses = iter([3.0, 1.0, 2.0, 4.0, 0.5])
    >>> early_stopping(model, lambda: model.weight.data.add_(1.0), lambda: next(losses), patience=2, max_epochs=5)
    [3.0, 1.0, 2.0, 4.0]
    >>> model.weight.item()
    2.0
    """
    raise NotImplementedError("early_stopping")
