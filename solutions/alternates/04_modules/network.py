"""Other right answers to katas/04_modules/network.py."""

import math

import torch
import torch.nn.functional as F
from torch import nn

from torchkatas.bank import right


@right(replaces="count_parameters")
def count_by_loop(model):
    total = 0
    for _, parameter in model.named_parameters():
        total += parameter.nelement()
    return total


@right(replaces="count_parameters")
def count_by_shape(model):
    return sum(math.prod(p.shape) for p in model.parameters())


@right(replaces="count_parameters")
def count_in_one_vector(model):
    return sum([p.reshape(-1).shape[0] for p in model.parameters()], start=0)


@right(replaces="count_parameters")
def count_by_identity(model):
    found = {id(p): p for m in model.modules() for p in m.parameters(recurse=False)}
    return sum(p.numel() for p in found.values())


@right(replaces="Net")
class LayerByLayer(nn.Module):
    def __init__(self, inputs=50, hidden=30, outputs=3):
        super().__init__()
        self.fc1 = nn.Linear(inputs, hidden)
        self.fc2 = nn.Linear(hidden, outputs)

    def forward(self, x):
        return self.fc2(F.relu(self.fc1(x)))


@right(replaces="Net")
class OutputFirst(nn.Module):
    def __init__(self, inputs=50, hidden=30, outputs=3):
        nn.Module.__init__(self)
        self.sizes = (inputs, hidden, outputs)
        self.output = nn.Linear(hidden, outputs)
        self.bend = nn.ReLU(inplace=True)
        self.input = nn.Linear(inputs, hidden)

    def forward(self, x):
        x = self.input(x)
        x = self.bend(x)
        return self.output(x)


@right(replaces="Net")
class IsASequential(nn.Sequential):
    def __init__(self, inputs=50, hidden=30, outputs=3):
        super().__init__(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, outputs))


@right(replaces="Net")
class InAModuleList(nn.Module):
    def __init__(self, inputs=50, hidden=30, outputs=3):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(inputs, hidden), nn.Linear(hidden, outputs)])

    def forward(self, x):
        first, second = self.layers
        return second(first(x).clamp(min=0))


@right(replaces="Net")
class OwnParameters(nn.Module):
    def __init__(self, inputs=50, hidden=30, outputs=3):
        super().__init__()
        self.w1 = nn.Parameter(torch.randn(hidden, inputs) / inputs**0.5)
        self.b1 = nn.Parameter(torch.zeros(hidden))
        self.w2 = nn.Parameter(torch.randn(outputs, hidden) / hidden**0.5)
        self.b2 = nn.Parameter(torch.zeros(outputs))

    def forward(self, x):
        return torch.relu(x @ self.w1.T + self.b1) @ self.w2.T + self.b2


@right(replaces="Net")
class ByAMask(nn.Module):
    def __init__(self, inputs=50, hidden=30, outputs=3):
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(inputs, hidden), nn.Linear(hidden, outputs)

    def forward(self, x):
        h = self.fc1(x)
        return self.fc2(h * (h.detach() > 0))


@right(replaces="count_by_formula")
def formula_by_index(sizes):
    total = 0
    for i in range(1, len(sizes)):
        total += sizes[i - 1] * sizes[i] + sizes[i]
    return total


@right(replaces="count_by_formula")
def formula_weights_then_biases(sizes):
    weights = sum(map(int.__mul__, sizes[:-1], sizes[1:]))
    return weights + sum(sizes[1:])


@right(replaces="count_by_formula")
def formula_by_walking(sizes):
    before, *others = sizes
    total = 0
    for size in others:
        total += size * (before + 1)
        before = size
    return total
