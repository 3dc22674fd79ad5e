"""Add the pages of an archive to a store: signed on all cores, stored by one writer in their order.

Groups and ids are those of a crawl of these pages. Pages that cannot be stored become dead letters.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from dupgroups.batches import batches
from dupgroups.errors import EngineError, InputError
from dupgroups.flow import Deduper
from dupgroups.flow.ingest import Ingestor, ItemResult, Signed
from dupgroups.model import Document, Page
from dupgroups.processes import Pool
from dupgroups.signing import PageSigner

BATCH = 64  # pages that a process signs, and that are stored together

Stored = Callable[[Sequence[Page], Sequence[ItemResult]], None]
"""Hears of each batch what became of its pages; all of them are stored, or are dead letters."""


class Archivist:
    """Adds pages through one deduper. `dead_letters`: the file for pages that cannot be stored."""

    def __init__(self, deduper: Deduper, dead_letters: Path, processes: int | None = None) -> None:
        self.states: Counter[str] = Counter()
        self._deduper = deduper
        self._ingestor = Ingestor(deduper, dead_letters)
        self._dead_letters = dead_letters
        self._processes = processes

    def add(self, pages: Iterable[Page], stored: Stored = lambda pages, results: None) -> None:
        """Add pages in their order. Nothing happens for no pages.

        Raises EngineError when the engine cannot be reached: the batch at hand is in the dead letters then,
        and the pages after it were not read. Raises the InputError of the pages after storing those before.
        """
        source = _Source(pages)
        waiting: deque[list[Page]] = deque()
        with Pool.for_items(source, self._processes, PageSigner, self._deduper.config) as (pool, items):
            for documents in pool.map(PageSigner.sign, _noted(items, waiting)):
                batch = waiting.popleft()
                stored(batch, self._store(batch, documents))
        if source.error:
            raise source.error

    def _store(self, pages: Sequence[Page], documents: Sequence[Document | None]) -> list[ItemResult]:
        signed = [
            Signed(page, document) if document else self._ingestor.sign(page)
            for page, document in zip(pages, documents, strict=True)
        ]
        stored = iter(self._ingestor.add([page for page in signed if isinstance(page, Signed)]))
        results = [next(stored) if isinstance(page, Signed) else page for page in signed]
        self.states.update(result.state for result in results)
        if self._ingestor.unavailable:
            raise EngineError(
                f"{self._deduper.engine.name} cannot be reached: run this again to go on from here, and "
                f"`dup-groups replay {self._dead_letters}` for the pages that were at hand",
                temporary=True,
            )
        return results


class _Source:
    """Pages, and the error that ended them: what came before it is to be stored first."""

    def __init__(self, pages: Iterable[Page]) -> None:
        self.error: InputError | None = None
        self._pages = self._until_error(pages)

    def __iter__(self) -> Iterator[Page]:
        return self._pages

    def _until_error(self, pages: Iterable[Page]) -> Iterator[Page]:
        try:
            yield from pages
        except InputError as error:
            self.error = error


def _noted(pages: Iterable[Page], waiting: deque[list[Page]]) -> Iterator[list[Page]]:
    """Batches of pages, each also appended to `waiting`."""
    for batch in batches(pages, BATCH):
        waiting.append(batch)
        yield batch
