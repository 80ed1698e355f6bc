"""Layers, a module, a dataset, batches, and a step."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, Dataset


def two_layers(inputs: int, hidden: int, outputs: int) -> nn.Sequential:
    # Why: Sequential hands each module's result to the next; without the ReLU two linear layers would be one.
    return nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, outputs))


class Line(nn.Module):
    # Why: a Parameter that is assigned to a module is registered there, and parameters() hands it to the optimizer.
    def __init__(self, a: float, b: float) -> None:
        super().__init__()
        self.a = nn.Parameter(torch.tensor(a))
        self.b = nn.Parameter(torch.tensor(b))

    def forward(self, x: Tensor) -> Tensor:
        return self.a * x + self.b


class Pairs(Dataset):
    # Why: how many there are and which one is the i-th: a DataLoader asks a dataset for nothing else.
    def __init__(self, x: Tensor, y: Tensor) -> None:
        self.x, self.y = x, y

    def __len__(self) -> int:
        return len(self.x)

    def __getitem__(self, i: int) -> tuple[Tensor, Tensor]:
        return self.x[i], self.y[i]


def in_batches(dataset: Dataset, size: int) -> DataLoader:
    # Why: the loader asks for the examples one by one and stacks them; unless told to, it neither shuffles nor drops.
    return DataLoader(dataset, batch_size=size)


def one_step(model: nn.Module, x: Tensor, y: Tensor, lr: float) -> tuple[float, float]:
    # Why: backward() only fills .grad; the optimizer, which was given the parameters, moves each by -lr * .grad.
    loss_of = nn.MSELoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    before = loss_of(model(x), y)
    optimizer.zero_grad()
    before.backward()
    optimizer.step()
    return before.item(), loss_of(model(x), y).item()
