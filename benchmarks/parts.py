"""The parts of extracting a page, and their share of its CPU time.

The functions of the package are replaced by timed ones, so what runs is what a user runs. A part's time is
without that of the parts it calls.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from dupgroups import Page, extract
from dupgroups.content import auto, blocks
from dupgroups.content.lexicon import Lexicons
from dupgroups.text import language

OTHER = "all other"
steps = import_module("dupgroups.content.extract")  # the package has a function of this name
PARTS: dict[str, Sequence[tuple[Any, str]]] = {  # by the names under which they are called
    "decode": [(steps, "decode")],
    "bounds": [(blocks, "bounded")],
    "parse": [(blocks, "Tree"), (steps, "divide")],  # what is left of `divide` is freeing the tree
    "walk": [(blocks, "read")],
    "features and lexicons": [(auto, "measure"), (auto, "fill"), (Lexicons, "fill")],
    "network": [(auto.Network, "probabilities")],
    "metadata": [(steps, "metadata")],
    "language": [(language, "detect")],
    "article": [(steps, "article_probability")],
    "byline and date line": [(steps, "found_byline"), (steps, "dateline")],
}


class _Clock:
    """CPU seconds by part; the time between two changes of the part belongs to the first."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()
        self._part, self._since = OTHER, time.process_time()

    def change(self, part: str) -> str:
        """Begin another part; returns the one before."""
        now, before = time.process_time(), self._part
        self.seconds[before] += now - self._since
        self._part, self._since = part, now
        return before

    def timed(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The same function, with its time in a part."""

        def run(*args: Any, **keywords: Any) -> Any:
            before = self.change(part)
            try:
                return function(*args, **keywords)
            finally:
                self.change(before)

        return run


def profile(pages: Sequence[Page], rounds: int) -> dict[str, float]:
    """CPU seconds a page by part, those of `PARTS` in order and then the rest; at least one page and round.

    A round before them fills the caches. The functions stay replaced: use a process of its own.
    """
    clock = _Clock()
    for part, calls in PARTS.items():
        for owner, name in calls:
            setattr(owner, name, clock.timed(part, getattr(owner, name)))
    _extract_all(pages)
    clock.change(OTHER)
    clock.seconds.clear()
    for _ in range(rounds):
        _extract_all(pages)
    clock.change(OTHER)
    return {part: clock.seconds[part] / len(pages) / rounds for part in (*PARTS, OTHER)}


def _extract_all(pages: Sequence[Page]) -> None:
    for page in pages:
        extract(page.html or "", page.url)
