"""From a name in the configuration to an object: a row of a table, or "module:Class" for other packages."""

from __future__ import annotations

import difflib
import importlib
import inspect
from collections.abc import Iterable, Mapping
from typing import Any

from dupgroups.config import Step
from dupgroups.errors import ConfigError, MissingExtraError
from dupgroups.parameter_types import misfit


def build(kind: str, step: Step, table: Mapping[str, type[Any]]) -> Any:
    """Build the object that `step` names, with its parameters.

    `kind` is the word for error messages ("extractor"). Raises ConfigError for a name that is neither in the
    table nor "module:Class", for an unknown parameter, for a value that does not have the type of its field
    or that the class rejects, and for a class whose objects are not callable.
    """
    cls = find(kind, step.name, table)
    wrong = misfit(cls, step.params)
    if wrong:
        raise ConfigError(f"{kind} {step.name!r}: {wrong}")
    try:
        built = cls(**step.params)
    except TypeError as error:
        given = ", ".join(f"{name}={value!r}" for name, value in step.params.items())
        reason = (
            _unbound(cls, step.params) or f"a value of the wrong type in {given or 'its defaults'} ({error})"
        )
        raise ConfigError(f"{kind} {step.name!r}: {reason}") from error
    except (ValueError, ArithmeticError, LookupError) as error:
        raise ConfigError(f"{kind} {step.name!r}: {error}") from error
    if not callable(built):
        raise ConfigError(f"{kind} {step.name!r} does not build a callable")
    return built


def find(kind: str, name: str, table: Mapping[str, Any]) -> Any:
    """The class of a method: from the table, or imported from "module:Class". Raises ConfigError."""
    return load(name) if ":" in name else lookup(kind, name, table)


def lookup(kind: str, name: str, table: Mapping[str, Any]) -> Any:
    """`table[name]`. Raises ConfigError, with a list of the names, for an unknown one."""
    if name in table:
        return table[name]
    raise ConfigError(
        f"unknown {kind} {name!r}{hint(name, table)}; choose one of: {', '.join(sorted(table))}"
    )


def load(path: str) -> Any:
    """Import the object that "module:attribute" names. Raises ConfigError if that fails."""
    module, _, attribute = path.partition(":")
    try:
        return getattr(importlib.import_module(module), attribute)
    except MissingExtraError:
        raise
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise ConfigError(f"cannot load {path!r}: {error}") from error


def _unbound(cls: Any, params: Mapping[str, Any]) -> str:
    """Which parameters are unknown or missing, with a list of all; "" if the class accepts these."""
    try:
        signature = inspect.signature(cls)
    except (TypeError, ValueError):  # not a class, or a class without a signature
        return ""
    try:
        signature.bind(**params)
    except TypeError as error:
        return f"{error}; its parameters: {', '.join(signature.parameters) or 'none'}"
    return ""


def hint(name: str, names: Iterable[str]) -> str:
    """A suggestion for a mistyped name, as " (did you mean 'x'?)"; "" if none of the names is similar."""
    close = difflib.get_close_matches(name, list(names), n=1)
    return f" (did you mean {close[0]!r}?)" if close else ""
