"""Which member of a group is its head, the one that stands for it in searches: pure functions.

The head does not name the group: the name is that of the oldest member, whichever is the head.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from dupgroups.grouping.publication_dates import published_by
from dupgroups.model import Record
from dupgroups.text.urls import host_of

OLDEST_HEAD = "oldest"
Order = tuple[int, int, str]
"""(rank, first seen, id): the member with the smallest is the head."""


def order_of(head: str | tuple[str, ...]) -> Callable[[Record], Order]:
    """How the members of a group are ordered by the setting `head` (see `Config`)."""
    if isinstance(head, str):
        return _ORDERS[head]
    hosts = [host_of(f"https://{host}/") for host in head]  # as the hosts of records are written
    return lambda record: (_place(record.host, hosts), *record.age)


def pinned_first(
    pinned: Mapping[str, int], order: Callable[[Record], Order]
) -> Callable[[Record], tuple[int, Order]]:
    """The order of the setting, after the members that people pinned, of which the latest comes first."""
    return lambda record: (-pinned.get(record.id, 0), order(record))


def heads_among(records: Iterable[Record], order: Callable[[Record], tuple[object, ...]]) -> list[Record]:
    """Those members of a group that are its head or should be; [] for no members."""
    records = list(records)
    best = min(records, key=order, default=None)
    return [record for record in records if record.is_head or record is best]


_DATED_CHARS = 1 << 40  # what a date counts for: more than any text has
_ORDERS: Mapping[str, Callable[[Record], Order]] = {
    OLDEST_HEAD: lambda record: (0, *record.age),
    "fullest": lambda record: (-record.length, *record.age),
    "fullest_dated": lambda record: (
        -record.length - _DATED_CHARS * (record.published is not None),
        *record.age,
    ),
    "canonical": lambda record: (not record.canonical, *record.age),
    "published": lambda record: (published_by(record), *record.age),
}


def _place(host: str, hosts: Sequence[str]) -> int:
    """The place of a host, or of a domain that it is in, among preferred ones."""
    matches = (place for place, wanted in enumerate(hosts) if f".{host}".endswith(f".{wanted}"))
    return next(matches, len(hosts))
