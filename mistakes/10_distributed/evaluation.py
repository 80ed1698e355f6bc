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


# ---- save


@wrong(
    "z19-save-every-rank",
    replaces="save",
    says="Every rank called torch.save on the same file, and several writers at once leave a damaged one. Rank 0 alone "
    "writes: its global rank is 0, for a local rank 0 there is on each machine.",
)
def save_every_rank(model, path):
    if os.environ["LOCAL_RANK"] == "0":
        torch.save(model.module.state_dict(), path)
    dist.barrier()


@wrong(
    "z20-no-barrier-load",
    replaces="save",
    says="The other ranks returned before rank 0 had written: they find no file there, an old one or half of one. All "
    "ranks have to meet after the write, not before it: dist.barrier().",
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
    says="Every rank called torch.save on the same file, and none waited: the file may be damaged, and who reads it "
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
    says="Each rank decides by the loss of its own examples: one stops, and the others wait for it in their next "
    "epoch. Bring sums and counts of all ranks together first.",
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
