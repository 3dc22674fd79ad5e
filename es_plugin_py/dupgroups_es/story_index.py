"""The records of stories, in a small index beside the documents: `_id` is the group.

Dates are dates here, as Kibana and other clients want them; what was published may be older than 1970, and
what was seen is kept to the microsecond. `counted` has the sites, so that a copy can be added without reading
the others; `is_stale` says that a writer is about to count the members anew, or died before it did.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, NamedTuple, get_args

from dupgroups.engines.base import MAX_WINDOW_HITS
from dupgroups.engines.story_credits import StoryCredits
from dupgroups.errors import InputError
from dupgroups.model import MIN_STORY_COPIES, MINUTE_MICROSECONDS, StoryOrder, StoryRecord, Tie
from dupgroups_es import queries
from dupgroups_es.cluster import Answer, Cluster
from dupgroups_es.document_source import hit_version
from dupgroups_es.mapping import side_body
from dupgroups_es.patient_client import Written
from dupgroups_es.positions import Version
from dupgroups_es.settling import operations_of
from dupgroups_es.transport import Action

_START = datetime(1970, 1, 1)
Records = list[StoryRecord]
_DATES = ["first_published", "last_published", "first_seen", "last_seen"]
_IS_STORY = {"range": {"copies": {"gte": MIN_STORY_COPIES}}}
_FIGURES = ["copies", "sites", "sources", "agencies", "languages", *_DATES]


class Member(NamedTuple):
    """The part of a document that a story counts; `published` in minutes, `first_seen` in microseconds."""

    id: str
    site: str
    published: int | None
    first_seen: int
    language: str
    ties: Sequence[Tie] = ()


@dataclass(frozen=True, slots=True)
class CountedStory:
    """A record, the sites and the credits that it counts, and the version at which it was read; None if it is
    not stored.
    """

    record: StoryRecord
    sites: frozenset[str] = frozenset()
    credits: StoryCredits = field(default_factory=StoryCredits)
    version: Version | None = None
    is_stale: bool = False

    def with_members(self, members: Sequence[Member], credited: StoryCredits) -> CountedStory:
        """The story with more members, and the credits of all."""
        record, sites = self.record, self.sites | {member.site for member in members if member.site}
        ends = (record.first_published, record.last_published)
        dates = [date for date in ends if date is not None]
        dates += [minute * MINUTE_MICROSECONDS for _, _, minute, *_ in members if minute is not None]
        seen = [record.first_seen, record.last_seen] if record.copies else []
        seen += [member.first_seen for member in members]
        languages = {*record.languages, *(member.language for member in members if member.language)}
        counted = StoryRecord(
            group=record.group,
            copies=record.copies + len(members),
            sites=len(sites),
            first_published=min(dates, default=None),
            last_published=max(dates, default=None),
            first_seen=min(seen, default=0),
            last_seen=max(seen, default=0),
            languages=tuple(sorted(languages)),
            sources=credited.sources,
            agencies=credited.agencies,
        )
        return replace(self, record=counted, sites=sites, credits=credited, is_stale=False)

    def without_members(self) -> CountedStory:
        """The story before any of its members is counted."""
        return CountedStory(StoryRecord(self.record.group, 0, 0, None, None, 0, 0), version=self.version)


class StoryIndex:
    """The records beside one index."""

    def __init__(self, cluster: Cluster, name: str) -> None:
        self.name = name
        self._cluster = cluster
        self.is_ready = False

    def prepare(self) -> bool:
        """Create the index if it is missing, with the fields that an earlier version did not know. Whether
        something was: then the stories are to be counted.
        """
        body, answers = side_body("stories"), self._cluster.index(self.name)
        fields = {"properties": body["mappings"]["properties"]}
        fields_there = [answer["mappings"]["properties"].keys() for answer in answers.values()]
        is_outdated = any(fields["properties"].keys() - names for names in fields_there)
        if is_outdated:
            self._cluster.change_mapping(self.name, fields)
        elif not answers:
            self._cluster.create_index(self.name, body)
        self.is_ready = True
        return is_outdated or not answers

    def is_there(self) -> bool:
        """Whether there is an index; somebody may delete it at any time."""
        return bool(self._cluster.names(self.name))

    def read(self, groups: Collection[str]) -> dict[str, CountedStory]:
        """The stories of these groups as they are now; those without a record have no version."""
        hits = self._cluster.mget(self.name, sorted(groups), [*_FIGURES, "counted", "is_stale"])
        return {group: _story_of(group, hits.get(group)) for group in groups}

    def write(self, stories: Iterable[CountedStory]) -> Written:
        """Write stories that nobody has changed since they were read."""
        return self._cluster.write([self._action(story) for story in stories])

    def mark_stale(self, stories: Iterable[CountedStory]) -> dict[str, CountedStory]:
        """Note that these are about to be counted; returns them, by group, with their new versions."""
        marked = {story.record.group: replace(story, is_stale=True) for story in stories}
        self.write(marked.values())  # one that others changed keeps its version: it is read again at the end
        version = self._cluster.own_writes.version
        return {
            group: replace(story, version=version(self.name, group) or story.version)
            for group, story in marked.items()
        }

    def _action(self, story: CountedStory) -> Action:
        source = _source_of(story)
        create = story.version is None
        return Action("index", self.name, story.record.group, source, version=story.version, create=create)

    def refresh(self) -> None:
        self._cluster.refresh(self.name)

    def stale_groups(self) -> list[str]:
        """The groups that a writer has begun to change, at most a page of them."""
        body = queries.page_body({"term": {"is_stale": True}}, size=MAX_WINDOW_HITS)
        hits = self._cluster.search(self.name, body)["hits"]["hits"]
        return [hit["_id"] for hit in hits]

    def groups(self) -> Iterator[list[str]]:
        """The groups that have records, some at a time."""
        for hits in self._cluster.scroll(self.name, queries.scroll_all(["dup_group"])):
            yield [hit["_id"] for hit in hits]

    def copies_between(self, after: str | None, until: str | None) -> dict[str, int]:
        """The copies by group, as records say, of the stories whose groups, as they are stored, come after
        one, up to another.
        """
        bounds = {kind: name for kind, name in (("gt", after), ("lte", until)) if name is not None}
        between = {"bool": {"filter": [{"range": {"dup_group": bounds}}, _IS_STORY]}}
        pages = self._cluster.scroll(self.name, queries.scroll_all(["copies"], between))
        return {hit["_id"]: hit["_source"]["copies"] for hits in pages for hit in hits}

    def list(self, order: StoryOrder, since: int | None, limit: int) -> list[StoryRecord]:
        if order not in get_args(StoryOrder):
            raise InputError(f"unknown order {order!r}: use {', '.join(get_args(StoryOrder))}")
        wanted = [_IS_STORY, *([] if since is None else [_was_published_since(_date_of(since))])]
        by_figure = {order: {"order": "desc", "missing": "_last", "unmapped_type": "integer"}}
        sort = [by_figure, {"copies": {"order": "desc"}}, {"dup_group": {"order": "asc"}}]
        body = queries.page_body({"bool": {"filter": wanted}}, True, limit, sort=sort)
        hits = self._cluster.search(self.name, body)["hits"]["hits"]
        return [_story_of(hit["_id"], hit).record for hit in hits]

    def list_changed(self, after: object, limit: int) -> tuple[Records, object]:
        """See Engine.changed_stories. A mark is the `uuid` of the index and a sequence number of its
        shard, up to which all operations are there.
        """
        ((shard, position),) = self._cluster.positions(self.name).items()
        self.refresh()
        is_ours = isinstance(after, list | tuple) and len(after) == 2 and after[0] == shard.uuid
        mark = int(after[1]) if is_ours else -1  # type: ignore[index]
        fields = {"_source": _FIGURES}
        pages = operations_of(self._cluster, self.name, shard.number, mark, position.safe, limit, fields)
        hits: Sequence[Answer] = next(pages, [])
        records = [_story_of(hit["_id"], hit).record for hit in hits]
        return records, [shard.uuid, hits[-1]["_seq_no"]] if hits else after


def _story_of(group: str, hit: Answer | None) -> CountedStory:
    if hit is None:
        return CountedStory(StoryRecord(group, 0, 0, None, None, 0, 0))
    source = hit["_source"]
    figures = {name: source[name] for name in _FIGURES if name in source}
    figures |= {name: _microseconds_of(source.get(name)) for name in _DATES}
    figures |= {name: tuple(source.get(name, ())) for name in ("languages", "agencies")}
    record = StoryRecord(group, **figures)
    counted = source.get("counted", {})
    sites, credited = frozenset(counted.get("sites", ())), StoryCredits.from_json(counted.get("credits", {}))
    version = hit_version(hit) if "_seq_no" in hit else None
    return CountedStory(record, sites, credited, version, source.get("is_stale", False))


def _source_of(story: CountedStory) -> Mapping[str, Any]:
    figures = {name: getattr(story.record, name) for name in _FIGURES}
    dates = {name: _date_of(figures[name]) for name in _DATES}
    counted = {"sites": sorted(story.sites), "credits": story.credits.to_json()}
    source = {
        "dup_group": story.record.group,
        **figures,
        **dates,
        "counted": counted,
        "is_stale": story.is_stale,
    }
    return {name: value for name, value in source.items() if value is not None}


def _was_published_since(date: str | None) -> queries.Body:
    """Matches the stories with a date of publication since then, or without one and seen since then."""
    undated = {"bool": {"must_not": [{"exists": {"field": "last_published"}}]}}
    seen = {"bool": {"filter": [undated, {"range": {"last_seen": {"gte": date}}}]}}
    published = {"range": {"last_published": {"gte": date}}}
    return {"bool": {"should": [published, seen], "minimum_should_match": 1}}


def _date_of(microseconds: int | None) -> str | None:
    if microseconds is None:
        return None
    return (_START + timedelta(microseconds=microseconds)).isoformat(timespec="microseconds")


def _microseconds_of(date: str | None) -> int | None:
    return None if date is None else (datetime.fromisoformat(date) - _START) // timedelta(microseconds=1)
