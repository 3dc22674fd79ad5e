"""The extractors that learn: their training, and cross-validation on sites not seen in training."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

import numpy as np

from dupgroups.content.auto import Auto
from dupgroups.methods import npz
from dupgroups.methods.registry import build
from dupgroups.model.config import Step
from dupgroups_lab.training import train_crf, train_maxent
from dupgroups_lab.training.lbfgs import require_minimiser
from dupgroups_lab.training.network import Example, is_article, train
from dupgroups_lab.training.train_subsequence import train_subsequence
from dupgroups_papers.content.crf import CRF
from dupgroups_papers.content.crf_feature_sets import OWN_SET, feature_set
from dupgroups_papers.content.maxent import MaxEnt
from dupgroups_papers.content.subsequence import Subsequence

FOLD_COUNT = 5  # of the judge, and of the ranker of dates

Case = TypeVar("Case")
Result = TypeVar("Result")
Fold = TypeVar("Fold", str, int)


@dataclass(frozen=True, slots=True)
class Trained:
    """`kept` returns the indices of the blocks of a page that the method keeps; `arrays` are its weights."""

    kept: Callable[[Example], Sequence[int]]
    arrays: npz.Arrays


Trainer = Callable[[Sequence[Example]], Trained]


@dataclass(frozen=True)
class AutoTrainer:
    """Of the default extractor."""

    threshold: float = 0.5
    favor: Literal["articles", "recall"] = "articles"

    def __call__(self, examples: Sequence[Example]) -> Trained:
        """See `Trainer`."""
        network, auto = train(examples), Auto(self.threshold, self.favor)

        def kept(example: Example) -> Sequence[int]:
            probabilities = network.probabilities(example.blocks, example.title)
            if self.favor == "recall":
                return auto.select_above(example.blocks, probabilities)
            return auto.article(example.blocks, probabilities, example.title)[1]

        return Trained(kept, network.arrays())


@dataclass(frozen=True)
class _MaxEnt:
    prior: float = train_maxent.PRIOR
    sites: int = train_maxent.SITES

    def __post_init__(self) -> None:
        require_minimiser()  # fails before the work

    def __call__(self, examples: Sequence[Example]) -> Trained:
        learned, select = train_maxent.train_maxent(examples, self.prior, self.sites), MaxEnt().select
        return Trained(lambda example: select(learned.odds(example.blocks)), learned.arrays())


@dataclass(frozen=True)
class _CRF:
    features: str = OWN_SET
    entities: str = ""
    prior: float = train_crf.PRIOR
    sites: int = train_crf.SITES

    def __post_init__(self) -> None:
        feature_set(self.feature_set)  # fails before the work
        require_minimiser()

    @property
    def feature_set(self) -> str:
        return f"{self.features} entities={self.entities}" if self.entities else self.features

    def __call__(self, examples: Sequence[Example]) -> Trained:
        chain, select = train_crf.train_crf(examples, self.feature_set, self.prior, self.sites), CRF().select
        return Trained(lambda example: select(example.blocks, example.title, chain), chain.arrays())


@dataclass(frozen=True)
class _Subsequence:
    def __call__(self, examples: Sequence[Example]) -> Trained:
        classifier, select = train_subsequence(examples), Subsequence().select
        return Trained(lambda example: select(example.blocks, classifier), classifier.arrays())


TRAINERS: dict[str, Any] = {"auto": AutoTrainer, "crf": _CRF, "maxent": _MaxEnt, "subsequence": _Subsequence}
SETTINGS = ("prior=0.1 sites=1", "prior=1 sites=1", "prior=1 sites=4", "prior=10 sites=4")
"""Settings of `maxent` and `crf` to choose from, the freest first; the last are the defaults."""


def trainer(method: str) -> Trainer:
    """The training of a method as users type it: "crf", or "crf features=paper entities=PIPELINE".

    It uses the pages of `used_pages`. Raises ConfigError for an unknown method, parameter or feature set,
    MissingExtraError where SciPy or spaCy is not installed and needed.
    """
    training: Trainer = build("extractor that learns", Step.parse(method), TRAINERS)
    return lambda examples: training(used_pages(method, examples))


def settings_of(method: str) -> dict[str, Trainer]:
    """The trainings of a method by their settings: all `SETTINGS`, if it has these and they are not given."""
    step = Step.parse(method)
    if step.name not in ("crf", "maxent") or not step.params.keys().isdisjoint(("prior", "sites")):
        return {"": trainer(method)}
    return {setting: trainer(f"{method} {setting}") for setting in SETTINGS}


def used_pages(method: str, examples: Sequence[Example]) -> list[Example]:
    """The examples that the training of a method uses: articles only, or with `favor=recall` all pages."""
    if Step.parse(method).params.get("favor") == "recall":
        return list(examples)
    return [example for example in examples if is_article(example)]


def save(path: Path, method: str, trained: Trained, examples: Sequence[Example]) -> None:
    """Write the weights, with the name of the method and the languages of the examples, for `npz.weights`."""
    step = Step.parse(method)
    name = "auto favor=recall" if step.params.get("favor") == "recall" else step.name
    languages = sorted({example.page.language for example in examples} - {""})
    head = {"method": np.array(name), "languages": np.array(languages, np.str_)}
    npz.save(path, {**trained.arrays, **head})


def fold_of(name: str) -> int:
    """The fold of what belongs together by this name, of FOLD_COUNT."""
    return hashlib.sha1(name.encode(), usedforsecurity=False).digest()[0] % FOLD_COUNT


def by_folds(
    cases: Sequence[Case],
    folds: Sequence[Fold],
    train: Callable[[Sequence[Case]], Callable[[Case], Result]],
    progress: Callable[[], None] = lambda: None,
) -> list[Result]:
    """The prediction for each case, learned from the cases of the other folds; `progress` follows each."""
    results: dict[int, Result] = {}
    for held in sorted(set(folds)):
        apply = train([case for case, fold in zip(cases, folds, strict=True) if fold != held])
        results |= {index: apply(cases[index]) for index, fold in enumerate(folds) if fold == held}
        progress()
    return [results[index] for index in range(len(cases))]
