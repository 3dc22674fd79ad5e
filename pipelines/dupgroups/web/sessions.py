"""Who sends a request: sessions of browsers in signed cookies, and forms that no other site can send.

A cookie holds a name, a role and the token of the forms, signed by itsdangerous (HMAC, SHA-256). No script
can read it (HttpOnly), and it is sent on requests from the page itself only (SameSite=Strict). Every form
holds the token as well, which no other site knows, and a form that another site sends is refused.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from itsdangerous import BadData, URLSafeTimedSerializer
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from dupgroups.errors import ConfigError

MAX_BODY_BYTES = 8_192  # of the body of a request, at most
MAX_FORM_FIELDS = 20  # of a form, at most

NOT_OURS = "This form has expired. Reload the page and try again."


@dataclass(frozen=True, slots=True)
class Session:
    """Somebody who has signed in; `form_token` is in all forms of the session."""

    name: str
    form_token: str
    role: str = ""


class Sessions:
    """The sessions that a cookie of this name stands for, each for so many seconds.

    Without a `key`, one is made: a restart then ends all sessions.
    """

    def __init__(self, cookie: str, seconds: int, *, key: bytes | None = None) -> None:
        self._cookie, self._seconds = cookie, seconds
        options = {"key_derivation": "hmac", "digest_method": hashlib.sha256}
        self._signed = URLSafeTimedSerializer(key or secrets.token_bytes(32), cookie, signer_kwargs=options)

    def begin(self, request: Request, response: Response, name: str, role: str = "") -> None:
        """Let the response set the cookie of somebody who may sign in."""
        value, secure = self._signed.dumps([name, secrets.token_hex(32), role]), request.url.scheme == "https"
        response.set_cookie(
            self._cookie, str(value), self._seconds, secure=secure, httponly=True, samesite="strict"
        )

    def end(self, response: Response) -> None:
        """Let the response take the cookie back."""
        response.delete_cookie(self._cookie, httponly=True, samesite="strict")

    def of(self, request: Request) -> Session | None:
        """The session of a request; None for a visitor whose cookie is missing, forged or too old."""
        try:
            return Session(*self._signed.loads(request.cookies.get(self._cookie, ""), self._seconds))
        except BadData:
            return None


async def read_body(request: Request, most: int) -> bytes:
    """The body of a request. Raises HTTPException (413) for more than `most` bytes."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            raise HTTPException(413, f"The request is too large: send at most {most:,} bytes.")
    return bytes(body)


async def read_form(request: Request, most: int = MAX_BODY_BYTES) -> dict[str, str]:
    """The fields of a form as browsers encode it by default; of several with one name, the last.

    Raises HTTPException: 413 for more than `most` bytes, 400 for a body that is no form.
    """
    body = await read_body(request, most)
    try:
        fields = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=MAX_FORM_FIELDS)
    except ValueError as error:
        raise HTTPException(400, NOT_OURS) from error
    return {name: value.strip() for name, value in fields}


def check_own_form(request: Request, session: Session | None, form: dict[str, str]) -> None:
    """Raise HTTPException (403) for a form that a page of another server sent, or of another session."""
    origin = request.headers.get("origin", "null")  # "null" is what our own Referrer-Policy makes of it
    try:
        is_own = origin == "null" or urlsplit(origin).netloc == request.headers.get("host")
    except ValueError:
        is_own = False
    is_own = is_own and request.headers.get("sec-fetch-site", "same-origin") in ("same-origin", "none")
    if session is not None:
        given = form.get("form_token", "")
        is_own = is_own and hmac.compare_digest(given.encode(), session.form_token.encode())
    if not is_own:
        raise HTTPException(403, NOT_OURS)


MIN_TOKEN_CHARS = 16  # characters of a token
LONGEST_NAME = 100


class Tokens:
    """Tokens by the names of the people that they belong to; only their digests are held.

    A file has a name and a token on each line; empty lines and lines that begin with # are passed over.
    """

    def __init__(self, tokens: Mapping[str, str]) -> None:
        self._digests = {name: _digest(token) for name, token in tokens.items()}

    @classmethod
    def read(cls, path: Path) -> Tokens:
        """The tokens of a file. Raises ConfigError for a file without tokens, and for a malformed line."""
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"the token file {path} cannot be read: {error}") from error
        tokens: dict[str, str] = {}
        for number, line in enumerate(lines, start=1):
            if not line.strip() or line.startswith("#"):
                continue
            name, _, token = " ".join(line.split()).partition(" ")
            is_short = len(token) < MIN_TOKEN_CHARS
            if " " in token or is_short or len(name) > LONGEST_NAME or name in tokens:
                raise ConfigError(
                    f"{path}, line {number}: write NAME TOKEN, with a new name and a token of at "
                    f"least {MIN_TOKEN_CHARS} characters"
                )
            tokens[name] = token
        if not tokens:
            raise ConfigError(f"the token file {path} has no tokens: write a name and a token on each line")
        return cls(tokens)

    def name_of(self, token: str) -> str | None:
        """The name that a token belongs to; None for an unknown one. Takes as long for each."""
        digest, owner = _digest(token), None
        for name, expected in self._digests.items():
            if hmac.compare_digest(digest, expected):
                owner = name
        return owner


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
