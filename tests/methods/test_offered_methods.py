"""Methods of installed packages: found by their entry points, imported when they are used."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from distributions import Install, installing
from dupgroups.errors import ConfigError
from dupgroups.methods.registry import MethodTable, build
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
    either = r"('stranger_methods:(Loud' of one|Quiet' of two)( and )?){2}"
    with pytest.raises(ConfigError, match=f"^test 'loud' is ambiguous: choose between {either}"):
        build("test", Step("loud"), table)
