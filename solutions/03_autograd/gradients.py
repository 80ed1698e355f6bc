"""Gradients of the worked example."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
import torch.nn.functional as F
from torch import Tensor


def weight_gradient(x1: Tensor, w1: Tensor, b: Tensor, y: Tensor) -> Tensor:
    # Why: backward() multiplies the slopes along the path L -> a -> z -> w1 and leaves the product in the leaf's .grad.
    w1 = w1.clone().requires_grad_()
    loss = F.binary_cross_entropy(torch.sigmoid(x1 * w1 + b), y)
    loss.backward()
    return w1.grad


def both_gradients(x1: Tensor, w1: Tensor, b: Tensor, y: Tensor, decay: float) -> tuple[Tensor, Tensor]:
    # Why: one backward() fills every leaf; w1 is reached by two paths, and what comes along them adds up.
    w1, b = w1.clone().requires_grad_(), b.clone().requires_grad_()
    loss = F.binary_cross_entropy(torch.sigmoid(x1 * w1 + b), y) + decay * (w1**2).sum()
    loss.backward()
    return w1.grad, b.grad


def node_gradients(x1: Tensor, w1: Tensor, b: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    # Why: backward() drops an interior node's gradient once it is passed on; retain_grad(), called before, keeps it.
    z = x1 * w1.clone().requires_grad_() + b
    a = torch.sigmoid(z)
    z.retain_grad()
    a.retain_grad()
    F.binary_cross_entropy(a, y).backward()
    return z.grad, a.grad


def gradients_of(output: Tensor, inputs: Sequence[Tensor]) -> tuple[Tensor, ...]:
    # Why: autograd.grad hands its gradients over as a tuple and fills no .grad; where no path leads there is None.
    slopes = torch.autograd.grad(output, inputs, allow_unused=True)
    return tuple(torch.zeros_like(x) if slope is None else slope for x, slope in zip(inputs, slopes, strict=True))


def vector_jacobian(f: Callable[[Tensor], Tensor], x: Tensor, v: Tensor) -> Tensor:
    # Why: backward() starts from ∂L/∂L = 1 only for a scalar; a vector needs the slope of each of its elements, v.
    x = x.clone().requires_grad_()
    f(x).backward(v)
    return x.grad
