"""The report of `make mutants`."""

from __future__ import annotations

from pathlib import Path

from mutation.results import Accepted, toml


def test_every_accepted_survivor_has_its_reason_and_its_line_still_stands() -> None:
    here = Path(__file__).parent
    for row in toml(here / "accepted.toml")["accepted"]:
        accepted = Accepted(**row)
        source = (here.parents[1] / "pipelines" / accepted.file).read_text(encoding="utf-8")
        assert accepted.reason
        assert all(line in source for line in accepted.old.splitlines()), accepted
