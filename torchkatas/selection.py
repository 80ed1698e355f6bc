"""Markers: what a test needs, and whether it can be proven on this machine."""

from __future__ import annotations

import pytest

NEEDS = ("cuda", "mps", "multigpu", "ddp")
MARKERS = (
    "fact(id): proves a fact of map.toml",
    "cpu: needs no device; a test without cuda, mps, multigpu or ddp carries it by itself",
    "cuda: needs a CUDA device",
    "mps: needs Apple's Metal device",
    "multigpu(count=1): needs that many CUDA devices",
    "ddp: runs on real gloo processes, on the CPU",
    "slow: takes more than a second",
)


def pytest_configure(config: pytest.Config) -> None:
    for marker in MARKERS:
        config.addinivalue_line("markers", marker)


@pytest.hookimpl(tryfirst=True)  # before -m selects
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if not any(item.get_closest_marker(name) for name in NEEDS):
            item.add_marker("cpu")
        if item.get_closest_marker("ddp") or item.get_closest_marker("multigpu"):
            item.add_marker(pytest.mark.timeout(50))  # ranks have a deadline of their own, and name who is stuck


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what this machine cannot prove, and say what it lacks."""
    cuda, mps, many = (item.get_closest_marker(name) for name in NEEDS[:3])
    if not (cuda or mps or many):
        return
    import torch

    gpus = torch.cuda.device_count() if torch.cuda.is_available() else 0
    wanted = (many.args or (many.kwargs.get("count", 1),))[0] if many else int(bool(cuda))
    if wanted > gpus:
        pytest.skip(f"not proven here: {gpus} CUDA devices where {wanted} is needed (torch {torch.__version__})")
    if mps and not torch.backends.mps.is_available():
        pytest.skip(f"not proven here: no MPS device (torch {torch.__version__})")
