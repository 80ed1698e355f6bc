"""Wrong answers to katas/06_training/loop.py."""

import torch
import torch.nn.functional as F

from torchkatas.bank import wrong


def learned(model, loss_fn, optimizer, X, y):
    """A right step on one batch; the loss with its graph."""
    loss = loss_fn(model(X), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


# ---- train_step


@wrong(
    "r02-zero-after-backward",
    replaces="train_step",
    says="The gradients were cleared between backward() and step(): the step finds none, and the model never "
    "changes. zero_grad() comes before backward() or after step(), never in between.",
    fact="05.11",
)
def zero_after_backward(model, loss_fn, optimizer, X, y):
    loss = loss_fn(model(X), y)
    loss.backward()
    optimizer.zero_grad()
    optimizer.step()
    return loss.item()


@wrong(
    "r03-step-before-backward",
    replaces="train_step",
    says="step() came before backward(): it follows the gradients that the batch before has left, and at the first "
    "batch none at all. Each step is one batch late.",
    fact="05.11",
)
def step_before_backward(model, loss_fn, optimizer, X, y):
    loss = loss_fn(model(X), y)
    optimizer.step()
    optimizer.zero_grad()
    loss.backward()
    return loss.item()


@wrong(
    "step-on-cleared-gradients",
    replaces="train_step",
    says="step() came after zero_grad() and before backward(): it never finds a gradient, and the model never "
    "changes. First backward() fills the gradients, then step() uses them.",
    fact="05.11",
)
def step_on_cleared_gradients(model, loss_fn, optimizer, X, y):
    optimizer.zero_grad()
    loss = loss_fn(model(X), y)
    optimizer.step()
    loss.backward()
    return loss.item()


@wrong(
    "batches-add-up",
    replaces="train_step",
    says="The gradients of the batches add up: the first step is right, each later one follows those of all "
    "batches so far. backward() adds to .grad, so it has to be cleared once in each step.",
    fact="05.13",
)
def batches_add_up(model, loss_fn, optimizer, X, y):
    loss = loss_fn(model(X), y)
    loss.backward()
    optimizer.step()
    return loss.item()


@wrong(
    "step-left-out",
    replaces="train_step",
    says="The gradients are there, but the optimizer's step() never ran: backward() fills .grad and moves nothing.",
    fact="05.11",
)
def step_left_out(model, loss_fn, optimizer, X, y):
    loss = loss_fn(model(X), y)
    optimizer.zero_grad()
    loss.backward()
    return loss.item()


@wrong(
    "backward-left-out",
    replaces="train_step",
    says="No backward pass reached the model's parameters before the step (it is missing, went through a copy of the "
    "model, or began at a loss that was cut off): they have no gradient, and step() passes over them in silence.",
    fact="05.11",
)
def backward_left_out(model, loss_fn, optimizer, X, y):
    loss = loss_fn(model(X), y)
    optimizer.zero_grad()
    optimizer.step()
    return loss.item()


@wrong(
    "backward-twice-in-a-step",
    replaces="train_step",
    says="Two backward passes for one step: their gradients add up, and each step goes twice as far as it should.",
    fact="05.11",
)
def backward_twice_in_a_step(model, loss_fn, optimizer, X, y):
    loss = loss_fn(model(X), y)
    optimizer.zero_grad()
    loss.backward(retain_graph=True)
    loss.backward()
    optimizer.step()
    return loss.item()


@wrong(
    "step-twice-in-a-batch",
    replaces="train_step",
    says="The optimizer's step() ran twice on the gradients of one batch: the model moves twice for each backward "
    "pass.",
    fact="05.11",
)
def step_twice_in_a_batch(model, loss_fn, optimizer, X, y):
    loss = learned(model, loss_fn, optimizer, X, y)
    optimizer.step()
    return loss.item()


@wrong(
    "step-gives-a-tensor",
    replaces="train_step",
    says="The loss came back as a tensor that still belongs to its graph: whoever keeps it, in a total or in a "
    "list, keeps the graph of each batch. .item() takes the number out.",
)
def step_gives_a_tensor(model, loss_fn, optimizer, X, y):
    return learned(model, loss_fn, optimizer, X, y)


@wrong(
    "step-gives-a-detached-tensor",
    replaces="train_step",
    says="The loss left its graph, but it is a tensor still; .item() gives the Python number.",
)
def step_gives_a_detached_tensor(model, loss_fn, optimizer, X, y):
    return learned(model, loss_fn, optimizer, X, y).detach()


@wrong(
    "loss-after-the-step",
    replaces="train_step",
    says="That is the loss of the changed model: the batch went through it once more after the step. The loss that "
    "the step was made from is known already, and costs no second forward pass.",
    fact="05.11",
)
def loss_after_the_step(model, loss_fn, optimizer, X, y):
    learned(model, loss_fn, optimizer, X, y)
    return loss_fn(model(X), y).item()


@wrong(
    "moved-past-the-optimizer",
    replaces="train_step",
    says="The model was moved, but not by the optimizer that was handed in, which never took a step: whether by "
    "hand or by another optimizer, its momentum, or whatever else it remembers from step to step, is lost.",
    fact="05.11",
)
def moved_past_the_optimizer(model, loss_fn, optimizer, X, y):
    return learned(model, loss_fn, torch.optim.SGD(model.parameters(), lr=optimizer.param_groups[0]["lr"]), X, y).item()


@wrong(
    "targets-before-outputs",
    replaces="train_step",
    says="The loss was called the wrong way round: the outputs come first, the targets second. Binary cross "
    "entropy takes both without an error and means something else.",
)
def targets_before_outputs(model, loss_fn, optimizer, X, y):
    return learned(model, lambda outputs, targets: loss_fn(targets, outputs), optimizer, X, y).item()


@wrong(
    "outputs-through-a-sigmoid",
    replaces="train_step",
    says="The outputs went through a sigmoid before the loss. Whether they are logits is between the model and the "
    "loss: one that takes logits applies a sigmoid itself, and a second one leaves hardly any slope.",
)
def outputs_through_a_sigmoid(model, loss_fn, optimizer, X, y):
    return learned(model, lambda outputs, targets: loss_fn(torch.sigmoid(outputs), targets), optimizer, X, y).item()


@wrong(
    "loss-of-ones-own",
    replaces="train_step",
    says="This is the mean squared error whatever loss is handed in; what is minimised is the caller's choice, "
    "loss_fn.",
)
def loss_of_ones_own(model, loss_fn, optimizer, X, y):
    return learned(model, F.mse_loss, optimizer, X, y).item()


@wrong(
    "forward-past-the-hooks",
    replaces="train_step",
    says="The values are right, but model.forward(X) was called instead of model(X): only the latter runs the "
    "hooks that others have put on the model, and those of this spec never saw a forward pass.",
)
def forward_past_the_hooks(model, loss_fn, optimizer, X, y):
    return learned(model.forward, loss_fn, optimizer, X, y).item()


@wrong(
    "number-cannot-go-backward",
    replaces="train_step",
    says="The loss became a Python number before the backward pass, and a number has no graph to go back through. "
    "Take the number out at the end, for the caller.",
    fact="05.11",
)
def number_cannot_go_backward(model, loss_fn, optimizer, X, y):
    loss = loss_fn(model(X), y).item()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


@wrong(
    "step-gives-a-numpy-number",
    replaces="train_step",
    says="The loss came back as a number of NumPy's: it has a dtype of its own and is no Python float, which "
    "loss.item() gives.",
)
def step_gives_a_numpy_number(model, loss_fn, optimizer, X, y):
    return learned(model, loss_fn, optimizer, X, y).detach().numpy()[()]


@wrong(
    "step-gives-a-numpy-array",
    replaces="train_step",
    says="The loss came back as a NumPy array without dimensions, on the memory of the loss itself. loss.item() gives "
    "a Python float.",
)
def step_gives_a_numpy_array(model, loss_fn, optimizer, X, y):
    return learned(model, loss_fn, optimizer, X, y).detach().numpy()


@wrong(
    "step-in-eval-mode",
    replaces="train_step",
    says="The batch went forward in eval mode: there dropout is off, and batch norm uses its running statistics and "
    "learns none. A training step runs in train mode, in which the model came.",
)
def step_in_eval_mode(model, loss_fn, optimizer, X, y):
    model.eval()
    return learned(model, loss_fn, optimizer, X, y).item()


@wrong(
    "step-in-eval-mode-and-back",
    replaces="train_step",
    says="The batch went forward in eval mode, and train mode came back only after it: there dropout is off, and "
    "batch norm learns no statistics. The model comes in train mode, and nothing has to be set.",
)
def step_in_eval_mode_and_back(model, loss_fn, optimizer, X, y):
    model.eval()
    loss = learned(model, loss_fn, optimizer, X, y)
    model.train()
    return loss.item()


@wrong(
    "step-clips-its-gradients",
    replaces="train_step",
    says="Each step follows the direction of its gradient, but less far: the gradient was clipped or scaled down "
    "before the step. Clipping is a choice of its own (accumulation has it); here the optimizer gets what backward() "
    "has left.",
)
def step_clips_its_gradients(model, loss_fn, optimizer, X, y):
    loss = loss_fn(model(X), y)
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
    optimizer.step()
    return loss.item()


@wrong(
    "step-clips-each-number",
    replaces="train_step",
    says="Each step follows a gradient whose large numbers were cut down to one size, by clip_grad_value_ for one, "
    "and so its direction is another. Here the optimizer gets what backward() has left.",
)
def step_clips_each_number(model, loss_fn, optimizer, X, y):
    loss = loss_fn(model(X), y)
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_value_(model.parameters(), clip_value=1.0)
    optimizer.step()
    return loss.item()


@wrong(
    "step-with-a-closure",
    replaces="train_step",
    says="The values are right, but forward and backward ran inside the optimizer's step(), in a closure: that is for "
    "optimizers that ask for the loss several times in a step, such as LBFGS. Call the five one after the other.",
)
def step_with_a_closure(model, loss_fn, optimizer, X, y):
    def closure():
        optimizer.zero_grad()
        loss = loss_fn(model(X), y)
        loss.backward()
        return loss

    return optimizer.step(closure).item()


@wrong(
    "step-rounds-the-loss",
    replaces="train_step",
    says="The loss was rounded. Round where it is printed: sums and comparisons want all of its digits.",
)
def step_rounds_the_loss(model, loss_fn, optimizer, X, y):
    return round(learned(model, loss_fn, optimizer, X, y).item(), 4)


@wrong(
    "step-ends-in-eval-mode",
    replaces="train_step",
    says="The first batch went forward in train mode, but the step has left the model in eval mode: all batches after "
    "it are trained without dropout, and batch norm learns no statistics.",
)
def step_ends_in_eval_mode(model, loss_fn, optimizer, X, y):
    loss = learned(model, loss_fn, optimizer, X, y)
    model.eval()
    return loss.item()


@wrong(
    "step-without-a-graph",
    replaces="train_step",
    says="The loss has no graph, and backward() nowhere to go: the forward pass ran under no_grad, which is for "
    "evaluation, or a detach() has cut it off.",
    fact="05.11",
)
def step_without_a_graph(model, loss_fn, optimizer, X, y):
    with torch.no_grad():
        outputs = model(X)
    return learned(lambda X: outputs, loss_fn, optimizer, X, y).item()


# ---- train_epoch


@wrong(
    "epoch-in-eval-mode",
    replaces="train_epoch",
    says="Every batch was trained in eval mode: something called model.eval(), here or in train_step, where "
    "model.train() belongs.",
    fact="05.10",
)
def epoch_in_eval_mode(model, loss_fn, optimizer, loader):
    model.eval()
    total = n = 0
    for X, y in loader:
        total += learned(model, loss_fn, optimizer, X, y).item() * len(X)
        n += len(X)
    if not n:
        raise ValueError("the loader is empty")
    return total / n


@wrong(
    "epoch-without-a-graph",
    replaces="train_epoch",
    says="The loss has no graph, and backward() nowhere to go: the forward pass ran under no_grad, which is for "
    "evaluation, or a detach() has cut it off.",
    fact="05.11",
)
def epoch_without_a_graph(model, loss_fn, optimizer, loader):
    for X, y in loader:
        learned(lambda X: model(X).detach(), loss_fn, optimizer, X, y)
    raise ValueError("the loader is empty")


@wrong(
    "epoch-never-clears",
    replaces="train_epoch",
    says="Gradients add up from batch to batch, and those from before the epoch are in the sum too: backward() "
    "adds to .grad, and nothing cleared it, neither before the epoch nor between its batches.",
    fact="05.13",
)
def epoch_never_clears(model, loss_fn, optimizer, loader):
    model.train()
    total = n = 0
    for X, y in loader:
        loss = loss_fn(model(X), y)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(X)
        n += len(X)
    if not n:
        raise ValueError("the loader is empty")
    return total / n


@wrong(
    "epoch-clears-once",
    replaces="train_epoch",
    says="The gradients are cleared at the first batch of an epoch alone: there the step is right, and each later "
    "one follows the gradients of all batches so far. Clear them once for every step.",
    fact="05.13",
)
def epoch_clears_once(model, loss_fn, optimizer, loader):
    model.train()
    optimizer.zero_grad()
    total = n = 0
    for X, y in loader:
        loss = loss_fn(model(X), y)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(X)
        n += len(X)
    if not n:
        raise ValueError("the loader is empty")
    return total / n


@wrong(
    "epoch-clears-between-in-the-first-batch",
    replaces="train_epoch",
    says="In the first batch of an epoch the gradients are cleared between backward() and step(), so that its step "
    "finds none, and after it they are cleared no more, so that the others add up.",
    fact="05.11",
)
def epoch_clears_between_in_the_first_batch(model, loss_fn, optimizer, loader):
    model.train()
    total = n = 0
    for i, (X, y) in enumerate(loader):
        loss = loss_fn(model(X), y)
        loss.backward()
        if i == 0:
            optimizer.zero_grad()
        optimizer.step()
        total += loss.item() * len(X)
        n += len(X)
    if not n:
        raise ValueError("the loader is empty")
    return total / n


@wrong(
    "epoch-loses-its-first-gradient",
    replaces="train_epoch",
    says="In the first batch of an epoch the gradients are cleared between backward() and step(), and its step "
    "finds none; all other batches are right.",
    fact="05.11",
)
def epoch_loses_its_first_gradient(model, loss_fn, optimizer, loader):
    model.train()
    total = n = 0
    for i, (X, y) in enumerate(loader):
        optimizer.zero_grad()
        loss = loss_fn(model(X), y)
        loss.backward()
        if i == 0:
            optimizer.zero_grad()
        optimizer.step()
        total += loss.item() * len(X)
        n += len(X)
    if not n:
        raise ValueError("the loader is empty")
    return total / n


@wrong(
    "epoch-clears-after-backward",
    replaces="train_epoch",
    says="No step ever changed the model: zero_grad() between backward() and step() leaves nothing to follow, and "
    "so does a step() that comes before backward(), or none at all.",
    fact="05.11",
)
def epoch_clears_after_backward(model, loss_fn, optimizer, loader):
    model.train()
    total = n = 0
    for X, y in loader:
        loss = loss_fn(model(X), y)
        loss.backward()
        optimizer.zero_grad()
        optimizer.step()
        total += loss.item() * len(X)
        n += len(X)
    if not n:
        raise ValueError("the loader is empty")
    return total / n


@wrong(
    "epoch-starts-with-stale-gradients",
    replaces="train_epoch",
    says="The very first step follows gradients from before the epoch too; all later ones are right. Gradients "
    "that are cleared after each step are clean from the second batch on: clear them before the first one as "
    "well.",
    fact="05.13",
)
def epoch_starts_with_stale_gradients(model, loss_fn, optimizer, loader):
    model.train()
    total = n = 0
    for X, y in loader:
        loss = loss_fn(model(X), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        total += loss.item() * len(X)
        n += len(X)
    if not n:
        raise ValueError("the loader is empty")
    return total / n


@wrong(
    "epoch-steps-before-backward",
    replaces="train_epoch",
    says="step() comes before backward(): each step follows the gradients of the batch before, and the very first "
    "one what was left over from earlier.",
    fact="05.11",
)
def epoch_steps_before_backward(model, loss_fn, optimizer, loader):
    model.train()
    total = n = 0
    for X, y in loader:
        loss = loss_fn(model(X), y)
        optimizer.step()
        optimizer.zero_grad()
        loss.backward()
        total += loss.item() * len(X)
        n += len(X)
    if not n:
        raise ValueError("the loader is empty")
    return total / n


@wrong(
    "mean-of-batch-means",
    replaces="train_epoch",
    says="This is the mean of the batches' means: the examples of a small last batch count for more than the "
    "others. Weigh each batch's loss by its number of examples.",
    fact="05.10",
)
def mean_of_batch_means(model, loss_fn, optimizer, loader):
    model.train()
    losses = [learned(model, loss_fn, optimizer, X, y).item() for X, y in loader]
    if not losses:
        raise ValueError("the loader is empty")
    return sum(losses) / len(losses)


@wrong(
    "x07-len-loader",
    replaces="train_epoch",
    says="A sum over examples was divided by the number of batches, which is what len(loader) is: the loss comes "
    "out too large by the size of a batch. What is summed up over examples is divided by their number.",
    fact="05.10",
)
def divided_by_len_loader(model, loss_fn, optimizer, loader):
    model.train()
    total = sum(learned(model, loss_fn, optimizer, X, y).item() * len(X) for X, y in loader)
    if not len(loader):
        raise ValueError("the loader is empty")
    return total / len(loader)


@wrong(
    "batch-means-by-examples",
    replaces="train_epoch",
    says="A sum over batches was divided by the number of examples: each batch's loss is a mean already, so this "
    "is too small by about the size of a batch. Multiply each by its number of examples first.",
    fact="05.10",
)
def batch_means_by_examples(model, loss_fn, optimizer, loader):
    model.train()
    total = n = 0
    for X, y in loader:
        total += learned(model, loss_fn, optimizer, X, y).item()
        n += len(X)
    if not n:
        raise ValueError("the loader is empty")
    return total / n


@wrong(
    "epoch-by-len-dataset",
    replaces="train_epoch",
    says="The sum was divided by the length of the dataset, but not all of its examples were seen: drop_last "
    "leaves some out, a sampler may too. Count the examples that come by.",
    fact="05.10",
)
def epoch_by_len_dataset(model, loss_fn, optimizer, loader):
    total = n = 0
    model.train()
    for X, y in loader:
        total += learned(model, loss_fn, optimizer, X, y).item() * len(X)
        n += len(X)
    if not n:
        raise ValueError("the loader is empty")
    return total / len(loader.dataset if hasattr(loader, "dataset") else loader)


@wrong(
    "epoch-counts-full-batches",
    replaces="train_epoch",
    says="The sum was divided as if every batch were as large as the first: the number of batches times its size. The "
    "last one may be smaller. Count the examples that come by.",
    fact="05.10",
)
def epoch_counts_full_batches(model, loss_fn, optimizer, loader):
    model.train()
    total, sizes = 0.0, []
    for X, y in loader:
        total += learned(model, loss_fn, optimizer, X, y).item() * len(X)
        sizes.append(len(X))
    if not sizes:
        raise ValueError("the loader is empty")
    return total / (len(sizes) * sizes[0])


@wrong(
    "epoch-rounds-the-loss",
    replaces="train_epoch",
    says="The mean was rounded. Round where it is printed: whoever compares epochs wants all of its digits.",
)
def epoch_rounds_the_loss(model, loss_fn, optimizer, loader):
    model.train()
    total = n = 0
    for X, y in loader:
        total += learned(model, loss_fn, optimizer, X, y).item() * len(X)
        n += len(X)
    if not n:
        raise ValueError("the loader is empty")
    return round(total / n, 4)


@wrong(
    "epoch-loss-summed",
    replaces="train_epoch",
    says="This is the sum of the batches' losses, not a mean: it grows with the number of batches.",
    fact="05.10",
)
def epoch_loss_summed(model, loss_fn, optimizer, loader):
    model.train()
    losses = [learned(model, loss_fn, optimizer, X, y).item() for X, y in loader]
    if not losses:
        raise ValueError("the loader is empty")
    return sum(losses)


@wrong(
    "epoch-gives-the-last-loss",
    replaces="train_epoch",
    says="This is the loss of the last batch alone; the loss of an epoch is a mean over all examples in it.",
    fact="05.10",
)
def epoch_gives_the_last_loss(model, loss_fn, optimizer, loader):
    model.train()
    loss = None
    for X, y in loader:
        loss = learned(model, loss_fn, optimizer, X, y).item()
    if loss is None:
        raise ValueError("the loader is empty")
    return loss


@wrong(
    "epoch-measured-afterwards",
    replaces="train_epoch",
    says="This is the loss of the model as it is after the epoch, from a second pass over the loader. What is "
    "asked is the mean of the losses that the steps were made from, which cost nothing more.",
    fact="05.10",
)
def epoch_measured_afterwards(model, loss_fn, optimizer, loader):
    model.train()
    for X, y in loader:
        learned(model, loss_fn, optimizer, X, y)
    total = n = 0
    with torch.no_grad():
        for X, y in loader:
            total += loss_fn(model(X), y).item() * len(X)
            n += len(X)
    if not n:
        raise ValueError("the loader is empty")
    return total / n


@wrong(
    "epoch-measured-after-each-step",
    replaces="train_epoch",
    says="Each batch went forward a second time, after its step, and its loss was taken there, from the changed "
    "model. What is asked is the mean of the losses that the steps were made from, which cost nothing more.",
    fact="05.10",
)
def epoch_measured_after_each_step(model, loss_fn, optimizer, loader):
    model.train()
    total = n = 0
    for X, y in loader:
        learned(model, loss_fn, optimizer, X, y)
        total += loss_fn(model(X), y).item() * len(X)
        n += len(X)
    if not n:
        raise ValueError("the loader is empty")
    return total / n


@wrong(
    "r04-accumulate-loss-tensor",
    replaces="train_epoch",
    says="The total is a tensor, and the graph of every batch hangs on it: they all stay alive until the epoch "
    "ends, and memory grows from batch to batch. Add up loss.item().",
)
def accumulates_loss_tensors(model, loss_fn, optimizer, loader):
    model.train()
    total, n = 0, 0
    for X, y in loader:
        total += learned(model, loss_fn, optimizer, X, y) * len(X)
        n += len(X)
    if not n:
        raise ValueError("the loader is empty")
    return total.item() / n


@wrong(
    "epoch-gives-a-tensor",
    replaces="train_epoch",
    says="The mean came back as a tensor, with the graphs of all batches on it: the total was made of tensors. Add "
    "up loss.item(), and the mean is a Python float.",
)
def epoch_gives_a_tensor(model, loss_fn, optimizer, loader):
    model.train()
    total, n = 0, 0
    for X, y in loader:
        total += learned(model, loss_fn, optimizer, X, y) * len(X)
        n += len(X)
    if not n:
        raise ValueError("the loader is empty")
    return total / n


@wrong(
    "epoch-in-whatever-mode",
    replaces="train_epoch",
    says="The epoch ran in the mode in which the model came: after an evaluation that is eval mode, with dropout "
    "off and batch norm on its running statistics. model.train() belongs before the batches.",
    fact="05.10",
)
def epoch_in_whatever_mode(model, loss_fn, optimizer, loader):
    total = n = 0
    for X, y in loader:
        total += learned(model, loss_fn, optimizer, X, y).item() * len(X)
        n += len(X)
    if not n:
        raise ValueError("the loader is empty")
    return total / n


@wrong(
    "train-mode-of-the-root-alone",
    replaces="train_epoch",
    says="Only the model itself is in train mode, its submodules are not, and they are the ones that have dropout. "
    "model.train() sets the mode of all of them, model.training = True that of one.",
    fact="05.10",
)
def train_mode_of_the_root_alone(model, loss_fn, optimizer, loader):
    model.training = True
    total = n = 0
    for X, y in loader:
        total += learned(model, loss_fn, optimizer, X, y).item() * len(X)
        n += len(X)
    if not n:
        raise ValueError("the loader is empty")
    return total / n


@wrong(
    "train-mode-if-the-root-asks",
    replaces="train_epoch",
    says="Whether train mode has to be set was read off the model itself, which was in train mode, while a "
    "submodule was not. Call model.train() without asking.",
    fact="05.10",
)
def train_mode_if_the_root_asks(model, loss_fn, optimizer, loader):
    if not model.training:
        model.train()
    total = n = 0
    for X, y in loader:
        total += learned(model, loss_fn, optimizer, X, y).item() * len(X)
        n += len(X)
    if not n:
        raise ValueError("the loader is empty")
    return total / n


@wrong(
    "epoch-ends-after-one-batch",
    replaces="train_epoch",
    says="The epoch ended after its first batch: a return that stands inside the loop leaves it at the first pass.",
    fact="05.10",
)
def epoch_ends_after_one_batch(model, loss_fn, optimizer, loader):
    model.train()
    for X, y in loader:
        return learned(model, loss_fn, optimizer, X, y).item()
    raise ValueError("the loader is empty")


@wrong(
    "first-batch-again-and-again",
    replaces="train_epoch",
    says="Every step saw the first batch: next(iter(loader)) starts from the beginning each time. A for loop goes on.",
    fact="05.10",
)
def first_batch_again_and_again(model, loss_fn, optimizer, loader):
    model.train()
    total = n = 0
    for _ in range(len(loader)):
        X, y = next(iter(loader))
        total += learned(model, loss_fn, optimizer, X, y).item() * len(X)
        n += len(X)
    if not n:
        raise ValueError("the loader is empty")
    return total / n


@wrong(
    "one-step-for-the-epoch",
    replaces="train_epoch",
    says="There was one step for the whole epoch: the losses of all batches were added up and went backward "
    "together. Each batch has a backward pass and a step of its own.",
    fact="05.10",
)
def one_step_for_the_epoch(model, loss_fn, optimizer, loader):
    model.train()
    total, n = 0, 0
    for X, y in loader:
        total = total + loss_fn(model(X), y) * len(X)
        n += len(X)
    if not n:
        raise ValueError("the loader is empty")
    optimizer.zero_grad()
    (total / n).backward()
    optimizer.step()
    return total.item() / n


@wrong(
    "small-batch-skipped",
    replaces="train_epoch",
    says="A last batch that is smaller than the others was not trained on. To leave it out is up to the loader "
    "(drop_last); what the loader gives is trained on.",
    fact="05.10",
)
def small_batch_skipped(model, loss_fn, optimizer, loader):
    model.train()
    total = n = size = 0
    for X, y in loader:
        size = size or len(X)
        if len(X) == size:
            total += learned(model, loss_fn, optimizer, X, y).item() * len(X)
            n += len(X)
    if not n:
        raise ValueError("the loader is empty")
    return total / n


@wrong(
    "empty-epoch-divides",
    replaces="train_epoch",
    says="Without a batch there is nothing to divide by: ZeroDivisionError tells the caller nothing of the loader. "
    "Raise a ValueError that does.",
)
def empty_epoch_divides(model, loss_fn, optimizer, loader):
    model.train()
    total = n = 0
    for X, y in loader:
        total += learned(model, loss_fn, optimizer, X, y).item() * len(X)
        n += len(X)
    return total / n


@wrong(
    "empty-epoch-is-perfect",
    replaces="train_epoch",
    says="An epoch without a batch came back with a loss of 0.0, as if all were learnt: nothing was trained. A "
    "ValueError is asked.",
)
def empty_epoch_is_perfect(model, loss_fn, optimizer, loader):
    model.train()
    total = n = 0
    for X, y in loader:
        total += learned(model, loss_fn, optimizer, X, y).item() * len(X)
        n += len(X)
    return total / max(n, 1)


# ---- fit


@wrong(
    "history-of-tensors",
    replaces="fit",
    says="The history holds tensors, and the graphs of all batches hang on them: they stay in memory for as long "
    "as the history does. Keep Python floats: loss.item().",
)
def history_of_tensors(model, loss_fn, optimizer, loader, epochs, after_epoch=None):
    history = []
    for epoch in range(epochs):
        model.train()
        total, n = 0, 0
        for X, y in loader:
            total += learned(model, loss_fn, optimizer, X, y) * len(X)
            n += len(X)
        history.append(total / n)
        if after_epoch:
            after_epoch(epoch, history[-1])
    return history


@wrong(
    "history-made-floats-at-the-end",
    replaces="fit",
    says="The history is right, but it was made floats only at the end: till then it held tensors, and with them "
    "the graphs of all epochs. Take the number out when the loss is there.",
)
def history_made_floats_at_the_end(model, loss_fn, optimizer, loader, epochs, after_epoch=None):
    history = []
    for epoch in range(epochs):
        model.train()
        total, n = 0, 0
        for X, y in loader:
            total += learned(model, loss_fn, optimizer, X, y) * len(X)
            n += len(X)
        history.append(total / n)
        if after_epoch:
            after_epoch(epoch, history[-1].item())
    return [loss.item() for loss in history]


@wrong(
    "history-is-the-last-loss",
    replaces="fit",
    says="One loss came back, that of the last epoch; the history has one for each.",
)
def history_is_the_last_loss(model, loss_fn, optimizer, loader, epochs, after_epoch=None):
    loss = None
    for epoch in range(epochs):
        loss = train_epoch(model, loss_fn, optimizer, loader)  # noqa: F821
        if after_epoch:
            after_epoch(epoch, loss)
    return loss


@wrong(
    "totals-never-reset",
    replaces="fit",
    says="The first epoch's loss is right, later ones are mixed with all epochs before: the total and the count "
    "have to start at 0 in each epoch.",
    fact="05.10",
)
def totals_never_reset(model, loss_fn, optimizer, loader, epochs, after_epoch=None):
    history = []
    total = n = 0
    for epoch in range(epochs):
        model.train()
        for X, y in loader:
            total += learned(model, loss_fn, optimizer, X, y).item() * len(X)
            n += len(X)
        history.append(total / n)
        if after_epoch:
            after_epoch(epoch, history[-1])
    return history


@wrong(
    "history-of-batches",
    replaces="fit",
    says="The history has a loss for each batch; asked is one for each epoch, the mean over its examples.",
    fact="05.10",
)
def history_of_batches(model, loss_fn, optimizer, loader, epochs, after_epoch=None):
    history = []
    for epoch in range(epochs):
        model.train()
        total = n = 0
        for X, y in loader:
            history.append(learned(model, loss_fn, optimizer, X, y).item())
            total += history[-1] * len(X)
            n += len(X)
        if after_epoch:
            after_epoch(epoch, total / n)
    return history


@wrong(
    "history-of-batch-means",
    replaces="fit",
    says="An epoch's loss is the mean of its batches' means here: the examples of a small last batch count for "
    "more than the others.",
    fact="05.10",
)
def history_of_batch_means(model, loss_fn, optimizer, loader, epochs, after_epoch=None):
    history = []
    for epoch in range(epochs):
        model.train()
        losses = [learned(model, loss_fn, optimizer, X, y).item() for X, y in loader]
        history.append(sum(losses) / len(losses))
        if after_epoch:
            after_epoch(epoch, history[-1])
    return history


@wrong(
    "train-mode-set-once",
    replaces="fit",
    says="Train mode was set once, before the first epoch; after_epoch has left the model in eval mode, and all "
    "later epochs ran in it. model.train() belongs at the start of each epoch.",
    fact="05.10",
)
def train_mode_set_once(model, loss_fn, optimizer, loader, epochs, after_epoch=None):
    history = []
    model.train()
    for epoch in range(epochs):
        total = n = 0
        for X, y in loader:
            total += learned(model, loss_fn, optimizer, X, y).item() * len(X)
            n += len(X)
        history.append(total / n)
        if after_epoch:
            after_epoch(epoch, history[-1])
    return history


@wrong(
    "train-mode-never-set",
    replaces="fit",
    says="Every batch, from the first epoch on, was trained in eval mode, in which the model came: model.train() is "
    "missing at the start of each epoch, or model.eval() came after it.",
    fact="05.10",
)
def train_mode_never_set(model, loss_fn, optimizer, loader, epochs, after_epoch=None):
    history = []
    for epoch in range(epochs):
        total = n = 0
        for X, y in loader:
            total += learned(model, loss_fn, optimizer, X, y).item() * len(X)
            n += len(X)
        history.append(total / n)
        if after_epoch:
            after_epoch(epoch, history[-1])
    return history


@wrong(
    "optimizer-anew-each-epoch",
    replaces="fit",
    says="The first epoch is right, then an optimizer made anew has forgotten what the old one remembered of "
    "earlier steps, its momentum. The one that was handed in lives through all epochs.",
    fact="05.10",
)
def optimizer_anew_each_epoch(model, loss_fn, optimizer, loader, epochs, after_epoch=None):
    history = []
    for epoch in range(epochs):
        optimizer.state.clear()
        history.append(train_epoch(model, loss_fn, optimizer, loader))  # noqa: F821
        if after_epoch:
            after_epoch(epoch, history[-1])
    return history


@wrong(
    "fit-by-another-optimizer",
    replaces="fit",
    says="The model moved, but the optimizer that was handed in never took a step. Another one did, made here: it has "
    "settings of its own, and made in each epoch it forgets its momentum each time.",
    fact="05.11",
)
def fit_by_another_optimizer(model, loss_fn, optimizer, loader, epochs, after_epoch=None):
    history = []
    for epoch in range(epochs):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
        history.append(train_epoch(model, loss_fn, optimizer, loader))  # noqa: F821
        if after_epoch:
            after_epoch(epoch, history[-1])
    return history


@wrong(
    "one-epoch-too-few",
    replaces="fit",
    says="One epoch is missing, the first: numbers that start at 1 and end before `epochs` are one too few.",
    fact="05.10",
)
def one_epoch_too_few(model, loss_fn, optimizer, loader, epochs, after_epoch=None):
    history = []
    for epoch in range(1, epochs):
        history.append(train_epoch(model, loss_fn, optimizer, loader))  # noqa: F821
        if after_epoch:
            after_epoch(epoch, history[-1])
    return history


@wrong(
    "epochs-counted-from-one",
    replaces="fit",
    says="after_epoch was told numbers that start at 1; the first epoch is number 0.",
)
def epochs_counted_from_one(model, loss_fn, optimizer, loader, epochs, after_epoch=None):
    history = []
    for epoch in range(1, epochs + 1):
        history.append(train_epoch(model, loss_fn, optimizer, loader))  # noqa: F821
        if after_epoch:
            after_epoch(epoch, history[-1])
    return history


@wrong(
    "after-epoch-never-called",
    replaces="fit",
    says="The history is right, but after_epoch was never called.",
)
def after_epoch_never_called(model, loss_fn, optimizer, loader, epochs, after_epoch=None):
    return [train_epoch(model, loss_fn, optimizer, loader) for _ in range(epochs)]  # noqa: F821


@wrong(
    "after-epoch-after-all-epochs",
    replaces="fit",
    says="after_epoch was called once, when all epochs were over; it is to be called after each, while there is "
    "still something to be seen.",
)
def after_epoch_after_all_epochs(model, loss_fn, optimizer, loader, epochs, after_epoch=None):
    history = []
    for epoch in range(epochs):  # noqa: B007
        history.append(train_epoch(model, loss_fn, optimizer, loader))  # noqa: F821
    if after_epoch and history:
        after_epoch(epoch, history[-1])
    return history


@wrong(
    "after-epoch-none-called",
    replaces="fit",
    says="after_epoch is None where the caller wants nothing to be called, and None cannot be called: ask first.",
)
def after_epoch_none_called(model, loss_fn, optimizer, loader, epochs, after_epoch=None):
    history = []
    for epoch in range(epochs):
        history.append(train_epoch(model, loss_fn, optimizer, loader))  # noqa: F821
        after_epoch(epoch, history[-1])
    return history


@wrong(
    "loader-run-through-once",
    replaces="fit",
    says="From the second epoch on there was nothing left to train on: an iterator, made once before the epochs, "
    "is used up after the first. Hand the loader itself to each epoch.",
    fact="05.10",
)
def loader_run_through_once(model, loss_fn, optimizer, loader, epochs, after_epoch=None):
    batches = iter(loader)
    history = []
    for epoch in range(epochs):
        history.append(train_epoch(model, loss_fn, optimizer, batches))  # noqa: F821
        if after_epoch:
            after_epoch(epoch, history[-1])
    return history


@wrong(
    "loader-kept-as-a-list",
    replaces="fit",
    says="Every epoch has the batches of the first one, in the same order: they were kept, in a list for one. A loader "
    "shuffles, and a dataset augments, anew each time it is gone through. Hand the loader itself to each epoch.",
    fact="05.10",
)
def loader_kept_as_a_list(model, loss_fn, optimizer, loader, epochs, after_epoch=None):
    batches = list(loader)
    history = []
    for epoch in range(epochs):
        history.append(train_epoch(model, loss_fn, optimizer, batches))  # noqa: F821
        if after_epoch:
            after_epoch(epoch, history[-1])
    return history


@wrong(
    "history-rounded",
    replaces="fit",
    says="The losses in the history were rounded. Round where they are printed: whoever compares epochs wants all of "
    "their digits.",
)
def history_rounded(model, loss_fn, optimizer, loader, epochs, after_epoch=None):
    history = []
    for epoch in range(epochs):
        loss = train_epoch(model, loss_fn, optimizer, loader)  # noqa: F821
        history.append(round(loss, 4))
        if after_epoch:
            after_epoch(epoch, loss)
    return history


@wrong(
    "weights-never-move",
    replaces="fit",
    says="The model is as it was before: in no epoch did a step move it. Look at train_step first.",
    fact="05.11",
)
def weights_never_move(model, loss_fn, optimizer, loader, epochs, after_epoch=None):
    history = []
    for epoch in range(epochs):
        model.train()
        total = n = 0
        for X, y in loader:
            loss = loss_fn(model(X), y)
            loss.backward()
            optimizer.zero_grad()
            optimizer.step()
            total += loss.item() * len(X)
            n += len(X)
        history.append(total / n)
        if after_epoch:
            after_epoch(epoch, history[-1])
    return history


@wrong(
    "gradients-add-up-over-epochs",
    replaces="fit",
    says="The steps followed the gradients of all batches so far, over all epochs: they are not cleared between "
    "batches. Look at train_step first.",
    fact="05.13",
)
def gradients_add_up_over_epochs(model, loss_fn, optimizer, loader, epochs, after_epoch=None):
    history = []
    for epoch in range(epochs):
        model.train()
        total = n = 0
        for X, y in loader:
            loss = loss_fn(model(X), y)
            loss.backward()
            optimizer.step()
            total += loss.item() * len(X)
            n += len(X)
        history.append(total / n)
        if after_epoch:
            after_epoch(epoch, history[-1])
    return history


@wrong(
    "fit-clears-once-an-epoch",
    replaces="fit",
    says="The gradients were cleared once in each epoch: its first step is right, each later one follows those of all "
    "batches of the epoch so far. Clear them once for every step.",
    fact="05.13",
)
def fit_clears_once_an_epoch(model, loss_fn, optimizer, loader, epochs, after_epoch=None):
    history = []
    for epoch in range(epochs):
        model.train()
        total = n = 0
        for i, (X, y) in enumerate(loader):
            if i == 0:
                optimizer.zero_grad()
            loss = loss_fn(model(X), y)
            loss.backward()
            optimizer.step()
            total += loss.item() * len(X)
            n += len(X)
        history.append(total / n)
        if after_epoch:
            after_epoch(epoch, history[-1])
    return history


@wrong(
    "fit-clears-between-in-the-first-batch",
    replaces="fit",
    says="In the first batch of each epoch the gradients were cleared between backward() and step(), whose step finds "
    "none, and after it no more, so that those of the others add up.",
    fact="05.11",
)
def fit_clears_between_in_the_first_batch(model, loss_fn, optimizer, loader, epochs, after_epoch=None):
    history = []
    for epoch in range(epochs):
        model.train()
        total = n = 0
        for i, (X, y) in enumerate(loader):
            loss = loss_fn(model(X), y)
            loss.backward()
            if i == 0:
                optimizer.zero_grad()
            optimizer.step()
            total += loss.item() * len(X)
            n += len(X)
        history.append(total / n)
        if after_epoch:
            after_epoch(epoch, history[-1])
    return history


@wrong(
    "fit-steps-before-backward",
    replaces="fit",
    says="Each step came before its backward() and followed the gradients of the batch before: the first one found "
    "none, and the last batch's were never used.",
    fact="05.11",
)
def fit_steps_before_backward(model, loss_fn, optimizer, loader, epochs, after_epoch=None):
    history = []
    for epoch in range(epochs):
        model.train()
        total = n = 0
        for X, y in loader:
            loss = loss_fn(model(X), y)
            optimizer.step()
            optimizer.zero_grad()
            loss.backward()
            total += loss.item() * len(X)
            n += len(X)
        history.append(total / n)
        if after_epoch:
            after_epoch(epoch, history[-1])
    return history
