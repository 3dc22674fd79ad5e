"""What one look at a store gave, as plain values: all that a plan may know of the store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from dupgroups.grouping.components import Age
from dupgroups.grouping.corrections import NOTHING, Corrections
from dupgroups.model import Record, Seen


@dataclass(frozen=True, slots=True)
class View:
    """What a store says about a batch of records that are to be grouped.

    `records`: the batch, each of another id: stored ones that are grouped anew, then those that arrive.
    `unchanged`: documents that arrived as they are stored, by id; they are not in the batch. `regrouped`:
    ids of the stored ones of the batch. `stored`: what the store has under the ids of the batch.
    `candidates`: for each id the records that share keys, those of the store and earlier ones of the batch.
    `groups`: for the label of each stored candidate the age of the document that names its group now
    (redirects followed). `former`: for each stored document of the batch, and each that is about to go, the
    group that it is in. `left_behind`: for each of these groups that has members outside of the batch, the
    age of the oldest of them. `sizes`: the number of members of groups that are large and therefore stay as
    they are with average linkage; other groups that are not put together anew count as one. `standing`: by
    group, of the members outside of the batch those that are its head or should be; of a group in `groups`
    only where heads are elected. `corrections`: what people said of documents, and `places`: the groups of
    those outside of the batch whom they keep apart. `is_cut`: more documents than are put together anew at
    once depend on each other; the rest stays as it is. `seen`: the versions of all this.
    """

    records: Sequence[Record] = ()
    unchanged: Mapping[str, Record] = field(default_factory=dict)
    regrouped: frozenset[str] = frozenset()
    stored: Mapping[str, Record] = field(default_factory=dict)
    candidates: Mapping[str, Sequence[Record]] = field(default_factory=dict)
    groups: Mapping[str, Age] = field(default_factory=dict)
    former: Mapping[str, str] = field(default_factory=dict)
    left_behind: Mapping[str, Age] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)
    standing: Mapping[str, Sequence[Record]] = field(default_factory=dict)
    corrections: Corrections = NOTHING
    places: Mapping[str, str] = field(default_factory=dict)
    is_cut: bool = False
    seen: Seen | None = None
