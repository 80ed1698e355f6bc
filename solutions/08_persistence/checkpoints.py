"""Checkpoints: packed, taken up again, written whole, read with care."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch import nn
from torch.optim.lr_scheduler import LRScheduler


def pack(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    scheduler: LRScheduler,
    generator: torch.Generator,
    epoch: int,
) -> dict[str, Any]:
    # Why: The next step depends on weights, momentum, the schedule's count and two random streams; each has a state.
    return {
        "model": model.state_dict(),
        "optimizer": optimizer.state_dict(),
        "scheduler": scheduler.state_dict(),
        "generator": generator.get_state(),
        "rng": torch.get_rng_state(),
        "epoch": epoch,
    }


def resume(
    checkpoint: dict[str, Any],
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    scheduler: LRScheduler,
    generator: torch.Generator,
) -> int:
    # Why: load_state_dict copies into the parameters that the optimizer holds; new objects would leave it behind.
    model.load_state_dict(checkpoint["model"])
    optimizer.load_state_dict(checkpoint["optimizer"])
    scheduler.load_state_dict(checkpoint["scheduler"])
    generator.set_state(checkpoint["generator"])
    torch.set_rng_state(checkpoint["rng"])
    return checkpoint["epoch"]


def write(checkpoint: dict[str, Any], path: Path) -> None:
    # Why: Writing takes long and may be cut; os.replace within one folder is one step, which happens or does not.
    beside = path.with_name(f"{path.name}.part")
    try:
        torch.save(checkpoint, beside)
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)


def read(path: Path) -> dict[str, Any]:
    # Why: Where a file was cut decides which error torch.load raises; a caller needs one that always means: damaged.
    try:
        checkpoint = torch.load(path, map_location="cpu", weights_only=True)
    except FileNotFoundError:
        raise
    except Exception as error:
        raise ValueError(f"{path} is no checkpoint that can be read") from error
    keys = {"model", "optimizer", "scheduler", "generator", "rng", "epoch"}
    if not isinstance(checkpoint, dict) or not keys <= checkpoint.keys():
        raise ValueError(f"{path} is not a checkpoint of this training")
    return checkpoint


def train(
    one_epoch: Callable[[], None],
    epochs: int,
    path: Path,
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    scheduler: LRScheduler,
    generator: torch.Generator,
) -> None:
    # Why: The file counts the epochs that are wholly done, scheduler step included; the loop starts at that count.
    done = resume(read(path), model, optimizer, scheduler, generator) if path.exists() else 0
    for epoch in range(done, epochs):
        one_epoch()
        scheduler.step()
        write(pack(model, optimizer, scheduler, generator, epoch + 1), path)
