"""B-cubed precision and recall of groups.

Amit, Baldwin: Algorithms for scoring coreference chains (MUC-7, 1998), as in Gibson, Wellner, Lubar (CEDAR),
section 5.1.2. For a document d, with G(d) the group it was put in and C(d) its true cluster (both hold d):

    P(d) = |G(d) and C(d)| / |G(d)|        R(d) = |G(d) and C(d)| / |C(d)|

Members of G(d) that form an ignored pair with d and are not in C(d) are left out of G(d). Precision and
recall are the means over all documents. Unlike with pairs, a large group counts no more than its members.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import fmean

from dupgroups_lab.labels.labelled_pairs import Truth
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


def score_bcubed(groups: Mapping[str, str], truth: Truth) -> BCubed:
    """Means over all documents; `groups` maps every one of them to its group."""
    scores = bcubed_by_document(groups, truth).values()
    if not scores:
        return BCubed(1.0, 1.0)
    return BCubed(fmean(score.precision for score in scores), fmean(score.recall for score in scores))


def bcubed_by_document(groups: Mapping[str, str], truth: Truth) -> dict[str, BCubed]:
    """P(d) and R(d) of every document."""
    cluster = truth.clusters
    group_size = Counter(groups[document] for document in truth.documents)
    cluster_size = Counter(cluster[document] for document in truth.documents)
    overlap = Counter((groups[document], cluster[document]) for document in truth.documents)
    left_out = Counter(
        document
        for a, b in truth.ignored
        if groups[a] == groups[b] and cluster[a] != cluster[b]
        for document in (a, b)
    )
    return {
        document: BCubed(
            overlap[groups[document], cluster[document]]
            / (group_size[groups[document]] - left_out[document]),
            overlap[groups[document], cluster[document]] / cluster_size[cluster[document]],
        )
        for document in truth.documents
    }
