"""The specification of dataset.py."""

import itertools
import random
from pathlib import Path

import numpy
import pytest
import torch
from torch.utils.data import Dataset

from torchkatas.compare import Refusal

IRIS = Path(__file__).with_name("iris.csv")


def named(name, function):
    """What the spec does with an object of the learner's, as a call of that name."""
    function.__name__ = name
    return function


# ---- Scaled

NUMBERS = [0.5, -3.0, 4.25, 7.0, -0.125]


def scaled(kata, name="Scaled(values, factor)[i]"):
    return named(name, lambda values, factor, i: kata.Scaled(list(values), factor)[i])


@pytest.mark.fact("05.1")
def test_Scaled_has_a_length(kata, check):
    """Catches a length that is not the number of values."""
    rows = [(NUMBERS, 2), (NUMBERS[:1], 0.5), (NUMBERS[:2], 3), (NUMBERS * 2, -1.0), (NUMBERS[:4], 7)]
    length = named("len(Scaled(values, factor))", lambda values, factor: len(kata.Scaled(values, factor)))
    check.each(length, rows).gives([5, 1, 2, 10, 4])


@pytest.mark.fact("05.1")
@pytest.mark.parametrize("factor", [2, 0.5, -3.0])
def test_Scaled_gives_the_ith_number(kata, check, factor):
    """Catches a count from 1, Python numbers, float64, and an axis too many."""
    rows = [(NUMBERS, factor, i) for i in range(5)]
    check.each(scaled(kata), rows).gives([torch.tensor(v * factor) for v in NUMBERS], exact=True)


def test_Scaled_counts_from_the_end(kata, check):
    """Catches negative indices that are refused."""
    rows = [(NUMBERS, 2, -k) for k in range(1, 6)]
    check.each(scaled(kata), rows).gives([torch.tensor(v * 2) for v in reversed(NUMBERS)], exact=True)


@pytest.mark.parametrize("factor", [2, 0.5])
def test_Scaled_takes_slices(kata, check, factor):
    """Catches a slice of a list that is repeated in place of multiplied."""
    slices = [slice(1, 3), slice(None, 2), slice(None, None, 2), slice(-2, None), slice(3, 9)]
    right = [torch.tensor([v * factor for v in NUMBERS[at]]) for at in slices]
    check.each(scaled(kata), [(NUMBERS, factor, at) for at in slices]).gives(right, exact=True)


@pytest.mark.fact("05.1")
def test_Scaled_refuses_what_is_past_the_end(kata, check):
    """Catches an index that starts again from the front, one that stops at the last, and another error."""
    rows = [(NUMBERS, 2, i) for i in (5, 6, 50, -6, -50)]
    check.each(scaled(kata), rows).gives([Refusal(IndexError)] * 5)


@pytest.mark.fact("05.1")
def test_Scaled_comes_to_an_end(kata, check):
    """Catches what makes a `for` loop over it endless: Python asks for 0, 1, 2, ... until an IndexError comes."""

    def first_nine(values, factor):
        return list(itertools.islice(iter(kata.Scaled(list(values), factor)), 9))

    right = [torch.tensor(v * 2) for v in NUMBERS]
    check(named("a for loop of nine rounds over Scaled", first_nine), values=NUMBERS, factor=2).gives(right, exact=True)


def test_Scaled_gives_the_same_again(kata, check):
    """Catches an item that is multiplied where it is stored, and so grows with each epoch."""

    def three_times(values, factor):
        dataset = kata.Scaled(list(values), factor)
        return [[float(dataset[i]) for i in range(5)] for _ in range(3)]

    call = "all items, asked for three times, of Scaled"
    check(named(call, three_times), values=NUMBERS, factor=2).gives([[v * 2 for v in NUMBERS]] * 3)


def test_Scaled_keeps_its_own_values(kata, check):
    """Catches values that are kept on the class, where the next dataset replaces them."""

    def first_of_two(values, factor):
        first = kata.Scaled(list(values), factor)
        kata.Scaled([9.0, 8.0], factor + 1)
        return [float(first[i]) for i in range(len(first))]

    call = "all items of the first of two datasets, of Scaled"
    check(named(call, first_of_two), values=NUMBERS, factor=2).gives([v * 2 for v in NUMBERS])


# ---- Examples


def examples(features=torch.float32, labels=torch.int64, n=4):
    values = [[1.5, -2.0, 30.25], [4.0, 0.5, -6.0], [-7.0, 8.5, 9.0], [0.25, -1.0, 12.0]]
    return {"features": torch.tensor(values)[:n].to(features), "labels": torch.tensor([3, 0, 7, 2])[:n].to(labels)}


def item(kata):
    return named("Examples(features, labels)[i]", lambda features, labels, i: kata.Examples(features, labels)[i])


@pytest.mark.fact("05.1")
def test_Examples_has_a_length(kata, check):
    """Catches the width of a row for the number of rows."""
    length = named("len(Examples(features, labels))", lambda features, labels: len(kata.Examples(features, labels)))
    check.each(length, [examples(n=n) for n in (4, 1, 2, 3, 4)]).gives([4, 1, 2, 3, 4])


@pytest.mark.fact("05.1")
@pytest.mark.parametrize("n", [4, 1, 2])
def test_Examples_gives_the_ith_pair(kata, check, n):
    """Catches the wrong row, labels of shape (1,), and rows that keep their axis."""
    rows = [{**examples(n=n), "i": i} for i in range(-n, n)]
    right = [(row["features"][row["i"]].clone(), row["labels"][row["i"]].clone()) for row in rows]
    check.each(item(kata), rows).gives(right, exact=True)


DTYPES = [(torch.float64, torch.int32), (torch.float16, torch.uint8), (torch.int16, torch.int64)]


@pytest.mark.parametrize(("features", "labels"), DTYPES)
def test_Examples_come_in_the_usual_dtypes(kata, check, features, labels):
    """Catches NumPy's float64 that is passed on, labels of another integer dtype, and labels made floats."""
    given = examples(features, labels)
    right = [(row.float(), label.long()) for row, label in zip(given["features"], given["labels"], strict=True)]
    check.each(item(kata), [{**given, "i": i} for i in range(4)]).gives(right, exact=True)


@pytest.mark.fact("05.1")
def test_Examples_refuses_what_is_past_the_end(kata, check):
    """Catches None past the end, and an index that starts again from the front."""
    rows = [{**examples(), "i": i} for i in (4, 5, 40, -5, -40)]
    check.each(item(kata), rows).gives([Refusal(IndexError)] * 5)


def count(kata):
    """A dataset is no observation that two answers could share; its length is."""

    def count(features, labels):
        dataset = kata.Examples(features, labels)
        try:
            return len(dataset)
        except ValueError:
            return "made, and refused when its length was asked"

    return named("len(Examples(features, labels))", count)


@pytest.mark.parametrize(("rows", "labels"), [(17, 23), (23, 17), (23, 0)])
def test_Examples_refuses_unequal_lengths(kata, check, rows, labels):
    """Catches a pair of tensors that do not belong together, cut to the shorter one or not looked at."""
    given = {"features": torch.arange(rows * 2.0).reshape(rows, 2), "labels": torch.arange(labels)}
    check(count(kata), **given).raises(ValueError, str(rows))
    check(count(kata), **given).raises(ValueError, str(labels))


def test_Examples_refuses_an_empty_dataset(kata, check):
    """Catches a dataset of no examples, over which every mean would be NaN."""
    given = {"features": torch.empty(0, 3), "labels": torch.empty(0, dtype=torch.int64)}
    check(count(kata), **given).raises(ValueError, "empty")


# ---- Table

TWO_DIGITS = 0.01  # all that the description gives
# the order of appearance is not the alphabet's; no newline at the end
TOWNS = "rain,wind,town\n0.5,3,york\n-2,1.25,bern\n\n7,0,york\n1e2,6,oslo\n\n4,8,bern\n9,-1,lima"
TOWN_ROWS = [([0.5, 3.0], "york"), ([-2.0, 1.25], "bern"), ([7.0, 0.0], "york")]
TOWN_ROWS += [([100.0, 6.0], "oslo"), ([4.0, 8.0], "bern"), ([9.0, -1.0], "lima")]


def content(kata):
    """All that a table has; no more than 200 examples are asked for."""

    def content(path):
        table = kata.Table(path)
        return {"classes": table.classes, "length": len(table), "items": list(itertools.islice(iter(table), 200))}

    return named("the content of Table", content)


@pytest.mark.fact("05.1")
def test_Table_of_the_irises(kata, check):
    """Catches the line of names taken for an example, an example lost, and labels left among the features."""
    lines = [line.split(",") for line in IRIS.read_text(encoding="utf-8").split()[1:]]
    classes = ["setosa", "versicolor", "virginica"]
    features = numpy.array([line[:4] for line in lines]).astype(numpy.float32)
    items = [
        (torch.from_numpy(row), torch.tensor(classes.index(line[4]))) for row, line in zip(features, lines, strict=True)
    ]

    check(content(kata), path=IRIS).gives({"classes": classes, "length": 150, "items": items}, exact=True)


def test_Table_of_the_irises_has_their_means(kata, check):
    """Catches columns that are mixed up, by the means of the data set's description: 5.84, 3.05, 3.76, 1.20 cm."""

    def means(path):
        table = kata.Table(path)
        of_each = [sum(int(table[i][1]) == label for i in range(150)) for label in range(3)]
        return {"mean": torch.stack([table[i][0] for i in range(150)]).mean(dim=0), "of each class": of_each}

    right = {"mean": torch.tensor([5.84, 3.05, 3.76, 1.20]), "of each class": [50, 50, 50]}
    check(named("the means over Table", means), path=str(IRIS)).gives(right, atol=TWO_DIGITS)


@pytest.mark.parametrize("end", ["", "\n", "\n\n"], ids=["no newline", "newline", "empty line"])
def test_Table_of_another_file(kata, check, tmp_path, end):
    """Catches names that are numbered as they come, iris names, empty lines, and newlines within a name."""
    path = tmp_path / "towns.csv"
    path.write_text(TOWNS + end, encoding="utf-8")
    classes = ["bern", "lima", "oslo", "york"]
    items = [(torch.tensor(row), torch.tensor(classes.index(town))) for row, town in TOWN_ROWS]

    check(content(kata), path=path).gives({"classes": classes, "length": 6, "items": items}, exact=True)


@pytest.mark.fact("05.1")
def test_Table_refuses_what_is_past_the_end(kata, check):
    """Catches an index that starts again from the front."""
    rows = [(IRIS, 150), (IRIS, 151), (IRIS, 300), (str(IRIS), 150), (str(IRIS), 1500)]
    check.each(named("Table(path)[i]", lambda path, i: kata.Table(path)[i]), rows).gives([Refusal(IndexError)] * 5)


def test_Table_needs_its_file(kata, check, tmp_path):
    """Catches a missing file that becomes an empty dataset."""

    def made(path):
        table = kata.Table(path)
        try:
            return f"a table of {len(table)}"
        except FileNotFoundError:
            return "a table without a length"

    check(named("Table(path)", made), path=tmp_path / "nowhere.csv").raises(FileNotFoundError)


# ---- OnDemand


class Shelf:
    """Examples that lie elsewhere, and a list of those that were fetched."""

    def __init__(self, n=5):
        self.n, self.fetched = n, []

    def read(self, i):
        self.fetched.append(i)
        if not 0 <= i < self.n:
            raise RuntimeError(f"nothing lies at place {i}")
        return self.example(i)

    def example(self, i):
        return [i + 0.5, -2.0 * i, 100.0 + i], i * 3 % 7


def watched(kata, use, n=5):
    """What came of using a dataset, and which reads it took."""
    shelf = Shelf(n)
    dataset = kata.OnDemand(shelf.read, n)
    try:
        came = use(dataset)
    except Exception as error:
        came = type(error).__name__
    return {"came": came, "read": shelf.fetched}


def on_shelf(i, n=5):
    features, label = Shelf(n).example(i)
    return torch.tensor(features), torch.tensor(label)


@pytest.mark.fact("05.1")
@pytest.mark.parametrize("n", [5, 2, 3])
def test_OnDemand_has_a_length_without_reading(kata, check, n):
    """Catches everything read when the dataset is made, or to count it."""
    seen = watched(kata, len, n)
    check.saw(kata.OnDemand, seen, call=f"len(dataset) of {n}, and the reads until then").gives({"came": n, "read": []})


@pytest.mark.fact("05.1")
@pytest.mark.parametrize("i", [0, 2, 4, -1, -4, -5])
def test_OnDemand_reads_one_example(kata, check, i):
    """Catches two reads for the two halves of a pair, and a negative index passed on to where 0 to n - 1 are known."""
    seen = watched(kata, lambda dataset: dataset[i])
    right = {"came": on_shelf(i % 5), "read": [i % 5]}
    check.saw(kata.OnDemand, seen, call=f"dataset[{i}] of 5, and the reads it took").gives(right, exact=True)


def test_OnDemand_keeps_nothing(kata, check):
    """Catches a cache: after one epoch it would hold the whole of what does not fit into memory."""
    seen = watched(kata, lambda dataset: [dataset[i] for i in (3, 3, 1, 3)])
    right = {"came": [on_shelf(i) for i in (3, 3, 1, 3)], "read": [3, 3, 1, 3]}
    check.saw(kata.OnDemand, seen, call="items 3, 3, 1, 3, and the reads they took").gives(right, exact=True)


@pytest.mark.fact("05.1")
@pytest.mark.parametrize("i", [5, 6, -6, -11])
def test_OnDemand_refuses_what_is_past_the_end(kata, check, i):
    """Catches an index that is passed on without a look, and fails in the reader, or starts again from the front."""
    seen = watched(kata, lambda dataset: dataset[i])
    right = {"came": "IndexError", "read": []}
    check.saw(kata.OnDemand, seen, call=f"dataset[{i}] of 5, and the reads it took").gives(right)


# ---- split


class Whole(Dataset):
    """Features that tell their label, and a place for a transform, as torchvision's datasets have it."""

    def __init__(self, n):
        self.n, self.transform = n, None

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        if not 0 <= i < self.n:
            raise IndexError(i)
        features = torch.tensor([1.0, -2.0]) * i
        return (self.transform(features) if self.transform else features), torch.tensor(i)


class Plain(Dataset):
    """The same examples, in a dataset that knows of no transform."""

    def __init__(self, n):
        self.examples = [Whole(n)[i] for i in range(n)]

    def __len__(self):
        return len(self.examples)

    def __getitem__(self, i):
        return self.examples[i]


class AddHundred:
    """Adds 100 to the features at the first call, 200 at the second, and so on."""

    def __init__(self):
        self.calls = 0

    def __call__(self, features):
        self.calls += 1
        return features + 100 * self.calls


def plus_hundred(features):
    return features + 100


def labels(part):
    return [int(part[i][1]) for i in range(len(part))]


def added(part):
    """What was added to the features of each example, which its label tells."""
    items = [part[i] for i in range(len(part))]
    return [(features - torch.tensor([1.0, -2.0]) * int(label)).tolist() for features, label in items]


@pytest.mark.parametrize(("n", "held_out"), [(12, 5), (2, 1), (9, 8), (7, 2)])
def test_split_puts_every_example_in_one_part(kata, check, n, held_out):
    """Catches parts that overlap, examples that are lost, and the two sizes exchanged."""

    def contents(held_out):
        training, held = kata.split(Whole(n), held_out, plus_hundred, seed=3)
        found = labels(training) + labels(held)
        return {
            "lengths": [len(training), len(held)],
            "some twice": len(set(found)) < len(found),
            "some lost": not set(range(n)) <= set(found),
        }

    right = {"lengths": [n - held_out, held_out], "some twice": False, "some lost": False}
    check(named(f"the parts of {n} examples by split", contents), held_out=held_out).gives(right)


@pytest.mark.parametrize(("n", "held_out"), [(7, 3), (5, 4)])
def test_split_transforms_the_training_part_alone(kata, check, n, held_out):
    """Catches a transform that is set on the dataset both parts share, where it also stays."""

    def all_added(held_out):
        whole = Whole(n)
        training, held = kata.split(whole, held_out, plus_hundred, seed=1)
        return {"training": added(training), "held out": added(held), "the dataset itself": added(whole)}

    zeros = [[0.0, 0.0]]
    right = {
        "training": [[100.0, 100.0]] * (n - held_out),
        "held out": zeros * held_out,
        "the dataset itself": zeros * n,
    }
    call = f"what a transform that adds 100 added to {n} examples, by split"
    check(named(call, all_added), held_out=held_out).gives(right)


def test_split_of_a_dataset_that_knows_no_transform(kata, check):
    """Catches a transform that is set as an attribute, where nothing looks for it."""

    def all_added(held_out):
        seen = {}
        for name, dataset in {"with a place for a transform": Whole(7), "without one": Plain(7)}.items():
            training, held = kata.split(dataset, held_out, plus_hundred, seed=1)
            seen[name] = added(training), added(held)
        return seen

    right = dict.fromkeys(["with a place for a transform", "without one"], ([[100.0, 100.0]] * 4, [[0.0, 0.0]] * 3))
    call = "what a transform that adds 100 added to both parts of 7 examples, from two datasets, by split"
    check(named(call, all_added), held_out=3).gives(right)


def test_split_transforms_anew_each_time(kata, check):
    """Catches a transform that is applied once, beforehand: every epoch would see the same noise."""

    def first_item(held_out):
        transform = AddHundred()
        training, _ = kata.split(Whole(6), held_out, transform, seed=1)
        seen = {"calls before the first item": transform.calls}
        seen["added to item 0, asked for three times"] = [added([training[0]])[0] for _ in range(3)]
        return seen

    right = {"calls before the first item": 0}
    right["added to item 0, asked for three times"] = [[100.0, 100.0], [200.0, 200.0], [300.0, 300.0]]
    call = "what a transform that adds 100 at its first call, then 200, ... added, by split"
    check(named(call, first_item), held_out=2).gives(right)


def test_split_is_decided_by_the_seed(kata, check):
    """Catches the last examples held out, a file sorted by class would leave whole classes out; and a seed not used."""

    def held_out(seed):
        return sorted(labels(kata.split(Whole(40), 20, plus_hundred, seed)[1]))

    def compared(seed, others):
        first = held_out(seed)
        return {
            "the same seed holds out the same again": held_out(seed) == first,
            "other seeds hold out the same": [held_out(other) == first for other in others],
            "in one block": first in (list(range(20)), list(range(20, 40))),
        }

    right = {
        "the same seed holds out the same again": True,
        "other seeds hold out the same": [False, False, False],
        "in one block": False,
    }
    check(named("which 20 of 40 examples are held out by split", compared), seed=5, others=(6, 7, 8)).gives(right)


def test_split_leaves_the_global_stream_alone(kata, check):
    """Catches a seed that is planted in the stream all others draw from, and a split that depends on that stream."""

    def from_two_starts(seed):
        held_out, moved = [], []
        for _ in range(2):
            move_on()
            before = streams()
            held_out.append(labels(kata.split(Whole(40), 20, plus_hundred, seed)[1]))
            moved.append(streams() != before)
        return {"global streams moved": moved, "the split depends on them": held_out[0] != held_out[1]}

    right = {"global streams moved": [False, False], "the split depends on them": False}
    check(named("twice, the global streams moved on in between, split", from_two_starts), seed=5).gives(right)


def move_on():
    """Draw from the global random streams."""
    torch.rand(1), numpy.random.rand(), random.random()


def streams():
    """Where the global random streams stand."""
    return torch.get_rng_state().tolist(), str(numpy.random.get_state()), random.getstate()
