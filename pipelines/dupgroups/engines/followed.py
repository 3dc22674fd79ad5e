"""Indices that other tools write into all the time: the interface that `follow` needs to group them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Protocol, runtime_checkable

from dupgroups.engines.base import Store
from dupgroups.engines.foreign import Fields
from dupgroups.errors import ConfigError
from dupgroups.model import Page, Record

_SHARE = re.compile(r"([1-9]\d{0,3})/([1-9]\d{0,3})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Share:
    """The `number`-th of `of` equal parts of all ids, from 1. An id is always in the same part, and in one.

    >>> [Share(number, 3).holds("a") for number in (1, 2, 3)].count(True)
    1
    """

    number: int = 1
    of: int = 1

    @classmethod
    def parse(cls, text: str) -> Share:
        """What a user types. Raises ConfigError for anything but NUMBER/OF with NUMBER up to OF.

        >>> Share.parse("2/3")
        Share(number=2, of=3)
        """
        match = _SHARE.fullmatch(text)
        number, of = map(int, match.groups()) if match else (1, 0)
        if number > of:
            raise ConfigError(f"a share is a number and how many there are, such as 1/3, not {text!r}")
        return cls(number, of)

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    def holds(self, id_: str) -> bool:
        """Whether this part has the id."""
        if self.of == 1:
            return True
        digest = blake2b(id_.encode("utf-8", "surrogatepass"), digest_size=8).digest()
        return int.from_bytes(digest, "big") % self.of == self.number - 1


@dataclass(frozen=True, slots=True)
class Arrival:
    """A document as it is now, and its stored record; None if it has none, because it was never grouped, or
    because another tool has replaced the document since.
    """

    page: Page
    stored: Record | None


class FollowedIndex(Store, Protocol):
    """A store that tells what is written into it. Its marks say how far that was looked at; they are kept
    beside the index, by share, so that the next process goes on where this one stopped.
    """

    @property
    def complete_until(self) -> int | None:
        """Everything written before this time has been looked at, in microseconds since 1970; None if it was
        never looked at.
        """

    def written(self, size: int) -> Iterator[Sequence[Arrival]]:
        """The documents of the share that were written since the marks, in batches of at most `size`.

        A batch counts as looked at when the next one is asked for. What this store wrote itself, on top of
        what it had read, is left out.
        """

    def left_over(self, size: int) -> Iterator[Sequence[Arrival]]:
        """The documents of the share from before the marks that have no `dup_group`, in batches."""

    def bereft(self, most: int) -> Iterator[Sequence[str]]:
        """The names of groups of the share that have lost a member, as far as can be seen: others may delete
        documents. At most so many groups are looked at; the next call goes on, round after round.
        """

    def again(self, ids: Sequence[str]) -> Sequence[Arrival]:
        """These documents as they are now; those that are gone are absent."""

    def waiting(self) -> int:
        """The number of documents without `dup_group`, of all shares."""

    def is_current(self) -> bool:
        """Whether the name that was given still stands for this index."""


@runtime_checkable
class Followable(Protocol):
    """An engine whose index other tools may write into."""

    def indices(self) -> Sequence[str]:
        """The names of the indices that the name in the URL stands for, which may be a pattern."""

    def follow(self, fields: Fields, share: Share) -> FollowedIndex:
        """The index, ready to be followed. Raises ConfigError if its mapping does not allow that."""
