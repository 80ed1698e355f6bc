"""State dicts that do not fit: renamed, reported, moved, refused, taken in part."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor, nn


def without_prefix(state: dict[str, Tensor]) -> dict[str, Tensor]:
    # Why: removeprefix looks at the start alone and takes it off once; a submodule may be named "module" as well.
    return {name.removeprefix("module."): tensor for name, tensor in state.items()}


def mismatch(model: nn.Module, state: dict[str, Tensor]) -> dict[str, list[str]]:
    # Why: Names are compared as sets; shapes only where both have the name, and whole, since equal counts do not fit.
    own = model.state_dict()
    return {
        "missing": sorted(own.keys() - state.keys()),
        "unexpected": sorted(state.keys() - own.keys()),
        "shape": sorted(name for name in own.keys() & state.keys() if own[name].shape != state[name].shape),
    }


def load_onto(path: Path, device: torch.device) -> dict[str, Tensor]:
    # Why: A file notes each tensor's device, and torch.load rebuilds it there unless map_location says where.
    return torch.load(path, map_location=device, weights_only=True)


def load_whole(model: nn.Module, state: dict[str, Tensor]) -> None:
    # Why: load_state_dict copies what fits and raises afterwards, so the looking has to come first.
    wrong = mismatch(model, state)
    if any(wrong.values()):
        raise RuntimeError(f"the state does not fit: {wrong}")
    model.load_state_dict(state)


def load_partly(model: nn.Module, state: dict[str, Tensor]) -> list[str]:
    # Why: strict=False forgives names, never shapes; so choose by both, and it reports what was left out.
    own = model.state_dict()
    fits = {name: tensor for name, tensor in state.items() if name in own and own[name].shape == tensor.shape}
    return sorted(model.load_state_dict(fits, strict=False).missing_keys)
