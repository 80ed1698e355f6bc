"""Checkpoints: training that goes on as if it had never stopped, from files that no crash can damage."""

from __future__ import annotations

import os  # noqa: F401
import pickle  # noqa: F401
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch import nn
from torch.optim.lr_scheduler import LRScheduler


def pack(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    scheduler: LRScheduler,
    generator: torch.Generator,
    epoch: int,
) -> dict[str, Any]:
    """All that training needs to go on after an epoch as if it had never stopped.

    model, optimizer, scheduler: those that are trained with. generator: the stream that shuffles the examples, on the
    CPU. epoch: how many epochs are done. None of them is changed.
    Returns a dict with six keys: "model", "optimizer" and "scheduler" hold the state dict of each, "generator" the
    state of the stream, "rng" the state of torch's global stream on the CPU, from which dropout draws, and "epoch" the
    number. All are tensors and plain values, so that a file of it can be read with weights_only=True. It may share its
    memory with the model and the optimizer.

    >>> model = nn.Linear(1, 1)
    >>> optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    >>> scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=10)
    >>> checkpoint = pack(model, optimizer, scheduler, torch.Generator(), epoch=7)
    >>> sorted(checkpoint), checkpoint["epoch"]
    (['epoch', 'generator', 'model', 'optimizer', 'rng', 'scheduler'], 7)
    """
    raise NotImplementedError("pack")


def resume(
    checkpoint: dict[str, Any],
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    scheduler: LRScheduler,
    generator: torch.Generator,
) -> int:
    """Take up training where a checkpoint was made: what follows is, to the bit, what would have followed there.

    checkpoint: a dict as `pack` returns it. It is not changed here, and the training that follows leaves its "model"
    as it is; the optimizer may go on in the memory of its "optimizer".
    model, optimizer, scheduler, generator: made anew as they were made for the first run; the optimizer has the model's
    parameters, the scheduler the optimizer. Their state becomes that of the checkpoint, and so does that of torch's
    global stream on the CPU. The objects stay the same, the model's parameters too.
    Returns how many epochs are done.

    >>> def parts():
    ...     model = nn.Linear(1, 1)
    ...     optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    ...     return model, optimizer, torch.optim.lr_scheduler.StepLR(optimizer, step_size=10), torch.Generator()
    >>> first, second = parts(), parts()
    >>> resume(pack(*first, epoch=7), *second)
    7
    >>> torch.equal(first[0].weight, second[0].weight)
    True
    """
    raise NotImplementedError("resume")


def write(checkpoint: dict[str, Any], path: Path) -> None:
    """Write a checkpoint with torch.save, in place of the one that may lie at the path.

    checkpoint: what torch.save takes. It is not changed. path: where it is to lie; its folder exists.
    Until the new file is whole the old one stays at the path, whole: it is replaced in one step and never written into.
    Whatever ends the writing, also Ctrl-C and a full disk, goes on to the caller as it is, and leaves the old file
    where it was. No other file is ever left in the folder, and the folder of temporary files may be on another disk.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write({"epoch": 7}, Path(folder, "run.pt"))
    ...     write({"epoch": 8}, Path(folder, "run.pt"))
    ...     print([path.name for path in Path(folder).iterdir()], torch.load(Path(folder, "run.pt"), weights_only=True))
    ['run.pt'] {'epoch': 8}
    """
    raise NotImplementedError("write")


def read(path: Path) -> dict[str, Any]:
    """Read a checkpoint, or say that there is none to be had.

    path: a file as `write` makes it of what `pack` returns.
    Returns the checkpoint.
    Raises FileNotFoundError where there is no such file, and ValueError that names the path where the file is not a
    whole checkpoint: it is cut off, of another format, lacks one of the six keys, or could be read only by running
    code, and none is run.

    >>> from pathlib import Path
    >>> read(Path("no-such-run.pt"))
    Traceback (most recent call last):
    FileNotFoundError: [Errno 2] No such file or directory: 'no-such-run.pt'
    """
    raise NotImplementedError("read")


def train(
    one_epoch: Callable[[], None],
    epochs: int,
    path: Path,
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    scheduler: LRScheduler,
    generator: torch.Generator,
) -> None:
    """Train for a number of epochs in all, however often the program is stopped and started again.

    one_epoch: trains the model for one epoch, with the optimizer and the generator.
    epochs: how many epochs there are in all, those of earlier runs included.
    path: the checkpoint. Where it exists training goes on from it, else it begins with the model as it is. Where it is
    damaged, the ValueError of `read` goes to the caller, and the file stays as it is.
    model, optimizer, scheduler, generator: as in `resume`.
    Each epoch is one_epoch, then one step of the scheduler, then a checkpoint of all that as `pack`, written as
    `write` does: an epoch that is in the file is never run again, and one that is not is run anew. The functions
    above are yours to use.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> model = nn.Linear(1, 1)
    >>> optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    >>> scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=10)
    >>> def one_epoch():
    ...     optimizer.step()
    ...     print("an epoch")
    >>> with TemporaryDirectory() as folder:
    ...     train(one_epoch, 2, Path(folder, "run.pt"), model, optimizer, scheduler, torch.Generator())
    ...     train(one_epoch, 3, Path(folder, "run.pt"), model, optimizer, scheduler, torch.Generator())
    an epoch
    an epoch
    an epoch
    """
    raise NotImplementedError("train")
