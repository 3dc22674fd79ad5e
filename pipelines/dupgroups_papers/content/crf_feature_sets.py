"""The feature sets of CE-BEST by name, as files of weights keep them.

| name | features |
|---|---|
| `ours` | `crf_features`, those of the shipped weights |
| `paper` | `crf_paper_features`, those that the paper names except named entities |
| `paper entities=PIPELINE` | with named entities, which a spaCy pipeline finds (`named_entities`) |
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from dupgroups.content.blocks import Blocks
from dupgroups.methods.registry import build, lookup
from dupgroups.model.config import Step
from dupgroups_papers.content.crf_features import Features, bag, numbers
from dupgroups_papers.content.crf_paper_features import Paper

OWN_SET = "ours"

FeatureSet = Callable[[Blocks, str], Features]  # of a page that has blocks, and its headline


@dataclass(frozen=True)
class Ours:
    """The features of the shipped weights."""

    def __call__(self, page: Blocks, title: str) -> Features:
        """79 numbers of each block; `title` is the headline."""
        return Features(numbers(page, title), bag(page))


FEATURE_SETS = {OWN_SET: Ours, "paper": Paper}


@cache
def feature_set(name: str) -> FeatureSet:
    """The set with this name, built once.

    Raises ConfigError for an unknown one, MissingExtraError where spaCy is needed and not installed.
    """
    step = Step.parse(name)
    lookup("feature set", step.name, FEATURE_SETS)  # files name it, so no other class is ever imported
    built: FeatureSet = build("feature set", step, FEATURE_SETS)
    return built
