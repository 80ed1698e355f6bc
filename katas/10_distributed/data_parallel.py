"""Data parallel training: each rank has a copy of the model and a part of each batch, and all copies stay equal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import torch  # noqa: F401 - for an optimizer
import torch.distributed as dist  # noqa: F401 - for the collectives
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel
from torch.optim import Optimizer

Loss = Callable[[Tensor, Tensor], Tensor]
Batch = tuple[Tensor, Tensor]


def wrap(model: nn.Module) -> nn.Module:
    """Make a model ready to be trained by all ranks together.

    Every rank calls this, in a process group that is up, each with a model of its own on its own device; some of its
    parameters may be frozen (requires_grad is False), other than that the models differ only in their numbers.
    Returns the model wrapped in DistributedDataParallel. From then on the parameters and buffers of the model itself,
    no copy of it, are those of rank 0.
    A model of which all parameters are frozen has nothing to be trained: it comes back itself, unwrapped and unchanged.

    >>> model = nn.Linear(3, 1).requires_grad_(False)
    >>> wrap(model) is model
    True
    """
    raise NotImplementedError("wrap")


def labels(model: nn.Module, X: Tensor) -> Tensor:
    """What the model's own method `labels` gives for X, whether the model is wrapped in DistributedDataParallel or not.

    model: has a method labels(X), or is a DistributedDataParallel around a model that has. A model that is not wrapped
    has no attribute `module`.

    >>> class Signs(nn.Module):
    ...     def labels(self, X):
    ...         return (X > 0).long()
    >>> labels(Signs(), torch.tensor([0.5, -2.0]))
    tensor([1, 0])
    """
    raise NotImplementedError("labels")


def new_head(model: nn.Module, classes: int) -> DistributedDataParallel:
    """Make a trained model ready for another task: a new head is trained by all ranks together, the rest is frozen.

    model: has an attribute `head`, an nn.Linear, and at least one other module. All its parameters may be trained.
    Its head is replaced by a new nn.Linear with a bias, as many inputs and `classes` outputs, on the same device; all
    other parameters are frozen (requires_grad is False). It is changed itself, no copy of it.
    Every rank calls this. Returns the model wrapped in DistributedDataParallel, ready for any number of steps: the head
    starts alike on all ranks, and each backward() averages its gradients.

    >>> new_head(model, classes=5).module.head  # doctest: +SKIP
    Linear(in_features=4, out_features=5, bias=True)
    """
    raise NotImplementedError("new_head")


def fit(model: nn.Module, loss_fn: Loss, batches: Iterable[Batch], lr: float) -> None:
    """Train a model by all ranks together: a step of plain SGD for each batch, w <- w - lr * gradient.

    model: not wrapped yet; another one on each rank. It is trained itself, no copy of it.
    loss_fn: loss_fn(outputs, y) gives the mean loss over the examples, a scalar tensor.
    batches: the pairs (X, y) of this rank. Every rank has as many, and the i-th is of the same size on all ranks.
    All ranks start from the model of rank 0, and the i-th step follows the gradient of the loss over the i-th batches
    of all ranks, joined into one: after each step the parameters are the same on all ranks, to the bit.
    With DistributedDataParallel; with torch.optim.SGD or without.

    >>> fit(nn.Linear(3, 2), nn.MSELoss(), batches, lr=0.1)  # doctest: +SKIP
    """
    raise NotImplementedError("fit")


def broadcast_model(model: nn.Module) -> None:
    """Give every rank the model of rank 0, by hand.

    model: on each rank another one, with parameters and buffers of equal names, shapes and dtypes, in equal order; the
    dtypes may be of integers too. Every rank calls this.
    Afterwards each parameter and each buffer holds the numbers of rank 0, to the bit. They are changed in place: they
    stay the same tensors, for an optimizer may hold them already, and as trainable or frozen as they were.
    By hand: no DistributedDataParallel.

    >>> broadcast_model(model)  # doctest: +SKIP
    """
    raise NotImplementedError("broadcast_model")


def average_gradients(model: nn.Module) -> None:
    """Make the gradient of each parameter the mean of its gradients on all ranks, by hand.

    model: has been through backward() on each rank. Where a parameter has no gradient (None), it has none on any rank,
    and gets none. Every rank calls this. Whether .grad stays the same tensor is left to you; the parameters do not
    change.

    >>> average_gradients(nn.Linear(2, 1))  # no gradients: nothing happens
    """
    raise NotImplementedError("average_gradients")


def fit_by_hand(model: nn.Module, loss_fn: Loss, batches: Iterable[Batch], lr: float) -> None:
    """Train a model by all ranks together, as `fit` does, without DistributedDataParallel.

    The arguments and the result are those of `fit`: all ranks start from the model of rank 0, and each step follows the
    gradient of the mean loss over the batches of all ranks, joined into one.

    >>> fit_by_hand(nn.Linear(3, 2), nn.MSELoss(), batches, lr=0.1)  # doctest: +SKIP
    """
    raise NotImplementedError("fit_by_hand")


def accumulated_step(
    model: DistributedDataParallel, loss_fn: Loss, optimizer: Optimizer, batches: Sequence[Batch]
) -> None:
    """Take one step on several batches as if they were one, and average the gradients over the ranks only once.

    model: wrapped already. loss_fn: gives the mean loss over the examples, a scalar tensor. optimizer: holds the
    parameters, all of which require a gradient.
    batches: the pairs (X, y) of this rank, one at least; all are of one size, and every rank has as many.
    The step follows the gradient of the mean loss over all examples of all batches of all ranks. Gradients from before
    do not count. Each batch is a forward and a backward pass of its own, and only the backward pass of the last one
    averages: the ranks meet once for a step.

    >>> accumulated_step(ddp, nn.MSELoss(), sgd, [(X1, y1), (X2, y2), (X3, y3)])  # doctest: +SKIP
    """
    raise NotImplementedError("accumulated_step")


def uneven_step(model: DistributedDataParallel, losses: Loss, optimizer: Optimizer, X: Tensor, y: Tensor) -> None:
    """Take one step on a joined batch of which the ranks have unequal parts.

    model: wrapped already. losses: losses(outputs, y) gives the loss of each example, a tensor of shape (N,); where
    there is no example, one of shape (0,) that belongs to the graph.
    optimizer: holds the parameters; their gradients from before do not count.
    X, y: the part of this rank, of N examples. N is another number on each rank and may be 0, but not on all of them.
    The model can be called with a batch of 0 examples.
    The step follows the gradient of the mean loss over the examples of all ranks, in which each counts the same.

    >>> squares = lambda outputs, y: (outputs - y).square().sum(1)
    >>> uneven_step(ddp, squares, sgd, X, y)  # doctest: +SKIP
    """
    raise NotImplementedError("uneven_step")


def uneven_epoch(model: DistributedDataParallel, loss_fn: Loss, optimizer: Optimizer, batches: Iterable[Batch]) -> None:
    """Train on all batches of all ranks, of which some have fewer than others.

    model: wrapped already; it has no buffers. loss_fn: gives the mean loss over the examples, a scalar tensor.
    optimizer: plain SGD, which holds the parameters.
    batches: the pairs (X, y) of this rank, one at least, all of one size, on all ranks. How many there are is not known
    before, and differs from rank to rank.
    The i-th step follows the mean of the gradients of all i-th batches there are: a rank that has no more batches
    counts neither in the sum nor in the number by which it is divided. There are as many steps as the longest rank has
    batches, and in the end the parameters are the same on all ranks.

    >>> uneven_epoch(ddp, nn.MSELoss(), sgd, batches)  # doctest: +SKIP
    """
    raise NotImplementedError("uneven_epoch")
