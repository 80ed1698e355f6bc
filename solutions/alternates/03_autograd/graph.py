"""Other right answers to katas/03_autograd/graph.py."""

import torch
import torch.nn.functional as F
from torch import nn

from torchkatas.bank import right


@right(replaces="forward")
def forward_by_modules(x1, w1, b, y):
    z = torch.addcmul(b, x1, w1)
    a = nn.Sigmoid()(z)
    return z, a, nn.BCELoss()(a, y)


@right(replaces="forward")
def forward_by_logits(x1, w1, b, y):
    z = x1.mul(w1)
    z += b  # in place, and legal: the product keeps its inputs for backward(), not its result
    return [z, z.sigmoid(), F.binary_cross_entropy_with_logits(z, y, reduction="sum")]


@right(replaces="forward")
def forward_by_formulas(x1, w1, b, y):
    z = b + w1 * x1
    a = 1 / (1 + torch.exp(-z))
    return z, a, -(y * a.log() + (1 - y) * (1 - a).log()).squeeze()


@right(replaces="role")
def role_by_grad_fn(node):
    if node.grad_fn is not None:
        return "interior"
    return "leaf" if node.requires_grad else "constant"


@right(replaces="made_by")
def made_by_class_name(node):
    if node.grad_fn is None:
        return ""
    name = type(node.grad_fn).__name__
    return name[: name.index("Backward")]


@right(replaces="made_by")
def made_by_pattern(node):
    import re

    return re.sub(r"Backward\d*$", "", node.grad_fn.name()) if node.requires_grad and not node.is_leaf else ""


@right(replaces="trainable")
def trainable_by_parameter(values, scale):
    return nn.Parameter(values.to(torch.float32) * scale)


@right(replaces="trainable")
def trainable_from_a_list(values, scale):
    return torch.tensor((values * scale).tolist(), dtype=torch.float32, requires_grad=True)


@right(replaces="trainable")
def trainable_in_no_grad(values, scale):
    leaf = values.detach().clone().to(torch.float32).requires_grad_()
    with torch.no_grad():
        leaf *= scale
    return leaf


@right(replaces="leaves_behind")
def leaves_by_recursion(node):
    leaves = {}

    def follow(step):
        if step is None:
            return
        if type(step).__name__ == "AccumulateGrad":
            leaves[id(step.variable)] = step.variable
        for before, _ in step.next_functions:
            follow(before)

    if node.is_leaf and node.requires_grad:
        return [node]
    follow(node.grad_fn)
    return list(leaves.values())


@right(replaces="leaves_behind")
def leaves_as_a_set(node):
    if not node.requires_grad:
        return set()
    if node.is_leaf:
        return {node}
    return {
        leaf
        for step, _ in node.grad_fn.next_functions
        if step is not None
        for leaf in ([step.variable] if hasattr(step, "variable") else _behind(step))
    }


def _behind(step):
    found = set()
    for before, _ in step.next_functions:
        if before is not None:
            found |= {before.variable} if hasattr(before, "variable") else _behind(before)
    return found
