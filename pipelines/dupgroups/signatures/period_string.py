"""The feature string: the Chinese character right before each full stop.

An, Cheng: The Chinese Duplicate Web Pages Detection Algorithm based on Edit Distance, section IV.B.

| field | default | |
|---|---|---|
| shortest | 4 | characters; a shorter string says nothing (the paper's own limit, section VII) |
| longest | 100 | characters of the string that are kept |
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dupgroups.model import Content, Signature
from dupgroups.text.chinese import period_characters
from dupgroups.text.hashing import Hashes, combine, key_strings, scramble
from dupgroups.text.sketches import minima

KEYS = 30


@dataclass(frozen=True)
class PeriodString:
    """An edit distance cannot be looked up, so the keys are runs of three characters of the string."""

    shortest: int = 4
    longest: int = 100

    def __post_init__(self) -> None:
        if not 1 <= self.shortest <= self.longest:
            raise ValueError("shortest is at least 1 and at most longest")

    @property
    def scheme(self) -> str:
        """Name, version and parameters."""
        return f"period-string-1:{self.shortest}:{self.longest}"

    def __call__(self, content: Content) -> Signature:
        """The string as body, in UTF-8; an empty signature when it is too short."""
        string = period_characters(content.text)[: self.longest]
        if len(string) < self.shortest:
            return Signature(self.scheme)
        return Signature(self.scheme, key_strings(_keys(string)), string.encode())


def _keys(string: str) -> Hashes:
    codes = np.frombuffer(f"^{string}$".encode("utf-32-le"), "<u4").astype(np.uint64)
    runs = combine([codes[:-2], codes[1:-1], codes[2:]])
    smallest, filled = minima(np.sort(scramble(runs)), KEYS)
    return smallest[filled]
