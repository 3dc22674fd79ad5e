"""An engine of dictionaries: for experiments, for tests, and as the reference for all other engines."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from dupgroups.engines.base import Backlog
from dupgroups.engines.common import (
    OVERTAKEN,
    copy_of,
    final_moves,
    most,
    naming,
    refusal,
    site_of,
    storable,
    with_head,
)
from dupgroups.engines.memory_search import Searcher
from dupgroups.engines.url import EngineURL
from dupgroups.errors import ConfigError, ConflictError, EngineError
from dupgroups.grouping.key_index import KeyIndex
from dupgroups.model import (
    Check,
    Copy,
    Correction,
    Document,
    Membership,
    Query,
    Record,
    Results,
    Seen,
    Signature,
    Statistics,
)


class MemoryEngine:
    """Keeps documents until the process ends. Only one thread at a time may use it."""

    retries = 0  # see Store.retries

    def __init__(self, url: EngineURL | None = None) -> None:
        if url is not None and (url.host or url.path or url.options):
            raise ConfigError("the memory engine takes no path and no options: write memory://")
        self._documents: dict[str, Document] = {}
        self._keys = KeyIndex()
        self._version = 0
        self._members: defaultdict[str, set[str]] = defaultdict(set)
        self._redirects: dict[str, str] = {}
        self._searcher = Searcher(self._documents)
        self._corrections: tuple[Correction, ...] = ()

    @property
    def name(self) -> str:
        """The URL of the engine."""
        return "memory://"

    def get(self, ids: Sequence[str]) -> dict[str, Record]:
        """See Engine.get."""
        return {id_: self._documents[id_].record for id_ in ids if id_ in self._documents}

    def candidates(self, signatures: Sequence[Signature], *, limit: int) -> list[list[Record]]:
        """See Engine.candidates."""
        return [self._keys.candidates(signature, limit=limit) for signature in signatures]

    def look_ahead(self, records: Sequence[Record], *, limit: int) -> None:
        """See Store.look_ahead: there is no server to wait for."""

    def members(self, groups: Sequence[str], *, limit: int | None = None) -> dict[str, list[Record]]:
        """See Engine.members."""
        return {group: [document.record for document in self._group(group)[:limit]] for group in groups}

    def heads(self, groups: Sequence[str]) -> dict[str, list[Record]]:
        """See Store.heads."""
        found = {
            group: [record for record in self.members([group])[group] if record.is_head] for group in groups
        }
        return {group: sorted(records, key=lambda record: record.id) for group, records in found.items()}

    def resolve(self, groups: Sequence[str]) -> dict[str, str]:
        """See Engine.resolve."""
        return {group: self._redirects.get(group, group) for group in groups}

    def version(self) -> object:
        """See Store.version."""
        return self._version

    def put(
        self,
        documents: Sequence[Document],
        *,
        moves: Mapping[str, str] | None = None,
        labels: Mapping[str, str] | None = None,
        heads: Mapping[str, str] | None = None,
        seen: Seen | None = None,
    ) -> None:
        """See Store.put."""
        if seen and seen.store != self._version:
            raise ConflictError(OVERTAKEN, ids=[document.record.id for document in documents])
        self._version += 1
        failures = {document.record.id: reason for document in documents if (reason := refusal(document))}
        good = [storable(document) for document in documents if document.record.id not in failures]
        names, heads = naming(good, labels), heads or {}
        self._end_redirects(names)
        self._move(final_moves(moves or {}, names, self._redirects.get), heads)
        self._end_redirects(names)
        self._label(labels or {}, heads)
        for document in good:
            self._forget([document.record.id])
            self._store(replace(document, record=with_head(document.record, heads)))
        if failures:
            raise EngineError(f"{len(failures)} documents were rejected", failures=failures)

    def backlog(self) -> Backlog:
        """Always empty: every writer sees all documents."""
        return Backlog()

    def settled(self, backlog: Backlog) -> None:
        """Nothing to do: there is never a backlog."""

    def _end_redirects(self, names: Iterable[str]) -> None:
        for group in names:
            self._redirects.pop(group, None)

    def _move(self, moves: Mapping[str, str], heads: Mapping[str, str]) -> None:
        moved = {
            document.record.id: winner for loser, winner in moves.items() for document in self._group(loser)
        }
        self._label(moved, heads)
        onward = {former: moves.get(target, target) for former, target in self._redirects.items()}
        self._redirects = {**onward, **moves}

    def _label(self, labels: Mapping[str, str], heads: Mapping[str, str]) -> None:
        for id_, group in labels.items():
            if id_ in self._documents:
                document = self._documents[id_]
                self._members[document.record.group].discard(id_)
                record = with_head(replace(document.record, group=group), heads)
                self._store(replace(document, record=record))

    def _store(self, document: Document) -> None:
        record = document.record
        self._documents[record.id] = document
        self._members[record.group].add(record.id)
        self._keys.put(record)

    def touch(self, ids: Sequence[str], last_seen: int) -> None:
        """See Engine.touch."""
        for document in [self._documents[id_] for id_ in ids if id_ in self._documents]:
            record = replace(document.record, last_seen=last_seen)
            self._store(replace(document, record=record))

    def delete(self, ids: Sequence[str]) -> None:
        """See Engine.delete."""
        self._version += 1
        self._forget(ids)

    def _forget(self, ids: Iterable[str]) -> None:
        for document in [self._documents.pop(id_) for id_ in ids if id_ in self._documents]:
            record = document.record
            self._searcher.forget(record.id)
            self._members[record.group].discard(record.id)
            self._keys.delete(record.id)

    def corrections(self, *, fresh: bool = False) -> Sequence[Correction]:
        """See Store.corrections."""
        return self._corrections

    def correct(self, entry: Correction) -> None:
        """See Store.correct."""
        if entry.number != len(self._corrections) + 1:
            raise ConflictError(OVERTAKEN, ids=())
        self._version += 1
        self._corrections += (entry,)

    def corrected(self, number: int, after: Mapping[str, int]) -> None:
        """See Store.corrected."""
        self._corrections = tuple(
            replace(entry, after=after) if entry.number == number else entry for entry in self._corrections
        )

    def refresh(self) -> None:
        """Nothing to do: there are no other writers."""

    def read(self, ids: Sequence[str]) -> dict[str, Document]:
        """See Engine.read."""
        return {id_: self._documents[id_] for id_ in ids if id_ in self._documents}

    def scan(self, *, after: str | None = None) -> Iterator[Document]:
        """See Engine.scan."""
        for id_ in sorted(self._documents):
            if (after is None or id_ > after) and id_ in self._documents:
                yield self._documents[id_]

    def memberships(self) -> Iterator[Membership]:
        """See Engine.memberships."""
        records = [document.record for document in self._documents.values()]
        for record in sorted(records, key=lambda record: (record.group, record.age)):
            yield Membership(record.id, record.group, record.is_head)

    def redirects(self) -> Iterator[tuple[str, str]]:
        """See Engine.redirects."""
        yield from sorted(self._redirects.items())

    def former_names(self, group: str, *, limit: int = 100) -> list[str]:
        """See Engine.former_names."""
        return sorted(name for name, target in self._redirects.items() if target == group)[:limit]

    def copies(self, group: str, *, limit: int = 100) -> list[Copy]:
        """See Engine.copies."""
        return [copy_of(document) for document in self._group(group)[:limit]]

    def _group(self, group: str) -> list[Document]:
        members = [self._documents[id_] for id_ in self._members.get(group, ())]
        return sorted(members, key=lambda document: document.record.age)

    def search(self, query: Query) -> Results:
        """See Engine.search."""
        return self._searcher.search(query, self._group)

    def closest(self, words: Sequence[str], *, limit: int = 3) -> dict[str, list[str]]:
        """See Engine.closest."""
        return self._searcher.closest(words, limit=limit)

    def outdated(self, schemes: Collection[str]) -> int:
        """See Engine.outdated."""
        return sum(document.record.signature.scheme not in schemes for document in self._documents.values())

    def statistics(self) -> Statistics:
        """See Engine.statistics."""
        documents = self._documents.values()
        sites = Counter(site for document in documents if (site := site_of(document)))
        return Statistics(
            documents=len(documents),
            sizes=Counter(len(ids) for ids in self._members.values() if ids),
            sites=len(sites),
            largest_sites=most(sites),
            redirects=len(self._redirects),
            last_seen=max((document.record.last_seen for document in documents), default=0),
        )

    def check(self) -> list[Check]:
        """See Engine.check."""
        heads = self.heads([group for group, ids in self._members.items() if ids])
        wrong = [
            group
            for group, records in heads.items()
            if len(records) != 1 or group not in self._members[group]
        ]
        return [
            Check("documents", True, f"{len(self._documents)} in memory, lost when the process ends"),
            Check("heads", not wrong, _wrong_heads(len(wrong))),
        ]

    def close(self) -> None:
        """Nothing to do: there is nothing to release."""


def _wrong_heads(groups: int) -> str:
    if not groups:
        return "every group has its oldest document and one head"
    return f"{groups} groups without the document that names them, or with no head or several"
