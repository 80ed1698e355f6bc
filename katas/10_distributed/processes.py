"""Processes: who a rank is, what it computes with, and how ranks share numbers with each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import torch
import torch.distributed as dist  # noqa: F401 - for the collectives
from torch import Tensor, nn

T = TypeVar("T")


def place(environ: Mapping[str, str]) -> tuple[int, int, int]:
    """Who this process is: (rank, local rank, world size), as torchrun tells each process that it starts.

    environ: a process's environment variables. torchrun sets RANK (the number of this process among all), LOCAL_RANK
    (its number on this machine, from 0) and WORLD_SIZE (how many there are on all machines), besides others.
    With none of the three, the script was started alone, as `python train.py`: one process, rank 0 of 1.
    ValueError that names the variable: where one or two of the three are missing, the first that is; where RANK or
    LOCAL_RANK is not one of 0 to WORLD_SIZE - 1.

    >>> place({"RANK": "6", "LOCAL_RANK": "2", "WORLD_SIZE": "8", "MASTER_ADDR": "node0", "MASTER_PORT": "29500"})
    (6, 2, 8)
    """
    raise NotImplementedError("place")


def device_of(place: tuple[int, int, int], gpus: int) -> torch.device:
    """The device of one process: a GPU of its own, or the CPU where the machine has none.

    place: (rank, local rank, world size), as above. gpus: how many GPUs this machine has; they are cuda:0, cuda:1, ...
    Returns a torch.device, that of a GPU with its index. Processes on one machine differ in their local rank; those of
    two machines may have the same. No GPU has to be present for the question.
    ValueError that says "local": the machine has GPUs, but none that would be this process's own.

    >>> device_of((9, 1, 16), gpus=2), device_of((9, 1, 16), gpus=0)
    (device(type='cuda', index=1), device(type='cpu'))
    """
    raise NotImplementedError("device_of")


def seeded_model(build: Callable[[], nn.Module], seed: int, rank: int) -> nn.Module:
    """A model whose initial weights are equal on all ranks, and after it random numbers that differ by rank.

    build: makes the model; its weights come from torch's global random stream.
    The weights depend on the seed, not on the rank. What is drawn from the global stream after this call (dropout,
    noise, augmentation) depends on both, so that each rank draws its own. The same seed and rank give the same of both
    again. No group of processes is needed.

    >>> one, two = [seeded_model(lambda: nn.Linear(2, 1), seed=7, rank=rank).weight for rank in (0, 1)]
    >>> torch.equal(one, two)
    True
    """
    raise NotImplementedError("seeded_model")


def stuck(calls: Sequence[Sequence[str]]) -> list[int]:
    """Which ranks wait for ever, given the collectives that each is going to call.

    calls: for each rank the names of the collectives that it calls, in order; may be empty.
    A collective ends once all ranks are in it: the n-th call of a rank meets the n-th of each other rank. Where these
    are not all the same collective, or some rank makes no n-th call, whoever called waits for ever. A rank that has
    made all its calls has ended; it does not wait.
    Returns the numbers of the ranks that wait for ever, in ascending order.

    >>> stuck([["broadcast", "all_reduce"], ["broadcast"], ["broadcast", "all_reduce"]])
    [0, 2]
    """
    raise NotImplementedError("stuck")


def mean_over_ranks(tensor: Tensor) -> Tensor:
    """The mean of the tensors of all ranks, element by element, on every rank.

    Runs in every rank of a group, at the same time: torch.distributed is initialised already, and stays so. The same
    goes for the functions below.
    tensor: of the same shape, dtype and device on all ranks, contiguous. No gradient is to flow through it.
    Returns a tensor of its shape; of its dtype where it is floating-point, float32 where it holds integers.

    >>> mean_over_ranks(torch.tensor([1.0, 8.0]))  # doctest: +SKIP
    tensor([2., 6.])

    That is with two ranks, where the other one calls it with [3.0, 4.0], and gets the same.
    """
    raise NotImplementedError("mean_over_ranks")


def from_rank(tensor: Tensor, source: int) -> Tensor:
    """The tensor of one rank, on every rank.

    tensor: of the same shape, dtype and device on all ranks, contiguous; on each with numbers of its own.
    source: the rank whose tensor is wanted, the same number on all ranks.

    >>> from_rank(torch.tensor([5, 6]), source=1)  # doctest: +SKIP
    tensor([7, 8])

    That is on rank 0 of two, where rank 1 calls it with [7, 8], and gets the same.
    """
    raise NotImplementedError("from_rank")


def gather_parts(part: Tensor) -> Tensor:
    """The rows of all ranks in one tensor, on every rank: those of rank 0 first, then those of rank 1, and so on.

    part: (n, D). Each rank has an n of its own, which the others do not know; it may be 0. D, dtype and device are the
    same on all.
    Returns (sum of all n, D), of the same dtype and on the same device.

    >>> gather_parts(torch.tensor([[1, 2], [3, 4]]))  # doctest: +SKIP
    tensor([[1, 2],
            [3, 4],
            [5, 6]])

    That is on rank 0 of two, where rank 1 calls it with [[5, 6]], and gets the same.
    """
    raise NotImplementedError("gather_parts")


def on_rank_zero(work: Callable[[], T]) -> T:
    """The result of work(), which rank 0 alone does, once, while the others wait; every rank returns it.

    work: takes nothing; downloads, say, or counts, and returns what can be pickled: a number, a dict, None.

    >>> on_rank_zero(lambda: {"examples": 1797})  # doctest: +SKIP
    {'examples': 1797}
    """
    raise NotImplementedError("on_rank_zero")
