"""The search page as an ASGI application: routes, errors, and the engine's calls in the thread pool."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import ParamSpec, TypeVar

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from dupgroups.engines.base import Engine
from dupgroups.errors import DupGroupsError, InputError
from dupgroups.model import Copy, Query
from dupgroups.web.parameters import check_names, from_parameters
from dupgroups.web.payload import group_payload, results_payload
from dupgroups.web.render import render
from dupgroups.web.security import HEADERS, KnownHosts, SecureHeaders

COPIES = 200  # members of a group that its page lists

log = logging.getLogger(__name__)

P = ParamSpec("P")
R = TypeVar("R")


def create_app(engine: Engine, *, hosts: Sequence[str] | None = None, pictures: bool = False) -> Starlette:
    """The search page over an engine, which stays the caller's to close.

    `hosts` are the names under which the server may be asked (DNS rebinding: a stranger's page must not read
    an index on loopback through a name of its own); None lets every name pass. `pictures` shows the lead
    pictures, which the reader's browser then fetches from the sites that were crawled.
    """
    site = SearchSite(engine, pictures)
    return Starlette(
        routes=[
            Route("/", site.search),
            Route("/groups/{group:path}", site.group),
            Route("/api/search", site.api_search),
            Route("/api/groups/{group:path}", site.api_group),
            Route("/healthz", site.health),
            Mount("/static", StaticFiles(directory=Path(__file__).parent / "static")),
        ],
        middleware=[Middleware(SecureHeaders, pictures=pictures), Middleware(KnownHosts, hosts=hosts)],
        exception_handlers={
            DupGroupsError: _expected_error,
            HTTPException: _http_error,
            Exception: _unexpected_error,
        },
    )


class SearchSite:
    """The pages and the JSON API over one engine."""

    def __init__(self, engine: Engine, pictures: bool) -> None:
        self._engine = engine
        self._pictures = pictures

    async def search(self, request: Request) -> Response:
        """The search page, with results for the query in the URL."""
        query = from_parameters(request.query_params)
        results = await _in_thread(self._engine.search, query)
        html = render("search.html", query=query, results=results, pictures=self._pictures)
        return HTMLResponse(html)

    async def group(self, request: Request) -> Response:
        """All copies of one story: a page, or the bare list when htmx puts it below a hit."""
        query = from_parameters(request.query_params)
        group, copies = await _in_thread(self._copies, request.path_params["group"])
        template = "copies.html" if _is_fragment(request) else "group.html"
        html = render(template, query=query, group=group, copies=copies, most=COPIES)
        return HTMLResponse(html, headers={"Vary": "HX-Request"})

    async def api_search(self, request: Request) -> Response:
        """Results as JSON. A mistyped parameter is an error here: nobody would see that it did nothing."""
        check_names(request.query_params)
        query = from_parameters(request.query_params)
        return JSONResponse(results_payload(query, await _in_thread(self._engine.search, query)))

    async def api_group(self, request: Request) -> Response:
        """The copies of one story as JSON; it takes no parameters."""
        check_names(request.query_params, known=())
        return JSONResponse(group_payload(*await _in_thread(self._copies, request.path_params["group"])))

    async def health(self, request: Request) -> Response:
        """Whether the engine answers: one look-up by id."""
        await _in_thread(self._engine.get, ["healthz"])
        return JSONResponse({"status": "ok"})

    def _copies(self, group: str) -> tuple[str, list[Copy]]:
        """Where the group is now, and its copies. A group that was merged away is followed."""
        now = self._engine.resolve([group])[group]
        copies = self._engine.copies(now, limit=COPIES)
        if not copies:
            raise HTTPException(404, "There is no such story: its documents may have been deleted.")
        return now, copies


async def _in_thread(call: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Engines block: they are asked in the thread pool, so that other requests go on."""
    return await run_in_threadpool(partial(call, *args, **kwargs))


def _is_fragment(request: Request) -> bool:
    return "HX-Request" in request.headers and "HX-Boosted" not in request.headers


async def _expected_error(request: Request, error: Exception) -> Response:
    if isinstance(error, InputError):
        return _problem(request, 400, str(error))
    log.error("%s: %s", request.url.path, error)  # may tell of hosts and users, which is not for visitors
    return _problem(request, 503, "Try again in a moment; the log of the server says what is wrong.")


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    sentence = "There is no such page." if error.detail == "Not Found" else error.detail
    allowed = {"Allow": "GET, HEAD"} if error.status_code == 405 else {}  # static files do not say it
    return _problem(request, error.status_code, sentence, {**allowed, **(error.headers or {})})


async def _unexpected_error(request: Request, error: Exception) -> Response:
    return _problem(request, 500, "Something went wrong here; the log of the server says what.")


def _problem(
    request: Request, status: int, sentence: str, more_headers: Mapping[str, str] | None = None
) -> Response:
    """One sentence, in the shape that was asked for."""
    # an unexpected error is answered outside of the middleware: so the headers are given here as well
    headers = {**HEADERS, **(more_headers or {})}
    if request.url.path.startswith(("/api/", "/healthz")):
        return JSONResponse({"error": sentence}, status, headers=headers)
    values = {"query": _query_or_default(request), "status": status, "sentence": sentence}
    template = "problem.html" if _is_fragment(request) else "error.html"
    return HTMLResponse(render(template, **values), status, headers=headers)


def _query_or_default(request: Request) -> Query:
    """What was searched, so that the form still shows it."""
    try:
        return from_parameters(request.query_params)
    except InputError:
        return Query()
