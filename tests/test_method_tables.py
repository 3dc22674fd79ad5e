"""What the head of a method's file says of its parameters is what they are."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import pytest

from dupgroups.config import scalar
from dupgroups.content import EXTRACTORS
from dupgroups.signatures import SIGNERS
from dupgroups.verdicts import JUDGES
from dupgroups_lab.training.c45 import C45

METHODS: set[type[Any]] = {*EXTRACTORS.values(), *SIGNERS.values(), *JUDGES.values(), C45}
ELSEWHERE = "below"  # a default too long for a table


def table(cls: type[Any]) -> Iterator[tuple[str, Any]]:
    """Names and defaults; a row may hold several."""
    text = sys.modules[cls.__module__].__doc__ or ""
    rows = [[cell.strip() for cell in line.split("|")[1:3]] for line in text.splitlines() if line[:1] == "|"]
    for names, defaults in rows[2:]:
        told = {"none": None}
        for name, default in zip(names.split(","), defaults.split(","), strict=True):
            yield name.strip(" `"), told.get(default, scalar(default))


@pytest.mark.parametrize("cls", sorted(METHODS, key=str), ids=lambda cls: cls.__name__)
def test_the_table_of_defaults_is_true(cls: type[Any]) -> None:
    told = dict(table(cls))
    assert {each.name: told.get(each.name) for each in fields(cls) if told.get(each.name) != ELSEWHERE} == {
        each.name: each.default for each in fields(cls) if told.get(each.name) != ELSEWHERE
    }
    assert list(told) == [each.name for each in fields(cls)]
