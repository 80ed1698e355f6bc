"""Tensors are arrays: built from lists, sharing a NumPy array's memory or not, with NumPy's expressions, anywhere."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from torch import Tensor


def from_rows(rows: Sequence[Sequence[float]]) -> Tensor:
    """The values of a nested list as a tensor: row i of the tensor is row i of the list.

    rows: R lists of C Python floats each.
    Returns a float32 tensor of shape (R, C).

    >>> from_rows([[0.5, 1.0], [1.5, 2.0], [-2.5, 3.0]])
    tensor([[ 0.5000,  1.0000],
            [ 1.5000,  2.0000],
            [-2.5000,  3.0000]])
    """
    raise NotImplementedError("from_rows")


def shared(array: np.ndarray) -> Tensor:
    """A tensor on the memory of a NumPy array: what is written into one is read from the other.

    array: of any shape, and of a dtype that torch has too. It may be transposed, or a slice with a step.
    Returns a tensor with the array's shape, dtype and values, and no memory of its own.

    >>> array = np.array([1.5, 2.5])
    >>> tensor = shared(array)
    >>> array[0] = -8.0
    >>> tensor
    tensor([-8.0000,  2.5000], dtype=torch.float64)
    """
    raise NotImplementedError("shared")


def copied(array: np.ndarray) -> Tensor:
    """A tensor with the values of a NumPy array and memory of its own: neither sees what is written into the other.

    array: of any shape, and of a dtype that torch has too. It may be transposed, a slice with a step, or reversed,
    as array[::-1] is.
    Returns a tensor with the array's shape, dtype and values.

    >>> array = np.array([1.5, 2.5])
    >>> tensor = copied(array)
    >>> array[0] = -8.0
    >>> tensor
    tensor([1.5000, 2.5000], dtype=torch.float64)
    """
    raise NotImplementedError("copied")


def standardise(x: Tensor) -> Tensor:
    """For a tensor what `(x - x.mean(axis=1, keepdims=True)) / x.std(axis=1, keepdims=True)` is for a NumPy array.

    Each row loses its own mean and is divided by its own spread, as NumPy defines both; no constant is added to the
    spread, which is never zero.

    x: float tensor of shape (R, C) with C >= 2. It may require a gradient.
    Returns a tensor of x's shape and dtype, attached to x's graph.

    >>> standardise(torch.tensor([[1.0, 3.0], [50.0, 10.0]]))
    tensor([[-1.,  1.],
            [ 1., -1.]])
    """
    raise NotImplementedError("standardise")


def with_ones(x: Tensor) -> Tensor:
    """x with one more column behind its last one, all ones. (So can one matrix hold the weights and the bias.)

    x: tensor of shape (N, D), of any float dtype and on any device. "meta" is one of them: its tensors have a shape
    and a dtype, but no data. x may require a gradient.
    Returns a tensor of shape (N, D + 1), of x's dtype, on x's device, attached to x's graph.

    >>> with_ones(torch.tensor([[0.5, -2.0], [3.0, 4.0]]))
    tensor([[ 0.5000, -2.0000,  1.0000],
            [ 3.0000,  4.0000,  1.0000]])
    """
    raise NotImplementedError("with_ones")
