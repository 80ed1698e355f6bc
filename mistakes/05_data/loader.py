"""Wrong answers to katas/05_data/loader.py."""

import random

import torch
from torch.utils.data import DataLoader, RandomSampler, Subset

from torchkatas.bank import wrong

# ---- shuffled


@wrong(
    "x09-shuffle-xy-apart",
    replaces="shuffled",
    says="Features and labels were shuffled by two different permutations, so rows have labels of other examples. "
    "Nothing fails, but nothing can be learnt either. Draw one order, and use it for both.",
)
def shuffle_xy_apart(features, labels, generator):
    n = len(features)
    return features[torch.randperm(n, generator=generator)], labels[torch.randperm(n, generator=generator)]


@wrong(
    "labels-left-unshuffled",
    replaces="shuffled",
    says="Only the features were shuffled; the labels stand as before, and belong to other rows now.",
)
def labels_left_unshuffled(features, labels, generator):
    return features[torch.randperm(len(features), generator=generator)], labels.clone()


@wrong(
    "shuffled-with-repeats",
    replaces="shuffled",
    says="Some examples are there several times and others not at all: indices were drawn one by one, with no regard "
    "to those before. A permutation has each once.",
)
def shuffled_with_repeats(features, labels, generator):
    order = torch.randint(len(features), (len(features),), generator=generator)
    return features[order], labels[order]


@wrong(
    "nothing-shuffled",
    replaces="shuffled",
    says="The examples are in the order in which they came.",
)
def nothing_shuffled(features, labels, generator):
    return features.clone(), labels.clone()


@wrong(
    "shuffled-by-the-global-stream",
    replaces="shuffled",
    says="The order was drawn from the global random stream: it depends on what drew there before, and moves it on "
    "for all others. Hand the generator to randperm.",
)
def shuffled_by_the_global_stream(features, labels, generator):
    order = torch.randperm(len(features))
    return features[order], labels[order]


@wrong(
    "shuffled-alike-at-each-call",
    replaces="shuffled",
    says="Each call gives the same order, since the generator is seeded anew in it, or another one is made: every "
    "epoch would be the same. Draw from the generator as it comes.",
)
def shuffled_alike_at_each_call(features, labels, generator):
    order = torch.randperm(len(features), generator=torch.Generator().manual_seed(0))
    return features[order], labels[order]


@wrong(
    "shuffled-where-they-lie",
    replaces="shuffled",
    says="The tensors that were handed in are shuffled themselves; the caller may still need the old order. Return "
    "new ones.",
)
def shuffled_where_they_lie(features, labels, generator):
    order = torch.randperm(len(features), generator=generator)
    features[:], labels[:] = features[order], labels[order]
    return features, labels


@wrong(
    "columns-shuffled",
    replaces="shuffled",
    says="The order of the columns was drawn as well, so that a feature stands where another one was. Only whole rows "
    "move.",
)
def columns_shuffled(features, labels, generator):
    order = torch.randperm(len(features), generator=generator)
    return features[order].flip(1), labels[order]


@wrong(
    "features-shuffled-in-float32",
    replaces="shuffled",
    says="The order is random and the pairs are right, but the features became float32; the dtype that came in is to "
    "go out.",
)
def features_shuffled_in_float32(features, labels, generator):
    order = torch.randperm(len(features), generator=generator)
    return features[order].float(), labels[order]


@wrong(
    "one-example-lost",
    replaces="shuffled",
    says="An example is missing: the permutation has one index too few. randperm(n) draws 0 to n - 1, all n of them.",
)
def one_example_lost(features, labels, generator):
    order = torch.randperm(max(len(features) - 1, 1), generator=generator)
    return features[order], labels[order]


# ---- batch_of


@wrong(
    "batch-of-pairs",
    replaces="batch_of",
    says="This is a list of pairs, (features, label) for each example. A batch is the other way round, all features "
    "and all labels: zip(*pairs) turns it.",
    fact="05.3",
)
def batch_of_pairs(dataset, indices):
    return [dataset[i] for i in indices]


@wrong(
    "rows-end-to-end",
    replaces="batch_of",
    says="The examples were joined along an axis that they have already, end to end (and where they have none, that "
    "is an error). A batch gets a new axis in front: stack, not cat.",
    fact="05.3",
)
def rows_end_to_end(dataset, indices):
    features, labels = zip(*(dataset[i] for i in indices), strict=True)
    return torch.cat(features), torch.stack(labels)


@wrong(
    "batch-of-lists",
    replaces="batch_of",
    says="The features are a list of tensors, one for each example; a model takes one tensor with an axis for the "
    "batch.",
)
def batch_of_lists(dataset, indices):
    features, labels = zip(*(dataset[i] for i in indices), strict=True)
    return list(features), torch.stack(labels)


@wrong(
    "features-by-torch-tensor",
    replaces="batch_of",
    says="torch.tensor was handed a list of tensors; that works for tensors of a single number alone. Stack them.",
)
def features_by_torch_tensor(dataset, indices):
    features, labels = zip(*(dataset[i] for i in indices), strict=True)
    return torch.tensor(features), torch.tensor(labels)


@wrong(
    "labels-in-a-column",
    replaces="batch_of",
    says="The labels are (B, 1). Cross entropy takes (B,), and against (B,) a difference becomes (B, B).",
)
def labels_in_a_column(dataset, indices):
    features, labels = zip(*(dataset[i] for i in indices), strict=True)
    return torch.stack(features), torch.stack(labels).unsqueeze(1)


@wrong(
    "batch-of-one-without-its-axis",
    replaces="batch_of",
    says="An axis of size 1 is lost: squeeze() drops that of a batch with one example, or of an example with one "
    "feature. A batch of one is still a batch.",
)
def batch_of_one_without_its_axis(dataset, indices):
    features, labels = zip(*(dataset[i] for i in indices), strict=True)
    return torch.stack(features).squeeze(), torch.stack(labels)


@wrong(
    "batch-in-order-of-the-dataset",
    replaces="batch_of",
    says="The examples stand in the order of the dataset, not in that of `indices`: the shuffle is undone.",
)
def batch_in_order_of_the_dataset(dataset, indices):
    features, labels = zip(*(dataset[i] for i in sorted(indices)), strict=True)
    return torch.stack(features), torch.stack(labels)


@wrong(
    "each-example-asked-for-twice",
    replaces="batch_of",
    says="Each example was asked for twice, once for its features and once for its label: twice the reading, and with "
    "random noise in it two different examples.",
)
def each_example_asked_for_twice(dataset, indices):
    return torch.stack([dataset[i][0] for i in indices]), torch.stack([dataset[i][1] for i in indices])


@wrong(
    "batch-cast-on-the-way",
    replaces="batch_of",
    says="The dtype changed on the way: a batch has that of its examples.",
)
def batch_cast_on_the_way(dataset, indices):
    features, labels = zip(*(dataset[i] for i in indices), strict=True)
    return torch.stack(features).float(), torch.tensor([int(label) for label in labels])


@wrong(
    "batch-axis-behind",
    replaces="batch_of",
    says="The axis of the batch stands last; it belongs in front, (B, ...).",
)
def batch_axis_behind(dataset, indices):
    features, labels = zip(*(dataset[i] for i in indices), strict=True)
    return torch.stack(features, dim=-1), torch.stack(labels)


@wrong(
    "first-examples-whatever-is-asked",
    replaces="batch_of",
    says="These are the first examples of the dataset, as many as there are indices: range(len(indices)) counts the "
    "indices and does not look at them.",
)
def first_examples_whatever_is_asked(dataset, indices):
    features, labels = zip(*[dataset[i] for i in range(len(indices))], strict=True)
    return torch.stack(features), torch.stack(labels)


@wrong(
    "each-index-once",
    replaces="batch_of",
    says="An index that stands twice in the list came once: as many examples come as there are indices.",
)
def each_index_once(dataset, indices):
    features, labels = zip(*[dataset[i] for i in dict.fromkeys(indices)], strict=True)
    return torch.stack(features), torch.stack(labels)


# ---- number_of_batches


@wrong(
    "rest-not-counted",
    replaces="number_of_batches",
    says="The rest is left out always, as // does it. Without drop_last it is a batch, if a smaller one.",
    fact="05.3",
)
def rest_not_counted(examples, batch_size, drop_last=False):
    return examples // batch_size


@wrong(
    "rest-always-counted",
    replaces="number_of_batches",
    says="The rest is counted even with drop_last, which leaves it out.",
    fact="05.5",
)
def rest_always_counted(examples, batch_size, drop_last=False):
    return -(-examples // batch_size)


@wrong(
    "one-batch-too-many",
    replaces="number_of_batches",
    says="Where the division leaves no rest there is one batch too many: adding 1 to // is right with a rest alone.",
)
def one_batch_too_many(examples, batch_size, drop_last=False):
    return examples // batch_size + (not drop_last)


@wrong(
    "batches-rounded-to-nearest",
    replaces="number_of_batches",
    says="The quotient was rounded to the nearest number: a rest of less than half a batch is lost, and with "
    "drop_last a larger one is counted.",
)
def batches_rounded_to_nearest(examples, batch_size, drop_last=False):
    return round(examples / batch_size)


@wrong(
    "drop-last-drops-a-full-batch",
    replaces="number_of_batches",
    says="drop_last takes one batch away always, also where the last one is full. Only a rest is dropped.",
    fact="05.5",
)
def drop_last_drops_a_full_batch(examples, batch_size, drop_last=False):
    return -(-examples // batch_size) - drop_last


@wrong(
    "batches-as-a-float",
    replaces="number_of_batches",
    says="The number is a float; / always gives one. Batches are counted in ints, as // does.",
)
def batches_as_a_float(examples, batch_size, drop_last=False):
    rest = examples % batch_size
    return (examples - rest) / batch_size + (rest > 0 and not drop_last)


@wrong(
    "drop-last-the-wrong-way",
    replaces="number_of_batches",
    says="drop_last works the wrong way round: True is to leave the rest out.",
    fact="05.5",
)
def drop_last_the_wrong_way(examples, batch_size, drop_last=False):
    return -(-examples // batch_size) if drop_last else examples // batch_size


@wrong(
    "never-no-batch",
    replaces="number_of_batches",
    says="There is one batch where there is none: no example makes no batch, and with drop_last neither do fewer than "
    "one batch takes.",
)
def never_no_batch(examples, batch_size, drop_last=False):
    return max(1, examples // batch_size if drop_last else -(-examples // batch_size))


@wrong(
    "rest-counted-by-examples",
    replaces="number_of_batches",
    says="Each example of the rest was counted as a batch: they make one batch together, if a smaller one.",
)
def rest_counted_by_examples(examples, batch_size, drop_last=False):
    return examples // batch_size + (0 if drop_last else examples % batch_size)


# ---- evaluation_loader


@wrong(
    "evaluation-shuffled",
    replaces="evaluation_loader",
    says="The examples are shuffled. That is for training; in an evaluation predictions could not be matched with "
    "their examples any more.",
    fact="05.6",
)
def evaluation_shuffled(dataset, batch_size):
    return DataLoader(dataset, batch_size=batch_size, shuffle=True)


@wrong(
    "evaluation-drops-the-rest",
    replaces="evaluation_loader",
    says="The rest at the end is missing: with drop_last those examples are never evaluated, and nobody is told.",
    fact="05.5",
)
def evaluation_drops_the_rest(dataset, batch_size):
    return DataLoader(dataset, batch_size=batch_size, drop_last=True)


@wrong(
    "evaluation-one-by-one",
    replaces="evaluation_loader",
    says="Each batch has one example: the loader was not told batch_size, and takes 1 then.",
)
def evaluation_one_by_one(dataset, batch_size):
    return DataLoader(dataset)


@wrong(
    "evaluation-in-one-batch",
    replaces="evaluation_loader",
    says="All examples came in a single batch: batch_size was not used. With real data that does not fit into memory.",
)
def evaluation_in_one_batch(dataset, batch_size):
    return DataLoader(dataset, batch_size=len(dataset))


@wrong(
    "evaluation-used-up",
    replaces="evaluation_loader",
    says="The second time nothing comes: this is an iterator, which is used up after one epoch. Return the loader, of "
    "which each `for` makes a new one.",
)
def evaluation_used_up(dataset, batch_size):
    return iter(DataLoader(dataset, batch_size=batch_size))


@wrong(
    "evaluation-as-a-list",
    replaces="evaluation_loader",
    says="This is a list of all batches, in memory at once; the loader itself is asked, which makes a batch when it "
    "is needed.",
    fact="05.3",
)
def evaluation_as_a_list(dataset, batch_size):
    return list(DataLoader(dataset, batch_size=batch_size))


@wrong(
    "evaluation-not-collated",
    replaces="evaluation_loader",
    says="A batch is a list of examples, not yet put together into tensors: that is the work of the loader's "
    "collate_fn, which does it by default.",
)
def evaluation_not_collated(dataset, batch_size):
    return DataLoader(dataset, batch_size=batch_size, collate_fn=list)


# ---- training_loader


def _enough(dataset, batch_size):
    if len(dataset) < batch_size:
        raise ValueError(f"{len(dataset)} < {batch_size}")


@wrong(
    "training-not-shuffled",
    replaces="training_loader",
    says="The examples come in the order of the dataset in every epoch. Neighbours in a file are often alike, and a "
    "batch of one class pulls the weights its way: shuffle.",
    fact="05.6",
)
def training_not_shuffled(dataset, batch_size, seed):
    _enough(dataset, batch_size)
    return DataLoader(dataset, batch_size=batch_size, drop_last=True, generator=torch.Generator().manual_seed(seed))


@wrong(
    "training-keeps-the-rest",
    replaces="training_loader",
    says="The last batch is smaller than the others: a step on a few examples is a noisy one, and batch norm fails on "
    "a single one. drop_last leaves the rest out.",
    fact="05.5",
)
def training_keeps_the_rest(dataset, batch_size, seed):
    _enough(dataset, batch_size)
    return DataLoader(dataset, batch_size=batch_size, shuffle=True, generator=torch.Generator().manual_seed(seed))


@wrong(
    "training-shuffled-once",
    replaces="training_loader",
    says="Every epoch has the same order, and leaves out the same examples: it was drawn once, or from a generator "
    "that each epoch seeds anew. A loader with shuffle=True goes on drawing from its generator.",
    fact="05.6",
)
def training_shuffled_once(dataset, batch_size, seed):
    _enough(dataset, batch_size)
    generator = torch.Generator().manual_seed(seed)
    order = torch.randperm(len(dataset), generator=generator).tolist()
    return DataLoader(Subset(dataset, order), batch_size=batch_size, drop_last=True, generator=generator)


@wrong(
    "training-order-from-the-global-stream",
    replaces="training_loader",
    says="The orders come from the global random stream, so that the seed decides nothing, and everything that draws "
    "a number before changes them. Give the loader a generator of its own.",
)
def training_order_from_the_global_stream(dataset, batch_size, seed):
    _enough(dataset, batch_size)
    return DataLoader(dataset, batch_size=batch_size, shuffle=True, drop_last=True)


@wrong(
    "training-seeds-the-global-stream",
    replaces="training_loader",
    says="The seed was planted in the global random stream, where every other draw starts anew from it now, and "
    "changes the orders of later epochs. Give the loader a generator of its own.",
)
def training_seeds_the_global_stream(dataset, batch_size, seed):
    _enough(dataset, batch_size)
    torch.manual_seed(seed)
    return DataLoader(dataset, batch_size=batch_size, shuffle=True, drop_last=True)


@wrong(
    "training-seed-not-used",
    replaces="training_loader",
    says="Another seed gives the same orders: the generator was not seeded with it. A new torch.Generator() always "
    "starts from the same number.",
)
def training_seed_not_used(dataset, batch_size, seed):
    _enough(dataset, batch_size)
    return DataLoader(dataset, batch_size=batch_size, shuffle=True, drop_last=True, generator=torch.Generator())


@wrong(
    "training-generator-for-the-sampler-alone",
    replaces="training_loader",
    says="The orders are right, but each epoch moves the global random stream by one number: the loader draws its "
    "workers' seed there, even without workers, when it has no generator itself. Hand it to the loader too.",
)
def training_generator_for_the_sampler_alone(dataset, batch_size, seed):
    _enough(dataset, batch_size)
    sampler = RandomSampler(dataset, generator=torch.Generator().manual_seed(seed))
    return DataLoader(dataset, batch_size=batch_size, sampler=sampler, drop_last=True)


@wrong(
    "training-draws-with-repeats",
    replaces="training_loader",
    says="In one epoch some examples come several times and others not at all: they are drawn with replacement. An "
    "epoch has each once.",
)
def training_draws_with_repeats(dataset, batch_size, seed):
    _enough(dataset, batch_size)
    generator = torch.Generator().manual_seed(seed)
    sampler = RandomSampler(dataset, replacement=True, generator=generator)
    return DataLoader(dataset, batch_size=batch_size, sampler=sampler, drop_last=True, generator=generator)


@wrong(
    "training-without-a-batch",
    replaces="training_loader",
    says="Fewer examples than one batch were accepted: with drop_last that is a loader of no batches, and the "
    "training loop does nothing, without an error. Raise ValueError.",
)
def training_without_a_batch(dataset, batch_size, seed):
    return DataLoader(
        dataset,
        shuffle=len(dataset) > 0,
        batch_size=batch_size,
        drop_last=True,
        generator=torch.Generator().manual_seed(seed),
    )


@wrong(
    "full-single-batch-refused",
    replaces="training_loader",
    says="A dataset of just one full batch was refused; there is nothing to drop. Only fewer are too few.",
)
def full_single_batch_refused(dataset, batch_size, seed):
    if len(dataset) <= batch_size:
        raise ValueError(f"{len(dataset)} <= {batch_size}")
    generator = torch.Generator().manual_seed(seed)
    return DataLoader(dataset, batch_size=batch_size, shuffle=True, drop_last=True, generator=generator)


@wrong(
    "training-refusal-without-numbers",
    replaces="training_loader",
    says="ValueError is right, but the message does not have both numbers in it, how many examples and how many a "
    "batch.",
)
def training_refusal_without_numbers(dataset, batch_size, seed):
    if len(dataset) < batch_size:
        raise ValueError("too few examples")
    generator = torch.Generator().manual_seed(seed)
    return DataLoader(dataset, batch_size=batch_size, shuffle=True, drop_last=True, generator=generator)


@wrong(
    "training-batches-in-a-list",
    replaces="training_loader",
    says="This is a list of batches, made once: every epoch is the same, and all data lies in memory. Return the "
    "loader, which draws a new order for each epoch.",
    fact="05.3",
)
def training_batches_in_a_list(dataset, batch_size, seed):
    _enough(dataset, batch_size)
    generator = torch.Generator().manual_seed(seed)
    return list(DataLoader(dataset, batch_size=batch_size, shuffle=True, drop_last=True, generator=generator))


@wrong(
    "training-features-and-labels-apart",
    replaces="training_loader",
    says="Features and labels were shuffled apart: rows have labels of other examples. Shuffle indices, and let the "
    "dataset give both halves of a pair.",
    fact="05.3",
)
def training_features_and_labels_apart(dataset, batch_size, seed):
    _enough(dataset, batch_size)
    other = random.Random(seed).sample(range(len(dataset)), len(dataset))
    pairs = [(dataset[i][0], dataset[j][1]) for i, j in enumerate(other)]
    generator = torch.Generator().manual_seed(seed)
    return DataLoader(pairs, batch_size=batch_size, shuffle=True, drop_last=True, generator=generator)


@wrong(
    "training-rest-cut-off-once",
    replaces="training_loader",
    says="Some examples never come, in no epoch: the rest was cut off when the loader was made. drop_last leaves out "
    "what is left over at the end of each epoch, other examples each time.",
)
def training_rest_cut_off_once(dataset, batch_size, seed):
    if len(dataset) < batch_size:
        raise ValueError(f"{len(dataset)} examples for a batch of {batch_size}")
    full = torch.utils.data.Subset(dataset, range(len(dataset) // batch_size * batch_size))
    generator = torch.Generator().manual_seed(seed)
    return DataLoader(full, batch_size=batch_size, shuffle=True, generator=generator)
