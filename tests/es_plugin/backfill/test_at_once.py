"""Backfill of a whole index at once: resumed, undone, and beside other writers."""

from contextlib import closing
from pathlib import Path

import pytest

from commands import cli, error
from dupgroups import Deduper, open_engine
from dupgroups.bulk.audit import audit
from dupgroups.errors import EngineError
from dupgroups.flow.frame_log import show_frames
from dupgroups.flow.method_set import MethodSet
from dupgroups.model.config import Config
from dupgroups.model.field_names import Fields
from dupgroups_es.backfill import bulk_loader, runs
from dupgroups_es.backfill.run_directory import folders
from dupgroups_es.backfill.runs import Undone, undo
from es_plugin import clusters
from es_plugin.backfill.external import (
    FIELDS,
    MAPPING,
    OTHER,
    backfill,
    by_group,
    by_story,
    fill,
    put,
    sources,
    theirs,
    update,
)
from es_plugin.clusters import ALL, ONE, ONE_OF_EACH, address, ask, everything, index_of, mapping_of, servers
from es_plugin.proxy import item_refused, only, proxy, through
from flow.scenes import wrong
from stories import reprints, story

Patch = pytest.MonkeyPatch
ANOTHER = reprints(stories=9)["s8/0"].text


def undo_last(engine_url: str, above: Path) -> Undone:
    with closing(open_engine(engine_url)) as engine:
        return undo(engine.adopt(), Config(), above)  # type: ignore[attr-defined]


def misplaced(engine_url: str) -> list[str]:
    """What an audit finds wrong."""
    with closing(open_engine(engine_url)) as engine:
        return [check.detail for check in audit(engine) if not check.ok]


@servers(ALL)
def test_an_index_is_grouped_at_once_and_as_before_when_undone(engine_url: str, tmp_path: Path) -> None:
    fill(engine_url, range(6))
    before = everything(engine_url)
    assert backfill(engine_url, tmp_path).states == {"new": 8, "joined": 40}
    once = everything(engine_url)
    assert (theirs(once), by_group(once)) == (theirs(before), by_story(before))
    heads = [source for source in sources(once).values() if source["dup_head"]]
    assert [head["published"] for head in heads] == ["2026-01-01"] * 8, "the oldest"
    meta = {"owner": "somebody else", "dup_groups": {"fields": FIELDS.to_json()}}
    assert mapping_of(engine_url)["_meta"] == meta
    assert misplaced(engine_url) == []
    again = backfill(engine_url, tmp_path)
    assert (again.changed, again.states, everything(engine_url)) == (False, {"unchanged": 48}, once)
    with closing(open_engine(engine_url)) as engine:
        assert [check for check in engine.check() if not check.ok] == []
        assert Deduper(engine).regroup().documents == 0
    assert undo_last(engine_url, tmp_path) == Undone(48, 0)
    grouped = ask(engine_url, "GET", f"/{index_of(engine_url)}/_count?q=_exists_:dup_group")
    assert grouped["count"] == 0, "searches see it at once"
    assert sources(everything(engine_url)) == sources(before)
    assert mapping_of(engine_url)["_meta"] == {"owner": "somebody else"}


@servers(ONE_OF_EACH)
def test_frames_are_kept_with_the_index_and_named_by_documents_that_have_them(
    engine_url: str, tmp_path: Path
) -> None:
    notice = story("notice", 300)
    framed = {
        n: {"body": f"{story(n, 12)}\n{notice}\n{story(f'{n} ends', 28)}", "link": f"https://a.example/{n}"}
        for n in "abc"
    }
    clusters.fill(engine_url, framed, MAPPING)
    backfill(engine_url, tmp_path, Fields(text="body", url="link", title=None, language=None))
    assert len(by_group(everything(engine_url))) == 3
    with closing(open_engine(engine_url)) as engine:
        (shown,) = show_frames(engine, 9)
    assert {*shown.ids} == {*"abc"}
    assert shown.text in notice
    assert misplaced(engine_url) == []
    assert f"number {shown.number} is undone" in cli("undo", shown.number, "--engine", engine_url).output
    assert len(by_group(everything(engine_url))) == 1


@servers(ONE_OF_EACH)
def test_what_others_write_meanwhile_joins(engine_url: str, tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr(runs, "PART_DOCUMENTS", 10)
    fill(engine_url, range(4))
    oldest = [id_ for id_, source in sources(everything(engine_url)).items() if "copy0" in source["tags"]]
    replaced, deleted = sorted(oldest)[:2]  # which name their groups
    written: list[str] = []

    def write(step: str, done: int, total: int) -> None:
        if written or step != "writing" or not done:
            return
        written.append(step)
        fill(engine_url, range(4, 6), mapping=None)
        put(engine_url, replaced, {"body": ANOTHER, "tags": ["story8"]})
        ask(engine_url, "DELETE", f"/{index_of(engine_url)}/_doc/{deleted}?refresh=true")

    assert backfill(engine_url, tmp_path, progress=write).failures == {}
    after = everything(engine_url)
    assert len(after) == 47
    assert by_group(after) == by_story(after)
    assert misplaced(engine_url) == []
    assert undo_last(engine_url, tmp_path) == Undone(47, 0)
    assert theirs(after) == sources(everything(engine_url))


@servers(ONE_OF_EACH)
def test_groups_that_meet_are_renamed(engine_url: str, tmp_path: Path) -> None:
    fill(engine_url, range(3))
    backfill(engine_url, tmp_path, config=Config(group_by=("clicks", "tags")))  # every document alone
    before = everything(engine_url)
    loser = next(id_ for id_, hit in before.items() if "copy2" in hit["_source"]["tags"])
    redirects = f"/dup-groups-{index_of(engine_url)}-redirects"  # as if another group had been merged into it
    ask(engine_url, "PUT", f"{redirects}/_doc/merged-before?refresh=true", {"to": loser})
    assert backfill(engine_url, tmp_path).states == {"updated": 24}
    after = everything(engine_url)
    assert by_group(after) == by_story(after)
    groups = {id_: hit["_source"]["dup_group"] for id_, hit in after.items()}
    gone = sorted(set(groups) - set(groups.values()))
    assert len(gone) == 16
    with closing(open_engine(engine_url)) as engine:
        assert engine.resolve(gone) == {name: groups[name] for name in gone}
        assert engine.resolve(["merged-before"]) == {"merged-before": groups[loser]}
        assert wrong(engine) == []


WITH_VECTORS = ["elasticsearch-8.19", "elasticsearch-9"]  # of which the second sends them only if asked


@servers(WITH_VECTORS)
def test_vectors_and_routings_are_there_after_a_run_and_its_undo(engine_url: str, tmp_path: Path) -> None:
    index = index_of(engine_url)
    vector = {"type": "dense_vector", "dims": 3, "index": False}
    fields = {"body": {"type": "text"}, "v": {"properties": {"vector": vector}}}
    settings = {"number_of_shards": 3}
    ask(engine_url, "PUT", f"/{index}", {"settings": settings, "mappings": {"properties": fields}})
    pages = reprints(stories=3, copies=3)
    for number, (id_, page) in enumerate(pages.items()):
        source = {"body": page.text, "v": {"vector": [number, 2, 3]}}
        put(engine_url, id_.replace("/", "-"), source, f"&routing=r{number}")

    def stored() -> dict[str, tuple[str, list[int]]]:
        body = {"size": 100, "_source": {"exclude_vectors": False}}
        hits = ask(engine_url, "POST", f"/{index}/_search", body)["hits"]["hits"]
        return {hit["_id"]: (hit["_routing"], hit["_source"]["v"]["vector"]) for hit in hits}

    before = stored()
    backfill(engine_url, tmp_path, fields=Fields("body"))
    assert by_group(everything(engine_url)) == {
        frozenset(f"s{story}-{copy}" for copy in range(3)) for story in range(3)
    }
    assert stored() == before
    assert undo_last(engine_url, tmp_path) == Undone(9, 0)
    assert not any("dup_group" in source for source in sources(everything(engine_url)).values())
    assert stored() == before


@servers(ONE)
def test_what_the_server_refused_to_take_back_the_next_undo_takes(engine_url: str, tmp_path: Path) -> None:
    fill(engine_url, range(2))
    backfill(engine_url, tmp_path)
    refused = min(everything(engine_url))
    with proxy(address(engine_url)) as between:
        between.always = only("/_bulk", item_refused(refused))
        with pytest.raises(EngineError, match=rf"{refused} \(.*\): undo once more to go on"):
            undo_last(through(between, engine_url, "retries=0"), tmp_path)
    assert undo_last(engine_url, tmp_path).left == 0
    assert not any("dup_group" in source for source in sources(everything(engine_url)).values())


@servers(ONE)
def test_a_run_with_other_methods_begins_anew(engine_url: str, tmp_path: Path) -> None:
    class Interrupted(Exception):
        pass

    def stop(step: str, done: int, total: int) -> None:
        if step == "regrouping":
            raise Interrupted

    fill(engine_url, range(2))
    with pytest.raises(Interrupted):
        backfill(engine_url, tmp_path, progress=stop)
    assert len(folders(tmp_path)) == 1
    with closing(open_engine(engine_url)) as engine:  # only the extractor differs
        begun = bulk_loader.bulk_backfill(engine, FIELDS, Config(preset="standke"), above=tmp_path)
        assert begun
        assert begun.unfinished == ""
    # the method of one language is that of before
    assert backfill(engine_url, tmp_path, config=OTHER).states == {"updated": 8, "unchanged": 8}
    assert folders(tmp_path) == []
    with closing(open_engine(engine_url)) as engine:
        assert engine.count_outdated(MethodSet(OTHER).schemes) == 0


@servers(ONE)
def test_the_command_groups_and_undoes(engine_url: str, tmp_path: Path) -> None:
    words = ("backfill", "--engine", engine_url, "--work", tmp_path)
    fill(engine_url, range(3))
    fields = ["--fields", "text=body,title=headline,url=link,date=published"]
    assert "24 documents: 16 joined, 8 new" in cli(*words, *fields, "--rate", "1000").stdout
    assert list(tmp_path.iterdir()) == [], "the work folder goes at the end"
    assert "nothing to do" in cli(*words).stdout
    update(engine_url, next(iter(everything(engine_url))), clicks=77)
    assert "24 documents as before" in cli(*words, "--undo", "--yes").stdout
    index = index_of(engine_url)
    assert list(ask(engine_url, "GET", f"/*{index}*?expand_wildcards=all")) == [index]
    assert "is not adopted" in error(*words, "--undo")
    assert not any("dup_group" in source for source in sources(everything(engine_url)).values())
