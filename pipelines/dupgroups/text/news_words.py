"""The words of 5,394 English and Chinese news pages that occur in at least eight of them.

A Chinese character is a word. `news_words.txt` begins with the number of pages; every further line holds a
number of pages and all words that occur in that many pages.

The words are also known by their hashes: a misread word is hardly ever another word of the news. Of two words
in one slot of the table the rarer one stays, so some words (3 %) are unknown, everywhere alike.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dupgroups.text.hashing import Hashes, mix
from dupgroups.text.sentences import Tokens, tokens

UNKNOWN = 1.0
_SHIFT = np.uint64(64 - 18)  # the table has 2^18 slots
_LENGTHS = range(4, 8)  # shorter words are misread as one another, longer ones are seldom read right
_MOST = 0.1  # share of the pages that a telling word has at most
_APART = np.arange(6, 11)  # tokens from the first word of a pair to the second: beyond names and phrases
_FIRST = np.uint64(0x9E3779B97F4A7C15)  # the order of two words counts
_SPREAD = np.uint64(0xD6E8FEB86659FD93)
_HALF, _LOW = np.uint64(32), np.uint64(0xFFFFFFFF)


def pages_and_words() -> tuple[int, list[tuple[int, str]]]:
    """The number of pages, and pairs of a page count and the words with that count, separated by blanks."""
    first, *lines = Path(__file__).with_name("news_words.txt").read_text(encoding="utf-8").splitlines()
    parts = (line.partition(" ") for line in lines)
    return int(first), [(int(count), words) for count, _, words in parts]


def rarities(hashes: Hashes) -> NDArray[np.float32]:
    """Of tokens by their hashes (`Tokens.hashes`), shape (n,): UNKNOWN, or for a telling word of the news the
    share of the pages that have it (0.001 to 0.1); for any other word of the news 0.
    """
    words, shares = _table()
    slots = _slots(hashes)
    return np.where(words.take(slots) == hashes, shares.take(slots), np.float32(UNKNOWN))


def _slots(hashes: Hashes) -> NDArray[np.int64]:
    """The places of tokens in the table: words that differ in one letter only are in different ones."""
    return (hashes * _SPREAD >> _SHIFT).view(np.int64)


@cache
def _table() -> tuple[Hashes, NDArray[np.float32]]:
    pages, counted = pages_and_words()
    words, shares = np.zeros(1 << 18, np.uint64), np.zeros(1 << 18, np.float32)
    for count, some in sorted(counted, reverse=True):
        hashes = tokens(some).hashes
        is_telling = np.array([len(word) in _LENGTHS for word in some.split()]) & (count < _MOST * pages)
        slots = _slots(hashes)
        words[slots], shares[slots] = hashes, np.where(is_telling, count / pages, 0)
    return words, shares


def strange_shares(tokens: Tokens, rarities: NDArray[np.float32]) -> NDArray[np.float64]:
    """The share of the tokens of each text that are no words of the news; 0 without any. Shape (texts,)."""
    strange = (rarities == UNKNOWN).nonzero()[0].searchsorted(tokens.bounds)
    shares: NDArray[np.float64] = np.diff(strange) / np.maximum(np.diff(tokens.bounds), 1)
    return shares


def telling_pairs(tokens: Tokens, rarities: NDArray[np.float32]) -> tuple[Hashes, NDArray[np.intp]]:
    """The pairs of telling words some words apart in one text, as numbers; bounds as of shingles.

    The smallest numbers of a text are a priority sample (Duffield, Lund, Thorup 2007) of its pairs. Words
    that are rare in the news weigh more, and those that are rare in the text: its subject, which other texts
    have, is named again and again. The lower half of a number is a hash.
    """
    places = ((rarities > 0) & (rarities < UNKNOWN)).nonzero()[0]
    of_text = places.searchsorted(tokens.bounds)
    texts = np.arange(len(of_text) - 1).repeat(np.diff(of_text))
    words = tokens.hashes.take(places)
    own = words + texts.view(np.uint64) * _SPREAD  # the same word in another text is another one
    _, which, times = np.unique(own, return_inverse=True, return_counts=True)
    common = (rarities.take(places) * times.take(which) ** 2.0) ** 2
    far = places + texts * _APART[-1]  # no word is near one of another text
    at = np.full(len(tokens) + len(of_text) * _APART[-1], -1, np.int32)
    at[far] = np.arange(len(places), dtype=np.int32)
    ahead = at.take(far[:, None] + _APART).ravel()
    paired = (ahead >= 0).nonzero()[0]
    one, two = paired // len(_APART), ahead.take(paired)
    hashes = mix(words.take(one) * _FIRST + words.take(two))
    ranks = (hashes >> _HALF) * (common.take(one) * common.take(two))
    return ranks.view(np.uint64) & ~_LOW | hashes & _LOW, one.searchsorted(of_text)
