"""The facts on which two texts agree, and the limits from which on they are copies, or contradict each other.

`dupgroups.methods.fact_comparison` measures them. A difference that carries a fact (a number, a name, a day)
weighs more than any share of common words.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dupgroups.methods.alignment import Contradiction
from dupgroups.methods.signals import Signal, at_least, at_most
from dupgroups.text.facts import Facts

# What a difference means is decided here. Measured on a newswire of 1987, a newspaper's columns, English and
# Chinese re-publications, a daily series, and on these with 2, 4 and 8 % of their characters misread.
SHORT_TOKENS = 70  # a text with fewer is short
SHORT_COPY_WORDS = 0.5  # weighted resemblance of the words of two copies of a short text
SHORT_COPY_NUMBERS = 0.84  # share of their numbers that agree
SHORT_OTHER_WORDS = 0.145  # most weight of the rare words of each that the other one does not have
SHORT_OTHER_CHARACTERS = 0.05  # likewise, in Chinese, where two characters are a name
SHORT_OTHER_FOREIGN = 0.035  # likewise, where every word seems to be rare: one word of 27
TITLED_WORDS = 40  # of a text with fewer the title says whom it is about ...
SAME_TITLE = 0.2  # ... so at least this weighted resemblance of the titles, and both begin with the same name
SENT_AGAIN_WORDS = 0.33  # SHORT_OTHER_WORDS of what was sent again: notes below figures are written anew
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
OTHER_WORDS, OTHER_CHARACTERS = 0.235, 0.34  # most weight of the rare words that only one undamaged text has
LESS_OTHER_WORDS = 0.045  # OTHER_WORDS is less by this at SHORT_TOKENS, and by nothing at twice as many
REWRITTEN_WORDS = 0.6  # weighted resemblance of the words of copies whose sentences were changed
REWRITTEN_NUMBERS = 0.79  # share of their numbers that agree
REWRITTEN_PHRASES = 0.2  # their least resemblance ...
REWRITTEN_FEW_NUMBERS = 0.36  # ... if they have not SEVERAL_NUMBERS ...
REWRITTEN_CHARACTERS = 0.37  # ... and in Chinese ...
REWRITTEN_OTHERS = 0.127  # ... where at most this weight of rare characters is that of others
SEVERAL_NUMBERS = 4
LEAST_DAMAGE = 0.05  # from which few numbers that agree say nothing
MAX_TOLD, MAX_TOLD_WORDS = 3, 4  # contradictions that a reason names, and words of each

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
    headings: tuple[Contradiction, ...] = ()
    """Rare words of each title that its own text has and the other one lacks, where they outweigh the others
    of both titles: texts of one form, each with its own subject."""
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
        self.headings = _swap_pairs(self.headings)

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
        yield self._headings_limit

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
            yield self._headings_limit
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

    @property
    def _headings_limit(self) -> Limit:
        """Two copies both have what a title names: no editor cuts whom the text is about."""
        headings = at_most("titles that name another subject", len(self.headings), 0)
        return Limit(headings, "their titles are about something else", self.headings)

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
    shown = [f"{spell_words(one, here)} against {spell_words(two, there)}" for here, there in differ]
    return f"facts differ: {', '.join(shown)}" if shown else limit.otherwise


def _swap_pairs(differ: tuple[Contradiction, ...]) -> tuple[Contradiction, ...]:
    return tuple((two, one) for one, two in differ) if differ else differ


def spell_words(facts: Facts, words: Sequence[str]) -> str:
    """The first of these words, as a text spells them."""
    return " ".join(map(facts.spell, words[:MAX_TOLD_WORDS]))
