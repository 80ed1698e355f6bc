"""Wrong answers to katas/03_autograd/gradients.py."""

import torch
import torch.nn.functional as F

from torchkatas.bank import wrong


@wrong(
    "stops-at-z",
    replaces="weight_gradient",
    says="That is ∂L/∂z, which is also b's gradient; ∂L/∂w1 needs one more factor: ∂z/∂w1 = x1.",
    fact="03.7",
)
def stops_at_z(x1, w1, b, y):
    return torch.sigmoid(x1 * w1 + b) - y


@wrong(
    "sign-flipped",
    replaces="weight_gradient",
    says="The sign is flipped: this is the direction to step in, -∂L/∂w1; the gradient itself points uphill.",
    fact="03.7",
)
def sign_flipped(x1, w1, b, y):
    return -(torch.sigmoid(x1 * w1 + b) - y) * x1


@wrong(
    "two-backwards",
    replaces="weight_gradient",
    says="This is twice the gradient: backward() ran two times and .grad adds up; one backward for each forward.",
    fact="03.7",
)
def two_backwards(x1, w1, b, y):
    w1 = w1.clone().requires_grad_()
    for _ in range(2):
        F.binary_cross_entropy(torch.sigmoid(x1 * w1 + b), y).backward()
    return w1.grad


@wrong(
    "gradient-of-the-input",
    replaces="weight_gradient",
    says="That is ∂L/∂x1, whose last factor is w1; the weight's gradient has the other factor of the product, x1.",
    fact="03.7",
)
def gradient_of_the_input(x1, w1, b, y):
    return (torch.sigmoid(x1 * w1 + b) - y) * w1


@wrong(
    "gradient-of-squared-error",
    replaces="weight_gradient",
    says="That is the gradient of the squared error (a - y)²; the loss here is the binary cross entropy.",
    fact="03.7",
)
def gradient_of_squared_error(x1, w1, b, y):
    w1 = w1.clone().requires_grad_()
    F.mse_loss(torch.sigmoid(x1 * w1 + b), y).backward()
    return w1.grad


@wrong(
    "gradient-of-the-activation",
    replaces="weight_gradient",
    says="That is ∂a/∂w1, the slope of the activation: backward() started at a and the loss, with its factor ∂L/∂a, "
    "is left out.",
    fact="03.7",
)
def gradient_of_the_activation(x1, w1, b, y):
    w1 = w1.clone().requires_grad_()
    torch.sigmoid(x1 * w1 + b).backward()
    return w1.grad


@wrong(
    "a24-argmax-grad",
    replaces="weight_gradient",
    says="The gradient is exactly zero: a step such as round, argmax or a > 0.5 stands between w1 and the loss (or "
    ".grad was cleared before it was returned). A step is flat almost everywhere: let the loss see a itself, and "
    "round only to report.",
    fact="03.7",
)
def argmax_grad(x1, w1, b, y):
    w1 = w1.clone().requires_grad_()
    F.binary_cross_entropy(torch.sigmoid(x1 * w1 + b).round(), y).backward()
    return w1.grad


@wrong(
    "grad-never-filled",
    replaces="weight_gradient",
    says="None came back: nothing filled the .grad that was asked (or a `return` is missing). backward() must have "
    "run, and it fills only leaves, the very tensors that the loss was computed from: no result of an operation on "
    "them, no copy made later.",
    fact="03.5",
)
def no_backward(x1, w1, b, y):
    w1 = w1.clone().requires_grad_()
    F.binary_cross_entropy(torch.sigmoid(x1 * w1 + b), y)
    return w1.grad


@wrong(
    "nothing-requires-grad",
    replaces="weight_gradient",
    says="No tensor in this forward pass requires a gradient, so no graph was recorded and backward() has nowhere "
    "to go: make a leaf of w1 first, with requires_grad_() on a copy.",
)
def nothing_requires_grad(x1, w1, b, y):
    F.binary_cross_entropy(torch.sigmoid(x1 * w1 + b), y).backward()
    return w1.grad


@wrong(
    "marks-the-callers-w1",
    replaces="weight_gradient",
    says="The value is right, but the caller's own w1 was changed: requires_grad_(), like every method with a "
    "trailing _, changes the tensor it is called on. Clone or detach it first.",
)
def marks_the_callers_w1(x1, w1, b, y):
    w1.requires_grad_()
    F.binary_cross_entropy(torch.sigmoid(x1 * w1 + b), y).backward()
    return w1.grad


def penalised(x1, w1, b, y, decay):
    """Own leaves, and the loss with its penalty."""
    w1, b = w1.clone().requires_grad_(), b.clone().requires_grad_()
    return w1, b, F.binary_cross_entropy(torch.sigmoid(x1 * w1 + b), y) + decay * w1.square().sum()


@wrong(
    "a15-item-in-loss",
    replaces="both_gradients",
    says="The penalty's part, 2·decay·w1, is missing from w1's gradient. A term that goes through .item(), float() "
    "or .detach() is in the loss's value, which looks right, but outside its graph. (So is a term that was never "
    "added.)",
)
def item_in_loss(x1, w1, b, y, decay):
    w1, b = w1.clone().requires_grad_(), b.clone().requires_grad_()
    loss = F.binary_cross_entropy(torch.sigmoid(x1 * w1 + b), y) + decay * w1.item() ** 2
    loss.backward()
    return w1.grad, b.grad


@wrong(
    "bias-first",
    replaces="both_gradients",
    says="The two gradients have changed places: w1's is asked first, then b's.",
    fact="03.7",
)
def bias_first(x1, w1, b, y, decay):
    w1, b, loss = penalised(x1, w1, b, y, decay)
    loss.backward()
    return b.grad, w1.grad


@wrong(
    "one-leaf-of-two",
    replaces="both_gradients",
    says="None came back for b: backward() fills those leaves that require a gradient and that the loss was "
    "computed from, and b was not made one.",
    fact="03.5",
)
def one_leaf_of_two(x1, w1, b, y, decay):
    w1, b, loss = penalised(x1, w1, b, y, decay)
    loss.backward()
    return w1.grad, None


@wrong(
    "a-backward-for-each",
    replaces="both_gradients",
    says="Both gradients are doubled: one backward() fills all leaves at once; a second one, for the other leaf, "
    "adds everything a second time.",
    fact="03.5",
)
def a_backward_for_each(x1, w1, b, y, decay):
    w1, b, loss = penalised(x1, w1, b, y, decay)
    loss.backward(retain_graph=True)
    loss.backward()
    return w1.grad, b.grad


@wrong(
    "marks-the-callers-leaves",
    replaces="both_gradients",
    says="The values are right, but the caller's own w1 and b were changed: requires_grad_(), like every method "
    "with a trailing _, changes the tensor it is called on. Clone or detach them first.",
)
def marks_the_callers_leaves(x1, w1, b, y, decay):
    w1.requires_grad_()
    b.requires_grad_()
    (F.binary_cross_entropy(torch.sigmoid(x1 * w1 + b), y) + decay * w1.square().sum()).backward()
    return w1.grad, b.grad


@wrong(
    "bias-penalised-too",
    replaces="both_gradients",
    says="b's gradient has a penalty of its own, 2·decay·b; the penalty is on the weight alone.",
)
def bias_penalised_too(x1, w1, b, y, decay):
    w1, b, loss = penalised(x1, w1, b, y, decay)
    (loss + decay * b.square().sum()).backward()
    return w1.grad, b.grad


@wrong(
    "half-a-penalty",
    replaces="both_gradients",
    says="The penalty's part of w1's gradient is decay·w1, half of what it is to be: that belongs to ½·decay·w1². "
    "The slope of decay·w1² is 2·decay·w1.",
)
def half_a_penalty(x1, w1, b, y, decay):
    w1, b, loss = penalised(x1, w1, b, y, decay / 2)
    loss.backward()
    return w1.grad, b.grad


@wrong(
    "unsquared-penalty",
    replaces="both_gradients",
    says="The penalty's part of w1's gradient is decay times the sign of w1: that is the slope of decay·|w1|; the "
    "penalty here is decay·w1².",
)
def unsquared_penalty(x1, w1, b, y, decay):
    w1, b, loss = penalised(x1, w1, b, y, 0.0)
    (loss + decay * w1.abs().sum()).backward()
    return w1.grad, b.grad


def nodes(x1, w1, b, y):
    z = x1 * w1.clone().requires_grad_() + b
    a = torch.sigmoid(z)
    return z, a, F.binary_cross_entropy(a, y)


@wrong(
    "interior-grad-not-retained",
    replaces="node_gradients",
    says="Both are None: z and a are interior nodes, and backward() leaves a .grad in leaves only. An interior node "
    "has to ask for its own with retain_grad(), and before backward() runs: afterwards it is too late.",
    fact="03.5",
)
def interior_grad_not_retained(x1, w1, b, y):
    z, a, loss = nodes(x1, w1, b, y)
    loss.backward()
    return z.grad, a.grad


@wrong(
    "retained-without-a-graph",
    replaces="node_gradients",
    says="No tensor in this forward pass requires a gradient, so z and a are constants with no gradient to retain: "
    "something they come from must require one.",
)
def retained_without_a_graph(x1, w1, b, y):
    z = x1 * w1 + b
    a = torch.sigmoid(z)
    z.retain_grad()
    a.retain_grad()
    F.binary_cross_entropy(a, y).backward()
    return z.grad, a.grad


@wrong(
    "activation-first",
    replaces="node_gradients",
    says="The two gradients have changed places: z's is asked first, then a's.",
    fact="03.5",
)
def activation_first(x1, w1, b, y):
    z, a, loss = nodes(x1, w1, b, y)
    return torch.autograd.grad(loss, (a, z))


@wrong(
    "local-slope-of-z",
    replaces="node_gradients",
    says="The first is ∂a/∂z = a(1 - a), the local slope of the sigmoid alone; the loss's gradient at z is its "
    "product with ∂L/∂a.",
    fact="03.5",
)
def local_slope_of_z(x1, w1, b, y):
    z, a, loss = nodes(x1, w1, b, y)
    (by_a,) = torch.autograd.grad(loss, a, retain_graph=True)
    (by_z,) = torch.autograd.grad(a, z)
    return by_z, by_a


@wrong(
    "leaves-instead-of-nodes",
    replaces="node_gradients",
    says="Those are the gradients of the leaves, ∂L/∂w1 and ∂L/∂b; asked are those of the nodes between, z and a.",
    fact="03.5",
)
def leaves_instead_of_nodes(x1, w1, b, y):
    w1, b = w1.clone().requires_grad_(), b.clone().requires_grad_()
    return torch.autograd.grad(F.binary_cross_entropy(torch.sigmoid(x1 * w1 + b), y), (w1, b))


@wrong(
    "same-gradient-at-a",
    replaces="node_gradients",
    says="The second is ∂L/∂z once more: a's gradient is larger, since the slope of the sigmoid, which leads from a "
    "to z, is not in it yet.",
    fact="03.5",
)
def same_gradient_at_a(x1, w1, b, y):
    z, _, loss = nodes(x1, w1, b, y)
    (by_z,) = torch.autograd.grad(loss, z)
    return by_z, by_z


@wrong(
    "a18-autograd-grad-result",
    replaces="gradients_of",
    says="None came back for inputs that have a gradient: their .grad was read, and nothing filled it. "
    "autograd.grad writes nowhere; it returns the gradients, as a tuple.",
)
def autograd_grad_result(output, inputs):
    torch.autograd.grad(output, inputs, allow_unused=True)
    return tuple(x.grad for x in inputs)


@wrong(
    "tuples-in-a-tuple",
    replaces="gradients_of",
    says="Each entry is a tuple with one gradient in it, no tensor: autograd.grad returns a tuple also for a single "
    "input. Unpack it: `slope, = ...`.",
)
def tuples_in_a_tuple(output, inputs):
    return tuple(torch.autograd.grad(output, x, retain_graph=True, allow_unused=True) for x in inputs)


@wrong(
    "a20-unused-input",
    replaces="gradients_of",
    says="One of the inputs has no part in the output, so no path of the graph leads to it, and autograd.grad "
    "refuses unless told that this may be (allow_unused, materialize_grads). Its gradient is zero.",
)
def unused_input(output, inputs):
    return torch.autograd.grad(output, inputs)


@wrong(
    "none-where-zeros",
    replaces="gradients_of",
    says="None stands where the output does not depend on an input: allow_unused=True alone gives that. A change of "
    "this input changes nothing, so its gradient is zeros of its shape.",
)
def none_where_zeros(output, inputs):
    return torch.autograd.grad(output, inputs, allow_unused=True)


@wrong(
    "a-bare-zero",
    replaces="gradients_of",
    says="The zero for an input that is not used is one number of shape (): a gradient always has its input's shape "
    "and dtype.",
)
def a_bare_zero(output, inputs):
    return tuple(torch.tensor(0.0) if g is None else g for g in torch.autograd.grad(output, inputs, allow_unused=True))


@wrong(
    "zeros-by-shape-alone",
    replaces="gradients_of",
    says="The zeros have the right shape and the default dtype: the gradient of a float64 tensor is float64 too.",
)
def zeros_by_shape_alone(output, inputs):
    slopes = torch.autograd.grad(output, inputs, allow_unused=True)
    return tuple(torch.zeros(x.shape) if g is None else g for x, g in zip(inputs, slopes, strict=True))


@wrong(
    "backward-fills-grad",
    replaces="gradients_of",
    says="The leaves' .grad was written to: backward() adds to whatever stands there, which belongs to whoever "
    "trains on them, and leaves None in interior nodes. autograd.grad writes nowhere.",
)
def backward_fills_grad(output, inputs):
    output.backward()
    return tuple(torch.zeros_like(x) if x.is_leaf and x.grad is None else x.grad for x in inputs)


@wrong(
    "graph-freed-after-one",
    replaces="gradients_of",
    says="The graph is gone after the first input: each backward pass frees what it has used. Ask for all inputs in "
    "one call.",
)
def graph_freed_after_one(output, inputs):
    slopes = [torch.autograd.grad(output, x, allow_unused=True)[0] for x in inputs]
    return tuple(torch.zeros_like(x) if g is None else g for x, g in zip(inputs, slopes, strict=True))


@wrong(
    "a06-nonscalar-backward",
    replaces="vector_jacobian",
    says="backward() was called on a vector with nothing to start from: only for a scalar is the first slope, ∂L/∂L "
    "= 1, clear. A vector needs one number for each of its elements: v.",
)
def nonscalar_backward(f, x, v):
    x = x.clone().requires_grad_()
    f(x).backward()
    return x.grad


@wrong(
    "ones-for-v",
    replaces="vector_jacobian",
    says="v has no part in this: it is the plain sum of the Jacobian's rows, as .sum().backward() or a vector of "
    "ones gives it. Row i is to be weighed with v[i].",
)
def ones_for_v(f, x, v):
    x = x.clone().requires_grad_()
    f(x).sum().backward()
    return x.grad


@wrong(
    "v-afterwards",
    replaces="vector_jacobian",
    says="v was multiplied in at the end, on the side of x, when the Jacobian's rows had been summed already. It "
    "weighs the outputs, so it comes in before: it is what backward starts from.",
)
def v_afterwards(f, x, v):
    x = x.clone().requires_grad_()
    f(x).sum().backward()
    return v * x.grad


@wrong(
    "jacobian-times-vector",
    replaces="vector_jacobian",
    says="That is Jv, where vᵀJ is asked: v has one number for each output, so it stands left of J and weighs its "
    "rows.",
)
def jacobian_times_vector(f, x, v):
    return torch.autograd.functional.jacobian(f, x) @ v


@wrong(
    "mean-of-the-outputs",
    replaces="vector_jacobian",
    says="This is vᵀJ divided by the number of outputs: mean() divides, sum() does not.",
)
def mean_of_the_outputs(f, x, v):
    x = x.clone().requires_grad_()
    (f(x) * v).mean().backward()
    return x.grad


@wrong(
    "first-output-only",
    replaces="vector_jacobian",
    says="This is v[0] times the first row of the Jacobian: the other outputs were left out of the sum.",
)
def first_output_only(f, x, v):
    x = x.clone().requires_grad_()
    (v[0] * f(x)[0]).backward()
    return x.grad


@wrong(
    "marks-the-callers-x",
    replaces="vector_jacobian",
    says="The product is right, but the caller's own x was changed: requires_grad_(), like every method with a "
    "trailing _, changes the tensor it is called on. Clone or detach it first.",
)
def marks_the_callers_x(f, x, v):
    x.requires_grad_()
    f(x).backward(v)
    return x.grad
