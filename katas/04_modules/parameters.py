"""Parameters of a model that is there: counting, freezing, casting, sharing, and a start that a seed decides alone."""

from __future__ import annotations

import copy  # noqa: F401
from collections.abc import Callable

import torch
from torch import nn


def count_trainable(model: nn.Module) -> int:
    """The number of parameters of a model that train: how many single numbers those hold that require a gradient.

    model: any module. Frozen parameters do not count; one that two layers share counts once.
    Returns a Python int; 0 for a model without parameters, or with frozen ones alone.

    >>> model = nn.Linear(6, 4)
    >>> _ = model.bias.requires_grad_(False)
    >>> count_trainable(model)
    24
    """
    raise NotImplementedError("count_trainable")


def freeze(part: nn.Module) -> None:
    """Freeze a part of a model: from now on its parameters stay as they are, while the rest goes on training.

    part: a module of any depth. All of its parameters are frozen. They remain the same objects, in the same places,
    with the same values, and its mode, training or eval, is not touched.
    Afterwards the parameters require no gradient and hold none: each .grad is None. So no step moves them, also of an
    optimizer that was made before, has them in its list, and uses momentum and weight decay; and also where gradients
    are cleared by zero_grad(set_to_none=False). Gradients still flow through the part to what stands in front of it.

    >>> model = nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 1))
    >>> freeze(model[0])
    >>> [name for name, p in model.named_parameters() if p.requires_grad]
    ['1.weight', '1.bias']
    """
    raise NotImplementedError("freeze")


def cast(model: nn.Module, dtype: torch.dtype) -> nn.Module:
    """Cast a model itself to another dtype.

    model: changed in place. All its floating-point parameters and buffers, at any depth, have the new dtype afterwards.
    Buffers of integers or bools keep theirs. The parameters remain the same objects, so that an optimizer that was made
    before still holds those of the model; they require a gradient or not, as before. None of them holds one yet: each
    .grad is None.
    dtype: a floating-point dtype.
    Returns the same model.

    >>> model = nn.Sequential(nn.Linear(2, 3))
    >>> cast(model, torch.float16) is model, model[0].bias.dtype
    (True, torch.float16)
    """
    raise NotImplementedError("cast")


def copy_in(model: nn.Module, dtype: torch.dtype) -> nn.Module:
    """A copy of a model in another dtype; the model stays as it is.

    model: not changed, to the bit.
    dtype: a floating-point dtype, also the one that the model has already.
    Returns a new model of the same kind, whose floating-point parameters and buffers have that dtype; those of integers
    or bools are copied. It shares no memory with the model. Each parameter requires a gradient if the model's does, and
    each module in it is in the mode, training or eval, that the model's is in.

    >>> model = nn.Linear(2, 3)
    >>> copy_in(model, torch.float16).weight.dtype, model.weight.dtype
    (torch.float16, torch.float32)
    """
    raise NotImplementedError("copy_in")


def tie(embedding: nn.Embedding, output: nn.Linear) -> None:
    """Let an output layer use an embedding's weight as its own, as many language models do.

    embedding: its weight has the shape (V, D). output: a linear layer from D to V values, with or without a bias; its
    weight has the shape (V, D) too.
    Afterwards the weight of both is one and the same Parameter, the embedding's, with its values. So a model that
    consists of the two counts it once, and its gradient is the sum of what comes from both uses. A bias stays as it is.
    Raises ValueError, which names "shape", where the shapes of the two weights differ; both layers are then as before.

    >>> embedding, output = nn.Embedding(20, 4), nn.Linear(4, 20)
    >>> tie(embedding, output)
    >>> sum(p.numel() for p in nn.ModuleList([embedding, output]).parameters())
    100
    """
    raise NotImplementedError("tie")


def seeded(make: Callable[[], nn.Module], seed: int) -> nn.Module:
    """A model whose start depends on a seed alone, made without a trace in torch's random stream.

    make: called once, without arguments, makes the model; it draws from torch's global random stream, on the CPU.
    seed: the model is to be the one that make() gives right after torch.manual_seed(seed), whatever was drawn or seeded
    before.
    Returns the model. The global stream is afterwards exactly where it was before the call, so that the draws that
    follow are those that would have come without it; also where make raises: its error goes on to the caller.

    >>> one, other = seeded(lambda: nn.Linear(2, 3), seed=11), seeded(lambda: nn.Linear(2, 3), seed=11)
    >>> torch.equal(one.weight, other.weight)
    True
    """
    raise NotImplementedError("seeded")
