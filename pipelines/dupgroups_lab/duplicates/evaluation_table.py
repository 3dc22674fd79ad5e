"""The table of scores that `evaluate duplicates` prints."""

from dupgroups_lab.duplicates.evaluation import NAMES, Evaluation
from dupgroups_lab.measures.bootstrap import Estimate
from dupgroups_lab.measures.pairwise import ratio
from dupgroups_lab.measures.tabulated import Tabulated


def extent(evaluation: Evaluation) -> str:
    """How much was measured, and the best threshold on it."""
    if not evaluation.best:
        return evaluation.truth.extent
    threshold, f1 = evaluation.best
    return f"{evaluation.truth.extent} Best F1 of the pairs: {f1:.4f} at a score of {threshold:.3f}."


def scores(evaluation: Evaluation) -> Tabulated:
    """All scores, of pairs and of groups."""
    both = (evaluation.pairs, evaluation.groups)
    counted = [f"{one.confusion.tp:,}, {one.confusion.fp:,}, {one.confusion.fn:,}" for one in both]
    rows = [(shown, *(cell(one.estimates[name]) for one in both)) for name, shown in NAMES.items()]
    rows.append(("AU-ROC, all pairs", cell(evaluation.every.estimate), ""))
    rows.append(("AU-ROC, listed pairs", cell(evaluation.hard.estimate), ""))
    rows.append(("share a key, of those to be found", f"{evaluation.looked_up:.2%}", ""))
    shared = ratio(len(evaluation.every.scores.negative), evaluation.every.scores.negatives)
    rows.append(("share a key, of all others", f"{shared:.3%}", ""))
    rows.append(("judged per document", f"{evaluation.candidates:.1f}", ""))
    rows.append(("by their texts, per document", f"{evaluation.texts:.2f}", ""))
    return Tabulated(("", "pairs", "groups"), [*rows, ("right, wrong, missed", *counted)])


def cell(estimate: Estimate | None) -> str:
    """An estimate with its interval."""
    return f"{estimate.value:.4f} [{estimate.low:.3f}, {estimate.high:.3f}]" if estimate else "-"
