"""Ranks: runs a body of a spec in real processes that form one group, and judges each of them.

A fork server that has torch in memory starts every rank afresh (spawn where there is none): a group of two is up in a
tenth of a second, and no rank inherits a thread or a lock. The group meets in a file, never at a port.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import pickle
import re
import shutil
import signal
import tempfile
import time
from collections.abc import Callable, Iterable
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import torch
import torch.distributed as dist

from torchkatas.answers import Frame, carry
from torchkatas.compare import Raised
from torchkatas.rank import Call, Job, RankFault, World, end, live

DEADLINE = 20.0  # seconds: four fork servers that started at once on a loaded machine took nine
PRINTED = 40_000  # bytes that are shown of what a rank prints
# how gloo, NCCL and the stores of torch 2.4 and 2.13 say that a peer is gone
GONE = re.compile(r"closed by peer|reset by peer|[Bb]roken pipe|[Cc]onnection refused|remote process exited|Socket")
MAIN = re.compile(r"torchkatas/(rank\.py\", line \d+ in live|launched\.py\", line \d+ in main)\b")  # where a rank lives
LINE = re.compile(r'File "(.+)", line (\d+) in (\S+)')  # of faulthandler
NOISE = re.compile(
    r"(\[rank\d+\]:)?\[[IWE]\d{4} |\[Gloo\]|terminate called|  what\(\)"
)  # the log lines of torch and gloo


def worlds(*sizes: int) -> list[Any]:
    """Parameters for a test: gloo on the CPU with each of these numbers of ranks, and NCCL with one rank a GPU."""
    gloo = [pytest.param(World(size), marks=pytest.mark.ddp, id=f"{size} ranks") for size in sizes]
    return [*gloo, pytest.param(World(torch.cuda.device_count(), "cuda"), marks=pytest.mark.multigpu, id="GPUs")]


def preload(modules: Iterable[str] = ()) -> None:
    """Name what the fork server is to have in memory, before anything starts it: a DataLoader's workers do, too.

    The modules whose bodies will run on ranks are part of it, so that no rank compiles one again.
    """
    # glibc's memory in huge pages: each fork copies the tables of pages, each exit takes them apart
    os.environ.setdefault("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1")
    multiprocessing.set_forkserver_preload(["torchkatas.preloaded", *sorted(modules)])


def specs(items: Iterable[pytest.Item]) -> set[str]:
    """The modules whose bodies will run on ranks."""
    marked = [item for item in items if item.get_closest_marker("ddp") or item.get_closest_marker("multigpu")]
    return {item.module.__name__ for item in marked if isinstance(item, pytest.Function)}


def run(
    body: Callable[..., Any],
    kata: Any,
    world: World,
    given: dict[str, Any],
    answers: Path,
    forbidden: tuple[str, ...] = (),
    deadline: float = DEADLINE,
) -> list[Any]:
    """What `body(kata, rank, **given)` returned on each rank, or the exception (Raised) that each raised by itself.

    Raises the error of the rank that failed first where others were left alone by it; RankFault where a rank exited,
    was killed, was stuck, or ended while another still waited for it. What the ranks print is printed.
    """
    folder = Path(tempfile.mkdtemp(prefix="ranks-"))
    store = None if world.start in ("group", "alone") else meeting()
    job = Job(body, kata, given, world, folder, answers, forbidden, deadline, store.port if store else 0)
    method = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
    context: Any = multiprocessing.get_context(method)
    processes: list[Any] = []
    try:
        for rank in range(world.size):
            processes.append(context.Process(target=live, args=(job, rank)))  # no daemon, which may have no workers
            processes[-1].start()  # returns once the fork server is up: its imports are on no clock
        _wait(job, processes)
        return judged(job, [process.exitcode for process in processes])
    finally:
        for process in processes:
            if process.pid is not None:
                process.kill()
                end(process.pid)
                process.join()
        show(job)
        shutil.rmtree(folder, ignore_errors=True)


def meeting() -> Any:
    """A store at which processes meet, for as long as it is kept; the system chose its port."""
    return dist.TCPStore("localhost", 0, is_master=True, wait_for_workers=False)  # type: ignore[attr-defined]


def _wait(job: Job, processes: list[Any]) -> None:
    """Wait until all have ended, or cannot end any more."""
    end = time.monotonic() + job.deadline + 1  # at the deadline each writes its stack
    read = written = -1
    while time.monotonic() < end:
        living = [process.sentinel for process in processes if process.exitcode is None]
        before, written = written, sum(_size(job.file("collectives", rank)) for rank in range(job.world.size))
        if before == written != read:  # only ranks that wait can be apart; long journals are read once
            read = written
            if _apart(job):
                return
        if not living:
            return
        wait(living, timeout=0.05)


def _size(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0


def judged(job: Job, exits: list[int | None]) -> list[Any]:
    """What came of each rank by what it wrote, and by its exit status where it wrote nothing; None: it did not end."""
    ends = [End.of(job, rank, status) for rank, status in enumerate(exits)]
    if all(end.how in ("gave", "raised") for end in ends) and not _apart(job):  # they may pass without having met
        return [Raised(end.value) if end.how == "raised" else end.value for end in ends]
    raise _cause(job, ends)


def _cause(job: Job, ends: list[End]) -> BaseException:
    """What failed first: the rest is its consequence."""
    how = {kind: [end for end in ends if end.how == kind] for kind in ("raised", "killed", "exited", "stuck", "alone")}
    if apart := _apart(job):
        met = ", ".join(f"rank {rank} in {call}" for rank, call in enumerate(apart))
        said = f"The ranks do not meet: {met}. Each must make the same collectives, in the same order."
        return carry(RankFault(said), apart[0].frames)
    if how["raised"]:
        error: BaseException = how["raised"][0].value
        return error
    if how["killed"]:
        end = how["killed"][0]
        within = f" in {end.place}" if end.place else ""
        name = next((one.name for one in signal.Signals if one == -end.value), f"signal {-end.value}")
        return carry(RankFault(f"Rank {end.rank} was killed by {name}{within}."), end.frames)
    if how["exited"]:
        end = how["exited"][0]
        said = f"Rank {end.rank} ended its process with status {end.value}, and returned nothing."
        return carry(RankFault(said), end.frames)
    if how["stuck"]:
        states = " and ".join(f"rank {end.rank} {end.state}" for end in ends)
        running = [end for end in how["stuck"] if not end.place]
        return carry(RankFault(f"After {job.deadline:g} seconds {states}."), [*running, *how["stuck"]][0].frames)
    end, ended = how["alone"][0], [end for end in ends if end.how == "gave"]
    others = " and ".join(f"rank {end.rank}" for end in ended) or "another rank"
    said = f"While rank {end.rank} was in {end.place or 'a collective'}, {others} had ended: "
    return carry(RankFault(f"{said}each rank must make the same collectives, as often."), end.frames)


class End(NamedTuple):
    """How one rank ended."""

    rank: int
    how: str  # gave, raised, alone (raised, for a peer was gone), killed, exited, stuck
    value: Any  # what it gave or raised, its signal or its status
    frames: list[Frame]
    call: Call | None  # the collective that it was in

    @classmethod
    def of(cls, job: Job, rank: int, status: int | None) -> End:
        call = [None, *_calls(job, rank)][-1]
        if job.file("verdict", rank).exists():
            how, packed, found = pickle.loads(job.file("verdict", rank).read_bytes())
            value = pickle.loads(packed)
            if how == "raised":
                carry(value, found)
                how = "alone" if isinstance(value, RuntimeError) and GONE.search(str(value)) else how
            return cls(rank, how, value, found, call)
        found = call.frames if call else _stack(job, rank)
        how = "stuck" if status is None else "killed" if status < 0 else "exited"
        return cls(rank, how, status, found, call)

    @property
    def place(self) -> str:
        """What it was waiting in; empty where it was not."""
        if self.call:
            return str(self.call)
        folders = [path.parts[-3:-1] for path, _, _ in self.frames]
        if ("nn", "parallel") in folders:
            return "DistributedDataParallel"
        if ("torch", "autograd") in folders:
            return "backward"
        return self.frames[-1][2] if ("torch", "distributed") in folders else ""

    @property
    def state(self) -> str:
        if self.how in ("stuck", "alone"):
            return f"was in {self.place}" if self.place else "was still running"
        return "had ended"


def _calls(job: Job, rank: int) -> list[Call | None]:
    """The collectives that a rank entered, each followed by None where it left it."""
    file = job.file("collectives", rank)
    lines = file.read_text().split("\n")[:-1] if file.exists() else []  # the last may be half written
    return [Call(*call) if (call := json.loads(line)) else None for line in lines]


def _apart(job: Job) -> list[Call]:
    """The first collectives, one of each rank, that cannot meet; none where all can."""
    made = [[call for call in _calls(job, rank) if call and not call.part] for rank in range(job.world.size)]
    return next((list(met) for met in zip(*made, strict=False) if not all(call.fits(met[0]) for call in met)), [])


def _stack(job: Job, rank: int) -> list[Frame]:
    """The frames of a rank's main thread, as faulthandler wrote them at the deadline or a crash; the deepest last."""
    text = job.file("stack", rank).read_text(errors="replace") if job.file("stack", rank).exists() else ""
    main = next((part for part in text.split("\n\n") if re.search(MAIN, part)), "")
    return [(Path(file), int(line), name) for file, line, name in re.findall(LINE, main)][::-1]


def show(job: Job) -> None:
    """Print what the ranks printed, each line with its rank."""
    for rank in range(job.world.size):
        file = job.file("printed", rank)
        if not file.exists():
            continue
        with file.open("rb") as printed:
            head = printed.read(PRINTED).decode(errors="replace").splitlines()
        more = [f"... {_size(file) - PRINTED} more bytes"] if _size(file) > PRINTED else []
        for line in [*head, *more]:
            if not NOISE.match(line):
                print(f"[rank {rank}] {line}")
