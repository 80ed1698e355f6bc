"""The network of the map, and two ways to the number of its parameters."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from torch import Tensor, nn


def count_parameters(model: nn.Module) -> int:
    # Why: parameters() walks through all submodules and gives each tensor once; numel() is how many numbers it holds.
    return sum(p.numel() for p in model.parameters())


class Net(nn.Module):
    # Why: assigning a layer in __init__ registers its parameters; forward only says in which order the layers are used.
    def __init__(self, inputs: int = 50, hidden: int = 30, outputs: int = 3) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, outputs))

    def forward(self, x: Tensor) -> Tensor:
        return self.layers(x)


def count_by_formula(sizes: Sequence[int]) -> int:
    # Why: each of a layer's outputs has one weight for every input and one bias, so a layer has (inputs + 1) * outputs.
    return sum((inputs + 1) * outputs for inputs, outputs in pairwise(sizes))
