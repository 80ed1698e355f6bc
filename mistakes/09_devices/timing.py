"""Wrong answers to katas/09_devices/timing.py."""

from math import ceil, floor
from statistics import mean, median
from time import perf_counter

import torch

from torchkatas.bank import wrong


def refuse(minimum, **given):
    """The refusals as they should be."""
    for name, value in given.items():
        if value < minimum:
            raise ValueError(f"{name} must be {minimum} or more")


def refuse_speedup(cpu, device, transfer, passes):
    refuse(1e-300, cpu=cpu, device=device)
    refuse(0, transfer=transfer)
    refuse(1, passes=passes)


# ---- speedup


@wrong(
    "speedup-without-transfer",
    replaces="speedup",
    says="The transfer was left out. For small data, or few passes, it is most of what the device takes.",
    fact="09.6",
)
def without_transfer(cpu, device, transfer, passes):
    refuse_speedup(cpu, device, transfer, passes)
    return cpu / device


@wrong(
    "transfer-in-every-pass",
    replaces="speedup",
    says="The transfer was counted in every pass. The data is copied once and stays on the device: that is why more "
    "passes pay off.",
)
def in_every_pass(cpu, device, transfer, passes):
    refuse_speedup(cpu, device, transfer, passes)
    return cpu / (transfer + device)


@wrong(
    "speedup-one-pass-on-the-device",
    replaces="speedup",
    says="The CPU's passes were counted, the device's only once: it goes through the data as often as the CPU does.",
)
def one_pass_on_the_device(cpu, device, transfer, passes):
    refuse_speedup(cpu, device, transfer, passes)
    return passes * cpu / (transfer + device)


@wrong(
    "speedup-upside-down",
    replaces="speedup",
    says="The ratio is upside down: as many times as fast is the CPU's time divided by the device's.",
)
def upside_down(cpu, device, transfer, passes):
    refuse_speedup(cpu, device, transfer, passes)
    return (transfer + passes * device) / (passes * cpu)


@wrong(
    "speedup-of-anything",
    replaces="speedup",
    says="A time or a number of passes out of its range was taken for a measurement. Refuse it with a ValueError that "
    "names it, 0 seconds for a pass too: a clock that says so was read wrongly.",
)
def of_anything(cpu, device, transfer, passes):
    return passes * cpu / (transfer + passes * device)


@wrong(
    "speedup-copied-on-the-cpu",
    replaces="speedup",
    says="The transfer was counted on the CPU's side. The data lies there already; it is the device that must get it.",
    fact="09.6",
)
def copied_on_the_cpu(cpu, device, transfer, passes):
    refuse_speedup(cpu, device, transfer, passes)
    return (transfer + passes * cpu) / (passes * device)


@wrong(
    "speedup-as-a-difference",
    replaces="speedup",
    says="Seconds saved came back, a difference; how many times as fast is a ratio.",
)
def as_a_difference(cpu, device, transfer, passes):
    refuse_speedup(cpu, device, transfer, passes)
    return passes * cpu - (transfer + passes * device)


@wrong(
    "speedup-one-pass-on-the-cpu",
    replaces="speedup",
    says="The device's passes were counted, the CPU's only once: it goes through the data as often as the device does.",
)
def one_pass_on_the_cpu(cpu, device, transfer, passes):
    refuse_speedup(cpu, device, transfer, passes)
    return cpu / (transfer + passes * device)


@wrong(
    "speedup-refuses-no-transfer",
    replaces="speedup",
    says="A transfer of 0 seconds was refused. It is allowed, for data that lies on the device already; only less than "
    "0 is not.",
)
def refuses_no_transfer(cpu, device, transfer, passes):
    refuse(1e-300, cpu=cpu, device=device, transfer=transfer)
    refuse(1, passes=passes)
    return passes * cpu / (transfer + passes * device)


# ---- break_even


@wrong(
    "break-even-without-transfer",
    replaces="break_even",
    says="The transfer was left out: each item must also be copied, which may take more than what the device gains.",
    fact="09.6",
)
def break_even_without_transfer(cpu, device, transfer, overhead):
    refuse(0, cpu=cpu, device=device, transfer=transfer, overhead=overhead)
    gain = cpu - device
    return floor(overhead / gain) + 1 if gain > 0 else None


@wrong(
    "tie-is-a-win",
    replaces="break_even",
    says="Where the gain is just the overhead, both take the same time, and the device is faster with one item more: "
    "round down and add 1.",
)
def tie_is_a_win(cpu, device, transfer, overhead):
    refuse(0, cpu=cpu, device=device, transfer=transfer, overhead=overhead)
    gain = cpu - device - transfer
    return max(1, ceil(overhead / gain)) if gain > 0 else None


@wrong(
    "no-item-at-all",
    replaces="break_even",
    says="With 0 items both take no time at all, or the device its overhead: that is not faster. The answer is at "
    "least 1, and a tie is no win.",
)
def no_item_at_all(cpu, device, transfer, overhead):
    refuse(0, cpu=cpu, device=device, transfer=transfer, overhead=overhead)
    gain = cpu - device - transfer
    return ceil(overhead / gain) if gain > 0 else None


@wrong(
    "break-even-of-a-loss",
    replaces="break_even",
    says="Where an item gains nothing, the device is never faster, however many there are; dividing by a gain of 0 or "
    "less gives an error or nonsense. Ask for the gain first: None.",
)
def of_a_loss(cpu, device, transfer, overhead):
    refuse(0, cpu=cpu, device=device, transfer=transfer, overhead=overhead)
    return floor(overhead / (cpu - device - transfer)) + 1


@wrong(
    "break-even-none-without-overhead",
    replaces="break_even",
    says="None came back where there is no overhead. Then the device is faster from the first item on, if that gains "
    "anything: 1.",
)
def none_without_overhead(cpu, device, transfer, overhead):
    refuse(0, cpu=cpu, device=device, transfer=transfer, overhead=overhead)
    gain = cpu - device - transfer
    return floor(overhead / gain) + 1 if gain > 0 and overhead > 0 else None


@wrong(
    "break-even-of-no-gain",
    replaces="break_even",
    says="A gain of 0 was divided by. Where an item gains nothing, the device is never faster either: None for "
    "a gain of 0 too.",
)
def of_no_gain(cpu, device, transfer, overhead):
    refuse(0, cpu=cpu, device=device, transfer=transfer, overhead=overhead)
    gain = cpu - device - transfer
    return None if gain < 0 else floor(overhead / gain) + 1


@wrong(
    "break-even-of-no-gain-divided-down",
    replaces="break_even",
    says="overhead // gain was asked for a gain of 0, which is a division too. Where an item gains nothing, the device "
    "is never faster either, as where it loses: None.",
)
def of_no_gain_divided_down(cpu, device, transfer, overhead):
    refuse(0, cpu=cpu, device=device, transfer=transfer, overhead=overhead)
    gain = cpu - device - transfer
    return None if gain < 0 else int(overhead // gain) + 1


@wrong(
    "break-even-refuses-zero",
    replaces="break_even",
    says="A time of 0 was refused. All may be 0, no overhead or no transfer say; only less than 0 is no measurement.",
)
def refuses_zero(cpu, device, transfer, overhead):
    refuse(1e-300, cpu=cpu, device=device, transfer=transfer, overhead=overhead)
    gain = cpu - device - transfer
    return floor(overhead / gain) + 1 if gain > 0 else None


@wrong(
    "break-even-refuses-zero-work",
    replaces="break_even",
    says="An item that takes 0 seconds was refused. Here all may be 0, other than in speedup; only less is not.",
)
def refuses_zero_work(cpu, device, transfer, overhead):
    refuse(1e-300, cpu=cpu, device=device)
    refuse(0, transfer=transfer, overhead=overhead)
    gain = cpu - device - transfer
    return floor(overhead / gain) + 1 if gain > 0 else None


@wrong(
    "never-is-zero",
    replaces="break_even",
    says="0 came back where the device is never faster, which reads as `always`: None says that there is no such "
    "number.",
)
def never_is_zero(cpu, device, transfer, overhead):
    refuse(0, cpu=cpu, device=device, transfer=transfer, overhead=overhead)
    gain = cpu - device - transfer
    return floor(overhead / gain) + 1 if gain > 0 else 0


@wrong(
    "break-even-as-a-fraction",
    replaces="break_even",
    says="A fraction of an item came back, the point where both take the same time: the answer is the next whole "
    "number.",
)
def as_a_fraction(cpu, device, transfer, overhead):
    refuse(0, cpu=cpu, device=device, transfer=transfer, overhead=overhead)
    gain = cpu - device - transfer
    return overhead / gain if gain > 0 else None


@wrong(
    "break-even-of-anything",
    replaces="break_even",
    says="A negative time was taken for a measurement: refuse it with a ValueError that names it.",
)
def break_even_of_anything(cpu, device, transfer, overhead):
    gain = cpu - device - transfer
    return floor(overhead / gain) + 1 if gain > 0 else None


@wrong(
    "break-even-transfer-once",
    replaces="break_even",
    says="The transfer was counted once, as the overhead is. It is that of one item: each item must be copied.",
    fact="09.6",
)
def break_even_transfer_once(cpu, device, transfer, overhead):
    refuse(0, cpu=cpu, device=device, transfer=transfer, overhead=overhead)
    gain = cpu - device
    return floor((overhead + transfer) / gain) + 1 if gain > 0 else None


@wrong(
    "break-even-within-a-hundred",
    replaces="break_even",
    says="None came back where the device is faster, if only from many items on: the search ended too early. The gain "
    "of one item tells without a search.",
)
def within_a_hundred(cpu, device, transfer, overhead):
    refuse(0, cpu=cpu, device=device, transfer=transfer, overhead=overhead)
    return next((n for n in range(1, 101) if overhead + n * (device + transfer) < n * cpu), None)


@wrong(
    "break-even-rounded-down",
    replaces="break_even",
    says="overhead / gain was rounded down: at that number the device is not ahead yet. One item more.",
)
def rounded_down(cpu, device, transfer, overhead):
    refuse(0, cpu=cpu, device=device, transfer=transfer, overhead=overhead)
    gain = cpu - device - transfer
    return floor(overhead / gain) if gain > 0 else None


@wrong(
    "never-is-minus-one",
    replaces="break_even",
    says="-1 came back where the device is never faster: None says that there is no such number.",
)
def never_is_minus_one(cpu, device, transfer, overhead):
    refuse(0, cpu=cpu, device=device, transfer=transfer, overhead=overhead)
    gain = cpu - device - transfer
    return floor(overhead / gain) + 1 if gain > 0 else -1


# ---- seconds


@wrong(
    "v04-timing",
    replaces="seconds",
    says="The clock was read while the device was still working: what was measured is how long it takes to queue the "
    "work. Call synchronize(), the one that was handed in, before both readings of the clock.",
    fact="09.6",
)
def without_synchronize(work, clock, synchronize, warmups, repeats):
    refuse(1, repeats=repeats)
    for _ in range(warmups):
        work()
    times = []
    for _ in range(repeats):
        start = clock()
        work()
        times.append(clock() - start)
    return median(times)


@wrong(
    "synchronized-only-after",
    replaces="seconds",
    says="The first reading of the clock did not wait: what was still in the queue, of the warm-up or of somebody "
    "else, was timed along. Synchronize before it too.",
    fact="09.6",
)
def only_after(work, clock, synchronize, warmups, repeats):
    refuse(1, repeats=repeats)
    for _ in range(warmups):
        work()
    times = []
    for _ in range(repeats):
        start = clock()
        work()
        synchronize()
        times.append(clock() - start)
    return median(times)


@wrong(
    "warm-up-counts",
    replaces="seconds",
    says="The warm-up's times are among those of which the median was taken. The first calls compile and allocate,"
    " which no later call does again.",
)
def warm_up_counts(work, clock, synchronize, warmups, repeats):
    refuse(1, repeats=repeats)
    times = []
    for _ in range(warmups + repeats):
        synchronize()
        start = clock()
        work()
        synchronize()
        times.append(clock() - start)
    return median(times)


@wrong(
    "no-warm-up",
    replaces="seconds",
    says="There was no warm-up: the first calls, which compile and allocate, were timed, and work was called too "
    "seldom.",
)
def no_warm_up(work, clock, synchronize, warmups, repeats):
    refuse(1, repeats=repeats)
    times = []
    for _ in range(repeats):
        synchronize()
        start = clock()
        work()
        synchronize()
        times.append(clock() - start)
    return median(times)


@wrong(
    "mean-of-times",
    replaces="seconds",
    says="That is the mean, which one slow run spoils; the median is asked.",
)
def mean_of_times(work, clock, synchronize, warmups, repeats):
    refuse(1, repeats=repeats)
    for _ in range(warmups):
        work()
    times = []
    for _ in range(repeats):
        synchronize()
        start = clock()
        work()
        synchronize()
        times.append(clock() - start)
    return mean(times)


@wrong(
    "all-repeats-in-one",
    replaces="seconds",
    says="The clock was read once around all repeats, and the time divided by their number: a mean, which one slow run "
    "spoils, of calls that were queued while others still ran.",
)
def all_in_one(work, clock, synchronize, warmups, repeats):
    refuse(1, repeats=repeats)
    for _ in range(warmups):
        work()
    synchronize()
    start = clock()
    for _ in range(repeats):
        work()
    synchronize()
    return (clock() - start) / repeats


@wrong(
    "median-of-an-even-number",
    replaces="seconds",
    says="Of an even number of times the upper of the two in the middle came back; the median is their mean, as "
    "statistics.median gives it.",
)
def of_an_even_number(work, clock, synchronize, warmups, repeats):
    refuse(1, repeats=repeats)
    for _ in range(warmups):
        work()
    times = []
    for _ in range(repeats):
        synchronize()
        start = clock()
        work()
        synchronize()
        times.append(clock() - start)
    return sorted(times)[repeats // 2]


@wrong(
    "best-time",
    replaces="seconds",
    says="That is the shortest time; the median is asked, which tells what a usual run takes.",
)
def best_time(work, clock, synchronize, warmups, repeats):
    refuse(1, repeats=repeats)
    for _ in range(warmups):
        work()
    times = []
    for _ in range(repeats):
        synchronize()
        start = clock()
        work()
        synchronize()
        times.append(clock() - start)
    return min(times)


@wrong(
    "worst-time",
    replaces="seconds",
    says="That is the longest time; the median is asked, which tells what a usual run takes.",
)
def worst_time(work, clock, synchronize, warmups, repeats):
    refuse(1, repeats=repeats)
    for _ in range(warmups):
        work()
    times = []
    for _ in range(repeats):
        synchronize()
        start = clock()
        work()
        synchronize()
        times.append(clock() - start)
    return max(times)


@wrong(
    "lower-median",
    replaces="seconds",
    says="Of an even number of times the lower of the two in the middle came back, as torch.median does; the median is "
    "their mean, as statistics.median gives it.",
)
def lower_median(work, clock, synchronize, warmups, repeats):
    refuse(1, repeats=repeats)
    for _ in range(warmups):
        work()
    times = []
    for _ in range(repeats):
        synchronize()
        start = clock()
        work()
        synchronize()
        times.append(clock() - start)
    return sorted(times)[(repeats - 1) // 2]


@wrong(
    "warm-up-before-each",
    replaces="seconds",
    says="The warm-up was done again before each repeat: once, before the first, is asked.",
)
def warm_up_before_each(work, clock, synchronize, warmups, repeats):
    refuse(1, repeats=repeats)
    times = []
    for _ in range(repeats):
        for _ in range(warmups):
            work()
        synchronize()
        start = clock()
        work()
        synchronize()
        times.append(clock() - start)
    return median(times)


@wrong(
    "sum-of-times",
    replaces="seconds",
    says="The times of all repeats were added up; the median of them is asked.",
)
def sum_of_times(work, clock, synchronize, warmups, repeats):
    refuse(1, repeats=repeats)
    for _ in range(warmups):
        work()
    times = []
    for _ in range(repeats):
        synchronize()
        start = clock()
        work()
        synchronize()
        times.append(clock() - start)
    return sum(times)


@wrong(
    "times-in-no-order",
    replaces="seconds",
    says="The time in the middle of the list came back; the median is the one in the middle of the sorted times.",
)
def in_no_order(work, clock, synchronize, warmups, repeats):
    refuse(1, repeats=repeats)
    for _ in range(warmups):
        work()
    times = []
    for _ in range(repeats):
        synchronize()
        start = clock()
        work()
        synchronize()
        times.append(clock() - start)
    return (times[(repeats - 1) // 2] + times[repeats // 2]) / 2


@wrong(
    "seconds-of-nothing",
    replaces="seconds",
    says="Without a repeat there is no time to take a median of: refuse it with a ValueError that names `repeats`,"
    " before median raises an error of its own.",
)
def of_nothing(work, clock, synchronize, warmups, repeats):
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


@wrong(
    "seconds-by-a-clock-of-its-own",
    replaces="seconds",
    says="The time was taken from another clock, as time.perf_counter: here it is told by clock(), which is handed in, "
    "and synchronize and work are those of the same machine.",
)
def by_a_clock_of_its_own(work, clock, synchronize, warmups, repeats):
    refuse(1, repeats=repeats)
    for _ in range(warmups):
        work()
    times = []
    for _ in range(repeats):
        synchronize()
        start = perf_counter()
        work()
        synchronize()
        times.append(perf_counter() - start)
    return median(times)


@wrong(
    "seconds-synchronizes-cuda",
    replaces="seconds",
    says="torch.cuda.synchronize waits for this machine's GPU, if there is one, and not for the queue of the work that "
    "was handed in: call synchronize().",
)
def synchronizes_cuda(work, clock, synchronize, warmups, repeats):
    refuse(1, repeats=repeats)
    for _ in range(warmups):
        work()
    times = []
    for _ in range(repeats):
        torch.cuda.synchronize()
        start = clock()
        work()
        torch.cuda.synchronize()
        times.append(clock() - start)
    return median(times)


# ---- seconds_by_events


@wrong(
    "milliseconds",
    replaces="seconds_by_events",
    says="elapsed_time gives milliseconds; divide by 1000 for seconds.",
)
def milliseconds(work, new_event):
    start, end = new_event(), new_event()
    start.record()
    work()
    end.record()
    end.synchronize()
    return start.elapsed_time(end)


@wrong(
    "milliseconds-multiplied",
    replaces="seconds_by_events",
    says="elapsed_time gives milliseconds, a thousand times as many as seconds: divide by 1000, not multiply.",
)
def multiplied(work, new_event):
    start, end = new_event(), new_event()
    start.record()
    work()
    end.record()
    end.synchronize()
    return start.elapsed_time(end) * 1000


@wrong(
    "end-not-awaited",
    replaces="seconds_by_events",
    says="The device had not come to the end mark when its time was asked for. end.synchronize() waits for it; "
    "waiting for the start does not help.",
    fact="09.6",
)
def not_awaited(work, new_event):
    start, end = new_event(), new_event()
    start.record()
    work()
    end.record()
    return start.elapsed_time(end) / 1000


@wrong(
    "events-synchronize-cuda",
    replaces="seconds_by_events",
    says="torch.cuda.synchronize waits for this machine's GPU, if there is one, and not for the queue in which the "
    "marks are: end.synchronize().",
)
def events_synchronize_cuda(work, new_event):
    start, end = new_event(), new_event()
    start.record()
    work()
    end.record()
    torch.cuda.synchronize()
    return start.elapsed_time(end) / 1000


@wrong(
    "marks-swapped",
    replaces="seconds_by_events",
    says="A negative time came back: it is start.elapsed_time(end), from the first mark to the second.",
)
def swapped(work, new_event):
    start, end = new_event(), new_event()
    start.record()
    work()
    end.record()
    end.synchronize()
    return end.elapsed_time(start) / 1000


@wrong(
    "marks-on-one-side",
    replaces="seconds_by_events",
    says="No work lies between the marks: both stand on one side of it, or they are one event, whose second record() "
    "moved it. It takes two events, one recorded before work() and one after.",
)
def on_one_side(work, new_event):
    start, end = new_event(), new_event()
    work()
    start.record()
    end.record()
    end.synchronize()
    return start.elapsed_time(end) / 1000


@wrong(
    "end-not-recorded",
    replaces="seconds_by_events",
    says="One of the two events was never recorded, so that there is no mark to take a time from: start.record() "
    "before "
    "work(), end.record() after it.",
)
def not_recorded(work, new_event):
    start, end = new_event(), new_event()
    start.record()
    work()
    end.synchronize()
    return start.elapsed_time(end) / 1000


@wrong(
    "work-called-for-warm-up",
    replaces="seconds_by_events",
    says="work() was called twice where the contract asks for once, and the time is that of the second call.",
)
def warmed_up(work, new_event):
    start, end = new_event(), new_event()
    work()
    start.record()
    work()
    end.record()
    end.synchronize()
    return start.elapsed_time(end) / 1000


@wrong(
    "work-never-called",
    replaces="seconds_by_events",
    says="work was named and not called: work(), with parentheses, between the two marks.",
)
def never_called(work, new_event):
    start, end = new_event(), new_event()
    start.record()
    end.record()
    end.synchronize()
    return start.elapsed_time(end) / 1000


# ---- may_be_non_blocking


@wrong(
    "non-blocking-read-back",
    replaces="may_be_non_blocking",
    says="On the way to the CPU nothing waits for the copy: with non_blocking=True the next line reads memory that"
    " the GPU has not filled yet, without an error. Only pinned memory to a GPU is safe and of use.",
    fact="09.6",
)
def read_back(source, target, pinned):
    return pinned


@wrong(
    "non-blocking-from-pageable",
    replaces="may_be_non_blocking",
    says="Memory that is not pinned may be moved by the system at any time, so that the CPU first copies it to a "
    "place that may not, and does not go on at once. To a GPU it takes pinned memory.",
)
def from_pageable(source, target, pinned):
    return source == "cpu"


@wrong(
    "non-blocking-always",
    replaces="may_be_non_blocking",
    says="non_blocking=True is accepted everywhere, but of use only from pinned memory to a GPU, and on the way "
    "back to the CPU it lets the next line read numbers that are not there yet.",
    fact="09.6",
)
def always(source, target, pinned):
    return True


@wrong(
    "non-blocking-never",
    replaces="may_be_non_blocking",
    says="A copy from pinned memory to a GPU can run while the CPU goes on, and what is queued on that GPU "
    "afterwards waits for it by itself: that is what non_blocking is for.",
)
def never(source, target, pinned):
    return False


@wrong(
    "non-blocking-only-back",
    replaces="may_be_non_blocking",
    says="It is the other way round: to a GPU the next line is queued behind the copy, on the way back it reads at"
    " once, before the numbers are there.",
)
def only_back(source, target, pinned):
    return target == "cpu" and pinned


@wrong(
    "non-blocking-back-unpinned",
    replaces="may_be_non_blocking",
    says="The way back was let through. The CPU does go on at once there, but the next line reads the numbers before "
    "they have arrived, pinned or not: only from pinned memory to a GPU.",
    fact="09.6",
)
def back_unpinned(source, target, pinned):
    return pinned or source != "cpu"


@wrong(
    "non-blocking-either-is-enough",
    replaces="may_be_non_blocking",
    says="Either was enough, a start on the CPU or pinned memory. It takes both: memory that is not pinned makes the "
    "CPU wait, and on the way back the next line reads too early.",
    fact="09.6",
)
def either_is_enough(source, target, pinned):
    return source == "cpu" or pinned


@wrong(
    "non-blocking-to-the-first-gpu",
    replaces="may_be_non_blocking",
    says="Only a copy to cuda:0 was let through. Any GPU's queue waits for the copy by itself: that it starts on the "
    "CPU, in pinned memory, is what counts.",
)
def to_the_first_gpu(source, target, pinned):
    return target == "cuda:0" and pinned
