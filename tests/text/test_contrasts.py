"""Negations on one side, and words that exclude one another, by language."""

from pathlib import Path

import pytest

from dupgroups.text.contrasts import find_contrasts, is_negated_otherwise
from dupgroups.text.facts import read_facts

TABLES = Path(__file__).with_name("contrasts.txt").read_text("utf-8").split("#")[1:]
ROWS = [
    pytest.param(line[2:], negated, contrasting, id=line[:2])
    for table, negated, contrasting in zip(
        TABLES, (True, False, False, False), (None, None, True, False), strict=True
    )
    for line in table.splitlines()[1:]
]


@pytest.mark.parametrize(("pairs", "negated", "contrasting"), ROWS)
def test_what_is_negated_or_excludes_one_another(pairs: str, negated: bool, contrasting: bool | None) -> None:
    """In either order; of some pairs only the negation is told."""
    for pair in pairs.split(";"):
        here, there = ([*read_facts(text).words] for text in pair.split("|"))
        assert is_negated_otherwise(here, there) == is_negated_otherwise(there, here) == negated, pair
        found = find_contrasts(here, there)
        if contrasting is not None:
            assert bool(found) == contrasting, pair
        if contrasting:
            assert find_contrasts(there, here) == [(b, a) for a, b in found], pair
