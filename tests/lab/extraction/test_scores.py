"""Scores of extractors that learn, by pack and language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from dupgroups_lab.extraction.scores import validated
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
    assert {row: score.pages for row, score in rows[0].items()} == {"made": 30, "made, en": 26}
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
