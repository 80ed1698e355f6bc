"""What a run costs, as ratios of CPU time, each command next to its reference in turn: `nox -s bench`."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys

ROUNDS = 5
TORCH, BOTH, DYNAMO = "import torch", "import torch, pytest", "import torch._dynamo, pytest"
CASES = (  # what, its command, its reference, the bound of the ratio
    ("03_autograd on solutions", ("-m", "pytest", "katas/03_autograd", "--answers=solutions"), BOTH, 1.45),
    ("01_components on solutions", ("-m", "pytest", "katas/01_components", "--answers=solutions"), BOTH, 2.4),
    ("collecting all katas", ("-m", "pytest", "katas", "--collect-only", "-q"), TORCH, 1.5),
    ("all on solutions, none slow", ("-m", "pytest", "katas", "--answers=solutions", "-m", "not slow"), DYNAMO, 4),
    ("starting the harness alone", ("-c", "import pytest, torchkatas.plugin"), "import pytest", None),
)


def cpu(*command: str) -> float:
    """User and system seconds of a child; 0 on Windows, which does not tell."""
    before = os.times()
    subprocess.run([sys.executable, *command], stdout=subprocess.DEVNULL, check=True)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def main() -> None:
    for what, command, reference, bound in CASES:
        cpu(*command), cpu("-c", reference)  # warm the disk cache
        ratios = [cpu(*command) / cpu("-c", reference) for _ in range(ROUNDS)]
        print(
            f"{what:<28} {statistics.median(ratios):.2f} x `{reference}`  "
            f"[{min(ratios):.2f} - {max(ratios):.2f}, {ROUNDS} rounds]" + (f"  bound {bound}" if bound else ""),
            flush=True,
        )


if __name__ == "__main__":
    main()
