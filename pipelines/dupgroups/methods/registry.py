"""From a name in the configuration to an object: a method of a table, or "module:Class" for any other."""

from __future__ import annotations

import difflib
import importlib
import inspect
import logging
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from dupgroups.errors import ConfigError, MissingExtraError
from dupgroups.methods.parameter_types import type_error
from dupgroups.model.config import Step

log = logging.getLogger(__name__)


class MethodTable(Mapping[str, Any]):
    """The classes of one kind of method by name: the defaults, and those that installed packages offer.

    A package offers a signer as an entry point of the group `dupgroups.signers`: the name of the method, and
    its class as "module:Class". Entry points are looked for when a name is not that of a default, and a class
    is imported when it is used. A default takes precedence over an entry point with its name.
    """

    def __init__(self, kind: str, defaults: Mapping[str, Any]) -> None:
        self.kind = kind
        self._defaults = dict(defaults)

    def __getitem__(self, name: str) -> Any:
        """The class of a method. Raises KeyError for an unknown name, and ConfigError for a class that cannot
        be imported, or if two packages offer different classes: which one signed a store must not depend on
        the order in which packages were installed.
        """
        if name in self._defaults:
            return self._defaults[name]
        points = self._offered[name]
        if len({point.value for point in points}) > 1:
            offers = " and ".join(f"{point.value!r}{_package(point)}" for point in points)
            raise ConfigError(f"{self.kind} {name!r} is ambiguous: choose between {offers}")
        return load(points[0].value)

    def __contains__(self, name: object) -> bool:
        return name in self._defaults or name in self._offered

    def __iter__(self) -> Iterator[str]:
        yield from self._defaults
        yield from (name for name in sorted(self._offered) if name not in self._defaults)

    def __len__(self) -> int:
        return len(self._defaults.keys() | self._offered.keys())

    def loaded(self) -> dict[str, Any]:
        """All methods that can be imported; a warning is logged for each of the others."""
        classes = {}
        for name in self:
            try:
                classes[name] = self[name]
            except Exception as error:  # somebody else's module may raise anything
                log.warning("%s %r is left out: %s", self.kind, name, error)
        return classes

    def name_of(self, cls: type[Any]) -> str:
        """The name of a class; its own if it is not in the table. Imports nothing."""
        path = f"{cls.__module__}:{cls.__qualname__}"
        defaults = (name for name, default in self._defaults.items() if default is cls)
        offered = (name for name, points in self._offered.items() if points[0].value == path)
        return next(defaults, None) or next(offered, cls.__name__)

    @cached_property
    def _offered(self) -> dict[str, list[EntryPoint]]:
        offered: dict[str, list[EntryPoint]] = {}
        for point in entry_points(group=f"dupgroups.{self.kind.replace(' ', '_')}s"):
            offered.setdefault(point.name, []).append(point)
        return offered


def _package(point: EntryPoint) -> str:
    return f" of {point.dist.name}" if point.dist else ""


def build(kind: str, step: Step, table: Mapping[str, type[Any]]) -> Any:
    """Build the object that `step` names, with its parameters.

    `kind` is the word for error messages ("extractor"). Raises ConfigError for a name that is neither in the
    table nor "module:Class", for an unknown parameter, for a value that does not have the type of its field
    or that the class rejects, and for a class whose objects are not callable.
    """
    cls = find(kind, step.name, table)
    wrong = type_error(cls, step.params)
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
