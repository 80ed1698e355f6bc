"""From tensors to Python's numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor


def mean_loss(losses: Sequence[Tensor]) -> float:
    # Why: item() copies the one number out and leaves the graph behind; a list of tensors would keep every graph alive.
    return sum(loss.item() for loss in losses) / len(losses)


def as_numbers(x: Tensor) -> Any:
    # Why: tolist() is item() for any shape: Python numbers of the dtype's kind, nested like the axes, without a graph.
    return x.tolist()


def squared_norm(weights: Sequence[Tensor]) -> Tensor:
    # Why: squares and sums of tensors are tensors and remember where they came from; item() in between would forget.
    return torch.stack([weight.square().sum() for weight in weights]).sum()


def accuracy(predicted: Tensor, labels: Tensor) -> float:
    # Why: == broadcasts like any operation, so both get one shape first; a bool has no mean, a float has.
    return (predicted.flatten() == labels).float().mean().item()


def close_enough(one: Tensor, other: Tensor) -> bool:
    # Why: float sums depend on their order, so == is no test; allclose broadcasts, so the shapes are compared first.
    return one.shape == other.shape and torch.allclose(one, other, rtol=1e-5, atol=1e-6)


def keeps_graph(operation: Callable[[Tensor], Any], x: Tensor) -> bool:
    # Why: what a differentiable operation makes of a tensor that requires a gradient requires one too; a number cannot.
    result = operation(x.clone().requires_grad_())
    return isinstance(result, Tensor) and result.requires_grad
