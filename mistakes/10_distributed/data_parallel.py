"""Wrong answers to katas/10_distributed/data_parallel.py."""

import copy
from contextlib import nullcontext

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from torchkatas.bank import wrong

# ---- wrap


@wrong(
    "z32-frozen-ddp",
    replaces="wrap",
    says="DistributedDataParallel refuses a model of which all parameters are frozen: there is nothing to average. "
    "Return such a model as it is.",
)
def frozen_ddp(model):
    return DistributedDataParallel(model)


@wrong(
    "z33-dataparallel",
    replaces="wrap",
    says="nn.DataParallel is something else: one process that splits its batch over several GPUs. It knows of no "
    "ranks: nothing is broadcast, nothing averaged. DistributedDataParallel is asked.",
    fact="09.7",
)
def dataparallel(model):
    return nn.DataParallel(model) if any(p.requires_grad for p in model.parameters()) else model


@wrong(
    "wrap-leaves-it-bare",
    replaces="wrap",
    says="The model came back as it was, with nothing around it: each rank keeps a model of its own and trains it "
    "alone. DistributedDataParallel makes the copies equal and averages their gradients.",
    fact="09.7",
)
def wrap_leaves_it_bare(model):
    return model


@wrong(
    "wrap-of-a-copy",
    replaces="wrap",
    says="A copy was wrapped: the model that was handed in keeps numbers of its own on each rank, and whoever "
    "holds it, an optimizer say, never sees it trained.",
)
def wrap_of_a_copy(model):
    if not any(parameter.requires_grad for parameter in model.parameters()):
        return model
    return DistributedDataParallel(copy.deepcopy(model))


@wrong(
    "equal-only-at-the-start",
    replaces="wrap",
    says="The copies start equal, but nothing averages their gradients: the model is not wrapped, and from the "
    "first step on each rank trains it alone.",
    fact="09.10",
)
def equal_only_at_the_start(model):
    if any(parameter.requires_grad for parameter in model.parameters()):
        broadcast_model(model)  # noqa: F821
    return model


@wrong(
    "wrap-unfreezes",
    replaces="wrap",
    says="A model with frozen parameters only was unfrozen to please DistributedDataParallel: they would all be "
    "trained now. Return it as it is.",
)
def wrap_unfreezes(model):
    if not any(parameter.requires_grad for parameter in model.parameters()):
        model.requires_grad_(True)
    return DistributedDataParallel(model)


@wrong(
    "partly-frozen-stays-bare",
    replaces="wrap",
    says="A model of which only some parameters are frozen came back unwrapped: the others are trained, and their "
    "gradients need averaging. Ask whether any is trained, not whether all are.",
    fact="09.10",
)
def partly_frozen_stays_bare(model):
    return DistributedDataParallel(model) if all(p.requires_grad for p in model.parameters()) else model


@wrong(
    "last-parameter-decides",
    replaces="wrap",
    says="A model whose last parameters are frozen came back unwrapped: the others are trained, and their gradients "
    "need averaging. Ask all parameters, not one.",
    fact="09.10",
)
def last_parameter_decides(model):
    return DistributedDataParallel(model) if list(model.parameters())[-1].requires_grad else model


@wrong(
    "wrap-keeps-its-buffers",
    replaces="wrap",
    says="The parameters are those of rank 0, the buffers are not: with broadcast_buffers=False the wrapper leaves "
    "them to each rank.",
    fact="09.7",
)
def wrap_keeps_its_buffers(model):
    if not any(parameter.requires_grad for parameter in model.parameters()):
        return model
    return DistributedDataParallel(model, broadcast_buffers=False)


@wrong(
    "first-parameter-decides",
    replaces="wrap",
    says="A model whose first parameters are frozen came back unwrapped: the others are trained, and their gradients "
    "need averaging. Ask all parameters, not one.",
    fact="09.10",
)
def first_parameter_decides(model):
    return DistributedDataParallel(model) if next(model.parameters()).requires_grad else model


@wrong(
    "device-ids-of-the-cpu",
    replaces="wrap",
    says="device_ids names a GPU, and the model is on the CPU, where DistributedDataParallel refuses it. Leave it out: "
    "without it the model stays on the device on which it is, GPU or CPU.",
)
def device_ids_of_the_cpu(model):
    if not any(parameter.requires_grad for parameter in model.parameters()):
        return model
    return DistributedDataParallel(model, device_ids=[dist.get_rank()])


# ---- labels


@wrong(
    "z13-attr-module",
    replaces="labels",
    says="DistributedDataParallel has no method `labels`: it passes on forward, and nothing else of the model's. The "
    "model itself is its attribute `module`.",
)
def attr_module(model, X):
    return model.labels(X)


@wrong(
    "module-of-a-bare-model",
    replaces="labels",
    says="Only the wrapper has an attribute `module`; a model that is not wrapped is asked itself. Which of the two it "
    "is, the model tells, not whether a group is up.",
)
def module_of_a_bare_model(model, X):
    return model.module.labels(X)


@wrong(
    "labels-by-argmax",
    replaces="labels",
    says="That is the argmax of the outputs. What the labels are is the model's business: its method says it.",
)
def labels_by_argmax(model, X):
    return model(X).argmax(dim=1)


@wrong(
    "outputs-for-labels",
    replaces="labels",
    says="These are the model's outputs; asked are its labels, for which it has a method of its own.",
)
def outputs_for_labels(model, X):
    return model(X)


@wrong(
    "labels-of-rank-0",
    replaces="labels",
    says="All ranks got the labels of rank 0's batch; each has one of its own, and nothing needs to be sent.",
)
def labels_of_rank_0(model, X):
    found = getattr(model, "module", model).labels(X)
    if dist.is_initialized():
        dist.broadcast(found, src=0)
    return found


# ---- new_head


def frozen_but_for_the_head(model):
    model.requires_grad_(False)
    model.head.requires_grad_(True)


def headed(model, classes):
    model.head = nn.Linear(model.head.in_features, classes, device=model.head.weight.device)


@wrong(
    "z14-replace-after-wrap",
    replaces="new_head",
    says="The head was replaced after the model was wrapped. DistributedDataParallel notes the parameters when it is "
    "made: the new ones are neither broadcast nor averaged. Change first, wrap last.",
    fact="09.7",
)
def replace_after_wrap(model, classes):
    frozen_but_for_the_head(model)
    ddp = DistributedDataParallel(model)
    headed(ddp.module, classes)
    return ddp


@wrong(
    "frozen-after-the-wrapper",
    replaces="new_head",
    says="The body was frozen after the model was wrapped: the wrapper waits for gradients of it that never come, so "
    "the head's are not averaged either, and the next forward pass raises. Freeze first, wrap last.",
    fact="09.10",
)
def frozen_after_the_wrapper(model, classes):
    headed(model, classes)
    ddp = DistributedDataParallel(model)
    frozen_but_for_the_head(model)
    return ddp


@wrong(
    "head-frozen-too",
    replaces="new_head",
    says="The new head was frozen with the rest: nothing is left to be trained, and DistributedDataParallel refuses "
    "the model. A new nn.Linear is trainable: freeze before it comes in.",
)
def head_frozen_too(model, classes):
    headed(model, classes)
    model.requires_grad_(False)
    return DistributedDataParallel(model)


@wrong(
    "data-parallel-body-trained-too",
    replaces="new_head",
    says="The rest of the model is trained too: only the head was to be, all other parameters frozen.",
)
def body_trained_too(model, classes):
    headed(model, classes)
    return DistributedDataParallel(model)


@wrong(
    "old-head-kept",
    replaces="new_head",
    says="The head is still the old one: a new nn.Linear with one output for each class is to take its place.",
)
def old_head_kept(model, classes):
    model.requires_grad_(False)
    model.head.requires_grad_(True)
    return DistributedDataParallel(model)


@wrong(
    "new-head-unshared",
    replaces="new_head",
    says="The model is not wrapped: each rank has drawn a head of its own and trains it alone.",
    fact="09.7",
)
def new_head_unshared(model, classes):
    model.requires_grad_(False)
    headed(model, classes)
    return model


@wrong(
    "only-the-body-frozen",
    replaces="new_head",
    says="Not all of the model is frozen: it may have other parts beside its head than the body. Freeze every "
    "parameter, then put the new head in.",
)
def only_the_body_frozen(model, classes):
    model.body.requires_grad_(False)
    headed(model, classes)
    return DistributedDataParallel(model)


@wrong(
    "head-renamed",
    replaces="new_head",
    says="The head says that it has as many outputs as there are classes, but its weight is the old one: an attribute "
    "that is set changes no tensor. Make a new nn.Linear.",
)
def head_renamed(model, classes):
    model.requires_grad_(False)
    model.head.requires_grad_(True)
    model.head.out_features = classes
    return DistributedDataParallel(model)


@wrong(
    "head-wrapped-alone",
    replaces="new_head",
    says="Only the head is wrapped. The ranks start from the body of each, and whoever calls the model does not call a "
    "wrapper: wrap the whole model.",
    fact="09.7",
)
def head_wrapped_alone(model, classes):
    model.requires_grad_(False)
    headed(model, classes)
    model.head = DistributedDataParallel(model.head)
    return model


@wrong(
    "new-head-of-a-copy",
    replaces="new_head",
    says="A copy got the new head; the model that was handed in is as it was. It is to be changed itself.",
)
def new_head_of_a_copy(model, classes):
    return new_head_right(copy.deepcopy(model), classes)


@wrong(
    "device-ids-for-the-head",
    replaces="new_head",
    says="device_ids names a GPU, and the model is on the CPU, where DistributedDataParallel refuses it. Leave it out: "
    "without it the model stays on the device on which it is, GPU or CPU.",
)
def device_ids_for_the_head(model, classes):
    model.requires_grad_(False)
    headed(model, classes)
    return DistributedDataParallel(model, device_ids=[dist.get_rank()])


def new_head_right(model, classes):
    model.requires_grad_(False)
    headed(model, classes)
    return DistributedDataParallel(model)


# ---- fit


def steps(forward, model, loss_fn, batches, lr, average=lambda: None, clears=True):
    """A loop of plain SGD."""
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    for X, y in batches:
        if clears:
            optimizer.zero_grad()
        loss_fn(forward(X), y).backward()
        average()
        optimizer.step()


@wrong(
    "z12-call-module",
    replaces="fit",
    says="The copies start equal and then drift apart: backward() averages only after a forward pass through the "
    "wrapper itself, not through its `module`, and not inside no_sync().",
    fact="09.10",
)
def call_module(model, loss_fn, batches, lr):
    ddp = DistributedDataParallel(model)
    steps(ddp.module, model, loss_fn, batches, lr)


@wrong(
    "fit-without-a-wrapper",
    replaces="fit",
    says="Each rank starts from its own model and trains it alone: nothing was broadcast, nothing averaged. Wrap "
    "the model in DistributedDataParallel, and call the wrapper.",
    fact="09.7",
)
def fit_without_a_wrapper(model, loss_fn, batches, lr):
    steps(model, model, loss_fn, batches, lr)


@wrong(
    "fit-adds-up-over-ranks",
    replaces="fit",
    says="The steps are too long by the number of ranks. DistributedDataParallel has averaged the gradients already: "
    "whoever adds them up once more, or scales lr or the loss with the world size, multiplies by it.",
    fact="09.10",
)
def fit_adds_up_over_ranks(model, loss_fn, batches, lr):
    steps(DistributedDataParallel(model), model, loss_fn, batches, lr * dist.get_world_size())


@wrong(
    "fit-divides-once-more",
    replaces="fit",
    says="The steps are too short by the number of ranks: the gradients are averaged by DistributedDataParallel, and "
    "were divided once more.",
    fact="09.10",
)
def fit_divides_once_more(model, loss_fn, batches, lr):
    ddp = DistributedDataParallel(model)
    steps(ddp, model, lambda outputs, y: loss_fn(outputs, y) / dist.get_world_size(), batches, lr)


@wrong(
    "fit-never-clears",
    replaces="fit",
    says="The gradients of the batches add up: the first step is right, each later one follows those of all batches "
    "so far. Averaging does not clear them.",
)
def fit_never_clears(model, loss_fn, batches, lr):
    steps(DistributedDataParallel(model), model, loss_fn, batches, lr, clears=False)


@wrong(
    "fit-trains-a-copy",
    replaces="fit",
    says="A copy was trained; the model that was handed in is as it was, on each rank another.",
)
def fit_trains_a_copy(model, loss_fn, batches, lr):
    ddp = DistributedDataParallel(copy.deepcopy(model))
    steps(ddp, ddp, loss_fn, batches, lr)


@wrong(
    "wrapper-let-go",
    replaces="fit",
    says="The copies are equal at each forward pass, but each rank stepped on its own gradient: the wrapper was made "
    "anew for each batch and was gone before backward(), which then averages nothing. Make one, and keep it.",
    fact="09.11",
)
def wrapper_let_go(model, loss_fn, batches, lr):
    steps(lambda X: DistributedDataParallel(model)(X), model, loss_fn, batches, lr)


@wrong(
    "fit-by-hand-instead",
    replaces="fit",
    says="The parameters are right, but no DistributedDataParallel was made: here it is to do the work. The way by "
    "hand is that of fit_by_hand.",
)
def fit_by_hand_instead(model, loss_fn, batches, lr):
    fit_by_hand(model, loss_fn, batches, lr)  # noqa: F821


@wrong(
    "rank-0-alone-steps",
    replaces="fit",
    says="Only one rank made its steps, and the others stay where they started. The gradients are the same on all, "
    "and so each makes the same step: no `if` around it.",
    fact="09.11",
)
def rank_0_alone_steps(model, loss_fn, batches, lr):
    ddp = DistributedDataParallel(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    for X, y in batches:
        optimizer.zero_grad()
        loss_fn(ddp(X), y).backward()
        if dist.get_rank() == 0:
            optimizer.step()


@wrong(
    "rank-0-alone-trains",
    replaces="fit",
    says="Rank 0 went into the loop and the others did not: it waits for them in the wrapper. Every rank trains, on "
    "its own batches.",
    fact="09.10",
)
def rank_0_alone_trains(model, loss_fn, batches, lr):
    ddp = DistributedDataParallel(model)
    if dist.get_rank() == 0:
        steps(ddp, model, loss_fn, batches, lr)


@wrong(
    "fit-of-the-first-batch",
    replaces="fit",
    says="One batch was trained on, the first. Each makes a step.",
)
def fit_of_the_first_batch(model, loss_fn, batches, lr):
    steps(DistributedDataParallel(model), model, loss_fn, list(batches)[:1], lr)


@wrong(
    "fit-clears-before-the-step",
    replaces="fit",
    says="The copies start equal and never move: when the step came, there were no gradients any more. They were "
    "cleared after backward(), or never made; clear them before it.",
)
def fit_clears_before_the_step(model, loss_fn, batches, lr):
    ddp = DistributedDataParallel(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    for X, y in batches:
        loss_fn(ddp(X), y).backward()
        optimizer.zero_grad()
        optimizer.step()


@wrong(
    "fit-with-momentum",
    replaces="fit",
    says="The first step is right, and in each later one most of the steps before it goes along: that is momentum. "
    "Asked is plain SGD, w - lr * gradient.",
)
def fit_with_momentum(model, loss_fn, batches, lr):
    ddp = DistributedDataParallel(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
    for X, y in batches:
        optimizer.zero_grad()
        loss_fn(ddp(X), y).backward()
        optimizer.step()


@wrong(
    "fit-with-device-ids",
    replaces="fit",
    says="device_ids names a GPU, and the model is on the CPU, where DistributedDataParallel refuses it. Leave it out: "
    "without it the model stays on the device on which it is, GPU or CPU.",
)
def fit_with_device_ids(model, loss_fn, batches, lr):
    ddp = DistributedDataParallel(model, device_ids=[dist.get_rank()])
    steps(ddp, model, loss_fn, batches, lr)


# ---- broadcast_model


@wrong(
    "broadcast-by-ddp",
    replaces="broadcast_model",
    says="DistributedDataParallel broadcasts the model when it is made; here that is to be written by hand: one "
    "dist.broadcast for each tensor.",
)
def broadcast_by_ddp(model):
    DistributedDataParallel(model)


@wrong(
    "buffers-not-broadcast",
    replaces="broadcast_model",
    says="The parameters are those of rank 0, the buffers are not. A batch norm's running statistics, say, are part "
    "of the model as well: model.buffers().",
    fact="09.7",
)
def buffers_not_broadcast(model):
    for parameter in model.parameters():
        dist.broadcast(parameter.detach(), src=0)


@wrong(
    "trained-parameters-only",
    replaces="broadcast_model",
    says="A frozen parameter kept its own numbers: it takes part in every forward pass, trained or not.",
    fact="09.7",
)
def trained_parameters_only(model):
    for tensor in [*(p for p in model.parameters() if p.requires_grad), *model.buffers()]:
        dist.broadcast(tensor.detach(), src=0)


@wrong(
    "broadcast-into-copies",
    replaces="broadcast_model",
    says="The models are as they were: no number of rank 0's was written into them. A broadcast writes into the tensor "
    "that it is given, and into a copy if that is one.",
)
def broadcast_into_copies(model):
    for tensor in [*model.parameters(), *model.buffers()]:
        dist.broadcast(tensor.detach().clone(), src=0)


@wrong(
    "from-the-last-rank",
    replaces="broadcast_model",
    says="All models are equal, but they are that of the last rank; it is rank 0 that hands out its own.",
)
def from_the_last_rank(model):
    for tensor in [*model.parameters(), *model.buffers()]:
        dist.broadcast(tensor.detach(), src=dist.get_world_size() - 1)


@wrong(
    "each-rank-its-own-source",
    replaces="broadcast_model",
    says="Each rank names itself as the source, so all send and nobody receives. src is the rank whose numbers all "
    "are to have, and the same on every rank.",
)
def each_rank_its_own_source(model):
    for tensor in [*model.parameters(), *model.buffers()]:
        dist.broadcast(tensor.detach(), src=dist.get_rank())


@wrong(
    "rank-0-alone-broadcasts",
    replaces="broadcast_model",
    says="Only rank 0 called the broadcast. It sends on rank 0 and receives on the others: every rank must call it.",
)
def rank_0_alone_broadcasts(model):
    if dist.get_rank() == 0:
        for tensor in [*model.parameters(), *model.buffers()]:
            dist.broadcast(tensor.detach(), src=0)
        dist.barrier()


@wrong(
    "mean-of-the-models",
    replaces="broadcast_model",
    says="All models are equal, but they are the mean over the ranks: the middle of several random starts is not one "
    "of them. All are to have the numbers of rank 0.",
)
def mean_of_the_models(model):
    for tensor in [*model.parameters(), *model.buffers()]:
        tensor = tensor.detach()
        dist.all_reduce(tensor)
        tensor.copy_(tensor / dist.get_world_size())


@wrong(
    "parameters-made-anew",
    replaces="broadcast_model",
    says="The numbers are right, but the parameters are new tensors: an optimizer that was made before goes on "
    "holding the old ones and trains them.",
)
def parameters_made_anew(model):
    for module in model.modules():
        for name, parameter in list(module.named_parameters(recurse=False)):
            sent = parameter.detach().clone()
            dist.broadcast(sent, src=0)
            setattr(module, name, nn.Parameter(sent, parameter.requires_grad))
    for buffer in model.buffers():
        dist.broadcast(buffer, src=0)


@wrong(
    "broadcast-freezes",
    replaces="broadcast_model",
    says="The numbers are right, but nothing of the model is trained any more: requires_grad was switched off, to "
    "write into the parameters. `.detach()` gives the same memory, and leaves the parameter as it is.",
)
def broadcast_freezes(model):
    for tensor in [*model.parameters(), *model.buffers()]:
        dist.broadcast(tensor.requires_grad_(False), src=0)


@wrong(
    "sum-of-the-models",
    replaces="broadcast_model",
    says="All models are equal, but they are the sum over the ranks: all_reduce adds up. All are to have the numbers "
    "of rank 0.",
)
def sum_of_the_models(model):
    for tensor in [*model.parameters(), *model.buffers()]:
        dist.all_reduce(tensor.detach())


@wrong(
    "only-what-is-trained-broadcast",
    replaces="broadcast_model",
    says="Only what requires a gradient was broadcast. A frozen parameter and a buffer take part in every forward "
    "pass, and kept the numbers of each rank.",
    fact="09.7",
)
def only_what_is_trained_broadcast(model):
    for tensor in [*model.parameters(), *model.buffers()]:
        if tensor.requires_grad:
            dist.broadcast(tensor.detach(), src=0)


@wrong(
    "mean-of-the-parameters",
    replaces="broadcast_model",
    says="The parameters are the mean over the ranks, and the buffers are each rank's own: all are to have the numbers "
    "of rank 0, parameters and buffers.",
    fact="09.7",
)
def mean_of_the_parameters(model):
    for parameter in model.parameters():
        dist.all_reduce(parameter.detach())
        parameter.detach().div_(dist.get_world_size())


# ---- average_gradients


@wrong(
    "z07-allreduce-sum",
    replaces="average_gradients",
    says="That is the sum over the ranks; the mean divides it by their number: dist.get_world_size().",
    fact="09.10",
)
def allreduce_sum(model):
    for parameter in model.parameters():
        if parameter.grad is not None:
            dist.all_reduce(parameter.grad)


@wrong(
    "four-ranks-for-granted",
    replaces="average_gradients",
    says="With four ranks this is right, with others not: the sum was divided by 4, not by dist.get_world_size().",
    fact="09.10",
)
def four_ranks_for_granted(model):
    for parameter in model.parameters():
        if parameter.grad is not None:
            dist.all_reduce(parameter.grad)
            parameter.grad /= 4


@wrong(
    "averaged-twice",
    replaces="average_gradients",
    says="The sum was divided by the number of ranks twice: once before it was made and once after it, say.",
    fact="09.10",
)
def averaged_twice(model):
    for parameter in model.parameters():
        if parameter.grad is not None:
            parameter.grad /= dist.get_world_size()
            dist.all_reduce(parameter.grad)
            parameter.grad /= dist.get_world_size()


@wrong(
    "two-ranks-for-granted",
    replaces="average_gradients",
    says="The sum was divided by 2, whatever the number of ranks; it is dist.get_world_size().",
    fact="09.10",
)
def two_ranks_for_granted(model):
    for parameter in model.parameters():
        if parameter.grad is not None:
            dist.all_reduce(parameter.grad)
            parameter.grad /= 2


@wrong(
    "only-divided",
    replaces="average_gradients",
    says="Each rank has divided its own gradients; those of the others never came in. all_reduce adds them up.",
    fact="09.10",
)
def only_divided(model):
    for parameter in model.parameters():
        if parameter.grad is not None:
            parameter.grad /= dist.get_world_size()


@wrong(
    "gradients-stay-local",
    replaces="average_gradients",
    says="Each rank still has its own gradients: none were averaged, or only copies of them. all_reduce works in "
    "place, on the tensor that it is given.",
    fact="09.10",
)
def gradients_stay_local(model):
    for parameter in model.parameters():
        if parameter.grad is not None:
            mean = parameter.grad.clone()
            dist.all_reduce(mean)
            mean /= dist.get_world_size()


@wrong(
    "parameters-averaged",
    replaces="average_gradients",
    says="The parameters were averaged; it is the gradients, .grad, that differ from rank to rank.",
)
def parameters_averaged(model):
    for parameter in model.parameters():
        if parameter.grad is not None:
            dist.all_reduce(parameter.detach())


@wrong(
    "none-handed-to-all-reduce",
    replaces="average_gradients",
    says="A parameter that took no part in the loss has None for a gradient, which is no tensor: pass over it.",
)
def none_handed_to_all_reduce(model):
    for parameter in model.parameters():
        dist.all_reduce(parameter.grad)
        parameter.grad /= dist.get_world_size()


@wrong(
    "none-becomes-zeros",
    replaces="average_gradients",
    says="A parameter without a gradient was given one of zeros: an optimizer with momentum or weight decay would move "
    "it now. None stays None.",
)
def none_becomes_zeros(model):
    for parameter in model.parameters():
        if parameter.grad is None:
            parameter.grad = torch.zeros_like(parameter)
        dist.all_reduce(parameter.grad)
        parameter.grad /= dist.get_world_size()


@wrong(
    "divided-by-the-parameters",
    replaces="average_gradients",
    says="The sum over the ranks was divided by the number of the model's parameters; it is a mean over ranks: "
    "dist.get_world_size().",
    fact="09.10",
)
def divided_by_the_parameters(model):
    for parameter in model.parameters():
        if parameter.grad is not None:
            dist.all_reduce(parameter.grad)
            parameter.grad /= len(list(model.parameters()))


@wrong(
    "gradients-of-rank-0",
    replaces="average_gradients",
    says="All ranks have the gradients of rank 0; those of the others are lost. A broadcast overwrites, an all_reduce "
    "adds up.",
    fact="09.10",
)
def gradients_of_rank_0(model):
    for parameter in model.parameters():
        if parameter.grad is not None:
            dist.broadcast(parameter.grad, src=0)


@wrong(
    "rank-0-alone-averages",
    replaces="average_gradients",
    says="Only rank 0 called the all_reduce, and waits in it for the others: every rank must call it.",
    fact="09.10",
)
def rank_0_alone_averages(model):
    for parameter in model.parameters():
        if parameter.grad is not None and dist.get_rank() == 0:
            dist.all_reduce(parameter.grad)
            parameter.grad /= dist.get_world_size()


@wrong(
    "parameters-averaged-too",
    replaces="average_gradients",
    says="The gradients are right, but the parameters were averaged as well; they are not to change here.",
)
def parameters_averaged_too(model):
    for parameter in model.parameters():
        if parameter.grad is not None:
            for tensor in (parameter.grad, parameter.detach()):
                dist.all_reduce(tensor)
                tensor /= dist.get_world_size()


@wrong(
    "stops-at-the-first-none",
    replaces="average_gradients",
    says="The loop ended at the first parameter without a gradient; those after it were not averaged. Pass over it, "
    "and go on with the next.",
    fact="09.10",
)
def stops_at_the_first_none(model):
    for parameter in model.parameters():
        if parameter.grad is None:
            break
        dist.all_reduce(parameter.grad)
        parameter.grad /= dist.get_world_size()


# ---- fit_by_hand


@wrong(
    "by-hand-through-ddp",
    replaces="fit_by_hand",
    says="DistributedDataParallel broadcasts and averages here; this kata asks for both by hand.",
)
def by_hand_through_ddp(model, loss_fn, batches, lr):
    steps(DistributedDataParallel(model), model, loss_fn, batches, lr)


@wrong(
    "never-broadcast",
    replaces="fit_by_hand",
    says="Each rank started from a model of its own. Equal steps keep the differences: the copies must be equal "
    "before the first forward pass.",
    fact="09.7",
)
def never_broadcast(model, loss_fn, batches, lr):
    steps(model, model, loss_fn, batches, lr, lambda: average_gradients(model))  # noqa: F821


@wrong(
    "broadcast-and-left-alone",
    replaces="fit_by_hand",
    says="All start from rank 0's model, and then each rank follows its own gradients: the copies drift apart. "
    "Average the gradients between backward() and the step.",
    fact="09.10",
)
def broadcast_and_left_alone(model, loss_fn, batches, lr):
    broadcast_model(model)  # noqa: F821
    steps(model, model, loss_fn, batches, lr)


@wrong(
    "averaged-after-the-step",
    replaces="fit_by_hand",
    says="The gradients were averaged too late, after the step had followed each rank's own: the copies drift apart.",
    fact="09.11",
)
def averaged_after_the_step(model, loss_fn, batches, lr):
    broadcast_model(model)  # noqa: F821
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    for X, y in batches:
        loss_fn(model(X), y).backward()
        optimizer.step()
        average_gradients(model)  # noqa: F821


@wrong(
    "sums-by-hand",
    replaces="fit_by_hand",
    says="The steps are too long by the number of ranks: the gradients were added up and not divided.",
    fact="09.10",
)
def sums_by_hand(model, loss_fn, batches, lr):
    broadcast_model(model)  # noqa: F821
    steps(model, model, loss_fn, batches, lr * dist.get_world_size(), lambda: average_gradients(model))  # noqa: F821


@wrong(
    "three-ranks-by-hand",
    replaces="fit_by_hand",
    says="With three ranks this is right, with others not: the gradients were added up and divided by 3, not by "
    "dist.get_world_size().",
    fact="09.10",
)
def three_ranks_by_hand(model, loss_fn, batches, lr):
    broadcast_model(model)  # noqa: F821
    longer = dist.get_world_size() / 3
    steps(model, model, loss_fn, batches, lr * longer, lambda: average_gradients(model))  # noqa: F821


@wrong(
    "rank-0-leads",
    replaces="fit_by_hand",
    says="The copies are equal, but only rank 0's batches count: its model is handed out at every step, and what the "
    "others learned is overwritten. Average gradients, do not broadcast.",
    fact="09.9",
)
def rank_0_leads(model, loss_fn, batches, lr):
    broadcast_model(model)  # noqa: F821
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    for X, y in batches:
        optimizer.zero_grad()
        loss_fn(model(X), y).backward()
        optimizer.step()
        broadcast_model(model)  # noqa: F821


@wrong(
    "by-hand-never-clears",
    replaces="fit_by_hand",
    says="The first step is right; then the averaged gradients of all batches so far add up: clear them in each step.",
)
def by_hand_never_clears(model, loss_fn, batches, lr):
    broadcast_model(model)  # noqa: F821
    steps(model, model, loss_fn, batches, lr, lambda: average_gradients(model), clears=False)  # noqa: F821


@wrong(
    "broadcast-in-the-end",
    replaces="fit_by_hand",
    says="The ranks trained models of their own, and only in the end got that of rank 0: the broadcast belongs before "
    "the first forward pass.",
    fact="09.7",
)
def broadcast_in_the_end(model, loss_fn, batches, lr):
    steps(model, model, loss_fn, batches, lr, lambda: average_gradients(model))  # noqa: F821
    broadcast_model(model)  # noqa: F821


@wrong(
    "models-averaged-in-the-end",
    replaces="fit_by_hand",
    says="Each rank trained alone, and only in the end the models were averaged: from the second step on each follows "
    "gradients of another model. Average the gradients in each step.",
    fact="09.11",
)
def models_averaged_in_the_end(model, loss_fn, batches, lr):
    broadcast_model(model)  # noqa: F821
    steps(model, model, loss_fn, batches, lr)
    for parameter in model.parameters():
        dist.all_reduce(parameter.detach())
        parameter.detach().div_(dist.get_world_size())


@wrong(
    "divided-by-hand-twice",
    replaces="fit_by_hand",
    says="The steps are too short by the number of ranks: the averaged gradients, the loss or lr were divided by it "
    "once more.",
    fact="09.10",
)
def divided_by_hand_twice(model, loss_fn, batches, lr):
    broadcast_model(model)  # noqa: F821
    steps(model, model, loss_fn, batches, lr / dist.get_world_size(), lambda: average_gradients(model))  # noqa: F821


@wrong(
    "by-hand-on-a-copy",
    replaces="fit_by_hand",
    says="A copy was trained; the model that was handed in is as it was, on each rank another.",
)
def by_hand_on_a_copy(model, loss_fn, batches, lr):
    model = copy.deepcopy(model)
    broadcast_model(model)  # noqa: F821
    steps(model, model, loss_fn, batches, lr, lambda: average_gradients(model))  # noqa: F821


@wrong(
    "broadcast-for-the-average",
    replaces="fit_by_hand",
    says="Between backward() and the step the model was broadcast, and no gradient averaged: each rank starts its step "
    "from rank 0's parameters and follows its own gradient. The parameters are equal already; average the gradients.",
    fact="09.10",
)
def broadcast_for_the_average(model, loss_fn, batches, lr):
    broadcast_model(model)  # noqa: F821
    steps(model, model, loss_fn, batches, lr, lambda: broadcast_model(model))  # noqa: F821


@wrong(
    "broadcast-before-each-pass",
    replaces="fit_by_hand",
    says="Each forward pass starts from rank 0's model, and each step follows a rank's own gradient: what the others "
    "learned is overwritten, so that only rank 0's batches count. Broadcast once, and average the gradients.",
    fact="09.10",
)
def broadcast_before_each_pass(model, loss_fn, batches, lr):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    for X, y in batches:
        broadcast_model(model)  # noqa: F821
        optimizer.zero_grad()
        loss_fn(model(X), y).backward()
        optimizer.step()


# ---- accumulated_step


def accumulate(model, loss_fn, optimizer, batches, syncs, share=None):
    """A step on all batches; those that `syncs` says average."""
    optimizer.zero_grad()
    for i, (X, y) in enumerate(batches, start=1):
        with nullcontext() if syncs(i) else model.no_sync():
            (loss_fn(model(X), y) / (share or len(batches))).backward()
    optimizer.step()


@wrong(
    "z30-no-sync-all",
    replaces="accumulated_step",
    says="The step followed each rank's own gradients, and the copies drift apart without a word: no backward() "
    "before it averaged. That of the last batch has to, through the wrapper and outside no_sync().",
    fact="09.10",
)
def no_sync_all(model, loss_fn, optimizer, batches):
    accumulate(model, loss_fn, optimizer, batches, syncs=lambda i: False)


@wrong(
    "every-batch-averages",
    replaces="accumulated_step",
    says="The parameters are right, but the ranks met at every batch. no_sync() must be open during the forward pass, "
    "where it is decided whether backward() averages, and for all batches but the last.",
    fact="09.10",
)
def every_batch_averages(model, loss_fn, optimizer, batches):
    accumulate(model, loss_fn, optimizer, batches, syncs=lambda i: True)


@wrong(
    "first-batch-averages",
    replaces="accumulated_step",
    says="The ranks averaged at the first batch instead of the last: what the others added afterwards stays each "
    "rank's own, and the copies drift apart.",
    fact="09.11",
)
def first_batch_averages(model, loss_fn, optimizer, batches):
    accumulate(model, loss_fn, optimizer, batches, syncs=lambda i: i == 1)


@wrong(
    "batches-added-up",
    replaces="accumulated_step",
    says="The gradients of the batches add up to their sum; the mean over all examples needs each loss divided by the "
    "number of batches in the step.",
    fact="09.10",
)
def batches_added_up(model, loss_fn, optimizer, batches):
    accumulate(model, loss_fn, optimizer, batches, syncs=lambda i: i == len(batches), share=1)


@wrong(
    "divided-by-the-ranks-too",
    replaces="accumulated_step",
    says="The gradient is too small by the number of ranks: DistributedDataParallel divides by it already. Only the "
    "number of batches is left to you.",
    fact="09.10",
)
def divided_by_the_ranks_too(model, loss_fn, optimizer, batches):
    share = len(batches) * dist.get_world_size()
    accumulate(model, loss_fn, optimizer, batches, syncs=lambda i: i == len(batches), share=share)


@wrong(
    "last-batch-alone-counts",
    replaces="accumulated_step",
    says="Only the last batch of each step counts: the gradients of the others were cleared. Clear once, before the "
    "first.",
)
def last_batch_alone_counts(model, loss_fn, optimizer, batches):
    for i, (X, y) in enumerate(batches, start=1):
        optimizer.zero_grad()
        with nullcontext() if i == len(batches) else model.no_sync():
            (loss_fn(model(X), y) / len(batches)).backward()
    optimizer.step()


@wrong(
    "old-gradients-count-too",
    replaces="accumulated_step",
    says="Gradients from before the step are in its sum as well: clear them once, before the first batch.",
)
def old_gradients_count_too(model, loss_fn, optimizer, batches):
    for i, (X, y) in enumerate(batches, start=1):
        with nullcontext() if i == len(batches) else model.no_sync():
            (loss_fn(model(X), y) / len(batches)).backward()
    optimizer.step()


@wrong(
    "accumulated-as-one-big-batch",
    replaces="accumulated_step",
    says="The parameters are right, but all batches went through the model at once, and need the memory of them all. "
    "Each is to be a forward and a backward pass of its own.",
)
def accumulated_as_one_big_batch(model, loss_fn, optimizer, batches):
    X, y = (torch.cat(parts) for parts in zip(*batches, strict=True))
    step(loss_fn(model(X), y), optimizer)


@wrong(
    "losses-kept-for-one-backward",
    replaces="accumulated_step",
    says="The parameters are right, but the losses were added up and went through one backward() in the end: until "
    "then the graphs of all batches are kept. Each batch is to have a backward pass of its own.",
)
def losses_kept_for_one_backward(model, loss_fn, optimizer, batches):
    step(sum(loss_fn(model(X), y) for X, y in batches) / len(batches), optimizer)


@wrong(
    "a-step-for-each-batch",
    replaces="accumulated_step",
    says="Each batch made a step of its own. They are to make one together: clear once, step once.",
)
def a_step_for_each_batch(model, loss_fn, optimizer, batches):
    for X, y in batches:
        step(loss_fn(model(X), y), optimizer)


@wrong(
    "last-batch-forgotten",
    replaces="accumulated_step",
    says="The last batch of each step is missing, and with it the average. It is trained on like the others, only "
    "outside no_sync().",
)
def last_batch_forgotten(model, loss_fn, optimizer, batches):
    optimizer.zero_grad()
    with model.no_sync():
        for X, y in batches[:-1]:
            (loss_fn(model(X), y) / len(batches)).backward()
    optimizer.step()


@wrong(
    "last-but-one-averages",
    replaces="accumulated_step",
    says="The ranks averaged at the last batch but one: counted from 0, the last is len(batches) - 1, counted from 1 "
    "it is len(batches). What comes after the average stays each rank's own.",
    fact="09.11",
)
def last_but_one_averages(model, loss_fn, optimizer, batches):
    accumulate(model, loss_fn, optimizer, batches, syncs=lambda i: i == len(batches) - 1)


@wrong(
    "accumulated-by-hand-in-the-end",
    replaces="accumulated_step",
    says="The parameters are right, but the wrapper has averaged nothing: all batches were kept from it, and the "
    "gradients averaged by hand. The last backward() can do that.",
)
def accumulated_by_hand_in_the_end(model, loss_fn, optimizer, batches):
    optimizer.zero_grad()
    with model.no_sync():
        for X, y in batches:
            (loss_fn(model(X), y) / len(batches)).backward()
    average_gradients(model.module)  # noqa: F821
    optimizer.step()


# ---- uneven_step


def counted(y):
    """The number of examples on all ranks."""
    total = torch.tensor(len(y), device=y.device)
    dist.all_reduce(total)
    return total


def step(loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


@wrong(
    "z10-sum-loss",
    replaces="uneven_step",
    says="The loss is the sum over the examples of a rank; averaged by DistributedDataParallel that is the sum over "
    "all divided by the number of ranks, not by that of the examples.",
    fact="09.10",
)
def sum_loss(model, losses, optimizer, X, y):
    step(losses(model(X), y).sum(), optimizer)


@wrong(
    "three-ranks-for-granted",
    replaces="uneven_step",
    says="With three ranks this is right, with others not: what DistributedDataParallel divides by is "
    "dist.get_world_size(), and here it is undone by a 3.",
    fact="09.10",
)
def three_ranks_for_granted(model, losses, optimizer, X, y):
    step(losses(model(X), y).sum() * 3 / counted(y), optimizer)


@wrong(
    "z11-uneven-local-batch",
    replaces="uneven_step",
    says="That is the mean of the ranks' means: an example on a rank that has few counts for more than one on a rank "
    "that has many, and the mean over none is NaN. Divide the sums by the count over all ranks.",
    fact="09.10",
)
def uneven_local_batch(model, losses, optimizer, X, y):
    step(losses(model(X), y).mean(), optimizer)


@wrong(
    "divided-by-all-and-by-ranks",
    replaces="uneven_step",
    says="The step is too short by the number of ranks: the sums were divided by the count of all examples, and then "
    "DistributedDataParallel averages, which divides by the number of ranks too.",
    fact="09.10",
)
def divided_by_all_and_by_ranks(model, losses, optimizer, X, y):
    step(losses(model(X), y).sum() / counted(y), optimizer)


@wrong(
    "stays-away-without-examples",
    replaces="uneven_step",
    says="A rank without examples stayed away, and the others wait for it: every rank takes part in the count and in "
    "the forward and backward pass, with a sum over nothing, which is 0.",
    fact="09.9",
)
def stays_away_without_examples(model, losses, optimizer, X, y):
    total = counted(y)
    if len(y):
        step(losses(model(X), y).sum() * dist.get_world_size() / total, optimizer)


@wrong(
    "uneven-old-gradients",
    replaces="uneven_step",
    says="Gradients from before the step count in it too: clear them before backward().",
)
def uneven_old_gradients(model, losses, optimizer, X, y):
    total = counted(y)
    (losses(model(X), y).sum() * dist.get_world_size() / total).backward()
    optimizer.step()


@wrong(
    "step-only-with-examples",
    replaces="uneven_step",
    says="A rank without examples made no step: it has the same averaged gradient as the others and has to follow it, "
    "or its copy stays behind.",
    fact="09.11",
)
def step_only_with_examples(model, losses, optimizer, X, y):
    optimizer.zero_grad()
    (losses(model(X), y).sum() * dist.get_world_size() / counted(y)).backward()
    if len(y):
        optimizer.step()


@wrong(
    "uneven-sum-times-ranks",
    replaces="uneven_step",
    says="That is the gradient of the sum over the examples of all ranks; the mean divides it by their number.",
    fact="09.10",
)
def uneven_sum_times_ranks(model, losses, optimizer, X, y):
    step(losses(model(X), y).sum() * dist.get_world_size(), optimizer)


@wrong(
    "uneven-past-the-wrapper",
    replaces="uneven_step",
    says="Each rank followed its own gradient: nothing was averaged, for the forward pass did not go through the "
    "wrapper, or went inside no_sync().",
    fact="09.10",
)
def uneven_past_the_wrapper(model, losses, optimizer, X, y):
    step(losses(model.module(X), y).sum() * dist.get_world_size() / counted(y), optimizer)


@wrong(
    "uneven-divided-by-the-ranks",
    replaces="uneven_step",
    says="The step is too short by the number of ranks squared: DistributedDataParallel divides by their number "
    "already, so the loss has to be multiplied by it, and was divided by it once more.",
    fact="09.10",
)
def uneven_divided_by_the_ranks(model, losses, optimizer, X, y):
    step(losses(model(X), y).sum() / counted(y) / dist.get_world_size(), optimizer)


# ---- uneven_epoch


@wrong(
    "waits-for-those-who-left",
    replaces="uneven_epoch",
    says="A rank that has no more batches left the loop, and the others wait for it in the next one: every pass "
    "through the wrapper is one of all ranks. model.join(), around the whole loop, lets those who are done answer in "
    "the meantime.",
    fact="09.9",
)
def waits_for_those_who_left(model, loss_fn, optimizer, batches):
    for X, y in batches:
        step(loss_fn(model(X), y), optimizer)


@wrong(
    "divided-by-those-who-left",
    replaces="uneven_epoch",
    says="Ranks that have no more batches still count in the number that the gradients are divided by, with a gradient "
    "of zero, and the last steps are too short. join() is asked to divide by those who are left.",
    fact="09.10",
)
def divided_by_those_who_left(model, loss_fn, optimizer, batches):
    with model.join():
        for X, y in batches:
            step(loss_fn(model(X), y), optimizer)


@wrong(
    "data-parallel-cut-to-the-shortest",
    replaces="uneven_epoch",
    says="The epoch ended with the rank that has the fewest batches: all further ones of the others were never trained "
    "on.",
    fact="09.9",
)
def cut_to_the_shortest(model, loss_fn, optimizer, batches):
    batches = list(batches)
    least = torch.tensor(len(batches), device=batches[0][0].device)
    dist.all_reduce(least, op=dist.ReduceOp.MIN)
    for X, y in batches[: int(least)]:
        step(loss_fn(model(X), y), optimizer)


@wrong(
    "last-batch-again-and-again",
    replaces="uneven_epoch",
    says="A rank that had no more batches went on with its last one: those examples count several times.",
    fact="09.10",
)
def last_batch_again_and_again(model, loss_fn, optimizer, batches):
    batches = list(batches)
    most = torch.tensor(len(batches), device=batches[0][0].device)
    dist.all_reduce(most, op=dist.ReduceOp.MAX)
    for i in range(int(most)):
        X, y = batches[min(i, len(batches) - 1)]
        step(loss_fn(model(X), y), optimizer)


@wrong(
    "goes-on-alone",
    replaces="uneven_epoch",
    says="Where one rank ended, the others went on alone, each with its own gradients: in the end the copies differ. "
    "The ranks that still have batches average among themselves.",
    fact="09.10",
)
def goes_on_alone(model, loss_fn, optimizer, batches):
    batches = list(batches)
    least = torch.tensor(len(batches), device=batches[0][0].device)
    dist.all_reduce(least, op=dist.ReduceOp.MIN)
    for i, (X, y) in enumerate(batches):
        step(loss_fn((model if i < int(least) else model.module)(X), y), optimizer)


@wrong(
    "uneven-epoch-never-clears",
    replaces="uneven_epoch",
    says="The gradients of the batches add up: each step follows those of all batches so far. Clear them in each step.",
)
def uneven_epoch_never_clears(model, loss_fn, optimizer, batches):
    with model.join(divide_by_initial_world_size=False):
        for X, y in batches:
            loss_fn(model(X), y).backward()
            optimizer.step()


@wrong(
    "batches-from-the-start-again",
    replaces="uneven_epoch",
    says="A rank that had no more batches began with its first ones again: those examples count several times.",
    fact="09.10",
)
def batches_from_the_start_again(model, loss_fn, optimizer, batches):
    batches = list(batches)
    most = torch.tensor(len(batches), device=batches[0][0].device)
    dist.all_reduce(most, op=dist.ReduceOp.MAX)
    for i in range(int(most)):
        X, y = batches[i % len(batches)]
        step(loss_fn(model(X), y), optimizer)


@wrong(
    "one-step-in-the-end",
    replaces="uneven_epoch",
    says="There was one step, after all batches, on the gradient of the last: each batch makes its own, inside the "
    "loop.",
)
def one_step_in_the_end(model, loss_fn, optimizer, batches):
    with model.join(divide_by_initial_world_size=False):
        for X, y in batches:
            optimizer.zero_grad()
            loss_fn(model(X), y).backward()
    optimizer.step()


@wrong(
    "the-number-asked-before",
    replaces="uneven_epoch",
    says="The number of batches was asked before the loop; an iterable need not have one, and the last of them is "
    "known only when it has come.",
)
def the_number_asked_before(model, loss_fn, optimizer, batches):
    most = torch.tensor(len(batches))
    dist.all_reduce(most, op=dist.ReduceOp.MAX)
    with model.join(divide_by_initial_world_size=False):
        for X, y in batches:
            step(loss_fn(model(X), y), optimizer)


@wrong(
    "join-past-the-wrapper",
    replaces="uneven_epoch",
    says="Inside join() each rank trained alone, for the forward pass did not go through the wrapper; in the end all "
    "got the parameters of one of them. Call the wrapper itself, not its `module`.",
    fact="09.10",
)
def join_past_the_wrapper(model, loss_fn, optimizer, batches):
    with model.join(divide_by_initial_world_size=False):
        for X, y in batches:
            step(loss_fn(model.module(X), y), optimizer)
