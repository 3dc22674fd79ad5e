"""Documents that are signed in a stream of lines, as `dup-groups sign` does."""

from __future__ import annotations

from collections.abc import Iterable

from dupgroups.engines.foreign import value_of
from dupgroups_filter.bulk import BulkReader, Operation, made_id
from dupgroups_filter.signer import Signer, signed_bytes


class Stream:
    """Takes bytes in pieces. Lines are documents with their id in a field, or without `id_field` a bulk.

    `signed` and `passed` count documents; those pass that are no object, or have no text or no id.
    """

    def __init__(self, signer: Signer, id_field: str | None) -> None:
        self._signer = signer
        self._id_field = id_field
        self._bulk = BulkReader("", {})
        self._rest = b""
        self.signed = self.passed = 0

    def feed(self, data: bytes) -> bytes:
        """The lines that are complete with these bytes, signed."""
        if self._id_field is None:
            return self._sign(self._bulk.feed(data))
        *lines, self._rest = (self._rest + data).split(b"\n")
        return self._sign(self._document(line + b"\n") for line in lines)

    def finish(self) -> bytes:
        """What is left at the end, without a newline."""
        if self._id_field is None:
            return self._sign(self._bulk.finish())
        rest, self._rest = self._rest, b""
        return self._sign([self._document(rest)] if rest else [])

    def _document(self, line: bytes) -> Operation:
        operation = Operation("index", "", None, b"", line)
        operation.read()
        operation.id = value_of(operation.document, self._id_field)
        return operation

    def _sign(self, parts: Iterable[Operation | bytes]) -> bytes:
        parts = list(parts)
        due = [part for part in parts if isinstance(part, Operation) and self._is_due(part)]
        records = self._signer.records([self._signer.page(operation) for operation in due])
        signed = {id(operation): record for operation, record in zip(due, records, strict=True)}
        self.signed += sum(record is not None for record in records)
        return b"".join(
            part if isinstance(part, bytes) else signed_bytes(part, signed.get(id(part))) for part in parts
        )

    def _is_due(self, operation: Operation) -> bool:
        if operation.writes and self._id_field is None:
            operation.read()
            operation.id = operation.id or made_id()
        is_due = operation.writes and bool(operation.id) and self._signer.has_text(operation.document)
        self.passed += not is_due
        return is_due
