"""Group all signed documents of a run at once, and note where each of them belongs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from dupgroups.bulk.offline import Corpus, grouped
from dupgroups.bulk.offline.corpus import Numbers
from dupgroups.bulk.processes import Pool
from dupgroups.grouping import Corrections, Rule
from dupgroups.grouping.scratch import Scratch
from dupgroups.model.config import Config
from dupgroups_es.backfill.ages import Ages
from dupgroups_es.backfill.intermediate_files import (
    Assignment,
    Signed,
    dump_assignment,
    lines_of,
    load,
    load_assignment,
    prefix_of,
    write_lines,
)
from dupgroups_es.backfill.run_directory import RunDirectory
from dupgroups_es.backfill.ties import Ties
from dupgroups_es.backfill.workers import Worker, columns_of_part
from dupgroups_es.sliced import SlicedClusterIndex

MEMORY = 1 << 29  # bytes of what is kept of the documents before it is written to files


def assign(
    directory: RunDirectory,
    pool: Pool[Worker],
    config: Config,
    corrections: Corrections,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> int:
    """Group the documents of all parts; how many there are."""
    ages = list(_ages(directory))
    rule = Rule.of(config)
    ties = Ties(divided=rule.linkage != "closure" or bool(corrections.apart))
    with Scratch(MEMORY, directory.path) as scratch:
        corpus = Corpus(scratch)
        for columns in pool.map(columns_of_part, enumerate(ages)):
            corpus.add(columns)
        groups = grouped(
            corpus,
            config,
            corrections,
            pool=pool,
            progress=lambda step, done, total: progress(done, total or done),
            on_verdicts=ties.add,
        )
        ties.finish(groups.oldest)
        elects = rule.elects or corrections.heads
        heads = corpus.heads(groups.oldest, corrections.heads) if elects else groups.oldest
        _save(directory, _Assigned(corpus, groups.oldest, heads, ties), ages)
    return len(corpus)


def _ages(directory: RunDirectory) -> Iterator[Numbers]:
    ages = Ages(directory.run.started)
    for number in directory.numbers:
        ages.add(map(prefix_of, lines_of(directory.file(number, "signed"))))
    yield from ages.parts()


class _Assigned(NamedTuple):
    """All documents by their places: the oldest member and the head of the group of each, and its ties."""

    corpus: Corpus
    oldest: Numbers
    heads: Numbers
    ties: Ties


def _save(directory: RunDirectory, assigned: _Assigned, ages: list[Numbers]) -> None:
    corpus = assigned.corpus
    places = np.arange(corpus.added) if corpus.places is None else corpus.places
    end = 0
    for number, part in enumerate(ages):
        start, end = end, end + len(part)
        own = places[start:end]
        known = _by_id(directory, number, own, corpus)
        groups, heads = assigned.oldest[known], assigned.heads[known] == own
        ties = assigned.ties.of(own, corpus)
        rows = zip(corpus.ids(groups), heads.tolist(), part.tolist(), ties, strict=True)
        with directory.writing(number, "grouped") as file:
            write_lines(file, (dump_assignment(Assignment(*row)) for row in rows))
        corpus.release()


def _by_id(directory: RunDirectory, number: int, places: Numbers, corpus: Corpus) -> Numbers:
    """The places of the documents of a part: one that does not count is where the one of its id is.

    With custom routings an id may be on several shards.
    """
    again = np.flatnonzero(places < 0)
    if not len(again):
        return places
    ids = [signed.record.id for signed in signed_part(directory, number)]
    found = corpus.find(ids[number] for number in again.tolist())
    places = places.copy()
    places[again] = [found[ids[number]] for number in again.tolist()]
    return places


# -- what is saved


def signed_part(directory: RunDirectory, number: int) -> Iterator[Signed]:
    """The documents of a part."""
    return map(load, lines_of(directory.file(number, "signed")))


def placed_parts(directory: RunDirectory) -> Iterator[tuple[Signed, Assignment]]:
    """All documents of a run that were in a group before, and where each of them belongs now."""
    for number in directory.numbers:
        signed = lines_of(directory.file(number, "signed"))
        grouped_ = lines_of(directory.file(number, "grouped"))
        for line, place in zip(signed, grouped_, strict=True):
            if prefix_of(line).former:
                yield load(line), load_assignment(place)


def rename_groups(directory: RunDirectory, index: SlicedClusterIndex) -> None:
    """Before the documents move: let the names that no group has any longer lead to where its oldest member
    is, and end what led away from a name that a group has now.
    """
    oldest: dict[str, tuple[tuple[bool, int, str], str]] = {}
    for signed, place in placed_parts(directory):
        assert signed.former
        name, id_ = signed.former[0], signed.record.id
        age = (id_ == name, place.first_seen, id_)
        oldest[name] = min(oldest.get(name, (age, place.group)), (age, place.group))
    known = oldest.keys() | dict(index.redirects()).keys()
    live = _live(directory, known) if known else set()
    moves = {name: group for name, (_, group) in oldest.items() if name not in live}
    index.rename(moves, sorted(live))


def _live(directory: RunDirectory, names: Iterable[str]) -> set[str]:
    """Those of these names that a group has."""
    wanted = set(names)
    files = (directory.file(number, "grouped") for number in directory.numbers)
    groups = (load_assignment(line).group for file in files for line in lines_of(file))
    return {group for group in groups if group in wanted}
