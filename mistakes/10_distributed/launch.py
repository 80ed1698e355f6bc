"""Wrong answers to katas/10_distributed/launch.py."""
# ruff: noqa: F821 - BATCH, RATE, _data, _model and the other functions are the solution's

import copy
import json
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler

from torchkatas.bank import wrong


def device_here():
    local = int(os.environ.get("LOCAL_RANK", 0))
    return torch.device("cuda", local) if torch.cuda.is_available() else torch.device("cpu")


def join():
    """A group, begun as it should be."""
    if torch.cuda.is_available():
        torch.cuda.set_device(device_here())
    dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo")


def wrapped(model, device, world):
    model.to(device)
    return DistributedDataParallel(model) if world > 1 else model


def steps(model, forward, sampler, device, epochs, batch, shuffles=True):
    """Right steps on a sampler's part of its data; the number of examples."""
    optimizer = torch.optim.SGD(model.parameters(), lr=RATE)
    examples = 0
    for epoch in range(epochs):
        if shuffles:
            sampler.set_epoch(epoch)
        for x, y in DataLoader(sampler.dataset, batch_size=batch, sampler=sampler):
            optimizer.zero_grad()
            nn.functional.mse_loss(forward(x.to(device)), y.to(device)).backward()
            optimizer.step()
            examples += len(x)
    return examples


def at_least_one(epochs):
    if epochs < 1:
        raise ValueError(f"epochs is {epochs}")


def report(world, examples, model):
    parameters = torch.cat([parameter.detach().flatten() for parameter in model.parameters()]).tolist()
    return {"world": world, "examples": examples, "parameters": parameters}


# ---- begin


@wrong(
    "joins-without-torchrun",
    replaces="begin",
    says="A group was begun where torchrun did not start the script: there are no others to join, and nothing in the "
    "environment says where they would be. RANK tells whether torchrun is there.",
    fact="09.13",
)
def joins_without_torchrun():
    join()
    return dist.get_rank(), dist.get_world_size(), device_here()


@wrong(
    "makes-a-group-of-one",
    replaces="begin",
    says="Alone, the script joined a group that it made for itself: it works, but nothing is shared, and the group is "
    "one more thing to end. Without RANK, begin no group.",
)
def makes_a_group_of_one():
    if "RANK" not in os.environ:
        dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    else:
        join()
    return dist.get_rank(), dist.get_world_size(), device_here()


@wrong(
    "knows-its-rank-and-joins-nobody",
    replaces="begin",
    says="The rank and the world size are right, but no group is up: torchrun starts the processes and tells them who "
    "they are; each must still join the others with init_process_group.",
    fact="09.13",
)
def knows_its_rank_and_joins_nobody():
    return int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1)), device_here()


@wrong(
    "always-alone",
    replaces="begin",
    says="Under torchrun too it says that it is rank 0 of 1, so that every process takes itself for the only one. "
    "torchrun sets RANK and WORLD_SIZE in the environment.",
    fact="09.13",
)
def always_alone():
    return 0, 1, device_here()


@wrong(
    "rank-of-the-node",
    replaces="begin",
    says="That is LOCAL_RANK, which counts the processes of one machine: on two machines two processes call themselves "
    "rank 0. RANK counts all; LOCAL_RANK picks the GPU.",
    fact="09.13",
)
def rank_of_the_node():
    if "RANK" not in os.environ:
        return 0, 1, device_here()
    join()
    return int(os.environ["LOCAL_RANK"]), int(os.environ["WORLD_SIZE"]), device_here()


@wrong(
    "numbers-as-text",
    replaces="begin",
    says="The rank and the world size are strings, as the environment has them: '0' == 0 is False, so no process would "
    "take itself for rank 0. int() makes numbers of them.",
)
def numbers_as_text():
    if "RANK" not in os.environ:
        return 0, 1, device_here()
    join()
    return os.environ["RANK"], os.environ["WORLD_SIZE"], device_here()


@wrong(
    "ranks-of-this-node-as-the-world",
    replaces="begin",
    says="That is LOCAL_WORLD_SIZE, the number of processes on one machine; WORLD_SIZE counts those of all machines.",
    fact="09.13",
)
def ranks_of_this_node_as_the_world():
    if "RANK" not in os.environ:
        return 0, 1, device_here()
    join()
    return dist.get_rank(), int(os.environ["LOCAL_WORLD_SIZE"]), device_here()


@wrong(
    "device-by-name-only",
    replaces="begin",
    says="The device is a string, where a torch.device is asked for.",
)
def device_by_name_only():
    if "RANK" not in os.environ:
        return 0, 1, device_here().type
    join()
    return dist.get_rank(), dist.get_world_size(), device_here().type


@wrong(
    "world-of-one-begins-no-group",
    replaces="begin",
    says="torchrun started this process, and no group is up: a world of one has a group too, of one. RANK in the "
    "environment says whether there is one to begin, the world size does not.",
    fact="09.13",
)
def world_of_one_begins_no_group():
    if int(os.environ.get("WORLD_SIZE", 1)) == 1:
        return 0, 1, device_here()
    join()
    return dist.get_rank(), dist.get_world_size(), device_here()


@wrong(
    "nccl-without-a-gpu",
    replaces="begin",
    says="NCCL was asked for where no GPU is: it carries only tensors on GPUs, and without one the group is not begun. "
    "On the CPU the backend is gloo.",
)
def nccl_without_a_gpu():
    if "RANK" not in os.environ:
        return 0, 1, device_here()
    dist.init_process_group("nccl")
    return dist.get_rank(), dist.get_world_size(), device_here()


# ---- end


@wrong(
    "leaves-the-group",
    replaces="end",
    says="The group is still up afterwards: on GPUs torch warns of it at the exit, and what the group holds is not "
    "given back. destroy_process_group ends it, on each rank.",
)
def leaves_the_group():
    pass


@wrong(
    "ends-on-rank-0",
    replaces="end",
    says="The group was ended on rank 0 alone: each process has its own part in it, and ends that itself.",
)
def ends_on_rank_0():
    if dist.is_initialized() and dist.get_rank() == 0:
        dist.destroy_process_group()


@wrong(
    "ends-what-is-not-there",
    replaces="end",
    says="Where no group is up, ending it raises an error, so that the script cannot run alone: dist.is_initialized() "
    "says whether there is one.",
)
def ends_what_is_not_there():
    dist.destroy_process_group()


@wrong(
    "asks-the-environment",
    replaces="end",
    says="RANK in the environment says that torchrun started the process, and not that a group is up: where begin has "
    "failed, end fails as well, and its error hides the first. dist.is_initialized() tells.",
)
def asks_the_environment():
    if "RANK" in os.environ:
        dist.destroy_process_group()


@wrong(
    "meets-before-it-ends",
    replaces="end",
    says="It waits for the other ranks before it ends the group. One that has failed never comes, and those that wait "
    "hang, or die of an error that is not the cause.",
)
def meets_before_it_ends():
    if dist.is_initialized():
        dist.barrier()
        dist.destroy_process_group()


# ---- train


@wrong(
    "ranks-train-apart",
    replaces="train",
    says="Each rank trained for itself, on its part of the data and from its own start: nothing averages the "
    "gradients or makes the copies equal. DistributedDataParallel does both, where the forward pass goes through "
    "it.",
)
def ranks_train_apart(model, data, rank, world, device, epochs):
    at_least_one(epochs)
    sampler = DistributedSampler(data, world, rank)
    return steps(model.to(device), model, sampler, device, epochs, BATCH // world)


@wrong(
    "called-past-the-wrapper",
    replaces="train",
    says="The copies started equal, for the model was wrapped, and then each went its own way: the wrapper "
    "averages the gradients only of a forward pass that goes through it.",
)
def called_past_the_wrapper(model, data, rank, world, device, epochs):
    at_least_one(epochs)
    ddp = wrapped(model, device, world)
    sampler = DistributedSampler(data, world, rank)
    return steps(ddp, model, sampler, device, epochs, BATCH // world)


@wrong(
    "whole-data-on-each-rank",
    replaces="train",
    says="Each rank went through all examples, or counts them: W ranks do the work of one W times over. A "
    "DistributedSampler gives each its part of them, and each counts its own.",
    fact="09.12",
)
def whole_data_on_each_rank(model, data, rank, world, device, epochs):
    at_least_one(epochs)
    sampler = DistributedSampler(data, 1, 0)
    return steps(model, wrapped(model, device, world), sampler, device, epochs, BATCH // world)


@wrong(
    "a-whole-batch-on-each-rank",
    replaces="train",
    says="Each rank took BATCH examples in a step: W ranks step on W times as many, and less often, which is "
    "another training than that of one process. Each takes BATCH / world.",
)
def a_whole_batch_on_each_rank(model, data, rank, world, device, epochs):
    at_least_one(epochs)
    sampler = DistributedSampler(data, world, rank)
    return steps(model, wrapped(model, device, world), sampler, device, epochs, BATCH)


@wrong(
    "epochs-in-one-order",
    replaces="train",
    says="The first epoch is right, and each later one went through the data in the same order: the sampler "
    "shuffles by its seed and the number of the epoch, which set_epoch tells it.",
)
def epochs_in_one_order(model, data, rank, world, device, epochs):
    at_least_one(epochs)
    sampler = DistributedSampler(data, world, rank)
    return steps(model, wrapped(model, device, world), sampler, device, epochs, BATCH // world, shuffles=False)


@wrong(
    "never-shuffles-the-data",
    replaces="train",
    says="The examples came in the order of the data, in each epoch: the order asked for is that of "
    "DistributedSampler as it comes, which shuffles.",
)
def never_shuffles_the_data(model, data, rank, world, device, epochs):
    at_least_one(epochs)
    sampler = DistributedSampler(data, world, rank, shuffle=False)
    return steps(model, wrapped(model, device, world), sampler, device, epochs, BATCH // world)


@wrong(
    "wraps-where-nobody-else-is",
    replaces="train",
    says="Alone, the model was wrapped too; DistributedDataParallel needs a group, and there is none. Wrap it "
    "where the world is larger than 1.",
)
def wraps_where_nobody_else_is(model, data, rank, world, device, epochs):
    at_least_one(epochs)
    sampler = DistributedSampler(data, world, rank)
    return steps(model, wrapped(model, device, 2), sampler, device, epochs, BATCH // world)


@wrong(
    "keeps-the-wrapped-model",
    replaces="train",
    says="A wrapped model is still held after train has returned, and with it the group, whose end may then never "
    "come. Let the wrapper be a local name of train.",
)
def keeps_the_wrapped_model(model, data, rank, world, device, epochs):
    at_least_one(epochs)
    sampler = DistributedSampler(data, world, rank)
    wrapped.last = wrapped(model, device, world)
    return steps(model, wrapped.last, sampler, device, epochs, BATCH // world)


@wrong(
    "trains-on-nothing",
    replaces="train",
    says="Without an epoch nothing is trained, and no word is said of it: the contract asks for a ValueError.",
)
def trains_on_nothing(model, data, rank, world, device, epochs):
    sampler = DistributedSampler(data, world, rank)
    return steps(model, wrapped(model, device, world), sampler, device, epochs, BATCH // world)


@wrong(
    "examples-of-one-epoch",
    replaces="train",
    says="That is the number of examples of one epoch; those of all epochs count.",
)
def examples_of_one_epoch(model, data, rank, world, device, epochs):
    at_least_one(epochs)
    sampler = DistributedSampler(data, world, rank)
    return steps(model, wrapped(model, device, world), sampler, device, epochs, BATCH // world) // epochs


@wrong(
    "rest-of-the-data-dropped",
    replaces="train",
    says="Where the ranks do not divide the data, its rest was dropped: each rank is to have N / W examples, "
    "rounded up, and DistributedSampler repeats some to get there, unless it is told to drop.",
    fact="09.12",
)
def rest_of_the_data_dropped(model, data, rank, world, device, epochs):
    at_least_one(epochs)
    sampler = DistributedSampler(data, world, rank, drop_last=True)
    return steps(model, wrapped(model, device, world), sampler, device, epochs, BATCH // world)


@wrong(
    "gradients-of-all-steps",
    replaces="train",
    says="The first step is right, each later one follows the gradients of all steps so far: backward() adds to "
    ".grad, and nothing cleared it.",
)
def gradients_of_all_steps(model, data, rank, world, device, epochs):
    at_least_one(epochs)
    sampler = DistributedSampler(data, world, rank)
    optimizer, forward = torch.optim.SGD(model.parameters(), lr=RATE), wrapped(model, device, world)
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        for x, y in DataLoader(data, batch_size=BATCH // world, sampler=sampler):
            nn.functional.mse_loss(forward(x.to(device)), y.to(device)).backward()
            optimizer.step()
    return epochs * len(sampler)


@wrong(
    "trains-a-copy-of-the-model",
    replaces="train",
    says="A copy was trained; the model that was handed in is as it was, on each rank another, and it is the one that "
    "is reported.",
)
def trains_a_copy_of_the_model(model, data, rank, world, device, epochs):
    at_least_one(epochs)
    sampler, model = DistributedSampler(data, world, rank), copy.deepcopy(model)
    return steps(model, wrapped(model, device, world), sampler, device, epochs, BATCH // world)


@wrong(
    "examples-of-all-ranks",
    replaces="train",
    says="That is the number of examples of all ranks together. Asked is how many this rank trained on: len(x) of each "
    "batch is its own.",
    fact="09.12",
)
def examples_of_all_ranks(model, data, rank, world, device, epochs):
    at_least_one(epochs)
    sampler = DistributedSampler(data, world, rank)
    return world * steps(model, wrapped(model, device, world), sampler, device, epochs, BATCH // world)


@wrong(
    "wraps-with-device-ids",
    replaces="train",
    says="device_ids names a GPU, and the model is on the CPU, where DistributedDataParallel refuses it. Leave it out: "
    "the model is on its device already, GPU or CPU.",
)
def wraps_with_device_ids(model, data, rank, world, device, epochs):
    at_least_one(epochs)
    model.to(device)
    ddp = DistributedDataParallel(model, device_ids=[rank]) if world > 1 else model
    return steps(model, ddp, DistributedSampler(data, world, rank), device, epochs, BATCH // world)


# ---- main


@wrong(
    "ends-where-all-goes-well",
    replaces="main",
    says="Where training raises, the group is not ended: the line that ends it was never reached. `finally` is, "
    "either way.",
)
def ends_where_all_goes_well(epochs=3):
    rank, world, device = begin()
    model = _model()
    examples = train(model, _data(), rank, world, device, epochs)
    if rank == 0:
        print(json.dumps(report(world, examples, model)))
    end()


@wrong(
    "never-ends-the-group",
    replaces="main",
    says="What main begins it does not end: the group is still up when the script is over.",
)
def never_ends_the_group(epochs=3):
    rank, world, device = begin()
    model = _model()
    examples = train(model, _data(), rank, world, device, epochs)
    if rank == 0:
        print(json.dumps(report(world, examples, model)))


@wrong(
    "every-rank-reports",
    replaces="main",
    says="Every rank prints the report, so that it comes as often as there are ranks. Rank 0 speaks for all.",
)
def every_rank_reports(epochs=3):
    rank, world, device = begin()
    try:
        model = _model()
        print(json.dumps(report(world, train(model, _data(), rank, world, device, epochs), model)))
    finally:
        end()


@wrong(
    "first-of-each-node-reports",
    replaces="main",
    says="The first rank of each machine prints the report: LOCAL_RANK is 0 once on each of them. The rank that "
    "begin returns is 0 only once.",
    fact="09.13",
)
def first_of_each_node_reports(epochs=3):
    rank, world, device = begin()
    try:
        model = _model()
        examples = train(model, _data(), rank, world, device, epochs)
        if os.environ.get("LOCAL_RANK", "0") == "0":
            print(json.dumps(report(world, examples, model)))
    finally:
        end()


@wrong(
    "error-printed-and-forgotten",
    replaces="main",
    says="The error of the training was caught and not raised again: the script ends as if all had gone well, and "
    "torchrun never learns of it. `finally` needs no `except`.",
)
def error_printed_and_forgotten(epochs=3):
    rank, world, device = begin()
    try:
        model = _model()
        examples = train(model, _data(), rank, world, device, epochs)
        if rank == 0:
            print(json.dumps(report(world, examples, model)))
    except Exception:
        pass
    finally:
        end()


@wrong(
    "report-in-python",
    replaces="main",
    says="The report is a Python dict as print shows it, and no JSON, whose strings have double quotes: "
    "json.dumps writes it.",
)
def report_in_python(epochs=3):
    rank, world, device = begin()
    try:
        model = _model()
        examples = train(model, _data(), rank, world, device, epochs)
        if rank == 0:
            print(report(world, examples, model))
    finally:
        end()


@wrong(
    "ends-before-it-trains",
    replaces="main",
    says="The group was ended before the training that needs it.",
)
def ends_before_it_trains(epochs=3):
    rank, world, device = begin()
    end()
    model = _model()
    examples = train(model, _data(), rank, world, device, epochs)
    if rank == 0:
        print(json.dumps(report(world, examples, model)))


@wrong(
    "main-trains-alone",
    replaces="main",
    says="main trains as rank 0 of 1, whatever begin said: each process goes through all the data for itself.",
    fact="09.13",
)
def main_trains_alone(epochs=3):
    rank, world, device = begin()
    try:
        model = _model()
        examples = train(model, _data(), 0, 1, device, epochs)
        if rank == 0:
            print(json.dumps(report(world, examples, model)))
    finally:
        end()


@wrong(
    "deaf-to-its-epochs",
    replaces="main",
    says="main trains for three epochs, however many it is asked for.",
)
def deaf_to_its_epochs(epochs=3):
    rank, world, device = begin()
    try:
        model = _model()
        examples = train(model, _data(), rank, world, device, 3)
        if rank == 0:
            print(json.dumps(report(world, examples, model)))
    finally:
        end()
