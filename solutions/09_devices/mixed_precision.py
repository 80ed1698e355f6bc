"""Mixed precision."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.amp import GradScaler
from torch.optim import Optimizer

Loss = Callable[[Tensor, Tensor], Tensor]


def make_scaler(device: str, dtype: torch.dtype) -> GradScaler:
    # Why: float16 ends at 6e-8 below, where small gradients become 0; bfloat16 ends where float32 does.
    return GradScaler(device, enabled=dtype == torch.float16)


def autocast_dtype(operation: str, given: Sequence[torch.dtype], low: torch.dtype) -> torch.dtype:
    # Why: products are fast and safe in 16 bits, losses are not; all else takes its operands as they come.
    if operation in ("linear", "matmul", "conv1d"):
        return low
    if operation in ("mse_loss", "cross_entropy") or torch.float32 in given:
        return torch.float32
    return low


def masked_softmax(scores: Tensor, keep: Tensor) -> Tensor:
    # Why: exp(-inf) is exactly 0, and -inf is a number of every floating dtype, which -1e9 is not.
    return scores.masked_fill(~keep, float("-inf")).softmax(dim=-1)


def loss_and_probabilities(model: nn.Module, X: Tensor, y: Tensor, dtype: torch.dtype) -> tuple[Tensor, np.ndarray]:
    # Why: the loss takes logits, for which autocast goes back to float32; what leaves for NumPy is cast by hand.
    with torch.autocast(X.device.type, dtype=dtype):
        logits = model(X)
        loss = F.binary_cross_entropy_with_logits(logits, y)
    return loss, logits.detach().float().sigmoid().cpu().numpy()


def scaled_step(
    model: nn.Module, loss_fn: Loss, optimizer: Optimizer, scaler: GradScaler, X: Tensor, y: Tensor, dtype: torch.dtype
) -> float:
    # Why: step() divides by the scale and leaves out a step that overflowed; update() halves or doubles the scale.
    with torch.autocast(X.device.type, dtype=dtype):
        loss = loss_fn(model(X), y)
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    return loss.item()


def clipped_scaled_step(
    model: nn.Module,
    loss_fn: Loss,
    optimizer: Optimizer,
    scaler: GradScaler,
    X: Tensor,
    y: Tensor,
    dtype: torch.dtype,
    max_norm: float,
) -> float:
    # Why: max_norm is meant for gradients without the scale: unscale_ first; step() knows that it is done.
    with torch.autocast(X.device.type, dtype=dtype):
        loss = loss_fn(model(X), y)
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    scaler.update()
    return norm.item()
