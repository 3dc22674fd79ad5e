"""A corpus of signed documents that is grouped at once: they may be more than fit into memory.

    with Scratch(memory=1 << 30) as scratch:
        corpus = Corpus(scratch)
        for records in batches:
            corpus.add(Columns.of(records))
        groups = grouped(corpus, config)

Of a document some sixty bytes stay in memory; its keys, body and id are written to the scratch folder when
all of them need too much.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dupgroups.bulk.offline.scratch import Scratch, Strings
from dupgroups.bulk.offline.sorted_keys import SortedKeys
from dupgroups.methods.sketches.keys import key_hashes
from dupgroups.methods.verdicts.base import Bodies
from dupgroups.model import DAY_MICROSECONDS, MINUTE_MICROSECONDS, Record, Signature
from dupgroups.model.records import shared_keys_of
from dupgroups.text.hashing import Hashes, mix
from dupgroups.text.sets import firsts

NO_DATE = np.iinfo(np.int64).min
HASH_RECORDS = 4096  # records whose keys are hashed together
_A_KEY = "-"  # judges never read keys, but see whether a record has any

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Columns:
    """Everything that grouping reads of n signed documents: one value each, in their order."""

    ids: list[str]
    """The id of each document."""
    hosts: list[str]
    """The host of each document; "" if unknown."""
    schemes: list[str]
    """The scheme of each signature."""
    scopes: list[str]
    """The scope of each signature."""
    ages: NDArray[np.int64]
    """Microseconds since 1970, shape (n,); of equal ones the smaller id is older."""
    published: NDArray[np.int64]
    """Minutes since 1970, or UNDATED, shape (n,)."""
    ranks: NDArray[np.int64]
    """The member of a group with the lowest rank is its head, of equal ones the oldest; shape (n,)."""
    chars: NDArray[np.int64]
    """The number of characters of each text, also of one that is not here; shape (n,)."""
    keys: Hashes
    """Hashes of the keys, one document after another; equal keys of equal schemes are equal numbers in every
    process."""
    counts: NDArray[np.int64]
    """The number of keys of each document, shape (n,)."""
    bodies: bytes
    """The bodies of the signatures, one after another."""
    sizes: NDArray[np.int64]
    """The number of bytes of each body, shape (n,)."""
    texts: bytes
    """The texts of documents with keys in UTF-8, one after another."""
    lengths: NDArray[np.int64]
    """The number of bytes of each text, shape (n,); 0 if it is unknown."""

    @classmethod
    def of(
        cls, records: Sequence[Record], ranks: Sequence[int] | None = None, texts: Sequence[str] = ()
    ) -> Columns:
        """The columns of records; nothing else of them is kept. Without `ranks` all are equal."""
        encoded = [
            text.encode("utf-8", "surrogatepass") if record.signature else b""
            for record, text in zip(records, texts or [""] * len(records), strict=True)
        ]
        signatures = [record.signature for record in records]
        minutes = (NO_DATE if record.published is None else record.published for record in records)
        return cls(
            [record.id for record in records],
            [record.host for record in records],
            [signature.scheme for signature in signatures],
            [signature.scope for signature in signatures],
            np.array([record.first_seen for record in records], np.int64),
            np.fromiter(minutes, np.int64, len(records)),
            np.zeros(len(records), np.int64) if ranks is None else np.array(ranks, np.int64),
            np.array([record.length for record in records], np.int64),
            _hash_keys(records),
            np.array([len(signature.keys) for signature in signatures], np.int64),
            b"".join(signature.body for signature in signatures),
            np.array([len(signature.body) for signature in signatures], np.int64),
            b"".join(encoded),
            np.array([len(text) for text in encoded], np.int64),
        )

    def __len__(self) -> int:
        return len(self.ids)


def _hash_keys(records: Sequence[Record]) -> Hashes:
    hashes = [np.empty(0, np.uint64)]
    for start in range(0, len(records), HASH_RECORDS):
        signatures = (record.signature for record in records[start : start + HASH_RECORDS])
        for scheme, some in groupby(signatures, key=lambda signature: signature.scheme):
            keys = [key for signature in some for key in signature.keys]
            salt = blake2b(scheme.encode("utf-8", "surrogatepass"), digest_size=8).digest()
            hashes.append(mix(key_hashes(keys) ^ np.uint64(int.from_bytes(salt, "big"))))
    return np.concatenate(hashes)


class Names:
    """Few different strings as numbers."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number_names(self, names: Iterable[str]) -> NDArray[np.int32]:
        """The number of each name, the same for equal ones."""
        numbers = self._numbers
        return np.array([numbers.setdefault(name, len(numbers)) for name in names], np.int32)

    def number(self, name: str) -> int:
        """The number of a name; -1 for one that did not come."""
        return self._numbers.get(name, -1)

    @property
    def names(self) -> list[str]:
        """The names, in the order of their numbers."""
        return list(self._numbers)


class _Column(list[NDArray[Any]]):
    """One number for each document, which stays in memory, in parts."""

    def __init__(self, kind: type[np.integer[Any]]) -> None:
        super().__init__([np.empty(0, kind)])

    @cached_property
    def values(self) -> NDArray[Any]:
        """All of them; nothing is appended afterwards."""
        return np.concatenate(self)


class Corpus:
    """Documents are added, then read in the order of their age; nothing is added after the first reading.

    Of documents with one id the last counts, with the age of the first.
    """

    def __init__(self, scratch: Scratch) -> None:
        self.scratch = scratch
        self.keys = SortedKeys(scratch)
        self._bodies = Strings(scratch, "bodies")
        self._ids = Strings(scratch, "ids")
        self._texts = Strings(scratch, "texts")
        self._ages, self._ranks, self._hashes = _Column(np.int64), _Column(np.int64), _Column(np.uint64)
        self._published, self._host, self._scheme = _Column(np.int64), _Column(np.int32), _Column(np.int32)
        self._chars, self._scope = _Column(np.int32), _Column(np.int32)
        self._hosts, self._schemes, self._scopes = Names(), Names(), Names()

    def add(self, columns: Columns) -> None:
        """Add documents. Raises InputError if they do not fit into the scratch folder."""
        self.keys.add(columns.keys, columns.counts)
        self._bodies.append(columns.bodies, columns.sizes)
        self._texts.append(columns.texts, columns.lengths)
        self._ids.extend(columns.ids)
        self._ages.append(columns.ages)
        self._published.append(columns.published)
        self._ranks.append(columns.ranks)
        self._chars.append(columns.chars.astype(np.int32))
        self._host.append(self._hosts.number_names(columns.hosts))
        self._scheme.append(self._schemes.number_names(columns.schemes))
        self._scope.append(self._scopes.number_names(columns.scopes))
        self._hashes.append(key_hashes(columns.ids))

    @property
    def added(self) -> int:
        """How many documents were added, whatever their ids."""
        return self.keys.size

    # -- in the order of age

    def __len__(self) -> int:
        """The number of documents, each id once."""
        return len(self.order)

    @property
    def repeated(self) -> tuple[str, ...]:
        """The ids that came again, as often as they did, in the order in which they came."""
        again = [number for numbers in self._copies for number in numbers[1:]]
        return tuple(self._ids.texts(np.array(sorted(again), np.int64)))

    @cached_property
    def places(self) -> Numbers | None:
        """The place of each document in the order in which they were added, -1 for one that does not count.

        None if that is the order of their age, and all count.
        """
        if len(self.order) == self.keys.size and (np.diff(self.order) == 1).all():
            return None
        places = np.full(self.keys.size, -1)
        places[self.order] = np.arange(len(self.order))
        return places

    def ids(self, places: Numbers) -> list[str]:
        """The ids of the documents in these places."""
        return self._ids.texts(self.order[places])

    def find(self, ids: Iterable[str]) -> dict[str, int]:
        """The places of the documents with these ids; an id without a document is passed over."""
        wanted = set(ids)
        numbers: Numbers = np.flatnonzero(np.isin(self._hashes.values, key_hashes([*wanted])))
        places = numbers if self.places is None else self.places[numbers]
        places = places[places >= 0]
        found = zip(self.ids(places), places.tolist(), strict=True)
        return {id_: place for id_, place in found if id_ in wanted}

    def heads(self, oldest: Numbers, pinned: Mapping[str, int]) -> Numbers:
        """For each place that of the head of its group: of the members that are pinned the one with the
        highest number, else one of the lowest rank, of these the oldest. `oldest`: see Groups.
        """
        pins = np.zeros(len(self), np.int64)
        for id_, place in self.find(pinned).items():
            pins[place] = pinned[id_]
        order = np.lexsort((self._ranks.values[self.order], -pins, oldest))
        first = order[np.flatnonzero(np.diff(oldest[order], prepend=-1))]
        heads = np.arange(len(self))
        heads[oldest[first]] = first
        found: Numbers = heads[oldest]
        return found

    def days(self, places: Numbers) -> Numbers:
        """The day of each document (see `Record.day`)."""
        seen = self._take(self._ages, places) // DAY_MICROSECONDS
        published = self._take(self._published, places)
        days = published // (DAY_MICROSECONDS // MINUTE_MICROSECONDS)
        return np.where(published == NO_DATE, seen, days)

    def hosts(self, places: Numbers) -> NDArray[np.int32]:
        """A number for the host of each document, the same for equal ones."""
        return self._take(self._host, places)

    def schemes(self, places: Numbers) -> NDArray[np.int32]:
        """The scheme of each document, as its place among `scheme_names`."""
        return self._take(self._scheme, places)

    def shared_keys(self, places: Numbers) -> Numbers:
        """How many keys another document must share with each document (see `Signature.shared_keys`)."""
        needed = np.array([*map(shared_keys_of, self.scheme_names)], np.int64)
        found: Numbers = needed[self.schemes(places)]
        return found

    @property
    def scheme_names(self) -> list[str]:
        """All schemes."""
        return self._schemes.names

    def chars(self, places: Numbers) -> NDArray[np.int32]:
        """The number of characters of each text."""
        return self._take(self._chars, places)

    def _take(self, column: _Column, places: Numbers) -> NDArray[Any]:
        taken: NDArray[Any] = column.values[self.order[places]]
        return taken

    def bodies(self, places: Numbers) -> Bodies:
        """The bodies of the documents in these places."""
        return Bodies(self._bodies.bytes, *self._bodies.bounds(self.order[places]))

    def texts(self, places: Numbers) -> list[str]:
        """The texts of the documents in these places; "" for one that came without."""
        return self._texts.texts(self.order[places])

    def records(self, places: Numbers) -> list[Record]:
        """The documents in these places as records that stand alone, with what judges read of them."""
        numbers = self.order[places]
        schemes, scopes = self._scheme.values[numbers].tolist(), self._scope.values[numbers].tolist()
        signatures = (
            Signature(self._schemes.names[scheme], (self._scopes.names[scope] or _A_KEY,), body)
            for scheme, scope, body in zip(schemes, scopes, self._bodies.take(numbers), strict=True)
        )
        kept = (self._host, self._ages, self._published, self._chars)
        columns = (column.values[numbers].tolist() for column in kept)
        hosts, rows = self._hosts.names, zip(self._ids.texts(numbers), signatures, *columns, strict=True)
        return [
            Record(
                *(id_, id_, hosts[host], signature, age, age),
                length=chars,
                published=None if minute == NO_DATE else minute,
            )
            for id_, signature, host, age, minute, chars in rows
        ]

    def release(self) -> None:
        """Give back the memory that reading files took."""
        self._bodies.release()
        self._ids.release()
        self._texts.release()

    # -- which count, and in which order

    @cached_property
    def order(self) -> Numbers:
        """The documents that count by the order in which they were added, the oldest first."""
        ages, counts = self._ages.values, np.ones(self.keys.size, np.bool_)
        for numbers in self._copies:
            ages[numbers[-1]] = ages[numbers[0]]
            counts[numbers[:-1]] = False
        order = np.flatnonzero(counts)
        order = order[np.argsort(ages[order], kind="stable")]
        return self._by_id(order, ~firsts(ages[order]))

    def _by_id(self, order: Numbers, as_old: NDArray[np.bool_]) -> Numbers:
        """The order of age, in which some are as old as the one before: these by their ids."""
        start = np.flatnonzero(as_old & ~np.append(False, as_old[:-1])) - 1
        end = np.flatnonzero(as_old & ~np.append(as_old[1:], False)) + 1
        for one, two in zip(start.tolist(), end.tolist(), strict=True):
            names = self._ids.texts(order[one:two])
            order[one:two] = order[one:two][sorted(range(two - one), key=names.__getitem__)]
        return order

    @cached_property
    def _copies(self) -> list[list[int]]:
        """The documents of each id that came more than once, in the order in which they came."""
        hashes = self._hashes.values
        order = np.argsort(hashes)
        same = ~firsts(hashes[order])
        numbers = np.sort(order[same | np.append(same[1:], False)])
        found: defaultdict[str, list[int]] = defaultdict(list)
        for number, id_ in zip(numbers.tolist(), self._ids.texts(numbers), strict=True):
            found[id_].append(number)
        return [numbers for numbers in found.values() if len(numbers) > 1]
