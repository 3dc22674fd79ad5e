"""Scores of extractors that learn, by pack and language, and their errors."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

import numpy as np
import pytest

from dupgroups_lab.extraction.validation import validated
from dupgroups_lab.training.methods import Trained
from dupgroups_lab.training.network import Example


def wanted(example: Example) -> list[int]:
    """The blocks of the gold text."""
    return np.flatnonzero(example.labels.share >= 0.5).tolist()


def even_sites(_: Sequence[Example]) -> Trained:
    """Right on the sites with an even number, and without any text on the others."""

    def kept(example: Example) -> list[int]:
        return wanted(example) if int(example.page.site[-1]) % 2 == 0 else []

    return Trained(kept, lambda path: None)


def test_pages_are_scored_by_what_other_sites_taught(examples: list[Example]) -> None:
    def trainer(given: Sequence[Example]) -> Trained:
        taught = {example.page.site for example in given}

        def kept(example: Example) -> list[int]:
            assert example.page.site not in taught
            return []

        return Trained(kept, lambda path: None)

    assert validated(examples[:24], 2, trainer)[1].recall == 0


def test_the_error_is_the_deviation_over_samples_of_sites(examples: list[Example]) -> None:
    row = validated(examples[:24], 2, even_sites)[0]["made"]
    recalls = [right / 6 for right in range(7)]
    f1s = np.array([2 * recall / (1 + recall) for recall in recalls])  # P is 1 where there is text
    chances = np.array([comb(6, right) / 2**6 for right in range(7)])
    assert row.score.f1 == pytest.approx(2 / 3)
    assert row.error == pytest.approx(np.sqrt(chances @ f1s**2 - (chances @ f1s) ** 2), rel=0.1)
    alike = validated(examples[:24:2], 2, even_sites, seeds=2)[0]["made"]
    assert (alike.score.f1, alike.error) == (1, 0)
