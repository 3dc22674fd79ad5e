"""The wheel holds the four import packages and their data, and nothing with a generic name."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The file names in a wheel that is built now."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True, text=True)
    return zipfile.ZipFile(next(folder.glob("*.whl"))).namelist()


def test_top_level_names_are_exactly_ours(names: list[str]) -> None:
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {
        "dupgroups",
        "dupgroups_demo",
        "dupgroups_es",
        "dupgroups_lab",
    }


@pytest.mark.parametrize(
    "wanted",
    [
        "dupgroups/py.typed",
        "dupgroups_es/py.typed",
        "dupgroups_lab/py.typed",
        "dupgroups/web/templates/",
        "dupgroups/web/static/",
        "dupgroups_demo/sites.toml",
        "dupgroups_demo/stories/zh/",
        "dupgroups_demo/templates/",
    ],
)
def test_data_is_in(names: list[str], wanted: str) -> None:
    assert any(name.startswith(wanted) for name in names)


def test_licence_and_notice_are_in(names: list[str]) -> None:
    assert {"LICENSE", "NOTICE"} <= {Path(name).name for name in names}


def test_every_module_of_the_tree_is_in(names: list[str]) -> None:
    for root in (ROOT / "pipelines", ROOT / "es_plugin_py"):
        for module in root.rglob("*.py"):
            assert module.relative_to(root).as_posix() in names
