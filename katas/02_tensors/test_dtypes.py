"""The specification of dtypes.py."""

import math

import numpy as np
import pytest
import torch
import torch.nn.functional as F

BY_HAND = {"inferred": ("tensor", "as_tensor", "asarray", "full", "scalar_tensor")}

BITS = {
    torch.float64: 64,
    torch.float32: 32,
    torch.float16: 16,
    torch.bfloat16: 16,
    torch.int64: 64,
    torch.int32: 32,
    torch.uint8: 8,
    torch.bool: 8,
}


@pytest.mark.fact("02.6")
def test_bytes_of_floats(kata, check):
    """Catches bits for bytes, and 4 bytes for every float: the two dtypes of 16 bits take half of that."""
    rows = [((3, 5), torch.float32), ((7,), torch.float16), ((3, 7), torch.bfloat16), ((2, 3, 4), torch.float64)]
    rows += [((9,), torch.bfloat16), ((4, 5), torch.float16), ((1, 6), torch.float32)]
    check.each(kata.bytes_of, rows).gives([math.prod(shape) * BITS[dtype] // 8 for shape, dtype in rows])


@pytest.mark.fact("02.7", "02.8")
def test_bytes_of_integers_and_bools(kata, check):
    """Catches one bit for a bool, and 4 bytes for torch's default integer."""
    rows = [((3, 5), torch.int64), ((16,), torch.bool), ((3, 7), torch.uint8), ((2, 5), torch.int32)]
    rows += [((3, 3), torch.bool), ((10,), torch.int64)]
    check.each(kata.bytes_of, rows).gives([math.prod(shape) * BITS[dtype] // 8 for shape, dtype in rows])


@pytest.mark.fact("02.10")
def test_bytes_of_unusual_shapes(kata, check):
    """Catches a scalar that is counted as nothing, and sizes that are added up."""
    shapes = [(), (1,), (1, 1, 1), (0,), (4, 0, 2), (2, 1, 5)]
    rows = [(shape, torch.float32) for shape in shapes]
    check.each(kata.bytes_of, rows).gives([4, 4, 4, 0, 0, 40])


@pytest.mark.fact("02.5")
def test_inferred_from_floats(kata, check):
    """Catches float64, which a Python float has itself."""
    rows = [2.5, -1.0, 0.0, [0.5, 1.5], [3.0]]
    check.each(kata.inferred, rows).gives([torch.tensor(data).dtype for data in rows])


@pytest.mark.fact("02.7")
def test_inferred_from_ints(kata, check):
    """Catches int32, and floats made of ints."""
    rows = [7, 0, -3, [1, 2], [5], 2**40]
    check.each(kata.inferred, rows).gives([torch.tensor(data).dtype for data in rows])


@pytest.mark.fact("02.8")
def test_inferred_from_bools(kata, check):
    """Catches a bool taken for the int that it also is in Python."""
    rows = [True, False, [True], [False, True], [True, True, False]]
    check.each(kata.inferred, rows).gives([torch.tensor(data).dtype for data in rows])


@pytest.mark.fact("02.5", "02.7", "02.8")
def test_inferred_from_mixed_lists(kata, check):
    """Catches a list judged by its first number, or by its last."""
    rows = [[1, 2.5], [2.5, 1], [True, 2], [2, True], [True, 0.5], [0.5, False, 3], [0, False, True]]
    check.each(kata.inferred, rows).gives([torch.tensor(data).dtype for data in rows])


@pytest.mark.fact("02.5")
def test_inferred_from_arrays(kata, check):
    """Catches float32 for an array of float64: an array keeps the dtype that it has."""
    dtypes = ("float64", "int64", "float32", "float16", "int32", "uint8", "bool")
    rows = [np.array([1, 0, 2]).astype(dtype) for dtype in dtypes]
    check.each(kata.inferred, rows).gives([torch.from_numpy(data).dtype for data in rows])


@pytest.mark.fact("02.9")
@pytest.mark.parametrize("dtype", ["int64", "float64", "float32", "float16", "bool"])
def test_float32_copy(kata, check, dtype):
    """Catches a cast whose result is lost, a cast to float64, and x itself where x is float32 already."""
    x = torch.from_numpy(np.array([[3.3, 0.0, -2.1], [0.1, 7.0, 1.0]]).astype(dtype))
    right = torch.from_numpy(x.numpy().astype("float32"))
    check(kata.float32_copy, x=x).gives(right, exact=True, apart=x)


@pytest.mark.fact("02.7")
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=["float32", "float64"])
def test_to_integers(kata, check, dtype):
    """Catches .long() where rounding is asked, floor for a cut below zero, halves that go up, and round for a floor."""
    numbers = [[-0.3, 0.5, -1.5, 2.5], [2.75, -2.75, -4.0, 7.2], [0.0, -0.5, -7.2, 3.5], [3.0, -5.0, 1.0, 6.0]]
    ways = (int, math.floor, round)  # Python's own: int cuts, round sends halves to the even neighbour
    right = tuple(torch.tensor([[way(number) for number in row] for row in numbers]) for way in ways)

    check(kata.to_integers, x=torch.tensor(numbers, dtype=dtype)).gives(right, exact=True)


@pytest.mark.fact("02.6", "02.9")
def test_in_16_bits_takes_float16_where_it_fits(kata, check):
    """Catches bfloat16 for everything, and 65504 taken for the edge: numbers up to 65519 still round down to it."""
    rows = [[0.1, 257.0, -3.3], [-0.5], [65504.0, 0.1], [65519.0, 257.0], [-65519.0, 0.1]]
    arrays = [np.array(row, dtype="float32") for row in rows]
    right = [torch.from_numpy(array.astype("float16")) for array in arrays]

    check.each(kata.in_16_bits, [torch.from_numpy(array) for array in arrays]).gives(right, exact=True)


@pytest.mark.fact("02.6", "02.9")
def test_in_16_bits_takes_bfloat16_beyond(kata, check):
    """Catches infinities, for large numbers below zero too, and numbers cut down to what float16 holds."""
    rows = [[65520.0], [0.1, 257.0, 65520.0], [-65520.0, 0.1], [3.3, -70001.0, 257.0], [1e38, 0.1], [-1e38, 1e38]]
    right = [torch.tensor([eight_bits(number) for number in row]).bfloat16() for row in rows]

    check.each(kata.in_16_bits, [torch.tensor(row) for row in rows]).gives(right, exact=True)


def eight_bits(number):
    """A number rounded to 8 significant bits, as bfloat16 holds it."""
    fraction, exponent = math.frexp(number)
    return math.ldexp(round(fraction * 256), exponent - 8)


@pytest.mark.parametrize("dtype", [torch.uint8, torch.int64], ids=["uint8", "int64"])
def test_centred(kata, check, dtype):
    """Catches mean() and /= on integers, which raise, whole-number division, and uint8 wrapping around below 0."""
    numbers = [[0, 51, 102], [255, 30, 174]]
    mean = sum(sum(row) for row in numbers) / 6  # 102, a whole number: nothing is lost by cutting it
    right = torch.tensor([[(number - mean) / 255 for number in row] for row in numbers])

    check(kata.centred, pixels=torch.tensor(numbers, dtype=dtype)).gives(right)


def test_centred_of_a_mean_with_a_fraction(kata, check):
    """Catches a mean that is cut to a whole number."""
    right = torch.tensor([(number - 80.75) / 255 for number in (10, 200, 33, 80)])
    check(kata.centred, pixels=torch.tensor([10, 200, 33, 80])).gives(right)


@pytest.mark.fact("02.5")
@pytest.mark.parametrize("weight", [[2, -1, 3], [0.5, -1.25, 2.0]], ids=["ints", "floats"])
def test_first_loss(kata, check, weight):
    """Catches float64 that comes in with an array and an int64 weight: some of it raises, some of it is silent."""
    x, y = examples()
    check(kata.first_loss, x=x, y=y, weight=weight).gives(weight_and_loss(x, y, weight))


@pytest.mark.parametrize("weight", [[0.5, -1.25, 2.0]], ids=str)
def test_first_loss_reaches_the_weight(kata, check, weight):
    """Catches a loss that was made a leaf, or made from another weight, and a weight that is no leaf."""
    x, y = examples()
    seen = check(kata.first_loss, x=x, y=y, weight=weight)
    seen.gives(weight_and_loss(x, y, weight))

    w, loss = seen.value
    (slope,) = torch.autograd.grad(loss, w, allow_unused=True)
    facts = {"a gradient comes back to the weight": slope is not None, "the weight is a leaf": w.is_leaf}
    check.saw(kata.first_loss, facts, call="weight and loss").gives(dict.fromkeys(facts, True))
    right = torch.from_numpy(2 * x.T @ (x @ np.array(weight) - y) / len(y)).float()
    check.saw(kata.first_loss, slope, call="the gradient of the loss for the weight").gives(right)


def examples():
    x = np.array([[1.0, 2.0, -1.0], [0.5, 0.0, 4.0], [-2.0, 1.0, 3.0], [0.25, 1.5, 1.0]])
    return x, np.array([0.5, -1.0, 2.0, 8.0])


def weight_and_loss(x, y, weight):
    w = torch.tensor([float(number) for number in weight], requires_grad=True)
    return w, F.mse_loss(torch.from_numpy(x).float() @ w, torch.from_numpy(y).float())
