"""Words that distinguish articles from boilerplate, in the class names around a block and in the block.

The words of the block follow the bag of words of CE-SIMPLE (Gibson, Wellner, Lubar: CEDAR, LREC 2008,
section 5.2). Each word has one weight, the logarithm of its odds of being in an article, averaged over sites
so that no site dominates.

The words of a page are one list, with `BREAK` before those of each name or block: to split and to look up all
of them at once takes less time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import chain, count, repeat
from operator import add
from string import ascii_lowercase

import numpy as np
from numpy.typing import NDArray

from dupgroups.content.blocks import Block
from dupgroups.content.features import Floats, Measures
from dupgroups.text.scripts import HAN, HANGUL, KANA, character_class

LEXICAL, NAMES = 10, 6  # numbers per block, and those of names
BREAK = "\0"  # no page has it, because the parser replaces it
_BREAK_STEP = 1 << 32  # what is added to the numbers of words with each break
_NAME_PART = re.compile(r"[A-Z][a-z]{2,}|[a-z]{3,}|[A-Z]{3,}")
_EAST = re.compile(f"[{character_class(KANA, HAN, HANGUL)}]")  # as the weights were trained
_DIGITS = re.compile(r"\d+")
_SIGNS = "|@#©»›•"  # that count as words
_WORD = re.compile(rf"\w+|[{_SIGNS}]")
_CODE_PAGE = "cp1252"  # has the letters and quotation marks of most western pages
_OF_PAGE = enumerate(bytes(range(256)).decode(_CODE_PAGE, "replace"))
_BLANKS = bytes(code if _WORD.match(sign) or sign == BREAK else ord(" ") for code, sign in _OF_PAGE)
_NO_LETTERS = bytes(code if chr(code) in BREAK + ascii_lowercase else ord(" ") for code in range(256))
_MAX_BLOCK_CHARS = 160  # most characters of a block whose words are used
_FIRST_WORDS = 8  # words at the beginning of a block that are used
_SEARCHED_CHARS = 80  # characters in which these words are searched for
MAX_LINKED_SHARE = 0.9  # share of links from which the words of a block are not used: menus


class Lexicons:
    """Weights of names and of words. Both are numbered from 1 in ascending order of their weights."""

    def __init__(self, names: Mapping[str, float], words: Mapping[str, float]) -> None:
        self._names, self._words = (
            dict(zip(sorted(weights, key=weights.__getitem__), count(first))) | {BREAK: _BREAK_STEP}
            for weights, first in ((names, 1), (words, 1 + len(names)))
        )
        self._weights = np.array([0.0, *sorted(names.values()), *sorted(words.values())])

    def fill(self, measures: Measures, rows: Floats) -> None:
        """Write the lexical features of every block into zeros (10, blocks).

        Of the names of the enclosing boxes: lowest and highest weight, sums of the excess below -1 and above
        0, and the means of the nearest named box and of the next; of the words of the block: lowest, highest,
        mean, and whether there are any; 0 without known words.
        """
        kind = measures.kind
        (first,) = (kind == np.arange(len(kind))).nonzero()  # boxes, each of another kind
        (short,) = ((measures.size <= _MAX_BLOCK_CHARS) & (measures.link_share < MAX_LINKED_SHARE)).nonzero()
        names = _name_parts(map(measures.page.names.__getitem__, first.tolist()))
        words = _first_words(map(measures.page.texts.__getitem__, short.tolist()))
        weights = self._summaries(names, words)
        rows[NAMES:, short] = weights[:, len(first) :]
        of_kind = np.empty((4, len(kind)))
        of_kind[:, first] = weights[:, : len(first)]
        rows[:NAMES] = _enclosing(of_kind.take(kind, 1), measures).take(measures.box, 1)

    def _summaries(self, names: list[str], words: list[str]) -> NDArray[np.float64]:
        """Lowest, highest and mean weight of what follows each `BREAK`, each word once, and whether any of it
        is known; zeros if none is. (4, breaks)."""
        known = chain(map(self._names.get, names, repeat(0)), map(self._words.get, words, repeat(0)))
        end = (_BREAK_STEP, _BREAK_STEP)  # one after the last words, and one that no key follows
        numbers = np.fromiter(chain(known, end), np.int64, len(names) + len(words) + 2)
        keys = (numbers & -_BREAK_STEP).cumsum() | numbers & _BREAK_STEP - 1
        keys.sort()  # breaks and, after each, its words by weight; unknown words equal the break
        numbers = keys[:-1][keys[1:] != keys[:-1]] & _BREAK_STEP - 1
        weights = self._weights[numbers]  # 0 for a break
        (bounds,) = (numbers == 0).nonzero()
        starts, ends = bounds[:-1], bounds[1:]
        size = ends - starts - 1
        means = np.add.reduceat(weights, starts) / np.maximum(size, 1)
        return np.array((weights[starts + 1], weights[ends - 1], means, size > 0))


def _enclosing(weights: NDArray[np.float64], measures: Measures) -> Floats:
    """The features of names, (6, boxes), from what `_summaries` gives of the name of each box."""
    low, high, mean, known = weights
    named = np.arange(len(known)) * known  # 0 is the root, which has no name
    found = np.array((-low, high, named, np.minimum(low + 1, 0), np.maximum(high, 0)), np.float32)
    highest, sums = found[:3], found[3:]  # of the box and of those around it
    for above in measures.ancestors:
        around = found.take(above, 1)
        np.maximum(highest, around[:3], out=highest)
        sums += around[3:]
    nearest = highest[2].astype(np.int64)
    means = mean[nearest], mean[nearest[measures.parent[nearest]]]
    return np.array((-highest[0], highest[1], *sums, *means), np.float32)


def name_parts(name: str) -> tuple[str, ...]:
    """The words of a class or id, in lower case, each once.

    >>> name_parts("articleBody post-content x1")
    ('article', 'body', 'post', 'content')
    """
    return tuple(dict.fromkeys(part for part in _name_parts([name]) if len(part) > 2))


def _name_parts(names: Iterable[str]) -> list[str]:
    """A `BREAK` and the words of each name, and some of one or two letters, which no lexicon has."""
    lower = [name if name.islower() else " ".join(_NAME_PART.findall(name)).lower() for name in names]
    joined = f" {BREAK} ".join(("", *lower)).encode("ascii", "replace")
    return joined.translate(_NO_LETTERS).decode().split()


def short_words(block: Block) -> tuple[str, ...]:
    """`words_of` a short block, () for a long one, because boilerplate is short."""
    return words_of(block.text) if len(block.text) <= _MAX_BLOCK_CHARS else ()


def words_of(text: str) -> tuple[str, ...]:
    """The beginning of a short block: its first words, and the first two together; numbers become "0".

    In scripts without blanks, pairs of characters take the place of words.

    >>> words_of("Read more: 12 photos")
    ('read', 'more', '0', 'photos', 'read more')
    >>> words_of("责任编辑")
    ('责任', '任编', '编辑')
    """
    return tuple(dict.fromkeys(_first_words([text])[1:]))


def _first_words(texts: Iterable[str]) -> list[str]:
    """A `BREAK` and the words of the beginning of each text."""
    found, texts = list[str](), [*map(str.lower, texts)]
    spaced = ["" if not text.isascii() and _EAST.search(text) else text[:_SEARCHED_CHARS] for text in texts]
    for text, is_spaced, words in zip(texts, spaced, _split(BREAK.join(spaced)), strict=False):
        found.append(BREAK)
        if is_spaced:
            words = ["0" if word.isdigit() else word for word in words[:_FIRST_WORDS]]
            found += words
            if len(words) > 1:
                found.append(f"{words[0]} {words[1]}")
        else:
            text = _DIGITS.sub("0", text).replace(" ", "")[: _FIRST_WORDS + 1]
            found += map(add, text, text[1:])
    return found


def _split(joined: str) -> Iterable[list[str]]:
    """The words and signs between breaks."""
    try:
        blank = joined.encode(_CODE_PAGE).translate(_BLANKS)
    except UnicodeEncodeError:
        return map(_WORD.findall, joined.split(BREAK))
    words = blank.decode(_CODE_PAGE)  # equivalent, and twice as fast
    for sign in _SIGNS:
        words = words.replace(sign, f" {sign} ")
    return map(str.split, words.split(BREAK))
