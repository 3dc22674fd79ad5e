"""The synchronous side of the pipeline: sign and store pages, keep what is refused as dead letters."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from dupgroups.dead_letters import DeadLetter, append, utc_now
from dupgroups.errors import EngineError
from dupgroups.flow import Deduper
from dupgroups.model import Document, Outcome, Page, State

ItemState = State | Literal["not_article", "dead_letter"]
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Ending:
    """How an item ended: its state, and, where it was stored, its document's id and group."""

    state: ItemState
    id: str | None = None
    group: str | None = None


@dataclass(frozen=True, slots=True)
class Signed:
    """A page that waits to be stored; `time` is when it came (see `DeadLetter.time`)."""

    page: Page
    document: Document
    time: str = field(default_factory=utc_now)

    @property
    def size(self) -> int:
        """Bytes or characters of what came."""
        return len(self.page.html or "") + len(self.page.text or "")


class Intake:
    """The deduper, and the file for what it does not take. No page and no engine makes it raise.

    `merged` counts the groups that settling merged. `unavailable` says that the engine could not be reached
    for the last batch, however often it tried.
    """

    def __init__(self, deduper: Deduper, dead_letters: Path) -> None:
        self.merged = 0
        self.unavailable = False
        self._deduper = deduper
        self._dead_letters = dead_letters

    def sign(self, page: Page, time: str | None = None) -> Signed | Ending:
        """Extract and sign; a page that breaks this shows a defect of ours and is kept as a dead letter."""
        time = time or utc_now()
        try:
            return Signed(page, self._deduper.sign(page), time)
        except Exception as error:
            log.exception("A page could not be signed: %s", page.url or page.id)
            return self._bury([DeadLetter(page, f"not signed: {error!r}", time)])

    def add(self, batch: Sequence[Signed]) -> list[Ending]:
        """Store a batch; one ending each, in order. [] for none."""
        self.unavailable = False
        outcomes = self._add([each.document for each in batch])
        pairs = list(zip(batch, outcomes, strict=True))
        refused = [
            DeadLetter(each.page, outcome.reason, each.time)
            for each, outcome in pairs
            if outcome.state == "failed"
        ]
        buried = self._bury(refused)
        return [
            buried if outcome.state == "failed" else Ending(outcome.state, outcome.id, outcome.group)
            for outcome in outcomes
        ]

    def settle(self) -> None:
        """Merge groups whose twins were invisible when written, and count them in `merged`.

        Logs a warning, and leaves it to the next settle, when the engine cannot do it now.
        """
        try:
            self.merged += self._deduper.settle().groups
        except Exception as error:
            log.warning("Groups could not be settled now (%s); the next settle looks again", error)

    def close(self) -> None:
        """Settle a last time, keep what was learned of hosts, and close the engine."""
        self.settle()
        self._deduper.save_templates()
        self._deduper.engine.close()

    def _add(self, documents: Sequence[Document]) -> list[Outcome]:
        """Outcomes of a batch; one that is refused whole is halved until what spoils it is alone."""
        try:
            return self._deduper.add_all(documents)
        except Exception as error:  # whatever it is, the crawl goes on and the pages are kept
            self.unavailable = isinstance(error, EngineError) and error.temporary
            if len(documents) == 1 or self.unavailable:
                reason = str(error) or repr(error)
                return [
                    Outcome(each.record.id, each.record.group, "failed", {}, reason) for each in documents
                ]
        middle = len(documents) // 2
        return self._add(documents[:middle]) + self._add(documents[middle:])

    def _bury(self, letters: Sequence[DeadLetter]) -> Ending:
        """Write dead letters; the ending is `failed` when even that cannot be done."""
        if not letters:
            return Ending("dead_letter")
        count, file = len(letters), self._dead_letters
        try:
            append(file, letters)
        except OSError as error:
            urls = ", ".join(str(each.page.url or each.page.id) for each in letters)
            log.error("%d pages are lost, for %s cannot be written (%s): %s", count, file, error, urls)
            return Ending("failed")
        reason = letters[0].reason
        log.warning("%d pages were not stored (%s); later: dup-groups replay %s", count, reason, file)
        return Ending("dead_letter")
