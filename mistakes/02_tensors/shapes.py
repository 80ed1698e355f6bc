"""Wrong answers to katas/02_tensors/shapes.py."""

import numpy as np
import torch

from torchkatas.bank import wrong


@wrong(
    "counts-the-whole-batch",
    replaces="features_per_example",
    says="That counts the numbers of the whole batch; the first axis counts the examples and does not belong to one.",
    fact="02.10",
)
def counts_the_whole_batch(batch):
    return batch.numel()


@wrong(
    "last-axis-alone",
    replaces="features_per_example",
    says="That is the size of the last axis alone: an example holds the product of all axes behind the first, "
    "and where there is none (shape (N,)) it holds one number.",
    fact="02.10",
)
def last_axis_alone(batch):
    return batch.shape[-1]


@wrong(
    "second-axis-alone",
    replaces="features_per_example",
    says="That is the size of axis 1 alone: an example holds the product of all axes behind the first, "
    "and a batch of shape (N,) has no axis 1 at all.",
    fact="02.10",
)
def second_axis_alone(batch):
    return batch.shape[1]


@wrong(
    "counts-axes",
    replaces="features_per_example",
    says="That is how many axes an example has, not how many numbers lie along them: multiply the sizes in .shape.",
    fact="02.10",
)
def counts_axes(batch):
    return len(batch.shape[1:])


@wrong(
    "adds-the-sizes",
    replaces="features_per_example",
    says="The sizes behind the batch axis were added; an example of shape (3, 2) holds 3 * 2 numbers, "
    "and one of shape () holds 1.",
    fact="02.10",
)
def adds_the_sizes(batch):
    return sum(batch.shape[1:])


@wrong(
    "divides-by-the-batch",
    replaces="features_per_example",
    says="Dividing the count of the whole batch by N fails for an empty batch (0 / 0); its shape still names "
    "the sizes of an example.",
)
def divides_by_the_batch(batch):
    return batch.numel() // len(batch)


@wrong(
    "first-example-counted",
    replaces="features_per_example",
    says="An empty batch has no first example to look at; its shape still names the sizes of one.",
)
def first_example_counted(batch):
    return batch[0].numel()


@wrong(
    "columns-for-rows",
    replaces="in_rows",
    says="Rows and columns are exchanged: there are `columns` rows here; `columns` is the size of the last axis.",
    fact="02.11",
)
def columns_for_rows(values, columns):
    return values.view(columns, -1)


@wrong(
    "down-the-columns",
    replaces="in_rows",
    says="The numbers run down the columns; in PyTorch the last axis runs fastest, "
    "so the first row holds the first numbers.",
    fact="02.11",
)
def down_the_columns(values, columns):
    return values.view(columns, -1).T


@wrong(
    "copied-rows",
    replaces="in_rows",
    says="The numbers are right, but they were copied: a change of the vector no longer shows. "
    "Stacking, tensor() and clone() make memory of their own, view() does not.",
    fact="02.11",
)
def copied_rows(values, columns):
    return torch.stack(values.split(columns))


@wrong(
    "s03-T-on-nd",
    replaces="transpose_each",
    says="All axes are reversed, the batch axis too: .T transposes one matrix, and is deprecated on other ranks. "
    "Exchange just the last two axes.",
    fact="02.12",
)
def reverses_all_axes(matrices):
    return matrices.T


@wrong(
    "reshaped-to-transpose",
    replaces="transpose_each",
    says="The shape is that of the transpose, but the numbers still stand in their old order: "
    "view and reshape re-cut the same sequence, they exchange no axes.",
    fact="02.12",
)
def reshaped_to_transpose(matrices):
    *batch, n, m = matrices.shape
    return matrices.reshape(*batch, m, n)


@wrong(
    "first-two-axes",
    replaces="transpose_each",
    says="The first two axes are exchanged; in a batch these are not the rows and columns, which are the last two.",
    fact="02.12",
)
def first_two_axes(matrices):
    return matrices.transpose(0, 1)


@wrong(
    "copied-transpose",
    replaces="transpose_each",
    says="The numbers are right, but they were copied; a transpose needs no copy: "
    "it is the same memory read with other strides.",
    fact="02.12",
)
def copied_transpose(matrices):
    return matrices.mT.contiguous()


@wrong(
    "s02-view-as-transpose",
    replaces="channels_first",
    says="The shape is right and the image is scrambled: view and reshape re-cut the sequence of numbers, "
    "while moving the channel axis takes permute or movedim.",
)
def reshaped_to_channels(images):
    n, h, w, c = images.shape
    return images.reshape(n, c, h, w)


@wrong(
    "width-before-height",
    replaces="channels_first",
    says="The images are mirrored on the diagonal: channels and width were exchanged, which leaves (N, C, W, H). "
    "Height and width keep their order.",
)
def width_before_height(images):
    return images.transpose(1, 3).contiguous()


@wrong(
    "permuted-the-other-way",
    replaces="channels_first",
    says="The channels went the other way: permute(0, 2, 3, 1) leads from channels first to channels last. "
    "Each number names the old axis that comes to stand there.",
)
def permuted_the_other_way(images):
    return images.permute(0, 2, 3, 1).contiguous()


@wrong(
    "not-contiguous",
    replaces="channels_first",
    says="The values are right, but the memory still lies with the channels last: moving axes changes strides alone, "
    "and view() will refuse the result.",
    fact="02.11",
)
def not_contiguous(images):
    return images.permute(0, 3, 1, 2)


@wrong(
    "s15-no-batch-dim",
    replaces="flat_features",
    says="The channels of the one image (C, H, W) were taken for a batch, a row for each; "
    "without a batch axis it needs one in front first, so that it becomes one row.",
)
def channels_taken_for_a_batch(images):
    return images.flatten(1)


@wrong(
    "flattens-the-batch-too",
    replaces="flat_features",
    says="The batch axis was flattened as well, so the images ran together; all axes but the first are to become one.",
)
def flattens_the_batch_too(images):
    return images.flatten()


@wrong(
    "one-image-without-batch-axis",
    replaces="flat_features",
    says="The features of one unbatched image came back as a vector; it is a batch of one, of shape (1, C * H * W).",
)
def one_image_without_batch_axis(images):
    return images.flatten(1) if images.ndim == 4 else images.flatten()


@wrong(
    "view-of-permuted",
    replaces="flat_features",
    says="view() refuses: after a permute these axes no longer follow each other in memory. "
    "reshape and flatten copy where no view is possible.",
    fact="02.11",
)
def view_of_permuted(images):
    batch = images if images.ndim == 4 else images.unsqueeze(0)
    return batch.view(len(batch), batch.shape[1:].numel())


@wrong(
    "minus-one-of-nothing",
    replaces="flat_features",
    says="With N = 0 there are no numbers from which torch could work out the -1; the sizes are known, so name them "
    "(or let flatten do it).",
)
def minus_one_of_nothing(images):
    batch = images if images.ndim == 4 else images.unsqueeze(0)
    return batch.reshape(len(batch), -1)


@wrong(
    "t11-alias-assign",
    replaces="blank_channel",
    says="The caller's images were edited: a plain assignment or a view is the same memory under another name. "
    "Edit a clone().",
)
def edits_the_callers_images(images, channel):
    out = images
    out[:, channel] = 0
    return out


@wrong(
    "copied-after-the-edit",
    replaces="blank_channel",
    says="The result is a copy, but it was made too late: the zeros were written into the caller's images first.",
)
def copied_after_the_edit(images, channel):
    images[:, channel] = 0
    return images.clone()


@wrong(
    "blanks-an-image",
    replaces="blank_channel",
    says="A whole image was set to zero: the first index chooses an image, the second a channel.",
)
def blanks_an_image(images, channel):
    out = images.clone()
    out[channel] = 0
    return out


@wrong(
    "blanks-a-column",
    replaces="blank_channel",
    says="A column of pixels was set to zero, in every channel: the last axis is the width; the channels are axis 1.",
)
def blanks_a_column(images, channel):
    out = images.clone()
    out[..., channel] = 0
    return out


@wrong(
    "blanks-one-image-only",
    replaces="blank_channel",
    says="The channel is zero in the first image only; the others of the batch still have it.",
)
def blanks_one_image_only(images, channel):
    out = images.clone()
    out[0, channel] = 0
    return out


@wrong(
    "channel-times-zero",
    replaces="blank_channel",
    says="The channel was multiplied by 0, and inf * 0 and NaN * 0 are NaN: that does not clear whatever stands there. "
    "Write zeros into a copy.",
)
def channel_times_zero(images, channel):
    mask = torch.ones(images.shape[1], 1, 1, dtype=images.dtype)
    mask[channel] = 0
    return images * mask


@wrong(
    "channel-times-a-float32-mask",
    replaces="blank_channel",
    says="The channel was multiplied by 0, and inf * 0 and NaN * 0 are NaN; the mask is float32 besides, which makes "
    "float32 of images in bfloat16. Write zeros into a copy.",
)
def channel_times_a_float32_mask(images, channel):
    mask = torch.ones(images.shape[1], 1, 1)
    mask[channel] = 0
    return images * mask


@wrong(
    "same-first-address",
    replaces="shares_memory",
    says="The addresses of the first elements were compared; a view that starts further on (x[1:]) has another one "
    "and still lies in the same storage.",
    fact="02.11",
)
def same_first_address(one, other):
    return one.data_ptr() == other.data_ptr()


@wrong(
    "same-values",
    replaces="shares_memory",
    says="The values were compared: a clone is equal and shares nothing, a transpose differs and shares everything.",
    fact="02.11",
)
def same_values(one, other):
    return torch.equal(one, other)


@wrong(
    "same-object",
    replaces="shares_memory",
    says="Two Python objects can look at one memory: each view, slice or transpose is a new object on the old storage.",
    fact="02.11",
)
def same_object(one, other):
    return one is other


@wrong(
    "other-is-a-view-of-one",
    replaces="shares_memory",
    says="That asks whether the second is a view made from the first: it misses the reverse, "
    "two views of a third tensor, a tensor and itself, and what detach() returns.",
    fact="02.11",
)
def other_is_a_view_of_one(one, other):
    return other._base is one


@wrong(
    "same-base",
    replaces="shares_memory",
    says="Comparing the bases of views misses what shares a storage without keeping a base: "
    "what detach() returns is one such tensor.",
)
def same_base(one, other):
    return (one if one._base is None else one._base) is (other if other._base is None else other._base)


@wrong(
    "overlap-asked",
    replaces="shares_memory",
    says="That asks whether the two have an element in common; asked is the storage, "
    "which two disjoint slices share as well.",
)
def overlap_asked(one, other):
    return np.shares_memory(one.numpy(), other.numpy())
