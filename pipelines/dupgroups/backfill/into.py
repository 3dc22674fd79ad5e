"""Group a whole index into a copy of it, which then takes its place: nothing is written into the index.

The steps are those of a run in place. Each document is read once, and written once, with its `dup_` fields;
what changes meanwhile follows, and an alias leads to the copy when every document has been checked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from dupgroups.backfill.assign import rename_groups
from dupgroups.backfill.bulk import (
    BATCH,
    BulkBackfill,
    Progress,
    counts_of,
    new_run,
    pool_for,
    runs_of,
)
from dupgroups.backfill.catch_up import CatchUp, Late, operations_since, take_corrections
from dupgroups.backfill.folder import DEFAULT, Folder, Run, folders
from dupgroups.backfill.report import Report
from dupgroups.backfill.workers import Tools
from dupgroups.config import Config
from dupgroups.engines.base import Backlog, Engine
from dupgroups.engines.copies import CopiedIndex, Copying, IndexCopy
from dupgroups.engines.foreign import Adopting, Fields
from dupgroups.engines.parts import PartedIndex
from dupgroups.errors import ConfigError, EngineError, InputError
from dupgroups.flow import now
from dupgroups.model import Check
from dupgroups.processes import Pool

UNMADE = ("signing", "grouping")  # steps at which the copy may not be there yet

Verify = Callable[[PartedIndex], list[Check]]
"""Checks every document of an index."""


@dataclass(frozen=True, slots=True)
class Copied:
    """What a run that copies did. `report` is as of a run in place, `checks` say whether the copy is whole.

    `late` documents came, changed or went meanwhile; `left` are ids that others have changed in the index
    and in the copy. `alias` leads to the copy `into` now, "" if nothing was switched; `command` would do so
    for an index that was not opened by an alias; `others` are aliases that lead to the index as before.
    `unseen` writes came into the index after the last look; of the `unclear` ones see `Late`.
    """

    report: Report
    checks: tuple[Check, ...]
    index: str
    into: str
    alias: str = ""
    command: str = ""
    late: int = 0
    left: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    unseen: int = 0
    unclear: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether the copy has all documents, in the groups that they should be in."""
        return not self.report.failures and all(check.ok for check in self.checks)


class IntoBackfill(BulkBackfill):
    """One run over one index of other tools, and its copy; see BulkBackfill.

    `alias` is the one that leads to the copy at the end, by default that by which the index was opened.
    """

    def __init__(
        self,
        copy: IndexCopy,
        source: PartedIndex,
        fields: Fields,
        config: Config,
        *,
        alias: str | None = None,
        shards: int | None = None,
        above: Path = DEFAULT,
        batch: int = BATCH,
        rate: float | None = None,
        processes: int | None = None,
    ) -> None:
        self._copy = copy
        self._alias = alias
        self._shards = shards
        self._fields = fields
        self._open = copy.opener(fields)
        if chosen := alias or copy.alias:
            copy.holder(chosen)  # refuses one that cannot be switched
        super().__init__(source, fields, config, above=above, batch=batch, rate=rate, processes=processes)

    def _open_folder(self) -> Folder | None:
        """See BulkBackfill, and `run_into`."""
        folder = run_into(self._copy.into, self._copy.mark(), self._copy.identity, self._above)
        if folder is None:
            return None
        if (folder.run.index, folder.run.uuid) != self._copy.identity:
            raise InputError(
                f"the run {folder.run.name} copies {folder.run.index!r}, which is gone or another index now: "
                f"take it back with --undo {folder.run.name}"
            )
        if self._shards and self._copy.mark() and self._copy.shards() != self._shards:
            raise InputError(
                f"{self._copy.into!r} has {self._copy.shards()} shards already: leave --shards out, or take "
                f"the run back with --undo {folder.run.name}"
            )
        return self._if_of_these_methods(folder)

    def plan(self) -> str:
        """What the run would make, in a sentence; nothing is done."""
        shards = f", with {self._shards} primary shards" if self._shards else ""
        alias = self._alias or self._copy.alias
        end = f"; then the alias {alias!r} would lead there" if alias else ""
        return (
            f"{self._copy.into!r} would get the mapping and the settings of {self._copy.identity[0]!r}"
            f"{shards}, the dup_ fields, and every document{end}"
        )

    def copy(self, verify: Verify, progress: Progress = lambda step, done, total: None) -> Copied:
        """Copy and group all documents, check them, and let the alias lead to the copy if all is well.

        Raises EngineError, and then goes on from there when it is run again; so it does if a check fails.
        """
        folder = self._folder or self._begin()
        with folder.held():
            if self._copy.mark() is None:
                self._make(folder)
            self._carry_out(folder, progress)
            with closing(self._open()) as target:
                return self._end(folder, target, verify, progress)

    def _begin(self) -> Folder:
        run = new_run(self._index, self._methods, adopts=False)
        alias = self._alias or self._copy.alias
        moved = bool(alias) and self._copy.holder(alias) == run.index
        return Folder.create(self._above, replace(run, into=self._copy.into, alias=alias, moved=moved))

    def _make(self, folder: Folder) -> None:
        """The copy is made; if another process made one of its name at the same time, that is refused."""
        try:
            self._copy.make(self._fields, folder.run.mark, self._shards)
        except (ConfigError, EngineError) as error:
            if not getattr(error, "temporary", False):
                folder.remove()
            raise
        if self._copy.mark() != folder.run.mark:
            folder.remove()
            raise _exists(self._copy.into, self._above)

    def _pool(self, folder: Folder) -> Pool[Tools]:
        options = (self._batch, self._rate, self._processes)
        return pool_for(folder, self._index, self._config, *options, open_copy=self._open)

    def _before_writing(self, folder: Folder) -> None:
        with closing(self._open()) as target:
            target.version()  # makes what stands beside the copy
            if renames := self._copy.renames():
                target.rename(renames, [])
            take_corrections(self._index, target)
            rename_groups(folder, target)

    def _settle(self, folder: Folder, pool: Pool[Tools], progress: Progress) -> None:
        with closing(self._open()) as target:
            target.settled(Backlog((), target.mark()))  # all of it was grouped together
        folder.unpack()
        counts = counts_of(folder)
        del counts["failed"]  # they are tried again
        folder.at("switching", counts=dict(counts))

    @property
    def source(self) -> PartedIndex:
        """The index that is copied."""
        return self._index

    # -- the end

    def _end(self, folder: Folder, target: CopiedIndex, verify: Verify, progress: Progress) -> Copied:
        run = folder.at("switching", **self._newly_named(folder))
        progress("settling", 0, run.documents)
        alone = self._is_alone(run, target)
        if alone:
            folder.at("switching", filled={})
        catch_up = CatchUp(folder, self._copy, self._index, target, self._config, self._rate)
        catch_up(replace=alone)
        progress("settling", run.documents, run.documents)
        checks = [self._whole(folder, target, catch_up.late, alone=alone)]
        checks += verify(target) if checks[0].ok else []
        well = all(check.ok for check in checks) and catch_up(replace=alone)
        if well:
            self._copy.finish()
        if alone:
            folder.at("switching", filled=target.position())
        if well and run.alias:
            self._copy.switch(run.alias)
            catch_up(replace=False)  # what came in the last moment
        counts = dict(Counter(run.counts) + catch_up.late.came)
        leads = run.alias in self._copy.aliases(run.into)
        folder.at("done" if leads else "switching", counts=counts, ended=now())
        return self._copied(folder, checks, catch_up.late)

    def _copied(self, folder: Folder, checks: Sequence[Check], late: Late) -> Copied:
        run = folder.run
        return Copied(
            Report(Counter(run.counts), failures=late.failures, run=run.name),
            tuple(checks),
            run.index,
            run.into,
            run.alias if run.step == "done" else "",
            "" if run.alias else self._copy.command(),
            len(late),
            tuple(sorted(late.left)),
            tuple(self._copy.aliases(run.index)),
            operations_since(run.position, self._index.position()),
            late.unclear,
        )

    def _newly_named(self, folder: Folder) -> dict[str, object]:
        """The alias that leads to the copy at the end may be named when the run goes on."""
        alias = self._alias or folder.run.alias or self._copy.alias
        if alias == folder.run.alias:
            return {}
        return {"alias": alias, "moved": self._copy.holder(alias) == folder.run.index}

    def _is_alone(self, run: Run, target: CopiedIndex) -> bool:
        """Whether nobody else has written into the copy so far."""
        if self._copy.aliases(run.into):
            return False
        return not run.filled or target.position() == run.filled

    def _whole(self, folder: Folder, target: CopiedIndex, late: Late, *, alone: bool) -> Check:
        """Whether the copy has every document of the index; while others write nobody can tell exactly."""
        now_at = self._index.position()
        target.position()  # both refresh
        there, copied = self._index.count(), target.count()
        detail = f"{copied:,} in {folder.run.into!r}, {there:,} in {folder.run.index!r}"
        if late.failures:
            return Check("documents", False, f"{detail}; {len(late.failures):,} were refused")
        if not alone or now_at != folder.run.position:
            return Check("documents", True, f"{detail}, while others write")
        return Check("documents", there == copied, detail)


def run_into(into: str, mark: str | None, index: tuple[str, str], above: Path) -> Folder | None:
    """The run to go on with for a copy that bears this mark, None for a new run. One that is done goes on
    with what came into the index since.

    Raises InputError if the copy is there, and no run made it, or that run is taken back.
    """
    if mark is None:  # the run may have died before it made the copy
        begun = [folder for folder in runs_of(above, index, into) if folder.run.step in UNMADE]
        return begun[-1] if begun else None
    for folder in folders(above):
        if folder.run.into == into and folder.run.mark == mark and folder.run.step != "undone":
            return folder
    raise _exists(into, above)


def _exists(into: str, above: Path) -> InputError:
    return InputError(
        f"there is an index {into!r} already, which is not the copy of a run in {above}: name one that "
        "is not there"
    )


def into_backfill(
    engine: Engine,
    into: str,
    fields: Fields | None = None,
    config: Config | None = None,
    *,
    alias: str | None = None,
    shards: int | None = None,
    change_fields: bool = False,
    above: Path = DEFAULT,
    batch: int = BATCH,
    rate: float | None = None,
    processes: int | None = None,
) -> IntoBackfill:
    """The run that copies the index of an engine, or goes on with it. Raises ConfigError or InputError for
    an index that cannot be copied, a copy that is there already, and an alias that cannot be switched.
    """
    config = config or Config()
    if not isinstance(engine, Copying) or not isinstance(engine, Adopting):
        raise InputError(
            f"{engine.name} has no index that could be copied: --into is for those of other tools"
        )
    if not engine.is_foreign():
        raise InputError(f"{engine.name} was made by dup-groups: --into is for indices of other tools")
    copy = engine.copy_into(into)
    if config.hosts and config.hosts.live:
        raise InputError(
            "with --into the templates of hosts cannot be learned on the way: learn them before, or group "
            "the index in place"
        )
    names = replace(fields or engine.kept_fields() or Fields(), group_by=config.group_by)
    return IntoBackfill(
        copy,
        copy.source(names, change=change_fields),
        names,
        config,
        alias=alias,
        shards=shards,
        above=above,
        batch=batch,
        rate=rate,
        processes=processes,
    )
