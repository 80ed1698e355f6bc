"""Datasets: the i-th example, how many there are, and an end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import torch  # noqa: F401
from torch import Tensor
from torch.utils.data import Dataset


class Scaled(Dataset):
    """A dataset of numbers that come out multiplied by a factor.

    values: a list of N Python floats. factor: a float or an int.
    Its length is N. dataset[i] is number i times the factor, a float32 tensor of shape (). A negative i counts from the
    end, as in a list: -1 is the last. An i past either end, N and up or below -N, raises IndexError. A slice gives the
    numbers it names, times the factor, as one tensor: dataset[1:3] has shape (2,).

    >>> scaled = Scaled([0.5, 1.5, 4.5], factor=10)
    >>> len(scaled), scaled[0], scaled[1:]
    (3, tensor(5.), tensor([15., 45.]))
    """

    def __init__(self, values: Sequence[float], factor: float) -> None:
        raise NotImplementedError("Scaled.__init__")

    def __len__(self) -> int:
        raise NotImplementedError("Scaled.__len__")

    def __getitem__(self, i: int | slice) -> Tensor:
        raise NotImplementedError("Scaled.__getitem__")


class Examples(Dataset):
    """A dataset over a tensor of features and a tensor of labels, in the dtypes that layers and losses take.

    features: a tensor (N, D) of any float or integer dtype. labels: a tensor (N,) of any integer dtype.
    Its length is N. dataset[i] is the pair of row i of the features, a float32 tensor of shape (D,), and its label, an
    int64 tensor of shape (). An i from -N to -1 counts from the end, one past either end raises IndexError.
    Making it raises ValueError if features and labels differ in length, and the message has both lengths in it; and if
    there is no example at all, with the word "empty".

    >>> Examples(torch.tensor([[1, 2], [3, 4]]), torch.tensor([7, 9]))[1]
    (tensor([3., 4.]), tensor(9))
    """

    def __init__(self, features: Tensor, labels: Tensor) -> None:
        raise NotImplementedError("Examples.__init__")

    def __len__(self) -> int:
        raise NotImplementedError("Examples.__len__")

    def __getitem__(self, i: int) -> tuple[Tensor, Tensor]:
        raise NotImplementedError("Examples.__getitem__")


class Table(Dataset):
    """A dataset over a CSV file of measurements, such as iris.csv beside this file.

    path: the file, UTF-8 text. Its first line names the columns. Each further line is an example: D numbers and, last,
    the name of its class, with commas between them and no quotes or spaces. Empty lines are no examples.
    Its attribute `classes` is the list of the names that occur, each once, sorted.
    Its length is the number of examples. dataset[i], with i from 0 on, is the pair of the features, a float32 tensor of
    shape (D,), and the label, an int64 tensor of shape (): the place of the example's class in `classes`. An i past the
    end raises IndexError. A file that is not there raises FileNotFoundError when the dataset is made.

    >>> table = Table("katas/05_data/iris.csv")
    >>> len(table), table.classes, table[100]
    (150, ['setosa', 'versicolor', 'virginica'], (tensor([6.3000, 3.3000, 6.0000, 2.5000]), tensor(2)))
    """

    classes: list[str]

    def __init__(self, path: str | Path) -> None:
        raise NotImplementedError("Table.__init__")

    def __len__(self) -> int:
        raise NotImplementedError("Table.__len__")

    def __getitem__(self, i: int) -> tuple[Tensor, Tensor]:
        raise NotImplementedError("Table.__getitem__")


class OnDemand(Dataset):
    """A dataset that does not fit into memory: it reads an example when it is asked for it, and keeps none.

    read: a function; read(i), with i from 0 to n - 1, fetches example i from where it lies, which is slow, and returns
    its features, a list of Python floats, and its label, an int. n: the number of examples.
    Its length is n. dataset[i] is the pair of the features, a float32 tensor of shape (D,), and the label, an int64
    tensor of shape (). It takes one call of read each time, also when the same i is asked for again; a negative i
    counts from the end.
    Nothing is read when the dataset is made, when it is asked for its length, or for an i past either end, which raises
    IndexError.

    >>> squares = OnDemand(lambda i: ([i * 1.0, i * i * 1.0], i % 2), n=1000)
    >>> squares[-1]
    (tensor([   999., 998001.]), tensor(1))
    """

    def __init__(self, read: Callable[[int], tuple[list[float], int]], n: int) -> None:
        raise NotImplementedError("OnDemand.__init__")

    def __len__(self) -> int:
        raise NotImplementedError("OnDemand.__len__")

    def __getitem__(self, i: int) -> tuple[Tensor, Tensor]:
        raise NotImplementedError("OnDemand.__getitem__")


def split(dataset: Dataset, held_out: int, transform: Callable[[Tensor], Tensor], seed: int) -> tuple[Dataset, Dataset]:
    """Split a dataset at random into a part for training, whose features are transformed, and a part held out as it is.

    dataset: dataset[i] is a pair of tensors, features and label; it is not changed. held_out: how many examples the
    second part gets, more than 0 and fewer than there are.
    transform: a function of the features of one example, such as one that adds noise. It is called anew each time an
    example of the first part is asked for, never before, and never for the second part.
    seed: decides which examples are held out: the same for the same seed, others for another seed. The global random
    streams (torch's, NumPy's, Python's) are neither used nor moved.
    Returns two datasets with a length, and with items for i from 0 on: each example is in one of the two, once.

    >>> whole = [(torch.tensor([i * 1.0]), torch.tensor(i)) for i in range(10)]
    >>> training, held_out = split(whole, held_out=4, transform=lambda x: -x, seed=0)
    >>> len(training), len(held_out)
    (6, 4)
    """
    raise NotImplementedError("split")
