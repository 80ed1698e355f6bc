"""What the tests of the harness share."""

from __future__ import annotations

import faulthandler
import signal
from collections.abc import Iterator

import pytest
import torch._dynamo  # noqa: F401 - inner runs must find torch whole: what they import is forgotten after them

import torchkatas.check  # noqa: F401 - and the harness, whose functions go to ranks by name
from tests.demo import Project

pytest_plugins = ["pytester"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """These tests start processes, and must hold on a loaded machine."""
    for item in items:
        item.add_marker(pytest.mark.timeout(600))


@pytest.hookimpl(tryfirst=True)  # before the fixtures of a module or a session, which take longest
def pytest_runtest_setup() -> None:
    """Nor may pytest's own last resort end them: the proof of a bank takes longer than any learner's test."""
    faulthandler.cancel_dump_traceback_later()


@pytest.fixture
def project(pytester: pytest.Pytester) -> Project:
    """A project with one directory, 01_demo, and one concept, sums."""
    return Project(pytester)


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Processes that are started here hear Ctrl-C, also where a shell runs these tests in its background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
