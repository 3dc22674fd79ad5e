"""The feature sets of CE-BEST by name, as files of weights keep them.

| name | features |
|---|---|
| `ours` | `crf_features`, those of the shipped weights |
| `paper` | those that the paper names except named entities |
| `paper entities=PIPELINE` | with named entities, which a spaCy pipeline finds (`named_entities`) |

The features that Gibson, Wellner and Lubar name for CE-BEST: CEDAR, LREC 2008, sections 4.2 and 5.2.

| in the paper | here |
|---|---|
| "a simple bag of words with frequency" | all words in lower case, as often as the block has them |
| "a count of the tokens in a block" | logarithm of 1 + words |
| "the percentage of tokens in a block that were contained within an anchor tag" | share of words, 0 to 1 |
| "tags in and around the block" | inline elements with some of its text, the six nearest elements around it |
| "named entities (e.g. people, organizations, etc.)" | logarithms of 1 + persons, places, organisations |

The paper has "several other feature types", which it does not name.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

import numpy as np

from dupgroups.content.blocks import INLINE, Blocks
from dupgroups.content.letters import block_words
from dupgroups.methods.registry import build, lookup
from dupgroups.model.config import Step
from dupgroups_papers.content.crf_features import Features, Numbers, bag, numbers, words_around
from dupgroups_papers.content.hashed_bag_of_words import Bags, bags
from dupgroups_papers.content.named_entities import Recogniser, recogniser
from dupgroups_papers.content.walk import START, TEXT, walk

OWN_SET = "ours"

FeatureSet = Callable[[Blocks, str], Features]  # of a page that has blocks, and its headline


@dataclass(frozen=True)
class Ours:
    """The features of the shipped weights."""

    def __call__(self, page: Blocks, title: str) -> Features:
        """79 numbers of each block; `title` is the headline."""
        return Features(numbers(page, title), bag(page))


@dataclass(frozen=True)
class Paper:
    """The features that the paper names; `entities` is the spaCy pipeline that finds entities, or ""."""

    entities: str = ""
    _recogniser: Recogniser | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        found = recogniser(self.entities) if self.entities else None
        object.__setattr__(self, "_recogniser", found)

    def __call__(self, page: Blocks, title: str) -> Features:
        """2 numbers of each block, or 5 with named entities; `title` is not used."""
        inside = _find_open_elements(page)
        return Features(_numbers(page, inside, self._recogniser), _bags(page, inside))


class _Inside(NamedTuple):
    """Of every block: its tokens, those within links, and the inline elements that hold some of its text."""

    tokens: list[int]
    linked: list[int]
    tags: list[dict[str, None]]


def _find_open_elements(page: Blocks) -> _Inside:
    size = len(page.blocks)
    inside = _Inside([0] * size, [0] * size, [{} for _ in page.blocks])
    open_elements = Counter[str]()
    for kind, tag, node, block in walk(page.html):
        if kind == TEXT:
            tokens = len(block_words(node.text_content or ""))
            inside.tokens[block] += tokens
            inside.linked[block] += tokens * (open_elements["a"] > 0)
            inside.tags[block].update((f"<{name}>", None) for name, depth in open_elements.items() if depth)
        elif tag in INLINE:
            open_elements[tag] += 1 if kind == START else -1
    return inside


def _numbers(page: Blocks, inside: _Inside, counts: Recogniser | None) -> Numbers:
    tokens, linked = np.array(inside.tokens, float), np.array(inside.linked, float)
    columns = [np.log1p(tokens), linked / np.maximum(tokens, 1)]
    if counts:
        columns.extend(np.log1p(np.array([counts(block.text) for block in page.blocks], float).T))
    return np.stack(columns, 1).astype(np.float32)


def _bags(page: Blocks, inside: _Inside) -> Bags:
    """The words of each block as often as it has them, and the tags in and around it, each once."""
    outside = words_around(page, lambda box: (f"<{box.tag}>",))
    return bags(
        [
            (*block_words(block.text.lower()), *tags, f"<<{page.boxes[block.box].tag}", *outside[block.box])
            for block, tags in zip(page.blocks, inside.tags, strict=True)
        ]
    )


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
