"""Launch: starts a script as a learner does: alone, by torchrun, or by two torchruns that meet at one rendezvous.

torchrun does the work. The standard input of all that is started is one pipe, to which nobody writes: it closes when
pytest ends, and so do they.
"""

from __future__ import annotations

import os
import pickle
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from torchkatas import launched, ranks
from torchkatas.answers import HOME
from torchkatas.compare import Raised
from torchkatas.rank import Job, RankFault, World, end

DEADLINE = 40.0  # seconds: two torchruns take eight on an idle machine, and took twenty on a loaded one
SOON = 5.0  # seconds for a torchrun to end after another one has failed: by itself it would take minutes
EXIT = re.compile(r"rank\s*: (\d+) .*\n\s*exitcode\s*: (-?\d+)")  # on the page that torchrun prints of a failure


def command(main: Callable[..., Any], world: World, args: Sequence[str]) -> str:
    """What a learner would type."""
    nodes = f"--nnodes={world.size} --nproc_per_node=1"
    start = {"alone": "python", "torchrun": f"torchrun --nproc_per_node={world.size}", "nodes": f"torchrun {nodes}"}
    return " ".join([start[world.start], f"{main.__module__.rpartition('.')[2]}.py", *args])


def rehearse(module: str, world: World, args: Sequence[str], answers: Path) -> list[Any]:
    """As `run`, on ranks that the fork server starts in torchrun's place, in a tenth of a second."""
    return _whole(ranks.run(launched.script, None, world, {"module": module, "args": args}, answers))


def run(module: str, world: World, args: Sequence[str], answers: Path, deadline: float = DEADLINE) -> list[Any]:
    """What `launched.script` returned on each rank. Raises what failed first: a rank's own error, or a RankFault."""
    folder = Path(tempfile.mkdtemp(prefix="launch-"))
    job = Job(launched.script, None, {"module": module, "args": args}, world, folder, answers, (), deadline)
    (folder / "job").write_bytes(pickle.dumps(job))
    store = ranks.meeting() if world.start == "nodes" else None
    hidden = {"CUDA_VISIBLE_DEVICES": ""} if world.device == "cpu" else {}
    path = os.pathsep.join(filter(None, [str(HOME), os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": path, **hidden}
    silence, pipe = os.pipe()
    processes: list[subprocess.Popen[bytes]] = []
    try:
        with open(folder / "torchrun", "wb") as page:
            for _ in range(world.size if store else 1):
                line = [sys.executable, "-m", launched.__name__, str(folder), *_torchrun(folder, world, store)]
                settings: Any = {"stdin": silence, "stdout": page, "stderr": page, "env": environment}
                processes.append(subprocess.Popen(line, start_new_session=True, **settings))
        return _judged(job, _wait(processes, deadline + 1))  # at the deadline each rank writes its stack
    finally:
        os.close(pipe)
        os.close(silence)
        if None in [process.poll() for process in processes]:
            for pid in [
                *(process.pid for process in processes),
                *(int(file.read_text()) for file in folder.glob("pid*")),
            ]:
                end(pid)
        for process in processes:
            process.wait()
        ranks.show(job)
        shutil.rmtree(folder, ignore_errors=True)


def _whole(outcome: list[Any]) -> list[Any]:
    """What came of all ranks where none raised an error: torchrun ends the others as soon as one does."""
    if raised := next((value for value in outcome if isinstance(value, Raised)), None):
        raise raised.error
    return outcome


def _wait(processes: list[subprocess.Popen[bytes]], seconds: float) -> list[int | None]:
    """The status of each; None where it has not ended in time, or soon after another one failed."""
    late = time.monotonic() + seconds
    while True:
        statuses = [process.poll() for process in processes]
        if None not in statuses or time.monotonic() > late:
            return statuses
        if any(statuses):
            late = min(late, time.monotonic() + SOON)
        time.sleep(0.05)


def _torchrun(folder: Path, world: World, store: Any) -> list[str]:
    """The arguments of torchrun; none for a script that runs alone. No port is chosen by number.

    Two torchruns meet at a store that this process keeps, at a port that the system chose: neither may open it again.
    """
    if world.start == "alone":
        return []
    meet = ["--standalone", f"--nproc-per-node={world.size}"]
    if store:
        meet = ["--rdzv-backend=c10d", f"--rdzv-endpoint=localhost:{store.port}", "--rdzv-conf=is_host=false"]
        meet += ["--rdzv-id=katas", f"--nnodes={world.size}", "--nproc-per-node=1"]
    return [*meet, "--local-addr=localhost", "-m", launched.__name__, str(folder)]


def _judged(job: Job, statuses: list[int | None]) -> list[Any]:
    """By what the ranks wrote; where that is all right, by how their processes ended."""
    page = (job.folder / "torchrun").read_text(errors="replace")
    told = {int(rank): int(status) for rank, status in EXIT.findall(page)}
    failed = next((status for status in statuses if status), None)
    if failed and not any(job.folder.glob("pid*")):
        print(page)
        raise RankFault(f"No rank came to run the script: it ended with status {failed}.")
    outcome = _whole(ranks.judged(job, [told.get(rank, failed) for rank in range(job.world.size)]))
    if failed:
        rank, status = next(iter(told.items()), (0, failed))
        how = f"was killed by {signal.Signals(-status).name}" if status < 0 else f"ended with status {status}"
        raise RankFault(f"Rank {rank} {how} after its script had returned.")
    if None in statuses:
        raise RankFault(f"After {job.deadline:g} seconds the script had returned, and its process had not ended.")
    return outcome
