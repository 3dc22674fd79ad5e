"""What every judge is."""

from __future__ import annotations

from typing import Protocol

from dupgroups.model import Record, Verdict


class Judge(Protocol):
    """Says how one record stands to another: a frozen dataclass whose fields are the published parameters.

    Judges are pure, read signature bodies (never keys), and are symmetric: with `a` and `b` exchanged the score
    stays and `contains` becomes `contained`. An empty signature on either side gives `too_short`.
    """

    def __call__(self, a: Record, b: Record) -> Verdict:
        """How `a` stands to `b`. Both signatures are of the scheme that this judge understands."""
