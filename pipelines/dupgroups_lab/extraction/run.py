"""Shipped extractors run over labelled pages: agreement with the gold, blocks, and time.

The extractors take turns page by page, so that load on the machine affects all of them and the parser alike.
The turn rotates, because the first extractor on a page warms the caches for the others.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
from selectolax.lexbor import LexborHTMLParser

from dupgroups.content import EXTRACTORS, Extractor, extract
from dupgroups.content.blocks import divide
from dupgroups.content.metadata import metadata
from dupgroups.errors import InputError
from dupgroups.methods.registry import build
from dupgroups.model import Page
from dupgroups.model.config import Step
from dupgroups_lab.extraction.scores import MEAN, BlockScore, block_hits, block_score, mean_of, row_of
from dupgroups_lab.labels.labelled_pages import LabelledPage, read_pack
from dupgroups_lab.measures.bootstrap import intervals
from dupgroups_lab.measures.pairwise import Confusion, ratio
from dupgroups_lab.measures.shingle_agreement import Agreement, Score, agreement, f1_of, score, site_counts
from dupgroups_lab.measures.tabulated import NO_VALUE, Tabulated, decimals, percents
from dupgroups_lab.training.labels import align


@dataclass(frozen=True, slots=True)
class Extracted:
    """The result of an extractor on a page (without its html); `blocks` is None unless it is an article."""

    page: LabelledPage
    text: str
    agreement: Agreement
    blocks: Confusion | None
    time: Time


@dataclass(frozen=True, slots=True)
class Time:
    """Seconds of processor time for a page: all of `extract`, the method on blocks, the parser alone."""

    whole: float
    method: float
    parser: float


@dataclass(frozen=True, slots=True)
class Row:
    """The scores of an extractor on some pages; `time` is the mean over pages.

    `interval` is the 95 % interval of F1, bootstrapped over sites.
    """

    name: str
    score: Score
    blocks: BlockScore | None
    time: Time
    interval: tuple[float, float] | None = None


def count_pages(packs: Iterable[Path]) -> dict[Path, int]:
    """The number of pages with gold text in each pack.

    Raises InputError when a folder is not a pack, or no page has gold text.
    """
    counts = {pack: sum(page.text is not None for page in read_pack(pack)) for pack in packs}
    if not any(counts.values()):
        names = ", ".join(map(str, counts))
        raise InputError(
            f"{names}: no page has gold text to compare with (`evaluate articles` does not need it)"
        )
    return counts


def load_extractors(names: Iterable[str]) -> dict[str, Extractor]:
    """Extractors by the text that names them: a name or "module:Class", then parameters.

    Raises ConfigError for an unknown name or parameter.
    """
    return {name: build("extractor", Step.parse(name), EXTRACTORS) for name in names}


def measure(
    packs: Iterable[Path], extractors: Mapping[str, Extractor], progress: Callable[[], None] = lambda: None
) -> dict[str, list[Extracted]]:
    """The results of each extractor on the pages that have gold text; `progress` is called after every page.

    Raises InputError when an extractor fails.
    """
    built = list(extractors.items())
    extracted_by: dict[str, list[Extracted]] = {name: [] for name, _ in built}
    wanted = (page for pack in packs for page in read_pack(pack) if page.text is not None)
    for number, page in enumerate(wanted):
        if not number:  # warm-up: weights are read once, not in the time of a page
            _turns(page, built)
        first = number % len(built)
        for name, extracted in _turns(page, [*built[first:], *built[:first]]):
            extracted_by[name].append(extracted)
        progress()
    return extracted_by


def _turns(page: LabelledPage, built: Sequence[tuple[str, Extractor]]) -> list[tuple[str, Extracted]]:
    return [(name, _extract_timed(page, name, extractor)) for name, extractor in built]


def _extract_timed(page: LabelledPage, name: str, extractor: Extractor) -> Extracted:
    step = Step.parse(name)
    ticks = [time.process_time()]
    LexborHTMLParser(page.html)
    ticks.append(time.process_time())
    try:
        text = extract(Page(page.url, page.html), extractor=step).text
        ticks.append(time.process_time())
        blocks = divide(page.html)
        ticks.append(time.process_time())
        kept = extractor(blocks)
        ticks.append(time.process_time())
    except Exception as error:
        raise InputError(f"{name} fails on page {page.id!r} of {page.pack}: {error!r}") from error
    gold = page.text or ""
    parser, whole, _, method = (after - before for before, after in pairwise(ticks))
    return Extracted(
        page=replace(page, html=""),
        text=text,
        agreement=agreement(gold, text, page.language),
        blocks=None
        if page.kind == "other"
        else block_hits(align(blocks, gold, metadata(blocks).title), kept),
        time=Time(whole, method, parser),
    )


def rows(extractions: Sequence[Extracted]) -> list[Row]:
    """An extractor's scores, row by row, and the mean of the rows of articles when there are several."""
    by_row: Mapping[str, list[Extracted]] = defaultdict(list)
    for extracted in extractions:
        by_row[row_of(extracted.page)].append(extracted)
    all_rows = [_row(name, by_row[name]) for name in sorted(by_row)]
    articles = [row for row in all_rows if row.blocks]
    return [*all_rows, _mean(articles)] if len(articles) > 1 else all_rows


def _row(name: str, extractions: Sequence[Extracted]) -> Row:
    hits = [extracted.blocks for extracted in extractions if extracted.blocks]
    return Row(
        name=name,
        score=score(extracted.agreement for extracted in extractions),
        blocks=block_score(hits) if hits else None,
        time=mean_of([extracted.time for extracted in extractions]),
        interval=_interval(extractions),
    )


def _mean(articles: Sequence[Row]) -> Row:
    """The mean of every score; every row counts the same."""
    scores = [row.score for row in articles]
    return Row(
        name=MEAN,
        score=replace(mean_of(scores), pages=sum(score.pages for score in scores)),
        blocks=mean_of([row.blocks for row in articles if row.blocks]),
        time=mean_of([row.time for row in articles]),
    )


def _interval(extractions: Sequence[Extracted]) -> tuple[float, float]:
    """The interval of F1 over sites, because pages of one template succeed or fail together."""
    sites = (extracted.page.site for extracted in extractions)
    counts = site_counts(sites, (extracted.agreement for extracted in extractions))
    low, high = intervals(counts, lambda drawn: np.array([f1_of(drawn)]))[0]
    return float(low), float(high)


def worst_pages(extractions: Sequence[Extracted], most: int) -> list[Extracted]:
    """The pages with the lowest F1 (below 1), lowest first; only articles, if there are any."""
    articles = [extracted for extracted in extractions if extracted.page.kind != "other"] or extractions
    wrong = [extracted for extracted in articles if extracted.agreement.f1 < 1]
    return sorted(wrong, key=lambda extracted: extracted.agreement.f1)[:most]


# -- the tables that `evaluate extraction` prints


MAX_SHOWN_PAGES = 20  # worst pages that are listed


def tabulate(extractor: str, measured: Sequence[Row]) -> Tabulated:
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
    rows = [
        (
            f"{one.page.pack} {one.page.id}",
            *decimals((one.agreement.f1, one.agreement.precision, one.agreement.recall)),
            one.page.url or NO_VALUE,
        )
        for one in worst
    ]
    return Tabulated((f"worst of {extractor}", "F1", "P", "R", "page"), rows)
