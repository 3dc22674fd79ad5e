"""The report on extractors as one HTML file: scores, and the worst pages of the first extractor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from dupgroups_lab.extraction.run import Extracted, Row, rows, worst_pages
from dupgroups_lab.measures.pairwise import ratio
from dupgroups_lab.measures.tabulated import Tabulated, decimals, percents
from dupgroups_lab.reports.page import MAX_SHOWN_ERRORS, comparison, html_page, score_table

_EXPLANATION = """Precision (P) and recall (R) are means over pages, of multisets of 4-gram shingles; F1 is
their
harmonic mean, with a 95 % interval (bootstrap over sites). A block is wanted when the gold has at least half
of its tokens; all blocks of an exact page are right. Times are of one core. "Parses" is the time of the whole
extraction as a multiple of the time to parse the page; with every extractor, it includes the network of
"auto", which decides whether the page is an article. "Own parses" is the extractor alone, on the divided
page."""


def html_report(extractions: Mapping[str, Sequence[Extracted]]) -> str:
    """The whole page, from the results of each extractor (at least one) on the same pages."""
    first, pages = next(iter(extractions.items()))
    tables = (scores(name, rows(extracted)) for name, extracted in extractions.items())
    packs = list(dict.fromkeys(extracted.page.pack for extracted in pages))
    sites = len({extracted.page.site for extracted in pages})
    return html_page(
        f"Extraction of {', '.join(packs)}",
        (
            f"<p>{len(pages):,} pages with gold text, of {sites:,} sites.</p>",
            *map(score_table, tables),
            f"<p><small>{_EXPLANATION}</small></p>",
            _worst_section(first, pages),
        ),
    )


def scores(extractor: str, measured: Sequence[Row]) -> Tabulated:
    """Everything that was measured of an extractor; F1 has its interval, and blocks are in percent."""
    columns = ("pages", "P", "R", "F1", "mean F1", "block P", "block R", "exact pages")
    times = ("pages/s", "parses", "own parses")
    return Tabulated((extractor, *columns, *times), list(map(_cells, measured)))


def _cells(row: Row) -> list[str]:
    score, blocks, time = row.score, row.blocks, row.time
    precision, recall, f1, page_f1 = decimals((score.precision, score.recall, score.f1, score.page_f1))
    interval = " [{:.3f}, {:.3f}]".format(*row.interval) if row.interval else ""
    return [
        *(row.name, str(score.pages), precision, recall, f1 + interval, page_f1),
        *(percents((blocks.precision, blocks.recall, blocks.exact)) if blocks else "---"),
        *(f"{ratio(1, time.whole):,.0f}", f"{ratio(time.whole, time.parser):.1f}"),
        f"{ratio(time.method, time.parser):.1f}",
    ]


def _worst_section(extractor: str, extractions: Sequence[Extracted]) -> str:
    listed = "".join(_page(extractor, extracted) for extracted in worst_pages(extractions, MAX_SHOWN_ERRORS))
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
