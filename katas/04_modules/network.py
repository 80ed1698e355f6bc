"""A network: how many parameters a model has, a module of one's own that returns logits, and the count by formula."""

from __future__ import annotations

from collections.abc import Sequence

import torch  # noqa: F401
from torch import Tensor, nn


def count_parameters(model: nn.Module) -> int:
    """The number of parameters of a model: how many single numbers its parameter tensors hold.

    model: any module. The parameters of the modules inside it count too, at any depth, and frozen ones as well as those
    that train. A parameter that two layers share counts once. Buffers, such as batch norm's running statistics, are no
    parameters and do not count.
    Returns a Python int; 0 for a model without parameters.

    >>> count_parameters(nn.Linear(6, 4))
    28
    """
    raise NotImplementedError("count_parameters")


class Net(nn.Module):
    """A network of two linear layers with a ReLU between them, that returns logits.

    inputs, hidden, outputs: the sizes. The first layer goes from `inputs` to `hidden` values, the second from `hidden`
    to `outputs`. Both have a bias, and nothing else in the module has parameters. How the layers are called, and
    whether they lie in an nn.Sequential, is left to you.
    Called with a float32 tensor of shape (N, inputs), it returns the logits, float32 of shape (N, outputs): what the
    second layer gives, as it is, attached to the graph: gradients reach all parameters, and x where it requires one.
    The layers are made once, together with the module: called twice with the same batch, it gives the same logits. No
    dropout, no softmax, nothing but the three.

    >>> Net(inputs=6, hidden=9, outputs=4)(torch.rand(8, 6)).shape
    torch.Size([8, 4])
    """

    def __init__(self, inputs: int = 50, hidden: int = 30, outputs: int = 3) -> None:
        raise NotImplementedError("Net.__init__")

    def forward(self, x: Tensor) -> Tensor:
        raise NotImplementedError("Net.forward")


def count_by_formula(sizes: Sequence[int]) -> int:
    """The number of parameters of a network of linear layers, from its sizes alone.

    sizes: two or more, from the inputs to the outputs: [50, 30, 3] is a layer from 50 to 30 values and one from 30 to
    3. Every layer has a bias; what stands between them, such as ReLU, has no parameters. The list is not changed.
    No network is built, for the sizes may be far beyond any memory.
    Returns a Python int, exact at any size.

    >>> count_by_formula([10, 20, 5])
    325
    """
    raise NotImplementedError("count_by_formula")
