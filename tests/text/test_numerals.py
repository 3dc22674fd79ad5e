"""Numerals with the words around them."""

from __future__ import annotations

import pytest

from dupgroups.text.numerals import agreement, bounded_numerals
from dupgroups.text.sentences import tokens


def packed(text: str, most: int = 64) -> bytes:
    return bounded_numerals(tokens(text), most)[0]


REPORT = "The dam stood at {} per cent today, {} metres above the sea, while {} lorries passed the gate."


@pytest.mark.parametrize(
    ("one", "two", "agreeing"),
    [
        (REPORT.format(71, 318, 12), REPORT.format(71, 318, 12), (3, 3)),
        (REPORT.format(71, 318, 12), REPORT.format(72, 318, 15), (3, 1)),
        (REPORT.format(71, 318, 12), "About 71 people came to the 318 meetings.", (0, 0)),  # in other words
        # neighbours do not hide each other
        ("It opened at 10 15 20 as always.", "It opened at 11 16 21 as always.", (3, 0)),
        ("Nothing to count here.", "", (0, 0)),
    ],
)
def test_how_many_numerals_stand_in_the_same_words_and_agree(
    one: str, two: str, agreeing: tuple[int, int]
) -> None:
    assert agreement(packed(one), packed(two)) == agreeing
