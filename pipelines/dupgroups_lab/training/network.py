"""Training of the default extractor's network.

| setting | value | why |
|---|---|---|
| networks | 2 | of different seeds, side by side in one wide layer: their mean errs less than one of them |
| hidden | 32 | hidden units of one network |
| epochs | 12 | Adam, step 0.002, warm-up over a tenth, cosine decay, batches of 1024 blocks |
| dropout | 0.1, 0.2 | of inputs and of hidden units |
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dupgroups.content.auto import Network
from dupgroups.content.blocks import Blocks, divide
from dupgroups.content.features import Floats, Measures, features
from dupgroups.content.lexicon import LEXICAL, Lexicons
from dupgroups.content.metadata import metadata
from dupgroups.errors import InputError
from dupgroups_lab.labels.labelled_pages import LabelledPage, read_pack
from dupgroups_lab.training.labels import Labels, LexiconCounts, align, count_lexicons

_NETWORKS, _HIDDEN, _EPOCHS, _BATCH, _STEP = 2, 32, 12, 1024, 0.002
_DROP_INPUT, _DROP_HIDDEN = 0.1, 0.2
_WEIGHT_DECAY = 1e-4


@dataclass(frozen=True, slots=True)
class Example:
    """A labelled page, divided into blocks, with its features (blocks, f) except those of the lexicons."""

    page: LabelledPage
    blocks: Blocks
    title: str
    features: Floats
    labels: Labels


def read_examples(packs: Iterable[Path]) -> Iterator[Example]:
    """The pages of the packs that have gold text and blocks."""
    for pack in packs:
        for page in read_pack(pack):
            blocks = divide(page.html)
            if page.text and blocks.blocks:
                title = metadata(blocks).title
                yield Example(page, blocks, title, features(blocks, title), align(blocks, page.text, title))


def is_article(example: Example) -> bool:
    """Whether the page is not known to be a list, a forum or a shop: their golds follow other rules."""
    return example.page.kind != "other"


def train(examples: Sequence[Example]) -> Network:
    """A network trained on these pages. The same pages in the same order give the same one on one machine.

    Raises InputError if no page has a block of its gold text.
    """
    if not any(example.labels.share.any() for example in examples):
        raise InputError("no page has a block of its gold text: are `html` and `text` of the same pages?")
    names, words = count_lexicons((example.page.site, example.blocks, example.labels) for example in examples)
    inputs = np.concatenate([_inputs(example, names, words) for example in examples])
    labels = np.concatenate([example.labels.share for example in examples])
    weights = np.concatenate([_weights(example.labels) for example in examples])
    centre: Floats = np.asarray(inputs.mean(0), np.float32)
    scale: Floats = np.asarray(1 / (inputs.std(0) + 1e-3), np.float32)
    given = np.clip((inputs - centre) * scale, -5, 5)
    shares: Floats = np.asarray(weights / weights.mean(), weights.dtype)
    networks = [_fit_weights(given, labels, shares, seed) for seed in range(_NETWORKS)]
    return Network(
        centre=centre,
        scale=scale,
        hidden=np.concatenate([part[0] for part in networks], 1),
        bias=np.concatenate([part[1] for part in networks]),
        out=np.concatenate([part[2] / np.float32(_NETWORKS) for part in networks]),
        level=float(np.mean([part[3] for part in networks])),
        names=names.weights(),
        words=words.weights(),
    )


def _inputs(example: Example, names: LexiconCounts, words: LexiconCounts) -> Floats:
    """The inputs for a page: its features, and lexicon features counted on other sites only."""
    site = example.page.site
    known = np.zeros((LEXICAL, len(example.features)), np.float32)
    lexicons = Lexicons(names.weights_without(site), words.weights_without(site))
    lexicons.fill(Measures(example.blocks), known)
    return np.concatenate((example.features, known.T), 1)


def _weights(labels: Labels) -> Floats:
    """Long blocks count more than short ones, and every page as much as every other."""
    weight = np.sqrt(labels.tokens + 1)
    return np.asarray(weight / weight.sum())


def _fit_weights(given: Floats, labels: Floats, weights: Floats, seed: int) -> list[Floats]:
    """hidden (f, h), bias (h,), out (h,), level (1,) by Adam on the weighted cross-entropy."""
    random = np.random.default_rng(seed)
    wide = given.shape[1]
    weight = [
        random.normal(0, np.sqrt(2 / wide), (wide, _HIDDEN)).astype(np.float32),
        np.zeros(_HIDDEN, np.float32),
        random.normal(0, np.sqrt(1 / _HIDDEN), _HIDDEN).astype(np.float32),
        np.zeros(1, np.float32),
    ]
    first, second = ([np.zeros_like(parameters) for parameters in weight] for _ in range(2))
    batch = min(_BATCH, len(given) // 20 + 1)  # a few pages are enough to learn their template
    steps, step = _EPOCHS * (len(given) // batch), 0
    for _ in range(_EPOCHS):
        order = random.permutation(len(given))
        for start in range(0, len(given) - batch + 1, batch):
            rows = order[start : start + batch]
            slopes = _slopes(weight, given[rows], labels[rows], weights[rows], random)
            step += 1
            rate = _STEP * min(1, 10 * step / steps) * 0.5 * (1 + np.cos(np.pi * step / steps))
            for parameters, slope, m, v in zip(weight, slopes, first, second, strict=True):
                m += 0.1 * (slope - m)
                v += 0.001 * (slope * slope - v)
                parameters -= rate * (m / (1 - 0.9**step)) / (np.sqrt(v / (1 - 0.999**step)) + 1e-8)
    return weight


def _slopes(
    weight: list[Floats], given: Floats, labels: Floats, weights: Floats, random: np.random.Generator
) -> list[Floats]:
    hidden, bias, out, level = weight
    given = given * _draw_mask(given.shape, _DROP_INPUT, random)
    before = given @ hidden + bias
    kept = _draw_mask(before.shape, _DROP_HIDDEN, random)
    active = np.maximum(before, 0) * kept
    error = (1 / (1 + np.exp(-(active @ out + level))) - labels) * weights / len(labels)
    back = np.outer(error, out) * (before > 0) * kept
    return [given.T @ back + _WEIGHT_DECAY * hidden, back.sum(0), active.T @ error, error.sum(keepdims=True)]


def _draw_mask(shape: tuple[int, ...], dropped: float, random: np.random.Generator) -> Floats:
    return np.asarray((random.random(shape, dtype=np.float32) > dropped) / np.float32(1 - dropped))
