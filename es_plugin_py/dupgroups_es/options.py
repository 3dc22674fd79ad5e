"""The options in the URL of an engine, after the question mark."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from pathlib import Path

from dupgroups.engines.url import EngineURL
from dupgroups.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Options:
    """`shards` and `refresh_interval` are used when the index is created; `timeout` is seconds per request.

    `retries` is how often a request to a busy or silent server is repeated. `ca` is a file of trusted
    certificates; `verify=false` trusts every certificate. `encrypt_ids` is a file with the secret that
    encrypts the ids of other documents in `dup_` fields.
    """

    shards: int = 1
    refresh_interval: str = "1s"
    retries: int = 4
    timeout: float = 30.0
    ca: str | None = None
    verify: bool = True
    encrypt_ids: str | None = None

    @classmethod
    def of(cls, url: EngineURL) -> Options:
        """The options of a URL. Raises ConfigError for an invalid option, and without host and index."""
        if not url.host or not url.path:
            raise ConfigError(
                f"name host and index in the URL of the engine: {url.kind}://localhost:9200/news"
            )
        known = [option.name for option in fields(cls)]
        for name in url.options:
            if name not in known:
                raise ConfigError(
                    f"unknown option {name!r} in the URL of the engine; known: {', '.join(known)}"
                )
        given = url.options
        return cls(
            shards=url.count("shards", 1, 1, 1024),
            refresh_interval=_interval(given.get("refresh_interval", "1s")),
            retries=url.count("retries", 4, 0, 100),
            timeout=url.number("timeout", 30, 0.1, 3600),
            ca=_file(given.get("ca")),
            verify=_flag("verify", given.get("verify", "true")),
            encrypt_ids=given.get("encrypt_ids"),
        )


def _interval(text: str) -> str:
    if not re.fullmatch(r"-1|[0-9]+(ms|s|m)", text):
        raise ConfigError(f"refresh_interval={text} in the URL of the engine: write 1s, 500ms or -1")
    return text


def _flag(name: str, text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise ConfigError(f"{name}={text} in the URL of the engine: write true or false")
    return text.lower() == "true"


def _file(text: str | None) -> str | None:
    if text is not None and not Path(text).is_file():
        raise ConfigError(f"ca={text} in the URL of the engine: there is no such file")
    return text
