"""Processes: who a rank is, what it computes with, and how ranks share numbers with each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest
from typing import TypeVar

import torch
import torch.distributed as dist
from torch import Tensor, nn

T = TypeVar("T")


def place(environ: Mapping[str, str]) -> tuple[int, int, int]:
    # Why: all three or none; a default for one that is missing would make every process rank 0 of its own.
    names = ("RANK", "LOCAL_RANK", "WORLD_SIZE")
    missing = [name for name in names if name not in environ]
    if len(missing) == 3:
        return 0, 0, 1
    if missing:
        raise ValueError(f"{missing[0]} is not set: start the script with torchrun")
    rank, local_rank, world_size = (int(environ[name]) for name in names)
    if not 0 <= rank < world_size:
        raise ValueError(f"RANK is {rank}, which is not one of 0 to {world_size - 1}")
    if not 0 <= local_rank < world_size:
        raise ValueError(f"LOCAL_RANK is {local_rank}, which is not one of 0 to {world_size - 1}")
    return rank, local_rank, world_size


def device_of(place: tuple[int, int, int], gpus: int) -> torch.device:
    # Why: each machine numbers its GPUs from 0, as the local rank counts; the rank goes on from machine to machine.
    _, local_rank, _ = place
    if gpus == 0:
        return torch.device("cpu")
    if local_rank >= gpus:
        raise ValueError(f"local rank {local_rank} has no GPU of its own: there are {gpus}")
    return torch.device("cuda", local_rank)


def seeded_model(build: Callable[[], nn.Module], seed: int, rank: int) -> nn.Module:
    # Why: what is drawn under the common seed is equal on all ranks, what is drawn under seed + rank differs.
    torch.manual_seed(seed)
    model = build()
    torch.manual_seed(seed + rank)
    return model


def stuck(calls: Sequence[Sequence[str]]) -> list[int]:
    # Why: a collective has no name by which ranks could find each other; only its place in the order makes them meet.
    for met in zip_longest(*calls):
        if len(set(met)) > 1:
            return [rank for rank, call in enumerate(met) if call is not None]
    return []


def mean_over_ranks(tensor: Tensor) -> Tensor:
    # Why: an all-reduce adds up in place, so it gets a copy; each rank then divides the same sum, and gets the same.
    total = tensor.detach().clone()
    dist.all_reduce(total)
    return total / dist.get_world_size()


def from_rank(tensor: Tensor, source: int) -> Tensor:
    # Why: all ranks call broadcast, one sends and the others receive into what they hand in: hand in a copy.
    copy = tensor.detach().clone()
    dist.broadcast(copy, src=source)
    return copy


def gather_parts(part: Tensor) -> Tensor:
    # Why: all_gather wants equal shapes; so tell the sizes first, fill up to the longest, and cut off what was filled.
    size = torch.tensor([len(part)], device=part.device)
    sizes = [torch.empty_like(size) for _ in range(dist.get_world_size())]
    dist.all_gather(sizes, size)
    filled = part.new_zeros(int(max(sizes)), part.shape[1])
    filled[: len(part)] = part
    parts = [torch.empty_like(filled) for _ in sizes]
    dist.all_gather(parts, filled)
    return torch.cat([rows[: int(n)] for rows, n in zip(parts, sizes, strict=True)])


def on_rank_zero(work: Callable[[], T]) -> T:
    # Why: the work is behind the `if`, the collective is not: every rank calls it, and there the others wait.
    result = [work() if dist.get_rank() == 0 else None]
    dist.broadcast_object_list(result, src=0)
    return result[0]
