"""The search page as an ASGI application: routes, errors, and engine calls in the thread pool."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, get_args

from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from dupgroups.engines import Engine
from dupgroups.engines.lazy import LazyEngine
from dupgroups.engines.paging import with_any_word, with_similar_words
from dupgroups.errors import InputError
from dupgroups.flow.deduper import now_microseconds
from dupgroups.flow.document_names import stored_id
from dupgroups.flow.explain.pair_explanation import Explanation, explain_pair, pair_payload
from dupgroups.flow.finding import Found, find, found_payload
from dupgroups.flow.method_set import MethodSet
from dupgroups.flow.signing import sign, sign_if_outdated
from dupgroups.model import Document, Query, StoryOrder
from dupgroups.model.config import Config
from dupgroups.presentation.story import Story, Ties, group_payload, read_story, read_ties, results_payload
from dupgroups.presentation.story_list import list_stories, story_table
from dupgroups.text.document_like import as_page
from dupgroups.text.values import first_of
from dupgroups.web import parameters
from dupgroups.web.answers import Json, Table, copy_rows, hit_rows
from dupgroups.web.correction_pages import CorrectingSite
from dupgroups.web.feed import ATOM_TYPE, atom
from dupgroups.web.overview import read_overview
from dupgroups.web.parameters import MAX_TABLE_HITS, check_names, choice, from_parameters, group_url
from dupgroups.web.problems import error_handlers
from dupgroups.web.render import render
from dupgroups.web.security import protect_site
from dupgroups.web.sessions import Tokens, read_body, read_form
from dupgroups.web.site_metrics import SiteMetrics

MAX_FEED_ENTRIES = 50  # of a feed
FORMATS = ("json", "csv")
MAX_TEXT_BYTES = 2_000_000  # of a request that asks for copies of a text
PARTS = ("id", "text", "html", "title", "url", "date", "language")  # of what is asked about
MAX_FEED_COPIES = 30  # of an entry: who published it first is said of stories with at most so many others

T = TypeVar("T")


def create_app(
    engine: Engine | LazyEngine,
    *,
    hosts: Sequence[str] | None = None,
    config: Config | None = None,
    tokens: Tokens | None = None,
    visitor: str = "",
) -> Starlette:
    """The search page for an engine, which the caller has to close.

    `hosts` are the host names that requests may use; None allows every name. (With DNS rebinding, another
    site could otherwise read an index on loopback through a name of its own.) `config` has the methods with
    which the documents were grouped, and the pages explain why. Who shows one of the `tokens` may correct
    groups; without tokens the page only reads, unless whoever can reach it may correct as `visitor`, which is
    for demos on loopback. Raises ConfigError if `config` cannot be used.
    """
    lazy = engine if isinstance(engine, LazyEngine) else LazyEngine(lambda: engine)
    correcting = CorrectingSite(lazy, config or Config(), tokens, visitor)
    site = SearchSite(lazy, config or Config(), correcting)
    return Starlette(
        routes=[
            Route("/", site.search),
            Route("/feed", site.atom),
            Route("/overview", site.overview),
            Route("/api", site.api),
            Route("/groups/{group:path}", site.group),
            Route("/explain", site.explain),
            Route("/api/explain", site.api_explain),
            Route("/find", site.find, methods=["GET", "POST"]),
            Route("/api/find", site.api_find, methods=["POST"]),
            Route("/api/search", site.api_search),
            Route("/api/stories", site.api_stories),
            Route("/api/groups/{group:path}", site.api_group),
            Route("/healthz", site.health),
            Route("/metrics", site.metrics),
            *correcting.routes,
            Mount("/static", StaticFiles(directory=Path(__file__).parent / "static")),
        ],
        middleware=protect_site(hosts),
        exception_handlers=error_handlers(_problem),
    )


class SearchSite:
    """The pages and the JSON API over one engine."""

    def __init__(self, engine: LazyEngine, config: Config, correcting: CorrectingSite) -> None:
        self._engine, self._correcting, self._config = engine, correcting, config
        self._methods, self._metrics = MethodSet(config), SiteMetrics(engine)

    async def search(self, request: Request) -> Response:
        """The search page, with results for the query in the URL."""
        query = from_parameters(request.query_params)
        results = await self._ask(lambda engine: engine.search(query))
        values = {"query": query, "results": results}
        if not results.documents:
            values["looser"] = await self._ask(partial(with_any_word, query=query))
            values["similar"] = await self._ask(partial(with_similar_words, query=query))
        return HTMLResponse(render("search.html", **values))

    async def atom(self, request: Request) -> Response:
        """The newest results for the query in the URL, as a feed."""
        asked = from_parameters(request.query_params)
        whole = replace(asked, sort="date", offset=0, cursor=None)
        query = replace(whole, limit=MAX_FEED_ENTRIES, copies=MAX_FEED_COPIES)
        results = await self._ask(lambda engine: engine.search(query))
        ids = [copy.id for hit in results.hits for copy in (hit.shown, *hit.copies)]
        records = await self._ask(lambda engine: engine.get(ids))
        base = str(request.base_url).rstrip("/")
        return Response(atom(query, results, records, base, str(request.url)), media_type=ATOM_TYPE)

    async def group(self, request: Request) -> Response:
        """All copies of a story: a page, or only the list if htmx inserts it below a hit."""
        query = from_parameters(request.query_params)
        name = request.path_params["group"]
        story = await self._story(name)
        if story.group != name:
            done = {"done": request.query_params["done"]} if "done" in request.query_params else {}
            return RedirectResponse(group_url(story.group, query, **done))
        values = {"query": query, "story": story, "canonical": group_url(name, Query())}
        if _is_fragment(request):
            without = request.query_params.get("without")
            copies = [copy for copy in story.copies if copy.id != without]
            html = render("copies.html", copies=copies, **values)
        else:
            ties = await self._ties(story)
            panel = await self._correcting.panel(request, story)
            html = render("group.html", ties=ties, panel=panel, **values)
        return HTMLResponse(html)

    async def overview(self, request: Request) -> Response:
        """The stories that were printed most, up to the last day that has a document."""
        seen = await self._ask(read_overview)
        return HTMLResponse(render("overview.html", query=Query(), seen=seen))

    async def api(self, request: Request) -> Response:
        """Describe the API."""
        return Json({"addresses": parameters.PATHS, "parameters of a search": parameters.PARAMETER_HELP})

    async def _read_pair(self, request: Request) -> list[str]:
        given = [request.query_params.get(name, "").strip() for name in "ab"]
        return await self._ask(lambda engine: [stored_id(engine, name) for name in given])

    async def explain(self, request: Request) -> Response:
        """Why two documents are one story or two; with one of them, its story."""
        a, b = await self._read_pair(request)
        if bool(a) != bool(b):
            record = (await self._ask(lambda engine: engine.get([a or b]))).get(a or b)
            if record is None:
                raise HTTPException(404, _unknown(a or b))
            return RedirectResponse(group_url(record.group, Query()))
        made = await self._explain(a, b) if a else None
        return HTMLResponse(render("explain.html", query=Query(), made=made, a=a, b=b))

    async def api_explain(self, request: Request) -> Response:
        """The same as JSON: `a` and `b` are ids or addresses."""
        check_names(request.query_params, allowed=("a", "b"))
        a, b = await self._read_pair(request)
        if not a or not b:
            raise InputError("name two documents by their ids: a and b")
        return Json(pair_payload(await self._explain(a, b)))

    async def find(self, request: Request) -> Response:
        """A form for a text; then what is near the text, or how the text stands to one of these."""
        form = await read_form(request, MAX_TEXT_BYTES) if request.method == "POST" else {}
        given, other = form.get("text", "").replace("\r\n", "\n"), form.get("with", "")
        values: dict[str, Any] = {"asked": None, "made": None}
        if given:
            asked = await self._ask(partial(self._read_asked, given=given))
            if other:
                stored = (await self._ask(lambda engine: engine.read([other]))).get(other)
                if stored is None:
                    raise HTTPException(404, _unknown(other))
                values["made"] = await self._ask(partial(self._explain_pair, a=asked, b=stored))
            else:
                values |= {"asked": asked, "found": await self._ask(partial(self._find_copies, asked=asked))}
        return HTMLResponse(render("find.html", query=Query(), given=given, **values))

    async def api_find(self, request: Request) -> Response:
        """Find what is near the text or html of a JSON object, or near the document that it names."""
        try:
            given = json.loads(await read_body(request, MAX_TEXT_BYTES))
        except (ValueError, RecursionError):
            given = None
        if not isinstance(given, dict):
            raise InputError("send a JSON object with text or html, or the id or the url of a document")
        check_names(given, allowed=(*PARTS, *self._config.group_by))
        asked = await self._ask(partial(self._read_asked, given=given))
        return Json(found_payload(asked, await self._ask(partial(self._find_copies, asked=asked))))

    def _read_asked(self, engine: Engine, given: str | Mapping[str, Any]) -> Document:
        """The text that is given, signed; of an address, or an id alone, the stored document."""
        if isinstance(given, str):
            name = given if parameters.web_address(given) and len(given.split()) == 1 else None
        else:
            name = None if given.keys() & {"text", "html"} else first_of([given.get("id"), given.get("url")])
        if not name:
            return sign(as_page(given, self._config.group_by), self._methods)
        document = engine.read([id_ := stored_id(engine, name)]).get(id_)
        if document is None:  # it is not fetched: nobody may let this server ask others
            raise HTTPException(404, _unknown(name))
        return sign_if_outdated(document, self._methods)

    def _explain_pair(self, engine: Engine, a: Document, b: Document) -> Explanation:
        self._methods.read_log(engine.corrections(fresh=True))
        return explain_pair(a, b, self._methods, self._config)

    def _find_copies(self, engine: Engine, asked: Document) -> list[Found]:
        engine.corrections(fresh=True)  # `find` reads them
        return find(engine, [asked], self._methods, now_microseconds())[0]

    async def api_search(self, request: Request) -> Response:
        """Results as JSON or CSV. A mistyped parameter is an error here: nobody would notice it."""
        check_names(request.query_params, (*parameters.PARAMETER_HELP,))
        table = _is_table(request)
        limits = {"limit": MAX_TABLE_HITS, "most": MAX_TABLE_HITS} if table else {}
        query = from_parameters(request.query_params, **limits)
        results = await self._ask(lambda engine: engine.search(query))
        return Table(hit_rows(results)) if table else Json(results_payload(query, results))

    async def api_stories(self, request: Request) -> Response:
        """The stories with the highest figures as JSON or CSV."""
        given = request.query_params
        check_names(given, ("order", "since", "limit", "format"))
        order, since = choice(given, "order", get_args(StoryOrder)), given.get("since") or None
        limit = parameters.count(given, "limit", parameters.DEFAULT_PAGE_HITS, MAX_TABLE_HITS)
        rows = await self._ask(partial(list_stories, order=order, since=since, limit=limit))
        if _is_table(request):
            return Table(story_table(rows))
        return Json({"stories": rows})

    async def api_group(self, request: Request) -> Response:
        """The copies of a story as JSON or CSV."""
        check_names(request.query_params, ("format",))
        table = _is_table(request)
        story = await self._story(request.path_params["group"])
        ties = await self._ties(story)
        return Table(copy_rows(story, ties)) if table else Json(group_payload(story, ties))

    async def metrics(self, request: Request) -> Response:
        """The metrics of the index and of this process, for Prometheus."""
        shown = await run_in_threadpool(generate_latest, self._metrics.registry)
        return Response(shown, media_type=CONTENT_TYPE_LATEST)

    async def health(self, request: Request) -> Response:
        """Check that the engine answers, by looking up an id."""
        await self._ask(lambda engine: engine.get(["healthz"]))
        return JSONResponse({"status": "ok"})

    async def _ask(self, question: Callable[[Engine], T]) -> T:
        """Ask the engine in the thread pool: engines block, and other requests must not wait."""
        return await run_in_threadpool(self._engine.ask, question)

    async def _explain(self, a: str, b: str) -> Explanation:
        documents = await self._ask(lambda engine: engine.read([a, b]))
        missing = next((id_ for id_ in (a, b) if id_ not in documents), None)
        if missing is not None:
            raise HTTPException(404, _unknown(missing))
        return await self._ask(partial(self._explain_pair, a=documents[a], b=documents[b]))

    async def _story(self, group: str) -> Story:
        story = await self._ask(partial(read_story, group=group))
        if story is None:
            raise HTTPException(404, "There is no such story: its documents may have been deleted.")
        return story

    async def _ties(self, story: Story) -> Ties:
        return await self._ask(partial(read_ties, story=story, methods=self._methods))


def _unknown(id_: str) -> str:
    return f"There is no document {id_[:40]!r}: it may have been deleted."


def _is_table(request: Request) -> bool:
    return bool(choice(request.query_params, "format", FORMATS) == "csv")


def _is_fragment(request: Request) -> bool:
    return "HX-Request" in request.headers and "HX-Boosted" not in request.headers


def _problem(request: Request, status: int, sentence: str, headers: Mapping[str, str]) -> Response:
    """An error as one sentence, in the format that was requested: JSON, a page, or a fragment."""
    if request.url.path.startswith(("/api/", "/healthz")):
        return JSONResponse({"error": sentence}, status, headers=headers)
    query = Query()
    with suppress(InputError):  # the form still shows the query of the request
        query = from_parameters(request.query_params)
    values = {"query": query, "status": status, "sentence": sentence}
    template = "problem.html" if _is_fragment(request) else "error.html"
    return HTMLResponse(render(template, **values), status, headers=headers)
