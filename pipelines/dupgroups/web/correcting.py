"""The buttons of the group page and the log of corrections: the only writes of the page.

Who writes shows a token once, for a cookie that no other site can send along (`SameSite=Strict`), and whose
forms hold a token of their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import cast
from urllib.parse import unquote

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from dupgroups.errors import InputError
from dupgroups.flow import Deduper
from dupgroups.flow.correcting import KINDS
from dupgroups.grouping.corrections import standing
from dupgroups.model import Correction, CorrectionKind, Query
from dupgroups.model.config import Config
from dupgroups.web.lazy_engine import LazyEngine
from dupgroups.web.parameters import group_url
from dupgroups.web.render import render
from dupgroups.web.sessions import Session, Sessions, check_own_form, read_form
from dupgroups.web.story import Story
from dupgroups.web.tokens import Tokens

COOKIE = "dupgroups-session"
SESSION = 12 * 3600  # seconds
SHOWN = 50  # entries of the log on its page

NO_TOKENS = "This server takes no corrections: start it with --token-file FILE."


@dataclass(frozen=True, slots=True)
class Panel:
    """What the group page shows to somebody who may correct it: None as `session` asks to log in first.

    `entries` are the corrections of its documents that count.
    """

    session: Session | None
    entries: tuple[Correction, ...] = ()

    @property
    def pinned(self) -> set[str]:
        """The documents that are pinned as heads."""
        return {entry.ids[0] for entry in self.entries if entry.kind == "head"}


class CorrectingSite:
    """The pages of corrections; without `tokens` nobody may write, and buttons are absent."""

    def __init__(self, engine: LazyEngine, config: Config, tokens: Tokens | None) -> None:
        self._engine = engine
        self._config = config
        self._tokens = tokens
        self._sessions = Sessions(COOKIE, SESSION)
        self._deduper: Deduper | None = None
        self._lock = Lock()

    @property
    def routes(self) -> list[Route]:
        """What answers here."""
        return [
            Route("/login", self.login_form),
            Route("/login", self.login, methods=["POST"]),
            Route("/logout", self.logout, methods=["POST"]),
            Route("/corrections", self.log_page),
            Route("/corrections", self.correct, methods=["POST"]),
        ]

    # -- pages

    async def panel(self, request: Request, story: Story) -> Panel | None:
        """What the page of a story shows of all this; None if nobody may correct."""
        if self._tokens is None:
            return None
        session = self._sessions.of(request)
        if session is None:
            return Panel(None)
        ids = {copy.id for copy in story.copies}
        log = await run_in_threadpool(self._log)
        return Panel(session, tuple(entry for entry in standing(log) if ids & set(entry.ids)))

    async def login_form(self, request: Request) -> Response:
        """Ask for a token."""
        self._check_open()
        return HTMLResponse(render("login.html", query=Query(), back=request.query_params.get("back", "")))

    async def login(self, request: Request) -> Response:
        """Give a cookie for a token."""
        tokens, form = self._check_open(), await read_form(request)
        check_own_form(request, None, form)
        name = tokens.name_of(form.get("token", ""))
        if name is None:
            raise HTTPException(403, "This is not one of the tokens of this server.")
        response = _back(form)
        self._sessions.begin(request, response, name)
        return response

    async def logout(self, request: Request) -> Response:
        """Take the cookie back."""
        await self._form_of_session(request)
        response = RedirectResponse("/", 303)
        self._sessions.end(response)
        return response

    async def log_page(self, request: Request) -> Response:
        """The newest entries of the log, with their undo buttons."""
        self._check_open()
        session = self._sessions.of(request)
        if session is None:
            return RedirectResponse("/login")
        log = await run_in_threadpool(self._log)
        shown = {"entries": log[::-1][:SHOWN], "counting": {entry.number for entry in standing(log)}}
        html = render("corrections.html", query=Query(), session=session, all=len(log), **shown)
        return HTMLResponse(html)

    async def correct(self, request: Request) -> Response:
        """A button of the page: a correction, or an undo."""
        form, session = await self._form_of_session(request)
        if "undo" in form:
            number = _number(form["undo"])
            await run_in_threadpool(lambda: self.deduper().undo(number, by=session.name))
        else:
            ids = [form.get("a", ""), _id_in(form.get("b", ""))]
            kind = cast(CorrectionKind, form.get("kind", ""))
            ids = ids[: KINDS.get(kind, 2)]
            await run_in_threadpool(lambda: self.deduper().correct(kind, *ids, by=session.name))
        return _back(form)

    # -- who asks

    def _check_open(self) -> Tokens:
        """The tokens of those who may correct. Raises HTTPException when nobody may."""
        if self._tokens is None:
            raise HTTPException(403, NO_TOKENS)
        return self._tokens

    async def _form_of_session(self, request: Request) -> tuple[dict[str, str], Session]:
        """The form that somebody sent who is logged in. Raises HTTPException for a form of another site."""
        self._check_open()
        form, session = await read_form(request), self._sessions.of(request)
        if session is None:
            raise HTTPException(403, "Log in first: a correction needs to know who makes it.")
        check_own_form(request, session, form)
        return form, session

    # -- the log, in the thread pool

    def deduper(self) -> Deduper:
        """Enters the corrections; one for all threads."""
        with self._lock:
            if self._deduper is None:
                self._deduper = Deduper(self._engine.opened(), self._config)
            return self._deduper

    def _log(self) -> Sequence[Correction]:
        return self._engine.opened().corrections(fresh=True)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise InputError("the number of a correction is needed")
    return int(text)


def _id_in(text: str) -> str:
    """The id that somebody typed, or that of the story whose address was pasted."""
    return unquote(text.rpartition("/groups/")[2].partition("?")[0]) if "/groups/" in text else text


def _back(form: Mapping[str, str]) -> RedirectResponse:
    """To the story from which a form was sent, whatever its name is now, or else to the log."""
    group = form.get("back", "")
    return RedirectResponse(group_url(group, Query()) if group else "/corrections", 303)
