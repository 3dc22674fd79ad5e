"""Texts for benchmarks: each number has one, always the same; a fifth are copies of earlier ones with a gap.

A module of its own, because worker processes that make and sign them do not import the script.
"""

from __future__ import annotations

import os
import random
from itertools import accumulate
from typing import NamedTuple

from costs import Clock, Cost

from dupgroups import Config, Page
from dupgroups.model import Document
from dupgroups.signing import PageSigner

WORDS = 300
COPIES = 0.2
GAP = 12  # words that a copy lacks

_SYLLABLES = "ba den for gar hil jun kal lom mer nor pel quin ros sten tal und vor wex yar zim".split()
_FREQUENT = "the of and to a in is it that was for on are with as at be this have from".split()
_VOCABULARY = [*_FREQUENT, *(a + b + c for a in _SYLLABLES for b in _SYLLABLES for c in [*_SYLLABLES, ""])]
_WEIGHTS = list(accumulate(1 / (rank + 2.7) for rank in range(len(_VOCABULARY))))  # as in natural language


def story_of(number: int) -> int:
    """The number of the document that this one is a copy of; its own if it is none."""
    chance = random.Random(f"copy {number}")
    while number and chance.random() < COPIES:
        number = chance.randrange(number)
        chance = random.Random(f"copy {number}")
    return number


def page(number: int) -> Page:
    """The document of this number: always the same."""
    story = story_of(number)
    words = random.Random(story).choices(_VOCABULARY, cum_weights=_WEIGHTS, k=WORDS)
    if story != number:
        gap = random.Random(number).randrange(WORDS - GAP)
        del words[gap : gap + GAP]
    sentences = (" ".join(words[at : at + 15]).capitalize() for at in range(0, len(words), 15))
    url = f"https://s{number % 997}.example/{number}"
    return Page(url=url, text=". ".join(sentences) + ".", title=f"Story {story} told", id=f"d{number:08}")


class Maker:
    """Makes documents and signs them, in this process or in others."""

    def __init__(self, config: Config) -> None:
        self._signer = PageSigner(config)

    def sign(self, numbers: range) -> Signed:
        """The documents of these numbers."""
        pages, signing = [page(number) for number in numbers], Clock()
        with signing:
            documents = self._signer.sign(pages)
        return Signed([document for document in documents if document], signing.cost, os.getpid())


class Signed(NamedTuple):
    """Documents, what signing them took, and the process that did it."""

    documents: list[Document]
    cost: Cost
    process: int
