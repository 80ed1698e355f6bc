"""Other right answers to katas/08_persistence/checkpoints.py."""

# ruff: noqa: F821  # pack, read, resume and write are the solution's

import copy
import io
import os
import tempfile
from pathlib import Path

import torch

from torchkatas.bank import right

KEYS = ("model", "optimizer", "scheduler", "generator", "rng", "epoch")


@right(replaces="pack")
def pack_a_deep_copy(model, optimizer, scheduler, generator, epoch):
    parts = {"model": model, "optimizer": optimizer, "scheduler": scheduler}
    checkpoint = {name: copy.deepcopy(part.state_dict()) for name, part in parts.items()}
    checkpoint.update(generator=generator.get_state(), rng=torch.default_generator.get_state(), epoch=int(epoch))
    return checkpoint


@right(replaces="pack")
def pack_plain_dicts(model, optimizer, scheduler, generator, epoch):
    return {
        "epoch": epoch,
        "rng": torch.random.get_rng_state(),
        "generator": generator.get_state().clone(),
        "scheduler": dict(scheduler.state_dict()),
        "optimizer": dict(optimizer.state_dict()),
        "model": {name: tensor.detach().cpu() for name, tensor in model.state_dict().items()},
    }


@right(replaces="resume")
def resume_in_another_order(checkpoint, model, optimizer, scheduler, generator):
    torch.default_generator.set_state(checkpoint["rng"])
    generator.set_state(checkpoint["generator"].cpu())
    scheduler.load_state_dict(checkpoint["scheduler"])
    optimizer.load_state_dict(checkpoint["optimizer"])
    model.load_state_dict(checkpoint["model"], strict=True)
    return int(checkpoint["epoch"])


@right(replaces="resume")
def resume_in_a_loop(checkpoint, model, optimizer, scheduler, generator):
    for name, part in {"model": model, "optimizer": optimizer, "scheduler": scheduler}.items():
        part.load_state_dict(copy.deepcopy(checkpoint[name]))
    with torch.no_grad():
        generator.set_state(checkpoint["generator"])
    torch.random.set_rng_state(checkpoint["rng"])
    return checkpoint["epoch"]


@right(replaces="write")
def write_and_clean_on_the_way_out(checkpoint, path):
    beside = path.with_suffix(".tmp")
    try:
        torch.save(checkpoint, beside)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    try:
        beside.replace(path)
    except BaseException:
        os.remove(beside)
        raise


@right(replaces="write")
def write_with_fsync(checkpoint, path):
    beside = Path(f"{path}.{os.getpid()}.tmp")
    try:
        with open(beside, "wb") as file:
            torch.save(checkpoint, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    finally:
        if beside.exists():
            beside.unlink()


@right(replaces="write")
def write_through_memory(checkpoint, path):
    buffer = io.BytesIO()
    torch.save(checkpoint, buffer)
    beside = path.parent / ("." + path.name)
    try:
        beside.write_bytes(buffer.getbuffer())
        os.rename(beside, path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


@right(replaces="write")
def write_to_a_named_temporary_file(checkpoint, path):
    handle, name = tempfile.mkstemp(dir=path.parent, suffix=".pt")
    try:
        with os.fdopen(handle, "wb") as file:
            torch.save(checkpoint, file)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


@right(replaces="write")
def write_in_a_folder_of_its_own(checkpoint, path):
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        new = os.path.join(folder, path.name)
        torch.save(checkpoint, new)
        os.replace(new, path)


@right(replaces="read")
def read_after_a_look(path):
    if not path.exists():
        raise FileNotFoundError(path)
    try:
        checkpoint = torch.load(path, weights_only=True)
        missing = [key for key in KEYS if key not in dict.keys(checkpoint)]
    except Exception:
        raise ValueError(f"{path}: not a checkpoint") from None
    if missing:
        raise ValueError(f"{path} lacks {', '.join(missing)}")
    return checkpoint


@right(replaces="read")
def read_from_a_stream(path):
    with path.open("rb") as file:
        try:
            checkpoint = torch.load(file, weights_only=True, map_location=torch.device("cpu"))
            return {key: checkpoint[key] for key in KEYS}
        except Exception as error:
            raise ValueError(str(path), "cannot be read") from error


@right(replaces="train")
def train_with_a_while(one_epoch, epochs, path, model, optimizer, scheduler, generator):
    parts = (model, optimizer, scheduler, generator)
    try:
        done = resume(read(path), *parts)
    except FileNotFoundError:
        done = 0
    while done < epochs:
        one_epoch()
        scheduler.step()
        done += 1
        write(pack(*parts, epoch=done), path)


@right(replaces="train")
def train_by_index(one_epoch, epochs, path, model, optimizer, scheduler, generator):
    start = 0
    if path.is_file():
        start = resume(read(path), model=model, optimizer=optimizer, scheduler=scheduler, generator=generator)
    for epoch in range(epochs):
        if epoch >= start:
            one_epoch()
            scheduler.step()
            write(pack(model, optimizer, scheduler, generator, epoch=epoch + 1), path)
