"""The features that CE-BEST's paper names, counted by hand; named entities are counted by kind."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from content.pipelines import HARBOUR, pipeline
from dupgroups.content.blocks import divide
from dupgroups.errors import MissingExtraError
from dupgroups_papers.content.crf_paper_features import Paper
from dupgroups_papers.content.hashed_bag_of_words import bucket
from dupgroups_papers.content.named_entities import recogniser


@pytest.mark.slow  # needs spaCy, which only `make test-all` installs
def test_mentions_are_counted_by_kind(tmp_path: Path) -> None:
    names = HARBOUR | {"Tuesday": "DATE", "Humber": "LOC", "John Roe": "PER"}
    counts = recogniser(pipeline(tmp_path, names))
    assert counts("Jane Doe and John Roe left Hull on the Humber on Tuesday.") == (2, 2, 0)
    assert counts("The Coast Guard, Hull: the Coast Guard.") == (0, 1, 2)
    assert counts("") == (0, 0, 0)


def test_without_spacy_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(MissingExtraError, match=r"needs an extra: pip install 'dup-groups\[entities\]'$"):
        recogniser("en_core_web_sm")


def test_words_count_as_often_as_they_come_however_long_the_block() -> None:
    filler = "unread " * 40
    bags = Paper()(divide(f"<p>Fog, fog and {filler} FOG</p><p>Fog"), "").bags
    assert [int((bags.bucket[bags.owner == block] == bucket("fog")).sum()) for block in (0, 1)] == [3, 1]


def test_tags_are_those_in_and_around_the_block() -> None:
    page = divide("<div class=story><p>Ice <b>and <a href=/>fog</a></b><p><i></i>Rain<p>Sun</div>")
    bags = Paper()(page, "").bags
    first, second, third = ({int(number) for number in bags.bucket[bags.owner == at]} for at in range(3))
    assert second - {bucket("rain")} == third - {bucket("sun")}
    assert third == {bucket(feature) for feature in ("sun", "<<p", "<p>", "<div>", "<body>", "<html>")}
    assert first - third == {bucket(feature) for feature in ("ice", "and", "fog", "<a>", "<b>")}


def test_the_share_in_links_is_of_tokens_and_not_of_characters() -> None:
    page = divide("<p>I am at <a href=/>headquarters</a></p><a href=/><p>Read on<p>Now</a><p>…</p>")
    chinese = Paper()(divide("<p>渡轮<a href=/>相撞</a>"), "").numbers
    assert np.allclose(chinese, [[np.log(5), 0.5]])  # a character is a token
    numbers = Paper()(page, "").numbers
    assert np.allclose(numbers, [[np.log(5), 0.25], [np.log(3), 1], [np.log(2), 1], [0, 0]])


@pytest.mark.slow
def test_named_entities_are_counted_by_kind(tmp_path: Path) -> None:
    page = divide("<p>Jane Doe left Hull for Hull.<p>Nobody did.")
    numbers = Paper(pipeline(tmp_path, HARBOUR))(page, "").numbers
    assert np.allclose(numbers[:, 2:], np.log1p([[1, 2, 0], [0, 0, 0]]))
