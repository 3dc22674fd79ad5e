"""The path of a request: read as far as it has to be, signed if it writes documents, answered by the cluster.

Nothing is looked up here, and no request waits for another one. A request goes to the cluster once, and its
answer comes back as it is; the grouper is told of it then.
"""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from aiohttp import ClientError, ClientResponse, web
from multidict import CIMultiDict
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

from dupgroups_es.acknowledged import MAX_ANSWER_BYTES
from dupgroups_filter.covered_names import Names
from dupgroups_filter.filter_metrics import Metrics
from dupgroups_filter.grouper_process import GrouperProcess
from dupgroups_filter.proxied_request import CONTINUE, MAX_WHOLE_BYTES, ProxiedRequest, RequestReader
from dupgroups_filter.requests import Write, changes_indices, is_past_us, write_of
from dupgroups_filter.signer import SharedSigner
from dupgroups_filter.upstream import Upstream, end_to_end
from dupgroups_filter.writes import Writes

OWN_PREFIX = "/_dup_groups/"
STREAM_BYTES = 65_536  # bytes of an answer from which on it is streamed
ANSWER_SECONDS = 5.0  # seconds in which a cluster that lives answers


class Proxy:
    """Handles requests to one cluster."""

    def __init__(
        self,
        upstream: Upstream,
        names: Names,
        signer: SharedSigner,
        grouper: GrouperProcess,
        metrics: Metrics,
    ) -> None:
        self._upstream = upstream
        self._names = names
        self._signer = signer
        self._grouper = grouper
        self._metrics = metrics
        self._reader = RequestReader(metrics)
        self._writes = Writes(names, signer, metrics)

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        """Answer one request."""
        target = request.raw_path
        if request.headers.get("Expect", CONTINUE).lower() != CONTINUE:
            return OwnAnswer(status=417)
        if not target.startswith("/") and (request.method, target) != ("OPTIONS", "*"):
            reason = f"the target must be a path that begins with /, not {target[:100]}"
            return error_answer(400, "illegal_argument_exception", reason)
        if target.startswith(OWN_PREFIX):
            return await self._answer_own(target.partition("?")[0])
        write = write_of(request.method, target)
        outdates = changes_indices(request.method, target)
        if write is not None:
            await self._names.renew()
            if write.index is not None and not self._names.place(write.index):
                write = None
        with self._under_way() if write else nullcontext():
            answer = await self._answer(request, write)
        if outdates:
            self._names.expire()
        return answer

    @contextmanager
    def _under_way(self) -> Iterator[None]:
        metrics = self._metrics
        with self._signer.count_request(), metrics.waiting.track_inprogress(), metrics.seconds.time():
            yield

    async def _answer(self, request: web.BaseRequest, write: Write | None) -> web.StreamResponse:
        async with self._reader.read(request, write) as proxied:
            if proxied.write:
                await self._writes.sign(proxied)
            return await self._exchange(request, proxied)

    async def _exchange(self, request: web.BaseRequest, proxied: ProxiedRequest) -> web.StreamResponse:
        """The cluster's answer, or an error that says that there is none."""
        unsigned = "past" if is_past_us(proxied.target) else "passed"
        self._metrics.request("signed" if proxied.is_signed else unsigned)
        try:
            answer = await self._upstream.send(request.method, proxied.target, proxied.headers, proxied.body)
        except (ClientError, OSError) as error:
            length = request.content_length or getattr(request.content, "total_bytes", 0) or 0
            if length > MAX_WHOLE_BYTES and (
                refusal := await self._upstream.ask_for_refusal(
                    request.method, proxied.target, proxied.headers, length
                )
            ):
                async with refusal:
                    return await self._send_back(request, refusal, proxied)
            reason = f"no answer from the cluster: {error or type(error).__name__}"
            # whether it has done anything is not known
            return error_answer(502, "no_answer_exception", reason)
        async with answer:
            return await self._send_back(request, answer, proxied)

    async def _send_back(
        self, request: web.BaseRequest, answer: ClientResponse, proxied: ProxiedRequest
    ) -> web.StreamResponse:
        """Bring an answer to its client; then tell the grouper what it acknowledges."""
        headers = end_to_end(answer.headers)
        read = bytearray()
        listens = proxied.write is not None and answer.status in (200, 201)
        try:
            # one packet then
            if (answer.content_length or STREAM_BYTES) < STREAM_BYTES and request.method != "HEAD":
                read += await answer.read()
                return OwnAnswer(
                    status=answer.status, reason=answer.reason, headers=headers, body=bytes(read)
                )
            response = Unsigned(status=answer.status, reason=answer.reason, headers=headers)
            await response.prepare(request)
            async for chunk in answer.content.iter_any():
                if listens and len(read) <= MAX_ANSWER_BYTES:
                    read += chunk
                await response.write(chunk)
        except ClientError:  # the client has to see that its answer is cut
            if request.transport:
                request.transport.abort()
            raise
        finally:
            if listens and proxied.is_complete:
                self._grouper.notify(proxied.sent, answer.headers.get("Content-Encoding", ""), bytes(read))
            elif listens:
                self._metrics.missed_notifications.inc(len(proxied.sent))
        await response.write_eof()
        return response

    async def _answer_own(self, path: str) -> web.StreamResponse:
        if path == f"{OWN_PREFIX}metrics":
            text = generate_latest(self._metrics.registry)
            return web.Response(body=text, headers={"Content-Type": CONTENT_TYPE_LATEST})
        if path == f"{OWN_PREFIX}health":
            return await self._health()
        return web.json_response(
            {"error": f"there are {OWN_PREFIX}health and {OWN_PREFIX}metrics"}, status=404
        )

    async def _health(self) -> web.StreamResponse:
        """Red, with 503, if the cluster does not answer: a balancer takes this filter out then."""
        status, problem = "green", ""
        try:
            answer = await asyncio.wait_for(
                self._upstream.send("HEAD", "/", CIMultiDict(), None), ANSWER_SECONDS
            )
            answer.release()
        except (ClientError, OSError, asyncio.TimeoutError) as error:
            status, problem = "red", f"the cluster does not answer: {error or type(error).__name__}"
        problem = problem or self._names.trouble or self._grouper.trouble
        status = "yellow" if problem and status == "green" else status
        answered = {"status": status, "problem": problem or None, "grouper": self._grouper.report or None}
        return web.json_response(answered, status=503 if status == "red" else 200)


# -- answers of the filter's own


class Unsigned(web.StreamResponse):
    """An answer without the Server that the library would add: no server behind the filter names one."""

    async def _prepare_headers(self) -> None:
        await super()._prepare_headers()
        self.headers.popall("Server", None)


class OwnAnswer(Unsigned, web.Response):
    """A whole answer of the filter's own."""


def error_answer(status: int, kind: str, reason: str) -> OwnAnswer:
    """An error as a cluster tells it. Clients of Elasticsearch take no answer without its header."""
    cause = {"type": kind, "reason": reason}
    body = {"error": {"root_cause": [cause], **cause}, "status": status}
    headers = {"Content-Type": "application/json", "X-Elastic-Product": "Elasticsearch"}
    return OwnAnswer(status=status, body=json.dumps(body).encode(), headers=headers)
