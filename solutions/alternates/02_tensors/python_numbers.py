"""Other right answers to katas/02_tensors/python_numbers.py."""

import statistics

import torch
from torch import Tensor

from torchkatas.bank import right


@right(replaces="mean_loss")
def stacked_first(losses):
    return torch.stack(list(losses)).mean().item()


@right(replaces="mean_loss")
def made_floats(losses):
    return float(sum(float(loss) for loss in losses) / len(losses))


@right(replaces="mean_loss")
def by_statistics(losses):
    return statistics.fmean(loss.detach().reshape(()).tolist() for loss in losses)


@right(replaces="as_numbers")
def level_by_level(x):
    return x.item() if x.ndim == 0 else [level_by_level_of(part) for part in x]


def level_by_level_of(x):
    return x.item() if x.ndim == 0 else [level_by_level_of(part) for part in x]


@right(replaces="as_numbers")
def detached_through_numpy(x):
    return x.detach().cpu().numpy().tolist()


@right(replaces="squared_norm")
def plain_sum(weights):
    return sum((weight**2).sum() for weight in weights)


@right(replaces="squared_norm")
def one_long_vector(weights):
    flat = torch.cat([weight.reshape(-1) for weight in weights])
    return flat @ flat


@right(replaces="squared_norm")
def growing_total(weights):
    total = torch.zeros(())
    for weight in weights:
        total = total + torch.sum(weight * weight)
    return total


@right(replaces="squared_norm")
def norm_of_norms(weights):
    return torch.stack([torch.linalg.vector_norm(weight) for weight in weights]).pow(2).sum()


@right(replaces="accuracy")
def counted_with_view_as(predicted, labels):
    return predicted.view_as(labels).eq(labels).sum().item() / len(labels)


@right(replaces="accuracy")
def counted_in_python(predicted, labels):
    pairs = zip(predicted.reshape(-1).tolist(), labels.tolist(), strict=True)
    return sum(p == t for p, t in pairs) / labels.numel()


@right(replaces="accuracy")
def labels_as_predicted(predicted, labels):
    return float((predicted == labels.reshape(predicted.shape)).double().mean())


@right(replaces="close_enough")
def by_the_formula(one, other):
    if one.shape != other.shape:
        return False
    return bool(((one - other).abs() <= 1e-6 + 1e-5 * other.abs()).all())


@right(replaces="close_enough")
def place_by_place(one, other):
    if one.size() != other.size():
        return False
    pairs = zip(one.flatten().tolist(), other.flatten().tolist(), strict=True)
    return all(abs(a - b) <= 1e-6 + 1e-5 * abs(b) for a, b in pairs)


@right(replaces="close_enough")
def all_of_isclose(one, other):
    same_shape = list(one.shape) == list(other.shape)
    return same_shape and torch.isclose(one, other, rtol=1e-5, atol=1e-6).all().item()


@right(replaces="keeps_graph")
def asked_with_getattr(operation, x):
    return getattr(operation(x.detach().clone().requires_grad_(True)), "requires_grad", False)


@right(replaces="keeps_graph")
def parameter_as_input(operation, x):
    result = operation(torch.nn.Parameter(x.clone()))
    return result.requires_grad if torch.is_tensor(result) else False


@right(replaces="keeps_graph")
def tried_with_a_gradient(operation, x):
    leaf = x.clone().requires_grad_()
    result = operation(leaf)
    if not isinstance(result, Tensor) or not result.is_floating_point():
        return False
    try:
        torch.autograd.grad(result.sum(), leaf)
    except RuntimeError:
        return False
    return True
