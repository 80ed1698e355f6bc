"""How what was observed differs from what is right: type, shape, dtype, device, graph, then values.

Shape goes before values because torch.isclose broadcasts. torch.testing.assert_close is not used: its first call
imports half a second of modules (torch 2.13).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy
import torch

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
        return _refused(got, right)
    if isinstance(got, Raised) or isinstance(right, Raised):
        return None if isinstance(got, Raised) and got == right else WRONG
    if rule.strict and type(got) is not type(right):
        return WRONG
    if got is None and right is not None:
        return Difference("None came back: a `return` is missing, or what it returns is None.")
    if isinstance(right, torch.Tensor):
        return _tensor(got, right, rule)
    if isinstance(right, numpy.ndarray):
        if not isinstance(got, numpy.ndarray):
            return Difference(f"{_a(got)} came back where a NumPy array is asked.")
        if got.dtype != right.dtype:
            return Difference(f"The dtype is {got.dtype} where {right.dtype} is asked.")
        return _tensor(torch.from_numpy(got.copy()), torch.from_numpy(right.copy()), rule)
    if isinstance(right, Mapping):
        if not isinstance(got, Mapping) or got.keys() != right.keys():
            return WRONG if isinstance(got, Mapping) else Difference(f"{_a(got)} came back where a dict is asked.")
        return _first(((f"[{key!r}]", got[key], right[key]) for key in right), rule)
    if isinstance(right, Sequence) and not isinstance(right, (str, bytes)):
        if not isinstance(got, Sequence) or isinstance(got, str):
            return Difference(f"{_a(got)} came back where {_a(right).lower()} of {len(right)} is asked.")
        if len(got) != len(right):
            return Difference("", f"{len(got)} came back where {len(right)} are asked")
        return _first(((f"[{i}]", g, r) for i, (g, r) in enumerate(zip(got, right, strict=True))), rule)
    return _plain(got, right, rule)


def _a(thing: Any) -> str:
    """`A list`, `An int`, `A tensor`, `A NumPy array`."""
    names = {
        torch.Tensor: "tensor",
        torch.nn.Parameter: "Parameter",
        numpy.ndarray: "NumPy array",
        torch.Size: "torch.Size",
    }
    name = names.get(type(thing), type(thing).__name__)
    return f"{'An' if name[0] in 'aeiou' else 'A'} {name}"


def _first(parts: Any, rule: Rule) -> Difference | None:
    for where, got, right in parts:
        found = difference(got, right, rule)
        if found is not None:
            return found.inside(where)
    return None


def _refused(got: Any, right: Refusal) -> Difference | None:
    if not isinstance(got, Raised):
        return Difference(f"Nothing was raised where {right.kind.__name__} is asked.")
    if not isinstance(got.error, right.kind):
        return Difference(f"{type(got.error).__name__} was raised where {right.kind.__name__} is asked.")
    if right.word.lower() not in str(got.error).lower():
        return Difference(
            f"{right.kind.__name__} was raised, but its text does not name {right.word!r}: another reason?"
        )
    return None


def _plain(got: Any, right: Any, rule: Rule) -> Difference | None:
    if right is None:
        return None if got is None else Difference(f"{_a(got)} came back where None is asked.")
    if isinstance(got, torch.Tensor) or (isinstance(got, numpy.generic) and not isinstance(right, numpy.generic)):
        return Difference(f"{_a(got)} came back where a Python {type(right).__name__} is asked.")
    if isinstance(right, bool) or isinstance(got, bool):
        return None if got is right else WRONG
    if isinstance(right, float) and isinstance(got, (int, float)):
        close = rule.close(torch.float32)  # a Python float often comes from a float32 tensor
        ok = _isclose(torch.tensor(float(got)).double(), torch.tensor(right).double(), equal_nan=True, **close)
        return None if ok else WRONG
    if isinstance(right, int) and not isinstance(got, int):
        return Difference(f"{_a(got)} came back where a Python int is asked.")
    try:
        return None if bool(got == right) else WRONG
    except Exception:
        return WRONG


def _tensor(got: Any, right: torch.Tensor, rule: Rule) -> Difference | None:
    if not isinstance(got, torch.Tensor):
        return Difference(f"{_a(got)} came back where a tensor is asked.")
    if got.shape != right.shape:
        if (
            got.numel() == right.numel()
            and got.device == right.device
            and _close(got.reshape(-1), right.reshape(-1), rule)
        ):
            return Difference(
                f"The values are right, the shape is not: {tuple(got.shape)} where {tuple(right.shape)} is asked."
            )
        return Difference(f"The shape is {tuple(got.shape)} where {tuple(right.shape)} is asked.")
    if got.dtype != right.dtype:
        return Difference(f"The dtype is {_short(got.dtype)} where {_short(right.dtype)} is asked.")
    if got.device != right.device:
        return Difference(f"The result lies on {got.device} where {right.device} is asked.")
    if not _close(got, right, rule):
        return _values(got.detach(), right.detach(), rule)
    attached = right.requires_grad if rule.graph is None else rule.graph
    if attached and not got.requires_grad:
        return Difference("The values are right, but detached from the graph: no gradient can flow back through them.")
    if attached and right.grad_fn is not None and got.grad_fn is None and not rule.strict:
        return Difference(
            "requires_grad was switched on for a finished result: that makes a new leaf, from which no path leads back."
        )
    if not attached and got.requires_grad and (rule.graph is False or rule.strict):
        return Difference("The values are right, but still part of a graph, where they are to stand alone.")
    return None


def _short(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def _close(got: torch.Tensor, right: torch.Tensor, rule: Rule) -> bool:
    if got.device.type == "meta" or right.device.type == "meta":
        return got.device.type == right.device.type  # without data there is no value to differ
    if got.dtype == right.dtype and _equal(got, right):
        return True  # twenty times as fast as the question how close they are
    with torch.no_grad():
        if got.dtype != right.dtype:
            got, right = (
                got.to(torch.promote_types(got.dtype, right.dtype)),
                right.to(torch.promote_types(got.dtype, right.dtype)),
            )
        return bool(_isclose(got, right, equal_nan=True, **rule.close(right.dtype)).all())


def _values(got: torch.Tensor, right: torch.Tensor, rule: Rule) -> Difference:
    wrong = ~_isclose(got, right, equal_nan=True, **rule.close(right.dtype))
    at = [int(i) for i in wrong.nonzero()[0]]
    slip, detail = "", ""
    if right.numel() > 1:
        pair = f"{got[tuple(at)].item()} where {right[tuple(at)].item()} is right"
        detail = f"{pair} ({int(wrong.sum())} of {right.numel()} differ)"
    if got.dtype.is_floating_point and bool((got.isnan() & ~right.isnan()).any()):
        slip = "There is NaN in the result: 0/0, inf - inf, or the log of a negative number."
    return Difference(slip, detail, f"{at}" if detail else "")
