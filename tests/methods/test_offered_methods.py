"""Methods of installed packages: found by their entry points, imported when they are used."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from distributions import Install, installing
from dupgroups.content import EXTRACTORS
from dupgroups.content.article_score import ARTICLE_METHODS
from dupgroups.errors import ConfigError
from dupgroups.methods.registry import MethodTable, build
from dupgroups.methods.verdicts import JUDGES
from dupgroups.model.config import Step

MODULES = {
    "stranger_methods": "class Loud:\n    def __call__(self): return 'loud'\nclass Quiet(Loud): pass\n",
    "stranger_crash": "raise RuntimeError('out of order')",
}


class Plain:
    def __call__(self) -> str:
        return "plain"


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    with installing(tmp_path, monkeypatch, "dupgroups.tests", MODULES) as install:
        yield install


@pytest.fixture
def table() -> MethodTable:
    return MethodTable("test", {"plain": Plain})


def test_the_methods_of_the_papers_are_offered_by_their_published_names() -> None:
    assert [*EXTRACTORS, *JUDGES] == [
        *("auto", "coreex", "crf", "heuristic", "maxent", "mss", "subsequence", "whole"),
        *("resemblance", "cosine", "fingerprints", "hamming", "henzinger", "jaccard", "overlap_factors"),
        *("supershingles", "weighted_jaccard"),
    ]
    assert list(ARTICLE_METHODS) == ["auto", "c45"]  # of signers, see signatures/test_laws.py


def test_a_method_of_a_package_is_imported_when_it_is_built(install: Install, table: MethodTable) -> None:
    install("one", "loud = stranger_methods:Loud", "crash = stranger_crash:Loud")
    assert list(table) == ["plain", "crash", "loud"]
    assert "loud" in table
    assert "stranger_methods" not in sys.modules
    assert build("test", Step("loud"), table)() == "loud"
    assert [table.name_of(cls) for cls in (Plain, table["loud"], Path)] == ["plain", "loud", "Path"]
    assert "stranger_crash" not in sys.modules


def test_a_name_that_two_packages_offer_is_ambiguous(install: Install, table: MethodTable) -> None:
    install("one", "loud = stranger_methods:Loud")
    install("two", "loud = stranger_methods:Quiet")
    with pytest.raises(
        ConfigError, match=r"^test 'loud' is ambiguous: choose between 'stranger_methods:"
    ) as raised:
        build("test", Step("loud"), table)
    assert "'stranger_methods:Loud' of one" in str(raised.value)
    assert "'stranger_methods:Quiet' of two" in str(raised.value)
