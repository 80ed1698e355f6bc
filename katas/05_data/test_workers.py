"""The specification of workers.py. Worker processes import it by name, for the datasets at its top level."""

import contextlib
import itertools
import multiprocessing
import os
import pickle
import re
import runpy
import subprocess
import sys
import warnings

import pytest
import torch
from torch.utils.data import DataLoader, Dataset, IterableDataset
from torch.utils.data._utils import worker as torch_worker

METHODS = multiprocessing.get_all_start_methods()
QUICK = "fork" if "fork" in METHODS else METHODS[0]

pytestmark = pytest.mark.filterwarnings(
    "ignore:This DataLoader will create:UserWarning",  # more workers than cores
    "ignore:unclosed file:ResourceWarning",  # a learner's, which is told otherwise
)


def named(name, function):
    """What the spec does with an object of the learner's, as a call of that name."""
    function.__name__ = name
    return function


def true(statements):
    return [statement for statement, holds in statements.items() if holds]


def can_be_pickled(thing):
    try:
        pickle.dumps(thing)
    except Exception:
        return False
    return True


def from_workers(loader):
    """The batches of an epoch; of an endless one the first 500. On an error the workers end before it goes on."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*multi-threaded", DeprecationWarning)  # fork beside pytest's own thread
        try:
            return list(itertools.islice(loader, 500))
        except Exception as error:
            failure = error.with_traceback(None)  # its frames hold the iterator, and that the workers
    raise failure


# ---- pad

SEQUENCES = {
    "unequal": ([[5, 9, 4], [7], [3, 8]], [2, 0, 6]),
    "equal": ([[1, 2], [3, 4]], [1, 0]),
    "single": ([[6, 2, 8, 1]], [3]),
    "with the padding's numbers": ([[0, 4, 0, -1], [0], [-1, 0, 3], [5, -1]], [0, 1, 0, 4]),
    "an empty one": ([[], [4, 2], [9]], [1, 1, 2]),
    "the longest last": ([[1], [2, 3], [4, 5, 6], [7, 8, 9, 10, 11]], [4, 3, 2, 1]),
}


def pairs(sequences, labels):
    rows = zip(sequences, labels, strict=True)
    return [(torch.tensor(tokens, dtype=torch.int64), torch.tensor(label)) for tokens, label in rows]


@pytest.mark.parametrize("padding", [0, -1])
@pytest.mark.parametrize("case", SEQUENCES)
def test_pad(kata, check, case, padding):
    """Catches the default collate, which stacks, padding in front, and a mask that takes a token for padding."""
    sequences, labels = SEQUENCES[case]
    longest = max(map(len, sequences))
    tokens = torch.tensor([row + [padding] * (longest - len(row)) for row in sequences])
    mask = torch.tensor([[True] * len(row) + [False] * (longest - len(row)) for row in sequences])

    seen = check(kata.pad, examples=pairs(sequences, labels), padding=padding)
    seen.gives((tokens, mask, torch.tensor(labels)), exact=True)


def test_pad_with_zeros_by_default(kata, check):
    """Catches another default: a loader calls its collate function with the examples alone."""
    right = (torch.tensor([[5, 9], [7, 0]]), torch.tensor([[True, True], [True, False]]), torch.tensor([2, 0]))
    check(kata.pad, examples=pairs([[5, 9], [7]], [2, 0])).gives(right, exact=True)


# ---- guarded

DEFINITIONS = """import math
note("defined")

def root(n):
    return math.isqrt(n)
"""
WORK = """for n in (49, 81):
    note(root(n))

    if n > 50:
        note("large")
note("done")
"""
WORKED = ["defined", 7, 9, "large", "done"]


@pytest.mark.fact("05.4")
@pytest.mark.parametrize("end", ["\n", ""], ids=["newline at the end", "none"])
def test_guarded_works_as_a_program_alone(kata, check, tmp_path, end):
    """Catches work that runs in every worker too, definitions that a worker does not find, and lines out of line."""
    path = tmp_path / "program.py"

    def run(definitions, work):
        path.write_text(kata.guarded(definitions, work), encoding="utf-8")
        notes = {"started by hand": [], "in a worker": []}
        for name, seen in zip(("__main__", "__mp_main__"), notes.values(), strict=True):
            runpy.run_path(str(path), init_globals={"note": seen.append}, run_name=name)
        return notes

    given = {"definitions": DEFINITIONS.rstrip() + end, "work": WORK.rstrip() + end}
    seen = check(named("running what came of guarded", run), **given)
    seen.gives({"started by hand": WORKED, "in a worker": ["defined"]})


SPAWNS = """import multiprocessing

def double(n):
    print("worker:", 2 * n)
"""
STARTS = """worker = multiprocessing.get_context("spawn").Process(target=double, args=(21,))
worker.start()
worker.join()
print("worker ended with", worker.exitcode)
"""


@pytest.mark.fact("05.4")
@pytest.mark.timeout(60)
def test_guarded_starts_a_worker(kata, check, tmp_path):
    """Catches a program whose spawned worker starts workers itself, which Python stops with a RuntimeError."""
    path = tmp_path / "program.py"

    def run(definitions, work):
        path.write_text(kata.guarded(definitions, work), encoding="utf-8")
        done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, timeout=50)
        return {"printed": done.stdout.splitlines(), "errors": re.findall(r"^\w+Error\b", done.stderr, re.M)}

    seen = check(named("starting what came of guarded as a program", run), definitions=SPAWNS, work=STARTS)
    seen.gives({"printed": ["worker: 42", "worker ended with 0"], "errors": []})


# ---- Noisy


def test_Noisy_has_a_length(kata, check):
    """Catches the number of features for the number of examples."""
    rows = [(torch.zeros(n, d), 0.5) for n, d in [(3, 2), (1, 4), (5, 5), (2, 7), (4, 1)]]
    length = named("len(Noisy(features, spread))", lambda features, spread: len(kata.Noisy(features, spread)))
    check.each(length, rows).gives([3, 1, 5, 2, 4])


@pytest.mark.parametrize("spread", [0.25, 2.0])
def test_Noisy_adds_normal_noise(kata, check, spread):
    """Catches uniform noise, a variance for a standard deviation, noise that is multiplied, and one number for all."""
    features = torch.stack([torch.full((20_000,), 3.0), torch.full((20_000,), -40.0)])

    torch.manual_seed(7)

    def noise(features, spread):
        noises = [item - row for item, row in zip(items(kata.Noisy(features, spread), 2), features, strict=True)]
        return [
            {
                "mean": round(noise.mean().item() / spread, 1),
                "standard deviation": round(noise.std().item() / spread, 1),
                "farther than one spread": round((noise.abs() > spread).float().mean().item(), 1),
            }
            for noise in noises
        ]

    right = [{"mean": 0.0, "standard deviation": 1.0, "farther than one spread": 0.3}] * 2
    call = "the noise, in spreads, of rows of 20,000 numbers, 3.0 and -40.0, of Noisy"
    check(named(call, noise), features=features, spread=spread).gives(right)


def items(dataset, n):
    return [dataset[i] for i in range(n)]


def test_Noisy_leaves_the_features(kata, check):
    """Catches noise that is added where the row is stored, where it piles up; dtype and shape."""

    def without_noise(features, spread):
        dataset = kata.Noisy(features, spread)
        return [items(dataset, 2) for _ in range(3)]

    features = torch.tensor([[1.0, -2.0, 0.5], [4.0, 8.0, -16.0]])
    right = [list(features.clone())] * 3
    seen = check(named("all items, asked for three times, of Noisy", without_noise), features=features, spread=0.0)
    seen.gives(right, exact=True)

    def added_twice(features, spread):
        dataset = kata.Noisy(features, spread)
        dataset[0], dataset[1], dataset[1]
        return features

    seen = check(named("the features, after three items of Noisy", added_twice), features=features.clone(), spread=1.0)
    seen.gives(features, exact=True)


def test_Noisy_refuses_what_is_past_the_end(kata, check):
    """Catches an index that starts again from the front."""
    check(
        named("Noisy(features, spread)[3]", lambda features, spread: kata.Noisy(features, spread)[3]),
        features=torch.zeros(3, 2),
        spread=0.5,
    ).raises(IndexError)


def alike_of(kata):
    """What draws the same noise, without processes: a worker gets a copy of the dataset, and its stream is seeded."""

    def alike(spread):
        dataset = kata.Noisy(torch.zeros(4, 3), spread)
        if not can_be_pickled(dataset):
            return "the dataset cannot be pickled"
        with torch.random.fork_rng(devices=[]):
            twice, one = drawn(dataset, 21, asked=(2, 2)), drawn(dataset, 21)
            found = {
                "one seed, twice": one == drawn(dataset, 21),
                "one example, twice": twice[0] == twice[1],
                "two examples": one[0] == one[1],
                "two workers": one == drawn(dataset, 22),
                "two epochs": one == drawn(dataset, 1021),
                "and the stream was seeded": torch.initial_seed() != 1021,
            }
        return true(found)

    return named("who draws the same noise, of Noisy", alike)


def drawn(dataset, seed, asked=(0, 1)):
    copy = pickle.loads(pickle.dumps(dataset))
    torch.manual_seed(seed)
    return [copy[i].tolist() for i in asked]


@pytest.mark.fact("05.4")
def test_Noisy_draws_anew(kata, check):
    """Catches a generator kept on the dataset, of which each worker gets the same copy, and noise drawn once."""
    check(alike_of(kata), spread=1.0).gives(["one seed, twice"])


@pytest.mark.fact("05.4")
@pytest.mark.timeout(60)
def test_Noisy_in_two_workers(kata, check):
    """Catches the same in real processes, once it is right without them."""
    check(alike_of(kata), spread=1.0).gives(["one seed, twice"])

    def epochs(dataset, count):
        generator = torch.Generator().manual_seed(3)
        loader = DataLoader(dataset, num_workers=2, multiprocessing_context=QUICK, generator=generator)
        return [torch.cat(from_workers(loader)).tolist() for _ in range(count)]

    def alike(spread):
        dataset = kata.Noisy(torch.zeros(4, 3), spread)
        first, second = epochs(dataset, 2)
        return true(
            {
                "one seed, twice": epochs(dataset, 1) == [first],
                "two workers": first[0] == first[1],
                "two epochs": first == second,
            }
        )

    call = "who draws the same noise in two worker processes, of Noisy"
    check(named(call, alike), spread=1.0).gives(["one seed, twice"])


# ---- Lines


@contextlib.contextmanager
def as_worker(id, of):
    """Be worker `id` of `of` without a process.

    get_worker_info returns this private variable; it is set here alone (tried on torch 2.4 and 2.13).
    """
    torch_worker._worker_info = torch_worker.WorkerInfo(id=id, num_workers=of, seed=1000 + id, dataset=None)
    try:
        yield
    finally:
        torch_worker._worker_info = None


def text_file(tmp_path, lines, end="\n"):
    path = tmp_path / "lines.txt"
    path.write_text(
        "".join(f"{line}\n" for line in lines).removesuffix("\n") + (end if lines else ""), encoding="utf-8"
    )
    return path


def all_of(stream):
    """The lines of a stream; of an endless one the first 500."""
    return list(itertools.islice(iter(stream), 500))


@pytest.mark.parametrize("end", ["\n", ""], ids=["newline at the end", "none"])
def test_Lines_gives_all_in_order(kata, check, tmp_path, end):
    """Catches a newline that stays, spaces that go, empty lines left out, and a file that is read to its end once."""
    lines = ["second to none", "  indented", "", "trailing  ", "a,b", "ü", "a,b"]
    path = text_file(tmp_path, lines, end)

    def twice(path):
        stream = kata.Lines(path)
        return [all_of(stream), all_of(stream)]

    check(named("all lines, twice, of Lines", twice), path=path).gives([lines, lines])


SHARES = [(10, 1), (10, 2), (10, 3), (7, 4), (3, 5), (1, 2), (0, 2), (12, 4)]


@pytest.mark.fact("05.4")
@pytest.mark.parametrize(("n", "workers"), SHARES)
def test_Lines_shares_out(kata, check, tmp_path, n, workers):
    """Catches a stream that each worker gives whole, lines that no worker gives, and a worker that does it all."""
    lines = [f"{i:02}" for i in range(n)]
    path = text_file(tmp_path, lines)

    call = f"the shares of {workers} workers in {n} lines of Lines"
    check(named(call, lambda path: shares(kata.Lines(path), n, workers)), path=path).gives(right_shares(lines))


def shares(stream, n, workers):
    """What the workers get, without processes."""
    found = []
    for id in range(workers):
        with as_worker(id, workers):
            found.append(all_of(stream))
    return {
        "too large": [id for id, share in enumerate(found) if len(share) > -(-n // workers)],
        "out of order": [id for id, share in enumerate(found) if share != sorted(share)],
        "all lines, sorted": sorted(itertools.chain(*found)),
    }


def right_shares(lines):
    return {"too large": [], "out of order": [], "all lines, sorted": lines}


def test_Lines_can_be_pickled(kata, check, tmp_path):
    """Catches a file that is opened when the dataset is made, and one left open on it: no open file can be pickled."""
    lines = ["one", "two", "three"]
    path = text_file(tmp_path, lines)

    def handed_over(path):
        stream = kata.Lines(path)
        new = pickle.loads(pickle.dumps(stream))
        going = iter(stream)
        next(going)
        return {"new": all_of(new), "in use": all_of(pickle.loads(pickle.dumps(stream)))}

    check(named("lines of a pickled Lines", handed_over), path=path).gives({"new": lines, "in use": lines})


@pytest.mark.fact("05.4")
@pytest.mark.timeout(60)
@pytest.mark.parametrize("workers", [0, 1, 2])
def test_Lines_comes_once_from_workers(kata, check, tmp_path, workers):
    """Catches each line once a worker, in real processes, once the shares are right without them."""
    lines = [f"{i:02}" for i in range(9)]
    path = text_file(tmp_path, lines)

    def without(path):
        return {"all lines": all_of(kata.Lines(path)), "two workers": shares(kata.Lines(path), 9, 2)}

    right = {"all lines": lines, "two workers": right_shares(lines)}
    check(named("without a process, Lines", without), path=path).gives(right)

    def through_a_loader(path):
        context = QUICK if workers else None
        loader = DataLoader(kata.Lines(path), batch_size=2, num_workers=workers, multiprocessing_context=context)
        return sorted(itertools.chain(*from_workers(loader)))

    call = f"all lines, sorted, through a loader with num_workers={workers}, of Lines"
    check(named(call, through_a_loader), path=path).gives(lines)


# ---- sequence_loader


class Sentences(Dataset):
    """Example i has 1 to 3 tokens, the first of them 10 * i, and i as its label."""

    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        if not 0 <= i < self.n:
            raise IndexError(i)
        return 10 * i + torch.arange(i % 3 + 1), torch.tensor(i)


class Stream(IterableDataset):
    """The same as a stream, in its own order: the largest first."""

    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return (Sentences(self.n)[i] for i in reversed(range(self.n)))


class Traced(Sentences):
    """The same, with the process that made an example as its label."""

    def __getitem__(self, i):
        return super().__getitem__(i)[0], torch.tensor(os.getpid())


SHUFFLED = {"first epoch in order": False, "two epochs alike": False}


def epoch(loader):
    """The batches of an epoch; of an endless one the first 50."""
    return list(itertools.islice(loader, 50))


def unpadded(batches):
    """The tokens of each example, by the mask."""
    return [row[own].tolist() for tokens, mask, _ in batches for row, own in zip(tokens, mask, strict=True)]


def order(loader):
    return [int(label) for _, _, labels in epoch(loader) for label in labels]


def padded(loader):
    """What an epoch has, whatever its order."""
    batches = epoch(loader)
    return {
        "examples": sorted(unpadded(batches)),
        "sizes": [len(labels) for _, _, labels in batches],
        "paddings": sorted({int(number) for tokens, mask, _ in batches for number in tokens[~mask]}),
    }


def right_padded(n, size, padding):
    sizes = [min(size, n - i) for i in range(0, n, size)]
    return {"examples": [Sentences(n)[i][0].tolist() for i in range(n)], "sizes": sizes, "paddings": [padding]}


def shuffled(loader):
    first, second = order(loader), order(loader)
    return {"first epoch in order": first == sorted(first), "two epochs alike": first == second}


@pytest.mark.fact("05.3")
@pytest.mark.parametrize(("n", "size", "padding"), [(7, 3, 0), (7, 4, -9), (2, 5, 77)])
def test_sequence_loader_pads(kata, check, n, size, padding):
    """Catches the default collate, a padding that pad is not told, examples left out, and another size."""
    torch.manual_seed(0)
    call = f"an epoch of {n} sequences through sequence_loader"
    use = named(call, lambda batch_size, padding: padded(kata.sequence_loader(Sentences(n), batch_size, padding)))
    check(use, batch_size=size, padding=padding).gives(right_padded(n, size, padding))


@pytest.mark.fact("05.3")
def test_sequence_loader_shuffles_a_map_style_dataset(kata, check):
    """Catches no shuffle, and one order for all epochs."""
    torch.manual_seed(0)
    call = "two epochs of 40 sequences through sequence_loader"
    use = named(call, lambda batch_size: shuffled(kata.sequence_loader(Sentences(40), batch_size)))
    check(use, batch_size=4).gives(SHUFFLED)


def test_sequence_loader_takes_a_stream(kata, check):
    """Catches shuffle=True for an IterableDataset, which a DataLoader refuses, and a stream read into a list."""
    torch.manual_seed(0)
    call = "the labels of a stream through sequence_loader"
    use = named(call, lambda batch_size: order(kata.sequence_loader(Stream(7), batch_size)))
    check(use, batch_size=3).gives([6, 5, 4, 3, 2, 1, 0])


def usual():
    """The start method that a program has if it sets none; asking in another way would set it."""
    return multiprocessing.get_start_method(allow_none=True) or METHODS[0]


def settings_of(kata, workers, start_method=None):
    """What a loader would do with workers, told before it starts any."""
    set_before, before = multiprocessing.get_start_method(allow_none=True), usual()
    loader = kata.sequence_loader(Sentences(5), 2, padding=4, workers=workers, start_method=start_method)
    changed = usual() != before
    if changed:
        multiprocessing.set_start_method(set_before, force=True)
    if not isinstance(loader, DataLoader):
        return loader if loader is None else type(loader).__name__
    context = loader.multiprocessing_context
    return {
        "num_workers": loader.num_workers,
        "the whole program's start method changed": changed,
        "start method": (context and context.get_start_method(allow_none=True)) or usual(),
        "collate_fn can be pickled": can_be_pickled(loader.collate_fn),
        "dataset can be pickled": can_be_pickled(loader.dataset),
    }


def right_settings(workers, start_method=None):
    right = {"num_workers": workers, "the whole program's start method changed": False}
    right["start method"] = start_method or usual()
    return right | {"collate_fn can be pickled": True, "dataset can be pickled": True}


@pytest.mark.fact("05.4")
@pytest.mark.parametrize(("workers", "start_method"), [(0, None), (1, None), (2, None), *((1, m) for m in METHODS)])
def test_sequence_loader_can_have_workers(kata, check, workers, start_method):
    """Catches workers that are not passed on, a lambda or inner function, and a start method set for the program."""
    given = {"workers": workers, "start_method": start_method}
    use = named("the settings of a loader made by sequence_loader", lambda **inputs: settings_of(kata, **inputs))
    check(use, **given).gives(right_settings(**given))


# an import of torch in each worker that is not forked
STARTED = [pytest.param(1, name, marks=() if name == "fork" else pytest.mark.slow) for name in METHODS]


@pytest.mark.fact("05.3")
@pytest.mark.fact("05.4")
@pytest.mark.timeout(60)
@pytest.mark.parametrize(("workers", "start_method"), [(0, None), (2, QUICK), *STARTED])
def test_sequence_loader_loads_in_workers(kata, check, workers, start_method):
    """Catches examples that come twice or never, and a loader that does the work itself, for each start method.

    A loader that is wrong without workers gets none: they take seconds to start.
    """
    torch.manual_seed(0)
    given = {"workers": workers, "start_method": start_method}
    use = named("the settings of a loader made by sequence_loader", lambda **inputs: settings_of(kata, **inputs))
    check(use, **given).gives(right_settings(**given))

    def without_workers(padding):
        return {
            "stream": order(kata.sequence_loader(Stream(5), 2)),
            "epoch": padded(kata.sequence_loader(Sentences(7), 3, padding)),
            "two": shuffled(kata.sequence_loader(Sentences(40), 4)),
        }

    right = {"stream": [4, 3, 2, 1, 0], "epoch": right_padded(7, 3, 5), "two": SHUFFLED}
    check(named("without workers, sequence_loader", without_workers), padding=5).gives(right)

    def with_workers(workers, start_method):
        batches = from_workers(kata.sequence_loader(Traced(8), 1, workers=workers, start_method=start_method))
        makers = {int(maker) for _, _, makers in batches for maker in makers}
        return {
            "examples": sorted(tokens[0] // 10 for tokens in unpadded(batches)),
            "worker processes": len(makers - {os.getpid()}),
            "made by the main process": os.getpid() in makers,
        }

    right = {"examples": list(range(8)), "worker processes": workers, "made by the main process": workers == 0}
    check(named("an epoch of 8 sequences through sequence_loader", with_workers), **given).gives(right)
