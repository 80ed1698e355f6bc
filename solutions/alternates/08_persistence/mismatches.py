"""Other right answers to katas/08_persistence/mismatches.py."""

import copy
from collections import OrderedDict

import torch
from torch.nn.modules.utils import consume_prefix_in_state_dict_if_present

from torchkatas.bank import right


@right(replaces="without_prefix")
def prefix_by_slice(state):
    prefix = "module."
    return {n[len(prefix) :] if n.startswith(prefix) else n: t for n, t in state.items()}


@right(replaces="without_prefix")
def prefix_in_an_ordered_dict(state):
    out = OrderedDict()
    for name in state:
        head, dot, rest = name.partition(".")
        out[rest if head == "module" and dot else name] = state[name].clone()
    return out


@right(replaces="without_prefix")
def prefix_consumed_in_a_copy(state):
    state = dict(state)
    consume_prefix_in_state_dict_if_present(state, "module.")
    return state


@right(replaces="mismatch")
def mismatch_by_loops(model, state):
    own = model.state_dict()
    missing = [name for name in own if name not in state]
    unexpected = [name for name in state if name not in own]
    shape = [name for name in own if name in state and tuple(own[name].size()) != tuple(state[name].size())]
    return dict(missing=sorted(missing), unexpected=sorted(unexpected), shape=sorted(shape))


@right(replaces="mismatch")
def mismatch_by_the_report(model, state):
    copied = copy.deepcopy(model)
    own = copied.state_dict()
    shape = [name for name, tensor in state.items() if name in own and own[name].shape != tensor.shape]
    rest = {name: own[name] if name in shape else tensor for name, tensor in state.items()}
    report = copied.load_state_dict(rest, strict=False)
    return {"shape": sorted(shape), "missing": sorted(report[0]), "unexpected": sorted(report[1])}


@right(replaces="load_onto")
def load_through_the_cpu(path, device):
    state = torch.load(path, map_location="cpu", weights_only=True)
    return {name: tensor.to(device) for name, tensor in state.items()}


@right(replaces="load_onto")
def load_with_a_function(path, device):
    state = torch.load(path, map_location=lambda storage, location: storage, weights_only=True)
    for name in state:
        state[name] = state[name].to(device)
    return state


@right(replaces="load_onto")
def load_onto_by_name(path, device):
    return torch.load(str(path), weights_only=True, map_location=str(device))


@right(replaces="load_whole")
def load_a_copy_first(model, state):
    copy.deepcopy(model).load_state_dict(state)
    model.load_state_dict(state)


@right(replaces="load_whole")
def load_and_put_back(model, state):
    before = copy.deepcopy(model.state_dict())
    try:
        model.load_state_dict(state, strict=True)
    except RuntimeError:
        model.load_state_dict(before)
        raise


@right(replaces="load_whole")
@torch.no_grad()
def load_by_hand(model, state):
    own = model.state_dict()
    wrong = [name for name in [*own, *state] if name not in own or name not in state]
    wrong += [name for name in own if name in state and state[name].shape != own[name].shape]
    if wrong:
        raise RuntimeError(" ".join(wrong))
    for name in own:
        own[name].copy_(state[name])


@right(replaces="load_partly")
def partly_by_updating(model, state):
    own = model.state_dict()
    left = [name for name in own if name not in state or state[name].size() != own[name].size()]
    own.update({name: state[name] for name in own if name not in left})
    model.load_state_dict(own)
    return sorted(left)


@right(replaces="load_partly")
def partly_by_copying(model, state):
    left = []
    with torch.no_grad():
        for name, tensor in model.state_dict(keep_vars=True).items():
            if name in state and state[name].shape == tensor.shape:
                tensor.copy_(state[name])
            else:
                left.append(name)
    left.sort()
    return left
