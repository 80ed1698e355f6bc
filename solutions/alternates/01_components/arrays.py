"""Other right answers to katas/01_components/arrays.py."""

import numpy as np
import torch
import torch.nn.functional as F

from torchkatas.bank import right


@right(replaces="from_rows")
def by_the_capital_constructor(rows):
    return torch.Tensor(rows)


@right(replaces="from_rows")
def by_stacking_rows(rows):
    return torch.stack([torch.tensor(row) for row in rows])


@right(replaces="from_rows")
def through_numpy_in_float32(rows):
    return torch.from_numpy(np.array(rows, dtype=np.float32))


@right(replaces="shared")
def by_as_tensor(array):
    return torch.as_tensor(array)


@right(replaces="shared")
def by_asarray(array):
    return torch.asarray(array)


@right(replaces="shared")
def by_dlpack(array):
    return torch.from_dlpack(array)


@right(replaces="copied")
def copied_twice(array):
    return torch.tensor(array.copy())


@right(replaces="copied")
def by_numpy_array(array):
    return torch.as_tensor(np.array(array))


@right(replaces="copied")
def forwards_then_clone(array):
    return torch.from_numpy(np.ascontiguousarray(array)).clone()


@right(replaces="copied")
def through_lists_with_the_dtype(array):
    return torch.tensor(array.tolist(), dtype=torch.from_numpy(np.empty(0, array.dtype)).dtype)


@right(replaces="standardise")
def in_numpys_words(x):
    return (x - x.mean(axis=1, keepdims=True)) / x.std(axis=1, keepdims=True, unbiased=False)


@right(replaces="standardise")
def spread_written_out(x):
    centred = x - x.mean(1)[:, None]
    return centred / centred.square().mean(-1).sqrt().unsqueeze(-1)


@right(replaces="standardise")
def by_var_mean(x):
    var, mean = torch.var_mean(x, dim=1, correction=0, keepdim=True)
    return (x - mean) * torch.rsqrt(var)


@right(replaces="standardise")
def by_layer_norm(x):
    return F.layer_norm(x, x.shape[1:], eps=0.0)


@right(replaces="standardise")
def row_by_row(x):
    return torch.stack([(row - row.mean()) / row.std(unbiased=False) for row in x])


@right(replaces="standardise")
def in_place_on_its_own(x):
    y = x.clone()
    y -= x.mean(dim=1, keepdim=True)
    return y.div_(x.std(dim=1, correction=0, keepdim=True))


@right(replaces="with_ones")
def by_padding(x):
    return F.pad(x, (0, 1), value=1.0)


@right(replaces="with_ones")
def dtype_and_device_named(x):
    return torch.hstack([x, torch.ones(len(x), 1, dtype=x.dtype, device=x.device)])


@right(replaces="with_ones")
def by_ones_like(x):
    return torch.concatenate((x, torch.ones_like(x[:, :1])), -1)


@right(replaces="with_ones")
def moved_to_x(x):
    return torch.column_stack([x, torch.ones(x.size(0)).to(x)])


@right(replaces="with_ones")
def filled_in(x):
    out = torch.empty(x.shape[0], x.shape[1] + 1, dtype=x.dtype, device=x.device)
    out[:, :-1] = x
    out[:, -1] = 1
    return out
