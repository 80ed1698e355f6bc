"""Prediction: from logits to probabilities to classes, and a model that is afterwards as it was before."""

from __future__ import annotations

import torch  # noqa: F401
from torch import Tensor, nn


def probabilities(logits: Tensor) -> Tensor:
    """The probability of each class for each example.

    logits: float tensor of shape (N, C), one row for each example, N at least 1. Any finite value may occur.
    Returns a tensor of the same shape and dtype, whose rows are not negative and sum to 1.

    >>> probabilities(torch.tensor([[1.0, 1.0], [0.0, 200.0]]))
    tensor([[0.5000, 0.5000],
            [0.0000, 1.0000]])
    """
    raise NotImplementedError("probabilities")


def classes(logits: Tensor) -> Tensor:
    """The class that each example most likely belongs to.

    logits: float tensor of shape (N, C), N at least 1.
    Returns an int64 tensor of shape (N,): for each row the number of its largest logit, by however little it leads.

    >>> classes(torch.tensor([[0.5, 4.0, 2.5], [-1.0, -3.0, -2.0]]))
    tensor([1, 0])
    """
    raise NotImplementedError("classes")


def yes_or_no(logits: Tensor, threshold: float = 0.5) -> Tensor:
    """The answer of a model with one output unit, from its raw logits.

    logits: float tensor of shape (N, 1), N at least 1. The probability of a yes is sigmoid(logit).
    threshold: how much that probability has to exceed, between 0 and 1.
    Returns an int64 tensor of shape (N,): 1 where the probability is greater than the threshold, else 0.

    >>> yes_or_no(torch.tensor([[-0.75], [3.0], [0.25]]))
    tensor([0, 1, 1])
    """
    raise NotImplementedError("yes_or_no")


def predict(model: nn.Module, x: Tensor) -> tuple[Tensor, Tensor]:
    """What a model answers in eval mode, and no trace of the question.

    model: gives logits of shape (N, C) for x. It may hold dropout and batch norm, and some of its modules may be in
    training mode, others in eval mode.
    x: a batch of N examples, N at least 1.
    Returns two tensors: the probabilities of shape (N, C), and the classes, int64 of shape (N,). Every module of the
    model is in eval mode when it answers. Gradient mode is off: no graph is begun.
    Afterwards every module is in the mode it was in, gradient mode is as it was, and parameters and buffers are
    unchanged, also where the model raises: that error goes on to the caller.

    >>> predict(nn.Sequential(nn.Dropout(0.5), nn.Flatten()), torch.tensor([[2.0, 2.0, -200.0]]))
    (tensor([[0.5000, 0.5000, 0.0000]]), tensor([0]))
    """
    raise NotImplementedError("predict")
