"""The report on extractors as one HTML file: scores, plots, and the worst pages of the first extractor."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

from dupgroups_lab.extraction.run import Extracted, Row, overall, rows, worst
from dupgroups_lab.extraction.scores import MEAN, PUBLISHED
from dupgroups_lab.extraction.tables import cells
from dupgroups_lab.reports.page import SHOWN, comparison, html_page, plots, score_table
from dupgroups_lab.reports.plots import Series, bar_plot, line_plot, point_plot

_COLUMNS = (
    "extractor, pages of",
    *("pages", "P", "R", "F1", "mean F1"),
    *("block P, %", "block R, %", "exact pages, %"),
    *("pages a second", "parses", "own parses"),
)
_HOW = """Precision (P) and recall (R) are means over pages, of multisets of 4-gram shingles; F1 is their
harmonic mean, with a 95 % interval (bootstrap over sites). A block is wanted when the gold has at least half
of its tokens; all blocks of an exact page are right. Times are of one core. "Parses" is the time of the whole
extraction as a multiple of the time to parse the page; with every extractor, it includes the network of
"auto", which decides whether the page is an article. "Own parses" is the extractor alone, on the divided
page."""


def html_report(extractions: Mapping[str, Sequence[Extracted]]) -> str:
    """The whole page, from the results of each extractor (at least one) on the same pages."""
    first, pages = next(iter(extractions.items()))
    all_rows = {name: rows(extracted) for name, extracted in extractions.items()}
    packs = list(dict.fromkeys(extracted.page.pack for extracted in pages))
    sites = len({extracted.page.site for extracted in pages})
    return html_page(
        f"Extraction of {', '.join(packs)}",
        (
            f"<p>{len(pages):,} pages with gold text, of {sites:,} sites.</p>",
            score_table(
                _COLUMNS,
                [_line(name, row) for name, extractor_rows in all_rows.items() for row in extractor_rows],
            ),
            f"<p><small>{_HOW}{_published(list(extractions))}</small></p>",
            plots(_plots(extractions, all_rows)),
            _worst(first, pages),
        ),
    )


def _line(extractor: str, row: Row) -> list[str]:
    pages, precision, recall, f1, *others = cells(row)
    if row.interval:
        f1 += " <small>[{:.3f}, {:.3f}]</small>".format(*row.interval)
    return [escape(f"{extractor}, {row.name}"), pages, precision, recall, f1, *others]


def _published(names: Sequence[str]) -> str:
    sentences = [
        f" For {name}, CEDAR reports {precision:.1f}, {recall:.1f} and {exact:.1f} % on its own pages."
        for name, (precision, recall, exact) in PUBLISHED.items()
        if name in names
    ]
    return "".join(sentences)


def _plots(
    extractions: Mapping[str, Sequence[Extracted]], all_rows: Mapping[str, Sequence[Row]]
) -> list[str]:
    names = list(extractions)
    packs = [row.name for row in all_rows[names[0]] if row.name != MEAN]
    listed = ", ".join(f"{number} {name}" for number, name in enumerate(packs, 1))
    points = [
        Series(name, [(row.score.recall, row.score.precision) for row in extractor_rows if row.name != MEAN])
        for name, extractor_rows in all_rows.items()
    ]
    mean = [overall(extractor_rows) for extractor_rows in all_rows.values()]
    times = [
        Series("whole extraction", list(enumerate(row.time.parses for row in mean))),
        Series("extractor alone", list(enumerate(row.time.method_parses for row in mean))),
    ]
    top = 5.0 * math.ceil(max(height for series in times for _, height in series.points) / 5) or 5.0
    steps = [
        Series(name, _steps([page.agreement.f1 for page in pages])) for name, pages in extractions.items()
    ]
    return [
        line_plot("Pages by their F1", "F1 of a page", "share of pages up to it", steps),
        point_plot(f"Precision and recall: {listed}", ("recall", "precision"), points, packs),
        bar_plot("Blocks of articles", ("", "share"), _blocks(mean), names),
        bar_plot("Time of a page", ("", "parses"), times, names, top),
    ]


def _steps(f1s: Sequence[float]) -> list[tuple[float, float]]:
    """At each F1 the share of the pages with at most that F1."""
    steps = [(0.0, 0.0)]
    for number, f1 in enumerate(sorted(f1s), 1):
        steps += [(f1, steps[-1][1]), (f1, number / len(f1s))]
    return [*steps, (1.0, 1.0)]


def _blocks(all_rows: Sequence[Row]) -> list[Series]:
    numbered = [(number, row.blocks) for number, row in enumerate(all_rows) if row.blocks]
    return [
        Series("precision", [(number, blocks.precision) for number, blocks in numbered]),
        Series("recall", [(number, blocks.recall) for number, blocks in numbered]),
        Series("pages without an error", [(number, blocks.exact) for number, blocks in numbered]),
    ]


def _worst(extractor: str, extractions: Sequence[Extracted]) -> str:
    listed = "".join(_page(extractor, extracted) for extracted in worst(extractions, SHOWN))
    return f"<h2>{escape(extractor)}: {'the worst pages' if listed else 'no page is wrong'}</h2>{listed}"


def _page(extractor: str, extracted: Extracted) -> str:
    page, agreement = extracted.page, extracted.agreement
    scores = f"F1 {agreement.f1:.3f}, P {_score(agreement.precision)}, R {_score(agreement.recall)}"
    heads = ("gold", escape(extractor))
    return comparison(
        f"{page.pack} {page.id}: {scores}", page.url or "", heads, (page.text or "", extracted.text)
    )


def _score(score: float | None) -> str:
    return "–" if score is None else f"{score:.3f}"
