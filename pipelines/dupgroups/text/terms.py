"""The terms by which a document is found: its words, and what makes other forms of a word find them.

* `words`: those of `text.words`, as they are;
* `stems`: for a word of a language with a Snowball stemmer its stem, without diacritics, with the code of the
  language, so that a stem of one language never meets a word of another ("news" is no plural in English);
  for a word of any other language the word without diacritics, if it has some;
* `pairs`: the pairs of characters of scripts without blanks.

`SIGN` is in every stem and pair and never in a word, so they can share a field with the words. Stems do not
count for relevance: a stem is rare where its language is, which says nothing about the document.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache
from itertools import filterfalse, zip_longest
from threading import Lock
from typing import ClassVar, NamedTuple

from dupgroups.text import scripts
from dupgroups.text.words import MAX_WORD_CHARS, has_han, runs, words_of_run

_WITHOUT_BLANKS = scripts.character_class(
    *(scripts.KANA, scripts.KANA_EXTENSIONS, scripts.HAN, scripts.HAN_COMPATIBILITY, scripts.HAN_BEYOND),
    *(scripts.THAI_AND_LAO, scripts.MYANMAR, scripts.KHMER),
)
_parts = re.compile(f"[{_WITHOUT_BLANKS}]+|[^{_WITHOUT_BLANKS}]+").findall
is_without_blanks = re.compile(f"[{_WITHOUT_BLANKS}]").match
has_pairs = re.compile(f"[{_WITHOUT_BLANKS}]").search
_has_cyrillic = re.compile(f"[{scripts.character_class(scripts.CYRILLIC)}]").search
_units = re.compile(r"\w\W*|\W+").findall

SIGN = "·"
MAX_KEPT_STEMS = 100_000  # words whose stems are kept

_LATIN = {
    "eu": "basque", "ca": "catalan", "cs": "czech", "da": "danish", "nl": "dutch", "en": "english",
    "eo": "esperanto", "et": "estonian", "fi": "finnish", "fr": "french", "de": "german", "hu": "hungarian",
    "id": "indonesian", "ga": "irish", "it": "italian", "lt": "lithuanian", "no": "norwegian", "pl": "polish",
    "pt": "portuguese", "ro": "romanian", "es": "spanish", "sv": "swedish", "tr": "turkish",
}  # fmt: skip
STEMMERS: tuple[tuple[tuple[scripts.Range, ...], dict[str, str]], ...] = (
    (scripts.LATIN, _LATIN),
    (scripts.GREEK, {"el": "greek"}),
    ((scripts.CYRILLIC,), {"ru": "russian", "sr": "serbian"}),
    ((scripts.ARMENIAN,), {"hy": "armenian"}),
    ((scripts.HEBREW,), {"yi": "yiddish"}),
    ((scripts.ARABIC,), {"ar": "arabic", "fa": "persian"}),
    ((scripts.DEVANAGARI,), {"hi": "hindi", "ne": "nepali"}),
    ((scripts.TAMIL,), {"ta": "tamil"}),
)
"""The scripts that have stemmers: the languages of each, with the names of their algorithms."""

_one_at_a_time = Lock()  # one stemmer must not be used by two threads at once
_SAME_STEMMER = {"nb": "no", "nn": "no"}  # Bokmål and Nynorsk are Norwegian to its stemmer
_WITHOUT_MARKS = str.maketrans("øłđıħŧ", "oldiht") | str.maketrans(
    {"æ": "ae", "œ": "oe", "þ": "th", "ð": "d"}
)
_MARKS = dict.fromkeys([*range(0x300, 0x370), *range(0x591, 0x5C8), *range(0x64B, 0x660), 0x670])


def parts(run: str) -> Iterator[tuple[str, bool]]:
    """The parts of one of `words.runs`, each with whether its script is written without blanks.

    >>> list(parts("ラーメン24h"))
    [('ラーメン', True), ('24h', False)]
    """
    if run.isascii():
        return iter([(run, False)])
    return ((part, bool(is_without_blanks(part))) for part in _parts(run))


def pairs(part: str) -> list[str]:
    """The pairs of a part of a script without blanks, and its last character; [] for "".

    >>> pairs("ラーメン"), pairs("ลัง")
    (['ラー', 'ーメ', 'メン', 'ン'], ['ลัง', 'ง'])
    """
    if part.isalnum():  # without marks
        return [part[at : at + 2] for at in range(len(part))]
    units: list[str] = _units(part)
    return [(unit + after)[:MAX_WORD_CHARS] for unit, after in zip_longest(units, units[1:], fillvalue="")]


class Terms(NamedTuple):
    """The terms of a text: words and pairs in its order, with repetitions, stems each once, as they neither
    make phrases nor count for relevance.
    """

    words: list[str]
    stems: list[str]
    pairs: list[str]


def search_terms(text: str, language: str) -> Terms:
    """The terms of a text in a language (two letters, "" if unknown); none for a text without words.

    >>> search_terms("Cafés flooded", "en")
    Terms(words=['cafés', 'flooded'], stems=['cafe·en', 'flood·en'], pairs=[])
    >>> search_terms("ラーメン", "ja")
    Terms(words=['ラーメン'], stems=[], pairs=['ラー·', 'ーメ·', 'メン·', 'ン·'])
    """
    found = runs(text)
    joined = "".join(filterfalse(str.isascii, found))
    if not (joined and (has_han(joined) or has_pairs(joined))):  # no run is cut into words or pairs
        words = (
            [run[:MAX_WORD_CHARS] for run in found]
            if max(map(len, found), default=0) > MAX_WORD_CHARS
            else found
        )
        return Terms(words, [*filter(None, dict.fromkeys(map(_stems(language).__getitem__, words)))], [])
    terms, stems = Terms([], [], []), dict[str, None]()
    for run in found:
        terms.words.extend(words_of_run(run))
        for part, without_blanks in parts(run):
            if without_blanks:
                terms.pairs.extend([pair + SIGN for pair in pairs(part)])
            elif stem := stem_of(part[:MAX_WORD_CHARS], language):
                stems[stem] = None
    return terms._replace(stems=[*stems])


def stem_of(word: str, language: str) -> str:
    """The stem of a word in a text of a language; "" if it has none.

    >>> stem_of("flooded", "en"), stem_of("café", ""), stem_of("2026", "en")
    ('flood·en', 'cafe·', '')
    """
    return _stems(language)[word]


class _Stems(dict[str, str]):
    """The stems of words in texts of a language; most words of a text are among the frequent ones of it."""

    of: ClassVar[dict[str, _Stems]] = {}

    def __init__(self, language: str) -> None:
        super().__init__()
        self._language = _SAME_STEMMER.get(language, language)

    def __missing__(self, word: str) -> str:
        if len(self) % 1_000 == 0:  # counting all takes longer than a stem
            every = list(_Stems.of.values())
            for stems in every if sum(map(len, every)) >= MAX_KEPT_STEMS else ():
                stems.clear()
        plain = word if word.isascii() else without_diacritics(word)
        if self._language in _languages(word[0]):
            stem = _stem(plain, self._language)
        else:
            stem = plain + SIGN if plain != word else ""
        self[word] = stem
        return stem


def _stems(language: str) -> _Stems:
    if language not in _Stems.of:
        _Stems.of.setdefault(language, _Stems(language))  # another thread may have been faster
    return _Stems.of[language]


def stems_of(word: str, language: str | None = None) -> list[str]:
    """The stems by which a word of a query is found: in the languages of its script, or in the given one."""
    if word.isdecimal():
        return []
    plain, languages = without_diacritics(word), _languages(word[0])
    if language is not None:
        languages = languages & {_SAME_STEMMER.get(language, language)}
    return [plain + SIGN, *(_stem(plain, code) for code in sorted(languages))]


def without_diacritics(word: str) -> str:
    """A folded word without the marks of Latin, Greek, Hebrew and Arabic letters, which many leave out.

    A Cyrillic letter with a mark is another letter, except ё; the marks of other scripts are vowels.

    >>> without_diacritics("crème"), without_diacritics("ёлкой"), without_diacritics("กำลัง") == "กำลัง"
    ('creme', 'елкой', True)
    """
    if word.isascii():
        return word
    if _has_cyrillic(word):
        return word.replace("ё", "е")
    bare = unicodedata.normalize("NFD", word).translate(_MARKS).translate(_WITHOUT_MARKS)
    return unicodedata.normalize("NFC", bare) or word


@cache
def _languages(letter: str) -> frozenset[str]:
    """The languages with a stemmer that are written in the script of a letter."""
    for ranges, languages in STEMMERS:
        if any(first <= ord(letter) <= last for first, last in ranges):
            return frozenset(languages)
    return frozenset()


def _stem(word: str, language: str) -> str:
    with _one_at_a_time:
        stem = _stemmer(language)(word)
    return f"{stem}{SIGN}{language}"


@cache
def _stemmer(language: str) -> Callable[[str], str]:
    """The stemmer of a language in STEMMERS."""
    from Stemmer import Stemmer  # only where words are searched or stored

    names = {code: name for _, languages in STEMMERS for code, name in languages.items()}
    stem: Callable[[str], str] = Stemmer(names[language], 0).stemWord  # `_Stems` keeps the stems
    return stem
