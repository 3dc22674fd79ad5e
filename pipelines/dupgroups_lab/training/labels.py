"""Labels of blocks from gold text, and the lexicons counted from the labels."""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from rapidfuzz.distance import LCSseq

from dupgroups.content.blocks import Blocks
from dupgroups.content.features import Floats
from dupgroups.content.letters import block_words, letters_and_digits
from dupgroups.content.lexicon import MAX_LINKED_SHARE, name_parts, short_words

_MAX_CELLS = 400_000_000  # of the alignment table: larger pages (a whole book on one page) are not labelled
_NAMED_BOXES = 6  # named boxes around a block that count for the lexicon of names


@dataclass(frozen=True, slots=True)
class Labels:
    """The number of tokens of every block (n,), and the share of them in the gold text (n,), 0 to 1."""

    tokens: Floats
    share: Floats


def align(page: Blocks, gold: str, headline: str = "") -> Labels:
    """Labels by the longest common subsequence of the page's tokens and the gold's.

    Only tokens in a run of three that occurs in the gold can match, so that menus don't pick up single words.
    A block that repeats `headline` is never part of the article, because golds differ on headlines.
    """
    ids: dict[str, int] = {}
    wanted = [ids.setdefault(token, len(ids)) for token in block_words(gold)]
    block_tokens = [block_words(block.text) for block in page.blocks]
    sequence = [ids.get(token, -1) for words_of_block in block_tokens for token in words_of_block]
    size = np.array([len(words_of_block) for words_of_block in block_tokens], np.float32)
    hits = np.zeros(len(block_tokens))
    if len(sequence) * len(wanted) <= _MAX_CELLS:
        owner = np.repeat(np.arange(len(block_tokens)), size.astype(int))
        np.add.at(hits, owner[_match_indices(sequence, wanted)], 1)
    title = letters_and_digits(headline)
    is_content = np.array([letters_and_digits(block.text) != title for block in page.blocks])
    return Labels(size, (is_content * hits / np.maximum(size, 1)).astype(np.float32))


def _match_indices(sequence: list[int], wanted: list[int]) -> list[int]:
    """Indices of `sequence` that the alignment with `wanted` matches."""
    runs = set(zip(wanted, wanted[1:], wanted[2:], strict=False))
    aligned: dict[int, None] = {}
    for index, run in enumerate(zip(sequence, sequence[1:], sequence[2:], strict=False)):
        if run in runs:
            aligned.update(dict.fromkeys(range(index, index + 3)))
    candidates = list(aligned)
    steps = LCSseq.opcodes([sequence[index] for index in candidates], wanted)
    return [
        candidates[index]
        for step in steps
        if step.tag == "equal"
        for index in range(step.src_start, step.src_end)
    ]


@dataclass
class LexiconCounts:
    """For every word and site: the weight of article text at the word, and of all text at the word."""

    prior: float
    strength: float = 2.0
    min_sites: int = 4
    counts: dict[str, dict[str, list[float]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(lambda: [0.0, 0.0]))
    )

    def add(self, site: str, words: Iterable[str], share: float, weight: float) -> None:
        """Count a block of `weight` whose label is `share`."""
        for word in words:
            count = self.counts[word][site]
            count[0] += share * weight
            count[1] += weight

    @cached_property
    def _exact(self) -> dict[str, float]:
        frequent = (word for word in sorted(self.counts) if len(self.counts[word]) >= self.min_sites)
        return {word: self._weight(word, "") for word in frequent}

    def weights(self) -> dict[str, float]:
        """Weights of all words that occur on enough sites, in alphabetical order."""
        return {word: round(weight, 2) for word, weight in self._exact.items()}

    def weights_without(self, site: str) -> dict[str, float]:
        """Weights as if `site` had never been seen: the weights to train with on pages of that site."""
        return {
            word: self._weight(word, site) if site in self.counts[word] else weight
            for word, weight in self._exact.items()
        }

    def _weight(self, word: str, but: str) -> float:
        shares = [hit / total for site, (hit, total) in self.counts[word].items() if site != but]
        mean = (sum(shares) + self.strength * self.prior) / (len(shares) + self.strength)
        return math.log(mean / (1 - mean)) if 0.005 < mean < 0.995 else math.copysign(5.3, mean - 0.5)


def count_lexicons(labelled: Iterable[tuple[str, Blocks, Labels]]) -> tuple[LexiconCounts, LexiconCounts]:
    """From (site, page, labels): names around blocks, weighted by tokens; words of each block but menus."""
    names, words = LexiconCounts(prior=0.4), LexiconCounts(prior=0.25)
    for site, page, labels in labelled:
        around = _names_around(page)
        for block, size, share in zip(page.blocks, labels.tokens, labels.share, strict=True):
            if size:
                names.add(site, around(block.box), float(share), float(size))
                if block.linked < MAX_LINKED_SHARE * len(block.text):
                    words.add(site, short_words(block), float(share), 1.0)
    return names, words


def _names_around(page: Blocks) -> Callable[[int], set[str]]:
    chains: list[tuple[tuple[str, ...], ...]] = []
    for box in page.boxes:
        parts = name_parts(box.name)
        before = chains[box.parent] if chains else ()
        chains.append((*before, parts)[-_NAMED_BOXES:] if parts else before)
    return lambda box: {part for parts in chains[box] for part in parts}
