"""Numbers: from tensors to Python's own, and what stays in the graph on the way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch  # noqa: F401
from torch import Tensor


def mean_loss(losses: Sequence[Tensor]) -> float:
    """The mean of the losses of an epoch, as a number that keeps no graph alive.

    losses: at least one float tensor of one element, of shape () or (1,), with or without a graph.
    Returns a Python float: neither a tensor nor a NumPy number.

    >>> mean_loss([torch.tensor(1.5), torch.tensor(0.5)])
    1.0
    """
    raise NotImplementedError("mean_loss")


def as_numbers(x: Tensor) -> Any:
    """The content of a tensor in Python's own numbers, nested as the tensor is.

    x: tensor of any rank, of a float, integer or bool dtype; it may require a gradient.
    Returns a number for shape (), else a list of what lies along the first axis, lists in lists for higher ranks; the
    numbers are float, int or bool as the dtype is.

    >>> as_numbers(torch.tensor([[1, 2], [3, 4]])), as_numbers(torch.tensor(0.25))
    ([[1, 2], [3, 4]], 0.25)
    """
    raise NotImplementedError("as_numbers")


def squared_norm(weights: Sequence[Tensor]) -> Tensor:
    """The sum of the squares of all the numbers in a list of weights, as a penalty that can be learnt from.

    weights: at least one float tensor; shapes differ.
    Returns a float tensor of shape (), part of the graph when a weight requires a gradient.

    >>> squared_norm([torch.tensor([[1.0, 2.0]]), torch.tensor([3.0])])
    tensor(14.)
    """
    raise NotImplementedError("squared_norm")


def accuracy(predicted: Tensor, labels: Tensor) -> float:
    """The share of the examples whose predicted class is the label.

    predicted: int64 tensor of shape (N, 1), as argmax with keepdim returns it, or of shape (N,); N is at least 1.
    labels: int64 tensor of shape (N,).
    Returns a Python float from 0 to 1.

    >>> accuracy(torch.tensor([[4], [7], [7], [4]]), torch.tensor([4, 7, 7, 7]))
    0.75
    """
    raise NotImplementedError("accuracy")


def close_enough(one: Tensor, other: Tensor) -> bool:
    """Whether two results are the same computation up to rounding, such as two sums in different order.

    one, other: float32 tensors of any shape, free of NaN and infinity.
    Returns a Python bool: True where both have the same shape and at every place the absolute difference is at most
    1e-6 + 1e-5 * abs(other).

    >>> close_enough(torch.tensor(0.1) * 3, torch.tensor(0.3)), close_enough(torch.zeros(2), torch.zeros(1))
    (True, False)
    """
    raise NotImplementedError("close_enough")


def keeps_graph(operation: Callable[[Tensor], Any], x: Tensor) -> bool:
    """Whether the result of an operation is part of the graph when its input requires a gradient.

    operation: takes one tensor; returns a tensor, a Python number or a list of numbers.
    x: float tensor without a gradient. It stays as it was: hand the operation one of your own that requires a gradient.
    Returns a Python bool; True also for an operation that returns its input as it is.
    Raises the RuntimeError of an operation that refuses such an input, as Tensor.numpy does.

    >>> keeps_graph(torch.tanh, torch.ones(2)), keeps_graph(torch.Tensor.int, torch.ones(2))
    (True, False)
    """
    raise NotImplementedError("keeps_graph")
