"""CE-SIMPLE and CE-BEST trained on the documents that they extract, by folds.

CEDAR trained and tested its extractors on pages of the same 27 sites. Training by folds of pages repeats
that; folds of stories and of sites show how much of the result is knowledge of the story or of the site.

| folds of | the sites are | training has no other page of |
|---|---|---|
| page  | known   | (only the page itself is left out) |
| story | known   | the story: its copies, and the documents that share a part of it |
| site  | unknown | the site; copies on other sites may be there |

Nobody has labelled the blocks. A block is content if at least half of its tokens are aligned with the text
that came with the document (`dupgroups_lab.training.labels`).
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from dupgroups.content.blocks import divide
from dupgroups.content.features import features
from dupgroups.content.metadata import headline
from dupgroups.model import Page
from dupgroups.text.urls import host_of, registered_domain
from dupgroups_lab.extraction.scores import BlockScore, block_hits, block_score
from dupgroups_lab.labels.pages import LabelledPage
from dupgroups_lab.labels.pairs import Truth, closure
from dupgroups_lab.papers.exact import Progress
from dupgroups_lab.papers.extracted import Texts, html_of
from dupgroups_lab.training.labels import align
from dupgroups_lab.training.methods import Trainer, cross_validated
from dupgroups_lab.training.network import Example

FOLDS = 5


@dataclass(frozen=True, slots=True)
class TrainedByFolds:
    """The text of each document by its id, and the scores by block."""

    texts: Texts
    blocks: BlockScore


def trained_by_folds(
    pages: Iterable[Page],
    references: Texts,
    truth: Truth,
    trainers: Mapping[str, Trainer],
    progress: Progress = lambda done, total: None,
) -> dict[str, TrainedByFolds]:
    """Each method by folds of pages, stories and sites, under names such as "crf by site".

    `references` has the text of every page by id; `truth` says which ones are of one story. Pages of which
    some have no host, or all the same, have no folds of sites. `progress` is called after each fold.
    """
    examples = [example for page in pages if (example := _example(page, references))]
    runs = {
        f"{method} by {unit}": (trainer, folds(names))
        for method, trainer in trainers.items()
        for unit, names in _units(examples, truth).items()
    }
    done, total = count(1), sum(len(set(fold_of)) for _, fold_of in runs.values())
    return {
        name: _run(examples, fold_of, trainer, references, lambda: progress(next(done), total))
        for name, (trainer, fold_of) in runs.items()
    }


def folds(names: Sequence[str]) -> list[int]:
    """The fold of each name, the same for equal names: FOLDS folds that have about equally many names.

    >>> sorted(folds(["a", "b", "c", "d", "e", "f"]))
    [0, 0, 1, 2, 3, 4]
    """
    ordered = sorted(set(names), key=lambda name: (zlib.crc32(name.encode()), name))
    fold = {name: place % FOLDS for place, name in enumerate(ordered)}
    return [fold[name] for name in names]


def _example(page: Page, references: Texts) -> Example | None:
    """None for a page without text."""
    html, text = html_of(page), references[str(page.id)]
    blocks = divide(html)
    if not blocks.blocks or not text:
        return None
    title, site = headline(blocks), registered_domain(host_of(page.url))
    labelled = LabelledPage(str(page.id), "", site, page.url, page.language or "", "article", html, text)
    return Example(labelled, blocks, title, features(blocks, title), align(blocks, text, title))


def _units(examples: Sequence[Example], truth: Truth) -> dict[str, list[str]]:
    """The name of the page, the story and the site of each example; none of a unit of which there is one."""
    story = closure(truth.documents, sorted(truth.positive | truth.ignored))
    names = {
        "page": [example.page.id for example in examples],
        "story": [story[example.page.id] for example in examples],
        "site": [example.page.site for example in examples],
    }
    return {unit: of for unit, of in names.items() if all(of) and len(set(of)) > 1}


def _run(
    examples: Sequence[Example],
    fold_of: Sequence[int],
    trainer: Trainer,
    references: Texts,
    progress: Callable[[], None],
) -> TrainedByFolds:
    kept = cross_validated(examples, fold_of, trainer, progress)
    texts = dict.fromkeys(references, "")
    for example, indices in zip(examples, kept, strict=True):
        texts[example.page.id] = "\n".join(example.blocks.blocks[index].text for index in indices)
    hits = (block_hits(example.labels, indices) for example, indices in zip(examples, kept, strict=True))
    return TrainedByFolds(texts, block_score(hits))
