"""Mutants are accepted by lines that are still there."""

from __future__ import annotations

from docs.blocks import ROOT
from mutation.__main__ import HERE, SOURCES
from mutation.results import toml


def lines(file: str) -> set[str]:
    package, path = file.split("/", 1)
    (source,) = (folder for folder in SOURCES if folder.endswith(f"/{package}"))
    return {line.strip() for line in (ROOT / source / path).read_text("utf-8").splitlines()}


def test_every_accepted_line_is_in_its_file() -> None:
    accepted = toml(HERE / "accepted.toml")["accepted"]
    assert accepted
    assert [(file, line) for file, line, _ in accepted if line not in lines(file)] == []
