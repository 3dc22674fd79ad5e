"""The agreements and contradictions of two texts, word by word.

The words are aligned (`dupgroups.methods.alignment`). Where both texts have words between the same words, one
was replaced by the other: numbers with other values and rare words that are not similar contradict. What only
one of the texts has contradicts nothing: editors cut and add. Nor does what stands at the ends of a text:
datelines, bylines and credits. A damaged text is compared as it would be without what was misread.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from dupgroups.methods.alignment import Alignment, Contradiction, contradiction_of
from dupgroups.methods.signals import Signal, at_least, at_most
from dupgroups.text.facts import (
    CORRECTIONS,
    SHINGLE_WORDS,
    Facts,
    agreeing_numbers,
)
from dupgroups.text.hashing import Hashes
from dupgroups.text.opposites import opposites
from dupgroups.text.scripts import DEVANAGARI, HANGUL
from dupgroups.text.sets import is_among

# What a difference means is decided here. Measured on a newswire of 1987, a newspaper's columns, English and
# Chinese re-publications, a daily series, and on these with 2, 4 and 8 % of their characters misread.
SHORT_TOKENS = 70  # a text with fewer is short
SHORT_COPY_WORDS = 0.5  # weighted resemblance of the words of two copies of a short text
SHORT_COPY_NUMBERS = 0.84  # share of their numbers that agree
SHORT_OTHER_WORDS = 0.145  # most weight of the rare words of each that the other one does not have
SHORT_OTHER_CHARACTERS = 0.05  # likewise, in Chinese, where two characters are a name
SHORT_OTHER_FOREIGN = 0.035  # likewise, where every word seems to be rare: one word of 27 ...
NAME, SHORT_WORD = 3.0, 4  # ... but a name weighs more, and what has fewer letters than a word nothing
MIN_FOREIGN_SHARE = 0.4  # share of the words that the news do not have, from which it is so
TITLED_WORDS = 40  # of a text with fewer the title says whom it is about ...
SAME_TITLE = 0.2  # ... so at least this weighted resemblance of the titles, and both begin with the same name
SENT_AGAIN_TITLE, SENT_AGAIN_NUMBERS = 0.49, 10  # with such titles, and a correction or so many numbers ...
SENT_AGAIN_WORDS = 0.33  # ... SHORT_OTHER_WORDS may be more: notes below figures are written anew
HEADLINE_WORDS, HEADLINE_CHARACTERS = 10, 16  # a text with fewer is a headline: a copy has the same words
EQUAL_WORDS = 0.97  # weighted resemblance of the same words, but for a marker or an article
OTHERWISE_WORDS = 0.75  # what resembles less is said in other words
FEW_TOKENS = 2 * SHORT_TOKENS  # in a text with fewer, a name that comes again is its subject
CHANGED_NUMBERS = 0.1  # share of the numbers in one context that may differ; one always may
CHANGED_MENDED_NUMBERS = 0.03  # likewise in Chinese, where what was misread is mended
KEPT_NUMBERS = 0.84  # share of all numbers that must agree if any differs in its context, but for one
LEAST_NUMBERS = 0.3  # share of the numbers that must agree in any case ...
LEAST_MANY_NUMBERS, MANY_NUMBERS = 0.75, 30  # ... and in Chinese, of a report with so many
CHANGED_WORDS = 0.1  # weight of the rare words that may stand in place of others
OTHER_WORDS, OTHER_CHARACTERS = 0.235, 0.34  # likewise, of those that the other, undamaged text does not have
LESS_OTHER_WORDS = 0.045  # of a text that is hardly no longer short; nothing of one of twice that length
REWRITTEN_WORDS = 0.6  # weighted resemblance of the words of copies whose sentences were changed
REWRITTEN_NUMBERS = 0.79  # share of their numbers that agree
REWRITTEN_PHRASES = 0.2  # their least resemblance ...
REWRITTEN_FEW_NUMBERS = 0.36  # ... if they have not SEVERAL_NUMBERS ...
REWRITTEN_CHARACTERS = 0.37  # ... and in Chinese ...
REWRITTEN_OTHERS = 0.127  # ... where at most this weight of rare characters is that of others
SEVERAL_NUMBERS = 4

ALIGNED_RESEMBLANCE, ALIGNED_WORDS, ALIGNED_NUMBERS = 0.02, 0.3, 0.6  # what has less is not aligned ...
ALIGNED_STRANGE_WORDS, STRANGE = 0.1, 0.28  # ... but of texts with so many words that are none of the news
LEAST_DAMAGE = 0.05  # from which few numbers that agree say nothing
MAX_TOLD, MAX_TOLD_WORDS = 3, 4  # contradictions that a reason names, and words of each

_DEVANAGARI, _HANGUL = chr(DEVANAGARI[0]), chr(HANGUL[0])  # from these on, words are written in fewer letters
_DATELINE = re.compile(r"\s*[^.\n]{1,60}?(?:[)）]\s*|\s)[-–—―]{1,2}\s")  # "VELMAR (Reuters) - "
OTHER_NUMBERS, OTHER_NAMES = "they have other numbers", "they have other names"


@dataclass(frozen=True, slots=True)
class Limit:
    """A fact that two copies agree on, and what is said of texts that do not."""

    signal: Signal
    otherwise: str = ""
    """A clause; "" where that alone contradicts nothing."""
    differ: Sequence[Contradiction] = ()


@dataclass(slots=True)
class Agreement:
    """Facts that two texts have in common, as `compare_facts` finds. Shares are 0 to 1; all but the
    contradictions are symmetric.
    """

    length: int = 0
    """Words of the shorter text, without its title."""
    characters: bool = False
    """Whether a character is a word in their script."""
    foreign: bool = False
    """Whether both are in a language of which the list of news words knows little."""
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
    """Share of the words that was misread, where not all of it can be mended."""
    mended: bool = False
    """Whether misread words or characters are compared as what they were."""
    numbers_differ: tuple[Contradiction, ...] = ()
    words_differ: tuple[Contradiction, ...] = ()
    others_differ: tuple[Contradiction, ...] = ()
    opposites: tuple[Contradiction, ...] = ()
    """Words of opposite sense of two short texts."""
    subjects: tuple[Contradiction, ...] = ()
    """Names that come more than once in one text and never in the other one; of texts that are not short,
    where they stand in place of each other. Of very short ones those with which they begin, too."""
    corrected: bool = False
    """Whether one of two short texts says that it corrects the other: in one number, and words."""
    sent_again: bool = False
    """Whether so, or they have one title and many numbers in common."""

    @property
    def is_short(self) -> bool:
        """Whether one of the texts is so short that every word of it may be a fact."""
        return self.length < SHORT_TOKENS

    @property
    def is_headline(self) -> bool:
        """Whether one of the texts is no longer than a headline."""
        return self.length < (HEADLINE_CHARACTERS if self.characters else HEADLINE_WORDS)

    @property
    def is_short_copy(self) -> bool:
        """Whether two texts, of which one is short, say the same."""
        return self.words >= self._least_words

    @property
    def is_soon_another(self) -> bool:
        """Whether two texts, of which one is short, differ so much that days later these are two events."""
        return self.is_short and (self.corrected or self.words < OTHERWISE_WORDS)

    @property
    def _least_words(self) -> float:
        return EQUAL_WORDS if self.is_headline else SHORT_COPY_WORDS * (1 - self.damage)

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

    def swap(self) -> None:
        """Put the texts in the reverse order."""
        self.sizes = self.sizes[::-1]
        self.numbers_differ = _swap_pairs(self.numbers_differ)
        self.words_differ = _swap_pairs(self.words_differ)
        self.others_differ = _swap_pairs(self.others_differ)
        self.opposites = _swap_pairs(self.opposites)
        self.subjects = _swap_pairs(self.subjects)

    @property
    def limits(self) -> Iterator[Limit]:
        """The facts that are compared, in the order in which they are told. Damage loosens most of them."""
        return self._limits_of_short() if self.is_short else self._limits_of_long()

    def _limits_of_short(self) -> Iterator[Limit]:
        yield Limit(at_least("words common to both, by rarity", self.words, self._least_words))
        differ = (*self.numbers_differ, *self.others_differ)
        if not self.corrected:
            yield from self._numbers_limit(SHORT_COPY_NUMBERS * (1 - self.damage), OTHER_NUMBERS, differ)
        if self.length < TITLED_WORDS:
            titles = at_least("words common to their titles, by rarity", self.titles, SAME_TITLE)
            yield Limit(titles, "their titles are about something else")
        sent_again = self.sent_again and self.numbers_agree(SHORT_COPY_NUMBERS)
        others = SENT_AGAIN_WORDS if sent_again else SHORT_OTHER_WORDS
        others = SHORT_OTHER_FOREIGN if self.foreign else others
        others = SHORT_OTHER_CHARACTERS if self.characters else others
        only_one = at_most("rare words that only one has", self.other_words, others + self.damage)
        yield Limit(only_one, OTHER_NAMES, self.others_differ)
        if not self.corrected:
            opposed = at_most("words of opposite sense", len(self.opposites), 0)
            yield Limit(opposed, "they say the opposite", self.opposites)
        yield self._subjects_limit

    def _limits_of_long(self) -> Iterator[Limit]:
        count, compared = self.changed_numbers
        share = CHANGED_MENDED_NUMBERS if self.mended and self.characters else CHANGED_NUMBERS
        allowed = max(1, round(share * compared))
        changed = at_most("numbers in the same context that differ", count, allowed)
        yield Limit(changed, OTHER_NUMBERS, self.numbers_differ)
        if count:
            kept = KEPT_NUMBERS * (1 - self.damage / 2)
            yield from self._numbers_limit(kept, OTHER_NUMBERS, self.numbers_differ, but_one=True)
        in_place = at_most(
            "rare words in place of others", self.changed_words, CHANGED_WORDS + self.damage / 2
        )
        yield Limit(in_place, OTHER_NAMES, self.words_differ)
        if self.length < FEW_TOKENS:
            yield self._subjects_limit
        if not self.damage:
            near_short = max(0.0, 2 - self.length / SHORT_TOKENS)  # no cliff between both
            others = OTHER_CHARACTERS if self.characters else OTHER_WORDS - LESS_OTHER_WORDS * near_short
            only_one = at_most("rare words that only one has", self.other_words, others)
            yield Limit(only_one, "they have other passages")
        if not count and self.numbers[1] >= SEVERAL_NUMBERS - 1 and self.damage <= LEAST_DAMAGE:
            many = self.characters and self.numbers[1] >= MANY_NUMBERS
            least = LEAST_MANY_NUMBERS if many else LEAST_NUMBERS
            yield from self._numbers_limit(least, "many of their numbers differ")

    @property
    def _subjects_limit(self) -> Limit:
        """None of these names may be another one: the slots of forms are few of their words."""
        subjects = at_most("names of the subject that only one has", len(self.subjects), 0)
        return Limit(subjects, OTHER_NAMES, self.subjects)

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
        """Their common part, as the beginning of a sentence."""
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
        return next((_describe_contradictions(one, two, limit) for limit in broken), "")

    def numbers_agree(self, share: float) -> bool:
        """Whether this share of the numbers of the text with fewer agrees with numbers of the other one."""
        agreeing, all_numbers = self.numbers
        return agreeing >= share * all_numbers


def _describe_contradictions(one: Facts, two: Facts, limit: Limit) -> str:
    """The first contradictions, as the texts spell them: "facts differ: 215.3 against 182.5, ..."."""
    differ = limit.differ[:MAX_TOLD]
    shown = [f"{_spell(one, here)} against {_spell(two, there)}" for here, there in differ]
    return f"facts differ: {', '.join(shown)}" if shown else limit.otherwise


def compare_facts(one: Facts, two: Facts) -> Agreement:
    """Find the agreement of two texts. Texts without words agree on nothing.

    They are aligned only where that may change whether they are copies, and in one order, whichever comes
    first: an alignment in reverse may be another one.
    """
    if one.text > two.text:
        found = compare_facts(two, one)
        found.swap()
        return found
    common = one.weights.keys() & two.weights.keys()
    weight = sum(map(one.weights.__getitem__, common))
    shared, sizes = _count_shared(one.shingles, two.shingles), (len(one.shingles), len(two.shingles))
    found = Agreement(
        length=min(one.length, two.length),
        characters=one.shingle != SHINGLE_WORDS,
        foreign=min(one.strange, two.strange) > MIN_FOREIGN_SHARE,
        resemblance=shared / max(1, sum(sizes) - shared),
        containment=shared / max(1, min(sizes)),
        sizes=sizes,
        words=weight / max(1e-9, one.weight + two.weight - weight),
        numbers=(agreeing_numbers(one.counted, two.counted), min(len(one.numbers), len(two.numbers))),
    )
    if found.is_short:
        opposed = tuple(((here,), (there,)) for here, there in opposites(one.weights, two.weights))
        found.titles, found.opposites = _titles(one, two), opposed
        if one.title and two.title and found.titles >= SENT_AGAIN_TITLE:
            found.corrected = _is_corrected(one, two)
            found.sent_again = found.corrected or found.numbers[0] >= SENT_AGAIN_NUMBERS
        _add_other_words(found, one, two)
        enough = found.words >= ALIGNED_WORDS and found.numbers_agree(ALIGNED_NUMBERS)
        may_be_damaged = enough and not found.characters  # two misread characters and another name look alike
        is_aligned = may_be_damaged and not found.is_settled
    else:
        is_near = found.resemblance >= ALIGNED_RESEMBLANCE or found.words >= ALIGNED_WORDS
        is_aligned = is_near or _may_be_misread(found, one, two)
    if is_aligned:
        _align(found, one, two)
    return found


def _may_be_misread(found: Agreement, one: Facts, two: Facts) -> bool:
    """Whether texts with few words in common have many that may have been misread."""
    return found.words >= ALIGNED_STRANGE_WORDS and min(one.strange, two.strange) > STRANGE


def _add_other_words(found: Agreement, one: Facts, two: Facts) -> None:
    """Add what only one of two short texts has, where they agree on enough to ask."""
    may_agree = found.corrected or found.numbers_agree(ALIGNED_NUMBERS)
    if found.words < ALIGNED_WORDS or not may_agree:
        here = tuple(word for word in one.rare_words if word not in two.weights)
        there = tuple(word for word in two.rare_words if word not in one.weights)
        found.others_differ = ((here, there),) if here and there and found.words >= ALIGNED_WORDS else ()
        found.numbers_differ = _other_numbers(one, two)
        return
    found.subjects = _subjects([(tuple(one.rare_words), tuple(two.rare_words))], one, two)
    if not found.characters and found.length < TITLED_WORDS:
        weight, differ = contradiction_of(_first_words(one, two), _first_words(two, one))
        found.subjects = (differ, *found.subjects) if weight else found.subjects
    other, differ = contradiction_of(*(_own_words(found, a, b) for a, b in ((one, two), (two, one))))
    if other:
        found.other_words = other / (other + _rare_words(one, two)[0])
        found.others_differ = (differ,)
    if not found.numbers_agree(SHORT_COPY_NUMBERS):
        found.numbers_differ = _other_numbers(one, two)


def _own_words(found: Agreement, one: Facts, two: Facts) -> dict[str, float]:
    """The rare words of a text that the other one lacks: names weigh more where all words seem rare."""
    own = {word: weight for word, weight in one.rare_words.items() if word not in two.weights}
    if not found.foreign or found.characters:
        return own
    spelled = {word: one.spell(word) for word in own}
    return {
        word: NAME * weight if spelled[word][0].isupper() else weight
        for word, weight in own.items()
        if len(word) >= _least_letters(word[0]) or spelled[word].isupper()
    }


def _subjects(differ: Iterable[Contradiction], one: Facts, two: Facts) -> tuple[Contradiction, ...]:
    """Of words in place of each other the names that come again in one text and never in the other one."""
    pairs = (
        contradiction_of(_repeated_names(one, here, two), _repeated_names(two, there, one))
        for here, there in differ
    )
    return tuple(words for weight, words in pairs if weight)


def _repeated_names(facts: Facts, words: Iterable[str], other: Facts) -> dict[str, float]:
    """The weights of those of these rare words that come again, that the other text lacks, and that may be
    names.
    """
    own = (word for word in words if word not in other.weights and facts.tokens.count(word) > 1)
    return {word: facts.rare_words[word] for word in own if _may_be_name(facts, word)}


def _may_be_name(facts: Facts, word: str) -> bool:
    """Whether a word has a capital, where its script has capitals, or else is no particle."""
    if word[0].upper() != word[0]:
        return facts.spell(word)[0].isupper() and word not in CORRECTIONS
    return facts.shingle != SHINGLE_WORDS or len(word) >= _least_letters(word[0])


def _first_words(one: Facts, two: Facts) -> dict[str, float]:
    """The names of a text before the first word that the other text has, too, with their weights; those of
    its dateline do not count.
    """
    dateline = _DATELINE.match(one.text.rpartition("\f")[2])
    start = one.title + (len(re.findall(r"\w+", dateline[0])) if dateline else 0)
    own = itertools.takewhile(lambda word: word not in two.weights, one.tokens[start:])
    return {word: one.rare_words[word] for word in own if word in one.rare_words and _may_be_name(one, word)}


def _is_corrected(one: Facts, two: Facts) -> bool:
    """See `Agreement.corrected`."""
    if not (one.is_correction or two.is_correction):
        return False
    few, many = sorted((one.counted.keys(), two.counted.keys()), key=len)
    return len(few) - 1 <= len(few & many) > 0


def _least_letters(first: str) -> int:
    """The letters from which what begins with this one is a word, and no particle."""
    return 1 if first >= _HANGUL else SHORT_WORD - (first >= _DEVANAGARI)


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


def _align(found: Agreement, one: Facts, two: Facts) -> None:
    """Add what the alignment of both texts says."""
    pair = Alignment.of(one, two)
    if pair.misread:
        shingles = pair.mended_shingles()
        shared, size = _count_shared(shingles, two.shingles), len(two.shingles)
        found.resemblance = shared / max(1, len(shingles) + size - shared)
        found.containment = shared / max(1, min(len(shingles), size))
        found.sizes = (len(shingles), size)
        found.words, found.numbers = pair.mended_words(), pair.mended_numbers()
        found.damage, found.mended = pair.damage, True
    if found.is_short:
        return
    found.changed_numbers, found.numbers_differ = pair.changed_numbers()
    changed, found.words_differ = pair.changed_words()
    common, only_one, only_two = _rare_words(one, two)
    misread_one, misread_two = pair.misread_rare_words()
    only_one, only_two = only_one - misread_one, only_two - misread_two
    found.subjects = _subjects(found.words_differ, one, two) if found.length < FEW_TOKENS else ()
    found.changed_words = changed / (changed + common) if changed else 0.0
    found.other_words = min(only_one, only_two) / max(1e-9, min(only_one, only_two) + common)


def _swap_pairs(differ: tuple[Contradiction, ...]) -> tuple[Contradiction, ...]:
    return tuple((two, one) for one, two in differ) if differ else differ


def _count_shared(a: Hashes, b: Hashes) -> int:
    small, large = sorted((a, b), key=len)
    return int(is_among(small, large).sum())


def contradicting_facts(one: Facts, two: Facts) -> tuple[tuple[str, str], ...]:
    """The numbers, rare words and opposites in which two texts contradict each other, as each spells them."""
    found = compare_facts(one, two)
    differ = (*found.numbers_differ, *found.words_differ, *found.opposites)
    return tuple(dict.fromkeys((_spell(one, here), _spell(two, there)) for here, there in differ))


def _spell(facts: Facts, words: Sequence[str]) -> str:
    return " ".join(map(facts.spell, words[:MAX_TOLD_WORDS]))
