"""What keys find: every pair of documents is judged, and those that are joined are looked up.

An index compares only what shares a key, so a pair without one is lost whatever the judge would say. Here the
judge sees all pairs, which takes time that grows with the square of the number of documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dupgroups.config import Config
from dupgroups.grouping import KeyIndex
from dupgroups.method_set import MethodSet
from dupgroups.model import Page, Record
from dupgroups_lab.duplicates.lookup import Progress, others, signed


@dataclass(frozen=True, slots=True)
class Found:
    """Of `documents` that have a signature, each looked up among all others.

    `joined` counts the pairs that the judge joins, `found` those of them that a look-up finds whichever of
    the two is looked up; `keys` is the most that a document has, `candidates` the mean number of documents
    that a look-up compares.
    """

    documents: int
    keys: int
    joined: int
    found: int
    candidates: float

    @property
    def recall(self) -> float:
        """found / joined, 0 to 1; 1 when nothing is joined."""
        return self.found / self.joined if self.joined else 1.0


def look_up(
    pages: Iterable[Page], config: Config, progress: Progress = lambda step, done, total: None
) -> Found:
    """Compare every pair of these pages, and look each page up. No pages give zeros."""
    methods = MethodSet(config)
    records = [each.record for each in signed(pages, methods, progress).values() if each.record.signature]
    index = KeyIndex(records)
    met = [{each.id for each in others(index, record, config.candidates)} for record in records]
    joined = found = 0
    for at, record in enumerate(records):
        for other in _joined(record, records[:at], methods, config):
            joined += 1
            found += records[other].id in met[at] and record.id in met[other]
        progress("judge", at + 1, len(records))
    keys = max((len(each.signature.keys) for each in records), default=0)
    return Found(len(records), keys, joined, found, sum(map(len, met)) / max(1, len(records)))


def _joined(record: Record, others: Sequence[Record], methods: MethodSet, config: Config) -> Iterable[int]:
    """Places of the others that the judge joins with the record."""
    scheme = record.signature.scheme
    judge = methods.judge(scheme)
    for place, other in enumerate(others):
        if other.signature.scheme == scheme and judge(other, record).relation in config.join:
            yield place
