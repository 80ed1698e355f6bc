"""From logits to classes, with the model left as it was."""

from __future__ import annotations

import torch
from torch import Tensor, nn


def probabilities(logits: Tensor) -> Tensor:
    # Why: dim=1 runs over the classes of one example, which share a probability of 1; torch's softmax cannot overflow.
    return torch.softmax(logits, dim=1)


def classes(logits: Tensor) -> Tensor:
    # Why: softmax keeps the order of its row, but rounds: logits that differ by little may come out as a tie.
    return logits.argmax(dim=1)


def yes_or_no(logits: Tensor, threshold: float = 0.5) -> Tensor:
    # Why: a threshold for probabilities is compared with probabilities; sigmoid makes 0.5 of the logit 0.
    return (torch.sigmoid(logits.squeeze(1)) > threshold).long()


def predict(model: nn.Module, x: Tensor) -> tuple[Tensor, Tensor]:
    # Why: train() would switch on what was off before; each module gets its own flag back, on every way out.
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    try:
        with torch.no_grad():
            logits = model(x)
    finally:
        for module, training in modes:
            module.training = training
    return torch.softmax(logits, dim=1), logits.argmax(dim=1)
