"""Wrong answers to katas/09_devices/one_gpu.py."""

import copy

import torch

from torchkatas.bank import wrong


def stepped(model, loss_fn, optimizer, X, y):
    """A right step on tensors that lie where they should; the loss with its graph."""
    loss = loss_fn(model(X), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


# ---- train_step


@wrong(
    "step-labels-stay-behind",
    replaces="train_step",
    says="The labels stayed on the CPU, and the loss met outputs on the device: y = y.to(device) is missing, or its "
    "result was not assigned. Without a GPU nobody would have noticed.",
    fact="09.5",
)
def labels_stay_behind(model, loss_fn, optimizer, X, y, device):
    return stepped(model, loss_fn, optimizer, X.to(device), y).item()


@wrong(
    "step-inputs-stay-behind",
    replaces="train_step",
    says="The inputs stayed on the CPU, and the model's first layer met them from the device: X.to(device) gives "
    "another tensor, which has to be assigned.",
    fact="09.5",
)
def inputs_stay_behind(model, loss_fn, optimizer, X, y, device):
    X.to(device)
    return stepped(model, loss_fn, optimizer, X, y.to(device)).item()


@wrong(
    "step-loss-on-the-cpu",
    replaces="train_step",
    says="More than a number came back to the CPU, as the outputs do for a loss there. The value is right, but at each "
    "step the device waits for the copy: bring the labels to the outputs, and fetch the loss alone.",
    fact="09.5",
)
def loss_on_the_cpu(model, loss_fn, optimizer, X, y, device):
    return stepped(lambda X: model(X).cpu(), loss_fn, optimizer, X.to(device), y).item()


@wrong(
    "step-inputs-copied-twice",
    replaces="train_step",
    says="A tensor of the batch was copied to the device twice. Each copy crosses anew: keep the one that was made.",
    fact="09.5",
)
def inputs_copied_twice(model, loss_fn, optimizer, X, y, device):
    model(X.to(device)).detach()
    return stepped(model, loss_fn, optimizer, X.to(device), y.to(device)).item()


@wrong(
    "step-model-back-and-forth",
    replaces="train_step",
    says="The model was brought back to the CPU within the step, and has to cross again at the next: it is moved once, "
    "before training.",
    fact="09.5",
)
def model_back_and_forth(model, loss_fn, optimizer, X, y, device):
    loss = stepped(model.to(device), loss_fn, optimizer, X.to(device), y.to(device)).item()
    model.cpu()
    return loss


@wrong(
    "step-model-to-the-cpu-and-back",
    replaces="train_step",
    says="The model was brought to the CPU within the step, and back to the device: all that it holds crosses twice. "
    "It lies on the device already, and stays.",
)
def model_to_the_cpu_and_back(model, loss_fn, optimizer, X, y, device):
    loss = stepped(model, loss_fn, optimizer, X.to(device), y.to(device)).item()
    model.cpu()
    model.to(device)
    return loss


@wrong(
    "step-device-of-its-own",
    replaces="train_step",
    says="The step chose a device by itself, and it is not the one that it was handed. The device is chosen once, at "
    "the start.",
    fact="09.3",
)
def device_of_its_own(model, loss_fn, optimizer, X, y, device):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model.to(device)
    return stepped(model, loss_fn, optimizer, X.to(device), y.to(device)).item()


@wrong(
    "step-loss-stays-a-tensor",
    replaces="train_step",
    says="The loss came back as a tensor on the device, with its graph: .item() brings the number.",
)
def loss_stays_a_tensor(model, loss_fn, optimizer, X, y, device):
    return stepped(model, loss_fn, optimizer, X.to(device), y.to(device))


@wrong(
    "step-never-clears",
    replaces="train_step",
    says="The gradients of the batches, and those from before, add up: they were never cleared.",
)
def never_clears(model, loss_fn, optimizer, X, y, device):
    loss = loss_fn(model(X.to(device)), y.to(device))
    loss.backward()
    optimizer.step()
    return loss.item()


@wrong(
    "step-clears-after-the-step",
    replaces="train_step",
    says="Gradients that were there before the first batch took part in its step: zero_grad() came only after it. "
    "Clear "
    "before backward.",
)
def clears_after_the_step(model, loss_fn, optimizer, X, y, device):
    loss = loss_fn(model(X.to(device)), y.to(device))
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    return loss.item()


@wrong(
    "step-learns-nothing",
    replaces="train_step",
    says="The caller's model did not move: backward or the optimizer's step is missing, the gradients were cleared "
    "between the two, or a copy of the model went through, which the optimizer does not hold.",
)
def learns_nothing(model, loss_fn, optimizer, X, y, device):
    return loss_fn(model(X.to(device)), y.to(device)).item()


@wrong(
    "step-loss-of-the-changed-model",
    replaces="train_step",
    says="The loss that came back is that of the model after the step. The loss that went backward is asked.",
)
def loss_of_the_changed_model(model, loss_fn, optimizer, X, y, device):
    X, y = X.to(device), y.to(device)
    stepped(model, loss_fn, optimizer, X, y)
    return loss_fn(model(X), y).item()


@wrong(
    "step-turned-to-eval",
    replaces="train_step",
    says="The model was put into eval mode for the step; it comes in train mode, and is to be trained in it.",
)
def in_eval_mode(model, loss_fn, optimizer, X, y, device):
    return stepped(model.eval(), loss_fn, optimizer, X.to(device), y.to(device)).item()


@wrong(
    "step-cuda-written-in",
    replaces="train_step",
    says="cuda alone, as in .cuda() or device.type, is the first GPU, whichever was handed in, and an error where "
    "there is none. .to(device) goes wherever it is told.",
    fact="09.3",
)
def cuda_written_in(model, loss_fn, optimizer, X, y, device):
    return stepped(model, loss_fn, optimizer, X.cuda(), y.cuda()).item()


@wrong(
    "step-labels-as-integers",
    replaces="train_step",
    says="The targets became integers. For mean squared error they are numbers as any: move them, and leave their "
    "dtype.",
)
def labels_as_integers(model, loss_fn, optimizer, X, y, device):
    return stepped(model, loss_fn, optimizer, X.to(device), y.to(device).long()).item()


@wrong(
    "step-moves-the-callers",
    replaces="train_step",
    says="The caller's own X and y were moved: with .data the same tensor is given other memory. X.to(device) makes "
    "another tensor and leaves theirs where it is.",
)
def moves_the_callers(model, loss_fn, optimizer, X, y, device):
    X.data, y.data = X.data.to(device), y.data.to(device)
    return stepped(model, loss_fn, optimizer, X, y).item()


# ---- train


def trained(
    model, loss_fn, loader, epochs, lr, device, step=stepped, each_epoch=lambda: None, optimizer=torch.optim.SGD
):
    """Right where model, step, device and optimizer are."""
    optimizer = optimizer(model.parameters(), lr=lr)
    history = []
    for _ in range(epochs):
        each_epoch()
        total, seen = 0.0, 0
        for X, y in loader:
            total += step(model, loss_fn, optimizer, X.to(device), y.to(device)).item() * len(X)
            seen += len(X)
        history.append(total / seen)
    return history


@wrong(
    "gpu-model-stays-behind",
    replaces="train",
    says="The model stayed on the CPU, where it was made, and met the batch from the device: model.to(device), once, "
    "before the loop.",
    fact="09.5",
)
def model_stays_behind(model, loss_fn, loader, epochs, lr, device):
    return trained(model.train(), loss_fn, loader, epochs, lr, device)


@wrong(
    "gpu-batch-stays-behind",
    replaces="train",
    says="The inputs stayed on the CPU, and the model's first layer met them from the device. X.to(device) alone moves "
    "nothing: X, y = X.to(device), y.to(device), in the loop.",
    fact="09.5",
)
def batch_stays_behind(model, loss_fn, loader, epochs, lr, device):
    return trained(model.to(device).train(), loss_fn, loader, epochs, lr, torch.device("cpu"))


@wrong(
    "gpu-labels-stay-behind",
    replaces="train",
    says="The labels stayed on the CPU: the forward pass went well, and the loss met outputs and labels on two "
    "devices. The line that moves the batch moves both: X, y = X.to(device), y.to(device).",
    fact="09.5",
)
def labels_stay_behind_too(model, loss_fn, loader, epochs, lr, device):
    model.to(device).train()
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    history = []
    for _ in range(epochs):
        losses = [(stepped(model, loss_fn, optimizer, X.to(device), y).item() * len(X), len(X)) for X, y in loader]
        history.append(sum(loss for loss, _ in losses) / sum(n for _, n in losses))
    return history


@wrong(
    "gpu-trains-a-copy",
    replaces="train",
    says="The caller's own model is as it was: a copy of it was trained, or nothing at all. model.to(device) moves the "
    "model itself, and needs no copy.",
    fact="09.4",
)
def trains_a_copy(model, loss_fn, loader, epochs, lr, device):
    return trained(copy.deepcopy(model).to(device).train(), loss_fn, loader, epochs, lr, device)


@wrong(
    "gpu-ends-on-the-cpu",
    replaces="train",
    says="The model was brought back to the CPU at the end; it is to lie on the device afterwards.",
)
def ends_on_the_cpu(model, loss_fn, loader, epochs, lr, device):
    history = trained(model.to(device).train(), loss_fn, loader, epochs, lr, device)
    model.cpu()
    return history


@wrong(
    "gpu-batch-copied-twice",
    replaces="train",
    says="Tensors of a batch were copied to the device more than once. Every copy crosses anew, and takes longer than "
    "most computing: move the batch in one line, and use what came of it.",
    fact="09.5",
)
def batch_copied_twice(model, loss_fn, loader, epochs, lr, device):
    def step(model, loss_fn, optimizer, X, y):
        return stepped(model, loss_fn, optimizer, X, y.cpu().to(device))

    return trained(model.to(device).train(), loss_fn, loader, epochs, lr, device, step)


@wrong(
    "gpu-model-moved-each-epoch",
    replaces="train",
    says="The model was brought to the CPU and to the device again in each epoch. It is moved once, and stays.",
    fact="09.5",
)
def model_moved_each_epoch(model, loss_fn, loader, epochs, lr, device):
    return trained(model.train(), loss_fn, loader, epochs, lr, device, each_epoch=lambda: model.cpu().to(device))


@wrong(
    "gpu-model-back-after-each-epoch",
    replaces="train",
    says="The model was brought back to the CPU after each epoch, and had to cross again for the next. It is moved "
    "once, and lies on the device afterwards.",
    fact="09.5",
)
def model_back_after_each_epoch(model, loss_fn, loader, epochs, lr, device):
    model.train()
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    history = []
    for _ in range(epochs):
        model.to(device)
        total, seen = 0.0, 0
        for X, y in loader:
            total += stepped(model, loss_fn, optimizer, X.to(device), y.to(device)).item() * len(X)
            seen += len(X)
        history.append(total / seen)
        model.cpu()
    return history


@wrong(
    "gpu-model-back-between-epochs",
    replaces="train",
    says="The model was brought back to the CPU after each epoch, and crossed again, the last time at the end. It is "
    "moved once, and stays.",
    fact="09.5",
)
def model_back_between_epochs(model, loss_fn, loader, epochs, lr, device):
    model.train()
    history = []
    for _ in range(epochs):
        model.to(device)
        history += trained(model, loss_fn, loader, 1, lr, device)
        model.cpu()
    model.to(device)
    return history


@wrong(
    "gpu-model-moved-each-batch",
    replaces="train",
    says="The model was brought to the device for each batch, and back to the CPU after it. All that it holds crosses "
    "twice a step: it is moved once, before the loops, and stays.",
    fact="09.5",
)
def model_moved_each_batch(model, loss_fn, loader, epochs, lr, device):
    def step(model, loss_fn, optimizer, X, y):
        loss = stepped(model.to(device), loss_fn, optimizer, X, y)
        model.cpu()
        return loss

    history = trained(model.train(), loss_fn, loader, epochs, lr, device, step)
    model.to(device)
    return history


@wrong(
    "gpu-outputs-come-back",
    replaces="train",
    says="More than numbers came back to the CPU, as the outputs do for a loss there. It is right, and slow: bring the "
    "labels to the outputs, and fetch the loss alone.",
    fact="09.5",
)
def outputs_come_back(model, loss_fn, loader, epochs, lr, device):
    def step(model, loss_fn, optimizer, X, y):
        return stepped(lambda X: model(X).cpu(), loss_fn, optimizer, X, y)

    def labels_alone(X, y):
        return X.to(device), y

    model.to(device).train()
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    history = []
    for _ in range(epochs):
        total, seen = 0.0, 0
        for X, y in (labels_alone(*batch) for batch in loader):
            total += step(model, loss_fn, optimizer, X, y).item() * len(X)
            seen += len(X)
        history.append(total / seen)
    return history


@wrong(
    "gpu-history-of-tensors",
    replaces="train",
    says="The history holds tensors, which lie on the device: .item() gives the numbers.",
)
def history_of_tensors(model, loss_fn, loader, epochs, lr, device):
    history = trained(model.to(device).train(), loss_fn, loader, epochs, lr, device)
    return [torch.tensor(loss, device=device) for loss in history]


@wrong(
    "gpu-device-of-its-own",
    replaces="train",
    says="Training chose a device by itself, and it is not the one that it was handed. The device is chosen once, in "
    "one line of the script; everything else takes it as it comes.",
    fact="09.5",
)
def trains_on_a_device_of_its_own(model, loss_fn, loader, epochs, lr, device):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return trained(model.to(device).train(), loss_fn, loader, epochs, lr, device)


@wrong(
    "gpu-mean-of-means",
    replaces="train",
    says="That is the mean over the batches: a small last batch weighs as much as a full one. Weigh each loss by the "
    "number of its examples.",
)
def mean_of_means(model, loss_fn, loader, epochs, lr, device):
    model.to(device).train()
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    history = []
    for _ in range(epochs):
        losses = [stepped(model, loss_fn, optimizer, X.to(device), y.to(device)).item() for X, y in loader]
        history.append(sum(losses) / len(losses))
    return history


@wrong(
    "gpu-in-eval-mode",
    replaces="train",
    says="The model was trained in the mode it came in, eval: model.train() belongs before the loops.",
)
def trains_in_eval_mode(model, loss_fn, loader, epochs, lr, device):
    return trained(model.to(device), loss_fn, loader, epochs, lr, device)


@wrong(
    "gpu-buffers-stay-behind",
    replaces="train",
    says="The parameters were moved one by one, and a buffer stayed on the CPU. model.to(device) moves all of both.",
    fact="09.4",
)
def buffers_stay_behind(model, loss_fn, loader, epochs, lr, device):
    for parameter in model.train().parameters():
        parameter.grad = None
        parameter.data = parameter.data.to(device)
    return trained(model, loss_fn, loader, epochs, lr, device)


@wrong(
    "gpu-one-epoch-for-all",
    replaces="train",
    says="The batches of the first epoch were kept and used in all others. A loader that shuffles gives others each "
    "time: go through it anew (all the data at once may also be too much for the device).",
)
def one_epoch_for_all(model, loss_fn, loader, epochs, lr, device):
    return trained(model.to(device).train(), loss_fn, list(loader), epochs, lr, device)


@wrong(
    "gpu-never-clears",
    replaces="train",
    says="The gradients of the batches, and those from before, add up: they were never cleared.",
)
def trains_and_never_clears(model, loss_fn, loader, epochs, lr, device):
    def step(model, loss_fn, optimizer, X, y):
        loss = loss_fn(model(X), y)
        loss.backward()
        optimizer.step()
        return loss

    return trained(model.to(device).train(), loss_fn, loader, epochs, lr, device, step)


@wrong(
    "gpu-clears-once-an-epoch",
    replaces="train",
    says="The gradients of an epoch's batches add up: they were cleared once an epoch, and each batch needs it.",
)
def clears_once_an_epoch(model, loss_fn, loader, epochs, lr, device):
    def step(model, loss_fn, optimizer, X, y):
        loss = loss_fn(model(X), y)
        loss.backward()
        optimizer.step()
        return loss

    return trained(model.to(device).train(), loss_fn, loader, epochs, lr, device, step, each_epoch=model.zero_grad)


@wrong(
    "gpu-learns-nothing",
    replaces="train",
    says="The model did not learn: the gradients were cleared between backward and the step, or one of these two is "
    "missing. zero_grad, backward, step, in this order.",
)
def trains_and_learns_nothing(model, loss_fn, loader, epochs, lr, device):
    def step(model, loss_fn, optimizer, X, y):
        loss = loss_fn(model(X), y)
        loss.backward()
        optimizer.zero_grad()
        optimizer.step()
        return loss

    return trained(model.to(device).train(), loss_fn, loader, epochs, lr, device, step)


@wrong(
    "gpu-total-goes-on",
    replaces="train",
    says="The total went on from epoch to epoch: what came back is the mean over all epochs so far. Begin at 0 in "
    "each.",
)
def total_goes_on(model, loss_fn, loader, epochs, lr, device):
    history = trained(model.to(device).train(), loss_fn, loader, epochs, lr, device)
    return [sum(history[: i + 1]) / (i + 1) for i in range(epochs)]


@wrong(
    "gpu-sum-of-losses",
    replaces="train",
    says="The losses of an epoch's batches were added up, and never divided: the mean over the examples is asked.",
)
def sum_of_losses(model, loss_fn, loader, epochs, lr, device):
    model.to(device).train()
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    return [
        sum(stepped(model, loss_fn, optimizer, X.to(device), y.to(device)).item() for X, y in loader)
        for _ in range(epochs)
    ]


@wrong(
    "gpu-adam",
    replaces="train",
    says="That is Adam; plain gradient descent is asked, torch.optim.SGD without momentum.",
)
def by_adam(model, loss_fn, loader, epochs, lr, device):
    return trained(model.to(device).train(), loss_fn, loader, epochs, lr, device, optimizer=torch.optim.Adam)


@wrong(
    "gpu-momentum",
    replaces="train",
    says="That is gradient descent with momentum: what earlier batches left counts in each step. The plain one is "
    "asked, torch.optim.SGD(model.parameters(), lr=lr).",
)
def with_momentum(model, loss_fn, loader, epochs, lr, device):
    def optimizer(params, lr):
        return torch.optim.SGD(params, lr=lr, momentum=0.9)

    return trained(model.to(device).train(), loss_fn, loader, epochs, lr, device, optimizer=optimizer)


@wrong(
    "gpu-last-batch-alone",
    replaces="train",
    says="What came back is the loss of each epoch's last batch, and not the mean over its examples.",
)
def last_batch_alone(model, loss_fn, loader, epochs, lr, device):
    model.to(device).train()
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    return [
        [stepped(model, loss_fn, optimizer, X.to(device), y.to(device)).item() for X, y in loader][-1]
        for _ in range(epochs)
    ]


@wrong(
    "gpu-divided-by-batches",
    replaces="train",
    says="The losses were weighed by their examples, and the sum divided by the number of batches: divide by that of "
    "the examples.",
)
def divided_by_batches(model, loss_fn, loader, epochs, lr, device):
    model.to(device).train()
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    history = []
    for _ in range(epochs):
        losses = [stepped(model, loss_fn, optimizer, X.to(device), y.to(device)).item() * len(X) for X, y in loader]
        history.append(sum(losses) / len(losses))
    return history


@wrong(
    "gpu-total-without-weights",
    replaces="train",
    says="The losses were added up as they came, and divided by the number of examples. Each is the mean of its batch: "
    "multiply it by len(X) first.",
)
def total_without_weights(model, loss_fn, loader, epochs, lr, device):
    model.to(device).train()
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    history = []
    for _ in range(epochs):
        losses = [(stepped(model, loss_fn, optimizer, X.to(device), y.to(device)).item(), len(X)) for X, y in loader]
        history.append(sum(loss for loss, _ in losses) / sum(n for _, n in losses))
    return history


@wrong(
    "gpu-total-on-the-cpu",
    replaces="train",
    says="The total lies on the CPU and was changed in place by a loss from the device. Make it with device=device, or "
    "add up numbers.",
)
def total_on_the_cpu(model, loss_fn, loader, epochs, lr, device):
    model.to(device).train()
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    history = []
    for _ in range(epochs):
        total, seen = torch.zeros(()), 0
        for X, y in loader:
            total += stepped(model, loss_fn, optimizer, X.to(device), y.to(device)).detach() * len(X)
            seen += len(X)
        history.append((total / seen).item())
    return history


@wrong(
    "gpu-cuda-written-in",
    replaces="train",
    says="cuda alone, as in .cuda() or device.type, is the first GPU, whichever was handed in, and an error where "
    "there is none. .to(device) goes wherever it is told.",
    fact="09.5",
)
def trains_with_cuda_written_in(model, loss_fn, loader, epochs, lr, device):
    return trained(model.cuda().train(), loss_fn, loader, epochs, lr, torch.device("cuda"))


# ---- accuracy


@wrong(
    "accuracy-labels-stay-behind",
    replaces="accuracy",
    says="The answers lie on the device and were compared with labels on the CPU: y.to(device), or bring the answers "
    "back.",
    fact="09.5",
)
def compared_across(model, loader, device):
    right = seen = 0
    for X, y in loader:
        right += (model(X.to(device)).argmax(dim=1) == y).sum().item()
        seen += len(y)
    return right / seen


@wrong(
    "accuracy-inputs-stay-behind",
    replaces="accuracy",
    says="The inputs stayed on the CPU, and the model's first layer met them from the device: X = X.to(device).",
    fact="09.5",
)
def asked_across(model, loader, device):
    right = seen = 0
    for X, y in loader:
        right += (model(X).argmax(dim=1) == y.to(device)).sum().item()
        seen += len(y)
    return right / seen


@wrong(
    "accuracy-still-a-tensor",
    replaces="accuracy",
    says="The share came back as a tensor on the device: .item() gives the number.",
)
def still_a_tensor(model, loader, device):
    hits = torch.cat([model(X.to(device)).argmax(dim=1) == y.to(device) for X, y in loader])
    return hits.float().mean().detach()


@wrong(
    "accuracy-count-on-the-cpu",
    replaces="accuracy",
    says="The running count lies on the CPU and was changed in place by one from the device. Make it with "
    "device=device, or add up numbers.",
    fact="09.2",
)
def count_on_the_cpu(model, loader, device):
    right, seen = torch.zeros((), dtype=torch.long), 0
    for X, y in loader:
        right += (model(X.to(device)).argmax(dim=1) == y.to(device)).sum()
        seen += len(y)
    return right.item() / seen


@wrong(
    "accuracy-mean-of-batches",
    replaces="accuracy",
    says="That is the mean of the batches' shares: the last one is smaller, and its examples count for more.",
)
def mean_of_batches(model, loader, device):
    shares = [(model(X.to(device)).argmax(dim=1) == y.to(device)).float().mean().item() for X, y in loader]
    return sum(shares) / len(shares)


@wrong(
    "accuracy-copied-twice",
    replaces="accuracy",
    says="A tensor of a batch was copied to the device twice: keep the copy that was made.",
    fact="09.5",
)
def copied_twice(model, loader, device):
    right = seen = 0
    for X, y in loader:
        right += (model(X.to(device)).argmax(dim=1) == y.to(device)).sum().item()
        seen += len(X.to(device))
    return right / seen


@wrong(
    "accuracy-model-to-the-cpu",
    replaces="accuracy",
    says="The model was taken away from its device, and the next step of training will not find it there. Bring the "
    "batches to the model.",
    fact="09.5",
)
def model_to_the_cpu(model, loader, device):
    model.cpu()
    hits = [model(X).argmax(dim=1) == y for X, y in loader]
    return torch.cat(hits).double().mean().item()


@wrong(
    "accuracy-in-percent",
    replaces="accuracy",
    says="That is a percentage; a share from 0 to 1 is asked.",
)
def in_percent(model, loader, device):
    return 100 * accuracy_of(model, loader, device)


def accuracy_of(model, loader, device):
    """Right."""
    hits = [model(X.to(device)).argmax(dim=1) == y.to(device) for X, y in loader]
    return torch.cat(hits).sum().item() / sum(len(hit) for hit in hits)


@wrong(
    "accuracy-in-train-mode",
    replaces="accuracy",
    says="The model was put into train mode, where dropout and batch norm answer differently. It comes in eval mode: "
    "leave it.",
)
def in_train_mode(model, loader, device):
    return accuracy_of(model.train(), loader, device)


@wrong(
    "accuracy-left-in-train-mode",
    replaces="accuracy",
    says="The model was left in train mode. It comes in eval mode, and stays so: whoever trains on calls train().",
)
def left_in_train_mode(model, loader, device):
    share = accuracy_of(model, loader, device)
    model.train()
    return share


@wrong(
    "accuracy-of-the-last-batch",
    replaces="accuracy",
    says="That is the share of the last batch alone.",
)
def of_the_last_batch(model, loader, device):
    return accuracy_of(model, list(loader)[-1:], device)


@wrong(
    "accuracy-of-mistakes",
    replaces="accuracy",
    says="That is the share of what the model gets wrong.",
)
def of_mistakes(model, loader, device):
    return 1 - accuracy_of(model, loader, device)


@wrong(
    "accuracy-divided-by-batches",
    replaces="accuracy",
    says="The right answers were divided by the number of batches; the share is among the examples.",
)
def hits_by_batches(model, loader, device):
    batches = list(loader)
    return accuracy_of(model, batches, device) * sum(len(X) for X, _ in batches) / len(batches)


@wrong(
    "accuracy-compares-logits",
    replaces="accuracy",
    says="The greatest logits themselves were compared with the labels: it is their places that count, argmax, or the "
    "second thing that max(dim=1) gives.",
)
def compares_logits(model, loader, device):
    hits = [model(X.to(device)).max(dim=1)[0] == y.to(device) for X, y in loader]
    return torch.cat(hits).sum().item() / sum(len(hit) for hit in hits)


@wrong(
    "accuracy-argmax-over-the-batch",
    replaces="accuracy",
    says="argmax went over the first dimension, the examples, and gave one place a class. The answer of an example is "
    "along its row: argmax(dim=1).",
)
def argmax_over_the_batch(model, loader, device):
    right = seen = 0
    for X, y in loader:
        right += (model(X.to(device)).argmax(dim=0) == y.to(device)).sum().item()
        seen += len(y)
    return right / seen


@wrong(
    "accuracy-cuda-written-in",
    replaces="accuracy",
    says="cuda alone, as in .cuda() or device.type, is the first GPU, whichever was handed in, and an error where "
    "there is none. .to(device) goes wherever it is told.",
    fact="09.5",
)
def asked_with_cuda_written_in(model, loader, device):
    return accuracy_of(model, loader, "cuda")
