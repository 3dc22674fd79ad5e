"""Which pairs are drawn: evenly over bins, the same ones by the same seed."""

from __future__ import annotations

from collections import Counter

import pytest

from dupgroups_lab.labelling.phrases import jaccard, phrases, sharing_pairs
from dupgroups_lab.labelling.sampling import bin_of, even_over_bins

# nine of ten pairs are almost different, as in any collection
VALUES = {(f"{number:03}", "x"): 0.01 if number % 10 else number / 1000 for number in range(1000)}


def test_bins_get_equal_numbers_as_far_as_there_are_pairs() -> None:
    drawn = even_over_bins(VALUES, 100, seed=0)
    assert len(drawn) == len(set(drawn)) == 100
    assert Counter(bin_of(VALUES[ids]) for ids in drawn) == dict.fromkeys(range(10), 10)


def test_a_seed_draws_the_same_pairs_in_any_order_of_candidates() -> None:
    drawn = even_over_bins(VALUES, 50, seed=7)
    assert drawn == even_over_bins(dict(reversed(VALUES.items())), 50, seed=7)
    assert drawn != even_over_bins(VALUES, 50, seed=8)


def text(*sentences: int) -> str:
    return " ".join(" ".join(f"w{number}x{word}" for word in range(20)) for number in sentences)


def test_pairs_share_a_phrase_of_the_window_and_have_their_jaccard() -> None:
    # 0 is in all documents, 1 in two of ten, every other sentence in one
    texts = [text(0, 1, 2), text(0, 1, 3), *(text(0, number) for number in range(4, 12))]
    ids = [f"d{number}" for number in range(10)]
    hashed = [phrases(written) for written in texts]
    found = sharing_pairs(ids, hashed, 100, seed=0, window=(0.2, 0.85))
    assert set(found) == {("d0", "d1")}
    assert found["d0", "d1"] == pytest.approx(jaccard(hashed[0], hashed[1]))
    assert len(sharing_pairs(ids, hashed, 100, seed=0, window=(0.0, 0.85))) == 45
    assert len(sharing_pairs(ids, hashed, 7, seed=0, window=(0.0, 0.85))) == 7
