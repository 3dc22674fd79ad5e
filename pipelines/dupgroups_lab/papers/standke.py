"""Article or not: the experiment of Standke: Identifying Online News Articles.

The experiment asks whether the five link features improve on MSS and CoreEx: 20 trials of 10-fold
cross-validation on pages labelled by hand, F1 of "article". There, pages of one site, with the same menus,
are in training and in test; so here every site is also left out in turn.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from dupgroups_lab.training.article_tree import LabelledCase, train
from dupgroups_papers.content.article_tree import ARTICLE


@dataclass(frozen=True, slots=True)
class Interval:
    """The 95 % interval of a mean over trials: `mean` +- `half` (normal approximation; 0 for one trial)."""

    mean: float
    half: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Interval:
        """The interval of at least one value."""
        spread = stdev(values) if len(values) > 1 else 0.0
        return cls(fmean(values), 1.96 * spread / len(values) ** 0.5)

    def __str__(self) -> str:
        return f"{self.mean:.3f} +- {self.half:.3f}"


def repeated(
    cases: Sequence[LabelledCase], names: Sequence[str], *, trials: int = 20, folds: int = 10
) -> list[float]:
    """F1 of each trial of cross-validation; every page is judged once per trial. Trials are reproducible."""
    scores = []
    for trial in range(trials):
        fold_of = [index % folds for index in range(len(cases))]
        random.Random(trial).shuffle(fold_of)  # noqa: S311 - reproducible, not secret
        scores.append(f1(cases, _validate(cases, names, fold_of)))
    return scores


def by_site(cases: Sequence[LabelledCase], names: Sequence[str]) -> float:
    """F1 when training has no page of the site of the page judged."""
    return f1(cases, _validate(cases, names, [case.site for case in cases]))


def f1(cases: Sequence[LabelledCase], verdicts: Sequence[bool]) -> float:
    """2 * right / (articles + pages called articles), 0 to 1; 1 when there are neither."""
    right = sum(said and case.kind == ARTICLE for case, said in zip(cases, verdicts, strict=True))
    both = sum(verdicts) + sum(case.kind == ARTICLE for case in cases)
    return 2 * right / both if both else 1.0


def _validate(cases: Sequence[LabelledCase], names: Sequence[str], folds: Sequence[Hashable]) -> list[bool]:
    """Whether a tree trained on the other folds calls each case an article."""
    verdicts = [False] * len(cases)
    for held in dict.fromkeys(folds):
        tree = train([case for case, fold in zip(cases, folds, strict=True) if fold != held], names)
        for index, case in enumerate(cases):
            if folds[index] == held:
                verdicts[index] = tree.root.classify(case.row) == ARTICLE
    return verdicts
