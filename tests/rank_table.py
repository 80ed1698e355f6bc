"""Injects each fault into two ranks and says in JSON, a line each, what came of it and what it left behind.

python -m tests.rank_table            all of them
python -m tests.rank_table PIPE       two ranks that never end, with PIPE open for as long as they live

Run it in a session of its own: what is counted are the session's processes.
"""

from __future__ import annotations

import inspect
import json
import os
import sys
import tempfile
import time
from pathlib import Path

from torchkatas import ranks
from torchkatas.answers import frames
from torchkatas.rank import World

STUCK = ("loops", "sleeps", "receives_from_nobody", "waits_for_a_lock", "ignores_the_alarm")


def processes(session: int) -> set[int]:
    """All processes of a session that have not ended (Linux)."""
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, sid = stat.read_text().rpartition(")")[2].split()[:4]
        except OSError:  # it ended meanwhile
            continue
        if int(sid) == session and state != "Z":
            found.add(int(stat.parent.name))
    return found


def holds(kata, rank, pipe):
    from tests import rank_faults

    with open(pipe, "w") as file:
        file.write(f"{rank}\n")
        file.flush()
        rank_faults.loops(kata, rank)


def main() -> None:
    from tests import rank_faults

    ranks.preload()
    here = Path(__file__).parent
    if len(sys.argv) > 1:
        ranks.run(holds, None, World(2), {"pipe": sys.argv[1]}, here, deadline=60)
    ranks.run(rank_faults.total, None, World(2), {}, here)
    before = processes(os.getsid(0))  # this one, its fork server and what tracks its resources
    tempfile.tempdir = tempfile.mkdtemp()
    for name, body in vars(rank_faults).items():
        if not inspect.isfunction(body) or body.__module__ != rank_faults.__name__:
            continue
        try:
            deadline = 4 if name in STUCK else ranks.DEADLINE
            came = repr(ranks.run(body, None, World(2), {}, here, deadline=deadline))
            where = ""
        except BaseException as error:
            came, where = f"{type(error).__name__}: {error}", [frame[2] for frame in frames(error)]
        end = time.monotonic() + 5  # a process that was killed needs a moment to be gone
        while (left := processes(os.getsid(0)) - before) and time.monotonic() < end:
            os.sched_yield()
        left = len(left) + len(os.listdir(tempfile.tempdir))
        print(json.dumps({"fault": name, "came": came, "where": where, "left": left}), flush=True)


if __name__ == "__main__":
    main()
