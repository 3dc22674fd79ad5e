"""Tables of extraction scores, pack by pack."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table
from selectolax.lexbor import LexborHTMLParser

from dupgroups.content import extract
from dupgroups.evaluation.extraction import Agreement, LabelledPage, Score, agreement, read_pack, score
from dupgroups.evaluation.extraction_methods import Trainer, cross_validated
from dupgroups.evaluation.extraction_training import Example, is_article
from dupgroups.model import Page

# CEDAR, LREC 2008, section 5.2, CE-SIMPLE and CE-BEST
PUBLISHED = {"maxent": (96.0, 98.1, 58.0), "crf": (97.9, 99.5, 80.0)}


def row_of(page: LabelledPage) -> str:
    """The row of the table that a page belongs to: its pack, articles apart from other pages."""
    return f"{page.pack} (no articles)" if page.kind == "other" else page.pack


@dataclass(frozen=True, slots=True)
class BlockScore:
    """Over all blocks of articles: precision and recall; `exact`: share of pages without an error."""

    precision: float
    recall: float
    exact: float


def validated(
    examples: Sequence[Example], folds: int, trainer: Trainer, *, sites_apart: bool = True
) -> tuple[dict[str, Score], BlockScore]:
    """Scores of a method by row and by block, cross-validated over sites or, unless `sites_apart`, pages."""
    kept = cross_validated(examples, folds, trainer, sites_apart=sites_apart)
    rows: dict[str, list[Agreement]] = defaultdict(list)
    for each, own in zip(examples, kept, strict=True):
        page, text = each.page, "\n".join(each.blocks.blocks[at].text for at in own)
        rows[row_of(page)].append(agreement(page.text or "", text, page.language))
    return {row: score(rows[row]) for row in sorted(rows)}, block_score(examples, kept)


def block_score(examples: Sequence[Example], kept: Sequence[Sequence[int]]) -> BlockScore:
    """The figures of CEDAR's section 5.2: a block is wanted when the gold has at least half of its tokens."""
    right = wrong = missed = exact = articles = 0
    for each, own in zip(examples, kept, strict=True):
        if is_article(each):
            wanted, got = set(np.flatnonzero(each.labels.share >= 0.5).tolist()), set(own)
            right, wrong, missed = (
                right + len(wanted & got),
                wrong + len(got - wanted),
                missed + len(wanted - got),
            )
            exact += wanted == got
            articles += 1
    return BlockScore(right / max(right + wrong, 1), right / max(right + missed, 1), exact / max(articles, 1))


def measured(packs: Iterable[Path], extractor: str) -> tuple[dict[str, Score], float]:
    """Scores by row of a named extractor, and its processor time as a multiple of parsing the pages alone.

    Pages without gold text are left out.
    """
    found: dict[str, list[Agreement]] = defaultdict(list)
    spent = parsing = 0.0
    for page in (each for pack in packs for each in read_pack(pack)):
        start = time.process_time()
        LexborHTMLParser(page.html)
        parsed = time.process_time()
        text = extract(Page(page.url, page.html), extractor=extractor).text
        spent, parsing = spent + time.process_time() - parsed, parsing + parsed - start
        if page.text:
            found[row_of(page)].append(agreement(page.text, text, page.language))
    return {row: score(found[row]) for row in sorted(found)}, spent / parsing if parsing else 0.0


def print_scores(console: Console, title: str, scores: Mapping[str, Score]) -> None:
    """One line a row."""
    table = Table("pages of", "number", "P", "R", "F1", "mean F1", title=title)
    for row, each in scores.items():
        figures = (each.precision, each.recall, each.f1, each.page_f1)
        table.add_row(row, str(each.pages), *(f"{figure:.3f}" for figure in figures))
    console.print(table)


def print_blocks(console: Console, method: str, found: BlockScore) -> None:
    """Block precision and recall and document accuracy, in percent, beside CEDAR's for the same method."""
    table = Table(
        "", "block precision", "block recall", "pages without an error", title="blocks of articles, %"
    )
    figures = (found.precision, found.recall, found.exact)
    table.add_row(method, *(f"{100 * figure:.1f}" for figure in figures))
    if method in PUBLISHED:
        table.add_row("CEDAR", *(f"{figure:.1f}" for figure in PUBLISHED[method]))
    console.print(table)
