"""Evaluation and checkpoints over all ranks: each example counts once, each file is written once, all decide alike."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch.distributed as dist  # noqa: F401 - for the collectives
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import Dataset


def bare_keys(state: dict[str, Any]) -> dict[str, Any]:
    """The state dict of a model, from that of the model wrapped in DistributedDataParallel.

    state: the wrapper puts "module." before each key. It may also come from the model itself, whose keys have no such
    prefix: then they stay as they are. No submodule of the model itself stands at its top under the name `module`, but
    further down one may.
    Returns a dict with the keys of the model and the same values.

    >>> bare_keys({"module.body.weight": 3, "module.body.bias": 4})
    {'body.weight': 3, 'body.bias': 4}
    """
    raise NotImplementedError("bare_keys")


def global_mean(total: Tensor, count: int) -> float:
    """The mean over the examples of all ranks.

    total: a scalar float tensor, the sum over the examples of this rank, on its device; count: their number. A rank may
    have no examples: total and count are then 0. Every rank calls this.
    Returns the sum over all ranks divided by the number of examples on all ranks, as a Python float, on each rank the
    same.
    Raises ValueError, whose text names "empty", on every rank, where no rank has any examples.

    >>> global_mean(torch.tensor(7.5), count=3)  # doctest: +SKIP
    """
    raise NotImplementedError("global_mean")


def evaluate(model: nn.Module, dataset: Dataset[tuple[Tensor, Tensor]], batch_size: int) -> tuple[float, float]:
    """The loss and the accuracy of a model over a dataset that the ranks share among them.

    model: on each rank the same, in eval mode, and not wrapped: a wrapper's forward pass may wait for other ranks,
    which need not have as many batches. It gives raw logits of shape (N, C) for a batch.
    dataset: on each rank the same, of one example or more: dataset[i] is (x, label), label an int64 scalar tensor. Both
    lie on the device of the model. The length need not be a multiple of the number of ranks W, and may be below it.
    batch_size: the largest number of examples in one call of the model. No rank puts more than ceil(len(dataset) / W)
    examples through the model.
    Returns two Python floats, on each rank the same: the mean cross entropy, and the share of examples whose largest
    logit is that of their label. Over all ranks each example of the dataset counts exactly once.

    >>> evaluate(ddp.module.eval(), dataset, batch_size=64)  # doctest: +SKIP
    """
    raise NotImplementedError("evaluate")


def save(model: DistributedDataParallel, path: Path) -> None:
    """Write the state dict of a wrapped model into one file, which is whole on every rank's return.

    Every rank calls this; the ranks may be on several machines that share their files.
    model: wrapped. The file holds the state dict of the model itself, with no "module." before the keys.
    path: the same on all ranks; an older file may lie there, and is replaced.
    Rank 0 alone calls torch.save, once. No rank returns before the file is written: who reads it then finds it whole.

    >>> save(ddp, Path("model.pt"))  # doctest: +SKIP
    """
    raise NotImplementedError("save")


def train_until(
    train_epoch: Callable[[], object], validate: Callable[[], tuple[Tensor, int]], epochs: int, patience: int
) -> int:
    """Train for a number of epochs, or until the validation loss no longer falls: all ranks stop after the same epoch.

    train_epoch(): trains this rank's copy for one epoch, together with all others: each rank must call it as often.
    validate(): is called after each epoch, and gives the validation losses of this rank: their sum, a scalar float
    tensor on its device, and the number of examples, which may be 0 on some ranks and another one in each epoch. It
    does not talk to other ranks.
    epochs: the largest number of epochs, at least 1.
    patience: at least 1. Training stops as soon as that many epochs in a row have not brought the mean validation loss,
    over the examples of all ranks, below the lowest before them.
    Returns the number of epochs trained, on each rank the same.

    >>> train_until(train_epoch, validate, epochs=100, patience=3)  # doctest: +SKIP
    """
    raise NotImplementedError("train_until")
