"""Keeps the earlier texts of documents in a small index beside them: one entry for each change.

A document has its changes in one place, the latest last, so that a look needs no search. They are written
before the document. Each names the text that it leads from; who reads follows them from the text that is
stored, and so passes over what a writer noted that died, or was overtaken, before it wrote the document.
"""

import base64
import logging
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import accumulate
from typing import Any

from dupgroups.engines.base import MAX_REVISIONS
from dupgroups.errors import EngineError
from dupgroups.model import Document, Revision
from dupgroups.text.deltas import apply_delta, make_delta
from dupgroups.text.facts import add_title
from dupgroups_es.cluster import Answer, Cluster
from dupgroups_es.document_source import hit_version
from dupgroups_es.mapping import side_body
from dupgroups_es.transport import Action

MAX_REVISION_CHARS = 1_000_000  # of all that is kept of a document: it is written anew with each change
SCAN_DOCUMENTS = 1000  # documents whose ids are read at a time
MAX_TRIES = 5  # times that a change is noted again because others note one of the same document

Entry = dict[str, Any]

log = logging.getLogger(__name__)


class RevisionIndex:
    """The changes of the documents of one index. The index of the changes is made with the first of them."""

    def __init__(self, cluster: Cluster, name: str) -> None:
        self.name = name
        self._cluster = cluster

    def is_there(self) -> bool:
        """Whether there is an index; somebody may delete it at any time."""
        return bool(self._cluster.names(self.name))

    def note_changes(self, stored: Mapping[str, Document], documents: Iterable[Document]) -> None:
        """Note what stored documents say, by id, of which these are the next versions, as far as they say
        something else. What the server refuses to keep is not kept, with a warning: no document is left out
        for it. Raises EngineError if the server cannot be asked.
        """
        changed = {document.record.id: document for document in documents if document.record.id in stored}
        entries: dict[str, Entry] = {}
        for id_, document in changed.items():
            later, earlier = add_title(document.content), add_title(stored[id_].content)
            if later != earlier:
                delta = base64.b64encode(make_delta(later, earlier)).decode("ascii")
                entries[id_] = {"at": document.record.last_seen, "of": _digest(later), "delta": delta}
        try:
            if entries and not self.is_there():
                self._cluster.create_index(self.name, side_body("revisions"))
            self._write(entries)
        except EngineError as error:
            if error.temporary:
                raise
            log.warning("What was changed is not kept: %s", error)

    def _write(self, entries: Mapping[str, Entry]) -> None:
        for _ in range(MAX_TRIES):
            if not entries:
                return
            hits = self._cluster.mget(self.name, sorted(entries), ["changes"])
            written = self._cluster.write(
                [self._action(id_, entry, hits.get(id_)) for id_, entry in entries.items()]
            )
            for id_, reason in written.failures.items():
                log.warning("What %s said before is not kept: %s refused it: %s", id_, self.name, reason)
            entries = {id_: entry for id_, entry in entries.items() if id_ in written.overtaken}

    def _action(self, id_: str, entry: Entry, hit: Answer | None) -> Action:
        kept = _changes_of(hit)
        is_noted = any((last["of"], last["delta"]) == (entry["of"], entry["delta"]) for last in kept[-1:])
        changes = kept if is_noted else _select_latest([*kept, entry])
        version = None if hit is None else hit_version(hit)
        return Action("index", self.name, id_, {"changes": changes}, version=version, create=hit is None)

    def read(self, stored: Mapping[str, Document]) -> dict[str, list[Revision]]:
        """The earlier texts of stored documents, by id, the latest first; those that were not changed are
        absent.
        """
        hits = self._cluster.mget(self.name, sorted(stored), ["changes"])
        changes = {id_: _changes_of(hit) for id_, hit in hits.items()}
        listed = {id_: _list_revisions(add_title(stored[id_].content), some) for id_, some in changes.items()}
        return {id_: revisions for id_, revisions in listed.items() if revisions}

    def ids(self) -> Iterator[list[str]]:
        """The documents that have changes here, some at a time."""
        if self.is_there():
            self._cluster.refresh(self.name)
            for hits in self._cluster.scroll(self.name, {"size": SCAN_DOCUMENTS, "_source": False}):
                yield [hit["_id"] for hit in hits]

    def delete(self, ids: Collection[str]) -> None:
        """Delete the changes of documents that are to go. Raises EngineError if some stay."""
        if ids and self.is_there():
            failures = self._cluster.bulk([Action("delete", self.name, id_) for id_ in ids])
            if failures:
                raise EngineError(f"{self.name} rejected {len(failures)} deletions", failures=failures)


def _select_latest(changes: Sequence[Entry]) -> list[Entry]:
    """The latest changes, as many as are kept."""
    sizes = accumulate(len(entry["delta"]) for entry in reversed(changes))
    fitting = sum(size <= MAX_REVISION_CHARS for size in sizes)
    return list(changes[len(changes) - min(fitting, MAX_REVISIONS) :])


def _changes_of(hit: Answer | None) -> list[Entry]:
    return list(hit["_source"].get("changes", ())) if hit else []


def _list_revisions(text: str, changes: Sequence[Entry]) -> list[Revision]:
    revisions = []
    for entry in reversed(changes):
        if entry["of"] == _digest(text):
            text = apply_delta(text, base64.b64decode(entry["delta"]))
            revisions.append(Revision(entry["at"], text))
    return revisions


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
