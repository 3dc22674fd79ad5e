"""Where groups went that were merged into others: a small index beside the documents, `_id` -> `to`.

A redirect may lead to another one; whoever reads them follows them to the end.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from dupgroups.engines.base import MAX_WINDOW_HITS
from dupgroups.errors import EngineError
from dupgroups.text.batches import batches
from dupgroups_es import queries
from dupgroups_es.cluster import Cluster
from dupgroups_es.document_source import hit_version
from dupgroups_es.mapping import side_body
from dupgroups_es.transport import Action


class Redirects:
    """The redirects of one index. Writes come one after another; the caller sees to that."""

    def __init__(self, cluster: Cluster, name: str) -> None:
        self.name = name
        self._cluster = cluster

    def prepare(self) -> None:
        """Create the index if it is missing."""
        if not self._cluster.index(self.name):
            self._cluster.create_index(self.name, side_body("redirects"))

    def refresh(self) -> None:
        self._cluster.refresh(self.name)

    def resolve(self, groups: Sequence[str]) -> dict[str, str]:
        """Where each group is now, as of this moment."""
        redirects = self.follow_redirects(groups)
        return {group: _end(group, redirects) for group in groups}

    def follow_redirects(self, groups: Iterable[str]) -> dict[str, str]:
        """Every redirect that is met on the way from these groups."""
        redirects: dict[str, str] = {}
        ahead = set(groups)
        while ahead:
            hits = self._cluster.mget(self.name, sorted(ahead - {""}), ["to"])
            redirects |= {group: hit["_source"]["to"] for group, hit in hits.items()}
            ahead = {redirects[group] for group in hits} - set(redirects)
        return redirects

    def all_redirects(self) -> Iterator[tuple[str, str]]:
        """All redirects, as (name, where it leads)."""
        self.refresh()
        for hits in self._cluster.scroll(self.name, queries.scroll_all(["to"])):
            yield from ((hit["_id"], hit["_source"]["to"]) for hit in hits)

    def count(self) -> int:
        """The number of redirects; what was not refreshed yet is missing."""
        return self._cluster.count(self.name)

    def former_names(self, group: str, limit: int) -> list[str]:
        """At most `limit` names that lead to a group, sorted; what was not refreshed yet is missing."""
        answer = self._cluster.search(self.name, queries.page_body({"term": {"to": group}}, size=limit))
        return sorted(hit["_id"] for hit in answer["hits"]["hits"])

    def write(self, moves: Mapping[str, str], ended: Iterable[str], live: Collection[str]) -> list[str]:
        """Note where groups go (`moves`), and take back the redirects that are `ended`.

        Redirects to a group that moves go on with it, also if that group comes back later; no redirect leads
        away from a `live` name. Returns the names that were led on: whoever led them here first may have died
        before their members moved. Raises EngineError when not all of it is written.
        """
        losers = moves.keys() - set(live)
        actions = [Action("delete", self.name, name) for name in ended]
        actions += [Action("index", self.name, name, {"to": moves[name]}) for name in losers]
        led_on = [
            replace(action, source={"to": moves[end]})
            for action, end in self._leading_to(sorted(moves))
            if action.id not in moves and action.id not in live
        ]
        actions += led_on
        failures = self._cluster.write(actions).failures  # what somebody else changed stays as it is now
        if failures:
            reason = next(iter(failures.values()))
            raise EngineError(f"{self._cluster.name} rejected the redirect of a group: {reason}")
        return [action.id for action in led_on]

    def _leading_to(self, groups: Sequence[str]) -> Iterator[tuple[Action, str]]:
        """The actions that write the redirects to these groups, as they were read, and where each ends."""
        if groups:
            self.refresh()
        for some in batches(groups, queries.PAGE_DOCUMENTS):
            leading = queries.page_body({"terms": {"to": some}}, ["to"], MAX_WINDOW_HITS, sort=["_doc"])
            for hits in self._cluster.scroll(self.name, {**leading, "seq_no_primary_term": True}):
                for hit in hits:
                    version = hit_version(hit)
                    yield Action("index", self.name, hit["_id"], version=version), hit["_source"]["to"]


def _end(group: str, redirects: Mapping[str, str]) -> str:
    """Follow redirects to their end; a circle, which only a fault could make, ends where it began."""
    seen = set()
    while group in redirects and group not in seen:
        seen.add(group)
        group = redirects[group]
    return group
