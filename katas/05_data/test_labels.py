"""The specification of labels.py."""

import pytest
import torch
import torch.nn.functional as F

# ---- class_index


@pytest.mark.fact("05.2")
def test_class_index_of_names(kata, check):
    """Catches numbers from 1, numbers as the labels appear or as a set has them, and the dict the wrong way round."""
    labels = ["oslo", "york", "bern", "york", "lima", "kyiv", "bern", "rome", "cork", "york", "doha"]
    right = {"bern": 0, "cork": 1, "doha": 2, "kyiv": 3, "lima": 4, "oslo": 5, "rome": 6, "york": 7}

    check(kata.class_index, labels=labels).gives(right)


@pytest.mark.fact("05.2")
@pytest.mark.parametrize(
    ("labels", "classes"),
    [
        ([1, 2, 3, 2], [1, 2, 3]),
        ([10, 10, 9, 100, 9], [9, 10, 100]),
        ([4, 0, 0, 7, 2, 0], [0, 2, 4, 7]),
        ([255, -1, -1, 0, -1], [-1, 0, 255]),
        ([6, 6], [6]),
    ],
    ids=str,
)
def test_class_index_of_numbers(kata, check, labels, classes):
    """Catches labels from 1, or with a gap, that are left as they are, and numbers that are sorted as text."""
    right = {label: sum(other < label for other in classes) for label in classes}
    check(kata.class_index, labels=labels).gives(right)


# ---- encode

INDEX = {"york": 2, "bern": 0, "oslo": 3, "lima": 1}
CASES = [["york", "bern", "bern", "oslo"], ["lima"], ["oslo", "lima"], ["bern", "york", "lima", "oslo", "york"]]


@pytest.mark.fact("05.2")
@pytest.mark.parametrize("labels", CASES, ids=str)
def test_encode(kata, check, labels):
    """Catches numbers by the place in the dict, floats, a list, and a column."""
    right = torch.tensor([{"york": 2, "bern": 0, "oslo": 3, "lima": 1}[label] for label in labels])
    check(kata.encode, labels=list(labels), index=dict(INDEX)).gives(right, exact=True)


def test_encode_of_integer_labels(kata, check):
    """Catches labels that are taken for numbers of classes, because they are ints."""
    given = {"labels": [30, 10, 2, 30, 1], "index": {1: 0, 2: 1, 10: 2, 30: 3}}
    check(kata.encode, **given).gives(torch.tensor([3, 2, 1, 3, 0]), exact=True)


def test_encode_of_no_labels(kata, check):
    """Catches float32, which is what torch.tensor makes of an empty list."""
    right = [torch.tensor([], dtype=torch.int64), torch.tensor([2, 1])]
    check.each(kata.encode, [([], dict(INDEX)), (["york", "lima"], dict(INDEX))]).gives(right, exact=True)


@pytest.mark.parametrize("labels", [["york", "paris", "bern"], ["paris"], ["bern", "bern", "paris"]], ids=str)
def test_encode_refuses_an_unknown_label(kata, check, labels):
    """Catches -1, the last class to an index, and -100, which the loss leaves out in silence."""
    check(kata.encode, labels=labels, index=dict(INDEX)).raises(KeyError, "paris")


# ---- decode


@pytest.mark.fact("05.2")
@pytest.mark.parametrize("numbers", [[2, 0, 0, 3], [1], [3, 1], [0, 2, 1, 3, 2], []], ids=str)
def test_decode(kata, check, numbers):
    """Catches the place in the dict for the number, tensors as keys, and encode in its place."""
    right = [["bern", "lima", "york", "oslo"][number] for number in numbers]
    check(kata.decode, numbers=torch.tensor(numbers, dtype=torch.int64), index=dict(INDEX)).gives(right)


def test_decode_to_integer_labels(kata, check):
    """Catches numbers that are handed back as they are, because the labels are ints too."""
    index = {1: 0, 2: 1, 10: 2, 30: 3}
    check(kata.decode, numbers=torch.tensor([3, 2, 1, 3, 0]), index=index).gives([30, 10, 2, 30, 1])


@pytest.mark.fact("05.2")
@pytest.mark.parametrize("number", [4, 17, -1, -4, -100])
def test_decode_refuses_a_number_of_no_class(kata, check, number):
    """Catches -1 for the last class, and an unknown class that becomes None."""
    numbers = torch.tensor([2, number, 0])
    check(kata.decode, numbers=numbers, index=dict(INDEX)).raises(KeyError, str(number))


# ---- missing_classes

GAPS = [
    ([0, 1, 2, 1], 3, []),
    ([1, 2, 3, 3], 4, [0]),
    ([0, 2, 2, 5], 6, [1, 3, 4]),
    ([0, 1], 4, [2, 3]),
    ([4, 0], 7, [1, 2, 3, 5, 6]),
    ([3], 4, [0, 1, 2]),
    ([], 2, [0, 1]),
    ([9, 0, 2, 3, 4, 5, 6, 7], 10, [1, 8]),
]


@pytest.mark.fact("05.2")
def test_missing_classes(kata, check):
    """Catches labels from 1 beside a spare output, gaps, and classes that lie above the largest label."""
    rows = [(torch.tensor(labels, dtype=torch.int64), outputs) for labels, outputs, _ in GAPS]
    check.each(kata.missing_classes, rows).gives([missing for _, _, missing in GAPS])


def test_missing_classes_beside_ignored_labels(kata, check):
    """Catches -100 that counts from the end, or for a class, or stops a count that takes no negative number."""
    cases = [([0, -100, 2], 3, [1]), ([-100, -100], 2, [0, 1]), ([1, -100], 2, [0]), ([-100, 0, 1], 2, [])]
    cases += [([2, -100, 2, 0], 101, [1, *range(3, 101)])]
    rows = [(torch.tensor(labels), outputs) for labels, outputs, _ in cases]

    check.each(kata.missing_classes, rows).gives([missing for _, _, missing in cases])


# ---- check_labels

LABELS = [
    ([0, 1, 2, 2], 3),
    ([2, 1, 0], 4),
    ([0], 1),
    ([3, 3], 4),
    ([0, -100, 2], 3),
    ([-100, -100], 5),
    ([], 3),
    ([1, 2, 3], 3),
    ([0, 1, 9, 2], 3),
    ([0, -1, 1], 2),
    ([-100, 255], 21),
    ([-99, 0], 3),
    ([0, 0, 2], 2),
    ([100, 0], 3),
]


@pytest.mark.fact("05.2")
def test_check_labels_refuses_what_cross_entropy_refuses(kata, check):
    """Catches labels from 1, a label equal to the number of outputs, negative ones, and -100 that is refused."""
    rows = [(torch.tensor(labels, dtype=torch.int64), outputs) for labels, outputs in LABELS]
    right = ["ValueError" if refused(labels, outputs) else "accepted" for labels, outputs in rows]

    def check_labels(labels, outputs):
        try:
            came = kata.check_labels(labels, outputs)
        except (ValueError, AssertionError, IndexError) as error:  # in a word, for each writes another text
            return type(error).__name__
        return "accepted" if came is None else came

    check.each(check_labels, rows).gives(right)


def refused(labels, outputs):
    try:
        F.cross_entropy(torch.zeros(len(labels), outputs), labels)
    except IndexError:
        return True
    return False


@pytest.mark.parametrize(
    ("labels", "outputs", "bad"),
    [([0, 3, 97, 1], 40, 97), ([0, -7, 3, 1], 9, -7), ([-100, 21, 0], 5, 21), ([18, 2, -100], 12, 18)],
    ids=str,
)
def test_check_labels_names_the_label(kata, check, labels, outputs, bad):
    """Catches a message without the label, or with one that is allowed: the largest, where a negative one is bad."""
    check(kata.check_labels, labels=torch.tensor(labels), outputs=outputs).raises(ValueError, str(bad))
