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
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy
import torch
import torch.distributed as dist


class Setting(NamedTuple):
    name: str
    read: Callable[[], Any]
    write: Callable[[Any], Any] | None  # None: can be named, not put back

    def put_back(self, before: Any) -> str:
        """What had changed, in words; empty where nothing had."""
        try:
            after = self.read()
        except Exception as error:  # a default device that is not there, a working directory that is gone
            after = error
        if self.write is None:
            return "" if after <= before else f"{self.name} (not to be put back)"
        if after == before:
            return ""
        try:
            self.write(before)
        except Exception:
            return f"{self.name} changed (not to be put back)"
        return f"{self.name} changed (put back)"


def _attribute(owner: Any, name: str) -> tuple[Callable[[], Any], Callable[[Any], Any]]:
    return lambda: getattr(owner, name), lambda saved: setattr(owner, name, saved)


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


def _device() -> str:
    # torch 2.4's get_default_device fails after set_default_device(None); an empty tensor tells as well
    return str(torch.empty(0).device)


AT_ONCE = (  # put back after each call, since the rest of a spec would stumble over it
    Setting("the warnings filters", _filters, lambda saved: None),  # State's context puts them back
    Setting("the default device", _device, lambda saved: torch.set_default_device(None if saved == "cpu" else saved)),
    Setting("the default dtype", torch.get_default_dtype, torch.set_default_dtype),
    Setting("the gradient mode", torch.is_grad_enabled, torch.set_grad_enabled),
    *(
        Setting(
            f"autocast on {kind}", partial(torch.is_autocast_enabled, kind), partial(torch.set_autocast_enabled, kind)
        )
        for kind in ("cpu", "cuda")
    ),
    Setting("anomaly detection", torch.is_anomaly_enabled, torch.autograd.set_detect_anomaly),
    Setting("torch's number of threads", torch.get_num_threads, torch.set_num_threads),
    Setting(
        "the deterministic flag",
        lambda: (torch.are_deterministic_algorithms_enabled(), torch.is_deterministic_algorithms_warn_only_enabled()),
        lambda saved: torch.use_deterministic_algorithms(saved[0], warn_only=saved[1]),
    ),
)
AT_THE_END = (
    Setting("cuDNN's deterministic flag", *_attribute(torch.backends.cudnn, "deterministic")),
    Setting("cuDNN's benchmark flag", *_attribute(torch.backends.cudnn, "benchmark")),
    Setting("the recursion limit", sys.getrecursionlimit, sys.setrecursionlimit),
    Setting("the environment", _environment, _set_environment),
    Setting("the working directory", os.getcwd, os.chdir),
    Setting("sys.path", lambda: list(sys.path), lambda saved: sys.path.__setitem__(slice(None), saved)),
    Setting("inference mode", torch.is_inference_mode_enabled, None),
    Setting("a running thread", lambda: {thread.name for thread in threading.enumerate() if not thread.daemon}, None),
    Setting("an open process group", lambda: dist.is_available() and dist.is_initialized(), None),
)
WATCHED: tuple[Any, ...] = (
    *(torch, torch.autograd, torch.nn, torch.nn.functional, torch.testing),
    *(torch.Tensor, torch.nn.Module, torch.optim.Optimizer),
)
UNWATCHED = ("__warningregistry__", "__annotations__")  # Python's own
STREAMS: tuple[Any, ...] = (
    (random.getstate, random.setstate),
    (numpy.random.get_state, numpy.random.set_state),
    (torch.get_rng_state, torch.set_rng_state),
)


def _by_torch(value: Any, before: Any) -> bool:
    """Whether torch put it there itself: torch._dynamo wraps torch.manual_seed when the first optimizer imports it."""
    code = getattr(value, "__code__", None)
    theirs = code is not None and Path(code.co_filename).is_relative_to(Path(torch.__file__).parent)
    return theirs and getattr(value, "__wrapped__", None) is before


def _hiding(owner: Any) -> set[str]:
    """The names that a class has of its own and from a base: most methods of torch.Tensor are its base's."""
    return {name for base in getattr(owner, "__mro__", ())[1:] for name in vars(owner).keys() & vars(base).keys()}


class State:
    """The process as it was when this was made; with `whole=False` only what a call must not leave."""

    def __init__(self, whole: bool = True) -> None:
        self._warnings = warnings.catch_warnings()
        self._warnings.__enter__()
        self._settings = [(setting, setting.read()) for setting in (*AT_ONCE, *(AT_THE_END if whole else ()))]
        self._attributes = [(owner, dict(vars(owner))) for owner in (WATCHED if whole else ())]
        self._streams = [(write, read()) for read, write in STREAMS]

    def restore(self) -> list[str]:
        """Put everything back, random streams too; what had changed, in words."""
        try:
            return self.settle()
        finally:
            self.rewind()

    def settle(self) -> list[str]:
        """Put everything back but the random streams; what had changed, in words."""
        try:
            found = [said for setting, before in self._settings if (said := setting.put_back(before))]
            for owner, attributes in self._attributes:
                now = vars(owner)
                # what was there before alone: the first optimizer adds attributes to torch
                for name, value in attributes.items():
                    if now.get(name) is not value and name not in UNWATCHED and not _by_torch(now.get(name), value):
                        found.append(f"{owner.__name__}.{name} changed (put back)")
                        setattr(owner, name, value)
                for name in _hiding(owner) - attributes.keys():
                    found.append(f"{owner.__name__}.{name} changed (put back)")
                    delattr(owner, name)
            return found
        finally:
            self._warnings.__exit__(None, None, None)

    def rewind(self) -> None:
        """Put the random streams back."""
        for write, saved in self._streams:
            write(saved)
