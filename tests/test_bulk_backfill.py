"""Backfill of a whole index at once: resumed, verified, undone, and beside other writers."""

from __future__ import annotations

import json
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from dupgroups import Deduper, open_engine
from dupgroups.audit import audit
from dupgroups.backfill import Backfill, Report, bulk_loader, runs
from dupgroups.backfill.ages import Ages
from dupgroups.backfill.intermediate_files import Prefix
from dupgroups.backfill.pace import Pace
from dupgroups.backfill.run_directory import DEFAULT, RunDirectory, folders
from dupgroups.backfill.runs import Progress
from dupgroups.backfill.undo import Undone, undo
from dupgroups.backfill.verification import verify
from dupgroups.cli import app
from dupgroups.cli.backfill_runs import WORK
from dupgroups.config import Config
from dupgroups.engines.foreign import Fields
from dupgroups.engines.url import EngineURL
from dupgroups.errors import InputError
from es_plugin.clusters import ALL, ONE, ONE_OF_EACH, address, ask, servers
from es_plugin.proxy import busy, lost, proxy
from stories import reprints
from test_backfill import FIELDS, MAPPING, OTHER, everything, fill, index_of, partition, theirs

Patch = pytest.MonkeyPatch


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


def wrong(engine_url: str) -> list[str]:
    with closing(open_engine(engine_url)) as engine:
        return [check.detail for check in verify(engine.adopt()) if not check.ok]  # type: ignore[attr-defined]


@servers(ALL)
def test_an_index_is_grouped_at_once(engine_url: str, tmp_path: Path) -> None:
    fill(engine_url, range(6))
    before = everything(engine_url)
    report = backfill(engine_url, tmp_path)
    after = everything(engine_url)
    assert theirs(after) == theirs(before)
    assert partition(after, lambda source: source["dup_group"]) == partition(
        before, lambda source: source["tags"][0]
    )
    assert report.states == {"new": 8, "joined": 40}
    heads = [hit["_source"] for hit in after.values() if hit["_source"]["dup_head"]]
    assert [head["published"] for head in heads] == ["2026-01-01"] * 8  # the oldest names the group
    assert wrong(engine_url) == []
    with closing(open_engine(engine_url)) as engine:
        assert [check for check in engine.check() if not check.ok] == []
        assert Deduper(engine).settle().documents == 0
    undone = undo_last(engine_url, tmp_path)
    assert (undone.restored, undone.changed) == (48, ())
    restored = everything(engine_url)
    assert {id_: hit["_source"] for id_, hit in restored.items()} == {
        id_: hit["_source"] for id_, hit in before.items()
    }
    mapping = ask(engine_url, "GET", f"/{index_of(engine_url)}/_mapping")[index_of(engine_url)]["mappings"]
    assert mapping["_meta"] == {"owner": "somebody else"}


def put(engine_url: str, id_: str, **source: object) -> None:
    ask(engine_url, "PUT", f"/{index_of(engine_url)}/_doc/{id_}?refresh=true", source)


@servers(ONE_OF_EACH)
def test_what_others_write_meanwhile_joins(engine_url: str, tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr(runs, "PART", 10)
    fill(engine_url, range(4))
    written: list[str] = []
    oldest = [id_ for id_, hit in everything(engine_url).items() if "copy0" in hit["_source"]["tags"]]
    replaced, deleted = sorted(oldest)[:2]  # which name their groups

    def write(step: str, done: int, total: int) -> None:
        if written or step != "writing" or not done:
            return
        written.append(step)
        fill(engine_url, range(4, 6), mapping=None)
        put(engine_url, replaced, body=reprints(stories=9)["s8/0"].text, tags=["story8"])
        ask(engine_url, "DELETE", f"/{index_of(engine_url)}/_doc/{deleted}?refresh=true")

    report = backfill(engine_url, tmp_path, progress=write)
    after = everything(engine_url)
    assert len(after) == 47
    assert report.failures == {}
    assert partition(after, lambda source: source["dup_group"]) == partition(
        after, lambda source: source["tags"][0]
    )
    assert wrong(engine_url) == []
    undone = undo_last(engine_url, tmp_path)
    assert undone.restored == 47
    assert undone.changed in ((), (deleted,))  # it was deleted before it was written, or after
    assert not any("dup_group" in hit["_source"] for hit in everything(engine_url).values())


@servers(ONE_OF_EACH)
def test_what_was_changed_since_is_left_alone(engine_url: str, tmp_path: Path) -> None:
    fill(engine_url, range(6))
    backfill(engine_url, tmp_path)
    changed = sorted(everything(engine_url))[:2]
    for id_ in changed:
        body = {"doc": {"clicks": 77}}
        ask(engine_url, "POST", f"/{index_of(engine_url)}/_update/{id_}?refresh=true", body)
    undone = undo_last(engine_url, tmp_path)
    assert (undone.restored, sorted(undone.changed)) == (46, changed)
    after = everything(engine_url)
    assert [id_ for id_, hit in sorted(after.items()) if "dup_group" in hit["_source"]] == changed
    with closing(open_engine(engine_url)) as engine:
        assert [check.detail for check in audit(engine) if not check.ok] == []
    with pytest.raises(InputError, match="is undone already"):
        undo_last(engine_url, tmp_path)


@servers(ONE_OF_EACH)
def test_groups_that_meet_are_renamed_and_named_again_when_undone(engine_url: str, tmp_path: Path) -> None:
    fill(engine_url, range(3))
    with closing(open_engine(engine_url)) as engine:
        Backfill(engine, FIELDS, Config(group_by=("clicks", "tags"))).run()  # every document alone
    before = everything(engine_url)
    loser = next(id_ for id_, hit in before.items() if "copy2" in hit["_source"]["tags"])
    led = {"to": loser}  # as if another group had been merged into this one
    ask(
        engine_url,
        "PUT",
        f"/dup-groups-{index_of(engine_url)}-redirects/_doc/merged-before?refresh=true",
        led,
    )
    assert backfill(engine_url, tmp_path).states == {"updated": 24}
    after = everything(engine_url)
    groups = {id_: hit["_source"]["dup_group"] for id_, hit in after.items()}
    assert partition(after, lambda source: source["dup_group"]) == partition(
        after, lambda source: source["tags"][0]
    )
    gone = set(groups) - set(groups.values())
    assert len(gone) == 16
    with closing(open_engine(engine_url)) as engine:
        assert engine.resolve(sorted(gone)) == {name: groups[name] for name in gone}
        assert engine.resolve(["merged-before"]) == {"merged-before": groups[loser]}
        assert [check.detail for check in audit(engine) if not check.ok] == []
    assert undo_last(engine_url, tmp_path) == Undone(24, ())
    assert {id_: hit["_source"] for id_, hit in everything(engine_url).items()} == {
        id_: hit["_source"] for id_, hit in before.items()
    }
    with closing(open_engine(engine_url)) as engine:
        assert engine.resolve(sorted(gone)) == {name: name for name in gone}
        assert engine.resolve(["merged-before"]) == {"merged-before": loser}


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
    assert wrong(engine_url) == []
    assert undo_last(engine_url, tmp_path).restored == 48


WITH_VECTORS = ["elasticsearch-8.19", "elasticsearch-9"]  # of which the second sends them only if asked
VECTOR = {"type": "dense_vector", "dims": 3, "index": False}


def vectors(engine_url: str, name: str = "inside") -> dict[str, Any]:
    """The field that holds the vector, by document."""
    index = index_of(engine_url)
    ask(engine_url, "POST", f"/{index}/_refresh")
    hits = ask(engine_url, "POST", f"/{index}/_search", {"_source": {"exclude_vectors": False}})["hits"][
        "hits"
    ]
    return {hit["_id"]: hit["_source"][name] for hit in hits}


def operations(engine_url: str) -> int:
    """How many writes the shards of an index have counted."""
    index = index_of(engine_url)
    shards = ask(engine_url, "GET", f"/{index}/_stats?level=shards")["indices"][index]["shards"]
    return sum(copy["seq_no"]["max_seq_no"] + 1 for copies in shards.values() for copy in copies)


@servers(WITH_VECTORS)
def test_vectors_are_there_after_a_run_and_its_undo(engine_url: str, tmp_path: Path) -> None:
    fields = {"body": {"type": "text"}, "v": {"properties": {"vector": VECTOR}}}
    ask(engine_url, "PUT", f"/{index_of(engine_url)}", {"mappings": {"properties": fields}})
    put(engine_url, "a", body="A text.", v={"vector": [1, 2, 3]})
    ask(engine_url, "PUT", f"/{index_of(engine_url)}/_doc/b?routing=r1", {"v": {"vector": [4, 5, 6]}})
    backfill(engine_url, tmp_path, fields=Fields("body"))
    assert undo_last(engine_url, tmp_path) == Undone(2, ())
    assert vectors(engine_url, "v") == {"a": {"vector": [1, 2, 3]}, "b": {"vector": [4, 5, 6]}}
    assert not any("dup_group" in hit["_source"] for hit in everything(engine_url).values())


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
    mapping = ask(engine_url, "GET", f"/{index_of(engine_url)}")[index_of(engine_url)]["mappings"]
    assert "dup_groups" not in mapping.get("_meta", {})


@servers(ONE)
def test_corrections_count(engine_url: str, tmp_path: Path) -> None:
    fill(engine_url, range(3))
    backfill(engine_url, tmp_path)
    groups = partition(everything(engine_url), lambda source: source["dup_group"])
    first, second, third = (sorted(members) for members in sorted(groups, key=sorted)[:3])
    with closing(open_engine(engine_url)) as engine:
        deduper = Deduper(engine)
        deduper.correct("keep-apart", first[0], first[1], by="test")
        deduper.correct("keep-together", second[0], third[0], by="test")
        deduper.correct("head", second[2], by="test")
    before = everything(engine_url)
    assert backfill(engine_url, tmp_path).states == {"unchanged": 24}
    assert everything(engine_url) == before
    assert wrong(engine_url) == []


@servers(ONE)
def test_documents_with_a_routing_keep_it(engine_url: str, tmp_path: Path) -> None:
    index = index_of(engine_url)
    settings = {"settings": {"number_of_shards": 3}, "mappings": {"properties": {"body": {"type": "text"}}}}
    ask(engine_url, "PUT", f"/{index}", settings)
    pages = reprints(stories=3, copies=3)
    for number, (id_, page) in enumerate(pages.items()):
        name, routing = id_.replace("/", "-"), f"r{number}"
        ask(engine_url, "PUT", f"/{index}/_doc/{name}?routing={routing}", {"body": page.text})
    before = everything(engine_url)
    backfill(engine_url, tmp_path, fields=Fields(text="body"))
    after = everything(engine_url)
    assert {id_: hit["_routing"] for id_, hit in after.items()} == {
        id_: hit["_routing"] for id_, hit in before.items()
    }
    assert partition(after, lambda source: source["dup_group"]) == {
        frozenset(f"s{story}-{copy}" for copy in range(3)) for story in range(3)
    }
    assert undo_last(engine_url, tmp_path).restored == 9
    assert {id_: hit["_source"] for id_, hit in everything(engine_url).items()} == {
        id_: hit["_source"] for id_, hit in before.items()
    }


@servers(ONE)
def test_a_run_with_other_methods_waits_for_the_end_of_the_first(engine_url: str, tmp_path: Path) -> None:
    fill(engine_url, range(2))

    class Interrupted(Exception):
        pass

    def stop(step: str, done: int, total: int) -> None:
        if step == "settling":
            raise Interrupted

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
    assert wrong(engine_url) == []
    assert undo_last(engine_url, tmp_path) == Undone(0, ())


@servers(ONE)
def test_verify_finds_what_is_wrong(engine_url: str, tmp_path: Path) -> None:
    fill(engine_url, range(3))
    backfill(engine_url, tmp_path)
    hits = everything(engine_url)
    copy = next(id_ for id_, hit in hits.items() if not hit["_source"]["dup_head"])
    body = {"doc": {"dup_group": copy}}
    ask(engine_url, "POST", f"/{index_of(engine_url)}/_update/{copy}?refresh=true", body)
    head, partition_ = wrong(engine_url)
    assert f"1 group with no head, several, or another one than the configuration elects ({copy})" in head
    assert f"1 document in another group than grouping all of them at once gives ({copy})" in partition_
    put(engine_url, "new", body="A document that nobody has grouped yet.")
    assert wrong(engine_url)[-1].startswith("1 of 25 documents are not signed as configured")


@servers(ONE)
def test_verify_tells_what_others_write_meanwhile_from_what_is_wrong(engine_url: str, tmp_path: Path) -> None:
    fill(engine_url, range(3))
    with closing(open_engine(engine_url)) as engine:
        run = bulk_loader.bulk_backfill(engine, FIELDS, above=tmp_path)
        assert run
        run.run()
        namesake = next(id_ for id_, hit in everything(engine_url).items() if hit["_source"]["dup_head"])
        put(engine_url, namesake, body=reprints(stories=9)["s8/0"].text)  # it named a group of three
        put(engine_url, "new", body="A document that nobody has grouped yet.")
        assert all(check.ok for check in run.verify())
        hits = everything(engine_url)
        copy = next(id_ for id_, hit in hits.items() if hit["_source"].get("dup_head") is False)
        moved = {"doc": {"dup_group": copy}}
        ask(engine_url, "POST", f"/{index_of(engine_url)}/_update/{copy}?refresh=true", moved)
        checks = verify(engine.adopt(), settle=lambda: None)  # type: ignore[attr-defined]
        assert {check.name for check in checks if not check.ok} == {"one head each", "partition"}
        assert all(check.ok for check in run.verify()), "grouping what others wrote mends it"


@servers(ONE)
def test_the_command_goes_on_lists_verifies_and_undoes(
    engine_url: str, tmp_path: Path, monkeypatch: Patch
) -> None:
    def run(*options: str) -> Result:
        return CliRunner().invoke(
            app, ["backfill", "--engine", engine_url, "--work", str(tmp_path), *options]
        )

    fill(engine_url, range(3))
    fields = ["--fields", "text=body,title=headline,url=link,date=published"]
    first = run(*fields, "--verify", "--rate", "1000")
    assert first.exit_code == 0, first.output
    name = folders(tmp_path)[0].run.name
    assert "24 documents: 16 joined, 8 new" in first.stdout
    assert f"dup-groups backfill --undo {name}" in first.stdout
    assert (
        "ok     partition: every document is in the group that grouping all of them at once gives it"
        in first.stdout
    )
    assert f"{name}  done" in run("--runs").stdout
    assert [listed["counts"] for listed in json.loads(run("--runs", "--json").stdout)] == [
        {"new": 8, "joined": 16}
    ]
    assert "nothing to do" in run().stdout
    with monkeypatch.context() as patched:
        patched.setattr("dupgroups.audit._astray", lambda *_: {"a": "b"})
        wrong_ = run("--verify", "--json")
    assert wrong_.exit_code == 1
    checks = json.loads(wrong_.stdout)["checks"]
    assert [check["name"] for check in checks if not check["ok"]] == ["former names"]
    changed, body = next(iter(everything(engine_url))), {"doc": {"clicks": 77}}
    ask(engine_url, "POST", f"/{index_of(engine_url)}/_update/{changed}?refresh=true", body)
    undone = run("--undo", name)
    assert "23 documents as before" in undone.stdout
    assert "1 document left alone" in undone.stdout
    with pytest.raises(InputError, match="holds no run 'nothing'; the runs there"):
        CliRunner().invoke(
            app,
            ["backfill", "--engine", engine_url, "--work", str(tmp_path), "--undo", "nothing"],
            catch_exceptions=False,
        )


def test_a_store_of_our_own_is_verified_but_not_grouped_at_once(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'news.db'}"
    with closing(open_engine(url)) as engine:
        Deduper(engine).add_all(reprints().values())
        assert bulk_loader.bulk_backfill(engine) is None
    sound = CliRunner().invoke(app, ["backfill", "--engine", url, "--verify"])
    assert sound.exit_code == 0, sound.output
    with closing(open_engine(url)) as engine:
        engine.delete(["s0/0"])
    assert CliRunner().invoke(app, ["backfill", "--engine", url, "--verify"]).exit_code == 1


@pytest.mark.parametrize(
    ("orders", "expected"),
    [
        ([3.0, None, 1.0], [2, 0, 1]),
        (["2026-01-02", None, "2026-01-01"], [2, 0, 1]),
        ([None, None], [0, 1]),
        ([], []),
    ],
)
def test_documents_that_were_never_grouped_are_as_old_as_their_dates_say(
    orders: list[float | str | None], expected: list[int]
) -> None:
    ages = Ages(started=1000)
    ages.add(Prefix(0, order, None) for order in orders)
    ages.add([Prefix(7, None, ("known", True))])
    first, second = ages.parts()
    assert sorted(range(len(orders)), key=lambda at: first[at]) == expected
    assert second.tolist() == [7]
    assert all(1000 <= age < 1000 + len(orders) for age in first.tolist())


def test_the_command_and_the_library_keep_runs_in_one_place() -> None:
    assert WORK == DEFAULT


def test_no_more_documents_pass_than_the_rate_allows() -> None:
    pace, start = Pace(1000), time.monotonic()
    for _ in range(5):
        pace(50)
    assert time.monotonic() - start >= 0.2
