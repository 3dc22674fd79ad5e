"""Which relations put two documents into one group."""

from __future__ import annotations

from typing import get_args

import pytest

from dupgroups.grouping import Rule
from dupgroups.model import Relation, Verdict


@pytest.mark.parametrize("join", [{"duplicate"}, {"duplicate", "contains", "contained"}, set()])
def test_exactly_the_relations_that_are_given_join_whatever_the_score(join: set[Relation]) -> None:
    rule = Rule(frozenset(join), 64)
    for relation in get_args(Relation):
        for score in (0.0, 0.5, 1.0):
            assert rule.joins(Verdict(relation, score, "")) == (relation in join)
