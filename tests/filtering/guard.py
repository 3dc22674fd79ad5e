"""A proxy that demands credentials, as a cluster with a security plug-in does, and streams what may pass."""

from __future__ import annotations

import asyncio
import base64
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field

from aiohttp import ClientSession, web
from yarl import URL

WRITER, READER, FILTER = "writer", "reader", "filter"
"""Users, each with its name as password: who may everything, who may only read, and the filter itself."""
READS = ("_search", "_msearch", "_mget", "_count")
OF_THE_WAY = ("host", "connection", "transfer-encoding")


def credentials(user: str) -> dict[str, str]:
    """The headers that say who asks; none for nobody."""
    encoded = base64.b64encode(f"{user}:{user}".encode()).decode()
    return {"Authorization": f"Basic {encoded}"} if user else {}


_USERS = {credentials(user)["Authorization"]: user for user in (WRITER, READER, FILTER)}


@dataclass(frozen=True)
class Seen:
    """A request that came; `mark` is its X-Opaque-Id."""

    user: str
    method: str
    path: str
    mark: str


@dataclass
class Guard:
    """What it has seen; a request whose mark is in `held` is not answered before that is set."""

    server: str
    port: int = 0
    seen: list[Seen] = field(default_factory=list)
    held: dict[str, threading.Event] = field(default_factory=dict)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        user = _USERS.get(request.headers.get("Authorization", ""), "")
        seen = Seen(user, request.method, request.raw_path, request.headers.get("X-Opaque-Id", ""))
        self.seen.append(seen)
        if seen.mark in self.held:
            await asyncio.to_thread(self.held[seen.mark].wait, 120)
        if not user or (user == READER and not _only_reads(request)):
            return await _refusal(request, 403 if user else 401)
        return await self._forward(request)

    async def _forward(self, request: web.Request) -> web.StreamResponse:
        headers = [(name, value) for name, value in request.headers.items() if name.lower() not in OF_THE_WAY]
        body = request.content if request.can_read_body else None
        async with (
            ClientSession(auto_decompress=False) as session,
            session.request(
                request.method, URL(self.server + request.raw_path, encoded=True), headers=headers, data=body
            ) as answer,
        ):
            passed = web.StreamResponse(status=answer.status, reason=answer.reason)
            for name, value in answer.headers.items():
                if name.lower() not in OF_THE_WAY:
                    passed.headers.add(name, value)
            await passed.prepare(request)
            async for part in answer.content.iter_any():
                await passed.write(part)
            return passed


def _only_reads(request: web.Request) -> bool:
    return request.method in ("GET", "HEAD") or request.path.endswith(READS)


async def _refusal(request: web.Request, status: int) -> web.Response:
    async for _ in request.content.iter_any():
        pass
    error = {"type": "security_exception", "reason": "the guard refuses this"}
    return web.json_response({"error": error, "status": status}, status=status)


@contextmanager
def guard(server: str) -> Iterator[Guard]:
    """It stands before a server, on a free port, for as long as the block lasts."""
    known = Guard(server)
    started: Future[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = Future()

    async def serve() -> None:
        stopped = asyncio.Event()
        runner = web.ServerRunner(web.Server(known.handle), shutdown_timeout=1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        known.port = runner.addresses[0][1]
        started.set_result((asyncio.get_running_loop(), stopped))
        await stopped.wait()
        await runner.cleanup()

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    loop, stopped = started.result(60)
    try:
        yield known
    finally:
        for held in known.held.values():
            held.set()
        loop.call_soon_threadsafe(stopped.set)
        thread.join(60)
