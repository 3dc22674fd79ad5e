"""The operations that a request asks for, and the lines of a bulk. Pure.

A bulk alternates lines of actions and of sources. What cannot be read is not repaired: the whole body is
passed on, and the cluster says what is wrong with it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dupgroups.filtering.splicing import members, with_fields, with_fields_inside
from dupgroups.filtering.targets import Write

ACTIONS = ("index", "create", "update", "delete")
CONDITIONS = ("if_seq_no", "if_primary_term", "version", "version_type", "_version", "_version_type")

Source = Mapping[str, Any]
Version = tuple[int, int]


class UnreadableError(ValueError):
    """A body is not what the filter can read; it is passed on as it is."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One write of one document. `id` is None if the server would make it, `source` is the JSON text of the
    body, None for a deletion, and `parameters` are those of the action and of the whole request. `home` is
    the index that it writes into if that is filtered; `is_pinned` if it has to be named, because `index` may
    stand for another one the next moment.
    """

    action: str
    index: str
    id: str | None
    source: str | None = None
    parameters: Source = field(default_factory=dict)
    line: str = ""  # the action, as the client wrote it
    home: str | None = None
    is_pinned: bool = False

    @property
    def creates(self) -> bool:
        """Whether it must not replace a document."""
        return self.action == "create" or self.parameters.get("op_type") == "create"

    @property
    def is_conditional(self) -> bool:
        """Whether the client names the version that it wants to replace."""
        return any(name in self.parameters for name in CONDITIONS)

    @property
    def routing(self) -> str | None:
        """What says on which shard the document lies; None if its id does."""
        named = (self.parameters.get(name) for name in ("routing", "_routing"))
        return next((str(routing) for routing in named if routing is not None), None)

    def body(self) -> dict[str, Any]:
        """The body as values; {} for one that is not an object, which the cluster refuses."""
        try:
            value = json.loads(self.source or "{}")
        except (ValueError, RecursionError):
            return {}
        return value if isinstance(value, dict) else {}


@dataclass(frozen=True, slots=True)
class Change:
    """What is added to an operation: the id, `fields` in the document (in the member `inside` of the body, if
    it is an update), and the version that has to be there.
    """

    id: str | None = None
    fields: Source = field(default_factory=dict)
    inside: str | None = None
    version: Version | None = None


UNCHANGED = Change()


def parse_bulk(body: bytes, write: Write) -> list[Operation]:
    """The operations of a bulk. Raises UnreadableError, for a body without a newline at its end, too."""
    if not body.endswith(b"\n"):
        raise UnreadableError("the last line does not end with a newline")
    try:
        lines = iter(body.decode("utf-8").split("\n")[:-1])
    except UnicodeDecodeError:
        raise UnreadableError("the body is not UTF-8") from None
    return [_operation(line, lines, write) for line in lines if line.strip()]


def _operation(line: str, lines: Iterator[str], write: Write) -> Operation:
    try:
        ((action, parameters),) = json.loads(line).items()
    except (ValueError, AttributeError, RecursionError):
        raise UnreadableError(f"this is not an action: {line[:80]}") from None
    if action not in ACTIONS or not isinstance(parameters, dict):
        raise UnreadableError(f"this is not an action: {line[:80]}")
    source = None if action == "delete" else next(lines, None)
    if action != "delete" and source is None:
        raise UnreadableError("the last action has no source")
    index, id_ = parameters.get("_index", write.index), parameters.get("_id")
    if not isinstance(index, str) or not isinstance(id_, str | int | None) or isinstance(id_, bool):
        raise UnreadableError(f"this action names no index: {line[:80]}")
    return Operation(
        action, index, None if id_ is None else str(id_), source, {**write.query, **parameters}, line
    )


def single(body: bytes, write: Write) -> Operation:
    """The operation of a request to one document. Raises UnreadableError."""
    assert write.index is not None
    try:
        source = None if write.kind == "delete" else body.decode("utf-8")
    except UnicodeDecodeError:
        raise UnreadableError("the body is not UTF-8") from None
    return Operation(write.kind, write.index, write.id, source, write.query)


def bulk_lines(operation: Operation, change: Change) -> bytes:
    """The lines of an operation with what is added to it; exactly as they came if that is nothing."""
    line = operation.line
    if added := _added(operation, change):
        ((action, parameters),) = json.loads(line).items()
        kept = {name: value for name, value in parameters.items() if not _is_dropped(name, change)}
        line = json.dumps({action: {**kept, **added}}, ensure_ascii=False)
    lines = [line] if operation.source is None else [line, changed_source(operation, change)]
    return "".join(f"{text}\n" for text in lines).encode("utf-8", "surrogatepass")


def changed_source(operation: Operation, change: Change) -> str:
    """The body of an operation with the fields that are added to it."""
    source = operation.source or ""
    if not change.fields:
        return source
    source = source.strip()
    if change.inside is None:
        return with_fields(source, change.fields)
    return with_fields_inside(source, change.inside, change.fields)


def version_parameters(version: Version | None) -> dict[str, int]:
    """The parameters that make a write depend on a version; {} for none."""
    return {} if version is None else {"if_seq_no": version[0], "if_primary_term": version[1]}


def _added(operation: Operation, change: Change) -> dict[str, Any]:
    """What the action names besides what the client wrote."""
    given: dict[str, Any] = {} if change.id is None else {"_id": change.id}
    if operation.is_pinned:
        given["_index"] = operation.home
        if operation.parameters.get("require_alias"):
            given["require_alias"] = False  # it was one
    return {**given, **version_parameters(change.version)}


def _is_dropped(name: str, change: Change) -> bool:
    """The filter itself tries again; a cluster accepts only one of both."""
    return name == "retry_on_conflict" and change.version is not None


def rounds(operations: Sequence[Operation], is_ours: Callable[[Operation], bool]) -> list[list[int]]:
    """The places of operations in rounds, so that no document of ours is written twice in one of them.

    Operations on one document stay in their order; everything that is not ours is in the first round.
    """
    seen: Counter[str] = Counter()
    found: list[list[int]] = []
    for place, operation in enumerate(operations):
        number = 0
        if operation.id is not None and is_ours(operation):
            number = seen[operation.id]
            seen[operation.id] += 1
        while len(found) <= number:
            found.append([])
        found[number].append(place)
    return found


def is_object(text: str | None) -> bool:
    """Whether a text is a JSON object to which fields can be added."""
    try:
        members((text or "").strip())
    except (ValueError, RecursionError):
        return False
    return True
