"""Learn the templates of hosts from a stream of pages: deterministic, and in bounded memory.

For each host, the runs of its first 128 pages are counted. Two bounds keep memory small, as in Manku and
Motwani: Approximate Frequency Counts over Data Streams (VLDB 2002): a host with too many different runs
forgets the rarest, which belong to its articles; and when all hosts together hold too much, the host whose
last page is oldest is forgotten completely.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from dupgroups.methods.templates import NO_RUNS, Runs, Templates, runs_of
from dupgroups.text.sets import is_among

MAX_HOST_PAGES = 128  # pages of a host that are counted
MAX_HOST_RUNS = 1 << 15  # runs of a host that are held: about twenty pages without common runs
MAX_PAGE_RUNS = 1 << 13  # runs of a page that are counted, from its beginning
MEMORY_BYTES = 1_000_000_000  # most bytes that all hosts together hold

_HOST_BYTES = 1000  # estimated bytes of a host, in addition to the arrays


@dataclass(slots=True)
class _Host:
    """`counts` of the `pages` with each of `runs`."""

    pages: int = 0
    runs: Runs = field(default_factory=lambda: NO_RUNS)
    counts: NDArray[np.uint8] = field(default_factory=lambda: np.zeros(0, np.uint8))

    @property
    def size(self) -> int:
        """Estimated size in bytes."""
        return _HOST_BYTES + self.runs.nbytes + self.counts.nbytes

    def add(self, runs: Runs) -> None:
        """Count the runs of one page, each run once."""
        self.pages += 1
        runs = np.unique(runs)
        known = is_among(runs, self.runs)
        self.counts[np.searchsorted(self.runs, runs[known])] += np.uint8(1)
        places = np.searchsorted(self.runs, runs[~known])
        self.runs = np.insert(self.runs, places, runs[~known])
        self.counts = np.insert(self.counts, places, np.uint8(1))
        least = 2
        while len(self.runs) > MAX_HOST_RUNS:
            self.forget_below(least)
            least += 1

    def forget_below(self, least: int) -> None:
        """Keep the runs that at least so many pages have."""
        kept = self.counts >= least
        self.runs, self.counts = self.runs[kept], self.counts[kept]


class TemplateLearner:
    """Counts pages of hosts within `memory` bytes. Not thread-safe.

    `forgotten` is the number of hosts that had to be forgotten.
    """

    def __init__(self, settings: Templates | None = None, memory: int = MEMORY_BYTES) -> None:
        self.settings, self.memory = settings or Templates(), memory
        self.forgotten = 0
        self._hosts: dict[str, _Host] = {}  # the most recently seen is the last
        self._size = 0

    def count(self, host: str, text: str) -> None:
        """Count a page, unless its host is "" or has 128 pages already."""
        if not host:
            return
        known = self._hosts.pop(host, None)
        if known is None:
            known = _Host()
            self._size += known.size
        self._hosts[host] = known
        if known.pages < MAX_HOST_PAGES:
            self._size -= known.size
            known.add(runs_of(text, self.settings.run)[:MAX_PAGE_RUNS])
            if known.pages == MAX_HOST_PAGES:
                known.forget_below(self.settings.common)
            self._size += known.size
            self._forget(host)

    def _forget(self, current: str) -> None:
        while self._size > self.memory and (oldest := next(iter(self._hosts))) != current:
            self._size -= self._hosts.pop(oldest).size
            self.forgotten += 1

    @property
    def templates(self) -> Templates:
        """The templates of all hosts that have one: the runs that at least `common` pages share."""
        run, common = self.settings.run, self.settings.common
        shared = {host: known.runs[known.counts >= common] for host, known in self._hosts.items()}
        return Templates({host: runs for host, runs in shared.items() if len(runs)}, run, common)
