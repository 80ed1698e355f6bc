"""The chain rule: local slopes by hand, their product, and an operation with a backward of one's own."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor


def loss_slope(a: Tensor, y: Tensor) -> Tensor:
    """The slope of the binary cross entropy at the activation, ∂L/∂a, by hand: without backward() and autograd.grad.

    Of each element by itself: L = -(y * log(a) + (1 - y) * log(1 - a)), in natural logarithms.

    a: float tensor of any shape, between 0 and 1. y: the same shape, from 0 to 1.
    Returns a float tensor of that shape.

    >>> loss_slope(torch.tensor([0.5, 0.75]), torch.tensor([1.0, 0.0]))
    tensor([-2.,  4.])
    """
    raise NotImplementedError("loss_slope")


def sigmoid_slope(z: Tensor) -> Tensor:
    """The slope of the sigmoid at the net input, ∂a/∂z, by hand: without backward() and autograd.grad.

    z: float tensor of any shape.
    Returns a float tensor of that shape.

    >>> sigmoid_slope(torch.tensor([0.0]))
    tensor([0.2500])
    """
    raise NotImplementedError("sigmoid_slope")


def gradients_by_hand(x1: Tensor, w1: Tensor, b: Tensor, y: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The gradients of the loss of the worked example by the chain rule, by hand: without backward() and autograd.grad.

    z = x1 * w1 + b, a = sigmoid(z), and the loss is the binary cross entropy of a against y.

    x1, w1, b, y: float tensors of shape (1,), y from 0 to 1.
    Returns (∂L/∂x1, ∂L/∂w1, ∂L/∂b), three float tensors of shape (1,).

    >>> gradients_by_hand(torch.tensor([2.0]), torch.tensor([0.5]), torch.tensor([-1.0]), torch.tensor([1.0]))
    (tensor([-0.2500]), tensor([-1.]), tensor([-0.5000]))
    """
    raise NotImplementedError("gradients_by_hand")


class LogitLoss(torch.autograd.Function):
    """The binary cross entropy of sigmoid(z) against y, element by element, as one operation with its own backward.

    It is called as `LogitLoss.apply(z, y)`. It works within a larger graph, and changes neither its inputs nor the
    slopes that come in.

    >>> z = torch.tensor([0.0, 0.0], requires_grad=True)
    >>> losses = LogitLoss.apply(z, torch.tensor([1.0, 0.5]))
    >>> torch.autograd.grad(losses.sum(), z)
    (tensor([-0.5000,  0.0000]),)
    """

    @staticmethod
    def forward(ctx: Any, z: Tensor, y: Tensor) -> Tensor:
        """The loss of each element.

        ctx: what forward hands over to backward. z: a float32 or float64 tensor of any shape. y: the same shape and
        dtype, from 0 to 1.
        Returns a tensor of that shape and dtype.
        """
        raise NotImplementedError("LogitLoss.forward")

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> tuple[Tensor | None, ...]:
        """The gradients with respect to the inputs of forward, written out: one for z, and None for the target y.

        upstream: the slope of the final result with respect to each of the losses, of their shape.
        """
        raise NotImplementedError("LogitLoss.backward")
