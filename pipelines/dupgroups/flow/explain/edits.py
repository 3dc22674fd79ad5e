"""Changes of the copies of a story after they were stored, and how many others still say what they said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dupgroups.engines import Engine
from dupgroups.flow.explain.spread import Change, compare_texts, states
from dupgroups.text.facts import add_title, read_facts

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
    """The changes of these documents, the latest first; `texts` are those of copies to look into, by id,
    with their titles.

    [] where nothing was changed, and for a store that keeps no revisions.
    """
    revisions = engine.revisions(ids)
    if not revisions:
        return []
    stored = engine.read([*revisions])
    found = []
    for id_, document in stored.items():
        later = add_title(document.content)
        for one in revisions[id_]:
            found.append((one.at, id_, one.text, later))
            later = one.text
    reports = {id_: read_facts(text).report for id_, text in texts.items()}
    edits = []
    for at, id_, before, later in sorted(found, key=lambda one: (-one[0], one[1]))[:MAX_SHOWN_EDITS]:
        change, others = compare_texts(before, later), [one for other, one in reports.items() if other != id_]
        pairs = ((one, *figure) for figure in change.figures[:1] for one in others)
        still = sum(states(one, was) and not states(one, now) for one, was, now in pairs)
        edits.append(Edit(id_, at, change, still, len(others)))
    return edits
