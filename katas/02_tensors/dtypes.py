"""Dtypes: what numbers turn into, what a cast keeps and loses, and where a wrong dtype shows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor


def bytes_of(shape: Sequence[int], dtype: torch.dtype) -> int:
    """The memory that the elements of a tensor of this shape and dtype take, in bytes.

    shape: a tuple or list of sizes; () is that of a scalar, and a size may be 0.
    dtype: any of torch's floating, integer and bool dtypes.
    Returns an int.

    >>> bytes_of((2, 3), torch.float32)
    24
    """
    raise NotImplementedError("bytes_of")


def inferred(data: bool | int | float | list | np.ndarray) -> torch.dtype:
    """The dtype that torch.tensor(data) would have, told without making a tensor.

    data: a Python bool, int or float; a list of at least one of these, also mixed, without lists inside; or a NumPy
    array of a dtype that torch has by the same name (float64, float32, float16, int64, int32, uint8, bool).
    Returns a torch.dtype; for Python floats that of torch's own default, float32.
    By hand: torch.tensor, as_tensor, asarray, full and scalar_tensor are refused.

    >>> inferred([False, 4, 0.25])
    torch.float32
    """
    raise NotImplementedError("inferred")


def float32_copy(x: Tensor) -> Tensor:
    """The numbers of a tensor in float32, in memory of their own.

    x: a tensor of any dtype, float32 included; it stays as it is.
    Returns a float32 tensor of the same shape that shares no memory with x.

    >>> float32_copy(torch.tensor([3, -4]))
    tensor([ 3., -4.])
    """
    raise NotImplementedError("float32_copy")


def to_integers(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Three ways from a float to an integer: toward zero, downward, and to the nearest.

    x: a floating tensor of any shape.
    Returns three int64 tensors of x's shape: the fraction cut off (toward zero); the largest integer that is not above
    x; and the nearest integer, where a number halfway between two goes to the even one.

    >>> to_integers(torch.tensor([-7.75]))
    (tensor([-7]), tensor([-8]), tensor([-8]))
    """
    raise NotImplementedError("to_integers")


def in_16_bits(x: Tensor) -> Tensor:
    """A tensor in float16 where all of it fits, else in bfloat16.

    float16 is the finer of the two, bfloat16 has the wider range. x fits if none of it becomes infinite in float16.

    x: a float32 tensor of at least one element, all of them finite.
    Returns a float16 or bfloat16 tensor of x's shape, each number of x rounded once.

    >>> in_16_bits(torch.tensor([0.5, 3.0])).dtype, in_16_bits(torch.tensor([0.5, 3e6])).dtype
    (torch.float16, torch.bfloat16)
    """
    raise NotImplementedError("in_16_bits")


def centred(pixels: Tensor) -> Tensor:
    """Pixels scaled from 0..255 to 0..1, less the mean of them all.

    pixels: an integer tensor (uint8 or int64) of any shape, with values from 0 to 255.
    Returns a float32 tensor of the same shape: pixels / 255 minus the mean of pixels / 255.

    >>> centred(torch.tensor([255, 0], dtype=torch.uint8))
    tensor([ 0.5000, -0.5000])
    """
    raise NotImplementedError("centred")


def first_loss(x: np.ndarray, y: np.ndarray, weight: list[float]) -> tuple[Tensor, Tensor]:
    """A weight that can be trained, and its first loss, from numbers that come from outside torch.

    The loss is the mean over the examples of (x @ weight - y) ** 2.

    x: a float64 array (n, d); y: a float64 array (n,); weight: a list of d Python floats, or of d ints.
    Returns first the weight, a float32 tensor (d,) that requires a gradient and is a leaf, so that its .grad can be
    filled; then the loss, a float32 tensor of shape () through which a gradient flows back to that weight.

    >>> first_loss(np.array([[1.0, 2.0]]), np.array([3.0]), [4, 0.5])
    (tensor([4.0000, 0.5000], requires_grad=True), tensor(4., grad_fn=<MeanBackward0>))
    """
    raise NotImplementedError("first_loss")
