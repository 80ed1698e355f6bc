"""Gradients for free: the slope of any function, through loops and branches, and what one does with it."""

from __future__ import annotations

from collections.abc import Callable

from torch import Tensor


def slope(f: Callable[[Tensor], Tensor], x: float) -> float:
    """The slope of f at x, found by autograd.

    f: takes a float tensor of shape () and returns one of shape (), by differentiable operations. Call it once.
    Returns a Python float.

    >>> slope(lambda t: t * t, 5.0)
    10.0
    """
    raise NotImplementedError("slope")


def tent(x: Tensor, n: int) -> Tensor:
    """The tent map, n times over: one step turns a value below 1/2 into its double, any other v into 2 - 2v.

    x: float tensor of shape () with a value from 0 to 1. It may require a gradient, and is left as it was.
    n: number of steps, 0 or more; after 0 steps the value is still that of x.
    Returns a tensor of shape () and of x's dtype, attached to x's graph.

    >>> tent(torch.tensor(0.375), 2)
    tensor(0.5000)
    """
    raise NotImplementedError("tent")


def gradient(f: Callable[[Tensor], Tensor], point: Tensor) -> Tensor:
    """The gradient of f at a point: its slopes along all axes, from one pass backwards.

    f: takes a float tensor of shape (D,) and returns one of shape (), by differentiable operations. Call it once.
    point: float tensor of shape (D,). It requires no gradient and has no .grad, and is left so.
    Returns a float tensor of shape (D,), of point's dtype.

    >>> gradient(lambda t: t[0] * t[1], torch.tensor([2.0, 7.0]))
    tensor([7., 2.])
    """
    raise NotImplementedError("gradient")


def descend(f: Callable[[Tensor], Tensor], x: float, lr: float, steps: int) -> float:
    """Where x has come to after some steps of gradient descent: each step subtracts lr times the slope of f at x.

    f: as in `slope`. lr: the learning rate. steps: 0 or more.
    Returns a Python float.

    >>> descend(lambda t: t * t, 8.0, lr=0.25, steps=2)
    2.0
    """
    raise NotImplementedError("descend")
