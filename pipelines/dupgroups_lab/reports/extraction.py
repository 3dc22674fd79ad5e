"""The report on extractors as one HTML file: figures, plots, and the worst pages of the first one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

from dupgroups_lab.extraction.run import MEAN, Extracted, Row, overall, rows, worst
from dupgroups_lab.extraction.scores import PUBLISHED
from dupgroups_lab.extraction.tables import cells
from dupgroups_lab.reports.page import SHOWN, comparison, figures, html_page, plots
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
extraction as a multiple of what parsing the page takes; whatever the extractor, it has the network of "auto"
tell whether the page is an article. "Own parses" is the extractor alone, on the divided page."""


def html_report(found: Mapping[str, Sequence[Extracted]]) -> str:
    """The whole page, of what each extractor made of the same pages, at least one."""
    first, pages = next(iter(found.items()))
    all_rows = {name: rows(each) for name, each in found.items()}
    packs = list(dict.fromkeys(each.page.pack for each in pages))
    sites = len({each.page.site for each in pages})
    return html_page(
        f"Extraction of {', '.join(packs)}",
        (
            f"<p>{len(pages):,} pages with gold text, of {sites:,} sites.</p>",
            figures(_COLUMNS, [_line(name, row) for name, each in all_rows.items() for row in each]),
            f"<p><small>{_HOW}{_published(list(found))}</small></p>",
            plots(_plots(found, all_rows)),
            _worst(first, pages),
        ),
    )


def _line(extractor: str, row: Row) -> list[str]:
    pages, precision, recall, f1, *others = cells(row)
    if row.interval:
        f1 += " <small>[{:.3f}, {:.3f}]</small>".format(*row.interval)
    return [escape(f"{extractor}, {row.name}"), pages, precision, recall, f1, *others]


def _published(names: Sequence[str]) -> str:
    told = [
        f" For {name}, CEDAR reports {precision:.1f}, {recall:.1f} and {exact:.1f} % on its own pages."
        for name, (precision, recall, exact) in PUBLISHED.items()
        if name in names
    ]
    return "".join(told)


def _plots(found: Mapping[str, Sequence[Extracted]], all_rows: Mapping[str, Sequence[Row]]) -> list[str]:
    names = list(found)
    packs = [row.name for row in all_rows[names[0]] if row.name != MEAN]
    listed = ", ".join(f"{place} {name}" for place, name in enumerate(packs, 1))
    points = [
        Series(name, [(row.score.recall, row.score.precision) for row in each if row.name != MEAN])
        for name, each in all_rows.items()
    ]
    mean = [overall(each) for each in all_rows.values()]
    times = [
        Series("whole extraction", list(enumerate(row.time.parses for row in mean))),
        Series("extractor alone", list(enumerate(row.time.method_parses for row in mean))),
    ]
    top = 5.0 * math.ceil(max(height for one in times for _, height in one.points) / 5) or 5.0
    steps = [Series(name, _steps([one.agreement.f1 for one in each])) for name, each in found.items()]
    return [
        line_plot("Pages by their F1", "F1 of a page", "share of pages up to it", steps),
        point_plot(f"Precision and recall: {listed}", ("recall", "precision"), points, packs),
        bar_plot("Blocks of articles", ("", "share"), _blocks(mean), names),
        bar_plot("Time of a page", ("", "parses"), times, names, top),
    ]


def _steps(f1s: Sequence[float]) -> list[tuple[float, float]]:
    """At each F1 the share of the pages that have at most that."""
    steps = [(0.0, 0.0)]
    for place, f1 in enumerate(sorted(f1s), 1):
        steps += [(f1, steps[-1][1]), (f1, place / len(f1s))]
    return [*steps, (1.0, 1.0)]


def _blocks(each: Sequence[Row]) -> list[Series]:
    told = [(place, row.blocks) for place, row in enumerate(each) if row.blocks]
    return [
        Series("precision", [(place, blocks.precision) for place, blocks in told]),
        Series("recall", [(place, blocks.recall) for place, blocks in told]),
        Series("pages without an error", [(place, blocks.exact) for place, blocks in told]),
    ]


def _worst(extractor: str, found: Sequence[Extracted]) -> str:
    listed = "".join(_page(extractor, each) for each in worst(found, SHOWN))
    return f"<h2>{escape(extractor)}: {'the worst pages' if listed else 'no page is wrong'}</h2>{listed}"


def _page(extractor: str, each: Extracted) -> str:
    page, told = each.page, each.agreement
    figures = f"F1 {told.f1:.3f}, P {_figure(told.precision)}, R {_figure(told.recall)}"
    heads = ("gold", escape(extractor))
    return comparison(
        f"{page.pack} {page.id}: {figures}", page.url or "", heads, (page.text or "", each.text)
    )


def _figure(figure: float | None) -> str:
    return "–" if figure is None else f"{figure:.3f}"
