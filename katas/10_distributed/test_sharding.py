"""The specification of sharding.py. It starts no process: a rank is a number here."""

import math
from collections import Counter
from unittest import mock

import pytest
import torch
from torch.utils.data import DataLoader, DistributedSampler

from torchkatas.compare import Refusal

SIZES = {  # examples and ranks
    "12 examples, 3 ranks": (12, 3),
    "11 examples, 4 ranks": (11, 4),
    "5 examples, 2 ranks": (5, 2),
    "6 examples, 2 ranks": (6, 2),
    "7 examples, 2 ranks": (7, 2),
    "7 examples, 1 rank": (7, 1),
    "5 examples, 8 ranks": (5, 8),
    "3 examples, 8 ranks": (3, 8),
    "1 example, 3 ranks": (1, 3),
    "1 example, 1 rank": (1, 1),
    "no examples, 3 ranks": (0, 3),
}


def named(name, function):
    """What the spec does with what a learner's function returns, as a call of that name."""
    function.__name__ = name
    return function


def numbers(n):
    """The numbers of n examples in an order that is not theirs: 100 and up, far from their places."""
    return [100 + (7 * i + 1) % n for i in range(n)] if n % 7 else [100 + (5 * i + 1) % n for i in range(n)]


def dealt(order, ranks):
    """One card to each in turn."""
    hands = [[] for _ in range(ranks)]
    for place, example in enumerate(order):
        hands[place % ranks].append(example)
    return hands


def distributed(length, ranks, rank, epoch=0, **options):
    """The indices that torch's own sampler gives."""
    sampler = DistributedSampler(range(length), num_replicas=ranks, rank=rank, **options)
    sampler.set_epoch(epoch)
    return list(sampler)


# ---- examples_per_rank

COUNTS = [(12, 3), (11, 4), (9, 4), (10, 4), (5, 8), (3, 8), (8, 8), (1, 1), (0, 3), (1797, 2), (50000, 1024)]


@pytest.mark.fact("09.12")
def test_examples_per_rank_of_a_table(kata, check):
    """Catches a quotient that is rounded down, to the nearest, or up where there is nothing to round, and drop_last."""
    rows = [(*sizes, drop_last) for sizes in COUNTS for drop_last in (False, True)]
    right = [len(DistributedSampler(range(n), ranks, 0, drop_last=drop_last)) for n, ranks, drop_last in rows]
    check.each(kata.examples_per_rank, rows).gives(right)


# ---- shard


@pytest.mark.fact("09.8")
@pytest.mark.parametrize("case", SIZES)
def test_shard_of_each_rank(kata, check, case):
    """Catches contiguous blocks, ranks counted from 1, places given for examples, and an empty part refused."""
    n, ranks = SIZES[case]
    rows = [{"order": numbers(n), "ranks": ranks, "rank": rank} for rank in range(ranks)]
    check.each(kata.shard, rows).gives(dealt(numbers(n), ranks))


@pytest.mark.fact("09.8")
def test_shard_of_1024_ranks(kata, check):
    """Catches parts that overlap, and examples that no rank has."""

    def held(n, ranks):
        return Counter(example for rank in range(ranks) for example in kata.shard(range(n), ranks, rank))

    call = "how often each example is held by one of 1,024 ranks; shard"
    check(named(call, held), n=3000, ranks=1024).gives({example: 1 for example in range(3000)})


def test_shard_is_a_list(kata, check):
    """Catches a slice of a range or of a tuple, which is one again."""

    def look(order, ranks, rank):
        part = kata.shard(order, ranks, rank)
        return {"of type": type(part).__name__, "examples": list(part)}

    orders = [range(5, 12), tuple(numbers(7)), range(3), (6,), ()]
    right = [{"of type": "list", "examples": dealt(order, 3)[1]} for order in orders]
    check.each(named("what comes back, of shard", look), [(order, 3, 1) for order in orders]).gives(right)


def test_shard_of_a_rank_that_is_none(kata, check):
    """Catches rank 4 of 4, which gets nothing where it should be told, and -1, which counts from the end."""
    rows = [{"order": numbers(11), "ranks": 4, "rank": rank} for rank in (3, 4, 7, -1, -4)]
    check.each(kata.shard, rows).gives([dealt(numbers(11), 4)[3], *[Refusal(ValueError, "rank")] * 4])


# ---- padded


@pytest.mark.fact("09.8")
@pytest.mark.parametrize("case", SIZES)
def test_padded_repeats_from_the_start(kata, check, case):
    """Catches the last example repeated, one round only, and a whole one added where nothing is missing."""
    n, ranks = SIZES[case]
    right = numbers(n)
    while right and len(right) % ranks:
        right.append(right[len(right) - n])
    check(kata.padded, order=numbers(n), ranks=ranks).gives(right)


# ---- ShardSampler


def parts(kata, length, ranks, epochs=(0,), **options):
    """Whatever a sampler of each rank gives, in each of some epochs."""
    samplers = [kata.ShardSampler(length, ranks, rank, **options) for rank in range(ranks)]
    found = []
    for epoch in epochs:
        for sampler in samplers:
            sampler.set_epoch(epoch)
        found.append([list(sampler) for sampler in samplers])
    return found


@pytest.mark.fact("09.8")
@pytest.mark.parametrize("drop_last", [False, True], ids=["padded", "drop_last"])
@pytest.mark.parametrize("case", SIZES)
def test_ShardSampler_in_order(kata, check, case, drop_last):
    """Catches contiguous blocks, a shuffle that was not asked for, and what pads where drop_last is to cut."""
    n, ranks = SIZES[case]
    right = [distributed(n, ranks, rank, shuffle=False, drop_last=drop_last) for rank in range(ranks)]

    def look(length, ranks, drop_last):
        return parts(kata, length, ranks, shuffle=False, drop_last=drop_last)[0]

    call = "list(sampler) on each rank, of ShardSampler(shuffle=False)"
    check(named(call, look), length=n, ranks=ranks, drop_last=drop_last).gives(right)


EPOCHS = (0, 1, 2, 7)


@pytest.mark.fact("09.8")
@pytest.mark.fact("09.14")
@pytest.mark.parametrize("seed", [0, 5])
@pytest.mark.parametrize("case", ["11 examples, 4 ranks", "12 examples, 3 ranks", "3 examples, 8 ranks"])
def test_ShardSampler_shuffles_each_epoch(kata, check, case, seed):
    """Catches one order for all epochs, one for each rank, a shuffle within a rank's own part, and another seed."""
    n, ranks = SIZES[case]
    right = [[distributed(n, ranks, rank, epoch, seed=seed) for rank in range(ranks)] for epoch in EPOCHS]

    def look(length, ranks, seed):
        return parts(kata, length, ranks, EPOCHS, seed=seed)

    call = f"list(sampler) on each rank, in each of the epochs {EPOCHS}, of ShardSampler"
    check(named(call, look), length=n, ranks=ranks, seed=seed).gives(right)


@pytest.mark.fact("09.8")
def test_ShardSampler_shuffles_with_drop_last(kata, check):
    """Catches a cut before the shuffle, by which the same examples are left out in each epoch."""
    n, ranks = 11, 4
    right = [[distributed(n, ranks, rank, epoch, drop_last=True) for rank in range(ranks)] for epoch in EPOCHS]

    def look(length, ranks, drop_last):
        return parts(kata, length, ranks, EPOCHS, drop_last=drop_last)

    call = f"list(sampler) on each rank, in each of the epochs {EPOCHS}, of ShardSampler"
    check(named(call, look), length=n, ranks=ranks, drop_last=True).gives(right)


@pytest.mark.fact("09.8")
@pytest.mark.parametrize("drop_last", [False, True], ids=["padded", "drop_last"])
def test_ShardSampler_at_1024_ranks(kata, check, drop_last):
    """Catches parts that overlap: each rank has drawn an order of its own."""
    n, ranks = 1100, 1024
    order = torch.randperm(n, generator=torch.Generator().manual_seed(6)).tolist()
    whole = order[:ranks] if drop_last else order + order[: -n % ranks]
    some = range(0, ranks, 8)  # all of them would take each wrong answer of the bank a quarter of a second
    right = Counter(example for rank in some for example in whole[rank::ranks])

    def held(length, ranks, seed, drop_last):
        samplers = (kata.ShardSampler(length, ranks, rank, seed=seed, drop_last=drop_last) for rank in some)
        return Counter(example for sampler in samplers for example in sampler)

    call = "how often each example is held by every eighth of 1,024 ranks; ShardSampler"
    check(named(call, held), length=n, ranks=ranks, seed=6, drop_last=drop_last).gives(right)


@pytest.mark.fact("09.12")
@pytest.mark.parametrize("drop_last", [False, True], ids=["padded", "drop_last"])
def test_ShardSampler_has_a_length(kata, check, drop_last):
    """Catches the length of the whole dataset, and one that is rounded the other way."""
    sizes = list(SIZES.values())
    numbers = [n // ranks if drop_last else math.ceil(n / ranks) for n, ranks in sizes]

    def count(length, ranks, drop_last):
        sampler = kata.ShardSampler(length, ranks, ranks - 1, drop_last=drop_last)
        return {"len(sampler)": len(sampler), "examples that it gives": len(list(sampler))}

    rows = [(n, ranks, drop_last) for n, ranks in sizes]
    right = [{"len(sampler)": number, "examples that it gives": number} for number in numbers]
    check.each(named("numbers of the last rank, of ShardSampler", count), rows).gives(right)


@pytest.mark.fact("09.14")
def test_ShardSampler_counts_no_epochs(kata, check):
    """Catches epochs that go on by themselves, and an iterator that is used up; a loader may be gone through twice."""
    right = [distributed(11, 4, 2, epoch) for epoch in (0, 0, 3, 3, 1)]

    def look(length, ranks, rank):
        sampler = kata.ShardSampler(length, ranks, rank)
        found = [list(sampler), list(sampler)]
        for epoch in (3, 3, 1):
            sampler.set_epoch(epoch)
            found.append(list(sampler))
        return found

    call = "list(sampler) twice, and after each of set_epoch(3), set_epoch(3), set_epoch(1), of ShardSampler"
    check(named(call, look), length=11, ranks=4, rank=2).gives(right)


def test_ShardSampler_leaves_the_global_stream(kata, check):
    """Catches torch.manual_seed, which gives the right order, and every dropout mask after it over and over again."""

    def look(length, ranks, rank):
        before = torch.get_rng_state()
        part = list(kata.ShardSampler(length, ranks, rank))
        return {"part": part, "moved": not torch.equal(before, torch.get_rng_state())}

    right = {"part": distributed(11, 4, 2), "moved": False}
    call = "what list(sampler) gives, and whether the global random stream has moved, of ShardSampler"
    check(named(call, look), length=11, ranks=4, rank=2).gives(right)


@pytest.mark.parametrize("rank", [4, -1])
def test_ShardSampler_of_a_rank_that_is_none(kata, check, rank):
    """Catches a sampler of a rank that does not exist, which trains on nothing or on another's part."""

    def make(length, ranks, rank):
        return list(kata.ShardSampler(length, ranks, rank))

    check(named("list of ShardSampler", make), length=11, ranks=4, rank=rank).raises(ValueError, "rank")


def test_ShardSampler_is_written_by_hand(kata, check):
    """Catches torch's own sampler in its place, by whatever name."""

    def made(length, ranks, rank):
        found, init = [], DistributedSampler.__init__

        def noted(self, *args, **kwargs):
            found.append("DistributedSampler")
            init(self, *args, **kwargs)

        with mock.patch.object(DistributedSampler, "__init__", noted):
            list(kata.ShardSampler(length, ranks, rank))
        return found

    call = "which samplers of torch are made by ShardSampler"
    check(named(call, made), length=11, ranks=4, rank=2).gives([])


# ---- loaders


def batches(indices, size, shift):
    """What a loader gives for these indices of a dataset of numbers that start at `shift`."""
    return [torch.tensor([index + shift for index in indices[i : i + size]]) for i in range(0, len(indices), size)]


def right_loaders(n, ranks, rank, epochs, **options):
    return [batches(distributed(n, ranks, rank, epoch, **options), 2, 50) for epoch in epochs]


def gone_through(loader, epochs):
    """The batches of each epoch. A loader for evaluation needs no set_epoch."""
    found = []
    for epoch in epochs:
        if hasattr(loader.sampler, "set_epoch"):
            loader.sampler.set_epoch(epoch)
        found.append(list(loader))
    return found


@pytest.mark.fact("09.14")
@pytest.mark.parametrize("case", ["11 examples, 4 ranks", "6 examples, 2 ranks", "7 examples, 2 ranks"])
def test_loaders_for_training_shuffle(kata, check, case):
    """Catches shuffle=True beside a sampler, each rank with the whole dataset, and a seed that is not handed on."""
    n, ranks = SIZES[case]
    right = [right_loaders(n, ranks, rank, (0, 1, 4), seed=9) for rank in range(ranks)]

    def look(training, batch_size, ranks, seed):
        found = [kata.loaders(training, range(3), batch_size, ranks, rank, seed) for rank in range(ranks)]
        return [gone_through(loader, (0, 1, 4)) for loader, _ in found]

    call = "the batches of the training loader of each rank, in epochs 0, 1 and 4, set by sampler.set_epoch; loaders"
    check(named(call, look), training=list(range(50, 50 + n)), batch_size=2, ranks=ranks, seed=9).gives(right)


@pytest.mark.fact("09.14")
@pytest.mark.parametrize("case", ["11 examples, 4 ranks", "12 examples, 3 ranks", "7 examples, 2 ranks"])
def test_loaders_for_evaluation_do_not(kata, check, case):
    """Catches an evaluation sampler that shuffles, as it does by default, and one of another length."""
    n, ranks = SIZES[case]
    right = [right_loaders(n, ranks, rank, (0, 1), shuffle=False) for rank in range(ranks)]

    def look(evaluation, batch_size, ranks):
        found = [kata.loaders(range(5), evaluation, batch_size, ranks, rank) for rank in range(ranks)]
        return [gone_through(loader, (0, 1)) for _, loader in found]

    call = "the batches of the evaluation loader of each rank, in epochs 0 and 1; loaders"
    check(named(call, look), evaluation=list(range(50, 50 + n)), batch_size=2, ranks=ranks).gives(right)


# ---- epochs


@pytest.mark.fact("09.14")
@pytest.mark.parametrize("first", [0, 7])
@pytest.mark.parametrize("n", [3, 1])
def test_epochs_differ(kata, check, n, first):
    """Catches set_epoch left out, called too late, with another number, or on the loader."""
    right = [batches(distributed(11, 2, 1, epoch, seed=4), 2, 50) for epoch in range(first, first + n)]

    def look(n, first):
        sampler = DistributedSampler(range(11), num_replicas=2, rank=1, seed=4)
        return kata.epochs(DataLoader(list(range(50, 61)), batch_size=2, sampler=sampler), n, first)

    check(
        named("epochs: the batches of a loader of 11 examples, on rank 1 of 2, seed 4", look), n=n, first=first
    ).gives(right)
