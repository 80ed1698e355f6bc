"""Wrong answers to katas/09_devices/mixed_precision.py."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.amp import GradScaler

from torchkatas.bank import wrong


def low_loss(model, loss_fn, X, y, dtype):
    """The loss as it should be."""
    with torch.autocast(X.device.type, dtype=dtype):
        return loss_fn(model(X), y)


# ---- make_scaler


@wrong(
    "q11-old-api",
    replaces="make_scaler",
    says="torch.cpu.amp and torch.cuda.amp are the old names, deprecated since torch 2.4 and warned of at every call; "
    "torch.amp.GradScaler takes the device as its first argument.",
)
def old_api(device, dtype):
    return getattr(torch, device).amp.GradScaler(enabled=dtype == torch.float16)


@wrong(
    "scaler-of-cuda-by-the-old-name",
    replaces="make_scaler",
    says="torch.cuda.amp.GradScaler is the old name, deprecated since torch 2.4 and warned of at every call, and knows "
    "cuda alone; torch.amp.GradScaler takes the device as its first argument.",
)
def of_cuda_by_the_old_name(device, dtype):
    return torch.cuda.amp.GradScaler(enabled=dtype == torch.float16)


@wrong(
    "scaler-of-cuda-always",
    replaces="make_scaler",
    says="The scaler is one for cuda, which is GradScaler's default, whatever device was asked for: without a GPU it "
    "warns and disables itself. The device is the first argument.",
)
def of_cuda_always(device, dtype):
    return GradScaler(enabled=dtype == torch.float16)


@wrong(
    "scaler-starts-elsewhere",
    replaces="make_scaler",
    says="The scaler starts at a scale of its own; torch's default, 65536, is asked: leave init_scale out.",
)
def starts_elsewhere(device, dtype):
    return GradScaler(device, init_scale=1024.0, enabled=dtype == torch.float16)


@wrong(
    "scaler-enabled-with-scale-1",
    replaces="make_scaler",
    says="For bfloat16 the scaler starts at 1, and is enabled all the same: it will double its scale, and look for inf "
    "in each step. enabled=False lets all pass.",
)
def enabled_with_scale_1(device, dtype):
    return GradScaler(device) if dtype == torch.float16 else GradScaler(device, init_scale=1.0)


@wrong(
    "scaler-for-both",
    replaces="make_scaler",
    says="The scaler is enabled for bfloat16 too. Its range is that of float32, so that no gradient is lost below, and "
    "scaling only brings the largest closer to inf: enabled=False there.",
)
def for_both(device, dtype):
    return GradScaler(device)


@wrong(
    "scaler-for-neither",
    replaces="make_scaler",
    says="The scaler is disabled for float16, the one dtype that needs it: gradients below 6e-8 become 0 there.",
)
def for_neither(device, dtype):
    return GradScaler(device, enabled=False)


@wrong(
    "scaler-for-bfloat16",
    replaces="make_scaler",
    says="It is the other way round: float16 has the short range and needs scaling, bfloat16 has "
    "float32's and does not.",
)
def for_bfloat16(device, dtype):
    return GradScaler(device, enabled=dtype == torch.bfloat16)


@wrong(
    "scaler-none",
    replaces="make_scaler",
    says="For bfloat16 None came back, on which scaler.scale(loss) fails. A disabled GradScaler does nothing and keeps "
    "the training step the same for both.",
)
def none(device, dtype):
    return GradScaler(device) if dtype == torch.float16 else None


# ---- autocast_dtype


@wrong(
    "autocast-all-low",
    replaces="autocast_dtype",
    says="Autocast does not make everything 16 bits: only products do (linear, matmul, convolutions). Losses come out "
    "in float32, and the rest follows its operands.",
)
def all_low(operation, given, low):
    return low


@wrong(
    "autocast-keeps-products",
    replaces="autocast_dtype",
    says="Products follow no operand: autocast casts both to 16 bits, float32 weights too, and the result has 16 bits. "
    "That is where the speed comes from.",
)
def keeps_products(operation, given, low):
    if operation in ("mse_loss", "cross_entropy") or torch.float32 in given:
        return torch.float32
    return low


@wrong(
    "autocast-low-losses",
    replaces="autocast_dtype",
    says="Losses are taken in float32, whatever comes in: autocast casts logits and outputs of 16 bits up for them.",
)
def low_losses(operation, given, low):
    if operation in ("linear", "matmul", "conv1d", "mse_loss", "cross_entropy"):
        return low
    return torch.float32 if torch.float32 in given else low


@wrong(
    "autocast-losses-as-they-come",
    replaces="autocast_dtype",
    says="A loss of 16-bit operands is not in 16 bits: for losses autocast casts all operands up to float32.",
)
def losses_as_they_come(operation, given, low):
    if operation in ("linear", "matmul", "conv1d"):
        return low
    return torch.float32 if torch.float32 in given else low


@wrong(
    "autocast-low-norms",
    replaces="autocast_dtype",
    says="Softmax and layer_norm are sums, not products: of a float32 input autocast makes nothing smaller.",
)
def low_norms(operation, given, low):
    if operation in ("linear", "matmul", "conv1d", "softmax", "layer_norm"):
        return low
    if operation in ("mse_loss", "cross_entropy") or torch.float32 in given:
        return torch.float32
    return low


@wrong(
    "autocast-as-the-first",
    replaces="autocast_dtype",
    says="A sum of 16 bits and float32 is float32, in either order: type promotion takes the wider of the two, inside "
    "autocast as outside.",
)
def as_the_first(operation, given, low):
    if operation in ("linear", "matmul", "conv1d"):
        return low
    return torch.float32 if operation in ("mse_loss", "cross_entropy") else given[0]


@wrong(
    "autocast-full-sums",
    replaces="autocast_dtype",
    says="What is neither a product nor a loss is not cast at all: relu, or a sum of two tensors of 16 bits, stays in "
    "16 bits.",
)
def full_sums(operation, given, low):
    return low if operation in ("linear", "matmul", "conv1d") else torch.float32


@wrong(
    "autocast-all-full",
    replaces="autocast_dtype",
    says="float32 came back throughout. Inside autocast products have 16 bits (linear, matmul, convolutions), and what "
    "is neither product nor loss follows its operands.",
)
def all_full(operation, given, low):
    return torch.float32


@wrong(
    "autocast-promotes-alone",
    replaces="autocast_dtype",
    says="That is the usual type promotion for all. Autocast casts before it: for products down to 16 bits, for losses "
    "up to float32.",
)
def promotes_alone(operation, given, low):
    return torch.float32 if torch.float32 in given else low


@wrong(
    "autocast-as-the-last",
    replaces="autocast_dtype",
    says="A sum of float32 and 16 bits is float32, in either order: type promotion takes the wider of the two.",
)
def as_the_last(operation, given, low):
    if operation in ("linear", "matmul", "conv1d"):
        return low
    return torch.float32 if operation in ("mse_loss", "cross_entropy") else given[-1]


@wrong(
    "autocast-narrowest",
    replaces="autocast_dtype",
    says="A sum of 16 bits and float32 came out in 16 bits; it is the wider operand that decides.",
)
def narrowest(operation, given, low):
    if operation in ("linear", "matmul", "conv1d"):
        return low
    return torch.float32 if operation in ("mse_loss", "cross_entropy") or low not in given else low


@wrong(
    "autocast-low-unless-named",
    replaces="autocast_dtype",
    says="relu and a sum are not cast: with a float32 operand they give float32, as softmax and layer_norm do. Only "
    "products make 16 bits of it.",
)
def low_unless_named(operation, given, low):
    return torch.float32 if operation in ("mse_loss", "cross_entropy", "softmax", "layer_norm") else low


@wrong(
    "autocast-conv1d-forgotten",
    replaces="autocast_dtype",
    says="A convolution is a product too, a matrix product in disguise: conv1d of float32 comes out in 16 bits.",
)
def conv1d_forgotten(operation, given, low):
    if operation in ("linear", "matmul"):
        return low
    return torch.float32 if operation in ("mse_loss", "cross_entropy") or torch.float32 in given else low


@wrong(
    "autocast-float16-always",
    replaces="autocast_dtype",
    says="float16 came back, whatever `low` is: autocast casts to the dtype that it was given, here bfloat16.",
)
def float16_always(operation, given, low):
    if operation in ("linear", "matmul", "conv1d"):
        return torch.float16
    return torch.float32 if operation in ("mse_loss", "cross_entropy") or torch.float32 in given else torch.float16


# ---- masked_softmax


@wrong(
    "q07-half-mask",
    replaces="masked_softmax",
    says="-1e9 is no float16, which ends at -65504: masked_fill refuses to convert it. In the other dtypes kept scores "
    "may be lower still. -inf is a number of each, and torch.finfo(scores.dtype).min its smallest finite one.",
    fact="02.6",
)
def half_mask(scores, keep):
    return scores.masked_fill(~keep, -1e9).softmax(-1)


@wrong(
    "mask-minus-ten-thousand",
    replaces="masked_softmax",
    says="What the masked scores became is not below everything: where the kept ones are lower still, as they may be "
    "than -10000, the masked ones take the weight. Fill with -inf.",
)
def minus_ten_thousand(scores, keep):
    return scores.masked_fill(~keep, -1e4).softmax(-1)


@wrong(
    "mask-with-zeros",
    replaces="masked_softmax",
    says="The masked scores were set to 0, and exp(0) = 1 is a weight like any other. A score of -inf gives weight 0.",
)
def with_zeros(scores, keep):
    return (scores * keep).softmax(-1)


@wrong(
    "mask-after-softmax",
    replaces="masked_softmax",
    says="The weights were cut off after the softmax, so that the rest no longer adds up to 1: mask the scores before "
    "it.",
)
def after_softmax(scores, keep):
    return scores.softmax(-1) * keep


@wrong(
    "mask-the-kept",
    replaces="masked_softmax",
    says="The mask was read the other way round: True says that a score counts, while masked_fill fills where its mask "
    "is True. Hand it ~keep.",
)
def the_kept(scores, keep):
    return scores.masked_fill(keep, float("-inf")).softmax(-1)


@wrong(
    "mask-in-float32",
    replaces="masked_softmax",
    says="The weights came back in float32, whatever the scores were; the contract asks for the dtype of the scores.",
)
def in_float32(scores, keep):
    return scores.masked_fill(~keep, float("-inf")).softmax(-1, dtype=torch.float32)


@wrong(
    "mask-exp-overflows",
    replaces="masked_softmax",
    says="exp of a large score is inf, and inf / inf is NaN; exp of scores far below 0 is 0, and 0 / 0 is NaN too. "
    "Subtract the largest kept score first, as softmax does.",
)
def exp_overflows(scores, keep):
    weights = torch.where(keep, scores.exp(), 0.0)
    return weights / weights.sum(-1, keepdim=True)


@wrong(
    "mask-lowest-of-float16",
    replaces="masked_softmax",
    says="The masked scores became float16's lowest number, -65504, and the other dtypes go further down: where the "
    "kept scores are lower still, the masked ones take the weight. -inf, or torch.finfo(scores.dtype).min.",
)
def lowest_of_float16(scores, keep):
    return scores.masked_fill(~keep, -65504.0).softmax(-1)


@wrong(
    "mask-softmax-of-dim-1",
    replaces="masked_softmax",
    says="The softmax went over dim 1, which is the last one of a matrix alone: dim=-1.",
)
def softmax_of_dim_1(scores, keep):
    return scores.masked_fill(~keep, float("-inf")).softmax(1)


@wrong(
    "mask-softmax-of-dim-0",
    replaces="masked_softmax",
    says="The softmax went over the first dimension, over the rows: dim=-1 goes along each row.",
)
def softmax_of_dim_0(scores, keep):
    return scores.masked_fill(~keep, float("-inf")).softmax(0)


@wrong(
    "mask-divided-again",
    replaces="masked_softmax",
    says="Masked scores counted for the softmax, or for its maximum, and the rest was divided by its sum. A large one "
    "leaves the kept exp = 0, and 0 / 0 is NaN: mask the scores before.",
)
def divided_again(scores, keep):
    weights = scores.softmax(-1) * keep
    return weights / weights.sum(-1, keepdim=True)


@wrong(
    "mask-through-float32",
    replaces="masked_softmax",
    says="All was computed in float32 and cast back: float64 lost half its digits on the way. No cast is needed.",
)
def through_float32(scores, keep):
    return scores.float().masked_fill(~keep, float("-inf")).softmax(-1).to(scores.dtype)


@wrong(
    "mask-times-infinity",
    replaces="masked_softmax",
    says="The mask was multiplied by -inf, and 0 times inf is NaN, for every score that is kept. Fill with -inf.",
)
def times_infinity(scores, keep):
    return (scores + (~keep).to(scores.dtype) * float("-inf")).softmax(-1)


@wrong(
    "mask-exp-times-mask",
    replaces="masked_softmax",
    says="exp of a large score overflows to inf, and inf times 0 or inf / inf is NaN; of scores far below 0 it is 0, "
    "and 0 / 0 is NaN too. Fill with -inf and use softmax, which subtracts the maximum first.",
)
def exp_times_mask(scores, keep):
    weights = scores.exp() * keep
    return weights / weights.sum(-1, keepdim=True)


# ---- loss_and_probabilities


@wrong(
    "q08-bce-autocast",
    replaces="loss_and_probabilities",
    says="The loss was taken of a sigmoid in 16 bits, which is rounded, and exactly 1 or 0 for large logits: its log "
    "is -inf then, which BCELoss cuts off at -100. A GPU's autocast refuses BCELoss. Hand BCEWithLogits the logits.",
)
def bce_autocast(model, X, y, dtype):
    with torch.autocast(X.device.type, dtype=dtype):
        logits = model(X)
        loss = F.binary_cross_entropy(torch.sigmoid(logits), y)
    return loss, logits.detach().float().sigmoid().cpu().numpy()


@wrong(
    "bce-of-a-float-sigmoid",
    replaces="loss_and_probabilities",
    says="In float32 too a sigmoid is exactly 1 for logits above 17: log(1 - 1) is -inf, which BCELoss cuts off at "
    "-100, and no gradient is left. A loss that takes logits never forms the sigmoid.",
)
def bce_of_a_float_sigmoid(model, X, y, dtype):
    with torch.autocast(X.device.type, dtype=dtype):
        logits = model(X)
    probabilities = logits.float().sigmoid()
    return F.binary_cross_entropy(probabilities, y), probabilities.detach().cpu().numpy()


@wrong(
    "log-of-a-sigmoid-by-hand",
    replaces="loss_and_probabilities",
    says="The log of a sigmoid was written by hand. The sigmoid is rounded, in 16 bits all the more, and exactly 1 or "
    "0 for large logits: log(0) is -inf, and 0 times that NaN. Hand the logits to BCEWithLogits.",
)
def log_by_hand(model, X, y, dtype):
    with torch.autocast(X.device.type, dtype=dtype):
        logits = model(X)
        p = torch.sigmoid(logits)
        loss = -(y * torch.log(p) + (1 - y) * torch.log(1 - p)).mean()
    return loss, logits.detach().float().sigmoid().cpu().numpy()


@wrong(
    "q10-autocast-dtype",
    replaces="loss_and_probabilities",
    says="Under autocast the model's outputs have 16 bits, though its parameters are float32: NumPy has no bfloat16 at "
    "all, and float16 stays what it is there. Cast with .float() before .numpy().",
)
def autocast_outputs(model, X, y, dtype):
    with torch.autocast(X.device.type, dtype=dtype):
        logits = model(X)
        loss = F.binary_cross_entropy_with_logits(logits, y)
    return loss, logits.detach().sigmoid().cpu().numpy()


@wrong(
    "probabilities-cast-late",
    replaces="loss_and_probabilities",
    says="The sigmoid was taken in 16 bits and cast afterwards, which brings nothing back: near 1 all probabilities "
    "are the same. Cast the logits, then take the sigmoid.",
)
def cast_late(model, X, y, dtype):
    with torch.autocast(X.device.type, dtype=dtype):
        logits = model(X)
        loss = F.binary_cross_entropy_with_logits(logits, y)
    return loss, logits.detach().sigmoid().float().cpu().numpy()


@wrong(
    "forward-in-float32",
    replaces="loss_and_probabilities",
    says="The forward pass ran in float32: autocast was off, or ended before the model was called. Only what is called "
    "inside the `with` is cast.",
)
def forward_in_float32(model, X, y, dtype):
    logits = model(X)
    return F.binary_cross_entropy_with_logits(logits, y), logits.detach().sigmoid().cpu().numpy()


@wrong(
    "model-cast-for-good",
    replaces="loss_and_probabilities",
    says="The model itself was cast to 16 bits, and stays so: small updates of its weights will round to nothing. "
    "Autocast casts copies for each product and leaves the parameters in float32.",
)
def cast_for_good(model, X, y, dtype):
    model.to(dtype)
    logits = model(X.to(dtype)).float()
    return F.binary_cross_entropy_with_logits(logits, y), logits.detach().sigmoid().cpu().numpy()


@wrong(
    "loss-of-16-bit-logits",
    replaces="loss_and_probabilities",
    says="The loss was taken outside autocast, of logits that still had 16 bits: nothing cast them up there. Take it "
    "inside, where losses go to float32 by themselves, or of logits.float().",
)
def loss_outside(model, X, y, dtype):
    with torch.autocast(X.device.type, dtype=dtype):
        logits = model(X)
    loss = F.binary_cross_entropy_with_logits(logits, y.to(dtype))
    return loss, logits.detach().float().sigmoid().cpu().numpy()


@wrong(
    "logits-as-probabilities",
    replaces="loss_and_probabilities",
    says="What came back as probabilities are logits, which may be negative and above 1: the sigmoid is missing.",
)
def no_sigmoid(model, X, y, dtype):
    with torch.autocast(X.device.type, dtype=dtype):
        logits = model(X)
        loss = F.binary_cross_entropy_with_logits(logits, y)
    return loss, logits.detach().float().cpu().numpy()


@wrong(
    "probabilities-of-a-graph",
    replaces="loss_and_probabilities",
    says="NumPy cannot keep a graph, so .numpy() refuses a tensor that requires a gradient: .detach() first.",
)
def numpy_of_a_graph(model, X, y, dtype):
    with torch.autocast(X.device.type, dtype=dtype):
        logits = model(X)
        loss = F.binary_cross_entropy_with_logits(logits, y)
    return loss, logits.float().sigmoid().cpu().numpy()


@wrong(
    "loss-under-no-grad",
    replaces="loss_and_probabilities",
    says="The values are right, but no graph hangs on the loss, so that nothing can be trained with it: no_grad is for "
    "the probabilities alone.",
)
def under_no_grad(model, X, y, dtype):
    with torch.no_grad(), torch.autocast(X.device.type, dtype=dtype):
        logits = model(X)
        loss = F.binary_cross_entropy_with_logits(logits, y)
    return loss, logits.float().sigmoid().cpu().numpy()


@wrong(
    "loss-outside-autocast",
    replaces="loss_and_probabilities",
    says="The loss was taken outside autocast, of logits in 16 bits and in part in their precision. Take it inside, "
    "where losses go to float32 by themselves, or of logits.float().",
)
def loss_outside_autocast(model, X, y, dtype):
    with torch.autocast(X.device.type, dtype=dtype):
        logits = model(X)
    loss = F.binary_cross_entropy_with_logits(logits, y)
    return loss, logits.detach().float().sigmoid().cpu().numpy()


@wrong(
    "autocast-of-its-own-dtype",
    replaces="loss_and_probabilities",
    says="Autocast ran in its default dtype, bfloat16 on a CPU and float16 on a GPU, whatever was asked: hand it "
    "dtype=dtype.",
)
def of_its_own_dtype(model, X, y, dtype):
    with torch.autocast(X.device.type):
        logits = model(X)
        loss = F.binary_cross_entropy_with_logits(logits, y)
    return loss, logits.detach().float().sigmoid().cpu().numpy()


@wrong(
    "second-pass-in-float32",
    replaces="loss_and_probabilities",
    says="The model was called a second time for the probabilities, outside autocast: twice the work, and other logits "
    "than those of the loss. Keep the logits.",
)
def second_pass_in_float32(model, X, y, dtype):
    with torch.autocast(X.device.type, dtype=dtype):
        loss = F.binary_cross_entropy_with_logits(model(X), y)
    with torch.no_grad():
        return loss, model(X).float().sigmoid().cpu().numpy()


@wrong(
    "loss-as-a-sum",
    replaces="loss_and_probabilities",
    says="The losses of the examples were added up; the mean is asked, which is the default.",
)
def loss_as_a_sum(model, X, y, dtype):
    with torch.autocast(X.device.type, dtype=dtype):
        logits = model(X)
        loss = F.binary_cross_entropy_with_logits(logits, y, reduction="sum")
    return loss, logits.detach().float().sigmoid().cpu().numpy()


@wrong(
    "loss-of-a-sigmoid-twice",
    replaces="loss_and_probabilities",
    says="BCEWithLogits was handed probabilities: it takes the sigmoid by itself, and here there were two.",
)
def sigmoid_twice(model, X, y, dtype):
    with torch.autocast(X.device.type, dtype=dtype):
        logits = model(X)
        loss = F.binary_cross_entropy_with_logits(torch.sigmoid(logits), y)
    return loss, logits.detach().float().sigmoid().cpu().numpy()


# ---- scaled_step


@wrong(
    "q04-no-update",
    replaces="scaled_step",
    says='The scaler was never updated: its next step() raises, "step() has already been called since the last '
    'update()". Call scaler.update() after each scaler.step(optimizer), taken or not.',
)
def no_update(model, loss_fn, optimizer, scaler, X, y, dtype):
    loss = low_loss(model, loss_fn, X, y, dtype)
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    return loss.item()


@wrong(
    "step-without-scale",
    replaces="scaled_step",
    says="The loss went backward without its scale, and scaler.step(optimizer) has none to take off again: it is "
    "scaler.scale(loss) that is to go backward.",
)
def without_scale(model, loss_fn, optimizer, scaler, X, y, dtype):
    loss = low_loss(model, loss_fn, X, y, dtype)
    optimizer.zero_grad()
    loss.backward()
    scaler.step(optimizer)
    scaler.update()
    return loss.item()


@wrong(
    "step-with-the-scale-on",
    replaces="scaled_step",
    says="The optimizer stepped on gradients that still had the scale on them, inf included. scaler.step(optimizer) "
    "takes the scale off and leaves out a step that overflowed.",
)
def with_the_scale_on(model, loss_fn, optimizer, scaler, X, y, dtype):
    loss = low_loss(model, loss_fn, X, y, dtype)
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    optimizer.step()
    return loss.item()


@wrong(
    "no-scaler-at-all",
    replaces="scaled_step",
    says="The scaler took no part. In float16 gradients below 6e-8 are 0, and the model does not learn from them: "
    "scale the loss, step through the scaler, update it.",
    fact="02.6",
)
def no_scaler(model, loss_fn, optimizer, scaler, X, y, dtype):
    loss = low_loss(model, loss_fn, X, y, dtype)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


@wrong(
    "autocast-around-all",
    replaces="scaled_step",
    says="Autocast was still on in the backward pass or in the step. backward() runs each operation in the precision "
    "that its forward had: end the `with` after the loss.",
)
def around_all(model, loss_fn, optimizer, scaler, X, y, dtype):
    with torch.autocast(X.device.type, dtype=dtype):
        loss = loss_fn(model(X), y)
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
    return loss.item()


@wrong(
    "autocast-in-backward",
    replaces="scaled_step",
    says="Autocast was still on in the backward pass, which runs each operation in the precision that its forward had: "
    "end the `with` after the loss.",
)
def in_backward(model, loss_fn, optimizer, scaler, X, y, dtype):
    optimizer.zero_grad()
    with torch.autocast(X.device.type, dtype=dtype):
        loss = loss_fn(model(X), y)
        scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    return loss.item()


@wrong(
    "autocast-without-the-loss",
    replaces="scaled_step",
    says="The loss was taken outside autocast, where nothing casts 16-bit outputs up to float32: it belongs inside the "
    "`with`, beside the forward pass.",
)
def without_the_loss(model, loss_fn, optimizer, scaler, X, y, dtype):
    with torch.autocast(X.device.type, dtype=dtype):
        outputs = model(X)
    loss = loss_fn(outputs, y)
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    return loss.item()


@wrong(
    "no-autocast",
    replaces="scaled_step",
    says="Everything ran in float32. A scaler alone makes no mixed precision: forward pass and loss belong under "
    "torch.autocast.",
)
def no_autocast(model, loss_fn, optimizer, scaler, X, y, dtype):
    loss = loss_fn(model(X), y)
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    return loss.item()


@wrong(
    "autocast-default-dtype",
    replaces="scaled_step",
    says="Autocast ran in its default dtype, bfloat16 on a CPU and float16 on a GPU, whatever was asked: hand it "
    "dtype=dtype.",
)
def default_dtype(model, loss_fn, optimizer, scaler, X, y, dtype):
    with torch.autocast(X.device.type):
        loss = loss_fn(model(X), y)
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    return loss.item()


@wrong(
    "returns-the-scaled-loss",
    replaces="scaled_step",
    says="The loss that came back has the scale on it, which changes from step to step; keep the loss itself for what "
    "you report.",
)
def scaled_loss(model, loss_fn, optimizer, scaler, X, y, dtype):
    loss = scaler.scale(low_loss(model, loss_fn, X, y, dtype))
    optimizer.zero_grad()
    loss.backward()
    scaler.step(optimizer)
    scaler.update()
    return loss.item()


@wrong(
    "scaled-stale",
    replaces="scaled_step",
    says="Gradients of earlier batches were in the sum, and with another scale at that: .grad was not cleared before "
    "backward.",
)
def stale(model, loss_fn, optimizer, scaler, X, y, dtype):
    loss = low_loss(model, loss_fn, X, y, dtype)
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    return loss.item()


@wrong(
    "q05-pure-half-adam",
    replaces="scaled_step",
    says="The parameters themselves were cast to 16 bits. In float16 Adam's eps of 1e-8 is 0, so that a gradient of 0 "
    "gives 0/0 = NaN, and small updates round to nothing. Keep them in float32 under autocast.",
    fact="02.6",
)
def pure_half_adam(model, loss_fn, optimizer, scaler, X, y, dtype):
    model.to(dtype)
    optimizer.zero_grad()
    loss = loss_fn(model(X.to(dtype)).float(), y)
    loss.backward()
    optimizer.step()
    return loss.item()


@wrong(
    "half-through-the-scaler",
    replaces="scaled_step",
    says="The parameters were cast to 16 bits, and so are their gradients: in float16 the scaler refuses to take the "
    "scale off them. Autocast leaves parameters in float32.",
)
def half_through_the_scaler(model, loss_fn, optimizer, scaler, X, y, dtype):
    model.to(dtype)
    optimizer.zero_grad()
    loss = loss_fn(model(X.to(dtype)).float(), y)
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    return loss.item()


@wrong(
    "scale-off-by-hand",
    replaces="scaled_step",
    says="The scale was taken off twice, once by hand and once by scaler.step, and the steps are far too small.",
)
def off_by_hand(model, loss_fn, optimizer, scaler, X, y, dtype):
    loss = low_loss(model, loss_fn, X, y, dtype)
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    for p in model.parameters():
        p.grad /= scaler.get_scale()
    scaler.step(optimizer)
    scaler.update()
    return loss.item()


@wrong(
    "update-only-when-taken",
    replaces="scaled_step",
    says="After a step that was left out, for inf or NaN, the scaler was not updated. That is when it must be: only "
    "update() makes the scale smaller.",
)
def only_when_taken(model, loss_fn, optimizer, scaler, X, y, dtype):
    loss = low_loss(model, loss_fn, X, y, dtype)
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    if all(p.grad.isfinite().all() for p in model.parameters()):
        scaler.step(optimizer)
        scaler.update()
    return loss.item()


@wrong(
    "scaled-clears-last",
    replaces="scaled_step",
    says="Gradients that were there before the first batch took part in its step, and without a scale at that: "
    "zero_grad() came only after it. Clear before backward.",
)
def clears_last(model, loss_fn, optimizer, scaler, X, y, dtype):
    loss = low_loss(model, loss_fn, X, y, dtype)
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad()
    return loss.item()


@wrong(
    "scaled-clears-too-late",
    replaces="scaled_step",
    says="The gradients were cleared between backward and the step, which found none: clear before backward.",
)
def clears_too_late(model, loss_fn, optimizer, scaler, X, y, dtype):
    loss = low_loss(model, loss_fn, X, y, dtype)
    scaler.scale(loss).backward()
    optimizer.zero_grad()
    scaler.step(optimizer)
    scaler.update()
    return loss.item()


@wrong(
    "update-without-a-step",
    replaces="scaled_step",
    says="update() found no step of the scaler to judge: it came before scaler.step(optimizer), or the optimizer was "
    "stepped by itself, past the scaler, which alone takes the scale off and leaves out a step that overflowed. "
    "scaler.step(optimizer), then scaler.update().",
)
def update_without_a_step(model, loss_fn, optimizer, scaler, X, y, dtype):
    optimizer.zero_grad()
    loss = low_loss(model, loss_fn, X, y, dtype)
    scaler.scale(loss).backward()
    scaler.update()
    scaler.step(optimizer)
    return loss.item()


@wrong(
    "scaler-of-its-own",
    replaces="scaled_step",
    says="The step made a scaler of its own, which begins anew each time and learns nothing from an overflow. Use the "
    "one that was handed in.",
)
def scaler_of_its_own(model, loss_fn, optimizer, scaler, X, y, dtype):
    scaler = GradScaler(X.device.type, enabled=dtype == torch.float16)
    loss = low_loss(model, loss_fn, X, y, dtype)
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    return loss.item()


@wrong(
    "loss-over-the-new-scale",
    replaces="scaled_step",
    says="The scaled loss was divided by the scale that update() had left, which may be another than it was scaled by. "
    "Keep the loss itself.",
)
def over_the_new_scale(model, loss_fn, optimizer, scaler, X, y, dtype):
    loss = scaler.scale(low_loss(model, loss_fn, X, y, dtype))
    optimizer.zero_grad()
    loss.backward()
    scaler.step(optimizer)
    scaler.update()
    return loss.item() / scaler.get_scale()


@wrong(
    "targets-in-16-bits",
    replaces="scaled_step",
    says="The targets were cast to 16 bits. Autocast casts what it needs; a target of 1001 would become 1000 in "
    "bfloat16.",
)
def targets_in_16_bits(model, loss_fn, optimizer, scaler, X, y, dtype):
    loss = low_loss(model, loss_fn, X.to(dtype), y.to(dtype), dtype)
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    return loss.item()


@wrong(
    "steps-past-the-scaler-too",
    replaces="scaled_step",
    says="The optimizer was stepped by itself, past the scaler, which alone leaves out a step that overflowed. "
    "scaler.step(optimizer) is the step, and the only one.",
)
def past_the_scaler_too(model, loss_fn, optimizer, scaler, X, y, dtype):
    loss = low_loss(model, loss_fn, X, y, dtype)
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    optimizer.step()
    scaler.update()
    return loss.item()


@wrong(
    "infinities-made-zero",
    replaces="scaled_step",
    says="Gradients of inf or NaN were replaced, so that the scaler saw no overflow: it stepped, and the scale stays "
    "too "
    "large. It leaves out such a step by itself.",
)
def infinities_made_zero(model, loss_fn, optimizer, scaler, X, y, dtype):
    loss = low_loss(model, loss_fn, X, y, dtype)
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    for p in model.parameters():
        p.grad.nan_to_num_(0.0, 0.0, 0.0)
    scaler.step(optimizer)
    scaler.update()
    return loss.item()


@wrong(
    "loss-after-the-scaled-step",
    replaces="scaled_step",
    says="The loss that came back is that of the model after the step; the one that went backward is asked.",
)
def after_the_scaled_step(model, loss_fn, optimizer, scaler, X, y, dtype):
    loss = low_loss(model, loss_fn, X, y, dtype)
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    return low_loss(model, loss_fn, X, y, dtype).item()


# ---- clipped_scaled_step


@wrong(
    "clip-before-unscale",
    replaces="clipped_scaled_step",
    says="The gradients were clipped while the scale was still on them: thousands of times too long, they were cut "
    "down to max_norm, and with the scale off next to nothing is left. scaler.unscale_(optimizer) comes first.",
)
def before_unscale(model, loss_fn, optimizer, scaler, X, y, dtype, max_norm):
    loss = low_loss(model, loss_fn, X, y, dtype)
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    scaler.update()
    return norm.item()


@wrong(
    "clip-before-unscale-norm-right",
    replaces="clipped_scaled_step",
    says="The norm that came back is right, but the gradients were clipped with the scale still on them, and with it "
    "off next to nothing is left: scaler.unscale_(optimizer) comes before clipping.",
)
def norm_right(model, loss_fn, optimizer, scaler, X, y, dtype, max_norm):
    loss = low_loss(model, loss_fn, X, y, dtype)
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scale = scaler.get_scale()
    norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm) / scale
    scaler.step(optimizer)
    scaler.update()
    return norm.item()


@wrong(
    "unscale-then-bare-step",
    replaces="clipped_scaled_step",
    says="After unscale_ the optimizer was stepped past the scaler, which alone knows of an overflow: inf and NaN went "
    "into the weights, or update() finds no step to judge. Step with scaler.step(optimizer).",
)
def bare_step(model, loss_fn, optimizer, scaler, X, y, dtype, max_norm):
    loss = low_loss(model, loss_fn, X, y, dtype)
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    scaler.update()
    return norm.item()


@wrong(
    "clip-return-on-inf",
    replaces="clipped_scaled_step",
    says="On an infinite norm it returned before scaler.step and scaler.update: the scale never shrinks, and the next "
    "backward overflows again. The scaler leaves out the step by itself.",
)
def return_on_inf(model, loss_fn, optimizer, scaler, X, y, dtype, max_norm):
    loss = low_loss(model, loss_fn, X, y, dtype)
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm).item()
    if not np.isfinite(norm):  # noqa: F821
        return norm
    scaler.step(optimizer)
    scaler.update()
    return norm


@wrong(
    "clip-raises-on-inf",
    replaces="clipped_scaled_step",
    says="An overflow is no error here: with a scaler an infinite gradient now and then is how it finds its scale. Let "
    "step() leave it out and update() shrink the scale.",
)
def raises_on_inf(model, loss_fn, optimizer, scaler, X, y, dtype, max_norm):
    loss = low_loss(model, loss_fn, X, y, dtype)
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm, error_if_nonfinite=True)
    scaler.step(optimizer)
    scaler.update()
    return norm.item()


@wrong(
    "clip-after-scaled-step",
    replaces="clipped_scaled_step",
    says="The step was taken with the full gradient: clipping came only after it, or the norm was measured and nothing "
    "shrunk. Clip between unscale_ and step.",
)
def after_the_step(model, loss_fn, optimizer, scaler, X, y, dtype, max_norm):
    loss = low_loss(model, loss_fn, X, y, dtype)
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.update()
    return norm.item()


@wrong(
    "clip-scaled-before-backward",
    replaces="clipped_scaled_step",
    says="There was nothing to clip yet: clip_grad_norm_ was called before backward, which makes the gradients. It "
    "comes between unscale_ and step.",
)
def clip_before_backward(model, loss_fn, optimizer, scaler, X, y, dtype, max_norm):
    loss = low_loss(model, loss_fn, X, y, dtype)
    optimizer.zero_grad()
    norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    return norm.item()


@wrong(
    "clip-no-update",
    replaces="clipped_scaled_step",
    says='The scaler was never updated: its next unscale_() raises, "unscale_() is being called after step()". Call '
    "scaler.update() last, in every step.",
)
def clip_no_update(model, loss_fn, optimizer, scaler, X, y, dtype, max_norm):
    loss = low_loss(model, loss_fn, X, y, dtype)
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    return norm.item()


@wrong(
    "clip-unscaled-twice",
    replaces="clipped_scaled_step",
    says="unscale_ was called twice before an update(), which the scaler refuses: scaler.unscale_(optimizer) stands "
    "once in each step, between backward and clipping, and scaler.step knows that it is done.",
)
def unscaled_twice(model, loss_fn, optimizer, scaler, X, y, dtype, max_norm):
    loss = low_loss(model, loss_fn, X, y, dtype)
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.unscale_(optimizer)
    scaler.step(optimizer)
    scaler.update()
    return norm.item()


@wrong(
    "norm-after-clipping",
    replaces="clipped_scaled_step",
    says="The norm that came back is the one after clipping, never above max_norm: measure before you shrink, "
    "clip_grad_norm_ returns it.",
)
def norm_after(model, loss_fn, optimizer, scaler, X, y, dtype, max_norm):
    loss = low_loss(model, loss_fn, X, y, dtype)
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    norm = sum(p.grad.square().sum().item() for p in model.parameters()) ** 0.5
    scaler.step(optimizer)
    scaler.update()
    return norm


@wrong(
    "clip-autocast-around-all",
    replaces="clipped_scaled_step",
    says="Autocast was still on in the backward pass and in the step: end the `with` after the loss.",
)
def clip_around_all(model, loss_fn, optimizer, scaler, X, y, dtype, max_norm):
    with torch.autocast(X.device.type, dtype=dtype):
        loss = loss_fn(model(X), y)
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        scaler.step(optimizer)
        scaler.update()
    return norm.item()


@wrong(
    "clip-scaled-stale",
    replaces="clipped_scaled_step",
    says="Gradients of earlier batches were in the sum: .grad was not cleared before backward.",
)
def clip_stale(model, loss_fn, optimizer, scaler, X, y, dtype, max_norm):
    loss = low_loss(model, loss_fn, X, y, dtype)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    scaler.update()
    return norm.item()


@wrong(
    "clip-autocast-in-backward",
    replaces="clipped_scaled_step",
    says="Autocast was still on in the backward pass: end the `with` after the loss.",
)
def clip_in_backward(model, loss_fn, optimizer, scaler, X, y, dtype, max_norm):
    optimizer.zero_grad()
    with torch.autocast(X.device.type, dtype=dtype):
        loss = loss_fn(model(X), y)
        scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    scaler.update()
    return norm.item()


@wrong(
    "clip-loss-outside-autocast",
    replaces="clipped_scaled_step",
    says="The loss was taken outside autocast: it belongs inside the `with`, beside the forward pass.",
)
def clip_loss_outside(model, loss_fn, optimizer, scaler, X, y, dtype, max_norm):
    with torch.autocast(X.device.type, dtype=dtype):
        outputs = model(X)
    loss = loss_fn(outputs, y)
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    scaler.update()
    return norm.item()


@wrong(
    "norm-with-the-scale-on",
    replaces="clipped_scaled_step",
    says="The norm that came back has the scale on it; the clipping is right. Measure after unscale_, or divide by the "
    "scale.",
)
def norm_with_the_scale(model, loss_fn, optimizer, scaler, X, y, dtype, max_norm):
    loss = low_loss(model, loss_fn, X, y, dtype)
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm * scaler.get_scale())
    scaler.step(optimizer)
    scaler.update()
    return norm.item()


@wrong(
    "clip-without-the-scaler",
    replaces="clipped_scaled_step",
    says="The scaler took no part, and its scale was never updated. In float16 small gradients become 0 then: scale, "
    "unscale, clip, step, update.",
)
def clip_without_the_scaler(model, loss_fn, optimizer, scaler, X, y, dtype, max_norm):
    loss = low_loss(model, loss_fn, X, y, dtype)
    optimizer.zero_grad()
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return norm.item()


@wrong(
    "clip-returns-the-loss",
    replaces="clipped_scaled_step",
    says="The loss came back; the norm of the gradient is asked.",
)
def clip_returns_the_loss(model, loss_fn, optimizer, scaler, X, y, dtype, max_norm):
    loss = low_loss(model, loss_fn, X, y, dtype)
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    scaler.update()
    return loss.item()


@wrong(
    "clip-each-parameter-alone",
    replaces="clipped_scaled_step",
    says="Each parameter was clipped by itself: their total norm may still be longer than max_norm, and the direction "
    "changes. One factor for all.",
)
def clip_each_parameter(model, loss_fn, optimizer, scaler, X, y, dtype, max_norm):
    loss = low_loss(model, loss_fn, X, y, dtype)
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    norms = [nn.utils.clip_grad_norm_([p], max_norm).item() for p in model.parameters()]
    scaler.step(optimizer)
    scaler.update()
    return sum(norm**2 for norm in norms) ** 0.5


@wrong(
    "clip-values",
    replaces="clipped_scaled_step",
    says="Each number was clipped to max_norm, and not the length of the gradient: the direction changes. "
    "clip_grad_norm_.",
)
def clip_values(model, loss_fn, optimizer, scaler, X, y, dtype, max_norm):
    loss = low_loss(model, loss_fn, X, y, dtype)
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    norm = nn.utils.clip_grad_norm_(model.parameters(), float("inf"))
    nn.utils.clip_grad_value_(model.parameters(), max_norm)
    scaler.step(optimizer)
    scaler.update()
    return norm.item()


@wrong(
    "clip-lengthens",
    replaces="clipped_scaled_step",
    says="The gradient was scaled to max_norm where it was short enough, too, and so made longer: it is only shrunk.",
)
def clip_lengthens(model, loss_fn, optimizer, scaler, X, y, dtype, max_norm):
    loss = low_loss(model, loss_fn, X, y, dtype)
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    norm = torch.cat([p.grad.flatten() for p in model.parameters()]).norm()
    for p in model.parameters():
        p.grad *= max_norm / norm
    scaler.step(optimizer)
    scaler.update()
    return norm.item()
