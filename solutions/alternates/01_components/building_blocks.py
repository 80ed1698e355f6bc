"""Other right answers to katas/01_components/building_blocks.py."""

from collections import OrderedDict

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset

from torchkatas.bank import right


@right(replaces="two_layers")
def two_layers_by_name(inputs, hidden, outputs):
    layers = OrderedDict(first=nn.Linear(inputs, hidden), bend=nn.ReLU(inplace=True), last=nn.Linear(hidden, outputs))
    return nn.Sequential(layers)


@right(replaces="two_layers")
def two_layers_appended(inputs, hidden, outputs):
    model = nn.Sequential()
    for layer in (nn.Linear(inputs, hidden, bias=True), nn.ReLU(), nn.Linear(hidden, outputs)):
        model.append(layer)
    return model


@right(replaces="Line")
class RegisteredByName(nn.Module):
    def __init__(self, a, b):
        nn.Module.__init__(self)
        self.register_parameter("b", nn.Parameter(torch.tensor(b)))
        self.register_parameter("a", nn.Parameter(torch.tensor(a), requires_grad=True))

    def forward(self, x):
        return torch.add(self.b, self.a * x)


@right(replaces="Line")
class FilledIn(nn.Module):
    def __init__(self, a, b):
        super().__init__()
        self.a = nn.Parameter(torch.empty(()))
        self.b = nn.Parameter(torch.zeros([]))
        nn.init.constant_(self.a, a)
        with torch.no_grad():
            self.b.fill_(b)

    def forward(self, x):
        y = x * self.a
        y += self.b
        return y


@right(replaces="Pairs")
class ListOfPairs(Dataset):
    def __init__(self, x, y):
        self.pairs = list(zip(x, y, strict=True))

    def __len__(self):
        return len(self.pairs)

    def __getitem__(self, i):
        return self.pairs[i]


@right(replaces="Pairs")
class Ready(TensorDataset):
    pass


@right(replaces="Pairs")
class ByShape(Dataset):
    def __init__(self, x, y):
        self.tensors = x.clone(), y.clone()

    def __len__(self):
        return self.tensors[1].shape[0]

    def __getitem__(self, i):
        return tuple(tensor.select(0, i) for tensor in self.tensors)


@right(replaces="in_batches")
def all_said(dataset, size):
    return DataLoader(dataset, batch_size=size, shuffle=False, drop_last=False, num_workers=0)


@right(replaces="in_batches")
def by_samplers(dataset, size):
    order = torch.utils.data.SequentialSampler(dataset)
    return DataLoader(dataset, batch_sampler=torch.utils.data.BatchSampler(order, size, drop_last=False))


@right(replaces="one_step")
def by_hand(model, x, y, lr):
    for p in model.parameters():
        p.grad = None
    loss = F.mse_loss(model(x), y)
    loss.backward()
    with torch.no_grad():
        for p in model.parameters():
            p -= lr * p.grad
    return loss.item(), F.mse_loss(model(x), y).item()


@right(replaces="one_step")
def by_autograd_grad(model, x, y, lr):
    parameters = list(model.parameters())
    loss = (model(x) - y).square().mean()
    for p, slope in zip(parameters, torch.autograd.grad(loss, parameters), strict=True):
        p.data.sub_(slope, alpha=lr)
    with torch.inference_mode():
        return float(loss), float((model(x) - y).square().mean())


@right(replaces="one_step")
def zeros_kept(model, x, y, lr):
    optimizer = torch.optim.SGD(model.parameters(), lr, momentum=0.9)  # a first step has no momentum yet
    optimizer.zero_grad(set_to_none=False)
    loss = F.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
    model.zero_grad()
    return loss.item(), F.mse_loss(model(x), y).item()
