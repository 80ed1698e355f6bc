"""Other right answers to katas/06_training/accumulation.py."""

import torch
from torch import nn

from torchkatas.bank import right

# ---- accumulate


@right(replaces="accumulate")
def weighted_by_examples(model, loss_fn, batches):
    total = sum(len(X) for X, _ in batches)
    for p in model.parameters():
        if p.grad is not None:
            p.grad.zero_()
    for X, y in batches:
        loss = loss_fn(model(X), y)
        (loss * len(X) / total).backward()


@right(replaces="accumulate")
def sum_divided_in_the_end(model, loss_fn, batches):
    model.zero_grad(set_to_none=False)
    for X, y in batches:
        loss_fn(model(X), y).backward()
    with torch.no_grad():
        for p in model.parameters():
            p.grad /= len(batches)


@right(replaces="accumulate")
def by_autograd_grad(model, loss_fn, batches):
    params = list(model.parameters())
    sums = [torch.zeros_like(p) for p in params]
    for X, y in batches:
        for total, slope in zip(sums, torch.autograd.grad(loss_fn(model(X), y), params), strict=True):
            total += slope / len(batches)
    for p, total in zip(params, sums, strict=True):
        p.grad = total


@right(replaces="accumulate")
def divided_gradient_handed_to_backward(model, loss_fn, batches):
    for p in model.parameters():
        p.grad = None
    for X, y in batches:
        loss = loss_fn(model(X), y)
        loss.backward(torch.full_like(loss, 1 / len(batches)))


# ---- accumulated_step


@right(replaces="accumulated_step")
def sums_divided_before_the_step(model, loss_fn, optimizer, batches):
    optimizer.zero_grad(set_to_none=False)
    seen, loss_sum = 0, 0.0
    for X, y in batches:
        loss = loss_fn(model(X), y) * len(X)
        loss.backward()
        seen += len(X)
        loss_sum += loss.detach()
    for p in model.parameters():
        p.grad.div_(seen)
    optimizer.step()
    return float(loss_sum / seen)


@right(replaces="accumulated_step")
def cleared_on_both_ends(model, loss_fn, optimizer, batches):
    sizes = [y.shape[0] for _, y in batches]
    model.zero_grad()
    losses = []
    for (X, y), size in zip(batches, sizes, strict=True):
        loss = loss_fn(model(X), y)
        (loss * size / sum(sizes)).backward()
        losses.append(loss.item() * size)
    optimizer.step()
    optimizer.zero_grad()
    return sum(losses) / sum(sizes)


@right(replaces="accumulated_step")
def shares_as_a_tensor(model, loss_fn, optimizer, batches):
    model.train()
    sizes = torch.tensor([float(len(y)) for _, y in batches])
    optimizer.zero_grad()
    total = torch.zeros(())
    for (X, y), share in zip(batches, sizes / sizes.sum(), strict=True):
        loss = share * loss_fn(model(X), y)
        loss.backward()
        total += loss.detach()
    optimizer.step()
    return total.item()


# ---- accumulated_epoch


@right(replaces="accumulated_epoch")
def step_when_the_group_is_full(model, loss_fn, optimizer, loader, k):
    losses, group = [], []
    for batch in loader:
        group.append(batch)
        if len(group) == k:
            losses.append(accumulated_step(model, loss_fn, optimizer, group))  # noqa: F821
            group = []
    if group:
        losses.append(accumulated_step(model, loss_fn, optimizer, group))  # noqa: F821
    return losses


@right(replaces="accumulated_epoch")
def divided_when_the_group_ends(model, loss_fn, optimizer, loader, k):
    losses, seen, total = [], 0, 0.0
    optimizer.zero_grad()
    for i, (X, y) in enumerate(loader, start=1):
        loss = loss_fn(model(X), y) * len(y)
        loss.backward()
        seen, total = seen + len(y), total + loss.item()
        if i % k == 0 or i == len(loader):
            for p in model.parameters():
                p.grad /= seen
            optimizer.step()
            optimizer.zero_grad()
            losses.append(total / seen)
            seen, total = 0, 0.0
    return losses


@right(replaces="accumulated_epoch")
def over_a_list(model, loss_fn, optimizer, loader, k):
    batches = list(loader)
    return [accumulated_step(model, loss_fn, optimizer, batches[i : i + k]) for i in range(0, len(batches), k)]  # noqa: F821


# ---- clip


@right(replaces="clip")
def by_hand(params, max_norm):
    gradients = [p.grad for p in params if p.grad is not None]
    norm = torch.cat([g.flatten() for g in gradients]).norm().item()
    if norm > max_norm:
        for g in gradients:
            g.mul_(max_norm / norm)
    return norm


@right(replaces="clip")
def norm_of_norms(params, max_norm):
    params = [p for p in params if p.grad is not None]
    norm = torch.stack([p.grad.norm() for p in params]).norm()
    factor = (max_norm / norm).clamp(max=1.0)
    for p in params:
        p.grad = p.grad * factor
    return float(norm)


@right(replaces="clip")
def root_of_the_sum_of_squares(params, max_norm):
    params = list(params)
    norm = sum((p.grad**2).sum().item() for p in params if p.grad is not None) ** 0.5
    for p in params:
        if p.grad is not None:
            p.grad *= min(1.0, max_norm / (norm + 1e-6))
    return norm


# ---- clipped_step


@right(replaces="clipped_step")
def by_the_built_in(model, loss_fn, optimizer, batches, max_norm):
    n = sum(len(X) for X, _ in batches)
    for p in model.parameters():
        p.grad = None
    for X, y in batches:
        (len(X) / n * loss_fn(model(X), y)).backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    optimizer.zero_grad()
    return float(norm)
