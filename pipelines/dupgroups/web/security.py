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


class Protection:
    """Adds HEADERS to every response, rejects requests for a host that is not one of `hosts` (None allows
    every host), and answers others in the language of their reader.
    """

    def __init__(self, app: ASGIApp, hosts: Sequence[str] | None) -> None:
        self._app, self._hosts = app, None if hosts is None else frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or respond with 400."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        app = self._app
        if scope["type"] == "http":
            use(_best(Headers(scope=scope).get("accept-language", "")))
            if self._hosts is not None and _host(scope) not in self._hosts:
                sentence = "Unknown host name. To allow it, start the server with --allow-host NAME.\n"
                app = PlainTextResponse(sentence, 400)
        await app(scope, receive, send_with_headers)


def _host(scope: Scope) -> str:
    """The requested host without its port: "[::1]:8000" gives "::1"."""
    host = Headers(scope=scope).get("host", "").lower()
    return host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]


def protect_site(hosts: Sequence[str] | None) -> list[Middleware]:
    """The middleware of a site that answers requests for these hosts; None allows every host."""
    return [Middleware(Protection, hosts=hosts)]


def _best(header: str) -> Language:
    """Our best language in an Accept-Language header (RFC 9110, 12.5.4), whatever the region, or English."""
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
