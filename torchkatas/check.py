"""One check: a spec hands in what it observed and what is right.

check(kata.weight_gradient, x1=x1, w1=w1, b=b, y=y).gives(right)           a call, its value
check(kata.one_hot, label=3, classes=3).raises(ValueError, "label")        a call, its refusal
check.each(kata.rank, [torch.tensor(5), torch.tensor([5])]).gives([0, 1])  a small answer, asked for in a table
check.saw(kata.step, weights, call="three steps").gives(right)             what the spec observed by itself
"""

from __future__ import annotations

import contextlib
import inspect
import io
import re
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy
import torch
from torch import nn

from torchkatas import launch, ranks
from torchkatas.by_hand import ByHand, Watch
from torchkatas.compare import USUAL, WRONG, Difference, Raised, Refusal, Rule, difference, same, shown
from torchkatas.guard import State
from torchkatas.pretend import Pretend
from torchkatas.rank import RankFault, World

MEMORY = {  # by whether it is shared
    True: "The values are right, but the result shares its memory with the input, where a copy is asked.",
    False: "The values are right, but the result has memory of its own, where a view is asked.",
}


class Mismatch(AssertionError):
    """An observation that is not right. `index` counts the checks of its test."""

    def __init__(self, index: int, seen: Seen, right: Any, found: Difference) -> None:
        super().__init__(found.sentence or f"{seen.function} is not right")
        self.index, self.seen, self.right, self.found = index, seen, right, found

    def reason(self) -> str:
        """The sentence where no entry of the bank has one; empty where there is nothing to say but what was seen."""
        if isinstance(self.__cause__, ByHand):
            return f"{self.__cause__} does the work here; this kata asks you to write it by hand."
        if isinstance(self.__cause__, RankFault):
            return str(self.__cause__)
        return self.found.sentence or self.seen.spoilt()

    def lines(self) -> list[str]:
        """The call, expected and got, as a learner reads them."""
        row, got, right = self.seen.first(self.right)
        lines = [self.seen.call(row)]
        if not isinstance(got, Raised):
            wrong = _wrong_in(got, right, self.seen.rule) if len(_text(right)) > 100 else (got, right)
            part = wrong[1] is not right
            got, right = shown(*wrong, self.seen.rule)
            lines += [*_labelled("expected", right, part), *_labelled("got", got, part)]
            lines += [f"{'':<10}(the other items are right)"] if part else []
        elif isinstance(right, Refusal):  # of any other crash the frames and words say more
            lines += _labelled("expected", right)
        if self.found.evidence:
            lines.append(f"{'':<10}{self.found.evidence}")
        return lines


@dataclass(eq=False)
class Seen:
    """What one check observed, until `gives` or `raises` judges it."""

    check: Check
    function: str
    outcome: Any
    rows: list[dict[str, Any]] = field(default_factory=list)  # the inputs of each call, by name, as before it
    table: bool = False  # whether the outcome is a list with one for each row
    text: str = ""  # how the spec observed it, in words
    changed: list[str] = field(default_factory=list)
    warned: list[str] = field(default_factory=list)
    shares: bool | None = None
    rule: Rule = USUAL

    def __post_init__(self) -> None:
        self.check.open = self

    @property
    def value(self) -> Any:
        """What the call returned, for a spec that looks further into it; a crash is a mismatch."""
        __tracebackhide__ = True
        self.check.open = None
        if isinstance(self.outcome, Raised):
            self._judge(None, WRONG)
        return self.outcome

    def part(self, key: Any) -> Seen:
        """One item of the dict that was observed, on each rank: a check of its own, by which a mistake is named too."""

        def item(outcome: Any) -> Any:
            return outcome if isinstance(outcome, Raised) else {key: outcome[key]}

        return replace(self, outcome=list(map(item, self.outcome)) if self.table else item(self.outcome))

    def gives(
        self,
        right: Any,
        *,
        exact: bool = False,
        rtol: float | None = None,
        atol: float | None = None,
        graph: bool | None = None,
        shares: Any = None,
        apart: Any = None,
        changes: Iterable[str] = (),
        quiet: bool = False,
    ) -> None:
        """Judge the value.

        exact: nothing rounds here; graph=False: no graph may hang on it; shares, apart: what its memory is, or is not,
        to be shared with; changes: the inputs that the contract lets the call change; quiet: no warning may be raised.
        """
        __tracebackhide__ = True
        self.rule = Rule(0.0, 0.0, graph) if exact else Rule(rtol, atol, graph)
        if self.table and isinstance(right, Sequence):
            self.outcome = list(map(_as_asked, self.outcome, right))
        other = shares if shares is not None else apart
        if other is not None and not isinstance(self.outcome, Raised):
            self.shares = _share_memory(self.outcome, other)
        self.changed = [name for name in self.changed if name.partition(".")[0] not in changes]
        self.warned = self.warned if quiet else []
        beside = self.spoilt()
        if not beside and self.shares is not None and self.shares != (shares is not None):
            beside = MEMORY[self.shares]
        if not beside and self.warned:
            beside = f"It works, but with a warning: {self.warned[0]}"
        self._judge(right, difference(self.outcome, right, self.rule) or (Difference(beside) if beside else None))

    def spoilt(self) -> str:
        """The sentence about inputs that were changed; empty where none was."""
        names = " and ".join(self.changed)
        return names and f"The input {names} was changed in place; the caller still needs it as it was."

    def raises(self, kind: type[Exception], word: str = "") -> None:
        """Judge the refusal: its class, and one stable word of its text."""
        __tracebackhide__ = True
        right = Refusal(kind, word)
        self._judge(right, difference(self.outcome, right))

    def call(self, row: int = 0) -> str:
        """The call as the learner would write it."""
        if self.text:
            return f"{self.function}: {self.text}{f', on rank {row}' if self.table else ''}"
        return f"{self.function}({', '.join(f'{name}={_short(value)}' for name, value in self.rows[row].items())})"

    def first(self, right: Any) -> tuple[int, Any, Any]:
        """The row to show, what came of it and what is right there: the first that differs, or the only one."""
        if not self.table or not isinstance(right, Sequence):
            return 0, self.outcome, right
        pairs = list(zip(self.outcome, right, strict=False))
        row = next((row for row, (got, wanted) in enumerate(pairs) if difference(got, wanted, self.rule)), 0)
        return row, *pairs[row]

    def __eq__(self, other: object) -> bool:
        """Whether a reader could not tell the two apart."""
        return isinstance(other, Seen) and same(self._facts(), other._facts())

    def _facts(self) -> list[Any]:
        return [self.outcome, self.changed, self.shares, self.warned]

    def _judge(self, right: Any, found: Difference | None) -> None:
        __tracebackhide__ = True
        self.check.open = None
        if found is None:
            self.check.judged += 1
            return
        _, got, wanted = self.first(right)
        if self.table and (apart := difference(got, wanted, self.rule)):
            found = apart  # told of the row that is shown, not of its place in the table
        raise Mismatch(self.check.judged, self, right, found) from (got.error if isinstance(got, Raised) else None)


@dataclass(eq=False)
class Check:
    """The check of one test: calls code under test, and counts what was judged."""

    folder: Path  # of the answers
    forbidden: Sequence[str]  # the calls that are to be written by hand
    unwritten: Callable[[BaseException], object]  # whether an error says that a stub is still to be written
    notes: list[str]
    judged: int = 0
    open: Seen | None = None  # observed and not judged yet

    def __call__(self, function: Callable[..., Any], /, *args: Any, **inputs: Any) -> Seen:
        """Call the function and observe its value or its exception, and whether it changed an input."""
        return self._observe(function, [(args, inputs)])

    def each(self, function: Callable[..., Any], rows: Iterable[Any]) -> Seen:
        """Ask for a small answer on every row: a tuple of arguments, a dict of named ones, or the only one."""
        calls = [
            ((), row) if isinstance(row, dict) else (row if isinstance(row, tuple) else (row,), {}) for row in rows
        ]
        return self._observe(function, calls, table=True)

    def saw(self, function: Callable[..., Any], observed: Any, call: str) -> Seen:
        """Take in what the spec observed by itself; `call` says in words how."""
        return Seen(self, _name(function), observed, text=call)

    def ranks(
        self,
        function: Callable[..., Any],
        body: Callable[..., Any],
        kata: Any,
        world: World,
        /,
        call: str,
        **given: Any,
    ) -> Seen:
        """Observe what `body(kata, rank, **given)`, a function of the spec's module, gives on each rank of a world.

        `gives` takes a list with what is right on each; a fault of the group as a whole is one exception.
        """
        return self._ranks(
            function, lambda: ranks.run(body, kata, world, given, self.folder, tuple(self.forbidden)), call
        )

    def script(self, main: Callable[..., Any], world: World, *args: str) -> Seen:
        """Observe a script, of whose module `main` is a function, started with these arguments alone or by torchrun.

        On each rank: {"printed": its lines, one of JSON as its value, "group": whether its group is up at the end}; the
        error of the first rank that raised one is the whole outcome. What is unwritten, stuck or wrong on purpose is
        known from a rehearsal.
        """
        call, script = launch.command(main, world, args), (main.__module__, world, args, self.folder)
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            seen = self._ranks(main, lambda: launch.rehearse(*script), call)
        stuck = isinstance(seen.outcome, Raised) and isinstance(seen.outcome.error, RankFault)
        if stuck or self.folder.name in ("mistakes", "alternates"):  # they are many, and torchrun takes seconds
            print(printed.getvalue(), end="")
            return seen
        return self._ranks(main, lambda: launch.run(*script), call)

    def _ranks(self, function: Callable[..., Any], run: Callable[[], Any], call: str) -> Seen:
        try:
            outcome: Any = run()
        except Exception as error:
            outcome = Raised(error)
        whole = isinstance(outcome, Raised)
        for raised in [outcome] if whole else outcome:
            if isinstance(raised, Raised) and self.unwritten(raised.error):
                raise raised.error
        return Seen(self, _name(function), outcome, table=not whole, text=call)

    def _observe(self, function: Callable[..., Any], calls: Any, table: bool = False) -> Seen:
        given = [_named(function, args, inputs) for args, inputs in calls]
        rows = [_kept(row) for row in given]
        warned: list[str] = []
        outcomes = [self._call(function, args, inputs, warned) for args, inputs in calls]
        changed = [
            f"{name}{how}"
            for was, now in zip(rows, given, strict=True)
            for name in was
            if (how := _changed(was[name], now[name])) is not None
        ]
        outcome = outcomes if table else outcomes[0]
        return Seen(self, _name(function), outcome, rows, table, changed=list(dict.fromkeys(changed)), warned=warned)

    def _call(self, function: Callable[..., Any], args: Any, inputs: Any, warned: list[str]) -> Any:
        seed = torch.initial_seed()
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            before = State(whole=False)
            try:
                with Watch(self.forbidden, self.folder) if self.forbidden else contextlib.nullcontext():
                    outcome = function(*args, **inputs)
            except Exception as error:
                if self.unwritten(error):
                    raise
                outcome = Raised(error)
            finally:
                self.notes += [f"left {leak}" for leak in before.settle()]
        if torch.initial_seed() != seed:
            self.notes.append("seeded torch's global random stream (put back)")
        for warning in heard:
            if Path(warning.filename).name.startswith("test_"):  # a spec's own
                module = f"katas.{Path(warning.filename).stem}"  # by which the filters know ours
                warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno, module)
            else:
                warned.append(str(warning.message).split("\n", 1)[0])
                self.notes.append(f"warned: {warned[-1]}")
        return outcome


def _name(function: Any) -> str:
    """The name of a function; of a module or a partial, that of its class."""
    return str(getattr(function, "__name__", type(function).__name__))


def _text(value: Any) -> str:
    """repr, of whatever comes back: a module without super().__init__() has none."""
    try:
        with Pretend():  # which shows where a tensor claims to lie
            return repr(value)
    except Exception as error:
        return f"<{type(value).__name__}, whose repr raises {type(error).__name__}>"


def _named(function: Callable[..., Any], args: Any, inputs: Any) -> dict[str, Any]:
    try:
        return dict(inspect.signature(function).bind(*args, **inputs).arguments)
    except (TypeError, ValueError):
        return {**{str(i): value for i, value in enumerate(args)}, **inputs}


def _kept(value: Any) -> Any:
    """A copy of an input as it was before the call."""
    if isinstance(value, torch.Tensor):
        copy = value.detach().clone().requires_grad_(value.requires_grad)
        return nn.Parameter(copy, value.requires_grad) if isinstance(value, nn.Parameter) else copy
    if isinstance(value, numpy.ndarray):
        return value.copy()
    if isinstance(value, dict):
        kept = value.copy()  # of its own class
        kept.update({key: _kept(item) for key, item in value.items()})
        return kept
    if type(value) in (list, tuple):
        return type(value)(_kept(item) for item in value)
    return value


def _changed(was: Any, now: Any) -> str | None:
    """None where an input is as it was; else what of it is not: "" its value, ".requires_grad" that flag alone."""
    if not isinstance(now, (torch.Tensor, numpy.ndarray, dict, list, tuple)) or same(was, now):
        return None
    if isinstance(was, torch.Tensor) and isinstance(now, torch.Tensor) and same(was.detach(), now.detach()):
        return ".requires_grad"
    return ""


def _as_asked(got: Any, right: Any) -> Any:
    """What came of a row; where that is the refusal that is asked, no more than that: its words are the learner's."""
    return right if isinstance(right, Refusal) and difference(got, right) is None else got


def _share_memory(one: Any, other: Any) -> bool:
    arrays = [_memory(one), _memory(other)]
    return all(isinstance(x, numpy.ndarray) for x in arrays) and numpy.may_share_memory(arrays[0], arrays[1])


def _memory(value: Any) -> Any:
    """The bytes under a tensor, of whatever dtype, as an array; an array itself."""
    if not isinstance(value, torch.Tensor):
        return value
    if value.device.type != "cpu" or value.layout != torch.strided:
        return None  # what lies elsewhere is told before memory is
    return torch.empty(0, dtype=torch.uint8).set_(value.untyped_storage()).numpy()


def _short(value: Any) -> str:
    """A value on one line."""
    if callable(value) and hasattr(value, "__name__"):
        return str(value.__name__)
    if isinstance(value, torch.optim.Optimizer):
        return type(value).__name__  # all that its repr has are its settings, of which most are defaults
    text = re.sub(r"\s+", " ", _text(value))
    return text if len(text) <= 100 else f"{text[:96]} ..."


def cut(text: str, most: int) -> list[str]:
    """The head and the tail of a text: a long value or a runaway print must not drown the sentence."""
    lines = [line if len(line) <= 200 else f"{line[:200]} ..." for line in text[:100_000].splitlines()]
    half = most // 2
    return lines if len(lines) <= most else [*lines[:half], f"... {len(lines) - most} lines ...", *lines[-half:]]


def _wrong_in(got: Any, right: Any, rule: Rule) -> tuple[Any, Any]:
    """What is wrong in dicts; the dicts themselves where that is all of them."""
    if not (type(got) is type(right) is dict and got.keys() == right.keys()):
        return got, right
    wrong = {key: _wrong_in(got[key], right[key], rule) for key in right if difference(got[key], right[key], rule)}
    if not wrong or all(key in wrong and wrong[key][1] is item for key, item in right.items()):
        return got, right
    return {key: pair[0] for key, pair in wrong.items()}, {key: pair[1] for key, pair in wrong.items()}


def _labelled(label: str, value: Any, part: bool = False) -> list[str]:
    """A value over several lines behind its label; a long dict, or a part of one, item by item."""
    text = _text(value)
    if isinstance(value, dict) and (part or len(text) > 100):
        text = "\n".join(f"{key!r}: {_text(item)}" for key, item in value.items())
    first, *rest = cut(text, 12) or [""]
    return [f"{label:<10}{first}", *(f"{'':<10}{line}" for line in rest)]
