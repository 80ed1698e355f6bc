"""A large batch made of small ones: gradients that add up on purpose, one step for all of them, and clipping."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import torch  # noqa: F401
from torch import Tensor, nn
from torch.optim import Optimizer

Loss = Callable[[Tensor, Tensor], Tensor]
Batch = tuple[Tensor, Tensor]


def accumulate(model: nn.Module, loss_fn: Loss, batches: Sequence[Batch]) -> None:
    """Leave in each .grad what one big batch would leave there, but show the model one micro-batch at a time.

    model: model(X) gives the outputs for a batch. Its parameters require a gradient and keep their values. It is in
    train mode already and stays in it.
    loss_fn: loss_fn(outputs, y) gives the mean loss over the examples of the batch, a scalar tensor.
    batches: one or more pairs (X, y), in a list. All have the same number of examples.
    Afterwards .grad is the gradient of the mean loss over all examples of all batches. What stood there before the call
    does not count.
    Each micro-batch goes forward once, in order, and backward before the next one's forward: one graph in memory.

    >>> model = nn.Linear(1, 1, bias=False)
    >>> _ = nn.init.zeros_(model.weight)
    >>> batches = [(torch.tensor([[2.0]]), torch.tensor([[-1.0]])), (torch.tensor([[4.0]]), torch.tensor([[-3.0]]))]
    >>> accumulate(model, nn.MSELoss(), batches)
    >>> model.weight.grad
    tensor([[14.]])
    """
    raise NotImplementedError("accumulate")


def accumulated_step(model: nn.Module, loss_fn: Loss, optimizer: Optimizer, batches: Sequence[Batch]) -> float:
    """Train the model on one big batch that comes in micro-batches: one step of the optimizer for all of them.

    model, loss_fn: as in accumulate, and again each micro-batch goes forward once, in order, and backward before the
    next one's forward. Here the parameters change: the optimizer holds all of them, and it alone moves them.
    batches: one or more pairs (X, y), in a list. Their numbers of examples may differ; every example of them counts
    the same. No batch is empty.
    What stands in .grad before the call does not count; what stands there after it is left to you.
    Graphs do not pile up: while a micro-batch goes forward, none is alive but its own and that of the one before.
    Returns the mean loss over all examples, as it was before the step, as a Python float.

    >>> model = nn.Linear(1, 1, bias=False)
    >>> _ = nn.init.zeros_(model.weight)
    >>> sgd = torch.optim.SGD(model.parameters(), lr=0.25)
    >>> x = torch.tensor([[2.0], [1.0], [1.0], [4.0]])
    >>> y = torch.tensor([[3.0], [2.0], [1.0], [8.0]])
    >>> accumulated_step(model, nn.L1Loss(), sgd, [(x[:3], y[:3]), (x[3:], y[3:])])
    3.5
    >>> model.weight.item()
    0.5
    """
    raise NotImplementedError("accumulated_step")


def accumulated_epoch(
    model: nn.Module, loss_fn: Loss, optimizer: Optimizer, loader: Iterable[Batch], k: int
) -> list[float]:
    """Train the model on every batch of the loader once, with one step of the optimizer for every k batches.

    model, loss_fn, optimizer: as in accumulated_step. Each group of k batches in a row is one big batch to the
    optimizer, in which every example counts the same.
    loader: gives one or more pairs (X, y), as a DataLoader does; go through it once. The last batch may be smaller.
    k: 1 or more. Where the number of batches is no multiple of k, the rest at the end is a group too, and gets a step.
    What stands in .grad before the call does not count, and graphs do not pile up, as in accumulated_step.
    Returns for each step, in order, the mean loss over the examples of its group, as a Python float.

    >>> model = nn.Linear(1, 1, bias=False)
    >>> _ = nn.init.zeros_(model.weight)
    >>> sgd = torch.optim.SGD(model.parameters(), lr=0.25)
    >>> batches = [(torch.tensor([[1.0]]), torch.tensor([[y]])) for y in (2.0, 4.0, 3.5)]
    >>> accumulated_epoch(model, nn.MSELoss(), sgd, batches, k=2)
    [10.0, 4.0]
    >>> model.weight.item()
    2.5
    """
    raise NotImplementedError("accumulated_epoch")


def clip(params: Iterable[Tensor], max_norm: float) -> float:
    """Shrink the gradients of all parameters by one factor, so that their total norm is max_norm at most.

    The total norm is the length of all gradients laid end to end, as one long vector: its 2-norm.
    params: leaves, in a list or a generator, which can be gone through only once. The .grad of some may be None: these
    add nothing to the norm and stay None. The parameters' values stay as they are.
    max_norm: greater than 0. Where the total norm is max_norm or less, and be it 0, every gradient stays as it is.
    Afterwards each .grad holds its clipped gradient; whether it is the same tensor as before is left to you.
    Returns the total norm as it was before clipping, as a Python float.

    >>> w, b = torch.zeros(2, requires_grad=True), torch.zeros((), requires_grad=True)
    >>> w.grad, b.grad = torch.tensor([2.0, -4.0]), torch.tensor(4.0)
    >>> clip([w, b], max_norm=1.5)
    6.0
    >>> [round(x, 4) for x in (*w.grad.tolist(), b.grad.item())]
    [0.5, -1.0, 1.0]
    """
    raise NotImplementedError("clip")


def clipped_step(
    model: nn.Module, loss_fn: Loss, optimizer: Optimizer, batches: Sequence[Batch], max_norm: float
) -> float:
    """Train the model on one big batch that comes in micro-batches, and clip the big batch's gradient before the step.

    model, loss_fn, optimizer, batches: as in accumulated_step.
    max_norm: the optimizer steps with the gradient of the mean loss over all examples, clipped as a whole, as in clip.
    Returns the total norm of that gradient before it was clipped, as a Python float.

    >>> model = nn.Linear(1, 1, bias=False)
    >>> _ = nn.init.zeros_(model.weight)
    >>> sgd = torch.optim.SGD(model.parameters(), lr=0.25)
    >>> batches = [(torch.tensor([[1.0]]), torch.tensor([[y]])) for y in (-4.0, -8.0)]
    >>> clipped_step(model, nn.MSELoss(), sgd, batches, max_norm=2.0)
    12.0
    >>> round(model.weight.item(), 4)
    -0.5
    """
    raise NotImplementedError("clipped_step")
