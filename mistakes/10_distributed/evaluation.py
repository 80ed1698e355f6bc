"""Wrong answers to katas/10_distributed/evaluation.py."""

import os

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.utils.data import DataLoader, Subset
from torch.utils.data.distributed import DistributedSampler

from torchkatas.bank import wrong

# ---- bare_keys


@wrong(
    "evaluation-prefix-stripped-as-letters",
    replaces="bare_keys",
    says="lstrip takes off all letters of m, o, d, u, l, e and the dot, in any order, from the front: keys that go on "
    "with such letters lose them too. removeprefix takes off the whole word, once.",
)
def prefix_stripped_as_letters(state):
    return {key.lstrip("module."): value for key, value in state.items()}


@wrong(
    "evaluation-prefix-replaced-everywhere",
    replaces="bare_keys",
    says='"module." was taken out wherever it occurs in a key; only what stands in front of it is the wrapper\'s.',
)
def prefix_replaced_everywhere(state):
    return {key.replace("module.", ""): value for key, value in state.items()}


@wrong(
    "seven-letters-cut-off",
    replaces="bare_keys",
    says="The first seven letters were cut off every key, also where they are no prefix: a bare model's keys came out "
    "mutilated.",
)
def seven_letters_cut_off(state):
    return {key[len("module.") :]: value for key, value in state.items()}


@wrong(
    "prefix-stays",
    replaces="bare_keys",
    says='The keys still begin with "module.": a bare model knows none of them.',
)
def prefix_stays(state):
    return dict(state)


@wrong(
    "prefix-added",
    replaces="bare_keys",
    says='Keys got a "module." in front; that is the other way round, from a bare model to a wrapper.',
)
def prefix_added(state):
    return {f"module.{key}": value for key, value in state.items()}


@wrong(
    "other-keys-dropped",
    replaces="bare_keys",
    says="Keys without the prefix were dropped: those of a bare model stay as they are.",
)
def other_keys_dropped(state):
    return {key[len("module.") :]: value for key, value in state.items() if key.startswith("module.")}


@wrong(
    "keys-changed-in-place",
    replaces="bare_keys",
    says="The keys are right, but the caller's own dict was changed too: make a new one.",
)
def keys_changed_in_place(state):
    for key in list(state):
        state[key.removeprefix("module.")] = state.pop(key)
    return state


@wrong(
    "dot-left-over",
    replaces="bare_keys",
    says='Each key begins with a dot now: the prefix is "module.", with its dot.',
)
def dot_left_over(state):
    return {key.removeprefix("module"): value for key, value in state.items()}


@wrong(
    "up-to-the-first-dot",
    replaces="bare_keys",
    says='What stands before the first dot was cut off, whatever it is: only "module." is the wrapper\'s.',
)
def up_to_the_first_dot(state):
    return {key.split(".", 1)[1]: value for key, value in state.items()}


@wrong(
    "behind-the-last-module",
    replaces="bare_keys",
    says='The keys were cut behind the last "module." in them; a module of that name may be further down. Only what '
    "stands in front of a key is the wrapper's.",
)
def behind_the_last_module(state):
    return {key.split("module.")[-1]: value for key, value in state.items()}


@wrong(
    "prefix-looked-for-without-its-dot",
    replaces="bare_keys",
    says='Seven letters were cut off names that only begin like the prefix, as `modules.0`: it is "module.", dot '
    "included.",
)
def prefix_looked_for_without_its_dot(state):
    return {key[7:] if key.startswith("module") else key: value for key, value in state.items()}


# ---- global_mean


def summed(*numbers):
    """Sums over all ranks."""
    sums = torch.stack([torch.as_tensor(number).double() for number in numbers])
    dist.all_reduce(sums)
    return sums


@wrong(
    "mean-of-rank-means",
    replaces="global_mean",
    says="That is the mean of the ranks' means: a rank with few examples counts as much as one with many, and one "
    "without any makes it NaN. Bring sums and counts together, then divide.",
)
def mean_of_rank_means(total, count):
    if not summed(count)[0]:
        raise ValueError("empty")
    return (summed(total / count)[0] / dist.get_world_size()).item()


@wrong(
    "mean-of-non-empty-ranks",
    replaces="global_mean",
    says="That is the mean of the means of those ranks that have examples: each rank counts the same, each example "
    "does not. Bring sums and counts together, then divide.",
)
def mean_of_non_empty_ranks(total, count):
    sums = summed(total / max(count, 1), int(count > 0))
    if not sums[1]:
        raise ValueError("empty")
    return (sums[0] / sums[1]).item()


@wrong(
    "own-mean-on-each-rank",
    replaces="global_mean",
    says="Each rank gives the mean of its own examples, another number on each (0.0 where it has none): nothing went "
    "from rank to rank. all_reduce sums and counts.",
)
def own_mean_on_each_rank(total, count):
    if not summed(count)[0]:
        raise ValueError("empty")
    return total.item() / max(count, 1)


@wrong(
    "count-stays-local",
    replaces="global_mean",
    says="The sum is over all ranks, the number of examples is one rank's own: both have to be added up.",
)
def count_stays_local(total, count):
    total = total.clone()
    dist.all_reduce(total)
    if not summed(count)[0]:
        raise ValueError("empty")
    return (total / count).item()


@wrong(
    "divided-by-ranks-not-examples",
    replaces="global_mean",
    says="The sum was divided by the number of ranks; the mean over examples divides it by their number, on all ranks.",
)
def divided_by_ranks_not_examples(total, count):
    if not summed(count)[0]:
        raise ValueError("empty")
    return (summed(total)[0] / dist.get_world_size()).item()


@wrong(
    "global-mean-is-a-tensor",
    replaces="global_mean",
    says="A tensor came back; .item() makes a Python float of it.",
)
def global_mean_is_a_tensor(total, count):
    sums = summed(total, count)
    if not sums[1]:
        raise ValueError("empty")
    return sums[0] / sums[1]


@wrong(
    "refuses-alone",
    replaces="global_mean",
    says="A rank without examples raised by itself, and the others wait for it in the collective. Whether there are "
    "none at all is known after the sums: only then all ranks raise.",
)
def refuses_alone(total, count):
    if not count:
        raise ValueError("empty: no examples")
    sums = summed(total, count)
    return (sums[0] / sums[1]).item()


@wrong(
    "nan-of-nothing",
    replaces="global_mean",
    says="0 / 0 of tensors is NaN, without an error; where no rank has any examples, ValueError is asked.",
)
def nan_of_nothing(total, count):
    sums = summed(total, count)
    return (sums[0] / sums[1]).item()


@wrong(
    "zero-of-nothing",
    replaces="global_mean",
    says="A loss of 0.0 over no examples looks like a success; where no rank has any, ValueError is asked.",
)
def zero_of_nothing(total, count):
    sums = summed(total, count)
    return (sums[0] / sums[1].clamp(min=1)).item()


@wrong(
    "callers-total-reduced",
    replaces="global_mean",
    says="The means are right, but the caller's total has become the sum over all ranks: all_reduce writes into what "
    "it is given. Give it a copy.",
)
def callers_total_reduced(total, count):
    dist.all_reduce(total)
    counts = summed(count)
    if not counts[0]:
        raise ValueError("empty")
    return (total / counts[0]).item()


@wrong(
    "zero-sum-taken-for-empty",
    replaces="global_mean",
    says="A sum of 0 was taken for no examples; losses may well add up to it. Only the count tells.",
)
def zero_sum_taken_for_empty(total, count):
    sums = summed(total, count)
    if not sums[0]:
        raise ValueError("empty")
    return (sums[0] / sums[1]).item()


@wrong(
    "sum-for-a-mean",
    replaces="global_mean",
    says="That is the sum over all ranks; the mean divides it by the number of examples on all ranks.",
)
def sum_for_a_mean(total, count):
    sums = summed(total, count)
    if not sums[1]:
        raise ValueError("empty")
    return sums[0].item()


@wrong(
    "divided-by-zero-in-python",
    replaces="global_mean",
    says="0 / 0 of Python numbers is a ZeroDivisionError; where no rank has any examples, ValueError is asked: look "
    "at the count first.",
)
def divided_by_zero_in_python(total, count):
    total, count = summed(total, count).tolist()
    return total / count


# ---- evaluate


def own(model, batches):
    """Summed loss, right answers and examples of this rank."""
    sums = torch.zeros(3, dtype=torch.float64, device=next(model.parameters()).device)
    with torch.no_grad():
        for X, y in batches:
            logits = model(X)
            right = (logits.argmax(dim=1) == y).sum()
            sums += torch.stack([F.cross_entropy(logits, y, reduction="sum"), right, torch.tensor(len(y)).to(y)])
    return sums


def over_all(sums):
    """Loss and accuracy over all ranks."""
    dist.all_reduce(sums)
    return (sums[0] / sums[2]).item(), (sums[1] / sums[2]).item()


def mine(dataset):
    return Subset(dataset, range(dist.get_rank(), len(dataset), dist.get_world_size()))


@wrong(
    "z04-eval-padding",
    replaces="evaluate",
    says="DistributedSampler gives all ranks as many examples, and repeats the first ones where the dataset does not "
    "divide: those count twice here. Give the ranks unequal parts, or leave the repeated ones out.",
)
def eval_padding(model, dataset, batch_size):
    sampler = DistributedSampler(dataset, shuffle=False)
    return over_all(own(model, DataLoader(dataset, batch_size, sampler=sampler)))


@wrong(
    "evaluation-evaluation-shuffled",
    replaces="evaluate",
    says="DistributedSampler shuffles unless it is told not to, and repeats examples where the dataset does not "
    "divide, here random ones. An evaluation is not shuffled, and counts each example once.",
    fact="09.14",
)
def evaluation_shuffled(model, dataset, batch_size):
    return over_all(own(model, DataLoader(dataset, batch_size, sampler=DistributedSampler(dataset))))


@wrong(
    "evaluation-evaluation-drops-the-rest",
    replaces="evaluate",
    says="Where the dataset does not divide by the number of ranks, its last examples count nowhere: drop_last is for "
    "training.",
)
def evaluation_drops_the_rest(model, dataset, batch_size):
    size = len(dataset) // dist.get_world_size() * dist.get_world_size()
    return over_all(own(model, DataLoader(Subset(dataset, mine(range(size))), batch_size)))


@wrong(
    "z06-local-metric",
    replaces="evaluate",
    says="That is the mean of the ranks' means: those with fewer examples count as much as the others, and one without "
    "any makes it NaN. Add up losses, right answers and counts over the ranks, then divide.",
)
def local_metric(model, dataset, batch_size):
    sums = own(model, DataLoader(mine(dataset), batch_size))
    found = sums[:2] / sums[2]
    dist.all_reduce(found)
    return tuple((found / dist.get_world_size()).tolist())


@wrong(
    "own-part-on-each-rank",
    replaces="evaluate",
    says="Each rank gives the loss and the accuracy of its own part, other numbers on each: add up losses, right "
    "answers and counts over all ranks, then divide.",
)
def own_part_on_each_rank(model, dataset, batch_size):
    loss, right, count = own(model, DataLoader(mine(dataset), batch_size)).tolist()
    return loss / max(count, 1), right / max(count, 1)


@wrong(
    "whole-dataset-on-each-rank",
    replaces="evaluate",
    says="The numbers are right, but every rank put the whole dataset through the model: W ranks did W times the work. "
    "Each takes a part.",
)
def whole_dataset_on_each_rank(model, dataset, batch_size):
    return over_all(own(model, DataLoader(dataset, batch_size)))


@wrong(
    "evaluation-in-one-call",
    replaces="evaluate",
    says="The numbers are right, but the model was called with more than batch_size examples at once.",
)
def evaluation_in_one_call(model, dataset, batch_size):
    return over_all(own(model, DataLoader(mine(dataset), len(dataset))))


@wrong(
    "evaluation-by-batch-means",
    replaces="evaluate",
    says="The loss is a mean of the batches' means: the examples of a small last batch count for more than the others. "
    "Sum the loss over examples, with reduction='sum' or times the size of the batch.",
)
def evaluation_by_batch_means(model, dataset, batch_size):
    parts = [own(model, [batch]) for batch in DataLoader(mine(dataset), batch_size)]
    sums = sum(parts, torch.zeros(3, dtype=torch.float64))
    loss = summed(sum(float(part[0] / part[2]) for part in parts), len(parts))
    return (loss[0] / loss[1]).item(), over_all(sums)[1]


@wrong(
    "empty-part-stays-away",
    replaces="evaluate",
    says="A rank without examples returned before the collective, and the others wait for it there: a part of nothing "
    "is brought in like any other, with sums and counts of 0.",
)
def empty_part_stays_away(model, dataset, batch_size):
    if dist.get_rank() >= len(dataset):
        return 0.0, 0.0
    return over_all(own(model, DataLoader(mine(dataset), batch_size)))


@wrong(
    "evaluation-on-rank-0-alone",
    replaces="evaluate",
    says="The numbers are right, but rank 0 put the whole dataset through the model while the others waited for it. "
    "Each takes a part.",
)
def evaluation_on_rank_0_alone(model, dataset, batch_size):
    sums = torch.zeros(3, dtype=torch.float64, device=next(model.parameters()).device)
    if dist.get_rank() == 0:
        sums = own(model, DataLoader(dataset, batch_size))
    return over_all(sums)


@wrong(
    "last-rank-takes-the-rest",
    replaces="evaluate",
    says="The numbers are right, but the last rank took what was left after N // W examples for each, which may be "
    "many more than the others have. Every W-th example makes parts that differ by one at most.",
)
def last_rank_takes_the_rest(model, dataset, batch_size):
    rank, ranks = dist.get_rank(), dist.get_world_size()
    size = len(dataset) // ranks
    part = range(rank * size, len(dataset) if rank == ranks - 1 else (rank + 1) * size)
    return over_all(own(model, DataLoader(Subset(dataset, part), batch_size)))


@wrong(
    "small-batches-dropped",
    replaces="evaluate",
    says="The last batch of a rank was dropped where it is smaller than the others: drop_last is for training.",
)
def small_batches_dropped(model, dataset, batch_size):
    return over_all(own(model, DataLoader(mine(dataset), batch_size, drop_last=True)))


@wrong(
    "padding-divided-away",
    replaces="evaluate",
    says="DistributedSampler repeats the first examples where the dataset does not divide: their losses and right "
    "answers count twice in the sums, though the sums were divided by the true number. Give the ranks unequal "
    "parts.",
)
def padding_divided_away(model, dataset, batch_size):
    sums = own(model, DataLoader(dataset, batch_size, sampler=DistributedSampler(dataset, shuffle=False)))
    dist.all_reduce(sums)
    return tuple((sums[:2] / len(dataset)).tolist())


@wrong(
    "batch-means-added-up",
    replaces="evaluate",
    says="The loss is too small: the batches' means were added up, and divided by the number of examples. "
    "reduction='sum' gives the sum over a batch.",
)
def batch_means_added_up(model, dataset, batch_size):
    parts = [own(model, [batch]) for batch in DataLoader(mine(dataset), batch_size)]
    sums = sum(parts, torch.zeros(3, dtype=torch.float64))
    sums[0] = sum(part[0] / part[2] for part in parts)
    return over_all(sums)


@wrong(
    "all-reduce-for-each-batch",
    replaces="evaluate",
    says="There is a collective for each batch, and the ranks need not have as many: those with more wait for the "
    "others. Add up locally, and meet once, after the loop.",
)
def all_reduce_for_each_batch(model, dataset, batch_size):
    total = torch.zeros(3, dtype=torch.float64)
    for batch in DataLoader(mine(dataset), batch_size):
        sums = own(model, [batch])
        for number in sums:
            dist.all_reduce(number)
        total += sums
    return (total[0] / total[2]).item(), (total[1] / total[2]).item()


@wrong(
    "left-in-training-mode",
    replaces="evaluate",
    says="The model came in eval mode and is in training mode now: dropout and batch norm would behave otherwise. "
    "Leave it as it was.",
)
def left_in_training_mode(model, dataset, batch_size):
    found = over_all(own(model, DataLoader(mine(dataset), batch_size)))
    model.train()
    return found


@wrong(
    "accuracy-stays-local",
    replaces="evaluate",
    says="The loss is over all ranks, the accuracy is one rank's own: both go through the sums and counts of all.",
)
def accuracy_stays_local(model, dataset, batch_size):
    loss, right, count = own(model, DataLoader(mine(dataset), batch_size))
    accuracy = (right / count.clamp(min=1)).item()
    return over_all(torch.stack([loss, right, count]))[0], accuracy


@wrong(
    "small-batches-dropped-but-counted",
    replaces="evaluate",
    says="The last batch of a rank was dropped where it is smaller than the others, though its examples are in the "
    "number by which the sums were divided: loss and accuracy are too small. drop_last is for training.",
)
def small_batches_dropped_but_counted(model, dataset, batch_size):
    part = mine(dataset)
    sums = own(model, DataLoader(part, batch_size, drop_last=True))
    sums[2] = len(part)
    return over_all(sums)


@wrong(
    "loss-begins-as-a-number",
    replaces="evaluate",
    says="A rank without examples handed a Python number on to global_mean, where a tensor is asked: the sum was begun "
    "as 0, and no batch made a tensor of it. Begin with torch.zeros(()), on the model's device.",
)
def loss_begins_as_a_number(model, dataset, batch_size):
    part, loss, right = mine(dataset), 0, 0
    with torch.no_grad():
        for X, y in DataLoader(part, batch_size):
            logits = model(X)
            loss += F.cross_entropy(logits, y, reduction="sum")
            right += (logits.argmax(dim=1) == y).sum()
    return global_mean(loss, len(part)), global_mean(right, len(part))  # noqa: F821


@wrong(
    "sums-by-item",
    replaces="evaluate",
    says="The sums are Python numbers, as .item() gives them, and global_mean takes a tensor, which all_reduce can add "
    "up: leave .item() out, and begin with torch.zeros(()) on the model's device.",
)
def sums_by_item(model, dataset, batch_size):
    part, loss = mine(dataset), 0.0
    with torch.no_grad():
        for X, y in DataLoader(part, batch_size):
            loss += F.cross_entropy(model(X), y, reduction="sum").item()
    return global_mean(loss, len(part)), 0.0  # noqa: F821


# ---- save


@wrong(
    "z19-save-every-rank",
    replaces="save",
    says="Every rank called torch.save, and several writers of one file leave a damaged one. Rank 0 alone writes: its "
    "global rank is 0, for a local rank 0 there is on each machine.",
)
def save_every_rank(model, path):
    if os.environ["LOCAL_RANK"] == "0":
        torch.save(model.module.state_dict(), path)
    dist.barrier()


@wrong(
    "z20-no-barrier-load",
    replaces="save",
    says="The other ranks returned before rank 0 had written: they find no file there, an old one or half of one. All "
    "ranks have to meet after the write, and after a renaming, not before it: dist.barrier().",
)
def no_barrier_load(model, path):
    if dist.get_rank() == 0:
        torch.save(model.module.state_dict(), path)


@wrong(
    "barrier-on-rank-0-alone",
    replaces="save",
    says="Rank 0 waits at a barrier to which the others never come, for it stands in the branch of rank 0. Every rank "
    "has to call it.",
)
def barrier_on_rank_0_alone(model, path):
    if dist.get_rank() == 0:
        torch.save(model.module.state_dict(), path)
        dist.barrier()


@wrong(
    "every-rank-writes-and-leaves",
    replaces="save",
    says="Every rank called torch.save, and none waited: several writers of one file may damage it, and who reads it "
    "may come too early. Rank 0 alone writes, then all meet at a barrier.",
)
def every_rank_writes_and_leaves(model, path):
    torch.save(model.module.state_dict(), path)


@wrong(
    "file-of-ones-own",
    replaces="save",
    says="Nothing was written at the path that was given.",
)
def file_of_ones_own(model, path):
    if dist.get_rank() == 0:
        torch.save(model.module.state_dict(), f"{path}.rank{dist.get_rank()}")
    dist.barrier()


@wrong(
    "saved-with-the-prefix",
    replaces="save",
    says='Each key in the file begins with "module.", which no bare model knows: that is the state dict of the '
    "wrapper. Its attribute `module` is the model.",
)
def saved_with_the_prefix(model, path):
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path)
    dist.barrier()


@wrong(
    "saved-as-an-object",
    replaces="save",
    says="The file holds the model as an object, which weights_only=True refuses to load; its state dict is asked.",
)
def saved_as_an_object(model, path):
    if dist.get_rank() == 0:
        torch.save(model.module, path)
    dist.barrier()


@wrong(
    "barrier-of-the-others",
    replaces="save",
    says="The barrier stands in the branch of the others, and rank 0, which has written, never comes to it. Every "
    "rank has to call it, after the `if`.",
)
def barrier_of_the_others(model, path):
    if dist.get_rank() == 0:
        torch.save(model.module.state_dict(), path)
    else:
        dist.barrier()


@wrong(
    "buffers-not-saved",
    replaces="save",
    says="The buffers are missing in the file: a model is more than its parameters. state_dict() has both.",
)
def buffers_not_saved(model, path):
    if dist.get_rank() == 0:
        torch.save({name: parameter.detach() for name, parameter in model.module.named_parameters()}, path)
    dist.barrier()


@wrong(
    "saved-one-level-down",
    replaces="save",
    says="The state dict stands in another dict; asked is a file that holds it itself.",
)
def saved_one_level_down(model, path):
    if dist.get_rank() == 0:
        torch.save({"model": model.module.state_dict()}, path)
    dist.barrier()


@wrong(
    "last-rank-writes",
    replaces="save",
    says="The last rank called torch.save; it is rank 0 that writes.",
)
def last_rank_writes(model, path):
    if dist.get_rank() == dist.get_world_size() - 1:
        torch.save(model.module.state_dict(), path)
    dist.barrier()


@wrong(
    "older-file-kept",
    replaces="save",
    says="Nothing was written where a file lay at the path already: an older one is to be replaced.",
)
def older_file_kept(model, path):
    if dist.get_rank() == 0 and not path.exists():
        torch.save(model.module.state_dict(), path)
    dist.barrier()


# ---- train_until


def train(train_epoch, loss, epochs, patience, better=lambda loss, best, before: loss < best):
    """Train until the loss, loss(), has not been better for a while; returns the number of epochs."""
    best = before = float("inf")
    since = 0
    for epoch in range(1, epochs + 1):
        train_epoch()
        now = loss()
        since = 0 if better(now, best, before) else since + 1
        best, before = min(now, best), now
        if since == patience:
            return epoch
    return epochs


@wrong(
    "each-rank-stops-by-itself",
    replaces="train_until",
    says="The ranks do not decide alike: one stops, and the others wait for it in their next epoch. No `if` about "
    "stopping may know the rank or its own examples: bring sums and counts of all ranks together first.",
)
def each_rank_stops_by_itself(train_epoch, validate, epochs, patience):
    def loss():
        total, count = validate()
        return total.item() / count if count else 0.0

    return train(train_epoch, loss, epochs, patience)


@wrong(
    "rank-0-decides-for-all",
    replaces="train_until",
    says="All ranks stop together, but by the loss of rank 0's examples alone: those of the others are not asked.",
)
def rank_0_decides_for_all(train_epoch, validate, epochs, patience):
    def loss():
        total, count = validate()
        mean = total / count if count else total
        dist.broadcast(mean, src=0)
        return mean.item()

    return train(train_epoch, loss, epochs, patience)


@wrong(
    "ranks-vote-with-their-means",
    replaces="train_until",
    says="All ranks stop together, but by the mean of their means: a rank with few examples counts as much as one with "
    "many, and one without any makes it NaN, which is never lower. Add up sums and counts.",
)
def ranks_vote_with_their_means(train_epoch, validate, epochs, patience):
    def loss():
        total, count = validate()
        return (summed(total / count)[0] / dist.get_world_size()).item()

    return train(train_epoch, loss, epochs, patience)


@wrong(
    "compared-with-the-epoch-before",
    replaces="train_until",
    says="Each loss is compared with that of the epoch before: after a bad epoch a slightly less bad one passes for "
    "progress. Compare with the lowest so far.",
)
def compared_with_the_epoch_before(train_epoch, validate, epochs, patience):
    better = lambda loss, best, before: loss < before  # noqa: E731
    return train(train_epoch, lambda: global_mean(*validate()), epochs, patience, better)  # noqa: F821


@wrong(
    "a-plateau-is-progress",
    replaces="train_until",
    says="An epoch that only reaches the lowest loss once more counts as progress; it has to be below it.",
)
def a_plateau_is_progress(train_epoch, validate, epochs, patience):
    better = lambda loss, best, before: loss <= best  # noqa: E731
    return train(train_epoch, lambda: global_mean(*validate()), epochs, patience, better)  # noqa: F821


@wrong(
    "one-epoch-too-patient",
    replaces="train_until",
    says="Training stops one epoch too late: as soon as `patience` epochs in a row brought nothing, it is over.",
)
def one_epoch_too_patient(train_epoch, validate, epochs, patience):
    return train(train_epoch, lambda: global_mean(*validate()), epochs, patience + 1)  # noqa: F821


@wrong(
    "patience-never-renewed",
    replaces="train_until",
    says="The epochs without progress are counted over the whole training; each progress begins the count anew.",
)
def patience_never_renewed(train_epoch, validate, epochs, patience):
    best, bad = float("inf"), 0
    for epoch in range(1, epochs + 1):
        train_epoch()
        loss = global_mean(*validate())  # noqa: F821
        bad += loss >= best
        best = min(best, loss)
        if bad == patience:
            return epoch
    return epochs


@wrong(
    "never-stops-early",
    replaces="train_until",
    says="All epochs were trained, whatever the losses were.",
)
def never_stops_early(train_epoch, validate, epochs, patience):
    return train(train_epoch, lambda: global_mean(*validate()), epochs, epochs + 1)  # noqa: F821


@wrong(
    "epoch-counted-from-0",
    replaces="train_until",
    says="The number of the last epoch came back, counted from 0: where training stops early that is one less than the "
    "epochs trained.",
)
def epoch_counted_from_0(train_epoch, validate, epochs, patience):
    trained = train(train_epoch, lambda: global_mean(*validate()), epochs, patience)  # noqa: F821
    return trained if trained == epochs else trained - 1


def stops_by_vote(train_epoch, validate, epochs, patience, votes):
    """Each rank has an opinion of its own examples; training stops where so many of them would."""
    best, since = float("inf"), 0
    for epoch in range(1, epochs + 1):
        train_epoch()
        total, count = validate()
        loss = total.item() / count if count else 0.0
        best, since = (loss, 0) if loss < best else (best, since + 1)
        if summed(int(since >= patience))[0] >= votes:
            return epoch
    return epochs


@wrong(
    "one-vote-stops-all",
    replaces="train_until",
    says="All ranks stop together, but as soon as one of them would by the loss of its own examples. It is the mean "
    "over all examples that decides: bring sums and counts together, not decisions.",
)
def one_vote_stops_all(train_epoch, validate, epochs, patience):
    return stops_by_vote(train_epoch, validate, epochs, patience, 1)


@wrong(
    "all-have-to-vote",
    replaces="train_until",
    says="All ranks stop together, but only when each of them would by the loss of its own examples. It is the mean "
    "over all examples that decides: bring sums and counts together, not decisions.",
)
def all_have_to_vote(train_epoch, validate, epochs, patience):
    return stops_by_vote(train_epoch, validate, epochs, patience, dist.get_world_size())


@wrong(
    "sums-decide",
    replaces="train_until",
    says="The sums over all ranks were compared, not the means: an epoch that validates on more examples has a larger "
    "sum. Divide by the number of examples on all ranks.",
)
def sums_decide(train_epoch, validate, epochs, patience):
    return train(train_epoch, lambda: summed(validate()[0])[0].item(), epochs, patience)


@wrong(
    "higher-is-better",
    replaces="train_until",
    says="A higher loss was taken for progress; it has to fall.",
)
def higher_is_better(train_epoch, validate, epochs, patience):
    best, since = float("inf"), 0
    for epoch in range(1, epochs + 1):
        train_epoch()
        loss = global_mean(*validate())  # noqa: F821
        best, since = (loss, 0) if loss > best else (best, since + 1)
        if since == patience:
            return epoch
    return epochs


@wrong(
    "one-epoch-too-hasty",
    replaces="train_until",
    says="Training stops one epoch too early: `patience` epochs in a row have to bring nothing.",
)
def one_epoch_too_hasty(train_epoch, validate, epochs, patience):
    best, since = float("inf"), 1
    for epoch in range(1, epochs + 1):
        train_epoch()
        loss = global_mean(*validate())  # noqa: F821
        best, since = (loss, 1) if loss < best else (best, since + 1)
        if since >= patience:
            return epoch
    return epochs


@wrong(
    "best-epoch-came-back",
    replaces="train_until",
    says="The number of the epoch with the lowest loss came back; asked is how many were trained.",
)
def best_epoch_came_back(train_epoch, validate, epochs, patience):
    best, at = float("inf"), 0
    for epoch in range(1, epochs + 1):
        train_epoch()
        loss = global_mean(*validate())  # noqa: F821
        best, at = (loss, epoch) if loss < best else (best, at)
        if epoch - at == patience:
            break
    return at


@wrong(
    "validated-before-training",
    replaces="train_until",
    says="The loss was asked once before the first epoch, too: validate() belongs after each epoch, and nowhere else.",
)
def validated_before_training(train_epoch, validate, epochs, patience):
    best, since = global_mean(*validate()), 0  # noqa: F821
    for epoch in range(1, epochs + 1):
        train_epoch()
        loss = global_mean(*validate())  # noqa: F821
        best, since = (loss, 0) if loss < best else (best, since + 1)
        if since == patience:
            return epoch
    return epochs


@wrong(
    "only-rank-0-validates",
    replaces="train_until",
    says="Rank 0 alone called validate(): it has its own examples, and those of the others were not asked. Every rank "
    "validates, and the sums and counts are brought together.",
)
def only_rank_0_validates(train_epoch, validate, epochs, patience):
    def loss():
        total, count = validate() if dist.get_rank() == 0 else (torch.tensor(0.0), 0)
        return global_mean(total, count)  # noqa: F821

    return train(train_epoch, loss, epochs, patience)


@wrong(
    "end-without-a-number",
    replaces="train_until",
    says="Where training does not stop early, None came back: after the loop, all epochs have been trained.",
)
def end_without_a_number(train_epoch, validate, epochs, patience):
    best, since = float("inf"), 0
    for epoch in range(1, epochs + 1):
        train_epoch()
        loss = global_mean(*validate())  # noqa: F821
        best, since = (loss, 0) if loss < best else (best, since + 1)
        if since == patience:
            return epoch
    return None
