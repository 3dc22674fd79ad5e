"""Words that distinguish articles from boilerplate, in the class names around a block and in the block.

The words of the block follow the bag of words of CE-SIMPLE (Gibson, Wellner, Lubar: CEDAR, LREC 2008,
section 5.2). Each word has one weight, the logarithm of its odds of being in an article, averaged over sites
so that no site dominates.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

import numpy as np

from dupgroups.content.blocks import Block
from dupgroups.content.features import Floats, Measures
from dupgroups.text.scripts import HAN, HANGUL, KANA, character_class

LEXICAL, NAMES = 10, 6  # numbers per block, and those of names
_NAME_PART = re.compile(r"[A-Z][a-z]{2,}|[a-z]{3,}|[A-Z]{3,}")
_LOWER_PART = re.compile(r"[a-z]{3,}")  # equivalent, and faster, for names in lower case
_EAST = re.compile(f"[{character_class(KANA, HAN, HANGUL)}]")  # as the weights were trained
_DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"\w+|[©|@»›•#]")
_LONGEST = 160  # most characters of a block whose words are used
_FIRST = 8  # words at the beginning of a block that are used
_READ = 80  # characters in which these words are searched for
LINKED = 0.9  # share of links from which the words of a block are not used: menus

Lexicon = Callable[[str], "float | None"]  # weight of a word, None when it is not known
Around = tuple[float, float, float, float, float, float]


class Name(NamedTuple):
    """Weights of the words in the name of one box."""

    lowest: float
    highest: float
    mean: float


class Lexicons:
    """Two lexicons, with a cache for names: most of them come again on the next page."""

    def __init__(self, names: Lexicon, words: Lexicon) -> None:
        self._names, self._words = names, words
        self._name = lru_cache(maxsize=20_000)(self._weigh_name)

    def fill(self, measures: Measures, rows: Floats) -> None:
        """Write the lexical features of every block into zeros (10, blocks)."""
        self.fill_names(measures, rows[:NAMES])
        self.fill_words(measures, rows[NAMES:])

    def fill_names(self, measures: Measures, rows: Floats) -> None:
        """Of the enclosing names: lowest and highest weight, sums of the excess below -1 and above 0, and the
        means of the nearest named box and of the next; 0 without known words."""
        scores: list[Around] = [(0.0,) * 6]
        for parent, _, name, _ in measures.page.boxes[1:]:
            weights = self._name(name) if name else None
            scores.append(_joined(scores[parent], weights) if weights else scores[parent])
        flat = np.fromiter(chain.from_iterable(scores), np.float32, NAMES * len(scores))
        rows[:] = flat.reshape(-1, NAMES).T[:, measures.box]

    def fill_words(self, measures: Measures, rows: Floats) -> None:
        """Of the words of the block: lowest, highest, mean, and whether there are any that are known."""
        short = np.flatnonzero((measures.size <= _LONGEST) & (measures.link_share < LINKED))
        words = [words_of(measures.texts[index]) for index in short.tolist()]
        weights = np.array([*map(self._words, chain.from_iterable(words))], np.float32)  # nan for None
        known = ~np.isnan(weights)
        weights, sizes = weights[known], np.fromiter(map(len, words), np.int64, len(words))
        owner = np.repeat(short, sizes)[known]
        if len(owner):
            starts = np.flatnonzero(np.diff(owner, prepend=-1))
            total, number = np.add.reduceat(weights, starts), np.diff(starts, append=len(owner))
            lowest, highest = np.minimum.reduceat(weights, starts), np.maximum.reduceat(weights, starts)
            rows[:3, owner[starts]] = lowest, highest, total / number
            rows[3, owner] = 1

    def _weigh_name(self, name: str) -> Name | None:
        weights = [weight for weight in map(self._names, name_parts(name)) if weight is not None]
        return Name(min(weights), max(weights), sum(weights) / len(weights)) if weights else None


def _joined(parent: Around, name: Name) -> Around:
    lowest, highest, minus, plus, nearest, _ = parent
    low, high, mean = name
    return (
        low if low < lowest else lowest,
        high if high > highest else highest,
        minus + low + 1 if low < -1 else minus,
        plus + high if high > 0 else plus,
        mean,
        nearest,
    )


def name_parts(name: str) -> tuple[str, ...]:
    """The words of a class or id, in lower case, each once.

    >>> name_parts("articleBody post-content x1")
    ('article', 'body', 'post', 'content')
    """
    if name.islower():
        return tuple(dict.fromkeys(_LOWER_PART.findall(name)))
    return tuple(dict.fromkeys(map(str.lower, _NAME_PART.findall(name))))


def short_words(block: Block) -> tuple[str, ...]:
    """`words_of` a short block, () for a long one, because boilerplate is short."""
    return words_of(block.text) if len(block.text) <= _LONGEST else ()


def words_of(text: str) -> tuple[str, ...]:
    """The beginning of a short block: its first words, and the first two together; numbers become "0".

    In scripts without blanks, pairs of characters take the place of words.

    >>> words_of("Read more: 12 photos")
    ('read', 'more', '0', 'photos', 'read more')
    >>> words_of("责任编辑")
    ('责任', '任编', '编辑')
    """
    text = text.lower()
    if not text.isascii() and _EAST.search(text):
        text = _DIGITS.sub("0", text).replace(" ", "")[: _FIRST + 1]
        return tuple({text[start : start + 2]: None for start in range(len(text) - 1)})
    words = ["0" if word.isdigit() else word for word in _WORD.findall(text, 0, _READ)[:_FIRST]]
    if len(words) > 1:
        words.append(f"{words[0]} {words[1]}")
    return tuple(dict.fromkeys(words))
