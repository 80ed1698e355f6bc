"""Labels."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor


def class_index(labels: Sequence[str] | Sequence[int]) -> dict[str, int] | dict[int, int]:
    # Why: a set has each label once, sorting gives it one order everywhere, and enumerate counts from 0 as outputs do.
    return {label: number for number, label in enumerate(sorted(set(labels)))}


def encode(labels: Sequence[str] | Sequence[int], index: dict[str, int] | dict[int, int]) -> Tensor:
    # Why: index[label] fails loudly for an unknown label; the dtype is given, since an empty list would be float32.
    return torch.tensor([index[label] for label in labels], dtype=torch.int64)


def decode(numbers: Tensor, index: dict[str, int] | dict[int, int]) -> list[str] | list[int]:
    # Why: tolist() makes Python ints, which a dict can find; unlike a list, a dict takes no -1 for the last.
    label = {number: label for label, number in index.items()}
    return [label[number] for number in numbers.tolist()]


def missing_classes(labels: Tensor, outputs: int) -> list[int]:
    # Why: what should occur, less what does; the range is that of the outputs, not of the labels.
    return sorted(set(range(outputs)) - set(labels.tolist()))


def check_labels(labels: Tensor, outputs: int) -> None:
    # Why: each label is looked at on its own, as the loss does; -100 is its default ignore_index.
    bad = labels[((labels < 0) | (labels >= outputs)) & (labels != -100)]
    if len(bad):
        raise ValueError(f"label {bad[0].item()} where the {outputs} outputs allow 0 to {outputs - 1}")
