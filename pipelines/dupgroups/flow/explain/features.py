"""The features of two texts as text: what both have, and what only one of them has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein

from dupgroups.flow.explain.alignment import Passage
from dupgroups.methods.signatures import Signer
from dupgroups.methods.signatures.base import SpellingSigner
from dupgroups.model import Content
from dupgroups.text.feature_string import feature_string

LISTED = 60  # features of a kind that are listed
LONGEST = 500  # characters of a feature string that are aligned, as the paper's signer keeps


@dataclass(frozen=True, slots=True)
class Share:
    """Distinct features: how many there are, and the first ones."""

    count: int
    first: tuple[str, ...]

    @classmethod
    def of(cls, features: Sequence[str]) -> Share:
        """All of them counted, LISTED of them listed."""
        return cls(len(features), tuple(features[:LISTED]))


@dataclass(frozen=True, slots=True)
class Features:
    """What the signer makes of two texts: `kind` names it, and each feature counts once."""

    kind: str
    shared: Share
    only_a: Share
    only_b: Share

    @property
    def resemblance(self) -> float:
        """The share of all features that both have, 0 to 1; 0 without any."""
        total = self.shared.count + self.only_a.count + self.only_b.count
        return self.shared.count / total if total else 0.0


@dataclass(frozen=True, slots=True)
class FeatureStrings:
    """The feature strings of two Chinese texts, aligned; `lcc` is the number of characters that agree."""

    a: tuple[Passage, ...]
    b: tuple[Passage, ...]
    lcc: int
    lengths: tuple[int, int]


def features(signer: Signer, a: Content, b: Content) -> Features | None:
    """What two texts share; None if the signer does not show its features."""
    if not isinstance(signer, SpellingSigner):
        return None
    one, two = signer.spelled(a), signer.spelled(b)
    ours, theirs = dict.fromkeys(one.features), dict.fromkeys(two.features)
    return Features(
        kind=one.kind,
        shared=Share.of([feature for feature in ours if feature in theirs]),
        only_a=Share.of([feature for feature in ours if feature not in theirs]),
        only_b=Share.of([feature for feature in theirs if feature not in ours]),
    )


def feature_strings(a: str, b: str) -> FeatureStrings | None:
    """The characters before the full stops of two texts (An and Cheng), aligned by the fewest edits.

    None unless both have some. Where an edit replaces a character, neither of the two agrees.
    """
    one, two = feature_string(a)[:LONGEST], feature_string(b)[:LONGEST]
    if not one or not two:
        return None
    steps = Levenshtein.opcodes(one, two)
    edits = Levenshtein.distance(one, two)
    return FeatureStrings(
        a=_passages((one[step.src_start : step.src_end], step.tag == "equal") for step in steps),
        b=_passages((two[step.dest_start : step.dest_end], step.tag == "equal") for step in steps),
        lcc=max(len(one), len(two)) - edits,
        lengths=(len(one), len(two)),
    )


def _passages(parts: Iterable[tuple[str, bool]]) -> tuple[Passage, ...]:
    return tuple(Passage(text, common) for text, common in parts if text)
