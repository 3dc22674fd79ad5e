"""Deltas: any earlier text comes back, and small changes take little space."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.text.deltas import MAX_ALIGNED_PARTS, apply_delta, make_delta
from stories import story

TEXTS = st.lists(st.sampled_from(["12", "14 ", "dead", "\n", "  ", "大桥。", "\ud800", "ü"])).map("".join)


@given(TEXTS | st.text(), TEXTS | st.text())
def test_the_earlier_text_comes_back(later: str, earlier: str) -> None:
    assert apply_delta(later, make_delta(later, earlier)) == earlier


def test_a_text_that_is_too_long_to_be_aligned_comes_back() -> None:
    later, earlier = (story(name, MAX_ALIGNED_PARTS) for name in "ba")
    assert apply_delta(later, make_delta(later, earlier)) == earlier


CHINESE = "青石县周二批准拨款4600万元修缮三座老桥，工程将于五月开始，为期两年，县长表示。" * 8


@pytest.mark.parametrize("text", [story("a"), CHINESE])
def test_a_small_change_takes_little_space(text: str) -> None:
    earlier = text.replace("4600", "4400", 1) if text == CHINESE else text.replace(" ", " nearly ", 1)
    assert earlier != text
    assert len(make_delta(text, earlier)) <= 0.12 * len(text.encode())
