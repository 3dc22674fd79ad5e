"""Indices of other tools after they were adopted: they are opened by their URL alone, like our own."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from commands import cli, error
from dupgroups import Deduper, Page
from dupgroups.bulk.audit import audit
from dupgroups.errors import ConfigError
from dupgroups.model import Query
from dupgroups.model.field_names import Fields
from dupgroups.text.iso_dates import minute_of
from dupgroups.web.overview import read_overview
from dupgroups_es.base import ClusterEngine
from engines.documents import found
from es_plugin.backfill.external import backfill
from es_plugin.clusters import ALL, ONE, ask, everything, fill, index_of, mapping_of, servers, stored
from flow.scenes import groups
from stories import story

Opened = Callable[[str], ClusterEngine]

FIELDS = Fields("body", None, "meta.headline", "link", "published", "lang", "outlet", "by", None)
PROPERTIES: dict[str, Any] = {
    "body": {"type": "text", "analyzer": "prose"},
    "meta": {"properties": {"headline": {"type": "text", "fields": {"raw": {"type": "keyword"}}}}},
    "link": {"type": "keyword"},
    "published": {"type": "date", "format": "dd/MM/yyyy||strict_date_optional_time||epoch_millis"},
    "lang": {"type": "keyword"},
    "outlet": {"type": "text", "fields": {"keyword": {"type": "keyword", "ignore_above": 256}}},
    "by": {"type": "keyword"},
    "clicks": {"type": "integer"},
}
ANALYSIS = {"analyzer": {"prose": {"type": "standard", "stopwords": ["the", "a", "were"]}}}
BODY = {"type": "text"}
MAPPING: dict[str, Any] = {"dynamic": "strict", "_meta": {"owner": "another tool"}, "properties": PROPERTIES}

FERRY, FLOOD = story("ferry"), story("flood")
DOCUMENTS: dict[str, dict[str, Any]] = {
    "f1": {
        "body": f"The boats were colliding.\n{FERRY}",
        "meta": {"headline": "Ferry strikes barge"},
        "link": "https://a.example/ferry",
        "published": "2026-03-01",
        "lang": "en",
        "outlet": "Alpha",
        "by": ["A. Lee", "B. Kim"],
        "clicks": 1,
    },
    "f2": {
        "body": [FERRY[:300], FERRY[300:]],
        "meta.headline": "Barge struck by a ferry",
        "link": "https://b.example/ferry",
        "published": 1_772_496_000_000,  # 2026-03-03
        "lang": "en",
        "outlet": "Beta",
    },
    "w1": {"body": FLOOD, "meta": {"headline": "Flood"}, "published": "02/03/2026", "lang": "de"},
}


def source_of(engine_url: str, id_: str) -> dict[str, Any]:
    """What is stored, without what was added."""
    source = stored(engine_url, id_)
    return {name: value for name, value in source.items() if not name.startswith("dup_")}


@pytest.fixture
def adopted(engine_url: str, opened: Opened, tmp_path: Path) -> ClusterEngine:
    """An index of another tool, opened by its URL after it was adopted."""
    fill(engine_url, DOCUMENTS, MAPPING, number_of_shards=2, number_of_replicas=0, analysis=ANALYSIS)
    assert backfill(engine_url, tmp_path, FIELDS).failures == {}
    return opened(engine_url)


def wrong(engine: ClusterEngine) -> list[str]:
    return [check.detail for check in [*engine.check(), *audit(engine)] if not check.ok]


@servers(ALL)
def test_an_adopted_index_is_searched_by_its_own_fields_and_analyzers(adopted: ClusterEngine) -> None:
    assert found(adopted, "ferry colliding") == ["f1"]  # one in the title, the other in the text
    assert found(adopted, "the FERRY") == ["f1", "f2"]  # the analyzer of the text leaves out "the"
    assert found(adopted, "barge flood", any_word=True) == ["w1", "f1", "f2"]
    assert [found(adopted, text) for text in ("the", "?!", "nowhere ferry")] == [[], [], []]
    assert found(adopted) == ["f2", "w1", "f1"]  # newest first, whatever form the date has
    assert [copy.date for copy in adopted.copies("w1")] == ["2026-03-02"]
    kept = adopted.kept_fields()
    assert kept is not None
    assert kept.date_format == PROPERTIES["published"]["format"]  # for the filter
    assert adopted.get(["w1"])["w1"].published == minute_of("2026-03-02")
    assert found(adopted, site="Alpha") == found(adopted, author="B. Kim") == ["f1"]
    assert found(adopted, language="de") == ["w1"]
    results = adopted.search(Query("ferry"))
    (hit,) = results.hits
    assert (hit.group, hit.size, hit.sites, len(hit.copies)) == ("f1", 2, 2, 1)
    assert {copy.site for copy in (hit.shown, *hit.copies)} == {"Alpha", "Beta"}
    assert {facet.value: facet.count for facet in results.facets["site"]} == {"Alpha": 1, "Beta": 1}
    assert adopted.search(Query(mode="head")).stories == 2
    assert [(hit.group, hit.matching) for hit in adopted.search(Query(sort="copies")).hits] == [
        ("f1", 2),
        ("w1", 1),
    ]
    overview = read_overview(adopted)
    assert overview is not None
    assert (overview.day, [hit.group for hit in overview.of_day[1].hits]) == ("2026-03-03", ["f1"])
    assert [period.count for period in overview.of_month[1].histogram] == [1, 1, 1]
    copies = {copy.id: copy for copy in adopted.copies("f1")}
    assert (copies["f1"].title, copies["f1"].author) == ("Ferry strikes barge", "A. Lee, B. Kim")
    assert (copies["f2"].title, copies["f2"].date) == ("Barge struck by a ferry", "2026-03-03T00:00:00Z")
    for hostile in ("\ud800", "\0", "ferry* AND -body:x", "x" * 999, "洪" * 500):
        adopted.search(Query(hostile))


@servers(ALL)
def test_a_crawl_writes_to_an_adopted_index(adopted: ClusterEngine, engine_url: str, tmp_path: Path) -> None:
    deduper = Deduper(adopted)
    page = Page(url="https://c.example/x", text=FERRY, title="A copy", date="2026-03-04", language="en")
    outcome = deduper.add(page)
    assert (outcome.group, outcome.state) == ("f1", "joined")
    assert source_of(engine_url, outcome.id) == {
        "body": FERRY,
        "meta": {"headline": "A copy"},
        "link": "https://c.example/x",
        "published": "2026-03-04",
        "lang": "en",
        "outlet": "c.example",
    }
    before = source_of(engine_url, "f2")
    assert deduper.add(Page(id="f2", text=FERRY, title="New headline", language="en")).state == "updated"
    assert source_of(engine_url, "f2") == before | {"body": FERRY, "meta.headline": "New headline"}
    assert deduper.add(page).state == "unchanged"
    adopted.refresh()
    assert wrong(adopted) == []
    # the host of "f2" is that of the link that is stored, which the crawl did not give
    assert backfill(engine_url, tmp_path, None).states == {"unchanged": 3, "updated": 1}


@servers(ALL)
def test_settling_mends_and_deleting_shrinks_the_groups_of_an_adopted_index(
    adopted: ClusterEngine, engine_url: str, opened: Opened
) -> None:
    apart = {"doc": {"dup_group": "f2", "dup_head": True}}
    ask(engine_url, "POST", f"/{index_of(engine_url)}/_update/f2?refresh=true", apart)
    assert wrong(adopted)
    cli("regroup", "--all", "--engine", engine_url)
    assert wrong(opened(engine_url)) == []
    assert groups(adopted) == {"f1": "f1", "f2": "f1", "w1": "w1"}
    Deduper(adopted).delete(["f1"])
    assert groups(adopted) == {"f2": "f2", "w1": "w1"}


@servers(ALL)
def test_documents_with_their_own_routing_keep_it(engine_url: str, opened: Opened, tmp_path: Path) -> None:
    index, texts = index_of(engine_url), {"a": FERRY, "b": FERRY, "c": FLOOD, "d": FERRY}
    fill(engine_url, {"d": {"text": FERRY}}, {"properties": {"text": BODY}}, number_of_shards=2)
    for place, id_ in enumerate("abc"):
        ask(engine_url, "PUT", f"/{index}/_doc/{id_}?routing=r{place}&refresh=true", {"text": texts[id_]})
    assert backfill(engine_url, tmp_path, None).failures == {}
    engine = opened(engine_url)
    assert set(engine.get([*"abcd", "nosuch"])) == set(engine.read(list("abcd"))) == set("abcd")
    deduper = Deduper(engine)
    assert deduper.add(Page(id="b", text=FLOOD)).state == "updated"
    engine.touch(["a"], 5)
    engine.refresh()
    assert engine.get(["a"])["a"].last_seen == 5
    assert wrong(engine) == []
    routings = {id_: hit.get("_routing") for id_, hit in everything(engine_url).items()}
    assert routings == {"a": "r0", "b": "r1", "c": "r2", "d": None}
    deduper.delete(["a", "c"])
    assert found(engine) == ["b", "d"]


@servers(ONE)
def test_corrections_are_those_of_the_index_whatever_alias_it_is_opened_by(
    adopted: ClusterEngine, engine_url: str, opened: Opened
) -> None:
    entry = Deduper(adopted).correct("keep-apart", "f1", "f2", by="ann")
    ask(engine_url, "PUT", f"/{index_of(engine_url)}/_alias/{index_of(engine_url)}-alias")
    assert opened(f"{engine_url}-alias").corrections() == (entry,)


@servers(ONE)
def test_a_crawl_does_not_start_where_it_could_store_nothing(
    engine_url: str, opened: Opened, tmp_path: Path
) -> None:
    fill(engine_url, DOCUMENTS, MAPPING, number_of_replicas=0, analysis=ANALYSIS)
    (tmp_path / "docs.jsonl").write_text('{"id": "new", "text": "One."}\n')
    assert "was not created by dup-groups" in error("add", tmp_path / "docs.jsonl", "--engine", engine_url)
    backfill(engine_url, tmp_path, Fields(text=None, html="body"))
    with pytest.raises(ConfigError, match="its index keeps html"):
        Deduper(opened(engine_url)).ready()
    assert everything(engine_url).keys() == DOCUMENTS.keys()


@servers(ONE)
def test_the_field_map_is_kept_and_changed_only_on_demand(adopted: ClusterEngine, engine_url: str) -> None:
    def backfill(*options: str) -> dict[str, str]:
        cli("backfill", "--engine", engine_url, *options)
        meta = mapping_of(engine_url)["_meta"]
        assert meta["owner"] == "another tool"
        kept: dict[str, str] = meta["dup_groups"]["fields"]
        return kept

    kept = {name: field for name, field in FIELDS.to_json().items() if field}
    for options in ([], ["--fields", "text=body"], ["--fields", "image="]):
        assert backfill(*options) == kept
    sentence = error("follow", "--engine", engine_url, "--fields", "site=by")  # has no --change-fields
    assert f"adopted with site={FIELDS.site}, not site=by" in sentence
    assert "run `dup-groups backfill` with it and --change-fields" in sentence
    assert backfill("--fields", "site=by", "--change-fields", "--dry-run") == kept
    assert backfill("--fields", "site=by", "--change-fields") == kept | {"site": "by"}


UNFIT: list[tuple[dict[str, Any], str]] = [
    ({"properties": {"other": BODY}}, "no field 'body' for the text; it has other"),
    (
        {"properties": {"body": {"properties": {"x": BODY}}}},
        "of type object, not text: name the field with the text; it has body.x$",
    ),
    ({"properties": {"real": BODY, "body": {"type": "alias", "path": "real"}}}, "of type alias, not text"),
    ({"_source": {"enabled": False}, "properties": {"body": BODY}}, "does not store _source"),
    ({"properties": {"body": BODY, "dup_group": BODY}}, "dup_group is text, not keyword"),
    ({"_meta": {"dup_groups": {"fields": {"text": 1}}}, "properties": {"body": BODY}}, "take dup_groups out"),
]


@servers(ONE)
def test_an_index_that_cannot_be_adopted_is_explained_and_left_alone(engine_url: str, tmp_path: Path) -> None:
    for place, (mapping, sentence) in enumerate(UNFIT):
        url = f"{engine_url}-{place}"
        fill(url, {}, mapping)
        before = mapping_of(url)
        with pytest.raises(ConfigError, match=sentence):
            backfill(url, tmp_path, Fields("body"))
        assert mapping_of(url) == before
