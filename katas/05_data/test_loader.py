"""The specification of loader.py."""

import itertools
import random

import numpy
import pytest
import torch
from torch.utils.data import DataLoader, Dataset, TensorDataset


def features_of(labels, dtype=torch.float32):
    """Two features for each label, which tell it."""
    return torch.stack([labels * 0.5, -labels * 3.0], dim=1).to(dtype)


def numbers(n):
    """A dataset of n pairs; the labels are 100, 101, ..."""
    labels = torch.arange(100, 100 + n)
    return TensorDataset(features_of(labels), labels)


def named(name, function):
    """What the spec does with what a learner's function returns, as a call of that name."""
    function.__name__ = name
    return function


def true(statements):
    return [statement for statement, holds in statements.items() if holds]


def move_on():
    """Draw from the global random streams."""
    torch.rand(1), numpy.random.rand(), random.random()


def streams():
    """Where the global random streams stand."""
    return torch.get_rng_state().tolist(), str(numpy.random.get_state()), random.getstate()


# ---- shuffled

LABELS = [7, 1, 12, 3, 20, 5, 9, 31, 2, 15, 4, 28, 6, 11, 8, 40]


@pytest.mark.parametrize("seed", [1, 2])
def test_shuffled_keeps_rows_with_their_labels(kata, check, seed):
    """Catches two permutations, one for features and one for labels: no error, and nothing can be learnt."""
    given = torch.tensor(LABELS)

    def facts(seed):
        features, labels = kata.shuffled(features_of(given), given.clone(), torch.Generator().manual_seed(seed))
        rows, before = sorted(features.tolist()), sorted(features_of(given).tolist())
        return true(
            {
                "own labels": torch.equal(features, features_of(labels)),
                "each row once": rows == before,
                "each number once": sorted(itertools.chain(*rows)) == sorted(itertools.chain(*before)),
                "each label once": sorted(labels.tolist()) == sorted(LABELS),
                "new order of features": not torch.equal(features, features_of(given)),
                "new order of labels": not torch.equal(labels, given),
                "as many as before": len(features) == len(labels) == len(given),
            }
        )

    right = ["own labels", "each row once", "each number once", "each label once"]
    right += ["new order of features", "new order of labels", "as many as before"]
    call = "what is true of 16 examples, whose features tell their labels, after shuffled"
    check(named(call, facts), seed=seed).gives(right)


@pytest.mark.parametrize("labels", [[4], [6, 6], [5, 5, 5]], ids=str)
def test_shuffled_keeps_shapes_and_dtypes(kata, check, labels):
    """Catches an axis too many, or lost with a single example, and numbers that go through a float."""
    labels = torch.tensor(labels, dtype=torch.int32)
    features = features_of(labels, torch.float64)
    right = (features.clone(), labels.clone())

    check(kata.shuffled, features=features, labels=labels, generator=torch.Generator()).gives(right, exact=True)


def test_shuffled_leaves_the_inputs(kata, check):
    """Catches examples that are shuffled where they lie."""

    def afterwards(features, labels):
        kata.shuffled(features, labels, torch.Generator())
        return features.clone(), labels.clone()

    labels = torch.tensor(LABELS)
    given = {"features": features_of(labels), "labels": labels.clone()}
    seen = check(named("what was handed in, after shuffled", afterwards), **given)
    seen.gives((features_of(labels), labels), exact=True)


def test_shuffled_draws_from_its_generator(kata, check):
    """Catches an order that comes from the global stream, or is the same at each call."""
    labels = torch.arange(40)

    def orders(seed):
        found, moved = [], []
        for _ in range(2):
            move_on()
            before = streams()
            generator = torch.Generator().manual_seed(seed)
            pairs = [kata.shuffled(features_of(labels), labels.clone(), generator) for _ in range(2)]
            found.append([new.tolist() for _, new in pairs])
            moved.append(streams() != before)
        (first, second), again = found
        return true(
            {
                "the same generator again, the same orders": again == [first, second],
                "the first order is the old one": first == labels.tolist(),
                "both calls, the same order": first == second,
                "the global streams were moved": any(moved),
            }
        )

    call = "what is true of two calls with one generator, and the same again, of shuffled"
    check(named(call, orders), seed=5).gives(["the same generator again, the same orders"])


# ---- batch_of


class Watched(Dataset):
    """Five examples, and a list of those that were asked for."""

    def __init__(self, shape):
        self.shape, self.asked = shape, []

    def __len__(self):
        return 5

    def __getitem__(self, i):
        self.asked.append(i)
        count = torch.Size(self.shape).numel()
        return (torch.arange(count).reshape(self.shape) - 10.0 * i), torch.tensor(70 + i)


@pytest.mark.fact("05.3")
@pytest.mark.parametrize("shape", [(3,), (2, 3), (1,), ()], ids=str)
@pytest.mark.parametrize("indices", [[3, 0, 4, 1], [2], [4, 4], [2, 0, 3]], ids=str)
def test_batch_of(kata, check, shape, indices):
    """Catches pairs that are not turned into two tensors, rows put end to end, and an order of one's own."""

    def watched(indices):
        dataset = Watched(shape)
        return {"batch": kata.batch_of(dataset, list(indices)), "asked for": sorted(dataset.asked)}

    pairs = [Watched(shape)[i] for i in indices]
    features, labels = [x.reshape(1, *shape) for x, _ in pairs], [int(y) for _, y in pairs]
    right = {"batch": (torch.cat(features), torch.tensor(labels)), "asked for": sorted(indices)}
    check(named(f"examples with features of shape {shape}, by batch_of", watched), indices=indices).gives(
        right, exact=True
    )


def test_batch_of_keeps_dtypes(kata, check):
    """Catches labels or features that are cast on the way."""
    dataset = [(torch.tensor([i, 2 * i], dtype=torch.float64), torch.tensor(i, dtype=torch.int16)) for i in range(4)]
    right = (torch.tensor([[2, 4], [1, 2]], dtype=torch.float64), torch.tensor([2, 1], dtype=torch.int16))
    check(kata.batch_of, dataset=dataset, indices=[2, 1]).gives(right, exact=True)


# ---- number_of_batches

SIZES = [(10, 4), (12, 4), (3, 8), (8, 8), (9, 8), (0, 4), (1, 1), (7, 1), (150, 64), (11, 4), (13, 4)]


@pytest.mark.fact("05.3")
@pytest.mark.fact("05.5")
def test_number_of_batches(kata, check):
    """Catches the rest forgotten, one batch too many where there is none, and a drop_last not looked at."""
    rows = [*SIZES, *((*size, True) for size in SIZES), *((*size, False) for size in SIZES[:3])]
    full = [sum(1 for start in range(0, n, size) if start + size <= n) for n, size in SIZES]
    check.each(kata.number_of_batches, rows).gives([len(range(0, n, size)) for n, size in SIZES] + full + [3, 3, 1])


# ---- evaluation_loader


def epoch(loader):
    """The labels of an epoch, batch by batch; of an endless one the first 50."""
    return [labels_of(batch) for batch in itertools.islice(loader, 50)]


def labels_of(batch):
    return batch[1].tolist() if is_pair(batch) else ["no pair of tensors"]


def flat(batches):
    return [label for batch in batches for label in batch]


def is_pair(came):
    return isinstance(came, (tuple, list)) and len(came) == 2 and all(isinstance(part, torch.Tensor) for part in came)


def kind(thing):
    return "DataLoader" if isinstance(thing, DataLoader) else type(thing).__name__


@pytest.mark.fact("05.5")
@pytest.mark.fact("05.6")
@pytest.mark.parametrize(("n", "size"), [(13, 5), (12, 4), (11, 20), (9, 8), (15, 1)])
def test_evaluation_loader_gives_all_in_order(kata, check, n, size):
    """Catches a shuffle, a rest that is dropped, and a loader that is used up after one epoch."""

    def two_epochs(batch_size):
        loader = kata.evaluation_loader(numbers(n), batch_size)
        epochs = [epoch(loader), epoch(loader)]
        return {
            "sizes of the batches": [[len(batch) for batch in batches] for batches in epochs],
            "in order": [flat(batches) == sorted(flat(batches)) for batches in epochs],
            "different examples": [len(set(flat(batches))) for batches in epochs],
        }

    sizes = [min(size, n - i) for i in range(0, n, size)]
    right = {"sizes of the batches": [sizes] * 2, "in order": [True] * 2, "different examples": [n] * 2}
    call = f"two epochs of {n} examples by evaluation_loader"
    check(named(call, two_epochs), batch_size=size).gives(right)


def test_evaluation_loader_makes_batches(kata, check):
    """Catches a loader that does not make tensors of a batch."""
    use = named(
        "the batches of 5 examples by evaluation_loader",
        lambda batch_size: [tuple(batch) for batch in kata.evaluation_loader(numbers(5), batch_size)],
    )
    right = [(features_of(labels), labels) for labels in torch.arange(100, 105).split(2)]
    check(use, batch_size=2).gives(right, exact=True)


@pytest.mark.fact("05.3")
def test_evaluation_loader_is_a_loader(kata, check):
    """Catches a list of batches, which holds all data in memory at once."""
    use = named(
        "the type of evaluation_loader", lambda batch_size: kind(kata.evaluation_loader(numbers(7), batch_size))
    )
    check(use, batch_size=3).gives("DataLoader")


# ---- training_loader


@pytest.mark.fact("05.5")
@pytest.mark.parametrize(("n", "size"), [(13, 5), (12, 4), (9, 8), (6, 1), (8, 8), (31, 2)])
def test_training_loader_has_full_batches(kata, check, n, size):
    """Catches a small last batch, examples that come twice, and a loader that is used up after one epoch."""

    def two_epochs(batch_size, seed):
        try:
            loader = kata.training_loader(numbers(n), batch_size, seed)
        except ValueError:  # in a word, for each writes another text
            return "refused"
        epochs = [epoch(loader), epoch(loader)]
        return {
            "sizes of the batches": [[len(batch) for batch in batches] for batches in epochs],
            "an example twice": [len(set(flat(batches))) < len(flat(batches)) for batches in epochs],
        }

    right = {"sizes of the batches": [[size] * (n // size)] * 2, "an example twice": [False] * 2}
    check(named(f"two epochs of {n} examples by training_loader", two_epochs), batch_size=size, seed=3).gives(right)


@pytest.mark.fact("05.6")
@pytest.mark.parametrize("seed", [3, 11])
def test_training_loader_shuffles_anew(kata, check, seed):
    """Catches no shuffle, one that is made once and stays, and the same examples left out in every epoch."""

    def eight_epochs(batch_size, seed):
        loader = kata.training_loader(numbers(43), batch_size, seed)
        epochs = [flat(epoch(loader)) for _ in range(8)]
        return {
            "type": kind(loader),
            "in the dataset's order": sum(labels == sorted(labels) for labels in epochs),
            "different orders": len(set(map(tuple, epochs))),
            "examples that never came": 43 - len(set(itertools.chain(*epochs))),
        }

    right = {
        "type": "DataLoader",
        "in the dataset's order": 0,
        "different orders": 8,
        "examples that never came": 0,
    }
    check(named("8 epochs of 43 examples by training_loader", eight_epochs), batch_size=4, seed=seed).gives(right)


@pytest.mark.fact("05.3")
def test_training_loader_keeps_pairs_together(kata, check):
    """Catches features and labels that are shuffled apart."""

    def pairs(batch_size, seed):
        batches = itertools.islice(kata.training_loader(numbers(24), batch_size, seed), 50)
        return [torch.equal(features, features_of(labels)) for features, labels in batches]

    call = "whether each row has its own label, in the batches by training_loader"
    check(named(call, pairs), batch_size=4, seed=5).gives([True] * 6)


def test_training_loader_repeats_its_orders(kata, check):
    """Catches a seed that is not used, or planted in the global stream, and orders that are drawn from there."""

    def two_epochs(seed):
        move_on()
        before = streams()
        loader = kata.training_loader(numbers(40), 4, seed)
        after_making = streams()
        epochs = [epoch(loader) for _ in range(2)]
        return epochs, after_making != before, streams() != after_making

    def compared(seed, other):
        first, making, running = two_epochs(seed)
        return true(
            {
                "the same seed again, the same orders": two_epochs(seed)[0] == first,
                "another seed, the same orders": two_epochs(other)[0] == first,
                "the order is the dataset's": first[0] == sorted(first[0]),
                "making it moved the global streams": making,
                "running through it moved the global streams": running,
            }
        )

    call = "what is true of two epochs of 40 examples by training_loader"
    check(named(call, compared), seed=5, other=6).gives(["the same seed again, the same orders"])


@pytest.mark.parametrize(("n", "size"), [(5, 64), (31, 32), (0, 17)])
def test_training_loader_refuses_less_than_a_batch(kata, check, n, size):
    """Catches a loader without any batch, over which training runs through in no time."""
    call = "the number of batches by training_loader"
    use = named(call, lambda examples, batch_size: len(kata.training_loader(numbers(examples), batch_size, seed=3)))
    check(use, examples=n, batch_size=size).raises(ValueError, str(size))
    check(use, examples=n, batch_size=size).raises(ValueError, str(n))


@pytest.mark.fact("05.3")
def test_training_loader_is_a_loader(kata, check):
    """Catches a list of batches, and an iterator that is used up after one epoch."""
    use = named(
        "the type of training_loader", lambda batch_size, seed: kind(kata.training_loader(numbers(7), batch_size, seed))
    )
    check(use, batch_size=3, seed=3).gives("DataLoader")
