"""Which stored documents are near a text that a visitor gives: a page and the API. Nothing is stored."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from dupgroups.engines import Engine
from dupgroups.engines.lazy import LazyEngine
from dupgroups.errors import InputError
from dupgroups.flow.deduper import now
from dupgroups.flow.document_names import stored_id
from dupgroups.flow.explain.pairs import Explanation, explain_pair
from dupgroups.flow.find import Found, find, found_payload
from dupgroups.flow.method_set import MethodSet
from dupgroups.flow.signing import sign, sign_documents
from dupgroups.model import Document, Query
from dupgroups.model.config import Config
from dupgroups.text.document_like import as_page
from dupgroups.text.values import first_of
from dupgroups.web.answers import Json
from dupgroups.web.parameters import check_names, web_address
from dupgroups.web.render import render
from dupgroups.web.sessions import read_body, read_form

MAX_BODY_BYTES = 2_000_000
TAKEN = ("text", "html", "title", "date", "language", "id", "url")
NOT_OBJECT = "send a JSON object with text or html, or with the id or the url of a document of the index"
NOT_THERE = "No document of the index has this address, and none is fetched: paste the text instead."


T = TypeVar("T")


class FindingSite:
    """What answers for one engine. The methods are those of the configuration."""

    def __init__(self, engine: LazyEngine, config: Config) -> None:
        self._engine, self._config, self._methods = engine, config, MethodSet(config)

    @property
    def routes(self) -> list[Route]:
        """What answers here."""
        return [
            Route("/find", self.page, methods=["GET", "POST"]),
            Route("/api/find", self.api, methods=["POST"]),
        ]

    async def page(self, request: Request) -> Response:
        """A form for a text; what is near the text; or the comparison of the text with one of these."""
        form = await read_form(request, MAX_BODY_BYTES) if request.method == "POST" else {}
        given, other = form.get("text", "").replace("\r\n", "\n"), form.get("with")
        values: dict[str, Any] = {"asked": None, "made": None}
        if given and other:
            values["made"] = await self._ask(partial(self._compared, given=given, other=other))
        elif given:
            values["asked"], values["found"] = await self._ask(partial(self._found, given=given))
        return HTMLResponse(render("find.html", query=Query(), given=given, **values))

    async def api(self, request: Request) -> Response:
        """The same as JSON."""
        try:
            given = json.loads(await read_body(request, MAX_BODY_BYTES))
        except (ValueError, RecursionError) as error:
            raise InputError(NOT_OBJECT) from error
        if not isinstance(given, dict):
            raise InputError(NOT_OBJECT)
        check_names(given, known=(*TAKEN, *self._config.group_by))
        return Json(found_payload(*await self._ask(partial(self._found, given=given))))

    async def _ask(self, question: Callable[[Engine], T]) -> T:
        return await run_in_threadpool(self._engine.ask, question)

    def _found(self, engine: Engine, given: str | Mapping[str, Any]) -> tuple[Document, list[Found]]:
        asked = self._asked(engine, given)
        return asked, find(engine, [asked], self._methods, now())[0]

    def _compared(self, engine: Engine, given: str, other: str) -> Explanation:
        asked, stored = self._asked(engine, given), engine.read([other]).get(other)
        if stored is None:
            raise HTTPException(404, NOT_THERE)
        return explain_pair(asked, stored, self._methods, self._config)

    def _asked(self, engine: Engine, given: str | Mapping[str, Any]) -> Document:
        """The text that is given, signed; of a name alone the stored document."""
        if isinstance(given, str):
            name = given if web_address(given) and len(given.split()) == 1 else None
        else:
            name = None if given.keys() & {"text", "html"} else first_of([given.get("id"), given.get("url")])
        if not name:
            return sign(as_page(given, self._config.group_by), self._methods)
        id_ = stored_id(engine, name)
        document = engine.read([id_]).get(id_)
        if document is None:
            raise HTTPException(404, NOT_THERE)
        is_signed = document.record.signature.scheme in self._methods.schemes
        return document if is_signed else sign_documents([document], self._methods)[0]
