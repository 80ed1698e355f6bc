"""Other right answers to katas/09_devices/placement.py."""

import copy

import numpy
import torch
from torch import nn

from torchkatas.bank import right


@right(replaces="best_device")
def written_out(available):
    if available.get("cuda", 0) > 0:
        return torch.device("cuda")
    if available.get("mps"):
        return torch.device("mps")
    return torch.device("cpu")


@right(replaces="requested_device")
def by_torchs_parser(name, available):
    if name is None:
        return best_device(available)  # noqa: F821 - the solution's
    try:
        device = torch.device(name)
    except RuntimeError as error:
        raise ValueError(f"no device {name!r}") from error
    if device.type != "cpu" and (device.index or 0) not in range(available.get(device.type, 0)):
        raise ValueError(f"no device {name!r} here, only {available}")
    return device


@right(replaces="bring")
def by_assignment(model, X, y, device):
    model = model.to(device)
    X, y = X.to(device, non_blocking=True), y.to(device=device)
    return X, y


@right(replaces="bring")
def always_copies(model, X, y, device):
    for module in model.children():
        module.to(device)
    model.to(device)
    return X.to(device, copy=True), y.clone().to(device)


@right(replaces="trainable")
def moved_then_required(values, device):
    return torch.tensor(values).to(device).requires_grad_()


@right(replaces="trainable")
def parameter(values, device):
    return nn.Parameter(torch.tensor(values, dtype=torch.float32, device=device))


@right(replaces="trainable")
def detached(values, device):
    return torch.tensor(values, requires_grad=True).to(device).detach().requires_grad_(True)


@right(replaces="batch_to")
def by_kind(batch, device):
    def each(values):
        return [by_kind_of(value) for value in values]

    def by_kind_of(value):
        if torch.is_tensor(value):
            return value.to(device, non_blocking=True)
        if hasattr(value, "_replace"):
            return value._replace(**dict(zip(value._fields, each(value), strict=True)))
        if type(value) is dict:
            return dict(zip(value, each(value.values()), strict=True))
        return type(value)(each(value)) if type(value) in (list, tuple) else value

    return by_kind_of(batch)


@right(replaces="mask_future")
def by_addition(scores):
    return scores + torch.full_like(scores, float("-inf")).triu(diagonal=1)


@right(replaces="mask_future")
def by_positions(scores):
    at = torch.arange(scores.size(-1)).to(scores.device)
    return torch.where(at[None, :] > at[:, None], float("-inf"), scores)


@right(replaces="mask_future")
def in_place_on_a_copy(scores):
    out, n = scores.clone(), scores.size(-1)
    return out.masked_fill_(scores.new_ones(n, n).triu(1) == 1, float("-inf"))


@right(replaces="Standardize")
class Copies(nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        for name, value in {"mean": mean, "std": std}.items():
            self.register_buffer(name, copy.deepcopy(value), persistent=True)

    def forward(self, x):
        return x.sub(self.mean).div(self.std)


@right(replaces="as_array")
def each_by_itself(outputs):
    return numpy.concatenate([output.detach().to("cpu").numpy() for output in outputs])


@right(replaces="as_array")
def forced(outputs):
    with torch.no_grad():
        return torch.cat(tuple(outputs), dim=0).numpy(force=True)
