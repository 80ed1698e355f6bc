"""Other right answers to katas/03_autograd/outside_the_graph.py."""

import numpy as np
import torch

from torchkatas.bank import right


@right(replaces="constant")
def by_data(x):
    return x.data


@right(replaces="constant")
def a_detached_view(x):
    return x.view(x.shape).detach()


@right(replaces="constant")
def through_numpy(x):
    return torch.from_numpy(x.detach().numpy())


@right(replaces="snapshot")
def cloned_then_detached(x):
    return x.clone().detach()


@right(replaces="snapshot")
def cloned_under_no_grad(x):
    with torch.no_grad():
        return x.clone()


@right(replaces="snapshot")
def filled(x):
    return torch.empty_like(x, requires_grad=False).copy_(x.data)


@right(replaces="snapshot")
def a_new_tensor_of_the_values(x):
    return torch.tensor(x.detach().numpy())


@right(replaces="to_numpy")
def under_no_grad(x):
    with torch.no_grad():
        return x.to(torch.float32 if x.dtype is torch.bfloat16 else x.dtype).numpy()


@right(replaces="to_numpy")
def a_copy_on_the_cpu(x):
    x = x.detach().cpu().clone()
    if x.dtype == torch.bfloat16:
        return x.to(torch.float32).numpy().copy()
    return np.asarray(x)


@right(replaces="to_numpy")
def try_and_cast(x):
    try:
        return x.data.numpy()
    except TypeError:
        return x.data.to(torch.float).numpy()


@right(replaces="to_numpy")
def by_force(x):
    return (x.float() if x.dtype == torch.bfloat16 else x).numpy(force=True)


@right(replaces="predict")
@torch.no_grad()
def decorated(model, x):
    return model(x)


@right(replaces="predict")
def in_inference_mode(model, x):
    with torch.inference_mode():
        return model.forward(x)


@right(replaces="predict")
def put_back_by_finally(model, x):
    before = torch.is_grad_enabled()
    torch.set_grad_enabled(False)
    try:
        return model(x)
    finally:
        torch.set_grad_enabled(before)


@right(replaces="predict")
def by_a_context(model, x):
    with torch.set_grad_enabled(False):
        out = model(x)
    return out.detach()


@right(replaces="cache_features")
def one_at_a_time(encoder, batches):
    features = []
    for batch in batches:
        with torch.no_grad():
            features.append(encoder(batch))
    return torch.vstack(features)


@right(replaces="cache_features")
def detached(encoder, batches):
    return torch.cat([encoder(batch).detach() for batch in batches], dim=0)


@right(replaces="cache_features")
def cloned_outside_inference_mode(encoder, batches):
    with torch.inference_mode():
        features = torch.cat([encoder(batch) for batch in batches])
    return features.clone()


@right(replaces="cache_features")
def all_at_once(encoder, batches):
    with torch.no_grad():
        return encoder(torch.cat(list(batches)))


@right(replaces="chunk_gradients")
def detached_after_the_loss(cell, w, chunks, h):
    w = w.detach().requires_grad_()
    out = []
    for chunk in chunks:
        w.grad = None
        h = cell(w, chunk, h)
        (h**2).sum().backward()
        out.append(w.grad)
        h = h.detach()
    return out


@right(replaces="chunk_gradients")
def a_leaf_for_each_chunk(cell, w, chunks, h):
    out = []
    for chunk in chunks:
        leaf = torch.nn.Parameter(w.clone())
        state = cell(leaf, chunk, h)
        torch.sum(state * state).backward()
        out.append(leaf.grad)
        with torch.no_grad():
            h = cell(w, chunk, h)
    return out


@right(replaces="chunk_gradients")
def detached_in_place(cell, w, chunks, h):
    w = torch.nn.Parameter(w.clone())
    out = []
    for chunk in chunks:
        h = cell(w, chunk, h)
        torch.linalg.vecdot(h, h).backward()
        out.append(w.grad.clone())
        w.grad.zero_()
        h.detach_()
    return out


@right(replaces="set_row")
def through_data(w, row, values):
    w.data[row] = values


@right(replaces="set_row")
def through_a_detached_view(w, row, values):
    w.detach()[row].copy_(values)


@right(replaces="set_row")
@torch.no_grad()
def decorated_copy(w, row, values):
    w[row, :].copy_(values)


@right(replaces="set_row")
def by_index_copy(w, row, values):
    with torch.no_grad():
        w.index_copy_(0, torch.tensor([row]), values[None])


@right(replaces="sgd_step")
def on_data(params, lr):
    for p in params:
        if p.grad is None:
            continue
        p.data = p.data - lr * p.grad


@right(replaces="sgd_step")
@torch.no_grad()
def fused(params, lr):
    for p in params:
        if p.grad is not None:
            p.add_(p.grad, alpha=-lr)


@right(replaces="sgd_step")
def copied_back(params, lr):
    with torch.no_grad():
        for p in (p for p in params if p.grad is not None):
            p.copy_(p - p.grad * lr)


@right(replaces="sgd_step")
def in_inference(params, lr):
    with torch.inference_mode():
        for p in params:
            if p.grad is not None:
                p.sub_(p.grad, alpha=lr)


@right(replaces="sgd_step")
def detached_view(params, lr):
    for p in params:
        if p.grad is not None:
            p.detach().sub_(lr * p.grad)
