"""Which language a reader gets: that of the switch (`?lang=zh`), of the cookie it left, or of the browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextvars import ContextVar
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dupgroups.web.language import ENGLISH, LANGUAGES, Language, current, use

PARAMETER = "lang"
COOKIE = "dupgroups-language"
YEAR = 365 * 24 * 3600
TRANSLATED = ("text/html", "application/atom+xml")  # types of what is translated

_address: ContextVar[str] = ContextVar("address", default="/")


class InTheirLanguage:
    """Answers every request in the language of its reader, and remembers the one that the switch names."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; pages depend on the headers that were looked at."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = HTTPConnection(scope)
        switched = LANGUAGES.get(request.query_params.get(PARAMETER, ""))
        use(switched or language_of(request))
        _address.set(_other_parameters(scope))

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if headers.get("content-type", "").startswith(TRANSLATED):
                    headers.add_vary_header("Accept-Language, Cookie")
                if switched:
                    value = f"{COOKIE}={switched.code}; Max-Age={YEAR}; Path=/; SameSite=Lax; HttpOnly"
                    headers.append("set-cookie", value)
            await send(message)

        await self._app(scope, receive, send_with_headers)


def language_of(request: HTTPConnection) -> Language:
    """The language of the cookie, or else the first one that the browser accepts and there is, or English."""
    remembered = LANGUAGES.get(request.cookies.get(COOKIE, ""))
    if remembered:
        return remembered
    accepted = _accepted(Headers(scope=request.scope).get("accept-language", ""))
    return next((LANGUAGES[code] for code in accepted if code in LANGUAGES), ENGLISH)


def _accepted(header: str) -> list[str]:
    """The languages of an Accept-Language header (RFC 9110, 12.5.4) without their regions, best first."""
    weighed = []
    for entry in header.split(",")[:50]:
        tag, _, parameter = entry.partition(";")
        try:
            weight = float(parameter.strip().lower().removeprefix("q=") or 1)
        except ValueError:
            weight = 0.0
        weighed.append((weight, tag.strip().lower().partition("-")[0]))
    return [code for weight, code in sorted(weighed, key=lambda entry: -entry[0]) if 0 < weight <= 1]


def switches() -> Iterator[tuple[Language, str]]:
    """The other languages, each with the address of this page in it."""
    address = _address.get()
    for language in LANGUAGES.values():
        if language != current():
            yield language, address + urlencode({PARAMETER: language.code})


def _other_parameters(scope: Scope) -> str:
    """The address of a request up to the parameter of the language, without a host whatever the path is."""
    pairs = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
    kept = urlencode([pair for pair in pairs if pair[0] != PARAMETER])
    path = "/" + scope.get("raw_path", b"/").decode("latin-1").lstrip("/\\")
    return f"{path}?{kept}{'&' if kept else ''}"
