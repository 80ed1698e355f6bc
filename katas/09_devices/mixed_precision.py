"""Mixed precision: products in 16 bits, sums and weights in 32, and a scale that keeps small gradients alive."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import torch
import torch.nn.functional as F  # noqa: F401
from torch import Tensor, nn
from torch.amp import GradScaler
from torch.optim import Optimizer

Loss = Callable[[Tensor, Tensor], Tensor]


def make_scaler(device: str, dtype: torch.dtype) -> GradScaler:
    """The gradient scaler for training under autocast in this dtype.

    device: "cpu" or "cuda", where the training runs. dtype: torch.float16 or torch.bfloat16.
    Returns a GradScaler of this device. With float16 it is enabled and starts at torch's own default scale; with
    bfloat16, whose range is that of float32, it is a disabled one, which lets losses and steps pass as they are.
    No warning is raised.

    >>> make_scaler("cpu", torch.float16).is_enabled(), make_scaler("cpu", torch.bfloat16).is_enabled()
    (True, False)
    """
    raise NotImplementedError("make_scaler")


def autocast_dtype(operation: str, given: Sequence[torch.dtype], low: torch.dtype) -> torch.dtype:
    """The dtype of an operation's result inside torch.autocast(device, dtype=low).

    operation: "linear", "matmul", "conv1d", "relu", "add", "softmax", "layer_norm", "mse_loss" or "cross_entropy".
    given: the dtypes of its floating operands, one to three, each torch.float32 or low: of "linear" the input, the
    weight and perhaps the bias; of "cross_entropy" the logits alone, for its labels are integers. The one operand of
    "softmax" and the operands of "layer_norm" are float32: of others the devices make different things.
    low: torch.float16 or torch.bfloat16.
    Returns a torch.dtype.

    >>> autocast_dtype("matmul", (torch.float32, torch.bfloat16), torch.bfloat16)
    torch.bfloat16
    """
    raise NotImplementedError("autocast_dtype")


def masked_softmax(scores: Tensor, keep: Tensor) -> Tensor:
    """Softmax over the last dimension among the scores that are kept; the others get a weight of exactly 0.

    scores: (..., n), float16, bfloat16, float32 or float64, any finite values above its lowest.
    keep: a bool tensor of the same shape, True where a score counts, at least once in each row.
    Returns a tensor of scores' shape and dtype; each row adds up to 1, within the rounding of its dtype.

    >>> scores = torch.tensor([[2.0, 5.0, 2.0]], dtype=torch.float16)
    >>> masked_softmax(scores, torch.tensor([[True, False, True]]))
    tensor([[0.5000, 0.0000, 0.5000]], dtype=torch.float16)
    """
    raise NotImplementedError("masked_softmax")


def loss_and_probabilities(model: nn.Module, X: Tensor, y: Tensor, dtype: torch.dtype) -> tuple[Tensor, np.ndarray]:
    """The loss of a binary classifier on one batch under autocast, and its probabilities for whoever plots them.

    model: model(X) gives one logit an example, (n,); call it once, under autocast to dtype. Its parameters are float32
    and stay so.
    X, y: on the model's device; y is float32 (n,), 0.0 or 1.0.
    dtype: torch.bfloat16 or torch.float16.
    Returns two things. First the mean binary cross entropy of the logits, taken in float32, as losses are under
    autocast: a float32 scalar with a graph, right for logits of any size. Second the probabilities of class 1, a
    float32 NumPy array (n,): the sigmoid of the logits, taken in float32. No warning is raised.

    >>> model = nn.Sequential(nn.Linear(1, 1, bias=False), nn.Flatten(0))
    >>> _ = nn.init.constant_(model[0].weight, 2.0)
    >>> loss, probabilities = loss_and_probabilities(model, torch.zeros(1, 1), torch.ones(1), torch.bfloat16)
    >>> round(loss.item(), 4), probabilities
    (0.6931, array([0.5], dtype=float32))
    """
    raise NotImplementedError("loss_and_probabilities")


def scaled_step(
    model: nn.Module, loss_fn: Loss, optimizer: Optimizer, scaler: GradScaler, X: Tensor, y: Tensor, dtype: torch.dtype
) -> float:
    """Train the model on one batch in mixed precision: autocast, one backward pass, one step through the scaler.

    model: model(X) gives the outputs for a batch; call it once. Its parameters are float32 and stay so.
    loss_fn: loss_fn(outputs, y) gives the mean loss. Autocast to dtype is on while model and loss_fn run, and off in
    the backward pass and in the optimizer's step.
    optimizer: holds the model's parameters; it alone moves them, by the gradients of this batch alone.
    scaler: as of make_scaler, enabled or not, and used for every step. It scales the loss that goes backward; the
    optimizer steps on gradients without the scale, or not at all where one of them is inf or NaN; then the scale is
    updated.
    X, y: on the model's device, X.device. dtype: torch.float16 or torch.bfloat16.
    Returns the loss of the batch, without the scale, as it was before the step, as a Python float.

    >>> model = nn.Linear(1, 1, bias=False)
    >>> _ = nn.init.constant_(model.weight, 3.0)
    >>> sgd = torch.optim.SGD(model.parameters(), lr=0.125)
    >>> scaler = torch.amp.GradScaler("cpu", init_scale=64.0)
    >>> X, y = torch.tensor([[2.0]]), torch.tensor([[4.0]])
    >>> scaled_step(model, nn.MSELoss(), sgd, scaler, X, y, torch.float16), model.weight.item()
    (4.0, 2.0)
    """
    raise NotImplementedError("scaled_step")


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
    """Train the model on one batch as in scaled_step, and clip the gradient before the step.

    model, loss_fn, optimizer, scaler, X, y, dtype: as in scaled_step.
    max_norm: greater than 0. The optimizer steps with the gradient, without the scale, shrunk by one factor so that its
    total norm is max_norm at most; where it is short enough, it stays as it is.
    Returns the total norm of that gradient before it was clipped, without the scale, as a Python float; inf or NaN
    where a gradient is: then too there is no step, the scale is updated, and nothing is raised.

    >>> model = nn.Linear(1, 1, bias=False)
    >>> _ = nn.init.constant_(model.weight, 3.0)
    >>> sgd = torch.optim.SGD(model.parameters(), lr=0.25)
    >>> scaler = torch.amp.GradScaler("cpu", init_scale=64.0)
    >>> X, y = torch.tensor([[2.0]]), torch.tensor([[4.0]])
    >>> clipped_scaled_step(model, nn.MSELoss(), sgd, scaler, X, y, torch.float16, max_norm=2.0)
    8.0
    >>> round(model.weight.item(), 4)
    2.5
    """
    raise NotImplementedError("clipped_scaled_step")
