"""One URL names an engine everywhere: on the command line, in DUPGROUPS_ENGINE, in TOML, in Scrapy settings.

    memory://
    sqlite:///news.db                         a file beside us;  sqlite:////var/lib/news.db  an absolute path
    opensearch://host:9200/news               plain http, index (alias) "news"
    opensearch+https://host/news?ca=/ca.pem   TLS; ?verify=false switches certificate checks off
    elasticsearch+https://user@host:9200/news

Secrets come from the URL (user:password@), or better from the environment: DUPGROUPS_ENGINE_USER,
DUPGROUPS_ENGINE_PASSWORD, DUPGROUPS_ENGINE_API_KEY. They never appear in `str`, `repr`, logs or errors.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, unquote, urlsplit

from dupgroups.errors import ConfigError

_ESCAPES = str.maketrans({each: f"%{ord(each):02X}" for each in "%?#"})


@dataclass(frozen=True, slots=True)
class EngineURL:
    """The parts of an engine's URL. `host` is None and `path` the file for engines without a server.

    `must_exist` is how it is opened, not what it says: an engine makes no file and no index then, and raises
    ConfigError where there is none.
    """

    kind: str
    path: str = ""
    host: str | None = None
    port: int | None = None
    tls: bool = False
    options: Mapping[str, str] = field(default_factory=dict, repr=False)  # somebody may put a secret there
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    api_key: str | None = field(default=None, repr=False)
    must_exist: bool = False

    @classmethod
    def parse(cls, url: str, environ: Mapping[str, str] | None = None) -> EngineURL:
        """Read a URL and the secrets of the environment. Raises ConfigError (never showing the secret)."""
        env = os.environ if environ is None else environ
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError:  # what it says may hold a piece of the password
            raise ConfigError("the engine's URL is not a URL: look at its host and port") from None
        if not parts.scheme or "://" not in url:
            raise ConfigError(
                "an engine is named by a URL such as sqlite:///news.db or opensearch://localhost:9200/news"
            )
        if parts.netloc and "@" in parts.path:
            raise ConfigError(
                "the engine's URL has an @ behind a /: write / as %2F and @ as %40 in a password"
            )
        kind, _, transport = parts.scheme.partition("+")
        if transport not in ("", "http", "https"):
            raise ConfigError(
                f"unknown transport {transport!r} in the engine's URL; use {kind}:// or {kind}+https://"
            )
        return cls(
            kind=kind,
            path=unquote(parts.path.removeprefix("/")),
            host=parts.hostname,
            port=port,
            tls=transport == "https",
            options=dict(parse_qsl(parts.query, keep_blank_values=True)),
            user=unquote(parts.username) if parts.username else env.get("DUPGROUPS_ENGINE_USER"),
            password=unquote(parts.password) if parts.password else env.get("DUPGROUPS_ENGINE_PASSWORD"),
            api_key=env.get("DUPGROUPS_ENGINE_API_KEY"),
        )

    def number(self, option: str, default: float, least: float, most: float) -> float:
        """The number that an option gives. Raises ConfigError unless it is one from `least` to `most`."""
        text = self.options.get(option, str(default))
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not least <= value <= most:  # which NaN is not either
            raise ConfigError(
                f"{option}={text} in the engine's URL: give a number from {least:g} to {most:g}"
            )
        return value

    def count(self, option: str, default: int, least: int, most: int) -> int:
        """As `number`, for whole numbers."""
        value = self.number(option, default, least, most)
        if not value.is_integer():
            text = self.options[option]
            raise ConfigError(f"{option}={text} in the engine's URL: give a whole number")
        return int(value)

    def __str__(self) -> str:
        scheme = f"{self.kind}+https" if self.tls else self.kind
        host = f"[{self.host}]" if self.host and ":" in self.host else self.host or ""
        path = f"/{self.path.translate(_ESCAPES)}" if self.path else ""
        return f"{scheme}://{host}{f':{self.port}' if self.port else ''}{path}"
