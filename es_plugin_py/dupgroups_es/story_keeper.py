"""Keeps the records of stories right while documents are written, without a transaction.

The records are read before the documents are written, and written after them if nobody has changed them
since; else the members are counted anew. So a copy is never counted twice, whoever else writes. New copies
are added to what is known of their story. For all else, such as a move or a deletion, the members are counted
anew, and the record is marked before: a writer that dies in between leaves a mark, or documents that nobody
has settled, and settling counts the members of both. A batch without copies asks and writes nothing.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import groupby, islice

from dupgroups.engines import story_credits
from dupgroups.engines.common import ties_of_lines
from dupgroups.engines.story_credits import CreditedCopy, StoryCredits, find_agencies
from dupgroups.errors import EngineError
from dupgroups.model import MIN_STORY_COPIES, Document, Seen
from dupgroups.model.field_names import Fields
from dupgroups.text.batches import batches
from dupgroups.text.language import normalize_language
from dupgroups.text.values import first_of, value_at
from dupgroups_es import queries
from dupgroups_es.cluster import Answer
from dupgroups_es.document_source import content_of, hit_group, hit_version
from dupgroups_es.reading import RecordReader
from dupgroups_es.story_index import CountedStory, Member, StoryIndex

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


class StoryKeeper:
    """Keeps the records of the stories of a store; `_index` has them."""

    def __init__(self, store: RecordReader) -> None:
        self._store = store

    @property
    def _index(self) -> StoryIndex:
        return self._store.story_index

    # -- what a write changes

    def writing(
        self,
        documents: Sequence[Document],
        moves: Mapping[str, str],
        labels: Mapping[str, str],
        seen: Seen | None,
    ) -> AbstractContextManager[None]:
        """Write the records after what the block writes. A failure to write them is left to settling."""
        return self._keeping(self._changes_of(documents, moves, labels, seen))

    def deleting(self, ids: Sequence[str]) -> AbstractContextManager[None]:
        """The same for a block that deletes documents."""
        return self._keeping(StoryChanges({}, leaving={*self._groups_of(ids).values()}))

    def _changes_of(
        self,
        documents: Sequence[Document],
        moves: Mapping[str, str],
        labels: Mapping[str, str],
        seen: Seen | None,
    ) -> StoryChanges:
        ids = [document.record.id for document in documents]
        stored = [id_ for id_ in ids if seen is None or seen.records.get(id_) is not None]
        former = self._groups_of([*stored, *labels]) if stored or labels else {}
        sizes = Counter(document.record.group for document in documents)
        joined = defaultdict(list)
        for record in (document.record for document in documents):
            if record.group != record.id or sizes[record.group] > 1:
                joined[record.group].append(record.id)
        records = [document.record for document in documents]
        moved = {record.group for record in records if former.get(record.id, record.group) != record.group}
        returned = {record.group for record in records if record.id in former} & joined.keys()
        winners = self._store.redirect_index.resolve([*moves.values()]).values() if moves else ()
        return StoryChanges(
            joined,
            arriving={*moves.values(), *winners, *labels.values()} | moved | returned,
            leaving={*moves, *former.values()},
        )

    def _groups_of(self, ids: Sequence[str]) -> dict[str, str]:
        hits = self._store.hits(ids, ["dup_group"])
        return {id_: hit_group(hit) for id_, hit in hits.items() if "dup_group" in hit["_source"]}

    @contextmanager
    def _keeping(self, changes: StoryChanges) -> Iterator[None]:
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
        marked = self._index.mark_stale(
            stored[group] for group in recounted if stored[group].version is not None
        )
        stored |= marked
        yield
        joined = {group: ids for group, ids in changes.joined.items() if group not in recounted}
        try:
            if marked:  # what others wrote before these were read has to be seen
                self._store.refresh()
            self._write_stories({group: stored[group] for group in {*recounted, *joined}}, joined)
        except EngineError:
            self._store.cluster.own_writes.invalidate()

    def _read_stories(self, groups: Collection[str]) -> dict[str, CountedStory]:
        """The stories of these groups. If there is no index, or none any longer, it is made, and all stories
        are counted first.
        """
        self._prepare_stories()
        try:
            return self._index.read(groups)
        except EngineError as error:
            if error.temporary or self._index.is_there():
                raise
        self._index.is_ready = False
        self._prepare_stories()
        return self._index.read(groups)

    def _prepare_stories(self) -> None:
        if not self._index.is_ready and self._index.prepare():
            self.count_all()

    # -- counting

    def count_all(self) -> None:
        self._store.prepare_reading()
        if not self._index.is_ready:
            self._index.prepare()
        self._store.refresh()
        met: set[str] = set()
        for groups in batches(self._groups_of_several(), COUNTED_GROUPS):
            met.update(groups)
            self.count(groups)
        self._index.refresh()
        for groups in self._index.groups():
            self.count([group for group in groups if group not in met])

    def _groups_of_several(self) -> Iterator[str]:
        """The groups that have several members."""
        pages = self._store.cluster.scroll(self._store.index, queries.memberships())
        names = (hit_group(hit) for hits in pages for hit in hits)
        for group, members in groupby(names):
            if len([*islice(members, 2)]) > 1:
                yield group

    def count(self, groups: Iterable[str]) -> None:
        """Count the members of these groups, whether any story has a record yet or not."""
        if wanted := {*groups} - {""}:
            stored = self._index.read(wanted)
            self._store.refresh()  # what others have added to these records has to be counted
            self._write_stories(stored, {})

    def recount(self, groups: Iterable[str]) -> None:
        """Count the stories of groups that others have changed, if any story has a record yet."""
        if self._index.is_there():
            self.count(groups)

    def recount_stale(self) -> None:
        """Count the stories that a writer marked and did not count."""
        if self._index.is_there():
            self._index.refresh()
            self.count(self._index.stale_groups())

    def _write_stories(self, stored: Mapping[str, CountedStory], joined: Mapping[str, Sequence[str]]) -> None:
        """Write what changed of stories that were read: those that are `joined` get these members, the others
        are counted.
        """
        for _ in range(MAX_COUNT_TRIES):
            written = self._index.write(self._changed_stories(stored, joined))
            if not written.overtaken:
                if written.failures:
                    self._store.cluster.own_writes.invalidate()
                return
            self._store.refresh()
            stored, joined = self._index.read(written.overtaken), {}
        self._store.cluster.own_writes.invalidate()

    def _changed_stories(
        self, stored: Mapping[str, CountedStory], joined: Mapping[str, Sequence[str]]
    ) -> list[CountedStory]:
        members = self._members_of(
            stored.keys() - joined.keys(), {id_ for ids in joined.values() for id_ in ids}
        )
        bare = {name: story if name in joined else story.without_members() for name, story in stored.items()}
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
        ids = {*joined, *(record.id for group in groups for record in self._store.overlay.members(group))}
        for some in batches(sorted(groups), queries.PAGE_DOCUMENTS):
            ids.update(
                hit["_id"] for hit in self._store.page_hits(queries.by_id(queries.of_groups(some), False))
            )
        names = self._store.names
        fields = [*_RECORD_FIELDS, *filter(None, (names.site, names.language))]
        members = defaultdict(list)
        for id_, hit in self._store.hits(sorted(ids), fields).items():
            # who overtook this writer has counted it
            is_counted = id_ in joined and hit_version(hit) != self._store.cluster.own_writes.version(
                self._store.index, id_
            )
            if "dup_first_seen" in hit["_source"] and not is_counted:
                members[hit_group(hit)].append(_member_of(hit, names))
        return members

    def _add_credits(
        self, stories: Mapping[str, CountedStory], members: Mapping[str, Sequence[Member]]
    ) -> dict[str, StoryCredits]:
        """The credits of stories with those of these members, as far as they are among their oldest."""
        first = {group: _select_first(story, members.get(group, ())) for group, story in stories.items()}
        agencies = self._find_agencies([member.id for some in first.values() for member in some])
        return {
            group: story.credits.with_copies(
                [CreditedCopy(id_, agencies.get(id_, ()), ties) for id_, *_, ties in first[group]],
                partial(self._find_agencies, group=group),
            )
            for group, story in stories.items()
        }

    def _find_agencies(self, ids: Collection[str], group: str | None = None) -> dict[str, tuple[str, ...]]:
        """The agencies that documents credit, by id; with a `group` those of its members."""
        names = self._store.names
        fields = ["dup_group", *filter(None, (names.text, names.author, names.source))]
        agencies = {}
        for some in batches(sorted(ids), CREDITED_DOCUMENTS):
            for id_, hit in self._store.hits(some, fields).items():
                if group in (None, hit_group(hit)):
                    content = content_of(hit["_source"], names, "")
                    agencies[id_] = find_agencies(content.text, content.author, content.source)
        return agencies


def _select_first(story: CountedStory, members: Sequence[Member]) -> Sequence[Member]:
    """Those of the members that join a story whose texts are read."""
    counted = story.record.copies
    if counted + len(members) < MIN_STORY_COPIES:
        return ()
    oldest = sorted(members, key=lambda member: (member.first_seen, member.id))
    return oldest[: max(0, story_credits.MAX_SOURCED_COPIES - counted)]


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
