"""One look at a store, for a batch of records that are to be grouped: all that a plan knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from dupgroups.grouping.components import Age
from dupgroups.grouping.constraints import NO_CORRECTIONS, Corrections
from dupgroups.model import Record, Seen


@dataclass(frozen=True, slots=True)
class Batch:
    """The records that are to be grouped, and what the store holds under their ids."""

    records: Sequence[Record] = ()
    """The batch, each record with another id: first stored records to regroup, then those that arrive."""

    regrouped: frozenset[str] = frozenset()
    """The ids of the stored records in the batch."""

    stored: Mapping[str, Record] = field(default_factory=dict)
    """What the store holds under the ids of the batch, by id; new documents are absent."""

    former: Mapping[str, str] = field(default_factory=dict)
    """The group in which each stored document of the batch is, and each document that is about to be
    deleted."""


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Candidates that a batch may join, and the groups that it touches."""

    candidates: Mapping[str, Sequence[Record]] = field(default_factory=dict)
    """For each id the records that share keys with it, stored ones and earlier ones of the batch."""

    groups: Mapping[str, Age] = field(default_factory=dict)
    """For the group of each stored candidate, the age of the document that names it now, after redirects."""

    oldest_outside: Mapping[str, Age] = field(default_factory=dict)
    """For each group in `Batch.former` with members outside of the batch, the age of the oldest of these."""

    sizes: Mapping[str, int] = field(default_factory=dict)
    """The number of members of large groups, which average linkage leaves as they are; a group that is absent
    counts as one member, unless it is regrouped."""

    head_candidates: Mapping[str, Sequence[Record]] = field(default_factory=dict)
    """Candidates for the head of a group: of its members outside of the batch, the head and whoever should
    be. Groups in `groups` have an entry only where heads are elected."""

    groups_of_kept_apart: Mapping[str, str] = field(default_factory=dict)
    """The groups of documents outside of the batch that people keep apart from something, by id."""


@dataclass(frozen=True, slots=True)
class View:
    """Everything that a plan knows."""

    batch: Batch = Batch()
    """The records to group."""
    nearby: Neighbourhood = Neighbourhood()
    """Whatever the batch may join or touch."""
    corrections: Corrections = NO_CORRECTIONS
    """What people said about these documents."""

    is_cut: bool = False
    """Whether more documents depend on one another than are regrouped at once; the rest keeps its groups."""

    seen: Seen | None = None
    """The versions of the store and of single documents that all this was read at; None without a store."""
