"""Wrong answers to katas/03_autograd/chain_rule.py."""

import torch
import torch.nn.functional as F

from torchkatas.bank import wrong


@wrong(
    "slope-at-z-for-slope-at-a",
    replaces="loss_slope",
    says="a - y is ∂L/∂z, with the sigmoid's slope in it already; ∂L/∂a is that divided by a(1 - a).",
    fact="03.6",
)
def slope_at_z_for_slope_at_a(a, y):
    return a - y


@wrong(
    "minus-of-the-loss-lost",
    replaces="loss_slope",
    says="The sign is flipped: the loss has a minus before both of its terms, so where y = 1 it falls as a grows.",
    fact="03.6",
)
def minus_of_the_loss_lost(a, y):
    return y / a - (1 - y) / (1 - a)


@wrong(
    "inner-minus-lost",
    replaces="loss_slope",
    says="The term of the other class has the wrong sign: the slope of log(1 - a) is -1/(1 - a), the inner minus is "
    "a factor too.",
    fact="03.6",
)
def inner_minus_lost(a, y):
    return -y / a - (1 - y) / (1 - a)


@wrong(
    "slope-of-one-class",
    replaces="loss_slope",
    says="This is -y/a alone: where y is below 1 the term (1 - y)/(1 - a) of the other class is missing.",
    fact="03.6",
)
def slope_of_one_class(a, y):
    return -y / a


@wrong(
    "slope-of-the-mean",
    replaces="loss_slope",
    says="Each slope is divided by the number of elements: that belongs to the mean of the losses; here each "
    "element has its own.",
)
def slope_of_the_mean(a, y):
    return (a - y) / (a * (1 - a)) / a.numel()


@wrong(
    "slope-of-the-nearest-class",
    replaces="loss_slope",
    says="One class was chosen for each element, where y is a probability between 0 and 1: both terms count, weighed "
    "with y and 1 - y.",
)
def slope_of_the_nearest_class(a, y):
    return torch.where(y > 0.5, -1 / a, 1 / (1 - a))


@wrong(
    "loss-for-its-slope",
    replaces="loss_slope",
    says="That is the loss itself. Asked is how fast it changes with a: each log(u) becomes 1/u, times the slope of u.",
)
def loss_for_its_slope(a, y):
    return -(y * torch.log(a) + (1 - y) * torch.log(1 - a))


@wrong(
    "slope-with-a-and-y-exchanged",
    replaces="loss_slope",
    says="a and y have changed places: y is the target and stands above the line, a below it.",
)
def slope_with_a_and_y_exchanged(a, y):
    return -a / y + (1 - a) / (1 - y)


@wrong(
    "divided-by-a-alone",
    replaces="loss_slope",
    says="This is (a - y) / a · (1 - a): / and * go from left to right, so only a stands below the line. It takes "
    "parentheses around the product.",
)
def divided_by_a_alone(a, y):
    return (a - y) / a * (1 - a)


@wrong(
    "z-for-a",
    replaces="sigmoid_slope",
    says="This is z(1 - z): the rule a(1 - a) is about the sigmoid's value a, not about its input.",
    fact="03.6",
)
def z_for_a(z):
    return z * (1 - z)


@wrong(
    "sigmoid-itself",
    replaces="sigmoid_slope",
    says="This is the sigmoid's value, not its slope: one more factor, 1 - a.",
    fact="03.6",
)
def sigmoid_itself(z):
    return torch.sigmoid(z)


@wrong(
    "other-half-of-the-product",
    replaces="sigmoid_slope",
    says="This is 1 - a, half of the slope: the slope is the product a(1 - a), and small on both sides.",
    fact="03.6",
)
def other_half_of_the_product(z):
    return 1 - torch.sigmoid(z)


@wrong(
    "slope-like-tanh",
    replaces="sigmoid_slope",
    says="This is 1 - a²: that form belongs to tanh; the sigmoid's is a(1 - a).",
    fact="03.6",
)
def slope_like_tanh(z):
    return 1 - torch.sigmoid(z) ** 2


@wrong(
    "falling-sigmoid",
    replaces="sigmoid_slope",
    says="The sign is flipped: the sigmoid rises everywhere, so its slope is never negative.",
    fact="03.6",
)
def falling_sigmoid(z):
    a = torch.sigmoid(z)
    return a * (a - 1)


@wrong(
    "sigmoid-of-a-sigmoid",
    replaces="sigmoid_slope",
    says="The sigmoid was applied twice: this is a(1 - a) for a = σ(σ(z)).",
    fact="03.6",
)
def sigmoid_of_a_sigmoid(z):
    a = torch.sigmoid(torch.sigmoid(z))
    return a * (1 - a)


@wrong(
    "z-times-the-rest",
    replaces="sigmoid_slope",
    says="This is z(1 - a): the first factor is a too, the sigmoid's value, and not its input.",
)
def z_times_the_rest(z):
    return z * (1 - torch.sigmoid(z))


@wrong(
    "slope-of-a-softmax",
    replaces="sigmoid_slope",
    says="The softmax of all elements took the sigmoid's place: it makes them add up to 1, and each depends on the "
    "others. The sigmoid takes each element by itself.",
)
def slope_of_a_softmax(z):
    a = torch.softmax(z, dim=-1)
    return a * (1 - a)


@wrong(
    "exponent-without-its-minus",
    replaces="sigmoid_slope",
    says="The exponential above the line is exp(z), where that below is exp(-z): the slope is exp(-z) / (1 + "
    "exp(-z))², with the minus in both.",
)
def exponent_without_its_minus(z):
    return torch.exp(z) / (1 + torch.exp(-z)) ** 2


def slopes(x1, w1, b, y):
    """a, ∂L/∂a and ∂a/∂z."""
    a = torch.sigmoid(x1 * w1 + b)
    return a, (a - y) / (a * (1 - a)), a * (1 - a)


@wrong(
    "each-its-own-factor",
    replaces="gradients_by_hand",
    says="x1's and w1's gradients have changed places: the slope of a product with respect to one factor is the "
    "other factor.",
    fact="03.8",
)
def each_its_own_factor(x1, w1, b, y):
    _, by_a, by_z = slopes(x1, w1, b, y)
    return by_a * by_z * x1, by_a * by_z * w1, by_a * by_z


@wrong(
    "link-left-out",
    replaces="gradients_by_hand",
    says="The sigmoid's slope ∂a/∂z is left out of the product: from a the path leads through z, and every link is "
    "a factor.",
    fact="03.8",
)
def link_left_out(x1, w1, b, y):
    _, by_a, _ = slopes(x1, w1, b, y)
    return by_a * w1, by_a * x1, by_a


@wrong(
    "loss-left-out",
    replaces="gradients_by_hand",
    says="The loss's slope ∂L/∂a is left out of the product: these are the gradients of a, not of the loss.",
    fact="03.8",
)
def loss_left_out(x1, w1, b, y):
    _, _, by_z = slopes(x1, w1, b, y)
    return by_z * w1, by_z * x1, by_z


@wrong(
    "links-added-not-multiplied",
    replaces="gradients_by_hand",
    says="The local slopes were added: along a path they multiply; only where several paths meet are their products "
    "added.",
    fact="03.8",
)
def slopes_added(x1, w1, b, y):
    _, by_a, by_z = slopes(x1, w1, b, y)
    return by_a + by_z + w1, by_a + by_z + x1, by_a + by_z + 1


@wrong(
    "bias-as-factor",
    replaces="gradients_by_hand",
    says="b's gradient has the factor b: that is b's share in z, not z's slope; z grows as fast as b does, so ∂z/∂b "
    "= 1.",
    fact="03.8",
)
def bias_as_factor(x1, w1, b, y):
    _, by_a, by_z = slopes(x1, w1, b, y)
    return by_a * by_z * w1, by_a * by_z * x1, by_a * by_z * b


@wrong(
    "bias-drops-out",
    replaces="gradients_by_hand",
    says="b's gradient is zero: b is no constant here but what we ask about; z grows as fast as b does, so ∂z/∂b = 1.",
    fact="03.8",
)
def bias_drops_out(x1, w1, b, y):
    _, by_a, by_z = slopes(x1, w1, b, y)
    return by_a * by_z * w1, by_a * by_z * x1, torch.zeros_like(b)


@wrong(
    "error-turned-round",
    replaces="gradients_by_hand",
    says="All three have their sign flipped: ∂L/∂z is a - y, the prediction less the target.",
    fact="03.6",
)
def error_turned_round(x1, w1, b, y):
    a, _, _ = slopes(x1, w1, b, y)
    return (y - a) * w1, (y - a) * x1, y - a


@wrong(
    "autograd-for-hand",
    replaces="gradients_by_hand",
    says="backward() multiplied the slopes here; this kata asks for the product by hand, to see what backward() does.",
)
def autograd_for_hand(x1, w1, b, y):
    leaves = [t.clone().requires_grad_() for t in (x1, w1, b)]
    F.binary_cross_entropy(torch.sigmoid(leaves[0] * leaves[1] + leaves[2]), y).backward()
    return tuple(leaf.grad for leaf in leaves)


@wrong(
    "sigmoid-slope-twice",
    replaces="gradients_by_hand",
    says="The sigmoid's slope is in it twice: a - y is the product ∂L/∂a · ∂a/∂z already, and a(1 - a) came once more.",
)
def sigmoid_slope_twice(x1, w1, b, y):
    a = torch.sigmoid(x1 * w1 + b)
    by_z = (a - y) * a * (1 - a)
    return by_z * w1, by_z * x1, by_z


@wrong(
    "squared-error-by-hand",
    replaces="gradients_by_hand",
    says="These are the gradients of the squared error (a - y)²; the loss here is the binary cross entropy.",
)
def squared_error_by_hand(x1, w1, b, y):
    a = torch.sigmoid(x1 * w1 + b)
    by_z = 2 * (a - y) * a * (1 - a)
    return by_z * w1, by_z * x1, by_z


@wrong(
    "sigmoid-slope-at-a",
    replaces="gradients_by_hand",
    says="The sigmoid's slope was taken at a: that squashes twice. It is a function of the net input z.",
)
def sigmoid_slope_at_a(x1, w1, b, y):
    a = torch.sigmoid(x1 * w1 + b)
    twice = torch.sigmoid(a)
    by_z = (a - y) / (a * (1 - a)) * twice * (1 - twice)
    return by_z * w1, by_z * x1, by_z


@wrong(
    "loss-slope-at-z",
    replaces="gradients_by_hand",
    says="The loss's slope was taken at z: it is a function of the activation a, the sigmoid of z.",
)
def loss_slope_at_z(x1, w1, b, y):
    z = x1 * w1 + b
    a = torch.sigmoid(z)
    by_z = (z - y) / (z * (1 - z)) * a * (1 - a)
    return by_z * w1, by_z * x1, by_z


@wrong(
    "weight-first-by-hand",
    replaces="gradients_by_hand",
    says="The three are right, in another order: asked are ∂L/∂x1, ∂L/∂w1, ∂L/∂b.",
)
def weight_first_by_hand(x1, w1, b, y):
    by_z = torch.sigmoid(x1 * w1 + b) - y
    return by_z * x1, by_z, by_z * w1


@wrong(
    "net-input-without-bias",
    replaces="gradients_by_hand",
    says="The bias is not in the net input: these are the gradients for b = 0. (In the source b is 0, which hides "
    "this.)",
)
def net_input_without_bias(x1, w1, b, y):
    by_z = torch.sigmoid(x1 * w1) - y
    return by_z * w1, by_z * x1, by_z


class Plain(torch.autograd.Function):
    """What the entries below change one thing of."""

    @staticmethod
    def forward(ctx, z, y):
        a = torch.sigmoid(z)
        ctx.save_for_backward(a, y)
        return F.binary_cross_entropy(a, y, reduction="none")

    @staticmethod
    def backward(ctx, upstream):
        a, y = ctx.saved_tensors
        return upstream * (a - y), None


@wrong(
    "upstream-left-out",
    replaces="LogitLoss",
    says="backward returns its local slope alone: the slope that comes from above, its argument, is a factor of the "
    "chain rule. Where that happens to be 1 nobody notices.",
    fact="03.8",
)
class UpstreamLeftOut(Plain):
    @staticmethod
    def backward(ctx, upstream):
        a, y = ctx.saved_tensors
        return a - y, None


@wrong(
    "a10-inplace-needed",
    replaces="LogitLoss",
    says="The input z was changed in place: it belongs to the operation before, which may need it for its own "
    'backward (torch then says "modified by an inplace operation"), and to the caller. Make a new tensor; mind '
    "sigmoid_() and *=.",
    fact="03.8",
)
class InplaceNeeded(Plain):
    @staticmethod
    def forward(ctx, z, y):
        a = z.sigmoid_()
        ctx.save_for_backward(a, y)
        return F.binary_cross_entropy(a, y, reduction="none")


@wrong(
    "saved-then-overwritten",
    replaces="LogitLoss",
    says="The gradient is not the one of the losses: what was saved for backward was changed in place afterwards, "
    "and save_for_backward keeps the tensor itself, no copy. Here backward sees log(a) where it counts on a.",
    fact="03.8",
)
class SavedThenOverwritten(Plain):
    @staticmethod
    def forward(ctx, z, y):
        a = torch.sigmoid(z)
        ctx.save_for_backward(a, y)
        other = (1 - y) * torch.log(1 - a)
        return -(y * a.log_() + other)


@wrong(
    "z-saved-for-a",
    replaces="LogitLoss",
    says="The gradient is z - y times the slope from above: z itself stands where its sigmoid belongs.",
    fact="03.8",
)
class ZSavedForA(Plain):
    @staticmethod
    def forward(ctx, z, y):
        ctx.save_for_backward(z, y)
        return F.binary_cross_entropy(torch.sigmoid(z), y, reduction="none")


@wrong(
    "stops-at-a",
    replaces="LogitLoss",
    says="The gradient stops at a: it is ∂L/∂a times the slope from above, and the sigmoid's slope a(1 - a) is "
    "missing.",
    fact="03.8",
)
class StopsAtA(Plain):
    @staticmethod
    def backward(ctx, upstream):
        a, y = ctx.saved_tensors
        return upstream * (a - y) / (a * (1 - a)), None


@wrong(
    "downhill-backward",
    replaces="LogitLoss",
    says="The gradient has its sign flipped: the slope is a - y. The step downhill is the optimizer's business.",
    fact="03.8",
)
class DownhillBackward(Plain):
    @staticmethod
    def backward(ctx, upstream):
        a, y = ctx.saved_tensors
        return upstream * (y - a), None


@wrong(
    "upstream-overwritten",
    replaces="LogitLoss",
    says="The slopes that came from above were overwritten: backward multiplied in place. They may be in use "
    "elsewhere in the graph.",
)
class UpstreamOverwritten(Plain):
    @staticmethod
    def backward(ctx, upstream):
        a, y = ctx.saved_tensors
        return upstream.mul_(a - y), None


@wrong(
    "no-gradient-for-y",
    replaces="LogitLoss",
    says="backward returned one gradient, forward has two inputs: the count must match. None stands for an input "
    "that gets none.",
)
class NoGradientForY(Plain):
    @staticmethod
    def backward(ctx, upstream):
        a, y = ctx.saved_tensors
        return upstream * (a - y)


@wrong(
    "gradients-in-wrong-order",
    replaces="LogitLoss",
    says="z got no gradient: backward returns one for each input of forward, in forward's order, z first.",
    fact="03.8",
)
class GradientsInWrongOrder(Plain):
    @staticmethod
    def backward(ctx, upstream):
        a, y = ctx.saved_tensors
        return None, upstream * (a - y)


@wrong(
    "losses-averaged",
    replaces="LogitLoss",
    says="forward returns one number for the whole batch, a mean or a sum; each element is to keep its own loss.",
)
class LossesAveraged(Plain):
    @staticmethod
    def forward(ctx, z, y):
        a = torch.sigmoid(z)
        ctx.save_for_backward(a, y)
        return F.binary_cross_entropy(a, y)


@wrong(
    "sigmoid-twice-in-forward",
    replaces="LogitLoss",
    says="The losses are those of sigmoid(sigmoid(z)): the *_with_logits function applies the sigmoid by itself and "
    "takes z.",
)
class SigmoidTwiceInForward(Plain):
    @staticmethod
    def forward(ctx, z, y):
        a = torch.sigmoid(z)
        ctx.save_for_backward(a, y)
        return F.binary_cross_entropy_with_logits(a, y, reduction="none")


@wrong(
    "backward-with-a-slope-too-many",
    replaces="LogitLoss",
    says="The gradient has the factor a(1 - a) once too often: a - y is the loss's slope at z, with the sigmoid's "
    "slope in it already.",
)
class BackwardWithASlopeTooMany(torch.autograd.Function):
    @staticmethod
    def forward(ctx, z, y):
        ctx.save_for_backward(torch.sigmoid(z), y)
        return F.binary_cross_entropy_with_logits(z, y, reduction="none")

    @staticmethod
    def backward(ctx, upstream):
        a, y = ctx.saved_tensors
        return upstream * (a - y) * a * (1 - a), None


@wrong(
    "upstream-added",
    replaces="LogitLoss",
    says="The slope that comes from above was added to the local one: along a path slopes multiply.",
)
class UpstreamAdded(torch.autograd.Function):
    @staticmethod
    def forward(ctx, z, y):
        ctx.save_for_backward(torch.sigmoid(z), y)
        return F.binary_cross_entropy_with_logits(z, y, reduction="none")

    @staticmethod
    def backward(ctx, upstream):
        a, y = ctx.saved_tensors
        return upstream + (a - y), None


@wrong(
    "upstream-summed",
    replaces="LogitLoss",
    says="The slopes that come from above were added up to one number for all elements: each loss has one of its own, "
    "and it belongs to the element at the same place.",
)
class UpstreamSummed(torch.autograd.Function):
    @staticmethod
    def forward(ctx, z, y):
        ctx.save_for_backward(torch.sigmoid(z), y)
        return F.binary_cross_entropy_with_logits(z, y, reduction="none")

    @staticmethod
    def backward(ctx, upstream):
        a, y = ctx.saved_tensors
        return upstream.sum() * (a - y), None


@wrong(
    "gradient-of-the-mean-loss",
    replaces="LogitLoss",
    says="The gradient is divided by the number of elements: that belongs to a mean, and forward takes none. If a mean "
    "comes later, its division is in the slope from above.",
)
class GradientOfTheMeanLoss(torch.autograd.Function):
    @staticmethod
    def forward(ctx, z, y):
        ctx.save_for_backward(torch.sigmoid(z), y)
        return F.binary_cross_entropy_with_logits(z, y, reduction="none")

    @staticmethod
    def backward(ctx, upstream):
        a, y = ctx.saved_tensors
        return upstream * (a - y) / a.numel(), None


@wrong(
    "sigmoid-twice-in-backward",
    replaces="LogitLoss",
    says="The gradient is that of σ(σ(z)) - y: what was saved is a, and backward took its sigmoid once more.",
)
class SigmoidTwiceInBackward(torch.autograd.Function):
    @staticmethod
    def forward(ctx, z, y):
        ctx.save_for_backward(torch.sigmoid(z), y)
        return F.binary_cross_entropy_with_logits(z, y, reduction="none")

    @staticmethod
    def backward(ctx, upstream):
        a, y = ctx.saved_tensors
        return upstream * (torch.sigmoid(a) - y), None


@wrong(
    "nothing-saved-for-backward",
    replaces="LogitLoss",
    says="Nothing was saved: ctx.saved_tensors is what forward handed to ctx.save_for_backward, and here that is "
    "nothing.",
)
class NothingSavedForBackward(torch.autograd.Function):
    @staticmethod
    def forward(ctx, z, y):
        return F.binary_cross_entropy_with_logits(z, y, reduction="none")

    @staticmethod
    def backward(ctx, upstream):
        a, y = ctx.saved_tensors
        return upstream * (a - y), None


@wrong(
    "one-class-in-forward",
    replaces="LogitLoss",
    says="The losses are -y·log(a) alone: where y is below 1, the other class's term -(1 - y)·log(1 - a) is missing.",
)
class OneClassInForward(torch.autograd.Function):
    @staticmethod
    def forward(ctx, z, y):
        a = torch.sigmoid(z)
        ctx.save_for_backward(a, y)
        return -y * torch.log(a)

    @staticmethod
    def backward(ctx, upstream):
        a, y = ctx.saved_tensors
        return upstream * (a - y), None


@wrong(
    "kept-on-the-class",
    replaces="LogitLoss",
    says="The gradient of the first call was made with the values of the second: they are kept on the class, or at the "
    "top of the file, which all calls share. ctx is there for each call's own.",
)
class KeptOnTheClass(torch.autograd.Function):
    @staticmethod
    def forward(ctx, z, y):
        LogitLoss.a, LogitLoss.y = torch.sigmoid(z), y  # noqa: F821
        return F.binary_cross_entropy_with_logits(z, y, reduction="none")

    @staticmethod
    def backward(ctx, upstream):
        return upstream * (LogitLoss.a - LogitLoss.y), None  # noqa: F821
