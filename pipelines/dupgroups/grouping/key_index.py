"""From (scheme, key) to the records that hold it, kept up to date record by record.

The writes that an index does not show yet, a batch and the evaluation look up candidates
here. A corpus that is grouped at once sorts all its keys instead (`bulk.offline`): that needs
no dictionary, and a slice of documents at a time.

A template on ten thousand pages gives its keys ten thousand holders. Of such a key only the first holders are
met, `crowd` of them: they stand for all, and what a look-up costs does not grow with the group.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from types import MappingProxyType

from dupgroups.grouping.constraints import exclude_listed
from dupgroups.model import Record, Signature

CROWD_FACTOR = 4  # holders of a key that are met, for each candidate that is asked for


def crowd(limit: int) -> int:
    """How many holders of one key, the first ones, are met by a look-up of `limit` candidates."""
    return CROWD_FACTOR * limit


class KeyIndex:
    """Records by id and by the keys of their signatures; one record an id.

    >>> index = KeyIndex()
    >>> index.put(Record("a", "a", "", Signature("s", ("1", "2"))))
    >>> index.put(Record("b", "b", "", Signature("s", ("2", "3"))))
    >>> [record.id for record in index.candidates(Signature("s", ("2", "3")), limit=9)]
    ['b', 'a']
    """

    def __init__(self, records: Iterable[Record] = ()) -> None:
        self._records: dict[str, Record] = {}
        self._holders: defaultdict[tuple[str, str], dict[str, None]] = defaultdict(dict)  # in order
        for record in records:
            self.put(record)

    def __len__(self) -> int:
        return len(self._records)

    def __contains__(self, id_: str) -> bool:
        return id_ in self._records

    def get(self, id_: str) -> Record | None:
        """The record of this id; None when it is not held."""
        return self._records.get(id_)

    def put(self, record: Record) -> None:
        """Hold a record, in place of the former one of its id."""
        former = self._records.get(record.id)
        self._records[record.id] = record
        if former is not None:
            if former.signature == record.signature:
                return
            self._forget_keys(former)
        for key in record.signature.keys:
            self._holders[record.signature.scheme, key].setdefault(record.id)

    def delete(self, id_: str) -> None:
        """Let go of a record; an unknown id is passed over."""
        former = self._records.pop(id_, None)
        if former is not None:
            self._forget_keys(former)

    def candidates(self, signature: Signature, *, limit: int) -> list[Record]:
        """At most `limit` records of the same scheme that share enough keys (`Signature.shared_keys`): most
        shared keys first, then by id.

        [] for an empty signature. Of a key that more than `crowd(limit)` hold, the first holders are met.
        """
        scheme, holders = signature.scheme, self._holders
        met = [held for key in set(signature.keys) if (held := holders.get((scheme, key)))]
        least = signature.shared_keys
        if len(met) < least:  # as for most documents
            return []
        shared = Counter(chain.from_iterable(islice(held, crowd(limit)) for held in met))
        enough = (id_ for id_, count in shared.items() if count >= least)
        nearest = sorted(enough, key=lambda id_: (-shared[id_], id_))
        return [self._records[id_] for id_ in nearest[:limit]]

    def _forget_keys(self, record: Record) -> None:
        for key in record.signature.keys:
            holders = self._holders[record.signature.scheme, key]
            holders.pop(record.id, None)
            if not holders:
                del self._holders[record.signature.scheme, key]


def candidates_in_batch(
    records: Sequence[Record], *, limit: int, unframed: Mapping[str, Signature] = MappingProxyType({})
) -> Iterator[list[Record]]:
    """For each record the earlier ones of the batch that share a key, most shared keys first, then by id;
    before them half as many that share keys with its signature without frames, if `unframed` has one by id.

    The records have different ids.
    """
    looked_up = [[record.signature, *filter(None, [unframed.get(record.id)])] for record in records]
    keys = [{key for signature in some for key in signature.keys} for some in looked_up]
    counts = Counter(chain.from_iterable(keys))
    shared = {key for key, count in counts.items() if count > 1}
    index = KeyIndex()
    for record, some, (whole, *own) in zip(records, keys, looked_up, strict=True):
        if shared.isdisjoint(some):
            yield []
        else:
            first = [other for one in own for other in index.candidates(one, limit=limit // 2)]
            yield [*first, *exclude_listed(index.candidates(whole, limit=limit), first)]
            index.put(record)
