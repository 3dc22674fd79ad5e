"""What this process wrote and a search may not show yet: the index refreshes a second later, or thirty."""

from __future__ import annotations

from collections import defaultdict

from dupgroups.model import Record, Signature

Key = tuple[str, str]  # scheme, key


class Overlay:
    """Records by id, key and group. An id that it holds hides whatever a search says of that id."""

    def __init__(self) -> None:
        self._records: dict[str, Record | None] = {}
        self._holders: defaultdict[Key, set[str]] = defaultdict(set)
        self._members: defaultdict[str, set[str]] = defaultdict(set)

    def __len__(self) -> int:
        return len(self._records)

    def __contains__(self, id_: str) -> bool:
        return id_ in self._records

    def put(self, record: Record) -> None:
        """Hold a record that was written, in place of its former state."""
        self.delete(record.id)
        self._records[record.id] = record
        self._members[record.group].add(record.id)
        for key in record.signature.keys:
            self._holders[record.signature.scheme, key].add(record.id)

    def delete(self, id_: str) -> None:
        """Remember that a document is gone."""
        former = self._records.get(id_)
        if former is not None:
            self._members[former.group].discard(id_)
            for key in former.signature.keys:
                self._holders[former.signature.scheme, key].discard(id_)
        self._records[id_] = None

    def get(self, id_: str) -> Record | None:
        """The record, None when it is deleted or not held."""
        return self._records.get(id_)

    def sharing(self, signature: Signature) -> list[Record]:
        """The held records that share a key."""
        held = [self._holders.get((signature.scheme, key), ()) for key in set(signature.keys)]
        return self._of({each for ids in held for each in ids})

    def members(self, group: str) -> list[Record]:
        """The held records of a group."""
        return self._of(self._members.get(group, ()))

    def _of(self, ids: set[str] | tuple[()]) -> list[Record]:
        return [record for each in ids if (record := self._records[each]) is not None]
