"""What a spec observes of training beyond values: order of calls, modes, state to the bit, and what holds a graph.

All of it is watched on real models and optimizers through torch's public hooks; no source is read.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Mapping
from typing import Any

import torch
from torch import Tensor, nn


class Trace:
    """Records in order what a training loop does: `with Trace(model, optimizer) as trace: kata.train(...)`.

    events: "forward", "zero_grad", "backward", "step", as they happened; each pass through the graph is one "backward".
    gradients: at each step, those of the model's parameters by name; None where a parameter had none.
    modes: at each forward, whether each submodule was in training mode, by name ("" is the model).
    A learner may clear gradients by hand: no event then, but the gradients at the next step tell.
    """

    def __init__(self, model: nn.Module, optimizer: torch.optim.Optimizer) -> None:
        self._model, self._optimizer = model, optimizer
        self.events: list[str] = []
        self.gradients: list[dict[str, Tensor | None]] = []
        self.modes: list[dict[str, bool]] = []
        self._reached: set[int] = set()

    def __enter__(self) -> Trace:
        self._hooks: list[Any] = [
            self._model.register_forward_pre_hook(lambda module, args: self._forward()),
            self._optimizer.register_step_pre_hook(lambda optimizer, args, kwargs: self._step()),
        ]
        for parameter in self._model.parameters():
            if parameter.requires_grad:
                hook = parameter.register_post_accumulate_grad_hook(self._backward)  # type: ignore[no-untyped-call]
                self._hooks.append(hook)
        for thing in (self._model, self._optimizer):
            thing.zero_grad = self._clearing(thing.zero_grad)  # type: ignore[method-assign]
        return self

    def __exit__(self, *error: object) -> None:
        for hook in self._hooks:
            hook.remove()
        for thing in (self._model, self._optimizer):
            del thing.zero_grad

    def _say(self, event: str) -> None:
        self._reached.clear()
        self.events.append(event)

    def _forward(self) -> None:
        self._say("forward")
        self.modes.append(modes(self._model))

    def _backward(self, parameter: Tensor) -> None:
        # one pass reaches each parameter once: the second time is the next pass
        if not self._reached or id(parameter) in self._reached:
            self._say("backward")
        self._reached.add(id(parameter))

    def _step(self) -> None:
        self._say("step")
        named = self._model.named_parameters()
        self.gradients.append({name: None if p.grad is None else p.grad.detach().clone() for name, p in named})

    def _clearing(self, zero_grad: Any) -> Any:
        def cleared(*args: Any, **kwargs: Any) -> None:
            self._say("zero_grad")
            zero_grad(*args, **kwargs)

        return cleared


def modes(model: nn.Module) -> dict[str, bool]:
    """Whether each module is in training mode, by name; the model itself is ""."""
    return {name: module.training for name, module in model.named_modules()}


def state(model: nn.Module) -> dict[str, Tensor]:
    """A copy of all parameters and buffers, those that are not persistent too, by name."""
    named = [*model.named_parameters(), *model.named_buffers()]
    return {name: tensor.detach().clone() for name, tensor in named}


ALIKE: dict[str, list[str]] = {"missing": [], "too many": [], "different": []}  # what `compared` gives for equal states


def compared(got: Any, right: Mapping[str, Tensor]) -> dict[str, Any]:
    """A state beside the right one: the names it lacks, those it has too many, those whose tensors differ by a bit."""
    if not isinstance(got, Mapping):
        return {"it is of type": type(got).__name__}
    return {
        "missing": [name for name in right if name not in got],
        "too many": sorted(str(name) for name in got if name not in right),
        "different": [name for name, tensor in right.items() if name in got and not _equal(got[name], tensor)],
    }


def _equal(got: Any, right: Tensor) -> bool:
    return isinstance(got, Tensor) and got.dtype == right.dtype and torch.equal(got, right)


def graph_size(value: Any) -> int:
    """How many graph nodes hang on the tensors in a value (nested lists, tuples, dicts); 0 where none does."""
    seen: set[Any] = set()
    waiting = [tensor.grad_fn for tensor in _tensors(value) if tensor.grad_fn is not None]
    while waiting:
        node = waiting.pop()
        if node not in seen:
            seen.add(node)
            waiting += [following for following, _ in node.next_functions if following is not None]
    return len(seen)


class Graphs:
    """How many graphs are alive: a model's forward returns graphs.tie(outputs), and len(graphs) counts them."""

    def __init__(self) -> None:
        self._tokens: weakref.WeakSet[_Token] = weakref.WeakSet()

    def tie(self, outputs: Tensor) -> Tensor:
        return _Tied.apply(outputs, self._tokens)  # type: ignore[no-any-return, no-untyped-call]

    def __len__(self) -> int:
        return len(self._tokens)


class _Token:
    """Lives as long as the graph that it is tied to."""


class _Tied(torch.autograd.Function):
    """Does nothing, but a token is tied to its node of the graph."""

    @staticmethod
    def forward(ctx: Any, outputs: Tensor, tokens: weakref.WeakSet[_Token]) -> Tensor:
        ctx.token = _Token()
        tokens.add(ctx.token)
        return outputs.view_as(outputs)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        return gradient, None


def _tensors(value: Any) -> Iterable[Tensor]:
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, Mapping):
        yield from _tensors(list(value.values()))
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _tensors(part)
