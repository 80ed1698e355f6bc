"""Other right answers to katas/08_persistence/state.py."""

import copy
import io
from collections import OrderedDict

import torch

from torchkatas.bank import right


@right(replaces="contents")
def contents_by_walking(model):
    out = {}
    for prefix, module in model.named_modules(remove_duplicate=False):
        kept = [*module._parameters.items(), *module._buffers.items()]
        for name, tensor in kept:
            if tensor is not None and name not in module._non_persistent_buffers_set:
                out[f"{prefix}.{name}".lstrip(".")] = tuple(tensor.size())
    return out


@right(replaces="contents")
def contents_as_sizes(model):
    state = model.state_dict()
    return OrderedDict((name, state[name].shape) for name in sorted(state))


@right(replaces="contents")
def contents_read_back(model):
    buffer = io.BytesIO()
    torch.save(model.state_dict(), buffer)
    buffer.seek(0)
    return {name: tuple(t.shape) for name, t in torch.load(buffer, weights_only=True).items()}


@right(replaces="save")
def save_to_a_file_object(model, path):
    with open(path, "wb") as file:
        torch.save(model.state_dict(), file)


@right(replaces="save")
def save_a_plain_dict_of_copies(model, path):
    torch.save({name: tensor.detach().cpu().clone() for name, tensor in model.state_dict().items()}, str(path))


@right(replaces="save")
def save_with_parameters(model, path):
    torch.save(model.state_dict(keep_vars=True), f=path)


@right(replaces="restore")
def restore_and_look_at_the_report(build, path):
    model = build()
    report = model.load_state_dict(torch.load(path, map_location="cpu", weights_only=True), strict=True)
    assert not report.missing_keys
    return model.train(False)


@right(replaces="restore")
def restore_through_a_file_object(build, path):
    with path.open("rb") as file:
        state = torch.load(file, weights_only=True)
    model = build()
    model.eval()
    model.load_state_dict(state)
    return model


@right(replaces="restore")
def restore_by_assigning(build, path):
    model = build()
    model.load_state_dict(torch.load(path, mmap=True, weights_only=True), assign=True)
    return model.eval()


@right(replaces="remember")
def remember_clones(model):
    return {name: tensor.clone() for name, tensor in model.state_dict().items()}


@right(replaces="remember")
def remember_the_state_of_a_copy(model):
    return copy.deepcopy(model).state_dict()


@right(replaces="remember")
def remember_by_writing(model):
    buffer = io.BytesIO()
    torch.save(model.state_dict(), buffer)
    buffer.seek(0)
    return torch.load(buffer, weights_only=True)


@right(replaces="save_rows")
def save_rows_detached(table, n, path):
    torch.save(table.detach()[:n].clone(), path)


@right(replaces="save_rows")
def save_rows_by_index(table, n, path):
    torch.save(table[torch.arange(n)], path)


@right(replaces="save_rows")
def save_rows_deepcopied_values(table, n, path):
    torch.save(torch.tensor(table.detach()[:n].numpy()), path)


@right(replaces="save_rows")
def save_rows_into_new_memory(table, n, path):
    rows = torch.empty(n, table.shape[1])
    with torch.no_grad():
        rows.copy_(table[:n])
    torch.save(rows, path)
