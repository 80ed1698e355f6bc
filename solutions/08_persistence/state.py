"""The state dict: its contents, a file of it, a copy of it."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path

import torch
from torch import Tensor, nn


def contents(model: nn.Module) -> dict[str, tuple[int, ...]]:
    # Why: A state dict has every parameter, frozen or not, and every buffer but those registered as persistent=False.
    return {name: tuple(tensor.shape) for name, tensor in model.state_dict().items()}


def save(model: nn.Module, path: Path) -> None:
    # Why: Tensors by name need no code to be read; a pickled model needs its class, at the place where it lay.
    torch.save(model.state_dict(), path)


def restore(build: Callable[[], nn.Module], path: Path) -> nn.Module:
    # Why: load_state_dict copies into the model and returns a report of keys; the mode is no part of a state dict.
    model = build()
    model.load_state_dict(torch.load(path, weights_only=True))
    return model.eval()


def remember(model: nn.Module) -> dict[str, Tensor]:
    # Why: The tensors of a state dict are the model's own memory; only a deep copy stays as it is.
    return copy.deepcopy(model.state_dict())


def save_rows(table: Tensor, n: int, path: Path) -> None:
    # Why: A slice is a view, and torch.save writes all the memory below a view; clone() has memory for the rows alone.
    torch.save(table[:n].clone(), path)
