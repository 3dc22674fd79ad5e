"""Article or not: the experiment of Standke: Identifying Online News Articles.

The experiment asks whether the five link features improve on MSS and CoreEx: 20 trials of 10-fold
cross-validation on pages labelled by hand, F1 of "article". There, pages of one site, with the same menus,
are in training and in test; so here every site is also left out in turn. And where a site has pages of one
kind only, recognising the site is enough: `selections` also has the pages of the other sites alone.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean, stdev

from dupgroups_lab.training.train_article_tree import FEATURE_SETS, LabelledCase, train
from dupgroups_lab.training.trainable_methods import Fold, by_folds
from dupgroups_papers.content.article_tree import ARTICLE, OTHER

PUBLISHERS = ("go.com", "bbc.com", "cnn.com", "foxnews.com")
"""Those of the slides' ten publishers of which there are labelled pages of both kinds."""


def mean_with_interval(values: Sequence[float]) -> str:
    """The mean over trials, and its 95 % interval by the normal approximation (of one: no width)."""
    mean, spread = fmean(values), stdev(values) if len(values) > 1 else 0.0
    half = 1.96 * spread / len(values) ** 0.5
    return f"{mean:.3f} [{mean - half:.3f}, {mean + half:.3f}]"


def selections(cases: Sequence[LabelledCase]) -> Mapping[str, list[LabelledCase]]:
    """All cases, those of sites with cases of both kinds, and those of `PUBLISHERS`; each selection once."""
    kinds = {(case.site, case.kind) for case in cases}
    both = {site for site, kind in kinds if kind == ARTICLE and (site, OTHER) in kinds}
    sites = {"all sites": {site for site, _ in kinds}, "sites of both kinds": both}
    sites["the slides' publishers"] = both.intersection(PUBLISHERS)
    names = {frozenset(chosen): name for name, chosen in reversed(sites.items()) if chosen}
    return {name: [case for case in cases if case.site in chosen] for chosen, name in reversed(names.items())}


def compare_cells(cases: Sequence[LabelledCase], trials: int, folds: int) -> list[str]:
    """Cells: the number of cases; F1 over trials without links, with them, and the gain; F1 by site, too."""
    sets = FEATURE_SETS.values()
    without, with_links = (repeat_validation(cases, names, trials=trials, folds=folds) for names in sets)
    gained = [after - before for before, after in zip(without, with_links, strict=True)]
    intervals = map(mean_with_interval, (without, with_links, gained))
    return [str(len(cases)), *intervals, *(f"{by_site(cases, names):.3f}" for names in sets)]


def repeat_validation(
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


def _validate(cases: Sequence[LabelledCase], names: Sequence[str], folds: Sequence[Fold]) -> list[bool]:
    """Whether a tree trained on the other folds calls each case an article."""

    def is_article(given: Sequence[LabelledCase]) -> Callable[[LabelledCase], bool]:
        root = train(given, names).root
        return lambda case: root.classify(case.row) == ARTICLE

    return by_folds(cases, folds, is_article)
