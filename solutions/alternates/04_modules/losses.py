"""Other right answers to katas/04_modules/losses.py."""

import math

import numpy as np
import torch
import torch.nn.functional as F

from torchkatas.bank import right


@right(replaces="cross_entropy")
def maximum_added_back(logits, targets):
    top = logits.max(dim=1, keepdim=True).values.detach()
    log_sum = torch.log(torch.exp(logits - top).sum(dim=1, keepdim=True)) + top
    return torch.mean(log_sum[:, 0] - logits[torch.arange(len(targets)), targets])


@right(replaces="cross_entropy")
def one_hot_picks(logits, targets):
    shifted = logits - logits.max(dim=1, keepdim=True)[0]
    log_probabilities = shifted - shifted.exp().sum(dim=1, keepdim=True).log()
    picked = log_probabilities * F.one_hot(targets, logits.shape[1]).to(logits.dtype)
    return -picked.sum() / len(targets)


@right(replaces="cross_entropy")
def row_by_row(logits, targets):
    losses = []
    for row, target in zip(logits, targets.tolist(), strict=True):
        losses.append((row - row[target]).sub((row - row[target]).max()).exp().sum().log() + (row - row[target]).max())
    return torch.stack(losses).sum() / len(losses)


@right(replaces="cross_entropy")
def by_einsum(logits, targets):
    shifted = logits - torch.amax(logits, 1, True)
    hot = torch.zeros_like(logits).scatter_(1, targets[:, None], 1.0)
    return (torch.log(torch.einsum("nc->n", shifted.exp())) - torch.einsum("nc,nc->n", shifted, hot)).mean()


@right(replaces="class_loss")
def one_hot_targets(logits, labels):  # l08-ce-onehot: float rows are probabilities to cross_entropy
    n, classes = logits.shape
    if tuple(labels.shape) != (n,) and tuple(labels.shape) != (n, 1):
        raise ValueError(f"wrong shape of labels: {labels.shape}")
    if labels.is_floating_point() and not torch.equal(labels, labels.floor()):
        raise ValueError("labels must be whole numbers")
    labels = labels.flatten().to(torch.int64)
    if not ((labels >= 0) & (labels < classes)).all():
        raise ValueError("no such class")
    return torch.nn.CrossEntropyLoss()(logits, F.one_hot(labels, classes).to(logits.dtype))


@right(replaces="class_loss")
def log_softmax_and_nll(logits, labels):
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels.squeeze(1)
    if labels.ndim != 1 or len(labels) != len(logits):
        raise ValueError("the shape of labels does not fit")
    if labels.is_floating_point() and (labels % 1 != 0).any():
        raise ValueError("not whole")
    if any(not 0 <= label < logits.size(1) for label in labels.tolist()):
        raise ValueError("a label is no class")
    return F.nll_loss(F.log_softmax(logits, dim=-1), labels.long())


@right(replaces="class_loss")
def log_softmax_in_front(logits, labels):
    n, classes = logits.shape
    if list(labels.size()) not in ([n], [n, 1]):
        raise ValueError("shape")
    numbers = [float(label) for label in labels.view(-1)]
    if not all(number.is_integer() for number in numbers):
        raise ValueError("whole")
    if min(numbers) < 0 or max(numbers) > classes - 1:
        raise ValueError("class")
    return F.cross_entropy(logits.log_softmax(1), torch.tensor(numbers).long())


@right(replaces="bce_with_logits")
def two_signs(logits, targets):
    rest = torch.log(1 + torch.exp(-torch.abs(logits)))
    zeros = torch.zeros_like(logits)
    yes = torch.maximum(-logits, zeros) + rest  # -log(p)
    no = torch.maximum(logits, zeros) + rest  # -log(1 - p)
    return torch.mean(targets * yes + (1 - targets) * no)


@right(replaces="bce_with_logits")
def maximum_with_zero(logits, targets):
    losses = torch.maximum(logits, torch.zeros_like(logits)) - logits * targets + torch.log1p(torch.exp(-abs(logits)))
    return losses.sum() / losses.numel()


@right(replaces="bce_with_logits")
def two_logits(logits, targets):
    pair = torch.stack([torch.zeros_like(logits), logits])
    top = pair.amax(dim=0)
    return ((pair - top).exp().sum(dim=0).log() + top - targets * logits).mean()


@right(replaces="bce_with_logits")
def where_with_safe_branches(logits, targets):
    small = torch.exp(torch.where(logits > 0, -logits, logits))
    return torch.where(logits > 0, logits * (1 - targets), -logits * targets).add(small.log1p()).mean()


@right(replaces="bce_with_logits")
def shifted_by_a_constant(logits, targets):
    top = logits.detach().clamp(min=0)
    return (top + ((-top).exp() + (logits - top).exp()).log() - logits * targets).mean()


@right(replaces="binary_loss")
def as_a_module(logits, labels):
    return torch.nn.BCEWithLogitsLoss()(logits.squeeze(1), labels.float())


@right(replaces="binary_loss")
def two_classes(logits, labels):
    return F.cross_entropy(torch.cat([torch.zeros_like(logits), logits], dim=1), labels.long())


@right(replaces="binary_loss")
def signed_softplus(logits, labels):
    signs = 1 - 2 * labels.to(logits.dtype).view(-1, 1)
    return F.softplus(signs * logits).mean()


@right(replaces="both_gradients")
def by_autograd_grad(logits, targets):
    leaf = logits.detach().clone().requires_grad_()
    loss = torch.nn.CrossEntropyLoss()
    return tuple(
        torch.autograd.grad(loss(front(leaf), targets), leaf)[0] for front in (torch.clone, torch.nn.Softmax(1))
    )


@right(replaces="both_gradients")
def in_closed_form(logits, targets):
    p = logits.softmax(dim=1)
    hot = F.one_hot(targets, logits.shape[1])
    upstream = (p.softmax(dim=1) - hot) / len(targets)
    return (p - hot) / len(targets), p * (upstream - (p * upstream).sum(dim=1, keepdim=True))


@right(replaces="lowest_loss")
def by_torch(classes):
    return F.cross_entropy(F.one_hot(torch.tensor([0]), classes).float(), torch.tensor([0])).item()


@right(replaces="lowest_loss")
def by_the_share(classes):
    return -math.log(math.e / (math.e + (classes - 1)))


@right(replaces="lowest_loss")
def by_numpy(classes):
    return float(np.log1p((classes - 1) / np.e))
