"""Group what other tools write into an index, a few seconds after they have written it, without end.

A look groups everything that was written since the one before, by the same flow as a crawl. It may be
interrupted anywhere, and repeated: a document that is grouped as it is now is passed over.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

from dupgroups.config import Config
from dupgroups.engines.base import Engine
from dupgroups.engines.followed import Arrival, Followable, FollowedIndex, Share
from dupgroups.engines.foreign import Adopting, Fields
from dupgroups.errors import ConfigError, DupGroupsError, EngineError
from dupgroups.flow import Deduper
from dupgroups.model import Document, Outcome, Page, Record
from dupgroups.signing import extract_document, sign_contents

BATCH = 500  # documents looked up and written together
EVERY = 2.0  # seconds between two looks
SWEEP = 60.0  # seconds between two searches for documents that were left over
GROUPS = 20_000  # groups that a sweep looks at, to see which have lost a member
SETTLE = 15.0  # seconds between two settlings, if anything was grouped
LONGEST = 60.0  # seconds between two tries while there is trouble

Item = TypeVar("Item", Page, Document)
Result = TypeVar("Result")

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Progress:
    """What was done since the start: documents by state, and the documents that could not be grouped, with
    reasons; they are tried again with each sweep. `complete_until`: what was written before has been looked
    at, in seconds since 1970. `waiting`: how many documents had no group at the last sweep. `trouble`: why
    nothing can be done now, in a sentence, else "".
    """

    states: Counter[str] = field(default_factory=Counter)
    failures: dict[str, str] = field(default_factory=dict)
    complete_until: float = field(default_factory=time.time)
    waiting: int = 0
    trouble: str = ""

    @property
    def documents(self) -> int:
        """How many documents were grouped."""
        return self.states.total()

    @property
    def lag(self) -> float:
        """The oldest document that was not looked at yet is at most so many seconds old."""
        return max(0.0, time.time() - self.complete_until)


class _Endless:
    """What looks again and again, until it is told to stop."""

    def __init__(self) -> None:
        self.progress = Progress()
        self._swept = float("-inf")
        self._trouble = ""  # with a part of what is looked at

    def look(self, stop: threading.Event | None = None) -> None:
        """Look once. Raises DupGroupsError if nothing can be done now."""
        raise NotImplementedError

    def run(
        self,
        stop: threading.Event,
        *,
        every: float = EVERY,
        report: Callable[[Progress], None] = lambda progress: None,
    ) -> None:
        """Look every so many seconds until `stop` is set; the batch that is being grouped is finished then.

        `report` is called after each look, and when the engine cannot be used: the next look comes later
        then, and later with each one that fails, but within a minute.
        """
        pause = every
        while not stop.is_set():
            begun = time.monotonic()
            try:
                self.look(stop)
                self.progress.trouble, pause = self._trouble, every
            except DupGroupsError as error:
                self.progress.trouble, pause = str(error), min(LONGEST, 2 * pause)
                self._swept = float("-inf")  # the name may stand for another index, or for none
            report(self.progress)
            stop.wait(max(0.0, begun + pause - time.monotonic()))


class Follower(_Endless):
    """Follows one index, or a share of its ids. Raises ConfigError for an index that cannot be followed."""

    def __init__(
        self,
        engine: Engine,
        fields: Fields | None = None,
        config: Config | None = None,
        *,
        share: Share | None = None,
        batch: int = BATCH,
    ) -> None:
        super().__init__()
        self._config = config or Config()
        self._engine = engine
        kept = engine.kept_fields() if isinstance(engine, Adopting) else None
        self._fields = replace(fields or kept or Fields(), group_by=self._config.group_by)
        self._share = share or Share()
        self._batch = batch
        self._settled = float("-inf")
        self._is_settled = True
        self._open()

    def _open(self) -> None:
        if not isinstance(self._engine, Followable):
            raise ConfigError(
                f"{self._engine.name} is written by dup-groups only, which groups what it writes: follow an "
                "index of Elasticsearch or OpenSearch"
            )
        self._index: FollowedIndex = self._engine.follow(self._fields, self._share)
        self._deduper = Deduper(self._index, self._config)

    def look(self, stop: threading.Event | None = None) -> None:
        """Group what was written since the last look, and what is left over if it is time for that.

        Raises EngineError, and ConfigError if the name stands for another index now, which cannot be
        followed; what was not grouped then is found by the next look.
        """
        stop = stop or threading.Event()
        if time.monotonic() > self._swept + SWEEP:
            self.sweep(stop)
        self._group(self._index.written(self._batch), stop)
        if time.monotonic() > self._settled + SETTLE:
            self.settle()
        if until := self._index.complete_until:
            self.progress.complete_until = until / 1_000_000

    def sweep(self, stop: threading.Event | None = None) -> None:
        """Try again what could not be grouped, and follow the name if it stands for another index now."""
        stop = stop or threading.Event()
        if not self._index.is_current():
            self._open()
        failed = [*self.progress.failures]
        self._group(iter([self._index.again(failed)] if failed else []), stop)
        self._group(self._index.left_over(self._batch), stop)
        for names in self._index.bereft(GROUPS):  # others have deleted documents
            self._deduper.regroup_named(names)
            if stop.is_set():
                break
        self.progress.waiting = self._index.waiting()
        self._swept = time.monotonic()

    def sweep_soon(self) -> None:
        """At the next look: the name may stand for another index by then, or for none."""
        self._swept = float("-inf")

    def settle(self) -> None:
        """Bring together what several writers have left apart, unless nothing was grouped since."""
        self._settled = time.monotonic()
        if not self._is_settled:
            self._deduper.settle()
            self._is_settled = True

    def close(self) -> None:
        """Settle a last time, and keep what was learned of hosts. Raises EngineError if it cannot be done."""
        try:
            self.settle()
            self.progress.waiting = self._index.waiting()
        finally:
            self.save_templates()

    def save_templates(self) -> None:
        """Keep what was learned of hosts."""
        self._deduper.save_templates()

    # -- a batch

    def _group(self, batches: Iterator[Sequence[Arrival]], stop: threading.Event) -> None:
        for batch in batches:
            if stop.is_set():  # after the batch before has been noted as looked at
                break
            self._group_batch(batch)

    def _group_batch(self, batch: Sequence[Arrival]) -> None:
        new = [str(arrival.page.id) for arrival in batch if arrival.stored is None]
        self._deduper.regroup_named(new)  # another tool may have replaced the document that named a group
        stored = {arrival.page.id: arrival.stored for arrival in batch}
        changed = []
        for document in self._attempted(self._extract, [arrival.page for arrival in batch]):
            if self._is_changed(document, stored[document.record.id]):
                changed.append(document)
            else:
                self.progress.failures.pop(document.record.id, None)
        self._is_settled = self._is_settled and not changed
        for outcome in self._add(changed):
            self._count(outcome)

    def _is_changed(self, new: Document, old: Record | None) -> bool:
        """Whether what is stored of a document, if anything, does not fit its fields or the methods."""
        if old is None or old.signature.scheme not in self._deduper.methods.schemes:
            return True
        if (old.fingerprint, old.published) != (new.record.fingerprint, new.record.published):
            return True
        if not self._config.group_by or self._deduper.templates:
            return False
        return old.signature != self._deduper.methods.signatures([new.content])[0]

    def _add(self, documents: Sequence[Document]) -> list[Outcome]:
        if self._deduper.templates:
            return self._deduper.add_all(documents)
        return self._attempted(self._deduper.add_signed, self._attempted(self._sign, documents))

    def _extract(self, pages: Sequence[Page]) -> list[Document]:
        return [extract_document(page, self._deduper.methods) for page in pages]

    def _sign(self, documents: Sequence[Document]) -> list[Document]:
        contents = [document.content for document in documents]
        return sign_contents(documents, contents, self._deduper.methods)

    def _attempted(
        self, step: Callable[[Sequence[Item]], list[Result]], items: Sequence[Item]
    ) -> list[Result]:
        """A step for all items at once. One for which it fails reveals a bug of ours, and is left out."""
        try:
            return step(items)
        except DupGroupsError:
            raise
        except Exception as error:
            if len(items) > 1:
                return [result for item in items for result in self._attempted(step, [item])]
            (item,) = items
            id_ = str(item.id if isinstance(item, Page) else item.record.id)
            log.exception("A document could not be grouped: %s", id_)
            self.progress.failures[id_] = f"not grouped: {error!r}"
            return []

    def _count(self, outcome: Outcome) -> None:
        if outcome.state == "failed":
            self.progress.failures[outcome.id] = outcome.reason
        else:
            self.progress.states[outcome.state] += 1
            self.progress.failures.pop(outcome.id, None)


class Followers(_Endless):
    """Follows every index that a name stands for, also those that come later: each has groups of its own.

    `open_index` opens one of them. An index that cannot be followed is named in `progress.trouble`; the
    others are followed nevertheless.
    """

    def __init__(
        self,
        engine: Engine,
        open_index: Callable[[str], Engine],
        fields: Fields | None = None,
        config: Config | None = None,
        *,
        share: Share | None = None,
        batch: int = BATCH,
    ) -> None:
        super().__init__()
        assert isinstance(engine, Followable)
        self._engine: Followable = engine
        self._open_index = open_index
        self._open = partial(Follower, fields=fields, config=config, share=share, batch=batch)
        self._followers: dict[str, tuple[Engine, Follower]] = {}
        self._unfit: list[str] = []  # why indices cannot be followed
        self._gone: Counter[str] = Counter()  # states of documents of indices that are not there any longer

    def look(self, stop: threading.Event | None = None) -> None:
        """Look at every index. Raises DupGroupsError if none can be looked at."""
        if time.monotonic() > self._swept + SWEEP:
            self._find()
        failed = []
        for index, (_, follower) in self._followers.items():
            try:
                follower.look(stop)
            except DupGroupsError as error:
                follower.sweep_soon()
                failed.append(f"{index}: {error}")
        self._count()
        troubles = [*failed, *self._unfit]
        if troubles and len(failed) == len(self._followers):
            raise EngineError(troubles[0])
        self._trouble = troubles[0] if troubles else ""

    def _find(self) -> None:
        """Open the indices that are new, and let go of those that are not there any longer."""
        found = set(self._engine.indices())
        for index in self._followers.keys() - found:
            engine, follower = self._followers.pop(index)
            self._gone += follower.progress.states
            follower.save_templates()
            engine.close()
        self._unfit = []
        for index in sorted(found - self._followers.keys()):
            engine = self._open_index(index)
            try:
                self._followers[index] = engine, self._open(engine)
            except DupGroupsError as error:
                engine.close()
                self._unfit.append(f"{index}: {error}")
        self._swept = time.monotonic()

    def _count(self) -> None:
        parts = [follower.progress for _, follower in self._followers.values()]
        self.progress.states = sum((part.states for part in parts), self._gone.copy())
        self.progress.failures = {
            f"{index}/{id_}": why
            for index, (_, follower) in self._followers.items()
            for id_, why in follower.progress.failures.items()
        }
        self.progress.waiting = sum(part.waiting for part in parts)
        self.progress.complete_until = min((part.complete_until for part in parts), default=time.time())

    def close(self) -> None:
        """Settle every index a last time. Raises EngineError if that cannot be done for one of them."""
        errors = []
        for engine, follower in self._followers.values():
            try:
                follower.close()
            except EngineError as error:
                errors.append(error)
            engine.close()
        self._count()
        if errors:
            raise errors[0]
