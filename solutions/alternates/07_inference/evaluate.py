"""Other right answers to katas/07_inference/evaluate.py."""

import contextlib
import copy

import torch
import torch.nn.functional as F
from torch import nn

from torchkatas.bank import right


@right(replaces="count_right")
def pair_by_pair(logits, labels):
    return sum(p == label for p, label in zip(logits.argmax(dim=-1).tolist(), labels.tolist(), strict=True))


@right(replaces="count_right")
def non_zero(logits, labels):
    return int(torch.count_nonzero(torch.max(logits, 1).indices.eq(labels)))


@right(replaces="mean_over_examples")
def as_tensors(means, sizes):
    if len(means) == 0:
        raise ValueError("no batches: means is empty")
    weights = torch.tensor(sizes, dtype=torch.float64)
    return float(torch.tensor(means, dtype=torch.float64) @ weights / weights.sum())


@right(replaces="mean_over_examples")
def moving_mean(means, sizes):
    if not means:
        raise ValueError("Empty.")
    mean, seen = 0.0, 0
    for part, size in zip(means, sizes, strict=True):
        seen += size
        mean += (part - mean) * size / seen
    return mean


@right(replaces="confusion_matrix")
def pair_after_pair(predicted, labels, classes):
    matrix = torch.zeros(classes, classes, dtype=torch.long)
    for p, label in zip(predicted, labels, strict=True):
        matrix[label, p] += 1
    return matrix


@right(replaces="confusion_matrix")
def put_and_accumulated(predicted, labels, classes):
    matrix = torch.zeros((classes, classes), dtype=torch.int64)
    return matrix.index_put_((labels, predicted), torch.ones_like(labels), accumulate=True)


@right(replaces="confusion_matrix")
def one_hot_product(predicted, labels, classes):
    hot = torch.eye(classes, dtype=torch.int64)
    return hot[labels].T @ hot[predicted]


@contextlib.contextmanager
def evaluating(model):
    flags = {name: module.training for name, module in model.named_modules()}
    model.eval()
    try:
        yield
    finally:
        for name, module in model.named_modules():
            module.training = flags[name]


@right(replaces="evaluate")
def weighted_means(model, loader):
    losses, right_ones, sizes = [], 0, []
    with evaluating(model), torch.inference_mode():
        for x, labels in loader:
            logits = model(x)
            losses.append(F.cross_entropy(logits, labels).item())
            right_ones += logits.argmax(dim=1).eq(labels).sum().item()
            sizes.append(labels.numel())
    if sum(sizes) == 0:
        raise ValueError("empty loader")
    return sum(m * n for m, n in zip(losses, sizes, strict=True)) / sum(sizes), right_ones / sum(sizes)


@right(replaces="evaluate")
@torch.no_grad()
def all_logits_at_once(model, loader):
    with evaluating(model):
        parts = [(model(x), labels) for x, labels in loader]
    if not parts:
        raise ValueError("an empty loader has no loss")
    logits, labels = torch.cat([part[0] for part in parts]), torch.cat([part[1] for part in parts])
    return [nn.CrossEntropyLoss()(logits, labels).item(), (logits.argmax(1) == labels).double().mean().item()]


@right(replaces="evaluate")
def a_copy_is_evaluated(model, loader):
    copied = copy.deepcopy(model).eval()
    total, correct, seen = torch.zeros(()), torch.zeros((), dtype=torch.int64), 0
    for x, labels in loader:
        with torch.no_grad():
            logits = copied(x)
        total += F.cross_entropy(logits, labels) * len(x)
        correct += (logits.max(dim=1).indices == labels).sum()
        seen += len(x)
    if seen == 0:
        raise ValueError("Empty loader")
    return (total / seen).item(), (correct / seen).item()
