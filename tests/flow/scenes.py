"""Documents and groups for tests of the flow: parts of stories, and what a store makes of them."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from functools import cache
from typing import Any

from dupgroups import Config, Deduper, Page
from dupgroups.bulk.audit import audit
from dupgroups.bulk.offline.bulk import group_corpus
from dupgroups.bulk.offline.bulk_judge import ReadTexts
from dupgroups.bulk.offline.corpus import Columns, Corpus
from dupgroups.bulk.offline.scratch import Scratch
from dupgroups.engines import Engine, story_credits
from dupgroups.flow.explain.sources import read_sources
from dupgroups.grouping.constraints import NO_CORRECTIONS, Corrections
from dupgroups.model import MINUTE_MICROSECONDS, Document, Outcome, Record, StoryRecord
from stories import story

CLOSURE, AVERAGE = Config(linkage="closure"), Config(linkage="average")
PLENTY = 1 << 20  # bytes of memory for a few documents
FULLEST, HOSTS = Config(head="fullest"), Config(head=("b.example", "a.example"))

CHAIN = ["abcdefghijklmnopqr"[start : start + 10] for start in range(9)]
"""Parts of texts, each of which is a duplicate of the next two, and of none that is four or more away."""
A, BETWEEN, X, B = CHAIN[0], CHAIN[1], CHAIN[2], CHAIN[4]  # X is tied to A and B, BETWEEN more to X and to A
OTHER = "hijx"  # in part an excerpt of these


def page(id_: str, parts: str, host: str = "") -> Page:
    """Parts of stories: "abc" and "cde" are two stories, "abcde" is both; no part at all is too short.
    A part with a capital is a few words: "aX" is an excerpt of "abc".
    """
    text = "\n".join(story(part, 20 if part.isupper() else 120) for part in parts) or "Hm."
    return Page(id=id_, text=text, url=f"https://{host}/{id_}" if host else None)


def pages(names: Iterable[str], parts: str = "abc") -> list[Page]:
    """Copies of one text under these ids."""
    return [page(name, parts) for name in names]


@cache
def signed(id_: str, parts: str) -> Document:
    with closing(Deduper("memory://")) as signer:
        return signer.sign(page(id_, parts))


def deduper(engine: object, config: Config | None = None, **options: Any) -> Deduper:
    """A flow over an engine, or over one that is watched."""
    return Deduper(engine, config, **options)  # type: ignore[arg-type]


def settle_all(engine: Engine, config: Config | None = None) -> None:
    """Put all groups of a store together anew."""
    Deduper(engine, config).regroup([list(engine.get(list(groups(engine))).values())])


def states(outcomes: Iterable[Outcome]) -> list[str]:
    return [outcome.state for outcome in outcomes]


def groups(engine: Any) -> dict[str, str]:
    """The group of every document."""
    engine.refresh()
    return {document.record.id: document.record.group for document in engine.scan()}


def partition(engine: Any) -> list[list[str]]:
    """The members of each group, sorted."""
    members = defaultdict(list)
    for id_, group in groups(engine).items():
        members[group].append(id_)
    return sorted(map(sorted, members.values()))


def heads(engine: Engine) -> dict[str, list[str]]:
    """The members of each group that are its head."""
    engine.refresh()
    found = defaultdict(list)
    for document in engine.scan():
        found[document.record.group] += [document.record.id] * document.record.is_head
    return dict(found)


def counted_stories(engine: Engine) -> dict[str, StoryRecord]:
    """The records of all stories, counted from the documents one by one."""
    members = defaultdict(list)
    for document in engine.scan():
        members[document.record.group].append(document)
    stories = {group: count_members(group, found) for group, found in members.items() if len(found) > 1}
    return {group: with_sources(engine, one, members[group]) for group, one in stories.items()}


def with_sources(engine: Engine, story: StoryRecord, members: Sequence[Document]) -> StoryRecord:
    """The record with what the page of the story says of its sources."""
    oldest = sorted((one.record for one in members), key=lambda record: record.age)
    sources = read_sources(engine, [record.id for record in oldest[: story_credits.MAX_SOURCED_COPIES]])
    found = Counter(page.agency for page in sources.pages if page.agency)
    agencies = sorted(found, key=lambda name: (-found[name], name))
    return replace(story, sources=len(sources.found), agencies=tuple(agencies))


def kept_stories(engine: Engine) -> dict[str, StoryRecord]:
    """The records of all stories, as they are kept."""
    engine.refresh()
    return {record.group: record for record in engine.stories(limit=1000)}


def count_members(group: str, members: Sequence[Document]) -> StoryRecord:
    """The record of a group of documents."""
    seen = [one.record.first_seen for one in members]
    dates = [
        one.record.published * MINUTE_MICROSECONDS for one in members if one.record.published is not None
    ]
    return StoryRecord(
        group,
        copies=len(members),
        sites=len({one.record.host or one.content.site for one in members} - {"", None}),
        first_published=min(dates, default=None),
        last_published=max(dates, default=None),
        first_seen=min(seen),
        last_seen=max(seen),
        languages=tuple(sorted({one.content.language for one in members} - {""})),
    )


def follow_stories(engine: Engine, known: dict[str, StoryRecord], after: object) -> object:
    """Take up what changed after a mark, a few records at a time, and return the mark up to which that is."""
    while True:
        changed, mark = engine.changed_stories(after, limit=2)
        known |= {record.group: record for record in changed}
        if not changed:
            assert mark == after
            return mark
        assert json.loads(json.dumps(mark)) != after
        after = mark


def at_once(
    records: Sequence[Record],
    config: Config,
    said: Corrections = NO_CORRECTIONS,
    memory: int = PLENTY,
    read: ReadTexts | None = None,
) -> dict[str, str]:
    """The group of each record when all of them are grouped at once, as by `dup-groups group`."""
    with Scratch(memory) as scratch:
        pile = Corpus(scratch)
        for record in records:
            pile.add(Columns.of([record]))
        return dict(group_corpus(pile, config, said, read=read))


def wrong(engine: Engine, config: Config | None = None) -> list[str]:
    """The rules that a deep check finds broken."""
    return [check.name for check in audit(engine, config) if not check.ok]
