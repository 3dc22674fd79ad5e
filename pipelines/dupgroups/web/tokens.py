"""Who may correct: tokens by name, from a file."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from pathlib import Path

from dupgroups.errors import ConfigError

SHORTEST = 16  # characters of a token
LONGEST_NAME = 100


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

    def name_of(self, token: str) -> str | None:
        """The name that a token belongs to; None for an unknown one. Takes as long for each."""
        digest, found = _digest(token), None
        for name, known in self._digests.items():
            if hmac.compare_digest(digest, known):
                found = name
        return found


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
