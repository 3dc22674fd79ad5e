"""The path of a request: read as far as it has to be, signed if it writes documents, answered by the cluster.

Nothing is looked up here, and no request waits for another one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from aiohttp import ClientError, web
from multidict import CIMultiDict
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from dupgroups_filter.behind import Behind
from dupgroups_filter.errors import OwnAnswer, error_answer
from dupgroups_filter.exchange import Exchange
from dupgroups_filter.names import Names
from dupgroups_filter.passage import CONTINUE, Entrance
from dupgroups_filter.requests import Write, changes_indices, write_of
from dupgroups_filter.signer import SharedSigner
from dupgroups_filter.upstream import Upstream
from dupgroups_filter.writes import Writes

OURS = "/_dup_groups/"
ANSWERS = 5.0  # seconds in which a cluster that lives answers


class Proxy:
    """Handles requests to one cluster."""

    def __init__(self, upstream: Upstream, names: Names, signer: SharedSigner, behind: Behind) -> None:
        self._upstream = upstream
        self._names = names
        self._signer = signer
        self._behind = behind
        self._entrance = Entrance(behind.metrics)
        self._writes = Writes(names, signer, behind.metrics)
        self._exchange = Exchange(upstream, behind)

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        """Answer one request."""
        target = request.raw_path
        if request.headers.get("Expect", CONTINUE).lower() != CONTINUE:
            return OwnAnswer(status=417)
        if not target.startswith("/") and (request.method, target) != ("OPTIONS", "*"):
            reason = f"the target must be a path that begins with /, not {target[:100]}"
            return error_answer(400, "illegal_argument_exception", reason)
        if target.startswith(OURS):
            return await self._about(target.partition("?")[0])
        write = write_of(request.method, target)
        outdates = changes_indices(request.method, target)
        if write is not None:
            await self._names.renew()
            if write.index is not None and not self._names.place(write.index):
                write = None
        with self._under_way() if write else nullcontext():
            answer = await self._answer(request, write)
        if outdates:
            self._names.outdate()
        return answer

    @contextmanager
    def _under_way(self) -> Iterator[None]:
        metrics = self._behind.metrics
        self._signer.under_way += 1
        try:
            with metrics.waiting.track_inprogress(), metrics.seconds.time():
                yield
        finally:
            self._signer.under_way -= 1

    async def _answer(self, request: web.BaseRequest, write: Write | None) -> web.StreamResponse:
        async with self._entrance.passage(request, write) as passage:
            if passage.write:
                await self._writes.sign(passage)
            return await self._exchange.answer_of(request, passage)

    async def _about(self, path: str) -> web.StreamResponse:
        if path == f"{OURS}metrics":
            text = self._behind.metrics.text()
            return web.Response(body=text, headers={"Content-Type": CONTENT_TYPE_LATEST})
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
