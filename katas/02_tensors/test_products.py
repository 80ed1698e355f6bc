"""The specification of products.py."""

import functools
import math
import operator

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from torchkatas.by_hand import ByHand
from torchkatas.compare import Raised, Refusal

BY_HAND = {
    "affine": ("linear", "Linear"),
    "outer": ("outer", "ger"),
    "broadcast_shape": ("broadcast_tensors", "broadcast_to", "expand", "empty", "zeros", "ones", "rand", "full"),
    "softmax_rows": ("softmax", "log_softmax", "softmin", "Softmax", "LogSoftmax", "Softmin"),
}


def drawn(*shape, seed=0):
    """Halves between -4 and 4."""
    return torch.randint(-8, 9, shape, generator=torch.Generator().manual_seed(seed)) / 2


def summed(a, b):
    """The matrix product by the definition, in Python numbers."""
    rows, columns = a.tolist(), b.T.tolist()
    return torch.tensor([[math.fsum(map(operator.mul, row, column)) for column in columns] for row in rows])


@pytest.mark.fact("02.13")
def test_matrix_product_of_square_matrices(kata, check):
    """Catches *, an exchanged order and a transpose, none of which the shape can tell."""
    a = torch.tensor([[1.0, -2.0], [0.5, 3.0]])
    b = torch.tensor([[4.0, 0.0], [-1.0, 2.0]])
    check(kata.matrix_product, a=a, b=b).gives(torch.tensor([[6.0, -4.0], [-1.0, 6.0]]))


@pytest.mark.fact("02.13")
@pytest.mark.parametrize("shape", [(2, 3, 4), (3, 1, 2), (1, 4, 1), (3, 3, 1)], ids=str)
def test_matrix_product_of_any_sizes(kata, check, shape):
    """Catches * where it broadcasts or fails."""
    n, k, m = shape
    a, b = drawn(n, k), drawn(k, m, seed=1)
    right = summed(a, b)
    check(kata.matrix_product, a=a, b=b).gives(right)


@pytest.mark.fact("02.13")
@pytest.mark.parametrize("shape", [(4, 2, 3), (3, 3, 3), (1, 3, 2)], ids=str)
def test_affine_of_a_batch(kata, check, shape):
    """Catches the weight taken as (in, out), and a bias that is forgotten or added down the batch."""
    n, inputs, outputs = shape
    x, weight, bias = drawn(n, inputs), drawn(outputs, inputs, seed=1), drawn(outputs, seed=2)
    right = summed(x, weight.T) + torch.stack([bias] * n)
    check(kata.affine, x=x, weight=weight, bias=bias).gives(right)


@pytest.mark.parametrize("lead", [(), (2, 4)], ids=["one vector", "a batch of sequences"])
def test_affine_takes_any_leading_axes(kata, check, lead):
    """Catches code that works on a batch of vectors alone, such as addmm or weight @ x.T."""
    x, weight, bias = drawn(*lead, 3), drawn(5, 3, seed=1), drawn(5, seed=2)
    right = F.linear(x, weight, bias)
    check(kata.affine, x=x, weight=weight, bias=bias).gives(right)


@pytest.mark.parametrize("learnt", [("weight", "bias"), ("x",)], ids="+".join)
def test_affine_keeps_the_graph(kata, check, learnt):
    """Catches a result that no gradient can flow back through, or not to all."""
    x = torch.tensor([[0.5, -2.0]], requires_grad="x" in learnt)
    weight = torch.tensor([[1.0, 3.0], [-4.0, 2.0], [0.0, 1.5]], requires_grad="weight" in learnt)
    bias = torch.tensor([0.25, -1.0, 8.0], requires_grad="bias" in learnt)
    inputs, upstream = {"x": x, "weight": weight, "bias": bias}, torch.tensor([[1.0, -2.0, 0.5]])
    right = F.linear(x, weight, bias)
    slopes = {"x": upstream @ weight.detach(), "weight": upstream.T @ x.detach(), "bias": upstream[0]}

    seen = check(kata.affine, **inputs)
    seen.gives(right)
    came_back(check, kata.affine, seen.value, upstream, {name: inputs[name] for name in learnt}, slopes)


def came_back(check, function, result, upstream, inputs, right):
    """Whether a gradient comes back to each input, and then whether it is the right one."""
    found = torch.autograd.grad(result, list(inputs.values()), upstream, allow_unused=True)
    arrived = {name: slope is not None for name, slope in zip(inputs, found, strict=True)}
    check.saw(function, arrived, call="whether a gradient comes back").gives(dict.fromkeys(inputs, True))
    slopes = dict(zip(inputs, found, strict=True))
    check.saw(function, slopes, call="the gradients").gives({name: right[name] for name in inputs})


@pytest.mark.fact("02.12")
@pytest.mark.fact("02.13")
@pytest.mark.parametrize("shape", [(2, 1, 3, 4), (2, 3, 3, 3), (3, 2, 4, 5), (1, 2, 2, 3)], ids=str)
def test_dot_products_of_each_batch_entry(kata, check, shape):
    """Catches keys left as they are, keys of another entry, queries and keys exchanged, and *."""
    batch, q, k, dim = shape
    queries, keys = drawn(batch, q, dim), drawn(batch, k, dim, seed=1)
    right = torch.stack([summed(one, other.T) for one, other in zip(queries, keys, strict=True)])
    check(kata.dot_products, queries=queries, keys=keys).gives(right)


@pytest.mark.fact("02.13")
@pytest.mark.parametrize("sizes", [(2, 2), (2, 3), (3, 1), (1, 4)], ids=str)
def test_outer_of_two_vectors(kata, check, sizes):
    """Catches u.T for a column, a dot product, and the transposed result."""
    u, v = torch.tensor([2.0, -3.0, 0.5])[: sizes[0]], torch.tensor([4.0, 0.25, -1.0, 6.0])[: sizes[1]]
    right = torch.tensor([[a * b for b in v.tolist()] for a in u.tolist()])
    check(kata.outer, u=u, v=v).gives(right)


def built_in(*shapes):
    """Stands in for what torch and NumPy offer: it takes shapes alone, which no torch function mode can see."""
    raise ByHand("broadcast_shapes")


class Refused(Raised):
    """A refusal that equals any other of its class: each learner words it in another way."""

    def __eq__(self, other):
        return isinstance(other, Raised) and type(other.error) is type(self.error)

    __hash__ = Raised.__hash__


def asked(kata, check, pairs):
    """The function's answer to each pair of shapes, its refusals as well."""

    @functools.wraps(kata.broadcast_shape)
    def broadcast_shape(one, other):
        try:
            return kata.broadcast_shape(one, other)
        except ValueError as error:
            return Refused(error)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(torch, "broadcast_shapes", built_in)
        patch.setattr(np, "broadcast_shapes", built_in)
        return check.each(broadcast_shape, pairs)


@pytest.mark.fact("02.13")
def test_broadcast_shape_of_shapes_that_fit(kata, check):
    """Catches shapes aligned at the front, axes dropped or refused, and a result back to front."""
    pairs = [
        ((3,), (3, 1)),
        ((2, 3), (3,)),
        ((4, 1), (3,)),
        ((), (5,)),
        ((), ()),
        ((2, 1, 4), (3, 1)),
        ((1, 6), (5, 1)),
        ((7,), (7,)),
    ]
    right = [np.broadcast_shapes(*pair) for pair in pairs]
    asked(kata, check, pairs).gives(right)


@pytest.mark.fact("02.13")
def test_broadcast_shape_of_shapes_that_do_not_fit(kata, check):
    """Catches a shape where nothing fits."""
    pairs = [((2, 3), (2,)), ((4,), (3,)), ((2, 5), (3, 3, 5)), ((0,), (2,)), ((4,), (2,))]
    asked(kata, check, pairs).gives([Refusal(ValueError, "broadcast")] * len(pairs))


@pytest.mark.fact("02.13")
def test_broadcast_shape_with_a_size_of_0(kata, check):
    """Catches a 0 that is lost to a maximum, or that fits any other size."""
    pairs = [((1, 3), (0, 3)), ((2, 0), (1,)), ((), (0,)), ((0,), (0,)), ((0,), (2,)), ((4, 3), (4, 0))]
    right = [np.broadcast_shapes(*pair) for pair in pairs[:4]]
    asked(kata, check, pairs).gives([*right, *[Refusal(ValueError, "broadcast")] * 2])


def standardized(x):
    """By NumPy in double precision; its std divides by the number of columns."""
    rows = x.double().numpy()
    return torch.from_numpy((rows - rows.mean(1, keepdims=True)) / rows.std(1, keepdims=True)).float()


@pytest.mark.fact("02.13")
@pytest.mark.parametrize("rows", [3, 1, 5])
def test_standardize_rows_row_by_row(kata, check, rows):
    """Catches statistics without keepdim, those of the columns or of all, and a division by m - 1."""
    table = [[0.0, 1.0, 5.0], [30.0, -10.0, 20.0], [-7.0, -6.5, 2.0], [1.0, 4.0, 3.0], [100.0, 101.0, 99.0]]
    x = torch.tensor(table[:rows])
    right = standardized(x)
    check(kata.standardize_rows, x=x).gives(right)


@pytest.mark.fact("02.13")
@pytest.mark.parametrize(
    "rows",
    [
        [[2.0, 0.0, -1.0], [0.5, 3.0, 1.0], [-2.0, 1.5, 4.0]],
        [[1.0, -1.0, 0.0, 2.5], [3.0, 0.5, -2.0, 1.0]],
        [[0.0, 20.0]],
    ],
    ids=["square", "wide", "one row"],
)
def test_softmax_rows_sum_to_one(kata, check, rows):
    """Catches columns that sum to 1 in place of rows, and what max() returns taken for a tensor."""
    logits = torch.tensor(rows)
    right = torch.softmax(logits, dim=-1)
    check(kata.softmax_rows, logits=logits).gives(right)


def test_softmax_rows_of_extreme_logits(kata, check):
    """Catches exp() of the bare logits, and one maximum for rows of mixed scale."""
    logits = torch.tensor([[87.0, 85.0, 89.0], [1000.0, 998.0, 999.0], [-1000.0, -1001.0, -999.0], [-5.0, 1.0, 0.0]])
    right = torch.softmax(logits, dim=-1)
    check(kata.softmax_rows, logits=logits).gives(right)


@pytest.mark.fact("02.13")
def test_mean_squared_error_of_perfect_predictions(kata, check):
    """Catches (N, 1) - (N,): an error although each prediction is right."""
    predictions, targets = torch.tensor([[1.5], [-2.0], [4.0]]), torch.tensor([1.5, -2.0, 4.0])
    check(kata.mean_squared_error, predictions=predictions, targets=targets).gives(torch.tensor(0.0), exact=True)


@pytest.mark.fact("02.13")
@pytest.mark.parametrize("shape", [(4, 1), (4,), (1, 1)], ids=str)
def test_mean_squared_error_of_any_predictions(kata, check, shape):
    """Catches a sum, a half, a root and absolute differences in place of the mean of squares."""
    predictions = torch.tensor([4.5, -1.0, 0.5, 2.0][: shape[0]]).reshape(shape)
    targets = torch.tensor([1.0, 2.0, 0.5, -5.0][: shape[0]])
    pairs = list(zip(predictions.flatten().tolist(), targets.tolist(), strict=True))
    right = torch.tensor(math.fsum((p - t) ** 2 for p, t in pairs) / len(pairs))
    check(kata.mean_squared_error, predictions=predictions, targets=targets).gives(right)


def test_mean_squared_error_keeps_the_graph(kata, check):
    """Catches a loss that is a bare number, and one from which no path leads back: nothing could be learnt from it."""
    predictions = torch.tensor([[3.0], [-1.0]], requires_grad=True)
    targets = torch.tensor([1.0, 2.0])
    right = F.mse_loss(predictions, targets[:, None])
    seen = check(kata.mean_squared_error, predictions=predictions, targets=targets)
    seen.gives(right)
    slopes = {"predictions": torch.tensor([[2.0], [-3.0]])}  # 2 / N times the difference, N = 2
    came_back(check, kata.mean_squared_error, seen.value, None, {"predictions": predictions}, slopes)
