"""What a run costs, as ratios in one run, each command next to its reference in turn: `nox -s bench`.

nox -s bench -- repeats: 500 groups of two ranks in a row, then 200 under -n 4 beside two busy loops.
nox -s bench -- loaded: all katas on the solutions, 20 times beside four busy loops: the verdicts must be the same.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
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

    ranks.preload([rank_faults.__name__])  # as a run does with its specs
    start = seconds(group)  # with the fork server's start
    dynamo = seconds(lambda: subprocess.run([sys.executable, "-c", "import torch._dynamo"], check=True))
    told("starting the fork server", [start / dynamo], "import torch._dynamo", 1.5)
    told("two ranks, DDP, three steps", [seconds(group) / seconds(spawn) for _ in range(ROUNDS)], "mp.spawn", 1 / 30)


@contextlib.contextmanager
def busy(loops: int) -> Iterator[None]:
    """A machine that is loaded with so many endless loops."""
    processes = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(loops)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()


def repeats() -> None:
    command = [sys.executable, "-m", "pytest", "tests/many_ranks.py", "-q", "-p", "no:cacheprovider", "--timeout=60"]
    subprocess.run(command, env={**os.environ, "REPEATS": "500"}, check=True)
    with busy(2):
        subprocess.run([*command, "-n", "4"], env={**os.environ, "REPEATS": "200"}, check=True)


def loaded() -> None:
    """The whole suite beside busy loops; raises where a verdict is another than in the first run."""
    first: dict[str, str] = {}
    with busy(4), tempfile.TemporaryDirectory() as folder:
        for number in range(1, 21):
            file = Path(folder) / "verdicts.jsonl"
            command = (sys.executable, "-m", "pytest", "katas", SOLVED, "-q", "-q", "--verdicts", str(file))
            took = seconds(lambda command=command: subprocess.run(command, stdout=subprocess.DEVNULL, check=True))
            verdicts = {row["test"]: row["verdict"] for row in map(json.loads, file.read_text().splitlines())}
            first = first or verdicts
            other = [test for test in first.keys() | verdicts.keys() if first.get(test) != verdicts.get(test)]
            counts = ", ".join(f"{count} {verdict}" for verdict, count in Counter(verdicts.values()).items())
            print(f"run {number}: {counts}, {len(other)} other than in the first; {took:.0f} s", flush=True)
            if other:
                raise SystemExit("\n".join(other))


def main() -> None:
    for long in (repeats, loaded):
        if long.__name__ in sys.argv:
            return long()
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(36, 1)  # PR_SET_CHILD_SUBREAPER: what a child leaves behind becomes ours
    for what, command, reference, bound in CASES:
        cpu(*command), cpu("-c", reference)  # warm the disk cache
        told(what, [cpu(*command) / cpu("-c", reference) for _ in range(ROUNDS)], reference, bound)
    ranks()  # last: its fork server stays, and cpu() waits for all that is left
    return None


if __name__ == "__main__":
    main()
