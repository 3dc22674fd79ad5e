"""Look-ups over many indices: by the archive they find what a search of all of them finds."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from dupgroups import Deduper
from dupgroups_es import archived_keys
from dupgroups_es.base import ClusterEngine
from dupgroups_es.document_source import hit_record
from engines.stores import roll_over
from es_plugin.clusters import ONE, ONE_OF_EACH, ask, everything, index_of, seeds, servers
from flow.scenes import page, pages, signed, wrong

Opened = Callable[[str], ClusterEngine]
PARTS = ["abc", "fgh", "mno", "rst"]


def filled(engine_url: str, opened: Opened, *, indices: int = 5) -> tuple[ClusterEngine, Deduper]:
    """One document in each of so many indices, those of PARTS first; its writer has archived their keys."""
    engine = opened(engine_url)
    deduper = Deduper(engine)
    for number in range(indices):
        deduper.add_all([page(f"d{number}", [*PARTS, "xyz"][number])])
        if number < indices - 1:
            roll_over(engine_url)
    engine.refresh()
    engine.refresh()  # the first one has seen the last index
    assert len(archived(engine)) == indices - 1
    return engine, deduper


def archived(engine: ClusterEngine) -> set[str]:
    """The indices that look-ups of this engine do not ask."""
    several = engine.cluster.find_set(engine.index)
    assert several
    return {*several.archived}


def found(engine: ClusterEngine, parts: str) -> list[str]:
    """The ids of the documents that share keys with a text."""
    (records,) = engine.candidates([signed("asked", parts).record.signature], limit=3)
    return sorted(record.id for record in records)


@servers(ONE_OF_EACH)
def test_a_look_up_asks_the_newest_index_and_the_archive_and_finds_what_is_in_all(
    engine_url: str, opened: Opened
) -> None:
    engine, _ = filled(engine_url, opened)
    several, index = engine.cluster.sets[engine.index], index_of(engine_url)
    assert several.lookup_path == f"{index}-000005,dup-groups-{index}-keys"
    shown = [found(engine, parts) for parts in [*PARTS, "xyz", "qvw"]]
    assert shown == [["d0"], ["d1"], ["d2"], ["d3"], ["d4"], []]
    reader = opened(engine_url)
    assert [found(reader, parts) for parts in [*PARTS, "xyz", "qvw"]] == shown
    assert archived(reader) == archived(engine)


@servers(ONE)
def test_of_a_few_indices_no_keys_are_kept_twice(engine_url: str, opened: Opened) -> None:
    engine = opened(engine_url)
    for number in range(archived_keys.MIN_INDICES - 1):
        Deduper(engine).add_all([page(f"d{number}", PARTS[number])])
        if number < 2:
            roll_over(engine_url)
    engine.refresh()
    assert not engine.cluster.names(f"dup-groups-{index_of(engine_url)}-keys")


@servers(ONE)
def test_what_was_deleted_from_an_old_index_hides_no_copy_that_is_left(
    engine_url: str, opened: Opened
) -> None:
    """More were deleted than a look-up shows, and they come first."""
    engine, deduper = filled(engine_url, opened)
    deduper.add_all(pages(["a1", "a2", "a3", "a4", "z"], "jkl"))
    roll_over(engine_url)
    deduper.add_all([page("other", "pqr")])
    engine.refresh()
    opened(engine_url).delete(["a1", "a2", "a3", "a4"])
    ask(engine_url, "POST", f"/{index_of(engine_url)}/_refresh")
    assert found(engine, "jkl") == ["z"]
    keys = everything(engine_url, f"dup-groups-{index_of(engine_url)}-keys").values()
    assert {"a1", "z"} & {hit["_source"].get("dup_id") for hit in keys} == {"z"}


@servers(ONE)
def test_indices_may_be_closed_opened_and_deleted_and_so_may_the_archive(
    engine_url: str, opened: Opened
) -> None:
    engine, _ = filled(engine_url, opened)
    index = index_of(engine_url)
    ask(engine_url, "POST", f"/{index}-000001/_close")
    assert (found(engine, "abc"), found(engine, "fgh")) == ([], ["d1"])
    engine.cluster.open_set(engine.index)
    engine.refresh()
    assert archived(engine) == {f"{index}-00000{number}" for number in (2, 3, 4)}
    assert found(engine, "abc") == []
    assert archived(engine)  # its keys are not met any more
    ask(engine_url, "POST", f"/{index}-000001/_open")
    engine.cluster.open_set(engine.index)
    assert (found(engine, "abc"), found(engine, "fgh")) == (["d0"], ["d1"])
    ask(engine_url, "DELETE", f"/{index}-000002")
    assert (found(engine, "fgh"), found(engine, "mno")) == ([], ["d2"])
    engine.refresh()
    assert len(everything(engine_url, f"dup-groups-{index}-keys")) == 6  # with three marks
    ask(engine_url, "DELETE", f"/dup-groups-{index}-keys")
    assert (found(engine, "abc"), found(engine, "mno")) == (["d0"], ["d2"])
    engine.refresh()
    assert (found(engine, "abc"), found(engine, "mno")) == (["d0"], ["d2"])


@servers(ONE)
def test_where_no_keys_can_be_kept_all_indices_are_asked(
    engine_url: str, opened: Opened, caplog: pytest.LogCaptureFixture
) -> None:
    """A warning says so once, and nothing fails."""
    body = {"mappings": {"dynamic": "strict", "properties": {}}, "settings": {"index.hidden": True}}
    ask(engine_url, "PUT", f"/dup-groups-{index_of(engine_url)}-keys", body)
    engine = opened(engine_url)
    for number, parts in enumerate(PARTS):
        Deduper(engine).add_all([page(f"d{number}", parts)])
        roll_over(engine_url)
    Deduper(engine).add_all([page("last", "xyz")])
    for _ in range(2):
        engine.refresh()
        assert [found(engine, parts) for parts in PARTS] == [["d0"], ["d1"], ["d2"], ["d3"]]
    warned = [record.message for record in caplog.records if "Look-ups ask all indices" in record.message]
    assert 1 <= len(warned) <= 2  # once for each index that came
    assert not archived(engine)


@servers(ONE)
@seeds(0, later=4)
def test_by_the_archive_a_look_up_shows_what_all_indices_would(
    engine_url: str, opened: Opened, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever two writers add, change and delete, with rollovers before any of it."""
    chance = random.Random(seed)
    monkeypatch.setattr(archived_keys, "TURN_DOCUMENTS", 10)
    engines = [opened(engine_url), opened(engine_url)]
    writers = [Deduper(engine) for engine in engines]
    texts = ["abc", "abd", "abcde", "fgh", "fgi", "xyz"]
    uses = 0
    for _ in range(20):
        writer = chance.choice(writers)
        some = [page(f"d{chance.randrange(15)}", chance.choice(texts)) for _ in range(3)]
        if chance.random() < 0.5 and engines[0].indices():
            roll_over(engine_url)
        if chance.random() < 0.3:
            writer.delete([str(one.id) for one in some[:2]])
        else:
            writer.add_all(some)
        if chance.random() < 0.5:
            writer.regroup()
            engine: Any = writer.engine
            by_archive = [found(engine, text) for text in texts]
            several = engine.cluster.find_set(engine.index)
            uses += bool(several and several.archived)
            engine.refresh()
            assert by_archive == [stored_holders(engine_url, text) for text in texts]
    assert uses
    for writer in writers:
        writer.regroup()
    assert not wrong(engines[0])


def stored_holders(engine_url: str, parts: str) -> list[str]:
    """The documents of all indices that share enough keys with a text, at most three, the nearest first."""
    signature = signed("asked", parts).record.signature
    records = [hit_record(hit) for hit in everything(engine_url).values()]
    shared = {one.id: len({*one.signature.keys} & {*signature.keys}) for one in records}
    enough = [id_ for id_, count in shared.items() if count >= signature.shared_keys]
    return sorted(sorted(enough, key=lambda id_: (-shared[id_], id_))[:3])
