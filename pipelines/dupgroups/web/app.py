"""The search page as an ASGI application: routes, errors, and engine calls in the thread pool."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import ParamSpec, TypeVar

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from dupgroups.errors import DupGroupsError, InputError
from dupgroups.model import Query
from dupgroups.text.words import query_words
from dupgroups.web.awaited import Searchable
from dupgroups.web.correcting import CorrectingSite, Corrector
from dupgroups.web.parameters import check_names, from_parameters, group_url
from dupgroups.web.payload import group_payload, results_payload
from dupgroups.web.render import render
from dupgroups.web.security import HEADERS, KnownHosts, SecureHeaders
from dupgroups.web.story import Story, read_story
from dupgroups.web.tokens import Tokens

COPIES = 200  # members of a group that its page lists
FORMER_NAMES = 100  # former names of a group that its page lists

log = logging.getLogger(__name__)

P = ParamSpec("P")
R = TypeVar("R")


def create_app(
    engine: Searchable,
    *,
    hosts: Sequence[str] | None = None,
    pictures: bool = False,
    corrector: Corrector | None = None,
    tokens: Tokens | None = None,
) -> Starlette:
    """The search page for an engine, which the caller has to close.

    `hosts` are the host names that requests may use; None allows every name. (With DNS rebinding, another
    site could otherwise read an index on loopback through a name of its own.) `pictures` shows the lead
    pictures, which the browser of the reader then loads from the crawled sites. Who shows one of the `tokens`
    may correct groups through the `corrector`; without both the page only reads.
    """
    correcting = CorrectingSite(corrector, tokens)
    site = SearchSite(engine, pictures, correcting)
    return Starlette(
        routes=[
            Route("/", site.search),
            Route("/groups/{group:path}", site.group),
            Route("/api/search", site.api_search),
            Route("/api/groups/{group:path}", site.api_group),
            Route("/healthz", site.health),
            *correcting.routes,
            Route("/favicon.ico", _icon),  # what browsers ask for beside the JSON API
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

    def __init__(self, engine: Searchable, pictures: bool, correcting: CorrectingSite) -> None:
        self._engine = engine
        self._correcting = correcting
        self._pictures = pictures

    async def search(self, request: Request) -> Response:
        """The search page, with results for the query in the URL."""
        query = from_parameters(request.query_params)
        results = await _in_thread(self._engine.search, query)
        looser = await _in_thread(self._with_any_word, query) if not results.documents else 0
        html = render(
            "search.html", query=query, results=results, pictures=self._pictures, with_any_word=looser
        )
        return HTMLResponse(html)

    async def group(self, request: Request) -> Response:
        """All copies of a story: a page, or only the list if htmx inserts it below a hit."""
        query = from_parameters(request.query_params)
        name = request.path_params["group"]
        story = await _in_thread(self._story, name)
        if story.group != name:
            return RedirectResponse(group_url(story.group, query))
        template = "copies.html" if _is_fragment(request) else "group.html"
        panel = await self._correcting.panel(request, story)
        html = render(template, query=query, story=story, canonical=group_url(name, Query()), panel=panel)
        return HTMLResponse(html, headers={"Vary": "HX-Request"})

    async def api_search(self, request: Request) -> Response:
        """Results as JSON. A mistyped parameter is an error here: nobody would notice that it is ignored."""
        check_names(request.query_params)
        query = from_parameters(request.query_params)
        return JSONResponse(results_payload(query, await _in_thread(self._engine.search, query)))

    async def api_group(self, request: Request) -> Response:
        """The copies of a story as JSON; it takes no parameters."""
        check_names(request.query_params, known=())
        return JSONResponse(group_payload(await _in_thread(self._story, request.path_params["group"])))

    async def health(self, request: Request) -> Response:
        """Check that the engine answers, by looking up an id."""
        await _in_thread(self._engine.get, ["healthz"])
        return JSONResponse({"status": "ok"})

    def _with_any_word(self, query: Query) -> int:
        """The number of stories with any word of a query; 0 if that is the query itself."""
        if query.any_word or len(query_words(query.text)) < 2:
            return 0
        return self._engine.search(replace(query, any_word=True, limit=0, offset=0, cursor=None)).stories

    def _story(self, group: str) -> Story:
        story = read_story(self._engine, group, copies=COPIES, names=FORMER_NAMES)
        if story is None:
            raise HTTPException(404, "There is no such story: its documents may have been deleted.")
        return story


async def _in_thread(call: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Call an engine in the thread pool: engines block, and other requests must not wait."""
    return await run_in_threadpool(partial(call, *args, **kwargs))


async def _icon(request: Request) -> Response:
    return RedirectResponse("/static/logo.svg")


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
