"""What a backfill did, or would do."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from dupgroups.model import Verdict


@dataclass(frozen=True, slots=True)
class Group:
    """A group in the report of a dry run: its id, its size, and the title of its oldest document."""

    id: str
    size: int
    title: str


@dataclass(frozen=True, slots=True)
class Pair:
    """Two documents of one group, and the verdict that joined them."""

    a: str
    b: str
    verdict: Verdict


@dataclass(slots=True)
class Report:
    """What a run did, or would do: documents by state, groups merged at the end, failed ids with reasons.

    Only a dry run sets `groups`, `stories` (groups of more than one document), `biggest` and some
    `pairs`.
    """

    states: Counter[str] = field(default_factory=Counter)
    merged: int = 0
    failures: dict[str, str] = field(default_factory=dict)
    groups: int = 0
    stories: int = 0
    biggest: tuple[Group, ...] = ()
    pairs: tuple[Pair, ...] = ()

    @property
    def documents(self) -> int:
        """How many documents were processed."""
        return self.states.total()

    @property
    def changed(self) -> bool:
        """Whether the run wrote anything."""
        return self.documents > self.states["unchanged"] or self.merged > 0
