"""The benchmark of a growing store runs on every kind of store, and finds the groups of its generator."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.whole
SCALE = Path(__file__).parents[1] / "benchmarks" / "scale.py"


def scale(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, SCALE, *arguments], capture_output=True, text=True, check=False, timeout=240
    )


def rows(output: str) -> list[list[str]]:
    """The cells of the table, without its heads."""
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in output.splitlines()[2:]]


@pytest.mark.parametrize("more", [["--filled", "200"], ["--processes", "2"]], ids=["filled", "processes"])
def test_a_store_that_grows_has_the_groups_of_the_generator(tmp_path: Path, more: list[str]) -> None:
    done = scale(f"sqlite:///{tmp_path}/scale.db", "--documents", "400", *more)
    assert done.returncode == 0, done.stderr
    (row,) = rows(done.stdout)
    assert (row[0], *row[-2:]) == ("400", "1.0000", "1.0000")
