"""Learning the templates of hosts from a stream of pages, in bounded memory, the same for the same stream.

For each host the runs of its first pages are counted. A host is unknown at first; its template is read off
when `common` pages are counted, and again at twice, four times, ... as many. At 128 pages the counts are let
go and the template stays. Two bounds keep memory small, as in Manku and Motwani: Approximate Frequency Counts
over Data Streams (VLDB 2002): a host with too many different runs forgets the rarest, which are its articles;
and the host that was met longest ago is forgotten whole when all hosts together hold too much.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dupgroups.codecs import npz
from dupgroups.corpus.templates import (
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
from dupgroups.sketches.sets import among

PAGES = 128  # of a host that are counted
RUNS = 1 << 15  # of a host that are held: some twenty pages of all different ones
LONGEST = 1 << 13  # runs of a page that are counted, from its beginning
MEMORY = 256_000_000  # bytes that all hosts together hold

_NO_COUNTS = np.zeros(0, np.uint8)
_HOST, _ID = 1000, 120  # bytes of what is held beside arrays, about


@dataclass(slots=True)
class _Host:
    """`ids` of the counted pages, `counts` of pages that hold each of `runs`; both are let go at the end.

    `template` is what was last read off, and `signed` at how many pages the stored ones were signed with it.
    """

    template: Runs = field(default_factory=lambda: NO_RUNS)
    pages: int = 0
    signed: int = 0
    ids: list[str] = field(default_factory=list)
    runs: Runs = field(default_factory=lambda: NO_RUNS)
    counts: NDArray[np.uint8] = field(default_factory=lambda: _NO_COUNTS)

    @property
    def size(self) -> int:
        """Bytes, about."""
        held = self.template.nbytes + self.runs.nbytes + self.counts.nbytes
        return _HOST + held + sum(_ID + len(each) for each in self.ids)

    def add(self, runs: Runs) -> None:
        """Count the runs of one page, each once."""
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

    def read_off(self, common: int) -> bool:
        """Take the template from the counts; whether it has changed."""
        found = self.runs[self.counts >= common]
        changed = not np.array_equal(found, self.template)
        self.template = found
        return changed

    def let_go(self) -> None:
        """A host of which all is known keeps its template only."""
        if self.pages == self.signed == PAGES:
            self.ids, self.runs, self.counts = [], NO_RUNS, _NO_COUNTS


class TemplateLearner:
    """Counts pages of hosts; `memory` bounds what it holds, in bytes. One thread at a time.

    `forgotten` says how many hosts had to be forgotten.
    """

    def __init__(self, templates: Templates | None = None, memory: int = MEMORY) -> None:
        known = templates or Templates()
        self.run, self.common, self.memory = known.run, known.common, memory
        self.forgotten = 0
        # a host of which nothing but the template is known was learned to the end
        self._hosts = {host: _Host(runs, PAGES, PAGES) for host, runs in known.hosts.items()}
        self._size = sum(each.size for each in self._hosts.values())

    def count(self, host: str, id_: str, text: str) -> None:
        """Count a page: not twice, none of the host "", none after the 128th."""
        if not host:
            return
        known = self._hosts.pop(host, None) or _Host()
        self._hosts[host] = known  # the last in the order of dictionaries: the one met last
        if known.pages < PAGES and id_ not in known.ids:
            self._add(known, id_, text)
            self._forget(host)

    def _add(self, host: _Host, id_: str, text: str) -> None:
        before = host.size if host.pages else 0
        host.add(runs_of(text, self.run)[:LONGEST])
        host.ids.append(id_)
        host.pages += 1
        if self._is_step(host.pages) and not host.read_off(self.common):
            host.signed = host.pages
        host.let_go()
        self._size += host.size - before

    def _is_step(self, pages: int) -> bool:
        times, rest = divmod(pages, self.common)
        return pages == PAGES or (not rest and times & (times - 1) == 0)

    def _forget(self, current: str) -> None:
        while self._size > self.memory and (oldest := next(iter(self._hosts))) != current:
            self._size -= self._hosts.pop(oldest).size
            self.forgotten += 1

    def due(self, host: str) -> list[str]:
        """The ids of the counted pages when the template has changed since they were signed, else []."""
        known = self._hosts.get(host)
        if known is None or self._last_step(known.pages) <= known.signed:
            return []
        return list(known.ids)

    def _last_step(self, pages: int) -> int:
        return next((each for each in range(pages, 0, -1) if self._is_step(each)), 0)

    def signed(self, host: str) -> None:
        """Note that the counted pages of a host are signed with its template."""
        known = self._hosts[host]
        self._size -= known.size
        known.signed = known.pages
        known.let_go()
        self._size += known.size

    def finish(self) -> None:
        """Read every template off now: who calls this signs all pages afterwards."""
        for host, known in self._hosts.items():
            if known.ids:
                known.read_off(self.common)
                self.signed(host)

    def knows(self, host: str) -> bool:
        """Whether the host has a template, as far as is known now."""
        return host in self._hosts and len(self._hosts[host].template) > 0

    def strip(self, host: str, text: str) -> str:
        """The text without what is known now of the template of its host."""
        known = self._hosts.get(host)
        return without(text, known.template, self.run) if known else text

    @property
    def templates(self) -> Templates:
        """What is known now of each host that has a template."""
        found = {host: known.template for host, known in self._hosts.items() if len(known.template)}
        return Templates(found, self.run, self.common)

    # -- the file

    def save(self, path: Path) -> None:
        """Write all that is known, in place of the file at once: learning goes on from it, after `open`."""
        hosts = self._hosts.values()
        whole = replace(self.templates, hosts={host: each.template for host, each in self._hosts.items()})
        learning: Arrays = {
            "pages": np.array([(each.pages, each.signed) for each in hosts], np.int64).reshape(-1, 2),
            "ids": packed([each.ids for each in hosts]),
            "counted_sizes": np.array([len(each.runs) for each in hosts], np.int64),
            "counted": np.concatenate([NO_RUNS, *(each.runs for each in hosts)]),
            "counts": np.concatenate([_NO_COUNTS, *(each.counts for each in hosts)]),
        }
        npz.save(path, whole.arrays() | learning, compressed=False)

    @classmethod
    def open(cls, path: Path, memory: int = MEMORY) -> TemplateLearner:
        """From a file of counts, or of templates alone; without one nothing is known.

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
            counts._size = sum(each.size for each in counts._hosts.values())
        return counts


def _learning(arrays: Arrays) -> Iterator[_Host]:
    """What a file says of each host but its template. Raises ValueError for what `save` does not write."""
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
            raise ValueError("its counts are of no host")
        yield _Host(pages=pages, signed=signed, ids=ids, runs=runs, counts=times)


def learned(pages: Iterator[tuple[str, str]], counts: TemplateLearner) -> Templates:
    """The templates of the hosts of these pages, (host, text) each."""
    for number, (host, text) in enumerate(pages):
        counts.count(host, str(number), text)
    counts.finish()
    return counts.templates
