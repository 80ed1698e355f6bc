"""Sharding: which examples each rank works on, so that together they see them all, in another order each epoch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import torch  # noqa: F401 - for the sampler
from torch.utils.data import DataLoader, Dataset, DistributedSampler, Sampler  # noqa: F401


def examples_per_rank(examples: int, ranks: int, drop_last: bool = False) -> int:
    """How many examples each rank works on in one epoch, if all ranks work on equally many.

    examples: N, 0 or more. ranks: W, 1 or more.
    Where W does not divide N, some examples come twice, so that none is left out: as few as can be. With drop_last some
    are left out instead, and none comes twice: again as few as can be.

    >>> examples_per_rank(1000, 48), examples_per_rank(1000, 48, drop_last=True)
    (21, 20)
    """
    raise NotImplementedError("examples_per_rank")


def shard(order: Sequence[int], ranks: int, rank: int) -> list[int]:
    """The part of one rank, as DistributedSampler deals examples out: one to each rank in turn, like cards.

    order: the numbers of the examples, in the order in which they are dealt out, from rank 0 on; may be empty.
    ranks: how many there are, 1 or more. rank: from 0 to ranks - 1; any other is a ValueError that says "rank".
    Nothing is added: a rank may get one example less than another, and none where there are fewer examples than ranks.

    >>> shard([4, 8, 15, 16, 23, 42, 7], ranks=3, rank=1)
    [8, 23]
    """
    raise NotImplementedError("shard")


def padded(order: Sequence[int], ranks: int) -> list[int]:
    """The order, made longer until the number of ranks divides its length: all ranks then get equally many.

    order: the numbers of the examples. What is added is the order itself again, from its start, as often as it takes;
    no more is added than necessary. An empty order stays empty.
    ranks: 1 or more; may be more than twice as many as there are examples.

    >>> padded([4, 8, 15, 16, 23], ranks=3)
    [4, 8, 15, 16, 23, 4]
    """
    raise NotImplementedError("padded")


class ShardSampler(Sampler):
    """A sampler that gives one rank its part of the examples: what DistributedSampler gives, written by hand.

    length: N, the number of examples. ranks, rank: as in `shard`, ValueError that says "rank" included.
    shuffle: whether the order that is dealt out is drawn anew in each epoch; else it is 0, 1, ..., N - 1.
    drop_last: False, the order is padded as in `padded`; True, its end is left out, so that all ranks get equally many.
    Going through it (`for index in sampler`) gives the examples of this rank, Python ints; it can be gone through any
    number of times, and gives the same until the epoch changes. len(sampler) is their number.
    The order of an epoch is torch.randperm(N) of a generator of its own, seeded with seed + epoch: the same on all
    ranks. The global random stream is neither used nor moved.
    set_epoch(epoch) says which epoch is next. The first is 0; the sampler counts none by itself.
    By hand: no DistributedSampler is made.

    >>> sampler = ShardSampler(6, ranks=2, rank=1, shuffle=False)
    >>> list(sampler), len(sampler)
    ([1, 3, 5], 3)
    """

    def __init__(
        self, length: int, ranks: int, rank: int, shuffle: bool = True, seed: int = 0, drop_last: bool = False
    ) -> None:
        raise NotImplementedError("ShardSampler.__init__")

    def set_epoch(self, epoch: int) -> None:
        raise NotImplementedError("ShardSampler.set_epoch")

    def __iter__(self) -> Iterator[int]:
        raise NotImplementedError("ShardSampler.__iter__")

    def __len__(self) -> int:
        raise NotImplementedError("ShardSampler.__len__")


def loaders(
    training: Dataset, evaluation: Dataset, batch_size: int, ranks: int, rank: int, seed: int = 0
) -> tuple[DataLoader, DataLoader]:
    """The loaders of one rank: one for training, which shuffles, and one for evaluation, which does not.

    training, evaluation: map-style datasets. Both are dealt out among the ranks as DistributedSampler does it, padded
    where the ranks do not divide their length.
    The training loader's sampler has a set_epoch, and shuffles as DistributedSampler does with this seed. The
    evaluation loader gives the examples of this rank in the order of the dataset, in every epoch.
    Batches have batch_size examples, but for the last of a rank, which has the rest. No group of processes is needed.

    >>> training, evaluation = loaders([10, 11, 12, 13], [20, 21, 22, 23, 24, 25], batch_size=2, ranks=2, rank=0)
    >>> len(training), [batch.tolist() for batch in evaluation]
    (1, [[20, 22], [24]])
    """
    raise NotImplementedError("loaders")


def epochs(loader: DataLoader, n: int, first: int = 0) -> list[list[Any]]:
    """The batches of n epochs, each epoch in an order of its own: of each a list of its batches, as they came.

    loader: its sampler is a DistributedSampler, or another with a set_epoch that does the same.
    n: 0 or more. first: the number of the first of these epochs; a training that goes on after epoch 6 says 7.

    >>> sampler = DistributedSampler([5, 6, 7], num_replicas=1, rank=0, shuffle=False)
    >>> epochs(DataLoader([5, 6, 7], batch_size=2, sampler=sampler), n=2)
    [[tensor([5, 6]), tensor([7])], [tensor([5, 6]), tensor([7])]]
    """
    raise NotImplementedError("epochs")
