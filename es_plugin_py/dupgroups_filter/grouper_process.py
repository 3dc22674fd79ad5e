"""The grouper's process behind a filter: started with it, started again when it dies, and told what came.

It ends with the filter, however that ends: its standard input is closed then.
"""

import asyncio
import contextlib
import json
import logging
import os
import pickle
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from dupgroups_es.acknowledged import News, Sent, news_of
from dupgroups_filter.filter_metrics import Metrics
from dupgroups_filter.filter_options import FilterOptions

# bytes that wait to be read by the grouper; what is not told it finds by itself
MAX_WAITING_BYTES = 8_000_000
GATHER_SECONDS = 0.02  # seconds in which what is told is gathered
RESTART_SECONDS = 5.0  # seconds until a process that died is started again
ENDING_SECONDS = 20.0  # seconds that it has to group what it was told last; the next start finds the rest
MAX_REPORT_BYTES = 1_000_000  # bytes of one line

log = logging.getLogger(__name__)


class GrouperProcess:
    """Use it within one event loop. With `options.group` off nothing is started, and nothing told. `metrics`
    get its figures, and how many documents it was not told of.
    """

    def __init__(self, options: FilterOptions, metrics: Metrics) -> None:
        self._options = options
        self._process: asyncio.subprocess.Process | None = None
        self._is_ending = False
        self._pending: list[tuple[Sequence[Sent], str, bytes]] = []
        self.report: Mapping[str, Any] = {}
        self._metrics = metrics
        metrics.add_grouper(lambda: self.report.get("figures", {}))

    @property
    def trouble(self) -> str:
        """Why documents are not grouped now, in a sentence; "" if they are."""
        if self._options.group and not self._is_ending and (self._process is None or not self.report):
            return "the grouper is being started"
        return str(self.report.get("trouble", ""))

    def notify(self, sent: Sequence[Sent], encoding: str, answer: bytes) -> None:
        """Say what a cluster has answered to what was sent, together with what else comes. Never waits."""
        if self._process is None:
            self._metrics.missed_notifications.inc(len(sent) if self._options.group else 0)
            return
        if not self._pending:
            asyncio.get_running_loop().call_later(GATHER_SECONDS, self._flush)
        self._pending.append((sent, encoding, answer))

    def _flush(self) -> None:
        pending, self._pending = self._pending, []
        news: defaultdict[str, News] = defaultdict(News)
        for sent, encoding, answer in pending:
            for index, documents in news_of(sent, encoding, answer).items():
                news[index].add(documents)
        pipe = self._process.stdin if self._process else None
        if pipe is None or pipe.is_closing() or pipe.transport.get_write_buffer_size() > MAX_WAITING_BYTES:
            self._metrics.missed_notifications.inc(sum(map(len, news.values())))
            return
        for index, new in news.items():
            told = {"index": index, "signed": new.signed, "look": new.look, "gone": new.gone}
            pipe.write(json.dumps(told).encode() + b"\n")

    async def run(self) -> None:
        """For ever: keep the process alive and read its reports."""
        while self._options.group and not self._is_ending:
            try:
                await self._run_once()
            except (OSError, ValueError):
                log.exception("The grouper's process cannot be used")
            self._process, self.report = None, {}
            if not self._is_ending:
                log.warning("The grouper has died; it is started again in %s seconds", RESTART_SECONDS)
                await asyncio.sleep(RESTART_SECONDS)

    async def _run_once(self) -> None:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "dupgroups_filter.grouper_main"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            limit=MAX_REPORT_BYTES,
        )
        assert process.stdin
        assert process.stdout
        process.stdin.write(pickle.dumps(self._options))
        self._process = process
        try:
            async for line in process.stdout:
                self.report = json.loads(line)
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def close(self, running: asyncio.Task[None]) -> None:
        """Let it group what it was told; whoever cancels `running` then kills it."""
        self._is_ending = True
        if self._process is not None and self._process.stdin:
            self._flush()
            self._process.stdin.close()
            await asyncio.wait({running}, timeout=ENDING_SECONDS)
