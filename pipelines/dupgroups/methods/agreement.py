"""What two texts agree on and where they contradict each other, word by word.

The words are aligned by a longest common subsequence. Where both texts have words between the same words, one
was replaced by the other: numbers with other values and rare words that are not similar contradict. What only
one of the texts has contradicts nothing: editors cut and add. Nor does what stands at the ends of a text:
datelines, bylines and credits.

Small differences may have been misread by a scanner or in a broken charset: those that are near in letters to
words of the other text, and hold no word of the news on one of the sides. Where so many of them show that a
text is damaged, it is read as the other one there.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rapidfuzz.distance import LCSseq, Levenshtein

from dupgroups.methods.verdicts.base import Signal, at_least, at_most
from dupgroups.text.facts import (
    SHINGLE_WORDS,
    SIMILAR,
    Facts,
    agreeing_numbers,
    is_known,
    shingles_of,
    without_similar,
)
from dupgroups.text.hashing import Hashes
from dupgroups.text.sets import among

# What a difference means is decided here. Measured on a newswire of 1987, a newspaper's columns, English and
# Chinese re-publications, a daily series, and on these with 2, 4 and 8 % of their characters misread.
SHORT_TOKENS = 70  # a text with fewer is short
SHORT_COPY_WORDS = 0.5  # weighted resemblance of the words of two copies of a short text
SHORT_COPY_NUMBERS = 0.84  # share of their numbers that agree
SHORT_OTHER_WORDS = 0.145  # most weight of the rare words of each that the other one does not have
SHORT_OTHER_CHARACTERS = 0.05  # likewise, in Chinese, where two characters are a name
TITLED_WORDS = 40  # of a text with fewer the title says whom it is about ...
SAME_TITLE = 0.2  # ... so at least this weighted resemblance of the titles
HEADLINE_WORDS, HEADLINE_CHARACTERS = 10, 16  # a text with fewer is a headline: a copy has the same words
EQUAL_WORDS = 0.97  # weighted resemblance of the same words, but for a marker or an article
CHANGED_NUMBERS = 0.1  # share of the numbers in one context that may differ; one always may
KEPT_NUMBERS = 0.84  # share of all numbers that must agree if any differs in its context, but for one
LEAST_NUMBERS = 0.3  # share of the numbers that must agree in any case
CHANGED_WORDS = 0.1  # weight of the rare words that may stand in place of others
OTHER_WORDS, OTHER_CHARACTERS = 0.235, 0.34  # likewise, of those that the other, undamaged text does not have
REWRITTEN_WORDS = 0.6  # weighted resemblance of the words of copies whose sentences were changed
REWRITTEN_NUMBERS = 0.8  # share of their numbers that agree
REWRITTEN_PHRASES = 0.2  # their least resemblance ...
REWRITTEN_FEW_NUMBERS = 0.36  # ... if they have not SEVERAL_NUMBERS ...
REWRITTEN_CHARACTERS = 0.37  # ... and in Chinese ...
REWRITTEN_OTHERS = 0.127  # ... where at most this weight of rare characters is that of others
SEVERAL_NUMBERS = 4

MAX_ALIGNED = 5_000  # words of a text that are aligned
ALIGNED_RESEMBLANCE, ALIGNED_WORDS, ALIGNED_NUMBERS = 0.02, 0.3, 0.6  # what has less is not aligned
MAX_REPLACED, MAX_REPLACED_CHARACTERS = 6, 8  # words of a replacement: of longer ones both are passages
LEAST_CONTEXT, LEAST_CONTEXT_CHARACTERS = 2, 4  # words before and after a replacement that both have

MAX_MISREAD_CHARS = 60  # of what may have been misread
MAX_MISREAD_TOKENS = 2  # in scripts in which a character is a word
MISREAD_NUMBER = 0.5  # share of the digits and letters that a misread number keeps
CHARACTERS_OF_A_WORD = 4  # one of them misread is enough
DAMAGED = 0.015  # share of the aligned words from which what may have been misread has been
LEAST_DAMAGE = 0.05  # from which few numbers that agree say nothing
MAX_TOLD, MAX_TOLD_WORDS = 3, 4  # contradictions that a reason names, and words of each

OTHER_NUMBERS, OTHER_NAMES = "they have other numbers", "they have other names"

Gap = tuple[int, int, int, int]
"""Between common words: where the other words begin and end, in the first and in the second text."""

Contradiction = tuple[tuple[str, ...], tuple[str, ...]]
"""Words of the first text, and those that the second one has in their place."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A fact that two copies agree on, and what is said of texts that do not."""

    signal: Signal
    otherwise: str = ""
    """A clause; "" where that alone contradicts nothing."""
    differ: Sequence[Contradiction] = ()


@dataclass(frozen=True, slots=True)
class Agreement:
    """What two texts have in common. Shares are 0 to 1; all but the contradictions are symmetric."""

    length: int = 0
    """Words of the shorter text, without its title."""
    characters: bool = False
    """Whether a character is a word in their script."""
    resemblance: float = 0.0
    """Of their shingles."""
    containment: float = 0.0
    """Share of the shingles of the text with fewer that the other one has."""
    sizes: tuple[int, int] = (0, 0)
    """Numbers of different shingles."""
    words: float = 0.0
    """Resemblance of their words, titles included, weighted by rarity."""
    numbers: tuple[int, int] = (0, 0)
    """How many numbers of the text with fewer agree with one of the other text, and how many it has."""
    changed_numbers: tuple[int, int] = (0, 0)
    """How many numbers with the same words around them differ, and how many there are."""
    changed_words: float = 0.0
    """Weight of the rare words that stand in place of others, against that of the rare words of both."""
    other_words: float = 0.0
    """Likewise, of the rare words that only one text has, wherever they stand; of a short text with its
    title, and without those that are similar."""
    titles: float = 1.0
    """Resemblance of the words of their titles, weighted by rarity; 1 if one has none."""
    damage: float = 0.0
    """Share of the words that was misread."""
    numbers_differ: tuple[Contradiction, ...] = ()
    words_differ: tuple[Contradiction, ...] = ()
    others_differ: tuple[Contradiction, ...] = ()

    @property
    def is_short(self) -> bool:
        """Whether one of the texts is so short that every word of it may be a fact."""
        return self.length < SHORT_TOKENS

    @property
    def is_headline(self) -> bool:
        """Whether one of the texts is no longer than a headline, and both are the same."""
        return self.words >= EQUAL_WORDS and self.length < (
            HEADLINE_CHARACTERS if self.characters else HEADLINE_WORDS
        )

    @property
    def is_short_copy(self) -> bool:
        """Whether two texts, of which one is short, say the same."""
        return self.words >= self._least_words

    @property
    def _least_words(self) -> float:
        is_headline = self.length < (HEADLINE_CHARACTERS if self.characters else HEADLINE_WORDS)
        return EQUAL_WORDS if is_headline else SHORT_COPY_WORDS * (1 - self.damage)

    @property
    def is_rewritten(self) -> bool:
        """Whether two texts say the same in the same words, although in other sentences."""
        several = self.numbers[1] >= SEVERAL_NUMBERS
        if self.characters:  # most of them are common to all texts of a field, so others say more
            phrases = REWRITTEN_CHARACTERS
            if not several or self.other_words > REWRITTEN_OTHERS:
                return False
        else:
            phrases = REWRITTEN_PHRASES if several else REWRITTEN_FEW_NUMBERS
        return (
            self.resemblance >= phrases * (1 - self.damage)
            and self.words >= REWRITTEN_WORDS * (1 - self.damage)
            and self.numbers_agree(REWRITTEN_NUMBERS * (1 - 2 * self.damage))
        )

    @property
    def is_settled(self) -> bool:
        """Whether two short texts are copies, or surely none, whatever may have been misread."""
        agree = self.numbers_agree(SHORT_COPY_NUMBERS) and self.other_words <= SHORT_OTHER_WORDS
        return self.words >= EQUAL_WORDS or (self.is_short_copy and agree)

    @property
    def swapped(self) -> Agreement:
        """The same with the texts in the reverse order."""
        return replace(
            self,
            sizes=self.sizes[::-1],
            numbers_differ=tuple((two, one) for one, two in self.numbers_differ),
            words_differ=tuple((two, one) for one, two in self.words_differ),
            others_differ=tuple((two, one) for one, two in self.others_differ),
        )

    @property
    def limits(self) -> tuple[Limit, ...]:
        """The facts that are compared, in the order in which they are told. Damage loosens most of them."""
        return self._limits_of_short if self.is_short else self._limits_of_long

    @property
    def _limits_of_short(self) -> tuple[Limit, ...]:
        others = (SHORT_OTHER_CHARACTERS if self.characters else SHORT_OTHER_WORDS) + self.damage
        titles = at_least("words common to their titles, by rarity", self.titles, SAME_TITLE)
        only_one = at_most("rare words that only one has", self.other_words, others)
        differ = (*self.numbers_differ, *self.others_differ)
        return (
            Limit(at_least("words common to both, by rarity", self.words, self._least_words)),
            *self._numbers_limit(SHORT_COPY_NUMBERS * (1 - self.damage), OTHER_NUMBERS, differ),
            *((Limit(titles, "their titles are about something else"),) * (self.length < TITLED_WORDS)),
            Limit(only_one, OTHER_NAMES, self.others_differ),
        )

    @property
    def _limits_of_long(self) -> tuple[Limit, ...]:
        count, compared = self.changed_numbers
        allowed = max(1, int((CHANGED_NUMBERS + self.damage / 4) * compared))
        changed = at_most("numbers in the same context that differ", count, allowed)
        in_place = at_most(
            "rare words in place of others", self.changed_words, CHANGED_WORDS + self.damage / 2
        )
        others = OTHER_CHARACTERS if self.characters else OTHER_WORDS
        only_one = at_most("rare words that only one has", self.other_words, others)
        kept, differ = KEPT_NUMBERS * (1 - self.damage / 2), self.numbers_differ
        several = self.numbers[1] >= SEVERAL_NUMBERS - 1 and self.damage <= LEAST_DAMAGE
        few = self._numbers_limit(LEAST_NUMBERS, "most of their numbers differ") if several else ()
        return (
            Limit(changed, OTHER_NUMBERS, differ),
            *(self._numbers_limit(kept, OTHER_NUMBERS, differ, but_one=True) if count else ()),
            Limit(in_place, OTHER_NAMES, self.words_differ),
            *(() if self.damage else (Limit(only_one, "they have other passages"),)),
            *(() if count else few),
        )

    def _numbers_limit(
        self, share: float, otherwise: str, differ: Sequence[Contradiction] = (), *, but_one: bool = False
    ) -> tuple[Limit, ...]:
        """This share of the numbers must agree, but for one of more than SEVERAL_NUMBERS; () without any."""
        agreeing, all_numbers = self.numbers
        least = math.ceil(share * all_numbers - (but_one and all_numbers > SEVERAL_NUMBERS))
        found = Limit(at_least("numbers that agree", agreeing, least), otherwise, differ)
        return (found,) if all_numbers else ()

    @property
    def share_of_facts(self) -> float:
        """The share of the facts in which they do not contradict each other."""
        changed, compared = self.changed_numbers
        return 1 - max(self.changed_words, self.other_words * self.is_short, changed / max(1, compared))

    @property
    def reason(self) -> str:
        """What they have in common, as the beginning of a sentence."""
        if self.is_short:
            share = f"{self.words:.0%} of their words, weighted by rarity, are common to both"
        else:
            share = (
                f"{self.resemblance:.0%} of their phrases are common to both, "
                f"{self.containment:.0%} of those of the shorter text"
            )
        agreeing, all_numbers = self.numbers
        return f"{share}, {agreeing} of {all_numbers} numbers agree" if all_numbers else share

    def contradiction(self, one: Facts, two: Facts) -> str:
        """The facts that keep two texts apart, as a clause, or "" if none does."""
        broken = (limit for limit in self.limits if limit.otherwise and not limit.signal.passed)
        return next((_told(one, two, limit) for limit in broken), "")

    def numbers_agree(self, share: float) -> bool:
        """Whether this share of the numbers of the text with fewer agrees with numbers of the other one."""
        agreeing, all_numbers = self.numbers
        return agreeing >= share * all_numbers


def _told(one: Facts, two: Facts, limit: Limit) -> str:
    """The first contradictions, as the texts spell them: "facts differ: 215.3 against 182.5, ..."."""
    differ = limit.differ[:MAX_TOLD]
    shown = [f"{_spelled(one, here)} against {_spelled(two, there)}" for here, there in differ]
    return f"facts differ: {', '.join(shown)}" if shown else limit.otherwise


def compare_facts(one: Facts, two: Facts) -> Agreement:
    """What two texts agree on. Two texts without words agree on nothing.

    They are aligned only where that may change whether they are copies, and in one order, whichever comes
    first: an alignment in reverse may be another one.
    """
    if one.text > two.text:
        return compare_facts(two, one).swapped
    common = one.weights.keys() & two.weights.keys()
    weight = sum(map(one.weights.__getitem__, common))
    shared, sizes = _shared(one.shingles, two.shingles), (len(one.shingles), len(two.shingles))
    found = Agreement(
        length=min(one.length, two.length),
        characters=one.shingle != SHINGLE_WORDS,
        resemblance=shared / max(1, sum(sizes) - shared),
        containment=shared / max(1, min(sizes)),
        sizes=sizes,
        words=weight / max(1e-9, one.weight + two.weight - weight),
        numbers=(agreeing_numbers(one.counted, two.counted), min(len(one.numbers), len(two.numbers))),
    )
    if found.is_short:
        found = replace(_with_other_words(found, one, two), titles=_titles(one, two))
        enough = found.words >= ALIGNED_WORDS and found.numbers_agree(ALIGNED_NUMBERS)
        may_be_damaged = enough and not found.characters  # two misread characters and another name look alike
        return _aligned(found, one, two) if may_be_damaged and not found.is_settled else found
    is_near = found.resemblance >= ALIGNED_RESEMBLANCE or found.words >= ALIGNED_WORDS
    return _aligned(found, one, two) if is_near else found


def _with_other_words(found: Agreement, one: Facts, two: Facts) -> Agreement:
    """With what only one of two short texts has, where they agree on enough to ask."""
    if found.words < ALIGNED_WORDS or not found.numbers_agree(ALIGNED_NUMBERS):
        here = tuple(word for word in one.rare_words if word not in two.weights)
        there = tuple(word for word in two.rare_words if word not in one.weights)
        others = ((here, there),) if here and there and found.words >= ALIGNED_WORDS else ()
        return replace(found, numbers_differ=_other_numbers(one, two), others_differ=others)
    other, differ = _contradiction(
        {word: weight for word, weight in one.rare_words.items() if word not in two.weights},
        {word: weight for word, weight in two.rare_words.items() if word not in one.weights},
    )
    return replace(
        found,
        other_words=other / (other + _rare_words(one, two)[0]) if other else 0.0,
        others_differ=(differ,) if other else (),
        numbers_differ=() if found.numbers_agree(SHORT_COPY_NUMBERS) else _other_numbers(one, two),
    )


def _titles(one: Facts, two: Facts) -> float:
    """See `Agreement.titles`."""
    a, b = set(one.tokens[: one.title]), set(two.tokens[: two.title])
    if not a or not b:
        return 1.0
    weights = one.weights | two.weights
    return sum(map(weights.__getitem__, a & b)) / max(1e-9, sum(map(weights.__getitem__, a | b)))


def _other_numbers(one: Facts, two: Facts) -> tuple[Contradiction, ...]:
    """The numbers that only one of the texts has."""
    here, there = (
        tuple(dict.fromkeys(a.words[place] for place, number in a.numbers.items() if number not in b.counted))
        for a, b in ((one, two), (two, one))
    )
    return ((here, there),) if here and there else ()


def _rare_words(one: Facts, two: Facts) -> tuple[float, float, float]:
    """The weight of the rare words that both have, and of those that only the first or the second one has."""
    common = sum(map(one.rare_words.__getitem__, one.rare_words.keys() & two.weights.keys()))
    return common, one.rare_weight - common, two.rare_weight - common


def _aligned(found: Agreement, one: Facts, two: Facts) -> Agreement:
    """With what the alignment of both texts says."""
    pair = _Aligned.of(one, two)
    if pair.misread:
        shingles = shingles_of(pair.mended, one.shingle)
        shared, size = _shared(shingles, two.shingles), len(two.shingles)
        found = replace(
            found,
            resemblance=shared / max(1, len(shingles) + size - shared),
            containment=shared / max(1, min(len(shingles), size)),
            sizes=(len(shingles), size),
            words=pair.mended_words(),
            damage=pair.damage,
        )
    if found.is_short:
        return found
    changed_numbers, numbers_differ = pair.changed_numbers()
    changed, words_differ = pair.changed_words()
    common, only_one, only_two = _rare_words(one, two)
    return replace(
        found,
        changed_numbers=changed_numbers,
        changed_words=changed / (changed + common) if changed else 0.0,
        other_words=min(only_one, only_two) / max(1e-9, min(only_one, only_two) + common),
        numbers_differ=numbers_differ,
        words_differ=words_differ,
    )


def _shared(a: Hashes, b: Hashes) -> int:
    small, large = sorted((a, b), key=len)
    return int(among(small, large).sum())


def _spelled(facts: Facts, words: Sequence[str]) -> str:
    return " ".join(map(facts.spelled, words[:MAX_TOLD_WORDS]))


@dataclass(frozen=True, slots=True)
class _Aligned:
    """Two texts, their common runs (start in both, size), what stands between these in place of each other
    (`replaced`, with enough common words around it in `within`), and what of it was misread.
    """

    one: Facts
    two: Facts
    runs: Sequence[tuple[int, int, int]]
    replaced: Sequence[Gap]
    misread: Sequence[Gap]
    damage: float

    @classmethod
    def of(cls, one: Facts, two: Facts) -> _Aligned:
        a, b = one.codes[:MAX_ALIGNED], two.codes[:MAX_ALIGNED]
        blocks = LCSseq.editops(a, b).as_matching_blocks()
        runs = [(block.a, block.b, block.size) for block in blocks if block.size]
        replaced = [*_replaced(runs)]
        misread = [gap for gap in replaced if _is_misread(one, two, gap)]
        damage = len(misread) / max(1, sum(size for _, _, size in runs) + len(misread))
        if damage < DAMAGED:
            return cls(one, two, runs, replaced, (), 0.0)
        if one.shingle != SHINGLE_WORDS:
            damage = min(1.0, CHARACTERS_OF_A_WORD * damage)
        found = set(misread)
        return cls(one, two, runs, [gap for gap in replaced if gap not in found], misread, damage)

    @property
    def mended(self) -> list[int]:
        """The codes of the first text, as it would be if it had been read as the second one."""
        parts: list[int] = []
        start = 0
        for first, last, first_other, last_other in self.misread:
            parts += self.one.codes[start:first]
            parts += self.two.codes[first_other:last_other]
            start = last
        return parts + self.one.codes[start:]

    def mended_words(self) -> float:
        """The weighted resemblance of the words when the first text is read so."""
        one, two = self.one, self.two
        known = {hash(token): weight for token, weight in (two.weights | one.weights).items()}
        here = {*self.mended, *map(hash, one.tokens[: one.title])}
        there = set(map(hash, two.weights))
        return _weight(here & there, known) / max(1e-9, _weight(here | there, known))

    def changed_numbers(self) -> tuple[tuple[int, int], tuple[Contradiction, ...]]:
        """How many numbers in one context differ, of how many, and which they are."""
        one, two, changed, differ = self.one, self.two, 0, []
        before, before_other = one.numbers_before, two.numbers_before
        same = sum(before[start + size] - before[start] for start, _, size in self.runs)
        for start, end, start_other, end_other in self._in_context():
            if before[start] == before[end] or before_other[start_other] == before_other[end_other]:
                continue
            here = [place for place in range(one.title + start, one.title + end) if place in one.numbers]
            there = [
                place
                for place in range(two.title + start_other, two.title + end_other)
                if place in two.numbers
            ]
            agreeing = agreeing_numbers(
                Counter(one.numbers[place] for place in here),
                Counter(two.numbers[place] for place in there),
            )
            same += agreeing
            shown = tuple(one.words[place] for place in here), tuple(two.words[place] for place in there)
            if agreeing < min(len(here), len(there)) and not (self.damage and _are_misread_numbers(*shown)):
                changed += min(len(here), len(there)) - agreeing
                differ.append(shown)
        return (changed, changed + same), tuple(differ)

    def changed_words(self) -> tuple[float, tuple[Contradiction, ...]]:
        """The weight of rare words in place of others that the other text lacks, and which they are."""
        one, two, changed, differ = self.one, self.two, 0.0, []
        a, b = one.tokens[one.title :], two.tokens[two.title :]
        for start, end, start_other, end_other in self._in_context():
            here = {
                token: one.rare_words[token]
                for token in a[start:end]
                if token in one.rare_words and token not in two.weights
            }
            there = {
                token: two.rare_words[token]
                for token in b[start_other:end_other]
                if token in two.rare_words and token not in one.weights
            }
            weight, found = _contradiction(here, there)
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


def _weight(codes: set[int], known: dict[int, float]) -> float:
    return sum(map(known.__getitem__, codes))


def _contradiction(here: dict[str, float], there: dict[str, float]) -> tuple[float, Contradiction]:
    """The weight of words that contradict each other: that of the side with less."""
    if not here or not there:
        return 0.0, ((), ())
    one, two = without_similar(here, there), without_similar(there, here)
    return min(sum(map(here.__getitem__, one)), sum(map(there.__getitem__, two))), (tuple(one), tuple(two))


def _replaced(runs: Sequence[tuple[int, int, int]]) -> Iterator[Gap]:
    """Where both texts have something else between two common runs."""
    for (start, start_other, size), (end, end_other, _) in itertools.pairwise(runs):
        if end > start + size and end_other > start_other + size:
            yield start + size, end, start_other + size, end_other


def _is_misread(one: Facts, two: Facts, gap: Gap) -> bool:
    a = one.words[one.title + gap[0] : one.title + gap[1]]
    b = two.words[two.title + gap[2] : two.title + gap[3]]
    if one.shingle != SHINGLE_WORDS:
        return max(len(a), len(b)) <= MAX_MISREAD_TOKENS and not any(word[0].isdigit() for word in (*a, *b))
    whole, other = "".join(a), "".join(b)
    if max(len(whole), len(other)) > MAX_MISREAD_CHARS or (_is_numeric(whole) and _is_numeric(other)):
        return False
    if all(map(is_known, a)) and all(map(is_known, b)):
        return False
    return Levenshtein.normalized_similarity(whole, other, score_cutoff=SIMILAR) > 0


def _are_misread_numbers(a: Sequence[str], b: Sequence[str]) -> bool:
    """Whether a digit was lost, doubled or read as a letter; one in place of another is another number."""
    one, two = "".join(a), "".join(b)
    if not (_is_numeric(one) and _is_numeric(two)):
        return Levenshtein.normalized_similarity(one, two) >= MISREAD_NUMBER
    return len(one) != len(two) and Levenshtein.distance(one, two, score_cutoff=1) == 1


def _is_numeric(text: str) -> bool:
    return not any(map(str.isalpha, text))
