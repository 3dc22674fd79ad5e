"""Change fields of a JSON object, and leave the text of all else as it is. Pure.

Servers keep and send `_source` as the text that they were given: 1.50, 1e3, the order of fields. Whoever
decodes and encodes it loses that.
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

_decoder = json.JSONDecoder()
_encoder = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_BLANK = re.compile(r"[ \t\n\r]*")


class JsonMember(NamedTuple):
    """A member of an object: its name, and where its value begins and ends."""

    name: str
    at: int
    end: int


def with_fields(text: str, fields: Mapping[str, Any], drop: Collection[str] = ()) -> str:
    """The object with these fields at its end, and without those that it has by their names or of `drop`.

    At the end, so that the places that a server's errors name are those of what its client sent. Raises
    ValueError for what is not an object.

    >>> with_fields('{"rate": 1.50, "dup_group": "6"}', {"dup_group": "7"})
    '{"rate": 1.50,"dup_group":"7"}'
    >>> with_fields('{"rate": 1.50,"dup_group":"7"}', {}, drop=["dup_group"])
    '{"rate": 1.50}'
    """
    rest = _cut_members(text, {*fields, *drop})
    before = rest[: rest.rindex("}")].rstrip(" \t\n\r")
    added = _encoder.encode(fields)[1:-1]
    comma = "," if added and not before.endswith("{") else ""
    return f"{before}{comma}{added}{rest[len(before) :]}"


def _cut_members(text: str, names: Collection[str]) -> str:
    """The text without these members, and without the comma that came with each."""
    members, _ = _object(text, 0)
    if not any(member.name in names for member in members):
        return text
    commas = [text.index(",", member.end) for member in members[:-1]]
    starts = [text.index("{") + 1, *(comma + 1 for comma in commas)]
    ends = [*commas, members[-1].end]
    kept = [
        text[start:end]
        for member, start, end in zip(members, starts, ends, strict=True)
        if member.name not in names
    ]
    return text[: starts[0]] + ",".join(kept) + text[members[-1].end :]


def inner_texts(text: str, array: str, name: str) -> Iterator[str | None]:
    """The text of the member `name` of each object in the member `array` of an object; None for one without
    it. Raises ValueError if there is no such array.

    >>> list(inner_texts('{"n": 1, "docs": [{"_source": {"a":1.0}}, {"found": false}]}', "docs", "_source"))
    ['{"a":1.0}', None]
    """
    at = _skip_sign(text, _value_at(text, _blank(text, 0), array), "[")
    while text[at] == "{":
        members, at = _object(text, at)
        yield next((text[member.at : member.end] for member in members if member.name == name), None)
        at = _blank(text, at + 1) if text[at] == "," else at


def _value_at(text: str, at: int, name: str) -> int:
    """Where the value of a member begins. What comes after it is not read. Raises ValueError without one."""
    at = _skip_sign(text, at, "{")
    while True:
        member, end = _decoder.raw_decode(text, at)
        value = _skip_sign(text, _blank(text, end), ":")
        if member == name:
            return value
        _, end = _decoder.raw_decode(text, value)
        at = _skip_sign(text, _blank(text, end), ",")


def _object(text: str, at: int) -> tuple[list[JsonMember], int]:
    """The members of the object that begins there, in their order, and where what follows it begins."""
    members: list[JsonMember] = []
    at = _skip_sign(text, _blank(text, at), "{")
    while text[at : at + 1] == '"':
        name, end = _decoder.raw_decode(text, at)
        value = _skip_sign(text, _blank(text, end), ":")
        _, end = _decoder.raw_decode(text, value)
        members.append(JsonMember(name, value, end))
        at = _blank(text, end)
        if text[at : at + 1] != ",":
            break
        at = _blank(text, at + 1)
    return members, _skip_sign(text, at, "}")


def _skip_sign(text: str, at: int, sign: str) -> int:
    if text[at : at + 1] != sign:
        raise ValueError(f"{sign} is missing at {at}")
    return _blank(text, at + 1)


def _blank(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    assert match
    return match.end()
