"""Wrong answers to katas/06_training/optimizers.py."""

import torch
from torch import nn

from torchkatas.bank import wrong

# ---- sgd_step


@wrong(
    "sgd-rebinds-the-name",
    replaces="sgd_step",
    says="No parameter has moved: nothing reached the tensors that were handed in. p = p - ... computes a new one and "
    "gives it the loop's name; p -= ... changes the parameter itself.",
    fact="05.12",
)
def sgd_rebinds_the_name(params, lr, weight_decay=0.0):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                p = p - lr * (p.grad + weight_decay * p)


@wrong(
    "sgd-goes-uphill",
    replaces="sgd_step",
    says="The step goes with the gradient, which points to where the loss grows; w becomes w minus lr times it.",
    fact="05.12",
)
def sgd_goes_uphill(params, lr, weight_decay=0.0):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                p += lr * (p.grad + weight_decay * p)


@wrong(
    "sgd-without-lr",
    replaces="sgd_step",
    says="The whole gradient was taken off: it is a slope, not a distance. The learning rate says how far to go.",
    fact="05.12",
)
def sgd_without_lr(params, lr, weight_decay=0.0):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                p -= p.grad + weight_decay * p


@wrong(
    "sgd-on-the-record",
    replaces="sgd_step",
    says="torch refuses to change a leaf that requires a gradient while gradient mode is on: the step would become "
    "part of the graph. It belongs into torch.no_grad().",
)
def sgd_on_the_record(params, lr, weight_decay=0.0):
    for p in params:
        if p.grad is not None:
            p -= lr * (p.grad + weight_decay * p)


@wrong(
    "sgd-computes-with-none",
    replaces="sgd_step",
    says="A parameter that took no part in the loss has None for a .grad, and nothing can be computed with it: "
    "pass it over.",
)
def sgd_computes_with_none(params, lr, weight_decay=0.0):
    with torch.no_grad():
        for p in params:
            p -= lr * (p.grad + weight_decay * p)


@wrong(
    "sgd-stops-at-none",
    replaces="sgd_step",
    says="The step ended at the first .grad that is None, and the parameters behind it did not move: pass over "
    "that one alone.",
)
def sgd_stops_at_none(params, lr, weight_decay=0.0):
    with torch.no_grad():
        for p in params:
            if p.grad is None:
                return
            p -= lr * (p.grad + weight_decay * p)


@wrong(
    "sgd-decays-without-a-gradient",
    replaces="sgd_step",
    says="A parameter without a gradient shrank: it has no step in which to decay. Pass it over altogether.",
)
def sgd_decays_without_a_gradient(params, lr, weight_decay=0.0):
    with torch.no_grad():
        for p in params:
            p -= lr * ((0 if p.grad is None else p.grad) + weight_decay * p)


@wrong(
    "sgd-decay-left-out",
    replaces="sgd_step",
    says="The weights follow the gradient alone, they do not decay: weight_decay * p is a part of the slope.",
)
def sgd_decay_left_out(params, lr, weight_decay=0.0):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                p -= lr * p.grad


@wrong(
    "sgd-decay-grows",
    replaces="sgd_step",
    says="The decay has the wrong sign: it pushes the weights away from 0 in place of pulling them towards it.",
)
def sgd_decay_grows(params, lr, weight_decay=0.0):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                p -= lr * (p.grad - weight_decay * p)


@wrong(
    "sgd-decay-without-lr",
    replaces="sgd_step",
    says="The weights decay by weight_decay * p in full; that term belongs to the slope, and lr scales the whole "
    "of it.",
)
def sgd_decay_without_lr(params, lr, weight_decay=0.0):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                p -= lr * p.grad + weight_decay * p


@wrong(
    "sgd-decays-the-moved-weight",
    replaces="sgd_step",
    says="The decay was taken from the weight after its step, not from the one before: both parts of the slope "
    "belong to the same point.",
)
def sgd_decays_the_moved_weight(params, lr, weight_decay=0.0):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                p -= lr * p.grad
                p -= lr * weight_decay * p


@wrong(
    "sgd-decay-doubled",
    replaces="sgd_step",
    says="The decay is twice what it should be: 2 * weight_decay * p is the slope of weight_decay * p**2, asked is "
    "weight_decay * p.",
)
def sgd_decay_doubled(params, lr, weight_decay=0.0):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                p -= lr * (p.grad + 2 * weight_decay * p)


@wrong(
    "sgd-decay-of-the-square",
    replaces="sgd_step",
    says="The penalty itself, weight_decay * p**2, was added where its slope is asked: weight_decay * p, which has "
    "the sign of p.",
)
def sgd_decay_of_the_square(params, lr, weight_decay=0.0):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                p -= lr * (p.grad + weight_decay * p**2)


@wrong(
    "sgd-decay-into-grad",
    replaces="sgd_step",
    says="The parameters are right, but each .grad was changed on the way, in place: the decay was added to it, "
    "and whoever logs it or accumulates into it next has another gradient.",
)
def sgd_decay_into_grad(params, lr, weight_decay=0.0):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                p.grad.add_(p, alpha=weight_decay)
                p.sub_(p.grad, alpha=lr)


@wrong(
    "sgd-clears-too",
    replaces="sgd_step",
    says="The step is right, but the gradients are gone: when to clear them is the caller's to decide.",
)
def sgd_clears_too(params, lr, weight_decay=0.0):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                p -= lr * (p.grad + weight_decay * p)
                p.grad = None


@wrong(
    "sgd-into-new-leaves",
    replaces="sgd_step",
    says="The list holds new tensors now, and the model still holds the old ones, which have not moved.",
    fact="05.12",
)
def sgd_into_new_leaves(params, lr, weight_decay=0.0):
    for i, p in enumerate(params):
        if p.grad is not None:
            params[i] = (p - lr * (p.grad + weight_decay * p)).detach().requires_grad_()


@wrong(
    "sgd-by-torch-optim",
    replaces="sgd_step",
    says="torch.optim.SGD does the work here; this kata asks for its one line of arithmetic.",
)
def sgd_by_torch_optim(params, lr, weight_decay=0.0):
    torch.optim.SGD(params, lr=lr, weight_decay=weight_decay).step()


@wrong(
    "sgd-skips-zeros",
    replaces="sgd_step",
    says="A parameter whose gradient is all 0 was passed over: its weights decay all the same. Only None says that it "
    "took no part.",
)
def sgd_skips_zeros(params, lr, weight_decay=0.0):
    with torch.no_grad():
        for p in params:
            if p.grad is not None and p.grad.any():
                p -= lr * (p.grad + weight_decay * p)


@wrong(
    "sgd-truth-of-grad",
    replaces="sgd_step",
    says="Whether a tensor is true is no question where it has several elements. That there is a gradient at all is "
    "asked by `is not None`.",
)
def sgd_truth_of_grad(params, lr, weight_decay=0.0):
    with torch.no_grad():
        for p in params:
            if p.grad:
                p -= lr * (p.grad + weight_decay * p)


# ---- momentum_step


@wrong(
    "momentum-truth-of-grad",
    replaces="momentum_step",
    says="Whether a tensor is true is no question where it has several elements. That there is a gradient, or a "
    "velocity, is asked by `is not None` or `in`.",
)
def momentum_truth_of_grad(params, state, lr, momentum, weight_decay=0.0):
    for p in params:
        bool(p.grad)


@wrong(
    "momentum-computes-with-none",
    replaces="momentum_step",
    says="A parameter that took no part in the loss has None for a .grad, and nothing can be computed with it: "
    "pass it over.",
)
def momentum_computes_with_none(params, state, lr, momentum, weight_decay=0.0):
    with torch.no_grad():
        for p in params:
            state[p] = momentum * state.get(p, torch.zeros_like(p)) + p.grad + weight_decay * p
            p -= lr * state[p]


@wrong(
    "momentum-adds-decay-to-none",
    replaces="momentum_step",
    says="A parameter that took no part in the loss has None for a .grad, and no slope can be made of it: pass it "
    "over.",
)
def momentum_adds_decay_to_none(params, state, lr, momentum, weight_decay=0.0):
    with torch.no_grad():
        for p in params:
            slope = p.grad + weight_decay * p
            state[p] = momentum * state.get(p, 0) + slope
            p -= lr * state[p]


@wrong(
    "momentum-reads-an-empty-dict",
    replaces="momentum_step",
    says="The dict is empty before the first step: what is to be read from it has to be put there first. "
    "state.setdefault(...) does both, state.get(..., 0) gives something else where there is nothing.",
)
def momentum_reads_an_empty_dict(params, state, lr, momentum, weight_decay=0.0):
    state[0]


@wrong(
    "momentum-reads-what-is-not-there",
    replaces="momentum_step",
    says="There is nothing yet of this parameter in the dict: what is to be read from it has to be put there first. "
    "state.setdefault(...) does both, state.get(..., 0) gives something else where there is nothing.",
)
def momentum_reads_what_is_not_there(params, state, lr, momentum, weight_decay=0.0):
    state[params[0]]


@wrong(
    "momentum-skips-zeros",
    replaces="momentum_step",
    says="A parameter whose gradient is all 0 was passed over: its velocity still moves it, and its weights decay. "
    "Only None says that it took no part.",
)
def momentum_skips_zeros(params, state, lr, momentum, weight_decay=0.0):
    with torch.no_grad():
        for p in params:
            if p.grad is not None and p.grad.any():
                velocity = state.setdefault(p, torch.zeros_like(p))
                velocity.mul_(momentum).add_(p.grad + weight_decay * p)
                p -= lr * velocity


@wrong(
    "momentum-of-the-last-gradient",
    replaces="momentum_step",
    says="What was kept is the last gradient, not the velocity, so that a step knows of the one before it and of no "
    "earlier one. Keep the velocity itself: all slopes so far are in it.",
)
def momentum_of_the_last_gradient(params, state, lr, momentum, weight_decay=0.0):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                slope = p.grad + weight_decay * p
                p -= lr * (momentum * state.get(p, 0) + slope)
                state[p] = slope


@wrong(
    "momentum-counts-the-first-twice",
    replaces="momentum_step",
    says="The first gradient counts 1 + momentum times: the velocity began with it, and the same step added it to what "
    "was there. A velocity begins with 0.",
)
def momentum_counts_the_first_twice(params, state, lr, momentum, weight_decay=0.0):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                slope = p.grad + weight_decay * p
                velocity = state.setdefault(p, slope.clone())
                velocity.mul_(momentum).add_(slope)
                p -= lr * velocity


@wrong(
    "momentum-begins-as-grad",
    replaces="momentum_step",
    says="The velocity began as the very tensor in .grad and was then changed in place, and the gradient with it. A "
    "velocity begins with zeros of its own.",
)
def momentum_begins_as_grad(params, state, lr, momentum, weight_decay=0.0):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                velocity = state.setdefault(p, p.grad)
                velocity.mul_(momentum).add_(p.grad + weight_decay * p)
                p -= lr * velocity


@wrong(
    "momentum-mixes-into-grad",
    replaces="momentum_step",
    says="The first velocity is the very tensor in .grad, not a copy of it, and later steps changed it in place: where "
    "the caller fills the same .grad again, velocity and gradient are one, and neither is right.",
)
def momentum_mixes_into_grad(params, state, lr, momentum, weight_decay=0.0):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                slope = p.grad + weight_decay * p if weight_decay else p.grad
                if p in state:
                    state[p].mul_(momentum).add_(slope)
                else:
                    state[p] = slope
                p -= lr * state[p]


@wrong(
    "momentum-coasts-at-full-speed",
    replaces="momentum_step",
    says="A parameter without a gradient was moved once more by the velocity of its last step. None says that it is "
    "left out of this step: the move, too, is only for one that has a gradient.",
)
def momentum_coasts_at_full_speed(params, state, lr, momentum, weight_decay=0.0):
    with torch.no_grad():
        for p in params:
            velocity = state.setdefault(p, torch.zeros_like(p))
            if p.grad is not None:
                velocity.mul_(momentum).add_(p.grad + weight_decay * p)
            p -= lr * velocity


@wrong(
    "momentum-fades-at-none",
    replaces="momentum_step",
    says="The velocity of a parameter without a gradient was multiplied by momentum. None says that it is left out of "
    "this step: what is remembered of it stays as it is.",
)
def momentum_fades_at_none(params, state, lr, momentum, weight_decay=0.0):
    with torch.no_grad():
        for p in params:
            velocity = state.setdefault(p, torch.zeros_like(p)).mul_(momentum)
            if p.grad is not None:
                velocity.add_(p.grad + weight_decay * p)
                p -= lr * velocity


@wrong(
    "momentum-decays-without-a-gradient",
    replaces="momentum_step",
    says="A parameter without a gradient went on by its velocity, and decayed, as if its gradient were 0. None says "
    "that it is left out of this step.",
)
def momentum_decays_without_a_gradient(params, state, lr, momentum, weight_decay=0.0):
    with torch.no_grad():
        for p in params:
            slope = (0 if p.grad is None else p.grad) + weight_decay * p
            velocity = state.setdefault(p, torch.zeros_like(p))
            velocity.mul_(momentum).add_(slope)
            p -= lr * velocity


@wrong(
    "momentum-forgotten",
    replaces="momentum_step",
    says="Nothing is remembered from one step to the next: these are steps of plain SGD. What is to last has to be "
    "in the dict that comes back at the next step, and be read from there.",
)
def momentum_forgotten(params, state, lr, momentum, weight_decay=0.0):
    state = {}
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                velocity = state.setdefault(p, torch.zeros_like(p))
                velocity.mul_(momentum).add_(p.grad + weight_decay * p)
                p -= lr * velocity


@wrong(
    "momentum-as-an-average",
    replaces="momentum_step",
    says="The velocity is an average here, in which the new gradient counts 1 - momentum. In SGD it is a sum: the "
    "new gradient counts in full, so that steady slopes speed up.",
)
def momentum_as_an_average(params, state, lr, momentum, weight_decay=0.0):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                velocity = state.setdefault(p, torch.zeros_like(p))
                velocity.mul_(momentum).add_((1 - momentum) * (p.grad + weight_decay * p))
                p -= lr * velocity


@wrong(
    "momentum-damped-after-the-first",
    replaces="momentum_step",
    says="The first gradient counts in full and every later one 1 - momentum only. That is SGD with a dampening, "
    "which nobody asked for: each gradient is added to the velocity as it is.",
)
def momentum_damped_after_the_first(params, state, lr, momentum, weight_decay=0.0):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                slope = p.grad + weight_decay * p
                state[p] = momentum * state[p] + (1 - momentum) * slope if p in state else slope
                p -= lr * state[p]


@wrong(
    "momentum-with-lr-inside",
    replaces="momentum_step",
    says="The velocity keeps lr times the gradient: each gradient goes on moving the parameter at the lr of the "
    "step in which it came. lr scales the move, velocity and all, so a new lr holds for all that is "
    "remembered.",
)
def momentum_with_lr_inside(params, state, lr, momentum, weight_decay=0.0):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                velocity = state.setdefault(p, torch.zeros_like(p))
                velocity.mul_(momentum).add_(lr * (p.grad + weight_decay * p))
                p -= velocity


@wrong(
    "momentum-looks-ahead",
    replaces="momentum_step",
    says="The step is the gradient plus momentum times the new velocity: that is Nesterov's variant, which "
    "torch.optim.SGD takes with nesterov=True alone. Here the step is the velocity itself.",
)
def momentum_looks_ahead(params, state, lr, momentum, weight_decay=0.0):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                slope = p.grad + weight_decay * p
                velocity = state.setdefault(p, torch.zeros_like(p))
                velocity.mul_(momentum).add_(slope)
                p -= lr * (slope + momentum * velocity)


@wrong(
    "momentum-of-the-old-velocity",
    replaces="momentum_step",
    says="The step uses the velocity of before, and the new gradient gets into it too late: each parameter is one "
    "step behind. First the velocity, then the move.",
)
def momentum_of_the_old_velocity(params, state, lr, momentum, weight_decay=0.0):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                velocity = state.setdefault(p, torch.zeros_like(p))
                slope = p.grad + weight_decay * p
                p -= lr * velocity
                velocity.mul_(momentum).add_(slope)


@wrong(
    "momentum-rolls-on-without-a-gradient",
    replaces="momentum_step",
    says="A parameter without a gradient went on by its velocity, as if its gradient were 0. None says that it is "
    "left out of this step: neither it nor its velocity changes.",
)
def momentum_rolls_on_without_a_gradient(params, state, lr, momentum, weight_decay=0.0):
    with torch.no_grad():
        for p in params:
            slope = torch.zeros_like(p) if p.grad is None else p.grad + weight_decay * p
            velocity = state.setdefault(p, torch.zeros_like(p))
            velocity.mul_(momentum).add_(slope)
            p -= lr * velocity


@wrong(
    "momentum-forgotten-at-none",
    replaces="momentum_step",
    says="A parameter that had no gradient in a step has lost its velocity: it starts from 0 the next time. None "
    "leaves what is remembered as it is.",
)
def momentum_forgotten_at_none(params, state, lr, momentum, weight_decay=0.0):
    with torch.no_grad():
        for p in params:
            if p.grad is None:
                state.pop(p, None)
                continue
            velocity = state.setdefault(p, torch.zeros_like(p))
            velocity.mul_(momentum).add_(p.grad + weight_decay * p)
            p -= lr * velocity


@wrong(
    "momentum-in-one-for-all",
    replaces="momentum_step",
    says="A parameter was moved by a velocity that is not its own. Each needs one for itself, under a key that is its "
    "own at every step: the parameter, or its place in the whole list.",
)
def momentum_in_one_for_all(params, state, lr, momentum, weight_decay=0.0):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                state["velocity"] = momentum * state.get("velocity", 0) + p.grad + weight_decay * p
                p -= lr * state["velocity"]


@wrong(
    "momentum-by-shape",
    replaces="momentum_step",
    says="Parameters of one shape share a velocity and carry each other along; each needs its own. A parameter "
    "itself can be a key of a dict, or its place in the list.",
)
def momentum_by_shape(params, state, lr, momentum, weight_decay=0.0):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                velocity = state.setdefault(p.shape, torch.zeros_like(p))
                velocity.mul_(momentum).add_(p.grad + weight_decay * p)
                p -= lr * velocity


@wrong(
    "momentum-slips-a-place",
    replaces="momentum_step",
    says="Only the parameters with a gradient were numbered: where one has none, all behind it get their "
    "neighbour's velocity. A place in the whole list stays the same.",
)
def momentum_slips_a_place(params, state, lr, momentum, weight_decay=0.0):
    with torch.no_grad():
        for i, p in enumerate(p for p in params if p.grad is not None):
            velocity = state.setdefault(i, torch.zeros_like(p))
            velocity.mul_(momentum).add_(p.grad + weight_decay * p)
            p -= lr * velocity


@wrong(
    "momentum-keeps-grad-itself",
    replaces="momentum_step",
    says="The velocity is the very tensor in .grad, not a copy of it: whoever clears or fills .grad in place "
    "writes into what was to be remembered.",
)
def momentum_keeps_grad_itself(params, state, lr, momentum, weight_decay=0.0):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                slope = p.grad + weight_decay * p if weight_decay else p.grad
                state[p] = momentum * state[p] + slope if p in state else slope
                p -= lr * state[p]


@wrong(
    "momentum-decay-past-the-velocity",
    replaces="momentum_step",
    says="The decay was taken off the weights directly and is no part of the velocity. In SGD it belongs to the "
    "slope, and what the slope holds goes into the velocity.",
)
def momentum_decay_past_the_velocity(params, state, lr, momentum, weight_decay=0.0):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                velocity = state.setdefault(p, torch.zeros_like(p))
                velocity.mul_(momentum).add_(p.grad)
                p -= lr * (velocity + weight_decay * p)


@wrong(
    "momentum-decay-left-out",
    replaces="momentum_step",
    says="The velocity is right for the gradients alone, but the weights do not decay: weight_decay * p is a part "
    "of the slope.",
)
def momentum_decay_left_out(params, state, lr, momentum, weight_decay=0.0):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                velocity = state.setdefault(p, torch.zeros_like(p))
                velocity.mul_(momentum).add_(p.grad)
                p -= lr * velocity


@wrong(
    "momentum-written-into-grad",
    replaces="momentum_step",
    says="The velocity was written into .grad, which is the caller's and was to stay as it is; a velocity needs a "
    "tensor of its own.",
)
def momentum_written_into_grad(params, state, lr, momentum, weight_decay=0.0):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                p.grad.add_(weight_decay * p).add_(momentum * state.get(p, 0))
                state[p] = p.grad.clone()
                p -= lr * p.grad


@wrong(
    "momentum-rebinds-the-name",
    replaces="momentum_step",
    says="No parameter has moved: nothing reached the tensors that were handed in. p = p - ... computes a new one and "
    "gives it the loop's name; p -= ... changes the parameter itself.",
)
def momentum_rebinds_the_name(params, state, lr, momentum, weight_decay=0.0):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                state[p] = momentum * state.get(p, 0) + p.grad + weight_decay * p
                p = p - lr * state[p]


@wrong(
    "momentum-in-the-leaves-graph",
    replaces="momentum_step",
    says="torch refuses to change a leaf that requires a gradient while gradient mode is on; the step belongs into "
    "torch.no_grad().",
)
def momentum_in_the_leaves_graph(params, state, lr, momentum, weight_decay=0.0):
    for p in params:
        if p.grad is not None:
            state[p] = momentum * state.get(p, 0) + p.grad + weight_decay * p
            p -= lr * state[p]


@wrong(
    "momentum-by-torch-optim",
    replaces="momentum_step",
    says="torch.optim.SGD does the work here; this kata asks for the velocity to be kept by hand.",
)
def momentum_by_torch_optim(params, state, lr, momentum, weight_decay=0.0):
    optimizer = state.setdefault("sgd", torch.optim.SGD(params, lr, momentum, weight_decay=weight_decay))
    optimizer.param_groups[0]["lr"] = lr
    optimizer.step()


# ---- adam_step


@wrong(
    "adam-without-correction",
    replaces="adam_step",
    says="The averages are used as they are: both start at 0 and are too small at first, the squares' more than "
    "the other's, so that the first steps have the wrong length. Divide each by 1 - beta**t.",
)
def adam_without_correction(params, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                mean, square = state.get(p, (0, 0))
                mean = betas[0] * mean + (1 - betas[0]) * p.grad
                square = betas[1] * square + (1 - betas[1]) * p.grad**2
                state[p] = mean, square
                p -= lr * mean / (square.sqrt() + eps)


def averages(p, state, betas):
    """The right averages of a parameter after its gradient came in, and how many there were."""
    mean, square, t = state.get(p, (torch.zeros_like(p), torch.zeros_like(p), 0))
    mean = betas[0] * mean + (1 - betas[0]) * p.grad
    square = betas[1] * square + (1 - betas[1]) * p.grad**2
    state[p] = mean, square, t + 1
    return state[p]


@wrong(
    "adam-mean-uncorrected",
    replaces="adam_step",
    says="The average of the squares is corrected, that of the gradients is not: it starts at 0 too, and makes the "
    "first steps too short.",
)
def adam_mean_uncorrected(params, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                mean, square, t = averages(p, state, betas)
                p -= lr * mean / ((square / (1 - betas[1] ** t)).sqrt() + eps)


@wrong(
    "adam-square-uncorrected",
    replaces="adam_step",
    says="The average of the gradients is corrected, that of their squares is not: it starts at 0 too, and makes "
    "the first steps too long.",
)
def adam_square_uncorrected(params, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                mean, square, t = averages(p, state, betas)
                p -= lr * mean / (1 - betas[0] ** t) / (square.sqrt() + eps)


@wrong(
    "adam-betas-swapped",
    replaces="adam_step",
    says="The two betas have changed places: the first is for the average of the gradients, the second for that of "
    "their squares.",
)
def adam_betas_swapped(params, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    betas = betas[::-1]
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                mean, square, t = averages(p, state, betas)
                p -= lr * mean / (1 - betas[0] ** t) / ((square / (1 - betas[1] ** t)).sqrt() + eps)


@wrong(
    "adam-beta-for-the-new",
    replaces="adam_step",
    says="beta is the part of the old average that is kept; here it is the weight of the new gradient, and the "
    "average forgets nearly all that was before.",
)
def adam_beta_for_the_new(params, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    betas = (1 - betas[0], 1 - betas[1])
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                mean, square, t = averages(p, state, betas)
                p -= lr * mean / (1 - betas[0] ** t) / ((square / (1 - betas[1] ** t)).sqrt() + eps)


@wrong(
    "adam-eps-inside-the-root",
    replaces="adam_step",
    says="eps was added under the root, where it counts as its root: 1e-8 turns into 1e-4. It is added to the root.",
)
def adam_eps_inside_the_root(params, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                mean, square, t = averages(p, state, betas)
                p -= lr * mean / (1 - betas[0] ** t) / (square / (1 - betas[1] ** t) + eps).sqrt()


@wrong(
    "adam-eps-before-the-correction",
    replaces="adam_step",
    says="eps was added before the correction, which then scales eps too: first the corrected average of the "
    "squares, then its root, then eps.",
)
def adam_eps_before_the_correction(params, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                mean, square, t = averages(p, state, betas)
                p -= lr * (1 - betas[1] ** t) ** 0.5 / (1 - betas[0] ** t) * mean / (square.sqrt() + eps)


@wrong(
    "adam-eps-left-out",
    replaces="adam_step",
    says="eps is missing: it keeps the step small where all gradients so far were close to 0.",
)
def adam_eps_left_out(params, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                mean, square, t = averages(p, state, betas)
                p -= lr * mean / (1 - betas[0] ** t) / (square / (1 - betas[1] ** t)).sqrt()


@wrong(
    "adam-without-the-root",
    replaces="adam_step",
    says="The mean gradient is divided by the mean square itself, not by its root: the step then has the size of "
    "one over the gradient.",
)
def adam_without_the_root(params, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                mean, square, t = averages(p, state, betas)
                p -= lr * mean / (1 - betas[0] ** t) / (square / (1 - betas[1] ** t) + eps)


@wrong(
    "adam-squares-the-mean",
    replaces="adam_step",
    says="The average was squared, not the gradients averaged as squares: where gradients change their sign, the "
    "square of their mean is close to 0 and says nothing of their size.",
)
def adam_squares_the_mean(params, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                mean, raw, t = state.get(p, (0, 0, 0))
                mean = betas[0] * mean + (1 - betas[0]) * p.grad
                raw = betas[1] * raw + (1 - betas[1]) * p.grad
                state[p] = mean, raw, t + 1
                p -= lr * mean / (1 - betas[0] ** (t + 1)) / ((raw / (1 - betas[1] ** (t + 1))).abs() + eps)


@wrong(
    "adam-averages-the-squared-mean",
    replaces="adam_step",
    says="The second average was made of the squares of the first one, not of those of the gradients: a first average "
    "near 0, of gradients that change their sign or are just the first few, makes it too small.",
)
def adam_averages_the_squared_mean(params, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                mean, square, t = state.get(p, (0, 0, 0))
                mean = betas[0] * mean + (1 - betas[0]) * p.grad
                square = betas[1] * square + (1 - betas[1]) * mean**2
                state[p] = mean, square, t + 1
                p -= lr * mean / (1 - betas[0] ** (t + 1)) / ((square / (1 - betas[1] ** (t + 1))).sqrt() + eps)


@wrong(
    "adam-root-of-plain-gradients",
    replaces="adam_step",
    says="The root of a negative number is NaN: the second average was made of the gradients themselves, not of "
    "their squares.",
)
def adam_root_of_plain_gradients(params, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                mean, raw, t = state.get(p, (0, 0, 0))
                mean = betas[0] * mean + (1 - betas[0]) * p.grad
                raw = betas[1] * raw + (1 - betas[1]) * p.grad
                state[p] = mean, raw, t + 1
                p -= lr * mean / (1 - betas[0] ** (t + 1)) / ((raw / (1 - betas[1] ** (t + 1))).sqrt() + eps)


@wrong(
    "adam-steps-by-the-gradient",
    replaces="adam_step",
    says="The step is made of this gradient alone, over the root of the mean square: that is RMSprop with a "
    "correction. Adam puts the average of the gradients on top.",
)
def adam_steps_by_the_gradient(params, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                _, square, t = averages(p, state, betas)
                p -= lr * p.grad / ((square / (1 - betas[1] ** t)).sqrt() + eps)


@wrong(
    "adam-sums-for-averages",
    replaces="adam_step",
    says="The new gradient and its square were added in full, without the factors 1 - beta: these are sums, as the "
    "velocity of SGD is one, not averages.",
)
def adam_sums_for_averages(params, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                mean, square, t = state.get(p, (0, 0, 0))
                mean, square, t = betas[0] * mean + p.grad, betas[1] * square + p.grad**2, t + 1
                state[p] = mean, square, t
                p -= lr * mean / (1 - betas[0] ** t) / ((square / (1 - betas[1] ** t)).sqrt() + eps)


@wrong(
    "adam-counts-from-zero",
    replaces="adam_step",
    says="The first step was counted as number 0, where 1 - beta**0 is 0 and nothing can be divided by it. Count "
    "up before the correction: the first step is number 1.",
)
def adam_counts_from_zero(params, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                mean, square, t = averages(p, state, betas)
                t -= 1
                p -= lr * (mean / (1 - betas[0] ** t)) / ((square / (1 - betas[1] ** t)).sqrt() + eps)


@wrong(
    "adam-one-count-for-all",
    replaces="adam_step",
    says="One count of steps is kept for all parameters. One that had no gradient in a step has fewer gradients in "
    "its averages than the count says, and is corrected too little: each needs a count of its own.",
)
def adam_one_count_for_all(params, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    state["t"] = t = state.get("t", 0) + 1
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                mean, square, _ = averages(p, state, betas)
                p -= lr * mean / (1 - betas[0] ** t) / ((square / (1 - betas[1] ** t)).sqrt() + eps)


@wrong(
    "adam-counts-each-parameter",
    replaces="adam_step",
    says="The count goes up with every parameter of a step, not once for each step of a parameter: all but the "
    "first are corrected as if they had taken many steps already.",
)
def adam_counts_each_parameter(params, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                state["t"] = t = state.get("t", 0) + 1
                mean, square, _ = averages(p, state, betas)
                p -= lr * mean / (1 - betas[0] ** t) / ((square / (1 - betas[1] ** t)).sqrt() + eps)


@wrong(
    "adam-always-step-one",
    replaces="adam_step",
    says="Every step was corrected as if it were the first: the averages are kept, the count of steps is not, and "
    "from the second step on they come out too large.",
)
def adam_always_step_one(params, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                mean, square, _ = averages(p, state, betas)
                p -= lr * mean / (1 - betas[0]) / ((square / (1 - betas[1])).sqrt() + eps)


@wrong(
    "adam-forgets",
    replaces="adam_step",
    says="Nothing is remembered from one step to the next: without averages each step is lr times the sign of the "
    "gradient. What is to last has to be in the dict that comes back at the next step.",
)
def adam_forgets(params, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    state = {}
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                mean, square, t = averages(p, state, betas)
                p -= lr * mean / (1 - betas[0] ** t) / ((square / (1 - betas[1] ** t)).sqrt() + eps)


@wrong(
    "adam-keeps-the-corrected",
    replaces="adam_step",
    says="The corrected averages were kept for the next step, which corrects them again. The dict keeps the "
    "averages as they are; the correction is for this step alone.",
)
def adam_keeps_the_corrected(params, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                mean, square, t = averages(p, state, betas)
                mean, square = mean / (1 - betas[0] ** t), square / (1 - betas[1] ** t)
                state[p] = mean, square, t
                p -= lr * mean / (square.sqrt() + eps)


@wrong(
    "adam-rolls-on-without-a-gradient",
    replaces="adam_step",
    says="A parameter without a gradient moved on, as if its gradient were 0. None says that it is left out of "
    "this step: neither it, nor its averages, nor its count changes.",
)
def adam_rolls_on_without_a_gradient(params, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    with torch.no_grad():
        for p in params:
            slope = torch.zeros_like(p) if p.grad is None else p.grad
            mean, square, t = state.get(p, (0, 0, 0))
            mean, square = betas[0] * mean + (1 - betas[0]) * slope, betas[1] * square + (1 - betas[1]) * slope**2
            t += 1
            state[p] = mean, square, t
            p -= lr * (mean / (1 - betas[0] ** t)) / ((square / (1 - betas[1] ** t)).sqrt() + eps)


@wrong(
    "adam-with-another-eps",
    replaces="adam_step",
    says="An eps of 1e-7 is another library's default; PyTorch's is 1e-8, and the stub's signature has it.",
)
def adam_with_another_eps(params, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-7):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                mean, square, t = averages(p, state, betas)
                p -= lr * mean / (1 - betas[0] ** t) / ((square / (1 - betas[1] ** t)).sqrt() + eps)


@wrong(
    "adam-betas-not-passed-on",
    replaces="adam_step",
    says="The usual betas, 0.9 and 0.999, are written into the step: those that are handed in make no difference.",
)
def adam_betas_not_passed_on(params, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                mean, square, t = averages(p, state, (0.9, 0.999))
                p -= lr * mean / (1 - 0.9**t) / ((square / (1 - 0.999**t)).sqrt() + eps)


@wrong(
    "adam-starts-with-grad-itself",
    replaces="adam_step",
    says="The average is the very tensor in .grad: the new gradient was mixed into it in place, and the next "
    "backward writes over what was to be remembered. An average needs a tensor of its own.",
)
def adam_starts_with_grad_itself(params, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                mean, square, t = state.get(p, (None, torch.zeros_like(p), 0))
                square = betas[1] * square + (1 - betas[1]) * p.grad**2
                mean = p.grad.mul_(1 - betas[0]) if mean is None else betas[0] * mean + (1 - betas[0]) * p.grad
                t += 1
                state[p] = mean, square, t
                p -= lr * (mean / (1 - betas[0] ** t)) / ((square / (1 - betas[1] ** t)).sqrt() + eps)


@wrong(
    "adam-squares-grad-in-place",
    replaces="adam_step",
    says="The parameters are right, but each .grad holds the squares now: square_() changes the caller's tensor.",
)
def adam_squares_grad_in_place(params, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                mean, square, t = averages(p, state, betas)
                p.grad.square_()
                p -= lr * mean / (1 - betas[0] ** t) / ((square / (1 - betas[1] ** t)).sqrt() + eps)


@wrong(
    "adam-rebinds-the-name",
    replaces="adam_step",
    says="No parameter has moved: nothing reached the tensors that were handed in. p = p - ... computes a new one and "
    "gives it the loop's name; p -= ... changes the parameter itself.",
)
def adam_rebinds_the_name(params, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                mean, square, t = averages(p, state, betas)
                p = p - lr * mean / (1 - betas[0] ** t) / ((square / (1 - betas[1] ** t)).sqrt() + eps)


@wrong(
    "adam-by-torch-optim",
    replaces="adam_step",
    says="torch.optim.Adam does the work here; this kata asks for the averages to be kept by hand.",
)
def adam_by_torch_optim(params, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    state.setdefault("adam", torch.optim.Adam(params, lr, betas, eps)).step()


@wrong(
    "adam-truth-of-grad",
    replaces="adam_step",
    says="Whether a tensor is true is no question where it has several elements. That there is a gradient, or an "
    "average, is asked by `is not None` or `in`.",
)
def adam_truth_of_grad(params, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    for p in params:
        bool(p.grad)


@wrong(
    "adam-computes-with-none",
    replaces="adam_step",
    says="A parameter that took no part in the loss has None for a .grad, and nothing can be computed with it: "
    "pass it over.",
)
def adam_computes_with_none(params, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    with torch.no_grad():
        for p in params:
            mean, square, t = averages(p, state, betas)
            p -= lr * mean / (1 - betas[0] ** t) / ((square / (1 - betas[1] ** t)).sqrt() + eps)


@wrong(
    "adam-reads-an-empty-dict",
    replaces="adam_step",
    says="The dict is empty before the first step: what is to be read from it has to be put there first. "
    "state.setdefault(...) does both, state.get(..., ...) gives something else where there is nothing.",
)
def adam_reads_an_empty_dict(params, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    state[0]


@wrong(
    "adam-reads-what-is-not-there",
    replaces="adam_step",
    says="There is nothing yet of this parameter in the dict: what is to be read from it has to be put there first. "
    "state.setdefault(...) does both, state.get(..., ...) gives something else where there is nothing.",
)
def adam_reads_what_is_not_there(params, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    state[params[0]]


@wrong(
    "adam-skips-zeros",
    replaces="adam_step",
    says="A parameter whose gradient is all 0 was passed over: its averages take the 0 in, and its mean still moves "
    "it. Only None says that it took no part.",
)
def adam_skips_zeros(params, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    with torch.no_grad():
        for p in params:
            if p.grad is not None and p.grad.any():
                mean, square, t = averages(p, state, betas)
                p -= lr * mean / (1 - betas[0] ** t) / ((square / (1 - betas[1] ** t)).sqrt() + eps)


@wrong(
    "adam-weights-swapped",
    replaces="adam_step",
    says="beta and 1 - beta have changed places in the averages: beta is the part of the old one that is kept, and the "
    "new gradient, or its square, counts 1 - beta.",
)
def adam_weights_swapped(params, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                mean, square, t = averages(p, state, (1 - betas[0], 1 - betas[1]))
                p -= lr * mean / (1 - betas[0] ** t) / ((square / (1 - betas[1] ** t)).sqrt() + eps)


@wrong(
    "adam-power-of-the-difference",
    replaces="adam_step",
    says="The averages were divided by (1 - beta)**t, which is right in the first step and then far too small. It is "
    "beta that has the power: 1 - beta**t.",
)
def adam_power_of_the_difference(params, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                mean, square, t = averages(p, state, betas)
                p -= lr * mean / (1 - betas[0]) ** t / ((square / (1 - betas[1]) ** t).sqrt() + eps)


@wrong(
    "adam-beta-times-t",
    replaces="adam_step",
    says="The averages were divided by 1 - beta * t, which is right in the first step alone and soon negative. What is "
    "left of the 0 at the start is beta to the power of t: 1 - beta**t.",
)
def adam_beta_times_t(params, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                mean, square, t = averages(p, state, betas)
                p -= lr * mean / (1 - betas[0] * t) / ((square / (1 - betas[1] * t)).sqrt() + eps)


@wrong(
    "adam-multiplies-the-correction",
    replaces="adam_step",
    says="The averages were multiplied by 1 - beta**t, where they are to be divided by it: they start at 0, are too "
    "small, and came out smaller still.",
)
def adam_multiplies_the_correction(params, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                mean, square, t = averages(p, state, betas)
                p -= lr * mean * (1 - betas[0] ** t) / ((square * (1 - betas[1] ** t)).sqrt() + eps)


@wrong(
    "adam-corrects-the-root",
    replaces="adam_step",
    says="The root of the average of the squares was divided by 1 - beta2**t, which belongs under the root: correct "
    "the average first, then take the root.",
)
def adam_corrects_the_root(params, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                mean, square, t = averages(p, state, betas)
                p -= lr * mean / (1 - betas[0] ** t) / (square.sqrt() / (1 - betas[1] ** t) + eps)


# ---- fine_tune_head


@wrong(
    "fine-tune-in-eval-mode",
    replaces="fine_tune_head",
    says="The model is in eval mode now. That switches dropout off and batch norm to its running statistics, and "
    "freezes no parameter: requires_grad does. The modes are to stay as they are.",
)
def fine_tune_in_eval_mode(model, classes, lr):
    model.eval()
    model.requires_grad_(False)
    model.head = nn.Linear(model.head.in_features, classes)
    return torch.optim.SGD(model.head.parameters(), lr=lr)


@wrong(
    "fine-tune-ends-in-eval-mode",
    replaces="fine_tune_head",
    says="All of the model is in eval mode now, its new head too, though it is about to be trained: eval() freezes no "
    "parameter, requires_grad does. The modes are to stay as they are.",
)
def fine_tune_ends_in_eval_mode(model, classes, lr):
    model.requires_grad_(False)
    model.head = nn.Linear(model.head.in_features, classes)
    model.eval()
    return torch.optim.SGD(model.head.parameters(), lr=lr)


@wrong(
    "fine-tune-asks-for-body",
    replaces="fine_tune_head",
    says="This model has no attribute `body`: of its parts only `head` is known by name. model.parameters() has those "
    "of all parts, whatever they are called.",
)
def fine_tune_asks_for_body(model, classes, lr):
    model.body.requires_grad_(False)


@wrong(
    "fine-tune-with-adam",
    replaces="fine_tune_head",
    says="The optimizer is no torch.optim.SGD, which the contract asks for.",
)
def fine_tune_with_adam(model, classes, lr):
    model.requires_grad_(False)
    model.head = nn.Linear(model.head.in_features, classes)
    return torch.optim.Adam(model.head.parameters(), lr=lr)


@wrong(
    "fine-tune-counts-the-outputs",
    replaces="fine_tune_head",
    says="The new head takes as many inputs as the old one has outputs. It stands in the same place and gets what the "
    "old one got: in_features of them.",
)
def fine_tune_counts_the_outputs(model, classes, lr):
    model.requires_grad_(False)
    model.head = nn.Linear(model.head.out_features, classes)
    return torch.optim.SGD(model.head.parameters(), lr=lr)


@wrong(
    "fine-tune-freezes-the-head",
    replaces="fine_tune_head",
    says="It is the new head that was frozen, and the body that still requires a gradient. The optimizer holds the "
    "head, which never gets one: nothing is trained.",
)
def fine_tune_freezes_the_head(model, classes, lr):
    model.head = nn.Linear(model.head.in_features, classes)
    model.head.requires_grad_(False)
    return torch.optim.SGD(model.head.parameters(), lr=lr)


@wrong(
    "fine-tune-trains-the-body",
    replaces="fine_tune_head",
    says="The body is trained and the new head is not: the optimizer holds what requires a gradient, and it is the "
    "head that was frozen.",
)
def fine_tune_trains_the_body(model, classes, lr):
    model.head = nn.Linear(model.head.in_features, classes)
    model.head.requires_grad_(False)
    return torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=lr)


@wrong(
    "r06-optimizer-wrong-model",
    replaces="fine_tune_head",
    says="The optimizer holds parameters that are not in the model: those of the head that was replaced, or of a "
    "copy. It keeps the tensors that it was given when it was made, so make it last; the new head would never "
    "move.",
)
def optimizer_of_the_old_head(model, classes, lr):
    model.requires_grad_(False)
    optimizer = torch.optim.SGD(model.head.parameters(), lr=lr)
    model.head = nn.Linear(model.head.in_features, classes)
    return optimizer


@wrong(
    "r09-unlisted-grads",
    replaces="fine_tune_head",
    says="The body still requires a gradient, and the optimizer does not hold it: each backward pass fills its "
    ".grad, optimizer.zero_grad() never clears it, and it piles up. Freeze what is not to be trained.",
)
def body_not_frozen(model, classes, lr):
    model.head = nn.Linear(model.head.in_features, classes)
    return torch.optim.SGD(model.head.parameters(), lr=lr)


@wrong(
    "body-trained-too",
    replaces="fine_tune_head",
    says="The body is trained too: its parameters require a gradient, and the optimizer holds them.",
)
def body_trained_too(model, classes, lr):
    model.head = nn.Linear(model.head.in_features, classes)
    return torch.optim.SGD(model.parameters(), lr=lr)


@wrong(
    "frozen-body-in-the-optimizer",
    replaces="fine_tune_head",
    says="The body is frozen, and the optimizer holds it all the same: a .grad that is left over there would still "
    "move it. Hand over the head's parameters alone.",
)
def frozen_body_in_the_optimizer(model, classes, lr):
    model.requires_grad_(False)
    model.head = nn.Linear(model.head.in_features, classes)
    return torch.optim.SGD(model.parameters(), lr=lr)


@wrong(
    "new-head-frozen-too",
    replaces="fine_tune_head",
    says="The new head is frozen with all the rest, and nothing is left to train: freeze first, then put in the "
    "new head, which requires a gradient by itself.",
)
def new_head_frozen_too(model, classes, lr):
    model.head = nn.Linear(model.head.in_features, classes)
    model.requires_grad_(False)
    return torch.optim.SGD(model.head.parameters(), lr=lr)


@wrong(
    "old-head-renamed",
    replaces="fine_tune_head",
    says="The old head is still there, with as many outputs as before. A new nn.Linear has to take its place: "
    "out_features is a note of its size, and to change the note changes no parameter.",
)
def old_head_renamed(model, classes, lr):
    model.requires_grad_(False)
    model.head.out_features = classes
    model.head.requires_grad_(True)
    return torch.optim.SGD(model.head.parameters(), lr=lr)


@wrong(
    "new-head-never-called",
    replaces="fine_tune_head",
    says="The new layer stands beside the old head, under a name that the model's forward does not know: it is "
    "never called and never trained.",
)
def new_head_never_called(model, classes, lr):
    model.requires_grad_(False)
    model.classifier = nn.Linear(model.head.in_features, classes)
    return torch.optim.SGD(model.classifier.parameters(), lr=lr)


@wrong(
    "new-head-on-the-old",
    replaces="fine_tune_head",
    says="The new layer stands behind the old head and sees its few outputs, not the features that came into it: "
    "the old head is to be replaced.",
)
def new_head_on_the_old(model, classes, lr):
    model.requires_grad_(False)
    model.head = nn.Sequential(model.head, nn.Linear(model.head.out_features, classes))
    return torch.optim.SGD(model.head[1].parameters(), lr=lr)


@wrong(
    "new-head-without-bias",
    replaces="fine_tune_head",
    says="The new head has no bias.",
)
def new_head_without_bias(model, classes, lr):
    model.requires_grad_(False)
    model.head = nn.Linear(model.head.in_features, classes, bias=False)
    return torch.optim.SGD(model.head.parameters(), lr=lr)


@wrong(
    "head-weight-alone-in-the-optimizer",
    replaces="fine_tune_head",
    says="The optimizer holds the head's weight, its bias was forgotten: that has a gradient, and never moves.",
)
def head_weight_alone(model, classes, lr):
    model.requires_grad_(False)
    model.head = nn.Linear(model.head.in_features, classes)
    return torch.optim.SGD([model.head.weight], lr=lr)


@wrong(
    "head-lr-by-default",
    replaces="fine_tune_head",
    says="The learning rate did not arrive: the optimizer has torch's default of 0.001.",
)
def head_lr_by_default(model, classes, lr):
    model.requires_grad_(False)
    model.head = nn.Linear(model.head.in_features, classes)
    return torch.optim.SGD(model.head.parameters(), lr=0.001)


@wrong(
    "optimizer-not-returned",
    replaces="fine_tune_head",
    says="No optimizer came back: the model may be right, but without a return the caller gets None.",
)
def optimizer_not_returned(model, classes, lr):
    model.requires_grad_(False)
    model.head = nn.Linear(model.head.in_features, classes)
    torch.optim.SGD(model.head.parameters(), lr=lr)
