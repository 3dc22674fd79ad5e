"""The named ranges hold the letters of their scripts, and no character is in two of them."""

from __future__ import annotations

import unicodedata
from itertools import pairwise

import pytest

from dupgroups.text import scripts
from dupgroups.text.scripts import Range


@pytest.mark.parametrize(
    ("range_", "names"),
    [
        (scripts.KANA, ("HIRAGANA", "KATAKANA")),
        (scripts.KANA_EXTENSIONS, ("KATAKANA",)),
        (scripts.HAN, ("CJK UNIFIED",)),
        (scripts.HAN_COMPATIBILITY, ("CJK COMPATIBILITY",)),
        (scripts.HAN_BEYOND, ("CJK UNIFIED", "CJK COMPATIBILITY")),
        (scripts.HANGUL, ("HANGUL SYLLABLE",)),
        (scripts.THAI_AND_LAO, ("THAI", "LAO")),
        (scripts.MYANMAR, ("MYANMAR",)),
        (scripts.KHMER, ("KHMER",)),
    ],
)
def test_all_letters_of_a_range_are_of_its_scripts(range_: Range, names: tuple[str, ...]) -> None:
    letters = [char for char in map(chr, range(range_[0], range_[1] + 1)) if char.isalpha()]
    assert letters
    others = [char for char in letters if not unicodedata.name(char).startswith(names)]
    assert set(others) <= {"\u30fc"}  # the mark of long vowels, which hiragana and katakana share


def test_what_jieba_cuts_and_what_it_does_not_cut_are_all_letters_of_han() -> None:
    ranges = sorted([scripts.HAN_OF_JIEBA, *scripts.HAN_NOT_OF_JIEBA])
    assert all(before[1] < after[0] for before, after in pairwise(ranges))
    cut = {code for first, last in ranges for code in range(first, last + 1)}
    whole = [
        *range(scripts.HAN[0], scripts.HAN[1] + 1),
        *range(scripts.HAN_BEYOND[0], scripts.HAN_BEYOND[1] + 1),
    ]
    assert all(not chr(code).isalpha() for code in set(whole) - cut)
    assert cut <= set(whole)
