"""Wrong answers to katas/03_autograd/gradients.py."""

import torch
import torch.nn.functional as F

from torchkatas.bank import wrong


@wrong(
    "stops-at-z",
    replaces="weight_gradient",
    says="That is ∂L/∂z, which is also b's gradient; ∂L/∂w1 needs one more factor: ∂z/∂w1 = x1.",
    fact="03.7",
)
def stops_at_z(x1, w1, b, y):
    return torch.sigmoid(x1 * w1 + b) - y


@wrong(
    "sign-flipped",
    replaces="weight_gradient",
    says="The sign is flipped: this is the direction to step in, -∂L/∂w1; the gradient itself points uphill.",
    fact="03.7",
)
def sign_flipped(x1, w1, b, y):
    return -(torch.sigmoid(x1 * w1 + b) - y) * x1


@wrong(
    "two-backwards",
    replaces="weight_gradient",
    says="This is twice the gradient: backward() ran two times and .grad adds up; one backward for each forward.",
    fact="03.7",
)
def two_backwards(x1, w1, b, y):
    w1 = w1.clone().requires_grad_()
    for _ in range(2):
        F.binary_cross_entropy(torch.sigmoid(x1 * w1 + b), y).backward()
    return w1.grad
