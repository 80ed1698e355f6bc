"""The specification of evaluate.py."""

import copy

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from torchkatas.observe import modes, state


def drawn(*shape, seed):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


# ---- count_right

ANSWERS = [
    ([[0.5, 4.0, 1.0], [-1.0, -3.0, -2.0], [2.0, 2.5, 0.0], [1.0, 0.0, -1.0]], [1, 0, 2, 0], 3),
    ([[0.2, 0.1, 0.3], [0.1, 0.3, 0.2], [0.3, 0.2, 0.1]], [0, 2, 1], 0),
    ([[-5.0, 2.0], [3.0, 1.0], [0.5, 0.25], [1.0, 4.0], [2.0, -2.0]], [1, 1, 0, 0, 1], 2),
    ([[1.0, 2.0, 9.0, 4.0]], [2], 1),
    ([[3.0, -1.0]], [1], 0),
    ([[2.0, 1.0, 0.0], [0.0, 5.0, 1.0]], [0, 1], 2),
    ([[0.2, 0.3, 0.1, 0.0], [0.5, 0.1, 0.4, 0.3]], [1, 0], 2),
    ([[0.0, 1e-9], [2e-9, 1e-9]], [1, 0], 2),
]


@pytest.mark.fact("05.17")
def test_count_right_of_each_batch(kata, check):
    """Catches a share for a count, a tensor for a number, the largest of a column, and a lead below one half."""
    rows = [(torch.tensor(logits), torch.tensor(labels)) for logits, labels, _ in ANSWERS]
    check.each(kata.count_right, rows).gives([count for *_, count in ANSWERS])


# ---- mean_over_examples

PARTS = [
    [[0.5, 1.5, 4.0, 2.0], [3.0, 1.0, 0.25, 0.75], [8.0]],
    [[2.0], [0.5, 1.0, 1.5]],
    [[1.0, 2.0, 6.0], [4.0, 0.0, 2.0]],
    [[0.75, 3.25]],
    [[9.0, 7.0], [1.0], [2.0, 4.0, 6.0, 0.5]],
]


@pytest.mark.fact("05.5")
def test_mean_over_examples_of_unequal_batches(kata, check):
    """Catches the mean of the means, in which an example of a small batch counts for more."""
    rows = [{"means": [sum(b) / len(b) for b in batches], "sizes": [len(b) for b in batches]} for batches in PARTS]
    right = [sum(map(sum, batches)) / sum(map(len, batches)) for batches in PARTS]
    check.each(kata.mean_over_examples, rows).gives(right)


def test_mean_over_examples_of_nothing(kata, check):
    """Catches a division by zero, and a 0.0 that looks like a perfect loss."""
    check(kata.mean_over_examples, means=[], sizes=[]).raises(ValueError, "empty")


# ---- confusion_matrix

PAIRS = [
    ([0, 2, 1, 1, 2, 1, 1], [0, 1, 1, 1, 0, 2, 1], 3),
    ([3, 0, 0, 3, 0], [0, 3, 3, 0, 3], 4),
    ([0, 1, 1, 0, 1, 1], [0, 0, 1, 1, 0, 0], 2),
    ([1], [0], 5),
    ([1, 1, 2, 1], [2, 2, 1, 2], 4),
    ([], [], 2),
]


@pytest.mark.fact("05.17")
def test_confusion_matrix_counts_each_pair(kata, check):
    """Catches rows and columns exchanged, pairs that occur twice and count once, and classes that do not occur."""
    rows = [
        {"predicted": torch.tensor(predicted).long(), "labels": torch.tensor(labels).long(), "classes": classes}
        for predicted, labels, classes in PAIRS
    ]
    right = []
    for predicted, labels, classes in PAIRS:
        matrix = [[0] * classes for _ in range(classes)]
        for p, label in zip(predicted, labels, strict=True):
            matrix[label][p] += 1
        right.append(torch.tensor(matrix))
    check.each(kata.confusion_matrix, rows).gives(right)


# ---- evaluate

IN_TRAINING = {
    "all in training": ("", "0", "1", "2", "2.0", "2.1", "3"),
    "all in eval": (),
    "batch norm frozen": ("", "0", "2", "2.0", "2.1", "3"),
    "only dropout in training": ("2.0",),
}


def classifier(case):
    """Linear, batch norm, dropout and Linear, with running statistics of their own; in the modes of a case."""
    model = nn.Sequential(
        nn.Linear(3, 8), nn.BatchNorm1d(8), nn.Sequential(nn.Dropout(0.5), nn.Tanh()), nn.Linear(8, 4)
    )
    for seed, parameter in enumerate(model.parameters(), start=4):
        parameter.data.copy_(drawn(*parameter.shape, seed=seed) / 2)
    model[1].running_mean.copy_(drawn(8, seed=20))
    model[1].running_var.copy_(drawn(8, seed=21).abs() + 0.5)
    for name, module in model.named_modules():
        module.training = name in IN_TRAINING[case]
    return model


def examples(n):
    """Inputs, and labels of which the model of this spec has some right: fewer towards the end."""
    x = drawn(n, 3, seed=1)
    with torch.no_grad():
        guesses = copy.deepcopy(classifier("all in eval"))(x).argmax(dim=1)
    wrong = torch.tensor([(i + 1) % 5 == 0 or i >= 7 for i in range(n)])
    return x, (guesses + wrong.long()) % 4


def loader_of(kind, n, batch_size):
    x, labels = examples(n)
    if kind == "DataLoader":
        return DataLoader(TensorDataset(x, labels), batch_size=batch_size)
    batches = list(zip(x.split(batch_size), labels.split(batch_size), strict=True)) if n else []
    return batches if kind == "list" else iter(batches)


@pytest.mark.fact("05.5")
@pytest.mark.fact("05.8")
@pytest.mark.fact("05.14")
@pytest.mark.fact("05.17")
@pytest.mark.parametrize("modules", ["all in training", "all in eval"])
def test_evaluate_counts_each_example_once(kata, check, modules):
    """Catches the mean of batch means, a last batch left out, and batches of one under batch norm in training mode."""

    def run(examples, batch_size, loader):
        return tuple(kata.evaluate(classifier(modules), loader_of(loader, examples, batch_size)))

    run.__name__ = "evaluate"
    rows = [
        (10, 4, "list"),
        (10, 4, "DataLoader"),
        (9, 4, "iterator"),
        (8, 4, "list"),
        (3, 5, "iterator"),
        (1, 1, "list"),
    ]
    right = []
    for n, *_ in rows:
        x, labels = examples(n)
        with torch.no_grad():
            logits = copy.deepcopy(classifier(modules)).eval()(x).double()
        guessed = [row.index(max(row)) for row in logits.tolist()]
        share = sum(g == label for g, label in zip(guessed, labels.tolist(), strict=True)) / n
        right.append((F.cross_entropy(logits, labels).item(), share))
    check.each(run, rows).gives(right)


def watched(model, raises):
    """Fills two sets whenever a module is called: modules that are in training mode, and gradient modes."""
    training, grad = set(), set()

    def hook(name):
        def look(module, args):  # hooks are handed on to a copy, whose modules they get to see
            grad.add("on" if torch.is_grad_enabled() else "off")
            training.update([name] if module.training else [])
            if raises and isinstance(module, nn.Dropout):
                raise ValueError("refused")

        return look

    for name, module in model.named_modules():
        module.register_forward_pre_hook(hook(name))
    return training, grad


def in_training(model):
    return [name for name, training in modes(model).items() if training]


def restores(kata, check, rows):
    """Judge what evaluate does to modes, row by row: which modules, gradient mode, whether the model raises."""

    def run(modules, gradient_mode="on", model_raises=False):
        model, error = classifier(modules), "none"
        training, grad = watched(model, model_raises)
        with torch.set_grad_enabled(gradient_mode == "on"):
            try:
                kata.evaluate(model, loader_of("list", 10, 4))
            except ValueError as raised:
                error = str(raised)
            after = "on" if torch.is_grad_enabled() else "off"
        return {
            "in training during": sorted(training),
            "after": in_training(model),
            "gradient mode": f"{', '.join(sorted(grad))}, then {after}",
            "error": error,
        }

    run.__name__ = "evaluate"
    right = [
        {
            "in training during": [],
            "after": list(IN_TRAINING[row["modules"]]),
            "gradient mode": f"off, then {row.get('gradient_mode', 'on')}",
            "error": "refused" if "model_raises" in row else "none",
        }
        for row in rows
    ]
    check.each(run, rows).gives(right)


@pytest.mark.fact("05.14")
@pytest.mark.fact("05.16")
def test_evaluate_restores_each_mode(kata, check):
    """Catches a training loop that goes on in eval mode after its first validation, or whose batch norm has thawed."""
    rows = [{"modules": case} for case in IN_TRAINING]
    rows += [{"modules": case, "gradient_mode": "off"} for case in ("all in training", "all in eval")]
    restores(kata, check, rows)


@pytest.mark.fact("05.14")
@pytest.mark.fact("05.16")
def test_evaluate_restores_each_mode_where_the_model_raises(kata, check):
    """Catches the way back that stands behind the call, where an error does not come by, and an error that is lost."""
    raising = [{"modules": case, "model_raises": True} for case in ("all in training", "batch norm frozen")]
    restores(kata, check, [{"modules": "batch norm frozen"}, *raising])


@pytest.mark.fact("05.14")
@pytest.mark.fact("05.16")
def test_evaluate_leaves_the_state(kata, check):
    """Catches running statistics that take in the test data: under no_grad they do, in training mode."""
    model, before = classifier("all in training"), state(classifier("all in training"))
    kata.evaluate(model, loader_of("list", 10, 4))
    changed = [name for name, value in state(model).items() if not torch.equal(value, before[name])]
    changed += [name for name, parameter in model.named_parameters() if not parameter.requires_grad]
    check.saw(kata.evaluate, changed, call="parameters and buffers that are not as before").gives([])


def test_evaluate_refuses_an_empty_loader(kata, check):
    """Catches 0 / 0, and a perfect loss of 0.0 for a loader that gave nothing; the modes come back here too."""

    def run(loader, examples=0, drop_last=False):
        model, batches = classifier("batch norm frozen"), loader_of(loader, examples, 4)
        if drop_last:
            batches = DataLoader(batches.dataset, batch_size=4, drop_last=True)
        try:
            seen = kata.evaluate(model, batches)
        except ValueError as error:
            seen = "ValueError naming 'empty'" if "empty" in str(error).lower() else f"ValueError: {error}"
        return {"outcome": seen, "in training after": in_training(model)}

    run.__name__ = "evaluate"
    rows = [{"loader": "list"}, {"loader": "iterator"}, {"loader": "DataLoader"}]
    rows += [{"loader": "DataLoader", "examples": 3, "drop_last": True}]
    right = {"outcome": "ValueError naming 'empty'", "in training after": list(IN_TRAINING["batch norm frozen"])}
    check.each(run, rows).gives([right] * len(rows))
