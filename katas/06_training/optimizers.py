"""What an optimizer does in step(): SGD, momentum and Adam by hand; and which parameters it is given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch  # noqa: F401
from torch import Tensor, nn
from torch.optim import Optimizer


def sgd_step(params: Sequence[Tensor], lr: float, weight_decay: float = 0.0) -> None:
    """One step of plain SGD with weight decay, by hand: p becomes p - lr * (p.grad + weight_decay * p).

    params: leaves of any shape and float dtype that require a gradient. Each is changed in place: the same tensor
    objects hold the new values and are still leaves that require a gradient. One whose .grad is None is passed over,
    and its values do not decay either; one whose .grad is all zeros decays.
    Each .grad stays as it is; to clear it is up to the caller.

    >>> w = nn.Parameter(torch.tensor([1.0, -2.0]))
    >>> (4 * w).sum().backward()
    >>> sgd_step([w], lr=0.25, weight_decay=0.5)
    >>> w.tolist()
    [-0.125, -2.75]
    """
    raise NotImplementedError("sgd_step")


def momentum_step(
    params: Sequence[Tensor], state: dict[Any, Any], lr: float, momentum: float, weight_decay: float = 0.0
) -> None:
    """One step of SGD with momentum, by hand, as torch.optim.SGD(params, lr, momentum, weight_decay=...) takes it.

    params: as in sgd_step, the same leaves in the same order at every step. They change in place, each .grad stays as
    it is, and one whose .grad is None is passed over: neither it nor what is remembered of it changes in this step.
    state: a dict, empty before the first step, and the same dict at every step of the same leaves. It is yours: what
    is to be remembered from one step to the next is kept in it, under keys of your choice, and nowhere else.
    lr: it may be another one at each step. momentum, weight_decay: the same at every step.

    >>> w, state = nn.Parameter(torch.tensor([1.0])), {}
    >>> w.grad = torch.tensor([4.0])
    >>> for _ in range(3):
    ...     momentum_step([w], state, lr=0.25, momentum=0.5)
    ...     print(w.item())
    0.0
    -1.5
    -3.25
    """
    raise NotImplementedError("momentum_step")


def adam_step(
    params: Sequence[Tensor],
    state: dict[Any, Any],
    lr: float = 1e-3,
    betas: tuple[float, float] = (0.9, 0.999),
    eps: float = 1e-8,
) -> None:
    """One step of Adam, by hand, as torch.optim.Adam(params, lr, betas, eps) takes it.

    params: as in sgd_step, the same leaves in the same order at every step. They change in place, each .grad stays as
    it is, and one whose .grad is None is passed over: neither it, nor its averages, nor its count of steps changes.
    state: a dict, empty before the first step, and the same dict at every step of the same leaves, as in momentum_step.
    betas: the part of the old average that is kept, first for the average of the gradients, then for that of their
    squares. eps: is added to the root of the corrected average of the squares.

    >>> w, state = nn.Parameter(torch.tensor([1.0, 1.0])), {}
    >>> w.grad = torch.tensor([640.0, -0.0625])
    >>> adam_step([w], state, lr=0.25)
    >>> w
    Parameter containing:
    tensor([0.7500, 1.2500], requires_grad=True)
    """
    raise NotImplementedError("adam_step")


def fine_tune_head(model: nn.Module, classes: int, lr: float) -> Optimizer:
    """Make a trained model ready for another task: a new head that is to be trained, on top of layers that are not.

    model: has an attribute `head`, an nn.Linear with a bias, its last layer; its other parts may have any names. The
    head is replaced, in this very model, by a new nn.Linear with as many inputs and `classes` outputs, with a bias. All
    other parameters are frozen: they no longer require a gradient. The model comes in train mode and is left in it,
    with all its parts.
    Returns a torch.optim.SGD with learning rate lr that holds the parameters of the new head and no others.

    >>> model = nn.Sequential()
    >>> model.trunk, model.head = nn.Linear(3, 8), nn.Linear(8, 2)
    >>> optimizer = fine_tune_head(model, classes=4, lr=0.5)
    >>> [tuple(p.shape) for p in optimizer.param_groups[0]["params"]]
    [(4, 8), (4,)]
    """
    raise NotImplementedError("fine_tune_head")
