"""The specification of predict.py."""

import copy
import math

import numpy as np
import pytest
import torch
from torch import nn

from torchkatas.observe import graph_size, modes, state


def drawn(*shape, seed):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


# ---- probabilities

LOGITS = {
    "four": [[0.5, -1.0, 2.0], [1.5, 0.25, -0.75], [-2.0, 1.0, 0.5], [0.0, -0.5, 3.0]],
    "two": [[0.5, -1.5, 1.0, 2.5, -0.25], [-3.0, 0.75, 0.5, 1.25, 2.0]],
    "three by three": [[2.0, -1.0, 0.5], [0.25, 3.0, -0.5], [1.0, 1.5, -2.0]],
    "one": [[1.25, -0.5, 0.75]],
}
EXTREME = {
    "1000": [[1000.0, 999.0, -1000.0], [0.5, -0.5, 0.0]],
    "-1000": [[-1000.0, -1001.0, -1000.5], [20.0, -20.0, 19.0]],
    "rows of mixed scale": [[-1000.0, -998.0], [1000.0, 1001.0], [0.25, 0.5]],
}
NEAR_1000 = 1e-4  # float32 numbers near 1000 lie 6e-5 apart, and a log-sum-exp of such logits is one


@pytest.mark.fact("05.17")
@pytest.mark.parametrize("case", [*LOGITS, *EXTREME])
def test_probabilities_of_each_row(kata, check, case):
    """Catches a softmax along the batch, sigmoids, which do not share a 1, and exp(1000)."""
    logits = {**LOGITS, **EXTREME}[case]
    powers = np.exp(np.array(logits) - np.max(logits, axis=1, keepdims=True))
    right = torch.tensor(powers / powers.sum(axis=1, keepdims=True)).float()
    check(kata.probabilities, logits=torch.tensor(logits)).gives(right, rtol=NEAR_1000 if case in EXTREME else None)


def test_probabilities_in_float64(kata, check):
    """Catches a cast to float32."""
    logits = LOGITS["two"]
    right = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    check(kata.probabilities, logits=torch.tensor(logits, dtype=torch.float64)).gives(torch.tensor(right))


# ---- classes


@pytest.mark.fact("05.17")
def test_classes_of_each_batch(kata, check):
    """Catches the largest of each column or of the whole batch, its value in place of its number, and an axis kept."""
    batches = [*LOGITS.values(), *EXTREME.values()]
    right = [torch.tensor([row.index(max(row)) for row in batch]) for batch in batches]
    check.each(kata.classes, [torch.tensor(batch) for batch in batches]).gives(right)


@pytest.mark.fact("05.17")
def test_classes_that_lead_by_little(kata, check):
    """Catches the way through probabilities: rounded, logits that differ by 1e-9 are a tie, and the first one wins."""
    rows = [[[0.0, 1e-9, -1e-9]], [[2e-9, 1e-9], [1e-9, 3e-9]], [[-4e-10, -3e-10, -2e-10, -5e-10]]]
    right = [torch.tensor([row.index(max(row)) for row in batch]) for batch in rows]
    check.each(kata.classes, [torch.tensor(batch) for batch in rows]).gives(right)


# ---- yes_or_no


@pytest.mark.fact("05.17")
def test_yes_or_no_at_one_half(kata, check):
    """Catches logits compared with 0.5, which is a probability, and rounded ones."""
    rows = [[[0.2], [0.4], [0.6]], [[-0.2], [0.0], [0.1]], [[-3.0], [-0.7], [2.5], [1.7]], [[0.3]], [[-0.6]], [[9.0]]]
    right = [torch.tensor([int(value > 0) for (value,) in batch]) for batch in rows]
    check.each(kata.yes_or_no, [torch.tensor(batch) for batch in rows]).gives(right)


@pytest.mark.fact("05.17")
def test_yes_or_no_at_other_thresholds(kata, check):
    """Catches a threshold that is ignored, or compared with the logits."""
    logits = [[-2.5], [-1.0], [-0.1], [0.1], [0.4], [0.85], [1.2], [2.0], [3.5]]
    thresholds = [0.1, 0.25, 0.5, 0.75, 0.9, 0.99]
    rows = [{"logits": torch.tensor(logits), "threshold": threshold} for threshold in thresholds]
    right = [torch.tensor([int(1 / (1 + math.exp(-v)) > threshold) for (v,) in logits]) for threshold in thresholds]
    check.each(kata.yes_or_no, rows).gives(right)


# ---- predict


IN_TRAINING = {
    "all in training": ("", "0", "1", "2", "2.0", "2.1", "3"),
    "all in eval": (),
    "batch norm frozen": ("", "0", "2", "2.0", "2.1", "3"),
    "only dropout in training": ("2.0",),
    "only the top in eval": ("0", "1", "2", "2.0", "2.1", "3"),
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


def right_answer(case, x):
    """Softmax and largest logit of a copy in eval mode."""
    with torch.no_grad():
        logits = copy.deepcopy(classifier(case)).eval()(x)
    return logits.softmax(dim=1), logits.max(dim=1).indices


@pytest.mark.fact("05.14")
@pytest.mark.fact("05.16")
@pytest.mark.fact("05.17")
@pytest.mark.parametrize("case", ["all in training", "only dropout in training"])
@pytest.mark.parametrize("n", [5, 2, 1])
def test_predict_in_eval_mode(kata, check, n, case):
    """Catches dropout that goes on, batch norm that uses the batch, a graph, and a batch of one that is squeezed."""
    x = drawn(n, 3, seed=1)
    check(kata.predict, model=classifier(case), x=x).gives(right_answer(case, x), graph=False)


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
    """Judge what predict does to modes, row by row: which modules, gradient mode, whether the model raises."""

    def run(modules, gradient_mode="on", model_raises=False):
        model, out = classifier(modules), ()
        training, grad = watched(model, model_raises)
        with torch.set_grad_enabled(gradient_mode == "on"):
            try:
                out = kata.predict(model, drawn(4, 3, seed=2))
                error = "none"
            except ValueError as raised:
                error = str(raised)
            after = "on" if torch.is_grad_enabled() else "off"
        return {
            "in training during": sorted(training),
            "after": in_training(model),
            "gradient mode": f"{', '.join(sorted(grad))}, then {after}",
            "graph": graph_size(out) > 0,
            "error": error,
        }

    run.__name__ = "predict"
    right = [
        {
            "in training during": [],
            "after": list(IN_TRAINING[row["modules"]]),
            "gradient mode": f"off, then {row.get('gradient_mode', 'on')}",
            "graph": False,
            "error": "refused" if "model_raises" in row else "none",
        }
        for row in rows
    ]
    check.each(run, rows).gives(right)


@pytest.mark.fact("05.14")
@pytest.mark.fact("05.16")
def test_predict_restores_each_mode(kata, check):
    """Catches eval mode left on, train() for all, and the flag of the top for all: a frozen batch norm would thaw."""
    rows = [{"modules": case} for case in IN_TRAINING]
    rows += [{"modules": case, "gradient_mode": "off"} for case in ("all in training", "all in eval")]
    restores(kata, check, rows)


@pytest.mark.fact("05.14")
@pytest.mark.fact("05.16")
def test_predict_restores_each_mode_where_the_model_raises(kata, check):
    """Catches the way back that stands behind the call, where an error does not come by, and an error that is lost."""
    raising = [{"modules": case, "model_raises": True} for case in ("all in training", "batch norm frozen")]
    restores(kata, check, [{"modules": "batch norm frozen"}, *raising])


@pytest.mark.fact("05.14")
@pytest.mark.fact("05.16")
def test_predict_leaves_the_state(kata, check):
    """Catches running statistics that moved: under no_grad they do, as long as batch norm is in training mode."""
    model, before = classifier("all in training"), state(classifier("all in training"))
    kata.predict(model, drawn(4, 3, seed=2))
    changed = [name for name, value in state(model).items() if not torch.equal(value, before[name])]
    changed += [name for name, parameter in model.named_parameters() if not parameter.requires_grad]
    check.saw(kata.predict, changed, call="parameters and buffers that are not as before").gives([])
