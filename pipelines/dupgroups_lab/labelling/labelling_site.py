"""The labelling pages as an ASGI application: sign-in, the two phases, and the pages of the lead.

In their templates every value is escaped, and an undefined one is an error.
"""

import hmac
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

from jinja2 import ChoiceLoader, Environment, PackageLoader
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

import dupgroups.web
from dupgroups.errors import InputError
from dupgroups.presentation.date_formats import day
from dupgroups.presentation.languages import gettext_noop, register
from dupgroups.web.parameters import web_address
from dupgroups.web.problems import error_handlers
from dupgroups.web.render import make_environment
from dupgroups.web.security import protect_site
from dupgroups.web.sessions import Session, Sessions, check_own_form, read_form
from dupgroups_lab.labelling.model import ANSWERS, Phase
from dupgroups_lab.labelling.study import Study

Role = Literal["lead", "assessor"]

COOKIE = "dupgroups-label"
LONGEST_NAME = 40
_MONTH_SECONDS = 30 * 24 * 3600

Handler = Callable[[Request, Session], Awaitable[Response]]
Writer = Callable[[Request, Session, dict[str, str]], Awaitable[Response]]


class SignIn:
    """Signs people in: on loopback everybody (`open_`, as lead), beyond it whoever has a token.

    `secrets` are the tokens of the lead and of assessors, and the key of the cookies.
    """

    def __init__(self, secrets: tuple[str, str, str], *, open_: bool) -> None:
        self._tokens: dict[Role, str] = {"lead": secrets[0], "assessor": secrets[1]}
        self.sessions = Sessions(COOKIE, _MONTH_SECONDS, key=secrets[2].encode())
        self.open = open_

    def sign_in(self, request: Request, response: Response, name: str, token: str) -> None:
        """Set the cookie of a person. Raises InputError for a wrong token, and for a name that cannot be."""
        name = " ".join(name.split())
        if not name or len(name) > LONGEST_NAME or not name.isprintable():
            raise InputError(f"give a name of 1 to {LONGEST_NAME} characters")
        self.sessions.begin(request, response, name, self._role(token))

    def _role(self, token: str) -> Role:
        if self.open:
            return "lead"
        for role, wanted in self._tokens.items():
            if hmac.compare_digest(token.encode(), wanted.encode()):
                return role
        raise InputError("this token is not right: ask the person who started the server for it")


def create_app(study: Study, entrance: SignIn, *, hosts: Sequence[str] | None = None) -> Starlette:
    """The pages of a project. `hosts` are the host names that requests may use; None allows every name."""
    pages = LabellingPages(study, entrance)
    own, shared = Path(__file__).parent, Path(dupgroups.web.__file__).parent
    return Starlette(
        routes=[
            Route("/", pages.start),
            Route("/sign-in", pages.sign_in, methods=["POST"]),
            Route("/sign-out", pages.writer(pages.sign_out), methods=["POST"]),
            Route("/label/{phase}", pages.reader(pages.item)),
            Route("/label/{phase}", pages.writer(pages.answer), methods=["POST"]),
            Route("/undo", pages.writer(pages.undo), methods=["POST"]),
            Route("/quality", pages.reader(pages.quality, lead=True)),
            Route("/healthz", _health),
            Route("/favicon.ico", _icon),  # what browsers ask for beside the files
            Mount("/static", StaticFiles(directory=shared / "static")),
            Mount("/label-static", StaticFiles(directory=own / "static")),
        ],
        middleware=protect_site(hosts),
        exception_handlers=error_handlers(_problem),
    )


class LabellingPages:
    """The pages over one project."""

    def __init__(self, study: Study, entrance: SignIn) -> None:
        self._study, self._entrance = study, entrance

    def reader(self, handler: Handler, *, lead: bool = False) -> Callable[[Request], Awaitable[Response]]:
        """A page for people who have signed in, or for the lead only."""

        async def handle(request: Request) -> Response:
            person = self._entrance.sessions.of(request)
            if person is None:
                return RedirectResponse("/", 303)
            if lead and person.role != "lead":
                raise HTTPException(403, "Only the lead of the project may see this page.")
            return await handler(request, person)

        return handle

    def writer(self, handler: Writer) -> Callable[[Request], Awaitable[Response]]:
        """A form of people who have signed in; a form of another site is refused."""

        async def handle(request: Request) -> Response:
            person = self._entrance.sessions.of(request)
            form = await read_form(request)
            if person is None:
                raise HTTPException(403, "Sign in first: an answer needs to know who gives it.")
            check_own_form(request, person, form)
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

    async def quality(self, request: Request, person: Session) -> Response:
        """The assessors, and how they agree."""
        assessors = await run_in_threadpool(self._study.qualities)
        agreement = {phase: await run_in_threadpool(self._study.agreement, phase) for phase in ANSWERS}
        return _page("quality.html", person, assessors=assessors, agreement=agreement)


def _page(template: str, person: Session, **values: Any) -> HTMLResponse:
    return HTMLResponse(render(template, person=person, **values))


def _phase(request: Request) -> Phase:
    for phase in ANSWERS:
        if request.path_params["phase"] == phase:
            return phase
    raise HTTPException(404, "There is no such page.")


async def _health(request: Request) -> Response:
    return JSONResponse({"status": "ok"})


async def _icon(request: Request) -> Response:
    return RedirectResponse("/static/logo.svg")


def _problem(request: Request, status: int, sentence: str, headers: Mapping[str, str]) -> Response:
    html = render("problem.html", person=None, status=status, sentence=sentence)
    return HTMLResponse(html, status, headers=headers)


# -- templates

_QUESTIONS = {
    "news": gettext_noop("Is this a news article?"),
    "pairs": gettext_noop("Are these about the same event, and does one tell more?"),
}


def render(template: str, **values: Any) -> str:
    """Render a template of `labelling/templates`."""
    return _TEMPLATES.get_template(template).render(**values)


def _environment() -> Environment:
    packages = ("dupgroups_lab.labelling", "dupgroups.web")
    environment = make_environment(ChoiceLoader(list(map(PackageLoader, packages))))
    environment.filters.update(day=day, web_address=web_address)
    environment.globals.update(answers=ANSWERS, questions=_QUESTIONS, version=version("dup-groups"))
    return environment


register("dupgroups_lab.labelling")
_TEMPLATES = _environment()
