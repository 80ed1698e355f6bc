"""Loaders: one order for features and labels, batches, and how training and evaluation differ."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor
from torch.utils.data import DataLoader, Dataset


def shuffled(features: Tensor, labels: Tensor, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """The same examples in a random order: each row of the features keeps its label.

    features: a tensor (N, D). labels: a tensor (N,).
    generator: where the order is drawn from, each call a new one. The global random streams (torch's, NumPy's,
    Python's) are neither used nor moved.
    Returns the features and the labels in the new order, in the shapes and dtypes that they had.

    >>> features, labels = shuffled(torch.tensor([[1], [2], [3]]), torch.tensor([10, 20, 30]), torch.Generator())
    >>> (features[:, 0] * 10 == labels).all()
    tensor(True)
    """
    raise NotImplementedError("shuffled")


def batch_of(dataset: Dataset, indices: Sequence[int]) -> tuple[Tensor, Tensor]:
    """A batch, put together from single examples, as a DataLoader does it.

    dataset: dataset[i] is a pair of tensors, features of any shape (the same for all) and a label of shape ().
    indices: a list of B indices, B at least 1. Each example is asked for once.
    Returns the features, (B, *shape of one), and the labels, (B,), in the order of indices and in their dtypes.

    >>> batch_of([(torch.tensor([0.5, 1.0]), torch.tensor(7)), (torch.tensor([2.0, 3.0]), torch.tensor(9))], [1, 0])
    (tensor([[2.0000, 3.0000],
            [0.5000, 1.0000]]), tensor([9, 7]))
    """
    raise NotImplementedError("batch_of")


def number_of_batches(examples: int, batch_size: int, drop_last: bool = False) -> int:
    """How many batches a loader makes of so many examples in one epoch.

    examples: 0 or more. batch_size: 1 or more. A rest that fills no batch is a smaller batch, the last one; with
    drop_last it is left out.

    >>> number_of_batches(150, 64), number_of_batches(150, 64, drop_last=True)
    (3, 2)
    """
    raise NotImplementedError("number_of_batches")


def evaluation_loader(dataset: Dataset, batch_size: int) -> DataLoader:
    """A loader for validation and test: every example counts, and comes in the order of the dataset.

    dataset: a map-style dataset.
    Returns a DataLoader whose batches have batch_size examples, but for the last, which has the rest.

    >>> [batch.tolist() for batch in evaluation_loader([4, 5, 6, 7, 8], batch_size=3)]
    [[4, 5, 6], [7, 8]]
    """
    raise NotImplementedError("evaluation_loader")


def training_loader(dataset: Dataset, batch_size: int, seed: int) -> DataLoader:
    """A loader for training: a new random order in each epoch, and no batch that is smaller than the others.

    dataset: a map-style dataset. In an epoch no example comes twice, and only a rest that fills no batch is left out.
    seed: decides the orders of all epochs: a loader that is made with the same seed has the same orders, epoch by
    epoch, and with another seed others. The global random streams (torch's, NumPy's, Python's) are neither used nor
    moved, neither when the loader is made nor when it is run through.
    Returns a DataLoader. Raises ValueError if the dataset has fewer examples than one batch, since there would be no
    batch at all; the message has both numbers in it.

    >>> loader = training_loader([4, 5, 6, 7, 8], batch_size=2, seed=0)
    >>> [len(batch) for batch in loader]
    [2, 2]
    """
    raise NotImplementedError("training_loader")
