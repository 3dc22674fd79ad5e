"""Words that tell article from furniture: in the class names around a block, and in the block itself.

The second is the bag of words of CE-SIMPLE (Gibson, Wellner, Lubar: CEDAR, LREC 2008, section 5.2). Each word
has one weight, the logarithm of its odds to stand in an article, averaged over sites so that no site's habits
count twice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from dupgroups.content.blocks import Block, Blocks
from dupgroups.content.features import Floats, Ints
from dupgroups.text.scripts import HAN, HANGUL, KANA, character_class

LEXICAL = 10  # numbers of a block
_NAME_PART = re.compile(r"[A-Z][a-z]{2,}|[a-z]{3,}|[A-Z]{3,}")
_LOWER_PART = re.compile(r"[a-z]{3,}")  # the same where nothing is upper case, in less time
_EAST = re.compile(f"[{character_class(KANA, HAN, HANGUL)}]")  # as its weights were trained
_DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"\w+|[©|@»›•#]")
_TEXT_OF = itemgetter(0)  # of a block
_LONGEST = 160  # characters of a block whose words are looked at
_FIRST = 8  # words at its beginning
_READ = 80  # characters in which they are sought

Lexicon = Callable[[str], "float | None"]  # weight of a word, None when it is not known
Around = tuple[float, float, float, float, float, float]
Inside = tuple[float, float, float, float]


class Name(NamedTuple):
    """Weights of the words in the name of one box."""

    lowest: float
    highest: float
    mean: float


_UNKNOWN: Inside = (0.0, 0.0, 0.0, 0.0)


class Lexicons:
    """Two lexicons and what they said about names and texts before: most come again on the next page."""

    def __init__(self, names: Lexicon, words: Lexicon) -> None:
        self._names, self._words = names, words
        self._name = lru_cache(maxsize=20_000)(self._weigh_name)
        self._text = lru_cache(maxsize=10_000)(self._weigh_text)

    def columns(self, page: Blocks) -> Floats:
        """What the lexicons know of every block, (blocks, 10), 0 where they know nothing.

        Of the names around it: lowest and highest weight, sums of what is below -1 and above 0, means of the
        nearest named box and of the next. Of its words: lowest, highest, mean, whether there are any.
        """
        rows = np.zeros((LEXICAL, len(page.blocks)), np.float32)
        self.fill(rows, page, np.array([page.boxes[block.box].make for block in page.blocks], np.intp))
        return rows.T

    def fill(self, rows: Floats, page: Blocks, make: Ints) -> None:
        """Write `columns` into rows (10, blocks); `make` (blocks,) is that of the boxes of the blocks."""
        rows[:6] = _array(self._around(page), 6)[:, make]
        rows[6:] = _array(
            [self._text(text) if len(text) <= _LONGEST else _UNKNOWN for text in map(_TEXT_OF, page.blocks)],
            4,
        )

    def _around(self, page: Blocks) -> list[Around]:
        """Scores of the names around a block, for each make of its box."""
        scores: list[Around] = [(0.0,) * 6]
        for around, _, name in page.makes[1:]:
            own = self._name(name) if name else None
            scores.append(_joined(scores[around], own) if own else scores[around])
        return scores

    def _weigh_name(self, name: str) -> Name | None:
        own = _known(self._names, name_parts(name))
        return Name(min(own), max(own), sum(own) / len(own)) if own else None

    def _weigh_text(self, text: str) -> Inside:
        own = _known(self._words, words_of(text))
        return (min(own), max(own), sum(own) / len(own), 1.0) if own else _UNKNOWN


def _array(tuples: Sequence[tuple[float, ...]], size: int) -> Floats:
    """(size, tuples) of tuples of this size."""
    flat = np.fromiter(chain.from_iterable(tuples), np.float32, size * len(tuples))
    return flat.reshape(-1, size).T


def _known(lexicon: Lexicon, found: Iterable[str]) -> list[float]:
    return [weight for weight in map(lexicon, found) if weight is not None]


def _joined(before: Around, own: Name) -> Around:
    lowest, highest, minus, plus, nearest, _ = before
    low, high, mean = own
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
    """`words_of` a short block, () of a long one: furniture is short."""
    return words_of(block.text) if len(block.text) <= _LONGEST else ()


def words_of(text: str) -> tuple[str, ...]:
    """What stands at the beginning of a short block: words, the first two together, pairs of characters where
    words are not set apart; numbers are "0".

    >>> words_of("Read more: 12 photos")
    ('read', 'more', '0', 'photos', 'read more')
    >>> words_of("责任编辑")
    ('责任', '任编', '编辑')
    """
    text = text.lower()
    if not text.isascii() and _EAST.search(text):
        text = _DIGITS.sub("0", text).replace(" ", "")[: _FIRST + 1]
        return tuple({text[at : at + 2]: None for at in range(len(text) - 1)})
    found = ["0" if word.isdigit() else word for word in _WORD.findall(text, 0, _READ)[:_FIRST]]
    if len(found) > 1:
        found.append(f"{found[0]} {found[1]}")
    return tuple(dict.fromkeys(found))
