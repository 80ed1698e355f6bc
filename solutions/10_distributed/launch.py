"""A whole train script."""

from __future__ import annotations

import json
import os
import sys

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, Dataset, DistributedSampler, TensorDataset

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
    # Why: RANK is there only if torchrun set it, and with it all that init_process_group needs to find the others.
    gpu = torch.cuda.is_available()
    device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", 0))) if gpu else torch.device("cpu")
    if "RANK" not in os.environ:
        return 0, 1, device
    if gpu:
        torch.cuda.set_device(device)
    dist.init_process_group("nccl" if gpu else "gloo")
    return dist.get_rank(), dist.get_world_size(), device


def end() -> None:
    # Why: the group itself says whether it is up; a barrier here would wait for a rank that has failed.
    if dist.is_initialized():
        dist.destroy_process_group()


def train(
    model: nn.Module,
    data: Dataset[tuple[Tensor, Tensor]],
    rank: int,
    world: int,
    device: torch.device,
    epochs: int,
) -> int:
    # Why: equal parts of a joined batch, averaged by DDP, give its gradient; the wrapper is a local, and goes with it.
    if epochs < 1:
        raise ValueError(f"epochs is {epochs}, and must be at least 1")
    model.to(device)
    ddp = DistributedDataParallel(model) if world > 1 else model
    optimizer = torch.optim.SGD(model.parameters(), lr=RATE)
    sampler = DistributedSampler(data, num_replicas=world, rank=rank)
    examples = 0
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        for x, y in DataLoader(data, batch_size=BATCH // world, sampler=sampler):
            loss = nn.functional.mse_loss(ddp(x.to(device)), y.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            examples += len(x)
    return examples


def main(epochs: int = 3) -> None:
    # Why: finally runs whether training ends or raises, so that no rank is left in a group that another has given up.
    rank, world, device = begin()
    try:
        model = _model()
        examples = train(model, _data(), rank, world, device, epochs)
        if rank == 0:
            parameters = [number for parameter in model.parameters() for number in parameter.flatten().tolist()]
            print(json.dumps({"world": world, "examples": examples, "parameters": parameters}))
    finally:
        end()


if __name__ == "__main__":
    torch.manual_seed(0)
    main(*map(int, sys.argv[1:]))
