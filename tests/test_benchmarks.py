"""The benchmark of a growing store runs, and finds the groups of its generator."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCALE = Path(__file__).parents[1] / "benchmarks" / "scale.py"


@pytest.mark.whole
@pytest.mark.parametrize("more", [["--filled", "200"], ["--processes", "2"]], ids=["filled", "processes"])
def test_a_store_that_grows_has_the_groups_of_the_generator(tmp_path: Path, more: list[str]) -> None:
    command = [sys.executable, SCALE, f"sqlite:///{tmp_path}/scale.db", "--documents", "400", *more]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=240)
    assert done.returncode == 0, done.stderr
    row = [cell.strip() for cell in done.stdout.splitlines()[-1].strip("|").split("|")]
    assert (row[0], *row[-2:]) == ("400", "1.0000", "1.0000")
