"""Registers the harness with pytest: its options, its markers, its modules."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path

import pytest

from torchkatas import deadline, judge, selection
from torchkatas.answers import Door
from torchkatas.curriculum import Concept
from torchkatas.judge import Wrapper
from torchkatas.screen import Screen
from torchkatas.verdict import DOOR, Record


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("katas")
    group.addoption(
        "--answers",
        metavar="TREE",
        help="the code under test: the project's katas (default), solutions, or any folder with the same paths; "
        "mistakes and solutions/alternates run each test once for each of their entries",
    )
    group.addoption("--verdicts", metavar="FILE", help="write one JSON object for each verdict (torchkatas/verdict.py)")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    gc.disable()  # until the first test: while torch is imported the collector would walk what stays anyway
    os.environ.setdefault("PYTHONDONTWRITEBYTECODE", "1")  # for child processes, which import specs and answers too
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # imported, NumPy has its threads spin for a tenth of a second
    config.stash[DOOR] = Door(config.rootpath, _tree(config))
    for module in (selection, judge, deadline):
        config.pluginmanager.register(module)
    if not hasattr(config, "workerinput"):
        record = Record(config)
        config.pluginmanager.register(record)
        config.pluginmanager.register(Screen(config, record))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Wrapper[pytest.CollectReport]:
    """Keep the bytecode of specs in pytest's cache: no run writes into katas/."""
    if not Concept.of(collector.path, collector.config.rootpath):
        return (yield)
    import torch  # noqa: F401 - before the prefix changes: torch's own bytecode lies beside torch

    kept, sys.pycache_prefix = sys.pycache_prefix, str(collector.config.rootpath / ".pytest_cache" / "bytecode")
    try:
        return (yield)
    finally:
        sys.pycache_prefix = kept


def pytest_unconfigure(config: pytest.Config) -> None:
    gc.enable()
    if DOOR in config.stash:
        config.stash[DOOR].forget()


def _tree(config: pytest.Config) -> Path:
    name: str | None = config.getoption("--answers")
    if name is None:
        return config.rootpath / "katas"
    for base in (config.invocation_params.dir, config.rootpath):
        if name and (base / name).is_dir():
            return Path(os.path.abspath(base / name))
    raise pytest.UsageError(f"--answers={name}: there is no such folder")
