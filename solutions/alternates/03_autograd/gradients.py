"""Other right answers to katas/03_autograd/gradients.py."""

import torch
import torch.nn.functional as F

from torchkatas.bank import right


@right(replaces="weight_gradient")
def by_autograd_grad(x1, w1, b, y):
    w1 = w1.detach().clone().requires_grad_()
    (slope,) = torch.autograd.grad(F.binary_cross_entropy_with_logits(x1 * w1 + b, y), w1)
    return slope


@right(replaces="weight_gradient")
def by_parameter(x1, w1, b, y):
    w1 = torch.nn.Parameter(w1.clone())
    F.binary_cross_entropy(torch.sigmoid(x1 * w1 + b), y, reduction="none").backward()
    return w1.grad.detach()


@right(replaces="weight_gradient")
def weight_gradient_by_hand(x1, w1, b, y):
    return x1 * (torch.sigmoid(x1 * w1 + b) - y)


@right(replaces="weight_gradient")
def by_func_grad(x1, w1, b, y):
    return torch.func.grad(lambda w: F.binary_cross_entropy(torch.sigmoid(x1 * w + b), y))(w1)


@right(replaces="both_gradients")
def both_by_autograd_grad(x1, w1, b, y, decay):
    w1, b = w1.detach().requires_grad_(), b.detach().requires_grad_()
    a = torch.sigmoid(x1 * w1 + b)
    return torch.autograd.grad(F.binary_cross_entropy(a, y) + decay * w1.pow(2).squeeze(), [w1, b])


@right(replaces="both_gradients")
def both_by_two_backwards(x1, w1, b, y, decay):
    leaves = [t.clone().requires_grad_() for t in (w1, b)]
    F.binary_cross_entropy_with_logits(x1 * leaves[0] + leaves[1], y).backward()
    (decay * leaves[0] @ leaves[0]).backward()
    return [leaf.grad for leaf in leaves]


@right(replaces="node_gradients")
def nodes_by_autograd_grad(x1, w1, b, y):
    z = (x1 * w1 + b).requires_grad_()
    a = torch.sigmoid(z)
    return torch.autograd.grad(F.binary_cross_entropy(a, y), (z, a))


@right(replaces="node_gradients")
def nodes_by_hooks(x1, w1, b, y):
    kept = {}
    z = x1 * w1 + b.clone().requires_grad_()
    a = z.sigmoid()
    z.register_hook(lambda slope: kept.update(z=slope))
    a.register_hook(lambda slope: kept.update(a=slope))
    F.binary_cross_entropy(a, y).backward()
    return kept["z"], kept["a"]


@right(replaces="gradients_of")
def gradients_materialized(output, inputs):
    return torch.autograd.grad(output, inputs, materialize_grads=True)


@right(replaces="gradients_of")
def gradients_one_by_one(output, inputs):
    found = []
    for x in inputs:
        (slope,) = torch.autograd.grad(output, x, retain_graph=True, allow_unused=True)
        found.append(torch.zeros_like(x) if slope is None else slope)
    return tuple(found)


@right(replaces="gradients_of")
def gradients_with_a_graph(output, inputs):
    slopes = torch.autograd.grad(output, tuple(inputs), create_graph=True, allow_unused=True)
    return tuple(x.new_zeros(x.shape) if slope is None else slope for x, slope in zip(inputs, slopes, strict=True))


@right(replaces="vector_jacobian")
def vjp_by_weighted_sum(f, x, v):
    x = x.detach().requires_grad_()
    (f(x) * v).sum().backward()
    return x.grad


@right(replaces="vector_jacobian")
def vjp_by_grad_outputs(f, x, v):
    leaf = x.clone().requires_grad_(True)
    return torch.autograd.grad(f(leaf), leaf, grad_outputs=v)[0]


@right(replaces="vector_jacobian")
def vjp_by_func(f, x, v):
    _, pull = torch.func.vjp(f, x)
    return pull(v)[0]


@right(replaces="vector_jacobian")
def vjp_by_the_whole_jacobian(f, x, v):
    return v @ torch.autograd.functional.jacobian(f, x)


@right(replaces="vector_jacobian")
def vjp_row_by_row(f, x, v):
    total = torch.zeros_like(x)
    for i in range(len(v)):
        leaf = x.clone().requires_grad_()
        f(leaf)[i].backward()
        total += v[i] * leaf.grad
    return total
