"""An index of another tool whose documents are grouped while the tool writes them, through a carrier."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from dupgroups.engines.foreign import Carrier, Fields, Put, Target, Written, value_of
from dupgroups.model import Document, Page, Seen
from dupgroups_es.cluster import Answer, Cluster
from dupgroups_es.documents import record_source
from dupgroups_es.foreign import ForeignClusterIndex, page_of
from dupgroups_es.transport import Action, RefusedError


class WrittenClusterIndex(ForeignClusterIndex):
    """See WrittenIndex."""

    def __init__(self, cluster: Cluster, name: str, fields: Fields, carrier: Carrier) -> None:
        super().__init__(cluster, name, fields, empty=True)
        self._carry = carrier

    @property
    def is_stream(self) -> bool:
        """See WrittenIndex."""
        return bool(self._index_answer.get("data_stream"))

    def has_text(self, source: Mapping[str, Any]) -> bool:
        """See WrittenIndex."""
        return any(value_of(source, name) for name in (self._fields.text, self._fields.html) if name)

    def page(self, id_: str, source: Mapping[str, Any]) -> Page:
        """See WrittenIndex."""
        return page_of({"_index": self.index, "_id": id_, "_source": source}, self._fields)

    def reads(self, source: Mapping[str, Any]) -> bool:
        """See WrittenIndex."""
        tops = {name.split(".")[0] for name in self._named()}
        return any(name.split(".")[0] in tops for name in source)

    def sources(self, ids: Sequence[str]) -> dict[str, Mapping[str, Any]]:
        """See WrittenIndex."""
        hits = self._hits(ids, self._named())
        return {id_: hit["_source"] for id_, hit in hits.items()}

    def route(self, routings: Mapping[str, str | None]) -> None:
        """See WrittenIndex."""
        self._routings.ask(routings)

    def forget(self, ids: Collection[str]) -> None:
        """See WrittenIndex."""
        with self._lock:
            for id_ in ids:
                self._overlay.delete(id_)

    def _store(
        self, documents: Sequence[Document], seen: Seen | None
    ) -> tuple[dict[str, str], frozenset[str]]:
        if not documents:
            return {}, frozenset()
        versions = seen.records if seen else {}
        puts = [
            Put(
                document.record.id, record_source(document.record), _version(versions.get(document.record.id))
            )
            for document in documents
        ]
        written = self._carry(puts)
        failures = {id_: reason for id_, done in written.items() if (reason := self._failure(id_, done))}
        overtaken = frozenset(id_ for id_, done in written.items() if done.overtaken)
        for document, put in zip(documents, puts, strict=True):
            if put.id not in failures and put.id not in overtaken:
                self._note(document, put, written[put.id])
        return failures, overtaken

    def _note(self, document: Document, put: Put, done: Written) -> None:
        """Who wrote it may have replaced what others wrote meanwhile: that has to be looked at again."""
        writes = self.cluster.own_writes
        writes.note(Action("index", self.index, put.id), done.answer)
        self._routings.written(put.id)
        self._hold(document.record)
        was_there = put.version is not None
        if (done.unchecked and was_there) or was_there != (done.answer.get("result") == "updated"):
            writes.disown(self.index, [put.id])
        else:
            writes.own(self.index, [put.id])

    def _failure(self, id_: str, done: Written) -> str:
        """Why a document is not in the index, or not under its id; "" if it is, and for who was overtaken."""
        if done.overtaken:
            return ""
        if "error" in done.answer:
            return str(RefusedError.from_answer(done.answer.get("status", 500), done.answer["error"]))
        place = (done.answer.get("_index"), done.answer.get("_id"))
        if place != (self.index, id_) or done.answer.get("result") not in ("created", "updated"):
            return "a pipeline of the server took it elsewhere"
        return ""


def write_targets(cluster: Cluster, name: str) -> dict[str, Target]:
    """See Adopting.write_targets."""
    indices = cluster.names(name)
    targets: dict[str, Target] = {}
    for index, answer in indices.items():
        target = Target(index, answer["uuid"])
        targets[answer.get("data_stream", index)] = target
    aliases = {alias for answer in indices.values() for alias in answer.get("aliases", {})}
    for alias, holders in _holders(cluster, aliases).items():
        index = _written_by(holders)
        if index in indices:
            uuid, alias_of = indices[index]["uuid"], holders[index]
            moves_on = "is_write_index" in alias_of and "index_routing" not in alias_of
            targets[alias] = Target(index, uuid, moves_on, alias_of.get("index_routing"))
    return targets


def _holders(cluster: Cluster, aliases: Collection[str]) -> dict[str, dict[str, Answer]]:
    """The form of each alias in each index that has it, also in those that were not asked for."""
    if not aliases:
        return {}
    names = ",".join(quote(alias, safe="") for alias in sorted(aliases))
    found: Answer = cluster.send("GET", f"/_alias/{names}", missing=True) or {}
    holders: dict[str, dict[str, Answer]] = {alias: {} for alias in aliases}
    for index, answer in found.items():
        for alias, form in answer["aliases"].items():
            holders.setdefault(alias, {})[index] = form
    return holders


def _written_by(holders: Mapping[str, Answer]) -> str:
    """The index that an alias writes into; "" if it only reads."""
    takes = {index: form.get("is_write_index") for index, form in holders.items()}
    chosen = [index for index, takes_writes in takes.items() if takes_writes]
    if len(holders) == 1 and None in takes.values():
        chosen = [*holders]
    return chosen[0] if chosen else ""


def _version(version: object) -> tuple[int, int] | None:
    return version if isinstance(version, tuple) else None
