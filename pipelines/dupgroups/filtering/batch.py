"""One request that writes, from its operations to their answers. Runs in the worker thread.

The groups are planned as in a crawl. When the flow stores its documents, the index calls `carry`, which sends
the operations of the client with the `dup_` fields in them. So whatever the flow does before a write is done
before this one, and it learns at once what the cluster refused.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dupgroups.engines.foreign import Put, Written
from dupgroups.filtering.answers import Item, Reply, failed
from dupgroups.filtering.operations import UNCHANGED, Change, Operation, is_object, rounds
from dupgroups.filtering.ticket import Ticket
from dupgroups.model import Document, Page

if TYPE_CHECKING:
    from dupgroups.filtering.heart import Heart

SIGNED = 50  # documents that are signed in one step
CHECKED = 4  # times that a document is written only over the version that was seen

Call = Callable[[Sequence[tuple[Operation, Change]]], tuple[Reply, Sequence[Item] | None]]
"""Sends operations as one request: the reply, and what it says of each of them if it was carried out."""


@dataclass(slots=True)
class Batch:
    """`items` are the answers by place. `reply` is the only one, if one request was all that was sent.

    `states` says what became of each operation, for the metrics.
    """

    operations: list[Operation]
    call: Call
    ticket: Ticket
    items: dict[int, Item] = field(default_factory=dict)
    states: dict[int, str] = field(default_factory=dict)
    replies: list[Reply] = field(default_factory=list)
    when_answered: Callable[[], None] = lambda: None
    in_order: bool = True
    is_whole: bool = False  # the only reply is to the request as a whole, an error
    _waiting: list[int] = field(default_factory=list)
    _ids: dict[int, str] = field(default_factory=dict)
    _changes: dict[str, tuple[int, Change]] = field(default_factory=dict)
    _tries: dict[str, int] = field(default_factory=dict)

    def run(self, heart: Heart) -> None:
        """Carry all of it out. Raises GivenUpError, having sent nothing, if it took too long to begin."""
        for places in rounds(self.operations, heart.is_ours):
            self._round(heart, [place for place in places if place not in self.items])

    @property
    def left(self) -> list[int]:
        """The places of the operations that are not answered."""
        return [place for place in range(len(self.operations)) if place not in self.items]

    def pass_on(self, places: Sequence[int]) -> None:
        """Send operations as they came."""
        self._send([(place, UNCHANGED) for place in places])

    def _round(self, heart: Heart, places: Sequence[int]) -> None:
        self._ids = {place: self.operations[place].id or secrets.token_urlsafe(15) for place in places}
        ours = [place for place in places if heart.is_ours(self.operations[place])]
        heart.store.route({self._ids[place]: self.operations[place].routing for place in ours})
        pages = dict(self._pages(heart, places))
        leaving = self._leaving(heart, [place for place in places if place not in pages])
        if leaving:
            self._leave(heart, leaving)
        self._waiting = [place for place in places if place not in pages and place not in self.items]
        if pages:
            documents = self._signed(heart, list(pages.values()))
            self.ticket.step()
            heart.deduper.write(documents)
        self.ticket.claim()
        self.pass_on([place for place in places if place not in self.items])

    # -- what is written

    def _pages(self, heart: Heart, places: Iterable[int]) -> Iterable[tuple[int, Page]]:
        """The documents that get fields, and where these go; notes the state of everything else."""
        known = _Known(heart, [self.operations[place] for place in places])
        for place in places:
            operation = self.operations[place]
            state = known.refusal(operation)
            change, source = (None, {}) if state else known.document(operation)
            id_ = self._ids[place]
            self.states[place] = state or ("without_text" if change is None else "grouped")
            if change is not None:
                given = id_ if operation.id is None else None
                self._changes[id_] = (place, Change(given, {}, change.inside))
                yield place, heart.store.page(id_, source)

    def _signed(self, heart: Heart, pages: Sequence[Page]) -> list[Document]:
        documents: list[Document] = []
        for start in range(0, len(pages), SIGNED):
            self.ticket.step()
            documents += heart.sign(pages[start : start + SIGNED])
        return documents

    def carry(self, puts: Sequence[Put]) -> dict[str, Written]:
        """Write documents with their fields, and with the first of them everything that only passes."""
        self.ticket.claim()
        parts = [(place, UNCHANGED) for place in self._waiting]
        self._waiting = []
        checked = set()
        for put in puts:
            place, change = self._changes[put.id]
            version = self._version(place, put)
            checked |= {put.id} if version else set()
            parts.append((place, Change(change.id, put.fields, change.inside, version)))
        answers = self._send(parts)
        written = {put.id: self._written(put.id, answers, put.id in checked) for put in puts}
        if not self.left:
            self.when_answered()
        return written

    def _version(self, place: int, put: Put) -> tuple[int, int] | None:
        """The version to name, so that nobody's change is lost; None where that cannot be asked for."""
        operation = self.operations[place]
        self._tries[put.id] = self._tries.get(put.id, 0) + 1
        upserts = operation.action == "update" and {"upsert", "doc_as_upsert"} & operation.body().keys()
        if operation.is_conditional or operation.creates or upserts or self._tries[put.id] > CHECKED:
            return None
        return put.version

    def _written(self, id_: str, answers: Mapping[int, Item], checked: bool) -> Written:
        place, _ = self._changes[id_]
        answer = answers[place]
        error = answer.get("error")
        kind = error.get("type") if isinstance(error, Mapping) else ""
        if checked and kind == "version_conflict_engine_exception":
            del self.items[place]  # the condition was ours: it is planned and written again
            return Written(answer, overtaken=True)
        if error:
            self.states[place] = "refused"
        return Written(answer, unchecked=not checked)

    # -- what leaves its group

    def _leaving(self, heart: Heart, places: Iterable[int]) -> dict[str, int]:
        """Grouped documents that are deleted, or replaced by ones without fields: places by id."""
        replaced = ("delete", "index")
        ids = {
            operation.id: place
            for place in places
            if (operation := self.operations[place]).action in replaced
            and heart.is_ours(operation)
            and operation.id
        }
        stored = heart.store.get(list(ids)) if ids else {}
        return {id_: ids[id_] for id_ in stored}

    def _leave(self, heart: Heart, leaving: Mapping[str, int]) -> None:
        heart.deduper.withdraw(list(leaving))
        self.ticket.claim()
        self.pass_on(list(leaving.values()))
        gone = [id_ for id_, place in leaving.items() if "error" not in self.items[place]]
        heart.store.forget(gone)
        if stayed := [id_ for id_ in leaving if id_ not in gone]:
            heart.deduper.take_back(stayed)

    # -- sending

    def _send(self, parts: Sequence[tuple[int, Change]]) -> dict[int, Item]:
        """One request; the answers by place, which are noted."""
        if not parts:
            return {}
        parts = sorted(parts, key=lambda part: part[0])
        self.in_order = self.in_order and len(parts) == len(self.operations)
        reply, items = self.call([(self.operations[place], change) for place, change in parts])
        self.replies.append(reply)
        self.is_whole = items is None and len(self.replies) == 1 and len(parts) == len(self.operations)
        if items is None:
            items = [failed(self.operations[place], reply) for place, _ in parts]
        answers = dict(zip((place for place, _ in parts), items, strict=True))
        self.items |= answers
        return answers


def together(operations: Sequence[Operation], batches: Sequence[tuple[Sequence[int], Batch]]) -> Batch:
    """One batch with the answers of several, each with the places of its operations.

    Where the cluster refused all of them in the same way, that is its answer to the whole.
    """
    whole = Batch([*operations], _sent, Ticket(0), in_order=False)
    for places, batch in batches:
        whole.items |= {place: batch.items[at] for at, place in enumerate(places)}
        whole.states |= {places[at]: state for at, state in batch.states.items()}
        whole.replies += batch.replies
    are_refused = all(batch.is_whole for _, batch in batches)
    whole.is_whole = are_refused and len({reply.status for reply in whole.replies}) == 1
    return whole


def _sent(parts: Sequence[tuple[Operation, Change]]) -> tuple[Reply, Sequence[Item] | None]:
    raise AssertionError("everything was sent")


class _Known:
    """What has to be known of the index to see which document an operation makes."""

    def __init__(self, heart: Heart, operations: Sequence[Operation]) -> None:
        self._heart = heart
        ours = [operation for operation in operations if heart.is_ours(operation) and operation.id]
        updated = [str(operation.id) for operation in ours if operation.action == "update"]
        created = [str(operation.id) for operation in ours if operation.creates]
        self._sources = heart.store.sources([*updated, *created]) if updated or created else {}

    def refusal(self, operation: Operation) -> str:
        """Why a document gets no fields, as a state; "" if it may get some."""
        if not self._heart.is_ours(operation):
            return "other"
        if self._heart.store.is_stream:
            return "data_stream"
        if operation.action == "delete":
            return "deleted"
        if operation.id == "" or not is_object(operation.source):
            return "refused"
        if operation.creates and operation.id in self._sources:
            return "refused"  # the cluster says so: it exists
        if operation.action == "update" and not isinstance(operation.body().get("doc"), dict):
            return "scripted"
        return ""

    def document(self, operation: Operation) -> tuple[Change | None, Mapping[str, Any]]:
        """Where the fields go, and the whole document that is stored then. None for one without a text, and
        for one whose text stays as it is.
        """
        body, has_text = operation.body(), self._heart.store.has_text
        if operation.action != "update":
            return (UNCHANGED, body) if has_text(body) else (None, {})
        stored = self._sources.get(str(operation.id))
        if stored is None:
            inside = "doc" if body.get("doc_as_upsert") is True else "upsert"
            upserted = body.get(inside)
            if not isinstance(upserted, dict) or not has_text(upserted):
                return None, {}
            return Change(inside=inside), upserted
        merged = _merged(stored, body["doc"])
        page = self._heart.store.page
        changed = page("", merged) != page("", stored) and (has_text(merged) or has_text(stored))
        return (Change(inside="doc"), merged) if changed else (None, {})


def _merged(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """A document after a partial update: objects are merged, everything else is replaced."""
    return {
        **old,
        **{
            name: _merged(old[name], value)
            if isinstance(value, Mapping) and isinstance(old.get(name), Mapping)
            else value
            for name, value in new.items()
        },
    }
