"""The specification of data_parallel.py."""

import copy

import pytest
import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.distributed.algorithms.ddp_comm_hooks.default_hooks import allreduce_hook
from torch.nn.parallel import DistributedDataParallel

from torchkatas.by_hand import ByHand
from torchkatas.observe import state
from torchkatas.ranks import worlds

BY_HAND = {"fit_by_hand": ("DistributedDataParallel",)}
LR = 0.5


class Net(nn.Module):
    """Two layers, a buffer of floats and one of an integer; with another seed, as on each rank, all are others."""

    def __init__(self, seed):
        super().__init__()
        self.body, self.head = nn.Linear(2, 2, bias=False), nn.Linear(2, 1)
        self.register_buffer("shift", torch.empty(2))
        self.register_buffer("age", torch.tensor(10 + seed))
        fill([*self.parameters(), self.shift], seed)

    def forward(self, x):
        return self.head(torch.tanh(self.body(x - self.shift)))

    def labels(self, x):
        return self(x).flatten().mul(100).round().long()


def fill(tensors, seed):
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for tensor in tensors:
            tensor.copy_(torch.randn(tensor.shape, generator=generator))


def part(rank, step, size=4):
    """The examples of one rank in one step, and their targets."""
    x, y = torch.empty(size, 2), torch.empty(size, 1)
    fill([x, y], seed=100 + 10 * step + rank)
    return x, y


def joined(parts):
    """One batch of all parts."""
    x, y = zip(*parts, strict=True)
    return torch.cat(x), torch.cat(y)


def squares(outputs, y):
    """The loss of each example."""
    return (outputs - y).square().mean(dim=1)


def weights(model):
    """All parameters in a row."""
    return torch.cat([parameter.detach().cpu().flatten() for parameter in model.parameters()])


def alone(model, batches):
    """The parameters at the start and after each step of one process, on whole batches."""
    seen = [weights(model)]
    for X, y in batches:
        gradients = torch.autograd.grad(F.mse_loss(model(X), y), list(model.parameters()))
        with torch.no_grad():
            for parameter, gradient in zip(model.parameters(), gradients, strict=True):
                parameter -= LR * gradient
        seen.append(weights(model))
    return torch.stack(seen)


def here(rank, device):
    return torch.device(device, rank) if device == "cuda" else torch.device(device)


def on(where, batches):
    return [(X.to(where), y.to(where)) for X, y in batches]


def ranks(world):
    return world.size or torch.cuda.device_count()


def as_on_rank_0(rows):
    """Whether each row of this rank is that of rank 0, to the bit."""
    every = [None] * dist.get_world_size()
    dist.all_gather_object(every, rows)
    return [torch.equal(row, first) for row, first in zip(rows, every[0], strict=False)]


# ---- wrap

FROZEN = {"all trained": (), "body frozen": ("body",), "head frozen": ("head",)}


def kind(made, model):
    """What came back for a model."""
    if made is model:
        return "the model itself"
    of = "the model" if getattr(made, "module", None) is model else "another model"
    return f"{type(made).__name__} of {of}"


def net(seed, frozen):
    model = Net(seed)
    for name in frozen:
        getattr(model, name).requires_grad_(False)
    return model


def trained(model):
    return [name for name, parameter in model.named_parameters() if parameter.requires_grad]


def wrapped(kata, rank, device, frozen):
    """What came back for each model of this rank, and the model afterwards."""
    seen = {}
    for name, parts in frozen.items():
        model = net(rank, parts).to(here(rank, device))
        made = kata.wrap(model)
        numbers = {name: tensor.cpu() for name, tensor in state(model).items()}
        seen[name] = {"made": kind(made, model), "trained": trained(model), **numbers}
    return seen


@pytest.mark.fact("09.7")
@pytest.mark.parametrize("world", worlds(2))
def test_wrap_starts_from_rank_0(kata, check, world):
    """Catches copies that start apart, a copy that is wrapped, and another wrapper."""
    made, right = "DistributedDataParallel of the model", {}
    for name, parts in FROZEN.items():
        right[name] = {"made": made, "trained": trained(net(0, parts)), **state(Net(0))}
    call = "another model on each rank, all of it trained, then others with a frozen body and a frozen head"
    seen = check.ranks(kata.wrap, wrapped, kata, world, call=call, device=world.device, frozen=FROZEN)
    seen.gives([right] * ranks(world), exact=True)


def gradients(model):
    return {name: None if p.grad is None else p.grad.cpu() for name, p in model.named_parameters()}


def wrapped_backward(kata, rank, device):
    """The gradients on this rank after two batches."""
    seen, where = {}, here(rank, device)
    for name, parts in FROZEN.items():
        model = net(rank, parts).to(where)
        made = kata.wrap(model)
        for X, y in on(where, (part(rank, step) for step in range(2))):
            model.zero_grad()
            F.mse_loss(made(X), y).backward()
        seen[name] = gradients(model)
    return seen


@pytest.mark.fact("09.10")
@pytest.mark.parametrize("world", worlds(2))
def test_wrap_averages_gradients(kata, check, world):
    """Catches a model that is equal at the start and then trained by each rank alone."""
    X, y = joined(part(rank, 1) for rank in range(ranks(world)))
    right = {}
    for name, parts in FROZEN.items():
        model = net(0, parts)
        F.mse_loss(model(X), y).backward()
        right[name] = gradients(model)
    call = (
        "the gradients after two batches, cleared before each; all trained, then with a frozen body, then a frozen head"
    )
    seen = check.ranks(kata.wrap, wrapped_backward, kata, world, call=call, device=world.device)
    seen.gives([right] * ranks(world))


@pytest.mark.parametrize("world", worlds(2))
def test_wrap_leaves_a_frozen_model(kata, check, world):
    """Catches DDP's refusal of a model without trained parameters, and parameters unfrozen to please it."""
    frozen = {"all frozen": ("body", "head")}
    right = [
        {"all frozen": {"made": "the model itself", "trained": [], **state(Net(rank))}} for rank in range(ranks(world))
    ]
    call = "another model on each rank, all of it frozen"
    seen = check.ranks(kata.wrap, wrapped, kata, world, call=call, device=world.device, frozen=frozen)
    seen.gives(right, exact=True)


# ---- labels


def labelled(kata, rank, device):
    where = here(rank, device)
    wrapped, X = DistributedDataParallel(Net(rank).to(where)), part(rank, 2, size=6)[0].to(where)
    bare = Net(rank + 5).to(where)
    return {"wrapped": kata.labels(wrapped, X).cpu(), "not wrapped": kata.labels(bare, X).cpu()}


@pytest.mark.parametrize("world", worlds(2))
def test_labels_of_a_wrapped_model(kata, check, world):
    """Catches the wrapper asked for the model's own method, and any model taken for wrapped where a group is up."""
    right = []
    for rank in range(ranks(world)):
        X = part(rank, 2, size=6)[0]
        right.append({"wrapped": Net(0).labels(X), "not wrapped": Net(rank + 5).labels(X)})
    call = "a model in DistributedDataParallel, then one that is not wrapped, in the same group"
    check.ranks(kata.labels, labelled, kata, world, call=call, device=world.device).gives(right)


@pytest.mark.parametrize("seed", [0, 3])
def test_labels_of_a_bare_model(kata, check, seed):
    """Catches `.module` asked of a model that is not wrapped."""
    model, (X, _) = Net(seed), part(0, seed, size=5)
    check(kata.labels, model, X).gives(Net(seed).labels(X.clone()))


# ---- new_head


def close(ones, others):
    return all(torch.allclose(one, other, atol=1e-5) for one, other in zip(ones, others, strict=True))


class Deep(Net):
    """A net with a stem before its body."""

    def __init__(self, seed):
        super().__init__(seed)
        self.stem = nn.Linear(2, 2)
        fill(self.stem.parameters(), seed + 20)

    def forward(self, x):
        return super().forward(self.stem(x))


def headed(kata, rank, device):
    """What came back, and what one backward() leaves on the head; its numbers are drawn by the learner's rank 0."""
    where = here(rank, device)
    model = Deep(rank).to(where)
    made = kata.new_head(model, 5)
    X = part(rank, 0)[0].to(where)
    bare = copy.deepcopy(model)
    bare.head.requires_grad_()
    local = torch.autograd.grad(bare(X).square().mean(), list(bare.head.parameters()))
    mean = [gradient.clone() for gradient in local]
    for gradient in mean:
        dist.all_reduce(gradient)
        gradient /= dist.get_world_size()
    made(X).square().mean().backward()
    got = [parameter.grad for parameter in model.head.parameters()]
    averaged = all(gradient is not None for gradient in got) and close(got, mean)
    return {
        "made": kind(made, model),
        "trained": trained(model),
        "the head is": str(model.head),
        "its outputs": list(model.head(X).shape),
        "the head starts as on rank 0": as_on_rank_0([weights(model.head)])[0],
        "its gradients are the mean over the ranks": averaged,
        "the rest is that of rank 0": torch.equal(
            torch.cat([weights(model.body), weights(model.stem)]),
            torch.cat([weights(Deep(0).body), weights(Deep(0).stem)]),
        ),
    }


@pytest.mark.fact("09.7")
@pytest.mark.fact("09.10")
@pytest.mark.parametrize("world", worlds(2))
def test_new_head_is_shared(kata, check, world):
    """Catches a head that comes after the wrapper, which then neither broadcasts nor averages it."""
    right = {
        "made": "DistributedDataParallel of the model",
        "trained": ["head.weight", "head.bias"],
        "the head is": "Linear(in_features=2, out_features=5, bias=True)",
        "its outputs": [4, 5],
        "the head starts as on rank 0": True,
        "its gradients are the mean over the ranks": True,
        "the rest is that of rank 0": True,
    }
    call = "another model on each rank, 5 classes, and one backward()"
    seen = check.ranks(kata.new_head, headed, kata, world, call=call, device=world.device)
    seen.gives([right] * ranks(world))


def head_trained(kata, rank, device):
    """Whether the head is alike on all ranks after each of three steps, and whether it and the body have moved."""
    where = here(rank, device)
    model = Deep(rank).to(where)
    made = kata.new_head(model, 3)
    rest, head = [weights(part) for part in (model.body, model.stem)], weights(model.head)
    optimizer = torch.optim.SGD([p for p in made.parameters() if p.requires_grad], lr=LR)
    heads = []
    for step in range(3):
        optimizer.zero_grad()
        made(part(rank, step)[0].to(where)).square().mean().backward()
        optimizer.step()
        heads.append(weights(model.head))
    moved = {
        "head": not torch.equal(head, weights(model.head)),
        "body": not torch.equal(rest[0], weights(model.body)),
        "stem": not torch.equal(rest[1], weights(model.stem)),
    }
    return {"the head is as on rank 0": as_on_rank_0(heads), "moved": moved}


@pytest.mark.fact("09.11")
@pytest.mark.parametrize("world", worlds(2))
def test_new_head_is_trained_alike(kata, check, world):
    """Catches parameters frozen after the wrapper: its averaging waits for them, and the next forward() raises."""
    right = {"the head is as on rank 0": [True] * 3, "moved": {"head": True, "body": False, "stem": False}}
    call = "three steps"
    seen = check.ranks(kata.new_head, head_trained, kata, world, call=call, device=world.device)
    seen.gives([right] * ranks(world))


# ---- fit and fit_by_hand

STEPS = 3


def fitted(kata, rank, name, device):
    """The parameters of this rank at each forward pass and in the end, and whether they are those of rank 0."""
    where, made = here(rank, device), []
    model, seen = Net(rank).to(where), []
    model.register_forward_pre_hook(lambda module, args: seen.append(weights(module)))
    init = DistributedDataParallel.__init__
    DistributedDataParallel.__init__ = lambda *args, **kwargs: made.append(1) or init(*args, **kwargs)
    getattr(kata, name)(model, F.mse_loss, on(where, (part(rank, step) for step in range(STEPS))), lr=LR)
    seen.append(weights(model))
    found = {"parameters": torch.stack(seen), "a wrapper was made": bool(made)}
    if len(seen) <= STEPS:  # this rank left early, and whoever waits for it in a wrapper is told so by its end
        return found
    return {**found, "to the bit as on rank 0": as_on_rank_0(seen)}


def fitted_alone(world, wrapper):
    """What one process does with the batches of all ranks."""
    whole = [joined(part(rank, step) for rank in range(ranks(world))) for step in range(STEPS)]
    found = {"parameters": alone(Net(0), whole), "a wrapper was made": wrapper}
    return {**found, "to the bit as on rank 0": [True] * (STEPS + 1)}


FITTED = "the parameters at each of 3 forward passes and in the end"


@pytest.mark.fact("09.7")
@pytest.mark.fact("09.9")
@pytest.mark.fact("09.10")
@pytest.mark.fact("09.11")
@pytest.mark.parametrize("world", worlds(2))
def test_fit_is_one_process_on_joined_batches(kata, check, world):
    """Catches a wrapper that is passed by, ranks that start apart, steps of another length, and copies that drift."""
    right = [fitted_alone(world, wrapper=True)] * ranks(world)
    check.ranks(kata.fit, fitted, kata, world, call=FITTED, name="fit", device=world.device).gives(right)


# ---- broadcast_model


def refuse(*args, **kwargs):
    raise ByHand("DistributedDataParallel")


def broadcast(kata, rank, device):
    """The state of the model of this rank afterwards, and whether its tensors are still the same."""
    DistributedDataParallel.__init__ = refuse  # it broadcasts when it is made, which no hook sees
    model = Net(rank).to(here(rank, device))
    model.body.weight.requires_grad_(False)
    tensors = [*model.parameters(), *model.buffers()]
    kata.broadcast_model(model)
    same = all(one is other for one, other in zip(tensors, [*model.parameters(), *model.buffers()], strict=True))
    numbers = {name: tensor.cpu() for name, tensor in state(model).items()}
    return {**numbers, "the same tensors": same, "trained": trained(model)}


@pytest.mark.fact("09.7")
@pytest.mark.parametrize("world", worlds(3))
def test_broadcast_model_gives_rank_0s(kata, check, world):
    """Catches buffers left out, another rank's model, a mean of all, and tensors that are replaced or frozen."""
    right = {**state(Net(0)), "the same tensors": True, "trained": ["head.weight", "head.bias"]}
    call = "another model on each rank, afterwards"
    seen = check.ranks(kata.broadcast_model, broadcast, kata, world, call=call, device=world.device)
    seen.gives([right] * ranks(world), exact=True)


# ---- average_gradients


def slopes(rank):
    """Gradients of one rank; the head's weight, which is neither first nor last, took no part."""
    tensors = [torch.empty_like(parameter) for parameter in Net(0).parameters()]
    fill(tensors, seed=50 + rank)
    return [tensors[0], None, *tensors[2:]]


def averaged(kata, rank, device):
    model = Net(7 + rank).to(here(rank, device))
    for parameter, slope in zip(model.parameters(), slopes(rank), strict=True):
        parameter.grad = None if slope is None else slope.to(here(rank, device))
    kata.average_gradients(model)
    moved = not torch.equal(weights(model), weights(Net(7 + rank)))
    return {**gradients(model), "parameters": "changed" if moved else "as before"}


@pytest.mark.fact("09.10")
@pytest.mark.parametrize("world", worlds(3, 4))
def test_average_gradients_is_the_mean(kata, check, world):
    """Catches the sum, a division by anything but the world size, one rank's alone, and averaged parameters."""
    every = [slopes(rank) for rank in range(ranks(world))]
    means = [None if column[0] is None else torch.stack(column).mean(dim=0) for column in zip(*every, strict=True)]
    names = [name for name, _ in Net(0).named_parameters()]
    right = {**dict(zip(names, means, strict=True)), "parameters": "as before"}
    call = "the gradients afterwards, and the parameters; the head's weight has none on any rank"
    seen = check.ranks(kata.average_gradients, averaged, kata, world, call=call, device=world.device)
    seen.gives([right] * ranks(world))


# ---- fit_by_hand


@pytest.mark.fact("09.7")
@pytest.mark.fact("09.9")
@pytest.mark.fact("09.10")
@pytest.mark.fact("09.11")
@pytest.mark.parametrize("world", worlds(2, 3))
def test_fit_by_hand_is_one_process_on_joined_batches(kata, check, world):
    """Catches a model that was never broadcast, sums for means, and an average that comes too late."""
    right = [fitted_alone(world, wrapper=False)] * ranks(world)
    given = {"name": "fit_by_hand", "device": world.device}
    check.ranks(kata.fit_by_hand, fitted, kata, world, call=FITTED, **given).gives(right)


# ---- accumulated_step

MICRO = (3, 1, 2)  # batches in each step


def micro(rank, step):
    return [part(rank, 10 * step + i) for i in range(MICRO[step])]


def accumulated(kata, rank, device):
    """After each of three steps the parameters, how often the ranks have averaged in it, and which passes it made."""
    where = here(rank, device)
    model, meetings, passes = DistributedDataParallel(Net(rank).to(where)), [], []

    def noted(module, args, outputs):
        passes.append(f"{len(args[0])} forward")
        if outputs.requires_grad:
            outputs.register_hook(lambda gradient: passes.append("backward"))

    model.module.register_forward_hook(noted)

    def counted(state, bucket):
        meetings[-1] += 1
        return allreduce_hook(None, bucket)

    model.register_comm_hook(None, counted)
    optimizer = torch.optim.SGD(model.parameters(), lr=LR)
    for parameter in model.parameters():
        parameter.grad = torch.full_like(parameter, 8.0)
    seen = [weights(model)]
    for step in range(len(MICRO)):
        meetings.append(0)
        kata.accumulated_step(model, F.mse_loss, optimizer, on(where, micro(rank, step)))
        seen.append(weights(model))
    return {"parameters": torch.stack(seen), "averaged": meetings, "passes": passes}


@pytest.mark.fact("09.10")
@pytest.mark.fact("09.11")
@pytest.mark.parametrize("world", worlds(2))
def test_accumulated_step_averages_once(kata, check, world):
    """Catches a step without any average, one for each batch, one big batch, and gradients that are lost."""
    size = ranks(world)
    whole = [joined(batch for rank in range(size) for batch in micro(rank, step)) for step in range(len(MICRO))]
    right = {"parameters": alone(Net(0), whole), "averaged": [1] * len(MICRO)}
    right["passes"] = ["4 forward", "backward"] * sum(MICRO)
    call = "the parameters before and after steps of 3, 1 and 2 batches of 4, how often each averaged, and the passes"
    seen = check.ranks(kata.accumulated_step, accumulated, kata, world, call=call, device=world.device)
    seen.gives([right] * size)


# ---- uneven_step

PARTS = {"6, 2 and 3 examples, then 1, 5 and 4": [(6, 2, 3), (1, 5, 4)], "0, 5 and 2 examples": [(0, 5, 2)]}


def stepped(kata, rank, parts, device):
    """The parameters of a model before and after its steps, for each list of parts."""
    return {told: steps(kata, here(rank, device), rank, sizes) for told, sizes in parts.items()}


def steps(kata, where, rank, sizes):
    model = DistributedDataParallel(Net(rank).to(where))
    optimizer = torch.optim.SGD(model.parameters(), lr=LR)
    for parameter in model.parameters():
        parameter.grad = torch.full_like(parameter, 8.0)
    seen = [weights(model)]
    for X, y in on(where, (part(rank, step, size[rank % 3]) for step, size in enumerate(sizes))):
        kata.uneven_step(model, squares, optimizer, X, y)
        seen.append(weights(model))
    return torch.stack(seen)


@pytest.mark.fact("09.9")
@pytest.mark.fact("09.10")
@pytest.mark.fact("09.11")
@pytest.mark.parametrize("world", worlds(2, 3))
def test_uneven_step_counts_each_example_once(kata, check, world):
    """Catches a mean of means, a sum, a division by local counts, and a rank without examples that stays away."""
    size = ranks(world)
    parts = {told: sizes for told, sizes in PARTS.items() if size > 1 or sizes[0][0]}  # one rank has no 0 of 0
    right = {}
    for told, sizes in parts.items():
        whole = [joined(part(r, step, row[r % 3]) for r in range(size)) for step, row in enumerate(sizes)]
        right[told] = alone(Net(0), whole)
    call = "the parameters before and after steps with that many examples, by rank"
    seen = check.ranks(kata.uneven_step, stepped, kata, world, call=call, parts=parts, device=world.device)
    for told in parts:
        seen.part(told).gives([{told: right[told]}] * size)


# ---- uneven_epoch

BATCHES = (3, 2, 4)


def line(seed):
    model = nn.Linear(2, 1)
    fill(model.parameters(), seed)
    return model


def epoch(kata, rank, device):
    """The parameters after an epoch."""
    where = here(rank, device)
    model = DistributedDataParallel(line(rank).to(where))
    optimizer = torch.optim.SGD(model.parameters(), lr=LR)
    batches = on(where, (part(rank, step) for step in range(BATCHES[rank % 3])))
    kata.uneven_epoch(model, F.mse_loss, optimizer, iter(batches))
    return weights(model)


@pytest.mark.fact("09.9")
@pytest.mark.fact("09.10")
@pytest.mark.parametrize("world", worlds(3))
def test_uneven_epoch_goes_on_without_those_who_are_done(kata, check, world):
    """Catches ranks that wait for one who left, batches that are dropped or repeated, and those who left counted."""
    size = ranks(world)
    longest = max(BATCHES[rank % 3] for rank in range(size))
    whole = [joined(part(r, step) for r in range(size) if BATCHES[r % 3] > step) for step in range(longest)]
    right = alone(line(0), whole)[-1]
    call = "the parameters after an epoch of 3, 2 and 4 batches on ranks 0, 1 and 2"
    seen = check.ranks(kata.uneven_epoch, epoch, kata, world, call=call, device=world.device)
    seen.gives([right] * size)
