"""Group what others write into an index, seconds after they have written it, without end.

A look groups everything that was written since the one before, by the same flow as a crawl, whoever wrote it.
Documents that a filter signed and the cluster acknowledged need not wait for a poll. Both may be
interrupted anywhere, and repeated: a document that is grouped as it is now is passed over.
"""

import logging
import threading
import time
from collections.abc import Callable, Mapping

from dupgroups.engines.base import Engine
from dupgroups.errors import ConfigError, DupGroupsError, EngineError, MissingIndexError
from dupgroups.model.config import Config
from dupgroups.model.field_names import Fields
from dupgroups_es.acknowledged import News
from dupgroups_es.base import ClusterEngine
from dupgroups_es.index_names import forms_set
from dupgroups_es.index_set import explain_filter, is_set
from dupgroups_filter.index_grouper import Grouper, Progress

BATCH_DOCUMENTS = 2_000  # documents that a filter told of, and that are grouped together
MIN_FULL_DOCUMENTS = 100  # of such documents
BURST_SECONDS = 30.0  # seconds that writers come first; then grouping takes what it needs to keep up
POLL_SECONDS = 2.0  # seconds between two looks
MAX_RETRY_SECONDS = 60.0  # seconds between two tries while there is trouble

log = logging.getLogger(__name__)

Wait = Callable[[float], Mapping[str, News]]  # what a filter tells in so many seconds, by index


class Groupers:
    """Groups what a name stands for, also indices that come later: all of them as one, unless one of them was
    grouped by itself before; then each has groups of its own.

    An index that cannot be grouped is named in `progress.trouble`; the others are grouped nevertheless.
    Raises ConfigError if the name is that of one index that cannot be grouped, and MissingIndexError for
    none, unless it `may_come`, and its texts, too.
    """

    def __init__(
        self,
        engine: Engine,
        fields: Fields | None = None,
        config: Config | None = None,
        *,
        may_come: bool = False,
    ) -> None:
        if not isinstance(engine, ClusterEngine):
            raise ConfigError(
                f"{engine.name} has only what dup-groups wrote and grouped: follow an index of Elasticsearch "
                "or OpenSearch"
            )
        self.progress = Progress()
        self._engine = engine
        self._fields = fields
        self._config = config or Config()
        self._may_come = may_come
        self._groupers: dict[str, Grouper] = {}
        self._unfit: dict[str, str] = {}  # why indices cannot be grouped
        self._covered: frozenset[str] = frozenset()  # the indices behind the name
        self._found = 0.0  # when they were looked for
        self._find()
        if not self._groupers and not self._unfit and not may_come and "*" not in engine.index:
            raise MissingIndexError(f"{engine.name}: there is no index or alias {engine.index!r}")
        if [*self._unfit] == [engine.index]:
            raise ConfigError(self._unfit[engine.index])

    def run(
        self,
        stop: threading.Event,
        *,
        every: float = POLL_SECONDS,
        report: Callable[[Progress], None] = lambda progress: None,
        wait: Wait | None = None,
    ) -> None:
        """Look every so many seconds until `stop` is set; the batch that is being grouped is finished then.

        `report` is called after each look, and when the engine cannot be used: the next look comes later
        then, and later with each one that fails, but within a minute. `wait` waits for so many seconds, or
        until a filter tells something.
        """
        pause = every
        while not stop.is_set():
            begun = time.monotonic()
            try:
                self.poll(stop)
                pause = every
            except DupGroupsError as error:
                self.progress.trouble, pause = str(error), min(MAX_RETRY_SECONDS, 2 * pause)
            report(self.progress)
            if wait:
                self._listen(stop, wait, begun + pause)
            else:
                stop.wait(begun + pause - time.monotonic())

    def _listen(self, stop: threading.Event, wait: Wait, until: float) -> None:
        """Group what a filter tells: once at least, then until it is time for a look. While much is told,
        looks are put off: they would find the same, and read it from the index.
        """
        while True:
            news = wait(max(0.0, until - time.monotonic()))
            self.on_acknowledged(news)
            late, much = time.monotonic() - until, sum(map(len, news.values())) >= MIN_FULL_DOCUMENTS
            if stop.is_set() or (late > 0 and not (much and late < BURST_SECONDS)):
                return

    def poll(self, stop: threading.Event | None = None) -> None:
        """Look at every index. Raises DupGroupsError if none can be looked at."""
        self._find()
        failed = []
        for index, grouper in self._groupers.items():
            try:
                grouper.poll(stop)
            except DupGroupsError as error:
                grouper.sweep_soon()
                failed.append(f"{index}: {error}")
        unfit = [why for grouper in self._groupers.values() for why in grouper.unfit.values()]
        troubles = [*failed, *self._unfit.values(), *unfit]
        if troubles and len(failed) == len(self._groupers):
            raise EngineError(troubles[0])
        self.progress.trouble = troubles[0] if troubles else ""

    def on_acknowledged(self, news: Mapping[str, News]) -> None:
        """Group what a filter tells, by index: it tells of all indices, those that nobody asked us to group
        as well. What fails is left to the next look, which finds it.
        """
        try:
            if news.keys() - self._covered and time.monotonic() > self._found + POLL_SECONDS:
                self._find()
            for index in news.keys() & self._covered:
                if grouper := self._groupers.get(index) or self._groupers.get(self._engine.index):
                    grouper.on_acknowledged(news[index], index)
        except DupGroupsError as error:
            log.warning("Documents are grouped with the next look: %s", error)

    def _find(self) -> None:
        """Open the indices that are new, and let go of those that are not there any longer."""
        uuids = self._find_indices()
        for index, grouper in [*self._groupers.items()]:
            if uuids.get(index) != grouper.uuid:  # it is gone, or was made anew
                del self._groupers[index]
                self.progress.forget_index(index)
        self._unfit = {index: why for index, why in self._unfit.items() if index in uuids}
        for index in sorted(uuids.keys() - self._groupers.keys()):
            try:
                fields = self._fields or self._engine.kept_fields() or Fields()
                self._groupers[index] = Grouper(
                    self._engine.cluster, index, fields, self._config, self.progress, self._may_come
                )
                self._unfit.pop(index, None)
            except ConfigError as error:
                self._unfit[index] = str(error)

    def _find_indices(self) -> dict[str, str]:
        """The uuids of the indices by name. The alias of an index of ours stays one name, and so do the
        indices that are grouped together: they move on as a whole.
        """
        name = self._engine.index
        indices = self._engine.cluster.names(name)
        if problem := explain_filter(name, indices):
            raise ConfigError(f"{self._engine.name}: {problem}")
        self._covered, self._found = frozenset(indices), time.monotonic()
        uuids = {index: str(answer["uuid"]) for index, answer in indices.items()}
        is_own_alias = bool(indices) and "*" not in name and not self._engine.is_external()
        if is_own_alias or (indices and forms_set(name, indices)):
            return {name: "set" if is_set(name, indices) else uuids.popitem()[1]}
        return uuids
