"""Named entities: counted by kind, and one sentence where the recogniser is missing."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from content.pipelines import HARBOUR, pipeline
from dupgroups.errors import MissingExtraError
from dupgroups_papers.content.named_entities import recogniser


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
