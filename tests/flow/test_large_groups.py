"""Near copies of one text by the hundred, and what is read when another one comes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from dupgroups import Config, Deduper, Page, open_engine
from dupgroups.flow import lookup_cache
from dupgroups.flow.method_set import MethodSet
from dupgroups.flow.signing import sign_all
from dupgroups.model import Document, Linkage, Record
from flow.scenes import deduper
from stories import story
from watched import Watched

LARGE = 8
AVERAGE = Config(linkage="average", candidates=LARGE)


@pytest.fixture(autouse=True)
def _fewer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookup_cache, "LARGE_GROUP_MEMBERS", LARGE)


def near_copies(number: int) -> list[Document]:
    """Texts that differ in one part of six, signed."""
    texts = [f"{story('template')}\n{story(f'price {place}', 30)}" for place in range(number)]
    return sign_all([Page(id=f"{place:04}", text=text) for place, text in enumerate(texts)], MethodSet())


def read_by_an_add(size: int) -> tuple[int, int]:
    """How many look-ups, and how many members of groups, one more near copy of so many takes."""
    *stored, last = near_copies(size + 1)
    engine, read = open_engine("memory://"), list[Record]()

    def counted(*args: Any, **options: Any) -> dict[str, list[Record]]:
        found = engine.members(*args, **options)
        read.extend(record for records in found.values() for record in records)
        return found

    store = Watched(engine, members=counted)
    flow = deduper(store, AVERAGE)
    flow.add_signed(stored)
    store.calls.clear()
    read.clear()
    assert flow.add_signed([last])[0].group == "0000"
    return sum(map(len, store.given("candidates"))), len(read)


def test_what_an_add_reads_does_not_grow_with_a_large_group() -> None:
    assert read_by_an_add(2 * LARGE) == read_by_an_add(6 * LARGE)
    assert max(read_by_an_add(LARGE - 1)) <= 3 * LARGE


# -- what is read of a large group must be enough


def standing(flow: Deduper) -> list[str]:
    return [document.record.id for document in flow.engine.scan() if document.record.is_head]


@pytest.mark.parametrize(("linkage", "pinned"), [("average", False), ("closure", True)])
def test_a_large_group_keeps_one_head(linkage: Linkage, pinned: bool) -> None:
    """That is none of its oldest members, which are the ones that are read."""
    *documents, last = near_copies(4 * LARGE)
    best = documents[3 * LARGE]
    fuller = replace(best, record=replace(best.record, length=10_000))
    documents[3 * LARGE] = best if pinned else fuller
    config = Config(linkage=linkage, candidates=LARGE, head="oldest" if pinned else "fullest")
    flow = deduper("memory://", config)
    for document in documents:
        flow.add_signed([document])
    if pinned:
        flow.correct("head", best.record.id, by="ann")
    assert standing(flow) == [best.record.id]
    again = documents[2 * LARGE]
    for more in (last, replace(again, record=replace(again.record, fingerprint="another title"))):
        flow.add_signed([more])
        assert standing(flow) == [best.record.id]
    flow.add_signed([replace(best, record=replace(best.record, length=1, fingerprint="a shorter text"))])
    records = [document.record for document in flow.engine.scan()]
    fullest = min(records, key=lambda record: (-record.length, record.age)).id
    assert standing(flow) == [best.record.id if pinned else fullest]
