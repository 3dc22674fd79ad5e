"""Words that tell article from furniture: in the class names around a block, and in the block itself.

The second is the bag of words of CE-SIMPLE (Gibson, Wellner, Lubar: CEDAR, LREC 2008, section 5.2). Each word
has one weight, the logarithm of its odds to stand in an article,
averaged over sites so that no site's habits count twice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache

import numpy as np

from dupgroups.content.blocks import Block, Blocks
from dupgroups.content.features import Floats

_NAME_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_EAST = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"[^\W\d_]+|\d+|[©|@»›•#]")
_LONGEST = 160  # characters of a block whose words are looked at
_FIRST = 8  # words at its beginning
_READ = 80  # characters in which they are sought

Scores = tuple[float, float, float, float, float, float]
Lexicon = Callable[[str], "float | None"]  # weight of a word, None when it is not known


def columns(page: Blocks, names: Lexicon, words: Lexicon) -> Floats:
    """What the lexicons know of every block, (blocks, 10), 0 where they know nothing.

    Of the names around it: lowest and highest weight, sums of what is below -1 and above 0, means of the
    nearest named box and of the next. Of its words: lowest, highest, mean, whether there are any.
    """
    inside = [_summary(_known(words, short_words(block))) for block in page.blocks]
    return np.concatenate((_around(page, names), np.array(inside, np.float32)), 1)


def _around(page: Blocks, names: Lexicon) -> Floats:
    """Scores of the names around each block. Boxes of one make share theirs: `made` remembers them."""
    scores: list[Scores] = [(0.0,) * 6]
    made: dict[tuple[int, str], int] = {}
    known: dict[str, list[float]] = {}
    of_box: list[int] = []
    for parent, _, name, _ in page.boxes:
        before = of_box[parent] if of_box else 0
        now = made.get((before, name)) if name else before
        if now is None:
            own = known.get(name)
            if own is None:
                own = known[name] = _known(names, name_parts(name))
            now = before
            if own:
                now = len(scores)
                scores.append(_joined(scores[before], own))
            made[before, name] = now
        of_box.append(now)
    return np.array(scores, np.float32)[[of_box[block.box] for block in page.blocks]]


def _known(lexicon: Lexicon, found: Iterable[str]) -> list[float]:
    return [weight for weight in map(lexicon, found) if weight is not None]


def _joined(before: Scores, own: list[float]) -> Scores:
    low, high, mean = min(own), max(own), sum(own) / len(own)
    lowest, highest, minus, plus, nearest, _ = before
    return (
        min(lowest, low),
        max(highest, high),
        minus + min(low + 1, 0.0),
        plus + max(high, 0.0),
        mean,
        nearest,
    )


def _summary(weights: list[float]) -> tuple[float, float, float, float]:
    if not weights:
        return (0.0, 0.0, 0.0, 0.0)
    return (min(weights), max(weights), sum(weights) / len(weights), 1.0)


@lru_cache(maxsize=50_000)
def name_parts(name: str) -> tuple[str, ...]:
    """The words of a class or id, in lower case, each once.

    >>> name_parts("articleBody post-content x1")
    ('article', 'body', 'post', 'content')
    """
    return tuple(dict.fromkeys(part.lower() for part in _NAME_PART.findall(name) if len(part) > 2))


def short_words(block: Block) -> tuple[str, ...]:
    """`words_of` a short block, () of a long one: furniture is short."""
    return words_of(block.text) if len(block.text) <= _LONGEST else ()


@lru_cache(maxsize=10_000)  # menus come again on every page of a site
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
