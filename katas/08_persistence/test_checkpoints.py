"""The specification of checkpoints.py."""

import errno
import io
import os
import pickle
import re
import tempfile
from collections.abc import Mapping
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from torchkatas.compare import Rule, difference
from torchkatas.observe import ALIKE, compared, state

RUN = Path("run.pt")
X = torch.rand((10, 3), generator=torch.Generator().manual_seed(0)) * 4 - 2
Y = torch.stack([X.sum(dim=1), X[:, 0] * X[:, 1]], dim=1)


@contextmanager
def working_in(folder):
    """Files are named as learners name them, and errors that quote them read the same in each folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        yield patch


class Training:
    """A small training with all that has a state."""

    def __init__(self, kind, seed):
        torch.manual_seed(seed)
        self.model = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Dropout(0.25), nn.Linear(4, 2))
        if kind == "momentum":
            self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.0625, momentum=0.9)
            self.scheduler = torch.optim.lr_scheduler.LambdaLR(self.optimizer, lambda epoch: 1 / (1 + epoch))
        else:
            self.optimizer = torch.optim.Adam(self.model.parameters(), lr=0.125)
            self.scheduler = torch.optim.lr_scheduler.StepLR(self.optimizer, step_size=3, gamma=0.5)
        self.generator = torch.Generator().manual_seed(seed)
        self.rates, self.first, self.losses = [], [], []

    @property
    def parts(self):
        names = ("model", "optimizer", "scheduler", "generator")
        return {name: getattr(self, name) for name in names}

    def one_epoch(self):
        order = torch.randperm(len(X), generator=self.generator)
        total = 0.0
        for batch in order.split(4):
            loss = nn.functional.mse_loss(self.model(X[batch]), Y[batch])
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            total += loss.item() * len(batch)
        self.rates.append(self.optimizer.param_groups[0]["lr"])
        self.first.append(int(order[0]))
        self.losses.append(total / len(X))

    def epochs(self, n):
        """Train on: what happens in each epoch, and the state in the end."""
        for _ in range(n):
            self.one_epoch()
            self.scheduler.step()
        return {
            "learning rates": self.rates[-n:],
            "first example of each epoch": self.first[-n:],
            "losses": torch.tensor(self.losses[-n:], dtype=torch.float64),
            "state": state(self.model),
        }

    def checkpoint(self, epoch):
        """A checkpoint with memory of its own."""
        kept = {name: part.state_dict() for name, part in self.parts.items() if name != "generator"}
        return through_a_file(
            {**kept, "generator": self.generator.get_state(), "rng": torch.get_rng_state(), "epoch": epoch}
        )


def through_a_file(thing):
    """What comes out of a file of it; in words, where nothing does."""
    buffer = io.BytesIO()
    try:
        torch.save(thing, buffer)
        buffer.seek(0)
        return torch.load(buffer, weights_only=True)
    except pickle.UnpicklingError as error:
        asks = re.search(r"GLOBAL ([\w.]+)", str(error))
        return f"refused: it asks for {asks[1] if asks else 'code'}"
    except Exception as error:  # what cannot even be written
        return f"{type(error).__name__}: {error}"


# ---- pack


def described(value, right):
    """What stands under a key, in short."""
    if right is not None and difference(value, right, Rule(0.0, 0.0)) is None:
        return "right"
    if isinstance(value, Mapping):
        return f"a dict of {', '.join(str(key) for key in value)}"
    return f"a tensor of shape {tuple(value.shape)}" if isinstance(value, torch.Tensor) else value


@pytest.mark.fact("05.18")
@pytest.mark.parametrize("kind", ["adam", "momentum"])
def test_pack_holds_every_state(kata, check, kind):
    """Catches each state left out, and objects in place of their state, which no file with weights_only may hold."""
    training = Training(kind, seed=1)
    training.epochs(2)
    right = training.checkpoint(epoch=2)
    packed = check(kata.pack, **training.parts, epoch=2).value
    seen = through_a_file(packed)
    if isinstance(seen, Mapping):
        seen = {**dict.fromkeys(right, "missing"), **{key: described(seen[key], right.get(key)) for key in seen}}
    call = "a file of it, read with weights_only=True, after 2 epochs"
    check.saw(kata.pack, seen, call=call).gives(dict.fromkeys(right, "right"))


@pytest.mark.parametrize("kind", ["adam", "momentum"])
def test_pack_leaves_the_training_as_it_was(kata, check, kind):
    """Catches a model left in eval mode, and a stream that was drawn from."""
    right = Training(kind, seed=1).epochs(3)
    training = Training(kind, seed=1)
    training.epochs(1)
    check(kata.pack, **training.parts, epoch=1).value  # noqa: B018
    seen = training.epochs(2)
    seen["state"] = compared(seen["state"], right["state"])
    right = {name: log[1:] for name, log in right.items() if name != "state"} | {"state": ALIKE}
    check.saw(kata.pack, seen, call="after the first of three epochs; then the other two").gives(right, exact=True)


# ---- resume


@pytest.mark.parametrize("kind", ["adam", "momentum"])
def test_resume_goes_on_as_if_never_stopped(kata, check, kind):
    """Catches each state that is not taken over: the next epochs tell, not the first look at the weights."""
    first = Training(kind, seed=2)
    first.epochs(4)
    checkpoint = first.checkpoint(epoch=4)
    unharmed = {name: tensor.clone() for name, tensor in checkpoint["model"].items()}
    right = first.epochs(4)
    second = Training(kind, seed=3)
    done = kata.resume(checkpoint, **second.parts)
    seen = second.epochs(4)
    seen["state"] = compared(seen["state"], right["state"])
    seen = {"epochs done": done, **seen, "the checkpoint's model": compared(checkpoint["model"], unharmed)}
    seen["the checkpoint's keys"] = sorted(checkpoint)
    right = {"epochs done": 4, **right, "state": ALIKE, "the checkpoint's model": ALIKE}
    right["the checkpoint's keys"] = ["epoch", "generator", "model", "optimizer", "rng", "scheduler"]
    check.saw(kata.resume, seen, call="then four more epochs").gives(right, exact=True)


# ---- write

OLD = {"epoch": 1, "weights": torch.arange(3.0)}
NEW = {"epoch": 2, "weights": torch.arange(75_000.0)}
DISK = 100_000  # bytes that fit on the disk which is full: fewer than NEW has


def lying_at(path):
    """Which checkpoint lies at a path."""
    if not path.exists():
        return "nothing"
    try:
        epoch = torch.load(path, weights_only=True)["epoch"]
    except Exception:
        return "a damaged file"
    return {1: "the old one", 2: "the new one"}[epoch]


def left(link=None):
    """What lies in the working directory, and what a link to the old file shows."""
    found = {"run.pt is": lying_at(RUN), "other files": sum(path != RUN for path in Path().iterdir())}
    return {**found, "a link to the old one shows": lying_at(link)} if link else found


@contextmanager
def over_an_old_one(folder):
    """In a folder of its own lies an old checkpoint; elsewhere a second name of the same file, a link to it."""
    with working_in(folder / "run") as patch:
        torch.save(OLD, RUN)
        link = folder / "link.pt"
        os.link(RUN, link)
        yield patch, link


KEPT = {"run.pt is": "the old one", "other files": 0, "a link to the old one shows": "the old one"}


def raised(write, checkpoint):
    """The class of the error that came out of a call of write."""
    try:
        write(checkpoint, RUN)
    except NotImplementedError:
        raise
    except (Exception, KeyboardInterrupt) as error:
        return type(error).__name__
    return "nothing"


def test_write_where_nothing_lies(kata, check, tmp_path):
    """Catches a file that was written beside and never put in its place."""
    with working_in(tmp_path / "run"):
        check(kata.write, checkpoint=NEW, path=RUN).value  # noqa: B018
        seen = left()
    right = {"run.pt is": "the new one", "other files": 0}
    check.saw(kata.write, seen, call="into an empty folder").gives(right)


class Fault:
    """Raises an error when it is pickled, and sees what lies at the path just then."""

    def __init__(self, error):
        self.error, self.moment = error, "never"

    def __reduce__(self):
        self.moment = lying_at(RUN)
        raise self.error("in the middle of the writing")


def test_write_that_fails_at_its_start(kata, check, tmp_path):
    """Catches the old file removed or emptied before the new one is whole, and what is left behind by Ctrl-C."""
    seen, right = {}, {}
    for error in (OSError, KeyboardInterrupt):
        fault, name = Fault(error), error.__name__
        with over_an_old_one(tmp_path / name) as (_, link):
            outcome = raised(kata.write, {**NEW, "fault": fault})
            seen[name] = {"raised": outcome, "at that moment run.pt is": fault.moment, **left(link)}
        right[name] = {"raised": name, "at that moment run.pt is": "the old one", **KEPT}
    shown = [name for name in seen if seen[name] != right[name]][:1] or list(seen)
    seen, right = ({name: outcome[name] for name in shown} for outcome in (seen, right))
    check.saw(kata.write, seen, call="over an old one, and torch.save raises just this").gives(right)


class Looks(Fault):
    """Counts the files in the working directory in place of that."""

    def __reduce__(self):
        self.moment = len(list(Path().iterdir()))
        raise self.error("in the middle of the writing")


def test_write_into_another_folder(kata, check, tmp_path):
    """Catches an unfinished file where the program runs, which may be another disk, in place of beside the old one."""
    (tmp_path / "run").mkdir()
    fault, outcome = Looks(OSError), "nothing"
    with working_in(tmp_path / "program"):
        check(kata.write, checkpoint=NEW, path=Path("../run/run.pt")).value  # noqa: B018
        try:
            kata.write({**OLD, "fault": fault}, Path("../run/run.pt"))
        except OSError as error:
            outcome = type(error).__name__
        seen = {"raised": outcome, "files in the working directory at that moment": fault.moment}
        seen["the file is"] = lying_at(Path("../run/run.pt"))
    right = {"raised": "OSError", "files in the working directory at that moment": 0, "the file is": "the new one"}
    call = "into ../run, where a whole file lies, and torch.save raises just this"
    check.saw(kata.write, seen, call=call).gives(right)


def test_write_on_a_full_disk(kata, check, tmp_path):
    """Catches a half-written file in the old one's place; no file may grow beyond 100 kB here, whoever writes it."""
    resource = pytest.importorskip("resource", reason="no limit on the size of files here")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with over_an_old_one(tmp_path) as (_, link):
        resource.setrlimit(resource.RLIMIT_FSIZE, (DISK, hard))
        try:
            outcome = raised(kata.write, NEW)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        seen = {"raised": outcome, **left(link)}
    # torch's own writer says RuntimeError, Python's OSError
    right = {"raised": outcome if outcome in ("OSError", "RuntimeError") else "OSError or RuntimeError", **KEPT}
    check.saw(kata.write, seen, call="over an old one, and the disk is full after 100 kB").gives(right)


def test_write_that_fails_at_its_end(kata, check, tmp_path):
    """Catches a moment without any file at the path, and a last step that copies where it cannot rename."""
    moments = []

    def fails(source, target, *args, **kwargs):
        moments.append(lying_at(RUN))
        raise PermissionError("the file is in use")

    with over_an_old_one(tmp_path) as (patch, link):
        for owner in (os, Path):
            patch.setattr(owner, "replace", fails)
            patch.setattr(owner, "rename", fails)
        outcome = raised(kata.write, NEW)
        seen = {"raised": outcome, "at that moment run.pt is": moments[:1], **left(link)}
    right = {"raised": "PermissionError", "at that moment run.pt is": ["the old one"], **KEPT}
    if not moments:  # renamed in a way that was not made to fail, or not at all: other tests judge that
        right = {**seen, "raised": "nothing", "run.pt is": "the new one", "other files": 0}
    check.saw(kata.write, seen, call="over an old one, and no file can be renamed").gives(right)


def test_write_replaces_in_one_step(kata, check, tmp_path):
    """Catches a file that is written into: whoever has the old one open, or linked as here, sees it change."""
    temporary = (tmp_path / "temporary").resolve()
    temporary.mkdir()

    def not_across(rename):
        def call(source, target, *args, **kwargs):
            if Path(source).resolve().is_relative_to(temporary) != Path(target).resolve().is_relative_to(temporary):
                raise OSError(errno.EXDEV, "Invalid cross-device link")
            return rename(source, target, *args, **kwargs)

        return call

    with over_an_old_one(tmp_path) as (patch, link):
        patch.setattr(tempfile, "tempdir", str(temporary))
        for owner in (os, Path):
            for name in ("replace", "rename"):
                patch.setattr(owner, name, not_across(getattr(owner, name)))
        seen = {"raised": raised(kata.write, NEW), **left(link)}
    right = {"raised": "nothing", **KEPT, "run.pt is": "the new one"}
    check.saw(kata.write, seen, call="over an old one, with temporary files on another disk").gives(right)


# ---- read


class Code:
    """Unpickling this makes a folder."""

    def __reduce__(self):
        return os.mkdir, ("the-code-ran",)


def test_read_gives_the_checkpoint(kata, check, tmp_path):
    """Catches a check that refuses what is right, and a part in place of the whole."""
    streams = {"generator": torch.tensor([3, 1], dtype=torch.uint8), "rng": torch.tensor([2, 7], dtype=torch.uint8)}
    whole = {"model": {"w": torch.tensor([0.5])}, "optimizer": {"state": {}}, "scheduler": {"last_epoch": 4}}
    whole |= {**streams, "epoch": 4}
    with working_in(tmp_path):
        torch.save(whole, RUN)
        check(kata.read, path=RUN).gives(whole, exact=True)


def test_read_without_a_file(kata, check, tmp_path):
    """Catches a file that is not there called damaged: to begin anew is right then, and only then."""
    with working_in(tmp_path):
        check(kata.read, path=RUN).raises(FileNotFoundError)


REFUSAL = "ValueError naming run.pt"


def refusal(call):
    """What a call on the file raises."""
    try:
        return f"nothing, and a {type(call(RUN)).__name__} came back"
    except NotImplementedError:
        raise
    except ValueError as error:
        return REFUSAL if "run.pt" in str(error) else "ValueError not naming it"
    except Exception as error:
        return type(error).__name__


def npz():
    buffer = io.BytesIO()
    np.savez(buffer, weights=np.arange(3))
    return buffer.getvalue()


def test_read_damaged_files(kata, check, tmp_path):
    """Catches errors that come as they may: EOFError, RuntimeError, UnpicklingError, IndexError, OSError."""
    seen = {}
    with working_in(tmp_path):
        torch.save(Training("adam", seed=5).checkpoint(epoch=1), RUN)
        whole = RUN.read_bytes()
        damaged = {
            "empty": b"",
            "cut after 4 bytes": whole[:4],
            "its first half": whole[: len(whole) // 2],
            "without its last byte": whole[:-1],
            "a text": b"epoch,loss\n1,0.5\n",
            "a plain pickle": pickle.dumps({"epoch": 1}, protocol=2),
            "an archive of NumPy": npz(),
        }
        for damage, content in damaged.items():
            RUN.write_bytes(content)
            seen[damage] = refusal(kata.read)
    wrong = {damage: outcome for damage, outcome in seen.items() if outcome != REFUSAL}
    check.saw(
        kata.read, wrong, call="damaged files, where something else is raised than a ValueError that names it"
    ).gives({})


def test_read_foreign_files(kata, check, tmp_path):
    """Catches a file of torch's that is no checkpoint: it would fail later, with half of the parts loaded."""
    whole = Training("momentum", seed=6).checkpoint(epoch=1)
    foreign = {"a state dict": whole["model"], "a list": [whole]}
    for lost in whole:
        foreign[f"without {lost}"] = {key: value for key, value in whole.items() if key != lost}
    seen = {}
    with working_in(tmp_path):
        for kind, content in foreign.items():
            torch.save(content, RUN)
            seen[kind] = refusal(kata.read)
    wrong = {kind: outcome for kind, outcome in seen.items() if outcome != REFUSAL}
    check.saw(
        kata.read, wrong, call="foreign files, where something else is raised than a ValueError that names it"
    ).gives({})


@pytest.mark.fact("05.19")
def test_read_runs_no_code(kata, check, tmp_path):
    """Catches weights_only=False, which runs what the file says before any key is looked at."""
    with working_in(tmp_path):
        torch.save({**Training("adam", seed=7).checkpoint(epoch=1), "note": Code()}, RUN)
        called = check(kata.read, path=RUN)
        ran = {"the code ran": Path("the-code-ran").exists()}
    check.saw(kata.read, ran, call="a file that makes a folder when it is read").gives({"the code ran": False})
    called.raises(ValueError, "run.pt")


# ---- train


class Stopped(Exception):
    """The program ends here."""


class Watched(Training):
    """Notes before each epoch how many the file counts, and stops in the middle of an epoch."""

    def __init__(self, seed, stops_in=0):
        super().__init__("adam", seed)
        self.counts, self.stops_in = [], stops_in

    def one_epoch(self):
        self.counts.append(epochs_in_file())
        super().one_epoch()
        if len(self.counts) == self.stops_in:
            raise Stopped

    def seen(self):
        return {
            "epochs in the file before each epoch": self.counts,
            "and in the end": epochs_in_file(),
            "learning rates": self.rates,
            "losses": torch.tensor(self.losses, dtype=torch.float64),
        }


def epochs_in_file(path=RUN):
    if not path.exists():
        return "no file"
    try:
        file = torch.load(path, weights_only=True)
    except Exception:
        return "a damaged file"
    return file.get("epoch", "no epoch") if isinstance(file, Mapping) else "no checkpoint"


def rates(*epochs):
    return [0.125 * 0.5 ** (epoch // 3) for epoch in epochs]


def test_train_from_the_start(kata, check, tmp_path):
    """Catches a scheduler that never steps, and checkpoints that come too late or count wrongly."""
    right = Training("adam", seed=8).epochs(5)
    training = Watched(seed=8)
    with working_in(tmp_path):
        kata.train(training.one_epoch, 5, RUN, **training.parts)
        seen = training.seen()
    counts = {"epochs in the file before each epoch": ["no file", 1, 2, 3, 4], "and in the end": 5}
    right = {**counts, "learning rates": rates(0, 1, 2, 3, 4), "losses": right["losses"]}
    check.saw(kata.train, seen, call="5 epochs, and there is no file yet").gives(right, exact=True)


@pytest.mark.parametrize("stops_in", [3, 4])
def test_train_goes_on_after_a_stop(kata, check, tmp_path, stops_in):
    """Catches epochs run twice or left out, and a checkpoint made between an epoch and its scheduler step."""
    whole = Training("adam", seed=9).epochs(6)
    with working_in(tmp_path):
        first = Watched(seed=9, stops_in=stops_in)
        try:
            kata.train(first.one_epoch, 6, RUN, **first.parts)
            stopped = False
        except Stopped:
            stopped = True
        second = Watched(seed=10)
        kata.train(second.one_epoch, 6, RUN, **second.parts)
        seen = {"stopped": stopped, **second.seen(), "state": compared(state(second.model), whole["state"])}
    done = range(stops_in - 1, 6)
    right = {"stopped": True, "epochs in the file before each epoch": list(done), "and in the end": 6}
    right = {**right, "learning rates": rates(*done), "losses": whole["losses"][stops_in - 1 :], "state": ALIKE}
    check.saw(kata.train, seen, call=f"6 epochs, stopped in epoch {stops_in}, then run again").gives(right, exact=True)


def test_train_that_is_done(kata, check, tmp_path):
    """Catches epochs counted for each run instead of in all, and a checkpoint that is written into the old one."""
    first, second, third = Watched(seed=11), Watched(seed=12), Watched(seed=13)
    with working_in(tmp_path):
        kata.train(first.one_epoch, 2, RUN, **first.parts)
        link = Path("link.pt")
        if RUN.exists():
            os.link(RUN, link)
        kata.train(second.one_epoch, 2, RUN, **second.parts)
        kata.train(third.one_epoch, 3, RUN, **third.parts)
        end, linked = epochs_in_file(), epochs_in_file(link)
    seen = {"epochs run": [len(first.counts), len(second.counts), len(third.counts)], "in the file": end}
    seen["in a link to the file of before"] = linked
    right = {"epochs run": [2, 0, 1], "in the file": 3, "in a link to the file of before": 2}
    check.saw(kata.train, seen, call="2 epochs, then 2, then 3").gives(right)


def test_train_on_a_damaged_file(kata, check, tmp_path):
    """Catches training that begins anew over the only checkpoint, which could perhaps still be mended."""
    first, second = Watched(seed=14), Watched(seed=15)
    with working_in(tmp_path):
        torch.save(first.checkpoint(epoch=1), RUN)
        kata.train(first.one_epoch, 3, RUN, **first.parts)
        damaged = RUN.read_bytes()[:-1]
        RUN.write_bytes(damaged)
        outcome = refusal(lambda path: kata.train(second.one_epoch, 3, path, **second.parts))
        kept = RUN.read_bytes() == damaged
    seen = {"epochs run from a whole file": len(first.counts), "from a damaged one": len(second.counts)}
    seen |= {"raised then": outcome, "the damaged file": "as it was" if kept else "overwritten"}
    right = {"epochs run from a whole file": 2, "from a damaged one": 0}
    right |= {"raised then": REFUSAL, "the damaged file": "as it was"}
    check.saw(kata.train, seen, call="3 epochs, from a file of one; then the file loses its last byte").gives(right)
