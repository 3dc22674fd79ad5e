"""Whom the cluster refuses, changes nothing through the filter; the guard stands for its security plug-in."""

import gzip
import itertools
import secrets
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from es_plugin.clusters import ONE_OF_EACH, everything, servers
from filtering.guard import FILTER, READER, WRITER, Guard, credentials, guarding
from filtering.manners import lines
from filtering.process import FilterProcess
from filtering.running import eventually, grouped, make, partition
from processes import Answer
from stories import reprint, story

STATUS = {READER: 403, "": 401}
TEXT, OTHER = story("one"), story("two")
KEPT = {"a": {"body": TEXT}, "b": {"body": reprint(TEXT, 1)}, "c": {"body": OTHER}}
"""Documents that are stored before: two copies and one that stands alone."""

DELETE: tuple[str, str, Any] = ("DELETE", "_doc/a", None)
PUT = ("PUT", "_doc/c", {"body": TEXT})
UPDATE = ("POST", "_update/c", {"doc": {"body": TEXT}})
BULK = ("POST", "_bulk", [{"index": {"_id": "c"}}, {"body": TEXT}, {"delete": {"_id": "b"}}])
PACKED = ("POST", "_bulk", gzip.compress(lines({"delete": {"_id": "a"}}, *BULK[2])))
REFUSED = [
    DELETE,
    PUT,
    UPDATE,
    BULK,
    PACKED,
    ("POST", "_doc", {"body": reprint(TEXT, 3)}),
    ("POST", "_update/d", {"doc": {"body": TEXT}, "doc_as_upsert": True}),
    ("POST", "_update/a", {"script": "ctx._source.body = 'x'"}),
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

    def ask(self, user: str, request: tuple[str, str, Any], mark: str = "") -> Answer:
        """A request of a user through the filter."""
        method, path, body = request
        headers = {**credentials(user), "X-Opaque-Id": mark}
        if isinstance(body, bytes):
            headers |= {"Content-Encoding": "gzip", "Content-Type": "application/x-ndjson"}
        return self.filter.ask(method, f"/{self.index}/{path}", body, **headers)

    def kept(self) -> dict[str, Any]:
        """Everything that the server has of each document but for the pairs of `wait`."""
        found = everything(self.engine_url).items()
        return {id_: hit | {"_score": 1} for id_, hit in found if not id_.startswith("pair")}

    def wait(self) -> None:
        """Until the filter has grouped what came so far: it groups a new pair of copies."""
        first, second = (f"pair{secrets.token_hex(4)}-{copy}" for copy in (1, 2))
        for id_ in (first, second):
            assert self.ask(WRITER, ("PUT", f"_doc/{id_}", {"body": story(first)})).status == 201
        # either may name it, for a busy filter passes a document unsigned, which is seen later then
        eventually(lambda: {first, second} in partition(grouped(self.engine_url)), True)


@contextmanager
def _place(engine_url: str) -> Iterator[Place]:
    """With the documents of KEPT in their groups."""
    make(engine_url)
    with guarding(engine_url) as (guard, filter_):
        place = Place(engine_url, guard, filter_, filter_.index)
        for id_, source in KEPT.items():
            assert place.ask(WRITER, ("PUT", f"_doc/{id_}", source)).status == 201
        eventually(lambda: partition(grouped(engine_url)), {frozenset("ab"), frozenset("c")})
        place.wait()
        yield place


@servers(ONE_OF_EACH)
def test_a_request_goes_out_once_with_its_own_credentials_and_changes_nothing_if_it_is_refused(
    engine_url: str,
) -> None:
    """Also where the cluster thinks about requests while others write, and refuses them then."""
    with _place(engine_url) as place, ThreadPoolExecutor() as pool:
        before, sent = place.kept(), []
        for user, (number, request) in itertools.product(STATUS, enumerate(REFUSED)):
            sent.append((user, f"{user}-{number}"))
            answer = place.ask(user, request, sent[-1][1])
            assert answer.status == STATUS[user], (user, request, answer.body)
            assert answer.json["error"]["reason"] == "the guard refuses this"
        assert place.ask(READER, ("GET", "_search", None), "read").status == 200
        sent.append((READER, "read"))
        marks = {mark for _, mark in sent}
        assert [seen for seen in place.guard.seen if seen[1] in marks] == sent
        held = {"delete": DELETE, "put": PUT, "update": UPDATE, "bulk": BULK}
        place.guard.held |= {name: threading.Event() for name in held}
        answers = [pool.submit(place.ask, READER, request, name) for name, request in held.items()]
        eventually(lambda: {name for user, name in place.guard.seen if user == READER} >= {*held}, True)
        place.wait()
        assert place.kept() == before
        for name in held:
            place.guard.held[name].set()
        assert [answer.result(60).status for answer in answers] == [403] * len(held)
        place.wait()
        assert place.kept() == before
        assert FILTER in {user for user, _ in place.guard.seen}
