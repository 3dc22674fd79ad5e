"""Who labels: everybody on loopback, beyond it whoever has the token of the lead or of the assessors."""

from __future__ import annotations

import hmac
from typing import Literal

from starlette.requests import Request
from starlette.responses import Response

from dupgroups.errors import InputError
from dupgroups.web.sessions import Sessions

Role = Literal["lead", "assessor"]

COOKIE = "dupgroups-label"
LONGEST_NAME = 40
_MONTH = 30 * 24 * 3600


class SignIn:
    """Signs people in. `open_` lets everybody in as lead, without a token: for loopback only.

    `secrets` are the tokens of the lead and of assessors, and the key of the cookies.
    """

    def __init__(self, secrets: tuple[str, str, str], *, open_: bool) -> None:
        self._tokens: dict[Role, str] = {"lead": secrets[0], "assessor": secrets[1]}
        self.sessions = Sessions(COOKIE, _MONTH, key=secrets[2].encode())
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
