"""A whole train script. What it trains does not depend on how many ranks share the work:

    python katas/10_distributed/launch.py
    torchrun --standalone --nproc_per_node=2 katas/10_distributed/launch.py

The data, the model and the last lines are given; the four functions are yours.
"""

from __future__ import annotations

import sys

import torch
from torch import Tensor, nn
from torch.utils.data import Dataset, TensorDataset

BATCH = 4  # examples in a step, over all ranks
RATE = 0.1  # the learning rate


def _data() -> TensorDataset:
    """Ten examples of three numbers each; another script would read a file."""
    x = torch.arange(30.0).reshape(10, 3).sin()
    return TensorDataset(x, x @ torch.tensor([[2.0], [-1.0], [0.5]]) + 0.25)


def _model() -> nn.Module:
    """An untrained model."""
    return nn.Linear(3, 1)


def begin() -> tuple[int, int, torch.device]:
    """Join the process group if torchrun started this process, and say who this process is.

    torchrun sets RANK, WORLD_SIZE, MASTER_ADDR, MASTER_PORT and LOCAL_RANK, the rank among those of this machine, in
    the environment, and leaves the rest to you. Where RANK is set, a group is begun, also in a world of 1; where it is
    not, the script runs alone, and no group is begun.
    Returns the rank and the world size, 0 and 1 where it runs alone, and the device of this process: where CUDA is
    available the GPU whose index is the local rank, "cuda:0" where it runs alone, else the CPU. The group's collectives
    take tensors on that device: NCCL carries those on GPUs, gloo those on the CPU.

    >>> begin()[:2]
    (0, 1)
    """
    raise NotImplementedError("begin")


def end() -> None:
    """End this process's part in the process group, if there is a group; else do nothing.

    It waits for no other rank: one that failed never comes. Whoever calls it has let go of every model that was wrapped
    for the group.

    >>> end()
    """
    raise NotImplementedError("end")


def train(
    model: nn.Module,
    data: Dataset[tuple[Tensor, Tensor]],
    rank: int,
    world: int,
    device: torch.device,
    epochs: int,
) -> int:
    """Train the model on this rank's part of the data, so that all ranks do together what one does alone.

    model: on any device. It is trained itself, no copy of it, and is on the device afterwards. Ranks may come with
    unequal parameters: those of rank 0 count. Where the world is larger than 1, a group is up; else there may be none.
    After the return nothing holds a model that was wrapped for the group.
    data: gives pairs (x, y), and each epoch goes through it once, in an order of its own: that of torch's
    DistributedSampler as it comes, told of each epoch by its number, from 0.
    A step: the mean squared error of BATCH examples, BATCH / world on each rank (world divides BATCH; in the last step
    there may be fewer), and plain SGD with the learning rate RATE.
    epochs: less than 1: ValueError that says "epochs".
    Returns the number of examples that this rank trained on in all epochs: of N examples each of W ranks has N / W,
    rounded up, in each epoch.

    >>> model, data = nn.Linear(1, 1), TensorDataset(torch.ones(6, 1), torch.ones(6, 1))
    >>> train(model, data, rank=0, world=1, device=torch.device("cpu"), epochs=2)
    12
    """
    raise NotImplementedError("train")


def main(epochs: int = 3) -> None:
    """The script: begin, train a _model() on _data() for that many epochs, report, end.

    It is made of this module's own begin, train and end. Rank 0 alone prints, and one line only, of JSON: an object
    with the world size as "world", what train returned as "examples", and all parameters of the trained model, as one
    list of numbers in the order of model.parameters(), as "parameters".
    However it goes, the group is ended before main returns or raises; an error in training is raised on.

    >>> main(epochs=1)
    {"world": 1, "examples": 10, "parameters": [...]}
    """
    raise NotImplementedError("main")


if __name__ == "__main__":
    torch.manual_seed(0)
    main(*map(int, sys.argv[1:]))
