"""What this process wrote and a search may not show yet: the index refreshes a second later, or thirty."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from dupgroups.grouping.key_index import KeyIndex
from dupgroups.model import Record, Signature


class Overlay:
    """Records by id, key and group. An id that it holds hides whatever a search says of that id."""

    def __init__(self) -> None:
        self._keys = KeyIndex()
        self._deleted: set[str] = set()
        self._members: defaultdict[str, set[str]] = defaultdict(set)

    def __len__(self) -> int:
        return len(self._keys) + len(self._deleted)

    def __contains__(self, id_: str) -> bool:
        return id_ in self._keys or id_ in self._deleted

    def __iter__(self) -> Iterator[Record]:
        return (record for group in self._members for record in self.members(group))

    def put(self, record: Record) -> None:
        """Hold a record that was written, in place of its former state."""
        former = self._keys.get(record.id)
        if former is not None:
            self._members[former.group].discard(record.id)
        self._deleted.discard(record.id)
        self._keys.put(record)
        self._members[record.group].add(record.id)

    def delete(self, id_: str) -> None:
        """Remember that a document is gone."""
        former = self._keys.get(id_)
        if former is not None:
            self._members[former.group].discard(id_)
            self._keys.delete(id_)
        self._deleted.add(id_)

    def get(self, id_: str) -> Record | None:
        """The record, None when it is deleted or not held."""
        return self._keys.get(id_)

    def candidates(self, signature: Signature, *, limit: int) -> list[Record]:
        """The held records that share a key, at most `limit`, those that share most first."""
        return self._keys.candidates(signature, limit=limit)

    def shared(self, id_: str, signature: Signature) -> int:
        """How many keys a held record shares; 0 when it is deleted, not held, or of another scheme."""
        record = self._keys.get(id_)
        if record is None or record.signature.scheme != signature.scheme:
            return 0
        return len(set(record.signature.keys).intersection(signature.keys))

    def members(self, group: str) -> list[Record]:
        """The held records of a group."""
        held = (self._keys.get(id_) for id_ in self._members.get(group, ()))
        return [record for record in held if record is not None]
