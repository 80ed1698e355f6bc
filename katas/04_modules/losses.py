"""Losses: from raw logits to one number, by hand and by torch, and what a softmax before it costs."""

from __future__ import annotations

import math  # noqa: F401

import torch  # noqa: F401
import torch.nn.functional as F  # noqa: F401
from torch import Tensor


def cross_entropy(logits: Tensor, targets: Tensor) -> Tensor:
    """The mean cross entropy of raw logits against class numbers, by hand.

    The loss of one example is log(Σ exp(logits)) - logits[target], which is minus the log of the probability that the
    softmax of its row gives to the target.

    logits: float tensor of shape (N, C), with values from -1000 to 1000: one row near -1000, the next near 1000.
    targets: int64 tensor of shape (N,), class numbers from 0 to C - 1.
    Returns a tensor of shape (), the mean over the N examples, in the dtype of the logits and attached to their graph.
    Loss and gradient are finite.
    By hand: without torch's losses, softmax, log_softmax, logsumexp and logaddexp, in any spelling.

    >>> cross_entropy(torch.tensor([[3.0, 3.0]]), torch.tensor([1]))
    tensor(0.6931)
    """
    raise NotImplementedError("cross_entropy")


def class_loss(logits: Tensor, labels: Tensor) -> Tensor:
    """The mean cross entropy of a model's raw logits against labels as tables hold them; torch's loss does the work.

    logits: float tensor of shape (N, C).
    labels: class numbers from 0 to C - 1, of shape (N,) or as a column of shape (N, 1), in int64, int32, int16, int8,
    uint8, float32 or float64.
    Returns a tensor of shape (), the mean over the N examples, attached to the graph of the logits.
    Raises ValueError, whose text names "shape" where labels have another shape (one-hot rows of shape (N, C) too),
    "whole" where a float label is not a whole number (NaN is none), and "class" where one is below 0 or above C - 1.
    Where several of these hold, it names any of them.

    >>> class_loss(torch.tensor([[0.0, 0.0], [0.0, 0.0]]), torch.tensor([[1.0], [0.0]]))
    tensor(0.6931)
    """
    raise NotImplementedError("class_loss")


def bce_with_logits(logits: Tensor, targets: Tensor) -> Tensor:
    """The mean binary cross entropy of raw logits, by hand.

    With p = sigmoid(logit), the loss of one element is -(target * log(p) + (1 - target) * log(1 - p)).

    logits: float tensor of any shape, with values from -1000 to 1000.
    targets: tensor of the same shape and dtype, with values from 0 to 1; those in between count as they are.
    Returns a tensor of shape (), the mean over all elements, in the dtype of the logits and attached to their graph.
    Loss and gradient are finite. The gradient is (sigmoid(logit) - target) / number of elements, also at a logit of 0.
    By hand: without torch's losses, logsigmoid, softplus, log_softmax, logsumexp and logaddexp, in any spelling.

    >>> bce_with_logits(torch.tensor([[0.0], [0.0]]), torch.tensor([[1.0], [0.0]]))
    tensor(0.6931)
    """
    raise NotImplementedError("bce_with_logits")


def binary_loss(logits: Tensor, labels: Tensor) -> Tensor:
    """The mean loss of a model with one output unit on a yes-or-no task; torch's loss does the work.

    logits: float tensor of shape (N, 1), raw: sigmoid(logit) is the probability that the label is 1.
    labels: tensor of shape (N,), zeros and ones in int64, or bool.
    Returns a tensor of shape (), the mean over the N examples, attached to the graph of the logits.

    >>> binary_loss(torch.tensor([[0.0], [0.0], [0.0]]), torch.tensor([1, 0, 1]))
    tensor(0.6931)
    """
    raise NotImplementedError("binary_loss")


def both_gradients(logits: Tensor, targets: Tensor) -> tuple[Tensor, Tensor]:
    """The gradient of the mean cross entropy, as it should be and with a softmax in front; torch's loss does the work.

    logits: float tensor of shape (N, C) that requires no gradient and is not changed: make leaves of your own.
    targets: int64 tensor of shape (N,).
    Returns two tensors of shape (N, C) that require no gradient, both the gradient with respect to the logits: of the
    mean cross entropy of the raw logits, and of the one that gets softmax(logits) in their place.

    >>> raw, softmaxed = both_gradients(torch.tensor([[30.0, -30.0]]), torch.tensor([1]))
    >>> raw
    tensor([[ 1., -1.]])
    >>> softmaxed.abs().max() < 1e-20
    tensor(True)
    """
    raise NotImplementedError("both_gradients")


def lowest_loss(classes: int) -> float:
    """The lowest cross entropy that a model can reach which puts a softmax in front of it.

    Such a model hands probabilities to the loss, which takes them for logits. The best it can do, for an example whose
    class it is sure of, is a 1 for that class and a 0 for all others.

    classes: the number of classes, at least 2.
    Returns a Python float: the loss of that best answer.

    >>> round(lowest_loss(5), 4)
    0.9048
    """
    raise NotImplementedError("lowest_loss")
