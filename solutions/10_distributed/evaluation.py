"""Evaluation and checkpoints over all ranks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, Dataset, Subset


def bare_keys(state: dict[str, Any]) -> dict[str, Any]:
    # Why: the wrapper holds the model under the name `module`; only what stands in front of a key is its doing.
    return {key.removeprefix("module."): value for key, value in state.items()}


def global_mean(total: Tensor, count: int) -> float:
    # Why: sums and counts add up over ranks, means do not; and all ranks see the same two numbers, so all decide alike.
    sums = torch.stack([total.detach().double(), torch.tensor(count).to(total).double()])
    dist.all_reduce(sums)
    if sums[1] == 0:
        raise ValueError("empty: no rank has any examples")
    return (sums[0] / sums[1]).item()


def evaluate(model: nn.Module, dataset: Dataset[tuple[Tensor, Tensor]], batch_size: int) -> tuple[float, float]:
    # Why: every W-th example, and no padding: parts may differ in size, for only sums and counts are brought together.
    mine = Subset(dataset, range(dist.get_rank(), len(dataset), dist.get_world_size()))
    loss = right = torch.zeros((), device=next(model.parameters()).device)
    with torch.no_grad():
        for X, y in DataLoader(mine, batch_size):
            logits = model(X)
            loss = loss + F.cross_entropy(logits, y, reduction="sum")
            right = right + (logits.argmax(dim=1) == y).sum()
    return global_mean(loss, len(mine)), global_mean(right, len(mine))


def save(model: DistributedDataParallel, path: Path) -> None:
    # Why: copies are equal, so one file is enough; at the barrier, after the write, the others wait for it.
    if dist.get_rank() == 0:
        torch.save(model.module.state_dict(), path)
    dist.barrier()


def train_until(
    train_epoch: Callable[[], object], validate: Callable[[], tuple[Tensor, int]], epochs: int, patience: int
) -> int:
    # Why: whoever stops leaves the others waiting, so all must decide on the same number: the mean over all ranks.
    best, since = float("inf"), 0
    for epoch in range(1, epochs + 1):
        train_epoch()
        loss = global_mean(*validate())
        best, since = (loss, 0) if loss < best else (best, since + 1)
        if since == patience:
            return epoch
    return epochs
