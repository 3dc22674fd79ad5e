"""The URL of an engine, on the command line, in DUPGROUPS_ENGINE, in TOML and in Scrapy settings alike.

    memory://                                 SQLite in memory, lost at the end
    sqlite:///news.db                         a relative path;  sqlite:////var/lib/news.db  an absolute one
    opensearch://host:9200/news               plain http, index (alias) "news"
    opensearch+https://host/news?ca=/ca.pem   TLS; ?verify=false turns certificate checks off
    elasticsearch+https://user@host:9200/news

Secrets come from the URL (user:password@) or, better, from the environment: DUPGROUPS_ENGINE_USER,
DUPGROUPS_ENGINE_PASSWORD, DUPGROUPS_ENGINE_API_KEY. They never appear in `str`, `repr`, logs or errors.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, unquote, urlsplit

from dupgroups.errors import ConfigError

_ESCAPES = str.maketrans({character: f"%{ord(character):02X}" for character in "%?#"})


@dataclass(frozen=True, slots=True)
class EngineURL:
    """The parts of the URL of an engine. Without a server, `host` is None and `path` is the file.

    `must_exist` is not part of the URL: with it, an engine creates no file and no index, but raises
    MissingIndexError if there is none.
    """

    kind: str
    path: str = ""
    host: str | None = None
    port: int | None = None
    tls: bool = False
    options: Mapping[str, str] = field(default_factory=dict, repr=False)  # users may put a secret there
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    api_key: str | None = field(default=None, repr=False)
    must_exist: bool = False

    @classmethod
    def parse(cls, url: str, environ: Mapping[str, str] | None = None) -> EngineURL:
        """Parse a URL, and read secrets from the environment. Raises ConfigError, without the secrets."""
        env = os.environ if environ is None else environ
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError:  # its message may contain a part of the password
            raise ConfigError("the URL of the engine is not valid: check its host and port") from None
        if not parts.scheme or "://" not in url:
            raise ConfigError(
                "name the engine by a URL such as sqlite:///news.db or opensearch://localhost:9200/news"
            )
        if parts.netloc and "@" in parts.path:
            raise ConfigError(
                "the URL of the engine has an @ after a /: in a password, write / as %2F and @ as %40"
            )
        if parts.fragment:
            raise ConfigError("the URL of the engine has a #: in a password or a path, write it as %23")
        kind, _, transport = parts.scheme.partition("+")
        if kind in ("http", "https"):
            tls = "+https" if kind == "https" else ""
            raise ConfigError(
                f"{kind!r} does not say which server it is: write opensearch{tls}:// or elasticsearch{tls}://"
            )
        if transport not in ("", "http", "https"):
            raise ConfigError(
                f"unknown transport {transport!r} in the URL of the engine: use {kind}:// or {kind}+https://"
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
        """The value of a numeric option. Raises ConfigError unless it is between `least` and `most`."""
        text = self.options.get(option, str(default))
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not least <= value <= most:  # always true for NaN
            raise ConfigError(
                f"{option}={text} in the URL of the engine: give a number from {least:g} to {most:g}"
            )
        return value

    def count(self, option: str, default: int, least: int, most: int) -> int:
        """Like `number`, for whole numbers."""
        value = self.number(option, default, least, most)
        if not value.is_integer():
            text = self.options[option]
            raise ConfigError(f"{option}={text} in the URL of the engine: give a whole number")
        return int(value)

    def __str__(self) -> str:
        scheme = f"{self.kind}+https" if self.tls else self.kind
        host = f"[{self.host}]" if self.host and ":" in self.host else self.host or ""
        path = f"/{self.path.translate(_ESCAPES)}" if self.path else ""
        return f"{scheme}://{host}{f':{self.port}' if self.port else ''}{path}"
