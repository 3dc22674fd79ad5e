"""Indices of other tools after they were adopted: they are opened by their URL alone, like our own."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from browser.serving import serving
from commands import run
from dupgroups import Config, Deduper, Page
from dupgroups.audit import audit
from dupgroups.backfill import Backfill
from dupgroups.engines.foreign import Fields
from dupgroups.errors import ConfigError, EngineError, InputError
from dupgroups.model import Query
from dupgroups_es.base import ClusterEngine
from engines.documents import found
from es_plugin.clusters import ALL, ONE, ONE_OF_EACH, ask, servers
from stories import story

Opened = Callable[[str], ClusterEngine]

FIELDS = Fields("body", None, "meta.headline", "link", "published", "lang", "outlet", "by", None)
PROPERTIES: dict[str, Any] = {
    "body": {"type": "text", "analyzer": "prose"},
    "meta": {"properties": {"headline": {"type": "text", "fields": {"raw": {"type": "keyword"}}}}},
    "link": {"type": "keyword"},
    "published": {"type": "date"},
    "lang": {"type": "keyword"},
    "outlet": {"type": "text", "fields": {"keyword": {"type": "keyword", "ignore_above": 256}}},
    "by": {"type": "keyword"},
    "clicks": {"type": "integer"},
}
ANALYSIS = {"analyzer": {"prose": {"type": "standard", "stopwords": ["the", "a", "were"]}}}
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
    "w1": {"body": FLOOD, "meta": {"headline": "Flood"}, "published": "2026-03-02", "lang": "de"},
}


def index_of(engine_url: str) -> str:
    return engine_url.rsplit("/", 1)[1]


def fill(
    engine_url: str, documents: dict[str, dict[str, Any]], mapping: dict[str, Any] | None = None
) -> None:
    index = index_of(engine_url)
    if mapping is not None:
        settings = {"number_of_shards": 2, "number_of_replicas": 0, "analysis": ANALYSIS}
        ask(engine_url, "PUT", f"/{index}", {"settings": settings, "mappings": mapping})
    for id_, source in documents.items():
        ask(engine_url, "PUT", f"/{index}/_doc/{id_}", source)
    ask(engine_url, "POST", f"/{index}/_refresh")


def source_of(engine_url: str, id_: str) -> dict[str, Any]:
    """What is stored, without what was added."""
    source = ask(engine_url, "GET", f"/{index_of(engine_url)}/_doc/{id_}")["_source"]
    return {name: value for name, value in source.items() if not name.startswith("dup_")}


def mapping_of(engine_url: str) -> dict[str, Any]:
    ((_, answer),) = ask(engine_url, "GET", f"/{index_of(engine_url)}/_mapping").items()
    mapping: dict[str, Any] = answer["mappings"]
    return mapping


@pytest.fixture
def adopted(engine_url: str, opened: Opened) -> ClusterEngine:
    """An index of another tool, opened by its URL after it was adopted."""
    fill(engine_url, DOCUMENTS, MAPPING)
    assert Backfill(opened(engine_url), FIELDS).run().failures == {}
    return opened(engine_url)


def well(engine: ClusterEngine) -> bool:
    return all(check.ok for check in [*engine.check(), *audit(engine)])


# -- search


@servers(ALL)
def test_an_adopted_index_is_searched_by_its_own_fields_and_analyzers(adopted: ClusterEngine) -> None:
    assert found(adopted, "ferry colliding") == ["f1"]  # one in the title, the other in the text
    assert found(adopted, "the FERRY") == ["f1", "f2"]  # the analyzer of the text leaves out "the"
    assert found(adopted, "barge flood", any_word=True) == ["w1", "f1", "f2"]
    assert [found(adopted, text) for text in ("the", "?!", "nowhere ferry")] == [[], [], []]
    assert found(adopted) == ["f2", "w1", "f1"]  # newest first, whatever form the date has
    assert found(adopted, site="Alpha") == found(adopted, author="B. Kim") == ["f1"]
    assert found(adopted, language="de") == ["w1"]
    results = adopted.search(Query("ferry"))
    (hit,) = results.hits
    assert (hit.group, hit.size, hit.sites, len(hit.copies)) == ("f1", 2, 2, 1)
    assert {copy.site for copy in (hit.shown, *hit.copies)} == {"Alpha", "Beta"}
    assert {facet.value: facet.count for facet in results.facets["site"]} == {"Alpha": 1, "Beta": 1}
    assert adopted.search(Query(mode="head")).stories == 2
    copies = {copy.id: copy for copy in adopted.copies("f1")}
    assert (copies["f1"].title, copies["f1"].author) == ("Ferry strikes barge", "A. Lee, B. Kim")
    assert (copies["f2"].title, copies["f2"].date) == ("Barge struck by a ferry", "2026-03-03T00:00:00Z")


@servers(ONE)
def test_words_are_folded_by_the_analyzers_of_the_index(
    adopted: ClusterEngine, engine_url: str, opened: Opened
) -> None:
    """Our own folding makes strasse and 台湾 of these, which that index does not have."""
    fill(engine_url, {"s": {"body": f"Eine Straße am Hafen, 臺灣大學. {story('s')}"}})
    assert Backfill(opened(engine_url), FIELDS).run().failures == {}
    for text in ("Straße", "STRAßE hafen", '"eine Straße"', "Straß*", "臺灣大學", "Straße OR nowhere"):
        assert found(adopted, text) == ["s"], text
    assert found(adopted, "hafen -Straße") == []


@servers(ONE_OF_EACH)
def test_every_document_is_on_one_page_of_a_cursor(adopted: ClusterEngine) -> None:
    for text in ("", "ferry flood"):
        ids, cursor = [], None
        for _ in DOCUMENTS:
            page = adopted.search(Query(text, "all", 1, any_word=True, cursor=cursor))
            ids += [hit.shown.id for hit in page.hits]
            cursor = page.cursor
        assert (sorted(ids), cursor) == (sorted(DOCUMENTS), None)


@servers(ONE_OF_EACH)
def test_hostile_queries_are_only_words(adopted: ClusterEngine) -> None:
    for text in (
        "\ud800",
        "\0",
        "ferry* AND -body:x",
        "洪" * 500,
        "x" * 999,
    ):
        adopted.search(Query(text))
    for text in ("洪" * 5000, "洪 " * 5000, "a.b-c " * 999, "x" * 99_999):
        with pytest.raises(InputError, match="the search has more than 32 words"):
            adopted.search(Query(text))
    assert found(adopted, '"ferry" ?!') == ["f1", "f2"]


@servers(ONE_OF_EACH)
def test_documents_that_nobody_has_grouped_are_not_found_but_counted(
    adopted: ClusterEngine, engine_url: str
) -> None:
    fill(engine_url, {"new": {"body": "A ferry again."}})
    assert found(adopted, "ferry") == ["f1", "f2"]
    assert [document.record.id for document in adopted.scan()] == ["f1", "f2", "w1"]
    assert [check.detail[:24] for check in adopted.check() if not check.ok] == ["1 without dup_group, whi"]


@servers(ONE)
def test_an_index_without_fields_for_it_says_what_it_cannot_do(engine_url: str, opened: Opened) -> None:
    fill(engine_url, {"a": {"text": FERRY, "url": "https://a.example/1", "language": "en"}})
    Backfill(opened(engine_url)).run()
    engine = opened(engine_url)
    assert found(engine, site="a.example") == ["a"], "hosts stand for sites"
    assert found(engine, language="en") == ["a"], "by the keyword that a dynamic mapping adds"
    with pytest.raises(
        InputError, match=r"the author is in no field .* --fields author=FIELD --change-fields"
    ):
        engine.search(Query(author="A. Lee"))
    with serving(engine) as site:
        assert site.get("/api/search?author=A").status == 400


@servers(ONE)
def test_words_are_searched_where_the_index_has_them(engine_url: str, opened: Opened) -> None:
    words = {"type": "text", "analyzer": "whitespace"}
    mapping = {"properties": {"text": {"type": "text", "index": False}, "words": words}}
    fill(engine_url, {"a": {"text": "北京大学", "words": "北京 大学 北京大学"}}, mapping)
    Backfill(opened(engine_url)).run()
    engine = opened(engine_url)
    assert found(engine, "大學") == ["a"]
    Deduper(engine).add(Page(id="b", text="The ferry sank."))
    assert found(engine, "ferry") == ["b"]


@servers(ONE_OF_EACH)
def test_the_search_page_and_command_show_an_adopted_index(
    adopted: ClusterEngine,
    engine_url: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(monkeypatch, "search", "ferry", "--engine", engine_url) == 0
    assert "also from" in capsys.readouterr().out
    with serving(adopted) as site:
        shown = site.get("/?q=ferry").text
        assert "Ferry strikes barge" in shown or "Barge struck by a ferry" in shown
        assert "Beta" in shown
        story_of = site.get("/groups/f1")
        assert (story_of.status, "Barge struck by a ferry" in story_of.text) == (200, True)
        answer = json.loads(site.get("/api/search?q=ferry&site=Alpha").text)
        assert [hit["shown"]["url"] for hit in answer["hits"]] == ["https://a.example/ferry"]


# -- writing


@servers(ALL)
def test_a_crawl_writes_into_an_adopted_index(adopted: ClusterEngine, engine_url: str) -> None:
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
    assert well(adopted)
    again = Backfill(adopted).run()
    assert (again.states, again.failures) == ({"unchanged": 4}, {})


@servers(ONE_OF_EACH)
def test_a_crawl_completes_what_another_tool_wrote_and_nobody_grouped(
    adopted: ClusterEngine, engine_url: str
) -> None:
    fill(engine_url, {"new": {"body": "An old text.", "clicks": 7}})
    assert Deduper(adopted).add(Page(id="new", text=FLOOD, language="en")).group == "w1"
    assert source_of(engine_url, "new") == {"body": FLOOD, "clicks": 7, "lang": "en"}
    adopted.put(list(adopted.read(["new"]).values()))
    assert source_of(engine_url, "new")["clicks"] == 7


@servers(ONE)
def test_a_crawl_does_not_replace_html_nor_lose_a_scope(engine_url: str, opened: Opened) -> None:
    mapping = {"properties": {name: {"type": "text"} for name in ("text", "page", "tenant")}}
    fill(engine_url, {"a": {"page": f"<html><p>{FERRY}</p></html>", "tenant": "x"}}, mapping)
    fields = Fields(html="page")
    Backfill(opened(engine_url), fields).run()
    failed = Deduper(opened(engine_url)).add(Page(id="a", text=FLOOD))
    assert (failed.state, "keeps html" in failed.reason) == ("failed", True)
    scoped = {"id": "b", "text": FLOOD, "tenant": "y"}
    config = Config(group_by=("tenant",))
    failed = Deduper(opened(engine_url), config).add(scoped)
    assert (failed.state, "adopted without group_by" in failed.reason) == ("failed", True)
    Backfill(opened(engine_url), config=config).run()
    assert Deduper(opened(engine_url), config).add(scoped).state == "new"
    assert source_of(engine_url, "b")["tenant"] == "y"
    assert Backfill(opened(engine_url), config=config).run().states == {"unchanged": 2}


@servers(ONE_OF_EACH)
def test_deleting_shrinks_the_groups_of_an_adopted_index(
    adopted: ClusterEngine, engine_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Deduper(adopted).delete(["f1"])
    adopted.refresh()
    assert adopted.resolve(["f1"]) == {"f1": "f2"}
    assert {document.record.group for document in adopted.scan()} == {"f2", "w1"}
    assert run(monkeypatch, "delete", "--query", "flood", "--engine", engine_url) == 0
    assert found(adopted) == ["f2"]


@servers(ALL)
def test_settling_everything_mends_an_adopted_index(
    adopted: ClusterEngine, engine_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    apart = {"doc": {"dup_group": "f2", "dup_head": True}}
    ask(engine_url, "POST", f"/{index_of(engine_url)}/_update/f2?refresh=true", apart)
    assert run(monkeypatch, "doctor", "--deep", "--engine", engine_url) == 1
    assert run(monkeypatch, "settle", "--all", "--engine", engine_url) == 0
    assert run(monkeypatch, "doctor", "--deep", "--engine", engine_url) == 0
    out = tmp_path / "groups.csv"
    assert run(monkeypatch, "groups", "--engine", engine_url, "--out", str(out)) == 0
    assert out.read_text().splitlines() == [
        "id,group,size,head",
        "f1,f1,2,true",
        "f2,f1,2,false",
        "w1,w1,1,true",
    ]


# -- routing


@servers(ALL)
def test_documents_with_a_routing_of_their_own_keep_it(engine_url: str, opened: Opened) -> None:
    index, texts = index_of(engine_url), {"a": FERRY, "b": FERRY, "c": FLOOD, "d": FERRY}
    fill(engine_url, {"d": {"text": FERRY}}, {"properties": {"text": {"type": "text"}}})
    for place, id_ in enumerate("abc"):
        ask(engine_url, "PUT", f"/{index}/_doc/{id_}?routing=r{place}&refresh=true", {"text": texts[id_]})
    assert Backfill(opened(engine_url)).run().failures == {}
    engine = opened(engine_url)
    assert set(engine.get([*"abcd", "nosuch"])) == set(engine.read(list("abcd"))) == set("abcd")
    deduper = Deduper(engine)
    assert deduper.add(Page(id="b", text=FLOOD)).state == "updated"
    engine.touch(["a"], 5)
    engine.refresh()
    assert engine.get(["a"])["a"].last_seen == 5
    assert well(engine)
    hits = ask(engine_url, "POST", f"/{index}/_search", {"size": 99})["hits"]["hits"]
    assert {hit["_id"]: hit.get("_routing") for hit in hits} == {"a": "r0", "b": "r1", "c": "r2", "d": None}
    deduper.delete(["a", "c"])
    assert found(engine) == ["b", "d"]


@servers(ONE_OF_EACH)
def test_an_index_that_asks_for_a_routing_is_grouped_too(engine_url: str, opened: Opened) -> None:
    index = index_of(engine_url)
    fill(engine_url, {}, {"_routing": {"required": True}, "properties": {"text": {"type": "text"}}})
    for id_ in "ab":
        ask(engine_url, "PUT", f"/{index}/_doc/{id_}?routing=r{id_}&refresh=true", {"text": FERRY})
    assert Backfill(opened(engine_url)).run().failures == {}
    engine = opened(engine_url)
    assert len(engine.get(["a", "b"])) == 2
    assert len({record.group for record in engine.get(["a", "b"]).values()}) == 1
    failed = Deduper(engine).add(Page(id="new", text=FLOOD))
    assert (failed.state, "routing is required" in failed.reason) == ("failed", True)


# -- adopting


@servers(ONE_OF_EACH)
def test_the_field_map_is_kept_and_changed_only_on_demand(
    adopted: ClusterEngine,
    engine_url: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    kept = {"text": "body", "title": "meta.headline", "url": "link", "date": "published"}
    kept |= {"language": "lang", "site": "outlet", "author": "by"}
    assert mapping_of(engine_url)["_meta"] == {"owner": "another tool", "dup_groups": {"fields": kept}}
    for options in ([], ["--fields", "text=body"], ["--fields", "image="]):
        assert run(monkeypatch, "backfill", "--engine", engine_url, *options) == 0
    capsys.readouterr()
    assert run(monkeypatch, "backfill", "--engine", engine_url, "--fields", "site=by") == 1
    assert "adopted with the fields text=body" in capsys.readouterr().err
    changes = ["--fields", "site=by", "--change-fields"]
    assert run(monkeypatch, "backfill", "--engine", engine_url, *changes, "--dry-run") == 0
    assert mapping_of(engine_url)["_meta"]["dup_groups"] == {"fields": kept}
    assert run(monkeypatch, "backfill", "--engine", engine_url, *changes) == 0
    assert mapping_of(engine_url)["_meta"] == {
        "owner": "another tool",
        "dup_groups": {"fields": kept | {"site": "by"}},
    }


@servers(ONE)
def test_an_alias_of_one_index_opens_it_and_shares_what_is_noted_beside_it(
    adopted: ClusterEngine, engine_url: str, opened: Opened
) -> None:
    index = index_of(engine_url)
    alias = {"index": index, "alias": f"{index}-alias", "filter": {"term": {"lang": "de"}}}
    ask(engine_url, "POST", "/_aliases", {"actions": [{"add": alias}]})
    assert len(found(opened(f"{engine_url}-alias"))) == 3, "groups are those of the whole index"
    Deduper(opened(f"{engine_url}-alias")).delete(["f1"])
    assert opened(f"{engine_url}*").resolve(["f1"]) == adopted.resolve(["f1"]) == {"f1": "f2"}
    ask(engine_url, "PUT", f"/{index}-other")
    for name in (f"{engine_url}*", f"{engine_url},{index}-other"):
        with pytest.raises(EngineError, match="stands for 2 indices: give"):
            opened(name).search(Query())
        with pytest.raises(ConfigError, match="stands for 2 indices: name one"):
            opened(name).adopt(FIELDS)


BODY = {"type": "text"}
UNFIT: list[tuple[dict[str, Any], str]] = [
    ({"properties": {"other": BODY}}, "no field 'body' for the text; it has other"),
    ({"properties": {"body": {"properties": {"x": BODY}}}}, "of type object"),
    ({"properties": {"body": {"type": "long"}}}, "of type long"),
    (
        {"properties": {"real": BODY, "body": {"type": "alias", "path": "real"}}},
        "of type alias, not text: name the field with the text",
    ),
    ({"_source": {"enabled": False}, "properties": {"body": BODY}}, "does not store _source"),
    ({"_source": {"excludes": ["x"]}, "properties": {"body": BODY}}, "a part of _source only"),
    ({"properties": {"body": BODY, "dup_group": BODY}}, "dup_group is text, not keyword"),
    (
        {"_meta": {"dup_groups": {"fields": {"text": 1}}}, "properties": {"body": BODY}},
        "take dup_groups out of it",
    ),
]


@servers(ONE)
def test_an_index_that_cannot_be_adopted_is_explained_and_left_alone(engine_url: str, opened: Opened) -> None:
    for place, (mapping, sentence) in enumerate(UNFIT):
        url = f"{engine_url}-{place}"
        fill(url, {}, mapping)
        before = mapping_of(url)
        with pytest.raises(ConfigError, match=sentence):
            Backfill(opened(url), Fields("body")).run()
        assert mapping_of(url) == before


@servers(ONE)
def test_text_in_nested_objects_cannot_be_adopted(engine_url: str, opened: Opened) -> None:
    fill(engine_url, {}, {"properties": {"parts": {"type": "nested", "properties": {"body": BODY}}}})
    with pytest.raises(ConfigError, match=r"no field 'parts.body'"):
        Backfill(opened(engine_url), Fields("parts.body")).run()


@servers(ONE)
def test_doctor_says_what_an_index_of_other_tools_lacks(engine_url: str, opened: Opened) -> None:
    fill(engine_url, DOCUMENTS, MAPPING)
    Backfill(opened(engine_url), FIELDS).run()
    index = index_of(engine_url)
    ask(engine_url, "PUT", f"/{index}/_mapping", {"_meta": {}})
    (problem,) = [check.detail for check in opened(engine_url).check() if not check.ok]
    assert "was not created by dup-groups" in problem
    with pytest.raises(EngineError, match="adopt it with `dup-groups backfill`"):
        opened(engine_url).search(Query())
    assert Backfill(opened(engine_url), FIELDS).run().states == {"unchanged": 3}
    assert found(opened(engine_url), "ferry") == ["f1", "f2"]
    ask(engine_url, "PUT", f"/{index}/_mapping", {"_meta": {"dup_groups": {"fields": []}}})
    assert "cannot be read" in " ".join(check.detail for check in opened(engine_url).check() if not check.ok)


@servers(ONE)
def test_fields_that_a_dynamic_mapping_leaves_out_are_read_and_written(
    engine_url: str, opened: Opened
) -> None:
    fill(engine_url, {"a": {"text": FERRY, "title": "One"}}, {"dynamic": False, "properties": {}})
    assert Backfill(opened(engine_url)).run().failures == {}
    engine = opened(engine_url)
    Deduper(engine).add(Page(id="b", text=FERRY, title="Two"))
    engine.refresh()
    assert {copy.title for copy in engine.copies("a")} == {"One", "Two"}
    with pytest.raises(InputError, match=r"neither the title nor the text of this index .* can be searched"):
        engine.search(Query("ferry"))
