"""The common interface of both clients (send a request, get JSON back or one of two errors), and the options
in the URL of an engine.
"""

from __future__ import annotations

import json
import logging
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from http.client import HTTPException, IncompleteRead
from importlib.metadata import version
from pathlib import Path
from typing import Any, ClassVar

from dupgroups.engines.url import EngineURL
from dupgroups.errors import ConfigError, EngineError

TEMPORARY = frozenset({408, 409, 429, 502, 503, 504})  # 409: another client has updated the document
NOT_JSON = "the response is not JSON"

_SILENCES: tuple[tuple[type[Exception], str], ...] = (
    (TimeoutError, "time-out"),
    (ConnectionError, "connection closed"),
    (IncompleteRead, "the response was cut off"),
    (HTTPException, "the response is not HTTP"),
)


# the clients log every request, and each failed one with a traceback; what matters of it is in our errors
_LEVELS = {
    "opensearch": logging.ERROR,
    "elasticsearch": logging.ERROR,
    "elastic_transport": logging.ERROR,
    "urllib3.connectionpool": logging.WARNING,
}


def quieten_clients() -> None:
    """Let the loggers of the client libraries show errors only, except those that have a level already."""
    for name, level in _LEVELS.items():
        logger = logging.getLogger(name)
        if logger.level == logging.NOTSET:
            logger.setLevel(level)


class Client(ABC):
    """One client library, by its package. `lines` says that the body is newline-delimited JSON."""

    library: ClassVar[str]
    _client: Any

    @abstractmethod
    def send(
        self, method: str, path: str, params: Mapping[str, str], body: bytes | None, *, lines: bool
    ) -> Any:
        """The decoded response. Raises RefusedError, NoAnswerError; EngineError for a different product."""

    @property
    def version(self) -> str:
        """The client library with its version, for `doctor`."""
        return f"{self.library} {version(self.library)}"

    def close(self) -> None:
        """Close its connections."""
        self._client.close()


class Received(dict[str, Any]):
    """A JSON object that a server sent, and its `text`, in which numbers and the order of fields are still as
    they were stored.
    """

    text = ""


def from_json(data: bytes | str) -> Any:
    """Decode a response. Raises ValueError."""
    text = data.decode("utf-8", "surrogatepass") if isinstance(data, bytes) else data
    value = json.loads(text)
    if isinstance(value, dict):
        value = Received(value)
        value.text = text
    return value


class NoAnswerError(Exception):
    """There was no response: refused, closed, timed out, or something else came back."""


class RefusedError(Exception):
    """The server responded with an error: its status, the type of the error, and the reason."""

    def __init__(self, status: int, kind: str, reason: str) -> None:
        super().__init__(f"{status} {kind}: {reason}" if reason else f"{status} {kind}")
        self.status = status
        self.kind = kind
        self.reason = reason

    @classmethod
    def from_answer(cls, status: int, error: object) -> RefusedError:
        """Build it from the `error` of a response, or of one item in it, whatever its form.

        >>> RefusedError.from_answer(404, {"type": "gone", "reason": "no such index"}).reason
        'no such index'
        >>> RefusedError.from_answer(502, "<html>Bad Gateway</html>").kind
        'error'
        """
        if not isinstance(error, Mapping):
            return cls(status, "error", str(error or "")[:300])
        causes = [error, error.get("caused_by")]
        reasons = [str(cause.get("reason", "")) for cause in causes if isinstance(cause, Mapping)]
        return cls(status, str(error.get("type", "error")), ": ".join(filter(None, reasons))[:500])

    @property
    def blocked(self) -> bool:
        """The index has a block, or OpenSearch makes no index because the disks of all nodes are nearly full:
        even if the status is 429, a retry does not help.

        >>> RefusedError.from_answer(403, {"type": "index_create_block_exception"}).blocked
        True
        """
        return self.kind in ("cluster_block_exception", "index_create_block_exception")

    @property
    def absent(self) -> bool:
        """The document to update does not exist."""
        return self.kind == "document_missing_exception"

    @property
    def conflict(self) -> bool:
        """Another client has changed the document in the meantime."""
        return self.kind == "version_conflict_engine_exception"

    @property
    def temporary(self) -> bool:
        """The same request may succeed later."""
        return self.status in TEMPORARY and not self.blocked


@dataclass(frozen=True, slots=True)
class Action:
    """One action of a bulk request."""

    operation: str
    """"index", "update" (of the fields in `source`) or "delete"."""
    index: str
    """The name of the index or alias."""
    id: str
    """The `_id` of the document."""
    source: Mapping[str, Any] | None = None
    """The document, or the fields to update; None to delete, and where `text` is given."""
    alias: bool = False
    """Whether `index` must exist as an alias: then the server never creates an index of this name."""
    create: bool = False
    """Whether it fails if the document exists."""
    version: tuple[int, int] | None = None
    """Sequence number and primary term that the document must still have; None overwrites any."""
    always: bool = False
    """Whether an update that changes nothing still counts as an operation, so that other processes see it."""
    routing: str | None = None
    """The custom routing of the document, or None."""
    text: str | None = None
    """The whole source as text, in place of `source`; it bypasses the ingest pipelines of the index."""
    home: str = ""
    """The index that the document lies in, if `index` is a name of several."""
    number: int | None = None
    """A number of the document that is its version: nothing with a lower one takes the place of it."""

    @property
    def conditional(self) -> bool:
        """Whether it fails if another client has changed the document."""
        return self.create or self.version is not None or self.number is not None

    @property
    def overwrites(self) -> bool:
        """Whether it takes the place of whatever is there: nobody may have looked where that is."""
        return self.operation != "update" and not self.conditional

    def lines(self) -> bytes:
        """As newline-delimited JSON."""
        place: dict[str, Any] = {"_index": self.home or self.index, "_id": self.id}
        if self.routing is not None:
            place["routing"] = self.routing
        if self.operation == "delete":
            return to_lines([{"delete": place}])
        if self.version is not None:
            place |= {"if_seq_no": self.version[0], "if_primary_term": self.version[1]}
        if self.number is not None:
            place |= {"version": self.number, "version_type": "external_gte"}
        if self.text is not None:
            source = self.text.replace("\n", " ")  # strings have theirs escaped
            place["pipeline"] = "_none"
            return to_lines([{"index": place}]) + source.encode("utf-8", "surrogatepass") + b"\n"
        if self.operation == "update":
            if self.version is None:
                place["retry_on_conflict"] = 3
            options = {"detect_noop": False} if self.always else {}
            return to_lines([{"update": place}, {"doc": self.source, **options}])
        operation = "create" if self.create else self.operation
        return to_lines([{operation: {**place, "require_alias": self.alias and not self.home}}, self.source])


def silence(error: BaseException) -> str:
    """Why there was no response, in the words of the system: those of the client may contain addresses.

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


def unknown_user(url: EngineURL) -> str:
    """Explain a response of 401 with the credentials of this URL, and say what to do."""
    if url.api_key:
        return "refused the API key (401): check DUPGROUPS_ENGINE_API_KEY"
    if url.user:
        return (
            "refused the given user and password (401): check DUPGROUPS_ENGINE_USER and "
            "DUPGROUPS_ENGINE_PASSWORD, or those in the URL of the engine"
        )
    if url.password:
        return "requires a log-in: a password is set, but no user; set DUPGROUPS_ENGINE_USER"
    return "requires a log-in: set DUPGROUPS_ENGINE_USER and DUPGROUPS_ENGINE_PASSWORD, or _API_KEY"


def untrusted_error() -> EngineError:
    """The error for a failed TLS handshake, which retries cannot cure."""
    return EngineError(
        "the TLS certificate is not trusted: give the certificate of its authority as ca=FILE in the URL of "
        "the engine (verify=false trusts every certificate); for a server without TLS leave out +https"
    )


def to_json(value: Any) -> bytes:
    """Compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def to_lines(values: Iterable[Any]) -> bytes:
    """Newline-delimited JSON."""
    return b"".join(to_json(value) + b"\n" for value in values)


@dataclass(frozen=True, slots=True)
class Options:
    """`shards` and `refresh_interval` are used when the index is created; `timeout` is seconds per request.

    `retries` is how often a request to a busy or silent server is repeated. `ca` is a file of trusted
    certificates; `verify=false` trusts every certificate. `revisions`: keep what documents said before
    they are changed.
    """

    shards: int = 1
    refresh_interval: str = "1s"
    retries: int = 4
    timeout: float = 30.0
    ca: str | None = None
    verify: bool = True
    revisions: bool = False

    @classmethod
    def of(cls, url: EngineURL) -> Options:
        """The options of a URL. Raises ConfigError for an invalid option, and without host and index."""
        if not url.host or not url.path:
            raise ConfigError(
                f"name host and index in the URL of the engine: {url.kind}://localhost:9200/news"
            )
        options = [option.name for option in fields(cls)]
        for name in url.options:
            if name not in options:
                raise ConfigError(
                    f"unknown option {name!r} in the URL of the engine; known: {', '.join(options)}"
                )
        given = url.options
        return cls(
            shards=url.count("shards", 1, 1, 1024),
            refresh_interval=_interval(given.get("refresh_interval", "1s")),
            retries=url.count("retries", 4, 0, 100),
            timeout=url.number("timeout", 30, 0.1, 3600),
            ca=_file(given.get("ca")),
            verify=_flag("verify", given.get("verify", "true")),
            revisions=_flag("revisions", given.get("revisions", "false")),
        )


def _interval(text: str) -> str:
    if not re.fullmatch(r"-1|[0-9]+(ms|s|m)", text):
        raise ConfigError(f"refresh_interval={text} in the URL of the engine: write 1s, 500ms or -1")
    return text


def _flag(name: str, text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise ConfigError(f"{name}={text} in the URL of the engine: write true or false")
    return text.lower() == "true"


def _file(text: str | None) -> str | None:
    if text is not None and not Path(text).is_file():
        raise ConfigError(f"ca={text} in the URL of the engine: there is no such file")
    return text
