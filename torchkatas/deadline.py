"""Nothing hangs and no early exit is green.

pytest-timeout (where SIGALRM exists) interrupts Python code, pytest's own faulthandler timeout ends what outlasts that.
Torch is imported before any clock starts: on a loaded machine that alone takes longer than a deadline.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import NoReturn

import pytest


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> Iterator[None]:
    gc.freeze()  # half a second less at the exit, where the collector walks everything that is not frozen
    gc.enable()
    if session.config.getoption("collectonly") or not session.testscollected:
        return (yield)
    import torch

    from torchkatas import ranks

    ranks.preload(ranks.specs(session.items))
    torch.set_num_threads(1)  # 100 small tests: half the CPU time of the default
    torch.set_warn_always(True)  # a warning that comes once a process would come with the first test only
    leave, pid = os._exit, os.getpid()
    capture = session.config.pluginmanager.get_plugin("capturemanager")

    def loud_exit(status: int) -> NoReturn:
        """Ends a forked child as ever; ends the run with a sentence and never with 0."""
        if os.getpid() != pid:
            leave(status)
        caller = sys._getframe(1)
        # pytest keeps the running test there, for just this question
        test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" (")[0] or "no test"
        place = f"at {caller.f_code.co_filename}:{caller.f_lineno}, in {test}"
        with capture.global_and_fixture_disabled() if capture else contextlib.nullcontext():
            print(f"\nThe run was ended by os._exit({status}) {place}.", file=sys.stderr, flush=True)
        leave(status or 1)

    os._exit = loud_exit
    sys.meta_path.insert(0, Compiler)
    try:
        return (yield)
    finally:
        os._exit = leave
        if Compiler in sys.meta_path:
            sys.meta_path.remove(Compiler)


class Compiler:
    """Finds torch's compiler, which the first optimizer of a process imports: that is on no test's clock.

    A second on an idle machine, ten on a loaded one; and an import that is cut off leaves torch in pieces.
    """

    @staticmethod
    def find_spec(fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if fullname != "torch._dynamo":
            return None
        sys.meta_path.remove(Compiler)
        spec = find_spec(fullname)
        if spec and spec.loader:
            load = spec.loader.exec_module

            def load_off_the_clock(module: ModuleType) -> None:
                now = signal.setitimer(signal.ITIMER_REAL, 0)[0] if left() else 0.0
                try:
                    load(module)
                finally:
                    if now:
                        signal.setitimer(signal.ITIMER_REAL, now)

            spec.loader.exec_module = load_off_the_clock  # type: ignore[method-assign]
        return spec


def left() -> float:
    """Seconds until the deadline of the test that runs; 0 where none is set, or no alarm keeps it."""
    return signal.getitimer(signal.ITIMER_REAL)[0] if hasattr(signal, "getitimer") else 0.0


def wind_up(at_first: float, config: pytest.Config) -> None:
    """Start the clock again for the diagnosis: on a loaded machine the test may have used up its own.

    at_first: what was left when the test began; the last resort, which counts both, is to come after the deadline.
    """
    if now := left():
        last = float(config.getini("faulthandler_timeout")) or float("inf")
        signal.setitimer(signal.ITIMER_REAL, max(now, min(at_first, 0.9 * last - (at_first - now))))
