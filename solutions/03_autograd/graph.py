"""The graph of the worked example."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor


def forward(x1: Tensor, w1: Tensor, b: Tensor, y: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    # Why: each line adds one node; it keeps a link to what it came from, and backward() walks along these links.
    z = x1 * w1 + b
    a = torch.sigmoid(z)
    loss = F.binary_cross_entropy(a, y)
    return z, a, loss


def role(node: Tensor) -> str:
    # Why: is_leaf alone is true of constants too; what backward() fills is a leaf that also requires a gradient.
    if not node.requires_grad:
        return "constant"
    return "leaf" if node.is_leaf else "interior"


def made_by(node: Tensor) -> str:
    # Why: grad_fn is the link to the operation that made the node; it is None where no graph was recorded.
    return node.grad_fn.name().partition("Backward")[0] if node.grad_fn else ""


def trainable(values: Tensor, scale: float) -> Tensor:
    # Why: scaled and cast first, while nothing is recorded; requires_grad_() comes last and makes the result a leaf.
    return (values * scale).float().requires_grad_()


def leaves_behind(node: Tensor) -> list[Tensor]:
    # Why: next_functions are the links that backward() follows; each ends at an AccumulateGrad, which holds its leaf.
    if node.grad_fn is None:
        return [node] if node.requires_grad else []
    leaves, seen, todo = [], set(), [node.grad_fn]
    while todo:
        step = todo.pop()
        if step is None or step in seen:
            continue
        seen.add(step)
        if hasattr(step, "variable"):
            leaves.append(step.variable)
        todo += [before for before, _ in step.next_functions]
    return leaves
