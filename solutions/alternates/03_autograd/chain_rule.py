"""Other right answers to katas/03_autograd/chain_rule.py."""

import torch
import torch.nn.functional as F
from torch.autograd.function import once_differentiable

from torchkatas.bank import right


@right(replaces="loss_slope")
def loss_slope_as_one_fraction(a, y):
    return (a - y) / (a * (1 - a))


@right(replaces="loss_slope")
def loss_slope_in_place(a, y):
    slope = (1 - y).div_(1 - a)
    slope -= y / a
    return slope


@right(replaces="sigmoid_slope")
def sigmoid_slope_by_symmetry(z):
    return torch.sigmoid(z) * torch.sigmoid(-z)


@right(replaces="sigmoid_slope")
def sigmoid_slope_by_exp(z):
    e = torch.exp(-z.abs())
    return e / (1 + e) ** 2


@right(replaces="sigmoid_slope")
def sigmoid_slope_by_tanh(z):
    return (1 - torch.tanh(z / 2).square()) / 4


@right(replaces="gradients_by_hand")
def gradients_by_the_error(x1, w1, b, y):
    error = torch.special.expit(b + w1 * x1) - y
    return [error.mul(w1), error.mul(x1), error.clone()]


@right(replaces="gradients_by_hand")
def gradients_link_by_link(x1, w1, b, y):
    with torch.no_grad():
        a = torch.sigmoid(x1 * w1 + b)
        upstream = torch.ones_like(a)
        upstream *= -y / a + (1 - y) / (1 - a)
        upstream *= a * (1 - a)
        return upstream * w1, upstream * x1, upstream * 1


@right(replaces="LogitLoss")
class ByLogits(torch.autograd.Function):
    @staticmethod
    def forward(ctx, z, y):
        ctx.save_for_backward(z, y)
        return F.softplus(z) - z * y

    @staticmethod
    @once_differentiable
    def backward(ctx, upstream):
        z, y = ctx.saved_tensors
        return z.sigmoid().sub_(y).mul_(upstream), None


@right(replaces="LogitLoss")
class BySetupContext(torch.autograd.Function):
    @staticmethod
    def forward(z, y):
        a = torch.sigmoid(z)
        return -(y * a.log() + (1 - y) * (1 - a).log())

    @staticmethod
    def setup_context(ctx, inputs, output):
        z, y = inputs
        ctx.save_for_backward(torch.sigmoid(z) - y)

    @staticmethod
    def backward(ctx, upstream):
        (error,) = ctx.saved_tensors
        return error * upstream, None


@right(replaces="LogitLoss")
class WithTargetsSlope(torch.autograd.Function):
    @staticmethod
    def forward(ctx, z, y):
        ctx.z, ctx.y = z, y  # keeps them alive longer than save_for_backward would, and is right all the same
        return F.binary_cross_entropy_with_logits(z, y, reduction="none")

    @staticmethod
    def backward(ctx, upstream):
        return upstream * (ctx.z.sigmoid() - ctx.y), -upstream * ctx.z
