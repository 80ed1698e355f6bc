"""Wrong answers to katas/01_components/gradients_for_free.py."""

import torch

from torchkatas.bank import wrong

# ---- slope


@wrong(
    "value-for-slope",
    replaces="slope",
    says="That is f(x), the height at x; the slope is what backward() leaves in .grad of the tensor that f was given.",
)
def value_for_slope(f, x):
    return f(torch.tensor(x)).item()


@wrong(
    "slope-as-tensor",
    replaces="slope",
    says="The slope is right, but still a tensor of shape (); .item() takes the Python float out of it.",
)
def slope_as_tensor(f, x):
    leaf = torch.tensor(x, requires_grad=True)
    f(leaf).backward()
    return leaf.grad


@wrong(
    "nobody-asked-for-a-gradient",
    replaces="slope",
    says="Nothing was recorded, so there is no graph for backward() to walk: autograd follows a tensor only if it "
    "requires a gradient before f is called. Make it with requires_grad=True.",
)
def nobody_asked_for_a_gradient(f, x):
    leaf = torch.tensor(x)
    f(leaf).backward()
    return leaf.grad.item()


@wrong(
    "grad-is-none",
    replaces="slope",
    says="The .grad that was read is None: backward() fills it only for the leaf that f was called on. A leaf requires "
    "a gradient before f runs, and does not itself come out of an operation, such as a cast.",
)
def grad_is_none(f, x):
    leaf = torch.tensor(x)
    f(leaf).requires_grad_().backward()
    return leaf.grad.item()


@wrong(
    "difference-quotient",
    replaces="slope",
    says="f was called twice: the difference of two values only comes near the slope, and costs one more call for each "
    "input. Autograd needs one call, and is as exact as the operations themselves.",
    fact="01.3",
)
def difference_quotient(f, x):
    x, h = torch.tensor(x, dtype=torch.float64), 1e-6
    return ((f(x + h) - f(x - h)) / (2 * h)).item()


@wrong(
    "vector-of-one",
    replaces="slope",
    says="f got a vector of one value, shape (1,), where it is promised a scalar, shape (): the brackets made an axis.",
)
def vector_of_one(f, x):
    leaf = torch.tensor([x], requires_grad=True)
    f(leaf).sum().backward()
    return leaf.grad.item()


# ---- tent


@wrong(
    "branch-chosen-once",
    replaces="tent",
    says="The branch was chosen once, by the first value, and kept for all n steps. An `if` inside the loop is asked "
    "anew in each step, and the graph follows the way it went.",
    fact="01.4",
)
def branch_chosen_once(x, n):
    low = bool(x < 0.5)
    for _ in range(n):
        x = 2 * x if low else 2 - 2 * x
    return x


@wrong(
    "never-folded",
    replaces="tent",
    says="The value is doubled in every step and leaves the range from 0 to 1: from 1/2 on the step is 2 - 2v.",
)
def never_folded(x, n):
    for _ in range(n):
        x = 2 * x
    return x


@wrong(
    "branches-exchanged",
    replaces="tent",
    says="The two branches are exchanged: values below 1/2 are to be doubled, the others folded back by 2 - 2v.",
)
def branches_exchanged(x, n):
    for _ in range(n):
        x = 2 - 2 * x if x < 0.5 else 2 * x
    return x


@wrong(
    "single-step",
    replaces="tent",
    says="This is the result of one step, whatever n is: the loop has to go n times, on the value of the step before.",
)
def single_step(x, n):
    return 2 * x if x < 0.5 else 2 - 2 * x


@wrong(
    "one-step-too-few",
    replaces="tent",
    says="One step is missing: the loop ran n - 1 times, as it does over range(1, n).",
)
def one_step_too_few(x, n):
    for _ in range(1, n):
        x = 2 * x if x < 0.5 else 2 - 2 * x
    return x


@wrong(
    "number-goes-on",
    replaces="tent",
    says="The value is right, but no gradient can flow back to x: it was computed from a Python number or a detached "
    "tensor, and the graph ends there. Let the number decide the `if`, but compute with the tensor.",
)
def number_goes_on(x, n):
    value = x.item()
    for _ in range(n):
        value = 2 * value if value < 0.5 else 2 - 2 * value
    return torch.tensor(value, dtype=x.dtype)


@wrong(
    "doubled-in-place",
    replaces="tent",
    says="The caller's x was changed by an operation in place, such as `x *= 2`; torch refuses that on a leaf that "
    "requires a gradient. Make a new tensor in each step: `x = 2 * x`.",
)
def doubled_in_place(x, n):
    for _ in range(n):
        if x < 0.5:
            x *= 2
        else:
            x = 2 - 2 * x
    return x


# ---- gradient


@wrong(
    "no-backward",
    replaces="gradient",
    says="backward() never ran: calling f only builds the graph, and .grad stays None until a pass goes back over it.",
    fact="01.5",
)
def no_backward(f, point):
    leaf = point.clone().requires_grad_()
    f(leaf)
    return leaf.grad


@wrong(
    "point-marked",
    replaces="gradient",
    says="The caller's own point now requires a gradient: requires_grad_() works in place, as its underscore says, and "
    "all that is computed with point later is recorded. Mark a leaf of your own, made by clone() or detach().",
)
def point_marked(f, point):
    point.requires_grad_()
    f(point).backward()
    return point.grad


@wrong(
    "grad-left-on-the-point",
    replaces="gradient",
    says="The gradient stays in the caller's point.grad, and the next call at this point adds to it. Ask for it on a "
    "leaf of your own, made by clone() or detach().",
)
def grad_left_on_the_point(f, point):
    point.requires_grad_()
    f(point).backward()
    point.requires_grad_(False)
    return point.grad


@wrong(
    "backward-returned",
    replaces="gradient",
    says="backward() returns nothing: it puts the gradient into the leaf's .grad. Return that.",
)
def backward_returned(f, point):
    return f(point.clone().requires_grad_()).backward()


@wrong(
    "slopes-added",
    replaces="gradient",
    says="The slopes along the axes were added up to one number; the gradient keeps one for each axis, shape (D,).",
)
def slopes_added(f, point):
    leaf = point.clone().requires_grad_()
    f(leaf).backward()
    return leaf.grad.sum()


@wrong(
    "downhill",
    replaces="gradient",
    says="The sign is turned: the gradient points uphill. It is a step of descent that goes the other way.",
)
def downhill(f, point):
    leaf = point.clone().requires_grad_()
    f(leaf).backward()
    return -leaf.grad


@wrong(
    "axis-by-axis",
    replaces="gradient",
    says="f was called twice for each axis, to take differences. Backpropagation saves just that: one call, one "
    "backward(), and the slopes along all axes are there.",
    fact="01.5",
)
def axis_by_axis(f, point):
    h = 1e-6
    wide = point.double()
    steps = h * torch.eye(len(point), dtype=torch.float64)
    return torch.stack([(f(wide + step) - f(wide - step)) / (2 * h) for step in steps]).to(point.dtype)


@wrong(
    "grad-of-a-clone",
    replaces="gradient",
    says="backward() fills .grad of leaves only, and the tensor whose .grad was read is no leaf: it came out of an "
    "operation (clone, to, *) on the one that requires the gradient. Clone first, then requires_grad_().",
)
def grad_of_a_clone(f, point):
    inner = point.detach().requires_grad_().clone()
    f(inner).backward()
    return inner.grad


# ---- descend


@wrong(
    "uphill",
    replaces="descend",
    says="This climbs: the slope points to where f grows, so descent subtracts it.",
)
def uphill(f, x, lr, steps):
    for _ in range(steps):
        x += lr * slope(f, x)  # noqa: F821
    return x


@wrong(
    "one-slope-for-all",
    replaces="descend",
    says="All steps use the slope at the first x. The slope changes as x moves: run f again in each step, "
    "and a new graph is built at the new x.",
    fact="01.4",
)
def one_slope_for_all(f, x, lr, steps):
    first = slope(f, x)  # noqa: F821
    return x - steps * lr * first


@wrong(
    "slopes-pile-up",
    replaces="descend",
    says="From the second step on, the slopes of all steps before are subtracted too: backward() adds to .grad. "
    "Clear it in each step, or use a new leaf.",
)
def slopes_pile_up(f, x, lr, steps):
    leaf = torch.tensor(x, requires_grad=True)
    for _ in range(steps):
        f(leaf).backward()
        with torch.no_grad():
            leaf -= lr * leaf.grad
    return leaf.item()


@wrong(
    "no-leaf-any-more",
    replaces="descend",
    says="After one step x is no leaf any more: it came out of the subtraction, so backward() leaves it without .grad. "
    "Each step needs a new leaf, or one that is changed under torch.no_grad().",
)
def no_leaf_any_more(f, x, lr, steps):
    x = torch.tensor(x, requires_grad=True)
    for _ in range(steps):
        f(x).backward()
        x = x - lr * x.grad
    return x.item()


@wrong(
    "one-step-of-many",
    replaces="descend",
    says="Only one step was taken, however many were asked.",
)
def one_step_of_many(f, x, lr, steps):
    return x - lr * slope(f, x)  # noqa: F821


@wrong(
    "height-for-place",
    replaces="descend",
    says="That is f at the place that was reached; asked is the place itself, x.",
)
def height_for_place(f, x, lr, steps):
    for _ in range(steps):
        x -= lr * slope(f, x)  # noqa: F821
    return f(torch.tensor(x)).item()
