"""Fields of documents as the parts of a page: one reader for files, items, indices.

Only html or text makes a document. A part with a value that says nothing (NaN, an object) is left out, and
never costs the document. Lists come from item loaders and from indices, {"$date": ...} from MongoDB.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from collections.abc import Set as AbstractSet
from contextlib import suppress
from datetime import date, datetime, timedelta
from functools import cache
from html import unescape
from typing import Any

Get = Callable[[str], Any]
DEFAULT_NAMES: Mapping[str, tuple[str, ...]] = {"language": ("language", "lang")}
"""The names under which a part is found if nobody names its field; of all other parts it is their own. In
any of them, all letters or the first one may be capitals.
"""

_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_LINE_TAG = re.compile(r"</?(?:p|br|div|li)\b[^<>]*>", re.I)
MAX_SHOWN_FIELDS = 12  # fields that a sentence names

_WRAPPER_KEYS = (  # of MongoDB, JSON-LD, PHP, Drupal and Firestore
    "$date $oid $uuid $binary base64 $numberLong $numberInt $numberDouble $numberDecimal @value"
    " value date _seconds seconds name".split()
)
# numbers below are no moments but years, or days such as 20260304; seconds since 1970 are above it since 1973
_EARLIEST_SECONDS = 10**8
# milliseconds since 1970 are above this since 1973, and seconds below it until the year 5138
_EARLIEST_MILLISECONDS = 10**11
_LATEST_MILLISECONDS = 10**14  # beyond which there is no date


def read_part(get: Get, part: str, name: str | None) -> Any:
    """The value of a part, of which `name` is the field; None if it has no name, or nothing is there."""
    names = names_of(part, name)
    first = get(names[0]) if names else None
    if is_missing(first):
        return next((value for other in names[1:] if not is_missing(value := get(other))), first)
    return first


def value_at(source: Mapping[str, Any], name: str | None) -> Any:
    """The value of a field of a document; of "a.b", that of b inside a. None if it is missing."""
    if not name or name in source:
        return source[name] if name else None
    return _value_at(source, name.split(".")) if "." in name else None


def without_text(row: Mapping[str, Any], names: Iterable[str | None]) -> str:
    """Why a row with no text in the fields of these names is no document, in a sentence."""
    named = [*dict.fromkeys(filter(None, names))]
    for name in named:
        if not is_missing(value := value_at(row, name)):
            return f"{name} is not text ({type(value).__name__})"
    missing = f"neither {' nor '.join(named)}" if len(named) > 1 else f"no {''.join(named)}"
    there = list(names_within(row))
    shown = ", ".join(there[:MAX_SHOWN_FIELDS]) + ", ..." * (len(there) > MAX_SHOWN_FIELDS)
    return f"it has {missing}, but {shown}" if shown else f"it has {missing}, and no other field"


@cache
def names_of(part: str, name: str | None) -> tuple[str, ...]:
    """The names of the fields that may hold a part; () if it has none."""
    if name != part:
        return (name,) if name else ()
    names = DEFAULT_NAMES.get(part, (part,))
    return tuple(written for name in names for written in (name, name.capitalize(), name.upper()))


def page_parts(get: Get) -> dict[str, Any]:
    """The fields of a `Page` but its scope, from the value of each; None for what is missing."""
    return {part: None if (value := get(part)) is None else read(value) for part, read in _READERS.items()}


def is_missing(value: object) -> bool:
    """Whether a value says that there is nothing: None, NaN, NaT, blank text, or something empty."""
    if value is None or isinstance(value, str):
        return not value or value.isspace()
    if isinstance(value, Sized):
        return not len(value)
    return isinstance(value, float | date) and bool(value != value)


def texts_of(value: object) -> list[str]:
    """A value as texts: those of a list in their order; [] if it is missing, and for an object."""
    if isinstance(value, str):
        return [] if is_missing(value) else [value]
    if is_missing(value) or isinstance(value, bool):
        return []
    if isinstance(value, Mapping):
        return texts_of(_unwrap(value))
    if isinstance(value, bytes | bytearray | memoryview):
        from dupgroups.text.decoding import decode

        return texts_of(decode(bytes(value)))
    if isinstance(value, date):
        return [value.isoformat()]
    if (several := _listed_values(value)) is not None:
        return [text for one in several for text in texts_of(one)]
    return [str(value)]


def text_of(value: object) -> str | None:
    """A value as text, with one line for each if there are several; None if it is missing."""
    return "\n".join(texts_of(value)) or None


def line_of(value: object) -> str | None:
    """A value as a line, such as a title; None if it is missing."""
    return " ".join(texts_of(value)) or None


def first_of(value: object) -> str | None:
    """A value of which there is one, such as an address; None if it is missing."""
    return next(iter(texts_of(value)), None)


def id_of(value: object) -> str | None:
    """A value as an id; bytes that are no text, such as those of a UUID, in hexadecimal."""
    if isinstance(value, bytes):
        text = value.decode(errors="replace")
        return text if text.isprintable() and "\ufffd" not in text else value.hex()
    return first_of(value)


def names_of_people(value: object) -> str | None:
    """Names, in a list, on lines or between semicolons, as a line without tags; None if they are missing."""
    plain = (_TAG.sub("", _LINE_TAG.sub(";", unescape(unescape(text)))) for text in texts_of(value))
    names = (" ".join(name.split()) for text in plain for name in re.split("[;\n]", text))
    return ", ".join(filter(None, names)) or None


def date_of(value: object) -> str | None:
    """A date as text. Seconds and milliseconds since 1970, and lists of year, month, day and so on, as Java
    writes them, become ISO 8601.
    """
    while (inner := _inner(value)) is not None:
        with suppress(ValueError, TypeError):
            if (parts := _listed_values(value)) and len(numbers := [int(part) for part in parts]) > 2:  # type: ignore[call-overload]
                return datetime(*numbers[:6]).isoformat()
        value = inner
    if type(value) not in (int, float) or not _EARLIEST_SECONDS <= float(value) < _LATEST_MILLISECONDS:  # type: ignore[arg-type]
        return first_of(value)
    number = float(value)  # type: ignore[arg-type]
    seconds = number if number < _EARLIEST_MILLISECONDS else number / 1000
    return (datetime(1970, 1, 1) + timedelta(seconds=seconds)).isoformat(timespec="seconds") + "Z"


def html_of(value: object) -> bytes | str | None:
    """Html as bytes or text, empty if it is blank; None if it is missing, or of another type."""
    if isinstance(value, bytearray | memoryview):
        return bytes(value)
    if isinstance(value, bytes | str):
        return value if value.strip() else value[:0]
    several = [html for one in _listed_values(value) or () if (html := html_of(one))]
    return several[0] if len(several) == 1 else text_of(several)


def _value_at(source: Any, path: Sequence[str]) -> Any:
    """The value at a path, in nested objects as well as in field names with dots."""
    if not path:
        return source
    if not isinstance(source, Mapping):
        return None
    for length in range(len(path), 0, -1):
        name = ".".join(path[:length])
        if name in source:
            return _value_at(source[name], path[length:])
    return None


def names_within(row: Mapping[str, Any], above: str = "") -> Iterator[str]:
    """The names of the fields that hold something, sorted, as `--fields` takes them."""
    for name, value in sorted((str(name), value) for name, value in row.items()):
        if isinstance(value, Mapping) and value:
            yield from names_within(value, f"{above}{name}.")
        elif not is_missing(value):
            yield above + name


def _listed_values(value: object) -> Iterable[object] | None:
    """The values in a list of any kind; None for anything else."""
    if hasattr(value, "tolist"):  # numpy's and pandas'
        value = value.tolist()
    return value if isinstance(value, list | tuple | AbstractSet) else None


def _unwrap(value: Mapping[Any, Any]) -> Any:
    return next((value[name] for name in _WRAPPER_KEYS if name in value), None)


def _inner(value: object) -> Any:
    """The date inside of a wrapper or a list; None for a bare one."""
    if isinstance(value, Mapping):
        inner = _unwrap(value)
        is_number = "$numberLong" in value and isinstance(inner, str) and inner.isdigit()
        return int(inner) if is_number else inner
    return next((one for one in _listed_values(value) or () if not is_missing(one)), None)


_READERS: Mapping[str, Callable[[object], Any]] = {
    "url": first_of,
    "html": html_of,
    "text": text_of,
    "title": line_of,
    "date": date_of,
    "language": first_of,
    "id": id_of,
    "encoding": first_of,
    "site": line_of,
    "author": names_of_people,
    "source": line_of,
}
