"""The table of the common words of many languages, `dupgroups/text/word_rarity.txt`.

The share of the words of a language that a word makes up comes from the library wordfreq, and tells the
share of its pages that have it: p = 1 - (1 - f)^n. With n = 350 words a page the weights of English words
are those of `news_words`, to 0.4 by the median of words as frequent as one another (up to the weight 5, of
10,397 words). Or the pages of texts that have the word are counted.
"""

import math
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from importlib.metadata import version
from typing import Any

from dupgroups.errors import InputError
from dupgroups.text.facts import read_facts
from dupgroups.text.plain import plain
from dupgroups.text.scripts import KHMER, MYANMAR, THAI_AND_LAO, UNSPACED_RANGES
from dupgroups.text.word_rarity import table_lines

PAGE_WORDS, PAGE_CHARACTERS = 350, 600  # of a page of news; characters in scripts without blanks
OWN_SHARE = 0.46  # of the pages of `news_words` are English: the commonest words are on so many
LEAST, STEP, LEVELS = 0.5, 0.5, 8  # the least weight of a level, its width, the number of levels
MOST_WORDS = 900  # of a language: 2,000 told labelled pairs apart no better, 500 worse
WORDS_READ = 20_000  # of the library, the commonest: they have the common words and characters
MIN_PAGES = 4  # that have a word that is counted
LEFT_OUT = {"en", "zh", "ms"}  # `news_words` has the first two; Malay has the common words of Indonesian
LETTERS = {"th": THAI_AND_LAO, "my": MYANMAR, "km": KHMER}
"""Alphabets without blanks, whose letters are tokens: nearly every page has nearly every letter."""

_SOURCE = """\
# The common words of many languages by how rare they are in the news; made by `dup-groups train rarity`.
# The first line has the weights of the columns: the logarithm of pages of news for each page with the word.
# Derived from wordfreq {version} by Robyn Speer (https://github.com/rspeer/wordfreq), and as its data under
# CC BY-SA 4.0 (https://creativecommons.org/licenses/by-sa/4.0/): cut, folded and rounded. See NOTICE.
"""


def table_of_library() -> str:
    """The table of all languages of wordfreq but those that are counted. InputError without the library."""
    try:
        library: Any = import_module("wordfreq")
    except ImportError as error:
        raise InputError("this needs a library: pip install wordfreq") from error
    names = sorted({*library.available_languages("best")} - LEFT_OUT)
    weights = {name: _weights_of_shares(library.get_frequency_dict(name, "best")) for name in names}
    letters = {name: dict.fromkeys(_letters(*LETTERS[name]), LEAST) for name in LETTERS}
    columns = "\t".join(f"{LEAST + STEP * (level + 0.5)}" for level in range(LEVELS))
    rows = [_row(name, words) for name, words in (weights | letters).items()]
    return "\n".join([_SOURCE.format(version=version("wordfreq")) + f"weights\t{columns}", *rows, ""])


def table_of_texts(language: str, texts: Iterable[str]) -> str:
    """The shipped table with the words of one language as counted in these texts; each is a page.

    Raises InputError where no word is in `MIN_PAGES` texts.
    """
    row = _row(language, _count_pages(texts))
    if not row.split("\t", 1)[1].strip():
        raise InputError(f"no word is in {MIN_PAGES} of the texts: more texts are needed")
    lines = [line for line in table_lines() if line.split("\t")[0] != language]
    return "\n".join([*lines, row, ""])


def _weights_of_shares(shares: Mapping[str, float]) -> dict[str, float]:
    """The weights of the tokens of words that make up these shares of all words, the commonest first."""
    tokens: dict[str, float] = {}
    for token, share in _tokens_of(shares):
        tokens[token] = tokens.get(token, 0.0) + share
    first_letter = ord(_commonest(tokens, 1)[0][0])
    is_unspaced = any(first <= first_letter <= last for first, last in UNSPACED_RANGES)
    total = sum(tokens.values()) if is_unspaced else 1.0  # each word has several characters
    size = PAGE_CHARACTERS if is_unspaced else PAGE_WORDS
    common = _commonest(tokens, MOST_WORDS)
    return {token: -math.log(-math.expm1(-size * tokens[token] / total) * OWN_SHARE) for token in common}


def _tokens_of(shares: Mapping[str, float]) -> Iterator[tuple[str, float]]:
    """The tokens of these words, each with the share of its word; none with digits.

    The words become plain as one text: only so Vietnamese loses its marks.
    """
    read = _commonest(shares, WORDS_READ)
    for word, share in zip(plain("\n".join(read)).split("\n"), map(shares.__getitem__, read), strict=True):
        for token in read_facts(word).words:
            if not _has_digit(token):
                yield token, share


def _count_pages(texts: Iterable[str]) -> dict[str, float]:
    """The weights of the words of texts, the commonest first."""
    counts: Counter[str] = Counter()
    pages = 0
    for text in texts:
        pages += 1
        counts.update({word for word in read_facts(text).words if not _has_digit(word)})
    common = (word for word in _commonest(counts, MOST_WORDS) if counts[word] >= MIN_PAGES)
    return {word: math.log(pages / counts[word] / OWN_SHARE) for word in common}


def _has_digit(token: str) -> bool:
    return any(map(str.isdigit, token))


def _commonest(counts: Mapping[str, float], number: int) -> list[str]:
    return sorted(counts, key=lambda token: (-counts[token], token))[:number]


def _letters(first: int, last: int) -> list[str]:
    return [chr(code) for code in range(first, last + 1) if unicodedata.category(chr(code))[0] in "LM"]


def _row(language: str, weights: Mapping[str, float]) -> str:
    """The line of a language: its name, and the words of each level."""
    levels: list[list[str]] = [[] for _ in range(LEVELS)]
    for word, weight in weights.items():
        level = int((weight - LEAST) / STEP)
        if level < LEVELS:
            levels[level].append(word)
    return "\t".join([language, *map(" ".join, levels)])
