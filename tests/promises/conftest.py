"""Each promise is judged over all katas that stand; a kata that is added comes under it by being there."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tests.proof import Verdict, verdicts
from torchkatas import curriculum

ROOT = Path(__file__).parents[2]
CONCEPTS = curriculum.concepts(ROOT)


@pytest.fixture(scope="session")
def judged():
    """Verdicts of a tree of answers, run once."""

    @cache
    def judged(answers: str, *paths: str) -> list[Verdict]:
        return verdicts(ROOT, answers, *paths)

    return judged
