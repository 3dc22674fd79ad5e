"""Scores of extractors that learn, by pack and language."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from dupgroups_lab.extraction.scores import validated
from dupgroups_lab.training.methods import Trained
from dupgroups_lab.training.network import read_examples
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
