"""Copies with new information: those with many words that stand nowhere in the other text, against labels.

Who takes them for mere copies misses something (Gibson, Wellner, Lubar, LREC 2008, section 1). Words are
counted as on the page of a story.
"""

from collections.abc import Mapping

from dupgroups.flow.explain.spread import MAX_COMPARED_WORDS
from dupgroups.flow.explain.text_alignment import align
from dupgroups_lab.labels.labelled_pairs import Pair
from dupgroups_lab.measures.tabulated import NO_VALUE, Tabulated, percents

LEAST_SHARES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5)
KINDS = ("duplicate", "containment", "near")


def tabulate_marks(labels: Mapping[Pair, str], texts: Mapping[str, str]) -> Tabulated:
    """The pairs of each label, in %, that have at least a share of new words, and the precision of this mark:
    the share of the marked pairs that are no duplicates. "-" without pairs.
    """
    shares: dict[str, list[float]] = {kind: [] for kind in KINDS}
    for (a, b), label in labels.items():
        if label in shares and a in texts and b in texts:
            shares[label].append(new_words(texts[a], texts[b]))
    rows = []
    for least in LEAST_SHARES:
        counts = [sum(share >= least for share in shares[kind]) for kind in KINDS]
        parts = [*zip(counts, map(len, shares.values()), strict=True), (sum(counts[1:]), sum(counts))]
        shown = (percents([count / total])[0] if total else NO_VALUE for count, total in parts)
        rows.append((f"{least:.0%} new words", *shown))
    return Tabulated(("marked, %", *KINDS, "precision"), rows)


def new_words(a: str, b: str) -> float:
    """The larger share (0 to 1) of words of one text that the other has not; 0 for texts without words."""
    aligned = align(a, b, MAX_COMPARED_WORDS)
    return max((words - aligned.common) / max(words, 1) for words in aligned.words)
