"""A filter from its start to SIGTERM."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator, Callable

from aiohttp import web

from dupgroups.engines import engine_url
from dupgroups.errors import ConfigError, InputError
from dupgroups.filtering.metrics import Metrics
from dupgroups.filtering.options import Options
from dupgroups.filtering.proxy import Proxy
from dupgroups.filtering.upstream import LINE, Upstream
from dupgroups.filtering.writers import Writers

IDLE = 86_400  # seconds that a connection may be idle; clusters do not close them either
DRAIN = 60.0  # seconds that requests have to end after SIGTERM


async def serve(options: Options, host: str, port: int, announce: Callable[[int], None]) -> None:
    """Filter until SIGTERM or SIGINT; then take no more connections, answer what has begun, and settle.

    `announce` gets the port, which is another one than 0. Raises ConfigError, and InputError for an address
    that cannot be listened on.
    """
    more_files()
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopped.set)
    async with running(options, host, port) as used:
        announce(used)
        await stopped.wait()


def more_files() -> None:
    """Let this process open as many connections as the system allows."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


@contextlib.asynccontextmanager
async def running(options: Options, host: str, port: int) -> AsyncIterator[int]:
    """A filter that listens; the port that it uses."""
    metrics = Metrics()
    url = engine_url(options.engine or options.config.engine)
    if not url.host:
        raise ConfigError(
            "only an index of OpenSearch or Elasticsearch can be filtered: name one by --engine"
        )
    upstream = Upstream(url)
    writers = Writers(options, metrics)
    try:
        await writers.open()
        proxy = Proxy(upstream, writers, metrics, options.max_body)
        async with _listening(proxy, host, port) as used, _in_background(writers):
            yield used
    finally:
        await writers.close()
        await upstream.close()


@contextlib.asynccontextmanager
async def _listening(proxy: Proxy, host: str, port: int) -> AsyncIterator[int]:
    server = web.Server(
        proxy.handle,
        auto_decompress=False,
        access_log=None,
        keepalive_timeout=IDLE,
        max_line_size=LINE,
        max_field_size=LINE,
    )
    runner = web.ServerRunner(server, shutdown_timeout=DRAIN)
    await runner.setup()
    try:
        await web.TCPSite(runner, host, port, backlog=1024).start()
    except OSError as error:
        raise InputError(
            f"cannot listen on {host}:{port}: {error.strerror}; choose another --listen"
        ) from None
    try:
        yield runner.addresses[0][1]
    finally:
        await runner.cleanup()


@contextlib.asynccontextmanager
async def _in_background(writers: Writers) -> AsyncIterator[None]:
    tending = asyncio.create_task(writers.tend())
    try:
        yield
    finally:
        tending.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await tending
