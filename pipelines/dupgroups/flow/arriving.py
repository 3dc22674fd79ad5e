"""Documents as they arrive: under which ids they are written, which are new, and when they were seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from dupgroups.engines.base import Store
from dupgroups.flow.method_set import MethodSet
from dupgroups.grouping import Arrivals, Judge, sort_arrivals
from dupgroups.model import Document, Record

ONE_PAGE = ("duplicate", "contains", "contained")  # how a twin (AMP, print) stands to the page itself


@dataclass(slots=True)
class Ticks:
    """Microseconds since 1970. No two are equal, so no two documents of one process are of one age."""

    clock: Callable[[], int]
    latest: int = field(default=0, init=False)

    def next(self) -> int:
        """The time now, or one after the last."""
        self.latest = max(self.latest + 1, self.clock())
        return self.latest


@dataclass(frozen=True, slots=True)
class Reception:
    """Sorts documents by what the store has under their ids, and dates them."""

    store: Store
    methods: MethodSet
    judge: Judge
    ticks: Ticks

    def arrivals(self, documents: Sequence[Document], stored: Mapping[str, Record]) -> Arrivals:
        """The first documents, each of another id; those that are stored as they are need not be written."""
        arrivals = sort_arrivals(documents, stored, self._is_same_page)
        return replace(arrivals, documents=self._dated(arrivals.documents, stored))

    def _dated(self, documents: Sequence[Document], stored: Mapping[str, Record]) -> tuple[Document, ...]:
        dated = []
        for document in documents:
            tick, old = self.ticks.next(), stored.get(document.record.id)
            record = replace(document.record, first_seen=old.first_seen if old else tick, last_seen=tick)
            dated.append(replace(document, record=record))
        return tuple(dated)

    def _is_same_page(self, new: Record, old: Record) -> bool:
        if old.fingerprint == new.fingerprint:
            return True
        if old.signature.scheme not in self.methods.schemes:
            old = self._signed_again(old)
        return old.signature.scheme == new.signature.scheme and self.judge(new, old).relation in ONE_PAGE

    def _signed_again(self, record: Record) -> Record:
        """A record that another configuration signed, with its stored text signed as it is done now."""
        contents = [document.content for document in self.store.read([record.id]).values()]
        return replace(record, signature=self.methods.signatures(contents)[0]) if contents else record


def as_they_are(documents: Sequence[Document], stored: Mapping[str, Record]) -> Arrivals:
    """Stored documents of different ids, with the dates that they have."""
    return Arrivals(tuple(documents))
