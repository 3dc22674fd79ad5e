"""Add the pages of an archive to a store: signed on all cores, stored by one writer in their order.

Groups and ids are those of a crawl of these pages. Pages that cannot be stored become dead letters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import tee

from dupgroups.bulk.processes import Pool
from dupgroups.errors import EngineError, InputError
from dupgroups.flow.ingest import Ingestor, ItemResult, Signed, check_kept
from dupgroups.flow.signing import PageSigner
from dupgroups.model import Document, Page
from dupgroups.text.batches import batches

BATCH_PAGES = 64  # pages that a process signs, and that are stored together


def add_pages(
    pages: Iterable[Page], ingestor: Ingestor, processes: int | None = None, *, skip: bool = False
) -> Iterator[list[ItemResult]]:
    """Add pages in their order; yields the results of each batch once its pages are stored, or are in the
    file of dead letters. Nothing happens for no pages. With `skip` pages that are no articles are not stored,
    but left out (see Ingestor).

    Raises EngineError when the engine cannot be reached: the batch at hand is in the dead letters then, and
    the pages after it were not read. Raises the InputError of the pages after storing those before, and
    InputError if the dead letters cannot be written.
    """
    errors: list[InputError] = []

    def until_error() -> Iterator[Page]:
        try:
            yield from pages
        except InputError as error:
            errors.append(error)

    with Pool.for_items(until_error(), processes, PageSigner, ingestor.deduper.config) as (pool, items):
        to_sign, to_store = tee(batches(items, BATCH_PAGES))
        for documents, batch in zip(pool.map(PageSigner.sign, to_sign), to_store, strict=False):
            results = _store(batch, documents, ingestor, skip=skip)
            check_kept(results, ingestor.dead_letters)
            if ingestor.unavailable:
                raise EngineError(
                    f"{ingestor.deduper.engine.name} cannot be reached: run this again to go on, and "
                    f"`dup-groups replay {ingestor.dead_letters}` for the pages that were at hand",
                    temporary=True,
                )
            yield results
    if errors:
        raise errors[0]


def _store(
    pages: Sequence[Page], documents: Sequence[Document | None], ingestor: Ingestor, *, skip: bool
) -> list[ItemResult]:
    """The result of each page; those that could not be signed elsewhere are signed here."""
    pairs = zip(pages, documents, strict=True)
    signed = [Signed(page, document) if document else ingestor.sign(page) for page, document in pairs]
    for place, page in enumerate(signed if skip else ()):
        if isinstance(page, Signed) and not page.is_article():
            signed[place] = ingestor.leave_out(page)
    stored = iter(ingestor.add([page for page in signed if isinstance(page, Signed)]))
    return [next(stored) if isinstance(page, Signed) else page for page in signed]
