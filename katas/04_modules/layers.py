"""Layers of one's own: parameters, layers chosen at run time, and buffers, which are saved and cast but not trained."""

from __future__ import annotations

import torch  # noqa: F401
from torch import Tensor, nn


class Affine(nn.Module):
    """A linear layer written from Parameters: x @ weight.T + bias.

    inputs, outputs: the sizes. bias: whether there is a bias.
    Its parameters are `weight` of shape (outputs, inputs) and `bias` of shape (outputs,), float32; without a bias,
    `weight` is the only one.
    As in nn.Linear, every number of both starts as a draw of its own from torch's global random stream, uniform between
    -1 / sqrt(inputs) and 1 / sqrt(inputs). Nothing is seeded.
    Called with a float32 tensor of shape (..., inputs), with any number of axes in front, also none, it returns one of
    shape (..., outputs), attached to the graph: gradients reach its parameters, and x where it requires one.
    By hand: the class is derived from nn.Module alone; no nn.Linear is made, and neither nn.Linear nor F.linear called.

    >>> layer = Affine(inputs=3, outputs=2)
    >>> _ = layer.weight.data.copy_(torch.tensor([[1.0, 0.0, -1.0], [2.0, 5.0, 0.5]]))
    >>> _ = layer.bias.data.fill_(10.0)
    >>> layer(torch.tensor([4.0, 1.0, 2.0])).tolist()
    [12.0, 24.0]
    """

    def __init__(self, inputs: int, outputs: int, bias: bool = True) -> None:
        raise NotImplementedError("Affine.__init__")

    def forward(self, x: Tensor) -> Tensor:
        raise NotImplementedError("Affine.forward")


class Stack(nn.Module):
    """A stack whose depth is chosen when it is made: so many linear layers of one width, a ReLU behind each.

    width: the size of each layer's inputs and of its outputs. depth: the number of layers, 0 or more.
    The layers are nn.Linear(width, width) with biases, and lie in the attribute `layers`, from the first on: the names
    of the parameters are layers.0.weight, layers.0.bias, layers.1.weight and so on, and there are no others. Each layer
    starts with random weights of its own.
    Called with a float32 tensor of shape (N, width), it returns one of the same shape: what the ReLU behind the last
    layer gives; with depth 0, the values of x as they are. Gradients reach all layers, and x where it requires one.

    >>> [name for name, _ in Stack(width=6, depth=2).named_parameters()]
    ['layers.0.weight', 'layers.0.bias', 'layers.1.weight', 'layers.1.bias']
    """

    def __init__(self, width: int, depth: int) -> None:
        raise NotImplementedError("Stack.__init__")

    def forward(self, x: Tensor) -> Tensor:
        raise NotImplementedError("Stack.forward")


class Heads(nn.Module):
    """One linear layer for each task, chosen by name at each call.

    inputs: the number of features. tasks: the number of classes of each task by its name; at least one. The dict is not
    changed. A name is an identifier that is no attribute of an nn.ModuleDict: "colour" or "size", not "type" or "keys".
    For each task there is an nn.Linear(inputs, classes) with a bias, in the attribute `heads` under the task's name:
    the parameters are called heads.colour.weight, heads.colour.bias and so on, and there are no others.
    Called with a float32 tensor of shape (N, inputs) and the name of a task, it returns that task's logits, of shape
    (N, classes). Gradients reach that task's head, and x where it requires one. No other head takes part: none is
    called, and after a backward their parameters have no gradient. An unknown name raises KeyError, which names it.

    >>> heads = Heads(inputs=4, tasks={"colour": 6, "size": 2})
    >>> heads(torch.rand(8, 4), "size").shape
    torch.Size([8, 2])
    """

    def __init__(self, inputs: int, tasks: dict[str, int]) -> None:
        raise NotImplementedError("Heads.__init__")

    def forward(self, x: Tensor, task: str) -> Tensor:
        raise NotImplementedError("Heads.forward")


class Standardize(nn.Module):
    """A first layer that brings features to one scale by fixed numbers: (x - mean) / std.

    mean, std: float32 tensors of shape (D,), measured on the training data; every std is positive, and may be small.
    The layer keeps copies of them as its buffers `mean` and `std`: they stand in the state dict, follow the module to
    another dtype, and what is loaded into them is what the layer computes with from then on. It has no parameters. What
    happens to the buffers does not reach the caller's tensors, nor the other way round.
    Called with a float32 tensor of shape (N, D), it returns one of the same shape. A gradient reaches x where it
    requires one.

    >>> scale = Standardize(mean=torch.tensor([10.0, -1.0]), std=torch.tensor([2.0, 0.5]))
    >>> scale(torch.tensor([[14.0, 0.0]])).tolist()
    [[2.0, 2.0]]
    """

    def __init__(self, mean: Tensor, std: Tensor) -> None:
        raise NotImplementedError("Standardize.__init__")

    def forward(self, x: Tensor) -> Tensor:
        raise NotImplementedError("Standardize.forward")


class RunningMean(nn.Module):
    """A layer that subtracts a running mean of its inputs, which it keeps up to date while it trains.

    features: the number of features, D. momentum: how far the mean moves at each call.
    The running mean is the layer's buffer `mean`, float32 of shape (D,), zeros at first: it stands in the state dict,
    follows the module to another dtype, and is no parameter. The layer has no other buffers and no parameters.
    Called with a float32 tensor of shape (N, D), in training mode it first moves each feature's mean:
    mean <- (1 - momentum) * mean + momentum * (mean of the batch). Then it returns x - mean, of the shape of x. In eval
    mode the mean stays as it is.
    In the backward pass, in both modes, the mean counts as a constant: the gradient goes through x alone, and no graph
    hangs on the buffer, also where x requires a gradient.

    >>> layer = RunningMean(features=2, momentum=0.5)
    >>> layer(torch.tensor([[4.0, 0.0], [8.0, -2.0]])).tolist()
    [[1.0, 0.5], [5.0, -1.5]]
    >>> layer.mean
    tensor([ 3.0000, -0.5000])
    """

    def __init__(self, features: int, momentum: float = 0.1) -> None:
        raise NotImplementedError("RunningMean.__init__")

    def forward(self, x: Tensor) -> Tensor:
        raise NotImplementedError("RunningMean.forward")
