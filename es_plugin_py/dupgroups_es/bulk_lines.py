"""The lines of a bulk as they arrive, and of a single document: what is written, and its text. Pure.

A bulk alternates lines of actions and of sources. What cannot be read is not repaired: it goes on as it came,
and the cluster says what is wrong with it.
"""

import json
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from dupgroups.model import Record
from dupgroups_es.document_signer import signed_text

ACTIONS = ("index", "create", "update", "delete")
MAX_LINE_BYTES = 4_000_000  # bytes of a line, beyond which a document goes on unsigned: the grouper signs it


@dataclass(slots=True)
class Operation:
    """One write of one document, as the bytes that came (`line`, `source`). `id` is None if the server would
    make it; `text` is the source as text and `document` as values, both empty for what is not signed.
    """

    action: str
    index: str | None
    id: str | None
    line: bytes = b""
    source: bytes = b""
    text: str = ""
    document: Mapping[str, Any] = field(default_factory=dict)
    pinned: str = ""  # the index that is named in place of an alias which may move on
    is_made: bool = False  # the id is ours
    is_routed: bool = False
    is_piped: bool = False  # through a pipeline, which may take it elsewhere or change its text

    @property
    def writes(self) -> bool:
        """Whether it writes a whole document."""
        return self.action in ("index", "create")

    def read(self) -> None:
        """Fill in `text` and `document`; they stay empty for what is not an object in UTF-8."""
        try:
            text = self.source.decode("utf-8")
            document = json.loads(text)
        except (ValueError, RecursionError):
            return
        if isinstance(document, dict):
            self.text, self.document = text, document

    def name(self, index: str) -> None:
        """Make the id if it has none, and pin the index if an alias that may move on stands for it."""
        self.is_made = self.id is None
        self.id, self.pinned = self.id or secrets.token_urlsafe(15), index  # as long as the server's

    def _named_line(self) -> bytes:
        """The line with the id that we made, and with the index that we name in place of an alias."""
        if not self.line:
            return b""
        ((action, parameters),) = json.loads(self.line).items()
        ours: dict[str, Any] = {"_id": self.id} if self.is_made else {}
        if self.pinned:
            ours |= {"_index": self.pinned, "require_alias": False}
        if not ours:
            return self.line
        return json.dumps({action: {**parameters, **ours}}, ensure_ascii=False).encode() + b"\n"

    def signed_lines(self, record: Record | None) -> bytes:
        """The lines as they are sent: with our fields, or without any that the client has set."""
        try:
            text = signed_text(self.text, self.document, record)
        except ValueError:  # an object that Python reads and JSON does not allow: the cluster says so
            return self.line + self.source
        if text is self.text:
            return self.line + self.source
        line = self.line if record is None else self._named_line()
        return line + text.encode("utf-8", "surrogatepass")

    def target(self, target: str) -> str:
        """Where a single document goes that was sent to a target: to the index that we name, and with the id
        that we made. Such an id may only be created, as the server's own would be: a user may have the right
        to nothing else.

        >>> Operation("index", "alias", "7", pinned="index-1", is_made=True).target("/alias/_doc?x=1")
        '/index-1/_doc/7?x=1&op_type=create'
        """
        path, _, query = target.partition("?")
        ours = {"require_alias"} if self.pinned else set()
        if self.pinned:
            path = re.sub(r"[^/]+", quote(self.pinned, safe=""), path, count=1)
        if self.is_made:
            path, ours = f"{path.rstrip('/')}/{quote(self.id or '', safe='')}", ours | {"op_type"}
        pairs = [pair for pair in query.split("&") if pair and pair.partition("=")[0] not in ours]
        pairs += ["op_type=create"] if self.is_made else []
        return f"{path}?{'&'.join(pairs)}" if pairs else path


class DocumentReader:
    """Takes the bytes of one document in pieces. `unread` is 1 if it was too long."""

    def __init__(self, operation: Operation) -> None:
        self._operation = operation
        self._source = bytearray()
        self.unread = 0

    def feed(self, data: bytes) -> Iterable[Operation | bytes]:
        """Nothing is complete before the end; of what is too long, nothing is kept."""
        self._source += data
        if self.unread or len(self._source) > MAX_LINE_BYTES:
            self.unread, self._source = 1, bytearray()
        return ()

    def finish(self) -> Iterable[Operation | bytes]:
        """The document, if it is not too long."""
        self._operation.source = bytes(self._source)
        return () if self.unread else (self._operation,)


class BulkReader:
    """Takes the bytes of a bulk in pieces, and gives its operations, or bytes that go on as they are.

    `unread` counts the operations whose lines were too long.
    """

    def __init__(self, index: str | None, query: Mapping[str, str]) -> None:
        self._index = index
        self._query = query
        self._rest = bytearray()
        self._action: Operation | None = None
        self._is_raw = False  # nothing can be told of what follows
        self._is_long = False  # within a line that is too long
        self.unread = 0

    def feed(self, data: bytes) -> Iterator[Operation | bytes]:
        """The operations that these bytes complete."""
        self._rest += data
        start = 0
        while not self._is_raw and (end := self._rest.find(b"\n", start)) >= 0:
            line = bytes(self._rest[start : end + 1])
            start = end + 1
            yield from self._line(line)
        del self._rest[:start]
        if self._is_raw or len(self._rest) > MAX_LINE_BYTES:
            self._is_long = True
            yield from self._pieces(bytes(self._rest))
            self._rest.clear()

    def finish(self) -> Iterator[Operation | bytes]:
        """The rest at the end: a line without a newline, or an action without its source."""
        yield from self._pieces(bytes(self._rest))
        self._rest.clear()

    def _pieces(self, piece: bytes) -> Iterator[bytes]:
        if self._action:
            yield self._action.line
            self._action = None
            self.unread += 1
        if piece:
            yield piece

    def _line(self, line: bytes) -> Iterator[Operation | bytes]:
        if self._is_long:
            self._is_long = False
            yield line
        elif self._action:
            operation, self._action = self._action, None
            operation.source = line
            yield operation
        elif not line.strip():
            yield line
        elif (begun := self._operation(line)) is None:
            self._is_raw = True
            yield line
        elif begun.action == "delete":
            yield begun
        else:
            self._action = begun

    def _operation(self, line: bytes) -> Operation | None:
        try:
            ((action, parameters),) = json.loads(line.decode("utf-8")).items()
            index, id_ = parameters.get("_index", self._index), parameters.get("_id")
        except (ValueError, AttributeError, RecursionError):
            return None
        if action not in ACTIONS or not isinstance(id_, str | int | None) or isinstance(id_, bool):
            return None
        told = self._query.keys() | parameters.keys()
        return Operation(
            action,
            index if isinstance(index, str) else None,
            None if id_ is None else str(id_),
            line,
            is_routed=not told.isdisjoint(("routing", "_routing")),
            is_piped="pipeline" in told,
        )


def reader_of(
    kind: str, index: str | None, id_: str | None, query: Mapping[str, str]
) -> DocumentReader | BulkReader:
    """The reader for the body of a request of this kind: of a bulk, or of an action on one document."""
    if kind == "bulk":
        return BulkReader(index, query)
    routed, piped = "routing" in query, "pipeline" in query
    return DocumentReader(Operation(kind, index, id_, is_routed=routed, is_piped=piped))
