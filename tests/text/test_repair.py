"""Misread characters, and what is not misread."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from dupgroups.text.repair import read_alike
from stories import FUNCTION_WORDS, misread, running_text

TEXT = running_text("a", 8)


@given(st.text("ab .1", max_size=30), st.text("ab .1", max_size=30))
def test_the_order_of_two_texts_does_not_matter_and_one_of_them_stays(a: str, b: str) -> None:
    one, two = read_alike(a, b)
    assert read_alike(b, a) == (two, one)
    assert a == one or b == two


def test_what_scanners_and_narrow_columns_leave_is_repaired() -> None:
    words = TEXT.split(" ")
    run_on = "".join(f"{word}{' ' * (place % 3 > 0)}" for place, word in enumerate(words)).rstrip()
    for other in (misread(TEXT, "b"), run_on, TEXT.replace("ar", "a-\nr")):
        one, two = read_alike(TEXT, other)
        assert one == two


def test_what_editors_change_stays() -> None:
    other = TEXT.replace(" said ", " announced ").replace(".", ". Reprinted with permission.", 1)
    assert read_alike(TEXT, other) == (TEXT, other)


def test_a_misread_digit_is_repaired_and_the_numbers_of_another_day_are_not() -> None:
    rng = random.Random(1)
    words = enumerate(TEXT.split())
    report = " ".join(f"{rng.choice(FUNCTION_WORDS)} {place * 37 + 11} {word}" for place, word in words)
    hit = misread(report, "b")
    assert len(set(read_alike(report, hit))) == 1
    other_day = misread(report.translate(str.maketrans("123", "456")), "b")
    assert read_alike(report, other_day) == (report, other_day)
