"""Words that tell article from furniture: in the class names around a block, and in the block itself.

The second is the bag of words of CE-SIMPLE (Gibson, Wellner, Lubar: CEDAR, LREC 2008, section 5.2). Each word
has one weight, the logarithm of its odds to stand in an article,
averaged over sites so that no site's habits count twice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from dupgroups.content.blocks import Block, Blocks
from dupgroups.content.features import Floats

_NAME_PART = re.compile(r"[A-Z][a-z]{2,}|[a-z]{3,}|[A-Z]{3,}")
_EAST = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"\w+|[©|@»›•#]")
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
        around, of_box = self._around(page)
        inside = [self._text(each.text) if len(each.text) <= _LONGEST else _UNKNOWN for each in page.blocks]
        of_block = np.array(around, np.float32)[[of_box[block.box] for block in page.blocks]]
        return np.concatenate((of_block, np.array(inside, np.float32)), 1)

    def _around(self, page: Blocks) -> tuple[list[Around], list[int]]:
        """Scores of the names around a block, and for each box which of them holds in it.

        Boxes of one make share theirs: `made` remembers them.
        """
        scores: list[Around] = [(0.0,) * 6]
        made: dict[tuple[int, str], int] = {}
        of_box = [0]
        for parent, _, name, _ in page.boxes[1:]:
            now = of_box[parent]
            if name:
                key = (now, name)
                if key not in made:
                    own = self._name(name)
                    if own:
                        scores.append(_joined(scores[now], own))
                        now = len(scores) - 1
                    made[key] = now
                now = made[key]
            of_box.append(now)
        return scores, of_box

    def _weigh_name(self, name: str) -> Name | None:
        own = _known(self._names, name_parts(name))
        return Name(min(own), max(own), sum(own) / len(own)) if own else None

    def _weigh_text(self, text: str) -> Inside:
        own = _known(self._words, words_of(text))
        return (min(own), max(own), sum(own) / len(own), 1.0) if own else _UNKNOWN


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
