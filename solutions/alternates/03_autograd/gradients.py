"""Other right answers to katas/03_autograd/gradients.py."""

import torch
import torch.nn.functional as F

from torchkatas.bank import right


@right(replaces="weight_gradient")
def by_autograd_grad(x1, w1, b, y):
    w1 = w1.detach().clone().requires_grad_()
    (slope,) = torch.autograd.grad(F.binary_cross_entropy_with_logits(x1 * w1 + b, y), w1)
    return slope
