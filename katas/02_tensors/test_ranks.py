"""The specification of ranks.py."""

import pytest
import torch


def generator(seed):
    return torch.Generator().manual_seed(seed)


@pytest.mark.fact("02.1")
def test_scalar_of_an_int(kata, check):
    """Catches torch.Tensor, which takes an int for a size, and a scalar that is given an axis."""
    check.each(kata.scalar, [0, -7, -1, -42, -(2**40)]).gives(
        [torch.full((), n, dtype=torch.int64) for n in (0, -7, -1, -42, -(2**40))], exact=True
    )


@pytest.mark.fact("02.1")
def test_scalar_of_a_float(kata, check):
    """Catches a float that is cut to an int, and one held in float64."""
    check(kata.scalar, value=-0.75).gives(torch.full((), -0.75, dtype=torch.float32), exact=True)


@pytest.mark.fact("02.1")
def test_scalar_has_the_empty_shape(kata, check):
    """Catches a tensor that has an axis for the source's number 42."""
    shape = getattr(check(kata.scalar, value=42).value, "shape", None)

    check.saw(kata.scalar, shape, call="the shape of scalar(42)").gives(torch.Size([]))


@pytest.mark.fact("02.1", "02.2", "02.3", "02.4", "02.10")
def test_describe_of_every_rank(kata, check):
    """Catches a rank that is read off the sizes, and a count that is read off one axis."""
    sizes = [(2, 3), (4,), (1, 1), (1, 6), (5, 1), (2, 3, 5), (3, 1, 1, 2), (1,), (2, 0, 3), ()]
    counts = [6, 4, 1, 6, 5, 30, 6, 1, 0, 1]

    check.each(kata.describe, [torch.zeros(size) for size in sizes]).gives(
        [(len(size), size, count) for size, count in zip(sizes, counts, strict=True)]
    )


@pytest.mark.fact("02.2")
@pytest.mark.parametrize("numbers", [[3, 1, 4, 5], [2.5, -1.0, 0.5], [9]], ids=str)
def test_row_and_column(kata, check, numbers):
    """Catches a column that is still a vector, and the two the wrong way round."""
    right = torch.tensor([numbers]), torch.tensor([[number] for number in numbers])
    check(kata.row_and_column, v=torch.tensor(numbers)).gives(right, exact=True)


@pytest.mark.fact("02.4")
def test_batch_of_sequences_is_batch_seq_dim(kata, check):
    """Catches a batch axis that does not stand first."""
    right = torch.arange(4 * 3 * 2).reshape(4, 3, 2) / 8
    check(kata.batch_of, examples=[right[i].clone() for i in range(4)]).gives(right, exact=True)


@pytest.mark.fact("02.3")
@pytest.mark.parametrize("size", [3, 2, 1])
def test_batch_of_vectors_is_a_matrix(kata, check, size):
    """Catches examples that are joined end to end, and a matrix with the examples in its columns."""
    numbers = [[1, 2, 3, 4], [5, -6, 7, 8], [9, 10, -11, 0]][:size]
    check(kata.batch_of, examples=[torch.tensor(row) for row in numbers]).gives(torch.tensor(numbers), exact=True)


def test_for_one_image(kata, check):
    """Catches an example that goes in without a batch axis or with it in the wrong place, and one that stays."""
    image = torch.tensor(
        [[[1.0, 2, -3, 5], [0, 9, 4, 6]], [[7, -7, 8, 1], [3, 3, 2, 5]], [[4, 4, 4, -9], [1, 0, 2, 8]]]
    )
    right = torch.stack([channel.mean().reshape(1, 1) for channel in image])

    check(kata.for_one, f=mean_over_pixels, example=image).gives(right)


def test_for_one_keeps_an_answer_of_size_1(kata, check):
    """Catches squeeze() without an axis, which drops every axis of size 1."""
    check(kata.for_one, f=row_sums, example=torch.tensor([2.0, -5.0, 0.5])).gives(torch.tensor([-2.5]))


def test_for_one_keeps_a_leading_axis_of_size_1(kata, check):
    """Catches a second axis dropped where the example's own first axis has size 1."""
    check(kata.for_one, f=torch.neg, example=torch.tensor([[2.0, -3.0]])).gives(torch.tensor([[-2.0, 3.0]]))


def mean_over_pixels(images):
    return images.mean(dim=(2, 3), keepdim=True)


def row_sums(rows):
    return rows.sum(dim=1, keepdim=True)


@pytest.mark.fact("02.4")
def test_embeddings_are_batch_seq_dim(kata, check):
    """Catches axes in another order, and tokens that are not split into sequences."""
    sizes = [(4, 3, 2), (1, 5, 3), (2, 1, 6), (2, 7, 1), (3, 2, 5)]
    drawn = [check(kata.embeddings, *size, generator=generator(seed)).value for seed, size in enumerate(sizes)]
    shapes = [tuple(x.shape) if isinstance(x, torch.Tensor) else x for x in drawn]

    check.saw(kata.embeddings, shapes, call=f"the shapes for {sizes}").gives(sizes)


def test_embeddings_are_standard_normal(kata, check):
    """Catches rand for randn: numbers that are uniform and never negative."""
    numbers = check(kata.embeddings, 20, 25, 20, generator=generator(3)).value
    # over 10,000 numbers mean and deviation are known to 0.01: to one decimal they are certain
    seen = {
        "mean": round(numbers.mean().item(), 1) + 0.0,
        "standard deviation": round(numbers.std().item(), 1),
        "share below 0": round((numbers < 0).double().mean().item(), 1),
        "dtype": numbers.dtype,
    }

    right = {"mean": 0.0, "standard deviation": 1.0, "share below 0": 0.5, "dtype": torch.float32}
    check.saw(kata.embeddings, seen, call="10,000 numbers, to one decimal").gives(right)


def test_embeddings_come_from_the_generator_alone(kata, check):
    """Catches draws from the global stream, and a generator that is seeded again."""

    def draw(source):
        return check(kata.embeddings, 2, 3, 4, generator=source).value

    stream = torch.get_rng_state()
    one = generator(7)
    first, second = draw(one), draw(one)
    untouched = torch.equal(torch.get_rng_state(), stream)
    torch.rand(5)  # what any other part of a program may draw meanwhile
    seen = {
        "seed 7 again: the same": same(first, draw(generator(7))),
        "seed 8: others": not same(first, draw(generator(8))),
        "second call: others": not same(first, second),
        "global stream: untouched": untouched,
    }

    check.saw(kata.embeddings, seen, call="what the numbers depend on").gives(dict.fromkeys(seen, True))


def same(one, other):
    return isinstance(one, torch.Tensor) and isinstance(other, torch.Tensor) and torch.equal(one, other)


@pytest.mark.fact("02.4")
@pytest.mark.parametrize("batch", [3, 1, 2])
def test_with_own_first(kata, check, batch):
    """Catches rows that share memory, so that a write reaches all of them or is refused."""
    text = [[1.0, 2.0], [3.0, -4.0], [5.0, 6.0], [-7.0, 0.5]]
    firsts = [[10.0, 11.0], [-20.0, 21.0], [30.0, -31.0]][:batch]

    given = torch.tensor(text)
    check(kata.with_own_first, text=given, firsts=torch.tensor(firsts)).gives(
        torch.tensor([[first, *text[1:]] for first in firsts]), exact=True, apart=given
    )
