"""The specification of chain_rule.py."""

import pytest
import torch
import torch.nn.functional as F

BY_HAND = dict.fromkeys(("loss_slope", "sigmoid_slope", "gradients_by_hand"), ("backward", "grad"))


def by_autograd(loss, *leaves):
    """The oracle: what autograd makes of torch's own functions."""
    return torch.autograd.grad(loss.sum(), leaves)


@pytest.mark.fact("03.6")
@pytest.mark.parametrize(
    ("a", "y"),
    [
        ([0.9183], [1.0]),
        ([0.1, 0.35, 0.6, 0.8, 0.97], [0.0, 1.0, 0.0, 1.0, 0.25]),
        ([[0.2, 0.7, 0.45], [0.55, 0.05, 0.9]], [[1.0, 0.3, 0.0], [0.0, 1.0, 0.8]]),
    ],
    ids=["source", "vector", "matrix"],
)
def test_loss_slope_equals_autograd(kata, check, a, y):
    """Catches a lost sign, a forgotten class, and ∂L/∂z handed in for ∂L/∂a."""
    a, y = torch.tensor(a), torch.tensor(y)
    leaf = a.clone().requires_grad_()
    (right,) = by_autograd(F.binary_cross_entropy(leaf, y, reduction="none"), leaf)

    check(kata.loss_slope, a=a, y=y).gives(right)


@pytest.mark.fact("03.6")
@pytest.mark.parametrize("z", [[2.42], [-3.0, -0.5, 0.3, 1.0, 6.0], [[0.2, -1.7], [4.0, -8.0], [0.9, 2.5]]])
def test_sigmoid_slope_equals_autograd(kata, check, z):
    """Catches z in the place of a, half of the product, and another function's slope."""
    z = torch.tensor(z)
    leaf = z.clone().requires_grad_()
    (right,) = by_autograd(torch.sigmoid(leaf), leaf)

    check(kata.sigmoid_slope, z=z).gives(right)


def values(x1, w1, b, y):
    return {name: torch.tensor([value]) for name, value in zip(("x1", "w1", "b", "y"), (x1, w1, b, y), strict=True)}


@pytest.mark.fact("03.6", "03.8")
def test_gradients_by_hand_of_the_source(kata, check):
    """Catches a wrong product by the source's numbers: -0.0898 for w1, -0.0817 for b; x1's is the latter times w1."""
    right = torch.tensor([-0.0817 * 2.2]), torch.tensor([-0.0898]), torch.tensor([-0.0817])

    check(kata.gradients_by_hand, **values(1.1, 2.2, 0.0, 1.0)).gives(right, rtol=0, atol=1e-4)


@pytest.mark.fact("03.8")
@pytest.mark.parametrize("inputs", [(0.7, -1.3, 0.4, 0.0), (-1.9, 0.6, 0.3, 1.0), (0.8, 1.7, -0.6, 0.25)])
def test_gradients_by_hand_equal_autograd(kata, check, inputs):
    """Catches a factor that is left out, added instead of multiplied, or taken from the wrong branch."""
    given = values(*inputs)
    leaves = {name: given[name].clone().requires_grad_() for name in ("x1", "w1", "b")}
    a = torch.sigmoid(leaves["x1"] * leaves["w1"] + leaves["b"])
    right = by_autograd(F.binary_cross_entropy(a, given["y"]), *leaves.values())

    check(kata.gradients_by_hand, **given).gives(right)


def losses_and_slopes(function):
    """Applies a Function and pulls `upstream` back through it; called under the name of the learner's class."""

    def LogitLoss(z, y, upstream):
        losses = function.apply(z, y)
        return losses.detach(), torch.autograd.grad(losses, z, upstream, allow_unused=True)[0]

    return LogitLoss


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize(
    ("z", "y", "upstream"),
    [
        ([2.42], [1.0], [1.0]),
        ([-3.0, 0.4, 1.5, -0.6], [0.0, 1.0, 0.25, 1.0], [0.5, -2.0, 3.0, 0.1]),
        (
            [[0.2, -1.7], [4.0, -2.5], [0.9, 2.5]],
            [[1.0, 0.3], [0.0, 1.0], [0.8, 0.0]],
            [[2.0, -1.0], [0.3, 4.0], [-3.5, 0.7]],
        ),
    ],
    ids=["source", "vector", "matrix"],
)
def test_LogitLoss_has_losses_and_slopes(kata, check, z, y, upstream, dtype):
    """Catches an upstream slope that is left out or overwritten, and a value that was lost before backward needs it."""
    z, y, upstream = (torch.tensor(given, dtype=dtype) for given in (z, y, upstream))
    z.requires_grad_()
    losses = F.binary_cross_entropy_with_logits(z, y, reduction="none")
    (slope,) = torch.autograd.grad(losses, z, upstream)

    check(losses_and_slopes(kata.LogitLoss), z=z, y=y, upstream=upstream).gives((losses.detach(), slope))


@pytest.mark.fact("03.8")
def test_LogitLoss_in_a_larger_graph(kata, check):
    """Catches an input that is changed in place, when the operation that made it needs it for its own backward."""
    w, y = torch.tensor([0.4, -1.2, 0.9], requires_grad=True), torch.tensor([1.0, 0.0, 0.3])
    right = by_autograd(F.binary_cross_entropy_with_logits(torch.tanh(w), y, reduction="none") * -2, w)

    def LogitLoss(w, y):
        return torch.autograd.grad((kata.LogitLoss.apply(torch.tanh(w), y) * -2).sum(), w, allow_unused=True)

    check(LogitLoss, w=w, y=y).gives(right)


@pytest.mark.fact("03.8")
def test_LogitLoss_twice_in_one_graph(kata, check):
    """Catches what forward keeps on the class, where the next call overwrites it."""
    z, y = torch.tensor([0.4, -1.2], requires_grad=True), torch.tensor([1.0, 0.3])
    losses = [F.binary_cross_entropy_with_logits(given, y, reduction="none") for given in (z, 3 * z)]
    right = by_autograd(losses[0] - 2 * losses[1], z)

    def LogitLoss(z, y):
        first, second = kata.LogitLoss.apply(z, y), kata.LogitLoss.apply(3 * z, y)
        return torch.autograd.grad((first - 2 * second).sum(), z, allow_unused=True)

    check(LogitLoss, z=z, y=y).gives(right)


@pytest.mark.fact("03.8")
def test_LogitLoss_passes_gradcheck(kata, check):
    """Catches a backward that differs from the slopes that small steps of forward show, in float64."""
    z = torch.tensor([0.3, -1.4, 2.0], dtype=torch.float64, requires_grad=True)
    y = torch.tensor([1.0, 0.0, 0.4], dtype=torch.float64)
    losses = F.binary_cross_entropy_with_logits(z, y, reduction="none")
    (slope,) = by_autograd(losses, z)
    function = kata.LogitLoss

    def LogitLoss(z, y):
        passes = torch.autograd.gradcheck(lambda z: function.apply(z, y), (z,), raise_exception=False)
        losses = function.apply(z, y)
        (slope,) = torch.autograd.grad(losses, z, torch.ones_like(losses), allow_unused=True)
        return {"gradcheck": passes, "losses": losses.detach(), "z's gradient": slope}

    check(LogitLoss, z=z, y=y).gives({"gradcheck": True, "losses": losses.detach(), "z's gradient": slope})
