"""Which documents have a story that earlier ones have: both are grouped together, the earlier ones first.

The oldest member names a group, so the groups with an earlier document are those that one of them names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import product

from dupgroups.bulk.offline.bulk import Groups
from dupgroups.grouping.constraints import Corrections, Pair, pair_of
from dupgroups.model import Page

_MARK = "earlier\0"  # before the ids of earlier documents, as others may have the same


def mark_earlier(pages: Iterable[Page]) -> Iterator[Page]:
    """The pages, which have ids, as earlier ones."""
    return (replace(page, id=f"{_MARK}{page.id}") for page in pages)


def with_earlier(said: Corrections) -> Corrections:
    """The corrections of documents, whichever file has them; those of ids that are not there do nothing."""
    return replace(said, apart=_of_both(said.apart), together=_of_both(said.together))


def _of_both(pairs: Mapping[Pair, int]) -> dict[Pair, int]:
    marks = [*product(("", _MARK), repeat=2)]
    named = ((f"{one}{a}", f"{two}{b}", number) for (a, b), number in pairs.items() for one, two in marks)
    return {pair_of(a, b): number for a, b, number in named}


def is_earlier(id_: str) -> bool:
    """Whether this is the id of an earlier document."""
    return id_.startswith(_MARK)


def unmark(id_: str) -> str:
    """The id that a document came with."""
    return id_.removeprefix(_MARK)


def known_from(groups: Groups) -> Iterator[tuple[str, str, bool]]:
    """Of each document but the earlier ones the id, the group, and whether an earlier one is in it."""
    rows = (row for row in groups if not is_earlier(row[0]))
    return ((id_, unmark(group), is_earlier(group)) for id_, group in rows)
