"""What the head of a method's file says of its parameters is what they are."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import pytest

from dupgroups.content import EXTRACTORS
from dupgroups.methods.signatures import SIGNERS
from dupgroups.methods.verdicts import JUDGES
from dupgroups.model.config import scalar
from dupgroups_lab.training.c45 import C45

METHODS: set[type[Any]] = {*EXTRACTORS.values(), *SIGNERS.values(), *JUDGES.values(), C45}
ELSEWHERE = "below"  # a default too long for a table


def table(cls: type[Any]) -> Iterator[tuple[str, Any]]:
    """Names and defaults; a row may hold several."""
    text = sys.modules[cls.__module__].__doc__ or ""
    rows = [[cell.strip() for cell in line.split("|")[1:3]] for line in text.splitlines() if line[:1] == "|"]
    for names, defaults in rows[2:]:
        words = {"none": None}
        for name, default in zip(names.split(","), defaults.split(","), strict=True):
            yield name.strip(" `"), words.get(default, scalar(default))


@pytest.mark.parametrize("cls", sorted(METHODS, key=str), ids=lambda cls: cls.__name__)
def test_the_table_of_defaults_is_true(cls: type[Any]) -> None:
    documented = dict(table(cls))
    defaults = {field.name: field.default for field in fields(cls)}
    assert {
        name: defaults[name] if value == ELSEWHERE else value for name, value in documented.items()
    } == defaults
    assert list(documented) == list(defaults)
