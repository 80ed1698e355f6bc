"""Products: @ against *, batches of matrices, and the rules of broadcasting."""

from __future__ import annotations

import torch  # noqa: F401
from torch import Tensor


def matrix_product(a: Tensor, b: Tensor) -> Tensor:
    """The matrix product of a and b: entry (i, j) is the sum over k of a[i, k] * b[k, j].

    a: float tensor of shape (n, k).
    b: float tensor of shape (k, m).
    Returns a float tensor of shape (n, m).

    >>> matrix_product(torch.tensor([[1.0, 2.0]]), torch.tensor([[10.0], [100.0]]))
    tensor([[210.]])
    """
    raise NotImplementedError("matrix_product")


def affine(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """What a linear layer computes: entry o of the result is the dot product of x and row o of weight, plus bias[o].

    x: float tensor of shape (..., in): one vector, a batch of them, or a batch of sequences of them.
    weight: float tensor of shape (out, in), as nn.Linear keeps it.
    bias: float tensor of shape (out,).
    Returns a float tensor of shape (..., out), part of the graph of each input that requires a gradient.
    Write it by hand: without linear and without nn.Linear.

    >>> affine(torch.tensor([[1.0, 2.0]]), torch.tensor([[3.0, 4.0], [5.0, 6.0], [0.0, 1.0]]), torch.zeros(3))
    tensor([[11., 17.,  2.]])
    """
    raise NotImplementedError("affine")


def dot_products(queries: Tensor, keys: Tensor) -> Tensor:
    """The dot product of each query with each key of the same batch entry.

    queries: float tensor of shape (batch, q, dim).
    keys: float tensor of shape (batch, k, dim).
    Returns a float tensor of shape (batch, q, k), not scaled.

    >>> dot_products(torch.tensor([[[1.0, 2.0]]]), torch.tensor([[[3.0, 4.0], [5.0, 6.0]]]))
    tensor([[[11., 17.]]])
    """
    raise NotImplementedError("dot_products")


def outer(u: Tensor, v: Tensor) -> Tensor:
    """The outer product of two vectors: entry (i, j) is u[i] * v[j].

    u: float tensor of shape (n,).
    v: float tensor of shape (m,).
    Returns a float tensor of shape (n, m). Write it by hand: without outer and without ger.

    >>> outer(torch.tensor([1.0, 10.0]), torch.tensor([4.0, 5.0, 6.0]))
    tensor([[ 4.,  5.,  6.],
            [40., 50., 60.]])
    """
    raise NotImplementedError("outer")


def broadcast_shape(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of an element-wise result of two tensors, worked out from their shapes by the rules of broadcasting.

    one, other: shapes of any rank, () included; a size may be 0.
    Returns a tuple of ints.
    Raises ValueError, with the word "broadcast" in its text, where the two shapes do not fit.
    Write it by hand: without a tensor, and without the broadcast functions of torch and NumPy.

    >>> broadcast_shape((5, 1), (7,))
    (5, 7)
    """
    raise NotImplementedError("broadcast_shape")


def standardize_rows(x: Tensor) -> Tensor:
    """Each row shifted and scaled to mean 0 and population standard deviation 1.

    The population's standard deviation divides by the number of columns m, as NumPy's std does.

    x: float tensor of shape (n, m); no row is constant.
    Returns a float tensor of shape (n, m).

    >>> standardize_rows(torch.tensor([[1.0, 5.0], [60.0, 20.0]]))
    tensor([[-1.,  1.],
            [ 1., -1.]])
    """
    raise NotImplementedError("standardize_rows")


def softmax_rows(logits: Tensor) -> Tensor:
    """The softmax of each row: exp(logit) over the sum of the row's exp(logit).

    logits: float tensor of shape (n, classes), of any finite size: in a row near 1000 or near -1000 too, the result
    is finite.
    Returns a float tensor of shape (n, classes); each row sums to 1. Write it by hand: without torch's softmax and
    log_softmax.

    >>> softmax_rows(torch.tensor([[0.0, 0.0, 0.0, 0.0], [-9.0, -9.0, -999.0, -9.0]]))
    tensor([[0.2500, 0.2500, 0.2500, 0.2500],
            [0.3333, 0.3333, 0.0000, 0.3333]])
    """
    raise NotImplementedError("softmax_rows")


def mean_squared_error(predictions: Tensor, targets: Tensor) -> Tensor:
    """The mean over the examples of the squared difference between prediction and target.

    predictions: float tensor of shape (N, 1), as a model with one output returns it, or of shape (N,).
    targets: float tensor of shape (N,), as a loader returns it.
    Returns a float tensor of shape (), part of the graph when predictions require a gradient.

    >>> mean_squared_error(torch.tensor([[1.0], [5.0]]), torch.tensor([2.0, 5.0]))
    tensor(0.5000)
    """
    raise NotImplementedError("mean_squared_error")
