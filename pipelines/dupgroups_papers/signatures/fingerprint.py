"""An exact fingerprint: equal for texts with the same words in the same order.

The baseline of all methods (CEDAR, section 2.4). Letter case, punctuation, blanks and, in Chinese,
traditional characters make no difference; a single different word does.

| field | default | meaning |
|-------|---------|---|
| least | 8       | words that a text needs: a shorter one is not compared |

Letter case and punctuation make no difference, an additional word does:

>>> from dupgroups.model import Content
>>> from dupgroups_papers.signatures.fingerprint import Fingerprint
>>> text = "The ferry struck a moored barge in thick fog. Two people are missing, the coast guard said."
>>> signer = Fingerprint()
>>> story, copy = signer(Content(text)), signer(Content(text.upper().replace(",", " -")))
>>> story.keys == copy.keys
True
>>> story.keys == signer(Content(text + " Later more.")).keys
False
"""

from dataclasses import dataclass
from hashlib import blake2b
from typing import ClassVar

import numpy as np

from dupgroups.errors import ConfigError
from dupgroups.methods.signatures.base import SchemeOfFields
from dupgroups.methods.sketches.keys import key_strings
from dupgroups.model import Content, Signature
from dupgroups.text.sentences import tokens


@dataclass(frozen=True)
class Fingerprint(SchemeOfFields):
    """Signs with one digest of eight bytes, which is both body and key."""

    NAME = "fingerprint"
    judges: ClassVar[tuple[str, ...]] = ("fingerprints",)

    least: int = 8

    def __post_init__(self) -> None:
        if self.least < 1:
            raise ConfigError("least must be at least 1")

    def __call__(self, content: Content) -> Signature:
        """Sign the text. Fewer than `least` words give an empty signature."""
        words = tokens(content.text).hashes
        if len(words) < self.least:
            return Signature(self.scheme)
        digest = blake2b(words.astype("<u8").tobytes(), digest_size=8).digest()
        return Signature(self.scheme, key_strings(np.frombuffer(digest, "<u8")), digest)
