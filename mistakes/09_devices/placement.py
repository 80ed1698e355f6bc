"""Wrong answers to katas/09_devices/placement.py."""

import copy

import numpy
import torch
from torch import nn

from torchkatas.bank import wrong

# ---- best_device


@wrong(
    "device-mps-before-cuda",
    replaces="best_device",
    says="mps was chosen where there is cuda as well: cuda comes first.",
    fact="09.3",
)
def mps_before_cuda(available):
    return torch.device(next((kind for kind in ("mps", "cuda") if available.get(kind)), "cpu"))


@wrong(
    "device-named-is-not-there",
    replaces="best_device",
    says="A kind that is named with 0 devices was chosen. That a key is in the dict says only that somebody counted; "
    "its value says whether there is one.",
    fact="09.3",
)
def named_is_not_there(available):
    return torch.device(next((kind for kind in ("cuda", "mps") if kind in available), "cpu"))


@wrong(
    "device-mps-forgotten",
    replaces="best_device",
    says="The CPU was chosen where there is mps, Apple's GPU. Between cuda and the CPU it is the second choice.",
    fact="09.3",
)
def mps_forgotten(available):
    return torch.device("cuda" if available.get("cuda") else "cpu")


@wrong(
    "device-of-this-machine",
    replaces="best_device",
    says="That is the answer for the machine this runs on. Which one is asked about stands in `available`.",
)
def of_this_machine(available):
    return torch.device("cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu")


@wrong(
    "device-as-a-string",
    replaces="best_device",
    says="The name came back, a string. `.to` takes it too, but device.type and a comparison with tensor.device need "
    "the torch.device that it names.",
)
def as_a_string(available):
    return str(best_device_of(available))


@wrong(
    "device-of-which-there-are-most",
    replaces="best_device",
    says="The kind of which there are most was chosen. One cuda device goes before any number of others.",
)
def of_which_there_are_most(available):
    return torch.device(max(available, key=available.get, default="cpu"))


@wrong(
    "device-first-in-the-dict",
    replaces="best_device",
    says="The kind that stands first in the dict was chosen. The order of its keys says nothing: cuda, mps, CPU.",
)
def first_in_the_dict(available):
    return torch.device(next((kind for kind, count in available.items() if count), "cpu"))


@wrong(
    "device-with-a-number",
    replaces="best_device",
    says='The device has a number where the kind alone is asked: torch.device("cuda") is the current one, '
    'and is not equal to torch.device("cuda:0").',
)
def with_a_number(available):
    found = best_device_of(available)
    return torch.device(found.type, 0) if found.type == "cuda" else found


@wrong(
    "device-each-with-a-number",
    replaces="best_device",
    says='The device has a number where the kind alone is asked: torch.device("mps") and torch.device("mps:0") are '
    "not equal.",
)
def each_with_a_number(available):
    found = best_device_of(available)
    return found if found.type == "cpu" else torch.device(found.type, 0)


@wrong(
    "device-as-a-string-with-a-number",
    replaces="best_device",
    says='A string came back, and "cuda:0" at that: the torch.device of the kind alone is asked, torch.device("cuda").',
)
def as_a_string_with_a_number(available):
    return str(best_device_of(available)).replace("cuda", "cuda:0")


@wrong(
    "device-key-must-be-there",
    replaces="best_device",
    says="A kind that is not named was looked up with [], which raises KeyError. It has no device: "
    "available.get(kind).",
)
def key_must_be_there(available):
    if available["cuda"]:
        return torch.device("cuda")
    return torch.device("mps" if available["mps"] else "cpu")


def best_device_of(available):
    return torch.device(next((kind for kind in ("cuda", "mps") if available.get(kind)), "cpu"))


# ---- requested_device


def requested(name, available):
    """Right."""
    if name is None:
        return best_device_of(available)
    kind, _, number = name.partition(":")
    if int(number or 0) >= {**available, "cpu": 1}.get(kind, 0):
        raise ValueError(f"{name} is not there")
    return torch.device(name)


@wrong(
    "request-falls-back",
    replaces="requested_device",
    says="Another device came in place of one that is not there. Then a job for a GPU runs on the CPU, and nobody is "
    "told: raise ValueError with the name.",
)
def falls_back(name, available):
    if name is None or int(name.partition(":")[2] or 0) >= {**available, "cpu": 1}.get(name.partition(":")[0], 0):
        return best_device_of(available)
    return torch.device(name)


@wrong(
    "request-falls-back-to-the-cpu",
    replaces="requested_device",
    says="The CPU came in place of a device that is not there. Then a job for a GPU runs on the CPU all night, and "
    "nobody is told: raise ValueError with the name.",
)
def falls_back_to_the_cpu(name, available):
    try:
        return requested(name, available)
    except ValueError:
        return torch.device("cpu")


@wrong(
    "request-kind-falls-back-to-the-cpu",
    replaces="requested_device",
    says="The CPU came in place of a kind that is not there, and a number that no device has went through. Neither is "
    "told to anybody: raise ValueError with the name.",
)
def kind_falls_back_to_the_cpu(name, available):
    if name is None:
        return best_device_of(available)
    return torch.device(name if {**available, "cpu": 1}.get(name.partition(":")[0]) else "cpu")


@wrong(
    "request-takes-whatever-is-asked",
    replaces="requested_device",
    says="The name was taken without a look at what is there. torch.device reads a name, and knows which kinds there "
    "could be; that this one is missing is noticed at the first tensor, far from here.",
)
def takes_whatever(name, available):
    return torch.device(name) if name else best_device_of(available)


@wrong(
    "request-one-too-high",
    replaces="requested_device",
    says="cuda:2 was accepted where there are two devices: their numbers are 0 and 1.",
)
def one_too_high(name, available):
    if name is None:
        return best_device_of(available)
    kind, _, number = name.partition(":")
    count = {**available, "cpu": 1}.get(kind, 0)
    if not count or int(number or 0) > count:
        raise ValueError(f"{name} is not there")
    return torch.device(name)


@wrong(
    "request-one-too-high-of-none",
    replaces="requested_device",
    says="A number as large as the count went through: of two devices the numbers are 0 and 1, so that cuda:2 is one "
    "too high, and where there is none cuda, number 0, is too.",
)
def one_too_high_of_none(name, available):
    if name is None:
        return best_device_of(available)
    kind, _, number = name.partition(":")
    if int(number or 0) > {**available, "cpu": 1}.get(kind, 0):
        raise ValueError(f"{name} is not there")
    return torch.device(name)


@wrong(
    "request-kind-alone",
    replaces="requested_device",
    says="Only the kind was looked at: a number that no device has goes through.",
)
def kind_alone(name, available):
    if name is None:
        return best_device_of(available)
    if not {**available, "cpu": 1}.get(name.partition(":")[0]):
        raise ValueError(f"{name} is not there")
    return torch.device(name)


@wrong(
    "request-key-alone",
    replaces="requested_device",
    says="It was only asked whether `available` names the kind. It may name one of which there are 0 devices, and a "
    "number may be too high for those that there are: compare with the count.",
)
def key_alone(name, available):
    if name is None:
        return best_device_of(available)
    if name.partition(":")[0] not in {**available, "cpu": 1}:
        raise ValueError(f"{name} is not there")
    return torch.device(name)


@wrong(
    "request-named-is-not-there",
    replaces="requested_device",
    says="A kind that `available` names with 0 devices was let through. That it is named says only that somebody "
    "counted: a kind without a number needs one device at least.",
)
def named_with_none(name, available):
    if name is None:
        return best_device_of(available)
    kind, _, number = name.partition(":")
    if kind not in {**available, "cpu": 1} or (number and int(number) >= {**available, "cpu": 1}[kind]):
        raise ValueError(f"{name} is not there")
    return torch.device(name)


@wrong(
    "request-key-must-be-there",
    replaces="requested_device",
    says="A kind that `available` does not name was looked up with [], which raises KeyError. There is none of it: "
    "available.get(kind, 0), and ValueError. The CPU alone is always there, named or not.",
)
def kind_must_be_named(name, available):
    if name is None:
        return best_device_of(available)
    kind, _, number = name.partition(":")
    if int(number or 0) >= available[kind]:
        raise ValueError(f"{name} is not there")
    return torch.device(name)


@wrong(
    "request-number-lost",
    replaces="requested_device",
    says="The number of the device is lost: cuda alone is the current one, number 0, whichever was asked for.",
)
def number_lost(name, available):
    if name is None:
        return best_device_of(available)
    kind, _, number = name.partition(":")
    if int(number or 0) >= {**available, "cpu": 1}.get(kind, 0):
        raise ValueError(f"{name} is not there")
    return torch.device(kind)


@wrong(
    "request-cpu-must-be-counted",
    replaces="requested_device",
    says="The CPU was refused because `available` does not name it. It is always there.",
)
def cpu_must_be_counted(name, available):
    if name is None:
        return best_device_of(available)
    kind, _, number = name.partition(":")
    if int(number or 0) >= available.get(kind, 0):
        raise ValueError(f"{name} is not there")
    return torch.device(name)


@wrong(
    "request-error-without-the-name",
    replaces="requested_device",
    says="The error does not say which device was asked for. Whoever reads it in a log needs the name.",
)
def error_without_the_name(name, available):
    if name is None:
        return best_device_of(available)
    kind, _, number = name.partition(":")
    if int(number or 0) >= {**available, "cpu": 1}.get(kind, 0):
        raise ValueError("this device does not exist on this machine")
    return torch.device(name)


@wrong(
    "request-always-the-best",
    replaces="requested_device",
    says="The best device came back though another was asked for by name. Somebody who asks for the CPU has a reason.",
    fact="09.3",
)
def always_the_best(name, available):
    kind, _, number = (name or "cpu").partition(":")
    if int(number or 0) >= {**available, "cpu": 1}.get(kind, 0):
        raise ValueError(f"{name} is not there")
    return best_device_of(available)


@wrong(
    "request-none-is-the-cpu",
    replaces="requested_device",
    says="The CPU came back for None, which asks for the best device that is there.",
)
def none_is_the_cpu(name, available):
    return requested(name or "cpu", available)


@wrong(
    "request-none-is-no-string",
    replaces="requested_device",
    says="None was treated as a name, and has no methods of strings: ask for it first.",
)
def none_is_no_string(name, available):
    return requested(name.partition(":")[0] and name, available)


@wrong(
    "request-number-added",
    replaces="requested_device",
    says="cuda became cuda:0. The device of that name is asked for, and the two are not equal.",
)
def number_added(name, available):
    found = requested(name, available)
    return torch.device(found.type, found.index or 0) if name else found


@wrong(
    "request-unknown-kind-left-to-torch",
    replaces="requested_device",
    says="torch.device refuses a kind that nobody knows with a RuntimeError; ValueError is asked for all that is not "
    "there.",
)
def unknown_kind_left_to_torch(name, available):
    torch.device(name or "cpu")
    return requested(name, available)


@wrong(
    "request-bare-kind-needs-none",
    replaces="requested_device",
    says="A kind without a number was let through where there is no device of it: it needs one at least.",
)
def bare_kind_needs_none(name, available):
    return torch.device(name) if name == "cuda" else requested(name, available)


# ---- bring


@wrong(
    "bring-to-without-assignment",
    replaces="bring",
    says="X and y came back where they were. A tensor's .to leaves the tensor and gives another: X = X.to(device). "
    "Only a module is moved in place.",
    fact="09.4",
)
def to_without_assignment(model, X, y, device):
    model.to(device)
    X.to(device)
    y.to(device)
    return X, y


@wrong(
    "bring-y-forgotten",
    replaces="bring",
    says="X was brought, y was not. The loss will meet outputs on the one device and targets on the other.",
)
def y_forgotten(model, X, y, device):
    model.to(device)
    return X.to(device), y


@wrong(
    "bring-model-left-behind",
    replaces="bring",
    says="The batch was brought, the model itself was not: its parameters stay where every module is made, on the CPU.",
    fact="09.1",
)
def model_left_behind(model, X, y, device):
    copy.deepcopy(model).to(device)
    return X.to(device), y.to(device)


@wrong(
    "bring-buffers-left-behind",
    replaces="bring",
    says="The parameters were moved one by one, and the buffers, batch norm's running statistics, were forgotten. "
    "model.to(device) moves all of both.",
)
def buffers_left_behind(model, X, y, device):
    for parameter in model.parameters():
        parameter.data = parameter.data.to(device)
    return X.to(device), y.to(device)


@wrong(
    "bring-new-parameters",
    replaces="bring",
    says="The model has new Parameters now. An optimizer that was made before holds the old ones, and would step on "
    "those: model.to(device) keeps the objects and changes what they hold.",
    fact="09.4",
)
def new_parameters(model, X, y, device):
    for module in model.modules():
        for name, parameter in list(module.named_parameters(recurse=False)):
            setattr(module, name, nn.Parameter(parameter.detach().to(device, copy=True)))
    model.to(device)
    return X.to(device), y.to(device)


@wrong(
    "bring-x-forgotten",
    replaces="bring",
    says="y was brought, X was not. The model's first layer will meet inputs on another device.",
)
def x_forgotten(model, X, y, device):
    model.to(device)
    return X, y.to(device)


@wrong(
    "bring-the-callers-own",
    replaces="bring",
    says="The caller's own X and y were moved: with .data the same tensor is given other memory. X.to(device) makes "
    "another tensor and leaves theirs where it is.",
)
def the_callers_own(model, X, y, device):
    model.to(device)
    X.data, y.data = X.data.to(device), y.data.to(device)
    return X, y


@wrong(
    "bring-cuda-written-in",
    replaces="bring",
    says="cuda alone, as in .cuda() or device.type, is the first GPU, whichever was asked for, and an error where "
    "there "
    "is none. .to(device) goes wherever it is told.",
)
def cuda_written_in(model, X, y, device):
    return model.cuda() and (X.cuda(), y.cuda())


# ---- trainable


@wrong(
    "trainable-moved-later",
    replaces="trainable",
    says="This tensor is not a leaf: it is the result of an operation on one that requires a gradient, as .to is one, "
    "and .grad is filled on that first one alone. Make it on the device, and require the gradient last.",
    fact="09.4",
)
def moved_later(values, device):
    return torch.tensor(values, requires_grad=True).to(device)


@wrong(
    "trainable-on-the-cpu",
    replaces="trainable",
    says="The tensor lies on the CPU, as each that is made without device=.",
)
def on_the_cpu(values, device):
    return torch.tensor(values, requires_grad=True)


@wrong(
    "trainable-requires-nothing",
    replaces="trainable",
    says="The tensor requires no gradient: no backward pass would reach it.",
)
def requires_nothing(values, device):
    return torch.tensor(values, device=device)


@wrong(
    "trainable-on-the-first-gpu",
    replaces="trainable",
    says="The tensor is made on the first GPU, whichever device was asked for: cuda alone, or device.type, knows no "
    "number.",
)
def on_the_first_gpu(values, device):
    return torch.tensor(values, device="cuda", requires_grad=True)


# ---- batch_to


def moved(batch, device, dicts=True, named=True, strings=False, lists=list, tuples=tuple):
    """Right, but for what is switched off."""
    again = lambda value: moved(value, device, dicts, named, strings, lists, tuples)  # noqa: E731
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if isinstance(batch, dict):
        return {key: again(value) for key, value in batch.items()} if dicts else batch
    if isinstance(batch, tuple) and hasattr(batch, "_fields"):
        return type(batch)(*map(again, batch)) if named else tuples(map(again, batch))
    if isinstance(batch, list):
        return lists(map(again, batch))
    if isinstance(batch, tuple):
        return tuples(map(again, batch))
    return batch


@wrong(
    "batch-namedtuple-becomes-tuple",
    replaces="batch_to",
    says="A namedtuple came back as a plain tuple: batch.image is gone. type(batch)(*parts) makes one of its own type.",
)
def namedtuple_becomes_tuple(batch, device):
    return moved(batch, device, named=False)


@wrong(
    "batch-namedtuple-of-a-generator",
    replaces="batch_to",
    says="A namedtuple takes its fields one by one, not as one iterable: type(batch)(*parts), with the star.",
)
def namedtuple_of_a_generator(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if isinstance(batch, dict):
        return {key: namedtuple_of_a_generator_again(value, device) for key, value in batch.items()}
    if isinstance(batch, (list, tuple)):
        return type(batch)(namedtuple_of_a_generator_again(value, device) for value in batch)
    return batch


def namedtuple_of_a_generator_again(batch, device):
    return batch_to(batch, device)  # noqa: F821 - the entry itself


@wrong(
    "batch-tuple-becomes-list",
    replaces="batch_to",
    says="A tuple came back as a list. Whoever unpacks it may not notice, whoever hashes it or asks for its type does.",
)
def tuple_becomes_list(batch, device):
    return moved(batch, device, tuples=list)


@wrong(
    "batch-list-becomes-tuple",
    replaces="batch_to",
    says="A list came back as a tuple, which nobody can append to.",
)
def list_becomes_tuple(batch, device):
    return moved(batch, device, lists=tuple)


@wrong(
    "batch-first-level-alone",
    replaces="batch_to",
    says="Only tensors of the first level were moved. What is nested deeper stayed on the CPU: the function has to "
    "call itself on each part.",
)
def first_level_alone(batch, device):
    def there(value):
        return value.to(device) if isinstance(value, torch.Tensor) else copy.deepcopy(value)

    if isinstance(batch, dict):
        return {key: there(value) for key, value in batch.items()}
    if isinstance(batch, tuple) and hasattr(batch, "_fields"):
        return type(batch)(*map(there, batch))
    return type(batch)(map(there, batch)) if isinstance(batch, (list, tuple)) else there(batch)


@wrong(
    "batch-dicts-passed-over",
    replaces="batch_to",
    says="Tensors in a dict stayed where they were: a dict is a batch too, and its values are to be moved.",
)
def dicts_passed_over(batch, device):
    return moved(batch, device, dicts=False)


@wrong(
    "batch-everything-has-to",
    replaces="batch_to",
    says=".to was called on something that is no tensor: strings, numbers and None go along in a batch, and are left "
    "as they are.",
)
def everything_has_to(batch, device):
    if isinstance(batch, (dict, list, tuple)):
        return moved_or_to(batch, device)
    return batch.to(device)


def moved_or_to(batch, device):
    if isinstance(batch, dict):
        return {key: batch_to(value, device) for key, value in batch.items()}  # noqa: F821 - the entry itself
    parts = [batch_to(value, device) for value in batch]  # noqa: F821
    return type(batch)(*parts) if hasattr(batch, "_fields") else type(batch)(parts)


@wrong(
    "batch-numbers-become-tensors",
    replaces="batch_to",
    says="A number became a tensor. Only what is a tensor already is moved, all else is left as it is.",
)
def numbers_become_tensors(batch, device):
    if isinstance(batch, (dict, list, tuple)):
        return moved_or_to(batch, device)
    return torch.as_tensor(batch, device=device) if not isinstance(batch, (str, type(None))) else batch


@wrong(
    "batch-changed-in-place",
    replaces="batch_to",
    says="The caller's own dicts and lists were changed: they now hold the tensors on the device. Build new ones.",
)
def changed_in_place(batch, device):
    if isinstance(batch, (dict, list)):
        for key, value in list(batch.items() if isinstance(batch, dict) else enumerate(batch)):
            batch[key] = batch_to(value, device)  # noqa: F821 - the entry itself
        return batch
    if isinstance(batch, tuple):
        return moved_or_to(batch, device)
    return moved(batch, device)


@wrong(
    "batch-lists-changed-in-place",
    replaces="batch_to",
    says="The caller's own lists were changed: they now hold the tensors on the device. Build new ones.",
)
def lists_changed_in_place(batch, device):
    if isinstance(batch, list):
        for i, value in enumerate(batch):
            batch[i] = batch_to(value, device)  # noqa: F821 - the entry itself
        return batch
    return moved_or_to(batch, device) if holds(batch) else moved(batch, device)


@wrong(
    "batch-same-as-before",
    replaces="batch_to",
    says="The tensors were not moved: .to gives another tensor, and the batch that comes back must be built of those.",
)
def same_as_before(batch, device):
    moved(batch, device)
    return copy.deepcopy(batch)


@wrong(
    "batch-lists-passed-over",
    replaces="batch_to",
    says="Tensors in a list stayed where they were: a list is a batch too, and each of its parts is to be moved.",
)
def lists_passed_over(batch, device):
    return batch if isinstance(batch, list) else moved_or_to(batch, device) if holds(batch) else moved(batch, device)


@wrong(
    "batch-tuples-passed-over",
    replaces="batch_to",
    says="Tensors in a tuple stayed where they were: it cannot be changed, but another can be built of what is moved.",
)
def tuples_passed_over(batch, device):
    return batch if isinstance(batch, tuple) else moved_or_to(batch, device) if holds(batch) else moved(batch, device)


def holds(batch):
    return isinstance(batch, (dict, list, tuple))


@wrong(
    "batch-keys-in-another-order",
    replaces="batch_to",
    says="The keys of a dict came back in another order.",
)
def keys_in_another_order(batch, device):
    if isinstance(batch, dict):
        return {key: batch_to(batch[key], device) for key in sorted(batch, key=str)}  # noqa: F821 - the entry itself
    return moved_or_to(batch, device) if holds(batch) else moved(batch, device)


@wrong(
    "batch-of-a-string-its-letters",
    replaces="batch_to",
    says="A string was taken for a nest, because one can loop over it, and came back in letters.",
)
def of_a_string_its_letters(batch, device):
    if isinstance(batch, str):
        return list(batch)
    return moved_or_to(batch, device) if holds(batch) else moved(batch, device)


@wrong(
    "batch-on-the-first-gpu",
    replaces="batch_to",
    says="The tensors go to the first GPU, whichever device was asked for: .cuda() and device.type know no number.",
)
def all_on_the_first_gpu(batch, device):
    return moved(batch, "cuda")


# ---- mask_future


@wrong(
    "v02-new-tensor-cpu",
    replaces="mask_future",
    says="The mask was made without device=, and so on the CPU, and may not meet scores that lie elsewhere. On a "
    "machine without a GPU nobody notices. device=scores.device makes it fit wherever that is.",
    fact="09.1",
)
def new_tensor_cpu(scores):
    n = scores.shape[-1]
    return scores.masked_fill(torch.ones(n, n, dtype=torch.bool).triu(1), -torch.inf)


@wrong(
    "mask-on-cuda-always",
    replaces="mask_future",
    says="The mask was made on the first GPU, which is what cuda alone stands for, and .cuda() and device.type too. "
    "Where the scores lie on another device, or there is no GPU, it fails: device=scores.device.",
)
def on_cuda_always(scores):
    n = scores.shape[-1]
    return scores.masked_fill(torch.ones(n, n, dtype=torch.bool, device="cuda").triu(1), -torch.inf)


@wrong(
    "mask-scores-to-the-cpu",
    replaces="mask_future",
    says="The scores were brought to the mask, to the CPU, and the result lies there. Large things stay where they "
    "are; what is small and new is made beside them.",
)
def scores_to_the_cpu(scores):
    n = scores.shape[-1]
    return scores.cpu().masked_fill(torch.ones(n, n, dtype=torch.bool).triu(1), -torch.inf)


@wrong(
    "mask-hides-the-present",
    replaces="mask_future",
    says="The diagonal is masked too: no position sees itself, and the first sees nothing at all. The future begins "
    "one to the right, diagonal=1.",
)
def hides_the_present(scores):
    future = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).triu()
    return scores.masked_fill(future, -torch.inf)


@wrong(
    "mask-hides-the-past",
    replaces="mask_future",
    says="The past is masked, and the future can be seen: the columns right of the diagonal are the later positions.",
)
def hides_the_past(scores):
    past = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).tril(-1)
    return scores.masked_fill(past, -torch.inf)


@wrong(
    "mask-with-zero",
    replaces="mask_future",
    says="Later positions have the score 0. softmax gives that a share like any other; only -inf becomes 0.",
)
def with_zero(scores):
    return scores.tril()


@wrong(
    "mask-changes-the-dtype",
    replaces="mask_future",
    says="The dtype changed: the mask is float32, and the sum has the wider dtype of the two. dtype=scores.dtype "
    "beside device=scores.device, or a mask of bools.",
)
def changes_the_dtype(scores):
    n = scores.shape[-1]
    out = scores + torch.full((n, n), -torch.inf, device=scores.device).triu(1)
    return out.float() if scores.dtype == torch.float64 else out


@wrong(
    "mask-in-the-callers-scores",
    replaces="mask_future",
    says="The caller's own scores were masked: masked_fill_ with an underscore works in place.",
)
def in_the_callers(scores):
    future = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).triu(1)
    return scores.masked_fill_(future, -torch.inf)


@wrong(
    "mask-added-from-the-cpu",
    replaces="mask_future",
    says="The mask was made on the CPU and added to scores that may lie elsewhere. On a machine without a GPU nobody "
    "notices. device=scores.device makes it fit wherever that is.",
    fact="09.1",
)
def added_from_the_cpu(scores):
    n = scores.shape[-1]
    return scores + torch.full((n, n), -torch.inf, dtype=scores.dtype).triu(1)


@wrong(
    "mask-read-the-other-way",
    replaces="mask_future",
    says="What may be seen is masked, the past and the present, and the future is left: masked_fill fills where the "
    "mask is True.",
)
def read_the_other_way(scores):
    seen = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).tril()
    return scores.masked_fill(seen, -torch.inf)


@wrong(
    "mask-with-minus-a-billion",
    replaces="mask_future",
    says="Later positions have the score -1e9, where -inf is asked; float16 has no such number at all.",
)
def with_minus_a_billion(scores):
    future = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).triu(1)
    return scores.masked_fill(future, -1e9)


@wrong(
    "mask-multiplied",
    replaces="mask_future",
    says="The mask was multiplied by -inf, and 0 times inf is NaN: the scores that should stay are lost. Fill, or add "
    "a "
    "matrix that was made of -inf.",
)
def multiplied(scores):
    n = scores.shape[-1]
    return scores + torch.ones(n, n, dtype=scores.dtype, device=scores.device).triu(1) * -torch.inf


@wrong(
    "mask-of-a-matrix-alone",
    replaces="mask_future",
    says="The first two dimensions were taken for row and column, which they are in a single matrix alone. Batches and "
    "heads come before: count from the end, out[..., i, i + 1:].",
)
def of_a_matrix_alone(scores):
    out = scores.clone()
    for i in range(scores.shape[-1]):
        out[i, i + 1 :] = -torch.inf
    return out


@wrong(
    "mask-rows-of-the-first-dimension",
    replaces="mask_future",
    says="The first two dimensions were taken for row and column, and the first for the length, which they are in a "
    "single matrix alone. Batches and heads come before: shape[-1], and out[..., i, i + 1:].",
)
def rows_of_the_first_dimension(scores):
    out = scores.clone()
    for i in range(scores.shape[0]):
        out[i, i + 1 :] = -torch.inf
    return out


@wrong(
    "mask-length-of-the-first-dimension",
    replaces="mask_future",
    says="The mask is as long as the first dimension, which is the length in a single matrix alone. Batches and heads "
    "come before: shape[-1].",
)
def length_of_the_first_dimension(scores):
    n = scores.shape[0]
    return scores.masked_fill(torch.ones(n, n, dtype=torch.bool, device=scores.device).triu(1), -torch.inf)


@wrong(
    "mask-length-unpacked",
    replaces="mask_future",
    says="The shape was unpacked into two numbers, as of a single matrix. Batches and heads come before: shape[-1] is "
    "the length, with any number of dimensions.",
)
def length_unpacked(scores):
    n, _ = scores.shape
    return scores.masked_fill(torch.ones(n, n, dtype=torch.bool, device=scores.device).triu(1), -torch.inf)


# ---- Standardize


@wrong(
    "standardize-plain-attributes",
    replaces="Standardize",
    says="mean and std are plain attributes. The module does not know them as its own: they are not saved, and stay "
    "on the CPU when it moves (each call may bring them along, and copies them each time). register_buffer makes them "
    "part of it.",
    fact="09.4",
)
class PlainAttributes(nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        self.mean, self.std = mean, std

    def forward(self, x):
        return (x - self.mean) / self.std


@wrong(
    "standardize-trained",
    replaces="Standardize",
    says="mean and std are Parameters: they move, but are counted among what is to be trained, with "
    "requires_grad=False "
    "too. What is fixed is a buffer.",
)
class Trained(nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        self.mean, self.std = nn.Parameter(mean), nn.Parameter(std)

    def forward(self, x):
        return (x - self.mean) / self.std


@wrong(
    "standardize-not-saved",
    replaces="Standardize",
    says="The buffers move, but persistent=False keeps them out of the state_dict: after loading they would be "
    "whatever the module was made with.",
)
class NotSaved(nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        self.register_buffer("mean", mean, persistent=False)
        self.register_buffer("std", std, persistent=False)

    def forward(self, x):
        return (x - self.mean) / self.std


@wrong(
    "standardize-divides-first",
    replaces="Standardize",
    says="That is x / std - mean. The mean is of x as it comes: subtract it first, then divide.",
)
class DividesFirst(nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        self.register_buffer("mean", mean)
        self.register_buffer("std", std)

    def forward(self, x):
        return x / self.std - self.mean


@wrong(
    "standardize-changes-x",
    replaces="Standardize",
    says="The caller's x was changed: -= and /= write into the tensor that was handed in.",
)
class ChangesX(nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        self.register_buffer("mean", mean)
        self.register_buffer("std", std)

    def forward(self, x):
        x -= self.mean
        x /= self.std
        return x


@wrong(
    "standardize-other-names",
    replaces="Standardize",
    says="The buffers have other names than mean and std, under which a checkpoint looks for them.",
)
class OtherNames(nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        self.register_buffer("mu", mean)
        self.register_buffer("sigma", std)

    def forward(self, x):
        return (x - self.mu) / self.sigma


@wrong(
    "standardize-mean-alone",
    replaces="Standardize",
    says="mean is a buffer, std is a plain attribute: it is not saved, and stays on the CPU when the module moves.",
    fact="09.4",
)
class MeanAlone(nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        self.register_buffer("mean", mean)
        self.std = std

    def forward(self, x):
        return (x - self.mean) / self.std


@wrong(
    "standardize-by-the-batch",
    replaces="Standardize",
    says="The batch's own mean and std were taken: the fixed ones, handed to the module, are asked.",
)
class ByTheBatch(nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        self.register_buffer("mean", mean)
        self.register_buffer("std", std)

    def forward(self, x):
        return (x - x.mean(0)) / x.std(0)


# ---- as_array


@wrong(
    "v05-nonblocking-d2h",
    replaces="as_array",
    says="A copy to the CPU was not waited for: with non_blocking=True the call returns before the numbers have "
    "arrived, and NumPy may read what was in that memory before. The plain .cpu() waits.",
)
def nonblocking_d2h(outputs):
    return torch.cat(list(outputs)).detach().to("cpu", non_blocking=True).numpy()


@wrong(
    "array-still-on-the-device",
    replaces="as_array",
    says="NumPy was asked for a tensor on another device, which it cannot read: .cpu() first.",
)
def still_on_the_device(outputs):
    return torch.cat(list(outputs)).detach().numpy()


@wrong(
    "array-still-in-the-graph",
    replaces="as_array",
    says="NumPy was asked for a tensor that is part of a graph, which it would leave unnoticed: .detach() first.",
)
def still_in_the_graph(outputs):
    return torch.cat(list(outputs)).cpu().numpy()


@wrong(
    "array-is-a-tensor",
    replaces="as_array",
    says="The tensor is on the CPU and out of its graph, but it is no NumPy array yet: .numpy().",
)
def is_a_tensor(outputs):
    return torch.cat(list(outputs)).detach().cpu()


@wrong(
    "array-of-the-last-batch",
    replaces="as_array",
    says="Those are the outputs of the last batch alone.",
)
def of_the_last_batch(outputs):
    return outputs[-1].detach().cpu().numpy()


@wrong(
    "array-with-an-axis-for-batches",
    replaces="as_array",
    says="The batches were stacked along a new axis, which fails where the last one is smaller: put them one after the "
    "other along the first.",
)
def with_an_axis_for_batches(outputs):
    return numpy.stack([output.detach().cpu().numpy() for output in outputs])


@wrong(
    "array-stacked",
    replaces="as_array",
    says="torch.stack puts the batches along a new axis, which fails where they are of unequal size: torch.cat puts "
    "them one after the other along the first.",
)
def stacked(outputs):
    return torch.stack(list(outputs)).detach().cpu().numpy()


@wrong(
    "array-of-arrays",
    replaces="as_array",
    says="An array of arrays has a new axis for the batches, which fails where the last one is smaller: torch.cat or "
    "numpy.concatenate put them one after the other.",
)
def of_arrays(outputs):
    return numpy.array([output.detach().cpu().numpy() for output in outputs])


@wrong(
    "array-in-float32",
    replaces="as_array",
    says="The array is float32 where the outputs are float64: leave them as they come.",
)
def in_float32(outputs):
    return torch.cat(list(outputs)).detach().float().cpu().numpy()
