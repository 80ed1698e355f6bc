"""Small programs of a device: what works on a real one, and what a real one refuses; the pretend device must agree.

Each takes the device and gives a plain value, the same on every device and exact (small integers in floats): that the
result lies where it should is part of it. Each that is refused is fine where there is only the CPU.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy
import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.utils.data import DataLoader, TensorDataset

CPU = torch.device("cpu")


def v(device: Any = None) -> Tensor:
    return torch.tensor([1.0, -2.0, 4.0], device=device)


def m(device: Any = None) -> Tensor:
    return torch.tensor([[1.0, 2.0, -3.0], [0.0, 5.0, 6.0]], device=device)


def i(device: Any = None) -> Tensor:
    return torch.tensor([2, 0], device=device)


def one(device: Any = None) -> Tensor:
    return torch.tensor(3.0, device=device)


def at(device: Any, *values: Any) -> Any:
    """The values of tensors that all lie on the device."""
    assert {value.device for value in values} == {device}, [value.device for value in values]
    found = [value.detach().cpu().tolist() for value in values]
    return found[0] if len(found) == 1 else found


def linear(device: Any = None, **options: Any) -> nn.Linear:
    layer = nn.Linear(3, 2, device=device, **options)
    with torch.no_grad():
        for parameter in layer.parameters():
            parameter.copy_(torch.arange(parameter.numel(), dtype=torch.float32).view_as(parameter) - 2)
    return layer


class Scaled(nn.Module):
    """A parameter, a buffer, and a tensor that is neither."""

    def __init__(self) -> None:
        super().__init__()
        self.body, self.loose = linear(), torch.tensor([1.0, 2.0])
        self.register_buffer("scale", torch.tensor([2.0, 4.0]))

    def forward(self, x: Tensor, loose: bool = False) -> Tensor:
        return self.body(x) * (self.loose if loose else self.scale)


def trained(device: Any, optimizer: Any, **options: Any) -> Any:
    """Two steps, the model moved after its optimizer was made."""
    model = linear()
    optimizer = optimizer(model.parameters(), lr=0.25, **options)
    model.to(device)
    for X, y in DataLoader(TensorDataset(m(), torch.tensor([1, 0])), batch_size=1):
        optimizer.zero_grad()
        F.cross_entropy(model(X.to(device)), y.to(device)).backward()
        optimizer.step()
    assert {p.grad.device for p in model.parameters()} == {p.device for p in model.parameters()} == {device}
    states = {n: t.device for state in optimizer.state.values() for n, t in state.items() if isinstance(t, Tensor)}
    assert all(where == (CPU if name == "step" else device) for name, where in states.items()), states
    return [round(number, 4) for number in model.weight.flatten().tolist()]


def clipped(device: Any) -> Any:
    layer = linear(device)
    (layer(m(device)).sum() * 8).backward()
    norm = nn.utils.clip_grad_norm_(layer.parameters(), 1.0)
    return round(at(device, norm), 3), [round(n, 4) for n in at(device, layer.bias.grad)]


def gradients(device: Any) -> Any:
    x = v(device).requires_grad_()
    (x * x).sum().backward()
    (other,) = torch.autograd.grad((x * x * x).sum(), x)
    return at(device, x.grad, other)


def by_hand(device: Any) -> Any:
    w = torch.tensor([1.0, 2.0, 0.5], device=device, requires_grad=True)
    for _ in range(2):
        (w * v(device)).sum().backward()
        with torch.no_grad():
            w -= 0.5 * w.grad
        w.grad.zero_()
    return w.is_leaf, at(device, w, w.grad)


def loaded(device: Any) -> Any:
    model = linear(device)
    model.load_state_dict({name: tensor + 1 for name, tensor in linear().state_dict().items()})
    return at(device, *model.parameters()), {t.device == device for t in model.state_dict().values()}


def deep(device: Any) -> Any:
    model = Scaled().to(device)
    twin = copy.deepcopy(model)
    twin.scale.mul_(2)
    return at(device, model.scale, twin.scale, twin.body.weight, copy.deepcopy(v(device)))


def context(device: Any) -> Any:
    with torch.device(device):
        layer, x = nn.Linear(2, 1), torch.zeros(2)
    return layer.weight.device == layer.bias.device == x.device == device


def default(device: Any) -> Any:
    torch.set_default_device(device)
    try:
        layer, x = nn.Linear(2, 1), torch.zeros(2)
        return layer.weight.device == x.device == torch.ones_like(x).device == device and v("cpu").device == CPU
    finally:
        torch.set_default_device(None)


def filled(device: Any) -> Any:
    x = torch.zeros(2, 3, device=device)
    x[0] = v()  # a copy across
    x[:, 2] = 7
    x[x > 6] = torch.tensor(9.0)
    x[i(device)[1:], i()[:1]] = one()
    x[1].copy_(v())
    return at(device, x)


def to_cpu(device: Any) -> Any:
    x = torch.zeros(3)
    x[:] = v(device)
    y = torch.zeros(3).copy_(v(device))
    return at(CPU, x, y)


def moved_model(device: Any) -> Any:
    model = Scaled()
    before = list(model.parameters())
    same = model.to(device) is model
    kept = [p is q and p.is_leaf for p, q in zip(model.parameters(), before, strict=True)]
    return same, kept, at(device, model.scale, model.body.bias), at(CPU, model.loose), at(device, model(m(device)))


def moved_gradients(device: Any) -> Any:
    layer = linear()
    layer(m()).sum().backward()
    layer.to(device)
    return at(device, layer.weight.grad)


def told(device: Any) -> Any:
    x = v(device).requires_grad_()
    texts = [repr(x), str(m(device)), f"{v(device)}", repr(x * 2), repr(nn.Parameter(v(device))), repr(v(device).int())]
    where = f", device='{device}'" if device != CPU else ""
    assert all(where in text for text in texts), texts
    return [text.replace(where, "") for text in texts]


def hook(device: Any) -> Any:
    layer, seen = linear(device), []
    for parameter in layer.parameters():
        parameter.register_post_accumulate_grad_hook(lambda p: seen.append(p.shape))
    layer(m(device)).sum().backward()
    return len(seen)


def epoch(device: Any) -> Any:
    """Sums on the device, read once."""
    model, right, total = linear().to(device), torch.zeros((), device=device), 0.0
    model.eval()
    with torch.no_grad():
        for X, y in DataLoader(TensorDataset(m(), torch.tensor([1, 0])), batch_size=2):
            outputs = model(X.to(device))
            right += (outputs.argmax(dim=1) == y.to(device)).sum()
            total += outputs.sum().item()
    return int(right), total


def normed(device: Any) -> Any:
    norm = nn.BatchNorm1d(3, momentum=0.5).to(device)
    norm(m(device) * 2)
    return at(device, norm.running_mean, norm.running_var, norm.num_batches_tracked)


def attention(device: Any) -> Any:
    q = torch.ones(1, 2, 4, device=device)
    out = nn.MultiheadAttention(4, 2, batch_first=True, device=device)(q, q, q)
    return [tuple(x.shape) for x in out if x.device == device]


WORKS = {
    # made there
    "tensor": lambda d: at(d, v(d)),
    "factories": lambda d: at(d, torch.zeros(2, device=d), torch.full((2,), 5.0, device=d), torch.arange(3, device=d)),
    "random": lambda d: [x.device == d for x in (torch.rand(2, device=d), torch.randn(2, device=d).normal_())],
    "like": lambda d: at(d, torch.zeros_like(v(d)), v(d).new_ones(2), v(d).new_tensor([7.0]), torch.full_like(m(d), 2)),
    "like, elsewhere": lambda d: at(CPU, torch.ones_like(v(d), device="cpu"), v(d).new_zeros(2, device="cpu")),
    "as_tensor": lambda d: at(d, torch.as_tensor([1.0], device=d), torch.as_tensor(v(), device=d)),
    "as_tensor leaves its source": lambda d: [x := v(), at(d, torch.as_tensor(x, device=d)), at(CPU, x)][1:],
    "tensor of a tensor": lambda d: at(d, torch.tensor(v(d).tolist(), device=d), v(d).clone().detach()),
    "numbers from there": lambda d: at(CPU, torch.tensor([one(d), one(d)]), torch.full((2,), one(d).item())),
    "from numpy": lambda d: at(d, torch.from_numpy(numpy.array([1.0, 2.0])).to(d)),
    "context": context,
    "default": default,
    "Parameter": lambda d: at(d, nn.Parameter(v(d)), nn.Parameter(v(d)).data),
    "leaf": lambda d: [torch.ones(2, device=d, requires_grad=True).is_leaf, v(d).requires_grad_().is_leaf],
    # moved
    "to": lambda d: at(d, v().to(d), v().to(device=d, dtype=torch.float64), v().to(v(d)), v().type_as(v(d))),
    "to leaves its source": lambda d: [x := v(), y := x.to(d, copy=True), y.add_(1), at(d, y), at(CPU, x)][3:],
    "to the same is the same": lambda d: [x := v(d), x.to(d) is x, x.float() is x, x.to(d, copy=True) is x][1:],
    "to a dtype stays": lambda d: at(d, v(d).to(torch.int64), v(d).half(), v(d).double(), v(d).to(v(d).int())),
    "to the CPU": lambda d: at(CPU, v(d).cpu(), v(d).to("cpu"), v(d).to(v()), v(d).to(CPU, torch.int32)),
    "copies across": to_cpu,
    "numpy of a copy": lambda d: v(d).requires_grad_().detach().cpu().numpy().tolist(),
    "forced numpy": lambda d: v(d).requires_grad_().numpy(force=True).tolist(),
    "module": moved_model,
    "module's gradients": moved_gradients,
    "module made there": lambda d: at(d, linear(d).weight, linear(d)(m(d))),
    "module back": lambda d: at(CPU, *Scaled().to(d).cpu().state_dict().values()),
    "deepcopy": deep,
    "load_state_dict": loaded,
    # what it says of itself
    "device": lambda d: [v(d).device == d, v(d).device.type == d.type, v(d).is_cpu == (d == CPU), v(d)[0].device == d],
    "index": lambda d: v(d).get_device() == (-1 if d == CPU else d.index),
    "repr": told,
    "numbers": lambda d: [v(d).sum().item(), float(v(d)[2]), int(one(d)), bool(one(d)), len(v(d)), f"{one(d):.2f}"],
    "list": lambda d: [m(d).tolist(), [float(x) for x in v(d)], 4.0 in v(d), v(d).numel(), tuple(m(d).shape)],
    # one device
    "arithmetic": lambda d: at(d, v(d) + v(d), 2 * v(d), 1 - v(d), v(d) / 2, v(d) ** 2, -v(d), v(d) > 0, v(d) % 2),
    "in place": lambda d: [x := v(d), x.add_(1), x.mul_(v(d)), x.zero_(), x.fill_(2.0), x.__iadd__(v(d)), at(d, x)][-1],
    "matrices": lambda d: at(d, m(d) @ v(d), m(d) @ m(d).T, torch.einsum("ij,j->i", m(d), v(d)), v(d).dot(v(d))),
    "reductions": lambda d: at(d, m(d).sum(), m(d).mean(), m(d).amax(dim=1), m(d).max(dim=0)[1], sum(v(d))),
    "views": lambda d: at(d, m(d).view(3, 2), m(d)[1], m(d).T, m(d)[:, 1:].flatten(), *m(d).unbind(), *v(d).split(2)),
    "views follow": lambda d: [x := m().to(d), x.view(-1)[0:2].mul_(3), x.detach().T[0].device == d, at(d, x)][2:],
    "shape of another": lambda d: at(d, v(d).view_as(v()), v(d).expand_as(m()), m(d).reshape_as(torch.zeros(3, 2))),
    "cat": lambda d: at(d, torch.cat([v(d), v(d)]), torch.stack([one(d), one(d)]), torch.stack((v(d), v(d)), dim=1)),
    "where": lambda d: at(d, torch.where(v(d) > 0, v(d), 0.0), v(d).masked_fill(v(d) > 0, 5), v(d).clamp(min=0)),
    "gather": lambda d: at(d, v(d).gather(0, i(d)), v(d).index_select(0, i(d)), F.one_hot(i(d), 3), v(d).sort()[0]),
    "embedding": lambda d: at(d, F.embedding(i(d)[1:], m(d)), nn.Embedding(3, 1, device=d)(i(d)) * 0),
    "conv": lambda d: at(d, F.conv1d(m(d)[None], torch.ones(1, 2, 2, device=d)), F.relu(v(d)), F.max_pool1d(m(d), 2)),
    "losses": lambda d: at(d, F.mse_loss(v(d), v(d) + 2), F.cross_entropy(m(d) * 0, i(d)).exp().round()),
    "norm": normed,
    "attention": attention,
    "triangle": lambda d: at(d, torch.ones(2, 2, device=d).triu(1), torch.tril(m(d)), torch.eye(2, device=d)),
    "equal": lambda d: [torch.equal(v(d), v(d)), torch.allclose(v(d), v(d) + 1), bool((v(d) == v(d)).all())],
    # numbers on the CPU, indices on the CPU
    "number on the CPU": lambda d: at(d, v(d) + one(), one() * v(d), one(d) - one(), torch.maximum(v(d), one())),
    "number in place": lambda d: [x := v(d), x.mul_(one()), x.__isub__(one()), at(d, x)][-1],
    "number in where": lambda d: at(d, torch.where(v(d) > 0, v(d), one()), v(d).masked_fill(v(d) > 0, one())),
    "number compared": lambda d: at(d, v(d) < one(), one() == v(d)),
    "index on the CPU": lambda d: at(d, v(d)[i()], v(d)[torch.tensor([True, False, True])], m(d)[i()[1:], i(d)[:1]]),
    "index, a number there": lambda d: at(CPU, v()[i(d)[0]]),
    "setitem": filled,
    "broadcast": lambda d: [pair := torch.broadcast_tensors(v(d), m()), at(d, pair[0]), at(CPU, pair[1])][1:],
    # training
    "backward": gradients,
    "backward from a slope": lambda d: [x := v(d).requires_grad_(), (x * 2).backward(v(d)), at(d, x.grad)][-1],
    "gradient of a source": lambda d: [x := v().requires_grad_(), x.to(d).sum().backward(), at(CPU, x.grad)][-1],
    "descent by hand": by_hand,
    "hook": hook,
    "SGD": lambda d: trained(d, torch.optim.SGD),
    "SGD with momentum": lambda d: trained(d, torch.optim.SGD, momentum=0.5, weight_decay=0.125),
    "Adam": lambda d: trained(d, torch.optim.Adam),
    "AdamW": lambda d: trained(d, torch.optim.AdamW),
    "AdamW, one by one": lambda d: trained(d, torch.optim.AdamW, foreach=False),
    "clipping": clipped,
    "evaluation": epoch,
}  # fmt: skip


def stale(device: Any) -> Any:
    """An optimizer whose momentum stayed on the CPU."""
    model = linear()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5, momentum=0.5)
    for move in (False, True):
        where = device if move else CPU
        model.to(where)(m(where)).sum().backward()
        optimizer.step()


def labels_forgotten(device: Any) -> Any:
    model = linear().to(device)
    F.cross_entropy(model(m().to(device)), torch.tensor([1, 0])).backward()


def drawn(device: Any, make: Any) -> Any:
    """With a generator on the CPU."""
    return make(torch.Generator().manual_seed(0))


def as_grad(device: Any) -> Any:
    x = v(device).requires_grad_()
    x.grad = v()


def set_item(x: Tensor, where: Any, value: Tensor) -> None:
    x[where] = value


# on a device there RuntimeError, but where a class is named
REFUSED: dict[str, Any] = {
    "add": lambda d: v(d) + v(),
    "add, the other way round": lambda d: v() + v(d),
    "a number there": lambda d: v() * one(d),
    "one element on the CPU": lambda d: v(d) + torch.ones(1),
    "add in place": lambda d: v(d).add_(v()),
    "add in place on the CPU": lambda d: v().add_(v(d)),
    "a number on the CPU, in place": lambda d: one().add_(one(d)),
    "compare": lambda d: v(d) == v(),
    "accuracy": lambda d: (m(d).argmax(dim=1) == i()).sum(),
    "maximum": lambda d: torch.maximum(v(d), v()),
    "where": lambda d: torch.where(v(d) > 0, v(d), v()),
    "where, condition": lambda d: torch.where(v() > 0, v(d), v(d)),
    "masked_fill": lambda d: v(d).masked_fill(v() > 0, 0.0),
    "matmul": lambda d: m(d) @ v(),
    "mm": lambda d: torch.mm(m(), m(d).T),
    "einsum": lambda d: torch.einsum("ij,j->i", m(d), v()),
    "linear": lambda d: linear().to(d)(m()),
    "linear on the CPU": lambda d: linear()(m(d)),
    "linear, bias": lambda d: F.linear(m(d), m(d), torch.ones(2)),
    "conv": lambda d: nn.Conv1d(2, 1, 2).to(d)(m()[None]),
    "embedding": lambda d: nn.Embedding(3, 2).to(d)(i()),
    "norm": lambda d: nn.BatchNorm1d(3).to(d)(m()),
    "layer_norm": lambda d: nn.LayerNorm(3).to(d)(m()),
    "cross_entropy": labels_forgotten,
    "mse_loss": lambda d: F.mse_loss(v(d), v()),
    "binary_cross_entropy": lambda d: F.binary_cross_entropy_with_logits(v(d), torch.ones(3)),
    "cat": lambda d: torch.cat([v(d), v()]),
    "cat with nothing": lambda d: torch.cat([torch.tensor([]), v(d)]),
    "stack": lambda d: torch.stack([v(), v(d)]),
    "gather": lambda d: v(d).gather(0, i()),
    "gather on the CPU": lambda d: v().gather(0, i(d)),
    "index_select": lambda d: v(d).index_select(0, i()),
    "index there": lambda d: v()[i(d)],
    "mask there": lambda d: v()[v(d) > 0],
    "index put": lambda d: set_item(v(d), i(d), torch.ones(2)),
    "mask put": lambda d: set_item(v(d), v(d) < 3, torch.ones(2)),
    "equal": lambda d: torch.equal(v(d), v()),
    "allclose": lambda d: torch.allclose(v(d), v()),
    "neither parameter nor buffer": lambda d: Scaled().to(d)(m(d), loose=True),
    "grad of elsewhere": as_grad,
    "backward from elsewhere": lambda d: (v(d).requires_grad_() * 2).backward(v()),
    "momentum of elsewhere": stale,
    "randn with a generator of the CPU": lambda d: drawn(d, lambda g: torch.randn(2, generator=g, device=d)),
    "normal_ with a generator of the CPU": lambda d: drawn(d, lambda g: torch.empty(2, device=d).normal_(generator=g)),
    "no such device": lambda d: torch.zeros(1, device=d if d == CPU else f"{d.type}:99"),
    "numpy": (TypeError, lambda d: v(d).numpy()),
    "asarray": (TypeError, lambda d: numpy.asarray(v(d))),
}  # fmt: skip


# what a real device does, and the pretend one leaves open
OPEN = {
    "pin_memory": lambda d: v().pin_memory(),
    "one number put with dimensions": lambda d: set_item(v(d), v(d) > 0, torch.ones(1)),
    "numbers in a loss": lambda d: F.mse_loss(one(d), one()),
    "cosine_similarity": lambda d: F.cosine_similarity(m(d), m(d)),
    "vmap": lambda d: torch.vmap(torch.neg)(m(d)),
    "torch.func.grad": lambda d: torch.func.grad(torch.sum)(v(d)),
    "register_hook": lambda d: v(d).requires_grad_().register_hook(print),
}
