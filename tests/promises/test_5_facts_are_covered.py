"""Promise 5: every fact of map.toml is named by a test; that its mistakes die by it, the bank's proof says."""

from __future__ import annotations

from tests.promises.conftest import ROOT
from torchkatas import curriculum


def test_every_fact_is_named_by_a_test_of_its_directory(judged):
    """Catches a fact that nobody asks about, and an id that does not exist."""
    facts = {(directory.name, fact) for directory in curriculum.directories(ROOT) for fact in directory.facts}
    named = {(v.concept.partition("/")[0], fact) for v in judged("solutions") for fact in v.facts}

    assert facts - named == set()
    assert {fact for _, fact in named} - {fact for _, fact in facts} == set()
