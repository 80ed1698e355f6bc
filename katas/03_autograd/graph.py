"""The graph of the worked example: its nodes, what made them, and the leaves behind a loss."""

from __future__ import annotations

from torch import Tensor


def forward(x1: Tensor, w1: Tensor, b: Tensor, y: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The forward pass of the worked example, node by node: the net input, the activation and the loss.

    z = x1 * w1 + b, a is the sigmoid of z, and the loss is the binary cross entropy of a against y.

    x1, w1, b, y: float tensors of shape (1,), y between 0 and 1. Gradients must be able to flow from the loss back to
    each of them that requires one.
    Returns (z, a, loss): z and a of shape (1,), the loss a scalar of shape ().

    >>> forward(torch.tensor([2.0]), torch.tensor([0.5]), torch.tensor([-1.0]), torch.tensor([1.0]))
    (tensor([0.]), tensor([0.5000]), tensor(0.6931))
    """
    raise NotImplementedError("forward")


def role(node: Tensor) -> str:
    """The part that a tensor plays in the graph.

    node: any tensor.
    Returns "leaf" where it requires a gradient and no operation of a graph made it (backward() fills its .grad),
    "interior" where it requires one and an operation made it, and "constant" where it requires none.

    >>> role(torch.tensor([3.0], requires_grad=True))
    'leaf'
    """
    raise NotImplementedError("role")


def made_by(node: Tensor) -> str:
    """The name of the operation that made a node, as the graph calls it.

    The graph's name for it ends in "Backward", which a number may follow: this ending is left out. "MulBackward0"
    becomes "Mul", "MeanBackward1" becomes "Mean", and an autograd.Function of one's own named Twice becomes "Twice".

    node: any tensor.
    Returns the name; the empty string where the graph knows no operation, as for leaves and constants.

    >>> made_by(torch.tanh(torch.tensor([3.0], requires_grad=True)))
    'Tanh'
    """
    raise NotImplementedError("made_by")


def trainable(values: Tensor, scale: float) -> Tensor:
    """The values times the scale, as a leaf that can be trained.

    values: a tensor of dtype float32 or float64 that requires no gradient.
    Returns a float32 tensor of the same shape, with memory of its own: a leaf of the graph (no operation made it) that
    requires a gradient.

    >>> trainable(torch.tensor([2.0, -4.0], dtype=torch.float64), 0.25)
    tensor([ 0.5000, -1.0000], requires_grad=True)
    """
    raise NotImplementedError("trainable")


def leaves_behind(node: Tensor) -> list[Tensor]:
    """The leaves whose .grad a backward() from this node would fill, found in the graph alone, without running it.

    node: any tensor. A leaf has only itself behind it, and a constant has nothing.
    Returns a list of the leaves themselves, not of copies: each once, in any order.

    >>> w, b = torch.tensor([3.0], requires_grad=True), torch.tensor([1.0])
    >>> leaves_behind(w * 2 + b)
    [tensor([3.], requires_grad=True)]
    """
    raise NotImplementedError("leaves_behind")
