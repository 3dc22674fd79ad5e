"""The labelling pages as an ASGI application: sign-in, the two phases, and the pages of the lead."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

import dupgroups.web
from dupgroups.errors import ConfigError, DupGroupsError, InputError
from dupgroups.web.language_choice import InTheirLanguage
from dupgroups.web.security import HEADERS, KnownHosts, SecureHeaders
from dupgroups.web.sessions import Session, check_own_form, read_form
from dupgroups_lab.labelling.model import ANSWERS, Phase
from dupgroups_lab.labelling.pages import render
from dupgroups_lab.labelling.sign_in import SignIn
from dupgroups_lab.labelling.study import Study
from dupgroups_lab.labelling.tuning import Tuning

DISPUTES = 20  # items on the page of disagreements

Handler = Callable[[Request, Session], Awaitable[Response]]
Writer = Callable[[Request, Session, dict[str, str]], Awaitable[Response]]

log = logging.getLogger(__name__)


def create_app(
    study: Study, tuning: Tuning, entrance: SignIn, *, hosts: Sequence[str] | None = None
) -> Starlette:
    """The pages of a project. `hosts` are the host names that requests may use; None allows every name."""
    pages = LabellingPages(study, tuning, entrance)
    own, shared = Path(__file__).parent, Path(dupgroups.web.__file__).parent
    return Starlette(
        routes=[
            Route("/", pages.start),
            Route("/sign-in", pages.sign_in, methods=["POST"]),
            Route("/sign-out", pages.writer(pages.sign_out), methods=["POST"]),
            Route("/label/{phase}", pages.reader(pages.item)),
            Route("/label/{phase}", pages.writer(pages.answer), methods=["POST"]),
            Route("/undo", pages.writer(pages.undo), methods=["POST"]),
            Route("/disagreements", pages.reader(pages.disagreements, lead=True)),
            Route("/disagreements", pages.writer(pages.resolve, lead=True), methods=["POST"]),
            Route("/quality", pages.reader(pages.quality, lead=True)),
            Route("/read/{item}", pages.reader(pages.read, lead=True)),
            Route("/calibrate", pages.reader(pages.calibrate, lead=True)),
            Route("/calibrate", pages.writer(pages.write_threshold, lead=True), methods=["POST"]),
            Route("/export/pairs.csv", pages.reader(pages.export_pairs, lead=True)),
            Route("/export/documents.jsonl", pages.reader(pages.export_documents, lead=True)),
            Route("/healthz", _health),
            Route("/favicon.ico", _icon),  # what browsers ask for beside the files
            Mount("/static", StaticFiles(directory=shared / "static")),
            Mount("/label-static", StaticFiles(directory=own / "static")),
        ],
        middleware=[
            Middleware(SecureHeaders, pictures=False),
            Middleware(KnownHosts, hosts=hosts),
            Middleware(InTheirLanguage),
        ],
        exception_handlers={
            DupGroupsError: _expected_error,
            HTTPException: _http_error,
            Exception: _unexpected_error,
        },
    )


class LabellingPages:
    """The pages over one project."""

    def __init__(self, study: Study, tuning: Tuning, entrance: SignIn) -> None:
        self._study, self._tuning, self._entrance = study, tuning, entrance

    def reader(self, handler: Handler, *, lead: bool = False) -> Callable[[Request], Awaitable[Response]]:
        """A page for people who have signed in, or for the lead only."""

        async def handle(request: Request) -> Response:
            person = self._entrance.sessions.of(request)
            if person is None:
                return RedirectResponse("/", 303)
            _check_role(person, lead)
            return await handler(request, person)

        return handle

    def writer(self, handler: Writer, *, lead: bool = False) -> Callable[[Request], Awaitable[Response]]:
        """A form of people who have signed in, or of the lead only; a form of another site is refused."""

        async def handle(request: Request) -> Response:
            person = self._entrance.sessions.of(request)
            form = await read_form(request)
            if person is None:
                raise HTTPException(403, "Sign in first: an answer needs to know who gives it.")
            check_own_form(request, person, form)
            _check_role(person, lead)
            return await handler(request, person, form)

        return handle

    async def start(self, request: Request) -> Response:
        """How far the project is, or the form to sign in."""
        person = self._entrance.sessions.of(request)
        if person is None:
            return HTMLResponse(render("sign_in.html", person=None, is_open=self._entrance.open))
        progress = await run_in_threadpool(self._study.progress, person.name)
        return _page("start.html", person, progress=progress)

    async def sign_in(self, request: Request) -> Response:
        """Set the cookie of a person, and go to the start."""
        form = await read_form(request)
        check_own_form(request, None, form)
        response = RedirectResponse("/", 303)
        self._entrance.sign_in(request, response, form.get("name", ""), form.get("password", ""))
        return response

    async def sign_out(self, request: Request, person: Session, form: dict[str, str]) -> Response:
        """Forget who is asking."""
        response = RedirectResponse("/", 303)
        self._entrance.sessions.end(response)
        return response

    async def item(self, request: Request, person: Session) -> Response:
        """The next item of a phase: a page, or only the item if the script asks for it ahead."""
        phase, after = _phase(request), request.query_params.get("after")
        again = request.query_params.get("item")
        next_task = partial(self._study.next_task, person.name, phase, after=after, again=again)
        task = await run_in_threadpool(next_task)
        values = {"phase": phase, "task": task, "ahead": bool(after)}
        return _page("item.html" if after else "label.html", person, **values)

    async def answer(self, request: Request, person: Session, form: dict[str, str]) -> Response:
        """Store an answer, and go to the next item."""
        phase = _phase(request)
        given = (person.name, phase, form.get("item", ""), form.get("answer", ""))
        await run_in_threadpool(self._study.answer, *given)
        return RedirectResponse(f"/label/{phase}", 303)

    async def undo(self, request: Request, person: Session, form: dict[str, str]) -> Response:
        """Take back the last answer, and show its item again."""
        item = await run_in_threadpool(self._study.undo, person.name)
        return RedirectResponse(f"/label/{item.phase}?item={item.key}" if item else "/", 303)

    async def disagreements(self, request: Request, person: Session) -> Response:
        """The items without a majority."""
        disputes = await run_in_threadpool(self._study.disputes, DISPUTES)
        return _page("disagreements.html", person, disputes=disputes)

    async def resolve(self, request: Request, person: Session, form: dict[str, str]) -> Response:
        """Store what the lead decides."""
        given = (form.get("item", ""), form.get("answer", ""), person.name)
        await run_in_threadpool(self._study.resolve, *given)
        return RedirectResponse("/disagreements", 303)

    async def read(self, request: Request, person: Session) -> Response:
        """The texts of an item."""
        columns = await run_in_threadpool(self._study.columns, request.path_params["item"])
        return _page("read.html", person, columns=columns)

    async def quality(self, request: Request, person: Session) -> Response:
        """The assessors, and how they agree."""
        assessors = await run_in_threadpool(self._study.qualities)
        agreement = {phase: await run_in_threadpool(self._study.agreement, phase) for phase in ANSWERS}
        return _page("quality.html", person, assessors=assessors, agreement=agreement)

    async def calibrate(self, request: Request, person: Session) -> Response:
        """What a threshold does, and the change to the configuration that it would be."""
        return await run_in_threadpool(self._calibrate, request, person)

    async def write_threshold(self, request: Request, person: Session, form: dict[str, str]) -> Response:
        """Write a threshold into the configuration, if the file is still the one of the diff."""
        await run_in_threadpool(self._write_threshold, form)
        return RedirectResponse(f"/calibrate?scheme={_number(form.get('scheme'))}&written=1", 303)

    async def export_pairs(self, request: Request, person: Session) -> Response:
        """The labelled pairs as CSV."""
        text = await run_in_threadpool(self._study.pairs_csv)
        return _file(text, "pairs.csv", "text/csv")

    async def export_documents(self, request: Request, person: Session) -> Response:
        """The documents as JSON Lines."""
        text = await run_in_threadpool(self._study.documents_jsonl)
        return _file(text, "documents.jsonl", "application/x-ndjson")

    def _calibrate(self, request: Request, person: Session) -> Response:
        asked = request.query_params
        threshold = _threshold(asked["threshold"]) if asked.get("threshold") else None
        texts = self._study.store.fingerprints()
        view = self._tuning.view(self._study.labels(), texts, _number(asked.get("scheme")), threshold)
        changes = threshold is not None and self._tuning.file is not None
        change = self._tuning.change(view.scheme, view.at.threshold) if changes else None
        documents = self._study.store.documents([id_ for ids in view.near for id_ in ids])
        return _page(
            "calibrate.html",
            person,
            view=view,
            change=change,
            documents=documents,
            keys=self._study.pair_keys(),
            file=self._tuning.file,
            written="written" in asked,
        )

    def _write_threshold(self, form: dict[str, str]) -> None:
        view = self._tuning.view({}, {}, _number(form.get("scheme")), _threshold(form.get("threshold", "")))
        change = self._tuning.change(view.scheme, view.at.threshold)
        if change.digest != form.get("digest"):
            raise InputError("the configuration has changed since the diff was made: look at the new diff")
        self._tuning.write(change)


def _page(template: str, person: Session, **values: Any) -> HTMLResponse:
    return HTMLResponse(render(template, person=person, **values))


def _file(text: str, name: str, media_type: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return PlainTextResponse(text, headers=headers, media_type=media_type)


def _check_role(person: Session, lead: bool) -> None:
    if lead and person.role != "lead":
        raise HTTPException(403, "Only the lead of the project may see this page.")


def _phase(request: Request) -> Phase:
    for phase in ANSWERS:
        if request.path_params["phase"] == phase:
            return phase
    raise HTTPException(404, "There is no such page.")


def _number(value: str | None) -> int:
    return int(value) if value and value.isascii() and value.isdecimal() and len(value) < 4 else 0


def _threshold(value: str) -> float:
    try:
        threshold = round(float(value), 3)
    except ValueError:
        threshold = -1.0
    if not 0 <= threshold <= 1:
        raise InputError(f"a threshold is a number from 0 to 1, not {value[:20]!r}")
    return threshold


async def _health(request: Request) -> Response:
    return JSONResponse({"status": "ok"})


async def _icon(request: Request) -> Response:
    return RedirectResponse("/static/logo.svg")


async def _expected_error(request: Request, error: Exception) -> Response:
    if isinstance(error, InputError | ConfigError):
        return _problem(request, 400, str(error))
    log.error("%s: %s", request.url.path, error)
    return _problem(request, 503, "Try again in a moment; the server log says what is wrong.")


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    sentence = "There is no such page." if error.detail == "Not Found" else error.detail
    return _problem(request, error.status_code, sentence, error.headers)


async def _unexpected_error(request: Request, error: Exception) -> Response:
    return _problem(request, 500, "Something went wrong; the server log says what.")


def _problem(
    request: Request, status: int, sentence: str, more_headers: Mapping[str, str] | None = None
) -> Response:
    html = render("problem.html", person=None, status=status, sentence=sentence)
    return HTMLResponse(html, status, headers={**HEADERS, **(more_headers or {})})
