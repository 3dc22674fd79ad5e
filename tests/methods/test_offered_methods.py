"""Methods of installed packages: found by their entry points, imported when they are used."""

from __future__ import annotations

import importlib
import logging
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

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
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Install a distribution with these entry points, as `pip install` leaves it in a folder on the path."""
    for name, source in MODULES.items():
        (tmp_path / f"{name}.py").write_text(source)
    monkeypatch.syspath_prepend(str(tmp_path))

    def installed(distribution: str, *points: str) -> None:
        info = tmp_path / f"{distribution}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text("\n".join(["[dupgroups.tests]", *points, ""]))
        importlib.invalidate_caches()

    yield installed
    for name in MODULES:
        sys.modules.pop(name, None)


@pytest.fixture
def table() -> MethodTable:
    return MethodTable("test", {"plain": Plain})


Install = Callable[..., None]


def test_the_methods_of_the_papers_are_offered_by_their_published_names() -> None:
    assert [*EXTRACTORS, *JUDGES] == [
        *("auto", "coreex", "crf", "heuristic", "maxent", "mss", "subsequence", "whole"),
        *("resemblance", "cosine", "fingerprints", "hamming", "henzinger", "jaccard", "overlap_factors"),
        *("supershingles", "weighted_jaccard"),
    ]
    assert list(ARTICLE_METHODS) == ["auto", "c45"]  # of signers, see signatures/test_laws.py


def test_the_papers_are_imported_when_they_are_used() -> None:
    code = "import sys, dupgroups.api; dupgroups.api.MethodSet(); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "dupgroups.methods.signatures.minhash" in done.stdout.split()
    assert "dupgroups_papers" not in done.stdout.split()


def test_a_method_of_a_package_is_imported_when_it_is_built(install: Install, table: MethodTable) -> None:
    install("one", "loud = stranger_methods:Loud", "crash = stranger_crash:Loud")
    assert list(table) == ["plain", "crash", "loud"]
    assert "loud" in table
    assert "stranger_methods" not in sys.modules
    assert build("test", Step("loud"), table)() == "loud"
    assert [table.name_of(cls) for cls in (Plain, table["loud"], Path)] == ["plain", "loud", "Path"]
    assert "stranger_crash" not in sys.modules


def test_a_default_takes_precedence(install: Install, table: MethodTable) -> None:
    install("one", "plain = stranger_methods:Loud")
    assert table["plain"] is Plain
    assert list(table) == ["plain"]
    assert len(table) == 1


def test_a_name_that_two_packages_offer_is_ambiguous(install: Install, table: MethodTable) -> None:
    install("one", "loud = stranger_methods:Loud")
    install("two", "loud = stranger_methods:Quiet")
    with pytest.raises(
        ConfigError, match=r"^test 'loud' is ambiguous: choose between 'stranger_methods:"
    ) as raised:
        build("test", Step("loud"), table)
    assert "'stranger_methods:Loud' of one" in str(raised.value)
    assert "'stranger_methods:Quiet' of two" in str(raised.value)


def test_methods_that_cannot_be_imported_are_left_out_of_the_list(
    install: Install, table: MethodTable, caplog: pytest.LogCaptureFixture
) -> None:
    install("one", "crash = stranger_crash:Loud", "loud = stranger_methods:Loud")
    with caplog.at_level(logging.WARNING):
        assert list(table.loaded()) == ["plain", "loud"]
    assert caplog.messages == ["test 'crash' is left out: out of order"]
