"""Scores of extractors that learn, by pack and language, and their errors."""

from __future__ import annotations

from collections.abc import Sequence

from dupgroups_lab.extraction.validation import validated
from dupgroups_lab.training.methods import Trained
from dupgroups_lab.training.network import Example


def test_pages_are_scored_by_what_other_sites_taught(examples: list[Example]) -> None:
    def trainer(given: Sequence[Example]) -> Trained:
        taught = {example.page.site for example in given}

        def kept(example: Example) -> list[int]:
            assert example.page.site not in taught
            return []

        return Trained(kept, lambda path: None)

    assert validated(examples[:24], 2, trainer)[1].recall == 0
