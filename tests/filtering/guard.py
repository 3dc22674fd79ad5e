"""A proxy that demands credentials, as a cluster with a security plug-in does, and streams what may pass."""

from __future__ import annotations

import asyncio
import base64
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field

from aiohttp import ClientSession, web
from yarl import URL

from dupgroups.engines.url import EngineURL
from es_plugin.clusters import address
from filtering.process import FilterProcess, filter_process
from filtering.running import meanwhile

WRITER, READER, FILTER = "writer", "reader", "filter"
"""Users, each with its name as password: who may everything, who may only read, and the filter itself."""
OF_THE_WAY = ("host", "connection", "transfer-encoding")


def credentials(user: str) -> dict[str, str]:
    """The headers that say who asks; none for nobody."""
    encoded = base64.b64encode(f"{user}:{user}".encode()).decode()
    return {"Authorization": f"Basic {encoded}"} if user else {}


_USERS = {credentials(user)["Authorization"]: user for user in (WRITER, READER, FILTER)}


@dataclass
class Guard:
    """`seen` has the user and the mark, the X-Opaque-Id, of each request; one whose mark is in `held` is not
    answered before that is set.
    """

    server: str
    port: int = 0
    seen: list[tuple[str, str]] = field(default_factory=list)
    held: dict[str, threading.Event] = field(default_factory=dict)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        user = _USERS.get(request.headers.get("Authorization", ""), "")
        mark = request.headers.get("X-Opaque-Id", "")
        self.seen.append((user, mark))
        if mark in self.held:
            await asyncio.to_thread(self.held[mark].wait, 120)
        if not user or (user == READER and request.method not in ("GET", "HEAD")):
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


async def _refusal(request: web.Request, status: int) -> web.Response:
    async for _ in request.content.iter_any():
        pass
    error = {"type": "security_exception", "reason": "the guard refuses this"}
    return web.json_response({"error": error, "status": status}, status=status)


@asynccontextmanager
async def _serving(known: Guard) -> AsyncIterator[None]:
    runner = web.ServerRunner(web.Server(known.handle), shutdown_timeout=1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    known.port = runner.addresses[0][1]
    yield
    await runner.cleanup()


@contextmanager
def guard(server: str) -> Iterator[Guard]:
    """It stands before a server, on a free port, for as long as the block lasts."""
    known = Guard(server)
    with meanwhile(_serving(known)):
        try:
            yield known
        finally:
            for held in known.held.values():
                held.set()


@contextmanager
def guarding(engine_url: str) -> Iterator[tuple[Guard, FilterProcess]]:
    """A filter before a server that refuses everybody else."""
    url = EngineURL.parse(engine_url, {})
    with guard(address(engine_url)) as watched:
        own = f"{url.kind}://{FILTER}:{FILTER}@127.0.0.1:{watched.port}/{url.path}"
        with filter_process(own) as filter_:
            yield watched, filter_
