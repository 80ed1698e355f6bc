"""What is read from katas/ as text."""

from __future__ import annotations

import os

import pytest

from torchkatas import curriculum

LESSON = """# Title

## first_again

<details><summary>Hint 1</summary>other</details>

## first

Words.

<details><summary>Hint 1</summary>

a nudge

</details>

<details>
<summary>Hint 2</summary>
more
</details>
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
    assert curriculum.why(solution, "total") == "it adds."
    assert curriculum.why(solution, "nothing") == ""


def test_what_a_module_defines_is_read_as_it_stands(tmp_path):
    """Catches names of before the last save, a helper taken for a kata, and a broken file that stops the run."""
    file = tmp_path / "sums.py"
    found = []
    for second, text in enumerate(("def double(x): ...", "class Net: ...\ndef _help(x): ...", "def double(x")):
        file.write_text(text)
        os.utime(file, (second, second))
        found.append(list(curriculum.definitions(file)))

    assert found == [["double"], ["Net"], []]
    assert curriculum.definitions(tmp_path / "none.py") == {}


def test_a_lesson_is_found_by_its_anchor():
    """Catches a link that sites do not follow: they write anchors in lower case."""
    where = curriculum.lesson(curriculum.Concept("04_modules", "network"), "Net")

    assert where == "katas/04_modules/README.md#net"
