"""What ties the documents of a corpus to earlier ones: the strongest verdicts of each."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from dupgroups.bulk.offline import Corpus, Judged
from dupgroups.grouping.plan import TIES
from dupgroups.model import Relation, Tie

RELATIONS: tuple[Relation, ...] = ("duplicate", "contains", "contained", "near")
_REVERSED: dict[Relation, Relation] = {"contains": "contained", "contained": "contains"}
Numbers = NDArray[np.int64]


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
        relations = [_REVERSED.get(verdict.relation, verdict.relation) for verdict in judged.verdicts]
        scores = np.array([verdict.score for verdict in judged.verdicts], np.float32)
        codes = np.array([RELATIONS.index(relation) for relation in relations], np.int8)
        kept = slice(None) if self._divided else _strongest(judged.documents, judged.others, scores)
        self._added.append((judged.documents[kept], judged.others[kept], codes[kept], scores[kept]))

    def finish(self, oldest: Numbers) -> None:
        """Sort what was added, without what ties documents of two groups; nothing is added afterwards.

        `oldest`: see Groups.
        """
        if not self._added:
            return
        columns = zip(*self._added, strict=True)
        documents, others, relations, scores = (np.concatenate(column) for column in columns)
        within = np.flatnonzero(oldest[documents] == oldest[others])
        best = within[_strongest(documents[within], others[within], scores[within])]
        self._documents, self._others = documents[best], others[best]
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


def _strongest(documents: Numbers, others: Numbers, scores: NDArray[np.float32]) -> Numbers:
    """The numbers of the strongest ties of each document, in the order of documents, then of strength."""
    order = np.lexsort((others, -scores, documents))
    starts = np.flatnonzero(np.diff(documents[order], prepend=-1))
    sizes = np.diff(np.append(starts, len(order)))
    rank = np.arange(len(order)) - np.repeat(starts, sizes)
    best: Numbers = order[rank < TIES]
    return best
