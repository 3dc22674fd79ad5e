"""The tables that `evaluate extraction` prints: scores, and the worst pages."""

from collections.abc import Sequence

from dupgroups_lab.extraction.run import Extracted, Row, worst_pages
from dupgroups_lab.measures.pairwise import ratio
from dupgroups_lab.measures.tabulated import NO_VALUE, Tabulated, decimals, percents

MAX_SHOWN_PAGES = 20  # worst pages that are listed


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


def tabulate_worst(extractor: str, extractions: Sequence[Extracted]) -> Tabulated:
    """The pages with the lowest F1, MAX_SHOWN_PAGES at most."""
    worst = worst_pages(extractions, MAX_SHOWN_PAGES)
    rows = [(f"{one.page.pack} {one.page.id}", *_shares(one), one.page.url or NO_VALUE) for one in worst]
    return Tabulated((f"worst of {extractor}", "F1", "P", "R", "page"), rows)


def _shares(extracted: Extracted) -> list[str]:
    agreement = extracted.agreement
    shares = (agreement.f1, agreement.precision, agreement.recall)
    return [NO_VALUE if share is None else f"{share:.3f}" for share in shares]
