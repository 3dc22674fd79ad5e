"""Resemblance and containment of shingle sets, estimated from sketches, with a check of the figures.

Broder: On the Resemblance and Containment of Documents (1997): resemblance is |A and B| / |A or B|,
containment of A in B is |A and B| / |A|. CEDAR (Gibson, Wellner, Lubar) joins at a resemblance of 0.4 on
shingles of two words; the defaults here are for the shingles of `dupgroups.signatures.minhash`, where figures
are masked and kept apart.

The check of figures is ours: reports of one series ("12 new cases on Monday") share their words and differ in
their figures, while copies of one story keep their figures whatever an editor does to the words.

| field       | default | meaning |
|-------------|---------|---|
| duplicate   | 0.4     | resemblance from which two texts are the same story |
| containment | 0.85    | share of the smaller text from which the larger one contains it |
| near        | 0.3     | share of the smaller text from which two texts are worth telling about |
| figures     | 0.85    | share of the figures of the text with fewer figures that a copy has to keep ... |
| slack       | 1.5     | ... but so many may always differ |
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, fields

from dupgroups.errors import ConfigError
from dupgroups.model import Record, Relation, Verdict
from dupgroups.text.sketches import Sketch, overlap, resemblance
from dupgroups.verdicts.base import graded, too_short

_HEAD = struct.Struct("<BBHH")


@dataclass(frozen=True)
class Resemblance:
    """Judges by shared shingles; the table above explains the fields."""

    duplicate: float = 0.4
    containment: float = 0.85
    near: float = 0.3
    figures: float = 0.85
    slack: float = 1.5

    def __post_init__(self) -> None:
        for each in fields(self):
            if each.name != "slack" and not 0 < getattr(self, each.name) <= 1:
                raise ConfigError(f"{each.name} is above 0 and at most 1")
        if self.slack < 0:
            raise ConfigError("slack is at least 0")

    def __call__(self, a: Record, b: Record) -> Verdict:
        """How `a` stands to `b`. Symmetric score; 0.5 is where copies begin."""
        short = too_short(a, b)
        if short:
            return short
        (words_a, figures_a), (words_b, figures_b) = _sketches(a), _sketches(b)
        alike = resemblance(words_a, words_b)
        shared = overlap(words_a, words_b, alike)
        covered = shared / min(words_a.size, words_b.size)
        score = max(graded(alike, self.duplicate), graded(covered, self.containment))
        kept, least = self._figures(figures_a, figures_b)
        if score >= 0.5 and kept < least:
            few = min(figures_a.size, figures_b.size)
            reason = (
                f"The words agree ({covered:.0%} of the shorter text), but only {kept:.0f} of {few} figures "
                "do: another report of the same kind."
            )
            return Verdict("near", 0.49 * kept / least, reason)
        return Verdict(
            self._relation(alike, covered, words_a.size, words_b.size), score, _reason(alike, covered)
        )

    def _figures(self, a: Sketch, b: Sketch) -> tuple[float, float]:
        """How many figures the two share, and how many they have to share as copies."""
        few = min(a.size, b.size)
        return overlap(a, b, resemblance(a, b)), few - max(self.slack, (1 - self.figures) * few)

    def _relation(self, alike: float, covered: float, size_a: int, size_b: int) -> Relation:
        if alike >= self.duplicate:
            return "duplicate"
        if covered >= self.containment:
            return "contains" if size_a > size_b else "contained"
        return "near" if covered >= self.near else "different"


def _reason(alike: float, covered: float) -> str:
    return f"{alike:.0%} of their shingles are common to both, {covered:.0%} of those of the shorter text."


def _sketches(record: Record) -> tuple[Sketch, Sketch]:
    """The words and the figures of a record. Raises ConfigError for a body that is not of this kind."""
    body = record.signature.body
    if len(body) >= _HEAD.size:
        words, figures, size, numbers = _HEAD.unpack_from(body)
        middle = _HEAD.size + 4 * words
        if len(body) == middle + 4 * figures:
            return Sketch.unpack(size, body[_HEAD.size : middle]), Sketch.unpack(numbers, body[middle:])
    raise ConfigError(
        f"the judge 'resemblance' cannot read signatures of {record.signature.scheme!r}: "
        "use it with the signer 'minhash'"
    )
