"""The facts of a text: its words in order, how rare each is, and the values of its numbers.

Two reports with the same sentences are one story if they state the same facts, and two issues of a series if
they do not. A fact is carried by a number (also written out, or a month or a day of the week) or by a word
that is rare in the news: most often a name. Capitals are no evidence: headlines are in capitals, and most
scripts have none.

Numbers are compared by value: "12.1 mln" is 12,141,000 rounded, "17-1/2" is 17.5, "seven" is 7.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from dupgroups.text.hashing import Hashes, windows
from dupgroups.text.news_words import pages_and_words
from dupgroups.text.sentences import DIGIT, SINGLE, plain_characters, token_spans
from dupgroups.text.sets import distinct

MAX_CHARS = 100_000  # of a text that are read
RARE_WORD, RARE_CHARACTER = 4.0, 1.5  # log of pages a page that has it: one page of 55, one of 4.5
NUMBER_WEIGHT = 3.0
UNKNOWN_PAGES = 4  # a word that the list of news words lacks is on fewer than 8 pages
MIN_SIMILAR_SHARE = 0.6  # share of the letters that two forms or spellings of one word have in common
SHINGLE_WORDS, SHINGLE_HAN, SHINGLE_LETTERS = 3, 4, 8  # tokens of a shingle, as the default signers count

Places = NDArray[np.intp]
_COMPOUND = re.compile(r"\d+(?:[.,/-]\d+)+")
_FRACTION = re.compile(r"(?:(\d+)-)?(\d+)/(2|4|8|16|32|64)")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_DECIMAL = re.compile(r"(\d+(?:\.(\d+))?)[^\W\d_]*")  # with an ordinal or a unit behind it: "2nd", "7kg"
_ROUND_DIGITS = 3  # zeros at the end of a number from which it is taken to be rounded

_SMALL_NUMERALS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_WRITTEN_NUMERALS = {word: float(value) for value, word in enumerate(_SMALL_NUMERALS)} | {
    word: 10.0 * value for value, word in enumerate(_TENS, 2)
}
_HUNDRED_WORD = "hundred"
_BELOW_TEN = "|".join(_SMALL_NUMERALS[1:10])
_BELOW_HUNDRED = (
    rf"(?:(?:{'|'.join(_TENS)})(?:[ -](?:{_BELOW_TEN}))?|{'|'.join(reversed(_SMALL_NUMERALS[1:]))})"
)
_WRITTEN_OUT = re.compile(
    rf"\b(?:(?:a|{_BELOW_HUNDRED})[ -]{_HUNDRED_WORD}(?:[ -](?:and )?{_BELOW_HUNDRED})?"
    rf"|(?:{'|'.join(_TENS)})[ -](?:{_BELOW_TEN}))\b"
)
_has_tens = re.compile(rf"ty[ -](?:{_BELOW_TEN})\b").search
_MONTHS = "january february march april may june july august september october november december".split()
_DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_CALENDAR = (
    {month: f"m{number}" for number, month in enumerate(_MONTHS)}
    | {month[:3]: f"m{number}" for number, month in enumerate(_MONTHS)}
    | {"sept": "m8"}
    | {day: f"d{number}" for number, day in enumerate(_DAYS)}
)
_KANJI_DAYS, _HANGUL_DAYS = "月火水木金土日", "월화수목금토일"  # from Monday on
_ALSO_WORDS = frozenset(("may", "march", "mar", "second"))  # dates only beside a number
_DIGITS = frozenset("0123456789")
_SCALES = {
    _HUNDRED_WORD: 1e2,
    **dict.fromkeys(("thousand", "千"), 1e3),
    "万": 1e4,
    **dict.fromkeys(("mln", "million", "millions"), 1e6),
    "亿": 1e8,
    **dict.fromkeys(("bln", "bn", "billion", "billions"), 1e9),
    "trillion": 1e12,
}

CORRECTIONS = frozenset(
    "corrected correction corrects korrigiert berichtigung korrektur rectificatif corrigé "
    "corrección correção correzione rettifica correctie".split()
)
"""Words with which an agency marks a report that replaces a wrong one."""


class Number(NamedTuple):
    """A number by its value; `unit` is that of its last digit (0: exact). What is no value, such as a date, a
    score or a month, has a `name` and is equal only to the same name.
    """

    value: float
    unit: float
    name: str = ""

    def agrees(self, other: Number) -> bool:
        """Whether both may state the same value, one of them rounded to a tenth or less of it."""
        if self.name or other.name or self.value == other.value:
            return self[::2] == other[::2]
        unit = max(self.unit, other.unit)
        near = abs(self.value - other.value) <= 0.51 * unit
        return near and self.unit != other.unit and unit <= max(self.value, other.value) / 10


@dataclass(frozen=True)
class Facts:
    """The facts that a text states. Each is computed once, when it is asked for."""

    text: str
    """The text as it is, after its title and a form feed if it has one."""
    words: Sequence[str]
    """Its words, folded, the title first; single characters in scripts without blanks."""
    title: int
    """How many of them belong to the title."""
    numbers: dict[int, Number]
    """The numbers by the place of their word."""
    shingle: int
    """The number of words of a shingle."""

    @cached_property
    def tokens(self) -> list[str]:
        """The words in one form for equal numbers: "#7.0" for "seven"."""
        tokens = list(self.words)
        for place, number in self.numbers.items():
            tokens[place] = f"#{number.name or number.value}"
        return tokens

    @cached_property
    def counted(self) -> Mapping[Number, int]:
        """How often each number comes."""
        return Counter(self.numbers.values())

    @cached_property
    def weights(self) -> dict[str, float]:
        """The weight of each different token, those of the title included (see `weight_of`)."""
        known, unknown = _weights()
        return {
            token: NUMBER_WEIGHT if token[0] == "#" else known.get(token, unknown)
            for token in dict.fromkeys(self.tokens)
        }

    @cached_property
    def weight(self) -> float:
        """The sum of these weights."""
        return sum(self.weights.values())

    @cached_property
    def strange(self) -> float:
        """The share of the words that are no words of the news: names, or misread; 0 without words."""
        known = _weights()[0]
        return sum(token not in known and token[0] != "#" for token in self.tokens) / max(1, len(self.tokens))

    @cached_property
    def codes(self) -> list[int]:
        """The tokens without the title as numbers that are equal for equal tokens of one process."""
        return [hash(token) for token in self.tokens[self.title :]]

    @cached_property
    def shingles(self) -> Hashes:
        """The different shingles of the text as numbers, ascending."""
        return shingles_of(self.codes, self.shingle)

    @cached_property
    def rare_words(self) -> dict[str, float]:
        """The weights of the words that carry facts, in their order: they are rare, and no numbers."""
        least = RARE_WORD if self.shingle == SHINGLE_WORDS else RARE_CHARACTER
        return {
            token: weight for token, weight in self.weights.items() if weight >= least and token[0] != "#"
        }

    @cached_property
    def rare_weight(self) -> float:
        """The sum of their weights."""
        return sum(self.rare_words.values())

    @cached_property
    def numbers_before(self) -> Sequence[int]:
        """How many numbers there are before each word of the text, and in all of it."""
        marks = np.zeros(self.length + 1, np.intp)
        places = np.fromiter(self.numbers, np.intp, len(self.numbers)) - self.title
        marks[places[places >= 0] + 1] = 1
        counts: list[int] = marks.cumsum().tolist()
        return counts

    @property
    def length(self) -> int:
        """The number of words without the title."""
        return len(self.words) - self.title

    @property
    def is_correction(self) -> bool:
        """Whether the title or the text begins by saying so."""
        first = (*self.words[: self.title][:1], *self.words[self.title : self.title + 1])
        return not CORRECTIONS.isdisjoint(first)

    def spell(self, word: str) -> str:
        """A word as the text has it: "Raytheon" for "raytheon"."""
        start = self.text.lower().find(word)
        return self.text[start : start + len(word)] if start >= 0 else word


def join_title(title: str, text: str) -> str:
    """A title and its text as one string, from which `read_facts` reads both; "" without a text.

    Their own form feeds, as between the pages of a PDF, become ends of lines.
    """
    title, text = (part.replace("\f", "\n") for part in (title, text))
    return f"{title}\f{text}" if title and text else text


def read_facts(text: str) -> Facts:
    """The facts of a text, alone or as of `join_title`; no words for an empty one."""
    title, mark, rest = text.partition("\f") if "\f" in text else ("", "", text)
    whole = f"{title}{mark}{rest[:MAX_CHARS]}"
    codes, kinds = plain_characters(whole)
    folded = codes.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
    starts, ends = _with_whole_numbers(folded, kinds & np.uint8(DIGIT), *token_spans(kinds))
    words = [folded[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
    is_single = int(np.count_nonzero(kinds & SINGLE)) * 2 > len(words)
    return Facts(
        text=whole,
        words=words,
        title=int(starts.searchsorted(folded.index("\f"))) if title else 0,
        numbers=_numbers(words) | _weekdays(folded, words),
        shingle=_shingle_size(folded) if is_single else SHINGLE_WORDS,
    )


def _with_whole_numbers(
    folded: str, digits: NDArray[np.uint8], starts: Places, ends: Places
) -> tuple[Places, Places]:
    """Where words start and end, when "12,141,000", "17-1/2" and "twenty-five" are one word each; `digits`:
    which characters are digits.
    """
    numbers = []
    if (digits[:-2] & ~digits[1:-1] & digits[2:]).any():  # a digit, something else, and a digit
        numbers += [match.span() for match in _COMPOUND.finditer(folded)]
    if _HUNDRED_WORD in folded or _has_tens(folded):
        numbers += [match.span() for match in _WRITTEN_OUT.finditer(folded)]
    if not numbers:
        return starts, ends
    first, last = np.array(numbers).T
    at, until = starts.searchsorted(first), ends.searchsorted(last)
    whole = (starts.take(at, mode="clip") == first) & (ends.take(until, mode="clip") == last)
    kept = np.ones(len(starts), np.bool_)
    for one, two in zip(at[whole].tolist(), until[whole].tolist(), strict=True):
        kept[one + 1 : two + 1] = False
        ends[one] = ends[two]
    return starts[kept], ends[kept]


def _shingle_size(folded: str) -> int:
    return SHINGLE_LETTERS if re.search("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]", folded) else SHINGLE_HAN


def _numbers(words: Sequence[str]) -> dict[int, Number]:
    """The numbers among words, by place."""
    numbers: dict[int, Number] = {}
    written = _known_words().intersection(words)
    written |= {word for word in {*words} if not word.isalnum() and _WRITTEN_OUT.fullmatch(word)}
    places = [place for place, word in enumerate(words) if word[0] in _DIGITS or word in written]
    for place in places:
        word = words[place]
        if word in written:
            if word in _CALENDAR:
                if word not in _ALSO_WORDS or _beside_number(words, place):
                    numbers[place] = Number(0.0, 0.0, _CALENDAR[word])
            else:
                numbers[place] = _apply_scale(Number(_written_value(word), 1.0), words, place)
        else:
            numbers[place] = _apply_scale(_number(word), words, place)
    return numbers


def _weekdays(folded: str, words: Sequence[str]) -> dict[int, Number]:
    """The days of the week in Japanese and Korean, by place: a letter tells one from the other."""
    numbers: dict[int, Number] = {}
    if "曜" in folded:
        places = [place for place in range(1, len(words)) if words[place] == "曜"]
        numbers = {
            place - 1: _weekday(_KANJI_DAYS, words[place - 1])
            for place in places
            if words[place - 1] in {*_KANJI_DAYS}
        }
    if "요일" in folded:
        days = ((place, word) for place, word in enumerate(words) if word[1:3] == "요일")
        numbers |= {place: _weekday(_HANGUL_DAYS, day[0]) for place, day in days if day[0] in _HANGUL_DAYS}
    return numbers


def _weekday(days: str, letter: str) -> Number:
    return Number(0.0, 0.0, f"d{days.find(letter)}")


def _written_value(word: str) -> float:
    """
    >>> _written_value("a hundred and twenty-five")
    125.0
    """
    hundreds, has_hundred, rest = word.rpartition(_HUNDRED_WORD)
    below = sum(_WRITTEN_NUMERALS.get(part, 0.0) for part in re.split("[ -]", rest))
    return 100 * _WRITTEN_NUMERALS.get(hundreds[:-1], 1.0) + below if has_hundred else below


@cache
def _known_words() -> frozenset[str]:
    return frozenset(chain(_CALENDAR, _WRITTEN_NUMERALS))


def _beside_number(words: Sequence[str], place: int) -> bool:
    return any(
        word[0].isdigit() for word in (*words[max(0, place - 1) : place], *words[place + 1 : place + 2])
    )


def _apply_scale(number: Number, words: Sequence[str], place: int) -> Number:
    scale = _SCALES.get(words[place + 1]) if place + 1 < len(words) else None
    return number._replace(value=number.value * scale, unit=number.unit * scale) if scale else number


@lru_cache(1 << 14)
def _number(word: str) -> Number:
    """
    >>> _number("17-1/2"), _number("12,141,000").value, _number("2026-03-05").name
    (Number(value=17.5, unit=0.0, name=''), 12141000.0, '2026-03-05')
    """
    if fraction := _FRACTION.fullmatch(word):
        whole, above, below = fraction.groups("0")
        return Number(int(whole) + int(above) / int(below), 0.0)
    digits = word.replace(",", "") if _THOUSANDS.fullmatch(word) else word
    if len(digits) > 18 or not (decimal := _DECIMAL.fullmatch(digits)):
        return Number(0.0, 0.0, word)
    value, places = decimal.groups()
    zeros = 0 if places else len(value) - len(value.rstrip("0"))
    unit = 10.0 ** -len(places) if places else 10.0 ** (zeros if zeros >= _ROUND_DIGITS else 0)
    return Number(float(value), unit)


def agreeing_numbers(a: Mapping[Number, int], b: Mapping[Number, int]) -> int:
    """How many of the numbers of one text, each with how often it comes, have their own in the other one that
    agrees.
    """
    agreeing, rest, others = 0, [], []
    for number, count in a.items():
        same = min(count, b.get(number, 0))
        agreeing += same
        if same < count and not number.name:
            rest += [number] * (count - same)
    for number, count in b.items() if rest else ():
        if not number.name and count > a.get(number, 0):
            others += [number] * (count - a.get(number, 0))
    for number in rest:
        match = next((other for other in others if number.unit != other.unit and number.agrees(other)), None)
        if match:
            others.remove(match)
            agreeing += 1
    return agreeing


@cache
def _weights() -> tuple[dict[str, float], float]:
    """The weight of each word of the news, and that of all others."""
    pages, counted = pages_and_words()
    weights = {word: math.log(pages / count) for count, words in counted for word in words.split()}
    return weights, math.log(pages / UNKNOWN_PAGES)


def weight_of(token: str) -> float:
    """How much a token says: the logarithm of how many pages of news there are for each page that has it."""
    if token[0] == "#":
        return NUMBER_WEIGHT
    weights, unknown = _weights()
    return weights.get(token, unknown)


def is_known(word: str) -> bool:
    """Whether this is a word of the news."""
    return word in _weights()[0]


def shingles_of(codes: Sequence[int], size: int) -> Hashes:
    """The different shingles of tokens as numbers, ascending."""
    return distinct(windows(np.array(codes, np.int64).view(np.uint64), size))


def are_similar(a: str, b: str) -> bool:
    """Whether two words may be one word in two forms, spellings or readings, or one the short form.

    >>> are_similar("qtly", "qtrly"), are_similar("div", "dividend"), are_similar("sun", "phillips")
    (True, True, False)
    """
    short, long = (a, b) if len(a) < len(b) else (b, a)
    if len(short) >= SHINGLE_WORDS and long.startswith(short):
        return True
    return Levenshtein.normalized_similarity(a, b, score_cutoff=MIN_SIMILAR_SHARE) > 0


def without_similar(tokens: Iterable[str], others: Iterable[str]) -> list[str]:
    """The tokens that are similar to none of the others."""
    return [token for token in tokens if not any(are_similar(token, other) for other in others)]
