"""TF-IDF vectors: the cosine by a worked example."""

from __future__ import annotations

import pytest

from dupgroups.model import Content
from dupgroups_papers.codecs.vector_codec import cosine
from dupgroups_papers.corpus.frequencies import Frequencies, terms
from dupgroups_papers.signatures.cosine import Cosine


def test_words_weigh_by_how_often_they_come_and_how_rare_they_are() -> None:
    """Of three documents, "fog" stands in one, weight log 2, and "ice" in two, log 4/3."""
    known = Frequencies.learn(map(terms, ("fog and", "ice and", "ice and")))
    signer = Cosine(least=1, frequencies=known)
    fog, both, twice = (signer(Content(text)).body for text in ("fog", "fog and ice", "fog ice fog"))
    assert [cosine(fog, other) for other in (fog, both, twice)] == pytest.approx(
        [1, 0.9236, 0.9791], abs=2e-3
    )
