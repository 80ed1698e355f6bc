"""Other right answers to katas/03_autograd/accumulation.py."""

from itertools import accumulate

import torch
from torch import nn

from torchkatas.bank import right


@right(replaces="gradient_history")
def a_parameter(loss, w, rounds):
    p = nn.Parameter(w.detach())
    out = []
    for _ in range(rounds):
        loss(p).backward()
        out.append(p.grad.detach().clone())
    return out


@right(replaces="gradient_history")
def sums_of_single_gradients(loss, w, rounds):
    w = w.detach().requires_grad_()
    return list(accumulate(torch.autograd.grad(loss(w), w)[0] for _ in range(rounds)))


@right(replaces="gradient_history")
def stacked(loss, w, rounds):
    w = w.detach().clone().requires_grad_(True)
    out = torch.empty(rounds, *w.shape, dtype=w.dtype)
    for i in range(rounds):
        torch.autograd.backward(loss(w))
        out[i] = w.grad
    return list(out)


@right(replaces="clear")
def zeros_in_place(params):
    for p in params:
        if p.grad is not None:
            p.grad.zero_()


@right(replaces="clear")
def zeros_for_all(params):
    for p in params:
        p.grad = torch.zeros_like(p)


@right(replaces="clear")
def detached_zeros(params):
    for p in params:
        if p.grad is None:
            continue
        p.grad.detach_()
        p.grad.fill_(0)


@right(replaces="clear")
def deleted(params):
    for p in params:
        del p.grad


@right(replaces="fresh_gradients")
def cleared_after_the_forward(loss, params):
    value = loss()
    clear(params)  # noqa: F821 - the solution's
    value.backward()


@right(replaces="fresh_gradients")
def zeroed_then_backward(loss, params):
    for p in params:
        if p.grad is not None:
            p.grad.zero_()
    torch.autograd.backward(loss())


@right(replaces="fresh_gradients")
def put_in_by_hand(loss, params):
    for p, gradient in zip(params, torch.autograd.grad(loss(), params, allow_unused=True), strict=True):
        p.grad = gradient


@right(replaces="fresh_gradients")
def on_the_parameters_alone(loss, params):
    for p in params:
        p.grad = None
    loss().backward(inputs=list(params))


@right(replaces="backward_all")
def several_roots(losses):
    torch.autograd.backward(losses)


@right(replaces="backward_all")
def stacked_and_summed(losses):
    torch.stack(list(losses)).sum().backward()


@right(replaces="backward_all")
def one_walk_each(losses):
    for loss in losses:
        loss.backward(retain_graph=True)


@right(replaces="backward_all")
def a_running_total(losses):
    total = torch.zeros(())
    for loss in losses:
        total += loss
    total.backward()


@right(replaces="separate_gradients")
def restored(losses, w):
    kept = w.grad
    found = []
    for loss in losses:
        w.grad = None
        loss.backward(retain_graph=True)
        found.append(w.grad)
    w.grad = kept
    return found


@right(replaces="separate_gradients")
def freed_at_last(losses, w):
    last = len(losses) - 1
    return [torch.autograd.grad(loss, [w], retain_graph=i < last)[0] for i, loss in enumerate(losses)]


@right(replaces="separate_gradients")
def differences_of_running_sums(losses, w):
    kept = None if w.grad is None else w.grad.clone()
    w.grad = None
    before = torch.zeros_like(w)
    found = []
    for loss in losses:
        loss.backward(retain_graph=True)
        found.append(w.grad - before.detach())
        before = w.grad.clone()
    w.grad = kept
    return found
