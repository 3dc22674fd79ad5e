"""The judges of a few numbers: what agrees, what differs, what is shared, and how much of it."""

import numpy as np
import pytest

from dupgroups.methods.verdicts import Judge
from dupgroups.model import Record, Relation
from dupgroups_papers.codecs.set_codec import pack_minima, pack_sample
from dupgroups_papers.codecs.vector_codec import pack
from dupgroups_papers.verdicts.cosine_similarity import CosineSimilarity
from dupgroups_papers.verdicts.fingerprints import Fingerprints
from dupgroups_papers.verdicts.hamming import Hamming
from dupgroups_papers.verdicts.henzinger_rule import HenzingerRule
from dupgroups_papers.verdicts.share import ShareJudge
from dupgroups_papers.verdicts.shared_supershingles import Supershingles
from methods.verdicts.records import hashes, judged, record


def prints(*values: int) -> Record:
    return record(b"".join(value.to_bytes(8, "big") for value in values))


def words(start: int, *weights: float) -> Record:
    return record(pack(hashes(start, start + len(weights)), np.array(weights)))


# -- Henzinger's rule: supershingles, then bits

FOUR = (1, 2, 3, 4)


def lowest(count: int) -> int:
    """So many bits in a row."""
    return (1 << count) - 1


def scattered(count: int) -> int:
    """A bit of each of so many pieces."""
    return sum(1 << place for place in range(0, 32 * count, 32))


def parts(supershingles: tuple[int, ...], bits: int) -> Record:
    head = bytes([len(supershingles)]) + b"".join(value.to_bytes(8, "big") for value in supershingles)
    return record(head + bits.to_bytes(48, "big"))


def test_the_reason_of_henzinger_counts() -> None:
    assert HenzingerRule()(parts(FOUR, 0), parts((1, 9, 9, 9), (1 << 96) - 1)).reason == (
        "1 of 4 supershingles agree (a copy needs 2), and 75.0% of the bits (a copy needs 92.4%), "
        "with 9 of 12 pieces the same (a copy needs 1)."
    )


# -- one supershingle in common suffices


@pytest.mark.parametrize(
    ("values", "relation"),
    [
        ([hashes(0, 2), hashes(9, 13)], "duplicate"),
        ([hashes(9, 10), hashes(1, 3), hashes(10, 13)], "different"),
        ([hashes(9, 11), hashes(0, 2), hashes(12, 14)], "different"),
    ],
    ids=["one run", "across runs", "elsewhere"],
)
def test_the_runs_of_min_values_are_disjoint_and_stand_at_one_place(
    values: list[np.ndarray], relation: Relation
) -> None:
    one, two = (record(pack_minima(minima, 6)) for minima in (hashes(0, 6), np.concatenate(values)))
    assert judged(Supershingles(), one, two).relation == relation


# -- what two sets share


class OfNumbers(ShareJudge):
    """Reads what two share, and the size of each, from the bodies."""

    reason = "{alike:.0%} alike, {covered:.0%} covered"

    def measure_shared(self, a: bytes, b: bytes) -> tuple[float, float, float]:
        both, size_a = a.split(b"/")
        return float(both), float(size_a), float(b.split(b"/")[1])


JUDGE = OfNumbers(threshold=0.4, containment=0.8, near=0.2)


def shared(both: int, size: int) -> Record:
    return record(b"%d/%d" % (both, size))


# -- relation and score of all of them


def sample(start: int) -> Record:
    """A sample of ten members from here on."""
    return record(pack_sample(hashes(start, start + 10)))


ALIKE = words(0, 1, 1), words(1, 1, 1)  # their cosine is 0.5
RELATIONS: list[tuple[Judge, Record, Record, Relation, float]] = [
    (CosineSimilarity(), *ALIKE, "different", 0.25 / 0.87),
    (CosineSimilarity(threshold=0.5, near=0.5), *ALIKE, "duplicate", 0.5),
    (CosineSimilarity(threshold=0.8, near=0.5), *ALIKE, "near", 0.25 / 0.8),
    # the thresholds of the paper are the defaults
    (Hamming(), prints(0), prints(lowest(3)), "duplicate", 0.5),
    (Hamming(), prints(0), prints(lowest(8)), "near", 28 / 61),
    (Hamming(), prints(0), prints(lowest(9)), "different", 27.5 / 61),
    (Fingerprints(), prints(1, 2, 3, 4), prints(1, 5, 6, 7), "duplicate", 0.5),
    (Fingerprints(2), prints(1, 2, 3, 4), prints(1, 5, 6, 7), "different", 0.25),
    (Fingerprints(2), prints(1, 0, 0), prints(1, 0, 0), "duplicate", 1.0),  # all that either has
    (Fingerprints(), prints(1, 0, 3), prints(2, 0, 0), "different", 0.0),  # zeros agree with nothing
    (Fingerprints(), prints(1, 2, 0), prints(1, 0, 3), "duplicate", 0.5),  # one of three where either has one
    (HenzingerRule(), parts(FOUR, 0), parts((1, 2, 9, 9), 0), "duplicate", 0.5),
    (HenzingerRule(), parts(FOUR, 0), parts(FOUR, lowest(29)), "duplicate", 0.5),  # 355 bits agree
    # just enough supershingles
    (HenzingerRule(), parts(FOUR, 0), parts((1, 2, 9, 9), lowest(30)), "near", 0.5 * 354 / 355),
    (HenzingerRule(), parts(FOUR, 0), parts((1, 9, 9, 9), lowest(30)), "different", 0.25),
    # they agree in all of their bits or not at all
    (HenzingerRule(), parts((1 << 63, 2, 3, 4), 0), parts(((1 << 63) + 1, 2, 9, 9), 0), "near", 0.25),
    # a copy has a piece of 32 bits in common, if one is asked for
    (HenzingerRule(), parts(FOUR, 0), parts(FOUR, scattered(11)), "duplicate", 0.5 + 0.5 * (1 - 11 / 29)),
    (HenzingerRule(), parts(FOUR, 0), parts(FOUR, scattered(12)), "near", 0.25 + 0.25 * (1 - 12 / 29)),
    (HenzingerRule(pieces=0), parts(FOUR, 0), parts(FOUR, scattered(12)), "duplicate", 1 - 0.5 * 12 / 29),
    (Supershingles(), sample(0), sample(8), "duplicate", 0.5),  # two in a row: one of nine runs of two
    (Supershingles(), sample(0), sample(9), "different", 0.0),  # one member
    (Supershingles(least=2), sample(0), sample(8), "different", 0.25),
    (Supershingles(size=11), sample(0), sample(0), "different", 0.0),  # they are smaller, and have none
    (JUDGE, shared(40, 70), shared(40, 70), "duplicate", 0.5),  # 40 of 100: the threshold itself
    (JUDGE, shared(19, 60), shared(19, 59), "different", 0.2375),
    (JUDGE, shared(40, 100), shared(40, 40), "duplicate", 0.5),  # a copy first, even where all is covered
    # excerpts: half of what is covered, where that is more than what the resemblance gives
    (JUDGE, shared(39, 100), shared(39, 39), "contains", 0.5),
    (JUDGE, shared(20, 20), shared(20, 100), "contained", 0.5),
    (JUDGE, shared(15, 100), shared(15, 20), "different", 15 / 105 / 0.4 / 2),
    (OfNumbers(0.8, 0.8, 0.1), shared(80, 100), shared(80, 90), "contains", 0.5 * (80 / 110) / 0.8),
    (OfNumbers(0.9, 0.5, 0.1), shared(80, 100), shared(80, 100), "near", 0.5 * (80 / 120) / 0.9),  # one size
]


@pytest.mark.parametrize(("judge", "one", "two", "relation", "score"), RELATIONS)
def test_relation_and_score(judge: Judge, one: Record, two: Record, relation: Relation, score: float) -> None:
    verdict = judged(judge, one, two)
    assert (verdict.relation, verdict.score) == (relation, pytest.approx(score))
