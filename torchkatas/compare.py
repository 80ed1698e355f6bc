"""How what was observed differs from what is right: type, shape, dtype, device, graph, then values.

Shape goes before values because torch.isclose broadcasts. torch.testing.assert_close is not used: its first call
imports half a second of modules (torch 2.13).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy
import torch

from torchkatas.pretend import home

# as torch.testing.assert_close: rtol, atol by dtype; whatever is not listed is exact
TOLERANCE = {
    torch.float16: (1e-3, 1e-5),
    torch.bfloat16: (1.6e-2, 1e-5),
    torch.float32: (1.3e-6, 1e-5),
    torch.float64: (1e-7, 1e-7),
    torch.complex64: (1.3e-6, 1e-5),
    torch.complex128: (1e-7, 1e-7),
}


class Raised:
    """An exception as an observation: it equals another of the same class and text."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Raised) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))

    def __repr__(self) -> str:
        try:
            text = str(self.error).split("\n", 1)[0][:500]
        except Exception as error:
            text = f"<its text raises {type(error).__name__}>"
        return f"{type(self.error).__name__}: {text}" if text else type(self.error).__name__


class Refusal(NamedTuple):
    """What is right where an exception is: its class, and one word of its text."""

    kind: type[Exception]
    word: str = ""

    def __repr__(self) -> str:
        return f"{self.kind.__name__} naming {self.word!r}" if self.word else self.kind.__name__


class Rule(NamedTuple):
    """How closely: tolerances (None: by dtype), and whether the graph and the exact type count."""

    rtol: float | None = None
    atol: float | None = None
    graph: bool | None = None  # None: attached where what is right is; False: it must be detached
    strict: bool = False  # two observations are one only if a reader could not tell them apart

    def close(self, dtype: torch.dtype) -> dict[str, float]:
        rtol, atol = TOLERANCE.get(dtype, (0.0, 0.0))
        return {"rtol": rtol if self.rtol is None else self.rtol, "atol": atol if self.atol is None else self.atol}


class Difference(NamedTuple):
    """The first thing that is wrong. `slip` is a sentence where the kind of thing is wrong, not the value."""

    slip: str = ""
    detail: str = ""
    at: str = ""  # where in nested lists and dicts

    def inside(self, where: str) -> Difference:
        return self._replace(at=f"{where}{self.at}")

    @property
    def sentence(self) -> str:
        return f"At {self.at}: {self.slip}" if self.slip and self.at else self.slip

    @property
    def evidence(self) -> str:
        return f"first at {self.at}: {self.detail}" if self.detail and self.at else self.detail


_equal, _isclose = torch.equal, torch.isclose  # as they were before any answer was loaded
USUAL = Rule()
WRONG = Difference()


def same(one: Any, other: Any) -> bool:
    """Whether two observations are one and the same."""
    return difference(one, other, Rule(strict=True)) is None


def difference(got: Any, right: Any, rule: Rule = USUAL) -> Difference | None:
    """None where `got` is right."""
    if isinstance(right, Refusal):
        return None if isinstance(got, Refusal) and got == right else _refused(got, right)
    if isinstance(got, Raised) or isinstance(right, Raised):
        return None if isinstance(got, Raised) and got == right else WRONG
    if rule.strict and type(got) is not type(right):
        return WRONG
    if got is None and right is not None:
        return Difference("None came back: a `return` is missing, or what it returns is None.")
    if isinstance(right, torch.Tensor):
        return _tensor(got, right, rule) if isinstance(got, torch.Tensor) else _instead(got, "a tensor")
    if isinstance(right, numpy.ndarray):
        if not isinstance(got, numpy.ndarray):
            return _instead(got, "a NumPy array")
        if got.dtype != right.dtype:
            return Difference(f"The dtype is {got.dtype} where {right.dtype} is asked.")
        return _tensor(torch.from_numpy(got.copy()), torch.from_numpy(right.copy()), rule)
    if isinstance(right, Mapping):
        if not isinstance(got, Mapping):
            return _instead(got, "a dict")
        return _first(got, right, right, rule) if got.keys() == right.keys() else WRONG
    if isinstance(right, Sequence) and not isinstance(right, (str, bytes)):
        if not isinstance(got, Sequence) or isinstance(got, str):
            return _instead(got, f"{_a(right).lower()} of {len(right)}")
        if len(got) != len(right):
            return Difference("", f"{len(got)} in place of {len(right)}")
        return _first(got, right, range(len(right)), rule)
    return _plain(got, right, rule)


def shown(got: Any, right: Any, rule: Rule) -> tuple[Any, Any]:
    """Both as a learner is to see them: where a graph is not what is wrong, no requires_grad and no grad_fn."""
    if isinstance(got, torch.Tensor) and isinstance(right, torch.Tensor):
        return (got, right) if _graph(got, right, rule) else (got.detach(), right.detach())
    if type(got) is dict and type(right) is dict and got.keys() == right.keys():
        pairs = {key: shown(got[key], right[key], rule) for key in right}
        return {key: pair[0] for key, pair in pairs.items()}, {key: pair[1] for key, pair in pairs.items()}
    if type(got) in (list, tuple) and type(right) in (list, tuple) and len(got) == len(right):
        both = [shown(*pair, rule) for pair in zip(got, right, strict=True)]
        return type(got)(pair[0] for pair in both), type(right)(pair[1] for pair in both)
    return got, right


NAMES = {
    torch.Tensor: "tensor",
    torch.nn.Parameter: "Parameter",
    numpy.ndarray: "NumPy array",
    torch.Size: "torch.Size",
}


def _a(thing: Any) -> str:
    """`A list`, `An int`, `A tensor`, `A NumPy array`."""
    name = NAMES.get(type(thing), type(thing).__name__)
    return f"{'An' if name[0] in 'aeiou' else 'A'} {name}"


def _instead(got: Any, asked: str) -> Difference:
    return Difference(f"{_a(got)} came back where {asked} is asked.")


def _first(got: Any, right: Any, keys: Iterable[Any], rule: Rule) -> Difference | None:
    found = ((key, difference(got[key], right[key], rule)) for key in keys)
    return next((one.inside(f"[{key!r}]") for key, one in found if one is not None), None)


def _refused(got: Any, right: Refusal) -> Difference | None:
    kind = right.kind.__name__
    if not isinstance(got, Raised):
        return Difference(f"Nothing was raised where {kind} is asked.")
    if not isinstance(got.error, right.kind):
        return Difference(f"{type(got.error).__name__} was raised where {kind} is asked.")
    if right.word.lower() not in str(got.error).lower():
        return Difference(f"{kind} was raised, but its text does not say {right.word!r}, as the docstring asks.")
    return None


def _plain(got: Any, right: Any, rule: Rule) -> Difference | None:
    if right is None:
        return None if got is None else _instead(got, "None")
    foreign = (torch.Tensor, numpy.ndarray, *(() if isinstance(right, numpy.generic) else (numpy.generic,)))
    if isinstance(got, foreign):
        return _instead(got, f"a Python {type(right).__name__}")
    if isinstance(right, bool) or isinstance(got, bool):
        return None if got is right else WRONG
    if isinstance(right, float) and isinstance(got, (int, float)):
        close = rule.close(torch.float32)  # a Python float often comes from a float32 tensor
        ok = _isclose(torch.tensor(float(got)).double(), torch.tensor(right).double(), equal_nan=True, **close)
        return None if ok else WRONG
    if isinstance(right, int) and not isinstance(got, int):
        return _instead(got, "a Python int")
    try:
        return None if bool(got == right) else WRONG
    except Exception:
        return WRONG


def _tensor(got: torch.Tensor, right: torch.Tensor, rule: Rule) -> Difference | None:
    if got.shape != right.shape:
        alike = got.numel() == right.numel() and home(got) == home(right)
        fits = alike and _close(got.reshape(-1), right.reshape(-1), rule)
        what = "The values are right, the shape is not:" if fits else "The shape is"
        return Difference(f"{what} {tuple(got.shape)} where {tuple(right.shape)} is asked.")
    if got.dtype != right.dtype:
        return Difference(f"The dtype is {got.dtype} where {right.dtype} is asked.".replace("torch.", ""))
    if home(got) != home(right):  # also where a device was pretended, and is no more
        return Difference(f"The result lies on {home(got)} where {home(right)} is asked.")
    if not _close(got, right, rule):
        return _values(got.detach(), right.detach(), rule)
    slip = _graph(got, right, rule)
    return Difference(slip) if slip else None


def _graph(got: torch.Tensor, right: torch.Tensor, rule: Rule) -> str:
    """The sentence where values are right and the graph is not; empty where it is right too, or not judged."""
    attached = right.requires_grad if rule.graph is None else rule.graph
    if attached and not got.requires_grad:
        return "The values are right, but detached from the graph: no gradient can flow back through them."
    if attached and right.grad_fn is not None and got.grad_fn is None and not rule.strict:
        return (
            "requires_grad was switched on for a finished result: that makes a new leaf, from which no path leads back."
        )
    if not attached and got.requires_grad and (rule.graph is False or rule.strict):
        return "The values are right, but still part of a graph, where they are to stand alone."
    return ""


def _close(got: torch.Tensor, right: torch.Tensor, rule: Rule) -> bool:
    """Whether the values of two tensors of one shape are close; of another dtype or device they never are."""
    if (got.dtype, got.device) != (right.dtype, right.device):
        return False
    if got.device.type == "meta":
        return True  # without data there is no value to differ
    with torch.no_grad():  # equal is twenty times as fast as the question how close they are
        return _equal(got, right) or bool(_isclose(got, right, equal_nan=True, **rule.close(right.dtype)).all())


def _values(got: torch.Tensor, right: torch.Tensor, rule: Rule) -> Difference:
    wrong = ~_isclose(got, right, equal_nan=True, **rule.close(right.dtype))
    at = [int(i) for i in wrong.nonzero()[0]]
    slip, detail = "", f"{got[tuple(at)].item()} where {right[tuple(at)].item()} is right"
    if right.numel() > 1:
        detail += f" ({int(wrong.sum())} of {right.numel()} differ)"
    elif repr(got) != repr(right):
        detail = ""  # the two themselves say it
    if got.dtype.is_floating_point and bool((got.isnan() & ~right.isnan()).any()):
        slip = "There is NaN in the result: 0/0, inf - inf, or the log of a negative number."
    return Difference(slip, detail, f"{at}" if at and detail else "")
