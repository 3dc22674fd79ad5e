"""Tokens, shingles and numerals as text: what the hashes of `sentences` and `shingles` stand for.

Slower than the hashes, and only for people to look at.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from dupgroups.text.sentences import characters, token_spans, tokens
from dupgroups.text.shingles import running_places


def spelled_tokens(text: str) -> list[str]:
    """The tokens of a text as `sentences.tokens` gives them, folded, in order; [] for "".

    >>> spelled_tokens("The BBC, 臺灣")
    ['the', 'bbc', '台', '湾']
    """
    codes, kinds = characters(text)
    starts, ends = (places.tolist() for places in token_spans(kinds))
    letters = codes.tolist()
    return ["".join(map(chr, letters[start:end])) for start, end in zip(starts, ends, strict=True)]


def phrase(words: Sequence[str]) -> str:
    """Tokens in a row, with blanks unless all of them are single characters.

    >>> phrase(["two", "people"]), phrase(["春", "茶"])
    ('two people', '春茶')
    """
    return ("" if all(len(word) == 1 for word in words) else " ").join(words)


def spelled_shingles(text: str, size: int, *, running: bool = False, within: bool = False) -> list[str]:
    """The runs of `size` tokens in order, with repetitions.

    `running`: only of the running text (`shingles.running`). `within`: only runs inside a sentence.

    >>> spelled_shingles("It rained. More rain fell.", 2, within=True)
    ['it rained', 'more rain', 'rain fell']
    """
    cut, words = tokens(text), spelled_tokens(text)
    places = running_places(cut).tolist() if running else range(len(cut))
    parts = groupby(places, cut.sentence.tolist().__getitem__) if within else [(None, places)]
    return [run for _, part in parts for run in _runs([words[place] for place in part], size)]


def _runs(words: Sequence[str], size: int) -> list[str]:
    return [phrase(words[start : start + size]) for start in range(len(words) - size + 1)]
