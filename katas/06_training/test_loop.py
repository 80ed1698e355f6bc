"""The specification of loop.py."""

import copy

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from torchkatas.compare import difference
from torchkatas.observe import Graphs, Trace, modes, state


def momentum(params):
    """What a step leaves behind in it counts in the next: an optimizer that is made anew is another one."""
    return torch.optim.SGD(params, lr=0.5, momentum=0.75)


def data(n, seed=0):
    """n examples of one number each, and a target of 0 or 1; the last is far from all others."""
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(n, 1, generator=generator)
    x[-1] = 3.0
    return x, (torch.arange(n) % 2 == 0).float()[:, None]


def line(weight=0.75, bias=-0.5):
    model = nn.Linear(1, 1)
    with torch.no_grad():
        model.weight.fill_(weight)
        model.bias.fill_(bias)
    return model


class Net(nn.Module):
    """Three submodules, of which one does nothing but have a mode."""

    def __init__(self):
        super().__init__()
        self.body, self.drop, self.head = line(), nn.Dropout(0.0), line(-1.25, 0.25)

    def forward(self, x):
        return self.head(self.drop(torch.tanh(self.body(x))))


def in_eval_mode(modes):
    """The modules that are not in train mode."""
    return [name or "model" for name, on in modes.items() if not on]


def in_batches(n, size, drop_last=False):
    return DataLoader(TensorDataset(*data(n)), batch_size=size, drop_last=drop_last)


def trained(model, loss_fn, batches, epochs=1):
    """The right run, on copies: loss, size and gradients of each batch, and the model after all of them."""
    model = copy.deepcopy(model).train()
    optimizer = momentum(model.parameters())
    losses, sizes, gradients = [], [], []
    for X, y in list(batches) * epochs:
        loss = loss_fn(model(X), y)
        slopes = torch.autograd.grad(loss, list(model.parameters()))
        for parameter, slope in zip(model.parameters(), slopes, strict=True):
            parameter.grad = slope
        optimizer.step()
        losses.append(loss.item())
        sizes.append(len(X))
        gradients.append(torch.cat([slope.flatten() for slope in slopes]))
    return losses, sizes, torch.stack(gradients), state(model)


def means(losses, sizes, epochs):
    """The mean loss over the examples of each epoch."""
    n = len(losses) // epochs
    parts = [list(zip(losses, sizes, strict=True))[i * n : (i + 1) * n] for i in range(epochs)]
    return [sum(loss * size for loss, size in part) / sum(size for _, size in part) for part in parts]


def gradients(trace):
    """The gradients of all parameters at each step, in a row; None as zeros."""
    rows = [[0.0 if g is None else g.item() for g in step.values()] for step in trace.gradients]
    return torch.tensor(rows).reshape(-1, 2)


def order(trace):
    """What happened in which order; where gradients are cleared is seen in the gradients."""
    return [event for event in trace.events if event != "zero_grad"]


IN_ORDER = ["forward", "backward", "step"]
NEAR = 1e-4  # a length and a direction are told in words: what is clipped or scaled differs by far more


def unrounded(losses, right):
    """The losses; but a word where rounding is all that is wrong with them, the same for each number of digits."""
    if difference(losses, right) is None:
        return losses
    rounded = ([round(loss, digits) for loss in right] for digits in range(6))
    return "rounded" if any(difference(losses, cut) is None for cut in rounded) else losses


# ---- train_step

BATCHES = [(X + shift, y) for (X, y), shift in zip((data(3), data(1), data(2)), (0.0, -4.0, 0.5), strict=True)]
STEPS = "three batches of 3, 1 and 2 examples"


def three_steps(kata, check, model, loss_fn=F.binary_cross_entropy_with_logits, batches=BATCHES):
    """What comes back from train_step on three batches, how it went, and whether each moved the model."""
    optimizer = momentum(model.parameters())
    inputs = {"model": model, "loss_fn": loss_fn, "optimizer": optimizer}
    losses, moved = [], []
    with Trace(model, optimizer) as trace:
        for X, y in batches:
            before = state(model)
            losses.append(check(kata.train_step, **inputs, X=X.clone(), y=y.clone()).value)
            moved.append(not all(torch.equal(before[name], now) for name, now in state(model).items()))
    return losses, trace, moved


@pytest.mark.fact("05.11")
def test_train_step_goes_in_order(kata, check):
    """Catches a pass or a step that is missing, comes twice or too early, and a model or an optimizer of one's own."""
    _, trace, moved = three_steps(kata, check, line())
    seen, right = {"moved": moved, "order": order(trace)}, {"moved": [True] * 3, "order": IN_ORDER * 3}
    call = f"whether the model moved, and the order of its passes and of the optimizer's steps, on {STEPS}"
    check.saw(kata.train_step, seen, call=call).gives(right)


@pytest.mark.fact("05.11")
@pytest.mark.fact("05.13")
def test_train_step_follows_the_gradients_of_its_batch(kata, check):
    """Catches zero_grad left out or after backward, a step that comes before it, and a gradient that counts twice."""
    model = line()
    *_, right, _ = trained(model, F.binary_cross_entropy_with_logits, BATCHES)
    _, trace, _ = three_steps(kata, check, model)
    seen = {"gradients": gradients(trace), "order": order(trace)}
    call = f"the gradients at each step, those of weight and bias in a row (None as 0), on {STEPS}"
    check.saw(kata.train_step, seen, call=call).gives({"gradients": right, "order": IN_ORDER * 3})


@pytest.mark.fact("05.11")
@pytest.mark.parametrize("loss_fn", [F.binary_cross_entropy_with_logits, F.mse_loss], ids=["bce", "mse"])
def test_train_step_returns_the_loss(kata, check, loss_fn):
    """Catches a loss that is a tensor still, one of the changed model, another loss, and outputs that were changed."""
    model = line()
    right, *_ = trained(model, loss_fn, BATCHES)
    losses, *_ = three_steps(kata, check, model, loss_fn)
    check.saw(kata.train_step, unrounded(losses, right), call=f"what came back, on {STEPS}").gives(right)


def test_train_step_takes_the_gradient_as_it_is(kata, check):
    """Catches a gradient that is clipped or scaled on its way to the step, to whichever length."""
    model, batch = line(), [(50 * BATCHES[0][0], BATCHES[0][1] - 100)]
    *_, (right,), _ = trained(model, F.mse_loss, batch)
    _, trace, _ = three_steps(kata, check, model, F.mse_loss, batch)
    seen = {"length": [], "direction": [], "order": order(trace)}
    for gradient in gradients(trace):
        share, cosine = (gradient.norm() / right.norm()).item(), F.cosine_similarity(gradient, right, dim=0).item()
        seen["length"].append("right" if abs(share - 1) < NEAR else "shorter" if 0 < share < 1 else round(share, 3))
        seen["direction"].append("right" if abs(cosine - 1) < NEAR else round(cosine, 3))
    wanted = {"length": ["right"], "direction": ["right"], "order": IN_ORDER}
    call = "the gradient at the step, on a batch whose gradient is very large"
    check.saw(kata.train_step, seen, call=call).gives(wanted)


@pytest.mark.fact("05.11")
def test_train_step_changes_the_model(kata, check):
    """Catches a model that does not learn, and one that learns by other means than the optimizer."""
    model = line()
    parameters = list(model.parameters())
    *_, right = trained(model, F.binary_cross_entropy_with_logits, BATCHES)
    three_steps(kata, check, model)
    same = [p is q for p, q in zip(model.parameters(), parameters, strict=True)]
    seen = {**state(model), "same parameters": same}
    call = f"the model after {STEPS}, by an SGD with momentum"
    check.saw(kata.train_step, seen, call=call).gives({**right, "same parameters": [True, True]})


def test_train_step_stays_in_train_mode(kata, check):
    """Catches eval mode, before the forward pass or left behind: dropout and batch norm no longer train."""
    model = Net()
    _, trace, _ = three_steps(kata, check, model)
    seen = {"at each forward": [in_eval_mode(at) for at in trace.modes], "in the end": in_eval_mode(modes(model))}
    call = f"what is in eval mode, on {STEPS}; all of the model came in train mode"
    check.saw(kata.train_step, seen, call=call).gives({"at each forward": [[]] * 3, "in the end": []})


# ---- train_epoch

LOADERS = {
    "5 in batches of 2": (5, 2),
    "3 in batches of 1": (3, 1),
    "7 in batches of 3, the rest dropped": (7, 3, True),
}


def two_epochs(kata, check, model, loader, before=lambda epoch: None):
    """What comes back from train_epoch in two epochs of binary cross entropy, and how it went."""
    optimizer = momentum(model.parameters())
    inputs = {"model": model, "loss_fn": F.binary_cross_entropy_with_logits, "optimizer": optimizer}
    losses = []
    with Trace(model, optimizer) as trace:
        for epoch in range(2):
            before(epoch)
            losses.append(check(kata.train_epoch, **inputs, loader=loader).value)
    return losses, trace


@pytest.mark.fact("05.10")
@pytest.mark.parametrize("name", LOADERS)
def test_train_epoch_returns_the_mean_over_examples(kata, check, name):
    """Catches a mean of means, in which a small last batch weighs as much as a full one, and a wrong denominator."""
    model, loader = line(), in_batches(*LOADERS[name])
    losses, sizes, *_ = trained(model, F.binary_cross_entropy_with_logits, loader, epochs=2)
    right, (found, _) = means(losses, sizes, 2), two_epochs(kata, check, model, loader)
    check.saw(kata.train_epoch, unrounded(found, right), call=f"what came back, two epochs of {name}").gives(right)


@pytest.mark.fact("05.11")
@pytest.mark.fact("05.13")
def test_train_epoch_follows_the_gradients_of_each_batch(kata, check):
    """Catches gradients that add up over batches or epochs, ones from before that count, and ones that are lost."""
    model, loader = line(), in_batches(5, 2)
    *_, right, after = trained(model, F.binary_cross_entropy_with_logits, loader, epochs=2)
    for parameter in model.parameters():
        parameter.grad = torch.full_like(parameter, 8.0)
    _, trace = two_epochs(kata, check, model, loader)
    seen = {"gradients": gradients(trace), **state(model)}
    call = (
        "the gradients at each step (None as 0) and the model after two epochs of 3 batches; every .grad was 8 before"
    )
    check.saw(kata.train_epoch, seen, call=call).gives({"gradients": right, **after})


@pytest.mark.fact("05.10")
@pytest.mark.parametrize("name", ["5 in batches of 2", "7 in batches of 3, the rest dropped"])
def test_train_epoch_takes_every_batch_once(kata, check, name):
    """Catches a return inside the loop, a first batch again and again, and one step for the whole epoch."""
    model, loader, examples = line(), in_batches(*LOADERS[name]), []
    hook = model.register_forward_pre_hook(lambda module, args: examples.append(args[0].flatten().tolist()))
    _, trace = two_epochs(kata, check, model, loader)
    hook.remove()
    right = [X.flatten().tolist() for X, _ in loader] * 2
    counts = {event: trace.events.count(event) for event in ("backward", "step")}
    call = f"the examples in each forward pass, and how often the others ran; two epochs of {name}"
    wanted = {"backward": len(right), "step": len(right), "examples": right}
    check.saw(kata.train_epoch, {**counts, "examples": examples}, call=call).gives(wanted)


@pytest.mark.fact("05.10")
def test_train_epoch_sets_train_mode(kata, check):
    """Catches a model left in eval mode, and submodules left in it because the model itself is in train mode."""
    model = Net()
    someone = {0: lambda: model.eval(), 1: lambda: model.train().drop.eval()}
    _, trace = two_epochs(kata, check, model, in_batches(5, 2), before=lambda epoch: someone[epoch]())
    call = "what is in eval mode at each forward; someone called model.eval() before the first epoch of 3 batches, "
    call += "and model.train() and model.drop.eval() before the second"
    seen = {"in eval mode": [in_eval_mode(at) for at in trace.modes], "order": order(trace)}
    check.saw(kata.train_epoch, seen, call=call).gives({"in eval mode": [[]] * 6, "order": IN_ORDER * 6})


class Counted(nn.Module):
    """A line that counts, at each forward pass, the graphs of earlier ones that are alive, all but the last."""

    def __init__(self):
        super().__init__()
        self.line, self.graphs, self.alive = line(), Graphs(), []

    def forward(self, x):
        self.alive.append(max(0, len(self.graphs) - 1))
        return self.graphs.tie(self.line(x))


GRAPHS = "how many graphs are alive at each forward, besides that of the batch before"


@pytest.mark.fact("05.10")
def test_train_epoch_keeps_no_graph(kata, check):
    """Catches a total that is a tensor: each batch's graph hangs on it, and memory grows through the epoch."""
    model = Counted()
    _, trace = two_epochs(kata, check, model, in_batches(4, 1))
    seen = {"graphs": model.alive, "order": order(trace)}
    right = {"graphs": [0] * 8, "order": IN_ORDER * 8}
    check.saw(kata.train_epoch, seen, call=f"{GRAPHS}; two epochs of 4 batches").gives(right)


@pytest.mark.parametrize("loader", [[], in_batches(2, 3, True)], ids=["no batch", "smaller than a batch, dropped"])
def test_train_epoch_of_nothing(kata, check, loader):
    """Catches a division by zero, and a loss of 0.0, which looks like a success."""
    model = line()
    inputs = {"model": model, "loss_fn": F.mse_loss, "optimizer": momentum(model.parameters()), "loader": loader}
    check(kata.train_epoch, **inputs).raises(ValueError, "empty")


# ---- fit


def fitted(kata, check, model, loader, epochs, after_epoch=lambda epoch, loss: None):
    """What comes back from fit with binary cross entropy, and how it went."""
    optimizer = momentum(model.parameters())
    inputs = {"model": model, "loss_fn": F.binary_cross_entropy_with_logits, "optimizer": optimizer}
    with Trace(model, optimizer) as trace:
        history = check(kata.fit, **inputs, loader=loader, epochs=epochs, after_epoch=after_epoch).value
    return history, trace


@pytest.mark.fact("05.10")
@pytest.mark.parametrize("name", ["5 in batches of 2", "3 in batches of 1"])
def test_fit_returns_the_history(kata, check, name):
    """Catches tensors in the history, the last loss alone, totals that are never reset, and a loss for each batch."""
    model, loader, told = line(), in_batches(*LOADERS[name]), []
    losses, sizes, *_ = trained(model, F.binary_cross_entropy_with_logits, loader, epochs=3)
    right = means(losses, sizes, 3)
    history, _ = fitted(kata, check, model, loader, 3, lambda epoch, loss: told.append([epoch, loss]))
    seen = {"history": unrounded(history, right), "after_epoch": told}
    call = f"what came back, and what after_epoch was called with; three epochs of {name}"
    wanted = {"history": right, "after_epoch": [[epoch, loss] for epoch, loss in enumerate(right)]}
    check.saw(kata.fit, seen, call=call).gives(wanted)


@pytest.mark.fact("05.10")
@pytest.mark.fact("05.11")
@pytest.mark.fact("05.13")
def test_fit_trains_the_model(kata, check):
    """Catches an epoch too few or too many, and an optimizer that is made anew and has forgotten its momentum."""
    model, loader = line(), in_batches(5, 2)
    before = state(model)
    *_, right = trained(model, F.binary_cross_entropy_with_logits, loader, epochs=3)
    _, trace = fitted(kata, check, model, loader, 3)
    moved = not all(torch.equal(before[name], now) for name, now in state(model).items())
    seen = {"steps of the optimizer": trace.events.count("step"), "the model moved": moved}
    wanted = {"steps of the optimizer": 9, "the model moved": True}
    check.saw(kata.fit, seen, call="three epochs of 3 batches, by an SGD with momentum").gives(wanted)
    call = "the model after three epochs of 3 batches, by an SGD with momentum"
    check.saw(kata.fit, state(model), call=call).gives(right)


@pytest.mark.fact("05.10")
def test_fit_sets_train_mode_in_every_epoch(kata, check):
    """Catches train mode set once, before the first epoch: an evaluation after it leaves eval mode behind."""
    model = Net().eval()
    _, trace = fitted(kata, check, model, in_batches(5, 2), 2, lambda epoch, loss: model.eval())
    call = "what is in eval mode at each forward, two epochs of 3 batches; after_epoch leaves the model in eval mode"
    seen = {"in eval mode": [in_eval_mode(at) for at in trace.modes], "order": order(trace)}
    check.saw(kata.fit, seen, call=call).gives({"in eval mode": [[]] * 6, "order": IN_ORDER * 6})


@pytest.mark.fact("05.10")
def test_fit_goes_through_the_loader_anew(kata, check):
    """Catches batches that are kept, in a list for one: shuffling and augmentation stand still from then on."""
    loader = DataLoader(TensorDataset(*data(6)), batch_size=2, shuffle=True, generator=torch.Generator().manual_seed(1))
    model, examples = line(), []
    hook = model.register_forward_pre_hook(lambda module, args: examples.extend(args[0].flatten().tolist()))
    _, trace = fitted(kata, check, model, loader, 3)
    hook.remove()
    epochs = [tuple(examples[i : i + 6]) for i in range(0, len(examples), 6)]
    seen = {"examples": len(examples), "different orders": len(set(epochs)), "order": order(trace)}
    right = {"examples": 18, "different orders": 3, "order": IN_ORDER * 9}
    call = "the examples of all forward passes, and in how many orders they came; three epochs of 6, shuffled anew"
    check.saw(kata.fit, seen, call=call).gives(right)


@pytest.mark.fact("05.10")
def test_fit_keeps_no_graph(kata, check):
    """Catches a history of tensors, also where it is made floats in the end: all graphs live till then."""
    model, loader = Counted(), in_batches(3, 2)
    losses, sizes, *_ = trained(line(), F.binary_cross_entropy_with_logits, loader, epochs=4)
    history, _ = fitted(kata, check, model, loader, 4)
    right = {"graphs": [0] * 8, "history": means(losses, sizes, 4)}
    seen = {"graphs": model.alive, "history": unrounded(history, right["history"])}
    check.saw(kata.fit, seen, call=f"{GRAPHS}; four epochs of 2 batches").gives(right)


@pytest.mark.parametrize("epochs", [0, 2])
def test_fit_without_after_epoch(kata, check, epochs):
    """Catches None called as a function, and an epoch that is trained though none was asked for."""
    model, loader = line(), in_batches(5, 2)
    losses, sizes, *_ = trained(model, F.binary_cross_entropy_with_logits, loader, epochs=max(epochs, 1))
    inputs = {"model": model, "loss_fn": F.binary_cross_entropy_with_logits, "loader": loader, "epochs": epochs}
    history = check(kata.fit, **inputs, optimizer=momentum(model.parameters())).value
    right = means(losses, sizes, epochs) if epochs else []
    check.saw(kata.fit, unrounded(history, right), call=f"what came back, epochs={epochs}").gives(right)
