"""Other right answers to katas/10_distributed/sharding.py."""

import itertools
import math

import torch
from torch.utils.data import DataLoader, DistributedSampler, Sampler

from torchkatas.bank import right


@right(replaces="examples_per_rank")
def negated_floor(examples, ranks, drop_last=False):
    return examples // ranks if drop_last else -(-examples // ranks)


@right(replaces="examples_per_rank")
def counted(examples, ranks, drop_last=False):
    whole, rest = divmod(examples, ranks)
    return whole + (rest > 0 and not drop_last)


@right(replaces="examples_per_rank")
def of_torch(examples, ranks, drop_last=False):
    return len(DistributedSampler(range(examples), num_replicas=ranks, rank=0, drop_last=drop_last))


@right(replaces="shard")
def by_places(order, ranks, rank):
    if rank not in range(ranks):
        raise ValueError(f"Invalid rank: {rank}")
    return [order[place] for place in range(rank, len(order), ranks)]


@right(replaces="shard")
def by_remainder(order, ranks, rank):
    if rank < 0 or rank >= ranks:
        raise ValueError("the rank is out of range")
    return [example for place, example in enumerate(order) if place % ranks == rank]


@right(replaces="padded")
def by_cycle(order, ranks):
    size = math.ceil(len(order) / ranks) * ranks
    return list(itertools.islice(itertools.cycle(order), size))


@right(replaces="padded")
def by_multiplying(order, ranks):
    order = list(order)
    if not order:
        return order
    missing = (ranks - len(order) % ranks) % ranks
    return order + (order * math.ceil(missing / len(order)))[:missing]


@right(replaces="padded")
def one_at_a_time(order, ranks):
    longer = list(order)
    while len(longer) % ranks:
        longer.append(longer[len(longer) - len(order)])
    return longer


@right(replaces="ShardSampler")
class WithTensors(Sampler):
    def __init__(self, length, ranks, rank, shuffle=True, seed=0, drop_last=False):
        if rank < 0 or rank >= ranks:
            raise ValueError(f"Invalid rank {rank}")
        self.options = length, ranks, rank, shuffle, seed, drop_last
        self.epoch = 0
        self.per_rank = length // ranks if drop_last else (length + ranks - 1) // ranks

    def set_epoch(self, epoch):
        self.epoch = epoch

    def __iter__(self):
        length, ranks, rank, shuffle, seed, _ = self.options
        generator = torch.Generator()
        generator.manual_seed(seed + self.epoch)
        order = torch.randperm(length, generator=generator) if shuffle else torch.arange(length)
        places = torch.arange(self.per_rank) * ranks + rank
        return iter(order[places % max(1, length)].tolist() if self.per_rank else [])

    def __len__(self):
        return self.per_rank


@right(replaces="ShardSampler")
class ByGenerator(Sampler):
    def __init__(self, length, ranks, rank, shuffle=True, seed=0, drop_last=False):
        shard([], ranks, rank)  # noqa: F821 - refuses a rank that is none
        self.__dict__.update(length=length, ranks=ranks, rank=rank, shuffle=shuffle, seed=seed, drop_last=drop_last)
        self.set_epoch(0)

    def set_epoch(self, epoch):
        if self.shuffle:
            generator = torch.Generator().manual_seed(self.seed + epoch)
            self.order = [int(i) for i in torch.randperm(self.length, generator=generator)]
        else:
            self.order = list(range(self.length))

    def __iter__(self):
        for i in range(len(self)):
            yield self.order[(i * self.ranks + self.rank) % self.length]

    def __len__(self):
        return examples_per_rank(self.length, self.ranks, self.drop_last)  # noqa: F821


@right(replaces="loaders")
def samplers_by_hand(training, evaluation, batch_size, ranks, rank, seed=0):
    drawn = ShardSampler(len(training), ranks, rank, seed=seed)  # noqa: F821
    ordered = ShardSampler(len(evaluation), ranks, rank, shuffle=False)  # noqa: F821
    return tuple(
        DataLoader(dataset, batch_size=batch_size, sampler=sampler, shuffle=False)
        for dataset, sampler in ((training, drawn), (evaluation, ordered))
    )


@right(replaces="loaders")
def evaluation_by_a_list(training, evaluation, batch_size, ranks, rank, seed=0):
    sampler = DistributedSampler(training, ranks, rank, True, seed)
    indices = shard(padded(range(len(evaluation)), ranks), ranks, rank)  # noqa: F821
    return DataLoader(training, batch_size, sampler=sampler), DataLoader(evaluation, batch_size, sampler=indices)


@right(replaces="epochs")
def by_comprehension(loader, n, first=0):
    return [(loader.sampler.set_epoch(first + i), [batch for batch in loader])[1] for i in range(n)]


@right(replaces="epochs")
def through_the_batch_sampler(loader, n, first=0):
    found = []
    for epoch in range(n):
        loader.batch_sampler.sampler.set_epoch(epoch + first)
        found.append([])
        for batch in loader:
            found[-1].append(batch)
    return found
