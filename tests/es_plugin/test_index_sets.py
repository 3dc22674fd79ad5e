"""Several indices under one name are one: their groups are those of one big index, whatever becomes of it."""

import json
import random
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from commands import cli, error
from dupgroups import Config, Deduper, open_engine
from dupgroups.model import Query
from dupgroups_es import archived_keys
from dupgroups_es.base import ClusterEngine
from dupgroups_filter.grouper import Groupers
from engines.stores import roll_over
from es_plugin.backfill.external import FIELDS, MAPPING, backfill
from es_plugin.clusters import ALL, ONE, ONE_OF_EACH, ask, everything, index_of, partition, seeds, servers
from es_plugin.test_deaths import Death, Mortal
from filtering.running import sweep
from flow.scenes import CLOSURE, groups, page, pages, wrong
from stories import reprints, story

Opened = Callable[[str], ClusterEngine]
STREAM = {"@timestamp": {"type": "date"}}


def labels(engine_url: str, name: str) -> dict[str, str | None]:
    """The group of each document, as everybody sees it."""
    return {id_: hit["_source"].get("dup_group") for id_, hit in everything(engine_url, name).items()}


def sources() -> dict[str, dict[str, Any]]:
    """Six copies of eight stories, as another tool has them."""
    return {
        name.replace("/", "_"): {"body": one.text, "headline": one.title, "link": one.url}
        for name, one in reprints(stories=8, copies=6).items()
    }


def write(
    engine_url: str, index: str, documents: dict[str, dict[str, Any]], operation: str = "index"
) -> None:
    lines: list[object] = []
    for id_, source in documents.items():
        lines += [{operation: {"_index": index, "_id": id_}}, source]
    body = "".join(f"{json.dumps(line)}\n" for line in lines)
    assert ask(engine_url, "POST", "/_bulk?refresh=true", body)["errors"] is False


def deal(documents: dict[str, dict[str, Any]], hands: int) -> list[dict[str, dict[str, Any]]]:
    """Dealt out one after the other, so that copies come to several."""
    return [dict([*documents.items()][first::hands]) for first in range(hands)]


@pytest.fixture
def months(engine_url: str) -> str:
    """A pattern that fits three indices with 48 documents."""
    for number, some in enumerate(deal(sources(), 3)):
        index = f"{index_of(engine_url)}-{number}"
        ask(engine_url, "PUT", f"/{index}", {"mappings": MAPPING})
        write(engine_url, index, some)
    return f"{engine_url}-*"


class Months:
    """Three indices and those that come later. Older ones are deleted, closed and opened again, or gone until
    they are restored from a snapshot.
    """

    def __init__(self, engine_url: str) -> None:
        self.newest = f"{index_of(engine_url)}-2"
        self._url = engine_url
        self._count = 3
        self._closed: list[str] = []
        self._kept: list[str] = []
        self._snapshots = f"/_snapshot/{index_of(engine_url)}"
        location = {"location": index_of(engine_url)}
        ask(engine_url, "PUT", self._snapshots, {"type": "fs", "settings": location})

    def change(self, chance: random.Random) -> None:
        """Change one of them, or none."""
        there = ask(self._url, "GET", f"/{index_of(self._url)}-*/_alias")
        older = sorted(there.keys() - {self.newest, *self._closed})
        steps: list[list[Callable[[], None]]] = [
            [self._add],
            [self._add],
            [partial(self.delete, index) for index in older],
            [partial(self.keep, index) for index in older if not self._kept],
            [partial(self.restore, index) for index in self._kept],
            [partial(self.close, index) for index in older if not self._closed],
            [partial(self.open, index) for index in self._closed],
        ]
        if some := chance.choice(steps):
            chance.choice(some)()

    def open_all(self) -> None:
        """Open what is closed."""
        for index in [*self._closed]:
            self.open(index)

    def _add(self) -> None:
        self.newest, self._count = f"{index_of(self._url)}-{self._count}", self._count + 1
        ask(self._url, "PUT", f"/{self.newest}", {"mappings": MAPPING})

    def delete(self, index: str) -> None:
        """Delete it."""
        ask(self._url, "DELETE", f"/{index}")

    def close(self, index: str) -> None:
        """Close it."""
        ask(self._url, "POST", f"/{index}/_close")
        self._closed.append(index)

    def open(self, index: str) -> None:
        """Open it again."""
        ask(self._url, "POST", f"/{index}/_open")
        self._closed.remove(index)

    def keep(self, index: str) -> None:
        """Keep it as a snapshot, and delete it."""
        path, body = f"{self._snapshots}/{index}", {"indices": index, "include_global_state": False}
        ask(self._url, "PUT", f"{path}?wait_for_completion=true", body)
        self._kept.append(index)
        self.delete(index)

    def restore(self, index: str) -> None:
        """Restore it as it was."""
        ask(self._url, "POST", f"{self._snapshots}/{index}/_restore?wait_for_completion=true", {})
        ask(self._url, "DELETE", f"{self._snapshots}/{index}")
        self._kept.remove(index)


# -- a crawl


@servers(ONE_OF_EACH)
@seeds(0, later=6)
def test_two_writers_whose_alias_rolls_over_leave_what_one_index_would_have(
    engine_url: str, seed: int
) -> None:
    """Whatever they add, change and delete; a rollover may come before any of it."""
    chance = random.Random(seed)
    texts = ["abc", "cde", "abcde", "fgh", "fghi", "xyz"]
    with (
        closing(open_engine(engine_url)) as one,
        closing(open_engine(engine_url)) as two,
        closing(open_engine("memory://")) as whole,
    ):
        writers, reference = [Deduper(one), Deduper(two)], Deduper(whole)
        for _ in range(25):
            writer = chance.choice(writers)
            some = [page(f"d{chance.randrange(12)}", chance.choice(texts)) for _ in range(3)]
            if chance.random() < 0.4 and one.indices():
                roll_over(engine_url)
            if chance.random() < 0.2:
                ids = [str(one.id) for one in some[:1]]
                writer.delete(ids)
                reference.delete(ids)
            else:
                writer.add_all(some)
                reference.add_all(some)
        for writer in writers:
            writer.regroup()
        assert not wrong(one)
        assert partition(groups(one)) == partition(groups(whole))
        assert len(one.indices()) > 3


@servers(ONE)
def test_an_old_index_may_be_read_only_and_its_documents_keep_the_label_that_leads_to_the_group(
    engine_url: str, opened: Opened
) -> None:
    engine = opened(engine_url)
    Deduper(engine, CLOSURE).add_all([page("l", "abc"), page("r", "cde")])
    roll_over(engine_url)
    ask(engine_url, "PUT", f"/{index_of(engine_url)}-000001/_settings", {"index.blocks.write": True})
    outcomes = Deduper(opened(engine_url), CLOSURE).add_all([page("bridge", "abcde"), page("l2", "abc")])
    assert [outcome.group for outcome in outcomes] == ["l", "l"]
    shown = labels(engine_url, index_of(engine_url))
    assert shown == {"l": "l", "r": "r", "bridge": "l", "l2": "l"}
    reader = opened(engine_url)
    assert reader.resolve(["r"]) == {"r": "l"}
    ask(engine_url, "POST", f"/dup-groups-{index_of(engine_url)}-redirects/_refresh")
    assert {copy.id for copy in reader.copies("l")} == {"l", "r", "bridge", "l2"}
    [again] = Deduper(reader, CLOSURE).add_all([page("r", "xyz")])  # it has changed since
    assert again.state == "updated"
    assert labels(engine_url, f"{index_of(engine_url)}-000002")["r"] == "r"
    assert reader.texts(["r"])["r"].startswith(story("x", 150)[:20])


@servers(ONE)
def test_an_old_index_may_be_closed_opened_and_deleted_while_a_crawl_runs(
    engine_url: str, opened: Opened
) -> None:
    deduper, first = Deduper(opened(engine_url)), f"/{index_of(engine_url)}-000001"
    deduper.add_all([page("a", "abc"), page("b", "cde")])
    roll_over(engine_url)
    deduper.add_all([page("c", "fgh")])
    ask(engine_url, "POST", f"{first}/_close")
    later = Deduper(opened(engine_url))
    assert [one.state for one in later.add_all([page("c2", "fgh"), page("a2", "abc")])] == ["joined", "new"]
    assert "closed" in cli("doctor", "--engine", engine_url).output
    ask(engine_url, "POST", f"{first}/_open")
    assert [one.group for one in deduper.add_all([page("b2", "cde")])] == ["b"]
    ask(engine_url, "DELETE", first)
    assert [one.state for one in deduper.add_all([page("b3", "cde"), page("a3", "abc")])] == [
        "joined",
        "joined",
    ]
    cli("regroup", "--engine", engine_url)
    settled = opened(engine_url)
    assert not wrong(settled)
    assert partition(groups(settled)) == {
        frozenset(["a2", "a3"]),
        frozenset(["b2", "b3"]),
        frozenset(["c", "c2"]),
    }


@servers(ONE)
@pytest.mark.parametrize("snapshot", [False, True], ids=["closed", "deleted"])
def test_what_came_while_an_index_was_away_joins_its_documents_when_it_is_back(
    engine_url: str, opened: Opened, snapshot: bool
) -> None:
    """It was closed and is opened, or deleted and restored."""
    first, world = f"{index_of(engine_url)}-000001", Months(engine_url)
    Deduper(opened(engine_url)).add_all([page("a", "abc"), page("b", "cde")])
    roll_over(engine_url)
    cli("regroup", "--engine", engine_url)
    (world.keep if snapshot else world.close)(first)
    Deduper(opened(engine_url)).add_all([page("a2", "abc"), page("c", "fgh")])
    cli("regroup", "--engine", engine_url)
    (world.restore if snapshot else world.open)(first)
    cli("regroup", "--engine", engine_url)
    settled = opened(engine_url)
    assert not wrong(settled)
    assert partition(groups(settled)) == {frozenset(["a", "a2"]), frozenset("b"), frozenset("c")}


@servers(ONE_OF_EACH)
def test_the_command_rolls_over_on_a_condition_and_readers_go_on(engine_url: str, opened: Opened) -> None:
    """Also an alias of before, which would leave its index with the server's own rollover."""
    index = index_of(engine_url)
    reader = opened(engine_url)
    Deduper(reader).add_all([page("a", "abc")])
    alias = {"index": f"{index}-000001", "alias": index}
    ask(engine_url, "POST", "/_aliases", {"actions": [{"remove": alias}, {"add": alias}]})
    reader.refresh()  # servers count what searches show
    assert "nothing was changed" in cli("rollover", "--engine", engine_url, "--max-docs", 2).output
    assert f"{index}-000002" in cli("rollover", "--engine", engine_url, "--max-docs", 1).output
    [joined] = Deduper(opened(engine_url)).add_all([page("b", "abc")])
    assert joined.group == "a"
    reader.refresh()
    assert reader.search(Query()).documents == 2
    template = json.loads(cli("rollover", "--engine", engine_url, "--template").output)
    made = ask(engine_url, "GET", f"/{index}-000002")[f"{index}-000002"]["mappings"]
    assert template["template"]["mappings"]["properties"].keys() == made["properties"].keys()
    assert made["dynamic"] == "strict"
    closed = {"index": f"{index}-000002", "alias": index, "is_write_index": False}
    ask(engine_url, "POST", "/_aliases", {"actions": [{"add": closed}]})
    assert "no write index" in error("rollover", "--engine", engine_url)
    assert "no write index" in error("add", "--engine", engine_url, "-", stdin=b'{"text": "A story."}')
    assert "no write index" in cli("doctor", "--engine", engine_url, status=1).output


@servers(ONE)
def test_an_alias_of_ours_that_rolled_over_is_followed(engine_url: str, opened: Opened) -> None:
    """What others delete is noticed in whichever index it was."""
    engine = opened(engine_url)
    Deduper(engine).add_all(pages("abc"))
    roll_over(engine_url)
    Deduper(engine).add_all([page("d", "abc")])
    engine.refresh()
    follower = Groupers(opened(engine_url))
    follower.poll()
    first = f"/{index_of(engine_url)}-000001"
    ask(engine_url, "DELETE", f"{first}/_doc/a?refresh=true")
    sweep(follower)
    assert not follower.progress.trouble
    assert not wrong(opened(engine_url))


@pytest.mark.parametrize(("option", "given"), [("--max-age", "bogus"), ("--max-size", "50")])
def test_a_condition_without_a_unit_is_refused(option: str, given: str) -> None:
    assert f"{option} {given}: give a number with one of the units" in error("rollover", option, given)


# -- indices of other tools


@servers(ALL)
def test_the_groups_over_several_indices_are_those_of_one_big_index(
    engine_url: str, months: str, tmp_path: Path
) -> None:
    whole = index_of(engine_url)
    ask(engine_url, "PUT", f"/{whole}", {"mappings": MAPPING})
    write(engine_url, whole, sources())
    backfill(engine_url, tmp_path)
    report = backfill(months, tmp_path)
    assert (report.documents, report.failures) == (48, {})
    assert partition(labels(engine_url, index_of(months))) == partition(labels(engine_url, whole))
    beside = ask(engine_url, "GET", f"/dup-groups-{whole}-*?expand_wildcards=all")
    kinds = {name.rpartition("-")[2] for name in beside if name.startswith(f"dup-groups-{whole}-+-")}
    assert kinds == {"redirects", "settled", "stories"}
    assert not [name for name in beside if name.startswith(f"dup-groups-{whole}-0")]  # of all, not of each
    with closing(open_engine(months)) as engine:
        found = engine.search(Query(limit=20))
        assert (found.stories, found.documents) == (8, 48)
    assert backfill(months, tmp_path).states == {"unchanged": 48}


@servers(ALL)
@seeds(0, later=4)
def test_the_groups_are_right_after_any_history_of_indices_writers_and_deaths(
    engine_url: str, months: str, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """As those of all documents that are there in the end, grouped at once."""
    monkeypatch.setattr(archived_keys, "MIN_INDICES", 2)
    chance = random.Random(seed)
    texts = {name: {"body": page("", name).text} for name in ("abc", "cde", "abcde", "fgh", "fghi", "xyz")}
    world = Months(engine_url)
    for turn in range(10):
        world.change(chance)
        drawn = [f"t{turn}-{number}" for number in range(4)]
        write(engine_url, world.newest, {id_: texts[chance.choice([*texts])] for id_ in drawn})
        gone = chance.choice([*everything(engine_url, world.newest)])
        ask(engine_url, "DELETE", f"/{world.newest}/_doc/{gone}?refresh=true")
        with closing(open_engine(months, must_exist=True)) as engine:
            assert isinstance(engine, ClusterEngine)
            follower = Groupers(engine, FIELDS)
            if chance.random() < 0.6:
                how = chance.choice(["before", "a part", "after"])
                engine.cluster.client = Mortal(engine.cluster.client, chance.randrange(1, 5), how)
            with suppress(Death):
                follower.poll()
    world.open_all()
    with closing(open_engine(months, must_exist=True)) as engine:
        follower = Groupers(engine, FIELDS)
        for _ in range(3):
            sweep(follower)
        assert not wrong(engine)


@servers(["opensearch-3", "opensearch-2.19"])  # the Elasticsearch of the tests has no data streams
def test_a_data_stream_is_grouped_where_its_documents_lie(engine_url: str, tmp_path: Path) -> None:
    index = index_of(engine_url)
    mapping = {**MAPPING, "properties": {**MAPPING["properties"], **STREAM}}  # type: ignore[dict-item]
    template = {"index_patterns": [index], "data_stream": {}, "template": {"mappings": mapping}}
    ask(engine_url, "PUT", f"/_index_template/{index}", {**template, "priority": 900})
    first, second = deal({id_: {**one, "@timestamp": "2026-01-01"} for id_, one in sources().items()}, 2)
    try:
        write(engine_url, index, first, "create")
        assert len({*labels(engine_url, index).values()}) == 1
        backfill(engine_url, tmp_path)  # of the one index that there is
        assert len(partition(labels(engine_url, index))) == 8
        ask(engine_url, "POST", f"/{index}/_rollover")
        write(engine_url, index, second, "create")
        backfill(engine_url, tmp_path)
        stories = {frozenset(f"s{story}_{copy}" for copy in range(6)) for story in range(8)}
        assert partition(labels(engine_url, index)) == stories
        with closing(open_engine(engine_url, must_exist=True)) as engine:
            follower = Groupers(engine, FIELDS)
            ask(engine_url, "POST", f"/{index}/_rollover")
            write(engine_url, index, {"late": {**first["s3_2"], "@timestamp": "2026-01-02"}}, "create")
            follower.poll()
            assert labels(engine_url, index)["late"] == labels(engine_url, index)["s3_2"]
        assert "data stream" in error("add", "--engine", engine_url, "-", stdin=b'{"text": "A story."}')
    finally:
        ask(engine_url, "DELETE", f"/_data_stream/{index}")
        ask(engine_url, "DELETE", f"/_index_template/{index}")


@servers(ONE_OF_EACH)
def test_an_article_that_was_indexed_again_after_a_rollover_shows_the_group_of_the_latest(
    engine_url: str, months: str, tmp_path: Path
) -> None:
    """Its id stands in two indices then; neither is left without a group, and only one is a member."""
    index = index_of(engine_url)
    write(engine_url, f"{index}-2", {"s1_0": {"body": story("k")}, "copy": {"body": story("k")}})
    backfill(months, tmp_path)
    twin = labels(engine_url, f"{index}-0")["s1_0"]
    assert twin == labels(engine_url, f"{index}-2")["s1_0"] == labels(engine_url, f"{index}-2")["copy"]
    with closing(open_engine(months, must_exist=True)) as engine:
        follower = Groupers(engine, FIELDS)
        sweep(follower)
        write(engine_url, f"{index}-2", {"s2_0": sources()["s3_0"]})  # s2_0 is in another one, and a record
        sweep(follower)
        sweep(follower)  # which settles what the first has written
        shown = [labels(engine_url, f"{index}-{number}").get("s2_0") for number in range(3)]
        assert {one for one in shown if one} == {labels(engine_url, index_of(months))["s3_1"]}
        assert not wrong(engine)
        ask(engine_url, "DELETE", f"/{index}-2/_doc/copy")  # of two members, beside what is none
        sweep(follower)
        assert not wrong(engine)
        ask(engine_url, "DELETE", f"/{index}-2/_doc/s2_0")
        sweep(follower)  # the older one is of its own story again
        now = labels(engine_url, index_of(months))
        assert now["s2_0"] == now["s2_1"] != now["s3_1"]


@servers(ONE)
def test_an_index_that_takes_no_writes_is_left_as_it_is(engine_url: str, months: str, tmp_path: Path) -> None:
    fixed, setting = f"/{index_of(engine_url)}-0", {"index.blocks.write": True}
    before = everything(engine_url, fixed[1:])
    ask(engine_url, "PUT", f"{fixed}/_settings", setting)
    report = backfill(months, tmp_path)
    assert (report.states.total(), report.failures) == (32, {})
    assert everything(engine_url, fixed[1:]) == before
    ask(engine_url, "PUT", f"{fixed}/_settings", {"index.blocks.write": False})
    backfill(months, tmp_path)
    ask(engine_url, "PUT", f"{fixed}/_settings", setting)
    grouped = everything(engine_url, fixed[1:])
    assert backfill(months, tmp_path, config=Config(methods={})).failures == {}
    assert everything(engine_url, fixed[1:]) == grouped


@servers(ONE)
def test_a_closed_index_is_named_by_doctor_and_grouped_once_it_is_open(
    engine_url: str, months: str, tmp_path: Path
) -> None:
    first = f"{index_of(engine_url)}-0"
    ask(engine_url, "POST", f"/{first}/_close")
    assert backfill(months, tmp_path).states.total() == 32
    assert f"closed, so its documents are not found: {first}" in cli("doctor", "--engine", months).output
    ask(engine_url, "POST", f"/{first}/_open")
    assert backfill(months, tmp_path).states["joined"] == 16
    assert "closed" not in cli("doctor", "--deep", "--engine", months).output


@servers(ONE)
def test_readers_and_corrections_go_on_as_before_when_an_index_comes_that_nobody_has_grouped_yet(
    engine_url: str, months: str, tmp_path: Path
) -> None:
    """It says nothing of the fields yet, though it is the newest; an unfit one is left alone."""
    index, unfit = index_of(engine_url), {"properties": {"number": {"type": "integer"}}}
    backfill(months, tmp_path)
    word = sources()["s1_0"]["body"].split()[0]
    found = json.loads(cli("search", word, "--engine", months, "--json").stdout)["stories"]
    assert found
    ask(engine_url, "PUT", f"/{index}-7", {"mappings": MAPPING})
    ask(engine_url, "PUT", f"/{index}-8", {"mappings": unfit})
    write(engine_url, f"{index}-8", {"other": {"number": 3}})
    assert json.loads(cli("search", word, "--engine", months, "--json").stdout)["stories"] == found
    cli("keep-apart", "s1_0", "s1_1", "--engine", months)
    assert labels(engine_url, f"{index}-8") == {"other": None}
    assert ask(engine_url, "GET", f"/{index}-8/_mapping")[f"{index}-8"]["mappings"] == unfit
    ask(engine_url, "DELETE", f"/{index}-8")
    assert not backfill(months, tmp_path).failures


@servers(ONE)
def test_an_alias_with_a_filter_is_refused_and_nothing_is_written(
    engine_url: str, months: str, tmp_path: Path
) -> None:
    index = f"{index_of(engine_url)}-1"
    some = {"index": index, "alias": f"{index}-some", "filter": {"match": {"headline": "flood"}}}
    ask(engine_url, "POST", "/_aliases", {"actions": [{"add": some}]})
    before = everything(engine_url, index)
    alias = f"{engine_url}-1-some"
    for command in ("backfill", "follow", "filter"):
        words = ["--work", tmp_path] if command == "backfill" else []
        assert "has a filter" in error(command, "--engine", alias, "--fields", "text=body", *words)
    assert everything(engine_url, index) == before
    cli("backfill", "--engine", f"{engine_url}-1", "--fields", "text=body", "--work", tmp_path)
    assert "has a filter" in error("search", "flood", "--engine", alias)


@servers(ONE)
def test_what_cannot_be_one_is_explained(engine_url: str, months: str, tmp_path: Path) -> None:
    other, index = f"{engine_url}-9", index_of(engine_url)
    assert "are not grouped together" in error("search", "flood", "--engine", months)
    ask(engine_url, "PUT", f"/{index}-9", {"mappings": {"properties": {"body": {"type": "keyword"}}}})
    assert "name indices of one kind" in error(
        "backfill", "--engine", months, "--fields", "text=body", "--work", tmp_path
    )
    ask(engine_url, "DELETE", f"/{index_of(other)}")
    backfill(months, tmp_path)
    assert "give that name" in error("backfill", "--engine", f"{engine_url}-1", "--work", tmp_path)
    assert "give that name" in error("search", "flood", "--engine", f"{engine_url}-1")
    ask(engine_url, "POST", "/_aliases", {"actions": [{"add": {"index": f"{index}-*", "alias": index}}]})
    assert "give that name" in error("search", "flood", "--engine", engine_url)
    assert "no write index" in error("add", "--engine", months, "-", stdin=b'{"text": "A story."}')
    ask(engine_url, "PUT", f"/{index}-8", {"mappings": {"properties": {"number": {"type": "integer"}}}})
    block = f"/{index}-0/_settings"
    ask(engine_url, "PUT", block, {"index.blocks.write": True})
    cli("backfill", "--engine", months, "--undo", "--yes", "--work", tmp_path, status=1)
    assert set(labels(engine_url, f"{index}-0").values()) != {None}
    ask(engine_url, "PUT", block, {"index.blocks.write": False})
    cli("backfill", "--engine", months, "--undo", "--yes", "--work", tmp_path)
    assert not list(ask(engine_url, "GET", f"/dup-groups-{index}*?expand_wildcards=all"))
    assert set(labels(engine_url, index_of(months)).values()) == {None}
    backfill(f"{engine_url}-1", tmp_path)
