"""Wrong answers to katas/06_training/schedules.py."""

import copy
import math

import torch
from torch.optim.lr_scheduler import CosineAnnealingLR, LambdaLR, MultiplicativeLR

from torchkatas.bank import wrong

# ---- warmup_cosine


def half_cosine(part):
    return (1 + math.cos(math.pi * part)) / 2


@wrong(
    "warmup-starts-at-zero",
    replaces="warmup_cosine",
    says="The way up starts at 0, and each of its steps is one late: with a factor of 0 the first batch trains "
    "nothing. Step 0 is the first of the way up already, with the factor 1/warmup.",
)
def starts_at_zero(step, warmup, total):
    if step < warmup:
        return step / warmup
    return 0.0 if step >= total else half_cosine((step - warmup) / (total - warmup))


@wrong(
    "warmup-never-arrives",
    replaces="warmup_cosine",
    says="The way up is cut into warmup + 1 parts and has not reached 1 at step warmup - 1: its parts are 1/warmup.",
)
def never_arrives(step, warmup, total):
    if step < warmup:
        return (step + 1) / (warmup + 1)
    return 0.0 if step >= total else half_cosine((step - warmup) / (total - warmup))


@wrong(
    "warmup-whole-numbers",
    replaces="warmup_cosine",
    says="The way up is 0 until its last step: // divides whole numbers and drops the rest. / gives the fraction.",
)
def whole_numbers(step, warmup, total):
    if step < warmup:
        return (step + 1) // warmup
    return 0.0 if step >= total else half_cosine((step - warmup) / (total - warmup))


@wrong(
    "warmup-missing",
    replaces="warmup_cosine",
    says="There is no way up: the factor falls along the cosine from step 0 on.",
)
def no_way_up(step, warmup, total):
    return 0.0 if step >= total else half_cosine(step / total)


@wrong(
    "cosine-counts-the-warmup",
    replaces="warmup_cosine",
    says="The way down is measured from step 0, so that the factor drops at once when warm-up ends. Its beginning is "
    "step warmup, and its length total - warmup.",
)
def counts_the_warmup(step, warmup, total):
    if step < warmup:
        return (step + 1) / warmup
    return 0.0 if step >= total else half_cosine(step / total)


@wrong(
    "cosine-ends-late",
    replaces="warmup_cosine",
    says="The way down begins at step warmup, but it was given total steps, and so it has not come to 0 at step total. "
    "Only total - warmup steps are left for it.",
)
def ends_late(step, warmup, total):
    if step < warmup:
        return (step + 1) / warmup
    return 0.0 if step >= total else half_cosine((step - warmup) / total)


@wrong(
    "cosine-rises-again",
    replaces="warmup_cosine",
    says="After step total the factor rises again, as a cosine does behind its trough. It is to stay 0 from there on.",
)
def rises_again(step, warmup, total):
    if step < warmup:
        return (step + 1) / warmup
    return half_cosine((step - warmup) / (total - warmup) if total > warmup else 1.0 if step <= total else 2.0)


@wrong(
    "cosine-below-zero",
    replaces="warmup_cosine",
    says="That is the cosine itself, from 1 to -1: a negative factor would train uphill. Moved up by 1 and halved it "
    "runs from 1 to 0.",
)
def below_zero(step, warmup, total):
    if step < warmup:
        return (step + 1) / warmup
    return 0.0 if step >= total else math.cos(math.pi * (step - warmup) / (total - warmup))


@wrong(
    "cosine-of-a-quarter",
    replaces="warmup_cosine",
    says="That is a quarter of the cosine's wave, from crest to zero: it falls ever faster and ends with a kink. From "
    "crest to trough is half a wave, π, then moved and scaled.",
)
def of_a_quarter(step, warmup, total):
    if step < warmup:
        return (step + 1) / warmup
    return 0.0 if step >= total else math.cos(math.pi / 2 * (step - warmup) / (total - warmup))


@wrong(
    "cosine-in-degrees",
    replaces="warmup_cosine",
    says="The angle went into the cosine in degrees, which takes radians: half a turn is π, not 180.",
)
def in_degrees(step, warmup, total):
    if step < warmup:
        return (step + 1) / warmup
    return 0.0 if step >= total else (1 + math.cos(180 * (step - warmup) / (total - warmup))) / 2


@wrong(
    "cosine-made-straight",
    replaces="warmup_cosine",
    says="The way down is a straight line, not half a cosine, which is slow at both ends.",
)
def made_straight(step, warmup, total):
    if step < warmup:
        return (step + 1) / warmup
    return 0.0 if step >= total else 1 - (step - warmup) / (total - warmup)


@wrong(
    "cosine-as-tensor",
    replaces="warmup_cosine",
    says="The factor came back as a tensor, and the learning rate would become one with it. math.cos takes and gives "
    "Python floats.",
)
def as_tensor(step, warmup, total):
    if step < warmup:
        return (step + 1) / warmup
    if step >= total:
        return torch.tensor(0.0)
    return (1 + torch.cos(torch.tensor(math.pi * (step - warmup) / (total - warmup)))) / 2


@wrong(
    "warmup-divides-by-none",
    replaces="warmup_cosine",
    says="Without warm-up, warmup=0, its length is divided by all the same. Ask first on which way the step is, and "
    "compute that way alone.",
)
def divides_by_none(step, warmup, total):
    up = (step + 1) / warmup
    return 0.0 if step >= total else up if step < warmup else half_cosine((step - warmup) / (total - warmup))


@wrong(
    "cosine-divides-by-none",
    replaces="warmup_cosine",
    says="Where warm-up takes all steps, total - warmup is 0, and it is divided by all the same. From step total on "
    "the factor is 0: ask that first.",
)
def cosine_divides_by_none(step, warmup, total):
    if step < warmup:
        return (step + 1) / warmup
    return half_cosine(min(1.0, (step - warmup) / (total - warmup)))


@wrong(
    "cosine-ends-in-an-int",
    replaces="warmup_cosine",
    says="Where the factor is 0 an int came back, and a Python float is asked at every step: 0 is an int, and so is "
    "what max(0, -0.1) gives; 0.0 is a float.",
)
def ends_in_an_int(step, warmup, total):
    if step < warmup:
        return (step + 1) / warmup
    return 0 if step >= total else half_cosine((step - warmup) / (total - warmup))


@wrong(
    "warmup-one-step-too-long",
    replaces="warmup_cosine",
    says="Step warmup was still taken for one of the way up, whose factor is then more than 1, or 1/0 without warm-up. "
    "The way up has the steps 0 to warmup - 1, which are warmup many: step < warmup.",
)
def one_step_too_long(step, warmup, total):
    if step <= warmup:
        return (step + 1) / warmup
    return 0.0 if step >= total else half_cosine((step - warmup) / (total - warmup))


@wrong(
    "cosine-divides-by-none-at-the-end",
    replaces="warmup_cosine",
    says="At step total the way down was still computed. Where warm-up takes all steps its length, total - warmup, is "
    "0 there, and a division by 0 is an error: from step total on, itself included, the factor is 0.",
)
def divides_by_none_at_the_end(step, warmup, total):
    if step < warmup:
        return (step + 1) / warmup
    return 0.0 if step > total else half_cosine((step - warmup) / (total - warmup))


# ---- warmup_cosine_scheduler


@wrong(
    "schedule-of-rates",
    replaces="warmup_cosine_scheduler",
    says="The learning rate came in twice: the function gave rates, and LambdaLR multiplies the group's own rate by "
    "what it gives. It asks for a factor, 1.0 for the rate as it is.",
)
def of_rates(optimizer, warmup, total):
    rates = [group["lr"] for group in optimizer.param_groups]
    return LambdaLR(optimizer, [lambda step, rate=rate: rate * warmup_cosine(step, warmup, total) for rate in rates])  # noqa: F821


@wrong(
    "schedule-multiplies-factors",
    replaces="warmup_cosine_scheduler",
    says="The factors were multiplied with each other: this scheduler changes the current rate, which has all earlier "
    "factors in it. LambdaLR multiplies the first rate each time.",
)
def multiplies_factors(optimizer, warmup, total):
    return MultiplicativeLR(optimizer, lambda step: warmup_cosine(step, warmup, total))  # noqa: F821


@wrong(
    "schedule-one-ahead",
    replaces="warmup_cosine_scheduler",
    says="Every factor comes one step early, and the first is skipped: LambdaLR's count is 0 at the first step of the "
    "optimizer already. Add nothing to it, and leave step() to the caller.",
)
def one_ahead(optimizer, warmup, total):
    return LambdaLR(optimizer, lambda step: warmup_cosine(step + 1, warmup, total))  # noqa: F821


@wrong(
    "schedule-starts-high",
    replaces="warmup_cosine_scheduler",
    says="The first step is taken with the full rate, and each factor comes one step late: LambdaLR's count is 0 at "
    "the first step of the optimizer, not 1.",
)
def starts_high(optimizer, warmup, total):
    return LambdaLR(optimizer, lambda step: warmup_cosine(step - 1, warmup, total) if step else 1.0)  # noqa: F821


@wrong(
    "schedule-called-at-once",
    replaces="warmup_cosine_scheduler",
    says="A number was handed to LambdaLR, which calls what it is given at every step. Hand in a function of the step: "
    "the factor itself is not known yet.",
)
def called_at_once(optimizer, warmup, total):
    return LambdaLR(optimizer, warmup_cosine(0, warmup, total))  # noqa: F821


@wrong(
    "schedule-stands-still",
    replaces="warmup_cosine_scheduler",
    says="The rate never changes: the factor was computed once, when the scheduler was made. It is to be computed anew "
    "from the step that LambdaLR hands in.",
)
def stands_still(optimizer, warmup, total):
    factor = warmup_cosine(0, warmup, total)  # noqa: F821
    return LambdaLR(optimizer, lambda step: factor)


@wrong(
    "schedule-of-one-group",
    replaces="warmup_cosine_scheduler",
    says="Only the first parameter group follows the schedule. One function is meant for all groups; a list needs one "
    "for each of them.",
)
def of_one_group(optimizer, warmup, total):
    still = [lambda step: 1.0 for _ in optimizer.param_groups[1:]]
    return LambdaLR(optimizer, [lambda step: warmup_cosine(step, warmup, total), *still])  # noqa: F821


@wrong(
    "schedule-one-rate-for-all",
    replaces="warmup_cosine_scheduler",
    says="All groups ended up with the rate of the first. Each has its own, and only the factor is the same.",
)
def one_rate_for_all(optimizer, warmup, total):
    for group in optimizer.param_groups:
        group["lr"] = optimizer.param_groups[0]["lr"]
    return LambdaLR(optimizer, lambda step: warmup_cosine(step, warmup, total))  # noqa: F821


@wrong(
    "schedule-without-warmup",
    replaces="warmup_cosine_scheduler",
    says="The rate falls along a cosine from step 0 on: there is no way up.",
)
def without_warmup(optimizer, warmup, total):
    return CosineAnnealingLR(optimizer, T_max=total)


@wrong(
    "schedule-of-the-current-rate",
    replaces="warmup_cosine_scheduler",
    says="The function gave rates, made of the optimizer's current one, and LambdaLR multiplies the group's own rate "
    "by what it gives: each rate has all earlier ones in it. It asks for a factor, 1.0 for the rate as it is.",
)
def of_the_current_rate(optimizer, warmup, total):
    return LambdaLR(optimizer, lambda step: optimizer.param_groups[0]["lr"] * warmup_cosine(step, warmup, total))  # noqa: F821


@wrong(
    "schedule-of-the-default-rate",
    replaces="warmup_cosine_scheduler",
    says="The function gave rates, made of the rate by which the optimizer was made, and LambdaLR multiplies each "
    "group's own rate by what it gives. It asks for a factor, 1.0 for the rate as it is.",
)
def of_the_default_rate(optimizer, warmup, total):
    return LambdaLR(optimizer, lambda step: optimizer.defaults["lr"] * warmup_cosine(step, warmup, total))  # noqa: F821


@wrong(
    "schedule-of-the-first-groups-rate",
    replaces="warmup_cosine_scheduler",
    says="The function gave rates, made of that of the first group, and LambdaLR multiplies each group's own rate by "
    "what it gives. It asks for a factor, 1.0 for the rate as it is.",
)
def of_the_first_groups_rate(optimizer, warmup, total):
    rate = optimizer.param_groups[0]["lr"]
    return LambdaLR(optimizer, lambda step: rate * warmup_cosine(step, warmup, total))  # noqa: F821


@wrong(
    "schedule-of-the-bare-function",
    replaces="warmup_cosine_scheduler",
    says="LambdaLR calls what it is given with one argument, the step; warmup_cosine wants warmup and total too. Hand "
    "in a function of the step alone, a lambda that knows the other two.",
)
def of_the_bare_function(optimizer, warmup, total):
    return LambdaLR(optimizer, warmup_cosine)  # noqa: F821


# ---- train_by_batch


def learn(model, loss_fn, optimizer, X, y):
    """The gradient of one batch."""
    optimizer.zero_grad()
    loss_fn(model(X), y).backward()


def rate_of(optimizer):
    return optimizer.param_groups[0]["lr"]


@wrong(
    "r16-sched-before-opt",
    replaces="train_by_batch",
    says="The scheduler stepped before the optimizer: the first rate was never used, and each later one came a step "
    "too early. optimizer.step() first, then scheduler.step().",
)
def before_the_optimizer(model, loss_fn, optimizer, scheduler, loader, epochs):
    rates = []
    for _ in range(epochs):
        for X, y in loader:
            learn(model, loss_fn, optimizer, X, y)
            scheduler.step()
            rates.append(rate_of(optimizer))
            optimizer.step()
    return rates


@wrong(
    "sched-batch-once-an-epoch",
    replaces="train_by_batch",
    says="The rate changes once an epoch, but this scheduler counts batches: its step() belongs into the inner loop, "
    "after each optimizer.step(). Warm-up over 500 steps would take 500 epochs.",
)
def once_an_epoch(model, loss_fn, optimizer, scheduler, loader, epochs):
    rates = []
    for _ in range(epochs):
        for X, y in loader:
            learn(model, loss_fn, optimizer, X, y)
            rates.append(rate_of(optimizer))
            optimizer.step()
        scheduler.step()
    return rates


@wrong(
    "sched-batch-and-epoch",
    replaces="train_by_batch",
    says="At the end of each epoch a rate is skipped: the scheduler stepped after the last batch and once more after "
    "the epoch. It counts batches; one step for each is all.",
)
def batch_and_epoch(model, loss_fn, optimizer, scheduler, loader, epochs):
    rates = []
    for _ in range(epochs):
        for X, y in loader:
            learn(model, loss_fn, optimizer, X, y)
            rates.append(rate_of(optimizer))
            optimizer.step()
            scheduler.step()
        scheduler.step()
    return rates


@wrong(
    "sched-batch-never",
    replaces="train_by_batch",
    says="The rate never changes: making a scheduler ties it to the optimizer, but only its step() moves the rate.",
)
def never_stepped(model, loss_fn, optimizer, scheduler, loader, epochs):
    rates = []
    for _ in range(epochs):
        for X, y in loader:
            learn(model, loss_fn, optimizer, X, y)
            rates.append(rate_of(optimizer))
            optimizer.step()
    return rates


@wrong(
    "sched-batch-by-number",
    replaces="train_by_batch",
    says="The scheduler was told the number of the batch that has just been trained, and so the first rate is used "
    "twice, and every epoch starts over. step() takes no argument: it keeps the count itself.",
)
def by_number(model, loss_fn, optimizer, scheduler, loader, epochs):
    rates = []
    for _ in range(epochs):
        for i, (X, y) in enumerate(loader):
            learn(model, loss_fn, optimizer, X, y)
            rates.append(rate_of(optimizer))
            optimizer.step()
            scheduler.step(i)
    return rates


@wrong(
    "sched-batch-without-optimizer",
    replaces="train_by_batch",
    says="The optimizer never stepped: scheduler.step() sets the rate for a step, it does not take one.",
)
def without_optimizer(model, loss_fn, optimizer, scheduler, loader, epochs):
    rates = []
    for _ in range(epochs):
        for X, y in loader:
            learn(model, loss_fn, optimizer, X, y)
            rates.append(rate_of(optimizer))
            scheduler.step()
    return rates


@wrong(
    "sched-batch-read-late",
    replaces="train_by_batch",
    says="The rates that came back are one step ahead: each was read after scheduler.step(), when it is that of the "
    "next batch already. Read it before.",
)
def read_late(model, loss_fn, optimizer, scheduler, loader, epochs):
    rates = []
    for _ in range(epochs):
        for X, y in loader:
            learn(model, loss_fn, optimizer, X, y)
            optimizer.step()
            scheduler.step()
            rates.append(scheduler.get_last_lr()[0])
    return rates


@wrong(
    "sched-batch-first-rate-told",
    replaces="train_by_batch",
    says="The rate that came back is the first for every step: the base rate does not change. What the scheduler sets "
    "is optimizer.param_groups[0]['lr'].",
)
def first_rate_told(model, loss_fn, optimizer, scheduler, loader, epochs):
    rates = []
    for _ in range(epochs):
        for X, y in loader:
            learn(model, loss_fn, optimizer, X, y)
            rates.append(scheduler.base_lrs[0])
            optimizer.step()
            scheduler.step()
    return rates


@wrong(
    "sched-batch-all-groups-told",
    replaces="train_by_batch",
    says="Lists came back in place of numbers: get_last_lr() gives a list with the rate of each parameter group. There "
    "is one group here: take its first entry.",
)
def all_groups_told(model, loss_fn, optimizer, scheduler, loader, epochs):
    rates = []
    for _ in range(epochs):
        for X, y in loader:
            learn(model, loss_fn, optimizer, X, y)
            rates.append(scheduler.get_last_lr())
            optimizer.step()
            scheduler.step()
    return rates


@wrong(
    "sched-batch-gradients-add-up",
    replaces="train_by_batch",
    says="The rates are right, but the gradients of earlier batches are in every step: .grad was not cleared "
    "between batches.",
)
def gradients_add_up(model, loss_fn, optimizer, scheduler, loader, epochs):
    rates = []
    for _ in range(epochs):
        for X, y in loader:
            loss_fn(model(X), y).backward()
            rates.append(rate_of(optimizer))
            optimizer.step()
            scheduler.step()
    return rates


@wrong(
    "sched-batch-get-lr",
    replaces="train_by_batch",
    says="Some rates that came back were never used: get_lr() is what step() asks for a new rate, which many schedules "
    "make out of the current one, and so its factor counts twice. get_last_lr() gives the rate that is set.",
)
def told_by_get_lr(model, loss_fn, optimizer, scheduler, loader, epochs):
    rates = []
    for _ in range(epochs):
        for X, y in loader:
            learn(model, loss_fn, optimizer, X, y)
            rates.append(scheduler.get_lr()[0])
            optimizer.step()
            scheduler.step()
    return rates


@wrong(
    "sched-batch-not-after-the-last",
    replaces="train_by_batch",
    says="The scheduler did not step after the last batch of all. Whoever goes on training, or resumes from a "
    "checkpoint, would use the last rate once more.",
)
def not_after_the_last_batch(model, loss_fn, optimizer, scheduler, loader, epochs):
    rates = []
    for _ in range(epochs):
        for X, y in loader:
            if rates:
                scheduler.step()
            learn(model, loss_fn, optimizer, X, y)
            rates.append(rate_of(optimizer))
            optimizer.step()
    return rates


@wrong(
    "sched-batch-not-at-the-end-of-an-epoch",
    replaces="train_by_batch",
    says="The scheduler did not step after the last batch of each epoch, so that its rate is used once more for the "
    "first of the next. It steps after every batch.",
)
def not_at_the_end_of_an_epoch(model, loss_fn, optimizer, scheduler, loader, epochs):
    rates = []
    for _ in range(epochs):
        for i, (X, y) in enumerate(loader):
            if i:
                scheduler.step()
            learn(model, loss_fn, optimizer, X, y)
            rates.append(rate_of(optimizer))
            optimizer.step()
    return rates


@wrong(
    "sched-batch-in-eval-mode",
    replaces="train_by_batch",
    says="The rates are right, but the model was trained in eval mode: something called model.eval(). It came in train "
    "mode and is to stay in it.",
)
def batch_in_eval_mode(model, loss_fn, optimizer, scheduler, loader, epochs):
    rates = []
    model.eval()
    for _ in range(epochs):
        for X, y in loader:
            learn(model, loss_fn, optimizer, X, y)
            rates.append(rate_of(optimizer))
            optimizer.step()
            scheduler.step()
    return rates


@wrong(
    "sched-batch-without-a-graph",
    replaces="train_by_batch",
    says="The loss has no graph, and backward() nowhere to go: the forward pass ran under no_grad, which is for "
    "evaluation, or a detach() has cut it off.",
)
def batch_without_a_graph(model, loss_fn, optimizer, scheduler, loader, epochs):
    for X, y in loader:
        loss_fn(model(X).detach(), y).backward()


@wrong(
    "sched-batch-clears-before-the-step",
    replaces="train_by_batch",
    says="The rates are right, but no step changed the model: the gradients were cleared between backward() and "
    "step(), or the step came while there were none.",
)
def batch_clears_before_the_step(model, loss_fn, optimizer, scheduler, loader, epochs):
    rates = []
    for _ in range(epochs):
        for X, y in loader:
            loss_fn(model(X), y).backward()
            optimizer.zero_grad()
            rates.append(rate_of(optimizer))
            optimizer.step()
            scheduler.step()
    return rates


@wrong(
    "sched-batch-clears-between-in-the-first-batch",
    replaces="train_by_batch",
    says="In the first batch of each epoch the gradients were cleared between backward() and step(), whose step finds "
    "none, and after it no more, so that those of the others add up.",
)
def batch_clears_between_in_the_first_batch(model, loss_fn, optimizer, scheduler, loader, epochs):
    rates = []
    for _ in range(epochs):
        for i, (X, y) in enumerate(loader):
            loss_fn(model(X), y).backward()
            if i == 0:
                optimizer.zero_grad()
            rates.append(rate_of(optimizer))
            optimizer.step()
            scheduler.step()
    return rates


@wrong(
    "sched-batch-clears-once-an-epoch",
    replaces="train_by_batch",
    says="The rates are right, but the gradients were cleared once in each epoch: all but its first step follow those "
    "of several batches. Clear them once for every step.",
)
def batch_clears_once_an_epoch(model, loss_fn, optimizer, scheduler, loader, epochs):
    rates = []
    for _ in range(epochs):
        optimizer.zero_grad()
        for X, y in loader:
            loss_fn(model(X), y).backward()
            rates.append(rate_of(optimizer))
            optimizer.step()
            scheduler.step()
    return rates


# ---- train_by_epoch


@wrong(
    "sched-epoch-get-lr",
    replaces="train_by_epoch",
    says="Some rates that came back were never used: get_lr() is what step() asks for a new rate, which many schedules "
    "make out of the current one, and so its factor counts twice. get_last_lr() gives the rate that is set.",
)
def epoch_told_by_get_lr(model, loss_fn, optimizer, scheduler, loader, epochs):
    rates = []
    for _ in range(epochs):
        rates.append(scheduler.get_lr()[0])
        for X, y in loader:
            learn(model, loss_fn, optimizer, X, y)
            optimizer.step()
        scheduler.step()
    return rates


@wrong(
    "sched-epoch-all-groups-told",
    replaces="train_by_epoch",
    says="Lists came back in place of numbers: get_last_lr() gives a list with the rate of each parameter group. There "
    "is one group here: take its first entry.",
)
def epoch_all_groups_told(model, loss_fn, optimizer, scheduler, loader, epochs):
    rates = []
    for _ in range(epochs):
        rates.append(scheduler.get_last_lr())
        for X, y in loader:
            learn(model, loss_fn, optimizer, X, y)
            optimizer.step()
        scheduler.step()
    return rates


@wrong(
    "sched-epoch-first-rate-told",
    replaces="train_by_epoch",
    says="The rate that came back is the first for every epoch: the base rate does not change. What the scheduler sets "
    "is optimizer.param_groups[0]['lr'].",
)
def epoch_first_rate_told(model, loss_fn, optimizer, scheduler, loader, epochs):
    rates = []
    for _ in range(epochs):
        rates.append(scheduler.base_lrs[0])
        for X, y in loader:
            learn(model, loss_fn, optimizer, X, y)
            optimizer.step()
        scheduler.step()
    return rates


@wrong(
    "sched-epoch-in-eval-mode",
    replaces="train_by_epoch",
    says="The rates are right, but the model was trained in eval mode: something called model.eval(). It came in train "
    "mode and is to stay in it.",
)
def epoch_in_eval_mode(model, loss_fn, optimizer, scheduler, loader, epochs):
    rates = []
    model.eval()
    for _ in range(epochs):
        rates.append(rate_of(optimizer))
        for X, y in loader:
            learn(model, loss_fn, optimizer, X, y)
            optimizer.step()
        scheduler.step()
    return rates


@wrong(
    "sched-epoch-without-a-graph",
    replaces="train_by_epoch",
    says="The loss has no graph, and backward() nowhere to go: the forward pass ran under no_grad, which is for "
    "evaluation, or a detach() has cut it off.",
)
def epoch_without_a_graph(model, loss_fn, optimizer, scheduler, loader, epochs):
    for X, y in loader:
        loss_fn(model(X).detach(), y).backward()


@wrong(
    "r17-sched-per-batch",
    replaces="train_by_epoch",
    says="The rate changes after every batch, but this scheduler counts epochs: its step() belongs behind the inner "
    "loop. A decay meant for a hundred epochs is over within the first one.",
)
def after_every_batch(model, loss_fn, optimizer, scheduler, loader, epochs):
    rates = []
    for _ in range(epochs):
        rates.append(rate_of(optimizer))
        for X, y in loader:
            learn(model, loss_fn, optimizer, X, y)
            optimizer.step()
            scheduler.step()
    return rates


@wrong(
    "sched-epoch-first",
    replaces="train_by_epoch",
    says="The scheduler stepped before the batches of each epoch: the first rate was never used, and each later one "
    "came an epoch too early. First the epoch, then scheduler.step().",
)
def epoch_first(model, loss_fn, optimizer, scheduler, loader, epochs):
    rates = []
    for _ in range(epochs):
        scheduler.step()
        rates.append(rate_of(optimizer))
        for X, y in loader:
            learn(model, loss_fn, optimizer, X, y)
            optimizer.step()
    return rates


@wrong(
    "sched-epoch-twice",
    replaces="train_by_epoch",
    says="Each epoch skips a rate: the scheduler stepped twice in it. Once is all it takes.",
)
def epoch_twice(model, loss_fn, optimizer, scheduler, loader, epochs):
    rates = []
    for _ in range(epochs):
        rates.append(rate_of(optimizer))
        for X, y in loader:
            learn(model, loss_fn, optimizer, X, y)
            optimizer.step()
        scheduler.step()
        scheduler.step()
    return rates


@wrong(
    "sched-epoch-never",
    replaces="train_by_epoch",
    says="The rate never changes: only the scheduler's step() moves it, once after each epoch.",
)
def epoch_never(model, loss_fn, optimizer, scheduler, loader, epochs):
    rates = []
    for _ in range(epochs):
        rates.append(rate_of(optimizer))
        for X, y in loader:
            learn(model, loss_fn, optimizer, X, y)
            optimizer.step()
    return rates


@wrong(
    "sched-epoch-not-after-the-last",
    replaces="train_by_epoch",
    says="The scheduler did not step after the last epoch. Whoever goes on training, or resumes from a checkpoint, "
    "would use the last rate once more.",
)
def not_after_the_last(model, loss_fn, optimizer, scheduler, loader, epochs):
    rates = []
    for epoch in range(epochs):
        if epoch:
            scheduler.step()
        rates.append(rate_of(optimizer))
        for X, y in loader:
            learn(model, loss_fn, optimizer, X, y)
            optimizer.step()
    return rates


@wrong(
    "sched-epoch-by-number",
    replaces="train_by_epoch",
    says="The scheduler was told the number of the epoch that has just ended, and so the first rate is used twice. "
    "step() takes no argument: it keeps the count itself.",
)
def epoch_by_number(model, loss_fn, optimizer, scheduler, loader, epochs):
    rates = []
    for epoch in range(epochs):
        rates.append(rate_of(optimizer))
        for X, y in loader:
            learn(model, loss_fn, optimizer, X, y)
            optimizer.step()
        scheduler.step(epoch)
    return rates


@wrong(
    "sched-epoch-read-late",
    replaces="train_by_epoch",
    says="The rates that came back are one epoch ahead: each was read after scheduler.step(), when it is that of the "
    "next epoch already. Read it before.",
)
def epoch_read_late(model, loss_fn, optimizer, scheduler, loader, epochs):
    rates = []
    for _ in range(epochs):
        for X, y in loader:
            learn(model, loss_fn, optimizer, X, y)
            optimizer.step()
        scheduler.step()
        rates.append(rate_of(optimizer))
    return rates


@wrong(
    "sched-epoch-rate-of-each-batch",
    replaces="train_by_epoch",
    says="A rate came back for every batch; one for each epoch is asked.",
)
def rate_of_each_batch(model, loss_fn, optimizer, scheduler, loader, epochs):
    rates = []
    for _ in range(epochs):
        for X, y in loader:
            learn(model, loss_fn, optimizer, X, y)
            rates.append(rate_of(optimizer))
            optimizer.step()
        scheduler.step()
    return rates


@wrong(
    "sched-epoch-one-step",
    replaces="train_by_epoch",
    says="The optimizer stepped once an epoch, with the scheduler: only the scheduler counts epochs, the optimizer "
    "steps after every batch.",
)
def one_step_an_epoch(model, loss_fn, optimizer, scheduler, loader, epochs):
    rates = []
    for _ in range(epochs):
        rates.append(rate_of(optimizer))
        for X, y in loader:
            learn(model, loss_fn, optimizer, X, y)
        optimizer.step()
        scheduler.step()
    return rates


@wrong(
    "sched-epoch-gradients-add-up",
    replaces="train_by_epoch",
    says="The rates are right, but the gradients were cleared once in each epoch: all but its first step follow those "
    "of several batches. Clear them once for every step.",
)
def epoch_gradients_add_up(model, loss_fn, optimizer, scheduler, loader, epochs):
    rates = []
    for _ in range(epochs):
        rates.append(rate_of(optimizer))
        optimizer.zero_grad()
        for X, y in loader:
            loss_fn(model(X), y).backward()
            optimizer.step()
        scheduler.step()
    return rates


@wrong(
    "sched-epoch-clears-before-the-step",
    replaces="train_by_epoch",
    says="The rates are right, but no step changed the model: the gradients were cleared between backward() and "
    "step(), or the step came while there were none.",
)
def epoch_clears_before_the_step(model, loss_fn, optimizer, scheduler, loader, epochs):
    rates = []
    for _ in range(epochs):
        rates.append(rate_of(optimizer))
        for X, y in loader:
            loss_fn(model(X), y).backward()
            optimizer.zero_grad()
            optimizer.step()
        scheduler.step()
    return rates


@wrong(
    "sched-epoch-clears-between-in-the-first-batch",
    replaces="train_by_epoch",
    says="In the first batch of each epoch the gradients were cleared between backward() and step(), whose step finds "
    "none, and after it no more, so that those of the others add up.",
)
def epoch_clears_between_in_the_first_batch(model, loss_fn, optimizer, scheduler, loader, epochs):
    rates = []
    for _ in range(epochs):
        rates.append(rate_of(optimizer))
        for i, (X, y) in enumerate(loader):
            loss_fn(model(X), y).backward()
            if i == 0:
                optimizer.zero_grad()
            optimizer.step()
        scheduler.step()
    return rates


@wrong(
    "sched-epoch-never-clears",
    replaces="train_by_epoch",
    says="The rates are right, but the gradients of all earlier batches and epochs are in every step: .grad was not "
    "cleared between batches.",
)
def epoch_never_clears(model, loss_fn, optimizer, scheduler, loader, epochs):
    rates = []
    for _ in range(epochs):
        rates.append(rate_of(optimizer))
        for X, y in loader:
            loss_fn(model(X), y).backward()
            optimizer.step()
        scheduler.step()
    return rates


# ---- snapshot


@wrong(
    "snapshot-is-alive",
    replaces="snapshot",
    says="Both snapshots show the model as it is now: the tensors of state_dict() are the model's own memory, also in "
    "a new dict and after detach(), and training changes them in place. Clone each one.",
)
def is_alive(model):
    return dict(model.state_dict())


@wrong(
    "snapshot-without-buffers",
    replaces="snapshot",
    says="The buffers are missing, such as the running statistics of a batch norm: they are no parameters, but belong "
    "to what the model has become. state_dict() has both.",
)
def without_buffers(model):
    return {name: parameter.detach().clone() for name, parameter in model.named_parameters()}


@wrong(
    "snapshot-of-parameter-objects",
    replaces="snapshot",
    says="The buffers are missing, and the copies are parameters that require a gradient themselves. A snapshot holds "
    "plain values, of all that state_dict() has.",
)
def of_parameter_objects(model):
    return copy.deepcopy(dict(model.named_parameters()))


@wrong(
    "snapshot-with-a-graph",
    replaces="snapshot",
    says="The copies hang on a graph: clone() is an operation like others, and a clone of a parameter knows where it "
    "came from. Detach it, or start from state_dict(), which is detached.",
)
def with_a_graph(model):
    return {name: tensor.clone() for name, tensor in model.state_dict(keep_vars=True).items()}


@wrong(
    "snapshot-all-floats",
    replaces="snapshot",
    says="The counter of the batch norm, an int64 buffer, came back as floats. A snapshot keeps every dtype as it is.",
)
def all_floats(model):
    return {name: tensor.float().clone() for name, tensor in model.state_dict().items()}


@wrong(
    "snapshot-floats-alone",
    replaces="snapshot",
    says="The parameters are copies, but the buffers are still the model's own memory and go on changing with it: "
    "clone them too.",
)
def floats_alone(model):
    named = {name: parameter.detach().clone() for name, parameter in model.named_parameters()}
    return {name: named.get(name, tensor) for name, tensor in model.state_dict().items()}


@wrong(
    "snapshot-freezes-the-model",
    replaces="snapshot",
    says="The model's own parameters no longer require a gradient, and it would not train further. detach() gives a "
    "detached tensor; detach_() and requires_grad_(False) change the one that they are called on.",
)
def freezes_the_model(model):
    for parameter in model.parameters():
        parameter.requires_grad_(False)
    return {name: tensor.clone() for name, tensor in model.state_dict().items()}


# ---- early_stopping


def clones(model):
    return {name: tensor.clone() for name, tensor in model.state_dict().items()}


def modes_of(model):
    return [(module, module.training) for module in model.modules()]


def put_back(model, kept, modes):
    model.load_state_dict(kept)
    for module, training in modes:
        module.training = training


def stopped(model, train_epoch, validate, patience, max_epochs, better=lambda loss, best: loss < best, start=math.inf):
    """The loop as it should be, but for what is better than the best so far: losses, what was kept, and the modes."""
    modes, best, kept, waited, losses = modes_of(model), start, clones(model), 0, []
    while len(losses) < max_epochs and waited < patience:
        train_epoch()
        losses.append(validate())
        waited += 1
        if better(losses[-1], best):
            best, kept, waited = losses[-1], clones(model), 0
    return losses, kept, modes


@wrong(
    "early-keeps-the-last",
    replaces="early_stopping",
    says="The model is as it was after the last epoch, not after the best. Either nothing was put back, or what was "
    "kept is model.state_dict() itself, whose tensors go on changing with the model: keep clones.",
)
def keeps_the_last(model, train_epoch, validate, patience, max_epochs):
    losses, _, modes = stopped(model, train_epoch, validate, patience, max_epochs)
    put_back(model, model.state_dict(), modes)
    return losses


@wrong(
    "early-parameters-alone",
    replaces="early_stopping",
    says="The parameters are those of the best epoch, the buffers those of the last: running statistics belong to the "
    "model as much as weights. state_dict() has both.",
)
def parameters_alone(model, train_epoch, validate, patience, max_epochs):
    losses, kept, modes = stopped(model, train_epoch, validate, patience, max_epochs)
    named = dict(model.named_parameters())
    put_back(model, {name: kept[name] if name in named else now for name, now in model.state_dict().items()}, modes)
    return losses


@wrong(
    "early-parameters-refused",
    replaces="early_stopping",
    says="load_state_dict refuses what was kept: it asks for all names of state_dict(), and those alone. Keep that "
    "whole dict, cloned; model.named_parameters() lacks the buffers, and with strict=False they would stay the last.",
)
def parameters_refused(model, train_epoch, validate, patience, max_epochs):
    model.load_state_dict({name: parameter.detach().clone() for name, parameter in model.named_parameters()})


@wrong(
    "early-min-delta",
    replaces="early_stopping",
    says="An epoch that was better by very little was not taken for an improvement. Any lower loss is one here: there "
    "is no least amount by which it has to be lower.",
)
def min_delta(model, train_epoch, validate, patience, max_epochs):
    losses, kept, modes = stopped(
        model, train_epoch, validate, patience, max_epochs, better=lambda loss, best: loss < best - 1e-4
    )
    put_back(model, kept, modes)
    return losses


@wrong(
    "early-nan-not-counted",
    replaces="early_stopping",
    says="An epoch whose loss is NaN was left out of the waiting. It has not improved, and counts as any other that "
    "has not.",
)
def nan_not_counted(model, train_epoch, validate, patience, max_epochs):
    modes, best, kept, waited, losses = modes_of(model), math.inf, clones(model), 0, []
    while len(losses) < max_epochs and waited < patience:
        train_epoch()
        losses.append(validate())
        if losses[-1] < best:
            best, kept, waited = losses[-1], clones(model), 0
        elif not math.isnan(losses[-1]):
            waited += 1
    put_back(model, kept, modes)
    return losses


@wrong(
    "early-nan-ends-it",
    replaces="early_stopping",
    says="Training ended at the first loss of NaN. Such an epoch has not improved, and counts as any other that has "
    "not: patience says when it is enough.",
)
def nan_ends_it(model, train_epoch, validate, patience, max_epochs):
    modes, best, kept, waited, losses = modes_of(model), math.inf, clones(model), 0, []
    while len(losses) < max_epochs and waited < patience:
        train_epoch()
        losses.append(validate())
        waited += 1
        if math.isnan(losses[-1]):
            break
        if losses[-1] < best:
            best, kept, waited = losses[-1], clones(model), 0
    put_back(model, kept, modes)
    return losses


@wrong(
    "early-nan-in-the-minimum",
    replaces="early_stopping",
    says="The best loss was taken as the min() of all before, and the first was NaN: min() then gives NaN, and no "
    "later loss is lower. Keep the best by `<`, from infinity on.",
)
def nan_in_the_minimum(model, train_epoch, validate, patience, max_epochs):
    modes, kept, waited, losses = modes_of(model), clones(model), 0, []
    while len(losses) < max_epochs and waited < patience:
        train_epoch()
        losses.append(validate())
        waited += 1
        if losses[-1] < min(losses[:-1], default=math.inf):
            kept, waited = clones(model), 0
    put_back(model, kept, modes)
    return losses


@wrong(
    "early-last-of-equals",
    replaces="early_stopping",
    says="A loss that equals the best was taken as an improvement, so that training goes on for as long as nothing "
    "changes. Only a lower one improves: < and not <=.",
)
def last_of_equals(model, train_epoch, validate, patience, max_epochs):
    losses, kept, modes = stopped(
        model, train_epoch, validate, patience, max_epochs, better=lambda loss, best: loss <= best
    )
    put_back(model, kept, modes)
    return losses


@wrong(
    "early-higher-is-better",
    replaces="early_stopping",
    says="The epoch with the highest loss was taken for the best. That is the way round for an accuracy; of a loss the "
    "lowest is best.",
)
def higher_is_better(model, train_epoch, validate, patience, max_epochs):
    losses, kept, modes = stopped(
        model, train_epoch, validate, patience, max_epochs, better=lambda loss, best: loss > best, start=-math.inf
    )
    put_back(model, kept, modes)
    return losses


@wrong(
    "early-starts-at-zero",
    replaces="early_stopping",
    says="No epoch with a loss above 0 was ever an improvement: the best loss so far started at 0, and none is lower. "
    "Before the first epoch it is infinite.",
)
def starts_at_zero_loss(model, train_epoch, validate, patience, max_epochs):
    losses, kept, modes = stopped(model, train_epoch, validate, patience, max_epochs, start=0.0)
    put_back(model, kept, modes)
    return losses


@wrong(
    "early-nan-is-best",
    replaces="early_stopping",
    says="NaN was taken for the best loss: < and >= are both False with it, so that 'not worse' lets it in, and from "
    "then on every epoch. Ask whether the loss is lower than the best; that is False for NaN.",
)
def nan_is_best(model, train_epoch, validate, patience, max_epochs):
    losses, kept, modes = stopped(
        model, train_epoch, validate, patience, max_epochs, better=lambda loss, best: not loss >= best
    )
    put_back(model, kept, modes)
    return losses


@wrong(
    "early-nan-comes-first",
    replaces="early_stopping",
    says="The first loss was taken for the best unasked, and it was NaN: no later loss is lower than NaN, so that "
    "nothing improves any more. Start from infinity, which every number is lower than.",
)
def nan_comes_first(model, train_epoch, validate, patience, max_epochs):
    losses, kept, modes = stopped(
        model,
        train_epoch,
        validate,
        patience,
        max_epochs,
        better=lambda loss, best: best is None or loss < best,
        start=None,
    )
    put_back(model, kept, modes)
    return losses


@wrong(
    "early-one-too-many",
    replaces="early_stopping",
    says="Training went on for one epoch too many: it ends as soon as `patience` epochs in a row have not improved, "
    "not when there are more than that.",
)
def one_too_many(model, train_epoch, validate, patience, max_epochs):
    losses, kept, modes = stopped(model, train_epoch, validate, patience + 1, max_epochs)
    put_back(model, kept, modes)
    return losses


@wrong(
    "early-counts-all-misses",
    replaces="early_stopping",
    says="Training ended too early: all epochs without an improvement were counted, where it is those in a row. An "
    "improvement sets the count back to 0.",
)
def counts_all_misses(model, train_epoch, validate, patience, max_epochs):
    modes, best, kept, waited, losses = modes_of(model), math.inf, clones(model), 0, []
    while len(losses) < max_epochs and waited < patience:
        train_epoch()
        losses.append(validate())
        if losses[-1] < best:
            best, kept = losses[-1], clones(model)
        else:
            waited += 1
    put_back(model, kept, modes)
    return losses


@wrong(
    "early-compares-with-the-last",
    replaces="early_stopping",
    says="An epoch was taken for an improvement because it was better than the one before it; it must be better than "
    "the best of all before.",
)
def compares_with_the_last(model, train_epoch, validate, patience, max_epochs):
    modes, last, kept, waited, losses = modes_of(model), math.inf, clones(model), 0, []
    while len(losses) < max_epochs and waited < patience:
        train_epoch()
        losses.append(validate())
        waited += 1
        if losses[-1] < last:
            kept, waited = clones(model), 0
        last = losses[-1] if losses[-1] == losses[-1] else last
    put_back(model, kept, modes)
    return losses


@wrong(
    "early-never-stops",
    replaces="early_stopping",
    says="The best epoch was found, but all max_epochs were trained: nothing ends the loop when patience has run out.",
)
def never_stops(model, train_epoch, validate, patience, max_epochs):
    losses, kept, modes = stopped(model, train_epoch, validate, max_epochs + 1, max_epochs)
    put_back(model, kept, modes)
    return losses


@wrong(
    "early-ignores-max-epochs",
    replaces="early_stopping",
    says="Training went on behind max_epochs: patience alone ended it.",
)
def ignores_max_epochs(model, train_epoch, validate, patience, max_epochs):
    losses, kept, modes = stopped(model, train_epoch, validate, patience, max_epochs + patience + 9)
    put_back(model, kept, modes)
    return losses


@wrong(
    "early-restores-when-stopped-alone",
    replaces="early_stopping",
    says="Where training ran out of epochs before patience did, the model is left as after the last one. The best is "
    "put back behind the loop, however it ended.",
)
def restores_when_stopped_alone(model, train_epoch, validate, patience, max_epochs):
    modes, best, kept, waited, losses = modes_of(model), math.inf, clones(model), 0, []
    while len(losses) < max_epochs:
        train_epoch()
        losses.append(validate())
        waited += 1
        if losses[-1] < best:
            best, kept, waited = losses[-1], clones(model), 0
        if waited == patience:
            model.load_state_dict(kept)
            break
    put_back(model, model.state_dict(), modes)
    return losses


@wrong(
    "early-returns-the-best-loss",
    replaces="early_stopping",
    says="One number came back, the best loss; the losses of all epochs that ran are asked, in a list.",
)
def returns_the_best_loss(model, train_epoch, validate, patience, max_epochs):
    losses, kept, modes = stopped(model, train_epoch, validate, patience, max_epochs)
    put_back(model, kept, modes)
    return min(loss for loss in losses if loss == loss)


@wrong(
    "early-losses-up-to-the-best",
    replaces="early_stopping",
    says="The losses behind the best one are missing: those epochs ran too, and belong to the history.",
)
def losses_up_to_the_best(model, train_epoch, validate, patience, max_epochs):
    losses, kept, modes = stopped(model, train_epoch, validate, patience, max_epochs)
    put_back(model, kept, modes)
    return losses[: losses.index(min(loss for loss in losses if loss == loss)) + 1]


@wrong(
    "early-improvements-alone",
    replaces="early_stopping",
    says="Only the losses that improved came back; those of the other epochs belong to the history too.",
)
def improvements_alone(model, train_epoch, validate, patience, max_epochs):
    losses, kept, modes = stopped(model, train_epoch, validate, patience, max_epochs)
    put_back(model, kept, modes)
    best, improved = math.inf, []
    for loss in losses:
        if loss < best:
            best = loss
            improved.append(loss)
    return improved


@wrong(
    "early-validates-first",
    replaces="early_stopping",
    says="validate() came before train_epoch(): each loss is that of the weights before the epoch, and the best one "
    "belongs to other weights than those that were kept.",
)
def validates_first(model, train_epoch, validate, patience, max_epochs):
    def validate_then_train():
        loss = validate()
        train_epoch()
        return loss

    losses, kept, modes = stopped(model, lambda: None, validate_then_train, patience, max_epochs)
    put_back(model, kept, modes)
    return losses


@wrong(
    "early-validates-twice",
    replaces="early_stopping",
    says="validate() ran twice in an epoch, which costs a pass over the validation data each time: call it once and "
    "keep the loss.",
)
def validates_twice(model, train_epoch, validate, patience, max_epochs):
    def twice():
        validate()
        return validate()

    losses, kept, modes = stopped(model, train_epoch, twice, patience, max_epochs)
    put_back(model, kept, modes)
    return losses


@wrong(
    "early-new-parameters",
    replaces="early_stopping",
    says="The values are right, but in new parameters: the optimizer holds the old ones, and whoever goes on training "
    "would train those. Copy the values into the parameters that are there, as load_state_dict does by default.",
)
def new_parameters(model, train_epoch, validate, patience, max_epochs):
    losses, kept, modes = stopped(model, train_epoch, validate, patience, max_epochs)
    put_back(model, kept, modes)
    model.load_state_dict(kept, assign=True)
    return losses


@wrong(
    "early-leaves-eval-mode",
    replaces="early_stopping",
    says="The modes are as the last validation left them. Note each module's mode before the first epoch, and set it "
    "again at the end.",
)
def leaves_eval_mode(model, train_epoch, validate, patience, max_epochs):
    losses, kept, _ = stopped(model, train_epoch, validate, patience, max_epochs)
    model.load_state_dict(kept)
    return losses


@wrong(
    "early-ends-in-train-mode",
    replaces="early_stopping",
    says="Everything is in train mode, whatever it was in before. Note each module's mode before the first epoch, and "
    "set it again at the end.",
)
def ends_in_train_mode(model, train_epoch, validate, patience, max_epochs):
    losses, kept, _ = stopped(model, train_epoch, validate, patience, max_epochs)
    model.load_state_dict(kept)
    model.train()
    return losses


@wrong(
    "early-one-mode-for-all",
    replaces="early_stopping",
    says="All modules have the mode that the model itself had: train(mode) on a module reaches every submodule, and "
    "one that was frozen in eval mode no longer is. Note the mode of each module, and set the attribute .training of "
    "each.",
)
def one_mode_for_all(model, train_epoch, validate, patience, max_epochs):
    was = model.training
    losses, kept, _ = stopped(model, train_epoch, validate, patience, max_epochs)
    model.load_state_dict(kept)
    model.train(was)
    return losses
