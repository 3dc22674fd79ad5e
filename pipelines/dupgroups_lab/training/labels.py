"""From gold text to labels of blocks, and the lexicons that the labels give."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np
from rapidfuzz.distance import LCSseq

from dupgroups.content.blocks import Blocks
from dupgroups.content.blocks import block_words as tokens
from dupgroups.content.blocks import letters_and_digits as fold
from dupgroups.content.features import Floats
from dupgroups.content.lexicon import Lexicon, name_parts, short_words

_CELLS = 400_000_000  # of the alignment's table: pages beyond it (a book on a page) are not labelled
_NAMED = 6  # named boxes around a block that count for the lexicon of names


@dataclass(frozen=True, slots=True)
class Labels:
    """Of every block (n,): its tokens, and the share of them that the gold text has, 0 to 1."""

    tokens: Floats
    share: Floats


def align(page: Blocks, gold: str, headline: str = "") -> Labels:
    """Labels by the longest common subsequence of the page's tokens and the gold's.

    Only tokens in a run of three that the gold has somewhere can match, so that menus don't pick up single
    words. A block that repeats `headline` is no part of the article, whatever the gold says: golds differ.
    """
    ids: dict[str, int] = {}
    wanted = [ids.setdefault(token, len(ids)) for token in tokens(gold)]
    cut = [tokens(block.text) for block in page.blocks]
    sequence = [ids.get(token, -1) for each in cut for token in each]
    size = np.array([len(each) for each in cut], np.float32)
    hits = np.zeros(len(cut))
    if len(sequence) * len(wanted) <= _CELLS:
        owner = np.repeat(np.arange(len(cut)), size.astype(int))
        np.add.at(hits, owner[_matched(sequence, wanted)], 1)
    title = fold(headline)
    told = np.array([fold(block.text) != title for block in page.blocks])
    return Labels(size, (told * hits / np.maximum(size, 1)).astype(np.float32))


def _matched(sequence: list[int], wanted: list[int]) -> list[int]:
    """Places of `sequence` that the alignment with `wanted` uses."""
    runs = set(zip(wanted, wanted[1:], wanted[2:], strict=False))
    places: dict[int, None] = {}
    for at, run in enumerate(zip(sequence, sequence[1:], sequence[2:], strict=False)):
        if run in runs:
            places.update(dict.fromkeys(range(at, at + 3)))
    kept = list(places)
    steps = LCSseq.opcodes([sequence[at] for at in kept], wanted)
    return [kept[at] for step in steps if step.tag == "equal" for at in range(step.src_start, step.src_end)]


@dataclass
class LexiconCounts:
    """Of every word, site by site: how much of what it stands at is article, and how much there is."""

    prior: float
    strength: float = 2.0
    min_sites: int = 4
    counts: dict[str, dict[str, list[float]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(lambda: [0.0, 0.0]))
    )

    def add(self, site: str, words: Iterable[str], share: float, weight: float) -> None:
        """A block of `weight` whose label is `share`."""
        for word in words:
            count = self.counts[word][site]
            count[0] += share * weight
            count[1] += weight

    def without(self, site: str) -> Lexicon:
        """Weights as if `site` had never been seen: what a page of it may know in training."""
        known: dict[str, float | None] = {}

        def weight(word: str) -> float | None:
            if word not in known:
                known[word] = self._weight(word, site)
            return known[word]

        return weight

    def weights(self) -> dict[str, float]:
        """Weights of all words that stand on enough sites, in the order of the alphabet."""
        each = ((word, self._weight(word, "")) for word in sorted(self.counts))
        return {word: round(weight, 2) for word, weight in each if weight is not None}

    def _weight(self, word: str, but: str) -> float | None:
        sites = self.counts.get(word)
        if sites is None or len(sites) < self.min_sites:
            return None
        shares = [hit / total for site, (hit, total) in sites.items() if site != but]
        mean = (sum(shares) + self.strength * self.prior) / (len(shares) + self.strength)
        return math.log(mean / (1 - mean)) if 0.005 < mean < 0.995 else math.copysign(5.3, mean - 0.5)


def count_lexicons(
    labelled: Iterable[tuple[str, Blocks, Labels]],
) -> tuple[LexiconCounts, LexiconCounts]:
    """Of (site, page, labels): names around blocks, weighted by tokens, and words, every block once."""
    names, words = LexiconCounts(prior=0.4), LexiconCounts(prior=0.25)
    for site, page, labels in labelled:
        around = _names_around(page)
        for block, size, share in zip(page.blocks, labels.tokens, labels.share, strict=True):
            if size:
                names.add(site, around(block.box), float(share), float(size))
                words.add(site, short_words(block), float(share), 1.0)
    return names, words


def _names_around(page: Blocks) -> Callable[[int], set[str]]:
    chains: list[tuple[tuple[str, ...], ...]] = []
    for box in page.boxes:
        own = name_parts(box.name)
        before = chains[box.parent] if chains else ()
        chains.append((*before, own)[-_NAMED:] if own else before)
    return lambda box: {part for own in chains[box] for part in own}
