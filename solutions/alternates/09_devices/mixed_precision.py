"""Other right answers to katas/09_devices/mixed_precision.py."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.amp import GradScaler

from torchkatas.bank import right

# ---- make_scaler


@right(replaces="make_scaler")
def by_branches(device, dtype):
    if dtype == torch.bfloat16:
        return torch.amp.GradScaler(device, enabled=False)
    return torch.amp.GradScaler(device=device)


@right(replaces="make_scaler")
def by_range(device, dtype):
    return GradScaler(device, enabled=torch.finfo(dtype).max < torch.finfo(torch.bfloat16).max)


# ---- autocast_dtype


@right(replaces="autocast_dtype")
def by_asking_torch(operation, given, low):
    shapes = [(2, 2), (2, 2), (2,)] if operation != "layer_norm" else [(2, 2), (2,), (2,)]
    shapes = [(1, 2, 2), (2, 2, 1), (2,)] if operation == "conv1d" else shapes
    operands = [torch.zeros(shape, dtype=dtype) for shape, dtype in zip(shapes, given, strict=False)]
    with torch.autocast("cpu", dtype=low):
        if operation == "softmax":
            return F.softmax(operands[0], dim=0).dtype
        if operation == "layer_norm":
            return F.layer_norm(operands[0], (2,), *operands[1:]).dtype
        if operation == "cross_entropy":
            return F.cross_entropy(operands[0], torch.tensor([0, 1])).dtype
        return (getattr(torch, operation, None) or getattr(F, operation))(*operands).dtype


@right(replaces="autocast_dtype")
def by_promotion(operation, given, low):
    if operation in {"linear", "matmul", "conv1d"}:
        return low
    found = torch.float32 if operation.endswith(("_loss", "_entropy")) else given[0]
    for dtype in given:
        found = torch.promote_types(found, dtype)
    return found


# ---- masked_softmax


@right(replaces="masked_softmax")
def by_the_smallest(scores, keep):
    scores = scores.masked_fill(~keep, torch.finfo(scores.dtype).min)
    return scores.softmax(dim=-1)


@right(replaces="masked_softmax")
def by_where(scores, keep):
    return F.softmax(torch.where(keep, scores, -torch.inf), dim=-1)


@right(replaces="masked_softmax")
def written_out(scores, keep):
    scores = scores.masked_fill(~keep, -torch.inf)
    weights = (scores - scores.amax(-1, keepdim=True)).exp()
    return weights / weights.sum(-1, keepdim=True)


@right(replaces="masked_softmax")
def summed_in_more_bits(scores, keep):
    return scores.double().masked_fill(~keep, -1e300).softmax(-1).to(scores.dtype)


# ---- loss_and_probabilities


@right(replaces="loss_and_probabilities")
def loss_of_float_logits(model, X, y, dtype):
    with torch.autocast(device_type=X.device.type, dtype=dtype):
        logits = model(X)
    logits = logits.float()
    loss = nn.BCEWithLogitsLoss()(logits, y)
    with torch.no_grad():
        return loss, torch.sigmoid(logits).cpu().numpy()


@right(replaces="loss_and_probabilities")
def as_a_decorator(model, X, y, dtype):
    @torch.amp.autocast(X.device.type, dtype=dtype)
    def both():
        logits = model(X)
        return logits, F.binary_cross_entropy_with_logits(logits, y)

    logits, loss = both()
    return loss, logits.detach().cpu().float().sigmoid().numpy()


# ---- scaled_step


@right(replaces="scaled_step")
def cleared_last(model, loss_fn, optimizer, scaler, X, y, dtype):
    model.zero_grad(set_to_none=False)
    with torch.autocast(X.device.type, dtype=dtype):
        outputs = model(X)
        loss = loss_fn(outputs.float(), y)
        scaled = scaler.scale(loss)
    scaled.backward()
    scaler.unscale_(optimizer)
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad()
    return float(loss.detach())


@right(replaces="scaled_step")
def scaler_only_where_enabled(model, loss_fn, optimizer, scaler, X, y, dtype):
    optimizer.zero_grad()
    with torch.amp.autocast(X.device.type, dtype):
        loss = loss_fn(model(X), y)
    if not scaler.is_enabled():
        loss.backward()
        optimizer.step()
    else:
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
    return loss.detach().cpu().item()


# ---- clipped_scaled_step


@right(replaces="clipped_scaled_step")
def clipped_at_the_scaled_norm(model, loss_fn, optimizer, scaler, X, y, dtype, max_norm):
    with torch.autocast(X.device.type, dtype=dtype):
        loss = loss_fn(model(X), y)
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scale = scaler.get_scale()
    norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm * scale) / scale
    scaler.step(optimizer)
    scaler.update()
    return norm.item()


@right(replaces="clipped_scaled_step")
def clipped_by_hand(model, loss_fn, optimizer, scaler, X, y, dtype, max_norm):
    for p in model.parameters():
        p.grad = None
    with torch.autocast(X.device.type, dtype=dtype):
        loss = loss_fn(model(X), y)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    grads = [p.grad for p in model.parameters()]
    norm = torch.cat([g.flatten() for g in grads]).norm().item()
    if norm > max_norm:
        for g in grads:
            g.mul_(max_norm / norm)
    scaler.step(optimizer)
    scaler.update()
    return norm
