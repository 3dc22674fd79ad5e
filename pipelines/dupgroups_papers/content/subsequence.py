"""Maximum subsequence segmentation: the run of tokens that is most like an article, as learned from pages.

Pasternack, Roth: Extracting Article Text from the Web with Maximum Subsequence Segmentation, WWW 2009, which
Alonso, Fetterly and Manasse used to extract their stories. The page is a sequence of tokens, words and tags.
Every token has two features, the trigram that begins with it and the most recent tag that is still open, and

    score(token) = P(in the article | features) - 1/2
    log odds     = prior + log P(trigram | in) / P(trigram | out) + log P(tag | in) / P(tag | out)

by Naive Bayes. The article is the run of tokens with the greatest sum, with all that it contains. `mss` has
the same optimisation over lengths of segments, by thresholds that were set by hand; here the scores are
learned. `dup-groups train extraction --method subsequence` made the weights in `subsequence.npz`.

Words are lower-cased instead of stemmed, because pages have many languages; every number is the same token,
and so is every word that few of the training sites have, and every such trigram: news says what nobody has
said, menus repeat. The result is a set of whole blocks, those with more
than half of their words in the run.

| parameter | default | meaning |
|---|---|---|
| `weights` | none | a file of other weights, which `dup-groups train extraction --out` wrote |

The run begins with the first paragraph and ends before the links:

>>> from dupgroups import extract_text
>>> page = (
...     "<ul><li><a href=/>Home</a><li><a href=/sport>Sport</a></ul>"
...     "<p>The ferry struck a moored barge in thick fog on Wednesday, and two people are missing."
...     "<p><a href=/more>Read more about ships</a><p>Advertisement"
... )
>>> extract_text(page, extractor="subsequence")
'The ferry struck a moored barge in thick fog on Wednesday, and two people are missing.'
"""

from __future__ import annotations

import re
import zlib
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from functools import lru_cache
from itertools import repeat
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dupgroups.content.blocks import Blocks
from dupgroups.content.features import Floats
from dupgroups.content.letters import block_words
from dupgroups.methods import npz
from dupgroups_papers.content.maximum_run import maximum_run
from dupgroups_papers.content.walk import START, TEXT, walk

Codes = NDArray[np.uint32]

UNSEEN = np.uint32(0)  # the code of every trigram that few training sites have
MAX_TOKENS = 500_000  # of a page that are read, ten times what the largest labelled page has

_HALF = ("trigram_odds", "parent_odds")
_DIGITS = re.compile(r"\d+")
_BREAK = "br"  # stays open, as all tags of the paper without an end tag: its parent may have no paragraphs
_EMPTY = frozenset("area base br col embed hr img input source track wbr".split())  # without an end tag
_FACTORS = (0x9E3779B1, 0x85EBCA6B, 0xC2B2AE35)  # odd, so that no bit of a token is lost


class Tokens(NamedTuple):
    """The tokens of a page, (n,) each: the code of the token, whether it is a tag, the code of the most
    recent open tag, and the index of its block (for a tag, of the block that follows)."""

    code: Codes
    is_tag: NDArray[np.bool_]
    parent: Codes
    block: NDArray[np.int64]


@dataclass(frozen=True)
class TokenClassifier:
    """The Naive Bayes classifier of tokens.

    `words` are the codes of words that are not rare; `trigrams` and `parents` are ascending codes of
    features, `trigram_odds` and `parent_odds` their log odds of being in the article; `prior` those of any
    token.
    """

    words: Codes
    trigrams: Codes
    trigram_odds: Floats
    parents: Codes
    parent_odds: Floats
    prior: float

    def scores(self, tokens: Tokens) -> NDArray[np.float64]:
        """P(in the article) - 1/2 of each token, (n,)."""
        odds = self.prior + _look_up(self.parents, self.parent_odds, tokens.parent)
        found = known_or_unseen(trigrams(tokens, self.words), self.trigrams)
        odds += _look_up(self.trigrams, self.trigram_odds, found)
        return np.asarray(1 / (1 + np.exp(-odds)) - 0.5, np.float64)

    def arrays(self) -> npz.Arrays:
        """The arrays of an .npz file, the odds in half precision."""
        arrays = {field.name: np.asarray(getattr(self, field.name)) for field in fields(self)}
        return arrays | {name: arrays[name].astype(np.float16) for name in _HALF}

    @classmethod
    def of(cls, stored: npz.Arrays) -> TokenClassifier:
        """The inverse of `arrays`."""
        arrays: npz.Arrays = {name: stored[name] for name in ("words", "trigrams", "parents")}
        arrays |= {name: stored[name].astype(np.float32) for name in _HALF}
        return cls(**arrays, prior=float(stored["prior"]))


def tokens(html: str) -> Tokens:
    """The words and tags of the part of a page that was read (`Blocks.html`), about `MAX_TOKENS` at most.

    "" has no words.
    """
    columns = _Columns()
    path = [0]
    for kind, tag, node, block in walk(html):
        if len(columns.code) > MAX_TOKENS:
            break
        if kind == TEXT:
            text = (node.text_content or "")[:MAX_TOKENS]
            words = block_words(_DIGITS.sub("1", text.lower()))
            columns.add(words, False, path[-1], block)
        elif tag == _BREAK:
            if kind == START:
                columns.add([f"<{tag}>"], True, path[-1], block)
                path[-1] = code(f"<{tag}>")
        elif kind == START:
            columns.add([f"<{tag}>"], True, path[-1], block)
            path.append(code(f"<{tag}>"))
        else:
            path.pop()
            if tag not in _EMPTY:
                columns.add([f"</{tag}>"], True, path[-1], block)
    return columns.tokens()


class _Columns:
    """The columns of `Tokens` while a page is read; arrays, because a page can have many tokens."""

    def __init__(self) -> None:
        self.code, self.is_tag, self.parent, self.block = array("L"), array("b"), array("L"), array("L")

    def add(self, texts: Sequence[str], is_tag: bool, parent: int, block: int) -> None:
        self.code.extend(map(code, texts))
        self.is_tag.extend(repeat(is_tag, len(texts)))
        self.parent.extend(repeat(parent, len(texts)))
        self.block.extend(repeat(block, len(texts)))

    def tokens(self) -> Tokens:
        return Tokens(
            np.array(self.code, np.uint32),
            np.array(self.is_tag, np.bool_),
            np.array(self.parent, np.uint32),
            np.array(self.block, np.int64),
        )


def trigrams(given: Tokens, words: Codes) -> Codes:
    """The code of the trigram that begins with each token, (n,); words that are not in `words` are alike."""
    known = given.is_tag | np.isin(given.code, words)
    padded = np.append(np.where(known, given.code, np.uint32(1)), np.zeros(2, np.uint32))
    size = len(given.code)
    parts = (padded[at : at + size] * np.uint32(factor) for at, factor in enumerate(_FACTORS))
    return np.asarray(sum(parts, np.zeros(size, np.uint32)), np.uint32)


def known_or_unseen(given: Codes, known: Codes) -> Codes:
    """The codes of these trigrams, `UNSEEN` for those that are not known: (n,)."""
    return np.where(np.isin(given, known), given, UNSEEN)


@lru_cache(maxsize=50_000)
def code(token: str) -> int:
    """A checksum of the token, 32 bits, the same on every machine."""
    return zlib.crc32(token.encode("utf-8", "surrogatepass"))


def _look_up(keys: Codes, values: Floats, wanted: Codes) -> NDArray[np.float64]:
    """The values of the wanted keys, 0 for those that are not among the ascending `keys`."""
    if not len(keys):
        return np.zeros(len(wanted))
    place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[place] == wanted, values[place], 0.0)


@dataclass(frozen=True)
class Subsequence:
    """Selects the blocks with more than half of their words in the best run of tokens."""

    weights: str | None = None
    _classifier: TokenClassifier = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        learned = npz.weights(__package__, "subsequence", self.weights, TokenClassifier.of)
        object.__setattr__(self, "_classifier", learned)

    def __call__(self, page: Blocks) -> Sequence[int]:
        """Indices of the blocks of the best run."""
        return self.select(page, self._classifier)

    def select(self, page: Blocks, classifier: TokenClassifier) -> list[int]:
        """Indices of the blocks of the best run by the scores of `classifier`."""
        given = tokens(page.html)
        start, stop = maximum_run(classifier.scores(given))
        words = ~given.is_tag
        size = len(page.blocks)
        inside = np.bincount(given.block[start:stop][words[start:stop]], minlength=size)
        return np.flatnonzero(2 * inside > np.bincount(given.block[words], minlength=size)).tolist()
