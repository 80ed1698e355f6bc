"""Other right answers to katas/10_distributed/launch.py."""
# ruff: noqa: F821 - BATCH, RATE, _data, _model and the other functions are the solution's

import json
import math
import os
from contextlib import ExitStack

import torch
import torch.distributed as dist
from torch.distributed.elastic.multiprocessing.errors import record
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler

from torchkatas.bank import right


@right(replaces="begin")
def asks_torch():
    rank, world, local = 0, 1, 0
    if dist.is_torchelastic_launched():
        rank, world, local = (int(os.environ[name]) for name in ("RANK", "WORLD_SIZE", "LOCAL_RANK"))
    device = torch.device(f"cuda:{local}" if torch.cuda.is_available() else "cpu")
    if dist.is_torchelastic_launched():
        backend = "nccl" if device.type == "cuda" else "gloo"
        dist.init_process_group(backend, init_method="env://", rank=rank, world_size=world)
    return rank, world, device


@right(replaces="begin")
def two_backends():
    rank, world, local = (
        int(os.environ.get(name, n)) for name, n in (("RANK", 0), ("WORLD_SIZE", 1), ("LOCAL_RANK", 0))
    )
    if torch.cuda.is_available():
        torch.cuda.set_device(local)
    if os.environ.get("RANK") is not None:
        dist.init_process_group(backend="cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "cpu:gloo")
    return rank, world, torch.device(f"cuda:{local}") if torch.cuda.is_available() else torch.device("cpu")


@right(replaces="end")
def by_the_default_group():
    if dist.is_available() and dist.group.WORLD is not None:
        dist.destroy_process_group(dist.group.WORLD)


@right(replaces="end")
def returns_early():
    if not dist.is_initialized():
        return
    dist.destroy_process_group()


@right(replaces="train")
def by_a_wrapper_of_all(model, data, rank, world, device, epochs):
    if epochs <= 0:
        raise ValueError("the number of epochs must be positive")
    sampler = DistributedSampler(data, world, rank, shuffle=True, seed=0)
    loader = DataLoader(data, BATCH // world, sampler=sampler)
    model = model.to(device)
    optimizer = torch.optim.SGD(model.parameters(), RATE)
    if dist.is_initialized():
        ids = [device.index] if device.type == "cuda" else None
        model = DistributedDataParallel(model, device_ids=ids, gradient_as_bucket_view=True)
    model.train()
    for epoch in range(epochs):
        loader.sampler.set_epoch(epoch)
        for x, y in loader:
            loss = (model(x.to(device)) - y.to(device)).square().mean()
            loss.backward()
            optimizer.step()
            optimizer.zero_grad(set_to_none=False)
    return epochs * len(sampler)


@right(replaces="train")
def by_hand(model, data, rank, world, device, epochs):
    if epochs < 1:
        raise ValueError(f"epochs={epochs}")
    model.to(device)
    parameters = list(model.parameters())
    if world > 1:
        for parameter in parameters:
            dist.broadcast(parameter.data, src=0)
    seen = 0
    for epoch in range(epochs):
        order = torch.randperm(len(data), generator=torch.Generator().manual_seed(epoch)).tolist()
        each = math.ceil(len(order) / world)
        mine = (order * (each * world))[: each * world][rank::world]
        for start in range(0, each, BATCH // world):
            x, y = zip(*(data[i] for i in mine[start : start + BATCH // world]), strict=True)
            loss = torch.nn.MSELoss()(model(torch.stack(x).to(device)), torch.stack(y).to(device))
            for parameter, slope in zip(parameters, torch.autograd.grad(loss, parameters), strict=True):
                if world > 1:
                    dist.all_reduce(slope)
                parameter.data.sub_(slope, alpha=RATE / world)
            seen += len(x)
    return seen


@right(replaces="main")
def reports_after_the_end(epochs=3):
    rank, world, device = begin()
    try:
        model = _model()
        examples = train(model, _data(), rank=rank, world=world, device=device, epochs=epochs)
    finally:
        end()
    if not rank:
        parameters = torch.nn.utils.parameters_to_vector(model.parameters())
        print(json.dumps({"parameters": parameters.tolist(), "examples": examples, "world": world}), flush=True)


@right(replaces="main")
@record
def on_a_stack(epochs: int = 3) -> None:
    with ExitStack() as stack:
        stack.callback(end)
        rank, world, device = begin()
        data, model = _data(), _model()
        report = {"world": world, "examples": train(model, data, rank, world, device, epochs)}
        if rank == 0:
            report["parameters"] = [n for p in model.parameters() for n in p.detach().cpu().numpy().ravel().tolist()]
            print(json.dumps(report))
