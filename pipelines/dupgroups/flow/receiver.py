"""Which of the documents that arrive have to be written: under which id, and dated when."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from dupgroups.engines.base import Store
from dupgroups.flow.method_set import MethodSet
from dupgroups.grouping.arrivals import Arrivals, sort_arrivals
from dupgroups.grouping.plan import Judge
from dupgroups.model import Document, Record

ONE_PAGE = ("duplicate", "contains", "contained")  # how an alternate (AMP, print) stands to the page itself

Arrive = Callable[[Sequence[Document], Mapping[str, Record]], Arrivals]
"""Says of documents, and of what is stored under their ids, which of them have to be written."""


@dataclass(slots=True)
class Ticks:
    """Microseconds since 1970. No two are equal, so no two documents of one process are of one age."""

    clock: Callable[[], int]
    latest: int = field(default=0, init=False)

    def next_tick(self) -> int:
        """The time now, or one after the last."""
        self.latest = max(self.latest + 1, self.clock())
        return self.latest


@dataclass(frozen=True, slots=True)
class Receiver:
    """Compares documents with what the store has under their ids. `judge` says how an alternate stands to its
    page; `ticks` dates documents.
    """

    store: Store
    methods: MethodSet
    judge: Judge
    ticks: Ticks

    def receive(self, documents: Sequence[Document], stored: Mapping[str, Record]) -> Arrivals:
        """The first documents, each of another id, by what is stored under their ids, and dated."""
        arrivals = sort_arrivals(documents, stored, self._is_same_page)
        dated = []
        for document in arrivals.documents:
            tick, old = self.ticks.next_tick(), stored.get(document.record.id)
            record = replace(document.record, first_seen=old.first_seen if old else tick, last_seen=tick)
            dated.append(replace(document, record=record))
        return replace(arrivals, documents=tuple(dated))

    def receive_again(self, documents: Sequence[Document], stored: Mapping[str, Record]) -> Arrivals:
        """Documents that were read from the store and signed anew. Those that have other titles or texts by
        now, or were deleted, count as unchanged; the dates of others stay.
        """
        read = [(document, stored.get(document.record.id)) for document in documents]
        changed = {one.record.id for one, old in read if not old or old.fingerprint != one.record.fingerprint}
        seen = ((one, old.last_seen if old else one.record.last_seen) for one, old in read)
        dated = (replace(one, record=replace(one.record, last_seen=last)) for one, last in seen)
        return Arrivals(tuple(dated), frozenset(changed))

    def _is_same_page(self, new: Record, old: Record) -> bool:
        if old.fingerprint == new.fingerprint:
            return True
        stored = {} if old.signature.scheme in self.methods.schemes else self.store.read([old.id])
        if old.id in stored:  # another configuration signed it
            old = replace(old, signature=self.methods.signatures([stored[old.id].content])[0])
        return old.signature.scheme == new.signature.scheme and self.judge(new, old).relation in ONE_PAGE
