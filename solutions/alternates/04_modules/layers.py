"""Other right answers to katas/04_modules/layers.py."""

import math

import torch
import torch.nn.functional as F
from torch import nn

from torchkatas.bank import right


@right(replaces="Affine")
class AsTorchDoes(nn.Module):
    def __init__(self, inputs, outputs, bias=True):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(outputs, inputs))
        if bias:
            self.bias = nn.Parameter(torch.empty(outputs))
        else:
            self.register_parameter("bias", None)
        nn.init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            nn.init.uniform_(self.bias, -1 / math.sqrt(inputs), 1 / math.sqrt(inputs))

    def forward(self, x):
        y = torch.matmul(x, self.weight.t())
        if self.bias is not None:
            y += self.bias
        return y


@right(replaces="Affine")
class ByEinsum(nn.Module):
    def __init__(self, inputs, outputs, bias=True):
        super().__init__()
        bound = 1 / inputs**0.5
        if bias:
            self.bias = nn.Parameter(2 * bound * torch.rand(outputs) - bound)
        self.weight = nn.Parameter((torch.rand(outputs, inputs) * 2 - 1) * bound)

    def forward(self, x):
        y = torch.einsum("...i,oi->...o", x, self.weight)
        return y + self.bias if hasattr(self, "bias") else y


@right(replaces="Affine")
class ZeroForNoBias(nn.Module):
    def __init__(self, inputs, outputs, bias=True):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.zeros(outputs, inputs)), 0.0
        parameters = [self.weight]
        if bias:
            self.bias = nn.Parameter(torch.zeros(outputs))
            parameters.append(self.bias)
        with torch.no_grad():
            for parameter in parameters:
                parameter.uniform_(-1 / math.sqrt(inputs), 1 / math.sqrt(inputs))

    def forward(self, x):
        return (x.unsqueeze(-2) * self.weight).sum(dim=-1) + self.bias


@right(replaces="Affine")
class WithADistribution(nn.Module):
    def __init__(self, inputs, outputs, bias=True):
        super().__init__()
        draw = torch.distributions.Uniform(-1 / math.sqrt(inputs), 1 / math.sqrt(inputs))
        self.weight = nn.Parameter(draw.sample((outputs, inputs)))
        self.bias = nn.Parameter(draw.sample((outputs,))) if bias else None

    def forward(self, x):
        y = torch.tensordot(x, self.weight, dims=([-1], [1]))
        return y if self.bias is None else torch.add(y, self.bias)


@right(replaces="Stack")
class Appended(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.layers = nn.ModuleList()
        for _ in range(depth):
            self.layers.append(nn.Linear(width, width))

    def forward(self, x):
        for i in range(len(self.layers)):
            x = F.relu(self.layers[i](x))
        return x


@right(replaces="Stack")
class ASequentialInALoop(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.layers = nn.Sequential(*[nn.Linear(width, width) for _ in range(depth)])
        self.bend = nn.ReLU()

    def forward(self, x):
        for layer in self.layers:
            x = self.bend(layer(x))
        return x


@right(replaces="Stack")
class ASequentialThatBends(nn.Module):
    def __init__(self, width, depth):
        super().__init__()

        class Bent(nn.Linear):
            def forward(self, x):
                return super().forward(x).clamp(min=0)

        self.layers = nn.Sequential(*(Bent(width, width) for _ in range(depth)))

    def forward(self, x):
        return self.layers(x)


@right(replaces="Stack")
class UnderNumbers(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.layers = nn.Module()
        for i in range(depth):
            self.layers.add_module(str(i), nn.Linear(width, width))

    def forward(self, x):
        for layer in self.layers.children():
            x = layer(x).relu_()
        return x


@right(replaces="Heads")
class SetOneByOne(nn.Module):
    def __init__(self, inputs, tasks):
        super().__init__()
        self.heads = nn.ModuleDict()
        for task in tasks:
            self.heads[task] = nn.Linear(inputs, tasks[task])

    def forward(self, x, task):
        if task not in self.heads:
            raise KeyError(f"there is no task {task}")
        return self.heads[task].forward(x)


@right(replaces="Heads")
class OfPairs(nn.Module):
    def __init__(self, inputs, tasks):
        super().__init__()
        self.heads = nn.ModuleDict([(task, nn.Linear(inputs, n)) for task, n in tasks.items()])

    def forward(self, x, task):
        head = self.heads[task]
        return F.linear(x, head.weight, head.bias)


@right(replaces="Heads")
class WithAPlainDictBeside(nn.Module):
    def __init__(self, inputs, tasks):
        super().__init__()
        self.heads = nn.Module()
        self.by_name = {}
        for task, classes in tasks.items():
            self.by_name[task] = nn.Linear(inputs, classes)
            self.heads.register_module(task, self.by_name[task])

    def forward(self, x, task):
        return self.by_name[task](x)


@right(replaces="Standardize")
class OwnCopies(nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        self.register_buffer("mean", mean.clone())
        self.register_buffer("std", std.detach().clone(), persistent=True)

    def forward(self, x):
        return torch.div(x - self.mean[None], self.std[None])


@right(replaces="Standardize")
class FilledLater(nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        for name in ("std", "mean"):
            self.register_buffer(name, torch.zeros(len(mean)))
        self.mean, self.std = mean.clone(), std.clone()

    def forward(self, x):
        return x.sub(self.mean).div(self.std)


@right(replaces="RunningMean")
class Rebound(nn.Module):
    def __init__(self, features, momentum=0.1):
        super().__init__()
        self.momentum = momentum
        self.register_buffer("mean", torch.zeros(features))

    def forward(self, x):
        if self.training:
            self.mean = (1 - self.momentum) * self.mean + self.momentum * x.detach().mean(0)
        return x - self.mean


@right(replaces="RunningMean")
class UnderNoGrad(nn.Module):
    def __init__(self, features, momentum=0.1):
        super().__init__()
        self.register_buffer("mean", torch.zeros(features))
        self.step = momentum

    def forward(self, x):
        if self.training:
            with torch.no_grad():
                self.mean.lerp_(x.mean(dim=0), self.step)
        return x.sub(self.mean)


@right(replaces="RunningMean")
class CopiedIn(nn.Module):
    def __init__(self, features, momentum=0.1):
        super().__init__()
        self.keep, self.take = 1 - momentum, momentum
        self.register_buffer("mean", torch.zeros(features), persistent=True)

    def forward(self, x):
        if not self.training:
            return x - self.mean
        batch = x.data.sum(dim=0) / len(x)
        self.mean.copy_(self.keep * self.mean + self.take * batch)
        return x - self.mean.clone()


@right(replaces="RunningMean")
class MultipliedAndAdded(nn.Module):
    def __init__(self, features, momentum=0.1):
        super().__init__()
        self.momentum = momentum
        self.register_buffer("mean", torch.zeros(features))

    @torch.no_grad()
    def update(self, x):
        self.mean.mul_(1 - self.momentum).add_(x.mean(dim=0), alpha=self.momentum)

    def forward(self, x):
        if self.training:
            self.update(x)
        return x - self.mean[None, :]
