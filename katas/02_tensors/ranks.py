"""Ranks: how many axes a tensor has, what stands on each, and how an axis comes and goes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor


def scalar(value: float) -> Tensor:
    """A number as a tensor of rank 0.

    value: a Python int or float.
    Returns a tensor of shape (), in the dtype that torch gives such a number: int64 for an int, float32 for a float.

    >>> scalar(12)
    tensor(12)
    """
    raise NotImplementedError("scalar")


def describe(x: Tensor) -> tuple[int, torch.Size, int]:
    """The rank of a tensor, its shape, and how many elements it holds.

    x: a tensor of any rank.
    Returns the rank (an int), the shape (a torch.Size; a plain tuple will do) and the number of elements (an int).

    >>> describe(torch.zeros(2, 5))
    (2, torch.Size([2, 5]), 10)
    """
    raise NotImplementedError("describe")


def row_and_column(v: Tensor) -> tuple[Tensor, Tensor]:
    """A vector as a matrix of one row, and as a matrix of one column.

    v: a tensor of shape (n,), any dtype.
    Returns two tensors of that dtype: first the row, of shape (1, n), then the column, of shape (n, 1).
    Each may be a view of v or a copy.

    >>> row_and_column(torch.tensor([7, 8]))
    (tensor([[7, 8]]), tensor([[7],
            [8]]))
    """
    raise NotImplementedError("row_and_column")


def batch_of(examples: Sequence[Tensor]) -> Tensor:
    """Examples of one shape as one batch: the rank grows by one, and the batch axis stands first.

    examples: a list of n >= 1 tensors of one shape and dtype: vectors (dim,), or sequences of vectors (seq, dim).
    Returns a tensor of shape (n, dim) or (n, seq, dim), in which entry i along the first axis is examples[i].

    >>> batch_of([torch.tensor([1, 2]), torch.tensor([3, 4]), torch.tensor([5, 6])])
    tensor([[1, 2],
            [3, 4],
            [5, 6]])
    """
    raise NotImplementedError("batch_of")


def for_one(f: Callable[[Tensor], Tensor], example: Tensor) -> Tensor:
    """What a function that knows only batches answers for one example.

    f: takes a tensor (batch, ...) and returns one answer for each example, (batch, *answer).
    example: a tensor without a batch axis.
    Returns the answer for it without a batch axis, of shape (*answer): every other axis stays, also one of size 1.

    >>> for_one(lambda batch: batch.sum(dim=1), torch.tensor([1.0, 2.0, 4.0]))
    tensor(7.)
    """
    raise NotImplementedError("for_one")


def embeddings(batch: int, seq: int, dim: int, generator: torch.Generator) -> Tensor:
    """Random token embeddings [batch, seq, dim], from the standard normal distribution (mean 0, standard deviation 1).

    generator: where every random number is to come from. It is used as it stands and not seeded again, so that a second
    call goes on with other numbers; torch's global random stream is left as it was.
    Returns a float32 tensor of shape (batch, seq, dim).

    >>> embeddings(2, 4, 8, torch.Generator().manual_seed(5)).shape
    torch.Size([2, 4, 8])
    """
    raise NotImplementedError("embeddings")


def with_own_first(text: Tensor, firsts: Tensor) -> Tensor:
    """A batch in which every row is the same text, but for its first token: that one is the row's own.

    text: a float tensor (seq, dim), the embeddings of the text's tokens; seq >= 1.
    firsts: a float tensor (batch, dim), for each row the embedding that takes the place of the first token.
    Returns a float tensor (batch, seq, dim), with memory of its own. text and firsts are left as they were.

    >>> with_own_first(torch.tensor([[1.0], [2.0]]), torch.tensor([[8.0], [9.0]]))
    tensor([[[8.],
             [2.]],
    <BLANKLINE>
            [[9.],
             [2.]]])
    """
    raise NotImplementedError("with_own_first")
