"""Promise 10: nothing hangs and nothing is left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests import rank_table

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="processes are counted by /proc, which Linux has"
)
MEET = "RankFault: The ranks do not meet: "
ENDED = "rank {} had ended: each rank must make the same collectives, as often."
AFTER = "RankFault: After 4 seconds "

# what came of each fault in tests/rank_faults.py; "*" stands for whatever is not promised
CAME = {
    "total": "[tensor([ 3., -3.]), tensor([ 3., -3.])]",
    "trained": "[[tensor(*",
    "drawn": "[True, False]",  # each rank has a seed of its own
    "raises": "KeyError: 'learning rate'",
    "raises_everywhere": "[ValueError: no batch for rank 0, ValueError: no batch for rank 1]",
    "raises_unpicklable": "[RuntimeError: Odd: 1 and 2, RuntimeError: Odd: 1 and 2]",
    "raises_unreadable": "[RuntimeError: Number: three, RuntimeError: Number: three]",
    "raises_unprintable": "[RuntimeError: Mute: <its text raises ValueError>, *",
    "raises_with_frames": "Framed: a picture",
    "interrupts": "RuntimeError: KeyboardInterrupt",  # of a rank, which is no Ctrl-C
    "unwritten": "NotImplementedError: unwritten",
    "returns_a_lambda": "*ickle local object*",
    "exits": "SystemExit: 3",
    "exits_at_once": "RankFault: Rank 1 ended its process with status 0, and returned nothing.",
    "exits_everywhere": "RankFault: Rank 0 ended its process with status 7, and returned nothing.",
    "segfaults": "RankFault: Rank 1 was killed by SIGSEGV.",
    "is_killed": "RankFault: Rank 1 was killed by SIGKILL.",
    "is_killed_without_a_name": "RankFault: Rank 1 was killed by signal *.",
    "returns_in_a_child": "RankFault: Rank 0 ended its process with status 7, and returned nothing.",
    "ends_early": f"RankFault: While rank 0 was in all_reduce of float32 [2], {ENDED.format(1)}",
    "barrier_on_rank_0": f"RankFault: While rank 0 was in barrier, {ENDED.format(1)}",
    "backward_on_rank_0": f"RankFault: While rank 0 was in backward, {ENDED.format(1)}",
    "wraps_on_rank_0": f"RankFault: While rank 0 was in DistributedDataParallel, {ENDED.format(1)}",
    "one_more_step": f"RankFault: While rank 1 was in all_reduce of float32 [2], {ENDED.format(0)}",
    "other_order": f"{MEET}rank 0 in all_reduce of float32 [3], rank 1 in barrier.*",
    "other_shape": f"{MEET}rank 0 in all_reduce of float32 [2], rank 1 in all_reduce of float32 [3].*",
    "other_dtype": f"{MEET}rank 0 in all_reduce of float32 [3], rank 1 in all_reduce of float64 [3].*",
    "gathers_unequal_parts": f"{MEET}rank 0 in all_gather of float32 [2], rank 1 in all_gather of float32 [3].*",
    "gathers_objects": "[[7, tensor([0., 0.])], [7, tensor([0., 0.])]]",
    "gathers_to_the_default": "[[tensor([5.]), tensor([6.])], None]",
    "broadcasts_from_a_numpy_number": "[tensor([6.]), tensor([6.])]",
    "broadcasts_from_itself": f"{MEET}rank 0 in broadcast of float32 [1] with root 0, rank 1 *with root 1.*",
    "loops": f"{AFTER}rank 0 was in all_reduce of float32 [2] and rank 1 was still running.",
    "sleeps": f"{AFTER}rank 0 was in all_reduce of float32 [2] and rank 1 was still running.",
    "receives_from_nobody": f"{AFTER}rank 0 was in recv and rank 1 was in recv.",
    "waits_for_a_lock": f"{AFTER}rank 0 was still running and rank 1 was still running.",
    "ends_the_group": "[RankFault: destroy_process_group ends the group here*",
    "begins_a_second_group": "[ValueError: trying to initialize the default process group twice*",
    "leaves_a_thread": "[tensor([ 3., -3.]), tensor([ 3., -3.])]",
    "leaves_a_child": "[tensor([ 3., -3.]), tensor([ 3., -3.])]",
    "loads_with_workers": "[[tensor([0, 1, 2]), tensor([3, 4])], [tensor([0, 1, 2]), tensor([3, 4])]]",
    "leaves_workers": "[tensor([0]), tensor([0])]",
    "has_no_output": "[tensor([ 3., -3.]), tensor([ 3., -3.])]",
    "prints_much": "[tensor([ 3., -3.]), tensor([ 3., -3.])]",
    "ignores_the_alarm": f"{AFTER}rank 0 was still running and rank 1 was still running.",
    "wrong_device": "[*Error: *",
    "wrong_backend": "[*Error: *",
    "more_ranks_than_there_are": "[*Error: *",
}
# the deepest of the learner's functions that is named, where one is to look
WHERE = {
    "raises": "raises",
    "raises_with_frames": "raises_with_frames",
    "loops": "loops",
    "sleeps": "sleeps",
    "other_order": "other_order",
    "ends_early": "total",
}


def table(*arguments: str, folder: Path | None = None) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.rank_table", *arguments]
    return subprocess.Popen(
        command,
        cwd=Path(__file__).parents[2],
        env={**os.environ, **({"TMPDIR": str(folder)} if folder else {})},
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


@pytest.fixture(scope="module")
def came() -> dict[str, dict[str, object]]:
    printed, _ = table().communicate()
    lines = [json.loads(line) for line in printed.splitlines() if line.startswith('{"fault"')]
    return {line["fault"]: line for line in lines}


@pytest.mark.parametrize("fault", CAME)
def test_a_fault_of_a_rank_is_told_and_leaves_nothing(came, fault):
    """Catches a hang, a cause that is told as its consequence, and processes, threads or files that stay."""
    from fnmatch import fnmatchcase

    told = came[fault]
    pattern = CAME[fault].replace("[", "[[]")
    assert fnmatchcase(str(told["came"]), pattern), told
    assert told["left"] == 0
    if fault in WHERE:
        assert WHERE[fault] in told["where"]


def test_every_fault_is_in_the_table(came):
    """Catches a fault that is injected and never judged."""
    assert came.keys() == CAME.keys()
    assert len(CAME) >= 25


@pytest.fixture
def folder():
    """A temporary folder with a short name: the fork server's socket lies in it, whose path has a limit of 108."""
    with tempfile.TemporaryDirectory(prefix="k") as name:
        yield Path(name)


@pytest.mark.timeout(90)
@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("how", ["SIGINT", "SIGTERM", "SIGKILL"])
def test_no_rank_outlives_pytest(tmp_path, folder, how):
    """Catches ranks that loop, or wait in C++, after whoever started them is gone, and files that nobody removes."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    parent = table(str(pipe), folder=folder)
    with open(pipe) as ranks:
        started = {ranks.readline(), ranks.readline()}
        parent.send_signal(getattr(signal, how))
        rest = ranks.read()  # ends when no rank has the pipe open any more
    parent.communicate()
    assert (started, rest) == ({"0\n", "1\n"}, "")
    while left := rank_table.processes(parent.pid):  # the fork server ends once the last rank has
        os.sched_yield()
    assert not left
    assert not list(folder.glob("ranks-*"))
