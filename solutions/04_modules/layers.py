"""Layers of one's own: from Parameters, in a ModuleList and a ModuleDict, and with buffers."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Affine(nn.Module):
    # Why: a Parameter assigned to an attribute is registered under that name; all of nn.Linear's state is these two.
    def __init__(self, inputs: int, outputs: int, bias: bool = True) -> None:
        super().__init__()
        bound = inputs**-0.5
        self.weight = nn.Parameter(torch.empty(outputs, inputs).uniform_(-bound, bound))
        self.bias = nn.Parameter(torch.empty(outputs).uniform_(-bound, bound)) if bias else None

    def forward(self, x: Tensor) -> Tensor:
        y = x @ self.weight.T
        return y if self.bias is None else y + self.bias


class Stack(nn.Module):
    # Why: a ModuleList is a list that registers what is in it; it has no forward of its own, the loop gives the order.
    def __init__(self, width: int, depth: int) -> None:
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))

    def forward(self, x: Tensor) -> Tensor:
        for layer in self.layers:
            x = torch.relu(layer(x))
        return x


class Heads(nn.Module):
    # Why: a ModuleDict registers its modules under their keys, and looks one up by name while the program runs.
    def __init__(self, inputs: int, tasks: dict[str, int]) -> None:
        super().__init__()
        self.heads = nn.ModuleDict({task: nn.Linear(inputs, classes) for task, classes in tasks.items()})

    def forward(self, x: Tensor, task: str) -> Tensor:
        return self.heads[task](x)


class Standardize(nn.Module):
    # Why: a buffer is state that belongs to the module, so it is saved, loaded and cast with it; no optimizer gets it.
    def __init__(self, mean: Tensor, std: Tensor) -> None:
        super().__init__()
        self.register_buffer("mean", mean.clone())
        self.register_buffer("std", std.clone())

    def forward(self, x: Tensor) -> Tensor:
        return (x - self.mean) / self.std


class RunningMean(nn.Module):
    # Why: a statistic follows the data, not the loss: detach() keeps its graph away, self.training says when it moves.
    def __init__(self, features: int, momentum: float = 0.1) -> None:
        super().__init__()
        self.momentum = momentum
        self.register_buffer("mean", torch.zeros(features))

    def forward(self, x: Tensor) -> Tensor:
        if self.training:
            self.mean += self.momentum * (x.detach().mean(dim=0) - self.mean)
        return x - self.mean
