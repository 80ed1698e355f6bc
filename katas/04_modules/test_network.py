"""The specification of network.py."""

from itertools import pairwise

import pytest
import torch
from torch import nn

from torchkatas.compare import same


def values(*shape, shift=0):
    """Distinct numbers of both signs, in no order."""
    count = torch.Size(shape).numel()
    return (((torch.arange(count) + shift) * 7 % 11 - 4.5) / 3 + torch.arange(count) / 100).reshape(shape)


def named(name, function):
    """What the spec does with an object of the learner's, as a call of that name."""
    function.__name__ = name
    return function


# ---- count_parameters


@pytest.mark.fact("05.20")
def test_count_parameters_of_layers(kata, check):
    """Catches the number of tensors or of rows, biases left out, and buffers counted in."""
    models = [
        (nn.Linear(5, 3), 18),
        (nn.Linear(7, 2, bias=False), 14),
        (nn.Embedding(11, 4), 44),
        (nn.BatchNorm1d(6), 12),
        (nn.ReLU(), 0),
        (nn.Conv2d(2, 3, kernel_size=5), 153),
    ]
    check.each(kata.count_parameters, [model for model, _ in models]).gives([count for _, count in models])


@pytest.mark.fact("05.9")
@pytest.mark.fact("05.20")
def test_count_parameters_of_nested_models(kata, check):
    """Catches a count that looks at one level alone, and one that counts a layer again at each level."""
    models = [
        (nn.Sequential(nn.Linear(50, 30), nn.ReLU(), nn.Linear(30, 3)), 1623),
        (nn.Sequential(nn.Sequential(nn.Linear(2, 5), nn.Tanh()), nn.Linear(5, 4)), 39),
        (nn.ModuleList([nn.Linear(3, 1), nn.ModuleList([nn.Sequential(nn.Linear(1, 2, bias=False))])]), 6),
        (nn.Sequential(), 0),
        (nn.ModuleDict({"a": nn.PReLU(7), "b": nn.Sequential(nn.LayerNorm(4))}), 15),
    ]
    check.each(kata.count_parameters, [model for model, _ in models]).gives([count for _, count in models])


@pytest.mark.fact("05.20")
def test_count_parameters_counts_frozen_ones(kata, check):
    """Catches the count of those that train."""
    model = nn.Sequential(nn.Linear(4, 3), nn.Linear(3, 2))
    seen = {}
    for name, frozen in {"none": [], "a layer": [model[0]], "all": [model]}.items():
        for module in frozen:
            module.requires_grad_(False)
        seen[f"{name} frozen"] = kata.count_parameters(model)

    right = {"none frozen": 23, "a layer frozen": 23, "all frozen": 23}
    check.saw(kata.count_parameters, seen, call="of Linear(4, 3) and Linear(3, 2) in a Sequential").gives(right)


@pytest.mark.fact("05.20")
def test_count_parameters_counts_a_shared_one_once(kata, check):
    """Catches a walk through the layers that meets a shared parameter twice."""
    model = nn.Sequential(nn.Embedding(10, 4), nn.Linear(4, 10))
    model[1].weight = model[0].weight
    seen = {"Embedding(10, 4) and Linear(4, 10) with one weight": kata.count_parameters(model)}
    layer = nn.Linear(3, 3)
    seen["the same Linear(3, 3) at two places"] = kata.count_parameters(nn.Sequential(layer, nn.ReLU(), layer))

    right = {"Embedding(10, 4) and Linear(4, 10) with one weight": 50, "the same Linear(3, 3) at two places": 12}
    check.saw(kata.count_parameters, seen, call="of models that share").gives(right)


# ---- Net


SIZES = [(4, 3, 2), (2, 7, 5), (50, 30, 3)]


def called(model, x):
    """What a model gives; an attribute that it lacks is told without its name, which is each learner's own."""
    try:
        return model(x)
    except AttributeError as error:
        if not str(error).startswith(f"'{type(model).__name__}' object has no attribute"):
            raise
        lacking = AttributeError("forward asks for an attribute that the model does not have")
        raise lacking.with_traceback(error.__traceback__) from None


def made(net, *sizes):
    """The learner's Net; one that lacks parameters is called too, for why it lacks them often shows there."""
    model = net(*sizes)
    if len(list(model.parameters())) < 4:
        called(model, values(1, *(sizes or [50])[:1]))
    return model


@pytest.mark.fact("05.7")
@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_Net_keeps_its_layers(kata, check, sizes):
    """Catches layers that no one registered, sizes that are fixed or exchanged, and layers made anew at each call."""

    def look(inputs, hidden, outputs):
        model, x = kata.Net(inputs, hidden, outputs), values(2, inputs)
        shapes = sorted(tuple(parameter.shape) for parameter in model.parameters())
        return {"shapes of the parameters": shapes, "twice the same logits": same(called(model, x), model(x))}

    inputs, hidden, outputs = sizes
    shapes = sorted([(hidden, inputs), (hidden,), (outputs, hidden), (outputs,)])
    right = {"shapes of the parameters": shapes, "twice the same logits": True}
    check(named("Net", look), inputs=inputs, hidden=hidden, outputs=outputs).gives(right)


@pytest.mark.fact("05.9")
@pytest.mark.fact("05.20")
def test_Net_has_1623_parameters(kata, check):
    """Catches a Net whose own sizes are not those of the map, or whose layers have no bias."""
    check(named("parameters of Net", lambda: sum(p.numel() for p in made(kata.Net).parameters()))).gives(1623)


# weight and bias of both layers
NUMBERS = (values(3, 4), values(3, shift=4), values(2, 3, shift=2), values(2, shift=1) - 3)
NUMBERED = "model = Net(4, 3, 2), with numbers of the test; model"


def batch(n):
    return values(n, 4, shift=5) * torch.tensor([[1.0], [-1.0], [20.0], [-30.0], [0.1]])[:n]


def numbered(kata):
    """The learner's Net(4, 3, 2) and its parameters in the order of NUMBERS, which they hold; or what hinders it."""
    model = made(kata.Net, 4, 3, 2)
    by_shape = {tuple(parameter.shape): parameter for parameter in model.parameters()}
    if sorted(by_shape) != [(2,), (2, 3), (3,), (3, 4)]:
        return None, {"no numbers can be set, for the shapes of the parameters are": sorted(by_shape)}
    parameters = [by_shape[tuple(number.shape)] for number in NUMBERS]
    for parameter, number in zip(parameters, NUMBERS, strict=True):
        parameter.data.copy_(number)
    return model, parameters


@pytest.mark.fact("05.8")
@pytest.mark.fact("05.9")
@pytest.mark.parametrize("n", [1, 2, 5])
def test_Net_gives_logits(kata, check, n):
    """Catches probabilities or classes for logits, a ReLU at the end, and none between the layers."""
    w1, b1, w2, b2 = NUMBERS
    x = batch(n)
    right = (x @ w1.T + b1).clamp(min=0) @ w2.T + b2

    def logits(x):
        model, parameters = numbered(kata)
        return {"logits": model(x)} if model else parameters

    check(named(NUMBERED, logits), x=x).gives({"logits": right.requires_grad_()})


@pytest.mark.fact("05.7")
@pytest.mark.parametrize("n", [1, 2, 5])
def test_Net_learns(kata, check, n):
    """Catches a layer, or x, that was cut off the graph, and a ReLU that the backward pass knows nothing of."""
    w1, b1, w2, b2 = NUMBERS
    x, slope = batch(n), values(n, 2, shift=6)
    hidden = x @ w1.T + b1
    behind = slope @ w2 * (hidden > 0)  # the gradient for what the first layer gives
    right = {"logits": hidden.clamp(min=0) @ w2.T + b2, "first weight": behind.T @ x, "first bias": behind.sum(dim=0)}
    right |= {"second weight": slope.T @ hidden.clamp(min=0), "second bias": slope.sum(dim=0), "x": behind @ w1}

    def gradients(x):
        model, parameters = numbered(kata)
        if not model:
            return parameters
        leaf = x.clone().requires_grad_()
        logits = model(leaf)
        if logits.requires_grad:
            (logits * slope).sum().backward()
        found = zip(right, [logits.detach(), *(leaf.grad for leaf in (*parameters, leaf))], strict=True)
        return {name: "none" if value is None else value for name, value in found}

    call = NUMBERED.replace("; model", "; backward; the logits and the gradients of model")
    check(named(call, gradients), x=x).gives(right)


# ---- count_by_formula


@pytest.mark.fact("05.9")
@pytest.mark.fact("05.20")
def test_count_by_formula_of_the_map(kata, check):
    """Catches a count without the 33 biases: the example has 1,623 parameters."""
    check(kata.count_by_formula, sizes=[50, 30, 3]).gives(1623)


@pytest.mark.fact("05.20")
def test_count_by_formula_of_any_sizes(kata, check):
    """Catches biases of the inputs, layers that are left out, and a count that is fixed to two layers."""
    sizes = [[4, 3, 2], [1, 1, 1, 1], [3, 8, 2, 5], [2, 6, 3, 4, 7, 1], [7, 1, 2], [2, 1, 5, 9]]
    right = [sum(p.numel() for a, b in pairwise(s) for p in nn.Linear(a, b).parameters()) for s in sizes]
    check.each(kata.count_by_formula, sizes).gives(right)


@pytest.mark.fact("05.20")
def test_count_by_formula_of_one_layer(kata, check):
    """Catches a hidden layer that is taken for granted."""
    sizes = [[5, 3], [1, 1], [9, 1], [1, 4], [2, 7]]
    check.each(kata.count_by_formula, sizes).gives([18, 2, 10, 8, 21])


@pytest.mark.fact("05.20")
def test_count_by_formula_beyond_any_memory(kata, check):
    """Catches a network that is built, on the meta device too, and numbers that are cut at 64 bits or rounded."""
    right = 2**33 * 2**33 + 2**33 + 2**33 * 7 + 7
    check(kata.count_by_formula, sizes=[2**33, 2**33, 7]).gives(right)
