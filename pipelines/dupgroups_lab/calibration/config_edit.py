"""A threshold written into a configuration that somebody wrote: comments and layout stay as they are."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Sequence
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from dupgroups.config import Config, Step, from_mapping
from dupgroups.errors import ConfigError
from dupgroups.method_set import MethodSet

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def with_threshold(text: str, methods: Sequence[str], judge: Step, parameter: str, value: float) -> str:
    """The TOML text with this threshold for the judge of every one of these methods.

    A method without a judge of its own gets `judge`. Raises ConfigError if the text is not TOML, and if the
    result is not a configuration that can be built.
    """
    try:
        document: Any = tomlkit.parse(text)
        if "methods" not in document:
            document.add("methods", tomlkit.table(is_super_table=True))
        for method in methods:
            _set(document["methods"], method, {"name": judge.name, **judge.params}, parameter, value)
        changed = tomlkit.dumps(document)
    except TOMLKitError as error:
        raise ConfigError(f"the configuration is not TOML: {error}") from error
    MethodSet(parsed(changed))
    return changed


def parsed(text: str) -> Config:
    """The configuration in a TOML text. Raises ConfigError."""
    try:
        return from_mapping(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"the configuration is not TOML: {error}") from error


def unified_diff(old: str, new: str, name: str) -> list[str]:
    """The lines of a unified diff of two texts, without line ends; [] if they are equal."""
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), name, name, lineterm="")
    return list(lines)


def _set(methods: Any, method: str, judge: dict[str, Any], parameter: str, value: float) -> None:
    if method not in methods:
        methods.add(method, tomlkit.table())
    if not isinstance(methods[method].get("judge"), dict):
        table = tomlkit.inline_table()
        table.update(judge)
        methods[method]["judge"] = table
    methods[method]["judge"][parameter] = value
