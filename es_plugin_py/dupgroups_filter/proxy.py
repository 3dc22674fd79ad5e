"""The path: every request goes to the cluster at once, writes with their documents signed; answers come back
as they are. Nothing is looked up here, and no request waits for another one.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass, field

from aiohttp import ClientError, ClientResponse, web
from multidict import CIMultiDict
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from dupgroups.model import Record
from dupgroups_es.acknowledged import ANSWER, TOLD, Sent
from dupgroups_es.bulk_lines import LONGEST, BulkReader, Operation, made_id
from dupgroups_es.inflate import Inflater, inflated
from dupgroups_es.names import Place
from dupgroups_filter.behind import Behind
from dupgroups_filter.errors import OwnAnswer, Unsigned, error_answer, no_answer
from dupgroups_filter.names import Names
from dupgroups_filter.requests import Write, changes_indices, is_past_us, placed, write_of
from dupgroups_filter.signer import SharedSigner
from dupgroups_filter.upstream import Body, Upstream, end_to_end

OURS = "/_dup_groups/"
CONTINUE = "100-continue"
ANSWERS = 5.0  # seconds in which a cluster that lives answers
OF_BODY = ("Content-Length", "Content-Encoding")
WHOLE = 1_000_000  # bytes of a bulk that are read before the first is sent; longer ones are streamed
GATHERED = 65_536  # bytes of a streamed bulk that are signed at once
LARGE = 65_536  # bytes of an answer from which on it is streamed
IN_FLIGHT = 48_000_000  # bytes of all requests that are kept; what comes beyond goes on unsigned


@dataclass(slots=True)
class Passage:
    """A write on its way: what was sent of it, in order, for the grouper."""

    write: Write
    sent: list[Sent] = field(default_factory=list)
    is_signed: bool = False
    is_complete: bool = True  # else the answer has items of which nothing is known here
    kept: int = 0  # bytes


class Proxy:
    """Handles requests to one cluster."""

    def __init__(self, upstream: Upstream, names: Names, signer: SharedSigner, behind: Behind) -> None:
        self._upstream = upstream
        self._names = names
        self._signer = signer
        self._behind = behind
        self._metrics = behind.metrics
        self._kept = 0

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        """Answer one request."""
        target = request.raw_path
        if request.headers.get("Expect", CONTINUE).lower() != CONTINUE:
            return OwnAnswer(status=417)
        if request.method == "OPTIONS" and target == "*":
            return await self._pass(request)
        if not target.startswith("/"):
            reason = f"the target must be a path that begins with /, not {target[:100]}"
            return error_answer(400, "illegal_argument_exception", reason)
        if target.startswith(OURS):
            return await self._about(target.partition("?")[0])
        write = write_of(request.method, target)
        if write is not None:
            await self._names.renew()
        if write is None or (write.index is not None and not self._names.place(write.index)):
            return await self._pass(request)
        if not _is_readable(request, write):
            self._metrics.document("unreadable")
            return await self._pass(request)
        with self._metrics.waiting.track_inprogress(), self._metrics.seconds.time():
            return await self._write(request, Passage(write))

    async def _about(self, path: str) -> web.StreamResponse:
        if path == f"{OURS}metrics":
            return web.Response(body=self._metrics.text(), headers={"Content-Type": CONTENT_TYPE_LATEST})
        if path == f"{OURS}health":
            return await self._health()
        return web.json_response({"error": f"there are {OURS}health and {OURS}metrics"}, status=404)

    async def _health(self) -> web.StreamResponse:
        """Red, with 503, if the cluster does not answer: a balancer takes this filter out then."""
        status, problem = "green", ""
        try:
            answer = await asyncio.wait_for(self._upstream.send("HEAD", "/", CIMultiDict(), None), ANSWERS)
            answer.release()
        except (ClientError, OSError, asyncio.TimeoutError) as error:
            status, problem = "red", f"the cluster does not answer: {error or type(error).__name__}"
        problem = problem or self._names.trouble or self._behind.trouble
        status = "yellow" if problem and status == "green" else status
        answered = {"status": status, "problem": problem or None, "grouper": self._behind.report or None}
        return web.json_response(answered, status=503 if status == "red" else 200)

    # -- passing

    async def _pass(self, request: web.BaseRequest, before: Sequence[bytes] = ()) -> web.StreamResponse:
        """Stream a request to the cluster, after what was read of it already, and its answer back."""
        self._metrics.request("past" if is_past_us(request.raw_path) else "passed")
        headers = end_to_end(request.headers, ["Host", "Expect"])
        body = _streamed(before, request) if request.body_exists or before else None
        answer = await self._exchange(request, request.raw_path, headers, body)
        if changes_indices(request.method, request.raw_path):
            self._names.outdate()
        return answer

    async def _exchange(
        self,
        request: web.BaseRequest,
        target: str,
        headers: CIMultiDict[str],
        body: Body,
        passage: Passage | None = None,
    ) -> web.StreamResponse:
        try:
            answer = await self._upstream.send(request.method, target, headers, body)
        except (ClientError, OSError) as error:
            return no_answer(error)
        async with answer:
            return await self._back(request, answer, passage)

    async def _back(
        self, request: web.BaseRequest, answer: ClientResponse, passage: Passage | None
    ) -> web.StreamResponse:
        """Bring an answer to its client; then tell the grouper what it acknowledges."""
        headers = end_to_end(answer.headers)
        read = bytearray()
        listens = passage is not None and answer.status in (200, 201)
        try:
            if (answer.content_length or LARGE) < LARGE and request.method != "HEAD":  # one packet then
                read += await answer.read()
                return OwnAnswer(
                    status=answer.status, reason=answer.reason, headers=headers, body=bytes(read)
                )
            response = Unsigned(status=answer.status, reason=answer.reason, headers=headers)
            await response.prepare(request)
            async for chunk in answer.content.iter_any():
                if listens and len(read) <= ANSWER:
                    read += chunk
                await response.write(chunk)
        except ClientError:  # the client has to see that its answer is cut
            if request.transport:
                request.transport.abort()
            raise
        finally:
            if passage is not None and listens and passage.is_complete:
                self._behind.tell(passage.sent, answer.headers.get("Content-Encoding", ""), bytes(read))
            elif passage is not None and listens:
                self._metrics.dropped.inc(len(passage.sent))
        await response.write_eof()
        return response

    # -- writing

    async def _write(self, request: web.BaseRequest, passage: Passage) -> web.StreamResponse:
        """Sign what is small as a whole; stream what is not."""
        self._signer.under_way += 1
        try:
            chunks, is_whole = await self._first(request, passage)
            if passage.write.kind == "bulk":
                return await self._bulk(request, passage, chunks, is_whole)
            if not is_whole:  # a document that is too long
                self._metrics.document("unsigned")
                return await self._pass(request, chunks)
            return await self._document(request, passage, b"".join(chunks))
        finally:
            self._signer.under_way -= 1
            self._kept -= passage.kept

    async def _first(self, request: web.BaseRequest, passage: Passage) -> tuple[list[bytes], bool]:
        """The first bytes of a body, and whether they are all."""
        most = WHOLE if passage.write.kind == "bulk" else LONGEST
        chunks: list[bytes] = []
        if not request.body_exists:
            return chunks, True
        await _encourage(request)
        async for chunk in request.content.iter_any():
            chunks.append(chunk)
            passage.kept += len(chunk)
            self._kept += len(chunk)
            if passage.kept > most or self._kept > IN_FLIGHT:
                return chunks, False
        return chunks, True

    async def _document(self, request: web.BaseRequest, passage: Passage, came: bytes) -> web.StreamResponse:
        write, target, headers, body = passage.write, request.raw_path, _headers(request), came
        source = inflated(came, LONGEST) if _is_gzip(request) else came
        if source is None:
            self._metrics.document("unsigned")
            return await self._pass(request, [came])
        operation = Operation(write.kind, write.index, write.id, b"", source)
        operation.is_routed, operation.is_piped = "routing" in write.query, "pipeline" in write.query
        signed = await self._signed([operation], passage)
        if passage.is_signed:
            headers, body = end_to_end(headers, OF_BODY), b"".join(signed)
            made = None if write.id else operation.id
            target = placed(target, index=operation.pinned or None, id_=made)
        self._metrics.request("signed" if passage.is_signed else "passed")
        return await self._exchange(request, target, headers, body if request.body_exists else None, passage)

    async def _bulk(
        self, request: web.BaseRequest, passage: Passage, chunks: list[bytes], is_whole: bool
    ) -> web.StreamResponse:
        if self._kept > IN_FLIGHT:
            self._metrics.document("unsigned")
            return await self._pass(request, chunks)
        headers = _headers(request)
        signed = self._lines(request, passage, chunks, is_whole)
        if is_whole and "Content-Encoding" not in headers:
            body: Body = b"".join([piece async for piece in signed])
        else:
            passage.is_signed, body = True, signed
        if passage.is_signed:
            headers = end_to_end(headers, OF_BODY)
        else:
            body = b"".join(chunks) or None
        self._metrics.request("signed" if passage.is_signed else "passed")
        return await self._exchange(request, request.raw_path, headers, body, passage)

    async def _lines(
        self, request: web.BaseRequest, passage: Passage, chunks: list[bytes], is_whole: bool
    ) -> AsyncIterator[bytes]:
        """The lines of a bulk, signed, as they arrive."""
        reader = BulkReader(passage.write.index, passage.write.query)
        inflater = Inflater() if _is_gzip(request) else None
        parts: list[Operation | bytes] = []
        size = 0
        async for chunk in _all(chunks, request, is_whole):
            for piece in inflater.feed(chunk) if inflater else [chunk]:
                parts += reader.feed(piece)
                size += len(piece)
                if size >= GATHERED:
                    yield b"".join(await self._signed(parts, passage))
                    parts, size = [], 0
        parts += reader.finish()
        yield b"".join(await self._signed(parts, passage))
        self._metrics.document("unsigned", reader.unread)
        passage.is_complete = passage.is_complete and not reader.unread

    async def _signed(self, parts: Sequence[Operation | bytes], passage: Passage) -> list[bytes]:
        """The bytes that are sent for what came, in its order."""
        due = [part for part in parts if isinstance(part, Operation) and self._is_due(part)]
        records = await self._signer.signed([self._signer.page(str(one.id), one.document) for one in due])
        signed = {id(operation): record for operation, record in zip(due, records, strict=True)}
        self._metrics.document("unsigned", sum(record is None for record in records))
        self._metrics.document("signed", sum(record is not None for record in records))
        return [
            self._sent(part, signed.get(id(part)), passage) if isinstance(part, Operation) else part
            for part in parts
        ]

    def _is_due(self, operation: Operation) -> bool:
        """Whether a document is to be signed; else it is counted as what it is."""
        place = self._names.place(operation.index)
        if place is None:
            return False
        if operation.writes:
            operation.read()
            state = self._hindrance(operation, place)
        else:
            state = "updated" if operation.action == "update" else "deleted"
        if state:
            self._metrics.document(state)
            return False
        operation.id = operation.id or made_id()
        operation.pinned = place.index if place.moves_on else ""
        return True

    def _hindrance(self, operation: Operation, place: Place) -> str:
        """Why a document passes without our fields; "" if it gets them.

        A pipeline may change its text, or take it to an index that does not know our fields.
        """
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

    def _sent(self, operation: Operation, record: Record | None, passage: Passage) -> bytes:
        came = operation.line + operation.source
        body = operation.signed(record, self._signer.ids) if self._names.place(operation.index) else came
        passage.is_signed = passage.is_signed or body != came
        if len(passage.sent) < TOLD:
            is_signed = record is not None and body != came
            passage.sent.append(Sent(operation.action, record if is_signed else None, operation.is_routed))
        else:
            passage.is_complete = False
        return body


def _is_readable(request: web.BaseRequest, write: Write) -> bool:
    """Whether the filter can read a request."""
    kind = request.headers.get("Content-Type", "json").lower()
    encoding = request.headers.get("Content-Encoding", "").lower()
    return ("json" in kind or write.kind == "delete") and encoding in ("", "identity", "gzip")


def _headers(request: web.BaseRequest) -> CIMultiDict[str]:
    return end_to_end(request.headers, ["Host", "Expect", "Content-Length"])


async def _streamed(before: Sequence[bytes], request: web.BaseRequest) -> AsyncIterator[bytes]:
    if not before:
        await _encourage(request)
    async for chunk in _all(before, request, is_whole=False):
        yield chunk


async def _all(chunks: Iterable[bytes], request: web.BaseRequest, is_whole: bool) -> AsyncIterator[bytes]:
    for chunk in chunks:
        yield chunk
    if not is_whole:
        async for chunk in request.content.iter_any():
            yield chunk


def _is_gzip(request: web.BaseRequest) -> bool:
    return request.headers.get("Content-Encoding", "").lower() == "gzip"


async def _encourage(request: web.BaseRequest) -> None:
    """A client that asked whether its body is welcome gets its answer before it sends it."""
    if request.headers.get("Expect", "").lower() == CONTINUE and request.transport:
        request.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
