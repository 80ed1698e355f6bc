"""The specification of building_blocks.py."""

from collections.abc import Iterable

import pytest
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def values(*shape, shift=0):
    """Distinct numbers of both signs, in no order."""
    count = torch.Size(shape).numel()
    return (((torch.arange(count) + shift) * 7 % 11 - 4.5) / 3 + torch.arange(count) / 100).reshape(shape)


def named(name, function):
    """What the spec does with an object of the learner's, as a call of that name."""
    function.__name__ = name
    return function


# ---- two_layers


@pytest.mark.fact("01.6")
def test_two_layers_are_three_modules(kata, check):
    """Catches a list for a Sequential, and a function in the wrong place, or none."""
    model = kata.two_layers(inputs=3, hidden=5, outputs=2)
    layers = model if isinstance(model, Iterable) else ()
    seen = [type(model).__name__, *(type(layer).__name__ for layer in layers)]

    call = "the type of what came back, and of its modules"
    check.saw(kata.two_layers, seen, call=call).gives(["Sequential", "Linear", "ReLU", "Linear"])


@pytest.mark.fact("01.6")
def test_two_layers_have_the_sizes(kata, check):
    """Catches sizes that are exchanged, and a bias left out: a Linear keeps its weight as (out, in)."""

    def shapes(inputs, hidden, outputs):
        return [tuple(parameter.shape) for parameter in kata.two_layers(inputs, hidden, outputs).parameters()]

    sizes = [(3, 5, 2), (1, 4, 6), (7, 2, 1), (2, 2, 3), (10, 1, 4)]
    right = [[(h, i), (h,), (o, h), (o,)] for i, h, o in sizes]
    check.each(named("shapes of the parameters of two_layers", shapes), sizes).gives(right)


@pytest.mark.fact("01.6")
@pytest.mark.parametrize("n", [1, 2, 4])
def test_two_layers_compute(kata, check, n):
    """Catches a missing ReLU, and one too many at the end, where outputs may be negative."""
    w1, b1, w2, b2 = parameters = values(5, 3), values(5, shift=4), values(2, 5, shift=2), values(2, shift=1)
    x = values(n, 3, shift=5)
    right = (x @ w1.T + b1).clamp(min=0) @ w2.T + b2

    def compute(x):
        model = kata.two_layers(inputs=3, hidden=5, outputs=2)
        for parameter, value in zip(model.parameters(), parameters, strict=True):
            parameter.data.copy_(value)
        return model(x)

    check(named("two_layers(3, 5, 2), with weights of the test,", compute), x=x).gives(right.requires_grad_())


# ---- Line


@pytest.mark.fact("01.6")
def test_Line_has_two_parameters(kata, check):
    """Catches tensors that are no Parameters, which no optimizer would ever get to see, and other shapes."""

    def parameters(a, b):
        return {name: parameter.detach() for name, parameter in kata.Line(a, b).named_parameters()}

    right = {"a": torch.tensor(-1.5), "b": torch.tensor(0.25)}
    check(named("named_parameters of Line", parameters), a=-1.5, b=0.25).gives(right, exact=True)


@pytest.mark.fact("01.6")
@pytest.mark.parametrize("shape", [(5,), (1,), (2, 3), (3, 1), ()])
def test_Line_computes(kata, check, shape):
    """Catches a and b exchanged, numbers taken out of the graph, and a module that cannot be called."""
    x = values(*shape)
    right = torch.tensor([-1.5 * v + 0.25 for v in x.flatten().tolist()]).reshape(shape).requires_grad_()

    check(named("Line(-1.5, 0.25)", lambda x: kata.Line(-1.5, 0.25)(x)), x=x).gives(right)


@pytest.mark.fact("01.6")
def test_Line_learns(kata, check):
    """Catches a forward that makes parameters of its own: those of the module then get no gradient."""
    x = values(4)

    def gradients(x):
        line = kata.Line(-1.5, 0.25)
        line(x).sum().backward()
        return {name: parameter.grad for name, parameter in line.named_parameters()}

    call = "gradients of the sum of Line(-1.5, 0.25)"
    check(named(call, gradients), x=x).gives({"a": x.sum(), "b": torch.tensor(4.0)})


# ---- Pairs


def examples(*shape):
    return {"x": values(*shape), "y": torch.tensor([30, 10, 40, 20, 50])[: shape[0]]}


@pytest.mark.fact("01.6")
def test_Pairs_has_a_length(kata, check):
    """Catches the length of one example for the number of examples."""
    rows = [examples(n, d) for n, d in [(5, 2), (3, 7), (1, 4), (2, 2), (4, 1)]]
    check.each(named("length of Pairs", lambda x, y: len(kata.Pairs(x, y))), rows).gives([5, 3, 1, 2, 4])


@pytest.mark.fact("01.6")
@pytest.mark.parametrize("shape", [(4, 3), (2, 2), (1, 5)])
def test_Pairs_has_items(kata, check, shape):
    """Catches the wrong row, one half of the pair, and its halves exchanged."""
    rows = [{**examples(*shape), "i": i} for i in range(shape[0])]
    right = [(row["x"][i].clone(), row["y"][i].clone()) for i, row in enumerate(rows)]
    check.each(named("item of Pairs", lambda x, y, i: kata.Pairs(x, y)[i]), rows).gives(right, exact=True)


@pytest.mark.fact("01.6")
def test_Pairs_fits_into_a_loader(kata, check):
    """Catches what a DataLoader cannot use: no length, or no index."""
    x, y = examples(5, 2).values()
    right = list(zip(x.split(2), y.split(2), strict=True))

    def batches(x, y):
        return [tuple(batch) for batch in DataLoader(kata.Pairs(x, y), batch_size=2)]

    check(named("batches of two of Pairs", batches), x=x.clone(), y=y.clone()).gives(right, exact=True)


# ---- in_batches


@pytest.mark.fact("01.6")
@pytest.mark.parametrize(("n", "size"), [(12, 5), (12, 4), (13, 20), (15, 7)])
def test_in_batches_gives_all_in_order(kata, check, n, size):
    """Catches a shuffle, a dropped rest, batches of one, and a loader that is used up after the first time."""
    x, y = values(n, 2), torch.arange(100, 100 + n)
    loader = kata.in_batches(TensorDataset(x, y), size)
    right = [y[i : i + size] for i in range(0, n, size)]

    for epoch in ("first", "second"):
        call = f"the batches of labels of {n} examples, size={size}, run through for the {epoch} time"
        check.saw(kata.in_batches, [labels for _, labels in loader], call=call).gives(right, exact=True)


@pytest.mark.fact("01.6")
def test_in_batches_gives_a_loader(kata, check):
    """Catches a list of batches, which would hold all data in memory at once."""
    loader = kata.in_batches(TensorDataset(values(7, 2)), 3)
    seen = "DataLoader" if isinstance(loader, DataLoader) else type(loader).__name__

    check.saw(kata.in_batches, seen, call="the type of what came back").gives("DataLoader")


# ---- one_step


def model_of(weight, bias, stale=None):
    """A Linear with these values; `stale` is left in .grad, as from an earlier batch."""
    model = nn.Linear(weight.shape[1], weight.shape[0])
    with torch.no_grad():
        model.weight.copy_(weight)
        model.bias.copy_(bias)
    if stale is not None:
        for parameter in model.parameters():
            parameter.grad = torch.full_like(parameter, stale)
    return model


def step_on_paper(weight, bias, x, y, lr):
    """The losses before and after one step of a linear layer, and the layer after it, in closed form and float64."""
    weight, bias, x, y = weight.double(), bias.double(), x.double(), y.double()
    error = x @ weight.T + bias - y
    new_weight = weight - lr * 2 * error.T @ x / error.numel()
    new_bias = bias - lr * 2 * error.sum(dim=0) / error.numel()
    after = x @ new_weight.T + new_bias - y
    losses = (error.square().mean().item(), after.square().mean().item())
    return losses, {"weight": new_weight.float(), "bias": new_bias.float()}


BATCHES = [(4, 3, 2, 0.1), (1, 2, 1, 0.25), (2, 2, 2, 0.02), (5, 1, 3, 0.05)]


@pytest.mark.fact("01.6")
@pytest.mark.parametrize(("n", "inputs", "outputs", "lr"), BATCHES)
def test_one_step_lowers_the_loss(kata, check, n, inputs, outputs, lr):
    """Catches a step left out, a loss that is not measured anew, a sum for a mean, and a learning rate of one's own."""
    weight, bias = values(outputs, inputs, shift=1), values(outputs, shift=3)
    x, y = values(n, inputs, shift=2), values(n, outputs, shift=6)
    losses, _ = step_on_paper(weight, bias, x, y, lr)
    check(kata.one_step, model=model_of(weight, bias), x=x, y=y, lr=lr).gives(losses, changes=["model"])


@pytest.mark.fact("01.6")
@pytest.mark.parametrize(("n", "inputs", "outputs", "lr"), BATCHES)
def test_one_step_changes_the_model(kata, check, n, inputs, outputs, lr):
    """Catches a copy that learns in the model's place, and another optimizer."""
    weight, bias = values(outputs, inputs, shift=1), values(outputs, shift=3)
    x, y = values(n, inputs, shift=2), values(n, outputs, shift=6)
    losses, right = step_on_paper(weight, bias, x, y, lr)
    model = model_of(weight, bias)
    seen = {"losses": kata.one_step(model, x, y, lr), **state(model)}

    check.saw(kata.one_step, seen, call="what came back, and the model after it").gives({"losses": losses, **right})


@pytest.mark.fact("01.6")
def test_one_step_forgets_earlier_gradients(kata, check):
    """Catches zero_grad left out: the step would follow the gradients of an earlier batch too."""
    weight, bias, x, y = values(2, 3), values(2, shift=3), values(4, 3, shift=2), values(4, 2, shift=6)
    losses, right = step_on_paper(weight, bias, x, y, 0.1)
    model = model_of(weight, bias, stale=5.0)
    seen = {"losses": kata.one_step(model, x, y, 0.1), **state(model)}

    call = "what came back, and the model after it, where every .grad was 5.0 before"
    check.saw(kata.one_step, seen, call=call).gives({"losses": losses, **right})


def state(model):
    return {name: parameter.detach() for name, parameter in model.named_parameters()}
