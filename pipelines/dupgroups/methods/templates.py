"""Templates: the text that the pages of a host have in common, which is removed before a text is signed.

After Gibson, Punera and Tomkins: The Volume and Evolution of Web Page Templates (WWW 2005), the text-based
algorithm: a window of text that several pages of a site hold belongs to the site's template. The windows here
are runs of tokens (words; characters of scripts without blanks). They cross the ends of sentences, because a
menu has no sentences. A token is removed when a known run covers it. `dup-groups frequencies --per-host`
learns the runs.

| field  | default | meaning |
|--------|---------|---|
| run    | 10      | tokens of a run: shorter ones are phrases of the language, longer ones miss short menus |
| common | 4       | pages of a host that must hold a run: one or two reprints are not a template |
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dupgroups.errors import ConfigError
from dupgroups.methods import npz
from dupgroups.text.hashing import span_hashes, windows
from dupgroups.text.scripts import FULL_STOPS
from dupgroups.text.sentences import characters, token_spans
from dupgroups.text.sets import is_among

Runs = NDArray[np.uint32]  # half a hash each: of 10,000 runs, a wrong one matches once in 400,000
Arrays = dict[str, NDArray[Any]]
NO_RUNS: Runs = np.zeros(0, np.uint32)

_STOPS = f".！？{FULL_STOPS}"  # in text as it is written: full-width signs are not folded yet
_STOP = re.compile(rf"[{_STOPS}](?!\w)")
_CLOSED_END = re.compile(rf"(?:^|[{_STOPS}\n])[^\w{_STOPS}\n]*$")
_LOOK_BACK = 20  # characters in which the end of the previous sentence is searched for


@dataclass(frozen=True, eq=False)
class Templates:
    """The template of each host: the hashes of its runs (uint32, ascending, distinct)."""

    hosts: Mapping[str, Runs] = field(default_factory=dict)
    run: int = 10
    common: int = 4

    def __post_init__(self) -> None:
        if not 2 <= self.run <= 32 or not 2 <= self.common <= 128:
            raise ConfigError(
                "templates: run must be between 2 and 32 tokens, common between 2 and 128 pages"
            )

    def strip(self, host: str, text: str) -> str:
        """The text without the template of its host; unchanged when the host is unknown."""
        return cut_template(text, self.hosts.get(host, NO_RUNS), self.run)

    @cached_property
    def version(self) -> str:
        """Twelve hex digits: equal for equal templates, everywhere."""
        digest = blake2b(f"{self.run} {self.common}".encode(), digest_size=6)
        for host, runs in sorted(self.hosts.items()):
            digest.update(f"\n{host} {len(runs)}\n".encode())
            digest.update(runs.astype("<u4").tobytes())
        return digest.hexdigest()

    def save(self, path: Path) -> None:
        """Write a file of any name that `open` can read; an existing file is replaced atomically."""
        arrays = {
            "run": np.array(self.run),
            "common": np.array(self.common),
            # in an array of strings, every entry would be as wide as the longest
            "hosts": np.frombuffer(json.dumps(list(self.hosts)).encode(), np.uint8),
            "sizes": np.array([len(runs) for runs in self.hosts.values()], np.int64),
            "runs": np.concatenate([NO_RUNS, *self.hosts.values()]),
        }
        npz.save(path, arrays)

    @classmethod
    def open(cls, path: str | Path) -> Templates:
        """The templates stored in a file. Raises ConfigError when it cannot be read."""
        return npz.read(path, "templates", cls._of)

    @classmethod
    def _of(cls, arrays: Arrays) -> Templates:
        names = json.loads(npz.column(arrays["hosts"], np.uint8).tobytes())
        if not isinstance(names, list) or len({*map(str, names)}) != len(names):
            raise ValueError("its hosts are not distinct names")
        runs = _sets_of_runs(arrays["runs"], arrays["sizes"])
        return cls(dict(zip(names, runs, strict=True)), int(arrays["run"]), int(arrays["common"]))


def runs_of(text: str, size: int) -> Runs:
    """The hash of each run of `size` tokens, in order; shape (max(0, tokens - size + 1),)."""
    codes, kinds = characters(text)
    return _runs(span_hashes(codes, *token_spans(kinds)), size)


def cut_template(text: str, template: Runs, size: int) -> str:
    """The text without the tokens that runs of the template cover; the rest keeps its order and paragraphs.

    At a gap, a sentence whose end belonged to the template keeps its full stop. No word is ever added.

    >>> menu = "Home News Sport Weather Contact"
    >>> cut_template(f"{menu} It rained.\\nMore: {menu}. It snowed.", np.sort(runs_of(menu, 5)), 5)
    ' It rained.\\nMore: . It snowed.'
    """
    if not len(template):
        return text
    codes, kinds = characters(text)
    starts, ends = token_spans(kinds)
    known = is_among(_runs(span_hashes(codes, starts, ends), size), template)
    if not known.any():
        return text
    edges = np.flatnonzero(np.diff(_mark_covered(known, size), prepend=False, append=False))
    places = np.append(starts, len(text))[edges].tolist()
    return "".join(_kept_parts(text, [0, *places, len(text)]))


def _sets_of_runs(runs: NDArray[Any], sizes: NDArray[np.int64]) -> list[Runs]:
    """Runs cut into parts of these sizes. Raises ValueError when a part is not ascending and distinct."""
    if (npz.column(sizes, np.int64) < 0).any() or sum(sizes.tolist()) != len(runs):
        raise ValueError("its sizes do not add up")
    sets = np.split(npz.column(runs, np.uint32), np.cumsum(sizes)[:-1]) if len(sizes) else []
    if any((part[1:] <= part[:-1]).any() for part in sets):
        raise ValueError("its runs are not in ascending order")
    return sets


def _runs(tokens: NDArray[np.uint64], size: int) -> Runs:
    return (windows(tokens, size) >> np.uint64(32)).astype(np.uint32)


def _mark_covered(known: NDArray[np.bool_], size: int) -> NDArray[np.bool_]:
    """Which tokens are covered by a known run; `known` says of each run whether it is known."""
    change = np.zeros(len(known) + size, np.int64)
    change[: len(known)] += known
    change[size:] -= known
    covered: NDArray[np.bool_] = np.cumsum(change)[:-1] > 0
    return covered


def _kept_parts(text: str, bounds: list[int]) -> Iterator[str]:
    """The parts of a text between these bounds; every second part is a gap, of which only the seam stays."""
    for number, (start, end) in enumerate(pairwise(bounds)):
        if number % 2 == 0:
            yield text[start:end]
        else:
            yield _seam(text[bounds[number - 1] : start], text[start:end])


def _seam(before: str, gap: str) -> str:
    """The part of a gap that stays: the full stop of a sentence that began before it, and a line end."""
    line, newline, _ = gap.partition("\n")
    stop = None if _CLOSED_END.search(before[-_LOOK_BACK:]) else _STOP.search(line)
    return (stop[0] if stop else "") + (newline or " ")
