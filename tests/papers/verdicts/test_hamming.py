"""The judge of bit strings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.errors import ConfigError
from dupgroups.model import Record, Signature
from dupgroups_papers.sketches.projections import distance
from dupgroups_papers.verdicts.hamming import Hamming
from verdicts.records import check_too_short, refused


def record(value: int, size: int = 8) -> Record:
    return Record("x", "x", "", Signature("simhash.1", ("key",), value.to_bytes(size, "big")))


@given(st.binary(min_size=8, max_size=8), st.binary(min_size=8, max_size=8))
def test_distance_counts_unlike_bits(a: bytes, b: bytes) -> None:
    def bits(digest: bytes) -> str:
        return f"{int.from_bytes(digest, 'big'):064b}"

    assert distance(a, b) == sum(x != y for x, y in zip(bits(a), bits(b), strict=True))


@pytest.mark.parametrize(
    ("differ", "relation", "score"),
    [
        (0, "duplicate", 1.0),
        (3, "duplicate", 0.5),
        (4, "near", 0.4918),
        (8, "near", 0.459),
        (9, "different", 0.4508),
        (64, "different", 0.0),
    ],
)
def test_the_thresholds_of_the_paper(differ: int, relation: str, score: float) -> None:
    verdict = Hamming()(record(0), record((1 << differ) - 1))
    assert verdict.relation == relation
    assert verdict.score == pytest.approx(score, abs=1e-4)
    assert verdict.reason == f"{differ} of 64 bits differ (a copy may differ in 3)."


def test_bit_strings_of_unlike_lengths_are_a_wrong_configuration() -> None:
    with pytest.raises(ConfigError, match=r"reads signatures of simhash, not of 'simhash\.1'"):
        Hamming()(record(1), record(1, size=9))
    with pytest.raises(ValueError, match="64 bits cannot be compared with 72"):
        distance(bytes(8), bytes(9))


@pytest.mark.parametrize("wrong", [{"distance": -1}, {"distance": 9}])
def test_wrong_parameters_are_refused(wrong: dict[str, int]) -> None:
    refused(lambda: Hamming(**wrong), "distance must be at least 0, and near at least distance")


def test_the_bounds_themselves_are_allowed() -> None:
    assert Hamming(distance=0, near=0)(record(5), record(5)).score == 1
    assert Hamming(distance=99, near=99)(record(0), record((1 << 64) - 1)).relation == "duplicate"


def test_texts_without_features_are_too_short() -> None:
    check_too_short(Hamming(), record(1))
