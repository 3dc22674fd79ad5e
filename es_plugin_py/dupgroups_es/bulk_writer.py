"""A bulk that is accounted for item by item."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dupgroups_es import shapes
from dupgroups_es.patient_client import PatientClient
from dupgroups_es.transport import Action, NoAnswerError, RefusedError

BULK_BYTES = 5_000_000
BULK_ITEMS = 1000


@dataclass(frozen=True, slots=True)
class Written:
    """The actions that a bulk did not carry out: `failures` are the ids that were refused, with reasons;
    `missing` the ids of documents that are not there; `overtaken` the ids of documents that somebody else
    wrote meanwhile; `fixed` the ids of those whose index takes no writes."""

    failures: dict[str, str]
    missing: frozenset[str]
    overtaken: frozenset[str]
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


class BulkWriter:
    """Writes by a client, and lets it know what was written."""

    def __init__(self, client: PatientClient) -> None:
        self._client = client

    def write(self, actions: Sequence[Action]) -> Written:
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
        for pause in self._client.patience.pauses():
            try:
                refused = self._bulk_once(pending)
            except RefusedError as error:
                if error.status == 413:
                    return failures | self._split(pending, error)
                if pause is None or not error.temporary:
                    raise self._client.error(error) from None
            except NoAnswerError as error:
                if pause is None:
                    raise self._client.silence(error) from None
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
            self._client.wait(pause or 0)
        return failures

    def _bulk_once(self, pending: Sequence[tuple[Action, bytes]]) -> dict[str, RefusedError]:
        """Send the lines; returns the refused ids."""
        body = b"".join(lines for _, lines in pending)
        answer = self._client.client.send("POST", "/_bulk", {}, body, lines=True)
        refused: dict[str, RefusedError] = {}
        actions = [action for action, _ in pending]
        for action, done in zip(actions, shapes.bulk_of(answer, actions), strict=True):
            if action.index in self._client.sets:
                self._client.sets[action.index].note_write(action.id, done)
            if "error" not in done:
                self._client.own_writes.note(action, done)
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
