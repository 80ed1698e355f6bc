"""Wrong answers to katas/03_autograd/accumulation.py."""

import torch

from torchkatas.bank import wrong

# ---- gradient_history


@wrong(
    "a03-backward-twice-lucky",
    replaces="gradient_history",
    says="One forward, then backward() every round. torch refuses that only where the graph saved values and has "
    "freed them; a graph of sums saves none, runs again and adds the first round's gradient once more: one forward "
    "for each backward.",
)
def one_forward_for_all(loss, w, rounds):
    leaf, history = w.clone().requires_grad_(), []
    value = loss(leaf)
    for _ in range(rounds):
        value.backward()
        history.append(leaf.grad.clone())
    return history


@wrong(
    "history-of-one-tensor",
    replaces="gradient_history",
    says="Every entry is the last one. backward() adds to .grad in place, so that a list of .grad holds one tensor "
    "many times: keep a clone of it after each round.",
)
def the_same_tensor(loss, w, rounds):
    leaf, history = w.clone().requires_grad_(), []
    for _ in range(rounds):
        loss(leaf).backward()
        history.append(leaf.grad)
    return history


@wrong(
    "history-cleared",
    replaces="gradient_history",
    says="Each entry is its own round's gradient alone: .grad was cleared between the rounds, or each round had a new "
    "leaf. Left alone, one leaf's .grad is the sum of all rounds so far.",
    fact="03.9",
)
def cleared_each_round(loss, w, rounds):
    leaf, history = w.clone().requires_grad_(), []
    for _ in range(rounds):
        leaf.grad = None
        loss(leaf).backward()
        history.append(leaf.grad)
    return history


@wrong(
    "history-by-multiples",
    replaces="gradient_history",
    says="These are 1, 2, 3 ... times the first round's gradient. What backward() adds is the gradient of this "
    "round's loss, which need not be that of the first.",
)
def multiples_of_the_first(loss, w, rounds):
    leaf = w.clone().requires_grad_()
    loss(leaf).backward()
    return [leaf.grad * (i + 1) for i in range(rounds)]


@wrong(
    "history-on-the-callers-tensor",
    replaces="gradient_history",
    says="The numbers are right, but the caller's w requires a gradient from now on, and every graph it enters is "
    "recorded. Mark a leaf of your own: w.clone(), or w.detach().",
)
def marks_the_callers_tensor(loss, w, rounds):
    w.requires_grad_()
    history = []
    for _ in range(rounds):
        loss(w).backward()
        history.append(w.grad.clone())
    return history


@wrong(
    "history-without-a-leaf",
    replaces="gradient_history",
    says="Nothing in the loss requires a gradient, so that no graph was recorded and backward() has nothing to walk. "
    "w is handed in without: make a leaf of your own that requires one.",
)
def without_a_leaf(loss, w, rounds):
    leaf, history = w.clone(), []
    for _ in range(rounds):
        loss(leaf).backward()
        history.append(leaf.grad.clone())
    return history


@wrong(
    "history-while-w-moves",
    replaces="gradient_history",
    says="The leaf was changed between the rounds, as a training step would: each round is to see the same w, and "
    "nothing but the gradient adds up.",
)
def history_while_w_moves(loss, w, rounds):
    leaf, out = w.clone().requires_grad_(), []
    for _ in range(rounds):
        loss(leaf).backward()
        out.append(leaf.grad.clone())
        with torch.no_grad():
            leaf -= 0.1 * leaf.grad
    return out


@wrong(
    "history-one-short",
    replaces="gradient_history",
    says="One round is missing: range(1, rounds) has rounds - 1 numbers, as the end is not in it.",
)
def history_one_short(loss, w, rounds):
    leaf, out = w.clone().requires_grad_(), []
    for _ in range(1, rounds):
        loss(leaf).backward()
        out.append(leaf.grad.clone())
    return out


@wrong(
    "history-of-a-growing-loss",
    replaces="gradient_history",
    says="The losses were added up, and backward() ran on their sum in each round: .grad adds up by itself, so that "
    "the early losses count several times.",
)
def history_of_a_growing_loss(loss, w, rounds):
    leaf, out, total = w.clone().requires_grad_(), [], 0
    for _ in range(rounds):
        total = total + loss(leaf)
        total.backward(retain_graph=True)
        out.append(leaf.grad.clone())
    return out


@wrong(
    "history-after-a-look-at-the-loss",
    replaces="gradient_history",
    says="The loss was called once more than there are rounds: it may answer differently each time, and each answer is "
    "to be the round's own. Keep what it gave, to print it or to walk back from it.",
)
def history_after_a_look_at_the_loss(loss, w, rounds):
    leaf, out = w.clone().requires_grad_(), []
    loss(leaf)
    for _ in range(rounds):
        loss(leaf).backward()
        out.append(leaf.grad.clone())
    return out


# ---- clear


@wrong(
    "zeroes-a-none",
    replaces="clear",
    says="A .grad may be None: before the first backward, and after zero_grad(), which sets None by default. None has "
    "no .zero_(): set None yourself, or ask first.",
    fact="03.9",
)
def zeroes_a_none(params):
    for p in params:
        p.grad.zero_()


@wrong(
    "zeroes-the-parameters",
    replaces="clear",
    says="The values of the parameters were set to zero, and with them everything learned; it is their .grad that is "
    "to be cleared.",
)
def zeroes_the_parameters(params):
    with torch.no_grad():
        for p in params:
            p.zero_()


@wrong(
    "clears-a-name",
    replaces="clear",
    says="The gradients are still there, and the next backward adds to them. A name that is set to None lets go of "
    "the tensor, no more; the parameter holds on to it until its attribute .grad is set.",
    fact="03.9",
)
def clears_a_name(params):
    for p in params:
        grad = p.grad
        grad = None  # noqa: F841


@wrong(
    "stops-clearing-at-none",
    replaces="clear",
    says="The clearing ended early, and the parameters behind were not cleared: a .grad of None is to be passed "
    "over, not to end the loop.",
)
def stops_at_none(params):
    for p in params:
        if p.grad is None:
            break
        p.grad = None


@wrong(
    "clears-by-times-zero",
    replaces="clear",
    says="NaN and inf are still NaN after a multiplication by zero, so that one overflow stays in .grad for good. "
    "Store zeros, or None, in place of computing them.",
)
def times_zero(params):
    for p in params:
        if p.grad is not None:
            p.grad *= 0


@wrong(
    "clears-to-a-number",
    replaces="clear",
    says=".grad takes a tensor of the parameter's shape, or None; a number is neither, and torch refuses it.",
)
def to_a_number(params):
    for p in params:
        p.grad = 0


@wrong(
    "clears-what-has-a-length",
    replaces="clear",
    says="The parameters may come from an iterator, as model.parameters() gives one: it has no length and no [i], only "
    "a `for` goes through it.",
)
def clears_what_has_a_length(params):
    for i in range(len(params)):
        params[i].grad = None


@wrong(
    "clears-and-freezes",
    replaces="clear",
    says="The parameters no longer require a gradient: the next backward does not reach them. Only .grad is to be "
    "cleared.",
)
def clears_and_freezes(params):
    for p in params:
        p.grad = None
        p.requires_grad_(False)


@wrong(
    "zero-grad-of-a-tensor",
    replaces="clear",
    says="zero_grad() is a method of modules and optimizers; a tensor has none. Set its .grad.",
)
def zero_grad_of_a_tensor(params):
    for p in params:
        p.zero_grad()


# ---- fresh_gradients


@wrong(
    "adds-to-stale",
    replaces="fresh_gradients",
    says="What stood in .grad is still in the sum: backward() adds, it never replaces. Clear before it runs.",
    fact="03.9",
)
def adds_to_stale(loss, params):
    loss().backward()


@wrong(
    "fresh-zeroes-a-none",
    replaces="fresh_gradients",
    says="A parameter that has seen no backward yet, or whose gradient was cleared, has None for a .grad, and None "
    "has no .zero_(). Set .grad to None in place of zeroing it, or ask first.",
    fact="03.9",
)
def fresh_zeroes_a_none(loss, params):
    for p in params:
        p.grad.zero_()
    loss().backward()


@wrong(
    "clears-after-backward",
    replaces="fresh_gradients",
    says="No gradient is left: backward() did not run, or they were cleared after it had filled them, so that a step "
    "has nothing to go by. Clear first, then backward.",
)
def clears_after_backward(loss, params):
    loss().backward()
    for p in params:
        p.grad = None


@wrong(
    "fresh-up-to-the-first-none",
    replaces="fresh_gradients",
    says="The clearing ended at the first .grad that is None, and a parameter behind it kept its stale gradient. One "
    "None tells nothing of the others.",
    fact="03.9",
)
def up_to_the_first_none(loss, params):
    for p in params:
        if p.grad is None:
            break
        p.grad.zero_()
    loss().backward()


@wrong(
    "unused-stays-stale",
    replaces="fresh_gradients",
    says="The parameter that the loss does not use kept its stale gradient, and the next step would follow it again. "
    "Where backward() has nothing to bring, only clearing empties .grad.",
)
def unused_stays_stale(loss, params):
    for p, gradient in zip(params, torch.autograd.grad(loss(), params, allow_unused=True), strict=True):
        if gradient is not None:
            p.grad = gradient


@wrong(
    "unused-is-refused",
    replaces="fresh_gradients",
    says="autograd.grad refuses a parameter that the loss does not use, unless allow_unused=True lets it answer None; "
    "backward() simply passes it by.",
)
def unused_is_refused(loss, params):
    for p, gradient in zip(params, torch.autograd.grad(loss(), params), strict=True):
        p.grad = gradient


@wrong(
    "walks-twice",
    replaces="fresh_gradients",
    says="This is twice the gradient: backward() went through the graph two times, and the second walk was added to "
    "the first.",
    fact="03.9",
)
def walks_twice(loss, params):
    for p in params:
        p.grad = None
    value = loss()
    value.backward(retain_graph=True)
    value.backward()


@wrong(
    "forward-twice",
    replaces="fresh_gradients",
    says="The forward pass ran twice, and the gradient belongs to the second answer. A loss with dropout, or one that "
    "takes the next batch, answers differently each time: keep what the first call gave.",
)
def forward_twice(loss, params):
    for p in params:
        p.grad = None
    if loss().isfinite():
        loss().backward()


@wrong(
    "steps-as-well",
    replaces="fresh_gradients",
    says="The gradients are right, but the parameters moved: a step was taken, which is the caller's to take.",
)
def steps_as_well(loss, params):
    for p in params:
        p.grad = None
    loss().backward()
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                p -= 0.1 * p.grad


@wrong(
    "fresh-without-a-graph",
    replaces="fresh_gradients",
    says="The forward pass ran under no_grad, so that no graph was recorded and backward() has nothing to walk. "
    "no_grad belongs around the step, not around the loss.",
)
def fresh_without_a_graph(loss, params):
    for p in params:
        p.grad = None
    with torch.no_grad():
        loss().backward()


# ---- backward_all


@wrong(
    "a02-backward-twice",
    replaces="backward_all",
    says="A second backward() came to a part of the graph whose saved values the first had freed: the losses share a "
    "forward pass. Add the losses up and walk the graph once, or run the forward again for each.",
)
def a_backward_for_each(losses):
    for loss in losses:
        loss.backward()


@wrong(
    "mean-of-losses",
    replaces="backward_all",
    says="What was added is the gradient of the mean of the losses: the sum divided by their number.",
)
def mean_of_losses(losses):
    torch.stack(tuple(losses)).mean().backward()


@wrong(
    "stacks-without-a-sum",
    replaces="backward_all",
    says="backward() needs a scalar to start from, and stacked losses are a vector: reduce it by sum() first.",
)
def stacks_without_a_sum(losses):
    torch.stack(tuple(losses)).backward()


@wrong(
    "last-loss-alone",
    replaces="backward_all",
    says="Only the last loss reached the leaves: the others were computed and then left out.",
)
def last_loss_alone(losses):
    losses[-1].backward()


@wrong(
    "losses-as-numbers",
    replaces="backward_all",
    says="No gradient came to the leaves. The sum was made of numbers that had left the graph, and requires_grad "
    "makes such a sum a new leaf, with nothing below it: add the loss tensors themselves.",
)
def losses_as_numbers(losses):
    torch.tensor(sum(loss.item() for loss in losses)).requires_grad_().backward()


@wrong(
    "backward-of-each-partial-sum",
    replaces="backward_all",
    says="The early losses count several times: backward() ran on each partial sum, and .grad adds them all up. Call "
    "it once, when the sum is complete.",
    fact="03.9",
)
def each_partial_sum(losses):
    total = 0.0
    for loss in losses:
        total = total + loss
        total.backward(retain_graph=True)


@wrong(
    "first-loss-alone",
    replaces="backward_all",
    says="Only the first loss reached the leaves: the others were left out.",
)
def first_loss_alone(losses):
    losses[0].backward()


@wrong(
    "last-loss-left-out",
    replaces="backward_all",
    says="The last loss did not reach the leaves: the sum, or the loop over the losses, ended one too early.",
)
def last_loss_left_out(losses):
    sum(losses[:-1]).backward()


@wrong(
    "first-loss-counts-twice",
    replaces="backward_all",
    says="The first loss counts twice: the sum started with it, and then all were added, it among them.",
)
def first_loss_counts_twice(losses):
    sum(losses, losses[0]).backward()


@wrong(
    "torch-sum-of-a-list",
    replaces="backward_all",
    says="torch.sum takes one tensor, no list of them: Python's sum adds a list's elements, and torch.stack makes one "
    "tensor of them.",
)
def torch_sum_of_a_list(losses):
    torch.sum(losses).backward()


@wrong(
    "sum-in-the-first-loss",
    replaces="backward_all",
    says="The gradients are right, but the caller's first loss has the value of the sum now: total = losses[0] is "
    "another name for it, and += on a tensor changes the tensor itself. total = total + loss makes a new one.",
)
def sum_in_the_first_loss(losses):
    total = losses[0]
    for loss in losses[1:]:
        total += loss
    total.backward()


# ---- separate_gradients


@wrong(
    "frees-the-shared-graph",
    replaces="separate_gradients",
    says="The walk back from the first loss freed the saved values of the part that all losses share. "
    "retain_graph=True keeps them for the next walk.",
)
def frees_the_shared_graph(losses, w):
    return [torch.autograd.grad(loss, w)[0] for loss in losses]


@wrong(
    "separate-gradients-add-up",
    replaces="separate_gradients",
    says="These are running sums: each backward() added to the .grad of those before it. One gradient by itself needs "
    "a cleared .grad, or autograd.grad, which does not touch it.",
)
def running_sums(losses, w):
    kept, gradients = w.grad, []
    w.grad = None
    for loss in losses:
        loss.backward(retain_graph=True)
        gradients.append(w.grad.clone())
    w.grad = kept
    return gradients


@wrong(
    "separate-last-left-behind",
    replaces="separate_gradients",
    says="The gradients are right, but .grad was used for the work and does not hold what it held before; whoever was "
    "collecting gradients there has lost them.",
)
def last_left_behind(losses, w):
    gradients = []
    for loss in losses:
        w.grad = None
        loss.backward(retain_graph=True)
        gradients.append(w.grad)
    return gradients


@wrong(
    "separate-same-tensor",
    replaces="separate_gradients",
    says="Every entry is the last loss's gradient. w.grad was zeroed in place and filled again, so that the list "
    "holds one tensor many times: keep a clone, or set .grad to None.",
)
def the_same_tensor_zeroed(losses, w):
    kept, gradients = w.grad, []
    w.grad = torch.zeros_like(w)
    for loss in losses:
        w.grad.zero_()
        loss.backward(retain_graph=True)
        gradients.append(w.grad)
    w.grad = kept
    return gradients


@wrong(
    "separate-as-one-sum",
    replaces="separate_gradients",
    says="One gradient came back, the sum over all losses: autograd.grad on several outputs adds up what each of them "
    "brings. Ask for one loss at a time.",
)
def all_at_once(losses, w):
    return list(torch.autograd.grad(losses, w))


@wrong(
    "separate-starts-stale",
    replaces="separate_gradients",
    says="The first gradient includes what stood in w.grad before, which is lost now: .grad is cleared after each "
    "walk here, but was not empty before the first.",
)
def starts_stale(losses, w):
    gradients = []
    for loss in losses:
        loss.backward(retain_graph=True)
        gradients.append(w.grad.clone())
        w.grad = None
    return gradients


@wrong(
    "separate-in-tuples",
    replaces="separate_gradients",
    says="Each entry is a tuple with one gradient in it: autograd.grad returns a tuple also for a single input. Take "
    "its [0].",
)
def separate_in_tuples(losses, w):
    return [torch.autograd.grad(loss, w, retain_graph=True) for loss in losses]


@wrong(
    "separate-in-one-tensor",
    replaces="separate_gradients",
    says="The gradients were stacked into one tensor; a list of them is asked.",
)
def separate_in_one_tensor(losses, w):
    return torch.stack([torch.autograd.grad(loss, w, retain_graph=True)[0] for loss in losses])


@wrong(
    "separate-old-gradient-thrown-away",
    replaces="separate_gradients",
    says="The gradients are right, but w.grad is None or zeros now, where there was a tensor: it was cleared for the "
    "work, and whoever was collecting gradients there has lost them.",
)
def separate_old_gradient_thrown_away(losses, w):
    out = []
    for loss in losses:
        w.grad = None
        loss.backward(retain_graph=True)
        out.append(w.grad)
    w.grad = None
    return out


@wrong(
    "separate-for-a-copy-of-w",
    replaces="separate_gradients",
    says="A copy of w was made and asked for its gradient: the losses were computed from w before, and no path of "
    "their graph leads to the copy.",
)
def separate_for_a_copy_of_w(losses, w):
    w = w.detach().clone().requires_grad_()
    return [torch.autograd.grad(loss, w, retain_graph=True)[0] for loss in losses]
