"""Wrong answers to katas/07_inference/evaluate.py."""

import torch
import torch.nn.functional as F

from torchkatas.bank import wrong

# ---- count_right


@wrong(
    "right-as-a-share",
    replaces="count_right",
    says="That is a share of the batch. Shares of batches that differ in size cannot be added up or averaged; counts "
    "can.",
)
def as_a_share(logits, labels):
    return (logits.argmax(dim=1) == labels).float().mean().item()


@wrong(
    "right-as-a-tensor",
    replaces="count_right",
    says="The count is a tensor still, on the device of the logits: .item() makes a Python number of it.",
)
def as_a_tensor(logits, labels):
    return (logits.argmax(dim=1) == labels).sum()


@wrong(
    "right-along-the-batch",
    replaces="count_right",
    says="argmax ran along the batch: it finds for each class the example that it suits best. The class of each "
    "example lies along dim=1.",
    fact="05.17",
)
def right_along_the_batch(logits, labels):
    best = logits.argmax(dim=0)
    return sum(int(best[label] == i) for i, label in enumerate(labels.tolist()))


@wrong(
    "right-all-or-none",
    replaces="count_right",
    says="The answer is 1 where all are right and else 0: that of all(), or a share that int() has cut. Each example "
    "counts by itself: sum.",
)
def all_or_none(logits, labels):
    return int((logits.argmax(dim=1) == labels).all())


@wrong(
    "right-counts-the-wrong",
    replaces="count_right",
    says="The wrong ones were counted, those whose largest logit is another.",
)
def counts_the_wrong(logits, labels):
    return int((logits.argmax(dim=1) != labels).sum())


@wrong(
    "right-of-all-pairs",
    replaces="count_right",
    says="Each prediction was compared with every label: (N, 1) == (N,) is a table of N × N. Bring both to the shape "
    "(N,).",
)
def of_all_pairs(logits, labels):
    return int((logits.argmax(dim=1, keepdim=True) == labels).sum())


@wrong(
    "right-through-probabilities",
    replaces="count_right",
    says="Probabilities are rounded: where two logits differ by very little they come out alike, and argmax takes the "
    "first. Softmax keeps the order, so that the logits themselves will do.",
)
def right_through_probabilities(logits, labels):
    return int((logits.softmax(dim=1).argmax(dim=1) == labels).sum())


@wrong(
    "right-above-one-half",
    replaces="count_right",
    says="An example was counted where its label has a probability above 0.5. Of three classes or more the largest may "
    "have less: it is enough to be ahead of the others.",
)
def right_above_one_half(logits, labels):
    return int((logits.softmax(dim=1).gather(1, labels.unsqueeze(1)) > 0.5).sum())


# ---- mean_over_examples


@wrong(
    "mean-of-means",
    replaces="mean_over_examples",
    says="This is the mean of the batch means. An example of a small last batch then counts for more than the others: "
    "weight each mean by its size.",
)
def of_means(means, sizes):
    if not means:
        raise ValueError("empty")
    return sum(means) / len(means)


@wrong(
    "mean-weighted-but-by-batches",
    replaces="mean_over_examples",
    says="Each mean was weighted by its size, and the sum divided by the number of batches. After weighting it is a "
    "sum over examples, and takes their number.",
)
def weighted_but_by_batches(means, sizes):
    if not means:
        raise ValueError("empty")
    return sum(m * n for m, n in zip(means, sizes, strict=True)) / len(means)


@wrong(
    "mean-as-if-all-batches-were-full",
    replaces="mean_over_examples",
    says="It was divided as if every batch were as large as the first. The last one seldom is: divide by the sum of "
    "the sizes.",
)
def as_if_all_were_full(means, sizes):
    if not means:
        raise ValueError("empty")
    return sum(m * n for m, n in zip(means, sizes, strict=True)) / (sizes[0] * len(sizes))


@wrong(
    "mean-summed-over-examples",
    replaces="mean_over_examples",
    says="This is the sum over all examples; the mean divides it by their number.",
)
def summed_over_examples(means, sizes):
    if not means:
        raise ValueError("empty")
    return sum(m * n for m, n in zip(means, sizes, strict=True))


@wrong(
    "mean-of-nothing-divides",
    replaces="mean_over_examples",
    says="Without a batch it is a division by zero, and Python's words do not tell the caller why. Ask first, and "
    "raise ValueError.",
)
def of_nothing_divides(means, sizes):
    return sum(m * n for m, n in zip(means, sizes, strict=True)) / sum(sizes)


@wrong(
    "mean-of-nothing-is-a-number",
    replaces="mean_over_examples",
    says="Without a batch a number came back: 0.0 passes for a perfect loss, NaN for a model that has diverged. There "
    "is no mean of nothing: raise ValueError.",
)
def of_nothing_is_a_number(means, sizes):
    return sum(m * n for m, n in zip(means, sizes, strict=True)) / max(1, sum(sizes))


# ---- confusion_matrix


@wrong(
    "confusion-transposed",
    replaces="confusion_matrix",
    says="Rows and columns are exchanged: row i is to hold the examples whose label is i, spread over what they were "
    "predicted to be.",
)
def transposed(predicted, labels, classes):
    return torch.bincount(predicted * classes + labels, minlength=classes**2).reshape(classes, classes)


@wrong(
    "confusion-counts-a-pair-once",
    replaces="confusion_matrix",
    says="A pair that occurs several times was counted once: matrix[labels, predicted] += 1 reads, adds and writes "
    "all at a time, and the last write wins. index_put_ with accumulate=True, bincount or a loop count each.",
)
def counts_a_pair_once(predicted, labels, classes):
    matrix = torch.zeros(classes, classes, dtype=torch.int64)
    matrix[labels, predicted] += 1
    return matrix


@wrong(
    "confusion-of-one-row",
    replaces="confusion_matrix",
    says="All rows are alike: [[0] * classes] * classes is one list, several times, and what is counted in one row "
    "stands in each. torch.zeros gives every row memory of its own.",
)
def of_one_row(predicted, labels, classes):
    matrix = [[0] * classes] * classes
    for p, label in zip(predicted.tolist(), labels.tolist(), strict=True):
        matrix[label][p] += 1
    return torch.tensor(matrix)


@wrong(
    "confusion-without-minlength",
    replaces="confusion_matrix",
    says="bincount ends at the largest number that occurs, so that there are too few counts for a square. "
    "minlength=classes**2 makes room for all pairs.",
)
def without_minlength(predicted, labels, classes):
    return torch.bincount(labels * classes + predicted).reshape(classes, classes)


@wrong(
    "confusion-of-classes-that-occur",
    replaces="confusion_matrix",
    says="The matrix ends at the largest class that occurs in this data. Its size is to be that of `classes`, with "
    "zeros for those that do not occur, else two matrices cannot be added up.",
)
def of_classes_that_occur(predicted, labels, classes):
    if not len(labels):
        return torch.zeros(0, 0, dtype=torch.int64)
    size = int(max(predicted.max(), labels.max())) + 1
    return torch.bincount(labels * size + predicted, minlength=size**2).reshape(size, size)


@wrong(
    "confusion-in-shares",
    replaces="confusion_matrix",
    says="These are shares, not counts, and a row without an example is 0 / 0.",
)
def in_shares(predicted, labels, classes):
    matrix = torch.bincount(labels * classes + predicted, minlength=classes**2).reshape(classes, classes)
    return matrix / matrix.sum(dim=1, keepdim=True)


@wrong(
    "confusion-in-floats",
    replaces="confusion_matrix",
    says="The counts are right but came as floats. torch.zeros makes float32 unless it is told dtype=torch.int64, and "
    "a float32 stops counting at 2 ** 24.",
)
def in_floats(predicted, labels, classes):
    return torch.bincount(labels * classes + predicted, minlength=classes**2).reshape(classes, classes).float()


@wrong(
    "confusion-of-the-right-alone",
    replaces="confusion_matrix",
    says="Only the diagonal was filled. What a class is taken for when it is not recognised stands beside it.",
)
def of_the_right_alone(predicted, labels, classes):
    return torch.bincount(labels[predicted == labels], minlength=classes).diag()


# ---- evaluate


def restored(model, run):
    flags = [(module, module.training) for module in model.modules()]
    model.eval()
    try:
        with torch.no_grad():
            return run()
    finally:
        for module, flag in flags:
            module.training = flag


def sums(model, loader):
    """Sum of losses, number right and number of examples of each batch."""
    found = []
    for x, labels in loader:
        logits = model(x)
        loss = F.cross_entropy(logits, labels, reduction="sum").item()
        found.append((loss, int((logits.argmax(dim=1) == labels).sum()), len(labels)))
    if not found:
        raise ValueError("empty")
    return found


def shares(found):
    loss, right, n = (sum(column) for column in zip(*found, strict=True))
    return loss / n, right / n


@wrong(
    "e05-bn-drift",
    replaces="evaluate",
    says="The model was in training mode while it was asked. Dropout dropped, batch norm used the statistics of each "
    "test batch, and took them into its running ones: no_grad does not stop that, eval() does.",
    fact="05.14",
)
def in_training_mode(model, loader):
    with torch.no_grad():
        return shares(sums(model, loader))


@wrong(
    "evaluate-with-a-graph",
    replaces="evaluate",
    says="Gradient mode was on while the model ran: each batch built a graph, with all that it saves for a backward "
    "that never comes. eval() does not prevent it, no_grad does.",
    fact="05.16",
)
def with_a_graph(model, loader):
    flags = [(module, module.training) for module in model.modules()]
    model.eval()
    try:
        return shares(sums(model, loader))
    finally:
        for module, flag in flags:
            module.training = flag


@wrong(
    "evaluate-by-batch-means",
    replaces="evaluate",
    says="Both are means of batch means: the examples of a smaller last batch count for more than the others. Add up "
    "sums and counts, and divide once, by the number of examples.",
)
def by_batch_means(model, loader):
    found = restored(model, lambda: sums(model, loader))
    return sum(loss / n for loss, _, n in found) / len(found), sum(right / n for _, right, n in found) / len(found)


@wrong(
    "evaluate-loss-by-batch-means",
    replaces="evaluate",
    says="The accuracy is right, but the loss is the mean of the batches' means: cross_entropy gives the mean of a "
    "batch, which has to be weighted by its size before it is added up.",
)
def loss_by_batch_means(model, loader):
    found = restored(model, lambda: sums(model, loader))
    return sum(loss / n for loss, _, n in found) / len(found), shares(found)[1]


@wrong(
    "evaluate-accuracy-by-batch-means",
    replaces="evaluate",
    says="The loss is right, but the accuracy is the mean of the batches' shares: an example of a smaller batch "
    "counts for more. Count the right ones over all batches, and divide once.",
)
def accuracy_by_batch_means(model, loader):
    found = restored(model, lambda: sums(model, loader))
    return shares(found)[0], sum(right / n for _, right, n in found) / len(found)


@wrong(
    "evaluate-loss-of-means-over-examples",
    replaces="evaluate",
    says="The loss is too small: means of batches were added up and divided by the number of examples. Either weight "
    "each mean by its size, or add up sums, reduction='sum'.",
)
def loss_of_means_over_examples(model, loader):
    found = restored(model, lambda: sums(model, loader))
    return sum(loss / n for loss, _, n in found) / sum(n for *_, n in found), shares(found)[1]


@wrong(
    "evaluate-as-if-all-batches-were-full",
    replaces="evaluate",
    says="It was divided by the number of batches times the size of the first. The last batch is smaller: count the "
    "examples as they come.",
)
def as_if_batches_were_full(model, loader):
    found = restored(model, lambda: sums(model, loader))
    n = found[0][2] * len(found)
    return sum(loss for loss, *_ in found) / n, sum(right for _, right, _ in found) / n


@wrong(
    "evaluate-without-the-small-batch",
    replaces="evaluate",
    says="The examples of a smaller last batch were left out. That is for training, where a tiny batch makes a poor "
    "step; in evaluation every example counts.",
    fact="05.5",
)
def without_the_small_batch(model, loader):
    found = restored(model, lambda: sums(model, loader))
    return shares([part for part in found if part[2] == found[0][2]])


@wrong(
    "evaluate-the-last-batch",
    replaces="evaluate",
    says="These are the numbers of the last batch alone: each batch overwrote the one before.",
)
def the_last_batch(model, loader):
    return shares(restored(model, lambda: sums(model, loader))[-1:])


@wrong(
    "evaluate-the-first-batch",
    replaces="evaluate",
    says="These are the numbers of the first batch alone: a `return` stands inside the loop, or next() took one batch.",
)
def the_first_batch(model, loader):
    return shares(restored(model, lambda: sums(model, loader))[:1])


@wrong(
    "evaluate-asks-the-loader-for-its-length",
    replaces="evaluate",
    says="The loader was asked for a length, its own or that of a dataset, which a list or an iterator does not have "
    "(and which is too large where drop_last drops). Count the examples as they come.",
)
def asks_for_the_length(model, loader):
    examples = len(loader.dataset)
    if not examples:
        raise ValueError("empty")
    found = restored(model, lambda: sums(model, loader))
    return sum(loss for loss, *_ in found) / examples, sum(right for _, right, _ in found) / examples


@wrong(
    "evaluate-asks-whether-the-loader-is-empty",
    replaces="evaluate",
    says="len(loader) was to tell whether there is a batch. An iterator has no length: count the examples as they "
    "come, and ask afterwards.",
)
def asks_whether_it_is_empty(model, loader):
    if len(loader) == 0:
        raise ValueError("empty")
    return shares(restored(model, lambda: sums(model, loader)))


@wrong(
    "evaluate-over-batches",
    replaces="evaluate",
    says="The sums over examples were divided by the number of batches: both are too large, the accuracy perhaps above "
    "1. Count examples, len(labels) in each batch.",
)
def over_batches(model, loader):
    found = restored(model, lambda: sums(model, loader))
    return sum(loss for loss, *_ in found) / len(found), sum(right for _, right, _ in found) / len(found)


@wrong(
    "evaluate-turned-round",
    replaces="evaluate",
    says="The accuracy came first and the loss second; asked is the loss first.",
)
def turned_round(model, loader):
    return shares(restored(model, lambda: sums(model, loader)))[::-1]


@wrong(
    "evaluate-goes-through-twice",
    replaces="evaluate",
    says="The loader was gone through two times, once for each number. An iterator is used up after the first, and "
    "the second finds nothing; and the model works twice. Collect both in one loop.",
)
def goes_through_twice(model, loader):
    found = restored(model, lambda: sums(model, loader))
    right = restored(model, lambda: sum(int((model(x).argmax(dim=1) == labels).sum()) for x, labels in loader))
    return shares(found)[0], right / sum(n for *_, n in found)


@wrong(
    "evaluate-softmax-before-the-loss",
    replaces="evaluate",
    says="The accuracy is right, but the loss got probabilities: cross_entropy applies a softmax of its own, and a "
    "second one squeezes all losses together. Hand it the raw logits.",
    fact="05.8",
)
def softmax_before_the_loss(model, loader):
    def run():
        parts = [(model(x), labels) for x, labels in loader]
        if not parts:
            raise ValueError("empty")
        logits, labels = (torch.cat(column) for column in zip(*parts, strict=True))
        right = (logits.argmax(1) == labels).float().mean().item()
        return F.cross_entropy(logits.softmax(1), labels).item(), right

    return restored(model, run)


@wrong(
    "evaluate-nll-of-logits",
    replaces="evaluate",
    says="The loss may be below 0: nll_loss takes logarithms of probabilities and got raw logits. cross_entropy makes "
    "them first, log_softmax and nll_loss in one.",
)
def nll_of_logits(model, loader):
    def run():
        parts = [(model(x), labels) for x, labels in loader]
        if not parts:
            raise ValueError("empty")
        logits, labels = (torch.cat(column) for column in zip(*parts, strict=True))
        return F.nll_loss(logits, labels).item(), int((logits.argmax(dim=1) == labels).sum()) / len(labels)

    return restored(model, run)


@wrong(
    "evaluate-counts-in-place-of-shares",
    replaces="evaluate",
    says="These are sums over all examples, the loss and the number of those that are right: divide both by the "
    "number of examples.",
)
def counts_in_place_of_shares(model, loader):
    found = restored(model, lambda: sums(model, loader))
    return sum(loss for loss, *_ in found), float(sum(right for _, right, _ in found))


@wrong(
    "evaluate-in-percent",
    replaces="evaluate",
    says="The accuracy came in percent; a share is a number from 0 to 1.",
)
def in_percent(model, loader):
    loss, share = shares(restored(model, lambda: sums(model, loader)))
    return loss, 100 * share


@wrong(
    "evaluate-gives-tensors",
    replaces="evaluate",
    says="Tensors came back where Python floats are asked; .item() makes numbers of them.",
)
def gives_tensors(model, loader):
    return tuple(torch.tensor(value) for value in shares(restored(model, lambda: sums(model, loader))))


@wrong(
    "evaluate-stays-in-eval",
    replaces="evaluate",
    says="The model is still in eval mode afterwards. In a loop that validates after each epoch all further training "
    "runs without dropout and with frozen statistics: put every mode back.",
)
def evaluate_stays_in_eval(model, loader):
    model.eval()
    with torch.no_grad():
        return shares(sums(model, loader))


@wrong(
    "evaluate-trains-everything-after",
    replaces="evaluate",
    says="train() put every module into training mode afterwards, those too that had been in eval mode, such as a "
    "frozen batch norm. Each module is to get the mode that it had.",
)
def trains_everything_after(model, loader):
    model.eval()
    try:
        with torch.no_grad():
            return shares(sums(model, loader))
    finally:
        model.train()


@wrong(
    "evaluate-restores-the-mode-of-the-top",
    replaces="evaluate",
    says="train(was_training) gave every module the mode of the top one. Some had another, such as a frozen batch "
    "norm: note the mode of each, and put each back.",
)
def restores_the_mode_of_the_top(model, loader):
    before = model.training
    model.eval()
    try:
        with torch.no_grad():
            return shares(sums(model, loader))
    finally:
        model.train(before)


@wrong(
    "evaluate-restores-by-train",
    replaces="evaluate",
    says="train() was called again on the modules that had been in training mode. It sets all that lies below too, so "
    "that a frozen batch norm thawed. To put a flag back, assign it: module.training = was.",
    fact="05.14",
)
def restores_by_train(model, loader):
    trained = [module for module in model.modules() if module.training]
    model.eval()
    try:
        with torch.no_grad():
            return shares(sums(model, loader))
    finally:
        for module in trained:
            module.train()


@wrong(
    "evaluate-restores-unless-it-fails",
    replaces="evaluate",
    says="An error went out, and the modes were not put back: the lines behind the loop were never reached. What must "
    "happen on every way out belongs into `finally`.",
)
def restores_unless_it_fails(model, loader):
    flags = [(module, module.training) for module in model.modules()]
    model.eval()
    with torch.no_grad():
        found = shares(sums(model, loader))
    for module, flag in flags:
        module.training = flag
    return found


@wrong(
    "evaluate-leaves-gradient-mode-off",
    replaces="evaluate",
    says="Gradient mode stays off after the call, and all training that follows builds no graph. `with "
    "torch.no_grad():` puts it back on every way out.",
    fact="05.16",
)
def leaves_gradient_mode_off(model, loader):
    torch.set_grad_enabled(False)
    return restored_modes(model, lambda: shares(sums(model, loader)))


def restored_modes(model, run):
    flags = [(module, module.training) for module in model.modules()]
    model.eval()
    try:
        return run()
    finally:
        for module, flag in flags:
            module.training = flag


@wrong(
    "evaluate-turns-gradient-mode-on",
    replaces="evaluate",
    says="Gradient mode is on after the call though the caller had it off. What is put back must be what was there "
    "before, as `with torch.no_grad():` does it.",
)
def turns_gradient_mode_on(model, loader):
    try:
        return shares(restored(model, lambda: sums(model, loader)))
    finally:
        torch.set_grad_enabled(True)


@wrong(
    "evaluate-freezes-the-parameters",
    replaces="evaluate",
    says="The parameters no longer require a gradient: from the first validation on nothing is trained. no_grad needs "
    "no switch on the parameters.",
    fact="05.16",
)
def evaluate_freezes(model, loader):
    model.requires_grad_(False)
    return shares(restored(model, lambda: sums(model, loader)))


def sums_of_any(model, loader):
    try:
        return sums(model, loader)
    except ValueError as error:
        if str(error) != "empty":
            raise
        return [(0.0, 0, 0)]


@wrong(
    "evaluate-nothing-divides",
    replaces="evaluate",
    says="A loader without a batch ends in a division by zero, and the words do not tell the caller why. Ask whether "
    "any example came, and raise ValueError.",
)
def nothing_divides(model, loader):
    return shares(restored(model, lambda: sums_of_any(model, loader)))


@wrong(
    "evaluate-nothing-is-a-number",
    replaces="evaluate",
    says="For a loader without a batch numbers came back: a loss of 0.0 passes for a perfect one, NaN for a model "
    "that has diverged. Raise ValueError.",
)
def nothing_is_a_number(model, loader):
    found = restored(model, lambda: sums_of_any(model, loader))
    return shares(found) if found[0][2] else (0.0, 0.0)
