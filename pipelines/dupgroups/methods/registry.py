"""From a name in the configuration to an object: a method of a table, or "module:Class" for any other."""

from __future__ import annotations

import difflib
import importlib
import inspect
import logging
import sys
import traceback
import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cached_property, lru_cache, update_wrapper
from importlib.metadata import EntryPoint, entry_points
from numbers import Integral
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from dupgroups.errors import ConfigError, DupGroupsError, MissingExtraError
from dupgroups.model import Signature, Verdict
from dupgroups.model.config import Step

log = logging.getLogger(__name__)

_WORDS: dict[Any, str] = {
    int: "a whole number",
    float: "a finite number",
    str: "text",
    bool: "true or false",
    type(None): "None",
}
_LISTS = (list, tuple, Sequence)
_MAX_SHOWN_CHARS = 60  # characters of a value in a message
_MAX_FLOAT = sys.float_info.max  # inclusive; nan is not
_INT_LIMIT = 2**63  # exclusive: numpy and the stored bytes cannot hold larger whole numbers


_ANSWERS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "extractor": (
        "a list of the numbers of blocks",
        lambda made: isinstance(made, _LISTS) and all(isinstance(one, Integral) for one in made),
    ),
    "signer": ("a Signature", lambda made: isinstance(made, Signature)),
    "judge": ("a Verdict", lambda made: isinstance(made, Verdict)),
}


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
            packages = (f" of {point.dist.name}" if point.dist else "" for point in points)
            offers = " and ".join(f"{one.value!r}{of}" for one, of in zip(points, packages, strict=True))
            raise ConfigError(f"{self.kind} {name!r} is ambiguous: choose between {offers}")
        return load(points[0].value)

    def __contains__(self, name: object) -> bool:
        return name in self._defaults or name in self._offered

    def __iter__(self) -> Iterator[str]:
        yield from self._defaults
        yield from (name for name in sorted(self._offered) if name not in self._defaults)

    def __len__(self) -> int:
        return len(self._defaults.keys() | self._offered.keys())

    def load_all(self) -> dict[str, Any]:
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


def build(kind: str, step: Step, table: Mapping[str, type[Any]]) -> Any:
    """Build the object that `step` names, with its parameters.

    `kind` is the word for error messages ("extractor"). Raises ConfigError for a name that is neither in the
    table nor "module:Class", for an unknown parameter, for a value that does not have the type of its field
    or that the class rejects, and for a class whose objects are not callable.
    """
    cls = find(kind, step.name, table)
    is_callable = isinstance(cls, type) and any("__call__" in vars(base) for base in cls.__mro__)
    if ":" in step.name and is_callable:
        cls = _make_checked(kind, step.name, cls)
    wrong = type_error(cls, step.params)
    if wrong:
        raise ConfigError(f"{kind} {step.name!r}: {wrong}")
    try:
        built = cls(**step.params)
    except TypeError as error:
        given = ", ".join(f"{name}={value!r}" for name, value in step.params.items()) or "its defaults"
        reason = _unbound(cls, step.params) or f"a value of the wrong type in {given} ({error})"
        raise ConfigError(f"{kind} {step.name!r}: {reason}") from error
    except (ValueError, ArithmeticError, LookupError) as error:
        raise ConfigError(f"{kind} {step.name!r}: {error}") from error
    if not callable(built):
        raise ConfigError(f"{kind} {step.name!r} does not build a callable")
    return built


@lru_cache
def _make_checked(kind: str, name: str, cls: Any) -> Any:
    """A class of a user: a ConfigError names it if it raises something, or gives what it should not."""

    class Checked(cls):  # type: ignore[misc]
        def __call__(self, *given: Any) -> Any:
            try:
                made = super().__call__(*given)
            except DupGroupsError:
                raise
            except Exception as error:
                place = traceback.extract_tb(error.__traceback__)[-1]
                what = f"{type(error).__name__}: {error} ({place.filename}, line {place.lineno})"
                raise ConfigError(f"{kind} {name!r} failed: {what}") from error
            wanted, is_right = _ANSWERS.get(kind, ("", lambda made: True))
            if not is_right(made):
                raise ConfigError(f"{kind} {name!r} must give {wanted}, not {_shorten(made)}")
            return made

    return update_wrapper(Checked, cls, updated=())


def find(kind: str, name: str, table: Mapping[str, Any]) -> Any:
    """The class of a method: from the table, or imported from "module:Class". Raises ConfigError."""
    return load(name) if ":" in name else lookup(kind, name, table)


def lookup(kind: str, name: str, table: Mapping[str, Any]) -> Any:
    """`table[name]`. Raises ConfigError, with a list of the names, for an unknown one."""
    if name in table:
        return table[name]
    known = ", ".join(sorted(table))
    raise ConfigError(f"unknown {kind} {name!r}{hint(name, table)}; choose one of: {known}")


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


def type_error(cls: Any, params: Mapping[str, Any]) -> str | None:
    """Explain the first of `params` that does not fit its field; None if all fit.

    Names that are not fields are ignored, and so are all parameters of a class that is not a dataclass or
    whose annotations cannot be evaluated. An int fits a float field, a bool fits neither int nor float; nan,
    infinity and whole numbers of more than 63 bits never fit.

    >>> from dataclasses import make_dataclass
    >>> type_error(make_dataclass("Example", [("size", int)]), {"size": 2.5})
    'size must be a whole number, not 2.5'
    """
    hints = _hints(cls)
    for name, value in params.items():
        if name in hints and not fits(value, hints[name]):
            limit = " below 2**63" if fits(0, hints[name]) and type(value) is int else ""
            return f"{name} must be {describe_type(hints[name])}{limit}, not {_shorten(value)}"
    return None


def fits(value: object, hint: Any) -> bool:
    """Whether the value has the annotated type; True for types that this module does not know."""
    if hint is None or hint is type(None):
        return value is None
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool) and abs(value) < _INT_LIMIT
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= _MAX_FLOAT
    origin, args = get_origin(hint), get_args(hint)
    if origin is Literal:
        return any(type(value) is type(choice) and value == choice for choice in args)
    if origin in (Union, types.UnionType):
        return any(fits(value, alternative) for alternative in args)
    if hint in _LISTS or origin in _LISTS:
        return _is_list(value, args)
    return isinstance(value, hint) if isinstance(hint, type) and origin is None else True


def describe_type(hint: Any) -> str:
    """The annotated type in words: "a whole number", "one of words, slides", "text or None"."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Literal:
        return f"one of {', '.join(map(str, args))}"
    if origin in (Union, types.UnionType):
        *most, last = map(describe_type, args)
        return f"{', '.join(most)} or {last}"
    if hint in _LISTS or origin in _LISTS:
        member = f", each {describe_type(args[0])}" if args else ""
        return f"a list{member}"
    return _WORDS.get(hint) or f"a {getattr(hint, '__name__', hint)}"


def _hints(cls: Any) -> dict[str, Any]:
    if not is_dataclass(cls):
        return {}
    try:
        hints = get_type_hints(cls)
    except Exception:  # evaluating the annotations of somebody else's class may raise anything
        return {}
    return {field.name: hints[field.name] for field in fields(cls) if field.init}


def _is_list(value: object, members: tuple[Any, ...]) -> bool:
    """A list fits a tuple field and the reverse: TOML and JSON have only lists."""
    if not isinstance(value, list | tuple):
        return False
    if not members or members[-1] is Ellipsis or len(members) == 1:
        return all(fits(member, members[0]) for member in value) if members else True
    return len(value) == len(members) and all(map(fits, value, members))


def _shorten(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _MAX_SHOWN_CHARS else f"{text[:_MAX_SHOWN_CHARS]}..."
