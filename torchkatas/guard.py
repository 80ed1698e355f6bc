"""The state guard: what code under test changes in the process is put back, and named.

Random streams are put back in silence, since every draw changes them. What torch cannot restore is named only.
"""

from __future__ import annotations

import os
import random
import sys
import threading
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy
import torch

Read = Callable[[], Any]
Write = Callable[[Any], Any]


class Setting(NamedTuple):
    name: str
    read: Read
    write: Write | None  # None: can be named, not put back


def _environment() -> dict[str, str]:
    # not a learner's: what pytest sets between setup and call, and torch when its first optimizer imports its compiler
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "TORCHINDUCTOR_"))}


def _set_environment(saved: dict[str, str]) -> None:
    for name in _environment().keys() - saved.keys():
        del os.environ[name]
    os.environ.update(saved)


def _filters() -> list[Any]:
    # torch's compiler imports libraries that add filters for warnings of their own
    return [entry for entry in warnings.filters if entry[2].__module__ == "builtins"]


def _deterministic(saved: tuple[bool, bool]) -> None:
    torch.use_deterministic_algorithms(saved[0], warn_only=saved[1])


def _set_cudnn(flag: str) -> Write:
    return lambda saved: setattr(torch.backends.cudnn, flag, saved)


def _device() -> str:
    # torch 2.4's get_default_device fails after set_default_device(None); an empty tensor tells as well
    return str(torch.empty(0).device)


def _set_device(saved: str) -> None:
    torch.set_default_device(None if saved == "cpu" else saved)


def _threads() -> frozenset[str]:
    return frozenset(thread.name for thread in threading.enumerate() if not thread.daemon)


def _group() -> bool:
    return torch.distributed.is_available() and torch.distributed.is_initialized()


AT_ONCE = (  # put back after each call, since the rest of a spec would stumble over it
    Setting("the warnings filters", _filters, lambda saved: None),  # State's context puts them back
    Setting("the default device", _device, _set_device),
    Setting("the default dtype", torch.get_default_dtype, torch.set_default_dtype),
    Setting("the gradient mode", torch.is_grad_enabled, torch.set_grad_enabled),
    Setting("anomaly detection", torch.is_anomaly_enabled, torch.autograd.set_detect_anomaly),
    Setting("torch's number of threads", torch.get_num_threads, torch.set_num_threads),
    Setting(
        "the deterministic flag",
        lambda: (torch.are_deterministic_algorithms_enabled(), torch.is_deterministic_algorithms_warn_only_enabled()),
        _deterministic,
    ),
)
AT_THE_END = (
    Setting("cuDNN's deterministic flag", lambda: torch.backends.cudnn.deterministic, _set_cudnn("deterministic")),
    Setting("cuDNN's benchmark flag", lambda: torch.backends.cudnn.benchmark, _set_cudnn("benchmark")),
    Setting("the recursion limit", sys.getrecursionlimit, sys.setrecursionlimit),
    Setting("the environment", _environment, _set_environment),
    Setting("the working directory", os.getcwd, os.chdir),
    Setting("sys.path", lambda: list(sys.path), lambda saved: sys.path.__setitem__(slice(None), saved)),
    Setting("inference mode", torch.is_inference_mode_enabled, None),
    Setting("a running thread", _threads, None),
    Setting("an open process group", _group, None),
)

WATCHED: tuple[Any, ...] = (
    torch,
    torch.Tensor,
    torch.nn.functional,
    torch.autograd,
    torch.nn.Module,
    torch.optim.Optimizer,
    torch.nn,
    torch.testing,
)

UNWATCHED: tuple[Any, ...] = ("__warningregistry__", "__annotations__")  # Python's own


def _by_torch(value: Any, before: Any) -> bool:
    """Whether torch put it there itself: torch._dynamo wraps torch.manual_seed when the first optimizer imports it."""
    code = getattr(value, "__code__", None)
    theirs = code is not None and Path(code.co_filename).is_relative_to(Path(torch.__file__).parent)
    return theirs and getattr(value, "__wrapped__", None) is before


class State:
    """The process as it was when this was made; with `whole=False` only what a call must not leave."""

    def __init__(self, whole: bool = True) -> None:
        self._warnings = warnings.catch_warnings()
        self._warnings.__enter__()
        self._settings = [(setting, setting.read()) for setting in (*AT_ONCE, *(AT_THE_END if whole else ()))]
        self._attributes = [(owner, dict(vars(owner))) for owner in (WATCHED if whole else ())]
        self._random = random.getstate(), numpy.random.get_state(), torch.get_rng_state()

    def restore(self) -> list[str]:
        """Put everything back, random streams too; what had changed, in words."""
        found = self.settle()
        self.rewind()
        return found

    def settle(self) -> list[str]:
        """Put everything back but the random streams; what had changed, in words."""
        found = []
        for setting, before in self._settings:
            try:
                after = setting.read()
            except Exception as error:  # a default device that is not there, a working directory that is gone
                after = error
            changed = (
                after - before if isinstance(before, frozenset) and isinstance(after, frozenset) else after != before
            )
            if changed:
                found.append(
                    f"{setting.name} changed (put back)" if setting.write else f"{setting.name} (not to be put back)"
                )
                if setting.write:
                    setting.write(before)
        for owner, attributes in self._attributes:
            now = vars(owner)
            # what was there before alone: the first optimizer adds attributes to torch
            for name, value in attributes.items():
                if now.get(name) is not value and not _by_torch(now.get(name), value) and name not in UNWATCHED:
                    found.append(f"{owner.__name__}.{name} changed (put back)")
                    setattr(owner, name, value)
        self._warnings.__exit__(None, None, None)
        return found

    def rewind(self) -> None:
        """Put the random streams back."""
        random.setstate(self._random[0])
        numpy.random.set_state(self._random[1])
        torch.set_rng_state(self._random[2])
