"""The synchronous part of the pipeline: sign and store pages, and keep failed ones as dead letters."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from dupgroups.content.article import MIN_ARTICLE_SCORE
from dupgroups.errors import EngineError, InputError
from dupgroups.flow.committer import failed_outcome
from dupgroups.flow.dead_letters import DeadLetter, append, utc_now
from dupgroups.flow.deduper import Deduper
from dupgroups.flow.explain.page_explanation import explain_left_out
from dupgroups.model import Document, Outcome, Page, State
from dupgroups.model.config import Config

ItemState = State | Literal["passed", "dead_letter"]
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ItemResult:
    """The result of an item: its state, and the id and group of its document if it was stored."""

    state: ItemState
    id: str | None = None
    group: str | None = None


@dataclass(frozen=True, slots=True)
class Signed:
    """A page that is waiting to be stored; `time` is when it was received (see `DeadLetter.time`)."""

    page: Page
    document: Document
    time: str = field(default_factory=utc_now)

    def is_article(self, least: float = MIN_ARTICLE_SCORE) -> bool:
        """Whether it is an article rather than a front page, a list or a gallery."""
        return self.document.content.article >= least

    @property
    def size(self) -> int:
        """Length of what was received, in bytes or characters."""
        return len(self.page.html or "") + len(self.page.text or "")


class Ingestor:
    """A deduper, and the files for pages that it cannot store, and for those that are no articles (None: they
    are not kept). Neither pages nor engines make it raise.

    `merged` counts the groups merged by settling. `unavailable` is true when the engine could not be reached
    for the last batch, despite its retries.
    """

    def __init__(self, deduper: Deduper, dead_letters: Path, left_out: Path | None = None) -> None:
        self.merged = 0
        self.unavailable = False
        self.deduper = deduper
        self.dead_letters = dead_letters
        self._left_out = left_out
        self._forgotten = forgotten(deduper.config)

    def sign(self, page: Page, time: str | None = None) -> Signed | ItemResult:
        """Extract and sign. A page for which this fails reveals a bug of ours; it becomes a dead letter."""
        time = time or utc_now()
        try:
            with self.deduper.metrics.seconds["sign"].time():
                return Signed(page, self.deduper.sign(page), time)
        except Exception as error:
            log.exception("A page could not be signed: %s", page.url or page.id)
            return self._bury([DeadLetter(page, f"not signed: {error!r}", time)])

    def take_signed(self, page: Page, document: Document, seconds: float, time: str) -> Signed:
        """A page that another process has signed, in so many seconds."""
        self.deduper.metrics.seconds["sign"].observe(seconds)
        return Signed(page, document, time)

    def add(self, batch: Sequence[Signed]) -> list[ItemResult]:
        """Store a batch: one result per page, in the same order, [] for an empty one. What is to be forgotten
        has passed.
        """
        self.unavailable = False
        if self._forgotten.isdisjoint(signed.document.record.id for signed in batch):
            return self._store_batch(batch)
        kept = [signed for signed in batch if signed.document.record.id not in self._forgotten]
        results = iter(self._store_batch(kept))
        passed = ItemResult("passed")
        return [passed if signed.document.record.id in self._forgotten else next(results) for signed in batch]

    def leave_out(self, signed: Signed) -> ItemResult:
        """Do not store a page that is no article. Raises InputError if its file cannot be written."""
        page = signed.page
        score = signed.document.content.article
        log.debug("Not stored, as it is no article (%.2f): %s", score, page.url or page.id)
        if self._left_out:
            try:
                append(self._left_out, [DeadLetter(page, explain_left_out(page, score), signed.time)])
            except OSError as error:
                raise InputError(f"{self._left_out} cannot be written: {error}; run this again") from error
        return ItemResult("not_article")

    def _store_batch(self, batch: Sequence[Signed]) -> list[ItemResult]:
        outcomes = self._add([signed.document for signed in batch])
        failed = [pair for pair in zip(batch, outcomes, strict=True) if pair[1].state == "failed"]
        buried = self._bury(
            [DeadLetter(signed.page, outcome.reason, signed.time) for signed, outcome in failed]
        )
        return [
            buried if outcome.state == "failed" else ItemResult(outcome.state, outcome.id, outcome.group)
            for outcome in outcomes
        ]

    def regroup(self) -> None:
        """Merge groups whose common documents were not yet visible when written, and add them to `merged`.

        If the engine cannot do it now, logs a warning; the next call tries again.
        """
        try:
            self.merged += self.deduper.regroup().groups
        except Exception as error:
            log.warning("Groups could not be put right now (%s); the next regrouping will try again", error)

    def close(self) -> None:
        """Settle a last time, show everything, and close the engine."""
        with closing(self.deduper.engine):
            self.regroup()
            try:
                self.deduper.show()
            except EngineError as error:
                log.warning("Searches find the last documents with the next refresh (%s)", error)

    def _add(self, documents: Sequence[Document]) -> list[Outcome]:
        """The outcomes of a batch. A failing batch is halved until the page that causes it is alone; when the
        engine cannot be reached the rest is not tried.
        """
        try:
            return self.deduper.add_all(documents)
        except Exception as error:  # any error at all: the crawl continues and the pages are kept
            self.unavailable = isinstance(error, EngineError) and error.temporary
            if len(documents) == 1 or self.unavailable:
                return [failed_outcome(document, str(error) or repr(error)) for document in documents]
        middle = len(documents) // 2
        outcomes = self._add(documents[:middle])
        rest = documents[middle:]
        if self.unavailable:
            return outcomes + [failed_outcome(document, outcomes[-1].reason) for document in rest]
        return outcomes + self._add(rest)

    def _bury(self, letters: Sequence[DeadLetter]) -> ItemResult:
        """Write dead letters; the result is `failed_outcome` if even they cannot be written."""
        if not letters:
            return ItemResult("dead_letter")
        count = len(letters)
        file = self.dead_letters
        try:
            append(file, letters)
        except OSError as error:
            urls = ", ".join(str(letter.page.url or letter.page.id) for letter in letters)
            log.error("%d pages are not kept, as %s cannot be written (%s): %s", count, file, error, urls)
            return ItemResult("failed")
        reason = letters[0].reason
        said = "1 page was" if count == 1 else f"{count:,} pages were"
        log.warning("%s not stored (%s); retry later: dup-groups replay %s", said, reason, file)
        return ItemResult("dead_letter")


def forgotten(config: Config) -> frozenset[str]:
    """The ids of documents that must not come again. Raises InputError if their file cannot be read; one that
    does not exist yet has none.
    """
    if config.forgotten is None or not (file := Path(config.forgotten)).exists():
        return frozenset()
    try:
        return frozenset(file.read_text(encoding="utf-8").split("\n")) - {""}
    except (OSError, ValueError) as error:
        raise InputError(f"{file} cannot be read: {error}") from error


def check_kept(results: Iterable[ItemResult], dead_letters: Path) -> None:
    """For commands whose pages are in a file: raise InputError if one is neither stored nor a dead letter."""
    if any(result.state == "failed" for result in results):
        what = f"{dead_letters} cannot be written, so it cannot keep the pages that are not stored"
        raise InputError(f"{what}: nothing is lost, make it writable and run this again")
