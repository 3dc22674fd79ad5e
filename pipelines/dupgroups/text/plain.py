"""One plain form of what is typed, encoded or set in several ways that read the same.

Letters with marks are composed, ligatures are taken apart, and what is invisible or mostly left out (soft
hyphens, vowel points, nuktas) is dropped. Serbian is read in Latin letters, Vietnamese without marks,
as it is often typed, and a letter of another script in a word is what it looks like. The tables of
`dupgroups.text.sentences` fold single characters with `fold_character`; only texts with characters that are
`composing`, `ignored_characters` or `expanding_letters`, in `SERBIAN` or `VIETNAMESE`, or with mixed words
must become `plain`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from functools import cache

import numpy as np

from dupgroups.text.scripts import (
    ARMENIAN,
    CYRILLIC,
    GREEK,
    HANGUL,
    UNSPACED_RANGES,
    Range,
    character_class,
    character_ranges,
)
from dupgroups.text.sets import firsts

PLANE_SIZE = 0x10000
# format characters that separate words (in Persian) or are seen
_VISIBLE_FORMATS = "\u200c\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u08e2"
_VOICING_MARKS = "\u3099\u309a\uff9e\uff9f"  # marks of kana, nothing where they stand alone
# joiners, fillers, selectors, tatweel, half of Thai sara am
_UNSEEN = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\u0640\u0e4d"
_SELECTORS: Range = (0xFE00, 0xFE0F)
# of Hebrew to Syriac: seldom written vowels
_POINTED_RANGES: tuple[Range, ...] = (0x590, 0x74F), (0x870, 0x8FF)
_TAGS = "\U000e0000"  # from here on
_NUKTA, _BURMESE = 7, 0x1000  # the combining class; from Burmese on it is that of tones
_SPELLING_TABLE = str.maketrans("ıىیکڪةہۃەٱʻʼ", "iييككهههها''")
# not Han and syllables, which have one form
FOLDED_CHARACTERS = [*map(chr, [*range(0x3400), *range(0xA000, HANGUL[0]), *range(0xF900, PLANE_SIZE)])]
_STOPS = {":": "։", "፡፡": "።"}  # as they are typed without their keys
_BEFORE_STOPS = frozenset(map(chr, [ord("፡"), *range(ARMENIAN[0], ARMENIAN[1] + 1)]))
_TYPED_STOP = re.compile(rf":(?<=[{character_class(ARMENIAN)}]:)(?!\w)|፡፡")

SERBIAN = "ђјљњћџ"  # letters of Serbian or Macedonian; Russian has none of them
_NOT_SERBIAN = "йщъыьэюяёіїє"  # of which all other languages that are written in Cyrillic have several
_LATIN_SPELLINGS = "a b v g d đ e ž z i j k l lj m n nj o p r s t ć u f h c č dž š".split()
_SERBIAN_LETTERS = dict(zip("абвгдђежзијклљмнњопрстћуфхцчџш", _LATIN_SPELLINGS, strict=True))
_TO_LATIN = str.maketrans(_SERBIAN_LETTERS | {a.upper(): b.title() for a, b in _SERBIAN_LETTERS.items()})
VIETNAMESE, MIN_VIETNAMESE = f"ơưƠƯ{''.join(map(chr, range(0x1EA0, 0x1EFA)))}", 0.03  # of the letters
LOOKALIKE_LETTERS: Range = (GREEK[0][0], CYRILLIC[1])  # letters that look like Latin ones
_LOOKING_LATIN = "aeopcxyisjhdABEKMHOPCTXYISJovapikuABEZHIKMNOPTYX"
_LATIN_LOOKALIKES = dict(zip("аеорсхуіѕјһԁАВЕКМНОРСТХУІЅЈοναρικυΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", _LOOKING_LATIN, strict=True))
_LOOKALIKES = frozenset(map(chr, range(LOOKALIKE_LETTERS[0], LOOKALIKE_LETTERS[1] + 1)))
_LOOKALIKE_CLASS = f"[{character_class(LOOKALIKE_LETTERS)}]"
_MIXED_LETTERS = re.compile(f"[A-Za-z]{_LOOKALIKE_CLASS}|{_LOOKALIKE_CLASS}[A-Za-z]")
_RETYPED_CHARS = frozenset(SERBIAN + VIETNAMESE)
_LOOKS = {b: a for a, b in _LATIN_LOOKALIKES.items()}
_LATIN_OF = str.maketrans(_LATIN_LOOKALIKES)
_CYRILLIC_OF = {ord(b): a for a, b in reversed(_LATIN_LOOKALIKES.items()) if a > "Ͽ"}


def plain(text: str) -> str:
    """The text in its plain form, equal for texts that differ in their Unicode form only.

    >>> plain("cafe\\u0301, of\\ufb01ce, co\\u00adoperate")
    'café, office, cooperate'
    """
    if text.isascii():
        return text
    # most texts have none of what the patterns look for, or few: to replace is faster
    letters = _letters(text)
    if not letters.isdisjoint(composing()):
        text = _parts().sub(_compose, text)
        letters |= {*text}
    for letter in letters & expanding_letters():
        folded = fold_character(letter)
        text, letters = text.replace(letter, folded), letters | {*folded}
    if not letters.isdisjoint(_BEFORE_STOPS):
        text = _TYPED_STOP.sub(lambda typed: _STOPS[typed[0]], text)
    for letter in letters & ignored_characters():
        text = text.replace(letter, "")
    if max(letters) >= _TAGS:
        text = _ignored_pattern().sub("", text)
    if not letters.isdisjoint(_LOOKALIKES):
        text = _one_script(text)
    return text if letters.isdisjoint(_RETYPED_CHARS) else _as_typed(text)


def _letters(text: str) -> set[str]:
    """The different characters: sorting takes half the time of a set of all, each of which would be made."""
    codes = np.sort(np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4"))
    return {*map(chr, codes[firsts(codes)].tolist())}


def _as_typed(text: str) -> str:
    """A text in Serbian or Vietnamese in the letters that every reader can type, any other as it is.

    One letter of Serbian is enough: short texts have few, and with another headline another share of them.
    """
    serbian, vietnamese = _count(text, SERBIAN), _count(text, VIETNAMESE)
    if serbian > _count(text, _NOT_SERBIAN):
        return text.translate(_TO_LATIN)
    if vietnamese and vietnamese >= MIN_VIETNAMESE * sum(map(str.isalpha, text)):
        parts = unicodedata.normalize("NFD", text.replace("đ", "d").replace("Đ", "D"))
        return unicodedata.normalize("NFC", re.sub("(?<=[A-Za-z])[\u0300-\u036f]+", "", parts))
    return text


def _one_script(text: str) -> str:
    """The text with the words that mix Latin letters with others like these in one of both scripts."""
    if not _MIXED_LETTERS.search(text):
        return text
    own = re.findall("[A-Za-z]", text), re.findall(_LOOKALIKE_CLASS, text)
    latin, others = (sum(letter not in _LATIN_LOOKALIKES | _LOOKS for letter in letters) for letters in own)
    table = _LATIN_OF if latin >= others else _CYRILLIC_OF
    return re.sub(r"\w+", lambda word: _of_one_script(word[0], table), text)


def _of_one_script(word: str, table: dict[int, str]) -> str:
    """
    >>> _of_one_script("c\u0430fe", str.maketrans({"\u0430": "a"}))
    'cafe'
    """
    whole = word.translate(table)
    return word if _MIXED_LETTERS.search(whole) or (table is _CYRILLIC_OF and word.isascii()) else whole


def _count(text: str, letters: Collection[str]) -> int:
    return sum(map(text.count, letters))


def fold_character(character: str) -> str:
    """The plain form of one character without regard to case: "" if it is nothing, some are several letters.

    >>> [fold_character(character) for character in "Éﬁ٣أ\\u200b"]
    ['é', 'fi', '3', 'ا', '']
    """
    every, ignored = unicodedata.normalize("NFKD", character), ignored_characters()
    parts = "".join(part for part in every if part in _VOICING_MARKS or part not in ignored)
    if parts and GREEK[0][0] <= ord(parts[0]) <= GREEK[0][1]:
        parts = parts[0]  # capitals have no accents
    small = unicodedata.normalize("NFC", unicodedata.normalize("NFC", parts).casefold())
    if small.isdecimal():
        return "".join(str(unicodedata.decimal(digit)) for digit in small)
    return small.replace("i\u0307", "i").translate(_SPELLING_TABLE)


@cache
def ignored_characters() -> frozenset[str]:
    """The characters that are left out."""
    return frozenset(filter(_is_nothing, FOLDED_CHARACTERS))


@cache
def composing() -> frozenset[str]:
    """The marks and letters that may make one letter with what is before them."""
    marks = {mark for parts in _decompositions() for mark in parts[1:]} - ignored_characters()
    return frozenset({*marks, *_VOICING_MARKS} - {"\u102e"})  # Burmese: each character is a token


@cache
def expanding_letters() -> frozenset[str]:
    """The letters that are several ones when they are folded."""
    is_unspaced = re.compile(f"[{character_class(*UNSPACED_RANGES)}]").match  # there, each letter is a token
    words = (some for some in FOLDED_CHARACTERS if _is_letter(some) and not is_unspaced(some))
    folded = ((some, fold_character(some)) for some in words)
    return frozenset(some for some, parts in folded if len(parts) > 1 and all(map(_is_letter, parts)))


def _is_nothing(character: str) -> bool:
    code, category = ord(character), unicodedata.category(character)
    if category == "Mn" and character not in _VOICING_MARKS:
        is_nukta = unicodedata.combining(character) == _NUKTA and code < _BURMESE
        seldom = is_nukta or any(first <= code <= last for first, last in (*_POINTED_RANGES, _SELECTORS))
        return seldom or character in _UNSEEN
    return character in _VOICING_MARKS + _UNSEEN or (category == "Cf" and character not in _VISIBLE_FORMATS)


def _is_letter(character: str) -> bool:
    return unicodedata.category(character)[0] in "LM"


def _decompositions() -> list[str]:
    every = [*FOLDED_CHARACTERS, *map(chr, range(HANGUL[0], HANGUL[1] + 1))]
    return [parts for character in every if len(parts := unicodedata.normalize("NFD", character)) > 1]


@cache
def _parts() -> re.Pattern[str]:
    before = {unicodedata.normalize("NFC", parts[:-1])[-1] for parts in _decompositions()} | {"i"}
    before |= {*map(chr, range(0xFF66, 0xFF9E))}  # kana of half the width
    return re.compile(f"[{_class(before)}][{_class(composing())}]+|[{_class(expanding_letters())}]")


@cache
def _ignored_pattern() -> re.Pattern[str]:
    return re.compile(f"[{_class(ignored_characters())}\U000e0000-\U000e0fff]+")


def _compose(parts: re.Match[str]) -> str:
    whole = unicodedata.normalize("NFC", parts[0])
    return whole if len(whole) == 1 < len(parts[0]) else fold_character(whole)


def _class(characters: frozenset[str] | set[str]) -> str:
    return "".join(character_ranges(sorted(map(ord, characters))))
