"""The cluster behind the filter, as an HTTP client sees it: nothing is decoded, redirected or tried again."""

import asyncio
import itertools
import ssl
import time
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Mapping, Sequence

from aiohttp import (
    ClientConnectorError,
    ClientError,
    ClientResponse,
    ClientSession,
    ClientTimeout,
    DummyCookieJar,
    TCPConnector,
)
from multidict import CIMultiDict
from yarl import URL

from dupgroups.engines import EngineURL
from dupgroups.errors import ConfigError

MAX_LINE_BYTES = 65_536  # bytes of a request line or of a header; scroll ids are long
MAX_HEADER_CHARS = 8_000  # characters of headers, more than which a server may refuse
CONNECT_SECONDS = 10.0  # seconds to connect to an address
AWAY_SECONDS = 5.0  # seconds in which an address that could not be connected to is asked last
HOP_BY_HOP = frozenset(
    "connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer"
    " transfer-encoding upgrade".split()
)
_FRAMING = ("Content-Length", "Transfer-Encoding")
AUTOMATIC = ("User-Agent", "Accept", "Accept-Encoding", "Content-Type")  # what aiohttp would add

Body = AsyncIterable[bytes] | bytes | None


class Upstream:
    """Make it, use it and close it within one event loop. `others` are HOST:PORT of further nodes."""

    def __init__(self, url: EngineURL, others: Sequence[str] = ()) -> None:
        scheme = "https" if url.tls else "http"
        host = f"[{url.host}]" if url.host and ":" in url.host else url.host
        places = [f"{host}:{url.port or 9200}", *others]
        self._bases = [f"{scheme}://{place}" for place in places]
        self._away: dict[str, float] = {}
        self._turn = itertools.count()
        tls = _tls(url)
        self._connector = TCPConnector(limit=0, ssl=tls)
        self._reading = self._session(self._connector)
        self._writing = self._session(self._connector)
        # What a server refuses unread, it may not be asked on the same connection after.
        self._once_only = TCPConnector(limit=0, ssl=tls, force_close=True)
        self._large = self._session(self._once_only)
        # A write whose connection breaks may have arrived: whoever sent it decides whether to repeat it.
        self._writing._retry_connection = False

    def _session(self, connector: TCPConnector) -> ClientSession:
        return ClientSession(
            connector=connector,
            connector_owner=False,
            auto_decompress=False,
            cookie_jar=DummyCookieJar(),
            timeout=ClientTimeout(total=None, sock_connect=CONNECT_SECONDS),
            skip_auto_headers=AUTOMATIC,
            max_line_size=MAX_LINE_BYTES,
            max_field_size=MAX_LINE_BYTES,
        )

    async def send(self, method: str, target: str, headers: CIMultiDict[str], body: Body) -> ClientResponse:
        """One request, once; an address that cannot be connected to got nothing, and the next one is asked.

        Raises ClientError.
        """
        session = self._reading if method in ("GET", "HEAD") and body is None else self._writing
        if sum(map(len, headers.values())) > MAX_HEADER_CHARS:
            session = self._large
        path, mark, query = ("/*" if target == "*" else target).partition("?")
        path = path.replace("#", "%23") + mark + query
        for base in self._order_addresses():
            try:
                url = URL(base + path, encoded=True)
                return await session.request(method, url, headers=headers, data=body, allow_redirects=False)
            except ClientConnectorError as error:
                self._away[base], away = time.monotonic(), error
        raise away

    async def ask_for_refusal(
        self, method: str, target: str, headers: CIMultiDict[str], length: int
    ) -> ClientResponse | None:
        """The answer to a body of this length before it is sent, such as 413; None if it would be taken.

        A cluster that refuses a long body closes the connection while it comes, and its answer is lost then.
        """
        asked = CIMultiDict((name, value) for name, value in headers.items() if name not in _FRAMING)
        asked["Content-Length"] = str(length)
        try:
            return await self._large.request(
                method, URL(self._bases[0] + target, encoded=True), headers=asked, data=_refuse_to_send(),
                expect100=True, allow_redirects=False, timeout=ClientTimeout(CONNECT_SECONDS),
            )  # fmt: skip
        except (ClientError, OSError, asyncio.TimeoutError):
            return None

    def _order_addresses(self) -> list[str]:
        """The addresses in turn, those last that were away a moment ago."""
        first = next(self._turn) % len(self._bases)
        since = time.monotonic() - AWAY_SECONDS
        in_turn = self._bases[first:] + self._bases[:first]
        return sorted(in_turn, key=lambda base: self._away.get(base, since) > since)

    async def close(self) -> None:
        """Close all connections."""
        for opened in (self._reading, self._writing, self._large, self._connector, self._once_only):
            await opened.close()


async def _refuse_to_send() -> AsyncIterator[bytes]:
    raise OSError("the body is welcome, but was sent already")
    yield b""


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
