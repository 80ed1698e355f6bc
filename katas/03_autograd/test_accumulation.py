"""The specification of accumulation.py."""

import itertools

import pytest
import torch
from torch import nn


def leaf(values):
    return torch.tensor(values, requires_grad=True)


def grads(*params):
    """What stands in .grad; None counts as zeros, since both are right after clearing."""
    return [torch.zeros(p.shape) if p.grad is None else p.grad.clone() for p in params]


def run(check, function, **inputs):
    """What a call gives, where something else than that is judged; an error is judged at once."""
    seen = check(function, **inputs)
    try:
        return seen.value
    except Exception:
        return seen.gives(None)


def one_after_the_other(*losses):
    """A loss that answers differently each time, as with the next batch."""
    turn = itertools.cycle(losses)

    def next_loss(w):
        return next(turn)(w)

    return next_loss


# ---- gradient_history


@pytest.mark.fact("03.9")
def test_gradient_history_of_one_loss(kata, check):
    """Catches a gradient that is cleared between rounds: two backwards add up."""

    def cubes(w):
        return (w**3).sum()

    w = torch.tensor([[0.5], [-1.5], [2.0]])
    right = [3 * w**2, 6 * w**2]
    history = run(check, kata.gradient_history, loss=cubes, w=w, rounds=2)
    call = "loss(w) = (w**3).sum(), w = [[0.5], [-1.5], [2.]], rounds=2"
    check.saw(kata.gradient_history, history, call=call).gives(right)


@pytest.mark.fact("03.9")
def test_gradient_history_where_each_round_has_its_own_loss(kata, check):
    """Catches multiples of the first round's gradient, and a list that holds the same growing tensor each time."""
    w = torch.tensor([0.5, -1.25], dtype=torch.float64)
    loss = one_after_the_other(lambda w: (w * w).sum(), lambda w: -0.5 * (w * w).sum(), lambda w: 3 * (w * w).sum())
    right = [2 * w, 1 * w, 7 * w]
    history = run(check, kata.gradient_history, loss=loss, w=w, rounds=3)
    call = "loss(w) = c * (w * w).sum() with c = 1, -0.5, 3 in turn, w = [0.5, -1.25], rounds=3"
    check.saw(kata.gradient_history, history, call=call).gives(right, exact=True)


def test_gradient_history_of_sums(kata, check):
    """Catches one forward for all rounds where torch does not refuse it: a graph of sums saves nothing to be freed."""
    w = torch.tensor([[0.7, -1.3, 2.0], [0.4, 5.0, -0.2]])
    loss = one_after_the_other(lambda w: w.sum(), lambda w: w[1].sum(), lambda w: -w[:, 0].sum())
    history = run(check, kata.gradient_history, loss=loss, w=w, rounds=3)
    call = "loss(w) = w.sum(), then w[1].sum(), then -w[:, 0].sum(), w of shape (2, 3), rounds=3"
    right = [[[1, 1, 1], [1, 1, 1]], [[1, 1, 1], [2, 2, 2]], [[0, 1, 1], [1, 2, 2]]]
    check.saw(kata.gradient_history, history, call=call).gives([torch.tensor(r).float() for r in right], exact=True)


def test_gradient_history_leaves_w_alone(kata, check):
    """Catches the caller's own tensor made a leaf that requires a gradient."""
    w = torch.tensor([0.5, -1.25])
    run(check, kata.gradient_history, loss=torch.sum, w=w, rounds=1)
    seen = {"values": w.detach(), "requires_grad": w.requires_grad, "grad is None": w.grad is None}
    right = {"values": torch.tensor([0.5, -1.25]), "requires_grad": False, "grad is None": True}
    check.saw(kata.gradient_history, seen, call="the caller's w after the call").gives(right, exact=True)


# ---- clear


def stale():
    """Two shapes with a gradient, and between them one whose gradient zero_grad() has set to None."""
    w, c, b = leaf([[1.5, -2.0, 0.5], [3.0, 0.25, 7.0]]), nn.Parameter(torch.tensor([0.3])), leaf([4.0, -1.0])
    w.grad, c.grad, b.grad = torch.full((2, 3), 11.0), torch.tensor([8.0]), torch.tensor([5.0, -6.0])
    nn.ParameterList([c]).zero_grad()
    return w, c, b


@pytest.mark.fact("03.9")
def test_clear_leaves_none_or_zeros(kata, check):
    """Catches .zero_() on a gradient that is None already, as it is after zero_grad()."""
    params = stale()
    values = [p.detach().clone() for p in params]
    run(check, kata.clear, params=list(params))
    seen = {"gradients": grads(*params), "values": [p.detach() for p in params]}
    seen["require a gradient"] = [p.requires_grad for p in params]
    right = {"gradients": [torch.zeros(p.shape) for p in params], "values": values}
    right["require a gradient"] = [True, True, True]
    check.saw(kata.clear, seen, call="clear([w, c, b]), where c.grad is None").gives(right, exact=True)


def test_clear_goes_once_through_an_iterator(kata, check):
    """Catches a length or a second pass: model.parameters() gives an iterator, which has neither."""
    params = stale()
    run(check, kata.clear, params=iter(params))
    call = "the gradients after clear(iter([w, c, b])), where c.grad is None"
    check.saw(kata.clear, grads(*params), call=call).gives([torch.zeros(p.shape) for p in params], exact=True)


@pytest.mark.fact("03.9")
def test_clear_lets_the_next_backward_stand_alone(kata, check):
    """Catches a name that is set to None in place of the parameter's own .grad."""
    w, b = leaf([[1.5, -2.0, 0.5]]), leaf(0.25)
    for _ in range(2):
        ((w * w).sum() * b).backward()
    run(check, kata.clear, params=[w, b])
    if w.requires_grad and b.requires_grad:
        (3 * w[0, 1:].sum() - 7 * b).backward()
    right = [torch.tensor([[0.0, 3.0, 3.0]]), torch.tensor(-7.0)]
    check.saw(kata.clear, grads(w, b), call="the gradients after clear and one more backward").gives(right, exact=True)


def test_clear_of_nan(kata, check):
    """Catches .grad *= 0: NaN and inf times zero are NaN, so that one overflow would poison all later steps."""
    w = leaf([1.0, 2.0, 3.0])
    w.grad = torch.tensor([float("nan"), float("inf"), 4.0])
    run(check, kata.clear, params=[w])
    call = "w.grad was [nan, inf, 4.], then clear([w])"
    check.saw(kata.clear, grads(w), call=call).gives([torch.zeros(3)], exact=True)


# ---- fresh_gradients


@pytest.mark.fact("03.9")
def test_fresh_gradients_over_several_steps(kata, check):
    """Catches a step that adds to the last one's gradient: the parameters move between steps, b.grad starts as None."""
    b, w = leaf([1.0, -2.0]), leaf([[0.5, -2.0, 1.0], [1.5, 0.0, -1.0]])
    w.grad = torch.full((2, 3), 50.0)
    seen, right = {}, {}
    for step, n in enumerate((4, 2, 1), start=1):
        x = torch.arange(1.0, 3 * n + 1).view(n, 3)
        off = x @ w.detach().T + b.detach()
        right |= {f"b.grad, step {step}": 2 * off.sum(0), f"w.grad, step {step}": 2 * off.T @ x}

        def squares(x=x, b=b, w=w):
            return ((x @ w.T + b) ** 2).sum()

        run(check, kata.fresh_gradients, loss=squares, params=[b, w])
        seen |= dict(zip((f"b.grad, step {step}", f"w.grad, step {step}"), grads(b, w), strict=True))
        with torch.no_grad():
            w += 0.5 * n
            b -= 3.0
    check.saw(kata.fresh_gradients, seen, call="three steps of another batch, [b, w] moved in between").gives(right)


def test_fresh_gradients_of_an_unused_parameter(kata, check):
    """Catches the stale gradient of a parameter that this loss does not use: the next step would follow it again."""
    w, unused = leaf([0.5, -2.0]), leaf([1.0, 2.0, 3.0])
    w.grad, unused.grad = torch.tensor([9.0, 9.0]), torch.tensor([7.0, 7.0, 7.0])
    right = [4 * w.detach() ** 3, torch.zeros(3)]

    def fourth_powers():
        return (w**4).sum()

    run(check, kata.fresh_gradients, loss=fourth_powers, params=[w, unused])
    call = "[w.grad, unused.grad], where both were stale and the loss uses w alone"
    check.saw(kata.fresh_gradients, grads(w, unused), call=call).gives(right)
    values = [torch.tensor([0.5, -2.0]), torch.tensor([1.0, 2.0, 3.0])]
    call = "[w, unused] after it"
    check.saw(kata.fresh_gradients, [w.detach(), unused.detach()], call=call).gives(values, exact=True)


def test_fresh_gradients_of_one_forward_and_one_backward(kata, check):
    """Catches a second walk through a graph of sums, which torch does not refuse, and a second forward."""
    w = leaf([0.5, -2.0, 1.0])
    answers = []

    def sums():
        answers.append(w.sum() - w[len(answers)])
        return answers[-1]

    run(check, kata.fresh_gradients, loss=sums, params=[w])
    seen = {"w.grad": grads(w)[0], "calls of loss": len(answers)}
    right = {"w.grad": torch.tensor([0.0, 1.0, 1.0]), "calls of loss": 1}
    check.saw(kata.fresh_gradients, seen, call="once, with loss() = w.sum() - w[0]").gives(right, exact=True)


# ---- backward_all

X = torch.tensor([[0.5, -1.0], [2.0, 0.25], [-0.75, 1.5]])


def heads(w, v):
    """Three losses on one trunk; the second alone uses v."""
    trunk = torch.tanh(X @ w)
    return [trunk.sum(), (trunk @ v) ** 2, trunk[0] * trunk[2]]


def gradients_of_head(i, *params):
    """By a forward of its own."""
    params = [p.detach().clone().requires_grad_() for p in params]
    found = torch.autograd.grad(heads(*params)[i], params, allow_unused=True)
    return [torch.zeros(p.shape) if g is None else g for p, g in zip(params, found, strict=True)]


def test_backward_all_of_heads_on_one_trunk(kata, check):
    """Catches one backward for each loss: the first one frees the trunk that the others need."""
    w, v = leaf([0.5, -0.75]), leaf([1.5, -0.5, 0.25])
    w.grad = torch.tensor([10.0, 20.0])
    singles = [gradients_of_head(i, w, v) for i in range(3)]
    right = [w.grad + sum(s[0] for s in singles), sum(s[1] for s in singles)]
    run(check, kata.backward_all, losses=heads(w, v))
    check.saw(kata.backward_all, grads(w, v), call="[w.grad, v.grad], w.grad was [10., 20.]").gives(right)


@pytest.mark.fact("03.9")
def test_backward_all_of_losses_with_graphs_of_their_own(kata, check):
    """Catches a mean, a last loss alone, and a .grad that forgets what stood there."""
    w, v = leaf([[1.0, -2.0]]), leaf(3.0)
    v.grad = torch.tensor(100.0)
    losses = [(w * w).sum(), 5 * v, w.sum(), v * v]
    run(check, kata.backward_all, losses=list(losses))
    right = [torch.tensor([[3.0, -3.0]]), torch.tensor(111.0)]
    check.saw(kata.backward_all, grads(w, v), call="[w.grad, v.grad], v.grad was 100").gives(right, exact=True)
    right = [torch.tensor(5.0), torch.tensor(15.0), torch.tensor(-1.0), torch.tensor(9.0)]
    seen = [loss.detach() for loss in losses]
    check.saw(kata.backward_all, seen, call="the caller's losses after it").gives(right, exact=True)


# ---- separate_gradients


def test_separate_gradients_of_heads_on_one_trunk(kata, check):
    """Catches a graph that is freed by the first walk, and running sums."""
    w, v = leaf([0.5, -0.75]), torch.tensor([1.5, -0.5, 0.25])
    right = [gradients_of_head(i, w, v)[0] for i in range(3)]
    gradients = run(check, kata.separate_gradients, losses=heads(w, v), w=w)
    seen = {"gradients": gradients, "w.grad is None": w.grad is None}
    call = "three losses on one trunk, w.grad is None before"
    check.saw(kata.separate_gradients, seen, call=call).gives({"gradients": right, "w.grad is None": True})


def test_separate_gradients_leaves_a_stale_gradient(kata, check):
    """Catches a .grad that is used for the work and not put back."""
    w = leaf([[2.0, -3.0, 0.5]])
    w.grad = torch.tensor([[10.0, 20.0, 30.0]])
    squares = w * w
    right = [torch.tensor([[4.0, -6.0, 1.0]]), torch.tensor([[2 * 2 * 9.0, 2 * -3 * 4.0, 0.0]])]
    gradients = run(check, kata.separate_gradients, losses=[squares.sum(), squares[0, 0] * squares[0, 1]], w=w)
    seen = {"gradients": gradients, "w.grad": grads(w)[0]}
    call = "two losses on one graph, w.grad is [[10., 20., 30.]] before"
    right = {"gradients": right, "w.grad": torch.tensor([[10.0, 20.0, 30.0]])}
    check.saw(kata.separate_gradients, seen, call=call).gives(right, exact=True)
