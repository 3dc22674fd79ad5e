"""What counts as an answer to each kind of request, without a server."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from dupgroups_es import shapes
from dupgroups_es.transport import Action, NoAnswerError

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
    ("bulk", {"items": DONE[::-1]}),
    ("bulk", {"items": [DONE[0], {}]}),
    ("bulk", {"items": [DONE[0], {"delete": {"_id": "b"}}]}),
    ("bulk", {"items": {"index": 1}}),
    ("mget", {"docs": DOCUMENTS[:1]}),
    ("mget", {"docs": DOCUMENTS[::-1]}),
    ("mget", {"docs": [DOCUMENTS[0], {"_id": "b"}]}),
    ("mget", {"docs": [{"_id": "a", "found": True}, DOCUMENTS[1]]}),
    ("msearch", {"responses": [FOUND]}),
    ("msearch", {"responses": [FOUND, {"error": {}}]}),
    *(("search", {**FOUND, name: value}) for name in FOUND for value in ({}, None, [])),
    *(
        ("search", {**FOUND, "hits": {"total": {"value": 1}, "hits": [{**HIT, name: 0}, hit]}})
        for name in HIT
        for hit in [{key: value for key, value in HIT.items() if key != name}]
    ),
    ("positions", {}),
    ("positions", {"indices": {"news": {"uuid": "u", "shards": {"0": [{}]}}}}),
    ("positions", {"indices": {"news": {"shards": {"0": [COPY]}}}}),
    ("names", {"news": {"settings": {"index": {}}}}),
    ("names", {"news": {"settings": "index"}}),
    ("index", {"news": {"mappings": {}}}),
]


@pytest.mark.parametrize(("kind", "answer"), LACKING)
def test_a_part_that_lacks_is_noticed(kind: str, answer: object) -> None:
    with pytest.raises(NoAnswerError):
        SHAPES[kind][0](answer)
