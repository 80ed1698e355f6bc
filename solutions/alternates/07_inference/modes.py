"""Other right answers to katas/07_inference/modes.py."""

import copy

import torch
import torch.nn.functional as F
from torch import nn

from torchkatas.bank import right


@right(replaces="to_eval")
def train_false(model):
    return model.train(False)


@right(replaces="to_eval")
def flag_by_flag(model):
    for module in model.modules():
        module.training = False
    return model


@right(replaces="dropout")
def mask_times_scale(x, p, draws, training=True):
    if not training:
        return x.clone()
    if p == 1:
        return x * 0
    return x * (draws >= p).to(x.dtype) / (1 - p)


@right(replaces="dropout")
def masked_fill_first(x, p, draws, training=True):
    if not training or p == 0.0:
        return x
    kept = x.masked_fill(draws < p, 0)
    return kept if p == 1.0 else kept * (1.0 / (1.0 - p))


@right(replaces="dropout")
def written_into_a_copy(x, p, draws, training=True):
    out = x.clone()
    if training:
        dropped = draws < p
        out[dropped] = 0.0
        out[~dropped] = out[~dropped] / (1 - p) if p < 1 else 0.0
    return out


@right(replaces="Block")
class DropoutModule(nn.Module):
    def __init__(self, first, last, p):
        super().__init__()
        self.net = nn.Sequential(first, nn.ReLU(), nn.Dropout(p), last)

    def forward(self, x):
        return self.net(x)


@right(replaces="Block")
class OwnMask(nn.Module):
    def __init__(self, first, last, p):
        super().__init__()
        self.layers = nn.ModuleList([first, last])
        self.p = p

    def forward(self, x):
        h = self.layers[0](x).clamp(min=0)
        if self.training:
            h = h * torch.bernoulli(torch.full_like(h, 1 - self.p)) / (1 - self.p)
        return self.layers[1](h)


@right(replaces="Block")
class DropoutBeforeRelu(nn.Module):
    def __init__(self, first, last, p):
        super().__init__()
        self.first = first
        self.drop = nn.Dropout(p)
        self.last = last

    def forward(self, x):
        return self.last(F.relu(self.drop(self.first(x))))


@right(replaces="batch_norm")
def sums_by_hand(x, running_mean, running_var, training, momentum=0.1, eps=1e-5):
    if training:
        n = x.shape[0]
        if n == 1:
            raise ValueError("expected a larger batch in training")
        mean = x.sum(dim=0) / n
        var = ((x - mean) ** 2).sum(dim=0) / n
        with torch.no_grad():
            running_mean = running_mean + momentum * (mean - running_mean)
            running_var = running_var + momentum * (var * n / (n - 1) - running_var)
    else:
        mean, var = running_mean, running_var
    return (x - mean) * torch.rsqrt(var + eps), running_mean.clone(), running_var.clone()


@right(replaces="batch_norm")
def by_var_mean(x, running_mean, running_var, training, momentum=0.1, eps=1e-5):
    if not training:
        return [(x - running_mean) / torch.sqrt(running_var + eps), running_mean, running_var]
    if x.size(0) <= 1:
        raise ValueError("Batch of one!")
    var, mean = torch.var_mean(x, dim=0, correction=0)
    unbiased = x.detach().var(dim=0, correction=1)
    return [
        (x - mean) / torch.sqrt(var + eps),
        torch.lerp(running_mean, mean.detach(), momentum),
        torch.lerp(running_var, unbiased, momentum),
    ]


@right(replaces="effects")
def state_put_back(model, x):
    before = copy.deepcopy(model.state_dict())
    buffers = {name: buffer.clone() for name, buffer in model.named_buffers()}
    one = model(x)
    changed = any(not torch.equal(buffers[name], buffer) for name, buffer in model.named_buffers())
    two = model(x)
    model.load_state_dict(before)
    return {"graph": one.grad_fn is not None, "random": bool((one != two).any()), "buffers": changed}


@right(replaces="effects")
def buffers_put_back(model, x):
    kept = [buffer.clone() for buffer in model.buffers()]
    outputs = [model(x) for _ in range(3)]
    changed = False
    for buffer, old in zip(model.buffers(), kept, strict=True):
        changed = changed or not torch.equal(buffer, old)
        buffer.copy_(old)
    return {
        "graph": outputs[0].requires_grad,
        "random": not all(torch.equal(outputs[0], output) for output in outputs),
        "buffers": changed,
    }
