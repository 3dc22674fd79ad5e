"""No text of any script, and no two that differ by what editors or machines do, makes a public call raise."""

import html
import random
from collections.abc import Callable
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups import Deduper, Page, compare, extract, group

LINES = (Path(__file__).parent / "text" / "thirty_languages.txt").read_text("utf-8").splitlines()
"""The first article of the Universal Declaration of Human Rights, after its language."""
Edit = Callable[[random.Random, list[str]], list[str]]
EDITS: tuple[Edit, ...] = (
    lambda _, words: [word.upper() for word in words],
    lambda _, words: [word.lower() for word in words],
    lambda dice, words: [word for word in words if dice.random() < 0.9],
    lambda dice, words: [word for word in words for _ in range(1 + (dice.random() < 0.1))],
    lambda dice, words: [word.title() if dice.random() < 0.2 else word for word in words],
    lambda dice, words: dice.sample(words, len(words)),
    lambda dice, words: [word if dice.random() < 0.9 else str(dice.randrange(10**6)) for word in words],
    lambda _, words: ["İ" + word for word in words],
    lambda _, words: [*words, "Qorvath"],
)
WORDS = st.lists(st.text(st.characters(), min_size=1, max_size=9), min_size=1, max_size=120)


def check_every_call(one: Page, two: Page) -> None:
    verdict = compare(one, two)
    assert compare(two, one).score == verdict.score
    assert 0 <= verdict.score <= 1
    assert group([one, two]).keys() == {"a", "b"}
    with closing(Deduper("memory://")) as deduper:
        deduper.add_all([one])
        assert len(deduper.find(two)) <= 1
    assert extract(f"<p>{html.escape(two.text or '')}</p>") is not None


def check_edits(words: list[str], dice: random.Random, first: Edit, second: Edit) -> None:
    """Check a text that was edited once against the same that was edited again."""
    edited = first(dice, words)
    text, other = " ".join(edited), " ".join(second(dice, edited))
    check_every_call(Page(text=text, title=text[:20], id="a"), Page(text=other, title=other[:30], id="b"))


@given(WORDS, st.randoms(use_true_random=False), st.sampled_from(EDITS), st.sampled_from(EDITS))
def test_no_text_of_any_character_raises(
    words: list[str], dice: random.Random, first: Edit, second: Edit
) -> None:
    check_edits(words, dice, first, second)


@pytest.mark.parametrize("place", range(len(LINES)), ids=[line.split(" ")[0] for line in LINES])
def test_no_text_of_thirty_languages_raises(place: int) -> None:
    """Each is edited in two ways: neighbours in the file have others."""
    first, second = [*pairwise(EDITS)][place % 8]
    check_edits(LINES[place].split(" ")[1:], random.Random(place), first, second)
