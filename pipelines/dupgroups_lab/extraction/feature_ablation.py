"""The cost of each group of features of the default extractor, and its gain on sites never seen.

The network is trained once more without the group. The gain is how much higher the F1 of a page is with it:
the mean of the rows of articles. Its standard error is that over samples of the sites of each row.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from dupgroups.content.auto import load_network
from dupgroups.content.features import GROUPS, WIDTH, Measures
from dupgroups.content.lexicon import LEXICAL
from dupgroups_lab.extraction.scores import row_of
from dupgroups_lab.extraction.validation import agreement_of, division
from dupgroups_lab.measures.bootstrap import samples
from dupgroups_lab.training.network import Example, is_article, parts
from dupgroups_lab.training.trainable_methods import AutoTrainer, cross_validated


def ablation(
    examples: Sequence[Example], folds: int, seeds: int
) -> Iterator[tuple[str, float, float, float]]:
    """Of each group: its name, CPU milliseconds a page, gain and its error, over `seeds` divisions."""
    articles = [example for example in examples if is_article(example)]
    whole = _scores(articles, folds, seeds, "")
    for name, columns in parts().items():
        gains = whole - _scores(articles, folds, seeds, name)
        yield name, _milliseconds(articles, name, columns), *_mean(articles, gains)


def _scores(examples: Sequence[Example], folds: int, seeds: int, without: str) -> NDArray[np.float64]:
    """The F1 of every page, (pages,), the mean over the divisions."""
    scores = []
    for seed in range(seeds):
        kept = cross_validated(examples, division(examples, folds, seed), AutoTrainer(without=without))
        scores.append([page.f1 for page in map(agreement_of, examples, kept)])
    return np.asarray(np.mean(scores, 0))


def _mean(examples: Sequence[Example], gains: NDArray[np.float64]) -> tuple[float, float]:
    rows = np.array([row_of(example.page) for example in examples])
    sites = np.array([example.page.site for example in examples])
    means, errors = [], []
    for row in np.unique(rows):
        gain, site = gains[rows == row], np.unique(sites[rows == row], return_inverse=True)[1]
        counts = np.array((np.bincount(site, gain), np.bincount(site)), np.float64).T
        means.append(float(gain.mean()))
        errors.append(float(samples(counts, lambda total: total[:1] / total[1]).std()))
    return fmean(means), math.hypot(*errors) / len(errors)


def _milliseconds(examples: Sequence[Example], name: str, columns: slice) -> float:
    fill = GROUPS[name][1] if name in GROUPS else load_network().lexicons.fill  # for names and words together
    columns = columns if name in GROUPS else slice(WIDTH, None)
    pages = [Measures(example.blocks, example.title) for example in examples]
    rows = [np.zeros((WIDTH + LEXICAL, len(page.size)), np.float32)[columns] for page in pages]
    begin = time.process_time()
    for page, of_page in zip(pages, rows, strict=True):
        fill(page, of_page)
    return 1000 * (time.process_time() - begin) / len(pages)
