"""Frames in the log of a store (see `dupgroups.methods.frames`): an entry for each. An entry that
is undone is no frame, and is not learned again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from dupgroups.engines.base import Store
from dupgroups.grouping.components import Components
from dupgroups.grouping.constraints import active_entries
from dupgroups.methods.frames import (
    NO_RUNS,
    OF_ONE_SITE,
    OF_SITES,
    Demand,
    Frames,
    Runs,
    decode_runs,
    divide_by_holders,
    encode_runs,
)
from dupgroups.model import PROGRAM, Correction, Record
from dupgroups.text.sets import distinct

MAX_SHOWN_IDS = 3  # documents that are named for a frame
MAX_FRAME_ENTRIES = 5_000  # of a log; with more of them nothing more is learned


def read_frames(log: Sequence[Correction]) -> Frames:
    """The frames of a log."""
    entries = list_frames(log)
    numbers = {entry.number for entry in entries}
    denied = [entry for entry in log if entry.kind == "frame" and entry.number not in numbers]
    return Frames(_unite(map(runs_of, entries)), _unite(map(runs_of, denied)))


def list_frames(log: Iterable[Correction]) -> list[Correction]:
    """The entries of frames that nobody undid."""
    return [entry for entry in active_entries(log) if entry.kind == "frame"]


def has_room(log: Sequence[Correction]) -> bool:
    """Whether a log may get more frames."""
    return len(log) < MAX_FRAME_ENTRIES or sum(entry.kind == "frame" for entry in log) < MAX_FRAME_ENTRIES


def frame_entry(log: Sequence[Correction], ids: Sequence[str], runs: Runs, at: int) -> Correction:
    """The next entry of a log, for a frame that was found in documents with these ids."""
    return Correction(len(log) + 1, "frame", tuple(ids), PROGRAM, at, marks=(encode_runs(runs),))


def runs_of(entry: Correction) -> Runs:
    """The runs of an entry."""
    return decode_runs(entry.marks[0])


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A passage of a text that is no evidence: other stories have it, too."""

    text: str
    number: int | None = None
    """The entry of the log that says so; None for what only the two texts share that are compared."""
    ids: tuple[str, ...] = ()
    """Documents that have it, MAX_SHOWN_IDS of those that taught it."""


def list_left_out(log: Sequence[Correction], frames: Frames, text: str) -> tuple[LeftOut, ...]:
    """The passages of a text, without its title, that `frames` leave out, each by the entry that has most of
    it.
    """
    passages = frames.list_passages(text)
    said = [(Frames(runs_of(entry)), entry) for entry in list_frames(log)] if passages else []
    found = []
    for passage in passages:
        counts = [known.count_runs(passage) for known, _ in said]
        if most := max(counts, default=0):
            entry = said[counts.index(most)][1]
            found.append(LeftOut(passage, entry.number, entry.ids[:MAX_SHOWN_IDS]))
    return tuple(found)


def show_frames(store: Store, newest: int) -> list[LeftOut]:
    """The frames of a store, the newest first, each with its longest passage in a document that taught it; ""
    if none of them is stored.
    """
    entries = list_frames(store.corrections(fresh=True))[: -newest - 1 : -1]
    texts = store.texts([id_ for entry in entries for id_ in entry.ids[:MAX_SHOWN_IDS]])
    found = []
    for entry in entries:
        ids, known = entry.ids[:MAX_SHOWN_IDS], Frames(runs_of(entry))
        passages = chain.from_iterable(known.list_passages(texts[id_]) for id_ in ids if id_ in texts)
        found.append(LeftOut(max(passages, key=len, default=""), entry.number, ids))
    return found


def find_frames(
    frames: Frames, pairs: Iterable[tuple[Record, Record]], texts: Mapping[str, str]
) -> dict[tuple[str, ...], Runs]:
    """New frames in texts that are compared with each other: the runs of each by the ids of the documents
    that have them.
    """
    known = [(a, b) for a, b in pairs if a.id in texts and b.id in texts]
    of_one_site = [(a.id, b.id) for a, b in known if a.host == b.host]
    of_sites = [(a.id, b.id) for a, b in known]
    found: dict[tuple[str, ...], Runs] = {}
    for ids, demand in chain(_connect(of_one_site, OF_ONE_SITE), _connect(of_sites, OF_SITES)):
        read = [texts[id_] for id_ in ids]
        new = frames.find_new(read, demand)
        frames = frames.add(new)  # what one site taught the others do not teach again
        for runs, places in divide_by_holders(new, read) if len(new) else ():
            holders = tuple(ids[place] for place in places)
            found[holders] = _unite([found.get(holders, NO_RUNS), runs])
    return found


def _connect(pairs: Sequence[tuple[str, str]], demand: Demand) -> Iterator[tuple[tuple[str, ...], Demand]]:
    """The ids that are connected by pairs, sorted, and what is asked of their texts."""
    components = Components({id_: (0, id_) for pair in pairs for id_ in pair})
    for a, b in pairs:
        components.join(a, b)
    members = defaultdict[str, list[str]](list)
    for id_ in sorted({id_ for pair in pairs for id_ in pair}):
        members[components.root(id_)].append(id_)
    yield from ((tuple(ids), demand) for ids in members.values())


def _unite(runs: Iterable[Runs]) -> Runs:
    return distinct(np.concatenate([NO_RUNS, *runs]))
