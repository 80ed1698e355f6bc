"""Other right answers to katas/10_distributed/evaluation.py."""

import math
import os
from collections import OrderedDict

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Subset
from torch.utils.data.distributed import DistributedSampler

from torchkatas.bank import right


@right(replaces="bare_keys")
def torchs_own(state):
    state = dict(state)
    nn.modules.utils.consume_prefix_in_state_dict_if_present(state, "module.")
    return state


@right(replaces="bare_keys")
def sliced(state):
    prefix = "module."
    return OrderedDict((k[len(prefix) :] if k.startswith(prefix) else k, v) for k, v in state.items())


@right(replaces="bare_keys")
def replaced_once(state):
    if not all(key.startswith("module.") for key in state):
        return state
    return {key.replace("module.", "", 1): value for key, value in state.items()}


@right(replaces="global_mean")
def two_collectives(total, count):
    total, count = total.detach().clone(), torch.tensor(count, device=total.device)
    dist.all_reduce(total)
    dist.all_reduce(count)
    if not count:
        raise ValueError("the dataset is empty")
    return total.item() / count.item()


@right(replaces="global_mean")
def as_objects(total, count):
    every = [None] * dist.get_world_size()
    dist.all_gather_object(every, (total.item(), count))
    if sum(count for _, count in every) == 0:
        raise ValueError("empty")
    return sum(total for total, _ in every) / sum(count for _, count in every)


@right(replaces="global_mean")
def by_rank_0(total, count):
    sums = torch.stack([total, total.new_tensor(count)])
    dist.reduce(sums, dst=0)
    dist.broadcast(sums, src=0)
    total, count = sums.tolist()
    if not count:
        raise ValueError("empty")
    return total / count


@right(replaces="evaluate")
def blocks(model, dataset, batch_size):
    size = math.ceil(len(dataset) / dist.get_world_size())
    start = dist.get_rank() * size
    mine = range(start, min(start + size, len(dataset)))
    where = next(model.parameters()).device
    sums = torch.zeros(3, dtype=torch.float64, device=where)
    with torch.inference_mode():
        for i in range(0, len(mine), batch_size):
            X, y = (torch.stack(column) for column in zip(*(dataset[j] for j in mine[i : i + batch_size]), strict=True))
            logits = model(X)
            sums[0] += F.cross_entropy(logits, y) * len(y)
            sums[1] += (logits.softmax(dim=1).argmax(dim=1) == y).sum()
            sums[2] += len(y)
    dist.all_reduce(sums)
    return (sums[0] / sums[2]).item(), (sums[1] / sums[2]).item()


@right(replaces="evaluate")
def repeated_ones_left_out(model, dataset, batch_size):
    sampler = DistributedSampler(dataset, shuffle=False)
    places = iter(range(dist.get_rank(), sampler.total_size, dist.get_world_size()))
    loss = right = count = torch.zeros((), device=next(model.parameters()).device)
    for X, y in DataLoader(dataset, batch_size, sampler=sampler):
        real = torch.tensor([next(places) < len(dataset) for _ in y], device=y.device)
        logits = model(X).detach()
        loss = loss + F.cross_entropy(logits, y, reduction="none")[real].sum()
        right = right + ((logits.argmax(dim=1) == y) & real).sum()
        count = count + real.sum()
    sums = torch.stack([loss, right, count]).double()
    dist.all_reduce(sums)
    loss, right, count = sums.tolist()
    return loss / count, right / count


@right(replaces="evaluate")
def logits_gathered(model, dataset, batch_size):
    mine = list(range(len(dataset)))[dist.get_rank() :: dist.get_world_size()]
    pairs = []
    with torch.no_grad():
        for X, y in DataLoader(Subset(dataset, mine), batch_size=batch_size, shuffle=False):
            pairs += zip(model(X).cpu(), y.cpu(), strict=True)
    every = [None] * dist.get_world_size()
    dist.all_gather_object(every, pairs)
    logits, labels = (torch.stack(column) for column in zip(*(pair for part in every for pair in part), strict=True))
    return F.cross_entropy(logits, labels).item(), (logits.argmax(1) == labels).float().mean().item()


@right(replaces="save")
def through_a_temporary_file(model, path):
    if dist.get_rank() == 0:
        part = path.with_suffix(".part")
        torch.save(model.module.state_dict(), part)
        os.replace(part, path)
    dist.barrier()


@right(replaces="save")
def waits_for_a_word(model, path):
    state = {key: value.cpu() for key, value in model.module.state_dict().items()}
    if not dist.get_rank():
        with open(path, "wb") as file:
            torch.save(state, file)
    dist.broadcast_object_list(["written"], src=0)


@right(replaces="save")
def one_barrier_more(model, path):
    dist.barrier()
    if dist.get_rank() == 0:
        torch.save(bare_keys(model.state_dict()), path)  # noqa: F821
    done = torch.ones(1, device=next(model.parameters()).device)
    dist.all_reduce(done)
    done.item()


@right(replaces="train_until")
def history_kept(train_epoch, validate, epochs, patience):
    history = []
    while len(history) < epochs:
        train_epoch()
        history.append(global_mean(*validate()))  # noqa: F821
        if len(history) > patience and min(history[-patience:]) >= min(history[:-patience]):
            break
    return len(history)


@right(replaces="train_until")
def rank_0_tells(train_epoch, validate, epochs, patience):
    best, best_epoch = math.inf, 0
    for epoch in range(epochs):
        train_epoch()
        total, count = validate()
        sums = torch.stack([total, total.new_tensor(count)])
        dist.reduce(sums, dst=0)
        stop = [None]
        if dist.get_rank() == 0:
            loss = (sums[0] / sums[1]).item()
            if loss < best:
                best, best_epoch = loss, epoch
            stop = [epoch - best_epoch >= patience]
        dist.broadcast_object_list(stop, src=0)
        if stop[0]:
            return epoch + 1
    return epochs
