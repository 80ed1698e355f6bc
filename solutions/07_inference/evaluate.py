"""Loss, accuracy and confusion matrix over a whole loader."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def count_right(logits: Tensor, labels: Tensor) -> int:
    # Why: counts of batches can be added up, whatever their sizes; shares cannot. item() makes a number of the count.
    return int((logits.argmax(dim=1) == labels).sum().item())


def mean_over_examples(means: Sequence[float], sizes: Sequence[int]) -> float:
    # Why: mean * size is the sum of a batch again; sums add up, and one division by all examples comes last.
    if not sizes:
        raise ValueError("the mean of an empty list of batches")
    return sum(mean * size for mean, size in zip(means, sizes, strict=True)) / sum(sizes)


def confusion_matrix(predicted: Tensor, labels: Tensor, classes: int) -> Tensor:
    # Why: each pair (label, prediction) has a number of its own below classes², and bincount counts every occurrence.
    return torch.bincount(labels * classes + predicted, minlength=classes**2).reshape(classes, classes)


def evaluate(model: nn.Module, loader: Iterable[tuple[Tensor, Tensor]]) -> tuple[float, float]:
    # Why: sums over examples do not depend on how these fell into batches; the modes come back on every way out.
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    loss, right, examples = 0.0, 0, 0
    try:
        with torch.no_grad():
            for x, labels in loader:
                logits = model(x)
                loss += F.cross_entropy(logits, labels, reduction="sum").item()
                right += int((logits.argmax(dim=1) == labels).sum().item())
                examples += len(labels)
    finally:
        for module, training in modes:
            module.training = training
    if not examples:
        raise ValueError("the loader is empty")
    return loss / examples, right / examples
