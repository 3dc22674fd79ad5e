"""B-cubed precision and recall of groups.

Amit, Baldwin: Algorithms for scoring coreference chains (MUC-7, 1998), as in Gibson, Wellner, Lubar (CEDAR),
section 5.1.2. For a document d, with G(d) its found group and C(d) its true cluster (both hold d itself):

    P(d) = |G(d) and C(d)| / |G(d)|        R(d) = |G(d) and C(d)| / |C(d)|

Members of G(d) that make an ignored pair with d and are not in C(d) are left out of G(d). Precision and
recall are the means over all documents. Unlike pairs, one large group counts no more than its members.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import fmean

from dupgroups_lab.labels.pairs import Truth
from dupgroups_lab.measures.pairwise import ratio


@dataclass(frozen=True, slots=True)
class BCubed:
    """Precision and recall, each 0 to 1 (1 for no documents), of groups or of one document."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall, 0 to 1."""
        return ratio(2 * self.precision * self.recall, self.precision + self.recall)


def bcubed(groups: Mapping[str, str], truth: Truth) -> BCubed:
    """Means over all documents; `groups` maps every one of them to its group."""
    each = bcubed_by_document(groups, truth).values()
    if not each:
        return BCubed(1.0, 1.0)
    return BCubed(fmean(one.precision for one in each), fmean(one.recall for one in each))


def bcubed_by_document(groups: Mapping[str, str], truth: Truth) -> dict[str, BCubed]:
    """P(d) and R(d) of every document."""
    cluster = truth.clusters
    found = Counter(groups[own] for own in truth.documents)
    true = Counter(cluster[own] for own in truth.documents)
    both = Counter((groups[own], cluster[own]) for own in truth.documents)
    left_out = Counter(
        own for a, b in truth.ignored if groups[a] == groups[b] and cluster[a] != cluster[b] for own in (a, b)
    )
    return {
        own: BCubed(
            both[groups[own], cluster[own]] / (found[groups[own]] - left_out[own]),
            both[groups[own], cluster[own]] / true[cluster[own]],
        )
        for own in truth.documents
    }
