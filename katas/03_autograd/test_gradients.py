"""The specification of gradients.py."""

import pytest
import torch

CASES = [(0.7, -1.3, 0.4, 0.0), (-1.9, 0.6, 0.3, 1.0), (0.8, 1.7, -0.6, 0.25)]


def values(x1, w1, b, y):
    return {name: torch.tensor([value]) for name, value in zip(("x1", "w1", "b", "y"), (x1, w1, b, y), strict=True)}


def slope_of_z(x1, w1, b, y):
    """∂L/∂z = σ(z) - y, in closed form."""
    return 1 / (1 + torch.exp(-(x1 * w1 + b))) - y


@pytest.mark.fact("03.5", "03.7")
def test_weight_gradient_of_the_source(kata, check):
    """Catches ∂L/∂z handed in for ∂L/∂w1, and a .grad that nothing filled: the source's number is -0.0898."""
    check(kata.weight_gradient, **values(1.1, 2.2, 0.0, 1.0)).gives(torch.tensor([-0.0898]), atol=5e-5)


@pytest.mark.fact("03.7")
@pytest.mark.parametrize("inputs", CASES)
def test_weight_gradient_has_the_factor_x1(kata, check, inputs):
    """Catches a wrong factor or sign where no two of the inputs are related, as they are in the source's example."""
    given = values(*inputs)
    right = slope_of_z(**given) * given["x1"]

    check(kata.weight_gradient, **given).gives(right)


def test_weight_gradient_fills_no_grad_of_the_callers(kata, check):
    """Catches a w1 that is marked for the work and unmarked again: what backward() stored stays with it."""
    given = values(0.7, -1.3, 0.4, 0.0)

    _ = check(kata.weight_gradient, **given).value
    w1 = given["w1"]
    seen = {"requires_grad": w1.requires_grad, "grad is None": w1.grad is None}
    right = {"requires_grad": False, "grad is None": True}
    check.saw(kata.weight_gradient, seen, call="the caller's w1 after it").gives(right)


@pytest.mark.fact("03.5", "03.7")
def test_both_gradients_of_the_source(kata, check):
    """Catches a leaf left unfilled and gradients that change places: the source's are -0.0898 and -0.0817."""
    right = torch.tensor([-0.0898]), torch.tensor([-0.0817])

    check(kata.both_gradients, **values(1.1, 2.2, 0.0, 1.0), decay=0.0).gives(right, atol=5e-5)


@pytest.mark.parametrize("decay", [0.7, 0.03])
@pytest.mark.parametrize("inputs", CASES)
def test_both_gradients_with_a_penalty(kata, check, inputs, decay):
    """Catches a penalty that is in the loss's value and not in its gradient, or in the bias's gradient too."""
    given = values(*inputs)
    slope = slope_of_z(**given)
    right = slope * given["x1"] + 2 * decay * given["w1"], slope

    check(kata.both_gradients, **given, decay=decay).gives(right)


@pytest.mark.fact("03.5")
@pytest.mark.parametrize("inputs", [(1.1, 2.2, 0.0, 1.0), *CASES])
def test_node_gradients_are_kept(kata, check, inputs):
    """Catches interior nodes whose .grad is read although backward() fills only those of leaves."""
    given = values(*inputs)
    slope = slope_of_z(**given)
    a = slope + given["y"]
    right = slope, slope / (a * (1 - a))

    check(kata.node_gradients, **given).gives(right)


def small_graph():
    """w and b are leaves of different shapes, h is between them and the output."""
    w = torch.tensor([[0.5, -1.0, 2.0], [1.5, 0.25, -0.5]], requires_grad=True)
    b = torch.tensor([0.3, -0.8], requires_grad=True)
    h = w.sum(dim=1) * b
    output = torch.exp(h).sum()
    slope = torch.exp(h).detach()
    rows = (slope * b.detach()).reshape(2, 1).repeat(1, 3)
    right = {"w": rows, "b": slope * w.detach().sum(dim=1), "h": slope}
    return {"w": w, "b": b, "h": h, "output": output}, right


@pytest.mark.parametrize("asked", [("w", "b"), ("b",), ("h", "w"), ("b", "h", "w")], ids="-".join)
def test_gradients_of_leaves_and_interior_nodes(kata, check, asked):
    """Catches a result that is read out of .grad, a tuple within a tuple, and a graph that is freed after one input."""
    nodes, right = small_graph()

    call = check(kata.gradients_of, output=nodes["output"], inputs=[nodes[name] for name in asked])
    call.gives(tuple(right[name] for name in asked))


def test_gradients_of_an_input_that_is_not_used(kata, check):
    """Catches torch's error or its None where nothing depends on an input, and zeros of the wrong shape or dtype."""
    nodes, right = small_graph()
    unused = torch.tensor([[4.0], [5.0], [6.0]], requires_grad=True)
    double = torch.tensor([7.0, 8.0], dtype=torch.float64, requires_grad=True)
    zeros = torch.tensor([[0.0], [0.0], [0.0]]), torch.tensor([0.0, 0.0], dtype=torch.float64)

    call = check(kata.gradients_of, output=nodes["output"], inputs=[unused, nodes["b"], double])
    call.gives((zeros[0], right["b"], zeros[1]))


def test_gradients_of_fills_no_grad(kata, check):
    """Catches a backward() behind it: the leaves' .grad is used up by whoever trains on them."""
    nodes, _ = small_graph()
    nodes["b"].grad = torch.tensor([10.0, 20.0])

    _ = check(kata.gradients_of, output=nodes["output"], inputs=[nodes["w"], nodes["b"]]).value
    after = {name: nodes[name].grad for name in ("w", "b")}
    right = {"w": None, "b": torch.tensor([10.0, 20.0])}
    check.saw(kata.gradients_of, after, call="the .grad of w and b after it").gives(right, exact=True)


def three_to_two(x):
    return torch.stack([x[0] * x[1], x[2] ** 2 - x[0]])


def two_to_three(x):
    return torch.stack([x[0] ** 2, x[0] * x[1], 3 * x[1] - x[0]])


def two_to_two(x):
    return torch.stack([x[0] * x[1], x[1] ** 3])


def two_to_one(x):
    return (x[:1] * x[1:]).exp()


JACOBIANS = {
    three_to_two: ([2.0, -0.5, 1.5], [[-0.5, 2.0, 0.0], [-1.0, 0.0, 3.0]], [0.7, -2.0]),
    two_to_three: ([2.0, -0.5], [[4.0, 0.0], [-0.5, 2.0], [-1.0, 3.0]], [0.5, -1.0, 4.0]),
    two_to_two: ([3.0, -2.0], [[-2.0, 3.0], [0.0, 12.0]], [-0.25, 5.0]),
    two_to_one: ([2.0, 0.0], [[0.0, 2.0]], [-3.0]),
}


@pytest.mark.parametrize("f", JACOBIANS, ids=lambda f: f.__name__)
def test_vector_jacobian_weighs_the_rows(kata, check, f):
    """Catches a vector's backward() without a vector, a v of ones, and a v that is multiplied in afterwards."""
    x, jacobian, v = (torch.tensor(given) for given in JACOBIANS[f])
    right = sum(v[i] * jacobian[i] for i in range(len(v)))

    check(kata.vector_jacobian, f=f, x=x, v=v).gives(right)
