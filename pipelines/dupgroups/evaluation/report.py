"""The report on found duplicates as one HTML file that needs nothing else: figures, plots, worst errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from dupgroups.evaluation.curves import Curve
from dupgroups.evaluation.differences import side_by_side
from dupgroups.evaluation.duplicates import NAMES, Area, Evaluation, Figure, Mistake
from dupgroups.evaluation.plots import Series, histogram, line_plot
from dupgroups.model import Content

SHOWN = 20  # mistakes of each kind
_LONGEST = 20_000  # characters of a text that are compared
_UNSEEN = "The judge never saw the two: they share no key, or stand together only by way of others."

_STYLE = """
:root { color-scheme: light dark; --line: #8884; --s0: #0b6bcb; --s1: #c2410c; --s2: #15803d; }
@media (prefers-color-scheme: dark) { :root { --s0: #6cb6ff; --s1: #ff9b6b; --s2: #6fdd8b; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; } .figures td, .figures th { padding: .2rem .8rem; text-align: right; }
.figures tr { border-bottom: 1px solid var(--line); } small { opacity: .75; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(20rem, 1fr)); gap: 1rem; }
figure { margin: 0; } figcaption { font-weight: 600; }
svg { width: 100%; font-size: 11px; fill: currentColor; }
polyline { fill: none; stroke-width: 2; } .grid { stroke: var(--line); } .legend span { margin-right: 1rem; }
.legend i { display: inline-block; width: .8em; height: .8em; margin-right: .3em; }
polyline.s0 { stroke: var(--s0); } polyline.s1 { stroke: var(--s1); } polyline.s2 { stroke: var(--s2); }
rect.s0 { fill: var(--s0); } rect.s1 { fill: var(--s1); } rect.s2 { fill: var(--s2); }
i.s0 { background: var(--s0); } i.s1 { background: var(--s1); } i.s2 { background: var(--s2); }
details { border-top: 1px solid var(--line); padding: .4rem 0; } summary { cursor: pointer; }
.diff { width: 100%; table-layout: fixed; } .diff td { vertical-align: top; padding: .15rem .6rem; }
.diff td { overflow-wrap: anywhere; } .same { opacity: .65; }
del { background: #f8717155; text-decoration: none; } ins { background: #4ade8055; text-decoration: none; }
"""


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
        f"<h1>{escape(title)}</h1>",
        _summary(found, positive),
        _table(found),
        f'<div class="plots">{"".join(_plots(found))}{_varied(*varied) if varied else ""}</div>',
        _section("Wrong", "grouped, but not so labelled", found.wrong, contents),
        _section("Missed", "so labelled, but not grouped", found.missed, contents),
    )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" '
        f'content="width=device-width"><title>{escape(title)}</title><style>{_STYLE}</style></head><body>'
        f"{''.join(parts)}</body></html>\n"
    )


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
    rows = "".join(
        f'<tr><th scope="row">{shown}</th>{_cell(found.pairs.figures[name])}'
        f"{_cell(found.groups.figures[name])}</tr>"
        for name, shown in NAMES.items()
    )
    areas = "".join(
        f'<tr><th scope="row">AU-ROC, {name}</th>{_cell(area.figure)}<td></td></tr>'
        for name, area in (("all pairs", found.every), ("listed pairs", found.hard))
    )
    best = (
        f"<p>The best F1 of the pairs, {found.best[1]:.4f}, is at a score of {found.best[0]:.3f}.</p>"
        if found.best
        else ""
    )
    return (
        '<table class="figures"><thead><tr><th></th><th scope="col">pairs</th><th scope="col">groups</th>'
        f"</tr></thead><tbody>{rows}{areas}</tbody></table><p><small>In brackets: 95 % intervals, bootstrap "
        f"over stories; of AU-ROC by Hanley and McNeil.</small></p>{best}"
    )


def _cell(figure: Figure | None) -> str:
    if figure is None:
        return "<td>–</td>"
    return f"<td>{figure.value:.4f} <small>[{figure.low:.3f}, {figure.high:.3f}]</small></td>"


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
    places = [(place + 0.5) / len(varied) for place in range(len(varied))]
    figures = (
        ("F1 of pairs", [each.pairs.confusion.f1 for _, each in varied]),
        ("F1 of groups", [each.groups.confusion.f1 for _, each in varied]),
        ("AU-ROC, listed", [each.hard.figure.value if each.hard.figure else 0.0 for _, each in varied]),
    )
    lines = [Series(each, list(zip(places, values, strict=True))) for each, values in figures]
    marks = list(zip(places, (value for value, _ in varied), strict=True))
    return line_plot(f"By {name}", name, "", lines, marks)


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
    heads = "".join(map(_head, ids, told))
    rows = side_by_side(*(each.text[:_LONGEST] for each in told))
    return (
        f"<details><summary>{escape(' | '.join(ids))}: {relation}</summary>"
        f"<p>{escape(reason)}</p>"
        f'<table class="diff"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></details>'
    )


def _head(own: str, content: Content) -> str:
    source = " ".join(filter(None, (content.site, content.date)))
    return f"<th>{escape(own)}<br>{escape(content.title)}<br><small>{escape(source)}</small></th>"
