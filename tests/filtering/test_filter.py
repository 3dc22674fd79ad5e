"""A filter before real servers: what is stored at once, what writers are told, and the groups in the end."""

import os
import signal
from collections.abc import Sequence
from contextlib import closing

import pytest

from dupgroups.engines import open_engine
from dupgroups.errors import ConfigError
from dupgroups.flow.deduper import Deduper
from dupgroups_filter import covered_names
from dupgroups_filter.grouper import Groupers
from es_plugin.backfill.test_at_once import misplaced
from es_plugin.clusters import ALL, ONE, ONE_OF_EACH, address, ask, index_of, servers
from es_plugin.proxy import Fault, busy, lost, only, proxy, through
from filtering.running import (
    FIELDS,
    MAPPING,
    all_bare,
    bulk,
    documents,
    eventually,
    filtering,
    groups,
    make,
    offline,
    partition,
    sources,
)
from stories import reprint, story

TEXT = story("one")
OTHER = story("two")
REPRINTS = {str(number): {"body": reprint(TEXT, number)} for number in range(4)}


@servers(ALL)
def test_documents_are_signed_in_their_write_and_grouped_behind_it(engine_url: str) -> None:
    """A document without a copy is never written again. The bulk is longer than what is read at once."""
    made = documents() | {"alone": {"body": story("alone"), "rank": 1.50}}
    made |= {f"long{number}": {"body": story(f"{number}") * 40} for number in range(40)}
    with filtering(engine_url) as filter_:
        answer = filter_.ask("POST", f"/{filter_.index}/_bulk", bulk(made))
        assert [item["index"]["_version"] for item in answer.json["items"]] == [1] * len(made)
        eventually(lambda: partition(filter_.groups()), offline(made))
        assert all_bare(filter_.sources()) == made
        assert filter_.count("signed") == len(made)
    assert ask(engine_url, "GET", f"/{filter_.index}/_doc/alone")["_version"] == 1
    assert misplaced(engine_url) == []


@servers(ONE)
@pytest.mark.parametrize("groups_itself", [pytest.param(True, marks=pytest.mark.slow), False])
def test_several_filters_make_the_groups_of_one(engine_url: str, groups_itself: bool) -> None:
    """Each with a grouper, and none beside a `dup-groups follow`."""
    made = documents(4, 4)
    make(engine_url, refresh_interval="-1")
    with (
        filtering(engine_url, create=False, group=groups_itself) as one,
        filtering(engine_url, create=False, group=groups_itself) as two,
    ):
        for filter_, start in ((one, 0), (two, 1)):
            half = dict([*made.items()][start::2])
            assert not filter_.ask("POST", f"/{one.index}/_bulk", bulk(half)).json["errors"]
        if not groups_itself:
            with closing(open_engine(engine_url)) as engine:
                Groupers(engine, FIELDS).poll()
        eventually(lambda: partition(one.groups()), offline(made))
    assert partition(groups(engine_url)) == offline(made)
    assert [said for said in misplaced(engine_url) if "not looked at yet" not in said] == []


def grouped_by(engine_url: str) -> dict[str, str | None]:
    """The groups after a look of the grouper, in this process."""
    with closing(open_engine(engine_url, must_exist=True)) as engine:
        Groupers(engine, FIELDS).poll()
    return groups(engine_url)


@servers(ONE)
def test_all_names_of_the_index_are_covered_and_no_others(engine_url: str) -> None:
    with filtering(engine_url, group=False) as filter_:
        index, other = filter_.index, f"{filter_.index}-other"
        ask(engine_url, "PUT", f"/{other}", MAPPING)
        actions = [{"add": {"index": index, "alias": f"{index}-alias"}}]
        assert filter_.ask("POST", "/_aliases", {"actions": actions}).status == 200
        used = [index, f"{index}-alias", other]
        lines = [line for name in used for line in ({"index": {"_index": name, "_id": name}}, {"body": TEXT})]
        answer = filter_.ask("POST", "/_bulk", lines).json
        assert [item["index"]["_index"] for item in answer["items"]] == [index, index, other]
        assert grouped_by(engine_url) == {index: index, f"{index}-alias": index}
        assert sources(engine_url, other) == {other: {"body": TEXT}}


@servers(ONE_OF_EACH)
def test_whatever_passes_unsigned_is_grouped_behind(engine_url: str) -> None:
    """CBOR, upserts, what goes through a pipeline or past the filter, and a signature of another text."""
    with filtering(engine_url) as filter_:
        index = filter_.index
        filter_.ask("PUT", f"/{index}/_doc/a", {"body": TEXT})
        upsert = {"doc": {"body": reprint(TEXT, 1)}, "doc_as_upsert": True}
        assert filter_.ask("POST", f"/{index}/_update/upserted", upsert).status == 201
        cbor = b"\xa1\x64body\x79" + len(TEXT).to_bytes(2, "big") + TEXT.encode()
        headers = {"Content-Type": "application/cbor"}
        assert filter_.ask("PUT", f"/{index}/_doc/cbor", cbor, **headers).status == 201
        piped = filter_.ask("PUT", f"/{index}/_doc/piped?pipeline=_none", {"body": TEXT})
        assert piped.status == 201
        ask(engine_url, "PUT", f"/{index}/_doc/past", {"body": reprint(TEXT, 2)})
        eventually(filter_.groups, dict.fromkeys(["a", "upserted", "cbor", "piped", "past"], "a"))
        with_the_signature_of_a = {**filter_.sources()["a"], "body": OTHER}
        ask(engine_url, "PUT", f"/{index}/_doc/stale", with_the_signature_of_a)
        eventually(lambda: filter_.groups()["stale"], "stale")
        assert [filter_.count(state) for state in ("unreadable", "updated", "piped")] == [1, 1, 1]


@servers(ONE)
def test_the_index_may_come_later_and_be_made_again_with_groups_of_its_own(engine_url: str) -> None:
    with filtering(engine_url, create=False) as filter_:
        index = filter_.index
        for first, second in ("ab", "ba"):
            assert filter_.ask("PUT", f"/{index}", MAPPING).status == 200
            filter_.ask("PUT", f"/{index}/_doc/{first}", {"body": TEXT})
            assert filter_.groups() == {first: first}
            filter_.ask("PUT", f"/{index}/_doc/{second}", {"body": TEXT})
            eventually(filter_.groups, {first: first, second: first})
            assert filter_.ask("DELETE", f"/{index}").status == 200
        filter_.ask("PUT", f"/{index}/_doc/1", {"body": TEXT})  # the server makes the index by itself
        assert filter_.count("no_index") == 1
        eventually(filter_.groups, {"1": "1"})
        assert _is_prepared(engine_url, index)


def bulk_over(indices: Sequence[str], numbers: str) -> list[dict[str, object]]:
    """Copies of one text, in each index some."""
    places = [(name, f"{name[-1]}{number}") for number in numbers for name in indices]
    return [
        part for name, id_ in places for part in ({"index": {"_index": name, "_id": id_}}, {"body": TEXT})
    ]


@servers(ONE)
def test_the_indices_of_a_pattern_are_grouped_as_one(engine_url: str) -> None:
    """The third one is made by the write itself; the fourth does not match."""
    urls = [f"{engine_url}{name}" for name in ("-a", "-b", "-c", "x")]
    indices = [*map(index_of, urls)]
    for url in urls[:2]:
        make(url)
    with filtering(f"{engine_url}-*", create=False) as filter_:
        assert not filter_.ask("POST", "/_bulk", bulk_over(indices, "12")).json["errors"]
        names = {f"{index}{number}" for index in "abc" for number in "12"}
        eventually(lambda: groups(f"{engine_url}-*").keys(), names)
        eventually(lambda: len({*groups(f"{engine_url}-*").values()}), 1)
        assert filter_.ask("DELETE", f"/{indices[0]}").status == 200
        assert filter_.ask("PUT", f"/{indices[1]}/_doc/other", {"body": OTHER}).status == 201
        eventually(lambda: groups(urls[1])["other"], "other")
        eventually(lambda: filter_.health()["status"], "green")
    assert groups(urls[3]) == {"x1": None, "x2": None}


@servers(ONE)
def test_indices_that_were_grouped_by_themselves_keep_groups_of_their_own(engine_url: str) -> None:
    urls = [f"{engine_url}-a", f"{engine_url}-b"]
    make(urls[0])
    with filtering(urls[0], create=False, group=False) as filter_:
        filter_.ask("POST", "/_bulk", bulk_over([index_of(urls[0])], "1"))
        assert grouped_by(urls[0]) == {"a1": "a1"}
    make(urls[1])
    with filtering(f"{engine_url}-*", create=False, group=False) as filter_:
        filter_.ask("POST", "/_bulk", bulk_over([index_of(url) for url in urls], "2"))
        assert grouped_by(f"{engine_url}-*") == {"a1": "a1", "a2": "a1", "b2": "b2"}


@servers(ONE)
def test_an_alias_goes_on_to_the_next_index(engine_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is rolled over past the filter, which names the index before until it has prepared the next one."""
    monkeypatch.setattr(covered_names, "LOOK_SECONDS", 3600.0)
    index = index_of(engine_url)
    first, second = f"{index}-000001", f"{index}-000002"
    ask(engine_url, "PUT", f"/{first}", {**MAPPING, "aliases": {index: {"is_write_index": True}}})
    with filtering(engine_url, create=False, group=False) as filter_:

        def places() -> set[str]:
            answer = filter_.ask("POST", f"/{index}/_bulk?require_alias=true", bulk(REPRINTS)).json
            return {item["index"]["_index"] for item in answer["items"]}

        ask(engine_url, "POST", f"/{index}/_rollover", MAPPING)
        one = filter_.ask("PUT", f"/{index}/_doc/2?require_alias=true", {"body": OTHER})
        assert (one.status, one.json["_index"], places()) == (201, first, {first})
        filter_.ask("PUT", f"/{second}/_settings", {"number_of_replicas": 0})  # now it looks again
        eventually(places, {second})
        grouped_by(engine_url)
        assert groups(f"{engine_url}-000002") == dict.fromkeys(REPRINTS, "0")
        assert _is_prepared(engine_url, second)


@servers(ONE)
def test_what_is_written_under_an_alias_that_gives_a_routing_passes_unsigned(engine_url: str) -> None:
    """Such a write cannot name the index in place of the alias."""
    index = index_of(engine_url)
    form = {"is_write_index": True, "index_routing": "r"}
    ask(engine_url, "PUT", f"/{index}-1", {**MAPPING, "aliases": {index: form}})
    with filtering(engine_url, create=False, group=False) as filter_:
        assert filter_.ask("PUT", f"/{index}/_doc/1", {"body": TEXT}).status == 201
        assert filter_.count("no_index") == 1
        assert grouped_by(engine_url) == {"1": "1"}
    assert ask(engine_url, "GET", f"/{index}/_doc/1")["found"]  # by the routing of the alias


@servers(ONE)
def test_an_own_index_cannot_be_filtered(engine_url: str) -> None:
    Deduper(engine_url).add({"text": TEXT, "id": "a"})
    with pytest.raises(ConfigError, match="is an index of dup-groups"), filtering(engine_url, create=False):
        pass


@servers(ONE)
def test_a_grouper_that_dies_is_started_again(engine_url: str) -> None:
    with filtering(engine_url) as filter_:
        eventually(lambda: filter_.health()["status"], "green")
        os.kill(filter_.health()["grouper"]["pid"], signal.SIGKILL)
        eventually(lambda: filter_.health()["status"], "yellow")
        filter_.ask("POST", f"/{filter_.index}/_bulk", bulk(REPRINTS))
        eventually(filter_.groups, dict.fromkeys(REPRINTS, "0"))
        eventually(lambda: filter_.health()["status"], "green")


@servers(ONE)
@pytest.mark.parametrize(
    ("fault", "status", "kind"),
    [(busy(429), 429, "es_rejected_execution_exception"), (lost, 502, "no_answer_exception")],
    ids=["refused", "lost"],
)
def test_what_is_not_acknowledged_is_no_success_and_is_not_sent_again(
    engine_url: str, fault: Fault, status: int, kind: str
) -> None:
    writes = (
        ("POST", "_bulk?refresh=false", bulk({"a": {"body": TEXT}})),
        ("PUT", "_doc/b?refresh=false", {"body": TEXT}),
    )
    with (
        proxy(address(engine_url)) as wire,
        filtering(through(wire, engine_url, "retries=0"), group=False) as filter_,
    ):
        wire.always = only("refresh=false", fault)
        for method, path, body in writes:
            answer = filter_.ask(method, f"/{filter_.index}/{path}", body)
            assert (answer.status, answer.json["error"]["type"]) == (status, kind)
        assert len([request for request in wire.seen if "refresh=false" in request.path]) == len(writes)


def _is_prepared(engine_url: str, index: str) -> bool:
    mapping = ask(engine_url, "GET", f"/{index}/_mapping")[index]["mappings"]
    return bool(mapping["properties"]["dup_group"] == {"type": "keyword"})
