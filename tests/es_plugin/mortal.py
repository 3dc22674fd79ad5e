"""Deaths of a writer at its writes, for tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class Death(BaseException):
    """No `except Exception` survives it, as none survives kill -9."""


class Mortal:
    """A client that dies at its n-th bulk: before it, after a part of it, or before its answer comes."""

    def __init__(self, client: Any, bulk: int, how: str) -> None:
        self._client = client
        self._left = bulk
        self._how = how

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    def send(self, method: str, path: str, params: Mapping[str, str], body: Any, *, lines: bool) -> Any:
        if path != "/_bulk":
            return self._client.send(method, path, params, body, lines=lines)
        self._left -= 1
        if self._left:
            return self._client.send(method, path, params, body, lines=lines)
        if self._how == "a part":
            actions = body.split(b"\n")
            half = 1 if actions[0].startswith(b'{"delete"') else 2
            self._client.send(method, path, params, b"\n".join(actions[:half]) + b"\n", lines=lines)
        if self._how == "after":
            self._client.send(method, path, params, body, lines=lines)
        raise Death
