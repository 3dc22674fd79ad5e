"""Scores of extractors that learn, by pack and language."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from dupgroups_lab.extraction.scores import validated
from dupgroups_lab.training.methods import Trained
from dupgroups_lab.training.network import read_examples
from lab.packs import article_pack


def test_a_language_with_many_pages_among_others_has_a_row_of_its_own(tmp_path: Path) -> None:
    examples = list(read_examples([article_pack(tmp_path)]))[:30]
    mixed = [
        replace(each, page=replace(each.page, language="zh")) if index < 4 else each
        for index, each in enumerate(examples)
    ]
    nothing = Trained(lambda each: [], lambda path: None)
    rows = [validated(given, 2, lambda _: nothing)[0] for given in (mixed, examples)]
    assert {row: found.pages for row, found in rows[0].items()} == {"made": 30, "made, en": 26}
    assert list(rows[1]) == ["made"]
