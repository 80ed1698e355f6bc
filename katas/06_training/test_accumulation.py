"""The specification of accumulation.py."""

import copy

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from torchkatas.observe import Graphs, Trace, state


class Line(nn.Module):
    """A line through two inputs that writes down what passes it: the examples that go forward, and what comes back."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.tensor([[0.75, -1.25]]))
        self.bias = nn.Parameter(torch.tensor([0.5]))
        self.log = []

    def forward(self, x):
        self.log.append(f"forward of {len(x)}{'' if self.training else ' in eval mode'}")
        out = F.linear(x, self.weight, self.bias)
        if out.requires_grad:
            out.register_hook(lambda gradient: self.log.append("backward"))
        return out


class Counted(Line):
    """The same, and counts at each forward the graphs of earlier ones that are alive, all but the last."""

    def __init__(self):
        super().__init__()
        self.graphs, self.alive = Graphs(), []

    def forward(self, x):
        self.alive.append(max(0, len(self.graphs) - 1))
        return self.graphs.tie(super().forward(x))


GRAPHS = "how many graphs are alive at each forward, besides that of the batch before"


def momentum(params):
    """What a step leaves behind in it counts in the next."""
    return torch.optim.SGD(params, lr=0.0625, momentum=0.75)


def examples(n, seed=0):
    """n examples of two numbers, those behind farther out than those in front, and a target of 0 or 1."""
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(n, 2, generator=generator) * (0.5 + torch.arange(n)[:, None] / 8)
    return x, (torch.arange(n) % 3 == 0).float()[:, None]


def cut(sizes, seed=0):
    """Micro-batches of these sizes."""
    return list(zip(*(part.split(list(sizes)) for part in examples(sum(sizes), seed)), strict=True))


def row(tensors):
    """All gradients in a row; None as zeros."""
    return torch.cat([torch.zeros(2 - i) if g is None else g.flatten() for i, g in enumerate(tensors)]).detach()


def joined(group):
    return torch.cat([X for X, _ in group]), torch.cat([y for _, y in group])


def in_big_batches(model, loss_fn, groups, max_norm=None):
    """The right run, on a copy, each group as one batch: losses, norms, the gradients of each step, and the model."""
    model = copy.deepcopy(model)
    optimizer = momentum(model.parameters())
    losses, norms, gradients = [], [], []
    for X, y in map(joined, groups):
        loss = loss_fn(model(X), y)
        slopes = torch.autograd.grad(loss, [model.weight, model.bias])
        norm = row(slopes).norm().item()
        factor = 1.0 if max_norm is None else min(1.0, max_norm / norm)
        model.weight.grad, model.bias.grad = (factor * slope for slope in slopes)
        optimizer.step()
        losses.append(loss.item())
        norms.append(norm)
        gradients.append(row([model.weight.grad, model.bias.grad]))
    return losses, norms, torch.stack(gradients), state(model)


def steps(trace):
    """The gradients at each step, weight and bias in a row."""
    rows = [row([gradients["weight"], gradients["bias"]]) for gradients in trace.gradients]
    return torch.stack(rows) if rows else torch.zeros(0, 3)


def log_steps(model, optimizer):
    optimizer.register_step_pre_hook(lambda *args: model.log.append("step"))


def order(groups, step=True):
    """One micro-batch forward and backward after the other, and a step after each group."""
    return [
        event
        for group in groups
        for event in [*(e for X, _ in group for e in (f"forward of {len(X)}", "backward")), *["step"] * step]
    ]


def run(check, function, **inputs):
    """Calls it where something else than what comes back is judged; a crash is judged at once."""
    return check(function, **inputs).value


def make_stale(model):
    for parameter in model.parameters():
        parameter.grad = torch.full_like(parameter, 8.0)


LOSSES = pytest.mark.parametrize("loss_fn", [F.mse_loss, F.binary_cross_entropy_with_logits], ids=["mse", "bce"])

# ---- accumulate


@pytest.mark.fact("05.13")
@pytest.mark.parametrize("sizes", [(2, 2, 2), (3, 3), (1, 1, 1, 1), (4,)], ids=str)
@LOSSES
def test_accumulate_equals_one_big_batch(kata, check, sizes, loss_fn):
    """Catches a gradient k times too large, and one of the last micro-batch alone."""
    model, batches = Line(), cut(sizes)
    X, y = joined(batches)
    right = row(torch.autograd.grad(loss_fn(model(X), y), [model.weight, model.bias]))
    run(check, kata.accumulate, model=model, loss_fn=loss_fn, batches=batches)
    seen = row([model.weight.grad, model.bias.grad])
    check.saw(kata.accumulate, seen, call=f".grad of weight and bias in a row, batches of {sizes}").gives(right)


@pytest.mark.fact("05.13")
def test_accumulate_starts_anew(kata, check):
    """Catches gradients from before the call that stay in the sum."""
    model, groups = Line(), [cut((2, 2, 2)), cut((3, 3), seed=1)]
    make_stale(model)
    right, seen = [], []
    for group in groups:
        X, y = joined(group)
        right.append(row(torch.autograd.grad(F.mse_loss(model(X), y), [model.weight, model.bias])))
        run(check, kata.accumulate, model=model, loss_fn=F.mse_loss, batches=group)
        seen.append(row([model.weight.grad, model.bias.grad]))
    call = ".grad of weight and bias in a row, after each of two calls; every .grad was 8 before the first"
    check.saw(kata.accumulate, torch.stack(seen), call=call).gives(torch.stack(right))


@pytest.mark.parametrize("sizes", [(2, 2, 2), (1, 1, 1, 1)], ids=str)
def test_accumulate_keeps_one_graph(kata, check, sizes):
    """Catches all graphs alive until one backward in the end, and the big batch itself: neither saves any memory."""
    model, batches = Line(), cut(sizes)
    run(check, kata.accumulate, model=model, loss_fn=F.mse_loss, batches=batches)
    check.saw(kata.accumulate, model.log, call=f"what the model did, batches of {sizes}").gives(order([batches], False))


def test_accumulate_moves_no_parameter(kata, check):
    """Catches a step that is taken here already: the gradients after it belong to no one point."""
    model = Line()
    right = state(model)
    run(check, kata.accumulate, model=model, loss_fn=F.mse_loss, batches=cut((2, 2)))
    check.saw(kata.accumulate, state(model), call="the parameters after two batches of 2").gives(right, exact=True)


# ---- accumulated_step

GROUPS = ((4, 4, 2), (1, 3), (2, 2))
THREE = "three calls with batches of (4, 4, 2), (1, 3) and (2, 2) examples"


def three_calls(kata, check, model, groups, loss_fn):
    """What comes back from accumulated_step for each group, and how it went."""
    optimizer = momentum(model.parameters())
    log_steps(model, optimizer)
    with Trace(model, optimizer) as trace:
        inputs = {"model": model, "loss_fn": loss_fn, "optimizer": optimizer}
        losses = [check(kata.accumulated_step, **inputs, batches=group).value for group in groups]
    return losses, trace


def cut_all(groups):
    return [cut(sizes, seed) for seed, sizes in enumerate(groups)]


@pytest.mark.fact("05.13")
@LOSSES
def test_accumulated_step_equals_one_big_batch(kata, check, loss_fn):
    """Catches weights by k, where a small last micro-batch weighs as much as a full one, and gradients that leak."""
    model, groups = Line(), cut_all(GROUPS)
    *_, gradients, after = in_big_batches(model, loss_fn, groups)
    make_stale(model)
    _, trace = three_calls(kata, check, model, groups, loss_fn)
    call = f"the gradients at each step, and the model after {THREE}; every .grad was 8 before"
    seen = {"steps": len(trace.gradients), "gradients": steps(trace), **state(model)}
    check.saw(kata.accumulated_step, seen, call=call).gives({"steps": 3, "gradients": gradients, **after})


@LOSSES
def test_accumulated_step_returns_the_mean_loss(kata, check, loss_fn):
    """Catches a mean of means, the loss of the last micro-batch, and a tensor."""
    model, groups = Line(), cut_all(GROUPS)
    right, *_ = in_big_batches(model, loss_fn, groups)
    losses, _ = three_calls(kata, check, model, groups, loss_fn)
    check.saw(kata.accumulated_step, losses, call=f"what came back from {THREE}").gives(right)


def test_accumulated_step_goes_in_order(kata, check):
    """Catches a step for each micro-batch, one backward for all, and the big batch itself."""
    model, groups = Line(), cut_all(GROUPS)
    three_calls(kata, check, model, groups, F.mse_loss)
    check.saw(kata.accumulated_step, model.log, call=f"what the model and the optimizer did in {THREE}").gives(
        order(groups)
    )


def test_accumulated_step_keeps_no_graph(kata, check):
    """Catches a mean loss that is a tensor until the end: the graph of each micro-batch hangs on it."""
    model, groups = Counted(), cut_all(GROUPS)
    right, *_ = in_big_batches(Line(), F.mse_loss, groups)
    losses, _ = three_calls(kata, check, model, groups, F.mse_loss)
    seen = {"graphs": model.alive, "log": model.log, "losses": losses}
    wanted = {"graphs": [0] * 7, "log": order(groups), "losses": right}
    check.saw(kata.accumulated_step, seen, call=f"{GRAPHS}; {THREE}").gives(wanted)


# ---- accumulated_epoch

EPOCHS = {  # examples, batch size, k
    "6 examples in batches of 1, k=3": (6, 1, 3),
    "7 examples in batches of 2, k=3": (7, 2, 3),
    "9 examples in batches of 2, k=2": (9, 2, 2),
    "8 examples in batches of 3, k=4": (8, 3, 4),
    "5 examples in batches of 3, k=1": (5, 3, 1),
}


def two_epochs(kata, check, model, loss_fn, n, size, k):
    """What comes back from accumulated_epoch in two epochs, and how it went."""
    optimizer, loader = momentum(model.parameters()), DataLoader(TensorDataset(*examples(n)), batch_size=size)
    log_steps(model, optimizer)
    with Trace(model, optimizer) as trace:
        inputs = {"model": model, "loss_fn": loss_fn, "optimizer": optimizer}
        losses = [check(kata.accumulated_epoch, **inputs, loader=loader, k=k).value for _ in range(2)]
    return losses, trace


def two_rights(n, size, k):
    """The groups of two epochs."""
    X, y = examples(n)
    batches = list(zip(X.split(size), y.split(size), strict=True))
    return [batches[i : i + k] for i in range(0, len(batches), k)] * 2


@pytest.mark.fact("05.13")
@pytest.mark.parametrize("name", EPOCHS)
def test_accumulated_epoch_equals_big_batches(kata, check, name):
    """Catches a first group of one batch, a rest that gets no step or is divided by k, and lost gradients."""
    model, groups = Line(), two_rights(*EPOCHS[name])
    *_, gradients, after = in_big_batches(model, F.mse_loss, groups)
    _, trace = two_epochs(kata, check, model, F.mse_loss, *EPOCHS[name])
    call = f"the gradients at each step, and the model after two epochs of {name}"
    seen = {"steps": len(trace.gradients), "gradients": steps(trace), **state(model)}
    check.saw(kata.accumulated_epoch, seen, call=call).gives({"steps": len(groups), "gradients": gradients, **after})


@pytest.mark.fact("05.13")
def test_accumulated_epoch_starts_anew(kata, check):
    """Catches clearing after each step alone: what stood in .grad before the first one is in the sum."""
    model, shape = Line(), (7, 2, 3)
    groups = two_rights(*shape)
    *_, gradients, _ = in_big_batches(model, F.binary_cross_entropy_with_logits, groups)
    make_stale(model)
    _, trace = two_epochs(kata, check, model, F.binary_cross_entropy_with_logits, *shape)
    call = "the gradients at each step, two epochs of 7 examples in batches of 2, k=3; every .grad was 8 before"
    check.saw(kata.accumulated_epoch, steps(trace), call=call).gives(gradients)


@pytest.mark.parametrize("name", EPOCHS)
def test_accumulated_epoch_returns_a_loss_for_each_step(kata, check, name):
    """Catches a loss for each batch, one that counts a small batch as a full one, and a rest that is left out."""
    model, groups = Line(), two_rights(*EPOCHS[name])
    right, *_ = in_big_batches(model, F.mse_loss, groups)
    half = len(right) // 2
    losses, _ = two_epochs(kata, check, model, F.mse_loss, *EPOCHS[name])
    check.saw(kata.accumulated_epoch, losses, call=f"what came back, two epochs of {name}").gives(
        [right[:half], right[half:]]
    )


@pytest.mark.parametrize("name", EPOCHS)
def test_accumulated_epoch_goes_in_order(kata, check, name):
    """Catches a step at the end that finds no new gradient, and groups that are joined into the big batch itself."""
    model = Line()
    two_epochs(kata, check, model, F.mse_loss, *EPOCHS[name])
    call = f"what the model and the optimizer did in two epochs of {name}"
    check.saw(kata.accumulated_epoch, model.log, call=call).gives(order(two_rights(*EPOCHS[name])))


def test_accumulated_epoch_keeps_no_graph(kata, check):
    """Catches losses that are tensors until a group or the epoch ends: the graph of each batch hangs on them."""
    model, shape = Counted(), (7, 2, 3)
    groups = two_rights(*shape)
    right, *_ = in_big_batches(Line(), F.mse_loss, groups)
    losses, _ = two_epochs(kata, check, model, F.mse_loss, *shape)
    seen = {"graphs": model.alive, "log": model.log, "losses": losses}
    wanted = {"graphs": [0] * 8, "log": order(groups), "losses": [right[:2], right[2:]]}
    call = f"{GRAPHS}; two epochs of 7 examples in batches of 2, k=3"
    check.saw(kata.accumulated_epoch, seen, call=call).gives(wanted)


# ---- clip


def long_ones():
    """Gradients of norm 12 and 5, 13 together."""
    w, b = torch.full((2, 2), 7.5, requires_grad=True), torch.tensor([15.0, -20.0], requires_grad=True)
    w.grad, b.grad = torch.tensor([[2.0, -10.0], [6.0, -2.0]]), torch.tensor([3.0, -4.0])
    return w, b


def grads(params):
    return [None if p.grad is None else p.grad.detach().clone() for p in params]


@pytest.mark.parametrize("max_norm", [6.5, 3.25, 0.5])
def test_clip_of_long_gradients(kata, check, max_norm):
    """Catches a norm for each parameter, clipping by value, a norm that is no root, and values that are scaled."""
    params = long_ones()
    right = {"gradients": [max_norm / 13 * p.grad for p in params], "values": [p.detach().clone() for p in params]}
    run(check, kata.clip, params=list(params), max_norm=max_norm)
    seen = {"gradients": grads(params), "values": [p.detach() for p in params]}
    call = f"w and b with gradients of norm 12 and 5, after clip([w, b], max_norm={max_norm})"
    check.saw(kata.clip, seen, call=call).gives(right)


@pytest.mark.parametrize("max_norm", [13.5, 5.5])
def test_clip_returns_the_norm_before(kata, check, max_norm):
    """Catches the norm after clipping, and a tensor."""
    norm = check(kata.clip, params=list(long_ones()), max_norm=max_norm).value
    call = f"what came back from clip([w, b], max_norm={max_norm}), w.grad of norm 12 and b.grad of norm 5"
    check.saw(kata.clip, norm, call=call).gives(13.0)


@pytest.mark.parametrize("max_norm", [13.5, 40.0, 400.0])
def test_clip_leaves_short_gradients(kata, check, max_norm):
    """Catches gradients that are stretched to max_norm."""
    params = long_ones()
    right = grads(params)
    run(check, kata.clip, params=list(params), max_norm=max_norm)
    call = f"w.grad and b.grad, norm 12 and 5, after clip([w, b], max_norm={max_norm})"
    check.saw(kata.clip, grads(params), call=call).gives(right, exact=True)


def test_clip_leaves_zeros(kata, check):
    """Catches a division by the norm where it is 0."""
    params = long_ones()
    for p in params:
        p.grad.zero_()
    norm = check(kata.clip, params=list(params), max_norm=2.0).value
    call = "clip([w, b], max_norm=2.0), where every gradient is zero"
    right = {"norm": 0.0, "gradients": [torch.zeros(2, 2), torch.zeros(2)]}
    check.saw(kata.clip, {"norm": norm, "gradients": grads(params)}, call=call).gives(right, exact=True)


def test_clip_passes_over_none(kata, check):
    """Catches a parameter without a gradient, as a frozen one is, that is not expected."""
    w, b = long_ones()
    params = [torch.zeros(3, requires_grad=True), w, torch.zeros(1), b]
    right = [None, w.grad / 4, None, b.grad / 4]
    norm = check(kata.clip, params=params, max_norm=3.25).value
    seen = {"norm": norm, "gradients": grads(params)}
    call = "clip([unused, w, frozen, b], max_norm=3.25), where unused.grad and frozen.grad are None"
    check.saw(kata.clip, seen, call=call).gives({"norm": 13.0, "gradients": right})


def test_clip_goes_through_a_generator(kata, check):
    """Catches model.parameters() gone through twice: the second time it is empty, and nothing is scaled."""
    seen, right = {}, {}
    for kind, made in (("a list", list), ("a generator", lambda params: (p for p in params))):
        params = long_ones()
        right[kind] = [p.grad / 2 for p in params]
        run(check, kata.clip, params=made(params), max_norm=6.5)
        seen[kind] = grads(params)
    call = "w.grad and b.grad after clip with max_norm=6.5, where w and b come in a list, then in a generator"
    check.saw(kata.clip, seen, call=call).gives(right)


# ---- clipped_step

LIMIT = 0.75
CLIPPED = "three calls with batches of (4, 4, 2), (1, 3) and (2, 2) examples, max_norm=0.75"


def three_clipped(kata, check, model, groups):
    """What comes back from clipped_step for each group, and how it went."""
    optimizer = momentum(model.parameters())
    log_steps(model, optimizer)
    with Trace(model, optimizer) as trace:
        inputs = {"model": model, "loss_fn": F.mse_loss, "optimizer": optimizer, "max_norm": LIMIT}
        norms = [check(kata.clipped_step, **inputs, batches=group).value for group in groups]
    return norms, trace


@pytest.mark.fact("05.13")
def test_clipped_step_clips_the_big_batch(kata, check):
    """Catches clipping after the step, before the backward, and of each micro-batch: some of them point elsewhere."""
    model, groups = Line(), cut_all(GROUPS)
    groups[2] = [(X / 16, torch.full_like(y, 0.25)) for X, y in groups[2]]
    _, norms, gradients, after = in_big_batches(model, F.mse_loss, groups, LIMIT)
    make_stale(model)
    found, trace = three_clipped(kata, check, model, groups)
    seen = {"norms": found, "gradients": steps(trace), **state(model)}
    call = f"what came back, the gradients at each step, and the model after {CLIPPED}; every .grad was 8 before"
    check.saw(kata.clipped_step, seen, call=call).gives({"norms": norms, "gradients": gradients, **after})


def test_clipped_step_goes_in_order(kata, check):
    """Catches a step for each micro-batch."""
    model, groups = Line(), cut_all(GROUPS)
    three_clipped(kata, check, model, groups)
    check.saw(kata.clipped_step, model.log, call=f"what the model and the optimizer did in {CLIPPED}").gives(
        order(groups)
    )
