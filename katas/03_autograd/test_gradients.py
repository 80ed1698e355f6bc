"""The specification of gradients.py."""

import pytest
import torch


def values(x1, w1, b, y):
    return {name: torch.tensor([value]) for name, value in zip(("x1", "w1", "b", "y"), (x1, w1, b, y), strict=True)}


def slope_of_z(x1, w1, b, y):
    """∂L/∂z = σ(z) - y, in closed form."""
    return 1 / (1 + torch.exp(-(x1 * w1 + b))) - y


@pytest.mark.fact("03.7")
def test_weight_gradient_of_the_source(kata, check):
    """Catches ∂L/∂z handed in for ∂L/∂w1: the source's number is -0.0898."""
    check(kata.weight_gradient, **values(1.1, 2.2, 0.0, 1.0)).gives(torch.tensor([-0.0898]), atol=5e-5)


@pytest.mark.fact("03.7")
@pytest.mark.parametrize("inputs", [(0.7, -1.3, 0.4, 0.0), (-1.9, 0.6, 0.3, 1.0)])
def test_weight_gradient_has_the_factor_x1(kata, check, inputs):
    """Catches a wrong factor or sign where no two of the inputs are related, as they are in the source's example."""
    given = values(*inputs)
    right = slope_of_z(**given) * given["x1"]
    check(kata.weight_gradient, **given).gives(right)
