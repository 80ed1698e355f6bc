"""Wrong answers to katas/06_training/accumulation.py."""

import torch
from torch import nn

from torchkatas.bank import wrong


def shares(batches):
    """Each micro-batch with the part of the examples that it holds."""
    total = sum(len(y) for _, y in batches)
    return [(X, y, len(y) / total) for X, y in batches]


def grouped(loader, k):
    batches = list(loader)
    return [batches[i : i + k] for i in range(0, len(batches), k)]


def group_backward(model, loss_fn, batches):
    """The backward passes of a group as they should be, and its mean loss."""
    mean = 0.0
    for X, y, share in shares(batches):
        loss = loss_fn(model(X), y) * share
        loss.backward()
        mean += loss.item()
    return mean


def mean_over_examples(group):
    return sum(mean * n for mean, n in group) / sum(n for _, n in group)


# ---- accumulate


@wrong(
    "r10-accum-no-scale",
    replaces="accumulate",
    says="The gradient is k times too large: the means of k micro-batches were added up, where their mean is asked. "
    "Divide each loss by k before its backward. (Adam hides this fault, since it rescales every gradient.)",
    fact="05.13",
)
def no_scale(model, loss_fn, batches):
    model.zero_grad()
    for X, y in batches:
        loss_fn(model(X), y).backward()


@wrong(
    "accum-last-alone",
    replaces="accumulate",
    says="Only the last micro-batch is in .grad: the gradients were cleared before each one, and what the others had "
    "left is lost. Clear once, before the first.",
    fact="05.13",
)
def last_alone(model, loss_fn, batches):
    for X, y in batches:
        model.zero_grad()
        (loss_fn(model(X), y) / len(batches)).backward()


@wrong(
    "accum-stale",
    replaces="accumulate",
    says="What stood in .grad before the call is part of the sum: backward() adds and never replaces. Clear the "
    "gradients once, before the first micro-batch.",
    fact="05.13",
)
def stale(model, loss_fn, batches):
    for X, y in batches:
        (loss_fn(model(X), y) / len(batches)).backward()


@wrong(
    "accum-by-examples",
    replaces="accumulate",
    says="The gradient is too small by the number of examples in a micro-batch. loss_fn has divided by that number "
    "already, so what is left to divide by is the number of micro-batches, not that of all examples.",
)
def by_examples(model, loss_fn, batches):
    model.zero_grad()
    total = sum(len(y) for _, y in batches)
    for X, y in batches:
        (loss_fn(model(X), y) / total).backward()


@wrong(
    "accum-by-the-micro-batch",
    replaces="accumulate",
    says="Each loss was divided by the number of examples in its micro-batch, which the mean has done already. What is "
    "left to divide by is the number of micro-batches, whatever their size.",
)
def by_the_micro_batch(model, loss_fn, batches):
    model.zero_grad()
    for X, y in batches:
        (loss_fn(model(X), y) / len(X)).backward()


@wrong(
    "accum-divided-each-time",
    replaces="accumulate",
    says="The early micro-batches count less than the late ones: the sum so far was divided by k after every backward, "
    "so that the first was divided k times. Divide each loss once, or the sum once, in the end.",
)
def divided_each_time(model, loss_fn, batches):
    model.zero_grad()
    for X, y in batches:
        loss_fn(model(X), y).backward()
        for p in model.parameters():
            p.grad /= len(batches)


@wrong(
    "accum-one-backward",
    replaces="accumulate",
    says="All micro-batches went forward before the first went backward, so that all their graphs were in memory at "
    "once, as many activations as the big batch needs. Call backward() on each loss as soon as it is there.",
)
def one_backward(model, loss_fn, batches):
    model.zero_grad()
    (sum(loss_fn(model(X), y) for X, y in batches) / len(batches)).backward()


@wrong(
    "accum-joined",
    replaces="accumulate",
    says="The gradient is right, but the model was shown the big batch in one piece. Accumulation is for batches that "
    "do not fit into memory: one micro-batch at a time.",
)
def joined(model, loss_fn, batches):
    model.zero_grad()
    loss_fn(model(torch.cat([X for X, _ in batches])), torch.cat([y for _, y in batches])).backward()


@wrong(
    "accum-steps-by-hand",
    replaces="accumulate",
    says="The parameters have moved. Here only .grad is asked for; the step is the optimizer's, when all gradients are "
    "there.",
)
def steps_by_hand(model, loss_fn, batches):
    accumulate_right(model, loss_fn, batches)
    with torch.no_grad():
        for p in model.parameters():
            p -= 0.1 * p.grad


def accumulate_right(model, loss_fn, batches):
    model.zero_grad()
    group_backward(model, loss_fn, batches)


@wrong(
    "accum-cleared-afterwards",
    replaces="accumulate",
    says="Nothing is left in .grad: the gradients were cleared after the last backward, or there was none. Clear "
    "before the first micro-batch, not behind.",
    fact="05.13",
)
def cleared_afterwards(model, loss_fn, batches):
    accumulate_right(model, loss_fn, batches)
    model.zero_grad()


@wrong(
    "accum-in-eval-mode",
    replaces="accumulate",
    says="The model was in eval mode when it went forward: dropout is off there, and batch norm learns no statistics. "
    "It came in train mode and is to stay in it.",
)
def in_eval_mode(model, loss_fn, batches):
    model.eval()
    accumulate_right(model, loss_fn, batches)


@wrong(
    "accum-without-a-graph",
    replaces="accumulate",
    says="The loss has no graph, and backward() nowhere to go: the forward pass ran under no_grad, which is for "
    "evaluation, or a detach() has cut it off.",
)
def without_a_graph(model, loss_fn, batches):
    group_backward(lambda X: model(X).detach(), loss_fn, batches)


# ---- accumulated_step


@wrong(
    "accum-step-loss-weighed-twice",
    replaces="accumulated_step",
    says="The steps are right, but the loss that came back is too small: each micro-batch's loss was weighed by its "
    "share before the backward, and once more when it was added up. Weighed once, they add up to the mean.",
)
def loss_weighed_twice(model, loss_fn, optimizer, batches):
    optimizer.zero_grad()
    mean = 0.0
    for X, y, share in shares(batches):
        loss = loss_fn(model(X), y) * share
        loss.backward()
        mean += loss.item() * share
    optimizer.step()
    return mean


@wrong(
    "accum-step-loss-divided-twice",
    replaces="accumulated_step",
    says="The steps are right, but the loss that came back is k times too small: losses that are weighed by their "
    "shares add up to the mean, and that was divided by their number once more.",
)
def loss_divided_twice(model, loss_fn, optimizer, batches):
    optimizer.zero_grad()
    mean = group_backward(model, loss_fn, batches)
    optimizer.step()
    return mean / len(batches)


@wrong(
    "accum-step-keeps-graphs",
    replaces="accumulated_step",
    says="The result is right, but until the end the losses were tensors, and the graph of every micro-batch was kept "
    "with them. Take .item() of each when its backward is done.",
)
def keeps_graphs(model, loss_fn, optimizer, batches):
    optimizer.zero_grad()
    mean = 0.0
    for X, y, share in shares(batches):
        loss = loss_fn(model(X), y) * share
        loss.backward()
        mean = mean + loss
    optimizer.step()
    return mean.item()


@wrong(
    "accum-step-in-eval-mode",
    replaces="accumulated_step",
    says="The model was in eval mode when it went forward: dropout is off there, and batch norm learns no statistics. "
    "It came in train mode and is to stay in it.",
)
def step_in_eval_mode(model, loss_fn, optimizer, batches):
    model.eval()
    optimizer.zero_grad()
    mean = group_backward(model, loss_fn, batches)
    optimizer.step()
    return mean


@wrong(
    "accum-step-without-a-graph",
    replaces="accumulated_step",
    says="The loss has no graph, and backward() nowhere to go: the forward pass ran under no_grad, which is for "
    "evaluation, or a detach() has cut it off.",
)
def step_without_a_graph(model, loss_fn, optimizer, batches):
    group_backward(lambda X: model(X).detach(), loss_fn, batches)


@wrong(
    "r11-accum-uneven",
    replaces="accumulated_step",
    says="Each micro-batch counts as 1/k, whatever its size, so that an example of a small one weighs more than the "
    "others, and the gradient is not that of the big batch. Weigh each mean by its share of the examples.",
    fact="05.13",
)
def uneven(model, loss_fn, optimizer, batches):
    optimizer.zero_grad()
    mean = 0.0
    for X, y, share in shares(batches):
        loss = loss_fn(model(X), y)
        (loss / len(batches)).backward()
        mean += loss.item() * share
    optimizer.step()
    return mean


@wrong(
    "accum-step-size-of-the-first",
    replaces="accumulated_step",
    says="The total was taken as k times the size of the first micro-batch. The others may be smaller or larger: count "
    "the examples that are there.",
)
def size_of_the_first(model, loss_fn, optimizer, batches):
    total = len(batches) * len(batches[0][1])
    optimizer.zero_grad()
    mean = 0.0
    for X, y, share in shares(batches):
        loss = loss_fn(model(X), y)
        (loss * len(y) / total).backward()
        mean += loss.item() * share
    optimizer.step()
    return mean


@wrong(
    "accum-step-of-the-sum",
    replaces="accumulated_step",
    says="The step follows the gradient of the sum of the losses, which is larger than that of the mean by the number "
    "of examples. What was multiplied by the size of each micro-batch is to be divided by the total.",
)
def of_the_sum(model, loss_fn, optimizer, batches):
    optimizer.zero_grad()
    mean = 0.0
    for X, y, share in shares(batches):
        loss = loss_fn(model(X), y) * len(y)
        loss.backward()
        mean += loss.item() * share / len(y)
    optimizer.step()
    return mean


@wrong(
    "accum-step-no-scale",
    replaces="accumulated_step",
    says="The means of the micro-batches were added up as they are. The step follows a gradient about k times too "
    "large; each mean is to be weighed by its share of the examples first.",
    fact="05.13",
)
def step_no_scale(model, loss_fn, optimizer, batches):
    optimizer.zero_grad()
    mean = 0.0
    for X, y, share in shares(batches):
        loss = loss_fn(model(X), y)
        loss.backward()
        mean += loss.item() * share
    optimizer.step()
    return mean


@wrong(
    "accum-step-each",
    replaces="accumulated_step",
    says="The optimizer stepped after every micro-batch: many small steps, each from another point, and no big batch. "
    "Let the gradients of all add up, then step once.",
)
def step_each(model, loss_fn, optimizer, batches):
    optimizer.zero_grad()
    mean = 0.0
    for X, y, share in shares(batches):
        loss = loss_fn(model(X), y) * share
        loss.backward()
        optimizer.step()
        mean += loss.item()
    return mean


@wrong(
    "accum-step-last-alone",
    replaces="accumulated_step",
    says="The step follows the last micro-batch alone: the gradients were cleared before each one. Clear once, before "
    "the first.",
    fact="05.13",
)
def step_last_alone(model, loss_fn, optimizer, batches):
    mean = 0.0
    for X, y, share in shares(batches):
        optimizer.zero_grad()
        loss = loss_fn(model(X), y) * share
        loss.backward()
        mean += loss.item()
    optimizer.step()
    return mean


@wrong(
    "accum-step-stale",
    replaces="accumulated_step",
    says="The gradients of earlier steps are still in the sum: .grad was never cleared. Clear it once, before the "
    "first micro-batch.",
    fact="05.13",
)
def step_stale(model, loss_fn, optimizer, batches):
    mean = group_backward(model, loss_fn, batches)
    optimizer.step()
    return mean


@wrong(
    "accum-step-cleared-after",
    replaces="accumulated_step",
    says="The first step follows what stood in .grad before the call too: the gradients are cleared after the step "
    "alone, and the first micro-batch added to what was there.",
)
def step_cleared_after(model, loss_fn, optimizer, batches):
    mean = group_backward(model, loss_fn, batches)
    optimizer.step()
    optimizer.zero_grad()
    return mean


@wrong(
    "accum-step-cleared-before-step",
    replaces="accumulated_step",
    says="The step found no gradients, and nothing was learned: they were cleared between the last backward and the "
    "step.",
)
def step_cleared_before_step(model, loss_fn, optimizer, batches):
    mean = group_backward(model, loss_fn, batches)
    optimizer.zero_grad()
    optimizer.step()
    return mean


@wrong(
    "accum-step-forgotten",
    replaces="accumulated_step",
    says="The gradients are there, but the optimizer never stepped: the model stays as it was.",
)
def step_forgotten(model, loss_fn, optimizer, batches):
    optimizer.zero_grad()
    return group_backward(model, loss_fn, batches)


@wrong(
    "accum-step-mean-of-means",
    replaces="accumulated_step",
    says="The loss that came back is the mean of the micro-batches' means, in which an example of a small one weighs "
    "more. The mean over all examples weighs each micro-batch by its size.",
)
def mean_of_means(model, loss_fn, optimizer, batches):
    optimizer.zero_grad()
    means = []
    for X, y, share in shares(batches):
        loss = loss_fn(model(X), y)
        (loss * share).backward()
        means.append(loss.item())
    optimizer.step()
    return sum(means) / len(means)


@wrong(
    "accum-step-last-loss",
    replaces="accumulated_step",
    says="The loss that came back is that of the last micro-batch alone, not the mean over the examples of all.",
)
def last_loss(model, loss_fn, optimizer, batches):
    optimizer.zero_grad()
    for X, y, share in shares(batches):
        loss = loss_fn(model(X), y)
        (loss * share).backward()
    optimizer.step()
    return loss.item()


@wrong(
    "accum-step-last-share",
    replaces="accumulated_step",
    says="The loss that came back is that of the last micro-batch, weighed by its share: one part of the mean. The "
    "parts of all of them are to be added up.",
)
def last_share(model, loss_fn, optimizer, batches):
    optimizer.zero_grad()
    for X, y, share in shares(batches):
        loss = loss_fn(model(X), y) * share
        loss.backward()
    optimizer.step()
    return loss.item()


@wrong(
    "accum-step-sum-of-losses",
    replaces="accumulated_step",
    says="The loss that came back is the sum of the micro-batches' means, which grows with their number. Weigh each by "
    "its share of the examples and it is the mean over all.",
)
def sum_of_losses(model, loss_fn, optimizer, batches):
    optimizer.zero_grad()
    total = 0.0
    for X, y, share in shares(batches):
        loss = loss_fn(model(X), y)
        (loss * share).backward()
        total += loss.item()
    optimizer.step()
    return total


@wrong(
    "accum-step-loss-as-tensor",
    replaces="accumulated_step",
    says="The loss came back as a tensor that still hangs on the graphs of all micro-batches and keeps them in memory; "
    ".item() makes a Python float of each.",
)
def loss_as_tensor(model, loss_fn, optimizer, batches):
    optimizer.zero_grad()
    mean = 0.0
    for X, y, share in shares(batches):
        loss = loss_fn(model(X), y) * share
        loss.backward()
        mean += loss
    optimizer.step()
    return mean


@wrong(
    "accum-step-one-backward",
    replaces="accumulated_step",
    says="All micro-batches went forward before the first went backward, so that all their graphs were in memory at "
    "once. Call backward() on each loss as soon as it is there.",
)
def step_one_backward(model, loss_fn, optimizer, batches):
    optimizer.zero_grad()
    mean = sum(loss_fn(model(X), y) * share for X, y, share in shares(batches))
    mean.backward()
    optimizer.step()
    return mean.item()


@wrong(
    "accum-step-joined",
    replaces="accumulated_step",
    says="The result is right, but the model was shown the big batch in one piece, which is what micro-batches are "
    "there to avoid.",
)
def step_joined(model, loss_fn, optimizer, batches):
    optimizer.zero_grad()
    loss = loss_fn(model(torch.cat([X for X, _ in batches])), torch.cat([y for _, y in batches]))
    loss.backward()
    optimizer.step()
    return loss.item()


# ---- accumulated_epoch


@wrong(
    "accum-epoch-loss-weighed-twice",
    replaces="accumulated_epoch",
    says="The steps are right, but the losses that came back are too small: each batch's loss was weighed by its share "
    "before the backward, and once more when it was added up. Weighed once, they add up to the mean.",
)
def epoch_loss_weighed_twice(model, loss_fn, optimizer, loader, k):
    losses = []
    for group in grouped(loader, k):
        optimizer.zero_grad()
        mean = 0.0
        for X, y, share in shares(group):
            loss = loss_fn(model(X), y) * share
            loss.backward()
            mean += loss.item() * share
        optimizer.step()
        losses.append(mean)
    return losses


@wrong(
    "accum-epoch-loss-divided-twice",
    replaces="accumulated_epoch",
    says="The steps are right, but the losses that came back are too small: losses that are weighed by their shares "
    "add up to the mean of the group, and that was divided by the number of its batches once more.",
)
def epoch_loss_divided_twice(model, loss_fn, optimizer, loader, k):
    return [accumulated_step(model, loss_fn, optimizer, group) / len(group) for group in grouped(loader, k)]  # noqa: F821


@wrong(
    "accum-epoch-keeps-graphs-of-a-group",
    replaces="accumulated_epoch",
    says="The result is right, but the loss of a group was a tensor until its step, and the graph of each of its "
    "batches was kept with it. Take .item() of each batch's loss when its backward is done.",
)
def epoch_keeps_graphs_of_a_group(model, loss_fn, optimizer, loader, k):
    losses = []
    for group in grouped(loader, k):
        optimizer.zero_grad()
        mean = 0.0
        for X, y, share in shares(group):
            loss = loss_fn(model(X), y) * share
            loss.backward()
            mean = mean + loss
        optimizer.step()
        losses.append(mean.item())
    return losses


@wrong(
    "accum-epoch-keeps-graphs",
    replaces="accumulated_epoch",
    says="The result is right, but the losses were made floats only at the end of the epoch: till then they were "
    "tensors, and kept the graph of every batch. Take .item() of each loss when its backward is done.",
)
def epoch_keeps_graphs(model, loss_fn, optimizer, loader, k):
    losses = []
    for group in grouped(loader, k):
        optimizer.zero_grad()
        mean = 0.0
        for X, y, share in shares(group):
            loss = loss_fn(model(X), y) * share
            loss.backward()
            mean = mean + loss
        optimizer.step()
        losses.append(mean)
    return [mean.item() for mean in losses]


@wrong(
    "accum-epoch-losses-as-tensors",
    replaces="accumulated_epoch",
    says="The losses came back as tensors that still hang on the graphs of all batches and keep them in memory; "
    ".item() makes a Python float of each.",
)
def epoch_losses_as_tensors(model, loss_fn, optimizer, loader, k):
    losses = []
    for group in grouped(loader, k):
        optimizer.zero_grad()
        mean = 0.0
        for X, y, share in shares(group):
            loss = loss_fn(model(X), y) * share
            loss.backward()
            mean = mean + loss
        optimizer.step()
        losses.append(mean)
    return losses


@wrong(
    "accum-epoch-cleared-before-step",
    replaces="accumulated_epoch",
    says="The steps found no gradients, and nothing was learned: they were cleared between the backward passes of a "
    "group and its step.",
    fact="05.13",
)
def epoch_cleared_before_step(model, loss_fn, optimizer, loader, k):
    losses = []
    for group in grouped(loader, k):
        losses.append(group_backward(model, loss_fn, group))
        optimizer.zero_grad()
        optimizer.step()
    return losses


@wrong(
    "accum-epoch-in-eval-mode",
    replaces="accumulated_epoch",
    says="The model was in eval mode when it went forward: dropout is off there, and batch norm learns no statistics. "
    "It came in train mode and is to stay in it.",
)
def epoch_in_eval_mode(model, loss_fn, optimizer, loader, k):
    model.eval()
    return [accumulated_step(model, loss_fn, optimizer, group) for group in grouped(loader, k)]  # noqa: F821


@wrong(
    "accum-epoch-without-a-graph",
    replaces="accumulated_epoch",
    says="The loss has no graph, and backward() nowhere to go: the forward pass ran under no_grad, which is for "
    "evaluation, or a detach() has cut it off.",
)
def epoch_without_a_graph(model, loss_fn, optimizer, loader, k):
    group_backward(lambda X: model(X).detach(), loss_fn, list(loader))


@wrong(
    "r13-accum-zero-each",
    replaces="accumulated_epoch",
    says="Each step follows the last batch of its group alone: the gradients were cleared before every batch. Clear "
    "them once for each group, and let its batches add up.",
    fact="05.13",
)
def zero_each(model, loss_fn, optimizer, loader, k):
    losses = []
    for group in grouped(loader, k):
        mean = 0.0
        for X, y, share in shares(group):
            optimizer.zero_grad()
            loss = loss_fn(model(X), y) * share
            loss.backward()
            mean += loss.item()
        optimizer.step()
        losses.append(mean)
    return losses


@wrong(
    "accum-first-group-of-one",
    replaces="accumulated_epoch",
    says="The first group has one batch alone, and all others are shifted by it: 0 is a multiple of every k, so a "
    "count from 0 steps at once. The k-th batch has the index k - 1, so it is i + 1 that is to be divided.",
)
def first_group_of_one(model, loss_fn, optimizer, loader, k):
    losses, group = [], []
    optimizer.zero_grad()
    for i, (X, y) in enumerate(loader):
        loss = loss_fn(model(X), y)
        (loss / k).backward()
        group.append((loss.item(), len(y)))
        if i % k == 0:
            optimizer.step()
            optimizer.zero_grad()
            losses.append(mean_over_examples(group))
            group = []
    return losses


@wrong(
    "accum-rest-dropped",
    replaces="accumulated_epoch",
    says="The rest at the end, fewer than k batches, got no step: its examples train nothing. It is a smaller group, "
    "and is stepped too.",
)
def rest_dropped(model, loss_fn, optimizer, loader, k):
    return [accumulated_step(model, loss_fn, optimizer, group) for group in grouped(loader, k) if len(group) == k]  # noqa: F821


@wrong(
    "accum-rest-leaks",
    replaces="accumulated_epoch",
    says="The rest at the end got no step in its epoch, and its gradients stayed in .grad: they are in the first step "
    "of the next epoch. Step for the rest too.",
    fact="05.13",
)
def rest_leaks(model, loss_fn, optimizer, loader, k):
    losses, group = [], []
    for i, (X, y) in enumerate(loader):
        loss = loss_fn(model(X), y)
        (loss / k).backward()
        group.append((loss.item(), len(y)))
        if (i + 1) % k == 0:
            optimizer.step()
            optimizer.zero_grad()
            losses.append(mean_over_examples(group))
            group = []
    return losses


@wrong(
    "accum-rest-divided-by-k",
    replaces="accumulated_epoch",
    says="Every batch counts as 1/k, also in a group that has fewer than k, whose step is too short then, and also a "
    "last batch that is smaller. Weigh each batch by its share of the examples that its group has.",
)
def rest_divided_by_k(model, loss_fn, optimizer, loader, k):
    losses = []
    for group in grouped(loader, k):
        optimizer.zero_grad()
        mean = 0.0
        for X, y, share in shares(group):
            loss = loss_fn(model(X), y)
            (loss / k).backward()
            mean += loss.item() * share
        optimizer.step()
        losses.append(mean)
    return losses


@wrong(
    "accum-epoch-uneven",
    replaces="accumulated_epoch",
    says="Every batch of a group counts the same, and so each example of a smaller last batch weighs more than the "
    "others of its group. Weigh each batch by its share of the group's examples.",
)
def epoch_uneven(model, loss_fn, optimizer, loader, k):
    losses = []
    for group in grouped(loader, k):
        optimizer.zero_grad()
        mean = 0.0
        for X, y, share in shares(group):
            loss = loss_fn(model(X), y)
            (loss / len(group)).backward()
            mean += loss.item() * share
        optimizer.step()
        losses.append(mean)
    return losses


@wrong(
    "accum-epoch-of-the-sum",
    replaces="accumulated_epoch",
    says="The means of a group's batches were added up as they are: each step follows a gradient about as many times "
    "too large as the group has batches. Weigh each batch by its share of the group's examples.",
)
def epoch_of_the_sum(model, loss_fn, optimizer, loader, k):
    losses = []
    for group in grouped(loader, k):
        optimizer.zero_grad()
        mean = 0.0
        for X, y, share in shares(group):
            loss = loss_fn(model(X), y)
            loss.backward()
            mean += loss.item() * share
        optimizer.step()
        losses.append(mean)
    return losses


@wrong(
    "accum-epoch-never-clears",
    replaces="accumulated_epoch",
    says="The gradients of one group are still there in the next, and in the next epoch: .grad was not cleared between "
    "the steps.",
    fact="05.13",
)
def epoch_never_clears(model, loss_fn, optimizer, loader, k):
    losses = []
    for group in grouped(loader, k):
        losses.append(group_backward(model, loss_fn, group))
        optimizer.step()
    return losses


@wrong(
    "accum-epoch-starts-stale",
    replaces="accumulated_epoch",
    says="What stood in .grad before the call is in the first step: the gradients are cleared after each step alone. "
    "Clear them before the first batch too.",
)
def epoch_starts_stale(model, loss_fn, optimizer, loader, k):
    losses = []
    for group in grouped(loader, k):
        losses.append(group_backward(model, loss_fn, group))
        optimizer.step()
        optimizer.zero_grad()
    return losses


@wrong(
    "accum-epoch-steps-each",
    replaces="accumulated_epoch",
    says="The optimizer stepped after every batch, as if k were 1. Let the gradients of k batches add up before it "
    "steps.",
)
def epoch_steps_each(model, loss_fn, optimizer, loader, k):
    return [
        sum(accumulated_step(model, loss_fn, optimizer, [batch]) for batch in group) / len(group)  # noqa: F821
        for group in grouped(loader, k)
    ]


@wrong(
    "accum-epoch-empty-step",
    replaces="accumulated_epoch",
    says="There is a step too many at the end: the batches came out even, nothing was left over, and the optimizer "
    "stepped all the same. Where there is no rest, there is no step for it.",
)
def epoch_empty_step(model, loss_fn, optimizer, loader, k):
    losses = [accumulated_step(model, loss_fn, optimizer, group) for group in grouped(loader, k)]  # noqa: F821
    if len(loader) % k == 0:
        optimizer.zero_grad()
        optimizer.step()
    return losses


@wrong(
    "accum-epoch-joined",
    replaces="accumulated_epoch",
    says="The steps are right, but the k batches of a group were joined and shown to the model in one piece, which "
    "takes the memory that accumulation is there to save.",
)
def epoch_joined(model, loss_fn, optimizer, loader, k):
    return [
        accumulated_step(model, loss_fn, optimizer, [(torch.cat([X for X, _ in g]), torch.cat([y for _, y in g]))])  # noqa: F821
        for g in grouped(loader, k)
    ]


@wrong(
    "accum-epoch-loss-of-each-batch",
    replaces="accumulated_epoch",
    says="A loss came back for every batch. One for each step is asked: the mean over the examples of its group.",
)
def loss_of_each_batch(model, loss_fn, optimizer, loader, k):
    losses = []
    for group in grouped(loader, k):
        optimizer.zero_grad()
        for X, y, share in shares(group):
            loss = loss_fn(model(X), y)
            (loss * share).backward()
            losses.append(loss.item())
        optimizer.step()
    return losses


@wrong(
    "accum-epoch-mean-of-means",
    replaces="accumulated_epoch",
    says="A group's loss came back as the mean of its batches' means, in which an example of a smaller batch weighs "
    "more. Weigh each batch by its size.",
)
def epoch_mean_of_means(model, loss_fn, optimizer, loader, k):
    losses = []
    for group in grouped(loader, k):
        optimizer.zero_grad()
        means = []
        for X, y, share in shares(group):
            loss = loss_fn(model(X), y)
            (loss * share).backward()
            means.append(loss.item())
        optimizer.step()
        losses.append(sum(means) / len(means))
    return losses


# ---- clip


def gradients(params):
    return [p.grad for p in params if p.grad is not None]


def factor(max_norm, norm):
    return min(1.0, max_norm / (norm + 1e-6))


def length(tensors):
    return torch.cat([t.flatten() for t in tensors]).norm().item()


@wrong(
    "clip-each-parameter",
    replaces="clip",
    says="Each gradient was clipped by its own norm, so that long ones shrink more than short ones and the step points "
    "elsewhere. All share one factor, made of the norm over all of them together.",
)
def each_parameter(params, max_norm):
    params = list(params)
    norm = length(gradients(params))
    for p in params:
        nn.utils.clip_grad_norm_([p], max_norm)
    return norm


@wrong(
    "clip-by-value",
    replaces="clip",
    says="Each element was cut off at ±max_norm by itself: the large ones shrink, the small ones stay, and the step "
    "points elsewhere. It is the norm over all gradients that is to be limited, by one factor.",
)
def by_value(params, max_norm):
    params = list(params)
    norm = length(gradients(params))
    nn.utils.clip_grad_value_(params, max_norm)
    return norm


@wrong(
    "clip-stretches",
    replaces="clip",
    says="Gradients that were shorter than max_norm were stretched to it. Clipping only ever shrinks: the factor is "
    "max_norm / norm, but never above 1.",
)
def stretches(params, max_norm):
    found = gradients(params)
    norm = length(found)
    for g in found:
        g.mul_(max_norm / (norm + 1e-6))
    return norm


@wrong(
    "clip-norm-after",
    replaces="clip",
    says="The norm that came back is the one after clipping, which is never above max_norm and tells nothing about the "
    "gradients: measure before you scale.",
)
def norm_after(params, max_norm):
    params = list(params)
    nn.utils.clip_grad_norm_(params, max_norm)
    return length(gradients(params))


@wrong(
    "clip-norm-as-tensor",
    replaces="clip",
    says="The norm came back as a tensor, which is what clip_grad_norm_ returns; .item() makes a Python float of it.",
)
def norm_as_tensor(params, max_norm):
    return nn.utils.clip_grad_norm_(params, max_norm)


@wrong(
    "clip-without-root",
    replaces="clip",
    says="The root is missing: the sum of squares was taken for the norm, which is its root, and so the gradients are "
    "shrunk far too much.",
)
def without_root(params, max_norm):
    found = gradients(params)
    norm = sum((g**2).sum().item() for g in found)
    for g in found:
        g.mul_(factor(max_norm, norm))
    return norm


@wrong(
    "clip-divides-by-zero",
    replaces="clip",
    says="max_norm was divided by the norm, which is 0 where all gradients are: these are short enough and stay as "
    "they are. Divide only where the norm is above max_norm.",
)
def divides_by_zero(params, max_norm):
    found = gradients(params)
    norm = length(found)
    for g in found:
        g.mul_(min(1.0, max_norm / norm))
    return norm


@wrong(
    "clip-sum-of-norms",
    replaces="clip",
    says="The norms of the parameters' gradients were added up. Lengths at right angles do not add up, their squares "
    "do: the root of the sum of the squared norms.",
)
def sum_of_norms(params, max_norm):
    found = gradients(params)
    norm = sum(g.norm().item() for g in found)
    for g in found:
        g.mul_(factor(max_norm, norm))
    return norm


@wrong(
    "clip-one-norm",
    replaces="clip",
    says="The norm is the sum of all absolute values, the 1-norm, which is more than the length of the gradient: what "
    "is clipped by it is shrunk too far. The length is the 2-norm, the root of the sum of the squares.",
)
def one_norm(params, max_norm):
    return nn.utils.clip_grad_norm_(params, max_norm, norm_type=1).item()


@wrong(
    "clip-inf-norm",
    replaces="clip",
    says="The norm is the largest absolute value of all, which is less than the length of the gradient: what is "
    "clipped by it is still too long. The length is the 2-norm, the root of the sum of the squares.",
)
def inf_norm(params, max_norm):
    return nn.utils.clip_grad_norm_(params, max_norm, norm_type=float("inf")).item()


@wrong(
    "clip-trips-over-none",
    replaces="clip",
    says="A .grad may be None, as that of a frozen or unused parameter is. It adds nothing to the norm: pass it over.",
)
def trips_over_none(params, max_norm):
    found = [p.grad for p in params]
    norm = sum(g.norm().item() ** 2 for g in found) ** 0.5
    for g in found:
        g.mul_(factor(max_norm, norm))
    return norm


@wrong(
    "clip-generator-spent",
    replaces="clip",
    says="The norm is right, but nothing was scaled. The parameters came as a generator, and the loop for the norm had "
    "used it up: the loop that scales found it empty. Make a list of it first.",
)
def generator_spent(params, max_norm):
    norm = length([p.grad for p in params if p.grad is not None])
    for p in params:
        if p.grad is not None:
            p.grad.mul_(factor(max_norm, norm))
    return norm


@wrong(
    "clip-of-a-name",
    replaces="clip",
    says="The norm is right, but every gradient is as it was: the product was given a name of its own, and .grad still "
    "holds the old tensor. Multiply in place, or assign to p.grad.",
)
def of_a_name(params, max_norm):
    found = gradients(params)
    norm = length(found)
    for g in found:
        g = g * factor(max_norm, norm)
    return norm


@wrong(
    "clip-of-the-values",
    replaces="clip",
    says="The parameters were scaled, and the gradients are as they were; it is .grad that is to be clipped.",
)
def of_the_values(params, max_norm):
    params = [p for p in params if p.grad is not None]
    norm = length(gradients(params))
    with torch.no_grad():
        for p in params:
            p.mul_(factor(max_norm, norm))
    return norm


@wrong(
    "clip-norm-of-the-values",
    replaces="clip",
    says="The norm was taken of the parameters' values; it is that of their gradients that is to be limited.",
)
def norm_of_the_values(params, max_norm):
    params = [p for p in params if p.grad is not None]
    norm = length([p.detach() for p in params])
    for p in params:
        p.grad.mul_(factor(max_norm, norm))
    return norm


# ---- clipped_step


@wrong(
    "clip-step-in-eval-mode",
    replaces="clipped_step",
    says="The model was in eval mode when it went forward: dropout is off there, and batch norm learns no statistics. "
    "It came in train mode and is to stay in it.",
)
def clip_step_in_eval_mode(model, loss_fn, optimizer, batches, max_norm):
    model.eval()
    optimizer.zero_grad()
    group_backward(model, loss_fn, batches)
    norm = clip(model.parameters(), max_norm)  # noqa: F821
    optimizer.step()
    return norm


@wrong(
    "clip-step-without-a-graph",
    replaces="clipped_step",
    says="The loss has no graph, and backward() nowhere to go: the forward pass ran under no_grad, which is for "
    "evaluation, or a detach() has cut it off.",
)
def clip_step_without_a_graph(model, loss_fn, optimizer, batches, max_norm):
    group_backward(lambda X: model(X).detach(), loss_fn, batches)


@wrong(
    "clip-step-cleared-before-step",
    replaces="clipped_step",
    says="The norm is right, but the step found no gradients, and nothing was learned: they were cleared between "
    "clipping and the step.",
)
def clip_step_cleared_before_step(model, loss_fn, optimizer, batches, max_norm):
    optimizer.zero_grad()
    group_backward(model, loss_fn, batches)
    norm = clip(model.parameters(), max_norm)  # noqa: F821
    optimizer.zero_grad()
    optimizer.step()
    return norm


@wrong(
    "clip-step-norm-as-tensor",
    replaces="clipped_step",
    says="The norm came back as a tensor, which is what clip_grad_norm_ returns; .item() makes a Python float of it.",
)
def clip_step_norm_as_tensor(model, loss_fn, optimizer, batches, max_norm):
    optimizer.zero_grad()
    group_backward(model, loss_fn, batches)
    norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return norm


@wrong(
    "clip-step-of-the-loss",
    replaces="clipped_step",
    says="The gradient was clipped right, but what came back is the mean loss; the norm before clipping is asked.",
)
def clip_step_of_the_loss(model, loss_fn, optimizer, batches, max_norm):
    optimizer.zero_grad()
    mean = group_backward(model, loss_fn, batches)
    clip(model.parameters(), max_norm)  # noqa: F821
    optimizer.step()
    return mean


@wrong(
    "clip-each-micro-batch",
    replaces="clipped_step",
    says="The gradients were clipped after each micro-batch, before the others had been added: a part of the sum was "
    "cut down, and what came later was not. Clip once, after the last backward.",
)
def clip_each(model, loss_fn, optimizer, batches, max_norm):
    optimizer.zero_grad()
    for X, y, share in shares(batches):
        (loss_fn(model(X), y) * share).backward()
        norm = clip(model.parameters(), max_norm)  # noqa: F821
    optimizer.step()
    return norm


@wrong(
    "clip-after-step",
    replaces="clipped_step",
    says="The step was taken with the full gradient: clipping came only after it, or the norm was measured and nothing "
    "scaled. Clip between the last backward and the step.",
)
def after_step(model, loss_fn, optimizer, batches, max_norm):
    optimizer.zero_grad()
    group_backward(model, loss_fn, batches)
    optimizer.step()
    return clip(model.parameters(), max_norm)  # noqa: F821


@wrong(
    "clip-before-backward",
    replaces="clipped_step",
    says="There was nothing to clip yet: before the first backward .grad is empty, its norm 0, and the step was taken "
    "with the full gradient. Clip after the last backward.",
)
def before_backward(model, loss_fn, optimizer, batches, max_norm):
    optimizer.zero_grad(set_to_none=False)
    norm = clip(model.parameters(), max_norm)  # noqa: F821
    group_backward(model, loss_fn, batches)
    optimizer.step()
    return norm


@wrong(
    "clip-before-the-last-backward",
    replaces="clipped_step",
    says="Clipping came before the last micro-batch's backward, whose gradient was then added in full. The norm of the "
    "big batch is known only after the last backward.",
)
def before_the_last_backward(model, loss_fn, optimizer, batches, max_norm):
    optimizer.zero_grad(set_to_none=False)
    for X, y, share in shares(batches):
        loss = loss_fn(model(X), y) * share
        norm = clip(model.parameters(), max_norm)  # noqa: F821
        loss.backward()
    optimizer.step()
    return norm


@wrong(
    "clip-stale",
    replaces="clipped_step",
    says="Gradients from before the call were in the sum that was clipped: .grad was not cleared before the first "
    "micro-batch.",
    fact="05.13",
)
def clip_stale(model, loss_fn, optimizer, batches, max_norm):
    group_backward(model, loss_fn, batches)
    norm = clip(model.parameters(), max_norm)  # noqa: F821
    optimizer.step()
    return norm


@wrong(
    "clip-of-the-sum",
    replaces="clipped_step",
    says="What was clipped is the sum of the micro-batches' gradients, not the big batch's, which is their mean. The "
    "norm is too large, and gradients are clipped that are short enough.",
)
def clip_of_the_sum(model, loss_fn, optimizer, batches, max_norm):
    optimizer.zero_grad()
    for X, y in batches:
        loss_fn(model(X), y).backward()
    norm = clip(model.parameters(), max_norm)  # noqa: F821
    optimizer.step()
    return norm


@wrong(
    "clip-uneven",
    replaces="clipped_step",
    says="Each micro-batch counts as 1/k, whatever its size, so that what was clipped is not the gradient of the big "
    "batch. Weigh each mean by its share of the examples.",
)
def clip_uneven(model, loss_fn, optimizer, batches, max_norm):
    optimizer.zero_grad()
    for X, y in batches:
        (loss_fn(model(X), y) / len(batches)).backward()
    norm = clip(model.parameters(), max_norm)  # noqa: F821
    optimizer.step()
    return norm


@wrong(
    "clip-step-returns-max-norm",
    replaces="clipped_step",
    says="The norm that came back is the one after clipping. How long the gradient was before is what tells whether "
    "training is getting out of hand.",
)
def returns_the_norm_after(model, loss_fn, optimizer, batches, max_norm):
    optimizer.zero_grad()
    group_backward(model, loss_fn, batches)
    clip(model.parameters(), max_norm)  # noqa: F821
    norm = length(gradients(model.parameters()))
    optimizer.step()
    return norm


@wrong(
    "clip-step-each",
    replaces="clipped_step",
    says="The optimizer stepped after every micro-batch. The big batch gets one step, when all its gradients are there "
    "and clipped.",
)
def clip_step_each(model, loss_fn, optimizer, batches, max_norm):
    optimizer.zero_grad()
    for X, y, share in shares(batches):
        (loss_fn(model(X), y) * share).backward()
        norm = clip(model.parameters(), max_norm)  # noqa: F821
        optimizer.step()
    return norm


@wrong(
    "clip-step-one-backward",
    replaces="clipped_step",
    says="All micro-batches went forward before the first went backward, so that all their graphs were in memory at "
    "once. Call backward() on each loss as soon as it is there; clipping waits for the last.",
)
def clip_step_one_backward(model, loss_fn, optimizer, batches, max_norm):
    optimizer.zero_grad()
    sum(loss_fn(model(X), y) * share for X, y, share in shares(batches)).backward()
    norm = clip(model.parameters(), max_norm)  # noqa: F821
    optimizer.step()
    return norm
