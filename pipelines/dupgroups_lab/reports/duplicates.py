"""The report on duplicates as one self-contained HTML file: scores, plots, worst errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from dupgroups.model import Content
from dupgroups_lab.duplicates.evaluation import NAMES, Area, Estimate, Evaluation, Mistake
from dupgroups_lab.measures.curves import Curve
from dupgroups_lab.reports.page import SHOWN, comparison, html_page, score_table
from dupgroups_lab.reports.plots import Series, line_plot

_UNSEEN = (
    "The judge never compared the two: they share no key, or are in one group only through other documents."
)


def html_report(
    title: str,
    evaluation: Evaluation,
    contents: Mapping[str, Content],
    positive: Sequence[str],
) -> str:
    """The whole page. `contents` has the articles of the mistakes to show."""
    parts = (
        _summary(evaluation, positive),
        _table(evaluation),
        _plots(evaluation),
        _section("Wrong", "grouped, but not labelled so", evaluation.wrong, contents),
        _section("Missed", "labelled so, but not grouped", evaluation.missed, contents),
    )
    return html_page(title, parts)


def _summary(evaluation: Evaluation, positive: Sequence[str]) -> str:
    truth = evaluation.truth
    return (
        f"<p>{len(truth.documents):,} documents. To be found: {len(truth.positive):,} pairs labelled "
        f"{escape(' or '.join(positive))}; {len(truth.ignored):,} pairs with a label in between count "
        f"neither way; all others, of which {len(truth.hard):,} are listed, are not to be found. Of the "
        f"pairs to be found, {evaluation.looked_up:.1%} share a key; {evaluation.candidates:.1f} pairs were "
        f"judged per document.</p>"
    )


def _table(evaluation: Evaluation) -> str:
    rows = [
        (shown, _cell(evaluation.pairs.estimates[name]), _cell(evaluation.groups.estimates[name]))
        for name, shown in NAMES.items()
    ]
    areas = [
        (f"AU-ROC, {name}", _cell(area.estimate), "")
        for name, area in (("all pairs", evaluation.every), ("listed pairs", evaluation.hard))
    ]
    best = ""
    if evaluation.best:
        threshold, f1 = evaluation.best
        best = f"<p>The best F1 of the pairs, {f1:.4f}, is at a score of {threshold:.3f}.</p>"
    return (
        f"{score_table(('', 'pairs', 'groups'), [*rows, *areas])}<p><small>In brackets: 95 % intervals, "
        f"bootstrap over stories; of AU-ROC by Hanley and McNeil.</small></p>{best}"
    )


def _cell(estimate: Estimate | None) -> str:
    if estimate is None:
        return "–"
    return f"{estimate.value:.4f} <small>[{estimate.low:.3f}, {estimate.high:.3f}]</small>"


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
    listed = "".join(_mistake(mistake, contents) for mistake in mistakes[:SHOWN])
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
