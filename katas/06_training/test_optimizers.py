"""The specification of optimizers.py."""

import pytest
import torch
from torch import nn

from torchkatas.observe import modes

BY_HAND = {name: ("optim",) for name in ("sgd_step", "momentum_step", "adam_step")}

SHAPES = {"w": (2, 3), "b": (3,), "c": (3,), "s": ()}
ALIKE = {"w": (3,), "b": (3,), "c": (3,), "s": (3,)}
LEFT_OUT = {("b", 0), ("s", 3), ("b", 4), ("w", 4)}  # no gradient for this parameter in this step
ALL_ZEROS = {("w", 1), ("c", 2), ("s", 4)}  # a gradient, and all of it is 0: the step is taken


def leaves(shapes=SHAPES):
    generator = torch.Generator().manual_seed(6)
    return {
        name: nn.Parameter(2 * torch.randn(shape, generator=generator, dtype=torch.float64))
        for name, shape in shapes.items()
    }


def slopes(steps, seed=0, left_out=LEFT_OUT, shapes=SHAPES):
    """A gradient of each parameter for each step, of all sizes from a hundredth to ten; None where it is left out."""
    generator = torch.Generator().manual_seed(seed)
    out = []
    for step in range(steps):
        row = {}
        for name, shape in shapes.items():
            slope = torch.randn(shape, generator=generator, dtype=torch.float64)
            size = 10 ** (3 * torch.rand(shape, generator=generator, dtype=torch.float64) - 2)
            size = 0 * size if (name, step) in ALL_ZEROS else size
            row[name] = None if (name, step) in left_out else slope * size
        out.append(row)
    return out


def walk(params, gradients, step, in_place=False):
    """Give the parameters the gradients of each step and take it; `in_place` writes them into the tensors of before."""
    rows = []
    for i, row in enumerate(gradients):
        for name, p in params.items():
            if in_place and p.grad is not None:
                p.grad.copy_(row[name])
            else:
                p.grad = None if row[name] is None else row[name].to(p.dtype, copy=True)
        step(i)
        rows.append(torch.stack([p.detach().flatten()[0] for p in params.values()]))
    return torch.stack(rows), torch.cat([p.detach().flatten() for p in params.values()])


def compare(check, function, found, right, call):
    """Judge two walks: the first number of each parameter after each step, then all numbers after the last."""
    for got, wanted, what in zip(found, right, ("the first numbers, after each step", "all, in the end"), strict=True):
        check.saw(function, got, call=f"parameters w, b, c, s: {what}; {call}").gives(wanted)


def by_torch(kind, gradients, lrs=None, shapes=SHAPES, **settings):
    """Where an optimizer of torch.optim takes the parameters on the same way."""
    params = leaves(shapes)
    optimizer = kind(params.values(), **settings)

    def step(i):
        if lrs:
            optimizer.param_groups[0]["lr"] = lrs[i]
        optimizer.step()

    return walk(params, gradients, step)


def in_their_places(check, function, *settings, **named):
    """Judge what a step of w and b, both with a gradient of 2, leaves as it was: the objects, and their gradients."""
    params = [nn.Parameter(torch.tensor([[1.0, -2.0, 0.5]])), nn.Parameter(torch.tensor([4.0, 3.0]))]
    for p in params:
        p.grad = torch.full(p.shape, 2.0)
    given, before = list(params), [p.detach().clone() for p in params]
    _ = check(function, given, *settings, **named).value  # by the check, which sees a built-in at work
    seen = {
        "same objects": [a is b for a, b in zip(given, params, strict=True)],
        "moved": [not torch.equal(p.detach(), was) for p, was in zip(params, before, strict=True)],
        "leaves": [p.is_leaf for p in params],
        "require a gradient": [p.requires_grad for p in params],
        "gradients": [None if p.grad is None else p.grad.clone() for p in params],
    }
    right = {key: [True, True] for key in seen} | {"gradients": [torch.full((1, 3), 2.0), torch.full((2,), 2.0)]}
    call = "w = [[1., -2., 0.5]] and b = [4., 3.] after a step, all gradients are 2"
    check.saw(function, seen, call=call).gives(right)


# ---- sgd_step


@pytest.mark.fact("05.12")
def test_sgd_step_goes_against_the_gradient(kata, check):
    """Catches a step uphill, one that never reaches the leaves, and one that stops or fails at a .grad of None."""
    params, paper, gradients = leaves(), leaves(), slopes(6)

    def on_paper(i):
        for name, slope in gradients[i].items():
            if slope is not None:
                paper[name].data -= 0.75 * slope

    right = walk(paper, gradients, on_paper)
    found = walk(params, gradients, lambda i: kata.sgd_step(list(params.values()), 0.75))
    call = "lr=0.75; b has no gradient in the first step, s and w in a later one"
    compare(check, kata.sgd_step, found, right, call)


@pytest.mark.fact("05.12")
@pytest.mark.parametrize(("lr", "weight_decay"), [(0.75, 0.25), (2.0, 0.125)])
def test_sgd_step_with_weight_decay(kata, check, lr, weight_decay):
    """Catches a decay that grows the weights, that lr does not scale, or that meets a parameter without gradient."""
    params, gradients = leaves(), slopes(6)
    right = by_torch(torch.optim.SGD, gradients, lr=lr, weight_decay=weight_decay)
    found = walk(params, gradients, lambda i: kata.sgd_step(list(params.values()), lr=lr, weight_decay=weight_decay))
    call = f"lr={lr}, weight_decay={weight_decay}; some have no gradient in a step, or one that is all 0"
    compare(check, kata.sgd_step, found, right, call)


def test_sgd_step_in_the_same_leaves(kata, check):
    """Catches new tensors in the place of the old, leaves that lost their gradient, and a .grad that was changed."""
    in_their_places(check, kata.sgd_step, lr=0.25, weight_decay=0.5)


# ---- momentum_step

LRS = [0.5, 0.25, 2.0, 0.25, 0.5, 1.0, 0.0625]


def test_momentum_step_keeps_a_velocity_for_each(kata, check):
    """Catches one velocity for all, and keys that slip where a parameter has no gradient: here the shapes fit."""
    params, gradients, state = leaves(ALIKE), slopes(len(LRS), shapes=ALIKE), {}
    right = by_torch(torch.optim.SGD, gradients, LRS, ALIKE, lr=LRS[0], momentum=0.75)

    def step(i):
        kata.momentum_step(list(params.values()), state, lr=LRS[i], momentum=0.75)

    call = f"all of one shape, momentum=0.75, lr={LRS}; some have no gradient in a step"
    compare(check, kata.momentum_step, walk(params, gradients, step), right, call)


@pytest.mark.parametrize(("momentum", "weight_decay"), [(0.75, 0.0), (0.5, 0.25)])
def test_momentum_step_over_many_steps(kata, check, momentum, weight_decay):
    """Catches a velocity that is forgotten, averaged, shared, or scaled by an lr that has changed meanwhile."""
    params, gradients, state = leaves(), slopes(len(LRS)), {}
    settings = {"momentum": momentum, "weight_decay": weight_decay}
    right = by_torch(torch.optim.SGD, gradients, LRS, lr=LRS[0], **settings)

    def step(i):
        kata.momentum_step(list(params.values()), state, lr=LRS[i], **settings)

    call = f"momentum={momentum}, weight_decay={weight_decay}, lr={LRS}; some have no gradient in a step, or all 0"
    compare(check, kata.momentum_step, walk(params, gradients, step), right, call)


def test_momentum_step_with_gradients_in_the_same_tensors(kata, check):
    """Catches a velocity that is the caller's .grad itself: zero_grad(set_to_none=False) and backward write into it."""
    params, gradients, state = leaves(), slopes(4, left_out=()), {}
    right = by_torch(torch.optim.SGD, gradients, lr=0.5, momentum=0.75)

    def step(i):
        kata.momentum_step(list(params.values()), state, lr=0.5, momentum=0.75)

    call = "lr=0.5, momentum=0.75; each .grad is one tensor that is written over"
    compare(check, kata.momentum_step, walk(params, gradients, step, in_place=True), right, call)


def test_momentum_step_in_the_same_leaves(kata, check):
    """Catches new tensors in the place of the old, leaves that lost their gradient, and a .grad that was changed."""
    in_their_places(check, kata.momentum_step, {}, lr=0.25, momentum=0.75, weight_decay=0.5)


# ---- adam_step


@pytest.mark.parametrize(
    ("lr", "betas", "eps"), [(0.5, (0.5, 0.75), 0.25), (0.25, (0.9, 0.6), 1e-3)], ids=["large eps", "small eps"]
)
def test_adam_step_over_many_steps(kata, check, lr, betas, eps):
    """Catches betas that are swapped, averages that are not corrected or too often, and an eps in the wrong place."""
    params, gradients, state = leaves(), slopes(8), {}
    right = by_torch(torch.optim.Adam, gradients, lr=lr, betas=betas, eps=eps)

    def step(i):
        kata.adam_step(list(params.values()), state, lr=lr, betas=betas, eps=eps)

    call = f"lr={lr}, betas={betas}, eps={eps}; some have no gradient in a step, or one that is all 0"
    compare(check, kata.adam_step, walk(params, gradients, step), right, call)


def test_adam_step_by_default(kata, check):
    """Catches another default: the gradients are so small that an eps of 1e-8 counts."""
    params, state = leaves(), {}
    gradients = [{name: g * 1e-8 for name, g in row.items()} for row in slopes(8, seed=1, left_out=())]
    right = by_torch(torch.optim.Adam, gradients)
    found = walk(params, gradients, lambda i: kata.adam_step(list(params.values()), state))
    call = "gradients of about 1e-8; lr, betas and eps are not given"
    compare(check, kata.adam_step, found, right, call)


def test_adam_step_with_gradients_in_the_same_tensors(kata, check):
    """Catches an average that is the caller's .grad itself, which the next backward writes into."""
    params, gradients, state = leaves(), slopes(4, left_out=()), {}
    settings = {"lr": 0.5, "betas": (0.5, 0.75), "eps": 0.25}
    right = by_torch(torch.optim.Adam, gradients, **settings)

    def step(i):
        kata.adam_step(list(params.values()), state, **settings)

    call = "each .grad is one tensor that is written over"
    compare(check, kata.adam_step, walk(params, gradients, step, in_place=True), right, call)


def test_adam_step_in_the_same_leaves(kata, check):
    """Catches new tensors in the place of the old, leaves that lost their gradient, and a .grad that was changed."""
    in_their_places(check, kata.adam_step, {}, lr=0.25)


# ---- fine_tune_head


class Net(nn.Module):
    """A body of two layers and a head."""

    def __init__(self):
        super().__init__()
        generator = torch.Generator().manual_seed(3)
        self.first, self.second, self.head = nn.Linear(2, 5), nn.Linear(5, 4), nn.Linear(4, 3)
        with torch.no_grad():
            for p in self.parameters():
                p.copy_(torch.randn(p.shape, generator=generator))

    def forward(self, x):
        return self.head(torch.tanh(self.second(torch.tanh(self.first(x)))))


HEAD = ["head.weight", "head.bias"]


def held(model, optimizer):
    """The names of the parameters that an optimizer holds, in the model's order, and how many more it holds."""
    ids = [id(p) for group in getattr(optimizer, "param_groups", []) for p in group["params"]]
    mine = [name for name, p in model.named_parameters() if id(p) in ids]
    return mine + ["a parameter that is not in the model"] * (len(ids) - len(mine))


def kind(optimizer):
    """SGD, whatever is no optimizer by its type, and one name for all other optimizers."""
    other = isinstance(optimizer, torch.optim.Optimizer) and type(optimizer) is not torch.optim.SGD
    return "another than SGD" if other else type(optimizer).__name__


@pytest.mark.parametrize("classes", [5, 2])
def test_fine_tune_head_puts_a_new_one_in(kata, check, classes):
    """Catches the old head, a second one beside or behind it, a head of another shape, and eval mode."""
    model = Net()
    old = model.head
    kata.fine_tune_head(model=model, classes=classes, lr=0.5)
    seen = {
        "head": type(model.head).__name__,
        "new": model.head is not old,
        "shapes": {name: list(p.shape) for name, p in model.head.named_parameters()},
        "parts": [name for name, _ in model.named_children()],
        "in eval mode": [name or "model" for name, on in modes(model).items() if not on],
    }
    right = {"head": "Linear", "new": True, "shapes": {"weight": [classes, 4], "bias": [classes]}}
    right |= {"parts": ["first", "second", "head"], "in eval mode": []}
    check.saw(kata.fine_tune_head, seen, call=f"the model afterwards, classes={classes}").gives(right)


@pytest.mark.parametrize("lr", [0.5, 0.03])
def test_fine_tune_head_hands_the_new_head_to_the_optimizer(kata, check, lr):
    """Catches an optimizer over the old head, over a copy or over all of the model, and a learning rate of its own."""
    model = Net()
    optimizer = kata.fine_tune_head(model=model, classes=5, lr=lr)
    seen = {
        "optimizer": kind(optimizer),
        "lr": [group["lr"] for group in getattr(optimizer, "param_groups", [])],
        "holds": held(model, optimizer),
        "require a gradient": [name for name, p in model.named_parameters() if p.requires_grad],
    }
    right = {"optimizer": "SGD", "lr": [lr], "holds": HEAD, "require a gradient": HEAD}
    check.saw(kata.fine_tune_head, seen, call=f"the optimizer and the model, lr={lr}").gives(right)


def two_steps(model, optimizer):
    """Train on two batches; nothing where there is no optimizer or no graph."""
    batches = (torch.tensor([[0.5, -1.0]]), torch.tensor([[1.0, 2.0], [-0.25, 0.75]]))
    for x in batches if isinstance(optimizer, torch.optim.Optimizer) else ():
        optimizer.zero_grad()
        loss = model(x).square().mean()
        if loss.requires_grad:
            loss.backward()
        optimizer.step()
    return True


def test_fine_tune_head_trains_the_head_alone(kata, check):
    """Catches a head that never moves, and a body that moves, or whose gradients pile up where nobody clears them."""
    model = Net()
    body = {name: p.detach().clone() for name, p in model.named_parameters() if name not in HEAD}
    optimizer = kata.fine_tune_head(model=model, classes=5, lr=0.5)
    head = {name: p.detach().clone() for name, p in model.head.named_parameters("head")}
    _ = check(two_steps, model=model, optimizer=optimizer).value
    now = dict(model.named_parameters())
    seen = {
        "moved": [name for name, was in {**body, **head}.items() if not torch.equal(now[name], was)],
        "hold a gradient": [name for name, p in now.items() if p.grad is not None],
    }
    call = "two steps of training with optimizer.zero_grad() before each"
    check.saw(kata.fine_tune_head, seen, call=call).gives({"moved": HEAD, "hold a gradient": HEAD})
