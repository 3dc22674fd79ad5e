"""Resemblance and containment of shingle sets, and whether the facts agree.

Broder: On the Resemblance and Containment of Documents (1997): resemblance is |A and B| / |A or B|,
containment of A in B is |A and B| / |A|. CEDAR (Gibson, Wellner, Lubar), section 5.3, joins at a
resemblance of 0.4 on shingles of two words; the defaults here are for the shingles of
`dupgroups.methods.signatures.minhash`.

Signatures estimate both, and tell what is surely different. Whether two texts that resemble each other are
copies is decided by the texts, word by word (`dupgroups.methods.agreement`): the issues of a series
share their words and differ in a number, a name or a day, while copies of one story keep these even when an
editor changes half of the words. In a short text every word may be a fact, and its title counts.

Two pages of one host must meet higher thresholds, as in An and Cheng's algorithm: all pages of a site share
the parts of its template that the extractor missed.

An excerpt is a substantial part of the longer text. A smaller part (a quotation, an item of a round-up) is
`near`: otherwise a round-up would join all the stories that it reports.

| field       | default | meaning |
|-------------|---------|---|
| threshold   | 0.47    | resemblance from which two texts are the same story |
| containment | 0.75    | share of the smaller text that the larger one must hold for containment |
| epsilon     | 0.05    | amount by which threshold and containment grow when both are on one host |
| proportion  | 0.25    | size of the smaller text, relative to the larger, from which it is an excerpt |
| near        | 0.2     | resemblance from which two texts are reported as similar |
| figures     | 0.9     | without texts: share of the numerals in one context that a copy must keep ... |
| slack       | 2       | ... although this many may always differ |
| doubt       | 0.1     | resemblance from which the texts decide; 1: never |

One of the texts lacks a word:

>>> from dupgroups.model import Content, Record
>>> from dupgroups.methods.signatures.minhash import MinHash
>>> from dupgroups.methods.verdicts.resemblance import Resemblance
>>> signer = MinHash(least=1)
>>> texts = (
...     "The ferry struck a moored barge in thick fog. Two people are missing, the coast guard said.",
...     "The ferry struck a moored barge in thick fog. Two are missing, the coast guard said.",
... )
>>> one, two = (Record(text, text, "", signer(Content(text))) for text in texts)
>>> verdict = Resemblance()(one, two)
>>> verdict.relation, verdict.reason
('duplicate', '78% of their phrases are common to both, 92% of those of the shorter text.')
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dupgroups.errors import ConfigError
from dupgroups.methods.fact_comparison import compare_facts
from dupgroups.methods.signals import Signal, at_least, at_most
from dupgroups.methods.sketches.bitmaps import HEAD, Bitmap, Bitmaps, bitmap_sizes, unpack, unpack_bitmaps
from dupgroups.methods.verdicts.base import Bodies, too_short
from dupgroups.model import Record, Relation, Verdict
from dupgroups.text.facts import Facts
from dupgroups.text.numerals import agreement
from dupgroups.text.sets import containment, resemblance

Floats = NDArray[np.float64]
# A misread copy keeps a resemblance of at least LEFT * (share of intact words) ** POWER: a third less than
# any of 900 copies had with 2, 4 and 8 % of their characters misread. Names lower that share, too.
LEFT, POWER = 6.0, 8
MISREAD_LOSS = 0.8  # share of the damage by which misreading lowers the resemblance, although it is mended
RUNNING_GAIN = 0.07  # of resemblance, where only the running text is compared
HEADLINE_DAYS = 3  # that two equal headlines without a text may be apart where both are dated ...
SHORT_DAYS = 5  # ... and short texts of which one corrects the other, or has other words
THRESHOLD_MARGIN = (
    1e-4  # of the smaller set: how far from a threshold a pair has to be for it to be seen in bulk
)


@dataclass(frozen=True)
class Resemblance:
    """Judges by shared shingles; the table above explains the fields.

    Scores rank pairs of any relation: copies from 0.5 to 1, excerpts from 0.25 to 0.5, all others below.
    """

    threshold: float = 0.47
    containment: float = 0.75
    epsilon: float = 0.05
    proportion: float = 0.25
    near: float = 0.2
    figures: float = 0.9
    slack: int = 2
    doubt: float = 0.1

    def __post_init__(self) -> None:
        for field in fields(self):
            if field.name != "slack" and not 0 <= getattr(self, field.name) <= 1:
                raise ConfigError(f"{field.name} must be between 0 and 1")
        if not 0 < self.near <= self.threshold < self.threshold + self.epsilon < 1:
            raise ConfigError(
                "near must be above 0 and at most threshold, epsilon above 0, and threshold + epsilon below 1"
            )
        if self.slack < 0:
            raise ConfigError("slack must be at least 0")

    def __call__(self, a: Record, b: Record) -> Verdict:
        """How `a` relates to `b`."""
        short = too_short(a, b)
        if short:
            return short
        (words_a, whole_a, numerals_a), (words_b, whole_b, numerals_b) = _parts(a), _parts(b)
        both = _count_shared(words_a, words_b)
        alike = resemblance(both, words_a.size, words_b.size)
        covered = containment(both, min(words_a.size, words_b.size))
        raised = self.epsilon if a.host and a.host == b.host else 0.0
        relation, score = self._relation(alike, covered, words_a.size, words_b.size, raised)
        doubtful = self.doubt < 1 and bool(alike >= self._doubt(whole_a * whole_b))
        reason = (
            f"{alike:.0%} of their phrases are common to both, {covered:.0%} of those of the shorter text"
        )
        if score >= 0.25:
            common, same = agreement(numerals_a, numerals_b)
            if common - same > max(self.slack, (1 - self.figures) * common):
                difference = f"but {common - same} of {common} numerals in the same context differ"
                score = 0.25 * alike * same / common
                return Verdict("near", score, f"{reason}, {difference}.", doubtful)
        return Verdict(relation, score, f"{reason}.", doubtful)

    def by_texts(self, a: Record, b: Record, one: Facts, two: Facts) -> Verdict:
        """How `a` relates to `b`, now that their texts are known; see `verdicts.base.TextJudge`."""
        found = compare_facts(one, two)
        raised = self.epsilon if a.host and a.host == b.host else 0.0
        alike = found.resemblance
        if self.threshold - RUNNING_GAIN <= alike < self.threshold + raised:
            # signatures know which sentences are running text, across which two texts share no shingles
            alike = max(alike, min(self._resemblance(a, b), alike + RUNNING_GAIN))
        alike = min(1.0, alike / (1 - MISREAD_LOSS * found.damage))
        relation, score = self._relation(alike, found.containment, *found.sizes, raised)
        says_the_same = found.is_short_copy if found.is_short else found.is_rewritten
        if says_the_same:
            relation, score = "duplicate", max(score, 0.5 + 0.25 * found.words)
        elif found.is_short and relation == "duplicate":
            relation = "near"
        same_headline = found.is_headline and found.is_short_copy
        why = "" if same_headline else found.contradiction(one, two)
        if not why and (same_headline or found.is_soon_another):
            why = _too_far(a, b, HEADLINE_DAYS if same_headline else SHORT_DAYS)
        reason = found.reason
        if why and relation not in ("near", "different"):
            return Verdict(
                "near", 0.25 * alike * found.share_of_facts, f"{reason}, but {why}.", doubtful=True
            )
        if relation == "near":
            score = min(score, 0.2499)
            reason = f"{reason}, and {why}" if why else reason
        return Verdict(relation, score, f"{reason}.", doubtful=True)

    def signals_of_texts(self, a: Record, b: Record, one: Facts, two: Facts) -> tuple[Signal, ...]:
        """See verdicts.base.TextJudge."""
        found = compare_facts(one, two)
        share = min(found.sizes) / max(1, *found.sizes)
        signals = self._copy_signals(a, b, found.resemblance, found.containment, share)
        shown = signals[2:] if found.is_short else signals  # phrases do not decide on short texts
        return (*shown, *(limit.signal for limit in found.limits))

    @property
    def reads_texts(self) -> bool:
        """See verdicts.base.TextJudge."""
        return self.doubt < 1

    def _resemblance(self, a: Record, b: Record) -> float:
        (one, _, _), (two, _, _) = _parts(a), _parts(b)
        return resemblance(_count_shared(one, two), one.size, two.size)

    def _doubt(self, whole: Floats | float) -> Floats | float:
        """The resemblance from which a pair is doubtful if this share of the words is whole in both."""
        return np.minimum(self.doubt, LEFT * whole**POWER)

    def may_join(self, a: Bodies, b: Bodies) -> NDArray[np.bool_]:
        """See verdicts.base.BatchPrefilter; pairs of bitmaps of different lengths or levels may all join."""
        found = np.ones(len(a), np.bool_)
        known = _bitmaps(a, b) if self.doubt < 1 else None
        if known is None:
            return found
        which, one, two, size = known
        whole_a, whole_b = (_whole_share(bodies[which].heads(size + 1)[:, -1]) for bodies in (a, b))
        few, doubt = np.minimum(one.sizes, two.sizes), self._doubt(whole_a * whole_b)
        least = doubt / (1 + doubt) * (one.sizes + two.sizes)
        found[which] = _surely_more(one, two, least - THRESHOLD_MARGIN * few)
        return found

    def nearness(self, a: Bodies, b: Bodies) -> tuple[Floats, NDArray[np.bool_]]:
        """See verdicts.base.BatchPrefilter: the share of the bits of both bitmaps; 1 for other bodies."""
        found, sure = np.ones(len(a)), np.full(len(a), False)
        if known := _all_bitmaps(a, b):
            which, one, two, _ = known
            found[which] = one.common_bits(two)
            sure[which] = one.levels == two.levels
        return found, sure

    def signals(self, a: Record, b: Record) -> tuple[Signal, ...]:
        """See verdicts.base.Explaining."""
        if too_short(a, b):
            return ()
        (words_a, _, numerals_a), (words_b, _, numerals_b) = _parts(a), _parts(b)
        both, smaller = _count_shared(words_a, words_b), min(words_a.size, words_b.size)
        alike, covered = resemblance(both, words_a.size, words_b.size), containment(both, smaller)
        common, same = agreement(numerals_a, numerals_b)
        allowed = max(self.slack, int((1 - self.figures) * common))
        share = smaller / max(words_a.size, words_b.size)
        return (
            *self._copy_signals(a, b, alike, covered, share),
            at_most("numerals in the same context that differ", common - same, allowed, "slack, figures"),
            at_least("phrases common to both, to be similar", alike, self.near, "near"),
        )

    def _copy_signals(
        self, a: Record, b: Record, alike: float, covered: float, share: float
    ) -> tuple[Signal, ...]:
        """Two measures of the phrases and one of the sizes of two texts, of which one may be a copy."""
        same_host = bool(a.host) and a.host == b.host
        raised, added = (self.epsilon, " + epsilon") if same_host else (0.0, "")
        contained = min(1.0, self.containment + raised)
        return (
            at_least("phrases common to both", alike, self.threshold + raised, f"threshold{added}"),
            at_least("phrases of the shorter in the longer", covered, contained, f"containment{added}"),
            at_least("size of the shorter against the longer", share, self.proportion, "proportion"),
        )

    def _relation(
        self, alike: float, covered: float, size_a: int, size_b: int, raised: float
    ) -> tuple[Relation, float]:
        """Relation and score by the words alone; the thresholds are `raised` by that much."""
        threshold = self.threshold + raised
        if alike >= threshold:
            return "duplicate", 0.5 + 0.5 * (alike - threshold) / (1 - threshold)
        if covered >= min(1.0, self.containment + raised) and size_a != size_b:
            excerpt = min(size_a, size_b) >= self.proportion * max(size_a, size_b)
            larger: Relation = "contains" if size_a > size_b else "contained"
            return larger if excerpt else "near", 0.25 + 0.2499 * covered
        return "near" if alike >= self.near else "different", 0.25 * alike / threshold


def _too_far(a: Record, b: Record, most: int) -> str:
    """Why two short texts are not of one event by their days, as a clause; "" if they may be."""
    if a.published is None or b.published is None or abs(a.day - b.day) <= most:
        return ""
    return f"these few words were published {abs(a.day - b.day)} days apart"


def _bitmaps(a: Bodies, b: Bodies) -> tuple[NDArray[np.int64], Bitmaps, Bitmaps, int] | None:
    """The pairs with bitmaps of one length and level, these, and the bytes that each takes; None for none."""
    if (known := _all_bitmaps(a, b)) is None:
        return None
    which, one, two, size = known
    alike = one.levels == two.levels
    return which[alike], one[alike], two[alike], size


def _all_bitmaps(a: Bodies, b: Bodies) -> tuple[NDArray[np.int64], Bitmaps, Bitmaps, int] | None:
    """Likewise, those of one length and any levels."""
    which = np.flatnonzero(np.minimum(a.sizes, b.sizes) >= HEAD)
    sizes_a, sizes_b = (bitmap_sizes(bodies[which].heads(HEAD)) for bodies in (a, b))
    size = int(sizes_a.max(initial=-1))
    which = which[(sizes_a == size) & (sizes_b == size) & (size > HEAD)]
    which = which[np.minimum(a.sizes, b.sizes)[which] > size]
    if not len(which):
        return None
    one, two = (unpack_bitmaps(bodies[which].heads(size)) for bodies in (a, b))
    return which, one, two, size


def _whole_share(strange: Any) -> Any:
    """The share of intact words, from the stored byte (or several): how many are no words of the news."""
    return 1 - strange / 255


def _surely_more(one: Bitmaps, two: Bitmaps, amounts: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether they share more than these amounts, which may be below 0, or above what a set has."""
    few = np.minimum(one.sizes, two.sizes)
    within = np.clip(amounts, 0, (1 - THRESHOLD_MARGIN / 2) * few)
    more = one.share_more(two, within)
    return more & (amounts <= within) | (amounts < 0)


def _count_shared(a: Bitmap, b: Bitmap) -> float:
    """How many shingles two texts share. Raises ConfigError for bitmaps of different lengths."""
    try:
        return a.estimate_shared(b)
    except ValueError as error:
        raise ConfigError(str(error)) from error


def _parts(record: Record) -> tuple[Bitmap, float, bytes]:
    """The words, the share of them that is whole, and the numerals of a record. Raises ConfigError for a body
    that is not of this kind.
    """
    try:
        words, rest = unpack(record.signature.body)
        if len(rest) % 3 == 1:
            return words, _whole_share(rest[0]), rest[1:]
    except ValueError:
        pass
    raise ConfigError(
        f"the judge 'resemblance' reads signatures of minhash, not of {record.signature.scheme!r}"
    )
