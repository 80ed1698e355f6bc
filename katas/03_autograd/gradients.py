"""Gradients of the worked example: backward, retain_grad, autograd.grad, and the backward of a vector."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from torch import Tensor


def weight_gradient(x1: Tensor, w1: Tensor, b: Tensor, y: Tensor) -> Tensor:
    """The gradient of the loss of the worked example with respect to the weight, ∂L/∂w1.

    The loss is the binary cross entropy of sigmoid(x1 * w1 + b) against y.

    x1, w1, b, y: float tensors of shape (1,). None of them requires a gradient, and none is changed: make a leaf of
    your own that does require one.
    Returns a float tensor of shape (1,).

    >>> weight_gradient(torch.tensor([2.0]), torch.tensor([0.5]), torch.tensor([-1.0]), torch.tensor([1.0]))
    tensor([-1.])
    """
    raise NotImplementedError("weight_gradient")
