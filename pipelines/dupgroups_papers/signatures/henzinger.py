"""Henzinger's combined signature: supershingles find pairs, a random projection checks them.

Henzinger: Finding Near-Duplicate Web Pages: A Large-Scale Evaluation of Algorithms (SIGIR 2006), section 5;
CEDAR, section 2.5. Algorithm B (Broder et al.; Fetterly, Manasse, Najork) takes shingles of 8 tokens, the
smallest under each of 84 hash functions, and 6 supershingles of 14 of these. Algorithm C is Charikar's random
projection of the tokens, weighted by their frequency in the text, onto 384 bits. Pages are near duplicates
when at least 2 supershingles agree and then at least 355 bits do.

These settings find pages whose articles are the same and whose frames differ. For edited news, `size = 3`
with `supershingle = 3` (28 keys) and a judge with `bits = 335` and `pieces = 0` find nearly all copies.

| field        | default | meaning |
|--------------|---------|---|
| size         | 8       | tokens of a shingle |
| minima       | 84      | hash functions |
| supershingle | 14      | min-values in a supershingle: fewer also find pairs that resemble each other less |
| bits         | 384     | bits of the projection |
| least        | 8       | distinct shingles that a text needs: a shorter one is not compared |

A dateline in front adds an eleventh shingle to ten. Only one of the supershingles of 14 values stays the
same, but most of those of 3 values:

>>> from dupgroups.model import Content
>>> from dupgroups_papers.signatures.henzinger import Henzinger
>>> text = "The ferry struck a moored barge in thick fog. Two people are missing, the coast guard said."
>>> signer = Henzinger(least=1)
>>> story, copy = signer(Content(text)), signer(Content("KESSEL - " + text))
>>> len(story.keys), len(set(story.keys) & set(copy.keys))
(6, 1)
>>> signer = Henzinger(supershingle=3, least=1)
>>> story, copy = signer(Content(text)), signer(Content("KESSEL - " + text))
>>> len(story.keys), len(set(story.keys) & set(copy.keys))
(28, 18)
"""

from dataclasses import dataclass
from typing import ClassVar

from dupgroups.errors import ConfigError
from dupgroups.methods.signatures.base import MOST_KEYS, SchemeOfFields
from dupgroups.methods.sketches.keys import key_strings
from dupgroups.model import Content, Signature
from dupgroups.text.hashing import windows
from dupgroups.text.sentences import tokens
from dupgroups.text.sets import distinct
from dupgroups_papers.sketches.projections import project, widen
from dupgroups_papers.sketches.set_sketches import min_values, numbered_supershingles


@dataclass(frozen=True)
class Henzinger(SchemeOfFields):
    """Signs with supershingles (keys, body) and a projection (body); the table above explains the fields."""

    NAME = "henzinger"
    judges: ClassVar[tuple[str, ...]] = ("henzinger",)

    size: int = 8
    minima: int = 84
    supershingle: int = 14
    bits: int = 384
    least: int = 8

    def __post_init__(self) -> None:
        if not 1 <= self.size <= 32:
            raise ConfigError("size must be between 1 and 32 tokens")
        if not 1 <= self.supershingle <= self.minima <= MOST_KEYS * self.supershingle:
            raise ConfigError(f"minima must be enough for 1 to {MOST_KEYS} supershingles")
        if self.bits % 64 or not 64 <= self.bits <= 4096:
            raise ConfigError("bits must be a multiple of 64 from 64 to 4096")
        if self.least < 1:
            raise ConfigError("least must be at least 1")

    def __call__(self, content: Content) -> Signature:
        """Sign the text. Fewer than `least` distinct shingles give an empty signature."""
        words = tokens(content.text).hashes
        shingles = distinct(windows(words, self.size))
        if len(shingles) < self.least:
            return Signature(self.scheme)
        supers = numbered_supershingles(min_values(shingles, self.minima), self.supershingle)
        head = bytes([len(supers)]) + supers.astype(">u8").tobytes()
        return Signature(self.scheme, key_strings(supers), head + project(widen(words, self.bits // 64)))
