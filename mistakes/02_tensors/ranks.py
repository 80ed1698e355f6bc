"""Wrong answers to katas/02_tensors/ranks.py."""

import torch

from torchkatas.bank import wrong


@wrong(
    "t01-capital-tensor",
    replaces="scalar",
    says="torch.Tensor with a capital T is the class: it takes an int for a size, makes that many elements and leaves "
    "them unset; torch.tensor takes it for the data.",
    fact="02.1",
)
def capital_tensor(value):
    return torch.Tensor(value)


@wrong(
    "scalar-with-an-axis",
    replaces="scalar",
    says="This is a vector of one element: the brackets make an axis, so the shape is (1,). A scalar has no axis at "
    "all.",
    fact="02.1",
)
def scalar_with_an_axis(value):
    return torch.tensor([value])


@wrong(
    "scalar-always-float",
    replaces="scalar",
    says="Every number comes out as float32, also an int; torch infers int64 from a Python int if it is left to.",
)
def scalar_always_float(value):
    return torch.tensor(float(value))


@wrong(
    "scalar-no-tensor",
    replaces="scalar",
    says="A Python number came back. It has to be put into a tensor, which then has a shape, a dtype and a device.",
    fact="02.1",
)
def scalar_no_tensor(value):
    return value


@wrong(
    "t03-rank-vs-size",
    replaces="describe",
    says="The count is the size of the first axis, as len() gives it (a tensor of rank 0 has no length); the number "
    "of elements is the product of all the sizes.",
)
def rank_vs_size(x):
    return x.ndim, x.shape, len(x)


@wrong(
    "rank-is-first-size",
    replaces="describe",
    says="The rank is the number of axes, not the size of the first one: [[5]] has rank 2, as the brackets show.",
    fact="02.3",
)
def rank_is_first_size(x):
    return (x.shape[0] if x.ndim else 0), x.shape, x.numel()


@wrong(
    "rank-by-len",
    replaces="describe",
    says="len(x) is the size of the first axis, not the number of axes, and a tensor of rank 0 has none; the rank is "
    "len(x.shape), or x.ndim.",
    fact="02.3",
)
def rank_by_len(x):
    return len(x), x.shape, x.numel()


@wrong(
    "rank-ignores-ones",
    replaces="describe",
    says="Axes of size 1 are axes too: shape (1, 6) has rank 2, and shape (1,) has rank 1. The rank is the length of "
    "the shape.",
    fact="02.2",
)
def rank_ignores_ones(x):
    return sum(size != 1 for size in x.shape), x.shape, x.numel()


@wrong(
    "count-by-sum",
    replaces="describe",
    says="The count is the sum of the sizes; each axis multiplies what the others hold, so it is their product, and 1 "
    "for ().",
)
def count_by_sum(x):
    return x.ndim, x.shape, sum(x.shape)


@wrong(
    "shape-without-ones",
    replaces="describe",
    says="The axes of size 1 are missing from this shape: it lists every axis, (1, 6) for one row of six.",
    fact="02.10",
)
def shape_without_ones(x):
    return x.ndim, x.squeeze().shape, x.numel()


@wrong(
    "column-is-a-vector",
    replaces="row_and_column",
    says="The column is still the vector: with one axis there is nothing for .T to swap. A column is (n, 1): it needs "
    "a second axis.",
    fact="02.2",
)
def column_is_a_vector(v):
    return v[None], v


@wrong(
    "row-is-a-vector",
    replaces="row_and_column",
    says="The row is still the vector, of shape (n,): it prints like a row, but has one axis. A row is (1, n), with "
    "two brackets.",
    fact="02.2",
)
def row_is_a_vector(v):
    return v, v[:, None]


@wrong(
    "row-column-swapped",
    replaces="row_and_column",
    says="The two are the wrong way round: one row of n numbers is (1, n), rows come first in a shape.",
    fact="02.2",
)
def row_column_swapped(v):
    return v.unsqueeze(1), v.unsqueeze(0)


@wrong(
    "column-is-a-row",
    replaces="row_and_column",
    says="Both have the shape (1, n). Where the new axis of size 1 goes makes the difference: before the n for a row, "
    "after it for a column.",
)
def column_is_a_row(v):
    return v[None], v[None]


@wrong(
    "cat-for-stack",
    replaces="batch_of",
    says="The examples are joined end to end along an axis that they have already, as torch.cat does; a batch needs a "
    "new axis.",
    fact="02.3",
)
def cat_for_stack(examples):
    return torch.cat(examples)


@wrong(
    "batch-axis-second",
    replaces="batch_of",
    says="The new axis stands second: along the first one there should be one entry for each example, so that "
    "batch[i] is examples[i].",
    fact="02.4",
)
def batch_axis_second(examples):
    return torch.stack(examples, dim=1)


@wrong(
    "batch-axis-last",
    replaces="batch_of",
    says="The new axis stands last, and batch[i] is no example but a slice through all of them; the batch axis is the "
    "first.",
    fact="02.4",
)
def batch_axis_last(examples):
    return torch.stack(examples, dim=-1)


@wrong(
    "tensor-of-tensors",
    replaces="batch_of",
    says="torch.tensor builds from numbers and nested lists of numbers; a list of tensors of several elements is put "
    "together by torch.stack.",
)
def tensor_of_tensors(examples):
    return torch.tensor(examples)


@wrong(
    "first-example-only",
    replaces="batch_of",
    says="Every entry of the batch is the first example; entry i is to be examples[i].",
)
def first_example_only(examples):
    return torch.stack([examples[0]] * len(examples))


@wrong(
    "no-batch-axis",
    replaces="for_one",
    says="The example went in as it is, so f took its first axis for the batch; a batch of one has shape (1, ...).",
)
def no_batch_axis(f, example):
    return f(example)


@wrong(
    "batch-axis-left",
    replaces="for_one",
    says="The axis that was added for f is still there: the answer for one example has no batch axis, so it has to go "
    "again.",
)
def batch_axis_left(f, example):
    return f(example.unsqueeze(0))


@wrong(
    "squeeze-takes-all",
    replaces="for_one",
    says="An axis of the answer itself is gone: squeeze() without an argument drops every axis of size 1. Name the "
    "one to drop.",
)
def squeeze_takes_all(f, example):
    return f(example.unsqueeze(0)).squeeze()


@wrong(
    "squeeze-the-last",
    replaces="for_one",
    says="The last axis was squeezed where the batch axis is the first: it stays, and an answer of size 1 loses its "
    "own axis.",
)
def squeeze_the_last(f, example):
    return f(example.unsqueeze(0)).squeeze(-1)


@wrong(
    "added-behind",
    replaces="for_one",
    says="The new axis was put behind the others, so the example's own first axis is still where f looks for the "
    "batch.",
)
def added_behind(f, example):
    return f(example.unsqueeze(-1))[0]


@wrong(
    "t06-rand-randn",
    replaces="embeddings",
    says="These numbers are uniform between 0 and 1, as rand draws them, so none is negative; randn draws from the "
    "normal distribution around 0.",
)
def rand_for_randn(batch, seq, dim, generator):
    return torch.rand(batch, seq, dim, generator=generator)


@wrong(
    "uniform-around-0",
    replaces="embeddings",
    says="The mean is 0, but the standard deviation is 0.6: this is uniform between -1 and 1. The normal "
    "distribution's is 1.",
)
def uniform_around_0(batch, seq, dim, generator):
    return 2 * torch.rand(batch, seq, dim, generator=generator) - 1


@wrong(
    "k03-rng-order",
    replaces="embeddings",
    says="The numbers come from torch's global random stream: any draw made elsewhere (a new layer, a shuffled "
    "loader) shifts them. Hand the generator to the call that draws.",
)
def global_stream(batch, seq, dim, generator):
    return torch.randn(batch, seq, dim)


@wrong(
    "global-stream-seeded",
    replaces="embeddings",
    says="The global random stream was seeded for this, so every later draw of the whole program repeats too. Draw "
    "from the generator itself.",
)
def global_stream_seeded(batch, seq, dim, generator):
    torch.manual_seed(generator.initial_seed())
    return torch.randn(batch, seq, dim)


@wrong(
    "seeded-anew",
    replaces="embeddings",
    says="Each call starts the generator from its seed again and so gives the same numbers; whoever made it has "
    "seeded it already.",
)
def seeded_anew(batch, seq, dim, generator):
    return torch.randn(batch, seq, dim, generator=generator.manual_seed(generator.initial_seed()))


@wrong(
    "seeded-with-a-constant",
    replaces="embeddings",
    says="Whatever the generator's seed, the numbers are the same: it was seeded again, with a constant. Use it as it "
    "is handed in.",
)
def seeded_with_a_constant(batch, seq, dim, generator):
    return torch.randn(batch, seq, dim, generator=generator.manual_seed(0))


@wrong(
    "sequence-first",
    replaces="embeddings",
    says="The first two axes are swapped: [batch, seq, dim] has the batch first, then the position in the text, then "
    "the features.",
    fact="02.4",
)
def sequence_first(batch, seq, dim, generator):
    return torch.randn(seq, batch, dim, generator=generator)


@wrong(
    "tokens-in-one-row",
    replaces="embeddings",
    says="This is a matrix of batch * seq tokens; batch and sequence are an axis each, so the rank is 3.",
    fact="02.4",
)
def tokens_in_one_row(batch, seq, dim, generator):
    return torch.randn(batch * seq, dim, generator=generator)


@wrong(
    "s11-expand-inplace",
    replaces="with_own_first",
    says="expand copies nothing: all rows of its result lie in the memory of the text. torch refuses a write that "
    "would reach several of them, and with a single row it lands in the text itself (where contiguous() has nothing to "
    "do and copies nothing either); clone() first, or use repeat.",
)
def expand_inplace(text, firsts):
    rows = text.expand(len(firsts), -1, -1)
    rows[:, 0] = firsts
    return rows


@wrong(
    "one-text-many-names",
    replaces="with_own_first",
    says="The text itself was written to, and again for each row: a list that holds one tensor several times holds "
    "one memory, so that every row gets the last of the first tokens. Clone it for each row.",
)
def one_text_many_names(text, firsts):
    rows = [text] * len(firsts)
    for row, first in zip(rows, firsts, strict=True):
        row[0] = first
    return torch.stack(rows)


@wrong(
    "first-put-before",
    replaces="with_own_first",
    says="The first tokens were put before the text, which is one token longer now; they take the place of the first "
    "one.",
)
def first_put_before(text, firsts):
    return torch.cat([firsts[:, None], text.expand(len(firsts), -1, -1)], dim=1)


@wrong(
    "same-first-everywhere",
    replaces="with_own_first",
    says="All rows start with firsts[0]; row i of the batch has firsts[i].",
)
def same_first_everywhere(text, firsts):
    rows = text.repeat(len(firsts), 1, 1)
    rows[:, 0] = firsts[0]
    return rows


@wrong(
    "last-for-first",
    replaces="with_own_first",
    says="The last token was replaced, not the first: positions count from 0.",
)
def last_for_first(text, firsts):
    rows = text.repeat(len(firsts), 1, 1)
    rows[:, -1] = firsts
    return rows


@wrong(
    "wrote-along-features",
    replaces="with_own_first",
    says="The write went to the first feature of every token, [:, :, 0]; the axes are [batch, seq, dim], and the "
    "position is the second.",
)
def wrote_along_features(text, firsts):
    rows = text.repeat(len(firsts), 1, 1)
    rows[:, :, 0] = firsts
    return rows


@wrong(
    "wrote-along-the-batch",
    replaces="with_own_first",
    says="The write went to row 0 of the batch, with all its positions: an error, or, with a batch of one, the same "
    "token everywhere. The axes are [batch, seq, dim], and position 0 of all rows is [:, 0].",
)
def wrote_along_the_batch(text, firsts):
    rows = text.repeat(len(firsts), 1, 1)
    rows[0] = firsts
    return rows
