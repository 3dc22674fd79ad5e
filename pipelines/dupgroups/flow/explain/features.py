"""The features of two texts as text: what both have, and what only one of them has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dupgroups.methods.signatures import Signer
from dupgroups.methods.signatures.base import SpellingSigner
from dupgroups.model import Content

LISTED = 60  # features of a kind that are listed


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
