"""What both clients are reduced to: send one request, get JSON back, or one of two errors."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from http.client import HTTPException, IncompleteRead
from typing import Any, Protocol

from dupgroups.errors import EngineError

TEMPORARY = frozenset({408, 409, 429, 502, 503, 504})  # 409: somebody else updated it meanwhile
NOT_JSON = "what came back is not JSON"

_SILENCES: tuple[tuple[type[Exception], str], ...] = (
    (TimeoutError, "time-out"),
    (ConnectionError, "connection closed"),
    (IncompleteRead, "the answer was cut off"),
    (HTTPException, "what came back is no HTTP"),
)


class Client(Protocol):
    """One client library. `lines` says that the body is newline-delimited JSON."""

    def send(
        self, method: str, path: str, params: Mapping[str, str], body: bytes | None, *, lines: bool
    ) -> Any:
        """The decoded answer. Raises RefusedError, NoAnswerError; EngineError for another server product."""

    @property
    def version(self) -> str:
        """The client library with its version, for `doctor`."""

    def close(self) -> None:
        """Let go of its connections."""


class NoAnswerError(Exception):
    """No answer to the request came back: refused, cut, timed out, or something else sent instead."""


class RefusedError(Exception):
    """The server answered with an error: its status, its name for the error, and its reason."""

    def __init__(self, status: int, kind: str, reason: str) -> None:
        super().__init__(f"{status} {kind}: {reason}" if reason else f"{status} {kind}")
        self.status = status
        self.kind = kind
        self.reason = reason

    @classmethod
    def from_answer(cls, status: int, error: object) -> RefusedError:
        """From the `error` of an answer, or of one item in it, whatever its shape.

        >>> RefusedError.from_answer(404, {"type": "gone", "reason": "no such index"}).reason
        'no such index'
        >>> RefusedError.from_answer(502, "<html>Bad Gateway</html>").kind
        'error'
        """
        if not isinstance(error, Mapping):
            return cls(status, "error", str(error or "")[:300])
        causes = [error, error.get("caused_by")]
        reasons = [str(each.get("reason", "")) for each in causes if isinstance(each, Mapping)]
        return cls(status, str(error.get("type", "error")), ": ".join(filter(None, reasons))[:500])

    @property
    def blocked(self) -> bool:
        """A block lies on the index: the status may say 429, but coming later does not help by itself."""
        return self.kind == "cluster_block_exception"

    @property
    def absent(self) -> bool:
        """There is no document to update."""
        return self.kind == "document_missing_exception"

    @property
    def conflict(self) -> bool:
        """Somebody else wrote the document meanwhile."""
        return self.kind == "version_conflict_engine_exception"

    @property
    def temporary(self) -> bool:
        """The same request may be taken later."""
        return self.status in TEMPORARY and not self.blocked


@dataclass(frozen=True, slots=True)
class Action:
    """One line of a bulk request; `operation` is index, update (of the given fields) or delete.

    `alias`: the server refuses to make an index when there is no alias of that name. `create`: it refuses to
    write over a document. `version` (sequence number, primary term): it refuses to write over another
    version. `always`: an update that changes nothing counts as an operation too, so that other processes see
    it.
    """

    operation: str
    index: str
    id: str
    source: Mapping[str, Any] | None = None
    alias: bool = False
    create: bool = False
    version: tuple[int, int] | None = None
    always: bool = False

    @property
    def conditional(self) -> bool:
        """Whether it rests on what was seen."""
        return self.create or self.version is not None

    def lines(self) -> bytes:
        """As newline-delimited JSON."""
        place: dict[str, Any] = {"_index": self.index, "_id": self.id}
        if self.operation == "delete":
            return to_lines([{"delete": place}])
        if self.version is not None:
            place |= {"if_seq_no": self.version[0], "if_primary_term": self.version[1]}
        if self.operation == "update":
            if self.version is None:
                place["retry_on_conflict"] = 3
            options = {"detect_noop": False} if self.always else {}
            return to_lines([{"update": place}, {"doc": self.source, **options}])
        operation = "create" if self.create else self.operation
        return to_lines([{operation: {**place, "require_alias": self.alias}}, self.source])


def silence(error: BaseException) -> str:
    """Why nothing came back, in the words of the system below the client, whose own may hold addresses.

    >>> silence(ConnectionRefusedError(111, "Connection refused"))
    'connection refused'
    """
    below: BaseException | None = error
    while below is not None:
        if isinstance(below, OSError) and below.strerror:
            return below.strerror.lower()
        for kind, words in _SILENCES:
            if isinstance(below, kind):
                return words
        below = below.__cause__ or below.__context__
    return type(error).__name__


def untrusted() -> EngineError:
    """What to say when TLS fails, which waiting does not cure."""
    return EngineError(
        "no trusted TLS connection: give the certificate of its authority as ca=FILE in the engine's URL "
        "(verify=false trusts anybody); a server without TLS is named without +https"
    )


def to_json(value: Any) -> bytes:
    """Compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def to_lines(values: Iterable[Any]) -> bytes:
    """Newline-delimited JSON."""
    return b"".join(to_json(each) + b"\n" for each in values)
