"""Wrong answers to katas/04_modules/losses.py."""

import math

import torch
import torch.nn.functional as F

from torchkatas.bank import wrong


def shift(logits):
    """Logits less the maximum of their row."""
    return logits - logits.amax(dim=1, keepdim=True)


def positive(logits):
    """max(x, 0), with the slope 1/2 at 0."""
    return torch.maximum(logits, torch.zeros_like(logits))


def of_targets(table, targets):
    return table[torch.arange(len(targets)), targets]


# ---- cross_entropy


@wrong(
    "ce-overflows",
    replaces="cross_entropy",
    says="exp(1000) is inf and exp(-1000) is 0, so that a row far from zero gives inf or NaN. Take the row's own "
    "maximum from its logits first: the loss stays the same, and no exponent is above 0.",
    fact="05.8",
)
def ce_overflows(logits, targets):
    return (logits.exp().sum(dim=1).log() - of_targets(logits, targets)).mean()


@wrong(
    "ce-log-of-softmax",
    replaces="cross_entropy",
    says="A probability was made first and its log taken after: for a sure error it rounds to 0, and log(0) is -inf. "
    "Stay in logs: log(Σ exp) less the target's logit never needs that probability.",
    fact="05.8",
)
def ce_log_of_softmax(logits, targets):
    powers = shift(logits).exp()
    return -of_targets(powers / powers.sum(dim=1, keepdim=True), targets).log().mean()


@wrong(
    "ce-log-with-epsilon",
    replaces="cross_entropy",
    says="There is a lid on the loss: a sure error costs the same, no matter how sure, and its gradient is gone. A "
    "small constant does it, under the log or as a limit of the probability, and a tight limit of the logits. Stay in "
    "logs: log(Σ exp) less the target's logit needs no protection.",
    fact="05.8",
)
def ce_log_with_epsilon(logits, targets):
    powers = shift(logits).exp()
    return -(of_targets(powers / powers.sum(dim=1, keepdim=True), targets) + 1e-8).log().mean()


@wrong(
    "ce-logits-limited",
    replaces="cross_entropy",
    says="The loss is right up to a limit, and there it stops growing, and its gradient is gone: logits of any size "
    "came under a limit that was to keep exp() from an overflow, such as clamp(-50, 50). Less the maximum of its row "
    "no exponent is above 0, and no limit is needed.",
)
def ce_logits_limited(logits, targets):
    logits = logits.clamp(-50, 50)
    return (shift(logits).exp().sum(dim=1).log() - of_targets(shift(logits), targets)).mean()


@wrong(
    "ce-one-maximum-for-all-rows",
    replaces="cross_entropy",
    says="One maximum was taken for the whole batch. A row that lies far below it has only exp(...) = 0 left, and "
    "log(0) is -inf: each row needs its own, along dim=1.",
)
def ce_one_maximum(logits, targets):
    top = logits.max()
    return ((logits - top).exp().sum(dim=1).log() + top - of_targets(logits, targets)).mean()


@wrong(
    "ce-maximum-not-put-back",
    replaces="cross_entropy",
    says="The maximum was taken out of the sum and not out of the target's logit, nor added again: every loss is off "
    "by the maximum of its row.",
)
def ce_maximum_not_put_back(logits, targets):
    return (shift(logits).exp().sum(dim=1).log() - of_targets(logits, targets)).mean()


@wrong(
    "ce-maximum-for-the-log-sum",
    replaces="cross_entropy",
    says="That is the maximum less the target's logit: it is near the loss where one logit towers over all, and 0 "
    "whenever the right class leads, however narrowly. log(Σ exp) counts the others too.",
)
def ce_maximum_for_the_log_sum(logits, targets):
    return (logits.amax(dim=1) - of_targets(logits, targets)).mean()


@wrong(
    "ce-pairs-all-with-all",
    replaces="cross_entropy",
    says="logits[:, targets] takes every target's column from every row, N × N numbers. Each row is to give one, its "
    "own target's: gather, or logits[torch.arange(N), targets].",
)
def ce_pairs_all(logits, targets):
    return (shift(logits).exp().sum(dim=1, keepdim=True).log() - shift(logits)[:, targets]).mean()


@wrong(
    "ce-along-the-batch",
    replaces="cross_entropy",
    says="The sum runs over the examples of the batch, dim=0: a class competes there with itself. It is the classes "
    "of one row, dim=1, that share a probability of 1.",
)
def ce_along_the_batch(logits, targets):
    top = logits.amax(dim=0)
    log_sum = (logits - top).exp().sum(dim=0).log() + top
    return (log_sum[targets] - of_targets(logits, targets)).mean()


@wrong(
    "ce-summed-over-examples",
    replaces="cross_entropy",
    says="This is the sum over the batch: it grows with the batch, and the gradient with it. The mean divides by the "
    "number of examples.",
)
def ce_summed(logits, targets):
    return (shift(logits).exp().sum(dim=1).log() - of_targets(shift(logits), targets)).sum()


@wrong(
    "ce-mean-over-classes-too",
    replaces="cross_entropy",
    says="The losses were divided by N * C. Each example has one loss, so that the mean is over N: one-hot rows full "
    "of zeros do not count.",
)
def ce_mean_over_classes_too(logits, targets):
    losses = shift(logits).exp().sum(dim=1).log() - of_targets(shift(logits), targets)
    return losses.sum() / logits.numel()


@wrong(
    "ce-sign-turned",
    replaces="cross_entropy",
    says="The sign is turned: this is the mean log-probability, which is never above 0 and which training would push "
    "down. The loss is minus that.",
)
def ce_sign_turned(logits, targets):
    return (of_targets(shift(logits), targets) - shift(logits).exp().sum(dim=1).log()).mean()


@wrong(
    "ce-out-of-the-graph",
    replaces="cross_entropy",
    says="The number is right but stands alone: item(), detach(), NumPy or no_grad cut it out of the graph, and no "
    "model can learn from it.",
)
def ce_out_of_the_graph(logits, targets):
    return (shift(logits).exp().sum(dim=1).log() - of_targets(shift(logits), targets)).mean().detach()


@wrong(
    "ce-sum-held-constant",
    replaces="cross_entropy",
    says="The loss is right, its gradient is not: log(Σ exp) was cut out of the graph, so that only the target's "
    "logit is pushed, up, and the others are never pushed down. At most the maximum may be held constant.",
)
def ce_sum_held_constant(logits, targets):
    rows = logits.detach()
    log_sum = shift(rows).exp().sum(dim=1).log() + rows.amax(dim=1)
    return (log_sum - of_targets(logits, targets)).mean()


@wrong(
    "ce-maxima-along-the-columns",
    replaces="cross_entropy",
    says="The maxima of the rows, of shape (N,), were taken off along the columns: without keepdim=True the axis of "
    "the classes is gone, and broadcasting lines up what is left with the last axis. Where N is not C torch refuses "
    "it; where it is, each row loses the maxima of others. Shape (N, 1) takes each from its own row.",
)
def ce_maxima_along_the_columns(logits, targets):
    shifted = logits - logits.amax(dim=1)
    return (shifted.exp().sum(dim=1).log() - of_targets(shifted, targets)).mean()


@wrong(
    "ce-sum-for-each-class",
    replaces="cross_entropy",
    says="The sum was taken along dim=0, over the examples, and so there is one for each of the C classes. It is to be "
    "one for each of the N examples, over the classes of its row, dim=1.",
)
def ce_sum_for_each_class(logits, targets):
    return (shift(logits).exp().sum(dim=0).log() - of_targets(shift(logits), targets)).mean()


@wrong(
    "ce-maximum-with-its-place",
    replaces="cross_entropy",
    says="max with a dim gives a pair, the maxima and their places, and a pair cannot be taken off a tensor. The "
    "maxima alone are its .values, or what amax gives.",
)
def ce_maximum_with_its_place(logits, targets):
    shifted = logits - logits.max(dim=1, keepdim=True)
    return (shifted.exp().sum(dim=1).log() - of_targets(shifted, targets)).mean()


@wrong(
    "ce-maximum-alone-attached",
    replaces="cross_entropy",
    says="The loss is right, its gradient is 0 everywhere: the logits were cut out of the graph, and all that hangs on "
    "it is the maximum, whose shift cancels. It is the other way round: at most the maximum may be held constant.",
)
def ce_maximum_alone_attached(logits, targets):
    shifted = logits.detach() - logits.amax(dim=1, keepdim=True)
    return (shifted.exp().sum(dim=1).log() - of_targets(shifted, targets)).mean()


# ---- class_loss


def as_targets(logits, labels):
    """Labels as int64 of shape (N,), all that is wrong with them refused."""
    n, classes = logits.shape
    if labels.shape not in ((n,), (n, 1)):
        raise ValueError("shape")
    if (labels != labels.long()).any():
        raise ValueError("whole")
    if labels.min() < 0 or labels.max() >= classes:
        raise ValueError("class")
    return labels.reshape(n).long()


@wrong(
    "l01-softmax-ce",
    replaces="class_loss",
    says="cross_entropy got probabilities, took them for logits, and applied its own softmax to them: with 3 classes "
    "the loss stays between 0.55 and 1.55, and on a sure error the gradient vanishes. Hand it the raw logits.",
    fact="05.8",
)
def softmax_before(logits, labels):
    return F.cross_entropy(torch.softmax(logits, dim=1), as_targets(logits, labels))


@wrong(
    "ce-sigmoid-before",
    replaces="class_loss",
    says="A sigmoid squeezed the logits into 0..1 before the loss: then no class can be more than 2.7 times as likely "
    "as another, and a sure error has no gradient. cross_entropy takes them raw.",
    fact="05.8",
)
def sigmoid_before(logits, labels):
    return F.cross_entropy(torch.sigmoid(logits), as_targets(logits, labels))


@wrong(
    "l07-ce-float-target",
    replaces="class_loss",
    says="cross_entropy takes class numbers in int64 (uint8 passes too): torch refuses int32, and floats of shape "
    "(N,) too, since floats are probabilities to it. Convert the labels by .long().",
    fact="05.8",
)
def float_targets(logits, labels):
    as_targets(logits, labels)
    return F.cross_entropy(logits, labels.reshape(len(logits)))


@wrong(
    "l09-ce-target-column",
    replaces="class_loss",
    says="The labels went to cross_entropy as a column of shape (N, 1), which it takes for several targets for each "
    "example and refuses. It wants one number for each example, shape (N,): squeeze(1).",
    fact="05.8",
)
def target_column(logits, labels):
    as_targets(logits, labels)
    return F.cross_entropy(logits, labels.long())


@wrong(
    "l15-sum-reduction",
    replaces="class_loss",
    says="This is the sum over the batch: loss and gradient are N times too large, and a learning rate that fits one "
    "batch size fits no other. The default, reduction='mean', divides by N.",
)
def sum_reduction(logits, labels):
    return F.cross_entropy(logits, as_targets(logits, labels), reduction="sum")


@wrong(
    "ce-labels-squeezed-to-nothing",
    replaces="class_loss",
    says="squeeze() without an axis drops the batch axis too where the batch has one example, and a label of shape () "
    "does not fit logits of shape (1, C). squeeze(1) drops the column alone.",
)
def squeezed_to_nothing(logits, labels):
    as_targets(logits, labels)
    return F.cross_entropy(logits, labels.long().squeeze())


@wrong(
    "ce-label-of-one-refused",
    replaces="class_loss",
    says="The label of a batch with one example was refused for its shape. Was it squeezed before it was asked for? "
    "squeeze() without an axis drops the batch axis too, and leaves the shape (). squeeze(1) drops the column alone.",
)
def label_of_one_refused(logits, labels):
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels.squeeze()
    if labels.ndim == 0:
        raise ValueError("the shape of labels does not fit")
    return F.cross_entropy(logits, as_targets(logits, labels))


@wrong(
    "ce-column-as-one-hot",
    replaces="class_loss",
    says="argmax over a column of class numbers is 0 for every example: it finds the place of the largest among one. "
    "It belongs to one-hot rows; a column is squeezed.",
)
def column_as_one_hot(logits, labels):
    targets = as_targets(logits, labels)
    return F.cross_entropy(logits, labels.argmax(dim=1) if labels.ndim == 2 else targets)


@wrong(
    "ce-labels-cut-to-whole",
    replaces="class_loss",
    says="A label of 0.5 or 1.75 was cut to the whole number below, and passed for a class. .long() never complains: "
    "compare what it gives with what it got.",
)
def cut_to_whole(logits, labels):
    return F.cross_entropy(logits, as_targets(logits, labels.long()))


@wrong(
    "ce-labels-ignored",
    replaces="class_loss",
    says="A label below 0 was not refused by this function. Leave it to torch, and -100 is left out of the mean in "
    "silence (its ignore_index), and -1 ends in an IndexError.",
)
def labels_ignored(logits, labels):
    if labels.max() >= logits.shape[1]:
        raise ValueError("class")
    as_targets(logits, labels.clamp(min=0))
    return F.cross_entropy(logits, labels.reshape(len(logits)).long())


@wrong(
    "ce-labels-past-the-last-class",
    replaces="class_loss",
    says="A label of C or more was left to torch: an IndexError here, and on a GPU an assertion that ends the "
    "process. Class numbers begin at 0 and end at C - 1.",
)
def past_the_last_class(logits, labels):
    as_targets(logits, labels.clamp(max=logits.shape[1] - 1))
    return F.cross_entropy(logits, labels.reshape(len(logits)).long())


@wrong(
    "ce-labels-clamped",
    replaces="class_loss",
    says="A label outside of 0..C-1 was moved to the nearest class, and the model would learn it as that one. A label "
    "that names no class is an error of the data: raise ValueError.",
)
def labels_clamped(logits, labels):
    return F.cross_entropy(logits, as_targets(logits, labels.clamp(0, logits.shape[1] - 1)))


@wrong(
    "ce-shape-not-asked",
    replaces="class_loss",
    says="The shape of the labels was not asked for: what does not fit was left to torch, which takes float rows of "
    "shape (N, C) for probabilities without a word, and refuses others in its own way.",
)
def shape_not_asked(logits, labels):
    n, classes = logits.shape
    if (labels != labels.long()).any():
        raise ValueError("whole")
    if labels.min() < 0 or labels.max() >= classes:
        raise ValueError("class")
    column = labels.shape in ((n,), (n, 1))
    return F.cross_entropy(logits, labels.reshape(n).long() if column else labels)


@wrong(
    "ce-labels-flattened",
    replaces="class_loss",
    says="Labels of any shape were flattened into one axis: one row of N then passes for a column, and rows of one-hot "
    "zeros and ones are refused by torch alone, in its own words, for there are too many. Only (N,) and (N, 1) "
    "hold one label for each example: ask for the shape before it is changed.",
)
def labels_flattened(logits, labels):
    flat = labels.reshape(-1)
    if len(flat) == len(logits):
        return F.cross_entropy(logits, as_targets(logits, flat))
    return F.cross_entropy(logits, flat.long())


@wrong(
    "ce-row-taken-for-labels",
    replaces="class_loss",
    says="One row, of shape (1, N), passed for N labels: they were brought to one axis first, and their shape was "
    "asked for after. Only (N,) and (N, 1) hold one label for each example. (squeeze() would go too far with a "
    "single example, too.)",
)
def row_taken_for_labels(logits, labels):
    return F.cross_entropy(logits, as_targets(logits, labels.reshape(-1)))


@wrong(
    "ce-classes-from-one",
    replaces="class_loss",
    says="The class numbers were read as 1 to C. They begin at 0: this is the loss of the class before the one that "
    "the label names, and a label of 0 names none then.",
)
def classes_from_one(logits, labels):
    return F.cross_entropy(logits, as_targets(logits, labels) - 1)


@wrong(
    "ce-class-zero-refused",
    replaces="class_loss",
    says="A label of 0 was refused, as if it named no class. Class numbers begin at 0 and end at C - 1, and nothing "
    "is to be taken off them.",
)
def class_zero_refused(logits, labels):
    if labels.min() < 1:
        raise ValueError("class")
    return F.cross_entropy(logits, as_targets(logits, labels) - 1)


@wrong(
    "ce-column-compared-with-a-row",
    replaces="class_loss",
    says="Whole numbers were refused as not whole, where they stand in a column: it was compared with its own numbers "
    "in a row, and (N, 1) with (N,) broadcasts to all N × N pairs. Bring both to one shape, then compare.",
)
def column_compared_with_a_row(logits, labels):
    if (labels != labels.reshape(-1).long()).any():
        raise ValueError("whole")
    return F.cross_entropy(logits, as_targets(logits, labels))


@wrong(
    "ce-floats-refused",
    replaces="class_loss",
    says="Labels in a float dtype were all refused as not whole. The dtype says nothing about that: 2.0 is whole. "
    "Compare each number with what .long() makes of it.",
)
def floats_refused(logits, labels):
    if labels.is_floating_point():
        raise ValueError("whole")
    return F.cross_entropy(logits, as_targets(logits, labels))


# ---- bce_with_logits


@wrong(
    "bce-log-of-sigmoid",
    replaces="bce_with_logits",
    says="The probability was made first and its log taken after: in float32 sigmoid(20) is 1, so that log(1 - p) is "
    "-inf, and 0 * -inf is NaN. Write log(p) and log(1 - p) in terms of the logit.",
    fact="05.8",
)
def bce_log_of_sigmoid(logits, targets):
    p = torch.sigmoid(logits)
    return -(targets * p.log() + (1 - targets) * (1 - p).log()).mean()


@wrong(
    "bce-with-epsilon",
    replaces="bce_with_logits",
    says="There is a lid on the loss: a sure error costs the same however sure it is, and its gradient is gone. A "
    "small constant does it, under the log or as a limit of the probability, and a tight limit of the logits. Written "
    "in terms of the logit nothing needs protection.",
    fact="05.8",
)
def bce_with_epsilon(logits, targets):
    p = torch.sigmoid(logits).clamp(1e-7, 1 - 1e-7)
    return -(targets * p.log() + (1 - targets) * (1 - p).log()).mean()


@wrong(
    "bce-logits-limited",
    replaces="bce_with_logits",
    says="The loss is right up to a limit, and there it stops growing, and its gradient is gone: logits of any size "
    "came under a limit that was to keep exp() from an overflow, such as clamp(-50, 50). Take the exponential of -|x|, "
    "which never overflows, and no limit is needed.",
)
def bce_logits_limited(logits, targets):
    logits = logits.clamp(-50, 50)
    return (positive(logits) - logits * targets + (-logits.abs()).exp().log1p()).mean()


@wrong(
    "bce-overflows-above",
    replaces="bce_with_logits",
    says="log(1 + exp(x)) is right until exp(x) is inf, from x = 89 on in float32. For large x it is x itself: take "
    "the exponential of -|x| alone, which never exceeds 1.",
    fact="05.8",
)
def bce_overflows_above(logits, targets):
    return (logits.exp().log1p() - logits * targets).mean()


@wrong(
    "bce-overflows-below",
    replaces="bce_with_logits",
    says="log(1 + exp(-x)) is right until exp(-x) is inf, from x = -89 down in float32. For such x it is -x itself: "
    "take the exponential of -|x| alone, which never exceeds 1.",
    fact="05.8",
)
def bce_overflows_below(logits, targets):
    return ((-logits).exp().log1p() + (1 - targets) * logits).mean()


@wrong(
    "bce-nan-gradient-from-where",
    replaces="bce_with_logits",
    says="The loss is right, and its gradient NaN: where() computes both branches, and the one not taken overflowed. "
    "Backward gives it the slope 0, and 0 * inf is NaN. Use an exponent that is never positive, -|x|.",
)
def bce_nan_gradient(logits, targets):
    softplus = torch.where(logits > 0, logits + (-logits).exp().log1p(), logits.exp().log1p())
    return (softplus - logits * targets).mean()


@wrong(
    "bce-corner-at-zero",
    replaces="bce_with_logits",
    says="The loss is right, its gradient is not where a logit is exactly 0: it should be 0.5 - target there. max(x, "
    "0) and |x| have a corner at 0, and clamp takes the slope 1 for it, relu and abs 0. torch.maximum(x, zeros) "
    "takes 1/2, which is sigmoid(0).",
)
def bce_corner_at_zero(logits, targets):
    return (logits.clamp(min=0) - logits * targets + (-logits.abs()).exp().log1p()).mean()


@wrong(
    "bce-half-of-the-loss",
    replaces="bce_with_logits",
    says="Only target * log(p) counts here. A target of 0 then costs nothing, and a model that always says yes would "
    "be perfect: the second term is (1 - target) * log(1 - p).",
)
def bce_half(logits, targets):
    return (targets * (positive(-logits) + (-logits.abs()).exp().log1p())).mean()


@wrong(
    "bce-targets-turned",
    replaces="bce_with_logits",
    says="The two terms have changed places: this is the loss against 1 - target. A large logit is a yes, and is "
    "cheap where the target is 1.",
)
def bce_targets_turned(logits, targets):
    return (positive(logits) - logits * (1 - targets) + (-logits.abs()).exp().log1p()).mean()


@wrong(
    "bce-targets-rounded",
    replaces="bce_with_logits",
    says="A target between 0 and 1 was rounded to a plain yes or no. It is a probability, and each term counts by its "
    "share.",
)
def bce_targets_rounded(logits, targets):
    return (positive(logits) - logits * (targets > 0.5) + (-logits.abs()).exp().log1p()).mean()


@wrong(
    "bce-summed-over-elements",
    replaces="bce_with_logits",
    says="This is the sum over all elements; the mean divides by their number.",
)
def bce_summed(logits, targets):
    return (positive(logits) - logits * targets + (-logits.abs()).exp().log1p()).sum()


@wrong(
    "bce-mean-of-row-sums",
    replaces="bce_with_logits",
    says="Only the first axis was averaged over and the others summed up: the mean is over all elements, whatever the "
    "shape.",
)
def bce_mean_of_row_sums(logits, targets):
    losses = positive(logits) - logits * targets + (-logits.abs()).exp().log1p()
    return losses.sum() / (len(losses) if losses.ndim else 1)


@wrong(
    "bce-exponent-not-negative",
    replaces="bce_with_logits",
    says="The exponent is |x| where it is to be -|x|: log(1 + exp(|x|)) is |x| too large, and exp overflows from 89 on "
    "in float32. With the minus it is what is left beside max(x, 0), log 2 at the most.",
)
def bce_exponent_not_negative(logits, targets):
    return (positive(logits) - logits * targets + logits.abs().exp().log1p()).mean()


@wrong(
    "bce-target-term-added",
    replaces="bce_with_logits",
    says="logit * target was added where it is to be taken off: for a target of 1 the loss then grows with the logit "
    "that is right. -log(p) is -x + log(1 + exp(x)), and target is the weight of that -x.",
)
def bce_target_term_added(logits, targets):
    return (positive(logits) + logits * targets + (-logits.abs()).exp().log1p()).mean()


@wrong(
    "bce-maximum-along-an-axis",
    replaces="bce_with_logits",
    says="torch.max(logits, 0) is the maximum along axis 0, a pair of values and places; the 0 is no number to compare "
    "with. max(x, 0) of each element is torch.maximum(logits, torch.zeros_like(logits)).",
)
def bce_maximum_along_an_axis(logits, targets):
    return (torch.max(logits, 0) - logits * targets + (-logits.abs()).exp().log1p()).mean()


# ---- binary_loss


@wrong(
    "l04-sigmoid-bcewithlogits",
    replaces="binary_loss",
    says="The loss with logits got probabilities and applied its own sigmoid to them. Those are then between 0.5 and "
    "0.73, whatever the model says: the loss never comes near 0, and a sure error has no gradient.",
    fact="05.8",
)
def sigmoid_before_logits_loss(logits, labels):
    return F.binary_cross_entropy_with_logits(torch.sigmoid(logits), labels.float().unsqueeze(1))


@wrong(
    "l05-bce-on-logits",
    replaces="binary_loss",
    says="binary_cross_entropy takes probabilities, and torch refuses what lies outside of 0..1. For raw logits there "
    "is binary_cross_entropy_with_logits.",
    fact="05.8",
)
def bce_on_logits(logits, labels):
    return F.binary_cross_entropy(logits, labels.float().unsqueeze(1))


@wrong(
    "bce-of-saturated-sigmoid",
    replaces="binary_loss",
    says="A sigmoid and the loss for probabilities are right until the sigmoid rounds to 0 or 1: from there the loss "
    "stops at 100, and the gradient is no longer right. The loss with logits does both in one.",
    fact="05.8",
)
def saturated_sigmoid(logits, labels):
    return F.binary_cross_entropy(torch.sigmoid(logits), labels.float().unsqueeze(1))


@wrong(
    "bce-of-limited-sigmoid",
    replaces="binary_loss",
    says="There is a lid on the loss: a sure error costs the same however sure it is, and its gradient is gone. The "
    "probability, or the logit, was kept under a limit before the loss. The loss with logits needs none.",
    fact="05.8",
)
def limited_sigmoid(logits, labels):
    p = torch.sigmoid(logits).clamp(1e-7, 1 - 1e-7)
    return F.binary_cross_entropy(p, labels.float().unsqueeze(1))


@wrong(
    "l10-ce-one-logit",
    replaces="binary_loss",
    says="The loss is 0 and so is its gradient: a softmax over a single class is always 1, so that cross entropy has "
    "nothing to say. One output unit takes a sigmoid's loss; cross entropy needs two.",
    fact="05.8",
)
def one_logit(logits, labels):
    return F.cross_entropy(logits, labels.float().unsqueeze(1))


@wrong(
    "ce-one-logit-and-class-numbers",
    replaces="binary_loss",
    says="cross_entropy over one output knows one class alone, number 0: the label 1 is out of bounds, and where all "
    "are 0 the loss is 0. One output unit takes a sigmoid's loss.",
    fact="05.8",
)
def one_logit_and_class_numbers(logits, labels):
    return F.cross_entropy(logits, labels.long())


@wrong(
    "bce-targets-not-float",
    replaces="binary_loss",
    says="The targets went to the loss as integers or bools. Unlike class numbers they are probabilities that the "
    "loss computes with, in the dtype of the logits: .float().",
    fact="05.8",
)
def targets_not_float(logits, labels):
    return F.binary_cross_entropy_with_logits(logits, labels.unsqueeze(1))


@wrong(
    "bce-logits-column-labels-row",
    replaces="binary_loss",
    says="Logits of shape (N, 1) and targets of shape (N,) do not match, and torch's loss refuses them, since they "
    "would broadcast to N × N pairs. Bring both to one shape: labels.unsqueeze(1), or logits.squeeze(1).",
    fact="05.8",
)
def column_and_row(logits, labels):
    return F.binary_cross_entropy_with_logits(logits, labels.float())


@wrong(
    "bce-all-pairs",
    replaces="binary_loss",
    says="That is the mean over N × N pairs: logits of shape (N, 1) met labels of shape (N,), and each was compared "
    "with every other. Bring both to one shape first.",
)
def all_pairs(logits, labels):
    return (F.softplus(logits) - logits * labels.float()).mean()


@wrong(
    "bce-squeezed-to-nothing",
    replaces="binary_loss",
    says="squeeze() without an axis drops the batch axis too where the batch has one example, and shape () does not "
    "match (1,). squeeze(1) drops the column alone.",
)
def squeezed_logits(logits, labels):
    return F.binary_cross_entropy_with_logits(logits.squeeze(), labels.float())


@wrong(
    "bce-of-limited-logits",
    replaces="binary_loss",
    says="The loss is right up to a limit, and there it stops growing, and its gradient is gone: the logits were kept "
    "under a limit, such as clamp(-50, 50). The loss with logits overflows for none, and takes them as they are.",
)
def limited_logits(logits, labels):
    return F.binary_cross_entropy_with_logits(logits.clamp(-50, 50), labels.float().unsqueeze(1))


@wrong(
    "bce-arguments-exchanged",
    replaces="binary_loss",
    says="The labels went to the loss as logits, and the logits as targets: the model's output comes first, then what "
    "is right. With logits torch does not ask whether targets lie between 0 and 1, so that nothing was refused.",
)
def arguments_exchanged(logits, labels):
    return F.binary_cross_entropy_with_logits(labels.float().unsqueeze(1), logits)


@wrong(
    "binary-loss-summed",
    replaces="binary_loss",
    says="This is the sum over the batch: loss and gradient are N times too large. The default, reduction='mean', "
    "divides by N.",
)
def binary_summed(logits, labels):
    return F.binary_cross_entropy_with_logits(logits, labels.float().unsqueeze(1), reduction="sum")


@wrong(
    "binary-loss-squared",
    replaces="binary_loss",
    says="That is the mean squared error of the probabilities: a sure error costs 1 at the most, and its gradient "
    "vanishes in the flat end of the sigmoid. The loss of a yes or no is binary cross entropy, of raw logits.",
)
def binary_squared(logits, labels):
    return F.mse_loss(torch.sigmoid(logits), labels.float().unsqueeze(1))


# ---- both_gradients


@wrong(
    "gradient-for-the-probabilities",
    replaces="both_gradients",
    says="The second is the gradient for the softmax's output. To reach the logits it has to pass through the softmax "
    "too, and it is there that it vanishes.",
    fact="05.8",
)
def for_the_probabilities(logits, targets):
    raw, p = logits.clone().requires_grad_(), torch.softmax(logits, dim=1).requires_grad_()
    F.cross_entropy(raw, targets).backward()
    F.cross_entropy(p, targets).backward()
    return raw.grad, p.grad


@wrong(
    "log-softmax-for-softmax",
    replaces="both_gradients",
    says="Both are the gradient of the raw logits. A log_softmax in front does no harm, since a second one changes "
    "nothing; it is the softmax, probabilities for logits, that costs.",
    fact="05.8",
)
def log_softmax_first(logits, targets):
    raw, first = logits.clone().requires_grad_(), logits.clone().requires_grad_()
    F.cross_entropy(raw, targets).backward()
    F.cross_entropy(torch.log_softmax(first, dim=1), targets).backward()
    return raw.grad, first.grad


@wrong(
    "both-gradients-add-up",
    replaces="both_gradients",
    says="Two backwards went into one leaf, and .grad adds up: what should be the second gradient is the sum of both. "
    "Make a leaf for each, or use torch.autograd.grad.",
)
def both_add_up(logits, targets):
    leaf = logits.clone().requires_grad_()
    F.cross_entropy(leaf, targets).backward()
    raw = leaf.grad.clone()
    F.cross_entropy(torch.softmax(leaf, dim=1), targets).backward()
    return raw, leaf.grad


@wrong(
    "both-gradients-exchanged",
    replaces="both_gradients",
    says="The two have changed places: first the gradient of the raw logits, then the one that came through a softmax.",
)
def both_exchanged(logits, targets):
    raw, softmaxed = logits.clone().requires_grad_(), logits.clone().requires_grad_()
    F.cross_entropy(raw, targets).backward()
    F.cross_entropy(torch.softmax(softmaxed, dim=1), targets).backward()
    return softmaxed.grad, raw.grad


@wrong(
    "softmax-in-front-along-the-batch",
    replaces="both_gradients",
    says="The softmax in front ran along the batch, dim=0. The classes of one example are a row, dim=1.",
)
def first_along_the_batch(logits, targets):
    raw, softmaxed = logits.clone().requires_grad_(), logits.clone().requires_grad_()
    F.cross_entropy(raw, targets).backward()
    F.cross_entropy(torch.softmax(softmaxed, dim=0), targets).backward()
    return raw.grad, softmaxed.grad


@wrong(
    "both-gradients-on-the-callers-logits",
    replaces="both_gradients",
    says="The gradients are right, but the caller's own logits require a gradient from now on. Make leaves of your "
    "own: logits.clone().requires_grad_().",
)
def on_the_callers_logits(logits, targets):
    logits.requires_grad_()
    (raw,) = torch.autograd.grad(F.cross_entropy(logits, targets), logits)
    (softmaxed,) = torch.autograd.grad(F.cross_entropy(torch.softmax(logits, dim=1), targets), logits)
    return raw, softmaxed


@wrong(
    "both-gradients-one-tensor",
    replaces="both_gradients",
    says="Both are one and the same tensor, and hold the sum of the two gradients: two backwards went into one leaf, "
    "whose .grad adds up, in place. Make a leaf for each, or use torch.autograd.grad.",
)
def both_one_tensor(logits, targets):
    leaf = logits.clone().requires_grad_()
    F.cross_entropy(leaf, targets).backward()
    raw = leaf.grad
    F.cross_entropy(torch.softmax(leaf, dim=1), targets).backward()
    return raw, leaf.grad


@wrong(
    "both-gradients-of-the-sum",
    replaces="both_gradients",
    says="Both are N times too large: the loss was summed over the examples, where its mean is asked, torch's default.",
)
def both_of_the_sum(logits, targets):
    raw, softmaxed = logits.clone().requires_grad_(), logits.clone().requires_grad_()
    F.cross_entropy(raw, targets, reduction="sum").backward()
    F.cross_entropy(torch.softmax(softmaxed, dim=1), targets, reduction="sum").backward()
    return raw.grad, softmaxed.grad


@wrong(
    "softmax-without-its-log",
    replaces="both_gradients",
    says="The second is the gradient of nll_loss(softmax(logits)), minus the mean probability of the targets: no "
    "logarithm was taken. cross_entropy takes what it gets for logits, and makes a log_softmax of it first.",
)
def softmax_without_its_log(logits, targets):
    raw, softmaxed = logits.clone().requires_grad_(), logits.clone().requires_grad_()
    F.cross_entropy(raw, targets).backward()
    F.nll_loss(torch.softmax(softmaxed, dim=1), targets).backward()
    return raw.grad, softmaxed.grad


@wrong(
    "both-gradients-of-no-leaves",
    replaces="both_gradients",
    says="Both are None: backward() fills .grad in leaves alone, and a clone of a tensor that requires a gradient is "
    "none: the gradient passed through it to the caller's logits. Clone first, then switch it on: "
    "logits.clone().requires_grad_().",
)
def of_no_leaves(logits, targets):
    raw, softmaxed = logits.requires_grad_().clone(), logits.requires_grad_().clone()
    F.cross_entropy(raw, targets).backward()
    F.cross_entropy(torch.softmax(softmaxed, dim=1), targets).backward()
    return raw.grad, softmaxed.grad


# ---- lowest_loss


@wrong(
    "loss-floor-of-zero",
    replaces="lowest_loss",
    says="0 is what raw logits come close to. A 1 and zeros are no sure answer to a loss that takes them for logits: "
    "its own softmax makes e : 1 : 1 ... of them.",
    fact="05.8",
)
def floor_of_zero(classes):
    return 0.0


@wrong(
    "loss-floor-of-a-guess",
    replaces="lowest_loss",
    says="log(C) is the loss of a guess, all classes alike. With a 1 for the right class it is somewhat lower: one of "
    "the C terms of the sum is e in place of 1, and 1 is taken off.",
)
def floor_of_a_guess(classes):
    return math.log(classes)


@wrong(
    "loss-floor-one-class-too-many",
    replaces="lowest_loss",
    says="The right class was counted twice: e for itself and 1 for each of the others, of which there are C - 1.",
)
def one_class_too_many(classes):
    return math.log(math.e + classes) - 1


@wrong(
    "loss-floor-of-the-worst",
    replaces="lowest_loss",
    says="That is the highest loss of such a model, with the 1 at a wrong class. The best answer has it at the right "
    "one, whose logit, 1, is taken off.",
)
def floor_of_the_worst(classes):
    return math.log(math.e + classes - 1)


@wrong(
    "loss-floor-of-a-sigmoid",
    replaces="lowest_loss",
    says="This is the floor of two classes, whatever their number: every other class adds a term of exp(0) = 1 to the "
    "sum, so that more classes lift the floor.",
)
def floor_of_a_sigmoid(classes):
    return math.log(1 + math.exp(-1))


@wrong(
    "loss-floor-below-zero",
    replaces="lowest_loss",
    says="The sign is turned: that is the log-probability of the right class, below 0. The loss is minus that: "
    "log(Σ exp) less the logit of the right class.",
)
def floor_below_zero(classes):
    return 1 - math.log(math.e + classes - 1)


@wrong(
    "loss-floor-of-three-classes",
    replaces="lowest_loss",
    says="This is the floor of three classes, whatever their number: of the zeros there are C - 1, and each adds a "
    "term of exp(0) = 1 to the sum.",
)
def floor_of_three_classes(classes):
    return math.log(math.e + 2) - 1
