"""The proof of the bank finds what is missing: a bank that cannot fail proves nothing."""

from __future__ import annotations

import pytest

from tests.proof import Proof, verdicts

ENTRY = '\n\n@wrong("{0}", replaces="{1}", says="{0}."{3})\ndef {0}(x):\n    return {2}\n'


def faults(project, *entries):
    path = project.path / "mistakes/01_demo/sums.py"
    project.write("mistakes/01_demo/sums.py", path.read_text() + "".join(ENTRY.format(*entry) for entry in entries))
    return Proof(project.path, verdicts(project.path, "mistakes")).faults()


def test_a_whole_bank_has_no_faults(project):
    """Catches a proof that is never satisfied."""
    assert faults(project) == []


@pytest.mark.parametrize(
    ("entry", "found"),
    [
        (("survivor", "double", "2 * x", ""), ["survivor passes every test"]),
        (
            ("twin", "total", "x.sum() / len(x)", ""),
            ["no test tells averaged from twin", "no test tells twin from averaged"],
        ),
        (
            ("factless", "total", "x.max()", ', fact="01.1"'),
            ["factless contradicts fact 01.1, and no test of that fact rejects it"],
        ),
    ],
)
def test_a_fault_of_an_entry_is_found(project, entry, found):
    """Catches a proof that cannot fail."""
    assert sorted(faults(project, entry)) == [f"01_demo/sums: {fault}" for fault in found]


def test_a_test_that_rejects_nothing_is_found(project):
    """Catches a spec that asserts what every answer does."""
    spec = (project.path / "katas/01_demo/test_sums.py").read_text()
    more = "    check(kata.double, x=torch.zeros(3)).gives(torch.zeros(3))\n"
    project.write("katas/01_demo/test_sums.py", f"{spec}\n\ndef test_double_keeps_the_shape(kata, check):\n{more}")
    project.write(
        "mistakes/01_demo/sums.py",
        (project.path / "mistakes/01_demo/sums.py").read_text().replace("new_tensor([6.0])", "new_zeros(x.shape)"),
    )

    assert "01_demo/sums: katas/01_demo/test_sums.py::test_double_keeps_the_shape rejects no wrong answer" in faults(
        project
    )


def test_a_mistake_without_a_stable_name_is_found(project):
    """Catches an entry that behaves otherwise at each call: it could never be told."""
    found = faults(
        project, ("dice", "total", 'x.sum() + id(object()) % 977 + __import__("time").perf_counter_ns() % 9973', "")
    )

    assert "01_demo/sums: dice is told as nothing in katas/01_demo/test_sums.py::test_total_adds_up[dice]" in found
