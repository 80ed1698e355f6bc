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
    says="The outputs were brought back for the loss. The value is right, but at each step they cross twice, forward "
    "and as a gradient, and the device waits: bring the labels to the outputs.",
    fact="09.5",
)
def loss_on_the_cpu(model, loss_fn, optimizer, X, y, device):
    return stepped(lambda X: model(X).cpu(), loss_fn, optimizer, X.to(device), y).item()


@wrong(
    "step-inputs-copied-twice",
    replaces="train_step",
    says="The inputs were copied to the device twice. Each copy crosses anew: keep the one that was made.",
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
    says="The gradients of the batches add up: they were never cleared.",
)
def never_clears(model, loss_fn, optimizer, X, y, device):
    loss = loss_fn(model(X.to(device)), y.to(device))
    loss.backward()
    optimizer.step()
    return loss.item()


# ---- train


def trained(model, loss_fn, loader, epochs, lr, device, step=stepped, each_epoch=lambda: None):
    """Right where model, step and device are."""
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
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
    batches = [(X.to(device), y) for X, y in loader]
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    history = []
    for _ in range(epochs):
        losses = [stepped(model, loss_fn, optimizer, X, y).item() * len(X) for X, y in batches]
        history.append(sum(losses) / sum(len(X) for X, _ in batches))
    return history


@wrong(
    "gpu-trains-a-copy",
    replaces="train",
    says="A copy of the model was trained; the caller's own is as it was. model.to(device) moves the model itself, and "
    "needs no copy.",
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
    "gpu-outputs-come-back",
    replaces="train",
    says="The outputs came back to the CPU for the loss. It is right, and slow: bring the labels to the outputs, and "
    "fetch nothing but the number.",
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
