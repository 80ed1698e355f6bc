"""Sharding: which examples each rank works on, so that together they see them all, in another order each epoch."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch.utils.data import DataLoader, Dataset, DistributedSampler, Sampler


def examples_per_rank(examples: int, ranks: int, drop_last: bool = False) -> int:
    # Why: equal parts need a multiple of W: the next one up repeats some examples, the next one down drops some.
    return examples // ranks if drop_last else math.ceil(examples / ranks)


def shard(order: Sequence[int], ranks: int, rank: int) -> list[int]:
    # Why: a stride of W from r on gives r, r + W, r + 2W, ...: no two ranks meet, and none of the examples is missed.
    if not 0 <= rank < ranks:
        raise ValueError(f"rank {rank} is not one of 0 to {ranks - 1}")
    return list(order[rank::ranks])


def padded(order: Sequence[int], ranks: int) -> list[int]:
    # Why: -N % W is what is missing to the next multiple of W; the index modulo N starts again as often as it takes.
    missing = -len(order) % ranks if order else 0
    return [order[i % len(order)] for i in range(len(order) + missing)]


class ShardSampler(Sampler):
    # Why: all ranks draw the same order, for the seed does not know the rank, and so their parts of it cannot overlap.
    def __init__(
        self, length: int, ranks: int, rank: int, shuffle: bool = True, seed: int = 0, drop_last: bool = False
    ) -> None:
        if not 0 <= rank < ranks:
            raise ValueError(f"rank {rank} is not one of 0 to {ranks - 1}")
        self.length, self.ranks, self.rank = length, ranks, rank
        self.shuffle, self.seed, self.drop_last = shuffle, seed, drop_last
        self.epoch = 0

    def set_epoch(self, epoch: int) -> None:
        self.epoch = epoch

    def __iter__(self) -> Iterator[int]:
        order = list(range(self.length))
        if self.shuffle:
            generator = torch.Generator().manual_seed(self.seed + self.epoch)
            order = torch.randperm(self.length, generator=generator).tolist()
        order = order[: len(self) * self.ranks] if self.drop_last else padded(order, self.ranks)
        return iter(shard(order, self.ranks, self.rank))

    def __len__(self) -> int:
        return examples_per_rank(self.length, self.ranks, self.drop_last)


def loaders(
    training: Dataset, evaluation: Dataset, batch_size: int, ranks: int, rank: int, seed: int = 0
) -> tuple[DataLoader, DataLoader]:
    # Why: whoever deals out must also shuffle, for all ranks alike; a DataLoader's own shuffle knows of no other rank.
    drawn = DistributedSampler(training, num_replicas=ranks, rank=rank, seed=seed)
    ordered = DistributedSampler(evaluation, num_replicas=ranks, rank=rank, shuffle=False)
    return DataLoader(training, batch_size, sampler=drawn), DataLoader(evaluation, batch_size, sampler=ordered)


def epochs(loader: DataLoader, n: int, first: int = 0) -> list[list[Any]]:
    # Why: a sampler draws its order when an epoch starts, from seed + epoch, and only set_epoch tells it the epoch.
    found = []
    for epoch in range(first, first + n):
        loader.sampler.set_epoch(epoch)
        found.append(list(loader))
    return found
