"""What a run costs, as ratios in one run, each command next to its reference in turn: `nox -s bench`.

nox -s bench -- repeats: 500 groups of two ranks in a row, then 200 under -n 4 beside two busy loops.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests import rank_faults

ROUNDS = 5
TORCH, BOTH, DYNAMO = "import torch", "import torch, pytest", "import torch._dynamo, pytest"
SOLVED = "--answers=solutions"
FIRST = [f"katas/{name}" for name in sorted(os.listdir("katas")) if name[:2] <= "08" and name[0] == "0"]
CASES = (  # what, its command, its reference, the bound of the ratio
    ("03_autograd on solutions", ("-m", "pytest", "katas/03_autograd", SOLVED), BOTH, 1.45),
    ("01_components on solutions", ("-m", "pytest", "katas/01_components", SOLVED), BOTH, 2.4),
    ("collecting all katas", ("-m", "pytest", "katas", "--collect-only", "-q"), TORCH, 1.5),
    ("01-08 on solutions, none slow", ("-m", "pytest", *FIRST, SOLVED, "-m", "not slow"), DYNAMO, 4),
    ("10_distributed, none slow", ("-m", "pytest", "katas/10_distributed", SOLVED, "-m", "not slow"), TORCH, 6),
    ("starting the harness alone", ("-c", "import pytest, torchkatas.plugin"), "import pytest", None),
)


def cpu(*command: str) -> float:
    """User and system seconds of a child and of all that it leaves to us: a fork server and its ranks (Linux).

    0 on Windows, which does not tell.
    """
    before = os.times()
    subprocess.run([sys.executable, *command], stdout=subprocess.DEVNULL, check=True)
    with contextlib.suppress(ChildProcessError, AttributeError):
        while True:
            os.wait()
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def told(what: str, ratios: list[float], reference: str, bound: float | None) -> None:
    print(
        f"{what:<30} {statistics.median(ratios):.3g} x `{reference}`  [{min(ratios):.3g} - {max(ratios):.3g}, "
        f"{len(ratios)} rounds]{f'  bound {bound:.3g}' if bound else ''}",
        flush=True,
    )


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def spawned(rank: int, store: str) -> None:
    """What a rank does under mp.spawn: the same training, in a group of its own."""
    import torch.distributed as dist

    dist.init_process_group("gloo", store=dist.FileStore(store, 2), rank=rank, world_size=2)
    rank_faults.trained(None, rank)
    os._exit(0)  # ending the group could deadlock


def ranks() -> None:
    import torch.multiprocessing as mp

    from torchkatas import ranks
    from torchkatas.rank import World

    def group() -> None:
        ranks.run(rank_faults.trained, None, World(2), {}, Path(__file__).parent)

    def spawn() -> None:
        with tempfile.TemporaryDirectory() as folder:
            mp.spawn(spawned, (f"{folder}/store",), nprocs=2)

    ranks.preload()
    start = seconds(group)  # with the fork server's start
    dynamo = seconds(lambda: subprocess.run([sys.executable, "-c", "import torch._dynamo"], check=True))
    told("starting the fork server", [start / dynamo], "import torch._dynamo", 1.5)
    told("two ranks, DDP, three steps", [seconds(group) / seconds(spawn) for _ in range(ROUNDS)], "mp.spawn", 1 / 30)


def repeats() -> None:
    command = [sys.executable, "-m", "pytest", "tests/many_ranks.py", "-q", "-p", "no:cacheprovider", "--timeout=60"]
    subprocess.run(command, env={**os.environ, "REPEATS": "500"}, check=True)
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try:
        subprocess.run([*command, "-n", "4"], env={**os.environ, "REPEATS": "200"}, check=True)
    finally:
        for process in busy:
            process.kill()


def main() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(36, 1)  # PR_SET_CHILD_SUBREAPER: what a child leaves behind becomes ours
    if "repeats" in sys.argv:
        return repeats()
    ranks()
    for what, command, reference, bound in CASES:
        cpu(*command), cpu("-c", reference)  # warm the disk cache
        told(what, [cpu(*command) / cpu("-c", reference) for _ in range(ROUNDS)], reference, bound)
    return None


if __name__ == "__main__":
    main()
