"""Whom the cluster refuses, changes nothing through the filter; the guard stands for its security plug-in."""

from __future__ import annotations

import gzip
import itertools
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from dupgroups.engines.url import EngineURL
from es_plugin.clusters import ask, servers
from filtering.guard import FILTER, READER, WRITER, Guard, credentials, guard
from filtering.manners import lines
from filtering.process import FilterProcess, filter_process
from filtering.running import MAPPING, Answer, server
from stories import reprint, story

PRODUCTS = ["opensearch-3", "elasticsearch-9"]
STATUS = {READER: 403, "": 401}
TEXT, OTHER, THIRD = story("one"), story("two"), story("three")
KEPT = {"a": {"body": TEXT}, "b": {"body": reprint(TEXT, 1)}, "c": {"body": OTHER}}
"""Documents that are stored before: two copies and one that stands alone."""

REFUSED: list[tuple[str, str, Any]] = [
    ("DELETE", "_doc/a", None),
    ("PUT", "_doc/c", {"body": TEXT}),
    ("PUT", "_doc/a", {"rank": 1}),
    ("PUT", "_create/d", {"body": reprint(TEXT, 2)}),
    ("POST", "_doc", {"body": reprint(TEXT, 3)}),
    ("POST", "_update/c", {"doc": {"body": TEXT}}),
    ("POST", "_update/d", {"doc": {"body": TEXT}, "doc_as_upsert": True}),
    ("POST", "_update/a", {"script": "ctx._source.body = 'x'"}),
    ("POST", "_bulk", [{"index": {"_id": "c"}}, {"body": TEXT}, {"delete": {"_id": "b"}}]),
    ("POST", "_bulk?refresh=true", [{"update": {"_id": "c"}}, {"doc": {"body": TEXT}}]),
    ("POST", "_bulk", [{"create": {}}, {"body": reprint(TEXT, 4)}]),
    ("POST", "_delete_by_query", {"query": {"match_all": {}}}),
]


@dataclass
class Place:
    """A guarded server and a filter before it."""

    engine_url: str
    guard: Guard
    filter: FilterProcess
    index: str
    numbers: Iterator[int] = field(default_factory=itertools.count)

    def ask(self, user: str, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """A request of a user through the filter."""
        return self.filter.ask(method, f"/{self.index}/{path}", body, **credentials(user), **headers)

    def stored(self) -> dict[str, Any]:
        """Everything that the server has of each document, asked for straight."""
        ask(self.engine_url, "POST", f"/{self.index}/_refresh")
        body = {"size": 1000, "version": True, "seq_no_primary_term": True}
        found = ask(self.engine_url, "POST", f"/{self.index}/_search", body)["hits"]["hits"]
        return {hit["_id"]: {name: hit[name] for name in ("_source", "_version", "_seq_no")} for hit in found}

    def kept(self) -> dict[str, Any]:
        """What is stored but for the pairs of `wait`."""
        return {id_: one for id_, one in self.stored().items() if not id_.startswith("pair")}

    def wait(self) -> None:
        """Until the filter has grouped what came so far: it groups a new pair of copies."""
        number = next(self.numbers)
        ids = [f"pair{number}-{copy}" for copy in (1, 2)]
        for id_ in ids:
            assert self.ask(WRITER, "PUT", f"_doc/{id_}", {"body": story(f"pair {number}")}).status == 201
        self.wait_for_group(*ids)

    def wait_for_group(self, *ids: str) -> None:
        end = time.monotonic() + 60
        while True:
            stored = self.stored()
            groups = {stored[id_]["_source"].get("dup_group") for id_ in ids}
            if len(groups) == 1 and None not in groups:
                return
            assert time.monotonic() < end, f"{ids} are in the groups {groups} after a minute"
            time.sleep(0.1)


@contextmanager
def _place(engine_url: str) -> Iterator[Place]:
    """With the documents of KEPT in their groups."""
    url = EngineURL.parse(engine_url, {})
    ask(engine_url, "PUT", f"/{url.path}", MAPPING)
    with guard(server(engine_url)) as watched:
        own = f"{url.kind}://{FILTER}:{FILTER}@127.0.0.1:{watched.port}/{url.path}"
        with filter_process(own) as filter_:
            place = Place(engine_url, watched, filter_, url.path)
            for id_, source in KEPT.items():
                assert place.ask(WRITER, "PUT", f"_doc/{id_}", source).status == 201
            place.wait_for_group("a", "b")
            place.wait()
            yield place


@servers(PRODUCTS)
def test_refused_requests_change_nothing(engine_url):
    with _place(engine_url) as place:
        before = place.kept()
        for user, (method, path, body) in itertools.product(STATUS, REFUSED):
            answer = place.ask(user, method, path, body)
            assert answer.status == STATUS[user], (user, method, path, answer.body)
            assert answer.json["error"]["reason"] == "the guard refuses this"
        place.wait()
        assert place.kept() == before


@servers(PRODUCTS[:1])
def test_a_compressed_bulk_without_credentials_changes_nothing(engine_url):
    with _place(engine_url) as place:
        before = place.kept()
        body = gzip.compress(lines({"delete": {"_id": "a"}}, {"index": {"_id": "c"}}, {"body": TEXT}))
        headers = {"Content-Encoding": "gzip", "Content-Type": "application/x-ndjson"}
        assert place.ask("", "POST", "_bulk", body, **headers).status == 401
        place.wait()
        assert place.kept() == before


@servers(PRODUCTS[:1])
@pytest.mark.parametrize(
    ("method", "path", "body"),
    [REFUSED[number] for number in (0, 1, 5, 8)],
    ids=["delete", "put", "update", "bulk"],
)
def test_nothing_is_written_before_the_cluster_has_answered(engine_url, method, path, body):
    """The cluster thinks about the request while others write; then it refuses."""
    with _place(engine_url) as place:
        before, place.guard.held["slow"] = place.kept(), threading.Event()
        answers: list[Answer] = []

        def send() -> None:
            answers.append(place.ask(READER, method, path, body, **{"X-Opaque-Id": "slow"}))

        sender = threading.Thread(target=send)
        sender.start()
        while not any(seen.mark == "slow" for seen in place.guard.seen):
            assert sender.is_alive(), answers
            time.sleep(0.02)
        place.wait()
        assert place.kept() == before
        place.guard.held["slow"].set()
        sender.join(60)
        assert [answer.status for answer in answers] == [403]
        place.wait()
        assert place.kept() == before


@servers(PRODUCTS[:1])
def test_a_callers_request_goes_out_once_and_with_the_callers_credentials(engine_url):
    requests = [
        *REFUSED,
        ("GET", "_search", None),
        ("GET", "_doc/a", None),
        ("PUT", "_doc/e", {"body": THIRD}),
    ]
    with _place(engine_url) as place:
        place.guard.seen.clear()
        expected = []
        for user, (number, request) in itertools.product((READER, "", WRITER), enumerate(requests)):
            mark = f"{user or 'nobody'}-{number}"
            place.ask(user, *request, **{"X-Opaque-Id": mark})
            expected.append((user, mark))
        place.wait()
        marks = {mark for _, mark in expected}
        assert [(seen.user, seen.mark) for seen in place.guard.seen if seen.mark in marks] == expected
        assert any(seen.user == FILTER for seen in place.guard.seen)
