"""Wrong answers to katas/08_persistence/safety.py."""

import dataclasses
import pickle
import pickletools
import re
import zipfile
from pathlib import Path

import torch

from torchkatas.bank import wrong


@wrong(
    "weights-only-off",
    replaces="read_weights",
    says="A file with code was read, and its code was run: with weights_only=False, be it at once or as a second try "
    "after a refusal, a pickle may call any function, and does so before you can look at what came out.",
    fact="05.19",
)
def read_everything(path):
    return torch.load(path, weights_only=False)


@wrong(
    "weights-checked-afterwards",
    replaces="read_weights",
    says="The file was read whole and checked afterwards. The check finds what it should, too late: the code ran "
    "while the file was read.",
    fact="05.19",
)
def check_afterwards(path):
    state = torch.load(path, weights_only=False)
    if not isinstance(state, dict) or not all(isinstance(value, torch.Tensor) for value in state.values()):
        raise pickle.UnpicklingError("not a state dict")
    return state


@wrong(
    "weights-none-for-refused",
    replaces="read_weights",
    says="The refusal was swallowed, and an empty dict came back in its place: with strict=False a model would take "
    "it without a word, and predict with random weights.",
    fact="05.19",
)
def nothing_for_refused(path):
    try:
        return torch.load(path, weights_only=True)
    except pickle.UnpicklingError:
        return {}


@wrong(
    "weights-by-pickle",
    replaces="read_weights",
    says="pickle.load cannot read an archive of torch.save, and of a bare pickle it runs all the code. "
    "torch.load(path, weights_only=True) reads both kinds, and runs none.",
    fact="05.19",
)
def read_by_pickle(path):
    with open(path, "rb") as file:
        return pickle.load(file)


@wrong(
    "p04-weights-only-extras",
    replaces="save_run",
    says="The file was refused: beside the weights it holds objects of classes such as Namespace or NumPy's numbers, "
    "and asks for their code. Save plain dicts, strings and Python numbers; weights_only=False in every reader is no "
    "way out.",
    fact="05.19",
)
def save_as_they_are(path, weights, config, metrics):
    torch.save({"weights": weights, "config": config, "metrics": metrics}, path)


@wrong(
    "run-with-numpy-numbers",
    replaces="save_run",
    says="The file was refused for a NumPy number: np.float64 prints like a float and is a class of NumPy's. item() "
    "gives Python's own number.",
    fact="05.19",
)
def save_numpy(path, weights, config, metrics):
    settings = {name: str(value) if isinstance(value, Path) else value for name, value in vars(config).items()}
    torch.save({"weights": weights, "config": settings, "metrics": dict(metrics)}, path)


@wrong(
    "run-with-a-path",
    replaces="save_run",
    says="The file was refused for a Path: what vars() gives of a Namespace is a plain dict, its values are what they "
    "are. A Path becomes a str.",
    fact="05.19",
)
def save_paths(path, weights, config, metrics):
    results = {name: value.item() for name, value in metrics.items()}
    torch.save({"weights": weights, "config": dict(vars(config)), "metrics": results}, path)


@wrong(
    "run-config-as-text",
    replaces="save_run",
    says="The settings are text now, numbers and all: nobody can read 0.125 or True back out of them without parsing. "
    "Only a Path becomes a str.",
)
def save_texts(path, weights, config, metrics):
    settings = {name: str(value) for name, value in vars(config).items()}
    torch.save({"weights": weights, "config": settings, "metrics": {n: v.item() for n, v in metrics.items()}}, path)


@wrong(
    "run-metrics-all-float",
    replaces="save_run",
    says="A count became a float: integers of NumPy are to be Python ints. item() gives the kind that fits.",
)
def save_floats(path, weights, config, metrics):
    settings = {name: str(value) if isinstance(value, Path) else value for name, value in vars(config).items()}
    torch.save({"weights": weights, "config": settings, "metrics": {n: float(v) for n, v in metrics.items()}}, path)


@wrong(
    "run-float32-cut-to-int",
    replaces="save_run",
    says="A loss of 0.12 became 0: np.float64 is a Python float as well, np.float32 and np.float16 are not, and what "
    "is no float was taken for a whole number. item() gives the kind that fits, of each size.",
)
def cut_float32(path, weights, config, metrics):
    settings = {name: str(value) if isinstance(value, Path) else value for name, value in vars(config).items()}
    results = {name: float(value) if isinstance(value, float) else int(value) for name, value in metrics.items()}
    torch.save({"weights": weights, "config": settings, "metrics": results}, path)


@wrong(
    "run-metrics-rounded",
    replaces="save_run",
    says="The results are not those that were measured: they were rounded on the way into the file.",
)
def save_rounded(path, weights, config, metrics):
    settings = {name: str(value) if isinstance(value, Path) else value for name, value in vars(config).items()}
    results = {n: round(v.item(), 4) for n, v in metrics.items()}
    torch.save({"weights": weights, "config": settings, "metrics": results}, path)


@wrong(
    "run-changes-the-config",
    replaces="save_run",
    says="The file is right, but the Namespace has changed: vars() gives its own dict, not a copy, and a Path that is "
    "replaced there is a str for the rest of the program.",
)
def save_and_change(path, weights, config, metrics):
    settings = vars(config)
    for name, value in settings.items():
        if isinstance(value, Path):
            settings[name] = str(value)
    torch.save({"weights": weights, "config": settings, "metrics": {n: v.item() for n, v in metrics.items()}}, path)


def only_dataclasses(classes):
    for thing in classes:
        if not (isinstance(thing, type) and dataclasses.is_dataclass(thing)):
            raise ValueError(f"{thing} is no dataclass")


@wrong(
    "allowed-for-good",
    replaces="load_with",
    says="The classes are still allowed after the call: from now on every file that this program reads may build "
    "them. What is added for one file is to be taken off again.",
    fact="05.19",
)
def allow_for_good(path, classes):
    only_dataclasses(classes)
    torch.serialization.add_safe_globals(list(classes))
    return torch.load(path, weights_only=True)


@wrong(
    "allowed-after-a-refusal",
    replaces="load_with",
    says="After a file that was refused the classes are still allowed: the error skipped the lines that take them "
    "off. They belong in a finally, or in a with block.",
    fact="05.19",
)
def allow_until_it_is_read(path, classes):
    only_dataclasses(classes)
    before = list(torch.serialization.get_safe_globals())
    torch.serialization.add_safe_globals(list(classes))
    loaded = torch.load(path, weights_only=True)
    torch.serialization.clear_safe_globals()
    torch.serialization.add_safe_globals(before)
    return loaded


@wrong(
    "allowed-list-cleared",
    replaces="load_with",
    says="What somebody else had allowed is gone: clear_safe_globals empties the whole list. Keep what "
    "get_safe_globals gave before, and put it back.",
)
def clear_the_list(path, classes):
    only_dataclasses(classes)
    torch.serialization.add_safe_globals(list(classes))
    try:
        return torch.load(path, weights_only=True)
    finally:
        torch.serialization.clear_safe_globals()


@wrong(
    "allowed-everything",
    replaces="load_with",
    says="The file's code was run: weights_only=False allows our class and all else. A list of what is allowed goes "
    "with weights_only=True.",
    fact="05.19",
)
def allow_everything(path, classes):
    only_dataclasses(classes)
    return torch.load(path, weights_only=False)


@wrong(
    "allowed-nothing",
    replaces="load_with",
    says="A file of ours was refused: nothing was added to the list of what torch.load allows before it was read.",
)
def allow_nothing(path, classes):
    only_dataclasses(classes)
    return torch.load(path, weights_only=True)


@wrong(
    "allowed-the-first-alone",
    replaces="load_with",
    says="Only the first of the classes was allowed, and the file asks for the second as well.",
)
def allow_the_first(path, classes):
    only_dataclasses(classes)
    before = list(torch.serialization.get_safe_globals())
    torch.serialization.add_safe_globals(list(classes[:1]))
    try:
        return torch.load(path, weights_only=True)
    finally:
        torch.serialization.clear_safe_globals()
        torch.serialization.add_safe_globals(before)


def loaded_with(path, classes):
    before = list(torch.serialization.get_safe_globals())
    torch.serialization.add_safe_globals(list(classes))
    try:
        return torch.load(path, weights_only=True)
    finally:
        torch.serialization.clear_safe_globals()
        torch.serialization.add_safe_globals(before)


@wrong(
    "allowed-functions",
    replaces="load_with",
    says="Whatever was handed in was allowed, functions too: a file may call what is on the list with arguments of "
    "its choice, so to allow a function is to let the file run it. Only dataclasses are to pass.",
)
def allow_anything(path, classes):
    return loaded_with(path, classes)


@wrong(
    "allowed-any-class",
    replaces="load_with",
    says="Functions were turned away, and every class was let through: calling a class can do anything as well, "
    "subprocess.Popen runs a program. Only dataclasses are to pass.",
)
def allow_any_class(path, classes):
    for thing in classes:
        if not isinstance(thing, type):
            raise ValueError(f"{thing} is no class")
    return loaded_with(path, classes)


@wrong(
    "allowed-what-passes",
    replaces="load_with",
    says="What is no dataclass was left out without a word, and a file that needs it is refused later, for a reason "
    "that the caller cannot see. Raise ValueError, with its name, before the file is opened.",
)
def allow_what_passes(path, classes):
    return loaded_with(path, [c for c in classes if isinstance(c, type) and dataclasses.is_dataclass(c)])


@wrong(
    "allowed-refused-without-a-name",
    replaces="load_with",
    says="A ValueError, but its text does not say which of the classes is meant: put it into the message.",
)
def refuse_without_a_name(path, classes):
    if not all(isinstance(c, type) and dataclasses.is_dataclass(c) for c in classes):
        raise ValueError("not a dataclass")
    return loaded_with(path, classes)


@wrong(
    "asks-by-loading",
    replaces="asks_for",
    says="The file's code ran: it was loaded in order to see what it asks for. A pickle's opcodes can be listed, by "
    "pickletools.genops, without a single call.",
    fact="05.19",
)
def ask_by_loading(path):
    torch.load(path, weights_only=False)
    return asks_for_names(path)


def asks_for_names(path):
    with zipfile.ZipFile(path) as archive:
        (member,) = (name for name in archive.namelist() if name.endswith("/data.pkl"))
        opcodes = pickletools.genops(archive.read(member))
        return sorted({argument.replace(" ", ".") for opcode, argument, _ in opcodes if opcode.name == "GLOBAL"})


@wrong(
    "asks-in-one-folder-alone",
    replaces="asks_for",
    says="There is no such member: torch calls the archive's folder after the file, or `archive`, as it likes. Look "
    "for the name that ends in /data.pkl in the archive's namelist().",
)
def ask_in_one_folder(path):
    with zipfile.ZipFile(path) as archive:
        opcodes = pickletools.genops(archive.read("archive/data.pkl"))
        return sorted({argument.replace(" ", ".") for opcode, argument, _ in opcodes if opcode.name == "GLOBAL"})


@wrong(
    "asks-in-the-folder-of-its-name",
    replaces="asks_for",
    says="There is no such member: the archive's folder has the name that the file had when it was written, and files "
    "are renamed. Look for the name that ends in /data.pkl in the archive's namelist().",
)
def ask_in_the_folder_of_its_name(path):
    with zipfile.ZipFile(path) as archive:
        opcodes = pickletools.genops(archive.read(f"{path.stem}/data.pkl"))
        return sorted({argument.replace(" ", ".") for opcode, argument, _ in opcodes if opcode.name == "GLOBAL"})


@wrong(
    "asks-the-archive",
    replaces="asks_for",
    says="The file's bytes were read as a pickle. They are a zip archive; the pickle is a member of it, the one whose "
    "name ends in /data.pkl.",
)
def ask_the_archive(path):
    opcodes = pickletools.genops(path.read_bytes())
    return sorted({argument.replace(" ", ".") for opcode, argument, _ in opcodes if opcode.name == "GLOBAL"})


@wrong(
    "asks-with-the-space-left",
    replaces="asks_for",
    says="The argument of GLOBAL is told as it stands, the module, a space, and the name; a dot between them is asked.",
)
def ask_with_the_space(path):
    with zipfile.ZipFile(path) as archive:
        (member,) = (name for name in archive.namelist() if name.endswith("/data.pkl"))
        opcodes = pickletools.genops(archive.read(member))
        return sorted({argument for opcode, argument, _ in opcodes if opcode.name == "GLOBAL"})


@wrong(
    "asks-for-the-first",
    replaces="asks_for",
    says="Only the first name was told; what makes a file dangerous may come last.",
)
def ask_for_one(path):
    with zipfile.ZipFile(path) as archive:
        (member,) = (name for name in archive.namelist() if name.endswith("/data.pkl"))
        for opcode, argument, _ in pickletools.genops(archive.read(member)):
            if opcode.name == "GLOBAL":
                return [argument.replace(" ", ".")]
    return []


@wrong(
    "asks-for-the-refused-alone",
    replaces="asks_for",
    says="Only the names that torch.load would refuse are told, as get_unsafe_globals_in_checkpoint does; asked are "
    "all that the file asks for, torch's own included.",
)
def ask_for_the_refused(path):
    return [name for name in asks_for_names(path) if name.partition(".")[0] not in ("torch", "collections")]


@wrong(
    "asks-told-in-file-order",
    replaces="asks_for",
    says="The names are right, in the order of the file; alphabetical order is asked.",
)
def ask_in_order(path):
    with zipfile.ZipFile(path) as archive:
        (member,) = (name for name in archive.namelist() if name.endswith("/data.pkl"))
        opcodes = pickletools.genops(archive.read(member))
        return [argument.replace(" ", ".") for opcode, argument, _ in opcodes if opcode.name == "GLOBAL"]


@wrong(
    "asks-without-the-module",
    replaces="asks_for",
    says="The names lack their modules: mkdir could be anybody's, posix.mkdir is the one that makes a folder.",
)
def ask_without_module(path):
    with zipfile.ZipFile(path) as archive:
        (member,) = (name for name in archive.namelist() if name.endswith("/data.pkl"))
        opcodes = pickletools.genops(archive.read(member))
        return sorted({argument.split(" ")[1] for opcode, argument, _ in opcodes if opcode.name == "GLOBAL"})


@wrong(
    "asks-for-texts",
    replaces="asks_for",
    says="Texts that the file holds were taken for names that it asks for: only the argument of the opcode GLOBAL is "
    "one, a key or a string in a dict is not.",
)
def ask_for_texts(path):
    with zipfile.ZipFile(path) as archive:
        (member,) = (name for name in archive.namelist() if name.endswith("/data.pkl"))
        texts = (argument for _, argument, _ in pickletools.genops(archive.read(member)) if isinstance(argument, str))
        return sorted({text.replace(" ", ".") for text in texts if re.fullmatch(r"[\w.]+ \w+", text)})
