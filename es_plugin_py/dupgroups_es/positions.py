"""How far the shards of an index have been written, and what of that this process wrote itself.

Every operation on a shard has a sequence number, one more than the one before. So the sum of the highest ones
says how many operations there were, and a writer that counts its own knows whether anybody else has written.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from dupgroups_es.transport import Action

Version = tuple[int, int]
"""Sequence number and primary term."""


class Shard(NamedTuple):
    """A shard of an index (`home`) behind a name; the `uuid` tells it from a later one of that name."""

    name: str
    home: str
    uuid: str
    number: int

    @property
    def id(self) -> str:
        """The id under which a mark is kept."""
        return f"{self.uuid}:{self.number}"


class Position(NamedTuple):
    """`latest` is the highest sequence number given out (-1 before the first); up to `safe` every copy of the
    shard has them all, and a search shows them after a refresh."""

    latest: int
    safe: int


def operations(numbers: Iterable[int]) -> int:
    """How many operations the highest sequence numbers of shards stand for."""
    return sum(number + 1 for number in numbers)


class OwnWrites:
    """The writes of one connection: how many operations, and which versions of documents they made.

    `complete`: whether all operations since the last `begin` are known.
    """

    def __init__(self) -> None:
        self._operations: Counter[str] = Counter()
        self.complete = True
        self._older: dict[tuple[str, str], Version] = {}
        self._newer: dict[tuple[str, str], Version] = {}
        self._others: set[tuple[str, str]] = set()

    def note(self, action: Action, done: Mapping[str, Any]) -> None:
        """Count what the server says of an action that it carried out."""
        if done.get("result") != "noop" and "_seq_no" in done:
            self._operations[action.index] += 1
            self._newer[action.index, action.id] = (done["_seq_no"], done["_primary_term"])

    def mark_processed(self, name: str, id_: str, version: Version) -> None:
        """Somebody else wrote this version of a document, and its look-up is done here."""
        self._newer[name, id_] = version

    def invalidate(self) -> None:
        """Trust nothing of it: an answer may have been lost, or a step left out."""
        self.complete = False
        self._older.clear()
        self._newer.clear()

    def operations(self, names: Iterable[str]) -> int:
        """How many operations there were on these indices, as far as is known."""
        return sum(self._operations[name] for name in names)

    def version(self, name: str, id_: str) -> Version | None:
        """The version that was written last, None when nothing is known of it."""
        return self._newer.get((name, id_), self._older.get((name, id_)))

    def mark_by_others(self, name: str, ids: Iterable[str]) -> None:
        """These documents are others', and were changed here without a look at what is like them."""
        self._others.update((name, id_) for id_ in ids)

    def mark_own(self, name: str, ids: Iterable[str]) -> None:
        """These documents were looked up and written here."""
        self._others.difference_update((name, id_) for id_ in ids)

    def is_own(self, name: str, id_: str, version: Version) -> bool:
        """Whether this version of a document needs no further look by this process."""
        return self.version(name, id_) == version and (name, id_) not in self._others

    def begin(self) -> None:
        """From here on versions are new: the older ones are kept until `forget_older`."""
        self._older |= self._newer
        self._newer = {}
        self.complete = True

    def forget_older(self) -> None:
        """Let go of what was written before the last `begin`."""
        self._older = {}
        self._others &= self._newer.keys()
