"""Wrong answers to katas/07_inference/modes.py."""

import copy

import torch
import torch.nn.functional as F
from torch import nn

from torchkatas.bank import wrong

# ---- to_eval


@wrong(
    "e08-training-attr",
    replaces="to_eval",
    says="Only the flag of the model itself was set; dropout and batch norm inside ask their own, which still says "
    "training. eval() sets it on every module below.",
    fact="05.14",
)
def flag_of_the_model_alone(model):
    model.training = False
    return model


@wrong(
    "eval-of-children-alone",
    replaces="to_eval",
    says="The flags were set one level deep: modules inside of modules still say training. eval() goes all the way "
    "down, and modules() lists every one.",
    fact="05.14",
)
def children_alone(model):
    model.training = False
    for child in model.children():
        child.training = False
    return model


@wrong(
    "eval-of-a-copy",
    replaces="to_eval",
    says="A copy is in eval mode, and the caller's model is in the mode it was. eval() changes the model itself and "
    "returns it.",
)
def of_a_copy(model):
    return copy.deepcopy(model).eval()


@wrong(
    "eval-returns-nothing",
    replaces="to_eval",
    says="The modes are right, but the model did not come back: a `return` is missing.",
)
def returns_nothing(model):
    model.eval()


@wrong(
    "eval-freezes-too",
    replaces="to_eval",
    says="The parameters no longer require a gradient. Eval mode is about what layers compute, not about what is "
    "trained: after train() this model would learn nothing.",
    fact="05.14",
)
def freezes_too(model):
    return model.eval().requires_grad_(False)


@wrong(
    "eval-freezes-alone",
    replaces="to_eval",
    says="The parameters no longer require a gradient, and every mode is as it was: dropout still drops. What is "
    "trained and what layers compute are two things; eval() is about the second.",
    fact="05.14",
)
def freezes_alone(model):
    return model.requires_grad_(False)


@wrong(
    "eval-of-dropout-and-batch-norm",
    replaces="to_eval",
    says="Dropout and batch norm are in eval mode, the others are not. A module of your own may ask its flag as well, "
    "such as one that calls F.dropout: eval() sets it on every module.",
)
def of_dropout_and_batch_norm(model):
    for module in model.modules():
        if isinstance(module, (nn.Dropout, nn.BatchNorm1d)):
            module.eval()
    return model


@wrong(
    "eval-of-all-below",
    replaces="to_eval",
    says="All that is in the model is in eval mode, and the model itself is not: its own forward may ask its flag. "
    "eval() of the model sets both.",
)
def of_all_below(model):
    for child in model.children():
        child.eval()
    return model


@wrong(
    "eval-does-nothing",
    replaces="to_eval",
    says="Every module is in the mode that it was in: neither no_grad nor a change of p touches the flags. eval() sets "
    "them.",
    fact="05.14",
)
def does_nothing(model):
    return model


@wrong(
    "eval-takes-p-away",
    replaces="to_eval",
    says="The modes are right, but the dropouts have lost their p: after train() this model would drop nothing. In "
    "eval mode they drop nothing anyway.",
    fact="05.14",
)
def takes_p_away(model):
    for module in model.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.0
    return model.eval()


# ---- dropout


@wrong(
    "m21-dropout-p",
    replaces="dropout",
    says="p was taken for the probability to keep. In torch it is the probability to drop: an element is 0 where its "
    "draw is less than p, and the others are divided by 1 - p.",
    fact="05.14",
)
def p_to_keep(x, p, draws, training=True):
    return torch.where(draws < p, x / p, 0.0) if training else x


@wrong(
    "dropout-unscaled",
    replaces="dropout",
    says="What is kept was not scaled. Then the next layer gets less in training than in eval mode, where nothing is "
    "missing: divide by 1 - p.",
)
def unscaled(x, p, draws, training=True):
    return x * (draws >= p) if training else x


@wrong(
    "dropout-divided-by-p",
    replaces="dropout",
    says="What is kept was divided by p, the share that is dropped. What makes up for the loss is 1 / (1 - p), the "
    "share that is kept.",
)
def divided_by_p(x, p, draws, training=True):
    return torch.where(draws < p, 0.0, x / p if p else x) if training else x


@wrong(
    "dropout-multiplied-by-the-share",
    replaces="dropout",
    says="What is kept was multiplied by 1 - p and is smaller still. The mean over all draws is (1 - p) of x before "
    "scaling: divide.",
)
def multiplied(x, p, draws, training=True):
    return x * (draws >= p) * (1 - p) if training else x


@wrong(
    "dropout-scaled-in-eval",
    replaces="dropout",
    says="Eval mode scales by 1 - p here. That is the older recipe, which does not scale in training; torch scales in "
    "training, and eval mode leaves x alone.",
    fact="05.14",
)
def scaled_in_eval(x, p, draws, training=True):
    return x * (draws >= p) if training else x * (1 - p)


@wrong(
    "dropout-scaled-twice",
    replaces="dropout",
    says="Training is right, but eval mode scales too. What was kept in training was made larger already, so that "
    "nothing is left to do: x is to come through as it is.",
    fact="05.14",
)
def scaled_twice(x, p, draws, training=True):
    return torch.where(draws < p, 0.0, x / (1 - p)) if training else x * (1 - p)


@wrong(
    "dropout-never-off",
    replaces="dropout",
    says="Elements are dropped in eval mode as well: `training` was not asked for. A prediction would be another one "
    "at each call.",
    fact="05.14",
)
def never_off(x, p, draws, training=True):
    return torch.where(draws < p, 0.0, x / (1 - p))


@wrong(
    "dropout-scaled-by-the-count",
    replaces="dropout",
    says="The scale is the share that happened to be kept in this draw. It is to be 1 / (1 - p), whatever was drawn: "
    "else each element would depend on the fate of the others.",
)
def scaled_by_the_count(x, p, draws, training=True):
    keep = draws >= p
    return x * keep * keep.numel() / keep.sum().clamp(min=1) if training else x


@wrong(
    "dropout-zero-times-inf",
    replaces="dropout",
    says="With p = 1 the scale 1 / (1 - p) is inf, or a division by zero in Python, and 0 * inf is NaN. Where all is "
    "dropped the answer is 0: choose it by where(), or treat p = 1 apart.",
)
def zero_times_inf(x, p, draws, training=True):
    return x * (draws >= p) / (1 - p) if training else x


@wrong(
    "dropout-zeros-without-a-graph",
    replaces="dropout",
    says="With p = 1 the zeros are right, but they are no part of x's graph: a backward that worked with every other p "
    "raises. x * 0 and torch.where keep the graph.",
)
def zeros_without_a_graph(x, p, draws, training=True):
    if training and p == 1:
        return torch.zeros_like(x)
    return torch.where(draws < p, 0.0, x / (1 - p)) if training else x


@wrong(
    "dropout-drops-at-p-too",
    replaces="dropout",
    says="A draw that equals p counts as dropped here. With p = 0 a draw of 0.0, which a generator does give, would "
    "then be dropped though nothing should be: less than p, not equal.",
)
def drops_at_p_too(x, p, draws, training=True):
    return torch.where(draws <= p, 0.0, x / (1 - p) if p < 1 else x) if training else x


@wrong(
    "dropout-off-unless-told",
    replaces="dropout",
    says="Without a word about the mode nothing is dropped. The contract's default is training=True, as it is in "
    "F.dropout.",
)
def off_unless_told(x, p, draws, training=False):
    return torch.where(draws < p, 0.0, x / (1 - p)) if training else x


@wrong(
    "dropout-mask-in-float32",
    replaces="dropout",
    says="A float16 came out as float32: somewhere it met a float32, such as a mask made by .float(), and the wider "
    "dtype wins. A mask of bools, or one in x's dtype, leaves it as it was.",
)
def mask_in_float32(x, p, draws, training=True):
    if not training:
        return x
    return x * 0 if p == 1 else x * (draws >= p).float() / (1 - p)


@wrong(
    "dropout-in-place",
    replaces="dropout",
    says="The zeros were written into x itself. It is the caller's: without a graph it is changed behind their back, "
    "and a leaf that requires a gradient refuses it. torch.where makes a new tensor.",
)
def in_place(x, p, draws, training=True):
    if training:
        x[draws < p] = 0
        x /= 1 - p if p < 1 else 1
    return x


# ---- Block


@wrong(
    "m20-functional-dropout",
    replaces="Block",
    says="Elements are dropped in eval mode too. eval() reaches neither a function, F.dropout, whose own default is "
    "training=True, nor an nn.Dropout that is made anew in each call: the one takes training=self.training, as it is "
    "at that call, the other belongs into __init__.",
    fact="05.14",
)
class FunctionalDropout(nn.Module):
    def __init__(self, first, last, p):
        super().__init__()
        self.first, self.last, self.p = first, last, p

    def forward(self, x):
        return self.last(F.dropout(torch.relu(self.first(x)), self.p))


@wrong(
    "block-without-dropout",
    replaces="Block",
    says="Nothing is ever dropped, in training mode either: `training` is False for the dropout, or it is not called.",
)
class WithoutDropout(nn.Module):
    def __init__(self, first, last, p):
        super().__init__()
        self.first, self.last = first, last

    def forward(self, x):
        return self.last(torch.relu(self.first(x)))


@wrong(
    "block-drops-the-same-each-time",
    replaces="Block",
    says="Two calls dropped the same elements: the random numbers start from the same seed each time, or were drawn "
    "once. Each call is to draw anew.",
    fact="05.15",
)
class TheSameEachTime(nn.Module):
    def __init__(self, first, last, p):
        super().__init__()
        self.first, self.last, self.p = first, last, p

    def forward(self, x):
        h = torch.relu(self.first(x))
        if self.training:
            draws = torch.rand(h.shape, generator=torch.Generator().manual_seed(0))
            h = h * (draws >= self.p) / (1 - self.p)
        return self.last(h)


@wrong(
    "block-drops-whole-columns",
    replaces="Block",
    says="All rows of the batch lost the same elements: one mask of one row was broadcast over the batch. Each "
    "element of h has a draw of its own.",
)
class WholeColumns(nn.Module):
    def __init__(self, first, last, p):
        super().__init__()
        self.first, self.last, self.p = first, last, p

    def forward(self, x):
        h = torch.relu(self.first(x))
        if self.training:
            h = h * (torch.rand(h.shape[-1]) >= self.p) / (1 - self.p)
        return self.last(h)


@wrong(
    "block-drops-whole-rows",
    replaces="Block",
    says="Whole examples were dropped: one draw for each row. Each element of h has a draw of its own.",
)
class WholeRows(nn.Module):
    def __init__(self, first, last, p):
        super().__init__()
        self.first, self.last, self.p = first, last, p

    def forward(self, x):
        h = torch.relu(self.first(x))
        if self.training:
            h = h * (torch.rand(h.shape[0], 1) >= self.p) / (1 - self.p)
        return self.last(h)


@wrong(
    "block-keeps-with-p",
    replaces="Block",
    says="Of h a share of p was kept, where a share of p is to be dropped: p is the probability of a zero.",
)
class KeepsWithP(nn.Module):
    def __init__(self, first, last, p):
        super().__init__()
        self.first, self.last, self.drop = first, last, nn.Dropout(1 - p)

    def forward(self, x):
        return self.last(self.drop(torch.relu(self.first(x))))


@wrong(
    "block-drops-the-input",
    replaces="Block",
    says="The input of the first layer was dropped, not what comes out of it: no element of h itself is 0.",
)
class DropsTheInput(nn.Module):
    def __init__(self, first, last, p):
        super().__init__()
        self.first, self.last, self.drop = first, last, nn.Dropout(p)

    def forward(self, x):
        return self.last(torch.relu(self.first(self.drop(x))))


@wrong(
    "block-drops-the-output",
    replaces="Block",
    says="The output of the last layer was dropped: what comes out of a block, logits perhaps, is then 0 at random. "
    "Dropout belongs between the two layers.",
)
class DropsTheOutput(nn.Module):
    def __init__(self, first, last, p):
        super().__init__()
        self.first, self.last, self.drop = first, last, nn.Dropout(p)

    def forward(self, x):
        return self.drop(self.last(torch.relu(self.first(x))))


@wrong(
    "block-out-of-evals-reach",
    replaces="Block",
    says="eval() did not reach the modules inside: in a plain list, or a function, they are no submodules, and keep "
    "the mode they had. Assign each to an attribute of its own.",
    fact="05.14",
)
class OutOfReach(nn.Module):
    def __init__(self, first, last, p):
        super().__init__()
        self.layers = [first, nn.ReLU(), nn.Dropout(p), last]

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


@wrong(
    "block-without-relu",
    replaces="Block",
    says="Negative values reached the last layer: the ReLU between the layers is missing.",
)
class WithoutRelu(nn.Module):
    def __init__(self, first, last, p):
        super().__init__()
        self.first, self.last, self.drop = first, last, nn.Dropout(p)

    def forward(self, x):
        return self.last(self.drop(self.first(x)))


@wrong(
    "block-unscaled",
    replaces="Block",
    says="What was kept reached the last layer as h: it was not scaled. Then the layer gets less in training than in "
    "eval mode, where nothing is missing: h / (1 - p).",
)
class Unscaled(nn.Module):
    def __init__(self, first, last, p):
        super().__init__()
        self.first, self.last, self.p = first, last, p

    def forward(self, x):
        h = torch.relu(self.first(x))
        return self.last(h * (torch.rand_like(h) >= self.p) if self.training else h)


@wrong(
    "block-with-the-default-p",
    replaces="Block",
    says="Half of h was dropped, whatever p is: nn.Dropout() and F.dropout(h) have a p of their own, 0.5. Hand p on.",
)
class DefaultP(nn.Module):
    def __init__(self, first, last, p):
        super().__init__()
        self.first, self.last, self.drop = first, last, nn.Dropout()

    def forward(self, x):
        return self.last(self.drop(torch.relu(self.first(x))))


@wrong(
    "block-relu-at-the-end-too",
    replaces="Block",
    says="Nothing negative comes out: a ReLU stands behind the last layer as well. It belongs after the first alone; "
    "what comes out may be logits, of which any may be negative.",
)
class ReluAtTheEnd(nn.Module):
    def __init__(self, first, last, p):
        super().__init__()
        self.first, self.last, self.drop = first, last, nn.Dropout(p)

    def forward(self, x):
        return torch.relu(self.last(self.drop(torch.relu(self.first(x)))))


@wrong(
    "block-relu-in-place",
    replaces="Block",
    says="The caller's x has changed, in eval mode too: the ReLU wrote in place, and nn.Identity hands on the tensor "
    "that it got. Leave inplace out.",
)
class ReluInPlace(nn.Module):
    def __init__(self, first, last, p):
        super().__init__()
        self.first, self.last, self.drop = first, last, nn.Dropout(p)

    def forward(self, x):
        return self.last(self.drop(torch.relu_(self.first(x))))


@wrong(
    "block-dropout-in-place",
    replaces="Block",
    says="The caller's x has changed in training mode: dropout wrote in place, and nn.Identity hands on the tensor "
    "that it got. Leave inplace out.",
)
class DropoutInPlace(nn.Module):
    def __init__(self, first, last, p):
        super().__init__()
        self.first, self.last, self.drop = first, last, nn.Dropout(p, inplace=True)

    def forward(self, x):
        return self.last(torch.relu(self.drop(self.first(x))))


# ---- batch_norm


def normalised(x, mean, var, eps):
    return (x - mean) / (var + eps).sqrt()


@wrong(
    "m22-bn-by-hand",
    replaces="batch_norm",
    says="The variance that was remembered is the biased one, Σ(x - mean)² / N. It normalises the batch, but the "
    "running variance stands for all data, and takes the unbiased one, / (N - 1).",
    fact="05.14",
)
def biased_remembered(x, running_mean, running_var, training, momentum=0.1, eps=1e-5):
    if not training or len(x) < 2:
        return solved(x, running_mean, running_var, training, momentum, eps)
    mean, var = x.mean(0), x.var(0, unbiased=False)
    return normalised(x, mean, var, eps), *moved(running_mean, running_var, mean, var, momentum)


def moved(running_mean, running_var, mean, var, momentum):
    keep = 1 - momentum
    return keep * running_mean + momentum * mean.detach(), keep * running_var + momentum * var.detach()


def solved(x, running_mean, running_var, training, momentum, eps):
    if not training:
        return normalised(x, running_mean, running_var, eps), running_mean, running_var
    if len(x) < 2:
        raise ValueError("batch")
    y = normalised(x, x.mean(0), x.var(0, unbiased=False), eps)
    return y, *moved(running_mean, running_var, x.mean(0), x.var(0), momentum)


@wrong(
    "bn-normalised-by-unbiased",
    replaces="batch_norm",
    says="The batch was normalised by the unbiased variance, / (N - 1). That one is for the running variance; the "
    "batch itself takes / N, so that its output has the variance 1.",
    fact="05.14",
)
def normalised_by_unbiased(x, running_mean, running_var, training, momentum=0.1, eps=1e-5):
    if not training or len(x) < 2:
        return solved(x, running_mean, running_var, training, momentum, eps)
    y = normalised(x, x.mean(0), x.var(0), eps)
    return y, *moved(running_mean, running_var, x.mean(0), x.var(0), momentum)


@wrong(
    "bn-variances-exchanged",
    replaces="batch_norm",
    says="The two variances have changed places: the batch is normalised by the biased one, / N, and the unbiased "
    "one, / (N - 1), is remembered.",
    fact="05.14",
)
def variances_exchanged(x, running_mean, running_var, training, momentum=0.1, eps=1e-5):
    if not training or len(x) < 2:
        return solved(x, running_mean, running_var, training, momentum, eps)
    y = normalised(x, x.mean(0), x.var(0), eps)
    return y, *moved(running_mean, running_var, x.mean(0), x.var(0, unbiased=False), momentum)


@wrong(
    "bn-momentum-turned-round",
    replaces="batch_norm",
    says="momentum is the weight of the new batch, not of what is remembered: running = (1 - momentum) * running + "
    "momentum * batch. (An optimizer's momentum is the other way round.)",
    fact="05.14",
)
def momentum_turned_round(x, running_mean, running_var, training, momentum=0.1, eps=1e-5):
    y, *statistics = solved(x, running_mean, running_var, training, momentum, eps)
    if training:
        statistics = moved(running_mean, running_var, x.mean(0), x.var(0), 1 - momentum)
    return y, *statistics


@wrong(
    "bn-remembers-the-last-batch",
    replaces="batch_norm",
    says="The running statistics are those of this batch alone: each batch is to move them by a share of momentum.",
)
def remembers_the_last_batch(x, running_mean, running_var, training, momentum=0.1, eps=1e-5):
    return solved(x, running_mean, running_var, training, 1.0, eps)


@wrong(
    "bn-batch-statistics-in-eval",
    replaces="batch_norm",
    says="In eval mode the batch was still normalised by its own statistics. Then an example's output depends on "
    "which others are in the batch, and one alone becomes 0: eval mode uses the running ones.",
    fact="05.14",
)
def batch_statistics_in_eval(x, running_mean, running_var, training, momentum=0.1, eps=1e-5):
    if training:
        return solved(x, running_mean, running_var, training, momentum, eps)
    return normalised(x, x.mean(0), x.var(0, unbiased=False), eps), running_mean, running_var


@wrong(
    "bn-running-statistics-in-training",
    replaces="batch_norm",
    says="In training the batch was normalised by the running statistics. Those are for eval mode; in training they "
    "are only collected, and the batch has its own.",
    fact="05.14",
)
def running_statistics_in_training(x, running_mean, running_var, training, momentum=0.1, eps=1e-5):
    _, *statistics = solved(x, running_mean, running_var, training, momentum, eps)
    return normalised(x, running_mean, running_var, eps), *statistics


@wrong(
    "bn-updates-in-eval",
    replaces="batch_norm",
    says="The running statistics moved in eval mode: the data that a model is tested on must leave no trace in it.",
    fact="05.14",
)
def updates_in_eval(x, running_mean, running_var, training, momentum=0.1, eps=1e-5):
    y, *statistics = solved(x, running_mean, running_var, training, momentum, eps)
    if not training and len(x) > 1:
        statistics = moved(running_mean, running_var, x.mean(0), x.var(0), momentum)
    return y, *statistics


@wrong(
    "bn-statistics-not-moved",
    replaces="batch_norm",
    says="The running statistics came back as they were: in training each batch moves them, else eval mode would have "
    "nothing but the values they started with.",
)
def statistics_not_moved(x, running_mean, running_var, training, momentum=0.1, eps=1e-5):
    return solved(x, running_mean, running_var, training, momentum, eps)[0], running_mean, running_var


@wrong(
    "bn-eps-beside-the-root",
    replaces="batch_norm",
    says="eps was added to the standard deviation. It belongs under the root, to the variance: sqrt(var + eps).",
)
def eps_beside_the_root(x, running_mean, running_var, training, momentum=0.1, eps=1e-5):
    _, *statistics = solved(x, running_mean, running_var, training, momentum, eps)
    mean, var = (x.mean(0), x.var(0, unbiased=False)) if training else (running_mean, running_var)
    return (x - mean) / (var.sqrt() + eps), *statistics


@wrong(
    "bn-without-the-root",
    replaces="batch_norm",
    says="The batch was divided by its variance. What brings it to the scale 1 is the standard deviation, the root of "
    "it.",
)
def without_the_root(x, running_mean, running_var, training, momentum=0.1, eps=1e-5):
    _, *statistics = solved(x, running_mean, running_var, training, momentum, eps)
    mean, var = (x.mean(0), x.var(0, unbiased=False)) if training else (running_mean, running_var)
    return (x - mean) / (var + eps), *statistics


@wrong(
    "bn-no-eps-in-eval",
    replaces="batch_norm",
    says="Training is right, but in eval mode eps is missing: a feature whose running variance is 0 would be divided "
    "by 0. Both modes divide by sqrt(var + eps).",
)
def no_eps_in_eval(x, running_mean, running_var, training, momentum=0.1, eps=1e-5):
    if not training:
        return (x - running_mean) / running_var.sqrt(), running_mean, running_var
    return solved(x, running_mean, running_var, training, momentum, eps)


@wrong(
    "bn-normalised-by-the-moved-statistics",
    replaces="batch_norm",
    says="In training the batch was normalised by the running statistics as they are after it. They are for eval mode; "
    "the batch has its own mean and variance, and its output the mean 0.",
    fact="05.14",
)
def by_the_moved_statistics(x, running_mean, running_var, training, momentum=0.1, eps=1e-5):
    _, mean, var = solved(x, running_mean, running_var, training, momentum, eps)
    return (x - mean) / (var + eps).sqrt(), mean, var


@wrong(
    "bn-over-everything",
    replaces="batch_norm",
    says="One mean and one variance were taken of the whole batch, all features together. They differ in location and "
    "scale: each is normalised by its own, dim=0.",
)
def over_everything(x, running_mean, running_var, training, momentum=0.1, eps=1e-5):
    out, mean, var = solved(x, running_mean, running_var, training, momentum, eps)
    return (x - x.mean()) / (x.var(unbiased=False) + eps).sqrt() if training else out, mean, var


@wrong(
    "bn-variance-by-squares",
    replaces="batch_norm",
    says="Right on paper, but not in float32: mean(x²) - mean(x)² takes two large numbers that are nearly equal from "
    "each other, and what is left of a small variance is rounding. Subtract the mean first, as var does.",
)
def variance_by_squares(x, running_mean, running_var, training, momentum=0.1, eps=1e-5):
    out, mean, var = solved(x, running_mean, running_var, training, momentum, eps)
    own = (x**2).mean(dim=0) - x.mean(dim=0) ** 2
    return (x - x.mean(dim=0)) / (own + eps).sqrt() if training else out, mean, var


@wrong(
    "bn-momentum-of-its-own",
    replaces="batch_norm",
    says="The running statistics moved by 0.1 of the batch's, where another momentum was handed in.",
)
def momentum_of_its_own(x, running_mean, running_var, training, momentum=0.1, eps=1e-5):
    return solved(x, running_mean, running_var, training, 0.1, eps)


@wrong(
    "bn-remembers-the-deviation",
    replaces="batch_norm",
    says="A standard deviation was mixed into the running variance: it takes the variance of the batch, the square of "
    "that.",
)
def remembers_the_deviation(x, running_mean, running_var, training, momentum=0.1, eps=1e-5):
    out, mean, var = solved(x, running_mean, running_var, training, momentum, eps)
    return out, mean, torch.lerp(running_var, x.detach().std(dim=0), momentum) if training else var


@wrong(
    "bn-over-the-features",
    replaces="batch_norm",
    says="Mean and variance were taken over the features of each example, dim=1. That is layer norm; batch norm takes "
    "each feature over the batch, dim=0.",
)
def over_the_features(x, running_mean, running_var, training, momentum=0.1, eps=1e-5):
    _, *statistics = solved(x, running_mean, running_var, training, momentum, eps)
    if not training:
        return solved(x, running_mean, running_var, training, momentum, eps)
    return normalised(x, x.mean(1, keepdim=True), x.var(1, unbiased=False, keepdim=True), eps), *statistics


@wrong(
    "bn-statistics-hold-a-graph",
    replaces="batch_norm",
    says="The values are right, but the running statistics are part of the batch's graph, and through each step of "
    "that of all batches before: memory would grow with every step. Detach what is remembered.",
)
def statistics_hold_a_graph(x, running_mean, running_var, training, momentum=0.1, eps=1e-5):
    y, *statistics = solved(x, running_mean, running_var, training, momentum, eps)
    if not training:
        return y, *statistics
    keep = 1 - momentum
    return y, keep * running_mean + momentum * x.mean(0), keep * running_var + momentum * x.var(0)


@wrong(
    "bn-statistics-held-constant",
    replaces="batch_norm",
    says="The output is right, its gradient is not: mean and variance of the batch were taken out of the graph, "
    "though every example moves them, and with them all the others. Only what is remembered is detached.",
)
def statistics_held_constant(x, running_mean, running_var, training, momentum=0.1, eps=1e-5):
    y, *statistics = solved(x, running_mean, running_var, training, momentum, eps)
    if training:
        y = normalised(x, x.detach().mean(0), x.detach().var(0, unbiased=False), eps)
    return y, *statistics


@wrong(
    "bn-changes-the-callers-statistics",
    replaces="batch_norm",
    says="What came back is right, but the caller's own running statistics were changed in place; this function "
    "returns new ones and leaves those it got.",
)
def changes_the_callers(x, running_mean, running_var, training, momentum=0.1, eps=1e-5):
    y, mean, var = solved(x, running_mean, running_var, training, momentum, eps)
    return y, running_mean.copy_(mean), running_var.copy_(var)


@wrong(
    "bn-one-example-in-training",
    replaces="batch_norm",
    says="A batch of one was normalised in training. Less its own mean it is always 0, whatever it holds, and its "
    "unbiased variance is 0 / 0: raise ValueError.",
)
def one_example_in_training(x, running_mean, running_var, training, momentum=0.1, eps=1e-5):
    if not training or len(x) > 1:
        return solved(x, running_mean, running_var, training, momentum, eps)
    y = normalised(x, x.mean(0), x.var(0, unbiased=False), eps)
    return y, *moved(running_mean, running_var, x.mean(0), x.var(0, unbiased=False), momentum)


@wrong(
    "bn-refuses-one-example-in-eval",
    replaces="batch_norm",
    says="One example was refused in eval mode too. There the running statistics are used, which need no batch: to "
    "predict for a single example is what they are for.",
    fact="05.14",
)
def refuses_one_in_eval(x, running_mean, running_var, training, momentum=0.1, eps=1e-5):
    if len(x) < 2:
        raise ValueError("batch")
    return solved(x, running_mean, running_var, training, momentum, eps)


# ---- effects


@wrong(
    "effects-graph-from-the-mode",
    replaces="effects",
    says='"graph" follows the mode of the model here. A graph is built in eval mode just as in training mode: it '
    "takes gradient mode and something that requires a gradient. Ask the output.",
    fact="05.16",
)
def graph_from_the_mode(model, x):
    return {**looked(model, x), "graph": model.training}


@wrong(
    "effects-all-from-the-modes",
    replaces="effects",
    says="Nothing was looked at: gradient mode says whether a graph may be built, the model's flag says nothing of the "
    "modules inside, and a model in training mode need not have a dropout or a batch norm. Call it, and compare.",
    fact="05.14",
)
def all_from_the_modes(model, x):
    return {"graph": torch.is_grad_enabled(), "random": model.training, "buffers": model.training}


def looked(model, x):
    trial = copy.deepcopy(model)
    before = [buffer.clone() for buffer in trial.buffers()]
    one, two = trial(x), trial(x)
    changed = [not torch.equal(*pair) for pair in zip(before, trial.buffers(), strict=True)]
    return {"graph": one.requires_grad, "random": not torch.equal(one, two), "buffers": any(changed)}


@wrong(
    "effects-graph-from-the-parameters",
    replaces="effects",
    says='"graph" was answered by what requires a gradient, the parameters. Under no_grad nothing is recorded all the '
    "same, and a forward may detach what it gives: ask the output.",
    fact="05.16",
)
def graph_from_the_parameters(model, x):
    return {**looked(model, x), "graph": any(parameter.requires_grad for parameter in model.parameters())}


@wrong(
    "effects-graph-from-gradient-mode",
    replaces="effects",
    says='"graph" was answered by gradient mode. It has to be on, but a graph also takes something that requires a '
    "gradient, and a frozen model has nothing: ask the output.",
    fact="05.16",
)
def graph_from_gradient_mode(model, x):
    return {**looked(model, x), "graph": torch.is_grad_enabled()}


@wrong(
    "effects-seen-under-no-grad",
    replaces="effects",
    says='The model was called under a no_grad of this function\'s own, so that "graph" is False whatever the model '
    "does for the caller. Leave gradient mode as the caller has it.",
    fact="05.16",
)
def seen_under_no_grad(model, x):
    with torch.no_grad():
        return looked(model, x)


@wrong(
    "effects-random-from-the-mode",
    replaces="effects",
    says='"random" follows the mode of the model here. A model in training mode may have no dropout, one in eval '
    "mode may have a module that is not, or a F.dropout that no mode reaches: call it twice.",
    fact="05.14",
)
def random_from_the_mode(model, x):
    return {**looked(model, x), "random": model.training}


@wrong(
    "effects-random-from-the-layers",
    replaces="effects",
    says="Dropout was looked for among the modules. F.dropout in a forward is no module, and one with p = 0 drops "
    "nothing: call the model twice and compare.",
    fact="05.14",
)
def random_from_the_layers(model, x):
    drops = any(isinstance(module, nn.Dropout) and module.training for module in model.modules())
    return {**looked(model, x), "random": drops}


@wrong(
    "effects-no-grad-stops-dropout",
    replaces="effects",
    says='"random" and "buffers" are said to be False whenever gradient mode is off. no_grad builds no graph, and '
    "that is all: dropout drops on, and batch norm collects its statistics.",
    fact="05.16",
)
def no_grad_stops_dropout(model, x):
    found = looked(model, x)
    return found if torch.is_grad_enabled() else dict.fromkeys(found, False)


@wrong(
    "effects-random-by-identity",
    replaces="effects",
    says="Two calls always give two tensors: `is` is about objects, and != alone gives a tensor of answers. Whether "
    "the values differ is what torch.equal tells.",
)
def random_by_identity(model, x):
    return {**looked(model, x), "random": True}


@wrong(
    "effects-buffers-from-the-mode",
    replaces="effects",
    says='"buffers" follows the mode of the model here. Batch norm asks its own flag and may keep no statistics at '
    "all, and other modules may change a buffer in any mode: compare before and after.",
    fact="05.14",
)
def buffers_from_the_mode(model, x):
    return {**looked(model, x), "buffers": model.training and any(True for _ in model.buffers())}


@wrong(
    "effects-buffers-without-a-copy",
    replaces="effects",
    says="No change of a buffer was ever seen: the same numbers were compared with themselves. What is kept from "
    "before has to be a copy, clone(), since buffers change in place; and it is compared with those of the model that "
    "was called.",
)
def buffers_without_a_copy(model, x):
    trial = copy.deepcopy(model)
    before = dict(trial.named_buffers())
    trial(x)
    changed = any(not torch.equal(before[name], buffer) for name, buffer in trial.named_buffers())
    return {**looked(model, x), "buffers": changed}


@wrong(
    "effects-buffers-from-the-layers",
    replaces="effects",
    says="Batch norms in training mode were looked for among the modules. One with track_running_stats=False keeps no "
    "statistics, and other modules may change a buffer in any mode: compare before and after.",
    fact="05.14",
)
def buffers_from_the_layers(model, x):
    found = any(isinstance(module, nn.BatchNorm1d) and module.training for module in model.modules())
    return {**looked(model, x), "buffers": found}


@wrong(
    "effects-buffers-of-the-state-dict",
    replaces="effects",
    says="A buffer that is not persistent was overlooked: it is in no state dict. named_buffers() has them all.",
)
def buffers_of_the_state_dict(model, x):
    trial = copy.deepcopy(model)
    before = copy.deepcopy(trial.state_dict())
    trial(x)
    changed = any(not torch.equal(tensor, before[name]) for name, tensor in trial.state_dict().items())
    return {**looked(model, x), "buffers": changed}


@wrong(
    "effects-of-the-last-buffer",
    replaces="effects",
    says='"buffers" tells of the last buffer alone: in a loop each answer wrote over the one before. One change is '
    "enough: any(), or an answer that is only ever set to True.",
)
def of_the_last_buffer(model, x):
    trial, changed = copy.deepcopy(model), False
    before = [buffer.clone() for buffer in trial.buffers()]
    trial(x)
    for buffer, old in zip(trial.buffers(), before, strict=True):
        changed = not torch.equal(buffer, old)
    return {**looked(model, x), "buffers": changed}


@wrong(
    "effects-from-the-same-seed",
    replaces="effects",
    says="Two calls never differed here: both started from the same seed, so that the second dropped what the first "
    "had dropped. Let the random numbers go on.",
)
def from_the_same_seed(model, x):
    return {**looked(model, x), "random": False}


@wrong(
    "effects-of-the-model-in-eval",
    replaces="effects",
    says="The model was put into eval mode before it was called, so that nothing was seen of what it does in the mode "
    "it is in.",
)
def of_the_model_in_eval(model, x):
    return looked(copy.deepcopy(model).eval(), x)


@wrong(
    "effects-move-the-statistics",
    replaces="effects",
    says="The answers are right, but the model's own buffers have moved: in training mode each call, under no_grad "
    "too, is a step of the running statistics. Call a copy, or put them back.",
    fact="05.14",
)
def moves_the_statistics(model, x):
    found = looked(model, x)
    model(x)
    return found
