"""The ablations of Alonso, Fetterly and Manasse on labelled documents, by exact similarities.

Near Duplicate News Story Detection Revisited compares lists of antecedents for SpotSigs, eleven weightings of
phrases, and the percentage of documents above which a phrase is dropped, each by its best F1 over all
thresholds. Document frequencies are counted on the documents themselves, as in the paper. The paper drew its
labelled pairs evenly over all similarities: `listed` comes closest to that; `every` counts all pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from dupgroups.codecs.set_codec import members
from dupgroups.corpus.frequencies import Frequencies, terms_and_phrases
from dupgroups.model import Content
from dupgroups.signatures.spotsigs import ANTECEDENTS, CHINESE, SpotSigs
from dupgroups.signatures.weighted_phrases import WeightedPhrases
from dupgroups_lab.labels.pairs import Truth
from dupgroups_lab.papers.exact import Progress, Reached, Weighted

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

COMMON = (1, 5, 25, 50, 75, 95, 99)
"""Per cent of the documents above which a phrase is dropped; the paper finds 50 best."""


@dataclass(frozen=True, slots=True)
class Row:
    """The scores of one variant; `published` is the paper's F1."""

    name: str
    published: float | None
    reached: Reached


@dataclass(frozen=True, slots=True)
class Ablation:
    """The three tables."""

    antecedents: Sequence[Row]
    weightings: Sequence[Row]
    common: Sequence[Row]


def ablation(
    texts: Mapping[str, str], truth: Truth, size: int = 7, progress: Progress = lambda done, total: None
) -> Ablation:
    """Measure all variants on the texts of the documents of `truth`, by id, with phrases of `size` words."""
    contents = [Content(texts[document]) for document in truth.documents]
    known = Frequencies.learn(terms_and_phrases(content.text, size) for content in contents)
    total, done = len(ANTECEDENTS) + 1 + len(WEIGHTINGS) + len(COMMON), 0

    def row(name: str, published: float | None, features: Callable[[Content], Weighted]) -> Row:
        nonlocal done
        row = Row(name, published, Reached.of(list(map(features, contents)), truth))
        done += 1
        progress(done, total)
        return row

    def phrases(weighting: str = "df2", common: float = 50) -> Callable[[Content], Weighted]:
        return WeightedPhrases(size, weighting, common, frequencies=known).weighted

    lists = {**ANTECEDENTS, CHINESE: None}
    return Ablation(
        [row(name, published, _spots(name)) for name, published in lists.items()],
        [row(name, published, phrases(name)) for name, published in WEIGHTINGS.items()],
        [row(f"{percent} %", None, phrases(common=percent)) for percent in COMMON],
    )


def _spots(antecedents: str) -> Callable[[Content], Weighted]:
    signer = SpotSigs(antecedents, least=1)

    def spots(content: Content) -> Weighted:
        signed = signer(content)
        features = members(signed.body) if signed else np.zeros(0, np.uint32)
        return features, np.ones(len(features))

    return spots
