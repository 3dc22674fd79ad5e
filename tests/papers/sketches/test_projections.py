"""Bits of random projections: they differ as the angle between the texts does."""

from __future__ import annotations

import random
from collections import Counter
from math import acos, pi, sqrt

import numpy as np
import pytest

from dupgroups.text.hashing import mix
from dupgroups_papers.sketches.projections import distance, project, widen


@pytest.mark.parametrize("kept", [0, 0.3, 0.7, 0.95, 1])
def test_bits_differ_as_the_angle_between_the_texts(kept: float) -> None:
    """Charikar: a bit differs with chance angle / pi. Mean of 40 pairs within four standard errors."""
    rng = random.Random(int(100 * kept))
    shares, truths = [], []
    for _ in range(40):
        one = [rng.randrange(2000) for _ in range(300)]
        two = [word if rng.random() < kept else rng.randrange(2000, 4000) for word in one]
        bits = [project(widen(mix(np.array(words, np.uint64) + np.uint64(1)), 6)) for words in (one, two)]
        shares.append(distance(*bits) / 384)
        a, b = Counter(one), Counter(two)
        dot = sum(a[word] * b[word] for word in a)
        norms = sqrt(sum(x * x for x in a.values()) * sum(x * x for x in b.values()))
        truths.append(acos(min(1.0, dot / norms)) / pi)
    # the majority of a finite sum is only nearly normal, and ties count as zeros
    error = 4 * sqrt(0.25 / (384 * 40)) + 0.01
    assert float(np.mean(shares)) == pytest.approx(float(np.mean(truths)), abs=error)
