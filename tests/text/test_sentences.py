"""Tokens and shingles: what counts as one token, which sentences count, and hashes that never change."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.text.sentences import tokens
from dupgroups.text.shingles import bounded_shingles


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("The Quick FOX", "the quick fox"),
        ("don’t “stop”", 'don\'t "stop"'),
        ("ＡＢＣ１２", "abc12"),
        ("臺灣大學", "台湾大学"),
    ],
)
def test_what_readers_take_as_the_same_gives_the_same_tokens(one: str, two: str) -> None:
    assert tokens(one).hashes.tolist() == tokens(two).hashes.tolist()


@pytest.mark.parametrize(
    ("text", "count"),
    [("", 0), ("...", 0), ("two words", 2), ("中文 text", 3), ("สวัสดี", 6), ("한국어 텍스트", 2), ("𠀀𠀁", 2)],
)
def test_words_where_they_are_spaced_characters_elsewhere(text: str, count: int) -> None:
    assert len(tokens(text)) == count


def test_where_sentences_end() -> None:
    dots = tokens("It cost 3.5 on example.com. Then more.")
    assert dots.sentence.tolist() == [0] * 7 + [1, 1], "a point where a word goes on ends none"
    assert tokens("the rain\nfell.").sentence.tolist() == [0, 0, 0], "a wrapped line goes on"
    assert tokens("Menu\nThe rain fell.").sentence.tolist() == [0, 1, 1, 1], "and a new paragraph does not"


def test_full_lines_of_chinese_go_on_and_titles_do_not() -> None:
    lines = ["大雨不止", "昨天下午一场大雨落在了本市南部", "的几个村子里，多数道路被水淹没"]
    texts = ["\n".join([*lines, "。学校停课"]), lines[1], "\n".join(lines)]
    wrapped = tokens(*texts)
    ends = [len(tokens(line)) for line in [*lines, ""]]
    assert np.bincount(wrapped.sentence).tolist()[:3] == [4, ends[1] + ends[2], 4]
    assert [wrapped.sentence[start] for start in wrapped.bounds[:-1]] == [0, 3, 4], (
        "a text ends its last line"
    )


@given(st.text(max_size=60), st.integers(1, 5))
def test_no_text_breaks_them_and_there_are_as_many_as_fit(text: str, size: int) -> None:
    found = tokens(text)
    lengths = np.bincount(found.sentence) if len(found) else np.zeros(0, int)
    assert len(bounded_shingles(found, size)[0]) == np.maximum(lengths - size + 1, 0).sum()


def test_hashes_are_what_they_always_were() -> None:
    """Stored signatures live on these values: another one here needs another version in every scheme."""
    assert tokens("the 中 fox").hashes.tolist() == [0x5C6F421718CDCEF9, 0x4E2D, 0x4202EFBEE335DC39]
    shingles = bounded_shingles(tokens("the quick brown fox"), 3)[0]
    assert shingles.tolist() == [0xF2AA80E7B6E690B0, 0x89081637515EF73A]
