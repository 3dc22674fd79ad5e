"""The process behind a filter: what it is told comes in lines of JSON, and so do its reports go out."""

import json
import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from queue import Empty, SimpleQueue

from dupgroups.engines import open_engine
from dupgroups.errors import DupGroupsError
from dupgroups_es.acknowledged import News
from dupgroups_filter.filter_options import FilterOptions
from dupgroups_filter.grouper import (
    BATCH_DOCUMENTS,
    BURST_SECONDS,
    MIN_FULL_DOCUMENTS,
    POLL_SECONDS,
    Groupers,
)
from dupgroups_filter.index_grouper import Progress

# bytes of news that wait to be grouped; what comes then is found by the next look
MAX_NEWS_BYTES = 32_000_000
# while others write, a batch is followed by a rest so many times as long; at most, seconds
REST_FACTORS = 3.0, 0.5
BUSY = 8.0, 4.0  # the same where they write MIN_FULL_DOCUMENTS: they come first
QUIET_SECONDS = 0.2  # seconds in which nobody writes: they end a rest


class Inbox:
    """Notifications of the filter until they are taken. Once nothing more can come, `stop` is set."""

    def __init__(self, stop: threading.Event) -> None:
        self._stop = stop
        self._told: SimpleQueue[bytes] = SimpleQueue()
        self._came = self._taken = 0  # bytes since the start
        self._seen = 0  # what had come when the last batch was taken
        self._turn = REST_FACTORS
        self._begun = self._caught_up = time.monotonic()  # with that batch; and when nothing was left

    def read(self, lines: Iterable[bytes]) -> None:
        """Take lines until there are no more: then the filter has ended."""
        for line in lines:
            # else the filter has died in it
            if self._came - self._taken < MAX_NEWS_BYTES and line.endswith(b"\n"):
                self._came += len(line)
                self._told.put(line)
        self._stop.set()
        self._told.put(b"")

    def wait(self, seconds: float) -> Mapping[str, News]:
        """The news, some BATCH_DOCUMENTS documents; {} if nothing came in so many seconds. Before, those who
        write have their turn.
        """
        self._wait_for_quiet()
        taken: dict[str, News] = {}
        with suppress(Empty):
            self._add(taken, self._told.get(timeout=seconds))
            while sum(map(len, taken.values())) < BATCH_DOCUMENTS:
                self._add(taken, self._told.get_nowait())
        self._turn = BUSY if sum(map(len, taken.values())) > MIN_FULL_DOCUMENTS else REST_FACTORS
        self._begun, self._seen = time.monotonic(), self._came
        if self._told.empty():
            self._caught_up = self._begun
        return taken

    def _wait_for_quiet(self) -> None:
        now, seen, (times, longest) = time.monotonic(), self._seen, self._turn
        until = min(now + min(longest, times * (now - self._begun)), self._caught_up + BURST_SECONDS)
        while self._came != seen and now < until and not self._stop.is_set():
            seen = self._came
            self._stop.wait(min(QUIET_SECONDS, until - now))
            now = time.monotonic()

    def _add(self, taken: dict[str, News], line: bytes) -> None:
        self._taken += len(line)
        if line:
            told = json.loads(line)
            taken.setdefault(told.pop("index"), News()).add(News(**told))


def main() -> None:
    """Group until the filter closes its end of the pipe, whatever signals come."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    options: FilterOptions = pickle.load(sys.stdin.buffer)  # noqa: S301 - of the process that has started this one
    stop = threading.Event()
    inbox = Inbox(stop)
    threading.Thread(target=inbox.read, args=(sys.stdin.buffer,), daemon=True).start()
    while True:  # once at least: what was told before this process was up is grouped too
        try:
            _group(options, inbox, stop)
        except DupGroupsError as error:
            _report(Progress(trouble=str(error)))
            stop.wait(POLL_SECONDS)
        if stop.is_set():
            return


def _group(options: FilterOptions, inbox: Inbox, stop: threading.Event) -> None:
    with closing(open_engine(options.engine or options.config.engine)) as engine:
        groupers = Groupers(engine, options.fields, options.config, may_come=True)
        _report(groupers.progress)
        groupers.run(stop, report=_report, wait=inbox.wait)
        groupers.on_acknowledged(inbox.wait(0))
        groupers.poll()
        _report(groupers.progress)


def _report(progress: Progress) -> None:
    report = {"figures": progress.figures(), "pid": os.getpid(), "trouble": progress.trouble}
    print(json.dumps(report), flush=True)  # noqa: T201 - to the filter


if __name__ == "__main__":
    main()
