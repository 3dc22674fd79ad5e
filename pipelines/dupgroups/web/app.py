"""The search page as an ASGI application: routes, errors, and engine calls in the thread pool."""

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

from dupgroups.errors import DupGroupsError, InputError
from dupgroups.model import Copy, Query
from dupgroups.web.awaited import Searchable
from dupgroups.web.parameters import check_names, from_parameters
from dupgroups.web.payload import group_payload, results_payload
from dupgroups.web.render import render
from dupgroups.web.security import HEADERS, KnownHosts, SecureHeaders

COPIES = 200  # members of a group that its page lists

log = logging.getLogger(__name__)

P = ParamSpec("P")
R = TypeVar("R")


def create_app(
    engine: Searchable, *, hosts: Sequence[str] | None = None, pictures: bool = False
) -> Starlette:
    """The search page for an engine, which the caller has to close.

    `hosts` are the host names that requests may use; None allows every name. (With DNS rebinding, another
    site could otherwise read an index on loopback through a name of its own.) `pictures` shows the lead
    pictures, which the browser of the reader then loads from the crawled sites.
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

    def __init__(self, engine: Searchable, pictures: bool) -> None:
        self._engine = engine
        self._pictures = pictures

    async def search(self, request: Request) -> Response:
        """The search page, with results for the query in the URL."""
        query = from_parameters(request.query_params)
        results = await _in_thread(self._engine.search, query)
        html = render("search.html", query=query, results=results, pictures=self._pictures)
        return HTMLResponse(html)

    async def group(self, request: Request) -> Response:
        """All copies of a story: a page, or only the list if htmx inserts it below a hit."""
        query = from_parameters(request.query_params)
        group, copies = await _in_thread(self._copies, request.path_params["group"])
        template = "copies.html" if _is_fragment(request) else "group.html"
        html = render(template, query=query, group=group, copies=copies, most=COPIES)
        return HTMLResponse(html, headers={"Vary": "HX-Request"})

    async def api_search(self, request: Request) -> Response:
        """Results as JSON. A mistyped parameter is an error here: nobody would notice that it is ignored."""
        check_names(request.query_params)
        query = from_parameters(request.query_params)
        return JSONResponse(results_payload(query, await _in_thread(self._engine.search, query)))

    async def api_group(self, request: Request) -> Response:
        """The copies of a story as JSON; it takes no parameters."""
        check_names(request.query_params, known=())
        return JSONResponse(group_payload(*await _in_thread(self._copies, request.path_params["group"])))

    async def health(self, request: Request) -> Response:
        """Check that the engine answers, by looking up an id."""
        await _in_thread(self._engine.get, ["healthz"])
        return JSONResponse({"status": "ok"})

    def _copies(self, group: str) -> tuple[str, list[Copy]]:
        """The current id of the group, which may have been merged into another one, and its copies."""
        now = self._engine.resolve([group])[group]
        copies = self._engine.copies(now, limit=COPIES)
        if not copies:
            raise HTTPException(404, "There is no such story: its documents may have been deleted.")
        return now, copies


async def _in_thread(call: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Call an engine in the thread pool: engines block, and other requests must not wait."""
    return await run_in_threadpool(partial(call, *args, **kwargs))


def _is_fragment(request: Request) -> bool:
    return "HX-Request" in request.headers and "HX-Boosted" not in request.headers


async def _expected_error(request: Request, error: Exception) -> Response:
    if isinstance(error, InputError):
        return _problem(request, 400, str(error))
    log.error("%s: %s", request.url.path, error)  # it may name hosts and users, so visitors do not see it
    return _problem(request, 503, "Try again in a moment; the server log says what is wrong.")


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    sentence = "There is no such page." if error.detail == "Not Found" else error.detail
    allowed = {"Allow": "GET, HEAD"} if error.status_code == 405 else {}  # missing for static files
    return _problem(request, error.status_code, sentence, {**allowed, **(error.headers or {})})


async def _unexpected_error(request: Request, error: Exception) -> Response:
    return _problem(request, 500, "Something went wrong; the server log says what.")


def _problem(
    request: Request, status: int, sentence: str, more_headers: Mapping[str, str] | None = None
) -> Response:
    """An error as one sentence, in the format that was requested: JSON, a page, or a fragment."""
    # unexpected errors are answered outside the middleware, so the headers are needed here too
    headers = {**HEADERS, **(more_headers or {})}
    if request.url.path.startswith(("/api/", "/healthz")):
        return JSONResponse({"error": sentence}, status, headers=headers)
    values = {"query": _query_or_default(request), "status": status, "sentence": sentence}
    template = "problem.html" if _is_fragment(request) else "error.html"
    return HTMLResponse(render(template, **values), status, headers=headers)


def _query_or_default(request: Request) -> Query:
    """The query of the request, so that the form still shows it."""
    try:
        return from_parameters(request.query_params)
    except InputError:
        return Query()
