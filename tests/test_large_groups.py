"""Near copies of one text by the hundred, and what is read when another one comes."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

import pytest

from dupgroups import Config, Deduper, Page, open_engine
from dupgroups.engines import Engine
from dupgroups.flow import lookup_cache
from dupgroups.flow.view_builder import ViewBuilder
from dupgroups.grouping import Rule, View, plan
from dupgroups.grouping.key_index import candidates_in_batch
from dupgroups.model import Content, Document, Linkage, Record, Signature, Verdict
from dupgroups.offline import group_records
from stories import story
from watched import Watched

LARGE = 8
AVERAGE = Config(linkage="average", candidates=LARGE)


@pytest.fixture(autouse=True)
def _fewer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookup_cache, "LARGE", LARGE)


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


# -- what is read of a large group must be enough


def heads(engine: Engine) -> list[str]:
    return sorted(document.record.id for document in engine.scan() if document.record.is_head)


@pytest.mark.parametrize("linkage", ["average", "closure"])
@pytest.mark.parametrize("pinned", [False, True], ids=["elected", "pinned"])
def test_a_large_group_keeps_one_head(linkage: Linkage, pinned: bool) -> None:
    """That is none of its oldest members, which are the ones that are read."""
    *documents, last = near_copies(4 * LARGE)
    best = documents[3 * LARGE]
    fuller = replace(best, record=replace(best.record, length=10_000))
    documents[3 * LARGE] = best if pinned else fuller
    config = Config(linkage=linkage, candidates=LARGE, head="oldest" if pinned else "fullest")
    with closing(open_engine("memory://")) as engine:
        deduper = Deduper(engine, config)
        for document in documents:
            deduper.add_signed([document])
        if pinned:
            deduper.correct("head", best.record.id, by="ann")
        assert heads(engine) == [best.record.id]
        deduper.add_signed([last])
        assert heads(engine) == [best.record.id]
        again = documents[2 * LARGE]
        deduper.add_signed([replace(again, record=replace(again.record, fingerprint="another title"))])
        assert heads(engine) == [best.record.id]
        shorter = replace(best, record=replace(best.record, length=1, fingerprint="a shorter text"))
        deduper.add_signed([shorter])
        assert heads(engine) == ([best.record.id] if pinned else [fullest(engine)])


def fullest(engine: Engine) -> str:
    records = [document.record for document in engine.scan()]
    return min(records, key=lambda record: (-record.length, record.age)).id


def test_a_document_is_compared_with_as_many_members_as_it_may_meet() -> None:
    """With more candidates than members that show that a group is large."""

    def judge(a: Record, b: Record) -> Verdict:
        """The newcomer is tied to a quarter of the group, and all others to each other."""
        tied = "new" not in (a.id, b.id) or min(a.id, b.id) < f"{LARGE:04}"
        return Verdict("duplicate", 1.0, "") if tied else Verdict("different", 0.1, "")

    stored = [
        Record(f"{place:04}", "0000", "", Signature("s", ("k",), b"b"), place) for place in range(4 * LARGE)
    ]
    new = Record("new", "new", "", Signature("s", ("k",), b"n"), 1_000)
    rule = Rule(frozenset({"duplicate"}), 4 * LARGE, "average")
    with closing(open_engine("memory://")) as engine:
        engine.put([Document(record, Content("text")) for record in stored])
        view = ViewBuilder(engine, rule, {"s"}, judge).arriving([new], {}, engine.version())
        assert plan(view, judge, rule).outcomes["new"].group == "new"
    alone = [replace(record, group=record.id) for record in stored]
    everything = [*alone, new]
    candidates = dict(
        zip([one.id for one in everything], candidates_in_batch(everything, limit=4 * LARGE), strict=True)
    )
    batch = plan(View(records=everything, candidates=candidates), judge, rule)
    assert batch.outcomes["new"].group == "new"
