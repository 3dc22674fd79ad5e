"""Near copies of one text by the hundred, and what is read when another one comes."""

from __future__ import annotations

from contextlib import closing

import pytest

from dupgroups import Config, Deduper, Page, look, open_engine
from dupgroups.engines import Engine
from dupgroups.model import Document
from dupgroups.offline import group_records
from stories import story
from watched import Watched

LARGE = 8
AVERAGE = Config(linkage="average", candidates=LARGE)


@pytest.fixture(autouse=True)
def _fewer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(look, "LARGE", LARGE)


def near_copies(number: int) -> list[Document]:
    """Texts that differ in one part of six, signed."""
    with closing(Deduper("memory://")) as signer:
        return [
            signer.sign(Page(id=f"{place:04}", text=f"{story('template')}\n{story(f'price {place}', 30)}"))
            for place in range(number)
        ]


def groups(engine: Engine) -> dict[str, str]:
    return {document.record.id: document.record.group for document in engine.scan()}


@pytest.mark.parametrize("batch", [1, 5])
def test_near_copies_are_one_group_however_many_come(batch: int) -> None:
    documents = near_copies(3 * LARGE)
    with closing(open_engine("memory://")) as engine:
        deduper = Deduper(engine, AVERAGE)
        for start in range(0, len(documents), batch):
            deduper.add_signed(documents[start : start + batch])
        assert set(groups(engine).values()) == {"0000"}
        records = [document.record for document in engine.scan()]
        assert group_records(records, AVERAGE) == groups(engine)
        settled = deduper.settle([records])
        assert (settled.groups, settled.regrouped) == (0, 0)


def read_by_an_add(size: int) -> tuple[int, int]:
    """How many look-ups, and how many members of groups, one more near copy of so many takes."""
    *stored, last = near_copies(size + 1)
    with closing(open_engine("memory://")) as engine:
        store = Watched(engine)
        deduper = Deduper(store, AVERAGE)  # type: ignore[arg-type]
        deduper.add_signed(stored)
        read = []
        members = engine.members

        def counted(*args: object, **options: object) -> object:
            found = members(*args, **options)  # type: ignore[arg-type]
            read.extend(record for records in found.values() for record in records)
            return found

        store.calls.clear()
        store.faults["members"] = counted
        assert deduper.add_signed([last])[0].group == "0000"
        return sum(map(len, store.given("candidates"))), len(read)


def test_what_an_add_reads_does_not_grow_with_a_large_group() -> None:
    assert read_by_an_add(2 * LARGE) == read_by_an_add(6 * LARGE)


def test_what_an_add_reads_is_bounded_by_what_a_small_group_holds() -> None:
    looked_up, read = read_by_an_add(LARGE - 1)
    assert looked_up <= 3 * LARGE
    assert read <= 3 * LARGE


def test_a_settling_looks_at_a_group_once_however_many_batches_name_it() -> None:
    documents = near_copies(24)
    with closing(open_engine("memory://")) as engine:
        store = Watched(engine)
        deduper = Deduper(store, AVERAGE)  # type: ignore[arg-type]
        deduper.add_signed(documents)
        records = [document.record for document in engine.scan()]
        store.calls.clear()
        settled = deduper.settle([records[start : start + 8] for start in range(0, 24, 8)])
        assert settled.documents == 24
        assert sum(map(len, store.given("candidates"))) == 24
