"""A filter before real servers: what is stored, and what its writers are told."""

from __future__ import annotations

import gzip
import json
import re
import threading
import time
from typing import Any

import pytest

from dupgroups.engines.url import EngineURL
from dupgroups.errors import ConfigError
from dupgroups.filtering import heart, writer, writers
from dupgroups.flow import Deduper
from es_plugin.clusters import ALL, ONE, ONE_OF_EACH, ask, servers
from es_plugin.proxy import busy, lost, proxy
from filtering.running import (
    MAPPING,
    ask_port,
    bare,
    bulk,
    documents,
    filtering,
    offline,
    partition,
    server,
    sources,
)
from stories import reprint, story

NEVER_THE_SAME = {"took", "_version", "_index", "_seq_no", "_shards", "index", "index_uuid"}
TEXT = story("one")
OTHER = story("two")


@servers(ALL)
def test_bulks_get_their_groups(engine_url):
    made = documents()
    with filtering(engine_url) as filter_:
        answer = filter_.ask("POST", f"/{filter_.index}/_bulk", bulk(made))
        assert answer.status == 200
        assert not answer.json["errors"]
        assert [item["index"]["_id"] for item in answer.json["items"]] == list(made)
        stored = filter_.sources()
        assert {id_: bare(source) for id_, source in stored.items()} == made
        assert partition(filter_.groups()) == offline(made)
        assert filter_.count("grouped") == len(made)


# groups that meet change documents, so their versions count that, too
REQUESTS: list[tuple[str, str, Any]] = [
    ("PUT", "_doc/1", {"body": TEXT, "rank": 1.50}),
    ("PUT", "_doc/1?refresh=true", {"body": TEXT, "rank": 2}),
    ("PUT", "_doc/2?op_type=create", {"body": reprint(TEXT, 1)}),
    ("PUT", "_doc/2?op_type=create", {"body": TEXT}),
    ("PUT", "_create/2", {"body": OTHER}),
    ("POST", "_create/3?filter_path=result,_version", {"body": OTHER, "headline": "a title"}),
    ("POST", "_doc?pretty", {"body": TEXT}),
    ("POST", "_doc/4", {"rank": 4}),
    ("POST", "_doc/5?refresh=wait_for", {"body": ""}),
    ("POST", "_doc/6", b'{"body": cut'),
    ("POST", "_doc/6", b"[1]"),
    ("POST", "_doc/7", {"body": {"not": "a text"}}),
    ("POST", "_doc/8?require_alias=true", {"body": TEXT}),
    ("POST", "_doc/8?if_seq_no=100&if_primary_term=1", {"body": TEXT}),
    ("POST", "_doc/8?version=5&version_type=external", {"body": TEXT}),
    ("POST", "_doc/8?version=4&version_type=external", {"body": OTHER}),
    ("POST", "_doc/9?pipeline=missing", {"body": TEXT}),
    ("POST", f"_doc/{'x' * 600}", {"body": TEXT}),
    ("POST", "_update/1", {"doc": {"rank": 3}}),
    ("POST", "_update/1", {"doc": {"body": TEXT}}),
    ("POST", "_update/1", {"doc": {"body": OTHER}}),
    ("POST", "_update/1?retry_on_conflict=3&_source=rank", {"doc": {"headline": "new"}}),
    ("POST", "_update/10", {"doc": {"body": TEXT}}),
    ("POST", "_update/11", {"doc": {"body": TEXT}, "doc_as_upsert": True}),
    ("POST", "_update/12", {"doc": {"rank": 1}, "upsert": {"body": TEXT, "rank": 0}}),
    ("POST", "_update/12", {"doc": {"rank": 1}, "upsert": {"body": TEXT, "rank": 0}}),
    ("POST", "_update/1?if_seq_no=100&if_primary_term=1", {"doc": {"body": TEXT}}),
    ("POST", "_update/1", {"nonsense": 1}),
    ("DELETE", "_doc/2", None),
    ("DELETE", "_doc/2", None),
    ("POST", "_bulk", b'{"index":{"_id":"20"}}\n{"body":"no newline"}'),
    ("POST", "_bulk", b'{"index":{"_id":"20"}}\n'),
    ("POST", "_bulk", b'{"unknown":{"_id":"20"}}\n{}\n'),
    ("POST", "_bulk", b"\n"),
    ("POST", "_bulk", [{"index": {}}, {"body": TEXT}, {"index": {"_id": None}}, {"body": OTHER}]),
    (
        "PUT",
        "_bulk?refresh=true",
        [
            *({"index": {"_id": "21"}}, {"body": TEXT}),
            *({"create": {"_id": "21"}}, {"body": TEXT}),
            *({"update": {"_id": "21", "retry_on_conflict": 2}}, {"doc": {"body": OTHER}}),
            *({"update": {"_id": "missing"}}, {"doc": {"body": OTHER}}),
            *({"delete": {"_id": "21"}}, {"index": {"_id": "21"}}, {"body": TEXT, "rank": 7}),
            {"delete": {"_id": "missing"}},
            *({"index": {"_id": 22}}, {"rank": 22}),
            *({"index": {"_id": 23}}, {"body": {"not": "a text"}}),
            *({"index": {"_id": "24", "if_seq_no": 999, "if_primary_term": 1}}, {"body": TEXT}),
            *({"index": {"_id": "25", "op_type": "create"}}, {"body": TEXT}),
            *({"index": {"_id": "26", "require_alias": True}}, {"body": TEXT}),
            *({"index": {"_id": ""}}, {"body": TEXT}),
        ],
    ),
    ("POST", "_bulk?filter_path=items.*.error,errors", [{"create": {"_id": "21"}}, {"body": TEXT}]),
    ("POST", "_bulk?filter_path=-took,-items.*._shards", [{"index": {"_id": "27"}}, {"body": TEXT}]),
    ("POST", "_bulk?filter_path=nothing", [{"delete": {"_id": "27"}}]),
    ("GET", "_doc/1?_source=rank", None),
    ("GET", "_search?filter_path=hits.total", {"query": {"match": {"body": "nothing"}}}),
    ("GET", "_doc/none", None),
    ("GET", "_nonsense", None),
    ("PATCH", "_doc/1", {"body": TEXT}),
]


@servers(ALL)
def test_answers_and_sources_are_those_of_the_cluster(engine_url):
    with filtering(engine_url) as filter_:
        straight = f"{filter_.index}-straight"
        ask(engine_url, "PUT", f"/{straight}", MAPPING)
        port = EngineURL.parse(engine_url, {}).port
        for number, (method, path, body) in enumerate(REQUESTS):
            expected = ask_port(port, method, f"/{straight}/{path}", body)
            answer = filter_.ask(method, f"/{filter_.index}/{path}", body)
            named = expected.body.decode().replace(straight, filter_.index)
            note = (number, method, path, answer.body, expected.body)
            assert answer.status == expected.status, note
            assert answer.headers["Content-Type"] == expected.headers["Content-Type"], note
            if expected.body:
                assert _comparable(answer.json) == _comparable(json.loads(named)), note
        stored, expected_sources = filter_.sources(), sources(engine_url, straight)
        known = [id_ for id_ in expected_sources if len(id_) != 20]
        assert {id_: bare(stored[id_]) for id_ in known} == {id_: expected_sources[id_] for id_ in known}
        assert len(stored) == len(expected_sources)
        texts = {id_: bare(one) for id_, one in stored.items() if one.get("body")}
        assert partition(filter_.groups()) == offline(texts)


def _comparable(answer: Any) -> Any:
    """An answer without numbers that no two writes have in common, and without ids that are drawn."""
    if isinstance(answer, list):
        return [_comparable(item) for item in answer]
    if isinstance(answer, dict):
        kept = {name: _comparable(value) for name, value in answer.items() if name not in NEVER_THE_SAME}
        return {**kept, "_id": "drawn"} if len(str(kept.get("_id", ""))) == 20 else kept
    return re.sub(r"seqNo \[\d+\]", "seqNo", answer) if isinstance(answer, str) else answer


@servers(ONE)
def test_a_document_without_an_id_can_head_a_group(engine_url):
    with filtering(engine_url) as filter_:
        first = filter_.ask("POST", f"/{filter_.index}/_doc", {"body": TEXT}).json["_id"]
        lines = [{"index": {}}, {"body": reprint(TEXT, 0)}, {"create": {}}, {"body": reprint(TEXT, 1)}]
        answer = filter_.ask("POST", f"/{filter_.index}/_bulk", lines).json
        ids = [first, *(next(iter(item.values()))["_id"] for item in answer["items"])]
        assert len({*ids}) == 3
        assert all(len(id_) == 20 for id_ in ids)
        assert filter_.groups() == dict.fromkeys(ids, first)
        heads = {id_: source["dup_head"] for id_, source in filter_.sources().items()}
        assert heads == {first: True, ids[1]: False, ids[2]: False}


@servers(ONE_OF_EACH)
def test_documents_that_are_deleted_or_lose_their_text_leave_their_group(engine_url):
    with filtering(engine_url) as filter_:
        lines = bulk({str(number): {"body": reprint(TEXT, number)} for number in range(4)})
        filter_.ask("POST", f"/{filter_.index}/_bulk", lines)
        assert set(filter_.groups().values()) == {"0"}
        filter_.ask("DELETE", f"/{filter_.index}/_doc/0")
        assert filter_.groups() == dict.fromkeys("123", "1")
        filter_.ask("PUT", f"/{filter_.index}/_doc/1", {"rank": 1})
        assert filter_.groups() == dict.fromkeys("23", "2")
        assert filter_.sources()["2"]["dup_head"]
        lines = [{"delete": {"_id": "2", "if_seq_no": 999, "if_primary_term": 1}}]
        assert filter_.ask("POST", f"/{filter_.index}/_bulk", lines).json["errors"]
        assert len({*filter_.groups().values()}) == 1
        assert _all_is_well(engine_url)


@servers(ONE_OF_EACH)
def test_a_changed_text_changes_its_group(engine_url):
    with filtering(engine_url) as filter_:
        lines = bulk({"a": {"body": TEXT}, "b": {"body": TEXT}, "c": {"body": OTHER, "rank": 1}})
        filter_.ask("POST", f"/{filter_.index}/_bulk", lines)
        assert filter_.groups() == {"a": "a", "b": "a", "c": "c"}
        filter_.ask("POST", f"/{filter_.index}/_update/b", {"doc": {"body": OTHER}})
        assert filter_.groups() == {"a": "a", "b": "b", "c": "b"}
        filter_.ask("PUT", f"/{filter_.index}/_doc/c", {"body": TEXT})
        assert filter_.groups() == {"a": "a", "b": "b", "c": "a"}
        assert bare(filter_.sources()["c"]) == {"body": TEXT}
        filter_.ask("POST", f"/{filter_.index}/_update/c", {"doc": {"body": None}})
        assert filter_.groups() == {"a": "a", "b": "b", "c": "c"}
        assert _all_is_well(engine_url)


@servers(ONE)
def test_who_sends_dup_fields_gets_new_ones(engine_url):
    with filtering(engine_url) as filter_:
        old = {"body": TEXT, "dup_group": "somewhere", "dup_head": False, "rank": 1}
        filter_.ask("POST", f"/{filter_.index}/_bulk", bulk({"a": old}))
        assert filter_.groups() == {"a": "a"}
        assert bare(filter_.sources()["a"]) == {"body": TEXT, "rank": 1}


@servers(ONE)
def test_all_names_of_the_index_are_filtered_and_no_others(engine_url):
    with filtering(engine_url) as filter_:
        index, other = filter_.index, f"{filter_.index}-other"
        ask(engine_url, "PUT", f"/{other}", MAPPING)
        actions = [{"add": {"index": index, "alias": f"{index}-alias"}}]
        assert filter_.ask("POST", "/_aliases", {"actions": actions}).status == 200
        filter_.ask("PUT", f"/{index}-alias/_doc/before", {"body": OTHER})
        assert filter_.groups() == {"before": "before"}
        names = [index, f"{index}-alias", other]
        lines = [
            line for name in names for line in ({"index": {"_index": name, "_id": name}}, {"body": TEXT})
        ]
        answer = filter_.ask("POST", "/_bulk", lines).json
        assert [item["index"]["_index"] for item in answer["items"]] == [index, index, other]
        assert filter_.groups() == {"before": "before", index: index, f"{index}-alias": index}
        assert sources(engine_url, other) == {other: {"body": TEXT}}


@servers(ONE)
def test_scripts_pass_and_are_counted(engine_url):
    with filtering(engine_url) as filter_:
        index = filter_.index
        filter_.ask("PUT", f"/{index}/_doc/a", {"body": TEXT, "rank": 1})
        script = {"script": "ctx._source.rank += 1"}
        assert filter_.ask("POST", f"/{index}/_update/a", script).json["result"] == "updated"
        lines = [{"update": {"_id": "a"}}, script]
        assert not filter_.ask("POST", f"/{index}/_bulk", lines).json["errors"]
        assert filter_.sources()["a"]["rank"] == 3
        assert filter_.count("scripted") == 2


@servers(ONE_OF_EACH)
@pytest.mark.parametrize("required", [False, True])
def test_documents_with_a_routing_have_groups(engine_url, required):
    """Nothing is refreshed in between: a look-up has to know the routing."""
    index = EngineURL.parse(engine_url, {}).path
    mapping = {**MAPPING["mappings"], "_routing": {"required": required}}
    settings = {"number_of_shards": 3, "refresh_interval": "-1"}
    ask(engine_url, "PUT", f"/{index}", {"mappings": mapping, "settings": settings})
    with filtering(engine_url, create=False) as filter_:
        lines = [
            line
            for number in range(4)
            for line in ({"index": {"_id": f"{number}", "routing": f"r{number}"}}, {"body": TEXT, "rank": 0})
        ]
        assert not filter_.ask("POST", f"/{index}/_bulk", lines).json["errors"]
        filter_.ask("POST", f"/{index}/_doc?routing=r9", {"body": OTHER})
        assert filter_.ask("PUT", f"/{index}/_doc/x?routing=r8", {"body": OTHER}).status == 201
        filter_.ask("POST", f"/{index}/_update/1?routing=r1", {"doc": {"body": OTHER}})
        assert filter_.ask("POST", f"/{index}/_update/2?routing=r2", {"doc": {"rank": 1}}).status == 200
        filter_.ask("DELETE", f"/{index}/_doc/0?routing=r0")
        lines = [{"create": {"_id": "2", "routing": "r2"}}, {"body": TEXT}]
        assert filter_.ask("POST", f"/{index}/_bulk", lines).json["items"][0]["create"]["status"] == 409
        groups = filter_.groups()
        drawn = next(id_ for id_ in groups if len(id_) == 20)
        assert groups == {"1": "1", "2": "2", "3": "2", "x": "1", drawn: "1"}
        assert filter_.count("grouped") == 7
        assert filter_.sources()["2"]["rank"] == 1
    assert _all_is_well(engine_url)
    found = ask(engine_url, "POST", f"/{index}/_search", {"size": 10})["hits"]["hits"]
    assert {hit["_id"]: hit["_routing"] for hit in found} == {
        "1": "r1",
        "2": "r2",
        "3": "r3",
        "x": "r8",
        drawn: "r9",
    }


@servers(ONE)
def test_bodies_that_are_not_json_pass_and_are_counted(engine_url):
    with filtering(engine_url) as filter_:
        path, cbor = f"/{filter_.index}/_doc/a", b"\xa1\x64body\x65hello"
        assert filter_.ask("PUT", path, cbor, **{"Content-Type": "application/cbor"}).status == 201
        assert filter_.sources() == {"a": {"body": "hello"}}
        answer = filter_.ask("POST", f"/{filter_.index}/_bulk?format=yaml", bulk({"b": {"body": TEXT}}))
        assert answer.body.startswith(b"---")
        assert filter_.count("unreadable") == 2


@servers(ONE)
def test_data_streams_pass_and_are_counted(engine_url):
    name = EngineURL.parse(engine_url, {}).path
    template = {"index_patterns": [f"{name}*"], "data_stream": {}, "priority": 999}
    ask(engine_url, "PUT", f"/_index_template/{name}", template)
    try:
        ask(engine_url, "PUT", f"/_data_stream/{name}")
        with filtering(engine_url, create=False) as filter_:
            lines = [{"create": {}}, {"body": TEXT, "@timestamp": "2026-11-22T00:00:00Z"}]
            assert not filter_.ask("POST", f"/{name}/_bulk", lines).json["errors"]
            assert filter_.count("data_stream") == 1
            assert [*filter_.sources().values()] == [lines[1]]
    finally:
        ask(engine_url, "DELETE", f"/_data_stream/{name}")
        ask(engine_url, "DELETE", f"/_index_template/{name}")


@servers(ONE)
def test_the_index_may_come_later_and_be_made_again(engine_url):
    with filtering(engine_url, create=False) as filter_:
        index = filter_.index
        filter_.ask("PUT", f"/{index}-x/_doc/1", {"body": TEXT})
        for _ in range(2):
            assert filter_.ask("PUT", f"/{index}", MAPPING).status == 200
            filter_.ask("PUT", f"/{index}/_doc/1", {"body": TEXT})
            assert filter_.groups() == {"1": "1"}
            mapping = ask(engine_url, "GET", f"/{index}/_mapping")[index]["mappings"]
            assert mapping["properties"]["dup_group"] == {"type": "keyword"}
            assert filter_.ask("DELETE", f"/{index}").status == 200
        answer = filter_.ask(
            "PUT", f"/{index}/_doc/1", {"body": TEXT}
        )  # the server makes the index by itself
        assert answer.json["result"] == "created"
        assert filter_.count("no_index") == 1
    assert one_groups(engine_url) == {"1": "1"}  # afterwards


@servers(ONE)
def test_writes_wait_until_what_was_missed_is_grouped(engine_url, monkeypatch):
    """They need more patience than they have for a look-up."""
    monkeypatch.setattr(writer, "OPENING", 0.0)
    slept: list[str] = []

    def slow(request, forward):
        if "_refresh" in request.path and not slept:
            slept.append(request.path)
            time.sleep(5.0)
        return forward(request)

    with proxy(server(engine_url)) as wire:
        url = _through(engine_url, wire.port)
        with filtering(url, create=False, patience=4.0) as filter_:
            filter_.ask("PUT", f"/{filter_.index}/_doc/a", {"body": TEXT})
            wire.always = slow
            filter_.ask("PUT", f"/{filter_.index}/_doc/b", {"body": TEXT})
            assert slept
            assert filter_.groups() == {"a": "a", "b": "a"}


@servers(ONE)
def test_who_has_missed_too_much_leaves_it_to_backfill(engine_url, monkeypatch, caplog):
    monkeypatch.setattr(heart, "MISSED", 1)
    with filtering(engine_url, create=False) as filter_:
        made = {"a": {"body": TEXT}, "b": {"body": TEXT}}
        filter_.ask("POST", f"/{filter_.index}/_bulk", bulk(made))
        filter_.ask("PUT", f"/{filter_.index}/_doc/c", {"body": OTHER})
        assert filter_.groups() == {"c": "c"}
    assert f"{filter_.index} has 2 documents already: group them with `dup-groups backfill`" in caplog.text


@servers(ONE)
def test_an_index_is_not_closed_while_a_request_is_answered(engine_url, monkeypatch):
    """What was written before there was an index would be forgotten with it."""
    monkeypatch.setattr(writers, "IDLE", 0.0)
    with proxy(server(engine_url)) as wire:
        url = _through(engine_url, wire.port)
        with filtering(url, create=False, quiet=0.1) as filter_:
            wire.always = _only("refresh=false", _slow)
            assert filter_.ask("PUT", f"/{filter_.index}/_doc/a?refresh=false", {"body": TEXT}).status == 201
            assert filter_.count("no_index") == 1
    assert one_groups(engine_url) == {"a": "a"}


@servers(ONE_OF_EACH)
def test_every_index_of_a_pattern_has_groups_of_its_own(engine_url):
    """The third one is made by the write itself; the fourth does not match."""
    index = EngineURL.parse(engine_url, {}).path
    names = [f"{index}-{name}" for name in ("a", "b", "c")] + [f"{index}x"]
    for name in names[:2]:
        ask(engine_url, "PUT", f"/{name}", MAPPING)
    with filtering(f"{engine_url}-*", create=False, quiet=0.5) as filter_:
        lines = [
            line
            for number in range(2)
            for name in names
            for line in (
                {"index": {"_index": name, "_id": f"{name}{number}"}},
                {"body": reprint(TEXT, number)},
            )
        ]
        items = filter_.ask("POST", "/_bulk", lines).json["items"]
        expected = [f"{name}{number}" for number in range(2) for name in names]
        assert [item["index"]["_id"] for item in items] == expected
        assert filter_.count("no_index") == 2
        for name in names[:2]:
            assert _groups(engine_url, name) == {f"{name}0": f"{name}0", f"{name}1": f"{name}0"}
        last = names[2]
        assert filter_.ask("PUT", f"/{last}/_doc/{last}2", {"body": reprint(TEXT, 2)}).status == 201
        assert _groups(engine_url, last) == dict.fromkeys(
            [f"{last}{number}" for number in range(3)], f"{last}0"
        )
        assert filter_.ask("DELETE", f"/{names[0]}").status == 200
        assert filter_.ask("PUT", f"/{names[1]}/_doc/other", {"body": OTHER}).status == 201
        assert _groups(engine_url, names[1])["other"] == "other"
        assert filter_.ask("GET", "/_dup_groups/health").json["status"] == "green"
    assert _groups(engine_url, names[3]) == dict.fromkeys([f"{names[3]}0", f"{names[3]}1"])


@servers(ONE)
def test_an_alias_that_only_reads_stands_for_its_indices(engine_url):
    """Writers name the indices; what names the alias is refused by the cluster."""
    alias = EngineURL.parse(engine_url, {}).path
    names = [f"{alias}-{number}" for number in range(2)]
    for name in names:
        ask(engine_url, "PUT", f"/{name}", {**MAPPING, "aliases": {alias: {}}})
    with filtering(engine_url, create=False) as filter_:
        assert not filter_.ask("POST", "/_bulk", _one_for_each(names)).json["errors"]
        assert [_groups(engine_url, name) for name in names] == [{name: name} for name in names]
        answer = filter_.ask("PUT", f"/{alias}/_doc/1", {"body": TEXT})
        assert answer.status == 400
        assert "no write index" in answer.json["error"]["reason"]
        assert filter_.ask("GET", "/_dup_groups/health").json["status"] == "green"


@servers(ONE)
def test_the_indices_of_a_bulk_do_not_wait_for_one_another(engine_url):
    """The first one is answered only after the second one was written."""
    names = [f"{EngineURL.parse(engine_url, {}).path}-{number}" for number in range(2)]
    for name in names:
        ask(engine_url, "PUT", f"/{name}", MAPPING)
    is_second, waited = threading.Event(), []

    def hold_the_first(request, forward):
        if names[1].encode() in request.body:
            is_second.set()
        else:
            waited.append(is_second.wait(30))
        return forward(request)

    with proxy(server(engine_url)) as wire:
        url = _through(engine_url, wire.port).replace("?", "-*?")
        with filtering(url, create=False) as filter_:
            wire.always = _only("refresh=false", hold_the_first)
            answer = filter_.ask("POST", "/_bulk?refresh=false", _one_for_each(names))
            assert waited == [True]
            assert [item["index"]["_index"] for item in answer.json["items"]] == names


def _one_for_each(names):
    """A bulk with a document for each of these indices."""
    return [line for name in names for line in ({"index": {"_index": name, "_id": name}}, {"body": TEXT})]


@servers(ONE_OF_EACH)
def test_an_alias_goes_on_to_the_next_index(engine_url):
    """It is rolled over without the filter, which writes into the index before until it sees that."""
    index = EngineURL.parse(engine_url, {}).path
    first, second = f"{index}-000001", f"{index}-000002"
    ask(engine_url, "PUT", f"/{first}", {**MAPPING, "aliases": {index: {"is_write_index": True}}})
    with filtering(engine_url, create=False) as filter_:
        filter_.ask("PUT", f"/{index}/_doc/1", {"body": TEXT})
        ask(engine_url, "POST", f"/{index}/_rollover", MAPPING)
        answers = [
            filter_.ask("PUT", f"/{index}/_doc/2?require_alias=true", {"body": reprint(TEXT, 1)}),
            filter_.ask(
                "POST", f"/{index}/_bulk?require_alias=true", bulk({"3": {"body": reprint(TEXT, 2)}})
            ),
        ]
        assert [answer.status for answer in answers] == [201, 200]
        assert answers[0].json["_index"] == answers[1].json["items"][0]["index"]["_index"] == first
        assert _groups(engine_url, first) == {"1": "1", "2": "1", "3": "1"}
        place, number = first, 3
        while place == first:
            number += 1
            place = filter_.ask("PUT", f"/{index}/_doc/{number}", {"body": TEXT}).json["_index"]
            time.sleep(0.2)
        assert place == second
        assert _groups(engine_url, second) == {f"{number}": f"{number}"}
        filter_.ask("DELETE", f"/{first}/_doc/1")
        assert set(_groups(engine_url, first).values()) == {"2"}
        assert filter_.count("no_index") == 0


def _groups(engine_url: str, index: str) -> dict[str, str | None]:
    return {id_: source.get("dup_group") for id_, source in sources(engine_url, index).items()}


@servers(ONE_OF_EACH)
def test_compressed_bodies(engine_url):
    made = documents(2, 2)
    body = gzip.compress("".join(f"{json.dumps(line)}\n" for line in bulk(made)).encode())
    with filtering(engine_url) as filter_:
        headers = {"Content-Encoding": "gzip", "Content-Type": "application/x-ndjson"}
        path = f"/{filter_.index}/_bulk"
        assert not filter_.ask("POST", path, body, **headers).json["errors"]
        assert {id_: bare(one) for id_, one in filter_.sources().items()} == made
        assert filter_.ask("POST", path, body[:-9], **headers).status == 400
        assert filter_.ask("POST", path, b"no gzip", **headers).status == 400


@servers(ONE)
def test_a_body_that_is_too_large_is_refused_and_not_kept(engine_url):
    with filtering(engine_url, max_body=10_000) as filter_:
        path = f"/{filter_.index}/_bulk"
        large = gzip.compress(b" " * 50_000_000)
        for body, headers in (
            (bulk({"a": {"body": "x" * 10_000}}), {}),
            (large, {"Content-Encoding": "gzip"}),
        ):
            answer = filter_.ask("POST", path, body, **headers)
            assert answer.status == 413
            assert "--max-body" in answer.json["error"]["reason"]
        assert filter_.ask("POST", f"/{filter_.index}/_bulk", bulk({"a": {"body": "x"}})).status == 200
        assert [*filter_.sources()] == ["a"]


@servers(ONE)
def test_an_own_index_cannot_be_filtered(engine_url):
    Deduper(engine_url).add({"text": TEXT, "id": "a"})
    with pytest.raises(ConfigError, match="is an index of dup-groups"), filtering(engine_url, create=False):
        pass
    with pytest.raises(ConfigError, match="only an index of"), filtering("memory://", create=False):
        pass


# -- trouble


def _through(engine_url: str, port: int) -> str:
    url = EngineURL.parse(engine_url, {})
    return f"{url.kind}://127.0.0.1:{port}/{url.path}?retries=0"


def _only(path: str, fault):
    """A fault that meets requests with this in their path."""
    return lambda request, forward: fault(request, forward) if path in request.path else forward(request)


def _slow(request, forward):
    time.sleep(1.5)
    return forward(request)


@servers(ONE)
def test_who_cannot_look_up_lets_documents_through(engine_url):
    ask(engine_url, "PUT", f"/{EngineURL.parse(engine_url, {}).path}", MAPPING)
    with proxy(server(engine_url)) as wire:
        url = _through(engine_url, wire.port)
        for strict in (False, True):
            with filtering(url, create=False, strict=strict) as filter_:
                path = f"/{filter_.index}/_bulk"
                assert not filter_.ask("POST", path, bulk({"a": {"body": TEXT}})).json["errors"]
                wire.always = _only("_msearch", busy(503))
                lines = bulk({f"{strict}-b": {"body": OTHER}, f"{strict}-c": {"rank": 1}})
                answer = filter_.ask("POST", path, lines).json
                statuses = [item["index"]["status"] for item in answer["items"]]
                assert statuses == [503 if strict else 201, 201]
                one = filter_.ask("PUT", f"/{filter_.index}/_doc/{strict}-d", {"body": OTHER})
                assert one.status == (503 if strict else 201)
                assert filter_.count("unavailable" if strict else "failed") == 2
                wire.always = None
                stored = sources(engine_url, filter_.index)
                assert (f"{strict}-b" in stored) is not strict
                assert "dup_group" not in stored.get(f"{strict}-b", {})


@servers(ONE)
def test_who_waits_too_long_lets_documents_through_once(engine_url):
    ask(engine_url, "PUT", f"/{EngineURL.parse(engine_url, {}).path}", MAPPING)
    with proxy(server(engine_url)) as wire:
        url = _through(engine_url, wire.port)
        with filtering(url, create=False, patience=0.5) as filter_:
            wire.always = _only("_msearch", _slow)
            answer = filter_.ask("POST", f"/{filter_.index}/_bulk", bulk({"a": {"body": TEXT}}))
            assert answer.json["items"][0]["index"]["_version"] == 1
            assert filter_.count("late") == 1
            wire.always = None
    stored = sources(engine_url, filter_.index)
    assert stored == {"a": {"body": TEXT}}
    assert ask(engine_url, "GET", f"/{filter_.index}/_doc/a")["_version"] == 1


@servers(ONE)
@pytest.mark.parametrize("status", [413, 429, 503])
def test_what_the_cluster_refuses_is_refused(engine_url, status):
    ask(engine_url, "PUT", f"/{EngineURL.parse(engine_url, {}).path}", MAPPING)
    with proxy(server(engine_url)) as wire:
        url = _through(engine_url, wire.port)
        with filtering(url, create=False) as filter_:
            filter_.ask("PUT", f"/{filter_.index}/_doc/first", {"body": OTHER})
            wire.always = _only("refresh=false", busy(status))
            path = f"/{filter_.index}/_bulk?refresh=false"
            answer = filter_.ask("POST", path, bulk({"a": {"body": TEXT}, "b": {"body": OTHER}}))
            assert answer.status == status
            assert answer.json["error"]["type"] == "es_rejected_execution_exception"
            wire.always = None
            assert [*filter_.sources()] == ["first"]
            assert filter_.ask("POST", path, bulk({"a": {"body": TEXT}, "b": {"body": OTHER}})).status == 200
            assert filter_.groups() == {"first": "first", "a": "a", "b": "first"}


@servers(ONE)
@pytest.mark.parametrize("status", [403, 429])
def test_a_bulk_that_is_refused_by_every_index_is_refused_as_a_whole(engine_url, status):
    names = [f"{EngineURL.parse(engine_url, {}).path}-{number}" for number in range(2)]
    for name in names:
        ask(engine_url, "PUT", f"/{name}", MAPPING)
    with proxy(server(engine_url)) as wire:
        url = _through(engine_url, wire.port).replace("?", "-*?")
        with filtering(url, create=False) as filter_:
            wire.always = _only("refresh=false", busy(status))
            lines = _one_for_each(names)
            answer = filter_.ask("POST", "/_bulk?refresh=false", lines)
            assert answer.status == status
            assert answer.json["error"]["type"] == "es_rejected_execution_exception"
            wire.always = _only("refresh=false", _where(names[0].encode(), busy(status)))
            items = filter_.ask("POST", "/_bulk?refresh=false", lines).json["items"]
            assert [item["index"]["status"] for item in items] == [status, 201]


def _where(word, fault):
    """A fault that meets requests with this in their body."""
    return lambda request, forward: fault(request, forward) if word in request.body else forward(request)


@servers(ONE)
def test_an_answer_that_is_lost_is_no_success(engine_url):
    ask(engine_url, "PUT", f"/{EngineURL.parse(engine_url, {}).path}", MAPPING)
    with proxy(server(engine_url)) as wire:
        url = _through(engine_url, wire.port)
        with filtering(url, create=False) as filter_:
            wire.always = _only("refresh=false", lost)
            for method, path, body in (
                ("POST", "_bulk?refresh=false", bulk({"a": {"body": TEXT}})),
                ("PUT", "_doc/b?refresh=false", {"body": TEXT}),
            ):
                answer = filter_.ask(method, f"/{filter_.index}/{path}", body)
                assert answer.status == 502
                assert answer.json["error"]["type"] == "no_answer_exception"
            seen = [request for request in wire.seen if "refresh=false" in request.path]
            assert len(seen) == 2  # nothing was sent twice
            wire.always = None
            filter_.ask("POST", f"/{filter_.index}/_bulk", bulk({"a": {"body": TEXT}, "b": {"body": TEXT}}))
            assert len({*filter_.groups().values()}) == 1


# -- several writers


@servers(ONE_OF_EACH)
def test_two_filters_settle_what_neither_could_see(engine_url):
    made = documents(4, 4)
    halves = [dict([*made.items()][start::2]) for start in (0, 1)]
    with filtering(engine_url, quiet=0.5) as one:
        ask(engine_url, "PUT", f"/{one.index}/_settings", {"index": {"refresh_interval": "-1"}})
        with filtering(engine_url, create=False, quiet=0.5) as two:
            for filter_, half in zip((one, two), halves, strict=True):
                assert not filter_.ask("POST", f"/{one.index}/_bulk", bulk(half)).json["errors"]
    assert partition(one_groups(engine_url)) == offline(made)
    assert _all_is_well(engine_url)


def one_groups(engine_url: str) -> dict[str, str]:
    stored = sources(engine_url, EngineURL.parse(engine_url, {}).path)
    return {id_: source["dup_group"] for id_, source in stored.items()}


def _all_is_well(engine_url: str) -> bool:
    """Whether every group is named by its oldest member and has one head."""
    stored = sources(engine_url, EngineURL.parse(engine_url, {}).path)
    grouped = {id_: source for id_, source in stored.items() if "dup_group" in source}
    for name in {source["dup_group"] for source in grouped.values()}:
        members = {id_: source for id_, source in grouped.items() if source["dup_group"] == name}
        oldest = min(members, key=lambda id_: (members[id_]["dup_first_seen"], id_))
        heads = [id_ for id_, source in members.items() if source["dup_head"]]
        assert oldest == name, (name, members)
        assert heads == [name], (name, heads)
    return True


@servers(ONE)
def test_groups_that_nobody_could_look_up_are_mended_later(engine_url):
    ask(engine_url, "PUT", f"/{EngineURL.parse(engine_url, {}).path}", MAPPING)
    with proxy(server(engine_url)) as wire:
        with filtering(_through(engine_url, wire.port), create=False, quiet=3600) as filter_:
            path = f"/{filter_.index}/_bulk"
            filter_.ask(
                "POST", path, bulk({str(number): {"body": reprint(TEXT, number)} for number in range(4)})
            )
            assert set(filter_.groups().values()) == {"0"}
            wire.always = _only("_mget", busy(503))
            assert filter_.ask("DELETE", f"/{filter_.index}/_doc/0").status == 200
            assert set(filter_.groups().values()) == {"0"}
            wire.always = None
        assert set(one_groups(engine_url).values()) == {"1"}
    assert _all_is_well(engine_url)
