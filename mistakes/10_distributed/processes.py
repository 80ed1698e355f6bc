"""Wrong answers to katas/10_distributed/processes.py."""

import os
from itertools import zip_longest

import torch
import torch.distributed as dist

from torchkatas.bank import wrong

# ---- place

NAMES = ("RANK", "LOCAL_RANK", "WORLD_SIZE")


def three(environ):
    """What torchrun set; none where it set nothing."""
    missing = [name for name in NAMES if name not in environ]
    if missing and len(missing) < 3:
        raise ValueError(f"{missing[0]} is not set")
    return None if missing else tuple(int(environ[name]) for name in NAMES)


def inside(rank, world_size, name):
    if not 0 <= rank < world_size:
        raise ValueError(f"{name} is {rank}")


def whole(environ):
    """The right answer."""
    rank, local_rank, world_size = three(environ) or (0, 0, 1)
    inside(rank, world_size, "RANK")
    inside(local_rank, world_size, "LOCAL_RANK")
    return rank, local_rank, world_size


@wrong(
    "z22-env-missing",
    replaces="place",
    says="A script that was started without torchrun has no RANK, LOCAL_RANK and WORLD_SIZE. That is no error here: "
    "it is the one process, rank 0 of 1.",
    fact="09.13",
)
def env_missing(environ):
    rank, local_rank, world_size = (int(environ[name]) for name in NAMES)
    inside(rank, world_size, "RANK")
    inside(local_rank, world_size, "LOCAL_RANK")
    return rank, local_rank, world_size


@wrong(
    "alone-is-an-error",
    replaces="place",
    says="A process without any of the three variables was refused with ValueError. It was started alone, without "
    "torchrun: rank 0 of 1.",
    fact="09.13",
)
def alone_is_an_error(environ):
    missing = [name for name in NAMES if name not in environ]
    if missing:
        raise ValueError(f"{missing[0]} is not set")
    return whole(environ)


@wrong(
    "a-default-for-each-variable",
    replaces="place",
    says="Each variable that is missing got a default of its own. Where WORLD_SIZE is set and RANK is not, every "
    "process takes itself for rank 0; that must be refused. Defaults are right only where all three are "
    "missing.",
    fact="09.13",
)
def a_default_for_each_variable(environ):
    rank, local_rank, world_size = (
        int(environ.get(name, default)) for name, default in zip(NAMES, (0, 0, 1), strict=True)
    )
    inside(rank, world_size, "RANK")
    inside(local_rank, world_size, "LOCAL_RANK")
    return rank, local_rank, world_size


@wrong(
    "alone-unless-rank-is-set",
    replaces="place",
    says="Where RANK is missing, the process was taken for one that runs alone, though LOCAL_RANK or WORLD_SIZE is "
    "set: every process would be rank 0 of 1. Alone is who has none of the three.",
    fact="09.13",
)
def alone_unless_rank_is_set(environ):
    return whole(environ) if "RANK" in environ else (0, 0, 1)


@wrong(
    "texts-for-numbers",
    replaces="place",
    says="Environment variables are texts: '5' where 5 is asked. Turn each into an int.",
)
def texts_for_numbers(environ):
    return tuple(environ[name] for name in NAMES) if whole(environ) != (0, 0, 1) else (0, 0, 1)


@wrong(
    "rank-and-local-rank-swapped",
    replaces="place",
    says="Rank and local rank have changed places. On one machine they are equal, on the second no more.",
    fact="09.13",
)
def rank_and_local_rank_swapped(environ):
    rank, local_rank, world_size = whole(environ)
    return local_rank, rank, world_size


@wrong(
    "local-world-size-for-world-size",
    replaces="place",
    says="This is LOCAL_WORLD_SIZE, how many processes there are on this machine; WORLD_SIZE counts those of all.",
    fact="09.13",
)
def local_world_size_for_world_size(environ):
    rank, local_rank, world_size = whole(environ)
    return rank, local_rank, int(environ.get("LOCAL_WORLD_SIZE", world_size))


@wrong(
    "environment-of-this-process",
    replaces="place",
    says="The variables were read from os.environ, those of this very process; asked are those of `environ`.",
)
def environment_of_this_process(environ):
    return three({name: os.environ[name] for name in NAMES if name in os.environ}) or (0, 0, 1)


@wrong(
    "rank-not-held-against-the-world",
    replaces="place",
    says="RANK was not held against WORLD_SIZE: rank 8 of 8 does not exist, and a group with it would wait for ever.",
)
def rank_not_held_against_the_world(environ):
    found = three(environ) or (0, 0, 1)
    inside(found[1], max(1, found[2]), "LOCAL_RANK")
    return found


@wrong(
    "local-rank-unchecked",
    replaces="place",
    says="LOCAL_RANK was not looked at: a negative one, or one past the last, is to be refused as RANK is.",
)
def local_rank_unchecked(environ):
    found = three(environ) or (0, 0, 1)
    inside(found[0], found[2], "RANK")
    return found


@wrong(
    "rank-as-large-as-the-world",
    replaces="place",
    says="Ranks start at 0, so the last of 8 is 7: a rank as large as the world was let through.",
)
def rank_as_large_as_the_world(environ):
    found = three(environ) or (0, 0, 1)
    inside(found[0], found[2] + 1, "RANK")
    inside(found[1], found[2] + 1, "LOCAL_RANK")
    return found


@wrong(
    "texts-compared",
    replaces="place",
    says="RANK and WORLD_SIZE were compared as texts, by which '12' comes before '8', and '9' after '16'. Compare "
    "numbers.",
)
def texts_compared(environ):
    found = three(environ)
    if found is None:
        return 0, 0, 1
    for name in NAMES[:2]:
        if not "0" <= environ[name] < environ["WORLD_SIZE"]:
            raise ValueError(f"{name} is {environ[name]}")
    return found


@wrong(
    "alone-unless-all-are-set",
    replaces="place",
    says="Where one of the three is missing, the process was taken for one that runs alone, though others are set: "
    "every process would be rank 0 of 1. Alone is who has none of the three; one or two are a ValueError.",
    fact="09.13",
)
def alone_unless_all_are_set(environ):
    return whole(environ) if all(name in environ for name in NAMES) else (0, 0, 1)


@wrong(
    "local-rank-by-the-rank",
    replaces="place",
    says="The local rank is the rank here. They are equal on the first machine only; it has a variable of its own, "
    "LOCAL_RANK.",
    fact="09.13",
)
def local_rank_by_the_rank(environ):
    rank, _, world_size = whole(environ)
    return rank, rank, world_size


@wrong(
    "ranks-held-against-nothing",
    replaces="place",
    says="Neither RANK nor LOCAL_RANK was held against WORLD_SIZE: a rank that does not exist was let through.",
)
def ranks_held_against_nothing(environ):
    return three(environ) or (0, 0, 1)


@wrong(
    "ranks-below-0",
    replaces="place",
    says="A negative rank was let through: ranks begin at 0, so there are two ends to look at.",
)
def ranks_below_0(environ):
    found = three(environ) or (0, 0, 1)
    for name, rank in zip(NAMES, found[:2], strict=False):
        if rank >= found[2]:
            raise ValueError(name)
    return found


@wrong(
    "world-size-in-the-middle",
    replaces="place",
    says="World size and local rank have changed places: asked is (rank, local rank, world size), in this order.",
)
def world_size_in_the_middle(environ):
    rank, local_rank, world_size = whole(environ)
    return rank, world_size, local_rank


# ---- device_of


@wrong(
    "z21-local-rank",
    replaces="device_of",
    says="The index is the rank, which goes on from machine to machine: rank 5 is the second process of a machine "
    "that has no GPU 5. Each machine numbers its GPUs from 0: use the local rank.",
    fact="09.7",
)
def index_is_the_rank(place, gpus):
    rank, local_rank, _ = place
    if gpus == 0:
        return torch.device("cpu")
    if local_rank >= gpus:
        raise ValueError("local rank")
    return torch.device("cuda", rank)


@wrong(
    "rank-modulo-the-gpus",
    replaces="device_of",
    says="The rank modulo the number of GPUs is right only where every machine runs one process for each of its "
    "GPUs. The local rank is right always.",
    fact="09.7",
)
def rank_modulo_the_gpus(place, gpus):
    rank, local_rank, _ = place
    if gpus == 0:
        return torch.device("cpu")
    if local_rank >= gpus:
        raise ValueError("local rank")
    return torch.device("cuda", rank % gpus)


@wrong(
    "no-index",
    replaces="device_of",
    says="'cuda' without an index is the current GPU, which is GPU 0 in every process unless someone says otherwise: "
    "all would crowd on one. Give the local rank as the index.",
    fact="09.7",
)
def no_index(place, gpus):
    if gpus == 0:
        return torch.device("cpu")
    if place[1] >= gpus:
        raise ValueError("local rank")
    return torch.device("cuda")


@wrong(
    "all-on-gpu-0",
    replaces="device_of",
    says="Every process was sent to GPU 0. Each is to have one of its own.",
    fact="09.7",
)
def all_on_gpu_0(place, gpus):
    if gpus == 0:
        return torch.device("cpu")
    if place[1] >= gpus:
        raise ValueError("local rank")
    return torch.device("cuda", 0)


@wrong(
    "a-gpu-that-is-not-there",
    replaces="device_of",
    says="A machine without GPUs got one all the same. Its processes compute on the CPU.",
)
def a_gpu_that_is_not_there(place, gpus):
    if gpus and place[1] >= gpus:
        raise ValueError("local rank")
    return torch.device("cuda", place[1])


@wrong(
    "two-processes-a-gpu",
    replaces="device_of",
    says="A process too many was sent to a GPU that another one has: the local rank was taken modulo the GPUs. DDP "
    "runs one process a GPU; refuse it, ValueError.",
    fact="09.7",
)
def two_processes_a_gpu(place, gpus):
    return torch.device("cuda", place[1] % gpus) if gpus else torch.device("cpu")


@wrong(
    "index-past-the-last-gpu",
    replaces="device_of",
    says="A local rank past the last GPU was let through. torch.device makes whatever it is told, and CUDA fails "
    "only at the first tensor, in words about an invalid ordinal: refuse it here, ValueError.",
    fact="09.7",
)
def index_past_the_last_gpu(place, gpus):
    return torch.device("cuda", place[1]) if gpus else torch.device("cpu")


@wrong(
    "cpu-for-one-too-many",
    replaces="device_of",
    says="A process for which there is no GPU got the CPU: among GPUs it would hold up all others at every step. "
    "Refuse it, ValueError; the CPU is for machines without any.",
    fact="09.7",
)
def cpu_for_one_too_many(place, gpus):
    return torch.device("cuda", place[1]) if place[1] < gpus else torch.device("cpu")


@wrong(
    "index-of-one-past-the-last",
    replaces="device_of",
    says="GPUs are numbered from 0, so the last of 4 is 3: a local rank as large as their number was let through.",
)
def index_of_one_past_the_last(place, gpus):
    if gpus and place[1] > gpus:
        raise ValueError("local rank")
    return torch.device("cuda", place[1]) if gpus else torch.device("cpu")


@wrong(
    "rank-held-against-the-gpus",
    replaces="device_of",
    says="The rank was held against this machine's GPUs, and a process of the second machine was refused. It is the "
    "local rank that has to be below their number.",
    fact="09.7",
)
def rank_held_against_the_gpus(place, gpus):
    if gpus and place[0] >= gpus:
        raise ValueError("local rank")
    return torch.device("cuda", place[1]) if gpus else torch.device("cpu")


@wrong(
    "world-held-against-the-gpus",
    replaces="device_of",
    says="The world size was held against this machine's GPUs; with several machines it is larger, and nothing is "
    "wrong. It is the local rank that has to be below their number.",
    fact="09.7",
)
def world_held_against_the_gpus(place, gpus):
    if gpus and place[2] > gpus:
        raise ValueError("local rank")
    return torch.device("cuda", place[1]) if gpus else torch.device("cpu")


@wrong(
    "no-gpu-no-device",
    replaces="device_of",
    says="A machine without GPUs was refused. Its processes compute on the CPU.",
)
def no_gpu_no_device(place, gpus):
    if place[1] >= gpus:
        raise ValueError("local rank")
    return torch.device("cuda", place[1])


@wrong(
    "rank-for-the-local-rank",
    replaces="device_of",
    says="The rank was taken for the local rank, so processes of the second machine were refused or sent to another "
    "GPU: the rank goes on from machine to machine, while each machine numbers its GPUs from 0. Of `place` it is the "
    "second number that counts, both for the index and for whether there is such a GPU.",
    fact="09.7",
)
def rank_for_the_local_rank(place, gpus):
    if gpus and place[0] >= gpus:
        raise ValueError("local rank")
    return torch.device("cuda", place[0]) if gpus else torch.device("cpu")


# ---- seeded_model


@wrong(
    "z27-same-seed",
    replaces="seeded_model",
    says="The weights are equal, but so is everything that is drawn after them: each rank would drop the same units "
    "and add the same noise. Seed again once the model is built, with seed + rank.",
)
def same_seed(build, seed, rank):
    torch.manual_seed(seed)
    return build()


@wrong(
    "rank-in-the-seed-of-the-weights",
    replaces="seeded_model",
    says="The weights differ by rank, since the rank was in the seed when the model was built. Build it under the "
    "seed that all share; the rank comes in afterwards.",
    fact="09.7",
)
def rank_in_the_seed_of_the_weights(build, seed, rank):
    torch.manual_seed(seed + rank)
    return build()


@wrong(
    "weights-unseeded",
    replaces="seeded_model",
    says="The model was built before anything was seeded: its weights are what the global stream happened to give, "
    "others on each rank and at each call.",
    fact="09.7",
)
def weights_unseeded(build, seed, rank):
    model = build()
    torch.manual_seed(seed + rank)
    return model


@wrong(
    "seed-by-the-rank-alone",
    replaces="seeded_model",
    says="What is drawn after the model depends on the rank alone: a run with another seed has the same noise. Both "
    "belong in: seed + rank.",
)
def seed_by_the_rank_alone(build, seed, rank):
    torch.manual_seed(seed)
    model = build()
    torch.manual_seed(rank)
    return model


@wrong(
    "weights-of-one-seed",
    replaces="seeded_model",
    says="The weights are the same for every seed: what was seeded before the model was built is no part of `seed`.",
)
def weights_of_one_seed(build, seed, rank):
    torch.manual_seed(0)
    model = build()
    torch.manual_seed(seed + rank)
    return model


@wrong(
    "noise-of-the-clock",
    replaces="seeded_model",
    says="What is drawn after the model follows neither from the seed nor from the rank, so no run can be repeated. "
    "Once the model is built, seed the global stream with seed + rank, and leave it so.",
)
def noise_of_the_clock(build, seed, rank):
    torch.manual_seed(seed)
    model = build()
    torch.seed()
    return model


@wrong(
    "nothing-is-seeded",
    replaces="seeded_model",
    says="Nothing was seeded in the global stream: the weights and all that is drawn after them are others at each "
    "call, and on each rank.",
    fact="09.7",
)
def nothing_is_seeded(build, seed, rank):
    return build()


@wrong(
    "seed-times-rank",
    replaces="seeded_model",
    says="On some rank what is drawn after the model is the same for every seed, as seed * 0 is on rank 0. A sum, "
    "seed + rank, depends on both.",
)
def seed_times_rank(build, seed, rank):
    torch.manual_seed(seed)
    model = build()
    torch.manual_seed(seed * rank)
    return model


@wrong(
    "seeds-the-other-way-round",
    replaces="seeded_model",
    says="The weights differ by rank, and what is drawn after them does not: the two seeds have changed places.",
    fact="09.7",
)
def seeds_the_other_way_round(build, seed, rank):
    torch.manual_seed(seed + rank)
    model = build()
    torch.manual_seed(seed)
    return model


# ---- stuck


@wrong(
    "calls-only-counted",
    replaces="stuck",
    says="Ranks that make equally many calls were taken to meet. Which call it is counts as well: a broadcast does "
    "not meet an all_reduce.",
)
def calls_only_counted(calls):
    fewest = min(len(names) for names in calls)
    return [rank for rank, names in enumerate(calls) if len(names) > fewest]


@wrong(
    "order-of-calls-ignored",
    replaces="stuck",
    says="Ranks that make the same calls in another order were taken to meet. They do not: the first waits for a "
    "broadcast that the second makes only after an all_reduce, in which it waits for the first.",
)
def order_of_calls_ignored(calls):
    return [] if len({tuple(sorted(names)) for names in calls}) == 1 else stuck_of(calls)


def stuck_of(calls):
    for met in zip_longest(*calls):
        if len(set(met)) > 1:
            return [rank for rank, call in enumerate(met) if call is not None]
    return []


@wrong(
    "rest-not-looked-at",
    replaces="stuck",
    says="Calls past the end of the shortest list were not looked at, as zip ends there. Whoever makes them waits "
    "for ranks that make none.",
)
def rest_not_looked_at(calls):
    for met in zip(*calls, strict=False):
        if len(set(met)) > 1:
            return [rank for rank, call in enumerate(met) if call is not None]
    return []


@wrong(
    "those-who-do-not-come",
    replaces="stuck",
    says="Where ranks have ended early, these are the ones that do not come. Asked for are those that wait for them.",
)
def those_who_do_not_come(calls):
    for met in zip_longest(*calls):
        if len(set(met)) > 1:
            return [rank for rank, call in enumerate(met) if call is None] or list(range(len(calls)))
    return []


@wrong(
    "the-ended-wait-too",
    replaces="stuck",
    says="A rank that has made all its calls was counted among those that wait; it has ended.",
)
def the_ended_wait_too(calls):
    return list(range(len(calls))) if len({tuple(names) for names in calls}) > 1 else []


@wrong(
    "rank-0-is-always-right",
    replaces="stuck",
    says="These are the ranks whose calls differ from rank 0's. But in a collective that some do not join, all who "
    "did wait, rank 0 as well.",
)
def rank_0_is_always_right(calls):
    return [rank for rank, names in enumerate(calls) if list(names) != list(calls[0])]


@wrong(
    "only-calls-compared",
    replaces="stuck",
    says="Ranks that have no call any more were left out of the comparison, and the others taken to meet among "
    "themselves. A collective ends once all ranks are in it.",
)
def only_calls_compared(calls):
    for met in zip_longest(*calls):
        if len({call for call in met if call is not None}) > 1:
            return [rank for rank, call in enumerate(met) if call is not None]
    return []


@wrong(
    "fewer-calls-came-back",
    replaces="stuck",
    says="These are the ranks that make fewer calls than others. They have ended, or wait in their last one; it is the "
    "others who wait for them. Which call it is counts as well.",
)
def fewer_calls_came_back(calls):
    most = max(len(names) for names in calls)
    return [rank for rank, names in enumerate(calls) if len(names) < most]


@wrong(
    "calls-sorted-first",
    replaces="stuck",
    says="The calls were compared as if their order did not count, sorted, say. It does: the n-th call of a rank meets "
    "the n-th of each other, whatever they call before and after it.",
)
def calls_sorted_first(calls):
    return stuck_of([sorted(names) for names in calls])


# ---- mean_over_ranks


@wrong(
    "mean-is-the-sum",
    replaces="mean_over_ranks",
    says="That is the sum over the ranks. all_reduce adds up; divide by the world size.",
    fact="09.10",
)
def mean_is_the_sum(tensor):
    total = tensor.detach().clone()
    dist.all_reduce(total)
    return total if total.is_floating_point() else total.float()


@wrong(
    "callers-tensor-reduced",
    replaces="mean_over_ranks",
    says="The mean is right, but the tensor that was handed in holds something else now: all_reduce writes its "
    "result into what it is given. Give it a copy.",
)
def callers_tensor_reduced(tensor):
    dist.all_reduce(tensor)
    return tensor / dist.get_world_size()


@wrong(
    "sum-in-the-callers-tensor",
    replaces="mean_over_ranks",
    says="That is the sum over the ranks, and it stands in the tensor that was handed in, whose numbers are lost: "
    "all_reduce adds up, in place. Give it a copy, and divide by the world size.",
    fact="09.10",
)
def sum_in_the_callers_tensor(tensor):
    dist.all_reduce(tensor)
    return tensor


@wrong(
    "divided-by-two",
    replaces="mean_over_ranks",
    says="With two ranks this is right, with others not: the sum was divided by 2, not by dist.get_world_size().",
    fact="09.10",
)
def divided_by_two(tensor):
    total = tensor.detach().clone()
    dist.all_reduce(total)
    return total / 2


@wrong(
    "divided-by-four",
    replaces="mean_over_ranks",
    says="With four ranks this is right, with others not: the sum was divided by 4, not by dist.get_world_size().",
    fact="09.10",
)
def divided_by_four(tensor):
    total = tensor.detach().clone()
    dist.all_reduce(total)
    return total / 4


@wrong(
    "divided-twice",
    replaces="mean_over_ranks",
    says="It was divided by the world size twice, before the sum and after it. Once is enough.",
    fact="09.10",
)
def divided_twice(tensor):
    total = tensor.detach() / dist.get_world_size()
    dist.all_reduce(total)
    return total / dist.get_world_size()


@wrong(
    "divided-on-rank-0-alone",
    replaces="mean_over_ranks",
    says="Rank 0 has the mean, the others have the sum still: each rank has to divide.",
    fact="09.10",
)
def divided_on_rank_0_alone(tensor):
    total = tensor.detach().clone()
    dist.all_reduce(total)
    return total / (dist.get_world_size() if dist.get_rank() == 0 else 1)


@wrong(
    "all-reduce-on-rank-0-alone",
    replaces="mean_over_ranks",
    says="Rank 0 alone calls the all_reduce, and waits in it for the others, who never come: a collective belongs to "
    "all ranks, so it must not stand behind `if rank == 0`.",
    fact="09.10",
)
def all_reduce_on_rank_0_alone(tensor):
    total = tensor.detach().clone()
    if dist.get_rank() == 0:
        dist.all_reduce(total)
    return total / dist.get_world_size()


@wrong(
    "integers-divided-in-place",
    replaces="mean_over_ranks",
    says="A tensor of integers cannot hold a quotient, so dividing it in place, or asking all_reduce for the average, "
    "is an error. total / n makes a new one, float32.",
)
def integers_divided_in_place(tensor):
    total = tensor.detach().clone()
    dist.all_reduce(total)
    total /= dist.get_world_size()
    return total


@wrong(
    "integers-rounded-down",
    replaces="mean_over_ranks",
    says="The mean of integers was rounded to an integer; the mean of 1 and 2 is 1.5. Divide by / and leave the "
    "dtype to it.",
)
def integers_rounded_down(tensor):
    total = tensor.detach().clone()
    dist.all_reduce(total)
    return (total / dist.get_world_size()).to(tensor.dtype)


@wrong(
    "mean-in-float32",
    replaces="mean_over_ranks",
    says="The mean of float64 came back as float32: a floating-point tensor keeps its dtype.",
)
def mean_in_float32(tensor):
    total = tensor.detach().clone().float()
    dist.all_reduce(total)
    return total / dist.get_world_size()


@wrong(
    "mean-over-the-elements-too",
    replaces="mean_over_ranks",
    says="One number came out: the elements were averaged as well. Asked is the mean of each element over the ranks, "
    "in the shape of the tensor.",
)
def mean_over_the_elements_too(tensor):
    total = tensor.detach().double().mean()
    dist.all_reduce(total)
    return (total / dist.get_world_size()).to(tensor.dtype if tensor.is_floating_point() else torch.float32)


@wrong(
    "what-all-reduce-returns",
    replaces="mean_over_ranks",
    says="all_reduce returns None: the sum stands in the tensor that it was given.",
)
def what_all_reduce_returns(tensor):
    return dist.all_reduce(tensor.detach().clone()) / dist.get_world_size()


@wrong(
    "callers-tensor-averaged",
    replaces="mean_over_ranks",
    says="The mean is right, but it stands in the tensor that was handed in, whose numbers are lost. Give all_reduce a "
    "copy.",
)
def callers_tensor_averaged(tensor):
    result = tensor.detach() if tensor.is_floating_point() else tensor.float()
    dist.all_reduce(result)
    result /= dist.get_world_size()
    return result


@wrong(
    "never-added-up",
    replaces="mean_over_ranks",
    says="Each rank has divided its own tensor; those of the others had not come in. all_reduce adds them up: it was "
    "not called, or not waited for, as with async_op=True.",
    fact="09.10",
)
def never_added_up(tensor):
    return tensor.detach() / dist.get_world_size()


@wrong(
    "own-tensor-for-the-mean",
    replaces="mean_over_ranks",
    says="Each rank got its own tensor back: the all_reduce went into a copy, and not the copy was returned.",
    fact="09.10",
)
def own_tensor_for_the_mean(tensor):
    dist.all_reduce(tensor.detach().clone())
    return tensor.clone() if tensor.is_floating_point() else tensor.float()


@wrong(
    "mean-floored",
    replaces="mean_over_ranks",
    says="The mean was rounded down to a whole number, as // does; the mean of 1 and 2 is 1.5. Divide by /.",
    fact="09.10",
)
def mean_floored(tensor):
    total = tensor.detach().clone()
    dist.all_reduce(total)
    return total // dist.get_world_size()


@wrong(
    "another-group-begun",
    replaces="mean_over_ranks",
    says="init_process_group was called, and the group is up already when your function is: only the functions of "
    "`launch` begin one.",
)
def another_group_begun(tensor):
    dist.init_process_group("gloo")
    return tensor


# ---- from_rank


@wrong(
    "always-from-rank-0",
    replaces="from_rank",
    says="The tensor is rank 0's, whatever `source` says.",
)
def always_from_rank_0(tensor, source):
    copy = tensor.detach().clone()
    dist.broadcast(copy, src=0)
    return copy


@wrong(
    "received-into-the-callers",
    replaces="from_rank",
    says="The right tensor came, but into the one that was handed in, whose numbers are lost: a broadcast receives "
    "into what it is given. Give it a copy.",
)
def received_into_the_callers(tensor, source):
    dist.broadcast(tensor, src=source)
    return tensor.clone()


@wrong(
    "own-tensor-returned",
    replaces="from_rank",
    says="Each rank got its own tensor back: the broadcast went into a copy, and not the copy was returned.",
)
def own_tensor_returned(tensor, source):
    dist.broadcast(tensor.clone(), src=source)
    return tensor.clone()


@wrong(
    "only-the-source-calls",
    replaces="from_rank",
    says="Only the source calls broadcast. To receive is to call it as well: all ranks make the same call, and `src` "
    "tells who sends.",
)
def only_the_source_calls(tensor, source):
    copy = tensor.detach().clone()
    if dist.get_rank() == source:
        dist.broadcast(copy, src=source)
    return copy


@wrong(
    "each-its-own-source",
    replaces="from_rank",
    says="Each rank named itself as the source, so that all send and none receives: `src` must be the same on all "
    "ranks.",
)
def each_its_own_source(tensor, source):
    copy = tensor.detach().clone()
    dist.broadcast(copy, src=dist.get_rank())
    return copy


@wrong(
    "sum-of-all-sources",
    replaces="from_rank",
    says="That is the sum over all ranks. An all_reduce would do only if all but the source handed in zeros.",
)
def sum_of_all_sources(tensor, source):
    copy = tensor.detach().clone()
    dist.all_reduce(copy)
    return copy


@wrong(
    "what-broadcast-returns",
    replaces="from_rank",
    says="broadcast returns None: what was sent stands in the tensor that it was given.",
)
def what_broadcast_returns(tensor, source):
    return dist.broadcast(tensor.detach().clone(), src=source)


@wrong(
    "always-from-the-last-rank",
    replaces="from_rank",
    says="The tensor is the last rank's, whatever `source` says.",
)
def always_from_the_last_rank(tensor, source):
    copy = tensor.detach().clone()
    dist.broadcast(copy, src=dist.get_world_size() - 1)
    return copy


@wrong(
    "source-sends-zeros",
    replaces="from_rank",
    says="Zeros came to all: the source, too, handed in a new tensor of zeros, and sent that. It has to hand in its "
    "own numbers; where the others receive does not matter.",
)
def source_sends_zeros(tensor, source):
    box = torch.zeros_like(tensor)
    dist.broadcast(box, src=source)
    return box


@wrong(
    "source-sends-empty-memory",
    replaces="from_rank",
    says="What came is nobody's: the source, too, handed in new memory, as torch.empty gives it, and sent what "
    "happened to stand there. It has to hand in its own numbers; where the others receive does not matter.",
)
def source_sends_empty_memory(tensor, source):
    box = torch.empty_like(tensor)
    dist.broadcast(box, src=source)
    return box


# ---- gather_parts


def with_sizes(part):
    """The sizes of all, and the filled parts of all."""
    size = torch.tensor([len(part)], device=part.device)
    sizes = [torch.empty_like(size) for _ in range(dist.get_world_size())]
    dist.all_gather(sizes, size)
    sizes = [int(n) for n in sizes]
    filled = part.new_zeros(max(sizes), part.shape[1])
    filled[: len(part)] = part
    parts = [torch.empty_like(filled) for _ in sizes]
    dist.all_gather(parts, filled)
    return sizes, parts


@wrong(
    "sizes-taken-for-equal",
    replaces="gather_parts",
    says="all_gather was called with parts of different sizes; it wants the same shape on all ranks, and else waits, "
    "crashes or gives nonsense. Share the sizes first and fill up to the longest, or gather objects.",
)
def sizes_taken_for_equal(part):
    parts = [torch.empty_like(part) for _ in range(dist.get_world_size())]
    dist.all_gather(parts, part)
    return torch.cat(parts)


@wrong(
    "filling-left-in",
    replaces="gather_parts",
    says="The rows that filled up the shorter parts are still there, as if they were examples. Cut each part to its "
    "own size.",
)
def filling_left_in(part):
    return torch.cat(with_sizes(part)[1])


@wrong(
    "zeros-taken-for-filling",
    replaces="gather_parts",
    says="Rows of zeros were thrown away with the filling, but a row may be all zeros. Only the sizes tell what was "
    "filled.",
)
def zeros_taken_for_filling(part):
    rows = torch.cat(with_sizes(part)[1])
    return rows[(rows != 0).any(dim=1)]


@wrong(
    "cut-by-ones-own-size",
    replaces="gather_parts",
    says="All parts were cut to the size of this rank's own, and each rank has another result. Each part has its own "
    "size.",
)
def cut_by_ones_own_size(part):
    return torch.cat([rows[: len(part)] for rows in with_sizes(part)[1]])


@wrong(
    "one-buffer-for-all",
    replaces="gather_parts",
    says="All the parts are the last rank's: [buffer] * n is n times the same tensor, and each part was written over "
    "the one before. Make a tensor for each.",
)
def one_buffer_for_all(part):
    sizes, parts = with_sizes(part)
    filled = part.new_zeros(parts[0].shape)
    filled[: len(part)] = part
    parts = [torch.empty_like(filled)] * len(sizes)
    dist.all_gather(parts, filled)
    return torch.cat([rows[:n] for n, rows in zip(sizes, parts, strict=True)])


@wrong(
    "ones-own-part-first",
    replaces="gather_parts",
    says="Each rank has its own part first, then those of the others, so that no two ranks have the same result. The "
    "order is that of the ranks.",
)
def ones_own_part_first(part):
    sizes, parts = with_sizes(part)
    others = [rows[:n] for rank, (n, rows) in enumerate(zip(sizes, parts, strict=True)) if rank != dist.get_rank()]
    return torch.cat([part, *others])


@wrong(
    "gathered-on-rank-0-alone",
    replaces="gather_parts",
    says="Rank 0 has all rows, the others have nothing or only their own: gather brings the parts to one rank, "
    "all_gather to all.",
)
def gathered_on_rank_0_alone(part):
    parts = [None] * dist.get_world_size() if dist.get_rank() == 0 else None
    dist.gather_object(part, parts)
    return torch.cat(parts) if parts else part


@wrong(
    "parts-not-joined",
    replaces="gather_parts",
    says="These are the parts, in a list; one tensor with all rows is asked. torch.cat joins them.",
)
def parts_not_joined(part):
    sizes, parts = with_sizes(part)
    return [rows[:n] for n, rows in zip(sizes, parts, strict=True)]


@wrong(
    "sent-as-float32",
    replaces="gather_parts",
    says="The rows are right, but integers came back as float32: what is filled up needs the dtype of the part.",
)
def sent_as_float32(part):
    sizes, parts = with_sizes(part.float())
    return torch.cat([rows[:n] for n, rows in zip(sizes, parts, strict=True)])


@wrong(
    "sent-as-python-numbers",
    replaces="gather_parts",
    says="The rows are right, but not their dtype: they went through Python numbers, of which torch makes float32 and "
    "int64.",
)
def sent_as_python_numbers(part):
    parts = [None] * dist.get_world_size()
    dist.all_gather_object(parts, part.tolist())
    return torch.tensor([row for rows in parts for row in rows])


@wrong(
    "filling-told-by-minus-one",
    replaces="gather_parts",
    says="Rows of -1 were thrown away as if they were filling, but a row may be all -1. Only the sizes tell what was "
    "filled.",
)
def filling_told_by_minus_one(part):
    sizes, parts = with_sizes(part)
    rows = torch.cat([part[:n] for n, part in zip(sizes, parts, strict=True)])
    return rows[(rows != -1).any(dim=1)]


@wrong(
    "filling-told-by-nan",
    replaces="gather_parts",
    says="Rows of NaN were thrown away as if they were filling, but a row may be NaN. Only the sizes tell what was "
    "filled.",
)
def filling_told_by_nan(part):
    sizes, parts = with_sizes(part)
    rows = torch.cat([part[:n] for n, part in zip(sizes, parts, strict=True)])
    return rows[~rows.isnan().any(dim=1)]


@wrong(
    "no-rows-no-sizes",
    replaces="gather_parts",
    says="A rank without rows left early, and the others wait for it in the all_gather. A part of 0 rows is brought in "
    "like any other, and the rank needs the rows of the others too.",
)
def no_rows_no_sizes(part):
    if len(part) == 0:
        return part
    sizes, parts = with_sizes(part)
    return torch.cat([rows[:n] for n, rows in zip(sizes, parts, strict=True)])


@wrong(
    "no-rows-no-objects",
    replaces="gather_parts",
    says="A rank without rows left early, and the others wait for it in the all_gather_object. A part of 0 rows is "
    "brought in like any other, and the rank needs the rows of the others too.",
)
def no_rows_no_objects(part):
    if len(part) == 0:
        return part
    parts = [None] * dist.get_world_size()
    dist.all_gather_object(parts, part)
    return torch.cat(parts)


@wrong(
    "objects-into-an-empty-list",
    replaces="gather_parts",
    says="all_gather_object writes into the places of the list that it is given, and an empty list has none: make it "
    "with one place for each rank, [None] * dist.get_world_size().",
)
def objects_into_an_empty_list(part):
    parts = []
    dist.all_gather_object(parts, part)
    return torch.cat(parts)


@wrong(
    "sizes-into-an-empty-list",
    replaces="gather_parts",
    says="all_gather writes into the tensors of the list that it is given, and an empty list has none: make it with a "
    "tensor for each rank, [torch.empty_like(x) for _ in range(dist.get_world_size())].",
)
def sizes_into_an_empty_list(part):
    sizes = []
    dist.all_gather(sizes, torch.tensor([len(part)], device=part.device))
    return torch.cat(sizes)


@wrong(
    "no-rows-no-size",
    replaces="gather_parts",
    says="A rank without rows left early, and the others wait for it in the all_gather of the sizes. A part of 0 rows "
    "is brought in like any other, and the rank needs the rows of the others too.",
)
def no_rows_no_size(part):
    if len(part):
        size = torch.tensor(len(part), device=part.device)
        dist.all_gather([torch.empty_like(size) for _ in range(dist.get_world_size())], size)
    return part


# ---- on_rank_zero


@wrong(
    "z17-rank0-collective",
    replaces="on_rank_zero",
    says="Rank 0 waits in a barrier that the others never reach: it stands behind `if rank == 0`. What only rank 0 "
    "does is the work; every collective is for all ranks.",
)
def rank0_collective(work):
    result = [None]
    if dist.get_rank() == 0:
        result = [work()]
        dist.barrier()
    dist.broadcast_object_list(result, src=0)
    return result[0]


@wrong(
    "result-sent-by-rank-0-alone",
    replaces="on_rank_zero",
    says="Rank 0 sends its result, and no one receives it: the broadcast stands behind `if rank == 0`. The others "
    "have to call it too.",
)
def result_sent_by_rank_0_alone(work):
    result = [None]
    if dist.get_rank() == 0:
        result = [work()]
        dist.broadcast_object_list(result, src=0)
    return result[0]


@wrong(
    "work-on-every-rank",
    replaces="on_rank_zero",
    says="Every rank did the work. Were it a download, all would write the same file at once. Only rank 0 works; it "
    "sends the others its result.",
)
def work_on_every_rank(work):
    result = [work()]
    dist.broadcast_object_list(result, src=0)
    return result[0]


@wrong(
    "others-get-none",
    replaces="on_rank_zero",
    says="Rank 0 did the work and the others waited for it, but they return None: a barrier brings no result along, "
    "a broadcast does.",
)
def others_get_none(work):
    result = work() if dist.get_rank() == 0 else None
    dist.barrier()
    return result


@wrong(
    "each-rank-its-own-result",
    replaces="on_rank_zero",
    says="Every rank did the work and returns what it got itself. Only rank 0 is to work, and all return its result.",
)
def each_rank_its_own_result(work):
    dist.barrier()
    return work()


@wrong(
    "work-done-twice",
    replaces="on_rank_zero",
    says="Rank 0 did the work twice, once to send the result and once to return it.",
)
def work_done_twice(work):
    result = [work() if dist.get_rank() == 0 else None]
    dist.broadcast_object_list(result, src=0)
    return work() if dist.get_rank() == 0 else result[0]


@wrong(
    "a-list-around-the-result",
    replaces="on_rank_zero",
    says="The result is still in the list in which broadcast_object_list sent it.",
)
def a_list_around_the_result(work):
    result = [work() if dist.get_rank() == 0 else None]
    dist.broadcast_object_list(result, src=0)
    return result


@wrong(
    "rank-1-works",
    replaces="on_rank_zero",
    says="Another rank did the work, the last one; it is rank 0's.",
)
def rank_1_works(work):
    last = dist.get_world_size() - 1
    result = [work() if dist.get_rank() == last else None]
    dist.broadcast_object_list(result, src=last)
    return result[0]


@wrong(
    "receives-into-an-empty-list",
    replaces="on_rank_zero",
    says="broadcast_object_list receives into the places of the list that it is given: an empty list has none, and the "
    "other ranks crash. All hand in one of the same length: [None] where nothing is sent.",
)
def receives_into_an_empty_list(work):
    result = [work()] if dist.get_rank() == 0 else []
    dist.broadcast_object_list(result, src=0)
    return result[0]


@wrong(
    "each-rank-sends-its-own",
    replaces="on_rank_zero",
    says="Each rank named itself as the source of the broadcast, so that all send and none receives: src is 0 on all.",
)
def each_rank_sends_its_own(work):
    result = [work() if dist.get_rank() == 0 else None]
    dist.broadcast_object_list(result, src=dist.get_rank())
    return result[0]


@wrong(
    "result-as-a-tensor",
    replaces="on_rank_zero",
    says="The result was to travel as a tensor, and a dict cannot become one: work() may return anything that can be "
    "pickled. broadcast_object_list sends such things.",
)
def result_as_a_tensor(work):
    result = torch.tensor(work() if dist.get_rank() == 0 else 0.0)
    dist.broadcast(result, src=0)
    return result.item()
