"""Evaluation: what a model is worth on data it has not seen, each example counted once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import torch  # noqa: F401
import torch.nn.functional as F  # noqa: F401
from torch import Tensor, nn


def count_right(logits: Tensor, labels: Tensor) -> int:
    """The number of examples whose largest logit is that of their label.

    logits: float tensor of shape (N, C). labels: int64 tensor of shape (N,).
    Returns a Python int from 0 to N.

    >>> count_right(torch.tensor([[0.5, 4.0], [-1.0, -3.0], [2.0, 2.5]]), torch.tensor([1, 0, 0]))
    2
    """
    raise NotImplementedError("count_right")


def mean_over_examples(means: Sequence[float], sizes: Sequence[int]) -> float:
    """The mean over all examples, from the means of batches that need not be of one size.

    means: the mean of each batch. sizes: the number of examples in each batch, at least 1.
    Returns a Python float.
    Raises ValueError, whose text names "empty", where there is no batch.

    >>> mean_over_examples([3.0, 1.0], sizes=[1, 3])
    1.5
    """
    raise NotImplementedError("mean_over_examples")


def confusion_matrix(predicted: Tensor, labels: Tensor, classes: int) -> Tensor:
    """How often each class was taken for each.

    predicted, labels: int64 tensors of shape (N,), with numbers from 0 to classes - 1; N may be 0.
    classes: the number of classes; some may not occur.
    Returns an int64 tensor of shape (classes, classes): in row i and column j the number of examples of class i that
    were predicted to be of class j.

    >>> confusion_matrix(predicted=torch.tensor([0, 1, 1]), labels=torch.tensor([0, 0, 0]), classes=2)
    tensor([[1, 2],
            [0, 0]])
    """
    raise NotImplementedError("confusion_matrix")


def evaluate(model: nn.Module, loader: Iterable[tuple[Tensor, Tensor]]) -> tuple[float, float]:
    """The loss and the accuracy of a model over a whole loader, and no trace of it in the model.

    model: gives raw logits of shape (N, C) for a batch. It may hold dropout and batch norm, and some of its modules may
    be in training mode, others in eval mode.
    loader: gives batches (x, labels), of one example or more and not all of one size; labels are int64 of shape (N,).
    It is gone through once: it may be a DataLoader, a list, or an iterator without a length.
    Returns two Python floats: the mean cross entropy, and the share of examples whose largest logit is that of their
    label. Both are over examples, each of which counts the same, whatever batch it came in.
    Every module is in eval mode while the model is asked, and gradient mode is off. Afterwards every module is in the
    mode it was in, gradient mode is as it was, and parameters and buffers are unchanged, also where an error goes out.
    Raises ValueError, whose text names "empty", where the loader gives no batch.

    >>> batches = [(torch.zeros(3, 2), torch.tensor([0, 0, 1])), (torch.zeros(1, 2), torch.tensor([1]))]
    >>> loss, accuracy = evaluate(nn.Dropout(0.5), batches)
    >>> round(loss, 4), accuracy
    (0.6931, 0.5)
    """
    raise NotImplementedError("evaluate")
