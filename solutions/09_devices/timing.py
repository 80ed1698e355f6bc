"""Timing."""

from __future__ import annotations

from collections.abc import Callable
from math import floor
from statistics import median
from typing import Any

Work = Callable[[], object]


def speedup(cpu: float, device: float, transfer: float, passes: int) -> float:
    # Why: the transfer is paid once, each pass is gained again: the more is done with data, the more a device pays off.
    for name, value in {"cpu": cpu, "device": device}.items():
        if value <= 0:
            raise ValueError(f"{name} must be greater than 0, not {value}")
    if transfer < 0:
        raise ValueError(f"transfer must be 0 or more, not {transfer}")
    if passes < 1:
        raise ValueError(f"passes must be 1 or more, not {passes}")
    return passes * cpu / (transfer + passes * device)


def break_even(cpu: float, device: float, transfer: float, overhead: float) -> int | None:
    # Why: each item gains cpu - device - transfer; the device is ahead once that many gains exceed its overhead.
    for name, value in {"cpu": cpu, "device": device, "transfer": transfer, "overhead": overhead}.items():
        if value < 0:
            raise ValueError(f"{name} must be 0 or more, not {value}")
    gain = cpu - (device + transfer)
    return floor(overhead / gain) + 1 if gain > 0 else None


def seconds(
    work: Work, clock: Callable[[], float], synchronize: Callable[[], object], warmups: int, repeats: int
) -> float:
    # Why: work() only queues; a clock tells the device's time if the queue is empty at both of its readings.
    if repeats < 1:
        raise ValueError(f"repeats must be 1 or more, not {repeats}")
    for _ in range(warmups):
        work()
    times = []
    for _ in range(repeats):
        synchronize()
        start = clock()
        work()
        synchronize()
        times.append(clock() - start)
    return median(times)


def seconds_by_events(work: Work, new_event: Callable[[], Any]) -> float:
    # Why: marks are in the same queue as the work, so that the device notes the times, and only the end is waited for.
    start, end = new_event(), new_event()
    start.record()
    work()
    end.record()
    end.synchronize()
    return start.elapsed_time(end) / 1000


def may_be_non_blocking(source: str, target: str, pinned: bool) -> bool:
    # Why: what is queued on a GPU waits for the copy, a read on the CPU does not; pageable memory makes the CPU wait.
    return source == "cpu" and pinned
