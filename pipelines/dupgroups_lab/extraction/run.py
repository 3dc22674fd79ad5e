"""Extractors as they come, run over labelled pages: agreement with the gold, blocks, and time.

The extractors take turns page by page, so that a busy machine hits all of them and the parser alike. Each
time another one begins, for the first one on a page fills what the others find in memory.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from statistics import fmean

import numpy as np
from numpy.typing import NDArray
from selectolax.lexbor import LexborHTMLParser

from dupgroups.config import Step
from dupgroups.content import EXTRACTORS, Extractor, extract
from dupgroups.content.blocks import divide
from dupgroups.content.metadata import headline
from dupgroups.errors import InputError
from dupgroups.model import Page
from dupgroups.registry import build
from dupgroups_lab.extraction.scores import BlockHits, BlockScore, block_hits, block_score, row_of
from dupgroups_lab.labels.pages import LabelledPage, read_pack
from dupgroups_lab.measures.bootstrap import intervals
from dupgroups_lab.measures.shingle_agreement import Agreement, Score, agreement, harmonic, score
from dupgroups_lab.training.labels import align

MEAN = "mean"


@dataclass(frozen=True, slots=True)
class Extracted:
    """What an extractor made of a page (its html is dropped); `blocks` is None when that is no article."""

    page: LabelledPage
    text: str
    agreement: Agreement
    blocks: BlockHits | None
    time: Time


@dataclass(frozen=True, slots=True)
class Time:
    """Seconds of processor time for a page: all of `extract`, the method on blocks, the parser alone."""

    whole: float
    method: float
    parser: float

    @property
    def rate(self) -> float:
        """Pages a second of one core, whole; 0 when that took no time."""
        return 1 / self.whole if self.whole else 0.0

    @property
    def parses(self) -> float:
        """The whole as a multiple of parsing."""
        return self.whole / self.parser if self.parser else 0.0

    @property
    def method_parses(self) -> float:
        """The method as a multiple of parsing."""
        return self.method / self.parser if self.parser else 0.0


@dataclass(frozen=True, slots=True)
class Row:
    """Figures of an extractor on some pages; `time` is of the mean page.

    `interval` holds the 95 % interval of F1, bootstrapped over sites.
    """

    name: str
    score: Score
    blocks: BlockScore | None
    time: Time
    interval: tuple[float, float] | None = None


def count_pages(packs: Iterable[Path]) -> dict[Path, int]:
    """The pages of each pack that have gold text. Raises InputError when a pack is none, or none has gold."""
    counts = {pack: sum(page.text is not None for page in read_pack(pack)) for pack in packs}
    if not any(counts.values()):
        names = ", ".join(map(str, counts))
        raise InputError(f"{names}: no page has gold text to compare with (`evaluate articles` needs none)")
    return counts


def load_extractors(names: Iterable[str]) -> dict[str, Extractor]:
    """Each as it is typed: a name or "module:Class", then parameters. Raises ConfigError for another."""
    return {name: build("extractor", Step.typed(name), EXTRACTORS) for name in names}


def measure(
    packs: Iterable[Path], extractors: Mapping[str, Extractor], progress: Callable[[], None] = lambda: None
) -> dict[str, list[Extracted]]:
    """What each extractor makes of each page that has gold text; `progress` is told every page.

    Raises InputError when an extractor of the user's own fails.
    """
    built = list(extractors.items())
    found: dict[str, list[Extracted]] = {name: [] for name, _ in built}
    wanted = (page for pack in packs for page in read_pack(pack) if page.text is not None)
    for number, page in enumerate(wanted):
        if not number:  # weights are read once, not once a page
            _turns(page, built)
        first = number % len(built)
        for name, each in _turns(page, [*built[first:], *built[:first]]):
            found[name].append(each)
        progress()
    return found


def _turns(page: LabelledPage, built: Sequence[tuple[str, Extractor]]) -> list[tuple[str, Extracted]]:
    return [(name, _extracted(page, name, extractor)) for name, extractor in built]


def _extracted(page: LabelledPage, name: str, extractor: Extractor) -> Extracted:
    step = Step.typed(name)
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
        blocks=None if page.kind == "other" else block_hits(align(blocks, gold, headline(blocks)), kept),
        time=Time(whole, method, parser),
    )


def rows(found: Sequence[Extracted]) -> list[Row]:
    """An extractor's figures, row by row, and the mean of the rows of articles when there are several."""
    by_row: Mapping[str, list[Extracted]] = defaultdict(list)
    for each in found:
        by_row[row_of(each.page)].append(each)
    all_rows = [_row(name, by_row[name]) for name in sorted(by_row)]
    articles = [row for row in all_rows if row.blocks]
    return [*all_rows, _mean(articles)] if len(articles) > 1 else all_rows


def overall(all_rows: Sequence[Row]) -> Row:
    """Of `rows`: the mean, or the only row of articles, or without articles the first."""
    return next((row for row in reversed(all_rows) if row.blocks), all_rows[0])


def _row(name: str, found: Sequence[Extracted]) -> Row:
    hits = [each.blocks for each in found if each.blocks]
    return Row(
        name=name,
        score=score(each.agreement for each in found),
        blocks=block_score(hits) if hits else None,
        time=_mean_time([each.time for each in found]),
        interval=_interval(found),
    )


def _mean(each: Sequence[Row]) -> Row:
    """The mean of every figure, a row counting as much as another."""
    scores, blocks = [row.score for row in each], [row.blocks for row in each if row.blocks]
    return Row(
        name=MEAN,
        score=Score(
            pages=sum(one.pages for one in scores),
            precision=fmean(one.precision for one in scores),
            recall=fmean(one.recall for one in scores),
            f1=fmean(one.f1 for one in scores),
            page_f1=fmean(one.page_f1 for one in scores),
        ),
        blocks=BlockScore(
            precision=fmean(one.precision for one in blocks),
            recall=fmean(one.recall for one in blocks),
            exact=fmean(one.exact for one in blocks),
        ),
        time=_mean_time([row.time for row in each]),
    )


def _mean_time(each: Sequence[Time]) -> Time:
    return Time(
        whole=fmean(one.whole for one in each),
        method=fmean(one.method for one in each),
        parser=fmean(one.parser for one in each),
    )


def _interval(found: Sequence[Extracted]) -> tuple[float, float]:
    """Of F1, over sites: pages of one template stand or fall together."""
    sites: dict[str, NDArray[np.float64]] = defaultdict(lambda: np.zeros(4))
    for each in found:
        sites[each.page.site] += [*_sum(each.agreement.precision), *_sum(each.agreement.recall)]
    low, high = intervals(np.array(list(sites.values())), _f1)[0]
    return float(low), float(high)


def _sum(figure: float | None) -> tuple[float, int]:
    return (0.0, 0) if figure is None else (figure, 1)


def _f1(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    precision, told, recall, wanted = counts.tolist()
    return np.array([harmonic(precision / max(told, 1), recall / max(wanted, 1))])


def worst(found: Sequence[Extracted], most: int) -> list[Extracted]:
    """Pages with the lowest F1 first, none that is perfect; articles only, if there are any."""
    articles = [each for each in found if each.page.kind != "other"] or found
    wrong = [each for each in articles if each.agreement.f1 < 1]
    return sorted(wrong, key=lambda each: each.agreement.f1)[:most]
