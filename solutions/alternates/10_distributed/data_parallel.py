"""Other right answers to katas/10_distributed/data_parallel.py."""

import copy
from contextlib import ExitStack
from itertools import count

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.algorithms.join import Join
from torch.nn.parallel import DistributedDataParallel

from torchkatas.bank import right


@right(replaces="wrap")
def with_its_options(model):
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    if trained:
        where = trained[0].device
        ids = [where] if where.type == "cuda" else None
        return DistributedDataParallel(model, device_ids=ids, find_unused_parameters=True, bucket_cap_mb=1)
    return model


@right(replaces="wrap")
def wrap_or_not(model):
    frozen = not [name for name, parameter in model.named_parameters() if parameter.requires_grad]
    return model if frozen else DistributedDataParallel(model, gradient_as_bucket_view=True)


@right(replaces="labels")
def module_if_there_is_one(model, X):
    return getattr(model, "module", model).labels(X)


@right(replaces="labels")
def asks_first(model, X):
    if hasattr(model, "module"):
        model = model.module
    with torch.no_grad():
        return model.labels(X)


@right(replaces="new_head")
def frozen_one_by_one(model, classes):
    for parameter in model.parameters():
        parameter.requires_grad = False
    where = next(model.parameters()).device
    model.head = nn.Linear(model.head.weight.shape[1], classes).to(where)
    return wrap(model)  # noqa: F821


@right(replaces="new_head")
def frozen_afterwards(model, classes):
    model.add_module("head", nn.Linear(model.head.in_features, classes, bias=True).to(model.head.weight))
    for name, parameter in model.named_parameters():
        parameter.requires_grad_(name.startswith("head."))
    return DistributedDataParallel(model)


@right(replaces="fit")
def optimizer_before_the_wrapper(model, loss_fn, batches, lr):  # z34-opt-before-ddp: the parameters stay the same
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    ddp = DistributedDataParallel(model)
    for X, y in batches:
        loss = loss_fn(ddp(X), y)
        optimizer.zero_grad(set_to_none=False)
        loss.backward()
        optimizer.step()


@right(replaces="fit")
def without_an_optimizer(model, loss_fn, batches, lr):
    ddp = DistributedDataParallel(model, gradient_as_bucket_view=True)
    for X, y in batches:
        ddp.zero_grad()
        loss_fn(ddp(X), y).backward()
        with torch.no_grad():
            for parameter in ddp.parameters():
                parameter -= lr * parameter.grad


@right(replaces="fit")
def wrapped_for_each_batch(model, loss_fn, batches, lr):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    for X, y in batches:
        ddp = DistributedDataParallel(model)
        optimizer.zero_grad()
        loss_fn(ddp(X), y).backward()
        optimizer.step()


@right(replaces="broadcast_model")
def through_the_state_dict(model):
    for tensor in model.state_dict().values():
        dist.broadcast(tensor, 0)


@right(replaces="broadcast_model")
def as_one_object(model):
    sent = [{name: tensor.cpu() for name, tensor in model.state_dict().items()}]
    dist.broadcast_object_list(sent, src=0)
    model.load_state_dict(sent[0])


@right(replaces="broadcast_model")
def parameters_as_they_are(model):
    with torch.no_grad():
        for parameter in model.parameters():
            dist.broadcast(parameter, src=0)
    for buffer in model.buffers():
        received = buffer.clone()
        dist.broadcast(received, src=0)
        buffer.copy_(received)


@right(replaces="average_gradients")
def divided_before(model):
    for _, parameter in sorted(model.named_parameters()):
        if parameter.grad is None:
            continue
        mean = parameter.grad.detach() / dist.get_world_size()
        dist.all_reduce(mean, op=dist.ReduceOp.SUM)
        parameter.grad = mean


@right(replaces="average_gradients")
def all_in_one_row(model):
    gradients = [parameter.grad for parameter in model.parameters() if parameter.grad is not None]
    if gradients:
        row = torch.cat([gradient.flatten() for gradient in gradients])
        dist.all_reduce(row)
        row /= dist.get_world_size()
        parts = row.split([gradient.numel() for gradient in gradients])
        for gradient, part in zip(gradients, parts, strict=True):
            gradient.copy_(part.view_as(gradient))


@right(replaces="average_gradients")
def gathered(model):
    for parameter in model.parameters():
        if parameter.grad is not None:
            every = [torch.empty_like(parameter.grad) for _ in range(dist.get_world_size())]
            dist.all_gather(every, parameter.grad)
            parameter.grad.copy_(torch.stack(every).mean(dim=0))


@right(replaces="average_gradients")
def not_waiting_for_each(model):
    gradients = [parameter.grad for parameter in model.parameters() if parameter.grad is not None]
    for work in [dist.all_reduce(gradient, async_op=True) for gradient in gradients]:
        work.wait()
    for gradient in gradients:
        gradient.div_(dist.get_world_size())


@right(replaces="fit_by_hand")
def gradients_taken_apart(model, loss_fn, batches, lr):
    for tensor in model.state_dict().values():
        dist.broadcast(tensor, src=0)
    parameters = list(model.parameters())
    for X, y in batches:
        gradients = torch.autograd.grad(loss_fn(model(X), y) / dist.get_world_size(), parameters)
        for parameter, gradient in zip(parameters, gradients, strict=True):
            dist.all_reduce(gradient)
            parameter.data.sub_(lr * gradient)


@right(replaces="fit_by_hand")
def averaged_in_hooks(model, loss_fn, batches, lr):
    broadcast_model(model)  # noqa: F821
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)

    def average(gradient):
        gradient = gradient / dist.get_world_size()
        dist.all_reduce(gradient)
        return gradient

    with ExitStack() as stack:
        for parameter in model.parameters():
            stack.callback(parameter.register_hook(average).remove)
        for X, y in batches:
            optimizer.zero_grad()
            loss_fn(model(X), y).backward()
            optimizer.step()


@right(replaces="accumulated_step")
def last_one_apart(model, loss_fn, optimizer, batches):
    model.zero_grad()
    *others, (X, y) = batches
    with model.no_sync():
        for other, target in others:
            loss = loss_fn(model(other), target) / len(batches)
            loss.backward()
    (loss_fn(model(X), y) / len(batches)).backward()
    optimizer.step()


@right(replaces="accumulated_step")
def switched_by_its_flag(model, loss_fn, optimizer, batches):
    optimizer.zero_grad(set_to_none=False)
    for i, (X, y) in enumerate(batches):
        model.require_backward_grad_sync = i == len(batches) - 1
        loss_fn(model(X), y).backward()
    for parameter in model.parameters():
        parameter.grad /= len(batches)
    optimizer.step()


@right(replaces="uneven_step")
def weighed_means(model, losses, optimizer, X, y):
    counts = [None] * dist.get_world_size()
    dist.all_gather_object(counts, len(X))
    loss = losses(model(X), y)
    weight = len(counts) / sum(counts)
    optimizer.zero_grad()
    loss.backward(torch.full_like(loss, weight))
    optimizer.step()


@right(replaces="uneven_step")
def divided_by_the_mean_count(model, losses, optimizer, X, y):
    mean = torch.tensor([float(len(y))], device=X.device) / dist.get_world_size()
    dist.all_reduce(mean)
    optimizer.zero_grad()
    loss = losses(model(X), y).sum() / mean.item()
    loss.backward()
    optimizer.step()


@right(replaces="uneven_step")
def corrected_afterwards(model, losses, optimizer, X, y):
    optimizer.zero_grad()
    losses(model(X), y).sum().backward()
    total = torch.tensor(len(y), device=X.device)
    dist.all_reduce(total)
    for parameter in model.parameters():
        parameter.grad.mul_(dist.get_world_size() / total.item())
    optimizer.step()


@right(replaces="uneven_epoch")
def joined_as_a_context(model, loss_fn, optimizer, batches):
    with Join([model], divide_by_initial_world_size=False):
        for X, y in batches:
            loss = loss_fn(model(X), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


@right(replaces="uneven_epoch")
def goes_on_with_nothing(model, loss_fn, optimizer, batches):
    batches, first = iter(batches), None
    for _ in count():
        batch = next(batches, None)
        first = first or batch
        left = torch.tensor(float(batch is not None), device=first[0].device)
        dist.all_reduce(left)
        if not left:
            return
        X, y = batch or first
        weight = dist.get_world_size() / left if batch else 0.0
        optimizer.zero_grad()
        (loss_fn(model(X), y) * weight).backward()
        optimizer.step()


@right(replaces="uneven_epoch")
def goes_on_by_hand(model, loss_fn, optimizer, batches):
    batches = list(batches)
    counts = [None] * dist.get_world_size()
    dist.all_gather_object(counts, len(batches))
    bare = copy.copy(model.module)
    for i in range(max(counts)):
        bare.zero_grad()
        if i < len(batches):
            X, y = batches[i]
            loss_fn(bare(X), y).backward()
        for parameter in bare.parameters():
            gradient = torch.zeros_like(parameter) if parameter.grad is None else parameter.grad
            dist.all_reduce(gradient)
            parameter.grad = gradient / sum(n > i for n in counts)
        optimizer.step()


@right(replaces="wrap")
def asks_forgiveness(model):
    try:
        return DistributedDataParallel(model)
    except RuntimeError:
        return model


@right(replaces="fit_by_hand")
def batches_joined(model, loss_fn, batches, lr):
    def joined(tensor):
        parts = [torch.empty_like(tensor) for _ in range(dist.get_world_size())]
        dist.all_gather(parts, tensor)
        return torch.cat(parts)

    broadcast_model(model)  # noqa: F821
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    for X, y in batches:
        optimizer.zero_grad()
        loss_fn(model(joined(X)), joined(y)).backward()
        optimizer.step()


@right(replaces="accumulated_step")
def forward_passes_only(model, loss_fn, optimizer, batches):
    optimizer.zero_grad()
    for i, (X, y) in enumerate(batches, start=1):
        with ExitStack() as stack:
            if i < len(batches):
                stack.enter_context(model.no_sync())
            loss = loss_fn(model(X), y)
        (loss / len(batches)).backward()
    optimizer.step()
