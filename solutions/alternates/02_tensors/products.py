"""Other right answers to katas/02_tensors/products.py."""

import numpy as np
import torch
import torch.nn.functional as F

from torchkatas.bank import right


@right(replaces="matrix_product")
def by_mm(a, b):
    return a.mm(b)


@right(replaces="matrix_product")
def by_einsum(a, b):
    return torch.einsum("ik,kj->ij", a, b)


@right(replaces="matrix_product")
def by_broadcasting(a, b):
    return (a[:, :, None] * b).sum(dim=1)


@right(replaces="matrix_product")
def transposed_back(a, b):
    return (b.T @ a.T).T


@right(replaces="affine")
def matmul_then_add(x, weight, bias):
    out = torch.matmul(x, weight.t())
    out += bias
    return out


@right(replaces="affine")
def affine_by_einsum(x, weight, bias):
    return torch.einsum("...i,oi->...o", x, weight).add(bias)


@right(replaces="affine")
def affine_by_broadcasting(x, weight, bias):
    return (x.unsqueeze(-2) * weight).sum(-1) + bias


@right(replaces="affine")
def weight_times_columns(x, weight, bias):
    return (weight @ x[..., None])[..., 0] + bias


@right(replaces="dot_products")
def by_bmm(queries, keys):
    return torch.bmm(queries, keys.transpose(1, 2))


@right(replaces="dot_products")
def dot_products_by_einsum(queries, keys):
    return torch.einsum("bqd,bkd->bqk", queries, keys)


@right(replaces="dot_products")
def dot_products_by_broadcasting(queries, keys):
    return (queries[:, :, None, :] * keys[:, None, :, :]).sum(-1)


@right(replaces="dot_products")
def entry_after_entry(queries, keys):
    return torch.stack([one @ other.T for one, other in zip(queries, keys, strict=True)])


@right(replaces="outer")
def column_by_row(u, v):
    return u.view(-1, 1) @ v.view(1, -1)


@right(replaces="outer")
def outer_by_einsum(u, v):
    return torch.einsum("i,j->ij", u, v)


@right(replaces="outer")
def repeated_vector(u, v):
    return u[:, None].expand(-1, len(v)) * v[None, :]


@right(replaces="broadcast_shape")
def padded_in_front(one, other):
    rank = max(len(one), len(other))
    one, other = [1] * (rank - len(one)) + list(one), [1] * (rank - len(other)) + list(other)
    for a, b in zip(one, other, strict=True):
        if not (a == b or a == 1 or b == 1):
            raise ValueError("the shapes do not broadcast")
    return torch.Size(b if a == 1 else a for a, b in zip(one, other, strict=True))


@right(replaces="broadcast_shape")
def from_the_last_axis(one, other):
    shape = []
    for i in range(1, max(len(one), len(other)) + 1):
        sizes = {s[-i] for s in (one, other) if i <= len(s)} - {1}
        if len(sizes) > 1:
            raise ValueError(f"Broadcasting fails at axis -{i}")
        shape.insert(0, sizes.pop() if sizes else 1)
    return tuple(shape)


@right(replaces="standardize_rows")
def mean_of_squares(x):
    centered = x - x.mean(1, True)
    return centered / centered.pow(2).mean(1, keepdim=True).sqrt()


@right(replaces="standardize_rows")
def unbiased_turned_off(x):
    return (x - x.mean(dim=-1).unsqueeze(-1)) / x.std(dim=-1, unbiased=False)[:, None]


@right(replaces="standardize_rows")
def across_the_transpose(x):
    return ((x.T - x.mean(1)) / x.std(1, correction=0)).T


@right(replaces="standardize_rows")
def by_layer_norm(x):
    return F.layer_norm(x.double(), x.shape[1:], eps=0).float()


@right(replaces="standardize_rows")
def through_numpy(x):
    rows = x.numpy()
    return torch.from_numpy((rows - np.mean(rows, 1, keepdims=True)) / np.std(rows, 1, keepdims=True))


@right(replaces="softmax_rows")
def values_of_max(logits):
    powers = torch.exp(logits - logits.max(dim=-1, keepdim=True).values)
    return powers / powers.sum(-1, keepdim=True)


@right(replaces="softmax_rows")
def by_logsumexp(logits):
    return (logits - torch.logsumexp(logits, dim=1, keepdim=True)).exp()


@right(replaces="softmax_rows")
def row_after_row(logits):
    rows = []
    for row in logits:
        e = (row - max(row)).exp()
        rows.append(e / e.sum())
    return torch.stack(rows)


@right(replaces="mean_squared_error")
def column_of_targets(predictions, targets):
    return F.mse_loss(predictions.view(-1, 1), targets.unsqueeze(1))


@right(replaces="mean_squared_error")
def module_on_flat_predictions(predictions, targets):
    return torch.nn.MSELoss()(predictions.reshape(-1), targets)


@right(replaces="mean_squared_error")
def dot_of_the_difference(predictions, targets):
    difference = predictions.view_as(targets) - targets
    return difference @ difference / len(targets)


@right(replaces="mean_squared_error")
def squeezed_where_a_column(predictions, targets):
    if predictions.ndim == 2:
        predictions = predictions.squeeze(1)
    return torch.mean((targets - predictions) ** 2)
