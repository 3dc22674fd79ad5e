"""The buttons of the group page and the log of corrections: the only writes of the page.

Who writes shows a token once, for a cookie that no other site can send along (`SameSite=Strict`), and whose
forms hold a token of their own. The forms of a demo, which anybody on its machine may correct, hold one, too.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import cast

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from dupgroups.engines.lazy import LazyEngine
from dupgroups.errors import InputError
from dupgroups.flow.corrector import KINDS
from dupgroups.flow.deduper import Deduper
from dupgroups.flow.document_names import headlines, named_id
from dupgroups.grouping.constraints import active_entries, entries_of_documents
from dupgroups.model import Correction, CorrectionKind, Query
from dupgroups.model.config import Config
from dupgroups.presentation.story import Story
from dupgroups.web.render import render
from dupgroups.web.sessions import Session, Sessions, Tokens, check_own_form, read_form

COOKIE = "dupgroups-session"
SESSION_SECONDS = 12 * 3600  # seconds
MAX_SHOWN_ENTRIES = 50  # entries of the log on its page

NO_TOKENS = "This server takes no corrections: start it with --token-file FILE."


@dataclass(frozen=True, slots=True)
class Panel:
    """The controls of the group page for somebody who may correct it: None as `session` asks to log in first.

    `entries` are the corrections of its documents that count, `headlines` those of their documents; `done` is
    the one that was just entered.
    """

    session: Session | None
    entries: Sequence[Correction] = ()
    headlines: Mapping[str, str] = field(default_factory=dict)
    done: Correction | None = None

    @property
    def pinned(self) -> set[str]:
        """The documents that are pinned as heads."""
        return {entry.ids[0] for entry in self.entries if entry.kind == "head"}


class CorrectingSite:
    """The pages of corrections; without `tokens` nobody may write, and buttons are absent, unless there is a
    name for every `visitor`.
    """

    def __init__(self, engine: LazyEngine, config: Config, tokens: Tokens | None, visitor: str = "") -> None:
        self._engine, self._config, self._tokens = engine, config, tokens
        self._sessions = Sessions(COOKIE, SESSION_SECONDS)
        self._visitor = Session(visitor, secrets.token_hex(32), "visitor") if visitor else None
        self._deduper: Deduper | None = None
        self._lock = Lock()

    @property
    def routes(self) -> list[Route]:
        """The server that answers here."""
        return [
            Route("/login", self.login_form),
            Route("/login", self.login, methods=["POST"]),
            Route("/logout", self.logout, methods=["POST"]),
            Route("/corrections", self.log_page),
            Route("/corrections", self.correct, methods=["POST"]),
        ]

    # -- pages

    async def panel(self, request: Request, story: Story) -> Panel | None:
        """The controls on the page of a story; None if nobody may correct."""
        session = self._session(request)
        if session is None:
            return Panel(None) if self._tokens else None
        ids = {copy.id for copy in story.copies}
        log = await run_in_threadpool(self._log)
        entries = [entry for entry in active_entries(log) if ids & set(entry.ids)]
        done = [entry for entry in log if str(entry.number) == request.query_params.get("done")]
        names = await run_in_threadpool(self._headlines, [*entries, *done])
        return Panel(session, entries, names, next(iter(done), None))

    async def login_form(self, request: Request) -> Response:
        """Ask for a token, if one is needed."""
        if self._visitor:
            return _redirect_back(request.query_params)
        self._check_open()
        return self._ask_for_token(request.query_params.get("back", ""))

    def _ask_for_token(self, back: str, status: int = 200) -> Response:
        return HTMLResponse(render("login.html", query=Query(), back=back, is_wrong=status != 200), status)

    async def login(self, request: Request) -> Response:
        """Give a cookie for a token."""
        tokens, form = self._check_open(), await read_form(request)
        check_own_form(request, None, form)
        name = tokens.name_of(form.get("token", ""))
        if name is None:
            return self._ask_for_token(form.get("back", ""), 403)
        response = _redirect_back(form)
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
        session = self._session(request)
        if session is None:
            self._check_open()
            return RedirectResponse("/login")
        log = await run_in_threadpool(self._log)
        entries = log[: -MAX_SHOWN_ENTRIES - 1 : -1]
        panel = Panel(session, entries, await run_in_threadpool(self._headlines, entries))
        values = {"all": len(log), "counting": {entry.number for entry in active_entries(log)}}
        return HTMLResponse(render("corrections.html", query=Query(), panel=panel, **values))

    async def correct(self, request: Request) -> Response:
        """A button of the page: a correction, or an undo."""
        form, session = await self._form_of_session(request)
        if "undo" in form:
            number = form["undo"]
            if not (number.isascii() and number.isdecimal() and len(number) < 10):
                raise InputError("the number of a correction is needed")
            entry = await run_in_threadpool(lambda: self.deduper().undo(int(number), by=session.name))
        else:
            kind = cast(CorrectionKind, form.get("kind", ""))
            names = [form.get("a", ""), form.get("b", "")][: KINDS.get(kind, 2)]
            entry = await run_in_threadpool(self._correct, kind, names, session.name)
        return _redirect_back(form, entry.number)

    def _correct(self, kind: CorrectionKind, names: Sequence[str], by: str) -> Correction:
        ids = [named_id(self._engine.get_engine(), name) for name in names]
        return self.deduper().correct(kind, *ids, by=by)

    # -- who asks

    def _session(self, request: Request) -> Session | None:
        return self._sessions.of(request) or self._visitor

    def _check_open(self) -> Tokens:
        """The tokens of those who may correct. Raises HTTPException when nobody may."""
        if self._tokens is None:
            raise HTTPException(403, NO_TOKENS)
        return self._tokens

    async def _form_of_session(self, request: Request) -> tuple[dict[str, str], Session]:
        """The form that somebody sent who is logged in. Raises HTTPException for a form of another site."""
        form, session = await read_form(request), self._session(request)
        if session is None:
            self._check_open()
            raise HTTPException(403, "Log in first: a correction needs to know who makes it.")
        check_own_form(request, session, form)
        return form, session

    # -- the log, in the thread pool

    def deduper(self) -> Deduper:
        """Enters the corrections; one for all threads."""
        with self._lock:
            if self._deduper is None:
                self._deduper = Deduper(self._engine.get_engine(), self._config)
            return self._deduper

    def _log(self) -> Sequence[Correction]:
        return entries_of_documents(self._engine.get_engine().corrections(fresh=True))

    def _headlines(self, entries: Sequence[Correction]) -> dict[str, str]:
        return headlines(self._engine.get_engine(), [id_ for entry in entries for id_ in entry.ids])


def _redirect_back(form: Mapping[str, str], done: int | None = None) -> RedirectResponse:
    """To the story from which a form was sent, or else to the log; the story says first what was done."""
    back = form.get("back", "")
    if not back.startswith("/groups/"):  # the address of a story, and of nothing else
        return RedirectResponse("/corrections", 303)
    return RedirectResponse(f"{back}{'&' if '?' in back else '?'}done={done}" if done else back, 303)
