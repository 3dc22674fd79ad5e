"""Checks of the shape of each kind of answer before anything is read from it: pure.

A gateway may answer in place of the server, with status 200 and a page of its own, and a server that breaks
down may answer with half of the truth. An answer of another shape is not an answer: NoAnswerError.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from dupgroups_es.mapping import is_alone
from dupgroups_es.transport import Action, NoAnswerError

Answer = dict[str, Any]
Body = Mapping[str, Any]


def object_of(answer: Any, *names: str) -> Answer:
    """A JSON object that has these names."""
    if not isinstance(answer, dict) or any(name not in answer for name in names):
        raise _unexpected_answer(
            f"lacks {', '.join(names)}" if isinstance(answer, dict) else "is not a JSON object"
        )
    return answer


def indices_of(answer: Any) -> dict[str, Answer]:
    """By name, each with its mappings and settings; {} if there are none."""
    for index in object_of(answer).values():
        object_of(index, "mappings", "settings")
    indices: dict[str, Answer] = answer
    return indices


def names_of(answer: Any) -> dict[str, Answer]:
    """By name, each with its `uuid`, and whether it `is_alone` and `is_closed`; {} if there are none."""
    settings = {
        name: object_of(object_of(index, "settings")["settings"], "index")
        for name, index in object_of(answer).items()
    }
    return {
        name: index
        | object_of(settings[name]["index"], "uuid")
        | {
            "is_alone": is_alone(index.get("mappings", {})),
            "is_closed": settings[name]["index"].get("verified_before_close") == "true",
        }
        for name, index in answer.items()
    }


def bulk_of(answer: Any, actions: Sequence[Action]) -> list[Answer]:
    """The result of each action, in their order, with `_id` and `status`."""
    items = _list_of(answer, "items", len(actions))
    done = [object_of(part) for item in items for part in object_of(item).values()]
    if [part.get("_id") for part in done] != [action.id for action in actions]:
        raise _unexpected_answer("names other documents than the request")
    for part in done:
        object_of(part, "status")
    return done


def documents_of(answer: Any, ids: Sequence[str]) -> list[Answer]:
    """The answer for each id, in their order: `error`, or `found` and what is stored."""
    documents = _list_of(answer, "docs", len(ids))
    for document, id_ in zip(documents, ids, strict=True):
        if object_of(document).get("_id") != id_:
            raise _unexpected_answer("names other documents than the request")
        if "error" not in document and object_of(document, "found")["found"]:
            object_of(document, "_source")
    return documents


def responses_of(answer: Any, bodies: Sequence[Body]) -> list[Answer]:
    """The answer to each search, in their order: `error` with `status`, or what was found."""
    responses = _list_of(answer, "responses", len(bodies))
    for response, body in zip(responses, bodies, strict=True):
        if "error" in object_of(response):
            object_of(response, "status")
        else:
            hits_of(response, body)
    return responses


def hits_of(answer: Any, body: Body) -> Answer:
    """Hits with all that the search asked for, their number and the aggregations."""
    hits = object_of(object_of(answer, "hits")["hits"])
    wanted = ["_id"] * (body.get("stored_fields") != "_none_")
    wanted += ["_source"] * (body.get("_source", True) is not False)
    wanted += ["sort"] * ("sort" in body)
    wanted += ["_seq_no", "_primary_term"] * bool(body.get("seq_no_primary_term"))
    for hit in _list_of(hits, "hits"):
        object_of(hit, *wanted)
    if body.get("track_total_hits"):
        object_of(object_of(hits, "total")["total"], "value")
    if "aggs" in body:
        object_of(object_of(answer, "aggregations")["aggregations"], *body["aggs"])
    return object_of(answer)


def total(answer: Mapping[str, Any]) -> int:
    """The number of documents that match a search."""
    count: int = answer["hits"]["total"]["value"]
    return count


def shards_of(answer: Any) -> list[tuple[str, str, int, Answer]]:
    """Index, its uuid, number and state of every copy of every shard. At least one index must be there."""
    indices = object_of(object_of(answer, "indices")["indices"])
    return [
        (name, object_of(index, "uuid")["uuid"], int(number), object_of(copy, "routing"))
        for name, index in indices.items()
        for number, copies in object_of(object_of(index, "shards")["shards"]).items()
        for copy in _list_of({"copies": copies}, "copies")
    ]


def _list_of(answer: Any, name: str, length: int | None = None) -> list[Any]:
    values = object_of(answer, name)[name]
    if not isinstance(values, list):
        raise _unexpected_answer(f"has {name} that are not a list")
    if length not in (None, len(values)):
        raise _unexpected_answer(f"has {len(values)} {name} instead of {length}")
    return values


def _unexpected_answer(problem: str) -> NoAnswerError:
    return NoAnswerError(f"the answer {problem}, as if something else had answered")
