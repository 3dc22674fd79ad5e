"""The cluster behind the filter, as an HTTP client sees it: nothing is decoded, redirected or tried again."""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterable, Iterable, Mapping

from aiohttp import (
    ClientResponse,
    ClientSession,
    ClientTimeout,
    DummyCookieJar,
    TCPConnector,
)
from aiohttp.typedefs import LooseHeaders
from multidict import CIMultiDict
from yarl import URL

from dupgroups.engines import EngineURL
from dupgroups.errors import ConfigError
from dupgroups.filtering.answers import Reply, error_reply

LINE = 65_536  # bytes of a request line or of a header; scroll ids are long
HOP_BY_HOP = frozenset(
    "connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer"
    " transfer-encoding upgrade".split()
)
AUTOMATIC = ("User-Agent", "Accept", "Accept-Encoding", "Content-Type")  # what aiohttp would add


class Upstream:
    """Make it, use it and close it within one event loop."""

    def __init__(self, url: EngineURL) -> None:
        host = f"[{url.host}]" if url.host and ":" in url.host else url.host
        self.base = f"{'https' if url.tls else 'http'}://{host}:{url.port or 9200}"
        self._connector = TCPConnector(limit=0, ssl=_tls(url))
        self._reading = self._session()
        self._writing = self._session()
        # A write whose connection breaks may have arrived: whoever sent it decides whether to repeat it.
        self._writing._retry_connection = False

    def _session(self) -> ClientSession:
        return ClientSession(
            connector=self._connector,
            connector_owner=False,
            auto_decompress=False,
            cookie_jar=DummyCookieJar(),
            timeout=ClientTimeout(total=None, sock_connect=30),
            skip_auto_headers=AUTOMATIC,
            max_line_size=LINE,
            max_field_size=LINE,
        )

    async def send(
        self, method: str, target: str, headers: LooseHeaders, body: AsyncIterable[bytes] | bytes | None
    ) -> ClientResponse:
        """One request, once. Raises ClientError."""
        session = self._reading if method in ("GET", "HEAD") and body is None else self._writing
        url = URL(self.base + target, encoded=True)
        return await session.request(method, url, headers=headers, data=body, allow_redirects=False)

    async def post(self, method: str, target: str, headers: LooseHeaders, body: bytes) -> Reply:
        """One request with its whole answer; without an answer, the error 502 of the filter."""
        try:
            async with await self.send(method, target, headers, body) as response:
                return Reply(response.status, await response.read(), [*end_to_end(response.headers).items()])
        except Exception as error:  # whatever it is: the request may have arrived
            return no_answer(error)

    async def close(self) -> None:
        """Close all connections."""
        await self._reading.close()
        await self._writing.close()
        await self._connector.close()


def no_answer(error: BaseException) -> Reply:
    """What a client gets if the cluster gives no answer: whether it has done anything is not known."""
    return error_reply(
        502, "no_answer_exception", f"no answer from the cluster: {error or type(error).__name__}"
    )


def end_to_end(headers: Mapping[str, str], without: Iterable[str] = ()) -> CIMultiDict[str]:
    """The headers that are not about the connection itself (RFC 9110, 7.6.1)."""
    named = [name.strip().lower() for name in headers.get("Connection", "").split(",")]
    left_out = {*HOP_BY_HOP, *named, *(name.lower() for name in without)}
    return CIMultiDict((name, value) for name, value in headers.items() if name.lower() not in left_out)


def _tls(url: EngineURL) -> ssl.SSLContext | bool:
    if not url.tls:
        return True
    try:
        context = ssl.create_default_context(cafile=url.options.get("ca"))
    except OSError as error:
        raise ConfigError(
            f"ca={url.options['ca']} in the URL of the engine cannot be read: {error}"
        ) from None
    if url.options.get("verify", "true").lower() == "false":
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context
