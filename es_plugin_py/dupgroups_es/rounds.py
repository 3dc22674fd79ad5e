"""Rounds over all groups of an index, some at a time, to see which have lost a member."""

from __future__ import annotations

from collections.abc import Mapping

from dupgroups_es.cluster import Answer
from dupgroups_es.positions import Position, Shard

SPLITTABLE = 3  # members: only of a group of so many can one that leaves take two apart

Positions = Mapping[Shard, Position]


class Rounds:
    """How far the present round has come, and how many members groups had in the one before."""

    def __init__(self) -> None:
        self.after: str | None = None
        self._began: Positions | None = None  # where the shards stood when the round began
        self._sizes: dict[str, int] = {}
        self._counted: dict[str, int] = {}

    def begin(self, positions: Positions) -> bool:
        """Go on with the round; or begin one, unless nothing was written since the last one began."""
        if self.after is None:
            if positions == self._began:
                return False
            self._began = positions
        return True

    def noted(self, found: Answer) -> bool:
        """Note the groups of an answer; whether they were the last of the round."""
        for bucket in found["buckets"]:
            if bucket["doc_count"] >= SPLITTABLE:
                self._counted[bucket["key"]["group"]] = bucket["doc_count"]
        after = found.get("after_key")
        self.after = after["group"] if after and found["buckets"] else None
        if self.after is None:
            self._sizes, self._counted = self._counted, {}
        return self.after is None

    def has_shrunk(self, name: str, size: int) -> bool:
        """Whether a group had more members in the round before."""
        return size < self._sizes.get(name, 0)
