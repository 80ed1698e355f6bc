"""The training loop: the five steps of a batch, an epoch, and training over many of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from torch import Tensor, nn
from torch.optim import Optimizer

Loss = Callable[[Tensor, Tensor], Tensor]
Batches = Iterable[tuple[Tensor, Tensor]]


def train_step(model: nn.Module, loss_fn: Loss, optimizer: Optimizer, X: Tensor, y: Tensor) -> float:
    """Train the model on one batch: one forward pass, one backward() of the loss that fills the gradients, and one step
    of the optimizer, one after the other in this order; step() gets no closure.

    model: model(X) gives the outputs for a batch; call it once. It is in train mode already, with all submodules, and
    stays in it. It is trained itself, no copy of it.
    loss_fn: loss_fn(outputs, y) gives the mean loss over the batch, a scalar tensor; what the outputs are, logits for
    one, is between the model and it.
    optimizer: holds the model's parameters, all of which require a gradient. It alone moves them.
    The step follows the gradients of this batch alone, as backward() leaves them. At the first call no parameter has a
    gradient yet; whether a call clears them before its backward pass or after its step, to None or to zeros, is left to
    you.
    Returns the loss of the batch, as it was before the step, as a Python float with all its digits: neither a tensor
    nor a number of NumPy's.

    >>> model = nn.Linear(1, 1, bias=False)
    >>> _ = nn.init.constant_(model.weight, 3.0)
    >>> sgd = torch.optim.SGD(model.parameters(), lr=0.125)
    >>> train_step(model, nn.MSELoss(), sgd, torch.tensor([[2.0]]), torch.tensor([[4.0]]))
    4.0
    >>> model.weight.item()
    2.0
    """
    raise NotImplementedError("train_step")


def train_epoch(model: nn.Module, loss_fn: Loss, optimizer: Optimizer, loader: Batches) -> float:
    """Train the model on every batch of the loader once, in order, each as in train_step.

    model: may come in any mode, or with single submodules in eval mode; all of it is in train mode at each forward.
    loss_fn, optimizer: as in train_step. Gradients that the parameters still hold from earlier do not count.
    loader: gives pairs (X, y), as a DataLoader does. The last batch may be smaller, and not every example of the
    dataset needs to be in a batch.
    Graphs do not pile up: while a batch is trained on, none is alive but its own and that of the batch before.
    Returns a Python float: the mean loss over the examples that were seen, each with the loss of its batch before that
    batch's step. A loader without any batch: ValueError that says "empty".

    >>> model = nn.Linear(1, 1, bias=False)
    >>> _ = nn.init.constant_(model.weight, 1.0)
    >>> sgd = torch.optim.SGD(model.parameters(), lr=0.0)
    >>> x = torch.tensor([[1.0], [2.0], [5.0]])
    >>> train_epoch(model, nn.L1Loss(), sgd, [(x[:2], torch.zeros(2, 1)), (x[2:], torch.full((1, 1), 0.5))])
    2.5
    """
    raise NotImplementedError("train_epoch")


def fit(
    model: nn.Module,
    loss_fn: Loss,
    optimizer: Optimizer,
    loader: Batches,
    epochs: int,
    after_epoch: Callable[[int, float], object] | None = None,
) -> list[float]:
    """Train the model for a number of epochs, each as in train_epoch, and keep the history of the loss.

    loader: is gone through anew in each epoch, as a DataLoader can be; it may shuffle and augment anew each time.
    epochs: 0 or more.
    after_epoch: is called after each epoch with its number, from 0, and its mean loss; None: nothing is called. It may
    evaluate the model and leave it in eval mode: the next epoch trains in train mode all the same.
    Graphs do not pile up either, as in train_epoch.
    Returns the mean loss of each epoch, Python floats in a list.

    >>> model = nn.Linear(1, 1, bias=False)
    >>> _ = nn.init.constant_(model.weight, 3.0)
    >>> sgd = torch.optim.SGD(model.parameters(), lr=0.0625)
    >>> fit(model, nn.MSELoss(), sgd, [(torch.tensor([[2.0]]), torch.tensor([[4.0]]))], epochs=3)
    [4.0, 1.0, 0.25]
    """
    raise NotImplementedError("fit")
