"""What the processes do that the tests of faults start and kill."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from dupgroups import Deduper, Page, open_engine
from dupgroups.bulk.backfill import Backfill
from dupgroups.engines.foreign import Fields
from dupgroups.flow.ingest import Ingestor, ItemResult, Signed
from dupgroups.model.config import Config
from dupgroups_es.backfill import bulk_loader, runs
from dupgroups_es.backfill.runs import undo

Say = Callable[[object], None]

BATCH = 4  # pages added together: many small batches have many moments to die in

Deduper("memory://").add(Page(id="x", text="Loads what signing loads at its first use."))


def crawl(say: Say, url: str, pages: Sequence[Page], dead: Path, settle_every: int = 0) -> None:
    """Add pages as a crawl does, and say after every batch what became of it."""
    ingestor = Ingestor(Deduper(url), dead)
    for number, start in enumerate(range(0, len(pages), BATCH), start=1):
        signed = [ingestor.sign(page) for page in pages[start : start + BATCH]]
        results = ingestor.add([page for page in signed if isinstance(page, Signed)])
        say(results + [page for page in signed if isinstance(page, ItemResult)])
        if settle_every and number % settle_every == 0:
            ingestor.settle()
    ingestor.close()


def backfill(say: Say, url: str, fields: Fields | None = None, config: Config | None = None) -> None:
    """Group what an index holds, and say after every batch how many documents it had."""
    with closing(open_engine(url)) as engine:
        Backfill(engine, fields, config, batch=BATCH).run(say)


def bulk_backfill(say: Say, url: str, fields: Fields, above: Path) -> None:
    """Group a whole index in parts of few documents, and say after every part how far it is."""
    runs.PART = BATCH
    with closing(open_engine(url)) as engine:
        run = bulk_loader.bulk_backfill(engine, fields, above=above, limits=runs.Limits(BATCH))
        assert run
        run.run(lambda step, done, total: say((step, done)))


def undo_backfill(say: Say, url: str, above: Path) -> None:
    """Take the groups out of an index, and say after every part how far it is."""
    with closing(open_engine(url)) as engine:
        if engine.kept_fields():  # type: ignore[attr-defined] # else one that died had come to its end
            index = engine.adopt()  # type: ignore[attr-defined]
            undo(index, Config(), above, runs.Limits(BATCH), progress=lambda *words: say(words))
