"""Other right answers to katas/09_devices/timing.py."""

from fractions import Fraction

import numpy as np
import torch

from torchkatas.bank import right

# ---- speedup


@right(replaces="speedup")
def by_ranges(cpu, device, transfer, passes):
    given = [("cpu", cpu, cpu > 0), ("device", device, device > 0)]
    given += [("transfer", transfer, transfer >= 0), ("passes", passes, passes >= 1)]
    for name, value, fits in given:
        if not fits:
            raise ValueError(f"out of range: {name}={value}")
    return cpu / (device + transfer / passes)


# ---- break_even


@right(replaces="break_even")
def by_a_loop(cpu, device, transfer, overhead):
    if min(cpu, device, transfer, overhead) < 0:
        raise ValueError(f"negative: {cpu=}, {device=}, {transfer=}, {overhead=}")
    if device + transfer >= cpu:
        return None
    n = 1
    while overhead + n * (device + transfer) >= n * cpu:
        n += 1
    return n


@right(replaces="break_even")
def in_fractions(cpu, device, transfer, overhead):
    for name, value in (("cpu", cpu), ("device", device), ("transfer", transfer), ("overhead", overhead)):
        if value < 0:
            raise ValueError(name)
    gain = Fraction(cpu) - Fraction(device) - Fraction(transfer)
    return int(Fraction(overhead) // gain) + 1 if gain > 0 else None


# ---- seconds


@right(replaces="seconds")
def synchronized_once_before_and_after_each(work, clock, synchronize, warmups, repeats):
    if repeats < 1:
        raise ValueError("repeats")
    for _ in range(warmups):
        work()
    synchronize()
    times = np.empty(repeats)
    for i in range(repeats):
        start = clock()
        work()
        synchronize()
        times[i] = clock() - start
    return float(np.median(times))


@right(replaces="seconds")
def every_call_synchronized(work, clock, synchronize, warmups, repeats):
    if repeats <= 0:
        raise ValueError(f"no repeats: {repeats}")

    def once():
        synchronize()
        start = clock()
        work()
        synchronize()
        return clock() - start

    for _ in range(warmups):
        once()
    times = sorted(once() for _ in range(repeats))
    return (times[(repeats - 1) // 2] + times[repeats // 2]) / 2


@right(replaces="seconds")
def median_of_a_tensor(work, clock, synchronize, warmups, repeats):
    times = []
    if repeats < 1:
        raise ValueError("repeats must be at least 1")
    for i in range(warmups + repeats):
        synchronize()
        start = clock()
        work()
        synchronize()
        end = clock()
        if i >= warmups:
            times.append(end - start)
    return torch.tensor(times, dtype=torch.float64).quantile(0.5).item()


# ---- seconds_by_events


@right(replaces="seconds_by_events")
def start_awaited_too(work, new_event):
    start = new_event()
    start.record()
    start.synchronize()
    work()
    end = new_event()
    end.record()
    end.synchronize()
    return start.elapsed_time(end) * 1e-3


# ---- may_be_non_blocking


@right(replaces="may_be_non_blocking")
def by_devices(source, target, pinned):
    return pinned and torch.device(target).type != "cpu" and torch.device(source).type == "cpu"
