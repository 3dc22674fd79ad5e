"""Middleware of every request: security headers, the host names that it may use, the language of its
reader."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dupgroups.presentation.languages import ENGLISH, LANGUAGES, Language, use

LOOPBACK = ("localhost", "127.0.0.1", "::1")

POLICY = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Vary": "Accept-Language, Cookie, HX-Request",
    "Cache-Control": "no-cache",  # so that neither results nor style sheets are outdated
}


class SecureHeaders:
    """Adds HEADERS to every response."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and add the headers to the response."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        await self._app(scope, receive, send_with_headers)


class KnownHosts:
    """Rejects requests for a host that is not one of `hosts`; None allows every host."""

    def __init__(self, app: ASGIApp, hosts: Sequence[str] | None) -> None:
        self._app = app
        self._hosts = None if hosts is None else frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or respond with 400."""
        if scope["type"] != "http" or self._hosts is None or _host(scope) in self._hosts:
            await self._app(scope, receive, send)
            return
        sentence = "Unknown host name. To allow it, start the server with --allow-host NAME.\n"
        await PlainTextResponse(sentence, 400)(scope, receive, send)


def _host(scope: Scope) -> str:
    """The requested host without its port: "[::1]:8000" gives "::1"."""
    host = Headers(scope=scope).get("host", "").lower()
    return host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]


class LocaleMiddleware:
    """Answers every request in the language of its reader."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["type"] == "http":
            use(_best(Headers(scope=scope).get("accept-language", "")))
        await self._app(scope, receive, send)


def protect_site(hosts: Sequence[str] | None) -> list[Middleware]:
    """The middleware of a site that answers requests for these hosts; None allows every host."""
    return [Middleware(SecureHeaders), Middleware(KnownHosts, hosts=hosts), Middleware(LocaleMiddleware)]


def _best(header: str) -> Language:
    """The best of our languages in an Accept-Language header (RFC 9110, 12.5.4), or English; regions do not
    matter.
    """
    weighed = []
    for entry in header.split(",")[:50]:
        tag, _, parameter = entry.partition(";")
        try:
            weight = float(parameter.strip().lower().removeprefix("q=") or 1)
        except ValueError:
            weight = 0.0
        weighed.append((weight, tag.strip().lower().partition("-")[0]))
    accepted = [code for weight, code in sorted(weighed, key=lambda entry: -entry[0]) if 0 < weight <= 1]
    return next((LANGUAGES[code] for code in accepted if code in LANGUAGES), ENGLISH)
