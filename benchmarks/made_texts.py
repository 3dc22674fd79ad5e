"""Texts of made words, each by its number, always the same; a fifth of them are copies without some words."""

import random
from itertools import accumulate

from dupgroups import Page

WORDS, COPIES, GAP = 300, 0.2, 12  # words of a text, share of copies, words that a copy lacks
_SYLLABLES = "ba den for gar hil jun kal lom mer nor pel quin ros sten tal und vor wex yar zim".split()
_FREQUENT = "the of and to a in is it that was for on are with as at be this have from".split()
VOCABULARY = [*_FREQUENT, *(a + b + c for a in _SYLLABLES for b in _SYLLABLES for c in [*_SYLLABLES, ""])]
_WEIGHTS = list(accumulate(1 / (rank + 2.7) for rank in range(len(VOCABULARY))))  # as in natural language


def story_of(number: int) -> int:
    """The number of the document that this one is a copy of; its own if it is none."""
    chance = random.Random(f"copy {number}")
    while number and chance.random() < COPIES:
        number = chance.randrange(number)
        chance = random.Random(f"copy {number}")
    return number


def page(number: int) -> Page:
    """The document of this number."""
    story = story_of(number)
    words = random.Random(story).choices(VOCABULARY, cum_weights=_WEIGHTS, k=WORDS)
    if story != number:
        gap = random.Random(number).randrange(WORDS - GAP)
        del words[gap : gap + GAP]
    sentences = (" ".join(words[at : at + 15]).capitalize() for at in range(0, len(words), 15))
    url = f"https://s{number % 997}.example/{number}"
    return Page(url=url, text=". ".join(sentences) + ".", title=f"Story {story} told", id=f"d{number:08}")
