"""Copies are looked up: edits of re-publication, and the share of pairs that keys find."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from dupgroups import Page
from dupgroups.model.config import Config
from dupgroups_lab.duplicates.edits import EDITS, Article, survive
from stories import reprints


def originals(stories: int = 6, copies: int = 1) -> list[Page]:
    """Made stories of both languages, in turn."""
    pages = reprints(stories, copies).values()
    return [replace(page, language="zh" if "。" in (page.text or "") else "en") for page in pages]


@pytest.mark.parametrize(
    ("name", "paragraphs", "left"),
    [
        ("last paragraph cut", "a b c d e f g h i j", "a b c d e f g h i"),
        ("last fifth cut", "a b c d e f g h i j", "a b c d e f g h"),
        ("last fifth cut", "half half", "half"),
        ("one word or character", "word", None),  # there is no other word
        ("related links", "word", None),  # nor a headline
        ("last paragraph cut", "less longer", None),  # what is left is no copy
    ],
)
def test_the_end_is_cut_where_a_copy_is_left(name: str, paragraphs: str, left: str | None) -> None:
    cut = EDITS[name](Article(tuple(paragraphs.split()), "en", ()), Random(0))
    assert (None if cut is None else " ".join(cut)) == left


def test_copies_are_found_among_the_originals_of_both_languages() -> None:
    pages = [*originals(), Page(text="Too short.", id="\ud800", language="en")]
    survival = survive(pages, Config())
    assert [row.edit for row in survival.rows] == [name for name in EDITS for _ in range(2)]
    assert {(row.language, row.copies, row.found, row.strangers) for row in survival.rows} == {
        (language, 3, 3, 0) for language in ("en", "zh")
    }
    assert survival.short == 1
    assert survive(pages, Config()) == survival
    assert survive([], Config()).rows == ()
