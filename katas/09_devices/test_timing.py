"""The specification of timing.py. No clock and no device here: a machine made of numbers tells the time."""

import functools
from fractions import Fraction
from statistics import median

import pytest


def told(function):
    """The function, with a ValueError told as a value: its words are the learner's own."""

    @functools.wraps(function)
    def asked(*args, **inputs):
        try:
            return function(*args, **inputs)
        except ValueError:
            return "ValueError"

    return asked


# ---- speedup

CASES = [
    {"cpu": 3.0, "device": 0.5, "transfer": 0.0, "passes": 1},
    {"cpu": 3.0, "device": 0.5, "transfer": 7.0, "passes": 1},
    {"cpu": 3.0, "device": 0.5, "transfer": 7.0, "passes": 4},
    {"cpu": 0.25, "device": 0.0625, "transfer": 2.0, "passes": 100},
    {"cpu": 1.5, "device": 6.0, "transfer": 0.5, "passes": 3},
    {"cpu": 2e-6, "device": 5e-7, "transfer": 3e-4, "passes": 2},
]


@pytest.mark.fact("09.6")
def test_speedup_counts_the_transfer_once(kata, check):
    """Catches a transfer that is forgotten or paid in every pass, and the ratio upside down."""
    right = []
    for case in CASES:
        on_cpu, on_device = 0.0, case["transfer"]
        for _ in range(case["passes"]):
            on_cpu += case["cpu"]
            on_device += case["device"]
        right.append(on_cpu / on_device)
    check.each(told(kata.speedup), CASES).gives(right)


@pytest.mark.parametrize(
    ("name", "value"), [("cpu", 0.0), ("device", -0.5), ("device", 0.0), ("transfer", -1e-6), ("passes", 0)]
)
def test_speedup_refuses(kata, check, name, value):
    """Catches a negative time that is taken for a result, a division by zero, and an error that names no culprit."""
    check(kata.speedup, **{**CASES[2], name: value}).raises(ValueError, name)


# ---- break_even

PER_ITEM = [
    {"cpu": 3.0, "device": 0.5, "transfer": 0.5, "overhead": 9.0},
    {"cpu": 3.0, "device": 0.5, "transfer": 0.5, "overhead": 8.0},
    {"cpu": 3.0, "device": 0.5, "transfer": 2.25, "overhead": 8.0},
    {"cpu": 3.0, "device": 0.5, "transfer": 0.0, "overhead": 0.0},
    {"cpu": 3.0, "device": 0.5, "transfer": 2.5, "overhead": 0.0},
    {"cpu": 3.0, "device": 0.5, "transfer": 4.0, "overhead": 1.0},
    {"cpu": 0.5, "device": 0.75, "transfer": 0.0, "overhead": 0.0},
    {"cpu": 0.0, "device": 0.0, "transfer": 0.0, "overhead": 0.25},
    {"cpu": 3.0, "device": 0.5, "transfer": 2.25, "overhead": 300.0},
]


def first_that_is_faster(cpu, device, transfer, overhead):
    """One item more at a time, in exact arithmetic."""
    cpu, device, transfer, overhead = map(Fraction, (cpu, device, transfer, overhead))
    return next((n for n in range(1, 1500) if overhead + n * (transfer + device) < n * cpu), None)


@pytest.mark.fact("09.6")
def test_break_even_is_the_first_that_is_faster(kata, check):
    """Catches a transfer that is forgotten, a tie that is a win, no item at all, never, and a loop that ends early."""
    right = [first_that_is_faster(**case) for case in PER_ITEM]
    check.each(told(kata.break_even), PER_ITEM).gives(right)


@pytest.mark.parametrize("name", ["cpu", "device", "transfer", "overhead"])
def test_break_even_refuses(kata, check, name):
    """Catches a negative time that is taken for a result."""
    check(kata.break_even, **{**PER_ITEM[0], name: -0.5}).raises(ValueError, name)


# ---- seconds

LAUNCH = 0.125  # what the CPU takes to queue a piece of work


class Machine:
    """A CPU and a device with a queue: `now` is the CPU's time, `idle` when the device will have done all it has."""

    def __init__(self, durations, queued=0.0, launch=LAUNCH):
        self.now, self.idle, self.calls, self.asked = 100.0, 100.0 + queued, 0, False
        self.durations, self.launch = list(durations), launch

    def work(self):
        self.now += self.launch
        duration = self.durations[min(self.calls, len(self.durations) - 1)]
        self.idle = max(self.idle, self.now) + duration
        self.calls += 1

    def synchronize(self):
        self.now = max(self.now, self.idle)

    def clock(self):
        self.asked = True
        return self.now


def timed(seconds, machine, warmups, repeats):
    """What comes back, and how often the work was called."""
    found = seconds(
        work=machine.work, clock=machine.clock, synchronize=machine.synchronize, warmups=warmups, repeats=repeats
    )
    if not machine.asked and isinstance(found, float) and found > 0:
        found = "clock() was never asked"  # another clock's reading is another at each call
    return {"seconds": found, "calls of work": machine.calls}


FIRST = [64.0, 16.0]  # the first calls compile and allocate
RUNS = {
    "once, no warm-up": ([3.0], 0, 1),
    "once, after two": ([*FIRST, 2.5], 2, 1),
    "five, one of which is slow": ([*FIRST, 40.0, 2.5, 2.0, 1.75, 2.25], 2, 5),
    "four, one of which is slow": ([*FIRST, 40.0, 1.75, 2.75, 2.0], 2, 4),
}


@pytest.mark.fact("09.6")
@pytest.mark.parametrize("name", RUNS)
def test_seconds_until_the_device_is_done(kata, check, name):
    """Catches a clock read while the device is working, warm-ups that count, and a mean that a slow run spoils."""
    durations, warmups, repeats = RUNS[name]
    right = {"seconds": median(LAUNCH + d for d in durations[warmups:]), "calls of work": warmups + repeats}
    call = f"what came back, and how often work was called; warmups={warmups}, repeats={repeats}; queueing takes "
    call += f"{LAUNCH} s, the device then {durations} s"
    found = timed(kata.seconds, Machine(durations), warmups, repeats)
    check.saw(kata.seconds, found, call=call).gives(right, exact=True)


@pytest.mark.fact("09.6")
@pytest.mark.parametrize("warmups", [0, 1])
def test_seconds_without_what_was_queued_before(kata, check, warmups):
    """Catches a clock that is read before the queue is empty: the device has something else to finish first."""
    durations = [*FIRST[:warmups], 2.0, 4.0, 2.5, 3.5, 4.5]
    right = {"seconds": LAUNCH + 3.5, "calls of work": warmups + 5}
    call = f"what came back, and how often work was called; warmups={warmups}, repeats=5; queueing takes {LAUNCH} s, "
    call += f"the device then {durations} s, and before that 512 s for somebody else"
    found = timed(kata.seconds, Machine(durations, queued=512.0), warmups, 5)
    check.saw(kata.seconds, found, call=call).gives(right, exact=True)


@pytest.mark.fact("09.6")
def test_seconds_without_what_was_queued_before_once(kata, check):
    """Catches the same where a median of many would hide it."""
    call = (
        f"what came back, and how often work was called; warmups=0, repeats=1; queueing takes {LAUNCH} s, the device "
    )
    call += "then 3 s, and before that 512 s for somebody else"
    found = timed(kata.seconds, Machine([3.0], queued=512.0), 0, 1)
    check.saw(kata.seconds, found, call=call).gives({"seconds": LAUNCH + 3.0, "calls of work": 1}, exact=True)


@pytest.mark.parametrize("repeats", [0, -1])
def test_seconds_refuses(kata, check, repeats):
    """Catches 0 or NaN seconds for nothing, a repeat that nobody asked for, and an error of median's own."""
    machine = Machine([1.0])
    inputs = {"work": machine.work, "clock": machine.clock, "synchronize": machine.synchronize, "warmups": 2}
    check(kata.seconds, **inputs, repeats=repeats).raises(ValueError, "repeats")


# ---- seconds_by_events


class Event:
    """A mark in the machine's queue."""

    def __init__(self, machine):
        self.machine, self.at = machine, None

    def record(self):
        self.at = max(self.machine.idle, self.machine.now)

    def synchronize(self):
        if self.at is not None:
            self.machine.now = max(self.machine.now, self.at)

    def query(self):
        return self.at is not None and self.at <= self.machine.now

    def elapsed_time(self, end):
        if self.at is None or end.at is None:
            raise RuntimeError("Both events must be recorded before calculating elapsed time.")
        if not (self.query() and end.query()):
            raise RuntimeError("Both events must be completed before calculating elapsed time.")
        return 1000 * (end.at - self.at)


@pytest.mark.fact("09.6")
@pytest.mark.parametrize(("duration", "queued"), [(3.0, 512.0), (0.25, 0.0)])
def test_seconds_by_events_between_two_marks(kata, check, duration, queued):
    """Catches milliseconds, a mark in the wrong place, marks the wrong way round, and an end that is not waited for."""
    machine = Machine([duration, 99.0], queued, launch=0.0)
    found = kata.seconds_by_events(work=machine.work, new_event=lambda: Event(machine))
    call = f"what came back, and how often work was called; the device takes {duration} s, after {queued} s for "
    call += "somebody else"
    seen = {"seconds": found, "calls of work": machine.calls}
    check.saw(kata.seconds_by_events, seen, call=call).gives({"seconds": duration, "calls of work": 1})


# ---- may_be_non_blocking

COPIES = {
    ("cpu", "cuda:0", True): True,
    ("cpu", "cuda:0", False): False,
    ("cuda:0", "cpu", True): False,
    ("cuda:1", "cpu", False): False,
    ("cpu", "cuda:1", True): True,
    ("cpu", "cuda:1", False): False,
}


@pytest.mark.fact("09.6")
def test_may_be_non_blocking_from_pinned_memory_to_a_gpu(kata, check):
    """Catches the way back, where the numbers are read before they are there, and memory that is not pinned."""
    check.each(kata.may_be_non_blocking, COPIES).gives(list(COPIES.values()))
