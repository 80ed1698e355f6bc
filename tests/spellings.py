"""Calls of what was to be written by hand, and legal ways around; apart, since a spec's own calls are not seen."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn

X = torch.tensor([[1.0, -2.0], [0.5, 3.0]])
alias = F.softmax


class Linear(nn.Module):
    """Written out, and called as it is in the lesson."""

    def forward(self, x):
        return x @ X.T


CAUGHT = {
    "function": lambda: torch.softmax(X, 1),
    "functional": lambda: F.softmax(X, 1),
    "method": lambda: X.softmax(1),
    "alias": lambda: alias(X, 1),
    "unbound": lambda: torch.Tensor.softmax(X, 1),
    "private": lambda: torch._softmax(X, 1, False),
    "special": lambda: torch.special.softmax(X, 1),
    "module": lambda: nn.Softmax(1)(X),
    "getattr": lambda: getattr(torch, "soft" + "max")(X, 1),
    "backward": lambda: X.clone().requires_grad_().sum().backward(),
    "loss": lambda: nn.CrossEntropyLoss()(X, torch.tensor([0, 1])),
    "optimizer": lambda: torch.optim.SGD([X.clone().requires_grad_()], lr=1.0).step(),
    "nn.Linear": lambda: nn.Linear(2, 1)(X),
    "data": lambda: X.data,
    "setting data": lambda: setattr(X.clone(), "data", X),
}

LEGAL = {
    "by hand": lambda: X.exp() / X.exp().sum(1, keepdim=True),
    "a module as a holder of weights": lambda: X @ nn.Linear(2, 1).weight.T,
    "a module of one's own": lambda: Linear()(X),
    "another function": lambda: X.log_softmax(1).exp(),
}


def answer(oracle):
    """An answer that calls what the spec handed to it."""
    return oracle()
