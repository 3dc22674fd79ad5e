"""Numerals with the words around them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dupgroups.text.numerals import agreement, numerals
from dupgroups.text.sentences import tokens


def packed(text: str, most: int = 64) -> bytes:
    return numerals(tokens(text), most)


REPORT = "The dam stood at {} per cent today, {} metres above the sea, while {} lorries passed the gate."


def test_a_text_agrees_with_itself_in_every_numeral() -> None:
    text = REPORT.format(71, 318, 12)
    assert agreement(packed(text), packed(text)) == (3, 3)


def test_other_numerals_in_the_same_words_do_not_agree() -> None:
    assert agreement(packed(REPORT.format(71, 318, 12)), packed(REPORT.format(72, 318, 15))) == (3, 1)


def test_numerals_in_other_words_say_nothing() -> None:
    other = "About 71 people came to the 318 meetings of the club in its first 12 years of life."
    assert agreement(packed(REPORT.format(71, 318, 12)), packed(other)) == (0, 0)


def test_neighbouring_numerals_do_not_hide_each_other() -> None:
    one, two = "It opened at 10 15 20 as always.", "It opened at 11 16 21 as always."
    assert agreement(packed(one), packed(two)) == (3, 0)


def test_no_numerals_no_bytes() -> None:
    assert packed("Nothing to count here.") == b""
    assert packed("") == b""


@given(st.lists(st.integers(0, 999), min_size=1, max_size=50), st.integers(1, 20))
def test_the_kept_ones_of_two_equal_lists_are_the_same(values: list[int], most: int) -> None:
    names = ["".join(chr(97 + int(digit)) for digit in str(at)) for at in range(len(values))]
    text = " ".join(f"the {name} of {value} {name} men" for name, value in zip(names, values, strict=True))
    few = packed(text, most)
    assert len(few) == 3 * min(most, len(values))
    assert agreement(few, packed(text)) == (len(few) // 3, len(few) // 3)
