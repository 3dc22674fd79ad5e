"""Frames: runs of text that several different stories hold. They are nobody's story.

After Gibson, Punera and Tomkins: The Volume and Evolution of Web Page Templates (WWW 2005), the text-based
algorithm: a window of text that several pages of a site hold belongs to the site's template. Here it is a
frame only if these pages are stories of their own: each begins with words that the others lack, and what each
has beside the common text differs. So a story that a site prints again, longer or with other notes below, is
none. Of texts of several sites more is asked: what they share is most often a story.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dupgroups.text.hashing import Hashes, span_hashes, windows
from dupgroups.text.scripts import FULL_STOPS
from dupgroups.text.sentences import SINGLE, characters, token_spans
from dupgroups.text.sets import distinct, firsts, is_among

RUN_WORDS, RUN_CHARS = 10, 24  # of a run: shorter ones are phrases; characters in scripts without blanks
MIN_PASSAGE_RUNS = 1.5  # that stand one after another: shorter ones are titles and formulas within a sentence
LEAD_RUNS = 3  # the beginning of a text, in runs
MIN_OWN_OF_OPENING = 0.9  # words that a text must have alone, against those of a common opening before them
MIN_REST_WORDS = 8  # that are compared without a title
MAX_SAMPLED_TEXTS = 12  # of those that hold a run
MAX_RUNS = 1 << 20  # that a store knows: 4 MB
KNOWN_TEXTS = 512  # texts whose runs are remembered: some 5 MB

Runs = NDArray[np.uint32]  # half a hash each: of 10,000 runs, a wrong one matches once in 400,000
NO_RUNS: Runs = np.zeros(0, np.uint32)
_HALF, _LOW = np.uint64(32), np.uint64(0xFFFFFFFF)
Flags = NDArray[np.bool_]

_STOPS = f".！？{FULL_STOPS}"  # in text as it is written: full-width signs are not folded yet
_STOP = re.compile(rf"[{_STOPS}](?!\w)")
_CLOSED_END = re.compile(rf"(?:^|[{_STOPS}\n])[^\w{_STOPS}\n]*$")
_LOOK_BACK_CHARS = 20  # in which the end of the previous sentence is searched for


class Demand(NamedTuple):
    """How different the texts must be that teach a frame."""

    stories: int
    """How many different ones must hold it."""
    own_runs: float
    """How much of its beginning each of two has alone."""
    own_share: float
    """How much of all of it."""
    alike: float
    """The share of the pairs of words that each has alone, from which two are cuts of one story."""


# Measured on twelve packs: en-prwire joins strangers below .3 and loses copies above .4, zh-series above .4;
# of several sites, en-fnc above .2. Papers put a sentence of their own before the report of an agency: these
# are not a quarter of it; zh-events has a frame of texts of which .3 is their own. Two stories of a site must
# be of two days, and what they share is left out for these two alone: of one day, eu-telegram loses a copy.
OF_ONE_SITE, OF_SITES, OF_TWO_DAYS = (
    Demand(3, 0.8, 0, 0.3),
    Demand(4, 2, 0.25, 0.15),
    Demand(2, 2, 0.05, 0.3),
)


@dataclass(frozen=True, eq=False)
class Frames:
    """The frames of a store or a corpus, and passages that are no frames, as people said: hashes of their
    runs, ascending and distinct.
    """

    runs: Runs = field(default_factory=lambda: NO_RUNS)
    denied: Runs = field(default_factory=lambda: NO_RUNS)

    def add(self, found: Runs) -> Frames:
        """These frames and others that were found, as many as there is room for."""
        new = self._without_known(found)
        return Frames(distinct(np.concatenate([self.runs, new[: MAX_RUNS - len(self.runs)]])), self.denied)

    def find_new(self, texts: Sequence[str], demand: Demand) -> Runs:
        """The runs of further frames in texts, each alone or as of `join_title`: ascending, NO_RUNS for none,
        and for more than MAX_RUNS.
        """
        if len(texts) < demand.stories or len(self.runs) >= MAX_RUNS:
            return NO_RUNS
        read = [*map(_read, texts)]
        codes = [
            self._without_known(one.ordered).astype(np.uint64) << _HALF | np.uint64(place)
            for place, one in enumerate(read)
        ]
        ordered = np.sort(np.concatenate(codes))
        return _find_shared(
            (ordered >> _HALF).astype(np.uint32), (ordered & _LOW).astype(np.intp), _Stories(read, demand)
        )

    def count_runs(self, text: str) -> int:
        """How many of the runs of a text these are."""
        return int(is_among(_read(text).runs, self.runs).sum())

    def _without_known(self, runs: Runs) -> Runs:
        return runs[~is_among(runs, self.runs) & ~is_among(runs, self.denied)]

    def strip(self, text: str) -> str:
        """A text, alone or as of `join_title`, without the frames; with its title again where these leave
        less than MIN_REST_WORDS, and as it is if it has no title then.
        """
        bounds = self.list_bounds(text) if len(self.runs) else []
        if not bounds:
            return text
        title, mark, body = text.rpartition("\f")
        rest = "".join(_kept_parts(body, [0, *bounds, len(body)]))
        if len(_read(rest).tokens) >= MIN_REST_WORDS:
            return f"{title}{mark}{rest}"
        return f"{title}{mark}{title}\n{rest}" if title else text

    def list_passages(self, text: str) -> list[str]:
        """The passages of a text that are frames, in order."""
        bounds, body = self.list_bounds(text), text.rpartition("\f")[2]
        return [body[start:end].strip() for start, end in zip(bounds[::2], bounds[1::2], strict=True)]

    def list_bounds(self, text: str) -> list[int]:
        """Where in the text, behind its title, each passage of a frame begins and ends, in order."""
        read = _read(text)
        known = is_among(read.runs, self.runs)
        if not known.any():
            return []
        edges = np.flatnonzero(np.diff(_mark_covered(known, read.size), prepend=False, append=False)).reshape(
            -1, 2
        )
        passages = edges[edges[:, 1] - edges[:, 0] >= MIN_PASSAGE_RUNS * read.size]
        places: list[int] = np.append(read.starts, len(text.rpartition("\f")[2]))[passages.ravel()].tolist()
        return places


NO_FRAMES = Frames()


class _Read(NamedTuple):
    """The words of a text behind its title: where each begins, its hash, and those of their runs."""

    starts: NDArray[np.intp]
    tokens: Hashes
    runs: Runs
    ordered: Runs
    size: int


def are_copies(one: str, other: str) -> bool:
    """Whether two texts are the same word for word: what is nothing but a frame elsewhere is their story."""
    return np.array_equal(_read(one).tokens, _read(other).tokens)


def divide_by_holders(runs: Runs, texts: Sequence[str]) -> list[tuple[Runs, list[int]]]:
    """Runs that the same texts hold are one frame: the runs of each, and the places of these texts. Too few
    for a passage of their own, as at seams, belong to the largest frame of one of these texts.
    """
    held = np.array([is_among(runs, _read(text).ordered) for text in texts])
    packed = np.ascontiguousarray(np.packbits(held, axis=0).T)
    rows = packed.view(np.dtype((np.void, packed.shape[1]))).ravel()
    _, first, which = np.unique(rows, return_index=True, return_inverse=True)
    holders, sizes = held[:, first], np.bincount(which)
    target = np.arange(len(sizes))
    for small in np.flatnonzero(sizes < _read(texts[0]).size).tolist():
        beside = (holders & holders[:, small, None]).any(0)
        target[small] = int(np.argmax(sizes * beside))
    return [
        (runs[target[which] == number], np.flatnonzero(holders[:, number]).tolist())
        for number in np.unique(target).tolist()
    ]


def encode_runs(runs: Runs) -> str:
    """Runs as text, to be kept."""
    return b64encode(runs.astype("<u4").tobytes()).decode()


def decode_runs(kept: str) -> Runs:
    """The runs that were kept."""
    return np.frombuffer(b64decode(kept), "<u4").astype(np.uint32)


def _find_shared(runs: Runs, holders: NDArray[np.intp], stories: _Stories) -> Runs:
    """Those of the runs, ascending, each with the places of the texts that hold it, that different stories
    hold. Runs of the same texts are judged once.
    """
    starts = firsts(runs).nonzero()[0]
    sizes = np.diff(starts, append=len(runs))
    several = sizes >= stories.demand.stories
    starts, sizes = starts[several], sizes[several]
    known, found = dict[bytes, bool](), list[bool]()
    for start, size in zip(starts.tolist(), sizes.tolist(), strict=True):
        places = holders[start : start + size]
        key = places.tobytes()
        if key not in known:
            known[key] = stories.differ(places)
        found.append(known[key])
    shared: Runs = runs[starts][np.array(found, np.bool_)]
    return shared


class _Stories:
    """Texts, and which of them are known to be different stories."""

    def __init__(self, read: Sequence[_Read], demand: Demand) -> None:
        self.demand = demand
        self._read = read
        self._known: dict[tuple[int, int], bool] = {}

    def differ(self, places: NDArray[np.intp]) -> bool:
        """Whether enough of these texts are different stories, each from each; a sample of many."""
        if len(places) > MAX_SAMPLED_TEXTS:
            places = places[np.linspace(0, len(places) - 1, MAX_SAMPLED_TEXTS).astype(np.intp)]
        chosen: list[int] = []
        for place in places.tolist():
            if all(self._are_two(other, place) for other in chosen):
                chosen.append(place)
        return len(chosen) >= self.demand.stories

    def _are_two(self, a: int, b: int) -> bool:
        if (a, b) not in self._known:
            self._known[a, b] = _are_two(self._read[a], self._read[b], self.demand)
        return self._known[a, b]


def _are_two(one: _Read, other: _Read, demand: Demand) -> bool:
    """Whether two texts are different stories, whatever they have in common."""
    own, others = _mark_own(one, other), _mark_own(other, one)
    opening = _measure_opening(one, other)
    if min(_count_lead(flags, opening, one.size) for flags in (own, others)) < demand.own_runs * one.size:
        return False
    if min(own.mean(), others.mean()) < demand.own_share:
        return False
    a, b = _list_pairs(one, own), _list_pairs(other, others)
    return len(a & b) < demand.alike * min(len(a), len(b))


def _measure_opening(one: _Read, other: _Read) -> int:
    """How many tokens two texts begin with in common."""
    size = min(len(one.tokens), len(other.tokens))
    differ = one.tokens[:size] != other.tokens[:size]
    return int(differ.argmax()) if differ.any() else size


def _count_lead(own: Flags, opening: int, size: int) -> int:
    """How many tokens of the beginning of a text are its own. It comes after a common opening, such as that
    of a column, where a common end follows, too, and what is between is not much shorter: else it is a story
    with other notes below.
    """
    follows = not own[-1:].any() and own.sum() >= MIN_OWN_OF_OPENING * opening
    start = opening if follows else 0
    return int(own[start : start + LEAD_RUNS * size].sum())


def _list_pairs(read: _Read, own: Flags) -> set[int]:
    """The pairs of words that are next to each other, of these words of a text."""
    return {*windows(read.tokens, 2)[own[1:] & own[:-1]].tolist()}


def _mark_own(one: _Read, other: _Read) -> Flags:
    """Which tokens of a text no run covers that the other one has."""
    if not len(one.runs):
        return np.ones(len(one.tokens), np.bool_)
    return ~_mark_covered(is_among(one.runs, other.ordered), one.size)


@lru_cache(KNOWN_TEXTS)
def _read(text: str) -> _Read:
    codes, kinds = characters(text.rpartition("\f")[2])
    starts, ends = token_spans(kinds)
    tokens = span_hashes(codes, starts, ends)
    size = RUN_CHARS if int(np.count_nonzero(kinds & SINGLE)) * 2 > len(starts) else RUN_WORDS
    runs = (windows(tokens, size) >> np.uint64(32)).astype(np.uint32)
    return _Read(starts, tokens, runs, distinct(runs), size)


def _mark_covered(known: Flags, size: int) -> Flags:
    """Which tokens are covered by a known run; `known` says of each run whether it is known."""
    change = np.zeros(len(known) + size, np.int64)
    change[: len(known)] += known
    change[size:] -= known
    covered: Flags = np.cumsum(change)[:-1] > 0
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
    stop = None if _CLOSED_END.search(before[-_LOOK_BACK_CHARS:]) else _STOP.search(line)
    return (stop[0] if stop else "") + (newline or " ")
