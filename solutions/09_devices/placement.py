"""Placement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy
import torch
from torch import Tensor, nn


def best_device(available: Mapping[str, int]) -> torch.device:
    # Why: asked once, at the start; everything else is handed the device, and runs wherever it is.
    return torch.device(next((kind for kind in ("cuda", "mps") if available.get(kind)), "cpu"))


def requested_device(name: str | None, available: Mapping[str, int]) -> torch.device:
    # Why: who asks for a GPU wants to know that there is none now, not after a night on the CPU.
    if name is None:
        return best_device(available)
    kind, _, number = name.partition(":")
    if int(number or 0) >= {**available, "cpu": 1}.get(kind, 0):
        raise ValueError(f"{name} is not there; there are {dict(available)}")
    return torch.device(name)


def bring(model: nn.Module, X: Tensor, y: Tensor, device: torch.device) -> tuple[Tensor, Tensor]:
    # Why: a module puts new memory under its parameters; a tensor's .to gives another tensor and leaves the old one.
    model.to(device)
    return X.to(device), y.to(device)


def trainable(values: Sequence[float], device: torch.device) -> Tensor:
    # Why: made there, it is a leaf; the .to of a tensor that requires a gradient is a step of the graph.
    return torch.tensor(values, device=device, requires_grad=True)


def batch_to(batch: Any, device: torch.device) -> Any:
    # Why: the function calls itself on each part, so that it need not know how deep a batch is nested.
    if isinstance(batch, Tensor):
        return batch.to(device)
    if isinstance(batch, dict):
        return {key: batch_to(value, device) for key, value in batch.items()}
    if isinstance(batch, tuple) and hasattr(batch, "_fields"):
        return type(batch)(*(batch_to(value, device) for value in batch))
    if isinstance(batch, (list, tuple)):
        return type(batch)(batch_to(value, device) for value in batch)
    return batch


def mask_future(scores: Tensor) -> Tensor:
    # Why: a tensor that is made inside must be told where its partner lies: whatever device that is, it fits.
    n = scores.shape[-1]
    future = torch.ones(n, n, dtype=torch.bool, device=scores.device).triu(1)
    return scores.masked_fill(future, -torch.inf)


class Standardize(nn.Module):
    # Why: model.to and state_dict know parameters and buffers; a tensor that is a plain attribute is left behind.
    def __init__(self, mean: Tensor, std: Tensor) -> None:
        super().__init__()
        self.register_buffer("mean", mean)
        self.register_buffer("std", std)

    def forward(self, x: Tensor) -> Tensor:
        return (x - self.mean) / self.std


def as_array(outputs: Sequence[Tensor]) -> numpy.ndarray:
    # Why: NumPy reads the CPU's memory and knows no graph; .cpu() waits for its copy, one with non_blocking does not.
    return torch.cat(list(outputs)).detach().cpu().numpy()
