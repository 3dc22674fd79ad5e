"""One supershingle in common suffices."""

from __future__ import annotations

import numpy as np
import pytest

from dupgroups.model import Content, Record, Relation
from dupgroups_papers.codecs.set_codec import pack_minima, pack_sample
from dupgroups_papers.signatures.shingling import Shingling
from dupgroups_papers.verdicts.supershingles import Supershingles
from stories import running_text
from verdicts.records import check_too_short, hashes, judged, record, refused


@pytest.mark.parametrize(
    ("least", "first", "relation", "score"),
    [
        (1, 0, "duplicate", 1.0),
        (1, 8, "duplicate", 0.5),  # two members in a row are common: one of nine runs of two
        (1, 9, "different", 0.0),  # one member
        (1, 7, "duplicate", 0.5 + 0.5 * (1 / 9) / (8 / 9)),
        (2, 8, "different", 0.25),
        (2, 7, "duplicate", 0.5),
    ],
)
def test_the_runs_of_a_sample(least: int, first: int, relation: Relation, score: float) -> None:
    one, two = (record(pack_sample(hashes(start, start + 10))) for start in (0, first))
    verdict = judged(Supershingles(least=least), one, two)
    assert verdict.relation == relation
    assert verdict.score == pytest.approx(score)


def test_the_runs_of_min_values_are_disjoint_and_stand_at_one_place() -> None:
    one = record(pack_minima(hashes(0, 6), 6))
    others = {
        "one run": [hashes(0, 2), hashes(9, 13)],
        "across runs": [hashes(9, 10), hashes(1, 3), hashes(10, 13)],
        "elsewhere": [hashes(9, 11), hashes(0, 2), hashes(12, 14)],
    }
    found = {}
    for name, values in others.items():
        two = record(pack_minima(np.concatenate(values), 6))
        found[name] = judged(Supershingles(), one, two).relation
    assert found == {"one run": "duplicate", "across runs": "different", "elsewhere": "different"}


def test_the_supershingles_are_those_of_the_keys() -> None:
    """Stories that share a key, which the signer makes of as many values, share a supershingle."""
    lines = running_text("a").split("\n")
    one, two = (
        Record("", "", "", Shingling(modulus=4)(Content("\n".join(part)))) for part in (lines[4:], lines)
    )
    assert set(one.signature.keys) & set(two.signature.keys)
    assert Supershingles()(one, two).relation == "duplicate"


def test_the_reason_counts() -> None:
    one, two = (record(pack_sample(hashes(start, start + 10))) for start in (0, 7))
    assert Supershingles()(one, two).reason == "2 of 9 supershingles are common to both (a copy needs 1)."


def test_sets_smaller_than_a_supershingle_have_none() -> None:
    one = record(pack_sample(hashes(0, 3)))
    assert judged(Supershingles(size=4), one, one).relation == "different"
    assert judged(Supershingles(size=3), one, one).score == 1.0


def test_what_cannot_be_judged_is_refused() -> None:
    check_too_short(Supershingles(), record(pack_sample(hashes(0, 9))))
    refused(lambda: Supershingles(size=0), "size and least must be at least 1")
    refused(lambda: Supershingles(least=0), "size and least must be at least 1")
    refused(
        lambda: Supershingles()(record(b"no set"), record(b"no set")),
        "the body of this signature is not a set: choose a judge that fits its signer",
    )
