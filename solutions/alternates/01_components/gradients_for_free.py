"""Other right answers to katas/01_components/gradients_for_free.py."""

import torch

from torchkatas.bank import right


@right(replaces="slope")
def slope_by_autograd_grad(f, x):
    leaf = torch.tensor(x).requires_grad_(True)
    return float(torch.autograd.grad(f(leaf), leaf)[0])


@right(replaces="slope")
def slope_by_func_grad(f, x):
    return torch.func.grad(f)(torch.tensor(x)).item()


@right(replaces="slope")
def slope_in_float64(f, x):
    leaf = torch.tensor(x, dtype=torch.float64, requires_grad=True)
    torch.autograd.backward(f(leaf))
    return leaf.grad.tolist()


@right(replaces="tent")
def tent_with_if(x, n):
    y = x.clone()
    for _ in range(n):
        if y.item() >= 0.5:
            y = 1 - y
        y = y + y
    return y


@right(replaces="tent")
def tent_without_if(x, n):
    for _ in range(n):
        x = 2 * torch.minimum(x, 1 - x)
    return x


@right(replaces="tent")
def tent_by_where(x, n):
    while n > 0:
        x, n = torch.where(x < 0.5, 2 * x, 2 - 2 * x), n - 1
    return x


@right(replaces="tent")
def tent_recursive(x, n):
    if n == 0:
        return x
    return tent(1 - (1 - 2 * x).abs(), n - 1)  # noqa: F821


@right(replaces="gradient")
def gradient_by_autograd_grad(f, point):
    leaf = point.detach().requires_grad_()
    return torch.autograd.grad(f(leaf), leaf)[0]


@right(replaces="gradient")
def gradient_by_func_grad(f, point):
    return torch.func.grad(f)(point)


@right(replaces="gradient")
def gradient_with_a_graph(f, point):
    leaf = point.clone().requires_grad_()
    return torch.autograd.grad(f(leaf), leaf, create_graph=True)[0]


@right(replaces="gradient")
def gradient_from_leaves(f, point):
    leaves = [value.clone().requires_grad_() for value in point]
    f(torch.stack(leaves)).backward()
    return torch.stack([leaf.grad for leaf in leaves])


@right(replaces="descend")
def descend_with_new_leaves(f, x, lr, steps):
    x = torch.tensor(x, requires_grad=True)
    for _ in range(steps):
        f(x).backward()
        x = (x - lr * x.grad).detach().requires_grad_()
    return x.item()


@right(replaces="descend")
def descend_on_one_leaf(f, x, lr, steps):
    x = torch.tensor(x, requires_grad=True)
    for _ in range(steps):
        x.grad = None
        f(x).backward()
        with torch.no_grad():
            x -= lr * x.grad
    return float(x.detach())


@right(replaces="descend")
def descend_by_optimizer(f, x, lr, steps):
    x = torch.tensor(x, requires_grad=True)
    optimizer = torch.optim.SGD([x], lr=lr)
    for _ in range(steps):
        optimizer.zero_grad()
        f(x).backward()
        optimizer.step()
    return x.item()


@right(replaces="descend")
def descend_by_data(f, x, lr, steps):
    x = torch.tensor(x, requires_grad=True)
    for _ in range(steps):
        (slope_here,) = torch.autograd.grad(f(x), x)
        x.data.sub_(slope_here, alpha=lr)
    return x.item()
