"""Shapes: reading them, changing them, and which results share memory with the input."""

from __future__ import annotations

import torch  # noqa: F401
from torch import Tensor


def features_per_example(batch: Tensor) -> int:
    """How many numbers one example of a batch holds, read off the batch's shape.

    batch: tensor of shape (N, ...), of rank 1 or higher, any dtype; the first axis counts the examples. N may be 0.
    Returns a Python int; it is 1 for a batch of plain numbers, of shape (N,).

    >>> features_per_example(torch.zeros(8, 3, 5))
    15
    """
    raise NotImplementedError("features_per_example")


def in_rows(values: Tensor, columns: int) -> Tensor:
    """A vector cut into rows of `columns` numbers each, one row after the other.

    values: contiguous tensor of shape (n,), any dtype; n is a multiple of columns.
    Returns a tensor of shape (n / columns, columns) and the same dtype. It is a view: it shares its memory with values.

    >>> in_rows(torch.tensor([9, 8, 7, 6]), 2)
    tensor([[9, 8],
            [7, 6]])
    """
    raise NotImplementedError("in_rows")


def transpose_each(matrices: Tensor) -> Tensor:
    """A matrix transposed, or each matrix of a batch.

    matrices: tensor of shape (..., n, m), of rank 2 or higher, any dtype; all axes but the last two are batch axes.
    Returns a tensor of shape (..., m, n) and the same dtype. It is a view: it shares its memory with matrices.

    >>> transpose_each(torch.tensor([[1, 2, 3], [4, 5, 6]]))
    tensor([[1, 4],
            [2, 5],
            [3, 6]])
    """
    raise NotImplementedError("transpose_each")


def channels_first(images: Tensor) -> Tensor:
    """Images as a file holds them, with the channels last, in the order that PyTorch's layers take.

    images: tensor of shape (N, H, W, C), any dtype.
    Returns a tensor of shape (N, C, H, W) and the same dtype: the pixel in row h and column w stays in row h and
    column w. The result is contiguous.

    >>> channels_first(torch.tensor([[[[1, 10], [2, 20], [3, 30]]]])).tolist()  # one row of three pixels, two channels
    [[[[1, 2, 3]], [[10, 20, 30]]]]
    """
    raise NotImplementedError("channels_first")


def flat_features(images: Tensor) -> Tensor:
    """Each image as one row of features; a single image is a batch of one.

    images: tensor of shape (N, C, H, W), or (C, H, W) for one unbatched image; any dtype, not always contiguous.
    N may be 0; C, H and W are at least 1.
    Returns a tensor of shape (N, C * H * W), or (1, C * H * W) for one unbatched image, and the same dtype. A row holds
    the image's numbers in the order of its axes. Whether it is a view or a copy is left open.

    >>> flat_features(torch.tensor([[[1, 2]], [[3, 4]]]))  # one row of two pixels, two channels
    tensor([[1, 2, 3, 4]])
    """
    raise NotImplementedError("flat_features")


def blank_channel(images: Tensor, channel: int) -> Tensor:
    """A copy of a batch of images with one channel set to zero in each.

    images: tensor of shape (N, C, H, W), of any float dtype, contiguous, without a gradient. It stays as it was.
    What stands in the channel may be anything, inf and NaN too.
    channel: from 0 to C - 1.
    Returns a tensor of the same shape and dtype, with memory of its own.

    >>> blank_channel(torch.tensor([[[[5.0, 6.0]], [[7.0, 8.0]]]]), 0).tolist()
    [[[[0.0, 0.0]], [[7.0, 8.0]]]]
    """
    raise NotImplementedError("blank_channel")


def shares_memory(one: Tensor, other: Tensor) -> bool:
    """Whether two tensors lie in the same storage, whichever part of it each of them looks at.

    one, other: tensors on the CPU, neither of them empty; of any shape, strides and dtype. Neither is changed.
    Returns a bool; True also for two slices of one tensor that have no element in common.

    >>> x = torch.arange(6)
    >>> shares_memory(x[:2], x[4:]), shares_memory(x, x.clone())
    (True, False)
    """
    raise NotImplementedError("shares_memory")
