"""A request goes to the cluster once, and its answer comes back as it is; the grouper is told of it then."""

from __future__ import annotations

from aiohttp import ClientError, ClientResponse, web

from dupgroups_es.acknowledged import ANSWER
from dupgroups_filter.behind import Behind
from dupgroups_filter.errors import OwnAnswer, Unsigned, no_answer
from dupgroups_filter.passage import Passage
from dupgroups_filter.requests import is_past_us
from dupgroups_filter.upstream import Upstream, end_to_end

LARGE = 65_536  # bytes of an answer from which on it is streamed


class Exchange:
    """Carries requests to one cluster."""

    def __init__(self, upstream: Upstream, behind: Behind) -> None:
        self._upstream = upstream
        self._behind = behind

    async def answer_of(self, request: web.BaseRequest, passage: Passage) -> web.StreamResponse:
        """The cluster's answer, or an error that says that there is none."""
        unsigned = "past" if is_past_us(passage.target) else "passed"
        self._behind.metrics.request("signed" if passage.is_signed else unsigned)
        try:
            answer = await self._upstream.send(request.method, passage.target, passage.headers, passage.body)
        except (ClientError, OSError) as error:
            return no_answer(error)
        async with answer:
            return await self._back(request, answer, passage)

    async def _back(
        self, request: web.BaseRequest, answer: ClientResponse, passage: Passage
    ) -> web.StreamResponse:
        """Bring an answer to its client; then tell the grouper what it acknowledges."""
        headers = end_to_end(answer.headers)
        read = bytearray()
        listens = passage.write is not None and answer.status in (200, 201)
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
            if listens and passage.is_complete:
                self._behind.tell(passage.sent, answer.headers.get("Content-Encoding", ""), bytes(read))
            elif listens:
                self._behind.metrics.dropped.inc(len(passage.sent))
        await response.write_eof()
        return response
