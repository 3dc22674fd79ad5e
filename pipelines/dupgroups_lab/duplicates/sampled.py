"""Groups against a labelled sample of pairs: each stands for others; what is not listed is not labelled."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from dupgroups_lab.labels.labelled_pairs import Pair, Weight
from dupgroups_lab.measures.pairwise import Confusion
from dupgroups_lab.measures.tabulated import Tabulated, decimals

SHORT_WORDS = 70  # a pair is short if its shorter text has fewer

_FITS: Mapping[str, Callable[[int], bool]] = {
    "all": lambda words: True,
    f"under {SHORT_WORDS} words": lambda words: words < SHORT_WORDS,
    f"{SHORT_WORDS} words and more": lambda words: words >= SHORT_WORDS,
}


def scores(
    groups: Mapping[str, str],
    labels: Mapping[Pair, str],
    weights: Mapping[Pair, Weight],
    positive: Sequence[str] = ("duplicate",),
) -> Tabulated:
    """Weighted precision, recall and F1 of the labelled pairs in one group, and unweighted counts.

    Pairs that are neither positive nor `non` count neither way, and lengths of which none counts have no row.
    A document without a group is alone.
    """
    rows = []
    for name, fits in _FITS.items():
        weighted, counts = Counter[str](), Counter[str]()
        for ids, label in labels.items():
            group, other = map(groups.get, ids)
            kind = _kind(label, positive, together=group is not None and group == other)
            if kind and fits(weights[ids].words):
                weighted[kind] += weights[ids].pairs  # type: ignore[assignment]  # a weight need not be whole
                counts[kind] += 1
        if not counts:
            continue
        one = Confusion(weighted["right"], weighted["wrong"], weighted["missed"], 0)
        figures = decimals((one.precision, one.recall, one.f1), 4)
        rows.append((name, *figures, ", ".join(str(counts[kind]) for kind in ("right", "wrong", "missed"))))
    return Tabulated(("sampled pairs", "precision", "recall", "F1", "right, wrong, missed"), rows)


def _kind(label: str, positive: Sequence[str], *, together: bool) -> str:
    """Whether a pair is right, wrong or missed; "" if it counts neither way."""
    if label in positive:
        return "right" if together else "missed"
    return "wrong" if label == "non" and together else ""
