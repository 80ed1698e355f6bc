"""Loaders."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor
from torch.utils.data import DataLoader, Dataset


def shuffled(features: Tensor, labels: Tensor, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    # Why: one permutation is drawn and used as an index twice, so row k of both comes from the same example.
    order = torch.randperm(len(features), generator=generator)
    return features[order], labels[order]


def batch_of(dataset: Dataset, indices: Sequence[int]) -> tuple[Tensor, Tensor]:
    # Why: a list of pairs turned into a pair of lists, each of which stack gives a new first axis, that of the batch.
    features, labels = zip(*(dataset[i] for i in indices), strict=True)
    return torch.stack(features), torch.stack(labels)


def number_of_batches(examples: int, batch_size: int, drop_last: bool = False) -> int:
    # Why: // counts the full batches; batch_size - 1 more examples make one more of any rest, and of no rest none.
    return examples // batch_size if drop_last else (examples + batch_size - 1) // batch_size


def evaluation_loader(dataset: Dataset, batch_size: int) -> DataLoader:
    # Why: unless told to, a loader neither shuffles nor drops: each example is counted, in an order one can look up.
    return DataLoader(dataset, batch_size=batch_size)


def training_loader(dataset: Dataset, batch_size: int, seed: int) -> DataLoader:
    # Why: the loader draws each epoch's order from its own generator, which goes on from where the last epoch left it.
    n = len(dataset)  # type: ignore[arg-type]
    if n < batch_size:
        raise ValueError(f"{n} examples do not fill a batch of {batch_size}")
    generator = torch.Generator().manual_seed(seed)
    return DataLoader(dataset, batch_size=batch_size, shuffle=True, drop_last=True, generator=generator)
