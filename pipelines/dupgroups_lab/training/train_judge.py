"""The model of the judge, fitted to labelled pairs and to pairs that are made of the same texts.

An additive model of monotone curves (`dupgroups.methods.additive_model`): what two texts have in common never
speaks against one story, and no contradiction for it. Its log loss is least (`additive_fit.py`). It is
tested on stories that were left out: a labelled pair is in the fold of the stories connected with it.

| setting | value | meaning |
|---|---|---|
| penalty    | 1e-4  | of the squares of the weights |
| per pack   | 400   | weight of the labelled pairs of a pack at most, twice that of the made ones |
| one fact   | 3     | weight of a made pair with one other fact: a text has many ways to be a copy |
| two stories | 1.25 | weight of two stories against one: joining two is worse than splitting one |
| texts      | 150   | of a pack, from which pairs are made; and of its pairs of each label that are misread |

Labelled pairs count without the frames of their pack (`dupgroups.methods.frames`), as the judge is asked, and
as they are written: of two stories with a frame that nobody knows yet only a part is their own, too.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np

from dupgroups.bulk.inputs.page_reader import PageReader, fields_of_file
from dupgroups.bulk.offline.page_groups import grouped_pages
from dupgroups.errors import InputError
from dupgroups.methods.additive_model import AdditiveModel
from dupgroups.methods.evidence import MEASURES, measure
from dupgroups.methods.frames import Frames
from dupgroups.model import Page
from dupgroups.text.facts import Facts, join_title, read_facts
from dupgroups_lab.labels.labelled_pairs import (
    DOCUMENTS_FILE,
    PAIRS_FILE,
    Pair,
    closure,
    read_labels,
    read_weights,
)
from dupgroups_lab.training.additive_fit import Floats, fit_curves
from dupgroups_lab.training.edited_pairs import make_pairs, misread
from dupgroups_lab.training.trainable_methods import by_folds, fold_of

PENALTY, PACK_WEIGHT, MADE_TEXTS = 1e-4, 400.0, 150
LABELLED_FACTOR, ONE_FACT_WEIGHT, TWO_STORIES_WEIGHT = 2.0, 3.0, 1.25
ONE_FACT = frozenset(("one other figure", "other numeral", "other day", "opposite", "without negation"))
LABELLED_KINDS: Mapping[str, Callable[[Frames, str], str]] = {
    "labelled": Frames.strip,  # as the judge is asked
    "as written": lambda frames, text: text,  # as where a frame is not known yet
}
SEEN_BY_WORDS = frozenset(("background", "round-up"))
"""Made pairs that are two stories by their words alone; of others what no measure sees is not learned."""
RISING = frozenset(("words", "kept", "ordered", "ordered kept", "share", "figures", "misread"))
FREE = frozenset(("size",))
MISREAD_SHARES = (0.01, 0.02, 0.02, 0.04)  # of the characters of labelled pairs


class Example(NamedTuple):
    """A pair with its measures."""

    pack: str
    kind: str
    """One of LABELLED_KINDS, or how the pair was made."""
    joins: bool | None
    """Whether it is one story; None if that counts neither way."""
    weight: float
    """How many pairs it stands for."""
    story: str
    """What must be in one fold."""
    words: int
    """Of the shorter text, if it is labelled."""
    values: tuple[float, ...]
    """In the order of MEASURES."""


def read_examples(packs: Sequence[Path]) -> Iterator[Example]:
    """The labelled pairs of packs, and pairs made of their texts. InputError for one without texts."""
    for pack in packs:
        pages = {
            page.id or "": page
            for page in PageReader(pack / DOCUMENTS_FILE, lambda faults: None, fields_of_file("html="))
        }
        texts = [page for page in pages.values() if len(page.text or "") > 120]
        if not texts:
            raise InputError(f"{pack} has no texts of documents to learn from")
        listed = read_labels(pack / PAIRS_FILE).items()
        labels = {ids: label for ids, label in listed if pages.keys() >= {*ids}}
        stories = closure(pages, labels)
        with grouped_pages(pages.values()) as groups:
            frames = groups.frames
        yield from _read_labelled(pack, pages, labels, stories, frames)
        yield from _make_examples(pack.name, texts, stories)


def _read_labelled(
    pack: Path,
    pages: Mapping[str, Page],
    labels: Mapping[Pair, str],
    stories: Mapping[str, str],
    frames: Frames,
) -> Iterator[Example]:
    """The labelled pairs, without the frames of their pack and with them, and some of them misread."""
    weights = read_weights(pack / PAIRS_FILE)
    texts = {id_: join_title(page.title or "", page.text or "") for id_, page in pages.items()}
    facts = cache(read_facts)
    dice = Random(pack.name)  # noqa: S311
    left = Counter({True: MADE_TEXTS, False: MADE_TEXTS})
    for (a, b), label in labels.items():
        if pages[a].text and pages[b].text:
            joins = {"duplicate": True, "non": False}.get(label)
            weight = weights[a, b].pairs if weights else 1.0
            words = weights[a, b].words if weights else 70
            for kind, read in LABELLED_KINDS.items():
                values = _measure(*(facts(read(frames, texts[id_])) for id_ in (a, b)))
                yield Example(pack.name, kind, joins, weight, stories[a], words, values)
            if joins is not None and left[joins] and dice.random() < 0.5:
                left[joins] -= 1  # a damaged pair is no more one story than a sound one
                share = dice.choice(MISREAD_SHARES)
                both = [frames.strip(misread(texts[id_], share, dice)) for id_ in (a, b)]
                values = _measure(*map(read_facts, both))
                kind = "misread copies" if joins else "misread stories"
                yield Example(pack.name, kind, joins, 1.0, stories[a], 0, values)


def _make_examples(pack: str, pages: Sequence[Page], stories: Mapping[str, str]) -> Iterator[Example]:
    dice = Random(pack)  # noqa: S311
    for page in dice.sample(pages, min(len(pages), MADE_TEXTS)):
        other = dice.choice(pages)
        for made in make_pairs(page.text or "", page.title or "", other.text or "", dice):
            values = _measure(read_facts(made.a), read_facts(made.b))
            is_seen = any(values[place] for place in _DIFFERENCES)
            if made.joins or made.kind in SEEN_BY_WORDS or is_seen:
                yield Example(pack, made.kind, made.joins, 1.0, stories[page.id or ""], 0, values)


def _measure(one: Facts, two: Facts) -> tuple[float, ...]:
    values = measure(one, two).values
    return tuple(values[name] for name in MEASURES)


_DIFFERENCES = [place for place, name in enumerate(MEASURES) if name not in RISING | FREE | {"openings"}]


# -- the model


def fit_model(examples: Sequence[Example]) -> AdditiveModel:
    """The model of these examples. Raises InputError without SciPy, and without examples of both kinds."""
    used = [example for example in examples if example.joins is not None]
    if len({example.joins for example in used}) < 2:
        raise InputError(
            "there is nothing to learn from: give packs with pairs labelled duplicate and non of many stories"
        )
    values = np.array([example.values for example in used])
    joins = np.array([example.joins for example in used])
    sides, shares = np.where(joins, 1.0, -1.0), _weigh(used)

    def loss(sums: Floats) -> tuple[float, Floats]:
        margins = sides * sums
        slopes = -sides * shares / (1 + np.exp(np.clip(margins, -500, 500)))
        return float((shares * np.logaddexp(0, -margins)).sum()), slopes

    signs = {name: 0 if name in FREE else 1 if name in RISING else -1 for name in MEASURES}
    return fit_curves(MEASURES, values, loss, PENALTY, signs.__getitem__)


def _weigh(examples: Sequence[Example]) -> Floats:
    """The weights of examples: packs, and labelled and made pairs, count alike."""
    weights = np.array(
        [
            min(12.0, one.weight) ** 0.5 * (ONE_FACT_WEIGHT if one.kind in ONE_FACT else 1.0)
            for one in examples
        ]
    )
    groups = np.array([f"{one.pack} {one.kind in LABELLED_KINDS}" for one in examples])
    for group in np.unique(groups):
        factor = min(1.0, PACK_WEIGHT / weights[groups == group].sum())
        weights[groups == group] *= factor * (LABELLED_FACTOR if group.endswith("True") else 1.0)
    weights[[not one.joins for one in examples]] *= TWO_STORIES_WEIGHT
    found: Floats = weights / weights.sum()
    return found


def cross_validate(examples: Sequence[Example]) -> list[float]:
    """The probability of each example by a model that has not seen its story."""

    def train(others: Sequence[Example]) -> Callable[[Example], float]:
        model = fit_model(others)
        return lambda example: model.probability(dict(zip(MEASURES, example.values, strict=True)))

    return by_folds(examples, [fold_of(f"{one.pack} {one.story}") for one in examples], train)


# -- what it is right about


@dataclass(frozen=True, slots=True)
class Row:
    """How many examples of one kind are right, and, of labelled ones, the weighted F1."""

    name: str
    right: int
    count: int
    f1: float | None = None


def tabulate(
    examples: Sequence[Example], probabilities: Sequence[float], threshold: float = 0.5
) -> list[Row]:
    """A row for the labelled pairs of each pack, all and short ones, then one for each kind of made pairs."""
    judged = [
        (example, probability >= threshold)
        for example, probability in zip(examples, probabilities, strict=True)
        if example.joins is not None
    ]
    rows = []
    for pack in dict.fromkeys(example.pack for example, _ in judged):
        own = [(one, found) for one, found in judged if one.pack == pack and one.kind == "labelled"]
        short = [(one, found) for one, found in own if one.words < 70]
        rows += [_row(name, some) for name, some in ((pack, own), (f"{pack}, short", short)) if some]
    for kind in sorted({(not one.joins, one.kind) for one, _ in judged if one.kind != "labelled"}):
        made = [(one, found) for one, found in judged if one.kind == kind[1]]
        rows.append(Row(f"{'apart' if kind[0] else 'one story'}: {kind[1]}", *_count_right(made)))
    return rows


def _row(name: str, judged: Sequence[tuple[Example, bool]]) -> Row:
    right = sum(one.weight for one, found in judged if one.joins and found)
    errors = sum(one.weight for one, found in judged if one.joins != found)
    return Row(name, *_count_right(judged), 2 * right / max(1e-9, 2 * right + errors))


def _count_right(judged: Sequence[tuple[Example, bool]]) -> tuple[int, int]:
    return sum(one.joins == found for one, found in judged), len(judged)
