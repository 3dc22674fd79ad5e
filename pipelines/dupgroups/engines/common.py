"""What every engine decides in the same way, as pure functions."""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from dupgroups.engines.base import WINDOW
from dupgroups.errors import InputError
from dupgroups.model import Content, Copy, Document, Query

_LIMIT = 1000  # hits on one page
_INTEGERS = range(-(2**63), 2**63)  # what SQLite and clusters can compare

OVERTAKEN = "others write the same documents faster than this can be grouped: try again later"
"""What a ConflictError says that is raised in the end."""


def site_of(document: Document) -> str:
    """The site under which a document is shown, counted and filtered: its own name, else its host."""
    return document.content.site or document.record.host


def names_of(author: str) -> list[str]:
    """The single names of an author line; [] for ""."""
    return author.split(", ") if author else []


def copy_of(document: Document) -> Copy:
    """The document as a search shows it."""
    content = document.content
    return Copy(
        id=document.record.id,
        title=content.title,
        url=content.url,
        site=site_of(document),
        date=content.date,
        language=content.language,
        author=content.author,
        image=content.image,
    )


def check_query(query: Query) -> None:
    """Raise InputError for a query that no engine answers."""
    if not 0 <= query.limit <= _LIMIT or query.offset < 0 or query.copies < 0:
        raise InputError(f"a page holds 0 to {_LIMIT} hits, and neither offset nor copies may be negative")
    if query.offset + query.limit > WINDOW:
        raise InputError(
            f"offset + limit is above {WINDOW}: narrow the search, or page on with the cursor in head mode"
        )
    if query.cursor is not None and (query.mode == "collapse" or query.offset):
        raise InputError("a cursor works in the modes head and all, without an offset")
    if any(_encodable(wanted) != wanted for wanted in (query.language, query.site, query.author) if wanted):
        raise InputError("language, site and author are text that UTF-8 can hold: give another value")


def to_cursor(values: Sequence[Any]) -> str:
    """The sort values of the last hit of a page as an opaque string."""
    return base64.urlsafe_b64encode(json.dumps(values).encode()).decode()


def from_cursor(cursor: str, kinds: Sequence[type[float] | type[int] | type[str]]) -> list[Any]:
    """The sort values again: one of each kind, where `float` takes integers too.

    Anybody can forge a cursor. Raises InputError for values of other kinds, for numbers that are not finite
    or have more than 64 bits, and for text that UTF-8 cannot hold.
    """
    try:
        values = json.loads(base64.b64decode(cursor.encode("ascii"), b"-_", validate=True))
    except (ValueError, RecursionError):
        values = None
    if not isinstance(values, list) or len(values) != len(kinds) or not all(map(_is_of, values, kinds)):
        raise InputError("the cursor was not issued by this engine: search again without one")
    return values


def _is_of(value: Any, kind: type) -> bool:
    if kind is str:
        return isinstance(value, str) and _encodable(value) == value
    if isinstance(value, float):
        return kind is float and math.isfinite(value)
    return type(value) is int and value in _INTEGERS


def heads_of(documents: Iterable[Document], labels: Mapping[str, str] | None = None) -> set[str]:
    """Ids of the documents that name their own group, as written or by their new label."""
    written = {document.record.id for document in documents if document.record.id == document.record.group}
    return written | {id_ for id_, group in (labels or {}).items() if id_ == group}


def final_moves(
    moves: Mapping[str, str], heads: set[str], redirect: Callable[[str], str | None]
) -> dict[str, str]:
    """Where each losing group really goes: winners that went elsewhere, or go now, are followed.

    `heads` are the groups that live again by this call, `redirect` tells where a group went before. A group
    that would come back to itself stays.
    """
    final = {loser: _follow(loser, moves, heads, redirect) for loser in moves}
    return {loser: winner for loser, winner in final.items() if loser != winner}


def _follow(
    loser: str, moves: Mapping[str, str], heads: set[str], redirect: Callable[[str], str | None]
) -> str:
    winner, seen = moves[loser], {loser}
    while winner not in heads and winner not in seen:
        seen.add(winner)
        onward = moves.get(winner) or redirect(winner)
        if onward is None:
            return winner
        winner = onward
    return winner if winner in heads else loser  # in a circle nobody wins


def storable(document: Document) -> Document:
    """The document with every character of its content that UTF-8 cannot hold replaced by "?"."""
    told = ((each.name, getattr(document.content, each.name)) for each in fields(Content))
    clean: dict[str, Any] = {name: _encodable(value) for name, value in told if isinstance(value, str)}
    return replace(document, content=replace(document.content, **clean))


def refusal(document: Document) -> str:
    """Why this document cannot be stored, in a sentence; "" when it can."""
    record = document.record
    if not record.id or not record.group:
        return "a document needs an id and a group: give it both"
    names = (record.id, record.group, record.host, record.signature.scheme, *record.signature.keys)
    if any(_encodable(each) != each for each in names):
        return "the id, group, host or signature holds characters that UTF-8 cannot: give it another id"
    return ""


def _encodable(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
