"""The specification of schedules.py."""

import copy
import math
from collections import OrderedDict

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.optim.lr_scheduler import LambdaLR, StepLR
from torch.utils.data import DataLoader, TensorDataset

from torchkatas.observe import state

# ---- warmup_cosine

EIGHTH = math.sqrt(0.5)  # the cosine of an eighth of a turn


def test_warmup_cosine_on_the_way_up(kata, check):
    """Catches a first factor of 0, in which the first batch is wasted, and a count that starts at 1."""
    rows = [(0, 4, 12), (1, 4, 12), (2, 4, 12), (3, 4, 12), (0, 1, 9), (0, 5, 5), (4, 5, 5), (6, 8, 10)]
    right = [0.25, 0.5, 0.75, 1.0, 1.0, 0.2, 1.0, 0.875]
    check.each(kata.warmup_cosine, rows).gives(right)


def test_warmup_cosine_on_the_way_down(kata, check):
    """Catches a way down that began with step 0, half a formula, and a straight line."""
    rows = [(4, 4, 12), (6, 4, 12), (8, 4, 12), (10, 4, 12), (12, 4, 12), (5, 3, 6), (30, 20, 60), (2, 4, 12)]
    right = [1.0, (1 + EIGHTH) / 2, 0.5, (1 - EIGHTH) / 2, 0.0, 0.25, (1 + EIGHTH) / 2, 0.75]
    check.each(kata.warmup_cosine, rows).gives(right)


def test_warmup_cosine_after_the_last_step(kata, check):
    """Catches a cosine that goes on and rises again."""
    rows = [(12, 4, 12), (13, 4, 12), (16, 4, 12), (20, 4, 12), (100, 4, 12), (7, 2, 6), (3, 1, 2)]
    check.each(kata.warmup_cosine, rows).gives([0.0] * 7)


def divided(function):
    """The function, with one text for a division by zero, for which Python has two, of ints and of floats."""

    def warmup_cosine(step, warmup, total):
        try:
            return function(step, warmup, total)
        except ZeroDivisionError as error:
            error.args = ("division by zero",)
            raise

    return warmup_cosine


def test_warmup_cosine_without_a_way_up_or_down(kata, check):
    """Catches a division by the number of steps of a way that has none."""
    rows = [(0, 0, 4), (1, 0, 4), (2, 0, 4), (4, 0, 4), (0, 0, 1), (1, 0, 1), (5, 5, 5), (9, 5, 5)]
    check.each(divided(kata.warmup_cosine), rows).gives([1.0, (1 + EIGHTH) / 2, 0.5, 0.0, 1.0, 0.0, 0.0, 0.0])


def test_warmup_cosine_is_a_float(kata, check):
    """Catches the int 0, or one that min or max has let through."""

    def kind(step, warmup, total):
        return type(kata.warmup_cosine(step, warmup, total)).__name__

    kind.__name__ = "the type of warmup_cosine"
    rows = [(0, 4, 12), (3, 4, 12), (4, 4, 12), (8, 4, 12), (12, 4, 12), (20, 4, 12)]
    check.each(kind, rows).gives(["float"] * len(rows))


# ---- warmup_cosine_scheduler

FACTORS = [0.25, 0.5, 0.75, 1.0, 1.0, (1 + EIGHTH) / 2, 0.5, (1 - EIGHTH) / 2, 0.0, 0.0]  # warmup 4, total 8


def sgd(rates):
    """An optimizer with a group for each rate, and no gradients."""
    return torch.optim.SGD([{"params": [torch.zeros(2, requires_grad=True)], "lr": rate} for rate in rates], lr=0.75)


def used(optimizer, scheduler, steps):
    """The rate of each group at each step of the optimizer; None where there is no scheduler."""
    rates = []
    for _ in range(steps):
        rates.append([float(group["lr"]) for group in optimizer.param_groups])
        optimizer.step()
        if not hasattr(scheduler, "step"):
            return scheduler
        scheduler.step()
    return rates


@pytest.mark.parametrize("rates", [[0.5], [3.0, 0.125], [1e-3, 40.0, 2.0]], ids=str)
def test_warmup_cosine_scheduler_multiplies_each_rate(kata, check, rates):
    """Catches a rate where a factor is asked, factors that are multiplied with each other, and a skipped first one."""
    optimizer = sgd(rates)
    scheduler = check(kata.warmup_cosine_scheduler, optimizer=optimizer, warmup=4, total=8).value
    right = [[rate * factor for rate in rates] for factor in FACTORS]
    call = f"the rate of each group at steps 0 to 9, warmup=4, total=8, groups with a rate of {rates}"
    seen = used(optimizer, scheduler, len(FACTORS))
    check.saw(kata.warmup_cosine_scheduler, seen, call=call).gives(right, rtol=1e-6, atol=1e-9)


def test_warmup_cosine_scheduler_twice(kata, check):
    """Catches numbers that are kept outside, where the next scheduler changes them."""
    first, second = sgd([2.0]), sgd([2.0])
    schedulers = [
        check(kata.warmup_cosine_scheduler, optimizer=optimizer, warmup=warmup, total=total).value
        for optimizer, warmup, total in ((first, 4, 8), (second, 0, 4))
    ]
    seen = {"warmup=4, total=8": used(first, schedulers[0], 9), "warmup=0, total=4": used(second, schedulers[1], 5)}
    right = {
        "warmup=4, total=8": [[2 * factor] for factor in FACTORS[:9]],
        "warmup=0, total=4": [[2 * factor] for factor in FACTORS[4:9]],
    }
    call = "the rates of two schedulers that were made one after the other, both for a rate of 2.0"
    check.saw(kata.warmup_cosine_scheduler, seen, call=call).gives(right, rtol=1e-6, atol=1e-9)


# ---- train_by_batch and train_by_epoch


FACTORS_OF = {  # after n steps of the scheduler; StepLR computes each rate from the one before
    "rate / (n + 1)": lambda n: 1 / (n + 1),
    "rate * 0.5 ** (n // 2)": lambda n: 0.5 ** (n // 2),
}


class Course:
    """A model, its data, an SGD that is watched, and a scheduler, whose kind says the rate after its n-th step."""

    def __init__(self, rate, size, kind):
        self.X = torch.tensor([[0.5, -1.0], [1.5, 0.25], [-0.75, 1.25], [2.0, 0.5], [-1.0, -1.5]])
        self.y = torch.tensor([[1.0], [-0.5], [0.0], [2.0], [0.75]])
        self.model, self.size, self.rate = nn.Linear(2, 1), size, rate
        with torch.no_grad():
            self.model.weight.copy_(torch.tensor([[0.25, -0.5]]))
            self.model.bias.fill_(0.125)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=rate)
        if kind == "rate / (n + 1)":
            self.scheduler = LambdaLR(self.optimizer, FACTORS_OF[kind])
        else:
            self.scheduler = StepLR(self.optimizer, step_size=2, gamma=0.5)
        self.rates, self.in_train_mode = [], []
        self.optimizer.register_step_pre_hook(lambda *args: self._note())

    def _rate(self):
        return float(self.optimizer.param_groups[0]["lr"])

    def _note(self):
        self.rates.append(self._rate())
        self.in_train_mode.append(self.model.training)

    def run(self, check, function, epochs):
        """What comes back."""
        loader = DataLoader(TensorDataset(self.X, self.y), batch_size=self.size)
        inputs = {"model": self.model, "loss_fn": F.mse_loss, "optimizer": self.optimizer}
        inputs |= {"scheduler": self.scheduler, "loader": loader, "epochs": epochs}
        return check(function, **inputs).value

    def seen(self):
        return {"at each step": self.rates, "left for the next": self._rate()}

    def batches(self, epochs):
        return list(zip(self.X.split(self.size), self.y.split(self.size), strict=True)) * epochs

    def trained(self, rates):
        """The model after plain SGD with these rates, on a copy."""
        model = copy.deepcopy(self.model)
        for (X, y), rate in zip(self.batches(len(rates)), rates, strict=False):
            slopes = torch.autograd.grad(F.mse_loss(model(X), y), list(model.parameters()))
            with torch.no_grad():
                for parameter, slope in zip(model.parameters(), slopes, strict=True):
                    parameter -= rate * slope
        return state(model)


UNITS = (
    {"rate": 0.5, "size": 2, "kind": "rate / (n + 1)"},
    {"rate": 0.75, "size": 5, "kind": "rate / (n + 1)"},
    {"rate": 0.125, "size": 1, "kind": "rate / (n + 1)"},
    {"rate": 0.25, "size": 2, "kind": "rate * 0.5 ** (n // 2)"},
)
COURSES = pytest.mark.parametrize("course", UNITS, ids=["3 batches", "1 batch", "5 batches", "3 batches, recursive"])


def per_batch(rate, size, kind, epochs):
    """The rates of all steps and the one after them, where the scheduler counts batches."""
    return [rate * FACTORS_OF[kind](n) for n in range(epochs * -(-5 // size) + 1)]


def per_epoch(rate, size, kind, epochs):
    """The same where it counts epochs: those of all steps, and the one after them."""
    return [rate * FACTORS_OF[kind](epoch) for epoch in range(epochs) for _ in range(-(-5 // size))] + [
        rate * FACTORS_OF[kind](epochs)
    ]


@COURSES
def test_train_by_batch_uses_each_rate_once(kata, check, course):
    """Catches a scheduler that steps before the optimizer, so that the first rate is skipped, or once an epoch."""
    right = per_batch(**course, epochs=2)
    watched = Course(**course)
    watched.run(check, kata.train_by_batch, epochs=2)
    call = f"the rates in two epochs of 5 examples in batches of {course['size']}; the scheduler gives {course['kind']}"
    wanted = {"at each step": right[:-1], "left for the next": right[-1]}
    check.saw(kata.train_by_batch, watched.seen(), call=call).gives(wanted)


@COURSES
def test_train_by_batch_returns_the_rates(kata, check, course):
    """Catches a rate that was read after the scheduler's step, and the one that get_lr() would make of it."""
    right = per_batch(**course, epochs=2)[:-1]
    watched = Course(**course)
    rates = watched.run(check, kata.train_by_batch, epochs=2)
    call = f"two epochs of 5 examples in batches of {course['size']}; the scheduler gives {course['kind']}"
    seen, wanted = {"returned": rates, "used": watched.rates}, {"returned": right, "used": right}
    check.saw(kata.train_by_batch, seen, call=call).gives(wanted)


@COURSES
def test_train_by_batch_trains(kata, check, course):
    """Catches gradients that add up over batches, steps in which nothing is learned, and eval mode."""
    watched = Course(**course)
    right = watched.trained(per_batch(**course, epochs=2)[:-1])
    watched.run(check, kata.train_by_batch, epochs=2)
    call = f"the model after two epochs of 5 examples in batches of {course['size']}, and its mode at each step"
    seen = {**state(watched.model), "in train mode": watched.in_train_mode}
    right["in train mode"] = [True] * len(watched.batches(2))
    check.saw(kata.train_by_batch, seen, call=call).gives(right)


@COURSES
def test_train_by_epoch_uses_one_rate_an_epoch(kata, check, course):
    """Catches a scheduler that steps after every batch, before the epoch, or never."""
    right = per_epoch(**course, epochs=3)
    watched = Course(**course)
    watched.run(check, kata.train_by_epoch, epochs=3)
    call = f"the rates in three epochs of 5 examples, batches of {course['size']}; the scheduler gives {course['kind']}"
    wanted = {"at each step": right[:-1], "left for the next": right[-1]}
    check.saw(kata.train_by_epoch, watched.seen(), call=call).gives(wanted)


@COURSES
def test_train_by_epoch_returns_the_rates(kata, check, course):
    """Catches a rate that was read after the scheduler's step, a rate for each batch, and what get_lr() gives."""
    right = [course["rate"] * FACTORS_OF[course["kind"]](epoch) for epoch in range(3)]
    watched = Course(**course)
    rates = watched.run(check, kata.train_by_epoch, epochs=3)
    call = f"three epochs of 5 examples in batches of {course['size']}; the scheduler gives {course['kind']}"
    seen, wanted = (
        {"returned": rates, "used": watched.rates},
        {"returned": right, "used": per_epoch(**course, epochs=3)[:-1]},
    )
    check.saw(kata.train_by_epoch, seen, call=call).gives(wanted)


@COURSES
def test_train_by_epoch_trains(kata, check, course):
    """Catches gradients that add up over batches, one step for a whole epoch, and eval mode."""
    watched = Course(**course)
    right = watched.trained(per_epoch(**course, epochs=3)[:-1])
    watched.run(check, kata.train_by_epoch, epochs=3)
    call = f"the model after three epochs of 5 examples in batches of {course['size']}, and its mode at each step"
    seen = {**state(watched.model), "in train mode": watched.in_train_mode}
    right["in train mode"] = [True] * len(watched.batches(3))
    check.saw(kata.train_by_epoch, seen, call=call).gives(right)


# ---- snapshot


def normed(width=3):
    """A line and a batch norm: parameters of two shapes, buffers of floats, and one of an int."""
    model = nn.Sequential(OrderedDict(line=nn.Linear(2, width), norm=nn.BatchNorm1d(width)))
    generator = torch.Generator().manual_seed(3)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator))
    return model


def go_on(model):
    """What an epoch does to a model: the parameters and the running statistics move, in place."""
    with torch.no_grad():
        for i, parameter in enumerate(model.parameters()):
            parameter.add_(0.5 + i)
        model.norm(model.line(torch.tensor([[0.5, -1.0], [2.0, 0.25], [-1.5, 3.0]])))


def test_snapshot_stays(kata, check):
    """Catches the state dict itself, whose tensors are the model's own, and buffers that are left out."""
    model, found, right = normed(width=1), {}, {"left out": []}
    for when in ("first", "second"):
        go_on(model)
        right[when] = state(model)
        found[when] = check(kata.snapshot, model=model).value
    go_on(model)
    seen = found["first"]
    if isinstance(seen, dict):
        seen = {"left out": [name for name in right["first"] if name not in seen], "first": dict(seen)}
        seen["second"] = found["second"] and dict(found["second"])
    call = "two snapshots of a model that was trained on after each, looked at in the end"
    check.saw(kata.snapshot, seen, call=call).gives(right, exact=True, graph=False)


def test_snapshot_leaves_the_model(kata, check):
    """Catches a parameter that was cut off from its gradients in the model, not in the copy."""
    model = normed(width=1)
    before, right = list(model.parameters()), {"requires_grad": [True] * 4, "same parameters": [True] * 4}
    right |= state(model)
    check(kata.snapshot, model=model).value  # noqa: B018
    seen = {
        "requires_grad": [p.requires_grad for p in model.parameters()],
        "same parameters": [p is q for p, q in zip(model.parameters(), before, strict=True)],
    }
    check.saw(kata.snapshot, seen | state(model), call="the model after it").gives(right, exact=True)


# ---- early_stopping

NAN = math.nan
COURSES_OF_LOSS = {  # the losses, patience, max_epochs, the number of epochs to run, and the best of them
    "a miss between": ([5.0, 6.0, 4.0, 5.0, 3.0, 4.0, 4.5, 1.0], 2, 15, 7, 5),
    "worse twice": ([5.0, 4.0, 3.0, 4.0, 5.0, 2.0], 2, 10, 5, 3),
    "better than the last, not than the best": ([3.0, 6.0, 5.0, 4.0, 1.0], 3, 10, 4, 1),
    "equals": ([4.0, 3.0, 3.0, 3.0, 1.0], 2, 10, 4, 2),
    "worse once, patience 1": ([2.0, 3.0, 1.0], 1, 10, 2, 1),
    "out of epochs": ([5.0, 3.0, 4.0, 1.0], 5, 3, 3, 2),
    "out of epochs at the best": ([5.0, 4.0, 3.0, 2.0], 1, 3, 3, 3),
    "negative": ([-1.0, -2.0, -1.5, -1.0, -9.0], 2, 10, 4, 2),
    "NaN in between": ([5.0, NAN, 4.0, NAN, NAN, 1.0], 2, 10, 5, 3),
    "NaN, then worse": ([5.0, 3.0, NAN, 4.0, 5.0, 1.0], 2, 15, 4, 2),
    "better by very little": ([4.0, 3.0, 3.0 - 1e-9, 4.0, 5.0, 1.0], 2, 15, 5, 3),
    "NaN first": ([NAN, -4.0, -5.0, -3.0, -2.0, -9.0], 2, 10, 5, 3),
}


class Lab:
    """A model whose epochs change it in place, with given validation losses, and what was called on the way."""

    def __init__(self, losses, frozen_norm=False):
        self.model, self.losses, self.frozen_norm = normed(), losses, frozen_norm
        self.calls, self.states = [], [state(self.model)]

    def train_epoch(self):
        self.calls.append("train")
        self.model.train()
        if self.frozen_norm:
            self.model.norm.eval()
        go_on(self.model)
        self.states.append(state(self.model))

    def validate(self):
        self.calls.append("validate")
        self.model.eval()
        epoch = len(self.states) - 1
        return self.losses[epoch - 1] if 0 < epoch <= len(self.losses) else 99.0

    def run(self, kata, check, patience, max_epochs):
        inputs = {"model": self.model, "train_epoch": self.train_epoch, "validate": self.validate}
        return check(kata.early_stopping, **inputs, patience=patience, max_epochs=max_epochs).value

    def epoch_of(self, names):
        """The epoch whose values these are, to the bit; 0 is before the first."""
        now = state(self.model)
        same = [all(torch.equal(now[name], then[name]) for name in names) for then in self.states]
        return same.index(True) if True in same else "none"

    def seen(self):
        return {
            "epochs": self.calls.count("train"),
            "parameters of epoch": self.epoch_of([name for name, _ in self.model.named_parameters()]),
            "buffers of epoch": self.epoch_of([name for name, _ in self.model.named_buffers()]),
        }


def test_early_stopping_however_it_ends(kata, check):
    """Catches the best put back only where patience ran out."""
    seen, losses = {}, [5.0, 3.0, 4.0, 6.0, 1.0]
    for end, max_epochs in (("out of patience", 9), ("out of epochs", 3)):
        lab = Lab(losses)
        lab.run(kata, check, 2, max_epochs)
        seen[end] = lab.seen()
    right = {
        "out of patience": {"epochs": 4, "parameters of epoch": 2, "buffers of epoch": 2},
        "out of epochs": {"epochs": 3, "parameters of epoch": 2, "buffers of epoch": 2},
    }
    call = f"validation losses {losses}, patience=2, max_epochs=9, and then 3"
    check.saw(kata.early_stopping, seen, call=call).gives(right)


@pytest.mark.parametrize("name", COURSES_OF_LOSS)
def test_early_stopping_ends_at_its_best(kata, check, name):
    """Catches the last weights in place of the best, a state dict that lives on, and patience counted wrong."""
    losses, patience, max_epochs, epochs, best = COURSES_OF_LOSS[name]
    lab = Lab(losses)
    lab.run(kata, check, patience, max_epochs)
    right = {"epochs": epochs, "parameters of epoch": best, "buffers of epoch": best}
    call = f"validation losses {losses}, patience={patience}, max_epochs={max_epochs}"
    check.saw(kata.early_stopping, lab.seen(), call=call).gives(right)


@pytest.mark.parametrize("name", COURSES_OF_LOSS)
def test_early_stopping_returns_the_losses(kata, check, name):
    """Catches the best loss alone, and losses after which nothing improved that are left out."""
    losses, patience, max_epochs, epochs, _ = COURSES_OF_LOSS[name]
    lab = Lab(losses)
    seen = lab.run(kata, check, patience, max_epochs)
    call = f"what came back, validation losses {losses}, patience={patience}, max_epochs={max_epochs}"
    check.saw(kata.early_stopping, seen, call=call).gives(losses[:epochs], exact=True)


def test_early_stopping_validates_after_training(kata, check):
    """Catches a validation before the first epoch, one twice in an epoch, and one left out."""
    lab = Lab([5.0, 3.0, 4.0, 6.0, 1.0])
    lab.run(kata, check, 2, 10)
    call = "the calls, validation losses 5, 3, 4, 6, patience=2, max_epochs=10"
    check.saw(kata.early_stopping, lab.calls, call=call).gives(["train", "validate"] * 4)


def test_early_stopping_keeps_the_parameters(kata, check):
    """Catches new parameters put in place of the old ones, which an optimizer would go on to train."""
    lab = Lab([5.0, 3.0, 4.0])
    before = dict(lab.model.named_parameters())
    lab.run(kata, check, 1, 10)
    seen = {name: p is before[name] and p.requires_grad for name, p in lab.model.named_parameters()}
    call = "whether each parameter is the same object as before and still requires a gradient"
    check.saw(kata.early_stopping, seen, call=call).gives(dict.fromkeys(before, True))


def mode(module):
    return "train" if module.training else "eval"


def test_early_stopping_leaves_the_modes(kata, check):
    """Catches the eval mode that validation leaves, and one mode for all where a norm was frozen."""
    seen, right = {}, {}
    for found in ("train", "eval", "train, but the norm eval"):
        lab = Lab([5.0, 3.0, 4.0], frozen_norm="norm" in found)
        lab.model.train(found != "eval")
        lab.model.norm.train(found == "train")
        named = {"model": lab.model, "line": lab.model.line, "norm": lab.model.norm}
        right[found] = {name: mode(module) for name, module in named.items()}
        lab.run(kata, check, 1, 10)
        seen[found] = {name: mode(module) for name, module in named.items()}
    call = "the modes after it, where the model was found in train mode, in eval mode, and in train but for its norm"
    check.saw(kata.early_stopping, seen, call=call).gives(right)
