"""Labels: classes numbered from 0, there and back, and what a loss does with a label that it has no output for."""

from __future__ import annotations

from collections.abc import Sequence

import torch  # noqa: F401
from torch import Tensor


def class_index(labels: Sequence[str] | Sequence[int]) -> dict[str, int] | dict[int, int]:
    """The number of each class: 0 to C - 1, in the sorted order of the C different labels.

    labels: the labels of a data set, one for each example, either all str or all int.
    Returns a dict from each label that occurs to its number, an int.

    >>> class_index(["tram", "bus", "tram"])
    {'bus': 0, 'tram': 1}
    """
    raise NotImplementedError("class_index")


def encode(labels: Sequence[str] | Sequence[int], index: dict[str, int] | dict[int, int]) -> Tensor:
    """The labels as a loss takes them: numbers of classes.

    index: a dict from each label to the number of its class. It is not changed.
    Returns an int64 tensor (N,), also where N is 0. A label that index does not have raises KeyError, whose message has
    the label in it.

    >>> encode(["tram", "bus"], {"bus": 0, "tram": 1})
    tensor([1, 0])
    """
    raise NotImplementedError("encode")


def decode(numbers: Tensor, index: dict[str, int] | dict[int, int]) -> list[str] | list[int]:
    """The labels that belong to numbers of classes, the way back from encode.

    numbers: an int64 tensor (N,). index: a dict from each label to the number of its class, in any order.
    Returns a list of N labels. A number that no class of index has raises KeyError, whose message has the number in it.

    >>> decode(torch.tensor([1, 0, 1]), {"bus": 0, "tram": 1})
    ['tram', 'bus', 'tram']
    """
    raise NotImplementedError("decode")


def missing_classes(labels: Tensor, outputs: int) -> list[int]:
    """The classes that a model has an output for and that no label names.

    labels: an int64 tensor (N,) of numbers from 0 to outputs - 1, and of -100, which names no class.
    Returns a list of Python ints, in ascending order: those of 0 to outputs - 1 that do not occur.

    >>> missing_classes(torch.tensor([1, 1, -100, 3]), outputs=4)
    [0, 2]
    """
    raise NotImplementedError("missing_classes")


def check_labels(labels: Tensor, outputs: int) -> None:
    """Refuse labels that a loss cannot use, before they reach it.

    On the CPU cross entropy raises IndexError for such a label; on a GPU the process can use CUDA no more.

    labels: an int64 tensor (N,), N may be 0. outputs: the number of outputs of the model.
    Returns None if each label is from 0 to outputs - 1 or is -100, which cross entropy leaves out.
    Else raises ValueError, and the message has such a label in it, one that is not allowed.

    >>> check_labels(torch.tensor([0, 2, -100]), outputs=3)
    """
    raise NotImplementedError("check_labels")
