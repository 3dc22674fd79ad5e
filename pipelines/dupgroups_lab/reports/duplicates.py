"""The report on duplicates as one self-contained HTML file: scores, plots, worst errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from dupgroups.model import Content
from dupgroups_lab.duplicates.evaluation import NAMES, Area, Estimate, Evaluation, Mistake
from dupgroups_lab.measures.curves import Curve
from dupgroups_lab.measures.pairwise import ratio
from dupgroups_lab.measures.tabulated import Tabulated
from dupgroups_lab.reports.page import MAX_SHOWN_ERRORS, comparison, html_page, score_table
from dupgroups_lab.reports.plots import Series, line_plot

_UNSEEN = (
    "The judge never compared the two: they share no key, or are in one group only through other documents."
)


def html_report(title: str, evaluation: Evaluation, contents: Mapping[str, Content]) -> str:
    """The whole page. `contents` has the articles of the mistakes to show."""
    how = "In brackets: 95 % intervals, bootstrap over stories; of AU-ROC by Hanley and McNeil."
    parts = (
        f"<p>{escape(extent(evaluation))}</p>",
        score_table(scores(evaluation)),
        f"<p><small>{how}</small></p>",
        _plots(evaluation),
        _section("Wrong", "grouped, but not labelled so", evaluation.wrong, contents),
        _section("Missed", "labelled so, but not grouped", evaluation.missed, contents),
    )
    return html_page(title, parts)


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


def _plots(evaluation: Evaluation) -> str:
    curve = evaluation.every.scores.curve
    thresholds = curve.thresholds.tolist()
    lines = [
        Series(name, list(zip(thresholds, values.tolist(), strict=True)))
        for name, values in (("precision", curve.precision), ("recall", curve.recall), ("F1", curve.f1))
    ]
    rocs = [_roc("all pairs", evaluation.every), _roc("listed pairs", evaluation.hard)]
    over_thresholds = line_plot(
        "Precision, recall and F1 over thresholds", "threshold of the score", "", lines
    )
    roc = line_plot("ROC", "false positive rate", "true positive rate", rocs)
    return f'<div class="plots">{over_thresholds}{roc}</div>'


def _roc(name: str, area: Area) -> Series:
    curve: Curve = area.scores.curve
    inner = zip(curve.fallout.tolist(), curve.recall.tolist(), strict=True)
    value = f" ({area.estimate.value:.4f})" if area.estimate else ""
    return Series(name + value, [(0.0, 0.0), *inner, (1.0, 1.0)])


def _section(name: str, meaning: str, mistakes: Sequence[Mistake], contents: Mapping[str, Content]) -> str:
    if not mistakes:
        return f"<h2>{name}: none</h2>"
    listed = "".join(_mistake(mistake, contents) for mistake in mistakes[:MAX_SHOWN_ERRORS])
    return f"<h2>{name}: {len(mistakes):,} pairs {meaning}</h2>{listed}"


def _mistake(mistake: Mistake, contents: Mapping[str, Content]) -> str:
    ids = mistake.judged
    shown = [contents.get(document) or Content("") for document in ids]
    verdict = mistake.verdict
    relation = f"{verdict.relation} ({verdict.score:.2f})" if verdict else "never compared"
    reason = verdict.reason if verdict else _UNSEEN
    one, two = (content.text for content in shown)
    heads = [_head(*document) for document in zip(ids, shown, strict=True)]
    return comparison(f"{' | '.join(ids)}: {relation}", reason, heads, (one, two))


def _head(document: str, content: Content) -> str:
    source = " ".join(filter(None, (content.site, content.date)))
    return f"{escape(document)}<br>{escape(content.title)}<br><small>{escape(source)}</small>"
