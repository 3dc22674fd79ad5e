"""The report on found duplicates as one HTML file that needs nothing else: figures, plots, worst errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from dupgroups.model import Content
from dupgroups_lab.duplicates.evaluation import NAMES, Area, Evaluation, Figure, Mistake
from dupgroups_lab.measures.curves import Curve
from dupgroups_lab.reports.page import SHOWN, comparison, figures, html_page, plots
from dupgroups_lab.reports.plots import Series, histogram, line_plot, value_plot

_UNSEEN = "The judge never saw the two: they share no key, or stand together only by way of others."


def html_report(
    title: str,
    found: Evaluation,
    contents: Mapping[str, Content],
    positive: Sequence[str],
    varied: tuple[str, Sequence[tuple[str, Evaluation]]] | None = None,
) -> str:
    """The whole page. `contents` has the articles of the mistakes to be shown.

    `varied` has the name of a parameter, and the evaluation for each of its values.
    """
    parts = (
        _summary(found, positive),
        _table(found),
        plots([*_plots(found), *([_varied(*varied)] if varied else [])]),
        _section("Wrong", "grouped, but not so labelled", found.wrong, contents),
        _section("Missed", "so labelled, but not grouped", found.missed, contents),
    )
    return html_page(title, parts)


def _summary(found: Evaluation, positive: Sequence[str]) -> str:
    truth = found.truth
    return (
        f"<p>{len(truth.documents):,} documents. To be found: {len(truth.positive):,} pairs labelled "
        f"{escape(' or '.join(positive))}; {len(truth.ignored):,} pairs with a label in between count "
        f"neither way; all others, of which {len(truth.hard):,} are listed, are not to be found. The keys "
        f"brought {found.looked_up:.1%} of the wanted pairs to the judge, and {found.candidates:.1f} pairs a "
        f"document.</p>"
    )


def _table(found: Evaluation) -> str:
    rows = [
        (shown, _cell(found.pairs.figures[name]), _cell(found.groups.figures[name]))
        for name, shown in NAMES.items()
    ]
    areas = [
        (f"AU-ROC, {name}", _cell(area.figure), "")
        for name, area in (("all pairs", found.every), ("listed pairs", found.hard))
    ]
    best = (
        f"<p>The best F1 of the pairs, {found.best[1]:.4f}, is at a score of {found.best[0]:.3f}.</p>"
        if found.best
        else ""
    )
    return (
        f"{figures(('', 'pairs', 'groups'), [*rows, *areas])}<p><small>In brackets: 95 % intervals, "
        f"bootstrap over stories; of AU-ROC by Hanley and McNeil.</small></p>{best}"
    )


def _cell(figure: Figure | None) -> str:
    if figure is None:
        return "–"
    return f"{figure.value:.4f} <small>[{figure.low:.3f}, {figure.high:.3f}]</small>"


def _plots(found: Evaluation) -> list[str]:
    curve = found.every.scores.curve
    over = curve.thresholds.tolist()
    three = [
        Series(name, list(zip(over, values.tolist(), strict=True)))
        for name, values in (("precision", curve.precision), ("recall", curve.recall), ("F1", curve.f1))
    ]
    rocs = [_roc("all pairs", found.every), _roc("listed pairs", found.hard)]
    scores = found.every.scores
    bars = [
        Series(name, [(score, 1) for score in values.tolist() if score > 0])
        for name, values in (("to be found", scores.positive), ("not to be found", scores.negative))
    ]
    return [
        line_plot("Precision, recall and F1 over thresholds", "threshold of the score", "", three),
        line_plot("ROC", "false positive rate", "true positive rate", rocs),
        histogram("Scores of judged pairs", "score", bars),
    ]


def _varied(name: str, varied: Sequence[tuple[str, Evaluation]]) -> str:
    """Figures by value, the values side by side."""
    lines = {
        "F1 of pairs": [each.pairs.confusion.f1 for _, each in varied],
        "F1 of groups": [each.groups.confusion.f1 for _, each in varied],
        "AU-ROC, listed": [each.hard.figure.value if each.hard.figure else 0.0 for _, each in varied],
    }
    return value_plot(f"By {name}", name, [value for value, _ in varied], lines)


def _roc(name: str, area: Area) -> Series:
    curve: Curve = area.scores.curve
    inner = zip(curve.fallout.tolist(), curve.recall.tolist(), strict=True)
    told = f" ({area.figure.value:.4f})" if area.figure else ""
    return Series(name + told, [(0.0, 0.0), *inner, (1.0, 1.0)])


def _section(name: str, meaning: str, mistakes: Sequence[Mistake], contents: Mapping[str, Content]) -> str:
    if not mistakes:
        return f"<h2>{name}: none</h2>"
    listed = "".join(_mistake(each, contents) for each in mistakes[:SHOWN])
    return f"<h2>{name}: {len(mistakes):,} pairs {meaning}</h2>{listed}"


def _mistake(mistake: Mistake, contents: Mapping[str, Content]) -> str:
    ids = mistake.judged
    told = [contents.get(own) or Content("") for own in ids]
    verdict = mistake.verdict
    relation = f"{verdict.relation} ({verdict.score:.2f})" if verdict else "never compared"
    reason = verdict.reason if verdict else _UNSEEN
    one, two = (each.text for each in told)
    heads = [_head(*each) for each in zip(ids, told, strict=True)]
    return comparison(f"{' | '.join(ids)}: {relation}", reason, heads, (one, two))


def _head(own: str, content: Content) -> str:
    source = " ".join(filter(None, (content.site, content.date)))
    return f"{escape(own)}<br>{escape(content.title)}<br><small>{escape(source)}</small>"
