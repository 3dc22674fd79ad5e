"""Check the parameters of a method against the annotated types of its fields, before it is built."""

from __future__ import annotations

import sys
import types
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

_WORDS: dict[Any, str] = {
    int: "a whole number",
    float: "a finite number",
    str: "text",
    bool: "true or false",
    type(None): "None",
}
_LISTS = (list, tuple, Sequence)
_SHOWN = 60  # characters of a value in a message
_GREATEST = sys.float_info.max  # inclusive; nan is not
_LARGEST = 2**63  # exclusive: numpy and the stored bytes cannot hold larger whole numbers


def type_error(cls: Any, params: Mapping[str, Any]) -> str | None:
    """What is wrong with the first of `params` that does not fit its field; None if all fit.

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
            return f"{name} must be {expected(hints[name])}{limit}, not {_shown(value)}"
    return None


def fits(value: object, hint: Any) -> bool:
    """Whether the value has the annotated type; True for types that this module does not know."""
    if hint is None or hint is type(None):
        return value is None
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool) and abs(value) < _LARGEST
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= _GREATEST
    origin, args = get_origin(hint), get_args(hint)
    if origin is Literal:
        return any(type(value) is type(choice) and value == choice for choice in args)
    if origin in (Union, types.UnionType):
        return any(fits(value, alternative) for alternative in args)
    if hint in _LISTS or origin in _LISTS:
        return _is_list(value, args)
    return isinstance(value, hint) if isinstance(hint, type) and origin is None else True


def expected(hint: Any) -> str:
    """The annotated type in words: "a whole number", "one of words, slides", "text or None"."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Literal:
        return f"one of {', '.join(map(str, args))}"
    if origin in (Union, types.UnionType):
        *most, last = map(expected, args)
        return f"{', '.join(most)} or {last}"
    if hint in _LISTS or origin in _LISTS:
        member = f", each {expected(args[0])}" if args else ""
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


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
