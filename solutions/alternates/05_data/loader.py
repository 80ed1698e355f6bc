"""Other right answers to katas/05_data/loader.py."""

import math

import torch
from torch.utils.data import BatchSampler, DataLoader, RandomSampler, SequentialSampler, default_collate

from torchkatas.bank import right


@right(replaces="shuffled")
def shuffled_by_sorting(features, labels, generator):
    order = torch.rand(labels.shape[0], generator=generator).argsort()
    return features.index_select(0, order), labels.index_select(0, order)


@right(replaces="shuffled")
def shuffled_as_pairs(features, labels, generator):
    pairs = list(zip(features, labels, strict=True))
    pairs = [pairs[i] for i in torch.randperm(len(pairs), generator=generator).tolist()]
    return torch.stack([row for row, _ in pairs]), torch.stack([label for _, label in pairs])


@right(replaces="shuffled")
def shuffled_by_a_loader(features, labels, generator):
    dataset = torch.utils.data.TensorDataset(features, labels)
    return tuple(next(iter(DataLoader(dataset, batch_size=len(dataset), shuffle=True, generator=generator))))


@right(replaces="batch_of")
def batch_by_default_collate(dataset, indices):
    return tuple(default_collate([dataset[i] for i in indices]))


@right(replaces="batch_of")
def batch_in_a_loop(dataset, indices):
    features, labels = [], []
    for i in indices:
        x, y = dataset[i]
        features.append(x.unsqueeze(0))
        labels.append(y[None])
    return torch.cat(features, dim=0), torch.cat(labels)


@right(replaces="batch_of")
def batch_by_asking_one_by_one(dataset, indices):
    pairs = [dataset[i] for i in indices]
    return torch.stack([pair[0] for pair in pairs]), torch.tensor([pair[1] for pair in pairs], dtype=pairs[0][1].dtype)


@right(replaces="number_of_batches")
def batches_by_ceil(examples, batch_size, drop_last=False):
    batches = examples / batch_size
    return math.floor(batches) if drop_last else math.ceil(batches)


@right(replaces="number_of_batches")
def batches_by_divmod(examples, batch_size, drop_last=False):
    full, rest = divmod(examples, batch_size)
    return full + 1 if rest and not drop_last else full


@right(replaces="number_of_batches")
def batches_by_a_loader(examples, batch_size, drop_last=False):
    return len(DataLoader(range(examples), batch_size=batch_size, drop_last=drop_last))


@right(replaces="evaluation_loader")
def evaluation_said_in_full(dataset, batch_size):
    return DataLoader(dataset, batch_size, shuffle=False, drop_last=False, num_workers=0)


@right(replaces="evaluation_loader")
def evaluation_by_a_batch_sampler(dataset, batch_size):
    batches = BatchSampler(SequentialSampler(dataset), batch_size, drop_last=False)
    return DataLoader(dataset, batch_sampler=batches)


@right(replaces="training_loader")
def training_by_a_sampler(dataset, batch_size, seed):
    if not len(dataset) >= batch_size:
        raise ValueError(f"batch_size={batch_size}, but only {len(dataset)} examples")
    generator = torch.Generator()
    generator.manual_seed(seed)
    sampler = RandomSampler(dataset, generator=generator)
    return DataLoader(dataset, batch_size, sampler=sampler, drop_last=True, generator=generator)


@right(replaces="training_loader")
def training_with_two_generators(dataset, batch_size, seed):
    if len(dataset) // batch_size == 0:
        raise ValueError(f"{len(dataset)} examples, {batch_size} a batch: no batch")
    order, workers = torch.Generator().manual_seed(seed), torch.Generator().manual_seed(seed + 1)
    batches = BatchSampler(RandomSampler(dataset, generator=order), batch_size, drop_last=True)
    return DataLoader(dataset, batch_sampler=batches, generator=workers)
