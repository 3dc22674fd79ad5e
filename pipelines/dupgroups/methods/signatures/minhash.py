"""MinHash over shingles of the running text: keys for look-up, bitmaps for comparison.

Broder, Glassman, Manasse, Zweig: Syntactic Clustering of the Web (1997): the resemblance of two texts is the
share of shingles that they have in common. It equals the probability that the smallest hash of both sets is
the same. Gibson, Wellner, Lubar: Identification of Duplicate News Stories in Web Pages (CEDAR), section 2.2.

Four choices are ours; docs/benchmarks.md has the measurements. Shingles are taken from anchored sentences
where most of a text is in such (see `dupgroups.text.shingles`), which leaves out the menus and links that an
extractor missed. A short text is signed with its title, because it may be the title that says whom it is
about. Numerals are stored with the words around them (see `dupgroups.text.numerals`), because the daily
reports of a series differ in little else. Most keys of long shingles give way to more telling ones (see
`dupgroups.text.news_words`): in a short text shingles of rare words, in others, where most words are words
of the news, pairs of telling words, which survive where a scanner misread most runs of words. The share of
the other words is stored as well; it shows the damage.

Texts of one field have single keys in common by chance; copies have several. So two documents are compared if
they share `shared_keys` of their keys.

| field      | default | meaning |
|------------|---------|---|
| size       | 3       | tokens of a shingle for comparison; for Chinese (a token is a character), use 4 |
| key_size   | 6       | tokens of a shingle for look-up: long, so that a shared one means shared text |
| similarity | 0.15    | resemblance of the long shingles at which a pair must be found |
| recall     | 0.99    | probability that such a pair is found |
| bits       | 1512    | size of the bitmap: more bits give better estimates |
| figures    | 44      | numerals that are stored, three bytes each |
| least      | 2       | distinct shingles that a text needs to be compared |
| telling    | 0       | keys of short shingles of a short text; those of long ones give way to them |
| word_pairs | 0       | keys of two words of other texts; likewise |
| shared_keys | 1      | keys that two documents must share to be compared (see `model.Signature`) |

A missing word changes the shingles that hold it, and the keys that come from them:

>>> from dupgroups.model import Content
>>> from dupgroups.methods.signatures.minhash import MinHash
>>> text = "The ferry struck a moored barge in thick fog. Two people are missing, the coast guard said."
>>> signer = MinHash(least=1)
>>> story, copy = signer(Content(text)), signer(Content(text.replace("people ", "")))
>>> len(story.keys), len(set(story.keys) & set(copy.keys))
(6, 5)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dupgroups.errors import ConfigError
from dupgroups.methods.signatures.base import SchemeOfFields, keys_needed
from dupgroups.methods.sketches.bitmaps import BITS_MULTIPLE, pack
from dupgroups.methods.sketches.keys import bounded_minima, key_strings
from dupgroups.model import Content, Signature
from dupgroups.text.batches import heavy_batches
from dupgroups.text.hashing import Hashes
from dupgroups.text.news_words import UNKNOWN_PAGES, pages_of, strange_shares, telling_pairs, telling_shingles
from dupgroups.text.notices import is_notice
from dupgroups.text.numerals import bounded_numerals
from dupgroups.text.sentences import Tokens, tokens
from dupgroups.text.sets import firsts, sorted_within
from dupgroups.text.shingles import SHORT_TOKENS, bounded_shingles, is_short, running

KEY_LENGTH = 5  # characters of 6 bits: of a million documents, less than one is a candidate by chance
MAX_KEYS = 31  # of a text that has telling keys: those of its long shingles give way
STRANGE_SHARE = 0.6  # share of words that the news do not have, above which the text is in another language
DAMAGED_SHARE = 0.28  # share from which a scanner may have misread so many words that pairs survive alone
MORE_PAIRS = 6  # keys of pairs of words that a damaged text has in place of those of long shingles
Flags = NDArray[np.bool_]  # one for each text
_NO_HASHES = np.empty(0, np.uint64)
_HALF, _LOW = np.uint64(32), np.uint64(0xFFFFFFFF)
Sets = tuple[Hashes, NDArray[np.intp]]  # set i is hashes[bounds[i]:bounds[i + 1]]
# share of anchored tokens below which, and SHORT_TOKENS under which, a text counts as a whole
MIN_ANCHORED_SHARE = 0.5
MIN_LONG_SHARE = 1 / 3  # long shingles for each short one; running text has .6 and more
BATCH_CHARS = 1 << 17  # characters signed together: much larger or smaller batches are slower
MAX_PART_KEYS = 1_000  # with more, a cluster would need several searches
MANY_NUMBERS = 16_000  # of one text, of which only the lowest are sorted
TELLING_PART_KEYS = 250  # of each kind of telling keys; those of long shingles have the rest


@dataclass(frozen=True)
class MinHash(SchemeOfFields):
    """Signs with MinHash keys, a bitmap of the words and numerals; the table above explains the fields."""

    NAME = "minhash"
    VERSION = 4

    judges: ClassVar[tuple[str, ...]] = ("evidence",)

    size: int = 3
    key_size: int = 6
    similarity: float = 0.15
    recall: float = 0.99
    bits: int = 1512
    figures: int = 44
    least: int = 2
    telling: int = 0
    word_pairs: int = 0
    shared_keys: int = 1

    def __post_init__(self) -> None:
        if not 1 <= self.size <= 32 or not 1 <= self.key_size <= 32:
            raise ConfigError("size and key_size must be between 1 and 32 tokens")
        if not 0 < self.similarity < 1 or not 0 < self.recall < 1:
            raise ConfigError("similarity and recall must be between 0 and 1")
        if self.bits % BITS_MULTIPLE or not BITS_MULTIPLE <= self.bits <= 2040:
            raise ConfigError(f"bits must be a multiple of {BITS_MULTIPLE} between {BITS_MULTIPLE} and 2040")
        if not 0 <= self.figures <= 255:
            raise ConfigError("figures must be between 0 and 255")
        if self.least < 1:
            raise ConfigError("least must be at least 1")
        if not 0 <= self.word_pairs <= MAX_KEYS or not 0 <= self.telling <= MAX_KEYS:
            raise ConfigError(f"telling and word_pairs must be between 0 and {MAX_KEYS}")
        if not 1 <= self.shared_keys <= MAX_KEYS:
            raise ConfigError(f"shared_keys must be between 1 and {MAX_KEYS}")
        keys_needed(self.similarity, self.recall)  # raises ConfigError when too many keys are needed

    @cached_property
    def keys(self) -> int:
        """The number of keys of a document."""
        return keys_needed(self.similarity, self.recall)

    def __call__(self, content: Content) -> Signature:
        """Sign the text. Fewer than `least` distinct shingles, or a mere notice, give an empty signature."""
        return self._sign_texts([content])[0]

    def sign_many(self, contents: Sequence[Content]) -> list[Signature]:
        """The signatures of several texts: equal to signing them one by one, but faster."""
        some = heavy_batches(contents, BATCH_CHARS, lambda content: len(content.text))
        return [signature for batch in some for signature in self._sign_texts(batch)]

    def _sign_texts(self, contents: Sequence[Content]) -> list[Signature]:
        texts = [_with_title(content) for content in contents]
        everything = tokens(*texts)
        is_short = np.diff(everything.bounds) < SHORT_TOKENS
        words = running(everything, MIN_ANCHORED_SHARE, SHORT_TOKENS)
        short = bounded_shingles(words, self.size)
        sizes, sketches = pack(*short, self.bits)
        long = bounded_shingles(words, self.key_size)
        is_list = _is_list(long, short)
        pages, strange = _known_pages(words)
        is_damaged = ~is_list & (strange > DAMAGED_SHARE)
        every = self._keys(_add_short(long, short, is_list), words, pages, is_short, is_damaged)
        shares = (strange * 255).astype(np.uint8)[:, None]
        numbers = bounded_numerals(words, self.figures)
        parts = zip(texts, sizes, every, sketches, shares, numbers, strict=True)
        return [
            Signature(self.scheme, keys, sketch + share.tobytes() + numerals)
            if size >= self.least and not is_notice(text)
            else Signature(self.scheme)
            for text, size, keys, sketch, share, numerals in parts
        ]

    def part_keys(self, content: Content) -> tuple[str, ...]:
        """The keys that signatures of texts with a part of this text may have: of a long text the lowest
        MAX_PART_KEYS, as signatures hold the lowest of their texts.
        """
        words = running(tokens(_with_title(content)), MIN_ANCHORED_SHARE, SHORT_TOKENS)
        pages, _ = _known_pages(words)
        long, short = (bounded_shingles(words, size) for size in (self.key_size, self.size))
        # those whose minima are the keys of long shingles: one bin, where these give way to telling keys
        bins = 1 if self.word_pairs else self.keys
        shingles = _sort_in_bins(_add_short(long, short, _is_list(long, short))[0], bins)
        telling = []
        if self.word_pairs:
            telling.append(telling_pairs(words, pages)[0])
        if self.telling:
            telling.append(telling_shingles(words, pages, self.size + 1, np.ones(1, np.bool_))[0])
        more = [_sort_in_bins(numbers)[:TELLING_PART_KEYS] for numbers in telling]
        room = MAX_PART_KEYS - sum(map(len, more))
        return _strings([np.concatenate([shingles[:room], *more])])[0]

    def _keys(
        self, long: Sets, words: Tokens, pages: Hashes, is_short: Flags, is_damaged: Flags
    ) -> list[tuple[str, ...]]:
        """The telling keys of each text, after those of its long shingles for which they leave room."""
        minima, bounds = bounded_minima(*long, self.keys)
        if not self.telling and not self.word_pairs:
            return _strings(_by_text(minima, bounds))
        if self.word_pairs:
            lowest, pairs = _select_lowest(*long), _select_lowest(*telling_pairs(words, pages))
        else:
            lowest = _by_text(minima, bounds)
            pairs = [_NO_HASHES] * len(lowest)
        telling = pairs
        if is_short.any():
            telling = _select_lowest(*telling_shingles(words, pages, self.size + 1, is_short))
        found = []
        for place, shingles in enumerate(lowest):
            more = pairs[place][: self.word_pairs + MORE_PAIRS * bool(is_damaged[place])]
            room = MAX_KEYS - self.word_pairs if is_short[place] else MAX_KEYS - len(more)
            more = telling[place][: self.telling] if is_short[place] else more
            found.append(np.concatenate([shingles[: room if self.word_pairs else None], more]))
        return _strings(found)


def _known_pages(words: Tokens) -> tuple[Hashes, NDArray[np.float64]]:
    """How many pages have each word (see `pages_of`), and the share of strange words of each text: none of a
    text in another language is known, and none is strange.
    """
    pages = pages_of(words.hashes)
    strange = strange_shares(words, pages)
    foreign = strange > STRANGE_SHARE
    if foreign.any():
        pages[foreign.repeat(np.diff(words.bounds))] = UNKNOWN_PAGES
        strange[foreign] = 0
    return pages, strange


def _strings(keys: Sequence[Hashes]) -> list[tuple[str, ...]]:
    strings = iter(key_strings(np.concatenate([_NO_HASHES, *keys]), KEY_LENGTH))
    return [tuple(dict.fromkeys(islice(strings, len(some)))) for some in keys]


def _with_title(content: Content) -> str:
    """The text of a content; of a short one with its title."""
    text = content.text
    return f"{content.title}\n{text}" if content.title and is_short(text) else text


def _is_list(long: Sets, short: Sets) -> Flags:
    is_list: Flags = np.diff(long[1]) < MIN_LONG_SHARE * np.diff(short[1])
    return is_list


def _add_short(long: Sets, short: Sets, is_list: Flags) -> Sets:
    """The long shingles of each text, and the short ones of a list: most of its lines are too short for a
    long one, and what its notes say other lists say, too.
    """
    if not is_list.any():
        return long
    both = zip(_by_text(*long), _by_text(*short), is_list.tolist(), strict=True)
    parts = [np.concatenate([one, two]) if few else one for one, two, few in both]
    return np.concatenate(parts), np.cumsum([0, *map(len, parts)])


def _select_lowest(numbers: Hashes, bounds: NDArray[np.intp]) -> list[Hashes]:
    return [part[firsts(part)] for part in _by_text(sorted_within(numbers, bounds), bounds)]


def _sort_in_bins(numbers: Hashes, bins: int = 1) -> Hashes:
    """The different numbers, those that come first in one of the bins first (see `bounded_minima`)."""
    if len(numbers) > MANY_NUMBERS:
        numbers = numbers[_rank_in_bins(numbers, bins).argpartition(MANY_NUMBERS)[:MANY_NUMBERS]]
    different = np.unique(numbers)
    return different[_rank_in_bins(different, bins).argsort(kind="stable")]


def _rank_in_bins(numbers: Hashes, bins: int) -> Hashes:
    return (numbers >> _HALF) * np.uint64(bins) & _LOW


def _by_text(hashes: Hashes, bounds: NDArray[np.intp]) -> list[Hashes]:
    return [hashes[start:end] for start, end in pairwise(bounds.tolist())]
