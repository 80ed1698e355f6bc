"""One process of a launch: torchrun itself, or a rank that runs the script as __main__ and writes what came of it.

python -m torchkatas.launched FOLDER [arguments of torchrun]

It watches over its end before it imports torch, which may take seconds.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import pickle
import runpy
import signal
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

LAST_RESORT = 90  # seconds, after which the system ends it, where C code lets no thread run


def script(kata: Any, rank: int, module: str, args: Sequence[str]) -> dict[str, Any]:
    """Run a module as `python -m` does: the body of a rank."""
    import torch.distributed as dist

    printed = io.StringIO()
    sys.argv[1:] = args
    try:
        with contextlib.redirect_stdout(printed):
            runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as ended:
        if ended.code:
            raise
    finally:
        print(printed.getvalue(), end="")
    is_up = dist.is_available() and dist.is_initialized()
    return {"printed": [_read(line) for line in printed.getvalue().splitlines()], "group": is_up}


def _read(line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return line


def _end_with_pytest() -> None:
    if hasattr(signal, "alarm"):
        signal.alarm(LAST_RESORT)

    def watch() -> None:
        os.read(0, 1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def main(folder: str, *torchrun: str) -> None:
    _end_with_pytest()
    if torchrun:
        from torch.distributed.run import main as run_torchrun

        run_torchrun(list(torchrun))
        return
    rank, written = int(os.environ.get("RANK", 0)), Path(folder, "job")
    Path(folder, f"pid{rank}").write_text(str(os.getpid()))
    from torchkatas.rank import keep_output, write_verdict

    job = pickle.loads(written.read_bytes())
    keep_output(job._replace(deadline=max(1.0, written.stat().st_mtime + job.deadline - time.time())), rank)
    returned = write_verdict(job, rank)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0 if returned else 1)  # where Python ends, a thread of gloo's aborted in 2 of 60 runs (torch 2.13)


if __name__ == "__main__":
    main(*sys.argv[1:])
