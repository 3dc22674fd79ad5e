"""What every judge is."""

from __future__ import annotations

from typing import Protocol

from dupgroups.model import Record, Verdict


class Judge(Protocol):
    """Says how one record stands to another, by their signatures' bodies (and hosts, where the method does).

    Pure. The score is symmetric; `contains` one way is `contained` the other, every other relation is
    symmetric. Two records are only `too_short` when one of them has no keys.
    """

    def __call__(self, a: Record, b: Record) -> Verdict:
        """Relation, score (0 to 1; 0.5 and above joins by default) and reason."""


def too_short(a: Record, b: Record) -> Verdict | None:
    """The verdict when one of the two has no features, which match nothing; None when both have some."""
    if a.signature and b.signature:
        return None
    return Verdict("too_short", 0.0, "At least one of them has too little running text to be compared.")


def graded(value: float, threshold: float) -> float:
    """A value on the scale on which every threshold is 0.5; 0 stays 0, 1 stays 1, straight between.

    >>> graded(0.4, 0.4), graded(0.7, 0.4), graded(0.2, 0.4)
    (0.5, 0.75, 0.25)
    """
    if value >= threshold:
        return 1.0 if threshold >= 1 else 0.5 + 0.5 * (value - threshold) / (1 - threshold)
    return 0.5 * value / threshold
