"""One frozen configuration; TOML, Scrapy settings and the command line are three readers of the same keys."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from dupgroups.errors import ConfigError
from dupgroups.model import Relation

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_JOINING: tuple[Relation, ...] = ("duplicate", "contains", "contained", "near")
_EITHER_WAY: frozenset[Relation] = frozenset({"contains", "contained"})  # one relation, seen from both sides


@dataclass(frozen=True, slots=True)
class Step:
    """A method by name with its parameters: `"mss"` or `{name = "shingling", size = 2}` in TOML."""

    name: str
    params: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def parse(cls, value: object) -> Step:
        """From a name, a mapping with `name`, or a Step. Raises ConfigError for anything else."""
        if isinstance(value, Step):
            return value
        if isinstance(value, str):
            return cls(value)
        if isinstance(value, Mapping) and isinstance(value.get("name"), str):
            return cls(value["name"], {key: each for key, each in value.items() if key != "name"})
        raise ConfigError(f"a method is a name or a table with a name, not {value!r}")

    @classmethod
    def typed(cls, text: str) -> Step:
        """From words as they are typed: a name, then parameters. Raises ConfigError for anything else.

        >>> Step.typed("shingling size=2")
        Step(name='shingling', params={'size': 2})
        """
        name, *given = text.split() or [""]
        params = dict(each.split("=", 1) for each in given if "=" in each)
        if not name or "=" in name or len(params) < len(given):
            raise ConfigError(f"{text!r} is no method: give a name, then PARAMETER=VALUE with blanks between")
        return cls(name, {key: scalar(value) for key, value in params.items()})


def scalar(text: str) -> Any:
    """The number, truth value or list that `text` writes (as JSON does); any other text is itself."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


@dataclass(frozen=True, slots=True)
class Method:
    """How one language is handled: extractor (Page -> Content), signer, judge; None keeps the default's."""

    extractor: Step | None = None
    signer: Step | None = None
    judge: Step | None = None


@dataclass(frozen=True, slots=True)
class Hosts:
    """Leave the templates of hosts out of what is signed: `templates` is the file that holds them.

    `live` learns them from the pages as they come, beginning with what the file holds where there is one.
    """

    templates: str
    live: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.templates, str) or not self.templates:
            raise ConfigError(
                "hosts.templates: give a file such as `dup-groups frequencies --per-host` writes"
            )
        if not isinstance(self.live, bool):
            raise ConfigError(f"hosts.live: {self.live!r} is neither true nor false")

    @classmethod
    def parse(cls, value: object) -> Hosts:
        """From a mapping, or a Hosts. Raises ConfigError for anything else."""
        if isinstance(value, Hosts):
            return value
        known = [each.name for each in fields(cls)]
        if not isinstance(value, Mapping) or "templates" not in value or not set(value) <= set(known):
            raise ConfigError("hosts: give a table with templates, a file, and live if wanted, nothing else")
        return cls(**value)


@dataclass(frozen=True, slots=True)
class Config:
    """Everything that can be set.

    `engine` None leaves the choice to DUPGROUPS_ENGINE, then to `dupgroups.engines.DEFAULT_ENGINE`.
    `methods` maps a language code to its method, "*" stands for every other language; what is not named keeps
    the default (`dupgroups.default_methods`). `join` names the relations that put two documents into one
    group; joining has no direction, so `contains` and `contained` each bring the other. `candidates` bounds
    how many stored documents one look-up compares (the ones that share most). `hosts` None signs the text
    whole, whatever the pages of a host have in common.
    """

    engine: str | None = None
    methods: Mapping[str, Method] = field(default_factory=dict)
    join: frozenset[Relation] = frozenset({"duplicate"})
    candidates: int = 50
    hosts: Hosts | None = None

    def __post_init__(self) -> None:
        if self.engine is not None and (not isinstance(self.engine, str) or not self.engine):
            raise ConfigError("engine: give a URL such as sqlite:///news.db")
        object.__setattr__(self, "join", _undirected(self.join))
        if type(self.candidates) is not int or not 1 <= self.candidates <= 1000:
            raise ConfigError(f"candidates: {self.candidates!r} is not a whole number from 1 to 1000")


def from_mapping(values: Mapping[str, Any]) -> Config:
    """A Config from plain values. An empty mapping gives the defaults; an unknown key raises ConfigError."""
    known = [each.name for each in fields(Config)]
    for key in values:
        if key not in known:
            raise ConfigError(f"unknown setting {key!r}; known: {', '.join(known)}")
    given = dict(values)
    if "methods" in given:
        given["methods"] = _methods(given["methods"])
    if "join" in given:
        given["join"] = _relations(given["join"])
    if "hosts" in given:
        given["hosts"] = Hosts.parse(given["hosts"])
    return Config(**given)


def from_toml(path: Path) -> Config:
    """A Config from a TOML file. Raises ConfigError when it cannot be read or holds something unknown."""
    try:
        return from_mapping(tomllib.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror or error}") from error
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from error
    except ValueError as error:
        raise ConfigError(f"{path} is no TOML file: {error}") from error


def _methods(value: Any) -> dict[str, Method]:
    if not isinstance(value, Mapping):
        raise ConfigError("methods: give a table with a language code, or *, for each method")
    return {str(language): _method(str(language), each) for language, each in value.items()}


def _undirected(join: Iterable[Relation]) -> frozenset[Relation]:
    """The relations that join whichever of two documents comes first: an excerpt before the whole, or after.

    Raises ConfigError for what cannot join.
    """
    unknown = sorted(str(relation) for relation in join if relation not in _JOINING)
    if unknown:
        raise ConfigError(f"join: {', '.join(unknown)} cannot join a group; known: {', '.join(_JOINING)}")
    relations = frozenset(join)
    return relations | _EITHER_WAY if relations & _EITHER_WAY else relations


def _relations(value: Any) -> frozenset[Relation]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise ConfigError(f"join: give a list of relations, not {value!r}")
    return frozenset(map(str, value))  # type: ignore[arg-type]  # Config looks at each


def _method(language: str, value: Any) -> Method:
    if isinstance(value, Method):
        return value
    parts = [each.name for each in fields(Method)]
    if not isinstance(value, Mapping) or not set(value) <= set(parts):
        raise ConfigError(f"methods.{language}: give any of {', '.join(parts)}, nothing else")
    return Method(**{part: Step.parse(each) for part, each in value.items()})
