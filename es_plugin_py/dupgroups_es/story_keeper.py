"""Keeps the records of stories right while documents are written, without a transaction.

The records are read before the documents are written, and written after them if nobody has changed them
since; else the members are counted anew. So a copy is never counted twice, whoever else writes. New copies
are added to what is known of their story. For all else, such as a move or a deletion, the members are counted
anew, and the record is marked before: a writer that dies in between leaves a mark, or documents that nobody
has settled, and settling counts the members of both. A batch without copies asks and writes nothing.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import groupby, islice

from dupgroups.engines import story_credits
from dupgroups.engines.common import ties_of_lines
from dupgroups.engines.story_credits import CreditedCopy, StoryCredits, find_agencies
from dupgroups.errors import EngineError
from dupgroups.model import MIN_STORY_COPIES, Document, Seen, StoryOrder, StoryRecord
from dupgroups.model.field_names import Fields
from dupgroups.text.batches import batches
from dupgroups.text.language import normalize_language
from dupgroups.text.values import first_of, value_at
from dupgroups_es import queries
from dupgroups_es.cluster import Answer
from dupgroups_es.document_source import content_of, hit_group, hit_version
from dupgroups_es.reading import RecordReader
from dupgroups_es.story_index import CountedStory, Member

MAX_COUNT_TRIES = 5  # times that a story is counted again because others write it
COUNTED_GROUPS = 200  # groups that are counted together
CREDITED_DOCUMENTS = 100  # documents whose texts are read together, to see whom they credit
_RECORD_FIELDS = ["dup_group", "dup_host", "dup_published", "dup_first_seen", "dup_ties"]


@dataclass(frozen=True, slots=True)
class StoryChanges:
    """The groups that a write may change: `joined` get new documents, whose ids they have; `arriving` get
    others, which are stored; `leaving` may lose some or see them changed.
    """

    joined: Mapping[str, Sequence[str]]
    arriving: Collection[str] = ()
    leaving: Collection[str] = ()

    @property
    def groups(self) -> set[str]:
        """All of them."""
        return {*self.joined, *self.arriving, *self.leaving}


class StoryKeeper(RecordReader):
    """The part of a store that keeps the records of its stories."""

    @property
    def _names(self) -> Fields:
        """The fields that hold the parts of a document."""
        raise NotImplementedError

    # -- reading

    def stories(
        self, *, order: StoryOrder = "copies", since: int | None = None, limit: int = 100
    ) -> list[StoryRecord]:
        """See Engine.stories."""
        self._prepare()
        return self._stories.list(order, since, limit) if self._stories.is_there() else []

    def changed_stories(self, after: object = None, *, limit: int = 1000) -> tuple[list[StoryRecord], object]:
        """See Engine.changed_stories."""
        self._prepare()
        if not self._stories.is_there():
            return [], after
        records, mark = self._stories.list_changed(after, limit)
        return list(records), mark

    # -- what a write changes

    def _changes_of(
        self,
        documents: Sequence[Document],
        moves: Mapping[str, str],
        labels: Mapping[str, str],
        seen: Seen | None,
    ) -> StoryChanges:
        ids = [document.record.id for document in documents]
        known = [id_ for id_ in ids if seen is None or seen.records.get(id_) is not None]
        former = self._groups_of([*known, *labels]) if known or labels else {}
        sizes = Counter(document.record.group for document in documents)
        joined = defaultdict(list)
        for record in (document.record for document in documents):
            if record.group != record.id or sizes[record.group] > 1:
                joined[record.group].append(record.id)
        records = [one.record for one in documents]
        moved = {one.group for one in records if former.get(one.id, one.group) != one.group}
        returned = {one.group for one in records if one.id in former} & joined.keys()
        winners = self._redirects.resolve([*moves.values()]).values() if moves else ()
        return StoryChanges(
            joined,
            arriving={*moves.values(), *winners, *labels.values()} | moved | returned,
            leaving={*moves, *former.values()},
        )

    def _groups_of(self, ids: Sequence[str]) -> dict[str, str]:
        hits = self._hits(ids, ["dup_group"])
        return {id_: hit_group(hit) for id_, hit in hits.items() if "dup_group" in hit["_source"]}

    @contextmanager
    def _keeping_stories(self, changes: StoryChanges) -> Iterator[None]:
        """Write the records after what the block writes. A failure to write them is left to settling."""
        if not changes.groups:
            yield
            return
        stored = self._read_stories(changes.groups)
        recounted = {
            group
            for group, story in stored.items()
            if (story.version is not None and (group in changes.leaving or group in changes.arriving))
            or story.is_stale
            or (not story.record.is_story and (group in changes.joined or group in changes.arriving))
        }
        marked = self._stories.mark_stale(
            stored[group] for group in recounted if stored[group].version is not None
        )
        stored |= marked
        yield
        joined = {group: ids for group, ids in changes.joined.items() if group not in recounted}
        try:
            if marked:  # what others wrote before these were read has to be seen
                self.refresh()
            self._write_stories({group: stored[group] for group in {*recounted, *joined}}, joined)
        except EngineError:
            self.cluster.own_writes.invalidate()

    def _read_stories(self, groups: Collection[str]) -> dict[str, CountedStory]:
        """The stories of these groups. If there is no index, or none any longer, it is made, and all stories
        are counted first.
        """
        self._prepare_stories()
        try:
            return self._stories.read(groups)
        except EngineError as error:
            if error.temporary or self._stories.is_there():
                raise
        self._stories.is_ready = False
        self._prepare_stories()
        return self._stories.read(groups)

    def _prepare_stories(self) -> None:
        if not self._stories.is_ready and self._stories.prepare():
            self.count_stories()

    # -- counting

    def count_stories(self) -> None:
        """See Engine.count_stories."""
        self._prepare()
        if not self._stories.is_ready:
            self._stories.prepare()
        self.refresh()
        met: set[str] = set()
        for groups in batches(self._groups_of_several(), COUNTED_GROUPS):
            met.update(groups)
            self._count(groups)
        self._stories.refresh()
        for groups in self._stories.groups():
            self._count([group for group in groups if group not in met])

    def _groups_of_several(self) -> Iterator[str]:
        """The groups that have several members."""
        pages = self.cluster.scroll(self.index, queries.memberships())
        names = (hit_group(hit) for hits in pages for hit in hits)
        for group, members in groupby(names):
            if len([*islice(members, 2)]) > 1:
                yield group

    def _count(self, groups: Iterable[str]) -> None:
        """Count the members of these groups."""
        if wanted := {*groups} - {""}:
            stored = self._stories.read(wanted)
            self.refresh()  # what others have added to these records has to be counted
            self._write_stories(stored, {})

    def recount_stories(self, groups: Iterable[str]) -> None:
        """Count the stories of groups that others have changed, if any story has a record yet."""
        if self._stories.is_there():
            self._count(groups)

    def _stale_stories(self) -> list[str]:
        if not self._stories.is_there():
            return []
        self._stories.refresh()
        return self._stories.stale_groups()

    def _write_stories(self, stored: Mapping[str, CountedStory], joined: Mapping[str, Sequence[str]]) -> None:
        """Write what changed of stories that were read: those that are `joined` get these members, the others
        are counted.
        """
        for _ in range(MAX_COUNT_TRIES):
            written = self._stories.write(self._changed_stories(stored, joined))
            if not written.overtaken:
                if written.failures:
                    self.cluster.own_writes.invalidate()
                return
            self.refresh()
            stored, joined = self._stories.read(written.overtaken), {}
        self.cluster.own_writes.invalidate()

    def _changed_stories(
        self, stored: Mapping[str, CountedStory], joined: Mapping[str, Sequence[str]]
    ) -> list[CountedStory]:
        members = self._members_of(
            stored.keys() - joined.keys(), {id_ for ids in joined.values() for id_ in ids}
        )
        bare = {name: one if name in joined else one.without_members() for name, one in stored.items()}
        credited = self._add_credits(bare, members)
        counted = {
            group: story.with_members(members.get(group, ()), credited[group])
            for group, story in bare.items()
        }
        return [
            story
            for group, story in counted.items()
            if story != stored[group] and (story.record.is_story or stored[group].version is not None)
        ]

    def _members_of(self, groups: Collection[str], joined: Collection[str]) -> dict[str, list[Member]]:
        """The members of groups, and those documents that joined others, by group, as they are now."""
        ids = {*joined, *(record.id for group in groups for record in self._overlay.members(group))}
        for some in batches(sorted(groups), queries.PAGE_DOCUMENTS):
            ids.update(hit["_id"] for hit in self._page_hits(queries.by_id(queries.of_groups(some), False)))
        names = self._names
        fields = [*_RECORD_FIELDS, *filter(None, (names.site, names.language))]
        members = defaultdict(list)
        for id_, hit in self._hits(sorted(ids), fields).items():
            # who overtook this writer has counted it
            is_counted = id_ in joined and hit_version(hit) != self.cluster.own_writes.version(
                self.index, id_
            )
            if "dup_first_seen" in hit["_source"] and not is_counted:
                members[hit_group(hit)].append(_member_of(hit, names))
        return members

    def _add_credits(
        self, stories: Mapping[str, CountedStory], members: Mapping[str, Sequence[Member]]
    ) -> dict[str, StoryCredits]:
        """The credits of stories with those of these members, as far as they are among their oldest."""
        first = {group: _select_first(story, members.get(group, ())) for group, story in stories.items()}
        agencies = self._find_agencies([one.id for some in first.values() for one in some])
        return {
            group: story.credits.with_copies(
                [CreditedCopy(one.id, agencies.get(one.id, ()), one.ties) for one in first[group]],
                partial(self._find_agencies, group=group),
            )
            for group, story in stories.items()
        }

    def _find_agencies(self, ids: Collection[str], group: str | None = None) -> dict[str, tuple[str, ...]]:
        """The agencies that documents credit, by id; with a `group` those of its members."""
        names = self._names
        fields = ["dup_group", *filter(None, (names.text, names.author, names.source))]
        agencies = {}
        for some in batches(sorted(ids), CREDITED_DOCUMENTS):
            for id_, hit in self._hits(some, fields).items():
                if group in (None, hit_group(hit)):
                    content = content_of(hit["_source"], names, "")
                    agencies[id_] = find_agencies(content.text, content.author, content.source)
        return agencies


def _select_first(story: CountedStory, members: Sequence[Member]) -> Sequence[Member]:
    """Those of the members that join a story whose texts are read."""
    known = story.record.copies
    if known + len(members) < MIN_STORY_COPIES:
        return ()
    oldest = sorted(members, key=lambda one: (one.first_seen, one.id))
    return oldest[: max(0, story_credits.MAX_SOURCED_COPIES - known)]


def _member_of(hit: Answer, names: Fields) -> Member:
    source = hit["_source"]
    return Member(
        hit["_id"],
        source.get("dup_host") or first_of(value_at(source, names.site)) or "",
        source.get("dup_published"),
        source["dup_first_seen"],
        normalize_language(first_of(value_at(source, names.language))),
        ties_of_lines(source.get("dup_ties") or ()),
    )
