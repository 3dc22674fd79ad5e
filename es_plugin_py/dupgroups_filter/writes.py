"""Documents get their fields on the way: those of a covered index, if they can be read and signed."""

import zlib
from collections.abc import AsyncIterable, AsyncIterator, Iterator, Sequence

from dupgroups.model import Record
from dupgroups_es.acknowledged import GZIP_WINDOW_BITS, MAX_NOTIFIED_DOCUMENTS, Sent
from dupgroups_es.bulk_lines import Operation, reader_of
from dupgroups_es.index_names import Place
from dupgroups_filter.covered_names import Names
from dupgroups_filter.filter_metrics import Metrics
from dupgroups_filter.proxied_request import ProxiedRequest
from dupgroups_filter.requests import Write
from dupgroups_filter.signer import SharedSigner

OF_BODY = ("Content-Length", "Content-Encoding")
GATHER_BYTES = 65_536  # bytes of a streamed bulk that are signed at once

Part = Operation | bytes  # what cannot be read goes on as it came


class Writes:
    """Signs the documents of requests."""

    def __init__(self, names: Names, signer: SharedSigner, metrics: Metrics) -> None:
        self._names = names
        self._signer = signer
        self._metrics = metrics

    async def sign(self, proxied: ProxiedRequest) -> None:
        """Put our fields into the documents of a write: at once, or as they stream if they may be many."""
        assert proxied.write
        came, is_bulk = proxied.body, proxied.write.kind == "bulk"
        signed = self._sign_pieces(proxied, proxied.write, inflate(came, proxied.is_gzip))
        if is_bulk and (proxied.is_gzip or not isinstance(came, bytes | None)):
            proxied.is_signed, proxied.body = True, signed
        else:
            body = b"".join([piece async for piece in signed])
            proxied.body = body if proxied.is_signed else came
        if proxied.is_signed:
            for name in OF_BODY:
                proxied.headers.popall(name, None)

    async def _sign_pieces(
        self, proxied: ProxiedRequest, write: Write, pieces: AsyncIterable[bytes]
    ) -> AsyncIterator[bytes]:
        """The body as it is sent, a few operations at a time."""
        reader = reader_of(write.kind, write.index, write.id, write.query)
        parts: list[Part] = []
        size = 0
        async for piece in pieces:
            parts += reader.feed(piece)
            size += len(piece)
            if size >= GATHER_BYTES:
                yield b"".join(await self._batch(parts, proxied))
                parts, size = [], 0
            if write.kind != "bulk" and reader.unread:  # what follows is not wanted
                break
        parts += reader.finish()
        yield b"".join(await self._batch(parts, proxied))
        self._metrics.document("unsigned", reader.unread)
        proxied.is_complete = proxied.is_complete and not reader.unread

    async def _batch(self, parts: Sequence[Part], proxied: ProxiedRequest) -> list[bytes]:
        """The bytes that are sent for what came, in its order."""
        due = [part for part in parts if isinstance(part, Operation) and self._is_due(part)]
        records = await self._signer.sign_unless_busy(
            [self._signer.page(str(operation.id), operation.document) for operation in due]
        )
        signed = {id(operation): record for operation, record in zip(due, records, strict=True)}
        self._metrics.document("unsigned", sum(record is None for record in records))
        self._metrics.document("signed", sum(record is not None for record in records))
        return [
            self._sent_lines(part, signed.get(id(part)), proxied) if isinstance(part, Operation) else part
            for part in parts
        ]

    def _is_due(self, operation: Operation) -> bool:
        """Whether a document is to be signed; else it is counted as what it is."""
        place = self._names.place(operation.index)
        if place is None:
            return False
        if state := self._hindrance(operation, place):
            self._metrics.document(state)
            return False
        operation.name(place.index if place.moves_on else "")
        return True

    def _hindrance(self, operation: Operation, place: Place) -> str:
        """Why a document passes without our fields; "" if it gets them.

        A pipeline may change its text, or take it to an index that does not know our fields.
        """
        if not operation.writes:
            return "updated" if operation.action == "update" else "deleted"
        operation.read()
        if not place.is_ready and not place.is_stream:
            self._names.look_soon()  # this write may create it
        has_text = operation.id != "" and self._signer.has_text(operation.document)
        hindrances = {
            "data_stream": place.is_stream,
            "no_index": not place.is_ready,
            "without_text": not has_text,
            "piped": operation.is_piped or place.is_piped,
        }
        return next((state for state, hinders in hindrances.items() if hinders), "")

    def _sent_lines(self, operation: Operation, record: Record | None, proxied: ProxiedRequest) -> bytes:
        came = operation.line + operation.source
        body = operation.signed_lines(record)
        if body != came and not operation.line:  # a document by itself
            proxied.target = operation.target(proxied.target)
        proxied.is_signed = proxied.is_signed or body != came
        if len(proxied.sent) < MAX_NOTIFIED_DOCUMENTS:
            is_signed = record is not None and body != came
            proxied.sent.append(Sent(operation.action, record if is_signed else None, operation.is_routed))
        else:
            proxied.is_complete = False
        return body


PIECE_BYTES = 262_144  # bytes


class Inflater:
    """Takes a body as it arrives. What is cut, or is not gzip from some place on, ends there: so do servers
    read it, and they say what is missing.
    """

    def __init__(self) -> None:
        self._member = zlib.decompressobj(GZIP_WINDOW_BITS)
        self._is_broken = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The decompressed bytes, PIECE_BYTES at most at a time."""
        while data and not self._is_broken:
            if self._member.eof:
                self._member = zlib.decompressobj(GZIP_WINDOW_BITS)
            try:
                piece = self._member.decompress(data, PIECE_BYTES)
            except zlib.error:
                self._is_broken = True
                return
            data = self._member.unused_data if self._member.eof else self._member.unconsumed_tail
            if piece:
                yield piece


async def inflate(body: AsyncIterable[bytes] | bytes | None, is_gzip: bool) -> AsyncIterator[bytes]:
    """The decompressed body, as it arrives."""
    inflater = Inflater() if is_gzip else None
    if isinstance(body, bytes | None):
        for piece in inflater.feed(body or b"") if inflater else [body or b""]:
            yield piece
        return
    async for chunk in body:
        for piece in inflater.feed(chunk) if inflater else [chunk]:
            yield piece
