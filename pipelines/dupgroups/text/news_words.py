"""The words of 5,394 English and Chinese news pages that occur in at least eight of them.

A Chinese character is a word. `news_words.txt` begins with the number of pages; every further line holds a
number of pages and all words that occur in that many pages.

The words are also known by their hashes: a misread word is hardly ever another word of the news. Of two words
in one slot of the table the rarer one stays, so some words (3 %) are unknown, everywhere alike.
"""

from __future__ import annotations

from functools import cache
from itertools import compress, pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dupgroups.text.hashing import Hashes, mix, windows
from dupgroups.text.plain import plain
from dupgroups.text.sentences import Tokens, tokens
from dupgroups.text.sets import firsts

UNKNOWN_PAGES = 1 << 18  # no word is on as many pages
_SLOT, _REST = np.uint64(64 - 18), np.uint64(18)  # bits of a number: the slot is the first 18 of 64
_LENGTHS = range(4, 8)  # shorter words are misread as one another, longer ones are seldom read right
_MAX_PAGE_SHARE = 0.1  # share of the pages that a telling word has at most
# tokens from the first word of a pair to the second: beyond names and phrases
_PAIR_DISTANCES = np.arange(6, 11)
_FIRST_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # the order of two words counts
_SPREAD = np.uint64(0xD6E8FEB86659FD93)
_RARITIES = np.array([1.5, 3.0, 7.0])  # of a word of the news that is not telling, of a number, of others
_HALF, _LOW = np.uint64(32), np.uint64(0xFFFFFFFF)


def pages_and_words() -> tuple[int, list[tuple[int, str]]]:
    """The number of pages, and pairs of a page count and the words with that count, separated by blanks."""
    first, *lines = Path(__file__).with_name("news_words.txt").read_text(encoding="utf-8").splitlines()
    parts = (line.partition(" ") for line in lines)
    return int(first), [(int(count), words) for count, _, words in parts]


def pages_of(hashes: Hashes) -> Hashes:
    """Of tokens by their hashes (`Tokens.hashes`), shape (n,): for a telling word of the news the number of
    pages that have it; for any other word of the news 0; for all others UNKNOWN_PAGES or more.
    """
    spread = hashes * _SPREAD  # words that differ in one letter only are in different slots
    _, places, words = _table()
    return words.take(places.take((spread >> _SLOT).view(np.int64))) ^ spread << _REST


@cache
def _table() -> tuple[int, NDArray[np.uint16], Hashes]:
    """The number of pages, the number of the word in each slot (0: none), and of each word the bits that its
    slot leaves open, and its pages: both stay in the processor's cache."""
    pages, counted = pages_and_words()
    table = np.zeros(1 << 18, np.uint64)
    for count, some in sorted(counted, reverse=True):
        listed = [word for word in some.split() if plain(word)]  # a mark that is not seen is no word
        spread = tokens(" ".join(listed)).hashes * _SPREAD
        is_telling = np.array([len(word) in _LENGTHS for word in listed]) & (count < _MAX_PAGE_SHARE * pages)
        table[spread >> _SLOT] = spread << _REST | np.where(is_telling, count, 0).astype(np.uint64)
    used = table > 0
    return pages, (used.cumsum() * used).astype(np.uint16), np.append(np.uint64(0), table[used])


def strange_shares(tokens: Tokens, pages: Hashes) -> NDArray[np.float64]:
    """The share of the tokens of each text that are no words of the news; 0 without any. Shape (texts,)."""
    bounds = tokens.bounds
    strange = (pages >= UNKNOWN_PAGES).nonzero()[0].searchsorted(bounds)
    shares: NDArray[np.float64] = (strange[1:] - strange[:-1]) / np.maximum(bounds[1:] - bounds[:-1], 1)
    return shares


def telling_pairs(tokens: Tokens, pages: Hashes) -> tuple[Hashes, NDArray[np.intp]]:
    """The pairs of telling words some words apart in one text, as numbers; bounds as of shingles.

    The smallest numbers of a text are a priority sample (Duffield, Lund, Thorup 2007) of its pairs. Words
    that are rare in the news weigh more, and those that are rare in the text: its subject, which other texts
    have, is named again and again. The lower half of a number is a hash.
    """
    places = ((pages > 0) & (pages < UNKNOWN_PAGES)).nonzero()[0]
    of_text = places.searchsorted(tokens.bounds)
    texts = np.arange(len(of_text) - 1).repeat(of_text[1:] - of_text[:-1])
    words = tokens.hashes.take(places)
    own = words + texts.view(np.uint64) * _SPREAD  # the same word in another text is another one
    order = own.argsort()
    which = firsts(own.take(order)).cumsum()
    times = np.empty(len(places))
    times[order] = np.bincount(which).take(which)
    shares = (pages.take(places) / _table()[0]).astype(np.float32)
    common = (shares * times**2) ** 2
    far = places + texts * _PAIR_DISTANCES[-1]  # no word is near one of another text
    at = np.zeros(len(tokens) + len(of_text) * _PAIR_DISTANCES[-1], np.int32)
    at[far] = np.arange(1, len(places) + 1, dtype=np.int32)
    ahead = at.take(far[:, None] + _PAIR_DISTANCES).ravel()
    paired = (ahead > 0).nonzero()[0]
    one, two = paired // len(_PAIR_DISTANCES), ahead.take(paired) - 1
    hashes = mix(words.take(one) * _FIRST_MULTIPLIER + words.take(two))
    ranks = (hashes >> _HALF) * (common.take(one) * common.take(two))
    return ranks.view(np.uint64) & ~_LOW | hashes & _LOW, one.searchsorted(of_text)


def telling_shingles(
    tokens: Tokens, pages: Hashes, size: int, wanted: NDArray[np.bool_]
) -> tuple[Hashes, NDArray[np.intp]]:
    """The shingles of the `wanted` texts as numbers; bounds as of shingles. Sentences do not divide them.

    Likewise a priority sample: what is said in rare words and numbers weighs more than what a form repeats.
    """
    share = np.where(pages > 0, pages, 1).astype(np.float64) / _table()[0]
    rarity = np.where(pages >= UNKNOWN_PAGES, _RARITIES[2], np.where(pages > 0, -np.log(share), _RARITIES[0]))
    rarity[tokens.has_digit] = _RARITIES[1]
    texts = compress(pairwise(tokens.bounds.tolist()), wanted)
    starts = [np.arange(start, max(start, end - size + 1)) for start, end in texts]
    places = np.concatenate([np.empty(0, np.intp), *starts])
    hashes = windows(tokens.hashes, size).take(places)
    weights = rarity.take(places[:, None] + np.arange(size)).mean(axis=1)
    ranks = (hashes >> _HALF) / weights**4  # by so much that what many forms have in common seldom counts
    return ranks.view(np.uint64) & ~_LOW | hashes & _LOW, places.searchsorted(tokens.bounds)
