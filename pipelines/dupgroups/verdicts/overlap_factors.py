"""Overlap factors of two feature strings.

An, Cheng: The Chinese Duplicate Web Pages Detection Algorithm based on Edit Distance, sections IV.A and IV.C:
LCC(a, b) = max(|a|, |b|) - edit(a, b); the overlap factor of a string is LCC divided by its length; two pages
are duplicates when the factor of one reaches alpha (alpha + epsilon on one host, whose pages share the noise of
one template) and that of the other reaches beta.

| field | default | |
|---|---|---|
| alpha | 0.8 | the paper's table III |
| epsilon | 0.2 | the paper's table III |
| beta | 0.5 | the paper gives no value; it keeps a short string from matching a long one |
"""

from __future__ import annotations

from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein

from dupgroups.model import Record, Verdict


@dataclass(frozen=True)
class OverlapFactors:
    """A low beta lets excerpts match; a low alpha lets unlike stories with common closing words match."""

    alpha: float = 0.8
    epsilon: float = 0.2
    beta: float = 0.5

    def __post_init__(self) -> None:
        if not (0 <= self.beta <= self.alpha <= 1 and 0 <= self.epsilon <= 1 - self.alpha + 1e-9):
            raise ValueError("0 <= beta <= alpha <= 1 and alpha + epsilon <= 1")

    def __call__(self, a: Record, b: Record) -> Verdict:
        """Duplicate or different; the score is the smaller overlap factor."""
        one, two = a.signature.body.decode(), b.signature.body.decode()
        if not (one and two):
            return Verdict("too_short", 0.0, "At least one of the two has too few full stops to compare.")
        common = lcc(one, two)
        high, low = common / min(len(one), len(two)), common / max(len(one), len(two))
        same_host = bool(a.host) and a.host == b.host
        alpha = min(self.alpha + self.epsilon, 1.0) if same_host else self.alpha
        is_duplicate = high >= alpha and low >= self.beta
        reason = f"{common} of {len(one)} and of {len(two)} characters before full stops agree"
        reason += ", on one host." if same_host else "."
        return Verdict("duplicate" if is_duplicate else "different", low, reason)


def lcc(a: str, b: str) -> int:
    """Largest common number of characters: the longer length minus the edit distance (definition 2).

    >>> lcc("了的说", "了说")
    2
    """
    return max(len(a), len(b)) - Levenshtein.distance(a, b)
