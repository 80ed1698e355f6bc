"""The check: what a spec may hand in, and what it is told."""

from __future__ import annotations

import textwrap

import numpy as np
import pytest
import torch

from tests.demo import SOLUTION
from torchkatas.check import Check, Mismatch, Seen
from torchkatas.compare import Raised, Refusal


@pytest.fixture
def check(tmp_path):
    return Check(tmp_path, {}, lambda error: isinstance(error, NotImplementedError), [])


def rank(x):
    return x.ndim


def half(x):
    return torch.tensor(x / 2)


def divmod_of(a, b):
    return divmod(a, b)


def refuse(x):
    raise ValueError("no label 7")


def message(of):
    with pytest.raises(Mismatch) as caught:
        of()
    return "\n".join([caught.value.reason(), *caught.value.lines()])


def test_a_table_tells_the_first_row_that_differs(check):
    """Catches a table that a learner must search by eye."""
    seen = check.each(rank, [torch.tensor(5), torch.tensor([5]), torch.tensor([[5]])])

    text = message(lambda: seen.gives([0, 1, 3]))

    assert text.splitlines()[1:] == ["rank(x=tensor([[5]]))", "expected  3", "got       2"]


def test_what_prints_alike_in_a_table_is_told_apart(check):
    """Catches a row whose expected and got read the same."""
    text = message(lambda: check.each(half, [5.8026]).gives([torch.tensor(2.90131)], exact=True))

    assert text.splitlines()[-1].strip() == "2.9012999534606934 where 2.9013099670410156 is right"


def test_a_slip_in_a_table_is_told_of_its_row(check):
    """Catches `At [1]`, which no learner can place: the row itself is shown."""
    seen = check.each(lambda x: x or None, [1, 0])

    assert message(lambda: seen.gives([1, 0])).splitlines()[0] == (
        "None came back: a `return` is missing, or what it returns is None."
    )


def test_a_tuple_is_no_table(check):
    """Catches a result of several parts taken for several calls."""
    assert message(lambda: check(divmod_of, a=7, b=2).gives((3, 2))).splitlines()[1] == "divmod_of(a=7, b=2)"


def test_a_crash_in_a_table_is_told_with_its_row(check):
    """Catches a crash whose line is lost because its neighbours came through."""
    with pytest.raises(Mismatch) as caught:
        check.each(divmod_of, [(7, 2), (7, 0)]).gives([(3, 1), (0, 0)])

    assert caught.value.lines() == ["divmod_of(a=7, b=0)"]
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_rows_of_a_table_are_arguments(check):
    """Catches a tuple handed over as one argument."""

    def add(a, b):
        return a + b

    check.each(add, [(1, 2), {"a": 3, "b": 4}, [(5,), (6,)]][:2]).gives([3, 7])


def test_a_refusal_has_a_class_and_a_word(check):
    """Catches a ValueError raised for another reason."""
    check(refuse, x=1).raises(ValueError, "label")
    assert "does not say 'dtype'" in message(lambda: check(refuse, x=1).raises(ValueError, "dtype"))
    assert "ValueError was raised where KeyError" in message(lambda: check(refuse, x=1).raises(KeyError, "label"))
    assert "Nothing was raised" in message(lambda: check(rank, x=torch.ones(1)).raises(ValueError))


def test_an_unwritten_stub_satisfies_no_refusal(check):
    """Catches NotImplementedError, which is a RuntimeError, taken for the one that is asked."""

    def stub(x):
        raise NotImplementedError("stub")

    with pytest.raises(NotImplementedError):
        check(stub, x=1).raises(RuntimeError)


@pytest.mark.parametrize("kind", [torch.tensor, np.array, list])
def test_a_changed_input_is_seen(check, kind):
    """Catches an answer that is right and spoils what the caller still needs."""
    x = kind([3.0, 1.0])

    def spoil(x):
        x[0] = 7.0
        return 1

    assert "input x was changed" in message(lambda: check(spoil, x=x).gives(1))
    check(spoil, x=kind([3.0, 1.0])).gives(1, changes=["x"])


@pytest.mark.parametrize("around", [lambda x: [x], lambda x: (x,), lambda x: {0: x}], ids=["list", "tuple", "dict"])
def test_a_change_inside_an_input_is_seen(check, around):
    """Catches a tensor that is changed in the list that holds it."""

    def spoil(x):
        x[0].add_(1)
        return 1

    assert "input x was changed" in message(lambda: check(spoil, x=around(torch.ones(1))).gives(1))


def test_what_a_spec_asks_of_a_value_is_judged(check):
    """Catches exact, a tolerance, graph or quiet, asked for and not looked at."""
    near, node = torch.tensor([1.0 + 1e-6]), torch.ones(1, requires_grad=True) * 1

    check(torch.clone, near).gives(torch.ones(1))
    message(lambda: check(torch.clone, near).gives(torch.ones(1), exact=True))
    check(torch.clone, near + 0.1).gives(torch.ones(1), rtol=0.2)
    check(torch.clone, near + 0.1).gives(torch.ones(1), atol=0.2)
    message(lambda: check(torch.clone, near + 0.1).gives(torch.ones(1), rtol=0.01, atol=0.01))
    check(torch.clone, node).gives(torch.ones(1))
    for exact in (False, True):
        told = message(lambda exact=exact: check(torch.clone, node).gives(torch.ones(1), graph=False, exact=exact))
        assert "part of a graph" in told


def test_a_warning_can_be_forbidden(project):
    """Catches a warning that the contract forbids, told as a note alone."""
    spec = "import torch\n\n\ndef test_total_is_quiet(kata, check):\n"
    spec += "    check(kata.total, x=torch.ones(1)).gives(torch.tensor(1.0), quiet=True)\n"
    project.write("katas/01_demo/test_sums.py", spec)
    project.answer("import warnings\n" + SOLUTION.replace("return x.sum()", "warnings.warn('old')\n    return x.sum()"))

    project.run("katas").stdout.fnmatch_lines(["total   not right", "  It works, but with a warning: old"])
    assert project.run("katas", "--answers=solutions").ret == 0


def test_two_that_differ_beside_their_value_are_two(check):
    """Catches a diagnosis that takes a wrong value for another's that also spoilt its input, or is a view."""
    x = torch.arange(4.0)

    def spoil(x):
        return x.add_(0.5).clone()

    def seen(function, **asked):
        with pytest.raises(Mismatch) as caught:
            check(function, x.clone()).gives(torch.zeros(4), **asked)
        return caught.value.seen

    assert seen(lambda x: x + 0.5) == seen(lambda x: 0.5 + x)
    assert seen(lambda x: x + 0.5) != seen(spoil)
    assert seen(lambda x: x + 0.0, shares=x) == seen(lambda x: x.clone(), shares=x)
    assert seen(lambda y: x[:], shares=x) != seen(lambda y: x.clone(), shares=x)


def test_long_values_are_cut(check):
    """Catches a matrix that fills the screen, and a difference that is only shown in what was cut."""
    x = torch.arange(600.0).reshape(30, 20)
    y = x.clone()
    y[15, 10] = -1.0

    lines = message(lambda: check(torch.clone, x).gives(y)).splitlines()[1:]

    assert len(lines) < 30
    assert max(map(len, lines)) < 200
    assert lines[-1].strip() == "first at [15, 10]: 310.0 where -1.0 is right (1 of 600 differ)"


def test_a_parameter_is_an_input_like_another(check):
    """Catches a Parameter that is taken for changed because its copy is a plain tensor."""
    check(rank, x=torch.nn.Parameter(torch.ones(2))).gives(1)


def test_requires_grad_switched_on_is_a_change(check):
    """Catches an input that comes back as a leaf that records."""

    def track(x):
        x.requires_grad_()
        return 1

    assert "input x.requires_grad was changed" in message(lambda: check(track, x=torch.ones(1)).gives(1))
    check(track, x=torch.ones(1)).gives(1, changes=["x"])


def test_memory_is_judged_where_it_is_promised(check):
    """Catches a view where a copy was promised, and the reverse."""
    x = torch.arange(4.0)
    array = np.arange(4.0)

    check(torch.Tensor.view, x, 2, 2).gives(x.reshape(2, 2), shares=x)
    check(torch.clone, x).gives(x, apart=x)
    check(torch.from_numpy, array).gives(torch.arange(4.0).double(), shares=array)
    check(torch.clone, x.bfloat16().requires_grad_()).gives(x.bfloat16(), apart=x)
    assert "memory of its own, where a view" in message(lambda: check(torch.clone, x).gives(x, shares=x))
    assert "shares its memory" in message(lambda: check(torch.Tensor.view, x, 2, 2).gives(x.reshape(2, 2), apart=x))


def test_what_a_spec_observed_is_told_in_its_words(check):
    """Catches a call that never happened, shown as one."""
    text = message(lambda: check.saw(rank, [1, 2], call="after two steps").gives([1, 3]))

    assert text.splitlines()[1] == "rank: after two steps"


def test_a_crash_is_told_by_itself(check):
    """Catches `got IndexError` beside an expected value, as if it had been returned."""

    def crash(x):
        return x[9]

    with pytest.raises(Mismatch) as caught:
        check(crash, x=torch.ones(1)).gives(1)

    assert isinstance(caught.value.__cause__, IndexError)
    assert caught.value.lines() == ["crash(x=tensor([1.]))"]


def test_a_long_dict_is_told_line_by_line(check):
    """Catches an observation of several parts, cut off before the one that differs."""
    seen = {"weight": torch.arange(30.0), "bias": torch.tensor([1.0])}

    text = message(lambda: check.saw(rank, seen, call="after a step").gives({k: v + 1 for k, v in seen.items()}))

    assert "          'bias': tensor([1.])" in text.splitlines()


def test_of_a_long_dict_what_is_right_is_left_out(check):
    """Catches ten parts in which a learner must seek the one that is wrong, and parts hidden where all are right."""
    seen = {"weight": torch.arange(30.0), "more": {"mean": torch.ones(1), "sums": torch.arange(40.0)}}
    right = {**seen, "more": {**seen["more"], "mean": torch.zeros(1)}}

    def lines(right):
        return message(lambda: check.saw(rank, seen, call="after a step").gives(right)).splitlines()[2:]

    assert lines(right) == [
        "expected  'more': {'mean': tensor([0.])}",
        "got       'more': {'mean': tensor([1.])}",
        "          (the other items are right)",
    ]
    assert "other items" not in "".join(lines({"other": 1.0, **seen}))
    seen["more"] = {"mean": 1.0, "sum": 3.0}  # too short to be read item by item, were it alone
    assert lines({**seen, "more": {"mean": 0.0, "sum": 3.0}})[0] == "expected  'more': {'mean': 0.0}"
    seen["weight"].requires_grad_()
    seen["more"] = torch.ones(1, requires_grad=True)
    right = {**seen, "more": torch.zeros(1, requires_grad=True)}
    text = message(lambda: check.saw(rank, seen, call="after a step").gives(right, graph=True))
    assert text.splitlines()[2:4] == ["expected  'more': tensor([0.])", "got       'more': tensor([1.])"]
    short = {"weight": 1, "bias": 2}
    text = message(lambda: check.saw(rank, short, call="after a step").gives({"weight": 1, "bias": 3}))
    assert text.splitlines()[2:] == ["expected  {'weight': 1, 'bias': 3}", "got       {'weight': 1, 'bias': 2}"]


def test_parts_of_what_was_observed_are_checks_of_their_own(check):
    """Catches a mistake that goes unnamed, for in another part it looks otherwise; and a crash that parts hide."""

    def seen(floats, integers):
        return check.saw(rank, {"floats": floats, "integers": integers}, call="a step").part("floats")

    seen(1.0, 2).gives({"floats": 1.0})
    with pytest.raises(Mismatch) as caught:
        seen(3.0, 4).gives({"floats": 1.0})

    assert (caught.value.index, check.open) == (1, None)
    assert caught.value.seen == seen(3.0, 5) != seen(1.0, 4)
    assert caught.value.lines() == ["rank: a step", "expected  {'floats': 1.0}", "got       {'floats': 3.0}"]
    ranks = Seen(check, "rank", [{"floats": 1.0, "integers": 2}, Raised(KeyError("a"))], table=True, text="a step")
    with pytest.raises(Mismatch) as caught:
        ranks.part("floats").gives([{"floats": 1.0}] * 2)
    assert isinstance(caught.value.__cause__, KeyError)


@pytest.mark.parametrize("around", [lambda x: x, lambda x: [x], lambda x: {"y": (x, 1.0)}], ids=["", "list", "dict"])
def test_a_graph_is_shown_only_where_it_is_what_is_wrong(check, around):
    """Catches a learner who takes grad_fn for the difference, where it is the value."""
    leaf = torch.tensor([3.0], requires_grad=True)
    value = leaf.detach()

    def text(got, right, **how):
        return message(lambda: check.saw(rank, around(got), call="once").gives(around(right), **how))

    for right in (leaf, value):
        assert "grad" not in text(leaf * 2, right)
    assert "grad_fn=<MulBackward0>" in text(leaf * 1, value, graph=False)
    assert "tensor([3.], requires_grad=True)" in text(value, leaf)
    assert "tensor([3.], grad_fn=<MulBackward0>)" in text(leaf, leaf * 1)


def test_an_optimizer_in_a_call_is_its_class(check):
    """Catches a call line that is full of default settings."""

    def steps(optimizer, n):
        return n

    sgd = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.5)

    assert "steps(optimizer=SGD, n=2)" in message(lambda: check(steps, optimizer=sgd, n=2).gives(3))


def test_value_hands_the_result_on(check):
    """Catches a spec that must call twice to look further."""
    assert check(rank, x=torch.ones(2, 2)).value == 2
    with pytest.raises(Mismatch) as caught:
        _ = check(refuse, x=1).value
    assert caught.value.lines() == ["refuse(x=1)"]


def test_setting_left_by_a_call_is_put_back_at_once(check):
    """Catches a learner's default dtype in the rest of the spec."""

    def leak(x):
        torch.set_default_dtype(torch.float64)
        return 1

    check(leak, x=1).gives(1)

    assert torch.get_default_dtype() == torch.float32
    assert check.notes == ["left the default dtype changed (put back)"]


def test_rows_that_are_rightly_refused_are_one_however_they_are_worded(check):
    """Catches a wrong answer that the bank cannot name, since the learner words a right refusal in their own way."""

    def halves(words):
        def half(x):
            if x < 0:
                raise ValueError(f"{words} negative")
            return x / 3

        return half

    seen = []
    for words in ("it is", "we take nothing"):
        with pytest.raises(Mismatch) as caught:
            check.each(halves(words), [-1.0, 8.0]).gives([Refusal(ValueError, "negative"), 4.0])
        seen.append(caught.value.seen)
    assert seen[0] == seen[1]


def test_a_warning_from_a_spec_is_an_error(project):
    """Catches a deprecated call of our own that nobody sees."""
    spec = """
        import warnings

        def spec_of(x):
            warnings.warn("ours")
            return x

        def test_double_x(kata, check):
            check(spec_of, x=1).gives(1)
    """
    project.write("katas/01_demo/test_sums.py", textwrap.dedent(spec))

    result = project.run("katas", "--answers=solutions")

    assert result.ret == 1
    result.stdout.fnmatch_lines(["*UserWarning: ours*"])
