"""Wrong answers to katas/08_persistence/checkpoints.py."""

# ruff: noqa: F821  # pack, read, resume and write are the solution's

import io
import os
import pickle
import shutil
import tempfile
from pathlib import Path

import torch

from torchkatas.bank import wrong


def packed(model, optimizer, scheduler, generator, epoch):
    return {
        "model": model.state_dict(),
        "optimizer": optimizer.state_dict(),
        "scheduler": scheduler.state_dict(),
        "generator": generator.get_state(),
        "rng": torch.get_rng_state(),
        "epoch": epoch,
    }


def taken_up(checkpoint, model, optimizer, scheduler, generator):
    model.load_state_dict(checkpoint["model"])
    optimizer.load_state_dict(checkpoint["optimizer"])
    scheduler.load_state_dict(checkpoint["scheduler"])
    generator.set_state(checkpoint["generator"])
    torch.set_rng_state(checkpoint["rng"])
    return checkpoint["epoch"]


@wrong(
    "pack-no-optimizer",
    replaces="pack",
    says="The optimizer's state is missing: momentum and Adam's running averages start from zero after a resume, and "
    "the steps are others.",
)
def pack_without_optimizer(model, optimizer, scheduler, generator, epoch):
    checkpoint = packed(model, optimizer, scheduler, generator, epoch)
    del checkpoint["optimizer"]
    return checkpoint


@wrong(
    "pack-no-scheduler",
    replaces="pack",
    says="The scheduler's state is missing: after a resume it counts its epochs from zero, and the learning rate "
    "follows another schedule.",
)
def pack_without_scheduler(model, optimizer, scheduler, generator, epoch):
    checkpoint = packed(model, optimizer, scheduler, generator, epoch)
    del checkpoint["scheduler"]
    return checkpoint


@wrong(
    "pack-no-streams",
    replaces="pack",
    says="No random stream is in the checkpoint: after a resume the examples come in another order and dropout drops "
    "other units.",
)
def pack_without_streams(model, optimizer, scheduler, generator, epoch):
    checkpoint = packed(model, optimizer, scheduler, generator, epoch)
    del checkpoint["generator"], checkpoint["rng"]
    return checkpoint


@wrong(
    "pack-no-global-stream",
    replaces="pack",
    says="The generator that shuffles is kept, torch's global stream is not: dropout draws from that one. "
    "torch.get_rng_state() is its state.",
)
def pack_without_rng(model, optimizer, scheduler, generator, epoch):
    checkpoint = packed(model, optimizer, scheduler, generator, epoch)
    del checkpoint["rng"]
    return checkpoint


@wrong(
    "pack-seed-for-state",
    replaces="pack",
    says="That is the seed with which the generator began; where it stands now is another thing. With the seed, the "
    "orders of the first epochs come again. get_state() is what set_state takes.",
)
def pack_the_seed(model, optimizer, scheduler, generator, epoch):
    return {**packed(model, optimizer, scheduler, generator, epoch), "generator": generator.initial_seed()}


@wrong(
    "pack-seed-of-the-global-stream",
    replaces="pack",
    says="That is the seed with which torch's global stream began; dropout has drawn from it since. get_rng_state() "
    "tells where it stands, and set_rng_state takes that back.",
)
def pack_with_the_global_seed(model, optimizer, scheduler, generator, epoch):
    return {**packed(model, optimizer, scheduler, generator, epoch), "rng": torch.initial_seed()}


@wrong(
    "pack-model-object",
    replaces="pack",
    says="The model itself stands in the checkpoint where its state dict is asked: the file asks for its class, "
    "weights_only=True refuses it, and it breaks when the class is moved or renamed.",
)
def pack_the_model(model, optimizer, scheduler, generator, epoch):
    return {**packed(model, optimizer, scheduler, generator, epoch), "model": model}


@wrong(
    "pack-optimizer-object",
    replaces="pack",
    says="The optimizer itself stands in the checkpoint where its state dict is asked: the file asks for its class, "
    "so weights_only=True refuses it, and it brings copies of the parameters that no model has.",
)
def pack_objects(model, optimizer, scheduler, generator, epoch):
    return {**packed(model, optimizer, scheduler, generator, epoch), "optimizer": optimizer}


@wrong(
    "pack-generator-object",
    replaces="pack",
    says="The generator itself stands in the checkpoint: a file of it cannot be written, or not be read with "
    "weights_only=True. get_state() gives its state, a tensor of bytes.",
)
def pack_the_generator(model, optimizer, scheduler, generator, epoch):
    return {**packed(model, optimizer, scheduler, generator, epoch), "generator": generator}


@wrong(
    "pack-momentum-left-out",
    replaces="pack",
    says="Of the optimizer only the settings are kept, its param_groups. Momentum and Adam's averages are in "
    '"state", the other half of optimizer.state_dict().',
)
def pack_the_groups(model, optimizer, scheduler, generator, epoch):
    checkpoint = packed(model, optimizer, scheduler, generator, epoch)
    groups = checkpoint["optimizer"]["param_groups"]
    return {**checkpoint, "optimizer": {"param_groups": groups}}


@wrong(
    "pack-no-running-statistics",
    replaces="pack",
    says="The parameters are kept, the buffers are not: batch norm's running statistics start anew. "
    "model.state_dict() has both.",
    fact="05.18",
)
def pack_the_parameters(model, optimizer, scheduler, generator, epoch):
    parameters = {name: p.detach() for name, p in model.named_parameters()}
    return {**packed(model, optimizer, scheduler, generator, epoch), "model": parameters}


@wrong(
    "pack-epoch-off-by-one",
    replaces="pack",
    says="The checkpoint counts another number of epochs than are done: one is run twice or never.",
)
def pack_the_next_epoch(model, optimizer, scheduler, generator, epoch):
    return packed(model, optimizer, scheduler, generator, epoch + 1)


@wrong(
    "pack-leaves-eval",
    replaces="pack",
    says="The checkpoint is right, but the model is in eval mode now: the training that goes on has no dropout, and "
    "batch norm does not learn its statistics. The mode is no part of a state dict.",
)
def pack_in_eval(model, optimizer, scheduler, generator, epoch):
    return packed(model.eval(), optimizer, scheduler, generator, epoch)


@wrong(
    "p08-no-optimizer-state",
    replaces="resume",
    says="The optimizer that takes the next steps starts anew: its momentum or Adam's running averages are zero "
    "again, and the first steps after the resume go elsewhere. Its own load_state_dict takes them over.",
)
def resume_without_optimizer(checkpoint, model, optimizer, scheduler, generator):
    fresh = optimizer.state_dict()
    done = taken_up(checkpoint, model, optimizer, scheduler, generator)
    optimizer.load_state_dict(fresh)
    return done


@wrong(
    "resume-rates-without-momentum",
    replaces="resume",
    says="The learning rate is taken over, the optimizer's memory is not: the param_groups are settings, while "
    "momentum and Adam's averages lie in its state. optimizer.load_state_dict takes both.",
)
def resume_with_the_rate(checkpoint, model, optimizer, scheduler, generator):
    fresh = optimizer.state_dict()["state"]
    done = taken_up(checkpoint, model, optimizer, scheduler, generator)
    optimizer.load_state_dict({**checkpoint["optimizer"], "state": fresh})
    return done


@wrong(
    "resume-weights-alone",
    replaces="resume",
    says="Only the model is as it was. Optimizer, scheduler and random streams are new, so what follows is another "
    "training that happens to start from these weights.",
)
def resume_the_model(checkpoint, model, optimizer, scheduler, generator):
    model.load_state_dict(checkpoint["model"])
    return checkpoint["epoch"]


@wrong(
    "p09-no-scheduler-state",
    replaces="resume",
    says="The scheduler counts from zero again, so the learning rate changes in the wrong epochs. The optimizer's "
    "state holds the rate, not the count; scheduler.load_state_dict takes the count over.",
)
def resume_without_scheduler(checkpoint, model, optimizer, scheduler, generator):
    fresh = scheduler.state_dict()
    done = taken_up(checkpoint, model, optimizer, scheduler, generator)
    scheduler.load_state_dict(fresh)
    return done


@wrong(
    "resume-replays-scheduler",
    replaces="resume",
    says="The scheduler was stepped forward from its start, where its state is to be taken over: each step changes "
    "the learning rate, which the optimizer's state has changed already.",
)
def resume_by_stepping(checkpoint, model, optimizer, scheduler, generator):
    model.load_state_dict(checkpoint["model"])
    optimizer.load_state_dict(checkpoint["optimizer"])
    for _ in range(checkpoint["epoch"]):
        scheduler.step()
    generator.set_state(checkpoint["generator"])
    torch.set_rng_state(checkpoint["rng"])
    return checkpoint["epoch"]


@wrong(
    "resume-other-orders",
    replaces="resume",
    says="The examples come in another order than they would have: the generator that shuffles was not set to its "
    "state of then.",
)
def resume_without_generator(checkpoint, model, optimizer, scheduler, generator):
    fresh = generator.get_state()
    done = taken_up(checkpoint, model, optimizer, scheduler, generator)
    generator.set_state(fresh)
    return done


@wrong(
    "resume-orders-from-start",
    replaces="resume",
    says="The orders of the first epochs come again: the generator was given its first seed, not the state that it "
    "had reached.",
)
def resume_with_the_seed(checkpoint, model, optimizer, scheduler, generator):
    done = taken_up(checkpoint, model, optimizer, scheduler, generator)
    generator.manual_seed(generator.initial_seed())
    return done


@wrong(
    "resume-other-dropout",
    replaces="resume",
    says="Orders and learning rates are right, the losses are not: dropout drops other units, since torch's global "
    "stream was not set. torch.set_rng_state does it.",
)
def resume_without_rng(checkpoint, model, optimizer, scheduler, generator):
    fresh = torch.get_rng_state()
    done = taken_up(checkpoint, model, optimizer, scheduler, generator)
    torch.set_rng_state(fresh)
    return done


@wrong(
    "resume-assigns-parameters",
    replaces="resume",
    says="The model got new parameters, and the optimizer still holds the old ones: it steps on tensors that no model "
    "has. load_state_dict without assign=True copies into those that are there.",
)
def resume_by_assigning(checkpoint, model, optimizer, scheduler, generator):
    model.load_state_dict(checkpoint["model"], assign=True)
    return taken_up({**checkpoint, "model": model.state_dict()}, model, optimizer, scheduler, generator)


@wrong(
    "resume-skips-an-epoch",
    replaces="resume",
    says='The number is one too large: "epoch" counts the epochs that are done, and counted from 0 that is also the '
    "next one's index.",
)
def resume_one_later(checkpoint, model, optimizer, scheduler, generator):
    return taken_up(checkpoint, model, optimizer, scheduler, generator) + 1


@wrong(
    "resume-leaves-eval",
    replaces="resume",
    says="The model is in eval mode: the epochs that follow run without dropout and with frozen statistics. A model "
    "that is to predict goes into eval mode after loading, one that trains does not.",
)
def resume_in_eval_mode(checkpoint, model, optimizer, scheduler, generator):
    done = taken_up(checkpoint, model, optimizer, scheduler, generator)
    model.eval()
    return done


@wrong(
    "resume-takes-keys-away",
    replaces="resume",
    says="All goes on as it should, but the caller's checkpoint has lost a key: pop takes it out. Read it with [].",
)
def resume_and_pop(checkpoint, model, optimizer, scheduler, generator):
    taken_up(checkpoint, model, optimizer, scheduler, generator)
    return checkpoint.pop("epoch")


@wrong(
    "write-in-place",
    replaces="write",
    says="The old file is gone as soon as the writing starts: the same name is opened and emptied. Write a file "
    "beside it, and let os.replace put it in place once it is whole.",
)
def write_in_place(checkpoint, path):
    torch.save(checkpoint, path)


@wrong(
    "write-bytes-in-place",
    replaces="write",
    says="The bytes were made in memory first, but then written into the old file: a full disk or a crash leaves it "
    "damaged. Only a file beside it, and os.replace, keep the old one whole.",
)
def write_bytes(checkpoint, path):
    buffer = io.BytesIO()
    torch.save(checkpoint, buffer)
    path.write_bytes(buffer.getvalue())


@wrong(
    "write-deletes-first",
    replaces="write",
    says="The old file is deleted before the new one is whole: a crash in between leaves none. os.replace takes the "
    "old one's place in one step; nothing needs to be deleted.",
)
def delete_then_write(checkpoint, path):
    path.unlink(missing_ok=True)
    torch.save(checkpoint, path)


@wrong(
    "write-deletes-before-rename",
    replaces="write",
    says="The new file is whole, and then the old one is deleted before the new one has its name: for a moment, or "
    "for good if that step fails, there is no checkpoint. os.replace takes an old file's place by itself.",
)
def delete_then_rename(checkpoint, path):
    beside = path.with_suffix(".part")
    try:
        torch.save(checkpoint, beside)
        path.unlink(missing_ok=True)
        os.rename(beside, path)
    finally:
        beside.unlink(missing_ok=True)


@wrong(
    "write-old-set-aside",
    replaces="write",
    says="The old file was moved aside before the new one is whole. An exception can put it back, a power cut or a "
    "kill cannot: nobody finds a checkpoint at its path then.",
)
def set_the_old_aside(checkpoint, path):
    aside = path.with_suffix(".old")
    if path.exists():
        os.replace(path, aside)
    try:
        torch.save(checkpoint, path)
    except BaseException:
        path.unlink(missing_ok=True)
        if aside.exists():
            os.replace(aside, path)
        raise
    aside.unlink(missing_ok=True)


@wrong(
    "write-leaves-the-part",
    replaces="write",
    says="The old file is whole, but the unfinished one is still there beside it; with each failure there is more of "
    "it on a disk that may be full. Remove it on the way out, in a finally.",
)
def write_without_cleaning(checkpoint, path):
    beside = path.with_suffix(".part")
    torch.save(checkpoint, beside)
    os.replace(beside, path)


@wrong(
    "write-cleans-but-for-ctrl-c",
    replaces="write",
    says="After Ctrl-C the unfinished file is left behind: KeyboardInterrupt is no Exception, so `except Exception` "
    "does not see it. finally does.",
)
def clean_after_exceptions(checkpoint, path):
    beside = path.with_suffix(".part")
    try:
        torch.save(checkpoint, beside)
        os.replace(beside, path)
    except Exception:
        beside.unlink(missing_ok=True)
        raise


@wrong(
    "write-keeps-the-error",
    replaces="write",
    says="The writing failed and nobody was told: the error ends here, and the caller goes on as if the epoch were "
    "saved. Clean up, and let it through.",
)
def write_in_silence(checkpoint, path):
    beside = path.with_suffix(".part")
    try:
        torch.save(checkpoint, beside)
        os.replace(beside, path)
    except BaseException:
        beside.unlink(missing_ok=True)


@wrong(
    "write-replaces-in-any-case",
    replaces="write",
    says="The old file was replaced by one that is not whole: os.replace ran although the writing had failed. It "
    "belongs after the writing, where an error skips it.",
)
def replace_in_finally(checkpoint, path):
    beside = path.with_suffix(".part")
    try:
        torch.save(checkpoint, beside)
    finally:
        os.replace(beside, path)


@wrong(
    "write-from-temporary-folder",
    replaces="write",
    says="The file was written into the folder of temporary files, which may lie on another disk: no rename leads "
    "from one disk to another. Write it beside the old one, in the same folder.",
)
def write_elsewhere(checkpoint, path):
    handle, name = tempfile.mkstemp()
    os.close(handle)
    try:
        torch.save(checkpoint, name)
        os.replace(name, path)
    finally:
        Path(name).unlink(missing_ok=True)


@wrong(
    "write-where-the-program-runs",
    replaces="write",
    says="The unfinished file lay in the working directory, not beside the old one: its name had no folder, as "
    "path.name has none. From there to the folder may be another disk, where no rename leads. path.with_name "
    "keeps the folder.",
)
def write_where_the_program_runs(checkpoint, path):
    beside = Path(path.name + ".part")
    try:
        torch.save(checkpoint, beside)
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)


@wrong(
    "write-another-error",
    replaces="write",
    says="The old file is whole, but another error came out than the one that ended the writing: whoever looks for a "
    "full disk or a refused permission does not find it. finally cleans up and lets it through.",
)
def write_with_another_error(checkpoint, path):
    beside = path.with_name(path.name + ".part")
    try:
        torch.save(checkpoint, beside)
        os.replace(beside, path)
    except Exception as error:
        raise RuntimeError("the checkpoint was not written") from error
    finally:
        beside.unlink(missing_ok=True)


@wrong(
    "write-moves-or-copies",
    replaces="write",
    says="The last step is one that copies where it cannot rename, as shutil.move does: it opens the old file and "
    "writes into it, and a crash then leaves it damaged. os.replace, from a file beside the old one, happens as a "
    "whole or raises.",
)
def move_into_place(checkpoint, path):
    handle, name = tempfile.mkstemp()
    os.close(handle)
    try:
        torch.save(checkpoint, name)
        shutil.move(name, path)
    finally:
        Path(name).unlink(missing_ok=True)


@wrong(
    "write-never-put-in-place",
    replaces="write",
    says="The new file lies beside the path and was never given its name: os.replace(beside, path) comes last.",
)
def write_beside(checkpoint, path):
    torch.save(checkpoint, path.with_suffix(".part"))


@wrong(
    "read-errors-as-they-come",
    replaces="read",
    says="The error that torch.load raised came through as it was. Which one that is depends on where a file was cut "
    "and what it is instead; asked is a ValueError that names the path, for each of them.",
)
def read_raw(path):
    checkpoint = torch.load(path, weights_only=True)
    keys = {"model", "optimizer", "scheduler", "generator", "rng", "epoch"}
    if not isinstance(checkpoint, dict) or not keys <= checkpoint.keys():
        raise ValueError(f"{path} is not a checkpoint of this training")
    return checkpoint


@wrong(
    "read-expects-runtime-error",
    replaces="read",
    says="RuntimeError is only one of the errors that torch.load raises for a file that is no archive: EOFError, "
    "pickle.UnpicklingError, IndexError and OSError come too.",
)
def read_for_runtime_errors(path):
    try:
        checkpoint = torch.load(path, weights_only=True)
    except RuntimeError as error:
        raise ValueError(f"{path} is damaged") from error
    keys = {"model", "optimizer", "scheduler", "generator", "rng", "epoch"}
    if not isinstance(checkpoint, dict) or not keys <= checkpoint.keys():
        raise ValueError(f"{path} is not a checkpoint of this training")
    return checkpoint


@wrong(
    "read-lists-some-errors",
    replaces="read",
    says="Several errors are caught and others still come through: what torch.load raises depends on the first byte "
    "that makes no sense to it, and no list of classes is complete. Catch Exception, after FileNotFoundError.",
)
def read_for_a_few_errors(path):
    try:
        checkpoint = torch.load(path, weights_only=True)
    except (RuntimeError, EOFError, pickle.UnpicklingError) as error:
        raise ValueError(f"{path} is damaged") from error
    keys = {"model", "optimizer", "scheduler", "generator", "rng", "epoch"}
    if not isinstance(checkpoint, dict) or not keys <= checkpoint.keys():
        raise ValueError(f"{path} is not a checkpoint of this training")
    return checkpoint


@wrong(
    "read-missing-as-damaged",
    replaces="read",
    says="The file is not there, and was called damaged: FileNotFoundError is an Exception too, and says that there "
    "is nothing to mend. Let it through before the others are turned into a ValueError.",
)
def read_and_hide(path):
    try:
        checkpoint = torch.load(path, weights_only=True)
    except Exception as error:
        raise ValueError(f"{path} is damaged") from error
    keys = {"model", "optimizer", "scheduler", "generator", "rng", "epoch"}
    if not isinstance(checkpoint, dict) or not keys <= checkpoint.keys():
        raise ValueError(f"{path} is not a checkpoint of this training")
    return checkpoint


@wrong(
    "read-empty-for-damaged",
    replaces="read",
    says="An empty checkpoint came back for a file that could not be read: training would begin anew and write over "
    "it, and nobody would know why.",
)
def read_or_nothing(path):
    try:
        checkpoint = torch.load(path, weights_only=True)
    except FileNotFoundError:
        raise
    except Exception:
        return {}
    keys = {"model", "optimizer", "scheduler", "generator", "rng", "epoch"}
    if not isinstance(checkpoint, dict) or not keys <= checkpoint.keys():
        raise ValueError(f"{path} is not a checkpoint of this training")
    return checkpoint


@wrong(
    "read-any-file-of-torch",
    replaces="read",
    says="The file can be read, but it is not a checkpoint: it is no dict, or lacks keys. The error would come later, "
    "with some parts loaded and others not.",
)
def read_without_looking(path):
    try:
        return torch.load(path, weights_only=True)
    except FileNotFoundError:
        raise
    except Exception as error:
        raise ValueError(f"{path} is damaged") from error


@wrong(
    "read-looks-at-epoch-only",
    replaces="read",
    says="A file that lacks a key was taken for a checkpoint: all six are needed to go on as if training had never "
    "stopped, and each may be missing in an older file.",
)
def read_with_one_key(path):
    try:
        checkpoint = torch.load(path, weights_only=True)
    except FileNotFoundError:
        raise
    except Exception as error:
        raise ValueError(f"{path} is damaged") from error
    if not isinstance(checkpoint, dict) or "epoch" not in checkpoint:
        raise ValueError(f"{path} is not a checkpoint")
    return checkpoint


@wrong(
    "read-without-the-path",
    replaces="read",
    says="A ValueError, but its text does not name the file: whoever finds it in a log does not know which of many is "
    "damaged.",
)
def read_and_not_tell(path):
    try:
        checkpoint = torch.load(path, weights_only=True)
    except FileNotFoundError:
        raise
    except Exception as error:
        raise ValueError("the checkpoint is damaged") from error
    keys = {"model", "optimizer", "scheduler", "generator", "rng", "epoch"}
    if not isinstance(checkpoint, dict) or not keys <= checkpoint.keys():
        raise ValueError("not a checkpoint of this training")
    return checkpoint


@wrong(
    "read-gives-the-model-alone",
    replaces="read",
    says='Only what stands under "model" came back; the whole checkpoint is asked, optimizer, scheduler, streams '
    "and count included.",
)
def read_the_model(path):
    try:
        return torch.load(path, weights_only=True)["model"]
    except FileNotFoundError:
        raise
    except Exception as error:
        raise ValueError(f"{path} is damaged") from error


@wrong(
    "read-with-code",
    replaces="read",
    says="The file's code was run: with weights_only=False a pickle may call any function while it is read. "
    "weights_only=True refuses it.",
    fact="05.19",
)
def read_and_run(path):
    try:
        checkpoint = torch.load(path, weights_only=False)
    except FileNotFoundError:
        raise
    except Exception as error:
        raise ValueError(f"{path} is damaged") from error
    keys = {"model", "optimizer", "scheduler", "generator", "rng", "epoch"}
    if not isinstance(checkpoint, dict) or not keys <= checkpoint.keys():
        raise ValueError(f"{path} is not a checkpoint of this training")
    return checkpoint


@wrong(
    "train-begins-anew",
    replaces="train",
    says="The checkpoint at the path was not read: all epochs were run again from the start, and the file was written "
    "over.",
)
def train_anew(one_epoch, epochs, path, model, optimizer, scheduler, generator):
    for epoch in range(epochs):
        one_epoch()
        scheduler.step()
        write(pack(model, optimizer, scheduler, generator, epoch + 1), path)


@wrong(
    "train-counts-each-run",
    replaces="train",
    says="Epochs are counted for each run, where `epochs` is how many there are in all: after a resume the loop goes "
    "from what is done to that number.",
)
def train_that_many_more(one_epoch, epochs, path, model, optimizer, scheduler, generator):
    done = resume(read(path), model, optimizer, scheduler, generator) if path.exists() else 0
    for epoch in range(done, done + epochs):
        one_epoch()
        scheduler.step()
        write(pack(model, optimizer, scheduler, generator, epoch + 1), path)


@wrong(
    "train-epoch-run-twice",
    replaces="train",
    says="The file holds the index of the last epoch where it is to count those that are done, one more: after a "
    "resume that epoch is run a second time, on weights that have it already.",
)
def train_with_the_index(one_epoch, epochs, path, model, optimizer, scheduler, generator):
    done = resume(read(path), model, optimizer, scheduler, generator) if path.exists() else 0
    for epoch in range(done, epochs):
        one_epoch()
        scheduler.step()
        write(pack(model, optimizer, scheduler, generator, epoch), path)


@wrong(
    "train-epoch-left-out",
    replaces="train",
    says="An epoch is left out after a resume: the file counts the epochs that are done, and counted from 0 that is "
    "the index of the next one.",
)
def train_from_the_one_after(one_epoch, epochs, path, model, optimizer, scheduler, generator):
    start = resume(read(path), model, optimizer, scheduler, generator) + 1 if path.exists() else 0
    for epoch in range(start, epochs):
        one_epoch()
        scheduler.step()
        write(pack(model, optimizer, scheduler, generator, epoch + 1), path)


@wrong(
    "train-saves-before-scheduler",
    replaces="train",
    says="The checkpoint is made before the scheduler's step, so the file lacks it: after a resume the schedule is "
    "one epoch late. An epoch is done when all of it is.",
)
def train_and_save_early(one_epoch, epochs, path, model, optimizer, scheduler, generator):
    done = resume(read(path), model, optimizer, scheduler, generator) if path.exists() else 0
    for epoch in range(done, epochs):
        one_epoch()
        write(pack(model, optimizer, scheduler, generator, epoch + 1), path)
        scheduler.step()


@wrong(
    "train-saves-before-the-epoch",
    replaces="train",
    says="The checkpoint is made before its epoch is run: the last epoch is never saved, and a resume finds a count "
    "that its weights do not have.",
)
def train_and_save_first(one_epoch, epochs, path, model, optimizer, scheduler, generator):
    done = resume(read(path), model, optimizer, scheduler, generator) if path.exists() else 0
    for epoch in range(done, epochs):
        write(pack(model, optimizer, scheduler, generator, epoch + 1), path)
        one_epoch()
        scheduler.step()


@wrong(
    "train-saves-in-the-end",
    replaces="train",
    says="There is one checkpoint, after the last epoch: whatever stops the program before loses every epoch of that "
    "run. It is to be made after each.",
)
def train_and_save_late(one_epoch, epochs, path, model, optimizer, scheduler, generator):
    done = resume(read(path), model, optimizer, scheduler, generator) if path.exists() else 0
    for _ in range(done, epochs):
        one_epoch()
        scheduler.step()
    if done < epochs:
        write(pack(model, optimizer, scheduler, generator, epochs), path)


@wrong(
    "train-saves-into-the-old-file",
    replaces="train",
    says="The checkpoint was written into the old one: whoever has that open sees it change, and a crash in between "
    "leaves none. `write` puts a whole file in its place.",
)
def train_and_save_in_place(one_epoch, epochs, path, model, optimizer, scheduler, generator):
    done = resume(read(path), model, optimizer, scheduler, generator) if path.exists() else 0
    for epoch in range(done, epochs):
        one_epoch()
        scheduler.step()
        torch.save(pack(model, optimizer, scheduler, generator, epoch + 1), path)


@wrong(
    "train-saves-half-an-epoch",
    replaces="train",
    says="A checkpoint was made when the program was stopped in the middle of an epoch: the weights have seen part of "
    "it, and after a resume see it again. Only a whole epoch goes into the file; what was cut is run anew.",
)
def train_and_save_half(one_epoch, epochs, path, model, optimizer, scheduler, generator):
    done = resume(read(path), model, optimizer, scheduler, generator) if path.exists() else 0
    for epoch in range(done, epochs):
        try:
            one_epoch()
        except BaseException:
            write(pack(model, optimizer, scheduler, generator, epoch), path)
            raise
        scheduler.step()
        write(pack(model, optimizer, scheduler, generator, epoch + 1), path)


@wrong(
    "train-schedule-stands-still",
    replaces="train",
    says="The learning rate never changes: the scheduler is saved and loaded, but not stepped. It takes one step "
    "after each epoch.",
)
def train_without_schedule(one_epoch, epochs, path, model, optimizer, scheduler, generator):
    done = resume(read(path), model, optimizer, scheduler, generator) if path.exists() else 0
    for epoch in range(done, epochs):
        one_epoch()
        write(pack(model, optimizer, scheduler, generator, epoch + 1), path)


@wrong(
    "train-steps-the-schedule-first",
    replaces="train",
    says="The learning rate changes one epoch too early: the scheduler's step came before the epoch, and the first "
    "rate is skipped. It comes after the epoch, and before the checkpoint.",
)
def train_with_the_schedule_first(one_epoch, epochs, path, model, optimizer, scheduler, generator):
    done = resume(read(path), model, optimizer, scheduler, generator) if path.exists() else 0
    for epoch in range(done, epochs):
        scheduler.step()
        one_epoch()
        write(pack(model, optimizer, scheduler, generator, epoch + 1), path)


@wrong(
    "train-over-a-damaged-file",
    replaces="train",
    says="The checkpoint was damaged, and training began anew and wrote over it: hours of work that could perhaps be "
    "mended are gone, silently. Only a file that is not there means a first run.",
)
def train_over_damage(one_epoch, epochs, path, model, optimizer, scheduler, generator):
    try:
        done = resume(read(path), model, optimizer, scheduler, generator)
    except (FileNotFoundError, ValueError):
        done = 0
    for epoch in range(done, epochs):
        one_epoch()
        scheduler.step()
        write(pack(model, optimizer, scheduler, generator, epoch + 1), path)
