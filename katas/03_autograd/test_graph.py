"""The specification of graph.py."""

import pytest
import torch

CASES = [(0.7, 0.6, 0.4, 0.0), (-1.9, 0.6, 0.3, 1.0), (0.8, -1.3, -0.5, 0.25)]


def values(x1, w1, b, y):
    """w1 and b require a gradient, as in the source."""
    given = {name: torch.tensor([value]) for name, value in zip(("x1", "w1", "b", "y"), (x1, w1, b, y), strict=True)}
    given["w1"].requires_grad_()
    given["b"].requires_grad_()
    return given


def closed_form(x1, w1, b, y):
    z = x1 * w1 + b
    a = 1 / (1 + torch.exp(-z))
    return z, a, -(y * torch.log(a) + (1 - y) * torch.log(1 - a)).sum()


@pytest.mark.fact("03.1", "03.2", "03.3", "03.4")
def test_forward_of_the_source(kata, check):
    """Catches a wrong node by the source's numbers: 2.42, 0.9183 and 0.0852."""
    right = torch.tensor([2.42]), torch.tensor([0.9183]), torch.tensor(0.0852)

    check(kata.forward, **values(1.1, 2.2, 0.0, 1.0)).gives(right, atol=5e-5)


@pytest.mark.fact("03.2", "03.3", "03.4")
@pytest.mark.parametrize("inputs", CASES)
def test_forward_on_other_values(kata, check, inputs):
    """Catches what b = 0 and y = 1 hide in the source: a bias left out, a loss that knows one class."""
    given = values(*inputs)
    right = tuple(node.detach() for node in closed_form(**given))

    check(kata.forward, **given).gives(right)


@pytest.mark.fact("03.1")
@pytest.mark.parametrize("inputs", CASES)
def test_forward_reaches_both_leaves(kata, check, inputs):
    """Catches a path that is cut: the loss has its value, but w1 or b gets no gradient."""
    given = values(*inputs)
    slopes = torch.autograd.grad(closed_form(**given)[2], [given["w1"], given["b"]])
    right = {"loss.requires_grad": True, "w1": slopes[0], "b": slopes[1]}

    observed = slopes_of_loss(check, kata.forward, given, "w1", "b")
    check.saw(kata.forward, observed, call="the gradients of its loss with respect to w1 and b").gives(right)


@pytest.mark.fact("03.1")
def test_forward_reaches_an_input_that_requires_a_gradient(kata, check):
    """Catches an x1 taken for a constant: behind it there may be a layer that learns."""
    given = values(*CASES[0])
    given["x1"].requires_grad_()
    slopes = torch.autograd.grad(closed_form(**given)[2], [given["x1"], given["w1"]])
    right = {"loss.requires_grad": True, "x1": slopes[0], "w1": slopes[1]}

    observed = slopes_of_loss(check, kata.forward, given, "x1", "w1")
    call = "the gradients of its loss with respect to x1 and w1, where both require one"
    check.saw(kata.forward, observed, call=call).gives(right)


@pytest.mark.fact("03.1")
def test_forward_fills_no_grad(kata, check):
    """Catches a backward() in the forward pass."""
    given = values(*CASES[0])
    slopes = slopes_of_loss(check, kata.forward, given, "w1")
    filled = [name for name, tensor in given.items() if tensor.grad is not None]
    right = {"loss.requires_grad": True, "have a .grad": []}
    seen = {"loss.requires_grad": slopes["loss.requires_grad"], "have a .grad": filled}
    check.saw(kata.forward, seen, call="its loss, and which of the caller's leaves have a .grad after it").gives(right)


def slopes_of_loss(check, forward, given, *names):
    """The gradients of the loss by the names of the leaves, in a check of their own: a graph may be freed already."""
    loss = check(forward, **given).value[2]
    leaves = [given[name] for name in names]

    def slopes(loss):
        return torch.autograd.grad(loss, leaves, allow_unused=True) if loss.requires_grad else [None] * len(leaves)

    slopes.__name__ = "the gradients of the loss of forward"
    found = check(slopes, loss=loss).value
    return {"loss.requires_grad": loss.requires_grad, **dict(zip(names, found, strict=True))}


def nodes():
    """Tensors of every kind, and the part that each plays."""
    x, w = torch.tensor([1.5, -0.5]), torch.tensor([0.25, 2.0], requires_grad=True)
    used = torch.tensor([3.0], requires_grad=True)
    kept = used * used
    kept.retain_grad()
    kept.sum().backward()
    with torch.no_grad():
        unrecorded = w * x
    return [
        (x, "constant"),
        (w, "leaf"),
        (x * 2, "constant"),
        (x * w, "interior"),
        (used, "leaf"),
        (kept, "interior"),
        (w.detach(), "constant"),
        (w.clone(), "interior"),
        (w.double(), "interior"),
        (w.float(), "leaf"),
        (unrecorded, "constant"),
        ((x * w).detach().requires_grad_(), "leaf"),
        (w > 1, "constant"),
        (w[0], "interior"),
    ]


def test_role_of_every_kind(kata, check):
    """Catches a question that is asked by half: is_leaf alone, requires_grad alone, or whether .grad is filled."""
    rows = nodes()

    check.each(kata.role, [node for node, _ in rows]).gives([right for _, right in rows])


class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, slope):
        return slope * 2


def test_made_by_of_operations(kata, check):
    """Catches the name of another node than the tensor's own, and an ending that is cut away by guesswork."""
    w, v = torch.tensor([[0.25, 2.0]], requires_grad=True), torch.tensor([[1.5, 0.5]], requires_grad=True)
    h = w * v
    rows = {
        h * h: "Mul",
        h + w: "Add",
        torch.sigmoid(h): "Sigmoid",
        h.sum(): "Sum",
        (h / v).sum(dim=1): "Sum",
        h.clone(): "Clone",
        torch.exp(h + v): "Exp",
        h @ v.T: "Mm",
        torch.nn.functional.binary_cross_entropy(torch.sigmoid(h), torch.ones(1, 2)): "BinaryCrossEntropy",
    }

    check.each(kata.made_by, rows).gives(list(rows.values()))


def test_made_by_of_leaves_and_constants(kata, check):
    """Catches a grad_fn that is asked for its name where it is None."""
    w, x = torch.tensor([0.25, 2.0], requires_grad=True), torch.tensor([1.5, 0.5])
    rows = {w: "", x: "", x * 2: "", (w * x).detach(): "", w.float(): "", torch.exp(w * x): "Exp"}

    check.each(kata.made_by, rows).gives(list(rows.values()))


def test_made_by_of_a_function_of_ones_own(kata, check):
    """Catches a last letter that is cut off where no number follows."""
    w = torch.tensor([0.25, 2.0], requires_grad=True)

    check(kata.made_by, node=Twice.apply(w * w)).gives("Twice")


DTYPES = [torch.float64, torch.float32]


@pytest.mark.parametrize("dtype", DTYPES)
def test_trainable_has_the_scaled_values(kata, check, dtype):
    """Catches a scale or a cast that is forgotten, and a result that requires no gradient; in-place is judged below."""
    values = torch.tensor([[0.5, -3.0, 8.0], [2.0, 0.25, -1.0]], dtype=dtype)
    right = torch.tensor([[-0.1, 0.6, -1.6], [-0.4, -0.05, 0.2]], requires_grad=True)

    check(kata.trainable, values=values, scale=-0.2).gives(right, changes=["values"])


@pytest.mark.parametrize("dtype", DTYPES)
def test_trainable_is_a_leaf(kata, check, dtype):
    """Catches an operation after requires_grad: the optimizer refuses its result, and .grad stays None."""
    values = torch.tensor([0.5, -3.0, 8.0], dtype=dtype)
    made = check(kata.trainable, values=values, scale=0.01).value
    observed = [made.requires_grad, made.is_leaf, values.requires_grad]

    call = f"result.requires_grad, result.is_leaf, and values.requires_grad after it, for {dtype} values"
    check.saw(kata.trainable, observed, call=call).gives([True, True, False])


def test_trainable_leaves_the_values_alone(kata, check):
    """Catches a scaling in place that reaches the caller's values, in either precision or in float32 alone."""
    given = {dtype: torch.tensor([0.5, -3.0, 8.0], dtype=dtype) for dtype in DTYPES}
    right = {str(dtype): values.clone() for dtype, values in given.items()}

    for values in given.values():
        _ = check(kata.trainable, values=values, scale=4.0).value
    after = {str(dtype): values.detach() for dtype, values in given.items()}
    check.saw(kata.trainable, after, call="the caller's values after it").gives(right, exact=True)


def names(found, leaves):
    """What came back, each leaf by its name."""
    if not isinstance(found, (list, tuple, set)):
        return found
    return sorted(next((name for name, leaf in leaves.items() if leaf is item), other(item)) for item in found)


def other(item):
    return "another tensor" if isinstance(item, torch.Tensor) else f"no tensor: {type(item).__name__}"


def leaf(*values):
    return torch.tensor(values, requires_grad=True)


def test_leaves_behind_the_worked_example(kata, check):
    """Catches a walk that follows one branch alone, stops after a step, or trips over a constant."""
    leaves = {"w1": leaf(2.2), "b": leaf(0.3)}
    a = torch.sigmoid(torch.tensor([1.1]) * leaves["w1"] + leaves["b"])
    loss = torch.nn.functional.binary_cross_entropy(a, torch.tensor([1.0]))

    found = check(kata.leaves_behind, node=loss).value
    call = "the names of what it finds behind bce(sigmoid(x1 * w1 + b), y)"
    check.saw(kata.leaves_behind, names(found, leaves), call=call).gives(["b", "w1"])


def test_leaves_behind_has_a_shared_leaf_once(kata, check):
    """Catches a leaf that is listed once for each path that leads to it."""
    leaves = {"u": leaf(0.5), "w": leaf(-2.0)}
    h = torch.tanh(leaves["w"] * leaves["u"])

    found = check(kata.leaves_behind, node=(h * h + leaves["w"]).sum()).value
    call = "the names of what it finds behind h * h + w, where h = tanh(w * u)"
    check.saw(kata.leaves_behind, names(found, leaves), call=call).gives(["u", "w"])


def test_leaves_behind_tells_equal_leaves_apart(kata, check):
    """Catches leaves that are compared by their values: `in` asks a tensor for ==."""
    leaves = {"u": leaf(0.5), "v": leaf(0.5), "w": leaf(3.0)}

    found = check(kata.leaves_behind, node=leaves["u"] * leaves["v"] / leaves["w"]).value
    call = "the names of what it finds behind u * v / w, where u and v have the same value"
    check.saw(kata.leaves_behind, names(found, leaves), call=call).gives(["u", "v", "w"])


def test_leaves_behind_of_vectors(kata, check):
    """Catches leaves of several elements that are compared with ==, whose truth is ambiguous."""
    leaves = {"u": leaf(0.5, 1.0, -1.0), "v": leaf(2.0, 0.0, 4.0)}

    found = check(kata.leaves_behind, node=(leaves["u"] - leaves["v"] * leaves["u"]).sum()).value
    call = "the names of what it finds behind u - v * u"
    check.saw(kata.leaves_behind, names(found, leaves), call=call).gives(["u", "v"])


def test_leaves_behind_stops_where_the_graph_is_cut(kata, check):
    """Catches a leaf behind a detach(), or a frozen one, that is listed all the same."""
    leaves = {"u": leaf(0.5), "v": leaf(0.25), "frozen": torch.tensor([3.0])}

    found = check(kata.leaves_behind, node=leaves["u"].exp() * leaves["v"].exp().detach() * leaves["frozen"]).value
    call = "the names of what it finds behind exp(u) * exp(v).detach() * frozen"
    check.saw(kata.leaves_behind, names(found, leaves), call=call).gives(["u"])


def test_leaves_behind_of_a_leaf_and_of_a_constant(kata, check):
    """Catches a walk that starts at a grad_fn where there is none."""
    leaves = {"w": leaf(0.5)}
    x = torch.tensor([1.5])
    starts = {"w": leaves["w"], "x": x, "x * 2": x * 2, "w.detach()": leaf(2.0).detach()}

    found = {name: names(check(kata.leaves_behind, node=node).value, leaves) for name, node in starts.items()}
    right = {"w": ["w"], "x": [], "x * 2": [], "w.detach()": []}
    check.saw(kata.leaves_behind, found, call="the names of what it finds behind each").gives(right)
