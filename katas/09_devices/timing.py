"""Timing: when a device pays off, and how to time work that is still running when the call returns."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median  # noqa: F401
from typing import Any

Work = Callable[[], object]


def speedup(cpu: float, device: float, transfer: float, passes: int) -> float:
    """How many times as fast the device is as the CPU, for data that is copied to it once and gone through many times.

    cpu, device: the seconds of one pass over the data there, greater than 0.
    transfer: the seconds that copying the data to the device takes, 0 or more; it happens once, before the first pass.
    passes: how often the data is gone through, 1 or more.
    Any of them out of its range: ValueError that names it.
    Returns a float; below 1 the device does not pay off.

    >>> speedup(cpu=4.0, device=1.0, transfer=6.0, passes=3)
    1.3333333333333333
    """
    raise NotImplementedError("speedup")


def break_even(cpu: float, device: float, transfer: float, overhead: float) -> int | None:
    """The smallest number of items for which the device takes less time than the CPU.

    cpu, device: the seconds of work on one item there. transfer: the seconds that it takes to copy one item.
    overhead: the seconds that a call to the device takes, whatever the number of items; the CPU has none.
    All are 0 or more; a negative one: ValueError that names it.
    Returns an int of at least 1; None where the device is never faster. As fast as the CPU is not faster.

    >>> break_even(cpu=3.0, device=0.5, transfer=0.5, overhead=5.0)
    3
    """
    raise NotImplementedError("break_even")


def seconds(
    work: Work, clock: Callable[[], float], synchronize: Callable[[], object], warmups: int, repeats: int
) -> float:
    """The median time that a piece of asynchronous work takes, until the device has done it.

    work: work() queues something on the device and returns before it is done. The device works off its queue in order.
    clock: clock() gives the time in seconds, as time.perf_counter does; it asks nobody what the device is doing.
    synchronize: returns when the queue is empty, as torch.cuda.synchronize does.
    warmups: how often work() is called first without counting, 0 or more. repeats: how often it is timed then; fewer
    than 1: ValueError that says "repeats".
    Someone else's work may still be in the queue when seconds is called; none of its time counts, nor any of warm-up's.
    Returns the median over the repeats of the time from before work() is called until the device has done it, a float;
    of an even number of repeats the mean of the two in the middle.

    >>> ticks = iter([1.0, 3.5, 4.0, 5.0, 8.0, 9.5])
    >>> seconds(work=lambda: None, clock=lambda: next(ticks), synchronize=lambda: None, warmups=2, repeats=3)
    1.5
    """
    raise NotImplementedError("seconds")


def seconds_by_events(work: Work, new_event: Callable[[], Any]) -> float:
    """The time that one piece of asynchronous work takes on the device, told by the device itself.

    work: as in seconds; it is called once.
    new_event: gives a new event, as torch.cuda.Event(enable_timing=True) does. event.record() queues a mark behind all
    that is in the device's queue, and returns at once; event.synchronize() returns when the device has come to that
    mark; start.elapsed_time(end) gives the milliseconds between two marks, and raises RuntimeError while the device has
    not come to both.
    Returns the seconds between a mark right before the work and one right after it, a float.

    >>> class Event:
    ...     record = synchronize = lambda self: None
    ...     def elapsed_time(self, end): return 250.0
    >>> seconds_by_events(lambda: None, Event)
    0.25
    """
    raise NotImplementedError("seconds_by_events")


def may_be_non_blocking(source: str, target: str, pinned: bool) -> bool:
    """Whether x.to(target, non_blocking=True) lets the CPU go on at once, and the very next line may use the copy.

    source: where x is, target: where it goes: "cpu", or a GPU such as "cuda:0" or "cuda:1". One of the two is "cpu",
    the other is not. The next line uses the copy where it is: on a GPU it queues work there, on the CPU it reads
    numbers.
    pinned: whether the memory on the CPU's side is pinned (page-locked).
    Returns a bool.

    >>> may_be_non_blocking("cpu", "cuda:3", pinned=False)
    False
    """
    raise NotImplementedError("may_be_non_blocking")
