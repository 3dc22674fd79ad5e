"""What makes two documents one group (how many candidates are judged, which relations join), and its head."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dupgroups.grouping.heads import OLDEST, Order, order_of
from dupgroups.model import Linkage, Record, Relation, Verdict
from dupgroups.model.config import Config


@dataclass(frozen=True, slots=True)
class Rule:
    """`join`: the relations that put two documents into one group, without direction (`contains` with
    `contained`); `candidates`: how many stored records that share keys a document is compared with at most,
    and how many earlier ones of its batch. `linkage`: whether groups merge where enough of
    the pairs across them join (`average`, see `linkage.py`), or for one such pair (`closure`). `head`:
    which member stands for a group (see `Config`). `within_days`: how many days apart two documents may have
    been published, None for any number.
    """

    join: frozenset[Relation]
    candidates: int
    linkage: Linkage = "average"
    head: str | tuple[str, ...] = OLDEST
    within_days: int | None = None

    @classmethod
    def of(cls, config: Config) -> Rule:
        """The rule of a configuration."""
        return cls(config.join, config.candidates, config.linkage, config.head, config.within_days)

    def compares(self, a: Record, b: Record) -> bool:
        """Whether two documents are near enough in time to be one story."""
        return self.within_days is None or abs(a.day - b.day) <= self.within_days

    def joins(self, verdict: Verdict) -> bool:
        """Whether a verdict puts its two documents into one group."""
        return verdict.relation in self.join

    @property
    def elects(self) -> bool:
        """Whether another member than the one that names a group may be its head."""
        return self.head != OLDEST

    @property
    def order(self) -> Callable[[Record], Order]:
        """The member of a group for which this is the smallest is its head."""
        return order_of(self.head)
