"""Other right answers to katas/10_distributed/processes.py."""

import random

import numpy as np
import torch
import torch.distributed as dist

from torchkatas.bank import right


@right(replaces="place")
def by_get(environ):
    names = ["RANK", "LOCAL_RANK", "WORLD_SIZE"]
    texts = [environ.get(name) for name in names]
    if texts == [None] * 3:
        return (0, 0, 1)
    for name, text in zip(names, texts, strict=True):
        if text is None:
            raise ValueError(f"environment variable {name} expected, but not set")
    rank, local_rank, world_size = map(int, texts)
    for name, number in (("RANK", rank), ("LOCAL_RANK", local_rank)):
        if number not in range(world_size):
            raise ValueError(f"{name}={number}, WORLD_SIZE={world_size}")
    return rank, local_rank, world_size


@right(replaces="place")
def by_key_error(environ):
    if not {"RANK", "LOCAL_RANK", "WORLD_SIZE"} & environ.keys():
        return 0, 0, 1
    try:
        found = int(environ["RANK"]), int(environ["LOCAL_RANK"]), int(environ["WORLD_SIZE"])
    except KeyError as error:
        raise ValueError(f"{error.args[0]} is missing") from error
    if found[0] < 0 or found[0] >= found[2]:
        raise ValueError("no such RANK")
    if found[1] < 0 or found[1] > found[0]:
        raise ValueError("no such LOCAL_RANK")
    return found


@right(replaces="device_of")
def by_text(place, gpus):
    if not gpus:
        return torch.device("cpu")
    if place[1] not in range(gpus):
        raise ValueError(f"no GPU for local rank {place[1]}")
    return torch.device(f"cuda:{place[1]}")


@right(replaces="device_of")
def from_a_list(place, gpus):
    devices = [torch.device("cuda", i) for i in range(gpus)] or [torch.device("cpu")] * place[2]
    try:
        return devices[place[1]]
    except IndexError:
        raise ValueError("more local ranks than GPUs") from None


@right(replaces="seeded_model")
def all_libraries(build, seed, rank):
    def seed_all(number):
        for library in (torch.manual_seed, np.random.seed, random.seed):
            library(number)

    seed_all(seed)
    model = build()
    seed_all(10_000 * seed + rank)
    return model


@right(replaces="seeded_model")
def weights_apart(build, seed, rank):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = build()
    torch.manual_seed(seed + rank + 1)
    return model


@right(replaces="stuck")
def by_positions(calls):
    for i in range(max(map(len, calls))):
        waiting = [rank for rank, names in enumerate(calls) if len(names) > i]
        if len(waiting) < len(calls) or any(names[i] != calls[0][i] for names in calls):
            return waiting
    return []


@right(replaces="stuck")
def by_popping(calls):
    left = [list(names) for names in calls]
    while all(left) and len({names[0] for names in left}) == 1:
        left = [names[1:] for names in left]
    return [rank for rank in range(len(left)) if left[rank]]


@right(replaces="mean_over_ranks")
def divided_first(tensor):
    share = tensor.detach() / dist.get_world_size()
    dist.all_reduce(share, op=dist.ReduceOp.SUM)
    return share


@right(replaces="mean_over_ranks")
def by_all_gather(tensor):
    tensors = [torch.empty_like(tensor) for _ in range(dist.get_world_size())]
    dist.all_gather(tensors, tensor)
    return torch.stack(tensors).to(tensor.dtype if tensor.is_floating_point() else torch.float32).mean(dim=0)


@right(replaces="mean_over_ranks")
def in_place_of_a_copy(tensor):
    mean = tensor.clone() if tensor.is_floating_point() else tensor.float()
    dist.all_reduce(mean)
    return mean.div_(dist.get_world_size())


@right(replaces="from_rank")
def gathered_and_chosen(tensor, source):
    tensors = [torch.zeros_like(tensor) for _ in range(dist.get_world_size())]
    dist.all_gather(tensors, tensor)
    return tensors[source]


@right(replaces="from_rank")
def received_into_empty(tensor, source):
    box = tensor if dist.get_rank() == source else torch.empty_like(tensor)
    dist.broadcast(box, source)
    return box


@right(replaces="from_rank")
def zeros_but_for_the_source(tensor, source):
    box = tensor.clone() if dist.get_rank() == source else torch.zeros_like(tensor)
    dist.all_reduce(box)
    return box


@right(replaces="gather_parts")
def by_objects(part):
    parts = [None] * dist.get_world_size()
    dist.all_gather_object(parts, part)
    return torch.cat([rows.to(part.device) for rows in parts])


@right(replaces="gather_parts")
def sizes_by_objects(part):
    sizes = [None] * dist.get_world_size()
    dist.all_gather_object(sizes, len(part))
    filled = torch.cat([part, part.new_empty(max(sizes) - len(part), part.shape[1])])
    parts = [torch.empty_like(filled) for _ in sizes]
    dist.all_gather(parts, filled)
    return torch.cat([rows[:n] for rows, n in zip(parts, sizes, strict=True)])


@right(replaces="gather_parts")
def a_broadcast_from_each(part):
    rows = []
    for rank in range(dist.get_world_size()):
        size = torch.tensor(len(part), device=part.device)
        dist.broadcast(size, rank)
        box = part.clone() if dist.get_rank() == rank else part.new_empty(int(size), part.shape[1])
        dist.broadcast(box, rank)
        rows.append(box)
    return torch.cat(rows)


@right(replaces="on_rank_zero")
def by_all_gather_object(work):
    result = work() if dist.get_rank() == 0 else None
    results = [None for _ in range(dist.get_world_size())]
    dist.all_gather_object(results, result)
    return results[0]


@right(replaces="on_rank_zero")
def by_branches(work):
    dist.barrier()
    if dist.get_rank() == 0:
        box = [work()]
        dist.broadcast_object_list(box)
    else:
        box = [None]
        dist.broadcast_object_list(box)
    dist.barrier()
    return box.pop()


@right(replaces="from_rank")
def from_one_to_each(tensor, source):
    if dist.get_rank() != source:
        tensor = torch.empty_like(tensor)
        dist.recv(tensor, src=source)
        return tensor
    for rank in range(dist.get_world_size()):
        if rank != source:
            dist.send(tensor, dst=rank)
    return tensor.clone()


@right(replaces="gather_parts")
def added_into_zeros(part):
    sizes = [None] * dist.get_world_size()
    dist.all_gather_object(sizes, len(part))
    start = sum(sizes[: dist.get_rank()])
    rows = part.new_zeros(sum(sizes), part.shape[1])
    rows[start : start + len(part)] = part
    dist.all_reduce(rows)
    return rows


@right(replaces="on_rank_zero")
def by_scatter(work):
    result = [None]
    dist.scatter_object_list(result, [work()] * dist.get_world_size() if dist.get_rank() == 0 else None, src=0)
    return result[0]
