"""The passages that texts have in common: runs of the same words, wherever they stand in either text.

A run of RUN_TOKENS words that another text has as well belongs to a passage, and so do the runs that overlap
with it or follow at once. Broder et al. (Syntactic Clustering of the Web, 1997) find quotations by the same
shingles; passim (Smith, Cordell, Mullen: Computational Methods for Uncovering Reprinted Texts in Antebellum
Newspapers, 2015) aligns what lies between them. Here a changed word ends a passage: the issues of a series
have the same form, and differ in a word of each sentence.

>>> common, = find_overlaps("He said: The bridge will be closed until May, the mayor of Ulm announced.", [
...     "Ulm. The bridge will be closed until May, the mayor said."])
>>> [(passage.text, passage.words) for passage in common.passages]
[('The bridge will be closed until May, the mayor', 9)]
>>> round(common.share, 2), round(common.share_of_other, 2)
(0.64, 0.82)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dupgroups.text.hashing import Hashes, windows
from dupgroups.text.sentences import SINGLE, characters, token_spans, tokens

RUN_TOKENS = 6  # words in a row that are no coincidence; in scripts without blanks twice as many characters
WORD_CHARACTERS = 2  # characters of a word in scripts without blanks
MAX_PASSAGE_CHARS = 100_000  # of a text that are looked at

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class CommonPassage:
    """A passage of a text that another text has as well."""

    text: str
    """As it stands in the first text."""
    words: int
    """The number of its words, above 0; of two characters in scripts without blanks."""


@dataclass(frozen=True, slots=True)
class Overlap:
    """The passages that two texts have in common, and how much of each text they are."""

    passages: tuple[CommonPassage, ...] = ()
    """In the order of the first text."""
    share: float = 0.0
    """The share of the words of the first text that are in these, 0 to 1."""
    share_of_other: float = 0.0
    """The share of those of the other one."""
    longest: int = 0
    """The words of the longest passage, as long as it is in both texts; 0 without any."""


def find_overlaps(text: str, others: Sequence[str]) -> list[Overlap]:
    """For each of the other texts what the first one has in common with it; of each MAX_PASSAGE_CHARS."""
    text, *others = (one[:MAX_PASSAGE_CHARS] for one in (text, *others))
    words = tokens(text, *others)
    own = _Runs.of(text, words.hashes[: words.bounds[1]])
    return [own.compare(words.hashes[start:end]) for start, end in pairwise(words.bounds[1:].tolist())]


def shorten(text: str, chars: int) -> str:
    """A text of at most so many characters: its beginning, and "…" where it was cut."""
    return text if len(text) <= chars else f"{text[: chars - 1].rstrip()}…"


@dataclass(frozen=True, slots=True)
class _Runs:
    """The runs of a text: what the others are compared with."""

    text: str
    spans: tuple[NDArray[np.intp], NDArray[np.intp]]  # where its tokens begin and end
    letters: int  # tokens of a word
    runs: Hashes  # ascending
    number_of_run: NDArray[np.intp]  # of the run that begins with each token

    @classmethod
    def of(cls, text: str, hashes: Hashes) -> _Runs:
        _, kinds = characters(text)
        spans = token_spans(kinds)
        singles = np.count_nonzero(kinds.take(spans[0]) & SINGLE)
        letters = WORD_CHARACTERS if 2 * singles > len(hashes) else 1
        runs, number_of_run = np.unique(windows(hashes, RUN_TOKENS * letters), return_inverse=True)
        return cls(text, spans, letters, runs, number_of_run)

    def compare(self, hashes: Hashes) -> Overlap:
        size = RUN_TOKENS * self.letters
        runs = windows(hashes, size)
        if not len(runs) or not len(self.runs):
            return Overlap()
        places = np.minimum(self.runs.searchsorted(runs), len(self.runs) - 1)
        matches = self.runs.take(places) == runs
        if not matches.any():
            return Overlap()
        common = np.full(len(self.runs), False)
        common[places[matches]] = True
        covered, of_other = _cover(common.take(self.number_of_run), size), _cover(matches, size)
        starts, ends = self.spans
        passages = (
            CommonPassage(self.text[starts[first] : ends[last - 1]], (last - first) // self.letters)
            for first, last in _spans_of(covered).tolist()
        )
        longest = min(int(np.diff(_spans_of(flags)).max()) for flags in (covered, of_other))
        shares = float(covered.mean()), float(of_other.mean())
        return Overlap(tuple(passages), *shares, longest // self.letters)


def _cover(begins: Flags, run: int) -> Flags:
    """The tokens of a text in whose place, or up to `run` - 1 before it, a run begins."""
    counts = np.concatenate([[0], begins.cumsum(), np.full(run - 1, begins.sum())])
    before = np.concatenate([np.full(run - 1, 0), counts[: len(begins)]])
    covered: Flags = counts[1:] > before
    return covered


def _spans_of(flags: Flags) -> NDArray[np.intp]:
    """Where True begins and ends, shape (n, 2)."""
    return np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]))).reshape(-1, 2)
