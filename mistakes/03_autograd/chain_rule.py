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
    says="forward returns one mean for the whole batch; each element is to keep its own loss.",
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
