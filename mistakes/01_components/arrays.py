"""Wrong answers to katas/01_components/arrays.py."""

import numpy as np
import torch
import torch.nn.functional as F

from torchkatas.bank import wrong

# ---- from_rows


@wrong(
    "float64-from-numpy",
    replaces="from_rows",
    says="This is float64, NumPy's default for floats; made of Python floats, a tensor is float32, torch's default.",
    fact="01.1",
)
def float64_from_numpy(rows):
    return torch.from_numpy(np.array(rows))


@wrong(
    "rows-as-columns",
    replaces="from_rows",
    says="Rows and columns are exchanged: each inner list is one row of the tensor, so R lists give shape (R, ...).",
)
def rows_as_columns(rows):
    return torch.tensor(rows).T


@wrong(
    "one-axis-more",
    replaces="from_rows",
    says="There is an axis too many: each level of nesting is one axis, so one more pair of brackets adds one.",
)
def one_axis_more(rows):
    return torch.tensor([rows])


@wrong(
    "list-of-rows",
    replaces="from_rows",
    says="This is a Python list of tensors, one for each row; one tensor is asked that holds all rows.",
)
def list_of_rows(rows):
    return [torch.tensor(row) for row in rows]


@wrong(
    "all-in-one-row",
    replaces="from_rows",
    says="The rows are joined into one long vector: the two levels of the list are to become two axes, (R, C).",
)
def all_in_one_row(rows):
    return torch.tensor([value for row in rows for value in row])


# ---- shared


@wrong(
    "shared-is-a-copy",
    replaces="shared",
    says="This tensor has memory of its own: torch.tensor, .copy() and .clone() all copy, "
    "and what is then written into the array is not seen. torch.from_numpy takes over the array's memory.",
    fact="01.1",
)
def shared_is_a_copy(array):
    return torch.from_numpy(array.copy())


@wrong(
    "shared-cast",
    replaces="shared",
    says="The dtype was changed to float32, and a cast needs new memory, so the tensor is a copy. "
    "To share, it must keep the array's dtype: NumPy's floats are float64.",
)
def shared_cast(array):
    return torch.from_numpy(array).float()


@wrong(
    "shared-if-contiguous",
    replaces="shared",
    says="A transposed array or one with steps is copied here, only to lay it out anew. "
    "There is no need: a tensor has strides too and walks through the same memory as the array does.",
)
def shared_if_contiguous(array):
    return torch.from_numpy(np.ascontiguousarray(array))


# ---- copied


@wrong(
    "t09-from-numpy-alias",
    replaces="copied",
    says="Tensor and array still share one memory, so what is written into one appears in the other: from_numpy and "
    "as_tensor copy nothing. Copy the array before the tensor is made.",
    fact="01.1",
)
def from_numpy_alias(array):
    return torch.as_tensor(array)


@wrong(
    "t10-negative-stride",
    replaces="copied",
    says="A reversed array walks backwards through its memory, by a negative stride, which no tensor can; "
    "even torch.tensor refuses it. Let NumPy make the copy first: its strides are positive.",
)
def negative_stride(array):
    return torch.tensor(array)


@wrong(
    "copy-if-needed",
    replaces="copied",
    says="This copies only arrays that do not lie in memory in order; a contiguous one is still shared, "
    "because np.ascontiguousarray returns such an array as it is.",
)
def copy_if_needed(array):
    return torch.from_numpy(np.ascontiguousarray(array))


@wrong(
    "copied-through-lists",
    replaces="copied",
    says="The array's dtype got lost: a list holds Python numbers, and torch makes float32 or int64 of them, "
    "whatever the array was.",
)
def copied_through_lists(array):
    return torch.tensor(array.tolist())


@wrong(
    "copied-cast",
    replaces="copied",
    says="The values were cast to float32; the copy is to keep the array's dtype, be it float64 or an integer.",
)
def copied_cast(array):
    return torch.from_numpy(array.copy()).float()


# ---- standardise


@wrong(
    "sample-spread",
    replaces="standardise",
    says="torch's std divides by C - 1 unless told otherwise, NumPy's by C: the one default in the expression that "
    "differs, and it makes all values of a row too small. Look at std's parameter correction (or unbiased).",
    fact="01.1",
)
def sample_spread(x):
    return (x - x.mean(dim=1, keepdim=True)) / x.std(dim=1, keepdim=True)


@wrong(
    "standardised-down-the-columns",
    replaces="standardise",
    says="Mean and spread are those of the columns: dim (or axis) names the axis that disappears, "
    "so 0 runs down the rows and 1 runs along each row.",
)
def down_the_columns(x):
    return (x - x.mean(dim=0, keepdim=True)) / x.std(dim=0, correction=0, keepdim=True)


@wrong(
    "over-everything",
    replaces="standardise",
    says="One mean and one spread were taken over the whole matrix: without an axis a reduction runs over all values.",
)
def over_everything(x):
    return (x - x.mean()) / x.std(correction=0)


@wrong(
    "axis-dropped",
    replaces="standardise",
    says="The mean of shape (R,) is lined up with the columns: broadcasting goes from the right. That fails where "
    "R differs from C, and is silently wrong where they are equal. keepdim=True leaves (R, 1).",
)
def axis_dropped(x):
    return (x - x.mean(dim=1)) / x.std(dim=1, correction=0)


@wrong(
    "switched-on-afterwards",
    replaces="standardise",
    says="requires_grad was switched on for numbers that NumPy had computed: that makes a new leaf, and no path leads "
    "back from it to x. Compute with torch's operations, and the graph comes by itself.",
)
def switched_on_afterwards(x):
    a = x.detach().numpy()
    result = (a - a.mean(axis=1, keepdims=True)) / a.std(axis=1, keepdims=True)
    return torch.tensor(result, requires_grad=x.requires_grad)


@wrong(
    "length-for-spread",
    replaces="standardise",
    says="The rows are divided by the length of their deviations, the root of the sum of squares; the spread is the "
    "root of their mean: the sum is divided by C first.",
)
def length_for_spread(x):
    d = x - x.mean(dim=1, keepdim=True)
    return d / d.square().sum(dim=1, keepdim=True).sqrt()


@wrong(
    "variance-for-spread",
    replaces="standardise",
    says="The rows are divided by the variance, the mean of the squared deviations; the spread is its square root.",
)
def variance_for_spread(x):
    return (x - x.mean(dim=1, keepdim=True)) / x.var(dim=1, correction=0, keepdim=True)


@wrong(
    "small-constant",
    replaces="standardise",
    says="Rows that vary little come out too small: a small constant was added under the root, "
    "as layer_norm does (eps=1e-5) unless told otherwise.",
)
def small_constant(x):
    return F.layer_norm(x, x.shape[1:])


@wrong(
    "through-numpy",
    replaces="standardise",
    says="NumPy did the work, which knows no graph: a tensor that requires a gradient refuses to become an array. "
    "Write the same expression in tensors.",
)
def through_numpy(x):
    a = x.numpy()
    return torch.from_numpy((a - a.mean(axis=1, keepdims=True)) / a.std(axis=1, keepdims=True))


# ---- with_ones


@wrong(
    "ones-on-the-default-device",
    replaces="with_ones",
    says="The ones were made on the program's default device, the CPU, and two tensors meet only on one device. "
    "A device belongs to a tensor: make the new one where x lies.",
    fact="01.2",
)
def ones_on_the_default_device(x):
    return torch.cat([x, torch.ones(x.shape[0], 1, dtype=x.dtype)], dim=1)


@wrong(
    "ones-in-float32",
    replaces="with_ones",
    says="The ones are float32, torch's default, and joined with half precision the result is promoted to float32. "
    "Make the ones in x's dtype.",
)
def ones_in_float32(x):
    return torch.cat([x, torch.ones(x.shape[0], 1, device=x.device)], dim=1)


@wrong(
    "ones-in-front",
    replaces="with_ones",
    says="The ones stand in the first column; they belong behind the last.",
)
def ones_in_front(x):
    return torch.cat([x.new_ones(x.shape[0], 1), x], dim=1)


@wrong(
    "ones-as-a-row",
    replaces="with_ones",
    says="This is a row more, not a column: the N rows stay, and each gets one value more, along dim 1.",
)
def ones_as_a_row(x):
    return torch.cat([x, x.new_ones(1, x.shape[1])], dim=0)


@wrong(
    "padded-with-zeros",
    replaces="with_ones",
    says="The new column holds zeros, which is what padding fills in unless told otherwise.",
)
def padded_with_zeros(x):
    return F.pad(x, (0, 1))


@wrong(
    "ones-through-lists",
    replaces="with_ones",
    says="x was taken apart into Python numbers: what is made of them is new, so it knows nothing of x's dtype, "
    "device or graph, and a tensor without data has no numbers to give. Join tensors instead.",
    fact="01.2",
)
def ones_through_lists(x):
    return torch.tensor([[*row, 1.0] for row in x.tolist()])
