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


@wrong(
    "weight-sigmoid-twice",
    replaces="weight_gradient",
    says="The loss squashes once more: the *_with_logits loss applies the sigmoid by itself, so it takes z, and "
    "binary_cross_entropy takes a. The gradient then has one slope too many.",
    fact="03.7",
)
def weight_sigmoid_twice(x1, w1, b, y):
    w1 = w1.clone().requires_grad_()
    F.binary_cross_entropy_with_logits(torch.sigmoid(x1 * w1 + b), y).backward()
    return w1.grad


@wrong(
    "weight-for-its-gradient",
    replaces="weight_gradient",
    says="That is w1 itself: backward() leaves the gradient in its attribute .grad.",
    fact="03.7",
)
def weight_for_its_gradient(x1, w1, b, y):
    w1 = w1.clone().requires_grad_()
    F.binary_cross_entropy(torch.sigmoid(x1 * w1 + b), y).backward()
    return w1


@wrong(
    "weight-target-first",
    replaces="weight_gradient",
    says="Prediction and target have changed places in the loss: it takes the logarithm of its first argument, which "
    "is to be the activation, and y comes second.",
    fact="03.7",
)
def weight_target_first(x1, w1, b, y):
    w1 = w1.clone().requires_grad_()
    F.binary_cross_entropy(y, torch.sigmoid(x1 * w1 + b)).backward()
    return w1.grad


@wrong(
    "weight-without-the-bias",
    replaces="weight_gradient",
    says="The bias is not in the net input: this is the gradient for b = 0. (In the source b is 0, which hides this.)",
    fact="03.7",
)
def weight_without_the_bias(x1, w1, b, y):
    return (torch.sigmoid(x1 * w1) - y) * x1


@wrong(
    "one-class-gradient",
    replaces="weight_gradient",
    says="This is the gradient of -log(a), as if y were 1: the loss has a second term, -(1 - y)·log(1 - a), for the "
    "other class.",
    fact="03.7",
)
def one_class_gradient(x1, w1, b, y):
    return (torch.sigmoid(x1 * w1 + b) - 1) * x1


@wrong(
    "clone-of-a-marked-w1",
    replaces="weight_gradient",
    says="None came back, and the caller's own w1 requires a gradient from now on: it was marked first and cloned "
    "then, so the clone is the result of an operation, no leaf. The copy comes first: w1.clone().requires_grad_().",
    fact="03.7",
)
def clone_of_a_marked_w1(x1, w1, b, y):
    copy = w1.requires_grad_().clone()
    F.binary_cross_entropy(torch.sigmoid(x1 * copy + b), y).backward()
    return copy.grad


@wrong(
    "callers-grad-filled",
    replaces="weight_gradient",
    says="The value is right, but the caller's own w1 has a .grad now: it was marked for the work and the mark was "
    "taken off again, which leaves what backward() had stored there. Work on a copy.",
)
def callers_grad_filled(x1, w1, b, y):
    w1.requires_grad_()
    F.binary_cross_entropy(torch.sigmoid(x1 * w1 + b), y).backward()
    w1.requires_grad_(False)
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
    says="Both gradients are doubled: one backward() fills all leaves at once; a second one adds "
    "everything a second time.",
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


@wrong(
    "value-of-the-penalty-added",
    replaces="both_gradients",
    says="decay·w1² itself was added to w1's gradient: that is the penalty's value. Its slope, 2·decay·w1, belongs "
    "there, and comes by itself if the term is in the loss.",
)
def value_of_the_penalty_added(x1, w1, b, y, decay):
    old = w1
    w1, b, loss = penalised(x1, w1, b, y, 0.0)
    loss.backward()
    return w1.grad + decay * old**2, b.grad


@wrong(
    "penalty-taken-away",
    replaces="both_gradients",
    says="The penalty was subtracted: it is to make large weights cost more, so it is added to the loss.",
)
def penalty_taken_away(x1, w1, b, y, decay):
    w1, b, loss = penalised(x1, w1, b, y, -decay)
    loss.backward()
    return w1.grad, b.grad


@wrong(
    "decay-squared-too",
    replaces="both_gradients",
    says="The penalty's part of w1's gradient is 2·decay²·w1: the square is over both, (decay·w1)². It is to be over "
    "the weight alone.",
)
def decay_squared_too(x1, w1, b, y, decay):
    w1, b, loss = penalised(x1, w1, b, y, decay**2)
    loss.backward()
    return w1.grad, b.grad


@wrong(
    "penalty-alone",
    replaces="both_gradients",
    says="w1's gradient is the penalty's part alone, 2·decay·w1: that of the cross entropy was cleared or overwritten. "
    "The two add up.",
)
def penalty_alone(x1, w1, b, y, decay):
    _, b, loss = penalised(x1, w1, b, y, decay)
    loss.backward()
    return 2 * decay * w1, b.grad


def nodes(x1, w1, b, y):
    z = x1 * w1.clone().requires_grad_() + b
    a = torch.sigmoid(z)
    return z, a, F.binary_cross_entropy(a, y)


@wrong(
    "interior-grad-not-retained",
    replaces="node_gradients",
    says="Both are None: z and a are interior nodes, and backward() leaves a .grad in leaves only. An interior node "
    "has to ask for its own with retain_grad(), before backward() runs, and it must be the very node that the loss was "
    "computed from.",
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
    "z-not-retained",
    replaces="node_gradients",
    says="None came back for z alone: it did not ask for its gradient, or is not the node that a was computed from. "
    "retain_grad() is needed for each interior node, before backward(), and detach() starts a graph that ends at a.",
    fact="03.5",
)
def z_not_retained(x1, w1, b, y):
    z, a, loss = nodes(x1, w1, b, y)
    a.retain_grad()
    loss.backward()
    return z.grad, a.grad


@wrong(
    "a-beside-the-path",
    replaces="node_gradients",
    says="None came back for a alone: it did not ask for its gradient before backward(), or the loss was not computed "
    "from it. The *_with_logits loss goes from z straight to the loss, and a stands beside that path.",
    fact="03.5",
)
def a_beside_the_path(x1, w1, b, y):
    z, a, _ = nodes(x1, w1, b, y)
    z.retain_grad()
    a.retain_grad()
    F.binary_cross_entropy_with_logits(z, y).backward()
    return z.grad, a.grad


@wrong(
    "nodes-sigmoid-twice",
    replaces="node_gradients",
    says="The loss squashes once more: the *_with_logits loss applies the sigmoid by itself, so it takes z, and "
    "binary_cross_entropy takes a. Both gradients have one slope too many.",
    fact="03.5",
)
def nodes_sigmoid_twice(x1, w1, b, y):
    z, a, _ = nodes(x1, w1, b, y)
    return torch.autograd.grad(F.binary_cross_entropy_with_logits(a, y), (z, a))


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
    "unused-inputs-left-out",
    replaces="gradients_of",
    says="The tuple is shorter than the inputs: those that the output does not depend on were left out, so that each "
    "gradient behind stands at another input's place. Zeros belong there.",
)
def unused_inputs_left_out(output, inputs):
    return tuple(slope for slope in torch.autograd.grad(output, inputs, allow_unused=True) if slope is not None)


@wrong(
    "a-number-for-zeros",
    replaces="gradients_of",
    says="A Python number stands for the input that is not used: a gradient is a tensor of its input's shape and "
    "dtype.",
)
def a_number_for_zeros(output, inputs):
    slopes = torch.autograd.grad(output, inputs, allow_unused=True)
    return tuple(0.0 if slope is None else slope for slope in slopes)


@wrong(
    "gradients-asked-for-their-truth",
    replaces="gradients_of",
    says="A gradient was asked whether it is true, by `or` or `if`: a tensor of several elements has no one answer, "
    "and a gradient of 0 would count as none. Ask `is None`.",
)
def gradients_asked_for_their_truth(output, inputs):
    slopes = torch.autograd.grad(output, inputs, allow_unused=True)
    return tuple(slope or torch.zeros_like(x) for x, slope in zip(inputs, slopes, strict=True))


@wrong(
    "gradients-in-one-tensor",
    replaces="gradients_of",
    says="The gradients were stacked: each has its own input's shape, so they fit into no one tensor. A tuple holds "
    "them.",
)
def gradients_in_one_tensor(output, inputs):
    slopes = torch.autograd.grad(output, inputs, allow_unused=True)
    return torch.stack([torch.zeros_like(x) if s is None else s for x, s in zip(inputs, slopes, strict=True)])


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
    says="v weighs the Jacobian's columns here, as if it stood on the side of x: this is v times the plain sum of the "
    "rows. It belongs to the outputs and weighs the rows, before they are summed: it is what backward starts from.",
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


@wrong(
    "whole-jacobian",
    replaces="vector_jacobian",
    says="That is the Jacobian itself, (m, n): v has no part in it yet. Asked is vᵀJ, the sum of its rows, each "
    "weighed by its element of v.",
)
def whole_jacobian(f, x, v):
    return torch.autograd.functional.jacobian(f, x)


@wrong(
    "last-row-alone",
    replaces="vector_jacobian",
    says="This is the last row of the Jacobian times the last element of v: in a loop over the outputs each walk "
    "replaced the one before, where all of them are to be added.",
)
def last_row_alone(f, x, v):
    x = x.clone().requires_grad_()
    (v[-1] * f(x)[-1]).backward()
    return x.grad


@wrong(
    "value-and-product",
    replaces="vector_jacobian",
    says="A pair came back: the functions named vjp give f(x) as well. The product is the second of the two.",
)
def value_and_product(f, x, v):
    return torch.autograd.functional.vjp(f, x, v)


@wrong(
    "v-into-the-input",
    replaces="vector_jacobian",
    says="x was multiplied by v before f: v has an element for each output, and weighs these, f(x).",
)
def v_into_the_input(f, x, v):
    x = x.clone().requires_grad_()
    f(x * v).sum().backward()
    return x.grad


@wrong(
    "clone-of-a-marked-x",
    replaces="vector_jacobian",
    says="None came back, and the caller's own x requires a gradient from now on: it was marked first and cloned then, "
    "so the clone is the result of an operation, no leaf. The copy comes first: x.clone().requires_grad_().",
)
def clone_of_a_marked_x(f, x, v):
    copy = x.requires_grad_().clone()
    f(copy).backward(v)
    return copy.grad
