"""The writers of all indices that the name in the URL stands for: an index, an alias, or a pattern."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import TypeVar

from dupgroups.engines import Engine, engine_url, open_engine
from dupgroups.engines.foreign import Adopting, Target
from dupgroups.errors import ConfigError, DupGroupsError
from dupgroups.filtering.batch import Batch, Call, together
from dupgroups.filtering.metrics import Metrics
from dupgroups.filtering.operations import Operation
from dupgroups.filtering.options import Options
from dupgroups.filtering.writer import Writer

LOOK = 5.0  # seconds between two looks at what the names stand for, while something is written
IDLE = 600.0  # seconds after which an index that nobody writes into is closed

T = TypeVar("T")

log = logging.getLogger(__name__)


class Writers:
    """One writer for each index, opened when somebody writes there. Use it within one event loop."""

    def __init__(self, options: Options, metrics: Metrics) -> None:
        self._options = options
        self._metrics = metrics
        self._url = engine_url(options.engine or options.config.engine)
        self._matches = _matcher(self._url.path)
        self._targets: Mapping[str, Target] = {}
        self._writers: dict[str, Writer] = {}
        self._engine: Engine | None = None  # tells what the names stand for
        self._reader = ThreadPoolExecutor(1, thread_name_prefix="names")
        self._looking: asyncio.Task[None] | None = None
        self._is_outdated = False
        self._looked = self._written = time.monotonic()
        self._trouble = ""

    # -- the indices

    async def open(self) -> None:
        """Look what there is. Raises ConfigError for an index that cannot be filtered; what may be cured
        later, as a missing index or a server that is down, is tried again at every write.
        """
        try:
            self._targets = await self._run(self._read)
        except ConfigError:
            raise
        except DupGroupsError as error:
            log.warning("%s", error)
        index = self._index_of(self._url.path)
        if index and "*" not in index:
            await self._writer(index).open()

    def outdate(self) -> None:
        """The names may stand for other indices from now on."""
        self._is_outdated = True

    async def renew(self) -> None:
        """Look what the names stand for, if that may have changed, with patience."""
        if self._looking:
            await asyncio.wait({self._looking}, timeout=self._options.patience)
        if self._is_outdated:
            self._looking = self._looking or asyncio.create_task(self._look())
            await asyncio.wait({self._looking}, timeout=self._options.patience)

    async def _look(self) -> None:
        is_outdated, self._is_outdated = self._is_outdated, False
        before, self._looked = self._targets, time.monotonic()
        try:
            self._targets, self._trouble = await self._run(self._read), ""
            now = set(self._targets.values())
            for index, writer in self._writers.items():
                if is_outdated or any(one.index == index and one not in now for one in before.values()):
                    writer.outdate()
        except DupGroupsError as error:
            self._is_outdated, self._trouble = self._is_outdated or is_outdated, str(error)
        except Exception:
            self._is_outdated = self._is_outdated or is_outdated
            log.exception("What the names stand for could not be read; tried again with the next write")
        finally:
            self._looking = None

    def _read(self) -> Mapping[str, Target]:
        if self._engine is None:
            self._engine = open_engine(self._url, must_exist=True)
        assert isinstance(self._engine, Adopting)
        return self._engine.write_targets()

    def _index_of(self, name: str | None) -> str | None:
        """The index that is written into under a name; the name itself if such an index may come later."""
        if name is None:
            return None
        if target := self._targets.get(name):
            return target.index
        only_reads = bool(self._targets) and name == self._url.path  # an alias without a write index
        return name if self._matches(name) and not only_reads else None

    def covers(self, name: str | None) -> bool:
        """Whether what is written under this name is filtered, as far as is known."""
        return self._index_of(name) is not None

    @property
    def problem(self) -> str:
        """Why documents have no groups now, in a sentence; "" if they have."""
        problems = (writer.problem for index, writer in self._writers.items() if not self._is_gone(index))
        return self._trouble or next(filter(None, problems), "")

    def _is_gone(self, index: str) -> bool:
        """Whether an index of a pattern or alias was deleted: what is amiss with it no longer matters."""
        there = {target.index for target in self._targets.values()}
        return bool(there) and index != self._url.path and index not in there

    # -- writing

    async def carry_out(self, operations: Sequence[Operation], call: Call) -> Batch:
        """Write with groups where that is possible in time; every operation is answered afterwards.

        At least one of them must be covered; the others go with those of the first index.
        """
        self._written = time.monotonic()
        resolved = [self._resolved(operation) for operation in operations]
        places: defaultdict[str, list[int]] = defaultdict(list)
        for place, operation in enumerate(resolved):
            if operation.home is not None:
                places[operation.home].append(place)
        first = next(iter(places))
        places[first] = [place for place, operation in enumerate(resolved) if operation.home in (None, first)]
        batches = await asyncio.gather(
            *(
                self._writer(index).carry_out([resolved[place] for place in of_index], call)
                for index, of_index in places.items()
            )
        )
        if len(batches) == 1:
            return batches[0]
        return together(resolved, [*zip(places.values(), batches, strict=True)])

    def _resolved(self, operation: Operation) -> Operation:
        """The operation with the index that it writes into. An alias that moves on is not asked again."""
        target = self._targets.get(operation.index)
        home = self._index_of(operation.index)
        if target is None:
            return replace(operation, home=home)
        if target.routing is not None and operation.routing is None:
            return replace(
                operation, home=home, parameters={**operation.parameters, "routing": target.routing}
            )
        return replace(operation, home=home, is_pinned=target.moves_on)

    def _writer(self, index: str) -> Writer:
        if index not in self._writers:
            url = replace(self._url, path=index)
            self._writers[index] = Writer(self._options, self._metrics, url)
        return self._writers[index]

    # -- in the background

    async def tend(self) -> None:
        """For ever: settle what is quiet, see which indices come and go, and close those that nobody uses."""
        while True:
            await asyncio.sleep(min(1.0, self._options.quiet))
            await asyncio.gather(*(writer.settle_if_due() for writer in self._writers.values()))
            if self._written > self._looked and time.monotonic() > self._looked + LOOK:
                self._looking = self._looking or asyncio.create_task(self._look())
            for index, writer in [*self._writers.items()]:
                if writer.idle > IDLE:  # asked now: while another was closed, it may have got a request
                    del self._writers[index]
                    await writer.close()

    async def close(self) -> None:
        """Settle, and close the connections. Nothing may be written any longer."""
        for writer in self._writers.values():
            await writer.close()
        if self._engine:
            await self._run(self._engine.close)
        self._reader.shutdown(wait=False)

    async def _run(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._reader, work)


def _matcher(pattern: str) -> Callable[[str], bool]:
    """Whether a name is one of a pattern, in which * stands for any characters but a dot in front.

    >>> [_matcher("articles-*")(name) for name in ("articles-2026", "articles", "x-articles-1")]
    [True, False, False]
    """
    dotted, glob = pattern.startswith("."), pattern.replace("[", "[[]")
    return lambda name: name.startswith(".") == dotted and fnmatchcase(name, glob)
