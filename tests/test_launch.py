"""A script is started as a learner starts it, and what became of it is told as of any other answer."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from torchkatas import launch
from torchkatas.answers import Tree, frames
from torchkatas.curriculum import Concept
from torchkatas.judge import unwritten
from torchkatas.rank import RankFault, World

SUMS = Concept("01_demo", "sums")
ALONE, TWO, NODES = World(1, "cpu", "alone"), World(2, "cpu", "torchrun"), World(2, "cpu", "nodes")
NAMES = ["RANK", "LOCAL_RANK", "GROUP_RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE", "TORCHELASTIC_RESTART_COUNT"]
SCRIPT = f"""
import json, os, sys
import torch.distributed as dist

def double(x):
    return x + x

def main():
    told = {{name: os.environ.get(name) for name in {NAMES}}}
    if told["RANK"]:
        dist.init_process_group("gloo")
        dist.barrier()
    print("as", __name__)
    print(json.dumps([double(3), sys.argv[1:], told]))

if __name__ == "__main__":
    main()
"""
MISTAKE = """
from torchkatas.bank import wrong

@wrong("tripled", replaces="double", says="That is three times x.")
def tripled(x):
    return 3 * x
"""
linux = pytest.mark.skipif(not Path("/proc/self").exists(), reason="processes are found by /proc, which Linux has")


@pytest.fixture
def answer(tmp_path):
    """Writes an answer to a concept of its own, and gives the name of its module."""

    def write(source, tree="katas", entry=""):
        file = tmp_path / tree / "01_demo" / "sums.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(source)
        return Tree(tmp_path / tree, entry).module(SUMS)

    return write


def run(module, world, *args, deadline=launch.DEADLINE):
    return launch.run(module, world, args, Path("/"), deadline)


@pytest.mark.parametrize(
    ("world", "line"),
    [
        (ALONE, "python sums.py 3"),
        (TWO, "torchrun --nproc_per_node=2 sums.py 3"),
        (NODES, "torchrun --nnodes=2 --nproc_per_node=1 sums.py 3"),
    ],
)
def test_the_command_is_what_a_learner_would_type(world, line):
    """Catches the words of the harness in a learner's report."""

    def main():
        pass

    main.__module__ = "torchkatas.answers.katas.01_demo.sums"

    assert launch.command(main, world, ["3"]) == line


@pytest.mark.parametrize("world", [ALONE, TWO, NODES], ids=lambda world: world.start)
def test_a_rehearsal_is_like_the_run(answer, world):
    """Catches an environment that is not torchrun's: a bank that is rehearsed would be judged by another rule."""
    module = answer(SCRIPT)

    rehearsed = launch.rehearse(module, world, ["a", "2"], Path("/"))

    assert run(module, world, "a", "2") == rehearsed
    assert [rank["printed"][0] for rank in rehearsed] == ["as __main__"] * world.size
    assert [rank["printed"][1][:2] for rank in rehearsed] == [[6, ["a", "2"]]] * world.size
    assert [rank["group"] for rank in rehearsed] == [world != ALONE] * world.size


def test_an_entry_of_the_bank_is_a_script_too(answer):
    """Catches a wrong answer that `python -m` cannot run, or runs as the right one."""
    answer(SCRIPT, tree="solutions")

    (rank,) = run(answer(MISTAKE, "mistakes", "tripled"), ALONE)

    assert rank["printed"][1][0] == 9


JOINED = "import os, sys\nimport torch.distributed as dist\ndist.init_process_group('gloo')\ndist.barrier()\n"
FAULTS = {
    "raise NotImplementedError('main')": "NotImplementedError: main",
    "if dist.get_rank() == 0: dist.barrier()\n    raise KeyError('rate')": "KeyError: 'rate'",
    "if dist.get_rank() == 1: os._exit(3)\n    dist.barrier()": "RankFault: Rank 1 ended its process with status 3*",
    "if dist.get_rank() == 1: os.kill(os.getpid(), 9)\n    dist.barrier()": "RankFault: Rank 1 was killed by SIGKILL.",
    "sys.exit(2)": "SystemExit: 2",
}


@pytest.mark.parametrize(("line", "told"), FAULTS.items(), ids=lambda value: value[:30])
def test_the_first_cause_is_told(answer, tmp_path, line, told):
    """Catches torchrun's page, a consequence, or a class and a line that are lost on the way."""
    source = f"{JOINED}{line}\n".replace("\n    ", "\n")

    with pytest.raises(BaseException) as caught:  # noqa: PT011 - of any class
        run(answer(source), TWO)

    text = f"{caught.typename}: {caught.value}"
    assert text.startswith(told.removesuffix("*"))
    assert not told.startswith("NotImpl") or unwritten(caught.value, tmp_path)[1:] == (5, "<module>")
    assert not told.startswith("KeyError") or frames(caught.value)[-1][1] == 6


def test_a_script_without_an_end_is_stopped(answer):
    """Catches a run that hangs, and a report that does not say where."""
    with pytest.raises(RankFault, match=r"After 12 seconds rank 0 was still running\.") as caught:
        run(answer("import time\nwhile True:\n    time.sleep(0.01)\n"), ALONE, deadline=12.0)

    assert [line for path, line, _ in frames(caught.value) if path.name == "sums.py"] in ([2], [3])


def test_a_torchrun_that_starts_nobody_is_told_by_its_status(answer, monkeypatch):
    """Catches a wait for ranks that never were."""
    monkeypatch.setattr(launch, "_torchrun", lambda *args: ["--no-such-option"])

    with pytest.raises(RankFault, match="No rank came to run the script: it ended with status 2"):
        run(answer(SCRIPT), TWO)


def started(folder):
    """The processes of launches whose answers lie in that folder (Linux)."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if str(folder) in (process / "environ").read_text(errors="replace"):
                found.append(int(process.name))
        except OSError:  # it ended meanwhile, or is another user's
            pass
    return found


@linux
@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize(
    ("world", "end"),
    [(TWO, signal.SIGINT), (TWO, signal.SIGTERM), (TWO, signal.SIGKILL), (NODES, signal.SIGKILL)],
    ids=lambda value: getattr(value, "name", "") or value.start,
)
def test_nothing_outlives_pytest(answer, tmp_path, world, end):
    """Catches torchruns and ranks that train on after Ctrl-C, or after pytest was killed."""
    running = tmp_path / "running"
    module = answer(f"import time, os\nopen({str(running)!r} + os.environ['RANK'], 'w').close()\ntime.sleep(300)\n")
    source = f"from tests.test_launch import *\nrun({module!r}, {world.__class__.__name__}{tuple(world)!r})"
    environment = {**os.environ, "MARK": str(tmp_path)}
    pytest_run = subprocess.Popen([sys.executable, "-c", source], env=environment, stderr=subprocess.DEVNULL)
    late = time.monotonic() + 60
    while not all(Path(f"{running}{rank}").exists() for rank in range(2)) and time.monotonic() < late:
        time.sleep(0.1)
    assert len(started(tmp_path)) >= 4  # the run itself, torchrun, two ranks

    pytest_run.send_signal(end)
    pytest_run.wait(20)

    late = time.monotonic() + 5
    while started(tmp_path) and time.monotonic() < late:
        time.sleep(0.1)
    assert started(tmp_path) == []


SPEC = '''
import pytest
from torchkatas.rank import World

@pytest.mark.ddp
@pytest.mark.parametrize("start", ["alone", "torchrun"])
def test_double_in_a_script(kata, check, start):
    """Catches a factor of three."""
    world = World(1 if start == "alone" else 2, "cpu", start)
    check.script(kata.double, world, "4").gives([{"printed": [8], "group": False}] * world.size)
'''
DOUBLED = """
import sys

def double(x):
    {}

if __name__ == "__main__":
    print(double(int(sys.argv[1])))
"""


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("return x + x", ["01_demo   #   1 of 1 done"]),
        ("return x + x + x", ["  That is three times x.", "  double: * sums.py 4, on rank 0"]),
        ("raise NotImplementedError('double')", ["  to do   katas/01_demo/sums.py:5   double"]),
        (
            "return x / 0",
            ["  ZeroDivisionError: division by zero", "    katas/01_demo/sums.py:5 in double: return x / 0"],
        ),
    ],
    ids=["right", "wrong", "unwritten", "crash"],
)
def test_a_script_is_judged_as_any_other_answer(project, body, lines):
    """Catches a verdict that only a function gets: by its sentence, its line, and as to do."""
    project.write("katas/01_demo/test_sums.py", SPEC)
    project.write("solutions/01_demo/sums.py", DOUBLED.format("return x + x"))
    project.write("mistakes/01_demo/sums.py", MISTAKE)
    project.answer(DOUBLED.format(body))

    result = project.run_apart("katas")

    result.stdout.fnmatch_lines(lines)
