"""One rank: a process that joins the group, runs a spec's body, and writes down what came of it.

It never ends the group, which can deadlock (torch 2.4 and 2.13), and leaves by os._exit once its verdict is written: a
peer who still waits for it is told at once, by the closed connection. All that it has to say lies in files of its own.
"""

from __future__ import annotations

import datetime
import faulthandler
import inspect
import json
import multiprocessing
import os
import pickle
import random
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import nullcontext, suppress
from functools import wraps
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import numpy
import torch
import torch.distributed as dist
from torch import Tensor

from torchkatas.answers import Frame, frames, inside
from torchkatas.by_hand import Watch
from torchkatas.compare import Raised

SEED = 1000  # of rank 0; each rank has its own, or a model that was never broadcast would look equal
COLLECTIVES = (
    *("all_reduce", "broadcast", "reduce", "all_gather", "gather", "scatter", "reduce_scatter", "barrier"),
    *("all_gather_into_tensor", "reduce_scatter_tensor", "all_gather_object", "gather_object"),
    *("broadcast_object_list", "scatter_object_list", "monitored_barrier"),
)


class World(NamedTuple):
    """Where a body runs: on how many ranks, and on which kind of device.

    start: what a body finds there: the "group"; or no group, and what "torchrun" says to the ranks of one node, or of
    "nodes" with one rank each; or, "alone", nothing at all.
    """

    size: int
    device: str = "cpu"
    start: str = "group"

    def environment(self, rank: int, port: int) -> dict[str, str]:
        """What torchrun tells a rank, of which the agent's store is at that port."""
        if self.start == "alone":
            return {}
        local = rank if self.start == "torchrun" else 0
        numbers = {"RANK": rank, "LOCAL_RANK": local, "GROUP_RANK": rank - local, "WORLD_SIZE": self.size}
        numbers |= {"LOCAL_WORLD_SIZE": self.size if self.start == "torchrun" else 1, "MASTER_PORT": port}
        numbers |= {"TORCHELASTIC_RESTART_COUNT": 0, "TORCHELASTIC_MAX_RESTARTS": 0}
        names = {"MASTER_ADDR": "localhost", "TORCHELASTIC_USE_AGENT_STORE": "True", "TORCHELASTIC_RUN_ID": "katas"}
        return {**names, **{name: str(number) for name, number in numbers.items()}}


class Job(NamedTuple):
    """What every rank of a group is to do."""

    body: Callable[..., Any]  # a function of a spec, called as body(kata, rank, **given)
    kata: Any
    given: dict[str, Any]
    world: World
    folder: Path  # of this run alone: where the group meets, and a file of each kind for each rank
    answers: Path
    forbidden: tuple[str, ...]
    deadline: float
    port: int = 0  # of the store at which ranks meet who begin the group themselves

    def file(self, kind: str, rank: int) -> Path:
        return self.folder / f"{kind}{rank}"


class RankFault(Exception):
    """What became of ranks that gave no answer, in one sentence."""


class Call(NamedTuple):
    """A collective that a rank called. Two ranks whose next ones differ wait for each other, or crash."""

    name: str
    dtype: str = ""
    shape: list[int] | None = None
    root: int | None = None
    part: bool = False  # of a part of the ranks only, which may rightly differ
    frame: tuple[str, int, str] | None = None  # the learner's line

    def __str__(self) -> str:
        what = f" of {self.dtype} {self.shape}" if self.dtype else ""
        return f"{self.name}{what}{'' if self.root is None else f' with root {self.root}'}"

    @property
    def frames(self) -> list[Frame]:
        return [(Path(self.frame[0]), *self.frame[1:])] if self.frame else []

    def fits(self, other: Call) -> bool:
        """Whether the two can meet."""
        one, two = ((c.name, c.dtype, torch.Size(c.shape or ()).numel(), c.root) for c in (self, other))
        return self.part or other.part or one == two


def live(job: Job, rank: int) -> NoReturn:
    """The life of one rank."""
    _die_with_parent(job)
    keep_output(job, rank)
    multiprocessing.set_start_method(None, force=True)  # workers of a rank start as they do in a script
    torch.set_num_threads(1)
    # torch.manual_seed also keeps a stack for each GPU that may come to be used: 2 ms of each rank
    of_torch = torch.manual_seed if job.world.device == "cuda" else torch.default_generator.manual_seed
    for seed in (of_torch, random.seed, numpy.random.seed):
        seed(SEED + rank)  # type: ignore[operator]
    if os.name == "posix":  # by the loop inside the machine: the network's name of it may not resolve
        os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo0" if sys.platform == "darwin" else "lo")
    if job.world.start == "group":
        _join(job, rank)
        _keep_the_group()
    else:
        hidden = {"CUDA_VISIBLE_DEVICES": ""} if job.world.device == "cpu" else {}
        os.environ.update({**job.world.environment(rank, job.port), **hidden})
    _note_collectives(job, rank)
    write_verdict(job, rank)
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):  # it may be closed, or None
            stream.flush()
    _wait_for_others(job)
    os._exit(0)


def _wait_for_others(job: Job) -> None:
    """Leave no peer alone while it still connects; one that waits for this rank will wait for ever."""
    late = time.monotonic() + 1
    verdicts = [job.file("verdict", rank) for rank in range(job.world.size)]
    while job.world.start != "group" and time.monotonic() < late and not all(file.exists() for file in verdicts):
        time.sleep(0.005)


def keep_output(job: Job, rank: int) -> None:
    """Send what this process prints to a file, and to another one its stacks, at a crash and at the deadline."""
    printed = os.open(job.file("printed", rank), os.O_WRONLY | os.O_CREAT)
    os.dup2(printed, 1)
    os.dup2(printed, 2)
    stack = open(job.file("stack", rank), "w")  # noqa: SIM115 - for as long as the rank lives
    faulthandler.enable(stack)
    faulthandler.dump_traceback_later(job.deadline, file=stack)  # from a thread in C: while a collective blocks, too


def _join(job: Job, rank: int) -> None:
    if job.world.device == "cuda":
        torch.cuda.set_device(rank)
    dist.init_process_group(
        "nccl" if job.world.device == "cuda" else "gloo",
        store=dist.FileStore(str(job.file("store", 0)), job.world.size),  # type: ignore[attr-defined]
        rank=rank,
        world_size=job.world.size,
        timeout=datetime.timedelta(seconds=2 * job.deadline),
    )
    dist.barrier()  # nobody leaves while a peer still connects


def write_verdict(job: Job, rank: int) -> bool:
    """Run the body and write what came of it; whether it returned."""
    raised, pid = False, os.getpid()
    try:
        with Watch(job.forbidden, job.answers) if job.forbidden else nullcontext():
            value = job.body(job.kata, rank, **job.given)
        verdict = pickle.dumps(("gave", pickle.dumps(value), []))
    except BaseException as error:
        raised = True
        verdict = pickle.dumps(("raised", _packed(error), frames(error)))
    if os.getpid() != pid:
        os._exit(1)  # a child that an answer forked and let return: the verdict is not its own
    part = job.file("part", rank)
    part.write_bytes(verdict)
    part.replace(job.file("verdict", rank))
    return not raised


def _die_with_parent(job: Job) -> None:
    """End when pytest does, whatever ended it; the parent-death signal would tell of the fork server's end only."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches pytest, who ends the ranks
    if hasattr(os, "setpgid"):
        os.setpgid(0, 0)  # a group of processes of its own, with which its children end
    if hasattr(signal, "alarm"):
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(int(job.deadline) + 5)  # the last resort, where C code lets no thread run
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        wait([parent.sentinel])
        shutil.rmtree(job.folder, ignore_errors=True)  # which nobody else is there to remove
        end(os.getpid())
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def end(pid: int) -> None:
    """End what a rank may have left running."""
    if hasattr(os, "killpg"):
        with suppress(OSError):  # there is none, or it is a zombie's (macOS)
            os.killpg(pid, signal.SIGKILL)


def _keep_the_group() -> None:
    def refuse(*args: Any, **kwargs: Any) -> NoReturn:
        raise RankFault("destroy_process_group ends the group here, where only whoever began it may: leave it open.")

    _replace("destroy_process_group", refuse)


def _note_collectives(job: Job, rank: int) -> None:
    """Write each collective that this rank enters, and null where it leaves it, a line each, for the parent to read."""
    file = open(job.file("collectives", rank), "wb", buffering=0)  # noqa: SIM115 - for as long as the rank lives
    nested = False  # an all_gather_object calls all_gather

    def note(call: Call | None) -> None:
        file.write(json.dumps(call, default=str).encode() + b"\n")  # a root may be any number

    def noted(collective: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(collective)
        def call(*args: Any, **kwargs: Any) -> Any:
            nonlocal nested
            if nested:
                return collective(*args, **kwargs)
            note(_call(collective, args, kwargs, job.answers))
            nested = left = True
            try:
                return collective(*args, **kwargs)
            except Exception as error:
                left = not isinstance(error, RuntimeError)  # for then a peer is gone, or in another one
                raise
            finally:
                nested = False
                if left:
                    note(None)

        return call

    for name in COLLECTIVES:
        _replace(name, noted(getattr(dist, name)))


def _replace(name: str, function: Callable[..., Any]) -> None:
    """Put a function in the place of one of torch.distributed's, before the learner's file is loaded."""
    setattr(dist, name, function)
    setattr(dist.distributed_c10d, name, function)


def _call(collective: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], answers: Path) -> Call:
    name, signature = collective.__name__, inspect.signature(collective)
    try:
        given = signature.bind(*args, **kwargs).arguments
    except TypeError:  # which the call itself is about to raise
        given = kwargs
    # objects may differ from rank to rank: tensors and numbers among them say nothing of the call
    tensors = [] if "object" in name else [value for value in given.values() if isinstance(value, Tensor)]
    roots = [given[key] for key in ("src", "dst", "group_src", "group_dst") if given.get(key) is not None]
    rooted = {"src", "dst"} & signature.parameters.keys()
    return Call(
        name,
        str(tensors[0].dtype).removeprefix("torch.") if tensors else "",
        list(tensors[0].shape) if tensors else None,
        [*roots, 0][0] if rooted else None,  # unnamed, it is rank 0
        given.get("group") not in (None, dist.group.WORLD),
        _learners(answers),
    )


def _learners(answers: Path) -> tuple[str, int, str] | None:
    frame = sys._getframe()
    while frame is not None:
        if inside(frame.f_code.co_filename, answers):
            return frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name
        frame = frame.f_back  # type: ignore[assignment]
    return None


def _packed(error: BaseException) -> bytes:
    """An error as bytes; as its text, one that cannot be read again, and a Ctrl-C, which no rank can get."""
    with suppress(BaseException):
        packed = pickle.dumps(error)
        if type(pickle.loads(packed)) is type(error) is not KeyboardInterrupt:
            return packed
    return pickle.dumps(RuntimeError(repr(Raised(error))))
