"""Shapes, views and copies."""

from __future__ import annotations

from torch import Tensor


def features_per_example(batch: Tensor) -> int:
    # Why: .shape is a torch.Size, a tuple: a slice of it is one too, and its numel() multiplies the sizes (1 for none).
    return batch.shape[1:].numel()


def in_rows(values: Tensor, columns: int) -> Tensor:
    # Why: view() only writes a new shape over the same memory; the last axis runs fastest, so rows fill one by one.
    return values.view(-1, columns)


def transpose_each(matrices: Tensor) -> Tensor:
    # Why: .mT swaps the strides of the last two axes and moves no number; .T would reverse every axis, the batch's too.
    return matrices.mT


def channels_first(images: Tensor) -> Tensor:
    # Why: permute() names for each new axis the old one it comes from; contiguous() then copies into that order.
    return images.permute(0, 3, 1, 2).contiguous()


def flat_features(images: Tensor) -> Tensor:
    # Why: flatten(1) keeps axis 0, so that axis has to be the batch; it copies where the strides allow no view.
    batch = images if images.ndim == 4 else images.unsqueeze(0)
    return batch.flatten(1)


def blank_channel(images: Tensor, channel: int) -> Tensor:
    # Why: clone() gives the result memory of its own; `out = images` would only be a second name for the same tensor.
    out = images.clone()
    out[:, channel] = 0
    return out


def shares_memory(one: Tensor, other: Tensor) -> bool:
    # Why: views differ in shape, strides and first element, yet all of them stand on one storage and its one address.
    return one.untyped_storage().data_ptr() == other.untyped_storage().data_ptr()
