"""A filter from its start to SIGTERM."""

import asyncio
import contextlib
import gc
import signal
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine

from aiohttp import web

from dupgroups.engines import engine_url
from dupgroups.errors import ConfigError, InputError
from dupgroups_filter.covered_names import Names
from dupgroups_filter.filter_metrics import Metrics
from dupgroups_filter.filter_options import FilterOptions
from dupgroups_filter.grouper_process import GrouperProcess
from dupgroups_filter.proxy import Proxy, error_answer
from dupgroups_filter.signer import SharedSigner
from dupgroups_filter.upstream import MAX_LINE_BYTES, Upstream

IDLE_SECONDS = 86_400  # seconds that a connection may be idle; clusters do not close them either
HEAD_SECONDS = 60.0  # seconds from the first byte of a request to the end of its head
DRAIN_SECONDS = 60.0  # seconds that requests have to end after SIGTERM
MAX_HEADERS = 1_000  # of a request, as many as a proxy may meet


def run(work: Coroutine[object, object, None]) -> None:
    """Do something in the fastest event loop there is; uvloop has none for Windows."""
    gc.set_threshold(50_000, 50, 50)  # else a tenth of the time goes into looking at tasks and headers
    try:
        import uvloop
    except ModuleNotFoundError:
        asyncio.run(work)
    else:
        uvloop.run(work)


async def serve(options: FilterOptions, host: str, port: int, announce: Callable[[int], None]) -> None:
    """Filter until SIGTERM or SIGINT; then take no more connections, answer what has begun, and settle.

    SIGHUP reads the certificate again. `announce` gets the port, which is another one than 0. Raises
    ConfigError, and InputError for an address that cannot be listened on.
    """
    _more_files()
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopped.set)
    async with running(options, host, port) as used:
        announce(used)
        await stopped.wait()


@contextlib.asynccontextmanager
async def running(options: FilterOptions, host: str, port: int) -> AsyncIterator[int]:
    """A filter that listens; the port that it uses."""
    url = engine_url(options.engine or options.config.engine)
    if not url.host:
        raise ConfigError("only an index of OpenSearch or Elasticsearch can be filtered: give --engine")
    upstream, names = Upstream(url, options.others), Names(url, options.fields)
    try:
        await asyncio.to_thread(names.check)
        await names.refresh()
        signer, metrics = SharedSigner(names.fields, options.config), Metrics()
        grouper = GrouperProcess(options, metrics)
        async with (
            _run_in_background(grouper.run(), grouper.close),
            _listening(Proxy(upstream, names, signer, grouper, metrics), host, port, options) as used,
            _run_in_background(signer.watch()),
        ):
            yield used
    finally:
        await upstream.close()
        names.close()


def _more_files() -> None:
    """Let this process open as many connections as the system allows."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _tls(options: FilterOptions) -> ssl.SSLContext | None:
    if options.certificate is None:
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    _read_certificate(context, options)
    asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, _read_certificate, context, options)
    return context


def _read_certificate(context: ssl.SSLContext, options: FilterOptions) -> None:
    assert options.certificate
    try:
        context.load_cert_chain(options.certificate, options.key)
    except (OSError, ssl.SSLError) as error:
        raise ConfigError(
            f"the certificate {options.certificate} cannot be used: {error}; give a PEM file with the chain, "
            "and its key by --tls-key"
        ) from None


class _Handler(web.RequestHandler):
    """Tells what is not HTTP as a cluster tells its errors. The head of a request may take HEAD_SECONDS."""

    _unfinished: asyncio.TimerHandle | None = None

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._current_request or self._messages:
            self._end_waiting()
        elif self._unfinished is None:
            self._unfinished = self._loop.call_later(HEAD_SECONDS, self.force_close)

    def connection_lost(self, exc: BaseException | None) -> None:
        self._end_waiting()
        super().connection_lost(exc)

    def _end_waiting(self) -> None:
        if self._unfinished:
            self._unfinished.cancel()
            self._unfinished = None

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """See aiohttp; the connection is closed afterwards."""
        # the text of a malformed request, which may have credentials, belongs into no log
        answer = super().handle_error(request, status, exc if status >= 500 else None, message)
        reason = (message or "the filter met an error of its own").partition("\n")[0]
        own = error_answer(answer.status, "illegal_argument_exception", reason)
        own.force_close()
        return own


class _Server(web.Server):
    def __call__(self) -> web.RequestHandler:
        return _Handler(self, loop=self._loop, **self._kwargs)


@contextlib.asynccontextmanager
async def _listening(proxy: Proxy, host: str, port: int, options: FilterOptions) -> AsyncIterator[int]:
    server = _Server(
        proxy.handle,
        auto_decompress=False,
        access_log=None,
        keepalive_timeout=IDLE_SECONDS,
        max_line_size=MAX_LINE_BYTES,
        max_field_size=MAX_LINE_BYTES,
        max_headers=MAX_HEADERS,
    )
    tls, shares_port = _tls(options), options.shares_port or None
    runner = web.ServerRunner(server, shutdown_timeout=DRAIN_SECONDS)
    await runner.setup()
    try:
        site = web.TCPSite(runner, host, port, backlog=1024, ssl_context=tls, reuse_port=shares_port)
        await site.start()
    except OSError as error:
        raise InputError(
            f"cannot listen on {host}:{port}: {error.strerror}; choose another --listen"
        ) from None
    try:
        yield runner.addresses[0][1]
    finally:
        await runner.cleanup()


@contextlib.asynccontextmanager
async def _run_in_background(
    work: Coroutine[object, object, None], end: Callable[[asyncio.Task[None]], Awaitable[None]] | None = None
) -> AsyncIterator[None]:
    """Do something in the background; `end` lets it come to an end."""
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        if end:
            await end(task)
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
