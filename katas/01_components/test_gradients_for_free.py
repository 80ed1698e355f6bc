"""The specification of gradients_for_free.py."""

import math

import pytest
import torch

# ---- functions to hand in, each with its slope as it is found with pencil and paper


def cube(t):
    return t**3


def wave(t):
    return torch.sin(3 * t) - t


def bell(t):
    return torch.exp(-t * t)


def log_of_one_more(t):
    return torch.log(1 + t)


def meeting(t):
    """t meets itself again: as a vector, in a product."""
    return torch.stack([t, t * t, 1 / t]) @ torch.tensor([5.0, -3.0, 2.0], dtype=t.dtype)


def folded(t):
    """Halved while above 1, then one of two branches: which operations run depends on the value."""
    while t > 1:
        t = t / 2
    if t > 0.75:
        return t * t
    return 3 * t


SLOPES = {
    cube: lambda x: 3 * x**2,
    wave: lambda x: 3 * math.cos(3 * x) - 1,
    bell: lambda x: -2 * x * math.exp(-x * x),
    log_of_one_more: lambda x: 1 / (1 + x),
    meeting: lambda x: 5 - 6 * x - 2 / x**2,
}


# ---- slope


@pytest.mark.fact("01.3")
@pytest.mark.parametrize("f", list(SLOPES), ids=lambda f: f.__name__)
def test_slope_of_any_function(kata, check, f):
    """Catches the value for the slope, a result that is no float, and an input that autograd does not follow."""
    check(kata.slope, f=f, x=0.7).gives(SLOPES[f](0.7))


@pytest.mark.fact("01.3")
def test_slope_at_any_point(kata, check):
    """Catches an answer that is right at one point only."""
    rows = [(f, x) for f in SLOPES for x in (0.3, 1.7, 2.2)] + [(cube, -1.5), (bell, -0.4), (wave, 0.0)]
    check.each(kata.slope, rows).gives([SLOPES[f](x) for f, x in rows])


@pytest.mark.fact("01.4")
def test_slope_through_a_loop_and_a_branch(kata, check):
    """Catches a slope that does not belong to the path that this very x takes."""
    rows = [(folded, x) for x in (-2.0, 0.5, 0.8, 1.75, 5.0, 7.0, 12.5)]
    check.each(kata.slope, rows).gives([3.0, 3.0, 1.6, 0.875, 0.375, 0.21875, 2 * 0.78125 / 16])


@pytest.mark.fact("01.3")
def test_slope_calls_f_once_on_a_scalar(kata, check):
    """Catches a difference quotient, which calls f twice, and a vector of one value."""
    shapes = []

    def f(t):
        shapes.append(tuple(t.shape) if isinstance(t, torch.Tensor) else type(t).__name__)
        return t * t - 4 * t

    check(kata.slope, f=f, x=1.25).gives(-1.5)

    check.saw(kata.slope, shapes, call="the shape of what f was called with, call by call").gives([()])


# ---- tent


PATHS = [(0.3, 1), (0.8, 1), (0.3, 2), (0.8, 2), (0.1, 3), (0.45, 3), (0.65, 4), (0.9, 5), (0.2, 0), (0.7, 0)]


def zigzag(x, n):
    """n tents in closed form: a zigzag between 0 and 1 with 2**n straight pieces. Its value and its slope."""
    phase = 2**n * x % 2
    return 1 - abs(1 - phase), 2.0**n if phase < 1 else -(2.0**n)


@pytest.mark.fact("01.4")
@pytest.mark.parametrize(("x", "n"), [(0.3, 1), (0.3, 2), (0.65, 4), (0.2, 0)])
def test_tent_keeps_the_graph(kata, check, x, n):
    """Catches a number taken out of the graph to decide on, and gone on with; and a leaf changed in place."""
    x = torch.tensor(x, dtype=torch.float64, requires_grad=True)
    right = torch.tensor(zigzag(x.item(), n)[0], dtype=torch.float64, requires_grad=True)
    check(kata.tent, x=x, n=n).gives(right)


def test_tent_value(kata, check):
    """Catches a wrong branch, a branch chosen once for all steps, a wrong number of steps, and x changed in place."""
    right = [torch.tensor(zigzag(x, n)[0]) for x, n in PATHS]
    check.each(kata.tent, [(torch.tensor(x), n) for x, n in PATHS]).gives(right)


@pytest.mark.fact("01.4")
def test_tent_slope_belongs_to_the_path(kata, check):
    """Catches a graph that does not follow the if: the sign tells which branches this call went through."""

    def slope_of_tent(x, n):
        x = torch.tensor(x, requires_grad=True)
        y = kata.tent(x, n)
        if y.requires_grad:
            y.backward()
        return "none" if x.grad is None else x.grad.item()

    check.each(slope_of_tent, PATHS).gives([zigzag(x, n)[1] for x, n in PATHS], exact=True)


# ---- gradient


def weighted_squares(t):
    return (torch.arange(1, len(t) + 1).to(t) * t**2).sum() + 2 * t[0]


def valley(t):
    """Rosenbrock's valley: the axes are entangled."""
    return (1 - t[0]) ** 2 + 10 * (t[1] - t[0] ** 2) ** 2


def slopes_of_weighted_squares(t):
    return [2 * (i + 1) * v + (2 if i == 0 else 0) for i, v in enumerate(t)]


def slopes_of_valley(t):
    return [-2 * (1 - t[0]) - 40 * t[0] * (t[1] - t[0] ** 2), 20 * (t[1] - t[0] ** 2)]


@pytest.mark.fact("01.5")
@pytest.mark.parametrize(
    ("f", "slopes", "point"),
    [
        (weighted_squares, slopes_of_weighted_squares, [0.5, -1.5, 3.0]),
        (weighted_squares, slopes_of_weighted_squares, [-2.5]),
        (valley, slopes_of_valley, [-1.2, 0.9]),
        (valley, slopes_of_valley, [0.4, -0.7]),
    ],
    ids=["three axes", "one axis", "valley, left", "valley, right"],
)
def test_gradient_has_the_slope_of_each_axis(kata, check, f, slopes, point):
    """Catches no backward at all, one slope for all axes, a turned sign, and a point that is marked in place."""
    right = torch.tensor(slopes(point))
    # quiet: .grad of a tensor that is no leaf is None, as what backward() returns is, but torch warns of it
    check(kata.gradient, f=f, point=torch.tensor(point)).gives(right, quiet=True)


def test_gradient_again_at_the_same_point(kata, check):
    """Catches a gradient that stays in the caller's point.grad, to which the next call adds."""
    point = [-1.2, 0.9]
    right = torch.tensor(slopes_of_valley(point))

    def two_calls_of_gradient(point):
        first = kata.gradient(valley, point).clone()
        return {"first": first, "second": kata.gradient(valley, point), "point.grad": point.grad}

    check(two_calls_of_gradient, point=torch.tensor(point)).gives({"first": right, "second": right, "point.grad": None})


@pytest.mark.fact("01.5")
def test_gradient_keeps_float64(kata, check):
    """Catches float32 on the way, which leaves seven digits."""
    point = [-1.2, 0.9]
    right = torch.tensor(slopes_of_valley(point), dtype=torch.float64)
    check(kata.gradient, f=valley, point=torch.tensor(point, dtype=torch.float64)).gives(right)


@pytest.mark.fact("01.5")
def test_gradient_comes_from_one_pass(kata, check):
    """Catches one call of f for each axis, and a graph that is built but never walked back."""
    point = [0.5, -1.5, 3.0, 2.0]
    right = torch.tensor(slopes_of_weighted_squares(point), dtype=torch.float64)

    def passes_of_gradient(point):
        passes = []

        def f(t):
            passes.append("forward")
            y = weighted_squares(t)
            if y.requires_grad:
                y.register_hook(lambda slope: passes.append("backward"))
            return y

        return {"gradient": kata.gradient(f, point), "passes": passes}

    given = torch.tensor(point, dtype=torch.float64)
    check(passes_of_gradient, point=given).gives({"gradient": right, "passes": ["forward", "backward"]})


# ---- descend


def parabola(t):
    return (t - 3) ** 2


def two_wells(t):
    return t**4 / 4 - t**2 / 2 + t / 10


def descend_by_hand(f, x, lr, steps):
    """In Python floats, with the derivative written out."""
    for _ in range(steps):
        x -= lr * (2 * (x - 3) if f is parabola else x**3 - x + 0.1)
    return x


@pytest.mark.parametrize(("f", "x", "lr", "steps"), [(two_wells, 1.4, 0.2, 2), (parabola, 5.5, 0.25, 3)])
def test_descend_gives_a_float(kata, check, f, x, lr, steps):
    """Catches the tensor for its number, f(x) for x, and a step taken from a tensor that is no leaf."""
    check(kata.descend, f=f, x=x, lr=lr, steps=steps).gives(descend_by_hand(f, x, lr, steps))


@pytest.mark.fact("01.4")
def test_descend_follows_the_slope(kata, check):
    """Catches a step uphill, a slope that is not taken anew at each x, slopes that add up, and steps left out."""
    rows = [(parabola, x, lr, n) for x, lr in ((0.0, 0.1), (7.5, 0.3), (-2.0, 0.9)) for n in (1, 2, 5)]
    rows += [(two_wells, x, 0.2, n) for x in (1.4, -0.3, 0.6) for n in (1, 3, 20)]
    check.each(kata.descend, rows).gives([descend_by_hand(*row) for row in rows])


def test_descend_takes_no_step(kata, check):
    """Catches a first step before the count begins."""
    rows = [(parabola, x, 0.1, 0) for x in (0.0, 7.5, -2.0, 3.0, 0.125)]
    check.each(kata.descend, rows).gives([0.0, 7.5, -2.0, 3.0, 0.125])
