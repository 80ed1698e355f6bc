"""Promise 3: every wrong answer of the bank is rejected, told by its own sentence, and told apart from every other."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.promises.conftest import CONCEPTS, ROOT
from tests.proof import Proof
from torchkatas import bank, curriculum

DIRECTORIES = [directory.name for directory in curriculum.directories(ROOT)]
KNOWN = curriculum.tomllib.loads((ROOT / "tests" / "promises" / "known.toml").read_text(encoding="utf-8"))
ENTRIES = {concept: bank.entries(ROOT / "mistakes" / concept.file) for concept in CONCEPTS}


@pytest.mark.parametrize("directory", DIRECTORIES)
def test_the_bank_is_proven(judged, directory):
    """Catches a wrong answer that passes, gets another's sentence or none, and a test that rejects nothing."""
    assert Proof(ROOT, judged("mistakes", f"katas/{directory}")).faults() == []


@pytest.mark.parametrize("directory", DIRECTORIES)
def test_every_entry_was_judged(judged, directory):
    """Catches an entry for a function that no test is named after."""
    asked = {(v.concept, v.answers.partition("@")[2]) for v in judged("mistakes", f"katas/{directory}")}
    mine = {(str(c), entry.id) for c, entries in ENTRIES.items() if c.directory == directory for entry in entries}

    assert mine - asked == set()


def test_ids_are_unique():
    """Catches an id that means two mistakes."""
    ids = Counter(entry.id for entries in ENTRIES.values() for entry in entries)

    assert [id for id, count in ids.items() if count > 1] == []


def test_every_function_of_substance_has_three_mistakes():
    """Catches a spec that was never tried; the small ones are listed."""
    counts = {
        (str(concept), name): sum(entry.replaces == name for entry in entries)
        for concept, entries in ENTRIES.items()
        for name in curriculum.functions(ROOT, concept)
    }
    few = {f"{concept}:{name}" for (concept, name), count in counts.items() if count < 3}

    assert few - set(KNOWN["small"]) == set()
    assert [key for key, count in counts.items() if not count] == []


def test_every_known_mistake_is_in_the_bank_or_argued_away():
    """Catches a mistake that people are known to make, forgotten."""
    ids = {entry.id for entries in ENTRIES.values() for entry in entries}
    alternates = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "solutions/alternates").rglob("*.py"))
    due = {id for directory in DIRECTORIES for id in KNOWN["due"].get(directory, [])}
    missing = {id for id in due - ids - set(KNOWN["argued"]) if id not in alternates}

    assert missing == set()
    assert set(KNOWN["argued"]) & ids == set()
