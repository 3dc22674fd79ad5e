"""The facts of a text: its words in order, how rare each is, and the values of its numbers.

Two reports with the same sentences are one story if they state the same facts, and two issues of a series if
they do not. A fact is carried by a number (also written out, or a month or a day of the week) or by a word
that is rare in the news: most often a name. Numbers are compared by value (see `number_values.py`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance.Levenshtein import normalized_similarity
from rapidfuzz.process import extractOne

from dupgroups.model import Content
from dupgroups.text.day_hours import read_hours
from dupgroups.text.number_reader import Found, find_numbers
from dupgroups.text.number_values import Number
from dupgroups.text.number_words import currencies
from dupgroups.text.report_bounds import find_report
from dupgroups.text.scripts import HAN, KANA
from dupgroups.text.sentences import DIGIT, SINGLE, WITHOUT_CASE, WORD, Kinds, plain_characters, token_spans
from dupgroups.text.word_rarity import is_known, rarities, weigh

MAX_CHARS = 100_000  # of a text that are read
NUMBER_WEIGHT = 3.0
NAME_WEIGHT = 2.0  # of a word that one page of seven has: what a name weighs more
MIN_SIMILAR_SHARE = 0.6  # share of the letters that two forms or spellings of one word have in common
MIN_SHORT_FORM_LETTERS = 3  # of a word that may be the short form of another one
ARABIC_DECIMAL_SIGN = "ر"  # in the digits of numbers

Places = NDArray[np.intp]
_SENTENCE_END = re.compile(r"[.!?。！？…؟।]+")


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
    is_single: bool
    """Whether most of the words are single characters."""

    @cached_property
    def tokens(self) -> list[str]:
        """The words in one form for equal numbers: "#7.0" for "seven"."""
        tokens = list(self.words)
        for place, number in self.numbers.items():
            scale = "" if number.factor == 1 else f"x{number.factor}"
            tokens[place] = f"#{number.value or number.name or 0.0}{scale}"
        return tokens

    @cached_property
    def report(self) -> Report:
        """The part of the text that is compared."""
        return _read_report(self)


@dataclass(frozen=True)
class Report:
    """The part of a text that is compared, without its title, dateline and credit. Places are those of its
    words.
    """

    facts: Facts
    first: int
    """The place of its first word among those of the text."""
    words: Sequence[str]
    tokens: Sequence[str]
    """Its words in one form for equal numbers."""
    weights: Sequence[float]
    """The weight of each token (see `weight_of`)."""
    numbers: dict[int, Number]
    """The numbers by place."""
    bag: dict[str, float]
    """The weight of each different word that is no number."""
    title: dict[str, float]
    """Likewise, of the title, with its numbers."""
    dateline: Counter[Number]
    """How often each number comes in the dateline."""

    @cached_property
    def codes(self) -> list[int]:
        """The tokens as numbers that are equal for equal tokens of one process."""
        return [*map(hash, self.tokens)]

    @cached_property
    def has_letters(self) -> bool:
        """Whether it is in an alphabet without blanks: most of its words are single letters."""
        return self.facts.is_single and sum(map(chr(KANA[0]).__gt__, self.words)) * 2 > len(self.words)

    @cached_property
    def lengths(self) -> Places:
        """The number of characters of each word, shape (words,)."""
        return np.fromiter(map(len, self.words), np.intp, len(self.words))

    @cached_property
    def known(self) -> frozenset[str]:
        """The different tokens."""
        return frozenset(self.tokens)

    @cached_property
    def weight(self) -> float:
        """The sum of the weights of all tokens."""
        return sum(self.weights)

    @cached_property
    def weight_array(self) -> NDArray[np.float64]:
        """The weights, shape (words,)."""
        return np.array(self.weights)

    @cached_property
    def bag_weight(self) -> float:
        """The sum of the weights of the different words that are no numbers."""
        return sum(self.bag.values())

    @cached_property
    def counted(self) -> Counter[Number]:
        """How often each number comes."""
        return Counter(self.numbers.values())

    @cached_property
    def sentences(self) -> Places:
        """The place of the first word of each sentence, ascending."""
        last = self.first + len(self.words)
        starts, ends = self.facts.starts[self.first : last], self.facts.ends[self.first : last]
        marks = np.array([mark.end() for mark in _SENTENCE_END.finditer(self.facts.source)], np.intp)
        begins = marks.searchsorted(starts, "right") > marks.searchsorted(np.append(0, ends[:-1]), "right")
        begins[:1] = True
        return begins.nonzero()[0]

    def spell(self, places: Sequence[int]) -> str:
        """The text from the first to the last of these places: "Raytheon" for "raytheon"."""
        if not places:
            return ""
        start, end = self.facts.starts[self.first + places[0]], self.facts.ends[self.first + places[-1]]
        return self.facts.source[start:end]

    @cached_property
    def sentence_numbers(self) -> list[int]:
        """The number of the sentence of each word, from 0."""
        begins = np.zeros(len(self.words), np.intp)
        begins[self.sentences[1:]] = 1
        numbers: list[int] = begins.cumsum().tolist()
        return numbers

    @cached_property
    def names(self) -> frozenset[int]:
        """The places of names: rare words with a capital, rare characters, of Chinese ones those that names
        are written with, and, in scripts without capitals, words that are not known.
        """
        source, starts = self.facts.source, self.facts.starts[self.first :]
        return frozenset(
            place for place in self._rare if _may_be_name(self.words[place], source[starts[place]])
        )

    @cached_property
    def movable(self) -> frozenset[int]:
        """The places of names and, in scripts without capitals, of all rare words."""
        words = self.words
        return self.names.union(
            place for place in self._rare if len(words[place]) > 1 and words[place] == words[place].upper()
        )

    @cached_property
    def _rare(self) -> list[int]:
        """The places of rare words that are no numbers."""
        rare: list[int] = (self.weight_array > NAME_WEIGHT).nonzero()[0].tolist()
        return [place for place in rare if place not in self.numbers]


def _may_be_name(word: str, first: str) -> bool:
    """Whether a rare word, which begins with this letter in its text, may be a name or a part of one."""
    if len(word) == 1:
        return word in name_characters() or not is_known(word) or not HAN[0] <= ord(word) <= HAN[1]
    return first.isupper() or (word == word.upper() and not is_known(word))


@cache
def name_characters() -> frozenset[str]:
    """The Chinese characters that names are often written with; `dup-groups train names` lists them."""
    lines = (files("dupgroups.text") / "name_characters.txt").read_text("utf-8").splitlines()
    return frozenset("".join(line for line in lines if line[:1] != "#"))


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
    starts, ends = _with_digits_apart(folded, kinds, starts, ends, is_single)
    firsts, lasts = starts.tolist(), ends.tolist()
    words = [folded[start:end] for start, end in zip(firsts, lasts, strict=True)]
    digits = (kinds.take(starts) & DIGIT).nonzero()[0].tolist()
    found = find_numbers(folded, words, firsts, lasts, digits, is_single)
    found = read_hours(folded, firsts, lasts, found)
    starts, ends = _with_whole_numbers(folded, found, words, starts, ends)
    return Facts(
        text=whole,
        source=source,
        starts=starts,
        ends=ends,
        words=words,
        title=int(starts.searchsorted(folded.index("\f"))) if title else 0,
        numbers=_by_place(found),
        is_single=is_single,
    )


def _read_report(facts: Facts) -> Report:
    shift = facts.source.find("\f") + 1 if facts.title else 0
    bounds = find_report(facts.source[shift:])
    if facts.title and not bounds.start:  # a dateline may stand after the headline
        after = _after_headline(facts.source)
        behind = find_report(facts.source[after:])
        shift, bounds = (after, behind) if behind.start else (shift, bounds)
    dateline, first, last = facts.starts.searchsorted([shift + bound for bound in bounds]).tolist()
    tokens = facts.tokens[first:last]
    weights = weigh(tokens)
    numbers = {place - first: number for place, number in facts.numbers.items() if first <= place < last}
    bag = dict(zip(tokens, weights, strict=True))
    for place in numbers:
        weights[place] = NUMBER_WEIGHT
        bag.pop(tokens[place], None)
    return Report(
        facts=facts,
        first=first,
        words=facts.words[first:last],
        tokens=tokens,
        weights=weights,
        numbers=numbers,
        bag=bag,
        title={token: weight_of(token) for token in facts.tokens[: facts.title]},
        dateline=Counter(number for place, number in facts.numbers.items() if dateline <= place < first),
    )


def _after_headline(source: str) -> int:
    """Where a text begins after its title, and after a line that says the title again."""
    title, _, text = source.partition("\f")
    line = text.lstrip().partition("\n")[0]
    said, again = ("".join(filter(str.isalnum, part)) for part in (title, line[: 2 * len(title)]))
    is_again = said in again and len(line) < min(2 * len(title), len(text) / 2)
    return len(source) - len(text) + is_again * (text.find(line) + len(line))


def _with_digits_apart(
    folded: str, kinds: Kinds, starts: Places, ends: Places, is_single: bool
) -> tuple[Places, Places]:
    """Where words start and end, when digits are words of their own: beside letters without case, behind a
    currency, and beside all in texts without blanks. There, some write a blank between, and others do not.
    """
    both_words = kinds[1:] & kinds[:-1] & np.uint8(WORD)
    changes = (kinds[1:] ^ kinds[:-1]) & (both_words * np.uint8(DIGIT))
    places = changes.nonzero()[0] + 1
    if len(places) and not is_single:
        begins = starts[starts.searchsorted(places, "right") - 1].tolist()
        kept = [_are_apart(folded, *bounds) for bounds in zip(begins, places.tolist(), strict=True)]
        places = places[np.array(kept)]
    if not len(places):
        return starts, ends
    return np.sort(np.concatenate([starts, places])), np.sort(np.concatenate([ends, places]))


def _are_apart(folded: str, begin: int, place: int) -> bool:
    """Whether digits and the letters beside them, which meet in this place of a word, are two words."""
    is_before = folded[place].isdigit()
    letter = folded[place - is_before]
    return (
        folded[begin:place] in currencies() if letter < chr(WITHOUT_CASE) else letter != ARABIC_DECIMAL_SIGN
    )


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


def weight_of(token: str) -> float:
    """How much a token says: the logarithm of how many pages of news there are for each page that has it."""
    return NUMBER_WEIGHT if token[0] == "#" else rarities()[token]


def has_similar(word: str, others: Sequence[str]) -> bool:
    """Whether one of the others may be a word in another form, spelling or reading, or one the short form.

    >>> has_similar("qtly", ["qtrly"]), has_similar("div", ["sun", "dividend"]), has_similar("sun", ["moon"])
    (True, True, False)
    """
    if find_similar(word, others):
        return True
    long = [other for other in others if len(other) >= MIN_SHORT_FORM_LETTERS]
    is_long = len(word) >= MIN_SHORT_FORM_LETTERS
    return word.startswith((*long,)) or (is_long and any(other.startswith(word) for other in long))


def find_similar(word: str, others: Sequence[str]) -> str:
    """The one of the others that may be the word in another form or spelling; "" if none is."""
    found = extractOne(word, others, scorer=normalized_similarity, score_cutoff=MIN_SIMILAR_SHARE)
    return found[0] if found else ""
