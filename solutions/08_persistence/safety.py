"""Files of strangers: refused, made plain, allowed by name, looked into."""

from __future__ import annotations

import argparse
import dataclasses
import pickletools
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor


def read_weights(path: Path) -> dict[str, Tensor]:
    # Why: A pickle is a program; weights_only=True reads it by an interpreter that knows only tensors and plain values.
    return torch.load(path, weights_only=True)


def save_run(
    path: Path, weights: dict[str, Tensor], config: argparse.Namespace, metrics: Mapping[str, np.generic]
) -> None:
    # Why: Namespace, Path and NumPy's numbers are classes that a file has to ask for; dict, str and float are not.
    settings = {name: str(value) if isinstance(value, Path) else value for name, value in vars(config).items()}
    results = {name: value.item() for name, value in metrics.items()}
    torch.save({"weights": weights, "config": settings, "metrics": results}, path)


def load_with(path: Path, classes: Sequence[type]) -> Any:
    # Why: What is on the list may be called by any file with arguments of its choice, so nothing stays on it.
    for thing in classes:
        if not (isinstance(thing, type) and dataclasses.is_dataclass(thing)):
            raise ValueError(f"{thing} is no dataclass")
    before = list(torch.serialization.get_safe_globals())
    torch.serialization.add_safe_globals(list(classes))
    try:
        return torch.load(path, weights_only=True)
    finally:
        torch.serialization.clear_safe_globals()
        torch.serialization.add_safe_globals(before)


def asks_for(path: Path) -> list[str]:
    # Why: A pickle names each class and function before it can call it, and its opcodes can be listed without a call.
    with zipfile.ZipFile(path) as archive:
        (member,) = (name for name in archive.namelist() if name.endswith("/data.pkl"))
        opcodes = pickletools.genops(archive.read(member))
        return sorted({argument.replace(" ", ".") for opcode, argument, _ in opcodes if opcode.name == "GLOBAL"})
