"""Who is asking: signed cookies, tokens beyond loopback, and what keeps other sites from writing.

A cookie holds the name and the role of a person with an HMAC (RFC 2104, SHA-256); it is sent on requests from
the page itself only (SameSite=Strict). Every form has the token of its session as well, and a form that
another site sends is refused.
"""

from __future__ import annotations

import base64
import hmac
import json
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response

from dupgroups.errors import InputError

Role = Literal["lead", "assessor"]

COOKIE = "dupgroups-label"
LONGEST_NAME = 40
_MONTH = 30 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who has signed in; `form_token` is in all forms of the session."""

    name: str
    role: Role
    form_token: str


class Sessions:
    """Signs people in. `open_` lets everybody in as lead, without a token: for loopback only."""

    def __init__(self, secrets: tuple[str, str, str], *, open_: bool) -> None:
        self._tokens: dict[Role, str] = {"lead": secrets[0], "assessor": secrets[1]}
        self._key = secrets[2].encode()
        self.open = open_

    def person(self, request: Request) -> Person | None:
        """Who sent this request; None for a visitor without a valid cookie."""
        body, _, signature = request.cookies.get(COOKIE, "").partition(".")
        if not hmac.compare_digest(signature.encode(), self._sign("cookie", body).encode()):
            return None
        name, role = json.loads(base64.urlsafe_b64decode(body))
        return Person(name, role, self._sign("form", body))

    def sign_in(self, name: str, token: str, response: Response, *, secure: bool) -> None:
        """Set the cookie of a person. Raises InputError for a wrong token, and for a name that cannot be."""
        name = " ".join(name.split())
        if not name or len(name) > LONGEST_NAME or not name.isprintable():
            raise InputError(f"give a name of 1 to {LONGEST_NAME} characters")
        body = base64.urlsafe_b64encode(json.dumps([name, self._role(token)]).encode()).decode()
        value = f"{body}.{self._sign('cookie', body)}"
        response.set_cookie(
            COOKIE, value, max_age=_MONTH, httponly=True, samesite="strict", secure=secure, path="/"
        )

    def _role(self, token: str) -> Role:
        if self.open:
            return "lead"
        for role, wanted in self._tokens.items():
            if hmac.compare_digest(token.strip().encode(), wanted.encode()):
                return role
        raise InputError("this token is not right: ask the person who started the server for it")

    def _sign(self, purpose: str, text: str) -> str:
        return hmac.new(self._key, f"{purpose}:{text}".encode(), "sha256").hexdigest()


def is_own_form(request: Request, person: Person | None, given: str) -> bool:
    """Whether a form was sent by a page of this server, and by this person if somebody has signed in."""
    origin = request.headers.get("origin", "null")  # "null" is what our own Referrer-Policy makes of it
    is_own = origin == "null" or urlsplit(origin).netloc == request.headers.get("host")
    is_own = is_own and request.headers.get("sec-fetch-site", "same-origin") in ("same-origin", "none")
    return is_own and (person is None or hmac.compare_digest(given.encode(), person.form_token.encode()))
