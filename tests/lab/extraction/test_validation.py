"""Scores of extractors that learn, by pack and language, and their errors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import comb
from pathlib import Path

import numpy as np
import pytest

from dupgroups_lab.extraction.scores import MEAN
from dupgroups_lab.extraction.validation import validated
from dupgroups_lab.training.methods import Trained
from dupgroups_lab.training.network import Example, read_examples
from lab.packs import article_pack


def test_a_language_with_many_pages_among_others_has_its_own_row(tmp_path: Path) -> None:
    examples = list(read_examples([article_pack(tmp_path)]))[:30]
    mixed = [
        replace(example, page=replace(example.page, language="zh")) if index < 4 else example
        for index, example in enumerate(examples)
    ]
    nothing = Trained(lambda example: [], lambda path: None)
    rows = [validated(chosen, 2, lambda _: nothing)[0] for chosen in (mixed, examples)]
    assert {row: validated_row.score.pages for row, validated_row in rows[0].items()} == {
        "made": 30,
        "made, en": 26,
    }
    assert list(rows[1]) == ["made"]


@pytest.mark.parametrize("sites_apart", [True, False])
def test_pages_are_scored_by_what_other_pages_or_sites_taught(tmp_path: Path, sites_apart: bool) -> None:
    examples = list(read_examples([article_pack(tmp_path)]))[:24]

    def name(example: Example) -> str:
        return example.page.site if sites_apart else example.page.id

    def trainer(given: Sequence[Example]) -> Trained:
        taught = {name(example) for example in given}

        def kept(example: Example) -> list[int]:
            assert name(example) not in taught
            return []

        return Trained(kept, lambda path: None)

    assert validated(examples, 2, trainer, sites_apart=sites_apart)[1].recall == 0


def even_sites(examples: Sequence[Example]) -> Trained:
    """Right on the sites with an even number, and without any text on the others."""

    def kept(example: Example) -> list[int]:
        is_even = int(example.page.site[-1]) % 2 == 0
        return np.flatnonzero(example.labels.share >= 0.5).tolist() if is_even else []

    return Trained(kept, lambda path: None)


def test_the_error_is_the_deviation_over_samples_of_sites(tmp_path: Path) -> None:
    examples = list(read_examples([article_pack(tmp_path)]))[:24]
    row = validated(examples, 2, even_sites)[0]["made"]
    recalls = [right / 6 for right in range(7)]
    f1s = np.array([2 * recall / (1 + recall) for recall in recalls])  # P is 1 where there is text
    chances = np.array([comb(6, right) / 2**6 for right in range(7)])
    assert row.score.f1 == pytest.approx(2 / 3)
    assert row.error == pytest.approx(np.sqrt(chances @ f1s**2 - (chances @ f1s) ** 2), rel=0.1)


def test_the_error_is_0_where_all_sites_are_alike(tmp_path: Path) -> None:
    examples = list(read_examples([article_pack(tmp_path)]))[:24:2]
    row = validated(examples, 2, even_sites, seeds=2)[0]["made"]
    assert (row.score.f1, row.error) == (1, 0)


def test_the_last_row_is_the_mean_of_the_rows_of_articles(tmp_path: Path) -> None:
    made = list(read_examples([article_pack(tmp_path)]))[:24]
    copies = [
        [replace(example, page=replace(example.page, pack=pack, kind=kind)) for example in made]
        for pack, kind in (("second", "article"), ("third", "other"))
    ]
    rows = validated([*made, *copies[0], *copies[1]], 2, even_sites)[0]
    assert list(rows) == ["made", "second", "third (no articles)", MEAN]
    assert rows[MEAN].score == replace(rows["made"].score, pages=48)
    assert rows[MEAN].error == pytest.approx(rows["made"].error / np.sqrt(2))


def test_every_further_seed_divides_the_sites_in_another_way(tmp_path: Path) -> None:
    """Sites of one fold are apart, so it is more than another numbering of the folds."""
    examples = list(read_examples([article_pack(tmp_path)]))[:6]  # one of each site
    divisions: list[frozenset[frozenset[str]]] = []
    taught: list[frozenset[str]] = []

    def trainer(given: Sequence[Example]) -> Trained:
        taught.append(frozenset(example.page.site for example in given))
        return Trained(lambda example: [], lambda path: None)

    for seeds in (1, 2, 3):
        taught.clear()
        validated(examples, 2, trainer, seeds=seeds)
        divisions.append(frozenset(taught[-2:]))
    assert len(set(divisions)) == 3


def test_scores_are_means_over_the_seeds(tmp_path: Path) -> None:
    examples = list(read_examples([article_pack(tmp_path)]))[:6]
    trainings = 0

    def trainer(given: Sequence[Example]) -> Trained:
        nonlocal trainings
        trainings += 1
        wanted = trainings <= 2  # the two folds of the first seed
        return Trained(
            lambda example: np.flatnonzero(example.labels.share >= 0.5).tolist() if wanted else [],
            lambda path: None,
        )

    rows, blocks = validated(examples, 2, trainer, seeds=2)
    assert rows["made"].score.f1 == 0.5
    assert (blocks.recall, blocks.exact) == (0.5, 0.5)
