"""Training mode, eval mode, gradient mode."""

from __future__ import annotations

import copy

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def to_eval(model: nn.Module) -> nn.Module:
    # Why: eval() sets the flag `training` of every module below, and each asks its own flag when it is called.
    return model.eval()


def dropout(x: Tensor, p: float, draws: Tensor, training: bool = True) -> Tensor:
    # Why: a share of 1 - p is kept, so that 1 / (1 - p) restores the mean in training and nothing is left for eval.
    return torch.where(draws < p, 0.0, x / (1 - p)) if training else x


class Block(nn.Module):
    # Why: F.dropout knows nothing of the module that calls it; self.training is the flag that train() and eval() set.
    def __init__(self, first: nn.Module, last: nn.Module, p: float) -> None:
        super().__init__()
        self.first, self.last, self.p = first, last, p

    def forward(self, x: Tensor) -> Tensor:
        h = torch.relu(self.first(x))
        return self.last(F.dropout(h, self.p, training=self.training))


def batch_norm(
    x: Tensor, running_mean: Tensor, running_var: Tensor, training: bool, momentum: float = 0.1, eps: float = 1e-5
) -> tuple[Tensor, Tensor, Tensor]:
    # Why: the batch is normalised by its own variance, /N; what is remembered estimates that of all data, /(N - 1).
    if not training:
        return (x - running_mean) / (running_var + eps).sqrt(), running_mean, running_var
    if len(x) < 2:
        raise ValueError("a batch of one example has no variance")
    y = (x - x.mean(dim=0)) / (x.var(dim=0, unbiased=False) + eps).sqrt()
    mean, var = x.detach().mean(dim=0), x.detach().var(dim=0)
    return y, (1 - momentum) * running_mean + momentum * mean, (1 - momentum) * running_var + momentum * var


def effects(model: nn.Module, x: Tensor) -> dict[str, bool]:
    # Why: three switches that know nothing of each other: gradient mode, dropout's `training`, batch norm's `training`.
    trial = copy.deepcopy(model)
    before = {name: buffer.clone() for name, buffer in trial.named_buffers()}
    one, two = trial(x), trial(x)
    return {
        "graph": one.requires_grad,
        "random": not torch.equal(one, two),
        "buffers": any(not torch.equal(buffer, before[name]) for name, buffer in trial.named_buffers()),
    }
