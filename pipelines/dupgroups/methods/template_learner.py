"""Learn the templates of hosts from a stream of pages: deterministic, and in bounded memory.

For each host, the runs of its first pages are counted. The template is computed when `common` pages are
counted, and again at twice, four times, ... as many. At 128 pages the counts are dropped and the template
stays. Two bounds keep memory small, as in Manku and Motwani: Approximate Frequency Counts over Data Streams
(VLDB 2002): a host with too many different runs forgets the rarest, which belong to its articles; and when
all hosts together hold too much, the host whose last page is oldest is forgotten completely.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dupgroups.methods import npz
from dupgroups.methods.templates import (
    NO_RUNS,
    Arrays,
    Runs,
    Templates,
    are_texts,
    cut,
    packed,
    runs_of,
    sets_of_runs,
    unpacked,
    without,
)
from dupgroups.text.sets import among

PAGES = 128  # pages of a host that are counted
RUNS = 1 << 15  # runs of a host that are held: about twenty pages without common runs
LONGEST = 1 << 13  # runs of a page that are counted, from its beginning
MEMORY = 256_000_000  # most bytes that all hosts together hold

_NO_COUNTS = np.zeros(0, np.uint8)
_HOST, _ID = 1000, 120  # estimated bytes of a host and of an id, in addition to the arrays


@dataclass(slots=True)
class _Host:
    """The `ids` of the counted pages, and `counts` of pages with each of `runs`, both dropped at the end.

    `template` is the last one that was computed; `signed` is the page count when the stored pages were last
    signed with it.
    """

    template: Runs = field(default_factory=lambda: NO_RUNS)
    pages: int = 0
    signed: int = 0
    ids: list[str] = field(default_factory=list)
    runs: Runs = field(default_factory=lambda: NO_RUNS)
    counts: NDArray[np.uint8] = field(default_factory=lambda: _NO_COUNTS)

    @property
    def size(self) -> int:
        """Estimated size in bytes."""
        held = self.template.nbytes + self.runs.nbytes + self.counts.nbytes
        return _HOST + held + sum(_ID + len(id_) for id_ in self.ids)

    def add(self, runs: Runs) -> None:
        """Count the runs of one page, each run once."""
        runs = np.unique(runs)
        known = among(runs, self.runs)
        self.counts[np.searchsorted(self.runs, runs[known])] += np.uint8(1)
        places = np.searchsorted(self.runs, runs[~known])
        self.runs = np.insert(self.runs, places, runs[~known])
        self.counts = np.insert(self.counts, places, np.uint8(1))
        least = 2
        while len(self.runs) > RUNS:
            kept = self.counts >= least
            self.runs, self.counts, least = self.runs[kept], self.counts[kept], least + 1

    def update_template(self, common: int) -> bool:
        """Compute the template from the counts. Returns whether it has changed."""
        template = self.runs[self.counts >= common]
        changed = not np.array_equal(template, self.template)
        self.template = template
        return changed

    def drop_counts(self) -> None:
        """Keep only the template of a host that is completely learned and signed."""
        if self.pages == self.signed == PAGES:
            self.ids, self.runs, self.counts = [], NO_RUNS, _NO_COUNTS


class TemplateLearner:
    """Counts pages of hosts within `memory` bytes. Not thread-safe.

    `forgotten` is the number of hosts that had to be forgotten.
    """

    def __init__(self, templates: Templates | None = None, memory: int = MEMORY) -> None:
        initial = templates or Templates()
        self.run, self.common, self.memory = initial.run, initial.common, memory
        self.forgotten = 0
        # a host of which only the template is known is completely learned
        self._hosts = {host: _Host(runs, PAGES, PAGES) for host, runs in initial.hosts.items()}
        self._size = sum(known.size for known in self._hosts.values())

    def count(self, host: str, id_: str, text: str) -> None:
        """Count a page, unless it was counted before, its host is "" or its host has 128 pages already."""
        if not host:
            return
        known = self._hosts.pop(host, None) or _Host()
        self._hosts[host] = known  # last in the order of the dictionary: most recently seen
        if known.pages < PAGES and id_ not in known.ids:
            self._add(known, id_, text)
            self._forget(host)

    def _add(self, host: _Host, id_: str, text: str) -> None:
        before = host.size if host.pages else 0
        host.add(runs_of(text, self.run)[:LONGEST])
        host.ids.append(id_)
        host.pages += 1
        if self._is_step(host.pages) and not host.update_template(self.common):
            host.signed = host.pages
        host.drop_counts()
        self._size += host.size - before

    def _is_step(self, pages: int) -> bool:
        times, rest = divmod(pages, self.common)
        return pages == PAGES or (not rest and times & (times - 1) == 0)

    def _forget(self, current: str) -> None:
        while self._size > self.memory and (oldest := next(iter(self._hosts))) != current:
            self._size -= self._hosts.pop(oldest).size
            self.forgotten += 1

    def due(self, host: str) -> list[str]:
        """The ids of the counted pages if the template has changed since they were signed, else []."""
        known = self._hosts.get(host)
        if known is None or self._last_step(known.pages) <= known.signed:
            return []
        return list(known.ids)

    def _last_step(self, pages: int) -> int:
        return next((step for step in range(pages, 0, -1) if self._is_step(step)), 0)

    def signed(self, host: str) -> None:
        """Record that the counted pages of a host are signed with its template."""
        known = self._hosts[host]
        self._size -= known.size
        known.signed = known.pages
        known.drop_counts()
        self._size += known.size

    def finish(self) -> None:
        """Compute every template now; the caller must sign all pages afterwards."""
        for host, known in self._hosts.items():
            if known.ids:
                known.update_template(self.common)
                self.signed(host)

    def strip(self, host: str, text: str) -> str:
        """The text without the present template of its host."""
        known = self._hosts.get(host)
        return without(text, known.template, self.run) if known else text

    @property
    def templates(self) -> Templates:
        """The present templates of all hosts that have one."""
        hosts = {host: known.template for host, known in self._hosts.items() if len(known.template)}
        return Templates(hosts, self.run, self.common)

    # -- the file

    def save(self, path: Path) -> None:
        """Write the whole state, replacing the file atomically; after `open`, learning goes on from there."""
        hosts = self._hosts.values()
        whole = replace(self.templates, hosts={host: known.template for host, known in self._hosts.items()})
        learning: Arrays = {
            "pages": np.array([(known.pages, known.signed) for known in hosts], np.int64).reshape(-1, 2),
            "ids": packed([known.ids for known in hosts]),
            "counted_sizes": np.array([len(known.runs) for known in hosts], np.int64),
            "counted": np.concatenate([NO_RUNS, *(known.runs for known in hosts)]),
            "counts": np.concatenate([_NO_COUNTS, *(known.counts for known in hosts)]),
        }
        npz.save(path, whole.arrays() | learning, compressed=False)

    @classmethod
    def open(cls, path: Path, memory: int = MEMORY) -> TemplateLearner:
        """The learner of a file of counts or of templates only; an empty one when there is no file.

        Raises ConfigError for a file that cannot be read.
        """
        if not path.exists():
            return cls(memory=memory)
        return npz.read(path, "templates", lambda arrays: cls._of(arrays, memory))

    @classmethod
    def _of(cls, arrays: Arrays, memory: int) -> TemplateLearner:
        counts = cls(Templates.of(arrays), memory)
        if "pages" in arrays:
            for host, learning in zip(counts._hosts, _learning(arrays), strict=True):
                counts._hosts[host] = replace(learning, template=counts._hosts[host].template)
            counts._size = sum(known.size for known in counts._hosts.values())
        return counts


def _learning(arrays: Arrays) -> Iterator[_Host]:
    """The state of each host in a file, without the template. Raises ValueError for impossible values."""
    sizes = arrays["counted_sizes"]
    parts = zip(
        arrays["pages"].astype(np.int64, casting="equiv").tolist(),
        unpacked(arrays["ids"]),
        sets_of_runs(arrays["counted"], sizes),
        cut(npz.column(arrays["counts"], np.uint8), sizes),
        strict=True,
    )
    for (pages, signed), ids, runs, times in parts:
        if not (0 <= signed <= pages <= PAGES and are_texts(ids)):
            raise ValueError("its counts are not possible for a host")
        yield _Host(pages=pages, signed=signed, ids=ids, runs=runs, counts=times)
