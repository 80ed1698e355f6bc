"""The specification of python_numbers.py."""

import math

import pytest
import torch

from torchkatas.compare import Refusal


@pytest.mark.fact("02.15")
@pytest.mark.parametrize("shape", [(), (1,)], ids=str)
@pytest.mark.parametrize("graph", [True, False], ids=["graph", "no graph"])
def test_mean_loss_is_a_python_float(kata, check, shape, graph):
    """Catches a tensor in its place, which keeps the graph of every step, the sum, and the last loss alone."""
    weight = torch.tensor(2.0, requires_grad=graph)
    losses = [(weight * value).reshape(shape) for value in (1.25, -0.5, 4.0)]
    check(kata.mean_loss, losses=losses).gives((2.5 - 1.0 + 8.0) / 3)


@pytest.mark.fact("02.15")
def test_mean_loss_of_one_step(kata, check):
    """Catches a loss that is cut to a whole number."""
    check(kata.mean_loss, losses=[torch.tensor(0.75)]).gives(0.75)


@pytest.mark.fact("02.15")
@pytest.mark.fact("02.16")
def test_as_numbers_of_any_tensor(kata, check):
    """Catches a flat list, a list of tensors, one kind of number for all, and numpy() where there is a graph."""
    rows = {
        "matrix": (torch.tensor([[0.5, -2.0], [8.0, 0.25]]), [[0.5, -2.0], [8.0, 0.25]]),
        "vector": (torch.tensor([3, -7, 12]), [3, -7, 12]),
        "one element": (torch.tensor([0.5]), [0.5]),
        "scalar": (torch.tensor(-1.5), -1.5),
        "bools": (torch.tensor([True, False]), [True, False]),
        "rank 3": (torch.tensor([[[1], [2]], [[3], [4]]]), [[[1], [2]], [[3], [4]]]),
        "with a gradient": (torch.tensor([[1.5], [2.5]], requires_grad=True), [[1.5], [2.5]]),
        "large integer": (torch.tensor(2**53 + 1), 2**53 + 1),
        "empty": (torch.tensor([]), []),
    }
    right = [numbers for _, numbers in rows.values()]
    check.each(kata.as_numbers, [x for x, _ in rows.values()]).gives(right)


def weights(requires_grad):
    return [
        torch.tensor([[0.5, -2.0, 1.0], [3.0, 0.0, -1.5]], requires_grad=requires_grad),
        torch.tensor([4.0, -0.25], requires_grad=requires_grad),
        torch.tensor(-3.0, requires_grad=requires_grad),
    ]


@pytest.mark.parametrize("count", [3, 1])
def test_squared_norm_of_plain_weights(kata, check, count):
    """Catches a sum without squares, a mean, a root, and a weight left out."""
    given = weights(requires_grad=False)[:count]
    right = torch.tensor(math.fsum(value**2 for weight in given for value in weight.flatten().tolist()))
    check(kata.squared_norm, weights=given).gives(right)


@pytest.mark.fact("02.16")
def test_squared_norm_keeps_the_graph(kata, check):
    """Catches item(), detach() and torch.tensor() on the way: no gradient comes back to all or to some weights."""
    given = weights(requires_grad=True)
    right = torch.nn.utils.parameters_to_vector(given).square().sum()
    seen = check(kata.squared_norm, weights=given)
    seen.gives(right)

    slopes = torch.autograd.grad(seen.value, given, allow_unused=True)
    arrived = [slope is not None for slope in slopes]
    check.saw(kata.squared_norm, arrived, call="whether a gradient comes back to each weight").gives([True] * 3)
    wanted = [2 * weight.detach() for weight in given]
    check.saw(kata.squared_norm, list(slopes), call="the gradient for each weight").gives(wanted)


CASES = {
    "a column, 2 of 4": ([[2], [2], [0], [2]], [2, 0, 2, 2], 0.5),
    "a vector, 1 of 4": ([3, 1, 0, 1], [1, 1, 2, 3], 0.25),
    "one example, wrong": ([[1]], [0], 0.0),
    "two examples, right": ([[1], [0]], [1, 0], 1.0),
    "three of five": ([0, 4, 1, 1, 2], [0, 4, 2, 0, 2], 0.6),
}


@pytest.mark.fact("02.15")
def test_accuracy_of_columns_and_vectors(kata, check):
    """Catches (N, 1) == (N,), which compares all pairs, a count in place of a share, and a tensor for the number."""
    rows = [(torch.tensor(predicted), torch.tensor(labels)) for predicted, labels, _ in CASES.values()]
    check.each(kata.accuracy, rows).gives([share for *_, share in CASES.values()])


def test_close_enough_up_to_rounding(kata, check):
    """Catches ==, a bound that ignores the size or the sign, one good place for all, and allclose, which broadcasts."""
    a, b, c = torch.tensor([0.2, 0.4]), torch.tensor([0.2, 7.0]), torch.tensor([0.3, 0.1])
    left, right = (a + b) + c, a + (b + c)
    assert not torch.equal(left, right)  # rounding does differ, by the standard of float arithmetic
    table = torch.tensor([[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]])
    rows = [
        (left, right, True),
        (torch.tensor([3e6, 1.0]), torch.tensor([3e6 + 2, 1.0]), True),
        (torch.tensor([1e-7]), torch.tensor([-2e-7]), True),
        (torch.tensor([1.0, 2.0, 3.0]), torch.tensor([1.0, 2.5, 3.0]), False),
        (torch.tensor([-5.0, 1.0]), torch.tensor([5.0, 1.0]), False),
        (torch.tensor([4.0, 6.0]), torch.tensor([6.0, 4.0]), False),
        (torch.tensor(0.001), torch.tensor(0.0011), False),
        (table, table[0].clone(), False),
        (torch.tensor([7.0]), torch.tensor(7.0), False),
        (table, torch.tensor([1.0, 2.0]), False),
        (table, table.clone(), True),
    ]
    wanted = [answer for *_, answer in rows]
    check.each(kata.close_enough, [(one, other) for one, other, _ in rows]).gives(wanted)


def positive(t):
    return t > 0


def in_columns(t):
    return t.reshape(2, -1).T


def itself(t):
    return t


def without_grad(t):
    with torch.no_grad():
        return t * 2


def rebuilt(t):
    return torch.tensor(t.tolist())


def written_into(t):
    out = torch.zeros(4)
    out[1:3] = t[:2]
    return out


OPERATIONS = [
    (torch.exp, True),
    (torch.Tensor.detach, False),
    (in_columns, True),
    (positive, False),
    (torch.argmax, False),
    (torch.Tensor.double, True),
    (torch.Tensor.long, False),
    (torch.Tensor.tolist, False),
    (itself, True),
    (without_grad, False),
    (rebuilt, False),
    (written_into, True),
    (torch.Tensor.clone, True),
]


@pytest.mark.fact("02.15")
@pytest.mark.fact("02.16")
def test_keeps_graph_for_each_operation(kata, check):
    """Catches an input without a gradient, a dtype, type or grad_fn taken for the graph, and a refusal swallowed."""
    rows = [(operation, torch.tensor([0.5, -1.5, 2.0, 3.5])) for operation, _ in OPERATIONS]
    rows += [(torch.Tensor.item, torch.tensor(2.5)), (torch.Tensor.numpy, torch.tensor([1.5, -2.0]))]
    right = [keeps for _, keeps in OPERATIONS]
    check.each(kata.keeps_graph, rows).gives([*right, False, Refusal(RuntimeError, "numpy")])
