"""One frozen configuration; TOML, Scrapy settings and the command line are three readers of the same keys."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, get_args

from dupgroups.errors import ConfigError
from dupgroups.model import Relation

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


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


@dataclass(frozen=True, slots=True)
class Method:
    """How one language is handled: extractor (Page -> Content), signer, judge; None keeps the default's."""

    extractor: Step | None = None
    signer: Step | None = None
    judge: Step | None = None


@dataclass(frozen=True, slots=True)
class Config:
    """Everything that can be set.

    `methods` maps a language code to its method, "*" stands for every other language; what is not named keeps
    the default recipe (`dupgroups.recipes`). `join` names the relations that put two documents into one
    group. `candidates` bounds how many stored documents one look-up compares (the ones that share most).
    """

    engine: str = "sqlite:///dup-groups.db"
    methods: Mapping[str, Method] = field(default_factory=dict)
    join: frozenset[Relation] = frozenset({"duplicate", "contains", "contained"})
    candidates: int = 50

    def __post_init__(self) -> None:
        unknown = set(self.join) - {"duplicate", "contains", "contained", "near"}
        if unknown:
            known = ", ".join(get_args(Relation)[:4])
            raise ConfigError(f"join: {', '.join(sorted(unknown))} cannot join a group; known: {known}")
        if not 1 <= self.candidates <= 1000:
            raise ConfigError(f"candidates: {self.candidates} is not between 1 and 1000")


def from_mapping(values: Mapping[str, Any]) -> Config:
    """A Config from plain values. An empty mapping gives the defaults; an unknown key raises ConfigError."""
    known = [each.name for each in fields(Config)]
    for key in values:
        if key not in known:
            raise ConfigError(f"unknown setting {key!r}; known: {', '.join(known)}")
    given = dict(values)
    if "methods" in given:
        given["methods"] = {language: _method(language, each) for language, each in given["methods"].items()}
    if "join" in given:
        given["join"] = frozenset(given["join"])
    return Config(**given)


def from_toml(path: Path) -> Config:
    """A Config from a TOML file. Raises ConfigError when it cannot be read or holds something unknown."""
    try:
        return from_mapping(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, ConfigError) as error:
        raise ConfigError(f"{path}: {error}") from error


def _method(language: str, value: Any) -> Method:
    if isinstance(value, Method):
        return value
    parts = [each.name for each in fields(Method)]
    if not isinstance(value, Mapping) or not set(value) <= set(parts):
        raise ConfigError(f"methods.{language}: give any of {', '.join(parts)}, nothing else")
    return Method(**{part: Step.parse(each) for part, each in value.items()})
