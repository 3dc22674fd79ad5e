"""The rule that makes two documents one group (how many candidates are judged, which relations join), and
which member of a group is its head, the one that stands for it in searches: pure functions.

The head does not name the group: the name is that of the oldest member, whichever is the head.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from dupgroups.model import DAY_MICROSECONDS, MINUTE_MICROSECONDS, Linkage, Record, Relation, Verdict
from dupgroups.model.config import Config
from dupgroups.text.dates import FIRST_YEAR, PLACEHOLDERS
from dupgroups.text.urls import host_of

OLDEST_HEAD = "oldest"
# The most texts that the text of one document is compared with. On a newswire 84 of 10,500 items had more
# doubtful candidates; their copies were among the first 10. With 8, different stories on one subject merged.
MAX_COMPARED_TEXTS = 16
_EPOCH = date(1970, 1, 1)
DAY_MINUTES = DAY_MICROSECONDS // MINUTE_MICROSECONDS  # minutes
FIRST_NEWS = (date(FIRST_YEAR, 1, 1) - _EPOCH).days * DAY_MINUTES  # minutes since 1970
_NO_DAYS = {(date.fromisoformat(day) - _EPOCH).days for day in PLACEHOLDERS}  # days since 1970
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


_ORDERS: Mapping[str, Callable[[Record], Order]] = {
    OLDEST_HEAD: lambda record: (0, *record.age),
    "fullest": lambda record: (-record.length, *record.age),
    "canonical": lambda record: (not record.canonical, *record.age),
    "published": lambda record: (published_by(record), *record.age),
}


def published_by(record: Record) -> int:
    """By when a document was published, in minutes since 1970: as it says, if that can be right, but before
    it was first seen; nothing else is known of a document without a date.
    """
    seen = record.first_seen // MINUTE_MICROSECONDS
    return min(record.published or 0, seen) if says_when(record) else seen


def says_when(record: Record) -> bool:
    """Whether a document has a date that can be right: not older than newspapers, no day that programs write
    where they know none, and at most the day after it was first seen, as it may be that day elsewhere.
    """
    published, latest = record.published or 0, record.first_seen // MINUTE_MICROSECONDS + 2 * DAY_MINUTES
    return FIRST_NEWS <= published < latest and published // DAY_MINUTES not in _NO_DAYS


def _place(host: str, hosts: Sequence[str]) -> int:
    """The place of a host, or of a domain that it is in, among preferred ones."""
    matches = (place for place, wanted in enumerate(hosts) if f".{host}".endswith(f".{wanted}"))
    return next(matches, len(hosts))


def heads_among(records: Iterable[Record], order: Callable[[Record], tuple[object, ...]]) -> list[Record]:
    """Those members of a group that are its head or should be; [] for no members."""
    records = list(records)
    best = min(records, key=order, default=None)
    return [record for record in records if record.is_head or record is best]


@dataclass(frozen=True, slots=True)
class Rule:
    """`join`: the relations that put two documents into one group, without direction (`contains` with
    `contained`); `candidates`: how many stored records that share keys a document is compared with at most,
    and how many earlier ones of its batch. `linkage`: whether groups merge where enough of
    the pairs across them join (`average`, see `linkage.py`), or for one such pair (`closure`). `head`:
    which member stands for a group (see `Config`). `within_days`: how many days apart two documents may have
    been published, None for any number. `compared`: with how many of the candidates that signatures leave in
    doubt a document is compared by its text, those whose signatures have most in common; None for all.
    """

    join: frozenset[Relation]
    candidates: int
    linkage: Linkage = "average"
    head: str | tuple[str, ...] = OLDEST_HEAD
    within_days: int | None = None
    compared: int | None = None

    @classmethod
    def of(cls, config: Config) -> Rule:
        """The rule of a configuration."""
        return cls(config.join, config.candidates, config.linkage, config.head, config.within_days)

    def compares(self, a: Record, b: Record) -> bool:
        """Whether two documents are near enough in time to be one story."""
        return self.within_days is None or abs(a.day - b.day) <= self.within_days

    def joins(self, verdict: Verdict) -> bool:
        """Whether a verdict puts its two documents into one group."""
        return verdict.relation in self.join

    @property
    def most(self) -> int:
        """How many others a document can be tied to when it comes."""
        return self.candidates if self.compared is None else min(self.candidates, self.compared)

    @property
    def elects(self) -> bool:
        """Whether another member than the one that names a group may be its head."""
        return self.head != OLDEST_HEAD

    @property
    def order(self) -> Callable[[Record], Order]:
        """The member of a group for which this is the smallest is its head."""
        return order_of(self.head)
