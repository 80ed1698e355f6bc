"""The chain rule, by hand."""

from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor


def loss_slope(a: Tensor, y: Tensor) -> Tensor:
    # Why: the slope of log(a) is 1/a, and that of log(1 - a) is -1/(1 - a): the inner minus sign is a factor too.
    return -y / a + (1 - y) / (1 - a)


def sigmoid_slope(z: Tensor) -> Tensor:
    # Why: the sigmoid's slope is a function of its value: a(1 - a), at most 1/4, and near 0 where it saturates.
    a = torch.sigmoid(z)
    return a * (1 - a)


def gradients_by_hand(x1: Tensor, w1: Tensor, b: Tensor, y: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    # Why: slopes multiply along a path; ∂L/∂z is on all three, and ∂z/∂x1 = w1, ∂z/∂w1 = x1, ∂z/∂b = 1 end them.
    z = x1 * w1 + b
    by_z = loss_slope(torch.sigmoid(z), y) * sigmoid_slope(z)
    return by_z * w1, by_z * x1, by_z


class LogitLoss(torch.autograd.Function):
    # Why: backward knows its local slope alone, a - y; times the slope that comes from above it is the chain rule.
    @staticmethod
    def forward(ctx: Any, z: Tensor, y: Tensor) -> Tensor:
        a = torch.sigmoid(z)
        ctx.save_for_backward(a, y)
        return F.binary_cross_entropy(a, y, reduction="none")

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> tuple[Tensor | None, ...]:
        a, y = ctx.saved_tensors
        return upstream * (a - y), None
