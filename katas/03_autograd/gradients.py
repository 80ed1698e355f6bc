"""Gradients of the worked example: backward, retain_grad, autograd.grad, and the backward of a vector."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from torch import Tensor


def weight_gradient(x1: Tensor, w1: Tensor, b: Tensor, y: Tensor) -> Tensor:
    """The gradient of the loss of the worked example with respect to the weight, ∂L/∂w1.

    The loss is the binary cross entropy of sigmoid(x1 * w1 + b) against y.

    x1, w1, b, y: float tensors of shape (1,). None of them requires a gradient, and none is changed: make a leaf of
    your own that does require one.
    Returns a float tensor of shape (1,).

    >>> weight_gradient(torch.tensor([2.0]), torch.tensor([0.5]), torch.tensor([-1.0]), torch.tensor([1.0]))
    tensor([-1.])
    """
    raise NotImplementedError("weight_gradient")


def both_gradients(x1: Tensor, w1: Tensor, b: Tensor, y: Tensor, decay: float) -> tuple[Tensor, Tensor]:
    """The gradients of a loss with a penalty on the weight, with respect to the weight and to the bias.

    The loss is the binary cross entropy of sigmoid(x1 * w1 + b) against y, plus decay * w1².

    x1, w1, b, y: float tensors of shape (1,). None of them requires a gradient, and none is changed.
    Returns (∂L/∂w1, ∂L/∂b), two float tensors of shape (1,).

    >>> x1, w1, b, y = (torch.tensor([v]) for v in (2.0, 0.5, -1.0, 1.0))
    >>> both_gradients(x1, w1, b, y, decay=3.0)
    (tensor([2.]), tensor([-0.5000]))
    """
    raise NotImplementedError("both_gradients")


def node_gradients(x1: Tensor, w1: Tensor, b: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """The gradients of the loss of the worked example with respect to its interior nodes, net input and activation.

    z = x1 * w1 + b, a = sigmoid(z), and the loss is the binary cross entropy of a against y.

    x1, w1, b, y: float tensors of shape (1,). None of them requires a gradient, and none is changed.
    Returns (∂L/∂z, ∂L/∂a), two float tensors of shape (1,).

    >>> node_gradients(torch.tensor([2.0]), torch.tensor([0.5]), torch.tensor([-1.0]), torch.tensor([1.0]))
    (tensor([-0.5000]), tensor([-2.]))
    """
    raise NotImplementedError("node_gradients")


def gradients_of(output: Tensor, inputs: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """The gradients of a scalar with respect to any nodes of its graph, with every .grad left as it was.

    output: a scalar of shape (), with a graph behind it. inputs: leaves or interior nodes; each requires a gradient,
    but the output need not depend on each. The graph is not needed afterwards.
    Returns a tuple with one tensor for each input, of its shape and dtype: zeros where the output does not depend on
    it.

    >>> u, v = torch.tensor([3.0, 4.0], requires_grad=True), torch.tensor([1.0], requires_grad=True)
    >>> gradients_of((u * u).sum(), (u, v))
    (tensor([6., 8.]), tensor([0.]))
    """
    raise NotImplementedError("gradients_of")


def vector_jacobian(f: Callable[[Tensor], Tensor], x: Tensor, v: Tensor) -> Tensor:
    """The product of a vector with the Jacobian of a function, vᵀJ: what the backward of a vector computes.

    f: a differentiable function from a float tensor of shape (n,) to one of shape (m,); J[i, j] = ∂f(x)[i]/∂x[j].
    x: shape (n,), requires no gradient. v: shape (m,). Neither is changed.
    Returns a float tensor of shape (n,).

    >>> vector_jacobian(lambda x: x[:1] * x[1:], torch.tensor([3.0, 4.0]), torch.tensor([10.0]))
    tensor([40., 30.])
    """
    raise NotImplementedError("vector_jacobian")
