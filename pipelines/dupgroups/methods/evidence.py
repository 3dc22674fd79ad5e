"""Measures of what two texts have in common, and of where they differ. Nothing is decided here.

The judge (`dupgroups.methods.verdicts.evidence_judge`) weighs these measures. All are symmetric, and none
knows a language: what is a number, how rare a word is and which words exclude one another stands in tables of
`dupgroups.text`. Compared are the reports, without headline, dateline and credit.

The words are aligned by a longest common subsequence. Where both texts have a few other words between common
ones, these are in one *slot*: numbers, names and opposites there contradict each other. Whole sentences that
only one text has contradict nothing, whichever has them: editors cut and add, and a long number may stand
elsewhere. Passages that are near in letters are one that was misread, mistyped or inflected; opposites never
are, and negations, numbers and days of datelines only in texts of which much more was misread.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq
from rapidfuzz.distance.Levenshtein import normalized_similarity

from dupgroups.methods.exchanged_names import Gap, find_exchanged
from dupgroups.text.contrasts import find_contrasts, is_negated_otherwise
from dupgroups.text.facts import NAME_WEIGHT, Facts, Places, Report, has_similar
from dupgroups.text.number_values import Number
from dupgroups.text.number_words import words_for_one
from dupgroups.text.word_rarity import is_known, rarities

MAX_ALIGNED_WORDS = 5_000  # of a report
OPENING_WORDS = 60  # of a report, that say what is new
MAX_SLOT_WORDS = 8  # on one side; more are a passage that was written anew
MAX_OTHER_SLOTS = 1  # beside that of a name, in texts that differ in little else
LETTERS_IN_A_WORD = 4  # in alphabets without blanks, such as Thai, where a letter is a word of a report
MIN_CONTEXT_WORDS, MIN_BOTH_CONTEXTS_WORDS = (
    2,
    6,
)  # in common before and after a slot; or before and after together
MIN_COMMON_SHARE = 0.3  # of the weight of a sentence, from which the other text has it, too
# numbers for each number that is misread if its characters are misread as often as those of the words
MISREAD_NUMBERS = 2.5
MAX_EXCESS = 2.0  # times as many: of more than that none was misread, for these are other figures
MIN_MOVED_DIGITS = 3  # of a number that stands in another place of the other text
MAX_MISREAD_CHARS = 2  # in one place, in scripts without blanks
MIN_MISREAD_SHARE = 0.6  # of the letters of two passages, however divided into words
MIN_MISREAD_WORDS = 5  # in two texts, from which characters and digits may have been misread, too
NUMBER_ONE = Number(1.0, 1.0)
UNTOLD_WEIGHT = 60.0  # of the words of a text that says without its headline whom it is about

MEASURES = {
    "words": "words in common, by rarity",
    "kept": "words of the shorter text that the longer one has",
    "ordered": "words in common, in one order",
    "ordered kept": "words of the shorter text that the longer one has in this order",
    "share": "size of the shorter text against the longer one",
    "size": "size of the shorter text",
    "figures": "digits of the figures in common",
    "headlines": "headlines about something else, over texts that name nobody",
    "datelines": "datelines of other days",
    "openings": "words of both beginnings that the other one lacks",
    "lead": "an opposite, a negation or another day in the first sentence",
    "name": "a name, or a word of each headline, in place of another in the first sentence",
    "leads": "beginnings of each that the other one lacks",
    "passages": "sentences of each that the other one lacks",
    "rewritten": "words in place of others",
    "names": "names in place of others",
    "numbers": "numbers of each that the other one lacks, in common sentences",
    "figures changed": "numbers in place of others",
    "days": "days or months in place of others",
    "contrasts": "words that exclude one another",
    "negations": "places that only one of them negates",
    "contradictions": "contradictions in so many words",
    "misread": "words that were misread or inflected",
}
"""What is measured, in a few words each."""
LOGARITHMS = frozenset({"size", "figures"})
TIMES_IN_100_WORDS = frozenset({"days", "contrasts", "negations", "contradictions"})

OF_SENSE = frozenset({"contrasts", "negations", "days"})
"""What contradicts itself in sense, not in names or figures."""

Runs = Sequence[tuple[int, int, int]]
"""Where common words begin in the first and in the second text, and how many there are."""


class Contradiction(NamedTuple):
    """A place in which two texts say different things, as each spells it."""

    measure: str
    first: str
    second: str


@dataclass(slots=True)
class Evidence:
    """The measures of two texts by their names in MEASURES, and their contradictions."""

    values: dict[str, float] = field(default_factory=lambda: dict.fromkeys(MEASURES, 0.0))
    gaps: list[tuple[str, Gap]] = field(default_factory=list)
    """The measure and the places of each contradiction."""


def measure(one: Facts, two: Facts, min_kept: float = 0.0) -> Evidence:
    """All measures of two texts, but of two with a lower share `kept` only those of `measure_words`.

    They are aligned in one order, whichever comes first: an alignment in reverse may be another one. Texts
    without words have nothing in common.
    """
    a, b = (two.report, one.report) if one.text > two.text else (one.report, two.report)
    found = Evidence()
    found.values |= measure_words(a, b)
    if found.values["kept"] < min_kept:
        return found
    only_a, only_b = without_agreeing(a.counted, b.counted)
    found.values |= {
        "figures": math.log1p(sum(_digits(a, only_a))),
        "headlines": _headlines_differ(a, b),
        "datelines": float(all(without_agreeing(a.dateline, b.dateline))),
    }
    _Alignment(a, b, found).measure(only_a, only_b)
    return found


def measure_words(a: Report, b: Report, mended: float = 0.0) -> dict[str, float]:
    """The measures that need no alignment, in a tenth of its time; `mended`: the weight of misread words."""
    smaller, larger = sorted((a.bag_weight, b.bag_weight))
    same = math.fsum(map(a.bag.__getitem__, a.bag.keys() & b.bag.keys()))  # in whatever order
    common = min(smaller, same + mended)
    return {
        "words": common / max(1e-9, smaller + larger - common),
        "kept": common / max(1e-9, smaller),
        "share": smaller / max(1e-9, larger),
        "size": math.log1p(min(a.weight, b.weight)),
    }


def list_contradictions(one: Facts, two: Facts, found: Evidence) -> list[Contradiction]:
    """Where two texts contradict each other, in their order, as they were measured."""
    is_swapped = one.text > two.text
    a, b = (two.report, one.report) if is_swapped else (one.report, two.report)
    told = [Contradiction(name, a.spell(here), b.spell(there)) for name, (here, there) in found.gaps]
    return [Contradiction(name, second, first) for name, first, second in told] if is_swapped else told


def without_agreeing(a: Counter[Number], b: Counter[Number]) -> tuple[Counter[Number], Counter[Number]]:
    """The numbers of each of two texts that have no number of their own in the other text that agrees. A day
    of the week may be the date of a text that names none.
    """
    if a == b:
        return Counter(), Counter()
    only_a, only_b = a - b, b - a
    for only, all_others in ((only_a, b), (only_b, a)):
        if not any(number.is_weekday for number in all_others):
            for day in [number for number in only if number.is_weekday]:
                del only[day]
    others = [*only_b]
    for number in [*only_a] if others else ():
        for other in others:
            same = min(only_a[number], only_b[other])
            if same > 0 and number.agrees(other):
                only_a[number] -= same
                only_b[other] -= same
    return (+only_a, +only_b) if others else (only_a, only_b)


def _digits(report: Report, without: Counter[Number]) -> Iterator[int]:
    """How many digits each different figure has, but for the zeros at its end."""
    figures = {number: report.words[place] for place, number in report.numbers.items() if number.value}
    for number, word in figures.items():
        if number not in without:
            yield max(1, len("".join(filter(str.isdigit, word)).rstrip("0")))


def _headlines_differ(a: Report, b: Report) -> float:
    """How much two headlines differ, 0 to 1, where the texts name nobody: a table of figures is about whom
    its headline names. No other texts are parted by their headlines.
    """
    untold = 1 - min(a.bag_weight, b.bag_weight) / UNTOLD_WEIGHT
    if not a.title or not b.title or untold <= 0:
        return 0.0
    common = sum(weight for word, weight in a.title.items() if word in b.title)
    weight_a, weight_b = sum(a.title.values()), sum(b.title.values())
    told = max(
        sum(weight for word, weight in report.title.items() if word in report.known) / max(1e-9, whole)
        for report, whole in ((a, weight_a), (b, weight_b))
    )
    unlike = 1 - common / max(1e-9, weight_a + weight_b - common)
    return unlike * max(0.0, 1 - 2 * told) * untold


def _leave_out_misread(count: int, misread: float) -> float:
    """How many of these numbers differ, if so many were misread; all, where that explains too few."""
    return float(count) if count > MAX_EXCESS * misread else max(0.0, count - misread)


class _Alignment:
    """Two reports, word by word, and the sums that their measures are made of."""

    def __init__(self, a: Report, b: Report, found: Evidence) -> None:
        self.a, self.b, self.found = a, b, found
        self.word_size = LETTERS_IN_A_WORD if a.has_letters and b.has_letters else 1
        self.last = min(MAX_ALIGNED_WORDS, len(a.words)), min(MAX_ALIGNED_WORDS, len(b.words))
        blocks = LCSseq.editops(a.codes[:MAX_ALIGNED_WORDS], b.codes[:MAX_ALIGNED_WORDS]).as_matching_blocks()
        self.runs = [(block.a, block.b, block.size) for block in blocks if block.size]
        starts_a, starts_b, sizes = np.array(self.runs, np.intp).reshape(-1, 3).T
        ends = sizes.cumsum()
        common = (starts_a - ends + sizes).repeat(sizes) + np.arange(ends[-1] if len(ends) else 0)
        weights = a.weight_array[common]
        self.matched = float(weights.sum())
        self.common_names = float(np.maximum(0.0, weights - NAME_WEIGHT).sum())
        self.common_words = max(1, len(common))
        self.common_chars = max(1, int((a.lengths[common]).sum()))
        self.common = common, common + (starts_b - starts_a).repeat(sizes)
        self.common_numbers = len(a.numbers.keys() & set(common.tolist())) if a.numbers else 0

    def _measure_gaps(self, *, is_damaged: bool) -> None:
        """Measure what stands between the common words; of damaged texts, for the second time."""
        a, b = self.a, self.b
        self.own = tuple(
            _find_own(report, places, is_damaged=is_damaged)
            for report, places in zip((a, b), self.common, strict=True)
        )
        self.marks = [None if own is None else own.tobytes() for own in self.own]
        self.compared = self.common_numbers
        self.changed = self.changed_digits = 0
        self.confused: list[tuple[Gap, bool]] = []
        self.doubtful: list[Gap] = []
        self.rewritten = self.names = self.misread = self.mended = 0.0
        self.counted: Counter[str] = Counter()
        self.passages = Counter[Number](), Counter[Number]()
        self.moved = Counter[Number](), Counter[Number]()
        self.moved_names: tuple[list[int], list[int]] = [], []
        self.replaced: list[Gap] = []
        self.differing: list[tuple[Gap, Counter[Number], Counter[Number]]] = []
        self.slots = 0
        self.names_within: list[Gap] = []
        self.subjects: list[Gap] = []
        self.found.gaps.clear()
        for gap, left, right in self._list_gaps():
            self._measure_gap(gap, left, right)
        self._count_parted_contrasts()
        self._count_figures()
        if not is_damaged:
            for gap in find_exchanged((a, b), self.moved_names, self.common, self.replaced):
                self._count("names", gap)

    def measure(self, only_a: Counter[Number], only_b: Counter[Number]) -> None:
        """Add the measures; `only_a` and `only_b`: the numbers that only one text has."""
        self._measure_gaps(is_damaged=False)
        if self._is_damaged:
            self._measure_gaps(is_damaged=True)
        for gap, is_name in self.confused:
            if self._is_damaged:
                self.mended += sum(map(self.a.weights.__getitem__, gap[0]))
            else:
                self._measure_rewritten(gap, is_name=is_name)
        if not self._is_damaged:
            for gap in self.doubtful:
                self._count("negations", gap)
            for gap in self.subjects:
                if ("names", gap) not in self.found.gaps:
                    self._count("name", gap)
        a, b, values, counted = self.a, self.b, self.found.values, self.counted
        names = self.names_within if self.slots <= 1 + MAX_OTHER_SLOTS else []
        loose = min((only_a - self.passages[0]).total(), (only_b - self.passages[1]).total())
        misread = self._misread_numbers()
        changed, lacking = _leave_out_misread(self.changed, misread), _leave_out_misread(loose, misread)
        values["datelines"] *= not self._is_damaged
        contradictions = max(changed, lacking) + counted["slots"] + values["datelines"]
        self.matched += self.mended
        hundred = max(1.0, self.matched / 100)
        smaller, larger = sorted(float(report.weight_array[:MAX_ALIGNED_WORDS].sum()) for report in (a, b))
        values |= measure_words(a, b, self.mended * self._is_damaged)
        values |= {
            "ordered": self.matched / max(1e-9, smaller + larger - self.matched),
            "ordered kept": min(1.0, self.matched / max(1e-9, smaller)),
            "openings": min(_lacked_share(*pair, is_damaged=self._is_damaged) for pair in ((a, b), (b, a))),
            "lead": float(any(self._is_in_lead(gap) for name, gap in self.found.gaps if name in OF_SENSE)),
            "name": float(any(map(self._is_in_lead, [*self.subjects, *names]))),
            "leads": min(_lead_share(a, self.own[0]), _lead_share(b, self.own[1])),
            "passages": min(_own_share(a, self.own[0]), _own_share(b, self.own[1])),
            "rewritten": self.rewritten / max(1e-9, self.rewritten + self.matched),
            "names": self.names / max(1e-9, self.names + self.common_names),
            "numbers": lacking / max(1, min(a.counted.total(), b.counted.total())),
            "figures changed": changed / max(1, self.compared),
            "days": counted["days"] / hundred,
            "contrasts": counted["contrasts"] / hundred,
            "negations": counted["negations"] / hundred,
            "contradictions": contradictions / hundred,
            "misread": self.misread / self.common_words if self._is_damaged else 0.0,
        }

    @property
    def _is_damaged(self) -> bool:
        """Whether so much was misread that characters and digits in place of others may have been, too."""
        return self.misread + len(self.confused) >= MIN_MISREAD_WORDS

    def _is_in_lead(self, gap: Gap) -> bool:
        """Whether a slot is in the first sentence of both texts, which are not damaged."""
        ends = zip((self.a, self.b), gap, strict=True)
        sentences = {report.sentence_numbers[place] for report, places in ends for place in places[:1]}
        return sentences == {0} and not self._is_damaged

    def _misread_numbers(self) -> float:
        """How many of the compared numbers were misread, if their digits were as often as letters were."""
        if not self._is_damaged:
            return 0.0
        share = min(0.5, (self.misread + len(self.confused)) / self.common_chars)
        digits = self.changed_digits / max(1, self.changed)
        expected: float = 1 - (1 - share) ** max(1.0, digits)
        return MISREAD_NUMBERS * self.compared * expected

    def _list_gaps(self) -> Iterator[tuple[Gap, int, int]]:
        """List what stands between the common words, without the sentences that only one text has, and how
        many common words are before and after it.
        """
        start_a = start_b = 0
        before = MAX_ALIGNED_WORDS  # the beginning is as good as common words, and so is the end
        for end_a, end_b, size in (*self.runs, (*self.last, 0)):
            after = MAX_ALIGNED_WORDS if (end_a + size, end_b + size) == self.last else size
            if end_a > start_a or end_b > start_b:
                here, there = self._leave_out(0, start_a, end_a), self._leave_out(1, start_b, end_b)
                if here or there:
                    yield (here, there), before, after
                before = size
            start_a, start_b = end_a + size, end_b + size

    def _leave_out(self, side: int, start: int, end: int) -> Sequence[int]:
        """These places of a text, without those in sentences that only it has."""
        marks, numbers = self.marks[side], (self.a, self.b)[side].numbers
        if start == end or marks is None or marks.find(1, start, end) < 0:
            return range(start, end)
        left_out = [place for place in range(start, end) if marks[place] and place in numbers]
        self.passages[side].update(map(numbers.__getitem__, left_out))
        return [place for place in range(start, end) if not marks[place]]

    def _measure_gap(self, gap: Gap, left: int, right: int) -> None:
        a, b, (here, there) = self.a, self.b, gap
        words_a, words_b = tuple(map(a.words.__getitem__, here)), tuple(map(b.words.__getitem__, there))
        if "".join(words_a) == "".join(words_b):  # with other blanks
            here_weight = sum(map(a.weights.__getitem__, here))
            self.mended += (here_weight + sum(map(b.weights.__getitem__, there))) / 2
            return
        self.slots += bool(here and there)
        is_within = min(left, right) >= MIN_CONTEXT_WORDS
        is_slot = max(len(here), len(there)) <= MAX_SLOT_WORDS * self.word_size
        has_context = is_within or left + right >= MIN_BOTH_CONTEXTS_WORDS
        for report, places, numbers, names in zip((a, b), gap, self.passages, self.moved_names, strict=True):
            if is_slot:
                names += (place for place in places if place in report.movable)
            else:
                numbers.update(report.numbers[place] for place in places if place in report.numbers)
        if is_within and is_slot:
            self.replaced.append(gap)
        is_number = self._measure_numbers(gap, is_slot=is_slot)
        is_character = not is_number and _are_characters(words_a, words_b)
        is_misread = not is_number and _are_misread(words_a, words_b)
        is_other_sense = (
            is_slot
            and has_context
            and self._measure_senses(gap, words_a, words_b, may_be_misread=is_misread or is_character)
        )
        if is_misread and not is_other_sense:
            self._mend(gap)
        elif here and there:
            is_name = is_slot and (has_context or here[0] == there[0] == 0)
            if is_character and not is_other_sense:
                self.confused.append((gap, is_name))
            else:
                self._measure_rewritten(
                    gap, is_name=is_name, may_be_misread=not is_other_sense, is_within=is_within
                )

    def _mend(self, gap: Gap) -> None:
        """Take all words of a gap for the same ones, misread."""
        for report, places in zip((self.a, self.b), gap, strict=True):
            self.mended += sum(map(report.weights.__getitem__, places)) / 2
            self.misread += sum(not is_known(report.tokens[place]) for place in places) / 2

    def _measure_senses(
        self, gap: Gap, here: tuple[str, ...], there: tuple[str, ...], *, may_be_misread: bool
    ) -> bool:
        """Whether a negation or an opposite is found, and counted. What is added at an end negates
        nothing.
        """
        ends = not (gap[0] and gap[1]) and (
            (gap[0] or gap[1])[0] == 0
            or (gap[0] or gap[1])[-1] == len((self.a if gap[0] else self.b).words) - 1
        )
        if not ends and is_negated_otherwise(here, there):
            if may_be_misread:
                self.doubtful.append(gap)
                return False
            self._count("negations", gap)
            return True
        if here and there and find_contrasts(here, there):
            self._count("contrasts", gap)
            return True
        return False

    def _count_parted_contrasts(self) -> None:
        """Count words that exclude one another, but have a character in common, or a word between them that
        is: gaps with single words in between are one slot. Negations, too, where letters are words.
        """
        told = {place for _, (here, _) in self.found.gaps for place in here}
        end_a = end_b = parts = 0
        for start_a, start_b, size in (*self.runs, (*self.last, MIN_CONTEXT_WORDS)):
            parts += start_a > end_a or start_b > end_b
            if size < MIN_CONTEXT_WORDS and parts:
                continue
            here, there = range(end_a, start_a), range(end_b, start_b)
            is_slot = parts > 1 and 0 < max(len(here), len(there)) <= MAX_SLOT_WORDS * self.word_size
            words_a, words_b = self.a.words[end_a:start_a], self.b.words[end_b:start_b]
            if is_slot and told.isdisjoint(here):
                if find_contrasts(words_a, words_b):
                    self._count("contrasts", (here, there))
                elif self.word_size > 1 and is_negated_otherwise(words_a, words_b):
                    self.doubtful.append((here, there))
            end_a, end_b, parts = start_a + size, start_b + size, 0

    def _count(self, measure: str, gap: Gap) -> None:
        self.counted[measure] += 1
        self.counted["slots"] += 1
        self.found.gaps.append((measure, gap))

    def _measure_numbers(self, gap: Gap, *, is_slot: bool) -> bool:
        """Compare the numbers in a gap; whether both texts have some."""
        here = [self.a.numbers[place] for place in gap[0] if place in self.a.numbers]
        there = [self.b.numbers[place] for place in gap[1] if place in self.b.numbers]
        if is_slot and bool(here) != bool(there):
            here = here or _find_ones(self.a, gap[0], self.b, gap[1])
            there = there or _find_ones(self.b, gap[1], self.a, gap[0])
        if not here or not there:
            for report, places, numbers in zip((self.a, self.b), gap, self.moved, strict=True):
                found = (place for place in places if place in report.numbers)
                numbers.update(report.numbers[place] for place in found if _is_long(report.words[place]))
            return False
        only_a, only_b = without_agreeing(Counter(here), Counter(there))
        self.compared += min(len(here), len(there))
        if only_a and only_b and is_slot:
            self.differing.append((gap, only_a, only_b))
        return True

    def _count_figures(self) -> None:
        """Count the numbers in place of others, but for those that the other text has in another place."""
        for gap, only_a, only_b in self.differing:
            here, there = only_a - self.moved[1], only_b - self.moved[0]
            if differ := min(here.total(), there.total()):
                self.changed += differ
                self.changed_digits += sum(len(self.a.words[place]) for place in gap[0])
                is_day = any(number.name for number in here) and any(number.name for number in there)
                self.counted["days"] += is_day
                self.found.gaps.append(("days" if is_day else "figures changed", gap))

    def _measure_rewritten(
        self, gap: Gap, *, is_name: bool, may_be_misread: bool = True, is_within: bool = False
    ) -> None:
        """Weigh the words of a gap that the other text lacks; those similar to one of the gap are one
        word.
        """
        a, b = self.a, self.b
        here = [place for place in gap[0] if place not in a.numbers and a.tokens[place] not in b.known]
        there = [place for place in gap[1] if place not in b.numbers and b.tokens[place] not in a.known]
        if not here or not there:
            return
        tokens_a, tokens_b = [a.tokens[place] for place in gap[0]], [b.tokens[place] for place in gap[1]]
        unlike_a = [place for place in here if not has_similar(a.tokens[place], tokens_b)]
        unlike_b = [place for place in there if not has_similar(b.tokens[place], tokens_a)]
        own_a, own_b = (
            sum(report.weights[place] for place in places)
            for report, places in ((a, unlike_a), (b, unlike_b))
        )
        whole = sum(a.weights[place] for place in here) + sum(b.weights[place] for place in there)
        self.mended += (whole - own_a - own_b) / 2
        self.misread += (
            may_be_misread
            * (
                sum(not is_known(a.tokens[place]) for place in set(here) - set(unlike_a))
                + sum(not is_known(b.tokens[place]) for place in set(there) - set(unlike_b))
            )
            / 2
        )
        self.rewritten += min(own_a, own_b)
        if is_name and (names := min(_names_weight(a, unlike_a), _names_weight(b, unlike_b))):
            self.names += names
            self._count("names", (unlike_a, unlike_b))
            if is_within:
                self.names_within.append((unlike_a, unlike_b))
        if is_within and self._are_subjects(unlike_a, unlike_b):
            self.subjects.append((unlike_a, unlike_b))

    def _are_subjects(self, here: Sequence[int], there: Sequence[int]) -> bool:
        """Whether the headlines differ, too, in these words that stand in place of each other alone."""
        one, other = self.a.title.keys(), self.b.title.keys()
        own, others = {*map(self.a.tokens.__getitem__, here)}, {*map(self.b.tokens.__getitem__, there)}
        return bool(one - other) and bool(other - one) and one - other <= own and other - one <= others


def _find_ones(own: Report, here: Sequence[int], other: Report, there: Sequence[int]) -> list[Number]:
    """The words for one that a gap has where the other text has a number, from either end: "a" for "two"."""
    numbers = [number for number, place in enumerate(there) if place in other.numbers]
    ends = {*numbers, *(number - len(there) for number in numbers)}
    ones = (number for number, place in enumerate(here) if own.words[place] in words_for_one())
    return [NUMBER_ONE for number in ones if not ends.isdisjoint((number, number - len(here)))]


def _find_own(report: Report, common: Places, *, is_damaged: bool) -> NDArray[np.bool_] | None:
    """Of each word, whether it is in a sentence of which the other text has little; None if none is.
    `common`: the places of the common words. In a damaged text other words that are not known do not count:
    most are misread.
    """
    length, sentences = len(report.words), report.sentences
    if len(common) == length:
        return None
    weights = np.zeros(length)
    weights[common] = report.weight_array[common]
    whole = report.weight_array
    if is_damaged:
        whole = np.where((whole < rarities().unknown) | (weights > 0), whole, 0)
    own = np.add.reduceat(weights, sentences) < MIN_COMMON_SHARE * np.add.reduceat(whole, sentences)
    return own.repeat(np.diff(np.append(sentences, length))) if own.any() else None


def _own_share(report: Report, own: NDArray[np.bool_] | None) -> float:
    """The share of a text that is in sentences of which the other text has little."""
    first = slice(MAX_ALIGNED_WORDS)
    return 0.0 if own is None else float(report.weight_array[first][own[first]].sum()) / report.weight


def _lead_share(report: Report, own: NDArray[np.bool_] | None) -> float:
    """The share of a text before its first sentence that the other text has, too."""
    if own is None or not own[0]:
        return 0.0
    end = len(own) if own.all() else int(own.argmin())
    return float(report.weight_array[:end].sum()) / report.weight


def _lacked_share(report: Report, other: Report, *, is_damaged: bool) -> float:
    """The share of the first words of a text that the other one has nowhere; in a damaged one, of those that
    are known.
    """
    opening = [*zip(report.tokens[:OPENING_WORDS], report.weights, strict=False)]
    common = sum(weight for token, weight in opening if token in other.known)
    own = [one for one in opening if one[0] not in other.known]
    lacked = sum(weight for token, weight in own if not is_damaged or is_known(token))
    return lacked / max(1e-9, common + lacked)


def _is_long(word: str) -> bool:
    """Whether a number has so many digits that the other text has it hardly by chance."""
    return sum(map(str.isdigit, word)) >= MIN_MOVED_DIGITS


def _names_weight(report: Report, places: Sequence[int]) -> float:
    """The weight of names in these places above that of other words."""
    return sum(report.weights[place] - NAME_WEIGHT for place in places if place in report.names)


def _are_characters(here: Sequence[str], there: Sequence[str]) -> bool:
    """Whether both are one or two single characters, of which one may have been misread as the other."""
    return (
        bool(here and there)
        and max(len(here), len(there)) <= MAX_MISREAD_CHARS
        and all(len(word) == 1 for word in (*here, *there))
    )


def _are_misread(here: Sequence[str], there: Sequence[str]) -> bool:
    """Whether both have the same letters but for a few, however divided, and some word is unknown."""
    return (
        bool(here and there)
        and normalized_similarity("".join(here), "".join(there)) >= MIN_MISREAD_SHARE
        and not all(map(is_known, (*here, *there)))
    )
