"""How a difference is found and worded."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from torchkatas.compare import Raised, Refusal, Rule, difference, same

T = torch.tensor
LEAF = T([1.0, 2.0], requires_grad=True)

EQUAL = [
    (T([1.0, 2.0]), T([1.0, 2.0 + 1e-6])),
    (T([float("nan"), float("inf")]), T([float("nan"), float("inf")])),
    (T([1, 2]), T([1, 2])),
    (T([]), T([])),
    (LEAF * 2, T([2.0, 4.0])),  # a graph that nobody asked for does no harm
    ([1, 2], (1, 2)),
    ((2, 3), torch.Size([2, 3])),
    ({"a": T([1.0])}, {"a": T([1.0])}),
    (2, 2.0),
    (0.1 + 0.2, 0.3),
    (float("nan"), float("nan")),
    (None, None),
    (True, True),
    ("Mul", "Mul"),
    (torch.float32, torch.float32),
    (np.array([1.0, 2.0]), np.array([1.0, 2.0])),
    (Raised(ValueError("no label 7")), Refusal(ValueError, "label")),
    (Raised(ValueError("Label 7")), Refusal(ValueError, "label")),
    (torch.empty(2, device="meta"), torch.empty(2, device="meta")),
]


@pytest.mark.parametrize(("got", "right"), EQUAL)
def test_right_is_right(got, right):
    """Catches a false red."""
    assert difference(got, right) is None


WRONG = [
    (None, T([1.0]), "None came back"),
    (1.0, T(1.0), "A float came back where a tensor"),
    (np.array([1.0]), T([1.0]), "A NumPy array came back"),
    (np.array(1.0), 1.0, "A NumPy array came back where a Python float"),
    (np.float64(1.0), 1.0, "A float64 came back where a Python float"),
    (1, T(1), "An int came back where a tensor"),
    (np.array([1.0, 2.0]), "Mul", "A NumPy array came back where a Python str"),
    (T(1.0), 1.0, "A tensor came back where a Python float"),
    (T(True), True, "A tensor came back where a Python bool"),
    (1.0, 1, "A float came back where a Python int"),
    (1, True, ""),
    (T([1.0]), [1.0], "A tensor came back where a list of 1"),
    ("12", ["1", "2"], "A str came back where a list of 2"),
    (T([[1.0, 2.0]]), T([1.0, 2.0]), "values are right, the shape is not"),
    (T([[1.0], [2.0]]), T([1.0, 2.0]), "values are right, the shape is not"),
    (torch.ones(2, 3), torch.ones(3), "The shape is (2, 3) where (3,)"),
    (torch.ones(2).double(), torch.ones(2), "The dtype is float64 where float32"),
    (torch.empty(2, device="meta"), torch.ones(2), "lies on meta where cpu"),
    (T([1.0, float("nan")]), T([1.0, 2.0]), "NaN"),
    (T([1.0, 2.0]), LEAF, "detached from the graph"),
    (T([1.0, 2.0], requires_grad=True), LEAF * 1, "switched on for a finished result"),
    (T([1.0, 2.1]), T([1.0, 2.0]), ""),
    (T([1.0, 2.0]), T([1.0, float("nan")]), ""),
    ([1, 2, 3], [1, 2], ""),
    ({"a": 1}, {"b": 1}, ""),
    (T(1.0), {"a": 1}, "A tensor came back where a dict"),
    ([T(1.0), 2.0], [T(1.0), T(2.0)], "At [1]: A float came back"),
    ({"a": [T(1.0), 2.0]}, {"a": [T(1.0), T(2.0)]}, "At ['a'][1]: A float came back"),
    (np.array([1.0]), np.array([1.0], dtype=np.float32), "float64 where float32"),
    (np.array([1.0], dtype=object), np.array([1.0]), "object where float64"),
    (3, Refusal(ValueError), "Nothing was raised where ValueError"),
    (Raised(KeyError("x")), Refusal(ValueError), "KeyError was raised where ValueError"),
    (Raised(ValueError("too long")), Refusal(ValueError, "label"), "does not say 'label'"),
    (Raised(ValueError("x")), T([1.0]), ""),
    (np.array([1.0, 2.0]), Raised(ValueError("x")), ""),
]


@pytest.mark.parametrize(("got", "right", "slip"), WRONG)
def test_wrong_is_wrong_and_a_slip_is_named(got, right, slip):
    """Catches a comparison that broadcasts, casts or converts before it looks."""
    found = difference(got, right)

    assert found is not None
    assert slip in found.sentence if slip else not found.sentence


def test_the_first_difference_is_told():
    """Catches two long tensors that a learner must compare by eye."""
    found = difference(T([[1.0, 2.0], [3.0, 5.0]]), T([[1.0, 2.0], [4.0, 7.0]]))

    assert found.evidence == "first at [1, 0]: 3.0 where 4.0 is right (2 of 4 differ)"


def test_a_difference_deep_inside_is_told_by_its_place():
    """Catches a place in a nested result that a learner must count out."""
    found = difference([1, {"a": T([2.0, 1.0])}], [1, {"a": T([3.0, 1.0])}])

    assert found.evidence == "first at [1]['a'][0]: 2.0 where 3.0 is right (1 of 2 differ)"


@pytest.mark.parametrize("shape", [(), (1,), (1, 1)])
def test_what_prints_alike_is_told_apart(shape):
    """Catches `expected 2.9013, got 2.9013`."""
    found = difference(T(2.90130).reshape(shape), T(2.90131).reshape(shape), Rule(0.0, 0.0))

    assert found.evidence.endswith("2.9012999534606934 where 2.9013099670410156 is right")
    assert not difference(T(2.0).reshape(shape), T(3.0).reshape(shape)).evidence


def test_exact_means_to_the_bit():
    """Catches a tolerance where nothing rounds."""
    assert difference(T([1.0 + 1e-6]), T([1.0]), Rule(0.0, 0.0)) is not None


@pytest.mark.parametrize(
    "dtype",
    [torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex64, torch.complex128, torch.int64],
    ids=str,
)
def test_the_tolerance_is_that_of_torch_testing(dtype):
    """Catches a dtype whose rounding is a mistake here, or whose mistakes are rounding."""

    def right_there(got, right):
        try:
            torch.testing.assert_close(got, right)
        except AssertionError:
            return False
        return True

    for right in (T([0.0]), T([1.0])):
        for apart in (2.0**-n for n in range(35)):
            pair = (right.double() + apart).to(dtype), right.to(dtype)

            assert (difference(*pair) is None) == right_there(*pair), apart


def test_a_replaced_comparison_is_not_asked(monkeypatch):
    """Catches an answer that is right because it changed what torch calls equal."""
    for name in ("equal", "isclose"):
        monkeypatch.setattr(torch, name, lambda *args, **kwargs: T(True))

    assert difference(T([1.0]), T([2.0])) is not None


def test_an_exception_is_told_by_class_and_first_line():
    """Catches an exception whose text raises in its turn, and pages of text where one line was to come."""

    class Loud(Exception):
        def __str__(self):
            raise ValueError("loud")

    assert repr(Raised(ValueError("one\ntwo"))) == "ValueError: one"
    assert repr(Raised(ValueError())) == "ValueError"
    assert repr(Raised(Loud())) == "Loud: <its text raises ValueError>"


def test_a_graph_can_be_forbidden():
    """Catches a prediction that drags its graph along."""
    assert "still part of a graph" in difference(LEAF * 1, T([1.0, 2.0]), Rule(graph=False)).slip


def test_two_observations_are_one_only_if_nobody_could_tell_them_apart():
    """Catches a diagnosis that takes a list for a tuple, a float64 for a float32, or a constant for a leaf."""
    things = [1, 1.0, True, None, T(1), T(1.0), T([1.0]), T([1.0]).double(), [1], (1,), {"a": 1}, "1", np.array([1.0])]
    things += [Raised(ValueError("a")), Raised(ValueError("b")), Raised(TypeError("a")), LEAF, LEAF.detach()]

    assert [[same(one, other) for other in things] for one in things] == [
        [i == j for j in range(len(things))] for i in range(len(things))
    ]
