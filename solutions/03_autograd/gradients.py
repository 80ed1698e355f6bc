"""Gradients of the worked example."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor


def weight_gradient(x1: Tensor, w1: Tensor, b: Tensor, y: Tensor) -> Tensor:
    # Why: backward() multiplies the slopes along the path L -> a -> z -> w1 and leaves the product in the leaf's .grad.
    w1 = w1.clone().requires_grad_()
    loss = F.binary_cross_entropy(torch.sigmoid(x1 * w1 + b), y)
    loss.backward()
    return w1.grad
