"""The specification of shapes.py."""

import itertools
import math

import pytest
import torch


def counted(*shape, dtype=torch.int64):
    """Distinct numbers that are not their own index."""
    size = torch.Size(shape).numel()
    return (torch.arange(size) * 3 - size).to(dtype).reshape(shape)


@pytest.mark.fact("02.10")
def test_features_per_example_for_any_rank(kata, check):
    """Catches numel(), which counts the whole batch, and a division by N where the batch is empty."""
    shapes = [(2, 3, 2), (5,), (1, 7), (2, 1, 3, 3), (3, 4), (0, 5, 2)]
    check.each(kata.features_per_example, [counted(*shape) for shape in shapes]).gives([6, 1, 7, 9, 4, 10])


@pytest.mark.fact("02.11")
@pytest.mark.parametrize("columns", [3, 4, 2])
def test_in_rows_fills_row_after_row(kata, check, columns):
    """Catches rows and columns exchanged, and numbers that run down the columns."""
    numbers = [7, -2, 9, 4, 0, 5, -6, 1, 8, 3, -1, 2]
    right = torch.tensor([numbers[i : i + columns] for i in range(0, 12, columns)])
    check(kata.in_rows, values=torch.tensor(numbers), columns=columns).gives(right)


@pytest.mark.fact("02.11")
def test_in_rows_is_a_view(kata, check):
    """Catches a copy, which no longer follows the vector when that changes."""
    values = torch.tensor([0.5, -1.5, 2.5, 3.5, -4.5, 6.5])
    right = torch.tensor([[0.5, -1.5, 2.5], [3.5, -4.5, 6.5]])
    check(kata.in_rows, values=values, columns=3).gives(right, exact=True, shares=values)


def transposed(matrices):
    """Entry [..., j, i] is entry [..., i, j], by a loop."""
    *batch, n, m = matrices.shape
    right = torch.empty(*batch, m, n, dtype=matrices.dtype)
    for i, j in itertools.product(range(n), range(m)):
        right[..., j, i] = matrices[..., i, j]
    return right


@pytest.mark.fact("02.12")
@pytest.mark.parametrize("shape", [(2, 3), (2, 2), (5, 1)], ids=str)
def test_transpose_each_of_one_matrix(kata, check, shape):
    """Catches a view or reshape to the exchanged sizes: the right shape, with the numbers still in their old order."""
    matrix = counted(*shape)
    right = transposed(matrix)
    check(kata.transpose_each, matrices=matrix).gives(right)


@pytest.mark.fact("02.12")
@pytest.mark.parametrize("shape", [(2, 1, 3), (2, 3, 4), (3, 3, 3), (2, 1, 3, 2)], ids=str)
def test_transpose_each_of_a_batch(kata, check, shape):
    """Catches .T, which reverses the batch axis too."""
    matrices = counted(*shape)
    right = transposed(matrices)
    check(kata.transpose_each, matrices=matrices).gives(right)


@pytest.mark.fact("02.12")
def test_transpose_each_is_a_view(kata, check):
    """Catches a copy where only the strides are to change."""
    matrices = counted(2, 3, 4)
    right = transposed(matrices)
    check(kata.transpose_each, matrices=matrices).gives(right, shares=matrices)


def split_into_channels(images):
    """One plane for each channel, cut out one by one."""
    return torch.stack([images[..., c] for c in range(images.shape[-1])], dim=1)


@pytest.mark.parametrize("shape", [(2, 1, 2, 3), (2, 4, 5, 3), (1, 3, 3, 3), (3, 2, 4, 1)], ids=str)
def test_channels_first_keeps_each_pixel_in_its_place(kata, check, shape):
    """Catches a reshape, which scrambles the image, and height exchanged with width."""
    images = counted(*shape)
    right = split_into_channels(images)
    check(kata.channels_first, images=images).gives(right)


@pytest.mark.fact("02.11")
def test_channels_first_is_contiguous(kata, check):
    """Catches a bare permute, on which view() fails later."""
    images = counted(1, 2, 3, 2, dtype=torch.float32)
    right = split_into_channels(images)
    check(kata.channels_first, images=images).gives(right)

    seen = {"is_contiguous()": kata.channels_first(images).is_contiguous()}
    check.saw(kata.channels_first, seen, call="the result for images of shape (1, 2, 3, 2)").gives(
        {"is_contiguous()": True}
    )


def rows_by_hand(batch):
    """The numbers of each image in a list, by a loop over its axes."""
    _, *axes = batch.shape
    places = list(itertools.product(*map(range, axes)))
    return torch.tensor([[image[place].item() for place in places] for image in batch], dtype=batch.dtype)


@pytest.mark.parametrize("shape", [(2, 3, 1, 2), (3, 2, 4, 5), (1, 3, 2, 2)], ids=str)
def test_flat_features_of_a_batch(kata, check, shape):
    """Catches a flatten that takes the batch axis along."""
    images = counted(*shape)
    right = rows_by_hand(images)
    check(kata.flat_features, images=images).gives(right)


@pytest.mark.parametrize("shape", [(3, 1, 2), (2, 4, 3), (1, 2, 5)], ids=str)
def test_flat_features_of_one_image(kata, check, shape):
    """Catches the channels of one unbatched image taken for a batch, and a vector where one row is asked."""
    image = counted(*shape)
    right = rows_by_hand(image[None])
    check.each(kata.flat_features, [image, image[None]]).gives([right, right])


@pytest.mark.fact("02.11")
def test_flat_features_of_permuted_images(kata, check):
    """Catches view(), which cannot span axes that do not follow each other in memory."""
    images = counted(2, 2, 3, 2).permute(0, 3, 1, 2)
    right = rows_by_hand(images)
    check(kata.flat_features, images=images).gives(right)


def test_flat_features_of_an_empty_batch(kata, check):
    """Catches a -1 that torch cannot work out where there is nothing to count."""
    check(kata.flat_features, images=torch.zeros(0, 3, 2, 4)).gives(torch.zeros(0, 24))


@pytest.mark.parametrize("channel", [1, 0, 2])
def test_blank_channel_of_a_copy(kata, check, channel):
    """Catches another axis zeroed, the first image served alone, and the caller's images edited in place."""
    images = counted(2, 3, 1, 4, dtype=torch.float32) / 2
    planes = [[torch.zeros(1, 4) if c == channel else image[c].clone() for c in range(3)] for image in images]
    right = torch.stack([torch.stack(image) for image in planes])
    check(kata.blank_channel, images=images, channel=channel).gives(right, exact=True, apart=images)


def test_blank_channel_whatever_stands_there(kata, check):
    """Catches a multiplication by 0: inf * 0 is NaN, and a mask of float32 makes float32 of bfloat16."""
    images = counted(2, 3, 2, 4, dtype=torch.bfloat16) / 2
    images[0, 1, 1, 2], images[1, 1, 0, 3] = math.inf, math.nan
    planes = [[image[0].clone(), torch.zeros(2, 4).bfloat16(), image[2].clone()] for image in images]
    right = torch.stack([torch.stack(image) for image in planes])
    check(kata.blank_channel, images=images, channel=1).gives(right, exact=True)


@pytest.mark.fact("02.11")
@pytest.mark.fact("02.12")
def test_shares_memory_for_what_operations_return(kata, check):
    """Catches a comparison of values, objects or first addresses: none of them is the storage."""
    x = torch.tensor([[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]])
    views = {
        "itself": (x, x),
        "view": (x, x.view(3, 2)),
        "transposed": (x, x.T),
        "reshaped": (x, x.reshape(6)),
        "later row": (x, x[1:]),
        "of a view": (x.T, x[:, 1]),
        "base second": (x[1], x),
        "detached": (x, x.detach()),
        "no change": (x, x.to(torch.float32)),
        "disjoint": (x[0], x[1]),
    }
    copies = {
        "clone": (x, x.clone()),
        "transposed, then reshaped": (x, x.T.reshape(6)),
        "contiguous": (x.T, x.T.contiguous()),
        "indexed by a list": (x, x[[0, 1]]),
        "another dtype": (x, x.double()),
        "flattened, not contiguous": (x, x.mT.flatten()),
    }
    rows = [*views.values(), *copies.values()]
    check.each(kata.shares_memory, rows).gives([True] * len(views) + [False] * len(copies))
