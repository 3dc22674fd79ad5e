"""The facts of a text: its words in order, how rare each is, and the values of its numbers.

Two reports with the same sentences are one story if they state the same facts, and two issues of a series if
they do not. A fact is carried by a number (also written out, or a month or a day of the week) or by a word
that is rare in the news: most often a name. Capitals are no evidence: headlines are in capitals, and most
scripts have none. Numbers are compared by value (see `number_values.py`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from dupgroups.model import Content
from dupgroups.text.hashing import Codes, Hashes, windows
from dupgroups.text.number_reader import Found, find_numbers
from dupgroups.text.number_values import Number
from dupgroups.text.sentences import DIGIT, SINGLE, WITHOUT_CASE, WORD, Kinds, plain_characters, token_spans
from dupgroups.text.sets import distinct
from dupgroups.text.word_rarity import rarities

MAX_CHARS = 100_000  # of a text that are read
RARE_WORD, RARE_CHARACTER = 4.0, 1.5  # log of pages a page that has it: one page of 55, one of 4.5
NUMBER_WEIGHT = 3.0
MANY_PAIRS = 40  # of words, from which comparing all of them at once takes less time
MIN_SIMILAR_SHARE = 0.6  # share of the letters that two forms or spellings of one word have in common
SHINGLE_WORDS, SHINGLE_HAN, SHINGLE_LETTERS = 3, 4, 8  # tokens of a shingle, as the default signers count

ARABIC_DECIMAL_SIGN = ord("ر")  # in the digits of numbers

Places = NDArray[np.intp]
CORRECTIONS = frozenset(
    "corrected correction corrects korrigiert berichtigung korrektur rectificatif corrigé "
    "corrección correção correzione rettifica correctie".split()
)
"""Words with which an agency marks a report that replaces a wrong one."""


@dataclass(frozen=True)
class Facts:
    """The facts that a text states. Each is computed once, when it is asked for."""

    text: str
    """The text as it is, after its title and a form feed if it has one."""
    source: str
    """What the words were read from: the text in its plain form, with its capitals."""
    starts: Places
    """Where each word begins in it."""
    ends: Places
    """Where each word ends in it."""
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
        known = rarities()
        return {
            token: NUMBER_WEIGHT if token[0] == "#" else known[token] for token in dict.fromkeys(self.tokens)
        }

    @cached_property
    def weight(self) -> float:
        """The sum of these weights."""
        return sum(self.weights.values())

    @cached_property
    def strange(self) -> float:
        """The share of the words that are no words of the news: names, or misread; 0 without words."""
        weights, unknown = self.weights, rarities().unknown
        return sum(weights[token] == unknown for token in self.tokens) / max(1, len(self.tokens))

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
        """A word as the text has it: "Raytheon" for "raytheon"; a word that the text lacks, as it is."""
        place = self.places.get(word)
        return word if place is None else self.source[self.starts[place] : self.ends[place]]

    @cached_property
    def places(self) -> Mapping[str, int]:
        """The first place of each word."""
        return dict(zip(reversed(self.words), range(len(self.words) - 1, -1, -1), strict=True))


def join_title(title: str, text: str) -> str:
    """A title and its text as one string, from which `read_facts` reads both; "" without a text.

    Their own form feeds, as between the pages of a PDF, become ends of lines.
    """
    title, text = (part.replace("\f", "\n") for part in (title, text))
    return f"{title}\f{text}" if title and text else text


def add_title(content: Content) -> str:
    """The text of a document with its title, as of `join_title`."""
    return join_title(content.title, content.text)


def read_facts(text: str) -> Facts:
    """The facts of a text, alone or as of `join_title`; no words for an empty one."""
    title, mark, rest = text.partition("\f") if "\f" in text else ("", "", text)
    whole = f"{title}{mark}{rest[:MAX_CHARS]}"
    source, codes, kinds = plain_characters(whole)
    folded = codes.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
    starts, ends = token_spans(kinds)
    is_single = int(np.count_nonzero(kinds & SINGLE)) * 2 > len(starts)
    if not folded.isascii():
        starts, ends = _with_digits_apart(codes, kinds, starts, ends, is_single)
    firsts, lasts = starts.tolist(), ends.tolist()
    words = [folded[start:end] for start, end in zip(firsts, lasts, strict=True)]
    digits = (kinds.take(starts) & DIGIT).nonzero()[0].tolist()
    found = find_numbers(folded, words, firsts, lasts, digits, is_single)
    starts, ends = _with_whole_numbers(folded, found, words, starts, ends)
    return Facts(
        text=whole,
        source=source,
        starts=starts,
        ends=ends,
        words=words,
        title=int(starts.searchsorted(folded.index("\f"))) if title else 0,
        numbers=_by_place(found),
        shingle=_shingle_size(folded) if is_single else SHINGLE_WORDS,
    )


def _with_digits_apart(
    codes: Codes, kinds: Kinds, starts: Places, ends: Places, is_single: bool
) -> tuple[Places, Places]:
    """Where words start and end, when digits are words of their own: beside letters without case, and beside
    all in texts without blanks. There, some write a blank between them, and others do not.
    """
    both_words = kinds[1:] & kinds[:-1] & np.uint8(WORD)
    changes = (kinds[1:] ^ kinds[:-1]) & (both_words * np.uint8(DIGIT))
    places = changes.nonzero()[0] + 1
    if len(places) and not is_single:
        letters = codes.take(places - (kinds.take(places) & DIGIT != 0))
        places = places[(letters >= WITHOUT_CASE) & (letters != ARABIC_DECIMAL_SIGN)]
    if not len(places):
        return starts, ends
    return np.sort(np.concatenate([starts, places])), np.sort(np.concatenate([ends, places]))


def _with_whole_numbers(
    folded: str, found: Sequence[Found], words: list[str], starts: Places, ends: Places
) -> tuple[Places, Places]:
    """Where words start and end, when each number is one; in `words`, too."""
    several = [number for number in found if number.end > number.first + 1]
    if not several:
        return starts, ends
    kept = np.ones(len(starts), np.bool_)
    for first, end, _ in reversed(several):
        kept[first + 1 : end] = False
        ends[first] = ends[end - 1]
        words[first:end] = (folded[starts[first] : ends[first]],)
    return starts[kept], ends[kept]


def _by_place(found: Iterable[Found]) -> dict[int, Number]:
    """The numbers by their place among the words, when each is one word."""
    numbers, fewer = {}, 0
    for first, end, number in found:
        numbers[first - fewer] = number
        fewer += end - first - 1
    return numbers


def _shingle_size(folded: str) -> int:
    return SHINGLE_LETTERS if re.search("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]", folded) else SHINGLE_HAN


def weight_of(token: str) -> float:
    """How much a token says: the logarithm of how many pages of news there are for each page that has it."""
    return NUMBER_WEIGHT if token[0] == "#" else rarities()[token]


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
    tokens, others = [*tokens], [*others]
    if len(tokens) * len(others) < MANY_PAIRS:
        return [token for token in tokens if not any(are_similar(token, other) for other in others)]
    likeness = cdist(tokens, others, scorer=Levenshtein.normalized_similarity, score_cutoff=MIN_SIMILAR_SHARE)
    unlike = [token for token, near in zip(tokens, likeness.any(axis=1).tolist(), strict=True) if not near]
    whole = {other for other in others if len(other) >= SHINGLE_WORDS}
    begun = {other[:end] for other in whole for end in range(SHINGLE_WORDS, len(other))}
    return [token for token in unlike if token not in begun and whole.isdisjoint(_beginnings(token))]


def _beginnings(token: str) -> Iterator[str]:
    return (token[:end] for end in range(SHINGLE_WORDS, len(token)))
