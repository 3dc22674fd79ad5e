"""Decisions that all engines make in the same way, as pure functions."""

from __future__ import annotations

import base64
import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from typing import Any, cast, get_args

from dupgroups.engines.base import MAX_FACETS, MAX_WINDOW_HITS
from dupgroups.errors import InputError
from dupgroups.model import Content, Copy, Document, Facet, Query, Record, Relation, Tie
from dupgroups.text.iso_dates import day_of

_CONTENT = [field.name for field in fields(Content)]
_MAX_LIMIT = 1000  # hits on one page
_SHORT_WORD_CHARS = 5
_RELATIONS = get_args(Relation)
_INTEGERS = range(-(2**63), 2**63)  # what SQLite and clusters can compare

OVERTAKEN = "other processes keep changing the same documents: try again later"
"""The message of a ConflictError that is raised after all retries."""


def site_of(document: Document) -> str:
    """The site under which a document is counted and filtered: its host, or else its declared name."""
    return document.record.host or document.content.site or ""


def names_of(author: str) -> list[str]:
    """The names in an author line; [] for ""."""
    return author.split(", ") if author else []


def max_edits(word: str) -> int:
    """How many letters a word may have wrong (see `Engine.similar_word`)."""
    return 1 if len(word) <= _SHORT_WORD_CHARS else 2


def copy_of(document: Document) -> Copy:
    """The document as search results show it."""
    content = document.content
    return Copy(
        id=document.record.id,
        title=content.title,
        url=content.url,
        site=content.site or document.record.host,
        date=content.date,
        language=content.language,
        author=content.author,
        image=content.image,
        owner=content.owner,
    )


def most_frequent(counts: Counter[str]) -> tuple[Facet, ...]:
    """The MAX_FACETS values that most have, then by value."""
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return tuple(Facet(name, count) for name, count in ordered[:MAX_FACETS])


def with_names(facets: Iterable[Facet], names: Mapping[tuple[str, str], int]) -> tuple[Facet, ...]:
    """The facets of sites, each with the name that most of its documents give it, then the first by letters.

    `names` counts documents by site and name.
    """
    ordered = sorted(names, key=lambda pair: (-names[pair], pair))
    first = dict(reversed(ordered))
    return tuple(replace(facet, name=first.get(facet.value, "")) for facet in facets)


def lines_of_ties(ties: Iterable[Tie]) -> list[str]:
    """Ties as they are stored, one a line.

    >>> lines_of_ties([Tie("0f", "duplicate", 0.75)])
    ['duplicate 0.7500 0f']
    """
    return [f"{tie.relation} {tie.score:.4f} {tie.other}" for tie in ties]


def ties_of_lines(lines: Iterable[object]) -> tuple[Tie, ...]:
    """The ties in such lines; malformed lines are skipped, as other tools can write to an index."""
    ties = []
    for line in lines:
        relation, _, rest = str(line).partition(" ")
        score, _, other = rest.partition(" ")
        with suppress(ValueError):
            tie = Tie(other, cast(Relation, relation), float(score))
            if other and relation in _RELATIONS and 0 <= tie.score <= 1:
                ties.append(tie)
    return tuple(ties)


def check_query(query: Query) -> None:
    """Raise InputError for a query that engines do not answer."""
    if not 0 <= query.limit <= _MAX_LIMIT or query.offset < 0 or query.copies < 0:
        raise InputError(
            f"limit must be from 0 to {_MAX_LIMIT}, and neither offset nor copies may be negative"
        )
    if query.offset + query.limit > MAX_WINDOW_HITS:
        window = f"offset + limit is above {MAX_WINDOW_HITS}"
        raise InputError(f"{window}: narrow the search, or page with the cursor of head mode")
    if query.cursor is not None and (query.mode == "collapse" or query.offset):
        raise InputError("a cursor works only in the modes head and all, and without an offset")
    if query.sort == "copies" and query.mode != "collapse":
        raise InputError("only stories are sorted by their copies: use mode collapse, or another sort")
    if any(_encodable(wanted) != wanted for wanted in (query.language, query.site, query.author) if wanted):
        raise InputError("language, site and author must be text that UTF-8 can encode: give another value")
    for name, day in (("since", query.since), ("until", query.until)):
        if day is not None and day_of(day) != day:
            raise InputError(f"{name} must be a day such as 2026-03-04, not {day[:40]!r}: give another value")
    if query.since and query.until and query.since > query.until:
        raise InputError(f"since {query.since} is after until {query.until}: swap the two days")


def to_cursor(values: Sequence[Any]) -> str:
    """Encode the sort values of the last hit of a page as an opaque string."""
    return base64.urlsafe_b64encode(json.dumps(values).encode()).decode()


def from_cursor(cursor: str, kinds: Sequence[type[float] | type[int] | type[str]]) -> list[Any]:
    """Decode the sort values: one of each type in `kinds`, where `float` accepts integers too.

    Anybody can forge a cursor. Raises InputError for values of other types, for numbers that are not finite
    or have more than 64 bits, and for text that UTF-8 cannot encode.
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


def with_head(record: Record, heads: Mapping[str, str]) -> Record:
    """The record as it is written: the head of its group, which is in `heads` or names the group, or not."""
    return replace(record, head=heads.get(record.group, record.group) == record.id)


def naming(documents: Iterable[Document], labels: Mapping[str, str] | None = None) -> set[str]:
    """Ids of the documents that name their groups, as written or by their new label."""
    written = {document.record.id for document in documents if document.record.id == document.record.group}
    return written | {id_ for id_, group in (labels or {}).items() if id_ == group}


def final_moves(
    moves: Mapping[str, str], names: set[str], redirect: Callable[[str], str | None]
) -> dict[str, str]:
    """The final group of each losing group: winners that were merged before, or are merged now, are followed.

    `names` are the groups that this call creates again, `redirect` gives the group that a group was merged
    into before. A group that would be merged into itself stays.
    """
    final = {loser: _follow(loser, moves, names, redirect) for loser in moves}
    return {loser: winner for loser, winner in final.items() if loser != winner}


def _follow(
    loser: str, moves: Mapping[str, str], names: set[str], redirect: Callable[[str], str | None]
) -> str:
    winner, seen = moves[loser], {loser}
    while winner not in names and winner not in seen:
        seen.add(winner)
        onward = moves.get(winner) or redirect(winner)
        if onward is None:
            return winner
        winner = onward
    return winner if winner in names else loser  # a cycle has no winner


def split_storable(
    documents: Sequence[Document], heads: Mapping[str, str], refuse: Callable[[Document], str]
) -> tuple[list[Document], dict[str, str]]:
    """The documents as they are stored, and the ids of those that cannot be, with the reasons."""
    failures = {document.record.id: reason for document in documents if (reason := refuse(document))}
    good = [document for document in documents if document.record.id not in failures]
    stored = (replace(document, record=with_head(document.record, heads)) for document in good)
    return [*map(storable, stored)], failures


def storable(document: Document) -> Document:
    """The document with every character of its content that UTF-8 cannot encode replaced by "?"."""
    texts = ((name, getattr(document.content, name)) for name in _CONTENT)
    encoded = ((name, text, _encodable(text)) for name, text in texts if isinstance(text, str))
    clean: dict[str, Any] = {name: encodable for name, text, encodable in encoded if encodable != text}
    return replace(document, content=replace(document.content, **clean)) if clean else document


def refusal(document: Document) -> str:
    """Why this document cannot be stored, in a sentence; "" if it can."""
    record = document.record
    if not record.id or not record.group:
        return "a document needs an id and a group: set both"
    names = (record.id, record.group, record.host, record.signature.scheme, *record.signature.keys)
    joined = "".join(names)
    if _encodable(joined) != joined:
        return "the id, group, host or signature has characters that UTF-8 cannot encode: give it another id"
    return ""


def _encodable(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
