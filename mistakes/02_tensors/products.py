"""Wrong answers to katas/02_tensors/products.py."""

from itertools import zip_longest

import torch
import torch.nn.functional as F

from torchkatas.bank import wrong


@wrong(
    "s05-star-for-matmul",
    replaces="matrix_product",
    says="That is the element-wise product, *: it pairs entries at the same place (or broadcasts) and sums nothing; "
    "the matrix product is @.",
    fact="02.13",
)
def entry_by_entry(a, b):
    return a * b


@wrong(
    "factors-exchanged",
    replaces="matrix_product",
    says="This is b @ a; the matrix product depends on the order, and where the matrices are not square "
    "often only one order fits.",
    fact="02.13",
)
def factors_exchanged(a, b):
    return b @ a


@wrong(
    "rows-with-rows",
    replaces="matrix_product",
    says="Rows of a met rows of b, which is a @ b.T; in the matrix product they meet the columns of b.",
    fact="02.13",
)
def rows_with_rows(a, b):
    return a @ b.T


@wrong(
    "transposed-product",
    replaces="matrix_product",
    says="The right numbers, transposed: entry (i, j) of a @ b belongs to row i of a and column j of b.",
    fact="02.13",
)
def transposed_product(a, b):
    return (a @ b).T


@wrong(
    "s06-matmul-inner",
    replaces="affine",
    says="weight is (out, in), so x @ weight lets x's `in` meet `out`: an error, or, where both are equal, "
    "silently the wrong numbers. Transpose the weight.",
    fact="02.13",
)
def weight_not_transposed(x, weight, bias):
    return x @ weight + bias


@wrong(
    "bias-forgotten",
    replaces="affine",
    says="The bias is missing: this is the linear part alone, which maps zero to zero.",
)
def bias_forgotten(x, weight, bias):
    return x @ weight.T


@wrong(
    "bias-down-the-batch",
    replaces="affine",
    says="The bias was added down the batch, one number for each example; it has one number for each output, "
    "so it belongs to the last axis.",
    fact="02.13",
)
def bias_down_the_batch(x, weight, bias):
    return x @ weight.T + bias.unsqueeze(1)


@wrong(
    "weight-in-front",
    replaces="affine",
    says="weight @ x is the map of one column vector; the vectors of a batch are rows, so the weight comes behind, "
    "transposed.",
    fact="02.13",
)
def weight_in_front(x, weight, bias):
    return weight @ x + bias


@wrong(
    "batches-of-vectors-alone",
    replaces="affine",
    says="This takes a matrix x alone; x @ the transposed weight also takes one vector, or more batch axes.",
)
def batches_of_vectors_alone(x, weight, bias):
    return torch.addmm(bias, x, weight.T)


@wrong(
    "weight-times-transposed",
    replaces="affine",
    says="x.T reverses every axis of x: that takes one vector or a batch of them, not a batch of sequences. Leave x "
    "as it is and transpose the weight, which always is a matrix.",
)
def weight_times_transposed(x, weight, bias):
    return (weight @ x.T).T + bias


@wrong(
    "affine-made-a-leaf",
    replaces="affine",
    says="The result requires a gradient, but it is a new leaf: it was computed outside the graph and requires_grad "
    "was switched on afterwards, so no path leads back to the inputs.",
)
def affine_made_a_leaf(x, weight, bias):
    return (x.detach() @ weight.detach().T + bias.detach()).requires_grad_()


@wrong(
    "weight-out-of-the-graph",
    replaces="affine",
    says="No gradient comes back to the weight: it was taken out of the graph (.data, detach, tolist), and would never "
    "learn.",
)
def weight_out_of_the_graph(x, weight, bias):
    return x @ weight.detach().T + bias


@wrong(
    "bias-out-of-the-graph",
    replaces="affine",
    says="No gradient comes back to the bias: it was taken out of the graph (.data, detach, tolist), and would never "
    "learn.",
)
def bias_out_of_the_graph(x, weight, bias):
    return x @ weight.T + bias.detach()


@wrong(
    "x-out-of-the-graph",
    replaces="affine",
    says="No gradient comes back to x: it was taken out of the graph (.data, detach, numpy), and no layer before "
    "this one could learn.",
)
def x_out_of_the_graph(x, weight, bias):
    return x.detach() @ weight.T + bias


@wrong(
    "affine-detached",
    replaces="affine",
    says="The values are right, but weight and bias were taken out of the graph (.data, detach, no_grad): "
    "they would never learn.",
)
def affine_detached(x, weight, bias):
    return x @ weight.data.T + bias.data


@wrong(
    "keys-as-they-are",
    replaces="dot_products",
    says="queries @ keys lets a query's dim meet the number of keys: an error, or, where both are equal, silently "
    "the wrong numbers. Exchange the last two axes of the keys.",
    fact="02.13",
)
def keys_as_they_are(queries, keys):
    return queries @ keys


@wrong(
    "keys-reversed",
    replaces="dot_products",
    says="On a batch .T reverses every axis, the batch's too; only the last two are to be exchanged.",
    fact="02.12",
)
def keys_reversed(queries, keys):
    return queries @ keys.T


@wrong(
    "keys-by-queries",
    replaces="dot_products",
    says="Queries and keys are exchanged: the result is (batch, k, q), a row for each key.",
    fact="02.13",
)
def keys_by_queries(queries, keys):
    return keys @ queries.mT


@wrong(
    "queries-times-keys",
    replaces="dot_products",
    says="* pairs query i with key i alone and sums nothing (or the shapes do not broadcast); "
    "every query is to meet every key.",
    fact="02.13",
)
def queries_times_keys(queries, keys):
    return queries * keys


@wrong(
    "keys-of-the-first-entry",
    replaces="dot_products",
    says="Every entry of the batch met the keys of the first one; batch entries keep to themselves.",
    fact="02.13",
)
def keys_of_the_first_entry(queries, keys):
    return queries @ keys[0].T


@wrong(
    "scaled-by-root-dim",
    replaces="dot_products",
    says="These are divided by the root of dim, as attention does afterwards; here the bare dot products are asked.",
)
def scaled_by_root_dim(queries, keys):
    return queries @ keys.mT / keys.shape[-1] ** 0.5


@wrong(
    "s04-T-on-1d",
    replaces="outer",
    says="A vector has one axis, so .T leaves it as it is and * pairs u[i] with v[i]; a column needs a second axis, "
    "as unsqueeze makes it.",
    fact="02.13",
)
def transposed_vector(u, v):
    return u.T * v


@wrong(
    "dot-for-outer",
    replaces="outer",
    says="@ of two vectors is their dot product, one number (.T on a vector changes nothing); "
    "the outer product keeps every pair and sums none.",
    fact="02.13",
)
def dot_for_outer(u, v):
    return u @ v


@wrong(
    "outer-transposed",
    replaces="outer",
    says="The right numbers, transposed: u runs down the rows and v along the columns.",
    fact="02.13",
)
def outer_transposed(u, v):
    return u * v.unsqueeze(1)


@wrong(
    "outer-sum",
    replaces="outer",
    says="Each pair was added; the outer product multiplies it.",
)
def outer_sum(u, v):
    return u.unsqueeze(1) + v


@wrong(
    "aligned-at-the-front",
    replaces="broadcast_shape",
    says="The shapes were aligned at their first axes; broadcasting aligns them at their last, "
    "and puts the missing axes in front.",
    fact="02.13",
)
def aligned_at_the_front(one, other):
    sizes = []
    for a, b in zip_longest(one, other, fillvalue=1):
        if a != b and 1 not in (a, b):
            raise ValueError(f"cannot broadcast {one} with {other}")
        sizes.append(b if a == 1 else a)
    return tuple(sizes)


@wrong(
    "zipped-from-the-front",
    replaces="broadcast_shape",
    says="The shapes were paired from their first axes on, and only as far as the shorter one goes; broadcasting "
    "aligns them at their last axes, and a missing one counts as 1.",
    fact="02.13",
)
def zipped_from_the_front(one, other):
    sizes = []
    for a, b in zip(one, other):  # noqa: B905 - the mistake
        if a != b and 1 not in (a, b):
            raise ValueError(f"cannot broadcast {one} with {other}")
        sizes.append(b if a == 1 else a)
    return tuple(sizes)


@wrong(
    "unequal-ranks-refused",
    replaces="broadcast_shape",
    says="Shapes of unequal rank were refused, but they may well fit: the shorter one gets axes of size 1 in front.",
    fact="02.13",
)
def unequal_ranks_refused(one, other):
    if len(one) != len(other):
        raise ValueError(f"cannot broadcast {one} with {other}")
    for a, b in zip(one, other, strict=True):
        if a != b and 1 not in (a, b):
            raise ValueError(f"cannot broadcast {one} with {other}")
    return tuple(b if a == 1 else a for a, b in zip(one, other, strict=True))


@wrong(
    "sizes-back-to-front",
    replaces="broadcast_shape",
    says="The result is back to front: its sizes were collected from the last axis on, so turn them round at the end.",
)
def sizes_back_to_front(one, other):
    sizes = []
    for a, b in zip_longest(reversed(one), reversed(other), fillvalue=1):
        if a != b and 1 not in (a, b):
            raise ValueError(f"cannot broadcast {one} with {other}")
        sizes.append(b if a == 1 else a)
    return tuple(sizes)


@wrong(
    "missing-axes-dropped",
    replaces="broadcast_shape",
    says="The result has the rank of the shorter shape; the axes that only the longer one has are kept.",
    fact="02.13",
)
def missing_axes_dropped(one, other):
    sizes = []
    for a, b in zip(reversed(one), reversed(other)):  # noqa: B905 - the mistake
        if a != b and 1 not in (a, b):
            raise ValueError(f"cannot broadcast {one} with {other}")
        sizes.append(b if a == 1 else a)
    return tuple(reversed(sizes))


@wrong(
    "larger-size-wins",
    replaces="broadcast_shape",
    says="The larger size was taken whatever the other is: only a 1 stretches, other sizes must be equal, "
    "and a 1 against a 0 gives 0.",
    fact="02.13",
)
def larger_size_wins(one, other):
    return tuple(reversed([max(a, b) for a, b in zip_longest(reversed(one), reversed(other), fillvalue=1)]))


@wrong(
    "zero-taken-for-small",
    replaces="broadcast_shape",
    says="A size of 0 is a size like any other: a 1 against it becomes 0, which a maximum turns into 1.",
)
def zero_taken_for_small(one, other):
    sizes = []
    for a, b in zip_longest(reversed(one), reversed(other), fillvalue=1):
        if a != b and 1 not in (a, b):
            raise ValueError(f"cannot broadcast {one} with {other}")
        sizes.append(max(a, b))
    return tuple(reversed(sizes))


@wrong(
    "first-alone-stretches",
    replaces="broadcast_shape",
    says="Only the 1s and missing axes of the first shape were stretched; broadcasting works both ways.",
    fact="02.13",
)
def first_alone_stretches(one, other):
    sizes = []
    for a, b in zip_longest(reversed(one), reversed(other), fillvalue=1):
        if a not in (b, 1):
            raise ValueError(f"cannot broadcast {one} with {other}")
        sizes.append(b)
    return tuple(reversed(sizes))


@wrong(
    "multiples-fit",
    replaces="broadcast_shape",
    says="A size does not stretch to its multiples: 2 and 4 do not fit, only 1 repeats.",
    fact="02.13",
)
def multiples_fit(one, other):
    sizes = []
    for a, b in zip_longest(reversed(one), reversed(other), fillvalue=1):
        if a != b and 1 not in (a, b) and (0 in (a, b) or max(a, b) % min(a, b)):
            raise ValueError(f"cannot broadcast {one} with {other}")
        sizes.append(b if a == 1 else a if b == 1 else max(a, b))
    return tuple(reversed(sizes))


@wrong(
    "asks-the-built-in",
    replaces="broadcast_shape",
    says="broadcast_shapes does the work here; this kata asks you to write the rule by hand.",
)
def asks_the_built_in(one, other):
    return tuple(torch.broadcast_shapes(one, other))


@wrong(
    "b04-keepdim",
    replaces="standardize_rows",
    says="Without keepdim the statistics have shape (n,), which meets the columns: an error, or, where the table "
    "is square, column j gets the statistics of row j.",
    fact="02.13",
)
def statistics_without_keepdim(x):
    return (x - x.mean(dim=1)) / x.std(dim=1, correction=0)


@wrong(
    "mean-without-keepdim",
    replaces="standardize_rows",
    says="The mean has shape (n,), which meets the columns: an error, or, where the table is square, column j "
    "loses the mean of row j. Keep its axis.",
    fact="02.13",
)
def mean_without_keepdim(x):
    return (x - x.mean(dim=1)) / x.std(dim=1, correction=0, keepdim=True)


@wrong(
    "s17-std-correction",
    replaces="standardize_rows",
    says="torch's std divides by m - 1 unless told otherwise, and NumPy's by m; the population's takes correction=0.",
)
def divided_by_one_less(x):
    return (x - x.mean(dim=1, keepdim=True)) / x.std(dim=1, keepdim=True)


@wrong(
    "columns-standardized",
    replaces="standardize_rows",
    says="The columns were standardized: dim names the axis that the mean runs along, and along a row that is axis 1.",
)
def columns_standardized(x):
    return (x - x.mean(dim=0)) / x.std(dim=0, correction=0)


@wrong(
    "one-mean-for-all",
    replaces="standardize_rows",
    says="One mean and one standard deviation were taken over the whole table; each row has its own.",
)
def one_mean_for_all(x):
    return (x - x.mean()) / x.std(correction=0)


@wrong(
    "divides-by-the-variance",
    replaces="standardize_rows",
    says="The rows were divided by their variance; its root is the standard deviation.",
)
def divides_by_the_variance(x):
    return (x - x.mean(dim=1, keepdim=True)) / x.var(dim=1, correction=0, keepdim=True)


@wrong(
    "b05-softmax-dim",
    replaces="softmax_rows",
    says="The columns sum to 1: sum and maximum ran along axis 0, over the examples; the classes are axis 1.",
)
def softmax_of_columns(logits):
    powers = (logits - logits.amax(dim=0, keepdim=True)).exp()
    return powers / powers.sum(dim=0, keepdim=True)


@wrong(
    "s12-reduce-tuple",
    replaces="softmax_rows",
    says="max(dim=...) returns a pair, the values and their indices, and no tensor; take .values, or amax.",
)
def subtracts_a_pair(logits):
    powers = (logits - logits.max(dim=1, keepdim=True)).exp()
    return powers / powers.sum(dim=1, keepdim=True)


@wrong(
    "indices-for-values",
    replaces="softmax_rows",
    says="The place of the maximum was subtracted, not the maximum: max(dim=...) returns values first, then indices, "
    "and argmax the indices alone. So the exponents still overflow.",
)
def indices_for_values(logits):
    powers = (logits - logits.argmax(dim=1, keepdim=True)).exp()
    return powers / powers.sum(dim=1, keepdim=True)


@wrong(
    "exp-of-bare-logits",
    replaces="softmax_rows",
    says="exp(1000) is inf and exp(-1000) is 0 in floating point, which makes inf / inf and 0 / 0; "
    "take the row's maximum off before exp.",
)
def exp_of_bare_logits(logits):
    powers = logits.exp()
    return powers / powers.sum(dim=1, keepdim=True)


@wrong(
    "one-maximum-for-all",
    replaces="softmax_rows",
    says="One maximum was taken off every row: a row far below it becomes exp(-2000) = 0 throughout, and 0 / 0; "
    "each row needs its own.",
)
def one_maximum_for_all(logits):
    powers = (logits - logits.max()).exp()
    return powers / powers.sum(dim=1, keepdim=True)


@wrong(
    "sum-without-keepdim",
    replaces="softmax_rows",
    says="The sums have shape (n,), which meets the columns: an error, or, where the table is square, column j "
    "is divided by the sum of row j. Keep their axis.",
    fact="02.13",
)
def sum_without_keepdim(logits):
    powers = (logits - logits.amax(dim=1, keepdim=True)).exp()
    return powers / powers.sum(dim=1)


@wrong(
    "maximum-without-keepdim",
    replaces="softmax_rows",
    says="The maxima have shape (n,), which meets the columns: an error, or, where the table is square, column j "
    "loses the maximum of row j, and the ratios in a row change. Keep their axis.",
    fact="02.13",
)
def maximum_without_keepdim(logits):
    powers = (logits - logits.amax(dim=1)).exp()
    return powers / powers.sum(dim=1, keepdim=True)


@wrong(
    "nothing-with-keepdim",
    replaces="softmax_rows",
    says="Maxima and sums have shape (n,), which meets the columns: an error, or, where the table is square, column j "
    "gets those of row j. Keep their axis.",
    fact="02.13",
)
def nothing_with_keepdim(logits):
    powers = (logits - logits.amax(dim=1)).exp()
    return powers / powers.sum(dim=1)


@wrong(
    "one-sum-for-all",
    replaces="softmax_rows",
    says="All entries together sum to 1; each row is a distribution of its own and has its own sum.",
)
def one_sum_for_all(logits):
    powers = (logits - logits.amax(dim=1, keepdim=True)).exp()
    return powers / powers.sum()


@wrong(
    "whole-table-normalised",
    replaces="softmax_rows",
    says="One sum was taken over the whole table, so that all entries together sum to 1; each row is a distribution of "
    "its own, with its own sum (and its own maximum).",
)
def whole_table_normalised(logits):
    powers = (logits - logits.max()).exp()
    return powers / powers.sum()


@wrong(
    "b01-mse-n1-n",
    replaces="mean_squared_error",
    says="(N, 1) against (N,) broadcasts to (N, N), so this averages all pairs of a prediction and a target; "
    "at most a warning tells. Give both the same shape.",
    fact="02.13",
)
def all_pairs(predictions, targets):
    return F.mse_loss(predictions, targets)


@wrong(
    "column-of-targets-always",
    replaces="mean_squared_error",
    says="The targets became a column in every case; against predictions of shape (N,) that broadcasts to all pairs. "
    "Bring both to one shape, whichever comes.",
    fact="02.13",
)
def column_of_targets_always(predictions, targets):
    return ((predictions - targets.unsqueeze(1)) ** 2).mean()


@wrong(
    "sum-of-squares",
    replaces="mean_squared_error",
    says="The squares were summed and not divided by N: the loss would grow with the batch.",
)
def sum_of_squares(predictions, targets):
    return (predictions.flatten() - targets).square().sum()


@wrong(
    "halved-mean",
    replaces="mean_squared_error",
    says="This is half of the mean squared error: the 1/2 of some books makes the derivative tidier, but it is not "
    "part of the mean.",
)
def halved_mean(predictions, targets):
    return (predictions.flatten() - targets).square().mean() / 2


@wrong(
    "halved-sum",
    replaces="mean_squared_error",
    says="This is half of the sum of the squares; the mean divides the sum by the number of examples.",
)
def halved_sum(predictions, targets):
    return (predictions.flatten() - targets).square().sum() / 2


@wrong(
    "root-of-the-mean",
    replaces="mean_squared_error",
    says="This is the root of the mean squared error.",
)
def root_of_the_mean(predictions, targets):
    return (predictions.flatten() - targets).square().mean().sqrt()


@wrong(
    "absolute-error",
    replaces="mean_squared_error",
    says="This is the mean absolute error: the differences are to be squared.",
)
def absolute_error(predictions, targets):
    return (predictions.flatten() - targets).abs().mean()


@wrong(
    "square-of-the-mean",
    replaces="mean_squared_error",
    says="The mean difference was squared, so errors of opposite sign cancel; square each one, then take the mean.",
)
def square_of_the_mean(predictions, targets):
    return (predictions.flatten() - targets).mean().square()


@wrong(
    "loss-as-number",
    replaces="mean_squared_error",
    says="A Python number came back: it has no graph, so backward() has nowhere to start; item() is for printing.",
)
def loss_as_number(predictions, targets):
    return (predictions.flatten() - targets).square().mean().item()


@wrong(
    "loss-out-of-the-graph",
    replaces="mean_squared_error",
    says="The value is right, but the loss is cut off from the graph (.item(), detach, torch.tensor): "
    "backward() could not reach the model.",
)
def loss_out_of_the_graph(predictions, targets):
    return F.mse_loss(predictions.detach().flatten(), targets)


@wrong(
    "squared-error-made-a-leaf",
    replaces="mean_squared_error",
    says="The loss requires a gradient, but it is a new leaf: a finished number was put into it, so backward() ends "
    "there and never reaches the predictions.",
)
def squared_error_made_a_leaf(predictions, targets):
    return torch.tensor((predictions.flatten() - targets).square().mean().item(), requires_grad=True)


@wrong(
    "predictions-copied-into-a-leaf",
    replaces="mean_squared_error",
    says="No gradient comes back to the predictions: the loss was computed from a copy of their values (tolist, numpy, "
    "detach), and the path ends at that copy.",
)
def predictions_copied_into_a_leaf(predictions, targets):
    copy = torch.tensor(predictions.tolist(), requires_grad=True)
    return F.mse_loss(copy.flatten(), targets)
