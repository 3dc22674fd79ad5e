"""A client with patience: what is refused for now, and what is not answered, is sent again. A bulk is
accounted for item by item.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from dupgroups.engines.base import MAX_WINDOW_HITS
from dupgroups.engines.patience import Patience
from dupgroups.errors import EngineError
from dupgroups_es import shapes
from dupgroups_es.index_set import IndexSet
from dupgroups_es.positions import OwnWrites
from dupgroups_es.transport import Action, Client, NoAnswerError, RefusedError, to_json

BULK_BYTES = 5_000_000
BULK_ITEMS = 1000

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Written:
    """The actions that a bulk did not carry out: `failures` are the ids that were refused, with reasons;
    `missing` the ids of documents that are not there; `overtaken` the ids of documents that somebody else
    wrote meanwhile; `fixed` the ids of those whose index takes no writes."""

    failures: dict[str, str] = field(default_factory=dict)
    missing: frozenset[str] = frozenset()
    overtaken: frozenset[str] = frozenset()
    fixed: frozenset[str] = frozenset()

    @property
    def undone(self) -> frozenset[str]:
        """The ids of all that were not written although they are there."""
        return self.overtaken | self.fixed | frozenset(self.failures)

    def __or__(self, other: Written) -> Written:
        """Both together, of two bulks."""
        return Written(
            self.failures | other.failures,
            self.missing | other.missing,
            self.overtaken | other.overtaken,
            self.fixed | other.fixed,
        )

    def drop_ids(self, ids: frozenset[str]) -> Written:
        """The same but for these ids."""
        failures = {id_: reason for id_, reason in self.failures.items() if id_ not in ids}
        return Written(failures, self.missing - ids, self.overtaken - ids, self.fixed - ids)


class PatientClient:
    """`name` stands in messages and holds no secret; `unknown_user` is what they say of a server that does
    not accept the credentials. `client` and `patience` may be exchanged at any time. `retries` counts the
    requests that were sent again, `own_writes` knows what was written, and `sets` which names stand for
    several indices.
    """

    def __init__(
        self, client: Client, name: str, patience: Patience, unknown_user: str = "refused: 401"
    ) -> None:
        self.name = name
        self._unknown_user = unknown_user
        self.own_writes = OwnWrites()
        self.sets: dict[str, IndexSet] = {}
        self.retries = 0
        self.client = client
        self.patience = patience

    def close(self) -> None:
        self.client.close()

    def send(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        missing: bool = False,
        shape: Callable[[Any], Any] = shapes.object_of,
        **params: str,
    ) -> Any:
        """One request with JSON. `missing`: a 404 is answered by None instead of an error. `shape` raises
        NoAnswerError for what is not an answer to it, and returns what is of use in an answer."""
        data = None if body is None else to_json(body)
        try:
            return self.patiently(lambda: shape(self.client.send(method, path, params, data, lines=False)))
        except RefusedError as refused:
            if missing and refused.status == 404:
                return None
            raise self.error(refused) from None

    def ask_patiently(self, once: Callable[[], T]) -> T:
        """The result of `once`, as soon as there is one. Raises EngineError for what is refused."""
        try:
            return self.patiently(once)
        except RefusedError as refused:
            raise self.error(refused) from None

    def patiently(self, once: Callable[[], T]) -> T:
        """The same. Raises RefusedError for what is refused."""
        for pause in self.patience.pauses():
            try:
                return once()
            except RefusedError as error:
                if pause is None or not error.temporary:
                    raise
            except NoAnswerError as error:
                if pause is None:
                    raise self.silence(error) from None
            self.wait(pause)
        raise AssertionError("the last try returns or raises")

    def wait(self, pause: float) -> None:
        """Before a request is sent again."""
        self.retries += 1
        time.sleep(pause)

    def silence(self, error: NoAnswerError) -> EngineError:
        """The error of a server that does not answer."""
        return EngineError(f"{self.name} does not answer: {error}", temporary=True)

    def error(self, refused: RefusedError) -> EngineError:
        """The error of a server that refuses a request, in a sentence."""
        reason = self._unknown_user if refused.status == 401 else _explain_refusal(refused)
        return EngineError(f"{self.name} {reason}", temporary=refused.temporary)

    # -- bulks

    def send_bulk(self, actions: Sequence[Action]) -> Written:
        """Write; documents that are not there, and versions that are not current, are told apart. To delete
        what is not there is no failure.

        Raises EngineError when nothing can be written at all: no answer, or a block on the index.
        """
        refused_by_id: dict[str, RefusedError] = {}
        for chunk in _chunks([(action, action.lines()) for action in actions]):
            refused_by_id |= self._bulk(chunk)
        refused = refused_by_id.items()
        missing = frozenset(id_ for id_, error in refused if error.absent)
        overtaken = frozenset(id_ for id_, error in refused if error.conflict)
        failures = {id_: str(error) for id_, error in refused if not (error.absent or error.conflict)}
        return Written(failures, missing, overtaken)

    def _bulk(self, pending: list[tuple[Action, bytes]]) -> dict[str, RefusedError]:
        failures: dict[str, RefusedError] = {}
        for pause in self.patience.pauses():
            try:
                refused = self._bulk_once(pending)
            except RefusedError as error:
                if error.status == 413:
                    return failures | self._split(pending, error)
                if pause is None or not error.temporary:
                    raise self.error(error) from None
            except NoAnswerError as error:
                if pause is None:
                    raise self.silence(error) from None
            else:
                conditional = {action.id for action, _ in pending if action.conditional}
                later = {
                    id_
                    for id_, error in refused.items()
                    if error.temporary and pause is not None and not (error.conflict and id_ in conditional)
                }
                failures |= {id_: error for id_, error in refused.items() if id_ not in later}
                pending = [action for action in pending if action[0].id in later]
                if not pending:
                    break
            self.wait(pause or 0)
        return failures

    def _bulk_once(self, pending: Sequence[tuple[Action, bytes]]) -> dict[str, RefusedError]:
        """Send the lines; returns the refused ids."""
        body = b"".join(lines for _, lines in pending)
        answer = self.client.send("POST", "/_bulk", {}, body, lines=True)
        refused: dict[str, RefusedError] = {}
        actions = [action for action, _ in pending]
        for action, done in zip(actions, shapes.bulk_of(answer, actions), strict=True):
            if action.index in self.sets:
                self.sets[action.index].note_write(action.id, done)
            if "error" not in done:
                self.own_writes.note(action, done)
                continue
            error = RefusedError.from_answer(done["status"], done["error"])
            if error.blocked:
                raise error
            refused[action.id] = error
        return refused

    def _split(self, pending: list[tuple[Action, bytes]], error: RefusedError) -> dict[str, RefusedError]:
        """The request was too large for the server: halve it, down to the document that is."""
        if len(pending) == 1:
            size = len(pending[0][1])
            return {
                pending[0][0].id: RefusedError(error.status, "too large", f"the server takes no {size} bytes")
            }
        middle = len(pending) // 2
        return self._bulk(pending[:middle]) | self._bulk(pending[middle:])


def _chunks(actions: Sequence[tuple[Action, bytes]]) -> Iterator[list[tuple[Action, bytes]]]:
    """Cut by bytes and by number; one id never twice in a chunk, so that answers can be told apart."""
    chunk: dict[str, tuple[Action, bytes]] = {}
    size = 0
    for action, lines in actions:
        if chunk and (size + len(lines) > BULK_BYTES or len(chunk) == BULK_ITEMS or action.id in chunk):
            yield list(chunk.values())
            chunk, size = {}, 0
        chunk[action.id] = (action, lines)
        size += len(lines)
    if chunk:
        yield list(chunk.values())


def _explain_refusal(refused: RefusedError) -> str:
    if refused.blocked:
        is_full = "disk usage" in refused.reason or "read-only-allow-delete" in refused.reason
        cure = "free disk space on its nodes, then lift the block if the server does not do so itself"
        return f"takes no writes ({refused.reason}): {cure if is_full else 'lift this block of the index'}"
    if refused.status == 403:
        return f"does not allow this to the given user or key: {refused.reason}"
    if "index.max_result_window" in refused.reason:
        return f"gives too few results at once: set index.max_result_window to {MAX_WINDOW_HITS} or more"
    if refused.temporary:
        return f"is too busy ({refused}): try again later"
    return f"refused: {refused}"
