"""The specification of processes.py. Where ranks talk to each other, they are real processes."""

from functools import wraps

import pytest
import torch
import torch.distributed as dist
from torch import nn

from torchkatas.compare import Refusal
from torchkatas.ranks import worlds

# ---- place


def torchrun(rank, local_rank, world_size, **others):
    """Variables as torchrun sets them, among them some that nobody asks for."""
    three = {"RANK": str(rank), "LOCAL_RANK": str(local_rank), "WORLD_SIZE": str(world_size)}
    return {"PATH": "/bin", "LOCAL_WORLD_SIZE": "4", "GROUP_RANK": "1", **three, "MASTER_ADDR": "node0", **others}


PLACES = [(0, 0, 2), (1, 1, 2), (5, 1, 8), (11, 3, 12), (0, 0, 1), (9, 1, 16)]


@pytest.mark.fact("09.13")
def test_place_of_processes_that_torchrun_started(kata, check):
    """Catches texts where numbers are asked, and rank and local rank taken for each other."""
    check.each(kata.place, [(torchrun(*place, MASTER_PORT="29500"),) for place in PLACES]).gives(PLACES)


@pytest.mark.fact("09.13")
def test_place_without_torchrun(kata, check):
    """Catches a script that cannot run alone, and one that takes another variable for torchrun's."""
    rows = [({},), ({"PATH": "/bin", "HOME": "/root"},), ({"MASTER_ADDR": "node0", "MASTER_PORT": "29500"},)]
    rows += [({"OMP_NUM_THREADS": "4"},), ({"LOCAL_WORLD_SIZE": "2", "GROUP_RANK": "1"},), (torchrun(3, 1, 4),)]
    check.each(kata.place, rows).gives([(0, 0, 1)] * 5 + [(3, 1, 4)])


@pytest.mark.fact("09.13")
def test_place_with_a_variable_missing(kata, check):
    """Catches a default for what is missing, by which all processes would be rank 0 of 1, each training alone."""
    whole = torchrun(0, 0, 8)  # with ranks of 0 a default shows, and no rank is out of range by it
    gone = [("RANK",), ("LOCAL_RANK",), ("WORLD_SIZE",), ("RANK", "LOCAL_RANK"), ("LOCAL_RANK", "WORLD_SIZE")]
    rows = [({name: text for name, text in whole.items() if name not in names},) for names in gone]
    check.each(kata.place, [*rows, (whole,)]).gives([*[Refusal(ValueError, names[0]) for names in gone], (0, 0, 8)])


def test_place_of_a_rank_that_is_none(kata, check):
    """Catches rank 8 of 8, a negative one, and a comparison of texts, by which 12 comes before 8."""
    places = [(8, 0, 8), (-1, 0, 8), (12, 1, 8), (0, 0, 0), (7, 8, 8), (7, -1, 8), (2, 12, 8)]
    right = [Refusal(ValueError, "RANK")] * 4 + [Refusal(ValueError, "LOCAL_RANK")] * 3
    check.each(kata.place, [(torchrun(*place),) for place in places]).gives(right)


# ---- device_of

DEVICES = {
    "one machine": [
        ((0, 0, 4), 4, "cuda:0"),
        ((3, 3, 4), 4, "cuda:3"),
        ((1, 1, 2), 8, "cuda:1"),
        ((0, 0, 1), 1, "cuda:0"),
    ],
    "two machines": [
        ((5, 1, 8), 4, "cuda:1"),
        ((4, 0, 8), 4, "cuda:0"),
        ((2, 0, 4), 4, "cuda:0"),
        ((3, 1, 4), 8, "cuda:1"),
    ],
    "three machines": [((11, 3, 12), 4, "cuda:3"), ((7, 1, 9), 3, "cuda:1"), ((2, 0, 6), 3, "cuda:0")],
    "no GPU": [((0, 0, 1), 0, "cpu"), ((5, 1, 8), 0, "cpu")],
}


@pytest.mark.fact("09.7")
def test_device_of_each_process(kata, check):
    """Catches the rank as an index, which runs past the GPUs of the second machine, and one GPU for all."""

    @wraps(kata.device_of)
    def device_of(place, gpus):
        try:
            return kata.device_of(place, gpus)
        except ValueError:
            return Refusal(ValueError)  # its words are the learner's

    rows = [row for rows in DEVICES.values() for row in rows]
    check.each(device_of, [row[:2] for row in rows]).gives([torch.device(row[2]) for row in rows])


@pytest.mark.fact("09.7")
def test_device_of_a_process_too_many(kata, check):
    """Catches two processes on one GPU, and an index past the last, which fails only later and in other words."""
    rows = [((1, 1, 2), 1), ((2, 2, 4), 2), ((7, 3, 8), 2), ((4, 4, 8), 4), ((9, 4, 10), 3)]
    check.each(kata.device_of, rows).gives([Refusal(ValueError, "local")] * 5)


# ---- seeded_model


def build():
    return nn.Sequential(nn.Linear(3, 4), nn.Dropout(0.5), nn.Linear(4, 2))


@pytest.mark.fact("09.7")
def test_seeded_model_on_each_rank(kata, check):
    """Catches one seed for all that is random, no seed, and the rank in the seed of the weights."""

    def look(seeds, ranks):
        def run(seed, rank):
            model = kata.seeded_model(build, seed, rank)
            return nn.utils.parameters_to_vector(model.parameters()).detach(), torch.rand(5)

        with torch.random.fork_rng(devices=[]):  # the global stream is the function's to seed
            found = {(seed, rank): run(seed, rank) for seed in seeds for rank in range(ranks)}
            again = {key: run(*key) for key in found}
        weights = {key: tuple(weight.tolist()) for key, (weight, _) in found.items()}
        draws = {key: tuple(draw.tolist()) for key, (_, draw) in found.items()}
        return {
            "different weights on the ranks, by seed": [len({weights[s, r] for r in range(ranks)}) for s in seeds],
            "different draws on the ranks, by seed": [len({draws[s, r] for r in range(ranks)}) for s in seeds],
            "different weights, by rank": [len({weights[s, r] for s in seeds}) for r in range(ranks)],
            "different draws, by rank": [len({draws[s, r] for s in seeds}) for r in range(ranks)],
            "the same weights again": all(torch.equal(found[key][0], again[key][0]) for key in found),
            "the same draws again": all(torch.equal(found[key][1], again[key][1]) for key in found),
        }

    right = {
        "different weights on the ranks, by seed": [1, 1, 1],
        "different draws on the ranks, by seed": [4, 4, 4],
        "different weights, by rank": [3, 3, 3, 3],
        "different draws, by rank": [3, 3, 3, 3],
        "the same weights again": True,
        "the same draws again": True,
    }
    look.__name__ = "seeded_model, and what is drawn after it, for each seed and rank"
    check(look, seeds=[1, 20, 300], ranks=4).gives(right)


# ---- stuck

CALLS = {
    "all meet": [["barrier", "all_reduce"], ["barrier", "all_reduce"]],
    "none calls": [[], [], []],
    "one rank": [["all_reduce", "barrier"]],
    "rank 0 alone": [["all_reduce", "barrier"], ["all_reduce"]],
    "all but rank 0": [["broadcast"], ["broadcast", "barrier"], ["broadcast", "barrier"]],
    "another order": [["all_reduce", "broadcast"], ["broadcast", "all_reduce"]],
    "other ones": [["barrier"], ["all_gather"], ["barrier"]],
    "one of four": [["barrier"], ["barrier"], ["barrier", "barrier"], ["barrier"]],
    "two ended": [["broadcast", "all_reduce"], ["broadcast"], ["broadcast", "barrier"], ["broadcast"]],
    "early, and ends": [["all_reduce", "barrier", "barrier"], ["barrier"], []],
    "one too few": [["all_reduce"] * 3, ["all_reduce"] * 2],
    "the middle left out": [["broadcast", "all_reduce", "barrier"], ["broadcast", "barrier"]],
    "long, and all meet": [["all_reduce"] * 5 + ["barrier"]] * 4,
}


def waiting(calls):
    """The ranks that wait in the end, one collective after another."""
    left = [list(names) for names in calls]
    while all(left) and all(names[0] == left[0][0] for names in left):
        for names in left:
            names.pop(0)
    return [rank for rank, names in enumerate(left) if names]


def test_stuck_of_a_table(kata, check):
    """Catches calls that are counted or sorted, a rank left out, and those that ended counted among the waiting."""
    check.each(kata.stuck, [(calls,) for calls in CALLS.values()]).gives([waiting(calls) for calls in CALLS.values()])


# ---- what ranks do together


def on(device, rank):
    return torch.device(device, rank) if device == "cuda" else torch.device(device)


def back(result):
    """What came back, as the judge of all ranks can hold it."""
    return result.cpu() if isinstance(result, torch.Tensor) else result


def how_many(world):
    return world.size or torch.cuda.device_count()


KINDS = {
    "a matrix": ((3, 2), torch.float32),
    "one number": ((), torch.float32),
    "float64": ((4,), torch.float64),
    "integers": ((2, 3), torch.int64),
}


def drawn(kind, rank):
    """What a rank has: other numbers than any other rank, some of them negative."""
    shape, dtype = KINDS[kind]
    numbers = torch.randn(shape, generator=torch.Generator().manual_seed(rank), dtype=torch.float64)
    return (10 * numbers + rank).to(dtype)


# ---- mean_over_ranks


def averaged(kata, rank, kinds, device):
    """What came back for each kind, and the rank's own tensor afterwards."""
    found = {}
    for kind in kinds:
        tensor = drawn(kind, rank).to(on(device, rank))
        found[kind] = {"mean": back(kata.mean_over_ranks(tensor)), "its own tensor afterwards": tensor.cpu()}
    return found


@pytest.mark.fact("09.10")
@pytest.mark.parametrize("world", worlds(3, 4))
def test_mean_over_ranks(kata, check, world):
    """Catches the sum, a division by anything but the world size, integers rounded, and a caller's tensor changed."""
    kinds, size = ["a matrix", "one number", "float64", "integers"], how_many(world)
    right = [{} for _ in range(size)]
    for kind in kinds:
        given = [drawn(kind, rank) for rank in range(size)]
        mean = torch.stack(given).double().mean(dim=0)
        mean = mean.to(given[0].dtype if given[0].is_floating_point() else torch.float32)
        for rank in range(size):
            right[rank][kind] = {"mean": mean, "its own tensor afterwards": given[rank]}
    call = f"{', '.join(kinds)} a rank"
    seen = check.ranks(kata.mean_over_ranks, averaged, kata, world, call=call, kinds=kinds, device=world.device)
    for kind in kinds:  # a sum is known as one by the matrix, whatever its dtype is of integers
        seen.part(kind).gives([{kind: own[kind]} for own in right])


# ---- from_rank

SENT = (("a matrix", "the last rank"), ("integers", "the last rank"), ("one number", "rank 0"))


def sent(kata, rank, rows, device):
    """What came back of each kind from its source, and the rank's own tensor afterwards."""
    torch.set_deterministic_debug_mode("warn")  # by which new memory holds NaN or the largest integer, and no chance
    found = {}
    for kind, source in rows:
        tensor = drawn(kind, rank).to(on(device, rank))
        found[kind] = {"result": back(kata.from_rank(tensor, source)), "its own tensor afterwards": tensor.cpu()}
    dist.barrier()  # who sends need not wait for those who receive: here they all meet again
    return found


@pytest.mark.fact("09.7")
@pytest.mark.parametrize("world", worlds(2))
def test_from_rank_on_all_ranks(kata, check, world):
    """Catches a source that is always the same, a tensor of one's own, and a caller's tensor that is changed."""
    size = how_many(world)
    rows = [(kind, size - 1 if source == "the last rank" else 0) for kind, source in SENT]
    told = "; ".join(f"{kind} a rank, source={source}" for kind, source in rows)
    call = f"{told}; and a barrier after it"
    seen = check.ranks(kata.from_rank, sent, kata, world, call=call, rows=rows, device=world.device)
    for kind, source in rows:
        result, own = drawn(kind, source), [drawn(kind, rank) for rank in range(size)]
        right = [{kind: {"result": result, "its own tensor afterwards": tensor}} for tensor in own]
        seen.part(kind).gives(right, exact=True)


# ---- gather_parts

SIZES = (3, 1, 0, 2, 4, 1, 2, 3)  # of each rank's part


def part(rank, dtype):
    """SIZES[rank] rows of two, the first of zeros, then one of -1, and of NaN if it can be: rows like others."""
    start = 100 * rank + 10
    rows = torch.arange(start, start + 2 * SIZES[rank % 8]).reshape(-1, 2)
    rows = (rows if rank % 2 else -rows).to(dtype)
    rows[:1], rows[1:2] = 0, -1
    rows[2:3] = float("nan") if dtype.is_floating_point else 7
    return rows


def gathered(kata, rank, dtypes, device):
    """What came back for a part of each dtype."""
    found = {}
    for dtype in dtypes:
        found[str(dtype)] = back(kata.gather_parts(part(rank, dtype).to(on(device, rank))))
        dist.barrier()
    return found


@pytest.mark.parametrize("world", worlds(4))
def test_gather_parts_of_unequal_sizes(kata, check, world):
    """Catches sizes taken for equal, filling that stays, rows cut by value, another order, and another dtype."""
    size, dtypes = how_many(world), [torch.float32, torch.int32]
    right = {str(dtype): torch.cat([part(rank, dtype) for rank in range(size)]) for dtype in dtypes}
    call = f"parts of {', '.join(str(n) for n in SIZES[:size])} rows, of floats and then of integers"
    seen = check.ranks(kata.gather_parts, gathered, kata, world, call=call, dtypes=dtypes, device=world.device)
    for dtype in right:
        seen.part(dtype).gives([{dtype: right[dtype]}] * size, exact=True)


# ---- on_rank_zero


def worked(kata, rank, result):
    """What comes back, and how often this rank did the work."""
    did = []

    def work():
        did.append(rank)
        return {"rank": rank, **result}

    found = kata.on_rank_zero(work)
    dist.barrier()
    return {"result": found, "times this rank worked": len(did)}


@pytest.mark.parametrize("world", worlds(4))
def test_on_rank_zero_works_once(kata, check, world):
    """Catches a collective that rank 0 alone calls, work that each rank does, and ranks that get no result."""
    result = {"classes": ["cat", "dog"], "mean": 0.25, "none": None}
    wanted = {"rank": 0, **result}
    right = [{"result": wanted, "times this rank worked": int(rank == 0)} for rank in range(how_many(world))]
    call = "work that returns a dict with the rank it ran on, and a barrier after it"
    check.ranks(kata.on_rank_zero, worked, kata, world, call=call, result=result).gives(right)
