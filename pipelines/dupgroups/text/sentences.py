"""Characters as an array: folded, classified, and cut into tokens, sentences and paragraphs.

All functions work on the code points of a whole text at once. Two tables over the basic plane map a character
to its folded form (see `dupgroups.text.plain`; simplified Han) and to its kind. Few texts have ODD
characters, which are no letters of their own (marks, ligatures, what is invisible): they become plain first.

A sentence is *anchored* when a full stop ends it. An and Cheng observed that navigation, related links and
advertisements hardly ever have full stops, and took the character before a full stop as their feature. Here
full stops decide which tokens belong to the running text, in any language.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

from dupgroups.text.hashing import Codes, Hashes, span_hashes
from dupgroups.text.plain import (
    FOLDED_CHARACTERS,
    LOOKALIKE_LETTERS,
    PLANE_SIZE,
    SERBIAN,
    VIETNAMESE,
    composing,
    expanding_letters,
    fold_character,
    ignored_characters,
    plain,
)
from dupgroups.text.scripts import ARMENIAN, FULL_STOPS, HAN, HAN_COMPATIBILITY, HEBREW, UNSPACED_RANGES

WORD, SINGLE, DIGIT, LOWER, POINT, MARK, LINE, ODD = (1 << bit for bit in range(8))
FULL, WIDEST = 0.75, 64  # without blanks: a line is full from this share of a column
# of words: with the next one a line is that full; so many lines are, or they were not wrapped; columns
FILLED, MOSTLY, LEAST, WIDEST_OF_WORDS = 0.9, 0.7, 2, 100
WITHOUT_CASE = HEBREW[0]  # most letters from here on
_TEXT_SEPARATOR = "\n\0"  # separates two texts: no letter follows the line end, so it ends every sentence

Kinds = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of one or more texts in order: words, or single characters of scripts without blanks.

    `hashes` (uint64), `sentence` (the number of the token's sentence; ascending, different in every text),
    `anchored` (whether a full stop ends the sentence) and `has_digit` have the shape (tokens,).
    Text i has the tokens from `bounds[i]` to `bounds[i + 1]`; `bounds` has the shape (texts + 1,).
    """

    hashes: Hashes
    sentence: NDArray[np.intp]
    anchored: NDArray[np.bool_]
    has_digit: NDArray[np.bool_]
    bounds: NDArray[np.intp]

    def __len__(self) -> int:
        return len(self.hashes)

    def __getitem__(self, chosen: NDArray[np.bool_]) -> Tokens:
        """The tokens where `chosen` (bool, shape (tokens,)) is true."""
        places = chosen.nonzero()[0]
        return Tokens(
            self.hashes.take(places),
            self.sentence.take(places),
            self.anchored.take(places),
            self.has_digit.take(places),
            places.searchsorted(self.bounds),
        )


def tokens(*texts: str) -> Tokens:
    """Cut texts into tokens. "" has no tokens.

    One call for many short texts is several times as fast as one call per text.

    >>> words = tokens("Menu  News. It rained 3.5 cm\\nMore")
    >>> words.sentence.tolist()
    [0, 0, 1, 1, 1, 1, 1, 2]
    >>> words.anchored.astype(int).tolist(), words.has_digit.astype(int).tolist()
    ([1, 1, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 1, 1, 0, 0])
    """
    codes, kinds = _looked_up(_TEXT_SEPARATOR.join([*texts, ""]))
    text_ends = np.array([0, *accumulate(len(text) + len(_TEXT_SEPARATOR) for text in texts)])
    if kinds.max() >= ODD:
        codes, kinds, text_ends = _plain(texts, codes, kinds, text_ends)
    starts, ends = token_spans(kinds)
    bounds, stops = _sentence_ends(codes, kinds, text_ends, (starts, ends))
    sentence = bounds.searchsorted(starts)
    has_digit = np.zeros(len(starts), np.bool_)
    has_digit[starts.searchsorted((kinds & DIGIT != 0).nonzero()[0], side="right") - 1] = True
    anchored, of_text = stops.take(sentence), starts.searchsorted(text_ends)
    return Tokens(span_hashes(codes, starts, ends), sentence, anchored, has_digit, of_text)


def _plain(
    texts: Sequence[str], codes: Codes, kinds: Kinds, text_ends: NDArray[np.intp]
) -> tuple[Codes, Kinds, NDArray[np.intp]]:
    """The same characters, but of the texts with odd ones those of the plain form."""
    holders = {*(text_ends.searchsorted((kinds >= ODD).nonzero()[0], side="right") - 1).tolist()}
    parts = [
        _looked_up(plain(text) + _TEXT_SEPARATOR)
        if number in holders
        else (codes[start:end], kinds[start:end])
        for number, (text, (start, end)) in enumerate(zip(texts, pairwise(text_ends.tolist()), strict=True))
    ]
    ends = np.array([0, *accumulate(len(part) for part, _ in parts)])
    return np.concatenate([part for part, _ in parts]), np.concatenate([part for _, part in parts]), ends


def characters(text: str) -> tuple[Codes, Kinds]:
    """Folded code points (uint16; uint32 beyond the basic plane) and kinds (uint8 flags), shape (n,) each.

    Every character of the text has its place. Those that `tokens` leaves out go on with the word before them.
    """
    codes, kinds = _looked_up(text)
    nothing = kinds == ODD
    if nothing.any():
        seen = np.maximum.accumulate(np.where(nothing, 0, np.arange(len(kinds))))
        kinds[nothing] = kinds[seen[nothing]] & WORD
    return codes, kinds


def plain_characters(text: str) -> tuple[str, Codes, Kinds]:
    """The plain form of a text, and the same of it. Most are in it, and looking up is faster than asking."""
    codes, kinds = _looked_up(text)
    if kinds.max(initial=0) >= ODD:
        text = plain(text)
        codes, kinds = characters(text)
    return text, codes, kinds


def _looked_up(text: str) -> tuple[Codes, Kinds]:
    raw = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    fold, kind = _tables()
    if len(raw) and raw.max() >= PLANE_SIZE:
        return _with_astral(raw)
    places = raw.astype(np.intp)  # otherwise `take` would convert twice
    codes, kinds = fold.take(places), kind.take(places)
    others = (codes >= LOOKALIKE_LETTERS[0]) & (codes <= LOOKALIKE_LETTERS[1])
    if others.any():  # a word of two scripts is odd
        latin = (codes >= ord("a")) & (codes <= ord("z"))
        kinds[1:][others[1:] & latin[:-1] | latin[1:] & others[:-1]] |= ODD
    return codes, kinds


def _with_astral(raw: NDArray[np.uint32]) -> tuple[Codes, Kinds]:
    fold, kind = _tables()
    places, (high,) = np.minimum(raw, PLANE_SIZE - 1).astype(np.intp), (raw >= PLANE_SIZE).nonzero()
    codes, kinds = fold.take(places).astype(np.uint32), kind.take(places)
    codes[high], kinds[high] = zip(*map(_astral, raw[high].tolist()), strict=True)
    return codes, kinds


@lru_cache(maxsize=4096)
def _astral(code: int) -> tuple[int, int]:
    """The folded form and the kind of a character beyond the basic plane, such as a bold letter."""
    if unicodedata.category(chr(code)) in ("Cf", "Mn"):  # tags and selectors
        return code, ODD
    letter = fold_character(chr(code))
    folded = letter if len(letter) == 1 else chr(code)
    return ord(folded), int(_kinds(folded)[0])


def token_spans(kinds: Kinds) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The starts and the ends of the tokens, from the kinds of the characters (see `characters`)."""
    inside = np.zeros(len(kinds) + 2, np.uint8)
    np.bitwise_and(kinds, WORD | SINGLE, out=inside[1:-1])
    before, after = inside[:-1], inside[1:]
    continues = before & after & WORD  # 1 where both characters belong to one word
    return (after > continues).nonzero()[0], (before > continues).nonzero()[0]


def _sentence_ends(
    codes: Codes, kinds: Kinds, text_ends: NDArray[np.intp], spans: tuple[NDArray[np.intp], NDArray[np.intp]]
) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Where sentences end, ascending, and whether a full stop ends them; the last character is not an end.

    A point is a full stop unless a word character follows it. A line end ends a paragraph, unless the line
    was only wrapped: a lower-case letter follows, or, beside a letter without case, the line is a full one.
    """
    places = (kinds[:-1] >= POINT).nonzero()[0]
    kind, following = kinds.take(places), kinds.take(places + 1)
    stops = (kind == MARK) | ((kind == POINT) & (following & WORD == 0))
    closes = stops | ((kind == LINE) & (following & LOWER == 0))
    lines = (kind == LINE).nonzero()[0]
    at = places.take(lines)
    without_case = _is_without_case(codes, kinds, at - 1) | _is_without_case(codes, kinds, at + 1)
    if without_case.any():
        beside = kinds.take(at - 1) | following.take(lines)  # a line end that begins a text is never full
        words = np.append(spans[1], 0).take(spans[0].searchsorted(at)) - at - 1
        closes[lines[without_case & _is_full(at, beside, words, text_ends)]] = False
    return places[closes], stops[closes]


def _is_without_case(codes: Codes, kinds: Kinds, at: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Whether these places have letters that may have no case: quotation marks are not letters."""
    late: NDArray[np.bool_] = (codes.take(at) >= WITHOUT_CASE) & (kinds.take(at) & (WORD | SINGLE) != 0)
    return late


def _is_full(
    lines: NDArray[np.intp], beside: Kinds, words: NDArray[np.intp], text_ends: NDArray[np.intp]
) -> NDArray[np.bool_]:
    """Which of the lines that end at these places are full, never the last one of a text.

    `beside`: the kinds of the characters around each end; `words`: the length of the word that begins the
    next line. Where few lines of words are full, they are items of a list.
    """
    lengths, of_text = np.diff(lines, prepend=-1), lines.searchsorted(text_ends)
    longest = np.maximum.reduceat(lengths, of_text[:-1]).repeat(np.diff(of_text))
    inside = beside & LINE == 0
    inside[of_text[1:] - 1] = False
    single = inside & (beside & SINGLE != 0)
    full: NDArray[np.bool_] = single & (lengths >= FULL * longest) & (longest <= WIDEST)
    inside &= ~single & (longest <= WIDEST_OF_WORDS)
    filled = inside & (lengths + words >= FILLED * longest)
    of_all, of_filled = (np.add.reduceat(some, of_text[:-1], dtype=np.intp) for some in (inside, filled))
    is_wrapped = (of_filled >= LEAST) & (of_filled >= MOSTLY * of_all)
    full |= filled & is_wrapped.repeat(np.diff(of_text))
    return full


@cache
def _tables() -> tuple[NDArray[np.uint16], Kinds]:
    """The folded form and the kind of every character of the basic plane, small: fresh memory is slow."""
    codes = np.arange(PLANE_SIZE, dtype=np.uint16)
    for old, new in zip(FOLDED_CHARACTERS, map(fold_character, FOLDED_CHARACTERS), strict=True):
        if new != old and len(new) == 1 and ord(new) < PLANE_SIZE:  # unlike that of `words.fold`
            codes[ord(old)] = ord(new)
    kind = _kinds([*map(chr, codes.tolist())])
    kind[[chr(code).islower() for code in range(PLANE_SIZE)]] |= LOWER
    odd = composing() | expanding_letters() | {*SERBIAN, *SERBIAN.upper(), *VIETNAMESE}
    kind[[*map(ord, odd)]] |= ODD
    kind[ARMENIAN[0] : ord("։")] |= ODD  # its full stop is typed as a colon
    kind[[*map(ord, ignored_characters())]] = ODD
    kind[ord("፡")] = ODD | LOWER  # two are a full stop
    for first, last in (HAN, HAN_COMPATIBILITY):
        han = "".join(chr(code) for code in range(first, last + 1))
        codes[first : last + 1] = [ord(character) for character in _simplify(han)]
    return codes, kind


def _simplify(han: str) -> list[str]:
    """The simplified form of each Han character on its own, independent of the word that it is in."""
    from dupgroups.text.words import simplify

    converted = simplify("\n".join(unicodedata.normalize("NFKC", han))).split("\n")
    pairs = zip(converted, han, strict=True)
    return [new if len(new) == 1 and ord(new) < PLANE_SIZE else old for new, old in pairs]


def _kinds(characters: Sequence[str]) -> Kinds:
    codes = np.array([*map(ord, characters)])
    categories = np.array([*map(unicodedata.category, characters)], "S2")
    is_letter = np.isin(categories.view("S1")[::2], (b"L", b"M"))
    kinds = np.where(is_letter | (categories.view("S1")[::2] == b"N"), WORD, 0).astype(np.uint8)
    kinds[categories == b"Nd"] |= DIGIT
    for first, last in UNSPACED_RANGES:
        kinds[is_letter & (first <= codes) & (codes <= last)] = SINGLE
    for kind, some in ((POINT, ".…"), (MARK, FULL_STOPS), (LINE, "\n\r\v\f\x85\u2028\u2029")):
        kinds[np.isin(codes, [*map(ord, some)])] = kind
    return kinds
