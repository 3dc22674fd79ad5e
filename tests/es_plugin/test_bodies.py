"""The requests as whole values: what goes over the wire, without a wire."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

from dupgroups.engines import open_engine
from dupgroups.engines.url import EngineURL
from dupgroups.errors import ConfigError, MissingExtraError
from dupgroups.model import Content, Document, Query, Record, Signature, Tie
from dupgroups.text.query_syntax import Run, Search, Term, parse
from dupgroups_es import queries
from dupgroups_es.documents import document_source, hit_document
from dupgroups_es.layout import OURS
from dupgroups_es.mapping import (
    RECORD_FIELDS,
    index_body,
    missing_fields,
    version_of,
    wrong_fields,
)
from dupgroups_es.options import Options
from dupgroups_es.overlay import Overlay
from dupgroups_es.retry import Patience
from dupgroups_es.transport import Action, RefusedError

RECORD = Record(
    *("b", "a", "www.example.org", Signature("s1", ("k1", "k2"), b"\x00\xff"), 5, 7, "f0", 9, False, 20_455),
    ties=(Tie("a", "duplicate", 0.9312),),
)
CONTENT = Content(
    *("The text.", "A Title", "2026-01-02", "en", "https://example.org/b", "Example", 0.5),
    author="A. Lee, B. Kim",
    image="https://example.org/b.jpg",
    scope='{"tenant": "acme"}',
)
SOURCE = {
    "dup_id": "b",
    "dup_group": "a",
    "dup_head": False,
    "dup_host": "www.example.org",
    "dup_scheme": "s1",
    "dup_keys": ["k1", "k2"],
    "dup_signature": "AP8=",
    "dup_fingerprint": "f0",
    "dup_first_seen": 5,
    "dup_last_seen": 7,
    "dup_length": 9,
    "dup_canonical": False,
    "dup_published": 20_455,
    "dup_ties": ["duplicate 0.9312 a"],
    "url": "https://example.org/b",
    "site": "Example",
    "site_name": "Example",
    "date": "2026-01-02",
    "language": "en",
    "title": "A Title",
    "text": "The text.",
    "words": "a title a title a title the text",
    "terms": [*["a title a·en titl·en"] * 3, "the text the·en text·en"],
    "article": 0.5,
    "author": ["A. Lee", "B. Kim"],
    "image": "https://example.org/b.jpg",
    "scope": '{"tenant": "acme"}',
}


def test_a_document_is_stored_flat_and_comes_back_whole() -> None:
    document = Document(RECORD, CONTENT)
    assert document_source(document) == SOURCE
    hit = hit_document({"_id": "b", "_source": SOURCE})
    assert (hit, hit.record.ties) == (document, RECORD.ties)


def test_what_a_document_does_not_have_is_not_stored_and_its_host_stands_for_its_site() -> None:
    bare = Document(Record("a", "a", "a.example", Signature("s1")), Content(""))
    source = document_source(bare)
    assert not {"url", "site_name", "date", "language", "author", "image", "scope"} & set(source)
    assert (source["dup_head"], source["site"]) == (True, "a.example")
    assert hit_document({"_id": "a", "_source": source}) == bare


def test_an_index_takes_the_fields_of_documents_and_no_others() -> None:
    body = index_body(shards=3, refresh_interval="30s")
    assert body["settings"]["index"]["number_of_shards"] == 3
    assert body["settings"]["index"]["refresh_interval"] == "30s"
    mapping = body["mappings"]
    assert (mapping["dynamic"], version_of(mapping)) == ("strict", 1)
    assert set(SOURCE) == set(mapping["properties"])
    assert (missing_fields(mapping), wrong_fields(mapping)) == ([], {})


def test_missing_and_wrong_fields_of_a_foreign_mapping_are_listed() -> None:
    foreign = {"properties": {"dup_group": {"type": "text"}, "body": {"type": "text"}, "dup_keys": {}}}
    assert version_of(foreign) is None
    assert wrong_fields(foreign) == {"dup_group": "text", "dup_keys": "object"}
    assert set(missing_fields(foreign)) == set(RECORD_FIELDS) - {"dup_group", "dup_keys"}
    keys = index_body()["mappings"]["properties"]["dup_keys"]
    for field, problem in (
        ({"type": "keyword"}, "keyword"),
        (keys | {"analyzer": "standard"}, "text with another analyzer"),
        (keys | {"similarity": "BM25"}, "text with another similarity"),
    ):
        assert wrong_fields({"properties": {"dup_keys": field}}) == {"dup_keys": problem}


def test_candidates_are_scored_by_the_number_of_shared_keys() -> None:
    keys = {"query": "k1 k2", "analyzer": "whitespace", "minimum_should_match": 2}
    assert queries.candidates("s1", ["k1", "k2"], 50, 500, least=2) == {
        "size": 50,
        "terminate_after": 500,
        "track_total_hits": False,
        "_source": False,
        "stored_fields": "_none_",
        "seq_no_primary_term": True,
        "sort": [{"_score": "desc"}, {"dup_id": "asc"}],
        "query": {
            "bool": {"filter": [{"term": {"dup_scheme": "s1"}}], "must": [{"match": {"dup_keys": keys}}]}
        },
    }


def test_a_collapsed_search_never_aggregates_in_the_same_request() -> None:
    search = Search(Term((Run(("ferry",)),), ("ferry",)))
    query = Query("ferry", limit=5, offset=10, language="en", site="Example", author="A. Lee")
    matching = {
        "bool": {
            "must": [{"term": {"words": "ferry"}}],
            "must_not": [],
            "filter": [
                {"term": {"language": "en"}},
                {"term": {"site": "Example"}},
                {"term": {"author.names": "A. Lee"}},
            ],
        }
    }
    assert queries.hits(query, search, None) == {
        "size": 5,
        "from": 10,
        "track_total_hits": False,
        "_source": ["dup_group", "text", *OURS.shown],
        "sort": [
            {"_score": {"order": "desc"}},
            {"date": {"order": "desc", "missing": "_last"}},
            {"dup_last_seen": {"order": "desc"}},
            {"dup_id": {"order": "asc"}},
        ],
        "query": matching,
        "collapse": {"field": "dup_group"},
    }
    counts = queries.counts(query, search)
    assert "collapse" not in counts
    assert counts["query"] == matching
    assert counts["aggs"]["stories"] == {"cardinality": {"field": "dup_group", "precision_threshold": 40_000}}
    assert counts["aggs"]["site"]["terms"]["order"] == [{"stories": "desc"}, {"_key": "asc"}]


def test_every_part_of_a_search_has_its_clause() -> None:
    text = '"night train" fer* OR 2026 -"no way" ข่าว café'
    body = queries.hits(Query(text, since="2026-03-04", until="9999-12-31"), parse(text, "zh"), None)["query"]

    def phrase(words: str) -> dict[str, Any]:
        return {"match_phrase": {"terms": {"query": words, "analyzer": "whitespace"}}}

    def any_of(*clauses: dict[str, Any]) -> dict[str, Any]:
        return {"bool": {"should": list(clauses), "minimum_should_match": 1}}

    every = [
        phrase("night train"),
        any_of({"prefix": {"terms": "fer"}}, {"term": {"words": "2026"}}),
        any_of({"term": {"words": "ข่าว"}}, phrase("ข่า· าว·")),
        any_of(
            {"term": {"words": "café"}},
            {"term": {"words": "cafe"}},
            {"constant_score": {"filter": {"term": {"terms": "cafe·"}}, "boost": 0}},
        ),
    ]
    assert body["bool"] == {
        "must": [{"bool": {"must": every}}],
        "must_not": [phrase("no way")],
        "filter": [{"range": {"date": {"gte": "2026-03-04", "format": "strict_date"}}}],
    }


@pytest.mark.parametrize(
    ("action", "line"),
    [
        (Action("index", "i", "a", {}, alias=True), {"index": {"require_alias": True}}),
        (Action("update", "i", "a", {}, version=(7, 1)), {"update": {"if_seq_no": 7, "if_primary_term": 1}}),
        (Action("update", "i", "a", {}), {"update": {"retry_on_conflict": 3}}),
        (Action("delete", "i", "a"), {"delete": {}}),
    ],
    ids=["index", "versioned update", "update", "delete"],
)
def test_the_first_line_of_an_action_says_when_it_applies(action: Action, line: dict[str, Any]) -> None:
    ((operation, place),) = json.loads(action.lines().splitlines()[0]).items()
    assert {operation: place} == {operation: {"_index": "i", "_id": "a"} | line[operation]}


def test_a_full_disk_is_not_worth_a_retry() -> None:
    block = {"type": "cluster_block_exception", "reason": "index [news] blocked"}
    assert not RefusedError.from_answer(429, block).temporary
    assert RefusedError.from_answer(429, {"type": "es_rejected_execution_exception"}).temporary
    assert RefusedError.from_answer(503, "<html>").temporary
    assert not RefusedError.from_answer(400, None).temporary


def test_pauses_double_and_end() -> None:
    *pauses, end = Patience(tries=5).pauses()
    assert (len(pauses), end) == (4, None)
    for attempt, pause in enumerate(pauses):
        assert pause is not None
        assert 0.25 * 2**attempt <= pause <= 0.5 * 2**attempt
    assert list(Patience(tries=9, seconds=0).pauses()) == [None]


def test_the_overlay_knows_the_latest_state_of_what_it_holds() -> None:
    overlay = Overlay()
    overlay.put(RECORD)
    assert [record.id for record in overlay.candidates(Signature("s1", ("k2", "k9")), limit=9)] == ["b"]
    assert overlay.candidates(Signature("s2", ("k2",)), limit=9) == []
    wanted = [("s1", "k2"), ("s1", "k9"), ("s2", "k2")]
    assert [overlay.shared("b", Signature(scheme, (key,))) for scheme, key in wanted] == [1, 0, 0]
    assert overlay.shared("unknown", Signature("s1", ("k2",))) == 0
    overlay.put(Record("b", "c", "", Signature("s1", ("k9",))))
    assert overlay.candidates(Signature("s1", ("k1",)), limit=9) == []
    assert (overlay.members("a"), [record.id for record in overlay.members("c")]) == ([], ["b"])
    overlay.delete("b")
    assert (overlay.members("c"), overlay.get("b"), "b" in overlay) == ([], None, True)


def options(query: str, place: str = "localhost/news") -> Options:
    return Options.of(EngineURL.parse(f"opensearch://{place}?{query}", {}))


def test_options_of_the_url() -> None:
    assert options("") == Options()
    assert options("shards=3&refresh_interval=-1&retries=0&timeout=2.5&verify=false") == Options(
        shards=3, refresh_interval="-1", retries=0, timeout=2.5, verify=False
    )


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("shard=3", "unknown option 'shard'.*known: shards"),
        ("shards=0", "shards=0.*from 1 to 1024"),
        ("retries=many", "retries=many.*number"),
        ("timeout=nan", "timeout=nan.*number"),
        ("refresh_interval=١s", "refresh_interval=١s.*1s"),
        ("verify=maybe", "verify=maybe.*true or false"),
        ("ca=/no/such/file", "ca=/no/such/file.*no such file"),
    ],
)
def test_an_option_that_makes_no_sense_is_explained(query: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        options(query)


@pytest.mark.parametrize("place", ["/news", "localhost:9200/"])
def test_a_url_without_host_or_index(place: str) -> None:
    with pytest.raises(ConfigError, match="name host and index"):
        options("", place)


@pytest.mark.parametrize(
    ("kind", "package"), [("opensearch", "opensearchpy"), ("elasticsearch", "elasticsearch")]
)
def test_a_missing_client_is_one_sentence(kind: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, f"dupgroups_es.{kind}", raising=False)
    with pytest.raises(MissingExtraError, match=rf"pip install 'dup-groups\[{kind}\]'"):
        open_engine(f"{kind}://localhost:9200/news")
