"""The scores of a setting over all documents, and its differences to others: a row of tables 1 and 2."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dupgroups_lab.labels.pairs import Truth
from dupgroups_lab.measures.curves import Floats
from dupgroups_lab.measures.paired_bootstrap import Difference, Samples
from dupgroups_lab.papers.cedar.shingles import Setting
from dupgroups_lab.papers.exact import Reached, Weighted, similarities


@dataclass(frozen=True, slots=True)
class Row:
    """The scores of a setting over all documents; `published` is the paper's AU-ROC.

    `dropped`: the share (0 to 1) of the distinct shingles that are dropped as too frequent. `against`: its
    best F1 minus that of other rows, by their name.
    """

    setting: Setting
    published: float | None
    reached: Reached
    dropped: float
    against: Mapping[str, Difference]


@dataclass(frozen=True, slots=True)
class Measured:
    """The scores of a setting, the share of the shingles dropped, and its F1 in each sample of stories."""

    reached: Reached
    dropped: float
    f1: Floats

    @classmethod
    def of(cls, sets: Sequence[Weighted], dropped: float, truth: Truth, samples: Samples) -> Measured:
        """Measure the shingles of each document of `truth`, in the order of its documents."""
        similar = similarities(sets)
        reached = Reached.by(similar, sets, truth)
        best = reached.every
        found = similar.found(truth.documents, best.threshold) if best.f1 else set()
        return cls(reached, dropped, samples.f1(found))

    def row(self, setting: Setting, published: float | None, rivals: Mapping[str, Measured]) -> Row:
        """The row of this setting, compared with the rivals except itself."""
        against = {
            name: Difference.of(self.f1, rival.f1) for name, rival in rivals.items() if rival is not self
        }
        return Row(setting, published, self.reached, self.dropped, against)
