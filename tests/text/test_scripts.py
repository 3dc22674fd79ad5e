"""The named ranges of Han: no character is in two of them, and no letter in none."""

from __future__ import annotations

from itertools import pairwise

from dupgroups.text import scripts


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
