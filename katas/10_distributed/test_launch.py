"""The specification of launch.py."""

import contextlib
import gc
import io
import json
import math
import os
import sys
from unittest import mock

import pytest
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import TensorDataset

from torchkatas.rank import World

ALONE = World(1, "cpu", "alone")
NODES = World(2, "cpu", "nodes")
CPU = repr(torch.device("cpu"))
GPUS = World(min(2, torch.cuda.device_count()), "cuda", "torchrun")  # two, for they divide a batch
# two ranks of torchrun's on the CPU, and one a GPU
RANKS = [
    pytest.param(World(2, "cpu", "torchrun"), marks=pytest.mark.ddp, id="2 ranks"),
    pytest.param(GPUS, marks=pytest.mark.multigpu, id="GPUs"),
]
can_end = pytest.mark.skipif(
    tuple(map(int, torch.__version__.split(".")[:2])) < (2, 5),
    reason="not proven here: ending a group deadlocked in 18 of 100 runs of torch 2.4.1",
)


def device_of(local):
    return torch.device("cuda", local) if torch.cuda.is_available() else torch.device("cpu")


def join(rank):
    """Begin the group as it should be begun."""
    if torch.cuda.is_available():
        torch.cuda.set_device(rank)
    dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
    dist.barrier()  # nobody leaves while another still connects


# ---- begin


def begun(kata, rank):
    """What begin says, whether a group is up then, and what 1, 2, ... of its ranks add up to on the device."""
    who = kata.begin()
    total = torch.tensor([1.0 + rank], device=device_of(int(os.environ.get("LOCAL_RANK", 0))))
    if dist.is_initialized():
        dist.all_reduce(total)
    who = tuple(repr(value) if isinstance(value, torch.device) else value for value in who)
    return {"returned": who, "group": dist.is_initialized(), "sum": total.item()}


@pytest.mark.fact("09.13")
@pytest.mark.parametrize("world", RANKS)
def test_begin_joins_the_others_under_torchrun(kata, check, world):
    """Catches a process that trains by itself beside the others, numbers that are strings, and a missing group of 1."""
    for size in (world.size, 1):
        names = [CPU if world.device == "cpu" else repr(torch.device("cuda", rank)) for rank in range(size)]
        total = float(sum(range(1, size + 1)))
        right = [{"returned": (rank, size, name), "group": True, "sum": total} for rank, name in enumerate(names)]
        call = f"what it returned under torchrun --nproc_per_node={size}, and the group then"
        check.ranks(kata.begin, begun, kata, world._replace(size=size), call=call).gives(right)


@pytest.mark.fact("09.13")
@pytest.mark.ddp
def test_begin_on_two_nodes(kata, check):
    """Catches the rank on this node taken for the rank among all."""
    right = [{"returned": (rank, 2, CPU), "group": True, "sum": 3.0} for rank in range(2)]
    call = "what it returned on two nodes with one rank each, and the group then"
    check.ranks(kata.begin, begun, kata, NODES, call=call).gives(right)


@pytest.mark.fact("09.13")
@pytest.mark.parametrize(
    "world",
    [
        pytest.param(ALONE, marks=pytest.mark.ddp, id="CPU"),
        pytest.param(ALONE._replace(device="cuda"), marks=pytest.mark.cuda, id="GPU"),
    ],
)
def test_begin_alone(kata, check, world):
    """Catches a script that torchrun alone can start, and a group that nobody needs."""
    name = CPU if world.device == "cpu" else repr(torch.device("cuda", 0))
    right = {"returned": (0, 1, name), "group": False, "sum": 1.0}
    call = "what it returned with no RANK in the environment, and the group then"
    check.ranks(kata.begin, begun, kata, world, call=call).gives([right])


# ---- end


def ended(kata, rank, callers):
    """Whether a group is up before and after, where these ranks call end."""
    join(rank)
    before = dist.is_initialized()
    if rank in callers:
        kata.end()
    return before, dist.is_initialized()


@can_end
@pytest.mark.parametrize("world", RANKS)
def test_end_ends_the_group(kata, check, world):
    """Catches a group that stays up, on all ranks or on all but rank 0."""
    call = "whether the group is up before it, and after"
    ranks = list(range(world.size))
    check.ranks(kata.end, ended, kata, world, call=call, callers=ranks).gives([(True, False)] * world.size)


@can_end
@pytest.mark.ddp
def test_end_waits_for_nobody(kata, check):
    """Catches a barrier on the way out, at which all others wait for a rank that has failed."""
    call = "whether the group is up before it, and after, where rank 0 alone calls it"
    right = [(True, False), (True, True)]
    check.ranks(kata.end, ended, kata, World(2, "cpu", "torchrun"), call=call, callers=[0]).gives(right)


def ended_without_a_group(kata, rank):
    """Whether a group is up after end: on rank 0 as if torchrun were not there, on rank 1 as if begin had failed."""
    if rank == 0:
        del os.environ["RANK"]
    kata.end()
    return dist.is_initialized()


@pytest.mark.ddp
def test_end_without_a_group(kata, check):
    """Catches an error where there is nothing to end, which may hide why there is not."""
    call = "whether a group is up after it, where none was begun: without RANK in the environment, and with it"
    world = World(2, "cpu", "torchrun")
    check.ranks(kata.end, ended_without_a_group, kata, world, call=call).gives([False, False])


# ---- train


def examples(n):
    """n examples, no two alike."""
    generator = torch.Generator().manual_seed(n)
    x = torch.randn(n, 3, generator=generator)
    return x, x.square().sum(1, keepdim=True) - x[:, :1]


def regression(rank):
    """A model with other parameters on each rank."""
    model = nn.Linear(3, 1)
    with torch.no_grad():
        model.weight.copy_(torch.tensor([[0.5, -0.25, 0.75]]) + rank)
        model.bias.fill_(0.125 - rank)
    return model


def alone(n, epochs):
    """The parameters after one process went through the joined batches, in torch's order of each epoch."""
    (x, y), parameters = examples(n), [p.detach().clone().requires_grad_() for p in regression(0).parameters()]
    for epoch in range(epochs):
        order = torch.randperm(n, generator=torch.Generator().manual_seed(epoch))
        for batch in order.split(4):
            loss = (x[batch] @ parameters[0].mT + parameters[1] - y[batch]).square().mean()
            for parameter, slope in zip(parameters, torch.autograd.grad(loss, parameters), strict=True):
                parameter.data -= 0.1 * slope
    return torch.cat([p.detach().flatten() for p in parameters])


def train_on(kata, rank, n, epochs):
    """A call of train on a rank: the model that it was given, and what it returned."""
    world = int(os.environ.get("WORLD_SIZE", 1))
    if world > 1 and not dist.is_initialized():
        join(rank)
    model = regression(rank)
    returned = kata.train(model, TensorDataset(*examples(n)), rank, world, device_of(rank), epochs)
    return model, returned


def parameters_after(kata, rank, n, epochs):
    model, _ = train_on(kata, rank, n, epochs)
    return torch.cat([parameter.detach().flatten() for parameter in model.parameters()]).cpu()


def trained(kata, rank, n):
    """The parameters after one epoch, and of another model after three; in a group, whether they are rank 0's."""
    found = [parameters_after(kata, rank, n, epochs) for epochs in (1, 3)]
    if not dist.is_initialized():
        return {"parameters": found}
    mine = [*found, parameters_after(kata, rank, 9, epochs=2)]  # a number that ranks do not divide
    first = [parameters.to(device_of(rank), copy=True) for parameters in mine]
    for parameters in first:
        dist.broadcast(parameters, src=0)
    alike = [torch.equal(one.cpu(), other) for one, other in zip(first, mine, strict=True)]
    return {"parameters": found, "to the bit as on rank 0": alike}


@pytest.mark.ddp
def test_train_alone(kata, check):
    """Catches a model that is wrapped where there is no group, a copy that is trained, and gradients that add up."""
    call = "the parameters of a model after 1 epoch of 10 examples, and of another one after 3, alone"
    right = [{"parameters": [alone(10, 1), alone(10, 3)]}]
    check.ranks(kata.train, trained, kata, ALONE, call=call, n=10).gives(right)


@pytest.mark.parametrize("world", RANKS)
def test_train_does_together_what_one_does_alone(kata, check, world):
    """Catches ranks that train apart or drift, a batch for each rank as large as that of all, and one order for all."""
    call = f"the parameters of a model after 1 epoch of 12 examples, and of another after 3, by {world.size} ranks"
    right = {"parameters": [alone(12, 1), alone(12, 3)], "to the bit as on rank 0": [True] * 3}
    check.ranks(kata.train, trained, kata, world, call=call, n=12).gives([right] * world.size)


def returned(kata, rank, sizes, epochs=3):
    return [train_on(kata, rank, n, epochs)[1] for n in sizes]


@pytest.mark.fact("09.12")
@pytest.mark.parametrize("world", RANKS)
def test_train_shares_the_work(kata, check, world):
    """Catches the whole data on each rank, steps or epochs counted in place of examples, and a rest that is dropped."""
    sizes = [7, 8, 1, 4, 13]
    right = [[3 * math.ceil(n / world.size) for n in sizes]] * world.size
    call = f"what it returned for 3 epochs of {sizes} examples"
    check.ranks(kata.train, returned, kata, world, call=call, sizes=sizes).gives(right)


def wrapped_after(kata, rank, n, epochs):
    """How many wrapped models somebody holds after train."""
    train_on(kata, rank, n, epochs)
    gc.collect()
    return sum(isinstance(thing, DistributedDataParallel) for thing in gc.get_objects())


@pytest.mark.ddp
def test_train_lets_the_wrapped_model_go(kata, check):
    """Catches a wrapped model that is kept, and with it the group that end is to end."""
    call = "the number of wrapped models that are held after it"
    world = World(2, "cpu", "torchrun")
    check.ranks(kata.train, wrapped_after, kata, world, call=call, n=8, epochs=1).gives([0, 0])


def refused(kata, rank):
    """Which numbers of epochs are refused, by an error that names them."""
    words = []
    for epochs in (0, -2, 1):
        try:
            returned(kata, rank, [5], epochs)
            words.append((epochs, "trained"))
        except ValueError as error:
            words.append((epochs, "ValueError naming 'epochs'" if "epochs" in str(error) else f"ValueError: {error}"))
    return words


@pytest.mark.ddp
def test_train_refuses_no_epochs(kata, check):
    """Catches an untrained model that is returned as a trained one."""
    named = "ValueError naming 'epochs'"
    call = "which numbers of epochs it refuses"
    check.ranks(kata.train, refused, kata, ALONE, call=call).gives([[(0, named), (-2, named), (1, "trained")]])


# ---- main


class Full(OSError):
    """What training raises."""


def playing(main):
    """main as one rank or another: what it calls, prints and raises, where begin, train and end are played."""

    def as_rank(rank, world, local_rank, train_raises=False):
        calls, printed, raised = [], io.StringIO(), "nothing"

        def begin():
            calls.append("begin")
            return rank, world, torch.device("cpu")

        def train(model, data, rank, world, device, epochs):
            calls.append(f"train {len(data)} examples for {epochs} epochs as rank {rank} of {world}")
            if train_raises:
                raise Full("no space left")
            with torch.no_grad():
                model.weight.copy_(torch.tensor([[0.5, -1.5, 2.0]]))
                model.bias.fill_(-0.25)
            return 21

        def end():
            calls.append("end")

        module = vars(sys.modules[main.__module__])
        with (
            mock.patch.dict(module, {"begin": begin, "train": train, "end": end}),
            mock.patch.dict(os.environ, {"LOCAL_RANK": str(local_rank)}),
            contextlib.redirect_stdout(printed),
        ):
            try:
                main(epochs=7)
            except Full:
                raised = "the error of train"
        lines = [read(line) for line in printed.getvalue().splitlines()]
        if train_raises and raised == "nothing":  # what is said of a lost error is in the learner's words
            lines = [line for line in lines if isinstance(line, dict)]
        return {"calls": calls, "prints": lines, "raises": raised}

    as_rank.__name__ = "main(epochs=7) where "
    return as_rank


def read(line):
    """A line of JSON as what it says; any other as it is."""
    try:
        return json.loads(line)
    except ValueError:
        return line


WHO = [(0, 1, 0), (0, 3, 0), (1, 2, 1), (1, 2, 0), (2, 3, 0)]  # rank, world size, rank on the node


def right(rank, world, local_rank, train_raises=False):
    calls = ["begin", f"train 10 examples for 7 epochs as rank {rank} of {world}", "end"]
    report = {"world": world, "examples": 21, "parameters": [0.5, -1.5, 2.0, -0.25]}
    prints = [report] if rank == 0 and not train_raises else []
    return {"calls": calls, "prints": prints, "raises": "the error of train" if train_raises else "nothing"}


def test_main_reports_on_rank_0(kata, check):
    """Catches a report from every rank or from the first of each node, and one that no program can read."""
    check.each(playing(kata.main), WHO).gives([right(*who) for who in WHO])


def test_main_ends_the_group_when_training_raises(kata, check):
    """Catches a group that is left up by an error, and an error that is lost."""
    rows = [(*who, train_raises) for who in WHO for train_raises in (True, False)]
    check.each(playing(kata.main), rows).gives([right(*row) for row in rows])


def report(world, epochs):
    """What the script prints: parameters of one process on the joined batches, and the examples of each rank."""
    x = torch.arange(30.0).reshape(10, 3).sin()
    y = x @ torch.tensor([[2.0], [-1.0], [0.5]]) + 0.25
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        model = nn.Linear(3, 1)
    for epoch in range(epochs):
        for batch in torch.randperm(10, generator=torch.Generator().manual_seed(epoch)).split(4):
            slopes = torch.autograd.grad((model(x[batch]) - y[batch]).square().mean(), list(model.parameters()))
            with torch.no_grad():
                for parameter, slope in zip(model.parameters(), slopes, strict=True):
                    parameter -= 0.1 * slope
    parameters = [*model.weight[0].tolist(), model.bias.item()]
    return {"world": world, "examples": epochs * 10 // world, "parameters": parameters}


def said(world, epochs):
    """What each rank leaves behind: rank 0 alone prints, and no group is up."""
    first = {"printed": [report(world, epochs)], "group": False}
    return [first, *[{"printed": [], "group": False}] * (world - 1)]


ROUNDED = {"rtol": 1.3e-6, "atol": 1e-5}  # as float32: JSON has numbers without a dtype


@pytest.mark.fact("09.13")
@pytest.mark.ddp
@pytest.mark.slow
def test_main_runs_alone(kata, check):
    """Catches a script that torchrun alone can start."""
    check.script(kata.main, ALONE).gives(said(1, 3), **ROUNDED)


@can_end
@pytest.mark.fact("09.13")
@pytest.mark.slow
@pytest.mark.parametrize("world", RANKS)
def test_main_runs_under_torchrun(kata, check, world):
    """Catches a group that is never ended, and what shows in real processes only."""
    check.script(kata.main, world, "2").gives(said(world.size, 2), **ROUNDED)


@can_end
@pytest.mark.fact("09.13")
@pytest.mark.ddp
@pytest.mark.slow
def test_main_runs_on_two_nodes(kata, check):
    """Catches a report from the first rank of each node."""
    check.script(kata.main, NODES, "2").gives(said(2, 2), **ROUNDED)


@can_end
@pytest.mark.ddp
@pytest.mark.slow
def test_main_fails_where_training_fails(kata, check):
    """Catches an error that is printed and forgotten: torchrun would report success."""
    check.script(kata.main, World(2, "cpu", "torchrun"), "0").raises(ValueError, "epochs")
