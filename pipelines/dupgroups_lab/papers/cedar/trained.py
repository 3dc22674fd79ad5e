"""CE-SIMPLE and CE-BEST trained on the documents that they extract, by folds.

CEDAR trained and tested its extractors on pages of the same 27 sites. Training by folds of pages repeats
that; folds of sites show how much of the result is knowledge of the site. How much a method should be held
back (`SETTINGS`) differs between the two, so it is chosen for each of them, on a part of the pages of each
training: a fifth of its pages, or of its sites.

Nobody has labelled the blocks. A block is content if at least half of its tokens are aligned with the text
that came with the document (`dupgroups_lab.training.labels`).
"""

import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from dupgroups.content.blocks import divide
from dupgroups.content.features import features
from dupgroups.content.metadata import metadata
from dupgroups.model import Page
from dupgroups.text.urls import host_of, registered_domain
from dupgroups_lab.extraction.scores import BlockScore
from dupgroups_lab.extraction.validation import score_of_blocks
from dupgroups_lab.labels.labelled_pages import LabelledPage
from dupgroups_lab.papers.exact import Progress
from dupgroups_lab.papers.extracted import Texts, html_of
from dupgroups_lab.training.labels import align
from dupgroups_lab.training.network import Example
from dupgroups_lab.training.trainable_methods import Trainer, by_folds

CV_FOLDS = 5


@dataclass(frozen=True, slots=True)
class TrainedByFolds:
    """The text of each document by its id, the scores by block, and how often a setting was chosen."""

    texts: Texts
    blocks: BlockScore
    settings: Mapping[str, int]


def trained_by_folds(
    pages: Iterable[Page],
    references: Texts,
    methods: Mapping[str, Mapping[str, Trainer]],
    progress: Progress = lambda done, total: None,
) -> dict[str, TrainedByFolds]:
    """Each method, by its settings, by folds of pages and sites, under names such as "crf by site".

    `references` has the text of every page by id. Pages of which some have no host, or all the same, have no
    folds of sites. `progress` is called after each fold.
    """
    examples = [example for page in pages if (example := _example(page, references))]
    runs = {
        f"{method} by {unit}": (settings, names)
        for method, settings in methods.items()
        for unit, names in _units(examples).items()
    }
    done, total = count(1), sum(len(set(folds(names))) for _, names in runs.values())
    return {
        name: _run(examples, names, settings, references, lambda: progress(next(done), total))
        for name, (settings, names) in runs.items()
    }


def folds(names: Sequence[str]) -> list[int]:
    """The fold of each name, the same for equal names: CV_FOLDS folds that have about equally many names.

    >>> sorted(folds(["a", "b", "c", "d", "e", "f"]))
    [0, 0, 1, 2, 3, 4]
    """
    ordered = sorted(set(names), key=lambda name: (zlib.crc32(name.encode()), name))
    fold = {name: place % CV_FOLDS for place, name in enumerate(ordered)}
    return [fold[name] for name in names]


def _example(page: Page, references: Texts) -> Example | None:
    """None for a page without text."""
    html, text = html_of(page), references[str(page.id)]
    blocks = divide(html)
    if not blocks.blocks or not text:
        return None
    title, site = metadata(blocks).title, registered_domain(host_of(page.url))
    labelled = LabelledPage(str(page.id), "", site, page.url, page.language or "", "article", html, text)
    return Example(labelled, blocks, title, features(blocks, title), align(blocks, text, title))


def _units(examples: Sequence[Example]) -> dict[str, list[str]]:
    """The name of the page and of the site of each example; none of a unit of which there is one."""
    names = {
        "page": [example.page.id for example in examples],
        "site": [example.page.site for example in examples],
    }
    return {unit: of for unit, of in names.items() if all(of) and len(set(of)) > 1}


def _run(
    examples: Sequence[Example],
    names: Sequence[str],
    settings: Mapping[str, Trainer],
    references: Texts,
    progress: Callable[[], None],
) -> TrainedByFolds:
    name_of = {example.page.id: name for example, name in zip(examples, names, strict=True)}
    chosen = Counter[str]()

    def train(given: Sequence[Example]) -> Callable[[Example], Sequence[int]]:
        setting = best_setting(given, [name_of[example.page.id] for example in given], settings)
        chosen[setting] += 1
        return settings[setting](given).kept

    kept = by_folds(examples, folds(names), train, progress)
    texts = dict.fromkeys(references, "")
    for example, indices in zip(examples, kept, strict=True):
        texts[example.page.id] = "\n".join(example.blocks.blocks[index].text for index in indices)
    return TrainedByFolds(texts, score_of_blocks(examples, kept), chosen)


def best_setting(examples: Sequence[Example], names: Sequence[str], settings: Mapping[str, Trainer]) -> str:
    """The setting with the best F1 of blocks on a fifth of the examples; the last one of a single name."""
    fold_of = folds(names)
    held = [example for example, fold in zip(examples, fold_of, strict=True) if not fold]
    others = [example for example, fold in zip(examples, fold_of, strict=True) if fold]
    if len(settings) == 1 or not others:
        return list(settings)[-1]

    def f1(setting: str) -> float:
        score = score_of_blocks(held, list(map(settings[setting](others).kept, held)))
        return 2 * score.precision * score.recall / max(score.precision + score.recall, 1e-9)

    return max(settings, key=f1)
