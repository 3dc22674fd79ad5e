"""Backfill of a whole index at once: resumed, verified, undone, and beside other writers."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from bulk.backfill.foreign import (
    FIELDS,
    MAPPING,
    OTHER,
    by_group,
    by_story,
    check_whole,
    everything,
    fill,
    index_of,
    mapping_of,
    put,
    sources,
    theirs,
    update,
)
from dupgroups import Deduper, open_engine
from dupgroups.bulk.backfill import Backfill, Report, bulk_loader, runs
from dupgroups.bulk.backfill.run_directory import RunDirectory, folders
from dupgroups.bulk.backfill.runs import Progress
from dupgroups.bulk.backfill.undo import Undone, undo
from dupgroups.bulk.backfill.verification import verify
from dupgroups.cli import app
from dupgroups.engines.foreign import Fields
from dupgroups.engines.url import EngineURL
from dupgroups.errors import InputError
from dupgroups.model.config import Config
from es_plugin.clusters import ALL, ONE, ONE_OF_EACH, address, ask, servers
from es_plugin.proxy import busy, lost, proxy
from flow.scenes import wrong
from stories import reprints

Patch = pytest.MonkeyPatch
ANOTHER = reprints(stories=9)["s8/0"].text


def backfill(
    engine_url: str,
    above: Path,
    fields: Fields | None = FIELDS,
    config: Config | None = None,
    progress: Progress = lambda step, done, total: None,
) -> Report:
    with closing(open_engine(engine_url)) as engine:
        run = bulk_loader.bulk_backfill(engine, fields, config, above=above, limits=runs.Limits(10))
        assert run
        return run.run(progress)


def undo_last(engine_url: str, above: Path) -> Undone:
    with closing(open_engine(engine_url)) as engine:
        return undo(folders(above)[-1], engine.adopt(), Config())  # type: ignore[attr-defined]


def misplaced(engine_url: str) -> list[str]:
    """What a verification finds wrong."""
    with closing(open_engine(engine_url)) as engine:
        return [check.detail for check in verify(engine.adopt()) if not check.ok]  # type: ignore[attr-defined]


@servers(ALL)
def test_an_index_is_grouped_at_once_and_as_before_when_that_is_undone(
    engine_url: str, tmp_path: Path
) -> None:
    fill(engine_url, range(6))
    before = everything(engine_url)
    assert backfill(engine_url, tmp_path).states == {"new": 8, "joined": 40}
    check_whole(engine_url, before)
    assert misplaced(engine_url) == []
    with closing(open_engine(engine_url)) as engine:
        assert Deduper(engine).settle().documents == 0
    assert undo_last(engine_url, tmp_path) == Undone(48, ())
    assert sources(everything(engine_url)) == sources(before)
    assert mapping_of(engine_url)["_meta"] == {"owner": "somebody else"}


@servers(ONE_OF_EACH)
def test_what_others_write_meanwhile_joins(engine_url: str, tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr(runs, "PART", 10)
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
    undone = undo_last(engine_url, tmp_path)
    assert undone.restored == 47
    assert undone.changed in ((), (deleted,))  # it was deleted before it was written, or after
    assert theirs(after) == sources(everything(engine_url))


@servers(ONE_OF_EACH)
def test_what_was_changed_since_is_left_alone(engine_url: str, tmp_path: Path) -> None:
    fill(engine_url, range(6))
    backfill(engine_url, tmp_path)
    changed = sorted(everything(engine_url))[:2]
    for id_ in changed:
        update(engine_url, id_, clicks=77)
    undone = undo_last(engine_url, tmp_path)
    assert (undone.restored, sorted(undone.changed)) == (46, changed)
    after = sources(everything(engine_url))
    assert sorted(id_ for id_, source in after.items() if "dup_group" in source) == changed
    with closing(open_engine(engine_url)) as engine:
        assert wrong(engine) == []
    with pytest.raises(InputError, match="is undone already"):
        undo_last(engine_url, tmp_path)


@servers(ONE_OF_EACH)
def test_groups_that_meet_are_renamed_and_named_again_when_undone(engine_url: str, tmp_path: Path) -> None:
    fill(engine_url, range(3))
    with closing(open_engine(engine_url)) as engine:
        Backfill(engine, FIELDS, Config(group_by=("clicks", "tags"))).run()  # every document alone
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
    assert undo_last(engine_url, tmp_path) == Undone(24, ())
    assert sources(everything(engine_url)) == sources(before)
    with closing(open_engine(engine_url)) as engine:
        assert engine.resolve(gone) == {name: name for name in gone}
        assert engine.resolve(["merged-before"]) == {"merged-before": loser}


def operations(engine_url: str) -> int:
    """How many writes the shards of an index have counted."""
    index = index_of(engine_url)
    shards = ask(engine_url, "GET", f"/{index}/_stats?level=shards")["indices"][index]["shards"]
    return sum(copy["seq_no"]["max_seq_no"] + 1 for copies in shards.values() for copy in copies)


@servers(ONE)
def test_a_busy_server_gets_time_and_a_lost_answer_writes_nothing_twice(
    engine_url: str, tmp_path: Path
) -> None:
    fill(engine_url, range(6))
    url = EngineURL.parse(engine_url, {})
    with proxy(address(engine_url)) as between:

        def trouble(step: str, done: int, total: int) -> None:
            if (step, done) == ("writing", 0):
                between.trouble(busy(429, ""), lost)

        backfill(f"{url.kind}://127.0.0.1:{between.port}/{url.path}", tmp_path, progress=trouble)
        assert not between.faults
    assert operations(engine_url) == 2 * 48
    assert misplaced(engine_url) == []


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
    assert undo_last(engine_url, tmp_path) == Undone(9, ())
    assert not any("dup_group" in source for source in sources(everything(engine_url)).values())
    assert stored() == before


@servers(ONE)
def test_an_undo_that_died_at_its_end_goes_on_with_the_fields_that_are_kept(
    engine_url: str, tmp_path: Path, monkeypatch: Patch
) -> None:
    fill(engine_url, range(1))
    backfill(engine_url, tmp_path)
    at = RunDirectory.at

    def dying(self: RunDirectory, step: Any, **changes: Any) -> Any:
        if step == "undone":
            raise KeyboardInterrupt
        return at(self, step, **changes)

    with monkeypatch.context() as patched:
        patched.setattr(RunDirectory, "at", dying)
        with pytest.raises(KeyboardInterrupt):
            undo_last(engine_url, tmp_path)
    assert undo_last(engine_url, tmp_path) == Undone(8, ())
    assert "dup_groups" not in mapping_of(engine_url).get("_meta", {})


@servers(ONE)
def test_corrections_count(engine_url: str, tmp_path: Path) -> None:
    fill(engine_url, range(3))
    backfill(engine_url, tmp_path)
    groups = by_group(everything(engine_url))
    first, second, third = (sorted(members) for members in sorted(groups, key=sorted)[:3])
    with closing(open_engine(engine_url)) as engine:
        deduper = Deduper(engine)
        deduper.correct("keep-apart", first[0], first[1], by="test")
        deduper.correct("keep-together", second[0], third[0], by="test")
        deduper.correct("head", second[2], by="test")
    before = everything(engine_url)
    assert backfill(engine_url, tmp_path).states == {"unchanged": 24}
    assert everything(engine_url) == before
    assert misplaced(engine_url) == []


@servers(ONE)
def test_a_run_with_other_methods_waits_for_the_end_of_the_first(engine_url: str, tmp_path: Path) -> None:
    class Interrupted(Exception):
        pass

    def stop(step: str, done: int, total: int) -> None:
        if step == "settling":
            raise Interrupted

    fill(engine_url, range(2))
    with pytest.raises(Interrupted):
        backfill(engine_url, tmp_path, progress=stop)
    (name,) = [folder.run.name for folder in folders(tmp_path)]
    with pytest.raises(InputError, match=f"take it back with --undo {name}"):
        backfill(engine_url, tmp_path, config=OTHER)
    assert undo_last(engine_url, tmp_path).restored == 16
    assert backfill(engine_url, tmp_path, config=OTHER).states["new"] == 8


@servers(ONE)
def test_an_empty_index_has_nothing_to_group(engine_url: str, tmp_path: Path) -> None:
    ask(engine_url, "PUT", f"/{index_of(engine_url)}", {"mappings": MAPPING})
    assert backfill(engine_url, tmp_path).states == {}
    assert misplaced(engine_url) == []
    assert undo_last(engine_url, tmp_path) == Undone(0, ())


@servers(ONE)
def test_verify_tells_what_others_write_meanwhile_from_what_is_wrong(engine_url: str, tmp_path: Path) -> None:
    fill(engine_url, range(3))
    with closing(open_engine(engine_url)) as engine:
        run = bulk_loader.bulk_backfill(engine, FIELDS, above=tmp_path)
        assert run
        run.run()
        put(engine_url, "new", {"body": "A document that nobody has grouped yet."})
        assert misplaced(engine_url)[-1].startswith("1 of 25 documents are not signed as configured")
        namesake = next(id_ for id_, hit in everything(engine_url).items() if hit["_source"].get("dup_head"))
        put(engine_url, namesake, {"body": ANOTHER})  # it named a group of three
        assert all(check.ok for check in run.verify())
        hits = everything(engine_url)
        copy = next(id_ for id_, hit in hits.items() if hit["_source"].get("dup_head") is False)
        update(engine_url, copy, dup_group=copy)
        checks = verify(engine.adopt(), settle=lambda: None)  # type: ignore[attr-defined]
        assert {check.name for check in checks if not check.ok} == {"one head each", "partition"}
        assert any(f"than grouping all of them at once gives ({copy})" in check.detail for check in checks)
        assert all(check.ok for check in run.verify()), "grouping what others wrote mends it"


@servers(ONE)
def test_the_command_goes_on_verifies_and_undoes(engine_url: str, tmp_path: Path, monkeypatch: Patch) -> None:
    def run(*options: str) -> Result:
        arguments = ["backfill", "--engine", engine_url, "--work", str(tmp_path), *options]
        return CliRunner().invoke(app, arguments)

    fill(engine_url, range(3))
    fields = ["--fields", "text=body,title=headline,url=link,date=published"]
    first = run(*fields, "--verify", "--rate", "1000")
    assert first.exit_code == 0, first.output
    name = folders(tmp_path)[0].run.name
    assert "24 documents: 16 joined, 8 new" in first.stdout
    assert f"dup-groups backfill --undo {name}" in first.stdout
    assert "every document is in the group that grouping all of them at once gives it" in first.stdout
    assert "nothing to do" in run().stdout
    changed = next(iter(everything(engine_url)))
    update(engine_url, changed, clicks=77)
    undone = run("--undo", name)
    assert "23 documents as before" in undone.stdout
    assert "1 document left alone" in undone.stdout
    assert "holds no run 'nothing'; the runs there" in str(run("--undo", "nothing").exception)


def test_a_store_of_our_own_is_verified_but_not_grouped_at_once(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'news.db'}"
    arguments = ["backfill", "--engine", url, "--verify", "--json"]
    with closing(open_engine(url)) as engine:
        Deduper(engine).add_all(reprints().values())
        assert bulk_loader.bulk_backfill(engine) is None
        assert CliRunner().invoke(app, arguments).exit_code == 0
        engine.delete(["s0/0"])
    wrong = CliRunner().invoke(app, arguments)
    assert wrong.exit_code == 1
    assert not all(check["ok"] for check in json.loads(wrong.stdout)["checks"])
