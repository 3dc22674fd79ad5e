"""Changes of the copies of a story after they were stored, and how many others still say what they said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from dupgroups.engines import Engine
from dupgroups.flow.explain.spread import Change, compare_texts, figures_of
from dupgroups.text.facts import join_title

MAX_SHOWN_EDITS = 20  # changes of a story, the latest


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of a document."""

    id: str
    """The document."""
    at: int
    """When the change was seen, in microseconds since 1970."""
    change: Change
    """How many words were cut and added, and the figures that were changed."""
    still: int = 0
    """How many other copies say the first of these figures as it was, and not as it is."""
    of: int = 0
    """How many other copies were looked at."""


def read_edits(engine: Engine, ids: Sequence[str], texts: Mapping[str, str]) -> list[Edit]:
    """The changes of these documents, the latest first; `texts` are those of copies to look into, by id.

    [] where nothing was changed, and for a store that keeps no revisions.
    """
    revisions = engine.revisions(ids)
    stored = engine.read([*revisions]) if revisions else {}
    edits = []
    for id_, earlier in revisions.items():
        if content := id_ in stored and stored[id_].content:
            versions = [join_title(content.title, content.text), *(one.text for one in earlier)]
            others = [figures_of(text) for other, text in texts.items() if other != id_]
            for one, (later, before) in zip(earlier, pairwise(versions), strict=True):
                change = compare_texts(before, later)
                edits.append(Edit(id_, one.at, change, _count_still(change, others), len(others)))
    return sorted(edits, key=lambda edit: (-edit.at, edit.id))[:MAX_SHOWN_EDITS]


def _count_still(change: Change, others: Sequence[frozenset[str]]) -> int:
    """How many texts have the first changed figure as it was."""
    return sum(was in figures and now not in figures for was, now in change.figures[:1] for figures in others)
