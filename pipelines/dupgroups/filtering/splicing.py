"""Put fields into a JSON object and leave the text of all its other fields as it is. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

_decoder = json.JSONDecoder()
_BLANK = re.compile(r"[ \t\n\r]*")


class Member(NamedTuple):
    """A member of an object: its name and value, and where the name and the value begin, and it ends."""

    name: str
    value: Any
    start: int
    at: int
    end: int


def members(text: str) -> list[Member]:
    """The members of the object that a text is, in their order. Raises ValueError if it is none.

    >>> [(member.name, text[member.at : member.end]) for text in ['{"a": 1.0}'] for member in members(text)]
    [('a', '1.0')]
    """
    at = _after(text, _blank(text, 0), "{")
    found: list[Member] = []
    if text[at : at + 1] != "}":
        while True:
            member = _member(text, at)
            found.append(member)
            at = _blank(text, member.end)
            if text[at : at + 1] != ",":
                break
            at = _blank(text, at + 1)
    if _after(text, at, "}") != len(text):
        raise ValueError("something follows the object")
    return found


def with_fields(text: str, fields: Mapping[str, Any]) -> str:
    """The object with these fields, in place of those that it has by their names. Raises ValueError.

    >>> with_fields('{"body": "...", "rate": 1.50}', {"dup_group": "7"})
    '{"dup_group":"7","body": "...","rate": 1.50}'
    """
    kept = [text[member.start : member.end] for member in members(text) if member.name not in fields]
    return "{" + ",".join([*_added(fields), *kept]) + "}"


def with_fields_inside(text: str, name: str, fields: Mapping[str, Any]) -> str:
    """The object with these fields in the object that its member `name` is. Raises ValueError."""
    for member in members(text):
        if member.name == name:
            return text[: member.at] + with_fields(text[member.at : member.end], fields) + text[member.end :]
    raise ValueError(f"the object has no {name}")


def _added(fields: Mapping[str, Any]) -> Iterator[str]:
    for name, value in fields.items():
        yield f"{json.dumps(name)}:{json.dumps(value, ensure_ascii=False, separators=(',', ':'))}"


def _member(text: str, start: int) -> Member:
    name, end = _decoder.raw_decode(text, start)
    if not isinstance(name, str):
        raise ValueError(f"the name of a member is missing at {start}")
    at = _after(text, _blank(text, end), ":")
    value, end = _decoder.raw_decode(text, at)
    return Member(name, value, start, at, end)


def _after(text: str, at: int, sign: str) -> int:
    if text[at : at + 1] != sign:
        raise ValueError(f"{sign} is missing at {at}")
    return _blank(text, at + 1)


def _blank(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    assert found
    return found.end()
