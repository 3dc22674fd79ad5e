"""Group all signed documents of a run at once, and note where each of them belongs, since when it is known,
and what ties it to earlier ones.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dupgroups.bulk.offline.bulk import group_corpus
from dupgroups.bulk.offline.bulk_judge import ReadTexts
from dupgroups.bulk.offline.corpus import Corpus, Numbers
from dupgroups.bulk.offline.dividing import Judged
from dupgroups.bulk.offline.scratch import Scratch
from dupgroups.bulk.processes import Pool
from dupgroups.flow.frame_log import read_frames
from dupgroups.grouping.constraints import Corrections
from dupgroups.grouping.grouping_rule import GroupingRule
from dupgroups.grouping.plan import MAX_TIES
from dupgroups.model import Correction, Relation, Tie
from dupgroups.model.config import Config
from dupgroups.model.records import swap_relation
from dupgroups_es.backfill.intermediate_files import (
    Assignment,
    dump_assignment,
    lines_of,
    load,
    load_assignment,
    prefix_of,
    write_lines,
)
from dupgroups_es.backfill.run_directory import RunDirectory
from dupgroups_es.backfill.workers import Worker, columns_of_part
from dupgroups_es.sliced import SlicedClusterIndex

MEMORY_BYTES = 1 << 29  # bytes of what is kept of the documents before it is written to files
RELATIONS: tuple[Relation, ...] = ("duplicate", "contains", "contained", "near")
DATE_CHARS = 32  # of a date that is kept as text: enough for ISO 8601 with nanoseconds


def find_ages(directory: RunDirectory) -> list[Numbers]:
    """For each part when its documents were first seen, in microseconds since 1970.

    Documents that were never grouped get an age by their date, then as they are stored. Those that were
    grouped before keep theirs, and are older than all others.
    """
    known: list[Numbers] = []
    orders: list[NDArray[np.float64] | NDArray[np.bytes_]] = []
    for number in directory.numbers:
        documents = [*map(prefix_of, lines_of(directory.file(number, "signed")))]
        known.append(np.array([document.first_seen for document in documents], np.int64))
        orders.append(_sortable([document.order for document in documents]))
    if not known:
        return []
    ages = np.concatenate(known)
    new = np.flatnonzero(ages == 0)
    by_date = np.argsort(_join_orders(orders)[new], kind="stable")
    ages[new[by_date]] = directory.run.started + np.arange(len(new))
    return np.split(ages, np.cumsum([len(part) for part in known])[:-1])


def _join_orders(
    orders: Sequence[NDArray[np.float64] | NDArray[np.bytes_]],
) -> NDArray[np.float64] | NDArray[np.bytes_]:
    """All orders; those of a kind that most parts do not have sort last."""
    if not any(part.dtype.kind == "S" for part in orders):
        return np.concatenate([np.empty(0), *orders])
    last = np.array([b"\xff"], f"S{DATE_CHARS}")
    return np.concatenate([part if part.dtype.kind == "S" else np.repeat(last, len(part)) for part in orders])


def _sortable(orders: Sequence[float | str | None]) -> NDArray[np.float64] | NDArray[np.bytes_]:
    """Numbers or texts in the order of the dates; documents without one come last."""
    if any(isinstance(order, str) for order in orders):
        texts = [b"\xff" if order is None else str(order).encode("utf-8", "replace") for order in orders]
        return np.array(texts, f"S{DATE_CHARS}")
    return np.array([np.inf if order is None else order for order in orders], np.float64)


class Ties:
    """Collects the verdicts that join, and keeps the strongest of each document: some 20 bytes a tie.

    Where groups may be divided all are kept until `finish`: only then it is known which stay within a group.
    """

    def __init__(self, *, divided: bool = False) -> None:
        self._divided = divided
        self._documents = np.empty(0, np.int64)
        self._others = np.empty(0, np.int64)
        self._relations = np.empty(0, np.int8)
        self._scores = np.empty(0, np.float32)
        self._added: list[tuple[Numbers, Numbers, NDArray[np.int8], NDArray[np.float32]]] = []

    def add(self, judged: Judged) -> None:
        """Keep the strongest of these verdicts, which say how the earlier documents stand to the later."""
        relations = [swap_relation(verdict.relation) for verdict in judged.verdicts]
        scores = np.array([verdict.score for verdict in judged.verdicts], np.float32)
        codes = np.array([RELATIONS.index(relation) for relation in relations], np.int8)
        kept = slice(None) if self._divided else _select_strongest(judged.documents, judged.others, scores)
        self._added.append((judged.documents[kept], judged.others[kept], codes[kept], scores[kept]))

    def finish(self, oldest: Numbers) -> None:
        """Sort what was added, without what ties documents of two groups; nothing is added afterwards.

        `oldest`: see Groups.
        """
        if not self._added:
            return
        columns = zip(*self._added, strict=True)
        documents, partners, relations, scores = (np.concatenate(column) for column in columns)
        within = np.flatnonzero(oldest[documents] == oldest[partners])
        best = within[_select_strongest(documents[within], partners[within], scores[within])]
        self._documents, self._others = documents[best], partners[best]
        self._relations, self._scores = relations[best], scores[best]
        self._added = []

    def of(self, places: Numbers, corpus: Corpus) -> Iterator[tuple[Tie, ...]]:
        """For each of these places what ties the document there, the strongest first."""
        starts = np.searchsorted(self._documents, places).tolist()
        ends = np.searchsorted(self._documents, places + 1).tolist()
        for start, end in zip(starts, ends, strict=True):
            ids = corpus.ids(self._others[start:end]) if start < end else ()
            relations = [RELATIONS[code] for code in self._relations[start:end].tolist()]
            scores = [round(score, 6) for score in self._scores[start:end].tolist()]
            yield tuple(map(Tie, ids, relations, scores))


def _select_strongest(documents: Numbers, partners: Numbers, scores: NDArray[np.float32]) -> Numbers:
    """The numbers of the strongest ties of each document, in the order of documents, then of strength."""
    order = np.lexsort((partners, -scores, documents))
    starts = np.flatnonzero(np.diff(documents[order], prepend=-1))
    sizes = np.diff(np.append(starts, len(order)))
    rank = np.arange(len(order)) - np.repeat(starts, sizes)
    best: Numbers = order[rank < MAX_TIES]
    return best


def assign(
    directory: RunDirectory,
    pool: Pool[Worker],
    config: Config,
    log: Sequence[Correction],
    read: ReadTexts | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> int:
    """Group the documents of all parts; how many there are. `log`: of corrections and frames. `read`: see
    `group_corpus`.
    """
    ages, corrections = find_ages(directory), Corrections.of(log)
    rule = GroupingRule.of(config)
    ties = Ties(divided=rule.linkage != "closure" or bool(corrections.apart))
    with Scratch(MEMORY_BYTES, directory.path) as scratch:
        corpus = Corpus(scratch)
        for columns in pool.map(columns_of_part, enumerate(ages)):
            corpus.add(columns)
        groups = group_corpus(
            corpus,
            config,
            corrections,
            pool=pool,
            progress=lambda step, done, total: progress(done, total or done),
            on_verdicts=ties.add,
            read=read,
            frames=read_frames(log),
        )
        directory.keep_frames(groups.frames.runs)
        ties.finish(groups.oldest)
        elects = rule.elects or corrections.heads
        heads = corpus.heads(groups.oldest, corrections.heads) if elects else groups.oldest
        _save(directory, _Assigned(corpus, groups.oldest, heads, ties), ages)
    return len(corpus)


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
        counted = _by_id(directory, number, own, corpus)
        groups, heads = assigned.oldest[counted], assigned.heads[counted] == own
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
    ids = [load(line).record.id for line in lines_of(directory.file(number, "signed"))]
    place_of = corpus.find(ids[number] for number in again.tolist())
    places = places.copy()
    places[again] = [place_of[ids[number]] for number in again.tolist()]
    return places


def rename_groups(directory: RunDirectory, index: SlicedClusterIndex) -> None:
    """Before the documents move: let the names that no group has any longer lead to where its oldest member
    is, and end what led away from a name that a group has now.
    """
    oldest: dict[str, tuple[tuple[bool, int, str], str]] = {}
    for number in directory.numbers:
        signed = lines_of(directory.file(number, "signed"))
        for line, place_line in zip(signed, lines_of(directory.file(number, "grouped")), strict=True):
            if former := prefix_of(line).former:  # it was in a group before
                place = load_assignment(place_line)
                id_, name = load(line).record.id, str(former[0])
                age = (id_ == name, place.first_seen, id_)
                oldest[name] = min(oldest.get(name, (age, place.group)), (age, place.group))
    names = oldest.keys() | dict(index.store.redirects()).keys()
    live = _live(directory, names) if names else set()
    moves = {name: group for name, (_, group) in oldest.items() if name not in live}
    index.write_redirects(moves, sorted(live))


def _live(directory: RunDirectory, names: Iterable[str]) -> set[str]:
    """Those of these names that a group has."""
    wanted = set(names)
    files = (directory.file(number, "grouped") for number in directory.numbers)
    groups = (load_assignment(line).group for file in files for line in lines_of(file))
    return {group for group in groups if group in wanted}
