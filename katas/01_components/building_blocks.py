"""Building blocks: layers in a row, a module and a dataset of one's own, batches, a loss and an optimizer's step."""

from __future__ import annotations

from torch import Tensor, nn
from torch.utils.data import DataLoader, Dataset


def two_layers(inputs: int, hidden: int, outputs: int) -> nn.Sequential:
    """A network of two linear layers with a ReLU between them.

    Returns an nn.Sequential of three modules: an nn.Linear from `inputs` to `hidden` values, an nn.ReLU, an nn.Linear
    from `hidden` to `outputs` values, both with a bias. Nothing follows the last one.

    >>> two_layers(5, 8, 2)(torch.rand(4, 5)).shape
    torch.Size([4, 2])
    """
    raise NotImplementedError("two_layers")


class Line(nn.Module):
    """A straight line, a * x + b, whose two numbers an optimizer can find and change.

    a, b: Python floats, what the module's two parameters start with. The parameters are called `a` and `b` too, and
    are float32 of shape ().
    Called with a float32 tensor x of any shape, the module returns a * x + b in the same shape, attached to the graph
    of both parameters.

    >>> line = Line(2.0, -1.0)
    >>> line(torch.tensor([3.0, 10.0])).tolist()
    [5.0, 19.0]
    """

    def __init__(self, a: float, b: float) -> None:
        raise NotImplementedError("Line.__init__")

    def forward(self, x: Tensor) -> Tensor:
        raise NotImplementedError("Line.forward")


class Pairs(Dataset):
    """A dataset whose examples are the pairs of a row of x and the value of y that belongs to it.

    x: tensor of shape (N, D). y: tensor of shape (N,).
    Its length is N. dataset[i], with i from 0 to N - 1, is a pair of tensors: x[i], of shape (D,), and y[i], of
    shape ().

    >>> dataset = Pairs(torch.tensor([[1.0], [2.0], [3.0]]), torch.tensor([10, 20, 30]))
    >>> len(dataset), dataset[2]
    (3, (tensor([3.]), tensor(30)))
    """

    def __init__(self, x: Tensor, y: Tensor) -> None:
        raise NotImplementedError("Pairs.__init__")

    def __len__(self) -> int:
        raise NotImplementedError("Pairs.__len__")

    def __getitem__(self, i: int) -> tuple[Tensor, Tensor]:
        raise NotImplementedError("Pairs.__getitem__")


def in_batches(dataset: Dataset, size: int) -> DataLoader:
    """All examples of a dataset in batches, in the order in which they stand there.

    size: the number of examples in a batch. The last batch is smaller where the division leaves a rest.
    Returns a DataLoader; it can be run through again and again.

    >>> [batch.tolist() for batch in in_batches([4, 5, 6, 7, 8], size=2)]
    [[4, 5], [6, 7], [8]]
    """
    raise NotImplementedError("in_batches")


def one_step(model: nn.Module, x: Tensor, y: Tensor, lr: float) -> tuple[float, float]:
    """One step of training on one batch: plain gradient descent on the mean squared error.

    Each parameter of the model loses lr times its gradient, as torch.optim.SGD(lr=lr) does it. Gradients that the
    parameters still hold from earlier do not count.

    x: float32 tensor of shape (N, inputs). y: what the model is to answer, of the shape of model(x).
    Returns two Python floats: the loss before the step, and the loss of the changed model on the same batch.

    >>> model = nn.Linear(1, 1, bias=False)
    >>> nn.init.constant_(model.weight, 3.0).item()
    3.0
    >>> one_step(model, x=torch.tensor([[2.0]]), y=torch.tensor([[4.0]]), lr=0.125)
    (4.0, 0.0)
    """
    raise NotImplementedError("one_step")
