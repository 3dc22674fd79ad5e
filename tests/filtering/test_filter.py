"""A filter before real servers: what is stored at once, what writers are told, and the groups in the end."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from dupgroups.engines.url import EngineURL
from dupgroups.errors import ConfigError
from dupgroups.flow import Deduper
from dupgroups_filter import signer
from es_plugin.clusters import ALL, ONE, ONE_OF_EACH, ask, servers
from es_plugin.proxy import busy, lost, proxy
from filtering.running import (
    MAPPING,
    Filter,
    bare,
    bulk,
    documents,
    eventually,
    filtering,
    offline,
    partition,
    server,
    sources,
)
from processes import environment, free_port
from stories import reprint, story

TEXT = story("one")
OTHER = story("two")
REPRINTS = {str(number): {"body": reprint(TEXT, number)} for number in range(4)}


@servers(ALL)
def test_documents_are_signed_in_their_write_and_grouped_behind_it(engine_url):
    """A document without a copy is never written again."""
    made = documents() | {"alone": {"body": story("alone"), "rank": 1.50}}
    with filtering(engine_url) as filter_:
        answer = filter_.ask("POST", f"/{filter_.index}/_bulk", bulk(made))
        assert [item["index"]["_version"] for item in answer.json["items"]] == [1] * len(made)
        eventually(lambda: partition(filter_.groups()), offline(made))
        assert {id_: bare(source) for id_, source in filter_.sources().items()} == made
        assert filter_.count("signed") == len(made)
    assert ask(engine_url, "GET", f"/{filter_.index}/_doc/alone")["_version"] == 1
    assert _all_is_well(engine_url)


@servers(ONE)
def test_without_a_grouper_nothing_is_written_but_what_was_sent(engine_url):
    with filtering(engine_url, group=False) as filter_:
        filter_.ask("POST", f"/{filter_.index}/_bulk", bulk(REPRINTS))
        assert filter_.groups() == {id_: id_ for id_ in REPRINTS}
        heads = {source["dup_head"] for source in filter_.sources().values()}
        assert heads == {True}
        shards = ask(engine_url, "GET", f"/{filter_.index}/_stats?level=shards")["indices"]
        ((shard,),) = [copies[:1] for copies in shards[filter_.index]["shards"].values()]
        assert shard["seq_no"]["max_seq_no"] == len(REPRINTS) - 1


@servers(ONE_OF_EACH)
def test_several_filters_beside_one_follow(engine_url, tmp_path):
    made = documents(4, 4)
    halves = [dict([*made.items()][start::2]) for start in (0, 1)]
    with (
        filtering(engine_url, group=False) as one,
        filtering(engine_url, create=False, group=False) as two,
        _following(engine_url),
    ):
        for filter_, half in zip((one, two), halves, strict=True):
            filter_.ask("POST", f"/{one.index}/_bulk", bulk(half))
        eventually(lambda: partition(one.groups()), offline(made))
    assert _all_is_well(engine_url)


@servers(ONE_OF_EACH)
def test_two_groupers_at_once_are_only_wasteful(engine_url):
    made = documents(4, 4)
    halves = [dict([*made.items()][start::2]) for start in (0, 1)]
    with filtering(engine_url) as one:
        ask(engine_url, "PUT", f"/{one.index}/_settings", {"index": {"refresh_interval": "-1"}})
        with filtering(engine_url, create=False) as two:
            for filter_, half in zip((one, two), halves, strict=True):
                assert not filter_.ask("POST", f"/{one.index}/_bulk", bulk(half)).json["errors"]
            eventually(lambda: partition(one.groups()), offline(made), 60)
    assert partition(one.groups()) == offline(made)
    assert _all_is_well(engine_url)


@servers(ONE)
def test_a_document_without_an_id_can_head_a_group(engine_url):
    with filtering(engine_url) as filter_:
        first = filter_.ask("POST", f"/{filter_.index}/_doc", {"body": TEXT}).json["_id"]
        lines = [{"index": {}}, {"body": reprint(TEXT, 0)}, {"create": {}}, {"body": reprint(TEXT, 1)}]
        items = filter_.ask("POST", f"/{filter_.index}/_bulk", lines).json["items"]
        assert [*map(list, items)] == [["index"], ["create"]]
        ids = [first, *(next(iter(item.values()))["_id"] for item in items)]
        assert [len(id_) for id_ in ids] == [20] * 3
        eventually(filter_.groups, dict.fromkeys(ids, first))
        heads = {id_: source["dup_head"] for id_, source in filter_.sources().items()}
        assert heads == {first: True, ids[1]: False, ids[2]: False}


@servers(ONE_OF_EACH)
def test_documents_that_are_deleted_or_lose_their_text_leave_their_group(engine_url):
    with filtering(engine_url) as filter_:
        filter_.ask("POST", f"/{filter_.index}/_bulk", bulk(REPRINTS))
        eventually(filter_.groups, dict.fromkeys(REPRINTS, "0"))
        filter_.ask("DELETE", f"/{filter_.index}/_doc/0")
        eventually(filter_.groups, dict.fromkeys("123", "1"))
        filter_.ask("PUT", f"/{filter_.index}/_doc/1", {"rank": 1})
        eventually(lambda: filter_.groups() | {"1": "1"}, {"1": "1", "2": "2", "3": "2"}, 60)
        lines = [{"delete": {"_id": "2", "if_seq_no": 999, "if_primary_term": 1}}]
        assert filter_.ask("POST", f"/{filter_.index}/_bulk", lines).json["errors"]
    assert _all_is_well(engine_url)


@servers(ONE_OF_EACH)
def test_a_changed_text_changes_its_group(engine_url):
    with filtering(engine_url) as filter_:
        lines = bulk({"a": {"body": TEXT}, "b": {"body": TEXT}, "c": {"body": OTHER, "rank": 1}})
        filter_.ask("POST", f"/{filter_.index}/_bulk", lines)
        eventually(filter_.groups, {"a": "a", "b": "a", "c": "c"})
        filter_.ask("POST", f"/{filter_.index}/_update/b", {"doc": {"body": OTHER}})
        eventually(
            filter_.groups,
            {"a": "a", "b": "b", "c": "b"}
            if _is_older(filter_, "b", "c")
            else {"a": "a", "b": "c", "c": "c"},
        )
        filter_.ask("PUT", f"/{filter_.index}/_doc/c", {"body": TEXT})
        eventually(filter_.groups, {"a": "a", "b": "b", "c": "a"}, 60)
        assert bare(filter_.sources()["c"]) == {"body": TEXT}
    assert _all_is_well(engine_url)


def _is_older(filter_: Filter, a: str, b: str) -> bool:
    stored = filter_.sources()
    return bool(stored[a]["dup_first_seen"] < stored[b]["dup_first_seen"])


@servers(ONE)
def test_clients_cannot_set_our_fields(engine_url):
    with filtering(engine_url, group=False) as filter_:
        forged = {"dup_group": "somewhere", "dup_head": False, "rank": 1}
        made = {"a": {"body": TEXT, **forged}, "b": forged}
        filter_.ask("POST", f"/{filter_.index}/_bulk", bulk(made))
        filter_.ask("PUT", f"/{filter_.index}/_doc/c", forged)
        assert filter_.groups() == {"a": "a"}
        kept = {id_: bare(source) for id_, source in filter_.sources().items()}
        assert kept == {"a": {"body": TEXT, "rank": 1}, "b": {"rank": 1}, "c": {"rank": 1}}


@servers(ONE)
def test_all_names_of_the_index_are_covered_and_no_others(engine_url):
    with filtering(engine_url) as filter_:
        index, other = filter_.index, f"{filter_.index}-other"
        ask(engine_url, "PUT", f"/{other}", MAPPING)
        actions = [{"add": {"index": index, "alias": f"{index}-alias"}}]
        assert filter_.ask("POST", "/_aliases", {"actions": actions}).status == 200
        names = [index, f"{index}-alias", other]
        answer = filter_.ask("POST", "/_bulk", _one_for_each(names)).json
        assert [item["index"]["_index"] for item in answer["items"]] == [index, index, other]
        eventually(filter_.groups, {index: index, f"{index}-alias": index})
        assert sources(engine_url, other) == {other: {"body": TEXT}}


@servers(ONE_OF_EACH)
def test_whatever_passes_unsigned_is_grouped_behind(engine_url):
    """Scripts, CBOR, pipelines that change a text, upserts, and writers that go past the filter."""
    with filtering(engine_url) as filter_:
        index = filter_.index
        filter_.ask("PUT", f"/{index}/_doc/a", {"body": TEXT})
        upsert = {"doc": {"body": reprint(TEXT, 1)}, "doc_as_upsert": True}
        assert filter_.ask("POST", f"/{index}/_update/upserted", upsert).status == 201
        cbor = b"\xa1\x64body\x79" + len(TEXT).to_bytes(2, "big") + TEXT.encode()
        headers = {"Content-Type": "application/cbor"}
        assert filter_.ask("PUT", f"/{index}/_doc/cbor", cbor, **headers).status == 201
        ask(engine_url, "PUT", f"/{index}/_doc/past", {"body": reprint(TEXT, 2)})
        eventually(filter_.groups, dict.fromkeys(["a", "upserted", "cbor", "past"], "a"))
        copied = {"body": OTHER, **filter_.sources()["a"], "rank": 2}
        ask(
            engine_url, "PUT", f"/{index}/_doc/stale", {**copied, "body": OTHER}
        )  # with another text's signature
        eventually(lambda: filter_.groups()["stale"], "stale", 60)
        assert filter_.count("unreadable") == 1
        assert filter_.count("updated") == 1


@servers(ONE)
def test_a_text_that_a_pipeline_replaces_is_grouped_as_it_is_stored(engine_url):
    """The test servers have no ingest nodes: what stands before this one changes the text as one would."""

    def piped(request, forward):
        path = request.path.replace("?pipeline=p", "")
        body = request.body.replace(json.dumps(OTHER).encode(), json.dumps(TEXT).encode())
        headers = request.headers | {"Content-Length": str(len(body))}
        return forward(replace(request, path=path, body=body, headers=headers))

    with proxy(server(engine_url)) as wire, filtering(_through(engine_url, wire.port)) as filter_:
        wire.always = _only("pipeline=p", piped)
        filter_.ask("PUT", f"/{filter_.index}/_doc/a", {"body": TEXT})
        filter_.ask("PUT", f"/{filter_.index}/_doc/b?pipeline=p", {"body": OTHER})
        eventually(filter_.groups, {"a": "a", "b": "a"})


@servers(ONE_OF_EACH)
@pytest.mark.parametrize("required", [False, True])
def test_documents_with_a_routing_have_groups(engine_url, required):
    index = EngineURL.parse(engine_url, {}).path
    mapping = {**MAPPING["mappings"], "_routing": {"required": required}}
    ask(engine_url, "PUT", f"/{index}", {"mappings": mapping, "settings": {"number_of_shards": 3}})
    with filtering(engine_url, create=False) as filter_:
        lines = [
            line
            for number in range(4)
            for line in ({"index": {"_id": f"{number}", "routing": f"r{number}"}}, {"body": TEXT})
        ]
        assert not filter_.ask("POST", f"/{index}/_bulk", lines).json["errors"]
        assert filter_.ask("PUT", f"/{index}/_doc/x?routing=r8", {"body": OTHER}).status == 201
        eventually(filter_.groups, {**dict.fromkeys("0123", "0"), "x": "x"}, 60)
    found = ask(engine_url, "POST", f"/{index}/_search", {"size": 10})["hits"]["hits"]
    assert {hit["_id"]: hit["_routing"] for hit in found} == {
        **{str(number): f"r{number}" for number in range(4)},
        "x": "r8",
    }
    assert _all_is_well(engine_url)


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
            indices = ask(engine_url, "GET", f"/*{name}*?expand_wildcards=all")
            assert all("data_stream" in index for index in indices.values())
    finally:
        ask(engine_url, "DELETE", f"/_data_stream/{name}")
        ask(engine_url, "DELETE", f"/_index_template/{name}")


@servers(ONE)
def test_the_index_may_come_later_and_be_made_again(engine_url):
    with filtering(engine_url, create=False) as filter_:
        index = filter_.index
        for _ in range(2):
            assert filter_.ask("PUT", f"/{index}", MAPPING).status == 200
            filter_.ask("PUT", f"/{index}/_doc/1", {"body": TEXT})
            assert filter_.groups() == {"1": "1"}
            mapping = ask(engine_url, "GET", f"/{index}/_mapping")[index]["mappings"]
            assert mapping["properties"]["dup_group"] == {"type": "keyword"}
            assert filter_.ask("DELETE", f"/{index}").status == 200
        filter_.ask("PUT", f"/{index}/_doc/1", {"body": TEXT})  # the server makes the index by itself
        assert filter_.count("no_index") == 1
        assert filter_.groups() == {}
        eventually(filter_.groups, {"1": "1"})


@servers(ONE_OF_EACH)
def test_every_index_of_a_pattern_has_groups_of_its_own(engine_url):
    """The third one is made by the write itself; the fourth does not match."""
    index = EngineURL.parse(engine_url, {}).path
    names = [f"{index}-{name}" for name in ("a", "b", "c")] + [f"{index}x"]
    for name in names[:2]:
        ask(engine_url, "PUT", f"/{name}", MAPPING)
    with filtering(f"{engine_url}-*", create=False) as filter_:
        lines = [
            line
            for number in range(2)
            for name in names
            for line in (
                {"index": {"_index": name, "_id": f"{name}{number}"}},
                {"body": reprint(TEXT, number)},
            )
        ]
        assert not filter_.ask("POST", "/_bulk", lines).json["errors"]
        for name in names[:3]:
            expected = {f"{name}0": f"{name}0", f"{name}1": f"{name}0"}
            eventually(lambda name=name: _groups(engine_url, name), expected)
        assert filter_.ask("DELETE", f"/{names[0]}").status == 200
        assert filter_.ask("PUT", f"/{names[1]}/_doc/other", {"body": OTHER}).status == 201
        assert _groups(engine_url, names[1])["other"] == "other"
        eventually(lambda: filter_.ask("GET", "/_dup_groups/health").json["status"], "green")
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


@servers(ONE_OF_EACH)
def test_an_alias_goes_on_to_the_next_index(engine_url):
    """It is rolled over past the filter, which names the index before until it has prepared the next one."""
    index = EngineURL.parse(engine_url, {}).path
    first, second = f"{index}-000001", f"{index}-000002"
    ask(engine_url, "PUT", f"/{first}", {**MAPPING, "aliases": {index: {"is_write_index": True}}})
    with filtering(engine_url, create=False) as filter_:
        filter_.ask("PUT", f"/{index}/_doc/1", {"body": TEXT})
        ask(engine_url, "POST", f"/{index}/_rollover", MAPPING)
        one = filter_.ask("PUT", f"/{index}/_doc/2?require_alias=true", {"body": OTHER})
        assert (one.status, one.json["_index"]) == (201, first)

        def places() -> set[str]:
            answer = filter_.ask("POST", f"/{index}/_bulk?require_alias=true", bulk(REPRINTS)).json
            return {item["index"]["_index"] for item in answer["items"]}

        assert places() == {first}
        eventually(places, {second})
        eventually(lambda: _groups(engine_url, second), dict.fromkeys(REPRINTS, "0"))
        mapping = ask(engine_url, "GET", f"/{second}/_mapping")[second]["mappings"]
        assert mapping["properties"]["dup_group"] == {"type": "keyword"}


@servers(ONE_OF_EACH)
def test_compressed_and_long_bodies_are_stored_whole(engine_url):
    """Gzip of several members, and a bulk that is streamed because it is longer than what is read at once."""
    made = documents(3, 3)
    lines = [f"{json.dumps(line)}\n".encode() for line in bulk(made)]
    members = b"".join(gzip.compress(b"".join(lines[start : start + 7])) for start in range(0, len(lines), 7))
    long = {f"{number}": {"body": story(f"{number}") * 40} for number in range(40)}
    with filtering(engine_url, group=False) as filter_:
        headers = {"Content-Encoding": "gzip", "Content-Type": "application/x-ndjson"}
        path = f"/{filter_.index}/_bulk"
        assert not filter_.ask("POST", path, members, **headers).json["errors"]
        assert {id_: bare(one) for id_, one in filter_.sources().items()} == made
        assert not filter_.ask("POST", path, bulk(long)).json["errors"]
        assert {id_: bare(one) for id_, one in filter_.sources().items()} == made | long
        assert len(filter_.groups()) == len(made | long)
        assert filter_.ask("POST", path, b"no gzip", **headers).status == 400


@servers(ONE)
def test_an_own_index_cannot_be_filtered(engine_url):
    Deduper(engine_url).add({"text": TEXT, "id": "a"})
    with pytest.raises(ConfigError, match="is an index of dup-groups"), filtering(engine_url, create=False):
        pass
    with pytest.raises(ConfigError, match="only an index of"), filtering("sqlite://", create=False):
        pass


# -- trouble


@servers(ONE)
def test_what_cannot_be_signed_in_time_passes_and_is_signed_later(engine_url, monkeypatch):
    monkeypatch.setattr(signer, "PENDING", 0)
    with filtering(engine_url) as filter_:
        filter_.ask("POST", f"/{filter_.index}/_bulk", bulk(REPRINTS))
        assert filter_.count("unsigned") == len(REPRINTS)
        eventually(filter_.groups, dict.fromkeys(REPRINTS, "0"))


@servers(ONE)
def test_a_grouper_that_dies_is_started_again(engine_url):
    with filtering(engine_url) as filter_:
        health = lambda: filter_.ask("GET", "/_dup_groups/health").json  # noqa: E731
        eventually(lambda: health()["grouper"] is not None, True)
        os.kill(health()["grouper"]["pid"], signal.SIGKILL)
        eventually(lambda: health()["status"], "yellow")
        filter_.ask("POST", f"/{filter_.index}/_bulk", bulk(REPRINTS))
        eventually(filter_.groups, dict.fromkeys(REPRINTS, "0"), 60)
        eventually(lambda: health()["status"], "green")


def _through(engine_url: str, port: int) -> str:
    url = EngineURL.parse(engine_url, {})
    return f"{url.kind}://127.0.0.1:{port}/{url.path}?retries=0"


def _only(path: str, fault):
    """A fault that meets requests with this in their path."""
    return lambda request, forward: fault(request, forward) if path in request.path else forward(request)


@servers(ONE)
@pytest.mark.parametrize("status", [413, 429, 503])
def test_what_the_cluster_refuses_is_refused_as_it_is(engine_url, status):
    with _behind_a_proxy(engine_url) as (wire, filter_):
        wire.always = _only("refresh=false", busy(status))
        path = f"/{filter_.index}/_bulk?refresh=false"
        answer = filter_.ask("POST", path, bulk({"a": {"body": TEXT}}))
        assert answer.status == status
        assert answer.json["error"]["type"] == "es_rejected_execution_exception"
        assert sources(engine_url, filter_.index) == {}


@servers(ONE)
def test_an_answer_that_is_lost_is_no_success_and_nothing_is_sent_again(engine_url):
    with _behind_a_proxy(engine_url) as (wire, filter_):
        wire.always = _only("refresh=false", lost)
        for method, path, body in (
            ("POST", "_bulk?refresh=false", bulk({"a": {"body": TEXT}})),
            ("PUT", "_doc/b?refresh=false", {"body": TEXT}),
        ):
            answer = filter_.ask(method, f"/{filter_.index}/{path}", body)
            assert answer.status == 502
            assert answer.json["error"]["type"] == "no_answer_exception"
        assert len([request for request in wire.seen if "refresh=false" in request.path]) == 2


@servers(ONE)
def test_a_node_that_is_away_is_passed_over(engine_url):
    away = f"127.0.0.1:{free_port()}"
    ask(engine_url, "PUT", f"/{EngineURL.parse(engine_url, {}).path}", MAPPING)
    with filtering(engine_url, create=False, group=False, others=(away,)) as filter_:
        for number in range(6):
            assert filter_.ask("PUT", f"/{filter_.index}/_doc/{number}", {"body": TEXT}).status == 201
        assert filter_.ask("GET", "/_dup_groups/health").json["status"] == "green"


@servers(ONE)
def test_health_is_red_without_a_cluster(engine_url):
    with _behind_a_proxy(engine_url) as (wire, filter_):
        wire.always = lost
        answer = filter_.ask("GET", "/_dup_groups/health")
        assert (answer.status, answer.json["status"]) == (503, "red")
        assert "does not answer" in answer.json["problem"]


@contextmanager
def _behind_a_proxy(engine_url: str):
    """A filter without a grouper, and what stands between it and the server."""
    through = proxy(server(engine_url))
    with through as wire, filtering(_through(engine_url, wire.port), group=False) as filter_:
        yield wire, filter_


def _one_for_each(names: list[str]) -> list[Any]:
    """A bulk with a document for each of these indices."""
    return [line for name in names for line in ({"index": {"_index": name, "_id": name}}, {"body": TEXT})]


def _groups(engine_url: str, index: str) -> dict[str, str | None]:
    return {id_: source.get("dup_group") for id_, source in sources(engine_url, index).items()}


@contextmanager
def _following(engine_url: str):
    fields = ["--fields", "text=body,title=headline,url=link"]
    command = [sys.executable, "-m", "dupgroups", "follow", "--engine", engine_url, "--every", "0.5", *fields]
    with subprocess.Popen(command, env=environment(), stderr=subprocess.DEVNULL) as running:
        try:
            yield
        finally:
            running.terminate()
            assert running.wait(60) == 0


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
