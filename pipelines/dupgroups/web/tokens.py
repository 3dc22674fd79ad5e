"""Who may correct: tokens by name from a file, and sessions of browsers that showed one."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from dupgroups.errors import ConfigError

SHORTEST = 16  # characters of a token
LONGEST_NAME = 100
SESSION = 12 * 3600  # seconds


class Tokens:
    """Tokens by the names of the people that they belong to; only their digests are held.

    A file has a name and a token on each line; empty lines and lines that begin with # are passed over.
    """

    def __init__(self, tokens: Mapping[str, str]) -> None:
        self._digests = {name: _digest(token) for name, token in tokens.items()}

    @classmethod
    def read(cls, path: Path) -> Tokens:
        """The tokens of a file. Raises ConfigError for a file without tokens, and for a line that is none."""
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"the token file {path} cannot be read: {error}") from error
        tokens: dict[str, str] = {}
        for number, line in enumerate(lines, start=1):
            if not line.strip() or line.startswith("#"):
                continue
            name, token = (*line.split(), "", "")[:2]
            if len(line.split()) != 2 or len(token) < SHORTEST or len(name) > LONGEST_NAME or name in tokens:
                raise ConfigError(
                    f"{path}, line {number}: write a name that is not there yet, a space, and a token of at "
                    f"least {SHORTEST} characters"
                )
            tokens[name] = token
        if not tokens:
            raise ConfigError(f"the token file {path} has no tokens: write a name and a token on each line")
        return cls(tokens)

    def __contains__(self, name: str) -> bool:
        return name in self._digests

    def name_of(self, token: str) -> str | None:
        """The name that a token belongs to; None for an unknown one. Takes as long for each."""
        digest, found = _digest(token), None
        for name, known in self._digests.items():
            if hmac.compare_digest(digest, known):
                found = name
        return found


@dataclass(frozen=True, slots=True)
class Session:
    """Who is logged in, and the token that each of their forms has to send back: no other site knows it."""

    name: str
    form_token: str


class Sessions:
    """Signs and reads the cookie of a session. The key is made at the start: a restart logs everybody out."""

    def __init__(self, *, clock: Callable[[], float] = time.time) -> None:
        self._key = secrets.token_bytes(32)
        self._clock = clock

    def cookie(self, name: str) -> str:
        """The value of a cookie for somebody who showed a token."""
        values = [name, self._clock() + SESSION, secrets.token_hex(8)]
        content = base64.urlsafe_b64encode(json.dumps(values).encode()).decode()
        return f"{content}.{self._signed('cookie', content)}"

    def read(self, cookie: str | None) -> Session | None:
        """The session of a cookie; None without one, and for one that is forged or too old."""
        content, _, signature = (cookie or "").partition(".")
        if not hmac.compare_digest(signature.encode(), self._signed("cookie", content).encode()):
            return None
        name, expires, _ = json.loads(base64.urlsafe_b64decode(content))
        return Session(name, self._signed("form", content)) if self._clock() < expires else None

    def _signed(self, purpose: str, content: str) -> str:
        return hmac.new(self._key, f"{purpose} {content}".encode(), hashlib.sha256).hexdigest()


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
