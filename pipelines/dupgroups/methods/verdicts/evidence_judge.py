"""The default judge: what two texts have in common and where they differ, weighed by a learned model.

Signatures tell what is surely different: those of one story have a resemblance of `compare_from`
at least, by the estimates of Broder, On the Resemblance and Containment of Documents (1997). All other pairs
are decided by their texts. `dupgroups.methods.evidence` measures them, and `dupgroups.methods.additive_model`
adds what each measure speaks for. The score is the probability that two texts are one story. Where no text is
known, it is estimated from the signatures.

An excerpt is a copy but for its size: a text that would be a copy if the other one ended where it ends, and
that is a substantial part of it. A smaller part, such as a quotation, is `near`: else a round-up would join
all the stories that it reports.

| field        | default | meaning |
|--------------|---------|---|
| threshold    | 0.5     | probability from which two texts are one story: less joins more |
| proportion   | 0.25    | size of the shorter text, relative to the longer one, from which it is an excerpt |
| near         | 0.2     | share of common words from which two texts are reported as similar |
| compare_from | 0.1     | resemblance of signatures from which texts are compared; 1: never |

One of the texts has another number:

>>> from dupgroups.methods.verdicts.evidence_judge import EvidenceJudge
>>> from dupgroups.model import Record, Signature
>>> from dupgroups.text.facts import read_facts
>>> records = [Record(id_, id_, "", Signature("s", ("k",), b"")) for id_ in "ab"]
>>> one = read_facts("The ferry struck a moored barge in thick fog. Two people are missing, police said.")
>>> two = read_facts("The ferry struck a moored barge in thick fog. Nine people are missing, police said.")
>>> EvidenceJudge().by_texts(*records, one, one).relation
'duplicate'
>>> verdict = EvidenceJudge().by_texts(*records, one, two)
>>> verdict.relation, verdict.reason
('near', '100% of their words are common to both, but “Two” stands against “Nine”.')
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dupgroups.errors import ConfigError
from dupgroups.methods.additive_model import LEVEL, judge_model
from dupgroups.methods.evidence import (
    LOGARITHMS,
    MEASURES,
    TIMES_IN_100_WORDS,
    Evidence,
    list_contradictions,
    measure,
)
from dupgroups.methods.signals import Part
from dupgroups.methods.sketches.bitmaps import HEAD, Bitmap, Bitmaps, bitmap_sizes, unpack, unpack_bitmaps
from dupgroups.methods.verdicts.base import Bodies, grade, too_short
from dupgroups.model import Record, Relation, Verdict
from dupgroups.text.facts import Facts
from dupgroups.text.numerals import agreement
from dupgroups.text.sets import containment, resemblance

Floats = NDArray[np.float64]
# A misread copy keeps a resemblance of at least LEFT * (share of intact words) ** POWER: a third less than
# any of 900 copies had with 2, 4 and 8 % of their characters misread.
LEFT, POWER = 6.0, 8
# of the smaller set: how far from a threshold a pair has to be for it to be seen in bulk
THRESHOLD_MARGIN = 1e-4
# nearness of a part of a text: it comes after copies, and before others that share three quarters
PART_NEARNESS, PART_POWER = 0.95, 4
MIN_KEPT = 0.3  # share of the words of the shorter text: of copies of which 4 % of the characters are misread
MAX_EXCERPT_SHARE = 0.7  # size of an excerpt against the longer text: 97 % of the labelled copies are larger
MAX_TOLD = 3  # contradictions that a reason names
# without texts: resemblance that is as good as not, share of the shorter text that an excerpt has, numerals
# in one context that may differ
SIGNED_RESEMBLANCE, SIGNED_CONTAINMENT, MIN_SIGNED_NUMERALS, SIGNED_SLACK = 0.47, 0.75, 0.9, 2


@dataclass(frozen=True)
class EvidenceJudge:
    """Judges by the probability that two texts are one story; the table above explains the fields."""

    threshold: float = 0.5
    proportion: float = 0.25
    near: float = 0.2
    compare_from: float = 0.1

    def __post_init__(self) -> None:
        for field in fields(self):
            if not 0 <= getattr(self, field.name) <= 1:
                raise ConfigError(f"{field.name} must be between 0 and 1")

    def __call__(self, a: Record, b: Record) -> Verdict:
        """How `a` relates to `b`, as their signatures estimate it; doubtful if their texts decide."""
        if short := too_short(a, b):
            return short
        (words_a, whole_a, numerals_a), (words_b, whole_b, numerals_b) = _parts(a), _parts(b)
        try:
            both, smaller = words_a.estimate_shared(words_b), min(words_a.size, words_b.size)
        except ValueError as error:  # of different lengths
            raise ConfigError(str(error)) from error
        alike, covered = resemblance(both, words_a.size, words_b.size), containment(both, smaller)
        common, same = agreement(numerals_a, numerals_b)
        score = grade(alike, SIGNED_RESEMBLANCE)
        if common - same > max(SIGNED_SLACK, (1 - MIN_SIGNED_NUMERALS) * common):
            score, covered = min(score, 0.5) * same / common, 0.0
        relation = self._relation(score, alike, words_a.size, words_b.size, covered >= SIGNED_CONTAINMENT)
        doubtful = self.compare_from < 1 and bool(alike >= self._doubt(whole_a * whole_b))
        return Verdict(relation, score, f"{alike:.0%} of their phrases are common to both.", doubtful)

    def by_texts(self, a: Record, b: Record, one: Facts, two: Facts) -> Verdict:
        """How `a` relates to `b`, now that their texts are known; see `verdicts.base.TextJudge`."""
        found, model = measure(one, two, MIN_KEPT), judge_model()
        values = found.values
        score, words = model.probability(values), values["words"]
        sizes = one.report.bag_weight, two.report.bag_weight
        may_be_excerpt = score < self.threshold and self._is_part(*sizes)
        may_be_excerpt &= values["share"] <= MAX_EXCERPT_SHARE
        # as if the longer text ended where the shorter one does
        cut = {"words": values["kept"], "ordered": values["ordered kept"], "share": 1.0}
        is_excerpt = may_be_excerpt and model.probability(values | cut) >= self.threshold
        relation = self._relation(score, values["ordered"], *sizes, is_excerpt)
        reason = f"{words:.0%} of their words are common to both"
        if relation in ("near", "different") and found.gaps:
            reason = f"{reason}, but {_tell(one, two, found)}"
        return Verdict(relation, score, f"{reason}.", doubtful=True)

    def parts_of_texts(self, one: Facts, two: Facts) -> tuple[Part, ...]:
        """See `verdicts.base.TextJudge`: those that say most first; the level comes last."""
        values = measure(one, two, MIN_KEPT).values
        points = judge_model().weigh(values)
        told = sorted(filter(points.get, MEASURES), key=lambda name: -abs(points[name]))
        parts = [Part(MEASURES[name], _as_shown(name, values[name]), points[name]) for name in told]
        return (*parts, Part("two texts of which nothing is known", None, points[LEVEL]))

    @property
    def reads_texts(self) -> bool:
        """See verdicts.base.TextJudge."""
        return self.compare_from < 1

    def _relation(
        self, score: float, alike: float, size_a: float, size_b: float, is_excerpt: bool
    ) -> Relation:
        if score >= self.threshold:
            return "duplicate"
        if is_excerpt and self._is_part(size_a, size_b):
            return "contains" if size_a > size_b else "contained"
        return "near" if alike >= self.near else "different"

    def _is_part(self, size_a: float, size_b: float) -> bool:
        """Whether one of two texts is large enough to be an excerpt of the other one."""
        return size_a != size_b and min(size_a, size_b) >= self.proportion * max(size_a, size_b)

    def _doubt(self, whole: Floats | float) -> Floats | float:
        """The resemblance from which a pair is doubtful if this share of the words is whole in both."""
        return np.minimum(self.compare_from, LEFT * whole**POWER)

    def may_join(self, a: Bodies, b: Bodies) -> NDArray[np.bool_]:
        """See verdicts.base.BatchPrefilter; pairs of bitmaps of different lengths or levels may all join."""
        found = np.ones(len(a), np.bool_)
        known = _all_bitmaps(a, b) if self.compare_from < 1 else None
        if known is None:
            return found
        which, one, two, size = known
        alike = one.levels == two.levels
        which, one, two = which[alike], one[alike], two[alike]
        whole_a, whole_b = (_whole_share(bodies[which].heads(size + 1)[:, -1]) for bodies in (a, b))
        few, doubt = np.minimum(one.sizes, two.sizes), self._doubt(whole_a * whole_b)
        least = doubt / (1 + doubt) * (one.sizes + two.sizes)
        found[which] = _surely_more(one, two, least - THRESHOLD_MARGIN * few)
        return found

    def nearness(self, a: Bodies, b: Bodies) -> tuple[Floats, NDArray[np.bool_]]:
        """See verdicts.base.BatchPrefilter: the share of the bits of both bitmaps; 1 for other bodies.

        A text that the other one has all but wholly is nearly a copy: it may be the copy without a frame.
        """
        found, sure = np.ones(len(a)), np.full(len(a), False)
        if known := _all_bitmaps(a, b):
            which, one, two, _ = known
            alike, within = one.common_bits(two), one.containments(two)
            nearest_first = (3 + alike) / 4  # of several parts
            found[which] = np.maximum(alike, PART_NEARNESS * within**PART_POWER * nearest_first)
            sure[which] = one.levels == two.levels
        return found, sure


def _as_shown(name: str, value: float) -> float:
    """A measure as a count or a share, which readers understand.

    >>> _as_shown("size", math.log1p(49)), _as_shown("negations", 1.0), _as_shown("words", 0.5)
    (49, 0.01, 0.5)
    """
    if name in LOGARITHMS:
        return round(math.expm1(value))
    return value / 100 if name in TIMES_IN_100_WORDS else value


def _tell(one: Facts, two: Facts, found: Evidence) -> str:
    """The first contradictions, as the texts spell them."""
    told = [
        f"“{first}” stands against “{second}”" if first and second else f"only one has “{first or second}”"
        for _, first, second in list_contradictions(one, two, found)
    ]
    return ", ".join([*dict.fromkeys(told)][:MAX_TOLD])


def _all_bitmaps(a: Bodies, b: Bodies) -> tuple[NDArray[np.int64], Bitmaps, Bitmaps, int] | None:
    """The pairs with bitmaps of one length, these, and the bytes that each takes; None for none."""
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
    raise ConfigError(f"the judge 'evidence' reads signatures of minhash, not of {record.signature.scheme!r}")
