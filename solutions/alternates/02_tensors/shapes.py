"""Other right answers to katas/02_tensors/shapes.py."""

import math

import torch

from torchkatas.bank import right


@right(replaces="features_per_example")
def product_of_the_sizes(batch):
    return math.prod(batch.shape[1:])


@right(replaces="features_per_example")
def size_after_size(batch):
    count = 1
    for axis in range(1, batch.ndim):
        count *= batch.size(axis)
    return count


@right(replaces="in_rows")
def reshaped_rows(values, columns):
    return values.reshape(len(values) // columns, columns)


@right(replaces="in_rows")
def unflattened_rows(values, columns):
    return values.unflatten(0, (-1, columns))


@right(replaces="in_rows")
def unfolded_rows(values, columns):
    return values.unfold(0, columns, columns)


@right(replaces="transpose_each")
def last_two_exchanged(matrices):
    return matrices.transpose(-2, -1)


@right(replaces="transpose_each")
def last_two_swapped(matrices):
    return torch.swapaxes(matrices, -1, -2)


@right(replaces="transpose_each")
def permuted_axes(matrices):
    *batch, n, m = range(matrices.ndim)
    return matrices.permute(*batch, m, n)


@right(replaces="channels_first")
def channel_axis_moved(images):
    return torch.movedim(images, -1, 1).contiguous()


@right(replaces="channels_first")
def planes_stacked(images):
    return torch.stack(images.unbind(-1), dim=1)


@right(replaces="channels_first")
def transposed_twice(images):
    return images.transpose(3, 2).transpose(2, 1).clone(memory_format=torch.contiguous_format)


@right(replaces="flat_features")
def reshaped_with_sizes(images):
    features = images.shape[-3:].numel()
    return images.reshape(-1, features)


@right(replaces="flat_features")
def last_three_axes_flattened(images):
    batch = images[None] if images.dim() == 3 else images
    return torch.flatten(batch, start_dim=-3)


@right(replaces="flat_features")
def contiguous_then_view(images):
    return images.contiguous().view(-1, math.prod(images.shape[-3:]))


@right(replaces="flat_features")
def flatten_module(images):
    return torch.nn.Flatten()(images if images.ndim == 4 else images.unsqueeze(0))


@right(replaces="blank_channel")
def filled_by_index(images, channel):
    return images.index_fill(1, torch.tensor([channel]), 0.0)


@right(replaces="blank_channel")
def chosen_by_where(images, channel):
    keep = torch.arange(images.shape[1]) != channel
    return torch.where(keep[:, None, None], images, 0.0)


@right(replaces="blank_channel")
def filled_by_a_mask(images, channel):
    mask = torch.zeros(images.shape[1], 1, 1, dtype=torch.bool)
    mask[channel] = True
    return images.masked_fill(mask, 0)


@right(replaces="blank_channel")
def zeroed_through_a_view_of_the_copy(images, channel):
    out = images.detach().clone()
    out.select(1, channel).zero_()
    return out


@right(replaces="shares_memory")
def same_storage_object(one, other):
    return one.untyped_storage()._cdata == other.untyped_storage()._cdata


@right(replaces="shares_memory")
def one_object_for_the_storage(one, other):
    return one.untyped_storage() is other.untyped_storage()


@right(replaces="shares_memory")
def aliases(one, other):
    return torch._C._is_alias_of(one, other)


@right(replaces="shares_memory")
def address_inside_the_other_storage(one, other):
    start = other.untyped_storage().data_ptr()
    return start <= one.data_ptr() < start + other.untyped_storage().nbytes()
