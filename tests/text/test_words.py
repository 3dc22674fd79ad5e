"""The one cut of words: what it gives, and that engines which split at blanks keep it."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dupgroups.text.words import LONGEST, fold, search_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The BBC's U.S. report", ["the", "bbc", "s", "u", "s", "report"]),
        ("Straße ＡＢＣ ﬁn", ["strasse", "abc", "fin"]),
        ("cafe\u0301 café", ["café", "café"]),
        ("हिन्दी বাংলা தமிழ்", ["हिन्दी", "বাংলা", "தமிழ்"]),  # marks belong to their letters
        ("مُحَمَّد שָׁלוֹם", ["مُحَمَّد", "שָׁלוֹם"]),
        ("2026年3月", ["2026", "年", "3", "月"]),
        ("北京大學", ["北京", "大学", "北京大学"]),
        ("㐀𠮷abc", ["㐀", "𠮷", "abc"]),
        ("東京タワー", ["东京", "タワー"]),
        ("a\ud800b", ["a", "b"]),
        ("x" * 250, ["x" * LONGEST]),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    assert search_words(text) == words


@given(st.text())
@example("臺灣" * 50 + "\ud800")
@example("İ\u0307ǰﬃ㍿")
def test_words_survive_engines_that_split_at_blanks(text: str) -> None:
    words = search_words(text)
    assert " ".join(words).split() == words == search_words(fold(text))
    for word in words:
        assert 0 < len(word) <= LONGEST
        assert {unicodedata.category(character)[0] for character in word.replace("_", "")} <= {"L", "N", "M"}
