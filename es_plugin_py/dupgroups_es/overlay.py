"""Answers for an index: writes of this process that a search may not show yet (the index
refreshes a second later, or thirty), and records of which a search shows the version that is known already.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from dupgroups.grouping.key_index import KeyIndex
from dupgroups.model import Record, Signature
from dupgroups_es.positions import Version


class Overlay(KeyIndex):
    """Records by id, key and group. An id that it holds hides whatever a search says of that id."""

    def __init__(self) -> None:
        super().__init__()
        self._deleted: set[str] = set()
        self._members: defaultdict[str, set[str]] = defaultdict(set)

    def __len__(self) -> int:
        return super().__len__() + len(self._deleted)

    def __contains__(self, id_: str) -> bool:
        return super().__contains__(id_) or id_ in self._deleted

    def __iter__(self) -> Iterator[Record]:
        return (record for group in self._members for record in self.members(group))

    def put(self, record: Record) -> None:
        """Hold a record that was written, in place of its former state."""
        former = self.get(record.id)
        if former is not None:
            self._members[former.group].discard(record.id)
        self._deleted.discard(record.id)
        super().put(record)
        self._members[record.group].add(record.id)

    def delete(self, id_: str) -> None:
        """Remember that a document is gone."""
        former = self.get(id_)
        if former is not None:
            self._members[former.group].discard(id_)
            super().delete(id_)
        self._deleted.add(id_)

    def count_shared(self, id_: str, signature: Signature) -> int:
        """How many keys a held record shares; 0 when it is deleted, not held, or of another scheme."""
        return count_shared(signature, self.get(id_))

    def members(self, group: str) -> list[Record]:
        """The held records of a group."""
        held = (self.get(id_) for id_ in self._members.get(group, ()))
        return [record for record in held if record is not None]


def count_shared(signature: Signature, record: Record | None) -> int:
    """How many keys a record shares; 0 for none, and for one of another scheme."""
    if record is None or record.signature.scheme != signature.scheme:
        return 0
    return len(set(record.signature.keys).intersection(signature.keys))


MAX_KNOWN_RECORDS = 5_000  # records that are kept, the latest


class KnownRecords:
    """The latest records by id, each with its version; those without a version are not kept."""

    def __init__(self) -> None:
        self._records: dict[str, Record] = {}  # in the order in which they came

    def get(self, id_: str, version: Version | None) -> Record | None:
        """The record, None unless it is known in this version, or for none."""
        record = self._records.get(id_)
        return record if record is not None and record.version == version else None

    def keep(self, records: Iterable[Record]) -> None:
        """Keep these, and forget the oldest beyond MAX_KNOWN_RECORDS."""
        for record in records:
            self._records.pop(record.id, None)
            if record.version is not None:
                self._records[record.id] = record
        for id_ in list(self._records)[:-MAX_KNOWN_RECORDS]:
            del self._records[id_]
