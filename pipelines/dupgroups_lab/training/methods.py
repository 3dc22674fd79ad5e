"""The extractors that learn: their training, and cross-validation on sites not seen in training."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from dupgroups.content.auto import Auto
from dupgroups.errors import ConfigError
from dupgroups.methods.registry import build, lookup
from dupgroups.model.config import Step
from dupgroups_lab.training.crf import train_crf
from dupgroups_lab.training.maxent import train_maxent
from dupgroups_lab.training.network import Example, is_article, train
from dupgroups_lab.training.subsequence import train_subsequence
from dupgroups_papers.content.crf import CRF
from dupgroups_papers.content.crf_feature_sets import OURS, feature_set
from dupgroups_papers.content.maxent import MaxEnt
from dupgroups_papers.content.subsequence import Subsequence


@dataclass(frozen=True, slots=True)
class Trained:
    """`kept` returns the indices of the blocks of a page that the method keeps; `save` writes its weights."""

    kept: Callable[[Example], Sequence[int]]
    save: Callable[[Path], None]


Trainer = Callable[[Sequence[Example]], Trained]
_AUTO = Auto()


def auto(examples: Sequence[Example], extractor: Auto = _AUTO, without: str = "") -> Trained:
    """The network of the default extractor, which does not use the group of features `without`."""
    network, select = train(examples, without), extractor.select
    return Trained(
        lambda example: select(example.blocks, network.probabilities(example.blocks, example.title)),
        network.save,
    )


def _maxent(examples: Sequence[Example]) -> Trained:
    learned, select = train_maxent(examples), MaxEnt().select
    return Trained(lambda example: select(learned.odds(example.blocks)), learned.save)


def _crf(examples: Sequence[Example], features: str = OURS) -> Trained:
    chain, select = train_crf(examples, features), CRF().select
    return Trained(lambda example: select(example.blocks, example.title, chain), chain.save)


def _subsequence(examples: Sequence[Example]) -> Trained:
    classifier, select = train_subsequence(examples), Subsequence().select
    return Trained(lambda example: select(example.blocks, classifier), classifier.save)


TRAINERS: dict[str, Trainer] = {"auto": auto, "crf": _crf, "maxent": _maxent, "subsequence": _subsequence}


def trainer(method: str) -> Trainer:
    """The training of a method as users type it: "crf", or "crf features=paper entities=PIPELINE".

    It uses the pages of `used_pages`. Raises ConfigError for an unknown method, parameter or feature set,
    MissingExtraError where spaCy is not installed.
    """
    training = _training(Step.typed(method))
    return lambda examples: training(used_pages(method, examples))


def used_pages(method: str, examples: Sequence[Example]) -> list[Example]:
    """The examples that the training of a method uses: articles only, or with `favor=recall` all pages."""
    if Step.typed(method).params.get("favor") == "recall":
        return list(examples)
    return [example for example in examples if is_article(example)]


def _training(step: Step) -> Trainer:
    found: Trainer = lookup("extractor that learns", step.name, TRAINERS)
    if not step.params:
        return found
    if step.name == "auto":
        return partial(auto, extractor=build("extractor", step, {"auto": Auto}))
    if step.name != "crf":
        raise ConfigError(
            f"the training of {step.name!r} has no parameters; only those of 'auto' and 'crf' have"
        )
    parameters = [f"{name}={value}" for name, value in step.params.items() if name != "features"]
    features = " ".join((str(step.params.get("features", OURS)), *parameters))
    feature_set(features)  # fails before the work
    return partial(_crf, features=features)


def cross_validated(
    examples: Sequence[Example],
    fold_of: Sequence[int],
    trainer: Trainer,
    progress: Callable[[], None] = lambda: None,
) -> list[Sequence[int]]:
    """The blocks kept of every example by weights trained without the examples of its fold.

    The trainer is given all pages of the other folds. `progress` is called after every fold.
    """
    kept: list[Sequence[int]] = [()] * len(examples)
    for fold in sorted(set(fold_of)):
        others = [
            example for example, example_fold in zip(examples, fold_of, strict=True) if example_fold != fold
        ]
        trained = trainer(others)
        for index, example_fold in enumerate(fold_of):
            if example_fold == fold:
                kept[index] = trained.kept(examples[index])
        progress()
    return kept
