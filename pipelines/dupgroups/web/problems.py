"""Errors as one sentence: what a visitor is told, and what only the log says."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from dupgroups.errors import DupGroupsError, InputError
from dupgroups.web.security import HEADERS

log = logging.getLogger(__name__)

Tell = Callable[[Request, int, str, Mapping[str, str]], Response]
"""Answers a request with a status, a sentence and headers."""


def error_handlers(tell: Tell) -> dict[type[Exception], Callable[[Request, Exception], Response]]:
    """The handlers of an application that tells visitors about errors in its own way."""

    def expected(request: Request, error: Exception) -> Response:
        if isinstance(error, InputError):
            return tell(request, 400, str(error), HEADERS)
        log.error("%s: %s", request.url.path, error)  # it may name hosts and users, so visitors do not see it
        return tell(request, 503, "Try again in a moment; the server log says what is wrong.", HEADERS)

    def http(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        sentence = "There is no such page." if error.detail == "Not Found" else error.detail
        allowed = {"Allow": "GET, HEAD"} if error.status_code == 405 else {}  # missing for static files
        return tell(request, error.status_code, sentence, {**HEADERS, **allowed, **(error.headers or {})})

    def unexpected(request: Request, error: Exception) -> Response:
        # answered outside the middleware, so the headers are needed here too
        return tell(request, 500, "Something went wrong; the server log says what.", HEADERS)

    return {DupGroupsError: expected, HTTPException: http, Exception: unexpected}
