"""Words that distinguish articles from boilerplate, in the class names around a block and in the block.

The words of the block follow the bag of words of CE-SIMPLE (Gibson, Wellner, Lubar: CEDAR, LREC 2008,
section 5.2). Each word has one weight, the logarithm of its odds of being in an article, averaged over sites
so that no site dominates.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import chain

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
_BLANKS = bytes(code if _WORD.match(chr(code)) else ord(" ") for code in range(256))  # for the others
_LONGEST = 160  # most characters of a block whose words are used
_FIRST = 8  # words at the beginning of a block that are used
_READ = 80  # characters in which these words are searched for
LINKED = 0.9  # share of links from which the words of a block are not used: menus

Lexicon = Callable[[str], "float | None"]  # weight of a word, None when it is not known


class Lexicons:
    """Two lexicons, with caches for names and for short blocks: most of them come again on the next page."""

    def __init__(self, names: Lexicon, words: Lexicon) -> None:
        self._of_name = lru_cache(maxsize=20_000)(lambda name: _summary(map(names, name_parts(name))))
        self._of_text = lru_cache(maxsize=20_000)(lambda text: _summary(map(words, words_of(text))))

    def fill(self, measures: Measures, rows: Floats) -> None:
        """Write the lexical features of every block into zeros (10, blocks)."""
        self.fill_names(measures, rows[:NAMES])
        self.fill_words(measures, rows[NAMES:])

    def fill_names(self, measures: Measures, rows: Floats) -> None:
        """Of the enclosing names: lowest and highest weight, sums of the excess below -1 and above 0, and the
        means of the nearest named box and of the next; 0 without known words."""
        parent, kind = measures.parent, measures.kind
        first = np.flatnonzero(kind == np.arange(len(kind)))  # of each kind
        names = map(measures.page.names.__getitem__, first.tolist())
        weights = np.fromiter(chain.from_iterable(map(self._of_name, names)), np.float64, 4 * len(first))
        of_box = np.empty((4, len(kind)))
        of_box[:, first] = weights.reshape(-1, 4).T
        low, high, mean, known = of_box.take(kind, 1)
        extremes = np.array((low, -high))
        sums = np.array((np.minimum(low + 1, 0), np.maximum(high, 0)))
        nearest = np.where(known, np.arange(len(kind)), parent)
        above = parent
        while above.any():  # pointer jumping: each round looks twice as far up
            np.minimum(extremes, extremes.take(above, 1), out=extremes)
            sums += sums.take(above, 1)
            nearest, above = nearest[nearest], above[above]
        found = (extremes[0], -extremes[1], *sums, mean[nearest], mean[nearest[parent[nearest]]])
        np.array(found, np.float32).take(measures.box, 1, out=rows, mode="clip")

    def fill_words(self, measures: Measures, rows: Floats) -> None:
        """Of the words of the block: lowest, highest, mean, and whether there are any that are known."""
        short = np.flatnonzero((measures.size <= _LONGEST) & (measures.link_share < LINKED))
        texts = map(measures.page.texts.__getitem__, short.tolist())
        weights = np.fromiter(chain.from_iterable(map(self._of_text, texts)), np.float32, 4 * len(short))
        rows[:, short] = weights.reshape(-1, 4).T


def _summary(weights: Iterable[float | None]) -> tuple[float, float, float, float]:
    """Lowest, highest, mean, and 1; zeros if no word is known."""
    known = [weight for weight in weights if weight is not None]
    return (min(known), max(known), sum(known) / len(known), 1.0) if known else (0.0, 0.0, 0.0, 0.0)


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
    words = ["0" if word.isdigit() else word for word in _beginning(text)]
    if len(words) > 1:
        words.append(f"{words[0]} {words[1]}")
    return tuple(dict.fromkeys(words))


def _beginning(text: str) -> list[str]:
    """The first words and signs."""
    if not text.isascii():
        return _WORD.findall(text, 0, _READ)[:_FIRST]
    words = text[:_READ].encode().translate(_BLANKS).decode()  # equivalent, and twice as fast
    for sign in "|@#":
        words = words.replace(sign, f" {sign} ")
    return words.split(maxsplit=_FIRST)[:_FIRST]
