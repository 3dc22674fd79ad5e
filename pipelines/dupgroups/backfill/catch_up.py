"""What changed in an index while a copy of it was made: the copy follows, and groups it as a crawl would."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from dupgroups.backfill.assign import signed_part
from dupgroups.backfill.folder import Folder
from dupgroups.backfill.pace import Pace
from dupgroups.backfill.workers import summary_of
from dupgroups.batches import batches
from dupgroups.config import Config
from dupgroups.engines.copies import CopiedIndex, IndexCopy
from dupgroups.engines.parts import Part, PartedIndex, Stored, parts_between
from dupgroups.flow import Deduper

BATCH = 200
ROUNDS = 10  # looks at what was written during the one before


@dataclass(slots=True)
class Late:
    """What was done: documents that `came`, by state, ids that `changed` or are `gone`, those that were
    `left` alone because others have written them in the copy, and `failures` with their reasons. `unclear`
    writes came that no document shows, when the copy was not the run's own: they may have been deletions.
    """

    came: Counter[str] = field(default_factory=Counter)
    changed: set[str] = field(default_factory=set)
    gone: set[str] = field(default_factory=set)
    left: set[str] = field(default_factory=set)
    failures: dict[str, str] = field(default_factory=dict)
    unclear: int = 0

    def __len__(self) -> int:
        return self.came.total() + len(self.changed | self.gone)


class CatchUp:
    """Lets a copy follow its source. `late` counts what came of it."""

    def __init__(
        self,
        folder: Folder,
        copy: IndexCopy,
        source: PartedIndex,
        target: CopiedIndex,
        config: Config,
        rate: float | None,
    ) -> None:
        self.late = Late()
        self._folder = folder
        self._copy = copy
        self._source = source
        self._target = target
        self._deduper = Deduper(target, config)
        self._pace = Pace(rate)

    def __call__(self, *, replace: bool) -> bool:
        """Follow until nothing is new, or for some rounds; False if the copy refused a document.

        Without `replace`, because others write into the copy as well, only what is not there is added.
        """
        take_corrections(self._source, self._target)
        for part in _refused(self._folder):
            self._bring(part, replace=replace)
        for _ in range(ROUNDS):
            if not self._round(replace=replace):
                break
        if replace and not self.late.failures:
            self._remove_gone()
        self._deduper.settle()
        return not self.late.failures

    def _round(self, *, replace: bool) -> bool:
        """Take over what was written since the last round; whether that was anything."""
        run, now = self._folder.run, self._source.position()
        documents = sum(self._bring(part, replace=replace) for part in parts_between(run.position, now))
        if self.late.failures:
            return False  # the next run takes it over again
        if not replace:
            self.late.unclear += operations_since(run.position, now) - documents
        self._folder.at(run.step, position=now)
        return documents > 0

    def _bring(self, part: Part, *, replace: bool) -> int:
        """Take over the documents of a part as they are now; how many there are."""
        documents = 0
        for stored in self._source.stored(part, BATCH, whole=True):
            self._pace(len(stored))
            self._take_over(stored, replace=replace)
            documents += len(stored)
        return documents

    def _take_over(self, stored: Sequence[Stored], *, replace: bool) -> None:
        taken = self._target.take_over(stored, replace=replace)
        others = taken.left | taken.failures.keys()
        outcomes = self._deduper.add_all([one.page for one in stored if one.page.id not in others])
        self.late.changed |= taken.replaced
        self.late.left |= taken.left
        self.late.failures |= taken.failures
        for outcome in outcomes:
            if outcome.reason:
                self.late.failures[outcome.id] = outcome.reason
            elif outcome.state not in ("unchanged", "updated"):
                self.late.came[outcome.state] += 1

    def _remove_gone(self) -> None:
        """Delete what the source has no longer."""
        if self._have_as_many():
            return
        gone = {id_: ids[id_] for ids in self._target.ids() for id_ in self._copy.gone(list(ids))}
        for some in batches(gone, BATCH):
            self._pace(len(some))
            self._deduper.withdraw(some)
            self._target.remove({id_: gone[id_] for id_ in some})
        self.late.gone |= gone.keys()

    def _have_as_many(self) -> bool:
        """Whether the copy, which has all that was there at the last look, has nothing else. While others
        write their counts tell nothing: as many may have come since as are gone.
        """
        self._source.position()  # both refresh
        self._target.position()
        same = self._source.count() == self._target.count()
        return same and self._source.position() == self._folder.run.position


def _refused(folder: Folder) -> Iterator[Part]:
    """The documents that the copy refused while it was filled: it may take them now."""
    for number, part in enumerate(folder.run.parts):
        if failures := summary_of(folder, number)["failures"]:
            for signed in signed_part(folder, number):
                if signed.record.id in failures:
                    yield Part(part.shard, signed.version[0] - 1, signed.version[0])


def take_corrections(source: PartedIndex, target: PartedIndex) -> None:
    """Enter in the copy what people said of the documents, and is not there yet."""
    known = {entry.number for entry in target.corrections(fresh=True)}
    for entry in source.corrections(fresh=True):
        if entry.number not in known:
            target.correct(entry)


def operations_since(position: Mapping[str, int], now: Mapping[str, int]) -> int:
    """How often an index was written between two positions."""
    return sum(part.until - part.after for part in parts_between(dict(position), dict(now)))
