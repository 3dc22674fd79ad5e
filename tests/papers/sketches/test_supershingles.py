"""Supershingles know their place."""

from __future__ import annotations

import numpy as np

from dupgroups_papers.sketches.supershingles import numbered_supershingles


def test_equal_runs_at_other_places_are_other_supershingles() -> None:
    values = np.full(84, 7, np.uint64)
    assert len(np.unique(numbered_supershingles(values, 14))) == 6
