"""Group an index of other tools: sign it in processes, group it by sorted keys, write what changes.

No document is looked up in the index. Each step leaves files in the work directory, so a run that was killed
goes on where it stopped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from pathlib import Path

from dupgroups.bulk.backfill.assign import assign, rename_groups
from dupgroups.bulk.backfill.late import settle_late, states_of
from dupgroups.bulk.backfill.report import Report
from dupgroups.bulk.backfill.run_directory import DEFAULT, RunDirectory
from dupgroups.bulk.backfill.runs import Limits, Progress, complete, new_run, pool_for, runs_of
from dupgroups.bulk.backfill.verification import verify
from dupgroups.bulk.backfill.workers import Worker, sign_part, summary_of, write_part
from dupgroups.bulk.processes import Pool
from dupgroups.engines.base import Engine
from dupgroups.engines.foreign import Fields
from dupgroups.engines.parts import Adopting, ForeignIndex
from dupgroups.errors import InputError
from dupgroups.flow import now
from dupgroups.flow.method_set import MethodSet
from dupgroups.grouping import Corrections
from dupgroups.model import Check
from dupgroups.model.config import Config

Advance = Callable[[int, int], None]
"""Hears how many documents are done, of how many."""


class BulkLoader:
    """One run over one index of other tools: a new one, or the one that was not finished.

    `above` holds the work folders. `adopts`: the index was not adopted before.
    """

    def __init__(
        self,
        index: ForeignIndex,
        fields: Fields,
        config: Config | None = None,
        *,
        above: Path = DEFAULT,
        limits: Limits | None = None,
        adopts: bool = False,
    ) -> None:
        self._index = index
        self._config = config or Config()
        self._above = above
        self._limits = limits or Limits()
        self._adopts = adopts
        self._methods = _digest(fields, self._config)
        self._directory = self._open_directory()

    @property
    def unfinished(self) -> str:
        """The run that is gone on with, and how far it is, in words; "" for a new one."""
        if self._directory is None or not self._directory.run.is_open:
            return ""
        run = self._directory.run
        signed, written = self._directory.done("signed"), self._directory.done("written")
        parts = f"{signed} of {len(run.parts)} parts signed, {written} written"
        return f"{run.name}, which stopped while {run.step}: {parts}"

    def _open_directory(self) -> RunDirectory | None:
        """The folder to go on with. Raises InputError if it began to write with other methods."""
        runs = runs_of(self._above, self._index.identity)
        if not runs or not (run := runs[-1].run).is_open:
            return None
        if run.step == "undoing":
            raise InputError(f"the run {run.name} is being taken back: finish that with --undo {run.name}")
        if run.methods == self._methods:
            return runs[-1]
        if run.step in ("signing", "grouping"):
            return None
        raise InputError(
            f"the run {run.name} is not finished, and was begun with other fields or methods: go on with "
            f"those, or take it back with --undo {run.name}"
        )

    def run(self, progress: Progress = lambda step, done, total: None) -> Report:
        """Group all documents. Raises EngineError, and then goes on from there when it is run again."""
        directory = self._directory = self._directory or self._begin()
        with directory.locked():
            self._carry_out(directory, progress)
        return report_of(directory)

    def _carry_out(self, directory: RunDirectory, progress: Progress) -> None:
        steps: dict[str, Callable[[RunDirectory, Pool[Worker], Advance], None]] = {
            "signing": self._sign,
            "grouping": self._group,
            "writing": self._write,
            "settling": self._settle,
        }
        path = directory.path
        with pool_for(directory.run, self._index, self._config, self._limits, path=path) as pool:
            directory.remove_drafts()
            while (step := directory.run.step) in steps:
                steps[step](directory, pool, partial(progress, step))

    def _begin(self) -> RunDirectory:
        return RunDirectory.create(self._above, new_run(self._index, self._methods, adopts=self._adopts))

    def _sign(self, directory: RunDirectory, pool: Pool[Worker], progress: Advance) -> None:
        complete(directory, pool, "signed", sign_part, progress)
        directory.at("grouping")

    def _group(self, directory: RunDirectory, pool: Pool[Worker], progress: Advance) -> None:
        progress(0, directory.run.documents)
        corrections = Corrections.of(self._index.corrections(fresh=True))
        documents = assign(directory, pool, self._config, corrections, progress)
        directory.at("writing", documents=documents)

    def _write(self, directory: RunDirectory, pool: Pool[Worker], progress: Advance) -> None:
        if not directory.done("written"):
            self._index.version()  # adopts the index
            rename_groups(directory, self._index)
        complete(directory, pool, "written", write_part, progress)
        directory.at("settling")

    def _settle(self, directory: RunDirectory, pool: Pool[Worker], progress: Advance) -> None:
        documents = directory.run.documents
        progress(0, documents)
        outcomes = settle_late(directory, self._index, self._config, self._limits.rate)
        states = counts_of(directory) + states_of(outcomes)
        progress(documents, documents)
        failures = {outcome.id: outcome.reason for outcome in outcomes if outcome.reason}
        directory.at("done", counts=dict(states), failures=failures, ended=now())

    def verify(self, progress: Progress = lambda step, done, total: None) -> list[Check]:
        """Check every document after `run`; see `verification.verify`. What others write meanwhile is grouped
        before something counts as wrong.
        """
        directory = self._last()
        settle = partial(settle_late, directory, self._index, self._config, self._limits.rate)
        with directory.locked():
            return verify(self._index, self._config, self._limits, progress=progress, settle=settle)

    def finish(self) -> str:
        """Remove what is not needed to take the run back. Its name, "" if it has not changed anything: then
        the work folder is gone.
        """
        directory = self._last()
        with directory.locked():
            parts, late = directory.numbers, directory.late.exists()
            same = [number for number in parts if not summary_of(directory, number)["written"]]
            for number in parts:
                directory.file(number, "grouped").unlink(missing_ok=True)
            for number in same if not late else ():  # what came late may have changed documents of any part
                directory.file(number, "signed").unlink(missing_ok=True)
        if late or len(same) < len(parts):
            return directory.run.name
        directory.remove()
        return ""

    def _last(self) -> RunDirectory:
        """The folder of the run that has come to its end."""
        assert self._directory, "run() comes first"
        return self._directory


def bulk_backfill(
    engine: Engine,
    fields: Fields | None = None,
    config: Config | None = None,
    *,
    change_fields: bool = False,
    above: Path = DEFAULT,
    limits: Limits | None = None,
) -> BulkLoader | None:
    """The run for an index of other tools: a new one, or that which was not finished; None for a store of our
    own. Raises ConfigError for an index that cannot be grouped.
    """
    config = config or Config()
    if not isinstance(engine, Adopting) or not engine.is_foreign():
        return None
    kept = engine.kept_fields()
    names = replace(fields or kept or Fields(), group_by=config.group_by)
    return BulkLoader(
        engine.adopt(names, change=change_fields),
        names,
        config,
        above=above,
        limits=limits,
        adopts=kept is None,
    )


def counts_of(directory: RunDirectory) -> Counter[str]:
    """Documents by state, as the parts say."""
    states: Counter[str] = Counter()
    for number in directory.numbers:
        states.update(summary_of(directory, number)["states"])
    return states


def report_of(directory: RunDirectory) -> Report:
    """What a run that is done did."""
    failures = dict(directory.run.failures)
    for number in directory.numbers:
        failures |= summary_of(directory, number)["failures"]
    return Report(Counter(directory.run.counts), failures=failures, run=directory.run.name)


def _digest(fields: Fields, config: Config) -> str:
    """Stands for all that signatures and groups depend on."""
    rule = (sorted(config.join), config.candidates, config.linkage, config.head, config.within_days)
    methods = sorted((language, repr(method)) for language, method in config.methods.items())
    schemes = sorted(MethodSet(config).schemes)
    known = repr((str(fields), fields.group_by, rule, methods, schemes, config.group_by, config.hosts))
    return blake2b(known.encode("utf-8", "surrogatepass"), digest_size=10).hexdigest()
