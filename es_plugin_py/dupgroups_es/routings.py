"""Which documents of an index have a custom routing, as a search finds them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dupgroups_es import queries
from dupgroups_es.cluster import Answer, Cluster
from dupgroups_es.results import total


class Routings:
    """Nothing is asked of the server until it is `used`: until a document is known to have a routing."""

    def __init__(self, cluster: Cluster, index: str) -> None:
        self._cluster = cluster
        self._index = index
        self.used = False

    def look(self) -> None:
        """See whether any document has a routing, as of the last refresh."""
        self.used = self.used or total(self._cluster.search(self._index, queries.with_routing())) > 0

    def notice(self, hits: Iterable[Answer]) -> None:
        """See whether a hit has a routing: others may have begun to use them."""
        self.used = self.used or any("_routing" in hit for hit in hits)

    def found(self, ids: Sequence[str]) -> bool:
        """Whether documents that a search shows, but that their ids do not find, have a routing."""
        if self.used:
            return False
        self.used = bool(self._cluster.routings(self._index, ids))
        return self.used

    def of(self, ids: Sequence[str]) -> dict[str, str]:
        """The routing of each of these that has one, as of the last refresh."""
        return self._cluster.routings(self._index, ids) if self.used and ids else {}
