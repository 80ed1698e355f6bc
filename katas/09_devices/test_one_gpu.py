"""The specification of one_gpu.py."""

import copy

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from torchkatas.observe import state
from torchkatas.pretend import SECOND, Pretend, devices, on

DEVICES = pytest.mark.parametrize("device", [*devices(), SECOND])
CLOSE = {"rtol": 1e-4, "atol": 1e-5}  # another device adds up in another order


class Net(nn.Module):
    """A linear layer and a buffer; it refuses to train in eval mode."""

    def __init__(self, seed=0):
        super().__init__()
        generator = torch.Generator().manual_seed(seed)
        self.layer = nn.Linear(2, 3)
        for parameter in self.layer.parameters():
            parameter.data.normal_(generator=generator)
        self.register_buffer("scale", torch.tensor([1.0, 0.5, -2.0]))

    def forward(self, x):
        return self.layer(x) * self.scale if self.training else self.layer(x)


def data(n=5):
    """Examples and labels, the first far from the others."""
    generator = torch.Generator().manual_seed(n)
    X = torch.randn(n, 2, generator=generator)
    X[0] *= 3
    return X, torch.arange(n) * 2 % 3


def in_batches(n=5, size=2):
    return DataLoader(TensorDataset(*data(n)), batch_size=size)


class Turning:
    """A loader that gives its batches in another order in each epoch, as one that shuffles does."""

    def __init__(self, batches):
        self.batches = batches

    def __len__(self):
        return len(self.batches)

    def __iter__(self):
        batches, self.batches = self.batches, self.batches[1:] + self.batches[:1]
        return iter(batches)


def with_old_gradients(model):
    """The model, with gradients that somebody left there."""
    for parameter in model.parameters():
        parameter.grad = torch.full_like(parameter, 8.0)
    return model


def right_run(model, loss_fn, batches, lr, epochs=1):
    """On the CPU, on a copy: the mean losses, those of the batches, the model after all."""
    model = copy.deepcopy(model).train()
    means, losses = [], []
    for _ in range(epochs):
        total = seen = 0
        for X, y in batches:
            loss = loss_fn(model(X), y)
            slopes = torch.autograd.grad(loss, list(model.parameters()))
            for parameter, slope in zip(model.parameters(), slopes, strict=True):
                parameter.data -= lr * slope
            losses.append(loss.item())
            total, seen = total + loss.item() * len(X), seen + len(X)
        means.append(total / seen)
    return means, losses, state(model)


def on_device(tensors, place):
    return {name: tensor.to(place) for name, tensor in tensors.items()}


def crossed(machine, allowed):
    """What crossed to the pretend device more often than is allowed, and what came back that is no number."""
    there = sum(move.target.type == "cuda" for move in machine.moves)
    back = [list(move.shape) for move in machine.moves if move.target.type == "cpu" and move.shape]
    return {"copies too many": max(0, there - allowed), "tensors that came back": back}


NOTHING = {"copies too many": 0, "tensors that came back": []}
LOSSES = {"cross_entropy": (F.cross_entropy, lambda y: y), "mse": (F.mse_loss, lambda y: F.one_hot(y, 3) * 1.5 - 0.25)}


def noting(loss_fn, places):
    """The loss, noting where the outputs lie that it is handed."""

    def noted(outputs, y):
        if str(outputs.device) not in places:
            places.append(str(outputs.device))
        return loss_fn(outputs, y)

    return noted


# ---- train_step


def stepped(kata, model, loss_fn, batches, place):
    with_old_gradients(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    inputs = {"model": model, "loss_fn": loss_fn, "optimizer": optimizer, "device": place}
    return [kata.train_step(**inputs, X=X, y=y) for X, y in batches]


@pytest.mark.fact("09.5")
@pytest.mark.fact("09.3")
@pytest.mark.parametrize("loss", LOSSES)
@DEVICES
def test_train_step_on_each_device(kata, check, loss, device):
    """Catches inputs or labels that stay behind, the caller's that are moved, and gradients from before."""
    loss_fn, targets = LOSSES[loss]
    batches = [(X, targets(y)) for X, y in in_batches()]
    _, losses, right = right_run(Net(), loss_fn, batches, lr=0.5)
    with on(device) as place:
        model = Net().to(place)
        given, places = [(X.clone(), y.clone()) for X, y in batches], []
        found = stepped(kata, model, noting(loss_fn, places), given, place)
        seen = {"losses": found, "outputs on": places, **state(model), "the batches": given}
        wanted = {"losses": losses, "outputs on": [str(place)], **on_device(right, place), "the batches": batches}
        call = (
            f"what came back on {place} for three batches, which lie on the CPU, where the model's outputs were, the "
        )
        call += "model after them, and the batches; every .grad was 8 before the first"
        check.saw(kata.train_step, seen, call=call).gives(wanted, **CLOSE)


@pytest.mark.fact("09.5")
def test_train_step_crosses_once(kata, check):
    """Catches a tensor that is copied twice, outputs that come back for the loss, and a model that goes to and fro."""
    with Pretend() as machine:
        model = Net().to("cuda")
        machine.moves.clear()
        losses = stepped(kata, model, F.cross_entropy, list(in_batches()), torch.device("cuda", 0))
    _, right, _ = right_run(Net(), F.cross_entropy, in_batches(), lr=0.5)
    seen = {"losses": losses, **crossed(machine, allowed=6)}
    call = "what crossed between the CPU and cuda:0 in three steps; two tensors a batch have to"
    check.saw(kata.train_step, seen, call=call).gives({"losses": right, **NOTHING})


def test_train_step_takes_what_is_there(kata, check):
    """Catches a batch on the device that is copied once more."""
    with Pretend() as machine:
        model = Net().to("cuda")
        batches = [(X.to("cuda"), y.to("cuda")) for X, y in in_batches(3)]
        machine.moves.clear()
        losses = stepped(kata, model, F.cross_entropy, batches, torch.device("cuda", 0))
    _, right, _ = right_run(Net(), F.cross_entropy, in_batches(3), lr=0.5)
    seen = {"losses": losses, **crossed(machine, allowed=0)}
    call = "what crossed between the CPU and cuda:0, two batches that lie there already"
    check.saw(kata.train_step, seen, call=call).gives({"losses": right, **NOTHING})


# ---- train


@pytest.mark.fact("09.5")
@pytest.mark.parametrize("loss", LOSSES)
@DEVICES
def test_train_on_each_device(kata, check, loss, device):
    """Catches what stays behind, a copy that is trained, batches kept from epoch 1, and gradients from before."""
    loss_fn, targets = LOSSES[loss]
    batches = [(X, targets(y)) for X, y in in_batches()]
    means, _, right = right_run(Net(), loss_fn, Turning(batches), lr=0.25, epochs=3)
    with on(device) as place:
        model, loader, places = with_old_gradients(Net()).eval(), Turning(batches), []
        inputs = {"model": model, "loss_fn": noting(loss_fn, places), "loader": loader, "device": place}
        history = kata.train(**inputs, epochs=3, lr=0.25)
        seen = {"history": history, "outputs on": places, **state(model)}
        wanted = {"history": means, "outputs on": [str(place)], **on_device(right, place)}
        call = f"what came back on {place} for three epochs of three batches, each in another order, where the model's "
        call += "outputs were, and the model after them; it was in eval mode before, and every .grad was 8"
        check.saw(kata.train, seen, call=call).gives(wanted, **CLOSE)


@pytest.mark.fact("09.4")
@DEVICES
def test_train_moves_the_model_itself(kata, check, device):
    """Catches a copy that is moved: the caller's model stays where it was, and learns nothing."""
    with on(device) as place:
        model, places = Net(), []
        parameters = list(model.parameters())
        before, loss_fn = state(model), noting(F.cross_entropy, places)
        kata.train(model=model, loss_fn=loss_fn, loader=in_batches(3), epochs=2, lr=0.5, device=place)
        seen = {
            "outputs on": places,
            "same parameters": [p is q for p, q in zip(model.parameters(), parameters, strict=True)],
            "elsewhere": [name for name, tensor in state(model).items() if tensor.device != place],
            "as before": [name for name, tensor in state(model).items() if torch.equal(tensor.cpu(), before[name])],
        }
        wanted = {"outputs on": [str(place)], "same parameters": [True, True], "elsewhere": [], "as before": ["scale"]}
        call = f"where the outputs were in training on {place}, and the caller's model after it"
        check.saw(kata.train, seen, call=call).gives(wanted)


@pytest.mark.fact("09.5")
def test_train_crosses_once(kata, check):
    """Catches batches copied twice, a model that crosses in each epoch, and outputs that come back for the loss."""
    batches, epochs = list(in_batches()), 3
    right, *_ = right_run(Net(), F.cross_entropy, batches, lr=0.5, epochs=epochs)
    with Pretend() as machine:
        inputs = {"model": Net(), "loss_fn": F.cross_entropy, "loader": batches, "epochs": epochs, "lr": 0.5}
        history = kata.train(**inputs, device=torch.device("cuda", 0))
    tensors = len(state(Net())) + 2 * len(batches) * epochs
    seen = {"history": history, "anything crossed": bool(machine.moves), **crossed(machine, allowed=tensors)}
    call = f"what crossed between the CPU and cuda:0 in three epochs of three batches; {tensors} tensors have to"
    check.saw(kata.train, seen, call=call).gives({"history": right, "anything crossed": True, **NOTHING})


# ---- accuracy


@pytest.mark.fact("09.5")
@pytest.mark.fact("09.2")
@pytest.mark.parametrize(("n", "size"), [(5, 2), (8, 5), (1, 4), (4, 1)])
@DEVICES
def test_accuracy_on_each_device(kata, check, n, size, device):
    """Catches labels compared across devices, a mean over batches of unequal size, and a model that is moved away."""
    X, y = data(n)
    model = Net(seed=4).eval()
    right = sum(int(model.layer(x).argmax()) == int(label) for x, label in zip(X, y, strict=True)) / n
    with on(device) as place:
        inputs = {"model": model.to(place), "loader": list(in_batches(n, size)), "device": place}
        found = kata.accuracy(**inputs)
        elsewhere = [name for name, tensor in state(model).items() if tensor.device != place]
        call = f"{n} examples in batches of {size}, on the CPU, the model on {place} in eval mode, and what of it is "
        call += "elsewhere then, or in train mode"
        seen = {"accuracy": found, "elsewhere": elsewhere, "in train mode": model.training}
        check.saw(kata.accuracy, seen, call=call).gives({"accuracy": right, "elsewhere": [], "in train mode": False})


@pytest.mark.fact("09.5")
def test_accuracy_crosses_once(kata, check):
    """Catches inputs that are copied twice."""
    X, y = data(5)
    model = Net(seed=4).eval()
    right = (model(X).argmax(dim=1) == y).double().mean().item()
    with Pretend() as machine:
        model.to("cuda")
        machine.moves.clear()
        found = kata.accuracy(model=model, loader=list(in_batches()), device=torch.device("cuda", 0))
    seen = {"accuracy": found, "copies too many": crossed(machine, allowed=6)["copies too many"]}
    call = "what crossed from the CPU to cuda:0 in three batches; two tensors a batch have to"
    check.saw(kata.accuracy, seen, call=call).gives({"accuracy": right, "copies too many": 0})
