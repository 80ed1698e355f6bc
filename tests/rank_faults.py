"""What learners do to ranks: bodies that go wrong, each in its own way, and a few that are right."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time

import numpy
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader

kept = []


def total(kata, rank):
    tensor = torch.tensor([1.0 + rank, -3.0 * rank])
    dist.all_reduce(tensor)
    return tensor


def trained(kata, rank):
    model = DistributedDataParallel(nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        model(torch.randn(5, 3)).square().mean().backward()
        optimizer.step()
    return [parameter.detach() for parameter in model.parameters()]


def drawn(kata, rank):
    mine = torch.rand(2)
    first = mine.clone()
    dist.broadcast(first, src=0)
    return torch.equal(mine, first)


def raises(kata, rank):
    if rank == 1:
        raise KeyError("learning rate")
    return total(kata, rank)


def raises_everywhere(kata, rank):
    raise ValueError(f"no batch for rank {rank}")


def raises_unpicklable(kata, rank):
    class Odd(Exception):
        def __init__(self, one, two):
            super().__init__(f"{one} and {two}")

    raise Odd(1, 2)


def raises_unreadable(kata, rank):
    class Number(Exception):
        def __reduce__(self):
            return int, (3,)

    raise Number("three")


def raises_unprintable(kata, rank):
    class Mute(Exception):
        def __str__(self):
            raise ValueError("no text")

    raise Mute


class Framed(Exception):
    frames = property(lambda self: 3)


def raises_with_frames(kata, rank):
    if rank == 1:
        raise Framed("a picture")
    return total(kata, rank)


def interrupts(kata, rank):
    if rank == 1:
        raise KeyboardInterrupt
    return total(kata, rank)


def unwritten(kata, rank):
    if rank == 1:
        raise NotImplementedError("unwritten")
    return total(kata, rank)


def returns_a_lambda(kata, rank):
    return lambda: rank


def exits(kata, rank):
    if rank == 1:
        sys.exit(3)
    return total(kata, rank)


def exits_at_once(kata, rank):
    if rank == 1:
        os._exit(0)
    return total(kata, rank)


def exits_everywhere(kata, rank):
    os._exit(7)


def segfaults(kata, rank):
    if rank == 1:
        ctypes.string_at(0)
    return total(kata, rank)


def is_killed(kata, rank):
    if rank == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return total(kata, rank)


def is_killed_without_a_name(kata, rank):
    if rank == 1:
        os.kill(os.getpid(), signal.SIGRTMIN + 6)
    return total(kata, rank)


def returns_in_a_child(kata, rank):
    if os.fork():
        os.wait()
        os._exit(7)
    return rank


def ends_early(kata, rank):
    return total(kata, rank) if rank == 0 else rank


def barrier_on_rank_0(kata, rank):
    if rank == 0:
        dist.barrier()
    return rank


def backward_on_rank_0(kata, rank):
    model = DistributedDataParallel(nn.Linear(2, 1))
    if rank == 0:
        model(torch.ones(1, 2)).sum().backward()
    return rank


def wraps_on_rank_0(kata, rank):
    if rank == 0:
        DistributedDataParallel(nn.Linear(2, 1))
    return rank


def one_more_step(kata, rank):
    for _ in range(2 + rank):
        value = total(kata, rank)
    return value


def other_order(kata, rank):
    tensor = torch.zeros(3)
    for collective in (dist.all_reduce, dist.barrier)[:: 1 if rank == 0 else -1]:
        collective(tensor) if collective is dist.all_reduce else collective()
    return tensor


def other_shape(kata, rank):
    tensor = torch.zeros(2 + rank)
    dist.all_reduce(tensor)
    return tensor


def other_dtype(kata, rank):
    tensor = torch.zeros(3, dtype=(torch.float32, torch.float64)[rank])
    dist.all_reduce(tensor)
    return tensor


def gathers_unequal_parts(kata, rank):
    parts = [torch.zeros(2), torch.zeros(2)]
    dist.all_gather(parts, torch.zeros(2 + rank))
    return parts


def gathers_objects(kata, rank):
    parts = [None, None]
    dist.all_gather_object(parts, torch.zeros(1 + rank) if rank else 7)
    return parts


def gathers_to_the_default(kata, rank):
    parts = [torch.zeros(1), torch.zeros(1)] if rank == 0 else None
    dist.gather(torch.tensor([5.0 + rank]), parts, **({"dst": 0} if rank == 0 else {}))
    return parts


def broadcasts_from_a_numpy_number(kata, rank):
    tensor = torch.tensor([5.0 + rank])
    dist.broadcast(tensor, src=numpy.int64(1))
    return tensor


def broadcasts_from_itself(kata, rank):
    tensor = torch.tensor([float(rank)])
    dist.broadcast(tensor, src=rank)
    return tensor


def loops(kata, rank):
    while rank == 1:
        pass
    return total(kata, rank)


def sleeps(kata, rank):
    if rank == 1:
        time.sleep(600)
    return total(kata, rank)


def receives_from_nobody(kata, rank):
    tensor = torch.zeros(1)
    dist.recv(tensor, src=1 - rank)
    return tensor


def waits_for_a_lock(kata, rank):
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()
    return rank


def ends_the_group(kata, rank):
    value = total(kata, rank)
    dist.destroy_process_group()
    return value


def begins_a_second_group(kata, rank):
    dist.init_process_group("gloo")


def leaves_a_thread(kata, rank):
    threading.Thread(target=time.sleep, args=(600,)).start()
    return total(kata, rank)


def leaves_a_child(kata, rank):
    if os.fork() == 0:
        time.sleep(600)
        os._exit(0)
    return total(kata, rank)


def loads_with_workers(kata, rank):
    return list(DataLoader(range(5), batch_size=3, num_workers=2))


def leaves_workers(kata, rank):
    loader = DataLoader(range(50), num_workers=2, persistent_workers=True)
    loader.kept = iter(loader)
    kept.append(loader)
    return next(loader.kept)


def has_no_output(kata, rank):
    sys.stdout = None
    threading.Thread(target=time.sleep, args=(600,)).start()
    return total(kata, rank)


def prints_much(kata, rank):
    print(f"loss {rank}\n" * 30_000)
    return total(kata, rank)


def ignores_the_alarm(kata, rank):
    signal.alarm(0)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        while True:
            time.sleep(1)
    except BaseException:
        ignores_the_alarm(kata, rank)


def wrong_device(kata, rank):
    return torch.zeros(2, device="cuda" if not torch.cuda.is_available() else "xpu")


def wrong_backend(kata, rank):
    return dist.new_group([0, 1], backend="nccl" if not torch.cuda.is_available() else "mpi")


def more_ranks_than_there_are(kata, rank):
    tensor = torch.zeros(1)
    dist.broadcast(tensor, src=2)
    return tensor
