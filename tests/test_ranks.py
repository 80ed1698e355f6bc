"""A spec's body runs on real ranks, and what became of each is told as a learner's mistake."""

from __future__ import annotations

import io
import json
import multiprocessing
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from tests import rank_faults
from torchkatas import ranks
from torchkatas.rank import Call, Job, World
from torchkatas.ranks import worlds

ROOT = Path(__file__).parents[1]
with_fork_server = pytest.mark.skipif(
    "forkserver" not in multiprocessing.get_all_start_methods(), reason="there is no fork server"
)
SPEC = '''
import pytest
import torch
from torchkatas.ranks import worlds

def doubled(kata, rank, start):
    print("on rank", rank)
    return kata.double(torch.tensor([start + rank]))

@pytest.mark.parametrize("world", worlds(2))
def test_double_on_each_rank(kata, check, world):
    """Catches a factor of three."""
    right = [torch.tensor([2.0 * (5 + rank)]) for rank in range(world.size)]
    check.ranks(kata.double, doubled, kata, world, call="of 5 + rank", start=5.0).gives(right)
'''
BANK = """
import torch.distributed as dist
from torchkatas.bank import wrong

@wrong("tripled", replaces="double", says="That is three times x.")
def tripled(x):
    return 3 * x

@wrong("waits-alone", replaces="double", says="Rank 0 waits where the others do not.")
def waits_alone(x):
    if dist.get_rank() == 0:
        dist.barrier()
    return 2 * x

@wrong("leaves", replaces="double", says="It leaves Python.")
def leaves(x):
    import os
    os._exit(9)
"""


@pytest.fixture
def suite(project):
    project.write("katas/01_demo/test_sums.py", SPEC)
    project.write("mistakes/01_demo/sums.py", BANK)
    return project


def test_right_answers_pass_and_what_ranks_print_is_not_shown(suite):
    """Catches output of ranks on a green run, and a GPU's variant that is counted as done without one."""
    result = suite.run_apart("katas", "--answers=solutions", "-m", "ddp")

    assert result.ret == 0
    result.stdout.fnmatch_lines(["01_demo   #   1 of 1 done", "proven: gloo, 2 ranks (1 tests)"])
    result.stdout.no_fnmatch_line("*on rank*")


def test_an_unwritten_stub_on_a_rank_is_to_do(suite):
    """Catches a NotImplementedError that loses its class or its line on the way out of a rank."""
    result = suite.run_apart("katas", "-m", "ddp")

    assert result.ret == 1
    result.stdout.fnmatch_lines(["  to do   katas/01_demo/sums.py:4   double"])


@pytest.mark.parametrize(
    ("answer", "lines"),
    [
        ("def double(x): return x + x + x", ["  That is three times x.", "*, on rank 0", "*tensor([[]10.*", "*15.*"]),
        (
            "from torch.distributed import *\ndef double(x):\n    if not get_rank(): barrier()\n    return 2 * x",
            ["  Rank 0 waits where the others do not.", "*sums.py:3 in double:*"],
        ),
        ("import os\ndef double(x): os._exit(9)", ["  It leaves Python."]),
        (
            "def double(x):\n    if x[0] > 5: raise KeyError('odd')\n    return 2 * x",
            ["*KeyError: 'odd'", "*sums.py:2 in double:*"],
        ),
        ("import os\ndef double(x): os._exit(8)", ["  Rank 0 ended its process with status 8, and returned nothing."]),
    ],
    ids=["a value", "a wait", "an exit", "an error", "an exit that no entry has"],
)
def test_a_wrong_answer_is_named_on_ranks_too(suite, answer, lines):
    """Catches a fault of a rank that the bank cannot name, or that hides the learner's line."""
    suite.answer(answer)

    result = suite.run_apart("katas", "-m", "ddp")

    assert result.ret == 1
    result.stdout.fnmatch_lines(lines)
    result.stdout.fnmatch_lines(["  printed", "    [[]rank 0[]] on rank 0", "    [[]rank 1[]] on rank 1"])


@with_fork_server
def test_the_fork_server_has_the_spec_in_memory(suite, monkeypatch):
    """Catches ranks that compile the spec again, each for itself, and a garbage collector that stays off in them."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))  # as where the project is installed
    noted = "import gc, os\nopen('loads', 'a').write(f'{os.getpid()}\\n')\n"
    body = SPEC.replace('    print("on', '    assert gc.isenabled()\n    print("on')
    suite.write("katas/01_demo/test_sums.py", noted + body)

    assert suite.run_apart("katas", "--answers=solutions", "-m", "ddp").ret == 0
    assert len((suite.path / "loads").read_text().splitlines()) == 2  # pytest and the fork server


def imports(kata, rank):
    before = set(sys.modules)
    rank_faults.trained(kata, rank)
    torch.save({}, io.BytesIO())
    return sorted(name for name in sys.modules.keys() - before if name.startswith("torch"))


@with_fork_server
def test_a_rank_imports_nothing_that_the_fork_server_could_have(tmp_path):
    """Catches what torch imports late, with a first step or a first file, in each rank where once a run will do."""
    assert ranks.run(imports, None, World(2), {}, tmp_path) == [[], []]


INTERRUPTED = """
import os, signal, sys

class Interrupt:
    def find_spec(name, path=None, target=None):
        if name == "torch._dynamo":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupt)
import torchkatas.preloaded
print(signal.getsignal(signal.SIGINT) is signal.default_int_handler, flush=True)
"""


@with_fork_server
@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_does_not_reach_the_imports_of_the_fork_server():
    """Catches a page of traceback from a process that no learner started, and workers that are deaf to Ctrl-C."""
    run = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True)

    assert (run.returncode, run.stdout, run.stderr) == (0, "True\n", "")


def test_the_verdict_has_the_world_size(suite):
    """Catches verdicts of two and of four ranks that cannot be told apart."""
    suite.run_apart("katas", "--answers=solutions", "-m", "ddp", "--verdicts=v.jsonl")

    verdict = json.loads((suite.path / "v.jsonl").read_text())
    assert (verdict["world_size"], verdict["device"], verdict["verdict"]) == (2, "cpu", "passed")


def test_worlds_are_gloo_in_each_size_and_nccl_on_what_is_there():
    """Catches a size that -m ddp does not select."""
    found = [(world.values[0][:2], [mark.name for mark in world.marks]) for world in worlds(2, 4)]

    assert found == [((2, "cpu"), ["ddp"]), ((4, "cpu"), ["ddp"]), ((torch.cuda.device_count(), "cuda"), ["multigpu"])]


@pytest.mark.parametrize(
    ("other", "fits"),
    [
        (Call("broadcast", "float32", [2, 3], 0), True),
        (Call("broadcast", "float32", [6], 0), True),
        (Call("broadcast", "float32", [2, 3], 1), False),
        (Call("broadcast", "float64", [2, 3], 0), False),
        (Call("broadcast", "float32", [2, 2], 0), False),
        (Call("all_reduce", "float32", [2, 3]), False),
        (Call("all_reduce", "float32", [1], None, part=True), True),
    ],
)
def test_collectives_meet_where_name_dtype_size_and_root_are_equal(other, fits):
    """Catches another root taken for the same call, and a part of the ranks taken for all."""
    assert Call("broadcast", "float32", [2, 3], 0).fits(other) is fits


def test_a_journal_is_read_once_while_no_rank_writes(tmp_path, monkeypatch):
    """Catches journals of thousands of collectives that are read twenty times a second, while the ranks compute."""
    job = Job(None, None, {}, World(2), tmp_path, tmp_path, (), deadline=-0.5)  # so that it waits for half a second
    for rank in range(2):
        job.file("collectives", rank).write_text(json.dumps(Call("barrier")) + "\nnull\n")
    read = []
    monkeypatch.setattr(ranks, "_calls", lambda job, rank: read.append(rank) or [])
    end, _open = multiprocessing.Pipe()
    ranks._wait(job, [SimpleNamespace(exitcode=None, sentinel=end)])

    assert read == [0, 1]


def test_of_a_flood_of_prints_the_head_is_kept(tmp_path, capsys):
    """Catches a print in an endless loop that fills memory, and a rank whose words are lost behind another's."""
    job = Job(None, None, {}, World(2), tmp_path, tmp_path, (), deadline=1)
    job.file("printed", 0).write_bytes(b"\xff loss\n" * 100_000)
    job.file("printed", 1).write_text("done\n")
    ranks.show(job)
    first, *_, cut, last = capsys.readouterr().out.splitlines()

    assert (first, cut, last) == ("[rank 0] � loss", "[rank 0] ... 660000 more bytes", "[rank 1] done")
