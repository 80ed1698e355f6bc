"""Wrong answers to katas/08_persistence/state.py."""

import copy

import torch

from torchkatas.bank import wrong


@wrong(
    "contents-parameters-only",
    replaces="contents",
    says="The buffers are missing: running_mean, num_batches_tracked and every buffer registered as persistent are "
    "kept in the state dict beside the parameters.",
    fact="05.18",
)
def contents_of_parameters(model):
    return {name: tuple(p.shape) for name, p in model.named_parameters(remove_duplicate=False)}


@wrong(
    "contents-named-parameters",
    replaces="contents",
    says="named_parameters() is another list than the state dict: it has no buffers, so that running_mean and the like "
    "are missing, and a shared parameter only once.",
    fact="05.18",
)
def contents_of_named_parameters(model):
    return {name: tuple(p.shape) for name, p in model.named_parameters()}


@wrong(
    "contents-trainable-only",
    replaces="contents",
    says="The frozen parameters are missing: requires_grad says what is trained, while a state dict holds every "
    "parameter, trained or not.",
    fact="05.18",
)
def contents_of_trainable(model):
    frozen = {n for n, p in model.named_parameters(remove_duplicate=False) if not p.requires_grad}
    return {name: tuple(tensor.shape) for name, tensor in model.state_dict().items() if name not in frozen}


@wrong(
    "contents-every-buffer",
    replaces="contents",
    says="The buffer `mask` was registered with persistent=False: it lives in the model, moves with it, and is not "
    "saved.",
    fact="05.18",
)
def contents_of_all_buffers(model):
    named = [*model.named_parameters(remove_duplicate=False), *model.named_buffers(remove_duplicate=False)]
    return {name: tuple(tensor.shape) for name, tensor in named}


@wrong(
    "contents-shared-once",
    replaces="contents",
    says="A parameter that two layers share is listed once here, as named_parameters() does; the state dict has it "
    "under each of its names, and load_state_dict asks for each.",
    fact="05.18",
)
def contents_without_shared(model):
    seen, out = set(), {}
    for name, tensor in model.state_dict(keep_vars=True).items():
        if id(tensor) not in seen:
            out[name] = tuple(tensor.shape)
        seen.add(id(tensor))
    return out


@wrong(
    "contents-put-together",
    replaces="contents",
    says="Parameters and buffers were put together by hand: named_buffers() has those too that are not persistent, and "
    "named_parameters() a shared one under one name alone. What is saved says state_dict().",
    fact="05.18",
)
def contents_put_together(model):
    return {name: tuple(tensor.shape) for name, tensor in [*model.named_parameters(), *model.named_buffers()]}


@wrong(
    "contents-count-for-shape",
    replaces="contents",
    says="That is how many numbers each tensor has; asked is its shape, which load_state_dict compares too: (2, 3) "
    "does not take (3, 2).",
)
def contents_as_counts(model):
    return {name: (tensor.numel(),) for name, tensor in model.state_dict().items()}


@wrong(
    "save-whole-model",
    replaces="save",
    says="The file holds the model itself, a pickle that asks for its class by name: torch.load refuses it under "
    "weights_only=True, and it breaks when the class is moved. Save what state_dict() gives.",
    fact="05.18",
)
def save_the_model(model, path):
    torch.save(model, path)


@wrong(
    "save-uncalled-state-dict",
    replaces="save",
    says="The file holds a method of the model, not what it returns, and with the method the whole model; state_dict "
    "is to be called, with ().",
    fact="05.18",
)
def save_the_method(model, path):
    torch.save(model.state_dict, path)


@wrong(
    "save-parameters-only",
    replaces="save",
    says="The file lacks the buffers, such as batch norm's running statistics: the parameters alone do not predict in "
    "eval mode what the model did. state_dict() has both.",
    fact="05.18",
)
def save_parameters(model, path):
    torch.save({name: p.detach() for name, p in model.named_parameters()}, path)


@wrong(
    "save-without-names",
    replaces="save",
    says="The file holds a list of tensors without their names; load_state_dict finds each tensor by its name.",
)
def save_a_list(model, path):
    torch.save([tensor.detach() for tensor in model.state_dict().values()], path)


@wrong(
    "save-state-under-a-key",
    replaces="save",
    says="The state dict is there, but one level down, under a key; asked is a file that is the state dict itself, "
    "which load_state_dict(torch.load(path)) takes as it is.",
)
def save_under_a_key(model, path):
    torch.save({"model": model.state_dict()}, path)


@wrong(
    "save-leaves-eval",
    replaces="save",
    says="The file is right, but the model is in eval mode now, and the training that goes on runs without dropout. "
    "The mode is no part of a state dict: saving need not touch it.",
)
def save_in_eval(model, path):
    torch.save(model.eval().state_dict(), path)


@wrong(
    "save-leaves-train",
    replaces="save",
    says="The file is right, but the model is in train mode now, where it was in eval mode before: its next "
    "predictions are drawn. The mode is no part of a state dict: saving need not touch it.",
)
def save_and_train(model, path):
    torch.save(model.state_dict(), path)
    model.train()


@wrong(
    "p01-assign-load",
    replaces="restore",
    says="load_state_dict fills the model in place and returns a report of missing and unexpected keys. Bound to the "
    "model's name, that report takes its place; call it for what it does, and keep the model.",
    fact="05.19",
)
def assign_the_report(build, path):
    model = build()
    model = model.load_state_dict(torch.load(path, weights_only=True))
    return model.eval()


@wrong(
    "restore-returns-the-report",
    replaces="restore",
    says="What came back is the report of keys that load_state_dict returns, not the model that it has filled.",
    fact="05.19",
)
def return_the_report(build, path):
    model = build().eval()
    return model.load_state_dict(torch.load(path, weights_only=True))


@wrong(
    "p02-load-path",
    replaces="restore",
    says="load_state_dict was given the path, and wants the dict that the file holds: torch.load(path, "
    "weights_only=True) reads it.",
    fact="05.19",
)
def load_the_path(build, path):
    model = build()
    model.load_state_dict(path)
    return model.eval()


@wrong(
    "restore-returns-the-dict",
    replaces="restore",
    says="What came back is the dict that the file holds: tensors by name, without a forward. They have to be loaded "
    "into a model that `build` gives.",
    fact="05.19",
)
def return_the_dict(build, path):
    build()
    return torch.load(path, weights_only=True)


@wrong(
    "restore-untrained",
    replaces="restore",
    says="The model has the weights that it was built with: nothing of the file has reached it. load_state_dict is "
    "what copies the file's tensors into it.",
    fact="05.19",
)
def load_nothing(build, path):
    model = build()
    state = model.state_dict()
    state.update(torch.load(path, weights_only=True))
    return model.eval()


@wrong(
    "restore-in-train-mode",
    replaces="restore",
    says="The state is right, but the model is in train mode, as every new one is: dropout draws and batch norm uses "
    "the batch. The mode is not in the file; eval() sets it.",
)
def still_in_train_mode(build, path):
    model = build()
    model.load_state_dict(torch.load(path, weights_only=True))
    return model


@wrong(
    "restore-strict-off",
    replaces="restore",
    says="A file that does not fit the model was taken without a word, and what was not loaded stays as it was built. "
    "load_state_dict raises where the keys do not match, unless strict=False tells it to skip them.",
    fact="05.19",
)
def restore_loosely(build, path):
    model = build()
    model.load_state_dict(torch.load(path, weights_only=True), strict=False)
    return model.eval()


@wrong(
    "restore-parameters-only",
    replaces="restore",
    says="The parameters are the file's, the buffers are still those of the new model: its running statistics have "
    "seen no data.",
    fact="05.19",
)
def restore_parameters(build, path):
    model, state = build(), torch.load(path, weights_only=True)
    names = {name for name, _ in model.named_parameters()}
    buffers = {n: b for n, b in model.state_dict().items() if n not in names}
    model.load_state_dict({**state, **buffers})
    return model.eval()


@wrong(
    "restore-builds-twice",
    replaces="restore",
    says="`build` was called more than once: each call makes another model, with other weights, and takes its time "
    "and memory.",
)
def build_twice(build, path):
    build()
    model = build()
    model.load_state_dict(torch.load(path, weights_only=True))
    return model.eval()


@wrong(
    "restore-new-where-no-file",
    replaces="restore",
    says="The file is not there, and a model came back all the same: an untrained one, which nobody can tell from a "
    "trained one. Let torch.load's FileNotFoundError through.",
)
def new_where_no_file(build, path):
    model = build()
    if path.exists():
        model.load_state_dict(torch.load(path, weights_only=True))
    return model.eval()


@wrong(
    "restore-runs-code",
    replaces="restore",
    says="The file's code was run: a pickle may call any function while it is read, and with weights_only=False it "
    "does. weights_only=True builds tensors and plain values alone, and refuses the rest.",
    fact="05.19",
)
def restore_with_code(build, path):
    model = build()
    model.load_state_dict(torch.load(path, weights_only=False))
    return model.eval()


@wrong(
    "remember-live",
    replaces="remember",
    says="The kept state has changed with the model: the tensors of a state dict share their memory with it, and a "
    "copy of the dict alone holds the same tensors. Each tensor needs a copy.",
)
def remember_the_live_state(model):
    return dict(model.state_dict())


@wrong(
    "remember-the-model",
    replaces="remember",
    says="A whole model was kept, a second one with its code and its modes. Asked is a dict of tensors, which "
    "load_state_dict takes back: the state_dict() of that copy.",
)
def remember_the_model(model):
    return copy.deepcopy(model)


@wrong(
    "remember-parameters-only",
    replaces="remember",
    says="The buffers are missing: with the old parameters and the running statistics of later, the model would not "
    "be what it was.",
    fact="05.18",
)
def remember_parameters(model):
    return {name: p.detach().clone() for name, p in model.named_parameters()}


@wrong(
    "remember-put-together",
    replaces="remember",
    says="Parameters and buffers were put together by hand: named_buffers() has those too that are not persistent, and "
    "named_parameters() a shared one under one name alone, so that load_state_dict refuses what was kept. Copy what "
    "state_dict() has.",
    fact="05.18",
)
def remember_put_together(model):
    return {name: t.detach().clone() for name, t in [*model.named_parameters(), *model.named_buffers()]}


@wrong(
    "remember-in-the-graph",
    replaces="remember",
    says="The values are right, but the copies of the parameters are part of a graph: clone() is an operation that is "
    "recorded. Those of state_dict() are detached already.",
)
def remember_with_graph(model):
    return {name: tensor.clone() for name, tensor in model.state_dict(keep_vars=True).items()}


@wrong(
    "remember-freezes",
    replaces="remember",
    says="The copy is right, but the model's parameters no longer require a gradient: it was the model that was taken "
    "out of the graph, not the copy. The training that goes on would stand still.",
)
def remember_and_freeze(model):
    return {name: t.requires_grad_(False).clone() for name, t in model.state_dict(keep_vars=True).items()}


@wrong(
    "p13-save-view",
    replaces="save_rows",
    says="The file holds the numbers of the whole table: the rows are a view of its memory, and torch.save writes all "
    "the memory below a view. clone() of the rows first gives them memory of their own.",
)
def save_a_view(table, n, path):
    torch.save(table.detach()[:n], path)


@wrong(
    "save-rows-last",
    replaces="save_rows",
    says="These are the last n rows of the table, where the first n are asked.",
)
def save_last_rows(table, n, path):
    torch.save(table[-n:].clone(), path)


@wrong(
    "save-rows-as-columns",
    replaces="save_rows",
    says="The first n columns were saved, not the first n rows: the first index of a table counts rows.",
)
def save_columns(table, n, path):
    torch.save(table[:, :n].clone(), path)


@wrong(
    "save-rows-as-lists",
    replaces="save_rows",
    says="The file holds lists of Python numbers, without dtype or device, where torch.load is to give a tensor.",
)
def save_lists(table, n, path):
    torch.save(table[:n].tolist(), path)


@wrong(
    "save-rows-nothing-saved",
    replaces="save_rows",
    says="There is no file at the path: the rows have to be written there, with torch.save.",
)
def copy_only(table, n, path):
    return copy.deepcopy(table.detach()[:n])
