"""Requests and answers as whole values: what goes over the wire, without a wire."""

import sys
from collections.abc import Callable
from typing import Any

import pytest

from dupgroups.engines import open_engine
from dupgroups.engines.url import EngineURL
from dupgroups.errors import ConfigError, MissingExtraError
from dupgroups.model import Content, Document, Record, Signature, Tie
from dupgroups_es import shapes
from dupgroups_es.document_source import document_source, hit_document, hit_record, is_record
from dupgroups_es.mapping import RECORD_FIELDS, index_body, missing_fields, version_of, wrong_fields
from dupgroups_es.story_search import unit
from dupgroups_es.transport import Action, NoAnswerError, Options

RECORD = Record(
    *("b", "a", "www.example.org", Signature("s1", ("k1", "k2"), b"\x00\xff"), 5, 7, "f0", 9, False, 20_455),
    ties=(Tie("a", "duplicate", 0.9312),),
)
CONTENT = Content(
    *("The text.", "A Title", "2026-01-02", "en", "https://example.org/b", "Example", 0.5),
    author="A. Lee, B. Kim",
    image="https://example.org/b.jpg",
    scope='{"tenant": "acme"}',
    source="apnews.com",
    owner="Postmedia Network",
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
    "site": "www.example.org",
    "site_name": "Example",
    "date": "2026-01-02",
    "language": "en",
    "title": "A Title",
    "text": "The text.",
    "words": "a title a title a title the text",
    "terms": [*["a title"] * 3, "the text", "a·en titl·en the·en text·en"],
    "article": 0.5,
    "author": ["A. Lee", "B. Kim"],
    "image": "https://example.org/b.jpg",
    "scope": '{"tenant": "acme"}',
    "source": "apnews.com",
    "owner": "Postmedia Network",
}


def test_a_document_is_stored_flat_and_comes_back_whole() -> None:
    document = Document(RECORD, CONTENT)
    assert document_source(document) == SOURCE
    hit = hit_document({"_id": "b", "_source": SOURCE})
    assert (hit, hit.record.ties) == (document, RECORD.ties)


UNTYPED = {"dup_head", "dup_id"}  # the engine does not rely on these
OPTIONAL = UNTYPED | {"dup_published", "dup_ties"}


@pytest.mark.parametrize(
    ("value", "fields"),
    [
        (None, OPTIONAL),
        (1, UNTYPED | {"dup_first_seen", "dup_last_seen", "dup_length", "dup_published"}),
        ({}, UNTYPED),
        ([], UNTYPED | {"dup_keys", "dup_ties"}),
        ([None], UNTYPED | {"dup_ties"}),
        ([1], UNTYPED | {"dup_ties"}),
    ],
)
def test_a_record_is_whatever_can_be_read_as_one(value: object, fields: set[str]) -> None:
    """Other tools may write into our fields, or lose some: `value` is one that only `fields` may have."""
    hits = {name: {"_id": "b", "_source": {**SOURCE, name: value}} for name in RECORD_FIELDS}
    assert {name for name, hit in hits.items() if is_record(hit)} == fields
    for name in fields:
        assert hit_record(hits[name]).signature.keys in (("k1", "k2"), ())


def test_what_a_document_does_not_have_is_not_stored_and_its_host_stands_for_its_site() -> None:
    bare = Document(Record("a", "a", "a.example", Signature("s1")), Content(""))
    source = document_source(bare)
    assert not {"url", "site_name", "date", "language", "author", "image", "scope", "source", "owner"} & set(
        source
    )
    assert (source["dup_head"], source["site"]) == (True, "a.example")
    assert hit_document({"_id": "a", "_source": source}) == bare


def test_missing_and_wrong_fields_of_an_external_mapping_are_listed() -> None:
    external = {"properties": {"dup_group": {"type": "text"}, "body": {"type": "text"}, "dup_keys": {}}}
    assert version_of(external) is None
    assert wrong_fields(external) == {"dup_group": "text", "dup_keys": "object"}
    assert set(missing_fields(external)) == set(RECORD_FIELDS) - {"dup_group", "dup_keys"}
    keys = index_body()["mappings"]["properties"]["dup_keys"]
    for field, problem in (
        ({"type": "keyword"}, "keyword"),
        (keys | {"analyzer": "standard"}, "text with another analyzer"),
        (keys | {"similarity": "BM25"}, "text with another similarity"),
    ):
        assert wrong_fields({"properties": {"dup_keys": field}}) == {"dup_keys": problem}


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


def test_a_date_in_no_calendar_costs_the_histogram_only() -> None:
    """A number of microseconds in a field of milliseconds, say."""
    for ends, by in (((0, 8.64e10), "month"), ((0, 1.7e15), None), ((-6.3e13, 0), None)):
        values = zip(("first", "last"), ends, strict=True)
        assert unit({"aggregations": {name: {"value": end} for name, end in values}}) == by


ACTIONS = [Action("index", "news", "a", {}), Action("delete", "news", "b")]
DONE = [{"index": {"_id": "a", "status": 201}}, {"delete": {"_id": "b", "status": 404}}]
DOCUMENTS = [{"_id": "a", "found": True, "_source": {}}, {"_id": "b", "found": False}]
BODY = {"sort": ["_doc"], "seq_no_primary_term": True, "track_total_hits": True, "aggs": {"groups": {}}}
HIT = {"_id": "a", "_source": {}, "sort": [1], "_seq_no": 0, "_primary_term": 1}
FOUND = {"hits": {"total": {"value": 1}, "hits": [HIT]}, "aggregations": {"groups": {}}}
COPY = {"routing": {"primary": True}, "seq_no": {}}

Shape = Callable[[Any], object]
SHAPES: dict[str, tuple[Shape, Any]] = {
    "bulk": (lambda answer: shapes.bulk_of(answer, ACTIONS), {"items": DONE}),
    "mget": (lambda answer: shapes.documents_of(answer, ["a", "b"]), {"docs": DOCUMENTS}),
    "search": (lambda answer: shapes.hits_of(answer, BODY), FOUND),
    "msearch": (
        lambda answer: shapes.responses_of(answer, [BODY, {}]),
        {"responses": [FOUND, {"error": {}, "status": 503}]},
    ),
    "positions": (shapes.shards_of, {"indices": {"news": {"uuid": "u", "shards": {"0": [COPY]}}}}),
    "names": (shapes.names_of, {"news": {"settings": {"index": {"uuid": "u"}}}}),
    "index": (shapes.indices_of, {"news": {"mappings": {}, "settings": {}}}),
}


@pytest.mark.parametrize("kind", SHAPES)
def test_an_answer_is_read_and_something_else_is_none(kind: str) -> None:
    shape, answer = SHAPES[kind]
    assert shape(answer)
    for other in (None, "<html>", [], ["items"], 7, {"error": "down", "status": 503}):
        with pytest.raises(NoAnswerError):
            shape(other)


LACKING = [
    ("bulk", {"items": DONE[:1]}),
    ("bulk", {"items": [DONE[0], {"delete": {"_id": "b"}}]}),
    ("mget", {"docs": DOCUMENTS[:1]}),
    ("mget", {"docs": [{"_id": "a", "found": True}, DOCUMENTS[1]]}),
    ("msearch", {"responses": [FOUND]}),
    *(("search", {**FOUND, name: value}) for name in FOUND for value in ({}, None, [])),
    *(
        ("search", {**FOUND, "hits": {"total": {"value": 1}, "hits": [{**HIT, name: 0}, hit]}})
        for name in HIT
        for hit in [{key: value for key, value in HIT.items() if key != name}]
    ),
    ("positions", {"indices": {"news": {"uuid": "u", "shards": {"0": [{}]}}}}),
    ("names", {"news": {"settings": {"index": {}}}}),
    ("index", {"news": {"mappings": {}}}),
]


@pytest.mark.parametrize(("kind", "answer"), LACKING)
def test_a_part_that_lacks_is_noticed(kind: str, answer: object) -> None:
    with pytest.raises(NoAnswerError):
        SHAPES[kind][0](answer)
