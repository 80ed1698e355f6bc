"""The specification of mixed_precision.py.

What autocast and the scaler do is judged on the CPU, whose kernels in float16 and bfloat16 are real, and on a GPU where
there is one. The pretend device knows no autocast. Not proven without a GPU: what only its kernels do, such as softmax
of 16 bits that comes out in float32, and BCELoss that is refused.
"""

import math

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from torchkatas.observe import state

DEVICES = ["cpu", pytest.param("cuda", marks=pytest.mark.cuda)]
LOW = [torch.bfloat16, torch.float16]
IDS = ["bfloat16", "float16"]
# against float32: inputs, weights and outputs are rounded to 8 bits, each 1/256 at most, and sums of them cancel
EIGHT_BITS = {"rtol": 0.04, "atol": 0.04}


# ---- make_scaler


def described(kata):
    """make_scaler, with a scaler told as what it does: a loss that passes through it tells its scale and device."""

    def make_scaler(device, dtype):
        scaler = kata.make_scaler(device, dtype)
        scaled = scaler.scale(torch.tensor(0.5, device=device))
        kind = isinstance(scaler, torch.amp.GradScaler)
        return {"a GradScaler": kind, "enabled": scaler.is_enabled(), "0.5 scaled": scaled}

    return make_scaler


@pytest.mark.fact("02.6")
@pytest.mark.parametrize("device", DEVICES)
def test_make_scaler_scales_float16_alone(kata, check, device):
    """Catches a scaler for both dtypes, for the wrong one, of another device, and the old names, which warn."""
    right = []
    for enabled, factor in ((True, 2.0**16), (False, 1.0)):
        scaled = torch.tensor(0.5 * factor, device=device)
        right.append({"a GradScaler": True, "enabled": enabled, "0.5 scaled": scaled})
    rows = [{"device": device, "dtype": dtype} for dtype in (torch.float16, torch.bfloat16)]
    check.each(described(kata), rows).gives(right, quiet=True)


# ---- autocast_dtype

FULL = torch.float32
OPERATIONS = {
    "linear": F.linear,
    "matmul": torch.matmul,
    "conv1d": F.conv1d,
    "relu": F.relu,
    "add": torch.add,
    "softmax": lambda x: F.softmax(x, dim=-1),
    "layer_norm": lambda x, *affine: F.layer_norm(x, x.shape[-1:], *affine),
    "mse_loss": F.mse_loss,
    "cross_entropy": lambda x: F.cross_entropy(x, torch.tensor([1, 0, 1], device=x.device)),
}


def as_torch_does(operation, given, low, device):
    """The dtype of the real thing, on matrices of 3 × 3, or vectors for what is added to each row."""
    shapes = [(3, 3), (3, 3), (3,)] if operation != "layer_norm" else [(3, 3), (3,), (3,)]
    if operation == "conv1d":
        shapes = [(1, 3, 3), (3, 3, 1), (3,)]
    operands = [torch.ones(shape, dtype=dtype, device=device) for shape, dtype in zip(shapes, given, strict=False)]
    with torch.autocast(device, dtype=low):
        return OPERATIONS[operation](*operands).dtype


def rows(low):
    """Operations with operands in either precision; ten of seventeen give float32."""
    return [
        ("linear", (FULL, FULL, FULL), low),
        ("linear", (low, FULL), low),
        ("relu", (low,), low),
        ("relu", (FULL,), low),
        ("matmul", (FULL, FULL), low),
        ("matmul", (low, low), low),
        ("conv1d", (FULL, FULL, FULL), low),
        ("add", (low, low), low),
        ("add", (low, FULL), low),
        ("add", (FULL, low), low),
        ("softmax", (FULL,), low),
        ("layer_norm", (FULL,), low),
        ("layer_norm", (FULL, FULL, FULL), low),
        ("mse_loss", (low, FULL), low),
        ("mse_loss", (low, low), low),
        ("cross_entropy", (low,), low),
        ("cross_entropy", (FULL,), low),
    ]


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("low", LOW, ids=IDS)
def test_autocast_dtype_is_that_of_torch(kata, check, device, low):
    """Catches all in 16 bits, products that keep float32, losses in 16 bits, and sums that lose float32."""
    right = [as_torch_does(*row, device) for row in rows(low)]
    check.each(kata.autocast_dtype, rows(low)).gives(right)


# ---- masked_softmax

# exp, sum and quotient may each be rounded to the dtype
ROUNDED_THREE_TIMES = {torch.float16: 4e-3, torch.bfloat16: 3.2e-2, torch.float32: 2e-6, torch.float64: 1e-12}


def by_naive_loop(scores, keep):
    """Row by row in Python's floats, the kept ones alone."""
    out, n = [], scores.shape[-1]
    for row, kept in zip(scores.reshape(-1, n).tolist(), keep.reshape(-1, n).tolist(), strict=True):
        top = max(x for x, k in zip(row, kept, strict=True) if k)
        weights = [math.exp(x - top) if k else 0.0 for x, k in zip(row, kept, strict=True)]
        out.append([w / sum(weights) for w in weights])
    return torch.tensor(out, dtype=torch.float64).reshape(scores.shape).to(scores.dtype)


def judged(kata, check, scores, keep, dtype):
    scores, keep = torch.tensor(scores, dtype=dtype), torch.tensor(keep)
    right = by_naive_loop(scores, keep)
    close = {"rtol": ROUNDED_THREE_TIMES[dtype], "atol": 0.0}
    check(kata.masked_softmax, scores=scores, keep=keep).gives(right, **close)


@pytest.mark.fact("02.6")
@pytest.mark.parametrize("dtype", [*LOW, torch.float32, torch.float64], ids=[*IDS, "float32", "float64"])
def test_masked_softmax_in_each_dtype(kata, check, dtype):
    """Catches a fill that float16 has no room for, scores that are set to 0, and weights cut off after the softmax."""
    scores = [[0.5, -1.25, 2.0, 1.0], [3.0, -2.0, 0.25, -0.5], [1.5, 2.5, -3.0, 0.75]]
    keep = [[True, True, False, True], [False, False, True, False], [True, False, True, True]]
    judged(kata, check, scores, keep, dtype)


@pytest.mark.parametrize("dtype", [*LOW, torch.float32], ids=[*IDS, "float32"])
def test_masked_softmax_far_down(kata, check, dtype):
    """Catches a fill of -10000, which is above the scores that are kept here, and exp that is not held in check."""
    scores = [[-30000.0, 60000.0, -30000.0], [20000.0, -20000.0, 19984.0], [-5000.0, 3.0, -5008.0], [2.0, 0.5, 1.0]]
    keep = [[True, False, True], [True, True, False], [True, False, True], [True, True, False]]
    judged(kata, check, scores, keep, dtype)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32, torch.float64], ids=str)
def test_masked_softmax_at_the_far_end(kata, check, dtype):
    """Catches -1e9, -65504 and float16's lowest number, which are above the scores that are kept here."""
    scores = [[1e30, -1e30, 3.0], *([low, 5.0, low] for low in (-1e30, -1e6, -2e4, -5e3, -0.5))]
    keep = [[True, True, False], *[[True, False, True]] * 5]
    judged(kata, check, scores, keep, dtype)


@pytest.mark.parametrize("shape", [(1, 3, 4), (3, 1, 2, 2)], ids=str)
def test_masked_softmax_of_a_batch(kata, check, shape):
    """Catches softmax(dim=1), which is the last dimension of a matrix alone."""
    scores = [0.5, -1.25, 2.0, 1.0, 3.0, -2.0, 0.25, -0.5, 1.5, 2.5, -3.0, 0.75]
    keep = torch.tensor([True, True, False, True, False, True, True, False, True, True, True, True])
    scores = torch.tensor(scores).reshape(shape)
    right = by_naive_loop(scores, keep.reshape(shape))
    check(kata.masked_softmax, scores=scores, keep=keep.reshape(shape)).gives(right)


@pytest.mark.parametrize("dtype", LOW, ids=IDS)
def test_masked_softmax_of_all(kata, check, dtype):
    """Catches a mask that is read the other way round: where all count, nothing is left."""
    judged(kata, check, [[0.5, -1.0, 3.0, 2.0, 0.0]], [[True] * 5], dtype)


# ---- loss_and_probabilities


class Classifier(nn.Module):
    """Two layers whose weights have no exact 16 bits; notes in which dtype its products are made."""

    def __init__(self):
        super().__init__()
        self.body, self.head, self.log = nn.Linear(2, 3), nn.Linear(3, 1), []
        generator = torch.Generator().manual_seed(8)
        for parameter in self.parameters():
            parameter.data = torch.randn(parameter.shape, generator=generator)

    def forward(self, x):
        self.log.append(precision(x.device))
        return self.head(torch.relu(self.body(x))).squeeze(-1)


def precision(device):
    """What autocast makes products in, here and now."""
    kind = torch.device(device).type
    return str(torch.get_autocast_dtype(kind) if torch.is_autocast_enabled(kind) else FULL).removeprefix("torch.")


def classifier_batch(device, factor=1.0):
    """Five examples, of each class some that the classifier gets right and some that it does not."""
    x = torch.tensor([[0.7, -1.3], [2.1, 0.4], [-0.9, 1.7], [1.1, 1.9], [-2.3, -0.6]]) * factor
    return x.to(device), torch.tensor([1.0, 0.0, 1.0, 1.0, 0.0], device=device)


def logits_by_casts(model, x, low):
    """What autocast does, written out: each layer in 16 bits."""

    def linear(layer, x):
        return F.linear(x.to(low), layer.weight.detach().to(low), layer.bias.detach().to(low))

    return linear(model.head, torch.relu(linear(model.body, x))).squeeze(-1).float()


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("low", LOW, ids=IDS)
@pytest.mark.parametrize("factor", [1.0, 40.0], ids=["small logits", "large logits"])
def test_loss_and_probabilities_values(kata, check, device, low, factor):
    """Catches BCELoss of a sigmoid, a loss or a sigmoid in 16 bits, all in float32, and bfloat16 handed to NumPy."""
    model, (x, y) = Classifier().to(device), classifier_batch(device, factor)
    logits = logits_by_casts(model, x, low)
    loss = F.softplus(torch.where(y == 1, -logits, logits)).mean().requires_grad_()
    right = (loss, (1 / (1 + torch.exp(-logits))).cpu().numpy())
    check(kata.loss_and_probabilities, model=model, X=x, y=y, dtype=low).gives(right, quiet=True)


def left_behind(kata):
    """What is left behind: where autocast was on, the model's dtypes, and its gradients after loss.backward()."""

    def loss_and_probabilities(model, X, y, dtype):
        loss, _ = kata.loss_and_probabilities(model, X, y, dtype)
        loss.backward()
        return {
            "forward in": model.log,
            "parameters in": sorted({str(p.dtype) for p in model.parameters()}),
            "afterwards in": precision(X.device),
            "gradients after loss.backward()": [p.grad for p in model.parameters()],
        }

    return loss_and_probabilities


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("low", LOW, ids=IDS)
def test_loss_and_probabilities_leave_the_model_in_float32(kata, check, device, low):
    """Catches a model that is cast for good, a forward pass outside autocast, and two of them."""
    model, (x, y) = Classifier().to(device), classifier_batch(device)
    F.binary_cross_entropy_with_logits(model(x), y).backward()
    right = {
        "forward in": [str(low).removeprefix("torch.")],
        "parameters in": ["torch.float32"],
        "afterwards in": "float32",
        "gradients after loss.backward()": [p.grad for p in model.parameters()],
    }
    inputs = {"model": Classifier().to(device), "X": x, "y": y, "dtype": low}
    check(left_behind(kata), **inputs).gives(right, **EIGHT_BITS)


# ---- scaled_step, clipped_scaled_step


class Line(nn.Module):
    """A line through three inputs."""

    def __init__(self):
        super().__init__()
        self.line, self.log = nn.Linear(3, 1), []
        with torch.no_grad():
            self.line.weight.copy_(torch.tensor([[0.83, -1.21, 0.47]]))
            self.line.bias.fill_(0.31)

    def forward(self, x):
        self.log.append(f"forward in {precision(x.device)}")
        out = self.line(x)
        if out.requires_grad:
            out.register_hook(lambda gradient: self.log.append(f"backward in {precision(x.device)}"))
        return out


BATCHES = [
    (torch.tensor([[1.9, 0.3, -0.7], [0.9, 1.1, 0.2], [-1.3, 0.6, 1.7], [0.8, -2.1, 0.4]]), [3.1, -0.4, 1.2, 2.3]),
    (torch.tensor([[1.4, -0.9, 2.2]]), [0.6]),
    (torch.tensor([[0.5, 1.6, -1.1], [-2.4, 0.7, 1.3]]), [-1.7, 2.9]),
]
STEPS = "three batches of 4, 1 and 2 examples"


def batches(device):
    return [(X.clone().to(device), torch.tensor(y, device=device)[:, None]) for X, y in BATCHES]


def momentum(params, lr):
    """What a step leaves behind in it counts in the next."""
    return torch.optim.SGD(params, lr=lr, momentum=0.5)


def scaler_for(device, dtype, scale=1024.0, **options):
    """As make_scaler's: disabled with bfloat16."""
    return torch.amp.GradScaler(device, init_scale=scale, enabled=dtype == torch.float16, **options)


def trained(step, device, dtype, scaler=None, optimizer=momentum, lr=0.0625, factor=1.0, data=None, **more):
    """What three steps give back, and how they went."""
    model = Line().to(device)
    optimizer = optimizer(model.parameters(), lr=lr)
    scaler = scaler or scaler_for(device, dtype)
    seen = {"returned": [], "scales": [], "moved": [], "gradients": [], "log": model.log}

    def loss_fn(outputs, y):
        model.log.append(f"loss in {precision(device)}" + (", of other targets" if y.dtype != FULL else ""))
        return factor * F.mse_loss(outputs, y)

    def before_step(*_):
        model.log.append(f"step in {precision(device)}")
        grads = [torch.zeros(1) if p.grad is None else p.grad.detach().float().cpu() for p in model.parameters()]
        seen["gradients"].append(torch.cat([g.flatten() for g in grads]))

    hook = optimizer.register_step_pre_hook(before_step)
    for parameter in model.parameters():
        parameter.grad = torch.full_like(parameter, 8.0)  # left there by someone before
    for X, y in batches(device) if data is None else data:
        before = state(model)
        value = step(model=model, loss_fn=loss_fn, optimizer=optimizer, scaler=scaler, X=X, y=y, dtype=dtype, **more)
        seen["returned"].append(value)
        seen["scales"].append(scaler.get_scale())
        seen["moved"].append(not all(torch.equal(before[name], now) for name, now in state(model).items()))
    hook.remove()
    seen["model"] = {name: tensor.cpu() for name, tensor in state(model).items()}
    return seen


def in_float32(device, optimizer=momentum, lr=0.0625, factor=1.0, data=None, max_norm=None):
    """The right run without mixed precision: losses, norms and gradients of each step, and the model after them."""
    model = Line().to(device)
    optimizer = optimizer(model.parameters(), lr=lr)
    seen = {"losses": [], "norms": [], "gradients": []}
    for X, y in batches(device) if data is None else data:
        loss = factor * (model.line(X) - y).square().mean()
        slopes = torch.autograd.grad(loss, list(model.parameters()))
        norm = torch.cat([slope.flatten() for slope in slopes]).norm().item()
        shrink = 1.0 if max_norm is None else min(1.0, max_norm / norm)
        for parameter, slope in zip(model.parameters(), slopes, strict=True):
            parameter.grad = shrink * slope
        optimizer.step()
        seen["losses"].append(loss.item())
        seen["norms"].append(norm)
        seen["gradients"].append(torch.cat([(shrink * slope).flatten().cpu() for slope in slopes]))
    seen["model"] = {name: tensor.cpu() for name, tensor in state(model).items()}
    return seen


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", LOW, ids=IDS)
def test_scaled_step_autocasts_forward_and_loss(kata, check, device, dtype):
    """Catches autocast around everything, the forward pass alone or nothing, and a pass that comes twice."""
    low = str(dtype).removeprefix("torch.")
    right = [f"forward in {low}", f"loss in {low}", "backward in float32", "step in float32"] * 3
    seen = trained(kata.scaled_step, device, dtype)["log"]
    check.saw(kata.scaled_step, seen, call=f"what ran, and what autocast made products in, on {STEPS}").gives(right)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", LOW, ids=IDS)
def test_scaled_step_follows_the_gradient_without_the_scale(kata, check, device, dtype):
    """Catches a step on scaled gradients, one without gradients, and gradients of earlier batches that count."""
    reference = in_float32(device)
    seen = trained(kata.scaled_step, device, dtype)
    call = f"the gradients at each step and the model afterwards, on {STEPS}; every .grad was 8 before the first"
    check.saw(kata.scaled_step, {name: seen[name] for name in ("gradients", "model")}, call=call).gives(
        {name: reference[name] for name in ("gradients", "model")}, **EIGHT_BITS
    )


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", LOW, ids=IDS)
def test_scaled_step_returns_the_loss(kata, check, device, dtype):
    """Catches the loss with the scale on it, a tensor, and the loss of the changed model."""
    reference = in_float32(device)["losses"]
    seen = trained(kata.scaled_step, device, dtype)["returned"]
    check.saw(kata.scaled_step, seen, call=f"what came back, on {STEPS}").gives(reference, **EIGHT_BITS)


@pytest.mark.fact("02.6")
@pytest.mark.parametrize("device", DEVICES)
def test_scaled_step_lifts_small_gradients(kata, check, device):
    """Catches a loss that goes backward without its scale: in float16 all of its gradients are 0."""
    options = {"lr": 0.0625 * 2.0**30, "factor": 2.0**-30}
    reference = in_float32(device, **options)["model"]
    scaler = scaler_for(device, torch.float16, scale=2.0**36)
    seen = trained(kata.scaled_step, device, torch.float16, scaler, **options)["model"]
    call = f"the model after {STEPS}, in float16, of a loss that was multiplied by 2**-30"
    check.saw(kata.scaled_step, seen, call=call).gives(reference, **EIGHT_BITS)


@pytest.mark.fact("02.6")
@pytest.mark.parametrize("device", DEVICES)
def test_scaled_step_leaves_out_a_step_that_overflows(kata, check, device):
    """Catches a step on infinite gradients, and a momentum that remembers them."""
    reference = in_float32(device, data=batches(device)[1:])["model"]
    scaler = scaler_for(device, torch.float16, scale=2.0**24, backoff_factor=2.0**-16)
    seen = trained(kata.scaled_step, device, torch.float16, scaler)
    seen = {name: seen[name] for name in ("moved", "scales", "model")}
    right = {"moved": [False, True, True], "scales": [2.0**8] * 3, "model": reference}
    call = f"whether the model moved, the scale after each step and the model afterwards, on {STEPS}; the first scale, "
    call += "2**24, was too large and shrinks by 2**-16"
    check.saw(kata.scaled_step, seen, call=call).gives(right, **EIGHT_BITS)


@pytest.mark.parametrize("device", DEVICES)
def test_scaled_step_updates_the_scale(kata, check, device):
    """Catches update() left out or called twice, and a loss over the new scale: here each good step doubles it."""
    scaler = scaler_for(device, torch.float16, scale=64.0, growth_interval=1)
    right = {"returned": in_float32(device)["losses"], "scales": [128.0, 256.0, 512.0]}
    seen = trained(kata.scaled_step, device, torch.float16, scaler)
    call = f"what came back and the scale after each step, on {STEPS}; it was 64, and doubles with growth_interval=1"
    check.saw(kata.scaled_step, {name: seen[name] for name in right}, call=call).gives(right, **EIGHT_BITS)


@pytest.mark.parametrize("device", DEVICES)
def test_scaled_step_updates_after_a_nan(kata, check, device):
    """Catches a return before the scaler knows: of a batch that holds NaN the loss is NaN, and so are its gradients."""
    data = batches(device)
    reference = in_float32(device, data=[data[0], data[2]])["model"]
    data[1][0][0, 1] = math.nan
    seen = trained(kata.scaled_step, device, torch.float16, data=data)
    right = {"moved": [True, False, True], "scales": [1024.0, 512.0, 512.0], "model": reference}
    call = f"whether the model moved, the scale after each step and the model afterwards, on {STEPS}; the second holds "
    call += "a NaN"
    check.saw(kata.scaled_step, {name: seen[name] for name in right}, call=call).gives(right, **EIGHT_BITS)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", LOW, ids=IDS)
def test_scaled_step_keeps_the_parameters_in_float32(kata, check, device, dtype):
    """Catches model.half(): Adam's eps is 0 in float16, and an input that is always 0 gives its weight 0/0."""
    data = [(X * torch.tensor([1.0, 0.0, 1.0], device=device), y) for X, y in batches(device)]
    options = {"optimizer": torch.optim.Adam, "data": data}
    reference = in_float32(device, **options)["model"]
    seen = trained(kata.scaled_step, device, dtype, **options)["model"]
    call = f"the model after {STEPS}, by Adam; the second input is always 0"
    check.saw(kata.scaled_step, seen, call=call).gives(reference, **EIGHT_BITS)


# ---- clipped_scaled_step

LENGTHS = {"the last two": 4.0, "all": 0.5, "none": 100.0}


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", LOW, ids=IDS)
@pytest.mark.parametrize("name", LENGTHS)
def test_clipped_scaled_step_clips_without_the_scale(kata, check, device, dtype, name):
    """Catches clipping while the scale is on, too late, or for a norm of its own, and gradients unscaled twice."""
    reference = in_float32(device, max_norm=LENGTHS[name])
    right = {"norms": reference["norms"], "gradients": reference["gradients"], "model": reference["model"]}
    seen = trained(kata.clipped_scaled_step, device, dtype, max_norm=LENGTHS[name])
    seen = {"norms": seen["returned"], "gradients": seen["gradients"], "model": seen["model"]}
    call = f"the norms that came back, the gradients at each step and the model afterwards, on {STEPS}; "
    call += f"max_norm={LENGTHS[name]} clips {name} of them"
    check.saw(kata.clipped_scaled_step, seen, call=call).gives(right, **EIGHT_BITS)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", LOW, ids=IDS)
def test_clipped_scaled_step_returns_the_norm(kata, check, device, dtype):
    """Catches the norm with the scale on it, the one after clipping, and a tensor."""
    reference = in_float32(device, max_norm=0.5)["norms"]
    seen = trained(kata.clipped_scaled_step, device, dtype, max_norm=0.5)["returned"]
    call = f"what came back, on {STEPS}; max_norm=0.5"
    check.saw(kata.clipped_scaled_step, seen, call=call).gives(reference, **EIGHT_BITS)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", LOW, ids=IDS)
def test_clipped_scaled_step_autocasts_forward_and_loss(kata, check, device, dtype):
    """Catches autocast that stays on for the backward pass, and a second forward pass for the norm."""
    low = str(dtype).removeprefix("torch.")
    right = [f"forward in {low}", f"loss in {low}", "backward in float32", "step in float32"] * 3
    seen = trained(kata.clipped_scaled_step, device, dtype, max_norm=4.0)["log"]
    call = f"what ran, and what autocast made products in, on {STEPS}"
    check.saw(kata.clipped_scaled_step, seen, call=call).gives(right)


@pytest.mark.fact("02.6")
@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("steps", [1, 3], ids=["the first step", "three steps"])
def test_clipped_scaled_step_goes_on_after_an_overflow(kata, check, device, steps):
    """Catches an error or a return on an infinite norm: the scale never shrinks, and no step is ever taken."""
    data = batches(device)[:steps]
    reference = in_float32(device, data=data[1:], max_norm=4.0)["model"]
    scaler = scaler_for(device, torch.float16, scale=2.0**24, backoff_factor=2.0**-16)
    seen = trained(kata.clipped_scaled_step, device, torch.float16, scaler, max_norm=4.0, data=data)
    finite = [isinstance(norm, float) and math.isfinite(norm) for norm in seen["returned"]]
    seen = {"finite": finite, **{name: seen[name] for name in ("moved", "scales", "model")}}
    good = [False, True, True][:steps]
    right = {"finite": good, "moved": good, "scales": [2.0**8] * steps, "model": reference}
    call = "whether the norm was finite and the model moved, the scale after each step and the model afterwards, on "
    call += STEPS if steps == 3 else "a batch of 4 examples"
    call += "; the first scale, 2**24, was too large and shrinks by 2**-16"
    check.saw(kata.clipped_scaled_step, seen, call=call).gives(right, **EIGHT_BITS)


@pytest.mark.parametrize("device", DEVICES)
def test_clipped_scaled_step_updates_the_scale(kata, check, device):
    """Catches update() left out."""
    scaler = scaler_for(device, torch.float16, scale=64.0, growth_interval=1)
    seen = trained(kata.clipped_scaled_step, device, torch.float16, scaler, max_norm=4.0)["scales"]
    call = f"the scale after each step, on {STEPS}; it was 64, and doubles with growth_interval=1"
    check.saw(kata.clipped_scaled_step, seen, call=call).gives([128.0, 256.0, 512.0], exact=True)
