"""Add the pages of an archive to a store: signed on all cores, stored by one writer in their order.

Groups and ids are those of a crawl of these pages. Pages that cannot be stored become dead letters.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from dupgroups.batches import batches, with_next
from dupgroups.errors import EngineError, InputError
from dupgroups.flow import Deduper
from dupgroups.intake import Ending, Intake, Signed
from dupgroups.model import Document, Page
from dupgroups.processes import Pool
from dupgroups.signing import PageSigner

BATCH = 64  # pages that a process signs, and that are looked up and stored together

Stored = Callable[[Sequence[Page], Sequence[Ending]], None]
"""Hears of each batch what became of its pages; all of them are stored, or are dead letters."""


class Archivist:
    """Adds pages through one deduper. `dead_letters`: the file for pages that cannot be stored."""

    def __init__(self, deduper: Deduper, dead_letters: Path, processes: int | None = None) -> None:
        self.states: Counter[str] = Counter()
        self._deduper = deduper
        self._intake = Intake(deduper, dead_letters)
        self._dead_letters = dead_letters
        self._processes = processes

    def add(self, pages: Iterable[Page], stored: Stored = lambda pages, endings: None) -> None:
        """Add pages in their order. Nothing happens for no pages.

        Raises EngineError when the engine cannot be reached: the batch at hand is in the dead letters then,
        and the pages after it were not read. Raises the InputError of the pages after storing those before.
        """
        source = _Source(pages)
        waiting: deque[list[Page]] = deque()
        with Pool.for_items(source, self._processes, PageSigner, self._deduper.config) as (pool, items):
            for documents, following in with_next(pool.map(PageSigner.sign, _noted(items, waiting))):
                if following:
                    self._deduper.look_ahead([document for document in following if document])
                batch = waiting.popleft()
                stored(batch, self._store(batch, documents))
        if source.error:
            raise source.error

    def _store(self, pages: Sequence[Page], documents: Sequence[Document | None]) -> list[Ending]:
        results = [
            Signed(page, document) if document else self._intake.sign(page)
            for page, document in zip(pages, documents, strict=True)
        ]
        endings = iter(self._intake.add([result for result in results if isinstance(result, Signed)]))
        ended = [next(endings) if isinstance(result, Signed) else result for result in results]
        self.states.update(ending.state for ending in ended)
        if self._intake.unavailable:
            raise EngineError(
                f"{self._deduper.engine.name} cannot be reached: run this again to go on from here, and "
                f"`dup-groups replay {self._dead_letters}` for the pages that were at hand",
                temporary=True,
            )
        return ended


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
