"""Which records need not be read again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dupgroups.model import Record, Signature
from dupgroups_es import known
from dupgroups_es.known import KnownRecords


def record(id_: str, version: tuple[int, int] | None = (1, 1)) -> Record:
    return Record(id_, id_, "", Signature("s", ("k",)), version=version)


def test_a_record_is_known_in_its_latest_version_only() -> None:
    records = KnownRecords()
    records.keep([record("a")])
    assert records.get("a", (1, 1)) == record("a")
    assert records.get("a", (2, 1)) is records.get("a", (1, 2)) is records.get("b", (1, 1)) is None
    records.keep([replace(record("a"), version=None)])
    assert records.get("a", (1, 1)) is None


def test_the_oldest_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known, "KNOWN", 2)
    records = KnownRecords()
    records.keep([record("a"), record("b")])
    records.keep([record("a"), record("c")])
    assert [id_ for id_ in "abc" if records.get(id_, (1, 1))] == ["a", "c"]
