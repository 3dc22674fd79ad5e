"""An index and its copy, which takes its place behind an alias: see `IndexCopy`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import quote

from dupgroups.engines.copies import Routings, TakenOver
from dupgroups.engines.foreign import Fields
from dupgroups.engines.parts import Part, Stored
from dupgroups.engines.url import EngineURL
from dupgroups.errors import ConfigError, EngineError
from dupgroups_es.cluster import Answer, Cluster
from dupgroups_es.documents import hit_version
from dupgroups_es.mapping import ADOPTED_FIELDS, META, RECORD_FIELDS, Body
from dupgroups_es.parted import SCANNED, PartedClusterIndex, Unprocessed, grouping_fields, other_fields
from dupgroups_es.reading import RecordReader
from dupgroups_es.redirects import Redirects
from dupgroups_es.transport import Action

Opening = Callable[[EngineURL], RecordReader]
"""Opens an engine with connections of its own."""

MARK = "dup_groups_run"  # the key of `_meta` that says which run made an index, and of which one
BESIDE = ("-redirects", "-corrections", "-settled", "-followed")  # how the names of small indices end
LATER = ("index.default_pipeline", "index.final_pipeline")  # which documents went through already
OF_ITSELF = (  # how settings begin that another index cannot have, or should not
    "uuid",
    "history.uuid",
    "creation_date",
    "provided_name",
    "version.",
    "resize.",
    "remote_store.",
    "blocks.",
    "verified_before_close",
    "routing.allocation.initial_recovery.",
)
_PATTERN = frozenset("*,<>")


class SourceClusterIndex(PartedClusterIndex):
    """An index that is only read: its mapping does not have to fit."""

    def _unfit(self, *, empty: bool) -> str:
        properties = self._mapping.get("properties", {})
        kept = {name: field for name, field in properties.items() if name not in RECORD_FIELDS}
        return self._unreadable({**self._mapping, "properties": kept}, empty=empty)

    def _prepare_index(self) -> None:
        raise AssertionError("nothing is written into an index that is copied")


class CopiedClusterIndex(PartedClusterIndex):
    """See CopiedIndex."""

    def take_over(self, documents: Sequence[Stored], *, replace: bool) -> TakenOver:
        """See CopiedIndex."""
        self._prepare()
        by_id = {str(document.page.id): document for document in documents}
        self._routings.ask({id_: document.routing for id_, document in by_id.items()})
        hits = self._whole(list(by_id), self._routings.known(list(by_id)))
        other = {id_ for id_ in by_id if id_ not in hits or other_fields(hits[id_]) != by_id[id_].rest}
        wanted = [id_ for id_ in by_id if id_ in other and (replace or id_ not in hits)]
        written = self.cluster.write([self._taking(id_, by_id[id_], hits.get(id_)) for id_ in wanted])
        for id_ in by_id:
            self._routings.written(id_)
        left = other.difference(wanted) | written.overtaken
        replaced = hits.keys() & set(wanted) - left - written.failures.keys()
        return TakenOver(frozenset(replaced), frozenset(left), written.failures)

    def _taking(self, id_: str, document: Stored, hit: Answer | None) -> Action:
        source = {**(document.rest or {}), **(grouping_fields(hit) if hit else {})}
        version = hit_version(hit) if hit else None
        return Unprocessed(
            "index", self.index, id_, source, create=not hit, version=version, routing=document.routing
        )

    def ids(self) -> Iterator[Routings]:
        """See CopiedIndex."""
        for shard, position in self.cluster.positions(self.index).items():
            for hits in self._numbered(Part(shard.number, -1, position.latest), SCANNED, {"_source": False}):
                yield {hit["_id"]: hit.get("_routing") for hit in hits}

    def remove(self, documents: Routings) -> None:
        """See CopiedIndex."""
        self._prepare_writing()
        with self._writing():
            failures = self.cluster.bulk(
                [Action("delete", self.index, id_, routing=routing) for id_, routing in documents.items()]
            )
            for id_ in documents.keys() - failures.keys():
                self._overlay.delete(id_)
        if failures:
            raise EngineError(f"{self.name} rejected {len(failures)} deletions", failures=failures)


class ClusterCopy:
    """See IndexCopy."""

    def __init__(self, cluster: Cluster, url: EngineURL, engine: Opening, source: str, into: str) -> None:
        self.into = into
        self._cluster = cluster
        self._url = url
        self._engine = engine
        self._index, self._answer = self._found(source)
        self.alias = "" if source == self._index else source
        if self.alias and self._index == into and (origin := _meta(self._answer).get("index")):
            self._index, self._answer = self._origin(str(origin))  # the alias has been switched already
        if into == self._index or into in self._answer["aliases"]:
            raise self._error(f"{into!r} is the index that is to be copied: name a new one")
        if others := set(cluster.index(into)) - {into}:
            raise self._error(f"{into!r} leads to {', '.join(sorted(others))}: give the name of a new index")

    def _found(self, name: str) -> tuple[str, Answer]:
        indices = self._cluster.index(name)
        if any("data_stream" in answer for answer in indices.values()):
            raise self._error(f"{name!r} is a data stream, in whose place no other index can be put")
        if _PATTERN & set(name):
            raise self._error(f"{name!r} is a pattern: name one index, or an alias of one")
        if not indices:
            raise self._error(f"there is no index {name!r}")
        if len(indices) != 1:
            raise self._error(f"{name!r} stands for {len(indices)} indices: only one can be copied")
        ((index, answer),) = indices.items()
        return index, answer

    def _origin(self, name: str) -> tuple[str, Answer]:
        """The index that the copy was made of, and whose alias it has."""
        if name not in self._cluster.index(name):
            raise self._error(
                f"{name!r}, of which {self.into!r} is the copy, is gone: nothing more can be brought over "
                "or taken back"
            )
        return self._found(name)

    def _error(self, problem: str) -> ConfigError:
        return ConfigError(f"{self._cluster.name}: {problem}")

    @property
    def identity(self) -> tuple[str, str]:
        """See IndexCopy."""
        return self._index, self._answer["settings"]["index.uuid"]

    def source(self, fields: Fields, *, change: bool = False) -> SourceClusterIndex:
        """See IndexCopy."""
        url = replace(self._url, path=self._index)
        reopen = partial(_opened, self._engine, url, SourceClusterIndex, fields, change)
        return SourceClusterIndex(self._cluster, self._index, fields, reopen, change=change)

    def opener(self, fields: Fields | None = None) -> Callable[[], CopiedClusterIndex]:
        """See IndexCopy."""
        url = replace(self._url, path=self.into)
        return partial(_opened, self._engine, url, CopiedClusterIndex, fields)

    # -- the copy itself

    def mark(self) -> str | None:
        """See IndexCopy."""
        answer = self._cluster.index(self.into).get(self.into)
        return None if answer is None else str(_meta(answer).get("run", ""))

    def make(self, fields: Fields, mark: str, shards: int | None) -> None:
        """See IndexCopy."""
        for end in BESIDE[:2]:
            if self._cluster.index(f"{self.into}{end}"):
                raise self._error(
                    f"{self.into}{end} is left over from a former index: delete it, or name another one"
                )
        made_by = {"run": mark, "index": self._index}
        self._cluster.create_index(self.into, _body(self._answer, fields, made_by, shards))
        if self.mark() == mark and (aliases := self.aliases(self.into)):
            self.drop()
            raise self._error(
                f"an index template gives {self.into!r} the alias {', '.join(aliases)}: choose a name that "
                "no template is for"
            )

    def shards(self) -> int:
        """See IndexCopy."""
        return int(self._cluster.index(self.into)[self.into]["settings"]["index.number_of_shards"])

    def finish(self) -> None:
        """See IndexCopy."""
        settings = {name: self._answer["settings"].get(name) for name in (*LATER, "index.refresh_interval")}
        self._cluster.send("PUT", f"/{quote(self.into, safe='')}/_settings", settings)

    def drop(self) -> None:
        """See IndexCopy."""
        for end in (*BESIDE, ""):  # the copy last: who is killed before finds it again
            self._cluster.send("DELETE", f"/{quote(self.into + end, safe='')}", missing=True)

    # -- the source

    def renames(self) -> dict[str, str]:
        """See IndexCopy."""
        name = f"{self._index}-redirects"
        return dict(Redirects(self._cluster, name).everything()) if self._cluster.index(name) else {}

    def gone(self, ids: Sequence[str]) -> list[str]:
        """See IndexCopy."""
        there = {hit["_id"] for hit in self._cluster.hits_of(self._index, ids, {"_source": False})}
        return [id_ for id_ in ids if id_ not in there]

    # -- aliases

    def holder(self, alias: str) -> str:
        """See IndexCopy."""
        if _PATTERN & set(alias):
            raise self._error(f"{alias!r} is a pattern: name one alias")
        if alias in self._cluster.index(alias):
            raise self._error(f"{alias!r} is an index: name an alias, or a new one")
        holders = sorted(self._holders(alias))
        if holders not in ([], [self._index], [self.into]):
            raise self._error(
                f"the alias {alias!r} stands for {', '.join(holders)}: name one of {self._index!r} alone, or "
                "a new one"
            )
        if holders == [self._index] and self._answer["settings"].get("index.blocks.read_only") == "true":
            raise self._error(
                f"{self._index!r} has the block index.blocks.read_only, under which no alias can be taken "
                "from it: set index.blocks.write in its place"
            )
        return "".join(holders)

    def _holders(self, alias: str) -> dict[str, Answer]:
        found = self._cluster.send("GET", f"/_alias/{quote(alias, safe='')}", missing=True) or {}
        return {index: answer["aliases"][alias] for index, answer in found.items()}

    def switch(self, alias: str, *, back: bool = False) -> None:
        """See IndexCopy."""
        former, later = (self.into, self._index) if back else (self._index, self.into)
        holders = self._holders(alias)
        if later in holders:
            return
        removed = [{"remove": {"index": former, "alias": alias}}] if former in holders else []
        added = {"add": {"index": later, "alias": alias, **holders.get(former, {})}}
        self._cluster.send("POST", "/_aliases", {"actions": [*removed, added]})

    def release(self, alias: str) -> None:
        """See IndexCopy."""
        if self.into in self._holders(alias):
            remove = {"remove": {"index": self.into, "alias": alias}}
            self._cluster.send("POST", "/_aliases", {"actions": [remove]})

    def aliases(self, index: str) -> list[str]:
        """See IndexCopy."""
        return sorted(self._cluster.index(index).get(index, {}).get("aliases", {}))

    def command(self) -> str:
        """See IndexCopy."""
        remove = {"remove_index": {"index": self._index}}
        body = {"actions": [remove, {"add": {"index": self.into, "alias": self._index}}]}
        server = f"http{'s' if self._url.tls else ''}://{self._url.host}:{self._url.port or 9200}"
        header = "-H 'Content-Type: application/json'"
        return f"curl -X POST {server}/_aliases {header} -d '{json.dumps(body)}'"


def _opened(
    engine: Opening,
    url: EngineURL,
    kind: Callable[..., Any],
    fields: Fields | None,
    change: bool = False,
) -> Any:
    """An index of this kind with connections of its own, in any process."""
    reopen = partial(_opened, engine, url, kind, fields, change)
    return kind(engine(url).cluster, url.path, fields, reopen, change=change)


def _meta(answer: Answer) -> Mapping[str, Any]:
    noted = answer["mappings"].get("_meta", {}).get(MARK)
    return noted if isinstance(noted, Mapping) else {}


def _body(answer: Answer, fields: Fields, made_by: Mapping[str, str], shards: int | None) -> Body:
    """Settings and mapping of a copy, as it is while it is filled."""
    mapping, settings = answer["mappings"], answer["settings"]
    own = {
        name: value
        for name, value in settings.items()
        if not name.removeprefix("index.").startswith(OF_ITSELF)
    }
    if shards is not None:
        own.pop("index.number_of_routing_shards", None)
        own["index.number_of_shards"] = shards
    filling = {"index.refresh_interval": "-1", **dict.fromkeys(LATER, "_none")}
    meta = {**mapping.get("_meta", {}), META: {"fields": fields.plain()}, MARK: made_by}
    properties = {**mapping.get("properties", {}), **ADOPTED_FIELDS}
    return {
        "settings": {**own, **filling},
        "mappings": {**mapping, "_meta": meta, "properties": properties},
    }
