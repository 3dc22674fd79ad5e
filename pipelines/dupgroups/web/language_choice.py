"""Which language a reader gets: the first one that the browser accepts and there is, or English."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from dupgroups.web.language import ENGLISH, LANGUAGES, Language, use


class InTheirLanguage:
    """Answers every request in the language of its reader."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["type"] == "http":
            use(_best(Headers(scope=scope).get("accept-language", "")))
        await self._app(scope, receive, send)


def _best(header: str) -> Language:
    """The best of our languages in an Accept-Language header (RFC 9110, 12.5.4); regions do not matter."""
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
