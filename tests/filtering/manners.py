"""A table of requests; each must be answered through the filter as the server answers it straight.

In targets and bodies INDEX stands for the index. Every document has a text of its own: what has no copy is
never written a second time, so even sequence numbers are the same on both ways.
"""

import gzip
import itertools
import json
from dataclasses import dataclass
from typing import Any

from stories import story

JSON = "application/json"
NDJSON = "application/x-ndjson"
VENDOR = "application/vnd.elasticsearch+json;compatible-with="


@dataclass(frozen=True)
class Case:
    """One request."""

    method: str
    target: str
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()
    version: str = "HTTP/1.1"
    is_chunked: bool = False

    def __str__(self) -> str:
        shown = self.target if len(self.target) < 90 else f"{self.target[:80]}... ({len(self.target)})"
        extra = "".join(f"  {name}: {value:.60}" for name, value in self.headers[:3])
        return f"{self.method} {shown}{extra}"


def text(number: int) -> str:
    """A text that no other number has."""
    return story(f"manners {number}")


def document(number: int, **more: Any) -> dict[str, Any]:
    return {"headline": f"Headline {number}", "body": text(number), "rank": number, **more}


def lines(*objects: Any) -> bytes:
    """A body of a bulk or of a multi-search."""
    return "".join(f"{json.dumps(one)}\n" for one in objects).encode()


def ask(method: str, target: str, body: Any = None, **more: Any) -> Case:
    """A request with a body of JSON, or of lines of JSON for a list, or of these bytes."""
    kind = more.pop("kind", NDJSON if isinstance(body, list) else JSON)
    headers = tuple(more.pop("headers", ()))
    if body is None:
        return Case(method, target, b"", headers, **more)
    encoded = body if isinstance(body, bytes) else lines(*body) if isinstance(body, list) else lines(body)
    typed = (("Content-Type", kind),) if kind else ()
    return Case(method, target, encoded, (*typed, *headers), **more)


def put(target: str, body: Any = None, **more: Any) -> Case:
    return ask("PUT", target, body, **more)


def post(target: str, body: Any = None, **more: Any) -> Case:
    return ask("POST", target, body, **more)


def bulk(*objects: Any, target: str = "/INDEX/_bulk", **more: Any) -> Case:
    return post(target, list(objects), **more)


CBOR_DOCUMENT = b"\xa1\x64body\x79" + len(text(300)).to_bytes(2, "big") + text(300).encode()
LONG_ID = "i" * 513
ODD_IDS = ("a%2Fb", "%E4%B8%AD%E6%96%87", "a+b", "%C3%A9%2F%2e%2e%2Fx", "q%3Fx%26y%23z")

SINGLES = [
    put("/INDEX/_doc/1", document(1)),
    put("/INDEX/_doc/1?if_seq_no=0&if_primary_term=1", document(2)),
    put("/INDEX/_doc/1?if_seq_no=0&if_primary_term=1", document(3)),
    put("/INDEX/_doc/1?refresh=true", {"rank": 2}),
    put("/INDEX/_create/6", document(10)),
    post("/INDEX/_create/7?filter_path=result,_version", document(12)),
    post("/INDEX/_doc", document(13)),
    post("/INDEX/_doc/10", {"body": ""}),
    post("/INDEX/_doc/14", {"body": {"not": "a text"}}),
    post("/INDEX/_doc/15", b'{"body": cut'),
    post("/INDEX/_doc/15", b'{"body": "\xff\xfe"}'),
    post("/INDEX/_doc/16", b'  {"rank" : 1.50, "big": 0.12345678901234567890123, "body": "short"}  \n'),
    put("/INDEX/_doc/17?version=5&version_type=external", document(18)),
    put("/INDEX/_doc/18?routing=r1", document(25)),
    put("/INDEX/_doc/19?pipeline=missing", document(29)),
    put(f"/INDEX/_doc/{LONG_ID}", document(33)),
    *(put(f"/INDEX/_doc/{id_}", document(40 + place)) for place, id_ in enumerate(ODD_IDS)),
    put("/INDEX-missing/_doc/1?require_alias=true", document(53)),
    put("/INDEX/_doc/21?error_trace=true&version=7&filter_path=status", document(55)),
    ask("DELETE", "/INDEX/_doc/1"),
    ask("DELETE", "/INDEX/_doc/1"),
]

BULKS = [
    bulk({"index": {"_id": "1"}}, document(101), {"create": {"_id": "2"}}, document(102)),
    bulk(
        {"create": {"_id": "2"}}, document(103), {"index": {}}, document(105), {"create": {}}, document(106)
    ),
    bulk({"delete": {"_id": "1"}}, {"delete": {"_id": "missing"}}, {"index": {"_id": "1"}}, document(108)),
    bulk({"index": {"_id": "6"}}, document(111), target="/INDEX/_bulk?filter_path=items.*.error,errors"),
    bulk({"index": {"_id": "9", "_index": "INDEX"}}, document(115), target="/_bulk"),
    bulk(
        {"index": {"_id": "15", "pipeline": "missing"}},
        document(126),
        {"index": {"_id": "16"}},
        document(127),
    ),
    bulk({"index": {"_id": 17}}, {"rank": 17}, {"index": {"_id": "18"}}, {"body": {"not": "a text"}}),
    bulk({"index": {"_id": "19"}, "create": {"_id": "20"}}, document(132)),
    post("/INDEX/_bulk", lines({"index": {"_id": "21"}}, document(133))[:-1], kind=NDJSON),
    post("/INDEX/_bulk", b'{"index":{"_id":"22"}}\n{"body": cut\n{"delete":{"_id":"21"}}\n', kind=NDJSON),
    post("/INDEX/_bulk", lines({"index": {"_id": "24"}}, document(135)).replace(b"\n", b"\r\n"), kind=NDJSON),
    post("/INDEX/_bulk", lines({"index": {"_id": "26"}}, document(137)), kind="text/plain"),
]

_numbers = itertools.count(600)


def _with(*headers: tuple[str, str], target: str = "/INDEX/_doc/h", **more: Any) -> Case:
    return put(target, document(next(_numbers)), headers=headers, **more)


HEADERS = [
    _with(("X-Opaque-Id", "my-id é")),
    _with(("Expect", "100-continue")),
    _with(("Content-Type", f"{VENDOR}8"), ("Accept", f"{VENDOR}8"), kind=""),
    _with(("Accept", "application/yaml")),
    _with(("Accept-Encoding", "gzip")),
    _with(is_chunked=True),
]

_MATCH = {"query": {"match": {"headline": "headline"}}, "sort": ["rank"], "size": 2}
READS = [
    post("/INDEX/_refresh"),
    ask("HEAD", "/INDEX/_doc/2", headers=[("Accept-Encoding", "gzip")]),
    post("/INDEX/_search?pretty&filter_path=hits.hits._id", _MATCH),
    post("/INDEX/_search?error_trace=true", {"size": -1}),
    ask("GET", "/_cluster/health/INDEX?filter_path=status", version="HTTP/1.0"),
    post("/INDEX/_delete_by_query?refresh=true", {"query": {"term": {"rank": 101}}}),
    ask("GET", "/INDEX/_count?q=" + "x" * 9_000),
]

UPDATES = [  # a text that an update brings is signed after the cluster took it: it is written twice
    put("/INDEX/_doc/1", document(201)),
    post("/INDEX/_update/1", {"doc": {"rank": 3}}),
    post("/INDEX/_update/1?refresh=true", {"doc": {"body": text(202)}}),
    post("/INDEX/_update/2", {"doc": {"body": text(203)}}),
    post("/INDEX/_update/4", {"doc": {"rank": 1}, "upsert": {"body": text(205), "rank": 0}}),
    post("/INDEX/_update/4?if_seq_no=999&if_primary_term=1", {"doc": {"body": text(206)}}),
    post("/INDEX/_update/4", {"script": {"source": "ctx._source.rank += 1", "lang": "painless"}}),
    bulk({"update": {"_id": "1"}}, {"doc": {"rank": 9}}, {"update": {"_id": "no"}}, {"doc": {"rank": 1}}),
    bulk({"index": {"_id": "8"}}, document(210), {"update": {"_id": "8"}}, {"doc": {"rank": 1}}),
]

NAMES = [
    post("/_aliases", {"actions": [{"add": {"index": "INDEX", "alias": "INDEX-alias"}}]}),
    put("/INDEX-alias/_doc/1", document(401)),
    bulk({"index": {"_id": "2"}}, document(403), target="/INDEX-alias/_bulk?require_alias=true"),
    put("/INDEX-new/_doc/1", document(404)),
    put("/%3CINDEX-%7Bnow%2Fy%7ByyyyMMdd%7D%7D%3E/_doc/1", document(406)),
    bulk({"index": {"_id": "2", "_index": "<INDEX-{now/y{yyyyMMdd}}>"}}, document(407), target="/_bulk"),
    put("/_index_template/INDEX", {"index_patterns": ["INDEX-stream*"], "data_stream": {}, "priority": 999}),
    put("/_data_stream/INDEX-stream"),
    post("/INDEX-stream/_doc", {"@timestamp": "2026-11-22T00:00:00Z", **document(412)}),
    bulk({"create": {}}, {"@timestamp": "2026-11-22", **document(415)}, target="/INDEX-stream/_bulk"),
    ask("DELETE", "/_data_stream/INDEX-stream"),
    ask("DELETE", "/_index_template/INDEX"),
    put("/_ingest/pipeline/INDEX", {"processors": [{"set": {"field": "rank", "value": 7}}]}),
    put("/INDEX/_doc/3?pipeline=INDEX", document(417)),
    ask("DELETE", "/_ingest/pipeline/INDEX"),
    post("/INDEX/_close?wait_for_active_shards=0"),
    put("/INDEX/_doc/5", document(419)),
    post("/INDEX/_open"),
    ask("DELETE", "/INDEX-new"),
]


def _packed(*parts: bytes) -> bytes:
    """A gzip body of as many members."""
    return b"".join(map(gzip.compress, parts))


def _coded(target: str, body: bytes, coding: str = "gzip", kind: str = NDJSON, **more: Any) -> Case:
    return post(target, body, kind=kind, headers=[("Content-Encoding", coding)], **more)


_FIRST = lines({"index": {"_id": "g1"}}, document(1701))
_SECOND = lines({"index": {"_id": "g2"}}, document(1702), {"index": {"_id": "g3"}}, document(1703))
ENCODINGS = [  # what is not JSON is signed afterwards
    _coded("/INDEX/_bulk", _packed(_FIRST, _SECOND)),
    _coded("/INDEX/_bulk", _packed(_FIRST[:30], _FIRST[30:] + _SECOND, b"")),
    _coded("/INDEX/_doc/g4", _packed(json.dumps(document(1704)).encode()), kind=JSON),
    put("/INDEX/_doc/c1?filter_path=_id,result", CBOR_DOCUMENT, kind="application/cbor"),
    put("/INDEX/_doc/u1", json.dumps(document(1705)).encode("utf-16"), kind=JSON),
    post("/INDEX/_refresh"),
    post("/INDEX/_search", {"query": {"range": {"rank": {"gt": 1700}}}, "sort": ["rank"]}),
]

GROUPS = {
    "written once": [*SINGLES, *BULKS, *HEADERS, *READS],
    "written twice": [*UPDATES, *NAMES],
    "encodings": ENCODINGS,
}
"""Of what the filter signs afterwards, which is in the last two, sequence numbers and versions may differ."""
