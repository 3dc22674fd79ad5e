"""The ablations of Alonso, Fetterly and Manasse on labelled documents, by exact similarities.

Near Duplicate News Story Detection Revisited compares lists of antecedents for SpotSigs, eleven weightings of
phrases, and ways to be rid of common phrases: a percentage of documents above which a phrase is dropped, a
window of the inverse document frequency (IDF), and weights that are multiplied by it. Each is judged by its
best F1 over all thresholds. Document frequencies are counted on the documents themselves, as in the paper.
The paper drew its labelled pairs evenly over all similarities: `listed` comes closest to that; `every` counts
all pairs.

The paper reads all sentences (`SENTENCES[0]`); `weighted_phrases` reads closed ones by default. Phrases are
measured both ways.

Each row is compared with others by the paired bootstrap of `dupgroups_lab.measures.paired_bootstrap`: the
difference of both best F1, each at its threshold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from dupgroups.model import Content
from dupgroups.text.hashing import Hashes
from dupgroups_lab.labels.pairs import Truth
from dupgroups_lab.measures.paired_bootstrap import Difference, Samples
from dupgroups_lab.papers.exact import Measured, Progress, Reached, Weighted
from dupgroups_lab.papers.smart_stop_words import smart_stop_words
from dupgroups_papers.codecs.set_codec import members
from dupgroups_papers.corpus.frequencies import Frequencies
from dupgroups_papers.signatures.spotsigs import ANTECEDENTS, BEST, CHINESE, SpotSigs
from dupgroups_papers.signatures.weighted_phrases import WeightedPhrases

WEIGHTINGS: Mapping[str, float] = MappingProxyType(
    {
        "uniform": 0.8352,
        "df": 0.8275,
        "log_df": 0.8429,
        "log_idf": 0.8093,
        "df2": 0.8505,
        "df3": 0.8449,
        "df4": 0.8470,
        "log2_df": 0.8352,
        "log3_df": 0.8288,
        "log4_df": 0.8257,
        "log10_df": 0.8307,
    }
)
"""Weightings and the best F1 that the paper reports for each."""

SMART, SMART_F1 = "SMART's stop list", 0.7572
STOPWORDS = "stopwords"  # ours
SENTENCES: tuple[Literal["all"], Literal["closed"]] = ("all", "closed")

COMMON = (1, 5, 25, 50, 75, 95, 99)
"""Per cent of the documents above which a phrase is dropped; the paper finds 50 best."""

WINDOW: Mapping[str, Any] = MappingProxyType({"common": 100, "low": 0.2, "high": 0.85})
"""The IDF between which a phrase has a weight, normalised; the paper groups documents by such phrases."""

FILTERS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "uniform, nothing dropped": {"weighting": "uniform", "common": 100},
        "df2, nothing dropped": {"weighting": "df2", "common": 100},
        **{
            f"df2, none of more than {percent} %": {"weighting": "df2", "common": percent}
            for percent in COMMON
        },
        "uniform, IDF 0.2 to 0.85": {"weighting": "uniform", **WINDOW},
        "df2, IDF 0.2 to 0.85": {"weighting": "df2", **WINDOW},
        "uniform, times IDF": {"weighting": "uniform", "common": 100, "scaled": True},
        "df2, times IDF": {"weighting": "df2", "common": 100, "scaled": True},
    }
)
"""Ways to treat common phrases, as parameters of `weighted_phrases`."""

CURVES = (BEST, "uniform, nothing dropped", "uniform", "df2", "df2, none of more than 1 %")
"""The variants in the figure of MCC by threshold; "uniform, nothing dropped" approximates shingling."""

THRESHOLDS = tuple(number / 20 for number in range(1, 20))


@dataclass(frozen=True, slots=True)
class Row:
    """The scores of one variant; `published` is the paper's F1.

    `against`: its best F1 minus that of other variants, by their name.
    """

    name: str
    published: float | None
    reached: Reached
    against: Mapping[str, Difference]


@dataclass(frozen=True, slots=True)
class PhraseRow:
    """A variant of phrases of all sentences and of closed ones, and the F1 of closed minus that of all."""

    every: Row
    closed: Row
    difference: Difference


@dataclass(frozen=True, slots=True)
class Ablation:
    """The tables, and MCC at each of `THRESHOLDS` by variant, all sentences read."""

    antecedents: Sequence[Row]
    weightings: Sequence[PhraseRow]
    filters: Sequence[PhraseRow]
    mcc: Mapping[str, Sequence[float]]


def ablation(
    texts: Mapping[str, str], truth: Truth, size: int = 7, progress: Progress = lambda done, total: None
) -> Ablation:
    """Measure all variants on the texts of the documents of `truth`, by id, with phrases of `size` words."""
    contents = [Content(texts[document]) for document in truth.documents]
    samples, measured = Samples(truth), dict[tuple[str, str], Measured]()
    variants = [*_antecedents(contents), *_phrases(contents, size)]
    for done, (name, sentences, sets) in enumerate(variants, start=1):
        measured[name, sentences] = Measured.of(sets(), truth, samples)
        progress(done, len(variants))
    return _tables(measured)


# -- the variants, each with the features that it takes from the documents

Sets = Callable[[], Sequence[Weighted]]


def _antecedents(contents: Sequence[Content]) -> Iterator[tuple[str, str, Sets]]:
    smart = SpotSigs(smart_stop_words(), skipped="", least=1)  # as such: it skips none of our stop words
    signers = {name: SpotSigs(name, least=1) for name in (*ANTECEDENTS, STOPWORDS, CHINESE)}
    for name, signer in {**signers, SMART: smart}.items():
        yield name, SENTENCES[0], partial(_all_spots, signer, contents)


def _all_spots(signer: SpotSigs, contents: Sequence[Content]) -> list[Weighted]:
    return [_spots(signer, content) for content in contents]


def _spots(signer: SpotSigs, content: Content) -> Weighted:
    signed = signer(content)
    features = members(signed.body) if signed else np.zeros(0, np.uint32)
    return features, np.ones(len(features))


def _phrases(contents: Sequence[Content], size: int) -> Iterator[tuple[str, str, Sets]]:
    known = Frequencies.of_texts((content.text for content in contents), size)
    plain = {name: {"weighting": name} for name in WEIGHTINGS}
    for sentences in SENTENCES:
        phrases = list(map(WeightedPhrases(size, sentences=sentences).phrases, contents))
        for name, parameters in {**plain, **FILTERS}.items():
            signer = WeightedPhrases(size, **parameters, sentences=sentences, frequencies=known)
            yield name, sentences, partial(_weighted, signer, phrases)


def _weighted(signer: WeightedPhrases, phrases: Sequence[tuple[Hashes, Hashes]]) -> list[Weighted]:
    """The phrases of each document that have a weight; `phrases`: see `WeightedPhrases.phrases`."""
    weighed = ((found, signer.weights(found, first_words)) for found, first_words in phrases)
    return [(found[weights > 0], weights[weights > 0]) for found, weights in weighed]


# -- the tables


def _tables(measured: Mapping[tuple[str, str], Measured]) -> Ablation:
    every, closed = SENTENCES

    def row(name: str, sentences: str, published: float | None, *others: str) -> Row:
        one = measured[name, sentences]
        rivals = {other: measured.get((other, sentences)) or measured[other, every] for other in others}
        return Row(name, published, one.reached, one.against(rivals))

    def phrases(name: str, published: float | None, *others: str) -> PhraseRow:
        both = measured[name, closed].f1, measured[name, every].f1
        rows = [row(name, sentences, published, *others) for sentences in SENTENCES]
        return PhraseRow(rows[0], rows[1], Difference.of(*both))

    lists = {**ANTECEDENTS, SMART: SMART_F1, STOPWORDS: None, CHINESE: None}
    return Ablation(
        [row(name, every, published, BEST, SMART) for name, published in lists.items()],
        [phrases(name, published, "uniform", BEST, STOPWORDS) for name, published in WEIGHTINGS.items()],
        [phrases(name, None, "df2", BEST, STOPWORDS) for name in FILTERS],
        {name: list(map(measured[name, every].curve.mcc_at, THRESHOLDS)) for name in CURVES},
    )
