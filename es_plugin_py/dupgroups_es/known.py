"""Records that need not be read again as long as a search shows the version that is known already."""

from __future__ import annotations

from collections.abc import Iterable

from dupgroups.model import Record
from dupgroups_es.positions import Version

KNOWN = 5_000  # records that are kept, the latest


class KnownRecords:
    """The latest records by id, each with its version; those without a version are not kept."""

    def __init__(self) -> None:
        self._records: dict[str, Record] = {}  # in the order in which they came

    def get(self, id_: str, version: Version) -> Record | None:
        """The record, None unless it is known in this version."""
        record = self._records.get(id_)
        return record if record is not None and record.version == version else None

    def keep(self, records: Iterable[Record]) -> None:
        """Keep these, and forget the oldest beyond KNOWN."""
        for record in records:
            self._records.pop(record.id, None)
            if record.version is not None:
                self._records[record.id] = record
        for id_ in list(self._records)[:-KNOWN]:
            del self._records[id_]
