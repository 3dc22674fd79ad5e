"""The settings of grouping: how many candidates are judged, which relations join two documents, and which
member stands for a group (see `heads.py`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dupgroups.grouping.heads import OLDEST_HEAD, Order, order_of
from dupgroups.model import Linkage, Record, Relation, Verdict
from dupgroups.model.config import Config

# The most texts that the text of one document is compared with. On a newswire 84 of 10,500 items had more
# doubtful candidates; their copies were among the first 10. With 8, different stories on one subject merged.
MAX_COMPARED_TEXTS = 16


@dataclass(frozen=True, slots=True)
class GroupingRule:
    """The part of a configuration that decides about groups."""

    join: frozenset[Relation]
    """The relations that put two documents into one group, either way round (`contains`, `contained`)."""
    candidates: int
    """How many stored records that share keys a document is compared with at most, and how many earlier ones
    of its batch."""
    linkage: Linkage = "average"
    """Whether groups merge where enough of the pairs across them join (`average`, see `linkage.py`), or for
    one such pair (`closure`)."""
    head: str | tuple[str, ...] = OLDEST_HEAD
    """Which member stands for a group (see `Config`)."""
    within_days: int | None = None
    """How many days apart two documents may have been published; None for any number."""
    max_compared_texts: int | None = None
    """With how many of the candidates that signatures leave in doubt a document is compared by its text: with
    those whose signatures have most in common; None for all."""

    @classmethod
    def of(cls, config: Config) -> GroupingRule:
        """The rule of a configuration."""
        return cls(config.join, config.candidates, config.linkage, config.head, config.within_days)

    def is_near_in_time(self, a: Record, b: Record) -> bool:
        """Whether two documents are near enough in time to be one story."""
        return self.within_days is None or abs(a.day - b.day) <= self.within_days

    def joins(self, verdict: Verdict) -> bool:
        """Whether a verdict puts its two documents into one group."""
        return verdict.relation in self.join

    @property
    def max_partners(self) -> int:
        """How many others a document can be tied to when it comes."""
        return (
            self.candidates
            if self.max_compared_texts is None
            else min(self.candidates, self.max_compared_texts)
        )

    @property
    def elects(self) -> bool:
        """Whether another member than the one that names a group may be its head."""
        return self.head != OLDEST_HEAD

    @property
    def order(self) -> Callable[[Record], Order]:
        """The member of a group for which this is the smallest is its head."""
        return order_of(self.head)
