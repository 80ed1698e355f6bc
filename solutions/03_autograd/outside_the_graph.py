"""Constants, snapshots, predictions, and updates of leaves, all outside the graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
import torch
from torch import Tensor, nn


def constant(x: Tensor) -> Tensor:
    # Why: detach() makes a second tensor over the same memory that knows nothing of the graph; x itself stays in it.
    return x.detach()


def snapshot(x: Tensor) -> Tensor:
    # Why: detach() leaves the graph but not the memory, clone() leaves the memory but not the graph: it takes both.
    return x.detach().clone()


def to_numpy(x: Tensor) -> np.ndarray:
    # Why: an array cannot carry a graph, so numpy() refuses until detach() has left it; float32 holds every bfloat16.
    x = x.detach()
    return (x.float() if x.dtype == torch.bfloat16 else x).numpy()


def predict(model: nn.Module, x: Tensor) -> Tensor:
    # Why: no_grad records nothing inside its block, and a with block puts the old mode back even when an error ends it.
    with torch.no_grad():
        return model(x)


def cache_features(encoder: Callable[[Tensor], Tensor], batches: Iterable[Tensor]) -> Tensor:
    # Why: what no_grad makes is an ordinary constant that a later graph may save; what inference_mode makes never is.
    with torch.no_grad():
        return torch.cat([encoder(batch) for batch in batches])


def chunk_gradients(
    cell: Callable[[Tensor, Tensor, Tensor], Tensor], w: Tensor, chunks: Sequence[Tensor], h: Tensor
) -> list[Tensor]:
    # Why: detach() hands on the state's value and cuts its history, so that each walk back ends where its chunk begins.
    w = w.clone().requires_grad_()
    gradients = []
    for chunk in chunks:
        h = cell(w, chunk, h.detach())
        gradients.append(torch.autograd.grad(h.square().sum(), w)[0])
    return gradients


def set_row(w: Tensor, row: int, values: Tensor) -> None:
    # Why: a leaf may not be changed by a recorded operation, for it would be a result then; under no_grad none is.
    with torch.no_grad():
        w[row] = values


def sgd_step(params: Sequence[Tensor], lr: float) -> None:
    # Why: -= writes into the leaf that the model holds, and no_grad keeps the step itself out of the next graph.
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                p -= lr * p.grad
