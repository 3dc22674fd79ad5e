"""A group as its page shows it: its copies, when each was seen, and why the group has its name. And
stories and results as plain values for JSON: the same in `/api/` and in the commands with `--json`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import asdict, dataclass, replace
from typing import Any

from dupgroups.engines import Engine
from dupgroups.engines.common import copy_of
from dupgroups.flow.explain.edits import Edit, read_edits
from dupgroups.flow.explain.group_explanation import GroupScores, Related, find_related, scores
from dupgroups.flow.explain.sources import Sources, read_sources, source_rows
from dupgroups.flow.explain.spread import MAX_COMPARED_COPIES, Change, Spread, changes
from dupgroups.flow.method_set import MethodSet
from dupgroups.grouping.constraints import active_entries
from dupgroups.model import Copy, Correction, Query, Record, Results
from dupgroups.presentation.date_formats import instant, span
from dupgroups.presentation.languages import gettext
from dupgroups.text.facts import add_title

MAX_LISTED_COPIES = 200  # members of a group that are listed
SPREAD_COLUMNS = ("id", "site", "url", "published", "first_seen", "minutes")
FORMER_NAMES = 100  # former names of a group that are listed


@dataclass(frozen=True, slots=True)
class Story:
    """The copies of a group, oldest first, and its former names.

    `head` is the copy that stands for the story, which may be beyond those that are listed; None while it has
    none. `first_seen` is when each copy was first seen, in ISO 8601, by id; `reason` says why the group has
    its name. `more` is true if the group has more copies than are listed. `records` are those of the copies,
    in order.
    """

    group: str
    copies: tuple[Copy, ...]
    head: Copy | None
    first_seen: Mapping[str, str | None]
    reason: str = ""
    former_names: tuple[str, ...] = ()
    more: bool = False
    records: tuple[Record, ...] = ()

    @property
    def namesake(self) -> Copy | None:
        """The copy after which the group is named; None if it is not among the copies."""
        return next((copy for copy in self.copies if copy.id == self.group), None)


def read_story(engine: Engine, group: str) -> Story | None:
    """The story of a group, with at most MAX_LISTED_COPIES and FORMER_NAMES; None if there is no such group.

    A name that the group had before it was merged into another leads to that one.
    """
    now = engine.resolve([group])[group]
    copies = engine.copies(now, limit=MAX_LISTED_COPIES + 1)
    if not copies:
        return None
    ids = [copy.id for copy in copies[:MAX_LISTED_COPIES]]
    records = engine.get(ids)
    ages = {id_: record.first_seen for id_, record in records.items()}
    head = next((copy for copy in copies if copy.id in records and records[copy.id].is_head), None)
    # of a large group it may be beyond those that were read
    beyond = {} if head else engine.read([record.id for record in engine.heads([now])[now]])
    return Story(
        group=now,
        copies=tuple(copies[:MAX_LISTED_COPIES]),
        head=head or next(map(copy_of, beyond.values()), None),
        first_seen={id_: instant(age) for id_, age in ages.items()},
        reason=_reason(now, ages),
        former_names=tuple(engine.former_names(now, limit=FORMER_NAMES)),
        more=len(copies) > MAX_LISTED_COPIES,
        records=tuple(records[id_] for id_ in ids if id_ in records),
    )


@dataclass(frozen=True, slots=True)
class Ties:
    """Who is tied to whom in a story, the documents of other stories that are related to it, how it spread,
    what its first copies changed of the one that was published first, by id; `edits`: what they changed
    after they were stored, the latest first; `sources`: whose texts they are.

    `kept_apart`: who keeps another group apart from this story, by its name.
    """

    scores: GroupScores
    related: tuple[tuple[Related, Copy], ...]
    spread: Spread
    changes: Mapping[str, Change]
    kept_apart: Mapping[str, str]
    edits: list[Edit]
    sources: Sources


def read_ties(engine: Engine, story: Story, methods: MethodSet) -> Ties:
    """The ties of a story; without methods that can read its signatures, only those that are stored."""
    log = engine.corrections(fresh=True)
    methods.read_log(log)
    related = find_related(engine, story.records, methods)
    shown = [(tie, copy_of(document)) for tie, document in related]
    records = {record.id: record for record in story.records}
    copies = [(copy, records[copy.id]) for copy in story.copies if copy.id in records]
    spread = Spread.of(copies)
    ids = [appearance.copy.id for appearance in spread.copies[:MAX_COMPARED_COPIES]]
    stored = engine.read(ids)
    texts = {id_: stored[id_].content.text for id_ in ids if id_ in stored}
    sources = read_sources(engine, records, known=stored)
    kept_apart = _kept_apart(engine, log, {copy.id for copy in story.copies})
    titled = {id_: add_title(document.content) for id_, document in stored.items()}
    edits = read_edits(engine, [*records], titled)
    tied = scores(story.records, methods, stored)
    return Ties(tied, tuple(shown), spread, changes(texts), kept_apart, edits, sources)


def _kept_apart(engine: Engine, log: Sequence[Correction], ids: Set[str]) -> dict[str, str]:
    pairs = [entry for entry in active_entries(log) if entry.kind == "keep-apart"]
    names = {id_: pair.by for pair in pairs if ids & {*pair.ids} for id_ in pair.ids if id_ not in ids}
    return {record.group: names[id_] for id_, record in engine.get([*names]).items()}


def _reason(group: str, ages: Mapping[str, int]) -> str:
    """Why the group is named after its copy, as the end of a sentence; "" if that is not among them."""
    if group not in ages:
        return ""
    next_seen = min((age for id_, age in ages.items() if id_ != group), default=None)
    if next_seen is None:
        return gettext("it is the only copy")
    if next_seen < ages[group]:
        return gettext("it was the oldest copy here when the story got its name")
    if next_seen == ages[group]:
        return gettext("of the copies that were found at once, its id is the smallest")
    after = span(next_seen - ages[group])
    return gettext("it was found %(after)s before the next one") % {"after": after}


def results_payload(query: Query, results: Results) -> dict[str, Any]:
    """A page of results: its query, numbers, cursor, facets, histogram and hits.

    In the snippet of a hit, matching words are enclosed in U+E000 and U+E001.
    """
    values = {"query": asdict(query)} | asdict(replace(results, hits=()))
    del values["hits"]
    hits = [asdict(hit) | {"sources": hit.sources, "more_sites": hit.more_sites} for hit in results.hits]
    return values | {"hits": hits}


def group_payload(story: Story, ties: Ties) -> dict[str, Any]:
    """`group`, the id of its `head`, its `former_names`, and its `copies`, oldest first, each with
    `first_seen`; `scores` of the pairs of the first copies, and the `related` documents of other stories; the
    `spread`, with what copies changed; the `sources`, and the first one that is credited; the `edits` of
    copies that were changed after they were stored.
    """
    changes = {id_: asdict(change) for id_, change in ties.changes.items()}
    return {
        "group": story.group,
        "head": story.head.id if story.head else None,
        "former_names": story.former_names,
        "copies": [asdict(copy) | {"first_seen": story.first_seen.get(copy.id)} for copy in story.copies],
        "scores": [asdict(score) for score in ties.scores.pairs.values()],
        "related": [
            {"member": tie.member.id, "relation": tie.relation, "score": tie.score, "group": tie.other.group}
            | {"kept_apart": tie.other.group in ties.kept_apart}
            | asdict(copy)
            for tie, copy in ties.related
        ],
        "spread": [row | {"changes": changes.get(row["id"])} for row in spread_rows(ties.spread)],
        "sources": {
            "pages": len(ties.sources.pages),
            "publishers": ties.sources.publishers,
            "sources": len(ties.sources.found),
            "members": source_rows(ties.sources),
        },
        "credited_to": next((source.name for source in ties.sources.found if source.is_credited), ""),
        "edits": [asdict(edit) | {"at": instant(edit.at)} for edit in ties.edits],
    }


def spread_rows(spread: Spread) -> list[dict[str, Any]]:
    """The copies of a story in the order of their publication, with SPREAD_COLUMNS: `published` as the page
    says ("" if unknown), and how many `minutes` after the first known time that was.
    """
    rows = []
    for appearance, minutes in zip(spread.copies, spread.minutes, strict=True):
        copy, published = appearance.copy, (appearance.dated and appearance.copy.date) or ""
        values = (copy.id, copy.site, copy.url or "", published, instant(appearance.seen) or "", minutes)
        rows.append(dict(zip(SPREAD_COLUMNS, values, strict=True)))
    return rows
