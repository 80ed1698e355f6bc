"""Masks: bool tensors that say which elements count."""

from __future__ import annotations

import torch  # noqa: F401
from torch import Tensor


def above(x: Tensor, threshold: float = 0.5) -> Tensor:
    """Which elements lie above a threshold.

    x: a float tensor of any shape; NaN lies above nothing.
    Returns a bool tensor of x's shape: True where an element is greater than threshold.

    >>> above(torch.tensor([0.3, 0.8]))
    tensor([False,  True])
    """
    raise NotImplementedError("above")


def kept(x: Tensor, keep: Tensor) -> Tensor:
    """The rows of a matrix that are marked with a 1.

    x: a tensor (n, d).
    keep: an int64 tensor (n,) of zeros and ones.
    Returns the rows where keep is 1, in their order, of shape (number of ones, d), which may be (0, d).

    >>> kept(torch.tensor([[5, 6], [7, 8]]), torch.tensor([0, 1]))
    tensor([[7, 8]])
    """
    raise NotImplementedError("kept")


def padding_mask(lengths: Tensor) -> Tensor:
    """Which positions of a padded batch hold a token.

    lengths: an int64 tensor (batch,), the number of tokens in each sequence; one may be 0, the longest is not. Every
    sequence is padded at its end to the longest.
    Returns a bool tensor (batch, longest): True at a token, False at padding.

    >>> padding_mask(torch.tensor([1, 2]))
    tensor([[ True, False],
            [ True,  True]])
    """
    raise NotImplementedError("padding_mask")


def causal_mask(n: int) -> Tensor:
    """Which positions each position of a text may look at: itself and those before it, none that comes later.

    Returns a bool tensor (n, n): row i is for position i, and True in column j where i may look at j.

    >>> causal_mask(2)
    tensor([[ True, False],
            [ True,  True]])
    """
    raise NotImplementedError("causal_mask")


def attention_weights(scores: Tensor, visible: Tensor) -> Tensor:
    """The attention weights: a softmax over the visible keys alone.

    scores: a float32 tensor (batch, queries, keys) of any finite numbers, also as large as 1000 or as low as -1e30.
    visible: a bool tensor that broadcasts to the shape of scores; every query sees at least one key.
    Returns a float32 tensor of the shape of scores: along the last axis the softmax over the visible keys, and 0 where
    a key is hidden.

    >>> attention_weights(torch.tensor([[[2.0, 2.0, 9.0]]]), torch.tensor([True, True, False]))
    tensor([[[0.5000, 0.5000, 0.0000]]])
    """
    raise NotImplementedError("attention_weights")


def masked_mean(x: Tensor, mask: Tensor) -> Tensor:
    """The mean of the token vectors of each sequence, padding left out.

    x: a float32 tensor (batch, seq, dim). What stands at padding means nothing and may be anything, NaN too.
    mask: a bool tensor (batch, seq): True at a token, False at padding.
    Returns a float32 tensor (batch, dim); zeros for a sequence that has no token at all.

    >>> masked_mean(torch.tensor([[[2.0, 4.0], [6.0, 0.0], [9.0, 9.0]]]), torch.tensor([[True, True, False]]))
    tensor([[4., 2.]])
    """
    raise NotImplementedError("masked_mean")
