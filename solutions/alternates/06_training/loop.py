"""Other right answers to katas/06_training/loop.py."""

import torch

from torchkatas.bank import right


@right(replaces="train_step")
def clears_first(model, loss_fn, optimizer, X, y):
    optimizer.zero_grad()
    loss = loss_fn(model(X), y)
    loss.backward()
    optimizer.step()
    return loss.item()


@right(replaces="train_step")
def clears_to_zeros(model, loss_fn, optimizer, X, y):
    optimizer.zero_grad(set_to_none=False)
    outputs = model(X)
    loss = loss_fn(outputs, y)
    torch.autograd.backward(loss)
    optimizer.step()
    return loss.detach().item()


@right(replaces="train_step")
def clears_afterwards(model, loss_fn, optimizer, X, y):
    loss = loss_fn(model(X), y)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    return loss.tolist()


@right(replaces="train_step")
def clears_the_model(model, loss_fn, optimizer, X, y):
    model.train()
    with torch.enable_grad():
        loss = loss_fn(model(X), y)
    value = loss.item()
    model.zero_grad()
    loss.backward()
    optimizer.step()
    return value


@right(replaces="train_step")
def clears_by_hand(model, loss_fn, optimizer, X, y):
    for parameter in model.parameters():
        parameter.grad = None
    loss = loss_fn(model(X), y)
    loss.backward(inputs=list(model.parameters()))
    optimizer.step()
    return loss.item()


@right(replaces="train_step")
def float_of_the_detached(model, loss_fn, optimizer, X, y):
    model.train()
    loss = loss_fn(model(X), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return float(loss.detach().numpy())


@right(replaces="train_step")
def float_with_a_warning(model, loss_fn, optimizer, X, y):
    loss = loss_fn(model(X), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return float(loss)


@right(replaces="train_epoch")
def written_out(model, loss_fn, optimizer, loader):
    model.train()
    total = seen = 0
    for X, y in loader:
        optimizer.zero_grad(set_to_none=False)
        loss = loss_fn(model(X), y)
        loss.backward()
        optimizer.step()
        total += loss.item() * X.size(0)
        seen += X.size(0)
    if seen == 0:
        raise ValueError("empty loader")
    return total / seen


@right(replaces="train_epoch")
def detached_total(model, loss_fn, optimizer, loader):
    total, seen = torch.zeros(()), 0
    for batch in loader:
        X, y = batch
        for module in model.modules():
            module.training = True
        optimizer.zero_grad()
        loss = loss_fn(model(X), y)
        loss.backward()
        optimizer.step()
        total += loss.detach() * y.shape[0]
        seen += y.shape[0]
    if not seen:
        raise ValueError("Empty: nothing to train on")
    return (total / seen).item()


@right(replaces="train_epoch")
def cleared_before_and_after(model, loss_fn, optimizer, loader):
    model.zero_grad()
    model.train(True)
    losses, sizes = [], []
    for X, y in loader:
        loss = loss_fn(model(X), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
        sizes.append(len(y))
    if not losses:
        raise ValueError("is the loader empty?")
    return sum(loss * size for loss, size in zip(losses, sizes, strict=True)) / sum(sizes)


@right(replaces="train_epoch")
def running_mean(model, loss_fn, optimizer, loader):
    model.train()
    mean = seen = 0
    for X, y in loader:
        seen += len(X)
        mean += (train_step(model, loss_fn, optimizer, X, y) - mean) * len(X) / seen  # noqa: F821
    if not seen:
        raise ValueError("an empty loader")
    return mean


@right(replaces="fit")
def all_written_out(model, loss_fn, optimizer, loader, epochs, after_epoch=None):
    history = []
    for epoch in range(epochs):
        model.train()
        total = seen = 0
        for X, y in loader:
            optimizer.zero_grad()
            loss = loss_fn(model(X), y)
            loss.backward()
            optimizer.step()
            total += loss.item() * len(X)
            seen += len(X)
        history.append(total / seen)
        if after_epoch:
            after_epoch(epoch, total / seen)
    return history


@right(replaces="fit")
def by_a_while_loop(model, loss_fn, optimizer, loader, epochs, after_epoch=None):
    after_epoch = after_epoch or (lambda epoch, loss: None)
    history = []
    while len(history) < epochs:
        loss = train_epoch(model, loss_fn, optimizer, loader)  # noqa: F821
        after_epoch(len(history), loss)
        history += [loss]
    return history
