"""A small suite in a folder of its own, for the tests of the harness."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

SPEC = '''
import pytest
import torch


@pytest.mark.fact("01.1")
def test_double_doubles(kata, check):
    """Catches x squared."""
    check(kata.double, x=torch.tensor([3.0, -1.0])).gives(torch.tensor([6.0, -2.0]))


def test_double_of_nothing(kata, check):
    """Catches a constant."""
    check(kata.double, x=torch.zeros(0)).gives(torch.zeros(0))


def test_total_adds_up(kata, check):
    """Catches the mean."""
    check(kata.total, x=torch.tensor([3.0, -1.0])).gives(torch.tensor(2.0))
'''

STUB = '''
def double(x):
    """Twice x."""
    raise NotImplementedError("double")


def total(x):
    """The sum."""
    raise NotImplementedError("total")
'''

SOLUTION = """
def double(x):
    # Why: doubling is adding once.
    return x + x


def total(x):
    # Why: it adds.
    return x.sum()
"""

MISTAKES = """
from torchkatas.bank import wrong


@wrong("squared", replaces="double", says="That is x squared.", fact="01.1")
def squared(x):
    return x * x


@wrong("constant", replaces="double", says="That is a constant.")
def constant(x):
    return x.new_tensor([6.0])


@wrong("averaged", replaces="total", says="That is the mean.")
def averaged(x):
    return x.mean()
"""

LESSON = """# Demo

## double

<details><summary>Hint 1</summary>a</details>
"""

MAP = """
[01_demo]
concepts = ["sums"]
after = []

[01_demo.facts]
"01.1" = "Twice is twice."
"""


class Project:
    """A project with one directory, 01_demo, and one concept, sums."""

    def __init__(self, pytester: pytest.Pytester) -> None:
        self.pytester, self.path = pytester, pytester.path
        settings = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
        self.write("pyproject.toml", settings.replace('pythonpath = ["."]', f"pythonpath = ['.', '{ROOT}']"))
        self.write("conftest.py", 'pytest_plugins = ["torchkatas.plugin"]\n')
        self.write("katas/map.toml", MAP)
        self.write("katas/01_demo/README.md", LESSON)
        self.write("katas/01_demo/sums.py", STUB)
        self.write("katas/01_demo/test_sums.py", SPEC)
        self.write("solutions/01_demo/sums.py", SOLUTION)
        self.write("mistakes/01_demo/sums.py", MISTAKES)

    def write(self, name: str, text: str | bytes) -> Path:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    def answer(self, source: str | bytes, tree: str = "katas") -> Path:
        """Write the learner's file."""
        return self.write(f"{tree}/01_demo/sums.py", source)

    def run(self, *args: str) -> pytest.RunResult:
        """Run pytest on the katas, in this process."""
        return self.pytester.runpytest_inprocess(*(args or ("katas",)))

    def run_apart(self, *args: str) -> pytest.RunResult:
        """The same in a process of its own: for answers that end it, or never do."""
        return self.pytester.runpytest_subprocess(*(args or ("katas",)), timeout=120)
