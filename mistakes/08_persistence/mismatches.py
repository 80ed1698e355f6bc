"""Wrong answers to katas/08_persistence/mismatches.py."""

import contextlib

import torch

from torchkatas.bank import wrong


@wrong(
    "prefix-replaced-everywhere",
    replaces="without_prefix",
    says='"module." was taken out of the middle of names too, as replace does: submodule.bias became subbias, and a '
    "layer that is itself called module is lost. Only the start counts.",
)
def replace_everywhere(state):
    return {name.replace("module.", ""): tensor for name, tensor in state.items()}


@wrong(
    "prefix-split-to-the-last",
    replaces="without_prefix",
    says='All up to the last "module." is gone: split cuts at each of them, and [-1] takes what is behind the last. '
    "Only one at the very start counts, once.",
)
def split_to_the_last(state):
    return {name.split("module.")[-1]: tensor for name, tensor in state.items()}


@wrong(
    "prefix-stripped-as-letters",
    replaces="without_prefix",
    says='Names lost more than the prefix: lstrip("module.") takes off every leading letter out of m, o, d, u, l, e '
    "and the dot, in any order. removeprefix takes a text.",
)
def strip_letters(state):
    return {name.lstrip("module."): tensor for name, tensor in state.items()}


@wrong(
    "prefix-cut-unseen",
    replaces="without_prefix",
    says='Seven letters were cut off every name, whether they are "module." or not: names without the prefix are '
    "damaged.",
)
def cut_seven(state):
    return {name[7:]: tensor for name, tensor in state.items()}


@wrong(
    "prefix-without-its-dot",
    replaces="without_prefix",
    says='A name that only begins with the letters of "module" was cut too: modules.weight is a layer of its own. The '
    "dot belongs to the prefix.",
)
def cut_without_the_dot(state):
    return {name[7:] if name.startswith("module") else name: tensor for name, tensor in state.items()}


@wrong(
    "prefix-replaced-once",
    replaces="without_prefix",
    says='"module." was taken out once, but wherever it stood first: submodule.bias became subbias. replace with a '
    "count still looks everywhere; removeprefix looks at the start alone.",
)
def replace_once(state):
    return {name.replace("module.", "", 1): tensor for name, tensor in state.items()}


@wrong(
    "prefix-cut-at-the-first-dot",
    replaces="without_prefix",
    says="The first part of every name was cut off, whatever it says: fc.weight became weight. Only a first part that "
    'is "module" goes.',
)
def cut_at_the_first_dot(state):
    return {name.split(".", 1)[-1]: tensor for name, tensor in state.items()}


@wrong(
    "prefix-taken-off-twice",
    replaces="without_prefix",
    says="The prefix was taken off again and again: in module.module.weight the second one is the name of a layer, "
    "which the bare model has too.",
)
def strip_all(state):
    out = {}
    for name, tensor in state.items():
        while name.startswith("module."):
            name = name[7:]
        out[name] = tensor
    return out


@wrong(
    "prefix-others-dropped",
    replaces="without_prefix",
    says='Names that do not start with "module." are gone; they are to stay as they are.',
)
def drop_others(state):
    return {name[7:]: tensor for name, tensor in state.items() if name.startswith("module.")}


@wrong(
    "prefix-renamed-in-place",
    replaces="without_prefix",
    says="The names of the dict that was handed in were changed: the caller still has it in hand under the old ones. "
    "Make a new dict.",
)
def rename_in_place(state):
    for name in list(state):
        state[name.removeprefix("module.")] = state.pop(name)
    return state


def told(model, state):
    own = model.state_dict()
    return {
        "missing": sorted(own.keys() - state.keys()),
        "unexpected": sorted(state.keys() - own.keys()),
        "shape": sorted(name for name in own.keys() & state.keys() if own[name].shape != state[name].shape),
    }


@wrong(
    "mismatch-swapped",
    replaces="mismatch",
    says="Missing and unexpected are swapped: the model asks, so what it has and the state lacks is missing, and what "
    "only the state has is unexpected.",
)
def swap(model, state):
    own = model.state_dict()
    return {
        "missing": sorted(state.keys() - own.keys()),
        "unexpected": sorted(own.keys() - state.keys()),
        "shape": sorted(name for name in own.keys() & state.keys() if own[name].shape != state[name].shape),
    }


@wrong(
    "mismatch-names-only",
    replaces="mismatch",
    says="A tensor of another shape under the right name goes unseen: load_state_dict raises for it even with "
    "strict=False.",
    fact="05.19",
)
def names_only(model, state):
    own = model.state_dict()
    return {"missing": sorted(own.keys() - state.keys()), "unexpected": sorted(state.keys() - own.keys()), "shape": []}


@wrong(
    "mismatch-counts-numbers",
    replaces="mismatch",
    says="Shapes that hold as many numbers were taken for equal: (2, 4) does not fit (4, 2), nor (1, 3) fit (3,).",
)
def count_numbers(model, state):
    own = model.state_dict()
    return {
        "missing": sorted(own.keys() - state.keys()),
        "unexpected": sorted(state.keys() - own.keys()),
        "shape": sorted(name for name in own.keys() & state.keys() if own[name].numel() != state[name].numel()),
    }


@wrong(
    "mismatch-lets-broadcast",
    replaces="mismatch",
    says="A shape that could be broadcast was taken for a fit: one number does not fit a bias of three, "
    "load_state_dict wants the very shape.",
)
def let_broadcast(model, state):
    own = model.state_dict()

    def fits(one, other):
        with contextlib.suppress(RuntimeError):
            return torch.broadcast_shapes(one, other) == one
        return False

    return {
        "missing": sorted(own.keys() - state.keys()),
        "unexpected": sorted(state.keys() - own.keys()),
        "shape": sorted(name for name in own.keys() & state.keys() if not fits(own[name].shape, state[name].shape)),
    }


@wrong(
    "mismatch-of-the-first-axis",
    replaces="mismatch",
    says="Only the first axes of the shapes were compared, or as many as len() tells: (4, 3) was taken for (4, 2). All "
    "of .shape has to be the same.",
)
def first_axis_alone(model, state):
    own = model.state_dict()
    shape = [name for name in own.keys() & state.keys() if own[name].shape[:1] != state[name].shape[:1]]
    return {**told(model, state), "shape": sorted(shape)}


@wrong(
    "mismatch-of-dtypes-too",
    replaces="mismatch",
    says="A tensor of another dtype was reported under shape. It fits: load_state_dict copies it into the model's own "
    "dtype.",
)
def dtypes_too(model, state):
    own = model.state_dict()
    shape = [
        name
        for name in own.keys() & state.keys()
        if (own[name].shape, own[name].dtype) != (state[name].shape, state[name].dtype)
    ]
    return {**told(model, state), "shape": sorted(shape)}


@wrong(
    "mismatch-shape-as-missing",
    replaces="mismatch",
    says='A name that both have in different shapes stands under "missing" here; it is there on both sides, and '
    'belongs under "shape" alone.',
)
def shape_as_missing(model, state):
    own = model.state_dict()
    wrong_shape = sorted(name for name in own.keys() & state.keys() if own[name].shape != state[name].shape)
    missing = sorted([*(own.keys() - state.keys()), *wrong_shape])
    return {"missing": missing, "unexpected": sorted(state.keys() - own.keys()), "shape": wrong_shape}


@wrong(
    "mismatch-parameters-only",
    replaces="mismatch",
    says="Buffers were not counted as the model's: batch norm's running statistics are in its state dict, so they are "
    "not unexpected in a file, and missing where the file lacks them.",
    fact="05.18",
)
def parameters_only(model, state):
    own = dict(model.named_parameters())
    return {
        "missing": sorted(own.keys() - state.keys()),
        "unexpected": sorted(state.keys() - own.keys()),
        "shape": sorted(name for name in own.keys() & state.keys() if own[name].shape != state[name].shape),
    }


@wrong(
    "mismatch-with-every-buffer",
    replaces="mismatch",
    says="A buffer that was registered with persistent=False is said to be missing. It is in no state dict: ask "
    "model.state_dict(), not named_buffers().",
    fact="05.18",
)
def with_every_buffer(model, state):
    own = {**dict(model.named_parameters()), **dict(model.named_buffers())}
    return {
        "missing": sorted(own.keys() - state.keys()),
        "unexpected": sorted(state.keys() - own.keys()),
        "shape": sorted(name for name in own.keys() & state.keys() if own[name].shape != state[name].shape),
    }


@wrong(
    "mismatch-by-loading",
    replaces="mismatch",
    says="It was found out by loading. strict=False reports names and raises for shapes all the same; and what fits is "
    "in the model then. Compare names and shapes, and load nothing.",
    fact="05.19",
)
def by_loading(model, state):
    report = model.load_state_dict(state, strict=False)
    return {"missing": sorted(report.missing_keys), "unexpected": sorted(report.unexpected_keys), "shape": []}


@wrong(
    "mismatch-without-empty-lists",
    replaces="mismatch",
    says="A list that is empty was left out: whoever asks for it gets a KeyError. All three are there, whatever is in "
    "them.",
)
def without_empty_lists(model, state):
    return {kind: names for kind, names in told(model, state).items() if names}


@wrong(
    "mismatch-unsorted",
    replaces="mismatch",
    says="The names are the right ones, in the order of the state dicts; alphabetical order is asked.",
)
def unsorted(model, state):
    own = model.state_dict()
    return {
        "missing": [name for name in own if name not in state],
        "unexpected": [name for name in state if name not in own],
        "shape": [name for name in own if name in state and own[name].shape != state[name].shape],
    }


@wrong(
    "p14-map-location",
    replaces="load_onto",
    says="The file says that its tensors lay on a CUDA device, and torch.load tries to put them there before anything "
    "else can be done with them. map_location=device tells it where instead.",
)
def load_where_it_was(path, device):
    state = torch.load(path, weights_only=True)
    return {name: tensor.to(device) for name, tensor in state.items()}


@wrong(
    "load-always-on-cpu",
    replaces="load_onto",
    says="The tensors lie on the CPU, whatever device is asked for: map_location takes the device that was handed in.",
)
def load_on_cpu(path, device):
    return torch.load(path, map_location="cpu", weights_only=True)


@wrong(
    "load-mapped-from-first-gpu",
    replaces="load_onto",
    says="Only tensors that were saved on cuda:0 are mapped; those of any other GPU are still looked for where they "
    "lay. map_location takes a single device for all that is in the file.",
)
def map_the_first(path, device):
    return torch.load(path, map_location={"cuda:0": str(device), "cpu": str(device)}, weights_only=True)


@wrong(
    "p06-strict-false",
    replaces="load_whole",
    says="A state that does not fit was taken without an error: strict=False passes over the keys that are missing or "
    "unexpected, and what was not loaded is as random as it was. Mend the keys instead.",
    fact="05.19",
)
def load_loosely(model, state):
    model.load_state_dict(state, strict=False)


@wrong(
    "load-whole-by-half",
    replaces="load_whole",
    says="The error is right, but half of the state is in the model by then: load_state_dict copies every entry that "
    "fits and raises afterwards. Look before you load.",
    fact="05.19",
)
def load_by_half(model, state):
    model.load_state_dict(state)


@wrong(
    "load-whole-skips-what-differs",
    replaces="load_whole",
    says="What does not fit was left out in silence, wrong shapes too, and the rest was loaded: asked is all or "
    "nothing, with an error that names what does not fit.",
    fact="05.19",
)
def load_what_fits(model, state):
    own = model.state_dict()
    fits = {name: tensor for name, tensor in state.items() if name in own and own[name].shape == tensor.shape}
    model.load_state_dict(fits, strict=False)


@wrong(
    "load-whole-names-one",
    replaces="load_whole",
    says="The error names the first key that does not fit and keeps the others to itself: whoever mends a state dict "
    "one key at a time has to load it as often.",
)
def name_the_first(model, state):
    wrong_names = [name for names in mismatch(model, state).values() for name in names]  # noqa: F821
    if wrong_names:
        raise RuntimeError(f"{wrong_names[0]} does not fit")
    model.load_state_dict(state)


@wrong(
    "load-whole-names-none",
    replaces="load_whole",
    says="The error does not name the keys that do not fit; without them nobody can tell a renamed layer from another "
    "architecture.",
)
def name_nothing(model, state):
    if any(told(model, state).values()):
        raise RuntimeError("the state does not fit the model")
    model.load_state_dict(state)


@wrong(
    "load-whole-names-one-kind",
    replaces="load_whole",
    says="The error names the keys of one kind alone, missing, unexpected or of another shape, and ends there. Whoever "
    "mends those meets the next kind: collect all three, then raise.",
)
def name_one_kind(model, state):
    for kind, names in told(model, state).items():
        if names:
            raise RuntimeError(f"{kind}: {names}")
    model.load_state_dict(state)


@wrong(
    "load-whole-says-nothing",
    replaces="load_whole",
    says="The model is as it was, and nobody was told that nothing has been loaded: the error ended in an except, or "
    "none was raised. Put the model back, and let the error through.",
)
def say_nothing(model, state):
    if not any(told(model, state).values()):
        model.load_state_dict(state)


@wrong(
    "load-whole-parameters-alone",
    replaces="load_whole",
    says="The parameters were copied, the buffers were not: with the running statistics of another model it predicts "
    "something else. load_state_dict takes both.",
)
def load_parameters_alone(model, state):
    wrong_names = told(model, state)
    if any(wrong_names.values()):
        raise RuntimeError(str(wrong_names))
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.copy_(state[name])


@wrong(
    "load-whole-unexpected-ignored",
    replaces="load_whole",
    says="A key that the model does not have was passed over: the state is of another architecture, and something "
    "that was trained is thrown away.",
)
def ignore_unexpected(model, state):
    found = mismatch(model, state)  # noqa: F821
    if found["missing"] or found["shape"]:
        raise RuntimeError(f"the state does not fit: {found}")
    model.load_state_dict({name: tensor for name, tensor in state.items() if name not in found["unexpected"]})


@wrong(
    "load-whole-into-new-parameters",
    replaces="load_whole",
    says="The values are right, but the model has new parameters: an optimizer that was made before holds the old "
    "ones. assign=True puts the file's tensors in their places; without it they are copied.",
)
def load_by_assigning(model, state):
    found = mismatch(model, state)  # noqa: F821
    if any(found.values()):
        raise RuntimeError(f"the state does not fit: {found}")
    model.load_state_dict({name: tensor.clone() for name, tensor in state.items()}, assign=True)


@wrong(
    "load-whole-nothing-loaded",
    replaces="load_whole",
    says="Nothing has reached the model: state_dict() gives a new dict, and putting other tensors into that dict does "
    "not change the model. load_state_dict does.",
)
def load_into_a_dict(model, state):
    found = mismatch(model, state)  # noqa: F821
    if any(found.values()):
        raise RuntimeError(f"the state does not fit: {found}")
    model.state_dict().update(state)


@wrong(
    "partly-strict-off-alone",
    replaces="load_partly",
    says="A tensor of another shape stops the loading: strict=False forgives names that are missing or unexpected, "
    "never shapes. Choose what fits by name and shape before.",
    fact="05.19",
)
def only_strict_off(model, state):
    return sorted(model.load_state_dict(state, strict=False).missing_keys)


@wrong(
    "partly-lists-what-was-loaded",
    replaces="load_partly",
    says="The list has the names that were loaded; asked are those of the model's entries that were not.",
)
def list_loaded(model, state):
    own = model.state_dict()
    fits = {name: tensor for name, tensor in state.items() if name in own and own[name].shape == tensor.shape}
    model.load_state_dict(fits, strict=False)
    return sorted(fits)


@wrong(
    "partly-lists-the-file",
    replaces="load_partly",
    says="The list has names of the state that found no place in the model; asked are the names of the model's own "
    "entries that were not loaded, which are as they were built.",
)
def list_the_unused(model, state):
    own = model.state_dict()
    fits = {name: tensor for name, tensor in state.items() if name in own and own[name].shape == tensor.shape}
    model.load_state_dict(fits, strict=False)
    return sorted(state.keys() - fits.keys())


@wrong(
    "partly-broadcasts",
    replaces="load_partly",
    says="A tensor of another shape was copied in all the same: copy_ broadcasts, so one number filled a bias of "
    "three. Compare the shapes first.",
)
def copy_what_broadcasts(model, state):
    left = []
    for name, tensor in model.state_dict().items():
        try:
            tensor.copy_(state[name])
        except (KeyError, RuntimeError):
            left.append(name)
    return sorted(left)


@wrong(
    "partly-reshapes",
    replaces="load_partly",
    says="A weight of another shape with as many numbers was poured in: (2, 4) read as (4, 2) puts nearly every "
    "number in another place. Equal counts are no fit.",
)
def reshape_in(model, state):
    own = model.state_dict()
    fits = {n: t.reshape(own[n].shape) for n, t in state.items() if n in own and own[n].numel() == t.numel()}
    return sorted(model.load_state_dict(fits, strict=False).missing_keys)


@wrong(
    "partly-parameters-only",
    replaces="load_partly",
    says="The buffers were passed over: the body has its trained weights and the running statistics of a new model, "
    "so it predicts something else.",
    fact="05.19",
)
def load_parameters(model, state):
    left = []
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if name in state and state[name].shape == parameter.shape:
                parameter.copy_(state[name])
            else:
                left.append(name)
    return sorted(left)


@wrong(
    "partly-new-parameters",
    replaces="load_partly",
    says="The model has new parameters, in the file's dtype: assign=True puts the file's tensors in place of its own, "
    "and an optimizer that was made before steps on tensors that no model has.",
)
def assign_what_fits(model, state):
    own = model.state_dict()
    fits = {name: tensor for name, tensor in state.items() if name in own and own[name].shape == tensor.shape}
    return sorted(model.load_state_dict(fits, strict=False, assign=True).missing_keys)


@wrong(
    "partly-into-a-dict",
    replaces="load_partly",
    says="Nothing has reached the model: state_dict() gives a new dict, and putting other tensors into it changes that "
    "dict alone. load_state_dict copies them in.",
)
def update_a_dict(model, state):
    own = model.state_dict()
    fits = {name: tensor for name, tensor in state.items() if name in own and own[name].shape == tensor.shape}
    own.update(fits)
    return sorted(own.keys() - fits.keys())


@wrong(
    "partly-takes-the-dtype",
    replaces="load_partly",
    says="The model has float64 parameters now: .data = puts the file's tensor in place, dtype and all. copy_ and "
    "load_state_dict keep the model's own.",
)
def take_the_dtype(model, state):
    left = []
    for name, tensor in [*model.named_parameters(), *model.named_buffers()]:
        if name in state and state[name].shape == tensor.shape:
            tensor.data = state[name].clone()
        else:
            left.append(name)
    return sorted(left)


@wrong(
    "partly-asks-for-the-dtype",
    replaces="load_partly",
    says="Entries of another dtype were left out. They fit: the value is copied into the model's own dtype. Only name "
    "and shape decide.",
)
def ask_for_the_dtype(model, state):
    own = model.state_dict()
    fits = {n: t for n, t in state.items() if n in own and (own[n].shape, own[n].dtype) == (t.shape, t.dtype)}
    return sorted(model.load_state_dict(fits, strict=False).missing_keys)


@wrong(
    "partly-empties-the-state",
    replaces="load_partly",
    says="What does not fit was taken out of the caller's own dict, which may be loaded elsewhere. Make a new dict.",
)
def empty_the_state(model, state):
    own = model.state_dict()
    for name in list(state):
        if name not in own or own[name].shape != state[name].shape:
            del state[name]
    return sorted(model.load_state_dict(state, strict=False).missing_keys)


@wrong(
    "partly-unsorted",
    replaces="load_partly",
    says="The names are the right ones, in the order of the model; alphabetical order is asked.",
)
def load_unsorted(model, state):
    own = model.state_dict()
    fits = {name: tensor for name, tensor in state.items() if name in own and own[name].shape == tensor.shape}
    return list(model.load_state_dict(fits, strict=False).missing_keys)
