"""Wrong answers to katas/03_autograd/graph.py."""

import torch
import torch.nn.functional as F

from torchkatas.bank import wrong


@wrong(
    "z-without-its-bias",
    replaces="forward",
    says="The bias is not in z: x1 * w1 is only the first part of it. (In the source b is 0, which hides this.)",
    fact="03.2",
)
def bias_left_out(x1, w1, b, y):
    z = x1 * w1
    a = torch.sigmoid(z)
    return z, a, F.binary_cross_entropy(a, y)


@wrong(
    "softmax-of-one",
    replaces="forward",
    says="The activation is 1 whatever z is, as a softmax over a single element always is; one output of its own is "
    "squashed by the sigmoid.",
    fact="03.3",
)
def softmax_of_one(x1, w1, b, y):
    z = x1 * w1 + b
    a = torch.softmax(z, dim=0)
    return z, a, F.binary_cross_entropy(a, y)


@wrong(
    "sigmoid-twice-in-loss",
    replaces="forward",
    says="z and a are right; the loss squashes once more: the *_with_logits loss applies the sigmoid by itself, so "
    "it takes z, and binary_cross_entropy takes a.",
    fact="03.4",
)
def sigmoid_twice_in_loss(x1, w1, b, y):
    z = x1 * w1 + b
    a = torch.sigmoid(z)
    return z, a, F.binary_cross_entropy_with_logits(a, y)


@wrong(
    "z-as-probability",
    replaces="forward",
    says="The loss was handed z where it takes a probability: z may lie outside [0, 1] (torch then refuses it), a "
    "never does.",
    fact="03.4",
)
def z_as_probability(x1, w1, b, y):
    z = x1 * w1 + b
    return z, torch.sigmoid(z), F.binary_cross_entropy(z, y)


@wrong(
    "target-first",
    replaces="forward",
    says="Prediction and target have changed places in the loss: it takes the logarithm of its first argument, "
    "which is to be a, and y comes second.",
    fact="03.4",
)
def target_first(x1, w1, b, y):
    z = x1 * w1 + b
    a = torch.sigmoid(z)
    return z, a, F.binary_cross_entropy(y, a)


@wrong(
    "one-class-loss",
    replaces="forward",
    says="The loss is -y·log(a) alone: where y is below 1, the other class's term -(1 - y)·log(1 - a) is missing.",
    fact="03.4",
)
def one_class_loss(x1, w1, b, y):
    z = x1 * w1 + b
    a = torch.sigmoid(z)
    return z, a, -(y * torch.log(a)).sum()


@wrong(
    "squared-error-loss",
    replaces="forward",
    says="The loss is the squared error (a - y)²; the worked example measures with the binary cross entropy.",
    fact="03.4",
)
def squared_error_loss(x1, w1, b, y):
    z = x1 * w1 + b
    a = torch.sigmoid(z)
    return z, a, F.mse_loss(a, y)


@wrong(
    "loss-keeps-its-axis",
    replaces="forward",
    says="The loss still has the shape (1,) of its inputs: a loss is one number, of shape (), once it is averaged "
    "or summed.",
)
def loss_keeps_its_axis(x1, w1, b, y):
    z = x1 * w1 + b
    a = torch.sigmoid(z)
    return z, a, F.binary_cross_entropy(a, y, reduction="none")


@wrong(
    "a12-detach-in-forward",
    replaces="forward",
    says="w1 left the graph on the way, as detach(), .data, .item() and .numpy() make it do: the loss has its "
    "value, and b still learns, while w1 gets no gradient and never moves.",
    fact="03.1",
)
def detach_in_forward(x1, w1, b, y):
    z = x1 * w1.detach() + b
    a = torch.sigmoid(z)
    return z, a, F.binary_cross_entropy(a, y)


@wrong(
    "cut-before-the-loss",
    replaces="forward",
    says="The loss has no graph behind it: no gradient can flow back to w1 and b, and backward() would refuse. Keep "
    "tensors from end to end; detach(), .item() and torch.tensor(...) start anew.",
    fact="03.1",
)
def cut_before_the_loss(x1, w1, b, y):
    z = x1 * w1 + b
    a = torch.sigmoid(z).detach()
    return z, a, F.binary_cross_entropy(a, y)


@wrong(
    "a14-loss-requires-grad-hack",
    replaces="forward",
    says="The loss requires a gradient, but none reaches w1 and b: what requires it is a tensor made on the way (the "
    "loss itself, with requires_grad set, or a new leaf). That silences backward()'s error and mends nothing: the "
    "path is still cut behind it, so nothing would learn.",
    fact="03.1",
)
def loss_requires_grad_hack(x1, w1, b, y):
    z = x1 * w1 + b
    a = torch.sigmoid(z).detach()
    return z, a, F.binary_cross_entropy(a, y).requires_grad_()


@wrong(
    "loss-without-its-minus",
    replaces="forward",
    says="The loss has the wrong sign: a logarithm of a probability is never positive, and the minus before both terms "
    "makes a loss of it that is 0 at best.",
    fact="03.4",
)
def loss_without_its_minus(x1, w1, b, y):
    z = x1 * w1 + b
    a = torch.sigmoid(z)
    return z, a, (y * torch.log(a) + (1 - y) * torch.log(1 - a)).sum()


@wrong(
    "tanh-for-sigmoid",
    replaces="forward",
    says="The activation is tanh(z), which lies between -1 and 1; the sigmoid's values lie between 0 and 1, as those "
    "of a probability must.",
    fact="03.3",
)
def tanh_for_sigmoid(x1, w1, b, y):
    z = x1 * w1 + b
    return z, torch.tanh(z), F.binary_cross_entropy_with_logits(z, y)


@wrong(
    "sigmoid-over-z",
    replaces="forward",
    says="z came back as the activation: sigmoid_(), with the underscore, writes its result over its input, so both "
    "names stand for one tensor. sigmoid() makes a new one.",
    fact="03.2",
)
def sigmoid_over_z(x1, w1, b, y):
    z = x1 * w1 + b
    a = z.sigmoid_()
    return z, a, F.binary_cross_entropy(a, y)


@wrong(
    "bias-as-a-number",
    replaces="forward",
    says="b left the graph on the way, as detach(), .data, .item() and float() make it do: the loss has its value, and "
    "w1 still learns, while b gets no gradient and never moves.",
    fact="03.1",
)
def bias_as_a_number(x1, w1, b, y):
    z = x1 * w1 + b.item()
    a = torch.sigmoid(z)
    return z, a, F.binary_cross_entropy(a, y)


@wrong(
    "input-cut-off",
    replaces="forward",
    says="x1 left the graph on the way: here it requires a gradient too, as the output of a layer before does, and all "
    "that lies behind it would learn nothing. Only what requires no gradient is a constant, and it needs no detach().",
    fact="03.1",
)
def input_cut_off(x1, w1, b, y):
    z = x1.detach() * w1 + b
    a = torch.sigmoid(z)
    return z, a, F.binary_cross_entropy(a, y)


@wrong(
    "backward-in-forward",
    replaces="forward",
    says="backward() has run on the loss already: the graph's saved values are freed, so that the caller, whose loss "
    "it is, cannot walk it. A forward pass computes, and leaves backward() to whoever asked for it.",
    fact="03.1",
)
def backward_in_forward(x1, w1, b, y):
    z = x1 * w1 + b
    a = torch.sigmoid(z)
    loss = F.binary_cross_entropy(a, y)
    loss.backward()
    return z, a, loss


@wrong(
    "gradients-left-by-forward",
    replaces="forward",
    says="The caller's leaves have a .grad after the forward pass: backward() ran in it, and the caller's own "
    "backward() will add to that. A forward pass computes, no more.",
    fact="03.1",
)
def gradients_left_by_forward(x1, w1, b, y):
    z = x1 * w1 + b
    a = torch.sigmoid(z)
    loss = F.binary_cross_entropy(a, y)
    loss.backward(retain_graph=True)
    return z, a, loss


@wrong(
    "is-leaf-alone",
    replaces="role",
    says="Constants come out as leaves: torch calls every tensor that no operation of a graph made a leaf (is_leaf, "
    "no grad_fn), also one that requires no gradient and so never gets one.",
)
def is_leaf_alone(node):
    return "leaf" if node.is_leaf else "interior"


@wrong(
    "requires-grad-alone",
    replaces="role",
    says="Interior nodes come out as leaves: what is computed from a leaf requires a gradient as well. The "
    "difference is whether an operation made it.",
)
def requires_grad_alone(node):
    return "leaf" if node.requires_grad else "constant"


@wrong(
    "all-else-interior",
    replaces="role",
    says="Constants come out as interior: what requires no gradient is no part of the graph, whether it was "
    "computed or not, and no gradient flows through it.",
)
def all_else_interior(node):
    return "leaf" if node.is_leaf and node.requires_grad else "interior"


@wrong(
    "asks-whether-grad-is-filled",
    replaces="role",
    says="A leaf is a leaf before any backward() has filled its .grad, and an interior node that retained its .grad "
    "is none: whether .grad is None does not tell the two apart.",
)
def asks_whether_grad_is_filled(node):
    if not node.requires_grad:
        return "constant"
    return "leaf" if node.grad is not None else "interior"


@wrong(
    "parameters-only",
    replaces="role",
    says="Every node that requires a gradient comes out as interior: a leaf need not be an nn.Parameter, any tensor "
    "that requires a gradient and was made by no operation is one.",
)
def parameters_only(node):
    if not node.requires_grad:
        return "constant"
    return "leaf" if isinstance(node, torch.nn.Parameter) else "interior"


@wrong(
    "leaf-and-interior-exchanged",
    replaces="role",
    says="Leaf and interior have changed places: a leaf is where the graph begins, no operation made it and it has no "
    "grad_fn.",
)
def leaf_and_interior_exchanged(node):
    if not node.requires_grad:
        return "constant"
    return "interior" if node.is_leaf else "leaf"


@wrong(
    "grad-fn-in-full",
    replaces="made_by",
    says='That is the graph\'s own name in full; the ending from "Backward" on is to go.',
)
def grad_fn_in_full(node):
    return node.grad_fn.name() if node.grad_fn else ""


@wrong(
    "strip-takes-letters",
    replaces="made_by",
    says='Letters of the name itself are missing, as in "A" for "Add": strip() and rstrip() take a set of letters, '
    "not an ending, and go on cutting while they meet one of these.",
)
def strip_takes_letters(node):
    ending = "Backward01"
    return node.grad_fn.name().rstrip(ending) if node.grad_fn else ""


@wrong(
    "ending-zero-only",
    replaces="made_by",
    says='One ending was cut, "Backward0", and others were left: other forms of an operation have other numbers (sum '
    'over a dim is SumBackward1), and a Function of one\'s own has none. Cut from "Backward" on.',
)
def ending_zero_only(node):
    return node.grad_fn.name().removesuffix("Backward0") if node.grad_fn else ""


@wrong(
    "nine-letters-cut",
    replaces="made_by",
    says='A letter of the name is gone where no number follows "Backward": the ending has no fixed length. Cut from '
    '"Backward" on.',
)
def nine_letters_cut(node):
    return node.grad_fn.name()[:-9] if node.grad_fn else ""


@wrong(
    "no-grad-fn-no-name",
    replaces="made_by",
    says="A leaf and a constant have no grad_fn: it is None, and None has no name. Answer for them first.",
)
def no_grad_fn_no_name(node):
    return node.grad_fn.name().partition("Backward")[0]


@wrong(
    "named-none-type",
    replaces="made_by",
    says="NoneType is the type of the missing grad_fn of a leaf or a constant; no operation made those, and the "
    "empty string says so.",
)
def named_none_type(node):
    return type(node.grad_fn).__name__.partition("Backward")[0]


@wrong(
    "one-node-too-far",
    replaces="made_by",
    says="That is the operation one step further back: next_functions lead to what made the node's inputs; the "
    "node's own is grad_fn itself.",
)
def one_node_too_far(node):
    if node.grad_fn is None:
        return ""
    before, _ = node.grad_fn.next_functions[0]
    return before.name().partition("Backward")[0]


@wrong(
    "number-left-behind",
    replaces="made_by",
    says='The number behind "Backward" is still there: replace() and removesuffix() take away that word alone. Cut '
    "from it on.",
)
def number_left_behind(node):
    return node.grad_fn.name().replace("Backward", "") if node.grad_fn else ""


@wrong(
    "name-out-of-the-printed-form",
    replaces="made_by",
    says="The name still has what print() shows before it, '<' or a module's name: that is the text of the object. "
    "grad_fn.name(), or the type's __name__, is the name alone.",
)
def name_out_of_the_printed_form(node):
    return str(node.grad_fn).partition("Backward")[0] if node.grad_fn else ""


@wrong(
    "eight-letters-cut",
    replaces="made_by",
    says='A "B" is left where a number follows "Backward": the ending has no fixed length. Cut from "Backward" on.',
)
def eight_letters_cut(node):
    return node.grad_fn.name()[:-8] if node.grad_fn else ""


@wrong(
    "a21-cast-after-requires-grad",
    replaces="trainable",
    says="This is no leaf: it was scaled or cast after requires_grad was set, so an operation made it. An optimizer "
    "refuses it, and its .grad stays None. Scale and cast first, set requires_grad last.",
)
def cast_after_requires_grad(values, scale):
    return values.clone().requires_grad_().float() * scale


@wrong(
    "marks-the-callers-values",
    replaces="trainable",
    says="The caller's values require a gradient from now on, and the result is no leaf but computed from them: "
    "requires_grad_() changes the tensor it is called on. Call it last, on the new tensor.",
)
def marks_the_callers_values(values, scale):
    values.requires_grad_()
    return (values * scale).float()


@wrong(
    "left-a-constant",
    replaces="trainable",
    says="The values are right, but nothing was told to require a gradient: backward() would pass this tensor by.",
)
def left_a_constant(values, scale):
    return values.float() * scale


@wrong(
    "double-precision-kept",
    replaces="trainable",
    says="The precision of the values was kept: float64 in, float64 out, where float32 is asked.",
)
def double_precision_kept(values, scale):
    return (values * scale).requires_grad_()


@wrong(
    "scaled-in-place",
    replaces="trainable",
    says="The caller's values were scaled as well: the multiplication ran in place, on their memory. Scale a new "
    "tensor.",
)
def scaled_in_place(values, scale):
    return values.mul_(scale).float().requires_grad_()


@wrong(
    "float-is-no-copy",
    replaces="trainable",
    says="The caller's values were scaled where they are float32 already: .float() and .to() then return the very "
    "same tensor, no copy, and the multiplication in place reaches it.",
)
def float_is_no_copy(values, scale):
    return values.float().mul_(scale).requires_grad_()


@wrong(
    "scale-forgotten",
    replaces="trainable",
    says="The values came back unscaled.",
)
def scale_forgotten(values, scale):
    return values.to(torch.float32, copy=True).requires_grad_()


def walk(step, found):
    """Every leaf at the end of every path, in order."""
    if step is None:
        return found
    if hasattr(step, "variable"):
        found.append(step.variable)
    for before, _ in step.next_functions:
        walk(before, found)
    return found


def start(node):
    return ([node] if node.requires_grad else []) if node.grad_fn is None else None


@wrong(
    "once-for-each-path",
    replaces="leaves_behind",
    says="A leaf that several paths lead to is listed several times; keep in mind which ones were found.",
)
def once_for_each_path(node):
    return start(node) if node.grad_fn is None else walk(node.grad_fn, [])


@wrong(
    "equal-is-not-the-same",
    replaces="leaves_behind",
    says="Leaves were compared by their values: `in` asks == of tensors. Two leaves of equal value then count as "
    "one, and with several elements == has no single truth. Compare with `is`, or by id().",
)
def equal_is_not_the_same(node):
    found = []
    for leaf in start(node) if node.grad_fn is None else walk(node.grad_fn, []):
        if leaf not in found:
            found.append(leaf)
    return found


@wrong(
    "first-branch-only",
    replaces="leaves_behind",
    says="Leaves are missing: not every branch was followed. Every entry of next_functions leads on, not the first "
    "alone, and one leaf found is not the end.",
)
def first_branch_only(node):
    if node.grad_fn is None:
        return start(node)
    step = node.grad_fn
    while step.next_functions and step.next_functions[0][0] is not None:
        step = step.next_functions[0][0]
    return [step.variable] if hasattr(step, "variable") else []


@wrong(
    "one-step-back",
    replaces="leaves_behind",
    says="Leaves are missing: the walk ended too early. It goes on from each input of each operation, not of the last "
    "one alone, and a None on the way, which stands for a constant, ends that branch only.",
)
def one_step_back(node):
    if node.grad_fn is None:
        return start(node)
    steps = dict.fromkeys(step for step, _ in node.grad_fn.next_functions)
    return [step.variable for step in steps if hasattr(step, "variable")]


@wrong(
    "trips-over-a-constant",
    replaces="leaves_behind",
    says="Where an input of an operation is a constant, its entry in next_functions is None: there is nothing to "
    "follow, so ask nothing of it.",
)
def trips_over_a_constant(node):
    if node.grad_fn is None:
        return start(node)
    leaves, todo = {}, [node.grad_fn]
    while todo:
        step = todo.pop()
        if hasattr(step, "variable"):
            leaves[id(step.variable)] = step.variable
        todo += [before for before, _ in step.next_functions]
    return list(leaves.values())


@wrong(
    "starts-at-no-grad-fn",
    replaces="leaves_behind",
    says="A leaf came out with nothing behind it, although backward() from a leaf fills that leaf's own .grad: it "
    "has no grad_fn to start a walk from, so answer for it apart.",
)
def starts_at_no_grad_fn(node):
    return list({id(leaf): leaf for leaf in walk(node.grad_fn, [])}.values())


@wrong(
    "constant-listed",
    replaces="leaves_behind",
    says="A constant is listed: torch's is_leaf is true of it as well, but it requires no gradient and backward() "
    "fills none.",
)
def constant_listed(node):
    return [node] if node.is_leaf else list({id(leaf): leaf for leaf in walk(node.grad_fn, [])}.values())


@wrong(
    "copies-of-leaves",
    replaces="leaves_behind",
    says="What came back are copies or detached twins: they have the leaves' values, but backward() never fills "
    "their .grad.",
)
def copies_of_leaves(node):
    leaves = start(node) if node.grad_fn is None else {id(leaf): leaf for leaf in walk(node.grad_fn, [])}.values()
    return [leaf.detach() for leaf in leaves]


@wrong(
    "accumulators-for-leaves",
    replaces="leaves_behind",
    says="What came back are nodes of the graph (AccumulateGrad), no tensors: the leaf into which such a node adds is "
    "its attribute `variable`.",
)
def accumulators_for_leaves(node):
    if node.grad_fn is None:
        return start(node)
    ends, todo, seen = [], [node.grad_fn], set()
    while todo:
        step = todo.pop()
        if step is None or step in seen:
            continue
        seen.add(step)
        if hasattr(step, "variable"):
            ends.append(step)
        todo += [before for before, _ in step.next_functions]
    return ends
