"""Joins of similar sets: all pairs, without comparing all pairs."""

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dupgroups_papers.sketches.similarity_join import similar_pairs

bags = st.lists(st.sets(st.integers(0, 25), max_size=14), max_size=14)


@given(bags, st.floats(0.01, 1.0) | st.sampled_from([0.1, 0.2, 0.25, 0.5, 2 / 3, 0.75, 0.9, 1.0]))
def test_all_similar_pairs_are_found_and_no_others(made: list[set[int]], threshold: float) -> None:
    sets = [np.array(sorted(members), np.uint32) for members in made]
    truth = {
        (i, j, len(made[i] & made[j]) / len(made[i] | made[j]))
        for i, j in combinations(range(len(made)), 2)
        if made[i] and made[j] and len(made[i] & made[j]) / len(made[i] | made[j]) >= threshold
    }
    found = list(similar_pairs(sets, threshold))
    assert len(found) == len(set(found))
    assert set(found) == truth
