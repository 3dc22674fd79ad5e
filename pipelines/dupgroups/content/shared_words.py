"""Words that a block shares with the headline, the page's description of itself, and the other blocks.

A list of other stories reads like an article and stands where one may stand, but it is about other things.
Words are runs of at least four letters or digits; in scripts without blanks, pairs of characters.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain, repeat

import numpy as np
from numpy.typing import NDArray

from dupgroups.content.blocks import Blocks, letters_and_digits, unspaced
from dupgroups.content.credits import objects_of

SHARED = 9  # numbers per block
_READ = 600  # characters of a block whose words are used
_RUNNING = 5  # good words from which a block counts as running text
_BODY = 200  # characters from which the text in JSON-LD is taken for an article
_LONG, _MANY = 50_000, 5_000  # characters of it, and blocks, that are compared: it takes their product
_WORD = re.compile(r"\w{4,}")
_NOT_WORD = re.compile(r"\W+")
_DESCRIPTIONS = ("og:description", "description", "twitter:description")

Floats = NDArray[np.float32]


def fill(rows: Floats, page: Blocks, title: str, good: Floats) -> None:
    """Write the numbers into zeros (9, blocks); `good` (blocks,) holds the number of good words of a block.

    Of the headline, then of the description: the share of the words of the block that it has, and the
    logarithm of 1 + their number. Of the article in JSON-LD: whether there is one, and whether it has the
    block, letter for letter. Of the other blocks of running text: the share of the words that one of them
    has, the mean of the logarithms of 1 + the number of those that have a word, and the logarithm of 1 + the
    number of words that some, but not many of them have.
    """
    texts = [block.text[:_READ] for block in page.blocks]
    words = _words_of_each(texts)
    size = np.fromiter(map(len, words), np.int64, len(words))
    for start, known in ((0, title), (2, description(page))):
        wanted = words_of(known)
        if wanted:
            number = np.fromiter((len(wanted & found) for found in words), np.float32, len(words))
            rows[start] = number / np.maximum(size, 1)
            rows[start + 1] = np.log1p(number)
    body = letters_and_digits(article_body(page)[:_LONG])
    if len(body) >= _BODY and len(texts) <= _MANY:
        rows[4] = 1
        rows[5] = [letters_and_digits(text) in body for text in texts]
    _others(rows[6:], words, size, good > _RUNNING)


def _others(rows: Floats, words: list[set[str]], size: NDArray[np.int64], running: NDArray[np.bool_]) -> None:
    numbers: Counter[str] = Counter()
    for place in np.flatnonzero(running).tolist():
        numbers.update(words[place])
    owner = np.repeat(np.arange(len(words)), size)
    number = map(numbers.get, chain.from_iterable(words), repeat(0))
    holders = np.fromiter(number, np.int64, len(owner)) - running[owner]
    some = (holders > 0) & (holders <= max(3, running.sum() / 4))
    count = np.maximum(size, 1)
    rows[0] = np.bincount(owner, holders > 0, len(words)) / count
    rows[1] = np.bincount(owner, np.log1p(holders), len(words)) / count
    rows[2] = np.log1p(np.bincount(owner, some, len(words)))


def _words_of_each(texts: list[str]) -> list[set[str]]:
    """`words_of` each of these texts, which have no line breaks."""
    page = "\n".join(texts)
    if unspaced(page):
        return [words_of(text) for text in texts]
    return [set(found) for found in map(_WORD.findall, page.lower().split("\n"))]


def words_of(text: str) -> set[str]:
    """The words of a text in lower case.

    >>> sorted(words_of("The ferry struck a barge")), sorted(words_of("渡轮撞上"))
    (['barge', 'ferry', 'struck'], ['撞上', '渡轮', '轮撞'])
    """
    text = text.lower()
    if not unspaced(text):
        return set(_WORD.findall(text))
    text = _NOT_WORD.sub("", text)
    return {text[start : start + 2] for start in range(len(text) - 1)}


def description(page: Blocks) -> str:
    """What the page says that it is about; "" if it does not."""
    named: dict[str, str] = {}
    for tag, attributes, _ in page.heads:
        if tag == "meta":
            name = attributes.get("property") or attributes.get("name") or ""
            named.setdefault(name.lower(), attributes.get("content") or "")
    return next((named[name] for name in _DESCRIPTIONS if named.get(name)), "")


def article_body(page: Blocks) -> str:
    """The longest `articleBody` in JSON-LD; "" if there is none."""
    scripts = (text for tag, _, text in page.heads if tag == "script")
    objects = objects_of(script for script in scripts if '"articleBody"' in script)
    bodies = (node.get("articleBody") for node in objects)
    return max((body for body in bodies if isinstance(body, str)), key=len, default="")
