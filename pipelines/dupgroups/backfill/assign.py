"""Group all signed documents of a run at once, and note where each of them belongs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from dupgroups.backfill.ages import Ages
from dupgroups.backfill.intermediate_files import (
    Place,
    Signed,
    dump_place,
    lines_of,
    load,
    load_place,
    prefix_of,
    write_lines,
)
from dupgroups.backfill.run_directory import RunDirectory
from dupgroups.backfill.ties import Ties
from dupgroups.backfill.workers import Tools, columns_of_part
from dupgroups.config import Config
from dupgroups.engines.parts import ForeignIndex
from dupgroups.grouping import Corrections, Rule
from dupgroups.grouping.heads import pinned_first
from dupgroups.grouping.scratch import Scratch
from dupgroups.method_set import MethodSet
from dupgroups.offline import Corpus, Groups, grouped
from dupgroups.processes import Pool

MEMORY = 1 << 29  # bytes of what is kept of the documents before it is written to files

Chunk = TypeVar("Chunk")
Result = TypeVar("Result")
Numbers = NDArray[np.int64]


def assign(
    folder: RunDirectory,
    pool: Pool[Tools],
    config: Config,
    corrections: Corrections,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> int:
    """Group the documents of all parts; how many there are."""
    ages = list(_ages(folder))
    rule = Rule.of(config)
    heard = Ties(divided=rule.linkage != "closure" or bool(corrections.apart))
    with Scratch(MEMORY, folder.path) as scratch:
        corpus = Corpus(scratch)
        for columns in pool.map(columns_of_part, enumerate(ages)):
            corpus.add(columns)
        groups = grouped(
            corpus,
            config,
            corrections,
            pool=_MethodsOf(pool),
            progress=lambda step, done, total: progress(done, total or done),
            judged=heard.hear,
        )
        heard.finish(groups.oldest)
        _note(folder, _Assigned(groups, heard, ages), rule, corrections)
    return len(corpus)


def _ages(folder: RunDirectory) -> Iterator[Numbers]:
    ages = Ages(folder.run.started)
    for number in range(len(folder.run.parts)):
        ages.add(map(prefix_of, lines_of(folder.file(number, "signed"))))
    yield from ages.parts()


class _MethodsOf(Pool[MethodSet]):
    """The processes of a run as processes that judge."""

    def __init__(self, pool: Pool[Tools]) -> None:
        super().__init__(1, MethodSet, None)
        self._tools = pool

    def map(
        self, function: Callable[[MethodSet, Chunk], Result], chunks: Iterable[Chunk]
    ) -> Iterator[Result]:
        """See Pool.map."""
        return self._tools.map(partial(_with_methods, function), chunks)


def _with_methods(function: Callable[[MethodSet, Chunk], Result], tools: Tools, chunk: Chunk) -> Result:
    return function(tools.methods, chunk)


# -- noting


@dataclass(frozen=True)
class _Assigned:
    """The groups of all documents, what ties them, and their ages by part."""

    groups: Groups
    ties: Ties
    ages: list[Numbers]

    def places(self, number: int) -> Numbers:
        """The places of the documents of a part; -1 for one whose id another one has that counts."""
        first = sum(len(ages) for ages in self.ages[:number])
        added = np.arange(first, first + len(self.ages[number]))
        places = self.groups.corpus.places
        return added if places is None else places[added]


def _note(folder: RunDirectory, assigned: _Assigned, rule: Rule, corrections: Corrections) -> None:
    corpus, oldest = assigned.groups.corpus, assigned.groups.oldest
    heads = _heads(folder, assigned, rule, corrections) if rule.elects or corrections.heads else {}
    for number, ages in enumerate(assigned.ages):
        own = assigned.places(number)
        groups = oldest[_by_id(folder, number, own, corpus)]
        rows = zip(own.tolist(), groups.tolist(), corpus.ids(groups), ages.tolist(), strict=True)
        with folder.writing(number, "grouped") as file:
            write_lines(
                file,
                (
                    dump_place(
                        Place(name, heads.get(group, group) == place, age, assigned.ties.of(place, corpus))
                    )
                    for place, group, name, age in rows
                ),
            )
        corpus.release()


def _by_id(folder: RunDirectory, number: int, places: Numbers, corpus: Corpus) -> Numbers:
    """The places of the documents of a part: one that does not count is where the one of its id is.

    With custom routings an id may be on several shards.
    """
    again = np.flatnonzero(places < 0)
    if not len(again):
        return places
    rows = zip(signed_part(folder, number), places.tolist(), strict=True)
    ids = [signed.record.id for signed, place in rows if place < 0]
    found = corpus.find(ids)
    places = places.copy()
    places[again] = [found[id_] for id_ in ids]
    return places


def _heads(
    folder: RunDirectory, assigned: _Assigned, rule: Rule, corrections: Corrections
) -> Mapping[int, int]:
    """The place of the head of each group of several, by the place of its oldest member."""
    order = pinned_first(corrections.heads, rule.order)
    oldest = assigned.groups.oldest
    several = np.bincount(oldest, minlength=len(oldest)) > 1
    best: dict[int, tuple[object, int]] = {}
    for number, ages in enumerate(assigned.ages):
        places = assigned.places(number)
        for signed, place, age in zip(
            signed_part(folder, number), places.tolist(), ages.tolist(), strict=True
        ):
            group = int(oldest[place])
            if place >= 0 and several[group]:
                one = (order(replace(signed.record, first_seen=age)), place)
                best[group] = min(best.get(group, one), one)
    return {group: place for group, (_, place) in best.items()}


# -- what is noted


def signed_part(folder: RunDirectory, number: int) -> Iterator[Signed]:
    """The documents of a part."""
    return map(load, lines_of(folder.file(number, "signed")))


def placed_parts(folder: RunDirectory) -> Iterator[tuple[Signed, Place]]:
    """All documents of a run that were in a group before, and where each of them belongs now."""
    for number in range(len(folder.run.parts)):
        signed = lines_of(folder.file(number, "signed"))
        grouped_ = lines_of(folder.file(number, "grouped"))
        for line, place in zip(signed, grouped_, strict=True):
            if prefix_of(line).former:
                yield load(line), load_place(place)


def rename_groups(folder: RunDirectory, index: ForeignIndex) -> None:
    """Before the documents move: let the names that no group has any longer lead to where its oldest member
    is, and end what led away from a name that a group has now.
    """
    oldest: dict[str, tuple[tuple[bool, int, str], str]] = {}
    for signed, place in placed_parts(folder):
        assert signed.former
        name, id_ = signed.former[0], signed.record.id
        age = (id_ == name, place.first_seen, id_)
        oldest[name] = min(oldest.get(name, (age, place.group)), (age, place.group))
    led = dict(index.redirects())
    known = oldest.keys() | led.keys()
    live = _live(folder, known) if known else set()
    moves = {name: group for name, (_, group) in oldest.items() if name not in live}
    folder.note_redirects({name: to for name, to in led.items() if to in moves or name in live})
    index.rename(moves, sorted(live))


def _live(folder: RunDirectory, names: Iterable[str]) -> set[str]:
    """Those of these names that a group has."""
    wanted = set(names)
    parts = range(len(folder.run.parts))
    places = (load_place(line) for number in parts for line in lines_of(folder.file(number, "grouped")))
    return {place.group for place in places if place.group in wanted}
