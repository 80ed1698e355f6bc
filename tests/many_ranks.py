"""Many groups of two ranks, for `nox -s bench -- repeats`: pytest collects it only where it is named."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import torch

from tests import rank_faults
from torchkatas import ranks
from torchkatas.rank import World


@pytest.mark.parametrize("number", range(int(os.environ.get("REPEATS", "1"))))
def test_two_ranks_train_to_equal_weights(number):
    """Catches a hang, and a group that now and then does not come up."""
    first, second = ranks.run(rank_faults.trained, None, World(2), {}, Path(__file__).parent)
    assert all(map(torch.equal, first, second))
