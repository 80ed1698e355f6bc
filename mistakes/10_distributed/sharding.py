"""Wrong answers to katas/10_distributed/sharding.py."""

import math
import random

import torch
from torch.utils.data import DataLoader, DistributedSampler, RandomSampler, Sampler, Subset

from torchkatas.bank import wrong

# ---- examples_per_rank


@wrong(
    "rest-of-a-share-left-out",
    replaces="examples_per_rank",
    says="The quotient was rounded down: a rest that is too small for all ranks would be left out. Only drop_last "
    "does that; without it the number is rounded up.",
    fact="09.12",
)
def rest_of_a_share_left_out(examples, ranks, drop_last=False):
    return examples // ranks


@wrong(
    "drop-last-has-no-effect",
    replaces="examples_per_rank",
    says="With drop_last the number is rounded up still. Then some examples come twice, where some are to be left out.",
)
def drop_last_has_no_effect(examples, ranks, drop_last=False):
    return math.ceil(examples / ranks)


@wrong(
    "always-one-more",
    replaces="examples_per_rank",
    says="N // W + 1 is one too many where W divides N: nothing is missing there, and nothing comes twice.",
    fact="09.12",
)
def always_one_more(examples, ranks, drop_last=False):
    return examples // ranks + (0 if drop_last else 1)


@wrong(
    "share-rounded-to-the-nearest",
    replaces="examples_per_rank",
    says="The quotient was rounded to the nearest number, sometimes up and sometimes down. Without drop_last it is "
    "always up, or examples are left out.",
    fact="09.12",
)
def share_rounded_to_the_nearest(examples, ranks, drop_last=False):
    return examples // ranks if drop_last else round(examples / ranks)


@wrong(
    "at-least-one-each",
    replaces="examples_per_rank",
    says="A rank may have nothing to do: of no examples each rank gets 0, and with drop_last of fewer than there are "
    "ranks, too.",
)
def at_least_one_each(examples, ranks, drop_last=False):
    return max(1, examples // ranks if drop_last else math.ceil(examples / ranks))


@wrong(
    "drop-last-turned-round",
    replaces="examples_per_rank",
    says="This is rounded up with drop_last, and down without it: the other way round.",
    fact="09.12",
)
def drop_last_turned_round(examples, ranks, drop_last=False):
    return math.ceil(examples / ranks) if drop_last else examples // ranks


# ---- shard


def checked(ranks, rank):
    if not 0 <= rank < ranks:
        raise ValueError(f"rank {rank} is not one of 0 to {ranks - 1}")


@wrong(
    "blocks-of-neighbours",
    replaces="shard",
    says="Each rank got a block of neighbours. Dealt out like cards, rank r of W gets the r-th, then every W-th "
    "after it.",
    fact="09.8",
)
def blocks_of_neighbours(order, ranks, rank):
    checked(ranks, rank)
    size = math.ceil(len(order) / ranks)
    return list(order[rank * size : (rank + 1) * size])


@wrong(
    "ranks-counted-from-1",
    replaces="shard",
    says="The ranks were counted from 1: rank r got what belongs to the rank before it, or after it. Ranks start at "
    "0, and rank 0 gets the first example.",
    fact="09.8",
)
def ranks_counted_from_1(order, ranks, rank):
    checked(ranks, rank)
    return list(order[rank + 1 :: ranks])


@wrong(
    "places-for-examples",
    replaces="shard",
    says="These are places in the order: r, r + W, ... What is asked for are the examples at these places.",
)
def places_for_examples(order, ranks, rank):
    checked(ranks, rank)
    return list(range(rank, len(order), ranks))


@wrong(
    "the-same-for-all-ranks",
    replaces="shard",
    says="All ranks got the same, every W-th example from the first on, and the others are seen by none. The start "
    "depends on the rank.",
    fact="09.8",
)
def the_same_for_all_ranks(order, ranks, rank):
    checked(ranks, rank)
    return list(order[::ranks])


@wrong(
    "whole-rounds-only",
    replaces="shard",
    says="The examples of the last round are missing, since it does not reach all ranks. Here none is left out: some "
    "ranks get one more than others.",
)
def whole_rounds_only(order, ranks, rank):
    checked(ranks, rank)
    return list(order[rank : len(order) // ranks * ranks : ranks])


@wrong(
    "rank-unchecked",
    replaces="shard",
    says="A rank that does not exist is taken as it comes: one too large gets examples of nobody or of another rank, "
    "and -1 counts from the end. It is to be refused: ValueError, naming the rank.",
)
def rank_unchecked(order, ranks, rank):
    return list(order[rank::ranks])


@wrong(
    "rank-w-of-w",
    replaces="shard",
    says="Ranks end at W - 1: rank W of W ranks is one too many, and was let through.",
)
def rank_w_of_w(order, ranks, rank):
    if not 0 <= rank <= ranks:
        raise ValueError(f"rank {rank}")
    return list(order[rank::ranks])


@wrong(
    "negative-rank-let-through",
    replaces="shard",
    says="A negative rank was let through; in a slice it counts from the end. Both ends are to be checked.",
)
def negative_rank_let_through(order, ranks, rank):
    if rank >= ranks:
        raise ValueError(f"rank {rank}")
    return list(order[rank::ranks])


@wrong(
    "no-example-is-an-error",
    replaces="shard",
    says="A rank for which no example is left was refused. It is a rank of the group all the same: its part is empty.",
)
def no_example_is_an_error(order, ranks, rank):
    checked(ranks, rank)
    if rank >= len(order):
        raise ValueError("no example left for this rank")
    return list(order[rank::ranks])


@wrong(
    "dealt-by-number",
    replaces="shard",
    says="Each rank got the examples whose number modulo W is its own. They are dealt out by their place in the order, "
    "or a shuffled order would give a rank the same examples in every epoch.",
    fact="09.8",
)
def dealt_by_number(order, ranks, rank):
    checked(ranks, rank)
    return [example for example in order if example % ranks == rank]


@wrong(
    "padded-while-dealt",
    replaces="shard",
    says="An example was added, so that all ranks get equally many. Here nothing is: whoever wants equal parts pads "
    "the order before it is dealt out.",
)
def padded_while_dealt(order, ranks, rank):
    checked(ranks, rank)
    return padded(order, ranks)[rank::ranks]  # noqa: F821


@wrong(
    "slice-of-its-own-kind",
    replaces="shard",
    says="The examples are right, but no list came back: a slice is of the kind of what was sliced, of a range a "
    "range, of a tuple a tuple. list() makes a list of any of them.",
)
def slice_of_its_own_kind(order, ranks, rank):
    checked(ranks, rank)
    return order[rank::ranks]


# ---- padded


@wrong(
    "padded-once-round",
    replaces="padded",
    says="The order was repeated once only; of 3 examples for 8 ranks 5 are missing, more than there are. Go round "
    "until it is enough.",
    fact="09.8",
)
def padded_once_round(order, ranks):
    return [*order, *order[: -len(order) % ranks]]


@wrong(
    "padded-by-the-last",
    replaces="padded",
    says="The last example was repeated to fill up. DistributedSampler goes on from the start of the order, so that "
    "as many different ones as possible come twice.",
    fact="09.8",
)
def padded_by_the_last(order, ranks):
    return [*order, *(order[-1:] * (-len(order) % ranks))]


@wrong(
    "padded-by-zeros",
    replaces="padded",
    says="Zeros were added, and 0 is an example like others: here one that is not in the order at all. Add what "
    "stands at its start.",
    fact="09.8",
)
def padded_by_zeros(order, ranks):
    return [*order, *([0] * (-len(order) % ranks))]


@wrong(
    "whole-round-too-many",
    replaces="padded",
    says="Where the ranks divide the length nothing is missing, but W - N % W is W there, a round too many.",
    fact="09.8",
)
def whole_round_too_many(order, ranks):
    missing = ranks - len(order) % ranks if order else 0
    return [order[i % len(order)] for i in range(len(order) + missing)]


@wrong(
    "order-padded-in-place",
    replaces="padded",
    says="The list that was handed in has grown; the caller still needs it as it was. Make a new one.",
)
def order_padded_in_place(order, ranks):
    n = len(order)
    while n and len(order) % ranks:
        order.append(order[len(order) - n])
    return order


@wrong(
    "cut-to-a-multiple",
    replaces="padded",
    says="The order was cut to a multiple of the ranks: its last examples would never be seen. Here it is made longer.",
    fact="09.8",
)
def cut_to_a_multiple(order, ranks):
    return list(order[: len(order) // ranks * ranks])


@wrong(
    "nothing-to-repeat",
    replaces="padded",
    says="An order without examples has none to repeat: a number modulo 0 is an error. It stays empty; ask first.",
)
def nothing_to_repeat(order, ranks):
    size = math.ceil(max(1, len(order)) / ranks) * ranks
    return [order[i % len(order)] for i in range(size)]


@wrong(
    "padded-by-the-first",
    replaces="padded",
    says="The first example was repeated to fill up. Where more than one is missing, the second comes next, and so on: "
    "the order itself again, from its start.",
    fact="09.8",
)
def padded_by_the_first(order, ranks):
    return [*order, *(order[:1] * (-len(order) % ranks))]


@wrong(
    "one-example-for-none",
    replaces="padded",
    says="An order of one example came back empty. Only an order without any stays so; one example is repeated until "
    "each rank has it.",
)
def one_example_for_none(order, ranks):
    missing = -len(order) % ranks
    return [order[i % len(order)] for i in range(len(order) + missing)] if len(order) > 1 else []


# ---- ShardSampler


class Shards(Sampler):
    """A right one, in parts, of which each entry gets one wrong."""

    def __init__(self, length, ranks, rank, shuffle=True, seed=0, drop_last=False):
        self.length, self.ranks, self.rank = length, ranks, rank
        self.shuffle, self.seed, self.drop_last = shuffle, seed, drop_last
        self.epoch = 0
        self.check()

    def check(self):
        checked(self.ranks, self.rank)

    def set_epoch(self, epoch):
        self.epoch = epoch

    def draw(self, seed):
        return torch.randperm(self.length, generator=torch.Generator().manual_seed(seed)).tolist()

    def order(self):
        return self.draw(self.seed + self.epoch) if self.shuffle else list(range(self.length))

    def cut(self, order):
        return order[: self.length // self.ranks * self.ranks] if self.drop_last else padded(order, self.ranks)  # noqa: F821

    def part(self, order):
        return order[self.rank :: self.ranks]

    def __iter__(self):
        return iter(self.part(self.cut(self.order())))

    def __len__(self):
        return self.length // self.ranks if self.drop_last else math.ceil(self.length / self.ranks)


@wrong(
    "epoch-not-in-the-seed",
    replaces="ShardSampler",
    says="The order is the same in every epoch: the epoch has no part in the seed, or the order was drawn before "
    "set_epoch told it. Seed a generator with seed + epoch each time the sampler is gone through.",
    fact="09.14",
)
class EpochNotInTheSeed(Shards):
    def order(self):
        return self.draw(self.seed) if self.shuffle else list(range(self.length))


@wrong(
    "epoch-for-the-seed",
    replaces="ShardSampler",
    says="The order depends on the epoch alone; `seed` was not looked at, and another seed gives no other run. The "
    "generator is seeded with seed + epoch.",
)
class EpochForTheSeed(Shards):
    def order(self):
        return self.draw(self.epoch) if self.shuffle else list(range(self.length))


@wrong(
    "order-of-each-rank-its-own",
    replaces="ShardSampler",
    says="Each rank has drawn an order of its own, since its number is in the seed. Parts of different orders "
    "overlap, and some examples are in none. All ranks deal out the same order.",
    fact="09.8",
)
class OrderOfEachRankItsOwn(Shards):
    def order(self):
        return self.draw(self.seed + self.epoch + self.rank) if self.shuffle else list(range(self.length))


@wrong(
    "shuffled-within-the-part",
    replaces="ShardSampler",
    says="Each rank shuffles its own part: it sees the same few examples in every epoch, in another order. Draw the "
    "order of all examples first, then deal it out.",
    fact="09.8",
)
class ShuffledWithinThePart(Shards):
    def __iter__(self):
        part = self.part(self.cut(list(range(self.length))))
        if self.shuffle:
            generator = torch.Generator().manual_seed(self.seed + self.epoch)
            part = [part[i] for i in torch.randperm(len(part), generator=generator).tolist()]
        return iter(part)


@wrong(
    "cut-before-the-shuffle",
    replaces="ShardSampler",
    says="The length was made to fit before the shuffle: the examples that are left out, or come twice, are the same "
    "in each epoch. Draw the order first, then pad it or cut it.",
)
class CutBeforeTheShuffle(Shards):
    def __iter__(self):
        fitting = self.cut(list(range(self.length)))
        if self.shuffle:
            generator = torch.Generator().manual_seed(self.seed + self.epoch)
            fitting = [fitting[i] for i in torch.randperm(len(fitting), generator=generator).tolist()]
        return iter(self.part(fitting))


@wrong(
    "blocks-of-the-order",
    replaces="ShardSampler",
    says="Each rank got a block of neighbours in the order. DistributedSampler deals it out like cards, every W-th "
    "from r on.",
    fact="09.8",
)
class BlocksOfTheOrder(Shards):
    def part(self, order):
        return order[self.rank * len(self) : (self.rank + 1) * len(self)]


@wrong(
    "parts-not-padded",
    replaces="ShardSampler",
    says="Some ranks got one example less than others. In training they would be ready a step early, and the others "
    "would wait for them for ever: pad the order first.",
    fact="09.8",
)
class PartsNotPadded(Shards):
    def cut(self, order):
        return order[: len(self) * self.ranks] if self.drop_last else order


@wrong(
    "drop-last-pads",
    replaces="ShardSampler",
    says="drop_last changes nothing here: the order was padded all the same. With it the end of the order is cut off.",
    fact="09.8",
)
class DropLastPads(Shards):
    def cut(self, order):
        return padded(order, self.ranks)  # noqa: F821

    def __len__(self):
        return math.ceil(self.length / self.ranks)


@wrong(
    "length-of-all",
    replaces="ShardSampler",
    says="len(sampler) is that of the whole dataset; it is to be that of this rank's part, from which a loader tells "
    "how many batches it has.",
    fact="09.12",
)
class LengthOfAll(Shards):
    def __len__(self):
        return self.length


@wrong(
    "length-without-drop-last",
    replaces="ShardSampler",
    says="len(sampler) is rounded up with drop_last too, and then promises one example more than come.",
)
class LengthWithoutDropLast(Shards):
    def __len__(self):
        return math.ceil(self.length / self.ranks)


@wrong(
    "epochs-count-themselves",
    replaces="ShardSampler",
    says="The epoch went on by itself each time the sampler was gone through. Whoever looks at a batch in between, "
    "or resumes a run, is an epoch off, and ranks that differ in it deal out different orders. Only set_epoch "
    "changes it.",
    fact="09.14",
)
class EpochsCountThemselves(Shards):
    def __iter__(self):
        part = self.part(self.cut(self.order()))
        self.epoch += 1
        return iter(part)


@wrong(
    "sampler-used-up",
    replaces="ShardSampler",
    says="The sampler can be gone through once; after that it gives nothing, and the second epoch is empty. __iter__ "
    "makes a new iterator at each call.",
)
class SamplerUsedUp(Shards):
    def __iter__(self):
        self.rest = getattr(self, "rest", None) or super().__iter__()
        return self.rest


@wrong(
    "sampler-without-shuffle",
    replaces="ShardSampler",
    says="Nothing was shuffled: every epoch has the order of the dataset, though shuffle is True.",
)
class SamplerWithoutShuffle(Shards):
    def order(self):
        return list(range(self.length))


@wrong(
    "sampler-always-shuffles",
    replaces="ShardSampler",
    says="The order was shuffled with shuffle=False too; evaluation wants the order of the dataset.",
    fact="09.8",
)
class SamplerAlwaysShuffles(Shards):
    def order(self):
        return self.draw(self.seed + self.epoch)


@wrong(
    "sampler-seeds-everything",
    replaces="ShardSampler",
    says="The order is right, but torch.manual_seed has set the global random stream: each epoch would draw the same "
    "dropout and augmentation again. Use a torch.Generator of your own.",
)
class SamplerSeedsEverything(Shards):
    def draw(self, seed):
        torch.manual_seed(seed)
        return torch.randperm(self.length).tolist()


@wrong(
    "shuffled-by-python",
    replaces="ShardSampler",
    says="This order is a shuffle of seed + epoch, but another one than torch.randperm's, which the contract asks "
    "for: only then is it equal to DistributedSampler's.",
)
class ShuffledByPython(Shards):
    def draw(self, seed):
        order = list(range(self.length))
        random.Random(seed).shuffle(order)
        return order


@wrong(
    "sampler-of-any-rank",
    replaces="ShardSampler",
    says="A rank that does not exist was accepted. The sampler of rank 4 of 4 would quietly train on nothing or on "
    "another rank's part: refuse it, ValueError.",
)
class SamplerOfAnyRank(Shards):
    def check(self):
        pass


@wrong(
    "distributed-sampler-inside",
    replaces="ShardSampler",
    says="torch's DistributedSampler does the work here; this kata asks you to write it by hand.",
)
class DistributedSamplerInside(Shards):
    def __iter__(self):
        sampler = DistributedSampler(range(self.length), self.ranks, self.rank, self.shuffle, self.seed, self.drop_last)
        sampler.set_epoch(self.epoch)
        return iter(sampler)


@wrong(
    "epochs-added-up",
    replaces="ShardSampler",
    says="Each set_epoch adds its number to those before it: after 1 and 2 the seed has grown by 3. It says which "
    "epoch is next; whatever was said before is forgotten.",
    fact="09.14",
)
class EpochsAddedUp(Shards):
    def set_epoch(self, epoch):
        self.epoch += epoch


@wrong(
    "generator-made-once",
    replaces="ShardSampler",
    says="The generator was seeded once, so that each order depends on how many were drawn before it, and not on the "
    "epoch: a resumed run begins anew. Seed one with seed + epoch each time the sampler is gone through.",
    fact="09.14",
)
class GeneratorMadeOnce(Shards):
    def order(self):
        if not hasattr(self, "generator"):
            self.generator = torch.Generator().manual_seed(self.seed)
        return torch.randperm(self.length, generator=self.generator).tolist() if self.shuffle else super().order()


@wrong(
    "part-padded-by-itself",
    replaces="ShardSampler",
    says="A part that was one short was filled up with its own first example. It is the order that is padded, from its "
    "start, and then dealt out.",
    fact="09.8",
)
class PartPaddedByItself(Shards):
    def __iter__(self):
        part = self.part(self.order())[: len(self)]
        return iter(part + part[: len(self) - len(part)])


@wrong(
    "epoch-one-late-in-the-sampler",
    replaces="ShardSampler",
    says="The order is that of seed + epoch + 1. The first epoch is 0, and the seed is just the sum of both.",
)
class EpochOneLate(Shards):
    def order(self):
        return self.draw(self.seed + self.epoch + 1) if self.shuffle else super().order()


# ---- loaders


def sampler_of(dataset, ranks, rank, **options):
    return DistributedSampler(dataset, num_replicas=ranks, rank=rank, **options)


@wrong(
    "z02-sampler-and-shuffle",
    replaces="loaders",
    says="shuffle=True and a sampler exclude each other: both say in which order the examples come. The sampler "
    "shuffles, the DataLoader is not asked to.",
    fact="09.14",
)
def sampler_and_shuffle(training, evaluation, batch_size, ranks, rank, seed=0):
    drawn = sampler_of(training, ranks, rank, seed=seed)
    ordered = sampler_of(evaluation, ranks, rank, shuffle=False)
    return DataLoader(training, batch_size, shuffle=True, sampler=drawn), DataLoader(
        evaluation, batch_size, sampler=ordered
    )


@wrong(
    "evaluation-shuffled-by-default",
    replaces="loaders",
    says="The evaluation loader shuffles: DistributedSampler does so unless it is told shuffle=False.",
    fact="09.14",
)
def evaluation_shuffled_by_default(training, evaluation, batch_size, ranks, rank, seed=0):
    drawn, other = sampler_of(training, ranks, rank, seed=seed), sampler_of(evaluation, ranks, rank, seed=seed)
    return DataLoader(training, batch_size, sampler=drawn), DataLoader(evaluation, batch_size, sampler=other)


@wrong(
    "each-rank-has-it-all",
    replaces="loaders",
    says="Each rank shuffles the whole dataset for itself: all of them do all the work, and none is saved. A "
    "DistributedSampler deals the examples out.",
    fact="09.14",
)
def each_rank_has_it_all(training, evaluation, batch_size, ranks, rank, seed=0):
    generator = torch.Generator().manual_seed(seed)
    ordered = sampler_of(evaluation, ranks, rank, shuffle=False)
    whole = DataLoader(training, batch_size, sampler=RandomSampler(training, generator=generator))
    return whole, DataLoader(evaluation, batch_size, sampler=ordered)


@wrong(
    "training-in-order",
    replaces="loaders",
    says="The training loader gives its examples in the order of the dataset, in every epoch: its sampler is one "
    "that does not shuffle.",
    fact="09.14",
)
def training_in_order(training, evaluation, batch_size, ranks, rank, seed=0):
    drawn = sampler_of(training, ranks, rank, shuffle=False)
    ordered = sampler_of(evaluation, ranks, rank, shuffle=False)
    return DataLoader(training, batch_size, sampler=drawn), DataLoader(evaluation, batch_size, sampler=ordered)


@wrong(
    "seed-not-handed-on",
    replaces="loaders",
    says="The training loader shuffles, but not with the seed that was handed in: the sampler was given none.",
)
def seed_not_handed_on(training, evaluation, batch_size, ranks, rank, seed=0):
    drawn, ordered = sampler_of(training, ranks, rank), sampler_of(evaluation, ranks, rank, shuffle=False)
    return DataLoader(training, batch_size, sampler=drawn), DataLoader(evaluation, batch_size, sampler=ordered)


@wrong(
    "seed-of-each-rank",
    replaces="loaders",
    says="The seed of the sampler depends on the rank, so each rank deals out an order of its own, and their parts "
    "overlap. It must be the same on all.",
    fact="09.14",
)
def seed_of_each_rank(training, evaluation, batch_size, ranks, rank, seed=0):
    drawn = sampler_of(training, ranks, rank, seed=seed + rank)
    ordered = sampler_of(evaluation, ranks, rank, shuffle=False)
    return DataLoader(training, batch_size, sampler=drawn), DataLoader(evaluation, batch_size, sampler=ordered)


@wrong(
    "evaluation-of-the-training-part",
    replaces="loaders",
    says="The sampler of the evaluation loader was made for the training set: it gives indices of another dataset, "
    "too few or too many of them.",
)
def evaluation_of_the_training_part(training, evaluation, batch_size, ranks, rank, seed=0):
    drawn = sampler_of(training, ranks, rank, seed=seed)
    ordered = sampler_of(training, ranks, rank, shuffle=False)
    return DataLoader(training, batch_size, sampler=drawn), DataLoader(evaluation, batch_size, sampler=ordered)


@wrong(
    "training-rest-dropped",
    replaces="loaders",
    says="The last batch is missing where it is smaller than the others: the DataLoader was told drop_last.",
)
def training_rest_dropped(training, evaluation, batch_size, ranks, rank, seed=0):
    drawn, ordered = sampler_of(training, ranks, rank, seed=seed), sampler_of(evaluation, ranks, rank, shuffle=False)
    return (
        DataLoader(training, batch_size, sampler=drawn, drop_last=True),
        DataLoader(evaluation, batch_size, sampler=ordered, drop_last=True),
    )


@wrong(
    "sampler-asks-the-group",
    replaces="loaders",
    says="A DistributedSampler that is not told num_replicas and rank asks the process group, and there is none here: "
    "hand it both, by name.",
)
def sampler_asks_the_group(training, evaluation, batch_size, ranks, rank, seed=0):
    drawn, ordered = DistributedSampler(training, seed=seed), DistributedSampler(evaluation, shuffle=False)
    return DataLoader(training, batch_size, sampler=drawn), DataLoader(evaluation, batch_size, sampler=ordered)


@wrong(
    "sampler-drops-the-rest",
    replaces="loaders",
    says="Examples are left out where the ranks do not divide the length: the samplers were told drop_last. Without it "
    "they pad.",
)
def sampler_drops_the_rest(training, evaluation, batch_size, ranks, rank, seed=0):
    drawn = sampler_of(training, ranks, rank, seed=seed, drop_last=True)
    ordered = sampler_of(evaluation, ranks, rank, shuffle=False, drop_last=True)
    return DataLoader(training, batch_size, sampler=drawn), DataLoader(evaluation, batch_size, sampler=ordered)


@wrong(
    "batch-size-shared-out",
    replaces="loaders",
    says="The batches are too small: batch_size is the number of examples in a batch of one rank. It goes to each "
    "DataLoader as it is, not divided by the number of ranks.",
)
def batch_size_shared_out(training, evaluation, batch_size, ranks, rank, seed=0):
    drawn, ordered = sampler_of(training, ranks, rank, seed=seed), sampler_of(evaluation, ranks, rank, shuffle=False)
    size = max(1, batch_size // ranks)
    return DataLoader(training, size, sampler=drawn), DataLoader(evaluation, size, sampler=ordered)


@wrong(
    "evaluation-dealt-to-nobody",
    replaces="loaders",
    says="The evaluation loader of each rank has the whole dataset. It is dealt out among the ranks as well.",
)
def evaluation_dealt_to_nobody(training, evaluation, batch_size, ranks, rank, seed=0):
    drawn = sampler_of(training, ranks, rank, seed=seed)
    return DataLoader(training, batch_size, sampler=drawn), DataLoader(evaluation, batch_size)


@wrong(
    "evaluation-not-padded",
    replaces="loaders",
    says="Some ranks have an example less to evaluate than others. Here both datasets are dealt out as "
    "DistributedSampler does it, padded.",
)
def evaluation_not_padded(training, evaluation, batch_size, ranks, rank, seed=0):
    drawn = sampler_of(training, ranks, rank, seed=seed)
    own = Subset(evaluation, range(rank, len(evaluation), ranks))
    return DataLoader(training, batch_size, sampler=drawn), DataLoader(own, batch_size)


@wrong(
    "evaluation-comes-first",
    replaces="loaders",
    says="The two loaders have changed places: training comes first, then evaluation.",
)
def evaluation_comes_first(training, evaluation, batch_size, ranks, rank, seed=0):
    drawn, ordered = sampler_of(training, ranks, rank, seed=seed), sampler_of(evaluation, ranks, rank, shuffle=False)
    return DataLoader(evaluation, batch_size, sampler=ordered), DataLoader(training, batch_size, sampler=drawn)


@wrong(
    "rank-0-everywhere",
    replaces="loaders",
    says="Every rank got the part of rank 0, and the rest of the data is seen by none: hand `rank` to the samplers.",
    fact="09.14",
)
def rank_0_everywhere(training, evaluation, batch_size, ranks, rank, seed=0):
    drawn, ordered = sampler_of(training, ranks, 0, seed=seed), sampler_of(evaluation, ranks, 0, shuffle=False)
    return DataLoader(training, batch_size, sampler=drawn), DataLoader(evaluation, batch_size, sampler=ordered)


@wrong(
    "one-sampler-for-both",
    replaces="loaders",
    says="The evaluation loader has the sampler of the training loader: that deals out the numbers of the training "
    "examples, in another order each epoch. Each dataset needs a sampler of its own, which for evaluation does not "
    "shuffle.",
    fact="09.14",
)
def one_sampler_for_both(training, evaluation, batch_size, ranks, rank, seed=0):
    drawn = sampler_of(training, ranks, rank, seed=seed)
    return DataLoader(training, batch_size, sampler=drawn), DataLoader(evaluation, batch_size, sampler=drawn)


# ---- epochs


@wrong(
    "z01-set-epoch",
    replaces="epochs",
    says="Every epoch has the order of epoch 0: the sampler was told of no other. Call "
    "loader.sampler.set_epoch(epoch) before each.",
    fact="09.14",
)
def set_epoch_never_called(loader, n, first=0):
    return [list(loader) for _ in range(n)]


@wrong(
    "set-epoch-too-late",
    replaces="epochs",
    says="The sampler was told the epoch when it had begun already; the order is drawn when the loader is first "
    "asked for a batch, so each epoch has the order of the one before. set_epoch comes first.",
    fact="09.14",
)
def set_epoch_too_late(loader, n, first=0):
    found = []
    for epoch in range(first, first + n):
        found.append(list(loader))
        loader.sampler.set_epoch(epoch)
    return found


@wrong(
    "resumed-at-epoch-0",
    replaces="epochs",
    says="The epochs were counted from 0, whatever `first` says: a training that goes on would see the orders of its "
    "first epochs again.",
    fact="09.14",
)
def resumed_at_epoch_0(loader, n, first=0):
    found = []
    for epoch in range(n):
        loader.sampler.set_epoch(epoch)
        found.append(list(loader))
    return found


@wrong(
    "epoch-one-ahead",
    replaces="epochs",
    says="Each epoch has the order of the next one: they start at `first`, which is 0 unless it is said, not one "
    "later.",
)
def epoch_one_ahead(loader, n, first=0):
    found = []
    for epoch in range(first, first + n):
        loader.sampler.set_epoch(epoch + 1)
        found.append(list(loader))
    return found


@wrong(
    "set-epoch-on-the-loader",
    replaces="epochs",
    says="A DataLoader has no set_epoch; its sampler has: loader.sampler.",
    fact="09.14",
)
def set_epoch_on_the_loader(loader, n, first=0):
    found = []
    for epoch in range(first, first + n):
        loader.set_epoch(epoch)
        found.append(list(loader))
    return found


@wrong(
    "one-iterator-for-all-epochs",
    replaces="epochs",
    says="Only the first epoch has batches: iter(loader) was made once, and is used up after it. Go through the "
    "loader itself in each epoch.",
)
def one_iterator_for_all_epochs(loader, n, first=0):
    loader.sampler.set_epoch(first)
    batches = iter(loader)
    return [list(batches) for _ in range(n)]


@wrong(
    "epochs-end-to-end",
    replaces="epochs",
    says="These are the batches of all epochs in one list; each epoch is to have a list of its own.",
)
def epochs_end_to_end(loader, n, first=0):
    found = []
    for epoch in range(first, first + n):
        loader.sampler.set_epoch(epoch)
        found += loader
    return found


@wrong(
    "one-batch-an-epoch",
    replaces="epochs",
    says="Of each epoch only the first batch is there.",
)
def one_batch_an_epoch(loader, n, first=0):
    found = []
    for epoch in range(first, first + n):
        loader.sampler.set_epoch(epoch)
        found.append([next(iter(loader))])
    return found


@wrong(
    "one-epoch-short",
    replaces="epochs",
    says="An epoch is missing: `n` is how many there are, not the number of the last one.",
)
def one_epoch_short(loader, n, first=0):
    found = []
    for epoch in range(first, n):
        loader.sampler.set_epoch(epoch)
        found.append(list(loader))
    return found


@wrong(
    "one-epoch-too-many",
    replaces="epochs",
    says="There is an epoch too many: the last one is first + n - 1.",
)
def one_epoch_too_many(loader, n, first=0):
    found = []
    for epoch in range(first, first + n + 1):
        loader.sampler.set_epoch(epoch)
        found.append(list(loader))
    return found


@wrong(
    "set-epoch-once",
    replaces="epochs",
    says="All epochs have the order of the first: set_epoch was called once, before them all. Each needs its own.",
    fact="09.14",
)
def set_epoch_once(loader, n, first=0):
    loader.sampler.set_epoch(first)
    return [list(loader) for _ in range(n)]


@wrong(
    "batches-pile-up",
    replaces="epochs",
    says="The batches of all epochs are in one list, which stands in the result once for each epoch: make a new list "
    "for each.",
)
def batches_pile_up(loader, n, first=0):
    found, batches = [], []
    for epoch in range(first, first + n):
        loader.sampler.set_epoch(epoch)
        batches += loader
        found.append(batches)
    return found
