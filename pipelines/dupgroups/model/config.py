"""One frozen configuration. TOML files, Scrapy settings and the command line use the same keys."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, get_args

from dupgroups.errors import ConfigError
from dupgroups.model import Linkage, Relation

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_JOINING: tuple[Relation, ...] = ("duplicate", "contains", "contained", "near")
BUILT_IN = ("language", "site", "host")  # fields of `group_by` that every document has
_HEADS = ("oldest", "published", "fullest", "fullest_dated", "canonical")
_CONTAINMENT: frozenset[Relation] = frozenset({"contains", "contained"})  # one relation, from either side

_HOST = re.compile(r"[^\s/:@]+\.[^\s/:@]+(:\d+)?")


@dataclass(frozen=True, slots=True)
class Step:
    """The name of a method and its parameters.

    In TOML: `"mss"`, `"shingling size=2"` or `{name = "shingling", size = 2}`.
    """

    name: str
    params: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def parse(cls, value: object) -> Step:
        """Build it from what a user types, a mapping with `name`, or a Step. Raises ConfigError for anything
        else.

        >>> Step.parse("shingling size=2")
        Step(name='shingling', params={'size': 2})
        """
        if isinstance(value, Step):
            return value
        if isinstance(value, Mapping) and isinstance(value.get("name"), str):
            return cls(value["name"], {key: parameter for key, parameter in value.items() if key != "name"})
        if not isinstance(value, str):
            raise ConfigError(f"a method must be a name, or a table with a name, not {value!r}")
        name, *given = value.split() or [""]
        params = dict(word.split("=", 1) for word in given if "=" in word)
        if not name or "=" in name or len(params) < len(given):
            raise ConfigError(f"{value!r} is not a method: give NAME, or NAME PARAMETER=VALUE ...")
        return cls(name, {key: scalar(text) for key, text in params.items()})


def scalar(text: str) -> Any:
    """The value of `text` if it is JSON (a number, true, false, a list, ...), else the text itself."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


@dataclass(frozen=True, slots=True)
class Method:
    """The extractor (Page -> Content), signer and judge of a language; None keeps the default."""

    extractor: Step | None = None
    signer: Step | None = None
    judge: Step | None = None


@dataclass(frozen=True, slots=True)
class Config:
    """All settings. TOML files, Scrapy settings and command-line options use the same names."""

    engine: str | None = None
    """URL of the store; None takes DUPGROUPS_ENGINE, or else `dupgroups.engines.DEFAULT_ENGINE`."""
    preset: str | None = None
    """The method of a paper, such as "cedar", for everything that `methods` leaves out; None takes the
    default."""
    methods: Mapping[str, Method] = field(default_factory=dict)
    """Maps a language code to its method, and "*" to that of all other languages; what is missing comes from
    `preset`, or from `methods.default_methods`."""
    join: frozenset[Relation] = frozenset({"duplicate"})
    """The relations that put two documents into one group. They have no direction: `contains` implies
    `contained`, and the reverse."""
    candidates: int = 50
    """The maximum number of stored documents that one look-up compares, 1 to 1000; those that share most keys
    are taken."""
    linkage: Linkage = "average"
    """`average` merges two groups if enough pairs across them join, `closure` if one pair does."""
    head: str | tuple[str, ...] = "oldest"
    """Which member represents a group in searches: the `oldest` (first seen), the one `published` first, the
    `fullest` (longest text), the `fullest_dated` of those that say when they were published, a `canonical`
    one (no AMP or print page), or one from the listed hosts, the first preferred; among equals the
    oldest."""
    group_by: tuple[str, ...] = ()
    """Names of fields in which all documents of a group must agree. `language`, `site` and `host` are always
    known; other fields come with the documents (`scope_of`). Empty: no such rule."""
    within_days: int | None = None
    """Documents that were published more days apart than this are not compared; None compares all."""
    date_probability: float = 0.5
    """The least probability of a date in sight that is not declared, 0.5 to 1; 1 takes none of these."""
    not_article: Literal["skip", "keep"] | None = None
    """`skip` leaves HTML pages that are not articles without text, so that each stays alone and no search
    finds it; `keep` treats them like all others. None skips them only where commands sign an index of other
    tools."""
    forgotten: str | None = None
    """File of ids, one a line, whose pages a crawl and `add` do not store; None for no such file."""

    def __post_init__(self) -> None:
        if self.engine is not None and (not isinstance(self.engine, str) or not self.engine):
            raise ConfigError("engine: give a URL such as sqlite:///news.db")
        if not isinstance(self.methods, Mapping):
            raise ConfigError('methods: give a table whose keys are language codes or "*"')
        methods = {str(language): _method(str(language), method) for language, method in self.methods.items()}
        object.__setattr__(self, "methods", methods)
        object.__setattr__(self, "join", _make_symmetric(self.join))
        if type(self.candidates) is not int or not 1 <= self.candidates <= 1000:
            raise ConfigError(f"candidates must be a whole number from 1 to 1000, not {self.candidates!r}")
        if self.linkage not in get_args(Linkage):
            raise ConfigError(f"linkage must be {' or '.join(get_args(Linkage))}, not {self.linkage!r}")
        object.__setattr__(self, "head", _head(self.head))
        names = self.group_by if isinstance(self.group_by, list | tuple) else (None,)
        if not all(isinstance(name, str) and name.strip() for name in names):
            raise ConfigError(f'group_by: give a list of fields such as ["tenant"], not {self.group_by!r}')
        object.__setattr__(self, "group_by", tuple(names))
        days = self.within_days
        if days is not None and (type(days) is not int or days < 0):
            raise ConfigError(f"within_days must be a whole number of days, 0 or more, not {days!r}")
        sure = self.date_probability
        if not isinstance(sure, int | float) or not 0.5 <= sure <= 1:
            raise ConfigError(f"date_probability must be a number from 0.5 to 1, not {sure!r}")
        if self.forgotten is not None and (not isinstance(self.forgotten, str) or not self.forgotten):
            raise ConfigError("forgotten: name a file of ids, which `dup-groups delete --forget` makes")
        if self.not_article not in ("skip", "keep", None):
            raise ConfigError(f"not_article must be skip or keep, not {self.not_article!r}")


def from_mapping(values: Mapping[str, Any]) -> Config:
    """A Config from plain values. An empty mapping gives the defaults; unknown keys raise ConfigError."""
    names = [option.name for option in fields(Config)]
    for key in values:
        if key not in names:
            raise ConfigError(f"unknown setting {key!r}; known: {', '.join(names)}")
    return Config(**values)


def from_toml(path: Path) -> Config:
    """A Config from a TOML file. Raises ConfigError if it cannot be read or has unknown settings."""
    values = read_toml(path)
    try:
        return from_mapping(values)
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from error


def read_toml(path: Path) -> dict[str, Any]:
    """The values of a TOML file. Raises ConfigError if it cannot be read."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror or error}; name another file") from error
    except ValueError as error:
        raise ConfigError(f"{path} is not a valid TOML file: {error}") from error


def _make_symmetric(join: Any) -> frozenset[Relation]:
    """The relations completed so that the order of two documents does not matter (excerpt first, or last).

    Raises ConfigError for a relation that cannot join.
    """
    if isinstance(join, str) or not isinstance(join, Iterable):
        raise ConfigError(f"join: give a list of relations, not {join!r}")
    relations: frozenset[Any] = frozenset(map(str, join))
    if unknown := sorted(relations - set(_JOINING)):
        raise ConfigError(f"join: {', '.join(unknown)} cannot join documents; choose {', '.join(_JOINING)}")
    return relations | _CONTAINMENT if relations & _CONTAINMENT else relations


def _head(value: Any) -> str | tuple[str, ...]:
    """A rule, or hosts. Raises ConfigError for anything else."""
    hosts = value if isinstance(value, list | tuple) else (value,)
    if len(hosts) == 1 and hosts[0] in _HEADS:
        return str(hosts[0])
    if not hosts or not all(isinstance(host, str) and _HOST.fullmatch(host) for host in hosts):
        rules = ", ".join(_HEADS)
        raise ConfigError(f'head: give {rules}, or a list of hosts such as ["reuters.com"], not {value!r}')
    return tuple(hosts)


def scope_of(group_by: Iterable[str], value_of: Callable[[str], object]) -> str:
    """The `Page.scope` of a document: its values of the fields that are not built in, as JSON.

    "" for a document without any of them; None and "" are no values. The order of the fields does not matter.

    >>> scope_of(["language", "tenant", "desk"], {"tenant": "acme", "language": "en"}.get)
    '{"tenant": "acme"}'
    """
    given = {name: value_of(name) for name in group_by if name not in BUILT_IN}
    values = {name: str(value) for name, value in given.items() if value not in (None, "")}
    return json.dumps(values, ensure_ascii=False, sort_keys=True) if values else ""


def _method(language: str, value: Any) -> Method:
    if isinstance(value, Method):
        return value
    parts = [part.name for part in fields(Method)]
    if not isinstance(value, Mapping) or not set(value) <= set(parts):
        raise ConfigError(f"methods.{language}: give a table with any of the keys {', '.join(parts)}")
    return Method(**{part: Step.parse(step) for part, step in value.items()})
