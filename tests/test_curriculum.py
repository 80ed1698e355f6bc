"""What is read from katas/ as text."""

from __future__ import annotations

import pytest

from torchkatas import curriculum

LESSON = """# Title

## first

Words.

<details><summary>Hint 1</summary>

a nudge

</details>

<details>
<summary>Hint 2</summary>
more
</details>

## first_again

<details><summary>Hint 1</summary>other</details>
"""


def test_hints_stand_under_their_heading():
    """Catches the hints of a neighbour whose name begins alike."""
    assert [hint.strip() for hint in curriculum.hints(LESSON, "first")] == ["a nudge", "more"]
    assert curriculum.hints(LESSON, "first_again") == ["other"]
    assert curriculum.hints(LESSON, "second") == []


@pytest.mark.parametrize(
    ("test", "function"),
    [
        ("test_mean_of_two", "mean"),
        ("test_mean_loss_of_two", "mean_loss"),
        ("test_mean", "mean"),
        ("test_meaning", ""),
        ("test_Net_counts", "Net"),
    ],
)
def test_a_test_judges_the_longest_name_it_begins_with(test, function):
    """Catches `mean` that takes the tests of `mean_loss`."""
    assert curriculum.judged(test, ["mean", "mean_loss", "Net"]) == function


def test_why_is_a_line_of_the_solution(project):
    """Catches a green line without a reason."""
    solution = project.path / "solutions/01_demo/sums.py"

    assert curriculum.why(solution, "double") == "doubling is adding once."
    assert curriculum.why(solution, "nothing") == ""
