"""By hand: sees the call of a built-in where the learner was to write it, whatever alias or method it goes by.

A teaching check, no wall: torch.ops, code that autograd calls from C++, torch.jit and other threads are not seen.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from types import FrameType, MethodWrapperType
from typing import Any

import torch
from torch.nn.modules.module import register_module_forward_pre_hook
from torch.optim.optimizer import register_optimizer_step_pre_hook
from torch.overrides import TorchFunctionMode

from torchkatas.answers import inside

TORCH = Path(torch.__file__).parent


class ByHand(Exception):
    """A call that the kata asks to be written out; its text is the name of the call."""


class Watch(TorchFunctionMode):
    """While active, raises ByHand where code in `folder` calls one of `names`.

    Names are those of torch functions ("softmax") or module classes ("Linear"); "optim" is any step of torch.optim.
    """

    def __init__(self, names: Iterable[str], folder: Path) -> None:
        super().__init__()
        self._names, self._folder = frozenset(names), folder

    def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        # torch.special.softmax is special_softmax, torch._softmax is _softmax, x.data a method of the descriptor `data`
        named = function.__self__ if isinstance(function, MethodWrapperType) else function
        self._look(getattr(named, "__name__", "").removeprefix("special_").strip("_"))
        return function(*args, **(kwargs or {}))

    def __enter__(self) -> Watch:
        self._hooks = [
            register_optimizer_step_pre_hook(lambda optimizer, args, kwargs: self._look("optim", optimizer)),
            register_module_forward_pre_hook(lambda module, args: self._look(type(module).__name__, module)),
        ]
        super().__enter__()  # type: ignore[no-untyped-call]
        return self

    def __exit__(self, *error: Any) -> None:
        for hook in self._hooks:
            hook.remove()
        super().__exit__(*error)  # type: ignore[no-untyped-call]

    def _look(self, name: str, thing: Any = None) -> None:
        """Of a module or an optimizer, only torch's own are asked about."""
        torchs = thing is None or type(thing).__module__.startswith("torch.")
        if name in self._names and torchs and self._from_learner(sys._getframe(2)):
            raise ByHand(name if thing is None else type(thing).__name__)

    def _from_learner(self, frame: FrameType | None) -> bool:
        """Whether the nearest frame outside torch and this file is a learner's: a spec's oracle may call anything."""
        while frame is not None:
            file = frame.f_code.co_filename
            if inside(file, self._folder):
                return True
            if file != __file__ and not Path(file).is_relative_to(TORCH):
                return False
            frame = frame.f_back
        return False
