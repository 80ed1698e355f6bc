"""What stays outside the graph: constants, snapshots, predictions, and the updates of the leaves themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from torch import Tensor, nn


def constant(x: Tensor) -> Tensor:
    """The same values in the same memory, as a constant: no gradient flows back through it.

    x: float tensor of any shape that requires a gradient, a leaf or the result of an operation. It is not changed, and
    keeps its place in its graph.
    Returns a tensor that requires no gradient and shares its memory with x.

    >>> x = torch.tensor([3.0], requires_grad=True)
    >>> (x * constant(x)).backward()
    >>> x.grad
    tensor([3.])
    """
    raise NotImplementedError("constant")


def snapshot(x: Tensor) -> Tensor:
    """The values of x as they are now, kept for good.

    x: float tensor of any shape and float dtype that may require a gradient, a leaf or the result of an operation. It
    is not changed.
    Returns a tensor of the same shape and dtype that requires no gradient and has memory of its own.

    >>> w = torch.tensor([1.5, 2.0], requires_grad=True)
    >>> best = snapshot(w)
    >>> _ = w.data.zero_()
    >>> best
    tensor([1.5000, 2.0000])
    """
    raise NotImplementedError("snapshot")


def to_numpy(x: Tensor) -> np.ndarray:
    """The values of any tensor as a NumPy array.

    x: tensor on the CPU of any shape, that may require a gradient, of dtype bool, int32, int64, float16, bfloat16,
    float32 or float64. It is not changed.
    Returns an array of the same shape and dtype; of bfloat16, which NumPy lacks, an array of float32. Whether it shares
    memory with x is left to you.

    >>> to_numpy(torch.tensor([0.5, 2.0], requires_grad=True))
    array([0.5, 2. ], dtype=float32)
    """
    raise NotImplementedError("to_numpy")


def predict(model: nn.Module, x: Tensor) -> Tensor:
    """What the model gives for x, while no graph is recorded.

    model: takes a batch and gives a tensor. It is called with gradient mode off: a graph is not even begun. Whether it
    is in train or eval mode is not touched.
    x: the batch.
    Returns the model's output, which requires no gradient. Gradient mode is afterwards what it was before the call, on
    or off, also where the model raises: that error goes on to the caller.

    >>> predict(nn.Threshold(0.5, 0.0), torch.tensor([0.25, 0.75], requires_grad=True))
    tensor([0.0000, 0.7500])
    """
    raise NotImplementedError("predict")


def cache_features(encoder: Callable[[Tensor], Tensor], batches: Iterable[Tensor]) -> Tensor:
    """The features of all batches, computed once so that a head can be trained on them many times.

    encoder: gives (n, k) features for (n, d) inputs. Its weights require a gradient, but are not to be trained.
    batches: tensors of shape (n, d), where n may differ from batch to batch.
    Returns one (N, k) tensor, the features of all N inputs in order. It requires no gradient, and a head with weights
    of its own can be trained on it: it may become part of a new graph.

    >>> cache_features(torch.exp, [torch.zeros(2, 1), torch.zeros(1, 1)])
    tensor([[1.],
            [1.],
            [1.]])
    """
    raise NotImplementedError("cache_features")


def chunk_gradients(
    cell: Callable[[Tensor, Tensor, Tensor], Tensor], w: Tensor, chunks: Sequence[Tensor], h: Tensor
) -> list[Tensor]:
    """Gradients of a recurrence over a long sequence, chunk by chunk: the state is carried on, its graph is not.

    cell: cell(w, chunk, h) gives the state after a chunk, from the state h before it. The loss of a chunk is the sum of
    the squares of the state after it.
    w: float tensor of any shape that requires no gradient and is not changed: make a leaf of your own.
    chunks: the parts of the sequence in order. h: the state before the first.
    Returns a list of tensors of w's shape: the gradient of each chunk's loss with respect to w, where the state that
    the chunk starts from counts as a constant.

    >>> chunks = [torch.tensor(3.0), torch.tensor(4.0)]
    >>> chunk_gradients(lambda w, x, h: w * x + h, torch.tensor(2.0), chunks, torch.tensor(1.0))
    [tensor(42.), tensor(120.)]
    """
    raise NotImplementedError("chunk_gradients")


def set_row(w: Tensor, row: int, values: Tensor) -> None:
    """Overwrite one row of a weight in place, as one does with the embedding of the padding token.

    w: float leaf of shape (n, d) that requires a gradient. It is changed in place and stays what it was besides: the
    same leaf, which requires a gradient, with the same .grad.
    row: index of the row.
    values: shape (d,).

    >>> w = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    >>> set_row(w, 1, torch.tensor([0.5, -0.5]))
    >>> w
    tensor([[ 1.0000,  2.0000],
            [ 0.5000, -0.5000]], requires_grad=True)
    """
    raise NotImplementedError("set_row")


def sgd_step(params: Sequence[Tensor], lr: float) -> None:
    """One step of gradient descent, p - lr * p.grad, written by hand: no optimizer of torch.optim.

    params: leaves that require a gradient. Each is changed in place: the same tensor objects hold the new values and
    are still leaves that require a gradient. One whose .grad is None is passed over.
    lr: the learning rate.
    Each .grad stays as it is; to clear it is up to the caller.

    >>> w = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> (3 * w).sum().backward()
    >>> sgd_step([w], lr=0.5)
    >>> w
    tensor([-0.5000,  0.5000], requires_grad=True)
    """
    raise NotImplementedError("sgd_step")
