"""The answers that a writer gets: those of the cluster, put together again. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dupgroups.filtering.filter_path import filtered
from dupgroups.filtering.operations import Operation

Item = Mapping[str, Any]
JSON = "application/json"
ANSWER_PARAMETERS = frozenset({"filter_path", "pretty"})
"""What a request says of the form of its answer; the filter needs all of the answer, and does this itself."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A complete answer to a request."""

    status: int
    body: bytes
    headers: Sequence[tuple[str, str]] = field(default_factory=tuple)

    def json(self) -> Any:
        """The body as values; None if it is not JSON."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            return None


def error_reply(status: int, kind: str, reason: str) -> Reply:
    """An error in the form of the cluster's own."""
    body = {"error": {"root_cause": [{"type": kind, "reason": reason}], "type": kind, "reason": reason}}
    return Reply(status, json.dumps({**body, "status": status}).encode(), [("Content-Type", JSON)])


def items_of(reply: Reply, operations: Sequence[Operation]) -> list[Item] | None:
    """What a bulk answers for each of its operations; None unless it answers for exactly these."""
    answer = reply.json()
    items = answer.get("items") if reply.status == 200 and isinstance(answer, dict) else None
    if not isinstance(items, list) or len(items) != len(operations):
        return None
    found = [next(iter(item.values()), None) if isinstance(item, dict) else None for item in items]
    return [item for item in found if isinstance(item, dict)] if None not in found else None


def failed(operation: Operation, reply: Reply) -> Item:
    """The item of an operation whose request failed as a whole."""
    answer = reply.json()
    error = answer.get("error") if isinstance(answer, dict) else None
    kind = {"type": "error", "reason": f"the cluster answered {reply.status}"}
    return refused(operation, reply.status, error if isinstance(error, dict) else kind)


def refused(operation: Operation, status: int, error: Mapping[str, Any]) -> Item:
    """The item of an operation that was not carried out."""
    return {"_index": operation.index, "_id": operation.id, "status": status, "error": error}


def bulk_reply(
    operations: Sequence[Operation], items: Sequence[Item], took: int, query: Mapping[str, str], like: Reply
) -> Reply:
    """The answer to a bulk whose parts were answered one by one; headers are those of `like`."""
    answer = {
        "took": took,
        "errors": any("error" in item for item in items),
        "items": [
            {"create" if operation.creates else operation.action: item}
            for operation, item in zip(operations, items, strict=True)
        ],
    }
    return shown(Reply(200, _to_json(answer), like.headers), query)


def shown(reply: Reply, query: Mapping[str, str]) -> Reply:
    """A reply as the parameters of the request want to see it."""
    if not ANSWER_PARAMETERS & query.keys():
        return reply
    answer = reply.json()
    if query.get("filter_path"):
        answer = filtered(answer, query["filter_path"])
    return Reply(reply.status, _to_json(answer, query.get("pretty", "false") != "false"), reply.headers)


def _to_json(value: Any, pretty: bool = False) -> bytes:
    separators = None if pretty else (",", ":")
    text = json.dumps(value, ensure_ascii=False, indent=2 if pretty else None, separators=separators)
    return text.encode("utf-8", "surrogatepass")


def document_item(reply: Reply) -> Item | None:
    """What the answer to a write of one document says; None for what is no such answer."""
    answer = reply.json()
    if not isinstance(answer, dict) or not {"error", "result"} & answer.keys():
        return None
    return {**answer, "status": reply.status}
