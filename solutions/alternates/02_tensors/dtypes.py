"""Other right answers to katas/02_tensors/dtypes.py."""

import functools

import numpy as np
import torch
import torch.nn.functional as F

from torchkatas.bank import right


@right(replaces="bytes_of")
def bytes_of_an_empty_tensor(shape, dtype):
    return torch.empty(tuple(shape), dtype=dtype).nbytes


@right(replaces="bytes_of")
def bytes_by_element_size(shape, dtype):
    x = torch.zeros(tuple(shape), dtype=dtype)
    return x.numel() * x.element_size()


@right(replaces="bytes_of")
def bytes_on_the_meta_device(shape, dtype):
    x = torch.empty(shape, dtype=dtype, device="meta")
    return x.nelement() * x.itemsize


@right(replaces="inferred")
def inferred_by_promotion(data):
    if isinstance(data, np.ndarray):
        return torch.from_numpy(data).dtype
    own = {bool: torch.bool, int: torch.int64, float: torch.float32}
    numbers = data if isinstance(data, list) else [data]
    return functools.reduce(torch.promote_types, [own[type(number)] for number in numbers])


@right(replaces="inferred")
def inferred_by_instance(data):
    if isinstance(data, np.ndarray):
        names = ("float64", "float32", "float16", "int64", "int32", "uint8", "bool")
        return {np.dtype(name): getattr(torch, name) for name in names}[data.dtype]
    if not isinstance(data, list):
        data = [data]
    if any(isinstance(number, float) for number in data):
        return torch.get_default_dtype()
    return torch.bool if all(isinstance(number, bool) for number in data) else torch.long


@right(replaces="float32_copy")
def copy_by_clone(x):
    return x.clone().float()


@right(replaces="float32_copy")
def copy_if_it_is_the_same(x):
    y = x.float()
    return y.clone() if y is x else y


@right(replaces="float32_copy")
def copy_into_empty(x):
    return torch.empty(x.shape, dtype=torch.float32).copy_(x)


@right(replaces="float32_copy")
def copy_by_sum(x):
    return x.type(torch.float32) + 0


@right(replaces="to_integers")
def integers_by_to(x):
    return x.to(torch.int64), torch.floor(x).to(torch.int64), torch.round(x).to(torch.int64)


@right(replaces="to_integers")
def integers_from_the_cut(x):
    cut = x.trunc().long()
    return [cut, cut - (x < cut).long(), torch.round(x).long()]


@right(replaces="to_integers")
def integers_by_div(x):
    down = torch.div(x, 1, rounding_mode="floor").type(torch.long)
    return torch.div(x, 1, rounding_mode="trunc").long(), down, x.clone().round_().long()


@right(replaces="in_16_bits")
def sixteen_by_edge(x):
    return x.bfloat16() if x.abs().max() >= 65520 else x.half()


@right(replaces="in_16_bits")
def sixteen_if_finite(x):
    half = x.half()
    return half if torch.isfinite(half).all() else x.type(torch.bfloat16)


@right(replaces="in_16_bits")
def sixteen_by_range(x):
    low, high = torch.aminmax(x)
    fits = low.item() > -65520 and high.item() < 65520
    return x.to(torch.float16 if fits else torch.bfloat16)


@right(replaces="centred")
def centred_after_the_cast(pixels):
    return (pixels.float() - pixels.float().mean()) / 255


@right(replaces="centred")
def centred_with_mean_dtype(pixels):
    return pixels / 255 - pixels.mean(dtype=torch.float32) / 255


@right(replaces="centred")
def centred_in_place_on_own(pixels):
    scaled = pixels.to(torch.float32)
    scaled /= 255
    scaled -= scaled.mean()
    return scaled


@right(replaces="centred")
def centred_in_float64(pixels):
    scaled = pixels.double().div(255)
    return scaled.sub(scaled.sum() / scaled.numel()).float()


@right(replaces="first_loss")
def first_loss_functional(x, y, weight):
    w = torch.tensor([float(number) for number in weight]).requires_grad_()
    prediction = torch.tensor(x, dtype=torch.float32) @ w
    return w, F.mse_loss(prediction, torch.as_tensor(y, dtype=torch.float32))


@right(replaces="first_loss")
def first_loss_cast_in_numpy(x, y, weight):
    w = torch.nn.Parameter(torch.tensor(weight).float())
    errors = torch.from_numpy(x.astype(np.float32)).matmul(w) - torch.from_numpy(y.astype(np.float32))
    return [w, (errors**2).sum() / len(y)]


@right(replaces="first_loss")
def first_loss_cast_at_the_end(x, y, weight):
    w = torch.tensor(weight, dtype=torch.float).requires_grad_(True)
    return w, torch.mean((torch.from_numpy(x) @ w.double() - torch.from_numpy(y)) ** 2).to(torch.float32)
