"""Tables of words, in the CSV files of this folder: a kind, then its words, in a line."""

from __future__ import annotations

from importlib.resources import files


def read_table(name: str) -> dict[str, list[str]]:
    """The rows of a table of this folder by their first cell."""
    lines = (files("dupgroups.text") / name).read_text("utf-8").splitlines()
    return {first: others for first, *others in (line.split(",") for line in lines if line[0] != "#")}
