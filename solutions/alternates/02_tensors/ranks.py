"""Other right answers to katas/02_tensors/ranks.py."""

import math

import torch

from torchkatas.bank import right


@right(replaces="scalar")
def scalar_by_full(value):
    return torch.full((), value)


@right(replaces="scalar")
def scalar_by_as_tensor(value):
    return torch.as_tensor(value)


@right(replaces="scalar")
def scalar_squeezed(value):
    return torch.tensor([value]).squeeze()


@right(replaces="describe")
def describe_by_methods(x):
    return x.dim(), x.size(), x.nelement()


@right(replaces="describe")
def describe_from_the_shape(x):
    shape = tuple(x.shape)
    return len(shape), shape, math.prod(shape)


@right(replaces="describe")
def describe_as_a_list(x):
    return [x.ndim, list(x.shape), x.flatten().shape[0]]


@right(replaces="row_and_column")
def row_and_column_by_view(v):
    return v.view(1, -1), v.view(-1, 1)


@right(replaces="row_and_column")
def row_and_column_by_index(v):
    return v[None], v[:, None]


@right(replaces="row_and_column")
def row_and_column_by_transpose(v):
    row = v.reshape(1, len(v))
    return row, row.T.contiguous()


@right(replaces="row_and_column")
def row_and_column_by_stack(v):
    return [torch.stack([v]), torch.stack([v], dim=1)]


@right(replaces="batch_of")
def batch_by_cat(examples):
    return torch.cat([example.unsqueeze(0) for example in examples])


@right(replaces="batch_of")
def batch_by_reshape(examples):
    return torch.cat(tuple(examples)).reshape(len(examples), *examples[0].shape)


@right(replaces="batch_of")
def batch_by_filling(examples):
    batch = torch.empty(len(examples), *examples[0].shape, dtype=examples[0].dtype)
    for i, example in enumerate(examples):
        batch[i] = example
    return batch


@right(replaces="for_one")
def one_by_index(f, example):
    return f(example[None])[0]


@right(replaces="for_one")
def one_by_stack(f, example):
    (answer,) = f(torch.stack([example]))
    return answer


@right(replaces="for_one")
def one_of_two(f, example):
    return f(torch.stack([example, example]))[1]


@right(replaces="embeddings")
def embeddings_in_place(batch, seq, dim, generator):
    return torch.empty(batch, seq, dim).normal_(generator=generator)


@right(replaces="embeddings")
def embeddings_by_normal(batch, seq, dim, generator):
    return torch.normal(0.0, 1.0, (batch, seq, dim), generator=generator)


@right(replaces="embeddings")
def embeddings_row_by_row(batch, seq, dim, generator):
    return torch.stack([torch.randn((seq, dim), generator=generator) for _ in range(batch)])


@right(replaces="with_own_first")
def own_first_by_repeat(text, firsts):
    rows = text.repeat(firsts.shape[0], 1, 1)
    rows[:, 0, :] = firsts
    return rows


@right(replaces="with_own_first")
def own_first_by_cat(text, firsts):
    return torch.cat([firsts.unsqueeze(1), text[1:].expand(len(firsts), -1, -1)], dim=1)


@right(replaces="with_own_first")
def own_first_by_where(text, firsts):
    first = torch.arange(len(text))[:, None] == 0
    return torch.where(first, firsts[:, None], text)


@right(replaces="with_own_first")
def own_first_in_a_loop(text, firsts):
    rows = []
    for first in firsts:
        row = text.clone()
        row[0] = first
        rows.append(row)
    return torch.stack(rows)
