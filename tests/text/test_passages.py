"""Passages in common: where they are, how long, and that no text breaks them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.text.passages import RUN_TOKENS, Overlap, find_overlaps, shorten
from stories import running_chinese, running_text

FIRST, SECOND, THIRD = (running_text(name, 2) for name in ("quay", "pier", "mole"))
WORDS = st.lists(
    st.sampled_from("ferry barge fog quay mole ship İzmir ﬁre 3.5 1,000 火 灾 a\u0301 \u200b . \n".split(" "))
)


def test_a_passage_is_found_wherever_it_stands() -> None:
    one, other = f"{FIRST} {SECOND}", f"{SECOND} {THIRD} {FIRST}"
    (common,), (back,) = find_overlaps(one, [other]), find_overlaps(other, [one])
    assert [passage.text for passage in common.passages] == [one.rstrip(".")]
    assert 0.5 < common.share_of_other < 0.8
    assert common.share == 1
    assert common.longest == back.longest == max(len(FIRST.split()), len(SECOND.split()))


def test_a_word_that_differs_ends_a_passage() -> None:
    changed = FIRST.split()
    changed[len(changed) // 2] = "another"
    (common,) = find_overlaps(FIRST, [" ".join(changed)])
    assert len(common.passages) == 2
    assert sum(one.words for one in common.passages) == len(changed) - 1


def test_a_run_that_is_too_short_is_a_coincidence() -> None:
    some = " ".join(FIRST.split()[: RUN_TOKENS - 1])
    assert find_overlaps(f"{some} {SECOND}", [f"{THIRD} {some}"]) == [Overlap()]


def test_two_characters_of_chinese_are_a_word() -> None:
    first, second = (running_chinese(name, 2) for name in "ab")
    (common,) = find_overlaps(first + second, [second])
    (passage,) = common.passages
    assert 20 < passage.words <= len(second) / 2
    assert second[: RUN_TOKENS - 1] not in first
    (short,) = find_overlaps(second[: 2 * RUN_TOKENS - 2], [second])
    assert short == Overlap()
    (odd,) = find_overlaps(second[: 2 * RUN_TOKENS + 1], [second])
    assert odd.longest == RUN_TOKENS


def test_a_text_that_has_more_words_than_chinese_characters_is_counted_in_words() -> None:
    (common,) = find_overlaps("Fog shut 武汉市 port today", ["Again: fog shut 武汉市 port today."])
    assert common.longest == 7


@pytest.mark.parametrize("texts", [("", [""]), ("", [FIRST]), (FIRST, [""]), ("a b", ["a b"])])
def test_texts_without_runs_have_nothing_in_common(texts: tuple[str, list[str]]) -> None:
    assert find_overlaps(*texts) == [Overlap()]
    assert find_overlaps(texts[0], []) == []


@given(WORDS, st.lists(WORDS, max_size=3))
def test_what_is_common_is_in_both_and_the_shares_change_places(
    text: list[str], others: list[list[str]]
) -> None:
    whole, *rest = (" ".join(words) for words in (text, *others))
    for other, common in zip(rest, find_overlaps(whole, rest), strict=True):
        assert all(passage.text in whole and passage.words >= RUN_TOKENS for passage in common.passages)
        (back,) = find_overlaps(other, [whole])
        assert bool(back.passages) == bool(common.passages)
    assert all(
        (one.share, one.share_of_other) == (1, 1) for one in find_overlaps(whole, [whole]) if one.passages
    )


def test_a_text_is_cut_with_a_mark() -> None:
    assert [shorten(text, 6) for text in ("abcdef", "abcdefg", "abcd efg")] == ["abcdef", "abcde…", "abcd…"]
