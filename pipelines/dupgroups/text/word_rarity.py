"""How rare words are in the news of many languages: the logarithm of pages for each page that has the word.

The words of English and Chinese are counted (see `news_words.py`). `word_rarity.txt` has the common words of
39 other languages by levels of rarity, and all letters of Thai, Lao, Burmese and Khmer; `dup-groups train
rarity` writes it. A word has one weight, that of the language in which it is most common, whatever its text:
the weights of two texts are compared, and a headline does not always tell its language. So 3 % of the rare
words of German texts and 7 % of Spanish ones seem common; with the language of each text known, labelled
pairs were told apart no better.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from itertools import repeat
from pathlib import Path

from dupgroups.text.news_words import pages_and_words
from dupgroups.text.scripts import HANGUL

UNKNOWN_PAGES = 4  # a word that the list of news words lacks is on fewer than 8 pages
# a word of English or Chinese news weighs less only where it is that common in another language: "die", but
# not "Stockholm". Else 5.8 % of the rare words of English texts would seem common instead of 4.3 %
MAX_FUNCTION_WEIGHT = 2.5
# of the ending of a Korean word, and of a beginning of one syllable: 36 % of the common words seemed rare
# without endings, 11 % with them
MAX_ENDING_WEIGHT, MAX_STEM_WEIGHT = 1.0, 1.5
_FIRST_HANGUL, _LAST_HANGUL = map(chr, HANGUL)


class Rarities(dict[str, float]):
    """The weight of every folded word that is no number; those of words that are known are kept in it."""

    def __init__(self, unknown: float) -> None:
        super().__init__()
        self.unknown = unknown
        """The weight of unknown words, the largest one."""

    def __missing__(self, word: str) -> float:
        """The weight of a Korean word that is a known one with endings, by its longest such beginning."""
        if _FIRST_HANGUL <= word[0] <= _LAST_HANGUL:
            for end in range(len(word) - 1, 0, -1):
                if self.get(word[end:], MAX_ENDING_WEIGHT) < MAX_ENDING_WEIGHT:
                    weight = self[word[:end]]
                    if weight < (self.unknown if end > 1 else MAX_STEM_WEIGHT):
                        return weight
        return self.unknown


@cache
def rarities() -> Rarities:
    """The weights of words in all languages."""
    pages, counted = pages_and_words()
    levels = _levels()
    weights = Rarities(math.log(pages / UNKNOWN_PAGES))
    for weight, words in levels:  # the rarest first: the last one counts
        weights.update(dict.fromkeys(words, weight))
    for count, some in counted:
        weights.update(dict.fromkeys(some.split(), math.log(pages / count)))
    for weight, words in levels:
        if weight < MAX_FUNCTION_WEIGHT:
            weights.update((word, weight) for word in words if weight < weights[word])
    return weights


def weigh(words: Sequence[str]) -> list[float]:
    """The weights of these words, many at once."""
    known = rarities()
    if max(words, default="") >= _FIRST_HANGUL:
        return [*map(known.__getitem__, words)]
    return [*map(known.get, words, repeat(known.unknown))]


def is_known(word: str) -> bool:
    """Whether this is a word of the news in some language, or a Korean one with endings."""
    return rarities()[word] < rarities().unknown


def _levels() -> list[tuple[float, list[str]]]:
    """Weights, descending, each with the words of all languages that have it."""
    weights, *languages = (line.split("\t")[1:] for line in table_lines() if line[0] != "#")
    columns = zip(weights, *languages, strict=True)
    return [(float(weight), " ".join(words).split()) for weight, *words in columns][::-1]


def table_lines() -> list[str]:
    """The lines of `word_rarity.txt`: comments, weights of its columns, words of each language."""
    return Path(__file__).with_name("word_rarity.txt").read_text(encoding="utf-8").splitlines()
