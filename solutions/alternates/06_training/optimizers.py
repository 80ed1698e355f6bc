"""Other right answers to katas/06_training/optimizers.py."""

import torch
from torch import nn

from torchkatas.bank import right


@right(replaces="sgd_step")
@torch.no_grad()
def fused_sgd(params, lr, weight_decay=0.0):
    for p in params:
        if p.grad is not None:
            p.add_(p.grad.add(p, alpha=weight_decay), alpha=-lr)


@right(replaces="sgd_step")
def sgd_on_data(params, lr, weight_decay=0.0):
    for p in params:
        if p.grad is None:
            continue
        p.data = p.data - lr * p.grad - lr * weight_decay * p.data


@right(replaces="sgd_step")
def sgd_shrinks_first(params, lr, weight_decay=0.0):
    with torch.no_grad():
        for p in (p for p in params if p.grad is not None):
            p.mul_(1 - lr * weight_decay).sub_(lr * p.grad)


@right(replaces="momentum_step")
def begins_with_a_copy(params, state, lr, momentum, weight_decay=0.0):
    with torch.no_grad():
        for i, p in enumerate(params):
            if p.grad is None:
                continue
            slope = p.grad.add(p, alpha=weight_decay)
            if i in state:
                state[i].mul_(momentum).add_(slope)
            else:
                state[i] = slope.clone()
            p -= lr * state[i]


@right(replaces="momentum_step")
def velocity_by_place(params, state, lr, momentum, weight_decay=0.0):
    for i, p in enumerate(params):
        if p.grad is not None:
            slope = p.grad.clone() if weight_decay == 0 else p.grad + weight_decay * p.detach()
            state[i] = momentum * state[i] + slope if i in state else slope
            p.data -= lr * state[i]


@right(replaces="momentum_step")
@torch.no_grad()
def velocities_in_a_list(params, state, lr, momentum, weight_decay=0.0):
    velocities = state.setdefault("velocities", [torch.zeros_like(p) for p in params])
    for p, velocity in zip(params, velocities, strict=True):
        if p.grad is None:
            continue
        velocity *= momentum
        velocity += p.grad
        velocity += weight_decay * p
        p.sub_(velocity, alpha=lr)


@right(replaces="momentum_step")
@torch.no_grad()
def velocity_by_id(params, state, lr, momentum, weight_decay=0.0):
    for p in params:
        if p.grad is not None:
            state[id(p)] = state.get(id(p), 0.0) * momentum + (p.grad + weight_decay * p)
            p.copy_(p - lr * state[id(p)])


@right(replaces="adam_step")
@torch.no_grad()
def adam_as_torch_has_it(params, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    beta1, beta2 = betas
    for i, p in enumerate(params):
        if p.grad is None:
            continue
        if i not in state:
            state[i] = {"t": 0, "m": torch.zeros_like(p), "v": torch.zeros_like(p)}
        s = state[i]
        s["t"] += 1
        s["m"].lerp_(p.grad, 1 - beta1)
        s["v"].mul_(beta2).addcmul_(p.grad, p.grad, value=1 - beta2)
        root = s["v"].sqrt() / (1 - beta2 ** s["t"]) ** 0.5
        p.addcdiv_(s["m"], root.add_(eps), value=-lr / (1 - beta1 ** s["t"]))


@right(replaces="adam_step")
def adam_on_data(params, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    for p in params:
        if p.grad is not None:
            t = state["t", p] = state.get(("t", p), 0) + 1
            m = state["m", p] = betas[0] * state.get(("m", p), 0.0) + (1 - betas[0]) * p.grad
            v = state["v", p] = betas[1] * state.get(("v", p), 0.0) + (1 - betas[1]) * p.grad * p.grad
            p.data.sub_(lr * m / (1 - betas[0] ** t) / (torch.sqrt(v / (1 - betas[1] ** t)) + eps))


@right(replaces="adam_step")
def adam_with_beta_products(params, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    with torch.no_grad():
        for i, p in enumerate(params):
            if p.grad is None:
                continue
            m, v, left1, left2 = state.get(i, (torch.zeros_like(p), torch.zeros_like(p), 1.0, 1.0))
            m, v = m + (1 - betas[0]) * (p.grad - m), v + (1 - betas[1]) * (p.grad.pow(2) - v)
            left1, left2 = left1 * betas[0], left2 * betas[1]
            state[i] = m, v, left1, left2
            p -= lr * (m / (1 - left1)) / ((v / (1 - left2)) ** 0.5 + eps)


@right(replaces="fine_tune_head")
def modes_untouched(model, classes, lr):
    for p in model.parameters():
        p.requires_grad_(False)
    model.add_module("head", nn.Linear(model.head.in_features, classes))
    model.train()
    return torch.optim.SGD(list(model.head.parameters()), lr=lr)


@right(replaces="fine_tune_head")
def filtered(model, classes, lr):
    for p in model.parameters():
        p.requires_grad = False
    model.head = nn.Linear(in_features=model.head.in_features, out_features=classes, bias=True)
    return torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr)


@right(replaces="fine_tune_head")
def head_first(model, classes, lr):
    setattr(model, "head", nn.Linear(model.head.weight.shape[1], classes))  # noqa: B010
    for name, p in model.named_parameters():
        p.requires_grad_(name.startswith("head."))
    return torch.optim.SGD([{"params": model.head.parameters()}], lr=lr)


# r08-optimizer-before-to: Module.to keeps the Parameter objects, and the optimizer still holds them
@right(replaces="fine_tune_head")
def moved_afterwards(model, classes, lr):
    model.requires_grad_(False)
    model.head = nn.Linear(model.head.in_features, classes)
    optimizer = torch.optim.SGD(model.head.parameters(), lr=lr)
    model.to("cpu", torch.float64).to(torch.float32)
    return optimizer
