"""Whether the groups of a store are what they should be: the rules of docs/groups.md, checked one by one.

Every document is read once. Of each some hundred bytes stay in memory; its keys, body, id and group are
written to a temporary folder when all of them need too much.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from dupgroups.bulk.offline.bulk import group_corpus
from dupgroups.bulk.offline.corpus import Columns, Corpus, Numbers
from dupgroups.bulk.offline.page_groups import CORPUS_MEMORY_BYTES
from dupgroups.bulk.offline.scratch import Scratch, Strings
from dupgroups.engines import Engine
from dupgroups.engines.common import site_of
from dupgroups.flow.frame_log import read_frames
from dupgroups.flow.method_set import MethodSet
from dupgroups.grouping.constraints import Corrections
from dupgroups.grouping.grouping_rule import GroupingRule
from dupgroups.methods.frames import Frames
from dupgroups.methods.sketches.keys import key_hashes
from dupgroups.model import NO_SIGNATURE, Check, Record, StoryRecord
from dupgroups.model.config import Config
from dupgroups.text.batches import batches
from dupgroups.text.counted import count_noun

CURE = "run `dup-groups regroup --all`"
READ_DOCUMENTS = 1_000  # documents that are read together
MAX_NAMED_GROUPS = 3  # groups that a line names


RULES = {
    "names": ("group", "has its oldest member's id", "with another name than that"),
    "one main copy": (
        "group",
        "has one main copy, the member that is to stand for it",
        "with no main copy, several, or another one than the configuration chooses",
    ),
    "former names": (
        "redirect",
        "leads to where its group is now",
        "leading away from a group that is there, or in a circle",
    ),
    "figures": (
        "group",
        "has the copies and sites that its record says",
        "whose records say other copies or sites than they have",
    ),
    "partition": (
        "document",
        "is in the group that grouping all of them at once gives it",
        "in another group than grouping all of them at once gives",
    ),
    # not where whoever entered one died before its groups were put together anew, or groups do not keep it
    "corrections": ("correction", "has been carried out", "not carried out"),
}
"""For each rule what is checked, and what is said of all that keep it, and of some that break it."""


def audit(engine: Engine, config: Config | None = None) -> list[Check]:
    """One line for each rule; an empty engine passes all. Raises EngineError when it cannot be read."""
    config = config or Config()
    engine.refresh()
    with Scratch(CORPUS_MEMORY_BYTES) as scratch:
        log = engine.corrections(fresh=True)
        corrections = Corrections.of(log)
        stored = _Stored(scratch, engine, config, corrections)
        disregarded = stored.find_disregarded()
        left = [entry.number for entry in log if not entry.carried_out or entry.number in disregarded]
        return [
            _check("names", stored.find_misnamed()),
            _check("one main copy", stored.with_wrong_heads(corrections.heads)),
            _check("former names", _astray(dict(engine.redirects()), stored.are_groups)),
            _check("figures", stored.find_miscounted(_all_stories(engine))),
            _check("partition", stored.find_misplaced(config, corrections, read_frames(log))),
            _check("corrections", [*map(str, left)]),
            stored.check_largest(),
            stored.check_texts(),
            _check_gone(engine),
            _check_backlog(engine),
        ]


class _Stored:
    """All stored documents, in the order of their age; groups are numbered by the hashes of their names."""

    def __init__(self, scratch: Scratch, engine: Engine, config: Config, corrections: Corrections) -> None:
        self._corpus = Corpus(scratch)
        self._read = engine.texts
        self._corrections = corrections
        self._corrected: dict[str, str] = {}  # the groups of documents of which people said something
        self._names = Strings(scratch, "groups")
        rule, schemes = GroupingRule.of(config), MethodSet(config).schemes
        self._textless = 0
        hashes, ids, sites = ([np.empty(0, np.uint64)] for _ in range(3))
        flags = [(np.empty(0, np.bool_), np.empty(0, np.bool_))]
        for documents in batches(engine.scan(), READ_DOCUMENTS):
            records = [document.record for document in documents]
            signed = [record.signature.scheme in schemes for record in records]
            self._corpus.add(_columns(records, signed, rule))
            groups = [record.group for record in records]
            self._corrected |= {record.id: record.group for record in records if record.id in corrections.ids}
            self._names.extend(groups)
            hashes.append(key_hashes(groups))
            self._textless += sum(
                bool(document.record.signature) and not document.content.text for document in documents
            )
            ids.append(key_hashes([record.id for record in records]))
            sites.append(key_hashes([*map(site_of, documents)]))
            heads = [record.is_head for record in records]
            flags.append((np.array(heads, np.bool_), np.array(signed, np.bool_)))
        order = self._corpus.order
        self._groups = np.concatenate(hashes)[order]
        self._ids = np.concatenate(ids)[order]
        self._sites = np.concatenate(sites)[order]
        columns = (np.concatenate(column)[order] for column in zip(*flags, strict=True))
        self._heads, self._signed = columns
        # of each group the oldest member; the group of each document
        _, self._oldest, self._numbers = np.unique(self._groups, return_index=True, return_inverse=True)

    def _names_of(self, places: Numbers) -> list[str]:
        return self._names.texts(self._corpus.order[places])

    def find_misnamed(self) -> list[str]:
        """Groups that are not named by their oldest member."""
        return self._names_of(self._oldest[self._ids[self._oldest] != self._groups[self._oldest]])

    def with_wrong_heads(self, pinned: Mapping[str, int]) -> list[str]:
        """Groups that have not exactly one head, the one that is pinned or elected, or else names them."""
        elected = self._corpus.heads(self._oldest[self._numbers], pinned)[self._oldest]
        heads = np.bincount(self._numbers[self._heads], minlength=len(elected))
        return self._names_of(elected[(heads != 1) | ~self._heads[elected]])

    def are_groups(self, names: Sequence[str]) -> list[bool]:
        """Which of these names a group has."""
        found: list[bool] = np.isin(key_hashes(names), self._groups).tolist()
        return found

    def find_miscounted(self, stories: Iterable[StoryRecord]) -> list[str]:
        """Stories whose record says other copies or sites than there are, and those without a record."""
        named = self._sites != key_hashes([""])[0]
        pairs = np.unique(np.stack([self._numbers[named].astype(np.uint64), self._sites[named]]), axis=1)
        sites = np.bincount(pairs[0].astype(np.int64), minlength=len(self._oldest))
        copies = np.bincount(self._numbers, minlength=len(self._oldest))
        several = np.flatnonzero(copies > 1)
        names = self._names_of(self._oldest[several])
        figures = zip(copies[several].tolist(), sites[several].tolist(), strict=True)
        counted = dict(zip(names, figures, strict=True))
        kept = {story.group: (story.copies, story.sites) for story in stories if story.is_story}
        return [name for name in counted | kept if counted.get(name) != kept.get(name)]

    def find_misplaced(self, config: Config, corrections: Corrections, frames: Frames) -> list[str]:
        """Documents whose group is not the one that all documents together give them."""
        oldest = group_corpus(self._corpus, config, corrections, read=self._read, frames=frames).oldest
        return self._corpus.ids(np.flatnonzero(self._signed & (self._ids[oldest] != self._groups)))

    def find_disregarded(self) -> set[int]:
        """The corrections whose documents are stored, and not where they are to be."""
        said, stored = self._corrections, self._corrected
        return {
            number
            for pairs, together in ((said.apart, False), (said.together, True))
            for (a, b), number in pairs.items()
            if a in stored and b in stored and (stored[a] == stored[b]) is not together
        }

    def check_largest(self) -> Check:
        """The groups of most documents: a chain or a template of a site shows here first."""
        sizes = np.bincount(self._numbers, minlength=len(self._oldest))
        first = np.lexsort((self._oldest, -sizes))[:MAX_NAMED_GROUPS]
        first = first[sizes[first] > 1]
        named = zip(self._names_of(self._oldest[first]), sizes[first].tolist(), strict=True)
        detail = ", ".join(f"{name} ({count_noun(size, 'document')})" for name, size in named)
        return Check("largest groups", True, detail or "every document is alone")

    def check_texts(self) -> Check:
        """How many signed documents have no text, as where another tool keeps html."""
        count = count_noun(self._textless, "document")
        detail = f"{count} without a text: compared by their signatures alone, which find fewer copies"
        return Check("texts", True, detail if self._textless else "every signed document has its text")


def _columns(records: Sequence[Record], signed: Sequence[bool], rule: GroupingRule) -> Columns:
    """Look-ups of stored records for grouping; only those that are `signed` as configured can be compared."""
    comparable = [
        record if known else replace(record, signature=NO_SIGNATURE)
        for record, known in zip(records, signed, strict=True)
    ]
    ranks = [rule.order(record)[0] if rule.elects else record.id != record.group for record in records]
    return Columns.of(comparable, ranks)


def _all_stories(engine: Engine) -> Iterator[StoryRecord]:
    mark: object = None
    while True:
        records, mark = engine.changed_stories(mark)
        if not records:
            return
        yield from records


def _astray(redirects: Mapping[str, str], are_groups: Callable[[Sequence[str]], list[bool]]) -> list[str]:
    """Names that a group still has, and names that lead back to themselves."""
    wrong = []
    for name, is_group in zip(redirects, are_groups(list(redirects)), strict=True):
        passed, end = {name}, redirects[name]
        while end in redirects and end not in passed:
            passed.add(end)
            end = redirects[end]
        if is_group or end in passed:
            wrong.append(name)
    return wrong


def _check_gone(engine: Engine) -> Check:
    """Documents that other tools deleted, and that can still be read as they were before a change."""
    gone = [id_ for ids in engine.find_gone() for id_ in ids]
    if not gone:
        return Check("deleted", True, "nothing is kept of a document that is gone")
    count = count_noun(len(gone), "document")
    what = f"earlier texts of {count} that other tools deleted are kept ({_list_first(gone)})"
    return Check("deleted", False, f"{what}: run `dup-groups regroup`, or `dup-groups delete`")


def _check_backlog(engine: Engine) -> Check:
    count = sum(len(batch) for batch in engine.backlog().records)
    left = f"{count_noun(count, 'document')} not looked at yet: run `dup-groups regroup`"
    return Check("looked at", not count, left if count else "everything that was written has been looked at")


def _check(rule: str, wrong: Collection[str]) -> Check:
    """The line on a rule, and what breaks it, by name."""
    noun, well, ill = RULES[rule]
    if wrong:
        return Check(rule, False, f"{count_noun(len(wrong), noun)} {ill} ({_list_first(wrong)}): {CURE}")
    return Check(rule, True, f"every {noun} {well}")


def _list_first(names: Iterable[str]) -> str:
    first = sorted(names)
    return ", ".join(first[:MAX_NAMED_GROUPS]) + (", ..." if len(first) > MAX_NAMED_GROUPS else "")
