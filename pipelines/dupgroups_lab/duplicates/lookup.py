"""Signed documents, and candidates among them, as an engine would find them, for any ids."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from dupgroups.grouping import KeyIndex
from dupgroups.method_set import MethodSet
from dupgroups.model import Document, Page, Record
from dupgroups.signing import sign

Progress = Callable[[str, int, int | None], None]
"""Told what is going on: step ("sign", "judge"), how many are done, of how many (None when not known)."""


def signed(pages: Iterable[Page], methods: MethodSet, progress: Progress) -> dict[str, Document]:
    """The documents by id, told as "sign"; of pages with one id the last one counts."""
    found = {}
    for done, page in enumerate(pages, start=1):
        document = sign(page, methods)
        found[document.record.id] = document
        progress("sign", done, None)
    return found


def others(index: KeyIndex, record: Record, limit: int) -> list[Record]:
    """At most `limit` records beside this one that share a key with it, those that share most first."""
    found = index.candidates(record.signature, limit=limit + 1)
    return [other for other in found if other.id != record.id][:limit]
