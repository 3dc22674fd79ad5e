"""Backfill into a copy of an index, which takes its place behind an alias."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from dupgroups import Deduper, open_engine
from dupgroups.audit import audit
from dupgroups.backfill import Backfill, bulk
from dupgroups.backfill.bulk import Progress
from dupgroups.backfill.catch_up import CatchUp
from dupgroups.backfill.folder import folders
from dupgroups.backfill.into import Copied, into_backfill
from dupgroups.backfill.undo import undo as undo_in_place
from dupgroups.backfill.undo_copy import UndoneCopy, undo_copy
from dupgroups.cli import app
from dupgroups.config import Config, Hosts, Method, Step
from dupgroups.engines.foreign import Fields
from dupgroups.errors import DupGroupsError, EngineError
from dupgroups.model import Check, Query
from dupgroups.verification import verify
from dupgroups_es.cluster import Cluster
from dupgroups_es.copying import ClusterCopy
from dupgroups_es.transport import Action
from es_plugin.clusters import ALL, ONE, ONE_OF_EACH, ask, servers
from stories import reprints
from test_backfill import FIELDS, everything, fill, index_of, partition, theirs
from test_bulk_backfill import WITH_VECTORS, operations, put, vectors

QUIET: Progress = lambda step, done, total: None  # noqa: E731


def copy(
    engine_url: str,
    above: Path,
    into: str,
    progress: Progress = QUIET,
    fields: Fields | None = FIELDS,
    check: Callable[[Any], list[Check]] = verify,
    **options: Any,
) -> Copied:
    with closing(open_engine(engine_url, must_exist=True)) as engine:
        run = into_backfill(engine, into, fields, above=above, batch=10, **options)
        return run.copy(check, progress)


def undo(engine_url: str, above: Path) -> UndoneCopy:
    folder = folders(above)[-1]
    with closing(open_engine(engine_url)) as engine:
        return undo_copy(folder, engine.copy_into(folder.run.into, source=folder.run.index))  # type: ignore[attr-defined]


def beside(engine_url: str, end: str) -> str:
    """The URL of another index of the test, which goes with it."""
    return f"{engine_url}{end}"


def aliased(engine_url: str, **form: object) -> str:
    """The URL of an alias of the index."""
    index = index_of(engine_url)
    add = {"add": {"index": index, "alias": f"{index}-alias", **form}}
    ask(engine_url, "POST", "/_aliases", {"actions": [add]})
    return beside(engine_url, "-alias")


def described(engine_url: str) -> Any:
    """What a server says of an index."""
    return ask(engine_url, "GET", f"/{index_of(engine_url)}")


@servers(ALL)
def test_an_index_is_copied_with_its_groups_and_its_alias_switched(engine_url: str, tmp_path: Path) -> None:
    fill(engine_url, range(6))
    before, index = everything(engine_url), index_of(engine_url)
    alias, new = aliased(engine_url, filter={"exists": {"field": "body"}}), beside(engine_url, "-2")
    form = described(engine_url)[index]["aliases"]
    plain = described(engine_url)
    copied = copy(alias, tmp_path, f"{index}-2")
    assert copied.is_whole
    assert copied.alias == f"{index}-alias"
    assert copied.report.states == {"new": 8, "joined": 40}
    after = everything(new)
    assert theirs(after) == theirs(before)
    assert partition(after, lambda source: source["dup_group"]) == partition(
        before, lambda source: source["tags"][0]
    )
    assert operations(new) == 48, "each document was written once"
    assert operations(engine_url) == 48
    assert everything(engine_url) == before
    (now,) = described(alias).values()
    assert now["aliases"] == form
    assert now["mappings"]["_meta"]["dup_groups"] == {"fields": FIELDS.plain()}
    assert now["mappings"]["dynamic"] == "strict"
    assert now["settings"]["index"]["number_of_shards"] == "3"
    assert "refresh_interval" not in now["settings"]["index"]
    with closing(open_engine(alias)) as engine:
        assert [check for check in engine.check() if not check.ok] == []
        assert [check for check in audit(engine) if not check.ok] == []
        assert Deduper(engine).settle().documents == 0
        assert engine.search(Query("copy", limit=1)).stories == 8
    undone = undo(alias, tmp_path)
    assert undone == UndoneCopy(index, f"{index}-2", f"{index}-alias", "")
    assert described(alias) == plain
    left = ask(engine_url, "GET", f"/{index}*?expand_wildcards=all")
    assert list(left) == [index]


class Interrupted(Exception):
    pass


def before_switch(monkeypatch: pytest.MonkeyPatch, action: Callable[[], None]) -> None:
    """Do something between the last look at the index and the switch of the alias."""
    switch = ClusterCopy.switch

    def switched(self: ClusterCopy, alias: str, *, back: bool = False) -> None:
        if not back:
            action()
        switch(self, alias, back=back)

    monkeypatch.setattr(ClusterCopy, "switch", switched)


@servers(ONE_OF_EACH)
def test_what_others_write_meanwhile_follows(
    engine_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk, "PART", 10)
    fill(engine_url, range(4))
    index, alias, new = index_of(engine_url), aliased(engine_url), beside(engine_url, "-2")
    oldest = [id_ for id_, hit in everything(engine_url).items() if "copy0" in hit["_source"]["tags"]]
    add = {"add": {"index": index, "alias": f"{index}-writers"}}
    ask(engine_url, "POST", "/_aliases", {"actions": [add]})
    replaced, deleted, later = sorted(oldest)[:3]  # which name their groups
    written: list[str] = []

    def write(step: str, done: int, total: int) -> None:
        if step in written or not done:
            return
        written.append(step)
        if step == "writing":
            fill(engine_url, range(4, 6), mapping=None)
            put(engine_url, replaced, body=reprints(stories=9)["s8/0"].text, tags=["story8"])
            ask(engine_url, "DELETE", f"/{index}/_doc/{deleted}?refresh=true")
            routed = {"body": reprints(stories=9)["s8/1"].text, "tags": ["story8"]}
            ask(engine_url, "PUT", f"/{index}/_doc/routed?routing=r7&refresh=true", routed)

    def check(target: Any) -> list[Check]:
        put(engine_url, "during-the-check", body=reprints(stories=10)["s9/0"].text, tags=["story9"])
        ask(engine_url, "DELETE", f"/{index}/_doc/{later}?refresh=true")
        ask(engine_url, "POST", f"/{index}/_update/{sorted(oldest)[5]}", {"doc": {"clicks": 77}})
        return verify(target)

    def action() -> None:
        put(engine_url, "at-the-switch", body=reprints(stories=10)["s9/1"].text, tags=["story9"])
        ask(engine_url, "DELETE", f"/{index}/_doc/{sorted(oldest)[4]}?refresh=true")
        put(engine_url, sorted(oldest)[3], body="Others changed it at the very last moment.", tags=["x"])

    before_switch(monkeypatch, action)
    copied = copy(alias, tmp_path, f"{index}-2", write, check=check)
    assert copied.is_whole
    assert copied.left == (sorted(oldest)[3],)
    assert (copied.late, copied.unseen) == (16 + 2 + 2 + 1 + 1 + 1, 0)
    assert (copied.unclear, copied.others) == (1, (f"{index}-writers",))
    after, source = theirs(everything(new)), theirs(everything(engine_url))
    assert {id_ for id_ in source if after.get(id_) != source[id_]} == set(copied.left)
    assert after.keys() - source.keys() == {sorted(oldest)[4]}
    hits = everything(new)
    assert hits["routed"]["_routing"] == "r7"
    assert partition(hits, lambda source: source["dup_group"]) == partition(
        hits, lambda source: source["tags"][0]
    )
    with closing(open_engine(alias)) as engine:
        assert [check for check in audit(engine) if not check.ok] == []
        assert [check for check in verify(engine.adopt()) if not check.ok] == []  # type: ignore[attr-defined]
    put(alias, "after", body="Written after the switch, through the alias.")
    undone = undo(alias, tmp_path)
    assert (undone.alias, undone.kept) == (f"{index}-alias", "it has been written since")
    assert list(described(alias)) == [index]
    assert "after" in everything(new)


@servers(ONE)
def test_a_deletion_follows_when_as_many_documents_come_as_are_deleted(
    engine_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(engine_url, range(2))
    index, alias, new = index_of(engine_url), aliased(engine_url), beside(engine_url, "-2")
    deleted, *_ = everything(engine_url)
    late = iter(["late-1", "late-2"])
    remove_gone = CatchUp._remove_gone

    def write(step: str, done: int, total: int) -> None:
        if (step, done) == ("writing", 0):
            ask(engine_url, "DELETE", f"/{index}/_doc/{deleted}?refresh=true")

    def adding_one(self: CatchUp) -> None:  # between the last look and the count
        put(engine_url, next(late), body="Others write all the time.", tags=["late"])
        remove_gone(self)

    def refusing(self: Cluster, actions: Sequence[Action]) -> dict[str, str]:
        refused = {action.id: "refused" for action in actions if action.operation == "delete"}
        return refused or bulk_write(self, actions)

    bulk_write = Cluster.bulk
    with monkeypatch.context() as patched:
        patched.setattr(Cluster, "bulk", refusing)
        with pytest.raises(EngineError, match="rejected 1 deletions"):
            copy(alias, tmp_path, f"{index}-2", write)
    assert list(described(alias)) == [index]
    monkeypatch.setattr(CatchUp, "_remove_gone", adding_one)
    assert copy(alias, tmp_path, f"{index}-2").is_whole
    assert theirs(everything(new)) == theirs(everything(engine_url))


@servers(ONE)
def test_a_run_that_died_right_after_the_switch_comes_to_its_end_through_the_alias(
    engine_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(engine_url, range(2))
    index, alias = index_of(engine_url), aliased(engine_url)
    switch = ClusterCopy.switch
    with monkeypatch.context() as patched:

        def dying(self: ClusterCopy, name: str, *, back: bool = False) -> None:
            switch(self, name, back=back)
            raise Interrupted

        patched.setattr(ClusterCopy, "switch", dying)
        with pytest.raises(Interrupted):
            copy(alias, tmp_path, f"{index}-2")
    put(engine_url, "late", body="Only in the old index, where somebody still writes.")
    copied = copy(alias, tmp_path, f"{index}-2")
    assert (copied.is_whole, copied.alias, copied.late) == (True, f"{index}-alias", 1)
    assert [folder.run.step for folder in folders(tmp_path)] == ["done"]
    assert theirs(everything(alias)) == theirs(everything(engine_url))


@servers(ONE)
def test_a_copy_in_which_something_is_wrong_is_not_switched(engine_url: str, tmp_path: Path) -> None:
    fill(engine_url, range(2))
    index, alias = index_of(engine_url), aliased(engine_url)
    wrong = [Check("groups", False, "as if it were wrong")]
    copied = copy(alias, tmp_path, f"{index}-2", check=lambda target: wrong)
    assert (copied.is_whole, copied.alias) == (False, "")
    assert list(described(alias)) == [index]
    assert copy(alias, tmp_path, f"{index}-2").alias == f"{index}-alias"


@servers(ONE)
def test_documents_that_the_copy_refuses_are_told_and_tried_again(engine_url: str, tmp_path: Path) -> None:
    index = index_of(engine_url)
    mapping = {"properties": {"body": {"type": "text"}, "parts": {"type": "nested"}}}
    ask(engine_url, "PUT", f"/{index}", {"mappings": mapping})
    put(engine_url, "early", body=reprints()["s0/0"].text, parts=[{"n": 1}, {"n": 2}])
    alias = aliased(engine_url)

    def limit(objects: int) -> None:
        settings = {"index.mapping.nested_objects.limit": objects}
        ask(engine_url, "PUT", f"/{index}-2/_settings", settings)

    def write(step: str, done: int, total: int) -> None:
        if (step, done) == ("writing", 0):
            limit(1)
            put(engine_url, "late", body=reprints()["s0/1"].text, parts=[{"n": 1}, {"n": 2}])

    copied = copy(alias, tmp_path, f"{index}-2", write, fields=Fields("body"))
    assert (copied.is_whole, copied.alias, sorted(copied.report.failures)) == (False, "", ["early", "late"])
    assert list(described(alias)) == [index]
    limit(2)
    copied = copy(alias, tmp_path, f"{index}-2", fields=Fields("body"))
    assert (copied.is_whole, copied.alias) == (True, f"{index}-alias")
    assert copied.report.states == {"new": 1, "joined": 1}
    assert theirs(everything(alias)) == theirs(everything(engine_url))


@servers(ONE)
def test_what_people_said_and_former_names_and_routings_go_along(
    engine_url: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    fill(engine_url, range(3))
    index, new = index_of(engine_url), beside(engine_url, "-2")
    half = {"body": "Half a character \ud800 that another tool has stored.", "tags": ["half"]}
    ask(engine_url, "PUT", f"/{index}/_doc/half?routing=r1&refresh=true", half)
    with closing(open_engine(engine_url)) as engine:
        Backfill(engine, FIELDS, Config(group_by=("clicks", "tags"))).run()  # every document alone
        names = {hit["_source"]["dup_group"] for hit in everything(engine_url).values()}
        Backfill(engine, FIELDS).run()  # former names lead to where the groups went
        first, second = sorted(
            partition(everything(engine_url), lambda source: source["dup_group"]), key=len
        )[-2:]
        Deduper(engine).correct("keep-together", min(first), min(second), by="test")
        led = engine.resolve(sorted(names))
    before = everything(engine_url)
    pipeline = {"processors": [{"set": {"field": "clicks", "value": 99}}]}
    ask(engine_url, "PUT", f"/_ingest/pipeline/{index}", pipeline)
    pipelines = {"index.default_pipeline": index, "index.final_pipeline": index}
    ask(engine_url, "PUT", f"/{index}/_settings", pipelines)
    request.addfinalizer(lambda: ask(engine_url, "DELETE", f"/_ingest/pipeline/{index}"))
    copied = copy(engine_url, tmp_path, f"{index}-2", shards=2, alias=f"{index}-alias", fields=None)
    assert copied.is_whole, copied
    assert (copied.report.states, copied.command) == ({"unchanged": 25}, "")
    after = everything(new)
    groups = partition(after, lambda source: source["dup_group"])
    assert groups == partition(before, lambda source: source["dup_group"])
    assert {id_: untied(hit) for id_, hit in after.items()} == {
        id_: untied(hit) for id_, hit in before.items()
    }
    assert after["half"]["_routing"] == "r1"
    settings = described(new)[f"{index}-2"]["settings"]["index"]
    assert (settings["number_of_shards"], settings["default_pipeline"], settings["final_pipeline"]) == (
        "2",
        index,
        index,
    )
    with closing(open_engine(beside(engine_url, "-alias"))) as engine:
        assert engine.resolve(sorted(names)) == led
        assert [entry.kind for entry in engine.corrections()] == ["keep-together"]
        assert engine.read(["half"])["half"].content.text == half["body"]
        assert [check for check in audit(engine) if not check.ok] == []


def untied(hit: dict[str, Any]) -> dict[str, Any]:
    """A document without the verdicts, which are made anew."""
    return {name: value for name, value in hit["_source"].items() if name != "dup_ties"}


@servers(WITH_VECTORS)
def test_vectors_are_copied_and_a_wrong_mapping_is_not(engine_url: str, tmp_path: Path) -> None:
    index = index_of(engine_url)
    vector = {"type": "dense_vector", "dims": 3, "index": False}
    text = {"type": "text"}  # no type for dup_group: in place such an index is refused
    mapping = {"properties": {"body": text, "dup_group": text, "inside": {"properties": {"vector": vector}}}}
    ask(engine_url, "PUT", f"/{index}", {"mappings": mapping})
    put(engine_url, "a", body="A text.", inside={"vector": [1, 2, 3]})

    def write(step: str, done: int, total: int) -> None:
        if (step, done) == ("writing", 0):
            put(engine_url, "late", body="Another text.", inside={"vector": [4, 5, 6]})

    assert copy(engine_url, tmp_path, f"{index}-2", write, Fields("body")).is_whole
    new = beside(engine_url, "-2")
    assert vectors(new) == {"a": {"vector": [1, 2, 3]}, "late": {"vector": [4, 5, 6]}}
    mapped = described(new)[f"{index}-2"]["mappings"]["properties"]
    assert mapped["dup_group"] == {"type": "keyword"}
    assert theirs(everything(new)) == theirs(everything(engine_url))


@servers(ONE)
def test_the_command_plans_copies_goes_on_and_undoes(
    engine_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(*options: str) -> Result:
        words = ["backfill", "--engine", engine_url, "--work", str(tmp_path), *options]
        return CliRunner().invoke(app, words, catch_exceptions=False)

    fill(engine_url, range(3))
    index = index_of(engine_url)
    new, fields = f"{index}-2", ["--text-field", "body", "--date-field", "published"]
    planned = run(*fields, "--into", new, "--shards", "2", "--dry-run")
    assert (
        f"'{new}' would get the mapping and the settings of '{index}', with 2 primary shards"
        in planned.stdout
    )
    assert list(ask(engine_url, "GET", f"/{index}*?expand_wildcards=all")) == [index]
    with monkeypatch.context() as patched:
        patched.setattr("dupgroups.verification._misplaced", lambda folder: ["a"])
        wrong = run(*fields, "--into", new, "--shards", "2", "--rate", "1000")
    assert wrong.exit_code == 1
    assert "WRONG  groups: 1 document in another group" in wrong.stdout
    assert f"nothing leads to {new} yet: when that is mended, the same command goes on" in wrong.stdout
    with pytest.raises(DupGroupsError, match="has 2 shards already: leave --shards out"):
        run(*fields, "--into", new, "--shards", "3")
    first = run(*fields, "--into", new)
    assert "which stopped while switching: 3 of 3 parts signed" in first.output.replace("\n", " ")
    assert first.exit_code == 0, first.output
    assert "24 documents: 16 joined, 8 new" in first.stdout
    assert f"ok     documents: 24 in '{new}', 24 in '{index}'" in first.stdout
    assert f"{new} is ready; this deletes {index}, and lets its name lead to {new}:" in first.stdout
    body = json.loads(first.stdout.split(" -d '")[1].split("'")[0])
    fill(engine_url, range(3, 4), mapping=None)
    name = folders(tmp_path)[0].run.name
    again = run(*fields, "--into", new, "--alias", f"{index}-alias")
    assert "32 documents" in again.stdout
    assert f"8 documents came, changed or went meanwhile, in {new} as well" in again.stdout
    assert f"the alias {index}-alias leads to {new} now, and no longer to {index}" in again.stdout
    assert f"{name}  done" in run("--runs").stdout
    undone = run("--undo", name)
    assert undone.stdout == f"the alias {index}-alias is gone\n{new} is deleted\n"
    with pytest.raises(DupGroupsError, match="is undone already"):
        run("--undo", name)
    as_json = json.loads(run(*fields, "--into", new, "--json").stdout)
    assert (as_json["into"], as_json["alias"], as_json["report"]["states"]) == (
        new,
        "",
        {"joined": 24, "new": 8},
    )
    ask(engine_url, "POST", "/_aliases", body)  # as the first run printed it
    assert list(described(engine_url)) == [new]
    with closing(open_engine(engine_url)) as engine:
        assert engine.search(Query("", limit=1)).stories == 8


@servers(ONE)
def test_what_cannot_be_copied_is_refused_in_a_sentence(
    engine_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(url: str, sentence: str, into: str = f"{index_of(engine_url)}-new", **options: Any) -> None:
        with pytest.raises(DupGroupsError, match=sentence):
            copy(url, tmp_path, into, fields=Fields("body"), **options)

    index, other, without = (f"{index_of(engine_url)}{end}" for end in ("", "-other", "-without"))
    fill(engine_url, range(1))
    put(beside(engine_url, "-other"), "a", body="A text.")
    ask(engine_url, "PUT", f"/{without}", {"mappings": {"_source": {"enabled": False}}})
    alias = aliased(engine_url)
    add = [{"add": {"index": name, "alias": f"{index}-both"}} for name in (index, other)]
    ask(engine_url, "POST", "/_aliases", {"actions": add})
    streams = {"index_patterns": [f"{index}-stream*"], "data_stream": {}, "priority": 500}
    aliases = {"aliases": {f"{index}-of-template": {}}}
    named = {"index_patterns": [f"{index}-named*"], "template": aliases, "priority": 500}
    ask(engine_url, "PUT", f"/_index_template/{index}-s", streams)
    ask(engine_url, "PUT", f"/_index_template/{index}-n", named)
    ask(engine_url, "PUT", f"/_data_stream/{index}-stream")
    try:
        refused(beside(engine_url, "-stream"), "is a data stream, in whose place no other index can be put")
        refused(engine_url, f"gives '{index}-named' the alias {index}-of-template", f"{index}-named")
    finally:
        ask(engine_url, "DELETE", f"/_data_stream/{index}-stream")
        ask(engine_url, "DELETE", f"/_index_template/{index}-*")
    refused(engine_url, f"there is an index '{other}' already, which is not the copy of a run", other)
    refused(engine_url, "is the index that is to be copied: name a new one", index)
    refused(alias, "is the index that is to be copied: name a new one", index)
    refused(engine_url, "is the index that is to be copied", f"{index}-alias")
    refused(beside(engine_url, "-other"), f"leads to {index}: give the name of a new index", f"{index}-alias")
    refused(beside(engine_url, "-both"), "stands for 2 indices: only one can be copied")
    refused(beside(engine_url, "-wit*"), "is a pattern: name one index, or an alias of one")
    refused(engine_url, "must be lowercase", f"{index}-NEW")
    refused(beside(engine_url, "-without"), "does not store _source, so its documents can neither")
    refused(engine_url, "stands for .*-other: name one of", alias=f"{index}-both")
    refused(engine_url, "is an index: name an alias, or a new one", alias=other)
    refused(engine_url, "is a pattern: name one alias", alias=f"{index}-*")
    refused("memory://", "has no index that could be copied")
    live = Config(hosts=Hosts(str(tmp_path / "hosts.npz"), live=True))
    refused(engine_url, "cannot be learned on the way", config=live)
    with closing(Deduper(beside(engine_url, "-ours"))) as ours:
        ours.add(reprints()["s0/0"])
    refused(beside(engine_url, "-ours"), "was made by dup-groups")
    ask(engine_url, "PUT", f"/{index}-new-redirects")
    refused(engine_url, "is left over from a former index: delete it")
    ask(engine_url, "DELETE", f"/{index}-new-redirects")
    with monkeypatch.context() as patched:
        make = ClusterCopy.make

        def overtaken(self: ClusterCopy, *given: Any) -> None:
            ask(engine_url, "PUT", f"/{index}-new")
            make(self, *given)

        patched.setattr(ClusterCopy, "make", overtaken)
        refused(engine_url, "there is an index .*-new' already")
    ask(engine_url, "DELETE", f"/{index}-new")
    ask(engine_url, "PUT", f"/{index}/_settings", {"index.blocks.read_only": True})
    try:
        refused(alias, "under which no alias can be taken from it: set index.blocks.write in its place")
    finally:
        ask(engine_url, "PUT", f"/{index}/_settings", {"index.blocks.read_only": False})
    assert folders(tmp_path) == []
    left = {name for name in ask(engine_url, "GET", f"/{index}*?expand_wildcards=all") if "-ours" not in name}
    assert left == {index, other, without}


@servers(ONE)
def test_what_a_run_that_is_done_cannot_do_is_told(engine_url: str, tmp_path: Path) -> None:
    fill(engine_url, range(1))
    index = index_of(engine_url)
    alias, new = aliased(engine_url), f"{index}-2"
    assert copy(engine_url, tmp_path, new).alias == ""
    copied = copy(alias, tmp_path, new)
    assert copied.alias == f"{index}-alias", "gone on with by the alias"
    with (
        closing(open_engine(engine_url)) as engine,
        pytest.raises(DupGroupsError, match=f"into '{new}' only"),
    ):
        undo_in_place(folders(tmp_path)[-1], engine.copy_into(new, source=index).source(FIELDS), Config())
    other = Config(methods={"*": Method(signer=Step("minhash", {"size": 4}))})
    with pytest.raises(DupGroupsError, match=f"the run {copied.report.run} was made with other fields or"):
        copy(alias, tmp_path, new, config=other)
    remove = [{"remove_index": {"index": index}}, {"add": {"index": new, "alias": index}}]
    ask(engine_url, "POST", "/_aliases", {"actions": remove})  # as the command that is printed
    for name in (alias, engine_url):
        with pytest.raises(DupGroupsError, match=f"'{index}', of which '{new}' is the copy, is gone"):
            copy(name, tmp_path, new)
    with pytest.raises(DupGroupsError, match=f"'{index}', of which '{new}' is the copy, is gone"):
        undo(alias, tmp_path)
    ask(engine_url, "POST", "/_aliases", {"actions": [{"remove": {"index": new, "alias": index}}]})
    with pytest.raises(DupGroupsError, match=f"there is no index '{index}'"):
        undo(alias, tmp_path)
