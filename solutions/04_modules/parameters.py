"""What can be done with the parameters of a model."""

from __future__ import annotations

import copy
from collections.abc import Callable

import torch
from torch import nn


def count_trainable(model: nn.Module) -> int:
    # Why: requires_grad is the switch of each parameter; backward() fills .grad only where it is on.
    return sum(p.numel() for p in model.parameters() if p.requires_grad)


def freeze(part: nn.Module) -> None:
    # Why: without requires_grad no new gradient comes, and with .grad None an optimizer passes over; zeros still decay.
    for p in part.parameters():
        p.requires_grad_(False)
        p.grad = None


def cast(model: nn.Module, dtype: torch.dtype) -> nn.Module:
    # Why: a module's .to() puts new data into the parameters that it has, and returns itself; a tensor's does not.
    return model.to(dtype)


def copy_in(model: nn.Module, dtype: torch.dtype) -> nn.Module:
    # Why: as .to() changes the module that it is called on, the copy has to be there before.
    return copy.deepcopy(model).to(dtype)


def tie(embedding: nn.Embedding, output: nn.Linear) -> None:
    # Why: a Parameter is an object like any other, so two modules can hold the same; backward adds into its one .grad.
    if embedding.weight.shape != output.weight.shape:
        raise ValueError(f"the shapes of the weights differ: {embedding.weight.shape} and {output.weight.shape}")
    output.weight = embedding.weight


def seeded(make: Callable[[], nn.Module], seed: int) -> nn.Module:
    # Why: fork_rng remembers the stream's state and puts it back at the end of its block, also when an error ends it.
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return make()
