"""The specification of arrays.py."""

import numpy as np
import pytest
import torch

# ---- from_rows


@pytest.mark.fact("01.1")
@pytest.mark.parametrize(
    "rows",
    [[[1.5, -2.0, 0.1], [4.25, 0.0, -3.7]], [[0.25, -6.5, 3.0, 9.1]], [[7.0], [-0.5], [2.3]]],
    ids=["two rows", "one row", "one column"],
)
def test_from_rows_keeps_rows_and_columns(kata, check, rows):
    """Catches rows turned into columns, an axis too many or too few, and NumPy's float64."""
    right = torch.from_numpy(np.array(rows, dtype=np.float32))
    check(kata.from_rows, rows=rows).gives(right, exact=True)


# ---- shared and copied


def matrix(dtype=np.float64):
    return np.array([[3, -1, 4], [10, 5, -9]]).astype(dtype)


def views():
    """Arrays that lie in memory in different ways, each on memory of its own."""
    return {"matrix": matrix(), "transposed": matrix().T, "with steps": matrix()[:, ::2], "reversed": matrix()[::-1]}


def shown_after_writing(function, array):
    """Whether a tensor made of the array shows the new values that are then written into it."""
    try:
        tensor = function(array)
    except ValueError:
        return "ValueError"
    array += 100
    return "new" if bool((tensor > 50).all()) else "old"


DTYPES = [np.float64, np.float32, np.int32, np.int64, np.uint8, np.bool_]


@pytest.mark.fact("01.1")
def test_shared_writes_into_the_array(kata, check):
    """Catches a copy: nothing of what is written into it reaches the array."""
    array, right = matrix(), matrix()
    right[1, 2] = 70.0
    seen = check(kata.shared, array=array)
    seen.gives(torch.tensor(matrix()), exact=True)
    seen.value[1, 2] = 70.0

    check.saw(kata.shared, array, call="the array, after tensor[1, 2] = 70.0").gives(right, exact=True)


@pytest.mark.fact("01.1")
@pytest.mark.parametrize("dtype", DTYPES)
def test_shared_keeps_values_and_dtype(kata, check, dtype):
    """Catches a cast on the way, which also copies."""
    array = matrix(dtype)
    right = torch.tensor(array.copy())
    check(kata.shared, array=array).gives(right, exact=True, shares=array)


@pytest.mark.fact("01.1")
def test_shared_shows_what_is_written_into_the_array(kata, check):
    """Catches a copy that is only made where the array is not contiguous."""
    arrays = {name: array for name, array in views().items() if name != "reversed"}
    seen = {name: shown_after_writing(kata.shared, array) for name, array in arrays.items()}

    call = "the values that the tensor shows after new ones were written into the array"
    check.saw(kata.shared, seen, call=call).gives(dict.fromkeys(arrays, "new"))


@pytest.mark.fact("01.1")
def test_copied_leaves_the_array_alone(kata, check):
    """Catches a tensor through which one writes into the caller's array."""
    array, right = matrix(), matrix()
    seen = check(kata.copied, array=array)
    seen.gives(torch.tensor(matrix()), exact=True)
    seen.value[1, 2] = 70.0

    check.saw(kata.copied, array, call="the array, after tensor[1, 2] = 70.0").gives(right, exact=True)


@pytest.mark.parametrize("axes", [0, 1, (0, 1)], ids=["rows", "columns", "both"])
def test_copied_takes_reversed_arrays(kata, check, axes):
    """Catches torch handed an array with a negative stride, and a copy in the order of before the reversal."""
    array = np.flip(matrix(), axes)
    right = torch.tensor(matrix()).flip(axes)
    check(kata.copied, array=array).gives(right, exact=True, apart=array)


@pytest.mark.parametrize("dtype", DTYPES)
def test_copied_keeps_values_and_dtype(kata, check, dtype):
    """Catches float64 or int32 lost on the way through Python lists or a cast."""
    array = matrix(dtype)
    right = torch.stack([torch.tensor(row.copy()) for row in array])
    check(kata.copied, array=array).gives(right, exact=True, apart=array)


@pytest.mark.fact("01.1")
def test_copied_shows_nothing_of_what_is_written_into_the_array(kata, check):
    """Catches memory that is shared after all, always or where the array is contiguous."""
    seen = {name: shown_after_writing(kata.copied, array) for name, array in views().items()}

    call = "the values that the tensor shows after new ones were written into the array"
    check.saw(kata.copied, seen, call=call).gives(dict.fromkeys(views(), "old"))


# ---- standardise


def numbers(rows, columns, seed, dtype=np.float32):
    values = torch.randn(rows, columns, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    scales = torch.tensor([1.0, 30.0, 0.002, 7.0], dtype=torch.float64)[:rows, None]
    return ((values + 0.5) * scales).numpy().astype(dtype)


def attached(values):
    """The same values as the result of an operation, on which a graph hangs."""
    return values * torch.ones((), requires_grad=True)


def by_numpy(x):
    """NumPy's own answer, computed in float64."""
    a = x.astype(np.float64)
    return torch.from_numpy(((a - a.mean(axis=1, keepdims=True)) / a.std(axis=1, keepdims=True)).astype(x.dtype))


@pytest.mark.fact("01.1")
@pytest.mark.parametrize("shape", [(3, 4), (1, 5), (4, 3), (3, 3), (4, 9)])
def test_standardise_equals_numpy(kata, check, shape):
    """Catches C - 1 for C, the wrong axis, and rows and columns mixed up where x is square."""
    x = numbers(*shape, seed=shape[1])
    check(kata.standardise, x=torch.tensor(x)).gives(by_numpy(x))


@pytest.mark.fact("01.1")
def test_standardise_keeps_float64(kata, check):
    """Catches float32 on the way, which leaves seven digits."""
    x = numbers(3, 4, seed=11, dtype=np.float64)
    check(kata.standardise, x=torch.tensor(x)).gives(by_numpy(x))


def test_standardise_keeps_the_graph(kata, check):
    """Catches NumPy itself put to work: no gradient flows through it."""
    x = numbers(2, 3, seed=5)
    right = attached(by_numpy(x))
    check(kata.standardise, x=torch.tensor(x, requires_grad=True)).gives(right)


# ---- with_ones


def ones_by_loop(x):
    return torch.tensor([[*row, 1.0] for row in x.tolist()], dtype=x.dtype)


@pytest.mark.parametrize("shape", [(2, 3), (1, 2), (3, 1), (2, 2)])
def test_with_ones_puts_them_into_the_last_column(kata, check, shape):
    """Catches ones in front, ones as a row, and zeros."""
    x = torch.tensor(numbers(*shape, seed=3))
    right = ones_by_loop(x)
    check(kata.with_ones, x=x).gives(right, exact=True)


@pytest.mark.fact("01.2")
@pytest.mark.parametrize("device", ["meta", pytest.param("cuda", marks=pytest.mark.cuda)])
def test_with_ones_follows_the_device_of_x(kata, check, device):
    """Catches ones made on the program's device; a machine without a GPU shows it by "meta"."""
    x = torch.tensor(numbers(2, 3, seed=4))
    right = ones_by_loop(x).to(device)
    check(kata.with_ones, x=x.to(device)).gives(right, exact=True)


def test_with_ones_follows_the_dtype_of_x(kata, check):
    """Catches ones in float32, to which half precision is then promoted."""
    x = torch.tensor(numbers(2, 3, seed=4))
    cases = [x.to(dtype) for dtype in (torch.float32, torch.float64, torch.bfloat16, torch.float16)]
    cases.append(torch.tensor(numbers(1, 2, seed=7)).bfloat16())
    right = [ones_by_loop(x) for x in cases]

    check.each(kata.with_ones, cases).gives(right, exact=True)


def test_with_ones_keeps_the_graph(kata, check):
    """Catches x taken apart into Python numbers."""
    x = torch.tensor(numbers(2, 3, seed=6), requires_grad=True)
    right = attached(ones_by_loop(x))
    check(kata.with_ones, x=x).gives(right, exact=True)
