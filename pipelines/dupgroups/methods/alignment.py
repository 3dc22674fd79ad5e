"""Two texts aligned word by word: what stands in place of what, and what of it was only misread.

The words are aligned by a longest common subsequence. Where both texts have words between the same words, one
was replaced by the other.

Small replacements may have been misread by a scanner or in a broken charset: words that are near in letters,
and hold no word of the news on one of the sides; single characters, in scripts in which a character is a
word. Where so many of them show that a text is damaged, it is read as the other one there: also where a
character was lost or doubled, and where a digit was, or was read as a letter or as the digit that scanners
take it for most often. Any other number stays another number.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from rapidfuzz.distance import LCSseq, Levenshtein

from dupgroups.text.facts import (
    MIN_SIMILAR_SHARE,
    SHINGLE_WORDS,
    Facts,
    shingles_of,
    without_similar,
)
from dupgroups.text.hashing import Hashes
from dupgroups.text.number_values import Number, agreeing_numbers
from dupgroups.text.word_rarity import is_known

MAX_ALIGNED = 5_000  # words of a text that are aligned
MAX_REPLACED, MAX_REPLACED_CHARACTERS = 6, 8  # words of a replacement: of longer ones both are passages
LEAST_CONTEXT, LEAST_CONTEXT_CHARACTERS = 2, 4  # words before and after a replacement that both have

MAX_MISREAD_CHARS = 60  # of what may have been misread
MAX_MISREAD_CHARACTERS = 2  # likewise, in scripts in which a character is a word
MISREAD_NUMBER = 0.5  # share of the digits and letters that a misread number keeps
CONFUSED_DIGITS = str.maketrans(
    "78", "13"
)  # most often (Rice, Nagy, Nartker: Optical Character Recognition, 1999)
_SEPARATORS = str.maketrans("", "", ".,/-")
# Share of the aligned words from which what may have been misread has been. Of 2 % of the characters misread
# are seen .02 in Chinese (.007 to .04); editors replace single characters in up to .006.
DAMAGED_WORDS, DAMAGED_CHARACTERS = 0.015, 0.008

Gap = tuple[int, int, int, int]
"""Between common words: where the other words begin and end, in the first and in the second text."""

Contradiction = tuple[tuple[str, ...], tuple[str, ...]]
"""Words of the first text, and those that the second one has in their place."""

Runs = Sequence[tuple[int, int, int]]
"""Where common words begin in the first and in the second text, and how many there are."""


@dataclass(frozen=True)
class Alignment:
    """Two texts, word by word."""

    one: Facts
    two: Facts
    runs: Runs
    """What both texts have."""
    replaced: Sequence[Gap]
    """What stands in place of each other between these, but for what was misread."""
    misread: Sequence[Gap]
    """What was misread, in a damaged text."""

    @classmethod
    def of(cls, one: Facts, two: Facts) -> Alignment:
        """Align two texts, of which the first MAX_ALIGNED words are read."""
        blocks = LCSseq.editops(one.codes[:MAX_ALIGNED], two.codes[:MAX_ALIGNED]).as_matching_blocks()
        runs = [(block.a, block.b, block.size) for block in blocks if block.size]
        replaced = [*_list_replaced(runs)]
        if not _is_damaged(one, two, runs, replaced):
            return cls(one, two, runs, replaced, ())
        misread = [gap for gap in _list_gaps(runs) if _is_misread(one, two, gap)]
        found = set(misread)
        return cls(one, two, runs, [gap for gap in replaced if gap not in found], misread)

    @property
    def damage(self) -> float:
        """The share of the words that were misread, 0 to 1, and 0 in scripts in which a character is a word:
        there all that was misread is mended, while a misread word may hide words that the other text has.
        """
        if self.one.shingle != SHINGLE_WORDS:
            return 0.0
        return len(self.misread) / max(1, sum(size for _, _, size in self.runs) + len(self.misread))

    @cached_property
    def mended_codes(self) -> list[int]:
        """The codes of the first text, as it would be if it had been read as the second one."""
        parts: list[int] = []
        start = 0
        for first, last, first_other, last_other in self.misread:
            parts += self.one.codes[start:first]
            parts += self.two.codes[first_other:last_other]
            start = last
        return parts + self.one.codes[start:]

    def mended_shingles(self) -> Hashes:
        """The shingles of the first text when it is read so."""
        return shingles_of(self.mended_codes, self.one.shingle)

    def mended_words(self) -> float:
        """The weighted resemblance of the words when the first text is read so."""
        one, two = self.one, self.two
        known = {hash(token): weight for token, weight in (two.weights | one.weights).items()}
        here = {*self.mended_codes, *map(hash, one.tokens[: one.title])}
        there = set(map(hash, two.weights))
        return _weight(here & there, known) / max(1e-9, _weight(here | there, known))

    def mended_numbers(self) -> tuple[int, int]:
        """How many numbers of the text with fewer agree with one of the other text, and how many it has, when
        the first text is read so.
        """
        numbers = Counter(self.one.counted)
        for start, end, start_other, end_other in self.misread:
            numbers.subtract(_numbers(self.one, start, end).values())
            numbers.update(_numbers(self.two, start_other, end_other).values())
        return agreeing_numbers(+numbers, self.two.counted), min(numbers.total(), len(self.two.numbers))

    def misread_rare_words(self) -> tuple[float, float]:
        """The weight of the rare words that only the first or the second text has, where one was misread."""
        ones = {word for start, end, _, _ in self.misread for word in _tokens(self.one, start, end)}
        twos = {word for _, _, start, end in self.misread for word in _tokens(self.two, start, end)}
        return _rare_weight(self.one, ones, self.two), _rare_weight(self.two, twos, self.one)

    def changed_numbers(self) -> tuple[tuple[int, int], tuple[Contradiction, ...]]:
        """How many numbers in one context differ, of how many, and which they are."""
        one, two, changed, differ = self.one, self.two, 0, []
        before, before_other = one.numbers_before, two.numbers_before
        same = sum(before[start + size] - before[start] for start, _, size in self.runs)
        for start, end, start_other, end_other in self._in_context():
            if before[start] == before[end] or before_other[start_other] == before_other[end_other]:
                continue
            here, there = _numbers(one, start, end), _numbers(two, start_other, end_other)
            agreeing = agreeing_numbers(Counter(here.values()), Counter(there.values()))
            same += agreeing
            if agreeing < min(len(here), len(there)):
                changed += min(len(here), len(there)) - agreeing
                shown = tuple(one.words[place] for place in here), tuple(two.words[place] for place in there)
                differ.append(shown)
        return (changed, changed + same), tuple(differ)

    def changed_words(self) -> tuple[float, tuple[Contradiction, ...]]:
        """The weight of rare words in place of others that the other text lacks, and which they are."""
        one, two, changed, differ = self.one, self.two, 0.0, []
        for start, end, start_other, end_other in self._in_context():
            here = _rare_words(one, _tokens(one, start, end), two)
            there = _rare_words(two, _tokens(two, start_other, end_other), one)
            weight, found = contradiction_of(here, there)
            if weight and found not in differ:
                changed += weight
                differ.append(found)
        return changed, tuple(differ)

    def _in_context(self) -> Iterator[Gap]:
        """The small replacements."""
        most = MAX_REPLACED if self.one.shingle == SHINGLE_WORDS else MAX_REPLACED_CHARACTERS
        least = LEAST_CONTEXT if self.one.shingle == SHINGLE_WORDS else LEAST_CONTEXT_CHARACTERS
        before = {start + size: size for start, _, size in self.runs}
        after = {start: size for start, _, size in self.runs}
        for gap in self.replaced:
            start, end, start_other, end_other = gap
            small = end - start <= most and end_other - start_other <= most
            if small and before[start] >= least and after[end] >= least:
                yield gap


def contradiction_of(here: dict[str, float], there: dict[str, float]) -> tuple[float, Contradiction]:
    """The weight of words that contradict each other, that of the side with less, and which they are."""
    if not here or not there:
        return 0.0, ((), ())
    one, two = without_similar(here, there), without_similar(there, here)
    return min(sum(map(here.__getitem__, one)), sum(map(there.__getitem__, two))), (tuple(one), tuple(two))


def _tokens(facts: Facts, start: int, end: int) -> Sequence[str]:
    return facts.tokens[facts.title + start : facts.title + end]


def _numbers(facts: Facts, start: int, end: int) -> dict[int, Number]:
    places = range(facts.title + start, facts.title + end)
    return {place: facts.numbers[place] for place in places if place in facts.numbers}


def _rare_words(facts: Facts, words: Sequence[str], other: Facts) -> dict[str, float]:
    """The weights of those of these words of a text that are rare and that the other text lacks."""
    rare = facts.rare_words
    return {word: rare[word] for word in words if word in rare and word not in other.weights}


def _rare_weight(facts: Facts, words: set[str], other: Facts) -> float:
    return sum(_rare_words(facts, [*words], other).values())


def _weight(codes: set[int], known: dict[int, float]) -> float:
    return sum(map(known.__getitem__, codes))


def _list_gaps(runs: Runs) -> Iterator[Gap]:
    """List what stands between the common words, in one of the texts or in both."""
    for (start, start_other, size), (end, end_other, _) in itertools.pairwise(runs):
        yield start + size, end, start_other + size, end_other


def _list_replaced(runs: Runs) -> Iterator[Gap]:
    """Where both texts have something else between two common runs."""
    return (gap for gap in _list_gaps(runs) if gap[1] > gap[0] and gap[3] > gap[2])


def _is_damaged(one: Facts, two: Facts, runs: Runs, replaced: Sequence[Gap]) -> bool:
    """Whether so much was misread that it shows. Editors replace single characters more seldom than two."""
    misread = [gap for gap in replaced if _is_misread_word(one, two, gap)]
    words = sum(size for _, _, size in runs) + len(misread)
    if one.shingle == SHINGLE_WORDS:
        return len(misread) >= DAMAGED_WORDS * words > 0
    single = sum(
        end - start == 1 == end_other - start_other for start, end, start_other, end_other in misread
    )
    return single >= DAMAGED_CHARACTERS * words > 0


def _is_misread(one: Facts, two: Facts, gap: Gap) -> bool:
    """Whether what stands there in a damaged text was misread: the numbers, and what is beside them."""
    a, b = _words(one, two, gap)
    (numbers, words), (other_numbers, other_words) = (
        _numbers_and_words(some, one.shingle) for some in (a, b)
    )
    if not numbers or not other_numbers:  # a digit may have been read as a letter, or a letter as a digit
        is_lost = one.shingle != SHINGLE_WORDS and numbers != other_numbers
        return not is_lost and _are_misread(a, b, one.shingle)
    nothing_else = not words and not other_words
    is_number = _is_misread_number(numbers, other_numbers)
    return is_number and (nothing_else or _are_misread(words, other_words, one.shingle))


def _is_misread_word(one: Facts, two: Facts, gap: Gap) -> bool:
    """Whether words or characters that are no numbers may have been misread."""
    a, b = _words(one, two, gap)
    return _are_misread(a, b, one.shingle) and not any(map(_begins_with_digit, (*a, *b)))


def _words(one: Facts, two: Facts, gap: Gap) -> tuple[Sequence[str], Sequence[str]]:
    start, end, start_other, end_other = gap
    here = one.words[one.title + start : one.title + end]
    return here, two.words[two.title + start_other : two.title + end_other]


def _numbers_and_words(words: Sequence[str], shingle: int) -> tuple[str, list[str]]:
    """Join the numbers among words, and list the others. Where characters are words, all but
    these may be a number.
    """
    is_number = str.isascii if shingle != SHINGLE_WORDS else _begins_with_digit
    return "".join(filter(is_number, words)), [word for word in words if not is_number(word)]


def _are_misread(a: Sequence[str], b: Sequence[str], shingle: int) -> bool:
    """Whether words may have been misread as the others: they are near in letters, and hold no word of the
    news on one of the sides. Characters may be misread as any other ones, if they are few.
    """
    if shingle != SHINGLE_WORDS:
        return max(len(a), len(b)) <= MAX_MISREAD_CHARACTERS
    whole, other = "".join(a), "".join(b)
    if max(len(whole), len(other)) > MAX_MISREAD_CHARS or (all(map(is_known, a)) and all(map(is_known, b))):
        return False
    return Levenshtein.normalized_similarity(whole, other, score_cutoff=MIN_SIMILAR_SHARE) > 0


def _is_misread_number(one: str, two: str) -> bool:
    """Whether a digit was lost, doubled, or read as a letter or as the digit most like it. One in place of
    any other is another number.
    """
    one, two = one.translate(_SEPARATORS), two.translate(_SEPARATORS)
    if not (_is_numeric(one) and _is_numeric(two)):
        return Levenshtein.normalized_similarity(one, two) >= MISREAD_NUMBER
    if len(one) == len(two):
        return one.translate(CONFUSED_DIGITS) == two.translate(CONFUSED_DIGITS)
    return Levenshtein.distance(one, two, score_cutoff=1) == 1


def _begins_with_digit(word: str) -> bool:
    return word[0].isdigit()


def _is_numeric(text: str) -> bool:
    return not any(map(str.isalpha, text))
