"""Group an index of other tools: sign it in processes, group it by sorted keys, write what changes.

No document is looked up in the index. Each step leaves files in the work directory, so a run that was killed
goes on where it stopped.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryDirectory

from dupgroups.bulk.processes import Pool
from dupgroups.bulk.resign import MAX_LISTED_PAIRS, Report, describe
from dupgroups.engines.base import Engine
from dupgroups.flow.deduper import now_microseconds
from dupgroups.flow.frame_log import frame_entry, read_frames
from dupgroups.flow.method_set import MethodSet
from dupgroups.flow.signing import extract_document
from dupgroups.methods.frames import Frames
from dupgroups.model import Document
from dupgroups.model.config import Config
from dupgroups.model.field_names import Fields
from dupgroups_es.backfill.assign import assign, rename_groups
from dupgroups_es.backfill.late import settle_late, states_of
from dupgroups_es.backfill.run_directory import DEFAULT, RunDirectory
from dupgroups_es.backfill.runs import Limits, Progress, complete, new_run, pool_for, remove_runs, runs_of
from dupgroups_es.backfill.workers import Worker, read_placed, sign_part, state_of, summary_of, write_part
from dupgroups_es.base import ClusterEngine
from dupgroups_es.sliced import SlicedClusterIndex

MAX_SHOWN_TEXTS = 1_000  # in which the frames are looked for that are shown

Advance = Callable[[int, int], None]
"""Hears how many documents are done, of how many."""


class BulkLoader:
    """One run over one index of other tools: a new one, or the one that was not finished.

    `above` holds the work folders.
    """

    def __init__(
        self,
        index: SlicedClusterIndex,
        fields: Fields,
        config: Config | None = None,
        *,
        above: Path = DEFAULT,
        limits: Limits | None = None,
    ) -> None:
        self._index = index
        self._config = config or Config()
        self._above = above
        self._limits = limits or Limits()
        self._methods = _digest(fields, self._config)
        runs = runs_of(above, index.identity)  # one with other methods is given up
        self._directory = runs[-1] if runs and runs[-1].run.methods == self._methods else None

    @property
    def unfinished(self) -> str:
        """The run that is gone on with, and how far it is, in words; "" for a new one."""
        if self._directory is None:
            return ""
        run = self._directory.run
        signed, written = self._directory.count_done("signed"), self._directory.count_done("written")
        parts = f"{signed} of {len(run.parts)} parts signed, {written} written"
        return f"{run.name}, which stopped while {run.step}: {parts}"

    def run(self, progress: Progress = lambda step, done, total: None) -> Report:
        """Group all documents. Raises EngineError, and then goes on from there when it is run again."""
        directory = self._directory
        if directory is None:
            remove_runs(self._above, self._index.identity)
            directory = self._directory = RunDirectory.create(
                self._above, new_run(self._index, self._methods)
            )
        with directory.lock():
            self._carry_out(directory, progress)
            report = self._settle(directory, partial(progress, "regrouping"))
        directory.remove()
        return report

    def try_out(self, progress: Progress = lambda step, done, total: None) -> Report:
        """Group all documents, and only report what would be written. Raises EngineError."""
        self._index.store.open_read_only()
        with TemporaryDirectory() as above:
            directory = RunDirectory.create(Path(above), new_run(self._index, self._methods))
            self._carry_out(directory, progress, writes=False)
            return self._describe(directory)

    def _carry_out(self, directory: RunDirectory, progress: Progress, *, writes: bool = True) -> None:
        steps: dict[str, Callable[[RunDirectory, Pool[Worker], Advance], None]] = {
            "signing": self._sign,
            "grouping": self._group,
        }
        if writes:
            steps["writing"] = self._write
        path = directory.path
        with pool_for(directory.run, self._index, self._config, self._limits, path=path) as pool:
            directory.remove_drafts()
            while (step := directory.run.step) in steps:
                steps[step](directory, pool, partial(progress, step))

    def _sign(self, directory: RunDirectory, pool: Pool[Worker], progress: Advance) -> None:
        complete(directory, pool, "signed", sign_part, progress)
        directory.at("grouping")

    def _group(self, directory: RunDirectory, pool: Pool[Worker], progress: Advance) -> None:
        progress(0, directory.run.documents)
        log = self._index.store.corrections(fresh=True)
        documents = assign(directory, pool, self._config, log, self._index.store.texts, progress)
        directory.at("writing", documents=documents)

    def _write(self, directory: RunDirectory, pool: Pool[Worker], progress: Advance) -> None:
        if not directory.count_done("written"):
            self._index.store.version()  # adopts the index
            rename_groups(directory, self._index)
            self._enter_frames(directory)
        complete(directory, pool, "written", write_part, progress)
        directory.at("regrouping")

    def _enter_frames(self, directory: RunDirectory) -> None:
        """Let others know what the documents taught."""
        log, taught = self._index.store.corrections(fresh=True), directory.read_frames()
        if len(read_frames(log).add(taught).runs) > len(read_frames(log).runs):
            ids = [record.id for _, record in islice(read_placed(directory, 0), MAX_SHOWN_TEXTS)]
            texts, frames = self._index.store.texts(ids), Frames(taught)
            holders = [id_ for id_ in ids if frames.count_runs(texts.get(id_, ""))]
            entry = frame_entry(log, holders, taught, now_microseconds())
            self._index.store.correct(replace(entry, carried_out=True))

    def _settle(self, directory: RunDirectory, progress: Advance) -> Report:
        documents = directory.run.documents
        progress(0, documents)
        outcomes = settle_late(directory, self._index, self._config, self._limits.rate)
        self._index.store.keeper.count_all()
        report = Report(states_of(outcomes))
        report.failures = {outcome.id: outcome.reason for outcome in outcomes if outcome.reason}
        for number in directory.numbers:
            summary = summary_of(directory, number)
            report.states.update(summary["states"])
            report.failures |= summary["failures"]
        progress(documents, documents)
        return report

    def _describe(self, directory: RunDirectory) -> Report:
        report, methods = Report(), MethodSet(self._config)
        sizes, pairs = Counter[str](), list[tuple[str, str]]()
        for signed, record in chain.from_iterable(read_placed(directory, part) for part in directory.numbers):
            report.states[state_of(signed, record)] += 1
            sizes[record.group] += 1
            pairs += [(record.id, tie.other) for tie in record.ties[: MAX_LISTED_PAIRS - len(pairs)]]

        def read(ids: Sequence[str]) -> dict[str, Document]:
            pages = [stored.page for stored in self._index.reread(ids)]
            return {str(page.id): extract_document(page, methods) for page in pages}

        methods.frames = methods.frames.add(directory.read_frames())
        describe(report, sizes, pairs, read, methods)
        return report


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
    if not isinstance(engine, ClusterEngine) or not engine.is_external():
        return None
    kept = engine.kept_fields()
    names = replace(fields or kept or Fields(), group_by=config.group_by)
    return BulkLoader(engine.adopt(names, change=change_fields), names, config, above=above, limits=limits)


def _digest(fields: Fields, config: Config) -> str:
    """Stands for all that signatures and groups depend on."""
    rule = (sorted(config.join), config.candidates, config.linkage, config.head, config.within_days)
    built = MethodSet(config)
    methods = sorted((language, repr(method)) for language, method in built.by_language.items())
    schemes = sorted(built.schemes)
    of_documents = (config.group_by, config.not_article)
    inputs = repr((str(fields), fields.group_by, rule, methods, schemes, *of_documents))
    return blake2b(inputs.encode("utf-8", "surrogatepass"), digest_size=10).hexdigest()
