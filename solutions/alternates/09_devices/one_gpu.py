"""Other right answers to katas/09_devices/one_gpu.py."""

import torch

from torchkatas.bank import right


@right(replaces="train_step")
def without_waiting(model, loss_fn, optimizer, X, y, device):
    optimizer.zero_grad(set_to_none=False)
    X = X.to(device, non_blocking=True)
    y = y.to(device=device, non_blocking=True)
    loss = loss_fn(model(X), y)
    loss.backward()
    optimizer.step()
    return float(loss)


@right(replaces="train_step")
def moved_where_it_is_used(model, loss_fn, optimizer, X, y, device):
    model.to(device)
    loss = loss_fn(model(X.to(device)), y.to(device))
    for parameter in model.parameters():
        parameter.grad = None
    loss.backward()
    optimizer.step()
    return loss.detach().cpu().item()


@right(replaces="train")
def optimizer_before_the_move(model, loss_fn, loader, epochs, lr, device):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    model = model.to(device)
    history = []
    for _ in range(epochs):
        model.train()
        losses, sizes = [], []
        for X, y in loader:
            losses.append(train_step(model, loss_fn, optimizer, X, y, device))  # noqa: F821 - the solution's
            sizes.append(len(X))
        history.append(sum(loss * n for loss, n in zip(losses, sizes, strict=True)) / sum(sizes))
    return history


@right(replaces="train")
def total_on_the_device(model, loss_fn, loader, epochs, lr, device):
    model.to(device)
    model.train()
    optimizer = torch.optim.SGD(model.parameters(), lr)
    history = []
    for _ in range(epochs):
        total, seen = torch.zeros((), device=device), 0
        for X, y in loader:
            model.to(device)  # which is there already
            X, y = X.to(device, non_blocking=True), y.to(device, non_blocking=True)
            optimizer.zero_grad()
            loss = loss_fn(model(X), y)
            loss.backward()
            optimizer.step()
            total += loss.detach() * X.shape[0]
            seen += X.shape[0]
        history.append((total / seen).item())
    return history


@right(replaces="train")
def steps_by_hand(model, loss_fn, loader, epochs, lr, device):
    model.train().to(device)
    history = []
    for _ in range(epochs):
        total = seen = 0
        for batch in loader:
            X, y = (tensor.to(device) for tensor in batch)
            loss = loss_fn(model(X), y)
            slopes = torch.autograd.grad(loss, list(model.parameters()))
            with torch.no_grad():
                for parameter, slope in zip(model.parameters(), slopes, strict=True):
                    parameter -= lr * slope
            total += loss.item() * y.shape[0]
            seen += y.shape[0]
        history.append(total / seen)
    return history


@right(replaces="accuracy")
def compared_on_the_cpu(model, loader, device):
    right = seen = 0
    for X, y in loader:
        with torch.inference_mode():
            answers = model(X.to(device)).argmax(-1).cpu()
        right += int((answers == y).sum())
        seen += y.numel()
    return right / seen


@right(replaces="accuracy")
def all_at_the_end(model, loader, device):
    with torch.no_grad():
        hits = torch.cat([model(X.to(device)).argmax(dim=1).eq(y.to(device)) for X, y in loader])
    return hits.sum().item() / hits.numel()


@right(replaces="accuracy")
def item_by_item(model, loader, device):
    right, seen = 0, 0
    for X, y in loader:
        X, y = X.to(device), y.to(device)
        right += (model(X).max(dim=1).indices == y).sum().item()
        seen += X.size(0)
    return right / seen
