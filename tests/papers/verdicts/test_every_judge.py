"""What holds for every judge: records without keys, other signatures and wrong parameters."""

from __future__ import annotations

from typing import Any

import pytest

from dupgroups.methods.verdicts import Judge
from dupgroups.model import Record
from dupgroups_papers.codecs import set_codec
from dupgroups_papers.verdicts.cosine import CosineSimilarity
from dupgroups_papers.verdicts.fingerprints import Fingerprints
from dupgroups_papers.verdicts.hamming import Hamming
from dupgroups_papers.verdicts.henzinger import HenzingerRule
from dupgroups_papers.verdicts.jaccard import Jaccard
from dupgroups_papers.verdicts.overlap_factors import OverlapFactors
from dupgroups_papers.verdicts.supershingles import Supershingles
from methods.verdicts.records import hashes, record, refused

NEAR = "near must be above 0, and threshold at least near and at most 1"
WRONG: list[tuple[type[Any], str, dict[str, float]]] = [
    (CosineSimilarity, NEAR, {"near": 0.9}),
    (Fingerprints, "least must be at least 1", {"least": 0}),
    (Hamming, "distance must be at least 0, and near at least distance", {"distance": 9}),
    (HenzingerRule, "supershingles must be between 1 and 255", {"supershingles": 256}),
    (HenzingerRule, "pieces must be between 0 and 64", {"pieces": 65}),
    (HenzingerRule, "bits must be between 192, which agree by chance, and 384", {"bits": 191}),
    (Jaccard, NEAR, {"near": 0.5}),
    (Jaccard, "containment must be above 0 and at most 1", {"containment": 1.01}),
    (OverlapFactors, "beta must be above 0 and at most alpha", {"alpha": 0.4}),
    (OverlapFactors, "near must be above 0 and at most alpha", {"near": 0.9}),
    (OverlapFactors, "epsilon must be at least 0, and alpha + epsilon at most 1", {"epsilon": 0.3}),
    (Supershingles, "size and least must be at least 1", {"size": 0}),
]


@pytest.mark.parametrize(("judge", "sentence", "parameters"), WRONG)
def test_wrong_parameters_are_refused(judge: type[Any], sentence: str, parameters: dict[str, float]) -> None:
    refused(lambda: judge(**parameters), sentence)


SET = record(set_codec.pack_sample(hashes(0, 9)))
PRINT, BITS_64, COMBINED = record(bytes(7) + b"\1"), record(bytes(8)), record(b"\1" + bytes(8 + 48))
FINGERPRINTS = "the judge 'fingerprints' reads signatures of imatch or fingerprint, not of 'other.1'"
HENZINGER = "the judge 'henzinger' reads signatures of henzinger, not of 'other.1'"
NO_SET = "the body of this signature is not a set: choose a judge that fits its signer"
OTHER_NUMBERS = "these signatures have different numbers of fingerprints: run `dup-groups backfill`"


@pytest.mark.parametrize(
    ("judge", "full", "body", "sentence"),
    [
        (Fingerprints(), PRINT, b"", FINGERPRINTS),
        (Fingerprints(), PRINT, bytes(9), FINGERPRINTS),
        (Fingerprints(), PRINT, bytes(16), OTHER_NUMBERS),
        (Hamming(), BITS_64, bytes(9), "the judge 'hamming' reads signatures of simhash, not of 'some.1'"),
        (HenzingerRule(), COMBINED, b"", HENZINGER),
        (HenzingerRule(), COMBINED, b"\0bits", HENZINGER),
        (HenzingerRule(), COMBINED, b"\1" + bytes(8), HENZINGER),
        (HenzingerRule(), COMBINED, b"\2" + bytes(12), HENZINGER),
        (Supershingles(), SET, b"no set", NO_SET),
    ],
)
def test_signatures_of_another_signer_are_refused(
    judge: Judge, full: Record, body: bytes, sentence: str
) -> None:
    refused(lambda: judge(full, record(body, scheme="other.1")), sentence)
