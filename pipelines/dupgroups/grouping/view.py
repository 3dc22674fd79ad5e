"""What one look at a store gave, as plain values: all that a plan may know of the store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from dupgroups.grouping.components import Age
from dupgroups.model import Record


@dataclass(frozen=True, slots=True)
class View:
    """What a store says about a batch of documents.

    `unchanged`: the records of the documents that it has as they are, by id. All others are to be written:

    `stored`: what it has under their ids. `candidates`: for each of their ids the records that share keys,
    those of the store and earlier ones of the batch. `groups`: for the label of each stored candidate, and of
    each record that stays, the age of the document that names its group now (redirects followed).
    `left_behind`: groups that lose the document that names them -> the age of their oldest other member.
    `staying`: ids of records that are only looked at again: they keep their group and are not written.
    """

    unchanged: Mapping[str, Record] = field(default_factory=dict)
    stored: Mapping[str, Record] = field(default_factory=dict)
    candidates: Mapping[str, Sequence[Record]] = field(default_factory=dict)
    groups: Mapping[str, Age] = field(default_factory=dict)
    left_behind: Mapping[str, Age] = field(default_factory=dict)
    staying: frozenset[str] = frozenset()
