"""Group an index of other tools: sign it in processes, group it by sorted keys, write what changes.

No document is looked up in the index. Each step leaves files in the work folder, so a run that was killed
goes on where it stopped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import Literal

from dupgroups.backfill.assign import assign, rename_groups
from dupgroups.backfill.late import settle_late, states_of
from dupgroups.backfill.report import Report
from dupgroups.backfill.run_directory import DEFAULT, RunDirectory
from dupgroups.backfill.runs import BATCH, Progress, new_run, pool_for, runs_of
from dupgroups.backfill.verification import verify
from dupgroups.backfill.workers import Tools, sign_part, summary_of, write_part
from dupgroups.config import Config
from dupgroups.engines.base import Engine
from dupgroups.engines.foreign import Fields
from dupgroups.engines.parts import Adopting, ForeignIndex
from dupgroups.errors import InputError
from dupgroups.flow import now
from dupgroups.grouping import Corrections
from dupgroups.method_set import MethodSet
from dupgroups.model import Check
from dupgroups.processes import Pool
from dupgroups.signing import OnlineTemplates, extract_document

KINDS: tuple[Literal["signed", "written"], ...] = ("signed", "written")


class BulkLoader:
    """One run over one index of other tools: a new one, or the one that was not finished.

    `above` holds the work folders. `rate` is the most documents a second that are read, and that are written;
    None is no limit. `processes` None takes all cores.
    """

    def __init__(
        self,
        index: ForeignIndex,
        fields: Fields,
        config: Config | None = None,
        *,
        above: Path = DEFAULT,
        batch: int = BATCH,
        rate: float | None = None,
        processes: int | None = None,
        adopts: bool = False,
    ) -> None:
        self._index = index
        self._config = config or Config()
        self._above = above
        self._batch = batch
        self._rate = rate
        self._processes = processes
        self._adopts = adopts
        self._methods = _digest(fields, self._config)
        self._folder = self._open_folder()

    @property
    def unfinished(self) -> str:
        """The run that is gone on with, and how far it is, in words; "" for a new one."""
        if self._folder is None or not self._folder.run.is_open:
            return ""
        run = self._folder.run
        done = {kind: len(run.parts) - len(self._folder.missing(kind)) for kind in KINDS}
        parts = f"{done['signed']} of {len(run.parts)} parts signed, {done['written']} written"
        return f"{run.name}, which stopped while {run.step}: {parts}"

    def _open_folder(self) -> RunDirectory | None:
        """The folder to go on with. Raises InputError if it began to write with other methods."""
        of_index = runs_of(self._above, self._index.identity)
        if not of_index or not of_index[-1].run.is_open:
            return None
        return self._if_of_these_methods(of_index[-1])

    def _if_of_these_methods(self, folder: RunDirectory) -> RunDirectory | None:
        run = folder.run
        if run.step == "undoing":
            raise InputError(f"the run {run.name} is being taken back: finish that with --undo {run.name}")
        if run.methods == self._methods:
            return folder
        if run.step in ("signing", "grouping"):
            return None
        state = "is not finished, and was begun" if run.is_open else "was made"
        raise InputError(
            f"the run {run.name} {state} with other fields or methods: go on with those, or take it back "
            f"with --undo {run.name}"
        )

    def run(self, progress: Progress = lambda step, done, total: None) -> Report:
        """Group all documents. Raises EngineError, and then goes on from there when it is run again."""
        folder = self._folder = self._folder or self._begin()
        with folder.held():
            self._carry_out(folder, progress)
        return report_of(folder)

    def _carry_out(self, folder: RunDirectory, progress: Progress) -> None:
        steps: dict[str, Callable[[RunDirectory, Pool[Tools], Progress], None]] = {
            "signing": self._sign,
            "grouping": self._group,
            "writing": self._write,
            "settling": self._settle,
        }
        with self._pool(folder) as pool:
            folder.tidy()
            while folder.run.step in steps:
                steps[folder.run.step](folder, pool, progress)

    def _begin(self) -> RunDirectory:
        return RunDirectory.create(self._above, new_run(self._index, self._methods, adopts=self._adopts))

    def _pool(self, folder: RunDirectory) -> Pool[Tools]:
        given = (self._batch, self._rate, self._processes)
        return pool_for(folder.run, self._index, self._config, *given, folder=folder.path)

    def _sign(self, folder: RunDirectory, pool: Pool[Tools], progress: Progress) -> None:
        run, missing = folder.run, folder.missing("signed")
        share = run.documents / max(1, len(run.parts))
        done = round(share * (len(run.parts) - len(missing)))
        progress("signing", done, run.documents)
        if len(missing) == len(run.parts):
            self._learn()
        for documents in pool.map(sign_part, [(number, run.parts[number]) for number in missing]):
            done += documents
            progress("signing", done, run.documents)
        folder.at("grouping")

    def _learn(self) -> None:
        """Where the templates of hosts are learned live: from all documents, before one of them is signed."""
        methods = MethodSet(self._config)
        if templates := OnlineTemplates.of(self._config, methods):
            for page in self._index.pages():
                templates.count(extract_document(page, methods))
            templates.finish()
            templates.save()

    def _group(self, folder: RunDirectory, pool: Pool[Tools], progress: Progress) -> None:
        progress("grouping", 0, folder.run.documents)
        log = self._index.corrections(fresh=True)
        documents = assign(
            folder,
            pool,
            self._config,
            Corrections.of(log),
            lambda done, total: progress("grouping", done, total),
        )
        folder.at("writing", documents=documents)

    def _write(self, folder: RunDirectory, pool: Pool[Tools], progress: Progress) -> None:
        run, missing = folder.run, folder.missing("written")
        if len(missing) == len(run.parts):
            self._before_writing(folder)
        share = run.documents / max(1, len(run.parts))
        done = round(share * (len(run.parts) - len(missing)))
        progress("writing", done, run.documents)
        for documents in pool.map(write_part, missing):
            done += documents
            progress("writing", done, run.documents)
        folder.at("settling")

    def _before_writing(self, folder: RunDirectory) -> None:
        self._index.version()  # adopts the index
        rename_groups(folder, self._index)

    def _settle(self, folder: RunDirectory, pool: Pool[Tools], progress: Progress) -> None:
        progress("settling", 0, folder.run.documents)
        outcomes = settle_late(folder, self._index, self._config, self._rate)
        states = counts_of(folder) + states_of(outcomes)
        progress("settling", folder.run.documents, folder.run.documents)
        failures = {outcome.id: outcome.reason for outcome in outcomes if outcome.reason}
        folder.at("done", counts=dict(states), failures=failures, ended=now())

    def verify(self, progress: Progress = lambda step, done, total: None) -> list[Check]:
        """Check every document after `run`; see `verification.verify`. What others write meanwhile is grouped
        before something counts as wrong.
        """
        folder = self._last()
        with folder.held():
            return verify(
                self._index,
                self._config,
                processes=self._processes,
                progress=progress,
                settle=lambda: settle_late(folder, self._index, self._config, self._rate),
            )

    def finish(self) -> str:
        """Remove what is not needed to take the run back. Its name, "" if it has not changed anything: then
        the work folder is gone.
        """
        folder = self._last()
        with folder.held():
            parts = range(len(folder.run.parts))
            late = folder.late.exists()
            same = [number for number in parts if not summary_of(folder, number)["written"]]
            for number in parts:
                folder.file(number, "grouped").unlink(missing_ok=True)
            for number in same if not late else ():  # what came late may have changed documents of any part
                folder.file(number, "signed").unlink(missing_ok=True)
        if late or len(same) < len(parts):
            return folder.run.name
        folder.remove()
        return ""

    def _last(self) -> RunDirectory:
        """The folder of the run that has come to its end."""
        assert self._folder, "run() comes first"
        return self._folder


def bulk_backfill(
    engine: Engine,
    fields: Fields | None = None,
    config: Config | None = None,
    *,
    change_fields: bool = False,
    above: Path = DEFAULT,
    batch: int = BATCH,
    rate: float | None = None,
    processes: int | None = None,
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
        batch=batch,
        rate=rate,
        processes=processes,
        adopts=kept is None,
    )


def counts_of(folder: RunDirectory) -> Counter[str]:
    """Documents by state, as the parts say."""
    states: Counter[str] = Counter()
    for number in range(len(folder.run.parts)):
        states.update(summary_of(folder, number)["states"])
    return states


def report_of(folder: RunDirectory) -> Report:
    """What a run that is done did."""
    failures = dict(folder.run.failures)
    for number in range(len(folder.run.parts)):
        failures |= summary_of(folder, number)["failures"]
    return Report(Counter(folder.run.counts), failures=failures, run=folder.run.name)


def _digest(fields: Fields, config: Config) -> str:
    """Stands for all that signatures and groups depend on."""
    rule = (sorted(config.join), config.candidates, config.linkage, config.head, config.within_days)
    methods = sorted((language, repr(method)) for language, method in config.methods.items())
    schemes = sorted(MethodSet(config).schemes)
    known = repr((str(fields), fields.group_by, rule, methods, schemes, config.group_by, config.hosts))
    return blake2b(known.encode("utf-8", "surrogatepass"), digest_size=10).hexdigest()
