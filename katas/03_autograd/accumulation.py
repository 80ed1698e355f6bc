"""What backward leaves in .grad: sums, clearing, and several losses on one graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from torch import Tensor


def gradient_history(loss: Callable[[Tensor], Tensor], w: Tensor, rounds: int) -> list[Tensor]:
    """What stands in .grad after each of several rounds of forward and backward, with nothing cleared in between.

    loss: gives a scalar tensor for a tensor of w's shape. It may answer differently each time (dropout, the next
    batch): call it once in each round.
    w: float tensor of any shape that requires no gradient and is not changed: make a leaf of your own.
    rounds: 1 or more.
    Returns a list of `rounds` tensors of w's shape, each with memory of its own: the first is .grad as it stood after
    the first round, and so on.

    >>> gradient_history(lambda w: (w * w).sum(), torch.tensor([0.5, -3.0]), rounds=2)
    [tensor([ 1., -6.]), tensor([  2., -12.])]
    """
    raise NotImplementedError("gradient_history")


def clear(params: Iterable[Tensor]) -> None:
    """Clear the gradients of all parameters, so that the next backward leaves its own alone.

    params: leaves that require a gradient. The .grad of some may be None, that of others may hold anything, NaN too.
    Afterwards each .grad is None or all zeros, as you like. The parameters' values stay as they are.

    >>> w = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> (3 * w).sum().backward()
    >>> clear([w])
    >>> (5 * w).sum().backward()
    >>> w.grad
    tensor([5., 5.])
    """
    raise NotImplementedError("clear")


def fresh_gradients(loss: Callable[[], Tensor], params: Sequence[Tensor]) -> None:
    """Leave in each .grad the gradient of this loss alone, whatever stood there before.

    loss: takes no argument; runs the forward pass with the parameters as they are and gives a scalar tensor. Call it
    once.
    params: leaves that require a gradient; their .grad is None or stale. Their values stay as they are.
    Afterwards .grad is the gradient of the loss; where the loss does not use the parameter, None or zeros.

    >>> w = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> w.grad = torch.tensor([100.0, 100.0])
    >>> fresh_gradients(lambda: (w * w).sum(), [w])
    >>> w.grad
    tensor([2., 4.])
    """
    raise NotImplementedError("fresh_gradients")


def backward_all(losses: Sequence[Tensor]) -> None:
    """Add the gradient of the sum of all losses to the .grad of the leaves below them.

    losses: one or more scalar tensors. They may share a part of their graphs, as the heads of one trunk do. No one
    has called backward on them yet, and no one needs their graphs afterwards.
    What stood in a .grad before stays in the sum.

    >>> w = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> backward_all([(3 * w).sum(), (w * w).sum()])
    >>> w.grad
    tensor([5., 7.])
    """
    raise NotImplementedError("backward_all")


def separate_gradients(losses: Sequence[Tensor], w: Tensor) -> list[Tensor]:
    """The gradient of each loss by itself, where all of them hang on one graph.

    losses: one or more scalar tensors from the same forward pass.
    w: a leaf below each of them that requires a gradient. Its .grad ends as you found it: None stays None, and a
    tensor keeps its values.
    Returns a list of tensors of w's shape, each with memory of its own: ∂losses[0]/∂w, ∂losses[1]/∂w, and so on.

    >>> w = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> h = w * w
    >>> separate_gradients([h.sum(), h[0] * h[1]], w)
    [tensor([2., 4.]), tensor([8., 4.])]
    """
    raise NotImplementedError("separate_gradients")
