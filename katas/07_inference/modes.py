"""Modes: what training mode and eval mode do to dropout and batch norm, and what gradient mode does not."""

from __future__ import annotations

import copy  # noqa: F401

import torch  # noqa: F401
import torch.nn.functional as F  # noqa: F401
from torch import Tensor, nn


def to_eval(model: nn.Module) -> nn.Module:
    """Put a model into eval mode: itself and every module in it, however deep.

    model: some of its modules may be in eval mode already. Nothing else about it changes.
    Returns the same model.

    >>> model = to_eval(nn.Sequential(nn.Linear(2, 2), nn.Dropout(0.5)))
    >>> model.training, model[1].training
    (False, False)
    """
    raise NotImplementedError("to_eval")


def dropout(x: Tensor, p: float, draws: Tensor, training: bool = True) -> Tensor:
    """Dropout by hand, with the random numbers handed in.

    x: float tensor of any shape.
    p: the probability that an element is dropped, from 0 to 1, both included.
    draws: random numbers from 0 up to but not including 1, in x's shape and dtype. An element is dropped where its
    draw is less than p.
    training: whether dropout acts at all.
    Returns a tensor of x's shape and dtype, attached to its graph. In training dropped elements are 0, and the others
    are scaled so that the mean over all possible draws is x again. Else it has the values of x.
    By hand: without torch's dropout, as a function or a module.

    >>> dropout(torch.tensor([3.0, 6.0, 9.0]), 0.25, torch.tensor([0.9, 0.1, 0.3]))
    tensor([ 4.,  0., 12.])
    """
    raise NotImplementedError("dropout")


class Block(nn.Module):
    """Two layers, a ReLU after the first, and dropout between them that follows the mode; torch's dropout may be used.

    first, last: modules, which become submodules of the block. p: the probability of dropout.
    Called with a tensor x, the block hands first(x) through a ReLU and hands the result, h, on to last. In training
    mode each element of h is 0 with probability p and h / (1 - p) otherwise, independently of all others, and drawn
    anew in each call. In eval mode the whole of h arrives as it is.

    >>> block = Block(nn.Identity(), nn.Flatten(), p=0.5).eval()
    >>> block(torch.tensor([[[2.0], [-3.0]]]))
    tensor([[2., 0.]])
    """

    def __init__(self, first: nn.Module, last: nn.Module, p: float) -> None:
        raise NotImplementedError("Block.__init__")

    def forward(self, x: Tensor) -> Tensor:
        raise NotImplementedError("Block.forward")


def batch_norm(
    x: Tensor, running_mean: Tensor, running_var: Tensor, training: bool, momentum: float = 0.1, eps: float = 1e-5
) -> tuple[Tensor, Tensor, Tensor]:
    """Batch norm by hand, without scale and shift: what nn.BatchNorm1d(D, affine=False) does with one batch.

    x: float tensor of shape (N, D). running_mean, running_var: shape (D,), as they were before; they are not changed.
    training: whether the batch is normalised by its own statistics, which then also enter the running ones, or by the
    running statistics, which then stay as they are.
    momentum, eps: as in nn.BatchNorm1d.
    Returns three tensors: the output of shape (N, D), and the running mean and variance after the batch. The output is
    attached to the graph of x, also by way of the batch's statistics; the running statistics require no gradient.
    Raises ValueError, whose text names "batch", for a batch of one example in training; in eval mode one is enough.
    By hand: without torch's batch_norm and the other norms, as functions or modules.

    >>> x, mean, var = torch.tensor([[5.0], [8.0]]), torch.tensor([1.0]), torch.tensor([9.0])
    >>> batch_norm(x, mean, var, training=False, eps=0.0)
    (tensor([[1.3333],
            [2.3333]]), tensor([1.]), tensor([9.]))
    """
    raise NotImplementedError("batch_norm")


def effects(model: nn.Module, x: Tensor) -> dict[str, bool]:
    """What a call of a model does, found out by calling it: in the mode it is in, and in the caller's gradient mode.

    model: takes x, which requires no gradient, and gives a tensor. Afterwards its buffers and its modes are as before.
    Returns a dict of three bools:
    "graph": whether a graph hangs on the output; "random": whether two calls with the same x give different values;
    "buffers": whether a call changes the values of a buffer.

    >>> effects(nn.Sequential(nn.Linear(64, 64), nn.Dropout(0.5)), torch.ones(2, 64))
    {'graph': True, 'random': True, 'buffers': False}
    """
    raise NotImplementedError("effects")
