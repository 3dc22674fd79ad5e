"""Negations on one side, and words that exclude one another, by language."""

from pathlib import Path

import pytest

from dupgroups.text.contrasts import find_contrasts, is_negated_otherwise
from dupgroups.text.facts import read_facts

TABLES = Path(__file__).with_name("contrasts.txt").read_text("utf-8").split("#")


def read_pairs(table: str) -> list[tuple[list[str], list[str]]]:
    pairs = [pair.split("|") for line in table.splitlines()[1:] for pair in line[2:].split(";")]
    return [([*read_facts(here).words], [*read_facts(there).words]) for here, there in pairs]


NEGATED, NOT_NEGATED, CONTRASTING, ALIKE = map(read_pairs, TABLES[1:])


@pytest.mark.parametrize(("here", "there"), NEGATED)
def test_a_negation_on_one_side_is_found(here: list[str], there: list[str]) -> None:
    assert is_negated_otherwise(here, there)
    assert is_negated_otherwise(there, here)


@pytest.mark.parametrize(("here", "there"), NOT_NEGATED + CONTRASTING + ALIKE)
def test_nothing_is_negated_otherwise(here: list[str], there: list[str]) -> None:
    assert not is_negated_otherwise(here, there)
    assert not is_negated_otherwise(there, here)


@pytest.mark.parametrize(("here", "there"), CONTRASTING)
def test_words_that_exclude_one_another_are_found(here: list[str], there: list[str]) -> None:
    found = find_contrasts(here, there)
    assert found
    assert find_contrasts(there, here) == [(b, a) for a, b in found]


@pytest.mark.parametrize(("here", "there"), ALIKE)
def test_synonyms_and_false_friends_are_nothing(here: list[str], there: list[str]) -> None:
    assert find_contrasts(here, there) == []
