"""Which documents of an index have a custom routing: what their writer said, or else what a search finds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from dupgroups_es.cluster import Answer, Cluster

HELD = 10_000  # routings that are held; what was written before has been refreshed, so a search finds it


class Routings:
    """Nothing is asked of the server until it is `used`: until a document is known to have a routing.

    `asked` are the routings of the documents that somebody is about to write, by id, None for one without:
    they are looked for there and nowhere else.
    """

    def __init__(self, cluster: Cluster, index: str) -> None:
        self._cluster = cluster
        self._index = index
        self._written: dict[str, str | None] = {}
        self.asked: Mapping[str, str | None] = {}
        self.used = False

    def notice(self, hits: Iterable[Answer]) -> None:
        """See whether a hit has a routing: others may have begun to use them."""
        self.used = self.used or any("_routing" in hit for hit in hits)

    def found(self, ids: Sequence[str]) -> bool:
        """Whether documents that a search shows, but that their ids do not find, have a routing."""
        if self.used:
            return False
        self.used = bool(self._cluster.routings(self._index, ids))
        return self.used

    def ask(self, routings: Mapping[str, str | None]) -> None:
        """The documents that somebody is about to write, in place of those before."""
        self.asked = routings
        self.used = self.used or any(routings.values())

    def written(self, id_: str) -> None:
        """A document that was asked for is written: hold where, until a search is sure to find it."""
        if self.used and id_ in self.asked:
            self._written.pop(id_, None)
            self._written[id_] = self.asked[id_]
            while len(self._written) > HELD:
                del self._written[next(iter(self._written))]

    def known(self, ids: Sequence[str]) -> dict[str, str]:
        """The routings of these documents that are known without a search."""
        return {id_: routing for id_ in ids if (routing := self._told(id_))}

    def of(self, ids: Sequence[str]) -> dict[str, str]:
        """The routing of each of these that has one, as far as is known or as of the last refresh."""
        if not self.used:
            return {}
        unknown = [id_ for id_ in ids if id_ not in self.asked and id_ not in self._written]
        return self.known(ids) | (self._cluster.routings(self._index, unknown) if unknown else {})

    def _told(self, id_: str) -> str | None:
        return self.asked[id_] if id_ in self.asked else self._written.get(id_)
