"""Recall of keys: every pair of documents is judged, and the joined pairs are looked up by key.

An index compares only documents that share a key, so a pair without a shared key is lost whatever the judge
would say. Here the judge sees all pairs, which takes time quadratic in the number of documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dupgroups.flow.method_set import MethodSet
from dupgroups.grouping import KeyIndex
from dupgroups.model import Page, Record
from dupgroups.model.config import Config
from dupgroups_lab.duplicates.lookup import Progress, others, signed


@dataclass(frozen=True, slots=True)
class KeyRecall:
    """The result for `documents` with a signature, each looked up among all others.

    `joined` counts the pairs that the judge joins, `found` those of them that are found by looking up either
    of the two. `keys` is the highest number of keys of a document, `candidates` the mean number of documents
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
) -> KeyRecall:
    """Compare every pair of these pages, and look each page up. No pages give zeros."""
    methods = MethodSet(config)
    records = [
        document.record for document in signed(pages, methods, progress).values() if document.record.signature
    ]
    index = KeyIndex(records)
    looked_up = [{other.id for other in others(index, record, config.candidates)} for record in records]
    joined = found = 0
    for number, record in enumerate(records):
        for other in _joined(record, records[:number], methods, config):
            joined += 1
            found += records[other].id in looked_up[number] and record.id in looked_up[other]
        progress("judge", number + 1, len(records))
    keys = max((len(record.signature.keys) for record in records), default=0)
    return KeyRecall(len(records), keys, joined, found, sum(map(len, looked_up)) / max(1, len(records)))


def _joined(record: Record, others: Sequence[Record], methods: MethodSet, config: Config) -> Iterable[int]:
    """Indices of the others that the judge joins with the record."""
    scheme = record.signature.scheme
    judge = methods.judge(scheme)
    for index, other in enumerate(others):
        if other.signature.scheme == scheme and judge(other, record).relation in config.join:
            yield index
