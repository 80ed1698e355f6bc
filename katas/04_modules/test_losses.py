"""The specification of losses.py."""

import math

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from torchkatas.compare import Refusal

LOSSES = ("cross_entropy", "nll_loss", "binary_cross_entropy", "binary_cross_entropy_with_logits", "soft_margin_loss")
BY_HAND = {
    "cross_entropy": ("softmax", "log_softmax", "softmin", "logsumexp", "logaddexp", *LOSSES),
    "bce_with_logits": ("logsigmoid", "log_sigmoid", "softplus", "logaddexp", "log_softmax", "logsumexp", *LOSSES),
}

# a legal order of operations adds a row's maximum back to a logarithm: at 1000, float32 rounds by 3e-5
AT_1000 = 1e-4
# no looser for float64 than what a report's four digits show: what a small constant does is judged where it is seen
SEEN = 1e-5

BATCHES = {
    "four": ([[0.5, -1.0, 2.0], [1.5, 0.25, -0.75], [-2.0, 1.0, 0.5], [0.0, -0.5, 3.0]], [2, 0, 0, 1]),
    "two": ([[0.5, -1.5, 1.0, 2.5, -0.25], [-3.0, 0.75, 0.5, 1.25, 2.0]], [1, 3]),
    "one": ([[1.25, -0.5]], [1]),
}
EXTREME = {
    "sure and right": ([[20.0, -20.0, 0.0], [-20.0, -15.0, 20.0]], [0, 2]),
    "sure and wrong": ([[20.0, -20.0, 0.0], [-20.0, 0.0, 20.0], [5.0, 20.0, -10.0]], [1, 0, 0]),
    "very sure and wrong": ([[60.0, -60.0, 0.0]], [1]),
    "rows of mixed scale": ([[-1000.0, -1001.0, -1002.0], [1000.0, 999.0, -1000.0], [0.5, -0.5, 0.25]], [0, 2, 2]),
    "all far below zero": ([[-1000.0, -998.0, -1003.0], [-900.0, -905.0, -901.0]], [1, 2]),
}


def given(case, dtype=torch.float32, key="targets"):
    """Fresh inputs for one case: a leaf of logits, and class numbers."""
    logits, targets = {**BATCHES, **EXTREME}[case]
    return {"logits": torch.tensor(logits, dtype=dtype, requires_grad=True), key: torch.tensor(targets)}


def probabilities(logits):
    """The softmax of each row, in float64 by NumPy."""
    logits = np.array(logits, np.float64)
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def right_loss(case, dtype=torch.float32):
    """torch's own loss in float64, as a value that is part of a graph."""
    logits, targets = {**BATCHES, **EXTREME}[case]
    loss = F.cross_entropy(torch.tensor(logits, dtype=torch.float64), torch.tensor(targets))
    return loss.to(dtype).requires_grad_()


def right_gradient(case):
    """(softmax - one-hot) / N, the gradient of the mean cross entropy, in closed form."""
    logits, targets = {**BATCHES, **EXTREME}[case]
    slopes = probabilities(logits)
    slopes[np.arange(len(targets)), targets] -= 1
    return torch.from_numpy(slopes / len(targets)).float()


def backward(function, logits, *others):
    """The loss, and its gradient for the logits; None where the loss is no part of a graph."""
    loss = function(logits, *others)
    slopes = torch.autograd.grad(loss, logits)[0] if loss.requires_grad else None
    return {"loss": loss.detach(), "gradient": slopes}


def told(got, right):
    """A number beside the right one, in words: one and the same for every limit that someone may have chosen."""
    if got is None or not math.isfinite(got):
        return str(got)
    return "right" if abs(got - right) <= 1e-3 * abs(right) else "too small" if abs(got) < abs(right) else "too large"


def grows(check, function, errors, right, *moderate, call):
    """Judge the loss of single sure errors, which is the distance of the logits, and its slope there, 1 or -1."""
    seen = []
    for logits, target in errors:
        found = backward(function, logits.requires_grad_(), target)
        slopes, distance = found["gradient"], torch.cat([logits.detach().flatten(), torch.zeros(1)]).aminmax()
        loss = told(found["loss"].item(), (distance.max - distance.min).item())
        seen.append({"loss": loss, "gradient": told(None if slopes is None else slopes.abs().max().item(), 1.0)})

    expected = [{"loss": "right", "gradient": "right"} for _ in errors]
    seen.append({"moderate": round(function(*moderate).item(), 3)})
    check.saw(function, seen, call=call).gives([*expected, {"moderate": round(right.item(), 3)}])


# ---- cross_entropy


@pytest.mark.fact("05.8")
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=["float32", "float64"])
@pytest.mark.parametrize("case", BATCHES)
def test_cross_entropy_is_torchs(kata, check, case, dtype):
    """Catches a sum for the mean, a softmax along the batch, and logits[:, targets], which pairs all with all."""
    check(kata.cross_entropy, **given(case, dtype)).gives(right_loss(case, dtype), atol=SEEN)


@pytest.mark.fact("05.8")
@pytest.mark.parametrize("case", EXTREME)
def test_cross_entropy_of_extreme_logits(kata, check, case):
    """Catches exp(1000), log(0), a constant that keeps the log from 0, and one maximum for all rows."""
    check(kata.cross_entropy, **given(case)).gives(right_loss(case), atol=AT_1000)


@pytest.mark.parametrize("case", ["four", "sure and wrong", "rows of mixed scale"])
def test_cross_entropy_has_the_gradient(kata, check, case):
    """Catches a part of the loss that was cut out of the graph, which the value does not show."""
    right = {"loss": right_loss(case).detach(), "gradient": right_gradient(case)}
    found = backward(kata.cross_entropy, *given(case).values())
    call = "logits {}, targets {}".format(*{**BATCHES, **EXTREME}[case])
    check.saw(kata.cross_entropy, found, call=call).gives(right, atol=AT_1000)


def test_cross_entropy_grows_with_the_error(kata, check):
    """Catches whatever keeps a probability from 0, or a logit small: from there on a loss stands still."""
    logits, targets = [[[50.0, 0.0]], [[-1000.0, 0.0, 1000.0]]], [[1], [0]]
    errors = list(zip(map(torch.tensor, logits), map(torch.tensor, targets), strict=True))
    call = "of logits (50, 0) with the target 1, (-1000, 0, 1000) with 0, and four rows of moderate ones"
    grows(check, kata.cross_entropy, errors, right_loss("four"), *given("four").values(), call=call)


# ---- class_loss


def labels_of(case, dtype=torch.int64, column=False):
    inputs = given(case, key="labels")
    labels = inputs["labels"].to(dtype)
    return {**inputs, "labels": labels.unsqueeze(1) if column else labels}


def in_a_word(function, *words):
    """The function, whose refusals for one of these reasons say its word alone: each learner writes another text."""

    def class_loss(logits, labels):
        try:
            return function(logits, labels)
        except ValueError as error:
            error.args = next(((word,) for word in words if word in str(error).lower()), error.args)
            raise

    return class_loss


@pytest.mark.fact("05.8")
@pytest.mark.parametrize("case", [*BATCHES, *EXTREME])
def test_class_loss_takes_raw_logits(kata, check, case):
    """Catches a softmax before the loss: it cannot come below 0.55, and a sure error costs 1.55 at most."""
    check(in_a_word(kata.class_loss, "class"), **labels_of(case)).gives(right_loss(case), atol=AT_1000)


@pytest.mark.fact("05.8")
def test_class_loss_pulls_back_a_sure_error(kata, check):
    """Catches a gradient that has vanished where the model is sure and wrong."""
    right = {"loss": right_loss("sure and wrong").detach(), "gradient": right_gradient("sure and wrong")}
    found = backward(kata.class_loss, *labels_of("sure and wrong").values())
    call = "logits {}, labels {}".format(*EXTREME["sure and wrong"])
    check.saw(kata.class_loss, found, call=call).gives(right)


DTYPES = (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float32, torch.float64)


@pytest.mark.fact("05.8")
@pytest.mark.parametrize("column", [False, True], ids=["row", "column"])
def test_class_loss_takes_labels_of_any_dtype(kata, check, column):
    """Catches float or int32 labels handed on, which torch refuses, and a column, which it takes for many targets."""
    rows = [labels_of("four", dtype, column) for dtype in DTYPES]
    check.each(in_a_word(kata.class_loss, "whole", "class"), rows).gives([right_loss("four")] * len(DTYPES))


def test_class_loss_of_one_example(kata, check):
    """Catches squeeze() without an axis, which makes a label of no axis out of a column with one row."""
    rows = [labels_of("one", dtype, column=True) for dtype in DTYPES]
    check.each(in_a_word(kata.class_loss, "shape", "whole"), rows).gives([right_loss("one")] * len(DTYPES))


def refusals(check, function, labels, word):
    """Ask for the loss of the four rows with each of these labels, none of which may be taken."""
    rows = [{"logits": given("four")["logits"], "labels": torch.tensor(values)} for values in labels]
    check.each(in_a_word(function, word), rows).gives([Refusal(ValueError, word)] * len(rows))


def test_class_loss_refuses_other_shapes(kata, check):
    """Catches floats in one-hot rows, which torch takes for probabilities, where class numbers are asked."""
    hot = [[0, 0, 1], [1, 0, 0], [1, 0, 0], [0, 1, 0]]
    floats = [[float(value) for value in row] for row in hot]
    refusals(check, kata.class_loss, [floats, hot, [[2, 0, 0, 1]], [2, 0, 0], [[2.0], [0.0], [0.0]], 2], "shape")


def test_class_loss_refuses_fractions(kata, check):
    """Catches long() alone, which makes 1 of 1.75 without a word, and NaN, a missing value, let through."""
    labels = [[2.0, 0.5, 0.0, 1.0], [0.0, 0.0, 0.0, 1.75], [[1.25], [0.0], [0.0], [1.0]], [0.0, float("nan"), 2.0, 1.0]]
    refusals(check, kata.class_loss, labels, "whole")


def test_class_loss_refuses_unknown_classes(kata, check):
    """Catches labels that begin at 1, and -100, which torch leaves out of the mean in silence."""
    labels = [[2, 0, 3, 1], [2, -1, 0, 1], [2, 0, 0, -100], [2.0, 0.0, 0.0, 3.0], [[2], [0], [-100], [1]]]
    refusals(check, kata.class_loss, labels, "class")


# ---- bce_with_logits

BINARY = {
    "rows": ([[0.5, -1.0, 2.0], [-0.25, 1.5, -3.0]], [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0]]),
    "between 0 and 1": ([1.0, -2.0, 0.75, 3.0], [0.25, 0.875, 0.5, 0.0625]),
    "one": ([[-0.75]], [[1.0]]),
    "of no axis": (1.75, 0.0),
    "at zero": ([0.0, 0.0, -0.0, 1.5], [1.0, 0.0, 0.25, 0.0]),
}
BINARY_EXTREME = {
    "sure and right": ([20.0, -20.0, 30.0], [1.0, 0.0, 1.0]),
    "sure that yes, wrong": ([20.0, 45.0, -1.0], [0.0, 0.0, 1.0]),
    "sure that no, wrong": ([-20.0, -45.0, 1.0], [1.0, 1.0, 0.0]),
    "1000, right": ([1000.0, 500.0, 2.0], [1.0, 1.0, 1.0]),
    "1000, wrong": ([1000.0, 500.0, 30.0], [0.0, 0.25, 1.0]),
    "-1000, right": ([-1000.0, -500.0, 2.0], [0.0, 0.0, 1.0]),
    "-1000, wrong": ([-1000.0, -500.0, 2.0], [1.0, 0.25, 1.0]),
}


def binary(case, dtype=torch.float32):
    logits, targets = {**BINARY, **BINARY_EXTREME}[case]
    return {
        "logits": torch.tensor(logits, dtype=dtype, requires_grad=True),
        "targets": torch.tensor(targets, dtype=dtype),
    }


def right_binary_loss(logits, targets, dtype=torch.float32):
    """The loss in float64 by NumPy's logaddexp: log(1 + exp(-x)) for the target 1, log(1 + exp(x)) for 0."""
    x, y = np.array(logits, np.float64), np.array(targets, np.float64)
    losses = y * np.logaddexp(0, -x) + (1 - y) * np.logaddexp(0, x)
    return torch.tensor(losses.mean(), dtype=dtype, requires_grad=True)


@pytest.mark.fact("05.8")
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=["float32", "float64"])
@pytest.mark.parametrize("case", BINARY)
def test_bce_with_logits_is_the_mean_loss(kata, check, case, dtype):
    """Catches a sum for the mean, one of the two terms alone, and targets that are rounded to 0 and 1."""
    check(kata.bce_with_logits, **binary(case, dtype)).gives(right_binary_loss(*BINARY[case], dtype), atol=SEEN)


@pytest.mark.fact("05.8")
@pytest.mark.parametrize("case", BINARY_EXTREME)
def test_bce_with_logits_of_extreme_logits(kata, check, case):
    """Catches log(0), 0 * inf, exp(1000), and a limit that keeps the loss of a sure error small."""
    check(kata.bce_with_logits, **binary(case)).gives(right_binary_loss(*BINARY_EXTREME[case]))


@pytest.mark.parametrize("case", ["rows", "between 0 and 1", "1000, wrong", "-1000, wrong", "1000, right"])
def test_bce_with_logits_has_the_gradient(kata, check, case):
    """Catches where() over a branch that overflows: the loss does not show it, but 0 * inf in the gradient is NaN."""
    logits, targets = {**BINARY, **BINARY_EXTREME}[case]
    x, y = np.array(logits), np.array(targets)
    slopes = torch.from_numpy((np.exp(-np.logaddexp(0, -x)) - y) / y.size).float()  # (sigmoid - target) / n
    right = {"loss": right_binary_loss(logits, targets).detach(), "gradient": slopes}
    found = backward(kata.bce_with_logits, *binary(case).values())
    check.saw(kata.bce_with_logits, found, call=f"logits {logits}, targets {targets}").gives(right)


@pytest.mark.fact("05.8")
def test_bce_with_logits_grows_with_the_error(kata, check):
    """Catches whatever keeps a probability from 0, or a logit small: from there on a loss stands still."""
    errors = [(torch.tensor([x]), torch.tensor([float(x < 0)])) for x in (50.0, 1000.0, -50.0, -1000.0)]
    call = "of one logit, 50 or 1000 with the target 0, -50 or -1000 with 1, and six moderate ones"
    moderate = binary("rows")
    grows(check, kata.bce_with_logits, errors, right_binary_loss(*BINARY["rows"]), *moderate.values(), call=call)


def test_bce_with_logits_has_the_gradient_at_zero(kata, check):
    """Catches the corner of a max(x, 0): where a last layer starts at zero, all logits are exactly 0."""
    logits, targets = [0.0, 0.0, -0.0, 1.5, -0.5], [1.0, 0.0, 0.25, 0.25, 1.0]
    found = backward(kata.bce_with_logits, torch.tensor(logits, requires_grad=True), torch.tensor(targets))
    x, y, slopes = np.array(logits), np.array(targets), found["gradient"]
    right = (1 / (1 + np.exp(-x)) - y) / y.size
    seen = {"loss": told(found["loss"].item(), right_binary_loss(logits, targets).item())}
    for where, of in {"where the logit is 0": slice(0, 3), "elsewhere": slice(3, 5)}.items():
        fits = slopes is not None and np.allclose(slopes[of].numpy(), right[of], atol=1e-5)
        seen[f"gradient {where}"] = "right" if fits else "not right"

    call = f"logits {logits}, targets {targets}"
    check.saw(kata.bce_with_logits, seen, call=call).gives(dict.fromkeys(seen, "right"))


# ---- binary_loss

YES_NO = {
    "four": ([[0.5], [-1.0], [2.5], [-0.25]], [1, 0, 0, 1]),
    "two": ([[1.5], [3.0]], [0, 1]),
    "one yes": ([[-1.25]], [1]),
    "one no": ([[-2.25]], [0]),
    "sure and right": ([[20.0], [-20.0], [25.0]], [1, 0, 1]),
    "sure and wrong": ([[20.0], [-20.0], [1000.0]], [0, 1, 0]),
}


def yes_no(case, dtype=torch.int64):
    logits, labels = YES_NO[case]
    return {"logits": torch.tensor(logits, requires_grad=True), "labels": torch.tensor(labels).to(dtype)}


@pytest.mark.fact("05.8")
@pytest.mark.parametrize("dtype", [torch.int64, torch.bool], ids=["int64", "bool"])
@pytest.mark.parametrize("case", YES_NO)
def test_binary_loss_takes_raw_logits(kata, check, case, dtype):
    """Catches a sigmoid before a loss that has its own, the loss for probabilities, and integers for targets."""
    logits, labels = YES_NO[case]
    check(kata.binary_loss, **yes_no(case, dtype)).gives(right_binary_loss([row[0] for row in logits], labels))


@pytest.mark.fact("05.8")
@pytest.mark.parametrize("case", ["four", "sure and wrong"])
def test_binary_loss_has_the_gradient(kata, check, case):
    """Catches cross entropy over one logit, which has no gradient, and one that vanishes on a sure error."""
    logits, labels = YES_NO[case]
    x, y = np.array(logits), np.array(labels)[:, None]
    slopes = torch.from_numpy((np.exp(-np.logaddexp(0, -x)) - y) / len(y)).float()
    right = {"loss": right_binary_loss(x[:, 0], labels).detach(), "gradient": slopes}
    found = backward(kata.binary_loss, *yes_no(case).values())
    check.saw(kata.binary_loss, found, call=f"logits {logits}, labels {labels}").gives(right)


def test_binary_loss_grows_with_the_error(kata, check):
    """Catches a limit that keeps a probability from 0 and 1, or a logit small: from there on a loss stands still."""
    errors = [(torch.tensor([[x]]), torch.tensor([int(x < 0)])) for x in (50.0, 1000.0, -50.0, -1000.0)]
    call = "of one logit, 50 or 1000 with the label 0, -50 or -1000 with 1, and four moderate ones"
    logits, labels = YES_NO["four"]
    right = right_binary_loss([row[0] for row in logits], labels)
    grows(check, kata.binary_loss, errors, right, *yes_no("four").values(), call=call)


# ---- both_gradients


@pytest.mark.fact("05.8")
@pytest.mark.parametrize("case", [*BATCHES, *EXTREME])
def test_both_gradients_for_the_logits(kata, check, case):
    """Catches the gradient for the probabilities, log_softmax for softmax, and gradients that add up in one leaf."""
    logits, targets = {**BATCHES, **EXTREME}[case]
    n, p = len(targets), probabilities(logits)
    upstream = probabilities(p)  # the loss takes p for logits
    upstream[np.arange(n), targets] -= 1
    softmaxed = p * (upstream - (upstream * p).sum(axis=1, keepdims=True)) / n  # through the softmax's Jacobian
    inputs = {"logits": torch.tensor(logits), "targets": torch.tensor(targets)}
    right = (right_gradient(case), torch.from_numpy(softmaxed).float())
    check(kata.both_gradients, **inputs).gives(right, graph=False, atol=1e-6)


# ---- lowest_loss


@pytest.mark.fact("05.8")
def test_lowest_loss_by_number_of_classes(kata, check):
    """Catches 0, which raw logits reach, and the loss of a guess."""
    classes = [2, 3, 4, 10, 1000]
    right = [F.cross_entropy(torch.eye(c, dtype=torch.float64)[:1], torch.tensor([0])).item() for c in classes]
    check.each(kata.lowest_loss, classes).gives(right)
