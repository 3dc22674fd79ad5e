"""Texts cut into words, those of Chinese by jieba's dictionary and the words that a user adds.

jieba is here rjieba, the same algorithm and dictionary in Rust.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from dupgroups.errors import ConfigError
from dupgroups.text.hashing import Hashes, span_hashes
from dupgroups.text.sentences import SINGLE, WORD, characters
from dupgroups.text.words import simplify


@dataclass(frozen=True)
class WordCutter:
    """Cuts texts into words; `added` are lines of a user dictionary: a word, then its frequency, if any."""

    added: tuple[str, ...] = ()

    @classmethod
    def open(cls, path: str) -> WordCutter:
        """With a user dictionary in jieba's format. Raises ConfigError if the file cannot be read."""
        try:
            return cls(tuple(filter(str.strip, Path(path).read_text(encoding="utf-8").splitlines())))
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "it is not a text in UTF-8"
            raise ConfigError(f"dictionary: cannot read {path!r}: {reason}") from error

    def __str__(self) -> str:
        """Twelve hex digits, equal for equal dictionaries, which stand in schemes."""
        return blake2b("\n".join(self.added).encode(), digest_size=6).hexdigest()

    def hashes(self, text: str) -> Hashes:
        """The hash of each word in order, (n,); traditional characters count as simplified ones.

        >>> len(WordCutter().hashes("渡轮撞上码头 on Monday."))
        5
        """
        folded = simplify(text)
        ends = np.cumsum([len(part) for part in self._jieba.cut(folded)], dtype=np.intp)
        starts = np.append(0, ends)[: len(ends)]
        codes, kinds = characters(folded)
        is_word = kinds[starts] & (WORD | SINGLE) != 0
        return span_hashes(codes, starts[is_word], ends[is_word])

    @cached_property
    def _jieba(self) -> Any:
        from rjieba import Jieba  # loads a dictionary

        jieba = Jieba()
        for line in self.added:
            word, *others = line.split()
            jieba.add_word(word, int(others[0]) if others and others[0].isdigit() else None, None)
        return jieba
