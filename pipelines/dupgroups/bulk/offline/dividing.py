"""Components of joined pairs that may have to be divided: with average linkage, and where people keep
documents apart, the plan of the live flow puts them together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dupgroups.bulk.offline.corpus import Corpus, Numbers
from dupgroups.grouping.constraints import NO_CORRECTIONS, Corrections, with_partners
from dupgroups.grouping.grouping_rule import GroupingRule
from dupgroups.grouping.plan import plan
from dupgroups.grouping.view import Batch, Neighbourhood, View
from dupgroups.model import Record, Verdict

MIN_DIVISIBLE = 3  # documents that average linkage leaves together: one tie of two is enough
MAX_KEPT_VERDICTS = 1 << 14  # at a time


class Judged(NamedTuple):
    """Pairs of places, the later document first, and how the earlier one of each stands to it."""

    documents: Numbers
    others: Numbers
    verdicts: list[Verdict]


Joined = tuple[Numbers, Numbers, NDArray[np.float64]]
"""Pairs of places that join, the later document first, and their scores."""
_NO_NUMBERS = np.empty(0, np.int64)


class Divider:
    """Collects the pairs that join, as `joined`, and divides their components. `corrected`: the places of
    documents that people keep apart or together.
    """

    def __init__(
        self, corpus: Corpus, rule: GroupingRule, corrections: Corrections, corrected: Sequence[int]
    ) -> None:
        self.joined: list[Joined] = []
        self._corpus, self._rule = corpus, rule
        self._corrections, self._corrected = corrections, corrected

    def divide(self, oldest: Numbers) -> None:
        """Name the oldest member of each group in `oldest`, which has that of each component."""
        divided = np.zeros(len(oldest), np.bool_)  # by the oldest member
        if self._rule.linkage != "closure":
            divided |= self._divisible(oldest)
        divided[oldest[np.array(self._corrected, np.int64)]] = True
        documents, others, scores = self._joined_by_root(oldest, divided)
        roots = oldest[documents]
        for root, places in _by_root(oldest.copy()):
            if divided[root]:
                own = slice(*np.searchsorted(roots, [root, root + 1]).tolist())
                self._plan(places, (documents[own], others[own], scores[own]), oldest)

    def _divisible(self, oldest: Numbers) -> NDArray[np.bool_]:
        """Which components, by their oldest member, average linkage may divide: not where all pairs join."""
        sizes = np.bincount(oldest, minlength=len(oldest))
        ties = np.zeros_like(sizes)
        for documents, _, _ in self.joined:
            np.add.at(ties, oldest[documents], 1)
        complete = (ties == sizes * (sizes - 1) // 2) & (sizes <= self._rule.candidates)
        divisible: NDArray[np.bool_] = (sizes > MIN_DIVISIBLE) & ~complete
        return divisible

    def _joined_by_root(self, oldest: Numbers, divided: NDArray[np.bool_]) -> Joined:
        """The pairs that join in these components, those of one component together."""
        kept = [divided[oldest[documents]] for documents, _, _ in self.joined]
        joined = zip(self.joined, kept, strict=True)
        pairs = [(one[which], two[which], scores[which]) for (one, two, scores), which in joined]
        self.joined = []
        documents, others, scores = map(
            np.concatenate, zip((_NO_NUMBERS, _NO_NUMBERS, np.empty(0)), *pairs, strict=True)
        )
        order = np.argsort(oldest[documents], kind="stable")
        return documents[order], others[order], scores[order]

    def _plan(self, places: Numbers, joined: Joined, oldest: Numbers) -> None:
        """Put one component together anew; of its pairs those are known that join."""
        records = self._corpus.records(places)
        ids = dict(zip(places.tolist(), (record.id for record in records), strict=True))
        relation, pairs = min(self._rule.join), zip(*(column.tolist() for column in joined), strict=True)
        known = {(ids[one], ids[two]): Verdict(relation, score, "") for one, two, score in pairs}
        groups = put_together(records, known, self._rule, self._corrections)
        place_of = {id_: place for place, id_ in ids.items()}
        for id_, group in groups.items():
            oldest[place_of[id_]] = place_of[group]


def put_together(
    records: Sequence[Record],
    joining: Mapping[tuple[str, str], Verdict],
    rule: GroupingRule,
    corrections: Corrections = NO_CORRECTIONS,
) -> dict[str, str]:
    """The groups of one component of pairs that join, as the plan of the live flow makes them: {id: group}.

    `joining`: the verdicts of these pairs, by the ids of the later document and of the earlier one.
    """
    named = {record.id: record for record in records}
    earlier: dict[str, list[Record]] = {}
    for document, other in joining:
        earlier.setdefault(document, []).append(named[other])
    candidates = with_partners(earlier, records, corrections)
    view = View(Batch(records), Neighbourhood(candidates), corrections)
    planned = plan(view, lambda record, other: joining[record.id, other.id], rule)
    return {record.id: record.group for record in planned.puts}


def _by_root(oldest: Numbers) -> Iterator[tuple[int, Numbers]]:
    """The members of each component of several, the oldest first."""
    order = np.argsort(oldest, kind="stable")
    first = np.flatnonzero(np.diff(oldest[order], prepend=-1))
    for start, end in pairwise([*first.tolist(), len(order)]):
        if end - start > 1:
            yield int(oldest[order[start]]), order[start:end]
