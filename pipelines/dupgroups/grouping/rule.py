"""What makes two documents one group: how many candidates are judged, and which relations join."""

from __future__ import annotations

from dataclasses import dataclass

from dupgroups.config import Config
from dupgroups.model import Linkage, Relation, Verdict


@dataclass(frozen=True, slots=True)
class Rule:
    """`join`: the relations that put two documents into one group, without direction (`contains` with
    `contained`); `candidates`: how many stored records that share keys a document is compared with at most,
    and how many earlier ones of its batch. `linkage`: whether every pair that joins is in one group
    (`closure`), or only where enough of the pairs across are joined (`average`, see `linkage.py`).
    """

    join: frozenset[Relation]
    candidates: int
    linkage: Linkage = "closure"

    @classmethod
    def of(cls, config: Config) -> Rule:
        """The rule of a configuration."""
        return cls(config.join, config.candidates, config.linkage)

    def joins(self, verdict: Verdict) -> bool:
        """Whether a verdict puts its two documents into one group."""
        return verdict.relation in self.join
