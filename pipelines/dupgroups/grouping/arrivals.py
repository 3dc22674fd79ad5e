"""Documents as they arrive: under which id each belongs, and which of them the store knows already."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from dupgroups.model import Document, Record

SamePage = Callable[[Record, Record], bool]
"""Whether an alternate (AMP, print) and the stored record of its canonical page are one page."""


@dataclass(frozen=True, slots=True)
class Arrivals:
    """The first documents of a batch, each of another id.

    `documents`: all of them, in their order, under their ids. `unchanged`: the ids of those that the store
    knows as they are. The rest of the batch begins with an id that came before.
    """

    documents: tuple[Document, ...]
    unchanged: frozenset[str] = frozenset()

    @property
    def changed(self) -> list[Document]:
        """The documents that have to be grouped and written."""
        return [document for document in self.documents if document.record.id not in self.unchanged]


def sort_arrivals(
    documents: Sequence[Document], stored: Mapping[str, Record], same_page: SamePage
) -> Arrivals:
    """Sort a batch by what is stored under its ids and alternate ids; cut it where an id comes again.

    A later document of one id has to meet the earlier one in the store, as if they had come one by one.
    """
    arrived: dict[str, Document] = {}
    for document in documents:
        document = _under_its_id(document, stored, same_page)
        if document.record.id in arrived:
            break
        arrived[document.record.id] = document
    unchanged = (id_ for id_, document in arrived.items() if _is_unchanged(document, stored.get(id_)))
    return Arrivals(tuple(arrived.values()), frozenset(unchanged))


def _under_its_id(document: Document, stored: Mapping[str, Record], same_page: SamePage) -> Document:
    """The document under its own address when what it calls its canonical page is another story."""
    record, old = document.record, stored.get(document.record.id)
    if not document.alternate_id or old is None or same_page(record, old):
        return document
    record = replace(record, id=document.alternate_id, group=document.alternate_id, canonical=True)
    return replace(document, record=record, alternate_id=None)


def _is_unchanged(document: Document, old: Record | None) -> bool:
    """Whether the store knows this already. An alternate or a missing date adds nothing to its page."""
    record = document.record
    if old is None or old.signature.scheme != record.signature.scheme:
        return False
    is_same = substance(old) == substance(record) and record.published in (None, old.published)
    return bool(document.alternate_id) or is_same


def needs_resigning(old: Record | None, new: Record) -> bool:
    """Whether what is stored of a document, if anything, does not fit its fields or the methods of today."""
    return old is None or substance(old) != substance(new) or old.published != new.published


def substance(record: Record) -> tuple[object, ...]:
    """The settings that groups and their heads depend on."""
    return record.fingerprint, record.signature, record.length, record.canonical
