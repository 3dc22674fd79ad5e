"""The terms of texts: words, stems and pairs, and that engines which split at blanks keep them."""

import unicodedata
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dupgroups.text.terms import SIGN, STEMMERS, search_terms, stem_of, stems_of, without_diacritics
from dupgroups.text.words import MAX_WORD_CHARS, fold, search_words

LANGUAGES = sorted(code for _, languages in STEMMERS for code in languages)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "flood floods flooded flooding"),
        ("de", "überschwemmung überschwemmungen"),
        ("fr", "élections élection elections"),
        ("ru", "электростанция электростанции электростанций"),
        ("el", "ειδήσεις ειδησεισ"),
        ("no", "avis aviser avisen"),
    ],
)
def test_forms_of_a_word_share_a_stem(language: str, words: str) -> None:
    assert len(search_terms(words, language).stems) == 1
    for word in search_words(words):
        assert stem_of(word, language) in stems_of(word)


@pytest.mark.parametrize(
    ("word", "plain"),
    [
        ("crème", "creme"), ("łódź", "lodz"), ("ёлкой", "елкой"), ("йод", "йод"), ("ειδήσεις", "ειδησεις"),
        ("مُحَمَّد", "محمد"), ("हिन्दी", "हिन्दी"), ("สวัสดี", "สวัสดี"), ("한국", "한국"), ("ガス", "ガス"),
    ],
)  # fmt: skip
def test_diacritics_are_folded_where_they_are_no_letters(word: str, plain: str) -> None:
    assert without_diacritics(word) == plain


@given(st.text(), st.sampled_from([*LANGUAGES, "", "zh", "xx"]))
def test_terms_survive_engines_that_split_at_blanks(text: str, language: str) -> None:
    terms = search_terms(text, language)
    assert terms.words == search_words(text)
    for kind in (terms.stems, terms.pairs):
        assert " ".join(kind).split() == kind
        assert all(SIGN in term and term[0] != SIGN and '"' not in term for term in kind)
        assert all(len(term) <= 2 * MAX_WORD_CHARS for term in kind)
    assert not any(SIGN in word for word in terms.words)


def test_stemmers_are_used_by_many_threads_at_once() -> None:
    words = [f"flooding{n}ing" for n in range(300)]
    expected = [stem_of(word, "en") for word in words]
    with ThreadPoolExecutor(8) as pool:
        for stems in pool.map(lambda _: [stem_of(word, "en") for word in words], range(16)):
            assert stems == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The BBC's U.S. report", ["the", "bbc", "s", "u", "s", "report"]),
        ("Straße ＡＢＣ\nThe end\nﬁn", ["strasse", "abc", "the", "end", "fin"]),
        ("cafe\u0301 café", ["café", "café"]),
        ("हिन्दी বাংলা தமிழ்", ["हिन्दी", "বাংলা", "தமிழ்"]),  # marks belong to their letters
        ("مُحَمَّد שָׁלוֹם", ["مُحَمَّد", "שָׁלוֹם"]),
        ("2026年3月", ["2026", "年", "3", "月"]),
        ("北京大學", ["北京", "大学", "北京大学"]),
        ("㐀𠮷abc", ["㐀", "𠮷", "abc"]),
        ("東京タワー", ["东京", "タワー"]),
        ("a\ud800b", ["a", "b"]),
        ("x" * 250, ["x" * MAX_WORD_CHARS]),
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
        assert 0 < len(word) <= MAX_WORD_CHARS
        assert {unicodedata.category(character)[0] for character in word.replace("_", "")} <= {"L", "N", "M"}
