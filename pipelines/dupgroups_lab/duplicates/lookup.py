"""Signed documents, and candidates among them, as an engine would find them, for any ids."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable

from dupgroups.model import Document, Page, Record, Signature
from dupgroups.recipes import Recipes
from dupgroups.signing import sign

Progress = Callable[[str, int, int | None], None]
"""Told what is going on: step ("sign", "judge"), how many are done, of how many (None when not known)."""


def signed(pages: Iterable[Page], recipes: Recipes, progress: Progress) -> dict[str, Document]:
    """The documents by id, told as "sign"; of pages with one id the last one counts."""
    found = {}
    for done, page in enumerate(pages, start=1):
        document = sign(page, recipes)
        found[document.record.id] = document
        progress("sign", done, None)
    return found


class Lookup:
    """The records by their keys."""

    def __init__(self, records: Iterable[Record]) -> None:
        self._holders: defaultdict[tuple[str, str], list[Record]] = defaultdict(list)
        for record in records:
            for key in _keys(record.signature):
                self._holders[key].append(record)

    def candidates(self, record: Record, limit: int) -> list[Record]:
        """At most `limit` others that share a key, those that share most first; [] for an empty signature."""
        shared: Counter[str] = Counter()
        found: dict[str, Record] = {}
        for key in _keys(record.signature):
            for other in self._holders.get(key, ()):
                shared[other.id] += 1
                found[other.id] = other
        order = sorted(shared, key=lambda own: (-shared[own], own))
        return [found[own] for own in order if own != record.id][:limit]


def _keys(signature: Signature) -> Iterable[tuple[str, str]]:
    return ((signature.scheme, key) for key in signature.keys)
