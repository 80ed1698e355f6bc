"""Other right answers to katas/04_modules/parameters.py."""

import copy

import torch
from torch import nn

from torchkatas.bank import right


@right(replaces="count_trainable")
def trainable_by_filter(model):
    return sum(map(torch.numel, filter(lambda p: p.requires_grad, model.parameters())))


@right(replaces="count_trainable")
def trainable_by_loop(model):
    total = 0
    for _, p in model.named_parameters():
        if not p.requires_grad:
            continue
        total += p.shape.numel()
    return total


@right(replaces="count_trainable")
def trainable_by_product(model):
    return sum(p.numel() * p.requires_grad for p in model.parameters())


@right(replaces="freeze")
def by_the_modules_own_methods(part):
    part.requires_grad_(False)
    part.zero_grad(set_to_none=True)


@right(replaces="freeze")
def by_attribute(part):
    for _, p in part.named_parameters(recurse=True):
        p.requires_grad = False
        del p.grad


@right(replaces="freeze")
def by_apply(part):
    def switch_off(module):
        for p in module.parameters(recurse=False):
            p.grad = None
            p.requires_grad_(requires_grad=False)

    part.apply(switch_off)


@right(replaces="cast")
def by_apply_of_data(model, dtype):
    for tensor in [*model.parameters(), *model.buffers()]:
        if tensor.is_floating_point():
            tensor.data = tensor.data.to(dtype)
    return model


@right(replaces="cast")
def by_name(model, dtype):
    model.to(dtype=dtype)
    return model


@right(replaces="cast")
def by_method(model, dtype):
    methods = {torch.float64: model.double, torch.float32: model.float, torch.float16: model.half}
    return methods[dtype]() if dtype in methods else model.bfloat16()


@right(replaces="copy_in")
def copied_then_cast(model, dtype):
    twin = copy.deepcopy(model)
    twin.to(dtype=dtype)
    return twin


@right(replaces="copy_in")
def with_a_memo(model, dtype):
    memo = {id(p): nn.Parameter(p.detach().to(dtype, copy=True), p.requires_grad) for p in model.parameters()}
    return copy.deepcopy(model, memo).to(dtype)


@right(replaces="tie")
def by_registration(embedding, output):
    if tuple(embedding.weight.shape) != (output.out_features, output.in_features):
        raise ValueError("Shapes differ")
    output.register_parameter("weight", embedding.weight)


@right(replaces="tie")
def by_deletion(embedding, output):
    if embedding.weight.size() != output.weight.size():
        raise ValueError(f"shape {tuple(output.weight.shape)} does not fit {tuple(embedding.weight.shape)}")
    del output.weight
    output.weight = embedding.weight


@right(replaces="seeded")
def state_put_back(make, seed):
    before = torch.get_rng_state()
    try:
        torch.manual_seed(seed)
        return make()
    finally:
        torch.set_rng_state(before)


@right(replaces="seeded")
def by_default_generator(make, seed):
    before = torch.default_generator.get_state()
    torch.default_generator.manual_seed(seed)
    try:
        model = make()
    finally:
        torch.default_generator.set_state(before)
    return model


@right(replaces="seeded")
@torch.random.fork_rng(devices=[])
def decorated(make, seed):
    torch.random.manual_seed(seed)
    return make()


@right(replaces="seeded")
def through_a_generators_state(make, seed):
    state = torch.Generator().manual_seed(seed).get_state()
    with torch.random.fork_rng(devices=()):
        torch.set_rng_state(state)
        return make()
