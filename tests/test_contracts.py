"""The rules that tools keep: import contracts over all packages, hooks that run what CI runs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from dupgroups.content import EXTRACTORS
from dupgroups.methods.signatures import SIGNERS
from dupgroups.methods.verdicts import JUDGES

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def contract(project: dict[str, Any], **wanted: Any) -> dict[str, Any]:
    """The only contract with these settings."""
    contracts = project["tool"]["importlinter"]["contracts"]
    (found,) = (rule for rule in contracts if wanted.items() <= rule.items())
    return found


def test_every_package_is_held_to_layers_that_name_all_its_rooms(
    project: dict[str, Any],
) -> None:
    packages = {Path(path).name for path in project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]}
    assert set(project["tool"]["importlinter"]["root_packages"]) == packages
    for package in packages:
        assert contract(project, type="layers", containers=[package])["exhaustive"]


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("Extractors do not know each other", EXTRACTORS),
        ("Signers do not know each other", SIGNERS),
        ("Judges do not know each other", JUDGES),
    ],
)
def test_every_method_of_a_table_is_held_to_independence(
    project: dict[str, Any], name: str, table: dict[str, type[Any]]
) -> None:
    modules = contract(project, name=name, type="independence")["modules"]
    for method in table.values():
        room = method.__module__.rpartition(".")[0]
        assert method.__module__ in modules or f"{room}.*" in modules
