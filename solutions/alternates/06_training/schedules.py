"""Other right answers to katas/06_training/schedules.py."""

import copy
import functools
import math

import torch
from torch.optim.lr_scheduler import LambdaLR

from torchkatas.bank import right

# ---- warmup_cosine


@right(replaces="warmup_cosine")
def lower_of_ramp_and_cosine(step, warmup, total):
    if step < warmup:
        return min(1.0, (step + 1) / warmup)
    progress = min(1.0, (step - warmup) / max(1, total - warmup)) if step < total else 1.0
    return 0.5 * (1.0 + math.cos(progress * math.pi))


@right(replaces="warmup_cosine")
def by_half_the_angle(step, warmup, total):
    if step >= total:
        return 0.0
    return (step + 1) / warmup if step < warmup else math.cos(math.pi / 2 * (step - warmup) / (total - warmup)) ** 2


@right(replaces="warmup_cosine")
def by_torch(step, warmup, total):
    if step < warmup:
        return (step + 1) / warmup
    part = torch.tensor((min(step, total) - warmup) / (total - warmup) if step < total else 1.0, dtype=torch.float64)
    return ((1 + torch.cos(torch.pi * part)) / 2).item()


# ---- warmup_cosine_scheduler


@right(replaces="warmup_cosine_scheduler")
def by_partial(optimizer, warmup, total):
    return LambdaLR(optimizer, lr_lambda=functools.partial(warmup_cosine, warmup=warmup, total=total))  # noqa: F821


@right(replaces="warmup_cosine_scheduler")
def one_function_for_each_group(optimizer, warmup, total):
    def factor(step):
        return warmup_cosine(step, warmup, total)  # noqa: F821

    return LambdaLR(optimizer, [factor for _ in optimizer.param_groups])


@right(replaces="warmup_cosine_scheduler")
def from_a_table(optimizer, warmup, total):
    factors = [warmup_cosine(step, warmup, total) for step in range(total + 1)]  # noqa: F821
    return LambdaLR(optimizer, lambda step: factors[min(step, total)])


# ---- train_by_batch


@right(replaces="train_by_batch")
def rate_from_the_scheduler(model, loss_fn, optimizer, scheduler, loader, epochs):
    rates = []
    for _ in range(epochs):
        for X, y in loader:
            rates += scheduler.get_last_lr()
            loss = loss_fn(model(X), y)
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            scheduler.step()
    return rates


@right(replaces="train_by_batch")
def read_between_the_steps(model, loss_fn, optimizer, scheduler, loader, epochs):
    rates = []
    for _ in range(epochs):
        for X, y in loader:
            model.zero_grad()
            loss_fn(model(X), y).backward()
            optimizer.step()
            rates.append(optimizer.param_groups[0]["lr"])
            scheduler.step()
    return rates


@right(replaces="train_by_batch")
def in_train_mode_by_itself(model, loss_fn, optimizer, scheduler, loader, epochs):
    rates = []
    for _ in range(epochs):
        model.train()
        for batch in loader:
            loss = loss_fn(model(batch[0]), batch[1])
            optimizer.zero_grad()
            loss.backward()
            rates.append(float(optimizer.param_groups[-1]["lr"]))
            optimizer.step()
            scheduler.step()
    return rates


# ---- train_by_epoch


@right(replaces="train_by_epoch")
def read_after_the_batches(model, loss_fn, optimizer, scheduler, loader, epochs):
    rates = []
    for _ in range(epochs):
        for X, y in loader:
            optimizer.zero_grad(set_to_none=False)
            loss = loss_fn(model(X), y)
            loss.backward()
            optimizer.step()
        rates.append(scheduler.get_last_lr()[0])
        scheduler.step()
    return rates


# ---- snapshot


@right(replaces="snapshot")
def by_deepcopy(model):
    return copy.deepcopy(model.state_dict())


@right(replaces="snapshot")
def of_a_deepcopy(model):
    return copy.deepcopy(model).state_dict()


@right(replaces="snapshot")
def parameters_and_buffers(model):
    with torch.no_grad():
        return {name: t.clone() for name, t in [*model.named_parameters(), *model.named_buffers()]}


# ---- early_stopping


@right(replaces="early_stopping")
def over_range_with_break(model, train_epoch, validate, patience, max_epochs):
    modes = {name: module.training for name, module in model.named_modules()}
    best_loss, best_epoch, best_state, losses = float("inf"), -1, None, []
    for epoch in range(max_epochs):
        train_epoch()
        loss = validate()
        losses.append(loss)
        if loss < best_loss:
            best_loss, best_epoch, best_state = loss, epoch, copy.deepcopy(model.state_dict())
        if epoch - best_epoch >= patience:
            break
    if best_state is not None:
        model.load_state_dict(best_state)
    for name, module in model.named_modules():
        module.training = modes[name]
    return losses


@right(replaces="early_stopping")
def lowest_of_those_that_are_numbers(model, train_epoch, validate, patience, max_epochs):
    modes = {module: module.training for module in model.modules()}
    losses, best = [], None
    for epoch in range(max_epochs):
        train_epoch()
        losses.append(validate())
        before = [loss for loss in losses[:-1] if not math.isnan(loss)]
        if not math.isnan(losses[-1]) and (not before or losses[-1] < min(before)):
            best = epoch, snapshot(model)  # noqa: F821
        if epoch - (best[0] if best else -1) >= patience:
            break
    if best:
        model.load_state_dict(best[1])
    for module, training in modes.items():
        module.training = training
    return losses


@right(replaces="early_stopping")
def by_a_copy_of_the_model(model, train_epoch, validate, patience, max_epochs):
    was = [module.training for module in model.modules()]
    best, best_loss, misses, losses = copy.deepcopy(model), None, 0, []
    try:
        while len(losses) < max_epochs and misses < patience:
            train_epoch()
            loss = validate()
            losses.append(loss)
            if loss == loss and (best_loss is None or loss < best_loss):
                best, best_loss, misses = copy.deepcopy(model), loss, 0
            else:
                misses += 1
    finally:
        with torch.no_grad():
            for mine, theirs in zip(model.state_dict().values(), best.state_dict().values(), strict=True):
                mine.copy_(theirs)
        for module, training in zip(model.modules(), was, strict=True):
            module.training = training
    return losses
