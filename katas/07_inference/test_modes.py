"""The specification of modes.py."""

import copy

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from torchkatas.observe import modes

NORMS = ("batch_norm", "native_batch_norm", "instance_norm", "layer_norm", "group_norm", "BatchNorm1d", "SyncBatchNorm")
BY_HAND = {"dropout": ("dropout", "feature_dropout", "alpha_dropout", "Dropout"), "batch_norm": NORMS}


def drawn(*shape, seed):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


def named(name, function):
    """What the spec does with an object of the learner's, as a call of that name."""
    function.__name__ = name
    return function


# ---- to_eval


def nested(training):
    """A model of three levels; `training` names the modules that are in training mode."""
    inner = nn.Sequential(nn.BatchNorm1d(4), nn.Dropout(0.25))
    model = nn.Sequential(nn.Linear(3, 4), nn.Sequential(nn.Dropout(0.5), inner), nn.Linear(4, 2))
    for name, module in model.named_modules():
        module.training = name in training
    return model


def in_training(model):
    return [name for name, training in modes(model).items() if training]


ALL = ("", "0", "1", "1.0", "1.1", "1.1.0", "1.1.1", "2")


@pytest.mark.fact("05.14")
@pytest.mark.parametrize("training", [ALL, ("1", "1.0", "1.1.1"), ("", "1.1", "1.1.0")], ids=["all", "not it", "some"])
def test_to_eval_reaches_every_module(kata, check, training):
    """Catches the flag of the model alone, its children alone, and a copy in the model's place."""
    model = nested(training)
    out = kata.to_eval(model)
    seen = {
        "the same model": out is model,
        "still in training": in_training(model),
        "parameters train": all(parameter.requires_grad for parameter in model.parameters()),
        "p of the dropouts": [module.p for module in model.modules() if isinstance(module, nn.Dropout)],
    }
    right = {"the same model": True, "still in training": [], "parameters train": True}
    right["p of the dropouts"] = [0.5, 0.25]
    call = f"three levels of modules (the model itself is ''), in training before: {in_training(nested(training))}"
    check.saw(kata.to_eval, seen, call=call).gives(right)


# ---- dropout


def dropped(p, training):
    """Inputs, and what is right for them element by element."""
    x, draws = [[1.0, -2.0, 3.0], [-4.0, 5.0, 6.0]], [[0.1, 0.9, 0.6], [0.8, p, 0.3]]  # p itself is not less than p
    pairs = [list(zip(*rows, strict=True)) for rows in zip(x, draws, strict=True)]
    right = [[(v if not training else 0.0 if u < p else v / (1 - p)) for v, u in row] for row in pairs]
    return {"x": torch.tensor(x), "p": p, "draws": torch.tensor(draws), "training": training}, torch.tensor(right)


@pytest.mark.fact("05.14")
@pytest.mark.parametrize("grad", [True, False], ids=["graph", "no graph"])
def test_dropout_in_both_modes(kata, check, grad):
    """Catches p taken for the share to keep, what is kept not scaled, and eval mode that drops or scales."""
    rows, right = zip(*(dropped(p, mode) for p in (0.25, 0.75, 0.5) for mode in (True, False)), strict=True)
    for row in rows:
        row["x"].requires_grad_(grad)
    check.each(kata.dropout, rows).gives([answer.requires_grad_(grad) for answer in right])


@pytest.mark.fact("05.14")
def test_dropout_acts_unless_told(kata, check):
    """Catches another default: a call that says nothing of the mode is one in training."""
    inputs, right = dropped(0.25, training=True)
    del inputs["training"]
    check(kata.dropout, **inputs).gives(right)


@pytest.mark.parametrize("p", [0.2, 0.7])
def test_dropout_keeps_the_mean(kata, check, p):
    """Catches a missing scale: over all draws, taken at even steps, the mean is x."""
    x = torch.tensor([[0.5, -3.0, 8.0]])
    draws = (torch.arange(1000, dtype=torch.float32).unsqueeze(1) + 0.5).expand(1000, 3) / 1000
    out = check(kata.dropout, x=x.expand(1000, 3).clone(), p=p, draws=draws.clone()).value
    seen = out.mean(dim=0) if isinstance(out, torch.Tensor) and out.ndim == 2 else out
    call = f"the mean over 1000 draws from 0 to 1, for x = {x[0].tolist()}, p={p}"
    check.saw(kata.dropout, seen, call=call).gives(x[0], rtol=1e-5)


def test_dropout_at_the_ends(kata, check):
    """Catches 0 * inf where nothing is kept, zeros without a graph, and a draw of 0.0 that is dropped with p = 0."""
    x, draws = torch.tensor([1.5, -2.0, 3.0]), torch.tensor([0.0, 0.5, 0.999])
    modes_of_each = [(p, mode) for p in (0.0, 1.0) for mode in (True, False)]
    rows = [{"x": x.clone().requires_grad_(), "p": p, "draws": draws, "training": mode} for p, mode in modes_of_each]
    right = [torch.zeros(3) if row == (1.0, True) else x.clone() for row in modes_of_each]
    check.each(kata.dropout, rows).gives([answer.requires_grad_() for answer in right])


def test_dropout_keeps_the_dtype(kata, check):
    """Catches a mask in float32, which makes float32 of a float16."""
    x, draws = torch.tensor([1.5, -2.0, 3.0]), torch.tensor([0.75, 0.25, 0.5])
    rows = [{"x": x.to(dtype), "p": 0.5, "draws": draws.to(dtype)} for dtype in (torch.float64, torch.float16)]
    rows += [{**row, "training": False} for row in rows] + [{"x": x.half(), "p": 0.0, "draws": draws.half()}]
    kept = torch.tensor([3.0, 0.0, 6.0])
    check.each(kata.dropout, rows).gives([kept.double(), kept.half(), x.double(), x.half(), x.half()])


# ---- Block


class Affine(nn.Module):
    """2x + 1, so that an output shows whether its input was 0."""

    def forward(self, x):
        return 2 * x + 1


def percent(where):
    """A share in steps of 5 %: for 10,000 elements a step is more than ten times the standard deviation."""
    return f"{round(where.float().mean().item() * 20) * 5} %"


@pytest.mark.fact("05.15")
@pytest.mark.parametrize("p", [0.25, 0.6])
def test_Block_in_training_mode(kata, check, p):
    """Catches one mask for all rows or all calls, dropout before the first layer or after the last, and p for 1 - p."""
    torch.manual_seed(7)
    first, x = nn.Linear(3, 100), drawn(100, 3, seed=1).abs() + 0.1
    first.weight.data.abs_().add_(0.1)
    first.bias.data.abs_()
    h = first(x).detach()  # all above 0
    block = kata.Block(first, Affine(), p)
    out, again = block(x).detach(), block(x).detach()

    zeros, zeros_again, arrived = out == 1, again == 1, (out - 1) / 2
    seen = {
        "0": percent(zeros),
        "h / (1 - p)": percent(torch.isclose(arrived, h / (1 - p))),
        "h": percent(torch.isclose(arrived, h)),
        "zeros come out": bool((out == 0).any()),
        "same in all rows": bool((zeros == zeros[:1]).all()),
        "columns": bool((zeros == zeros[:, :1]).all()),
        "calls": torch.equal(zeros, zeros_again),
    }
    shares = [f"{round(100 * share)} %" for share in (p, 1 - p, 0)]
    right = dict(zip(seen, [*shares, False, False, False, False], strict=True))
    call = f"in training mode, p = {p}; what reached the last layer, and whether the same was dropped"
    check.saw(kata.Block, seen, call=call).gives(right)


@pytest.mark.fact("05.14")
@pytest.mark.parametrize("n", [4, 1])
def test_Block_in_eval_mode(kata, check, n):
    """Catches F.dropout that is never told of the mode, and submodules that eval() does not reach."""
    first, last = nn.Sequential(nn.Linear(3, 8), nn.Dropout(0.5)), nn.Sequential(nn.Dropout(0.5), nn.Linear(8, 2))
    for parameter in (*first.parameters(), *last.parameters()):
        parameter.data.copy_(drawn(*parameter.shape, seed=parameter.numel()))
    x = drawn(n, 3, seed=2)
    right = last[1](first[0](x).clamp(min=0))
    block = kata.Block(first, last, 0.5)
    block.eval()
    check(named("Block in eval mode", lambda x: block(x)), x=x).gives(right)


def test_Block_leaves_its_input(kata, check):
    """Catches a ReLU or a dropout in place: what comes out of the first layer may be the caller's own tensor."""
    block, seen = kata.Block(nn.Identity(), Affine(), 0.5), {}
    for mode in ("eval", "training"):
        x, before = drawn(10, 100, seed=10), drawn(10, 100, seed=10)
        block.train(mode == "training")
        block(x)
        seen[f"in {mode} mode"] = torch.equal(x, before)
    call = "whether x is as it was, after a call of a block whose first layer is nn.Identity"
    check.saw(kata.Block, seen, call=call).gives({"in eval mode": True, "in training mode": True})


@pytest.mark.fact("05.14")
def test_Block_changes_its_mode(kata, check):
    """Catches a mode that is read once, when the block is made, or a module in a list, out of reach of eval()."""
    block, x = kata.Block(nn.Identity(), Affine(), 0.5), torch.ones(10, 100)
    seen = {}
    for call, training in [("1: train", True), ("2: eval", False), ("3: train", True), ("4: eval", False)]:
        block.train(training)
        seen[call] = bool((block(x.clone()) == 1).any())
    right = {"1: train": True, "2: eval": False, "3: train": True, "4: eval": False}
    check.saw(kata.Block, seen, call="whether anything is dropped, after train(), eval(), train(), eval()").gives(right)


# ---- batch_norm

OPTIONS = {"defaults": {}, "momentum": {"momentum": 0.3}, "eps": {"eps": 0.5}}


def batch(n, requires_grad=True, seed=3):
    """A batch of three features of different mean and scale, and running statistics that are far from its own."""
    x = drawn(n, 3, seed=seed) * torch.tensor([0.02, 2.0, 5.0]) + torch.tensor([4.0, -1.0, 0.5])
    return {
        "x": x.requires_grad_(requires_grad),
        "running_mean": torch.tensor([2.0, 1.0, -3.0]),
        "running_var": torch.tensor([0.5, 9.0, 4.0]),
    }


def torchs(inputs, training, **options):
    """What torch's module does: its output, and its running statistics afterwards."""
    norm = nn.BatchNorm1d(3, affine=False, **options).train(training)
    norm.running_mean.copy_(inputs["running_mean"])
    norm.running_var.copy_(inputs["running_var"])
    return norm(inputs["x"]), norm.running_mean, norm.running_var


@pytest.mark.fact("05.14")
@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("n", [2, 3, 8])
def test_batch_norm_in_training(kata, check, n, options):
    """Catches momentum turned round, the two variances exchanged, and eps at another place."""
    right = torchs(batch(n), True, **OPTIONS[options])
    check(kata.batch_norm, **batch(n), training=True, **OPTIONS[options]).gives(right)


@pytest.mark.fact("05.14")
@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("n", [4, 1])
def test_batch_norm_in_eval(kata, check, n, options):
    """Catches the batch's statistics in eval mode, running ones that go on moving, and one example refused."""
    right = torchs(batch(n), False, **OPTIONS[options])
    check(kata.batch_norm, **batch(n), training=False, **OPTIONS[options]).gives(right)


@pytest.mark.fact("05.14")
def test_batch_norm_over_two_steps(kata, check):
    """Catches running statistics that hold a graph, from step to step a longer one."""
    norm = nn.BatchNorm1d(3, affine=False)
    mean, var = torch.zeros(3), torch.ones(3)
    for seed in (5, 6):
        x = batch(4, seed=seed)["x"]
        norm(x.detach())
        _, mean, var = check(kata.batch_norm, x=x, running_mean=mean, running_var=var, training=True).value
    right = (norm.running_mean, norm.running_var)
    check.saw(kata.batch_norm, (mean, var), call="the running statistics after two batches").gives(right, graph=False)


def test_batch_norm_has_the_gradient(kata, check):
    """Catches the batch's mean and variance held constant: each example moves them, and by them all others."""
    weight = drawn(4, 3, seed=9)

    def slopes(function):
        inputs = batch(4)
        return torch.autograd.grad((function(inputs)[0] * weight).sum(), inputs["x"])[0]

    found = slopes(lambda inputs: kata.batch_norm(**inputs, training=True))
    right = slopes(lambda inputs: torchs(inputs, True))
    call = "the gradient for x of a weighted sum of the output, in training"
    check.saw(kata.batch_norm, found, call=call).gives(right, rtol=1e-4, atol=1e-4)


def test_batch_norm_refuses_one_example(kata, check):
    """Catches zeros or NaN for an answer: one example has no variance, and less its own mean it is always 0."""
    check(kata.batch_norm, **batch(1), training=True).raises(ValueError, "batch")


# ---- effects


class AlwaysDrops(nn.Module):
    """A module that calls F.dropout and does not tell it of the mode."""

    def forward(self, x):
        return F.dropout(x, 0.5)


class Counts(nn.Module):
    """A module that counts its calls in a buffer, in every mode."""

    def __init__(self, persistent=True):
        super().__init__()
        self.register_buffer("calls", torch.tensor(3), persistent=persistent)

    def forward(self, x):
        self.calls += 1
        return x


class Detaches(nn.Module):
    """A module that takes what it gets out of the graph."""

    def forward(self, x):
        return x.detach()


class Layers(nn.Sequential):
    """Layers one after the other, shown with their modes."""

    def __repr__(self):
        return f"{self.shown()}: {', '.join(Layers.shown(layer) for layer in self)}"

    def shown(self):
        frozen = " frozen" if any(not parameter.requires_grad for parameter in self.parameters(recurse=False)) else ""
        how = f"({self.p})" if isinstance(self, nn.Dropout) else ""
        if isinstance(self, nn.BatchNorm1d) and not self.track_running_stats:
            how = "(track_running_stats=False)"
        return f"{type(self).__name__}{how}{frozen} in {'training' if self.training else 'eval'}"


def model_of(*layers, training=(), frozen=False):
    """A linear layer, then the others; `training` says which modules are in training mode, by their number."""
    model = Layers(nn.Linear(2, 64), *layers)
    for parameter in model.parameters():
        parameter.requires_grad_(not frozen)
    for name, module in model.named_modules():
        module.training = name in training
    return model


def models():
    """Models in their modes, with what a call of them does while gradient mode is on."""
    free = nn.BatchNorm1d(64, affine=False, track_running_stats=False)
    table = [
        (model_of(training=("", "0")), "graph"),
        (model_of(), "graph"),
        (model_of(frozen=True), ""),
        (model_of(Detaches(), training=("", "0", "1")), ""),
        (model_of(nn.Dropout(0.5), training=("", "0", "1")), "graph random"),
        (model_of(nn.Dropout(0.5)), "graph"),
        (model_of(nn.Dropout(0.5), training=("1",)), "graph random"),
        (model_of(nn.Dropout(0.0), training=("", "0", "1")), "graph"),
        (model_of(AlwaysDrops()), "graph random"),
        (model_of(nn.BatchNorm1d(64), training=("", "0", "1")), "graph buffers"),
        (model_of(nn.BatchNorm1d(64)), "graph"),
        (model_of(nn.BatchNorm1d(64), training=("", "0")), "graph"),
        (model_of(free, training=("", "0", "1")), "graph"),
        (model_of(Counts(persistent=False)), "graph buffers"),
        (model_of(nn.BatchNorm1d(64), nn.BatchNorm1d(64), training=("1",)), "graph buffers"),
        (model_of(Counts(), nn.Dropout(0.5), training=("2",), frozen=True), "random buffers"),
        (model_of(nn.BatchNorm1d(64), nn.Dropout(0.5), training=("", "0", "1", "2")), "graph random buffers"),
    ]
    return [(model, set(found.split())) for model, found in table]


@pytest.mark.fact("05.14")
@pytest.mark.fact("05.15")
@pytest.mark.fact("05.16")
@pytest.mark.parametrize("grad", [True, False], ids=["gradient mode on", "no_grad"])
def test_effects_of_each_model(kata, check, grad):
    """Catches an answer read from the mode or the type of a layer: no_grad stops the graph, and nothing else."""
    x = drawn(4, 2, seed=8)
    rows = [(model, x.clone()) for model, _ in models()]
    right = [
        {"graph": grad and "graph" in found, "random": "random" in found, "buffers": "buffers" in found}
        for _, found in models()
    ]
    with torch.set_grad_enabled(grad):
        check.each(kata.effects, rows).gives(right)


@pytest.mark.fact("05.14")
def test_effects_leaves_the_model_as_it_was(kata, check):
    """Catches running statistics that have moved because somebody looked, and a mode left changed."""
    model = nn.Sequential(nn.BatchNorm1d(2), Counts(), nn.Sequential(nn.Dropout(0.5), nn.BatchNorm1d(2)).eval())
    before = copy.deepcopy(model)
    kata.effects(model, drawn(4, 2, seed=8))
    kept = dict(before.named_buffers())
    moved = [name for name, buffer in model.named_buffers() if not torch.equal(buffer, kept[name])]
    seen = {"in training mode": in_training(model), "buffers that moved": moved}
    right = {"in training mode": in_training(before), "buffers that moved": []}
    call = "a model with batch norm and dropout, some of it in eval mode, afterwards"
    check.saw(kata.effects, seen, call=call).gives(right, exact=True)
